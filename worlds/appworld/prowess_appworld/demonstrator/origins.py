"""Where each argument of a stage comes from, as Python that a program can hold.

In this order: the same value always; a value of the instruction or of the date; the fields of what was read before, all
of them or those that a condition picks; and where none of that explains it in all tasks, the values themselves, which a
model would take from what was printed.
"""

from __future__ import annotations

from collections.abc import Sequence

from prowess.types import Json
from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.known import Known
from prowess_appworld.demonstrator.lists import everything, filtered, filtered_apart, more, union
from prowess_appworld.demonstrator.picks import picked
from prowess_appworld.demonstrator.rows import rows_composed, rows_read
from prowess_appworld.demonstrator.stages import Stage
from prowess_appworld.demonstrator.told import composed, implied, listed_names, named, own, spelled_out


def scalar(known: Known, wanted: Sequence[Json], argument: str, before: int, present: Sequence[bool]) -> Expression:
    """One value a task."""
    return (
        named(known, wanted, present)
        or own(known, wanted, present)
        or picked(known, wanted, argument, before, present)
        or composed(known, wanted, present)
        or implied(known, wanted, present)
        or spelled_out(known, wanted)
    )


def several(
    known: Known, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool], *, reads: bool
) -> Expression:
    """A list of values a task; of what is only read there may be more."""
    return (
        listed_names(known, wanted, present)
        or everything(known, wanted, argument, before, present)
        or union(known, wanted, argument, before, present)
        or filtered(known, wanted, argument, before, present)
        or filtered_apart(known, wanted, argument, before, present)
        or (more(known, wanted, argument, before, present) if reads else None)
        or spelled_out(known, [list(values) for values in wanted])
    )


def rows(known: Known, stage: Stage, arguments: Sequence[str], before: int) -> Expression:
    """Several arguments that differ from call to call."""
    found = rows_read(known, stage, arguments, before) or rows_composed(known, stage, arguments, before)
    return found or spelled_out(
        known, [[{name: step.arguments[name] for name in arguments} for step in run] for run in stage.runs]
    )
