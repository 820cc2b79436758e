"""From gradients to changes: masters change by a rule, and the model's weights follow."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

from torch import Tensor
from torch.nn.utils import clip_grad_norm_

from prowess.errors import RecipeError
from prowess.learners.rules import RULES
from prowess.learners.settings import LearnerSettings
from prowess.learners.weights import Weights


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


MASTER = "master"


class Optimiser:
    """Changes weights by their gradients."""

    def __init__(self, weights: Weights, settings: LearnerSettings) -> None:
        self.settings = settings
        self.weights = weights
        self.masters = weights.masters
        self._rule = RULES[settings.optimizer](self.masters.values(), settings)

    def clear(self) -> None:
        """Forget the gradients."""
        for one in (*self.weights.parameters.values(), *self.masters.values()):
            one.grad = None

    def shorten(self) -> float:
        """The gradient's length before it is shortened to the limit; not finite where a gradient is not."""
        limit = self.settings.clip_norm or float("inf")
        return float(clip_grad_norm_(self.masters.values(), limit))

    def change(self, rate: float) -> None:
        """Change the weights by their gradients."""
        self._rule.step(rate)
        self.weights.publish()

    def state(self) -> dict[str, Tensor]:
        """All that is remembered, by name: `exp_avg/NAME`, `master/NAME` ..."""
        out = {f"{MASTER}/{name}": one for name, one in self.weights.beside().items()}
        for name, one in self.masters.items():
            out |= {f"{what}/{name}": value for what, value in self._rule.memory(one).items()}
        return out

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Remember what another one did, and nothing else; the weights themselves have been read."""
        memories: dict[str, dict[str, Tensor]] = defaultdict(dict)
        beside: dict[str, Tensor] = {}
        for entry, value in state.items():
            what, _, name = entry.partition("/")
            if what == MASTER:
                beside[name] = value
            else:
                memories[name][what] = value
        self._rule.forget()
        for name, memory in memories.items():
            self._rule.remember(self.masters[name], memory)
        self.weights.settle(beside)

    def strangers(self, entries: Iterable[str]) -> list[str]:
        """Names among those of a state that are not of masters here."""
        return sorted({entry.partition("/")[2] for entry in entries} - self.masters.keys())

    def reset(self) -> None:
        """Begin anew from the weights as they are."""
        self.restore({})
