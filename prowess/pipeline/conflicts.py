"""Settings of different sections that cannot go together, told before anything is begun.

Each of them alone is fine, and together they would be ignored, or teach nothing, in silence.
"""

from __future__ import annotations

from dataclasses import replace

from prowess.credit.advantage import COMPARISONS
from prowess.errors import RecipeError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.pipeline.recipe import Recipe
from prowess.policies.sampling import SamplingSettings


def check_together(recipe: Recipe) -> None:
    """Say what of a recipe for training contradicts the rest of it."""
    _check_compared(recipe)
    _check_learnt(recipe)
    _check_overlap(recipe)
    check_given(recipe.sampling, "learner.lora_rank", recipe.learner.lora_rank)
    check_spread("learner", recipe.learner, recipe.loss, recipe.sampling)
    if recipe.evaluate.temperature is not None:
        replace(recipe.sampling, temperature=recipe.evaluate.temperature)  # not every engine plays at every one


def _check_compared(recipe: Recipe) -> None:
    """What is played is compared with something, and a task of a chain is offered what another left."""
    train = recipe.train
    if recipe.reward.name == "uplift" and not train.masked:
        raise RecipeError("reward 'uplift' compares with a control arm, and train.masked is 0", hint="half the group")
    if train.group - train.masked < 2 and recipe.advantage.name in COMPARISONS:
        raise RecipeError(
            f"train.group is {train.group} and train.masked {train.masked}: one rollout alone is compared with nobody,"
            " and nothing is learnt from it",
            hint="a group of at least two with a library",
        )
    if train.pairs == "likeness" and train.length > 1 and recipe.retrieval.name == "scenario":
        raise RecipeError(
            "train.pairs is 'likeness', and retrieval.name 'scenario' offers nothing from one scenario to another",
            hint="retrieval.name = 'everything' offers what the chain has saved; 'hybrid' and others choose among it",
        )


def _check_learnt(recipe: Recipe) -> None:
    """The learner goes by what is said elsewhere, and its loss takes what it is given."""
    learner, loss = recipe.learner, recipe.loss
    for name, key, holds in (
        ("steps", "train.steps", recipe.train.steps),
        ("temperature", "sampling.temperature", recipe.sampling.learnt_at),
    ):
        said, usual = (getattr(one, name) for one in (learner, LearnerSettings()))
        if said not in (usual, holds):
            told = f"learner.{name} is {said:g}, and {key}, which it goes by, {holds:g}"
            raise RecipeError(told, hint=f"{key} says it for the learner, too")
    if loss.kind == "imitate" and (loss.kl or loss.tis):
        raise RecipeError(
            f"loss.kind 'imitate' knows neither KL nor sampler, and loss.kl is {loss.kl:g}, loss.tis {loss.tis:g}",
            hint="0 for both; with one change of the weights a step, 'clip' is the same and knows them",
        )
    share, falls = 0 < learner.warmup < 1, learner.schedule == "cosine"
    if recipe.train.minutes and (share or falls):
        what = f"learner.warmup is {learner.warmup:g}, a share" if share else "learner.schedule is 'cosine'"
        raise RecipeError(
            f"{what}: it goes by train.steps, and train.minutes is {recipe.train.minutes:g}, so nobody knows how many"
            " there will be",
            hint="learner.schedule = 'constant' and a warm-up in whole steps, or train.minutes = 0",
        )


def _check_overlap(recipe: Recipe) -> None:
    """Who plays while the learner works has weights of its own, and is awake."""
    if recipe.train.overlap and recipe.sampling.engine == "local":
        raise RecipeError(
            "train.overlap is true, and sampling.engine 'local' plays with the very weights that are learnt",
            hint="sampling.engine = 'vllm' or 'server', or overlap = false",
        )
    if recipe.train.overlap and recipe.sampling.vllm.sleep:
        raise RecipeError(
            "train.overlap plays while the learner works, and sampling.vllm.sleep sends vLLM to sleep then",
            hint="one of them, not both",
        )


def check_given(sampling: SamplingSettings, key: str, rank: int) -> None:
    """What is learnt is what servers are given."""
    if sampling.engine == "server" and sampling.server.weights == "adapter" and not rank:
        raise RecipeError(
            f"sampling.server.weights is 'adapter', and all parameters are learnt: {key} is 0",
            hint=f"{key} above 0, or sampling.server.weights = 'whole'",
        )


def check_spread(
    section: str, learner: LearnerSettings, loss: LossSettings | None, sampling: SamplingSettings | None
) -> None:
    """What weights that lie on several GPUs cannot do. Without `sampling` nobody plays with them."""
    if learner.engine != "verl":
        return
    engine = f"{section}.engine is 'verl'"
    if learner.optimizer != "adamw":
        raise RecipeError(
            f"{engine}, and {section}.optimizer '{learner.optimizer}': shards are learnt by AdamW",
            hint=f"{section}.optimizer = 'adamw'; {section}.verl.offload = 'states' takes less memory, too",
        )
    if learner.weight_decay:
        raise RecipeError(
            f"{engine}, and {section}.weight_decay {learner.weight_decay:g}: verl would pull norms and biases, too",
            hint=f"{section}.weight_decay = 0",
        )
    if loss and loss.kl and not learner.lora_rank:
        raise RecipeError(
            f"{engine}, and loss.kl {loss.kl:g}: a second copy of all weights would be needed",
            hint=f"loss.kl = 0, or {section}.lora_rank above 0: without its adapter, the model is what it was",
        )
    if sampling and sampling.engine in ("local", "vllm"):
        raise RecipeError(
            f"{engine}, and sampling.engine '{sampling.engine}', which plays with weights of one process",
            hint="sampling.engine = 'server' with sampling.server.urls: the weights are sent to servers of vLLM",
        )
