"""What rows lead to in todo, notes and files: tasks on days that are worked out, lists in order of time."""

from __future__ import annotations

from prowess_desk.engine.family import Day

from prowess_practice.drills.listing import NOTE, PROJECT
from prowess_practice.errands.calendars.sink import CalendarSink, calling
from prowess_practice.errands.calendars.when import future_day
from prowess_practice.errands.transfers.parts import Slot, inside, one_of, own

_START = one_of("start_word", "Look at", "See to", "Check", "Think about", "Recall")
_HEADING = one_of("heading", "In order of time", "What happened when", "Timeline", "By the day", "Chronicle")
_PROJECT = one_of("new_project", "Aftercare", "Follow up", "Calendar work", "Loose threads")
_LABEL = one_of("label", "dated", "follow up", "calendar", "later")
_PATH = one_of("file_path", "~/timeline.txt", "~/by-day.csv", "~/chronicle.txt", "~/days.csv")
_FOLDER = one_of("new_folder", "~/by-month", "~/archive-of-days", "~/months", "~/time-boxes")
_DUE = "due_date=due.isoformat()"
_SORTED = "    found.sort(key=lambda ROW: KEY)\n"
_LINES = '    lines = [f"{QDAY} {QNAME}" for ROW in found]\n'
_FIRST_DAY = Slot(name="start_day", kind=Day, choose=future_day)
_REVERSED = ("found.sort(key=lambda ROW: KEY)", "found.sort(key=lambda ROW: KEY, reverse=True)")
_ITS_LINE = "one line per item: ITSDAY as in 2025-03-21, a space and the WHAT"

