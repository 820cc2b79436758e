"""What a child gives up before it runs anything: descriptors, privileges, resources, files, system calls.

Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import os
import resource
import signal
import socket

from . import census, landlock, namespaces, seccomp, stdlib

_DEATH_SIGNAL, _DUMPABLE, _NO_NEW_PRIVILEGES, _NO_HUGE_PAGES = 1, 4, 38, 41
_NOBODY, _FIRST_USER = 65534, 0x6F000000
_OTHERS = 512
"""How many more processes of the same user may come while a child lives, where the kernel counts them together."""
_LEFT, _MOST = 64, 1 << 22
"""How many are left to others of what the user may have; and more than any kernel gives."""


class Confinement:
    """Prepared once by the zygote, entered by each child."""

    def __init__(self, folders: list[str], *, memory_mb: int, cpu_seconds: int, threads: int, proc: int) -> None:
        self._memory_mb = memory_mb
        self._cpu_seconds = cpu_seconds
        self._threads = threads
        self._proc = proc
        self._memory_file = os.open("self/statm", os.O_RDONLY, dir_fd=proc)
        self._parent = os.getpid()
        self._null = _null()
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._filter = seccomp.program(os.uname().machine, seccomp.NO_PID, seccomp.near_libraries(memory_mb))
        self._rules = landlock.ruleset(stdlib.readable(folders), folders)
        self._changes_user = os.getuid() == 0 and all(stdlib.open_to_all(folder) for folder in folders)

    def enter(self, connection: socket.socket, count: int) -> socket.socket:
        """Give up everything but the connection, which comes back; `count` tells this child from its siblings."""
        self._go_first()
        os.setsid()  # sessions have equal shares of the processor (autogroup), however many threads are in one
        end, rules, memory_file = (
            fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 16)
            for descriptor in (connection.detach(), self._rules, self._memory_file)
        )
        for source, target in ((self._null, 0), (self._null, 1), (self._null, 2), (end, 3), (rules, 4)):
            os.dup2(source, target)
        used = int(os.pread(memory_file, 100, 0).split()[0]) * resource.getpagesize()
        os.closerange(5, 1 << 20)
        connection, rules = socket.socket(fileno=3), 4

        alone = self._become_nobody(count)
        self._limit(used, alone)
        self._prctl(_DEATH_SIGNAL, signal.SIGKILL)  # after the change of user, which would undo it
        if os.getppid() != self._parent:
            os._exit(0)  # the zygote died before the line above
        # A crash would write all of its memory to disk, where the machine collects core dumps by a program.
        self._prctl(_DUMPABLE, 0)
        # A huge page stays whole while one small page of it is mapped, and only that one counts against the limit.
        self._prctl(_NO_HUGE_PAGES, 1)
        self._prctl(_NO_NEW_PRIVILEGES, 1)
        landlock.restrict(rules)
        os.close(rules)
        seccomp.install(seccomp.aimed(self._filter, os.getpid()))
        return connection

    def _go_first(self) -> None:
        """Short of memory, the kernel should end a child before the zygote: all its siblings would die with that."""
        with contextlib.suppress(OSError):
            file = os.open("self/oom_score_adj", os.O_WRONLY, dir_fd=self._proc)
            os.write(file, b"1000")
            os.close(file)

    def _become_nobody(self, count: int) -> bool:
        """Give up root's identity and all capabilities; True when a limit on threads will count this process alone."""
        alone, user = False, _FIRST_USER + count % 60_000
        if self._changes_user:
            try:
                os.setgroups([])
                _change_user(user)
                alone = True
            except OSError:  # a container that maps few ids, or a root without the right to change
                with contextlib.suppress(OSError):
                    _change_user(_NOBODY)
        elif os.getuid() != 0:
            alone = namespaces.enter_user()
        else:
            with contextlib.suppress(OSError):
                os.setresuid(user, -1, -1)  # who is counted; that may read what only root may read is still root
                alone = True
        header = ctypes.create_string_buffer((0x20080522).to_bytes(4, "little") + bytes(4), 8)
        if self._libc.capset(header, ctypes.create_string_buffer(24)):
            raise OSError(ctypes.get_errno(), "capset: capabilities could not be dropped")
        return alone

    def _limit(self, used: int, alone: bool) -> None:
        limits = {
            resource.RLIMIT_AS: used + (self._memory_mb << 20),
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
            resource.RLIMIT_NOFILE: 64,  # so many pipes, 64 KB each, or sockets, 200 KB each; neither can be enlarged
            resource.RLIMIT_SIGPENDING: 64,  # the kernel keeps each signal that waits to be let through
        }
        # Threads cost the kernel memory and ids that no other limit counts: raw ones need next to no stack.
        if alone:
            limits[resource.RLIMIT_NPROC] = self._threads
        elif others := census.counted():
            hard = resource.getrlimit(resource.RLIMIT_NPROC)[1]
            most = _MOST if hard == resource.RLIM_INFINITY else max(others, hard - _LEFT)
            limits[resource.RLIMIT_NPROC] = min(others - 1 + self._threads + _OTHERS, most)
        for which, limit in limits.items():
            hard = resource.getrlimit(which)[1]
            limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            resource.setrlimit(which, (limit, limit))
        # The soft limit ends the process with SIGXCPU, the hard one with SIGKILL, which would look like the outside.
        resource.setrlimit(resource.RLIMIT_CPU, (self._cpu_seconds, self._cpu_seconds + 5))

    def _prctl(self, option: int, value: int) -> None:
        if self._libc.prctl(option, value, 0, 0, 0):
            raise OSError(ctypes.get_errno(), f"prctl {option} failed")


def _change_user(user: int) -> None:
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _null() -> int:
    """A descriptor that swallows what is written to it: the zygote's own standard input, opened as /dev/null."""
    return os.dup(0)
