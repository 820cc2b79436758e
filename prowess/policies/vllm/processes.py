"""Several vLLM engines, each in a process of its own, that answer as one.

vLLM's scheduler is Python and looks at every conversation in every pass: with some 500 of them, a small model's GPU
waits for one core. Several engines share the GPU and have a core each, and none of them holds up the plays and the
learner in this process. Weights are not sent: the processes see the learner's tensors, and copy them when told to.

Conversations that begin alike go to the same engine, where their beginning is read already.
"""

from __future__ import annotations

import atexit
import itertools
import os
import signal
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from prowess.errors import PolicyError, PolicyGone, ProwessError
from prowess.policies.vllm.engine import Engine
from prowess.policies.vllm.question import Answer, Question, Reply, Work
from prowess.policies.vllm.routing import Router
from prowess.policies.vllm.shape import Shape, check_vllm
from prowess.policies.vllm.weights import Giver, Source, settle

PRIORITY = "CUDA_MPS_CLIENT_PRIORITY"
"""Under NVIDIA's MPS, 1 lets a learner's products wait for others: it binds the learner alone."""


@dataclass(slots=True, kw_only=True)
class _Hand:
    """One engine's process, seen from here."""

    process: Any
    pipe: Connection
    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: dict[str, Answer] = field(default_factory=dict)
    told: dict[int, Future[Any]] = field(default_factory=dict)
    """Orders whose end is waited for, by number."""
    work: Work = field(default_factory=Work)


class VllmEngines:
    """Engines of one shape for the weights of one source. Thread-safe."""

    def __init__(self, shape: Shape, source: Source, *, size: int) -> None:
        check_vllm()
        self.shape, self.source = shape, source
        self._numbers = itertools.count()
        self._router = Router()
        self._dead: BaseException | None = None
        self._closed = False
        spawn = get_context("spawn")
        self._hands: list[_Hand] = []
        for number in range(size):
            here, there = spawn.Pipe()
            process = spawn.Process(target=_serve, args=(there, shape), name=f"vllm-{number}", daemon=True)
            process.start()
            there.close()
            self._hands.append(_Hand(process=process, pipe=here))
        atexit.register(self.close)
        for hand in self._hands:
            threading.Thread(target=self._listen, args=(hand,), name="vllm-ears", daemon=True).start()
        try:
            self._all("start", _shared(source))
        except BaseException:
            self.close(within=0.0)  # one that still starts hears nothing, and has nothing to lose
            raise

    def __repr__(self) -> str:
        state = "closed" if self._closed else "dead" if self._dead else f"{sum(self._load())} asked"
        return f"VllmEngines(of {len(self._hands)}, {state})"

    @property
    def alive(self) -> bool:
        return self._dead is None and not self._closed

    @property
    def size(self) -> int:
        return len(self._hands)

    @property
    def limit(self) -> int:
        return self.shape.limit

    def take(self, source: Source) -> None:
        """Have the weights from somebody else from now on."""
        self._all("take", _shared(source))
        self.source = source

    @property
    def work(self) -> Work:
        """What they have done, all together."""
        return sum((hand.work for hand in self._hands), start=Work())

    def ask(self, question: Question) -> Answer:
        """The reply to come; a PolicyError if this question alone cannot be answered."""
        number = self._router.of(question.opening, self._load())
        hand = self._hands[number]
        answer = Answer(f"{number}/{next(self._numbers)}")
        hand.asked[answer.name] = answer
        self._send(hand, "ask", answer.name, question)
        return answer

    def abort(self, answer: Answer) -> None:
        """Break off a reply that is under way; one that is there already is fine."""
        hand = self._hands[int(answer.name.split("/")[0])]
        if hand.asked.get(answer.name):
            with suppress(ProwessError):
                self._send(hand, "abort", answer.name)

    def give(self) -> float:
        """Let every engine take the weights as they are now; the seconds that took the slowest."""
        settle()  # the last step may not have written all of them yet
        self._router.forget()
        return max(float(seconds) for seconds in self._all("give"))

    def rest(self) -> None:
        """Give the device's memory back until the weights are given again, where the shape says so."""
        if self.shape.sleep:
            self._all("rest")

    def close(self, *, within: float = 30.0) -> None:
        """End the processes, by force those that take longer than so many seconds. Questions under way fail."""
        if self._closed:
            return
        self._closed = True
        atexit.unregister(self.close)
        for hand in self._hands:
            with suppress(OSError, ValueError):
                hand.pipe.send(("close",))
        deadline = time.monotonic() + within
        for hand in self._hands:
            hand.process.join(timeout=max(0.0, deadline - time.monotonic()))
            if hand.process.is_alive():
                hand.process.kill()
                hand.process.join(timeout=5)

    # -------------------------------------------------------------------------------------------------- the way there

    def _load(self) -> list[int]:
        return [len(hand.asked) for hand in self._hands]

    def _all(self, kind: str, *what: Any) -> list[Any]:
        """An order for every engine, waited for."""
        waited = []
        for hand in self._hands:
            number, future = next(self._numbers), Future[Any]()
            hand.told[number] = future
            self._send(hand, kind, number, *what)
            waited.append(future)
        return [future.result() for future in waited]

    def _send(self, hand: _Hand, kind: str, *what: Any) -> None:
        if self._dead is not None:
            raise self._dead
        if self._closed:
            raise PolicyGone("the engine is closed")
        try:
            with hand.lock:
                hand.pipe.send((kind, *what))
        except OSError:
            self._lose(hand)

    # -------------------------------------------------------------------------------------------------- and back

    def _listen(self, hand: _Hand) -> None:
        while True:
            try:
                kind, name, what, work = hand.pipe.recv()
            except (EOFError, OSError):
                self._lose(hand)
                return
            except Exception as problem:  # noqa: BLE001 - what cannot be read must not be waited for
                self._dead = self._dead or PolicyGone(f"a process of vLLM said what cannot be read: {problem}")
                self._lose(hand)
                return
            hand.work = work
            waiting = hand.asked.pop(name, None) if kind == "said" else hand.told.pop(name, None)
            if waiting is None:
                continue
            if isinstance(what, BaseException):
                if not isinstance(what, PolicyError):  # also after an order: who knows what it holds now
                    self._dead = self._dead or what
                waiting.set_exception(what)
            else:
                waiting.set_result(what)

    def _lose(self, hand: _Hand) -> None:
        """An engine is gone: whoever waits for it is told."""
        hand.process.join(timeout=5)
        if self._closed:
            gone = PolicyGone("the engine was closed")
        else:
            gone = PolicyGone(
                f"a process of vLLM ended with exit code {hand.process.exitcode}",
                hint="what it said last is on the terminal; -9 is mostly the system, out of memory",
            )
            self._dead = self._dead or gone
        for waiting in (*hand.asked.values(), *hand.told.values()):
            if not waiting.done():
                waiting.set_exception(gone)
        hand.asked.clear()
        hand.told.clear()


