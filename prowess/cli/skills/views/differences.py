"""What differs: between two snapshots of a store, or between two versions of code."""

from __future__ import annotations

import difflib

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from prowess.cli.skills.views import tables
from prowess.cli.skills.views.text import line, visible
from prowess.store.standing import Change, Difference, Entry
from prowess.text.terminal import safe


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
    return Group(facts, difference(old, new)) if facts else difference(old, new)


def difference(old: Entry, new: Entry) -> RenderableType:
    """What changed in the code from one version to another."""
    named, name = (f"{line(one.name)}@{one.number} {one.digest[:12]}" for one in (old, new))
    before, after = (visible(one.skill.code).splitlines() for one in (old, new))
    lines = list(difflib.unified_diff(before, after, named, name, lineterm=""))
    shown = Text()
    for one in lines:
        style = "dim" if one[:3] in ("+++", "---") else {"+": "green", "-": "red", "@": "cyan"}.get(one[:1], "")
        shown.append(f"{safe(one)}\n", style=style)
    return Padding(shown if lines else Text("the code is the same", style="dim"), (0, 0, 0, 2))


def changes(difference: Difference) -> RenderableType:
    """What differs between two snapshots, a line for each skill."""
    if not difference:
        return Text("nothing differs", style="dim")
    table = tables.table_of("", "skill", "id", "code", "status")
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
    old, new = line(change.old[:8]), line(change.new[:8])
    return Text(f"{old or '·'} → {new or '·'}" if old != new else new, style="dim" if old == new else "")


def _way(change: Change) -> Text:
    if change.new_status and change.old_status is change.new_status:
        return tables.status_text(change.new_status)
    return tables.way_text(change.old_status, change.new_status)
