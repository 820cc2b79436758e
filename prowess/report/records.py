"""Runs and episodes as records: what `--json` prints, and what `prowess runs` lists."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import StoreError
from prowess.figures.measure import Measures
from prowess.files.codec import Played
from prowess.report.view import view_of
from prowess.run import Run, Status, flat, is_held, is_run
from prowess.text.terminal import say
from prowess.types import Stop

KILLED = "killed"
"""The state of a run that says it is running, and that nobody holds."""
SHOWN = {
    **dict.fromkeys(("collect", "evaluate", "work"), ("play/tgc", "play/sgc", "play/tokens", "play/cost")),
    "sft": ("eval/tgc", "eval/sgc", "learn/loss"),
    "train": ("reward/mean", "eval/tgc", "eval/sgc"),
}
"""By command, the figures that tell what a run came to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run in a list of runs."""

    folder: Path
    """Its folder, as other commands take it."""
    name: str
    """The recipe's `name`."""
    command: str
    """What was run: `collect`, `evaluate`, `work`, `sft` or `train`."""
    state: str
    """`finished`, `interrupted`, `running`, or `killed`: it was running, and no process holds it any more."""
    seed: int
    """The recipe's `seed`."""
    created: str
    """When it was begun, in UTC."""
    files: int
    """Files of episodes: scenarios, or steps of a training that are kept."""
    steps: int
    """Steps of learning that are done; 0 where nothing learns."""
    figures: Mapping[str, float]
    """The last value of each metric that tells what came of it, by its name in metrics.jsonl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeLine:
    """An episode in a list of episodes."""

    task: str
    """The task's id."""
    scenario: str
    """Its scenario."""
    split: str
    """The split that was played."""
    run: int
    """Which run of an evaluation, which temperature of a collection."""
    solved: bool
    """Whether every check passed."""
    stop: str
    """How it ended: `completed`, `turns`, `error` ..."""
    turns: int
    """Replies of the model."""
    tokens: int
    """Tokens that it wrote."""
    failed: tuple[str, ...]
    """The checks that failed."""
    error: str
    """What broke, where `stop` is `error`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """A run with its figures."""

    folder: Path
    """Its folder."""
    command: str
    """What was run."""
    state: str
    """As in a list of runs."""
    seed: int
    """The recipe's `seed`."""
    created: str
    """When it was begun, in UTC."""
    splits: tuple[Measures, ...]
    """For each split, and for each difficulty of it: `split`, `difficulty` (null for all), counts, and figures. A
    figure has `value`, the 95% interval `low` to `high`, `sd` over the runs, and `n`. Shares are between 0 and 1."""
    figures: Mapping[str, float]
    """The last value of every metric, by its name in metrics.jsonl."""


def runs_below(places: Iterable[Path]) -> Iterator[Path]:
    """The folders of all runs in some folders; what lies inside a run is a part of it."""
    for place in places:
        for folder, inside, files in os.walk(place):
            inside.sort()
            if "run.json" in files and is_run(Path(folder)):
                inside.clear()
                yield Path(folder)


def run_lines(places: Iterable[Path]) -> list[RunLine]:
    """The runs in some folders, the oldest first. One that cannot be read is told and left out."""
    found = []
    for folder in runs_below(places):
        try:
            found.append(_line(Run.open(folder)))
        except StoreError as error:
            say(f"note: {error.message}")
    return sorted(found, key=lambda line: (line.created, str(line.folder)))


def run_record(folder: Path | str) -> RunRecord:
    """A run with its figures."""
    run = Run.open(folder)
    return RunRecord(
        folder=run.folder,
        command=run.about.command,
        state=state_of(run),
        seed=run.about.seed,
        created=run.about.created,
        splits=view_of(run, run.folder.name).rows,
        figures=_last(run),
    )


def episode_line(played: Played) -> EpisodeLine:
    """An episode in a list."""
    episode = played.episode
    return EpisodeLine(
        task=episode.task.id,
        scenario=episode.task.scenario,
        split=played.split,
        run=played.run,
        solved=episode.success,
        stop=episode.stop.value,
        turns=len(episode.turns),
        tokens=episode.reply_tokens,
        failed=episode.verdict.failed,
        error=episode.error if episode.stop is Stop.ERROR else "",
    )


def episode_lines(run: Run, *, failed: bool = False) -> Iterator[EpisodeLine]:
    """All episodes of a run, or those that did not solve their task."""
    return (line for line in map(episode_line, run.episodes()) if not (failed and line.solved))


def state_of(run: Run) -> str:
    """How far a run is: one that no process holds any more is not running."""
    status = run.about.status
    return KILLED if status is Status.RUNNING and not is_held(run.folder) else status.value


def _line(run: Run) -> RunLine:
    about, last = run.about, _last(run)
    learns = about.command in ("sft", "train")
    return RunLine(
        folder=run.folder,
        name=str(flat(run.recipe).get("name", "")),
        command=about.command,
        state=state_of(run),
        seed=about.seed,
        created=about.created,
        files=len(run.keys()),
        steps=run.metrics()[-1].step + 1 if learns and run.metrics() else 0,
        figures={name: last[name] for name in SHOWN.get(about.command, ()) if name in last},
    )


def _last(run: Run) -> dict[str, float]:
    found: dict[str, float] = {}
    for entry in run.metrics():
        found |= entry.values
    return found
