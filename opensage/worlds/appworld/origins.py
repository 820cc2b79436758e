"""Where each argument of a stage comes from, as Python that a program can hold.

In this order: the same value always; a value of the instruction or of the date; the fields of what was read before, all
of them or those that a condition picks; and where none of that explains it in all tasks, the values themselves, which a
model would take from what was printed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from opensage.types import Json
from opensage.worlds.appworld.filters import Condition, Search, set_name
from opensage.worlds.appworld.sources import Field, Reader, Source, fits
from opensage.worlds.appworld.stages import Stage, same


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Python for a value, task by task, and what it needs."""

    texts: tuple[str, ...]
    names: frozenset[str] = frozenset()
    """Values of the task it refers to."""
    lines: tuple[str, ...] = ()
    """Lines that must stand before it: sets, and dictionaries of details."""
    literal: bool = False
    """True when it is the value itself, taken from what was printed."""
    from_text: bool = False
    """True when the value stands in the instruction."""

    @property
    def uniform(self) -> bool:
        return not self.literal and len(set(self.texts)) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Explainer:
    """Finds expressions for the values of a scenario."""

    reader: Reader
    values: Sequence[Mapping[str, Json]]
    """What each task's instruction and date say, by name."""
    memo: dict[tuple[Source, int], Search] = field(default_factory=dict)

    def scalar(self, wanted: Sequence[Json], argument: str, before: int, present: Sequence[bool]) -> Expression:
        """One value a task."""
        return (
            self.named(wanted, present)
            or self._picked(wanted, argument, before, present)
            or self.literal(wanted, argument)
        )

    def each(self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]) -> Expression:
        """A list of values a task."""
        return (
            self._listed_names(wanted, present)
            or self._all(wanted, argument, before, present)
            or self._union(wanted, argument, before, present)
            or self._filtered(wanted, argument, before, present)
            or self.literal([list(values) for values in wanted], argument)
        )

    def rows(self, stage: Stage, arguments: Sequence[str], before: int) -> Expression:
        """Several arguments that differ from call to call."""
        wanted = [[tuple(step.arguments[name] for name in arguments) for step in run] for run in stage.runs]
        present = [bool(run) for run in stage.runs]
        for source in self.reader.sources(before):
            fields = [f for f in self.reader.fields(source)]
            assigned: list[Field] = []
            for position, argument in enumerate(arguments):
                good = [
                    f
                    for f in fields
                    if fits(argument, f, self.reader.scenario.stages[source.stage], source)
                    and self._covers(source, f, [[row[position] for row in rows] for rows in wanted], present)
                ]
                assigned += good[:1]
            if len(assigned) < len(arguments):
                continue
            pairs = [
                [
                    tuple(self.reader.value(entry, f, task) for f in assigned)
                    for entry in self.reader.entries(source, task)
                ]
                for task in self.reader.tasks
            ]
            if not all(
                set(rows) <= set(found) for rows, found, here in zip(wanted, pairs, present, strict=True) if here
            ):
                continue
            text = ", ".join(f'"{a}": {self.reader.text(source, f)}' for a, f in zip(arguments, assigned, strict=True))
            chosen = [
                _bits(found, rows) if here else None for found, rows, here in zip(pairs, wanted, present, strict=True)
            ]
            return self._conditioned(source, f"[{{{text}}} {{loop}}]", chosen, before) or self._rows_literal(
                stage, arguments
            )
        return self._rows_literal(stage, arguments)

    def _rows_literal(self, stage: Stage, arguments: Sequence[str]) -> Expression:
        rows = [[{name: step.arguments[name] for name in arguments} for step in run] for run in stage.runs]
        return self.literal(rows, "rows")

    def named(self, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
        """A value that the instruction or the date gives."""
        tasks = [task for task in self.reader.tasks if present[task]]
        for name in self.values[tasks[0]]:
            if all(name in self.values[task] and same(self.values[task][name], wanted[task]) for task in tasks):
                return Expression(texts=(name,) * len(wanted), names=frozenset({name}))
        return None

    def literal(self, wanted: Sequence[Json], name: str) -> Expression:
        texts = tuple(repr(value) for value in wanted)
        told = all(self._in_text(task, value) for task, value in enumerate(wanted))
        return Expression(texts=texts, literal=True, from_text=told)

    def _in_text(self, task: int, value: Json) -> bool:
        said = self.reader.scenario.siblings[task].instruction.lower()
        if isinstance(value, list):
            return bool(value) and all(self._in_text(task, one) for one in value)
        if isinstance(value, bool) or value is None:
            return True
        return str(value).lower() in said

    def _listed_names(self, wanted: Sequence[Sequence[Json]], present: Sequence[bool]) -> Expression | None:
        """Several values of the instruction."""
        tasks = [task for task in self.reader.tasks if present[task]]
        size = len(wanted[tasks[0]])
        if size > 4 or any(len(wanted[task]) != size for task in tasks):
            return None
        parts = [self.named([w[n] if present[t] else None for t, w in enumerate(wanted)], present) for n in range(size)]
        if any(part is None for part in parts):
            return None
        names = [part.texts[0] for part in parts if part]
        return Expression(texts=(f"[{', '.join(names)}]",) * len(wanted), names=frozenset(names))

    def _all(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
    ) -> Expression | None:
        for source, one in self._candidates(wanted, argument, before, present):
            found = [[self.reader.value(e, one, t) for e in self.reader.entries(source, t)] for t in self.reader.tasks]
            if all(set(found[t]) == set(wanted[t]) for t in self.reader.tasks if present[t]):
                many = any(len(set(found[t])) < len(found[t]) for t in self.reader.tasks if present[t])
                inside = f"{self.reader.text(source, one)} {self.reader.loop(source)}"
                return Expression(texts=(f"sorted({{{inside}}})" if many else f"[{inside}]",) * len(wanted))
        return None

    def _union(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
    ) -> Expression | None:
        """Lists that together give the values, task by task: a task may have no such list."""
        texts = []
        for task in self.reader.tasks:
            left, parts, used = set(wanted[task]), [], set()
            for source in self.reader.sources(before) if present[task] else ():
                for one in self.reader.fields(source):
                    found = {self.reader.value(e, one, task) for e in self.reader.entries(source, task)}
                    suits = fits(argument, one, self.reader.scenario.stages[source.stage], source)
                    if suits and found and found <= set(wanted[task]) and source.stage not in used:
                        left -= found
                        used.add(source.stage)
                        parts.append(f"{{{self.reader.text(source, one)} {self.reader.loop(source)}}}")
            if left:
                return None
            texts.append(f"sorted({' | '.join(parts)})" if parts else "[]")
        return Expression(texts=tuple(texts))

    def _filtered(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
    ) -> Expression | None:
        for source, one in self._candidates(wanted, argument, before, present):
            found = [[self.reader.value(e, one, t) for e in self.reader.entries(source, t)] for t in self.reader.tasks]
            many = any(len(set(column)) < len(column) for column in found)
            text = self.reader.text(source, one)
            frame = f"sorted({{{{{text} {{loop}}}}}})" if many else f"[{text} {{loop}}]"
            chosen = [_bits(found[t], wanted[t]) if present[t] else None for t in self.reader.tasks]
            if expression := self._conditioned(source, frame, chosen, before):
                return expression
        return None

    def _picked(self, wanted: Sequence[Json], argument: str, before: int, present: Sequence[bool]) -> Expression | None:
        """One entry of what was read: the only one, one that a condition picks, or the first."""
        lists = [[value] for value in wanted]
        for source, one in self._candidates(lists, argument, before, present):
            found = [[self.reader.value(e, one, t) for e in self.reader.entries(source, t)] for t in self.reader.tasks]
            here = [task for task in self.reader.tasks if present[task]]
            stage = self.reader.scenario.stages[source.stage]
            if not source.inner and not stage.many and not stage.lists:
                return Expression(
                    texts=(self.reader.names[source.stage] + "".join(f'["{k}"]' for k in one.keys),) * len(wanted)
                )
            chosen = [_bits(found[t], [wanted[t]]) if present[t] else None for t in self.reader.tasks]
            single = all(column.count(wanted[t]) == 1 for t, column in enumerate(found) if present[t])
            frame = f"next({self.reader.text(source, one)} {{loop}})"
            if (
                any(len(found[t]) > 1 for t in here)
                and single
                and (expression := self._conditioned(source, frame, chosen, before))
            ):
                return expression
            if all(same(found[task][0], wanted[task]) for task in here) and not source.inner:
                return Expression(
                    texts=(f"{self.reader.names[source.stage]}[0]" + "".join(f'["{k}"]' for k in one.keys),)
                    * len(wanted)
                )
        return None

    def _conditioned(self, source: Source, frame: str, chosen: Sequence[int | None], before: int) -> Expression | None:
        loop = self.reader.loop(source)
        sizes = [(1 << len(self.reader.entries(source, task))) - 1 for task in self.reader.tasks]
        if all(bits is None or bits == full for bits, full in zip(chosen, sizes, strict=True)):
            return Expression(texts=(_filled(frame, loop),) * len(chosen))
        if (source, before) not in self.memo:
            self.memo[source, before] = Search(self.reader, source, self.values, before)
        condition = self.memo[source, before].condition(chosen)
        if condition is None:
            return None
        return Expression(
            texts=tuple(_filled(frame, f"{loop} if {condition.text(task)}") for task in self.reader.tasks),
            names=frozenset(name for atom in condition.atoms for name in atom.names),
            lines=self._needed(condition),
        )

    def _needed(self, condition: Condition) -> tuple[str, ...]:
        lines = [self.reader.indexed(stage) for atom in condition.atoms for stage in sorted(atom.joins)]
        for atom in condition.atoms:
            for source, one in sorted(atom.sets, key=str):
                name = set_name(self.reader, source, one)
                lines.append(f"{name} = {{{self.reader.text(source, one)} {self.reader.loop(source)}}}")
        return tuple(dict.fromkeys(line for line in lines if line))

    def _candidates(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
    ) -> list[tuple[Source, Field]]:
        """Fields that hold all the values, the likeliest first."""
        found = []
        for source in self.reader.sources(before):
            for one in self.reader.fields(source):
                suits = fits(argument, one, self.reader.scenario.stages[source.stage], source)
                if suits and self._covers(source, one, wanted, present):
                    found.append((source, one))
        return found

    def _covers(self, source: Source, one: Field, wanted: Sequence[Sequence[Json]], present: Sequence[bool]) -> bool:
        for task in self.reader.tasks:
            if present[task]:
                known = [self.reader.value(entry, one, task) for entry in self.reader.entries(source, task)]
                if not set(wanted[task]) <= {value for value in known if not isinstance(value, dict | list)}:
                    return False
        return True


def _filled(frame: str, loop: str) -> str:
    return frame.replace("{loop}", loop).replace("{{", "{").replace("}}", "}")


def _bits(found: Sequence[Json], wanted: Sequence[Json]) -> int:
    return sum(1 << at for at, value in enumerate(found) if value in wanted)
