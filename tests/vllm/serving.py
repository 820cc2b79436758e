"""A real vLLM server for a test, as a user would start it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving(model: Path, log: Path, *more: str, environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """A server with a model, known as `mine`; its address."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    command = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", str(model)]
    command += ["--served-model-name", "mine", "--host", "127.0.0.1", "--port", str(port), "--dtype", "float32"]
    command += ["--enforce-eager", "--max-model-len", "300", "--kv-cache-memory-bytes", str(2**28)]
    command += ["--max-num-seqs", "8", "--generation-config", "vllm", *more]
    with log.open("w") as out:
        server = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **(environment or {})})
        try:
            deadline = time.monotonic() + 200
            while not _answers(f"http://127.0.0.1:{port}/health"):
                assert server.poll() is None and time.monotonic() < deadline, log.read_text()[-3000:]
                time.sleep(0.5)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(timeout=60)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
