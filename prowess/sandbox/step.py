"""One step in the jail: code goes to the child, API calls come back, and how it ends is told."""

from __future__ import annotations

import os
import secrets
import signal
import time
from collections.abc import Callable
from typing import Any

from prowess.errors import SandboxError
from prowess.sandbox.answer import answered
from prowess.sandbox.forks import CROWDED, KILLED
from prowess.sandbox.frames import Damaged, Gone, Late, depth_exceeds, packed
from prowess.sandbox.host import Child
from prowess.sandbox.meter import Meter
from prowess.sandbox.recording import Tapes
from prowess.sandbox.settings import NO_APIS, ApiCall, ApiFailure, SandboxSettings
from prowess.sandbox.worker import OUT_OF_MEMORY
from prowess.types import Call, Observation

_MUCH = 0.25
"""From this share of its memory on a child is to blame if the kernel kills it: several could agree to take much."""
_GONE = "Variables and functions defined so far are gone."


class StepExchange:
    """One step's conversation with the child. Nothing that the child says is believed."""

    def __init__(
        self,
        settings: SandboxSettings,
        call: ApiCall | None,
        *,
        block: int,
        candidates: dict[str, frozenset[int]],
        meter: Meter,
        tapes: Tapes,
    ) -> None:
        self._settings = settings
        self._call = call
        self._block = block
        self._candidates = candidates
        self._nonce = secrets.token_hex(8)
        self._meter = meter
        self._meter.begin()
        self._tapes = tapes
        self._tapes.begin()
        self._refused = 0

    def play(self, code: str, opened: Callable[[], Child]) -> Observation:
        """Run the code in a child, which is asked for once the code is fit to be sent."""
        try:
            step = {"code": code, "block": self._block, "watched": [*self._candidates], "acts": self._call is not None}
            frame = packed({**step, "nonce": self._nonce})
        except UnicodeEncodeError:
            text = "Execution failed. Traceback:\nSyntaxError: the code holds characters that are not Unicode text"
            return Observation(text=text, failed=True)
        if len(frame) > self._settings.frame_bytes:
            return Observation(text="Execution failed. Traceback:\nSyntaxError: the code is too long", failed=True)
        child = opened()
        child.acted |= self._call is not None
        before = child.threads() if child.acted and self._call is None else 1
        hard = time.monotonic() + self._settings.step_seconds + self._settings.grace_seconds
        try:
            child.channel.expect_silence()
            child.channel.send(frame, deadline=hard)
            while True:
                message = child.channel.receive(deadline=hard)
                if not isinstance(message, dict) or message.get("nonce") != self._nonce:
                    raise Damaged("a message that does not belong to this step")
                if "app" not in message:
                    ended = self._ended(message)
                    if self._call is None and child.threads() > before:
                        return self._fatal("threads", "The code started a thread while functions were being defined")
                    return ended
                asked = time.monotonic()
                answer = self._answer(message)
                hard += time.monotonic() - asked  # the code does not pay for the world's time
                child.channel.send(answer, deadline=hard)
        except Late:
            seconds = f"{self._settings.step_seconds:g}"
            return self._fatal(
                "deadline", f"The code ran longer than {seconds} seconds and did not react to its interruption"
            )
        except Damaged as damage:
            return self._fatal("protocol", f"The code interfered with the sandbox ({damage})", denied=1)
        except Gone:
            return self._died(child)

    def _answer(self, message: dict[str, Any]) -> bytes:
        """Pass an API call on; refuse what is malformed or too much."""
        app, api, arguments = message["app"], message.get("api"), message.get("arguments")
        if not (isinstance(app, str) and isinstance(api, str) and isinstance(arguments, dict)):
            raise Damaged("a malformed API call")
        if not (_is_name(app) and _is_name(api)):
            return self._refuse("No such app or API.")
        if depth_exceeds(arguments, self._settings.json_depth):
            return self._refuse(f"Arguments are nested deeper than {self._settings.json_depth} levels.")
        if self._call is None:
            return self._refuse(NO_APIS)
        if refusal := self._meter.refusal(app, api):
            return self._refuse(refusal)
        try:
            value, frame = answered(
                self._call,
                app,
                api,
                arguments,
                meter=self._meter,
                packed=lambda value: (value, packed({"value": value})),
            )
        except ApiFailure as failure:
            return self._fail(f"{app}.{api}", arguments, str(failure))
        if len(frame) > self._settings.frame_bytes:
            return self._fail(
                f"{app}.{api}", arguments, f"The answer is larger than {self._settings.frame_bytes} bytes."
            )
        self._tapes.note(f"{app}.{api}", arguments, {"answer": value})
        return frame

    def _fail(self, api: str, arguments: dict[str, Any], why: str) -> bytes:
        self._tapes.note(api, arguments, {"error": why})
        return packed({"failure": why})

    def _refuse(self, why: str) -> bytes:
        self._tapes.refused()
        self._refused += 1
        if self._refused > self._settings.api_calls_step:
            raise Damaged("a flood of API calls")
        return packed({"failure": why})

    def _ended(self, message: dict[str, Any]) -> Observation:
        text, failed, denied = message.get("text"), message.get("failed"), message.get("denied")
        if not isinstance(text, str) or not isinstance(failed, bool) or type(denied) is not int:
            raise Damaged("a malformed end of a step")
        room = self._settings.output_chars + 1000
        return Observation(
            text=text[:room],
            failed=failed,
            calls=self._accepted(message.get("calls")),
            apis=self._meter.apis,
            breaks=self._meter.breaks,
            denied=min(max(denied, 0), 1_000_000),
            tapes=() if failed else self._tapes.finish(message.get("takes")),
        )

    def _accepted(self, reported: Any) -> tuple[Call, ...]:
        """Calls in the child's report that the submitted code also contains; the rest is forged."""
        calls = []
        for entry in reported if isinstance(reported, list) else []:
            if isinstance(entry, list) and len(entry) == 3:
                name, block, error = entry
                # True is an int to Python, and no number to a record, which refuses it.
                sound = isinstance(name, str) and type(block) is int and isinstance(error, str)
                if sound and block in self._candidates.get(name, ()):
                    calls.append(Call(name=name, block=block, error=error[:300]))
        return tuple(dict.fromkeys(calls))

    def _died(self, child: Child) -> Observation:
        """Tell a death by the code's own doing from one that came from outside."""
        ending = child.ending()
        if ending is None:
            raise SandboxError("the jail's zygote died and its interpreters with it")
        status, seconds, megabytes = ending
        if status == KILLED:
            return self._fatal("closed", "The code cut its interpreter off from the sandbox", denied=1)
        if status == CROWDED:
            return self._fatal("threads", "The code held many threads when the machine had no process left")
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            if number == signal.SIGKILL and seconds >= self._settings.cpu_seconds:
                number = signal.SIGXCPU  # which it ignored, until the kernel ended it
            if number == signal.SIGKILL and megabytes >= self._settings.memory_mb * _MUCH:
                return self._fatal("memory", f"The code held {megabytes} MB when the machine had no memory left")
            if number == signal.SIGKILL:
                raise SandboxError(
                    "an interpreter was killed from outside (SIGKILL)",
                    hint="the machine may be short of memory: fewer workers, or a smaller sandbox.memory_mb",
                )
            name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
            if number == signal.SIGXCPU:
                return self._fatal("cpu", f"The code used up its {self._settings.cpu_seconds} seconds of CPU time")
            if number == signal.SIGSYS:
                return self._fatal("forbidden", "The code made a forbidden system call", denied=1)
            return self._fatal("crash", f"The interpreter crashed ({name})")
        if os.WEXITSTATUS(status) == OUT_OF_MEMORY:
            return self._fatal("memory", f"The code needs more than {self._settings.memory_mb} MB of memory")
        return self._fatal("exit", "The code ended its interpreter")

    def _fatal(self, kind: str, why: str, *, denied: int = 0) -> Observation:
        return Observation(
            text=f"Execution failed. {why}; the interpreter was restarted. {_GONE}",
            failed=True,
            apis=self._meter.apis,
            breaks=self._meter.breaks,
            denied=denied,
            fatal=f"{kind}: {why}",
        )


def _is_name(text: str) -> bool:
    return len(text) <= 100 and text.isidentifier()
