"""The suite that a recipe names, opened in its sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager

from prowess.errors import ProwessError, WorldError, told
from prowess.pipeline.recipe import Recipe, SuiteSettings
from prowess.sandbox import Sandbox, open_sandbox
from prowess.types import Json, Suite
from prowess.worlds.registry import world_named


@contextmanager
def suite_in(recipe: Recipe) -> Iterator[Suite]:
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


def documents_of(suite: Suite) -> list[Json]:
    """The documents of a world's APIs, where it can give them."""
    documents: Callable[[], Iterable[Json]] | None = getattr(suite, "documents", None)
    return list(documents()) if documents else []


def close_part(part: object) -> None:
    """Give back what a part holds, if it says that it holds anything."""
    close: Callable[[], None] | None = getattr(part, "close", None)
    if close:
        close()
