"""Plots of runs: values made of small panels, shown as SVG."""

from __future__ import annotations

from prowess.figures.plots.drawing import Plot, sheet
from prowess.figures.plots.metrics import MOST, bands, constants, curves, metric_names, moving
from prowess.figures.plots.played import gaps, growth, places, seeds, solved

__all__ = [
    "MOST",
    "Plot",
    "bands",
    "constants",
    "curves",
    "gaps",
    "growth",
    "metric_names",
    "moving",
    "places",
    "seeds",
    "sheet",
    "solved",
]
