"""One call of a skill: defined where it runs, called, its result read back, and the use of it counted."""

from __future__ import annotations

import ast
import itertools
import json
import math
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass

from prowess.errors import ProwessError
from prowess.sandbox.session import SUCCESS
from prowess.store.db import Store
from prowess.store.exchange.kit.check import problem
from prowess.store.exchange.script import closure_in, script_of
from prowess.store.record import Usage, Version
from prowess.store.serve.ground import Executor, Ground
from prowess.store.serve.telling import deep
from prowess.store.standing import Entry
from prowess.text.syntax import tree_or_none
from prowess.text.terminal import safe, say
from prowess.types import Defining, Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a call came to."""

    value: Json = None
    text: str = ""
    """The value as JSON to be read, with what one could not see spelled out. If that is cut, or nested too deep to be
    sent as a value, there is none."""
    printed: str = ""
    whole: bool = True


class CallFailed(Exception):
    """A call that did not go well, told in plain text."""


class Caller:
    """Makes calls, from any thread. What it counts belongs to one run: that of the server."""

    def __init__(self, store: Store, ground: Ground, *, result_chars: int) -> None:
        self.run = f"serve-{secrets.token_hex(8)}"
        self._store, self._ground, self._limit = store, ground, result_chars
        self._count = itertools.count(1)
        self._lock = threading.Lock()
        self._place: Executor | None = None

    def __call__(self, entry: Entry, arguments: Mapping[str, Json]) -> Result:
        """Call a skill; raises CallFailed. What is refused before it ran is not counted."""
        version = entry.version
        if wrong := problem(dict(arguments), version.schema or {"type": "object"}):
            raise CallFailed(f"{version.name}: {wrong}")
        code = script_of(closure_in(self._store, entry.digest)).text
        error = ""
        try:
            return self._ran(version, code, arguments)
        except CallFailed as failure:
            error = str(failure)
            raise
        except ProwessError as broken:
            error = broken.message
            raise CallFailed(f"{version.name} could not be run: {broken}") from broken
        finally:
            self._counted(entry, error)

    def close(self) -> None:
        """Give the world back. May be called twice."""
        with self._lock:
            if self._place is not None:
                self._place.close()
                self._place = None

    def _ran(self, version: Version, code: str, arguments: Mapping[str, Json]) -> Result:
        if self._ground.shared:
            with self._lock:
                if self._place is None:
                    self._place = self._ground.open()
                return self._steps(self._place, version, code, arguments)
        place = self._ground.open()
        try:
            return self._steps(place, version, code, arguments)
        finally:
            place.close()

    def _steps(self, place: Executor, version: Version, code: str, arguments: Mapping[str, Json]) -> Result:
        loaded = place.define(code) if isinstance(place, Defining) else place.execute(code)
        if loaded.failed:
            raise CallFailed(f"{version.name} does not load\n{self._plain(loaded.text)}")
        if loaded.apis:  # by a world that could not refuse them: what it was told then is nobody's wish
            raise CallFailed(f"{version.name} does not load: it calls {', '.join(loaded.apis)} as it is loaded")
        called = place.execute(call_of(version, arguments))
        if called.failed:
            raise CallFailed(f"{version.name} failed\n{self._plain(called.text)}")
        told = place.execute(_TOLD.format(limit=self._limit + 1))
        if told.failed:
            raise CallFailed(f"{version.name} returned what JSON cannot hold")
        printed = "" if called.text == SUCCESS else self._plain(called.text)
        text = told.text.removesuffix("\n")
        if len(text) > self._limit:
            return Result(text=self._plain(text), printed=printed, whole=False)
        try:
            value = json.loads(text, parse_constant=str, parse_float=_finite)
            if deep(value):
                return Result(text=self._plain(text), printed=printed, whole=False)
            text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode()
            value = json.loads(text)  # half a character cannot be sent
            if safe(text) != text:
                text = json.dumps(value)  # the same JSON, where nothing hides
        except (ValueError, RecursionError):
            raise CallFailed(f"{version.name} returned nothing that can be read") from None
        return Result(value=value, text=text, printed=printed)

    def _counted(self, entry: Entry, error: str) -> None:
        usage = Usage(
            episode=f"{self.run}/{next(self._count)}",
            run=self.run,
            digest=entry.digest,
            task=self._ground.task,
            called=1,
            error=(error.strip().splitlines() or [""])[-1].strip()[:300],  # where a traceback says what it was
            success=not error,
            turns=1,
        )
        try:
            self._store.use([usage])
        except ProwessError as busy:  # which must not cost the caller their result
            say(f"prowess: a call of {entry.version.name} was not counted: {busy.message}")

    def _plain(self, text: str) -> str:
        kept = safe(text[: self._limit])
        return f"{kept}\n... (cut after {self._limit} characters)" if len(text) > self._limit else kept


def _finite(text: str) -> float | str:
    """A number; what is no number of JSON, like NaN and the infinities, is passed on as text."""
    number = float(text)
    return number if math.isfinite(number) else str(number)


_TOLD = """\
try:
    __prowess_text = __prowess_json.dumps(__prowess_value, default=str)
finally:
    __prowess_value = None
print(__prowess_text[:{limit}])
"""


def call_of(version: Version, arguments: Mapping[str, Json]) -> str:
    """The call as code; what a signature takes by place only is given by place.

    The arguments come as one text in ASCII, so that nothing in them is read as code.
    """
    placed = _by_place(version)
    given = [name for name in placed if name in arguments]
    if given != placed[: len(given)]:
        missing = next(name for name in placed if name not in arguments)
        raise CallFailed(f"{version.name}: {missing} is needed where {given[-1]} is given")
    return (
        "import json as __prowess_json\n"
        f"__prowess_given = __prowess_json.loads({json.dumps(dict(arguments))!r})\n"
        f"__prowess_placed = [__prowess_given.pop(name) for name in {given!r}]\n"
        f"__prowess_value = {version.name}(*__prowess_placed, **__prowess_given)"
    )


def _by_place(version: Version) -> list[str]:
    tree = tree_or_none(version.source)
    for node in reversed(tree.body if tree else []):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == version.name:
            return [parameter.arg for parameter in node.args.posonlyargs]
    return []
