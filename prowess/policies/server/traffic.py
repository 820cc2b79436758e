"""How busy servers were: for how long, how many conversations waited, how often a request was sent again."""

from __future__ import annotations

import time
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """How long somebody was waited for, and how long they waited all together; how often was asked again, and how many
    servers were lost."""

    busy: float = 0.0
    waited: float = 0.0
    again: int = 0
    lost: int = 0

    def __add__(self, more: Traffic) -> Traffic:
        return Traffic(
            busy=self.busy + more.busy,
            waited=self.waited + more.waited,
            again=self.again + more.again,
            lost=self.lost + more.lost,
        )

    def since(self, before: Traffic) -> Traffic:
        """What has been done since then."""
        return Traffic(
            busy=self.busy - before.busy,
            waited=self.waited - before.waited,
            again=self.again - before.again,
            lost=self.lost - before.lost,
        )

    def figures(self, *, seconds: float, said: int, engines: int) -> dict[str, float]:
        """What so many servers did in so many seconds, in which they said so many tokens."""
        return {
            "play/engine_idle": max(0.0, 1 - self.busy / engines / seconds),
            "play/rows": self.waited / max(self.busy / engines, 1e-9),
            "play/pass_ms": 1000 * self.waited / max(1, said),
            "play/again": float(self.again),
            "play/servers": float(engines),
            "play/lost_servers": float(self.lost),
        }


class Meter:
    """Measures the traffic with one server; one thread tells it."""

    def __init__(self) -> None:
        self._so_far = Traffic()
        self._under_way = 0
        self._since = time.perf_counter()

    def begin(self) -> None:
        """A question is on its way."""
        self._note(+1, 0)

    def end(self, again: int) -> None:
        """It was answered, or never will be."""
        self._note(-1, again)

    def read(self) -> Traffic:
        """All until now, with what is under way."""
        seconds, talking = time.perf_counter() - self._since, self._under_way
        return self._so_far + Traffic(busy=seconds if talking else 0.0, waited=seconds * talking)

    def _note(self, more: int, again: int) -> None:
        self._so_far = self.read() + Traffic(again=again)
        self._under_way += more
        self._since = time.perf_counter()
