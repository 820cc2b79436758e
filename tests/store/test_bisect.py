"""Which change made an evaluation worse."""

from __future__ import annotations

import math

import pytest

from prowess.errors import RecipeError
from prowess.skills.extract import skills_in
from prowess.skills.library import Library
from prowess.store.curate.bisect import bisect
from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status
from prowess.types import Origin

S = Status


def put(store: Store, name: str, body: str = "return 1", status: Status = S.ACTIVE) -> str:
    skill = skills_in(f"def {name}():\n    {body}", origin=Origin(task=f"{name}_1", scenario=name))[0]
    digest = store.propose(skill, Provenance(episode=f"e/{name}", world="desk")).digest
    for step in (S.VERIFIED, S.PROBATION):
        store.move(digest, step, actor=Actor.GATE)
    if status is S.ACTIVE:
        store.move(digest, S.ACTIVE, actor=Actor.CURATOR)
    return digest


def many(store: Store, n: int = 60) -> tuple[str, str]:
    """Roots before and after: added, newer versions, suspended and restored ones, and changes nobody notices."""
    with store.many():
        kept = [put(store, f"old{at}") for at in range(20)]
        good = store.snapshot("good").root
        for at in range(n):
            put(store, f"new{at}")
            put(store, f"quiet{at}", status=S.PROBATION)
        for at in range(5):
            put(store, f"old{at}", "return 2")
            store.move(kept[at + 10], S.SUSPENDED, actor=Actor.CURATOR)
    return good, store.snapshot("bad").root


class Scores:
    """1 for a library, 0 with what does harm; counts how often it was asked."""

    def __init__(self, *harmful: str, missed: str = "") -> None:
        self.harmful, self.missed, self.asked = harmful, missed, 0

    def __call__(self, library: Library) -> float:
        self.asked += 1
        code = {(skill.name, skill.source.split()[-1]) for skill in library}
        names = {name for name, _ in code} | {f"{name}={value}" for name, value in code}
        return float(not names & set(self.harmful) and (not self.missed or self.missed in names))


@pytest.mark.parametrize("harmful", ["new0", "new31", "new59", "old3=2"])
def test_the_one_change_that_does_harm_is_found_in_logarithmic_time(store: Store, harmful: str) -> None:
    good, bad = many(store)
    scores = Scores(harmful)
    found = bisect(store, good, bad, scores)
    assert found.culprit is not None and found.culprit.name == harmful.partition("=")[0]
    assert len(found.changes) == 70  # what is on probation is no part of these libraries
    assert found.evaluations == scores.asked <= 4 + math.ceil(math.log2(70))
    assert (found.good, found.bad, found.alone, found.without, found.doubts) == (1.0, 0.0, 0.0, 1.0, ())


def test_a_skill_that_is_missed_is_found_too(store: Store) -> None:
    good, bad = many(store)
    found = bisect(store, good, bad, Scores(missed="old12"))
    assert found.culprit is not None
    assert (found.culprit.name, found.culprit.new_status) == ("old12", S.SUSPENDED)
    assert found.doubts == ()


def test_changes_are_in_the_order_in_which_they_happened(store: Store) -> None:
    good, _ = many(store, 3)
    new0 = store.resolve("new0")
    store.review(new0.digest, "approve", who="ada")  # which changes no library
    put(store, "last")
    bad = store.snapshot("bad").root
    store.move(new0.digest, S.SUSPENDED, actor=Actor.CURATOR)  # after both
    found = bisect(store, good, bad, Scores("new1"))
    names = [one.name for one in found.changes]
    assert names == ["new0", "new1", "new2", *(f"old{n}" for at in range(5) for n in (at, at + 10)), "last"]


def test_probation_counts_where_it_is_asked_for(store: Store) -> None:
    good, bad = many(store, 10)
    assert bisect(store, good, bad, Scores("quiet4")).culprit is None
    found = bisect(store, good, bad, Scores("quiet4"), probation=True)
    assert found.culprit is not None and found.culprit.name == "quiet4"


def test_noise_within_the_tolerance_neither_accuses_nor_hides(store: Store) -> None:
    good, bad = many(store)
    noise = iter([0.04, -0.05, 0.02, -0.03, 0.05, -0.04, 0.01] * 9)
    scores = Scores("new17")
    found = bisect(store, good, bad, lambda library: scores(library) + next(noise), tolerance=0.1)
    assert found.culprit is not None and found.culprit.name == "new17" and found.doubts == ()
    values = iter([1.0, 0.95])
    same = bisect(store, good, bad, lambda library: next(values), tolerance=0.1)
    assert same.culprit is None and same.evaluations == 2


def test_two_that_do_harm_are_told_apart_from_one(store: Store) -> None:
    good, bad = many(store)
    found = bisect(store, good, bad, Scores("new10", "new40"))
    assert found.culprit is not None and found.culprit.name == "new10"
    assert found.doubts == ("without the change it is 0, not 1: it is not the only one that does harm",)


def test_harm_that_comes_goes_and_comes_again_is_called_not_monotone(store: Store) -> None:
    good, bad = many(store)

    def scores(library: Library) -> float:
        names = {skill.name for skill in library}
        return float(("new20" not in names or "new34" in names) and "new50" not in names)

    found = bisect(store, good, bad, lambda library: scores(library))
    # 35 changes look good again, so the later one is found; what came before it cannot be seen from here ...
    assert found.culprit is not None and found.culprit.name == "new50" and found.doubts == ()
    later = bisect(store, good, bad, lambda library: scores(library) + 0.5 * ("new52" in {s.name for s in library}))
    # ... and what comes after it can: the end is better than the place where it was bad.
    assert later.culprit is not None
    assert any(doubt.startswith("not monotone: 0.5 with the first 70 changes, and 0 with") for doubt in later.doubts)


def test_harm_of_two_together_and_harm_in_steps_are_told(store: Store) -> None:
    good, bad = many(store)

    def together(library: Library) -> float:
        return float(not {"new10", "new40"} <= {skill.name for skill in library})

    assert any("only together" in doubt for doubt in bisect(store, good, bad, together).doubts)

    def steps(library: Library) -> float:
        return 1.0 - 0.5 * len({"new10", "new30"} & {skill.name for skill in library}) + 0.0

    assert any("more than one step" in doubt for doubt in bisect(store, good, bad, steps).doubts)


def test_equal_snapshots_and_a_tolerance_below_zero(store: Store) -> None:
    good, bad = many(store, 2)
    assert bisect(store, good, good, Scores()).culprit is None
    with pytest.raises(RecipeError, match="tolerance is -1"):
        bisect(store, good, bad, Scores(), tolerance=-1)
