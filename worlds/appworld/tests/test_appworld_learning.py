"""A whole SAGE step on real tasks of AppWorld, on a CPU: the expert collects, `tiny` imitates, plays and learns."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from typer.testing import CliRunner

from prowess.cli import app
from prowess.run import Run

SMALL = """
extends = "{recipes}/appworld-sage.toml"
name = "small"
workers = 2

[agent]
prompt = "brief"
turns = 10
reply_tokens = 120
context_tokens = 4000

[collect]
scenarios = 2
count = 1

[model]
name = "tiny"

[model.tiny]
layers = 2
hidden = 64
inner = 128
vocab = 2000
positions = 4096

[sft]
batch = 2
epochs = 80
held_out = 0.0

[sft.learner]
rate = 5e-3

[train]
steps = 1
chains = 2
group = 4
early_stop = false
checkpoint_every = 1

[evaluate]
scenarios = 1
"""


@pytest.mark.slow
@pytest.mark.timeout(900)  # it learns, plays and grades on AppWorld: on a busy machine that took more than 300 s
def test_tiny_plays_two_scenarios_and_takes_a_step(home: Path, tmp_path: Path) -> None:
    recipes = Path(__file__).parents[3] / "recipes"
    (tmp_path / "small.toml").write_text(SMALL.replace("{recipes}", str(recipes)))
    with chdir(tmp_path):
        for command in (["collect"], ["sft"], ["train", "--set", "agent.turns=2"]):
            done = CliRunner().invoke(app, [*command, "small.toml"])
            assert done.exit_code == 0, done.output[-2000:]
    run = Run.open(tmp_path / "runs/small-train")
    (entry, *_) = run.metrics()
    assert entry.values["play/errors"] == 0
    assert entry.values["learn/samples"] == 16  # 2 chains of 2 tasks, 4 rollouts each
    assert entry.values["learn/grad_norm"] > 0
    played = [each.episode for each in run.episodes() if each.split == "train"]
    assert len(played) == 16
    assert len({episode.task.scenario for episode in played}) == 2
    assert (tmp_path / "runs/small-train/checkpoints/step-000001").is_dir()
