"""Learning with vLLM as the sampler, as a user meets it: collect, sft, train one step ahead, evaluate."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

from prowess.cli import app
from prowess.run import Run

pytestmark = pytest.mark.slow

RECIPE = """
name = "small"

[suite.desk]
part = "starter"

[agent]
prompt = "brief"
turns = 3
reply_tokens = 24
context_tokens = 480

[collect]
scenarios = 4
temperatures = [0.0]

[evaluate]
scenarios = 2

[model.tiny]
hidden = 64
layers = 2
heads = 2
kv_heads = 1
inner = 64
positions = 512

[sampling]
engine = "vllm"
rows = 12
cache_gb = 0.25

[sft]
batch = 6

[sft.learner]
rate = 1e-2
lora_rank = 4

[train]
steps = 3
chains = 2
group = 4
evaluate_every = 2
overlap = true

[reward]
name = "marks:marks"

[learner]
rate = 1e-3
lora_rank = 4
"""

MARKS = '''
def marks(rollout):
    """Worth something to a model that cannot play yet: rollouts differ in it, so that there is something to learn."""
    return tuple(float(sum(sum(turn.completion.tokens) for turn in one.turns) % 7) for one in rollout.episodes)
'''


def prowess(*arguments: str) -> str:
    done = CliRunner().invoke(app, arguments)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def test_a_model_learns_from_what_vllm_played_while_it_was_learning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.toml").write_text(RECIPE)
    (tmp_path / "marks.py").write_text(MARKS)
    monkeypatch.syspath_prepend(str(tmp_path))
    with chdir(tmp_path):
        for command in ("collect", "sft", "train"):
            prowess(command, "small.toml")
        steps = [entry.values for entry in Run.open("runs/small-train").metrics()]
        prowess("evaluate", "small.toml", "--checkpoint", "runs/small-train")
        played = [one.episode for one in Run.open("runs/small-evaluate").episodes()]
    assert len(steps) == 3
    for step in steps:
        assert step["play/errors"] == 0 and step["play/tokens_per_second"] > 0 and 0 <= step["play/engine_idle"] <= 1
        assert step["play/pass_ms"] > 0 and 0 < step["play/reading"] < 1
    assert steps[0]["learn/mismatch"] < 0.08  # on what it was asked with; later ones are one step old
    assert steps[1]["learn/mismatch"] > 0
    assert len(played) == 6 and all(turn.completion.logprobs for one in played for turn in one.turns)
