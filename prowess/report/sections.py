"""The sections of a report: results, how episodes ended, errors, recipes, and where it all comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from prowess.figures.measure import Outcome
from prowess.figures.plots.meanings import MEANINGS
from prowess.figures.plots.metrics import FIRST, known
from prowess.figures.tables import NONE, Cell, Grid, Row
from prowess.figures.tables.measures import comparison_grid, measures_grid
from prowess.policies import WITH_MODEL
from prowess.report.view import View
from prowess.run import Status
from prowess.text.plural import counted
from prowess.types import Stop

STOPS = {
    Stop.COMPLETED: "completed: the agent marked the task complete",
    Stop.NO_CODE: "no code: a reply held no python block",
    Stop.TURNS: "turns: the turn limit was reached",
    Stop.CONTEXT: "context: the conversation outgrew the model",
    Stop.TOKENS: "tokens: the episode had said as much as it may",
    Stop.REPEATS: "repeats: the same code saw the same, time and again",
    Stop.ERROR: "error: the world, the sandbox or the model's server broke",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading with what stands below it."""

    title: str
    text: str = ""
    grid: Grid | None = None
    plot: str = ""
    """Name of a plot, without its ending."""


def results(views: Sequence[View]) -> list[Section]:
    """The measures of one run, or of several side by side."""
    found = learnt([view for view in views if view.learns])
    played = [view for view in views if not view.learns]
    if not any(view.rows for view in played):
        return found or [Section(title="Results", text="No episode has been written yet.")]
    if len(views) == 1:
        return [Section(title="Results", grid=measures_grid(views[0].rows))]
    return [Section(title="Results", grid=comparison_grid({view.name: view.rows for view in played})), *found]


def learnt(views: Sequence[View]) -> list[Section]:
    """What courses of learning came to: their first steps beside their last ones."""
    names = [name for name in FIRST if any(_course(view, name) for view in views)]
    if not names:
        return [Section(title="What was learnt", text="No step is done yet.")] if views else []
    rows = [Row(head="steps done", cells=tuple(Cell(text=f"{view.steps}") for view in views))]
    rows += [Row(head=name, cells=tuple(_from_to(_course(view, name), name) for view in views)) for name in names]
    text = "Means of the first and of the last fifth of the steps. eval/: plays evaluate.split, at some of the steps."
    grid = Grid(columns=tuple(view.name for view in views), rows=tuple(rows))
    return [Section(title="What was learnt", text=text, grid=grid)]


def _course(view: View, name: str) -> list[float]:
    return [entry.values[name] for entry in view.metrics if known(entry, name)]


def _from_to(values: Sequence[float], name: str) -> Cell:
    """A figure at first and in the end.

    >>> _from_to([0.5, 0.7, 0.9], "play/tgc").text, _from_to([2.0], "reward/mean").text, _from_to([], "x").text
    ('50.0%\xa0→\xa090.0%', '2', '–')
    """
    if not values:
        return Cell(text=NONE)
    part = max(1, len(values) // 5)
    ends = [fmean(values[:part]), fmean(values[-part:])][: len(values)]
    share = name in MEANINGS and MEANINGS[name].unit == "share"
    return Cell(text="\u00a0→\u00a0".join(f"{100 * end:.1f}%" if share else f"{end:.3g}" for end in ends))


def ends(views: Sequence[View]) -> Section:
    """How many episodes of each run ended in which way."""
    counts = [Counter(outcome.stop for outcome in view.outcomes) for view in views]
    rows = [
        Row(head=text, cells=tuple(_count(count[stop], wrong=stop is Stop.ERROR) for count in counts))
        for stop, text in STOPS.items()
    ]
    denied = tuple(Cell(text=f"{sum(outcome.denied for outcome in view.outcomes)}") for view in views)
    rows.append(Row(head="operations the sandbox refused", cells=denied))
    breaks = tuple(_count(sum(outcome.breaks for outcome in view.outcomes), wrong=True) for view in views)
    rows.append(Row(head="calls the world broke on", cells=breaks))
    trained = [view.name for view in views if view.about.command == "train"]
    text = f"Of {', '.join(trained)}: of the training steps that were recorded (train.record_every)." if trained else ""
    grid = Grid(columns=tuple(view.name for view in views), rows=tuple(rows))
    return Section(title="How episodes ended", text=text, grid=grid)


def _count(n: int, *, wrong: bool) -> Cell:
    return Cell(text=f"{n}", tone="bad" if wrong and n else "")


def errors(views: Sequence[View]) -> list[Section]:
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
    they = "It is" if found.total() == 1 else "They are"
    text = f"{counted(found.total(), 'episode')} broke. {they} in no figure above.{more}"
    return [
        Section(title="Errors", text=text, grid=Grid(columns=("episodes", "first", "what happened"), rows=tuple(rows)))
    ]


def _first_line(text: str) -> str:
    line = next(iter(text.strip().splitlines()), "no message")
    return line if len(line) <= 160 else f"{line[:157]}..."


def recipes(views: Sequence[View]) -> list[Section]:
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


def _player(view: View) -> str:
    """Who played: a policy's name, and the model's where it is one of ours; or a checkpoint in the policy's place."""
    policy, model = (str(view.recipe.get(key, "")) for key in ("policy.name", "model.name"))
    if view.learns:
        start = str(view.recipe.get("train.start", "")) if view.about.command == "train" else ""
        return f"what learns: {model}" + (f", from {start}" if start else "")
    return f"{policy}, {model}" if policy in WITH_MODEL and model else view.weights or policy or NONE


def origins(views: Sequence[View]) -> Section:
    """What made the runs, and when."""
    facts = {
        "command": [view.about.command for view in views],
        "policy": [_player(view) for view in views],
        "status": [_status(view) for view in views],
        "begun": [view.about.created for view in views],
        "seed": [f"{view.about.seed}" for view in views],
        "first library": [view.about.library[:12] or NONE for view in views],
        "prowess": [view.about.prowess for view in views],
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
