"""Train: SAGE's loop. Play chains with the policy as it is, score what came of it, learn from it once, and again.

    prowess train recipes/sage.toml

Every step (paper, section 3): for each of some scenarios two of its tasks in order; for each such chain a group of
independent rollouts, each with its own library that starts empty; the reward pays for skills that served; the advantage
compares only rollouts of the same chain at the same position; one optimiser step. Ablations are other values of the
recipe. The learner hears nothing of skills, and the world nothing of the model.

    player    `player.py`   plays the rollouts of a step, and a step ahead where the recipe says so
    batch_of  `batch.py`    makes rewards, advantages and samples of them
    learner   `learners/`   changes the weights
    steps     `steps.py`    resumes, keeps checkpoints, notes figures, scores, and ends
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from prowess.commands.train.batch import batch_of
from prowess.commands.train.player import Player
from prowess.commands.train.settings import TrainSettings
from prowess.commands.train.steps import Steps
from prowess.commands.train.summary import summary
from prowess.credit.credit import Credit
from prowess.run.checkpoints import Checkpoints
from prowess.types import Learner, Sample


def train(
    learner: Learner,
    player: Player,
    checkpoints: Checkpoints,
    settings: TrainSettings,
    *,
    credit: Credit,
    rehearse: Callable[[int], Sequence[Sample]] = lambda step: (),
) -> None:
    """Go through the steps that are not done yet. `rehearse` gives what is imitated beside each of them."""
    with player, Steps(learner, checkpoints, settings, score=player.score) as steps:
        for step in steps:
            groups = player.play(step)
            batch = batch_of(groups, settings, credit)
            figures = summary(groups, credit) | {"play/flat": batch.flat}
            samples = (*batch.samples, *rehearse(step.number))
            figures |= learner.step(samples, per=batch.rollouts) if samples else learner.rest()
            steps.note(groups, figures)
