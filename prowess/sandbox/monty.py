"""The fallback where there is no jail: pydantic-monty, an interpreter of a reduced Python in processes of its own.

It has no way to watch calls, so functions of earlier blocks count as called when the submitted code calls them by
name and did not fail, or when the traceback goes through them.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import re
from collections.abc import Sequence
from typing import Any

from pydantic_monty import (
    ClassInstance,
    CollectString,
    Monty,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySession,
)

from prowess.errors import SandboxError
from prowess.sandbox.answer import answered
from prowess.sandbox.failure import PREFIX
from prowess.sandbox.meter import Meter
from prowess.sandbox.session import NO_CODE, SUCCESS
from prowess.sandbox.settings import NO_APIS, ApiCall, ApiFailure, ApiNames, Interpreter, SandboxSettings
from prowess.sandbox.uses import Definitions
from prowess.types import Call, Observation

_PREAMBLE = """\
import json as _json
_print = print
def print(*values, **options):
    if len(values) == 1 and not options and isinstance(values[0], (dict, list, tuple)):
        text = _json.dumps(values[0])
        if len(text) >= 100:
            text = _json.dumps(values[0], indent=1)
        _print(text)
    else:
        _print(*values, **options)
def input(*values):
    raise Exception("input(..) is not allowed. All decisions must be made autonomously.")
"""


class MontySandbox:
    """Opens interpreters of the reduced Python. Thread-safe."""

    name = "monty (reduced Python)"

    def __init__(self, settings: SandboxSettings) -> None:
        self._settings = settings
        self._open = contextlib.ExitStack()
        seconds = settings.step_seconds + settings.grace_seconds
        self.pool = self._open.enter_context(Monty(min_processes=1, max_processes=4096, request_timeout=seconds))

    def open(
        self, *, seed: int = 0, now: str | None = None, imports: Sequence[str] = (), apis: ApiNames | None = None
    ) -> Interpreter:
        return MontyInterpreter(self, self._settings, seed=seed, now=now, imports=imports)

    def close(self) -> None:
        self._open.close()


class MontyInterpreter:
    """One episode's session in a worker of the pool."""

    def __init__(
        self, sandbox: MontySandbox, settings: SandboxSettings, *, seed: int, now: str | None, imports: Sequence[str]
    ) -> None:
        self._imports = imports
        self._sandbox = sandbox
        self._settings = settings
        self._policy: dict[str, Any] = {"random_start": {"seed": seed}}
        if now is not None:
            self._policy |= {"datetime": datetime.datetime.fromisoformat(now), "sleep": "zero"}
        self._blocks = 0
        self._meter = Meter(settings)
        self._call: ApiCall | None = None
        self._broken: BaseException | None = None
        self._definitions = Definitions()
        self._closed = False
        self._open = contextlib.ExitStack()
        self._session: MontySession | None = None

    def run(self, code: str, call: ApiCall | None) -> Observation:
        if self._closed:
            raise SandboxError("this interpreter is closed")
        block, self._blocks = self._blocks, self._blocks + 1
        if not code.strip():
            return Observation(text=NO_CODE, failed=True)
        self._call, self._broken = call, None
        self._meter.begin()
        candidates = self._definitions.called_by(code, traced=False)
        printed = CollectString(max_bytes=4 * self._settings.output_chars)
        session = self._session or self._begun()
        try:
            value = session.feed_run(code.strip(), print_callback=printed)
        except MontyCrashedError as crash:
            self._raise_broken()
            return self._fatal(str(crash))
        except MontyError as error:
            self._raise_broken()
            if isinstance(error.exception(), TimeoutError) and "time limit" in str(error):
                return self._fatal(f"The code ran longer than {self._settings.step_seconds:g} seconds")
            return self._failed(error, candidates)
        self._raise_broken()
        self._definitions.add(code, block)
        text = printed.output
        if self._settings.echo and value is not None:
            text += f"{value!r}\n"
        calls = tuple(Call(name=name, block=max(blocks)) for name, blocks in candidates.items())
        return Observation(
            text=text if text.strip() else SUCCESS, calls=calls, apis=self._meter.apis, breaks=self._meter.breaks
        )

    def close(self) -> None:
        self._closed = True
        self._discard()

    def answer(self, app: str, api: str, positional: tuple[Any, ...], arguments: dict[str, Any]) -> Any:
        """Pass an API call on to the world; called from within `feed_run`."""
        if positional:
            raise TypeError(f"{app}.{api}() takes keyword arguments only: write the name of each argument")
        sent = json.loads(json.dumps(arguments, allow_nan=False))
        if refusal := NO_APIS if self._call is None else self._meter.refusal(app, api):
            raise Exception(refusal)
        assert self._call is not None
        try:
            return answered(
                self._call, app, api, sent, meter=self._meter, packed=lambda value: json.loads(json.dumps(value))
            )
        except ApiFailure as failure:
            raise Exception(str(failure)) from None
        except BaseException as broken:
            self._broken = broken  # an outage, or an interruption: raised again outside
            raise

    def _begun(self) -> MontySession:
        limits: Any = {
            "max_feed_duration_secs": self._settings.step_seconds,
            "max_memory": self._settings.memory_mb << 20,
            "max_suspensions": 3 * self._settings.api_calls_total + 10_000,
        }
        policy: Any = self._policy
        self._session = self._open.enter_context(self._sandbox.pool.checkout(limits=limits, os_policy=policy))
        self._session.feed_run(_PREAMBLE, inputs={"apis": _Apis(self, lazy_attrs="all", allowed_methods="all")})
        for statement in self._imports:
            with contextlib.suppress(MontyError):  # a module that the reduced Python lacks
                self._session.feed_run(statement)
        return self._session

    def _discard(self) -> None:
        self._definitions = Definitions()
        self._session = None
        with contextlib.suppress(MontyError, RuntimeError):
            self._open.close()

    def _raise_broken(self) -> None:
        if self._broken is not None:
            self._discard()
            raise self._broken

    def _failed(self, error: MontyError, candidates: dict[str, frozenset[int]]) -> Observation:
        shown = error.display("traceback") if not isinstance(error, MontyCrashedError) else str(error)  # type: ignore[attr-defined]
        lines = [line for line in shown.splitlines() if not re.fullmatch(r"\s*~+\s*", line)]
        text = "\n".join(lines[1:] if lines and lines[0].startswith("Traceback") else lines)
        text = re.sub(r'File "<python-input-\d+>"', 'File "<python-input>"', text)
        frames = error.traceback() if isinstance(error, MontyRuntimeError) else []
        through = {frame.function_name for frame in frames}
        calls = tuple(
            Call(name=name, block=max(blocks), error=lines[-1][:300] if lines else "failed")
            for name, blocks in candidates.items()
            if name in through
        )
        return Observation(
            text=PREFIX + text, failed=True, calls=calls, apis=self._meter.apis, breaks=self._meter.breaks
        )

    def _fatal(self, why: str) -> Observation:
        self._discard()
        return Observation(
            text=f"Execution failed. {why}; the interpreter was restarted. "
            "Variables and functions defined so far are gone.",
            failed=True,
            apis=self._meter.apis,
            breaks=self._meter.breaks,
            fatal=why,
        )


class _Apis(ClassInstance):
    """`apis` inside the session; its value is the interpreter."""

    def lookup_lazy_attrs(self, name: str) -> Any:
        return _App((self.value, name), lazy_attrs="all", allowed_methods="all")


class _App(ClassInstance):
    """`apis.app` inside the session; its value is the interpreter and the app's name."""

    def call_method(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        interpreter, app = self.value
        return interpreter.answer(app, name, args, kwargs)
