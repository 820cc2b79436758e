"""Where each argument of a stage comes from, as Python that a program can hold.

In this order: the same value always; a value of the instruction or of the date; the fields of what was read before, all
of them or those that a condition picks; and where none of that explains it in all tasks, the values themselves, which a
model would take from what was printed.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from opensage.types import Json
from opensage.worlds.appworld.demonstrator.atoms import DATES, Atom, set_name
from opensage.worlds.appworld.demonstrator.extremes import extreme, most_frequent
from opensage.worlds.appworld.demonstrator.filters import Condition, Search
from opensage.worlds.appworld.demonstrator.sources import Entry, Field, Reader, Source, fits
from opensage.worlds.appworld.demonstrator.stages import Stage, same
from opensage.worlds.appworld.demonstrator.templates import case_of, template
from opensage.worlds.appworld.demonstrator.trace import Step
from opensage.worlds.appworld.demonstrator.wording import literal

LOOP = "<loop>"
"""Where the loop goes in a frame."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Python for a value, task by task, and what it needs."""

    texts: tuple[str, ...]
    names: frozenset[str] = frozenset()
    """Values of the task it refers to."""
    lines: tuple[tuple[str, ...], ...] = ()
    """Lines that must stand before it in each task, if any: sets, and dictionaries of details."""
    literal: bool = False
    """True when it is the value itself, taken from what was printed."""
    from_text: bool = False
    """True when the value stands in the instruction."""
    fork: tuple[str, str, str] | None = None
    """A test, and the text where it holds and where it does not: what `texts` say in one line."""

    @property
    def uniform(self) -> bool:
        return not self.literal and len(set(self.texts)) == 1

    @property
    def read(self) -> bool:
        """True when a model must have read it off what was printed."""
        return self.literal and not self.from_text

    @property
    def given(self) -> bool:
        """True when it is a value that the instruction tells: a parameter of a function for all tasks."""
        return self.literal and self.from_text

    def before(self, task: int) -> tuple[str, ...]:
        """The lines that must stand before it."""
        return self.lines[task] if self.lines else ()


