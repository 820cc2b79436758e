"""What a jail has of the machine: processes, descriptors, memory of the host and of the kernel, files, segments."""

from __future__ import annotations

import contextlib
import gc
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path

from processes import descendants, zygote_of

from prowess.sandbox import Sandbox

_PLACES = ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue")
_FIRST_USER = 0x6F000000
"""Episodes of root are users from here on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger:
    """What this process and jails that it opened have at a moment."""

    processes: int
    descriptors: int
    host_mb: int
    segments: int
    """System V memory, messages and semaphores."""
    files: int
    """Files of jailed users where anybody may write."""

    @classmethod
    def of_this_process(cls) -> Ledger:
        gc.collect()
        me = os.getpid()
        return cls(
            processes=len(descendants(me)),
            descriptors=len(os.listdir("/proc/self/fd")),
            host_mb=int(Path("/proc/self/statm").read_text().split()[1]) * 4096 >> 20,
            segments=sum(len(Path(f"/proc/sysvipc/{kind}").read_text().splitlines()) for kind in ("shm", "msg", "sem")),
            files=sum(1 for _ in _foreign_files()),
        )


_SLACK = Ledger(processes=0, descriptors=0, host_mb=64, segments=0, files=0)
"""How much more may be there afterwards. The host keeps memory that it has once used."""


def taken() -> Ledger:
    """What is there once processes that are ending have ended."""
    until = time.monotonic() + 5
    while descendants(os.getpid()) and time.monotonic() < until:
        time.sleep(0.05)
    return Ledger.of_this_process()


def excess(before: Ledger, after: Ledger) -> list[str]:
    """What there is more of than before, beyond the slack."""
    more = {one.name: getattr(after, one.name) - getattr(before, one.name) for one in fields(Ledger)}
    return [f"{count} {name}" for name, count in more.items() if count > getattr(_SLACK, name)]


class Group:
    """A jail's processes in a control group of their own, where one can be made: it counts kernel memory, too.

    Elsewhere the machine's own figures must do, which others change as well.
    """

    _LEFT_MB, _LEFT_MB_SHARED = 48, 1_000

    def __init__(self, sandbox: Sandbox, folder: Path | None) -> None:
        self._zygote = zygote_of(sandbox)
        self._folder = folder
        self._resting = len(self._threads())
        self._base = self._now()
        self._most = 0

    @classmethod
    @contextmanager
    def of(cls, sandbox: Sandbox) -> Iterator[Group]:
        folder = _group()
        if folder is not None:
            zygote = zygote_of(sandbox)
            for pid in (zygote, *descendants(zygote)):
                with contextlib.suppress(ProcessLookupError):
                    (folder / "cgroup.procs").write_text(str(pid))
        try:
            yield cls(sandbox, folder)
        finally:
            sandbox.close()
            until = time.monotonic() + 5
            while folder is not None and time.monotonic() < until:
                with contextlib.suppress(OSError):
                    folder.rmdir()
                    break
                time.sleep(0.05)

    def begin(self) -> None:
        """A new program: what it costs counts from here on."""
        self._base, self._most = self._now(), 0
        if self._folder is not None:
            with contextlib.suppress(OSError):
                (self._folder / "memory.max_usage_in_bytes").write_text("0")

    def look(self) -> None:
        """Note what the jail has now."""
        self._most = max(self._most, self._now() - self._base)
        if self._folder is not None:
            with contextlib.suppress(OSError):
                peak = int((self._folder / "memory.max_usage_in_bytes").read_text()) >> 20
                self._most = max(self._most, peak - self._base)

    def most(self) -> int:
        """The most, in MB, that the jail had more than at the beginning. Known only with a group of its own."""
        return self._most if self._folder is not None else 0

    def leftovers(self) -> list[str]:
        """Threads that outlived their episodes, to be asked when all but the warm ones are closed."""
        until = time.monotonic() + 5
        while (count := len(self._threads())) > self._resting + 2 and time.monotonic() < until:
            time.sleep(0.05)
        left = [f"{count - self._resting} threads of episodes"] if count > self._resting + 2 else []
        most = self._LEFT_MB if self._folder is not None else self._LEFT_MB_SHARED
        now = self._now() - self._base
        return [*left, *([f"{now} MB of memory"] if now > most else [])]

    def _threads(self) -> list[str]:
        found = []
        for pid in (self._zygote, *descendants(self._zygote)):
            with contextlib.suppress(OSError):
                found += os.listdir(f"/proc/{pid}/task")
        return found

    def _now(self) -> int:
        """Megabytes of the group, or of the kernel for the whole machine."""
        if self._folder is not None:
            for name in ("memory.usage_in_bytes", "memory.current"):
                with contextlib.suppress(OSError):
                    return int((self._folder / name).read_text()) >> 20
        lines = dict(line.split(":") for line in Path("/proc/meminfo").read_text().splitlines())
        kernel = ("SUnreclaim", "KernelStack", "PageTables", "Shmem")
        return sum(int(lines[name].split()[0]) for name in kernel if name in lines) >> 10


def _group() -> Path | None:
    """A new control group that counts memory, below our own; None where none can be made."""
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        _, kinds, path = line.split(":", 2)
        if kinds == "" or "memory" in kinds.split(","):
            place = Path("/sys/fs/cgroup") / ("memory" if kinds else "") / path.lstrip("/")
            folder = place / f"prowess-{os.getpid()}-{time.monotonic_ns()}"
            with contextlib.suppress(OSError):
                folder.mkdir()
                if (folder / "memory.usage_in_bytes").exists() or (folder / "memory.current").exists():
                    return folder
                folder.rmdir()
    return None


def _foreign_files() -> Iterator[str]:
    """Files that a jailed user owns: one from the range that root's episodes have."""
    for place in _PLACES:
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                with contextlib.suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_uid >= _FIRST_USER:
                        yield entry.path
