"""Lists of values out of what was read: all of a list, several together, those that a condition picks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from prowess.types import Json
from prowess_appworld.demonstrator.atoms import Atom
from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.known import LOOP, Known, bits
from prowess_appworld.demonstrator.sources import fits


def everything(
    known: Known, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
) -> Expression | None:
    """All that a list holds."""
    for source, one in known.candidates(wanted, argument, before, present):
        found = [[known.reader.value(e, one, t) for e in known.reader.entries(source, t)] for t in known.reader.tasks]
        if all(set(found[t]) == set(wanted[t]) for t in known.reader.tasks if present[t]):
            many = any(len(set(found[t])) < len(found[t]) for t in known.reader.tasks if present[t])
            inside = f"{known.reader.text(source, one)} {known.reader.loop(source)}"
            return Expression(texts=(f"sorted({{{inside}}})" if many else f"[{inside}]",) * len(wanted))
    return None


def union(
    known: Known, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
) -> Expression | None:
    """Lists that together give the values, task by task: a task may have no such list."""
    texts = []
    for task in known.reader.tasks:
        left, parts, used = set(wanted[task]), [], set()
        for source in known.reader.sources(before) if present[task] else ():
            for one in known.reader.fields(source):
                found = {known.reader.value(e, one, task) for e in known.reader.entries(source, task)}
                suits = fits(argument, one, known.reader.scenario.stages[source.stage], source)
                if suits and found and found <= set(wanted[task]) and source.stage not in used:
                    left -= found
                    used.add(source.stage)
                    parts.append(f"{{{known.reader.text(source, one)} {known.reader.loop(source)}}}")
        if left:
            return None
        texts.append(f"sorted({' | '.join(parts)})" if parts else "[]")
    return Expression(texts=tuple(texts))


def filtered(
    known: Known, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
) -> Expression | None:
    """Those of a list that a condition picks."""
    for source, one in known.candidates(wanted, argument, before, present):
        columns = known.columns(source, one)
        many = any(len(set(column)) < len(column) for column in columns)
        text = known.reader.text(source, one)
        frame = _set_frame(text) if many else f"[{text} {LOOP}]"
        chosen = [bits(columns[t], wanted[t]) if present[t] else None for t in known.reader.tasks]
        gives = partial(_gives, columns, wanted) if many and all(present) else None
        if found := known.conditioned([source] * len(wanted), [frame] * len(wanted), chosen, before, gives):
            return found
    return None


def filtered_apart(
    known: Known, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
) -> Expression | None:
    """A condition on lists that differ from task to task: the songs of the library here, of playlists there."""
    options = []
    for task in known.reader.tasks:
        alone = [n == task for n in known.reader.tasks]
        found = known.candidates(wanted, argument, before, alone) if present[task] else []
        options.append([pair for pair in found if not all(known.stage(pair[0]).runs)] or found)
    if not all(options[task] for task in known.reader.tasks if present[task]):
        return None
    picked = [choices[0] if choices else None for choices in options]
    frames, chosen, columns = [], [], []
    for task, pair in enumerate(picked):
        column = [known.reader.value(e, pair[1], task) for e in known.reader.entries(pair[0], task)] if pair else []
        columns.append(column)
        frames.append(_set_frame(known.reader.text(*pair)) if pair else "")
        chosen.append(bits(column, wanted[task]) if pair else None)
    gives = partial(_gives, columns, wanted) if all(present) else None
    return known.conditioned([pair[0] if pair else None for pair in picked], frames, chosen, before, gives)


def more(
    known: Known, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
) -> Expression | None:
    """All that a list holds, where the reference looked at some of it only."""
    for source, one in known.candidates(wanted, argument, before, present)[:1]:
        frame = _set_frame(known.reader.text(source, one))
        return Expression(texts=(frame.replace(LOOP, known.reader.loop(source)),) * len(wanted))
    return None


def _gives(columns: Sequence[Sequence[Json]], wanted: Sequence[Sequence[Json]], task: int, atom: Atom) -> bool:
    return {value for at, value in enumerate(columns[task]) if atom.holds >> at & 1} == set(wanted[task])


def _set_frame(text: str) -> str:
    return f"sorted({{{text} {LOOP}}})"
