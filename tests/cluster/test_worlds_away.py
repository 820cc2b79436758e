"""Worlds on three machines, which are processes here: one is lost while chains are played, and only its own are."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
import toy
from toy import ToySuite, ToyWorld, agent_with

from prowess.errors import WorldError
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.suites import suite_in
from prowess.play.rollout import chains_of, play_chain, play_units
from prowess.recipe import resolve
from prowess.skills.library import Library
from prowess.types import Chain, Completion, Episode, Message, Stop, Suite, Task
from prowess.worlds.away import AwaySuite

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]

CHAINS = 2000
LOST = "the host that played this task was lost"


@contextmanager
def toys(chains: int = CHAINS) -> Iterator[Suite]:
    yield ToySuite(chains)


class Slow(ToySuite):
    """Whose worlds need a while to open."""

    def open(self, task: Task) -> ToyWorld:
        time.sleep(0.5)
        return super().open(task)


@contextmanager
def slow() -> Iterator[Suite]:
    yield Slow(20)


class Broken(ToySuite):
    """Whose worlds do not open, or break in words of theirs."""

    def open(self, task: Task) -> ToyWorld:
        if task.id.endswith("_1"):
            raise WorldError("this one stays shut")
        if task.id.endswith("_2"):
            raise KeyError("no such thing")
        return super().open(task)


@contextmanager
def broken() -> Iterator[Suite]:
    yield Broken(2)


@pytest.fixture
def three() -> Iterator[Any]:
    """A Ray cluster of three nodes on this machine, and the driver's own."""
    import ray
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    cluster.nodes = [cluster.add_node(num_cpus=2) for _ in range(3)]
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


def away(opening: Any, *, hosts: int = 3, worlds: int = 16, seconds: float = 60.0) -> AwaySuite:
    with opening() as here:
        return AwaySuite(here, opening, hosts=hosts, worlds=worlds, seconds=seconds)


def thinking(messages: Sequence[Message], *, seed: int) -> Completion:
    """The toy's player, which takes its time."""
    time.sleep(Random(seed).uniform(0, 0.03))
    return toy.Counter()(messages, seed=seed)


def test_chains_on_three_nodes_of_which_one_is_lost(three: Any) -> None:
    with closing(away(toys)) as suite:
        chains = chains_of(suite, "train")
        agent, kept = agent_with(thinking), dict[int, Sequence[Episode]]()
        twice, removed = list[int](), threading.Event()

        def play(number: int) -> Any:
            return (yield from play_chain(agent, suite, chains[number], Library(), seed=number)).episodes

        def keep(number: int, episodes: Sequence[Episode]) -> None:
            twice.extend([number] if number in kept else [])
            kept[number] = episodes
            if len(kept) == CHAINS // 4 and not removed.is_set():
                removed.set()
                threading.Thread(target=three.remove_node, args=(three.nodes[1],), daemon=True).start()

        for _ in play_units(agent, range(len(chains)), play, keep, 40):
            pass
        assert removed.is_set() and not twice and sorted(kept) == list(range(CHAINS))
        played = [episode for number in range(CHAINS) for episode in kept[number]]
        assert [episode.task for episode in played] == [task for chain in chains for task in chain], "each of them once"
        broke = [episode for episode in played if episode.stop is Stop.ERROR]
        assert 0 < len(broke) <= 16, "what one host held at most"
        assert all(LOST in episode.error for episode in broke)
        assert all(episode.verdict.success for episode in played if episode.stop is not Stop.ERROR)
        assert suite.lost >= len(broke)
        later = [episode for number in range(CHAINS - 200, CHAINS) for episode in kept[number]]
        assert all(episode.verdict.success for episode in later), "the others, and the host that began again, go on"


def test_worlds_wait_where_hosts_are_full(three: Any) -> None:
    """Two hosts of two worlds each, and eight who want one: never more than four are open."""
    with closing(away(slow, hosts=2, worlds=2)) as suite:
        tasks = list(suite.tasks("train"))[:8]
        open_now, most, guard = Counter[str](), [0], threading.Lock()

        def one(task: Task) -> None:
            world = suite.open(task)
            with guard:
                open_now["worlds"] += 1
                most[0] = max(most[0], open_now["worlds"])
            time.sleep(1)  # the others open theirs
            with guard:
                open_now["worlds"] -= 1
            world.close()

        threads = [threading.Thread(target=one, args=(task,)) for task in tasks]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(timeout=60)
        assert not any(thread.is_alive() for thread in threads) and most[0] == 4


def test_what_a_world_raises_is_told_as_it_is_here(three: Any) -> None:
    with closing(away(broken, hosts=1)) as suite:
        first, second, third = list(suite.tasks("train"))[:3]
        with pytest.raises(WorldError, match="this one stays shut"):
            suite.open(first)
        with pytest.raises(WorldError, match="KeyError: 'no such thing'"):
            suite.open(second)
        world = suite.open(third)
        seen = world.execute("print(apis.counter.add(by=3))\napis.supervisor.complete_task()")
        assert (seen.text, seen.apis, world.done) == ("3", ("counter.add", "supervisor.complete_task"), True)
        assert world.evaluate().success and suite.splits() == ("train", "dev")
        world.close()
        world.close()
        with pytest.raises(WorldError, match="lost"):
            world.execute("1")


def test_worlds_of_desk_play_away_as_they_do_here(three: Any, tmp_path: Path) -> None:
    """The same code sees the same, and is graded the same."""
    table = {"suite": {"name": "desk", "desk": {"part": "starter"}}}
    code = "print(sorted(name for name in dir(apis) if not name.startswith('_')))"
    seen = []
    for where in ("here", "ray"):
        recipe = resolve(Recipe, {**table, "suite": {**table["suite"], "where": where, "hosts": 2}})
        with suite_in(recipe) as suite:
            (task, *_), *_ = list(chains(suite))
            world = suite.open(task)
            seen.append((world.execute(code), world.execute("1 / 0"), world.evaluate(), world.done))
            world.close()
    assert seen[0] == seen[1]


def chains(suite: Suite) -> list[Chain]:
    return chains_of(suite, "dev", first=1)
