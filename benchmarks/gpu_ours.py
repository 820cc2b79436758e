"""Contenders of ours for benchmarks/gpu.py: whole steps, the learner alone, and weights on their way to vLLM."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any
from unittest import mock

import torch
from gpu_cases import (
    RATE,
    Case,
    Figures,
    Messages,
    Turns,
    advantages,
    brain_in,
    chains,
    chat_in,
    drawn,
    finished,
    on_gpu,
    openings,
    peak,
    recipe,
    samples_in,
    speech,
    timed,
)
from transformers import AutoConfig

from prowess.commands.dataset import transcript
from prowess.commands.train.ahead import Ahead
from prowess.errors import RecipeError
from prowess.learners import torch as learning
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.stream import Stream, streams
from prowess.learners.torch import TorchLearner
from prowess.pipeline.parts import Parts, parts_of
from prowess.play import Play
from prowess.play.concurrency import in_flow
from prowess.play.rollout import play_all, play_chain, play_groups
from prowess.policies.sampling import SamplingSettings
from prowess.policies.vllm.policy import VllmPolicy
from prowess.seeds import derive
from prowess.skills.library import Library
from prowess.types import Completion, Policy, Request, Sample

RANK = 16
"""Of LoRA, where a part tries both."""


def learner_for(case: Case, sampling: SamplingSettings, *, rank: int = 0, checkpointing: bool = False) -> TorchLearner:
    settings = LearnerSettings(
        rate=RATE, lora_rank=rank, lora_alpha=2.0 * (rank or 1), micro_tokens=case.micro[0], checkpointing=checkpointing
    )
    return TorchLearner(brain_in(case), settings, LossSettings(tis=2.0), sampling)


# -------------------------------------------------------------------------------------------------------- whole steps


def steps(case: Case, turns: Turns) -> None:
    """A and B: weights to the engine, play, learn."""
    learner = learner_for(case, speech(case), rank=case.rank, checkpointing=case.checkpointing)
    with parts_of(recipe(case)) as live:
        for number in range(case.steps):
            if number == 0:
                learner.policy()  # starts the engine
            turns.wait()
            taken: Figures = {}
            begun = finished()
            with timed(taken, "weights"):
                policy: Any = learner.policy()
            with timed(taken, "generate"):
                if case.part == "A":
                    samples = _answers(case, policy, seed=number)
                else:
                    samples = _rollouts(case, live, policy, number)
            busy = policy.engine.work.since(policy._since[1]).seconds / policy.engine.size
            with timed(taken, "learn"):
                told = learner.step(samples)
            turns.tell(
                seconds=finished() - begun,
                **taken,
                idle=max(0.0, taken["generate"] - busy),
                said=sum(sum(sample.mask) for sample in samples),
                trained=sum(len(sample.tokens) for sample in samples),
                fed=told["learn/fed"],
                mismatch=told.get("learn/mismatch", 0.0),
                memory=turns.memory(),
                skipped=told["learn/skipped"],
            )


def ahead(case: Case, turns: Turns) -> None:
    """F: steps one after the other, and steps whose rollouts are played while the one before is learnt from."""
    learner = learner_for(case, speech(case), rank=case.rank, checkpointing=case.checkpointing)
    learner.policy()  # starts the engine
    with parts_of(recipe(case)) as live:

        def prepare(number: int) -> Callable[[], list[Sample]]:
            policy = learner.policy()
            return lambda: _rollouts(case, live, policy, number)

        for overlap in (False, True):
            turns.wait()
            with Ahead(prepare, overlap=overlap) as rollouts:
                for number in range(case.steps):
                    taken: Figures = {}
                    begun = finished()
                    with timed(taken, "play"):
                        samples = rollouts.take(number)
                    rollouts.begin(number + 1)  # the last one's, too, so that it learns in company as the others do
                    with timed(taken, "learn"):
                        told = learner.step(samples)
                    turns.tell(
                        label="one step ahead" if overlap else "one after the other",
                        seconds=finished() - begun,
                        **taken,
                        trained=sum(len(sample.tokens) for sample in samples),
                        mismatch=told.get("learn/mismatch", 0.0),
                        memory=turns.memory(),
                    )


def _rollouts(case: Case, live: Parts, policy: Policy, number: int) -> list[Sample]:
    """The chains of a case, played in the world, with advantages."""
    tasks = chains(case, live.suite.tasks("train"))
    agent = replace(live.agent, policy=policy)
    groups = play_groups(agent, live.suite, tasks, size=case.group, seed=derive(0, number), workers=case.workers)
    return samples_in(groups, number)


def _answers(case: Case, policy: VllmPolicy, *, seed: int) -> list[Sample]:
    """A group of replies to each prompt, all of the same length, with advantages."""
    asked = [prompt for prompt in _openings(case.prompts) for _ in range(case.group)]
    replies = replies_to(policy, asked, seed=seed, workers=case.workers)
    assert all(len(reply.tokens) == case.reply for reply in replies), "a reply is not as long as laid down"
    weights = advantages(drawn(len(replies), seed), case.group)
    return [
        Sample(
            tokens=reply.prompt + reply.tokens,
            weights=(0.0,) * len(reply.prompt) + (weight,) * len(reply.tokens),
            logprobs=(0.0,) * len(reply.prompt) + reply.logprobs,
        )
        for reply, weight in zip(replies, weights, strict=True)
    ]


@cache
def _openings(count: int) -> list[Messages]:
    return openings(count)


def replies_to(policy: VllmPolicy, asked: Sequence[Messages], *, seed: int, workers: int) -> list[Completion]:
    """One reply to each, none ended before its time; through what real plays go through."""

    def once(number: int) -> Play[Completion]:
        return (yield Request(key=str(number), messages=asked[number], seed=derive(seed, number)))

    found = dict(in_flow(policy, [partial(once, number) for number in range(len(asked))], workers))
    return [found[number] for number in range(len(asked))]


# ------------------------------------------------------------------------------------------------------------ weights


def weights(case: Case, turns: Turns) -> None:
    """E: how long weights take to get to the engine in each way, what speaking costs then, sleeping and waking."""
    kinds: dict[str, tuple[str, int, dict[str, Any]]] = {
        "copied": ("all, copied", 0, {}),
        "merged": ("LoRA, merged and copied", RANK, {}),
        "adapter": ("LoRA, as an adapter", RANK, {"weights": "adapter"}),
        "asleep": ("all, copied; asleep while learning", 0, {"sleep": True}),
    }
    for label, rank, vllm in map(kinds.__getitem__, case.kinds):
        turns.wait()
        try:
            turns.tell(label=label, **_given(case, rank, **vllm), memory=turns.memory())
        except Exception as problem:  # noqa: BLE001 - the next way may still go well
            turns.tell(label=label, error=f"{type(problem).__name__}: {str(problem)[:200]}")


def _given(case: Case, rank: int, **vllm: Any) -> Figures:
    """One way for weights to get there: the median of several times."""
    begun = time.perf_counter()
    learner = learner_for(case, speech(case, **vllm), rank=rank)
    policy: Any = learner.policy()
    start = time.perf_counter() - begun
    mirror: Any = learner._player
    taken: dict[str, list[float]] = {"weights": []}
    for _ in range(6):
        begun = finished()
        mirror.rest()
        rested = finished()
        policy = learner.policy()
        if vllm.get("sleep"):
            taken.setdefault("sleep", []).append(rested - begun)
            taken.setdefault("wake", []).append(finished() - rested - mirror.seconds)
        taken["weights"].append(mirror.seconds)
    flight = case.flights[len(case.flights) // 2]
    asked = openings(flight)
    for number in range(2):  # the first warms up
        policy = learner.policy()
        begun = time.perf_counter()
        replies = replies_to(policy, asked, seed=number, workers=case.workers)
        rate = sum(len(reply.tokens) for reply in replies) / (time.perf_counter() - begun)
    medians = {name: statistics.median(values[1:]) for name, values in taken.items()}
    return medians | {"start": start, "flight": flight, "rate": rate}


# ----------------------------------------------------------------------------------------------------------- learning


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to learn from a batch."""

    batch: str
    micro: int
    rank: int = 0
    checkpointing: bool = False
    shared: bool = True

    def __str__(self) -> str:
        extras = ["activations computed again"] * self.checkpointing + ["nothing shared"] * (not self.shared)
        return ", ".join([f"{self.batch} batch", f"LoRA {self.rank}" if self.rank else "all", *extras])


