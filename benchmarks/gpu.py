"""Steps, sampling, learning and weights on one GPU: ours, TRL's GRPOTrainer with vLLM, and vLLM alone, in one run.

    python benchmarks/gpu.py --model FOLDER [--parts A,B,C,D,E,F] [--out DIR] [--steps 5] [--trl-site PATH ...]
                             [--quick] [--without NAME ...] [--seconds 480]
    python benchmarks/gpu.py --out DIR --show

    A  a whole step, single turn: groups of replies to openings of desk, all of one length; ours and TRL
    B  a whole step in the world: chains of two tasks of desk; ours each as its reply comes, TRL in waves
    C  sampling: tokens/s of our policy, and of vLLM's own generate with the same and with its own arguments
    D  learning: tokens/s of our learner, and its share of what matrix products reach on this device
    E  weights: how long they take to get to the engine, in each way; sleeping and waking
    F  a step of ours in the world with `train.overlap`, played while the one before is learnt from, and without

Every contender is a process of its own and they take turns, step by step, so that what happens on the machine happens
to all (`--alone`: one after the other, where they do not fit beside each other). One that breaks or hangs costs only
itself; the end of its log is shown. Shown are medians, without the first two steps (C and F: the first; never more than
half of them). Tokens are those of prompts and replies, never padding. Rewards are drawn at random, so that every
contender learns from every sequence.

The share of the ceiling (D) is model FLOPs by seconds, by the TFLOP/s of plain bf16 products: at the shapes of the
model's layers (forward, and both of backward, `micro` rows), and of 8192 x 8192 matrices. Model FLOPs are

    6 x (parameters without embedding and head) x tokens fed  +  6 x (parameters of the head) x tokens said
    + 12 x layers x (heads x size of a head) x pairs of tokens that attend to each other

with 4 in place of 6 for LoRA, which needs no gradients of the weights. What samples share is fed once and counts once;
activations that are computed again do not count.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpu_cases import Case, Turns
from gpu_needs import lacking
from gpu_tables import Outcome, outcomes_in, show, written

CONTENDERS = {
    "ours": "gpu_ours:steps",
    "TRL": "gpu_trl:steps",
    "our policy": "gpu_vllm:ours",
    "vLLM, our arguments": "gpu_vllm:same_arguments",
    "vLLM, its own": "gpu_vllm:own_arguments",
    "our learner": "gpu_ours:learn",
    "our engine": "gpu_ours:weights",
    "ours, ahead": "gpu_ours:ahead",
}
PARTS: Mapping[str, tuple[str, ...]] = {
    "A": ("ours", "TRL"),
    "B": ("ours", "TRL"),
    "C": ("our policy", "vLLM, our arguments", "vLLM, its own"),
    "D": ("our learner",),
    "E": ("our engine",),
    "F": ("ours, ahead",),
}


OVER = "the time was over"


class Broken(Exception):
    """A contender said nothing, or that it failed."""


class Worker:
    """A contender's process, spoken with line by line."""

    def __init__(self, contender: str, log: Path, sites: Sequence[str], limit: float, until: float) -> None:
        self.contender, self.log, self.limit, self.until = contender, log, limit, until
        environment = dict(os.environ)
        if contender == "TRL" and sites:
            environment["PYTHONPATH"] = os.pathsep.join([*sites, *filter(None, [os.environ.get("PYTHONPATH")])])
        self._process = subprocess.Popen(
            [sys.executable, __file__, "--contender", contender],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log.open("a", encoding="utf-8"),
            text=True,
            env=environment,
            start_new_session=True,
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def say(self, text: str) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(text + "\n")
            self._process.stdin.flush()
        except OSError:
            raise Broken(f"it ended with {self._process.wait()}") from None

    def hear(self) -> dict[str, Any]:
        """What it says next; Broken if it is nothing, in time."""
        left = max(0.0, self.until - time.monotonic())
        try:
            line = self._lines.get(timeout=min(self.limit, left))
        except queue.Empty:
            self.close()
            raise Broken(OVER if left < self.limit else f"it said nothing for {self.limit:.0f} seconds") from None
        if not line:
            raise Broken(f"it ended with {self._process.wait()}")
        told: dict[str, Any] = json.loads(line)
        if "error" in told:
            raise Broken(told["error"])
        return told

    def close(self) -> None:
        """End it, and what it started."""
        if self.alive:
            assert self._process.stdin
            self._process.stdin.close()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                os.killpg(self._process.pid, signal.SIGKILL)
                self._process.wait()

    def last_words(self) -> str:
        return "\n".join(self.log.read_text(encoding="utf-8", errors="replace").splitlines()[-25:])

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")


class Hall:
    """Where contenders meet: their processes, kept from one case to the next, and what came of it so far."""

    def __init__(self, out: Path, sites: Sequence[str], limit: float, seconds: float) -> None:
        self.out, self.sites, self.limit, self.until = out, linked(sites, out), limit, time.monotonic() + seconds
        self.outcomes: list[Outcome] = []
        self._workers: dict[str, Worker] = {}

    def meet(self, case: Case, contenders: Sequence[str], *, alone: bool) -> None:
        """Let these work on a case, in turns, or one after the other."""
        for name in [*self._workers]:
            if name not in contenders:
                self._workers.pop(name).close()
        rounds = [[name] for name in contenders] if alone else [list(contenders)]
        for names in rounds:
            if alone:
                self.close()
            self._play(replace(case, crowded=len(names) > 1), names)

    def _play(self, case: Case, names: Sequence[str]) -> None:
        begun = time.perf_counter()
        going: dict[str, Iterator[None]] = {}
        for name in names:
            outcome = Outcome(case=case, contender=name)
            self.outcomes.append(outcome)
            going[name] = self._moves(outcome)
            self._next(going, name)  # up to where it is ready
            if name in going:
                print(f"{outcome.name}: {name} is ready, {time.perf_counter() - begun:.0f} s", flush=True)
        while going:
            for name in [*going]:
                self._next(going, name)
        print(f"{outcome.name}: over after {time.perf_counter() - begun:.0f} s", flush=True)

    def _next(self, going: dict[str, Iterator[None]], name: str) -> None:
        if next(going[name], self) is self:
            del going[name]
        self.write()

    def _moves(self, outcome: Outcome) -> Iterator[None]:
        """One contender's way through a case; stops wherever it waits for its turn."""
        name = outcome.contender
        if time.monotonic() > self.until:
            outcome.error = OVER
            return
        worker = self._workers.get(name)
        if worker is None or not worker.alive:
            log = self.out / f"{name.replace(' ', '-').replace(',', '')}.log"
            worker = self._workers[name] = Worker(name, log, self.sites, self.limit, self.until)
        try:
            worker.say(outcome.case.written())
            while "done" not in (told := worker.hear()):
                if "ready" in told:
                    yield
                    worker.say("go")
                else:
                    outcome.turns.append(told["figures"])
            outcome.about = told["done"]
        except Broken as problem:
            outcome.error, outcome.log = str(problem), worker.last_words()
            print(f"{outcome.name}: {name} broke: {problem}", flush=True)

    def write(self) -> None:
        """All that is known so far, whole or not at all."""
        new = self.out / "results.json.new"
        new.write_text(written(self.outcomes), encoding="utf-8")
        new.replace(self.out / "results.json")

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._workers.clear()


def linked(sites: Sequence[str], out: Path) -> list[str]:
    """The same folders below one named site-packages: what lies elsewhere, datasets pickles whole, pyarrow included."""
    names = []
    for number, site in enumerate(sites):
        link = out.absolute() / "site-packages" / str(number)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.unlink(missing_ok=True)
        link.symlink_to(Path(site).absolute())
        names.append(str(link))
    return names


# ----------------------------------------------------------------------------------------------------------- the run


def cases(given: argparse.Namespace) -> Iterator[Case]:
    names = {each for each in Case.__dataclass_fields__ if getattr(given, each, None) is not None}
    said = {name: getattr(given, name) for name in names}
    whole = Case(part="A", **{name: tuple(one) if isinstance(one, list) else one for name, one in said.items()})
    for part in given.parts.upper().split(","):
        for rank in given.ranks if part == "A" else given.ranks[:1] if part in "BF" else (0,):
            yield replace(whole, part=part, rank=rank)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    add = parser.add_argument
    add("--contender", choices=CONTENDERS, help=argparse.SUPPRESS)
    add("--model", help="the folder of a transformers model")
    add("--parts", default=",".join(PARTS))
    add("--out", type=Path, default=Path("gpu-results"), help="a folder for results.json and the contenders' logs")
    add("--show", action="store_true", help="only show what the folder or file of --out holds, also of a run cut off")
    add("--trl-site", nargs="*", default=[], metavar="PATH", help="folders with TRL and what it needs")
    add("--quick", action="store_true", help="fewer and smaller of everything")
    add("--alone", action="store_true", help="one contender after the other, each with the whole GPU")
    add("--limit", type=float, default=300.0, help="seconds of silence after which a contender is given up")
    add("--seconds", type=float, default=math.inf, help="for all; whoever is at work then is ended")
    add("--without", nargs="*", default=[], choices=CONTENDERS, metavar="NAME", help="contenders that stay away")
    add("--ranks", type=int, nargs="*", default=[0], help="of LoRA in A, 0 for all parameters; B and F have the first")
    case = Case(part="A", model="")
    for name, words in (
        ("steps", "of A, B, C and F"),
        ("group", "replies to a prompt, rollouts of a chain"),
        ("prompts", "of A"),
        ("reply", "tokens in a reply of A and C"),
        ("chains", "of B and F"),
        ("turns", "of an episode of B and F at most"),
        ("turn_reply", "tokens in a reply of B and F at most"),
        ("context", "tokens in a conversation at most"),
        ("engines", "processes of vLLM, where it is ours; several want NVIDIA's MPS"),
        ("rows", "conversations that our engines take at once"),
        ("cache_gb", "of our engines"),
        ("share", "of the GPU's memory for other vLLMs than ours"),
        ("workers", "worlds that run at once"),
    ):
        kind = type(getattr(case, name))
        add(f"--{name.replace('_', '-')}", type=kind, help=f"{words} ({getattr(case, name)})")
    add("--flights", type=int, nargs="*", help=f"conversations at once, in C {case.flights}")
    add("--micro", type=int, nargs="*", help=f"tokens in a pass of our learner; the first in steps {case.micro}")
    add("--kinds", nargs="*", choices=case.kinds, help="ways for weights to get to the engine, in E")
    add("--tries", nargs="*", help="what TRL is tried with in A: " + " ".join(case.tries))
    add("--long-tries", nargs="*", help="and in B: " + " ".join(case.long_tries))
    add("--checkpointing", action="store_true", default=None, help="our learner computes activations again in steps")
    return parser.parse_args()


QUICK = {"steps": 3, "prompts": 16, "chains": 4, "reply": 128, "flights": (512,), "micro": (16_384,)}
QUICK_TRIES = ("bfloat16:16", "float32:16")


def main() -> None:
    given = parsed()
    if given.contender:
        module, _, function = CONTENDERS[given.contender].partition(":")
        turns = Turns()
        turns.serve(getattr(importlib.import_module(module), function))
        return
    if given.show:
        show(outcomes_in(given.out / "results.json" if given.out.is_dir() else given.out))
        return
    if problem := lacking(given.model, given.parts.upper().split(","), PARTS, given.trl_site):
        sys.exit(f"error: {problem}")
    given.model = str(Path(given.model).absolute())
    if given.quick:
        for name, value in (QUICK | {"tries": QUICK_TRIES}).items():
            if getattr(given, name) is None:
                setattr(given, name, value)
    given.out.mkdir(parents=True, exist_ok=True)
    hall = Hall(given.out, given.trl_site, given.limit, given.seconds)
    try:
        for case in cases(given):
            if contenders := [name for name in PARTS[case.part] if name not in given.without]:
                hall.meet(case, contenders, alone=given.alone)
    finally:
        hall.close()
        show(hall.outcomes)


if __name__ == "__main__":
    main()
