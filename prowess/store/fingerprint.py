"""What a caller relies on, of each API of a world: a fingerprint that changes when it does.

It covers an API's name, its parameters (which, of what type, required or with what default, within what bounds) and the
shape of its answer. Words of explanation and example values do not count.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from prowess.types import Json

Call = Callable[[str, str, Mapping[str, Json]], Json]
"""Answers one API call: app, api and its arguments."""


def documents(call: Call) -> Iterator[Json]:
    """The document of every API of a world, asked from the world's own `api_docs`, as desk and AppWorld have it."""
    for app in call("api_docs", "show_app_descriptions", {}):
        for api in call("api_docs", "show_api_descriptions", {"app_name": app["name"]}):
            yield call("api_docs", "show_api_doc", {"app_name": app["name"], "api_name": api["name"]})


def fingerprints(docs: Iterable[Json]) -> dict[str, str]:
    """The fingerprint of each API, by `app.api`."""
    return {f"{doc['app_name']}.{doc['api_name']}": fingerprint(doc) for doc in docs}


def fingerprint(doc: Json) -> str:
    """The digest of what a caller relies on, from an API's document.

    >>> doc = {"app_name": "music", "api_name": "like", "description": "Like it.",
    ...        "parameters": [{"name": "song_id", "type": "integer", "required": True, "description": "which"}],
    ...        "response_schemas": {"success": {"message": "Liked."}}}
    >>> fingerprint(doc) == fingerprint(doc | {"description": "Like a song."})
    True
    >>> fingerprint(doc) == fingerprint(doc | {"response_schemas": {"success": {"message": "Liked.", "likes": 3}}})
    False
    """
    relied_on = {
        "api": [doc["app_name"], doc["api_name"]],
        "parameters": sorted(
            (_parameter(one) for one in doc.get("parameters") or ()), key=lambda one: str(one["name"])
        ),
        "answers": {name: _shape(answer) for name, answer in (doc.get("response_schemas") or {}).items()},
    }
    return hashlib.sha256(json.dumps(relied_on, sort_keys=True).encode()).hexdigest()


def _parameter(doc: Mapping[str, Json]) -> dict[str, Json]:
    required = bool(doc.get("required"))
    return {
        "name": doc["name"],
        "type": doc.get("type"),
        "required": required,
        "default": None if required else doc.get("default"),
        "constraints": sorted(map(str, doc.get("constraints") or ())),
    }


def _shape(example: Json) -> Json:
    """The shape of an answer, from an example of it: whole numbers and others are both numbers, 3 might be 3.5."""
    if isinstance(example, dict):
        return {name: _shape(value) for name, value in example.items()}
    if isinstance(example, list):
        return [_shape(value) for value in example[:1]]
    if isinstance(example, str):
        first, _, rest = example.partition(" or ")
        kind = "number" if first.replace(".", "", 1).isdigit() and rest else "string"
        return f"{kind} or null" if "null" in rest else kind
    if isinstance(example, bool) or example is None:
        return "boolean" if example is not None else "null"
    return "number"
