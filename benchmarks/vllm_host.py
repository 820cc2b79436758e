"""What vLLM's Python takes of a pass, for each conversation: driven by our engine, and by vLLM's own `step`.

    .vllm/bin/python benchmarks/vllm_host.py [--conversations 64 256] [--rounds 3] [--tokens 96]

A small model's GPU waits for that Python, so it sets the speed of sampling. It is the same on a processor, where this
runs with a model of one layer: measured is what a pass takes outside of the model and its sampler. Both have engines
of their own, in one process, with the same arguments, and take turns; shown is the median round, in microseconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.sampling import SamplingSettings
from prowess.policies.vllm.engine import Engine
from prowess.policies.vllm.player import shape_of
from prowess.policies.vllm.question import Question
from prowess.policies.vllm.shape import Shape

TEXTS = ["Like every song by Juno Halloway.", "```python\nprint(apis.music.songs())\n```", "Add an alarm at 7"] * 4
TINY = TinySettings(layers=1, hidden=32, heads=1, kv_heads=1, inner=32, vocab=400, positions=512, spread=0.2)
PROMPT = tuple(range(3, 30))


def shape_for(rows: int) -> Shape:
    brain = make_tiny(TEXTS, TINY, seed=3)
    brain.chat.stop_ids = frozenset()
    return shape_of(brain, SamplingSettings(engine="vllm", context_tokens=400, rows=rows, cache_gb=0.25))


class Watch:
    """Seconds in which the model computes or draws, and how often it does."""

    def __init__(self) -> None:
        from vllm.v1.executor.uniproc_executor import UniProcExecutor

        self.seconds, self.passes = 0.0, 0
        for name in ("execute_model", "sample_tokens"):
            setattr(UniProcExecutor, name, self._timed(getattr(UniProcExecutor, name), counts=name == "execute_model"))

    def _timed(self, work: Callable[..., Any], *, counts: bool) -> Callable[..., Any]:
        def timed(*given: Any, **more: Any) -> Any:
            begun = time.perf_counter()
            try:
                return work(*given, **more)
            finally:
                self.seconds += time.perf_counter() - begun
                self.passes += counts

        return timed

    @contextmanager
    def rest(self, rows: int, into: list[float]) -> Iterator[None]:
        """Add to `into` what is not the model's, in microseconds for each conversation and pass."""
        seconds, passes, begun = self.seconds, self.passes, time.perf_counter()
        yield
        taken = time.perf_counter() - begun - (self.seconds - seconds)
        into.append(1e6 * taken / rows / (self.passes - passes))


def ours(shape: Shape) -> Callable[[int, int], None]:
    engine = Engine(shape)

    def talk(rows: int, tokens: int) -> None:
        def whole(vllm: Any) -> None:  # all are there before the first pass
            asked.extend(engine.ask(_question(n, tokens)) for n in range(rows))

        asked: list[Any] = []
        engine.change(whole)
        for one in asked:
            one.result()

    return talk


def plain(shape: Shape) -> Callable[[int, int], None]:
    from vllm import EngineArgs
    from vllm.sampling_params import RequestOutputKind
    from vllm.v1.engine.llm_engine import LLMEngine

    from prowess.policies.vllm.shape import arguments

    shaped = Engine.__new__(Engine)  # only for how it asks
    shaped.shape, shaped.version = shape, 0
    engine = LLMEngine.from_engine_args(EngineArgs(**arguments(shape)))

    def talk(rows: int, tokens: int) -> None:
        for n in range(rows):
            question = _question(n, tokens)
            params = shaped._params(question)
            params.flat_logprobs, params.output_kind = True, RequestOutputKind.FINAL_ONLY  # as little as it can be told
            engine.add_request(f"q{n}", shaped._prompt(question), params)
        while engine.has_unfinished_requests():
            engine.step()

    return talk


def _question(number: int, tokens: int) -> Question:
    return Question(tokens=PROMPT, seed=number, temperature=1.0, room=tokens)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--conversations", type=int, nargs="*", default=[64, 256])
    parser.add_argument("--rounds", type=int, default=3, help="after a first one, which warms up")
    parser.add_argument("--tokens", type=int, default=96, help="in each reply")
    given = parser.parse_args()
    shape = shape_for(max(given.conversations))
    talks = {"ours": ours(shape), "vLLM's step": plain(shape)}
    watch = Watch()
    for rows in given.conversations:
        taken: dict[str, list[float]] = {name: [] for name in talks}
        for _ in range(1 + given.rounds):
            for name, talk in talks.items():
                with watch.rest(rows, taken[name]):
                    talk(rows, given.tokens)
        medians = {name: statistics.median(some[1:]) for name, some in taken.items()}
        told = ", ".join(f"{name} {value:.1f}" for name, value in medians.items())
        mine, theirs = medians.values()
        print(f"{rows} conversations: {told} us; {theirs / mine:.2f} times as much")


if __name__ == "__main__":
    main()
