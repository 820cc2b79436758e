"""The group `prowess skills`: which commands there are, in the order of its help."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

import typer

from prowess.cli.skills import (
    bisection,
    catalog,
    curation,
    exchange,
    history,
    intake,
    review,
    server,
    store,
    usage,
    verdicts,
)
from prowess.errors import UNFORESEEN, StoreError

app = typer.Typer(no_args_is_help=True)

COMMANDS: Mapping[str, Mapping[str, Callable[..., None]]] = {
    "Looking": {
        "list": catalog.list_skills,
        "search": catalog.search,
        "show": catalog.show,
        "log": history.log,
        "diff": history.diff,
        "stats": usage.stats,
        "uses": usage.uses,
        "costs": usage.costs,
    },
    "Deciding": {
        "review": review.review,
        "approve": verdicts.approve,
        "reject": verdicts.reject,
        "retire": verdicts.retire,
        "restore": verdicts.restore,
        "move": verdicts.move,
        "pin": verdicts.pin,
        "unpin": verdicts.unpin,
        "merge": review.merge,
        "undo": verdicts.undo,
    },
    "In and out": {
        "propose": intake.propose,
        "ingest": intake.ingest,
        "import": exchange.import_skills,
        "export": exchange.export,
        "serve": server.serve,
    },
    "The whole": {
        "admit": curation.admit,
        "curate": curation.curate,
        "snapshot": store.snapshot,
        "rollback": store.rollback,
        "backup": store.backup,
        "rebuild": store.rebuild,
        "bisect": bisection.bisect,
    },
}


def _telling(command: Callable[..., None]) -> Callable[..., None]:
    """A command that says what is wrong with the rows of its store, where it stumbles over what stands in them."""

    @wraps(command)
    def tell(**given: Any) -> None:
        try:
            command(**given)
        except UNFORESEEN as error:
            if (fault := _fault_behind(given["store"], error)) is None:
                raise
            raise fault from error

    return tell


def _fault_behind(path: Path, error: Exception) -> StoreError | None:
    from prowess.store.db import Store

    if not path.exists():
        return None
    with Store.open(path, create=False) as store:
        return store.fault_behind(error)


for _panel, _commands in COMMANDS.items():
    for _name, _command in _commands.items():
        app.command(_name, rich_help_panel=_panel)(_telling(_command))
