"""Back to how all skills stood at a moment, by new events: what happened since is undone, what came since refused."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from prowess.errors import RecipeError
from prowess.store.db import Store
from prowess.store.record import Actor, Event, Kind, Status
from prowess.store.standing import Difference

STEPS = (Kind.MOVED, Kind.REVIEWED)
"""What is taken back. Pins, second names and relations stay: they change nothing that is offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rollback:
    """What going back came to."""

    event: int
    """The last event that still counts."""
    before: str
    """The root of how things stood: going back to it takes all of this back."""
    changes: Difference
    """From there to how things stand now."""


def roll_back(store: Store, event: int, *, who: str, why: str = "", dry_run: bool = False) -> Rollback:
    """All of it, or none and the reason; a trial leaves nothing behind."""
    why = why or f"back to event {event}"
    try:
        with store.many():
            before = store.snapshot(f"before going back to event {event}").root
            since = store.events(after=event)
            for id in standing(since):
                store.undo(id, who=who, why=why)
            for one in since:
                if one.kind is Kind.PROPOSED and store.version(one.digest).status is Status.CANDIDATE:
                    store.move(one.digest, Status.REJECTED, actor=Actor.PERSON, who=who, why=why)
            made = Rollback(event=event, before=before, changes=store.diff(before))
            if dry_run:
                raise _Trial(made)
    except _Trial as trial:
        return trial.made
    return made


class _Trial(Exception):
    """Takes everything back that was tried."""

    def __init__(self, made: Rollback) -> None:
        self.made = made


def standing(since: Iterable[Event]) -> list[int]:
    """Those of some events, the last ones there are, that are to be undone, newest first.

    What followed from another goes with it; what was undone among them needs no undoing.
    """
    events = {one.id: one for one in since}
    wanted = {one.cause or one.id for one in events.values() if one.kind in STEPS}
    gone, found = set[int](), list[int]()
    for id in sorted(events, reverse=True):
        one = events[id]
        if one.cause or id in gone:
            continue
        if one.undoes in events:
            gone.add(one.undoes)
        elif id in wanted:
            found.append(id)
    return found


def event_at(store: Store, text: str) -> int:
    """The last event of a snapshot, by its root, or before a time (UTC, as the log tells it)."""
    if (at := _time(text)) is None:
        found = store.snapshots_at(text)
        if len(found) != 1:
            raise RecipeError(
                f"'{text}' is neither the root of a snapshot nor a time",
                hint="prowess skills snapshot --list has the roots; a time (UTC) is 2026-01-31 or '2026-01-31 14:00'",
            )
        return found[0].event
    first = store.db.execute("SELECT min(id) FROM event WHERE at >= ?", (at,)).get
    last = store.db.execute("SELECT coalesce(max(id), 0) FROM event").get
    return int(str(first)) - 1 if first is not None else int(str(last))


def _time(text: str) -> str | None:
    """A time as events have it.

    >>> _time("2026-01-31"), _time("2026-01-31 14:00+02:00"), _time("2842fbf17bae")
    ('2026-01-31T00:00:00.', '2026-01-31T12:00:00.', None)
    """
    try:
        found = datetime.fromisoformat(text) if "-" in text else None
    except ValueError:
        return None
    if found is None:
        return None
    at = found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
    return at.isoformat(timespec="seconds").removesuffix("+00:00") + "."
