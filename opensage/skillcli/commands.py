"""The group `opensage skills`: which commands there are, in the order of its help."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import typer

from opensage.skillcli import (
    bisecting,
    coming,
    curating,
    exchanging,
    judging,
    keeping,
    reading,
    searching,
    serving,
    using,
)

app = typer.Typer(
    help="The skill store: look at skills, decide about them, keep and exchange them.", no_args_is_help=True
)

COMMANDS: Mapping[str, Mapping[str, Callable[..., None]]] = {
    "Looking": {
        "list": reading.list_skills,
        "search": searching.search,
        "show": reading.show,
        "log": reading.log,
        "diff": reading.diff,
        "stats": reading.stats,
        "uses": using.uses,
        "costs": using.costs,
    },
    "Deciding": {
        "review": curating.review,
        "approve": judging.approve,
        "reject": judging.reject,
        "retire": judging.retire,
        "restore": judging.restore,
        "move": judging.move,
        "pin": judging.pin,
        "unpin": judging.unpin,
        "merge": curating.merge,
        "undo": judging.undo,
    },
    "In and out": {
        "propose": coming.propose,
        "ingest": coming.ingest,
        "import": exchanging.import_skills,
        "export": exchanging.export,
        "serve": serving.serve,
    },
    "The whole": {
        "admit": curating.admit,
        "curate": curating.curate,
        "snapshot": keeping.snapshot,
        "rollback": keeping.rollback,
        "backup": keeping.backup,
        "rebuild": keeping.rebuild,
        "bisect": bisecting.bisect,
    },
}

for _panel, _commands in COMMANDS.items():
    for _name, _command in _commands.items():
        app.command(_name, rich_help_panel=_panel)(_command)
