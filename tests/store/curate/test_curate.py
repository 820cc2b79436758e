"""Promotion and suspension by evidence: planned, done, refused and taken back."""

from __future__ import annotations

from itertools import count

import pytest

from prowess.errors import RecipeError
from prowess.skills.extract import skills_in
from prowess.store.curate import CurateSettings, carry_out, curate, plan
from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status, Usage

S = Status
EPISODE = count()


def put(store: Store, name: str, status: Status = S.PROBATION, body: str = "return x") -> str:
    """The digest of a skill that stands there."""
    skill = skills_in(f"def {name}(x: int) -> int:\n    {body}")[0]
    digest = store.propose(skill, Provenance(episode=f"e/{name}", world="desk")).digest
    for step in (S.VERIFIED, S.PROBATION):
        store.move(digest, step, actor=Actor.GATE)
    if status is not S.PROBATION:
        store.move(digest, status, actor=Actor.CURATOR)
    return digest


def use(
    store: Store, digest: str, successes: int, of: int, *, masked: bool = False, called: bool = True, error: str = ""
) -> None:
    store.use(
        Usage(
            episode=f"e{next(EPISODE)}",
            digest=digest,
            arm="masked" if masked else "offered",
            called=int(called and not masked),
            error=error,
            success=n < successes,
        )
        for n in range(of)
    )


def told(store: Store) -> list[tuple[str, str, str]]:
    return [(step.name, step.before, step.to) for step in plan(store)]


def test_a_skill_that_helps_is_promoted(store: Store) -> None:
    good = put(store, "good")
    use(store, good, 8, 8)
    use(store, good, 1, 2, masked=True)
    (step,) = plan(store)
    assert (step.name, step.before, step.to, step.held) == ("good", S.PROBATION, S.ACTIVE, "")
    assert step.why == (
        "succeeds in 8 of 8 where called: at least 0.72 with 95%; uplift +0.50 ± 0.35 (8 of 8 offered, 1 of 2 masked)"
    )
    assert store.version(good).status is S.PROBATION  # a dry run
    (done,) = carry_out(store, [step])
    assert done.event is not None and (done.event.actor, done.event.why) == (Actor.CURATOR, step.why)
    assert store.version(good).status is S.ACTIVE
    assert plan(store) == ()


def test_too_few_calls_poor_success_or_a_loss_against_the_masked_arm_do_not_promote(store: Store) -> None:
    few, poor, loss = put(store, "few"), put(store, "poor"), put(store, "loss")
    use(store, few, 4, 4)
    use(store, poor, 5, 10)
    use(store, loss, 20, 30)
    use(store, loss, 10, 10, masked=True)
    assert plan(store) == ()


def test_where_little_succeeds_a_skill_is_promoted_for_what_it_adds(store: Store) -> None:
    digest = put(store, "hard")
    use(store, digest, 15, 40)
    use(store, digest, 0, 20, masked=True)
    assert told(store) == [("hard", "probation", "active")]


def test_a_skill_that_harms_is_suspended_and_leaves_the_library(store: Store) -> None:
    bad, good = put(store, "bad", S.ACTIVE), put(store, "good", S.ACTIVE)
    for digest, successes in ((bad, 0), (good, 18)):
        use(store, digest, successes, 18)
        use(store, digest, 4, 4, masked=True)
    (done,) = curate(store)
    assert done.step.name == "bad" and done.event is not None
    assert done.step.why.startswith("succeeds in 0 of 18 where called; 4 of 4 without it; e = ")
    assert [skill.name for skill in store.library()] == ["good"]
    store.undo(done.event.id)
    assert [skill.name for skill in store.library()] == ["bad", "good"]


def test_a_skill_that_harms_when_called_is_found_though_it_is_seldom_called(store: Store) -> None:
    bad = put(store, "bad", S.ACTIVE)
    use(store, bad, 70, 80, called=False)
    use(store, bad, 0, 12)
    use(store, bad, 19, 20, masked=True)
    assert told(store) == [("bad", "active", "suspended")]


def test_a_skill_for_hard_tasks_is_not_suspended_for_their_difficulty(store: Store) -> None:
    """1 of 20 where called, 12 of 20 without it: and yet those it is offered to do better, as it is called in need."""
    digest = put(store, "hard", S.ACTIVE)
    use(store, digest, 80, 90, called=False)
    use(store, digest, 1, 20)
    use(store, digest, 12, 20, masked=True)
    assert plan(store) == ()


def test_a_skill_that_raises_too_often_is_suspended_without_a_masked_arm(store: Store) -> None:
    digest = put(store, "broken")
    use(store, digest, 20, 20, error="KeyError: 'id'")
    assert told(store) == [("broken", "probation", "suspended")]


