"""The parts that a condition can be made of: what can be said about the entries of a source in one task.

Equal to a value of the instruction, before or after a date, more or less than a number, a member of another list, true
or false. Every part knows for which entries it holds, and how it is written in Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import combinations

from prowess.types import Json
from prowess_appworld.demonstrator.sources import Field, Reader, Source, follow
from prowess_appworld.demonstrator.wording import singular

_OPERATORS: Mapping[str, Callable[[Json, Json], bool]] = {
    "==": lambda one, other: bool(one == other),
    "!=": lambda one, other: bool(one != other),
    ">=": lambda one, other: bool(one >= other),
    "<": lambda one, other: bool(one < other),
    ">": lambda one, other: bool(one > other),
    "<=": lambda one, other: bool(one <= other),
}
DATES = ("today", "yesterday", "this_month", "last_month", "this_year", "last_year", "days_ago", "first_day")
"""Names of dates that follow from the task's."""
_NAMING = ("id", "email", "phone_number", "path")
"""How fields end whose values name a thing; others are equal by chance."""

Shape = tuple[object, ...]
Members = tuple[Source, Field, frozenset[Json]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A part of a condition in one task."""

    shape: Shape
    """What it looks at; the same in all tasks."""
    text: str
    holds: int
    """One bit per entry."""
    names: frozenset[str] = frozenset()
    """Values of the task that it refers to by name."""
    sets: frozenset[tuple[Source, Field]] = frozenset()
    """Other lists that it refers to."""
    joins: frozenset[int] = frozenset()
    """Stages whose details it looks up."""
    weight: int = 1
    """The simpler the better."""


def values_of(now: datetime, values: Mapping[str, Json]) -> dict[str, Json]:
    """What a task's instruction and date say, by name: plain values, and dates that follow from them."""
    said = {
        name: value for name, value in values.items() if isinstance(value, str | int | float) and name.isidentifier()
    }
    day = timedelta(days=1)
    found: dict[str, Json] = {
        "today": f"{now:%Y-%m-%d}",
        "yesterday": f"{now - day:%Y-%m-%d}",
        "this_month": f"{now:%Y-%m}",
        "last_month": f"{now.replace(day=1) - day:%Y-%m}",
        "this_year": f"{now:%Y}",
        "last_year": f"{now.year - 1}",
    }
    for name, value in said.items():
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1000 and "day" in name:
            found["days_ago"] = f"{now - value * day:%Y-%m-%dT%H:%M:%S}"
            found["first_day"] = f"{now - (value - 1) * day:%Y-%m-%d}"
    return {**said, **found}


class Sayer:
    """Says what can be said about the entries of a source in one task."""

    def __init__(self, reader: Reader, source: Source, task: int, before: int, *, varied: bool) -> None:
        self._reader = reader
        self._source = source
        self._task = task
        self._before = before
        self._varied = varied
        self._entries = reader.entries(source, task)

    def atoms(self, values: Mapping[str, Json]) -> list[Atom]:
        """Every part that holds for some entry."""
        reader = self._reader
        joins = [n for n, stage in enumerate(reader.scenario.stages[: self._before]) if stage.many and stage.reads]
        found: list[Atom] = []
        for field in reader.fields(self._source, joins=joins):
            column = self._column(field)
            found += self._compared(field, column, values)
            found += self._truths(field, column)
            found += self._members([field], [column])
        found += self._either()
        found += self._inside()
        return [atom for atom in found if atom.holds]

    def _column(self, field: Field) -> list[Json]:
        return [self._reader.value(entry, field, self._task) for entry in self._entries]

    def _said(self, field: Field) -> str:
        return self._reader.text(self._source, field)

    def _looks_at(self, field: Field) -> object:
        return called(field, self._source) if self._varied else field

    @property
    def _every(self) -> int:
        return (1 << len(self._entries)) - 1

    def _compared(self, field: Field, column: Sequence[Json], values: Mapping[str, Json]) -> Iterator[Atom]:
        text = self._said(field)
        joins = frozenset({field.via} - {-1})
        for name, wanted in values.items():
            dated = name in DATES
            for way, convert in _WAYS.items():
                pairs = [pair for value in column if (pair := convert(value, wanted)) is not None]
                if len(pairs) < len(column):
                    continue
                left, right = _wording(way, text, name, wanted, dated=dated)
                for operator, compare in _OPERATORS.items():
                    if operator in ("==", "!=") or way in ("number", "date"):
                        yield Atom(
                            shape=("compared", self._looks_at(field), "date" if dated else name),
                            text=f"{left} {operator} {right}",
                            holds=_bits(compare(*pair) for pair in pairs),
                            names=frozenset({name}),
                            joins=joins,
                            weight=1 + (operator != "==") + bool(joins) + 2 * dated + 3 * (way == "squeezed"),
                        )
            if isinstance(wanted, str) and len(wanted) > 4 - dated and all(_wordy(value) for value in column):
                yield Atom(
                    shape=("contains", self._looks_at(field), "date" if dated else name),
                    text=f"{name} in {text}" if dated else f"{name}.lower() in {text}.lower()",
                    holds=_bits(wanted.lower() in value.lower() for value in column),
                    names=frozenset({name}),
                    joins=joins,
                    weight=3,
                )

    def _truths(self, field: Field, column: Sequence[Json]) -> Iterator[Atom]:
        text = self._said(field)
        joins = frozenset({field.via} - {-1})
        shape = ("true", self._looks_at(field))
        if column and all(isinstance(value, bool) for value in column):
            holds = _bits(column)
            yield Atom(shape=shape, text=text, holds=holds, joins=joins, weight=2)
            yield Atom(shape=shape, text=f"not {text}", holds=self._every ^ holds, joins=joins, weight=2)
        missing = [value is None for value in column]
        if any(missing) and not all(missing):
            bits = _bits(missing)
            yield Atom(shape=shape, text=f"{text} is None", holds=bits, joins=joins, weight=3)
            yield Atom(shape=shape, text=f"{text} is not None", holds=self._every ^ bits, joins=joins, weight=3)

    @cached_property
    def _sets(self) -> list[Members]:
        """Other lists at hand, each with the values that one of its fields has in this task."""
        reader, found = self._reader, []
        for source in reader.sources(self._before):
            if source == self._source or not reader.scenario.stages[source.stage].runs[self._task]:
                continue
            for field in reader.fields(source):
                if called(field, source).endswith(_NAMING):
                    values = [reader.value(entry, field, self._task) for entry in reader.entries(source, self._task)]
                    found.append((source, field, frozenset(v for v in values if isinstance(v, str | int))))
        return found

    def _place(self, source: Source, field: Field) -> object:
        """What a list is called in a shape: by what it holds, where some task has another in its place."""
        everywhere = all(self._reader.scenario.stages[source.stage].runs)
        return (source, field) if everywhere else called(field, source)

    def _members(self, fields: Sequence[Field], columns: Sequence[Sequence[Json]]) -> Iterator[Atom]:
        joins = frozenset(field.via for field in fields) - {-1}
        for source, other, members in self._sets:
            if not all(_kindred(field, self._source, other, source) for field in fields):
                continue
            name = set_name(self._reader, source, other)
            holds = _bits(any(value in members for value in row) for row in zip(*columns, strict=True))
            inside = " or ".join(f"{self._said(field)} in {name}" for field in fields)
            outside = " and ".join(f"{self._said(field)} not in {name}" for field in fields)
            for text, bits in ((inside, holds), (outside, self._every ^ holds)):
                yield Atom(
                    shape=("member", tuple(self._looks_at(field) for field in fields), self._place(source, other)),
                    text=text,
                    holds=bits,
                    sets=frozenset({(source, other)}),
                    joins=joins,
                    weight=2 + len(fields) + bool(joins),
                )

    def _either(self) -> Iterator[Atom]:
        """One of two fields of the same name, such as the sender's or the receiver's address."""
        fields = [field for field in self._reader.fields(self._source) if len(field.keys) > 1]
        for one, other in combinations(fields, 2):
            if one.keys[1:] == other.keys[1:] and one.outer == other.outer:
                yield from self._members([one, other], [self._column(one), self._column(other)])

    def _inside(self) -> Iterator[Atom]:
        """Some or all entries of a list inside an entry are members of another list."""
        reader, stage = self._reader, self._source.stage
        for inner in [source for source in reader.sources(self._before) if source.stage == stage and source.inner]:
            if self._source.inner:
                return
            for field in [field for field in reader.fields(inner) if not field.outer]:
                lists = [_inner_values(entry[1], inner, field) for entry in self._entries]
                steps = "".join(f'["{key}"]' for key in inner.inner)
                loop = f"for {reader.one(inner)} in {reader.one(self._source)}{steps}"
                for source, other, members in self._sets:
                    if source.stage == stage or not _kindred(field, inner, other, source):
                        continue
                    name = set_name(reader, source, other)
                    for word, some in (("any", any), ("all", all)):
                        holds = _bits(some(value in members for value in values) for values in lists)
                        text = f"{word}({reader.text(inner, field)} in {name} {loop})"
                        for said, bits in ((text, holds), (f"not {text}", self._every ^ holds)):
                            yield Atom(
                                shape=("inside", word, inner, field, self._place(source, other)),
                                text=said,
                                holds=bits,
                                sets=frozenset({(source, other)}),
                                weight=5,
                            )


def set_name(reader: Reader, source: Source, field: Field) -> str:
    """What the set of a field's values is called."""
    parts = [*source.inner, *field.keys] or ["values"]
    return "_".join(dict.fromkeys([reader.names[source.stage], *parts]))


def called(field: Field, source: Source) -> str:
    """What a field holds, by its name."""
    return field.name or (singular(source.inner[-1]) if source.inner else "")


def _kindred(field: Field, source: Source, other: Field, place: Source) -> bool:
    """True when two fields may hold the same kind of value, going by their names."""
    mine, theirs = called(field, source), called(other, place)
    if mine == theirs or mine.endswith(f"_{theirs}") or theirs.endswith(f"_{mine}"):
        return True
    return "id" in (mine, theirs) and mine.endswith("id") and theirs.endswith("id")


def _inner_values(entry: Json, inner: Source, field: Field) -> list[Json]:
    inside = follow(entry, inner.inner)
    return [follow(one, field.keys) for one in inside] if isinstance(inside, list) else []


def _number(value: Json, wanted: Json) -> tuple[Json, Json] | None:
    plain = isinstance(value, int | float) and isinstance(wanted, int | float)
    return (value, wanted) if plain and not isinstance(value, bool) and not isinstance(wanted, bool) else None


def _text(value: Json, wanted: Json) -> tuple[Json, Json] | None:
    if not isinstance(value, str) or not isinstance(wanted, str) or _dated(value):
        return None
    return value.lower(), wanted.lower()


def _squeezed(value: Json, wanted: Json) -> tuple[Json, Json] | None:
    """Text by its letters and digits: "Go To Sleep" is "go-to-sleep"."""
    if not isinstance(value, str) or not isinstance(wanted, str) or not re.search(r"\w\W\w", wanted):
        return None
    return re.sub(r"\W+", " ", value.lower()), re.sub(r"\W+", " ", wanted.lower())


def _date(value: Json, wanted: Json) -> tuple[Json, Json] | None:
    """A date, cut to how much of it is wanted: a year, a month or a day."""
    if not isinstance(value, str) or not _dated(value):
        return None
    if isinstance(wanted, int) and not isinstance(wanted, bool) and 1900 < wanted < 2100:
        return value[:4], str(wanted)
    if not isinstance(wanted, str) or not wanted[:4].isdigit() or len(wanted) not in (4, 7, 10, 19):
        return None
    return value[: len(wanted)], wanted


_WAYS: Mapping[str, Callable[[Json, Json], tuple[Json, Json] | None]] = {
    "number": _number,
    "text": _text,
    "squeezed": _squeezed,
    "date": _date,
}


def _wording(way: str, text: str, name: str, wanted: Json, *, dated: bool) -> tuple[str, str]:
    """The two sides of a comparison."""
    if way == "text":
        return f"{text}.lower()", f"{name}.lower()"
    if way == "squeezed":
        return rf're.sub(r"\W+", " ", {text}.lower())', rf're.sub(r"\W+", " ", {name}.lower())'
    if way == "date":
        return (f"{text}[:{len(wanted)}]", name) if dated else (f"int({text}[:4])", name)
    return text, name


def _wordy(value: Json) -> bool:
    return isinstance(value, str) and not _dated(value)


def _dated(value: str) -> bool:
    return bool(re.match(r"\d{4}-\d\d-\d\d", value))


def _bits(flags: Iterable[Json]) -> int:
    bits = 0
    for at, flag in enumerate(flags):
        bits |= bool(flag) << at
    return bits
