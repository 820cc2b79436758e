"""Counting: a whole store in a few figures, and the versions of one skill side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from opensage.cli.skills.views import pieces
from opensage.cli.skills.views.text import line
from opensage.skills.record import Status
from opensage.skills.standing import Entry, Statistics

if TYPE_CHECKING:
    from opensage.skills.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """A store in figures."""

    skills: int
    versions: int
    statuses: Mapping[str, int] = field(default_factory=dict)
    """How many skills' heads stand where."""
    namespaces: Mapping[str, int] = field(default_factory=dict)
    uses: int = 0
    offered: int = 0
    masked: int = 0
    called: int = 0
    trials: int = 0
    verifications: int = 0
    events: int = 0
    snapshots: int = 0
    bytes: int = 0


def totals_of(store: Store, namespace: str | None = None) -> Totals:
    """Count what a store holds, or what of it belongs to one world."""
    space = (namespace,)
    versions = "(SELECT v.id FROM version v JOIN skill k ON k.born = v.skill WHERE k.namespace = ?1)"

    def number(query: str, of: str = "") -> int:
        where = "" if namespace is None or not of else f" WHERE {of}"
        return int(str(store.db.execute(query + where, space if where else ()).get or 0))

    def by(column: str) -> dict[str, int]:
        query = f"SELECT {column}, count(*) FROM skill WHERE ?1 IS NULL OR namespace = ?1 GROUP BY 1 ORDER BY 1"
        return {str(name): int(str(count)) for name, count in store.db.execute(query, space)}

    files = [store.path, store.path.with_name(f"{store.path.name}-wal")]
    theirs = f"version IN {versions}"
    with store.view():
        return Totals(
            skills=number("SELECT count(*) FROM skill", "namespace = ?1"),
            versions=number("SELECT count(*) FROM version", f"id IN {versions}"),
            statuses=by("status"),
            namespaces=by("namespace"),
            uses=number("SELECT count(*) FROM usage", theirs),
            offered=number("SELECT sum(offered) FROM statistics", theirs),
            masked=number("SELECT sum(masked) FROM statistics", theirs),
            called=number("SELECT sum(called) FROM statistics", theirs),
            trials=number("SELECT count(*) FROM trial", theirs),
            verifications=number("SELECT count(*) FROM verification", theirs),
            events=number("SELECT count(*) FROM event", "born IN (SELECT born FROM skill WHERE namespace = ?1)"),
            snapshots=number("SELECT count(*) FROM snapshot"),
            bytes=sum(path.stat().st_size for path in files if path.exists()),
        )


def totals_table(totals: Totals) -> RenderableType:
    """A store in figures, for a terminal."""
    table = pieces.table_of("", "count", right=pieces.FIGURES)
    table.add_row(Text("skills", style="bold"), f"{totals.skills:,}")
    for status in Status:
        if count := totals.statuses.get(status, 0):
            table.add_row(Text("  ").append_text(pieces.status_text(status)), f"{count:,}")
    for name, count in totals.namespaces.items():
        table.add_row(Text(f"in {line(name) or 'no namespace'}", style="dim"), f"{count:,}")
    for label, count in (
        ("versions", totals.versions),
        ("tests", totals.trials),
        ("verifications", totals.verifications),
        ("uses", totals.uses),
        ("  offered", totals.offered),
        ("  masked", totals.masked),
        ("  called", totals.called),
        ("events", totals.events),
        ("snapshots", totals.snapshots),
    ):
        table.add_row(label, f"{count:,}")
    table.add_row("on disk", f"{totals.bytes / 2**20:,.1f} MiB")
    return table


def versions_table(rows: Sequence[tuple[Entry, Statistics]]) -> RenderableType:
    """The versions of a skill side by side."""
    figures = ("offered", "masked", "called", "raised", "success", "uplift")
    table = pieces.table_of("version", "status", *figures, right=pieces.FIGURES)
    for entry, one in rows:
        table.add_row(
            Text(f"@{entry.number} {entry.digest[:8]}", style="bold"),
            pieces.status_text(entry.status),
            pieces.share_text(one.offered_successes, one.offered),
            pieces.share_text(one.masked_successes, one.masked),
            pieces.share_text(one.called_successes, one.called),
            str(one.errors),
            f"{one.success:.0%}" if one.called else "–",
            "–" if one.uplift is None else pieces.uplift_text(one).removesuffix(" points"),
        )
    table.title = Text(f"{line(rows[-1][0].name)}: solved of the episodes that it was in")
    table.title_justify = "left"
    return table
