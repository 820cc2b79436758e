"""Skills for every agent that speaks MCP: `prowess skills serve`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated

import typer

from prowess.cli.options import Sets, read_recipe
from prowess.cli.skills.options import PLACE, Namespace, StoreFile, opened
from prowess.text.terminal import say

if TYPE_CHECKING:
    from prowess.pipeline.recipe import Recipe
    from prowess.store.db import Store
    from prowess.store.search.smoke import Smoke
    from prowess.store.serve import Ground

TOKEN = "PROWESS_SERVE_TOKEN"


def serve(
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    http: Annotated[bool, typer.Option("--http", help="Over HTTP, not standard input and output.")] = False,
    host: Annotated[
        str, typer.Option("--host", help="Where HTTP listens; other than this machine needs a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes any that is free.")] = 8722,
    names: Annotated[
        list[str] | None,
        typer.Option("--name", metavar="HOST", help="Another name that clients reach it by, such as a proxy's."),
    ] = None,
    tools: Annotated[
        int, typer.Option("--tools", min=0, help="Up to so many skills are a tool each; of more, search and call.")
    ] = 64,
    world: Annotated[
        str,
        typer.Option(
            "--world",
            metavar="RECIPE",
            help="A recipe whose sandbox and world calls run in. (default: the world that filled the store, or expert)",
        ),
    ] = "",
    task: Annotated[
        str, typer.Option("--task", metavar="ID", help="Open this task's world; without one, no API can be called.")
    ] = "",
    sets: Sets = None,
) -> None:
    """Serve active skills to any agent that speaks MCP. Calls run in the sandbox and count as uses.

    A skill that fails its recorded calls is not served. retrieval.smoke sets how many are repeated; 0 tries none.

    HTTP clients need a token, from PROWESS_SERVE_TOKEN. If there is none, one is made and printed.
    """
    say(f"prowess: starting to serve {store}")
    from prowess.sandbox.descriptors import allow_more
    from prowess.store.serve.server import serve_http, serve_stdio
    from prowess.store.serve.settings import ServeSettings

    allow_more()
    token = os.environ.get(TOKEN, "")
    settings = ServeSettings(
        namespace=namespace, tools=tools, host=host, port=port, names=tuple(names or ()), token=token
    )
    with ExitStack() as stack:
        skills = stack.enter_context(opened(store))
        ground, smoke = _grounds(stack, skills, _recipe(skills, namespace, world, sets), task)
        try:
            (serve_http if http else serve_stdio)(skills, ground, settings, smoke)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None


def _recipe(store: Store, namespace: str | None, world: str, sets: list[str] | None) -> Recipe:
    """The recipe that is named, or that of the world which filled the store."""
    from prowess.pipeline.suites import filling

    if world:
        return read_recipe(world, sets)
    return filling(store, namespace, sets or ()) or read_recipe("expert", sets)


def _grounds(stack: ExitStack, store: Store, recipe: Recipe, task: str) -> tuple[Ground, Smoke | None]:
    """Where calls run, in the world of a task or in a bare interpreter; and where skills are tried before."""
    from contextlib import closing

    from prowess.errors import ProwessError, unknown
    from prowess.pipeline.parts import ground_of
    from prowess.pipeline.suites import suite_in
    from prowess.retrieval.store import smoke_of
    from prowess.sandbox import open_sandbox
    from prowess.store.serve import in_sandbox, in_world

    try:
        suite = stack.enter_context(suite_in(recipe))
    except ProwessError as problem:
        if task:
            raise
        # A bare interpreter needs no world; what has recorded calls cannot be tried without one, then.
        say(f"prowess: skills are served untried, the world cannot be opened: {problem}")
        return in_sandbox(stack.enter_context(closing(open_sandbox(recipe.sandbox)))), None
    smoke = smoke_of(store, recipe.retrieval.smoke, ground_of(recipe, suite))
    if not task:
        return in_sandbox(stack.enter_context(closing(open_sandbox(recipe.sandbox)))), smoke
    tasks = {one.id: one for split in suite.splits() for one in suite.tasks(split)}
    if task not in tasks:
        error = unknown("task", task, tasks)
        error.hint += "; give the --world that the store was filled with"
        raise error
    return in_world(suite, tasks[task]), smoke
