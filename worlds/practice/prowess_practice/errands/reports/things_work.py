"""Projects, tasks, notes, files and folders, one figure each."""

from __future__ import annotations

from prowess_practice.errands.reports.things import Thing, ThingFigure
from prowess_practice.errands.transfers import files, notes, tasks
from prowess_practice.errands.transfers.parts import RowPool

_TODO, _NOTES, _FILES = "access_token=todo_token", "access_token=notes_token", "access_token=files_token"
_PROJECTS = RowPool(
    app="todo",
    word="projects",
    row="project",
    one="unarchived project in my todo app",
    many="unarchived projects in my todo app",
    reading=f"    projects = all_pages(apis.todo.list_projects, {_TODO})\n",
)
_OWN = f'tasks = all_pages(apis.todo.list_tasks, {_TODO}, project_id=ROW["project_id"])\n'
_FULL = f'steps = apis.todo.show_task({_TODO}, task_id=ROW["task_id"])["subtasks"]\n'
_TEXT = f'content = apis.notes.show_note({_NOTES}, note_id=ROW["note_id"])["content"]\n'
_CONTENT = f'content = apis.files.show_file({_FILES}, file_path=ROW["path"])["content"]\n'
_FOLDERS = RowPool(
    app="files",
    word="folders",
    row="folder",
    one="folder in my home directory, at any depth",
    many="folders in my home directory, at any depth",
    reading=f'    folders = apis.files.show_directory({_FILES}, recursive=True)["directories"]\n',
)
_INSIDE = f"inside = all_pages(apis.files.search_files, {_FILES}, directory_path=ROW)\n"
_TODAY = '    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])\n'
_DUE = RowPool(
    app="todo",
    word="tasks_with_due_date",
    row="task",
    one="open task with a due date in my todo app",
    many="open tasks with a due date in my todo app",
    reading=(
        f"    open_tasks = all_pages(apis.todo.list_tasks, {_TODO}, done=False)\n"
        '    tasks = [task for task in open_tasks if task["due_date"]]\n'
    ),
)

