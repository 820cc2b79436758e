"""Small random models and samples for the learner's tests."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

import torch

from prowess.models import Brain
from prowess.types import Sample

VOCAB = 96


def small(family: str = "llama", *, hidden: int = 32, seed: int = 0, **others: Any) -> Any:
    """A random causal language model with grouped heads, spread wide enough that attention matters."""
    from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM

    config, build = {"llama": (LlamaConfig, LlamaForCausalLM), "qwen2": (Qwen2Config, Qwen2ForCausalLM)}[family]
    torch.manual_seed(seed)
    shape = {
        "vocab_size": VOCAB,
        "hidden_size": hidden,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 64,
        "initializer_range": 0.15,
        "tie_word_embeddings": True,
    }
    return build(config(**(shape | others))).eval()


def brain_of(model: Any) -> Brain:
    return Brain(model=model, chat=SimpleNamespace(), name="small")  # type: ignore[arg-type]


def sample_of(length: int, *, seed: int = 0, weight: float = 1.0) -> Sample:
    """A prompt, a reply, an observation and a reply, of random tokens."""
    random = Random(f"{seed}-{length}")
    said = tuple(place > 2 and place % 5 != 0 for place in range(length))
    return Sample(
        tokens=tuple(random.randrange(VOCAB) for _ in range(length)),
        weights=tuple(weight if one else 0.0 for one in said),
        logprobs=tuple(-4.5 if one else 0.0 for one in said),
        said=said,
    )


def batch(count: int = 6, seed: int = 0) -> list[Sample]:
    return [sample_of(6 + 3 * n, seed=seed, weight=(-1.0) ** n * (1 + n / 4)) for n in range(count)]
