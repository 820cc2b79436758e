"""The zygote: a clean process that forks one confined child per episode and nothing else.

It is executed, never forked, from the host, so it holds nothing of the host's memory: no ground truth, no keys.
The host asks over a control socket (one message each, the child's socket attached to the first):

    F<id>   fork a child            no answer
    K<id>   kill it and reap it     no answer
    W<id>   how did it end?         "<id> <status>", a wait status; -1 when it was alive and had to be killed

Imports the standard library only.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
import time
from typing import NoReturn

from . import landlock, namespaces, seccomp, worker
from .frames import packed, unpacked
from .session import Session

PRELOADED = (
    "abc argparse array ast base64 bisect calendar cmath collections collections.abc colorsys concurrent.futures "
    "concurrent.futures.thread contextlib copy csv dataclasses datetime decimal difflib email.utils enum errno fnmatch "
    "fractions functools gc getpass glob hashlib heapq hmac html html.parser inspect io itertools json keyword "
    "linecache locale logging math numbers operator os os.path pathlib platform pprint queue random re reprlib "
    "secrets select shlex signal socket statistics string struct subprocess sys tempfile textwrap threading time "
    "timeit token tokenize traceback types typing unicodedata urllib.parse uuid warnings weakref zlib zoneinfo"
).split()
"""Modules loaded once for all children: what model-written code tends to import."""

_DEATH_SIGNAL, _NO_NEW_PRIVILEGES = 1, 38
_NOBODY = 65534


class Zygote:
    """Forks, kills and reaps children at the host's request."""

    def __init__(self, control: socket.socket, *, memory_mb: int, cpu_seconds: int, threads: int) -> None:
        self._control = control
        self._pids: dict[bytes, int] = {}
        self._memory = memory_mb << 20
        self._cpu = cpu_seconds
        self._threads = threads
        self._filter = seccomp.program(os.uname().machine, seccomp.NO_PID)
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._standard_library = os.path.dirname(os.path.realpath(os.__file__))
        self._readable = _readable(self._standard_library)
        self._rules = landlock.ruleset(self._readable, [self._standard_library])
        self._user = _user_for(self._standard_library)
        self._forks = 0
        self._pid = os.getpid()

    def serve(self) -> NoReturn:
        """Answer requests until the host is gone; children die with this process."""
        _rehearse()
        gc.collect()
        gc.freeze()
        while True:
            message, ends, _, _ = socket.recv_fds(self._control, 64, 1)
            if not message:
                os._exit(0)
            verb, key = message[:1], message[1:]
            if verb == b"F":
                self._fork(key, ends[0])
            elif verb == b"K":
                self._kill(key)
            elif verb == b"W":
                self._control.send(key + b" %d" % self._status(key))

    def _fork(self, key: bytes, end: int) -> None:
        self._forks += 1
        pid = os.fork()
        if pid:
            self._pids[key] = pid
            os.close(end)
            return
        try:
            self._become_child(end)
        finally:
            os._exit(70)

    def _kill(self, key: bytes) -> None:
        pid = self._pids.pop(key, None)
        if pid is not None:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)

    def _status(self, key: bytes) -> int:
        """How a child ended. It closed its socket, so it is ending: a moment is granted."""
        pid = self._pids.get(key)
        if pid is None:
            return -1
        patience = time.monotonic() + 0.05
        while time.monotonic() < patience:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                del self._pids[key]
                return status
            time.sleep(0.001)
        self._kill(key)
        return -1

    def _become_child(self, end: int) -> NoReturn:
        connection = socket.socket(fileno=end)
        try:
            connection = self._confine(connection)
        except BaseException as error:  # noqa: BLE001 - whatever it is, no code may run unconfined
            connection.sendall(packed({"broken": f"{type(error).__name__}: {error}"}))
            os._exit(70)
        worker.Worker(connection, library=self._standard_library, readable=self._readable).serve()

    def _confine(self, connection: socket.socket) -> socket.socket:
        """Give up everything but one socket, the standard library and a bounded share of the machine."""
        null = os.open("/dev/null", os.O_RDWR)
        end = fcntl.fcntl(connection.detach(), fcntl.F_DUPFD_CLOEXEC, 16)
        rules = fcntl.fcntl(self._rules, fcntl.F_DUPFD_CLOEXEC, 16)
        for source, target in ((null, 0), (null, 1), (null, 2), (end, 3), (rules, 4)):
            os.dup2(source, target)
        os.closerange(5, 1 << 20)
        connection, rules = socket.socket(fileno=3), 4

        bounded = self._drop_privileges()
        self._limit(bounded)
        self._prctl(_DEATH_SIGNAL, signal.SIGKILL)
        if os.getppid() != self._pid:
            os._exit(0)  # the zygote died before the line above
        self._prctl(_NO_NEW_PRIVILEGES, 1)
        landlock.restrict(rules)
        os.close(rules)
        seccomp.install(seccomp.aimed(self._filter, os.getpid()))
        return connection

    def _drop_privileges(self) -> bool:
        """Become nobody in particular; True when a limit on threads will count this process alone."""
        if self._user is not None:
            user = self._user + self._forks % 60000
            try:
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
            except OSError:  # a container that maps few ids
                os.setresgid(_NOBODY, _NOBODY, _NOBODY)
                os.setresuid(_NOBODY, _NOBODY, _NOBODY)
        alone = self._user is not None or (os.getuid() != 0 and namespaces.enter_user())
        header = ctypes.create_string_buffer((0x20080522).to_bytes(4, "little") + bytes(4), 8)
        if self._libc.capset(header, ctypes.create_string_buffer(24)):
            raise OSError(ctypes.get_errno(), "capset: capabilities could not be dropped")
        return alone

    def _limit(self, bounded: bool) -> None:
        with open("/proc/self/statm", encoding="ascii") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        limits = {
            resource.RLIMIT_AS: used + self._memory,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_NOFILE: 64,
        }
        if bounded:
            limits[resource.RLIMIT_NPROC] = self._threads
        for which, limit in limits.items():
            hard = resource.getrlimit(which)[1]
            limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(which, (limit, limit))
        # The soft limit ends the process with SIGXCPU, the hard one with SIGKILL, which would look like the outside.
        resource.setrlimit(resource.RLIMIT_CPU, (self._cpu, self._cpu + 5))

    def _prctl(self, option: int, value: int) -> None:
        if self._libc.prctl(option, value, 0, 0, 0):
            raise OSError(ctypes.get_errno(), f"prctl {option} failed")


