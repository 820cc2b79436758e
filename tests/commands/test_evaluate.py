"""Evaluating: order, what is carried along, resuming, and the same result for any number of workers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest
from toy import Counter, Outage, ToySuite, ToyWorld, agent_with

from prowess.commands.evaluate import EvaluateSettings, evaluate, scenarios_of
from prowess.errors import PolicyError, ProwessError, RecipeError, StoreError, WorldError
from prowess.play import Agent
from prowess.play.rollout import chains_of
from prowess.run import Run
from prowess.skills.library import Library
from prowess.types import LibraryView, Observation, Rollout, Skill, Stop, Task, Verdict


def played(
    folder: Path,
    settings: EvaluateSettings | None = None,
    *,
    agent: Agent | None = None,
    suite: ToySuite | None = None,
    workers: int = 1,
    resume: bool = False,
    watch: Callable[[Rollout], None] = lambda rollout: None,
) -> Run:
    with Run.create(folder, command="evaluate", recipe_toml="seed = 1\n", seed=1, resume=resume) as run:
        how, world = settings or EvaluateSettings(), suite or ToySuite()
        evaluate(
            agent or agent_with(Counter()),
            world,
            scenarios_of(world, how),
            how,
            run,
            seed=7,
            workers=workers,
            watch=watch,
        )
    return Run.open(folder)


def slipping() -> Agent:
    """Fails about every third task, by the seed alone."""
    return agent_with(Counter(lambda goal, seed: (seed >> 8) % 3 == 0))


def everything(library: LibraryView, task: Task) -> Sequence[Skill]:
    """A retriever that offers all the library has, the last of each name."""
    return tuple({skill.name: skill for skill in library.skills}.values())


def files(folder: Path) -> dict[str, str]:
    """What a run says, without how long things took."""
    found = {}
    for path in sorted([*folder.glob("episodes/*"), *folder.glob("library/*")]):
        packed = path.suffix == ".gz"
        lines = (gzip.decompress(path.read_bytes()).decode() if packed else path.read_text()).splitlines()
        if packed:
            records = [json.loads(line) for line in lines]
            for record in records:
                record["episode"]["seconds"] = 0
            lines = [json.dumps(record) for record in records]
        found[path.name] = "\n".join(lines)
    return found


def test_tasks_of_a_scenario_are_played_in_order_with_the_library_carried(tmp_path: Path) -> None:
    run = played(tmp_path / "run")
    assert run.keys() == ("dev-run0-count100", "dev-run0-count101")
    episodes = [each.episode for each in run.episodes("dev-run0-count100")]
    assert [episode.task.id for episode in episodes] == ["count100_1", "count100_2", "count100_3"]
    assert all(episode.success for episode in episodes)
    assert [episode.offered for episode in episodes] == [(), ("raise_to",), ("raise_to",)]
    assert [use.origin for use in episodes[2].called] == ["count100_1"]
    assert [len(episode.learned) for episode in episodes] == [1, 0, 0]


def test_each_run_has_its_own_seeds_and_is_marked(tmp_path: Path) -> None:
    run = played(tmp_path / "run", EvaluateSettings(runs=3, scenarios=1))
    assert run.keys() == ("dev-run0-count100", "dev-run1-count100", "dev-run2-count100")
    every = list(run.episodes())
    assert [each.run for each in every] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert {each.split for each in every} == {"dev"}
    assert len({each.episode.seed for each in every}) == 9


def test_runs_that_are_left_out_first_leave_others_as_they_are(tmp_path: Path) -> None:
    """So that more runs are independent of those before, and the same whoever plays them."""
    for name, settings in (("whole", EvaluateSettings(runs=3)), ("rest", EvaluateSettings(runs=2, skip=1))):
        played(tmp_path / name, replace(settings, carry="split", wave=1), agent=slipping())
    whole, rest = (
        {name: text for name, text in files(tmp_path / each).items() if name.startswith("dev-run")}
        for each in ("whole", "rest")
    )
    assert rest and rest == {name: text for name, text in whole.items() if "-run0-" not in name}
    with pytest.raises(RecipeError, match="runs is 1; allowed is 1 to 1000 with skip, which is 1000"):
        EvaluateSettings(runs=1, skip=1000)
    assert EvaluateSettings(runs=1, skip=999).numbers == range(999, 1000)
    with pytest.raises(RecipeError, match="skip is -1"):
        EvaluateSettings(skip=-1)


def test_a_scenario_starts_from_the_given_library_and_not_from_its_neighbours(tmp_path: Path) -> None:
    agent = replace(agent_with(Counter()), retrieve=everything)
    first = played(tmp_path / "first", agent=agent)
    assert next(first.episodes("dev-run0-count101")).episode.offered == ()
    second = played(
        tmp_path / "second", EvaluateSettings(library=str(tmp_path / "first" / "library"), scenarios=1), agent=agent
    )
    assert [each.episode.offered for each in second.episodes()] == [("raise_to",)] * 3
    assert second.about.library == Library.load(first.library).digest != first.about.library


def test_with_carry_split_a_wave_starts_from_what_the_waves_before_it_saved(tmp_path: Path) -> None:
    agent = replace(agent_with(Counter()), retrieve=everything)
    settings = EvaluateSettings(carry="split", wave=2, runs=2)
    run = played(tmp_path / "run", settings, agent=agent, suite=ToySuite(5), workers=3)
    for n in (0, 1):
        firsts = [next(run.episodes(f"dev-run{n}-count{number}")).episode.offered for number in range(100, 105)]
        assert firsts == [(), (), ("raise_to",), ("raise_to",), ("raise_to",)]


def test_the_run_keeps_the_library_of_its_first_pass(tmp_path: Path) -> None:
    run = played(tmp_path / "run", EvaluateSettings(runs=2))
    assert [(skill.name, skill.origin.scenario) for skill in Library.load(run.library)] == [
        ("raise_to", "count100"),
        ("raise_to", "count101"),
    ]


@pytest.mark.parametrize("carry", ["scenario", "split"])
def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path: Path, carry: str) -> None:
    settings = EvaluateSettings(runs=2, carry=carry, wave=2)  # type: ignore[arg-type]
    for workers in (1, 7):
        played(tmp_path / str(workers), settings, agent=slipping(), suite=ToySuite(5), workers=workers)
    assert files(tmp_path / "1") == files(tmp_path / "7")
    outcomes = {each.episode.success for each in Run.open(tmp_path / "1").episodes()}
    assert outcomes == {True, False}, "the case must hold failures"


@pytest.mark.parametrize("carry", ["scenario", "split"])
def test_an_evaluation_that_was_stopped_goes_on_and_ends_as_an_unbroken_one(tmp_path: Path, carry: str) -> None:
    settings = EvaluateSettings(runs=2, carry=carry, wave=2)  # type: ignore[arg-type]
    played(tmp_path / "whole", settings, agent=slipping(), suite=ToySuite(5))
    seen: list[Rollout] = []

    def stop(rollout: Rollout) -> None:
        seen.append(rollout)
        if len(seen) == 6:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(tmp_path / "cut", settings, agent=slipping(), suite=ToySuite(5), watch=stop)
    assert 6 <= len(Run.open(tmp_path / "cut").keys()) < 10, "what was under way may end, nothing new begins"
    again: list[Rollout] = []
    played(tmp_path / "cut", settings, agent=slipping(), suite=ToySuite(5), resume=True, watch=again.append)
    assert len(again) == 10, "what was played before is shown again"
    assert files(tmp_path / "cut") == files(tmp_path / "whole")


def test_what_breaks_because_an_evaluation_was_stopped_is_not_kept(tmp_path: Path) -> None:
    begun, ended = Event(), Event()
    in_time: list[bool] = []

    class Suite(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            if task.scenario == "count101":
                begun.set()
                in_time.append(ended.wait(20))
                raise WorldError("Ctrl-C ended the world's process, too")
            begun.wait(20)  # it is under way when the other one is over
            return super().open(task)

    class Model(Counter):
        def close(self) -> None:
            ended.set()

    def stop(rollout: Rollout) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        played(tmp_path / "run", agent=agent_with(Model()), suite=Suite(), workers=2, watch=stop)
    assert Run.open(tmp_path / "run").keys() == ("dev-run0-count100",)
    assert in_time and all(in_time), "the model is hung up on, not waited for"


def test_what_began_with_the_skills_of_a_scenario_that_is_played_again_is_played_again_too(tmp_path: Path) -> None:
    settings = EvaluateSettings(carry="split", wave=1, runs=2)
    agent = replace(agent_with(Counter()), retrieve=everything)
    whole = played(tmp_path / "whole", settings, agent=agent, suite=ToySuite(3))
    forgetful = replace(agent, limits=replace(agent.limits, learn=False))  # stands for an outage in the first run
    mended = played(tmp_path / "mended", settings, agent=forgetful, suite=ToySuite(3))
    (mended.folder / "episodes" / "dev-run0-count100.jsonl.gz").unlink()
    kept = files(mended.folder)["dev-run1-count102.jsonl.gz"]
    played(tmp_path / "mended", settings, agent=agent, suite=ToySuite(3), resume=True)
    now, wanted = files(mended.folder), files(whole.folder)
    assert {name: text for name, text in now.items() if "run0" in name} == {
        name: text for name, text in wanted.items() if "run0" in name
    }
    assert now["dev-run1-count102.jsonl.gz"] == kept, "the other run has its own library"


def test_an_evaluation_does_not_go_on_with_another_library_than_it_began_with(tmp_path: Path) -> None:
    folder = tmp_path / "library"
    Library().save(folder)
    settings = EvaluateSettings(library=str(folder))
    first = played(tmp_path / "a", settings)
    before = files(first.folder)
    played(tmp_path / "a", settings, resume=True)
    Library.load(first.library).save(folder)
    next((first.folder / "episodes").iterdir()).unlink()
    with pytest.raises(StoreError, match="began with another library than"):
        played(tmp_path / "a", settings, resume=True)
    assert Run.open(first.folder).about.library == first.about.library
    Library().save(folder)
    assert files(played(tmp_path / "a", settings, resume=True).folder) == before


def test_a_world_that_breaks_is_an_episode_in_error_and_the_others_go_on(tmp_path: Path) -> None:
    class Crashing(ToyWorld):
        def execute(self, code: str):  # type: ignore[no-untyped-def]
            raise ZeroDivisionError("in the world")

    class Suite(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            if task.id == "count100_1":
                raise WorldError("will not open")
            return Crashing(1) if task.id == "count100_2" else super().open(task)

    run = played(tmp_path / "run", suite=Suite(), workers=4)
    first, second, third, *others = (each.episode for each in run.episodes())
    assert (first.stop, first.error) == (Stop.ERROR, "WorldError: will not open")
    assert (second.stop, second.error.partition(" (test_evaluate.py:")[0]) == (
        Stop.ERROR,
        "WorldError: ZeroDivisionError: in the world",
    )
    assert not first.success and not second.success
    assert third.success and all(episode.success for episode in others)


@pytest.mark.parametrize("carry", ["scenario", "split"])
def test_an_outage_stops_an_evaluation_and_the_same_command_plays_what_is_missing(carry: str, tmp_path: Path) -> None:
    settings = EvaluateSettings(carry=carry, wave=4)  # type: ignore[arg-type]
    whole = played(tmp_path / "whole", settings, suite=ToySuite(8))
    down = {f"to {10 * n + k}." for n in range(101, 108) for k in (1, 2, 3)}
    policy = Outage(*down, "to 1003.")
    with pytest.raises(ProwessError, match=r"the last 7 episodes ended in an error, 7 of them in: .*no answer"):
        played(tmp_path / "cut", settings, agent=agent_with(policy), suite=ToySuite(8))
    assert 7 <= policy.asked < 22, "all that comes later was not tried"
    assert Run.open(tmp_path / "cut").keys() == (), "the last task of the first scenario was lost, too"
    policy.down = {word for word in down if word > "to 104"}
    with pytest.raises(ProwessError, match="the last 9 episodes"):
        played(tmp_path / "cut", settings, agent=agent_with(policy), suite=ToySuite(8), resume=True)
    assert Run.open(tmp_path / "cut").keys() == tuple(f"dev-run0-count{n}" for n in range(100, 104))
    policy.down = set()
    again = played(tmp_path / "cut", settings, agent=agent_with(policy), suite=ToySuite(8), resume=True)
    assert files(again.folder) == files(whole.folder)


def test_scenarios_that_broke_now_and_then_are_kept_and_no_outage(tmp_path: Path) -> None:
    policy = Outage("to 1003.", "to 1013.", "to 1033.", "to 1041.")
    run = played(tmp_path / "run", agent=agent_with(policy), suite=ToySuite(5))
    broken = [each.episode.task.id for each in run.episodes() if each.episode.stop is Stop.ERROR]
    assert broken == ["count100_3", "count101_3", "count103_3", "count104_1"]
    assert len(run.keys()) == 5


def test_what_a_policy_refuses_every_time_does_not_keep_an_evaluation_from_its_end(tmp_path: Path) -> None:
    refused = [f"to {10 * n + k}." for n in range(102, 106) for k in (1, 2, 3)]
    policy = Outage(*refused, kind=PolicyError)
    run = played(tmp_path / "run", agent=agent_with(policy), suite=ToySuite(6))
    assert len(run.keys()) == 6 and sum(each.episode.stop is Stop.ERROR for each in run.episodes()) == 12
    for key in run.keys()[2:]:
        (run.folder / "episodes" / f"{key}.jsonl.gz").unlink()
    assert len(played(run.folder, agent=agent_with(policy), suite=ToySuite(6), resume=True).keys()) == 6
    never = Outage("to ", kind=PolicyError)
    with pytest.raises(ProwessError, match="the last 9 episodes ended in an error"):
        played(tmp_path / "never", agent=agent_with(never), suite=ToySuite(6))
    assert Run.open(tmp_path / "never").keys() == ()


def test_many_workers_are_all_waited_for_before_it_is_an_outage(tmp_path: Path) -> None:
    policy = Outage(*(f"to {10 * n + k}." for n in range(100, 104) for k in (1, 2, 3)))
    run = played(tmp_path / "run", agent=agent_with(policy), suite=ToySuite(9), workers=4)
    assert len(run.keys()) == 9, "four that broke together may be one hiccup"


def test_only_the_first_scenarios_are_played_when_asked() -> None:
    found = chains_of(ToySuite(3), "train", first=2)
    assert [[task.id for task in chain] for chain in found] == [
        ["count0_1", "count0_2", "count0_3"],
        ["count1_1", "count1_2", "count1_3"],
    ]
    assert len(chains_of(ToySuite(3), "dev")) == 3


def test_a_split_without_tasks_or_of_another_name_is_refused() -> None:
    with pytest.raises(RecipeError, match="the split 'dev' holds no task"):
        chains_of(ToySuite(0), "dev")
    with pytest.raises(RecipeError, match="did you mean 'dev'"):
        chains_of(ToySuite(), "dve")


def test_a_library_that_is_not_there_is_said_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="nowhere"):
        played(tmp_path / "run", EvaluateSettings(library=str(tmp_path / "nowhere")))
    assert Run.open(tmp_path / "run").keys() == ()


@pytest.mark.parametrize("name", ["runs", "scenarios", "wave"])
def test_settings_out_of_range_say_what_is_allowed(name: str) -> None:
    with pytest.raises(RecipeError, match=rf"{name} is -1; it must be at least"):
        EvaluateSettings(**{name: -1})  # type: ignore[arg-type]


def test_temperatures_from_0_to_2_are_allowed() -> None:
    assert [EvaluateSettings(temperature=given).temperature for given in (None, 0.0, 2.0)] == [None, 0.0, 2.0]
    for given in (-0.1, 2.1, float("nan")):
        with pytest.raises(RecipeError, match=f"temperature is {given}; allowed is 0 to 2"):
            EvaluateSettings(temperature=given)


class Breaks(ToyWorld):
    """A world that breaks in one way when it is played."""

    def __init__(self, goal: int, way: str) -> None:
        super().__init__(goal)
        self.way = way

    def execute(self, code: str) -> Observation:
        if self.way == "exits":
            raise SystemExit(3)
        return "text" if self.way == "returns text" else super().execute(code)  # type: ignore[return-value]

    def evaluate(self) -> Verdict:
        return None if self.way == "does not grade" else super().evaluate()  # type: ignore[return-value]

    def close(self) -> None:
        if self.way == "cannot close":
            raise OSError("the door is stuck")


@pytest.mark.parametrize(
    ("way", "error"),
    [
        ("exits", "WorldError: SystemExit: 3"),
        ("returns text", "WorldError: the world's execute is of type str; it must be Observation"),
        ("does not grade", "WorldError: the world's evaluate is of type NoneType; it must be Verdict"),
        ("cannot close", ""),
    ],
)
def test_a_world_that_breaks_the_contract_costs_its_episode_and_no_other(tmp_path: Path, way: str, error: str) -> None:
    class Suite(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            return Breaks(1002, way) if task.id == "count100_2" else super().open(task)

    run = played(tmp_path / "run", suite=Suite())
    found = {each.episode.task.id: each.episode.error for each in run.episodes()}
    assert found.pop("count100_2").split("\nhint")[0].partition(" (test_evaluate.py:")[0] == error
    assert set(found.values()) == {""}
    assert len(found) == 5
