"""The host's handle on the zygote and its children: start, fork, kill, and find out how one ended."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from prowess.errors import SandboxError
from prowess.sandbox.forks import NEVER, UNTOLD
from prowess.sandbox.frames import Channel
from prowess.sandbox.settings import SandboxSettings

# The zygote finds our files as a package of another name: neither `prowess` nor anything it imports is loaded.
_BOOT = (
    "import sys, types; jail = types.ModuleType('jail'); jail.__path__ = [sys.argv[1]]; sys.modules['jail'] = jail; "
    "from jail import zygote; zygote.main(sys.argv[2:])"
)


class Zygote:
    """A running zygote of ours (`forks.Forks`). Thread-safe."""

    def __init__(
        self,
        command: Callable[[int], Sequence[str]],
        *,
        env: Mapping[str, str],
        seconds: float,
        frame_bytes: int,
        what: str,
    ) -> None:
        """Start it and wait until it says hello; `command` is given the descriptor of its control socket."""
        self._frame_bytes = frame_bytes
        self._what = what
        self._lock = threading.RLock()  # re-entered when a child is collected meanwhile
        self._ids = itertools.count(1)
        self._owner = os.getpid()
        self._closed = False
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the zygote
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(seconds)
        try:
            self._process = subprocess.Popen(
                command(theirs.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._log,
                env=dict(env),
                cwd="/",
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        except OSError as error:
            self._control.close()
            self._log.close()
            raise SandboxError(f"{what} could not be started: {error}") from None
        finally:
            theirs.close()
        try:
            hello = self._control.recv(4096)
        except OSError:
            hello = b""
        if not hello:
            self.close()
            raise SandboxError(f"{what} could not be prepared: {self._last_words}")
        self.granted: dict[str, object] = json.loads(hello)

    @property
    def alive(self) -> bool:
        return not self._closed and self._owner == os.getpid() and self._process.poll() is None

    def fork(self) -> Child:
        """Ask for a child. Returns at once; the child starts meanwhile."""
        mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        key = b"%d" % next(self._ids)
        try:
            with self._lock:
                socket.send_fds(self._control, [b"F" + key], [theirs.fileno()])
        except OSError as error:
            mine.close()
            raise SandboxError(f"{self._what}'s zygote is gone ({error})") from None
        finally:
            theirs.close()
        return Child(self, key, Channel(mine, limit=self._frame_bytes))

    def kill(self, key: bytes) -> None:
        """End a child. No error if the zygote is gone: then the child is too."""
        if self._owner != os.getpid():
            return  # a fork of the host lets go of what is not its own
        with contextlib.suppress(OSError), self._lock:
            self._control.send(b"K" + key)

    def ending(self, key: bytes) -> tuple[int, int, int] | None:
        """The wait status of a child whose socket is closed, its seconds of CPU time and the megabytes that it took;
        None when the zygote is gone.

        The status is `KILLED` if it lived on, `NEVER` if it could not be forked.
        """
        match self._told(b"W" + key):
            case [status, seconds, megabytes]:
                return status, seconds, megabytes
        return None

    def threads(self, key: bytes) -> int:
        """How many threads of a child the kernel counts; `UNTOLD` where it does not say."""
        match self._told(b"T" + key):
            case [threads]:
                return threads
        return UNTOLD

    def _told(self, question: bytes) -> list[int]:
        """The numbers that the zygote answers; none when it is gone."""
        try:
            with self._lock:
                self._control.send(question)
                while answer := self._control.recv(64):
                    which, *numbers = answer.split()
                    if which == question:  # else the answer to a question that was given up
                        return [*map(int, numbers)]
        except OSError:
            pass
        return []

    def close(self) -> None:
        """End the zygote and with it every child."""
        if self._closed:
            return
        self._closed = True
        self._control.close()
        if self._owner != os.getpid():
            return
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with self._log:
            self._log.seek(0)
            lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        self._last_words = lines[-1] if lines else f"it ended with status {self._process.returncode}"


class Child:
    """One forked interpreter process and its connection."""

    def __init__(self, zygote: Zygote, key: bytes, channel: Channel) -> None:
        self._zygote = zygote
        self._key = key
        self.channel = channel
        self.ready = False
        self.acted = False
        """Whether code has run in it that may start threads."""
        self._ended = False

    def kill(self) -> None:
        """End it. May be called twice."""
        if not self._ended:
            self._ended = True
            self.channel.close()
            self._zygote.kill(self._key)

    def ending(self) -> tuple[int, int, int] | None:
        """How it ended, after its connection closed, as `Zygote.ending` tells it."""
        self._ended = True
        self.channel.close()
        return self._zygote.ending(self._key)

    def threads(self) -> int:
        """How many threads it has, as `Zygote.threads` tells it."""
        return self._zygote.threads(self._key)

    def never_was(self) -> bool:
        """Whether it could not even be forked; to be asked after its connection closed."""
        ending = self.ending()
        return ending is not None and ending[0] == NEVER

    def __del__(self) -> None:
        self.kill()


def jail_zygote(settings: SandboxSettings) -> Zygote:
    """The zygote of the jail, whose children are confined."""
    names = ("memory_mb", "cpu_seconds", "threads", "namespaces")
    wanted = {name: getattr(settings, name) for name in names}

    def command(control: int) -> list[str]:
        asked = json.dumps({"control": control, **wanted})
        return [_python(), "-s", "-S", "-P", "-B", "-X", "utf8", "-c", _BOOT, _here(), asked]

    return Zygote(
        command,
        env={"PYTHONHASHSEED": "0"},
        seconds=settings.start_seconds,
        frame_bytes=settings.frame_bytes,
        what="the jail",
    )


def _python() -> str:
    """The interpreter below any virtual environment: the standard library alone."""
    return str(getattr(sys, "_base_executable", None) or sys.executable)


def _here() -> str:
    return str(Path(__file__).resolve().parent)