def learn(case: Case, turns: Turns) -> None:
    """D: the learner alone, in several ways, each with the share of the ceiling that it comes to."""
    turns.wait()
    top = ceiling(case)
    turns.tell(label="ceiling", **top)
    first = case.micro[0]
    ways = [Way(batch="long", micro=micro, rank=rank) for rank in (0, RANK) for micro in case.micro]
    ways += [Way(batch="short", micro=first, rank=rank) for rank in (0, RANK)]
    ways += [Way(batch="long", micro=first, shared=False), Way(batch="long", micro=first, checkpointing=True)]
    batches = {"short": _short(case), "long": long_batch(case)}
    learner: TorchLearner | None = None
    for way in sorted(ways, key=lambda way: (way.rank, way.checkpointing)):
        turns.wait()
        if learner is None or (learner.settings.lora_rank, learner.settings.checkpointing) != (
            way.rank,
            way.checkpointing,
        ):
            learner = None  # its memory is wanted
            learner = learner_for(case, SamplingSettings(), rank=way.rank, checkpointing=way.checkpointing)
        try:
            figures = _learnt(learner, batches[way.batch], way)
        except RecipeError as problem:
            turns.tell(label=str(way), micro=way.micro, error=str(problem)[:200])
            continue
        done = figures["flops"] / figures["seconds"] / 1e12
        turns.tell(label=str(way), **figures, tflops=done, share=done / top["layers"], of_best=done / top["large"])


