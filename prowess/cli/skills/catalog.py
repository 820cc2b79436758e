"""Which skills there are, and all that is known of one: `prowess skills list | search | show`."""

from __future__ import annotations

from typing import Annotated

import typer

from prowess.cli.json_lines import write_lines
from prowess.cli.options import AsJson
from prowess.cli.skills.json_lines import brief, figures, found_as, known_of
from prowess.cli.skills.names import found, statuses_in
from prowess.cli.skills.options import PLACE, Limit, Named, Namespace, Statuses, StoreFile, opened


def list_skills(
    store: StoreFile = PLACE,
    status: Statuses = None,
    namespace: Namespace = None,
    versions: Annotated[bool, typer.Option("--versions", help="Every version, not only the heads.")] = False,
    after: Annotated[str, typer.Option("--after", metavar="ID", help="Go on after the skill of this id.")] = "",
    limit: Limit = 100,
    json: AsJson = False,
) -> None:
    """List skills, the oldest first, with what is known of their worth."""
    from prowess.cli.skills.views import listings
    from prowess.text.terminal import console

    with opened(store) as skills:
        entries = skills.entries(
            statuses=statuses_in(status), namespace=namespace, heads=not versions, after=after, limit=limit + 1
        )
        shown = [(entry, skills.statistics(entry.digest)) for entry in entries[:limit]]
    if json:
        write_lines({**brief(entry), "statistics": figures(statistics)} for entry, statistics in shown)
        return
    screen = console()
    screen.print(listings.skills(shown, numbered=versions, width=screen.width))
    if len(entries) > limit:
        console(stderr=True).print(f"there are more: --limit, or --after {shown[-1][0].id}")


def search(
    words: Annotated[list[str], typer.Argument(metavar="WORDS...", help="A request, or words of a skill.")],
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    meaning: Annotated[
        bool, typer.Option("--meaning", help="Compare meanings, too; loads an embedding model.")
    ] = False,
    limit: Limit = 10,
    json: AsJson = False,
) -> None:
    """Find skills as an agent would for a request; below them, others that hold the words but are not offered."""
    from prowess.cli.skills.jobs.lookup import hits, others
    from prowess.cli.skills.views import listings
    from prowess.text.terminal import console

    request = " ".join(words)
    with opened(store) as skills:
        offered = hits(skills, request, namespace=namespace, limit=limit, meaning=meaning)
        rest = others(skills, request, namespace=namespace, limit=limit)
    if json:
        write_lines({**brief(hit.entry), **found_as(hit)} for hit in offered)
        write_lines({**brief(entry), **found_as(None)} for entry in rest)
        return
    console().print(listings.hits(offered, rest))


def show(
    skill: Named,
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    runs: Annotated[
        list[str] | None, typer.Option("--runs", metavar="FOLDER", help="Where runs lie, to quote the turn.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show all that is known of one skill: code, changes, origin, checks, tests, worth, history."""
    from pathlib import Path

    from prowess.cli.skills.jobs.dossier import dossier_of
    from prowess.cli.skills.views import dossier, tables
    from prowess.text.terminal import console

    with opened(store) as skills:
        known = dossier_of(skills, found(skills, skill, namespace).digest, map(Path, runs or ()))
    if json:
        write_lines([brief(known.entry) | known_of(known)])
        return
    screen = console()
    for part in dossier.page(known):
        screen.print(part)
    screen.print(dossier.heading("history"))
    screen.print(tables.history(known.events))
