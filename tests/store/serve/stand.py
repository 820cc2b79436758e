"""A server as its own process: `python stand.py STORE stdio|http [--task ID] [--token TOKEN] [--tools N]`."""

from __future__ import annotations

import argparse
from contextlib import closing

from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings

from prowess.sandbox import SandboxSettings, open_sandbox
from prowess.store.db import Store
from prowess.store.ground import Ground as Tried
from prowess.store.search.smoke import Smoke
from prowess.store.serve import ServeSettings, in_sandbox, in_world
from prowess.store.serve.server import serve_http, serve_stdio
from prowess.types import Task


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("transport", choices=["stdio", "http"])
    parser.add_argument("--task", default="")
    parser.add_argument("--token", default="")
    parser.add_argument("--tools", type=int, default=64)
    given = parser.parse_args()
    settings = ServeSettings(port=0, token=given.token, tools=given.tools, result_chars=500)
    with (
        Store.open(given.store, create=False) as store,
        closing(open_sandbox(SandboxSettings(step_seconds=3.0, warm=1))) as sandbox,
    ):
        ground = in_sandbox(sandbox)
        if given.task:
            task = Task(id=given.task, scenario="", instruction="Serve.")
            ground = in_world(DeskSuite(DeskSettings(), sandbox), task)
        smoke = Smoke(store, Tried(world="desk"), calls=2)
        (serve_stdio if given.transport == "stdio" else serve_http)(store, ground, settings, smoke)


if __name__ == "__main__":
    main()
