"""Rows of other apps that are called the same: their days and times follow those of the rows chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from prowess_desk.engine.family import Draw

from prowess_practice.errands.calendars.choices import DayChoice
from prowess_practice.errands.calendars.plan import take
from prowess_practice.errands.calendars.sink import CalendarSink
from prowess_practice.errands.calendars.sources import ALBUMS, CHANGED, DONE, LIBRARY, NOTES, PLAYLISTS, WRITTEN_DOWN
from prowess_practice.errands.calendars.when import WHENS
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import Scene, one_of
from prowess_practice.errands.transfers.scene import (
    albums_of,
    also_alarms,
    also_notes,
    also_tasks,
    notes_of,
    playlists_of,
    songs_of,
    tasks_of,
)

_TITLED = tuple(replace(one, tags=(*one.tags, "titled")) for one in (NOTES, LIBRARY, ALBUMS, PLAYLISTS, CHANGED))
_TASKS = tuple(replace(one, tags=(*one.tags, "to_note")) for one in (DONE, WRITTEN_DOWN))
_BY_TITLE = (
    "    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)\n"
    '    task_ids = {task["title"]: task["task_id"] for task in tasks}\n'
)
_BY_LABEL = (
    "    alarms = all_pages(apis.phone.show_alarms, access_token=phone_token)\n"
    '    alarm_ids = {alarm["label"]: alarm["alarm_id"] for alarm in alarms}\n'
)
_BY_NOTE = (
    "    notes = all_pages(apis.notes.list_notes, access_token=notes_token)\n"
    '    note_ids = {note["title"]: note["note_id"] for note in notes}\n'
)
_NAMED = ("titled",)
_WORDS = one_of("words", "Goes back to", "First seen", "See the entry of", "Dates from")


def _names(draw: Draw) -> list[str]:
    """What rows with titles are called, in several apps."""
    return sorted({*notes_of(draw), *songs_of(draw), *albums_of(draw), *playlists_of(draw)})


def _mostly(make: Scene) -> Scene:
    """Twice, for more of them."""

    def scene(draw: Draw) -> None:
        make(draw)
        make(draw)

    return scene


def _each(*lines: str, ids: str = "task_ids") -> str:
    """Lines for each row that has a namesake."""
    inner = "".join(f"            {line}\n" for line in lines)
    return f"    for ROW in found:\n        if NAME in {ids}:\n{inner}"


def _update(api: str, arguments: str, ids: str) -> str:
    app, kind = api.partition(".")[0], ids.removesuffix("s")
    return f"apis.{api}(access_token={app}_token, {kind}={ids}[NAME]{arguments})"


_TASK_SINKS = (
    CalendarSink(
        word="due_namesakes_of",
        do="set the due dates of the open tasks in my todo app that are titled exactly like one of ALL",
        about="set the due dates of tasks titled like ALL",
        code="    for ROW in found:\nWHEN        if NAME in task_ids:\n"
        "            task_id = task_ids[NAME]\n"
        "            apis.todo.update_task(access_token=todo_token, task_id=task_id, due_date=due.isoformat())\n",
        rest=(" Such a task becomes due WHENSAYS.", " The new due date of such a task lies WHENSAYS."),
        apps=("todo",),
        before=_BY_TITLE,
        needs=_NAMED,
        scene=_mostly(also_tasks(_names)),
    ),
    CalendarSink(
        word="finish_namesakes_of",
        do="mark as done the open tasks in my todo app that are titled exactly like one of ALL",
        about="mark as done the tasks titled like ALL",
        code=_each(_update("todo.mark_task_done", "", "task_ids")),
        apps=("todo",),
        before=_BY_TITLE,
        needs=_NAMED,
        scene=_mostly(also_tasks(_names)),
    ),
    CalendarSink(
        word="comment_namesakes_of",
        do="comment on the open tasks in my todo app that are titled exactly like one of ALL",
        about="comment on the tasks titled like ALL",
        code=_each(
            'text = f"{words} {QDAY}"',
            _update("todo.add_comment", ", text=text", "task_ids"),
        ),
        rest=(
            ' The comment is "{words} DAY", where DAY is ITSDAY, as in 2025-03-21.',
            ' Write "{words} ", followed by ITSDAY (as in 2025-03-21).',
        ),
        slots=(_WORDS,),
        apps=("todo",),
        before=_BY_TITLE,
        needs=_NAMED,
        scene=_mostly(also_tasks(_names)),
    ),
    CalendarSink(
        word="drop_namesakes_of",
        do="delete the open tasks in my todo app that are titled exactly like one of ALL",
        about="delete the tasks titled like ALL",
        code=_each(_update("todo.delete_task", "", "task_ids")),
        apps=("todo",),
        before=_BY_TITLE,
        needs=_NAMED,
        scene=_mostly(also_tasks(_names)),
    ),
    CalendarSink(
        word="ring_like",
        do="set new times for the alarms on my phone that are labelled exactly like the title of one of ALL",
        about="set the times of alarms labelled like ALL",
        code=_each(
            "ring = datetime.fromisoformat(MOMENT) - timedelta(minutes=minutes)",
            "alarm_id = alarm_ids[NAME]",
            'apis.phone.update_alarm(access_token=phone_token, alarm_id=alarm_id, time=ring.strftime("%H:%M"))',
            ids="alarm_ids",
        ),
        rest=(
            " The new time of such an alarm lies {minutes} minutes before ITSTIME.",
            " For each of these alarms, take ITSTIME and go back {minutes} minutes: that is when it should ring.",
        ),
        slots=(one_of("minutes", 5, 15, 20, 30, 45),),
        apps=("phone",),
        before=_BY_LABEL,
        needs=_NAMED,
        scene=_mostly(also_alarms(_names)),
        precise=True,
    ),
    CalendarSink(
        word="weekly_like",
        do="set to ring once a week the alarms on my phone that are labelled exactly like the title of one of ALL",
        about="set the weekday of alarms labelled like ALL",
        code=_each(
            'weekday_name = date.fromisoformat(DAY).strftime("%A").lower()',
            "alarm_id = alarm_ids[NAME]",
            "apis.phone.update_alarm(access_token=phone_token, alarm_id=alarm_id, repeat_days=[weekday_name])",
            ids="alarm_ids",
        ),
        rest=(
            " The day on which such an alarm repeats is the weekday of ITSDAY.",
            " They repeat on a single day each, the weekday of ITSDAY.",
        ),
        apps=("phone",),
        before=_BY_LABEL,
        needs=_NAMED,
        scene=_mostly(also_alarms(_names)),
    ),
)
_NOTE_SINKS = (
    CalendarSink(
        word="date_notes_like",
        do="append a line to the notes (archived ones aside) that are titled exactly like one of ALL",
        about="append the days to notes titled like ALL",
        code=_each(
            'text = f"{words} {QDAY}"',
            _update("notes.append_to_note", ", text=text", "note_ids"),
            ids="note_ids",
        ),
        rest=(
            ' The line reads "{words} DAY", and DAY is ITSDAY as in 2025-03-21.',
            ' It says "{words} " and then ITSDAY, as in 2025-03-21.',
        ),
        slots=(_WORDS,),
        apps=("notes",),
        before=_BY_NOTE,
        needs=("to_note",),
        scene=_mostly(also_notes(tasks_of)),
    ),
    CalendarSink(
        word="archive_notes_like",
        do="archive the notes that are titled exactly like one of ALL",
        about="archive the notes titled like ALL",
        code=_each(_update("notes.archive_note", "", "note_ids"), ids="note_ids"),
        rest=(" Those in the archive already need nothing.", " Some may be in the archive already, which is fine."),
        apps=("notes",),
        before=_BY_NOTE,
        needs=("to_note",),
        scene=_mostly(also_notes(tasks_of)),
    ),
    CalendarSink(
        word="tag_notes_like",
        do="tag the notes (archived ones aside) that are titled exactly like one of ALL",
        about="tag the notes titled like ALL with months",
        code=_each(_update("notes.tag_note", ", tag=MOMENT[:7]", "note_ids"), ids="note_ids"),
        rest=(
            " The tag is the calendar month of ITSDAY, as in 2025-03.",
            " For the tag, take the month of ITSDAY, as in 2025-03.",
        ),
        apps=("notes",),
        before=_BY_NOTE,
        needs=("to_note",),
        scene=_mostly(also_notes(tasks_of)),
    ),
)


def made(choices: tuple[DayChoice, ...]) -> Iterator[Errand]:
    """Errands on namesakes."""
    yield from take(_TASK_SINKS, _TITLED, choices, WHENS, each={False: 5, True: 10}, start=2)
    yield from take(_NOTE_SINKS, _TASKS, choices, WHENS, each={False: 6, True: 6}, start=5, exact=True)
