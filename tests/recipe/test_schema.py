"""The JSON schema of recipes says what the recipes say themselves."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import jsonschema
import pytest
from typer.testing import CliRunner

from prowess.cli import app
from prowess.errors import RecipeError
from prowess.pipeline.recipe import Recipe
from prowess.recipe import read, resolve, to_toml
from prowess.recipe.schema import schema_of

ROOT = Path(__file__).parents[2]
RECIPES = sorted((ROOT / "recipes").glob("*.toml"))


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How far it may go.

    More than a line.
    """

    turns: int = 30
    """Turns before an episode is stopped."""
    seconds: float | None = None


@dataclass(frozen=True, kw_only=True)
class Play:
    """What is played."""

    world: str
    """Which world is played."""
    carry: Literal["scenario", "split"] = "scenario"
    splits: tuple[str, ...] = ("dev",)
    limits: Limits = field(default_factory=lambda: Limits(turns=5))


def errors_in(table: dict[str, Any], cls: type = Recipe) -> list[str]:
    validator = jsonschema.Draft7Validator(schema_of(cls))
    return [error.message for error in validator.iter_errors(table)]


def test_a_schema_holds_types_defaults_choices_and_the_lines_under_the_fields() -> None:
    assert schema_of(Play) == {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "description": "What is played.",
        "additionalProperties": False,
        "properties": {
            "extends": {
                "type": "string",
                "description": "The recipe to start from: a path, or the name of a shipped one.",
            },
            "world": {"type": "string", "description": "Which world is played."},
            "carry": {"enum": ["scenario", "split"], "default": "scenario"},
            "splits": {"type": "array", "items": {"type": "string"}, "default": ["dev"]},
            "limits": {
                "type": "object",
                "description": "How far it may go.",
                "additionalProperties": False,
                "properties": {
                    "turns": {"type": "integer", "description": "Turns before an episode is stopped.", "default": 5},
                    "seconds": {"anyOf": [{"type": "number"}, {"const": "none"}]},
                },
            },
        },
    }


def test_the_schema_is_one() -> None:
    jsonschema.Draft7Validator.check_schema(schema_of(Recipe))


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.stem)
def test_a_shipped_recipe_names_the_schema_first_and_fits_it(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    directive, path = text.splitlines()[0].split()
    assert directive == "#:schema"
    schema = json.loads((file.parent / path).read_text(encoding="utf-8"))
    jsonschema.validate(tomllib.loads(text), schema, jsonschema.Draft7Validator)
    assert errors_in(tomllib.loads(to_toml(read(Recipe, file)))) == []


@pytest.mark.parametrize(
    "table",
    [
        {"evaluate": {"temperature": "none"}},
        {"evaluate": {"temperature": 1}},
        {"suite": {"name": "mine:suite", "options": {"file": "x", "sizes": [1, 2.5, True]}}},
        {"suite": {"desk": {"part": "starter"}}},
        {"sft": {"learner": {"betas": [0.9, 0.98]}}},
    ],
)
def test_what_a_recipe_takes_fits(table: dict[str, Any]) -> None:
    resolve(Recipe, table)
    assert errors_in(table) == []


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"evaluate": {"scenaros": 4}}, "Additional properties are not allowed ('scenaros' was unexpected)"),
        ({"evaluation": {}}, "Additional properties are not allowed ('evaluation' was unexpected)"),
        ({"suite": {"desks": {}}}, "Additional properties are not allowed ('desks' was unexpected)"),
        ({"suite": {"desk": {"part": 3}}}, "3 is not "),
        ({"seed": "0"}, "'0' is not of type 'integer'"),
        ({"evaluate": {"carry": "all"}}, "'all' is not one of ['scenario', 'split']"),
        ({"expert": {"styles": "careful"}}, "'careful' is not of type 'array'"),
        ({"train": 30}, "30 is not of type 'object'"),
    ],
)
def test_what_a_recipe_refuses_does_not_fit(table: dict[str, Any], said: str) -> None:
    with pytest.raises(RecipeError):
        resolve(Recipe, table)
    [error] = errors_in(table)
    assert error.startswith(said)


def test_the_command_prints_the_schema() -> None:
    done = CliRunner().invoke(app, ["recipe", "--schema"])
    assert json.loads(done.stdout) == json.loads(json.dumps(schema_of(Recipe)))


def test_the_schema_of_one_recipe_is_refused() -> None:
    done = CliRunner().invoke(app, ["recipe", "sage", "--schema"])
    assert isinstance(done.exception, RecipeError)
    assert done.exception.hint == "prowess recipe --schema"
