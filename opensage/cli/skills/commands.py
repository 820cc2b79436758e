"""The group `opensage skills`: which commands there are, in the order of its help."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import typer

from opensage.cli.skills import (
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

app = typer.Typer(
    help="The skill store: look at skills, decide about them, keep and exchange them.", no_args_is_help=True
)

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

for _panel, _commands in COMMANDS.items():
    for _name, _command in _commands.items():
        app.command(_name, rich_help_panel=_panel)(_command)
