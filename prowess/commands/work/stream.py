"""The loop of `prowess work`: rounds of tasks, each played with one snapshot, with care in between.

What makes it survive a kill at any moment: a task is done when its episode's file is there; what it was played with is
written before that; what a round told is taken in from these files, once; and a round is over when the next has its
root. Whoever comes back does what is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field, replace
from itertools import count
from pathlib import Path

from prowess.commands.work.care import Begun, came, care, holding, last_event, standing, tell
from prowess.commands.work.exposure import Exposed, Exposure, Finder, FromLibrary
from prowess.commands.work.ledger import Ledger
from prowess.commands.work.queue import Queue
from prowess.commands.work.rounds import ROUNDS, Round
from prowess.commands.work.settings import WorkSettings
from prowess.errors import RecipeError
from prowess.files.codec import Played
from prowess.play import Agent, Play
from prowess.play.outage import ACCIDENTS, all_broke, outage
from prowess.play.rollout import play_task, play_units
from prowess.run import Run
from prowess.seeds import derive
from prowess.skills.library import Library
from prowess.store.curate.drift import Drift, follow
from prowess.store.db import Store, account_of
from prowess.store.gates.context import Context
from prowess.store.record import Account, Provenance
from prowess.store.settings import SkillSettings
from prowess.text.plural import counted
from prowess.text.terminal import say
from prowess.types import Episode, LibraryView, Skill, Suite, Task

EXPOSURES = "exposures.jsonl"
CARE = "care.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayContext:
    """What the store is told about where an episode was played."""

    world: str
    version: str = ""
    checkpoint: str = ""
    """The policy: its name, or the digest of its weights."""
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    """Of the world's APIs as they are now, where it documents them."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """One task of the stream."""

    place: int
    task: Task

    @property
    def key(self) -> str:
        return _key(self.place)


def _key(place: int) -> str:
    """The name under which a run keeps a task of the stream."""
    return f"work-{place:06d}"


def exposures_of(folder: Path) -> dict[str, Exposure]:
    """What the tasks of a run of work were played with, by the names under which it keeps them."""
    return {_key(exposure.place): exposure for exposure in Ledger(folder / EXPOSURES, Exposure)}


def account_at(
    where: PlayContext, episode: Episode, exposure: Exposure, *, run: str, namespace: str | None = None
) -> Account:
    """What an episode has to tell the store, by where and with what it was played."""
    return account_of(
        episode,
        run=run,
        world=where.world,
        world_version=where.version,
        repetition=exposure.place,
        namespace=namespace,
        masked=exposure.masked,
        scores=exposure.scores,
        checkpoint=where.checkpoint,
        root=exposure.root,
        digests=exposure.digests,
        fingerprints=where.fingerprints,
    )


def _tell(drift: Drift) -> None:
    """Say what changed APIs did to the library."""
    if drift.stale:
        apis = ", ".join(drift.changed[:3]) + (" and others" if len(drift.changed) > 3 else "")
        say(f"stale now, as APIs have changed ({apis}): {counted(len(drift.stale), 'skill')}, no longer offered")
    if back := [turn for turn in drift.back if not turn.refused]:
        say(f"no longer stale, as their APIs are as they were: {counted(len(back), 'skill')}")