def _shared(source: Source) -> Source:
    """On a CPU tensors must move to shared memory, in place, to be seen elsewhere; a GPU's are as they are."""
    tensors = [*source.model.values(), *(source.adapter.factors.values() if source.adapter else ())]
    for one in tensors:
        if not one.is_cuda:
            one.share_memory_()
    return source


# ------------------------------------------------------------------------------------------------- in the other process


def _serve(pipe: Connection, shape: Shape) -> None:
    """An engine that takes its orders from a pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to answer, also while this imports
    os.environ.pop(PRIORITY, None)  # read when CUDA begins
    import torch.multiprocessing  # noqa: F401 (tensors travel as handles)
    from tqdm import tqdm

    # vLLM's bars lock out other processes, by a semaphore that outlives this one where it is killed. There are none.
    tqdm.set_lock(threading.RLock())
    _Servant(pipe, shape).serve()


class _Servant:
    """An engine, and whoever gives it weights, at the other end of the pipe."""

    def __init__(self, pipe: Connection, shape: Shape) -> None:
        self._pipe, self._shape = pipe, shape
        self._engine: Engine | None = None
        self._giver: Giver | None = None
        self._answers: dict[str, Answer] = {}
        self._lock = threading.Lock()

    def serve(self) -> None:
        """Do as told until it is to close, or nobody is there any more."""
        try:
            while (order := self._pipe.recv())[0] != "close":
                kind, name, *what = order
                try:
                    self._obey(kind, name, *what)
                except BaseException as problem:  # noqa: BLE001 - said to whoever ordered it
                    self._say("said" if kind == "ask" else "done", name, problem)
        except (EOFError, OSError):
            return
        finally:
            if self._engine is not None:
                self._engine.close()

    def _obey(self, kind: str, name: Any, *what: Any) -> None:
        if kind in ("start", "take"):
            self._giver, self._engine = Giver(what[0]), self._engine or Engine(self._shape)
            self._say("done", name, None)
            return
        engine, giver = self._engine, self._giver
        assert engine is not None and giver is not None
        if kind == "ask":
            answer = self._answers[name] = engine.ask(what[0])
            answer.add_done_callback(partial(self._answered, name))
        elif kind == "abort" and name in self._answers:
            engine.abort(self._answers[name])
        elif kind == "give":
            self._say("done", name, engine.change(giver))
        elif kind == "rest":
            engine.rest()
            self._say("done", name, None)

    def _answered(self, name: str, future: Future[Reply]) -> None:
        self._answers.pop(name, None)
        self._say("said", name, future.exception() or future.result())

    def _say(self, kind: str, name: Any, what: Any) -> None:
        with self._lock, suppress(OSError):
            self._pipe.send((kind, name, what, self._engine.work if self._engine else Work()))
