"""The pictures of a report, and the sections that they stand in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from opensage import measure as measuring
from opensage.report.sections import Section
from opensage.report.view import View
from opensage.work.curve import WINDOW


def plots_of(views: Sequence[View]) -> dict[str, bytes]:
    """PNG pictures by name, of what the runs have to show."""
    from opensage import plots
    from opensage.work import picture

    # Every plot is given every run, in the same order: a run keeps its colour where others have nothing to show.
    out: dict[str, bytes] = {}
    rows = {view.name: view.rows for view in views}
    for split in dict.fromkeys(row.split for found in rows.values() for row in found):
        out[f"solved-{_file_name(split)}"] = plots.solved(rows, split)
    places = {view.name: measuring.places(view.outcomes) for view in views}
    if any(len(found) > 1 for found in places.values()):
        out["places"] = plots.places(places)
    if any(outcome.learned for view in views for outcome in view.outcomes):
        out["growth"] = plots.growth({view.name: measuring.growth(view.outcomes) for view in views})
    if any(len(view.stream) > 1 for view in views):
        longest = max(len(view.stream) for view in views)
        streams = {view.name: view.stream for view in views}
        out["stream"] = picture.stream(streams, width=min(WINDOW, max(2, longest // 4)))
    return out | _curves(views)


def _curves(views: Sequence[View]) -> dict[str, bytes]:
    """Metrics by step, apart for each command: a step of imitation is not one of training."""
    from opensage import plots

    found = {}
    for command in dict.fromkeys(view.about.command for view in views):
        entries = {view.name: view.metrics if view.about.command == command else () for view in views}
        if plots.metric_names(entries):
            found[command] = entries
    apart = len(found) > 1
    return {f"curves-{_file_name(name)}" if apart else "curves": plots.curves(each) for name, each in found.items()}


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
    for name in (name for name in plots if name.startswith("curves")):
        command = name.removeprefix("curves").lstrip("-")
        out.append(Section(title=f"Metrics by step of {command}" if command else "Metrics by step", plot=name))
    return out


def _repeated(view: View) -> bool:
    return len({outcome.run for outcome in view.outcomes}) > 1
