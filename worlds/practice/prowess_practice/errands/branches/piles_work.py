"""Piles of notes, tasks, projects and files."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import Condition, among, over, since
from prowess_practice.drills.listing import FOLDER, PROJECT, Action, rename
from prowess_practice.drills.listings_work import LABEL, POSTPONE, RANK, TASK, TICK, WORK
from prowess_practice.errands.branches.pile import Pile, RowLook, Size, alarm_of, task_of

_BY = {listing.word: listing for listing in WORK}
_PINS, _REST = _BY["notes"].actions, _BY["all_notes"].actions
_LINE = 'add the line "{words}" to the end of'
_DELETE, _TAG, _RENAME, _UNARCHIVE, _COPY = _REST[0], _REST[1], *_REST[3:]
_EXTEND = replace(_REST[2], verb=_LINE, after="")
_FILES = (replace(_BY["files"].actions[0], verb=_LINE, after=""), *_BY["files"].actions[1:])
_TICK = replace(TICK, verb="mark", after=" as done")
_TASKS = _BY["tasks"].actions
_TEXT = 'content = apis.notes.show_note(access_token=notes_token, note_id=ROW["note_id"])["content"]'
_LONG = RowLook(
    word="long",
    says="with more than {line_limit} lines of text",
    about="with more lines than given",
    look=_TEXT,
    code="len(content.splitlines()) > line_limit",
    slot="line_limit",
    kind=int,
    pick=lambda rng, rows: rng.randint(2, 3),
)
_BULLETS = RowLook(
    word="bulleted",
    says='whose text begins with "- "',
    about="that are lists",
    look=_TEXT,
    code='content.startswith("- ")',
)
_PINNED = Condition(word="pinned", says="with a pin", about="that are pinned", code='ROW["pinned"]')
_UNTAGGED = Condition(word="untagged", says="without any tag", about="without tags", code='not ROW["tags"]')
_OVERDUE = Condition(
    word="overdue",
    says="with a due date before today",
    about="that are overdue",
    code='ROW["due_date"] and ROW["due_date"] < today',
    prelude='    today = apis.phone.show_current_date_and_time()["date"]\n',
)
_UNDATED = Condition(
    word="undated", says="without a due date", about="without a due date", code='ROW["due_date"] is None'
)
_STEPS = RowLook(
    word="with_steps",
    says="with at least one subtask",
    about="with subtasks",
    look='subtasks = apis.todo.show_task(access_token=todo_token, task_id=ROW["task_id"])["subtasks"]',
    code="len(subtasks) > 0",
)
_TALKED = RowLook(
    word="commented",
    says="with any comment on it",
    about="with comments",
    look='comments = all_pages(apis.todo.list_comments, access_token=todo_token, task_id=ROW["task_id"])',
    code="len(comments) > 0",
)
_URGENT = over("priority", "with a priority number above {more_than_priority}", "above a priority number", coarse=True)
_LABELLED = among("labels", 'with the label "{label}"', "with a label", slot="label")
_COMMENT = _TASKS[7]
_STEP = Action(
    api="add_subtask",
    verb="give",
    arguments=f"{TASK}, title=step",
    after=' a subtask "{step}"',
    slot="step",
    choices=("Ask for help", "Read it again", "Set aside an hour", "Find the papers"),
)
_DUE = Action(
    api="update_task",
    verb="give",
    arguments=f"{TASK}, due_date=new_day",
    after=' the due date "{new_day}"',
    slot="new_day",
    choices=("2025-06-24", "2025-07-01", "2025-07-15", "2025-08-02"),
)
_PRIORITY = Size(field="priority", noun="priority number", unit="", sums=False)
_LINES = Size(field="lines", noun="number of lines", unit="", look=_TEXT, code="len(content.splitlines())")
_BYTES = Size(
    field="size",
    noun="size",
    unit=" bytes",
    smallest="from the smallest to the largest",
    largest="from the largest to the smallest",
)
_PAINT = Action(
    api="update_project",
    verb="give",
    arguments='project_id=ROW["project_id"], color=new_color',
    after=' the color "{new_color}"',
    slot="new_color",
    choices=("red", "green", "blue", "yellow", "orange", "purple"),
)
_SHELVE = Action(api="update_project", verb="archive", arguments='project_id=ROW["project_id"], archived=True')

WORK_PILES = (
    Pile(
        word="notes",
        app="notes",
        api="list_notes",
        row="note",
        rows="notes",
        many="my notes outside the archive",
        tests=(_LONG, _PINNED, *_BY["all_notes"].conditions[:3], _UNTAGGED, _BULLETS),
        acts=(_PINS[1], _TAG, _EXTEND, _DELETE, _RENAME, _COPY),
        sizes=(_LINES,),
    ),
    Pile(
        word="unpinned_notes",
        app="notes",
        api="list_notes",
        given=", pinned=False",
        row="note",
        rows="notes",
        many="my notes that are neither pinned nor archived",
        tests=(_BULLETS, _UNTAGGED, _BY["all_notes"].conditions[3], _LONG),
        acts=(_PINS[0], _PINS[1], _TAG, _EXTEND, task_of('ROW["title"]', "title")),
        sizes=(_LINES,),
    ),
    Pile(
        word="archived_notes",
        app="notes",
        api="list_notes",
        given=", archived=True",
        row="note",
        rows="notes",
        many="the notes in my archive",
        tests=(_BULLETS, _UNTAGGED, _LONG),
        acts=(_UNARCHIVE, _DELETE, _TAG),
    ),
    Pile(
        word="project_tasks",
        app="todo",
        api="list_tasks",
        given=", project_id=project_id, done=False",
        row="task",
        rows="tasks",
        within=PROJECT,
        many='the open tasks in my todo project "{project}"',
        tests=(_URGENT, _STEPS, _OVERDUE, _LABELLED, _UNDATED, _TALKED),
        acts=(_TICK, LABEL, _COMMENT, _STEP, _DUE, _TASKS[1]),
        sizes=(_PRIORITY,),
    ),
    Pile(
        word="open_tasks",
        app="todo",
        api="list_tasks",
        given=", done=False",
        row="task",
        rows="tasks",
        many="my open tasks in the todo app",
        tests=(
            _OVERDUE,
            _UNDATED,
            _LABELLED,
            _TALKED,
            since("created_at", "created on or after {since}", "created since a day"),
        ),
        acts=(RANK, _TICK, _COMMENT, _DUE, LABEL, alarm_of('ROW["title"]', "title")),
        sizes=(_PRIORITY,),
    ),
    Pile(
        word="dated_tasks",
        app="todo",
        api="list_tasks",
        given=", done=False",
        only='ROW["due_date"]',
        row="task",
        rows="tasks",
        many="my open tasks with a due date",
        tests=(replace(_OVERDUE, code='ROW["due_date"] < today'), _LABELLED, _STEPS, _URGENT),
        acts=(POSTPONE, _TICK, _STEP, _TASKS[1], LABEL),
        sizes=(_PRIORITY,),
    ),
    Pile(
        word="done_tasks",
        app="todo",
        api="list_tasks",
        given=", done=True",
        row="task",
        rows="tasks",
        many="the tasks that are done in my todo app",
        tests=(_LABELLED, _UNDATED, _STEPS, _URGENT),
        acts=(_TASKS[2], _TASKS[1], _COMMENT, LABEL),
        sizes=(_PRIORITY,),
    ),
    Pile(
        word="projects",
        app="todo",
        api="list_projects",
        only='ROW["name"] != "Inbox"',
        row="project",
        rows="projects",
        many='my unarchived todo projects other than "Inbox"',
        tests=(*_BY["projects"].conditions[1:],),
        acts=(_PAINT, _SHELVE, rename("update_project", "project_id", "name"), _BY["projects"].actions[1]),
        sizes=(
            Size(
                field="open_tasks",
                noun="number of open tasks",
                unit="",
                smallest="from the one with the fewest open tasks to the one with the most",
            ),
        ),
    ),
    Pile(
        word="folder_files",
        app="files",
        api="search_files",
        given=", directory_path=folder",
        row="file",
        rows="files",
        within=replace(FOLDER, rows=""),
        many='the files in my folder "{folder}" and the folders below it',
        tests=(*_BY["files"].conditions[:2], *_BY["files"].conditions[3:5]),
        acts=(
            _FILES[1],
            _FILES[0],
            _FILES[3],
            Action(
                api="copy_file",
                verb="copy",
                arguments='file_path=ROW["path"], destination_path=ROW["path"] + ".copy"',
                after=' to the same path with ".copy" at the end',
            ),
            replace(
                _FILES[2],
                slot="content",
                arguments='file_path=ROW["path"], content=content',
                after=' with nothing but the words "{content}"',
            ),
        ),
        sizes=(_BYTES,),
    ),
    Pile(
        word="files",
        app="files",
        api="search_files",
        row="file",
        rows="files",
        many="the files that I have in the files app",
        tests=(*_BY["files"].conditions[:2], _BY["files"].conditions[4]),
        acts=(_FILES[1], _FILES[0], task_of('ROW["path"]', "path")),
        sizes=(replace(_BYTES, smallest=""),),
    ),
)
