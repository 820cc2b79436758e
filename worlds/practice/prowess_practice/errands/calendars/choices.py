"""Months, weekdays, spans, the first of each month, the days after a pause: all the ways to choose by time."""

from __future__ import annotations

from prowess_desk.engine.family import Day, Month, Weekday

from prowess_practice.errands.calendars import picks
from prowess_practice.errands.calendars.choice import Choice
from prowess_practice.errands.calendars.source import Source

_TODAY = '    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])\n'
_ORDERED = "    ordered = sorted(ROWS, key=lambda ROW: KEY)\n"
_COUNTED = (
    "    counts: dict = {}\n"
    "    for ROW in ROWS:\n"
    "        FIELD = PART\n"
    "        counts[FIELD] = counts.get(FIELD, 0) + 1\n"
)


def _precise(source: Source) -> bool:
    return source.precise


def _recent(source: Source) -> bool:
    return "old" not in source.tags and not source.future


def _busiest(word: str, field: str, part: str, says: str, form: str) -> Choice:
    counted = _COUNTED.replace("FIELD", field).replace("PART", part)
    return Choice(
        word=f"in_busiest_{word}",
        says=says,
        about=f"DID {'in' if word == 'month' else 'on'} the busiest {word}",
        before=f"{counted}    busiest = max(counts, key=lambda one: counts[one])\n",
        test=f"{part} == busiest",
        pick=picks.clear(form),
    )


