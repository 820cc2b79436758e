"""Shells complete commands, recipes and their keys."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = "import sys; sys.argv[0] = 'prowess'; from prowess.cli import main; main()"


def offered(*words: str) -> list[str]:
    """What bash offers for the last of some words, as its completion function asks for it."""
    asked = {
        "_PROWESS_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(["prowess", *words]),
        "COMP_CWORD": str(len(words)),
    }
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env={**os.environ, **asked}, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_commands_are_completed() -> None:
    assert offered("tea") == ["teach"]
    assert {"learn", "recipe", "skills", "appworld"} <= set(offered(""))


def test_the_commands_of_a_group_are_completed() -> None:
    assert offered("skills", "unpi") == ["unpin"]


@pytest.mark.parametrize("command", ["evaluate", "recipe", "ablate"])
def test_names_of_shipped_recipes_are_completed(command: str) -> None:
    assert offered(command, "qu") == ["quickstart"]


def test_a_path_is_left_to_the_shell() -> None:
    assert offered("evaluate", "recipes/qu") == []


def test_keys_of_a_recipe_are_completed_after_set() -> None:
    assert offered("evaluate", "expert", "--set", "evaluate.sc") == ["evaluate.scenarios="]


def test_completion_is_installed_for_bash(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.replace("'prowess'", "'prowess'; sys.argv += ['--install-completion', 'bash']")],
        env={**os.environ, "HOME": str(tmp_path), "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "completion installed" in done.stdout, done.stderr
    assert "source" in (tmp_path / ".bashrc").read_text()
