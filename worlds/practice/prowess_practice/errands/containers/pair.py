"""One errand on two containers before its values are drawn, and how it is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.exports import Export
from prowess_practice.drills.listing import Measure
from prowess_practice.errands.containers.parts import Deed
from prowess_practice.errands.containers.twins import Twin
from prowess_practice.errands.containers.wordings import DELIVERIES


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One errand on two containers."""

    twin: Twin
    ending: str
    """`count`, `names`, `act` or `export`: of what they share or one has alone. `more`, `gap` or `pick`: which of them
    has more rows of a kind, by how much, and what is done to that one."""
    alone: bool = False
    condition: Condition | None = None
    measure: Measure | None = None
    deed: Deed | None = None
    export: Export | None = None

    @property
    def asks(self) -> bool:
        return self.ending in ("count", "names", "more", "gap")

    @property
    def compared(self) -> bool:
        """Whether numbers are compared, not rows."""
        return self.ending in ("more", "gap", "pick")

    @property
    def name(self) -> str:
        twin = self.twin
        what = f"{'lacking' if self.alone else 'common'}_{twin.inside.word}_of_two_{twin.kind.word}"
        if self.compared:
            field = f"_{self.measure.field}" if self.measure else ""
            condition = f"_{self.condition.word}" if self.condition else ""
            what = f"{twin.kind.row}_with_more_{twin.inside.word}{condition}{field}"
        start = {"count": "count", "names": "list", "more": "choose", "gap": "gap_to"}.get(self.ending, "")
        deed = self.deed.word if self.deed else f"{self.export.word}_of" if self.export else ""
        return f"{start or deed}_{what}"

    @property
    def slots(self) -> dict[str, type]:
        found: dict[str, type] = {"first": str, "second": str}
        if self.condition and self.condition.slot:
            found[self.condition.slot] = self.condition.kind
        if self.deed and self.deed.slot:
            found[self.deed.slot] = self.deed.kind
        if self.export and self.export.slot:
            found[self.export.slot] = str
        return found

    @property
    def apps(self) -> tuple[str, ...]:
        others = [one.app for one in (self.condition, self.deed, self.export) if one and one.app]
        return tuple(dict.fromkeys((self.twin.kind.app, *self.twin.inside.apps, *others)))


def pair_wordings(pair: Pair) -> tuple[str, ...]:
    texts = _of_numbers(pair) if pair.compared else _of_rows(pair)
    for more in (pair.deed.skip.says if pair.deed and pair.deed.skip else "", pair.twin.inside.remark):
        texts = tuple(f"{text} {more}" for text in texts) if more else texts
    return texts


def _of_rows(pair: Pair) -> tuple[str, ...]:
    one, two, three = pair.twin.alone if pair.alone else pair.twin.shared
    called = pair.twin.inside.called
    if pair.ending == "count":
        return (
            f"How many {one} are there?",
            f"Count the {two}, and tell me the number.",
            f"I would like to know the number of {three}.",
        )
    if pair.ending == "names":
        return (
            f"Which {one} are there? Answer with a list of the {called}s.",
            f"List the {called}s of the {two}.",
            f"I want the {called} of each of the {three}, as a list.",
        )
    if pair.export:
        lines = f"the {called}s, in alphabetical order," if pair.export.word != "task" else f"the {called}s"
        deliver = DELIVERIES[pair.export.word].replace("LINES", lines)
        return (
            f"Look for {one}, and {deliver}.",
            f"It is about the {two}: {deliver}.",
            f"Consider the {three}. Please {deliver}.",
        )
    assert pair.deed
    does = pair.deed.says.replace("OBJ", "each of them")
    return (
        f"Look for {one}, and {does}.",
        f"It is about the {two}: {does}.",
        f"Consider the {three}. Please {does}, and change nothing else.",
    )


def _of_numbers(pair: Pair) -> tuple[str, ...]:
    twin, inside = pair.twin, pair.twin.inside
    phrase = f" {pair.condition.says}" if pair.condition else ""
    many = f"{inside.many}{phrase}"
    left, right = f'{twin.thing} "{{first}}"', f'{twin.thing} "{{second}}"'
    both = f'{twin.thing}s "{{first}}" and "{{second}}"'
    called = twin.kind.called
    if pair.measure:
        adds = f"{pair.measure.sum} of the {many}"
        first = f"Where do the {adds} add up to more, {inside.prep} {left} or {inside.prep} {right}?"
        second = f"Add up the {adds} {inside.prep} {left}, and those {inside.prep} {right}."
        third = f"the one of {both} {inside.prep} {twin.kind.which} the {adds} add up to more"
        far = f"Add up the {adds}, once {inside.prep} {left} and once {inside.prep} {right}"
    else:
        first = f"Are there more {many} {inside.prep} {left} or {inside.prep} {right}?"
        second = f"Count the {many} {inside.prep} {left}, and those {inside.prep} {right}."
        third = f"the one of {both} {inside.prep} {twin.kind.which} there are more {many}"
        far = f"Count the {many}, once {inside.prep} {left} and once {inside.prep} {right}"
    if pair.ending == "more":
        return (
            f"{first} Answer with the {called}.",
            f"{second} Which of the two is ahead? I want the {called}.",
            f"Tell me the {called} of {third}.",
        )
    if pair.ending == "gap":
        return (
            f"{far}: how far are the two numbers apart? Give me the difference as a positive number.",
            f"{second} I want the difference between the two, and not as a negative number.",
            f"Look at {third}: how many more is that than {inside.prep} the other one?"
            if not pair.measure
            else f"Look at {third}: how much more is that than {inside.prep} the other one?",
        )
    assert pair.deed
    it = twin.kind.pronoun
    return (
        f"{second} Take the one with the greater number, and {pair.deed.says.replace('OBJ', it)}.",
        f"Find {third}, and {pair.deed.says.replace('OBJ', it)}.",
        f"{first} Please {pair.deed.says.replace('OBJ', 'that one')}, and leave the other as it is.",
    )
