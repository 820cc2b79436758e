"""A bound on what a server may answer: a reply of a model is small, and a server may be anybody's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

MOST = 32 << 20
"""Bytes of an answer at most; token ids and log-probabilities of a long reply take a few of them."""


class TooLong(Exception):
    """A server's answer is larger than any reply of a model."""


def bounded(response: Any) -> None:
    """Have an answer's bytes counted as they are read: a hook of the client's."""
    from httpx2 import SyncByteStream

    if response.headers.get("content-encoding", "identity") != "identity":
        raise TooLong("the server packed its answer, which was not asked for")
    inner = response.stream

    class Bounded(SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            read = 0
            for part in inner:
                read += len(part)
                if read > MOST:
                    raise TooLong(f"the server's answer is longer than {MOST >> 20} MB")
                yield part

        def close(self) -> None:
            inner.close()

    response.stream = Bounded()
