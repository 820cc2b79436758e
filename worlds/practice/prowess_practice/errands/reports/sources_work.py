"""Tasks, notes and files to report on."""

from __future__ import annotations

from prowess_practice.errands.reports.groups import Key, ReportField
from prowess_practice.errands.reports.sources import ReportSource, day, month, weekday, year
from prowess_practice.errands.transfers import files, notes, tasks
from prowess_practice.errands.transfers.parts import RowPool

_TODO, _NOTES, _FILES = "access_token=todo_token", "access_token=notes_token", "access_token=files_token"
_PROJECTS = (
    f"    projects = all_pages(apis.todo.list_projects, {_TODO})\n"
    f"    projects += all_pages(apis.todo.list_projects, {_TODO}, archived=True)\n"
)
_PROJECT = Key(
    word="project_name",
    code='names[ROW["project_id"]]',
    called="project",
    of="in that project",
    hint="Archived projects count, too.",
    prelude=f'{_PROJECTS}    names = {{project["project_id"]: project["name"] for project in projects}}\n',
)
_COLOR = Key(
    word="color",
    code='colors[ROW["project_id"]]',
    called="project color",
    of="in projects of that color",
    hint="Archived projects count, too.",
    prelude=f'{_PROJECTS}    colors = {{project["project_id"]: project["color"] for project in projects}}\n',
)
_LABEL = Key(
    word="task_label",
    code='ROW["labels"]',
    called="label",
    of="with that label",
    hint="A task with several labels counts for each of them.",
    several=True,
)
_PRIORITY = Key(
    word="priority_name",
    code="f\"priority {ROW['priority']}\"",
    called="priority",
    of="of that priority",
    hint='Priorities are written as "priority 1" and so on.',
)
_STATE = Key(
    word="state",
    code='"done" if ROW["done"] else "open"',
    called="state",
    of="in that state",
    hint='The states are "done" and "open".',
)
_TITLES = ReportField(word="titles", code='ROW["title"]', one="title", many="titles")
_RANK = ReportField(word="priority", code='ROW["priority"]', one="priority number", many="priority numbers")
_STEPS = ReportField(
    word="steps",
    inner=f'subtasks = apis.todo.show_task({_TODO}, task_id=ROW["task_id"])["subtasks"]',
    code="len(subtasks)",
    one="number of subtasks",
    many="numbers of subtasks",
)
_REMARKS = ReportField(
    word="comments",
    inner=f'remarks = apis.todo.show_task({_TODO}, task_id=ROW["task_id"])["comments"]',
    code="remarks",
    one="number of comments",
    many="numbers of comments",
)
_CREATED = day("created_at", "date of creation")
_DUE = RowPool(
    app="todo",
    word="tasks_with_due_date",
    row="task",
    one="open task with a due date",
    many="open tasks with a due date in my todo app",
    reading=(
        f"    open_tasks = all_pages(apis.todo.list_tasks, {_TODO}, done=False)\n"
        '    tasks = [task for task in open_tasks if task["due_date"]]\n'
    ),
)
_DUE_DAY = day("due_date", "due date")
_TAG = Key(
    word="note_tag",
    code='ROW["tags"]',
    called="tag",
    of="with that tag",
    hint="A note with several tags counts for each of them.",
    several=True,
)
_LETTERS = ReportField(
    word="letters",
    inner=f'content = apis.notes.show_note({_NOTES}, note_id=ROW["note_id"])["content"]',
    code="len(content)",
    one="length of text in characters",
    many="lengths of text in characters",
)
_LINES = ReportField(
    word="lines",
    inner=f'content = apis.notes.show_note({_NOTES}, note_id=ROW["note_id"])["content"]',
    code="len(content.splitlines())",
    one="number of lines",
    many="numbers of lines",
)
_ENDING = Key(
    word="extension",
    code='ROW["path"].split(".")[-1]',
    called="extension",
    of="with that extension",
    hint="The extension is what follows the last dot, as in txt.",
)
_FOLDER = Key(
    word="folder_name",
    code='ROW["path"].split("/")[-2]',
    called="folder",
    of="directly in that folder",
    hint="A folder is called by its own name, without the path to it.",
)
_SIZE = ReportField(word="size", code='ROW["size"]', one="size in bytes", many="sizes in bytes")
_FILE_NAMES = ReportField(
    word="file_names",
    code='ROW["path"].split("/")[-1]',
    one="name (without the folder)",
    many="names (without the folder)",
)
_CHANGED = day("updated_at", "date of the last change")

WORK = (
    ReportSource(
        pool=tasks.OPEN,
        keys=(_PROJECT, _LABEL, _PRIORITY, _COLOR),
        numbers=(_RANK, _STEPS),
        days=(_CREATED,),
        names=(_TITLES,),
    ),
    ReportSource(
        pool=tasks.TASKS,
        keys=(_LABEL, month("created_at", "month of creation", "created in that month"), _PROJECT, _STATE),
        numbers=(_REMARKS, _STEPS),
        days=(_CREATED,),
    ),
    ReportSource(
        pool=tasks.DONE,
        keys=(
            _PROJECT,
            month("completed_at", "month of completion", "completed in that month"),
            weekday("completed_at", " of completion", "completed "),
            _LABEL,
        ),
        numbers=(_RANK, _REMARKS),
        days=(day("completed_at", "date of completion"),),
        names=(_TITLES,),
    ),
    ReportSource(
        pool=_DUE,
        keys=(month("due_date", "due month", "due in that month"), _PROJECT, _LABEL),
        numbers=(_RANK,),
        days=(_DUE_DAY,),
        names=(_TITLES,),
    ),
    ReportSource(
        pool=tasks.IN_PROJECT, keys=(_LABEL, _PRIORITY, _STATE), numbers=(_STEPS,), days=(_CREATED,), names=(_TITLES,)
    ),
    ReportSource(
        pool=notes.NOTES,
        keys=(_TAG, month("updated_at", "month of the last change", "last changed in that month")),
        numbers=(_LETTERS, _LINES),
        days=(_CHANGED,),
        names=(_TITLES,),
    ),
    ReportSource(
        pool=notes.EVERY,
        keys=(
            _TAG,
            year("created_at", "year of creation", "created in that year"),
            weekday("created_at", " of creation", "created "),
        ),
        numbers=(_LINES, _LETTERS),
        names=(_TITLES,),
    ),
    ReportSource(
        pool=files.FILES,
        keys=(_ENDING, _FOLDER, year("created_at", "year of creation", "created in that year")),
        numbers=(_SIZE,),
        days=(_CHANGED,),
        names=(_FILE_NAMES,),
        kinds=(ReportField(word="extensions", code='ROW["path"].split(".")[-1]', one="extension", many="extensions"),),
    ),
    ReportSource(pool=files.FOUND, keys=(_ENDING,), numbers=(_SIZE,), days=(_CHANGED,), names=(_FILE_NAMES,)),
)
