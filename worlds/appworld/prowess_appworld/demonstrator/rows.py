"""Rows of arguments that differ from call to call."""

from __future__ import annotations

from collections.abc import Sequence

from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.known import LOOP, Known, bits
from prowess_appworld.demonstrator.sources import Entry, Field, Source, fits
from prowess_appworld.demonstrator.stages import Stage
from prowess_appworld.demonstrator.templates import case_of, template
from prowess_appworld.demonstrator.trace import Step


def rows_read(known: Known, stage: Stage, arguments: Sequence[str], before: int) -> Expression | None:
    """Rows whose arguments are all fields of an entry."""
    wanted = [[tuple(step.arguments[name] for name in arguments) for step in run] for run in stage.runs]
    present = [bool(run) for run in stage.runs]
    for source in known.reader.sources(before):
        fields = known.reader.fields(source)
        assigned: list[Field] = []
        for position, argument in enumerate(arguments):
            good = [
                f
                for f in fields
                if fits(argument, f, known.reader.scenario.stages[source.stage], source)
                and known.covers(source, f, [[row[position] for row in rows] for rows in wanted], present)
            ]
            assigned += good[:1]
        if len(assigned) < len(arguments):
            continue
        pairs = [
            [
                tuple(known.reader.value(entry, f, task) for f in assigned)
                for entry in known.reader.entries(source, task)
            ]
            for task in known.reader.tasks
        ]
        if not all(set(rows) <= set(found) for rows, found, here in zip(wanted, pairs, present, strict=True) if here):
            continue
        text = ", ".join(f'"{a}": {known.reader.text(source, f)}' for a, f in zip(arguments, assigned, strict=True))
        chosen = [bits(found, rows) if here else None for found, rows, here in zip(pairs, wanted, present, strict=True)]
        frames = [f"[{{{text}}} {LOOP}]"] * len(wanted)
        if found_rows := known.conditioned([source] * len(wanted), frames, chosen, before):
            return found_rows
    return None


def rows_composed(known: Known, stage: Stage, arguments: Sequence[str], before: int) -> Expression | None:
    """Rows of which some arguments are fields of an entry, and others texts put together from it."""
    for source in known.reader.sources(before):
        matched = [_rows_of(known, source, run, task) for task, run in enumerate(stage.runs)]
        if any(len(rows) != len(run) for rows, run in zip(matched, stage.runs, strict=True)):
            continue
        texts: list[str] = []
        names: set[str] = set()
        for argument in arguments:
            wanted = [
                (task, entry, step.arguments[argument]) for task, rows in enumerate(matched) for entry, step in rows
            ]
            if not all(isinstance(value, str) for _, _, value in wanted):
                break
            cases = [case_of(v, known.values[t], known.reader, source, entry, t) for t, entry, v in wanted]
            found = template(cases)
            if found is None:
                break
            texts.append(f'"{argument}": {found.text}')
            names |= found.names
        else:
            row = f"[{{{', '.join(texts)}}} {known.reader.loop(source)}]"
            return Expression(texts=(row,) * len(stage.runs), names=frozenset(names))
    return None


def _rows_of(known: Known, source: Source, run: Sequence[Step], task: int) -> list[tuple[Entry, Step]]:
    """The entry that each call is about: the one whose text stands in its arguments, where all are in order."""
    entries = known.reader.entries(source, task)
    return list(zip(entries, run, strict=True)) if len(entries) == len(run) else []
