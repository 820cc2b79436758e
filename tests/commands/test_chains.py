"""Chains for training: by label and by likeness."""

from __future__ import annotations

from collections import Counter

import pytest
from toy import ToySuite

from prowess.commands.train import TrainSettings
from prowess.commands.train.chains import chains_by_label, chains_by_likeness, chains_for, likeness
from prowess.errors import RecipeError
from prowess.types import Task

TASKS = [
    Task(id=f"{scenario}_{n}", scenario=scenario, instruction=f"{words} {n}")
    for scenario, words in (("a", "Like every song by artist"), ("b", "Delete my alarms before"), ("c", "Pay back"))
    for n in (1, 2, 3)
]


def test_a_chain_holds_siblings_in_random_order_and_scenarios_take_turns() -> None:
    chains = chains_by_label(TASKS, count=6, length=2, seed=1)
    assert [len(chain) for chain in chains] == [2] * 6
    assert all(len({task.scenario for task in chain}) == 1 and chain[0] != chain[1] for chain in chains)
    assert Counter(chain[0].scenario for chain in chains) == {"a": 2, "b": 2, "c": 2}
    many = {tuple(task.id for task in chain) for chain in chains_by_label(TASKS, count=300, length=2, seed=2)}
    assert len(many) == 3 * 6, "every ordered pair of siblings comes up"


def test_a_chain_is_no_longer_than_its_scenario() -> None:
    assert [len(chain) for chain in chains_by_label(TASKS, count=2, length=5, seed=1)] == [3, 3]


def test_the_same_seed_gives_the_same_chains() -> None:
    for make in (chains_by_label, chains_by_likeness):
        assert make(TASKS, count=4, length=2, seed=7) == make(TASKS, count=4, length=2, seed=7)
        assert make(TASKS, count=4, length=2, seed=7) != make(TASKS, count=4, length=2, seed=8)


def test_likeness_finds_the_siblings_without_their_label() -> None:
    blind = [Task(id=task.id, scenario=task.id, instruction=task.instruction) for task in TASKS]
    for chain in chains_by_likeness(blind, count=9, length=3, seed=3, neighbours=2):
        assert len({task.id[0] for task in chain}) == 1
        assert len({task.id for task in chain}) == 3


def test_likeness_is_symmetric_and_one_for_the_same_text() -> None:
    assert likeness("Pay Ada", "Pay Ada") == 1.0
    assert likeness("Pay Ada", "Ask Ben") == likeness("Ask Ben", "Pay Ada") < 0.5


def test_a_split_without_tasks_is_told_with_the_others() -> None:
    with pytest.raises(RecipeError, match=r"'train' holds no task to learn from\nhint: train\.split may be .*train"):
        chains_for(ToySuite(0), TrainSettings(), seed=0)
