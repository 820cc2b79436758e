"""What a server costs: the same questions to vLLM in a process of ours, and to vLLM's own server, in turns.

    .vllm/bin/python benchmarks/vllm_server.py [--model FOLDER] [--conversations 64] [--turns 5] [--reply 96] [--texts]

Both have engines with the same arguments, weights of the same model and replies of the same length, with seeds and
log-probabilities. Weights of a LoRA adapter are given to both after each turn, and that is timed, too. Without --model
it is a tiny model, so that next to all of the time is vLLM's Python and the way there and back. With --texts there is
a third: a server that makes text of each token and counts them, as `vllm serve` does unless it is told not to.

Of a server's processes the one that takes requests is measured by itself: once the model is fast enough, what it takes
for a token is what holds everything up, and on a machine with few cores that does not show in the tokens a second.
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
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from prowess.learners.lowrank import LowRank
from prowess.learners.settings import LearnerSettings
from prowess.models import Brain
from prowess.models.load import ModelSettings, load
from prowess.models.tiny import TinySettings, make_tiny
from prowess.policies.engines import dismiss
from prowess.policies.sampling import SamplingSettings, VllmSettings
from prowess.policies.server.known import BARE
from prowess.policies.server.player import ServerPlayer
from prowess.policies.server.settings import ServerSettings
from prowess.policies.vllm.player import VllmPlayer, shape_of
from prowess.policies.vllm.policy import VllmPolicy
from prowess.policies.vllm.question import Question
from prowess.policies.vllm.shape import arguments

TEXTS = ["Like every song by Juno Halloway.", "```python\nprint(apis.music.songs())\n```", "Add an alarm at 7"] * 4
TINY = TinySettings(layers=2, hidden=128, heads=4, kv_heads=2, inner=96, vocab=400, positions=1024, spread=0.2)
RANK = 16
OURS = "a process of ours"
PASSED = ("max_model_len", "max_num_seqs", "max_num_batched_tokens", "kv_cache_memory_bytes", "dtype", "logprobs_mode")
"""Arguments of ours that the server is started with, too; the rest has to do with where weights come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A server, and the process of it that takes requests."""

    url: str
    process: int

    def seconds(self) -> float:
        """Of a processor that this process has taken."""
        fields = Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def serving(model: str, asked: dict[str, Any], log: Path, *more: str) -> Iterator[Served]:
    """A server with our engine's arguments."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", model, "--port", str(port)]
    command += ["--host", "127.0.0.1", "--generation-config", "vllm", "--enable-prompt-tokens-details"]
    command += ["--enable-lora", "--max-lora-rank", str(RANK), "--max-loras", "1", *more]
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
            yield Served(url=url, process=server.pid)
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
    parser.add_argument("--texts", action="store_true", help="a server that makes text of tokens and counts, too")
    parser.add_argument("--out", type=Path, help="a file for what was measured, as JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        found = measured(given, Path(room))
    ours = statistics.median(found[OURS]["tokens_per_second"])
    for name, one in found.items():
        rates, rest = one["tokens_per_second"], statistics.median(one["give_ms"])
        rate = statistics.median(rates)
        taken = f", {statistics.median(one['request_us']):,.0f} us a token in its process" if one["request_us"] else ""
        print(f"{name}: {rate:,.0f} tokens/s ({min(rates):,.0f} to {max(rates):,.0f}), {rate / ours:.2f} of ours, "
              f"weights in {rest:,.1f} ms{taken}")  # fmt: skip
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
    kinds = {"vLLM's server": BARE.split()} | ({"vLLM's server, with texts": []} if given.texts else {})
    said = given.conversations * given.reply
    with ExitStack() as running:
        servers = {
            name: running.enter_context(serving(folder, asked, room / f"log-{number}", *more))
            for number, (name, more) in enumerate(kinds.items())
        }
        players = {name: _player(folder, settings, one.url) for name, one in servers.items()}
        policies: dict[str, VllmPlayer | ServerPlayer] = {OURS: VllmPlayer(ours, settings, _learnt(ours)), **players}
        found: dict[str, dict[str, list[float]]] = {
            name: {"tokens_per_second": [], "give_ms": [], "request_us": []} for name in policies
        }
        for number in range(given.turns + 1):
            for name, one in policies.items():
                policy, server = one.policy(), servers.get(name)
                taken = server.seconds() if server else 0.0
                seconds = turn(policy, given.conversations, given.reply, number)
                if number:  # the first of each warms it up
                    kept = found[name]
                    kept["tokens_per_second"].append(said / seconds)
                    kept["give_ms"].append(1e3 * (one.sender if isinstance(one, ServerPlayer) else one).seconds)
                    if server:
                        kept["request_us"].append(1e6 * (server.seconds() - taken) / said)
        dismiss()
    return found


def _player(folder: str, settings: SamplingSettings, url: str) -> ServerPlayer:
    brain = _brain(folder)
    served = replace(settings, engine="server", server=ServerSettings(urls=(url,)))
    return ServerPlayer(brain, served, _learnt(brain), changing=True)


def _brain(folder: str) -> Brain:
    brain = load(ModelSettings(name=folder))
    brain.chat.stop_ids = frozenset()
    return brain


def _learnt(brain: Brain) -> LowRank:
    return LowRank(brain.model, LearnerSettings(lora_rank=RANK), seed=1)


if __name__ == "__main__":
    main()
