"""A batch as optimiser steps, whatever computes the gradients: mini-batches and their divisors, figures, patience.

A learner's `step` goes over a batch `epochs` times, a mini-batch at a time, and changes the weights after each. Which
samples these are depends on the seed and the number of the step alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prowess.errors import RecipeError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.seeds import draw
from prowess.types import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class MiniBatch:
    """Samples that one optimiser step learns from."""

    samples: tuple[Sample, ...]
    share: float
    """Their part of what the sum over the batch's samples is divided by."""


def minibatches(
    samples: Sequence[Sample], settings: LearnerSettings, *, per: int | None, seed: int, step: int
) -> list[MiniBatch]:
    """Cut a batch up; its sum is divided by `per`, or by the number of samples."""
    if not samples:
        raise RecipeError("there are no samples to learn from", hint="a batch needs at least one")
    count = min(settings.minibatches, len(samples))  # flat groups left out may leave few samples
    order = list(range(len(samples)))
    if count > 1:
        draw(seed, "minibatches", step).shuffle(order)
    cut = [tuple(samples[index] for index in sorted(order[number::count])) for number in range(count)]
    return [MiniBatch(samples=some, share=(per or len(samples)) * len(some) / len(samples)) for some in cut]


def several(settings: LearnerSettings, loss: LossSettings, *, minibatches: int) -> bool:
    """Whether the ratio needs the probabilities before the first of a batch's optimiser steps: they are not those of
    each step itself."""
    return minibatches * settings.epochs > 1 and loss.kind != "imitate"


def joined(told: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The metrics of several updates: tokens and skips add up, of the others the mean."""
    sums = {"learn/tokens", "learn/skipped"}
    names = dict.fromkeys(name for one in told for name in one)
    out = {}
    for name in names:
        values = [one[name] for one in told if name in one]
        out[name] = sum(values) if name in sums else sum(values) / len(values)
    return out


def failures(before: int, *, good: bool, patience: int, loss: float, norm: float) -> int:
    """How many updates in a row were skipped by now: a few are borne, not many."""
    now = 0 if good else before + 1
    if now >= patience:
        raise RecipeError(
            f"{now} updates in a row were skipped: the loss is {loss:g}, the gradient's length {norm:g}",
            hint="a lower rate, a warm-up, or float32; the weights are as before the first of them",
        )
    return now
