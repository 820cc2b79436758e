"""Which weights learning starts from, and who plays with what was learnt: a model, a checkpoint, the best of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from prowess.errors import RecipeError
from prowess.models.adapter import base_of, is_adapter
from prowess.models.load import check_model
from prowess.pipeline.policies import speaker
from prowess.pipeline.recipe import Recipe
from prowess.policies.engines import check_engine
from prowess.policies.sampling import ENGINES
from prowess.run import Run, is_run
from prowess.run.checkpoints import Checkpoints
from prowess.text.terminal import say
from prowess.types import Policy

LEARNT = ("{}-sft", "{}-teach/teach*/sft", "{}-train", "{}/sft", "{}/teach*/sft", "{}/train")
"""Where a recipe's commands keep what was learnt unless told otherwise, by the recipe's name."""


def start_of(recipe: Recipe) -> str:
    """The model that training starts from: the bare one, a checkpoint, or the best of a run."""
    named, own = recipe.train.start, recipe.folder("sft")
    if named == "base":
        return recipe.model.name
    if not named and not is_run(own):
        made = _imitated(recipe)
        there = f"--set train.start={made} starts from the run there; else " if made else ""
        raise RecipeError(
            f"there is no run at {own} to start from",
            hint=f'{there}prowess sft first, or train.start = "base", or the folder of a checkpoint or run',
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
    return _newest(recipe, LEARNT)


def _imitated(recipe: Recipe) -> Path | None:
    """The run in which it imitated last. `learn` keeps its own elsewhere than the single commands."""
    return _newest(recipe, [pattern for pattern in LEARNT if pattern.endswith("sft")])


def _newest(recipe: Recipe, patterns: Iterable[str]) -> Path | None:
    runs = recipe.folder("train").parent
    places = [place for pattern in patterns for place in runs.glob(pattern.format(recipe.name))]
    found = [place for place in places if is_run(place) and Checkpoints(Run.open(place)).best]
    return max(found, key=lambda place: (place / "checkpoints").stat().st_mtime_ns, default=None)


def playing(recipe: Recipe, checkpoint: Path) -> Recipe:
    """The recipe with a checkpoint as who plays, with the engine it names; of a run, the best."""
    if not checkpoint.is_dir():
        of_hub = f"; of the hub: --set policy.name=local --set model.name={checkpoint}"
        raise RecipeError(
            f"there is no folder '{checkpoint}'",
            hint="a checkpoint's, a run's, an adapter's or a model's is needed"
            + (of_hub if len(checkpoint.parts) == 2 and not checkpoint.parent.exists() else ""),
        )
    place = best_of(checkpoint) if is_run(checkpoint) else checkpoint
    if is_adapter(place) and (base := base_of(place)) != recipe.model.name:
        say(f"note: {place} is an adapter of {base}, and plays on that")
    engine = recipe.sampling.engine
    played = replace(
        recipe,
        policy=replace(recipe.policy, name=engine if engine in ENGINES else "local"),
        model=replace(recipe.model, name=str(place)),
    )
    check_player(played)
    return played


def player(recipe: Recipe, checkpoint: Path | None = None) -> Policy:
    """Plays with what a training of this recipe has learnt at a checkpoint; without one, with what it starts from."""
    return speaker(recipe, recipe.speech, str(checkpoint or start_of(recipe)))


def check_expert(recipe: Recipe) -> None:
    """Say that the expert would play where the recipe has learnt: its figures would be taken for those of what did."""
    run = newest(recipe) if recipe.policy.name == "expert" else None
    if run is not None:
        raise RecipeError(
            f"policy.name is 'expert', and '{recipe.name}' has learnt: {best_of(run)}",
            hint=f"--checkpoint {run} plays that, --set policy.name=expert the expert",
        )


def check_player(recipe: Recipe) -> None:
    """Say now what playing will lack, and what of the recipe the model does not have."""
    check_engine(recipe.sampling)
    most = check_model(recipe.model)
    if 0 < most < recipe.agent.context_tokens:
        wanted = f"agent.context_tokens is {recipe.agent.context_tokens}"
        say(f"note: {wanted}, and the model's context {most}: longer conversations end there")
