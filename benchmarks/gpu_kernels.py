"""Where our learner's time on the GPU goes: seconds of a step by the kind of kernel, and those in which none ran.

    python benchmarks/gpu_kernels.py --model FOLDER [--micro 32768] [--ranks 0 16] [--out FILE]

Each rank (0 for all parameters) learns from the long batch of benchmarks/gpu.py, part D: two steps to warm up, one
timed without a profiler, one with it. Kernels are told apart by their names; what no kind knows is listed. Kernels of
one step run one after the other, so what is left of the step's seconds is the GPU waiting for the processor. How that
waiting is spread is told of the step with the profiler, which makes it longer: before the first kernel a batch is laid
out, in long gaps the processor does something else than to start kernels, in short ones it starts them too slowly.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import torch
from gpu_cases import Case, finished
from gpu_needs import lacking
from gpu_ours import learner_for, long_batch
from rich.console import Console
from rich.table import Table

from prowess.policies.sampling import SamplingSettings

KINDS: Mapping[str, tuple[str, ...]] = {
    "attention": ("flash", "fmha", "attention"),
    "matrix products": ("gemm", "nvjet", "cutlass", "cublas", "splitk"),
    "norms and gates": ("rms_norm", "swiglu", "layer_norm"),
    "log-probabilities": ("softmax", "logsumexp", "cross_entropy"),
    "optimiser and norms of gradients": ("multi_tensor", "foreach"),
    "copies": ("memcpy", "memset", "copy_kernel", "direct_copy", "catarray"),
    "sums and other reductions": ("reduce",),
    "gathers and scatters": ("index", "gather", "scatter", "embedding"),
    "element by element": ("elementwise", "triton_poi"),
}
"""The first kind with one of these in a kernel's name."""
REST = "others"
WAITS = ("before the first", "in gaps of 1 ms and more", "in shorter gaps")
LONG = 1_000
"""Microseconds."""


def kind_of(kernel: str) -> str:
    name = kernel.lower()
    return next((kind for kind, marks in KINDS.items() if any(mark in name for mark in marks)), REST)


def kernels(events: Iterable[Any]) -> Counter[str]:
    """Seconds on the device by kernel."""
    taken: Counter[str] = Counter()
    for event in events:
        taken[event.name] += event.time_range.elapsed_us() / 1e6
    return taken


def waits(spans: Iterable[tuple[float, float]]) -> dict[str, float]:
    """How long nothing ran, after the end of the first span, in the units of the spans: a first kernel is to mark the
    beginning.

    >>> waits([(0, 1), (31, 40), (40.5, 50), (45, 60), (2_060, 2_070)])
    {'before the first': 30.0, 'in gaps of 1 ms and more': 2000.0, 'in shorter gaps': 0.5}
    """
    (_, end), *others = sorted(spans)
    found = dict.fromkeys(WAITS, 0.0)
    for number, (start, until) in enumerate(others):
        kind = 0 if not number else 1 if start - end >= LONG else 2
        found[WAITS[kind]] += max(0, start - end)
        end = max(end, until)
    return found


def measured(case: Case, rank: int) -> dict[str, Any]:
    learner = learner_for(case, SamplingSettings(), rank=rank)
    samples = long_batch(case)
    for _ in range(2):
        learner.step(samples)
    begun = finished()
    told = learner.step(samples)
    seconds = finished() - begun
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
        torch.ones(1, device="cuda")  # marks the beginning
        finished()
        learner.step(samples)
        finished()
    ran = [event for event in profile.events() or () if event.device_type == torch.autograd.DeviceType.CUDA]
    found = kernels(ran)
    by_kind: Counter[str] = Counter()
    for name, taken in found.items():
        by_kind[kind_of(name)] += taken
    return {
        "rank": rank,
        "seconds": seconds,
        "fed": told["learn/fed"],
        "micro": told["learn/micro_tokens"],
        "kinds": dict(by_kind.most_common()),
        "waits": {
            kind: taken / 1e6
            for kind, taken in waits((event.time_range.start, event.time_range.end) for event in ran).items()
        },
        "kernels": [[name[:200], taken] for name, taken in found.most_common(40)],
        "others": [[name[:200], taken] for name, taken in found.most_common() if kind_of(name) == REST][:20],
    }


def shown(results: list[dict[str, Any]]) -> None:
    table = Table(title="a step of the learner, seconds", title_justify="left")
    table.add_column("")
    for result in results:
        table.add_column(f"LoRA {result['rank']}" if result["rank"] else "all parameters", justify="right")
    for kind in (*KINDS, REST):
        if any(kind in result["kinds"] for result in results):
            table.add_row(kind, *(f"{result['kinds'].get(kind, 0.0):.3f}" for result in results))
    waited = [max(0.0, result["seconds"] - sum(result["kinds"].values())) for result in results]
    table.add_row("no kernel", *(f"{one:.3f}" for one in waited))
    table.add_row("all", *(f"{result['seconds']:.3f}" for result in results))
    for kind in WAITS:
        table.add_row(f"waited {kind}, with the profiler", *(f"{result['waits'][kind]:.3f}" for result in results))
    Console().print(table)
    for result in results:
        for name, taken in result["others"][:5]:
            print(f"rank {result['rank']}, others: {taken:.4f} s {name[:110]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", required=True, help="the folder of a transformers model")
    parser.add_argument("--micro", type=int, default=32_768, help="tokens in a pass (32768)")
    parser.add_argument("--ranks", type=int, nargs="+", default=[0, 16], help="of LoRA, 0 for all parameters")
    parser.add_argument("--out", type=Path, help="a file for what was measured, as JSON")
    given = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("error: torch sees no GPU here\nhint: benchmarks/learner.py measures the learner on a processor")
    if problem := lacking(given.model, "D", "D"):
        sys.exit(f"error: {problem}")
    case = Case(part="D", model=str(Path(given.model).absolute()), micro=(given.micro,))
    results = [measured(case, rank) for rank in given.ranks]
    if given.out:
        given.out.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    shown(results)


if __name__ == "__main__":
    main()
