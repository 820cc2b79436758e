"""The page of one version, in a terminal and in the review: pieces made of what the store knows of it.

Names, code, docstrings and instructions are what a model wrote: none of it reaches the terminal as it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from prowess.cli.skills.views.differences import difference
from prowess.cli.skills.views.tables import effect_text, status_text, table_of, uplift_text
from prowess.cli.skills.views.text import hidden, line, moment, visible
from prowess.report.show import code_block
from prowess.store.record import Provenance, Trial, Verification
from prowess.text.plural import counted
from prowess.types import Json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from prowess.cli.skills.jobs.dossier import Dossier, Similar
    from prowess.cli.skills.jobs.origins import Moment
    from prowess.store.standing import Entry, Statistics

VERDICTS = {"pass": ("✔", "green"), "fail": ("✘", "red"), "abstain": ("–", "dim")}
SHOWN = 5
"""Provenances, tests and the like, shown one by one."""
LINES = 30
"""Longest reply, observation or evidence shown."""


def heading(text: str) -> RenderableType:
    from rich.rule import Rule

    return Rule(Text(text, style="bold"), align="left", style="dim")


def title(entry: Entry) -> RenderableType:
    """What a version is, in a box."""
    version = entry.version
    head = Text(visible(version.name) + visible(version.signature), style="bold")
    if described := visible(version.docstring).strip():
        head.append(f"\n{described}", style="not bold")
    facts = Text("\n")
    facts.append_text(status_text(entry.status)).append(" · ", style="dim")
    facts.append_text(effect_text(version.effect))
    facts.append(f" · version {entry.number} · {counted(version.tokens, 'token')}", style="dim")
    facts.append(" · approved by a person", style="green") if entry.approved else None
    head.append_text(facts)
    for label, names in (("APIs", version.apis), ("also called", entry.aliases), ("pinned by", entry.holders)):
        if names:
            head.append(f"\n{label}: {line(', '.join(names))}", style="not bold dim")
    head.append(f"\nskill {entry.id} · digest {entry.digest}", style="not bold dim")
    space = f"{line(entry.namespace)}:" if entry.namespace else ""
    return Panel(head, title=Text(f"{space}{line(entry.name)}", style="bold"), title_align="left")


def code(entry: Entry) -> RenderableType:
    """A version's code, with what one could not see spelled out."""
    source = entry.skill.code
    shown = code_block(visible(source))
    if not (count := hidden(source)):
        return shown
    from rich.console import Group

    return Group(Text(f"! {counted(count, 'invisible character')}, shown as ‹U+...›", style="bold red"), shown)


def origins(provenances: Sequence[Provenance]) -> RenderableType:
    """Where a version came from, each time."""
    shown = Text()
    for one in provenances[:SHOWN]:
        if one.kind == "episode":
            shown.append(f"run {line(one.run)}, task {line(one.task)}, turn {one.turn + 1}")
        else:
            shown.append(f"{one.kind}{f' by {line(one.who)}' if one.who else ''}")
        more = [one.checkpoint, f"{one.world} {one.world_version}".strip(), one.note]
        shown.append("".join(f" · {line(part)}" for part in more if part), style="dim")
        shown.append(f"\n  “{line(one.instruction)}”\n" if one.instruction else "\n", style="italic")
    if len(provenances) > SHOWN:
        shown.append(f"and {counted(len(provenances) - SHOWN, 'more time')}\n", style="dim")
    return Padding(shown if provenances else Text("unknown", style="dim"), (0, 0, 0, 2))


def told(found: Moment) -> RenderableType:
    """The very turn: what the model said, and what came of it."""
    turn, episode = found.turn, found.episode
    text = Text(cut(visible(turn.completion.text).strip()))
    if turn.observation:
        text.append(f"\n\n{cut(visible(turn.observation.text).strip())}", style="dim")
    solved = "solved" if episode.success else "not solved"
    return Panel(
        text,
        title=Text(f"turn {found.number + 1} of {len(episode.turns)} in {line(str(found.folder))}"),
        subtitle=Text(f"the episode: {solved}, {counted(len(episode.turns), 'turn')}"),
        title_align="left",
        subtitle_align="right",
        border_style="dim",
    )


