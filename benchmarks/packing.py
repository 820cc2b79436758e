"""Tokens/s of a learning step with packed streams, against padded batches of the same model, samples and threads.

    python benchmarks/packing.py [--device cuda] [--rounds 5]

128 samples of 60 to 300 tokens; `tiny`'s shape with random weights. Padded batches are given in the order they come
(as most trainers do) and sorted by length (the best that padding can do); both project only what is asked about.
Rounds take turns, and the best of each counts: what else runs on the machine only ever adds time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import torch
from torch.nn.utils import clip_grad_norm_
from transformers import LlamaConfig, LlamaForCausalLM

from opensage.learners.settings import LearnerSettings
from opensage.learners.torch import TorchLearner
from opensage.losses import LossSettings
from opensage.models import Brain
from opensage.types import Sample

VOCAB, COUNT = 2048, 128


def model(device: str, dtype: torch.dtype) -> Any:
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=VOCAB,
        hidden_size=192,
        intermediate_size=512,
        num_hidden_layers=4,
        num_attention_heads=4,
        num_key_value_heads=2,
        tie_word_embeddings=True,
    )
    return LlamaForCausalLM(config).to(device, dtype)


def samples() -> list[Sample]:
    """Two thirds of each is seen, one third said."""
    random = Random(0)
    out = []
    for _ in range(COUNT):
        length = random.randint(60, 300)
        said = tuple(place % 30 >= 20 for place in range(length))
        out.append(
            Sample(
                tokens=tuple(random.randrange(VOCAB) for _ in range(length)),
                weights=tuple(1.0 if one else 0.0 for one in said),
                logprobs=(0.0,) * length,
            )
        )
    return out


def packed(batch: list[Sample], budget: int, device: str, dtype: torch.dtype) -> Callable[[], None]:
    brain = Brain(model=model(device, dtype), chat=SimpleNamespace())  # type: ignore[arg-type]
    learner = TorchLearner(brain, LearnerSettings(micro_tokens=budget), LossSettings(kind="imitate"))
    return lambda: learner.step(batch) and None


def padded(batch: list[Sample], rows: int, order: bool, device: str, dtype: torch.dtype) -> Callable[[], None]:
    """What a plain training loop does, with the same optimiser."""
    net = model(device, dtype).train()
    rule = torch.optim.AdamW(net.parameters(), lr=1e-6, fused=True)
    ordered = sorted(batch, key=lambda one: -len(one.tokens)) if order else batch

    def step() -> None:
        for start in range(0, len(ordered), rows):
            some = ordered[start : start + rows]
            width = max(len(one.tokens) for one in some)
            ids = torch.tensor([[*one.tokens, *([0] * (width - len(one.tokens)))] for one in some], device=device)
            mask = torch.tensor(
                [[1] * len(one.tokens) + [0] * (width - len(one.tokens)) for one in some], device=device
            )
            said = torch.tensor(
                [[weight > 0 for weight in one.weights] + [False] * (width - len(one.tokens)) for one in some],
                device=device,
            )
            hidden = net.model(input_ids=ids, attention_mask=mask, use_cache=False).last_hidden_state
            logits = net.lm_head(hidden[:, :-1][said[:, 1:]]).float()
            torch.nn.functional.cross_entropy(logits, ids[:, 1:][said[:, 1:]]).backward()
        float(clip_grad_norm_(net.parameters(), 1.0))
        rule.step()
        rule.zero_grad()

    return step


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("--device", default="cpu")
    asked.add_argument("--rounds", type=int, default=5)
    given = asked.parse_args()
    dtype = torch.float32 if given.device == "cpu" else torch.bfloat16
    batch = samples()
    tokens = sum(len(one.tokens) for one in batch)
    ways = {f"packed, {budget} tokens": packed(batch, budget, given.device, dtype) for budget in (2048, 4096, 8192)}
    ways |= {f"padded, {rows} rows": padded(batch, rows, False, given.device, dtype) for rows in (16, 32)}
    ways |= {f"padded, {rows} rows by length": padded(batch, rows, True, given.device, dtype) for rows in (16, 32)}
    best = dict.fromkeys(ways, float("inf"))
    for number in range(given.rounds + 1):
        for name, step in ways.items():
            begun = time.perf_counter()
            step()
            if given.device != "cpu":
                torch.cuda.synchronize()
            if number:
                best[name] = min(best[name], time.perf_counter() - begun)
    print(f"{COUNT} samples, {tokens} tokens, {torch.get_num_threads()} threads, {given.device}, {dtype}")
    for name, seconds in best.items():
        print(f"{name:28} {tokens / seconds:12,.0f} tokens/s")


if __name__ == "__main__":
    main()
