"""Options that the commands share, and the store, the person and the recipe that they name."""

from __future__ import annotations

import getpass
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prowess.cli.options import read_recipe

if TYPE_CHECKING:
    from prowess.pipeline.recipe import Recipe
    from prowess.store.db import Store

PLACE = Path("skills.db")
VARIABLE = "PROWESS_SKILLS"

StoreFile = Annotated[Path, typer.Option("--store", metavar="PATH", envvar=VARIABLE, help="The skill store, a file.")]
Named = Annotated[
    str,
    typer.Argument(metavar="SKILL", help="A name, an old name, NAMESPACE:NAME, an id, NAME@VERSION or a digest."),
]
Digests = Annotated[
    list[str], typer.Argument(metavar="DIGEST...", help="The digests that were looked at, or their beginnings.")
]
Who = Annotated[str, typer.Option("--who", help="Who decides. (default: the user's name)")]
Why = Annotated[str, typer.Option("--why", help="The reason, kept for good.")]
Namespace = Annotated[str | None, typer.Option("--namespace", help="Only skills of this world or app.")]
Statuses = Annotated[
    list[str] | None, typer.Option("--status", metavar="STATUS", help="Only skills of this status; may be repeated.")
]
World = Annotated[
    str, typer.Option("--world", metavar="RECIPE", help="A recipe whose world the skills belong to, such as expert.")
]
Runs = Annotated[
    list[Path] | None,
    typer.Option(
        "--runs", metavar="FOLDER", exists=True, file_okay=False, help="Where runs lie, besides the usual places."
    ),
]
Limit = Annotated[int, typer.Option("--limit", min=1, max=10**9, help="At most so many.")]


def again(path: Path) -> str:
    """What to add to a command for it to mean this store, where that is not the usual one.

    >>> again(Path("skills.db")), again(Path("my skills.db"))
    ('', " --store 'my skills.db'")
    """
    return "" if path == Path(usual() or PLACE) else f" --store {shlex.quote(str(path))}"


def usual() -> str | None:
    """The store that the variable PROWESS_SKILLS names; one that is empty names none, as with `--store`'s own."""
    return os.environ.get(VARIABLE) or None


@contextmanager
def opened(path: Path, *, create: bool = False) -> Iterator[Store]:
    """The store at a path; only what brings skills in may begin one."""
    from prowess.errors import RecipeError
    from prowess.store.db import Store

    if not create and not path.exists():
        raise RecipeError(
            f"there is no skill store at {path}",
            hint="name it by --store PATH or PROWESS_SKILLS, or begin one: prowess skills propose RUN",
        )
    with Store.open(path, create=create) as store:
        yield store


def person(who: str) -> str:
    """Who decides: as told, or the user of this terminal."""
    if who:
        return who
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # no name for this user id, as in some containers
        return "somebody"


def recipe_of(name: str, sets: list[str] | None) -> Recipe:
    """The recipe of that name with what was set over it; without a name, the defaults."""
    from prowess.pipeline.recipe import Recipe
    from prowess.recipe import resolve

    return read_recipe(name, sets) if name else resolve(Recipe, {}, sets or [])
