"""Open files: how many a process may have, and how many episodes that is enough for.

Each interpreter under way costs one descriptor, and its episode one more where a connection to an endpoint is its own.
The usual soft limit is 1,024, for the sake of old programs; the hard one is what an administrator allows.
"""

from __future__ import annotations

import resource
from contextlib import suppress

OTHERS = 100
"""Descriptors for all else: files of the run, the store, libraries."""
EACH = 2
"""Descriptors of an episode under way: its interpreter, and maybe a connection."""


def allow_more() -> int:
    """Raise the soft limit of this process to the hard one; how many it may open then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft == hard:
        return soft
    with suppress(ValueError, OSError):  # a container may refuse what the limit itself allows
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def room(limit: int) -> int | None:
    """How many episodes may be under way with so many descriptors; None where there is no limit.

    >>> room(1024), room(20_000), room(50), room(-1)
    (462, 9950, 1, None)
    """
    return None if limit == resource.RLIM_INFINITY else max(1, (limit - OTHERS) // EACH)
