"""Looking: `opensage skills list | show | log | diff | stats`."""

from __future__ import annotations

from typing import Annotated

import typer

from opensage.cli.skills.json_lines import brief, figures, write_lines
from opensage.cli.skills.options import (
    PLACE,
    AsJson,
    Limit,
    Named,
    Namespace,
    Statuses,
    StoreFile,
    found,
    opened,
    statuses_in,
)


def list_skills(
    store: StoreFile = PLACE,
    status: Statuses = None,
    namespace: Namespace = None,
    versions: Annotated[bool, typer.Option("--versions", help="Every version, not only the heads.")] = False,
    after: Annotated[str, typer.Option("--after", metavar="ID", help="Go on after the skill of this id.")] = "",
    limit: Limit = 100,
    json: AsJson = False,
) -> None:
    """List skills in the order of their birth, with what is known of their worth."""
    from rich.text import Text

    from opensage.cli.skills.views import pieces
    from opensage.cli.skills.views.text import line
    from opensage.terminal import console

    with opened(store) as skills:
        entries = skills.entries(
            statuses=statuses_in(status), namespace=namespace, heads=not versions, after=after, limit=limit + 1
        )
        shown = [(entry, skills.statistics(entry.digest)) for entry in entries[:limit]]
    if json:
        write_lines({**brief(entry), "statistics": figures(statistics)} for entry, statistics in shown)
        return
    table = pieces.table_of("skill", "status", "effect", "called", "uplift", "digest", right=pieces.FIGURES)
    screen = console()
    for entry, worth in shown:
        version = f"@{entry.number}" if versions or entry.number > 1 else ""
        name = Text(f"{line(entry.name)}{version}", style="bold")
        if screen.width >= pieces.WIDE and entry.version.summary:
            name.append(f"\n  {line(entry.version.summary, 60)}", style="not bold dim")
        table.add_row(
            name,
            pieces.status_text(entry.status),
            Text(entry.version.effect, style=pieces.EFFECTS[entry.version.effect]),
            pieces.share_text(worth.called_successes, worth.called),
            "–" if worth.uplift is None else pieces.uplift_text(worth).removesuffix(" points"),
            entry.digest[:8],
        )
    screen.print(table if shown else Text("no skill", style="dim"))
    if len(entries) > limit:
        console(stderr=True).print(f"there are more: --limit, or --after {shown[-1][0].id}")


def show(
    skill: Named,
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    runs: Annotated[
        list[str] | None, typer.Option("--runs", metavar="FOLDER", help="Where runs lie, to quote the turn.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Read all that is known of one skill: code, changes, origin to the very turn, checks, tests, worth, history."""
    from pathlib import Path

    from opensage.cli.skills.jobs.dossier import dossier_of
    from opensage.cli.skills.views import pieces
    from opensage.terminal import console

    with opened(store) as skills:
        dossier = dossier_of(skills, found(skills, skill, namespace).digest, map(Path, runs or ()))
    if json:
        write_lines(
            [
                {
                    **brief(dossier.entry),
                    "version": dossier.entry.version,
                    "versions": [{"number": one.number, "digest": one.digest} for one in dossier.versions],
                    "statistics": figures(dossier.statistics),
                    "provenances": dossier.provenances,
                    "trials": dossier.trials,
                    "verifications": dossier.verifications,
                    "edges": dossier.edges,
                    "similar": [{"digest": one.entry.digest, "how": one.how} for one in dossier.similar],
                }
            ]
        )
        return
    screen = console()
    for part in pieces.page(dossier):
        screen.print(part)
    screen.print(pieces.heading("history"))
    screen.print(pieces.history(dossier.events))


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
    """Tell what happened, newest first: each event with its number, which `undo` takes."""
    from opensage.cli.skills.views import pieces
    from opensage.skills.rollback import event_at
    from opensage.terminal import console

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
    console().print(pieces.history(events, None if skill else names))


def diff(
    a: Annotated[str, typer.Argument(metavar="A", help="A snapshot's root, or a version: NAME@VERSION or a digest.")],
    b: Annotated[
        str, typer.Argument(metavar="[B]", help="Another of its kind. (default: now; a version's parent is A then)")
    ] = "",
    store: StoreFile = PLACE,
    json: AsJson = False,
) -> None:
    """Say what differs between two snapshots (one: to now), or between two versions (one: from its parent)."""
    from opensage.cli.skills.views import differences
    from opensage.terminal import console

    with opened(store) as skills:
        if differences.is_snapshot(skills, a):
            change = skills.diff(a, b)
            if json:
                write_lines([change])
            else:
                console().print(differences.changes(change))
            return
        pairs = differences.pairs(skills, a, b)
    for old, new in pairs:
        if json:
            write_lines([{"old": brief(old), "new": brief(new), "diff": differences.text(old, new)}])
        else:
            console().print(differences.shown(old, new))


def stats(
    skill: Annotated[str, typer.Argument(metavar="[SKILL]", help="A skill; nothing for the whole store.")] = "",
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Count: how many skills stand where, how often they were used; or one skill, version by version."""
    from opensage.cli.skills.views import counts
    from opensage.terminal import console

    with opened(store) as skills:
        if skill:
            versions = skills.versions(found(skills, skill, namespace).id)
            rows = [(entry, skills.statistics(entry.digest)) for entry in versions]
            if json:
                write_lines({**brief(entry), "statistics": figures(each)} for entry, each in rows)
            else:
                console().print(counts.versions_table(rows))
            return
        totals = counts.totals_of(skills, namespace)
    if json:
        write_lines([totals])
    else:
        console().print(counts.totals_table(totals))
