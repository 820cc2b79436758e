"""The suite that a recipe names, opened in its sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager

from prowess_appworld.world import AppWorldSuite
from prowess_desk.engine.world import DeskSuite

from prowess.errors import ProwessError, WorldError, told
from prowess.pipeline.recipe import Recipe, SuiteSettings
from prowess.recipe import lookup
from prowess.sandbox import Sandbox, open_sandbox
from prowess.types import Json, Suite

SUITES: Mapping[str, Callable[[SuiteSettings, Sandbox], Suite]] = {
    "appworld": lambda settings, sandbox: AppWorldSuite(settings.appworld, sandbox),
    "desk": lambda settings, sandbox: DeskSuite(settings.desk, sandbox),
}


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
    make = lookup("suite", settings.name, SUITES)
    try:
        return make(settings, sandbox)
    except ProwessError:
        raise
    except Exception as problem:
        raise WorldError(
            f"suite '{settings.name}' could not be made: {told(problem)}",
            hint="it is called with the settings of [suite] and a sandbox" if isinstance(problem, TypeError) else "",
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
