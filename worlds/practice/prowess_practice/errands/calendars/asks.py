"""Questions about rows that are chosen by time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from prowess_practice.errands.calendars.choices import OTHERS, DayChoice, comparable, days_set, days_source
from prowess_practice.errands.calendars.plan import LINES, about, drawing, slots_of, tidy
from prowess_practice.errands.calendars.sources import WIDTH, DatedSource
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import Slot, entering, one_of, program


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked about the rows found."""

    word: str
    wordings: tuple[str, ...]
    """With ALL for the rows, MANY and THOSE for them in two steps."""
    about: str
    code: str
    """Lines after `found`, the last of which returns the answer."""
    gives: str = "int"
    drops: tuple[tuple[str, str], ...] = ()
    slots: tuple[Slot, ...] = ()
    needs: tuple[str, ...] = ()
    precise: bool = False
    apps: tuple[str, ...] = ()
    other: DatedSource | None = None
    """Another source that it reads, too."""
    bars: tuple[str, ...] = ()
    """Parts of the words of choices that leave nothing to ask."""
    crowded: bool = False
    """Whether rows must share their days now and then."""
    least: str = ""
    """A test of the variables without which the answer would not be clear."""


def asked(source: DatedSource, choice: DayChoice, ask: Ask) -> Errand | None:
    """The errand, or None where its parts do not go together."""
    slots = slots_of(source, choice, ask.slots)
    if not slots or not choice.fits(source) or source.word == choice.other:
        return None
    if ask.other and (ask.other.word == source.word or not comparable(ask.other, source, new=False)):
        return None
    if ask.crowded and (source.few or "note" in source.tags):
        return None
    if any(bar in choice.word for bar in ask.bars):
        return None
    if not {*ask.needs} <= {*source.tags} or (ask.precise and not source.precise):
        return None
    name = f"{ask.word}_{source.word}_{choice.word}"
    apps = tuple(dict.fromkeys((source.app, *choice.apps, *ask.apps)))
    lines = f"{source.lines}{choice.lines(source)}{source.put(ask.code)}"
    code = program(name, slots, ask.gives, about(source, choice, ask.about, ""), "".join(map(entering, apps)) + lines)
    matters = (*choice.matters(source), *((source.put(old), source.put(new)) for old, new in ask.drops))
    if len(code.splitlines()) > LINES or any(len(line) > WIDTH for line in code.splitlines()):
        return None
    if any(code.count(old) != 1 for old, _ in matters):
        return None
    meeting = replace(choice, lean="same", days=days_source(ask.other)) if ask.other else choice
    clause = source.say(choice.says)
    texts = []
    for wording in ask.wordings:
        text = re.sub(r"\bALL\b", lambda _: f"the {source.many} {clause}", wording)
        text = text.replace("THOSE", f"those {clause}")
        texts.append(tidy(source.say(text)))
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=code,
        wordings=tuple(texts),
        values=drawing(source, meeting, ask.slots, code, (), clear=source.put(ask.least)),
        matters=matters,
        asks=True,
    )


def questions(
    asks: tuple[Ask, ...], sources: tuple[DatedSource, ...], choices: tuple[DayChoice, ...], *, each: int
) -> Iterator[Errand]:
    """Every question about some of the sources; choices take turns."""
    turn = 0
    for n, ask in enumerate(asks):
        made = 0
        for step in range(len(sources)):
            source = sources[(5 * n + step) % len(sources)]
            if made == each:
                break
            turn += 1
            for more in range(len(choices)):
                errand = asked(source, choices[(turn + more) % len(choices)], ask)
                if errand:
                    turn += more
                    made += 1
                    yield errand
                    break


_SORTED = "    found.sort(key=lambda ROW: KEY)\n"
_DATES = "    days_found = sorted(date.fromisoformat(DAY) for ROW in found)\n"
_TOP = "len({*sorted(tally.values())[-2:]}) == 2"
"""One of them has more than any other."""
_LATE = ("lately", "latest", "after_named", "pause", "last_of")


def _tally(field: str, part: str, best: str) -> str:
    return (
        "    tally: dict = {}\n"
        "    for ROW in found:\n"
        f"        {field} = {part}\n"
        f"        tally[{field}] = tally.get({field}, 0) + 1\n"
        f"    return {best}(tally, key=lambda one: tally[one])\n"
    )


