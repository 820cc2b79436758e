"""The pictures of a report, and the sections that they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prowess.figures import measure as measuring
from prowess.figures.plots.metrics import FIRST
from prowess.report.sections import Section
from prowess.report.view import View
from prowess.run import StepMetrics


def plots_of(views: Sequence[View]) -> dict[str, bytes]:
    """PNG pictures by name, of what the runs have to show."""
    from prowess.commands.work import picture
    from prowess.figures import plots

    # Every plot is given every run, in the same order: a run keeps its colour where others have nothing to show.
    out: dict[str, bytes] = {}
    rows = {view.name: view.rows for view in views}
    for split in dict.fromkeys(row.split for found in rows.values() for row in found):
        out[f"solved-{_file_name(split)}"] = plots.solved(rows, split)
    places = {view.name: measuring.places(view.played) for view in views}
    if any(len(found) > 1 for found in places.values()):
        out["places"] = plots.places(places)
    if any(outcome.learned for view in views for outcome in view.played):
        out["growth"] = plots.growth({view.name: measuring.growth(view.played) for view in views})
    if any(len(view.stream) > 1 for view in views):
        out["stream"] = picture.stream({view.name: view.stream for view in views})
    return out | _curves(views)


def _curves(views: Sequence[View]) -> dict[str, bytes]:
    """Metrics by step: the dozen that matters most, and all others that change."""
    from prowess.figures import plots

    out = {}
    for ending, entries in _by_command(views).items():
        still = plots.constants(entries)
        names = [name for name in plots.metric_names(entries) if name not in still or name in FIRST]
        out[f"curves{ending}"] = plots.curves(entries, names[: plots.MOST] or plots.metric_names(entries))
        if more := [name for name in names[plots.MOST :] if name not in still]:
            out[f"more{ending}"] = plots.curves(entries, more)
    return out


def _by_command(views: Sequence[View]) -> dict[str, dict[str, Sequence[StepMetrics]]]:
    """What has curves, by the ending of its picture's name, apart for each command: a step of imitation is not one of
    training."""
    from prowess.figures import plots

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


def picture_sections(views: Sequence[View], plots: Mapping[str, bytes]) -> list[Section]:
    """A section for each picture, in the order of reading."""
    out = []
    for name in plots:
        if name.startswith("solved-"):
            out.append(
                Section(
                    title=f"Solved: {name.removeprefix('solved-')}",
                    text="Bars are means over runs; lines are 95% intervals over scenarios.",
                    plot=name,
                )
            )
    if "stream" in plots:
        text = "Moving means with the 95% interval of the mean: a fall from left to right is what the library saves."
        out.append(Section(title="What a task costs over the stream", text=text, plot="stream"))
    if "places" in plots:
        text = "Later tasks of a scenario may use the skills of earlier ones: a fall from left to right is work saved."
        out.append(Section(title="What the library saves", text=text, plot="places"))
    if "growth" in plots:
        text = "Faint lines are the repetitions of a run." if any(_repeated(view) for view in views) else ""
        out.append(Section(title="How the library grows", text=text, plot="growth"))
    for ending, entries in _by_command(views).items():
        of = f" of {ending[1:]}" if ending else ""
        text = "Pale: each step; strong: their running mean." if _smoothed(entries) else ""
        out.append(Section(title=f"Metrics by step{of}", text=text, plot=f"curves{ending}"))
        if f"more{ending}" in plots:
            out.append(Section(title=f"More metrics by step{of}", text=_still(entries), plot=f"more{ending}"))
    return out


def _smoothed(entries: Mapping[str, Sequence[StepMetrics]]) -> bool:
    from prowess.figures.plots.metrics import SMOOTH

    return any(len(each) >= SMOOTH for each in entries.values())


def _still(entries: Mapping[str, Sequence[StepMetrics]]) -> str:
    """Metrics that never changed, in a sentence."""
    from prowess.figures import plots

    found = [f"{name} {value:g}" for name, value in plots.constants(entries).items()]
    return f"The same at every step: {', '.join(found)}." if found else ""


def _repeated(view: View) -> bool:
    return len({outcome.run for outcome in view.outcomes}) > 1
