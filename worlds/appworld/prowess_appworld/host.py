"""The program that runs under AppWorld's own Python: a warm process that forks one child per opened task.

AppWorld pins versions that clash with ours, so it lives in its own virtual environment, and nothing of it is imported
on our side. This file, `engine.py`, `changes.py` and `limits.py` beside it and two of the sandbox's are all of ours
that is loaded there. The child holds a task's databases and answers frames (JSON) until its socket closes:

    {"open": id}                                    {"apis": the names of each app's}
    {"app", "api", "arguments"}                     {"value"} or {"failure"}, and "done" once the task is completed
    {"replay": true, or a list of calls}            {"errors": how many of the reference's, or these, were refused}
    {"changes": true}                               {"changes", "answer", "status", "told"}, see `grading.py`
    {"judge": true}                                 {"passed": [...], "failed": [...]}: AppWorld's own evaluation
    {"save": folder, "steps": [[code, text], ...]}  what AppWorld writes of a task, for its `evaluate` and leaderboard

Whatever goes wrong on the way is answered as {"broken": why, "kind": the exception's name}. No code of an agent ever
runs here.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

from prowess.sandbox.forks import Forks
from prowess.sandbox.frames import packed, unpacked
from prowess_appworld.engine import Engine, Opened
from prowess_appworld.limits import allow_time, limit_memory

_DEATH_SIGNAL = 1


class Hosts(Forks):
    """Forks children that hold one task each."""

    def __init__(self, control: socket.socket, engine: Engine) -> None:
        super().__init__(control)
        self._engine = engine

    def become(self, end: int) -> NoReturn:
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        self._control.close()
        limit_memory()
        serve(socket.socket(fileno=end), self._engine)


def serve(end: socket.socket, engine: Engine) -> NoReturn:
    """Answer frames until the other side closes the connection."""
    world: Opened | None = None
    answer: dict[str, Any]
    read = _reader(end)
    while True:
        request = read()
        allow_time()
        try:
            if "open" in request:
                world = engine.open(request["open"])
                answer = {"apis": engine.names}
            elif world is None:
                answer = {"broken": "no task is open"}
            elif "app" in request:
                answer = world.call(request["app"], request["api"], request["arguments"])
            elif "replay" in request:
                answer = {"errors": world.replay(None if request["replay"] is True else request["replay"])}
            elif "changes" in request:
                answer = world.changes()
            elif "judge" in request:
                answer = world.judge()
            else:
                answer = world.save(request["save"], request["steps"])
            frame = packed(answer)
        except Exception as error:  # noqa: BLE001 - said on the other side, where somebody reads it
            where = traceback.extract_tb(error.__traceback__)[-1]
            place = f"{os.path.basename(where.filename)}:{where.lineno}"
            kind = type(error).__name__
            frame = packed({"broken": f"{kind}: {str(error)[:1000]} ({place})", "kind": kind})
        end.sendall(frame)


def _reader(end: socket.socket) -> Callable[[], Any]:
    held = bytearray()

    def read() -> Any:
        while len(held) < 4 or len(held) < 4 + int.from_bytes(held[:4], "big"):
            some = end.recv(1 << 16)
            if not some:
                os._exit(0)
            held.extend(some)
        size = 4 + int.from_bytes(held[:4], "big")
        body = bytes(held[4:size])
        del held[:size]
        return unpacked(body)

    return read


def main(arguments: list[str]) -> NoReturn:
    """Warm up, say so, and serve."""
    settings = json.loads(arguments[0])
    control = socket.socket(fileno=settings["control"])
    control.set_inheritable(False)
    engine = Engine(settings["root"])
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - `show=True` in a call would print there
    control.send(json.dumps({"version": engine.version}).encode())
    Hosts(control, engine).serve()
