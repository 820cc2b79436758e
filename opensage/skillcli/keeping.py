"""The whole store: `opensage skills snapshot | rebuild`."""

from __future__ import annotations

from typing import Annotated

import typer

from opensage.skillcli.lines import as_json, write_lines
from opensage.skillcli.options import PLACE, AsJson, StoreFile, opened
from opensage.terminal import say
from opensage.words import counted


def snapshot(
    store: StoreFile = PLACE,
    note: Annotated[str, typer.Option("--note", help="What it is kept for.")] = "",
    every: Annotated[bool, typer.Option("--list", help="List the snapshots instead of taking one.")] = False,
    json: AsJson = False,
) -> None:
    """Keep the state of all skills under its Merkle root, which is printed; or list what is kept."""
    from opensage.skills.store import read

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
    from rich.text import Text

    from opensage.skillcli import views
    from opensage.skillcli.legible import line, moment
    from opensage.terminal import console

    table = views.table_of("root", "when", "event", "skills", "pinned by", "note", right=views.FIGURES)
    for one in kept:
        held, note = line(", ".join(holders[one.root])), line(one.note)
        table.add_row(one.root[:16], moment(one.at), str(one.event), str(one.count), Text(held), Text(note))
    console().print(table)


def rebuild(
    store: StoreFile = PLACE,
    verify: Annotated[
        bool, typer.Option("--verify", help="Change nothing: compute all again and say what differs, bit for bit.")
    ] = False,
) -> None:
    """Compute everything that follows from the primary rows again: states, statistics, indexes."""
    from opensage.terminal import safe

    with opened(store) as skills:
        differences = skills.rebuild(verify=verify)
    for one in differences:
        print(safe(one))
    if verify:
        say(counted(len(differences), "difference") if differences else "all derived rows agree")
    raise typer.Exit(1 if differences else 0)
