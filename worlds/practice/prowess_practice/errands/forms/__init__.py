"""Exact texts that are drawn anew for every case: for each of some rows something is written, to the letter.

A task gives the text with a made-up sample in it, which the program replaces, or in pieces, which it puts together.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from prowess_practice.drills.listings import LISTINGS
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.forms.deeds import ANYWHERE, PERSONAL
from prowess_practice.errands.forms.deeds_own import OWN
from prowess_practice.errands.forms.papers import HEADING, written
from prowess_practice.errands.forms.parts import Deed, Field
from prowess_practice.errands.forms.program import Plan, done
from prowess_practice.errands.forms.rare import RARE
from prowess_practice.errands.forms.recipes import RECIPES, Recipe
from prowess_practice.errands.forms.source import Source, sources
from prowess_practice.errands.reports.sinks import SINKS
from prowess_practice.errands.transfers.parts import Slot

CONDITIONS = 6
"""Conditions of a listing, at most."""
_ORDERS = ("name", "when", "name", "size", "when")


def made() -> Iterator[Errand]:
    """All of them: every source with some of what can be done, in turn."""
    seen = {*RARE}
    turns = count()
    for place, source in enumerate(sources(LISTINGS, CONDITIONS)):
        for errand in (*_acts(source, place, turns), *_papers(source, place, turns)):
            if errand.name not in seen:
                seen.add(errand.name)
                yield errand


def _acts(source: Source, place: int, turns: Iterator[int]) -> Iterator[Errand]:
    own = [deed for deed in OWN if source.kind in deed.rows]
    personal = [deed for deed in PERSONAL if _meets(source, deed)]
    for deeds, most in ((own, 2), (personal, 2), (ANYWHERE, 2)):
        found = 0
        for step in range(len(deeds)):
            turn = next(turns)
            if found == most:
                continue
            deed = deeds[(most * place + step) % len(deeds)]
            if errand := done(_plan(source, turn, deed.style, deed.slots, deed), deed):
                found += 1
                yield errand


def _meets(source: Source, deed: Deed) -> bool:
    """Whether there is a person behind a row to whom it can be done: messages may be the supervisor's own."""
    if source.kind in ("text", "voice") and "sender" not in source.condition.word:
        return False
    return bool(getattr(source.row, deed.needs)) and not (deed.before and source.row.phone)


def _papers(source: Source, place: int, turns: Iterator[int]) -> Iterator[Errand]:
    found = 0
    for step in range(len(SINKS)):
        turn = next(turns)
        sink = SINKS[(2 * place + step) % len(SINKS)]
        if sink.only and not {*sink.only} & {*source.apps}:
            continue
        heading = (HEADING,) if turn % 4 == 0 and sink.item == "line" else ()
        style = "line" if sink.item == "line" else "title"
        errand = written(_plan(source, turn, style, (*sink.slots, *heading)), sink, _ORDERS[turn % len(_ORDERS)])
        if errand:
            found += 1
            yield errand
        if found == 2:
            return


def _plan(source: Source, turn: int, style: str, slots: tuple[Slot, ...], deed: Deed | None = None) -> Plan:
    fields = [one for one in source.fields if not deed or one.kind not in deed.bars]
    recipe = RECIPES[turn % len(RECIPES)]
    if recipe.double and len(fields) < 2:
        recipe = RECIPES[0]
    chosen = _chosen(fields, recipe, turn)
    return Plan(source=source, recipe=recipe, chosen=chosen, turn=turn, style=style, slots=slots)


def _chosen(fields: list[Field], recipe: Recipe, turn: int) -> tuple[Field, ...]:
    """What names a row more often than the rest, and an amount where there is one."""
    first = 0 if turn % 2 else turn // 2 % len(fields)
    second = (first + 1 + turn // 3 % max(1, len(fields) - 1)) % len(fields)
    amount = next((place for place, one in enumerate(fields) if one.kind == "amount"), -1)
    if amount >= 0 and turn % 3:
        first, second = (first, amount) if recipe.double and first != amount else (amount, second)
    return (fields[first], fields[second]) if recipe.double else (fields[first],)
