"""When an API changes, the skills that call it are no longer known to work: exactly those go stale.

A skill's version keeps the fingerprints (`fingerprint`) of the day it was proposed; the world has those of today.

    now = fingerprints(suite.documents())
    drift = follow(store, now, namespace="desk")     what changed goes stale, what is as before comes back
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from prowess.errors import StoreError
from prowess.store.db import Store
from prowess.store.life import OFFERED
from prowess.store.record import Actor, Event, Kind, Status

WHO = "drift"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A version that goes stale or comes back."""

    skill: str
    name: str
    digest: str
    before: Status
    to: Status
    why: str
    undoes: int = 0
    """For one that comes back: the event that made it stale."""
    events: tuple[Event, ...] = ()
    refused: str = ""
    """Why it stays where it is, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """What became of a store when it was held against the APIs of today."""

    changed: tuple[str, ...] = ()
    """APIs that differ from what some living version knows, or are gone."""
    stale: tuple[Turn, ...] = ()
    back: tuple[Turn, ...] = ()
    unknown: int = 0
    """Offered versions that keep no fingerprint of some API they call: nothing can be said of them."""


def follow(store: Store, now: Mapping[str, str], *, namespace: str | None = None, dry_run: bool = False) -> Drift:
    """Make stale what relies on an API that changed, and bring back what went stale for one that is as before.

    `now` has every API of the namespace's world: one that is not there is gone. Pins hold against opinions, not
    against facts: a pinned skill goes stale like any other.
    """
    with store.many():
        versions = {row[0]: _Known(*row) for row in store.db.execute(_VERSIONS, (namespace,))}
        broken = _broken(versions, _changes(store, versions, now))
        stale = [
            _turn(one, Status.STALE, "; ".join(sorted(broken[one.digest])))
            for one in versions.values()
            if one.status in OFFERED and one.digest in broken
        ]
        back = [
            _turn(one, Status(event.before), "what it calls is as it was", undoes=event.id)
            for one in versions.values()
            if one.status is Status.STALE and one.digest not in broken and (event := _drifted(store, one)) is not None
        ]
        return Drift(
            changed=tuple(sorted({why.split(" ")[0] for one in stale for why in broken[one.digest]})),
            stale=tuple(stale if dry_run else [_gone(store, turn) for turn in stale]),
            back=tuple(back if dry_run else [_returned(store, turn) for turn in back]),
            unknown=_unknown(store, versions),
        )


_VERSIONS = """
SELECT s.digest, k.id, v.name, s.status, v.dependencies
FROM state s JOIN version v ON v.id = s.version JOIN skill k ON k.born = s.skill
WHERE ?1 IS NULL OR v.namespace = ?1 ORDER BY k.id, s.number
"""


@dataclass(slots=True)
class _Known:
    digest: str
    skill: str
    name: str
    status: Status
    needs: Any

    def __post_init__(self) -> None:
        self.status, self.needs = Status(self.status), tuple(json.loads(self.needs))


_CALLED = "SELECT a.api, s.digest, a.fingerprint FROM api a JOIN state s USING (version) WHERE a.fingerprint <> ''"


def _changes(store: Store, versions: Collection[str], now: Mapping[str, str]) -> dict[str, set[str]]:
    """For each version, what changed among the APIs that it calls itself."""
    found: dict[str, set[str]] = defaultdict(set)
    for api, digest, known in store.db.execute(_CALLED):
        if digest in versions and now.get(api) != known:
            found[digest].add(f"{api} changed" if api in now else f"{api} is gone")
    return found


def _broken(versions: Mapping[str, _Known], changes: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """The same with what comes through the versions it depends on, however far."""
    callers: dict[str, list[str]] = defaultdict(list)
    for one in versions.values():
        for needed in one.needs:
            callers[needed].append(one.digest)
    broken = {digest: set(whys) for digest, whys in changes.items()}
    waiting = list(changes)
    while waiting:
        digest = waiting.pop()
        for caller in callers[digest]:
            through = {f"{why.partition(' (')[0]} (through {versions[digest].name})" for why in broken[digest]}
            if not through <= broken.setdefault(caller, set()):
                broken[caller] |= through
                waiting.append(caller)
    return broken


def _drifted(store: Store, one: _Known) -> Event | None:
    """The event of ours that made a version stale, if it still stands."""
    moves = [event for event in store.events(skill=one.skill, digest=one.digest) if event.kind is Kind.MOVED]
    last = moves[-1] if moves else None
    return last if last and last.after == Status.STALE and last.who == WHO and not last.undoes else None


def _unknown(store: Store, versions: Mapping[str, _Known]) -> int:
    rows = store.db.execute("SELECT DISTINCT s.digest FROM api a JOIN state s USING (version) WHERE a.fingerprint = ''")
    return sum(row[0] in versions and versions[row[0]].status in OFFERED for row in rows)


def _turn(one: _Known, to: Status, why: str, undoes: int = 0) -> Turn:
    return Turn(skill=one.skill, name=one.name, digest=one.digest, before=one.status, to=to, why=why, undoes=undoes)


def _gone(store: Store, turn: Turn) -> Turn:
    event = store.move(turn.digest, turn.to, actor=Actor.CURATOR, who=WHO, why=turn.why)
    return replace(turn, events=(event,))


def _returned(store: Store, turn: Turn) -> Turn:
    try:
        return replace(turn, events=store.undo(turn.undoes, actor=Actor.CURATOR, who=WHO, why=turn.why))
    except StoreError as refusal:
        return replace(turn, refused=refusal.message)
