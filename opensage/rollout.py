"""Playing many: a task, a chain of tasks with a library growing along the way, groups of chains. The only threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from threading import Event
from typing import Generic, TypeVar

from opensage.agent import UNGRADED, Agent, Play, played
from opensage.errors import OpensageError, PolicyError, RecipeError, WorldError
from opensage.seeds import derive
from opensage.skills.library import Library
from opensage.types import (
    BatchPolicy,
    Chain,
    Completion,
    Episode,
    Group,
    Policy,
    Request,
    Rollout,
    Stop,
    Suite,
    Task,
)

U = TypeVar("U")
J = TypeVar("J")
D = TypeVar("D")

Suffices = Callable[[Collection[int], int], bool]
"""Whether the plays done are enough, given how many replies each of the others has had at the least."""

ROWS = 128
"""Conversations in one batch of a policy that answers many at once, unless it says another number."""


def play_task(agent: Agent, suite: Suite, task: Task, library: Library, *, seed: int) -> Play[Episode]:
    """Open a task, play it, close it. A world that does not open is an episode that ended in error."""
    try:
        world = suite.open(task)
    except Exception as problem:  # noqa: BLE001 (the edge of a stranger's world)
        kind = "" if isinstance(problem, OpensageError) else f"{WorldError.__name__}: "
        error = f"{kind}{type(problem).__name__}: {problem}"
        return Episode(task=task, turns=(), verdict=UNGRADED, stop=Stop.ERROR, error=error, seed=seed)
    try:
        return (yield from agent.steps(task, world, library, seed=seed))
    finally:
        with suppress(Exception):  # the episode is over and graded; `opensage check` tells of a world that cannot close
            world.close()


def play_chain(agent: Agent, suite: Suite, chain: Chain, library: Library, *, seed: int) -> Play[Rollout]:
    """Sequential rollout: each task is played with what the tasks before it saved."""
    episodes = []
    for position, task in enumerate(chain):
        episode = yield from play_task(agent, suite, task, library, seed=derive(seed, position))
        library = library.add(*episode.learned)
        episodes.append(episode)
    return Rollout(episodes=tuple(episodes))


def chains_of(suite: Suite, split: str, *, first: int = 0) -> list[Chain]:
    """The scenarios of a split, each as the chain of its tasks in order; only the `first` so many, 0 for all."""
    found = [tuple(tasks) for _, tasks in groupby(suite.tasks(split), key=lambda task: task.scenario)]
    if not found:
        raise RecipeError(f"the split '{split}' holds no task", hint="check the suite's families and difficulties")
    return found[: first or None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Enough:
    """When a step's rollouts need not be waited for any more (paper, appendix): the slowest say the least."""

    replies: int = 25
    """Every rollout still under way has had so many."""
    of_group: float = 0.75
    """Every group has this share of its rollouts: 6 of 8."""
    of_all: float = 0.9
    """So has the whole step."""


def play_groups(
    agent: Agent,
    suite: Suite,
    chains: Sequence[Chain],
    *,
    size: int,
    seed: int,
    workers: int = 1,
    enough: Enough | None = None,
) -> list[Group]:
    """For each chain a group of independent rollouts, each with a library of its own that starts empty.

    With `enough`, and a policy that answers many at once, rollouts that come too late are left out of their groups.
    """
    jobs = [(n, i) for n in range(len(chains)) for i in range(size)]
    plays = [partial(play_chain, agent, suite, chains[n], Library(), seed=derive(seed, n, i)) for n, i in jobs]

    def suffices(done: Collection[int], replies: int) -> bool:
        if enough is None or replies < enough.replies or len(done) < enough.of_all * len(jobs):
            return False
        per_group = Counter(jobs[at][0] for at in done)
        return all(per_group[n] >= enough.of_group * size for n in range(len(chains)))

    rollouts = {jobs[at]: rollout for at, rollout in play_all(agent.policy, plays, workers, suffices=suffices)}
    return [
        Group(chain=chain, rollouts=tuple(rollouts[n, i] for i in range(size) if (n, i) in rollouts))
        for n, chain in enumerate(chains)
    ]


