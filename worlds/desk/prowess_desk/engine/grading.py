"""Grading on the final state: the expected changes, nothing else changed, and the answer.

Three states are compared: `start` (as the agent found it), `goal` (start with the family's own solution applied to the
tables) and `final` (as the agent left it). Rows that exist in both are compared field by field under their id, or
under what else tells rows of their kind apart (`KEY`: a file is its path, so that moving it is the same as copying it
and deleting the original). New rows are compared as a bag of contents, for their ids depend on the order of creation;
so does an id that points to a new row (`REFERS`), in whose place stands what it points to. Fields a row kind calls
loose (when it was written) are not compared, nor is white space at the ends of a text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import fields
from typing import Any

from prowess.types import Json, Verdict
from prowess_desk.engine.tables import Row, State

Change = tuple[str, Hashable]


def changes(start: State, end: State) -> dict[type[Any], Counter[Change]]:
    """What differs between two states of one universe, by kind of row."""
    found: dict[type[Any], Counter[Change]] = {}
    touched = {*start.touched(), *end.touched()}
    for kind in (kind for kind in start.kinds() if kind in touched):
        bag = Counter(_changes_of(kind, start, end))
        if bag:
            found[kind] = bag
    return found


def _changes_of(kind: type[Any], start: State, end: State) -> Iterator[Change]:
    before, after = start[kind], end[kind]
    ids = sorted(before.touched() | after.touched())
    key = getattr(kind, "KEY", ("id",))
    skip = kind.LOOSE if key == ("id",) else ("id", *kind.LOOSE)
    old = {_key(row, key): row for id in ids if (row := before.get(id)) is not None}
    new = {_key(row, key): row for id in ids if (row := after.get(id)) is not None}
    for name in old.keys() | new.keys():
        if name not in old:
            yield "created", _content(new[name], start, end, skip=("id", *kind.LOOSE))
        elif name not in new:
            yield "deleted", name
        elif old[name] != new[name]:
            content = _content(new[name], start, end, skip=skip)
            if content != _content(old[name], start, end, skip=skip):
                yield "changed", content


def _key(row: Row, names: tuple[str, ...]) -> Hashable:
    return tuple(getattr(row, name) for name in names)


def _content(row: Row, start: State, end: State, *, skip: tuple[str, ...]) -> Hashable:
    refers = getattr(row, "REFERS", {})
    return tuple(
        (f.name, _settled(_named(getattr(row, f.name), refers.get(f.name), start, end)))
        for f in fields(row)
        if f.name not in skip
    )


def _named(value: Any, kind: type[Any] | None, start: State, end: State) -> Any:
    """A field's value; for the id of a new row, what that row holds."""
    if kind is None or value is None or start[kind].get(value) is not None:
        return value
    row = end[kind].get(value)
    return value if row is None else _content(row, start, end, skip=("id", *kind.LOOSE))


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
    text = str(value).strip().lower()
    try:
        return round(float(text.lstrip("$").replace(",", "")), 2)
    except ValueError:
        return text