def test_what_is_known_of_other_skills_masked_arms_convicts_sooner(store: Store) -> None:
    bad = put(store, "bad", S.ACTIVE)
    use(store, bad, 0, 10)
    use(store, bad, 1, 1, masked=True)
    assert plan(store) == ()
    for n in range(12):
        other = put(store, f"other{n}", S.ACTIVE)
        use(store, other, 9, 10)
        use(store, other, 8 if n % 2 else 9, 10, masked=True)
    assert told(store) == [("bad", "active", "suspended")]


def test_where_some_tasks_are_hard_for_everybody_a_failure_says_less(store: Store) -> None:
    bad = put(store, "bad", S.ACTIVE)
    use(store, bad, 0, 10)
    use(store, bad, 1, 1, masked=True)
    for n in range(12):
        other = put(store, f"other{n}", S.ACTIVE)
        use(store, other, 10 * (n % 3 > 0), 10)
        use(store, other, 10 * (n % 3 > 0), 10, masked=True)
    assert plan(store) == ()


def test_a_skill_that_was_never_used_stays_where_it_is(store: Store) -> None:
    put(store, "new"), put(store, "old", S.ACTIVE)
    assert plan(store) == ()


def test_a_pinned_skill_is_proposed_and_not_moved(store: Store) -> None:
    bad = put(store, "bad", S.ACTIVE)
    use(store, bad, 0, 18)
    use(store, bad, 4, 4, masked=True)
    store.pin(store.version(bad).id, "ada")
    (done,) = curate(store)
    assert (done.event, done.refused, done.step.held) == (None, "pinned by ada", "pinned by ada")
    assert store.version(bad).status is S.ACTIVE


def test_a_pin_or_a_use_between_plan_and_deed_stops_the_step(store: Store) -> None:
    one, other, third = (put(store, name) for name in ("one", "other", "third"))
    for digest in (one, other, third):
        use(store, digest, 8, 8)
    steps = plan(store)
    use(store, one, 0, 1)
    store.pin(store.version(other).id, "ada")
    store.move(third, S.DEPRECATED, actor=Actor.PERSON)
    assert {done.step.name: (done.event, done.refused) for done in carry_out(store, steps)} == {
        "one": (None, "it has been used since: its figures are others now"),
        "other": (None, "pinned by ada"),
        "third": (None, "it is deprecated now, and was probation"),
    }


def test_what_cannot_be_taken_back_waits_for_a_person(store: Store) -> None:
    digest = put(store, "pay")
    use(store, digest, 8, 8)
    irreversible = put_irreversible(store)
    use(store, irreversible, 8, 8)
    store.review(irreversible, "refuse", who="ada")
    steps = {one.name: one for one in plan(store)}
    assert not steps["pay"].held
    assert "a person must approve" in steps["wire"].held


def put_irreversible(store: Store) -> str:
    skill = skills_in("def wire(x: int) -> int:\n    return apis.bank.transfer(amount=x)")[0]
    digest = store.propose(skill, Provenance(episode="e/wire", world="desk")).digest
    store.move(digest, S.VERIFIED, actor=Actor.GATE)
    store.review(digest, "approve", who="ada")
    store.move(digest, S.PROBATION, actor=Actor.GATE)
    return digest


def test_what_a_person_took_back_is_not_repeated_without_new_evidence(store: Store) -> None:
    bad = put(store, "bad", S.ACTIVE)
    use(store, bad, 0, 18)
    use(store, bad, 4, 4, masked=True)
    (done,) = curate(store)
    assert done.event is not None
    store.undo(done.event.id, who="ada")
    assert curate(store) == ()
    use(store, bad, 0, 18)
    use(store, bad, 4, 4, masked=True)
    assert told(store) == [("bad", "active", "suspended")]
    assert plan(store)[0].seen.offered == 18


def test_suspended_skills_are_still_counted_among_those_tested(store: Store) -> None:
    for n in range(5):
        bad = put(store, f"bad{n}", body=f"return {n}")
        use(store, bad, 0, 18)
        use(store, bad, 4, 4, masked=True)
    assert len(curate(store)) == 5
    use(store, put(store, "mild"), 3, 3)
    sixth = put(store, "sixth")
    use(store, sixth, 0, 18)
    use(store, sixth, 4, 4, masked=True)
    assert "(suffices: 23.3, of 7 tested)" in plan(store)[0].why  # 7 / (0.05 * 6)


def test_only_the_namespace_asked_for_is_curated(store: Store) -> None:
    use(store, put(store, "good"), 8, 8)
    assert plan(store, namespace="elsewhere") == ()
    assert len(plan(store, namespace="desk")) == 1


def test_settings_that_mean_nothing_are_refused() -> None:
    with pytest.raises(RecipeError, match=r"rate is 0; it must lie between 0 and 1"):
        CurateSettings(rate=0)
    with pytest.raises(RecipeError, match=r"doubt is 1; it must lie between 0 and 1"):
        CurateSettings(doubt=1)
    with pytest.raises(RecipeError, match="calls is 0"):
        CurateSettings(calls=0)
