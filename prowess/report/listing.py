"""A list of runs as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from prowess.figures.plots.meanings import MEANINGS
from prowess.report.records import RunLine
from prowess.text.plural import counted
from prowess.text.terminal import safe

if TYPE_CHECKING:
    from rich.table import Table


def runs_table(lines: Sequence[RunLine]) -> Table:
    """Runs for a terminal, a line each."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in ("run", "command", "state", "begun", "what came of it"):
        table.add_column(head, overflow="fold")
    for line in lines:
        begun = line.created[:16].replace("T", " ")
        cells = (str(line.folder), line.command, line.state, begun, _told(line))
        table.add_row(*(Text(safe(cell)) for cell in cells))
    return table


def _told(line: RunLine) -> str:
    """What came of a run, in a few words."""
    done = counted(line.steps, "step") if line.steps else counted(line.files, "file of episodes", "files of episodes")
    return ", ".join([done, *figures_told(line.figures)])


def figures_told(figures: Mapping[str, float]) -> list[str]:
    """Figures with their names, shares as percentages.

    >>> figures_told({"play/tgc": 0.93, "play/tokens": 412.4})
    ['tgc 93.0%', 'tokens 412.4']
    >>> figures_told({"reward/mean": 1.5})
    ['reward 1.5']
    """
    out = []
    for name, value in figures.items():
        share = name in MEANINGS and MEANINGS[name].unit == "share"
        area, _, figure = name.rpartition("/")
        called = area if figure == "mean" else figure
        out.append(f"{called} {f'{value:.1%}' if share else f'{value:.4g}'}")
    return out
