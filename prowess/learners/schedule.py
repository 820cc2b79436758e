"""The learning rate of each step."""

from __future__ import annotations

import math

from prowess.errors import RecipeError
from prowess.learners.settings import LearnerSettings


def rate_at(step: int, settings: LearnerSettings) -> float:
    """The rate of a step, counted from 0: it climbs in a line, then stays or falls along half a cosine.

    >>> [rate_at(step, LearnerSettings(rate=1.0, warmup=2)) for step in range(4)]
    [0.5, 1.0, 1.0, 1.0]
    >>> [round(rate_at(step, LearnerSettings(rate=1.0, schedule="cosine", steps=4)), 3) for step in range(5)]
    [1.0, 0.854, 0.5, 0.146, 0.0]
    """
    rising = warmup_steps(settings)
    if step < rising:
        return settings.rate * (step + 1) / rising
    if settings.schedule == "constant":
        return settings.rate
    share = min(1.0, (step - rising) / max(1, settings.steps - rising))
    return settings.rate * 0.5 * (1 + math.cos(math.pi * share))


def warmup_steps(settings: LearnerSettings) -> int:
    """How many steps the rate climbs."""
    share = 0 < settings.warmup < 1
    if (share or settings.schedule == "cosine") and not settings.steps:
        reason = f"a warm-up of {settings.warmup:g} is a share" if share else "the rate falls along a cosine"
        raise RecipeError(f"{reason}, and steps is 0", hint="say how many steps the whole course has")
    return math.ceil(settings.warmup * settings.steps) if share else round(settings.warmup)
