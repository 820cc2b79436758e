"""Tokens/s of a learning step with packed streams, against padded batches of the same model, samples and threads.

    python benchmarks/packing.py [--device cuda] [--rounds 5] [--quick]
    python benchmarks/packing.py --recipe quickstart [--chains 12] [--micro-tokens 8192] [--quick]

128 samples of 60 to 300 tokens; `tiny`'s shape with random weights. Padded batches are given in the order they come
(as most trainers do) and sorted by length (the best that padding can do); both project only what is asked about.

With a recipe: groups of rollouts as they are learnt from, each chain played by the recipe's expert in eight moods, with
what they begin alike with computed once, and computed for each. The gradients' lengths must agree, or the run fails.

Rounds take turns, and the best of each counts: what else runs on the machine only ever adds time. The first warms up.
A round of the first comparison has seven steps of 23,000 tokens: minutes on a few cores, so each is told as it ends.
`--quick` shows that it works: a few samples and one round, whose figures say nothing.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import torch
from prowess_desk.expert.expert import Expert
from torch.nn.utils import clip_grad_norm_
from transformers import LlamaConfig, LlamaForCausalLM

from prowess.commands.dataset import Conversation, conversation_of
from prowess.commands.train import chains_for
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.stream import streams
from prowess.learners.torch import TorchLearner
from prowess.learners.tree import SHORTEST
from prowess.models import Brain
from prowess.models.load import load
from prowess.pipeline.parts import parts_of
from prowess.pipeline.recipe import Recipe
from prowess.play.rollout import play_groups
from prowess.recipe import read
from prowess.text.plural import counted
from prowess.text.terminal import say
from prowess.types import Sample

VOCAB, COUNT, MOODS = 2048, 128, 8
FEW = 2
"""Samples of a quick run."""
NEVER = 10**9
NEAR = 1e-3
"""How far the gradients' lengths may be apart, as a share: rounding, in two orders of adding up."""


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


def samples(count: int) -> list[Sample]:
    """Two thirds of each is seen, one third said."""
    random = Random(0)
    out = []
    for _ in range(count):
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


def rollouts(recipe: Recipe, chains: int, moods: int, device: str) -> tuple[Brain, list[Sample]]:
    """A tiny model, and what the expert says in a step's chains, each played in so many moods."""
    talks: list[Conversation] = []
    with parts_of(recipe, Expert(recipe.expert)) as live:
        drawn = chains_for(live.suite, replace(recipe.train, chains=chains), seed=0)
        for mood in range(moods):
            say(f"playing {counted(chains, 'chain')}: {mood + 1} of {moods}")
            for group in play_groups(live.agent.at(1 + mood / 100), live.suite, drawn, size=1, seed=mood):
                talks += [
                    conversation_of(one, live.agent.prompt, live.agent.limits, split="train", temperature=1.0)
                    for one in group.rollouts[0].episodes
                ]
    tiny = replace(recipe.model, name="tiny", device=device, tiny=replace(recipe.model.tiny, positions=8192))
    say(f"a tiny model with the words of {counted(len(talks), 'conversation')}")
    brain = load(tiny, texts=[message.content for talk in talks for message in talk.messages])
    return brain, [brain.chat.imitate(talk) for talk in talks]


def sharing(brain: Brain, batch: list[Sample], budget: int, shortest: int) -> Callable[[], dict[str, float]]:
    """A step in which beginnings of so many tokens are computed once."""
    mine = replace(brain, model=copy.deepcopy(brain.model))
    learner = TorchLearner(mine, LearnerSettings(micro_tokens=budget), LossSettings(kind="imitate"))

    def step() -> dict[str, float]:
        with patch("prowess.learners.torch.streams", partial(streams, shortest=shortest)):
            return learner.step(batch)

    return step


