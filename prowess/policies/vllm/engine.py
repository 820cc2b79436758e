"""A running vLLM in this process: one thread owns it, everybody else leaves orders with it."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import SimpleQueue
from textwrap import shorten
from typing import Any, TypeVar

from prowess.errors import PolicyError, PolicyGone, ProwessError, RecipeError
from prowess.policies.vllm.batching import admission_of, ask_at_ends
from prowess.policies.vllm.question import Answer, Question, Reply, Work, one_pass
from prowess.policies.vllm.shape import Shape, arguments, check_vllm, prepare
from prowess.policies.vllm.weights import ADAPTER
from prowess.text.plural import counted

R = TypeVar("R")

BROKEN = frozenset({2, 3})
"""vLLM's finish reasons, as numbers, of what it gave up itself (abort, error): what was said until then is no reply."""


@dataclass(slots=True, kw_only=True)
class _Said:
    """What a conversation has been told so far, pass by pass."""

    answer: Answer
    tokens: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    cached: int = 0

    def hear(self, output: Any) -> None:
        if output.new_token_ids:  # one that vLLM itself broke off may end without
            self.tokens += output.new_token_ids
            # A row for each token, the one that was said first; the array is a piece of the pass's, and would keep it.
            self.logprobs += output.new_logprobs.logprobs[:, 0].tolist()
        if output.prefill_stats is not None:
            self.cached = output.prefill_stats.num_cached_tokens

    def reply(self) -> Reply:
        return Reply(tokens=tuple(self.tokens), logprobs=tuple(self.logprobs), cached=self.cached)


class Engine:
    """Answers questions with the weights it was given last. Thread-safe."""

    def __init__(self, shape: Shape) -> None:
        check_vllm()
        prepare(shape)
        self.shape = shape
        self.version = 0
        """Counts changes of the weights: what was computed with earlier ones is never used again."""
        self.work = Work()
        self._orders: SimpleQueue[Callable[[Any], None] | None] = SimpleQueue()
        self._asked: dict[str, _Said] = {}
        """By the names that vLLM gives them."""
        self._numbers = count()
        self._dead: BaseException | None = None
        self._closed = False
        self._asleep = False
        self._admission = admission_of(shape)
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="vllm", daemon=True)
        self._thread.start()
        ready.result()

    def __repr__(self) -> str:
        state = "closed" if self._closed else "dead" if self._dead else f"{len(self._asked)} asked"
        return f"Engine({Path(self.shape.model).name}, version {self.version}, {state})"

    @property
    def alive(self) -> bool:
        return self._dead is None and not self._closed

    def ask(self, question: Question) -> Answer:
        """The reply to come; a PolicyError if this question alone cannot be answered."""
        future = Answer(f"q{next(self._numbers)}")

        def order(engine: Any) -> None:
            if self._dead is not None:
                future.set_exception(self._dead)
                return
            try:
                name = engine.add_request(future.name, self._prompt(question), self._params(question), **self._extras())
            except Exception as problem:  # noqa: BLE001 - vLLM refuses in many ways; this conversation alone is hurt
                future.set_exception(PolicyError(f"vLLM refused a conversation: {problem}"))
                engine.abort_request([future.name])  # if half of it was taken in, it would be waited for for ever
            else:
                future.name = name
                self._asked[name] = _Said(answer=future)

        self._give(order)
        return future

    def abort(self, answer: Answer) -> None:
        """Break off a reply that is under way; one that is there already is fine."""

        def order(engine: Any) -> None:
            if self._asked.pop(answer.name, None):
                answer.set_exception(PolicyError("the reply was broken off"))
                engine.abort_request([answer.name], internal=True)

        with suppress(ProwessError):
            self._give(order)

    def change(self, work: Callable[[Any], R]) -> R:
        """Let somebody change the weights, on the engine's own thread, once nothing is under way; awake, if asleep."""
        return self._when_idle(lambda engine: self._changed(engine, work))

    def rest(self) -> None:
        """Give the device's memory back until the weights change or somebody asks, where the shape says so."""
        if self.shape.sleep:
            self._when_idle(self._sleep)

    def close(self) -> None:
        """Give everything back. Questions under way fail."""
        if not self._closed:
            self._closed = True
            self._orders.put(None)
            self._thread.join(timeout=60)

    # ------------------------------------------------------------------------------------------- on its own thread

    def _give(self, order: Callable[[Any], None]) -> None:
        if self._closed:
            raise PolicyGone("the engine is closed")
        self._orders.put(order)

    def _when_idle(self, work: Callable[[Any], R]) -> R:
        future: Future[R] = Future()

        def order(engine: Any) -> None:
            try:
                while self._dead is None and engine.has_unfinished_requests():
                    self._step(engine)
                if self._dead is not None:
                    raise self._dead
                future.set_result(work(engine))
            except BaseException as problem:  # noqa: BLE001 - said to whoever ordered it
                future.set_exception(_told(problem))

        self._give(order)
        return future.result()

    def _run(self, ready: Future[None]) -> None:
        try:
            engine = self._built()
        except BaseException as problem:  # noqa: BLE001 - said to whoever started it
            ready.set_exception(_told(problem))
            return
        ready.set_result(None)
        going_on = True
        while going_on:
            try:
                if going_on := self._obeyed(engine):
                    self._talk(engine)
            except BaseException as problem:  # noqa: BLE001 - its state is lost, and whoever waits must hear of it
                self._die(problem)
                going_on = not self._closed

    def _talk(self, engine: Any) -> None:
        """Go on with what was asked, until it is all said or somebody has waited long enough to be let in."""
        self._admission.renew()
        while self._dead is None and engine.has_unfinished_requests():
            if self._closed or self._admission.over(talking=len(self._asked), waiting=self._orders.qsize()):
                return
            self._step(engine)

    def _obeyed(self, engine: Any) -> bool:
        """Carry out what was ordered meanwhile, or wait for an order; False when it is to end."""
        while True:
            order = self._orders.get()
            if order is None:
                self._fail(PolicyGone("the engine was closed"))
                engine.engine_core.shutdown()
                return False
            order(engine)
            if self._orders.empty():
                return True

    def _step(self, engine: Any) -> None:
        begun, reading = time.perf_counter(), self._is_reading()
        try:
            if self._asleep:
                self._wake(engine)
            self._hear(engine)
        except BaseException as problem:  # noqa: BLE001 - out of memory, a CUDA error, an odd reply: its state is lost
            self._die(problem)
            return
        seconds = time.perf_counter() - begun
        self.work += one_pass(seconds, reading=reading)
        self._admission.passed(seconds, waiting=self._orders.qsize())

    def _is_reading(self) -> bool:
        """Whether somebody who asked has not been told anything yet: who asked last is read last, which takes several
        passes where many ask at once. Who waits for room in vLLM counts as well: from here that looks the same."""
        last = next(reversed(self._asked.values()), None)
        return last is not None and not last.tokens

    def _hear(self, engine: Any) -> None:
        """One pass, and what was said in it. vLLM's own `step` would make texts and tables of it, for each conversation
        in each pass, which nobody asks for: a quarter of the time that its Python takes."""
        for output in engine.engine_core.get_output().outputs:
            said = self._asked.get(output.request_id)
            if said is None:  # broken off, while it was in this pass
                continue
            said.hear(output)
            if output.finish_reason is not None:
                engine.output_processor.abort_requests([output.request_id], internal=True)  # its texts and tables
                reason = str(output.finish_reason) if output.finish_reason in BROKEN else ""
                _settle(said.answer, said.reply(), broken=reason)
                del self._asked[output.request_id]

    def _die(self, problem: BaseException) -> None:
        self._dead = self._dead or _told(problem)
        self._fail(self._dead)

    def _fail(self, problem: BaseException) -> None:
        for said in self._asked.values():
            said.answer.set_exception(problem)
        self._asked.clear()

    def _changed(self, engine: Any, work: Callable[[Any], R]) -> R:
        if self._asleep:
            self._wake(engine)
        result = work(engine)
        self.version += 1
        return result

    def _sleep(self, engine: Any) -> None:
        if not self._asleep:
            engine.sleep(1)
            self._asleep = True

    def _wake(self, engine: Any) -> None:
        engine.wake_up()
        self._asleep = False

    def _built(self) -> Any:
        from vllm import EngineArgs
        from vllm.usage.usage_lib import UsageContext
        from vllm.v1.engine.llm_engine import LLMEngine

        if self.shape.device != "cuda":
            _plainly()
        asked = EngineArgs(**arguments(self.shape))
        engine = LLMEngine.from_engine_args(asked, usage_context=UsageContext.LLM_CLASS)
        ask_at_ends(engine.engine_core.engine_core.scheduler.kv_cache_manager)
        return engine

    def _prompt(self, question: Question) -> Any:
        from vllm.inputs.engine import tokens_input

        return tokens_input(list(question.tokens), cache_salt=str(self.version))

    def _params(self, question: Question) -> Any:
        from vllm import SamplingParams

        return SamplingParams(
            temperature=question.temperature,
            seed=question.seed,
            max_tokens=question.room,
            stop_token_ids=list(self.shape.stops),
            ignore_eos=True,  # those that the model's description names; ours hold all that end a reply
            logprobs=0,
            detokenize=False,
            skip_clone=True,
        )

    def _extras(self) -> dict[str, Any]:
        if not self.shape.rank:
            return {}
        from vllm.lora.request import LoRARequest

        return {"lora_request": LoRARequest(f"version{self.version}", ADAPTER, "in-memory")}


