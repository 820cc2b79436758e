"""An errand on people before its values are drawn: whose rows, which of them, taken how, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.people.source import PeopleSource

SINGLE = ("top", "bottom", "most")
"""Ways to take the people that leave but one."""
_WORDS = {"top": "top_", "bottom": "least_", "most": "most_frequent_", "rich": "larger_", "often": "frequent_"}
_ABOUT = {
    "top": "the greatest by sum of the ",
    "bottom": "the least by sum of the ",
    "most": "the most frequent of the ",
    "rich": "the greater by sum of the ",
    "often": "the more frequent of the ",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleSlot:
    """A further value that the task gives."""

    name: str
    kind: type
    choose: Callable[[Draw], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleOutcome:
    """What comes of the people.

    In lines of code `<email>` and other fields stand for what is known of one of them, `<total>` for their sum or
    number, `<people>` for the variable that holds all of them, `<names>` and `<emails>` for lists of these, `<is>` for
    the test whether a name is theirs.
    """

    word: str
    apps: tuple[str, ...]
    needs: tuple[str, ...] = ()
    """Fields of a person."""
    uses: str = ""
    """`sum` or `number`, where everybody's is needed."""
    before: str = ""
    each: tuple[str, ...] = ()
    """Lines for every person."""
    after: str = ""
    result: str = ""
    """What is returned, if not how many people there were."""
    returns: str = "int"
    about: str
    """A docstring, with PEOPLE in it."""
    wordings: tuple[str, ...]
    slots: tuple[PeopleSlot, ...] = ()
    single: bool | None = None
    """True where there must be one person, False where there must be several."""
    asks: bool = False
    matters: tuple[tuple[str, str], ...] = ()
    pays: bool = False
    stage: Callable[[Draw, Person], None] | None = None
    """Adds a row of those that it is about, where there are few."""
    unknown: bool = False
    """Whether it is for people who are no contacts."""
    not_from: tuple[str, ...] = ()
    """Sources it makes no sense with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleFilter:
    """Other rows whose people are meant as well, or are not."""

    source: PeopleSource
    conditions: tuple[Condition, ...] = ()
    yes: bool = True

    @property
    def word(self) -> str:
        return "_".join(["and" if self.yes else "not", self.source.word, *(one.word for one in self.conditions)])


@dataclass(frozen=True, slots=True, kw_only=True)
class PeoplePlan:
    """An errand on people before its values are drawn."""

    source: PeopleSource
    conditions: tuple[Condition, ...]
    filter: PeopleFilter | None
    gather: str
    """`each`, `total`, `number`, `rich`, `often`, `top`, `bottom` or `most`."""
    outcome: PeopleOutcome
    strange: bool
    """Whether somebody who is no contact is put among the people."""

    @property
    def name(self) -> str:
        people = f"{_WORDS.get(self.gather, '')}{self.source.word}"
        rest = [one.word for one in self.conditions] + ([self.filter.word] if self.filter else [])
        return "_".join([self.outcome.word, people, *rest])

    @property
    def single(self) -> bool:
        return self.gather in SINGLE

    @property
    def counts(self) -> bool:
        """Whether rows are counted, not added up."""
        return self.gather in ("number", "often", "most")

    @property
    def mode(self) -> str:
        """How the people are known: by one field, by name and another, as rows of contacts, or looked up in them."""
        needs = {*self.outcome.needs} or {"name"}
        if not needs <= {*self.source.fields}:
            return "join"
        if len(needs) == 1:
            return "key"
        return "rows" if self.source.word == "contacts" else "pair"

    @property
    def key(self) -> str:
        """What tells the people apart."""
        if self.mode == "join":
            return self.source.key
        return "name" if self.mode == "pair" else next(iter(self.outcome.needs), "name")

    @property
    def narrowed(self) -> bool:
        """Whether the filter is on contacts, who are looked up anyway."""
        found = self.filter
        return bool(found and found.yes and found.source.word == "contacts" and self.mode == "join" and not self.single)

    @property
    def apps(self) -> tuple[str, ...]:
        found = [self.source.app, *([self.filter.source.app] if self.filter else []), *self.outcome.apps]
        return tuple(dict.fromkeys([*found, *(["phone"] if self.mode == "join" else [])]))

    @property
    def slots(self) -> dict[str, type]:
        found: dict[str, type] = {}
        for source, conditions in self.readings:
            if source.within:
                found[source.within.slot] = str
            found |= {one.slot: one.kind for one in conditions if one.slot}
        if self.gather == "rich":
            found["more_than_total"] = float if self.source.unit.adds == "amounts" else int
        if self.gather == "often":
            found["least_count"] = int
        return found | {slot.name: slot.kind for slot in self.outcome.slots}

    @property
    def readings(self) -> list[tuple[PeopleSource, tuple[Condition, ...]]]:
        """What is read, and by which conditions."""
        more = [(self.filter.source, self.filter.conditions)] if self.filter else []
        return [(self.source, self.conditions), *more]

    @property
    def about(self) -> str:
        """The docstring."""
        people = f"{_ABOUT.get(self.gather, '')}{self.source.about}"
        rows = f" ({', '.join(one.about for one in self.conditions)})" if self.conditions else ""
        other = ""
        if self.filter:
            which = [self.filter.source.about, *(one.about for one in self.filter.conditions)]
            other = f", {'also' if self.filter.yes else 'not'} {' '.join(which)},"
        for more in (f"{rows}{other}", other, rows, ""):
            found = self.outcome.about.replace("PEOPLE", f"{people}{more}").replace(",;", ";").replace(",.", ".")
            if len(found) < 110:
                return found
        return self.outcome.about.replace("PEOPLE", self.source.about)
