"""Rows chosen by the days of other rows: on the same day, after the latest, shortly after one of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from prowess_practice.errands.calendars.choice import Choice, both
from prowess_practice.errands.calendars.choices import SIMPLE
from prowess_practice.errands.calendars.source import WIDTH, Source
from prowess_practice.errands.calendars.sources import SOURCES
from prowess_practice.errands.transfers.parts import entering

OTHERS = tuple(one for one in SOURCES if one.when)
"""Those whose days are compared with."""


def days_set(other: Source, name: str) -> str:
    """Lines that collect the days of rows under a name."""
    row = f"other_{other.row}"
    day, read = other.day.replace("ROW", row), other.reading.replace("TOKEN", f"access_token={other.app}_token")
    test = f" if {other.test.replace('ROW', row)}" if other.test else ""
    line = f"    {name} = {{{day} for {row} in {read}{test}}}\n"
    if len(line) <= WIDTH:
        return line
    rows = f"other_{other.rows}"
    return f"    {rows} = {read}\n    {name} = {{{day} for {row} in {rows}{test}}}\n"


def days_source(other: Source) -> str:
    """The source of a function that gives the days of rows, in order."""
    return f"def days():\n{entering(other.app)}{days_set(other, 'days')}    return sorted(days)\n"


def tied(other: Source) -> tuple[Choice, ...]:
    """The ways in which rows may lie in time to those of another source."""
    on, rows = other.when, other.word.replace("_", " ")
    common: dict[str, object] = {"apps": (other.app,), "other": other.word, "fits": partial(comparable, other)}
    there = days_set(other, "other_days")
    common["days"] = days_source(other)
    return (
        Choice(
            word=f"same_day_as_{other.word}",
            says=f"CLAUSE on a day {on}",
            about=f"DID on days of {rows}",
            before=there,
            lean="same",
            test="DAY in other_days",
            **common,  # type: ignore[arg-type]
        ),
        Choice(
            word=f"after_latest_of_{other.word}",
            says=f"CLAUSE after the last day {on} (that day itself does not count)",
            about=f"DID after the latest of the {rows}",
            before=f"{there}    last_other = max(other_days)\n",
            lean="after",
            test="DAY > last_other",
            **common,  # type: ignore[arg-type]
        ),
        Choice(
            word=f"not_same_day_as_{other.word}",
            says=f"CLAUSE on any other day than those {on}",
            about=f"DID on days without {rows}",
            before=there,
            lean="same",
            test="DAY not in other_days",
            **common,  # type: ignore[arg-type]
        ),
        Choice(
            word=f"day_after_{other.word}",
            says=f"CLAUSE on the day right after one {on}",
            about=f"DID right after days of {rows}",
            before=(
                f"{there}"
                "    next_days = {(date.fromisoformat(one) + timedelta(days=1)).isoformat() for one in other_days}\n"
            ),
            lean="next",
            test="DAY in next_days",
            **common,  # type: ignore[arg-type]
        ),
        Choice(
            word=f"before_first_of_{other.word}",
            says=f"CLAUSE before the first day {on} (that day itself does not count)",
            about=f"DID before the first of the {rows}",
            before=f"{there}    first_other = min(other_days)\n",
            lean="before",
            test="DAY < first_other",
            **{**common, "fits": partial(comparable, other, new=False)},  # type: ignore[arg-type]
        ),
    )


def comparable(other: Source, source: Source, *, new: bool = True) -> bool:
    """Whether rows of a source may have to do with days of the other, and are not the same rows."""
    same = {"expense", "note", "file"} & {*other.tags} & {*source.tags}
    return not same and "old" not in source.tags and (new or not {"task", "heard", "within"} & {*source.tags})


def _all() -> Iterator[Choice]:
    """In turn: one way with each of the others, then the next."""
    ways = [tied(one) for one in OTHERS]
    for n in range(len(ways[0])):
        for place, each in enumerate(ways):
            tie = each[(n + place) % len(each)]
            if tie.word != "after_latest_of_due_tasks":
                yield tie


TIES = tuple(_all())
JOINED = tuple(both(SIMPLE[n % len(SIMPLE)], tie) for n, tie in enumerate(TIES))
"""Ties that only some of the days are about."""
