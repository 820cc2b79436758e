"""Which weights learning starts from: the bare model, a checkpoint, or the best of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from prowess.errors import RecipeError
from prowess.models.load import check_model
from prowess.pipeline.recipe import Recipe
from prowess.run import Run, is_run
from prowess.run.checkpoints import Checkpoints

LEARNT = ("{}-sft", "{}-teach/teach*/sft", "{}-train", "{}/sft", "{}/teach*/sft", "{}/train")
"""Where a recipe's commands keep what was learnt unless told otherwise, by the recipe's name."""


def start_of(recipe: Recipe) -> str:
    """The model that training starts from: the bare one, a checkpoint, or the best of a run."""
    named, own = recipe.train.start, recipe.folder("sft")
    if named == "base":
        return recipe.model.name
    if not named and not is_run(own):
        raise RecipeError(
            f"there is no run at {own} to start from",
            hint='prowess sft first, or train.start = "base", or the folder of a checkpoint or run',
        )
    start = Path(named or own)
    found = str(best_of(start) if is_run(start) else start)
    try:
        check_model(replace(recipe.model, name=found))
    except RecipeError as error:
        what = f"train.start is '{named}'" if named else f"training starts from {own}"
        hint = f"{error.hint}; " if error.hint else ""
        raise RecipeError(
            f"{what}: {error.message}", hint=f'{hint}allowed: empty, "base", or the folder of a checkpoint or run'
        ) from error
    return found


def best_of(folder: Path) -> Path:
    """The best checkpoint of a run, or its last where none was scored."""
    run = Run.open(folder)
    best = Checkpoints(run).best
    if best is None:
        made = f"it is of '{run.about.command}'; sft, teach and train make checkpoints"
        raise RecipeError(f"the run {folder} has no checkpoint yet", hint=made)
    return best


def newest(recipe: Recipe) -> Path | None:
    """The run in which a recipe learnt last, by `sft`, `teach` and `train` or by `learn`, where these keep theirs."""
    runs = recipe.folder("train").parent
    places = [place for pattern in LEARNT for place in runs.glob(pattern.format(recipe.name))]
    found = [place for place in places if is_run(place) and Checkpoints(Run.open(place)).best]
    return max(found, key=lambda place: (place / "checkpoints").stat().st_mtime_ns, default=None)
