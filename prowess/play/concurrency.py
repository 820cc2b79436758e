"""Many plays at once: pass by pass, as their replies come, or on a thread each. The only threads.

What a policy can do decides: one that continues many conversations a pass at a time is told when the next pass is; one
that takes a question now and answers it later is asked as soon as a conversation waits; any other is called by as many
threads as workers.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from prowess.errors import PolicyError
from prowess.play import Play, played
from prowess.types import BatchPolicy, Completion, FlowPolicy, Policy, Request

J = TypeVar("J")
D = TypeVar("D")

Suffices = Callable[[Collection[int], int], bool]
"""Whether the plays done are enough, given how many replies each of the others has had at the least."""

WORKERS = 1024
"""The most threads that play at once."""

ROWS = 128
"""Conversations under way at once with a policy that answers many, unless it says another number."""

PASSES = 8
"""So many passes a world has to run its code while others speak. Then its conversation joins again; if the world takes
longer, all wait for it. A number and not a time, so that the speed of the machine changes no result."""


def play_all(
    policy: Policy,
    plays: Sequence[Callable[[], Play[D]]],
    workers: int,
    *,
    stop: Callable[[], None] = lambda: None,
    suffices: Suffices = lambda done, replies: False,
) -> Generator[tuple[int, D], None, None]:
    """Play many things to their end and give each with its number as it is done.

    A policy that answers later is asked for each as it waits; one that continues many conversations does so pass by
    pass; any other is called by as many threads as there are workers.
    """
    if isinstance(policy, FlowPolicy):
        yield from in_flow(policy, plays, workers, suffices=suffices)
    elif isinstance(policy, BatchPolicy):
        yield from in_passes(policy, plays, workers, suffices=suffices)
    else:
        yield from in_parallel(lambda n: played(plays[n](), policy), range(len(plays)), workers, stop=stop)


@dataclass(frozen=True, slots=True)
class _Ended(Generic[D]):
    """What a play came to."""

    result: D


class _Plays(Generic[D]):
    """Plays under way with a policy that answers many: who waits for which reply, and who is done."""

    def __init__(self, policy: BatchPolicy | FlowPolicy, plays: Sequence[Callable[[], Play[D]]], workers: int) -> None:
        self.policy = policy
        self.pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="play")
        self.live: dict[int, Play[D]] = {}
        self.asked: dict[int, Request] = {}
        self.given: Counter[int] = Counter()
        """Replies that each has had."""
        self.done: set[int] = set()
        self._plays = plays
        self._next = 0
        self._rows = getattr(policy, "rows", ROWS)

    def begun(self) -> list[int]:
        """As many more as there is room for."""
        fresh = list(range(self._next, min(self._next + self._rows - len(self.live), len(self._plays))))
        self._next += len(fresh)
        self.live |= {n: self._plays[n]() for n in fresh}
        return fresh

    def note(self, n: int, state: Request | _Ended[D]) -> None:
        """Where a play stands now; a conversation that it does not go on with is let go."""
        before = self.asked.pop(n, None)
        if before and (isinstance(state, _Ended) or state.key != before.key):
            self.policy.forget(before.key)
        if isinstance(state, _Ended):
            del self.live[n]
            self.done.add(n)
        else:
            self.asked[n] = state

    def suffice(self, suffices: Suffices) -> bool:
        """Whether the others need not be waited for; one that has not begun yet has had no reply."""
        if not self.live:
            return False
        return suffices(self.done, min(self.given[n] for n in self.live) if self._next == len(self._plays) else 0)

    def close(self) -> None:
        """Break off what is under way."""
        self.pool.shutdown(wait=True, cancel_futures=True)  # a play that runs cannot be closed
        for request in self.asked.values():
            self.policy.forget(request.key)
        for play in self.live.values():
            play.close()


def in_passes(
    policy: BatchPolicy,
    plays: Sequence[Callable[[], Play[D]]],
    workers: int,
    *,
    suffices: Suffices = lambda done, replies: False,
) -> Iterator[tuple[int, D]]:
    """Play pass by pass: a conversation leaves the batch when its reply ends, and its world runs its code meanwhile.

        pass    1  2  3  4  5  6  7  8  9  10 11 12
        a       s  s  .  .  .  .  .  .  .  .  s  s      speaks, is with its world for 8 passes, speaks again
        b       s  s  s  s  s  s  s  s  s  s  s  s

    Which conversations share a pass depends on nothing but the plays and their order, so with a policy whose draws
    depend on seeds alone the result is the same for any number of workers. Once what is done `suffices`, the rest is
    broken off.
    """
    now = 0
    away: deque[tuple[int, int, Future[Any]]] = deque()
    """Who is with their world: the pass before which they are back, and what becomes of them."""
    asked: dict[str, int] = {}
    """Who waits for the reply to which conversation."""

    def move(n: int, reply: Completion | PolicyError | None) -> None:
        away.append((now + PASSES, n, crowd.pool.submit(_move, crowd.live[n], reply)))

    def fill() -> None:
        for n in crowd.begun():
            move(n, None)

    with closing(_Plays(policy, plays, workers)) as crowd:
        fill()
        while crowd.live:
            while away and (away[0][0] <= now or not asked):
                back, n, future = away.popleft()
                now = max(now, back)
                state = future.result()
                crowd.note(n, state)
                if isinstance(state, _Ended):
                    yield n, state.result
                    fill()
                else:
                    policy.admit(state)
                    asked[state.key] = n
                if crowd.suffice(suffices):
                    return
            if asked:
                replies = policy.advance()
                now += 1
                for key, reply in replies.items():
                    n = asked.pop(key)
                    crowd.given[n] += 1
                    move(n, reply)


def in_flow(
    policy: FlowPolicy,
    plays: Sequence[Callable[[], Play[D]]],
    workers: int,
    *,
    suffices: Suffices = lambda done, replies: False,
) -> Iterator[tuple[int, D]]:
    """Play without waves: each conversation goes on as soon as its own reply is there, whoever else still waits.

    So many worlds run their code at once as there are workers. A reply that fails with another error than a
    PolicyError ends them all: the one who answers is gone.
    """
    news: SimpleQueue[tuple[int, bool, Future[Any]]] = SimpleQueue()

    def move(n: int, reply: Completion | PolicyError | None) -> None:
        crowd.pool.submit(_move, crowd.live[n], reply).add_done_callback(lambda future: news.put((n, True, future)))

    def ask(n: int, request: Request) -> None:
        policy.ask(request).add_done_callback(lambda future: news.put((n, False, future)))

    def fill() -> None:
        for n in crowd.begun():
            move(n, None)

    with closing(_Plays(policy, plays, workers)) as crowd:
        fill()
        while crowd.live:
            n, moved, future = news.get()
            if not moved:  # a reply, or why there is none
                problem = future.exception()
                if problem is not None and not isinstance(problem, PolicyError):
                    raise problem
                crowd.given[n] += 1
                move(n, problem or future.result())
                continue
            state = future.result()
            crowd.note(n, state)
            if isinstance(state, _Ended):
                yield n, state.result
            else:
                ask(n, state)
            if crowd.suffice(suffices):  # a straggler's reply may be the one too many
                return
            fill()


def _move(play: Play[D], reply: Completion | PolicyError | None) -> Request | _Ended[D]:
    """Let a play go on with its reply until it waits for the next or ends."""
    try:
        if reply is None:
            return next(play)
        return play.throw(reply) if isinstance(reply, PolicyError) else play.send(reply)
    except StopIteration as end:
        return _Ended(end.value)


def in_parallel(
    work: Callable[[J], D], jobs: Iterable[J], workers: int, *, stop: Callable[[], None] = lambda: None
) -> Iterator[tuple[J, D]]:
    """Do every job on so many threads and give each as it is done.

    When interrupted (Ctrl-C, or the one who takes the results goes away), no new job is begun, `stop` is called to cut
    short those under way, and they are waited for. Only a few jobs more than workers are held at a time, so an endless
    iterable will do.
    """
    queue = iter(jobs)
    pool = ThreadPoolExecutor(max_workers=workers, thread_name_prefix="play")
    pending: dict[Future[D], J] = {}
    try:
        for job in islice(queue, workers * 2):
            pending[pool.submit(work, job)] = job
        while pending:
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in [future for future in pending if future in done]:  # as they were begun
                job = pending.pop(future)
                yield job, future.result()
            for job in islice(queue, workers * 2 - len(pending)):
                pending[pool.submit(work, job)] = job
    except BaseException:
        stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
