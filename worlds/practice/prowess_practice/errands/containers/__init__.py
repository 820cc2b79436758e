"""Errands on things that are judged by what lies in them: playlists by their songs, projects by their tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from prowess_practice.drills.exports import EXPORTS
from prowess_practice.errands.containers.files import PAPERS
from prowess_practice.errands.containers.judges import (
    BESTS,
    ENOUGH,
    FEWEST,
    GREATEST,
    JUDGES,
    LATEST,
    MOST,
    MOSTLY,
    NONE,
    SOME,
    TOTAL,
    Best,
    Judge,
)
from prowess_practice.errands.containers.money import MONEY
from prowess_practice.errands.containers.music import MUSIC
from prowess_practice.errands.containers.notes import JOTTINGS
from prowess_practice.errands.containers.pairs import pairs
from prowess_practice.errands.containers.parts import Inside, Kind, both
from prowess_practice.errands.containers.phone import PHONE
from prowess_practice.errands.containers.program import edits, program
from prowess_practice.errands.containers.rare import RARE
from prowess_practice.errands.containers.shape import Shape
from prowess_practice.errands.containers.shared import SHARED
from prowess_practice.errands.containers.todo import TODO
from prowess_practice.errands.containers.values import values_of
from prowess_practice.errands.containers.wordings import DELIVERIES, wordings
from prowess_practice.errands.errand import Errand

KINDS: tuple[Kind, ...] = (*MUSIC, *TODO, *PAPERS, *JOTTINGS, *MONEY, *SHARED, *PHONE)
T = TypeVar("T")
_WRITTEN = tuple(export for export in EXPORTS if export.word in DELIVERIES)


def made() -> Iterator[Errand]:
    """All of them, but those that hardly anybody's data serves."""
    yield from (errand for errand in (*_judged(), *pairs()) if errand.name not in RARE)


def _judged() -> Iterator[Errand]:
    seen: set[str] = set()
    inside = 0
    for kind in KINDS:
        for one in kind.insides:
            for n, drawn in enumerate(_shapes(kind, one, inside)):
                shape = _slotted(drawn, inside + n)
                if shape.sound and shape.name not in seen:
                    seen.add(shape.name)
                    yield _errand(shape)
            inside += 1


def _errand(shape: Shape) -> Errand:
    return Errand(
        name=shape.name,
        apps=shape.apps,
        slots=shape.slots,
        source=program(shape),
        wordings=wordings(shape),
        values=values_of(shape),
        matters=edits(shape),
        asks=shape.asks,
    )


def _slotted(shape: Shape, turn: int) -> Shape:
    """With a condition that takes a value, where nothing else does: tasks of a scenario must differ in something."""
    if shape.slots:
        return shape
    given = _pick([one for one in shape.inside.conditions if one.slot], turn)
    if given is None or shape.condition is None or shape.inside.small:
        return replace(shape, condition=given)
    return replace(shape, condition=both(given, shape.condition))


def _shapes(kind: Kind, inside: Inside, turn: int) -> Iterator[Shape]:
    """A choice of what can be made: every ending and every deed with some judges and conditions, in turn."""
    yield from _asking(kind, inside, turn)
    yield from _writing(kind, inside, turn)
    for n, deed in enumerate(kind.deeds):
        plain = [one for one in JUDGES if not one.sums and not one.dates]
        for step in range(2):
            by: Judge | Best = plain[(turn + 2 * n + step) % len(plain)]
            condition = _pick(inside.conditions, turn + 3 * n + step)
            chosen = _pick(kind.filters, turn + n) if step else None
            yield Shape(kind=kind, inside=inside, by=by, ending="act", condition=condition, deed=deed, filter=chosen)
        condition = _pick(inside.conditions, turn + 3 * n + 2)
        by = (MOST, FEWEST)[(turn + n) % 2]
        yield Shape(kind=kind, inside=inside, by=by, ending="act", condition=condition, deed=deed)
    for n, deed in enumerate(inside.deeds):
        scopes = (("fitting", ENOUGH), ("other", SOME), ("all", ENOUGH), ("fitting", MOSTLY), ("all", NONE))
        for step in range(2):
            scope, by = scopes[(turn + n + 2 * step) % len(scopes)]
            condition = _pick(inside.conditions, turn + 2 * n + 3 * step)
            yield Shape(kind=kind, inside=inside, by=by, ending="inner", condition=condition, deed=deed, scope=scope)
        scope = ("fitting", "all", "other")[(turn + n) % 3] if not deed.ordered else "fitting"
        condition = _pick(inside.conditions, turn + 2 * n + 1)
        yield Shape(kind=kind, inside=inside, by=MOST, ending="inner", condition=condition, deed=deed, scope=scope)


