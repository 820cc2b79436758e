"""What differs: between two snapshots of a store, or between two versions of code."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from opensage.cli.skills.options import found
from opensage.cli.skills.views import pieces
from opensage.cli.skills.views.text import line
from opensage.errors import RecipeError
from opensage.skills.record import Status
from opensage.skills.standing import Change, Difference, Entry

if TYPE_CHECKING:
    from opensage.skills.store import Store


def is_snapshot(store: Store, text: str) -> bool:
    """Whether a text begins the root of a snapshot."""
    return len(text) >= 6 and any(one.root.startswith(text) for one in store.snapshots())


def pairs(store: Store, a: str, b: str) -> tuple[tuple[Entry, Entry], ...]:
    """The versions to compare: the two that are named, or one with each of its parents."""
    new = found(store, b or a)
    if b:
        return ((found(store, a), new),)
    if not new.version.parents:
        raise RecipeError(f"'{a}' has no parent to compare it with", hint="name another version, or two snapshots")
    return tuple((store.version(parent), new) for parent in new.version.parents)


def text(old: Entry, new: Entry) -> str:
    """The change as a unified diff."""
    named, name = (f"{one.name}@{one.number}" for one in (old, new))
    before, after = (one.skill.code.splitlines() for one in (old, new))
    return "\n".join(difflib.unified_diff(before, after, named, name, lineterm=""))


def shown(old: Entry, new: Entry) -> RenderableType:
    """The change of the code, and of what can be said of it."""
    facts = Text()
    for label, before, after in (
        ("signature", old.version.signature, new.version.signature),
        ("effect", str(old.version.effect), str(new.version.effect)),
        ("APIs", ", ".join(old.version.apis), ", ".join(new.version.apis)),
        ("status", str(old.status), str(new.status)),
    ):
        if before != after:
            facts.append(f"{label}: {line(before) or 'none'} → {line(after) or 'none'}\n", style="yellow")
    return Group(facts, pieces.difference(old, new)) if facts else pieces.difference(old, new)


def changes(difference: Difference) -> RenderableType:
    """What differs between two snapshots, a line for each skill."""
    if not difference:
        return Text("nothing differs", style="dim")
    table = pieces.table_of("", "skill", "id", "code", "status")
    for mark, style, each in (
        ("+", "green", difference.added),
        ("-", "red", difference.removed),
        ("~", "yellow", difference.changed),
        ("→", "cyan", difference.moved),
    ):
        for change in each:
            table.add_row(
                Text(mark, style=style),
                Text(line(change.name), style="bold"),
                change.skill,
                _code(change),
                _way(change),
            )
    return table


def _code(change: Change) -> Text:
    old, new = change.old[:8], change.new[:8]
    return Text(f"{old or '·'} → {new or '·'}" if old != new else new, style="dim" if old == new else "")


def _way(change: Change) -> Text:
    def of(status: Status | None) -> Text:
        return pieces.status_text(status) if status else Text("·")

    if change.old_status is change.new_status:
        return of(change.new_status)
    return of(change.old_status).append(" → ", style="dim").append_text(of(change.new_status))
