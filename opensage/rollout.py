"""Playing many: a task, a chain of tasks with a library growing along the way, groups of chains. The only threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from itertools import groupby, islice
from threading import Event
from typing import TypeVar

from opensage.agent import UNGRADED, Agent
from opensage.errors import OpensageError, RecipeError, WorldError
from opensage.seeds import derive
from opensage.skills.library import Library
from opensage.types import Chain, Episode, Group, Rollout, Stop, Suite, Task

U = TypeVar("U")
J = TypeVar("J")
D = TypeVar("D")


def play_task(agent: Agent, suite: Suite, task: Task, library: Library, *, seed: int) -> Episode:
    """Open a task, play it, close it. A world that does not open is an episode that ended in error."""
    try:
        world = suite.open(task)
    except Exception as problem:  # noqa: BLE001 (the edge of a stranger's world)
        kind = (
            type(problem).__name__
            if isinstance(problem, OpensageError)
            else f"{WorldError.__name__}: {type(problem).__name__}"
        )
        return Episode(task=task, turns=(), verdict=UNGRADED, stop=Stop.ERROR, error=f"{kind}: {problem}", seed=seed)
    try:
        return agent.play(task, world, library, seed=seed)
    finally:
        world.close()


def play_chain(agent: Agent, suite: Suite, chain: Chain, library: Library, *, seed: int) -> Rollout:
    """Sequential rollout: each task is played with what the tasks before it saved."""
    episodes = []
    for position, task in enumerate(chain):
        episode = play_task(agent, suite, task, library, seed=derive(seed, position))
        library = library.add(*episode.learned)
        episodes.append(episode)
    return Rollout(episodes=tuple(episodes))


def chains_of(suite: Suite, split: str, *, first: int = 0) -> list[Chain]:
    """The scenarios of a split, each as the chain of its tasks in order; only the `first` so many, 0 for all."""
    found = [tuple(tasks) for _, tasks in groupby(suite.tasks(split), key=lambda task: task.scenario)]
    if not found:
        raise RecipeError(f"the split '{split}' holds no task", hint="check the suite's families and difficulties")
    return found[: first or None]


def play_groups(
    agent: Agent, suite: Suite, chains: Sequence[Chain], *, size: int, seed: int, workers: int = 1
) -> list[Group]:
    """For each chain a group of independent rollouts, each with a library of its own that starts empty."""
    jobs = [(n, chain, i) for n, chain in enumerate(chains) for i in range(size)]

    def play(job: tuple[int, Chain, int]) -> Rollout:
        n, chain, i = job
        return play_chain(agent, suite, chain, Library(), seed=derive(seed, n, i))

    rollouts: dict[tuple[int, int], Rollout] = {
        (n, i): rollout for (n, _, i), rollout in in_parallel(play, jobs, workers)
    }
    return [Group(chain=chain, rollouts=tuple(rollouts[n, i] for i in range(size))) for n, chain in enumerate(chains)]


def play_units(
    agent: Agent,
    units: Iterable[U],
    play: Callable[[U], Sequence[Episode]],
    keep: Callable[[U, Sequence[Episode]], None],
    workers: int,
) -> Iterator[Sequence[Episode]]:
    """Play units of work in parallel and keep each as soon as it is done; give their episodes as they come.

    A unit is kept by the worker that played it, so what is finished while Ctrl-C is waited for is not lost either. Then
    the agent hangs up on its model, and what breaks for that reason is not kept: it is played when the run goes on.
    """
    stopping = Event()

    def work(unit: U) -> Sequence[Episode]:
        episodes = play(unit)
        if not (stopping.is_set() and any(episode.stop is Stop.ERROR for episode in episodes)):
            keep(unit, episodes)
        return episodes

    def stop() -> None:
        stopping.set()
        agent.hang_up()

    for _, episodes in in_parallel(work, units, workers, stop=stop):
        yield episodes


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
