"""The APIs of the todo app."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Annotated, Any

from prowess.types import Json
from prowess_desk.apps.todo import rows
from prowess_desk.apps.todo.rows import COLORS, INBOX, Project, TaskComment, TodoTask
from prowess_desk.engine.access import with_accounts
from prowess_desk.engine.api import App, Ctx, OneOf, PageIndex, PageLimit, Query, Span, conflict, invalid, missing, page
from prowess_desk.engine.reading import counted, day, matches, oldest_first
from prowess_desk.engine.reading import labels as tidy

todo = with_accounts(App("todo", "Projects with tasks: due dates, priorities, labels, subtasks and comments."))

ProjectId = Annotated[int, "id of the project"]
TaskId = Annotated[int, "id of the task"]
Number = Annotated[int, "number of the subtask in its task, from 1"]
Color = Annotated[str, "color of the project", OneOf(COLORS)]
Priority = Annotated[int, "1 is the most urgent, 4 the least", Span(1, 4)]
SORTS = ("due_date", "priority", "created_at", "-created_at", "title")

PROJECT: Json = {"project_id": 1, "name": "string", "color": "blue", "archived": False, "open_tasks": 3}
TASK: Json = {
    "task_id": 1,
    "project_id": 1,
    "title": "string",
    "due_date": "2025-01-31 or null",
    "priority": 2,
    "labels": ["string"],
    "done": False,
    "created_at": "2025-01-31T10:00:00",
    "completed_at": "2025-01-31T10:00:00 or null",
}
IN_FULL: Json = {
    **TASK,
    "description": "string",
    "subtasks": [{"subtask_number": 1, "title": "string", "done": False}],
    "comments": 1,
}
COMMENT: Json = {"comment_id": 1, "task_id": 1, "text": "string", "written_at": "2025-01-31T10:00:00"}
DONE: Json = {"message": "string", "task_id": 1}


def _task(task: TodoTask) -> dict[str, Json]:
    return {
        "task_id": task.id,
        "project_id": task.project_id,
        "title": task.title,
        "due_date": task.due.isoformat() if task.due else None,
        "priority": task.priority,
        "labels": list(task.labels),
        "done": task.done,
        "created_at": task.created_at.isoformat(),
        "completed_at": task.completed_at.isoformat() if task.completed_at else None,
    }


def _my_project(ctx: Ctx, project_id: int) -> Project:
    project = ctx.state[Project].get(project_id)
    if project is None or project.owner != ctx.me.id:
        missing("project", project_id)
    return project


def _open_project(ctx: Ctx, project_id: int) -> Project:
    project = _my_project(ctx, project_id)
    if project.archived:
        conflict(f"The project '{project.name}' is archived.")
    return project


def _own_project(ctx: Ctx, project_id: int) -> Project:
    project = _my_project(ctx, project_id)
    if project.name == INBOX:
        conflict(f"The project '{INBOX}' cannot be changed.")
    return project


def _mine(ctx: Ctx, task_id: int) -> TodoTask:
    task = ctx.state[TodoTask].get(task_id)
    if task is None or task.owner != ctx.me.id:
        missing("task", task_id)
    return task


def _step(ctx: Ctx, task_id: int, number: int) -> None:
    if not 1 <= number <= len(_mine(ctx, task_id).subtasks):
        missing(f"subtask of task {task_id}", number)


def _fresh_name(ctx: Ctx, name: str, but: int = 0) -> str:
    if not name.strip():
        invalid("name must not be empty.")
    wanted = name.lower()
    if any(one.name.lower() == wanted and one.id != but for one in ctx.state[Project].of(ctx.me.id)):
        conflict(f"You already have a project named '{name[:80]}'.")
    return name


def _titled(title: str) -> str:
    if not title.strip():
        invalid("title must not be empty.")
    return title


# Projects


@todo.api(returns=[PROJECT])
def list_projects(
    ctx: Ctx,
    archived: Annotated[bool, "archived projects instead of the others"] = False,
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your projects; paginated."""
    pending = Counter(task.project_id for task in ctx.state[TodoTask].of(ctx.me.id) if not task.done)
    found = [project for project in ctx.state[Project].of(ctx.me.id) if project.archived == archived]
    return [
        {
            "project_id": project.id,
            "name": project.name,
            "color": project.color,
            "archived": project.archived,
            "open_tasks": pending[project.id],
        }
        for project in page(found, page_index, page_limit)
    ]


