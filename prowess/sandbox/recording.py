"""Tapes of function calls: what the child took down, with the API answers that the host gave meanwhile.

The takes are in the hands of the code that runs in the child, so nothing of them is believed but their shape; a replay
finds out what they are worth. Values of secrets are masked, the same value by the same word everywhere, so that a
replay still runs and what is kept gives nothing away.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from prowess.sandbox.frames import depth_exceeds
from prowess.sandbox.takes import CALL, ROOM
from prowess.text.syntax import tree_of, tree_or_none
from prowess.types import Json, Tape

_SECRET = re.compile(r"(?:^|_)(?:password|passcode|secret|token|api_key|cvv|pin|card_number|verification_code)$")
_MASK = re.compile(r"<[a-z_]+ \d+>")
_TAKES = 1000
"""Takes looked at in one step."""


class Tapes:
    """One episode's recording: the exchanges of the step under way, and how much may still be kept."""

    def __init__(self, room: int, now: str | None) -> None:
        self._room = room
        self._most = room
        self._now = now or ""
        self._exchanges: list[dict[str, Json] | None] = []
        self._ends = [0]
        """How long the step's exchanges are together, before the first and after each."""

    def begin(self) -> None:
        """A new step."""
        self._exchanges, self._ends = [], [0]

    def note(self, api: str, arguments: Mapping[str, Json], answer: Mapping[str, Json]) -> None:
        """An API call was answered: `{"answer": ...}` or `{"error": ...}`."""
        if not self._most:
            return
        exchange = {"api": api, "arguments": arguments, **answer}
        size = self._ends[-1]
        size += len(json.dumps(exchange)) if size <= self._most else 0
        # Past what an episode may keep nothing is held; takes that would need it are dropped.
        self._exchanges.append(exchange if size <= self._most else None)
        self._ends.append(size)

    def refused(self) -> None:
        """The sandbox refused an API call: no replay hears of it, so takes with such a call are dropped."""
        self._exchanges.append(None)
        self._ends.append(self._ends[-1])

    def finish(self, takes: Any) -> tuple[Tape, ...]:
        """The step's tapes, as far as they fit."""
        if not self._most or not isinstance(takes, list):
            return ()
        tapes = []
        room = ROOM
        for take in takes[:_TAKES]:
            call = take.get("call") if isinstance(take, dict) else None
            if not isinstance(call, str) or len(call) > min(CALL, room):
                continue  # no honest child sends more, and each takes the host's time to read
            room -= len(call)
            tape = self._tape(take, call)
            if tape is not None:
                tapes.append(tape)
        return tuple(tapes)

    def _tape(self, take: dict[str, Any], call: str) -> Tape | None:
        if depth_exceeds(take, 50):
            return None
        name, block, first, last = (take.get(key) for key in ("name", "block", "first", "last"))
        if not (isinstance(name, str) and "result" in take):
            return None
        if not (type(block) is int and type(first) is int and type(last) is int):  # True is no number
            return None
        if not 0 <= first <= last <= len(self._exchanges) or plain_call(call) != name:
            return None
        held = self._exchanges[first:last]
        answers = [exchange for exchange in held if exchange is not None]
        size = len(call) + self._ends[last] - self._ends[first] + len(json.dumps(take["result"]))
        if len(answers) < len(held) or size > self._room:
            return None
        before, self._room = self._room, self._room - size  # also for what comes to nothing: to look at it takes time
        masks = masks_of(answers)
        try:
            call = masked_call(call, masks)
        except (ValueError, RecursionError, MemoryError):  # it can be read, and not be written
            return None
        tape = Tape(
            name=name,
            block=block,
            call=call,
            answers=tuple(masked(exchange, masks) for exchange in answers),
            expected=masked(take["result"], masks),
            now=self._now,
        )
        self._room = before - max(size, _size(tape))
        return tape if self._room >= 0 else None


def plain_call(text: str) -> str:
    """The function that a text calls, if it is one call with plain data, APIs or apps as its arguments; or nothing.

    Whoever repeats a recorded call must also know the function: `eval("...")` is such a call.

    >>> plain_call("f(x=[1], api=apis.music.login)"), plain_call("f(open('/etc/passwd'))")
    ('f', '')
    """
    tree = tree_or_none(text)
    match tree and tree.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id=called), args=args, keywords=keywords))]:
            values = [*args, *(word.value for word in keywords)]
            return called if all(word.arg for word in keywords) and all(map(_is_plain, values)) else ""
    return ""


def _is_plain(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr=api, value=ast.Attribute(attr=app, value=ast.Name(id="apis"))):
            return not (api.startswith("_") or app.startswith("_"))
        case ast.Attribute(attr=app, value=ast.Name(id="apis")):
            return not app.startswith("_")
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return True


def masks_of(answers: Iterable[Mapping[str, Json]]) -> dict[str, str]:
    """A word for each secret that travelled, in order of appearance.

    >>> masks_of([{"arguments": {"password": "hunter2"}, "answer": {"access_token": "eyJ"}}])
    {'hunter2': '<password 1>', 'eyJ': '<access_token 2>'}
    """
    masks: dict[str, str] = {}
    waiting: list[Any] = list(reversed([*answers]))
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            for key, item in value.items():
                if isinstance(item, str) and item and _SECRET.search(key) and not _MASK.fullmatch(item):
                    masks.setdefault(item, f"<{key} {len(masks) + 1}>")
            waiting += reversed([item for item in value.values() if isinstance(item, dict | list)])
        elif isinstance(value, list):
            waiting += reversed(value)
    return masks


def masked(value: Json, masks: Mapping[str, str]) -> Json:
    """A value with its secrets masked."""
    if isinstance(value, str):
        return masks.get(value, value)
    if isinstance(value, list):
        return [masked(item, masks) for item in value]
    if isinstance(value, dict):
        return {key: masked(item, masks) for key, item in value.items()}
    return value


def masked_call(call: str, masks: Mapping[str, str]) -> str:
    """A call with its secrets masked."""
    if not masks:
        return call
    tree = tree_of(call)
    found = False
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in masks:
            node.value, found = masks[node.value], True
    return ast.unparse(tree) if found else call


def _size(tape: Tape) -> int:
    return len(tape.call) + len(json.dumps([tape.answers, tape.expected]))
