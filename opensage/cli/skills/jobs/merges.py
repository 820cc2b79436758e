"""Merge proposals for people: what could be one skill, accepted only if its parents' calls come out the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rich.panel import Panel
from rich.text import Text

from opensage.cli.skills.views import pieces
from opensage.cli.skills.views.text import line, visible
from opensage.errors import unknown
from opensage.show import code_block
from opensage.skills.canon import address_of
from opensage.skills.merge import Merge, merges
from opensage.skills.record import Event, Verification
from opensage.skills.store import Store
from opensage.words import counted

if TYPE_CHECKING:
    from rich.console import RenderableType

APART = "apart"
"""The check by which a person keeps skills from being merged."""


def proposals(store: Store, *, namespace: str | None = None) -> tuple[Merge, ...]:
    """What could be merged, without what a person has refused."""
    return tuple(one for one in merges(store, namespace=namespace) if not _refused(store, one))


def chosen(store: Store, name: str, *, namespace: str | None = None) -> Merge:
    """The proposal that a name means: that of the merged skill, or of one of its parents."""
    found = merges(store, namespace=namespace)
    for one in found:
        if name in (one.skill.name, *(parent.name for parent in one.parents)):
            return one
    raise unknown("merge proposal", name, [one.skill.name for one in found])


def digest_of(merge: Merge) -> str:
    """The digest that the merged skill has, or would have."""
    needed = {digest for parent in merge.parents for digest in parent.version.dependencies}
    return address_of(merge.skill, namespace=merge.parents[0].namespace, dependencies=sorted(needed))


def refuse(store: Store, merge: Merge, *, who: str, why: str = "") -> tuple[Event, ...]:
    """Note that these versions are not to be one. It says nothing against any of them, and can be made all the same."""
    digests = sorted(parent.digest for parent in merge.parents)
    evidence = {"not to be merged": digests, "why": why}
    store.verify(
        *(Verification(digest=one, check=APART, verdict="abstain", evidence=evidence, by=who) for one in digests)
    )
    return ()


def why_of(merge: Merge) -> str:
    """Why two skills could be one, in a line."""
    holes = ", ".join(hole.name for hole in merge.holes)
    return f"{_names(merge)} differ in {holes} alone"


def page(store: Store, merge: Merge) -> list[RenderableType]:
    """A proposal with all that a person needs to decide."""
    head = Text(f"{visible(merge.skill.name)} instead of {line(_names(merge))}", style="bold")
    if described := visible(merge.skill.docstring).strip():
        head.append(f"\n{described}", style="not bold")
    head.append(f"\ndigest {digest_of(merge)}", style="not bold dim")
    parameters = pieces.table_of("parameter", "type", *(line(parent.name) for parent in merge.parents))
    for hole in merge.holes:
        values = [Text(line(repr(value), 40)) for value in hole.values]
        parameters.add_row(Text(line(hole.name), style="bold"), Text(line(hole.type)), *values)
    parts: list[RenderableType] = [
        Panel(head, title=Text("merge", style="bold"), title_align="left"),
        pieces.heading("constants that become parameters"),
        parameters,
        pieces.heading("code"),
        code_block(visible(merge.skill.code)),
    ]
    for parent in merge.parents:
        trials = store.trials(parent.digest)
        parts += [pieces.heading(f"instead of {line(parent.name)}@{parent.number}"), pieces.code(parent)]
        parts += [
            Text(f"  {counted(len(trials), 'recorded call')}, which must come out the same", style="dim"),
            pieces.tests(trials),
        ]
    return parts


def table(found: Iterable[Merge]) -> RenderableType:
    """Proposals, a line each."""
    made = pieces.table_of("merged", "instead of", "parameters")
    for one in found:
        holes = ", ".join(f"{hole.name}: {hole.type}" for hole in one.holes)
        made.add_row(Text(line(one.skill.name), style="bold"), Text(line(_names(one))), Text(line(holes), style="dim"))
    return made if made.row_count else Text("nothing could be merged", style="dim")


def _names(merge: Merge) -> str:
    return " and ".join(parent.name for parent in merge.parents)


def _refused(store: Store, merge: Merge) -> bool:
    digests = sorted(parent.digest for parent in merge.parents)
    said = store.verifications(digests[0])
    return any(one.check == APART and one.evidence["not to be merged"] == digests for one in said)
