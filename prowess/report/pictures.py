"""The pictures of a report, and the sections that they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from prowess.commands.work import picture
from prowess.figures import measure as measuring
from prowess.figures import plots
from prowess.figures.plots import Plot
from prowess.figures.plots.meanings import label_of
from prowess.figures.plots.metrics import SMOOTH
from prowess.report.sections import Section
from prowess.report.view import View
from prowess.run import StepMetrics

AREAS = {
    "reward": "Reward",
    "play": "Play in training",
    "eval": "Play of the evaluated split",
    "learn": "Learning",
    "time": "Time",
    "collect": "Collecting",
    "work": "Work",
}
"""How metrics are grouped beyond the first dozen."""


def plots_of(views: Sequence[View]) -> dict[str, Plot]:
    """Pictures by name, of what the runs have to show."""
    # Every plot is given every run, in the same order: a run keeps its colour where others have nothing to show.
    out: dict[str, Plot] = {}
    rows = {view.name: view.rows for view in views}
    for split in dict.fromkeys(row.split for found in rows.values() for row in found):
        out[f"solved-{_file_name(split)}"] = plots.solved(rows, split)
    places = {view.name: measuring.places(view.played) for view in views}
    if any(len(found) > 1 for found in places.values()):
        out["places"] = plots.places(places)
    if any(outcome.learned for view in views for outcome in view.played):
        out["growth"] = plots.growth({view.name: measuring.growth(view.played) for view in views})
    if any(len(view.stream) > 1 for view in views):
        out["stream"] = picture.stream(
            {view.name: view.stream for view in views}, {view.name: view.prices for view in views}
        )
    return out | _curves(views)


def _curves(views: Sequence[View]) -> dict[str, Plot]:
    """Metrics by step: the dozen that matters most, and by area all others that move."""
    out = {}
    for ending, entries in _by_command(views).items():
        names = plots.moving(entries)
        if names[: plots.MOST]:
            out[f"curves{ending}"] = plots.curves(entries, names[: plots.MOST])
        rest = sorted(names[plots.MOST :], key=_area)
        for area, some in groupby(rest, key=_area):
            out[f"more{ending}-{_file_name(area)}"] = plots.curves(entries, list(some))
    return out


def _area(name: str) -> str:
    return name.partition("/")[0]


def _by_command(views: Sequence[View]) -> dict[str, dict[str, Sequence[StepMetrics]]]:
    """What has curves, by the ending of its picture's name, apart for each command: a step of imitation is not one of
    training."""
    found: dict[str, dict[str, Sequence[StepMetrics]]] = {}
    for command in dict.fromkeys(view.about.command for view in views):
        entries: dict[str, Sequence[StepMetrics]] = {
            view.name: view.metrics if view.about.command == command else () for view in views
        }
        if plots.metric_names(entries):
            found[f"-{_file_name(command)}"] = entries
    return found if len(found) != 1 else {"": found.popitem()[1]}


def _file_name(text: str) -> str:
    return "".join(char if char.isascii() and (char.isalnum() or char in "-_") else "-" for char in text)[:60]


def stream_section(drawn: Mapping[str, Plot]) -> list[Section]:
    """What tasks cost one after the other, where some run was a stream of them."""
    if "stream" not in drawn:
        return []
    text = (
        "Each task: a full dot used a skill, a ring used none, a cross failed. Curves are moving means with their "
        "95% interval: a fall from left to right is what the library saves."
    )
    return [Section(title="What a task costs over the stream", text=text, plots=("stream",))]


def picture_sections(views: Sequence[View], drawn: Mapping[str, Plot]) -> list[Section]:
    """A section for each other picture, in the order of reading."""
    out = []
    for name in drawn:
        if name.startswith("solved-"):
            text = "Bars are means over runs; lines are 95% intervals over scenarios."
            out.append(Section(title=f"Solved: {name.removeprefix('solved-')}", text=text, plots=(name,)))
    if "places" in drawn:
        text = "Later tasks of a scenario may use the skills of earlier ones: a fall from left to right is work saved."
        out.append(Section(title="What the library saves", text=text, plots=("places",)))
    if "growth" in drawn:
        text = "Faint lines are the repetitions of a run." if any(_repeated(view) for view in views) else ""
        out.append(Section(title="How the library grows", text=text, plots=("growth",)))
    for ending, entries in _by_command(views).items():
        of = f" of {ending[1:]}" if ending else ""
        first = tuple(name for name in (f"curves{ending}",) if name in drawn)
        still = tuple((f"{label_of(name)} ({name})", f"{value:g}") for name, value in plots.constants(entries).items())
        out.append(Section(title=f"Metrics by step{of}", text=_smoothed(entries), plots=first, still=still))
        if more := tuple(name for name in drawn if name.startswith(f"more{ending}-")):
            out.append(Section(title=f"More metrics by step{of}", plots=more, folded=True))
    return [section for section in out if section.plots or section.still]


def title_of(plot: str) -> str:
    """What a folded plot is called.

    >>> title_of("more-train-learn"), title_of("more-own")
    ('Learning', 'own')
    """
    area = plot.rpartition("-")[2]
    return AREAS.get(area, area)


def _smoothed(entries: Mapping[str, Sequence[StepMetrics]]) -> str:
    many = any(len(each) >= SMOOTH for each in entries.values())
    return "Pale: each step; strong: their running mean." if many else ""


def _repeated(view: View) -> bool:
    return len({outcome.run for outcome in view.outcomes}) > 1
