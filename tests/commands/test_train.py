"""The loop of training, without a model: what a step learns from, and what is told of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest
from toy import ToySuite

from prowess.commands.train import TrainSettings, batch_of, chains_for, make_credit, summary
from prowess.commands.train.chains import chains_by_label, chains_by_likeness
from prowess.commands.train.steps import is_last, is_scored
from prowess.credit.advantage import AdvantageSettings, Table
from prowess.credit.reward import RewardSettings
from prowess.errors import ProwessError, RecipeError
from prowess.pipeline.checks import check_learning, checked
from prowess.pipeline.recipe import Recipe
from prowess.recipe import parse
from prowess.run import StepMetrics
from prowess.types import Completion, Episode, Group, Rollout, Stop, Turn, Use, Verdict

CREDIT = make_credit(RewardSettings(), AdvantageSettings())
TASKS = tuple(ToySuite(1).tasks("train")[:2])


def episode(number: int, *, solved: bool, stop: Stop = Stop.COMPLETED, used: bool = False) -> Episode:
    said = Completion(text="x", prompt=(1, 2), tokens=(7, 8, 9), logprobs=(-0.1, -0.2, -0.3), reply_tokens=3)
    return Episode(
        task=TASKS[number],
        turns=(Turn(completion=said, code=""),),
        verdict=Verdict(passed=("a",), failed=()) if solved else Verdict(passed=(), failed=("a",)),
        stop=stop,
        offered=("raise_to",) if number else (),
        called=(Use(name="raise_to", turn=0, origin=TASKS[0].id),) if used else (),
    )


def pair(first: bool, second: bool, *, used: bool = False, stop: Stop = Stop.COMPLETED) -> Rollout:
    return Rollout(episodes=(episode(0, solved=first), episode(1, solved=second, used=used, stop=stop)))


def group(*rollouts: Rollout) -> Group:
    return Group(chain=TASKS, rollouts=rollouts)


def test_a_batch_weighs_each_episode_against_the_same_position_of_its_group() -> None:
    batch = batch_of([group(pair(True, True, used=True), pair(False, False))], TrainSettings(), CREDIT)
    assert batch.rollouts == 2
    assert [sample.weights for sample in batch.samples] == [
        (0, 0, 1.0, 1.0, 1.0),
        (0, 0, 1.0, 1.0, 1.0),
        (0, 0, -1.0, -1.0, -1.0),
        (0, 0, -1.0, -1.0, -1.0),
    ]


def test_flat_groups_are_in_the_mean_unless_they_are_dropped() -> None:
    groups = [group(pair(True, True), pair(False, True)), group(pair(True, True), pair(True, True))]
    kept = batch_of(groups, TrainSettings(), CREDIT)
    dropped = batch_of(groups, TrainSettings(drop_flat=True), CREDIT)
    assert (kept.rollouts, len(kept.samples), kept.flat) == (4, 8, 0.5)
    assert (dropped.rollouts, len(dropped.samples), dropped.flat) == (2, 4, 0.5)


def test_a_batch_of_flat_groups_alone_may_be_empty() -> None:
    batch = batch_of([group(pair(True, True), pair(True, True))], TrainSettings(drop_flat=True), CREDIT)
    assert (batch.samples, batch.rollouts) == ((), 2)


@pytest.mark.parametrize(
    ("stop", "overlong", "samples"),
    [(Stop.TURNS, "learn", 4), (Stop.TURNS, "mask", 3), (Stop.CONTEXT, "mask", 3), (Stop.REPEATS, "mask", 4)],
)
def test_episodes_that_ran_into_a_limit_may_be_masked(stop: Stop, overlong: str, samples: int) -> None:
    groups = [group(pair(True, False, stop=stop), pair(False, True))]
    settings = TrainSettings(overlong=overlong)  # type: ignore[arg-type]
    assert len(batch_of(groups, settings, CREDIT).samples) == samples


def test_a_control_arm_is_compared_with_itself() -> None:
    masked = [replace(pair(False, True), masked=True), replace(pair(False, False), masked=True)]
    groups = [group(pair(True, True, used=True), pair(False, False), *masked)]
    batch = batch_of(groups, TrainSettings(), CREDIT)
    # Rewards of the first tasks are 2, 0 and 0, 0; of the second ones 2 and 0 with a library, 1 and 0 without.
    assert [sample.weights[-1] for sample in batch.samples] == [1.0, 1.0, -1.0, -1.0, 0.0, 0.5, 0.0, -0.5]
    figures = summary(groups, CREDIT)
    assert figures["play/uplift"] == 0.0  # one of two solved the second task, with a library and without


def test_an_uplift_without_a_finished_control_is_not_measured() -> None:
    tell = partial(summary, credit=CREDIT)
    alone = group(pair(True, True, used=True), pair(True, True, used=True))  # its control arm came too late
    both = group(pair(True, True, used=True), replace(pair(True, False), masked=True))
    assert tell([both])["play/uplift"] == tell([alone, both])["play/uplift"] == 1.0
    assert "play/uplift" not in tell([alone])


def test_an_uplift_is_told_in_what_the_recipe_takes_for_an_outcome() -> None:
    """Half of the checks of a task that failed pay nothing here, so what failed by half and what failed is one."""
    half = Verdict(passed=("a",), failed=("b",))
    control = replace(pair(True, False), masked=True)
    better = pair(True, False)
    better = replace(better, episodes=(better.episodes[0], replace(better.episodes[1], verdict=half)))
    for partial_credit, told in ((True, 0.5), (False, 0.0)):
        credit = make_credit(RewardSettings(partial=partial_credit), AdvantageSettings())
        assert summary([group(better, control)], credit)["play/uplift"] == told


def test_what_only_one_arm_can_earn_says_nothing_about_the_other() -> None:
    alike = [pair(True, True, used=True)] * 2 + [replace(pair(True, True), masked=True)] * 2
    batch = batch_of([group(*alike)], TrainSettings(), CREDIT)
    assert [sample.weights[-1] for sample in batch.samples] == [0.0] * 8
    dropped = batch_of([group(*alike)], TrainSettings(drop_flat=True), CREDIT)
    assert (dropped.samples, batch.flat, dropped.flat) == ((), 1.0, 1.0), "arms that differ from each other alone"


def test_of_a_group_the_most_telling_are_learnt_from_whoever_their_peers_are() -> None:
    eight = [pair(True, True), *[pair(False, False)] * 6, pair(False, True)]
    for peers in ("group", "history"):
        settings = TrainSettings(most=2, peers=peers)  # type: ignore[arg-type]
        batch = batch_of([group(*eight)], settings, CREDIT)
        assert len(batch.samples) == 4, "two at each position"
        assert batch.rollouts == 2, "as many as the mean is over"
        assert sorted(sample.weights[-1] for sample in batch.samples[::2])[0] < 0
    for wrong in (-1, 1):
        with pytest.raises(RecipeError, match=rf"most is {wrong}; it must be 0 \(all\) or at least 2"):
            TrainSettings(most=wrong)


def test_the_most_telling_are_chosen_within_an_arm() -> None:
    library = [pair(True, True, used=True)] * 4
    control = [replace(pair(solved, True), masked=True) for solved in (True, False, False, False)]
    batch = batch_of([group(*library, *control)], TrainSettings(most=4), CREDIT)
    firsts = [sample.weights[-1] for sample in batch.samples if any(sample.weights)]
    assert firsts == [0.75, -0.25, -0.25, -0.25], "the library's are all worth 2, and compared with each other alone"
    assert batch.rollouts == 4


def test_the_most_telling_are_chosen_from_those_that_are_learnt_from() -> None:
    long = [pair(False, False, stop=Stop.TURNS)] * 4
    groups = [group(*[pair(True, True)] * 2, *long, *[pair(False, False)] * 2)]
    settings = TrainSettings(most=2, overlong="mask")
    weights = [sample.weights[-1] for sample in batch_of(groups, settings, CREDIT).samples]
    assert min(weights) < 0 < max(weights), "not praise alone"
    groups = [group(*[pair(True, True)] * 2, *long)]
    weights = [sample.weights[-1] for sample in batch_of(groups, TrainSettings(most=2), CREDIT).samples]
    assert sorted(weights) == [-0.5, -0.5, 0.5, 0.5], "long ones are among them where they are learnt from"


def test_by_history_a_second_task_is_compared_with_those_whose_first_ended_alike() -> None:
    groups = [group(pair(True, True), pair(True, False), pair(False, False), pair(False, False), pair(False, True))]
    seconds = {
        peers: [sample.weights[-1] for sample in batch_of(groups, TrainSettings(peers=peers), CREDIT).samples[1::2]]
        for peers in ("group", "history")
    }
    assert seconds["group"] == pytest.approx([0.6, -0.4, -0.4, -0.4, 0.6])
    assert seconds["history"] == pytest.approx([0.5, -0.5, -1 / 3, -1 / 3, 2 / 3])
    unlucky = [group(pair(True, True, used=True), pair(True, True, used=True), pair(False, False), pair(False, False))]
    batch = batch_of(unlucky, TrainSettings(peers="history"), CREDIT)
    assert [sample.weights[-1] for sample in batch.samples[1::2]] == [0.0] * 4, "what came before decided it"
    assert [sample.weights[-1] for sample in batch.samples[::2]] == [1.0, 1.0, -1.0, -1.0]


def test_the_figures_of_a_step() -> None:
    groups = [
        group(pair(True, True, used=True), pair(True, False)),
        group(pair(False, False, stop=Stop.NO_CODE), pair(False, True, stop=Stop.ERROR)),
    ]
    figures = summary(groups, CREDIT)
    assert figures == pytest.approx(
        {
            "play/tgc": 3 / 7,
            "play/sgc": 1 / 3,
            "play/use": 1 / 3,
            "play/success_given_use": 1.0,
            "play/erred": 0.0,
            "play/mended": 0.0,
            "play/steps": 1.0,
            "play/tokens": 3.0,
            "play/errors": 1.0,
            "play/breaks": 0.0,
            "play/no_code": 1 / 7,
            "play/repeats": 0.0,
            "play/overlong": 0.0,
            "reward/mean": (2 + 2 + 1 + 0 + 0 - 1 + 0) / 7,
            "reward/outcome": 3 / 7,
            "reward/generation": 1 / 7,
            "reward/usage": 1 / 7,
            "reward/chain": 0.0,
            "reward/penalty": -1 / 7,
        }
    )


@pytest.mark.parametrize(
    ("sets", "told"),
    [
        (["reward.name=uplift"], "train.masked is 0"),
        (["train.group=1"], "train.group is 1 and train.masked 0: one rollout alone is compared with nobody"),
        (["train.group=4", "train.masked=3"], "train.group is 4 and train.masked 3: one rollout alone"),
        (["train.pairs=likeness"], "'scenario' offers nothing from one scenario to another"),
        (["learner.temperature=0.7"], "learner.temperature is 0.7, and sampling.temperature, which it goes by, 1"),
        (["learner.steps=10"], "learner.steps is 10, and train.steps, which it goes by, 75"),
        (["loss.kind=imitate", "loss.kl=0.1"], "neither KL nor sampler, and loss.kl is 0.1, loss.tis 0"),
        (["loss.kind=imitate", "loss.tis=2"], "neither KL nor sampler, and loss.kl is 0, loss.tis 2"),
        (["train.minutes=30", "learner.schedule=cosine"], "learner.schedule is 'cosine': it goes by train.steps"),
        (["train.minutes=30", "learner.warmup=0.1"], r"learner.warmup is 0.1, a share: .* and train.minutes is 30"),
        (["train.overlap=true"], "sampling.engine 'local' plays with the very weights that are learnt"),
        (["train.overlap=true", "sampling.engine=vllm", "sampling.vllm.sleep=true"], "one of them, not both"),
        (["sampling.engine=server"], "all parameters are learnt: learner.lora_rank is 0"),
    ],
)
def test_settings_that_cannot_go_together_are_told_before_anything_is_begun(sets: list[str], told: str) -> None:
    pytest.importorskip("torch")
    recipe = parse(Recipe, "", sets)
    with pytest.raises(RecipeError, match=told):
        checked(recipe, "train")


@pytest.mark.parametrize(
    "sets", [["learner.warmup=1"], ["learner.warmup=4"], ["sft.learner.schedule=cosine", "sft.learner.warmup=0.1"]]
)
def test_rates_that_do_not_go_by_the_steps_of_training_go_with_any_time(sets: list[str]) -> None:
    pytest.importorskip("torch")
    check_learning(parse(Recipe, "", ["train.minutes=30", *sets]))


@pytest.mark.parametrize(
    "sets",
    [
        ["train.group=1", "advantage.name=test_train:given"],
        ["train.pairs=likeness", "retrieval.name=everything"],
        ["train.pairs=likeness", "train.length=1"],
        ["train.group=2"],
        ["train.group=4", "train.masked=2", "reward.name=uplift"],
        ["loss.kind=imitate"],
        ["loss.kl=0.1", "loss.tis=2"],
        ["learner.temperature=0.7", "sampling.temperature=0.7", "learner.steps=75"],
        ["learner.lora_rank=4"],
    ],
)
def test_what_can_go_together_is_not_refused(sets: list[str]) -> None:
    pytest.importorskip("torch")
    check_learning(parse(Recipe, "", sets))


@pytest.mark.parametrize(
    ("sets", "good"), [([], False), (["sft.learner.lora_rank=4"], True), (["sft.score=false"], True)]
)
def test_an_imitation_of_all_weights_that_a_server_is_to_score_as_an_adapter_is_refused(
    sets: list[str], good: bool
) -> None:
    """That was told when it was over."""
    pytest.importorskip("torch")
    recipe = parse(Recipe, "", ["sampling.engine=server", 'sampling.server.urls=["http://127.0.0.1:9"]', *sets])
    with pytest.raises(ProwessError) as caught:
        checked(recipe, "sft")
    assert ("sft.learner.lora_rank is 0" in caught.value.message) == (not good)


def given(rewards: Table) -> Table:
    """Somebody else's advantage, which compares with nobody."""
    return rewards