def compare_sharing(recipe: Recipe, *, chains: int, moods: int, budget: int, rounds: int, device: str) -> None:
    brain, batch = rollouts(recipe, chains, moods, device)
    tokens = sum(len(one.tokens) for one in batch)
    heard = statistics.mean(one.mask.index(True) for one in batch)
    print(
        f"{recipe.name}: {len(batch)} samples ({len(set(batch))} distinct), {tokens / len(batch):.0f} tokens each, "
        f"of which {heard:.0f} before the first reply; {brain.parameters / 1e6:.1f}M parameters, "
        f"{torch.get_num_threads()} threads, {device}"
    )
    ways = {"each for itself": sharing(brain, batch, budget, NEVER)}
    ways |= {f"shared from {length} tokens": sharing(brain, batch, budget, length) for length in (4, SHORTEST, 64)}
    best = dict.fromkeys(ways, float("inf"))
    told: dict[str, dict[str, float]] = {}
    for number in range(rounds + 1):
        for name, step in ways.items():
            told[name] = step()
            tell(number, rounds, name, told[name]["learn/seconds"])
            if number:
                best[name] = min(best[name], told[name]["learn/seconds"])
        norms = [one["learn/grad_norm"] for one in told.values()]
        if max(norms) - min(norms) > NEAR * max(norms):
            sys.exit(f"the gradient's length is {min(norms):g} to {max(norms):g}")
    slowest = best["each for itself"]
    for name, seconds in best.items():
        print(
            f"{name:28} {tokens / seconds:12,.0f} tokens/s {seconds:8.3f} s a step, "
            f"{slowest / seconds:.2f} times as fast, {told[name]['learn/shared']:.0%} not computed again"
        )


def tell(number: int, rounds: int, name: str, seconds: float) -> None:
    say(f"{f'round {number} of {rounds}' if number else 'warming up'}: {name}: {seconds:.1f} s")


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    asked.add_argument("--device", default="cpu")
    asked.add_argument("--rounds", type=int, help="so many after one to warm up; 5 unless told, 1 if quick")
    asked.add_argument("--recipe", default="", help="compare shared beginnings on rollouts of this recipe's expert")
    asked.add_argument("--chains", type=int, help="chains of that recipe; 12 unless told, 1 if quick")
    asked.add_argument("--micro-tokens", type=int, help="tokens in a stream of those; 8192 unless told")
    asked.add_argument("--quick", action="store_true", help="only show that it works: few samples, one round")
    given = asked.parse_args()
    rounds = given.rounds or (1 if given.quick else 5)
    if given.recipe:
        recipe = read(Recipe, given.recipe)
        chains = given.chains or (1 if given.quick else 12)
        shape = {"chains": chains, "moods": 2 if given.quick else MOODS, "budget": given.micro_tokens or 8192}
        compare_sharing(recipe, **shape, rounds=rounds, device=given.device)
        return
    if given.chains or given.micro_tokens:
        asked.error("--chains and --micro-tokens are of rollouts: name their --recipe")
    dtype = torch.float32 if given.device == "cpu" else torch.bfloat16
    batch = samples(FEW if given.quick else COUNT)
    tokens = sum(len(one.tokens) for one in batch)
    ways = {f"packed, {budget} tokens": packed(batch, budget, given.device, dtype) for budget in (2048, 4096, 8192)}
    ways |= {f"padded, {rows} rows": padded(batch, rows, False, given.device, dtype) for rows in (16, 32)}
    ways |= {f"padded, {rows} rows by length": padded(batch, rows, True, given.device, dtype) for rows in (16, 32)}
    best = dict.fromkeys(ways, float("inf"))
    for number in range(rounds + 1):
        for name, step in ways.items():
            begun = time.perf_counter()
            step()
            if given.device != "cpu":
                torch.cuda.synchronize()
            took = time.perf_counter() - begun
            tell(number, rounds, name, took)
            if number:
                best[name] = min(best[name], took)
    print(f"{len(batch)} samples, {tokens} tokens, {torch.get_num_threads()} threads, {given.device}, {dtype}")
    for name, seconds in best.items():
        print(f"{name:28} {tokens / seconds:12,.0f} tokens/s")


if __name__ == "__main__":
    main()
