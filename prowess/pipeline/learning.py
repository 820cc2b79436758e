"""Both ways to learn, from a recipe: the model, its data or its world, the learner, and its checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn, Protocol

from prowess.commands.dataset import read_dataset
from prowess.commands.evaluate import scenarios_of, score
from prowess.commands.sft import lessons_of, rehearsal, sft, short_enough, steps_in
from prowess.commands.train import Player, make_credit, train
from prowess.errors import LearnerGone
from prowess.learners.engines import Inside, Pupil, learner_for
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.models import Brain
from prowess.models.adapter import base_of, is_adapter
from prowess.pipeline.checks import shown_in, tell_fewer, tell_last
from prowess.pipeline.parts import Parts, parts_of
from prowess.pipeline.policies import brain_of, data_of
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.starts import start_of
from prowess.play.rollout import chains_of
from prowess.run import Run
from prowess.run.checkpoints import Checkpoints
from prowess.run.sinks import open_sinks
from prowess.text.plural import counted
from prowess.text.terminal import say
from prowess.types import Chain, Message, Policy


class Watch(Protocol):
    """Shown every step: its number, its figures, and how many steps there are. One under way counts for none yet."""

    def __call__(self, step: int, figures: Mapping[str, float], total: int, *, done: int = 1) -> None: ...


def imitate(recipe: Recipe, run: Run, watch: Watch) -> None:
    """Learn from collected conversations by imitation, and score the result on the split of [evaluate]."""
    _restarting(recipe.sft.learner, lambda: _imitate(recipe, run, watch))


def reinforce(recipe: Recipe, run: Run, watch: Watch) -> None:
    """Learn from playing: SAGE, or what the recipe makes of it."""
    _restarting(recipe.learner, lambda: _reinforce(recipe, run, watch))


def _restarting(settings: LearnerSettings, learn: Callable[[], None]) -> None:
    """Learn, and go on from the last checkpoint where processes that learn were lost, as often as the settings say."""
    for left in range(settings.verl.restarts, 0, -1):
        try:
            learn()
        except LearnerGone as error:
            say(f"warning: {error.message}; going on from the last checkpoint ({counted(left, 'restart')} left)")
        else:
            return
    learn()


def _imitate(recipe: Recipe, run: Run, watch: Watch) -> None:
    conversations = list(read_dataset(shown_in(recipe)))
    brain, adapter = _pupil(recipe, recipe.model.name, recipe.sft.learner)
    lessons = lessons_of(conversations, brain.chat.imitate_all, recipe.sft, seed=recipe.seed)
    _tell_long(recipe, lessons.too_long, len(conversations))
    total = steps_in(lessons, recipe.sft)
    settings, loss = replace(recipe.sft.learner, steps=total), LossSettings(kind="imitate", aggregate="token")
    with (
        _learner(recipe, brain, adapter, settings, loss, _inside(watch, total)) as learner,
        _checkpoints(recipe, run, watch, total, keep=recipe.sft.keep) as checkpoints,
        ExitStack() as stack,
    ):
        play = None
        if recipe.sft.score:
            live = stack.enter_context(parts_of(recipe, _nobody))  # engines wait until the end
            play = partial(_score, recipe, live, _scored(recipe, live))
        sft(learner, lessons, recipe.sft, checkpoints, score=play, seed=recipe.seed)


def _reinforce(recipe: Recipe, run: Run, watch: Watch) -> None:
    total = recipe.train.steps
    shown = list(read_dataset(data_of(recipe))) if recipe.train.rehearse else []
    brain, adapter = _pupil(recipe, start_of(recipe), recipe.learner)
    fit = short_enough(shown, brain.chat.imitate_all, longest=recipe.sft.longest)
    _tell_long(recipe, len(shown) - len(fit), len(shown))
    settings = replace(recipe.learner, steps=total, temperature=recipe.sampling.learnt_at)
    with (
        _learner(recipe, brain, adapter, settings, recipe.loss, _inside(watch, total)) as learner,
        _checkpoints(recipe, run, watch, total, keep=recipe.train.keep) as checkpoints,
        parts_of(recipe, learner.policy()) as live,
    ):
        tell_last(chains_of(live.suite, recipe.train.split), recipe.train.split, recipe.train.last, "train.last")
        scored = _scored(recipe, live)
        credit = make_credit(recipe.reward, recipe.advantage)
        player = Player(
            learner,
            live.agent,
            live.suite,
            recipe.train,
            credit=credit,
            score=lambda agent: _score(recipe, live, scored, agent.policy),
            underway=lambda step, figures: watch(step, figures, total, done=0),
            seed=recipe.seed,
            workers=recipe.threads,
        )
        rehearse = rehearsal(fit, brain.chat.imitate_all, count=recipe.train.rehearse, seed=recipe.seed)
        train(learner, player, checkpoints, recipe.train, credit=credit, rehearse=rehearse)


@contextmanager
def _learner(
    recipe: Recipe, brain: Brain, adapter: Path | None, settings: LearnerSettings, loss: LossSettings, watch: Inside
) -> Iterator[Pupil]:
    """Who teaches a model, from the adapter if there is one; given back in the end."""
    with learner_for(brain, settings, loss, recipe.speech, seed=recipe.seed, watch=watch) as learner:
        if adapter:
            learner.start(adapter)
        yield learner


def _inside(watch: Watch, total: int) -> Inside:
    """Shows how far learning is inside a step."""
    return lambda step, done, of: watch(step, {"learning": float(done), "of": float(of)}, total, done=0)


def _tell_long(recipe: Recipe, left: int, of: int) -> None:
    """Say how many conversations are not imitated for their length."""
    if left:
        few = f"{left} of {counted(of, 'conversation')}"
        say(f"note: sft.longest is {recipe.sft.longest}: left out: {few}, with more tokens than that")


@contextmanager
def _checkpoints(recipe: Recipe, run: Run, watch: Watch, total: int, *, keep: int) -> Iterator[Checkpoints]:
    """Checkpoints of a run whose figures are shown, and told to the recipe's sinks."""
    with open_sinks(recipe.sinks, run) as send:
        yield Checkpoints(run, keep=keep, watch=lambda step, figures: watch(step, figures, total), tell=send)


