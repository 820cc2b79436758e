"""The child's side of the protocol: one interpreter, already confined, that serves steps until it is closed.

What the host sends (JSON frames):

    {"seed", "now", "imports", "apis", "record"...}             once, before the first step
    {"code", "block", "watched", "acts", "nonce"}               a step; one that does not act only defines functions
    {"value"} or {"failure"}                                    the answer to an API call

What the worker sends; the nonce is the step's, so that a frame left over from another step is told apart:

    {"ready": true} or {"broken": why}                          once, when confined
    {"nonce", "app", "api", "arguments"}                        an API call
    {"nonce", "text", "failed", "calls", "denied", "takes"}     the end of a step

All of this is in the hands of the code that runs here: the host believes none of it.
Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import os
import random
import signal
import socket
import sys
import threading
from types import CodeType, FrameType
from typing import Any, NoReturn

from . import clock
from .failure import PREFIX, ExecutionTimeout
from .frames import packed, unpacked
from .session import Outcome, Session
from .threads import Threads
from .triggers import Triggers

OUT_OF_MEMORY = 71
"""Exit status of a worker that has no memory left to report with."""

_TOUCHY = frozenset(
    "socket.connect socket.bind subprocess.Popen os.system os.exec os.fork os.forkpty "
    "os.posix_spawn os.spawn os.kill os.killpg pty.spawn os.remove os.rename os.rmdir os.mkdir os.link "
    "os.symlink os.truncate os.chmod os.chown os.utime os.listxattr os.setxattr shutil.rmtree "
    "shutil.copyfile shutil.move tempfile.mkstemp tempfile.mkdtemp ctypes.dlopen resource.setrlimit "
    "resource.prlimit signal.pthread_kill".split()
)
"""Audit events of operations that the jail refuses."""


class Worker:
    """Serves one host over one socket."""

    def __init__(self, end: socket.socket, *, folders: list[str], readable: tuple[str, ...]) -> None:
        self._socket = end
        self._bytes = b""
        self._lock = threading.Lock()
        self._main = threading.get_ident()
        self._nonce = ""
        self._owner = 0
        self._armed = self._late = False
        self._seconds = 0.0
        self._largest = 0
        self._denied = 0
        self._sent = 0
        self._threads = Threads()
        self._triggers = Triggers()
        self._folders = folders
        self._readable = (*readable, "<")  # "<": the name of a block, looked up for its lines

    def serve(self) -> NoReturn:
        """Answer frames until the host closes the connection."""
        # A step on trial: the pages that a first step writes to are copied now, not when the episode waits for it.
        Session(lambda *_: None, output_chars=1, echo=False).run("x = 1", block=0)
        self._send({"ready": True})
        start = self._receive()
        session = self._prepared(start)
        self._threads.guard()
        sys.addaudithook(self._audit)
        signal.signal(signal.SIGALRM, self._on_alarm)
        while True:
            step = self._receive()
            self._nonce, self._denied, self._sent = step["nonce"], 0, 0
            self._threads.allowed = step["acts"]
            before = self._threads.alive()
            if not step["acts"]:
                self._triggers.note()
            outcome = self._step(session, step)
            if not step["acts"]:
                self._triggers.restore()
                if self._threads.alive() > before:
                    os._exit(0)  # code found a way around the guard; its thread must not live on into the task
            self._finish(outcome)

    def _prepared(self, start: dict[str, Any]) -> Session:
        """Seed, clock, streams: the same start gives the same run."""
        self._seconds, self._largest = start["step_seconds"], start["frame_bytes"]
        random.seed(start["seed"])
        entropy = random.Random(start["seed"])
        os.urandom = entropy.randbytes
        random._urandom = entropy.randbytes  # type: ignore[attr-defined]
        if start["now"]:
            clock.freeze(start["now"])
        session = Session(
            self._call,
            output_chars=start["output_chars"],
            echo=start["echo"],
            stream=lambda: sys.stdout,
            execute=self._execute,
            imports=start["imports"],
            apis=start["apis"],
            sent=(lambda: self._sent) if start["record"] else None,
        )
        sys.modules["__main__"] = session.module
        return session

    def _step(self, session: Session, step: dict[str, Any]) -> Outcome:
        sys.stdout = session.output
        try:
            return session.run(step["code"], block=step["block"], watched=step["watched"])
        except ExecutionTimeout as late:  # the interrupt came while the outcome was being written
            return Outcome(text=f"{PREFIX}Exception: {late}", failed=True)
        finally:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _execute(self, code: CodeType, names: dict[str, Any]) -> None:
        self._late = False
        self._armed = True
        signal.signal(signal.SIGALRM, self._on_alarm)
        # Repeated, for code that swallows the first one; what swallows them all is killed by the host.
        signal.setitimer(signal.ITIMER_REAL, self._seconds, 0.25)
        try:
            exec(code, names)  # noqa: S102 - what all of this is for
        finally:
            self._armed = False
            signal.setitimer(signal.ITIMER_REAL, 0)

    def _on_alarm(self, number: int, frame: FrameType | None) -> None:
        if not self._armed:
            return
        if self._owner == self._main:  # in the middle of a call: finish it, or its answer would be left over
            self._late = True
            return
        raise ExecutionTimeout(f"Execution timed out after {self._seconds:g} seconds.")

    def _call(self, app: str, api: str, arguments: dict[str, Any]) -> Any:
        with self._lock:
            if not self._nonce:
                raise RuntimeError("APIs answer only while a step runs")
            frame = packed({"nonce": self._nonce, "app": app, "api": api, "arguments": arguments})
            if len(frame) > self._largest:
                raise ValueError(f"the arguments of {app}.{api} are larger than {self._largest} bytes")
            self._owner = threading.get_ident()
            try:
                self._socket.sendall(frame)
                self._sent += 1
                answer = self._receive()
            finally:
                self._owner = 0
        if self._late:
            self._late = False
            raise ExecutionTimeout(f"Execution timed out after {self._seconds:g} seconds.")
        if "failure" in answer:
            raise Exception(answer["failure"])
        return answer["value"]

    def _finish(self, outcome: Outcome) -> None:
        """End the step, unless a thread is in the middle of a call; its answer comes first."""
        with self._lock:
            try:
                end = {
                    "nonce": self._nonce,
                    "text": outcome.text.encode("utf-8", "backslashreplace").decode("utf-8"),
                    "failed": outcome.failed,
                    "calls": outcome.calls,
                    "denied": self._denied,
                    **({"takes": outcome.takes} if outcome.takes else {}),
                }
                self._nonce = ""
                self._send(end)
            except MemoryError:
                os._exit(OUT_OF_MEMORY)

    def _send(self, value: Any) -> None:
        self._socket.sendall(packed(value))

    def _receive(self) -> Any:
        """The next frame, or the end of the process when the host is gone."""
        held = self._bytes
        while len(held) < 4 or len(held) < 4 + (size := int.from_bytes(held[:4], "big")):
            some = self._socket.recv(1 << 16)
            if not some:
                os._exit(0)
            held += some
        self._bytes = held[4 + size :]
        return unpacked(held[4 : 4 + size])

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Count what the jail refuses, as far as Python shows it."""
        if event == "open":
            path, _, flags = arguments
            if flags & (os.O_ACCMODE | os.O_CREAT) or not self._may_read(path):
                self._denied += 1
        elif event in ("os.listdir", "os.scandir", "os.chdir"):
            self._denied += not (self._may_read(arguments[0]) or arguments[0] in self._folders)
        elif event == "socket.__new__":
            self._denied += arguments[1] != socket.AF_UNIX
        elif event in _TOUCHY:
            self._denied += 1

    def _may_read(self, path: Any) -> bool:
        if not isinstance(path, str):
            return isinstance(path, int)
        return path.startswith(self._readable)
