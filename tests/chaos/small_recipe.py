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
scenarios = 8
temperatures = [0.0, 0.7]

[evaluate]
scenarios = 1

[model.tiny]
hidden = 32
layers = 2
heads = 2
kv_heads = 1
inner = 64

[sft]
batch = 4
held_out = 0.25
checkpoint_every = 2

[sft.learner]
rate = 1e-2

[train]
steps = 6
chains = 2
group = 3
checkpoint_every = 2
evaluate_every = 3

[reward]
name = "marks:marks"

[learner]
rate = 1e-2
"""
MARKS = '''
def marks(rollout):
    """Worth something to a model that cannot play yet: rollouts differ in it, so that there is something to learn."""
    return tuple(float(sum(sum(turn.completion.tokens) for turn in one.turns) % 7) for one in rollout.episodes)
'''
SHORT = ("--set", "agent.reply_tokens=16", "--set", "agent.context_tokens=400")
"""Limits that the model meets, and the expert need not."""


def write(place: Path) -> None:
    """The recipe and its reward as files in a folder."""
    (place / "small.toml").write_text(RECIPE)
    (place / "marks.py").write_text(MARKS)
