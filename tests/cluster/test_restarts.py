"""A training on ranks, one of which is killed: it goes on from the last checkpoint, to the same end."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path

import pytest
import small_recipe
from typer.testing import CliRunner

from prowess.cli import app
from prowess.errors import LearnerGone
from prowess.learners.verl.learner import VerlLearner
from prowess.run import Run
from prowess.types import Sample

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.timeout(600),
    pytest.mark.usefixtures("ranks"),
    pytest.mark.filterwarnings("ignore"),
]

ON_RANKS = ("sft.learner.engine='verl'", "sft.learner.verl.gpus=2", "sft.score=false", "sft.checkpoint_every=1")
TIMED = ("time/", "learn/seconds", "learn/tokens_per_second")


def sft(name: str, *more: str) -> None:
    sets = [word for one in (*ON_RANKS, *more) for word in ("--set", one)]
    done = CliRunner().invoke(app, ["sft", "small.toml", "--out", name, *sets], catch_exceptions=False)
    assert done.exit_code == 0, done.output


def figures(name: str) -> list[dict[str, float]]:
    return [
        {key: value for key, value in each.values.items() if not key.startswith(TIMED)}
        for each in Run.open(name).metrics()
    ]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "small.toml").write_text(small_recipe.RECIPE)
    (tmp_path / "marks.py").write_text(small_recipe.MARKS)
    with chdir(tmp_path):
        done = CliRunner().invoke(app, ["collect", "small.toml"])
        assert done.exit_code == 0, done.output
    return tmp_path


def killing(monkeypatch: pytest.MonkeyPatch, times: int) -> list[int]:
    """Kill a rank just before the second step, so many times."""
    step, killed = VerlLearner.step, list[int]()

    def doomed(self: VerlLearner, samples: Sequence[Sample], *, per: int | None = None) -> dict[str, float]:
        if self.steps == 1 and len(killed) < times:
            killed.append(self.group.about[-1]["pid"])
            os.kill(killed[-1], signal.SIGKILL)
        return step(self, samples, per=per)

    monkeypatch.setattr(VerlLearner, "step", doomed)
    return killed


def test_a_rank_that_is_killed_costs_a_step_and_nothing_else(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with chdir(place):
        sft("unbroken")
        killed = killing(monkeypatch, 2)
        sft("broken", "sft.learner.verl.restarts=2")
        assert len(killed) == 2
        assert len(figures("unbroken")) >= 3
        assert figures("broken") == figures("unbroken")


def test_without_restarts_the_command_ends_and_the_same_one_goes_on(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chdir(place):
        sft("unbroken")
        killed = killing(monkeypatch, 1)
        with pytest.raises(LearnerGone, match="a process that learns is gone") as ended:
            sft("broken")
        assert "the same command goes on from the last checkpoint" in ended.value.hint and killed
        sft("broken")
        assert figures("broken") == figures("unbroken")