def _end_of(word: str, part: str, says: str, *, last: bool) -> Choice:
    """The first or last row of each month or week; rows of the same moment are left to chance nowhere."""
    order = ", reverse=True" if last else ""
    place = "last" if last else "first"
    return Choice(
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
    Choice(
        word="in_month",
        says="CLAUSE in {month}",
        about="DID in a month",
        before='    prefix = datetime.strptime(month, "%B %Y").strftime("%Y-%m")\n',
        test="MOMENT.startswith(prefix)",
        slots={"month": Month},
        pick=picks.month,
    ),
    Choice(
        word="between",
        says="CLAUSE between {first_day} and {last_day} (both days included)",
        about="DID between two days",
        test="first_day <= DAY <= last_day",
        slots={"first_day": Day, "last_day": Day},
        pick=picks.span,
    ),
    Choice(
        word="on_weekday",
        says="CLAUSE on a {weekday}",
        about="DID on a day of the week",
        test='date.fromisoformat(DAY).strftime("%A") == weekday',
        slots={"weekday": Weekday},
        pick=picks.weekday,
    ),
    _end_of("month", "MOMENT[:7]", "calendar month", last=False),
    Choice(
        word="shortly_before_latest",
        says="CLAUSE no more than {days} calendar days before the latest of them all (which counts, too)",
        about="DID in the last days before the latest",
        before=(
            "    latest = max(DAY for ROW in ROWS)\n"
            "    start = (date.fromisoformat(latest) - timedelta(days=days)).isoformat()\n"
        ),
        test="DAY >= start",
        slots={"days": int},
        pick=picks.tail,
    ),
    Choice(
        word="before_day",
        says="CLAUSE in the {days} days before {day} (that day itself does not count)",
        about="DID in the days before a day",
        before="    start = (date.fromisoformat(day) - timedelta(days=days)).isoformat()\n",
        test="start <= DAY < day",
        slots={"days": int, "day": Day},
        pick=picks.window,
    ),
    Choice(
        word="at_weekend",
        says="CLAUSE on a Saturday or a Sunday",
        about="DID on a weekend",
        test="date.fromisoformat(DAY).weekday() >= 5",
    ),
    Choice(
        word="before_named",
        says='CLAUSE earlier than the one whose CALLED is "{pivot}"',
        about="DID before a given one",
        before="    limit = next(MOMENT for ROW in ROWS if NAME == pivot)\n",
        test="MOMENT < limit",
        slots={"pivot": str},
        pick=picks.named,
        fits=lambda source: not {"text", "voice", "transfer", "call"} & {*source.tags},
    ),
    Choice(
        word="lately",
        says="CLAUSE no more than {days} days before today",
        about="DID in the last days",
        before=_TODAY,
        test="(today - date.fromisoformat(DAY)).days <= days",
        slots={"days": int},
        pick=picks.ago,
        fits=_recent,
    ),
    _end_of("month", "MOMENT[:7]", "calendar month", last=True),
    Choice(
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
        pick=picks.gap,
        fits=_precise,
    ),
    Choice(
        word="in_week_of",
        says="CLAUSE in the same week (Monday to Sunday) as {day}",
        about="DID in the week of a day",
        before=("    given = date.fromisoformat(day)\n    monday = given - timedelta(days=given.weekday())\n"),
        test="0 <= (date.fromisoformat(DAY) - monday).days < 7",
        slots={"day": Day},
        pick=picks.week,
        fits=lambda source: "old" not in source.tags,
    ),
    Choice(
        word="after_time",
        says='CLAUSE at a time of day after "{time}"',
        about="DID after a time of day",
        test="MOMENT[11:16] > time",
        slots={"time": str},
        pick=picks.time,
        fits=_precise,
    ),
    _busiest(
        "month", "month", "MOMENT[:7]", "CLAUSE in the busiest calendar month (the one with the most of them)", "%Y-%m"
    ),
    Choice(
        word="days_before",
        says="CLAUSE more than {days} days before {day}",
        about="DID long before a day",
        test="(date.fromisoformat(day) - date.fromisoformat(DAY)).days > days",
        slots={"days": int, "day": Day},
        pick=picks.window,
    ),
    Choice(
        word="latest_few",
        says="that are among the {count} latest (going by BY)",
        about="that are among the latest",
        code="    found = sorted(ROWS, key=lambda ROW: KEY, reverse=True)[:count]\n",
        drop=(", reverse=True)[:count]", ")[:count]"),
        slots={"count": int},
        pick=picks.few,
        fits=_precise,
    ),
    Choice(
        word="in_month_of_named",
        says='CLAUSE in the same calendar month as the one whose CALLED is "{pivot}" (itself included)',
        about="DID in the month of a given one",
        before="    month = next(MOMENT[:7] for ROW in ROWS if NAME == pivot)\n",
        test="MOMENT.startswith(month)",
        slots={"pivot": str},
        pick=picks.named,
        fits=lambda source: not {"text", "voice", "transfer", "call"} & {*source.tags},
    ),
    Choice(
        word="early_in_month",
        says="CLAUSE on one of the first {days} days of a month",
        about="DID on the first days of a month",
        test="int(MOMENT[8:10]) <= days",
        slots={"days": int},
        pick=lambda rng, source, rows: {"days": rng.randint(5, 15)},
    ),
    _end_of("week", "date.fromisoformat(DAY).isocalendar()[:2]", "week, Monday to Sunday", last=False),
    Choice(
        word="on_own_day",
        says="CLAUSE on a day that they share with none of the others",
        about="DID on a day of their own",
        before="    days = [DAY for ROW in ROWS]\n",
        test="days.count(DAY) == 1",
        fits=lambda source: not {"album", "playlist", "voice", "review", "transfer"} & {*source.tags},
    ),
    Choice(
        word="before_time",
        says='CLAUSE at a time of day before "{time}"',
        about="DID before a time of day",
        test="MOMENT[11:16] < time",
        slots={"time": str},
        pick=picks.time,
        fits=_precise,
    ),
    _busiest(
        "weekday",
        "weekday",
        "date.fromisoformat(DAY).weekday()",
        "CLAUSE on the busiest day of the week (the one with the most of them)",
        "%A",
    ),
    Choice(
        word="in_year",
        says="CLAUSE in the year {year}",
        about="DID in a year",
        test="MOMENT.startswith(str(year))",
        slots={"year": int},
        pick=picks.year,
        fits=lambda source: "old" in source.tags,
    ),
    Choice(
        word="on_working_day",
        says="CLAUSE on a working day (Monday to Friday)",
        about="DID on a working day",
        test="date.fromisoformat(DAY).weekday() < 5",
        fits=lambda source: not {"text"} & {*source.tags},
    ),
    Choice(
        word="after_named",
        says='CLAUSE later than the one whose CALLED is "{pivot}"',
        about="DID after a given one",
        before="    limit = next(MOMENT for ROW in ROWS if NAME == pivot)\n",
        test="MOMENT > limit",
        slots={"pivot": str},
        pick=picks.named,
        fits=lambda source: not {"text", "voice", "transfer", "call"} & {*source.tags},
    ),
)

SIMPLE = tuple(
    one for one in CHOICES if one.test and one.slots and one.says.startswith("CLAUSE ") and "pivot" not in one.slots
)
"""Those that may be joined with another."""