def _pupil(recipe: Recipe, name: str, settings: LearnerSettings) -> tuple[Brain, Path | None]:
    """The model to teach, and the adapter it goes on with if the name is that of one. Where all weights are to be
    learnt, they begin with what the adapter makes of them. Ranks of `verl` read the weights themselves."""
    weights = settings.engine != "verl"
    if is_adapter(name) and settings.lora_rank:
        return brain_of(recipe, base_of(name), weights=weights), Path(name)
    if is_adapter(name):
        say(f"note: the adapter {name} is merged into its model, and all weights are learnt")
        weights = True
    return brain_of(recipe, name, weights=weights), None


def _nobody(messages: Sequence[Message], *, seed: int) -> NoReturn:
    """Stands in for a policy that comes later."""
    raise AssertionError("nobody plays yet")


def _scored(recipe: Recipe, live: Parts) -> list[Chain]:
    """What a score plays: the first scenarios of the split of [evaluate]."""
    settings = recipe.evaluate
    chains = scenarios_of(live.suite, settings)
    tell_fewer(chains, settings.split, settings.scenarios, "evaluate.scenarios")
    return chains


def _score(recipe: Recipe, live: Parts, chains: Sequence[Chain], policy: Policy) -> dict[str, float]:
    """How well a policy plays the split of [evaluate] now."""
    agent = replace(live.agent, policy=policy).at(recipe.evaluate.temperature)
    return score(agent, live.suite, chains, recipe.evaluate, seed=recipe.seed, workers=recipe.threads)
