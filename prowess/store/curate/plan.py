"""Curation: what the evidence of the whole store asks for, first as a plan, then done.

    steps = plan(store)             a dry run: nothing is written
    for done in carry_out(store, steps):
        print(done.step.why, done.event)
    store.undo(event.id)            takes any of them back

What a person decided stands until there is new evidence: after a person has put a version where it is, only what
happened since then counts.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prowess.errors import StoreError
from prowess.store.curate.evidence import Population, convicted
from prowess.store.curate.rules import case_against, promotion
from prowess.store.db import Store
from prowess.store.db.rows import STATISTICS
from prowess.store.life import OFFERED, Facts, unapproved
from prowess.store.record import Actor, Effect, Event, Status
from prowess.store.settings import CurateSettings
from prowess.store.standing import Statistics
from prowess.text.terminal import Watch, unseen

WHO = "curate"
USUAL = CurateSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One move that is asked for."""

    skill: str
    """The skill's id."""
    name: str
    digest: str
    before: Status
    to: Status
    why: str
    """With the figures."""
    held: str = ""
    """Why it is proposed and will not be made, or nothing."""
    seen: Statistics
    """The figures it rests on."""
    smoke: str = ""
    """What went wrong when it was last tried before an offer, where it rests on that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of a step."""

    step: Move
    event: Event | None = None
    """What to undo, where it was made."""
    refused: str = ""
    """Why it was not made."""


def plan(
    store: Store,
    settings: CurateSettings = USUAL,
    *,
    namespace: str | None = None,
    watch: Watch = unseen,
) -> tuple[Move, ...]:
    """What the evidence asks for now: suspensions first, the strongest case first; then promotions."""
    broken = _broken(store, namespace)
    tested = _tested(store, namespace)
    known = Population.of([(one.seen.masked_successes, one.seen.masked) for one in tested])
    cases = []
    with watch(len(tested), "weigh the evidence") as bar:
        for one in tested:
            cases.append((one, case_against(one.seen, settings, known)))
            bar.advance()
    # Who was suspended before is still among those tested: a trial is not repeated until the innocent are few.
    enough = convicted([case.value for _, case in cases], settings.rate)
    offered = [(one, case) for one, case in cases if one.status in OFFERED]
    guilty = sorted((pair for pair in offered if pair[1].value >= enough), key=lambda pair: -pair[1].value)
    steps = [
        one.step(Status.SUSPENDED, f"{case.told(one.seen)} (suffices: {enough:.3g}, of {len(tested)} tested)")
        for one, case in guilty
    ]
    suspended = {step.digest for step in steps}
    steps += [one.step(Status.SUSPENDED, one.smoke) for one in broken if one.digest not in suspended]
    kept = [(one, case) for one, case in offered if one.digest not in {each.digest for each in broken}]
    for one, case in kept:
        if one.status is Status.PROBATION and case.value < enough and (why := promotion(one.seen, settings)):
            steps.append(one.step(Status.ACTIVE, why))
    return tuple(steps)


def carry_out(store: Store, steps: Sequence[Move], *, who: str = WHO, watch: Watch = unseen) -> tuple[Done, ...]:
    """Make the steps of a plan in one transaction, save those whose grounds have changed since it was made."""
    done = []
    with store.many(), watch(len(steps), "move skills") as bar:
        for step in steps:
            done.append(_made(store, step, who))
            bar.advance()
    return tuple(done)


def curate(
    store: Store,
    settings: CurateSettings = USUAL,
    *,
    namespace: str | None = None,
    who: str = WHO,
) -> tuple[Done, ...]:
    """Plan and carry out in one transaction, between which nothing can come."""
    with store.many():
        return carry_out(store, plan(store, settings, namespace=namespace), who=who)


def _made(store: Store, step: Move, who: str) -> Done:
    if step.held:
        return Done(step=step, refused=step.held)
    now = next(iter(_broken(store, None, step.digest) if step.smoke else _tested(store, None, step.digest)), None)
    if now is None or now.status is not step.before:
        return Done(step=step, refused=f"it is {now.status if now else 'gone'} now, and was {step.before}")
    if now.seen != step.seen and not step.smoke:
        return Done(step=step, refused="it has been used since: its figures are others now")
    if reason := now.held(step.to):
        return Done(step=step, refused=reason)
    try:
        return Done(step=step, event=store.move(step.digest, step.to, actor=Actor.CURATOR, who=who, why=step.why))
    except StoreError as refusal:
        return Done(step=step, refused=refusal.message)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """A version with evidence, and what the rules ask besides."""

    skill: str
    name: str
    digest: str
    status: Status
    facts: Facts
    seen: Statistics
    smoke: str = ""
    """The failure it is accused of, where that is no matter of figures."""

    def held(self, to: Status) -> str:
        if self.facts.holders:
            return f"pinned by {', '.join(self.facts.holders)}"
        return unapproved(self.facts) if to in OFFERED else ""

    def step(self, to: Status, why: str) -> Move:
        return Move(
            skill=self.skill,
            name=self.name,
            digest=self.digest,
            before=self.status,
            to=to,
            why=why,
            held=self.held(to),
            seen=self.seen,
            smoke=self.smoke,
        )


