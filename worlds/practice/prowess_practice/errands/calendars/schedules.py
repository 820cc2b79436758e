"""Due dates laid out one after another: which tasks, in which order, from which day on, and how far apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Day, Draw

from prowess_practice.errands.calendars.choices import CHOICES, DayChoice, Rows, days_set
from prowess_practice.errands.calendars.plan import CalendarPlan, woven
from prowess_practice.errands.calendars.sink import CalendarSink
from prowess_practice.errands.calendars.sources import DUE, SOURCES, WRITTEN_DOWN, DatedSource
from prowess_practice.errands.calendars.when import TARGET, future_day
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import Slot, one_of
from prowess_practice.errands.transfers.scene import more_tasks

_UPDATE = '        apis.todo.update_task(access_token=todo_token, task_id=ROW["task_id"], due_date=due.isoformat())\n'
_STEP = one_of("step_days", 2, 3, 4, 5, 7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The day that the others are counted from."""

    word: str
    says: str
    code: str
    """Lines that give `start`, a date."""
    apps: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """How due dates follow one another."""

    word: str
    about: str
    says: str
    """With START for the day that they are counted from and ORDER for which task comes first."""
    other: str
    """The same in other words."""
    code: str
    slots: tuple[Slot, ...] = ()
    ordered: bool = True


def _label(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any] | None:
    labels = [label for row in rows for label in row["labels"]]
    return {"label": rng.choice(labels)} if labels else None


def _priority(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any]:
    return {"priority": rng.choice([row["priority"] for row in rows])}


_CHOICES = (
    DayChoice(
        word="labelled",
        says='that are labelled "{label}"',
        about="with a label",
        test='label in ROW["labels"]',
        slots={"label": str},
        pick=_label,
    ),
    DayChoice(
        word="of_priority",
        says="that have the priority {priority}",
        about="of a priority",
        test='ROW["priority"] == priority',
        slots={"priority": int},
        pick=_priority,
    ),
    DayChoice(
        word="undated",
        says="that have no due date yet",
        about="without a due date",
        test='not ROW["due_date"]',
        fits=lambda source: source.field != "due_date",
    ),
    *(one for one in CHOICES if one.word in ("on_weekday", "lately", "days_before", "at_weekend", "between")),
)
_TIMELESS = ("labelled", "of_priority")
"""Choices that say nothing of due dates."""
_ORDERS = (
    ("title", 'ROW["title"]', "alphabetically by title"),
    ("priority", '(ROW["priority"], ROW["title"])', "by priority number, the lowest first, and then by title"),
    ("age", 'ROW["created_at"]', "in the order in which they were created, the oldest first"),
)
_RULES = (
    Rule(
        word="daily",
        about="one a day",
        says=" Go ORDER: the first is due START, and each further one a day after the one before it.",
        other=" One a day, ORDER; the first of them is due START.",
        code="    for number, ROW in enumerate(found):\n        due = start + timedelta(days=number)\n",
    ),
    Rule(
        word="working_days",
        about="one a working day",
        says=" One on each working day (Monday to Friday), ORDER. Begin START, or on the Monday after if that is a"
        " weekend.",
        other=" They are to be due on consecutive working days, Saturdays and Sundays left out, ORDER. The first one is"
        " due START or, if that is a weekend, on the Monday after.",
        code=(
            "    due = start - timedelta(days=1)\n"
            "    for ROW in found:\n"
            "        due += timedelta(days=1)\n"
            "        while due.weekday() >= 5:\n"
            "            due += timedelta(days=1)\n"
        ),
    ),
    Rule(
        word="spaced",
        about="so many days apart",
        says=" The first is due START and every further one {step_days} days after the one before. Go ORDER.",
        other=" They are due {step_days} days apart, ORDER, and the first of them START.",
        code="    for number, ROW in enumerate(found):\n        due = start + timedelta(days=step_days * number)\n",
        slots=(_STEP,),
    ),
    Rule(
        word="pairs",
        about="two a day",
        says=" The first two become due START, the next two a day later, and so on. They go ORDER.",
        other=" Two a day: take them ORDER, and let the first two be due START.",
        code="    for number, ROW in enumerate(found):\n        due = start + timedelta(days=number // 2)\n",
    ),
    Rule(
        word="weekly",
        about="one a week",
        says=" One a week, always on a {target}, ORDER. The first one is due START, if that is a {target}, else on"
        " the first {target} after that day.",
        other=" Each becomes due on a {target}, a week after the one before it, ORDER. As for the first, that is the"
        " {target} that comes soonest if you begin START (that day itself may be it).",
        code=(
            "    first = start\n"
            '    while first.strftime("%A") != target:\n'
            "        first += timedelta(days=1)\n"
            "    for number, ROW in enumerate(found):\n"
            "        due = first + timedelta(weeks=number)\n"
        ),
        slots=(TARGET,),
    ),
    Rule(
        word="backwards",
        about="back from a day",
        says=" The last of them is due START, the one before it a day earlier, and so on back to the first. They go"
        " ORDER.",
        other=" Put them in order, ORDER, and count back: the last becomes due START, and each of the others a day"
        " before the one that follows it.",
        code=("    for number, ROW in enumerate(reversed(found)):\n        due = start - timedelta(days=number)\n"),
    ),
    Rule(
        word="by_urgency",
        about="later the less urgent",
        says=" Day zero is START. A task of priority 1 is due {step_days} days after it, one of priority 2 twice as"
        " many days after it, and so on.",
        other=" Each is due as many days after day zero as {step_days} times its priority number, and day zero is"
        " START.",
        code='    for ROW in found:\n        due = start + timedelta(days=step_days * ROW["priority"])\n',
        slots=(_STEP,),
        ordered=False,
    ),
)


