"""One thing looked at, and all of them as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at."""

    area: str
    """What it belongs to: `machine`, `sandbox`, `packages` ..."""
    what: str
    """What was looked at."""
    state: Literal["ok", "limited", "missing", "optional"]
    """`ok`, `limited`, `missing`, or `optional`: not there, and needed for one purpose alone."""
    detail: str = ""
    """What was found."""
    remedy: str = ""
    """What to do, where something can be done."""
    needed: bool = False
    """True for what the default job cannot do without."""


def able(findings: Iterable[Finding]) -> bool:
    """True when the default job can run."""
    return not any(finding.needed and finding.state == "missing" for finding in findings)


def show(console: Console, findings: Sequence[Finding], *, job: str = "the default job") -> None:
    """The findings as a table, and below it the remedies, one per line to copy, and whether the job can be done."""
    from rich.table import Table
    from rich.text import Text

    colours = {"ok": "green", "limited": "yellow", "missing": "dim", "optional": "dim"}
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("area", "what", "state"):
        table.add_column(heading, no_wrap=True)
    table.add_column("detail", overflow="fold")
    area = ""
    for finding in findings:
        if area and finding.area != area:
            table.add_section()
            table.add_row()
        bad = finding.needed and finding.state == "missing"
        state = Text(finding.state, style="bold red" if bad else colours[finding.state])
        table.add_row("" if finding.area == area else finding.area, finding.what, state, Text(finding.detail))
        area = finding.area
    console.print(table)
    remedies = [finding for finding in findings if finding.remedy]
    if remedies:
        console.print()
    for finding in remedies:
        # One whole line, however long, so that a command can be copied.
        console.print(Text(f"{finding.area} {finding.what}: {finding.remedy}"), soft_wrap=True)
    console.print()
    if able(findings):
        console.print(Text(f"{job.capitalize()} can run here", style="green"))
    else:
        lacking = ", ".join(f"{one.area} {one.what}" for one in findings if one.needed and one.state == "missing")
        console.print(Text(f"{job.capitalize()} cannot run here: {lacking}", style="bold red"))
