"""The whole store: `prowess skills snapshot | rollback | backup | rebuild`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prowess.cli.json_lines import as_json, write_lines
from prowess.cli.options import AsJson
from prowess.cli.skills.options import PLACE, StoreFile, Who, Why, again, opened, person
from prowess.text.plural import counted
from prowess.text.terminal import say


def snapshot(
    store: StoreFile = PLACE,
    note: Annotated[str, typer.Option("--note", help="What it is kept for.")] = "",
    every: Annotated[bool, typer.Option("--list", help="List the snapshots instead of taking one.")] = False,
    json: AsJson = False,
) -> None:
    """Keep the state of all skills under its Merkle root and print the root; or list what is kept."""
    from prowess.store.db import read

    with opened(store) as skills:
        kept = skills.snapshots() if every else (skills.snapshot(note),)
        holders = {one.root: list(read.holders(skills.db, one.root)) for one in kept}
    if json:
        write_lines({**as_json(one), "holders": holders[one.root]} for one in kept)
        return
    if not every:
        print(kept[0].root)
        say(f"{counted(kept[0].count, 'skill')}, up to event {kept[0].event}")
        return
    from prowess.cli.skills.views import listings
    from prowess.text.terminal import console

    console().print(listings.snapshots(kept, holders))


def rollback(
    to: Annotated[
        str,
        typer.Argument(
            metavar="WHEN", help="The root of a snapshot, or a time in UTC: 2026-01-31, '2026-01-31 14:00'."
        ),
    ],
    store: StoreFile = PLACE,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    who: Who = "",
    why: Why = "",
    json: AsJson = False,
) -> None:
    """Bring all skills back to an earlier state. What came since is rejected, and kept.

    It does so by new events, all or none. Nothing is deleted, and the printed root leads back again.
    """
    from prowess.cli.skills.views import differences
    from prowess.store.curate.rollback import event_at, roll_back
    from prowess.text.terminal import console

    with opened(store) as skills:
        made = roll_back(skills, event_at(skills, to), who=person(who), why=why, dry_run=dry_run)
    if json:
        write_lines([made])
        return
    console().print(differences.changes(made.changes))
    if made.changes and not dry_run:
        say(f"to take it back: prowess skills rollback {made.before[:12]}{again(store)}")


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; a new file.")],
    store: StoreFile = PLACE,
) -> None:
    """Copy the store to a file, as it is at one moment, also while others use it. The copy is a store itself."""
    from prowess.text.terminal import progress_of_many

    with opened(store) as skills:
        size = skills.copy(file, watch=progress_of_many)
    print(file)
    say(f"{size / 2**20:,.1f} MiB, checked")


def rebuild(
    store: StoreFile = PLACE,
    verify: Annotated[
        bool, typer.Option("--verify", help="Change nothing: compute all again and say what differs, bit for bit.")
    ] = False,
) -> None:
    """Compute again all that follows from the primary rows: states, statistics, indexes."""
    from prowess.text.terminal import progress_of_many, safe

    with opened(store) as skills:
        differences = skills.rebuild(verify=verify, watch=progress_of_many)
    for one in differences:
        print(safe(one))
    if verify:
        say(counted(len(differences), "difference") if differences else "all derived rows agree")
    raise typer.Exit(1 if differences else 0)
