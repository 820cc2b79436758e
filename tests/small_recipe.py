"""A recipe that learns in seconds, and a reward that differs within groups."""

from __future__ import annotations

from pathlib import Path

RECIPE = """
name = "small"
workers = 2

[suite.desk]
part = "starter"

[agent]
prompt = "brief"
turns = 3

[collect]
scenarios = 4
temperatures = [0.0]

[evaluate]
scenarios = 1

[model.tiny]
hidden = 32
layers = 2
heads = 2
kv_heads = 1
inner = 64

[sft]
batch = 3
held_out = 0.5

[sft.learner]
rate = 1e-2

[train]
steps = 4
chains = 2
group = 2
checkpoint_every = 2
evaluate_every = 2

[reward]
name = "marks:marks"

[learner]
rate = 1e-2
"""
LONGER = """
extends = "base.toml"

[collect]
scenarios = 8
temperatures = [0.0, 0.7]

[sft]
batch = 4
held_out = 0.25
checkpoint_every = 2

[train]
steps = 6
group = 3
evaluate_every = 3
"""
"""The same with more to do, so that there is time to kill it."""
MARKS = '''
def marks(rollout):
    """Worth something to a model that cannot play yet: rollouts differ in it, so that there is something to learn."""
    return tuple(float(sum(sum(turn.completion.tokens) for turn in one.turns) % 7) for one in rollout.episodes)
'''
SHORT = ("--set", "agent.reply_tokens=16", "--set", "agent.context_tokens=400")
"""Limits that the model meets, and the expert need not."""


def write_longer(place: Path) -> None:
    """The longer recipe as small.toml in a folder, with its reward."""
    (place / "base.toml").write_text(RECIPE)
    (place / "small.toml").write_text(LONGER)
    (place / "marks.py").write_text(MARKS)
