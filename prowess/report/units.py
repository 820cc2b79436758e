"""The units of work of a run, read in sight where there are so many that it takes a while."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from prowess.run import Run
from prowess.text.terminal import progress

MANY = 1000
"""Units, of some three episodes each, that take about two seconds."""


def units(run: Run) -> Iterator[str]:
    """Their names, with a bar as they are read."""
    names = run.keys()
    if len(names) < MANY:
        yield from names
        return
    with progress(len(names), f"reading {run.folder}") as bar:
        for name in names:
            yield name
            bar.advance()


@contextmanager
def in_sight(what: str, episodes: int) -> Iterator[None]:
    """Say on a terminal what is done with so many episodes, where they are many."""
    if episodes < MANY or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(what):
        yield
