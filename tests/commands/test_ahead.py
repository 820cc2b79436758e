"""One step ahead: what is begun when, what it sees, and what becomes of failures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from toy import Counter, ToySuite, ToyWorld, agent_with

from prowess.commands.train import Player, TrainSettings, make_credit, train
from prowess.commands.train.ahead import Ahead
from prowess.credit.advantage import AdvantageSettings
from prowess.credit.reward import RewardSettings
from prowess.errors import ProwessError, RecipeError
from prowess.play import played
from prowess.play.rollout import play_chain, play_groups
from prowess.run import Run
from prowess.run.checkpoints import Checkpoints
from prowess.skills.library import Library
from prowess.types import Completion, Sample, Task


def noted(log: list[str], gate: threading.Event | None = None) -> Callable[[int], Callable[[], str]]:
    def prepare(step: int) -> Callable[[], str]:
        log.append(f"prepare {step}")

        def work() -> str:
            if gate:
                assert gate.wait(10)
            log.append(f"work {step}")
            return f"done {step}"

        return work

    return prepare


def test_without_overlap_work_is_done_when_it_is_asked_for() -> None:
    log: list[str] = []
    with Ahead(noted(log), overlap=False) as ahead:
        ahead.begin(1)
        assert log == []
        assert ahead.take(1) == "done 1" and log == ["prepare 1", "work 1"]


def test_with_overlap_it_is_prepared_at_once_and_done_meanwhile() -> None:
    log: list[str] = []
    gate = threading.Event()
    with Ahead(noted(log, gate), overlap=True) as ahead:
        ahead.begin(1)
        assert log == ["prepare 1"]
        gate.set()
        ahead.wait()
        assert log == ["prepare 1", "work 1"] and ahead.take(1) == "done 1"
        assert ahead.take(5) == "done 5"  # never begun: done now


def test_what_fails_ahead_is_told_to_whoever_takes_it() -> None:
    def prepare(step: int) -> Callable[[], str]:
        return lambda: str(1 // 0)

    with Ahead(prepare, overlap=True) as ahead:
        ahead.begin(1)
        ahead.wait()
        with pytest.raises(ZeroDivisionError):
            ahead.take(1)


class Versioned(Counter):
    """A policy that remembers which weights it was made with."""

    apart = True

    def __init__(self, version: int, seen: list[int]) -> None:
        super().__init__(slips=lambda goal, seed: seed % 2 == 0)
        self.version, self.seen = version, seen

    def __call__(self, messages: Any, *, seed: int) -> Completion:
        self.seen.append(self.version)
        said = super().__call__(messages, seed=seed)
        return Completion(text=said.text, prompt=(2,) * len(messages), tokens=(2,), logprobs=(-0.5,), reply_tokens=1)


@dataclass
class Versions:
    """A learner whose weights are the number of its steps."""

    policy_of: Callable[[int], Any]
    steps: int = 0
    given: list[int] = field(default_factory=list)

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> Mapping[str, float]:
        self.steps += 1
        return {}

    rest = lambda self: self.step(())  # noqa: E731

    def policy(self) -> Any:
        self.given.append(self.steps)
        return self.policy_of(self.steps)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)

    def load(self, folder: Path) -> None: ...


def version_of(agent: Any) -> dict[str, float]:
    return {"eval/version": float(agent.policy.version)}


def trained(
    learner: Any,
    folder: Path,
    *,
    resume: bool = False,
    score: Any = version_of,
    suite: ToySuite | None = None,
    **settings: Any,
) -> list[dict[str, float]]:
    how = TrainSettings(steps=4, chains=1, group=2, checkpoint_every=4, record_every=0, **settings)
    credit = make_credit(RewardSettings(), AdvantageSettings())
    agent = agent_with(Counter())
    player = Player(learner, agent, suite or ToySuite(2), how, credit=credit, score=score, seed=0, workers=2)
    with Run.create(folder, command="train", recipe_toml="", seed=0, resume=resume) as run:
        train(learner, player, Checkpoints(run), how, credit=credit)
    return [dict(entry.values) for entry in Run.open(folder).metrics()]


def test_rollouts_of_the_next_step_are_played_with_weights_that_are_one_step_old(tmp_path: Path) -> None:
    seen: dict[str, list[int]] = {"now": [], "ahead": []}
    for name, overlap in (("now", False), ("ahead", True)):
        learner = Versions(lambda version, name=name: Versioned(version, seen[name]))  # type: ignore[misc]
        steps = trained(learner, tmp_path / name, overlap=overlap, evaluate_every=2)
        assert [step.get("eval/version") for step in steps] == [None, 2.0, None, 4.0]
    assert sorted(set(seen["now"])) == [0, 1, 2, 3]
    assert sorted(set(seen["ahead"])) == [0, 1, 2]  # steps 0 and 1 with the first weights, then one behind


@pytest.mark.parametrize(("overlap", "count"), [(False, 1), (True, 2)])
def test_when_the_time_is_over_the_step_under_way_is_the_last_and_is_scored_and_saved(
    tmp_path: Path, overlap: bool, count: int
) -> None:
    """It is over while the first is learnt from: by then the second is played already, if they overlap."""

    class Slow(Versions):
        def step(self, samples: Sequence[Sample], *, per: int | None = None) -> Mapping[str, float]:
            time.sleep(1)
            return super().step(samples, per=per)

    learner = Slow(lambda version: Versioned(version, []))
    steps = trained(learner, tmp_path / "run", overlap=overlap, minutes=0.9 / 60)
    assert [step.get("eval/version") for step in steps] == [None, float(count)][-count:]
    assert [folder.name for folder in (tmp_path / "run/checkpoints").iterdir()] == [f"step-{count:06}"]


@pytest.mark.parametrize(
    ("play", "learn", "overlap", "scored"),
    [
        (40.0, 1.0, False, [0.0]),
        (5.0, 50.0, False, [0.0]),
        (5.0, 50.0, True, [None, 1.0]),
        (5.0, 1.0, False, [None, None, None, 3.0]),
    ],
    ids=["over while it played", "over while it learnt", "over while the next one played", "not over"],
)
def test_a_course_that_goes_on_ends_where_an_unbroken_one_would(
    tmp_path: Path, play: float, learn: float, overlap: bool, scored: list[float | None]
) -> None:
    learner = Versions(lambda version: Versioned(version, []))
    with Run.create(tmp_path / "run", command="train", recipe_toml="", seed=0) as run:
        run.log(0, {"time/play": play, "time/learn": learn})
        learner.save(tmp_path / "run/checkpoints/step-000001")
    steps = trained(learner, tmp_path / "run", resume=True, overlap=overlap, minutes=30 / 60)
    assert [step.get("eval/version") for step in steps] == scored
    assert learner.steps == len(scored) - 1
    assert learner.steps or learner.given == [0], "nothing is played but the score that is missing"


class Loaded(Versions):
    """One whose checkpoints hold its weights."""

    @classmethod
    def new(cls) -> Loaded:
        return cls(lambda version: Versioned(version, []))

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "steps").write_text(str(self.steps))

    def load(self, folder: Path) -> None:
        self.steps = int((folder / "steps").read_text())


def known(entries: list[dict[str, float]]) -> list[dict[str, float]]:
    """The figures of steps but for times."""
    return [{name: value for name, value in one.items() if not name.startswith("time/")} for one in entries]


@pytest.mark.parametrize(("every", "steps"), [(0, 4), (2, 2), (3, 3)], ids=["last", "saved after it", "saved for it"])
def test_what_was_learnt_outlives_a_score_that_breaks_and_is_scored_when_it_goes_on(
    tmp_path: Path, every: int, steps: int
) -> None:
    def broken(agent: Any) -> dict[str, float]:
        raise MemoryError("no room for an engine")

    unbroken = trained(Loaded.new(), tmp_path / "unbroken", evaluate_every=every)
    with pytest.raises(MemoryError):
        trained(Loaded.new(), tmp_path / "run", evaluate_every=every, score=broken)
    assert [path.name for path in (tmp_path / "run/checkpoints").iterdir()] == [f"step-{steps:06}"]
    again = Loaded.new()
    resumed = trained(again, tmp_path / "run", resume=True, evaluate_every=every)
    assert again.given[0] == steps and again.steps == 4, "scored first, and nothing is learnt again"
    assert known(resumed) == known(unbroken)
    assert [one.keys() for one in resumed] == [one.keys() for one in unbroken]


@pytest.mark.parametrize(
    ("where", "says", "kept"),
    [("play", {}, ["step-000002"]), ("learn", {}, []), ("learn", {"done": 2}, ["step-000002"])],
)
def test_where_a_step_breaks_the_steps_before_it_are_saved_if_the_learner_is_whole(
    tmp_path: Path, where: str, says: dict[str, int], kept: list[str]
) -> None:
    class Breaking(Loaded):
        def step(self, samples: Sequence[Sample], *, per: int | None = None) -> Mapping[str, float]:
            if where == "learn" and self.steps == 2:
                raise KeyboardInterrupt
            return super().step(samples, per=per)

        def policy(self) -> Any:
            if where == "play" and self.steps == 2:
                raise KeyboardInterrupt
            return super().policy()

    learner = Breaking.new()
    vars(learner).update(says)
    with pytest.raises(KeyboardInterrupt):
        trained(learner, tmp_path / "run")
    assert [path.name for path in (tmp_path / "run").glob("checkpoints/step-*")] == kept


@pytest.mark.parametrize("broken", [0, 2])
def test_a_step_in_which_every_episode_broke_stops_the_training_and_nothing_is_lost(
    tmp_path: Path, broken: int
) -> None:
    class Breaking(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            if learner.steps >= broken:
                raise ConnectionError("no world answers")
            return super().open(task)

    learner = Loaded.new()
    with pytest.raises(ProwessError, match=f"all 4 episodes of step {broken} ended in an error, 4 of them") as told:
        trained(learner, tmp_path / "run", suite=Breaking(2))
    assert "ConnectionError: no world answers" in told.value.message and "prowess check" in told.value.hint
    assert learner.steps == broken == len(Run.open(tmp_path / "run").metrics())
    again = Loaded.new()
    resumed = trained(again, tmp_path / "run", resume=True)
    assert again.given[0] == broken, "it goes on from there"
    assert known(resumed) == known(trained(Loaded.new(), tmp_path / "unbroken"))


def test_a_policy_that_plays_with_the_learners_own_weights_cannot_be_ahead(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"overlap is true[\s\S]*sampling.engine = 'vllm'"):
        trained(Versions(lambda version: Counter()), tmp_path / "run", overlap=True)


def test_a_masked_chain_is_offered_nothing_and_a_group_ends_with_its_control_arm() -> None:
    agent, suite = agent_with(Counter()), ToySuite(1)
    chain = tuple(suite.tasks("train"))
    for masked, offered in ((False, [0, 1, 1]), (True, [0, 0, 0])):
        rollout = played(play_chain(agent, suite, chain, Library(), seed=0, masked=masked), agent.policy)
        assert [len(episode.offered) for episode in rollout.episodes] == offered
        assert rollout.masked is masked and all(episode.learned for episode in rollout.episodes[:1])
    (group,) = play_groups(agent, suite, [chain], size=4, seed=0, masked=1)
    assert [rollout.masked for rollout in group.rollouts] == [False, False, False, True]
