"""A day or time that is worked out from a row's own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prowess_desk.engine.family import Day, Draw, Weekday

from prowess_practice.errands.calendars.sources import DatedSource
from prowess_practice.errands.transfers.parts import Slot, one_of

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """A day counted from a row's day."""

    word: str
    says: str
    """`two days after ITSDAY`"""
    code: str
    """Lines within a loop that give `due`, a date."""
    slots: tuple[Slot, ...] = ()
    drop: tuple[str, str]
    fits: Callable[[DatedSource], bool] = lambda source: True


def future_day(draw: Draw) -> Day:
    """Some day of the months to come."""
    return Day(f"2025-{draw.rng.randint(6, 9):02d}-{draw.rng.randint(1, 28):02d}")


_LATER = one_of("later", 2, 3, 4, 5, 7, 10, 14)
_EARLIER = one_of("ahead", 2, 3, 4, 5, 7)
TARGET = Slot(name="target", kind=Weekday, choose=lambda draw: Weekday(draw.rng.choice(_DAYS)))

WHENS = (
    When(
        word="days_later",
        says="{later} days after ITSDAY",
        code="        due = date.fromisoformat(DAY) + timedelta(days=later)\n",
        slots=(_LATER,),
        drop=(" + timedelta(days=later)", ""),
    ),
    When(
        word="next_weekday",
        says="on the first {target} after ITSDAY (never on that day itself)",
        code=(
            "        due = date.fromisoformat(DAY) + timedelta(days=1)\n"
            '        while due.strftime("%A") != target:\n'
            "            due += timedelta(days=1)\n"
        ),
        slots=(TARGET,),
        drop=('due.strftime("%A") != target', "False"),
    ),
    When(
        word="days_earlier",
        says="{ahead} days before ITSDAY",
        code="        due = date.fromisoformat(DAY) - timedelta(days=ahead)\n",
        slots=(_EARLIER,),
        drop=(" - timedelta(days=ahead)", ""),
        fits=lambda source: source.future,
    ),
    When(
        word="month_end",
        says="on the last day of the calendar month of ITSDAY",
        code=(
            "        next_month = date.fromisoformat(DAY).replace(day=28) + timedelta(days=4)\n"
            "        due = next_month - timedelta(days=next_month.day)\n"
        ),
        drop=("next_month - timedelta(days=next_month.day)", "next_month"),
    ),
    When(
        word="weeks_later",
        says="{weeks} weeks after ITSDAY",
        code="        due = date.fromisoformat(DAY) + timedelta(weeks=weeks)\n",
        slots=(one_of("weeks", 2, 3, 4, 6),),
        drop=(" + timedelta(weeks=weeks)", ""),
    ),
    When(
        word="next_month",
        says="on the first day of the calendar month after that of ITSDAY",
        code="        due = (date.fromisoformat(DAY).replace(day=28) + timedelta(days=4)).replace(day=1)\n",
        drop=(".replace(day=1)", ""),
    ),
    When(
        word="week_start",
        says="on the Monday of the week (Monday to Sunday) of ITSDAY",
        code="        due = date.fromisoformat(DAY)\n        due -= timedelta(days=due.weekday())\n",
        drop=("        due -= timedelta(days=due.weekday())\n", ""),
        fits=lambda source: source.future,
    ),
    When(
        word="working_day",
        says="{later} days after ITSDAY or, if that is a Saturday or Sunday, on the Monday that follows",
        code=(
            "        due = date.fromisoformat(DAY) + timedelta(days=later)\n"
            "        if due.weekday() >= 5:\n"
            "            due += timedelta(days=7 - due.weekday())\n"
        ),
        slots=(_LATER,),
        drop=("due.weekday() >= 5", "False"),
    ),
    When(
        word="weekday_before",
        says="on the last {target} before ITSDAY (never on that day itself)",
        code=(
            "        due = date.fromisoformat(DAY) - timedelta(days=1)\n"
            '        while due.strftime("%A") != target:\n'
            "            due -= timedelta(days=1)\n"
        ),
        slots=(TARGET,),
        drop=('due.strftime("%A") != target', "False"),
        fits=lambda source: source.future,
    ),
    When(
        word="fixed_day",
        says="on day {month_day} of the calendar month after that of ITSDAY",
        code=(
            "        next_month = date.fromisoformat(DAY).replace(day=28) + timedelta(days=4)\n"
            "        due = next_month.replace(day=month_day)\n"
        ),
        slots=(one_of("month_day", 3, 5, 10, 12, 15, 20),),
        drop=(".replace(day=month_day)", ""),
    ),
)
