"""Where values can come from: the entries of what was read, and the fields in them.

A source is a list of entries: what a stage answered (`songs`), or a list inside each of its entries
(`playlist["songs"] for playlist in playlists`). A field is a way from an entry to a value: in the entry itself, in
the one around it, or in the details that another stage read of it (`song_by_id[entry["id"]]["genre"]`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.types import Json
from prowess_appworld.demonstrator.stages import Scenario, Stage, same
from prowess_appworld.demonstrator.wording import noun, singular

Entry = tuple[Json, Json]
"""What a stage answered, and the entry in it: the same where the source is not a list inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A way from an entry to a value."""

    outer: bool = False
    """True for a field of the entry around the list."""
    keys: tuple[str, ...] = ()
    """Names to follow; none for an entry that is itself a value."""
    via: int = -1
    """The stage whose details are looked up by this field of the entry ..."""
    then: tuple[str, ...] = ()
    """... and the names to follow in them."""

    @property
    def name(self) -> str:
        keys = self.then if self.via >= 0 else self.keys
        return keys[-1] if keys else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A list of entries that a program has at hand."""

    stage: int
    inner: tuple[str, ...] = ()
    """Names to follow from an answer to the list inside it; none for the answers themselves."""


class Reader:
    """Looks entries and values up, task by task."""

    def __init__(self, scenario: Scenario, names: Sequence[str]) -> None:
        self.scenario = scenario
        self.names = names
        """The variable of each stage."""
        self._details: dict[tuple[int, int], Mapping[Any, Json]] = {}
        self._entries: dict[tuple[Source, int], list[Entry]] = {}
        self._fields: dict[tuple[Source, tuple[int, ...]], list[Field]] = {}

    @property
    def tasks(self) -> range:
        return range(len(self.scenario.siblings))

    def entries(self, source: Source, task: int) -> list[Entry]:
        """The entries of a source in a task."""
        if (source, task) not in self._entries:
            self._entries[source, task] = self._read(source, task)
        return self._entries[source, task]

    def _read(self, source: Source, task: int) -> list[Entry]:
        found: list[Entry] = []
        for answer in self.scenario.stages[source.stage].answers(task):
            if not source.inner:
                found.append((answer, answer))
            else:
                inside = follow(answer, source.inner)
                found += [(answer, each) for each in inside] if isinstance(inside, list) else []
        return found

    def value(self, entry: Entry, field: Field, task: int) -> Json:
        found = follow(entry[0] if field.outer else entry[1], field.keys)
        if field.via >= 0:
            details = self.details(field.via, task)
            found = follow(details.get(found) if isinstance(found, int | str) else None, field.then)
        return None if isinstance(found, list | dict) else found

    def details(self, stage: int, task: int) -> Mapping[Any, Json]:
        """What a stage that reads one thing a call found, by the argument it was asked with."""
        known = self._details.get((stage, task))
        if known is None:
            each = self.scenario.stages[stage].arguments
            known = {
                step.arguments[each[0]]: step.answer
                for step in self.scenario.stages[stage].runs[task]
                if len(each) == 1
            }
            self._details[stage, task] = known
        return known

    def sources(self, before: int) -> Iterator[Source]:
        """Every source that the stages before one offer."""
        for number, stage in enumerate(self.scenario.stages[:before]):
            if not any(stage.answers(task) for task in self.tasks):
                continue
            yield Source(stage=number)
            for keys in sorted({keys for task in self.tasks for one in stage.answers(task) for keys in _lists(one)}):
                yield Source(stage=number, inner=keys)

    def fields(self, source: Source, *, joins: Sequence[int] = ()) -> list[Field]:
        """Every field of a source that holds plain values."""
        if (source, tuple(joins)) not in self._fields:
            self._fields[source, tuple(joins)] = self._found_fields(source, joins)
        return self._fields[source, tuple(joins)]

    def _found_fields(self, source: Source, joins: Sequence[int]) -> list[Field]:
        entries = [entry for task in self.tasks for entry in self.entries(source, task)]
        own = {Field(keys=keys) for _, one in entries for keys in plain(one)}
        if source.inner:
            own |= {Field(outer=True, keys=keys) for around, _ in entries for keys in plain(around)}
        found = sorted(own, key=lambda field: (field.outer, field.keys))
        return [*found, *(each for field in found for each in self._joined(source, field, joins))]

    def _joined(self, source: Source, field: Field, joins: Sequence[int]) -> Iterator[Field]:
        for number in joins:
            stage = self.scenario.stages[number]
            if number == source.stage or not matches(stage, field, self.scenario.stages[source.stage], source):
                continue
            wanted = {self.value(entry, field, task) for task in self.tasks for entry in self.entries(source, task)}
            known = {key for task in self.tasks for key in self.details(number, task)}
            if not wanted or not wanted <= known:
                continue
            records = [one for task in self.tasks for one in self.details(number, task).values()]
            for keys in sorted({keys for one in records for keys in plain(one)}):
                yield Field(outer=field.outer, keys=field.keys, via=number, then=keys)

    # -------------------------------------------------------------------------------------------------- as Python text

    def loop(self, source: Source) -> str:
        """`for playlist in playlists for song in playlist["songs"]`"""
        one = self.one(source, outer=bool(source.inner))
        text = f"for {one} in {self.plural(source.stage)}"
        if source.inner:
            text += f" for {self.one(source)} in {one}{_steps(source.inner)}"
        return text

    def plural(self, stage: int) -> str:
        """The stage's answers as a list."""
        one = self.scenario.stages[stage]
        return self.names[stage] if one.lists or one.many else f"[{self.names[stage]}]"

    def one(self, source: Source, *, outer: bool = False) -> str:
        """The loop variable for an entry."""
        around = self.single(source.stage)
        if outer or not source.inner:
            return around
        inside = singular(source.inner[-1])
        return inside if inside not in (around, self.names[source.stage]) else f"{around}_{inside}"

    def single(self, stage: int) -> str:
        """The loop variable for one of a stage's answers."""
        one = singular(self.names[stage])
        return one if one not in self.names else f"one_{one}"

    def text(self, source: Source, field: Field) -> str:
        """A field of the loop variable."""
        plain_text = f"{self.one(source, outer=field.outer)}{_steps(field.keys)}"
        if field.via < 0:
            return plain_text
        return f"{self.index(field.via)}[{plain_text}]{_steps(field.then)}"

    def index(self, stage: int) -> str:
        """The name of the dictionary of a stage's details."""
        return f"{self.single(stage)}_by_id"

    def indexed(self, stage: int) -> str:
        """The line that makes it."""
        one = self.single(stage)
        argument = self.scenario.stages[stage].arguments[0]
        records = [r for task in self.tasks for r in self.details(stage, task).items()]
        for keys in sorted(
            {keys for _, record in records for keys in plain(record)}, key=lambda k: (k != (argument,), k)
        ):
            if all(same(follow(record, keys), key) for key, record in records):
                return f"{self.index(stage)} = {{{one}{_steps(keys)}: {one} for {one} in {self.names[stage]}}}"
        return ""


