"""The policy that a recipe names, and the model and data that it may be made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

from prowess.commands.collect import data_in
from prowess.commands.dataset import file_in, read_dataset
from prowess.errors import MissingExtra, ProwessError, RecipeError, told
from prowess.models import Brain
from prowess.models.load import load
from prowess.pipeline.recipe import Recipe
from prowess.policies.endpoint.endpoint import Endpoint
from prowess.policies.engines import check_engine, player_for
from prowess.policies.sampling import SamplingSettings
from prowess.policies.scripted import Scripted
from prowess.policies.taught import taught
from prowess.recipe import check_call, lookup
from prowess.types import Policy
from prowess.worlds.registry import world_named


def expert_of(recipe: Recipe) -> Policy:
    """Who knows how to do the tasks of a recipe's suite."""
    world = world_named(recipe.suite.name)
    if world.expert is None:
        raise RecipeError(
            f"suite '{recipe.suite.name}' has no expert, and policy.name is '{recipe.policy.name}'",
            hint="name who plays: policy.name = 'endpoint', 'local' or your own 'module:function'",
        )
    return world.expert(recipe.suite.own, recipe.expert)


POLICIES: Mapping[str, Callable[[Recipe], Policy]] = {
    "endpoint": lambda recipe: Endpoint(replace(recipe.policy.endpoint, reply_tokens=recipe.agent.reply_tokens)),
    "expert": expert_of,
    "local": lambda recipe: speaker(recipe, recipe.speech),
    "server": lambda recipe: speaker(recipe, replace(recipe.speech, engine="server")),
    "scripted": lambda recipe: Scripted(recipe.policy.options.get("replies", ())),
    "taught": lambda recipe: taught(
        speaker(recipe, recipe.speech), expert_of(recipe), again=recipe.teach.again, early=recipe.teach.early
    ),
    "vllm": lambda recipe: _on_vllm(recipe),
}


def policy_of(recipe: Recipe) -> Policy:
    """The policy a recipe names; somebody else's is made by a function that is given the recipe."""
    name = recipe.policy.name
    make = lookup("policy", name, POLICIES)
    if name in POLICIES:
        return make(recipe)
    hint = "the function is called with the recipe, and returns the policy: a function of (messages, *, seed)"
    try:
        policy: object = make(recipe)
    except ProwessError:
        raise
    except Exception as problem:
        raise RecipeError(
            f"policy '{name}' could not be made: {told(problem)}",
            hint=hint if isinstance(problem, TypeError) else "",
        ) from problem
    if not callable(policy):
        raise RecipeError(f"policy '{name}' gave a {type(policy).__name__}, which is no policy", hint=hint)
    check_call(f"policy '{name}': what it gave", policy, ["messages"], ["seed"], hint=hint)
    return cast(Policy, policy)


def speaker(recipe: Recipe, speech: SamplingSettings, name: str = "") -> Policy:
    """The model of a recipe, or another one, as a policy; that an engine is missing is told before one is fetched."""
    check_engine(speech)
    return player_for(brain_of(recipe, name), speech).policy()


def _on_vllm(recipe: Recipe) -> Policy:
    try:
        return speaker(recipe, replace(recipe.speech, engine="vllm"))
    except MissingExtra as error:
        local = "--set policy.name=local --set sampling.engine=local"  # the policy's engine goes before the recipe's
        hint = error.hint.replace("--set sampling.engine=local", local)
        raise RecipeError(f"the policy 'vllm' needs the extra '{error.extra}'", hint=hint) from None


def brain_of(recipe: Recipe, name: str = "", *, weights: bool = True) -> Brain:
    """The model of a recipe, or another one with its settings; `tiny` learns its tokenizer from the recipe's data.
    Without `weights` it is only described."""
    settings = replace(recipe.model, name=name or recipe.model.name)
    texts: list[str] = []
    if settings.name == "tiny":
        texts = [message.content for each in read_dataset(data_of(recipe)) for message in each.messages]
    return load(settings, texts=texts, seed=recipe.seed, weights=weights)


def data_of(recipe: Recipe) -> Path:
    """The data set of a recipe: the one named, or that of `prowess collect` with the same recipe."""
    path = file_in(recipe.sft.data or data_in(recipe.folder("collect")))
    if not path.is_file():
        too = " or for the tokenizer of 'tiny'" if recipe.model.name == "tiny" else ""
        inside = data_in(path.parent)
        learnt = data_in(Path("runs") / recipe.name / "collect")  # where learn keeps it
        there = f"--set sft.data={learnt.parent} takes what learn collected; else " if learnt.is_file() else ""
        hint = f"{there}prowess collect first, or name one in sft.data"
        raise RecipeError(
            f"there is no data set at {path}, to imitate{too}",
            hint=f"there is one in {inside.parent}: name that in sft.data" if inside.is_file() else hint,
        )
    return path
