"""Why these and not the others: a small search for the condition behind a choice.

Given the entries of a source in every task of a scenario and which of them were chosen, look for a condition made of at
most three parts (equal to a value of the instruction, before or after a date, a member of another list, true or false,
the greatest or least) that gives exactly the choice in all tasks. The parts may differ in their operator from task to
task (`before` in one, `after` in the next), never in the fields they look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import combinations, product

from opensage.types import Json
from opensage.worlds.appworld.sources import Field, Reader, Source

_MOST = 3
_OPERATORS: Mapping[str, Callable[[Json, Json], bool]] = {
    "==": lambda one, other: bool(one == other),
    "!=": lambda one, other: bool(one != other),
    ">=": lambda one, other: bool(one >= other),
    "<": lambda one, other: bool(one < other),
    ">": lambda one, other: bool(one > other),
    "<=": lambda one, other: bool(one <= other),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A part of a condition in one task: which entries it holds for, and how it is written."""

    shape: tuple[object, ...]
    """What it looks at; the same in all tasks."""
    text: str
    holds: int
    """One bit per entry."""
    names: frozenset[str] = frozenset()
    """Values of the task that it refers to by name."""
    sets: frozenset[tuple[Source, Field]] = frozenset()
    """Other lists that it refers to."""
    joins: frozenset[int] = frozenset()
    weight: int = 1
    """The simpler the better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What was found: the parts in each task."""

    parts: tuple[tuple[Atom, ...], ...]

    def text(self, task: int) -> str:
        return " and ".join(f"({a.text})" if " or " in a.text else a.text for a in self.parts[task])

    @property
    def uniform(self) -> bool:
        return len({self.text(task) for task in range(len(self.parts))}) == 1

    @property
    def atoms(self) -> list[Atom]:
        return [atom for part in self.parts for atom in part]


ALWAYS = Condition(parts=())
"""No condition: everything was chosen."""


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


