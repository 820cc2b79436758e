"""Worlds that are registered, and what is said of those that cannot be had."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from prowess.cli import app
from prowess.doctor import worlds as doctor
from prowess.errors import RecipeError
from prowess.pipeline.recipe import Recipe, SuiteSettings
from prowess.recipe import describe, parse
from prowess.worlds import registry
from prowess.worlds.registry import WorldPlugin, names, package, world_named

Register = Callable[..., None]


@pytest.fixture
def register(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Register]:
    """Installs a package with one entry point, and a module of this text."""
    monkeypatch.syspath_prepend(tmp_path)
    made = []

    def install(package: str, entry: str, text: str = "", *, group: str = "prowess.worlds") -> None:
        info = tmp_path / f"{package}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[{group}]\n{entry}\n")
        (tmp_path / f"{package}.py").write_text(text)
        made.append(package)
        forget()

    yield install
    for name in made:
        sys.modules.pop(name, None)
    monkeypatch.undo()
    forget()


def forget() -> None:
    registry._entries.cache_clear()
    world_named.cache_clear()


def test_our_worlds_are_registered_like_anybody_elses_the_default_first() -> None:
    assert names()[:2] == ("desk", "appworld")
    assert package("desk") == package("appworld") == "prowess 0.1.0"
    assert isinstance(world_named("desk"), WorldPlugin)


def test_a_recipe_that_names_no_world_plays_the_default() -> None:
    assert registry.default() == SuiteSettings().name == "desk"


def test_two_defaults_are_told_with_their_packages(register: Register) -> None:
    register("rival", "attic = rival:WORLD", group="prowess.default_world")
    with pytest.raises(RecipeError) as caught:
        parse(Recipe, "")
    assert caught.value.message == "several packages name a default world: attic (rival 1.0), desk (prowess 0.1.0)"
    assert caught.value.hint == "uninstall all of them but one"


def test_an_unknown_world_is_told_with_the_nearest() -> None:
    with pytest.raises(RecipeError, match=r"unknown suite 'dusk'\nhint: did you mean 'desk'\? known: appworld, desk"):
        world_named("dusk")


def test_a_world_that_cannot_be_imported_is_told_with_its_package(register: Register) -> None:
    register("frail", "attic = frail:WORLD", "import nothing_of_this_name\n")
    with pytest.raises(RecipeError) as caught:
        parse(Recipe, "", ["suite.name=attic"])
    assert caught.value.message == (
        "recipe with --set, section suite: the world 'attic' (frail:WORLD of frail 1.0) cannot be imported: "
        "ModuleNotFoundError: No module named 'nothing_of_this_name' (frail.py:1)"
    )
    assert caught.value.hint == "mend or uninstall frail"


def test_a_world_that_cannot_be_imported_keeps_nobody_else_from_working(register: Register) -> None:
    register("frail", "attic = frail:WORLD", "1 / 0\n")
    assert parse(Recipe, "").suite.name == "desk"
    assert "suite.desk.scenarios" in {entry.key for entry in describe(Recipe)}
    help = CliRunner().invoke(app, ["--help"])
    assert help.exit_code == 0 and "appworld" in help.output and "attic" not in help.output
    told = {finding.what: finding for finding in doctor.worlds()}
    assert told["desk"].state == "ok" and told["attic"].state == "missing"
    assert "cannot be imported: ZeroDivisionError: division by zero (frail.py:1)" in told["attic"].detail


def test_an_entry_point_that_names_something_else_is_told(register: Register) -> None:
    register("number", "attic = number:WORLD", "WORLD = 3\n")
    with pytest.raises(RecipeError, match=r"\(number:WORLD of number 1\.0\) is a int, not a WorldPlugin"):
        world_named("attic")


def test_settings_that_are_no_dataclass_are_told(register: Register) -> None:
    text = "from prowess.worlds.registry import WorldPlugin\nWORLD = WorldPlugin(settings=dict, suite=print)\n"
    register("plain", "attic = plain:WORLD", text)
    with pytest.raises(RecipeError, match=r"has the settings <class 'dict'>; they must be a dataclass"):
        world_named("attic")


def test_one_name_of_two_packages_is_told_once_it_is_asked_for(register: Register) -> None:
    register("first", "attic = first:WORLD")
    register("second", "attic = second:WORLD")
    assert "attic" in names()
    with pytest.raises(RecipeError, match="several packages register a world 'attic': "):
        world_named("attic")


OWN = """
from dataclasses import dataclass
from prowess.worlds.registry import WorldPlugin

@dataclass(frozen=True)
class Settings:
    rooms: int = 2

WORLD = WorldPlugin(settings=Settings, suite=lambda settings, sandbox: settings)
NUMBER = 3

def suite(settings, sandbox):
    return settings
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    (tmp_path / "own_attic.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("own_attic", None)
    forget()


@pytest.mark.usefixtures("own")
def test_a_world_of_ones_own_has_its_settings_in_the_options() -> None:
    assert SuiteSettings(name="own_attic:WORLD", options={"rooms": 5}).own.rooms == 5
    assert SuiteSettings(name="own_attic:suite", options={"rooms": 5}).own.options == {"rooms": 5}
    with pytest.raises(RecipeError, match=r"suite\.options: unknown key 'room'\nhint: did you mean 'rooms'\?"):
        _ = SuiteSettings(name="own_attic:WORLD", options={"room": 5}).own


@pytest.mark.usefixtures("own")
def test_what_is_neither_a_function_nor_a_world_is_told() -> None:
    with pytest.raises(
        RecipeError, match=r"suite 'own_attic:NUMBER' is a int, not a function\nhint: name a function, or"
    ):
        world_named("own_attic:NUMBER")


@pytest.mark.usefixtures("own")
def test_a_world_without_an_expert_says_so() -> None:
    from prowess.pipeline.policies import policy_of

    with pytest.raises(
        RecipeError, match=r"suite 'own_attic:suite' has no expert, and policy\.name is 'expert'\nhint: "
    ):
        policy_of(parse(Recipe, "", ["suite.name=own_attic:suite", "policy.name=expert"]))
