"""A line each: skills, what a search found, what was admitted or moved, snapshots."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.console import RenderableType
from rich.text import Text

from prowess.cli.skills.jobs.upkeep import Move
from prowess.cli.skills.views import dossier
from prowess.cli.skills.views.tables import (
    FIGURES,
    WIDE,
    effect_text,
    share_text,
    status_text,
    table_of,
    uplift_cell,
    way_text,
)
from prowess.cli.skills.views.text import line, moment
from prowess.store.gates.admission import Admission
from prowess.store.search.offer import Hit
from prowess.store.standing import Entry, Snapshot, Statistics


def skills(rows: Sequence[tuple[Entry, Statistics]], *, numbered: bool, width: int) -> RenderableType:
    """Skills with what is known of their worth; `numbered` also where there is but one version."""
    table = table_of("skill", "status", "effect", "called", "uplift", "digest", right=FIGURES)
    for entry, worth in rows:
        version = f"@{entry.number}" if numbered or entry.number > 1 else ""
        name = Text(f"{line(entry.name)}{version}", style="bold")
        if width >= WIDE and entry.version.summary:
            name.append_text(_summary(entry))
        called = share_text(worth.called_successes, worth.called)
        effect = effect_text(entry.version.effect)
        table.add_row(name, status_text(entry.status), effect, called, uplift_cell(worth), entry.digest[:8])
    return table if rows else Text("no skill", style="dim")


def hits(offered: Sequence[Hit], others: Sequence[Entry]) -> RenderableType:
    """What a search would offer; below it, others that have the words."""
    table = table_of("score", "likeness", "skill", "status", "effect", "digest", right=["score", "likeness"])
    rows = [(f"{hit.score:.3f}", f"{hit.likeness:.2f}", hit.entry) for hit in offered]
    for score, likeness, entry in [*rows, *(("–", "–", entry) for entry in others)]:
        name = Text(line(entry.name), style="bold").append_text(_summary(entry))
        effect = effect_text(entry.version.effect)
        table.add_row(score, likeness, name, status_text(entry.status), effect, entry.digest[:8])
    return table if rows else Text("nothing found", style="dim")


def _summary(entry: Entry) -> Text:
    return Text(f"\n  {line(entry.version.summary, 60)}", style="not bold dim")


def admissions(done: Sequence[Admission]) -> RenderableType:
    """Where the gates put candidates, and why."""
    table = table_of("skill", "digest", "status", "why")
    for one in done:
        why = Text(line(dossier.gist(one.verifications), 300), style="dim")
        table.add_row(Text(line(one.name), style="bold"), one.digest[:8], status_text(one.status), why)
    return table if done else Text("no candidate waits", style="dim")


def moves(done: Sequence[Move]) -> RenderableType:
    """What the evidence moved, or would."""
    table = table_of("skill", "digest", "status", "why")
    for one in done:
        way, why = way_text(one.before, one.to), Text(line(one.why), style="dim")
        if one.refused:
            way, why = Text("stays ", style="dim").append_text(way), why.append(f"\nnot done: {line(one.refused)}")
        table.add_row(Text(line(one.name), style="bold"), one.digest[:8], way, why)
    return table if done else Text("the evidence asks for nothing", style="dim")


def snapshots(kept: Sequence[Snapshot], holders: Mapping[str, Collection[str]]) -> RenderableType:
    """Snapshots, with who pins them, by their roots."""
    table = table_of("root", "when", "event", "skills", "pinned by", "note", right=FIGURES)
    for one in kept:
        held, note = Text(line(", ".join(holders[one.root]))), Text(line(one.note))
        table.add_row(one.root[:16], moment(one.at), str(one.event), str(one.count), held, note)
    return table
