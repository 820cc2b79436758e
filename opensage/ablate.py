"""Ablate: several recipes with several seeds, each from its start to its evaluation, and one table of them all.

    opensage ablate sage outcome chain --seeds 0,1,2

    OUT/start-DIGEST-seed0/{collect,sft,evaluate}   what recipes that begin alike share
    OUT/NAME-seed0/{train,evaluate}
    OUT/table.md

The start is made here, with the same seed, unless `train.start` is `base`, a checkpoint, or a run that is there and
not the imitation of one of these recipes. The best checkpoint is
chosen on the split of [evaluate], and the table is of another. Finished runs are not done again, unfinished ones go on
where they stopped, and a folder whose recipe is not the one given is refused.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from pathlib import Path

from opensage.advantage import AdvantageSettings
from opensage.collect import collect
from opensage.errors import RecipeError
from opensage.evaluate import evaluate
from opensage.learners.settings import LearnerSettings
from opensage.losses import LossSettings
from opensage.measure import Measures, Outcome, measure, metrics_of, outcome_of
from opensage.models.adapter import is_adapter
from opensage.recipe import to_toml
from opensage.reward import RewardSettings
from opensage.run import Run, Status, write_whole
from opensage.school import Watch, best_of, imitate, player, reinforce
from opensage.sinks import SinkSettings, check_sinks
from opensage.tables import LINES, Grid, Row, estimate_cell, markdown
from opensage.train import TrainSettings
from opensage.wiring import FREE, Recipe, parts_of

COLUMNS = {"tgc": "TGC", "sgc": "SGC", "steps": "steps", "tokens": "tokens", "use": "skill use"}
"""The measures of the table, and what they are called there."""

Follow = Callable[[str], AbstractContextManager[Watch]]
"""Shows a course of learning by its title."""


def ablate(
    recipes: Sequence[Recipe], seeds: Sequence[int], folder: Path, *, split: str, follow: Follow
) -> dict[str, Measures]:
    """Do what is not done yet; the measures of every recipe and of what it started from, over all seeds."""
    names = [recipe.name for recipe in recipes]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise RecipeError(f"several recipes are named '{twice[0]}'", hint="give each a `name` of its own")
    for recipe in recipes:
        check_sinks(recipe.sinks)
    starts: dict[str, str] = {}
    found: dict[str, dict[Path, None]] = {}
    for seed in seeds:
        for given in recipes:
            recipe = replace(given, seed=seed)
            begun = _beginning(recipe)
            home = folder / f"{begun.name}-seed{seed}"
            if _own_start(recipe, recipes):
                begun = _schooled(begun, home, follow)
                label = starts.setdefault(begun.name, f"{recipe.name}'s SFT")
                found.setdefault(label, {})[_evaluated(begun, None, home / "evaluate", split)] = None
                recipe = replace(recipe, train=replace(recipe.train, start=begun.train.start))
            elif recipe.train.start == "base" and recipe.model.name == "tiny":  # its tokenizer is made of the data
                recipe = replace(recipe, sft=_collected(begun, home).sft)
            home = folder / f"{recipe.name}-seed{seed}"
            _learn(recipe, "train", home / "train", reinforce, follow)
            best = best_of(home / "train")
            found.setdefault(recipe.name, {})[_evaluated(recipe, best, home / "evaluate", split)] = None
    rows = {label: measure(_outcomes(places))[0] for label, places in found.items()}
    write_whole(folder / "table.md", markdown(table(rows)))
    return rows


def table(rows: Mapping[str, Measures]) -> Grid:
    """A line for each recipe, as in the paper: mean and spread over the seeds, and below it the interval."""
    units = {line.name: line.unit for line in LINES}
    return Grid(
        columns=tuple(COLUMNS.values()),
        rows=tuple(
            Row(head=label, cells=tuple(estimate_cell(getattr(row, name), units[name]) for name in COLUMNS))
            for label, row in rows.items()
        ),
    )


def seeds_in(text: str) -> tuple[int, ...]:
    """The seeds in a list such as `0,1,2`.

    >>> seeds_in("0,1, 5")
    (0, 1, 5)
    """
    try:
        seeds = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise RecipeError(f"seeds is '{text}'", hint="whole numbers with commas between them: 0,1,2") from None
    if len(set(seeds)) < len(seeds):
        raise RecipeError(f"seeds is '{text}': one of them is there twice", hint="each seed once")
    return seeds


def _own_start(recipe: Recipe, recipes: Sequence[Recipe]) -> bool:
    """Whether the ablation makes what training starts from: nothing is asked for that is there without it.

    What `opensage sft` has made of a recipe that is compared here, if anything, is of one seed alone.
    """
    start = Path(recipe.train.start)
    if recipe.train.start in ("", "base"):
        return not recipe.train.start
    if (start / "run.json").is_file():
        return start in {other.folder("sft") for other in recipes}
    return not ((start / "config.json").is_file() or is_adapter(start))


def _beginning(recipe: Recipe) -> Recipe:
    """What of a recipe matters before reinforcement, named by its digest: recipes that begin alike share it."""
    shared = replace(
        recipe,
        name="start",
        seed=0,
        workers=0,
        train=TrainSettings(),
        learner=LearnerSettings(),
        loss=LossSettings(),
        reward=RewardSettings(),
        advantage=AdvantageSettings(),
        sinks=SinkSettings(),
    )
    digest = hashlib.sha256(to_toml(shared).encode()).hexdigest()[:8]
    mine = replace(shared, seed=recipe.seed, workers=recipe.workers, sinks=recipe.sinks)
    return replace(mine, name=f"start-{digest}", learner=recipe.sft.learner)


def _schooled(recipe: Recipe, home: Path, follow: Follow) -> Recipe:
    """Collect and imitate; the recipe with what came of it as its start."""
    recipe = _collected(recipe, home)
    _learn(recipe, "sft", home / "sft", imitate, follow)
    return replace(recipe, train=replace(recipe.train, start=str(home / "sft")))


def _collected(recipe: Recipe, home: Path) -> Recipe:
    """Collect, unless a data set is named; the recipe with the data set."""
    if recipe.sft.data:
        return recipe
    _do(recipe, "collect", home / "collect", partial(_collect, recipe))
    return replace(recipe, sft=replace(recipe.sft, data=str(home / "collect" / "data" / "sft.jsonl")))


def _learn(
    recipe: Recipe, command: str, folder: Path, course: Callable[[Recipe, Run, Watch], None], follow: Follow
) -> None:
    def work(run: Run) -> None:
        with follow(f"{folder.parent.name} {command}") as watch:
            course(recipe, run, watch)

    _do(recipe, command, folder, work)


def _evaluated(recipe: Recipe, checkpoint: Path | None, folder: Path, split: str) -> Path:
    """Play the split of the table with a checkpoint, or with what training starts from; the run's folder."""
    recipe = replace(recipe, evaluate=replace(recipe.evaluate, split=split))

    def work(run: Run) -> None:
        with parts_of(recipe, player(recipe, checkpoint)) as live:
            warmth = recipe.evaluate.temperature
            agent = live.agent if warmth is None else live.agent_at(warmth)
            evaluate(agent, live.suite, recipe.evaluate, run, seed=recipe.seed, workers=recipe.threads)
        run.log(0, metrics_of(measure(run.episodes())[0]))

    _do(recipe, "evaluate", folder, work)
    return folder


def _collect(recipe: Recipe, run: Run) -> None:
    with parts_of(recipe) as live:
        collect(live.agent_at, live.suite, recipe.collect, run, seed=recipe.seed, workers=recipe.threads)


def _do(recipe: Recipe, command: str, folder: Path, work: Callable[[Run], None]) -> None:
    """Begin a run, go on with one, or leave a finished one as it is; one of another recipe is refused."""
    known = (folder / "run.json").is_file()
    finished = known and Run.open(folder).about.status is Status.FINISHED
    with Run.create(
        folder, command=command, recipe_toml=to_toml(recipe), seed=recipe.seed, resume=known, free=FREE
    ) as run:
        if not finished:
            print(f"{folder}: {'going on' if known else 'begun'}", file=sys.stderr)
            work(run)


def _outcomes(folders: Iterable[Path]) -> Iterator[Outcome]:
    """The episodes of several evaluations, as if they were runs of one."""
    for number, folder in enumerate(folders):
        for played in Run.open(folder).episodes():
            yield outcome_of(replace(played, run=1000 * number + played.run))