def unified(expression: Expression, values: Sequence[Mapping[str, Json]]) -> Expression | None:
    """Python for all tasks at once, where a word of the instruction decides between two ways to say it."""
    if expression.uniform:
        return expression
    if expression.read or len(set(expression.texts)) != 2 or not all(expression.texts):
        return None
    for name in values[0]:
        words = [each.get(name) for each in values]
        meant = {literal(word): text for word, text in zip(words, expression.texts, strict=True)}
        functional = all(meant[literal(w)] == text for w, text in zip(words, expression.texts, strict=True))
        if name not in DATES and functional and len(meant) == 2 and all(isinstance(word, str) for word in words):
            (first, one), (_, other) = meant.items()
            lines = tuple(dict.fromkeys(line for each in expression.lines for line in each))
            return Expression(
                texts=(f"({one} if {name} == {first} else {other})",) * len(values),
                fork=(f"{name} == {first}", one, other),
                names=expression.names | {name},
                lines=(lines,) * len(values),
            )
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explainer:
    """Finds expressions for the values of a scenario."""

    reader: Reader
    values: Sequence[Mapping[str, Json]]
    """What each task's instruction and date say, by name."""
    memo: dict[tuple[Source | None, ...], Search] = field(default_factory=dict)

    def scalar(self, wanted: Sequence[Json], argument: str, before: int, present: Sequence[bool]) -> Expression:
        """One value a task."""
        return (
            self.named(wanted, present)
            or self._own(wanted, present)
            or self._picked(wanted, argument, before, present)
            or self._composed(wanted, present)
            or self._implied(wanted, present)
            or self.literal(wanted)
        )

    def each(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool], *, reads: bool
    ) -> Expression:
        """A list of values a task; of what is only read there may be more."""
        return (
            self._listed_names(wanted, present)
            or self._all(wanted, argument, before, present)
            or self._union(wanted, argument, before, present)
            or self._filtered(wanted, argument, before, present)
            or self._filtered_apart(wanted, argument, before, present)
            or (self._more(wanted, argument, before, present) if reads else None)
            or self.literal([list(values) for values in wanted])
        )

    def _more(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
    ) -> Expression | None:
        """All that a list holds, where the reference looked at some of it only."""
        for source, one in self._candidates(wanted, argument, before, present)[:1]:
            frame = _set_frame(self.reader.text(source, one))
            return Expression(texts=(frame.replace(LOOP, self.reader.loop(source)),) * len(wanted))
        return None

    def rows(self, stage: Stage, arguments: Sequence[str], before: int) -> Expression:
        """Several arguments that differ from call to call."""
        wanted = [[tuple(step.arguments[name] for name in arguments) for step in run] for run in stage.runs]
        present = [bool(run) for run in stage.runs]
        for source in self.reader.sources(before):
            fields = self.reader.fields(source)
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
            frames = [f"[{{{text}}} {LOOP}]"] * len(wanted)
            if found_rows := self._conditioned([source] * len(wanted), frames, chosen, before):
                return found_rows
        return self._rows_composed(stage, arguments, before) or self._rows_literal(stage, arguments)

    def _rows_composed(self, stage: Stage, arguments: Sequence[str], before: int) -> Expression | None:
        """Rows of which some arguments are fields of an entry, and others texts put together from it."""
        for source in self.reader.sources(before):
            matched = [self._rows_of(source, run, task) for task, run in enumerate(stage.runs)]
            if any(len(rows) != len(run) for rows, run in zip(matched, stage.runs, strict=True)):
                continue
            texts: list[str] = []
            names: set[str] = set()
            for argument in arguments:
                wanted = [
                    (task, entry, step.arguments[argument]) for task, rows in enumerate(matched) for entry, step in rows
                ]
                if not all(isinstance(value, str) for _, _, value in wanted):
                    break
                cases = [case_of(v, self.values[t], self.reader, source, entry, t) for t, entry, v in wanted]
                found = template(cases)
                if found is None:
                    break
                texts.append(f'"{argument}": {found.text}')
                names |= found.names
            else:
                row = f"[{{{', '.join(texts)}}} {self.reader.loop(source)}]"
                return Expression(texts=(row,) * len(stage.runs), names=frozenset(names))
        return None

    def _rows_of(self, source: Source, run: Sequence[Step], task: int) -> list[tuple[Entry, Step]]:
        """The entry that each call is about: the one whose text stands in its arguments, where all are in order."""
        entries = self.reader.entries(source, task)
        return list(zip(entries, run, strict=True)) if len(entries) == len(run) else []

    def _rows_literal(self, stage: Stage, arguments: Sequence[str]) -> Expression:
        rows = [[{name: step.arguments[name] for name in arguments} for step in run] for run in stage.runs]
        return self.literal(rows)

    def named(self, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
        """A value that the instruction or the date gives."""
        tasks = [task for task in self.reader.tasks if present[task]]
        for name in self.values[tasks[0]]:
            if all(name in self.values[task] and same(self.values[task][name], wanted[task]) for task in tasks):
                return Expression(texts=(name,) * len(wanted), names=frozenset({name}))
        return None

    def literal(self, wanted: Sequence[Json]) -> Expression:
        """The values themselves: told by the instruction, or else taken from what was printed."""
        texts = tuple(literal(value) for value in wanted)
        told = all(value is None or self._in_text(task, value) for task, value in enumerate(wanted))
        return Expression(texts=texts, literal=True, from_text=told)

    def _in_text(self, task: int, value: Json) -> bool:
        said = self.reader.scenario.siblings[task].instruction.lower()
        if isinstance(value, list):
            return bool(value) and all(self._in_text(task, one) for one in value)
        if isinstance(value, bool):
            return True
        if isinstance(value, str) and value[:10] in [self.values[task].get(name) for name in DATES]:
            return True
        words = re.findall(r"\w+", str(value).lower())
        return bool(words) and all(word in said for word in words)

    def _composed(self, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
        """A text put together from values of the instruction and text that is always the same."""
        if not all(isinstance(value, str) for value, here in zip(wanted, present, strict=True) if here):
            return None
        cases = [
            case_of(wanted[task], self.values[task], self.reader, None, None, task)
            for task in self.reader.tasks
            if present[task]
        ]
        found = template(cases) if len({case.wanted for case in cases}) > 1 else None
        return Expression(texts=(found.text,) * len(wanted), names=found.names) if found else None

    def _own(self, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
        """The supervisor's own address."""
        siblings = self.reader.scenario.siblings
        if all(value == sibling.email for value, sibling, here in zip(wanted, siblings, present, strict=True) if here):
            return Expression(texts=('apis.supervisor.show_profile()["email"]',) * len(wanted))
        return None

    def _implied(self, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
        """A value that a word of the instruction stands for: always the same for the same word."""
        tasks = [task for task in self.reader.tasks if present[task]]
        siblings = self.reader.scenario.siblings
        for name in siblings[tasks[0]].values:
            words = [repr(siblings[task].values.get(name)) for task in tasks]
            meant = {word: repr(wanted[task]) for word, task in zip(words, tasks, strict=True)}
            if 1 < len(meant) == len(set(meant.values())) < len(tasks) and all(
                meant[word] == repr(wanted[task]) for word, task in zip(words, tasks, strict=True)
            ):
                return Expression(texts=tuple(literal(value) for value in wanted), literal=True, from_text=True)
        starts = ("this_year", "this_month", *DATES)
        if all(self._starts(task, wanted[task], starts) or wanted[task] is None for task in tasks):
            return Expression(texts=tuple(literal(value) for value in wanted), literal=True, from_text=True)
        return None

    def _starts(self, task: int, value: Json, names: Sequence[str]) -> bool:
        """True for the first day of this year, of this month, or of a month that the instruction names."""
        now = self.reader.scenario.siblings[task].now
        said = self.reader.scenario.siblings[task].instruction.lower()
        months = [f"{now.year}-{n:02}-01" for n in range(1, 13) if calendar.month_abbr[n].lower() in said]
        return value in [f"{now.year}-01-01", f"{now:%Y-%m}-01", *months, *(self.values[task].get(n) for n in names)]

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
            columns = self._columns(source, one)
            many = any(len(set(column)) < len(column) for column in columns)
            text = self.reader.text(source, one)
            frame = _set_frame(text) if many else f"[{text} {LOOP}]"
            chosen = [_bits(columns[t], wanted[t]) if present[t] else None for t in self.reader.tasks]
            gives = partial(_gives, columns, wanted) if many and all(present) else None
            if found := self._conditioned([source] * len(wanted), [frame] * len(wanted), chosen, before, gives):
                return found
        return None

    def _filtered_apart(
        self, wanted: Sequence[Sequence[Json]], argument: str, before: int, present: Sequence[bool]
    ) -> Expression | None:
        """A condition on lists that differ from task to task: the songs of the library here, of playlists there."""
        options = []
        for task in self.reader.tasks:
            alone = [n == task for n in self.reader.tasks]
            found = self._candidates(wanted, argument, before, alone) if present[task] else []
            options.append([pair for pair in found if not all(self._stage(pair[0]).runs)] or found)
        if not all(options[task] for task in self.reader.tasks if present[task]):
            return None
        picked = [choices[0] if choices else None for choices in options]
        frames, chosen, columns = [], [], []
        for task, pair in enumerate(picked):
            column = [self.reader.value(e, pair[1], task) for e in self.reader.entries(pair[0], task)] if pair else []
            columns.append(column)
            frames.append(_set_frame(self.reader.text(*pair)) if pair else "")
            chosen.append(_bits(column, wanted[task]) if pair else None)
        gives = partial(_gives, columns, wanted) if all(present) else None
        return self._conditioned([pair[0] if pair else None for pair in picked], frames, chosen, before, gives)

    def _stage(self, source: Source) -> Stage:
        return self.reader.scenario.stages[source.stage]

    def _picked(self, wanted: Sequence[Json], argument: str, before: int, present: Sequence[bool]) -> Expression | None:
        """One entry of what was read: the only one, one that a condition picks, the greatest or least, the first."""
        candidates = self._candidates([[value] for value in wanted], argument, before, present)
        for find in (self._only, self._chosen_one, self._extreme, self._first, self._frequent, self._first_such):
            for source, one in candidates:
                if found := find(source, one, wanted, before, present):
                    return found
        return None

    def _only(
        self, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
    ) -> Expression | None:
        if source.inner or self._stage(source).many or self._stage(source).lists:
            return None
        return Expression(texts=(self.reader.names[source.stage] + _steps(one),) * len(wanted))

    def _chosen_one(
        self, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
    ) -> Expression | None:
        columns = self._columns(source, one)
        here = [task for task in self.reader.tasks if present[task]]
        if all(len(columns[task]) == 1 for task in here) or any(columns[t].count(wanted[t]) != 1 for t in here):
            return None
        chosen = [_bits(columns[t], [wanted[t]]) if present[t] else None for t in self.reader.tasks]
        frame = f"next({self.reader.text(source, one)} {LOOP})"
        return self._conditioned([source] * len(wanted), [frame] * len(wanted), chosen, before)

    def _extreme(
        self, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
    ) -> Expression | None:
        found = extreme(self.reader, source, one, wanted, before, present)
        return Expression(texts=found.texts, lines=(found.lines,) * len(wanted)) if found else None

    def _first(
        self, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
    ) -> Expression | None:
        columns = self._columns(source, one)
        stage = self._stage(source)
        if one.outer or not all(same(columns[t][0], wanted[t]) for t in self.reader.tasks if present[t]):
            return None
        if not source.inner:
            return Expression(texts=(f"{self.reader.plural(source.stage)}[0]{_steps(one)}",) * len(wanted))
        if stage.many or stage.lists:
            return None
        inside = "".join(f'["{key}"]' for key in source.inner)
        return Expression(texts=(f"{self.reader.names[source.stage]}{inside}[0]{_steps(one)}",) * len(wanted))

    def _first_such(
        self, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
    ) -> Expression | None:
        """The first of those that a condition picks."""
        if not all(present) or source.inner:
            return None
        columns = self._columns(source, one)

        def leads(task: int, atom: Atom) -> bool:
            first = (atom.holds & -atom.holds).bit_length() - 1
            return same(columns[task][first], wanted[task])

        condition = self.search([source] * len(wanted), before).telling(leads)
        if condition is None or not any(atom.names or atom.sets for atom in condition.atoms):
            return None
        text, loop = self.reader.text(source, one), self.reader.loop(source)
        return Expression(
            texts=tuple(f"next({text} {loop} if {condition.text(task)})" for task in self.reader.tasks),
            names=frozenset(name for atom in condition.atoms for name in atom.names),
            lines=self.needed(condition),
        )

    def _frequent(
        self, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
    ) -> Expression | None:
        texts = most_frequent(self.reader, source, one, wanted, present)
        return Expression(texts=texts) if texts else None

    def _columns(self, source: Source, one: Field) -> list[list[Json]]:
        return [[self.reader.value(e, one, t) for e in self.reader.entries(source, t)] for t in self.reader.tasks]

    def _conditioned(
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


def _gives(columns: Sequence[Sequence[Json]], wanted: Sequence[Sequence[Json]], task: int, atom: Atom) -> bool:
    return {value for at, value in enumerate(columns[task]) if atom.holds >> at & 1} == set(wanted[task])


def _set_frame(text: str) -> str:
    return f"sorted({{{text} {LOOP}}})"


def _steps(one: Field) -> str:
    return "".join(f'["{key}"]' for key in one.keys)


def _bits(found: Sequence[Json], wanted: Sequence[Json]) -> int:
    return sum(1 << at for at, value in enumerate(found) if value in wanted)
