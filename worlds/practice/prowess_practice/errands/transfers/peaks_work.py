"""The first, largest, latest of tasks, projects, notes and files, and what belongs to them."""

from __future__ import annotations

from prowess_practice.errands.transfers import files, notes, tasks
from prowess_practice.errands.transfers.parts import RowPool
from prowess_practice.errands.transfers.peaks import Link, Peak
from prowess_practice.errands.transfers.scene import more_tasks

_TODO, _NOTES, _FILES, _WALLET, _SPLITS, _PHONE = (
    f"access_token={app}_token" for app in ("todo", "notes", "files", "wallet", "splits", "phone")
)

# Tasks

_DUE = RowPool(
    app="todo",
    word="due_tasks",
    row="task",
    one="open task with a due date in my todo app",
    many="open tasks with a due date in my todo app",
    reading="    tasks = [task for task in "
    f'all_pages(apis.todo.list_tasks, {_TODO}, done=False) if task["due_date"]]\n',
    name="title",
    conditions=tasks.OPEN.conditions[:1],
    has=("open",),
)
TASK_PEAKS = (
    Peak(pool=_DUE, word="first", most="is due first", by='ROW["due_date"]', greatest=False),
    Peak(pool=_DUE, word="last", most="is due last", by='ROW["due_date"]'),
    Peak(pool=tasks.OPEN, word="oldest", most="was created first", by='ROW["created_at"]', greatest=False),
    Peak(pool=tasks.URGENT, word="newest", most="was created last", by='ROW["created_at"]'),
)
_NOT_IT = 'ROW["task_id"] != TOP["task_id"]'
_OPEN = tasks.OPEN.reading
TASK_LINKS = (
    Link(
        word="project_tasks",
        says="the other open tasks in the project of OF",
        row="task",
        tests=(_NOT_IT,),
        reading=f'    tasks = all_pages(apis.todo.list_tasks, {_TODO}, project_id=TOP["project_id"], done=False)\n',
        among="open_tasks",
        has=("open",),
    ),
    Link(
        word="later_tasks",
        says="the open tasks created after OF",
        row="task",
        tests=('ROW["created_at"] > TOP["created_at"]',),
        reading=_OPEN,
        among="open_tasks",
        has=("open",),
    ),
    Link(
        word="equal_tasks",
        says="the other open tasks with the same priority as OF",
        row="task",
        tests=('ROW["priority"] == TOP["priority"]', _NOT_IT),
        reading=_OPEN,
        among="open_tasks",
        has=("open",),
    ),
    Link(
        word="day_tasks",
        says="the other open tasks due on the same day as OF",
        row="task",
        tests=('ROW["due_date"] == TOP["due_date"]', _NOT_IT),
        reading=_OPEN,
        among="open_tasks",
        has=("open",),
        kind="due_tasks",
        scene=more_tasks,
    ),
    Link(
        word="label_tasks",
        says="the other open tasks that share at least one label with OF",
        row="task",
        tests=('set(TOP["labels"]).intersection(ROW["labels"])', _NOT_IT),
        reading=_OPEN,
        among="open_tasks",
        has=("open",),
    ),
)

# Notes and files

_OWN = 'ROW["note_id"] != TOP["note_id"]'
NOTE_PEAKS = (
    Peak(pool=notes.NOTES, word="latest", most="was changed last", by='ROW["updated_at"]'),
    Peak(pool=notes.EVERY, word="oldest", most="was created first", by='ROW["created_at"]', greatest=False),
    Peak(pool=notes.TAGGED, word="newest", most="was created last", by='ROW["created_at"]'),
)
NOTE_LINKS = (
    Link(
        word="related_notes",
        says="the other notes, outside the archive, that share a tag with OF",
        row="note",
        tests=('set(TOP["tags"]).intersection(ROW["tags"])', _OWN),
        reading=notes.NOTES.reading,
        has=("unarchived",),
    ),
    Link(
        word="year_notes",
        says="the other notes, outside the archive, created in the same year as OF",
        row="note",
        tests=('ROW["created_at"][:4] == TOP["created_at"][:4]', _OWN),
        reading=notes.NOTES.reading,
        has=("unarchived",),
    ),
)
FILE_PEAKS = (
    Peak(pool=files.FILES, word="largest", most="is the largest", by='ROW["size"]'),
    Peak(pool=files.FILES, word="newest", most="was created last", by='ROW["created_at"]'),
    Peak(pool=files.FOUND, word="oldest", most="was created first", by='ROW["created_at"]', greatest=False),
)
_SAME = 'ROW["path"] != TOP["path"]'
FILE_LINKS = (
    Link(
        word="folder_files",
        says="the other files that lie directly in the folder of OF",
        row="file",
        tests=('ROW["path"].rpartition("/")[0] == TOP["path"].rpartition("/")[0]', _SAME),
        reading=files.FILES.reading,
    ),
    Link(
        word="ending_files",
        says="the other files of mine with the same ending (after the last dot of the name) as OF",
        row="file",
        tests=('ROW["path"].split(".")[-1] == TOP["path"].split(".")[-1]', _SAME),
        reading=files.FILES.reading,
    ),
    Link(
        word="newer_files",
        says="the files of mine changed on a later day than OF",
        row="file",
        tests=('ROW["updated_at"][:10] > TOP["updated_at"][:10]',),
        reading=files.FILES.reading,
    ),
)

# Projects

PROJECTS = RowPool(
    app="todo",
    word="projects",
    row="project",
    one="unarchived project in my todo app",
    many="unarchived projects in my todo app",
    reading=f"    projects = all_pages(apis.todo.list_projects, {_TODO})\n",
    name="name",
)
PROJECT_PEAKS = (
    Peak(pool=PROJECTS, word="fullest", most="has the most open tasks", by='ROW["open_tasks"]'),
    Peak(pool=PROJECTS, word="emptiest", most="has the fewest open tasks", by='ROW["open_tasks"]', greatest=False),
)
PROJECT_LINKS = (
    Link(
        word="done_tasks",
        says="the done tasks in OF",
        row="task",
        tests=(),
        reading=f'    tasks = all_pages(apis.todo.list_tasks, {_TODO}, project_id=TOP["project_id"], done=True)\n',
        among="done_tasks",
        has=("open",),
    ),
    Link(
        word="plain_tasks",
        says="the open tasks without any label in OF",
        row="task",
        tests=('not ROW["labels"]',),
        reading=f'    tasks = all_pages(apis.todo.list_tasks, {_TODO}, project_id=TOP["project_id"], done=False)\n',
        among="open_tasks",
        has=("open",),
    ),
)
