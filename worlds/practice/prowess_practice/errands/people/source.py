"""Rows that have a person: how a program gets from them to the people, and how a task speaks of these people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.layout import WIDE, fitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """What is added up by person, and how a task speaks of it."""

    adds: str
    most: str
    least: str
    more: str


MONEY = Unit(adds="amounts", most="the most money", least="the least money", more="more than {more_than_total} dollars")
SECONDS = Unit(adds="durations", most="the longest", least="the shortest", more="more than {more_than_total} seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceWithin:
    """What the rows lie in: a value that every task gives, and how one is drawn."""

    slot: str
    choose: Callable[[Draw], str | None]
    """It may set the scene, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSource:
    """Rows that have a person."""

    word: str
    """The people, as programs call them; names of functions are made of it, too."""
    app: str
    reads: str
    """Lines of the program that read the rows, with ARGUMENTS for what the API itself filters by."""
    row: str
    rows: str
    person: str
    """The person of a row, or the name alone where `fields` has nothing else."""
    fields: tuple[str, ...]
    """What is known of the person; the first is what others are compared with."""
    inner: str = ""
    """A loop within a row: `for share in expense["shares"]`."""
    but: str = ""
    """The test that leaves the supervisor out."""
    amount: str = ""
    """What can be added up by person."""
    unit: Unit = MONEY
    clause: str
    """Says who they are, in the singular and the plural alike: `to whom I sent a wallet payment COND`."""
    none: str = ""
    """Says the contrary."""
    sum: str = ""
    """`to whom I sent HOWMUCH in all, counting the wallet payments COND`."""
    number: str = ""
    """`to whom I sent HOWMANY wallet payments COND`."""
    many: str
    """The rows: `the wallet payments COND that I sent`."""
    added: str = ""
    """What is added up, where it is not simply the amounts of the rows."""
    counted: str = ""
    """What is counted, where it is not simply the rows."""
    role: str
    items: str
    """What is counted: `payments`."""
    total: str = ""
    """What a person's sum is called, where it is not simply that of the items."""
    about: str
    """The people, as a docstring says it."""
    conditions: tuple[Condition, ...] = ()
    further: Condition | None = None
    """A condition on the rows where they are but compared with; its slot is like no other."""
    alone: bool = False
    """Whether they may stand without any condition."""
    within: SourceWithin | None = None
    anybody: bool = False
    """Whether some of the people may be no contacts from the start."""
    more: Callable[[Draw, Person], None] | None = None
    """Adds a row with somebody."""
    scarce: bool = False
    """Whether there are so few rows at first that some are always added."""

    @property
    def texts(self) -> bool:
        """Whether a row's person is but a name."""
        return self.fields == ("name",)

    @property
    def key(self) -> str:
        return self.fields[0]

    def field(self, name: str) -> str:
        """How a program gets something of the person."""
        return self.person if self.texts else f'{self.person}["{name}"]'

    def read(self, conditions: tuple[Condition, ...]) -> str:
        """The lines that read the rows."""
        given = "".join(f", {one.argument}={one.slot}" for one in conditions if one.argument)
        lines = self.reads.replace("ARGUMENTS", given).splitlines()
        return "".join([*(one.prelude for one in conditions), *(f"{fitted(line, WIDE)}\n" for line in lines)])

    def tests(self, conditions: tuple[Condition, ...]) -> list[str]:
        """The tests of a row."""
        return [one.code.replace("ROW", self.row) for one in conditions if one.code]

    def comprehension(self, element: str, tests: list[str], inner_tests: list[str]) -> list[str]:
        """The parts of a comprehension over the people: the element, the loops and the tests."""
        if not self.inner:
            tests = [*tests, *inner_tests]
        parts = [element, f"for {self.row} in {self.rows}"]
        parts += _all_of(tests)
        return [*parts, self.inner, *_all_of(inner_tests)] if self.inner else parts


def _all_of(tests: list[str]) -> list[str]:
    return [f"{'and' if n else 'if'} {test}" for n, test in enumerate(tests)]


def renamed(condition: Condition, slot: str) -> Condition:
    """The same condition with another slot."""
    old = condition.slot
    return replace(
        condition,
        slot=slot,
        says=condition.says.replace(f"{{{old}}}", f"{{{slot}}}"),
        code=condition.code.replace(f" {old}", f" {slot}"),
    )


def braced(target: str, parts: list[str], brackets: str) -> str:
    """A comprehension that is given a name, on one line where it fits."""
    left, right = brackets[0], brackets[1]
    line = f"    {target} = {left}{' '.join(parts)}{right}"
    if len(line) <= WIDE:
        return f"{line}\n"
    rows: list[str] = []
    for part in parts:
        if part.startswith("and ") and len(f"        {rows[-1]} {part}") <= WIDE:
            rows[-1] += f" {part}"
        else:
            rows.append(part)
    inside = "".join(f"        {row}\n" for row in rows)
    return f"    {target} = {left}\n{inside}    {right}\n"
