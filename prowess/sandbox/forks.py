"""A process that forks one child per request and nothing else: the half of `host.Zygote` in the process that forks.

The host asks over a control socket (one message each, the child's socket attached to the first):

    F<id>   fork a child            no answer
    K<id>   kill it and reap it     no answer
    T<id>   what does it run?       "T<id> <threads>", all that the kernel counts, or `UNTOLD`
    W<id>   how did it end?         "W<id> <status> <seconds> <megabytes>", a wait status (`KILLED` when it was alive
                                    and had to be killed, `NEVER` when it was not forked, `CROWDED` when it was ended
                                    for its threads), the CPU time that it took, and the most memory that it held
                                    beyond what it was forked with

Imports the standard library only: it runs in processes that load nothing else of ours.
"""

from __future__ import annotations

import errno
import gc
import os
import resource
import signal
import socket
import time
from typing import NoReturn

KILLED, NEVER, CROWDED = -1, -2, -3
UNTOLD = 0


class Forks:
    """Forks, kills and reaps children at the host's request."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._pids: dict[bytes, int] = {}
        self._never: set[bytes] = set()
        self._crowded: set[bytes] = set()
        self.count = 0
        """Children so far."""

    def become(self, end: int) -> NoReturn:
        """What a child does, with its socket's descriptor."""
        raise NotImplementedError

    def crowding(self) -> int | None:
        """The child whose threads left no room for another process, if that can be told."""
        return None

    def threads(self, pid: int) -> int:
        """How many threads a child has."""
        return UNTOLD

    def serve(self) -> NoReturn:
        """Answer requests until the host is gone."""
        gc.collect()
        gc.freeze()
        while True:
            message, ends, _, _ = socket.recv_fds(self._control, 64, 1)
            if not message:
                self._leave()
            verb, key = message[:1], message[1:]
            if verb == b"F":
                self._fork(key, ends[0])
            elif verb == b"K":
                self._kill(key)
            elif verb == b"W":
                self._control.send(message + b" %d %d %d" % self._ending(key))
            elif verb == b"T":
                pid = self._pids.get(key)
                self._control.send(message + b" %d" % (UNTOLD if pid is None else self.threads(pid)))

    def _leave(self) -> NoReturn:
        for key in [*self._pids]:
            self._kill(key)
        os._exit(0)

    def _fork(self, key: bytes, end: int) -> None:
        self.count += 1
        pid = self._forked()
        if pid is None:  # no process or no memory is left: that child is not there, the others live on
            self._never.add(key)
            os.close(end)
            return
        if pid:
            self._pids[key] = pid
            os.close(end)
            return
        try:
            self.become(end)
        finally:
            os._exit(70)

    def _forked(self) -> int | None:
        """Fork; the one whose threads leave no room for it has to go, and is told apart by that."""
        while True:
            try:
                return os.fork()
            except OSError as error:
                crowding = self.crowding() if error.errno == errno.EAGAIN else None
            keys = [key for key, pid in self._pids.items() if pid == crowding]
            if not keys:
                return None
            self._kill(keys[0])
            self._crowded.add(keys[0])

    def _kill(self, key: bytes) -> None:
        self._never.discard(key)
        self._crowded.discard(key)
        pid = self._pids.pop(key, None)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    def _ending(self, key: bytes) -> tuple[int, int, int]:
        """How a child ended, its CPU time, its memory. It closed its socket, so it is ending: a moment is granted."""
        for those, status in ((self._never, NEVER), (self._crowded, CROWDED)):
            if key in those:
                those.discard(key)
                return status, 0, 0
        pid = self._pids.get(key)
        if pid is None:
            return KILLED, 0, 0
        patience = time.monotonic() + 0.05
        while time.monotonic() < patience:
            done, status, used = os.wait4(pid, os.WNOHANG)
            if done:
                del self._pids[key]
                held = used.ru_maxrss - resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
                return status, round(used.ru_utime + used.ru_stime), max(0, held >> 10)
            time.sleep(0.001)
        self._kill(key)
        return KILLED, 0, 0
