"""What a recipe's training will take of GPUs, before anything is rented or begun."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prowess.learners.settings import LearnerSettings
from prowess.learners.sizing import GIB, Shape, Sizes, seconds, shape_of, sizes
from prowess.models.load import described
from prowess.pipeline.conflicts import check_together
from prowess.pipeline.recipe import Recipe

SPARE = 0.92
"""The share of a GPU's memory that may be planned with: its libraries and what is cut up take the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What learning takes."""

    model: str
    shape: Shape
    gpus: int
    """GPUs that learn; those that play come on top."""
    sizes: Sizes
    gpu_gb: float
    """What one of them has."""
    episodes: int
    """Learned from in a step."""
    seconds: float
    """Of learning in a step; playing is not known before it was tried."""
    weights_gb: float
    """What servers are given after each step."""
    checkpoint_gb: float

    @property
    def fits(self) -> bool:
        return _fits(self.sizes.total, self.gpu_gb)


def planned(recipe: Recipe, *, gpu_gb: float, fed: float) -> Plan:
    """Where an episode feeds the learner so many tokens, and a GPU has so many GiB."""
    check_together(recipe)
    learner, train = recipe.learner, recipe.train
    shape = shape_of(described(recipe.model))
    gpus = learner.verl.ranks if learner.engine == "verl" else 1
    episodes = train.chains * train.group * train.length
    context = recipe.agent.context_tokens
    adapter = bool(learner.lora_rank)
    return Plan(
        model=recipe.model.name,
        shape=shape,
        gpus=gpus,
        sizes=_sizes(shape, learner, gpus=gpus, tokens=max(learner.micro_tokens, context)),
        gpu_gb=gpu_gb,
        episodes=episodes,
        seconds=seconds(shape, gpus=gpus, fed=episodes * fed, context=context),
        weights_gb=(0.02 if adapter else 1) * 2 * shape.parameters / GIB,
        checkpoint_gb=(0.1 if adapter else 12) * shape.parameters / GIB,
    )


def _sizes(shape: Shape, learner: LearnerSettings, *, gpus: int, tokens: int) -> Sizes:
    return sizes(
        shape,
        gpus=min(learner.verl.shard or gpus, gpus),
        tokens=-(-tokens // learner.verl.sequence),
        adapter=bool(learner.lora_rank),
        checkpointing=learner.checkpointing,
        offload=learner.verl.offload == "states",
    )


def ways(recipe: Recipe, plan: Plan) -> list[str]:
    """What would make it fit, each with what a GPU would then take, the smallest change first."""
    learner = recipe.learner
    tried: list[tuple[str, LearnerSettings, int]] = []
    lean = replace(learner, checkpointing=True)
    if learner.micro_tokens > recipe.agent.context_tokens:
        fewer = replace(learner, micro_tokens=recipe.agent.context_tokens)
        tried.append((f"learner.micro_tokens = {fewer.micro_tokens}", fewer, plan.gpus))
    if not learner.checkpointing:
        tried.append(("learner.checkpointing = true", lean, plan.gpus))
    if learner.engine == "verl" and learner.verl.offload == "none":
        away = replace(lean, verl=replace(learner.verl, offload="states"))
        tried.append(("learner.checkpointing = true and learner.verl.offload = 'states'", away, plan.gpus))
    found = [(words, one.total) for words, way, gpus in tried if (one := _wanted(recipe, plan, way, gpus)).total]
    for more in (2, 4, 8, 16, 32, 64):
        gpus = more * plan.gpus
        one = _wanted(recipe, plan, lean, gpus)
        if _fits(one.total, plan.gpu_gb):
            found.append((f"learner.engine = 'verl' on {gpus} GPUs, learner.checkpointing = true", one.total))
            break
    return [f"{words}: {total:.0f} GiB" for words, total in found if _fits(total, plan.gpu_gb)]


def _wanted(recipe: Recipe, plan: Plan, learner: LearnerSettings, gpus: int) -> Sizes:
    return _sizes(plan.shape, learner, gpus=gpus, tokens=max(learner.micro_tokens, recipe.agent.context_tokens))


def _fits(total: float, gpu_gb: float) -> bool:
    return total <= SPARE * gpu_gb
