"""Rounds of a step: other chains in place of groups that teach nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from toy import Counter, ToySuite, ToyWorld, agent_with

from prowess.cli.screen import following
from prowess.commands.train import Player, TrainSettings, batch_of, chains_for, make_credit, train
from prowess.commands.train.rounds import play_rounds
from prowess.credit.advantage import AdvantageSettings
from prowess.credit.reward import RewardSettings
from prowess.errors import RecipeError
from prowess.pipeline.recipe import Recipe
from prowess.recipe import parse
from prowess.run import Run
from prowess.run.checkpoints import Checkpoints
from prowess.seeds import derive
from prowess.types import Chain, Completion, Episode, Group, Rollout, Sample, Stop, Task, Verdict

SUITE = ToySuite(8)
SOLVED = Verdict(passed=("a",), failed=())


def groups_of(chains: Sequence[Chain], *, stop: Stop = Stop.COMPLETED) -> list[Group]:
    return [
        Group(
            chain=chain,
            rollouts=(Rollout(episodes=tuple(Episode(task=t, turns=(), verdict=SOLVED, stop=stop) for t in chain)),),
        )
        for chain in chains
    ]


def rounds(
    differ: Sequence[bool], *, wanted: int, refill: int, stop: Callable[[int], Stop] = lambda number: Stop.COMPLETED
) -> list[int]:
    """How many chains each round plays, when of all groups, as they come, these differ."""
    chains = [(task,) for task in SUITE.tasks("train")]
    told = {chain[0].id: one for chain, one in zip(chains, differ, strict=False)}

    def draw(number: int, count: int, before: Sequence[Chain]) -> list[Chain]:
        return chains[len(before) : len(before) + count]

    def play(number: int, drawn: Sequence[Chain]) -> list[Group]:
        return groups_of(drawn, stop=stop(number))

    played = play_rounds(draw, play, lambda group: told[group.chain[0].id], wanted=wanted, refill=refill)
    assert [group.chain for one in played for group in one] == chains[: sum(map(len, played))], "in order, all of them"
    return [len(one) for one in played]


def test_a_round_plays_as_many_chains_as_groups_that_differ_are_missing() -> None:
    assert rounds([True, False, False, True, False, True], wanted=3, refill=9) == [3, 2, 1]
    assert rounds([True, True, True], wanted=3, refill=9) == [3], "nothing is missing"
    assert rounds([False] * 12, wanted=3, refill=0) == [3]
    assert rounds([False] * 12, wanted=3, refill=2) == [3, 3, 3], "no more rounds than that"


def test_where_all_of_a_round_broke_no_other_is_played() -> None:
    """It would break, too, and the step says what there is to say."""
    first = [False] * 12
    assert rounds(first, wanted=2, refill=5, stop=lambda number: Stop.ERROR) == [2]
    later = [Stop.COMPLETED, Stop.ERROR]
    assert rounds(first, wanted=2, refill=5, stop=lambda number: later[number]) == [2, 2]


def test_what_is_drawn_again_comes_from_scenarios_that_the_step_played_least() -> None:
    for pairs in ("label", "likeness"):
        settings = TrainSettings(chains=3, length=2, pairs=pairs)  # type: ignore[arg-type]
        first = chains_for(SUITE, settings, seed=1)
        assert chains_for(SUITE, settings, seed=1, count=3, before=()) == first
        drawn = list(first)
        for number in range(1, 8):
            drawn += chains_for(SUITE, settings, seed=1 + number, count=3, before=drawn)
            assert drawn[-3:] == chains_for(SUITE, settings, seed=1 + number, count=3, before=drawn[:-3])
        begun = [chain[0].scenario if pairs == "label" else chain[0].id for chain in drawn]
        assert all(begun.count(one) == (3 if pairs == "label" else 1) for one in begun), "24 chains: all, and all alike"


def test_other_chains_are_played_only_where_flat_groups_are_left_out() -> None:
    with pytest.raises(RecipeError, match=r"refill is -1; it must be at least 0"):
        TrainSettings(refill=-1, drop_flat=True)
    with pytest.raises(RecipeError, match=r"refill is 2, and drop_flat is false.*allowed is 0") as told:
        parse(Recipe, "[train]\nrefill = 2")
    assert told.value.hint == "drop_flat = true, or refill = 0"
    assert TrainSettings(refill=2, drop_flat=True).refill == 2


def test_where_nothing_differs_what_is_rehearsed_weighs_as_without_other_rounds() -> None:
    settings = TrainSettings(chains=2, refill=3, drop_flat=True)
    groups = groups_of(chains_for(SUITE, settings, seed=0) * 4)
    batch = batch_of(groups, settings, make_credit(RewardSettings(), AdvantageSettings()))
    assert (batch.flat, batch.rollouts) == (1.0, 2)


class Uneven(Counter):
    """Solves the first scenarios always, and the others every now and then; `seen` is what was asked of it: by which
    weights, which task, with which seed."""

    apart = True

    def __init__(self, version: int, seen: list[tuple[int, str, int]], known: int = 50) -> None:
        super().__init__(slips=lambda goal, seed: goal >= known and seed % 2 == 0)
        self.version, self.seen = version, seen

    def __call__(self, messages: Any, *, seed: int) -> Completion:
        self.seen.append((self.version, messages[1].content, seed))
        said = super().__call__(messages, seed=seed)
        return Completion(text=said.text, prompt=(2,) * len(messages), tokens=(2,), logprobs=(-0.5,), reply_tokens=1)


class Learning:
    """A learner whose weights are what it has learnt from: how many samples, at which weights."""

    def __init__(self, *, known: int = 50, breaks: int = -1, seconds: float = 0.0) -> None:
        self.state: list[float] = []
        self.seen: list[tuple[int, str, int]] = []
        self._known, self._breaks, self._seconds = known, breaks, seconds

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> dict[str, float]:
        if len(self.state) == self._breaks:
            raise KeyboardInterrupt
        time.sleep(self._seconds)
        learnt = sum(weight * (n + 1) for n, sample in enumerate(samples) for weight in sample.weights)
        self.state.append(learnt + len(samples) + (per or 0))
        return {"learn/samples": float(len(samples)), "learn/loss": learnt}

    def rest(self) -> dict[str, float]:
        return self.step(())

    def policy(self) -> Any:
        return Uneven(len(self.state), self.seen, self._known)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        (folder / "state").write_text(" ".join(map(str, self.state)))

    def load(self, folder: Path) -> None:
        self.state = [float(one) for one in (folder / "state").read_text().split()]


def trained(
    learner: Learning,
    folder: Path,
    *,
    suite: ToySuite = SUITE,
    workers: int = 2,
    resume: bool = False,
    underway: Callable[[int, Mapping[str, float]], None] = lambda step, figures: None,
    **settings: Any,
) -> list[dict[str, float]]:
    given = {"steps": 4, "chains": 3, "group": 3, "checkpoint_every": 2, "drop_flat": True, "record_every": 1}
    how = TrainSettings(**{**given, **settings})
    credit = make_credit(RewardSettings(), AdvantageSettings())
    player = Player(
        learner,  # type: ignore[arg-type]
        agent_with(Counter()),
        suite,
        how,
        credit=credit,
        score=lambda agent: {"eval/tgc": 0.0, "eval/sgc": 0.0},
        underway=underway,
        seed=0,
        workers=workers,
    )
    with Run.create(folder, command="train", recipe_toml="", seed=0, resume=resume) as run:
        train(learner, player, Checkpoints(run), how, credit=credit)  # type: ignore[arg-type]
    return [dict(entry.values) for entry in Run.open(folder).metrics()]


def known(entries: list[dict[str, float]]) -> list[dict[str, float]]:
    """The figures of steps but for times."""
    return [{name: value for name, value in one.items() if not name.startswith("time/")} for one in entries]


def test_a_step_learns_from_as_many_groups_as_it_has_chains(tmp_path: Path) -> None:
    plain, filled = Learning(), Learning()
    without = trained(plain, tmp_path / "without")
    steps = trained(filled, tmp_path / "filled", refill=8)
    whole = 3 * 3 * 2  # chains, rollouts, tasks
    assert min(step["learn/samples"] for step in without) < whole
    assert [step["learn/samples"] for step in steps] == [whole] * 4
    assert all("play/rounds" not in step and "play/groups" not in step for step in without), "as it was"
    assert max(step["play/rounds"] for step in steps) > 1
    for number, step in enumerate(steps):
        kept = list(Run.open(tmp_path / "filled").episodes(f"train-step{number:06}"))
        assert step["play/groups"] * 3 * 2 == len(kept), "all that was played is there to read"
        assert (1 - step["play/flat"]) * step["play/groups"] == pytest.approx(3)


@pytest.mark.parametrize("overlap", [False, True])
def test_a_step_of_several_rounds_is_shown_whenever_one_begins(tmp_path: Path, overlap: bool) -> None:
    learner, shown = Learning(), []

    def underway(step: int, figures: Mapping[str, float]) -> None:
        if "play/rounds" in figures:
            shown.append((step, figures["play/rounds"], figures["play/groups"], len(learner.seen)))

    steps = trained(learner, tmp_path / "filled", refill=8, overlap=overlap, underway=underway)
    begun = [(step, number) for step, number, _, _ in shown]
    assert begun == [(n, 1 + k) for n, step in enumerate(steps) for k in range(int(step["play/rounds"]))]
    for n, step in enumerate(steps):
        assert [one[2] for one in shown if one[0] == n][-1] == step["play/groups"], "with those that it begins with"
    asked = [one[3] for one in shown]
    assert asked == sorted({*asked}), "before each is played, and not when all of them are"


def test_a_step_that_is_played_shows_each_conversation_that_is_done(tmp_path: Path) -> None:
    shown: list[tuple[int, dict[str, float]]] = []
    trained(Learning(), tmp_path / "run", steps=2, underway=lambda step, figures: shown.append((step, dict(figures))))
    whole = 3 * 3 * 2  # chains, rollouts, tasks
    assert shown == [(n, {"playing": k, "of": whole}) for n in (0, 1) for k in range(whole + 1)]


def test_a_round_that_begins_moves_no_bar_and_is_told_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    with following("train") as watch:
        watch(0, {"play/rounds": 1.0, "play/groups": 1200.0}, 4, done=0)
        watch(0, {"reward/mean": 0.5, "play/rounds": 1.0, "play/groups": 1200.0}, 4)
        watch(1, {"play/rounds": 2.0, "play/groups": 1800.0}, 4, done=0)
        watch(0, {"reward/mean": 0.25, "play/rounds": 7.0}, 4)
    assert capsys.readouterr().err.splitlines() == [
        "train: 0/4 (0%), round 1, groups 1200",
        "train: 2/4 (50%), done in 0:00, round 2, groups 1800, reward 0.25",
    ]


def test_a_step_under_way_is_told_at_once_and_a_finished_one_without_the_loss_that_is_zero(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with following("train") as watch:
        watch(0, {"playing": 0.0, "of": 8.0}, 4, done=0)
        watch(0, {"learning": 3.0, "of": 8.0}, 4, done=0)
        watch(0, {"reward/mean": 0.5, "learn/loss": -1e-9, "learn/grad_norm": 0.01234, "learn/kl": 0.002}, 4)
    assert capsys.readouterr().err.splitlines() == [
        "train: 0/4 (0%), playing 0 of 8 conversations",
        "train: 1/4 (25%), done in 0:00, reward 0.5, grad norm 0.0123, KL 0.002",
    ]


def test_rounds_of_one_step_leave_the_chains_of_the_next_alone(tmp_path: Path) -> None:
    """Nobody learns anything here, so that all steps of both trainings are played with the same weights."""
    asked = {}
    for refill in (0, 4):
        learner = Learning()
        trained(learner, tmp_path / str(refill), refill=refill, steps=3)
        asked[refill] = {(task, seed) for _, task, seed in learner.seen}
        assert len(learner.seen) == len(asked[refill]), "nor is anything played twice"
    assert asked[0] < asked[4], "what is played without other rounds is played with them"


@pytest.mark.parametrize("refill", [0, 3])
def test_the_first_round_is_drawn_and_played_as_it_was_before_there_were_others(tmp_path: Path, refill: int) -> None:
    trained(Learning(), tmp_path / "run", refill=refill, steps=2)
    for step in (0, 1):
        drawn = chains_for(SUITE, TrainSettings(chains=3), seed=derive(0, "chains", step))
        first = list(Run.open(tmp_path / "run").episodes(f"train-step{step:06}"))[: 3 * 3 * 2]
        tasks = [task.id for chain in drawn for _ in range(3) for task in chain]
        assert [one.episode.task.id for one in first] == tasks
        seeds = [derive(derive(0, "play", step), n, i) for n in range(3) for i in range(3)]
        assert [one.episode.seed for one in first] == [derive(seed, k) for seed in seeds for k in range(2)]


def test_the_number_of_workers_changes_nothing_in_any_round(tmp_path: Path) -> None:
    told = [known(trained(Learning(), tmp_path / str(n), refill=3, workers=n)) for n in (1, 4)]
    assert told[0] == told[1] and max(step["play/rounds"] for step in told[0]) > 1


def test_a_training_broken_off_between_checkpoints_goes_on_as_an_unbroken_one(tmp_path: Path) -> None:
    whole, again = Learning(), Learning()
    unbroken = trained(whole, tmp_path / "unbroken", refill=3)
    with pytest.raises(KeyboardInterrupt):
        trained(Learning(breaks=3), tmp_path / "run", refill=3)
    assert len(Run.open(tmp_path / "run").metrics()) == 3, "a step after its last checkpoint"
    assert known(trained(again, tmp_path / "run", refill=3, resume=True)) == known(unbroken)
    assert again.state == whole.state and max(step["play/rounds"] for step in unbroken[2:]) > 1


def test_every_round_of_a_step_is_played_with_the_same_weights_also_one_step_ahead(tmp_path: Path) -> None:
    learner = Learning(seconds=0.3)
    steps = trained(learner, tmp_path / "ahead", refill=8, overlap=True)
    assert [step["learn/samples"] for step in steps] == [18.0] * 4
    versions = [version for version, _, _ in learner.seen]
    assert versions == sorted(versions)
    assert {*versions} == {0, 1, 2}, "one step old, and never newer in a later round"


def test_time_that_is_over_in_another_round_ends_the_training_with_the_step(tmp_path: Path) -> None:
    class Slow(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            time.sleep(0.01)
            return super().open(task)

    (step,) = trained(Learning(known=10**6), tmp_path / "run", suite=Slow(8), refill=2, minutes=0.2 / 60)
    assert step["play/rounds"] == 3 and step["play/flat"] == 1 and "eval/tgc" in step
    assert step["time/play"] >= step["time/rollouts"] >= 3 * 9 * 2 * 0.01 / 2, "all rounds, two worlds at once"