class Search:
    """The search for a condition on the entries of one source."""

    def __init__(self, reader: Reader, source: Source, values: Sequence[Mapping[str, Json]], before: int) -> None:
        self._reader = reader
        self._source = source
        self._values = values
        self._before = before
        self._atoms = [self._of_task(task) for task in reader.tasks]

    def condition(self, chosen: Sequence[int | None]) -> Condition | None:
        """The condition that holds for exactly the chosen entries (one bit each) of every task that is not None."""
        tasks = [task for task in self._reader.tasks if chosen[task] is not None]
        able = []
        for task in tasks:
            wanted = chosen[task] or 0
            shapes: dict[tuple[object, ...], list[Atom]] = {}
            for atom in self._atoms[task]:
                if atom.holds & wanted == wanted:
                    shapes.setdefault(atom.shape, []).append(atom)
            able.append(shapes)
        if not able:
            return None
        common = [shape for shape in able[0] if all(shape in shapes for shapes in able[1:])]
        common.sort(key=lambda shape: min(atom.weight for atom in able[0][shape]))
        common = [
            s
            for s in common
            if any(_tells(shapes[s], chosen[t], self._full(t)) for shapes, t in zip(able, tasks, strict=True))
        ]
        for size in range(1, _MOST + 1):
            for shapes in combinations(common[:60], size):
                for alike in (True, False):
                    if parts := self._parts(able, tasks, shapes, chosen, alike=alike):
                        return Condition(parts=parts)
        return None

    def _full(self, task: int) -> int:
        return (1 << len(self._reader.entries(self._source, task))) - 1

    def _parts(
        self,
        able: Sequence[Mapping[tuple[object, ...], list[Atom]]],
        tasks: Sequence[int],
        shapes: Sequence[tuple[object, ...]],
        chosen: Sequence[int | None],
        *,
        alike: bool,
    ) -> tuple[tuple[Atom, ...], ...] | None:
        found: dict[int, list[tuple[Atom, ...]]] = {}
        for atoms, task in zip(able, tasks, strict=True):
            choices = []
            for parts in product(*(atoms[shape] for shape in shapes)):
                holds = self._full(task)
                for part in parts:
                    holds &= part.holds
                if holds == chosen[task]:
                    choices.append(parts)
            if not choices:
                return None
            found[task] = sorted(choices, key=lambda parts: sum(part.weight for part in parts))
        if alike:
            texts = [{_text(parts): parts for parts in reversed(choices)} for choices in found.values()]
            shared = [text for parts in found[tasks[0]] if all((text := _text(parts)) in other for other in texts)]
            if not shared:
                return None
            picked = {task: texts[n][shared[0]] for n, task in enumerate(tasks)}
        else:
            often = Counter(text for choices in found.values() for text in {_text(parts) for parts in choices})
            picked = {task: max(choices, key=lambda parts: often[_text(parts)]) for task, choices in found.items()}
        some = picked[tasks[0]]
        return tuple(picked.get(task, some) for task in self._reader.tasks)

    # ------------------------------------------------------------------------------------------------------- the parts

    def _of_task(self, task: int) -> list[Atom]:
        reader, source = self._reader, self._source
        entries = reader.entries(source, task)
        joins = [n for n, stage in enumerate(reader.scenario.stages[: self._before]) if stage.many and stage.reads]
        found: list[Atom] = []
        sets = list(self._sets(task))
        for field in reader.fields(source, joins=joins):
            values = [reader.value(entry, field, task) for entry in entries]
            for atom in (*self._compared(field, values, task), *_truths(self._said(field), field, values)):
                found.append(atom)
            found += self._members([field], [values], sets)
        found += self._either(entries, task, sets)
        found += self._inside(entries, task, sets)
        return [atom for atom in found if atom.holds]

    def _said(self, field: Field) -> str:
        return self._reader.text(self._source, field)

    def _compared(self, field: Field, values: Sequence[Json], task: int) -> Iterator[Atom]:
        text = self._said(field)
        joins = frozenset({field.via} - {-1})
        for name, wanted in self._values[task].items():
            dated = name in _DATES
            for way, convert in _WAYS.items():
                given = [convert(value, wanted) for value in values]
                if any(one is None for one in given):
                    continue
                wording = _wording(way, text, name, dated=dated)
                for operator, compare in _OPERATORS.items():
                    if operator in ("==", "!=") or way in ("number", "date"):
                        yield Atom(
                            shape=("compared", field, "date" if dated else name),
                            text=f"{wording[0]} {operator} {wording[1]}",
                            holds=_bits(compare(*pair) for pair in given if pair is not None),
                            names=frozenset({name}),
                            joins=joins,
                            weight=1 + (operator != "==") + bool(joins) + 2 * dated,
                        )
            if isinstance(wanted, str) and not dated and len(wanted) > 2:
                yield Atom(
                    shape=("contains", field, name),
                    text=f"{name}.lower() in {text}.lower()",
                    holds=_bits(isinstance(value, str) and wanted.lower() in value.lower() for value in values)
                    if all(isinstance(value, str) for value in values)
                    else 0,
                    names=frozenset({name}),
                    joins=joins,
                    weight=3,
                )

    def _sets(self, task: int) -> Iterator[tuple[Source, Field, set[Json]]]:
        reader = self._reader
        for source in reader.sources(self._before):
            if source == self._source:
                continue
            for field in reader.fields(source):
                values = [reader.value(entry, field, task) for entry in reader.entries(source, task)]
                if _called(field, source).endswith(_NAMING):
                    yield source, field, {value for value in values if isinstance(value, str | int)}

    def _members(
        self,
        fields: Sequence[Field],
        columns: Sequence[Sequence[Json]],
        sets: Sequence[tuple[Source, Field, set[Json]]],
    ) -> Iterator[Atom]:
        joins = frozenset(field.via for field in fields) - {-1}
        for source, other, members in sets:
            if not all(_kindred(field, self._source, other, source) for field in fields):
                continue
            name = self.set_name(source, other)
            holds = _bits(
                any(value in members for value in row if isinstance(value, str | int))
                for row in zip(*columns, strict=True)
            )
            every = (1 << len(columns[0])) - 1
            inside = " or ".join(f"{self._said(field)} in {name}" for field in fields)
            outside = " and ".join(f"{self._said(field)} not in {name}" for field in fields)
            for text, bits in ((inside, holds), (outside, every ^ holds)):
                yield Atom(
                    shape=("member", tuple(fields), source, other),
                    text=text,
                    holds=bits,
                    sets=frozenset({(source, other)}),
                    joins=joins,
                    weight=2 + len(fields) + bool(joins),
                )

    def _either(
        self, entries: Sequence[tuple[Json, Json]], task: int, sets: Sequence[tuple[Source, Field, set[Json]]]
    ) -> Iterator[Atom]:
        """One of two fields of the same name, such as the sender's or the receiver's address."""
        reader = self._reader
        fields = [field for field in reader.fields(self._source) if len(field.keys) > 1]
        for one, other in combinations(fields, 2):
            if one.keys[1:] == other.keys[1:] and one.outer == other.outer:
                columns = [[reader.value(entry, field, task) for entry in entries] for field in (one, other)]
                yield from self._members([one, other], columns, sets)

    def _inside(
        self, entries: Sequence[tuple[Json, Json]], task: int, sets: Sequence[tuple[Source, Field, set[Json]]]
    ) -> Iterator[Atom]:
        """Some or all entries of a list inside an entry are members of another list."""
        if self._source.inner:
            return
        every = (1 << len(entries)) - 1
        for inner in [s for s in self._reader.sources(self._before) if s.stage == self._source.stage and s.inner]:
            for field in [f for f in self._reader.fields(inner) if not f.outer]:
                lists = [_inner_values(entry[1], inner, field) for entry in entries]
                one = self._reader.text(inner, field)
                loop = f"for {self._reader.one(inner)} in {self._reader.one(self._source)}" + "".join(
                    f'["{k}"]' for k in inner.inner
                )
                for source, other, members in sets:
                    if source.stage == self._source.stage or not _kindred(field, inner, other, source):
                        continue
                    name = self.set_name(source, other)
                    for word, holds in (
                        ("any", _bits(any(v in members for v in values) for values in lists)),
                        ("all", _bits(all(v in members for v in values) for values in lists)),
                    ):
                        for text, bits in (
                            (f"{word}({one} in {name} {loop})", holds),
                            (f"not {word}({one} in {name} {loop})", every ^ holds),
                        ):
                            yield Atom(
                                shape=("inside", word, inner, field, source, other),
                                text=text,
                                holds=bits,
                                sets=frozenset({(source, other)}),
                                weight=5,
                            )

    def set_name(self, source: Source, field: Field) -> str:
        """What the set of a field's values is called."""
        return set_name(self._reader, source, field)


