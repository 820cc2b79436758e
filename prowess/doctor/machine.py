"""The machine: Python, system, cores, memory, disk and terminal."""

from __future__ import annotations

import os
import platform
import resource
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from prowess.doctor.finding import Finding
from prowess.play.concurrency import WORKERS
from prowess.sandbox.descriptors import EACH, OTHERS, room

GIB = 2**30


def python() -> Iterator[Finding]:
    good = sys.version_info >= (3, 11)
    yield Finding(
        area="machine",
        what="python",
        state="ok" if good else "missing",
        detail=f"{platform.python_version()} at {sys.executable}",
        remedy="" if good else "install Python 3.11 or later",
        needed=True,
    )


def system() -> Iterator[Finding]:
    linux = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
    yield Finding(
        area="machine",
        what="system",
        state="ok" if linux else "limited",
        detail=f"{platform.system()} {platform.release()} {platform.machine()}",
        remedy="" if linux else "the jail needs Linux on x86_64 or aarch64: a container or a virtual machine will do",
    )


def cores() -> Iterator[Finding]:
    given = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _first_line("/sys/fs/cgroup/cpu.max").split()
    capped = float(quota[0]) / float(quota[1]) if len(quota) == 2 and quota[0] != "max" else float(given)
    cap = f", capped at {capped:g}" if capped < given else ""
    yield Finding(area="machine", what="cores", state="ok", detail=f"{given}{cap}")


def memory() -> Iterator[Finding]:
    total, free = memory_bytes()
    tight = free < GIB
    yield Finding(
        area="machine",
        what="memory",
        state="limited" if tight else "ok",
        detail=f"{total / GIB:.1f} GiB, {free / GIB:.1f} GiB free",
        remedy="free some memory, or play with fewer workers" if tight else "",
    )


def memory_bytes() -> tuple[int, int]:
    """What there is and what is free, within the container's limit if there is one."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    rows = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    total, free = rows["MemTotal"], rows["MemAvailable"]
    limit, used = _first_line("/sys/fs/cgroup/memory.max"), _first_line("/sys/fs/cgroup/memory.current")
    if limit.isdigit() and used.isdigit():
        total, free = min(total, int(limit)), min(free, max(0, int(limit) - int(used)))
    return total, free


def disk() -> Iterator[Finding]:
    here = Path.cwd()
    free = shutil.disk_usage(here).free
    writable = os.access(here, os.W_OK)
    yield Finding(
        area="machine",
        what="disk",
        state="missing" if not writable else "limited" if free < GIB else "ok",
        detail=f"{free / GIB:.1f} GiB free in {here}" + ("" if writable else ", which cannot be written to"),
        remedy="" if writable and free >= GIB else "run from a folder on a disk with room: runs are written there",
        needed=True,
    )


def open_files() -> Iterator[Finding]:
    yield files_allowed(*resource.getrlimit(resource.RLIMIT_NOFILE))


def files_allowed(soft: int, hard: int) -> Finding:
    """What a soft and a hard limit of open files come to: playing raises the first to the second."""
    episodes = room(hard)
    tight = episodes is not None and episodes < WORKERS
    many = "as many episodes at once as there is memory for" if episodes is None else f"{episodes:,} episodes at once"
    return Finding(
        area="machine",
        what="open files",
        state="limited" if tight else "ok",
        detail=f"{_limit(soft)}, when playing {_limit(hard)}: enough for {many}, of which workers may be "
        f"{WORKERS if episodes is None else min(episodes, WORKERS):,}",
        remedy=f"to play more at once, raise the hard limit: ulimit -Hn {OTHERS + EACH * WORKERS}, as root"
        if tight
        else "",
    )


def _limit(number: int) -> str:
    return "no limit" if number == resource.RLIM_INFINITY else f"{number:,}"


def terminal() -> Iterator[Finding]:
    live = sys.stderr is not None and sys.stderr.isatty()
    detail = "live progress" if live else "none on stderr: progress is written line by line"
    yield Finding(area="machine", what="terminal", state="ok" if live else "limited", detail=detail)


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
