"""The state of a desk world: tables of frozen rows over a shared base.

A universe (its people and all their data) is generated once and never written. Each world lays its own changes over
it, so opening a world copies nothing, and what an agent changed is simply what lies on top.

    base  {1: a, 2: b}        shared by every world of the universe
    over  {2: b', 3: c}       this world's: row 2 changed, row 3 new; None marks a deleted row

How much a world may lay on top is bounded, since what writes there is a model's code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar

ROWS, CHARACTERS = 10_000, 5_000_000
"""A state holds at most so many rows and characters more than the one that it was forked from."""
ITEM = 10
"""An item of a list inside a row counts as so many characters, besides its text."""


class Full(Exception):
    """A write that would take a state beyond these bounds."""

    def __init__(self) -> None:
        super().__init__(
            f"There is no room left: all accounts together hold at most {ROWS} entries and {CHARACTERS} characters "
            "more than at the start. Delete something first."
        )


class Row(Protocol):
    """A frozen dataclass with slots and an integer id. Lists inside a row are tuples."""

    OWNER: ClassVar[str]
    """The field or property whose value `Table.of` looks up: usually the account a row belongs to; empty for none.
    A tuple is looked up by each of its parts, as for a payment that belongs to sender and receiver."""
    LOOSE: ClassVar[tuple[str, ...]]
    """Fields that grading does not compare, such as when the row was written."""
    # Two more that few kinds state, read by grading where they are there:
    #   KEY      the fields that tell rows of this kind apart, in place of the id: a file is its path
    #   REFERS   which fields hold the id of what kind of row, where both may be new: an expense of a new group
    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def id(self) -> int: ...


R = TypeVar("R", bound=Row)
T = TypeVar("T")


class Base(Generic[R]):
    """The shared rows of one kind, with their index by owner."""

    __slots__ = ("kind", "last", "owned", "rows")

    def __init__(self, kind: type[R], rows: Iterable[R] = ()) -> None:
        self.kind = kind
        self.rows: dict[int, R] = {row.id: row for row in rows}
        self.last = max(self.rows, default=0)
        self.owned: dict[Any, tuple[int, ...]] = {}
        if kind.OWNER:
            owned: dict[Any, list[int]] = {}
            for row in self.rows.values():
                for owner in _parts(getattr(row, kind.OWNER)):
                    owned.setdefault(owner, []).append(row.id)
            self.owned = {owner: tuple(ids) for owner, ids in owned.items()}


def _parts(owner: Any) -> tuple[Any, ...]:
    return owner if type(owner) is tuple else (owner,)


class Table(Generic[R]):
    """Rows of one kind as one world sees them."""

    __slots__ = ("_base", "_began", "_growth", "_last", "_over")

    def __init__(
        self, base: Base[R], growth: Growth, over: Mapping[int, R | None] | None = None, last: int = 0
    ) -> None:
        self._base = base
        self._growth = growth
        self._over: dict[int, R | None] = dict(over) if over else {}
        self._last = self._began = last or base.last

    def get(self, id: int) -> R | None:
        """The row with this id, or None."""
        if id in self._over:
            return self._over[id]
        return self._base.rows.get(id)

    def __getitem__(self, id: int) -> R:
        row = self.get(id)
        if row is None:
            raise KeyError(f"{self._base.kind.__name__} {id}")
        return row

    def __iter__(self) -> Iterator[R]:
        """Every row, in order of id for what the universe holds, then what this world added."""
        if not self._over:
            return iter(self._base.rows.values())
        return self._merged(self._base.rows, lambda row: True)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def of(self, owner: Any) -> list[R]:
        """Rows whose owner field has this value, or holds it in a tuple, oldest first."""
        ids = self._base.owned.get(owner, ())
        if not self._over:
            return [self._base.rows[id] for id in ids]
        field = self._base.kind.OWNER
        return list(self._merged(ids, lambda row: owner in _parts(getattr(row, field))))

    def _merged(self, ids: Iterable[int], belongs: Callable[[R], bool]) -> Iterator[R]:
        rows, over = self._base.rows, self._over
        known = set()
        for id in ids:
            known.add(id)
            row = over[id] if id in over else rows[id]
            if row is not None and (id not in over or belongs(row)):
                yield row
        for id, row in over.items():
            if row is not None and id not in known and belongs(row):
                yield row

    def add(self, make: Callable[[int], R]) -> R:
        """Store a new row; `make` is given its id."""
        row = make(self._last + 1)
        self._write(row.id, row)
        self._last = row.id
        return row

    def put(self, row: R) -> R:
        """Store a changed row under its own id."""
        self._write(row.id, row)
        return row

    def change(self, id: int, **fields: Any) -> R:
        """Store the row with these fields replaced."""
        return self.put(replace(self[id], **fields))

    def remove(self, id: int) -> None:
        self._write(id, None)

    def _write(self, id: int, row: R | None) -> None:
        self._growth.add(self.get(id), row)
        if self._growth.written is not None:
            self._growth.written.append((self, id, self._over.get(id, _NOTHING), self._last))
        self._over[id] = row

    def take_back(self, id: int, before: Any, last: int) -> None:
        """Let a row be what it was before a write."""
        if before is _NOTHING:
            del self._over[id]
        else:
            self._over[id] = before
        self._last = last

    def forget(self, id: int) -> None:
        """Keep no mark of a deleted row that was never in the state that this one was forked from."""
        if id > self._began and self._over.get(id, _NOTHING) is None:
            del self._over[id]

    def fork(self, growth: Growth) -> Table[R]:
        return Table(self._base, growth, self._over, self._last)

    def touched(self) -> set[int]:
        """Ids of rows that may differ from the universe's."""
        return set(self._over)


