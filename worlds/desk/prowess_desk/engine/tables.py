"""The state of a desk world: tables of frozen rows over a shared base.

A universe (its people and all their data) is generated once and never written. Each world lays its own changes over
it, so opening a world copies nothing, and what an agent changed is simply what lies on top.

    base  {1: a, 2: b}        shared by every world of the universe
    over  {2: b', 3: c}       this world's: row 2 changed, row 3 new; None marks a deleted row
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, Generic, Protocol, TypeVar


class Row(Protocol):
    """A frozen dataclass with an integer id. Lists inside a row are tuples."""

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

    __slots__ = ("_base", "_last", "_over")

    def __init__(self, base: Base[R], over: Mapping[int, R | None] | None = None, last: int = 0) -> None:
        self._base = base
        self._over: dict[int, R | None] = dict(over) if over else {}
        self._last = last or base.last

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
        self._last += 1
        row = make(self._last)
        self._over[row.id] = row
        return row

    def put(self, row: R) -> R:
        """Store a changed row under its own id."""
        self._over[row.id] = row
        return row

    def change(self, id: int, **fields: Any) -> R:
        """Store the row with these fields replaced."""
        return self.put(replace(self[id], **fields))

    def remove(self, id: int) -> None:
        self._over[id] = None

    def fork(self) -> Table[R]:
        return Table(self._base, self._over, self._last)

    def touched(self) -> set[int]:
        """Ids of rows that may differ from the universe's."""
        return set(self._over)


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Where the worlds of one universe start, its rows and its clock: never written, and itself whatever it holds."""

    bases: Mapping[type[Any], Base[Any]]
    now: datetime


class State:
    """One world's data: a table for each kind of row, and the clock. Tables are opened when they are asked for."""

    __slots__ = ("_tables", "now", "origin")

    def __init__(self, origin: Origin, *, now: datetime | None = None) -> None:
        self._tables: dict[type[Any], Table[Any]] = {}
        self.origin = origin
        self.now = now or origin.now

    @classmethod
    def over(cls, bases: Iterable[Base[Any]], now: datetime) -> State:
        return cls(Origin({base.kind: base for base in bases}, now))

    def __getitem__(self, kind: type[R]) -> Table[R]:
        table = self._tables.get(kind)
        return self._tables.setdefault(kind, Table(self.origin.bases[kind])) if table is None else table

    def kinds(self) -> Iterable[type[Any]]:
        return self.origin.bases

    def fork(self, now: datetime | None = None) -> State:
        """A state of its own that starts where this one stands."""
        other = State(self.origin, now=now or self.now)
        other._tables = {kind: self._tables[kind].fork() for kind in self.touched()}
        return other

    def touched(self) -> list[type[Any]]:
        """Kinds of which some rows may differ from the universe's. Threads share a start: tables may open meanwhile."""
        return [kind for kind, table in tuple(self._tables.items()) if table.touched()]

    @property
    def untouched(self) -> bool:
        """Whether it is, clock and all, where its universe starts."""
        return self.now == self.origin.now and not self.touched()
