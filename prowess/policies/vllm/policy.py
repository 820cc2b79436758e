"""A policy whose model vLLM plays: each conversation goes on as soon as its own reply is there."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, Protocol

from prowess.errors import ContextOverflow, PolicyGone
from prowess.models.chat import Chat
from prowess.models.talk import Talk
from prowess.policies.sampling import SamplingSettings, Tally
from prowess.policies.vllm.question import Answer, Question
from prowess.types import Completion, Message, Request


class Speaker(Protocol):
    """Who answers: engines in processes of ours, or servers elsewhere."""

    @property
    def size(self) -> int:
        """How many they are."""

    @property
    def limit(self) -> int:
        """The longest conversation, in tokens."""

    @property
    def work(self) -> Any:
        """What they have done so far, which knows what was done `since` an earlier one, and its `figures`."""

    def ask(self, question: Question) -> Answer:
        """The reply to come; a PolicyError if this question alone cannot be answered."""

    def abort(self, answer: Answer) -> None:
        """Break off a reply that is under way; one that is there already is fine."""


class VllmPolicy:
    """Plays with the weights that the engines hold. Conversations stay as the tokens that were said."""

    apart = True
    """Its weights are not the learner's own: both may work at once."""

    def __init__(self, engine: Speaker, chat: Chat, settings: SamplingSettings) -> None:
        self.engine = engine
        self.chat = chat
        self.settings = settings
        self.tally = Tally()
        self._counting = threading.Lock()
        self.rows = settings.rows
        self.limit = engine.limit
        """The longest conversation, in tokens."""
        self._talks: dict[str, Talk] = {}
        self._openings: dict[str, int] = {}
        self._under_way: dict[str, Answer] = {}
        self._closed = threading.Event()
        self._since = (time.perf_counter(), engine.work)

    def __repr__(self) -> str:
        return f"VllmPolicy({self.engine}, temperature {self.settings.temperature:g})"

    def at(self, temperature: float) -> VllmPolicy:
        """The same engine at another temperature, with conversations of its own."""
        return VllmPolicy(self.engine, self.chat, replace(self.settings, temperature=temperature))

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        """One reply to one conversation; nothing is kept but what vLLM remembers of its beginning."""
        key = f"\0{seed}"
        try:
            return self.ask(Request(key=key, messages=tuple(messages), seed=seed)).result()
        finally:
            self.forget(key)

    def ask(self, request: Request) -> Future[Completion]:
        """The completion to come. One thread asks; answers come on others."""
        completion: Future[Completion] = Future()
        if self._closed.is_set():
            completion.set_exception(_over())
            return completion
        talk = self._heard(request)
        length = len(talk.prompt)
        if length >= self.limit:
            completion.set_exception(
                ContextOverflow(
                    f"the conversation has {length} tokens; at most {self.limit - 1} leave room for a reply"
                )
            )
            return completion
        question = Question(
            tokens=talk.prompt,
            seed=request.seed,
            temperature=self.settings.temperature,
            room=min(self.settings.reply_tokens, self.limit - length),
            opening=self._openings[request.key],
        )
        answer = self.engine.ask(question)
        self._under_way[request.key] = answer
        if self._closed.is_set():  # by another thread since: nobody else would break this one off
            self.forget(request.key)

        def said(_: object) -> None:
            try:
                reply = answer.result()
                with self._counting:  # answers come on several threads where there are several engines
                    self.tally.decoded += len(reply.tokens)
                    self.tally.kept += reply.cached
                    self.tally.prefilled += length - reply.cached
                talk.tokens += reply.tokens
                completion.set_result(talk.answered(reply.logprobs, self.chat))
            except BaseException as problem:  # noqa: BLE001 - said to whoever asked, who would wait for ever
                completion.set_exception(_over() if self._closed.is_set() else problem)

        answer.add_done_callback(said)
        return completion

    def forget(self, key: str) -> None:
        """Let go of a conversation, also of a reply to it that is under way."""
        self._talks.pop(key, None)
        self._openings.pop(key, None)
        answer = self._under_way.pop(key, None)
        if answer is not None and not answer.done():
            self.engine.abort(answer)

    def close(self) -> None:
        """Break off what is under way and answer nothing more; the engine lives on for the next policy.

        That is no matter of one conversation: whoever plays them stops, and begins no other.
        """
        self._closed.set()
        for key in [*self._under_way]:
            self.forget(key)

    def figures(self) -> dict[str, float]:
        """What the engine did since this policy was made: speed, and how much of the time it had nothing to do."""
        begun, before = self._since
        seconds = max(time.perf_counter() - begun, 1e-9)
        work = self.engine.work.since(before)
        read = self.tally.prefilled + self.tally.kept
        return {
            "play/tokens_per_second": self.tally.decoded / seconds,
            "play/cached": self.tally.kept / max(1, read),
            **work.figures(seconds=seconds, said=self.tally.decoded, engines=self.engine.size),
        }

    def _heard(self, request: Request) -> Talk:
        talk = self._talks.get(request.key)
        if talk is None or not talk.hear(request.messages, self.chat):  # new, or not the conversation it was
            talk = Talk(messages=request.messages, tokens=list(self.chat.opening(request.messages)))
            self._talks[request.key] = talk
            self._openings[request.key] = hash(talk.prompt)
        return talk


def _over() -> PolicyGone:
    return PolicyGone("the policy was closed, and what it was saying is broken off")
