"""Which rows are meant, by their days: months, weekdays, spans, pauses, or the days of other rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

from prowess_desk.engine.family import Day, Month, Weekday

from prowess_practice.errands.calendars.sources import SOURCES, WIDTH, DatedSource
from prowess_practice.errands.transfers.parts import entering

Rows = Sequence[Mapping[str, Any]]
Picking = Callable[[Random, DatedSource, Rows], Mapping[str, Any] | None]
"""Values for the slots, out of the rows; None where there are none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayChoice:
    """Some of the rows, by time."""

    word: str
    says: str
    """A relative clause, CLAUSE standing for `that were sent`."""
    about: str
    """As a docstring says it: `of a month`."""
    test: str = ""
    """On ROW, with DAY, MOMENT and NAME."""
    before: str = ""
    """Lines before, once the rows are read."""
    code: str = ""
    """Lines that give `found` where no test does."""
    drop: tuple[str, str] | None = None
    """An edit that must matter, where it is not the test."""
    parts: tuple[str, ...] = ()
    """Tests that it is made of."""
    slots: Mapping[str, type] = field(default_factory=dict)
    pick: Picking = lambda rng, source, rows: {}
    apps: tuple[str, ...] = ()
    """Apps that are asked besides."""
    other: str = ""
    """The word of another source whose days are compared with."""
    lean: str = ""
    """How the rows lie to the days of the others: `same`, `next`, `after` or `before`."""
    days: str = ""
    """The source of a function that gives the days of the others."""
    fits: Callable[[DatedSource], bool] = lambda source: True

    def lines(self, source: DatedSource) -> str:
        """The lines that leave the rows meant in `found`."""
        if self.code:
            return source.put(self.before + self.code)
        row, test = source.row, source.put(self.test)
        line = f"    found = [{row} for {row} in {source.rows} if {test}]\n"
        if len(line) > WIDTH:
            line = f"    found = []\n    for {row} in {source.rows}:\n        if {test}:\n"
            line += f"            found.append({row})\n"
        return source.put(self.before) + line

    def matters(self, source: DatedSource) -> tuple[tuple[str, str], ...]:
        """Edits that leave the choice out, or a part of it."""
        if self.drop:
            return ((source.put(self.drop[0]), source.put(self.drop[1])),)
        if self.parts:
            return tuple((source.put(part), "True") for part in self.parts)
        return ((source.put(f"if {self.test}"), "if True"),)


def both(simple: DayChoice, tie: DayChoice) -> DayChoice:
    """Rows that two choices mean, of which the second says how they lie to others."""
    return DayChoice(
        word=f"{simple.word}_{tie.word}",
        says=f"{simple.says} and {tie.says.removeprefix('CLAUSE ')}",
        about=f"{simple.about} and {tie.about.removeprefix('DID ')}",
        test=f"{simple.test} and {tie.test}",
        before=simple.before + tie.before,
        parts=(simple.test, tie.test),
        slots=simple.slots,
        pick=simple.pick,
        apps=tie.apps,
        other=tie.other,
        lean=tie.lean,
        days=tie.days,
        fits=lambda source: simple.fits(source) and tie.fits(source),
    )


Values = Mapping[str, Any]


def days_of(source: DatedSource, rows: Rows) -> list[date]:
    """The days of rows, in order."""
    return sorted(date.fromisoformat(row[source.field][:10]) for row in rows)


def one_day(rng: Random, source: DatedSource, rows: Rows) -> date | None:
    found = days_of(source, rows)
    return rng.choice(found) if found else None


def month(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"month": Month(f"{day:%B %Y}")} if day else None


def weekday(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"weekday": Weekday(f"{day:%A}")} if day else None


def year(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"year": day.year} if day else None


