"""The suite that a recipe names, opened in its sandbox."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

import tomli_w

from prowess.errors import MissingExtra, ProwessError, RecipeError, WorldError, told
from prowess.pipeline.recipe import Recipe, SuiteSettings
from prowess.recipe import resolve, to_toml
from prowess.sandbox import Sandbox, open_sandbox
from prowess.text.terminal import safe, say
from prowess.types import Json, Suite
from prowess.worlds.registry import names, world_named

if TYPE_CHECKING:
    from prowess.store.db import Store


@contextmanager
def suite_in(recipe: Recipe) -> Iterator[Suite]:
    """The suite of a recipe, whose worlds run where it says; closed in the end."""
    with suite_here(recipe) as suite:
        if recipe.suite.where == "here":
            yield suite
            return
        if find_spec("ray") is None:
            raise MissingExtra("suite.where = 'ray'", "cluster")
        from prowess.worlds.away import AwaySuite, connect, nodes

        connect(recipe.suite.address)
        far = AwaySuite(
            suite,
            partial(suite_here, recipe),
            hosts=recipe.suite.hosts or nodes(),
            worlds=recipe.suite.open_worlds,
            seconds=max(AWAY_SECONDS, 3 * recipe.sandbox.step_seconds),
        )
        with closing(far):
            yield far


AWAY_SECONDS = 120.0
"""How long a host may take for one call, at least: longer, and it counts as lost."""


@contextmanager
def suite_here(recipe: Recipe) -> Iterator[Suite]:
    """The suite of a recipe with its sandbox, both closed in the end."""
    with closing(open_sandbox(recipe.sandbox)) as sandbox:
        suite = suite_of(recipe.suite, sandbox)
        try:
            yield suite
        finally:
            close_part(suite)


def suite_of(settings: SuiteSettings, sandbox: Sandbox) -> Suite:
    """The suite a recipe names."""
    make = world_named(settings.name).suite
    own = settings.own
    try:
        return make(own, sandbox)
    except ProwessError:
        raise
    except Exception as problem:
        raise WorldError(
            f"suite '{settings.name}' could not be made: {told(problem)}",
            hint="it is called with its settings and a sandbox" if isinstance(problem, TypeError) else "",
        ) from problem


def suite_text(recipe: Recipe) -> str:
    """The settings of the world that a recipe plays, as a recipe of their own."""
    table = tomllib.loads(to_toml(Recipe(suite=recipe.suite)))["suite"]
    return tomli_w.dumps({"suite": {key: table[key] for key in ("name", "options", recipe.suite.name) if key in table}})


def filling(store: Store, namespace: str | None, sets: Sequence[str]) -> Recipe | None:
    """The recipe of the world that filled a store, of the only one unless it is named; None where that is not known.

    Only its suite is taken, and no suite that names code: whoever made the store must not decide what runs here.
    """
    known = store.filled()
    text = known.get(namespace, "") if namespace else next(iter(known.values())) if len(known) == 1 else ""
    if not text:
        return None
    source = f"the world that filled {store.path}"
    try:
        table = {"suite": tomllib.loads(text).get("suite", {})}
        name = resolve(Recipe, table, source=source).suite.name
    except (tomllib.TOMLDecodeError, RecipeError) as problem:
        say(f"note: {source} cannot be read: {str(problem).partition(chr(10))[0]}; --world RECIPE names one")
        return None
    if name not in names():
        say(f"note: {safe(name)} filled the store; --set suite.name={safe(name)} opens it")
        return None
    return resolve(Recipe, table, sets, source=source)


def documents_of(suite: Suite) -> list[Json]:
    """The documents of a world's APIs, where it can give them."""
    documents: Callable[[], Iterable[Json]] | None = getattr(suite, "documents", None)
    return list(documents()) if documents else []


def close_part(part: object) -> None:
    """Give back what a part holds, if it says that it holds anything."""
    close: Callable[[], None] | None = getattr(part, "close", None)
    if close:
        close()
