"""Tables of skills: their heads, the colours of a status and an effect, figures, and the table of what happened."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from prowess.cli.skills.views.text import line, moment
from prowess.store.curate.evidence import difference as spread
from prowess.store.record import Effect, Event, Status

if TYPE_CHECKING:
    from rich.console import RenderableType

    from prowess.store.standing import Statistics

TONES = {
    Status.ACTIVE: "green",
    Status.PROBATION: "cyan",
    Status.REVIEW: "yellow",
    Status.SUSPENDED: "red",
    Status.REJECTED: "red",
    Status.REVOKED: "bold red",
    Status.STALE: "yellow",
}
EFFECTS = {Effect.PURE: "green", Effect.READ: "green", Effect.WRITE: "yellow", Effect.IRREVERSIBLE: "bold red"}
FIGURES = frozenset({"event", "skills", "count", "offered", "masked", "called", "raised", "success", "uplift"})
SHORT = frozenset({"status", "effect", "digest", "root", "when", "version", "last", "id", "arm"})
"""Columns that are never broken over two lines."""
WIDE = 110
"""Columns of a terminal that has room for summaries."""


def status_text(status: Status) -> Text:
    return Text(status, style=TONES.get(status, "dim"))


def effect_text(effect: Effect) -> Text:
    return Text(effect, style=EFFECTS[effect])


def way_text(before: Status | None, after: Status | None) -> Text:
    """From one status to another; nothing is a dot."""
    one, other = (status_text(status) if status else Text("·") for status in (before, after))
    return one.append(" → ", style="dim").append_text(other)


def table_of(*columns: str, right: Collection[str] = ()) -> Table:
    """A table with these heads; those in `right` are figures."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        short = column in right or column in SHORT
        table.add_column(column, justify="right" if column in right else "left", overflow="fold", no_wrap=short)
    return table


def stacked(first: Text, *rest: Text) -> Text:
    """Several cells as one, for terminals that are not wide: the first, and each of the others below it.

    >>> print(stacked(Text("login@1"), Text("active")))
    login@1
      active
    """
    return Text("\n  ").join((first, *rest))


def uplift_text(statistics: Statistics) -> str:
    """The uplift in points, with a standard error that is not 0 for an arm of one episode (after Agresti and Caffo).

    >>> from prowess.store.standing import Statistics
    >>> uplift_text(Statistics(digest="", offered=4, offered_successes=3, masked=4, masked_successes=1))
    '+50 ±27 points'
    """
    one, uplift = statistics, statistics.uplift
    if uplift is None:
        return "not known yet"
    error = spread(one.offered_successes, one.offered, one.masked_successes, one.masked).error
    return f"{100 * uplift:+.0f} ±{100 * error:.0f} points"


def uplift_cell(statistics: Statistics) -> str:
    """The same for a column of points."""
    return "–" if statistics.uplift is None else uplift_text(statistics).removesuffix(" points")


def share_text(part: int, whole: int) -> str:
    """Episodes solved, of how many.

    >>> share_text(3, 4), share_text(0, 0)
    ('3/4', '–')
    """
    return f"{part}/{whole}" if whole else "–"


def history(events: Iterable[Event], names: dict[str, str] | None = None) -> RenderableType:
    """What happened, a line each."""
    table = table_of("event", "when", *(["skill"] if names is not None else []), "what", "who", "why", right=FIGURES)
    for one in events:
        what = Text(f"{one.kind} ")
        what.append(f"{line(one.before, 24) or '·'} → {line(one.after, 24) or '·'}", style="cyan")
        what.append(f" {one.digest[:8]}", style="dim") if one.digest else None
        what.append(f" (undoes {one.undoes})", style="yellow") if one.undoes else None
        what.append(f" (follows from {one.cause})", style="dim") if one.cause else None
        skill = [Text(line(names.get(one.skill, one.skill)))] if names is not None else []
        who = line(one.who) or one.actor
        table.add_row(str(one.id), Text(moment(one.at), style="dim"), *skill, what, Text(who), Text(line(one.why)))
    return table
