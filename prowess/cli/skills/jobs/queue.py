"""What waits for a person: versions in review, those that are about to be promoted, and skills that could be one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from prowess.cli.skills.jobs.merges import digest_of, proposals, why_of
from prowess.store.curate import USUAL, plan
from prowess.store.db import Store
from prowess.store.merging.merge import Merge
from prowess.store.record import Status
from prowess.store.settings import CurateSettings
from prowess.store.standing import Statistics
from prowess.text.plural import counted
from prowess.text.terminal import Watch, unseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing to decide."""

    kind: Literal["review", "promotion", "merge"]
    digest: str
    name: str
    why: str
    """Why it waits, in a line."""
    merge: Merge | None = None
    """What is proposed, where skills could be one."""


def queue_of(
    store: Store, settings: CurateSettings = USUAL, *, namespace: str | None = None, watch: Watch = unseen
) -> Iterator[Item]:
    """What waits, the most pressing first, as it is found: what could be merged takes long in a large store."""
    yield from _reviews(store, namespace)
    yield from _promotions(store, settings, namespace)
    for one in proposals(store, namespace=namespace, watch=watch):
        yield Item(kind="merge", digest=digest_of(one), name=one.skill.name, why=why_of(one), merge=one)


def still(store: Store, items: Sequence[Item]) -> list[Item]:
    """The items that are still to be decided."""
    stood = [_stood(item) for item in items]
    now = store.statuses({digest for one in stood for digest in one})
    return [
        item
        for item, before in zip(items, stood, strict=True)
        if all(now.get(digest) is status for digest, status in before.items())
    ]


def _stood(item: Item) -> Mapping[str, Status]:
    """Where the versions of an item stand as long as it waits."""
    if item.merge is None:
        return {item.digest: Status.REVIEW if item.kind == "review" else Status.PROBATION}
    return {parent.digest: parent.status for parent in item.merge.parents}


def _reviews(store: Store, namespace: str | None) -> Iterator[Item]:
    for entry in store.entries(statuses=[Status.REVIEW], namespace=namespace, heads=False):
        moves = store.events(skill=entry.id, digest=entry.digest, newest=True, limit=1)
        why = (moves[0].why if moves else "") or f"what it does is {entry.version.effect}"
        yield Item(kind="review", digest=entry.digest, name=entry.name, why=why)


def _promotions(store: Store, settings: CurateSettings, namespace: str | None) -> Iterator[Item]:
    """First what `curate` would promote, then what has half of the calls that takes."""
    ripe = [step for step in plan(store, settings, namespace=namespace) if step.to is Status.ACTIVE]
    for step in ripe:
        why = f"{step.why}; {step.held}" if step.held else step.why
        yield Item(kind="promotion", digest=step.digest, name=step.name, why=why)
    known = {step.digest for step in ripe}
    for entry in store.entries(statuses=[Status.PROBATION], namespace=namespace, heads=False):
        seen = store.statistics(entry.digest)
        if entry.digest not in known and _near(seen, settings):
            why = f"called in {seen.called} of the {counted(settings.calls, 'episode')} that a promotion takes"
            yield Item(kind="promotion", digest=entry.digest, name=entry.name, why=why)


def _near(seen: Statistics, settings: CurateSettings) -> bool:
    """Half of the calls, and more success than not."""
    return 2 * seen.called >= settings.calls and seen.success > 1 / 2