class Stream:
    """One run of `prowess work`, held for writing."""

    def __init__(
        self,
        agent: Agent,
        suite: Suite,
        settings: WorkSettings,
        run: Run,
        store: Store | None,
        *,
        find: Finder | None = None,
        gates: Context | None = None,
        skills: SkillSettings | None = None,
        where: PlayContext,
        seed: int,
        workers: int,
        stdin: int = 0,
    ) -> None:
        """`find` looks for skills in another way than the agent's retriever; `gates` is what admission may use."""
        self._agent, self._suite, self._settings = agent, suite, settings
        share = 1.0 if settings.library == "masked" else settings.mask
        self._find = find or FromLibrary(retrieve=agent.retrieve, share=share)
        self._gates = replace(gates or Context(), observations=self._observations, siblings=self._siblings)
        self._skills = skills or SkillSettings()
        self._run, self._where, self._seed, self._workers = run, where, seed, workers
        self._store = None if settings.library == "none" else store
        self._id = f"{run.folder.name}@{run.about.created}"
        self._queue = Queue(run.folder, suite, settings, seed=seed, stdin=stdin)
        self._rounds = Ledger(run.folder / ROUNDS, Round)
        self._exposures = Ledger(run.folder / EXPOSURES, Exposure)
        self._care = Ledger(run.folder / CARE, Begun)
        self._loaded = "", Library()
        self._seen = {exposure.place: exposure for exposure in self._exposures}

    def play(self, watch: Callable[[Episode], None] = lambda episode: None) -> None:
        """Work until the queue ends, going on where an earlier process stopped."""
        if self._store and self._grows and self._where.fingerprints:
            _tell(follow(self._store, self._where.fingerprints, namespace=self._where.world))
        if not len(self._rounds):
            self._begin(0)
            self._run.start_library(self._rounds.between(0, 1)[0].root)
        self._check_frozen()
        for number in count():
            (now,), later = self._rounds.between(number, number + 1), self._rounds.between(number + 1, number + 2)
            end = later[0].first if later else now.first + self._settings.every
            reached, played = now.first, list[_Unit]()
            for tasks in self._batches(now.first, end):
                played += self._play(now, [_Unit(reached + n, task) for n, task in enumerate(tasks)], watch)
                reached += len(tasks)
            if reached == now.first:
                break
            if not later:
                self._finish(now, reached)
            elif played:  # a task whose file was deleted, to be played again
                self._take_in(played)

    def _batches(self, first: int, end: int) -> Iterator[Sequence[Task]]:
        """The tasks of a round as they come."""
        while first < end and (tasks := self._queue.upto(first, end)):
            yield tasks
            first += len(tasks)

    def _play(self, now: Round, units: Sequence[_Unit], watch: Callable[[Episode], None]) -> Sequence[_Unit]:
        """Play what is missing of these, with the round's snapshot; which these were."""
        for unit in units:
            if self._run.has(unit.key):
                watch(self._episode(unit))
        missing = [unit for unit in units if not self._run.has(unit.key)]
        if not missing:
            return ()
        store, library = self._store, self._library(now.root)
        if store:
            self._find.refresh()
        held = holding(store, now.root, self._id) if store and self._grows else nullcontext()

        def play(unit: _Unit) -> Play[Sequence[Episode]]:
            seed = derive(self._seed, "work", unit.place, unit.task.id)
            found = Exposed()

            def retrieve(library: LibraryView, task: Task, /) -> Sequence[Skill]:
                nonlocal found
                found = self._find(library, task, seed=seed) if store else Exposed()
                return found.offered

            agent = replace(self._agent, retrieve=retrieve)
            episode = yield from play_task(agent, self._suite, unit.task, library, seed=seed)
            self._seen[unit.place] = Exposure(
                place=unit.place, root=now.root, masked=found.masked, scores=found.scores, digests=found.digests
            )
            return (episode,)

        begun = missing[0].place > 0  # somebody answered before
        with held:
            for episodes in play_units(self._agent, missing, play, self._keep, self._workers, begun=begun):
                for episode in episodes:
                    watch(episode)
        return missing

    def _keep(self, unit: _Unit, episodes: Sequence[Episode]) -> None:
        self._exposures.append(self._seen[unit.place])
        repetition = self._queue.repetition(unit.place)
        split = "queue" if self._settings.queue else self._settings.split
        self._run.write_episodes(
            unit.key, [Played(run=repetition, split=split, episode=episode) for episode in episodes]
        )

    def _finish(self, now: Round, end: int) -> None:
        """Tell the store what the round's tasks came to, see to the library, and begin the next round."""
        units = [_Unit(now.first + n, task) for n, task in enumerate(self._queue.upto(now.first, end))]
        self._check_outage(units)
        if (store := self._store) and self._grows:
            since = self._begin_care(store, now)
            self._take_in(units)
            done = came(store, since, namespace=self._where.world)
            told = {f"work/{name}": value for name, value in asdict(done).items()}
            self._run.log(end, told | standing(store))
        self._begin(end)

    def _begin_care(self, store: Store, now: Round) -> int:
        """The store's last event before the care after a round: of now, or as a process that was killed noted it."""
        noted = [begun.event for begun in self._care if begun.first == now.first]
        if not noted:
            noted.append(last_event(store))
            self._care.append(Begun(first=now.first, event=noted[0]))
        return noted[0]

    def _check_outage(self, units: Sequence[_Unit]) -> None:
        """Stop where every task of a round broke, and forget these: the next ones would break, too."""
        episodes = [self._episode(unit) for unit in units]
        if len(units) < ACCIDENTS or not all_broke(episodes):
            return
        for unit in units:
            self._run.drop(unit.key)
        raise outage(
            episodes,
            f"all {len(units)} tasks of a round",
            hint="mend what broke; these tasks are not counted, and the same command goes on with them",
        )

    def _take_in(self, units: Sequence[_Unit]) -> None:
        """Tell the store what tasks came to, and see to the library where it grows."""
        store = self._store
        if not store or not self._grows:
            return
        tell(store, self._id, [self._account(unit) for unit in units])
        care(store, self._gates, self._skills, namespace=self._where.world, approve=self._settings.approve)

    def _begin(self, first: int) -> None:
        """The next round: note the snapshot that it will be played with."""
        store = self._store
        if store is None:
            self._rounds.append(Round(first=first, root="", skills=0))
            return
        root = self._settings.root
        if self._grows or not root:
            before = self._rounds.between(0, 1)
            root = (
                before[0].root if before and not self._grows else store.snapshot(f"{self._id} from task {first}").root
            )
        self._rounds.append(Round(first=first, root=root, skills=len(self._library(root))))

    def _library(self, root: str) -> Library:
        """What a snapshot offers; the last one asked for is kept."""
        if self._store and self._loaded[0] != root:
            self._loaded = root, self._store.library(root, namespace=self._where.world, probation=True)
        return self._loaded[1]

    def _account(self, unit: _Unit) -> Account:
        episode, known = self._episode(unit), self._where.fingerprints
        needed = {api: known[api] for skill in episode.learned for api in skill.apis if api in known}
        where = replace(self._where, fingerprints=needed)
        return account_at(where, episode, self._seen[unit.place], run=self._id)

    def _episode(self, unit: _Unit) -> Episode:
        (played,) = self._run.episodes(unit.key)
        return played.episode

    def _check_frozen(self) -> None:
        """A search looks into the store of now: it cannot play with a snapshot of another day."""
        if self._store is None or self._grows or not self._find.live:
            return
        now, (first,) = self._store.snapshot(self._id).root, self._rounds.between(0, 1)
        if not now.startswith(first.root):
            raise RecipeError(
                f"the store stands at {now[:12]}, and this run plays with {first.root[:12]}",
                hint='the search cannot look into the past: another retriever can, such as retrieval.name = "hybrid"',
            )

    def _observations(self, provenance: Provenance) -> Sequence[str]:
        """What was printed in an episode of this run: for the gates."""
        run, _, place = provenance.episode.rpartition("/")
        if not run.startswith(f"{self._id}/") or not place.isdigit():
            return ()
        key = _key(int(place))
        played = self._run.episodes(key) if self._run.has(key) else ()
        return [turn.observation.text for one in played for turn in one.episode.turns if turn.observation]

    def _siblings(self, provenance: Provenance) -> Sequence[str]:
        """What other tasks of the scenario ask for: for the gates."""
        return self._queue.siblings(provenance.scenario, provenance.task)

    @property
    def _grows(self) -> bool:
        return self._settings.library == "grow"
