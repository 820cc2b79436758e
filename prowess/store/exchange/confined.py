"""The recorded calls of code that came with an export, repeated in the sandbox: what its own test uses where we are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from typing import Any

from prowess.sandbox import open_sandbox
from prowess.store.gates.admission import replay_settings
from prowess.store.gates.replay import repeated_code
from prowess.store.record import Trial


def failures(code: str, trials: Iterable[Mapping[str, Any]]) -> list[str] | None:
    """What is wrong with recorded calls, a line for each; None where this machine's sandbox does not tell results."""
    found = []
    with closing(open_sandbox(replay_settings())) as sandbox:
        for told in trials:
            trial = Trial(
                digest="",
                call=str(told["call"]),
                answers=tuple(told["answers"]),
                expected=told["expected"],
                now=str(told.get("now", "")),
            )
            played = repeated_code(code, trial, sandbox)
            if not played.readable:
                return None
            if played.problem:
                found.append(f"{trial.call!r} {played.problem}")
    return found
