"""A run read back from its folder as plain values.

run = read_run("runs/expert-evaluate")
run.state, run.recipe["evaluate"]["split"], run.scores()["dev"].tgc.value
for episode in run.episodes(solved=False):
    print(episode.task.id, episode.stop, episode.turns[-1].code)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from prowess.figures.frames import episodes_frame, metrics_frame
from prowess.figures.measure import Measures
from prowess.files.codec import Played
from prowess.report.view import view_of
from prowess.run import Run, StepMetrics
from prowess.skills.library import Library
from prowess.types import Episode, Json

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedRun:
    """What a run's folder holds. Episodes are read from the disk when you ask for them."""

    folder: Path
    command: str
    """What was run: `evaluate`, `train`, `work` ..."""
    state: str
    """`finished`, `interrupted`, or `running`; a process that was killed leaves `running`, too."""
    seed: int
    created: str
    """When it began, in UTC."""
    packages: Mapping[str, str]
    """Versions of installed packages that can change a result."""
    recipe: Mapping[str, Json]
    """The whole recipe, section by section: `run.recipe["train"]["steps"]`."""
    metrics: tuple[StepMetrics, ...]
    """The steps so far; each has a `step` and its `values` by name."""

    def episodes(
        self,
        *,
        split: str | None = None,
        scenario: str | None = None,
        task: str | None = None,
        solved: bool | None = None,
    ) -> Iterator[Episode]:
        """The episodes that are written so far, one at a time: all, or those that fit everything given."""
        return (played.episode for played in self._played(split, scenario, task, solved))

    def scores(self) -> dict[str, Measures]:
        """The figures of each split with their intervals; none for learning, whose steps are in `metrics`."""
        rows = view_of(Run.open(self.folder), self.folder.name).rows
        return {row.split: row for row in rows if row.difficulty is None}

    def library(self) -> Library:
        """The skills that the run saved."""
        return Library.load(self.folder / "library")

    def frame(self, what: Literal["episodes", "metrics"] = "episodes") -> pd.DataFrame:
        """A pandas frame with a row for each episode, or for each step."""
        return metrics_frame(self.metrics) if what == "metrics" else episodes_frame(self._played())

    def _played(
        self,
        split: str | None = None,
        scenario: str | None = None,
        task: str | None = None,
        solved: bool | None = None,
    ) -> Iterator[Played]:
        for played in Run.open(self.folder).episodes():
            episode = played.episode
            if (
                split in (None, played.split)
                and scenario in (None, episode.task.scenario)
                and task in (None, episode.task.id)
                and solved in (None, episode.success)
            ):
                yield played


def read_run(folder: str | Path) -> SavedRun:
    """Read a run's folder. A run that is still going is not disturbed: you get what it has written so far."""
    run = Run.open(folder)
    return SavedRun(
        folder=run.folder,
        command=run.about.command,
        state=run.about.status.value,
        seed=run.about.seed,
        created=run.about.created,
        packages=run.about.packages,
        recipe=run.recipe,
        metrics=run.metrics(),
    )
