"""Warm host processes of AppWorld, one opened task each: forked for every task, replaced when they die."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from prowess import sandbox
from prowess.errors import SandboxError, WorldError
from prowess.sandbox.forks import KILLED
from prowess.sandbox.frames import Damaged, Gone, Late, packed
from prowess.sandbox.host import Child, Zygote
from prowess_appworld.limits import CPU_SECONDS, MEMORY_MB
from prowess_appworld.place import VERSION, Installation

WARM = 2
"""Children kept forked, so that a task opens at once."""
START_SECONDS = 120.0
CALL_SECONDS = 100.0
"""Time for one answer: an API call takes milliseconds, a reference with hundreds of calls seconds. A process that works
all the time ends before, see `limits`; so this is the time that a busy machine may take."""
FRAME_BYTES = 64_000_000

# Only files that need nothing but the standard library are loaded under AppWorld's Python: the packages above them are
# put in place empty.
_BOOT = (
    "import sys, types\n"
    "for name, place in (('prowess.sandbox', sys.argv[1]), ('prowess_appworld', sys.argv[2])):\n"
    "    package = sys.modules[name] = types.ModuleType(name)\n"
    "    package.__path__ = [place]\n"
    "sys.modules['prowess'] = types.ModuleType('prowess')\n"
    "sys.modules['prowess'].__path__ = []\n"
    "from prowess_appworld.host import main\n"
    "main(sys.argv[3:])\n"
)


class Pool:
    """AppWorld's warm process and its children. Thread-safe."""

    def __init__(self, place: Installation, *, warm: int = WARM) -> None:
        place.check()
        self._place = place
        self._wanted = warm
        self._lock = threading.Lock()
        self._warm: deque[Child] = deque()
        self._zygote: Zygote | None = None
        self._closed = False

    def open(self, task: str) -> Host:
        """A child with a task's state at its start."""
        for _ in range(self._wanted + 2):
            host = Host(self._child(), task)
            try:
                host.apis = host.ask({"open": task})["apis"]
            except (Died, Ended):
                continue  # while it was kept warm
            self._refill()
            return host
        raise WorldError(
            "AppWorld's host processes die before they are used", hint="the machine may be short of memory"
        )

    def close(self) -> None:
        """End every process. May be called twice."""
        with self._lock:
            self._closed = True
            self._let_go()

    def _child(self) -> Child:
        with self._lock:
            if self._closed:
                raise WorldError("this pool of AppWorld hosts is closed")
            if self._zygote is None or not self._zygote.alive:
                self._let_go()
                self._zygote = _started(self._place)
            if self._warm:
                return self._warm.popleft()
            try:
                return self._zygote.fork()
            except SandboxError as gone:
                raise WorldError(str(gone)) from None

    def _let_go(self) -> None:
        self._warm.clear()
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

    def _refill(self) -> None:
        with self._lock, contextlib.suppress(SandboxError):
            while self._zygote is not None and len(self._warm) < self._wanted:
                self._warm.append(self._zygote.fork())


class Host:
    """One opened task in its process. For one thread at a time."""

    def __init__(self, child: Child, task: str) -> None:
        self._child = child
        self._task = task
        self.apis: Mapping[str, Sequence[str]] = {}
        """The names of each app's APIs."""

    def ask(self, request: Mapping[str, Any], *, seconds: float = CALL_SECONDS) -> dict[str, Any]:
        """Send a request and wait for its answer. Raises Ended or Broken for what may be the agent's doing."""
        deadline = time.monotonic() + seconds
        try:
            self._child.channel.send(packed(request), deadline=deadline)
            answer = self._child.channel.receive(deadline=deadline)
        except Late:  # it has not had its processor time, or it would have ended
            self.close()
            raise WorldError(f"AppWorld did not answer within {seconds:g} seconds (task {self._task})") from None
        except Damaged as damage:
            self.close()
            raise Ended(f"AppWorld's answer on task {self._task} cannot be read: {damage}") from None
        except Gone as gone:
            why = own_doing(self._child.ending())
            if why:
                raise Ended(f"the process of AppWorld that held task {self._task} {why}") from None
            raise Died(f"the process of AppWorld that held task {self._task} died ({gone})") from None
        if not isinstance(answer, dict) or "broken" in answer:
            told = answer if isinstance(answer, dict) else {"broken": answer}
            broken = f"AppWorld failed on task {self._task}: {told['broken']}"
            raise Ended(broken) if told.get("kind") in _OF_SIZE else Broken(broken)
        return answer

    def close(self) -> None:
        """Let the process go. May be called twice."""
        self._child.kill()


class Died(WorldError):
    """A host process is gone, and nothing says that a request is to blame."""


class Broken(WorldError):
    """A request failed. The process goes on."""


class Ended(WorldError):
    """A request was too much: its process ended by it, or its answer is too large. An agent's calls can do that."""


_OF_SIZE = ("MemoryError", "RecursionError")
_MUCH = 0.25
"""From this share of its memory on a process is to blame if the kernel kills it."""


def own_doing(ending: tuple[int, int, int] | None) -> str:
    """How a process ended, in words, if by what it did; nothing where it was killed, or that is not known."""
    status, _, megabytes = ending or (KILLED, 0, 0)
    if status < 0:
        return ""
    if not os.WIFSIGNALED(status):
        return f"ended with status {os.WEXITSTATUS(status)}"
    number = os.WTERMSIG(status)
    if number == signal.SIGXCPU:
        return f"used more than {CPU_SECONDS} seconds of processor time for one request"
    if number == signal.SIGKILL:
        much = megabytes >= MEMORY_MB * _MUCH
        return f"held {megabytes} MB when the machine had no memory left" if much else ""
    if number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        return ""
    return f"crashed ({signal.Signals(number).name if number in set(signal.Signals) else number})"


def _started(place: Installation) -> Zygote:
    folders = [str(Path(file).resolve().parent) for file in (sandbox.__file__, __file__)]

    def command(control: int) -> list[str]:
        asked = json.dumps({"control": control, "root": str(place.root)})
        return [str(place.python), "-s", "-P", "-B", "-X", "utf8", "-c", _BOOT, *folders, asked]

    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "TMPDIR") if name in os.environ}
    try:
        zygote = Zygote(
            command,
            env={**kept, "PYTHONHASHSEED": "0", "APPWORLD_ROOT": str(place.root), "TZ": "UTC"},
            seconds=START_SECONDS,
            frame_bytes=FRAME_BYTES,
            what="AppWorld",
        )
    except SandboxError as problem:
        raise WorldError(problem.message, hint="prowess appworld setup finds what is missing") from None
    if zygote.granted["version"] != VERSION:
        zygote.close()
        raise WorldError(f"{place.python} has AppWorld {zygote.granted['version']}; this works with {VERSION} only")
    return zygote