def checks(verifications: Sequence[Verification]) -> RenderableType:
    """What the checks said."""
    if not verifications:
        return Padding(Text("no check has looked at it", style="dim"), (0, 0, 0, 2))
    table = table_of("", "check", "evidence", "when")
    for one in verifications:
        mark, style = VERDICTS[one.verdict]
        evidence = Text(cut(visible(evidence_text(one.evidence)), 6))
        table.add_row(Text(mark, style=style), Text(line(one.check)), evidence, Text(moment(one.at), style="dim"))
    return Padding(table, (0, 0, 0, 2))


def gist(verifications: Sequence[Verification]) -> str:
    """What checks came to, in a line: the one that failed with its evidence, else who passed and who abstained."""
    for one in verifications:
        if one.verdict == "fail":
            return f"{one.check}: {evidence_text(one.evidence)}"
    passed = ", ".join(one.check for one in verifications if one.verdict == "pass")
    abstained = [f"{one.check} abstained: {_reason(one.evidence)}" for one in verifications if one.verdict == "abstain"]
    return "; ".join(part for part in (f"passed {passed}" if passed else "", *abstained) if part)


def _reason(evidence: Json) -> str:
    return str(evidence["why"]) if isinstance(evidence, dict) and "why" in evidence else evidence_text(evidence)


def evidence_text(evidence: Json) -> str:
    """Evidence as a person reads it."""
    if evidence is None:
        return ""
    if isinstance(evidence, str):
        return evidence
    if isinstance(evidence, dict):
        return "\n".join(f"{name}: {evidence_text(value)}" for name, value in evidence.items())
    return json.dumps(evidence, ensure_ascii=False)


def tests(trials: Sequence[Trial]) -> RenderableType:
    """The calls that are repeated to test a version."""
    shown = Text()
    for one in trials[:SHOWN]:
        shown.append(f"{one.kind} ", style="dim").append(line(one.call, 100))
        shown.append(f" → {line(json.dumps(one.expected, ensure_ascii=False), 60)}", style="dim")
        shown.append(f" · {len(one.answers)} API answers\n" if one.answers else "\n", style="dim")
    if len(trials) > SHOWN:
        shown.append(f"and {len(trials) - SHOWN} more\n", style="dim")
    return Padding(shown if trials else Text("no test", style="dim"), (0, 0, 0, 2))


def worth(statistics: Statistics) -> RenderableType:
    """What the evidence of its uses says."""
    one = statistics
    shown = Text(f"offered in {counted(one.offered, 'episode')} ({one.offered_successes} solved), ")
    shown.append(f"masked in {one.masked} ({one.masked_successes} solved)\n")
    shown.append(f"called in {one.called} ({one.called_successes} solved, {one.errors} raised)")
    shown.append(f": success {one.success:.0%}\n" if one.called else "\n")
    shown.append("uplift ").append(uplift_text(one), style="bold")
    if one.last_success:
        shown.append(f"\nlast success {moment(one.last_success)}", style="dim")
    return Padding(shown, (0, 0, 0, 2))


def likes(similar: Sequence[Similar]) -> RenderableType:
    """Other skills that are much like it."""
    shown = Text()
    for one in similar[:SHOWN]:
        shown.append(line(one.entry.name), style="bold").append(f" {one.entry.digest[:12]} ")
        shown.append_text(status_text(one.entry.status)).append(f" · {line(one.how)}\n", style="dim")
    if len(similar) > SHOWN:
        shown.append(f"and {len(similar) - SHOWN} more\n", style="dim")
    return Padding(shown if similar else Text("none known", style="dim"), (0, 0, 0, 2))


def page(found: Dossier) -> list[RenderableType]:
    """A whole dossier, top to bottom."""
    parts: list[RenderableType] = [title(found.entry), heading("code"), code(found.entry)]
    for parent in found.parents:
        parts += [heading(f"changed since {line(parent.name)}@{parent.number}"), difference(parent, found.entry)]
    parts += [heading("written in"), origins(found.provenances)]
    if found.moment:
        parts.append(Padding(told(found.moment), (0, 0, 0, 2)))
    parts += [heading("checks"), checks(found.verifications), heading("tests"), tests(found.trials)]
    parts += [heading("worth"), worth(found.statistics), heading("similar skills"), likes(found.similar)]
    return parts


def cut(text: str, lines: int = LINES) -> str:
    """A long text's first lines, with a note of how many are left out."""
    every = text.split("\n")
    return text if len(every) <= lines else "\n".join([*every[:lines], f"… {counted(len(every) - lines, 'more line')}"])