ASKS = (
    Ask(
        word="top_weekday_of",
        bars=("weekday", "weekend", "week", "month", "own_day", "working"),
        about="give the day of the week with the most of ALL",
        code=_tally("weekday_name", 'date.fromisoformat(DAY).strftime("%A")', "max"),
        gives="str",
        least=_TOP,
        wordings=(
            "Which day of the week has the most of ALL? Answer with its name, such as Monday.",
            "Look at the MANY and count THOSE by the weekday of ITSDAY. Which weekday comes up most often (as in"
            " Monday)?",
            "Concerning ALL: on which weekday, such as Monday, do most of them fall?",
        ),
        drops=(("max(tally, key", "min(tally, key"),),
    ),
    Ask(
        word="days_from_first_to_last_of",
        about="give the number of days from the first to the last of ALL",
        code=_DATES + "    return (days_found[-1] - days_found[0]).days\n",
        wordings=(
            "How many days lie between the earliest and the latest of ALL? Subtract the one date from the other.",
            "Go through the MANY and take THOSE. How many calendar days after the first of them does the last one"
            " come?",
            "I want to know how long a time ALL span: the number of days from the first date to the last,"
            " the one subtracted from the other.",
        ),
        drops=(("days_found[0]", "days_found[1]"),),
    ),
    Ask(
        word="name_latest_of",
        bars=_LATE,
        about="name the latest of ALL",
        code="    last_one = max(found, key=lambda ROW: KEY)\n    return LASTNAME\n",
        gives="str",
        precise=True,
        wordings=(
            "What is the CALLED of the latest of ALL?",
            "Look at the MANY. Of THOSE, which is the latest? I need the CALLED.",
            "Find ALL, take the one that is the latest in time, and tell me the CALLED.",
        ),
        drops=(("max(found, key", "min(found, key"),),
    ),
    Ask(
        word="longest_pause_of",
        bars=("pause",),
        about="give the longest pause in days between ALL",
        code=_DATES
        + "    pauses = [(later - earlier).days for earlier, later in zip(days_found, days_found[1:])]\n"
        + "    return max(pauses)\n",
        wordings=(
            "What is the longest pause, in calendar days, between one and the next of ALL?",
            "Go through the MANY, put THOSE in order of time, and count the calendar days from each one to the next."
            " What is the greatest number?",
            "Concerning ALL, in order of time: how many calendar days apart are the two neighbours with the"
            " longest time between them?",
        ),
        drops=(("max(pauses)", "min(pauses)"),),
    ),
    Ask(
        word="count_days_of",
        bars=("own_day", "named", "first_of", "last_of"),
        crowded=True,
        about="count the different days of ALL",
        code="    return len({DAY for ROW in found})\n",
        wordings=(
            "On how many different days do ALL fall?",
            "Look at the MANY and count the different days of THOSE. What is the number?",
            "Several of ALL may share a day, and then that day counts once. How many days are there?",
        ),
        drops=(("len({DAY for ROW in found})", "len(found)"),),
    ),
    Ask(
        word="name_earliest_of",
        bars=("before", "own_day", "last_of"),
        about="name the earliest of ALL",
        code="    first_one = min(found, key=lambda ROW: KEY)\n    return FIRSTNAME\n",
        gives="str",
        precise=True,
        wordings=(
            "Which of ALL is the earliest? Answer with the CALLED.",
            "Among the MANY, look for THOSE. What is the CALLED of the one that comes first in time?",
            "I am interested in ALL, and of these only in the very first. Give me the CALLED.",
        ),
        drops=(("min(found, key", "max(found, key"),),
    ),
    Ask(
        word="top_month_of",
        bars=("month", "week", "lately", "latest", "before_day", "named"),
        about="give the calendar month with the most of ALL",
        code=_tally("period", "MOMENT[:7]", "max"),
        gives="str",
        least=_TOP,
        wordings=(
            "Which calendar month has the most of ALL? Answer as in 2025-03.",
            "Among the MANY, count THOSE by calendar month, and tell me the month with the greatest number in the form"
            " 2025-03.",
            "Concerning ALL: in which month, written as in 2025-03, do most of them fall?",
        ),
        drops=(("max(tally, key", "min(tally, key"),),
    ),
    Ask(
        word="list_in_order",
        about="list ALL in order of time",
        code=_SORTED + "    return [NAME for ROW in found]\n",
        gives="list",
        wordings=(
            "List the CALLED of each of ALL, in order of time and with the earliest firstORDERED.",
            "Go through the MANY, take THOSE and put them in order of time, earliest firstORDERED. Answer with a list"
            " that has the CALLED of each.",
            "I need a list, earliest firstORDERED, that has the CALLED of each of ALL.",
        ),
        drops=(("found.sort(key=lambda ROW: KEY)", "found.sort(key=lambda ROW: KEY, reverse=True)"),),
    ),
    Ask(
        word="top_day_of",
        bars=("own_day", "first_of", "last_of", "week_of"),
        crowded=True,
        about="give the day with the most of ALL",
        code=_tally("one_day", "DAY", "max"),
        gives="str",
        least=_TOP,
        wordings=(
            "Which single day has the most of ALL? Answer as in 2025-03-21.",
            "Look at the MANY and at THOSE in particular. On which day, in the form 2025-03-21, are there most?",
            "Count ALL by day. I want the day with the greatest number, written as in 2025-03-21.",
        ),
        drops=(("max(tally, key", "min(tally, key"),),
    ),
    Ask(
        word="sum_of",
        about="add up the amounts of ALL",
        code='    return round(sum(ROW["amount"] for ROW in found), 2)\n',
        gives="float",
        needs=("amount",),
        wordings=(
            "What do the amounts of ALL add up to?",
            "Go through the MANY and add up the amounts of THOSE. What is the sum?",
            "How much money do ALL come to in all?",
        ),
    ),
    Ask(
        word="last_weekday_of",
        bars=_LATE,
        about="give the weekday of the latest of ALL",
        code="    last_day_found = max(DAY for ROW in found)\n"
        '    return date.fromisoformat(last_day_found).strftime("%A")\n',
        gives="str",
        wordings=(
            "On which day of the week (such as Monday) does the latest of ALL fall?",
            "Go through the MANY, look for THOSE and take the latest. Which weekday is ITSDAY? Answer as in Monday.",
            "Take the last of ALL, in order of time, and tell me the weekday of ITSDAY, such as Monday.",
        ),
        drops=(("last_day_found = max(", "last_day_found = min("),),
    ),
    Ask(
        word="count_from_time_of",
        bars=("time",),
        about="count ALL at a given time or later",
        code="    return len([ROW for ROW in found if MOMENT[11:16] >= clock])\n",
        precise=True,
        slots=(one_of("clock", "12:00", "15:00", "17:30", "09:30", "13:15"),),
        wordings=(
            'For how many of ALL is ITSTIME "{clock}" or later?',
            'Look at the MANY. How many of THOSE have "{clock}" or later as ITSTIME?',
            'Take ALL and look at ITSTIME: for how many is it "{clock}" or later?',
        ),
        drops=((" if MOMENT[11:16] >= clock", ""),),
    ),
    Ask(
        word="day_after",
        bars=_LATE,
        about="give the day some days after the latest of ALL",
        code=(
            "    last_day_found = date.fromisoformat(max(DAY for ROW in found))\n"
            "    return (last_day_found + timedelta(days=later)).isoformat()\n"
        ),
        gives="str",
        slots=(one_of("later", 10, 14, 30, 45, 60, 100),),
        wordings=(
            "Which day is {later} days after the latest of ALL? Answer as in 2025-03-21.",
            "Look at the MANY and find the last of THOSE. Count {later} days on from ITSDAY: which day is that, written"
            " as in 2025-03-21?",
            "Take the latest of ALL. I want the day that comes {later} days after ITSDAY, in the form 2025-03-21.",
        ),
        drops=((" + timedelta(days=later)", ""),),
    ),
)


