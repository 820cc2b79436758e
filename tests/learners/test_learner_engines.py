"""A learner of one's own, named in the recipe."""

from __future__ import annotations

from contextlib import chdir
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from typer.testing import CliRunner

from prowess.cli import app
from prowess.errors import RecipeError
from prowess.learners.engines import check_learner, learner_for
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.sampling import SamplingSettings
from prowess.run import Run
from prowess.types import Sample

MINE = """
from prowess.learners.torch import TorchLearner

told = []

class Patient(TorchLearner):
    def __init__(self, brain, settings, loss, sampling, seed, watch):
        super().__init__(brain, settings, loss, sampling, seed=seed, watch=watch)

    def step(self, samples, *, per=None):
        return super().step(samples, per=per) if len(samples) >= 8 else self.rest()

    def close(self):
        told.append("closed")


def broken(brain, settings, loss, sampling, seed, watch):
    raise OSError("no such machine")


def odd(brain, settings, loss, sampling, seed, watch):
    return 7


def narrow(brain):
    return 7
"""
RECIPE = """
name = "small"
[suite.desk]
part = "starter"
[collect]
scenarios = 4
[model.tiny]
hidden = 32
layers = 1
heads = 2
kv_heads = 1
inner = 32
positions = 512
[sft]
batch = 7
epochs = 1
score = false
longest = 500
learner.engine = "learners_of_mine:Patient"
"""
SHAPE = TinySettings(layers=1, hidden=32, heads=2, kv_heads=1, inner=32, vocab=300, positions=64)
SAMPLE = Sample(tokens=(5, 6, 7), weights=(0.0, 1.0, -1.0), logprobs=(0.0, -1.0, -1.0))


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "learners_of_mine.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture
def brain() -> Brain:
    return make_tiny(["Add an alarm at 7"] * 4, SHAPE, seed=3)


def settings(name: str) -> LearnerSettings:
    return replace(LearnerSettings(), engine=name)


def test_the_usual_learner_is_ours(brain: Brain) -> None:
    with learner_for(brain, LearnerSettings(), LossSettings(), SamplingSettings(), seed=3) as learner:
        assert isinstance(learner, TorchLearner) and learner.seed == 3


def test_a_learner_of_ones_own_learns_and_is_closed_in_the_end(mine: Path, brain: Brain) -> None:
    named = settings("learners_of_mine:Patient")
    with learner_for(brain, named, LossSettings(), SamplingSettings(), seed=1) as learner:
        assert learner.step([SAMPLE] * 7)["learn/samples"] == 0.0
        assert learner.step([SAMPLE] * 8)["learn/samples"] == 8.0
    from learners_of_mine import told  # type: ignore[import-not-found]

    assert told == ["closed"]


def test_a_command_learns_with_the_learner_that_the_recipe_names(mine: Path) -> None:
    (mine / "small.toml").write_text(RECIPE)
    with chdir(mine):
        for command in ("collect", "sft"):
            done = CliRunner().invoke(app, [command, "small.toml"])
            assert done.exit_code == 0, done.output
        steps = [each.values for each in Run.open("runs/small-sft").metrics()]
    assert steps and all(each["learn/samples"] == 0.0 for each in steps), "seven are too few for it"


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("learners_of_mine:broken", "learner 'learners_of_mine:broken' failed: OSError: no such machine"),
        ("learners_of_mine:odd", "gave a int, which has no step, rest, policy, save, load, start, loss"),
        ("learners_of_mine:narrow", "learner 'learners_of_mine:narrow'"),
        ("learners_of_mine:missing", "missing"),
        ("troch", "learner 'troch'"),
    ],
)
def test_a_learner_that_is_none_is_told(mine: Path, brain: Brain, name: str, wrong: str) -> None:
    with (
        pytest.raises(RecipeError, match=wrong),
        learner_for(brain, settings(name), LossSettings(), SamplingSettings(), seed=1),
    ):
        pass


def test_a_learner_that_cannot_be_found_is_told_before_anything_is_played(mine: Path) -> None:
    check_learner(settings("learners_of_mine:Patient"))
    with pytest.raises(RecipeError, match="missing"):
        check_learner(settings("learners_of_mine:missing"))


def test_a_learner_whose_libraries_are_missing_is_told_before_anything_is_played() -> None:
    if find_spec("verl") is None:
        with pytest.raises(RecipeError, match="needs the extra 'cluster'"):
            check_learner(settings("verl"))
