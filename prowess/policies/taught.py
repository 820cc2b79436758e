"""A model plays until something goes wrong; from there on a teacher has the word.

What a model gets wrong shows in its own conversations alone, and so does how that is mended. Not everything shows: a
program may be wrong and say nothing, so the teacher may also speak before one is written. Collected with this policy,
the teacher's replies are what is learnt (`dataset.conversation_of`), and the model's own before them what they answer
to. A conversation that the model brings to a good end alone is kept as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from prowess.errors import PolicyError
from prowess.seeds import draw
from prowess.text.complaint import trouble_in
from prowess.types import BatchPolicy, Completion, FlowPolicy, Message, Policy, Request

LOOKED = (2, 3)
"""Replies with which a model has looked around: what there is, what it does, what the data is like."""


def taught(model: Policy, teacher: Policy, *, again: float = 0.0, early: float = 0.0) -> Policy:
    """The two as one policy, which answers as many conversations at once as the model does.

    In so many conversations (`again`) the model may try to mend its first mistake, and the teacher waits for the next;
    in so many (`early`) the teacher waits for none, only until the model has looked around.
    """
    if isinstance(model, FlowPolicy):
        return _TaughtFlow(model, teacher, again, early)
    kind = _TaughtBatch if isinstance(model, BatchPolicy) else _Taught
    return kind(model, teacher, again, early)


class _Taught:
    def __init__(self, model: Any, teacher: Policy, again: float, early: float) -> None:
        self.model, self.teacher, self.again, self.early = model, teacher, again, early

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        return self._told(messages, seed) if self._lost(messages) else self.model(messages, seed=seed)

    def at(self, temperature: float) -> Policy:
        """The model at another temperature; the teacher has none."""
        at = getattr(self.model, "at", None)
        return taught(at(temperature), self.teacher, again=self.again, early=self.early) if at else self

    def close(self) -> None:
        for part in (self.model, self.teacher):
            if close := getattr(part, "close", None):
                close()

    def _lost(self, messages: Sequence[Message]) -> bool:
        """Whether more has gone wrong than the model may mend itself, or it is not to be waited for."""
        opening, *outputs = [message.content for message in messages if message.role == "user"]
        luck = draw(0, "early", opening)
        if luck.random() < self.early and len(outputs) >= luck.choice(LOOKED):
            return True
        allowed = draw(0, "again", opening).random() < self.again
        return sum(bool(trouble_in(output)) for output in outputs) > allowed

    def _told(self, messages: Sequence[Message], seed: int) -> Completion:
        return replace(self.teacher(messages, seed=seed), teacher=True)


class _TaughtMany(_Taught):
    @property
    def rows(self) -> int:
        return int(self.model.rows)

    def forget(self, key: str) -> None:
        self.model.forget(key)


class _TaughtBatch(_TaughtMany):
    def __init__(self, model: Any, teacher: Policy, again: float, early: float) -> None:
        super().__init__(model, teacher, again, early)
        self._told_already: dict[str, Completion | PolicyError] = {}

    def admit(self, request: Request) -> None:
        if self._lost(request.messages):
            self._told_already[request.key] = self._reply(request)
        else:
            self.model.admit(request)

    def advance(self) -> Mapping[str, Completion | PolicyError]:
        told, self._told_already = self._told_already, {}
        return {**told, **self.model.advance()}

    def forget(self, key: str) -> None:
        self._told_already.pop(key, None)
        super().forget(key)

    def _reply(self, request: Request) -> Completion | PolicyError:
        try:
            return self._told(request.messages, request.seed)
        except Exception as problem:  # noqa: BLE001 - one conversation's, not everybody's
            return _failed(problem)


class _TaughtFlow(_TaughtMany):
    def ask(self, request: Request) -> Future[Completion]:
        if not self._lost(request.messages):
            asked: Future[Completion] = self.model.ask(request)
            return asked
        future: Future[Completion] = Future()
        try:
            future.set_result(self._told(request.messages, request.seed))
        except Exception as problem:  # noqa: BLE001 - one conversation's, not everybody's
            future.set_exception(_failed(problem))
        return future


def _failed(problem: Exception) -> PolicyError:
    """What went wrong with a teacher, as that of one conversation."""
    if isinstance(problem, PolicyError):
        return problem
    return PolicyError(f"the teacher failed: {type(problem).__name__}: {problem}")
