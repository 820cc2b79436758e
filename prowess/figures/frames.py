"""Episodes and steps as pandas frames, where pandas is installed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from prowess.errors import MissingExtra
from prowess.files.codec import Played
from prowess.run import StepMetrics

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = (
    *("split", "run", "scenario", "task", "difficulty", "success", "outcome", "stop", "error"),
    *("turns", "tokens", "seconds", "offered", "called", "learned"),
)
"""The columns of a frame of episodes."""


def episodes_frame(played: Iterable[Played]) -> pd.DataFrame:
    """One row for each episode."""
    return _pandas().DataFrame([_row(one) for one in played], columns=list(COLUMNS))


def metrics_frame(entries: Iterable[StepMetrics]) -> pd.DataFrame:
    """One row for each step, by its number, and one column for each metric."""
    steps = list(entries)
    index = _pandas().Index([entry.step for entry in steps], name="step", dtype="int64")
    return _pandas().DataFrame([dict(entry.values) for entry in steps], index=index)


def _row(played: Played) -> tuple[object, ...]:
    episode = played.episode
    return (
        played.split,
        played.run,
        episode.task.scenario,
        episode.task.id,
        episode.task.difficulty,
        episode.success,
        episode.verdict.fraction,
        episode.stop.value,
        episode.error,
        len(episode.turns),
        episode.reply_tokens,
        episode.seconds,
        episode.offered,
        tuple(use.name for use in episode.called),
        tuple(skill.name for skill in episode.learned),
    )


def _pandas() -> Any:
    try:
        import pandas
    except ModuleNotFoundError:
        raise MissingExtra("a frame", "pandas") from None
    return pandas
