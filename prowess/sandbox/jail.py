"""The jail: CPython children confined by the kernel, one per episode. The tier to use on Linux."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from prowess.errors import SandboxError
from prowess.sandbox.frames import Damaged, Gone, Late, packed
from prowess.sandbox.host import Child, jail_zygote
from prowess.sandbox.meter import Meter
from prowess.sandbox.recording import Tapes
from prowess.sandbox.session import NO_CODE
from prowess.sandbox.settings import ApiCall, ApiNames, Interpreter, SandboxSettings
from prowess.sandbox.step import StepExchange
from prowess.sandbox.uses import Definitions
from prowess.types import Observation

_PAUSE = 0.2
"""Seconds until an interpreter that could not be forked is asked for again."""


class NoRoom(SandboxError):
    """The machine had no process or no memory left for an interpreter. That may pass."""

    def __init__(self) -> None:
        super().__init__(
            "an interpreter could not be started: the machine has no process or no memory left for it",
            hint="fewer workers, or more processes for this user (`ulimit -u`) or container (its pids limit)",
        )


class Jail:
    """Opens jailed interpreters; keeps a few warm. Thread-safe."""

    def __init__(self, settings: SandboxSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._warm: deque[Child] = deque()
        self.closed = False
        self._zygote = jail_zygote(settings)
        child = self._zygote.fork()
        _wait_until_ready(child, settings)
        self._warm.append(child)
        granted = self._zygote.granted["namespaces"]
        self.name = "jail (landlock+seccomp+namespaces)" if granted else "jail (landlock+seccomp)"

    def open(
        self, *, seed: int = 0, now: str | None = None, imports: Sequence[str] = (), apis: ApiNames | None = None
    ) -> Interpreter:
        if self.closed:
            raise SandboxError("this sandbox is closed")
        return JailedInterpreter(self, self._settings, {"seed": seed, "now": now, "imports": [*imports], "apis": apis})

    def close(self) -> None:
        with self._lock:
            self.closed = True
            self._warm.clear()
            self._zygote.close()

    def refill(self) -> None:
        """Ask for children until enough are warm. After a first step rather than before: it would wait for them."""
        with self._lock, contextlib.suppress(SandboxError):
            while not self.closed and len(self._warm) < self._settings.warm:
                self._warm.append(self._zygote.fork())

    def child(self) -> Child:
        """A child to run code in: a warm one if there is one."""
        with self._lock:
            if self.closed:
                raise SandboxError("this sandbox is closed")
            if not self._zygote.alive:
                self._restart()
            if self._warm:
                return self._warm.popleft()
            try:
                return self._zygote.fork()
            except SandboxError:  # it died just now
                self._restart()
                return self._zygote.fork()

    def _restart(self) -> None:
        self._warm.clear()
        self._zygote.close()
        self._zygote = jail_zygote(self._settings)


class JailedInterpreter:
    """One episode's interpreter. After a death by its own doing the next step gets a fresh child."""

    def __init__(self, jail: Jail, settings: SandboxSettings, start: Mapping[str, Any]) -> None:
        self._jail = jail
        self._settings = settings
        self._start = {
            **start,
            "step_seconds": settings.step_seconds,
            "output_chars": settings.output_chars,
            "echo": settings.echo,
            "frame_bytes": settings.frame_bytes,
            "record": settings.record_bytes > 0,
        }
        self._blocks = 0
        self._meter = Meter(settings)
        self._tapes = Tapes(settings.record_bytes, start["now"])
        self._definitions = Definitions()
        self._closed = False
        self._fresh = True
        self._child: Child | None = None
        with contextlib.suppress(NoRoom):  # there may be room when the first step comes
            self._child = self._begun()

    def run(self, code: str, call: ApiCall | None) -> Observation:
        if self._closed or self._jail.closed:
            raise SandboxError("this interpreter is closed")
        block, self._blocks = self._blocks, self._blocks + 1
        if not code.strip():
            return Observation(text=NO_CODE, failed=True)
        candidates = self._definitions.called_by(code)
        step = StepExchange(
            self._settings, call, block=block, candidates=candidates, meter=self._meter, tapes=self._tapes
        )
        try:
            observation = step.play(code, self._ready)
        except BaseException:
            self.discard()
            raise
        if observation.fatal:
            self.discard()
        else:
            self._definitions.add(code, block)
        if self._fresh:
            self._fresh = False
            self._jail.refill()
        return observation

    def close(self) -> None:
        self._closed = True
        self.discard()

    def discard(self) -> None:
        """Let the child go, and with it what it defined."""
        self._definitions = Definitions()
        if self._child is not None:
            self._child.kill()
            self._child = None

    def _ready(self) -> Child:
        patience = time.monotonic() + self._settings.start_seconds
        while True:
            try:
                if self._child is None:
                    self._child = self._begun()
                _wait_until_ready(self._child, self._settings)
                return self._child
            except NoRoom:
                self._child = None
                if time.monotonic() > patience:
                    raise
                time.sleep(_PAUSE)

    def _begun(self) -> Child:
        """A child that has been told its seed and clock; those that died while they were kept warm are passed over."""
        self._fresh = True
        for _ in range(self._settings.warm + 2):
            child = self._jail.child()
            try:
                child.channel.send(packed(self._start), deadline=time.monotonic() + self._settings.start_seconds)
            except Gone:
                if child.never_was():
                    raise NoRoom from None
                continue
            except Late as error:
                raise SandboxError(f"an interpreter did not start: {error}") from None
            return child
        raise SandboxError("interpreters die before they are used", hint="the machine may be short of memory")


def _wait_until_ready(child: Child, settings: SandboxSettings) -> None:
    """Wait for a child to be confined; SandboxError when it cannot be."""
    if child.ready:
        return
    try:
        message = child.channel.receive(deadline=time.monotonic() + settings.start_seconds)
    except Late:
        child.kill()
        raise SandboxError(
            f"an interpreter did not start within {settings.start_seconds:g} seconds",
            hint="the machine is overloaded: fewer workers, or a larger sandbox.start_seconds",
        ) from None
    except Gone as error:
        if child.never_was():
            raise NoRoom from None
        raise SandboxError(f"an interpreter did not start: {error}") from None
    except Damaged as error:
        child.kill()
        raise SandboxError(f"an interpreter did not start: {error}") from None
    if message != {"ready": True}:
        child.kill()
        raise SandboxError(f"an interpreter could not be confined: {str(message)[:300]}")
    child.ready = True
