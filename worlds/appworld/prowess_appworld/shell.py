"""AppWorld's own shell, to compare with: what the tests and the benchmark play beside our adapter.

A program for AppWorld's Python. It says {"ready": true}, then answers lines of JSON:

    {"task", "cells": [...]}            [[code, text], ...]: the cells in a world of its own
    {"task", "calls": 3}                the same with the calls of the reference, three to a cell
    {"task", "calls": 3, "dry": true}   only the cells

Agent code that is played here is not contained.
"""

from __future__ import annotations

import json
import os
import re
import sys
from functools import cache
from typing import Any
from urllib.parse import unquote

SECONDS = 8
"""Time for a cell that loops."""


def cells_of(root: str, task: str, size: int) -> list[str]:
    """The calls of a task's reference as code, so many to a cell."""
    with open(os.path.join(root, "data", "tasks", task, "ground_truth", "api_calls.json"), encoding="utf-8") as file:
        calls = json.load(file)
    lines = [_line(call) for call in calls]
    return ["\n".join(lines[at : at + size]) for at in range(0, len(lines), size)]


def _line(call: dict[str, Any]) -> str:
    found = [
        (app, api, match.groupdict())
        for method, pattern, app, api in _routes()
        if method == call["method"] and (match := pattern.fullmatch(call["url"]))
    ]
    app, api, parts = min(found, key=lambda each: len(each[2]))
    arguments = {name: _value(unquote(text)) for name, text in parts.items()} | call["data"]
    return f"print(apis.{app}.{api}({', '.join(f'{name}={value!r}' for name, value in arguments.items())}))"


@cache
def _routes() -> list[Any]:
    from appworld.apps import get_all_apps
    from appworld.requester import _get_api_name_to_doc

    known = []
    for app in get_all_apps(skip_admin=True):
        for api, doc in _get_api_name_to_doc(app).items():
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(doc["path"]))
            known.append((doc["method"].lower(), re.compile(pattern), app, api))
    return known


def _value(text: str) -> object:
    return int(text) if text.isdigit() else text


def play(task: str, cells: list[str]) -> list[list[str]]:
    """The cells in a world, and what AppWorld's shell says to each."""
    from appworld import AppWorld

    name = f"prowess-compare/{os.getpid()}"
    world = AppWorld(task, experiment_name=name, load_ground_truth=False)
    said = []
    for code in cells:
        world.timeout_seconds = SECONDS if "while True" in code else 100
        try:
            text = world.execute(code)
        except BaseException as error:  # noqa: BLE001 - what its shell lets through
            text = f"(AppWorld itself broke: {type(error).__name__})"
        said.append([code, text])
    world.close()
    return said


def main() -> None:
    """Answer line by line until there are no more."""
    root, answers = os.environ["APPWORLD_ROOT"], os.fdopen(os.dup(1), "w", encoding="utf-8")
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - AppWorld prints remarks
    import appworld  # noqa: F401 - before it is ready

    def say(value: object) -> None:
        answers.write(json.dumps(value) + "\n")
        answers.flush()

    say({"ready": True})
    for line in sys.stdin:
        asked = json.loads(line)
        cells = asked.get("cells") or cells_of(root, asked["task"], asked["calls"])
        say([[code, ""] for code in cells] if asked.get("dry") else play(asked["task"], cells))
    os._exit(0)


if __name__ == "__main__":
    main()
