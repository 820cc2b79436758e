"""Report: one or several runs side by side, as Markdown, one self-contained HTML page, and plots.

    opensage report runs/expert-evaluate
    opensage report runs/baseline runs/sage --out runs/compared

Everything shown was written by models, worlds or other people: it is escaped on its way out, and the page may load
nothing from anywhere.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from opensage import measure as measuring
from opensage.disk import storing, write_whole
from opensage.errors import RecipeError
from opensage.measure import Measures, Outcome
from opensage.run import About, Entry, Run, Status, flat
from opensage.tables import (
    LINES,
    NONE,
    Cell,
    Grid,
    Row,
    comparison_grid,
    estimate_cell,
    markdown,
    measures_grid,
    measures_markdown,
    measures_table,
    plain,
    quoted,
)
from opensage.types import Json, Stop
from opensage.work.curve import WINDOW, Point, points_of

__all__ = ["Report", "build", "measures_markdown", "measures_table", "write_report"]

CARDS = ("tgc", "sgc", "steps", "tokens", "use", "library")
"""Measures shown large at the top of a single run's page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the report needs of a run."""

    name: str
    about: About
    recipe: Mapping[str, Json]
    outcomes: tuple[Outcome, ...]
    rows: tuple[Measures, ...]
    metrics: tuple[Entry, ...]
    stream: tuple[Point, ...] = ()
    """Of a run of `opensage work`: what each task cost, in their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading with what stands below it."""

    title: str
    text: str = ""
    grid: Grid | None = None
    plot: str = ""
    """Name of a plot, without its ending."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report, ready to be written."""

    markdown: str
    html: str
    plots: Mapping[str, bytes]
    """PNG pictures by name."""


def write_report(folders: Sequence[Path | str], out: Path | str) -> tuple[Path, ...]:
    """Write the report of some runs into a folder, and say which files were written."""
    if not folders:
        raise RecipeError("a report needs at least one run", hint="opensage report RUN [RUN ...]")
    report, out = build(folders), Path(out)
    files: dict[Path, bytes] = {
        out / "report.md": report.markdown.encode(errors="replace"),
        out / "report.html": report.html.encode(errors="replace"),
    }
    files |= {out / "plots" / f"{name}.png": picture for name, picture in report.plots.items()}
    with storing(out):
        (out / "plots").mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            write_whole(path, content)
    return tuple(files)


def build(folders: Sequence[Path | str]) -> Report:
    """The report of some runs."""
    views = [_view(Run.open(folder), name) for folder, name in zip(folders, _names(folders), strict=True)]
    plots = _plots(views)
    sections = [
        *_results(views),
        *_pictures(views, plots),
        _ends(views),
        *_errors(views),
        *_recipes(views),
        _origins(views),
    ]
    return Report(markdown=_markdown(views, sections), html=_html(views, sections, plots), plots=plots)


def _view(run: Run, name: str) -> View:
    outcomes = measuring.outcomes(run.episodes())
    return View(
        name=name,
        about=run.about,
        recipe=flat(run.recipe),
        outcomes=outcomes,
        rows=measuring.measure(outcomes),
        metrics=run.metrics(),
        stream=points_of(run) if run.about.command == "work" else (),
    )


def _names(folders: Sequence[Path | str]) -> list[str]:
    """A short name for each run: its folder's, with as much of the path before it as tells them apart."""
    paths = [Path(folder).resolve().parts for folder in folders]
    for length in range(1, max(map(len, paths), default=1) + 1):
        names = ["/".join(parts[-length:]) for parts in paths]
        if len(set(names)) == len(names):
            return names
    return [f"{parts[-1]} ({number})" for number, parts in enumerate(paths, start=1)]


# --- sections -------------------------------------------------------------------------------------------------------


def _results(views: Sequence[View]) -> list[Section]:
    if not any(view.rows for view in views):
        return [Section(title="Results", text="No episode has been written yet.")]
    if len(views) == 1:
        return [Section(title="Results", grid=measures_grid(views[0].rows))]
    return [Section(title="Results", grid=comparison_grid({view.name: view.rows for view in views}))]


def _pictures(views: Sequence[View], plots: Mapping[str, bytes]) -> list[Section]:
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
    if "curves" in plots:
        out.append(Section(title="Metrics by step", plot="curves"))
    return out


def _repeated(view: View) -> bool:
    return len({outcome.run for outcome in view.outcomes}) > 1


STOPS = {
    Stop.COMPLETED: "completed: the agent marked the task complete",
    Stop.NO_CODE: "no code: a reply held no python block",
    Stop.TURNS: "turns: the turn limit was reached",
    Stop.CONTEXT: "context: the conversation outgrew the model",
    Stop.REPEATS: "repeats: the same code saw the same, time and again",
    Stop.ERROR: "error: the world, the sandbox or the model's server broke",
}


def _ends(views: Sequence[View]) -> Section:
    counts = [Counter(outcome.stop for outcome in view.outcomes) for view in views]
    rows = [
        Row(head=text, cells=tuple(_count(count[stop], wrong=stop is Stop.ERROR) for count in counts))
        for stop, text in STOPS.items()
    ]
    denied = tuple(Cell(text=f"{sum(outcome.denied for outcome in view.outcomes)}") for view in views)
    rows.append(Row(head="operations the sandbox refused", cells=denied))
    return Section(title="How episodes ended", grid=Grid(columns=tuple(view.name for view in views), rows=tuple(rows)))


def _count(n: int, *, wrong: bool) -> Cell:
    return Cell(text=f"{n}", tone="bad" if wrong and n else "")