def set_name(reader: Reader, source: Source, field: Field) -> str:
    """What the set of a field's values is called."""
    stage = reader.names[source.stage]
    parts = [*source.inner, *field.keys] or ["values"]
    return "_".join(dict.fromkeys([stage, *parts]))


_DATES = ("today", "yesterday", "this_month", "last_month", "this_year", "last_year", "days_ago", "first_day")
_NAMING = ("id", "email", "phone_number", "path")
"""How fields end whose values name a thing; others are equal by chance."""


def _number(value: Json, wanted: Json) -> tuple[Json, Json] | None:
    plain = isinstance(value, int | float) and isinstance(wanted, int | float)
    return (value, wanted) if plain and not isinstance(value, bool) and not isinstance(wanted, bool) else None


def _text_pair(value: Json, wanted: Json) -> tuple[Json, Json] | None:
    if not isinstance(value, str) or not isinstance(wanted, str) or _dated(value):
        return None
    return value.lower(), wanted.lower()


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
    "text": _text_pair,
    "date": _date,
}
_LENGTHS = {
    "today": 10,
    "yesterday": 10,
    "this_month": 7,
    "last_month": 7,
    "this_year": 4,
    "last_year": 4,
    "days_ago": 19,
    "first_day": 10,
}


def _wording(way: str, text: str, name: str, *, dated: bool) -> tuple[str, str]:
    if way == "text":
        return f"{text}.lower()", f"{name}.lower()"
    if way == "date":
        return (f"{text}[:{_LENGTHS[name]}]", name) if dated else (f"int({text}[:4])", name)
    return text, name


def _dated(value: str) -> bool:
    return len(value) >= 10 and value[:4].isdigit() and value[4] == "-" and value[7] == "-"


def _truths(text: str, field: Field, values: Sequence[Json]) -> Iterator[Atom]:
    joins = frozenset({field.via} - {-1})
    if values and all(isinstance(value, bool) for value in values):
        every = (1 << len(values)) - 1
        holds = _bits(bool(value) for value in values)
        yield Atom(shape=("true", field), text=text, holds=holds, joins=joins, weight=2)
        yield Atom(shape=("true", field), text=f"not {text}", holds=every ^ holds, joins=joins, weight=2)
    missing = [value is None for value in values]
    if any(missing) and not all(missing):
        yield Atom(shape=("none", field), text=f"{text} is None", holds=_bits(missing), joins=joins, weight=3)
        yield Atom(
            shape=("none", field),
            text=f"{text} is not None",
            holds=_bits(not m for m in missing),
            joins=joins,
            weight=3,
        )


def _kindred(field: Field, source: Source, other: Field, place: Source) -> bool:
    """True when two fields may hold the same kind of value, going by their names."""
    mine, theirs = _called(field, source), _called(other, place)
    return (
        mine == theirs
        or mine.endswith(f"_{theirs}")
        or theirs.endswith(f"_{mine}")
        or ("id" in (mine, theirs)
        and (mine.endswith("id") and theirs.endswith("id")))
    )


def _called(field: Field, source: Source) -> str:
    from opensage.worlds.appworld.wording import singular

    return field.name or (singular(source.inner[-1]) if source.inner else "")


def _inner_values(entry: Json, inner: Source, field: Field) -> list[Json]:
    from opensage.worlds.appworld.sources import follow

    inside = follow(entry, inner.inner)
    return [follow(one, field.keys) for one in inside] if isinstance(inside, list) else []


def _tells(atoms: Sequence[Atom], chosen: int | None, full: int) -> bool:
    """True when one of these leaves out something that all of them together would take."""
    return any(atom.holds != full for atom in atoms) or chosen == full


def _bits(flags: Iterator[bool] | Sequence[bool] | object) -> int:
    bits = 0
    for at, flag in enumerate(flags):  # type: ignore[call-overload, arg-type, var-annotated]
        bits |= bool(flag) << at
    return bits


def _text(parts: Sequence[Atom]) -> str:
    return " and ".join(part.text for part in parts)
