"""How well a library serves: the tasks of a recipe, played with it and nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from prowess.commands.evaluate import scenarios_of
from prowess.errors import RecipeError, WorldError, unknown
from prowess.figures.measure import measure
from prowess.pipeline.parts import parts_of
from prowess.pipeline.recipe import FREE, Recipe
from prowess.pipeline.stages import Screen, assess
from prowess.recipe import to_toml
from prowess.run import Run, Status, is_run
from prowess.skills.library import Library
from prowess.text.plural import counted
from prowess.text.terminal import progress
from prowess.types import Episode

METRICS = {"tgc": 1, "sgc": 1, "steps": -1, "tokens": -1}
"""What can be compared, and whether more of it is better."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Evaluates libraries with a recipe; each in a run of its own, which is not played twice."""

    recipe: Recipe
    metric: str
    home: Path

    def __post_init__(self) -> None:
        if self.metric not in METRICS:
            raise unknown("metric", self.metric, METRICS)
        if self.recipe.evaluate.library:
            raise RecipeError("evaluate.library is set, and a bisection brings its own", hint="leave it out")

    def __call__(self, library: Library) -> float:
        folder = self.home / library.digest[:16]
        library.save(folder / "library")
        recipe = replace(self.recipe, evaluate=replace(self.recipe.evaluate, library=str(folder / "library")))
        run = self._played(recipe, folder / "run", counted(len(library), "skill"))
        value = float(getattr(measure(run.episodes())[0], self.metric).value)
        if math.isnan(value):
            raise WorldError(f"no episode of {run.folder} counts: all ended in an error", hint="prowess show says why")
        return METRICS[self.metric] * value

    def _played(self, recipe: Recipe, folder: Path, title: str) -> Run:
        known = is_run(folder)
        with Run.create(
            folder, command="evaluate", recipe_toml=to_toml(recipe), seed=recipe.seed, resume=known, free=FREE
        ) as run:
            if not (known and run.keys() and Run.open(folder).about.status is Status.FINISHED):
                with parts_of(recipe) as live:
                    scenarios = scenarios_of(live.suite, recipe.evaluate)
                    assess(recipe, live, scenarios, run, Screen(course=_nothing, episodes=_bar), title)
        return Run.open(folder)


@contextmanager
def _bar(title: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    with progress(total, title) as bar:

        def watch(*episodes: Episode) -> None:
            bar.advance(len(episodes))

        yield watch


@contextmanager
def _nothing(title: str) -> Iterator[Callable[..., None]]:
    yield lambda *given: None