def _asking(kind: Kind, inside: Inside, turn: int) -> Iterator[Shape]:
    measure = inside.measures[turn % len(inside.measures)] if inside.measures else None
    for n, ending in enumerate(("count", "names", "count", "names")):
        judge = JUDGES[(turn + 3 * n) % len(JUDGES)]
        condition = None if judge.sums or judge.dates else _pick(inside.conditions, turn + n)
        chosen = _pick(kind.filters, turn) if n == 2 else None
        yield Shape(
            kind=kind,
            inside=inside,
            by=judge,
            ending=ending,
            condition=condition,
            filter=chosen,
            measure=measure if judge.sums else None,
        )
    if inside.name:
        for n, judge in enumerate((ENOUGH, TOTAL)):
            yield Shape(
                kind=kind,
                inside=inside,
                by=judge,
                ending="rows",
                condition=_pick(inside.conditions, turn + n),
                measure=measure if judge.sums else None,
            )
    for n, best in enumerate(BESTS):
        condition = _pick((None, *inside.conditions), turn + n) if inside.whole else _pick(inside.conditions, turn + n)
        if best is FEWEST:
            condition = condition or _pick(inside.conditions, turn)
        chosen = _pick(kind.filters, turn + 1) if n == 2 else None
        given = measure if best.sums else None
        yield Shape(kind=kind, inside=inside, by=best, ending="best", condition=condition, measure=given, filter=chosen)
    for n, each in enumerate(inside.measures):
        if each.sum:
            judge = (SOME, ENOUGH, MOSTLY)[(turn + n) % 3]
            condition = _pick(inside.conditions, turn + 2 + n)
            yield Shape(kind=kind, inside=inside, by=judge, ending="sum", condition=condition, measure=each)
            condition = _pick((None, *inside.conditions), turn + n)
            yield Shape(kind=kind, inside=inside, by=GREATEST, ending="number", condition=condition, measure=each)
        if inside.name:
            condition = _pick((None, *inside.conditions), turn + 1 + n)
            by = MOST if n or not inside.dated else LATEST
            yield Shape(kind=kind, inside=inside, by=by, ending="extreme", condition=condition, measure=each)
    yield Shape(kind=kind, inside=inside, by=MOST, ending="number", condition=_pick(inside.conditions, turn + 1))


def _writing(kind: Kind, inside: Inside, turn: int) -> Iterator[Shape]:
    """Names and numbers, written down elsewhere."""
    for n in range(3):
        export = _WRITTEN[(turn + 2 * n) % len(_WRITTEN)]
        judge = (ENOUGH, NONE, SOME, MOSTLY)[(turn + n) % 4]
        condition = _pick(inside.conditions, turn + 2 * n)
        yield Shape(kind=kind, inside=inside, by=judge, ending="export", condition=condition, export=export)
    lined = [export for export in _WRITTEN if export.word != "task"]
    measure = inside.measures[(turn + 1) % len(inside.measures)] if inside.measures else None
    for n, judge in enumerate((SOME, TOTAL)):
        yield Shape(
            kind=kind,
            inside=inside,
            by=judge,
            ending="report",
            condition=_pick(inside.conditions, turn + 2 * n + 1),
            measure=measure if judge.sums else None,
            export=lined[(turn + n) % len(lined)],
        )


def _pick(choices: Sequence[T], turn: int) -> T | None:
    return choices[turn % len(choices)] if choices else None
