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
    named = _Named(start, end)
    for name in old.keys() | new.keys():
        if name not in old:
            yield "created", _content(new[name], named, skip=("id", *kind.LOOSE))
        elif name not in new:
            yield "deleted", name
        elif old[name] != new[name]:
            content = _content(new[name], named, skip=skip)
            if content != _content(old[name], named, skip=skip):
                yield "changed", content


def _key(row: Row, names: tuple[str, ...]) -> Hashable:
    return tuple(getattr(row, name) for name in names)


def _content(row: Row, named: _Named, *, skip: tuple[str, ...]) -> Hashable:
    refers = getattr(row, "REFERS", {})
    return tuple(
        (f.name, _settled(named(getattr(row, f.name), refers.get(f.name)))) for f in fields(row) if f.name not in skip
    )


class _Named:
    """A field's value; for the id of a new row, what that row holds. Many rows may point to a large one."""

    def __init__(self, start: State, end: State) -> None:
        self._start, self._end = start, end
        self._known: dict[tuple[type[Any], int], _Once] = {}

    def __call__(self, value: Any, kind: type[Any] | None) -> Any:
        if kind is None or value is None or self._start[kind].get(value) is not None:
            return value
        row = self._end[kind].get(value)
        if row is None:
            return value
        if (kind, value) not in self._known:
            self._known[kind, value] = _Once(_content(row, self, skip=("id", *kind.LOOSE)))
        return self._known[kind, value]


class _Once:
    """A content that is hashed once, however many rows hold it."""

    __slots__ = ("content", "hash")

    def __init__(self, content: Hashable) -> None:
        self.content = content
        self.hash = hash(content)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Once) and self.content == other.content


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
        if not {what for what, _ in bag} <= {what for what, _ in wanted.get(kind, ())}
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