_QUERY = f"""
SELECT k.id, v.name, s.digest, s.status, v.effect, s.review,
       (SELECT group_concat(holder, char(10)) FROM pin WHERE target = k.id),
       s.digest, {", ".join(f't."{name}"' for name in STATISTICS.names if name != "digest")},
       (SELECT max(at) FROM event e WHERE e.born = s.skill AND e.digest = s.digest AND e.kind = 'moved'
        AND e.actor = 'person' AND e.after IN ('active', 'probation') AND e.before NOT IN ('verified', 'review'))
FROM statistics t JOIN state s USING (version) JOIN version v ON v.id = s.version JOIN skill k ON k.born = s.skill
WHERE (?1 IS NULL OR v.namespace = ?1) AND (?2 = '' OR s.digest = ?2)
ORDER BY k.id, s.number
"""
_BEFORE = 7

_SINCE = """
SELECT ?1, sum(arm = 'offered'), sum(arm = 'offered' AND success), sum(arm = 'masked'), sum(arm = 'masked' AND success),
       sum(called > 0), sum(called > 0 AND success), sum(error <> ''),
       coalesce(min(CASE WHEN called > 0 AND success THEN at END), ''),
       coalesce(max(CASE WHEN called > 0 AND success THEN at END), '')
FROM usage WHERE version = (SELECT id FROM version WHERE digest = ?1) AND at > ?2
"""


def _tested(store: Store, namespace: str | None, digest: str = "") -> list[_Tested]:
    """Every version that was ever offered or held back, in one view."""
    rows: Sequence[Any] = list(store.db.execute(_QUERY, (namespace, digest)))
    return [
        _of(row, seen=_since(store, row[2], row[-1]) if row[-1] else STATISTICS.value(row[_BEFORE:-1])) for row in rows
    ]


def _of(row: Sequence[Any], *, seen: Statistics, smoke: str = "") -> _Tested:
    """What both questions begin with: skill, name, digest, status, effect, review, and who holds it."""
    return _Tested(
        skill=row[0],
        name=row[1],
        digest=row[2],
        status=Status(row[3]),
        facts=Facts(
            effect=Effect(row[4]),
            approved=row[5] == "approve",
            holders=tuple((row[6] or "").split("\n") if row[6] else ()),
        ),
        seen=seen,
        smoke=smoke,
    )


_BROKEN = """
SELECT k.id, v.name, s.digest, s.status, v.effect, s.review,
       (SELECT group_concat(holder, char(10)) FROM pin WHERE target = k.id), c.evidence
FROM verification c JOIN state s USING (version) JOIN version v ON v.id = s.version JOIN skill k ON k.born = s.skill
WHERE c."check" = 'smoke' AND c.verdict = 'fail' AND s.status IN ('active', 'probation')
  AND (?1 IS NULL OR v.namespace = ?1) AND (?2 = '' OR s.digest = ?2)
  AND c.id = (SELECT max(id) FROM verification l WHERE l.version = c.version AND l."check" = 'smoke')
  AND c.at > coalesce((SELECT max(at) FROM event e WHERE e.born = s.skill AND e.digest = s.digest
                       AND e.kind = 'moved' AND e.actor = 'person'), '')
ORDER BY k.id, s.number
"""


def _broken(store: Store, namespace: str | None, digest: str = "") -> list[_Tested]:
    """Offered versions whose recorded calls did not come out again when they were last tried, in one view."""
    rows: Sequence[Any] = list(store.db.execute(_BROKEN, (namespace, digest)))
    return [
        _of(
            row,
            seen=Statistics(digest=row[2]),
            smoke=f"a recorded call does not come out again: {json.loads(row[7]).get('problem', '')}"[:300],
        )
        for row in rows
    ]


def _since(store: Store, digest: str, at: str) -> Statistics:
    row: Any = store.db.execute(_SINCE, (digest, at)).get
    return STATISTICS.value([value or 0 if n < 8 and n else value for n, value in enumerate(row)])
