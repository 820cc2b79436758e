"""What one request may take of AppWorld's process. An agent's calls decide what that is.

A request that is too much ends its process by itself, with a status that says so. The host can then tell it from a
machine that is too busy or out of order, which is nobody's failure. Imports the standard library only: it runs under
AppWorld's Python, too.
"""

from __future__ import annotations

import os
import resource

CPU_SECONDS = 30
"""Processor time for one request."""
MEMORY_MB = 4096
"""Memory that a task may take beyond what its process was forked with."""


def limit_memory() -> None:
    """Let this process take so much memory and no more; more raises MemoryError."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    _lower(resource.RLIMIT_AS, used + (MEMORY_MB << 20))
    _lower(resource.RLIMIT_CORE, 0)


def allow_time() -> None:
    """Let this process use so much processor time from now on; then SIGXCPU ends it."""
    used = os.times()
    _lower(resource.RLIMIT_CPU, int(used.user + used.system) + 1 + CPU_SECONDS)


def _lower(which: int, limit: int) -> None:
    hard = resource.getrlimit(which)[1]
    resource.setrlimit(which, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard))