TASKS = (
    CalendarSink(
        word="task_for",
        do="create a task in my todo app for each of ALL",
        about="create a task for each of ALL",
        apps=("todo",),
        code="    for ROW in found:\nWHEN" + calling("todo.create_task", f'title=f"{{start_word}} {{QNAME}}"; {_DUE}'),
        rest=(
            ' Its title is "{start_word} " followed by the WHAT, and it is due WHENSAYS.',
            ' It is due WHENSAYS, and it is called "{start_word} NAME", NAME being the WHAT.',
        ),
        slots=(_START,),
    ),
    CalendarSink(
        word="project_of",
        do='make a new todo project "{new_project}" with a task for each of ALL',
        about="make a project with a task for each of ALL",
        apps=("todo",),
        before='    project_id = apis.todo.create_project(access_token=todo_token, name=new_project)["project_id"]\n',
        code="    for ROW in found:\nWHEN" + calling("todo.create_task", f"title=NAME; project_id=project_id; {_DUE}"),
        rest=(
            " The title of the task is the WHAT, and the task is due WHENSAYS.",
            " Each task is due WHENSAYS; the WHAT serves as its title.",
        ),
        slots=(_PROJECT,),
    ),
    CalendarSink(
        word="planned_task_for",
        do='put a task into my todo project "{project}" for each of ALL',
        about="put a task into a project for each of ALL",
        apps=("todo",),
        before=PROJECT.finds,
        code="    for ROW in found:\nWHEN"
        + calling("todo.create_task", f"title=NAME; project_id=project_id; {_DUE}; labels=[label]"),
        rest=(
            ' It is titled with the WHAT, labelled "{label}" and due WHENSAYS.',
            ' It gets the label "{label}", the WHAT as its title, and it is due WHENSAYS.',
        ),
        slots=(inside(PROJECT), _LABEL),
    ),
    CalendarSink(
        word="spread_tasks_for",
        do="create a task in my todo app for each of ALL",
        about="spread tasks for ALL over days",
        apps=("todo",),
        code=_SORTED
        + "    due = date.fromisoformat(start_day)\n"
        + "    for ROW in found:\n"
        + calling("todo.create_task", f'title=f"{{start_word}} {{QNAME}}"; {_DUE}')
        + "        due += timedelta(days=step_days)\n",
        rest=(
            " Go in order of time, the earliest firstORDERED: the first task is due on {start_day}, every further one"
            ' {step_days} days after the one before it. The title is "{start_word} " and then the WHAT.',
            ' Titles are "{start_word} NAME" with the WHAT as NAME. In order of time (earliest firstORDERED) they are'
            " due {step_days} days apart, the first one on {start_day}.",
        ),
        slots=(_START, _FIRST_DAY, one_of("step_days", 2, 3, 7)),
        drops=(_REVERSED,),
    ),
    CalendarSink(
        word="steps_for",
        do='create one task "{heading}" in my todo app with a subtask for each of ALL',
        about="create a task with a subtask for each of ALL",
        apps=("todo",),
        code=_SORTED
        + "    last_due = max(date.fromisoformat(DAY) for ROW in found) + timedelta(days=later)\n"
        + "    made = apis.todo.create_task(access_token=todo_token, title=heading, due_date=last_due.isoformat())\n"
        + "    for ROW in found:\n"
        + calling("todo.add_subtask", 'task_id=made["task_id"]; title=NAME'),
        rest=(
            " The subtasks are titled with the WHAT and come in order of time, earliest firstORDERED. The task"
            " itself is due {later} days after the latest of them (by ITSDAY).",
            " It is due {later} days after the last of them, going by ITSDAY. Its subtasks have the WHAT as titles,"
            " the earliest firstORDERED.",
        ),
        slots=(_HEADING, one_of("later", 2, 5, 7, 10, 14)),
        drops=(_REVERSED, ("last_due = max(", "last_due = min(")),
    ),
)
PAPERS = (
    CalendarSink(
        word="note_of",
        do='write a new note "{heading}" about ALL',
        about="write a note of ALL",
        apps=("notes",),
        code=_SORTED
        + _LINES
        + '    apis.notes.create_note(access_token=notes_token, title=heading, content="\\n".join(lines))\n',
        rest=(
            f" It has {_ITS_LINE}, with the earliest on topORDERED.",
            f" Earliest firstORDERED, {_ITS_LINE}.",
        ),
        slots=(_HEADING,),
        drops=(_REVERSED,),
    ),
    CalendarSink(
        word="append_to_note",
        do='append a line to my note "{note_title}" for each of ALL',
        about="append a line to a note for each of ALL",
        apps=("notes",),
        before=(
            "    noted = all_pages(apis.notes.search_notes, access_token=notes_token, query=note_title)\n"
            '    note_id = next(one["note_id"] for one in noted if one["title"] == note_title)\n'
        ),
        code=_SORTED
        + '    for ROW in found:\n        text = f"{QNAME} ({QDAY})"\n'
        + calling("notes.append_to_note", "note_id=note_id; text=text"),
        rest=(
            ' Each line reads "NAME (DAY)", the WHAT and ITSDAY as in 2025-03-21; earliest firstORDERED.',
            " Begin with the earliestORDERED. A line consists of the WHAT, a space and ITSDAY in brackets, as in"
            " (2025-03-21).",
        ),
        slots=(own("note_title", NOTE.names),),
        bars=("any_note",),
        drops=(_REVERSED,),
    ),
    CalendarSink(
        word="note_per_month_of",
        shuns=("month", "week"),
        do="write notes, one for each calendar month, about ALL",
        about="write a note for each month of ALL",
        apps=("notes",),
        code=_SORTED
        + "    by_period: dict = {}\n"
        + "    for ROW in found:\n"
        + "        by_period.setdefault(MOMENT[:7], []).append(NAME)\n"
        + "    for period, names in by_period.items():\n"
        + '        note_title = f"{heading} {period}"\n'
        + '        apis.notes.create_note(access_token=notes_token, title=note_title, content="\\n".join(names))\n',
        rest=(
            ' The month is that of ITSDAY. Titles are "{heading} MONTH" with the month as in 2025-03. Each line is'
            " the WHAT, earliest firstORDERED.",
            ' Going by ITSDAY, every month that occurs gets its note "{heading} MONTH" (the month as in 2025-03). It'
            " has one line each, the WHAT, with the earliest firstORDERED.",
        ),
        slots=(_HEADING,),
        drops=(_REVERSED,),
    ),
    CalendarSink(
        word="weekday_note_of",
        shuns=("weekday", "first_of", "last_of"),
        do='write a new note "{heading}" that counts [by weekday] ALL',
        about="write a note that counts ALL by weekday",
        apps=("notes",),
        code="    tally: dict = {}\n"
        "    for ROW in found:\n"
        '        weekday_name = date.fromisoformat(DAY).strftime("%A")\n'
        "        tally[weekday_name] = tally.get(weekday_name, 0) + 1\n"
        '    lines = [f"{name}: {tally[name]}" for name in sorted(tally)]\n'
        '    apis.notes.create_note(access_token=notes_token, title=heading, content="\\n".join(lines))\n',
        rest=(
            ' It has a line such as "Monday: 3" for every weekday (of ITSDAY) that occurs, in alphabetical order of'
            " the weekdays.",
            " The weekday is that of ITSDAY. Lines look like this: Monday: 3. They are in alphabetical order, and"
            " weekdays that do not occur have none.",
        ),
        slots=(_HEADING,),
        drops=(("in sorted(tally)", "in tally"),),
    ),
    CalendarSink(
        word="file_of",
        do='write a new file "{file_path}" about ALL',
        about="write a file of ALL",
        apps=("files",),
        code=_SORTED
        + '    lines = ["day,what"] + [f"{QDAY},{QNAME}" for ROW in found]\n'
        + '    apis.files.create_file(access_token=files_token, file_path=file_path, content="\\n".join(lines))\n',
        rest=(
            ' The first line is "day,what". Then comes one line each, earliest firstORDERED: ITSDAY as in 2025-03-21,'
            " a comma, the WHAT.",
            " After a first line that says day,what there is one line per item: ITSDAY (as in 2025-03-21), a comma"
            " without a space, and the WHAT. The earliest comes firstORDERED.",
        ),
        slots=(_PATH,),
        drops=(_REVERSED,),
    ),
    CalendarSink(
        word="file_per_month_of",
        shuns=("month", "week"),
        do='write files into a new folder "{new_folder}", one for each calendar month, about ALL',
        about="write a file for each month of ALL",
        apps=("files",),
        before="    apis.files.create_directory(access_token=files_token, directory_path=new_folder)\n",
        code=_SORTED
        + "    by_period: dict = {}\n"
        + "    for ROW in found:\n"
        + "        by_period.setdefault(MOMENT[:7], []).append(NAME)\n"
        + "    for period, names in by_period.items():\n"
        + '        file_path = f"{new_folder}/{period}.txt"\n'
        + '        apis.files.create_file(access_token=files_token, file_path=file_path, content="\\n".join(names))\n',
        rest=(
            " A file is named after the month of ITSDAY, as in 2025-03.txt. It has one line each, the WHAT,"
            " earliest firstORDERED.",
            " Going by ITSDAY, a month becomes a file such as 2025-03.txt. Each line is the WHAT, with the"
            " earliest firstORDERED.",
        ),
        slots=(_FOLDER,),
        bars=("file",),
        drops=(_REVERSED,),
    ),
)