def follow(value: Json, keys: Sequence[str]) -> Json:
    """The value that names lead to, or None where they lead nowhere."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return None
        value = value[key]
    return value


def plain(value: Json, keys: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The names that lead to plain values, at most two deep."""
    if isinstance(value, dict):
        if len(keys) < 2:
            for key, inside in value.items():
                yield from plain(inside, (*keys, key))
    elif not isinstance(value, list):
        yield keys


def _lists(value: Json, keys: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict) and len(keys) < 2:
        for key, inside in value.items():
            yield from _lists(inside, (*keys, key))
    elif isinstance(value, list) and keys:
        yield keys


def _steps(keys: Sequence[str]) -> str:
    return "".join(f'["{key}"]' for key in keys)


def fits(argument: str, field: Field, stage: Stage, source: Source) -> bool:
    """True when a field may well hold what an argument asks for, going by their names."""
    keys = field.keys
    last = keys[-1] if keys else singular(source.inner[-1]) if source.inner and not field.outer else noun(stage.api)
    if last == "id":
        owner = keys[-2] if len(keys) > 1 else source.inner[-1] if source.inner and not field.outer else noun(stage.api)
        return singular(owner).split("_")[-1] in argument
    if argument == "query":
        return last in ("name", "title", "first_name", "phone_number", "email")
    return (
        last == argument
        or argument.endswith(f"_{last}")
        or last.endswith(f"_{argument}")
        or ("path" in argument and (not keys or last == "path"))
    )


def matches(details: Stage, field: Field, stage: Stage, source: Source) -> bool:
    """True when a stage read the details of what a field names."""
    return len(details.arguments) == 1 and details.reads and fits(details.arguments[0], field, stage, source)


__all__ = ["Entry", "Field", "Reader", "Source", "fits", "follow", "matches", "plain"]
