"""Options that the commands share, and the recipe that they name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from prowess.pipeline.recipe import Recipe


def recipe_names(incomplete: str) -> list[str]:
    """The shipped recipes that begin so, for the shell; where none does, it completes files."""
    from prowess.recipe import shipped

    return sorted(name for name in shipped() if name.startswith(incomplete))


def recipe_keys(incomplete: str) -> list[tuple[str, str]]:
    """The keys of a recipe that begin so, for the shell, each with what it means."""
    from prowess.pipeline.recipe import Recipe
    from prowess.recipe import describe

    return [(f"{entry.key}=", entry.doc) for entry in describe(Recipe) if entry.key.startswith(incomplete)]


RecipeFile = Annotated[
    str,
    typer.Argument(
        metavar="RECIPE", help="A recipe's path, or the name of a shipped one.", autocompletion=recipe_names
    ),
]


Sets = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="SECTION.KEY=VALUE",
        help="Over the recipe; may be given many times.",
        autocompletion=recipe_keys,
    ),
]


Out = Annotated[Path | None, typer.Option("--out", help="The run's folder. (default: runs/NAME-COMMAND)")]


Force = Annotated[bool, typer.Option("--force", help="Begin again, deleting what the run's folder holds.")]


ForceAll = Annotated[bool, typer.Option("--force", help="Begin all its runs again, deleting what they hold.")]
Workers = Annotated[
    int | None,
    typer.Option("--workers", min=0, help="Episodes played at once, 0 for two per core; changes no result."),
]


AsJson = Annotated[bool, typer.Option("--json", help="One JSON object a line, for scripts.")]


RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


def read_recipe(recipe: str, sets: list[str] | None, workers: int | None = None) -> Recipe:
    from dataclasses import replace

    from prowess.pipeline.recipe import Recipe
    from prowess.recipe import read

    settings = read(Recipe, recipe, sets or [])
    return replace(settings, workers=workers) if workers is not None else settings
