"""The calls of a reference solution as an agent would write them: app, API and arguments.

AppWorld records its reference solutions as requests (`get /spotify/songs/12`). The documentation of the APIs tells the
path of each, with places for some of the arguments; matching the two gives back what was called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import WorldError
from prowess.types import Json

_NUMBERS = {"integer": int, "number": float}


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """One API as its documentation tells it."""

    app: str
    name: str
    method: str
    path: str
    kinds: Mapping[str, str]
    """The type of each parameter, by name."""
    description: str = ""
    defaults: Mapping[str, Json] | None = None
    """What an argument left out means."""

    @property
    def reads(self) -> bool:
        """True for one that changes nothing."""
        return self.method == "get"

    @property
    def paged(self) -> bool:
        return "page_index" in self.kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One call: arguments as an agent gives them, without those that say what is said anyway."""

    app: str
    api: str
    arguments: Mapping[str, Json]


class Routes:
    """Every API by its method and path."""

    def __init__(self, apis: Iterable[Api]) -> None:
        self.apis = {(api.app, api.name): api for api in apis}
        # A path without places is the more exact one: /songs/liked before /songs/{song_id}.
        self._patterns = sorted(
            ((_pattern(api.path), api) for api in self.apis.values()), key=lambda pair: pair[1].path.count("{")
        )

    def asked(self, method: str, url: str, data: Mapping[str, Json]) -> Asked:
        """The call behind a request."""
        for pattern, api in self._patterns:
            if api.method == method.lower() and (found := pattern.fullmatch(url)):
                given = {**found.groupdict(), **data}
                kept = {name: value for name, value in given.items() if value is not None}
                arguments = {name: _typed(value, api.kinds.get(name, "")) for name, value in kept.items()}
                defaults = api.defaults or {}
                spoken = {n: v for n, v in arguments.items() if n not in defaults or defaults[n] != v or _odd(v)}
                return Asked(app=api.app, api=api.name, arguments=spoken)
        raise WorldError(f"no API of AppWorld has the path of '{method} {url}'")


def routes_in(data: Path) -> Routes:
    """The APIs that AppWorld's data folder documents."""
    found = []
    for file in sorted((data / "api_docs" / "standard").glob("*.json")):
        for name, doc in json.loads(file.read_text(encoding="utf-8")).items():
            parameters = doc["parameters"]
            found.append(
                Api(
                    app=file.stem,
                    name=name,
                    method=doc["method"].lower(),
                    path=doc["path"],
                    kinds={each["name"]: each["type"] for each in parameters},
                    description=doc.get("description", ""),
                    defaults={each["name"]: each["default"] for each in parameters if not each["required"]},
                )
            )
    if not found:
        raise WorldError(f"AppWorld's data at {data} holds no documentation of its APIs", hint="prowess appworld setup")
    return Routes(found)


def reference_of(data: Path, routes: Routes, task: str) -> list[Asked]:
    """The calls of a task's reference solution, in order."""
    file = data / "tasks" / task / "ground_truth" / "api_calls.json"
    if not file.is_file():
        raise WorldError(
            f"task {task} comes without a reference solution", hint="the expert plays the splits train and dev"
        )
    calls = json.loads(file.read_text(encoding="utf-8"))
    return [routes.asked(each["method"], each["url"], each["data"]) for each in calls]


def _pattern(path: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>[^/]+)", re.escape(path)))


def _typed(value: Json, kind: str) -> Json:
    """What a path holds as text, in its own type."""
    if isinstance(value, str) and kind in _NUMBERS:
        try:
            return _NUMBERS[kind](value)
        except ValueError:
            return value
    return value


def _odd(value: Json) -> bool:
    """True for a value that equals another without being the same: False and 0."""
    return isinstance(value, bool)