def _errors(views: Sequence[View]) -> list[Section]:
    """Which errors there were, the frequent ones first; nothing when there were none."""
    found: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], Outcome] = {}
    for view in views:
        for outcome in view.outcomes:
            if outcome.broken:
                key = (view.name, _first_line(outcome.error))
                found[key] += 1
                example.setdefault(key, outcome)
    if not found:
        return []
    rows = []
    for key, n in found.most_common(20):
        first = example[key]
        cells = [
            Cell(text=f"{n}", tone="bad"),
            Cell(text=f"{first.task}, run {first.run}", tone="code"),
            Cell(text=key[1], tone="code"),
        ]
        rows.append(Row(head=key[0], cells=tuple(cells)))
    more = f" The {len(found) - 20} rarest are left out here." if len(found) > 20 else ""
    text = f"{found.total()} episodes broke. They are in no figure above.{more}"
    return [
        Section(title="Errors", text=text, grid=Grid(columns=("episodes", "first", "what happened"), rows=tuple(rows)))
    ]


def _first_line(text: str) -> str:
    line = next(iter(text.strip().splitlines()), "no message")
    return line if len(line) <= 160 else f"{line[:157]}..."


def _recipes(views: Sequence[View]) -> list[Section]:
    """What the recipes of several runs differ in."""
    keys = sorted({key for view in views for key in view.recipe})
    differing = [key for key in keys if len({repr(view.recipe.get(key)) for view in views}) > 1]
    if not differing:
        return []
    rows = [Row(head=key, cells=tuple(_setting(view, key) for view in views)) for key in differing]
    grid = Grid(columns=tuple(view.name for view in views), rows=tuple(rows))
    return [Section(title="What the recipes differ in", grid=grid)]


def _setting(view: View, key: str) -> Cell:
    return Cell(text=str(view.recipe[key]), tone="code") if key in view.recipe else Cell(text=NONE)


def _origins(views: Sequence[View]) -> Section:
    facts = {
        "command": [view.about.command for view in views],
        "status": [_status(view) for view in views],
        "begun": [view.about.created for view in views],
        "seed": [f"{view.about.seed}" for view in views],
        "first library": [view.about.library[:12] or NONE for view in views],
        "opensage": [view.about.opensage for view in views],
        "python": [view.about.python for view in views],
        "platform": [view.about.platform for view in views],
        "packages": [", ".join(f"{name} {version}" for name, version in view.about.packages.items()) for view in views],
    }
    rows = [
        Row(head=head, cells=tuple(Cell(text=text, tone="bad" if text.startswith("not") else "") for text in texts))
        for head, texts in facts.items()
    ]
    return Section(title="Where it comes from", grid=Grid(columns=tuple(view.name for view in views), rows=tuple(rows)))


def _status(view: View) -> str:
    return "finished" if view.about.status is Status.FINISHED else f"not finished ({view.about.status})"


# --- pictures and pages ---------------------------------------------------------------------------------------------


def _plots(views: Sequence[View]) -> dict[str, bytes]:
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
    entries = {view.name: view.metrics for view in views}
    if plots.metric_names(entries):
        out["curves"] = plots.curves(entries)
    return out


def _file_name(text: str) -> str:
    return "".join(char if char.isascii() and (char.isalnum() or char in "-_") else "-" for char in text)[:60]


def _title(views: Sequence[View]) -> str:
    return views[0].name if len(views) == 1 else f"{len(views)} runs side by side"


NOTES = (
    "With several repetitions a figure is their mean, ± their standard deviation. The range after it is the 95% "
    "interval: Wilson's for shares, a bootstrap for means, both over scenarios, because the tasks of a scenario and "
    "the repetitions of a task are not independent. Episodes that ended in an error are counted, and in no figure."
)


def _markdown(views: Sequence[View], sections: Sequence[Section]) -> str:
    parts = [f"# {plain(_title(views))}"]
    for section in sections:
        parts.append(f"## {plain(section.title)}")
        parts += [plain(section.text)] if section.text else []
        parts += [f"![{plain(section.title)}](plots/{section.plot}.png)"] if section.plot else []
        parts += [markdown(section.grid).rstrip()] if section.grid else []
    parts.append("## How to read this")
    parts.append("\n".join(f"- **{line.label}**: {line.meaning}" for line in LINES))
    parts.append(NOTES)
    if len(views) == 1:
        parts.append(f"Read one episode with {quoted(f'opensage show {views[0].name} TASK')}.")
    return "\n\n".join(parts) + "\n"


def _html(views: Sequence[View], sections: Sequence[Section], plots: Mapping[str, bytes]) -> str:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from opensage.terminal import safe

    environment = Environment(
        loader=PackageLoader("opensage"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: safe(value) if type(value) is str else value,
    )
    return environment.get_template("report.html").render(
        title=_title(views),
        subtitle=_subtitle(views),
        unfinished=[view.name for view in views if view.about.status is not Status.FINISHED],
        cards=_cards(views),
        sections=sections,
        pictures={name: base64.b64encode(picture).decode() for name, picture in plots.items()},
        lines=LINES,
        notes=NOTES,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One measure, large."""

    label: str
    cell: Cell


def _cards(views: Sequence[View]) -> list[Card]:
    if len(views) != 1 or not views[0].rows:
        return []
    row = views[0].rows[0]
    return [
        Card(label=line.label, cell=estimate_cell(getattr(row, line.name), line.unit))
        for line in LINES
        if line.name in CARDS
    ]


def _subtitle(views: Sequence[View]) -> str:
    if len(views) > 1:
        return ", ".join(view.name for view in views)
    view = views[0]
    splits = ", ".join(dict.fromkeys(row.split for row in view.rows)) or "nothing played yet"
    return f"{view.about.command} · {splits} · {len(view.outcomes)} episodes · begun {view.about.created}"
