"""One entry of what was read: the only one, one that a condition picks, an extreme one, the first."""

from __future__ import annotations

from collections.abc import Sequence

from prowess.types import Json
from prowess_appworld.demonstrator.atoms import Atom
from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.extremes import extreme, most_frequent
from prowess_appworld.demonstrator.known import LOOP, Known, bits
from prowess_appworld.demonstrator.sources import Field, Source
from prowess_appworld.demonstrator.stages import same


def picked(
    known: Known, wanted: Sequence[Json], argument: str, before: int, present: Sequence[bool]
) -> Expression | None:
    """One entry of what was read: the only one, one that a condition picks, the greatest or least, the first."""
    candidates = known.candidates([[value] for value in wanted], argument, before, present)
    for find in (_only, _chosen_one, _extreme, _first, _frequent, _first_such):
        for source, one in candidates:
            if found := find(known, source, one, wanted, before, present):
                return found
    return None


def _only(
    known: Known, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
) -> Expression | None:
    if source.inner or known.stage(source).many or known.stage(source).lists:
        return None
    return Expression(texts=(known.reader.names[source.stage] + _steps(one),) * len(wanted))


def _chosen_one(
    known: Known, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
) -> Expression | None:
    columns = known.columns(source, one)
    here = [task for task in known.reader.tasks if present[task]]
    if all(len(columns[task]) == 1 for task in here) or any(columns[t].count(wanted[t]) != 1 for t in here):
        return None
    chosen = [bits(columns[t], [wanted[t]]) if present[t] else None for t in known.reader.tasks]
    frame = f"next({known.reader.text(source, one)} {LOOP})"
    return known.conditioned([source] * len(wanted), [frame] * len(wanted), chosen, before)


def _extreme(
    known: Known, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
) -> Expression | None:
    found = extreme(known.reader, source, one, wanted, before, present)
    return Expression(texts=found.texts, lines=(found.lines,) * len(wanted)) if found else None


def _first(
    known: Known, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
) -> Expression | None:
    columns = known.columns(source, one)
    stage = known.stage(source)
    if one.outer or not all(same(columns[t][0], wanted[t]) for t in known.reader.tasks if present[t]):
        return None
    if not source.inner:
        return Expression(texts=(f"{known.reader.plural(source.stage)}[0]{_steps(one)}",) * len(wanted))
    if stage.many or stage.lists:
        return None
    inside = "".join(f'["{key}"]' for key in source.inner)
    return Expression(texts=(f"{known.reader.names[source.stage]}{inside}[0]{_steps(one)}",) * len(wanted))


def _first_such(
    known: Known, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
) -> Expression | None:
    """The first of those that a condition picks."""
    if not all(present) or source.inner:
        return None
    columns = known.columns(source, one)

    def leads(task: int, atom: Atom) -> bool:
        first = (atom.holds & -atom.holds).bit_length() - 1
        return same(columns[task][first], wanted[task])

    condition = known.search([source] * len(wanted), before).telling(leads)
    if condition is None or not any(atom.names or atom.sets for atom in condition.atoms):
        return None
    text, loop = known.reader.text(source, one), known.reader.loop(source)
    return Expression(
        texts=tuple(f"next({text} {loop} if {condition.text(task)})" for task in known.reader.tasks),
        names=frozenset(name for atom in condition.atoms for name in atom.names),
        lines=known.needed(condition),
    )


def _frequent(
    known: Known, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
) -> Expression | None:
    texts = most_frequent(known.reader, source, one, wanted, present)
    return Expression(texts=texts) if texts else None


def _steps(one: Field) -> str:
    return "".join(f'["{key}"]' for key in one.keys)
