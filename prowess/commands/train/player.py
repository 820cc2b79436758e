"""Who plays the steps, each with the weights that the learner has when the step is prepared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Self

from prowess.commands.train.ahead import Ahead
from prowess.commands.train.batch import differs
from prowess.commands.train.rounds import Played, play_step
from prowess.commands.train.settings import TrainSettings
from prowess.commands.train.steps import Clock, Step
from prowess.credit.credit import Credit
from prowess.errors import ProwessError, RecipeError
from prowess.play import Agent
from prowess.play.outage import all_broke, outage
from prowess.run.checkpoints import Tell
from prowess.text.plural import every
from prowess.types import Group, Learner, Suite


class Player:
    """An agent with the policy of a learner, and the world it plays in. `score` plays the split of [evaluate];
    `underway` is shown how far a step is that is still played: its rounds, where there may be several, and how many
    of a round's conversations are done."""

    def __init__(
        self,
        learner: Learner,
        agent: Agent,
        suite: Suite,
        settings: TrainSettings,
        *,
        credit: Credit,
        score: Callable[[Agent], Mapping[str, float]],
        underway: Tell = lambda step, figures: None,
        seed: int,
        workers: int,
    ) -> None:
        self._learner, self._agent, self._settings, self._score = learner, agent, settings, score
        self._ahead = Ahead(self._prepare, overlap=settings.overlap)
        self._playing: Agent | None = None
        self._play = partial(
            play_step,
            suite=suite,
            settings=settings,
            differs=partial(differs, settings=settings, credit=credit),
            underway=underway,
            seed=seed,
            workers=workers,
        )

    def play(self, step: Step) -> list[Group]:
        """The rollouts of a step. Where steps overlap, those of the next one begin now."""
        groups, figures = self._ahead.take(step.number)
        if trouble := _trouble(groups, step.number):
            raise trouble
        step.figures |= figures
        step.clock.lap("play")
        if not step.last:
            self._ahead.begin(step.number + 1)
        return groups

    def score(self) -> Mapping[str, float]:
        """How well the learner plays now, with nothing else under way."""
        clock = Clock()
        self._ahead.wait()
        clock.lap("wait")
        found = self._score(self._agent_now())
        clock.lap("evaluate")
        return {**found, **clock.laps}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Whatever broke, nobody is left talking with the model."""
        try:
            if kind and self._playing:
                self._playing.hang_up()
        finally:
            self._ahead.__exit__(kind, problem, trace)

    def _agent_now(self) -> Agent:
        """The agent with the weights of this moment."""
        return replace(self._agent, policy=self._learner.policy())

    def _prepare(self, step: int) -> Callable[[], Played]:
        """The rollouts of a step, to be played with the weights of this moment."""
        agent = self._agent_now()
        if self._settings.overlap and not getattr(agent.policy, "apart", False):
            raise RecipeError(
                f"overlap is true, and {agent.policy!r} plays with the very weights that are learnt",
                hint="sampling.engine = 'vllm' or 'server', or overlap = false",
            )
        self._playing = agent
        return partial(self._play, agent, step)


def _trouble(groups: Sequence[Group], step: int) -> ProwessError | None:
    """What to say of a step that has nothing to learn from, because every episode of it ended in an error."""
    episodes = [episode for group in groups for episode in group.episodes]
    if not all_broke(episodes):
        return None
    return outage(
        episodes,
        f"{every(len(episodes), 'episode')} of step {step}",
        hint="mend what broke (prowess check tells what is wrong with a world); the same command then goes on from"
        " this step",
    )