@todo.api(returns={"message": "string", "project_id": 1})
def create_project(
    ctx: Ctx, name: Annotated[str, "name, unlike those of your other projects"], color: Color = "gray"
) -> Json:
    """Make a new project."""
    made = rows.add_project(ctx.state, ctx.me.id, _fresh_name(ctx, name), color)
    return {"message": "Project created.", "project_id": made.id}


@todo.api(returns={"message": "string", "project_id": 1})
def update_project(
    ctx: Ctx,
    project_id: ProjectId,
    name: Annotated[str | None, "new name"] = None,
    color: Annotated[str | None, "new color", OneOf(COLORS)] = None,
    archived: Annotated[bool | None, "put into (true) or take out of (false) the archive"] = None,
) -> Json:
    """Change name, color or archiving of a project; what you do not give stays."""
    project = _own_project(ctx, project_id)
    fields: dict[str, Any] = {"name": name, "color": color, "archived": archived}
    fields = {key: value for key, value in fields.items() if value is not None}
    if not fields:
        invalid("Give at least one of name, color, archived.")
    if name is not None:
        _fresh_name(ctx, name, project.id)
    ctx.state[Project].change(project.id, **fields)
    return {"message": "Project updated.", "project_id": project_id}


@todo.api(returns={"message": "string", "project_id": 1})
def delete_project(ctx: Ctx, project_id: ProjectId) -> Json:
    """Delete a project with all its tasks."""
    rows.remove_project(ctx.state, _own_project(ctx, project_id).id)
    return {"message": "Project deleted.", "project_id": project_id}


# Tasks


@todo.api(returns=[TASK])
def list_tasks(
    ctx: Ctx,
    project_id: Annotated[int | None, "only tasks of this project"] = None,
    done: Annotated[bool | None, "only done (true) or open (false) tasks"] = None,
    label: Annotated[str | None, "only tasks with this label"] = None,
    priority: Annotated[int | None, "only tasks of this priority", Span(1, 4)] = None,
    due_from: Annotated[str | None, "only tasks due on this day or later, such as 2025-01-31"] = None,
    due_until: Annotated[str | None, "only tasks due on this day or earlier"] = None,
    sort_by: Annotated[str, "order; tasks without due date come last", OneOf(SORTS)] = "created_at",
    page_index: PageIndex = 0,
    page_limit: PageLimit = 5,
) -> Json:
    """List your tasks, with filters; paginated."""
    if project_id is not None:
        _my_project(ctx, project_id)
    first = day("due_from", due_from) if due_from else None
    last = day("due_until", due_until) if due_until else None
    wanted = label.lower() if label is not None else None
    found = [
        task
        for task in ctx.state[TodoTask].of(ctx.me.id)
        if (project_id is None or task.project_id == project_id)
        and (done is None or task.done == done)
        and (wanted is None or wanted in task.labels)
        and (priority is None or task.priority == priority)
        and (first is None or (task.due is not None and task.due >= first))
        and (last is None or (task.due is not None and task.due <= last))
    ]
    key = sort_by.removeprefix("-")
    found.sort(
        key=lambda task: ((task.due or date.max) if key == "due_date" else getattr(task, key), task.id),
        reverse=sort_by[0] == "-",
    )
    return [_task(task) for task in page(found, page_index, page_limit)]


