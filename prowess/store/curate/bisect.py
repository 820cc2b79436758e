"""Which change of the library made an evaluation worse, in about log2(n) evaluations.

Two snapshots differ in n skills. The changes are put in the order in which they happened, and libraries are made that
have the first k of them; between one that is still good and one that is already bad the middle is evaluated, until the
two are neighbours. That is right where one change is to blame. Two more evaluations say whether it is: the good library
with this change alone should be bad, the bad one without it good.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prowess.errors import RecipeError, StoreError
from prowess.skills.library import Library
from prowess.store.db import Store
from prowess.store.life import OFFERED
from prowess.store.record import Kind, Status
from prowess.store.standing import Change
from prowess.text.plural import counted
from prowess.types import Skill

Evaluate = Callable[[Library], float]
"""How well a library serves: more is better. It may be noisy, within the tolerance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One evaluation on the way."""

    changes: int
    """How many of the changes its library had."""
    value: float
    good: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bisection:
    """What was found."""

    culprit: Change | None
    """The change that made it worse, or None where the two ends do not differ beyond the tolerance."""
    good: float
    bad: float
    """The values of the two ends."""
    looks: tuple[Look, ...]
    changes: tuple[Change, ...]
    """All that an agent would notice, in the order in which they happened."""
    alone: float | None = None
    """The good library with the culprit alone."""
    without: float | None = None
    """The bad library without the culprit."""
    doubts: tuple[str, ...] = ()
    """What speaks against a single cause, in words."""

    @property
    def evaluations(self) -> int:
        return len(self.looks) + (self.alone is not None) + (self.without is not None)


def bisect(
    store: Store,
    good: str,
    bad: str,
    evaluate: Evaluate,
    *,
    tolerance: float = 0.0,
    probation: bool = False,
    namespace: str | None = None,
) -> Bisection:
    """Find the change between two snapshots, by their roots, that made an evaluation worse.

    Values that differ by no more than `tolerance` are equal: noise. `probation` counts what is on probation as part of
    the library, as for `Store.library`.
    """
    if tolerance < 0:
        raise RecipeError(f"tolerance is {tolerance}; it must be at least 0")
    libraries = _Libraries(store, good, bad, probation=probation, namespace=namespace)
    return search(libraries.changes, libraries.with_, evaluate, tolerance=tolerance)


def search(
    changes: Sequence[Change],
    library: Callable[[Sequence[Change]], Library],
    evaluate: Evaluate,
    *,
    tolerance: float = 0.0,
) -> Bisection:
    """The same for changes in order, and a function that makes the good library with some of them."""
    looks: list[Look] = []

    def look(k: int, threshold: float | None = None) -> float:
        value = evaluate(library(changes[:k]))
        looks.append(Look(changes=k, value=value, good=k == 0 if threshold is None else value > threshold))
        return value

    first, last = look(0), look(len(changes))
    if not changes or first - last <= tolerance:
        return Bisection(culprit=None, good=first, bad=last, looks=tuple(looks), changes=tuple(changes))
    threshold = (first + last) / 2
    low, high = 0, len(changes)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if look(middle, threshold) > threshold else (low, middle)
    culprit = changes[high - 1]
    alone = evaluate(library([culprit]))
    without = evaluate(library([one for one in changes if one is not culprit]))
    return Bisection(
        culprit=culprit,
        good=first,
        bad=last,
        looks=tuple(looks),
        changes=tuple(changes),
        alone=alone,
        without=without,
        doubts=tuple(_doubts(looks, alone, without, tolerance)),
    )


def _doubts(looks: Sequence[Look], alone: float, without: float, tolerance: float) -> list[str]:
    first, last = looks[0].value, looks[1].value
    found = []
    ordered = sorted(looks, key=lambda one: one.changes)
    for place, one in enumerate(ordered):
        for later in ordered[place + 1 :]:
            if later.value > one.value + tolerance:
                found.append(
                    f"not monotone: {later.value:g} with the first {counted(later.changes, 'change')}, "
                    f"and {one.value:g} with the first {one.changes} already"
                )
    between = [one for one in looks[2:] if last + tolerance < one.value < first - tolerance]
    if between:
        found.append(
            f"it got worse in more than one step: {between[0].value:g} with {counted(between[0].changes, 'change')}"
        )
    if alone > last + tolerance:
        found.append(f"the change alone gives {alone:g}, not {last:g}: it does harm only together with others")
    if without < first - tolerance:
        found.append(f"without the change it is {without:g}, not {first:g}: it is not the only one that does harm")
    return found


class _Libraries:
    """The libraries between two snapshots."""

    def __init__(self, store: Store, good: str, bad: str, *, probation: bool, namespace: str | None) -> None:
        shown = OFFERED if probation else {Status.ACTIVE}
        diff = store.diff(good, bad)
        order = _order(store, good, bad)
        self._base = store.library(good, namespace=namespace, probation=probation)
        self._old: dict[str, Skill] = {}
        self._new: dict[str, Skill] = {}
        changes = []
        for change in (*diff.added, *diff.removed, *diff.changed, *diff.moved):
            for side, digest, status in (
                (self._old, change.old, change.old_status),
                (self._new, change.new, change.new_status),
            ):
                if digest and status in shown:
                    entry = store.version(digest)
                    if namespace is None or entry.namespace == namespace:
                        side[change.skill] = entry.skill
            if self._old.get(change.skill) != self._new.get(change.skill):
                changes.append(change)
        self.changes = tuple(sorted(changes, key=lambda one: (order.get(one.skill, 0), one.skill)))
        if self.with_(self.changes).digest != store.library(bad, namespace=namespace, probation=probation).digest:
            raise StoreError("the changes between the two snapshots do not lead from one to the other")

    def with_(self, changes: Sequence[Change]) -> Library:
        """The good library with these changes."""
        gone = [self._old[one.skill] for one in changes if one.skill in self._old]
        kept = [skill for skill in self._base if skill not in gone]
        return Library((*kept, *(self._new[one.skill] for one in changes if one.skill in self._new)))


def _order(store: Store, good: str, bad: str) -> Mapping[str, int]:
    """When each skill last changed between the two."""
    known = {one.root: one.event for one in store.snapshots()}
    ends = sorted(event for root in (good, bad) for full, event in known.items() if full.startswith(root))
    return {
        event.skill: event.id
        for event in store.events(after=ends[0])
        if event.id <= ends[-1] and event.kind in (Kind.MOVED, Kind.PROPOSED)
    }
