"""Episodes laid out as samples: the layouts of the docstrings, on literals."""

from __future__ import annotations

import pytest

from prowess.credit.samples import sample_of, samples_of
from prowess.errors import RecipeError
from prowess.types import Completion, Episode, Group, Rollout, Sample, Stop, Task, Turn, Verdict

TASK = Task(id="a_1", scenario="a", instruction="Pay.")


def turn(prompt: tuple[int, ...], tokens: tuple[int, ...], logprobs: tuple[float, ...]) -> Turn:
    return Turn(completion=Completion(text="", prompt=prompt, tokens=tokens, logprobs=logprobs), code="")


def episode(*turns: Turn, stop: Stop = Stop.COMPLETED) -> Episode:
    return Episode(task=TASK, turns=turns, verdict=Verdict(passed=(), failed=()), stop=stop)


FIRST = turn((1, 2, 3), (7, 8), (-0.1, -0.2))
SECOND = turn((1, 2, 3, 7, 8, 4, 5), (9,), (-0.3,))


def test_an_episode_of_two_turns_is_one_sequence() -> None:
    assert sample_of(episode(FIRST, SECOND), 0.5) == Sample(
        tokens=(1, 2, 3, 7, 8, 4, 5, 9),
        weights=(0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.5),
        logprobs=(0.0, 0.0, 0.0, -0.1, -0.2, 0.0, 0.0, -0.3),
        said=(False, False, False, True, True, False, False, True),
    )


def test_a_prompt_of_three_a_reply_of_two_an_observation_of_one_and_a_reply_of_one() -> None:
    layout = sample_of(episode(turn((1, 1, 1), (2, 2), (-1.0, -1.0)), turn((1, 1, 1, 2, 2, 3), (2,), (-1.0,))), -2.0)

    assert layout is not None
    assert layout.weights == (0, 0, 0, -2.0, -2.0, 0, -2.0)
    assert layout.logprobs == (0, 0, 0, -1.0, -1.0, 0, -1.0)


def test_replies_may_follow_each_other_without_glue_and_may_be_empty() -> None:
    layout = sample_of(episode(turn((1,), (2,), (-1.0,)), turn((1, 2), (), ()), turn((1, 2), (3,), (-2.0,))), 1.0)

    assert layout == Sample(
        tokens=(1, 2, 3), weights=(0.0, 1.0, 1.0), logprobs=(0.0, -1.0, -2.0), said=(False, True, True)
    )


def test_with_advantage_zero_it_is_still_known_what_was_said() -> None:
    layout = sample_of(episode(FIRST), 0.0)

    assert layout is not None
    assert layout.weights == (0.0,) * 5
    assert layout.mask == (False, False, False, True, True)


def test_without_the_field_the_weights_tell_what_was_said() -> None:
    assert Sample(tokens=(1, 2), weights=(0.0, -1.0), logprobs=(0.0, 0.0)).mask == (False, True)


def test_an_episode_in_which_nothing_was_said_gives_no_sample() -> None:
    assert sample_of(episode(stop=Stop.CONTEXT), 1.0) is None
    assert sample_of(episode(turn((1, 2), (), ())), 1.0) is None


def test_a_prompt_that_changes_what_came_before_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match=r"task a_1, turn 2: token 4 of the prompt is 6, and was 8 a turn earlier"):
        sample_of(episode(FIRST, turn((1, 2, 3, 7, 6, 4), (9,), (-0.3,))), 1.0)
    with pytest.raises(AssertionError, match="turn 2: the prompt is 4 tokens long, the conversation before it 5"):
        sample_of(episode(FIRST, turn((1, 2, 3, 7), (9,), (-0.3,))), 1.0)


def test_a_reply_without_a_log_probability_for_each_token_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match="2 tokens were said, with 1 log-probabilities"):
        sample_of(episode(turn((1,), (2, 3), (-0.1,))), 1.0)


def test_text_without_token_ids_cannot_be_learnt_from() -> None:
    spoken = Turn(completion=Completion(text="Hello", prompt_tokens=5, reply_tokens=1), code="")

    with pytest.raises(RecipeError, match="task a_1, turn 1: the policy gave text without token ids"):
        sample_of(episode(spoken), 1.0)


def one(first: int, stop: Stop = Stop.COMPLETED) -> Episode:
    return episode(turn((first,), (9,), (-0.5,)), stop=stop)


GROUP = Group(
    chain=(TASK, TASK),
    rollouts=(
        Rollout(episodes=(one(1), one(2, Stop.TURNS))),
        Rollout(episodes=(one(3, Stop.ERROR), one(4))),
        Rollout(episodes=(one(5, Stop.CONTEXT), one(6, Stop.NO_CODE))),
    ),
)


def test_a_group_gives_its_samples_rollout_by_rollout_without_those_that_have_no_advantage() -> None:
    found = samples_of(GROUP, [[0.5, -0.5], [None, 0.0], [-1.0, 1.0]])

    assert [(sample.tokens[0], sample.weights[1]) for sample in found] == [
        (1, 0.5),
        (2, -0.5),
        (4, 0.0),
        (5, -1.0),
        (6, 1.0),
    ]


def test_episodes_that_ran_into_a_limit_are_left_out_when_asked() -> None:
    found = samples_of(GROUP, [[0.5, -0.5], [None, 0.0], [-1.0, 1.0]], overlong=False)

    assert [sample.tokens[0] for sample in found] == [1, 4, 6]


def test_a_broken_episode_without_tokens_is_not_looked_at() -> None:
    broken = episode(Turn(completion=Completion(text="?"), code=""), stop=Stop.ERROR)

    assert samples_of(Group(chain=(TASK,), rollouts=(Rollout(episodes=(broken,)),)), [[None]]) == []


def test_advantages_must_have_the_shape_of_the_group() -> None:
    with pytest.raises(ValueError, match="shorter"):
        samples_of(GROUP, [[0.5, -0.5], [None, 0.0]])
