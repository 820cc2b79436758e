"""Rollouts for TRL in benchmarks/gpu.py: desk played in waves over its vLLM, as rows that it learns from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpu_cases import Case, chat_in, openings

from prowess.credit.samples import sample_of
from prowess.errors import ContextOverflow, PolicyError
from prowess.models.chat import Chat
from prowess.models.talk import Talk
from prowess.types import Completion, Group, Message, Request

Roll = Callable[[list[Any], Any], Mapping[str, Any]]
"""A rollout_func of TRL."""

Rows = list["Row"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A sequence to learn from, as TRL wants it."""

    prompt: list[int]
    completion: list[int]
    logprobs: list[float]
    said: list[int]
    """1 on what the model said, 0 on what it was told."""


class Waves:
    """A policy as one writes it for TRL: all conversations that wait go to `llm.generate` in one call."""

    def __init__(self, llm: Any, chat: Chat, case: Case) -> None:
        self.llm, self.chat, self.case = llm, chat, case
        self.rows = case.chains * case.group
        self._talks: dict[str, Talk] = {}
        self._waiting: list[Request] = []

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        raise NotImplementedError("asked for many at a time")

    def admit(self, request: Request) -> None:
        self._waiting.append(request)

    def advance(self) -> Mapping[str, Completion | PolicyError]:
        """A pass is a whole wave, so all conversations stay together."""
        requests, self._waiting = self._waiting, []
        return dict(zip((request.key for request in requests), self._replies(requests), strict=True))

    def _replies(self, requests: Sequence[Request]) -> list[Completion | PolicyError]:
        from vllm import SamplingParams

        talks = [self._heard(request) for request in requests]
        rooms = [self.case.context - len(talk.prompt) for talk in talks]
        going = [talk for talk, room in zip(talks, rooms, strict=True) if room > 0]
        params = [
            SamplingParams(
                temperature=1.0,
                max_tokens=min(self.case.turn_reply, room),
                stop_token_ids=sorted(self.chat.stop_ids),
                logprobs=0,
                detokenize=False,
            )
            for room in rooms
            if room > 0
        ]
        asked = [{"prompt_token_ids": list(talk.prompt)} for talk in going]
        answers = iter(self.llm.generate(asked, params, use_tqdm=False) if asked else [])
        return [
            self._answered(talk, next(answers)) if room > 0 else ContextOverflow("the conversation is too long")
            for talk, room in zip(talks, rooms, strict=True)
        ]

    def forget(self, key: str) -> None:
        self._talks.pop(key, None)

    def _heard(self, request: Request) -> Talk:
        talk = self._talks.get(request.key)
        if talk is None or not talk.hear(request.messages, self.chat):
            talk = Talk(messages=request.messages, tokens=list(self.chat.opening(request.messages)))
            self._talks[request.key] = talk
        return talk

    def _answered(self, talk: Talk, output: Any) -> Completion:
        said = output.outputs[0]
        talk.tokens += said.token_ids
        pairs = zip(said.token_ids, said.logprobs, strict=True)
        return talk.answered([told[token].logprob for token, told in pairs], self.chat)


def rows_of(groups: Sequence[Group], length: int, end: int) -> Rows:
    """Episodes as rows in TRL's order: a chain's first tasks, then its second ones, a group of each."""
    return [
        _row(rollout.episodes[position], end)
        for group in groups
        for position in range(length)
        for rollout in group.rollouts
    ]


def _row(episode: Any, end: int) -> Row:
    sample = sample_of(episode, 1.0)
    if sample is None:  # nothing was said; a row must not be empty
        return Row(prompt=[end], completion=[end], logprobs=[0.0], said=[0])
    first = sample.mask.index(True)
    return Row(
        prompt=list(sample.tokens[:first]),
        completion=list(sample.tokens[first:]),
        logprobs=list(sample.logprobs[first:]),
        said=[int(mine) for mine in sample.mask[first:]],
    )


def columns(rows: Rows) -> dict[str, Any]:
    return {
        "prompt_ids": [row.prompt for row in rows],
        "completion_ids": [row.completion for row in rows],
        "logprobs": [row.logprobs for row in rows],
        "env_mask": [row.said for row in rows],
    }


def given(rows: Rows) -> Roll:
    return lambda prompts, trainer: columns(rows)


def made_up(case: Case) -> Rows:
    """Rows of A, or of B at their longest, without sampling them."""
    chat = chat_in(case.model)
    told = [list(chat.opening(prompt)) for prompt in openings(case.replies // case.group) for _ in range(case.group)]
    said = case.reply if case.part == "A" else case.context - min(map(len, told))
    words = chat.reply("like every song " * said)[:said]
    return [Row(prompt=one, completion=list(words), logprobs=[-1.0] * said, said=[1] * said) for one in told]
