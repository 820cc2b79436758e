"""What is known of a scenario before a stage: the fields of what was read, and conditions on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from prowess.types import Json
from prowess_appworld.demonstrator.atoms import Atom, set_name
from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.filters import Condition, Search
from prowess_appworld.demonstrator.sources import Field, Reader, Source, fits
from prowess_appworld.demonstrator.stages import Stage

LOOP = "<loop>"
"""Where the loop goes in a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was read in a scenario's tasks, and what they were told."""

    reader: Reader
    values: Sequence[Mapping[str, Json]]
    """What each task's instruction and date say, by name."""
    memo: dict[tuple[Source | None, ...], Search] = field(default_factory=dict)

    def candidates(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
    ) -> list[tuple[Source, Field]]:
        """Fields that hold all the values, the likeliest first."""
        found = []
        for source in self.reader.sources(before):
            for one in self.reader.fields(source):
                suits = fits(argument, one, self.reader.scenario.stages[source.stage], source)
                if suits and self.covers(source, one, wanted, present):
                    found.append((source, one))
        return found

    def covers(self, source: Source, one: Field, wanted: Sequence[Sequence[Json]], present: Sequence[bool]) -> bool:
        """True when a field holds all the values in every task that has any."""
        for task in self.reader.tasks:
            if present[task]:
                known = [self.reader.value(entry, one, task) for entry in self.reader.entries(source, task)]
                if not set(wanted[task]) <= {value for value in known if not isinstance(value, dict | list)}:
                    return False
        return True

    def columns(self, source: Source, one: Field) -> list[list[Json]]:
        """What a field holds, entry by entry and task by task."""
        return [[self.reader.value(e, one, t) for e in self.reader.entries(source, t)] for t in self.reader.tasks]

    def conditioned(
        self,
        sources: Sequence[Source | None],
        frames: Sequence[str],
        chosen: Sequence[int | None],
        before: int,
        gives: Callable[[int, Atom], bool] | None = None,
    ) -> Expression | None:
        """The frames filled with loops over the chosen entries, if a condition tells them from the others.

        Where values occur in several entries, any of them will do: `gives` says whether a part gives all values.
        """
        loops = [self.reader.loop(source) if source else "" for source in sources]
        sizes = [(1 << len(self.reader.entries(s, t))) - 1 if s else 0 for t, s in enumerate(sources)]
        if all(bits is None or bits == full for bits, full in zip(chosen, sizes, strict=True)):
            return Expression(texts=tuple(f.replace(LOOP, loop) for f, loop in zip(frames, loops, strict=True)))
        search = self.search(sources, before)
        condition = search.condition(chosen) or (search.telling(gives) if gives else None)
        if condition is None:
            return None
        return Expression(
            texts=tuple(
                frame.replace(LOOP, f"{loop} if {condition.text(task)}")
                for task, (frame, loop) in enumerate(zip(frames, loops, strict=True))
            ),
            names=frozenset(name for atom in condition.atoms for name in atom.names),
            lines=self.needed(condition),
        )

    def search(self, sources: Sequence[Source | None], before: int) -> Search:
        """The search on these sources, prepared once."""
        key = (*sources, Source(stage=before))
        if key not in self.memo:
            self.memo[key] = Search(self.reader, sources, self.values, before)
        return self.memo[key]

    def needed(self, condition: Condition) -> tuple[tuple[str, ...], ...]:
        """The lines that a condition's parts need before them, task by task."""
        found = []
        for choice in condition.choices:
            lines = [self.reader.indexed(stage) for atom in choice.atoms for stage in sorted(atom.joins)]
            for atom in choice.atoms:
                for source, one in sorted(atom.sets, key=str):
                    name = set_name(self.reader, source, one)
                    lines.append(f"{name} = {{{self.reader.text(source, one)} {self.reader.loop(source)}}}")
            found.append(tuple(dict.fromkeys(line for line in lines if line)))
        return tuple(found)

    def stage(self, source: Source) -> Stage:
        """The stage that a source was read in."""
        return self.reader.scenario.stages[source.stage]


def bits(found: Sequence[Json], wanted: Sequence[Json]) -> int:
    """Where the wanted values stand among those found, a bit for each."""
    return sum(1 << at for at, value in enumerate(found) if value in wanted)
