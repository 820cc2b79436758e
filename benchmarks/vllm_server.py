"""What a server costs: the same questions to vLLM in a process of ours, and to vLLM's own server, in turns.

    .vllm/bin/python benchmarks/vllm_server.py [--model FOLDER] [--conversations 64] [--turns 5] [--reply 96]

Both have engines with the same arguments, weights of the same model and replies of the same length, with seeds and
log-probabilities. Weights of a LoRA adapter are given to both after each turn, and that is timed, too. Without --model
it is a tiny model, so that next to all of the time is vLLM's Python and the way there and back.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from opensage.learners.lowrank import LowRank
from opensage.learners.settings import LearnerSettings
from opensage.models import Brain
from opensage.models.load import ModelSettings, load
from opensage.models.tiny import TinySettings, make_tiny
from opensage.policies.players import dismiss
from opensage.policies.sampling import SamplingSettings, VllmSettings
from opensage.policies.server.player import ServerPlayer
from opensage.policies.server.settings import ServerSettings
from opensage.policies.vllm.mirror import Mirror, shape_of
from opensage.policies.vllm.policy import VllmPolicy
from opensage.policies.vllm.question import Question
from opensage.policies.vllm.shape import arguments

TEXTS = ["Like every song by Juno Halloway.", "```python\nprint(apis.music.songs())\n```", "Add an alarm at 7"] * 4
TINY = TinySettings(layers=2, hidden=128, heads=4, kv_heads=2, inner=96, vocab=400, positions=1024, spread=0.2)
RANK = 16
PASSED = ("max_model_len", "max_num_seqs", "max_num_batched_tokens", "kv_cache_memory_bytes", "dtype", "logprobs_mode")
"""Arguments of ours that the server is started with, too; the rest has to do with where weights come from."""


@contextmanager
def serving(model: str, asked: dict[str, Any], log: Path) -> Iterator[str]:
    """A server with our engine's arguments."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", model, "--port", str(port)]
    command += ["--host", "127.0.0.1", "--generation-config", "vllm", "--enable-prompt-tokens-details"]
    command += ["--enable-lora", "--max-lora-rank", str(RANK), "--max-loras", "1"]
    for name in PASSED:
        command += [f"--{name.replace('_', '-')}", str(asked[name])]
    if "compilation_config" in asked:
        command += ["--compilation-config", json.dumps(asked["compilation_config"])]
        command += ["--gpu-memory-utilization", str(asked["gpu_memory_utilization"])]
    else:
        command += ["--enforce-eager", "--no-enable-chunked-prefill"]
    with log.open("w") as out:
        environment = {**os.environ, "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1"}
        server = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        try:
            url = f"http://127.0.0.1:{port}"
            while not _answers(f"{url}/health"):
                if server.poll() is not None:
                    sys.exit(f"error: the server ended with {server.returncode}\n{log.read_text()[-2000:]}")
                time.sleep(0.5)
            yield url
        finally:
            server.terminate()
            server.wait(timeout=60)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def turn(policy: VllmPolicy, rows: int, reply: int, number: int) -> float:
    """The seconds in which so many replies are there."""
    begun = time.perf_counter()
    asked = [
        policy.engine.ask(
            Question(tokens=(*range(3, 200), 3 + n), seed=1_000 * number + n, temperature=1.0, room=reply)
        )
        for n in range(rows)
    ]
    for one in asked:
        one.result()
    return time.perf_counter() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", default="", help="the folder of a transformers model (a tiny one)")
    parser.add_argument("--conversations", type=int, default=64, help="that talk at once (64)")
    parser.add_argument("--turns", type=int, default=5, help="of each (5)")
    parser.add_argument("--reply", type=int, default=96, help="tokens of each reply (96)")
    parser.add_argument("--cache-gb", type=float, default=0.5, help="for keys and values (0.5)")
    parser.add_argument("--out", type=Path, help="a file for what was measured, as JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        found = measured(given, Path(room))
    for name, one in found.items():
        rate, rest = statistics.median(one["tokens_per_second"]), statistics.median(one["give_ms"])
        print(f"{name}: {rate:,.0f} tokens/s ({min(one['tokens_per_second']):,.0f} to "
              f"{max(one['tokens_per_second']):,.0f}), weights in {rest:,.1f} ms")  # fmt: skip
    rates = [statistics.median(one["tokens_per_second"]) for one in found.values()]
    print(f"the server: {rates[1] / rates[0]:.2f} of ours")
    if given.out:
        given.out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def measured(given: argparse.Namespace, room: Path) -> dict[str, dict[str, list[float]]]:
    folder = str(Path(given.model).absolute()) if given.model else str(room / "model")
    if not given.model:
        make_tiny(TEXTS, TINY, seed=3).save(folder)
    settings = SamplingSettings(
        engine="vllm",
        context_tokens=1_000,
        rows=given.conversations,
        cache_gb=given.cache_gb,
        vllm=VllmSettings(weights="adapter"),
    )
    ours = _brain(folder)
    asked = arguments(shape_of(ours, settings, rank=RANK))
    found: dict[str, dict[str, list[float]]] = {}
    with serving(folder, asked, room / "log") as url:
        theirs = _brain(folder)
        served = replace(settings, engine="server", server=ServerSettings(urls=(url,)))
        mirror = Mirror(ours, settings, _learnt(ours))
        player = ServerPlayer(theirs, served, _learnt(theirs), changing=True)
        policies = {"a process of ours": mirror, "vLLM's server": player}
        for number in range(given.turns + 1):
            for name, one in policies.items():
                policy = one.policy()
                seconds = turn(policy, given.conversations, given.reply, number)
                if number:  # the first of each warms it up
                    kept = found.setdefault(name, {"tokens_per_second": [], "give_ms": []})
                    kept["tokens_per_second"].append(given.conversations * given.reply / seconds)
                    kept["give_ms"].append(1e3 * (player.courier.seconds if one is player else mirror.seconds))
        dismiss()
    return found


def _brain(folder: str) -> Brain:
    brain = load(ModelSettings(name=folder))
    brain.chat.stop_ids = frozenset()
    return brain


def _learnt(brain: Brain) -> LowRank:
    return LowRank(brain.model, LearnerSettings(lora_rank=RANK), seed=1)


if __name__ == "__main__":
    main()
