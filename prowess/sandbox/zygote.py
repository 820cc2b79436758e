"""The zygote: a clean process that forks one confined child per episode and nothing else.

It is executed, never forked, from the host, so it holds nothing of the host's memory: no ground truth, no keys.
Imports the standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import signal
import socket
import sys
import time
from typing import NoReturn

from . import census, landlock, namespaces, root, stdlib
from .confinement import Confinement
from .forks import UNTOLD, Forks
from .frames import packed, unpacked
from .session import Session
from .worker import Worker

PRELOADED = (
    "abc argparse array ast base64 bisect calendar cmath collections collections.abc colorsys concurrent.futures "
    "concurrent.futures.thread contextlib copy csv dataclasses datetime decimal difflib email.utils enum errno fnmatch "
    "fractions functools gc getpass glob hashlib heapq hmac html html.parser inspect io itertools json keyword "
    "linecache locale logging math numbers operator os os.path pathlib platform pprint queue random re reprlib "
    "secrets select shlex signal socket statistics string struct subprocess sys tempfile textwrap threading time "
    "timeit token tokenize traceback types typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo"
).split()
"""Modules loaded once for all children: what model-written code tends to import."""


_DEATH_SIGNAL = 1


class Zygote(Forks):
    """Forks confined children; they die with it."""

    def __init__(
        self, control: socket.socket, confinement: Confinement, folders: list[str], *, proc: int, threads: int
    ) -> None:
        super().__init__(control)
        self._confinement = confinement
        self._proc = proc
        self._names: dict[int, str] = {}
        self._many = threads // 4
        self._folders = folders
        self._readable = stdlib.readable(folders)

    def serve(self) -> NoReturn:
        _rehearse()
        super().serve()

    def crowding(self) -> int | None:
        """The child with the most threads, if that is many: several could agree to start many."""
        found = dict(census.threads_of_children(self._proc))
        most = max(found, key=lambda pid: found[pid], default=None)
        return most if most is not None and found[most] > self._many else None

    def threads(self, pid: int) -> int:
        return census.threads_of(self._proc, pid, self._names) or UNTOLD

    def become(self, end: int) -> NoReturn:
        connection = socket.socket(fileno=end)
        try:
            connection = self._confinement.enter(connection, self.count)
        except BaseException as error:  # noqa: BLE001 - whatever it is, no code may run unconfined
            for descriptor in (end, 3):
                with contextlib.suppress(OSError):
                    os.write(descriptor, packed({"broken": f"{type(error).__name__}: {error}"}))
            os._exit(70)
        Worker(connection, folders=self._folders, readable=self._readable).serve()


def _rehearse() -> None:
    """Run a few steps, so that children inherit code that the interpreter has already specialised."""
    session = Session(lambda *_: {"rows": [{"a": 1}, {"b": None}]}, output_chars=1000, echo=False)
    for _ in range(20):
        session.run("def f(n): return n + 1\nx = sorted(apis.a.b(c=1)['rows'], key=str)", block=0)
        session.run("print(f(1), f'{x}')\nprint(x)", block=1, watched=["f"])
        session.run("f(None)", block=2)
        unpacked(packed({"text": "Execution successful.", "calls": [("f", 0, "")]})[4:])


def main(arguments: list[str]) -> NoReturn:
    """Prepare once, say so, and serve."""
    settings = json.loads(arguments[0])
    control = socket.socket(fileno=settings["control"])
    control.set_inheritable(False)
    os.environ["TZ"] = "UTC"
    time.tzset()
    os.environ.clear()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("900")  # short of memory, the kernel should end a child before this, and this before the host
    granted = namespaces.enter() if settings["namespaces"] else ()
    if "pid" in granted:
        _stay_behind(control)
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    ctypes.CDLL(None).mallopt(-8, 1)  # one arena: threads would each reserve 64 MiB of the limit
    folders = stdlib.folders()
    proc = os.open("/proc", os.O_RDONLY)  # in the new root there is none
    if "mount" in granted and root.change([*stdlib.outermost(folders), *stdlib.time_zones()], stdlib.packages(folders)):
        granted = (*granted, "root")
    sys.path[:] = folders
    sys.argv[:] = [""]
    limits = {name: settings[name] for name in ("memory_mb", "cpu_seconds", "threads")}
    confinement = Confinement(folders, proc=proc, **limits)
    zygote = Zygote(control, confinement, folders, proc=proc, threads=settings["threads"])
    control.send(json.dumps({"namespaces": granted, "landlock": landlock.version()}).encode())
    zygote.serve()


def _stay_behind(control: socket.socket) -> None:
    """A pid namespace begins with a child: let it serve, and wait here, so that the host's child is one that lasts."""
    pid = os.fork()
    if pid == 0:
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        return
    control.close()
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
