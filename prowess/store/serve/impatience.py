"""HTTP connections that close when a request does not arrive in time: uvicorn waits for half of one for ever."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol


def impatient(seconds: float) -> type[H11Protocol]:
    """The protocol for a server whose clients may take so long to send a request, head and body."""

    class Impatient(H11Protocol):
        _due: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._wait()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._whole():
                self._stop()
            elif self._due is None:
                self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._stop()
            super().connection_lost(exc)

        def _whole(self) -> bool:
            """Whether all of a request has arrived."""
            return self.cycle is not None and not self.cycle.more_body

        def _wait(self) -> None:
            self._due = self.loop.call_later(seconds, self._close)

        def _stop(self) -> None:
            if self._due is not None:
                self._due.cancel()
                self._due = None

        def _close(self) -> None:
            self._due = None
            if not self._whole() and not self.transport.is_closing():
                self.transport.close()

    return Impatient