WORK = (
    Thing(
        pool=_PROJECTS,
        name='ROW["name"]',
        called="its name",
        looks=(
            ThingFigure(
                word="done_tasks",
                says="the number of its done tasks",
                inner=_OWN,
                code='len([task for task in tasks if task["done"]])',
                edit=(' if task["done"]', ""),
            ),
            ThingFigure(
                word="progress",
                says='"DONE/ALL", that is the numbers of its done tasks and of all its tasks',
                kind="text",
                inner=f'{_OWN}done = [task for task in tasks if task["done"]]\n',
                code='f"{len(done)}/{len(tasks)}"',
                edit=('if task["done"]', 'if not task["done"]'),
            ),
            ThingFigure(
                word="next_due",
                says="the earliest due date of its open tasks (YYYY-MM-DD)",
                kind="day",
                inner=(f'{_OWN}days = [task["due_date"] for task in tasks if task["due_date"] and not task["done"]]\n'),
                code="min(days)",
                test="days",
                left="Projects without such a date are left out.",
                edit=(' and not task["done"]', ""),
            ),
            ThingFigure(
                word="labels",
                says='the labels of its tasks, each once, from A to Z and joined by ", "',
                kind="text",
                inner=f'{_OWN}labels = {{label for task in tasks for label in task["labels"]}}\n',
                code='", ".join(sorted(labels))',
                test="labels",
                left="Projects without labelled tasks are left out.",
                edit=("sorted(labels)", "sorted(labels, reverse=True)"),
            ),
            ThingFigure(
                word="urgent_tasks",
                says="the number of its open tasks of priority 1 or 2",
                inner=f'tasks = all_pages(apis.todo.list_tasks, {_TODO}, project_id=ROW["project_id"], done=False)\n',
                code='len([task for task in tasks if task["priority"] <= 2])',
                edit=(' if task["priority"] <= 2', ""),
            ),
        ),
    ),
    Thing(
        pool=tasks.OPEN,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="steps_left",
                says="the number of its subtasks that are not done",
                inner=_FULL,
                code='len([step for step in steps if not step["done"]])',
                edit=(' if not step["done"]', ""),
            ),
            ThingFigure(
                word="comments",
                says="the number of its comments",
                inner=f'comments = all_pages(apis.todo.list_comments, {_TODO}, task_id=ROW["task_id"])\n',
                code="len(comments)",
            ),
            ThingFigure(
                word="steps_done",
                says='"DONE of ALL", that is the numbers of its done subtasks and of all of them',
                kind="text",
                inner=f'{_FULL}done = [step for step in steps if step["done"]]\n',
                code='f"{len(done)} of {len(steps)}"',
                test="steps",
                left="Tasks without subtasks are left out.",
                edit=('if step["done"]', 'if not step["done"]'),
            ),
            ThingFigure(
                word="last_comment",
                says="the day of its latest comment (YYYY-MM-DD)",
                kind="day",
                inner=f'comments = all_pages(apis.todo.list_comments, {_TODO}, task_id=ROW["task_id"])\n',
                code='max(comment["written_at"][:10] for comment in comments)',
                test="comments",
                left="Tasks without comments are left out.",
            ),
        ),
    ),
    Thing(
        pool=_DUE,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="days_left",
                says="the number of days from today to its due date (negative where that is over)",
                before=_TODAY,
                app="phone",
                code='(date.fromisoformat(ROW["due_date"]) - today).days',
                edit=('fromisoformat(ROW["due_date"])', 'fromisoformat(ROW["created_at"][:10])'),
                signed=True,
            ),
            ThingFigure(
                word="days_granted",
                says="the number of days from the day it was created to the day it is due",
                inner='created = date.fromisoformat(ROW["created_at"][:10])\n',
                code='(date.fromisoformat(ROW["due_date"]) - created).days',
                edit=('ROW["created_at"]', 'ROW["due_date"]'),
            ),
        ),
    ),
    Thing(
        pool=tasks.DONE,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="days_taken",
                says="the number of days from the day it was created to the day it was completed",
                inner=(
                    'created = date.fromisoformat(ROW["created_at"][:10])\n'
                    'completed = date.fromisoformat(ROW["completed_at"][:10])\n'
                ),
                code="(completed - created).days",
            ),
        ),
    ),
    Thing(
        pool=notes.NOTES,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="lines",
                says="the number of lines of its text",
                inner=_TEXT,
                code="len(content.splitlines())",
                edit=("content.splitlines()", "content.split()"),
            ),
            ThingFigure(
                word="words",
                says="the number of words (separated by spaces or line breaks) in its text",
                inner=_TEXT,
                code="len(content.split())",
                edit=("content.split()", "content.splitlines()"),
            ),
            ThingFigure(
                word="first_line",
                says="the first line of its text",
                inner=_TEXT,
                kind="text",
                code="content.splitlines()[0]",
                test="content",
                left="Notes without text are left out.",
                edit=("[0]", "[-1]"),
            ),
            ThingFigure(
                word="days_idle",
                says="the number of days from the day it was last changed to today",
                before=_TODAY,
                app="phone",
                code='(today - date.fromisoformat(ROW["updated_at"][:10])).days',
                edit=('ROW["updated_at"]', 'ROW["created_at"]'),
            ),
        ),
    ),
    Thing(
        pool=notes.EVERY,
        name='ROW["title"]',
        called="its title",
        looks=(
            ThingFigure(
                word="items",
                says='the number of lines of its text that begin with "- "',
                inner=_TEXT,
                code='len([line for line in content.splitlines() if line.startswith("- ")])',
                edit=(' if line.startswith("- ")', ""),
            ),
            ThingFigure(
                word="tags",
                says='its tags, joined by ", " in the order in which the notes app has them',
                kind="text",
                code='", ".join(ROW["tags"])',
                test='ROW["tags"]',
                left="Notes without tags are left out.",
                edit=('", ".join', '"; ".join'),
            ),
        ),
    ),
    Thing(
        pool=files.FILES,
        name='ROW["path"].split("/")[-1]',
        called="its name (without the folder)",
        looks=(
            ThingFigure(
                word="lines",
                says="the number of lines of its content",
                inner=_CONTENT,
                code="len(content.splitlines())",
                edit=("content.splitlines()", "content.split()"),
            ),
            ThingFigure(
                word="changed",
                says="the day of its last change (YYYY-MM-DD)",
                kind="day",
                code='ROW["updated_at"][:10]',
                edit=('"updated_at"', '"created_at"'),
            ),
            ThingFigure(
                word="words",
                says="the number of words (separated by spaces or line breaks) in its content",
                inner=_CONTENT,
                code="len(content.split())",
                edit=("content.split()", "content.splitlines()"),
            ),
        ),
    ),
    Thing(
        pool=_FOLDERS,
        name="ROW",
        called="its full path",
        looks=(
            ThingFigure(word="files", says="the number of files in it or below it", inner=_INSIDE, code="len(inside)"),
            ThingFigure(
                word="bytes",
                says="the sum of the sizes in bytes of all files in it or below it",
                inner=_INSIDE,
                code='sum(file["size"] for file in inside)',
                edit=('file["size"]', "1"),
            ),
            ThingFigure(
                word="own_files",
                says="the number of files directly in it, not below it",
                inner=f'names = apis.files.show_directory({_FILES}, directory_path=ROW)["files"]\n',
                code="len(names)",
                edit=("len(names)", "0"),
            ),
            ThingFigure(
                word="largest",
                says=(
                    "the name of the largest file in it or below it, without the path (if several are equally large,"
                    " of the one whose full path comes first from A to Z)"
                ),
                kind="text",
                inner=_INSIDE,
                code='max(inside, key=lambda file: file["size"])["path"].split("/")[-1]',
                test="inside",
                left="Folders without any file are left out.",
                edit=("max(inside", "min(inside"),
            ),
        ),
    ),
)
