"""Rules that turn gradients into changes, and what they remember of each master, as tensors that a file holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from prowess.errors import MissingExtra
from prowess.learners.settings import LearnerSettings


class Rule(Protocol):
    """Changes masters by their gradients."""

    def step(self, rate: float) -> None:
        """Change all masters that have a gradient."""

    def memory(self, one: nn.Parameter) -> dict[str, Tensor]:
        """What is remembered of a master; nothing before its first change."""

    def remember(self, one: nn.Parameter, memory: Mapping[str, Tensor]) -> None:
        """Go on from another one's memory."""

    def forget(self) -> None:
        """Remember nothing."""


class Adamw:
    """AdamW with both moments in full precision."""

    def __init__(self, masters: Iterable[nn.Parameter], settings: LearnerSettings) -> None:
        self.rule = torch.optim.AdamW(_groups(masters, settings), **_options(settings), fused=True)

    def step(self, rate: float) -> None:
        _step(self.rule, rate)

    def memory(self, one: nn.Parameter) -> dict[str, Tensor]:
        return dict(self.rule.state[one])

    def remember(self, one: nn.Parameter, memory: Mapping[str, Tensor]) -> None:
        self.rule.state[one] = {name: value.to(one.device) for name, value in memory.items()}

    def forget(self) -> None:
        self.rule.state.clear()


class Adamw8bit:
    """AdamW with moments in 8 bits, block by block (arXiv 2110.02861), by bitsandbytes: a quarter of the memory.

    Masters of less than 4,096 numbers have theirs in full precision.
    """

    TABLES = ("qmap1", "qmap2")
    """What the 8 bits mean: the same for all masters."""

    def __init__(self, masters: Iterable[nn.Parameter], settings: LearnerSettings) -> None:
        try:
            from bitsandbytes.optim import AdamW8bit
        except ImportError:
            raise MissingExtra("optimizer = 'adamw8bit'", "adamw8bit") from None
        self.rule: Any = AdamW8bit(_groups(masters, settings), **_options(settings))

    def step(self, rate: float) -> None:
        _step(self.rule, rate)

    def memory(self, one: nn.Parameter) -> dict[str, Tensor]:
        found = self.rule.state[one].items()
        return {name: torch.as_tensor(value) for name, value in found if name not in self.TABLES}

    def remember(self, one: nn.Parameter, memory: Mapping[str, Tensor]) -> None:
        state: dict[str, Any] = {name: value.to(one.device) for name, value in memory.items()}
        state["step"] = int(memory["step"])
        if state["state1"].dtype == torch.uint8:
            maps = (self.rule.name2qmap[kind].to(one.device) for kind in ("dynamic", "udynamic"))
            state |= dict(zip(self.TABLES, maps, strict=True))
        self.rule.state[one] = state

    def forget(self) -> None:
        self.rule.state.clear()


RULES: Mapping[str, Callable[[Iterable[nn.Parameter], LearnerSettings], Rule]] = {
    "adamw": Adamw,
    "adamw8bit": Adamw8bit,
}


def _groups(masters: Iterable[nn.Parameter], settings: LearnerSettings) -> list[dict[str, Any]]:
    """Matrices, which are pulled towards 0, and the rest, which is spared."""
    all_of_them = list(masters)
    return [
        {"params": [one for one in all_of_them if one.ndim >= 2], "weight_decay": settings.weight_decay},
        {"params": [one for one in all_of_them if one.ndim < 2], "weight_decay": 0.0},
    ]


def _options(settings: LearnerSettings) -> dict[str, Any]:
    return {"lr": settings.rate, "betas": (settings.betas[0], settings.betas[1])}


def _step(rule: Any, rate: float) -> None:
    for group in rule.param_groups:
        group["lr"] = rate
    rule.step()