def _learnt(learner: TorchLearner, samples: Sequence[Sample], way: Way) -> Figures:
    """What one way comes to; where it does not fit, that it does not, and not what a smaller one comes to."""
    learner.room.tokens, learner.room.again = way.micro, way.checkpointing
    shortest = {} if way.shared else {"shortest": 10**9}
    taken, told = [], {}
    peak()
    with mock.patch.object(learning, "streams", partial(streams, **shortest)):
        made = learner._streams(learner._pieces(samples), known=True)
        for _ in range(3):
            begun = finished()
            told = learner.step(samples)
            taken.append(finished() - begun)
    if (told["learn/micro_tokens"], bool(told["learn/checkpointing"])) != (way.micro, way.checkpointing):
        raise RecipeError(f"memory ran out with micro-batches of {way.micro} tokens")
    seconds = min(taken[1:])
    whole = sum(len(sample.tokens) for sample in samples)
    return {
        "micro": way.micro,
        "seconds": seconds,
        "rate": whole / seconds,
        "fed_rate": told["learn/fed"] / seconds,
        "streams": len(made),
        "flops": flops(learner.model, made, lora=bool(way.rank)),
        "memory": peak(),
    }


def flops(model: Any, made: Sequence[Stream], *, lora: bool) -> float:
    """What the tokens really computed need: see benchmarks/gpu.py. Activations computed again do not count."""
    config = model.config
    table, head = model.get_input_embeddings().weight, model.get_output_embeddings().weight
    outer = table.numel() + (0 if head is table else head.numel())
    body = sum(one.numel() for one in model.parameters()) - outer
    width = config.num_attention_heads * (
        getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    )
    times = 4 if lora else 6
    total = 0.0
    for stream in made:
        pairs = sum(
            length * (reach - length) + length * (length + 1) / 2
            for length, reach in zip(stream.layout.lengths, stream.layout.reaches, strict=True)
        )
        total += times * (body * stream.tokens.numel() + head.numel() * stream.places.numel())
        total += 3 * 4 * config.num_hidden_layers * width * pairs
    return total


