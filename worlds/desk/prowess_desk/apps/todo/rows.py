"""What the todo app keeps, and the changes that can be made to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, ClassVar

from prowess_desk.engine.reading import labels as tidy
from prowess_desk.engine.reading import without
from prowess_desk.engine.tables import State

COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "gray")
INBOX = "Inbox"
"""The project everybody has, for tasks without another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A named list of tasks; names are unique among the projects of one person."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int
    owner: int
    name: str
    color: str
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Subtask:
    """A step of a task, kept inside it; its number is its place, from 1."""

    title: str
    done: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoTask:
    """Something to do."""

    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("created_at", "completed_at")
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"project_id": Project}

    id: int
    owner: int
    project_id: int
    title: str
    description: str
    due: date | None
    priority: int
    """1 is the most urgent, 4 the least."""
    labels: tuple[str, ...]
    """Lower case and sorted."""
    done: bool
    subtasks: tuple[Subtask, ...]
    created_at: datetime
    completed_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskComment:
    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("written_at",)
    REFERS: ClassVar[Mapping[str, type[Any]]] = {"task_id": TodoTask}

    id: int
    owner: int
    task_id: int
    text: str
    written_at: datetime


def add_project(state: State, owner: int, name: str, color: str = "gray") -> Project:
    """Make a new project."""
    return state[Project].add(lambda id: Project(id=id, owner=owner, name=name, color=color))


def project_named(state: State, owner: int, name: str) -> Project:
    """A person's project of this name, for those who know that it exists."""
    return next(project for project in state[Project].of(owner) if project.name == name)


def inbox(state: State, owner: int) -> Project:
    """The project for tasks without another."""
    return project_named(state, owner, INBOX)


def remove_project(state: State, project: int) -> None:
    """Delete a project with its tasks and their comments."""
    owner = state[Project][project].owner
    _remove_tasks(state, owner, {task.id for task in state[TodoTask].of(owner) if task.project_id == project})
    state[Project].remove(project)


def add_task(
    state: State,
    owner: int,
    title: str,
    *,
    project: int | None = None,
    description: str = "",
    due: date | None = None,
    priority: int = 4,
    labels: Sequence[str] = (),
    subtasks: Sequence[str] = (),
) -> TodoTask:
    """Make a new task, in the inbox unless a project is given."""
    place = project if project is not None else inbox(state, owner).id
    return state[TodoTask].add(
        lambda id: TodoTask(
            id=id,
            owner=owner,
            project_id=place,
            title=title,
            description=description,
            due=due,
            priority=priority,
            labels=tidy(labels),
            done=False,
            subtasks=tuple(Subtask(title=one) for one in subtasks),
            created_at=state.now,
        )
    )


def task_titled(state: State, owner: int, title: str) -> TodoTask:
    """A person's task of this title, for those who know that it exists."""
    return next(task for task in state[TodoTask].of(owner) if task.title == title)


def edit_task(state: State, task: int, **fields: Any) -> TodoTask:
    """Change title, description, due, priority, labels or project_id."""
    return state[TodoTask].change(task, **fields)


def finish(state: State, task: int) -> TodoTask:
    """Mark as done; its subtasks stay as they are."""
    return state[TodoTask].change(task, done=True, completed_at=state.now)


def reopen(state: State, task: int) -> TodoTask:
    """Mark as not done."""
    return state[TodoTask].change(task, done=False, completed_at=None)


def remove_task(state: State, task: int) -> None:
    """Delete a task with its comments."""
    _remove_tasks(state, state[TodoTask][task].owner, {task})


def _remove_tasks(state: State, owner: int, tasks: Collection[int]) -> None:
    for comment in state[TaskComment].of(owner):
        if comment.task_id in tasks:
            state[TaskComment].remove(comment.id)
    for task in tasks:
        state[TodoTask].remove(task)


def label(state: State, task: int, name: str) -> TodoTask:
    """Add a label."""
    return state[TodoTask].change(task, labels=tidy((*state[TodoTask][task].labels, name)))


def unlabel(state: State, task: int, name: str) -> TodoTask:
    """Take a label away."""
    return state[TodoTask].change(task, labels=without(state[TodoTask][task].labels, name.lower()))


def add_subtask(state: State, task: int, title: str) -> TodoTask:
    """Add a step at the end of a task's."""
    return state[TodoTask].change(task, subtasks=(*state[TodoTask][task].subtasks, Subtask(title=title)))


def set_subtask(state: State, task: int, number: int, *, done: bool) -> TodoTask:
    """Mark the numbered step as done or not."""
    steps = list(state[TodoTask][task].subtasks)
    steps[number - 1] = replace(steps[number - 1], done=done)
    return state[TodoTask].change(task, subtasks=tuple(steps))


def remove_subtask(state: State, task: int, number: int) -> TodoTask:
    """Delete the numbered step; those after it move up."""
    steps = state[TodoTask][task].subtasks
    return state[TodoTask].change(task, subtasks=steps[: number - 1] + steps[number:])


def comment(state: State, task: int, text: str) -> TaskComment:
    """Write a comment under a task."""
    owner = state[TodoTask][task].owner
    return state[TaskComment].add(
        lambda id: TaskComment(id=id, owner=owner, task_id=task, text=text, written_at=state.now)
    )
