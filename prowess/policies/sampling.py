"""How a model of ours speaks: the settings that every engine for it shares, and what it counts."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.errors import RecipeError, check_range, unknown
from prowess.policies.server.settings import ServerSettings

ENGINES = ("local", "server", "vllm")
"""Engines of ours; `players.py` knows how they are made."""

COLDEST, WARMEST = 0.01, 2.0
"""Between these vLLM plays at the temperature that it is asked for, and at 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VllmSettings:
    """What only vLLM asks for."""

    engines: int = 1
    """Processes of vLLM that share the conversations and the GPU. A small model's GPU waits for the one core that
    schedules. With several, start NVIDIA's MPS."""
    weights: Literal["copy", "adapter"] = "copy"
    """How new weights get there: all weights copied in place, or a LoRA adapter beside the model's own."""
    graphs: Literal["decode", "compiled", "none"] = "decode"
    """`decode`: CUDA graphs for passes that only write, without compiling, ready in seconds. `compiled`: for all
    passes, vLLM's own way, ready in minutes. `none`: without."""
    sleep: bool = False
    """Give the GPU's memory back while the learner works. Weights wait in the host's memory; keys and values are
    dropped."""

    def __post_init__(self) -> None:
        check_range(self, 1, "engines")


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingSettings:
    """How a model of ours speaks, and how much memory it may take for it."""

    engine: str = "local"
    """`local`: transformers in this process, on any machine. `vllm`: processes of vLLM on the learner's GPU. `server`:
    vLLM's servers elsewhere. Or yours as `module:function`, called with the model and these settings."""
    temperature: float = 1.0
    """0 is greedy. Log-probabilities are recorded at this temperature (greedy: at 1); a learner must use the same."""
    top_p: float = 1.0
    """Nucleus sampling. Below 1, log-probabilities are still those of the whole distribution."""
    reply_tokens: int = 1500
    """The longest reply, in tokens; in a recipe `agent.reply_tokens` says it."""
    context_tokens: int = 28_048
    """The longest conversation, in tokens. In a recipe `agent.context_tokens` sets it. The model's own limit holds,
    too."""
    rows: int = 256
    """Conversations under way at once. Another begins when one has ended."""
    cache_gb: float = 0.0
    """Memory for keys and values, in GiB; 0 for a quarter of the device's. Beyond it, conversations are read again
    at their next turn, and batches get smaller."""
    prefill_tokens: int = 8192
    """Tokens read in one forward pass."""
    autocast: bool = False
    """Compute in bfloat16 although the weights are in full precision; on a GPU, with the engine `local`."""
    vllm: VllmSettings = field(default_factory=VllmSettings)
    server: ServerSettings = field(default_factory=ServerSettings)

    @property
    def learnt_at(self) -> float:
        """The temperature that log-probabilities are recorded at, and that a learner takes them at."""
        return self.temperature or 1.0

    def __post_init__(self) -> None:
        if self.engine not in ENGINES and ":" not in self.engine:
            plain = unknown("engine", self.engine, ENGINES)
            raise RecipeError(plain.message, hint=f'{plain.hint}, or "module:function" for your own')
        for name, good, allowed in (
            ("temperature", 0 <= self.temperature < math.inf, "0 or more"),
            ("top_p", 0 < self.top_p <= 1, "more than 0, at most 1"),
            ("reply_tokens", self.reply_tokens >= 1, "1 or more"),
            ("context_tokens", self.context_tokens >= 2, "2 or more"),
            ("rows", self.rows >= 1, "1 or more"),
            ("cache_gb", 0 <= self.cache_gb < math.inf, "0 or more"),
            ("prefill_tokens", self.prefill_tokens >= 1, "1 or more"),
        ):
            if not good:
                raise RecipeError(f"{name} is {getattr(self, name)}", hint=f"allowed: {allowed}")
        vllm = self.engine in ("server", "vllm")
        if vllm and self.top_p < 1:
            raise RecipeError(
                f"top_p is {self.top_p}, and vLLM would tell log-probabilities of what is left of the distribution",
                hint="top_p = 1, or engine = 'local'",
            )
        if vllm and self.temperature and not COLDEST <= self.temperature <= WARMEST:
            raise RecipeError(
                f"temperature is {self.temperature}, and vLLM refuses what is above {WARMEST:g}, and what is below "
                f"{COLDEST:g} it plays at that",
                hint=f"0, or {COLDEST:g} to {WARMEST:g}; or engine = 'local'",
            )


@dataclass(slots=True, kw_only=True)
class Tally:
    """What a policy has done so far, in tokens; it only counts up."""

    prefilled: int = 0
    """Read by the model: prompts and observations."""
    kept: int = 0
    """Not read again: of the same conversation's earlier turns."""
    shared: int = 0
    """Not read: copied from another conversation that begins alike."""
    decoded: int = 0
    """Said by the model."""
    passes: int = 0
    """Forward passes of the model."""


def context_limit(config: Any, settings: SamplingSettings) -> int:
    """The longest conversation that both the recipe and the model allow; refuses models that attend in other ways."""
    kinds = set(getattr(config, "layer_types", None) or ["full_attention"])
    if odd := sorted(kinds - {"full_attention", "sliding_attention"}):
        raise RecipeError(f"the model has layers of {', '.join(odd)}", hint="models with full attention can be played")
    limits = [settings.context_tokens, getattr(config, "max_position_embeddings", None)]
    if "sliding_attention" in kinds or not getattr(config, "layer_types", None):  # within its window it is full
        limits.append(getattr(config, "sliding_window", None))
    return min(limit for limit in limits if limit)


def device_memory(device: Any) -> int:
    """All of the device's memory, in bytes: free memory would make batches, and so rounding, depend on the moment."""
    import torch

    if device.type == "cuda":
        return int(torch.cuda.get_device_properties(device).total_memory)
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
