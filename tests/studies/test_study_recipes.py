"""Recipes of the studies can be read where they lie, so that the commands told beside them work."""

from __future__ import annotations

from pathlib import Path

import pytest

from prowess.pipeline.recipe import Recipe
from prowess.recipe import read

RECIPES = sorted((Path(__file__).parents[2] / "studies" / "starter").glob("*.toml"))


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.stem)
def test_a_recipe_of_the_study_on_the_starter_part_is_read(file: Path) -> None:
    recipe = read(Recipe, file)
    assert recipe.name == file.stem and recipe.model.name == "tiny"
