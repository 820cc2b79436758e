"""A page to draw pictures of studies on, with matplotlib: its style, the colours of runs, their legend."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure


COLOURS = ("#0b6e99", "#e08e0b", "#3a8f5c", "#b5476d", "#7a5fb0", "#8a7a66", "#4aa3a2", "#c0562f")
"""One for each run: apart in hue and lightness, so that they differ without colour vision too."""


STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.titlecolor": "#2b3440",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8a94a0",
    "axes.labelcolor": "#46505c",
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#e4e8ec",
    "grid.linewidth": 0.8,
    "xtick.color": "#46505c",
    "ytick.color": "#46505c",
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "legend.frameon": False,
    "text.parse_math": False,  # names are others' text: a dollar sign is a dollar sign
}


@contextmanager
def figure(*, columns: int, height: float, lines: int = 1) -> Iterator[Figure]:
    """A figure of its own, outside matplotlib's global state, so that plots can be drawn anywhere."""
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        page = Figure(figsize=(10, height), layout="constrained")
        FigureCanvasAgg(page)
        page.subplots(lines, columns, squeeze=False)
        yield page


def png(page: Figure) -> bytes:
    out = io.BytesIO()
    page.savefig(out, format="png", dpi=150, facecolor="white", metadata={"Software": None})
    return out.getvalue()


def colours_of(runs: Iterable[str]) -> dict[str, str]:
    """A run's colour is by its place among all runs: it is the same in every plot, whoever else is in it."""
    return dict(zip(runs, cycle(COLOURS), strict=False))


def legend(page: Figure, runs: Mapping[str, object], colours: Mapping[str, str]) -> None:
    """Who is in the plot, unless there is only one run at all."""
    if len(colours) < 2:
        return
    from matplotlib.lines import Line2D

    marks = [Line2D([], [], color=colours[run], linewidth=6) for run in runs]
    page.legend(marks, [*runs], loc="outside lower center", ncols=min(4, len(runs)))
