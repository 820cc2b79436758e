"""Values that the instruction or the date tells, and those that nothing explains."""

from __future__ import annotations

import calendar
import re
from collections.abc import Sequence

from prowess.types import Json
from prowess_appworld.demonstrator.atoms import DATES
from prowess_appworld.demonstrator.expressions import Expression
from prowess_appworld.demonstrator.known import Known
from prowess_appworld.demonstrator.stages import same
from prowess_appworld.demonstrator.templates import case_of, template
from prowess_appworld.demonstrator.wording import literal


def named(known: Known, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
    """A value that the instruction or the date gives."""
    tasks = [task for task in known.reader.tasks if present[task]]
    for name in known.values[tasks[0]]:
        if all(name in known.values[task] and same(known.values[task][name], wanted[task]) for task in tasks):
            return Expression(texts=(name,) * len(wanted), names=frozenset({name}))
    return None


def listed_names(known: Known, wanted: Sequence[Sequence[Json]], present: Sequence[bool]) -> Expression | None:
    """Several values of the instruction."""
    tasks = [task for task in known.reader.tasks if present[task]]
    size = len(wanted[tasks[0]])
    if size > 4 or any(len(wanted[task]) != size for task in tasks):
        return None
    parts = [named(known, [w[n] if present[t] else None for t, w in enumerate(wanted)], present) for n in range(size)]
    if any(part is None for part in parts):
        return None
    names = [part.texts[0] for part in parts if part]
    return Expression(texts=(f"[{', '.join(names)}]",) * len(wanted), names=frozenset(names))


def own(known: Known, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
    """The supervisor's own address."""
    siblings = known.reader.scenario.siblings
    if all(value == sibling.email for value, sibling, here in zip(wanted, siblings, present, strict=True) if here):
        return Expression(texts=('apis.supervisor.show_profile()["email"]',) * len(wanted))
    return None


def composed(known: Known, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
    """A text put together from values of the instruction and text that is always the same."""
    if not all(isinstance(value, str) for value, here in zip(wanted, present, strict=True) if here):
        return None
    cases = [
        case_of(wanted[task], known.values[task], known.reader, None, None, task)
        for task in known.reader.tasks
        if present[task]
    ]
    found = template(cases) if len({case.wanted for case in cases}) > 1 else None
    return Expression(texts=(found.text,) * len(wanted), names=found.names) if found else None


def implied(known: Known, wanted: Sequence[Json], present: Sequence[bool]) -> Expression | None:
    """A value that a word of the instruction stands for: always the same for the same word."""
    tasks = [task for task in known.reader.tasks if present[task]]
    siblings = known.reader.scenario.siblings
    for name in siblings[tasks[0]].values:
        words = [repr(siblings[task].values.get(name)) for task in tasks]
        meant = {word: repr(wanted[task]) for word, task in zip(words, tasks, strict=True)}
        if 1 < len(meant) == len(set(meant.values())) < len(tasks) and all(
            meant[word] == repr(wanted[task]) for word, task in zip(words, tasks, strict=True)
        ):
            return Expression(texts=tuple(literal(value) for value in wanted), literal=True, from_text=True)
    starts = ("this_year", "this_month", *DATES)
    if all(_starts(known, task, wanted[task], starts) or wanted[task] is None for task in tasks):
        return Expression(texts=tuple(literal(value) for value in wanted), literal=True, from_text=True)
    return None


def _starts(known: Known, task: int, value: Json, names: Sequence[str]) -> bool:
    """True for the first day of this year, of this month, or of a month that the instruction names."""
    now = known.reader.scenario.siblings[task].now
    said = known.reader.scenario.siblings[task].instruction.lower()
    months = [f"{now.year}-{n:02}-01" for n in range(1, 13) if calendar.month_abbr[n].lower() in said]
    return value in [f"{now.year}-01-01", f"{now:%Y-%m}-01", *months, *(known.values[task].get(n) for n in names)]


def spelled_out(known: Known, wanted: Sequence[Json]) -> Expression:
    """The values themselves: told by the instruction, or else taken from what was printed."""
    texts = tuple(literal(value) for value in wanted)
    told = all(value is None or _in_text(known, task, value) for task, value in enumerate(wanted))
    return Expression(texts=texts, literal=True, from_text=told)


def _in_text(known: Known, task: int, value: Json) -> bool:
    said = known.reader.scenario.siblings[task].instruction.lower()
    if isinstance(value, list):
        return bool(value) and all(_in_text(known, task, one) for one in value)
    if isinstance(value, bool):
        return True
    if isinstance(value, str) and value[:10] in [known.values[task].get(name) for name in DATES]:
        return True
    words = re.findall(r"\w+", str(value).lower())
    return bool(words) and all(word in said for word in words)