@todo.api(returns=[TASK])
def search_tasks(ctx: Ctx, query: Query = "", page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """Search all your tasks by words of title and description, oldest first; paginated."""
    mine = oldest_first(ctx.state[TodoTask].of(ctx.me.id))
    found = [task for task in mine if matches(query, task.title, task.description)]
    return [_task(task) for task in page(found, page_index, page_limit)]


@todo.api(returns=IN_FULL)
def show_task(ctx: Ctx, task_id: TaskId) -> Json:
    """Show one task with its description, its subtasks and how many comments it has."""
    task = _mine(ctx, task_id)
    return {
        **_task(task),
        "description": task.description,
        "subtasks": [
            {"subtask_number": n, "title": step.title, "done": step.done} for n, step in enumerate(task.subtasks, 1)
        ],
        "comments": sum(one.task_id == task_id for one in ctx.state[TaskComment].of(ctx.me.id)),
    }


@todo.api(returns=DONE)
def create_task(
    ctx: Ctx,
    title: Annotated[str, "what to do"],
    project_id: Annotated[int | None, "project it belongs to; your Inbox unless given"] = None,
    description: Annotated[str, "more about it"] = "",
    due_date: Annotated[str | None, "day it is due, such as 2025-01-31"] = None,
    priority: Priority = 4,
    labels: Annotated[list[str] | None, "labels of the task"] = None,
) -> Json:
    """Make a new task."""
    made = rows.add_task(
        ctx.state,
        ctx.me.id,
        _titled(title),
        project=_open_project(ctx, project_id).id if project_id is not None else None,
        description=description,
        due=day("due_date", due_date) if due_date else None,
        priority=priority,
        labels=labels or (),
    )
    return {"message": "Task created.", "task_id": made.id}


@todo.api(returns=DONE)
def update_task(
    ctx: Ctx,
    task_id: TaskId,
    title: Annotated[str | None, "new title"] = None,
    description: Annotated[str | None, "new description"] = None,
    due_date: Annotated[str | None, "new due date, such as 2025-01-31; empty text for none"] = None,
    priority: Annotated[int | None, "new priority, 1 most urgent", Span(1, 4)] = None,
    labels: Annotated[list[str] | None, "new labels, in place of all the old"] = None,
) -> Json:
    """Change a task; what you do not give stays."""
    task = _mine(ctx, task_id)
    fields: dict[str, Any] = {"description": description, "priority": priority}
    if title is not None:
        fields["title"] = _titled(title)
    if labels is not None:
        fields["labels"] = tidy(labels)
    fields = {key: value for key, value in fields.items() if value is not None}
    if due_date is not None:
        fields["due"] = day("due_date", due_date) if due_date else None
    if not fields:
        invalid("Give at least one of title, description, due_date, priority, labels.")
    rows.edit_task(ctx.state, task.id, **fields)
    return {"message": "Task updated.", "task_id": task_id}


@todo.api(returns=DONE)
def mark_task_done(ctx: Ctx, task_id: TaskId) -> Json:
    """Mark a task as done."""
    if _mine(ctx, task_id).done:
        conflict(f"Task {task_id} is already done.")
    rows.finish(ctx.state, task_id)
    return {"message": "Task done.", "task_id": task_id}


@todo.api(returns=DONE)
def reopen_task(ctx: Ctx, task_id: TaskId) -> Json:
    """Mark a done task as not done."""
    if not _mine(ctx, task_id).done:
        conflict(f"Task {task_id} is not done.")
    rows.reopen(ctx.state, task_id)
    return {"message": "Task reopened.", "task_id": task_id}


@todo.api(returns=DONE)
def move_task(ctx: Ctx, task_id: TaskId, project_id: ProjectId) -> Json:
    """Move a task to another project."""
    task, project = _mine(ctx, task_id), _open_project(ctx, project_id)
    if task.project_id == project.id:
        conflict(f"Task {task_id} is already in '{project.name}'.")
    rows.edit_task(ctx.state, task.id, project_id=project.id)
    return {"message": f"Task moved to '{project.name}'.", "task_id": task_id}


@todo.api(returns=DONE)
def delete_task(ctx: Ctx, task_id: TaskId) -> Json:
    """Delete a task for good."""
    rows.remove_task(ctx.state, _mine(ctx, task_id).id)
    return {"message": "Task deleted.", "task_id": task_id}


@todo.api(returns=[{"label": "string", "tasks": 1}])
def list_labels(ctx: Ctx) -> Json:
    """List your labels and how many tasks have each."""
    names = (name for task in ctx.state[TodoTask].of(ctx.me.id) for name in task.labels)
    return [{"label": name, "tasks": count} for name, count in counted(names)]


@todo.api(returns=DONE)
def label_task(ctx: Ctx, task_id: TaskId, label: Annotated[str, "name of the label"]) -> Json:
    """Give a task a label."""
    if not label.strip():
        invalid("label must not be empty.")
    rows.label(ctx.state, _mine(ctx, task_id).id, label)
    return {"message": "Label added.", "task_id": task_id}


@todo.api(returns=DONE)
def unlabel_task(ctx: Ctx, task_id: TaskId, label: Annotated[str, "name of the label"]) -> Json:
    """Take a label from a task."""
    if label.lower() not in _mine(ctx, task_id).labels:
        conflict(f"Task {task_id} has no label '{label[:40]}'.")
    rows.unlabel(ctx.state, task_id, label)
    return {"message": "Label removed.", "task_id": task_id}


# Subtasks and comments


@todo.api(returns={**DONE, "subtask_number": 1})
def add_subtask(ctx: Ctx, task_id: TaskId, title: Annotated[str, "what the step is"]) -> Json:
    """Add a subtask at the end of a task's subtasks."""
    task = rows.add_subtask(ctx.state, _mine(ctx, task_id).id, _titled(title))
    return {"message": "Subtask added.", "task_id": task_id, "subtask_number": len(task.subtasks)}


@todo.api(returns={**DONE, "subtask_number": 1})
def update_subtask(
    ctx: Ctx, task_id: TaskId, subtask_number: Number, done: Annotated[bool, "done or not"] = True
) -> Json:
    """Mark a subtask as done, or as not done."""
    _step(ctx, task_id, subtask_number)
    rows.set_subtask(ctx.state, task_id, subtask_number, done=done)
    return {"message": "Subtask updated.", "task_id": task_id, "subtask_number": subtask_number}


@todo.api(returns=DONE)
def delete_subtask(ctx: Ctx, task_id: TaskId, subtask_number: Number) -> Json:
    """Delete a subtask; the numbers of those after it go down by one."""
    _step(ctx, task_id, subtask_number)
    rows.remove_subtask(ctx.state, task_id, subtask_number)
    return {"message": "Subtask deleted.", "task_id": task_id}


@todo.api(returns=[COMMENT])
def list_comments(ctx: Ctx, task_id: TaskId, page_index: PageIndex = 0, page_limit: PageLimit = 5) -> Json:
    """List the comments of a task, oldest first; paginated."""
    _mine(ctx, task_id)
    mine = sorted(ctx.state[TaskComment].of(ctx.me.id), key=lambda one: one.written_at)
    found = [one for one in mine if one.task_id == task_id]
    return [
        {"comment_id": one.id, "task_id": task_id, "text": one.text, "written_at": one.written_at.isoformat()}
        for one in page(found, page_index, page_limit)
    ]


@todo.api(returns={"message": "string", "comment_id": 1})
def add_comment(ctx: Ctx, task_id: TaskId, text: Annotated[str, "the comment"]) -> Json:
    """Write a comment under a task."""
    made = rows.comment(ctx.state, _mine(ctx, task_id).id, text)
    return {"message": "Comment added.", "comment_id": made.id}


@todo.api(returns={"message": "string", "comment_id": 1})
def delete_comment(ctx: Ctx, comment_id: Annotated[int, "id of the comment"]) -> Json:
    """Delete a comment."""
    found = ctx.state[TaskComment].get(comment_id)
    if found is None or found.owner != ctx.me.id:
        missing("comment", comment_id)
    ctx.state[TaskComment].remove(comment_id)
    return {"message": "Comment deleted.", "comment_id": comment_id}
