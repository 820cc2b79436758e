"""The commands `prowess pantry ...`. Like the plugin, this imports what is heavy inside the functions."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True)


@app.command()
def tasks(
    split: Annotated[str, typer.Option("--split", help="Which tasks.")] = "train",
    seed: Annotated[int, typer.Option("--seed", help="The seed that draws them.")] = 0,
) -> None:
    """List the tasks of a split."""
    from prowess.errors import unknown
    from prowess_pantry.settings import PantrySettings
    from prowess_pantry.world import SPLITS, cases

    if split not in SPLITS:
        raise unknown("split of the pantry", split, SPLITS)
    settings = PantrySettings(seed=seed)
    for number in range(settings.scenarios):
        for case in cases(settings, f"{split}.{number}"):
            print(f"{case.task.id}  {case.task.instruction}")