def _paired(other: DatedSource) -> tuple[Ask, ...]:
    """Questions on the days of rows and those of others."""
    there, when, rows = days_set(other, "its_days"), other.when, other.word.replace("_", " ")
    return (
        Ask(
            word=f"days_to_last_of_{other.word}_from",
            about=f"count the days between the latest of the {rows} and of ALL",
            apps=(other.app,),
            other=other,
            bars=_LATE,
            code=(
                f"{there}    last_day_found = date.fromisoformat(max(DAY for ROW in found))\n"
                "    return abs((date.fromisoformat(max(its_days)) - last_day_found).days)\n"
            ),
            wordings=(
                f"How many days apart are the latest of ALL and the last day {when}? It does not matter which of the"
                " two comes first.",
                f"Look at the MANY and find the latest of THOSE. How far, in days, is that from the last day {when},"
                " whichever comes first?",
                f"What is the last day {when}? Tell me how many days it is away, before or after, from the day of the"
                " latest of ALL.",
            ),
            drops=(("max(its_days)", "min(its_days)"),),
        ),
        Ask(
            word=f"shared_days_of_{other.word}_and",
            about=f"count the days of both {rows} and ALL",
            apps=(other.app,),
            other=other,
            bars=("week_of", "lately"),
            code=f"{there}    shared = {{DAY for ROW in found}} & its_days\n    return len(shared)\n",
            wordings=(
                f"How many different days {when} are also days of ALL?",
                f"Look at the MANY and note the days of THOSE. How many of these days, each counted once, are days"
                f" {when}?",
                f"Concerning ALL: on how many different days do they fall together with a day {when}?",
            ),
            drops=((" & its_days", ""),),
        ),
        Ask(
            word=f"first_shared_day_of_{other.word}_and",
            about=f"give the first day of both {rows} and ALL",
            apps=(other.app,),
            other=other,
            code=f"{there}    shared = {{DAY for ROW in found}} & its_days\n    return min(shared)\n",
            gives="str",
            bars=("before_day", "days_before", "latest", "week_of", "lately"),
            wordings=(
                f"What is the first day {when} that is also the day of one of ALL? Answer as in 2025-03-21.",
                f"Look at the MANY and note the days of THOSE. Which is the first of these days {when}? Answer"
                " as in 2025-03-21.",
                f"Take the days of ALL and keep only days {when}. Give me the earliest, written as in 2025-03-21.",
            ),
            drops=(("min(shared)", "max(shared)"),),
        ),
    )


PAIRED = tuple(_paired(other)[n % 3] for n, other in enumerate(OTHERS))
"""One for each of the others."""
