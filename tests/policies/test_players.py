"""Engines by name, and one of somebody's own."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

from prowess.cli import app
from prowess.errors import RecipeError
from prowess.learners.torch import TorchLearner
from prowess.models import Brain
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.engines import check_engine, player_for
from prowess.policies.sampling import SamplingSettings
from prowess.run import Run
from prowess.types import Message, Sample

MINE = '''
from dataclasses import replace

from prowess.policies.local import LocalPolicy

told = []


class Player:
    """Plays with the model itself, and writes down what it was asked for."""

    def __init__(self, brain, settings):
        self.brain, self.settings = brain, replace(settings, engine="local")

    def policy(self):
        told.append("policy")
        return LocalPolicy(self.brain, self.settings)

    def rest(self):
        told.append("rest")


def broken(brain, settings):
    raise OSError("no such socket")


def odd(brain, settings):
    return 7


def narrow(brain):
    return 7
'''
RECIPE = """
name = "small"
[suite.desk]
part = "starter"
[agent]
prompt = "brief"
turns = 3
reply_tokens = 16
context_tokens = 480
[collect]
scenarios = 4
temperatures = [0.0]
[evaluate]
scenarios = 1
[model.tiny]
hidden = 32
layers = 1
heads = 2
kv_heads = 1
inner = 32
positions = 512
[train]
start = "base"
steps = 1
chains = 1
group = 2
[sampling]
engine = "engines_of_mine:Player"
"""
SHAPE = TinySettings(layers=1, hidden=32, heads=2, kv_heads=1, inner=32, vocab=300, positions=64)


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "engines_of_mine.py").write_text(MINE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


@pytest.fixture
def brain() -> Brain:
    return make_tiny(["Add an alarm at 7"] * 4, SHAPE, seed=3)


def test_an_engine_of_ones_own_plays_for_a_learner_and_rests_while_it_learns(mine: Path, brain: Brain) -> None:
    learner = TorchLearner(brain, sampling=SamplingSettings(engine="engines_of_mine:Player", reply_tokens=4))
    reply = learner.policy()((Message(role="user", content="Add an alarm"),), seed=1)
    learner.step([Sample(tokens=(5, 6, 7), weights=(0.0, 1.0, -1.0), logprobs=(0.0, -1.0, -1.0))])
    learner.policy()
    from engines_of_mine import told  # type: ignore[import-not-found]

    assert told == ["policy", "rest", "policy"] and len(reply.tokens) == len(reply.logprobs) > 0


def test_commands_train_and_evaluate_with_an_engine_of_ones_own(mine: Path) -> None:
    (mine / "small.toml").write_text(RECIPE)
    with chdir(mine):
        for command in (("collect",), ("train",), ("evaluate", "--checkpoint", "runs/small-train")):
            done = CliRunner().invoke(app, [command[0], "small.toml", *command[1:]])
            assert done.exit_code == 0, done.output
        run = Run.open("runs/small-evaluate")
        assert len(list(run.episodes())) == 3 and all(one.episode.turns[0].completion.tokens for one in run.episodes())


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("engines_of_mine:broken", "engine 'engines_of_mine:broken' failed: OSError: no such socket"),
        ("engines_of_mine:odd", "gave a int, which is no player"),
        ("engines_of_mine:narrow", "engine 'engines_of_mine:narrow'"),
        ("engines_of_mine:missing", "missing"),
    ],
)
def test_an_engine_that_is_none_is_told(mine: Path, brain: Brain, name: str, wrong: str) -> None:
    with pytest.raises(RecipeError, match=wrong):
        player_for(brain, SamplingSettings(engine=name))


def test_what_is_missing_is_told_before_anything_is_played(mine: Path) -> None:
    with pytest.raises(RecipeError, match="missing"):
        check_engine(SamplingSettings(engine="engines_of_mine:missing"))
    with pytest.raises(RecipeError, match="unknown engine 'vlm'") as caught:
        SamplingSettings(engine="vlm")
    assert "did you mean 'vllm'?" in caught.value.hint and '"module:function"' in caught.value.hint
