"""Teaching by one's own mistakes: what a round imitates."""

from __future__ import annotations

from pathlib import Path

import pytest

from prowess.commands.dataset import About, Conversation, Spoken, read_dataset, write_dataset
from prowess.commands.teach import TeachSettings, mix
from prowess.errors import RecipeError


def conversation(name: str) -> Conversation:
    said = (Spoken(role="user", content=name, loss=False), Spoken(role="assistant", content="Done.", loss=True))
    return Conversation(messages=said, about=About(task=name, scenario=name, split="train", temperature=0.8))


def mixed(folder: Path, number: int, *, seed: int = 0) -> list[str]:
    """The tasks of a round that has 10 conversations of its own and may rehearse 200."""
    own, shown = folder / "own", folder / "shown"
    write_dataset(own, [conversation(f"own{n}") for n in range(10)])
    write_dataset(shown, [conversation(f"shown{n}") for n in range(200)])
    path = mix(own, shown, folder / "mixed", TeachSettings(rehearsed=0.5), number=number, seed=seed)
    return [each.about.task for each in read_dataset(path)]


def test_a_round_imitates_its_own_and_some_of_what_was_shown(tmp_path: Path) -> None:
    tasks = mixed(tmp_path, 1)
    assert tasks[:10] == [f"own{n}" for n in range(10)]
    assert len(set(tasks[10:])) == 5
    assert all(task.startswith("shown") for task in tasks[10:])


def test_every_round_rehearses_others_and_the_same_ones_when_it_is_mixed_again(tmp_path: Path) -> None:
    first, second = mixed(tmp_path, 1), mixed(tmp_path, 2)
    assert mixed(tmp_path, 1) == first
    assert set(first[10:]) != set(second[10:])


def test_a_round_of_which_nothing_came_is_told(tmp_path: Path) -> None:
    write_dataset(tmp_path / "own", [])
    with pytest.raises(RecipeError, match="nothing that was taught came to a good end"):
        mix(tmp_path / "own", None, tmp_path / "mixed", TeachSettings(), number=1, seed=0)