def span(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    found = days_of(source, rows)
    if len(found) < 4:
        return None
    first = rng.randrange(1, len(found) - 2)
    last = rng.randrange(first + 1, min(len(found) - 1, first + 8))
    return {"first_day": Day(found[first]), "last_day": Day(found[last])} if found[first] < found[last] else None


def tail(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    """So many days that some rows lie within and some do not."""
    found = days_of(source, rows)
    if len(found) < 3:
        return None
    days = (found[-1] - found[-rng.randrange(2, min(len(found), 9))]).days
    return {"days": max(2, days + rng.randrange(0, 2))} if days > 0 else None


def window(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    found = days_of(source, rows)
    if len(found) < 3:
        return None
    last = rng.randrange(1, len(found))
    days = (found[last] - found[max(0, last - rng.randrange(1, 6))]).days
    return {"days": max(2, days + rng.randrange(0, 3)), "day": Day(found[last])} if days > 0 else None


def week(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"day": Day(day + timedelta(days=rng.randrange(0, 7) - day.weekday()))} if day else None


def ago(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    days = tail(rng, source, rows)
    return days and {"days": days["days"] + 1}


def named(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    names = [eval(source.name, {"ROW": row}) for row in rows]  # noqa: S307 - our own words, from the tables beside
    clear = [name for name in names if names.count(name) == 1 and '"' not in name]
    return {"pivot": rng.choice(clear)} if clear else None


def time(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    return {"time": f"{rng.randrange(9, 20):02d}:{rng.choice((0, 15, 30, 45)):02d}"}


def gap(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    found = days_of(source, rows)
    gaps = sorted((later - earlier).days for earlier, later in pairwise(found))
    fitting = [gap for gap in gaps[len(gaps) // 2 : -1] if gap > 1]
    return {"days": rng.choice(fitting)} if fitting else None


def clear(form: str) -> Picking:
    """Nothing to give, but there must be one month or weekday with more rows than any other."""

    def pick(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
        counts = Counter(f"{day:{form}}" for day in days_of(source, rows)).most_common(2)
        return {} if len(counts) > 1 and counts[0][1] > counts[1][1] else None

    return pick


def few(rng: Random, source: DatedSource, rows: Rows) -> Values | None:
    return {"count": rng.randint(2, min(6, len(rows) - 1))} if len(rows) > 3 else None


_TODAY = '    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])\n'
_ORDERED = "    ordered = sorted(ROWS, key=lambda ROW: KEY)\n"
_COUNTED = (
    "    counts: dict = {}\n"
    "    for ROW in ROWS:\n"
    "        FIELD = PART\n"
    "        counts[FIELD] = counts.get(FIELD, 0) + 1\n"
)


def _precise(source: DatedSource) -> bool:
    return source.precise


def _recent(source: DatedSource) -> bool:
    return "old" not in source.tags and not source.future


def _busiest(word: str, field: str, part: str, says: str, form: str) -> DayChoice:
    counted = _COUNTED.replace("FIELD", field).replace("PART", part)
    return DayChoice(
        word=f"in_busiest_{word}",
        says=says,
        about=f"DID {'in' if word == 'month' else 'on'} the busiest {word}",
        before=f"{counted}    busiest = max(counts, key=lambda one: counts[one])\n",
        test=f"{part} == busiest",
        pick=clear(form),
    )


def _end_of(word: str, part: str, says: str, *, last: bool) -> DayChoice:
    """The first or last row of each month or week; rows of the same moment are left to chance nowhere."""
    order = ", reverse=True" if last else ""
    place = "last" if last else "first"
    return DayChoice(
        word=f"{place}_of_{word}",
        says=f"that are the {place} of their {says} (going by BY)",
        about=f"that are the {place} of a {word}",
        code=(
            f"    by_{word}: dict = {{}}\n"
            f"    for ROW in sorted(ROWS, key=lambda ROW: KEY{order}):\n"
            f"        by_{word}.setdefault({part}, ROW)\n"
            f"    found = list(by_{word}.values())\n"
        ),
        drop=(f"found = list(by_{word}.values())", "found = ROWS"),
        fits=_precise,
    )


CHOICES = (
    DayChoice(
        word="in_month",
        says="CLAUSE in {month}",
        about="DID in a month",
        before='    prefix = datetime.strptime(month, "%B %Y").strftime("%Y-%m")\n',
        test="MOMENT.startswith(prefix)",
        slots={"month": Month},
        pick=month,
    ),
    DayChoice(
        word="between",
        says="CLAUSE between {first_day} and {last_day} (both days included)",
        about="DID between two days",
        test="first_day <= DAY <= last_day",
        slots={"first_day": Day, "last_day": Day},
        pick=span,
    ),
    DayChoice(
        word="on_weekday",
        says="CLAUSE on a {weekday}",
        about="DID on a day of the week",
        test='date.fromisoformat(DAY).strftime("%A") == weekday',
        slots={"weekday": Weekday},
        pick=weekday,
    ),
    _end_of("month", "MOMENT[:7]", "calendar month", last=False),
    DayChoice(
        word="shortly_before_latest",
        says="CLAUSE no more than {days} calendar days before the latest of them all (which counts, too)",
        about="DID in the last days before the latest",
        before=(
            "    latest = max(DAY for ROW in ROWS)\n"
            "    start = (date.fromisoformat(latest) - timedelta(days=days)).isoformat()\n"
        ),
        test="DAY >= start",
        slots={"days": int},
        pick=tail,
    ),
    DayChoice(
        word="before_day",
        says="CLAUSE in the {days} days before {day} (that day itself does not count)",
        about="DID in the days before a day",
        before="    start = (date.fromisoformat(day) - timedelta(days=days)).isoformat()\n",
        test="start <= DAY < day",
        slots={"days": int, "day": Day},
        pick=window,
    ),
    DayChoice(
        word="at_weekend",
        says="CLAUSE on a Saturday or a Sunday",
        about="DID on a weekend",
        test="date.fromisoformat(DAY).weekday() >= 5",
    ),
    DayChoice(
        word="before_named",
        says='CLAUSE earlier than the one whose CALLED is "{pivot}"',
        about="DID before a given one",
        before="    limit = next(MOMENT for ROW in ROWS if NAME == pivot)\n",
        test="MOMENT < limit",
        slots={"pivot": str},
        pick=named,
        fits=lambda source: not {"text", "voice", "transfer", "call"} & {*source.tags},
    ),
    DayChoice(
        word="lately",
        says="CLAUSE no more than {days} days before today",
        about="DID in the last days",
        before=_TODAY,
        test="(today - date.fromisoformat(DAY)).days <= days",
        slots={"days": int},
        pick=ago,
        fits=_recent,
    ),
    _end_of("month", "MOMENT[:7]", "calendar month", last=True),
    DayChoice(
        word="after_pause",
        says="CLAUSE more than {days} calendar days after the one just before (in order of time)",
        about="DID after a pause",
        before=_ORDERED,
        code=(
            "    found = []\n"
            "    for earlier, ROW in zip(ordered, ordered[1:]):\n"
            "        gap = date.fromisoformat(DAY) - date.fromisoformat(EARLIER)\n"
            "        if gap.days > days:\n"
            "            found.append(ROW)\n"
        ),
        drop=("if gap.days > days", "if True"),
        slots={"days": int},
        pick=gap,
        fits=_precise,
    ),
    DayChoice(
        word="in_week_of",
        says="CLAUSE in the same week (Monday to Sunday) as {day}",
        about="DID in the week of a day",
        before=("    given = date.fromisoformat(day)\n    monday = given - timedelta(days=given.weekday())\n"),
        test="0 <= (date.fromisoformat(DAY) - monday).days < 7",
        slots={"day": Day},
        pick=week,
        fits=lambda source: "old" not in source.tags,
    ),
    DayChoice(
        word="after_time",
        says='CLAUSE at a time of day after "{time}"',
        about="DID after a time of day",
        test="MOMENT[11:16] > time",
        slots={"time": str},
        pick=time,
        fits=_precise,
    ),
    _busiest(
        "month", "month", "MOMENT[:7]", "CLAUSE in the busiest calendar month (the one with the most of them)", "%Y-%m"
    ),
    DayChoice(
        word="days_before",
        says="CLAUSE more than {days} days before {day}",
        about="DID long before a day",
        test="(date.fromisoformat(day) - date.fromisoformat(DAY)).days > days",
        slots={"days": int, "day": Day},
        pick=window,
    ),
    DayChoice(
        word="latest_few",
        says="that are among the {count} latest (going by BY)",
        about="that are among the latest",
        code="    found = sorted(ROWS, key=lambda ROW: KEY, reverse=True)[:count]\n",
        drop=(", reverse=True)[:count]", ")[:count]"),
        slots={"count": int},
        pick=few,
        fits=_precise,
    ),
    DayChoice(
        word="in_month_of_named",
        says='CLAUSE in the same calendar month as the one whose CALLED is "{pivot}" (itself included)',
        about="DID in the month of a given one",
        before="    month = next(MOMENT[:7] for ROW in ROWS if NAME == pivot)\n",
        test="MOMENT.startswith(month)",
        slots={"pivot": str},
        pick=named,
        fits=lambda source: not {"text", "voice", "transfer", "call"} & {*source.tags},
    ),
    DayChoice(
        word="early_in_month",
        says="CLAUSE on one of the first {days} days of a month",
        about="DID on the first days of a month",
        test="int(MOMENT[8:10]) <= days",
        slots={"days": int},
        pick=lambda rng, source, rows: {"days": rng.randint(5, 15)},
    ),
    _end_of("week", "date.fromisoformat(DAY).isocalendar()[:2]", "week, Monday to Sunday", last=False),
    DayChoice(
        word="on_own_day",
        says="CLAUSE on a day that they share with none of the others",
        about="DID on a day of their own",
        before="    days = [DAY for ROW in ROWS]\n",
        test="days.count(DAY) == 1",
        fits=lambda source: not {"album", "playlist", "voice", "review", "transfer"} & {*source.tags},
    ),
    DayChoice(
        word="before_time",
        says='CLAUSE at a time of day before "{time}"',
        about="DID before a time of day",
        test="MOMENT[11:16] < time",
        slots={"time": str},
        pick=time,
        fits=_precise,
    ),
    _busiest(
        "weekday",
        "weekday",
        "date.fromisoformat(DAY).weekday()",
        "CLAUSE on the busiest day of the week (the one with the most of them)",
        "%A",
    ),
    DayChoice(
        word="in_year",
        says="CLAUSE in the year {year}",
        about="DID in a year",
        test="MOMENT.startswith(str(year))",
        slots={"year": int},
        pick=year,
        fits=lambda source: "old" in source.tags,
    ),
    DayChoice(
        word="on_working_day",
        says="CLAUSE on a working day (Monday to Friday)",
        about="DID on a working day",
        test="date.fromisoformat(DAY).weekday() < 5",
        fits=lambda source: not {"text"} & {*source.tags},
    ),
    DayChoice(
        word="after_named",
        says='CLAUSE later than the one whose CALLED is "{pivot}"',
        about="DID after a given one",
        before="    limit = next(MOMENT for ROW in ROWS if NAME == pivot)\n",
        test="MOMENT > limit",
        slots={"pivot": str},
        pick=named,
        fits=lambda source: not {"text", "voice", "transfer", "call"} & {*source.tags},
    ),
)

SIMPLE = tuple(
    one for one in CHOICES if one.test and one.slots and one.says.startswith("CLAUSE ") and "pivot" not in one.slots
)
"""Those that may be joined with another."""


OTHERS = tuple(one for one in SOURCES if one.when)
"""Those whose days are compared with."""


def days_set(other: DatedSource, name: str) -> str:
    """Lines that collect the days of rows under a name."""
    row = f"other_{other.row}"
    day, read = other.day.replace("ROW", row), other.reading.replace("TOKEN", f"access_token={other.app}_token")
    test = f" if {other.test.replace('ROW', row)}" if other.test else ""
    line = f"    {name} = {{{day} for {row} in {read}{test}}}\n"
    if len(line) <= WIDTH:
        return line
    rows = f"other_{other.rows}"
    return f"    {rows} = {read}\n    {name} = {{{day} for {row} in {rows}{test}}}\n"


def days_source(other: DatedSource) -> str:
    """The source of a function that gives the days of rows, in order."""
    return f"def days():\n{entering(other.app)}{days_set(other, 'days')}    return sorted(days)\n"


def tied(other: DatedSource) -> tuple[DayChoice, ...]:
    """The ways in which rows may lie in time to those of another source."""
    on, rows = other.when, other.word.replace("_", " ")
    common: dict[str, object] = {"apps": (other.app,), "other": other.word, "fits": partial(comparable, other)}
    there = days_set(other, "other_days")
    common["days"] = days_source(other)
    return (
        DayChoice(
            word=f"same_day_as_{other.word}",
            says=f"CLAUSE on a day {on}",
            about=f"DID on days of {rows}",
            before=there,
            lean="same",
            test="DAY in other_days",
            **common,  # type: ignore[arg-type]
        ),
        DayChoice(
            word=f"after_latest_of_{other.word}",
            says=f"CLAUSE after the last day {on} (that day itself does not count)",
            about=f"DID after the latest of the {rows}",
            before=f"{there}    last_other = max(other_days)\n",
            lean="after",
            test="DAY > last_other",
            **common,  # type: ignore[arg-type]
        ),
        DayChoice(
            word=f"not_same_day_as_{other.word}",
            says=f"CLAUSE on any other day than those {on}",
            about=f"DID on days without {rows}",
            before=there,
            lean="same",
            test="DAY not in other_days",
            **common,  # type: ignore[arg-type]
        ),
        DayChoice(
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
        DayChoice(
            word=f"before_first_of_{other.word}",
            says=f"CLAUSE before the first day {on} (that day itself does not count)",
            about=f"DID before the first of the {rows}",
            before=f"{there}    first_other = min(other_days)\n",
            lean="before",
            test="DAY < first_other",
            **{**common, "fits": partial(comparable, other, new=False)},  # type: ignore[arg-type]
        ),
    )


def comparable(other: DatedSource, source: DatedSource, *, new: bool = True) -> bool:
    """Whether rows of a source may have to do with days of the other, and are not the same rows."""
    same = {"expense", "note", "file"} & {*other.tags} & {*source.tags}
    return not same and "old" not in source.tags and (new or not {"task", "heard", "within"} & {*source.tags})


def _all() -> Iterator[DayChoice]:
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
