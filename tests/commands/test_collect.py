"""Collecting: tries, what is carried on, what is kept, resuming, and the same result for any number of workers."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from toy import Counter, Outage, ToySuite, ToyWorld, agent_with

from prowess.commands.collect import Collected, CollectSettings, collect, units_of
from prowess.commands.collect.tries import kept, play_tries, succeeded
from prowess.commands.dataset import read_dataset
from prowess.errors import PolicyError, ProwessError, RecipeError
from prowess.pipeline.parts import demonstrating, recorded
from prowess.pipeline.recipe import Recipe
from prowess.play import Agent, AgentSettings, played
from prowess.policies import PolicySettings
from prowess.run import Run
from prowess.skills.library import Library
from prowess.types import Completion, Episode, Message, Stop, Task

SMALL = CollectSettings(temperatures=(0.1, 0.9), tries=3)
GOOD = partial(succeeded, checked=True)


def begin(folder: Path, *, resume: bool = False) -> Run:
    return Run.create(folder, command="collect", recipe_toml="seed = 1\n", seed=1, resume=resume)


def gathered(
    folder: Path,
    *,
    settings: CollectSettings = SMALL,
    make: Callable[[float], Agent] = lambda temperature: agent_with(Counter()),
    workers: int = 1,
    suite: ToySuite | None = None,
    resume: bool = False,
    watch: Callable[[Sequence[Episode]], None] = lambda episodes: None,
) -> Collected:
    with begin(folder, resume=resume) as run:
        return collect(make, suite or ToySuite(), settings, run, seed=7, workers=workers, watch=watch)


def slipping(temperature: float) -> Agent:
    """Fails more often the hotter it is, by the seed alone."""
    return agent_with(Counter(lambda goal, seed: (seed >> 8) % 100 < 80 * temperature))


def files(folder: Path) -> dict[str, bytes]:
    """What a run says, without how long things took."""
    found = {}
    for path in sorted([*folder.glob("episodes/*"), *folder.glob("data/*"), *folder.glob("library/*")]):
        packed = path.suffix == ".gz"
        lines = (gzip.decompress(path.read_bytes()).decode() if packed else path.read_text()).splitlines()
        if packed:
            records = [json.loads(line) for line in lines]
            for record in records:
                record["episode"]["seconds"] = 0
            lines = [json.dumps(record) for record in records]
        found[f"{path.parent.name}/{path.name}"] = "\n".join(lines).encode()
    return found


def test_the_paper_s_temperatures_are_the_default() -> None:
    degrees = CollectSettings().degrees
    assert len(degrees) == 20
    assert degrees[:3] == (0.05, 0.1, 0.15) and degrees[-2:] == (0.95, 1.0)
    assert CollectSettings(count=1, low=0.7).degrees == (0.7,)
    assert CollectSettings(temperatures=(0.3, 0.0)).degrees == (0.3, 0.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tries": 0}, "tries is 0; it must be at least 1"),
        ({"keep": 0}, "keep is 0"),
        ({"count": 0}, "count is 0"),
        ({"scenarios": -1}, "scenarios is -1; it must be at least 0"),
        ({"last": -1}, "last is -1; it must be at least 0"),
        ({"crossed": 1.5}, "crossed is 1.5; allowed is 0 to 1"),
        ({"once": -0.1}, "once is -0.1; allowed is 0 to 1"),
        ({"low": 0.9, "high": 0.2}, "low is 0.9 and high is 0.2"),
        ({"low": float("nan")}, "low is nan"),
        ({"temperatures": (0.5, 2.5)}, "temperatures holds 2.5; allowed is 0 to 2"),
    ],
)
def test_settings_out_of_range_say_what_is_allowed(settings: dict[str, object], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        CollectSettings(**settings)  # type: ignore[arg-type]


def test_every_scenario_is_played_at_every_temperature_and_kept_as_conversations(tmp_path: Path) -> None:
    asked: list[float] = []

    def make(temperature: float) -> Agent:
        asked.append(temperature)
        return agent_with(Counter())

    found = gathered(tmp_path / "run", make=make)
    assert asked == [0.1, 0.9]
    assert found == Collected(conversations=12, chains=4, kept=4, tries=12, errors=0, dropped={})
    run = Run.open(tmp_path / "run")
    assert run.keys() == ("train-t00-count0", "train-t00-count1", "train-t01-count0", "train-t01-count1")
    assert [played.run for played in run.episodes()] == [0] * 6 + [1] * 6
    lines = list(read_dataset(tmp_path / "run" / "data"))
    assert [(line.about.task, line.about.temperature) for line in lines[:4]] == [
        ("count0_1", 0.1),
        ("count0_2", 0.1),
        ("count0_3", 0.1),
        ("count1_1", 0.1),
    ]
    assert lines[-1].about.temperature == 0.9
    assert [skill.name for skill in Library.load(run.library)] == ["raise_to", "raise_to"]
    assert run.metrics()[0].values == {
        "collect/conversations": 12.0,
        "collect/chains": 4.0,
        "collect/kept": 4.0,
        "collect/tries": 12.0,
        "collect/errors": 0.0,
        "collect/helped": 0.0,
        "collect/dropped": 0.0,
    }


def test_later_tasks_reuse_what_the_first_saved(tmp_path: Path) -> None:
    gathered(tmp_path / "run")
    first, second, _ = Run.open(tmp_path / "run").episodes("train-t00-count0")
    assert first.episode.offered == () and [skill.name for skill in first.episode.learned] == ["raise_to"]
    assert second.episode.offered == ("raise_to",) and second.episode.called[0].origin == "count0_1"
    reply = list(read_dataset(tmp_path / "run" / "data"))[1].messages[-1].content
    assert "def raise_to" not in reply and "print(raise_to(2))" in reply


def test_scenarios_that_are_crossed_take_turns_with_one_library(tmp_path: Path) -> None:
    settings = CollectSettings(temperatures=(0.1,), length=2, crossed=0.4)
    found = gathered(tmp_path / "run", settings=settings, suite=ToySuite(5))
    assert (found.chains, found.conversations, found.kept) == (4, 10, 4), "one pair, and three alone"
    pair, *alone = units_of(ToySuite(5), settings)
    one, other = (task.scenario for task in pair.chain[:2])
    assert [task.id for task in pair.chain] == [f"{one}_1", f"{other}_1", f"{one}_2", f"{other}_2"]
    assert sorted([one, other, *(unit.chain[0].scenario for unit in alone)]) == [f"count{n}" for n in range(5)]
    played = [each.episode.task.id for each in Run.open(tmp_path / "run").episodes(pair.key)]
    assert played == [task.id for task in pair.chain]


def test_of_two_that_are_crossed_one_may_be_lost_and_the_other_kept() -> None:
    pair = units_of(ToySuite(2), CollectSettings(temperatures=(0.1,), length=2, crossed=1.0))[0].chain
    hopeless = int(pair[1].instruction.rpartition(" ")[2].rstrip("."))
    agent = agent_with(Wavering({hopeless: 9}))
    episodes = played(play_tries(agent, ToySuite(2), pair, tries=2, seed=3, good=GOOD), agent.policy)
    assert [episode.task.id for episode in episodes] == [pair[0].id, pair[1].id, pair[1].id, pair[2].id]
    assert [episode.task.id for episode in kept(pair, episodes, CollectSettings())] == [pair[0].id, pair[2].id]


@pytest.mark.parametrize(("share", "chains"), [(0.0, 5), (0.1, 5), (0.2, 5), (0.3, 4), (0.8, 3), (1.0, 3)])
def test_a_share_of_scenarios_is_crossed_and_an_odd_one_stays_alone(share: float, chains: int) -> None:
    units = units_of(ToySuite(5), CollectSettings(temperatures=(0.1,), crossed=share))
    assert len(units) == chains and sum(len(unit.chain) for unit in units) == 15


def test_of_two_that_are_crossed_the_longer_one_goes_on_alone() -> None:
    units = units_of(ToySuite(8), CollectSettings(temperatures=(0.1,), once=0.5, crossed=1.0))
    pairs = [[task.id for task in unit.chain] for unit in units]
    assert [len(pair) for pair in pairs] == [2, 6, 4, 6]
    assert pairs[2] == ["count2_1", "count1_1", "count2_2", "count2_3"]


def test_of_a_share_of_scenarios_only_the_first_task_is_played(tmp_path: Path) -> None:
    settings = CollectSettings(temperatures=(0.1,), length=2, once=0.5)
    chains = [unit.chain for unit in units_of(ToySuite(100), settings)]
    short = [chain for chain in chains if len(chain) == 1]
    assert 35 < len(short) < 65 and all(len(chain) == 2 for chain in chains if chain not in short)
    assert [unit.chain for unit in units_of(ToySuite(200), settings)][:100] == chains, "more of them change none"
    found = gathered(tmp_path / "run", settings=CollectSettings(temperatures=(0.1,), once=1.0), suite=ToySuite(3))
    assert (found.chains, found.conversations, found.kept) == (3, 3, 3)


class Wavering:
    """Slips so many times at each goal, then succeeds; leaves a different function behind at every try."""

    def __init__(self, slips: dict[int, int]) -> None:
        self.left = dict(slips)
        self.tried: dict[int, int] = {}

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        goal = int(messages[1].content.rsplit("counter to ", 1)[1].split(".")[0])
        self.tried[goal] = number = self.tried.get(goal, 0) + 1
        slip = number <= self.left.get(goal, 0)
        name = f"goal{goal}_try{number}"
        text = f"def {name}():\n    return apis.counter.add(by={goal + slip})\n\n\n{name}()"
        code = f"```python\n{text}\napis.supervisor.complete_task()\n```"
        return Completion(text=code)


def tries(slips: dict[int, int], *, most: int = 3) -> list[Episode]:
    suite = ToySuite()
    chain = tuple(suite.tasks("train")[:3])
    agent = agent_with(Wavering(slips))
    return list(played(play_tries(agent, suite, chain, tries=most, seed=1, good=GOOD), agent.policy))


def test_a_task_is_tried_until_it_succeeds_and_only_that_try_is_carried_on() -> None:
    episodes = tries({1: 2, 3: 1})
    assert [(episode.task.id, episode.success) for episode in episodes] == [
        ("count0_1", False),
        ("count0_1", False),
        ("count0_1", True),
        ("count0_2", True),
        ("count0_3", False),
        ("count0_3", True),
    ]
    assert episodes[0].learned and episodes[1].offered == ()
    assert episodes[3].offered == ("goal1_try3",)
    assert episodes[4].offered == episodes[5].offered == ("goal1_try3", "goal2_try1")
    assert len({episode.seed for episode in episodes}) == 6


def test_a_task_that_fails_all_its_tries_ends_the_chain() -> None:
    episodes = tries({2: 3})
    assert [episode.task.id for episode in episodes] == ["count0_1", "count0_2", "count0_2", "count0_2"]


@pytest.mark.parametrize(
    ("slips", "keep", "tasks"),
    [
        ({}, 2, ["count0_1", "count0_2", "count0_3"]),
        ({3: 9}, 2, ["count0_1", "count0_2"]),
        ({3: 9}, 3, []),
        ({2: 9}, 2, []),
        ({2: 9}, 1, ["count0_1"]),
        ({1: 9}, 1, []),
        ({1: 2, 2: 1}, 2, ["count0_1", "count0_2", "count0_3"]),
    ],
)
def test_a_chain_is_kept_when_its_first_tasks_succeeded(slips: dict[int, int], keep: int, tasks: list[str]) -> None:
    episodes = tries(slips)
    chain = tuple(ToySuite().tasks("train")[:3])
    chosen = kept(chain, episodes, CollectSettings(keep=keep))
    assert [episode.task.id for episode in chosen] == tasks
    assert all(episode.success for episode in chosen)


def test_a_scenario_shorter_than_keep_is_kept_when_all_of_it_succeeded() -> None:
    chain = tuple(ToySuite().tasks("train")[:1])
    assert len(kept(chain, tries({})[:1], CollectSettings(keep=2))) == 1


def test_success_without_completing_the_task_is_tried_again() -> None:
    class Lenient(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            world = super().open(task)
            world.goal = 0
            world.evaluate = lambda: type(ToyWorld(0).evaluate())(passed=("fine",), failed=())  # type: ignore[method-assign]
            return world

    idle = agent_with(lambda messages, *, seed: Completion(text="```python\nx = 1\n```"))
    suite = Lenient()
    episodes = played(
        play_tries(idle, suite, tuple(suite.tasks("train")[:3]), tries=2, seed=1, good=GOOD),
        idle.policy,
    )
    assert [(episode.task.id, episode.stop) for episode in episodes] == [("count0_1", Stop.TURNS)] * 2
    assert all(episode.success for episode in episodes)


def test_a_try_that_breaks_is_a_try_and_is_recorded(tmp_path: Path) -> None:
    def make(temperature: float) -> Agent:
        counter = Counter()

        def policy(messages: Sequence[Message], *, seed: int) -> Completion:
            if seed % 3 == 0:
                raise PolicyError("the endpoint is down")
            return counter(messages, seed=seed)

        return agent_with(policy)

    found = gathered(tmp_path / "run", make=make)
    episodes = [played.episode for played in Run.open(tmp_path / "run").episodes()]
    broken = [episode for episode in episodes if episode.stop is Stop.ERROR]
    assert found.errors == len(broken) > 0 and found.tries == len(episodes)
    assert broken[0].error.startswith("PolicyError: the endpoint is down")
    assert found.conversations == len(list(read_dataset(tmp_path / "run" / "data"))) > 0


def test_an_outage_stops_a_collection_and_the_same_command_ends_as_an_unbroken_one(tmp_path: Path) -> None:
    gathered(tmp_path / "whole", suite=ToySuite(5))
    policy = Outage(*(f"to {goal}." for goal in (12, 21, 31, 41)))  # begins in the second of a scenario's tasks
    with pytest.raises(ProwessError, match=r"the last 9 episodes ended in an error, 9 of them in: .*no answer"):
        gathered(tmp_path / "cut", suite=ToySuite(5), make=lambda temperature: agent_with(policy))
    assert 9 <= policy.asked <= 12, "three tries at each of three tasks, and perhaps what was under way"
    assert Run.open(tmp_path / "cut").keys() == ("train-t00-count0",)
    policy.down = set()
    gathered(tmp_path / "cut", suite=ToySuite(5), make=lambda temperature: agent_with(policy), resume=True)
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_conversations_that_saw_no_code_are_left_out(tmp_path: Path) -> None:
    class Forgetful(ToyWorld):
        def execute(self, code: str):  # type: ignore[no-untyped-def]
            if "counter.show" in code and "def " not in code and self.goal == 2:
                return super().execute("")
            return super().execute(code)

    class Suite(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            return Forgetful(super().open(task).goal)

    found = gathered(tmp_path / "run", suite=Suite(1), settings=CollectSettings(temperatures=(0.5,)))
    assert found == Collected(conversations=2, chains=1, kept=1, tries=3, errors=0, dropped={"no_code": 1})
    assert [line.about.task for line in read_dataset(tmp_path / "run" / "data")] == ["count0_1", "count0_3"]


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    settings = CollectSettings(count=3, low=0.2, high=0.9, tries=4)
    one = gathered(tmp_path / "one", settings=settings, make=slipping, workers=1, suite=ToySuite(4))
    many = gathered(tmp_path / "many", settings=settings, make=slipping, workers=8, suite=ToySuite(4))
    assert one == many
    assert 0 < one.kept < one.chains and one.tries > one.conversations, "the case must hold failures"
    assert files(tmp_path / "one") == files(tmp_path / "many")


def test_a_collection_that_was_stopped_goes_on_and_ends_as_an_unbroken_one(tmp_path: Path) -> None:
    settings = CollectSettings(count=3, low=0.2, high=0.9, tries=4)
    whole = gathered(tmp_path / "whole", settings=settings, make=slipping)
    seen: list[Episode] = []

    def stop(episodes: Sequence[Episode]) -> None:
        seen.extend(episodes)
        if len(seen) >= 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gathered(tmp_path / "cut", settings=settings, make=slipping, watch=stop)
    done = Run.open(tmp_path / "cut").keys()
    assert 0 < len(done) < 6 and not (tmp_path / "cut" / "data").exists()
    before = {key: (tmp_path / "cut" / "episodes" / f"{key}.jsonl.gz").stat().st_mtime_ns for key in done}
    watched: list[Episode] = []
    again = gathered(tmp_path / "cut", settings=settings, make=slipping, resume=True, watch=watched.extend)
    assert again == whole and len(watched) == whole.tries
    assert files(tmp_path / "cut") == files(tmp_path / "whole")
    assert before == {key: (tmp_path / "cut" / "episodes" / f"{key}.jsonl.gz").stat().st_mtime_ns for key in done}


def test_what_a_worker_finishes_after_ctrl_c_is_kept(tmp_path: Path) -> None:
    begun, stopped = threading.Event(), threading.Event()
    first = threading.get_ident()

    def make(temperature: float) -> Agent:
        counter = Counter()
        workers: list[int] = []

        def policy(messages: Sequence[Message], *, seed: int) -> Completion:
            workers.append(threading.get_ident())
            if workers[0] != threading.get_ident() != first:
                begun.set()
                assert stopped.wait(10)
            assert begun.wait(10), "both work before one of them is done"
            return counter(messages, seed=seed)

        return agent_with(policy)

    def stop(episodes: Sequence[Episode]) -> None:
        stopped.set()
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gathered(tmp_path / "run", make=make, workers=2, suite=ToySuite(2), watch=stop)
    assert Run.open(tmp_path / "run").keys() == ("train-t00-count0", "train-t00-count1")


def test_only_the_first_scenarios_of_the_split_are_played_when_asked(tmp_path: Path) -> None:
    settings = CollectSettings(split="dev", scenarios=1, temperatures=(0.5,))
    gathered(tmp_path / "run", settings=settings)
    assert Run.open(tmp_path / "run").keys() == ("dev-t00-count100",)


def test_only_the_first_tasks_of_a_scenario_are_played_when_asked() -> None:
    whole, cut = (units_of(ToySuite(2), CollectSettings(length=length, count=1)) for length in (0, 1))
    assert [unit.chain for unit in cut] == [unit.chain[:1] for unit in whole]
    assert [unit.key for unit in cut] == [unit.key for unit in whole]
    assert len(whole[0].chain) > 1


def test_only_the_last_scenarios_of_those_are_played_when_asked() -> None:
    def keys(**some: int) -> list[str]:
        return [unit.key for unit in units_of(ToySuite(6), CollectSettings(count=1, **some))]

    assert keys(scenarios=5, last=2) == keys()[3:5]
    assert keys(last=9) == keys(last=0) == keys()


def test_scenarios_of_some_names_are_left_out_when_asked(tmp_path: Path) -> None:
    gathered(tmp_path / "run", settings=CollectSettings(skip=("count0",), temperatures=(0.5,)), suite=ToySuite(2))
    assert Run.open(tmp_path / "run").keys() == ("train-t00-count1",)
    with pytest.raises(RecipeError, match=r"has 'other'; no scenario .* begins so\nhint: the first .* 'count0'"):
        units_of(ToySuite(2), CollectSettings(skip=("count0", "other")))
    with pytest.raises(RecipeError, match="that is all that 'train' has"):
        units_of(ToySuite(2), CollectSettings(skip=("count",)))


def test_scenarios_of_a_single_task_are_collected_like_others() -> None:
    class Questions(ToySuite):
        def tasks(self, split: str) -> Sequence[Task]:
            return [task for task in super().tasks(split) if task.id.endswith("_1")]

    settings = CollectSettings(temperatures=(0.1,), skip=("count1",), once=0.5, crossed=1.0)
    assert [[task.id for task in unit.chain] for unit in units_of(Questions(3), settings)] == [["count2_1", "count0_1"]]


def test_where_nobody_checks_what_was_completed_is_carried_on_and_kept_right_or_wrong() -> None:
    chain = tuple(ToySuite().tasks("train")[:3])
    agent = agent_with(Wavering({1: 9, 3: 9}))
    good = partial(succeeded, checked=False)
    episodes = list(played(play_tries(agent, ToySuite(), chain, tries=3, seed=1, good=good), agent.policy))
    assert [(episode.task.id, episode.success) for episode in episodes] == [
        ("count0_1", False),
        ("count0_2", True),
        ("count0_3", False),
    ]
    assert episodes[1].offered == ("goal1_try1",)
    assert kept(chain, episodes, CollectSettings(checked=False)) == tuple(episodes)
    assert kept(chain, episodes, CollectSettings()) == ()


@pytest.mark.parametrize(("policy", "limits"), [("expert", (0, 0)), ("taught", (0, 0)), ("local", (2, 100))])
def test_early_ends_are_for_models_and_not_for_who_shows_them_how(policy: str, limits: tuple[int, int]) -> None:
    recipe = Recipe(name="x", policy=PolicySettings(name=policy), agent=AgentSettings(repeats=2, episode_tokens=100))
    agent = demonstrating(recipe).agent
    assert (agent.repeats, agent.episode_tokens) == limits
    assert demonstrating(recipe).sandbox == recorded(recipe).sandbox