def ceiling(case: Case) -> dict[str, float]:
    """Matrix products alone, in TFLOP/s: those of the model's layers, forward and backward, and large square ones."""
    device, dtype = ("cuda", torch.bfloat16) if on_gpu() else ("cpu", torch.float32)
    config = AutoConfig.from_pretrained(case.model)
    heads, hidden, inner = config.num_attention_heads, config.hidden_size, config.intermediate_size
    width = getattr(config, "head_dim", None) or hidden // heads
    queries, keys = heads * width, config.num_key_value_heads * width
    shapes = [(hidden, queries), (hidden, keys), (hidden, keys), (queries, hidden)]
    shapes += [(hidden, inner), (hidden, inner), (inner, hidden)]
    rows = case.micro[0]
    work = seconds = 0.0
    for wide, out in shapes:
        for one, two, three in ((rows, wide, out), (rows, out, wide), (out, rows, wide)):
            work += 2.0 * one * two * three
            seconds += _product(one, two, three, device, dtype)
    side = 8192 if on_gpu() else 512
    return {"layers": work / seconds / 1e12, "large": 2.0 * side**3 / _product(side, side, side, device, dtype) / 1e12}


def _product(rows: int, inner: int, columns: int, device: str, dtype: torch.dtype) -> float:
    """Seconds of one product, the mean of many."""
    left = torch.randn(rows, inner, device=device, dtype=dtype)
    right = torch.randn(inner, columns, device=device, dtype=dtype)
    times = 20 if on_gpu() else 2
    for _ in range(times // 2):
        left @ right
    begun = finished()
    for _ in range(times):
        left @ right
    return (finished() - begun) / times


def _short(case: Case) -> list[Sample]:
    """The batch of A, with words at random."""
    chat = chat_in(case.model)
    draws, words = random.Random(0), len(chat.tokenizer)
    tokens = [chat.opening(prompt) for prompt in openings(case.prompts) for _ in range(case.group)]
    return [_sample(one, (False,) * len(one) + (True,) * case.reply, words, draws) for one in tokens]


def long_batch(case: Case) -> list[Sample]:
    """A batch of as many conversations as B's, each as the expert leads it; groups share openings, not words."""
    chat = chat_in(case.model)
    with parts_of(recipe(case)) as live:
        plays = [
            partial(play_chain, live.agent, live.suite, chain, Library(), seed=number)
            for number, chain in enumerate(chains(case, live.suite.tasks("train")))
        ]
        rollouts = dict(play_all(live.agent.policy, plays, case.workers))
        talks = [
            transcript(one, live.agent.prompt, live.agent.limits) for n in rollouts for one in rollouts[n].episodes
        ]
    draws, words = random.Random(0), len(chat.tokenizer)
    found = []
    for talk in talks:
        tokens: list[int] = []
        said: list[bool] = []
        heard: list[Any] = []
        for message in talk:
            if message.role != "assistant":
                heard.append(message)
                continue
            before = chat.glue(tokens, heard) if tokens else chat.opening(heard)
            reply, heard = chat.reply(message.content), []
            tokens += [*before, *reply]
            said += [False] * len(before) + [True] * len(reply)
        kept = slice(0, case.context)
        found += [_sample(tokens[kept], said[kept], words, draws) for _ in range(case.group)]
    return found


def _sample(tokens: Sequence[int], said: Sequence[bool], words: int, draws: random.Random) -> Sample:
    given = [*tokens, *(0 for _ in range(len(said) - len(tokens)))]
    weight = draws.choice((-1.0, 1.0))
    return Sample(
        tokens=tuple(draws.randrange(words) if mine else one for one, mine in zip(given, said, strict=True)),
        weights=tuple(weight if mine else 0.0 for mine in said),
        logprobs=tuple(-1.0 if mine else 0.0 for mine in said),
    )
