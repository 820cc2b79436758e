"""Worlds on other machines: hosts, which are actors of Ray, each with its own sandbox; tasks are opened where there is
most room.

A host that is lost costs the episodes that it played: they end in an error, which counts in no group. Ray starts it
again where there is room, and what is opened later goes there, too.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import ray
from ray.exceptions import GetTimeoutError, RayActorError, RayError, RayTaskError

from prowess.errors import ProwessError, RecipeError, WorldError, words_of
from prowess.types import Observation, Suite, Task, Verdict, World

Opening = Callable[[], AbstractContextManager[Suite]]
"""Opens the suite with its sandbox, wherever it is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A world that a host has opened."""

    key: str
    birth: str
    """Of the host: one that was started again knows nothing of it."""
    defines: bool
    done: bool


class Host:
    """Holds worlds; its calls run on threads of their own."""

    def __init__(self, opening: Opening) -> None:
        self._stack = ExitStack()
        self._suite = self._stack.enter_context(opening())
        self._birth = uuid4().hex
        self._worlds: dict[str, World] = {}

    def open(self, task: Task) -> Opened:
        """Open a task; what it is called from now on."""
        world = self._suite.open(task)
        key = uuid4().hex
        self._worlds[key] = world
        return Opened(key=key, birth=self._birth, defines=callable(getattr(world, "define", None)), done=world.done)

    def act(self, opened: Opened, verb: str, code: str) -> tuple[Observation, bool]:
        """Run code in a world, and say whether its task is done then."""
        world = self._of(opened)
        seen: Observation = getattr(world, verb)(code)
        return seen, world.done

    def evaluate(self, opened: Opened) -> Verdict:
        """Grade a world."""
        return self._of(opened).evaluate()

    def close(self, opened: Opened) -> None:
        """Give a world back."""
        if world := self._worlds.pop(opened.key, None):
            world.close()

    def end(self) -> None:
        """Give everything back."""
        for world in list(self._worlds.values()):
            with suppress(Exception):
                world.close()
        self._stack.close()

    def _of(self, opened: Opened) -> World:
        if opened.birth != self._birth or opened.key not in self._worlds:
            raise WorldError("the host that played this task was lost, and started again")
        return self._worlds[opened.key]


@dataclass(slots=True)
class _Place:
    """A host as the driver sees it."""

    actor: Any
    free: int
    """How many worlds it takes yet."""
    resting: bool = field(default=False)
    """Whether it was lost, and did not answer since."""


class AwaySuite:
    """A suite whose tasks are played elsewhere; what tasks there are is known here."""

    def __init__(self, here: Suite, opening: Opening, *, hosts: int, worlds: int, seconds: float) -> None:
        """`worlds` may be open at once on each of the hosts; a call that takes longer than `seconds` has lost them."""
        self._here, self._seconds = here, seconds
        actors: Any = ray.remote(Host).options(
            num_cpus=1,
            scheduling_strategy="SPREAD",
            max_restarts=-1,
            max_task_retries=0,
            max_concurrency=worlds + 1,
        )
        self._places = [_Place(actors.remote(opening), worlds) for _ in range(hosts)]
        self._room = threading.Condition()
        self.lost = 0
        """Calls that were lost with a host."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._here, name)  # documents and the like, where the world has them

    def splits(self) -> Sequence[str]:
        return self._here.splits()

    def tasks(self, split: str) -> Sequence[Task]:
        return self._here.tasks(split)

    def open(self, task: Task) -> AwayWorld:
        """Open a task where there is most room; wait where there is none. A host that is lost meanwhile has not begun
        it: another one is asked."""
        for _ in self._places:
            place = self._taken()
            try:
                with _told(self):
                    opened = ray.get(place.actor.open.remote(task), timeout=self._seconds)
            except _Lost:
                self._give_back(place, resting=True)
                continue
            except BaseException:
                self._give_back(place)
                raise
            place.resting = False
            return AwayWorld(self, place, opened)
        raise WorldError("every host of worlds was lost", hint="is the Ray cluster up? `ray status` tells")

    def close(self) -> None:
        """End the hosts."""
        for place in self._places:
            with suppress(RayError, GetTimeoutError):
                ray.get(place.actor.end.remote(), timeout=10)
            with suppress(RayError):
                ray.kill(place.actor)

    def _taken(self) -> _Place:
        with self._room:
            while not (free := [one for one in self._places if one.free]):
                self._room.wait()
            place = min(free, key=lambda one: (one.resting, -one.free))
            place.free -= 1
            return place

    def _give_back(self, place: _Place, *, resting: bool = False) -> None:
        with self._room:
            place.free += 1
            place.resting = place.resting or resting
            self._room.notify()

    def ask(self, place: _Place, verb: str, *given: Any) -> Any:
        """What a host answers about a world."""
        try:
            with _told(self):
                return ray.get(getattr(place.actor, verb).remote(*given), timeout=self._seconds)
        except _Lost as error:
            place.resting = True
            raise WorldError(f"the host that played this task was lost: {error}") from None


class AwayWorld:
    """A world that a host holds."""

    def __init__(self, suite: AwaySuite, place: _Place, opened: Opened) -> None:
        self._suite, self._place, self._opened = suite, place, opened
        self._done = opened.done
        self._open = True
        if opened.defines:
            self.define = self._define

    @property
    def done(self) -> bool:
        return self._done

    def execute(self, code: str) -> Observation:
        return self._act("execute", code)

    def _define(self, code: str) -> Observation:
        return self._act("define", code)

    def _act(self, verb: str, code: str) -> Observation:
        seen: Observation
        seen, self._done = self._suite.ask(self._place, "act", self._opened, verb, code)
        return seen

    def evaluate(self) -> Verdict:
        found: Verdict = self._suite.ask(self._place, "evaluate", self._opened)
        return found

    def close(self) -> None:
        """Give it back; a host that is lost has nothing left to give."""
        if not self._open:
            return
        self._open = False
        try:
            self._suite.ask(self._place, "close", self._opened)
        finally:
            self._suite._give_back(self._place)


class _Lost(Exception):
    """A host is gone, or does not answer."""


@contextmanager
def _told(suite: AwaySuite) -> Iterator[None]:
    """What goes wrong on the way, in our words; what a world raised is raised here, too."""
    try:
        yield
    except GetTimeoutError:
        suite.lost += 1
        raise _Lost(f"no answer in {suite._seconds:g} s") from None
    except RayActorError as error:
        suite.lost += 1
        raise _Lost(words_of(error).splitlines()[0][:200]) from None
    except RayTaskError as error:
        cause = error.cause
        if isinstance(cause, ProwessError):
            raise cause from None
        raise WorldError(words_of(cause)[:500]) from None


def connect(address: str) -> None:
    """Join a Ray cluster, or start one on this machine."""
    if ray.is_initialized():
        return
    try:
        ray.init(address=address or None, include_dashboard=False, log_to_driver=False)
    except (ConnectionError, RayError, RuntimeError, ValueError) as error:
        raise RecipeError(
            f"no Ray cluster answers at '{address}': {words_of(error).splitlines()[0][:200]}",
            hint="`ray start --head` starts one; an empty address starts one for this run",
        ) from None


def nodes() -> int:
    """How many machines the cluster has."""
    return sum(1 for one in ray.nodes() if one["Alive"])