_NOTHING = object()
"""What lies over a row that nobody wrote."""


class Growth:
    """How much a state has grown, and what it wrote since a call began."""

    __slots__ = ("characters", "rows", "written")

    def __init__(self) -> None:
        self.rows = 0
        self.characters = 0
        self.written: list[tuple[Table[Any], int, Any, int]] | None = None
        """Table, id, what lay there before, and the last id; None outside of a call."""

    def add(self, before: Row | None, after: Row | None) -> None:
        """Count a row in the place of another, or refuse it."""
        rows = (after is not None) - (before is not None)
        characters = grown(before, after)
        if (rows > 0 and self.rows + rows > ROWS) or (characters > 0 and self.characters + characters > CHARACTERS):
            raise Full
        self.rows += rows
        self.characters += characters


def grown(before: Row | None, after: Row | None) -> int:
    """How many characters a row holds more than the one before it; what both share is not looked at."""
    found = 0
    row: Any = before if after is None else after
    for name in row.__slots__:
        old, new = getattr(before, name, None), getattr(after, name, None)
        if old is not new:
            found += _size(new) - _size(old)
    return found


def _size(value: Any) -> int:
    match value:
        case str():
            return len(value)
        case tuple():
            return sum(ITEM + _size(item) for item in value)
    return sum(_size(getattr(value, name)) for name in getattr(value, "__slots__", ()))


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where the worlds of one universe start, its rows and its clock: never written, and itself whatever it holds."""

    bases: Mapping[type[Any], Base[Any]]
    now: datetime


class State:
    """One world's data: a table for each kind of row, and the clock. Tables are opened when they are asked for."""

    __slots__ = ("_growth", "_tables", "now", "origin")

    def __init__(self, origin: Origin, *, now: datetime | None = None) -> None:
        self._tables: dict[type[Any], Table[Any]] = {}
        self._growth = Growth()
        self.origin = origin
        self.now = now or origin.now

    @classmethod
    def over(cls, bases: Iterable[Base[Any]], now: datetime) -> State:
        return cls(Origin({base.kind: base for base in bases}, now))

    def __getitem__(self, kind: type[R]) -> Table[R]:
        table = self._tables.get(kind)
        if table is None:
            table = self._tables.setdefault(kind, Table(self.origin.bases[kind], self._growth))
        return table

    def kinds(self) -> Iterable[type[Any]]:
        return self.origin.bases

    def fork(self, now: datetime | None = None) -> State:
        """A state of its own that starts where this one stands."""
        other = State(self.origin, now=now or self.now)
        other._tables = {kind: self._tables[kind].fork(other._growth) for kind in self.touched()}
        return other

    def whole(self, write: Callable[[], T]) -> T:
        """What it writes is kept, or nothing of it where it ends in an error."""
        growth = self._growth
        rows, characters = growth.rows, growth.characters
        written = growth.written = []
        try:
            found = write()
        except BaseException:
            for table, id, before, last in reversed(written):
                table.take_back(id, before, last)
            growth.rows, growth.characters = rows, characters
            raise
        finally:
            growth.written = None
        for table, id, *_ in written:
            table.forget(id)
        return found

    def touched(self) -> list[type[Any]]:
        """Kinds of which some rows may differ from the universe's. Threads share a start: tables may open meanwhile."""
        return [kind for kind, table in tuple(self._tables.items()) if table.touched()]

    @property
    def untouched(self) -> bool:
        """Whether it is, clock and all, where its universe starts."""
        return self.now == self.origin.now and not self.touched()
