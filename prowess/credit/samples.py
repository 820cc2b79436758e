"""From episodes to what a learner learns from. Nothing is tokenised here: the policy's own token ids are laid out.

An episode's token sequence only grows. The prompt of a turn is the prompt of the turn before, its reply, and the glue
in between (the end of the reply, the observation, the header of the next message), so one episode is one sample. Two
turns, with advantage .5:

    turn 1   prompt  1 2 3            reply  7 8    log-probabilities  -.1 -.2
    turn 2   prompt  1 2 3 7 8 4 5    reply  9      log-probabilities  -.3

    tokens     1    2    3    7    8    4    5    9
    weights    0    0    0    .5   .5   0    0    .5
    logprobs   0    0    0    -.1  -.2  0    0    -.3
    said       no   no   no   yes  yes  no   no   yes
"""

from __future__ import annotations

from collections.abc import Sequence

from prowess.errors import RecipeError
from prowess.types import Episode, Group, Sample, Stop

OVERLONG = frozenset({Stop.TURNS, Stop.CONTEXT, Stop.TOKENS})
"""Episodes that ran into a limit: their outcome says little about what they did before it. One that repeated itself is
none of them: that is what it did."""


def sample_of(episode: Episode, weight: float) -> Sample | None:
    """An episode as one sequence in which what the model said weighs so much; None where it said nothing."""
    tokens: list[int] = []
    said: list[bool] = []
    logprobs: list[float] = []
    for number, turn in enumerate(episode.turns):
        completion, where = turn.completion, f"task {episode.task.id}, turn {number + 1}"
        if not completion.prompt:
            raise RecipeError(
                f"{where}: the policy gave text without token ids, which cannot be learnt from",
                hint="play with the learner's own policy",
            )
        _check_growth(tokens, completion.prompt, where)
        assert len(completion.logprobs) == len(completion.tokens), (
            f"{where}: {len(completion.tokens)} tokens were said, with {len(completion.logprobs)} log-probabilities"
        )
        glue = completion.prompt[len(tokens) :]
        tokens += [*glue, *completion.tokens]
        said += [False] * len(glue) + [True] * len(completion.tokens)
        logprobs += [*(0.0 for _ in glue), *completion.logprobs]
    if not any(said):
        return None
    weights = tuple(weight if mine else 0.0 for mine in said)
    return Sample(tokens=tuple(tokens), weights=weights, logprobs=tuple(logprobs), said=tuple(said))


def samples_of(group: Group, advantages: Sequence[Sequence[float | None]], *, overlong: bool = True) -> list[Sample]:
    """The samples of a group, rollout by rollout, each episode weighed by its advantage.

    What has no advantage is left out and, unless `overlong`, so are the episodes that ran into a limit. An advantage
    of 0 stays: it teaches nothing, yet its tokens count in a mean over all tokens, and in the KL to the start.
    """
    samples = (
        sample_of(episode, advantage)
        for rollout, row in zip(group.rollouts, advantages, strict=True)
        for episode, advantage in zip(rollout.episodes, row, strict=True)
        if advantage is not None and (overlong or episode.stop not in OVERLONG)
    )
    return [sample for sample in samples if sample is not None]


def _check_growth(tokens: Sequence[int], prompt: Sequence[int], where: str) -> None:
    """A prompt that is not the conversation so far and more is a mistake of ours, in the policy or its rendering."""
    assert len(prompt) >= len(tokens), (
        f"{where}: the prompt is {len(prompt)} tokens long, the conversation before it {len(tokens)}"
    )
    for place, (before, now) in enumerate(zip(tokens, prompt, strict=False)):
        assert before == now, f"{where}: token {place} of the prompt is {now}, and was {before} a turn earlier"
