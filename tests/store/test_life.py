"""Which steps a version may take."""

from __future__ import annotations

import pytest

from prowess.store.life import OFFERED, STEPS, Facts, Standing, allowed, head, refusal, superseded
from prowess.store.record import Actor, Effect, Status

S = Status


def test_every_status_has_a_way_on() -> None:
    assert set(STEPS) == set(Status)
    assert all(steps for steps in STEPS.values())


@pytest.mark.parametrize("status", [status for status in Status if status is not S.REVOKED])
def test_security_and_people_may_revoke_anything_and_nobody_else(status: Status) -> None:
    assert S.REVOKED in allowed(status, Actor.GUARD)
    assert S.REVOKED in allowed(status, Actor.PERSON)
    assert S.REVOKED not in (*allowed(status, Actor.CURATOR), *allowed(status, Actor.GATE))


def test_what_was_found_bad_comes_back_by_a_person_only() -> None:
    for status in (S.RETIRED, S.REVOKED):
        assert not allowed(status, Actor.CURATOR)
        assert not allowed(status, Actor.GATE)
    assert not allowed(S.REVIEW, Actor.GATE)


def test_who_may_bring_a_version_before_agents() -> None:
    def brings(actor: Actor) -> set[tuple[Status, Status]]:
        return {(now, to) for now in Status for to in OFFERED if to in allowed(now, actor)}

    assert brings(Actor.GATE) == {(S.VERIFIED, S.PROBATION), (S.STALE, S.PROBATION)}
    assert brings(Actor.CURATOR) == {
        (S.VERIFIED, S.PROBATION),
        (S.PROBATION, S.ACTIVE),
        (S.ACTIVE, S.PROBATION),
        (S.STALE, S.PROBATION),
        (S.SUSPENDED, S.PROBATION),
        (S.SUPERSEDED, S.PROBATION),
        (S.SUPERSEDED, S.ACTIVE),
    }
    assert not any(now in (S.CANDIDATE, S.REJECTED, S.REVOKED) for now, _ in brings(Actor.PERSON))


def test_only_the_gates_and_people_verify_and_a_guard_only_takes_away() -> None:
    for status in Status:
        assert set(allowed(status, Actor.GUARD)) <= {S.SUSPENDED, S.REVOKED}
        assert not allowed(status, Actor.STORE)
        assert S.VERIFIED not in allowed(status, Actor.CURATOR)
        for actor in Actor:
            assert S.VERIFIED not in allowed(status, actor) or status is S.CANDIDATE
            assert S.CANDIDATE not in allowed(status, actor) or status in (S.STALE, S.RETIRED, S.REJECTED, S.REVOKED)
    assert S.CANDIDATE not in allowed(S.REJECTED, Actor.CURATOR)


def test_nothing_automatic_retires_what_is_in_use() -> None:
    for status in (S.ACTIVE, S.PROBATION):
        assert S.RETIRED not in allowed(status, Actor.CURATOR)
    for facts in (Facts(callers=("pick",)), Facts(holders=("run 7",))):
        assert refusal(S.DEPRECATED, S.RETIRED, Actor.PERSON, facts)
        assert not refusal(S.ACTIVE, S.REVOKED, Actor.GUARD, facts)
    assert not refusal(S.DEPRECATED, S.RETIRED, Actor.CURATOR, Facts())


def test_a_merge_may_take_the_place_of_what_is_offered_and_of_nothing_else() -> None:
    for status in Status:
        offered = status in (S.ACTIVE, S.PROBATION)
        assert (S.SUPERSEDED in allowed(status, Actor.CURATOR)) == offered
        assert S.SUPERSEDED not in allowed(status, Actor.GATE)


def test_a_refusal_says_where_one_may_go() -> None:
    assert refusal(S.CANDIDATE, S.ACTIVE, Actor.CURATOR, Facts()) == (
        "a curator cannot move a version from candidate to active (allowed: nowhere)"
    )
    assert "allowed: verified, rejected" in refusal(S.CANDIDATE, S.ACTIVE, Actor.GATE, Facts())


def test_what_cannot_be_taken_back_is_not_offered_without_approval_even_by_a_person() -> None:
    final = Facts(effect=Effect.IRREVERSIBLE)
    for actor in (Actor.GATE, Actor.PERSON):
        assert "must approve" in refusal(S.VERIFIED, S.PROBATION, actor, final)
    assert not refusal(S.VERIFIED, S.PROBATION, Actor.GATE, Facts(effect=Effect.IRREVERSIBLE, approved=True))
    assert not refusal(S.VERIFIED, S.REVIEW, Actor.GATE, final)


def test_a_newly_active_version_takes_the_place_of_the_others() -> None:
    versions = [Standing(digest=str(n), number=n, status=s) for n, s in enumerate(S, start=1)]
    new = Standing(digest="new", number=20, status=S.ACTIVE)
    assert {one.status for one in superseded(new, [*versions, new])} == {S.ACTIVE, S.STALE, S.DEPRECATED, S.PROBATION}
    older = Standing(digest="old", number=0, status=S.ACTIVE)
    assert S.PROBATION not in {one.status for one in superseded(older, versions)}


@pytest.mark.parametrize(
    ("statuses", "number"),
    [
        ([S.CANDIDATE], 1),
        ([S.ACTIVE, S.CANDIDATE], 1),
        ([S.ACTIVE, S.PROBATION], 1),
        ([S.SUPERSEDED, S.ACTIVE], 2),
        ([S.SUSPENDED, S.CANDIDATE], 1),
        ([S.SUSPENDED, S.PROBATION], 2),
        ([S.REJECTED, S.CANDIDATE], 2),
        ([S.RETIRED, S.VERIFIED, S.CANDIDATE], 3),
    ],
)
def test_the_head_is_what_is_in_use_or_the_newest_that_may_be(statuses: list[Status], number: int) -> None:
    versions = [Standing(digest=str(n), number=n, status=s) for n, s in enumerate(statuses, start=1)]
    assert head(versions).number == number
