"""Clients and servers of a store for tests: over standard input and output, over HTTP, and in one process."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings

from prowess.sandbox import SandboxSettings, open_sandbox
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status
from prowess.store.search.smoke import Smoke
from prowess.store.serve import Ground, ServeSettings, in_sandbox, in_world
from prowess.store.serve.server import make_server
from prowess.types import Skill, Task

STAND = Path(__file__).with_name("stand.py")
FIRST = Provenance(run="r1", episode="r1/t1/0", task="t1", instruction="Greet somebody", world="desk")
GREET = '''
def greet(name: str, times: int = 1) -> str:
    """Greets somebody\u202e.\x1b[2J

    name: whom to greet
    """
    print("greeting", name)
    return " ".join([f"Hello {name}!"] * times)
'''


def active(store: Store, code: str, name: str = "", skill: Skill | None = None, **options: Any) -> str:
    found = [skill] if skill else skills_in(code)
    skill = next(one for one in found if one.name == name) if name else found[-1]
    digest = store.propose(skill, FIRST, **options).digest
    if store.version(digest).version.effect == "irreversible":
        store.review(digest, "approve", who="ada")
    for step in (Status.VERIFIED, Status.ACTIVE):
        store.move(digest, step, actor=Actor.PERSON, who="ada")
    return digest


def over_stdio(store: Store, ask: Callable[[Client[Any]], Awaitable[None]], *options: str) -> None:
    async def go() -> None:
        command = [str(STAND), str(store.path), "stdio", *options]
        transport = StdioTransport(sys.executable, command, env=dict(os.environ), keep_alive=False)
        async with Client(transport, timeout=60) as client:
            await ask(client)

    asyncio.run(go())


def in_memory(
    store: Store,
    ask: Callable[[Client[Any]], Awaitable[None]],
    *,
    task: str = "",
    smoke: Smoke | None = None,
    **settings: Any,
) -> None:
    """The same client and server without a process between them."""

    async def go(ground: Ground) -> None:
        async with Client(make_server(store, ground, ServeSettings(**settings), smoke), timeout=60) as client:
            await ask(client)

    with closing(open_sandbox(SandboxSettings(warm=1))) as sandbox:
        suite = DeskSuite(DeskSettings(), sandbox)
        where = in_world(suite, Task(id=task, scenario="", instruction="Serve.")) if task else in_sandbox(sandbox)
        asyncio.run(go(where))


@contextmanager
def http_server(store: Store, *options: str) -> Iterator[tuple[str, str]]:
    """A server's address, and the token that it printed."""
    command = [sys.executable, str(STAND), str(store.path), "http", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    try:
        url = process.stderr.readline().split(" at ")[1].strip()
        token = "" if "--token" in options else process.stderr.readline().split("Bearer ")[1].strip()
        yield url, token
    finally:
        process.terminate()
        process.wait(10)
        process.stderr.close()
