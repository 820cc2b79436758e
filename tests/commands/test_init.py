"""A world to begin with: what is made is sound, plays, and overwrites nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from prowess.cli import app
from prowess.commands.init import example, make_world, renamed
from prowess.errors import RecipeError
from prowess.run import Run


def in_a_shell(*command: str, at: Path) -> str:
    """What a command says in a folder, in which nothing else can be imported."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=at, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_is_made_keeps_the_contract_is_played_by_its_expert_and_passes_its_test(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    made = CliRunner().invoke(app, ["init", "shop"])
    assert made.exit_code == 0, made.output
    assert made.stdout.split() == [
        *("shop/README.md", "shop/pyproject.toml", "shop/shop/__init__.py", "shop/shop/commands.py"),
        *("shop/shop/expert.py", "shop/shop/plugin.py", "shop/shop/settings.py", "shop/shop/world.py"),
        *("shop/shop.toml", "shop/tests/test_shop.py"),
    ]
    shop = tmp_path / "shop"
    assert in_a_shell("prowess", "check", "shop.plugin:WORLD", "--tasks", "1", at=shop).startswith("no problems\n")
    in_a_shell("prowess", "evaluate", "shop.toml", "--set", "evaluate.scenarios=1", at=shop)
    episodes = [played.episode for played in Run.open(shop / "runs/shop-evaluate").episodes()]
    assert [episode.success for episode in episodes] == [True, True, True]
    assert "3 passed" in in_a_shell("pytest", "-q", "-p", "no:cacheprovider", at=shop)


def test_the_name_stands_wherever_the_example_names_itself() -> None:
    for file in example().rglob("*.*"):
        if file.suffix in (".py", ".toml", ".md"):
            text = renamed(file.read_text(), "shop")
            names = ("prowess_pantry", "prowess-pantry", "pantry.toml", "suite.pantry", "prowess pantry")
            for left in (*names, *(('"pantry"',) if file.suffix == ".toml" else ())):
                assert left not in text, (file, left)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Shop", "'Shop' cannot name a package"),
        ("my-shop", "'my-shop' cannot name a package"),
        ("../shop", "cannot name a package"),
        ("class", "'class' cannot name a package"),
        ("", "cannot name a package"),
        ("desk", "there is a world 'desk' already"),
        ("json", "there is a module 'json' already"),
        ("prowess", "there is a module 'prowess' already"),
        ("tests", "there is a module 'tests' already"),
    ],
)
def test_a_name_that_would_not_work_is_refused_and_nothing_is_made(name: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=told):
        make_world(name, tmp_path / "made")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_nothing_is_overwritten(kind: str, tmp_path: Path) -> None:
    place = tmp_path / "shop"
    if kind == "folder":
        place.mkdir()
    elif kind == "file":
        place.write_text("mine")
    else:
        place.symlink_to("nowhere")
    with pytest.raises(RecipeError, match=r"there is something at .*shop already"):
        make_world("shop", place)
    assert [path.name for path in tmp_path.iterdir()] == ["shop"]
    assert kind != "file" or place.read_text() == "mine"
