"""Alarms chosen by their times and days, moved, copied and written down."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from prowess_desk.engine.family import Day

from prowess_practice.errands.calendars.choices import DayChoice, Rows
from prowess_practice.errands.calendars.plan import take
from prowess_practice.errands.calendars.sink import CalendarSink, calling, each
from prowess_practice.errands.calendars.sources import DatedSource
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import one_of
from prowess_practice.errands.transfers.scene import doubled_alarms

ALARMS = DatedSource(
    word="alarms",
    app="phone",
    row="alarm",
    many="alarms on my phone (on or off)",
    reading="all_pages(apis.phone.show_alarms, TOKEN)",
    field="time",
    clause="that ring",
    its="the time of it",
    by="when they ring",
    name='ROW["label"]',
    called="label",
    what="label of the alarm",
    tags=("alarm",),
)
_ID = 'alarm_id=ROW["alarm_id"]'
_WEEKEND = '{"saturday", "sunday"}'
_CLOCK = 'datetime.strptime(MOMENT, "%H:%M")'


def _time(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any] | None:
    times = sorted({row["time"] for row in rows})
    return {"time": rng.choice(times[1:-1])} if len(times) > 2 else None


def _times(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any] | None:
    times = sorted({row["time"] for row in rows})
    if len(times) < 4:
        return None
    first = rng.randrange(0, len(times) - 2)
    return {"first_time": times[first], "last_time": times[rng.randrange(first + 1, len(times))]}


def _label(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any] | None:
    labels = [row["label"] for row in rows]
    clear = [one for one in labels if labels.count(one) == 1 and '"' not in one]
    return {"pivot": rng.choice(clear), "hours": rng.randint(2, 6)} if clear else None


def _day(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any] | None:
    days = [day for row in rows for day in row["repeat_days"]]
    return {"day_name": rng.choice(days)} if days else None


_CHOICES = (
    DayChoice(
        word="before",
        says='CLAUSE before "{time}"',
        about="before a time",
        test="MOMENT < time",
        slots={"time": str},
        pick=_time,
    ),
    DayChoice(
        word="on_day",
        says='CLAUSE every "{day_name}"',
        about="of a weekday",
        test='day_name in ROW["repeat_days"]',
        slots={"day_name": str},
        pick=_day,
    ),
    DayChoice(
        word="between_times",
        says='CLAUSE between "{first_time}" and "{last_time}" (both times included)',
        about="between two times",
        test="first_time <= MOMENT <= last_time",
        slots={"first_time": str, "last_time": str},
        pick=_times,
    ),
    DayChoice(
        word="soon_after_named",
        says='CLAUSE later in the day than the one labelled "{pivot}" and at most {hours} hours after it',
        about="soon after a given one",
        before=(
            '    start = next(datetime.strptime(MOMENT, "%H:%M") for ROW in ROWS if NAME == pivot)\n'
            "    end = start + timedelta(hours=hours)\n"
        ),
        test='start < datetime.strptime(MOMENT, "%H:%M") <= end',
        slots={"pivot": str, "hours": int},
        pick=_label,
    ),
    DayChoice(
        word="at_weekend",
        says="CLAUSE on a Saturday or a Sunday (or both)",
        about="of weekends",
        test=f'{_WEEKEND} & set(ROW["repeat_days"])',
    ),
    DayChoice(
        word="today",
        says="CLAUSE every week on the weekday that is today",
        about="of the weekday that is today",
        before='    today = apis.phone.show_current_date_and_time()["weekday"]\n',
        test='today in ROW["repeat_days"]',
    ),
    DayChoice(
        word="later_than_now",
        says="CLAUSE later in the day than it is now",
        about="later in the day than now",
        before='    now = apis.phone.show_current_date_and_time()["time"]\n',
        test="MOMENT > now",
    ),
    DayChoice(
        word="after",
        says='CLAUSE after "{time}"',
        about="after a time",
        test="MOMENT > time",
        slots={"time": str},
        pick=_time,
    ),
)
_LATER = one_of("minutes", 5, 10, 15, 20, 30)
_LABEL = one_of("start_word", "Get ready for", "Soon", "Almost time", "Before")
_HEADING = one_of("heading", "Alarm plan", "When it rings", "Daily times", "Bells")


def _shift(sign: str, word: str) -> CalendarSink:
    return CalendarSink(
        word=f"ring_{word}",
        do=f"move [to a time {{minutes}} minutes {word}] ALL",
        about=f"move ALL to a time so many minutes {word}",
        code=f"    for ROW in found:\n        ring = {_CLOCK} {sign} timedelta(minutes=minutes)\n"
        + calling("phone.update_alarm", f'{_ID}; time=ring.strftime("%H:%M")'),
        rest=(" Nothing else about them changes.", " Only the time changes."),
        slots=(_LATER,),
        scene=doubled_alarms,
    )


_SINKS = (
    _shift("-", "earlier"),
    CalendarSink(
        word="pre_alarm_for",
        do="create a second alarm for each of ALL",
        about="create an alarm before each of ALL",
        code=f"    for ROW in found:\n        ring = {_CLOCK} - timedelta(minutes=minutes)\n"
        + '        label = f"{start_word} {QNAME}"\n'
        + "        apis.phone.create_alarm(\n"
        + '            access_token=phone_token,\n            label=label,\n            time=ring.strftime("%H:%M"),\n'
        + '            repeat_days=ROW["repeat_days"],\n        )\n',
        rest=(
            ' It rings {minutes} minutes earlier on the same days, and its label is "{start_word} " and then the label'
            " of the first one. The new one is on in any case.",
            ' The new one is labelled "{start_word} LABEL", with the label of the old one, and rings on the same days,'
            " {minutes} minutes earlier. It is on in any case.",
        ),
        slots=(_LATER, _LABEL),
    ),
    CalendarSink(
        word="alarm_task_for",
        do="create a task in my todo app for each of ALL",
        about="create a task with the time of each of ALL",
        apps=("todo",),
        code="    for ROW in found:\n" + calling("todo.create_task", 'title=f"{QMOMENT} {QNAME}"; due_date=due_day'),
        rest=(
            ' It is due on {due_day}, and its title is "TIME LABEL", such as "07:30 Stretch".',
            " The title is the time as in 07:30, a space and the label; the due date is {due_day}.",
        ),
        slots=(one_of("due_day", *map(Day, ("2025-06-02", "2025-06-16", "2025-07-01", "2025-07-21", "2025-08-04"))),),
    ),
    CalendarSink(
        word="alarm_note_of",
        do='write a new note "{heading}" about ALL',
        about="write a note of the times of ALL",
        apps=("notes",),
        code="    found.sort(key=lambda ROW: (MOMENT, NAME))\n"
        '    lines = [f"{QMOMENT} {QNAME}" for ROW in found]\n'
        '    apis.notes.create_note(access_token=notes_token, title=heading, content="\\n".join(lines))\n',
        rest=(
            ' One line each, such as "07:30 Stretch", by time from early to late (the same time: by label).',
            " By time and then by label, each has a line with its time, a space and its label, as in 07:30 Stretch.",
        ),
        slots=(_HEADING,),
    ),
    CalendarSink(
        word="silence",
        do="switch off ALL",
        about="switch off ALL",
        code='    for ROW in found:\n        if ROW["is_enabled"]:\n'
        + calling("phone.update_alarm", f"{_ID}; is_enabled=False", indent=12),
        rest=(" Those that are off already stay off.", ""),
    ),
    _shift("+", "later"),
    CalendarSink(
        word="weekday_alarms_of",
        do="restrict [to working days] ALL",
        about="take Saturdays and Sundays from ALL and set their snooze",
        code="    for ROW in found:\n"
        '        kept_days = [one for one in ROW["repeat_days"] if one not in ("saturday", "sunday")]\n'
        + calling("phone.update_alarm", f"{_ID}; repeat_days=kept_days; snooze_minutes=snooze"),
        rest=(
            " That is, take Saturday and Sunday from the days on which they repeat and set the snooze to {snooze}"
            " minutes.",
            " They no longer repeat on Saturdays and Sundays, the other days stay, and the snooze becomes {snooze}"
            " minutes.",
        ),
        slots=(one_of("snooze", 3, 4, 6, 7, 12, 20),),
    ),
    CalendarSink(
        word="drop",
        do="delete ALL",
        about="delete ALL",
        code=each("phone.delete_alarm", _ID),
        scene=doubled_alarms,
    ),
    CalendarSink(
        word="snooze_until_next_of",
        do="set the snooze of ALL",
        about="set the snooze of ALL to the minutes left of the hour",
        code="    for ROW in found:\n"
        "        left = 60 - int(MOMENT[3:])\n" + calling("phone.update_alarm", f"{_ID}; snooze_minutes=left"),
        rest=(
            " It becomes the number of minutes from the alarm to the next full hour, 60 for one on the hour.",
            " Take the minutes that are left until the next full hour, and 60 if the alarm is at a full hour.",
        ),
    ),
    CalendarSink(
        word="stagger",
        do="set new times for ALL",
        about="set ALL to times so many minutes apart",
        code="    found.sort(key=lambda ROW: (NAME, MOMENT))\n"
        '    ring = datetime.strptime(clock, "%H:%M")\n'
        "    for ROW in found:\n"
        + calling("phone.update_alarm", f'{_ID}; time=ring.strftime("%H:%M")')
        + "        ring += timedelta(minutes=minutes)\n",
        rest=(
            ' Alphabetically by label, the first rings at "{clock}" and every further one {minutes} minutes after the'
            " one before.",
            ' They are to ring {minutes} minutes apart, in alphabetical order of their labels, the first at "{clock}".',
        ),
        slots=(_LATER, one_of("clock", "06:10", "08:05", "13:20", "17:55")),
        drops=(("found.sort(key=lambda ROW: (NAME, MOMENT))", "found.sort(key=lambda ROW: MOMENT)"),),
    ),
    CalendarSink(
        word="alarm_file_of",
        do='write a new file "{file_path}" about ALL',
        about="write a file of ALL with their times on a twelve-hour clock",
        apps=("files",),
        code="    lines = []\n"
        "    for ROW in sorted(found, key=lambda ROW: (MOMENT, NAME)):\n"
        f"        ring = {_CLOCK}\n"
        "        lines.append(f\"{QNAME}: {ring.strftime('%I:%M %p')}\")\n"
        '    apis.files.create_file(access_token=files_token, file_path=file_path, content="\\n".join(lines))\n',
        rest=(
            " One line each, early ones first (the same time: by label): the label, a colon, a space and the time with"
            " AM or PM, as in 07:30 AM.",
            " Its lines look like this: Stretch: 07:30 AM. They have the label and the time on a twelve-hour clock,"
            " sorted by time of day and then by label.",
        ),
        slots=(one_of("file_path", "~/alarms.txt", "~/bells.txt", "~/times.txt"),),
    ),
)


def made() -> Iterator[Errand]:
    """Errands on alarms."""
    return take(_SINKS, (ALARMS,), _CHOICES, (), each={False: 6, True: 6}, exact=True)
