"""What happened, and what differs: `prowess skills log | diff`."""

from __future__ import annotations

from typing import Annotated

import typer

from prowess.cli.json_lines import write_lines
from prowess.cli.options import AsJson
from prowess.cli.skills.json_lines import brief
from prowess.cli.skills.names import found, pairs_of
from prowess.cli.skills.options import PLACE, Limit, Namespace, StoreFile, opened


def log(
    skill: Annotated[str, typer.Argument(metavar="[SKILL]", help="A skill; nothing for all of them.")] = "",
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    since: Annotated[
        str,
        typer.Option("--since", metavar="WHEN", help="Only after a snapshot (its root), or from a time on (UTC)."),
    ] = "",
    every: Annotated[bool, typer.Option("--all", help="Also what runs pin while they play with it.")] = False,
    limit: Limit = 30,
    json: AsJson = False,
) -> None:
    """List what happened, newest first, each event with the number that `undo` takes."""
    from prowess.cli.skills.views import tables
    from prowess.store.curate.rollback import event_at
    from prowess.text.terminal import console

    with opened(store) as skills:
        id = found(skills, skill, namespace).id if skill else ""
        events = skills.events(
            skill=id,
            namespace=None if skill else namespace,
            after=event_at(skills, since) if since else 0,
            limit=limit,
            newest=True,
            runs=every,
        )
        names = {one: skills.skill(one).name for one in {event.skill for event in events} - {""}}
    if json:
        write_lines(events)
        return
    console().print(tables.history(events, None if skill else names))


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A snapshot's root, or a version: NAME@VERSION or a digest.")],
    b: Annotated[
        str, typer.Argument(metavar="[B]", help="Another of its kind. (default: now; a version's parent is A then)")
    ] = "",
    store: StoreFile = PLACE,
    json: AsJson = False,
) -> None:
    """Show what differs between two snapshots (of one: to now), or two versions (of one: from its parent)."""
    from prowess.cli.skills.views import differences
    from prowess.text.terminal import console

    with opened(store) as skills:
        if skills.snapshots_at(a):
            change = skills.diff(a, b)
            if json:
                write_lines([change])
            else:
                console().print(differences.changes(change))
            return
        pairs = pairs_of(skills, a, b)
    for old, new in pairs:
        if json:
            write_lines([{"old": brief(old), "new": brief(new), "diff": differences.text(old, new)}])
        else:
            console().print(differences.shown(old, new))
