"""What is played: a task, a chain of tasks with a library growing along the way, groups of chains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from itertools import groupby, islice
from threading import Event, Lock
from typing import TypeVar

from prowess.errors import ProwessError, RecipeError, WorldError, told
from prowess.play import UNGRADED, Agent, Play
from prowess.play.concurrency import play_all
from prowess.play.outage import ACCIDENTS, left_alone, outage, unanswered
from prowess.seeds import derive
from prowess.skills.library import Library
from prowess.types import Chain, Episode, Group, Rollout, Stop, Suite, Task

U = TypeVar("U")


def play_task(agent: Agent, suite: Suite, task: Task, library: Library, *, seed: int) -> Play[Episode]:
    """Open a task, play it, close it. A world that does not open is an episode that ended in error."""
    try:
        world = suite.open(task)
    except Exception as problem:  # noqa: BLE001 (the edge of a stranger's world)
        ours = isinstance(problem, ProwessError)
        error = f"{type(problem).__name__}: {problem}" if ours else f"{WorldError.__name__}: {told(problem)}"
        return Episode(task=task, turns=(), verdict=UNGRADED, stop=Stop.ERROR, error=error, seed=seed)
    try:
        return (yield from agent.steps(task, world, library, seed=seed))
    finally:
        with suppress(Exception):  # the episode is over and graded; `prowess check` tells of a world that cannot close
            world.close()


def play_chain(
    agent: Agent,
    suite: Suite,
    chain: Chain,
    library: Library,
    *,
    seed: int,
    masked: bool = False,
    over: Callable[[], None] = lambda: None,
) -> Play[Rollout]:
    """Sequential rollout: each task is played with what the tasks before it saved, unless that is masked. `over` is
    called after each task."""
    episodes = []
    for position, task in enumerate(chain):
        offered = Library() if masked else library
        episode = yield from play_task(agent, suite, task, offered, seed=derive(seed, position))
        library = library.add(*episode.learned)
        episodes.append(episode)
        over()
    return Rollout(episodes=tuple(episodes), masked=masked)


def chains_of(suite: Suite, split: str, *, first: int = 0, watch: Callable[[], None] = lambda: None) -> list[Chain]:
    """The scenarios of a split, each as the chain of its tasks in order; only the `first` so many, 0 for all. `watch`
    hears of each, as a world may draw its tasks only now."""
    found: list[Chain] = []
    for _, tasks in islice(groupby(suite.tasks(split), key=lambda task: task.scenario), first or None):
        found.append(tuple(tasks))
        watch()
    if not found:
        raise RecipeError(f"the split '{split}' holds no task", hint="check the suite's families and difficulties")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Enough:
    """When a step's rollouts need not be waited for any more (paper, appendix): the slowest say the least."""

    replies: int = 25
    """Every rollout still under way has had so many (of 40 turns that a task may have there)."""
    of_group: float = 0.75
    """Every group has this share of its rollouts: 6 of 8."""
    of_all: float = 0.9
    """So has the whole step."""

    @classmethod
    def for_turns(cls, turns: int) -> Enough:
        """The same where a task may have another number of turns.

        >>> Enough.for_turns(40).replies, Enough.for_turns(10).replies, Enough.for_turns(1).replies
        (25, 6, 1)
        """
        return cls(replies=max(1, round(turns * 25 / 40)))


class Tally:
    """Counts what is done and shows it, from whichever thread; at first that nothing is."""

    def __init__(self, of: int, watch: Callable[[int, int], None]) -> None:
        self._done, self._of, self._watch = 0, of, watch
        self._lock = Lock()
        watch(0, of)

    def add(self) -> None:
        with self._lock:
            self._done += 1
            self._watch(self._done, self._of)


def play_groups(
    agent: Agent,
    suite: Suite,
    chains: Sequence[Chain],
    *,
    size: int,
    seed: int,
    workers: int = 1,
    enough: Enough | None = None,
    masked: int = 0,
    watch: Callable[[int, int], None] = lambda done, of: None,
) -> list[Group]:
    """For each chain a group of independent rollouts, each with a library of its own that starts empty; the last
    so many of a group are its control arm. `watch` is shown how many conversations are done, and of how many.

    With `enough`, and a policy that answers many at once, rollouts that come too late are left out of their groups.
    """
    jobs = [(n, i) for n in range(len(chains)) for i in range(size)]
    conversations = Tally(size * sum(map(len, chains)), watch)
    plays = [
        partial(
            play_chain,
            agent,
            suite,
            chains[n],
            Library(),
            seed=derive(seed, n, i),
            masked=i >= size - masked,
            over=conversations.add,
        )
        for n, i in jobs
    ]

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
    *,
    begun: bool = False,
) -> Iterator[Sequence[Episode]]:
    """Play units of work and keep each as soon as it is done; give their episodes as they come.

    A unit is kept by the worker that played it, so what is finished while Ctrl-C is waited for is not lost either. Then
    the agent hangs up on its model, and what breaks for that reason is not kept: it is played when the run goes on.

    A unit that the policy left alone waits to be kept until the end. Where more of them come in a row than are under
    way together, or a few at the end, and some got no answer at all, that is an outage: it is raised, and they are not
    kept either. So it is where nothing was ever answered, whatever the reason, unless the run had begun before: what a
    policy refuses every time must not keep a run from its end.
    """
    stopping = Event()
    broken: list[tuple[U, Sequence[Episode]]] = []
    row, answered = 0, begun

    def played_and_kept(unit: U) -> Play[tuple[U, Sequence[Episode]]]:
        episodes = yield from play(unit)
        if not left_alone(episodes) and not (stopping.is_set() and any(one.stop is Stop.ERROR for one in episodes)):
            keep(unit, episodes)
        return unit, episodes

    def check(most: int) -> None:
        lost = [episode for _, episodes in broken[len(broken) - row :] for episode in left_alone(episodes)]
        silent = not answered and not any(one.turns for _, episodes in broken for one in episodes)
        down = silent or unanswered(lost) >= ACCIDENTS
        if (down and row >= most) or (silent and row == len(units) and len(lost) >= ACCIDENTS):
            hint = "mend what broke; what was played before is kept, and the same command goes on from there"
            raise outage(lost, f"the last {len(lost)} episodes", hint=hint)

    def stop() -> None:
        stopping.set()
        agent.hang_up()

    plays = [partial(played_and_kept, unit) for unit in units]
    with closing(play_all(agent.policy, plays, workers, stop=stop)) as results:
        for _, (unit, episodes) in results:
            if left_alone(episodes):
                broken.append((unit, episodes))
                row += 1
                check(max(ACCIDENTS, 2 * workers))
            else:
                row, answered = 0, True
            yield episodes
    check(ACCIDENTS)
    for unit, episodes in broken:
        keep(unit, episodes)
