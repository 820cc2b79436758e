"""Commands that write a run, killed at random moments: each ends as one that nothing disturbed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from killing import Commands, metrics, same
from small_recipe import SHORT, write_longer

pytestmark = [pytest.mark.chaos, pytest.mark.timeout(900)]


@pytest.fixture
def place(prowess: Commands) -> Path:
    write_longer(prowess.place)
    prowess.environment["PYTHONPATH"] = str(prowess.place)
    return prowess.place


def test_collecting(prowess: Commands, place: Path, draw: Random) -> None:
    collect = ("collect", "small.toml", "--out", "OUT")
    whole = prowess.whole("whole", *collect)
    for cut in prowess.killed(*collect, draw=draw, whole=whole, times=6):
        same(place / "whole", cut, "data/", "library/", "recipe.toml")


def test_imitating(prowess: Commands, place: Path, draw: Random) -> None:
    prowess("collect", "small.toml")
    sft = ("sft", "small.toml", *SHORT, "--out", "OUT")
    whole = prowess.whole("whole", *sft)
    for cut in prowess.killed(*sft, draw=draw, whole=whole, times=6):
        same(place / "whole", cut, "checkpoints/", "recipe.toml")


def test_training_in_groups_that_differ(prowess: Commands, place: Path, draw: Random) -> None:
    prowess("collect", "small.toml")
    prowess("sft", "small.toml", *SHORT, "--set", "sft.score=false")
    train = ("train", "small.toml", *SHORT, "--out", "OUT")
    whole = prowess.whole("whole", *train)
    told = metrics(place / "whole")
    assert [(float(step["play/flat"]) < 1, float(step["learn/grad_norm"]) > 0) for step in told] == [(True, True)] * 6
    for cut in prowess.killed(*train, draw=draw, whole=whole, times=8):
        same(place / "whole", cut, "checkpoints/", "recipe.toml")
