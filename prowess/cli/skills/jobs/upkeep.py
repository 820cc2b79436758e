"""What evidence and changed APIs ask for, in one list: planned, or done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prowess.errors import RecipeError
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.suites import suite_in
from prowess.store import curate
from prowess.store.curate.drift import Turn, follow
from prowess.store.db import Store
from prowess.store.fingerprint import fingerprints
from prowess.store.record import Status
from prowess.store.settings import CurateSettings
from prowess.text.terminal import Watch, unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One version that goes elsewhere, or would."""

    skill: str
    name: str
    digest: str
    before: Status
    to: Status
    why: str
    refused: str = ""
    """Why it stays where it is, or nothing."""
    event: int = 0
    """What to undo; 0 where nothing was done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """What was done, or would be."""

    moves: tuple[Move, ...]
    unknown: int = 0
    """Offered versions of which it cannot be said whether an API has changed."""


def upkeep(
    store: Store,
    recipe: Recipe | None = None,
    settings: CurateSettings = curate.USUAL,
    *,
    namespace: str | None = None,
    dry_run: bool = False,
    who: str = "",
    watch: Watch = unseen,
) -> Upkeep:
    """First what no longer fits its APIs, where a world is given; then what the evidence asks for."""
    turns: list[Turn] = []
    unknown = 0
    if recipe is not None:
        drift = follow(store, _apis(recipe), namespace=namespace or recipe.suite.name, dry_run=dry_run)
        turns, unknown = [*drift.stale, *drift.back], drift.unknown
    steps = curate.plan(store, settings, namespace=namespace, watch=watch)
    made = (
        [curate.Done(step=step) for step in steps] if dry_run else curate.carry_out(store, steps, who=who, watch=watch)
    )
    return Upkeep(moves=(*_turned(turns), *map(_moved, made)), unknown=unknown)


def _apis(recipe: Recipe) -> dict[str, str]:
    with suite_in(recipe) as suite:
        documents = getattr(suite, "documents", None)
        if documents is None:
            raise RecipeError(f"the world '{recipe.suite.name}' does not document its APIs", hint="leave out --world")
        return fingerprints(documents())


def _turned(turns: list[Turn]) -> Iterator[Move]:
    for turn in turns:
        yield Move(
            skill=turn.skill,
            name=turn.name,
            digest=turn.digest,
            before=turn.before,
            to=turn.to,
            why=turn.why,
            refused=turn.refused,
            event=turn.events[0].id if turn.events else 0,
        )


def _moved(done: curate.Done) -> Move:
    step = done.step
    return Move(
        skill=step.skill,
        name=step.name,
        digest=step.digest,
        before=step.before,
        to=step.to,
        why=step.why,
        refused=done.refused or step.held,
        event=done.event.id if done.event else 0,
    )
