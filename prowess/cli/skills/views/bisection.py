"""What a bisection found: the change that made it worse, and what speaks against that."""

from __future__ import annotations

from rich.console import RenderableType
from rich.text import Text

from prowess.cli.skills.views.tables import status_text
from prowess.cli.skills.views.text import line
from prowess.store.curate.bisect import Bisection
from prowess.store.record import Status
from prowess.text.plural import counted


def told(found: Bisection, metric: str) -> RenderableType:
    """What a bisection found, for a terminal."""
    text = Text(f"{metric}: {abs(found.good):g} with the good library, {abs(found.bad):g} with the bad one")
    changes, looks = counted(len(found.changes), "change"), counted(found.evaluations, "evaluation")
    text.append(f" ({changes}, {looks})\n", style="dim")
    if found.culprit is None:
        return text.append("the two do not differ beyond the tolerance", style="yellow")
    change = found.culprit
    text.append("it got worse with ").append(line(change.name), style="bold red")
    text.append(f" (skill {change.skill}): {line(change.old[:12]) or 'nothing'} ").append_text(
        _status(change.old_status)
    )
    text.append(f" → {line(change.new[:12]) or 'nothing'} ").append_text(_status(change.new_status))
    if found.alone is not None and found.without is not None:
        text.append(f"\nthe good library with this change alone: {abs(found.alone):g}", style="dim")
        text.append(f"; the bad one without it: {abs(found.without):g}", style="dim")
    for doubt in found.doubts:
        text.append(f"\ndoubt: {line(doubt)}", style="yellow")
    return text


def _status(status: Status | None) -> Text:
    return status_text(status) if status else Text("")
