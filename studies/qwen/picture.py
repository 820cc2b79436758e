"""The rows of a split as pictures: scenarios solved, steps and tokens, a dot for each seed, a mark for the mean."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

sys.path.append(str(Path(__file__).parent.parent))
from pages import COLOURS, colours_of, figure, legend, png

PANELS = (("sgc", "SGC, %", 100), ("steps", "steps per task", 1), ("tokens", "tokens per task", 1))


def picture(plays: Mapping[str, Mapping[str, Sequence[Mapping[str, Any]]]], split: str) -> bytes:
    """For each model a line of panels; SAGE stands out. More scenarios are better, fewer steps and tokens, too."""
    tall = sum(max(1, len(each)) for each in plays.values())
    with figure(columns=len(PANELS), lines=len(plays), height=1.2 * len(plays) + 0.26 * tall) as page:
        axes = iter(page.axes)
        for model, each in plays.items():
            for place, (name, title, times) in enumerate(PANELS):
                ax = next(axes)
                ax.set_title(f"{model}: {title}" if not place else title)
                ax.grid(axis="y", visible=False)
                ax.grid(axis="x", visible=True)
                ax.set_yticks(range(len(each)), list(each) if not place else [""] * len(each))
                ax.set_ylim(len(each) - 0.4, -0.6)
                for height, (label, rows) in enumerate(each.items()):
                    values = [row[name]["value"] * times for row in rows if not math.isnan(row[name]["value"])]
                    if values:
                        colour = COLOURS[1] if label == "SAGE" else COLOURS[0]
                        ax.barh(height, fmean(values), height=0.62, color=colour, alpha=0.55)
                        ax.plot(values, [height] * len(values), "o", color=colour, markersize=4)
                ax.set_xlim(left=0)
        page.suptitle(split, x=0.01, ha="left", fontweight="bold")
        return png(page)


def in_waves(plays: Mapping[str, Sequence[Sequence[Mapping[str, float]]]], title: str) -> bytes:
    """What a library is worth as it grows: for each way to play, wave by wave, the means of every seed."""
    colours = colours_of(plays)
    with figure(columns=len(PANELS), height=3.6) as page:
        for ax, (name, head, times) in zip(page.axes, PANELS, strict=True):
            ax.set_title(head)
            for label, waves in plays.items():
                places = range(1, len(waves) + 1)
                for place, seeds in zip(places, waves, strict=True):
                    ax.plot(
                        [place] * len(seeds), [one[name] * times for one in seeds], "o", color=colours[label], alpha=0.5
                    )
                means = [fmean(one[name] for one in seeds) * times for seeds in waves]
                ax.plot(places, means, color=colours[label], linewidth=2)
                ax.set_xticks(places, [f"wave {place}" for place in places])
            ax.margins(x=0.12)
            ax.set_ylim(bottom=0)
        legend(page, plays, colours)
        page.suptitle(title, x=0.01, ha="left", fontweight="bold")
        return png(page)