@pytest.mark.parametrize("pairs", ["label", "likeness"])
@pytest.mark.parametrize("length", [1, 2, 3])
def test_chains_of_any_length_by_label_or_likeness_are_the_same_for_the_same_seed(pairs: str, length: int) -> None:
    settings = TrainSettings(chains=4, length=length, pairs=pairs)  # type: ignore[arg-type]
    chains = chains_for(ToySuite(5), settings, seed=3)
    assert [len(chain) for chain in chains] == [length] * 4
    assert chains == chains_for(ToySuite(5), settings, seed=3)
    assert chains != chains_for(ToySuite(5), settings, seed=4)


def test_a_chain_is_of_siblings_or_of_whatever_is_alike() -> None:
    tasks = ToySuite(6).tasks("train")
    for pairs, choose in (("label", chains_by_label), ("likeness", chains_by_likeness)):
        settings = TrainSettings(chains=8, length=3, pairs=pairs)  # type: ignore[arg-type]
        assert chains_for(ToySuite(6), settings, seed=4) == choose(tasks, count=8, length=3, seed=4)


def test_time_is_over_when_what_was_known_as_the_next_step_would_have_begun_filled_it() -> None:
    first = {"time/play": 40.0, "time/learn": 25.0, "time/wait": 5.0}
    done = [StepMetrics(step=0, values=first)]
    overlapping = TrainSettings(minutes=1, overlap=True)
    assert is_last(TrainSettings(minutes=1), 0, [], first)
    assert not is_last(overlapping, 0, [], first), "nobody knew yet how long learning would take"
    assert is_last(overlapping, 1, done, {"time/play": 1.0})
    assert is_last(replace(overlapping, minutes=1.5), 1, done, {"time/play": 20.0})
    assert not is_last(replace(overlapping, minutes=1.6), 1, done, {"time/play": 20.0})
    assert not is_last(TrainSettings(), 0, [], first), "no limit"
    assert is_last(TrainSettings(steps=1), 0, [], {}), "there are no more"


@pytest.mark.parametrize(("every", "scored"), [(0, []), (1, [0, 1, 2, 3]), (2, [1, 3]), (3, [2])])
def test_what_every_so_many_steps_left_is_scored_and_what_the_last_one_left(every: int, scored: list[int]) -> None:
    settings = TrainSettings(evaluate_every=every)
    assert [step for step in range(4) if is_scored(settings, step, last=False)] == scored
    assert is_scored(settings, 0, last=True)


def test_only_the_last_scenarios_are_drawn_from_when_asked() -> None:
    chains = chains_for(ToySuite(5), TrainSettings(chains=4, last=2), seed=3)
    assert sorted({chain[0].scenario for chain in chains}) == ["count3", "count4"]


@pytest.mark.parametrize("name", ["steps", "chains", "length", "group", "checkpoint_every", "keep"])
def test_settings_below_one_are_refused(name: str) -> None:
    with pytest.raises(RecipeError, match=f"{name} is 0; it must be at least 1"):
        TrainSettings(**{name: 0})
