"""Merge proposals: all of them a line each, or one with all that a person needs to decide."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.panel import Panel
from rich.text import Text

from prowess.cli.skills.jobs.merges import digest_of, names_of
from prowess.cli.skills.views import dossier
from prowess.cli.skills.views.tables import table_of
from prowess.cli.skills.views.text import line, visible
from prowess.report.show import code_block
from prowess.store.db import Store
from prowess.store.merging.merge import Merge
from prowess.text.plural import counted

if TYPE_CHECKING:
    from rich.console import RenderableType


def page(store: Store, merge: Merge) -> list[RenderableType]:
    """A proposal with all that a person needs to decide."""
    head = Text(f"{visible(merge.skill.name)} instead of {line(names_of(merge))}", style="bold")
    if described := visible(merge.skill.docstring).strip():
        head.append(f"\n{described}", style="not bold")
    head.append(f"\ndigest {digest_of(merge)}", style="not bold dim")
    parameters = table_of("parameter", "type", *(line(parent.name) for parent in merge.parents))
    for hole in merge.holes:
        values = [Text(line(repr(value), 40)) for value in hole.values]
        parameters.add_row(Text(line(hole.name), style="bold"), Text(line(hole.type)), *values)
    parts: list[RenderableType] = [
        Panel(head, title=Text("merge", style="bold"), title_align="left"),
        dossier.heading("constants that become parameters"),
        parameters,
        dossier.heading("code"),
        code_block(visible(merge.skill.code)),
    ]
    for parent in merge.parents:
        trials = store.trials(parent.digest)
        parts += [dossier.heading(f"instead of {line(parent.name)}@{parent.number}"), dossier.code(parent)]
        parts += [
            Text(f"  {counted(len(trials), 'recorded call')}, which must come out the same", style="dim"),
            dossier.tests(trials),
        ]
    return parts


def table(found: Iterable[Merge]) -> RenderableType:
    """Proposals, a line each."""
    made = table_of("merged", "instead of", "parameters")
    for one in found:
        holes = ", ".join(f"{hole.name}: {hole.type}" for hole in one.holes)
        made.add_row(
            Text(line(one.skill.name), style="bold"), Text(line(names_of(one))), Text(line(holes), style="dim")
        )
    return made if made.row_count else Text("nothing could be merged", style="dim")
