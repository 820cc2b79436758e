"""Who plays with what was learnt: a checkpoint, the best of a run, or what training starts from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from prowess.errors import RecipeError
from prowess.models.adapter import base_of, is_adapter
from prowess.models.load import check_model
from prowess.pipeline.policies import speaker
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.starts import best_of, newest, start_of
from prowess.policies.engines import check_engine
from prowess.policies.sampling import ENGINES
from prowess.run import is_run
from prowess.text.terminal import say
from prowess.types import Policy


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