def play_units(
    agent: Agent,
    units: Sequence[U],
    play: Callable[[U], Play[Sequence[Episode]]],
    keep: Callable[[U, Sequence[Episode]], None],
    workers: int,
) -> Iterator[Sequence[Episode]]:
    """Play units of work and keep each as soon as it is done; give their episodes as they come.

    A unit is kept by the worker that played it, so what is finished while Ctrl-C is waited for is not lost either. Then
    the agent hangs up on its model, and what breaks for that reason is not kept: it is played when the run goes on.
    """
    stopping = Event()

    def played_and_kept(unit: U) -> Play[Sequence[Episode]]:
        episodes = yield from play(unit)
        if not (stopping.is_set() and any(episode.stop is Stop.ERROR for episode in episodes)):
            keep(unit, episodes)
        return episodes

    def stop() -> None:
        stopping.set()
        agent.hang_up()

    plays = [partial(played_and_kept, unit) for unit in units]
    for _, episodes in play_all(agent.policy, plays, workers, stop=stop):
        yield episodes


def play_all(
    policy: Policy,
    plays: Sequence[Callable[[], Play[D]]],
    workers: int,
    *,
    stop: Callable[[], None] = lambda: None,
    suffices: Suffices = lambda done, replies: False,
) -> Iterator[tuple[int, D]]:
    """Play many things to their end and give each with its number as it is done.

    A policy that answers many conversations at once is asked for all of them together, turn by turn; any other by as
    many threads as there are workers.
    """
    if isinstance(policy, BatchPolicy):
        yield from in_lock_step(policy, plays, workers, suffices=suffices)
    else:
        yield from in_parallel(lambda n: played(plays[n](), policy), range(len(plays)), workers, stop=stop)


@dataclass(frozen=True, slots=True)
class _Ended(Generic[D]):
    """What a play came to."""

    result: D


def in_lock_step(
    policy: BatchPolicy,
    plays: Sequence[Callable[[], Play[D]]],
    workers: int,
    *,
    suffices: Suffices = lambda done, replies: False,
) -> Iterator[tuple[int, D]]:
    """Play turn by turn: every conversation that waits gets its reply in one batch, then every world runs its code.

    Which conversations share a batch depends on nothing but the plays and their order, so with a policy whose draws
    depend on seeds alone the result is the same for any number of workers. Once what is done `suffices`, the rest is
    broken off.
    """
    rows = getattr(policy, "rows", ROWS)
    waiting = iter(range(len(plays)))
    live: dict[int, Play[D]] = {}
    asked: dict[int, Request] = {}
    given: Counter[int] = Counter()
    done: set[int] = set()
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="play") as pool:

        def move(replies: Mapping[int, Completion | PolicyError | None]) -> Iterator[tuple[int, D]]:
            """Let these plays go on, all at once, and give those that ended."""
            states = list(pool.map(_move, [live[n] for n in replies], replies.values()))
            for n, state in zip(replies, states, strict=True):
                before = asked.pop(n, None)
                if before and (isinstance(state, _Ended) or state.key != before.key):
                    policy.forget(before.key)
                if isinstance(state, _Ended):
                    del live[n]
                    done.add(n)
                    yield n, state.result
                else:
                    asked[n] = state

        try:
            while True:
                fresh = list(islice(waiting, rows - len(live)))
                live |= {n: plays[n]() for n in fresh}
                yield from move(dict.fromkeys(fresh))
                requests = dict(sorted(asked.items()))
                if requests:
                    given.update(requests.keys())
                    yield from move(dict(zip(requests, policy.replies(list(requests.values())), strict=True)))
                elif not fresh:
                    return
                if live and suffices(done, min(given[n] for n in live)):
                    return
        finally:
            for request in asked.values():
                policy.forget(request.key)
            for play in live.values():
                play.close()


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
            for future in done:
                job = pending.pop(future)
                yield job, future.result()
            for job in islice(queue, workers * 2 - len(pending)):
                pending[pool.submit(work, job)] = job
    except BaseException:
        stop()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
