"""Who plays for a learner: the model's weights as they are now, with the engine that the recipe names."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Protocol

from prowess.errors import RecipeError, blamed
from prowess.models import Brain
from prowess.policies.local import LocalPolicy
from prowess.policies.sampling import SamplingSettings
from prowess.recipe import lookup
from prowess.types import Policy


class Player(Protocol):
    """Plays with a model's weights, again and again while they change."""

    def policy(self) -> Policy:
        """Plays with the weights as they are now."""
        ...

    def rest(self) -> None:
        """Leave the device to the learner until the next policy is wanted."""
        ...


class LocalPlayer:
    """The model itself plays."""

    def __init__(self, brain: Brain, settings: SamplingSettings) -> None:
        self.brain, self.settings = brain, settings

    def policy(self) -> LocalPolicy:
        return LocalPolicy(self.brain, self.settings)

    def rest(self) -> None:
        """It holds nothing that a learner could use."""


def check_engine(settings: SamplingSettings) -> None:
    """Say that an engine cannot run here now, rather than when it is first wanted."""
    if settings.engine == "vllm":
        from prowess.policies.vllm.shape import check_vllm

        check_vllm()
    elif settings.engine == "server":
        from prowess.policies.server.known import known

        known(settings.server)
    elif settings.engine != "local":
        _own(settings)


def player_for(
    brain: Brain, settings: SamplingSettings, learnt: Any = None, *, changing: bool = False, source: Any = None
) -> Player:
    """The player for a model with the engine of these settings.

    `learnt` is the adapter merged into it, if any. Its weights are `changing` where somebody learns. `source` has them
    where they are not in this process: servers alone can play then.
    """
    if source and settings.engine in ("local", "vllm"):
        raise RecipeError(
            f"sampling.engine is '{settings.engine}', and the learner keeps the weights in other processes",
            hint="sampling.engine = 'server' with sampling.server.urls: they are sent to servers of vLLM",
        )
    if settings.engine == "local":
        return LocalPlayer(brain, settings)
    if settings.engine == "server":
        from prowess.policies.server.player import ServerPlayer

        return ServerPlayer(brain, settings, learnt, changing=changing, source=source)
    if settings.engine == "vllm":
        from prowess.policies.vllm.player import VllmPlayer

        return VllmPlayer(brain, settings, learnt)
    with blamed(f"engine '{settings.engine}'"):
        player = _own(settings)(brain, settings)
    if not (callable(getattr(player, "policy", None)) and callable(getattr(player, "rest", None))):
        raise RecipeError(
            f"engine '{settings.engine}' gave a {type(player).__name__}, which is no player",
            hint="it needs policy(), which plays with the model's weights as they are now, and rest()",
        )
    return player


def _own(settings: SamplingSettings) -> Callable[[Brain, SamplingSettings], Player]:
    """Somebody else's engine."""
    return lookup("engine", settings.engine, {}, takes=["brain", "settings"])


def dismiss() -> None:
    """End the engines of this process: what comes next wants the device for itself, and for long."""
    mirror = sys.modules.get("prowess.policies.vllm.player")
    if mirror is not None:
        mirror.dismiss()
