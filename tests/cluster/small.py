"""A small model in a folder, and samples that begin alike."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

from prowess.models import Brain
from prowess.types import Sample

WORDS = 288


class Chat:
    stop_ids = (2,)


def model_in(folder: Path, *, tied: bool = False) -> Path:
    """A model whose probabilities differ."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=WORDS,
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=3,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=2048,
        tie_word_embeddings=tied,
        eos_token_id=2,
        pad_token_id=0,
        bos_token_id=None,
    )
    model = Qwen3ForCausalLM(config)
    with torch.no_grad():
        for one in model.parameters():
            if one.ndim == 2:
                one.mul_(3)
    model.save_pretrained(folder)
    return folder


def brain_in(folder: Path) -> Brain:
    model: Any = Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa")
    return Brain(model=model.eval(), chat=Chat(), name=str(folder))  # type: ignore[arg-type]


def batch(seed: int, groups: int = 3, size: int = 4) -> list[Sample]:
    """Groups that begin alike, with advantages of both signs and tokens of the world in between."""
    random, out = Random(seed), []
    for _ in range(groups):
        prompt = _tokens(random, random.randrange(40, 90))
        rewards = [random.random() for _ in range(size)]
        mean = sum(rewards) / size
        for reward in rewards:
            out.append(_sample(random, prompt, reward - mean))
    return out


def _sample(random: Random, prompt: Sequence[int], advantage: float) -> Sample:
    tokens, said = list(prompt), [False] * len(prompt)
    for _ in range(random.randrange(1, 4)):
        for spoken, few, many in ((True, 3, 20), (False, 2, 12)):
            some = _tokens(random, random.randrange(few, many))
            tokens += some
            said += [spoken] * len(some)
    return Sample(
        tokens=tuple(tokens),
        weights=tuple(advantage if one else 0.0 for one in said),
        logprobs=tuple(-random.uniform(4, 7) if one else 0.0 for one in said),
        said=tuple(said),
    )


def _tokens(random: Random, count: int) -> list[int]:
    return [random.randrange(3, WORDS) for _ in range(count)]


def far(one: Sequence[Sequence[float]], other: Sequence[Sequence[float]]) -> float:
    """The largest difference of log-probabilities."""
    return max(
        abs(left - right) for row, there in zip(one, other, strict=True) for left, right in zip(row, there, strict=True)
    )
