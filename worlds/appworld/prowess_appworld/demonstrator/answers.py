"""What a question's answer is made of: a field of what was read, a count, a sum, the greatest or the least."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prowess.types import Json
from prowess_appworld.demonstrator.atoms import Atom
from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.extremes import extreme, said
from prowess_appworld.demonstrator.filters import Condition
from prowess_appworld.demonstrator.known import LOOP, Known
from prowess_appworld.demonstrator.sources import Field, Source
from prowess_appworld.demonstrator.told import spelled_out


def answer_of(known: Known) -> Expression:
    """Python for the answer of every task; the answers themselves where nothing explains them."""
    wanted = [sibling.answer for sibling in known.reader.scenario.siblings]
    return (
        _field(known, wanted)
        or _measured(known, wanted)
        or _top(known, wanted)
        or _longest(known, wanted)
        or spelled_out(known, wanted)
    )


def _sources(known: Known) -> Iterator[Source]:
    yield from known.reader.sources(len(known.reader.scenario.stages))


def _field(known: Known, wanted: Sequence[Json]) -> Expression | None:
    """A field of the only thing read, or of the greatest or least."""
    reader = known.reader
    before = len(reader.scenario.stages)
    everywhere = [True] * len(wanted)
    for source in sorted(_sources(known), key=lambda source: (bool(source.inner), -source.stage)):
        for one in [field for field in reader.fields(source) if not field.outer]:
            columns = [[reader.value(e, one, t) for e in reader.entries(source, t)] for t in reader.tasks]
            if not all(value in column for value, column in zip(wanted, columns, strict=True)):
                continue
            stage = reader.scenario.stages[source.stage]
            if not source.inner and not stage.many and not stage.lists:
                steps = "".join(f'["{key}"]' for key in one.keys)
                return Expression(texts=(f"{reader.names[source.stage]}{steps}",) * len(wanted))
            if all(isinstance(value, str) for value in wanted):
                if found := extreme(reader, source, one, wanted, before, everywhere):
                    return Expression(texts=found.texts, lines=(found.lines,) * len(wanted))
                if all(column[0] == value for column, value in zip(columns, wanted, strict=True)) and not source.inner:
                    steps = "".join(f'["{key}"]' for key in one.keys)
                    return Expression(texts=(f"{reader.plural(source.stage)}[0]{steps}",) * len(wanted))
    return None


def _measured(known: Known, wanted: Sequence[Json]) -> Expression | None:
    """How many there are, or what they come to, of all or of those that a condition picks."""
    if not all(isinstance(value, int | float) and not isinstance(value, bool) for value in wanted):
        return None
    reader = known.reader
    before = len(reader.scenario.stages)
    for choose in (False, True):
        for source in _sources(known):
            for one in reader.fields(source):
                identifies = one.name.endswith("id") or not one.keys
                spoken = all(said(reader, one, task) for task in reader.tasks) or one.name == "amount"
                ways: list[tuple[str, Callable[[list[Json]], Json]]] = []
                if identifies:
                    ways.append((f"len({{{reader.text(source, one)} {LOOP}}})", lambda values: len(set(values))))
                elif spoken and _numbers(known, source, one):
                    ways.append((f"sum({reader.text(source, one)} {LOOP})", sum))
                for frame, measure in ways:
                    if found := _counted(known, source, one, frame, measure, wanted, before, choose=choose):
                        return found
    return _united(known, wanted)


def _numbers(known: Known, source: Source, one: Field) -> bool:
    reader = known.reader
    values = [reader.value(entry, one, task) for task in reader.tasks for entry in reader.entries(source, task)]
    return bool(values) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def _counted(
    known: Known,
    source: Source,
    one: Field,
    frame: str,
    measure: Callable[[list[Json]], Json],
    wanted: Sequence[Json],
    before: int,
    *,
    choose: bool,
) -> Expression | None:
    reader = known.reader
    columns = [[reader.value(entry, one, task) for entry in reader.entries(source, task)] for task in reader.tasks]
    if not choose:
        if all(column and measure(column) == value for column, value in zip(columns, wanted, strict=True)):
            return Expression(texts=(frame.replace(LOOP, reader.loop(source)),) * len(wanted))
        return None
    search = known.search([source] * len(wanted), before)

    def fits(task: int, atom: Atom) -> bool:
        chosen = [value for at, value in enumerate(columns[task]) if atom.holds >> at & 1]
        return bool(chosen) and bool(measure(chosen) == wanted[task])

    condition = search.telling(fits)
    if condition is None or not any(atom.names for atom in condition.atoms):
        return None
    return _filled(known, source, frame, condition)


def _filled(known: Known, source: Source, frame: str, condition: Condition) -> Expression:
    loop = known.reader.loop(source)
    return Expression(
        texts=tuple(frame.replace(LOOP, f"{loop} if {condition.text(t)}") for t in known.reader.tasks),
        names=frozenset(name for atom in condition.atoms for name in atom.names),
        lines=known.needed(condition),
    )


def _united(known: Known, wanted: Sequence[Json]) -> Expression | None:
    """How many different ones there are in several lists together."""
    reader = known.reader
    fields = [(s, f) for s in _sources(known) for f in reader.fields(s) if not f.outer]
    for name in dict.fromkeys(_kind(s, f) for s, f in fields if _kind(s, f).endswith("_id")):
        pairs = [(s, f) for s, f in fields if _kind(s, f) == name]
        sizes = [
            len({reader.value(e, f, task) for s, f in pairs for e in reader.entries(s, task)}) for task in reader.tasks
        ]
        if sizes == list(wanted):
            union = " | ".join(f"{{{reader.text(s, f)} {reader.loop(s)}}}" for s, f in pairs)
            return Expression(texts=(f"len({union})",) * len(wanted))
    return None


def _kind(source: Source, field: Field) -> str:
    from prowess_appworld.demonstrator.atoms import called

    return called(field, source)


def _top(known: Known, wanted: Sequence[Json]) -> Expression | None:
    """The first few by a measure, of those that a condition picks, in one text."""
    if not all(isinstance(value, str) and ", " in value for value in wanted):
        return None
    reader = known.reader
    names = [n for n, v in known.values[0].items() if isinstance(v, int) and not isinstance(v, bool)]
    names = [n for n in names if all(known.values[t].get(n) == len(w.split(", ")) for t, w in enumerate(wanted))]
    for source in _sources(known):
        for one in reader.fields(source):
            columns = [{reader.value(e, one, t) for e in reader.entries(source, t)} for t in reader.tasks]
            if not all(set(w.split(", ")) <= column for w, column in zip(wanted, columns, strict=True)):
                continue
            for by in [f for f in reader.fields(source) if all(said(reader, f, task) for task in reader.tasks)]:

                def fits(task: int, atom: Atom, source: Source = source, one: Field = one, by: Field = by) -> bool:
                    entries = [e for at, e in enumerate(reader.entries(source, task)) if atom.holds >> at & 1]
                    measures = [reader.value(entry, by, task) for entry in entries]
                    if not all(isinstance(measure, int | float) for measure in measures):
                        return False
                    entries.sort(key=lambda entry: reader.value(entry, by, task), reverse=True)
                    titles = [str(reader.value(entry, one, task)) for entry in entries]
                    size = len(wanted[task].split(", "))
                    return bool(", ".join(titles[:size]) == wanted[task])

                if not names or not _numbers(known, source, by):
                    continue
                condition = known.search([source] * len(wanted), len(reader.scenario.stages)).telling(fits)
                if condition is None:
                    continue
                variable = reader.one(source)
                key = f"key=lambda {variable}: {reader.text(source, by)}, reverse=True"
                ranked = f"sorted([{variable} {LOOP}], {key})[:{names[0]}]"
                frame = f'", ".join({reader.text(source, one)} for {variable} in {ranked})'
                found = _filled(known, source, frame, condition)
                return Expression(texts=found.texts, names=found.names | {names[0]}, lines=found.lines)
    return None


def _longest(known: Known, wanted: Sequence[Json]) -> Expression | None:
    """The greatest or least sum over a list inside each entry, as it is or in minutes."""
    reader = known.reader
    if not all(isinstance(value, int | float) for value in wanted):
        return None
    stages = reader.scenario.stages
    joins = [n for n, stage in enumerate(stages) if stage.many and stage.reads]
    for source in [source for source in _sources(known) if source.inner]:
        for one in [field for field in reader.fields(source, joins=joins) if field.name in ("duration", "amount")]:
            words = []
            for task in reader.tasks:
                sums: dict[int, float] = {}
                for entry in reader.entries(source, task):
                    value = reader.value(entry, one, task)
                    sums[id(entry[0])] = sums.get(id(entry[0]), 0) + (value if isinstance(value, int | float) else 0)
                if not sums:
                    return None
                words.append(
                    next(
                        (w for w, f in (("max", max), ("min", min)) if round(f(sums.values()) / 60) == wanted[task]), ""
                    )
                )
            if all(words):
                around, inner = reader.one(source, outer=True), reader.loop(Source(stage=source.stage))
                inside = f"for {reader.one(source)} in {around}" + "".join(f'["{key}"]' for key in source.inner)
                total = f"sum({reader.text(source, one)} {inside})"
                lines = ((reader.indexed(one.via),),) * len(wanted) if one.via >= 0 else ()
                return Expression(texts=tuple(f"round({w}({total} {inner}) / 60)" for w in words), lines=lines)
    return None
