"""The sections of a report: results, how episodes ended, errors, recipes, and where it all comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prowess.figures.plots.meanings import MEANINGS, label_of
from prowess.figures.plots.metrics import FIRST, LOSS, constants, in_order
from prowess.figures.seeds import SeedComparison
from prowess.figures.tables import NONE, Cell, Grid, Row
from prowess.figures.tables.measures import comparison_grid, difference_grid, measures_grid, pairs_grid
from prowess.policies import WITH_MODEL
from prowess.report.headline import Versus, course
from prowess.report.headline import ends as first_and_last
from prowess.report.reading import Contrast, Reading
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
    plots: tuple[str, ...] = ()
    """Names of plots, without their endings."""
    folded: bool = False
    """Whether its plots stay folded until somebody opens them."""
    still: tuple[tuple[str, str], ...] = ()
    """Figures that never moved and are not drawn: folded, too."""


def differences(pairs: Sequence[Versus]) -> list[Section]:
    """What each run has more or less than the first, on the tasks that both played."""
    found = {pair.other.name: pair.splits for pair in pairs if pair.splits}
    if not found:
        return []
    first = pairs[0].first.name
    text = (
        f"Each run less {first}, task by task where both played it. Below each figure stands its 95% interval over "
        "scenarios. Bold is beyond chance."
    )
    return [Section(title=f"Differences from {first}", text=text, grid=difference_grid(first, found))]


SMALLEST = 1e-6
"""What is smaller is noise, such as the loss of reinforcement."""
SHOWN = 16
"""Tasks in the table of those that went differently."""


def differing(views: Sequence[View], found: Sequence[Contrast], reading: Reading) -> list[Section]:
    """Tasks that runs did not solve alike, with links to the episodes."""
    if not found:
        return []
    rows = [
        Row(head=one.task, cells=tuple(_side(views, one, number, reading) for number in range(len(views))))
        for one in found[:SHOWN]
    ]
    more = f" The {SHOWN} clearest are here." if len(found) > SHOWN else ""
    text = f"{counted(len(found), 'task')} that not all runs solved alike.{more}"
    kept = [number for number, view in enumerate(views) if not view.learns]
    rows = [Row(head=row.head, cells=tuple(row.cells[number] for number in kept)) for row in rows]
    grid = Grid(columns=tuple(views[number].name for number in kept), rows=tuple(rows))
    return [Section(title="Tasks that went differently", text=text, grid=grid)]


def _side(views: Sequence[View], one: Contrast, number: int, reading: Reading) -> Cell:
    share, index = one.solved[number], one.shown[number]
    if share is None or index is None:
        return Cell(text=NONE)
    outcome = views[number].outcomes[index]
    solved = {0.0: "✘ not solved", 1.0: "✔ solved"}.get(share, f"{100 * share:.0f}% solved")
    return Cell(text=solved, detail=counted(outcome.turns, "step"), link=reading.at.get((number, index), ""))


def skills(reading: Reading) -> list[Section]:
    """The skills that the page holds, the most used first."""
    if not reading.skills:
        return []
    found = sorted(reading.skills, key=lambda one: -one.uses)
    rows = [
        Row(
            head=one.skill.name,
            cells=(
                Cell(text=f"{one.uses}", link=one.anchor),
                Cell(text=", ".join(one.skill.apis) or NONE, tone="code"),
                Cell(text=one.skill.origin.task or NONE, link=one.written),
                Cell(text=one.run),
            ),
        )
        for one in found
    ]
    grid = Grid(columns=("episodes that called it", "APIs", "written in", "run"), rows=tuple(rows))
    return [Section(title="Skills", text="The sources are at the end of the page.", grid=grid)]


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
    names = in_order(name for name in FIRST if any(course(view, name) for view in views))
    if constants({view.name: view.metrics for view in views}).get(LOSS) == 0:
        names.remove(LOSS)
    if not names:
        return [Section(title="What was learnt", text="No step is done yet.")] if views else []
    rows = [Row(head="steps done", cells=tuple(Cell(text=f"{view.steps}") for view in views))]
    rows += [
        Row(head=f"{label_of(name)} ({name})", cells=tuple(_from_to(course(view, name), name) for view in views))
        for name in names
    ]
    text = "Means of the first and of the last fifth of the steps. eval/: plays evaluate.split, at some of the steps."
    grid = Grid(columns=tuple(view.name for view in views), rows=tuple(rows))
    return [Section(title="What was learnt", text=text, grid=grid)]


def _from_to(values: Sequence[float], name: str) -> Cell:
    """A figure at first and in the end.

    >>> _from_to([0.5, 0.7, 0.9], "play/tgc").text, _from_to([2.0], "reward/mean").text, _from_to([], "x").text
    ('50.0%\xa0→\xa090.0%', '2', '–')
    """
    if not values:
        return Cell(text=NONE)
    share = name in MEANINGS and MEANINGS[name].unit == "share"
    shown = (_shown(end, share=share) for end in first_and_last(values))
    return Cell(text="\u00a0→\u00a0".join(shown))


def _shown(value: float, *, share: bool) -> str:
    """A figure as short as it can be; what is next to nothing is nothing."""
    if share:
        return f"{100 * value:.1f}%"
    return f"{value:.3g}" if abs(value) >= SMALLEST else "0"


def ends(views: Sequence[View], reading: Reading) -> Section:
    """How many episodes of each run ended in which way, each with a link to one that did."""
    counts = [Counter(outcome.stop for outcome in view.outcomes) for view in views]
    links = {(n, views[n].outcomes[i].stop): anchor for (n, i), anchor in reversed([*reading.at.items()])}
    rows = [
        Row(
            head=text,
            cells=tuple(
                _count(count[stop], wrong=stop is Stop.ERROR, link=links.get((number, stop), ""))
                for number, count in enumerate(counts)
            ),
        )
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


def _count(n: int, *, wrong: bool, link: str = "") -> Cell:
    return Cell(text=f"{n}", tone="bad" if wrong and n else "", link=link)


def errors(views: Sequence[View], reading: Reading) -> list[Section]:
    """Which errors there were, the frequent ones first; nothing when there were none."""
    found: Counter[tuple[str, str]] = Counter()
    example: dict[tuple[str, str], tuple[int, int]] = {}
    for number, view in enumerate(views):
        for index, outcome in enumerate(view.outcomes):
            if outcome.broken:
                key = (view.name, _first_line(outcome.error))
                found[key] += 1
                example.setdefault(key, (number, index))
    if not found:
        return []
    rows = []
    for key, n in found.most_common(20):
        place = example[key]
        first = views[place[0]].outcomes[place[1]]
        cells = [
            Cell(text=f"{n}", tone="bad"),
            Cell(text=f"{first.task}, run {first.run}", tone="code", link=reading.at.get(place, "")),
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


def paired_by_seed(pairs: Mapping[str, SeedComparison], seeds: int) -> list[Section]:
    """What recipes have more or less than one another: over the seeds, and over other tasks."""
    if not pairs:
        return []
    over = (
        f"Task by task within each of {counted(seeds, 'seed')}. Below each figure stands its 95% interval: where the "
        "difference lies with other seeds, on these tasks. Bold is beyond chance. In the picture a stroke is the mean, "
        "a ring is one seed."
    )
    scenarios = max(found.overall.scenarios for found in pairs.values())
    wider = (
        f"The same differences with the 95% interval over {counted(scenarios, 'scenario')}: where they lie on other "
        "tasks of this kind. Where seeds differ as a whole, it is wider for that."
    )
    return [
        Section(
            title="Differences over seeds",
            text=over,
            plots=("gaps",),
            grid=pairs_grid({name: found.differences for name, found in pairs.items()}),
        ),
        Section(
            title="Would they hold on other tasks?",
            text=wider,
            grid=pairs_grid({name: found.overall.differences for name, found in pairs.items()}),
        ),
    ]


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