def _someone(draw: Draw) -> str | None:
    names = [row.name for row in draw.state[Contact].of(draw.me.id) if row.birthday]
    return draw.rng.choice(names) if names else None


def _after(other: DatedSource) -> Start:
    return Start(
        word=f"after_{other.word}",
        says=f"{{wait}} days after the last day {other.when}",
        code=days_set(other, "other_days") + "    start = date.fromisoformat(max(other_days)) + timedelta(days=wait)\n",
        apps=(other.app,),
        slots=(one_of("wait", 10, 14, 20, 21, 30),),
    )


_STARTS = (
    Start(
        word="given_day",
        says="on {start_day}",
        code="    start = date.fromisoformat(start_day)\n",
        slots=(Slot(name="start_day", kind=Day, choose=future_day),),
    ),
    Start(
        word="from_today",
        says="{wait} days from today",
        code=(
            '    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])\n'
            "    start = today + timedelta(days=wait)\n"
        ),
        slots=(one_of("wait", 2, 3, 5, 8, 13),),
    ),
    Start(
        word="birthday",
        says='on the birthday of "{person}" (see my phone contacts) in {year}',
        code=(
            "    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=person)\n"
            '    born = next(one["birthday"] for one in people if one["name"] == person)\n'
            "    start = date.fromisoformat(born).replace(year=year)\n"
        ),
        apps=("phone",),
        slots=(Slot(name="person", choose=_someone), one_of("year", 2026, 2027)),
    ),
    *(_after(one) for one in SOURCES if one.when and one.app != "todo"),
)


def _sink(rule: Rule, start: Start, order: tuple[str, str, str]) -> CalendarSink:
    word, key, says = order
    sort = f"    found.sort(key=lambda ROW: {key})\n" if rule.ordered else ""
    first = start.says if rule.ordered else start.says.removeprefix("on ")
    rests = [text.replace("START", first).replace("ORDER", says) for text in (rule.says, rule.other)]
    return CalendarSink(
        word=f"schedule_{rule.word}_{start.word}_by_{word}" if rule.ordered else f"schedule_{rule.word}_{start.word}",
        do="set new due dates for ALL",
        about=f"set due dates of ALL, {rule.about}",
        rest=tuple(rests),
        code=start.code + sort + rule.code + _UPDATE,
        apps=start.apps,
        slots=(*start.slots, *rule.slots),
        drops=((f"found.sort(key=lambda ROW: {key})", f"found.sort(key=lambda ROW: {key}, reverse=True)"),)
        if rule.ordered
        else (),
        scene=more_tasks,
    )


def made() -> Iterator[Errand]:
    """Three schedules for every start; rules, orders, choices and sources take turns."""
    turn = 0
    for again in range(3):
        for start in _STARTS:
            for _ in range(len(_CHOICES)):
                turn += 1
                rule, order = _RULES[(turn + again) % len(_RULES)], _ORDERS[turn % len(_ORDERS)]
                choice = _CHOICES[(turn + again) % len(_CHOICES)]
                source = replace((DUE, WRITTEN_DOWN)[turn % 2], few=True)
                if source.test and choice.word in _TIMELESS:
                    source = replace(source, many="open tasks with a due date in my todo app")
                plan = CalendarPlan(source=source, choice=choice, sink=_sink(rule, start, order))
                errand = woven(plan)
                if errand:
                    yield errand
                    break
