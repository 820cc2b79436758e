"""No sandbox at all: code runs in this process, with everything this process may do. Only by explicit name.

For debugging a world, and as the yardstick of the benchmark. There is no time limit, no memory limit, and the
clock is the machine's.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from prowess.errors import SandboxError
from prowess.sandbox.answer import answered
from prowess.sandbox.failure import FILES
from prowess.sandbox.meter import Meter
from prowess.sandbox.recording import Tapes
from prowess.sandbox.session import Session
from prowess.sandbox.settings import NO_APIS, ApiCall, ApiFailure, ApiNames, Interpreter, SandboxSettings
from prowess.sandbox.uses import Definitions
from prowess.text.syntax import hush
from prowess.types import Call, Observation

hush(FILES)


class Unsafe:
    """Opens interpreters that protect nothing."""

    name = "unsafe (no protection)"

    def __init__(self, settings: SandboxSettings) -> None:
        self._settings = settings

    def open(
        self, *, seed: int = 0, now: str | None = None, imports: Sequence[str] = (), apis: ApiNames | None = None
    ) -> Interpreter:
        return UnsafeInterpreter(self._settings, imports, apis, now)

    def close(self) -> None:
        pass


class UnsafeInterpreter:
    """One episode's variables, in this process."""

    def __init__(
        self, settings: SandboxSettings, imports: Sequence[str], apis: ApiNames | None, now: str | None = None
    ) -> None:
        self._settings = settings
        self._sent = 0
        self._tapes = Tapes(settings.record_bytes, now)
        self._session = Session(
            self._send,
            output_chars=settings.output_chars,
            echo=settings.echo,
            imports=imports,
            apis=apis,
            sent=(lambda: self._sent) if settings.record_bytes else None,
        )
        self._definitions = Definitions()
        self._blocks = 0
        self._meter = Meter(settings)
        self._call: ApiCall | None = None
        self._broken: BaseException | None = None

    def run(self, code: str, call: ApiCall | None) -> Observation:
        if self._session is None:
            raise SandboxError("this interpreter is closed")
        self._call, self._broken, self._sent = call, None, 0
        self._meter.begin()
        self._tapes.begin()
        block, self._blocks = self._blocks, self._blocks + 1
        candidates = self._definitions.called_by(code)
        outcome = self._session.run(code, block=block, watched=candidates)
        if self._broken is not None:
            raise self._broken
        self._definitions.add(code, block)
        calls = [Call(name=n, block=b, error=e) for n, b, e in outcome.calls if b in candidates.get(n, ())]
        return Observation(
            text=outcome.text,
            failed=outcome.failed,
            calls=tuple(calls),
            apis=self._meter.apis,
            breaks=self._meter.breaks,
            tapes=self._tapes.finish([*outcome.takes]),
        )

    def close(self) -> None:
        self._session = None  # type: ignore[assignment]

    def _send(self, app: str, api: str, arguments: dict[str, Any]) -> Any:
        sent = json.loads(json.dumps(arguments, allow_nan=False))
        self._sent += 1
        if refusal := NO_APIS if self._call is None else self._meter.refusal(app, api):
            self._tapes.refused()
            raise Exception(refusal)
        assert self._call is not None
        try:
            # Through JSON, so that code and world share no objects, as in the jail.
            answer = answered(
                self._call, app, api, sent, meter=self._meter, packed=lambda value: json.loads(json.dumps(value))
            )
            self._tapes.note(f"{app}.{api}", sent, {"answer": answer})
            return answer
        except ApiFailure as failure:
            self._tapes.note(f"{app}.{api}", sent, {"error": str(failure)})
            raise Exception(str(failure)) from None
        except BaseException as broken:
            self._broken = broken  # an outage, or an interruption: raised again outside
            raise
