"""An engine whose vLLM does what it should not: whoever waits hears of it. The real one is played in tests/vllm."""

from __future__ import annotations

import threading
import time
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from prowess.errors import PolicyError, RecipeError
from prowess.policies.vllm import engine as module
from prowess.policies.vllm.engine import Engine
from prowess.policies.vllm.question import Answer, Question
from prowess.policies.vllm.shape import Shape

QUESTION = Question(tokens=(1,), seed=0, temperature=1.0, room=1)


class Ended(IntEnum):
    """How a reply ended, by vLLM's numbers and words."""

    STOP = 0
    LENGTH = 1
    ABORT = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


class Odd:
    """Says things without log-probabilities, does not let go of anything, refuses what it has already noted, or ends
    replies one after the other as it is told to: two tokens each, none where it gives up at once."""

    def __init__(self, way: str) -> None:
        self.way = way
        self.asked: list[str] = []
        self.ends: list[tuple[int, Ended]] = []
        self.let_go: list[str] = []
        self.engine_core = SimpleNamespace(shutdown=lambda: None, get_output=self.get_output)
        self.output_processor = SimpleNamespace(abort_requests=lambda names, internal: self.let_go.extend(names))

    def add_request(self, name: str, *_: object) -> str:
        self.asked.append(name)
        if self.way == "refuses":
            raise ValueError("not this one")
        return name

    def has_unfinished_requests(self) -> bool:
        return bool(self.asked)

    def abort_request(self, names: list[str], internal: bool = False) -> None:
        if self.way == "holds on":
            raise KeyError(names[0])
        self.asked = [name for name in self.asked if name not in names]

    def get_output(self) -> Any:
        time.sleep(0.005)
        if self.ends:
            tokens, how = self.ends.pop(0)
            row = SimpleNamespace(logprobs=np.full((tokens, 1), -0.5))
            said = {"request_id": self.asked.pop(0), "new_token_ids": [7] * tokens, "new_logprobs": row}
            return SimpleNamespace(outputs=[SimpleNamespace(**said, finish_reason=how, prefill_stats=None)])
        if self.way != "says too little":
            return SimpleNamespace(outputs=[])
        said = SimpleNamespace(request_id=self.asked.pop(), new_token_ids=[1], new_logprobs=None)
        return SimpleNamespace(outputs=[said])


def engine_of(way: str | Odd, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setattr(module, "check_vllm", lambda: None)
    monkeypatch.setattr(module, "prepare", lambda shape: None)
    monkeypatch.setattr(Engine, "_built", lambda self: Odd(way) if isinstance(way, str) else way)
    monkeypatch.setattr(Engine, "_prompt", lambda self, question: question)
    monkeypatch.setattr(Engine, "_params", lambda self, question: question)
    sizes: dict[str, Any] = {"limit": 9, "stops": (1,), "rows": 2, "cache_bytes": 1, "prefill_tokens": 1, "rank": 0}
    return Engine(Shape(model="m", dtype="float32", device="cpu", graphs="none", sleep=False, **sizes))


def test_a_reply_that_cannot_be_read_fails_everybody_who_waits_and_everybody_who_asks_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = engine_of("says too little", monkeypatch)
    for answer in (engine.ask(QUESTION), engine.ask(QUESTION)):
        with pytest.raises(RecipeError, match="vLLM stopped: AttributeError"):
            answer.result(timeout=5)
    assert not engine.alive
    with pytest.raises(RecipeError, match="vLLM stopped: AttributeError"):
        engine.ask(QUESTION).result(timeout=5)
    with pytest.raises(RecipeError, match="vLLM stopped: AttributeError"):
        engine.change(lambda vllm: None)
    engine.close()
    assert not engine._thread.is_alive()


def test_one_that_cannot_be_let_go_of_ends_the_others_and_not_in_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = engine_of("holds on", monkeypatch)
    mine, other = engine.ask(QUESTION), engine.ask(QUESTION)
    engine.abort(mine)
    with pytest.raises(PolicyError, match="the reply was broken off"):
        mine.result(timeout=5)
    with pytest.raises(RecipeError, match="vLLM stopped: KeyError"):
        other.result(timeout=5)
    engine.close()
    assert not engine._thread.is_alive()


def test_a_reply_that_cannot_be_read_while_weights_wait_for_it_is_told_to_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = engine_of("says too little", monkeypatch)
    asked: list[Answer] = []
    told: list[RecipeError] = []

    def change() -> None:
        with pytest.raises(RecipeError) as problem:
            engine.change(lambda vllm: None)
        told.append(problem.value)

    def both(vllm: Any) -> None:
        """A question, and weights that wait for the reply, before the engine makes its next pass."""
        asked.append(engine.ask(QUESTION))
        changing.start()
        while engine._orders.qsize() < 2:
            time.sleep(0.001)

    changing = threading.Thread(target=change)
    engine.change(both)
    changing.join(timeout=5)
    with pytest.raises(RecipeError, match="vLLM stopped: AttributeError"):
        asked[0].result(timeout=5)
    assert not engine.alive and "vLLM stopped: AttributeError" in str(told[0])
    engine.close()


def test_weights_do_not_wait_for_a_conversation_that_was_refused_when_half_of_it_was_taken_in(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = engine_of("refuses", monkeypatch)
    with pytest.raises(PolicyError, match="vLLM refused a conversation: not this one"):
        engine.ask(QUESTION).result(timeout=5)
    given: list[str] = []
    giving = threading.Thread(target=lambda: given.append(engine.change(lambda vllm: "given")), daemon=True)
    giving.start()
    giving.join(timeout=5)
    assert given == ["given"] and engine.alive
    engine.close()


def test_a_reply_that_vllm_gave_up_is_told_to_its_conversation_alone_and_is_no_reply(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    odd = Odd("ends them")
    odd.ends = [(0, Ended.ABORT), (2, Ended.STOP), (1, Ended.ERROR), (2, Ended.LENGTH)]
    engine = engine_of(odd, monkeypatch)
    answers = [engine.ask(QUESTION) for _ in odd.ends[:]]
    for answer, told in (
        (answers[0], "after 0 tokens, for the reason 'abort'"),
        (answers[2], "after 1 token, .* 'error'"),
    ):
        with pytest.raises(PolicyError, match=f"vLLM gave a reply up {told}"):
            answer.result(timeout=5)
    for answer in (answers[1], answers[3]):
        assert (answer.result(timeout=5).tokens, answer.result().logprobs) == ((7, 7), (-0.5, -0.5))
    assert engine.alive
    engine.close()
    assert odd.let_go == ["q0", "q1", "q2", "q3"] and not engine._asked
