"""The commands about AppWorld: `prowess appworld setup | verify`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from prowess.text.terminal import say

if TYPE_CHECKING:
    from prowess_appworld.inventory import Inventory
    from prowess_appworld.verify import Outcome

app = typer.Typer(no_args_is_help=True)

Home = Annotated[
    Path | None,
    typer.Option("--home", help="AppWorld's folder, else PROWESS_APPWORLD, else ~/.cache/prowess/appworld."),
]
SHOWN = 10
"""Troubles told one by one."""


@app.command()
def setup(
    bundle: Annotated[
        Path | None, typer.Option("--bundle", metavar="FILE", help="Take the data from a bundle, not the network.")
    ] = None,
    home: Home = None,
    python: Annotated[
        str, typer.Option("--python", help="The Python of AppWorld's environment, if not this one.")
    ] = "",
    force: Annotated[bool, typer.Option("--force", help="Make everything anew.")] = False,
) -> None:
    """Install AppWorld into an environment of its own and get its data; finish what an earlier set-up left."""
    from prowess_appworld.place import home as usual
    from prowess_appworld.setup import setup as make

    folder = home.expanduser().absolute() if home else usual()
    try:
        found = make(folder, python=python, bundle=bundle, force=force, say=say)
    except KeyboardInterrupt:
        say("stopped; the same command goes on from here")
        raise typer.Exit(130) from None
    print(f"AppWorld {found.version} in {folder}")
    print(f"tasks: {', '.join(f'{split} {count}' for split, count in found.splits.items())}")
    print(evaluations(found))
    say("to try it: prowess appworld verify")


@app.command()
def verify(
    split: Annotated[str, typer.Option("--split", help="The split whose tasks are tried.")] = "train",
    tasks: Annotated[int | None, typer.Option("--tasks", min=1, help="Only so many of them.")] = None,
    home: Home = None,
    workers: Annotated[int | None, typer.Option("--workers", min=1, help="Tasks tried at once.")] = None,
) -> None:
    """Open every task of a split and replay its reference solution, twice; say what does not work."""
    from contextlib import closing

    from prowess.figures.tables import rich_table
    from prowess.sandbox import SandboxSettings, open_sandbox
    from prowess.text.terminal import console, progress, safe
    from prowess_appworld.settings import AppWorldSettings
    from prowess_appworld.verify import outcomes_grid
    from prowess_appworld.verify import verify as tried
    from prowess_appworld.world import AppWorldSuite

    settings = AppWorldSettings(home=str(home) if home else "")
    settings.place.check()
    with closing(open_sandbox(SandboxSettings())) as sandbox, closing(AppWorldSuite(settings, sandbox)) as suite:
        chosen = suite.tasks(split)[:tasks]
        failed = 0
        with progress(len(chosen), f"verify {split}") as bar:

            def watch(outcome: Outcome) -> None:
                nonlocal failed
                failed += bool(outcome.trouble)
                bar.advance(1, failed=failed)

            outcomes = tried(suite, chosen, workers=workers or os.cpu_count() or 1, watch=watch)
    console().print(rich_table(outcomes_grid(outcomes), title=f"AppWorld, {split}"))
    troubled = [outcome for outcome in outcomes if outcome.trouble]
    for outcome in troubled[:SHOWN]:
        print(safe(f"{outcome.task}: {outcome.trouble[:300]}"))
    if len(troubled) > SHOWN:
        print(f"and {len(troubled) - SHOWN} more")
    raise typer.Exit(1 if troubled else 0)


def evaluations(found: Inventory) -> str:
    """Which evaluation is possible, in a line."""
    return f"evaluation: official for {found.official}, replay for {found.replay} of {found.tasks} tasks"
