"""What a recipe may say about learning; the defaults are the paper's where it states them."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from prowess.errors import RecipeError
from prowess.learners.verl.settings import VerlSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerSettings:
    """How the weights are changed."""

    engine: str = "torch"
    """Who changes them: `torch` in this process, on a CPU or one GPU; `verl` on several GPUs; or your own
    `module:function`."""
    verl: VerlSettings = field(default_factory=VerlSettings)
    """Which GPUs `verl` takes, and how."""
    rate: float = 1e-6
    """The learning rate at its highest (paper: 1e-6 for all parameters; LoRA needs some 50 times more)."""
    schedule: Literal["constant", "cosine"] = "constant"
    """What the rate does after the warm-up: it stays, or falls to 0 at `steps` along a cosine."""
    warmup: float = 0.0
    """Steps in which the rate climbs; below 1, a share of `steps` (paper: 0.1 for imitation)."""
    steps: int = 0
    """Steps of the whole training, for `cosine` and for a warm-up given as a share. The command fills it in."""
    optimizer: Literal["adamw", "adamw8bit"] = "adamw"
    """`adamw`, or `adamw8bit`, whose moments take 2 bytes a weight instead of 8."""
    weight_decay: float = 0.0
    """Pull of matrices towards 0; norms and biases are spared."""
    betas: tuple[float, ...] = (0.9, 0.999)
    """How long AdamW remembers the gradient and its square."""
    clip_norm: float = 1.0
    """The longest gradient (paper: 1). A longer one is shortened to it. 0 for no limit."""
    micro_tokens: int = 8192
    """Tokens in one forward pass. It sets the memory. It changes the result by rounding only."""
    epochs: int = 1
    """Passes over a batch. More than one leaves the policy that played it (paper: 1)."""
    minibatches: int = 1
    """Optimiser steps in a pass (paper: 1)."""
    checkpointing: bool = False
    """Compute activations again in the backward pass instead of keeping them: less memory, a third more time."""
    lora_rank: int = 0
    """Rank of LoRA's factors; 0 learns all parameters."""
    lora_alpha: float = 32.0
    """Strength of LoRA: what it adds is scaled by alpha / rank."""
    lora_targets: tuple[str, ...] = ()
    """Ends of the names of the linear layers that it adapts; empty for all but the head."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """Precision of weights and activations. `auto` is the model's (float32 on a CPU, bfloat16 on a GPU). Weights in
    bfloat16 have float32 copies, which gradients and changes use. So small changes are not lost to rounding."""
    temperature: float = 1.0
    """The temperature of log-probabilities: the sampler's."""
    patience: int = 5
    """Updates in a row that may be skipped because their loss or gradient is not a number."""

    def __post_init__(self) -> None:
        for name, good, allowed in (
            ("rate", 0 <= self.rate < math.inf, "0 or more"),
            ("warmup", 0 <= self.warmup < math.inf, "a share below 1 or a number of steps"),
            ("steps", self.steps >= 0, "0 or more"),
            ("weight_decay", 0 <= self.weight_decay < math.inf, "0 or more"),
            ("betas", len(self.betas) == 2 and all(0 <= beta < 1 for beta in self.betas), "two, each 0 to below 1"),
            ("clip_norm", 0 <= self.clip_norm < math.inf, "0 (no limit) or more"),
            ("micro_tokens", self.micro_tokens >= 1, "1 or more"),
            ("epochs", self.epochs >= 1, "1 or more"),
            ("minibatches", self.minibatches >= 1, "1 or more"),
            ("lora_rank", self.lora_rank >= 0, "0 (all parameters) or more"),
            ("lora_alpha", 0 < self.lora_alpha < math.inf, "more than 0"),
            ("temperature", 0 < self.temperature < math.inf, "more than 0"),
            ("patience", self.patience >= 1, "1 or more"),
        ):
            if not good:
                raise RecipeError(f"{name} is {getattr(self, name)}", hint=f"allowed: {allowed}")
