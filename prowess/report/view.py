"""What a report needs of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prowess.commands.work.curve import Point, points_of
from prowess.commands.work.rounds import with_library
from prowess.figures import measure as measuring
from prowess.figures.measure import Measures, Outcome
from prowess.report.units import in_sight, units
from prowess.run import About, Run, StepMetrics, flat
from prowess.run.folder import weights_in
from prowess.types import Json, Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the report needs of a run."""

    name: str
    folder: Path
    about: About
    recipe: Mapping[str, Json]
    outcomes: tuple[Outcome, ...]
    places: tuple[tuple[str, int], ...]
    """Where each of them stands: its unit of work, and the line there."""
    rows: tuple[Measures, ...]
    metrics: tuple[StepMetrics, ...]
    torn: bool = False
    """Whether the last line of metrics.jsonl has no end."""
    weights: str = ""
    """The checkpoint that the run notes, where one of ours plays or is learnt from."""
    stream: tuple[Point, ...] = ()
    """Of a run of `prowess work`: what each task cost, in their order."""
    prices: Prices = measuring.FREE
    """What tokens cost, where the recipe tells it."""

    @property
    def learns(self) -> bool:
        """Whether its steps tell what came of it. Episodes of training are kept now and then, for reading: of chains,
        not of scenarios, and of many weights; figures of all of them together would be those of nobody."""
        return self.about.command in ("sft", "train")

    @property
    def steps(self) -> int:
        """How many steps are done."""
        return self.metrics[-1].step + 1 if self.metrics else 0

    @property
    def played(self) -> tuple[Outcome, ...]:
        """Episodes that figures are made of."""
        return () if self.learns else self.outcomes


def view_of(run: Run, name: str, *, steps_only: bool = False) -> View:
    """A run read from its folder; of a course of learning its steps alone, where its episodes are not asked for."""
    prices = measuring.prices_of(run)
    outcomes: list[Outcome] = []
    places: list[tuple[str, int]] = []
    for key in () if steps_only else units(run):
        for line, played in enumerate(run.episodes(key)):
            outcomes.append(measuring.outcome_of(played, prices))
            places.append((key, line))
    learns = run.about.command in ("sft", "train")
    with in_sight(f"measuring {name}", len(outcomes)):
        rows = () if learns else measuring.measure(outcomes)
    return View(
        name=name,
        folder=run.folder,
        about=run.about,
        recipe=flat(run.recipe),
        outcomes=tuple(outcomes),
        places=tuple(places),
        rows=with_library(rows, run) if run.about.command == "work" else rows,
        metrics=run.metrics(),
        torn=run.torn,
        weights=weights_in(run.folder)[0],
        stream=points_of(run) if run.about.command == "work" else (),
        prices=prices,
    )


def names_of(folders: Sequence[Path | str]) -> list[str]:
    """A short name for each run: its folder's, with as much of the path before it as tells them apart."""
    paths = [Path(folder).resolve().parts for folder in folders]
    for length in range(1, max(map(len, paths), default=1) + 1):
        names = ["/".join(parts[-length:]) for parts in paths]
        if len(set(names)) == len(names):
            return names
    return [f"{parts[-1]} ({number})" for number, parts in enumerate(paths, start=1)]
