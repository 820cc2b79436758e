"""The greatest, the least, the most frequent: which entry a superlative of the instruction means."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from prowess.types import Json
from prowess_appworld.demonstrator.sources import Field, Reader, Source

_SYNONYMS = {"play": ("play", "listen"), "created": ("last", "latest", "recent", "first"), "rating": ("rate", "rating")}
"""What instructions say for the first word of a field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Superlative:
    """Python for a value of the entry that is the greatest or least by another of its fields."""

    texts: tuple[str, ...]
    lines: tuple[str, ...] = ()


def extreme(
    reader: Reader, source: Source, one: Field, wanted: Sequence[Json], before: int, present: Sequence[bool]
) -> Superlative | None:
    """The entry by whose greatest or least field the wanted values are found, task by task."""
    joins = [n for n, stage in enumerate(reader.scenario.stages[:before]) if stage.many and stage.reads]
    fields = [field for field in reader.fields(source, joins=joins) if not field.outer and not one.outer]
    measures = [field for field in fields if field.name and not field.name.endswith("id")]
    options: list[list[tuple[Field, str]]] = []
    for task in reader.tasks:
        found = []
        for field in measures if present[task] else ():
            for word in ("max", "min"):
                if _is_extreme(reader, source, one, field, word, wanted[task], task) and said(reader, field, task):
                    found.append((field, word))
        options.append(found)
    if not all(options[task] for task in reader.tasks if present[task]):
        return None
    shared = [f for f, _ in next(o for o in options if o) if all(f in [x for x, _ in o] for o in options if o)]
    picked = [next((p for p in o if p[0] in shared), o[0]) if o else None for o in options]
    texts = tuple(_said_extreme(reader, source, one, *pair) if pair else "" for pair in picked)
    lines = tuple(dict.fromkeys(reader.indexed(pair[0].via) for pair in picked if pair and pair[0].via >= 0))
    return Superlative(texts=texts, lines=lines)


def most_frequent(
    reader: Reader, source: Source, one: Field, wanted: Sequence[Json], present: Sequence[bool]
) -> tuple[str, ...] | None:
    """The value that occurs most or least often, where the instruction asks for such a thing."""
    if not all(re.search(r"\b(most|least|often)\b", sibling.instruction) for sibling in reader.scenario.siblings):
        return None
    words: list[str] = []
    for task in reader.tasks:
        counts = Counter(reader.value(entry, one, task) for entry in reader.entries(source, task))
        ranked = counts.most_common()
        if not present[task] or len(ranked) < 2:
            words.append("")
        elif ranked[0][0] == wanted[task] and ranked[0][1] > ranked[1][1]:
            words.append("max")
        elif ranked[-1][0] == wanted[task] and ranked[-1][1] < ranked[-2][1]:
            words.append("min")
        else:
            return None
    if not any(words):
        return None
    counted = f"Counter({reader.text(source, one)} {reader.loop(source)})"
    return tuple(f"{word or 'max'}({counted}.items(), key=lambda pair: pair[1])[0]" for word in words)


def said(reader: Reader, field: Field, task: int) -> bool:
    """True when the instruction speaks of what a field measures."""
    text = reader.scenario.siblings[task].instruction.lower()
    first = field.name.split("_")[0]
    stems = _SYNONYMS.get(first, (re.sub(r"(e|ed)$", "", first),))
    return any(stem in text for stem in stems)


def _is_extreme(reader: Reader, source: Source, one: Field, field: Field, word: str, wanted: Json, task: int) -> bool:
    entries = reader.entries(source, task)
    column = [reader.value(entry, field, task) for entry in entries]
    if len(entries) < 2 or not all(isinstance(v, int | float | str) and not isinstance(v, bool) for v in column):
        return False
    if len({isinstance(value, str) for value in column}) > 1:
        return False
    best = max(column) if word == "max" else min(column)
    # The first entry is what Python's max and min give; another value with the same measure would be a coin toss.
    values = {reader.value(entry, one, task) for entry, value in zip(entries, column, strict=True) if value == best}
    return values == {wanted}


def _said_extreme(reader: Reader, source: Source, one: Field, field: Field, word: str) -> str:
    variable = reader.one(source)
    key = f"key=lambda {variable}: {reader.text(source, field)}"
    many = reader.plural(source.stage) if not source.inner else f"[{variable} {reader.loop(source)}]"
    steps = "".join(f'["{name}"]' for name in one.keys)
    return f"{word}({many}, {key}){steps}"
