"""Where the steps are played, each with the weights that the learner has when it is prepared."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from prowess.commands.train.batch import differs
from prowess.commands.train.rounds import Played, play_step
from prowess.commands.train.settings import TrainSettings
from prowess.credit.credit import Credit
from prowess.errors import RecipeError
from prowess.play import Agent
from prowess.run.checkpoints import Tell
from prowess.types import Learner, Suite


class Stage:
    """An agent, the policy of a learner in it, and the world it plays in."""

    def __init__(
        self,
        learner: Learner,
        agent: Agent,
        suite: Suite,
        settings: TrainSettings,
        credit: Credit,
        underway: Tell,
        *,
        seed: int,
        workers: int,
    ) -> None:
        self._learner, self._agent, self._settings = learner, agent, settings
        self._player: Agent | None = None
        self._play = partial(
            play_step,
            suite=suite,
            settings=settings,
            differs=partial(differs, settings=settings, credit=credit),
            underway=underway,
            seed=seed,
            workers=workers,
        )

    def player(self) -> Agent:
        """The agent with the weights of this moment."""
        return replace(self._agent, policy=self._learner.policy())

    def prepare(self, step: int) -> Callable[[], Played]:
        """The rollouts of a step, to be played with the weights of this moment."""
        player = self.player()
        if self._settings.overlap and not getattr(player.policy, "apart", False):
            raise RecipeError(
                f"overlap is true, and {player.policy!r} plays with the very weights that are learnt",
                hint="sampling.engine = 'vllm' or 'server', or overlap = false",
            )
        self._player = player
        return partial(self._play, player, step)

    @contextmanager
    def open(self) -> Iterator[None]:
        """Whatever breaks meanwhile, nobody is left talking with the model."""
        try:
            yield
        except BaseException:
            if self._player:
                self._player.hang_up()
            raise
