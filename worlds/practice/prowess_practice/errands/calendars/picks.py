"""Values for choices by time, out of the rows there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from itertools import pairwise
from random import Random
from typing import Any

from prowess_desk.engine.family import Day, Month, Weekday

from prowess_practice.errands.calendars.choice import Picking, Rows
from prowess_practice.errands.calendars.source import Source

Values = Mapping[str, Any]


def days_of(source: Source, rows: Rows) -> list[date]:
    """The days of rows, in order."""
    return sorted(date.fromisoformat(row[source.field][:10]) for row in rows)


def one_day(rng: Random, source: Source, rows: Rows) -> date | None:
    found = days_of(source, rows)
    return rng.choice(found) if found else None


def month(rng: Random, source: Source, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"month": Month(f"{day:%B %Y}")} if day else None


def weekday(rng: Random, source: Source, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"weekday": Weekday(f"{day:%A}")} if day else None


def year(rng: Random, source: Source, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"year": day.year} if day else None


def span(rng: Random, source: Source, rows: Rows) -> Values | None:
    found = days_of(source, rows)
    if len(found) < 4:
        return None
    first = rng.randrange(1, len(found) - 2)
    last = rng.randrange(first + 1, min(len(found) - 1, first + 8))
    return {"first_day": Day(found[first]), "last_day": Day(found[last])} if found[first] < found[last] else None


def tail(rng: Random, source: Source, rows: Rows) -> Values | None:
    """So many days that some rows lie within and some do not."""
    found = days_of(source, rows)
    if len(found) < 3:
        return None
    days = (found[-1] - found[-rng.randrange(2, min(len(found), 9))]).days
    return {"days": max(2, days + rng.randrange(0, 2))} if days > 0 else None


def window(rng: Random, source: Source, rows: Rows) -> Values | None:
    found = days_of(source, rows)
    if len(found) < 3:
        return None
    last = rng.randrange(1, len(found))
    days = (found[last] - found[max(0, last - rng.randrange(1, 6))]).days
    return {"days": max(2, days + rng.randrange(0, 3)), "day": Day(found[last])} if days > 0 else None


def week(rng: Random, source: Source, rows: Rows) -> Values | None:
    day = one_day(rng, source, rows)
    return {"day": Day(day + timedelta(days=rng.randrange(0, 7) - day.weekday()))} if day else None


def ago(rng: Random, source: Source, rows: Rows) -> Values | None:
    days = tail(rng, source, rows)
    return days and {"days": days["days"] + 1}


def named(rng: Random, source: Source, rows: Rows) -> Values | None:
    names = [eval(source.name, {"ROW": row}) for row in rows]  # noqa: S307 - our own words, from the tables beside
    clear = [name for name in names if names.count(name) == 1 and '"' not in name]
    return {"pivot": rng.choice(clear)} if clear else None


def time(rng: Random, source: Source, rows: Rows) -> Values | None:
    return {"time": f"{rng.randrange(9, 20):02d}:{rng.choice((0, 15, 30, 45)):02d}"}


def gap(rng: Random, source: Source, rows: Rows) -> Values | None:
    found = days_of(source, rows)
    gaps = sorted((later - earlier).days for earlier, later in pairwise(found))
    fitting = [gap for gap in gaps[len(gaps) // 2 : -1] if gap > 1]
    return {"days": rng.choice(fitting)} if fitting else None


def clear(form: str) -> Picking:
    """Nothing to give, but there must be one month or weekday with more rows than any other."""

    def pick(rng: Random, source: Source, rows: Rows) -> Values | None:
        counts = Counter(f"{day:{form}}" for day in days_of(source, rows)).most_common(2)
        return {} if len(counts) > 1 and counts[0][1] > counts[1][1] else None

    return pick


def few(rng: Random, source: Source, rows: Rows) -> Values | None:
    return {"count": rng.randint(2, min(6, len(rows) - 1))} if len(rows) > 3 else None
