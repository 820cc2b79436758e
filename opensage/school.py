"""From a recipe to learning: the model, its data or its world, the learner, and the course that keeps its way.

What `opensage sft` and `opensage train` do, apart from talking to the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from opensage.advantage import make_advantage
from opensage.agent import Agent
from opensage.course import Course
from opensage.dataset import read_dataset
from opensage.errors import RecipeError
from opensage.evaluate import score
from opensage.losses import LossSettings
from opensage.models import Brain
from opensage.models.load import load
from opensage.reward import make_reward, parts
from opensage.run import Run
from opensage.sft import lessons_of, sft, steps_in
from opensage.sinks import open_sinks
from opensage.train import train
from opensage.types import Policy
from opensage.wiring import Parts, Recipe, parts_of

ADAPTER = "adapter_config.json"
"""A checkpoint with this file is an adapter, to be put on the model it was made on."""
Watch = Callable[[int, Mapping[str, float], int], None]
"""Shown every step: its number, its figures, and how many steps there are."""


def imitate(recipe: Recipe, run: Run, watch: Watch) -> None:
    """Learn from collected conversations by imitation, and score the result on the split of [evaluate]."""
    from opensage.learners.torch import TorchLearner

    conversations = list(read_dataset(data_of(recipe)))
    texts = [message.content for conversation in conversations for message in conversation.messages]
    brain = load(recipe.model, texts=texts, seed=recipe.seed)
    lessons = lessons_of(conversations, brain.chat.imitate, recipe.sft, seed=recipe.seed)
    total = steps_in(lessons, recipe.sft)
    learner = TorchLearner(
        brain,
        replace(recipe.sft.learner, steps=total),
        LossSettings(kind="imitate", aggregate="token"),
        recipe.speech,
        seed=recipe.seed,
    )
    keep = recipe.sft.keep
    with _course(recipe, run, watch, total, keep=keep) as course, parts_of(recipe, learner.policy()) as live:
        mark = partial(_mark, recipe, live)
        sft(learner, lessons, recipe.sft, course, score=mark, seed=recipe.seed)


def reinforce(recipe: Recipe, run: Run, watch: Watch) -> None:
    """Learn from playing: SAGE, or what the recipe makes of it."""
    from opensage.learners.torch import TorchLearner

    total = recipe.train.steps
    brain, adapter = _beginning(recipe)
    settings = replace(recipe.learner, steps=total, temperature=recipe.sampling.temperature or 1.0)
    learner = TorchLearner(brain, settings, recipe.loss, recipe.speech, seed=recipe.seed)
    if adapter:
        learner.start(adapter)
    with (
        _course(recipe, run, watch, total, keep=recipe.train.keep) as course,
        parts_of(recipe, learner.policy()) as live,
    ):
        train(
            learner,
            live.agent,
            live.suite,
            recipe.train,
            course,
            reward=make_reward(recipe.reward),
            parts=partial(parts, settings=recipe.reward),
            advantage=make_advantage(recipe.advantage),
            score=lambda agent: _mark(recipe, live, agent.policy),
            seed=recipe.seed,
            workers=recipe.threads,
        )


def player(recipe: Recipe, checkpoint: Path | None = None) -> Policy:
    """Plays with what a training of this recipe has learnt at a checkpoint; without one, with what it starts from."""
    from opensage.learners.torch import TorchLearner
    from opensage.policies.local import LocalPolicy

    if checkpoint and not (checkpoint / ADAPTER).is_file():
        return LocalPolicy(load(replace(recipe.model, name=str(checkpoint))), recipe.speech)
    brain, adapter = _beginning(recipe)
    if not (checkpoint or adapter):
        return LocalPolicy(brain, recipe.speech)
    settings = replace(recipe.learner, steps=recipe.train.steps)
    learner = TorchLearner(brain, settings, recipe.loss, recipe.speech, seed=recipe.seed)
    learner.start(checkpoint or adapter or Path())
    return learner.policy()


def data_of(recipe: Recipe) -> Path:
    """The data set to imitate: the one named, or that of `opensage collect` with the same recipe."""
    path = Path(recipe.sft.data) if recipe.sft.data else recipe.folder("collect") / "data" / "sft.jsonl"
    if not path.is_file():
        raise RecipeError(f"there is no data set at {path}", hint="opensage collect first, or name one in sft.data")
    return path


def best_of(folder: Path) -> Path:
    """The best checkpoint of a run, or its last where none was scored."""
    best = Course(Run.open(folder)).best
    if best is None:
        raise RecipeError(f"the run {folder} has no checkpoint yet")
    return best


@contextmanager
def _course(recipe: Recipe, run: Run, watch: Watch, total: int, *, keep: int) -> Iterator[Course]:
    """A course whose figures are shown, and told to the recipe's sinks."""
    with open_sinks(recipe.sinks, run) as send:

        def told(step: int, figures: Mapping[str, float]) -> None:
            send(step, figures)
            watch(step, figures, total)

        yield Course(run, keep=keep, watch=told)


def _beginning(recipe: Recipe) -> tuple[Brain, Path | None]:
    """The model to train, and the adapter to put on it if the start is one."""
    if recipe.train.start == "base":
        return load(recipe.model, seed=recipe.seed), None
    if recipe.train.start:
        start = Path(recipe.train.start)
        start = best_of(start) if (start / "run.json").is_file() else start
    elif (recipe.folder("sft") / "run.json").is_file():
        start = best_of(recipe.folder("sft"))
    else:
        raise RecipeError(
            f"there is no run at {recipe.folder('sft')} to start from",
            hint='opensage sft first, or train.start = "base", or the folder of a checkpoint or run',
        )
    if (start / ADAPTER).is_file():
        return load(recipe.model, seed=recipe.seed), start
    return load(replace(recipe.model, name=str(start))), None


def _mark(recipe: Recipe, live: Parts, policy: Policy) -> dict[str, float]:
    """How well a policy plays the split of [evaluate] now."""
    agent: Agent = replace(live.agent, policy=policy)
    warmth = recipe.evaluate.temperature
    if warmth is not None and hasattr(policy, "at"):
        agent = replace(agent, policy=policy.at(warmth))
    return score(agent, live.suite, recipe.evaluate, seed=recipe.seed, workers=recipe.threads)
