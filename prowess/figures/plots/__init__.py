"""Plots of runs as PNG pictures. matplotlib is imported when the first one is drawn."""

from __future__ import annotations

from prowess.figures.plots.metrics import MOST, bands, constants, curves, metric_names
from prowess.figures.plots.page import COLOURS, colours_of, figure, legend, png
from prowess.figures.plots.played import growth, places, seeds, solved

__all__ = [
    "COLOURS",
    "MOST",
    "bands",
    "colours_of",
    "constants",
    "curves",
    "figure",
    "growth",
    "legend",
    "metric_names",
    "places",
    "png",
    "seeds",
    "solved",
]
