"""Grading on the final state: the expected changes, nothing else changed, and the answer.

Three states are compared: `start` (as the agent found it), `goal` (start with the family's own solution applied to the
tables) and `final` (as the agent left it). Rows that exist in both are compared field by field under their id;
new rows are compared as a bag of contents, for their ids depend on the order of creation. Fields a row kind calls
loose (when it was written) are not compared, nor is white space at the ends of a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import fields
from typing import Any

from opensage.types import Json, Verdict
from opensage.worlds.desk.tables import Row, State

Change = tuple[str, Hashable]


def changes(start: State, end: State) -> dict[type[Any], Counter[Change]]:
    """What differs between two states of one universe, by kind of row."""
    found: dict[type[Any], Counter[Change]] = {}
    for kind in start.kinds():
        bag = Counter(_changes_of(kind, start, end))
        if bag:
            found[kind] = bag
    return found


def _changes_of(kind: type[Any], start: State, end: State) -> Iterator[Change]:
    before, after = start[kind], end[kind]
    for id in sorted(before.touched() | after.touched()):
        old, new = before.get(id), after.get(id)
        if old == new:
            continue
        if old is None and new is not None:
            yield "created", _content(new, skip=("id", *kind.LOOSE))
        elif new is None:
            yield "deleted", id
        else:
            assert old is not None and new is not None
            if _content(old, skip=kind.LOOSE) != _content(new, skip=kind.LOOSE):
                yield "changed", _content(new, skip=kind.LOOSE)


def _content(row: Row, *, skip: tuple[str, ...]) -> Hashable:
    return tuple((f.name, _settled(getattr(row, f.name))) for f in fields(row) if f.name not in skip)


def _settled(value: Hashable) -> Hashable:
    """A field's value as it is compared: a text without white space at its ends."""
    return value.strip() if isinstance(value, str) else value


def grade(
    *, start: State, goal: State, final: State, completed: bool, expected: Json, answer: Json, asks: bool
) -> Verdict:
    """One check per kind of expected change, one for everything else, one for the answer, one for completion."""
    wanted, got = changes(start, goal), changes(start, final)
    checks: list[tuple[str, bool]] = []
    for kind, bag in wanted.items():
        for what in sorted({change for change, _ in bag}):
            mine = Counter({key: n for key, n in got.get(kind, Counter()).items() if key[0] == what})
            checks.append(
                (
                    f"{kind.__name__} rows {what} as asked",
                    mine == Counter({k: n for k, n in bag.items() if k[0] == what}),
                )
            )
    stray = [
        kind.__name__
        for kind, bag in got.items()
        if any(what not in {change for change, _ in wanted.get(kind, Counter())} for what, _ in bag)
    ]
    checks.append(("nothing else changed", not stray))
    if asks:
        checks.append(("the answer is right", completed and same_answer(answer, expected)))
    else:
        checks.append(("no answer is given", completed and answer is None))
    checks.append(("the task is marked complete", completed))
    return Verdict(passed=tuple(name for name, ok in checks if ok), failed=tuple(name for name, ok in checks if not ok))


def same_answer(given: Json, wanted: Json) -> bool:
    """Answers are compared after lower-casing, stripping and reading numbers; lists as bags.

    >>> same_answer(" Blue Moon ", "blue moon"), same_answer("3", 3.0), same_answer("b, a", ["a", "b"])
    (True, True, True)
    """
    if isinstance(wanted, list):
        parts = given.split(",") if isinstance(given, str) else given
        return isinstance(parts, list) and Counter(map(_plain, parts)) == Counter(map(_plain, wanted))
    return not isinstance(given, list | dict) and given is not None and _plain(given) == _plain(wanted)


def _plain(value: Json) -> Hashable:
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    text = str(value).strip().lower()
    try:
        return round(float(text.lstrip("$").replace(",", "")), 2)
    except ValueError:
        return text
