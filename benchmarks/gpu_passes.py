"""Turns of sampling by one engine with nothing else in the process: tokens a second, passes, and Python's collector.

    python benchmarks/gpu_passes.py --model FOLDER [--conversations 256 512] [--turns 7 3] [--reply 128] [--out FILE]

Conversations ask at once, with 400 tokens that differ in the last, and are answered with seeds and log-probabilities,
as in learning. Nothing but the engine runs here, so what differs from turn to turn is vLLM's or the machine's.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from gpu_needs import lacking

from prowess.models.load import ModelSettings, load
from prowess.policies.sampling import SamplingSettings
from prowess.policies.vllm.engine import Engine
from prowess.policies.vllm.player import shape_of
from prowess.policies.vllm.question import Answer, Question
from prowess.policies.vllm.weights import Giver, source_of

PROMPT = tuple(range(1_000, 1_400))


class Collector:
    """Seconds that Python's collector of garbage takes."""

    def __init__(self) -> None:
        self.seconds, self._begun = 0.0, 0.0
        gc.callbacks.append(self._hear)

    def _hear(self, phase: str, _: Any) -> None:
        now = time.perf_counter()
        if phase == "stop":
            self.seconds += now - self._begun
        self._begun = now


def turn(engine: Engine, rows: int, reply: int, number: int) -> float:
    """The seconds of a turn: all ask before the first pass."""
    asked: list[Answer] = []

    def whole(_: Any) -> None:
        for n in range(rows):
            tokens = (*PROMPT, 1_000 * number + n)
            asked.append(engine.ask(Question(tokens=tokens, seed=tokens[-1], temperature=1.0, room=reply)))

    begun = time.perf_counter()
    engine.change(whole)
    for one in asked:
        one.result()
    return time.perf_counter() - begun


def started(model: str, rows: int) -> Engine:
    brain = load(ModelSettings(name=model))
    brain.chat.stop_ids = frozenset()
    settings = SamplingSettings(engine="vllm", context_tokens=2_048, rows=rows, cache_gb=12)
    engine = Engine(shape_of(brain, settings))
    engine.change(Giver(source_of(brain.model)))
    return engine


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", required=True, help="the folder of a transformers model")
    parser.add_argument("--conversations", type=int, nargs="+", default=[256, 512])
    parser.add_argument("--turns", type=int, nargs="+", default=[7, 3], help="of each number of conversations")
    parser.add_argument("--reply", type=int, default=128, help="tokens of each reply (128)")
    parser.add_argument("--out", type=Path, help="a file for what was measured, as JSON")
    given = parser.parse_args()
    if len(given.turns) != len(given.conversations):
        sys.exit(f"error: {len(given.turns)} numbers of turns for {len(given.conversations)} of conversations")
    if problem := lacking(given.model, "C", "C"):
        sys.exit(f"error: {problem}")
    engine = started(str(Path(given.model).absolute()), max(given.conversations))
    collector, found = Collector(), list[dict[str, float]]()
    for rows, turns in zip(given.conversations, given.turns, strict=True):
        for _ in range(turns):
            work, collected = engine.work, collector.seconds
            seconds = turn(engine, rows, given.reply, len(found))
            done = engine.work.since(work)
            one = {"conversations": rows, "seconds": seconds, "tokens_per_second": rows * given.reply / seconds}
            one |= {"passes": done.passes, "pass_ms": 1e3 * done.pass_seconds}
            found.append(one | {"collector_ms": 1e3 * (collector.seconds - collected)})
            print(", ".join(f"{name} {value:,.1f}" for name, value in found[-1].items()), flush=True)
    for rows in given.conversations:
        rates = [one["tokens_per_second"] for one in found if one["conversations"] == rows]
        print(
            f"{rows} conversations: {statistics.median(rates):,.0f} tokens/s ({min(rates):,.0f} to {max(rates):,.0f})"
        )
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    engine.close()


if __name__ == "__main__":
    main()
