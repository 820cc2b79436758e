"""What was counted: a whole store in a few figures, and the versions of one skill side by side."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.text import Text

from prowess.cli.skills.jobs.totals import Totals
from prowess.cli.skills.views import tables
from prowess.cli.skills.views.text import line
from prowess.store.record import Status
from prowess.store.standing import Entry, Statistics


def totals_table(totals: Totals) -> RenderableType:
    """A store in figures, for a terminal."""
    table = tables.table_of("", "count", right=tables.FIGURES)
    table.add_row(Text("skills", style="bold"), f"{totals.skills:,}")
    for status in Status:
        if count := totals.statuses.get(status, 0):
            table.add_row(Text("  ").append_text(tables.status_text(status)), f"{count:,}")
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
    table = tables.table_of("version", "status", *figures, right=tables.FIGURES)
    for entry, one in rows:
        table.add_row(
            Text(f"@{entry.number} {entry.digest[:8]}", style="bold"),
            tables.status_text(entry.status),
            tables.share_text(one.offered_successes, one.offered),
            tables.share_text(one.masked_successes, one.masked),
            tables.share_text(one.called_successes, one.called),
            str(one.errors),
            f"{one.success:.0%}" if one.called else "–",
            tables.uplift_cell(one),
        )
    table.title = Text(f"{line(rows[-1][0].name)}: solved of the episodes that it was in")
    table.title_justify = "left"
    return table
