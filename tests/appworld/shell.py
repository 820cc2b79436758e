"""AppWorld's own shell, to compare with: runs under AppWorld's Python, reads what to play and prints what it said.

    {"root", "task", "cells": [...]}    play these cells
    {"root", "task"}                    play the calls of the reference, one cell each

Prints a list of [code, text]. Nothing of it is kept.
"""

import json
import os
import re
import sys
from urllib.parse import unquote


def cells_of(root: str, task: str) -> list[str]:
    from appworld.apps import get_all_apps
    from appworld.requester import _get_api_name_to_doc

    routes = []
    for app in get_all_apps(skip_admin=True):
        for api, doc in _get_api_name_to_doc(app).items():
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(doc["path"]))
            routes.append((doc["method"].lower(), re.compile(pattern), app, api))
    with open(os.path.join(root, "data", "tasks", task, "ground_truth", "api_calls.json")) as file:
        calls = json.load(file)
    cells = []
    for call in calls:
        found = [
            (app, api, match.groupdict())
            for method, pattern, app, api in routes
            if method == call["method"] and (match := pattern.fullmatch(call["url"]))
        ]
        app, api, parts = min(found, key=lambda each: len(each[2]))
        arguments = {name: _number(unquote(value)) for name, value in parts.items()} | call["data"]
        given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
        cells.append(f"print(apis.{app}.{api}({given}))")
    return cells


def _number(text: str) -> object:
    return int(text) if text.isdigit() else text


def main() -> None:
    wanted = json.load(sys.stdin)
    os.environ["APPWORLD_ROOT"] = wanted["root"]
    from appworld import AppWorld

    cells = wanted.get("cells") or cells_of(wanted["root"], wanted["task"])
    world = AppWorld(wanted["task"], experiment_name="opensage-compare", load_ground_truth=False)
    said = []
    for code in cells:
        world.timeout_seconds = 8 if "while True" in code else 100
        try:
            text = world.execute(code)
        except BaseException as error:  # noqa: BLE001 - what its shell lets through
            text = f"(AppWorld itself broke: {type(error).__name__})"
        said.append([code, text])
    world.close()
    sys.stdout.write(json.dumps(said))
    sys.stdout.flush()
    os._exit(0)


main()