def _plainly() -> None:
    """On a CPU, where it is only tried out: weights stay in the parameters instead of a copy laid out for oneDNN."""
    from vllm import _custom_ops

    _custom_ops._supports_onednn = False


def _settle(future: Answer, reply: Reply, *, broken: str) -> None:
    """Hand a reply over; not one that vLLM gave up, or computed wrongly, which would go unnoticed in an episode."""
    if broken:
        future.set_exception(
            PolicyError(
                f"vLLM gave a reply up after {counted(len(reply.tokens), 'token')}, for the reason '{broken}'",
                hint="VLLM_LOGGING_LEVEL=INFO lets vLLM tell more",
            )
        )
    elif any(map(math.isnan, reply.logprobs)):
        future.set_exception(
            PolicyError(
                "vLLM gave a log-probability that is not a number",
                hint="the weights hold such a number, or sampling.vllm.graphs = 'none' helps",
            )
        )
    else:
        future.set_result(reply)


def _told(problem: BaseException) -> BaseException:
    """vLLM's failures in our words, with what to do about them."""
    text = str(problem)
    if isinstance(problem, ProwessError) or not isinstance(problem, Exception):
        return problem
    if "out of memory" in text.lower() or "requested memory for kv" in text:
        hint = "a smaller sampling.cache_gb or sampling.rows, or sampling.vllm.sleep = true"
    elif "Free memory on device" in text:
        hint = "something else holds the GPU's memory (nvidia-smi tells what)"
    elif "KV cache" in text or "cache blocks" in text:
        hint = "a larger sampling.cache_gb, or a smaller agent.context_tokens"
    else:
        hint = "VLLM_LOGGING_LEVEL=INFO lets vLLM tell more"
    return RecipeError(f"vLLM stopped: {type(problem).__name__}: {shorten(text, 400, placeholder=' ...')}", hint=hint)
