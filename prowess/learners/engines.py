"""Who changes the weights: the engine of learning that the recipe names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

from prowess.errors import MissingExtra, RecipeError, blamed
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.models import Brain
from prowess.policies.sampling import SamplingSettings
from prowess.recipe import lookup
from prowess.types import Learner, Sample

Inside = Callable[[int, int, int], None]
"""Shown the number of a step, how many samples of an update are learnt from, and of how many."""

VERBS = ("step", "rest", "policy", "save", "load", "start", "loss")
TAKES = ("brain", "settings", "loss", "sampling", "seed", "watch")


class Pupil(Learner, Protocol):
    """A learner as commands need it: it can start from an adapter, and say how badly it imitates."""

    def start(self, folder: Path) -> None:
        """Begin a new course from the weights of a checkpoint."""

    def loss(self, samples: Sequence[Sample]) -> float:
        """How badly it imitates samples that it does not learn from."""
        ...


@contextmanager
def learner_for(
    brain: Brain,
    settings: LearnerSettings,
    loss: LossSettings,
    sampling: SamplingSettings,
    *,
    seed: int,
    watch: Inside = lambda step, done, of: None,
) -> Iterator[Pupil]:
    """The learner that the settings name, for a model. What it holds is given back in the end."""
    learner = _made(settings)(brain, settings, loss, sampling, seed, watch)
    try:
        yield learner
    finally:
        if close := getattr(learner, "close", None):
            close()


def check_learner(settings: LearnerSettings) -> None:
    """Say that a learner cannot be had here now, rather than when hours of playing lie behind."""
    _made(settings)
    if settings.engine == "verl" and any(find_spec(name) is None for name in ("verl", "ray")):
        raise MissingExtra("learner.engine = 'verl'", "cluster")


def _made(settings: LearnerSettings) -> Callable[[Brain, Any, Any, Any, int, Inside], Pupil]:
    if settings.engine in OURS:
        return OURS[settings.engine]
    make: Callable[..., Any] = lookup("learner", settings.engine, OURS, takes=TAKES)

    def own(*given: Any) -> Pupil:
        with blamed(f"learner '{settings.engine}'"):
            learner: Pupil = make(*given)
        lacks = [verb for verb in VERBS if not callable(getattr(learner, verb, None))]
        if lacks:
            raise RecipeError(
                f"learner '{settings.engine}' gave a {type(learner).__name__}, which has no {', '.join(lacks)}",
                hint=f"a learner needs {', '.join(VERBS)}, as prowess.learners.torch.TorchLearner has them",
            )
        return learner

    return own


def _torch(
    brain: Brain,
    settings: LearnerSettings,
    loss: LossSettings,
    sampling: SamplingSettings,
    seed: int,
    watch: Inside,
) -> Pupil:
    from prowess.learners.torch import TorchLearner

    return TorchLearner(brain, settings, loss, sampling, seed=seed, watch=watch)


def _verl(
    brain: Brain,
    settings: LearnerSettings,
    loss: LossSettings,
    sampling: SamplingSettings,
    seed: int,
    watch: Inside,
) -> Pupil:
    from prowess.learners.verl.learner import VerlLearner

    return VerlLearner(brain, settings, loss, sampling, seed=seed, watch=watch)


OURS = {"torch": _torch, "verl": _verl}
