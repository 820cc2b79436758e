"""The command that makes something to begin with: init."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from prowess.text.terminal import say


def init(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the world and its package are called.")],
    out: Annotated[Path | None, typer.Option("--out", help="The folder to make. (default: NAME)")] = None,
) -> None:
    """Make a world of your own to begin with: a package with a recipe, a world, an expert and a test."""
    from prowess.commands.init import make_world

    folder = out or Path(name)
    for path in make_world(name, folder):
        print(path)
    place = shlex.quote(str(folder))
    say(f"next: cd {place}; prowess check {name}.plugin:WORLD; prowess evaluate {name}.toml; python -m pytest")
