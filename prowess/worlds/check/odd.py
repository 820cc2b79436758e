"""Calls that no careful program makes: APIs that are not there, and arguments that nobody thought of."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from prowess.errors import RecipeError
from prowess.types import Json, Observation
from prowess.worlds.check.suite import spread

Api = tuple[str, str, tuple[str, ...]]
"""An app, an API of it, and the names of its parameters."""

MOST = 60
"""APIs that are tried: more take long, and a world has its limit of calls."""
VALUES: tuple[Json, ...] = (None, -1, "", "prowess", [], {}, 1e308)
"""What each parameter is given, all of an API at a time."""

LISTING = """\
prowess_apis = []
for prowess_app in apis.api_docs.show_app_descriptions():
    for prowess_api in apis.api_docs.show_api_descriptions(app_name=prowess_app["name"]):
        prowess_doc = apis.api_docs.show_api_doc(app_name=prowess_app["name"], api_name=prowess_api["name"])
        prowess_names = [one["name"] for one in prowess_doc["parameters"]]
        prowess_apis.append([prowess_app["name"], prowess_api["name"], prowess_names])
print(prowess_apis)
"""
"""Asks a world for its APIs, as the prompts that ship tell the agent to; one that has no `api_docs` fails."""


def listed(seen: Observation | None) -> list[Api]:
    """The APIs that a world listed; none where it did not."""
    try:
        found: Json = json.loads(seen.text) if seen and not seen.failed else []
        apis = [(str(app), str(api), tuple(map(str, names))) for app, api, names in found]
        return [one for one in apis if one[0].isidentifier() and one[1].isidentifier()]
    except (ValueError, TypeError):
        return []


def apis_named(names: Sequence[str]) -> tuple[Api, ...]:
    """APIs by their names; of their parameters nothing is known.

    >>> apis_named(["bank.pay"])
    (('bank', 'pay', ()),)
    """
    for name in names:
        if not re.fullmatch(r"[^\W\d]\w*\.[^\W\d]\w*", name):
            raise RecipeError(
                f"'{name}' is no API; APIs are named as app.api", hint="such as --apis bank.pay,bank.show"
            )
    return tuple((*name.split("."), ()) for name in names)  # type: ignore[misc]  # two parts


def odd_calls(finish: str, named: Sequence[Api], apis: Sequence[Api]) -> str:
    """Code that calls APIs oddly and does not mind what comes of it: those that end a task, those named, those listed,
    and none."""
    known = [*((app, api, ()) for app, api in named_in(finish)), *named, *spread(apis, MOST)]
    lines = [
        "apis.prowess.prowess()",
        *(f"apis.{app}.prowess()" for app in dict.fromkeys(app for app, _, _ in known)),
    ]
    for app, api, names in known:
        lines += [f"apis.{app}.{api}({given})" for given in ("", "prowess=1")]
        lines += [f"apis.{app}.{api}(**{dict.fromkeys(names, value)!r})" for value in VALUES if names]
    return "".join(f"try:\n    {line}\nexcept Exception:\n    pass\n" for line in lines)


def named_in(code: str) -> list[tuple[str, str]]:
    """The app and the API of each call that code writes out.

    >>> named_in("apis.supervisor.complete_task()")
    [('supervisor', 'complete_task')]
    """
    return [(app, api) for app, api in re.findall(r"\bapis\.(\w+)\.(\w+)\(", code)]