def _rehearse() -> None:
    """Run a few steps, so that children inherit code that the interpreter has already specialised."""
    session = Session(lambda *_: {"rows": [{"a": 1}, {"b": None}]}, output_chars=1000, echo=False)
    for _ in range(20):
        session.run("def f(n): return n + 1\nx = sorted(apis.a.b(c=1)['rows'], key=str)", block=0)
        session.run("print(f(1), f'{x}')\nprint(x)", block=1, watched=["f"])
        session.run("f(None)", block=2)
        unpacked(packed({"text": "Execution successful.", "calls": [("f", 0, "")]})[4:])


def _readable(standard_library: str) -> tuple[str, ...]:
    """What children may read: the standard library without the packages installed beside it, and time zones."""
    kept_out = {"site-packages", "dist-packages"}
    entries = [os.path.join(standard_library, name) for name in os.listdir(standard_library) if name not in kept_out]
    zones = [path for path in zoneinfo_paths() if os.path.isdir(path)]
    return (*sorted(entries), *zones)


def zoneinfo_paths() -> tuple[str, ...]:
    import zoneinfo

    return zoneinfo.TZPATH


def _user_for(standard_library: str) -> int | None:
    """When this is root: the first of the ids that children take, unless they could not read their library then."""
    if os.getuid() != 0:
        return None
    path = standard_library
    while path != "/":
        if not os.stat(path).st_mode & 0o001:
            return None
        path = os.path.dirname(path)
    return 0x6F000000


def main(arguments: list[str]) -> NoReturn:
    """Prepare once, say so, and serve."""
    settings = json.loads(arguments[0])
    control = socket.socket(fileno=settings["control"])
    control.set_inheritable(False)
    os.environ["TZ"] = "UTC"
    time.tzset()
    os.environ.clear()
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")  # short of memory, the kernel should end a child before the host
    granted = namespaces.enter() if settings["namespaces"] else ()
    if "pid" in granted:
        _stay_behind(control)
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    ctypes.CDLL(None).mallopt(-8, 1)  # one arena: threads would each reserve 64 MiB of the limit
    limits = {name: settings[name] for name in ("memory_mb", "cpu_seconds", "threads")}
    zygote = Zygote(control, **limits)
    sys.path[:] = [path for path in sys.path if path.startswith(zygote._standard_library)]
    sys.argv[:] = [""]
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
