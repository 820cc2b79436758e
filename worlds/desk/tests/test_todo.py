"""Todo through its APIs: projects, tasks, subtasks and comments."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any

import pytest
from household import answer
from prowess_desk.apps.todo import (
    Project,
    Subtask,
    TaskComment,
    TodoTask,
    add_project,
    add_task,
    comment,
    edit_task,
    todo,
)
from prowess_desk.data.todo import generate
from prowess_desk.engine.api import ApiError, Session
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import Person, people
from prowess_desk.engine.tables import Base, State

NOW = datetime(2025, 5, 18, 12)
ADA, BEN = people(1)[:2]


class Desk:
    """Ada has an inbox (1), a house (2) with seven tasks and an archived trip (3)."""

    def __init__(self) -> None:
        projects = [
            Project(id=1, owner=ADA.id, name="Inbox", color="gray"),
            Project(id=2, owner=ADA.id, name="House", color="blue"),
            Project(id=3, owner=ADA.id, name="Trip", color="red", archived=True),
        ]
        tasks = [
            TodoTask(
                id=n,
                owner=ADA.id,
                project_id=2,
                title=f"fix door {n}",
                description="with oil" if n == 3 else "",
                due=date(2025, 5, 30 - n) if n < 6 else None,
                priority=1 + n % 4,
                labels=("quick",) if n % 2 else (),
                done=n == 7,
                subtasks=(Subtask(title="buy"), Subtask(title="try")) if n == 1 else (),
                created_at=NOW - timedelta(days=10 - n),
            )
            for n in range(1, 8)
        ]
        bases = [Base(Person, (ADA, BEN)), Base(Project, projects), Base(TodoTask, tasks), Base(TaskComment)]
        self.state = State.over(bases, NOW)
        self.session = Session(supervisor=ADA, instruction="", universe=1, seed=1)
        self.session.tokens = {("todo", "ada"): ADA.id, ("todo", "ben"): BEN.id}

    def __call__(self, api: str, *, token: str = "ada", **arguments: Any) -> Any:
        return answer(todo.apis[api], self.state, self.session, access_token=token, **arguments)

    def refused(self, api: str, **arguments: Any) -> int:
        with pytest.raises(ApiError) as refusal:
            self(api, **arguments)
        return refusal.value.code


@pytest.fixture
def desk() -> Desk:
    return Desk()


def ids(found: list[Any]) -> list[int]:
    return [one["task_id"] for one in found]


def test_projects_are_listed_made_changed_and_deleted_with_their_tasks(desk: Desk) -> None:
    assert [(one["name"], one["open_tasks"]) for one in desk("list_projects")] == [("Inbox", 0), ("House", 6)]
    assert [one["name"] for one in desk("list_projects", archived=True)] == ["Trip"]
    made = desk("create_project", name="Garden", color="green")["project_id"]
    assert desk.refused("create_project", name="garden") == 409
    assert desk.refused("create_project", name="Boat", color="pink") == 422
    desk("update_project", project_id=made, name="Balcony", archived=True)
    assert desk.refused("update_project", project_id=made) == 422
    assert desk.refused("update_project", project_id=made, name="House") == 409
    desk("update_project", project_id=made, name="BALCONY")  # its own name may be written otherwise
    assert desk.refused("delete_project", project_id=1) == 409
    assert desk.refused("delete_project", token="ben", project_id=2) == 404
    desk("add_comment", task_id=1, text="soon")
    desk("delete_project", project_id=2)
    assert desk("list_tasks") == [] and list(desk.state[TaskComment]) == []


def test_tasks_are_filtered_sorted_and_paged(desk: Desk) -> None:
    assert ids(desk("list_tasks")) == [1, 2, 3, 4, 5]
    assert ids(desk("list_tasks", page_index=1)) == [6, 7]
    assert ids(desk("list_tasks", sort_by="due_date")) == [5, 4, 3, 2, 1]
    assert ids(desk("list_tasks", due_from="2025-05-27", due_until="2025-05-28")) == [2, 3]
    assert ids(desk("list_tasks", done=True)) == [7]
    assert ids(desk("list_tasks", label="Quick", done=False)) == [1, 3, 5]
    assert ids(desk("list_tasks", priority=1)) == [4]
    assert desk("list_tasks", project_id=1) == []
    assert desk.refused("list_tasks", project_id=9) == 404
    assert desk.refused("list_tasks", due_from="soon") == 422
    assert ids(desk("search_tasks", query="OIL door")) == [3]
    assert desk.refused("list_tasks", token="x") == 401


def test_a_task_is_made_in_the_inbox_unless_told_otherwise(desk: Desk) -> None:
    made = desk("create_task", title="buy paint", due_date="2025-06-01", priority=2, labels=["B", "a"])["task_id"]
    shown = desk("show_task", task_id=made)
    assert (shown["project_id"], shown["due_date"], shown["labels"]) == (1, "2025-06-01", ["a", "b"])
    assert desk.refused("create_task", title="x", project_id=3) == 409
    assert desk.refused("create_task", title="") == 422
    assert desk.refused("create_task", title="x", priority=5) == 422
    assert desk.refused("show_task", token="ben", task_id=made) == 404


def test_a_task_is_changed_moved_finished_reopened_and_deleted(desk: Desk) -> None:
    desk("update_task", task_id=1, title="fix gate", due_date="", priority=1)
    shown = desk("show_task", task_id=1)
    assert (shown["title"], shown["due_date"], shown["priority"]) == ("fix gate", None, 1)
    assert desk.refused("update_task", task_id=1) == 422
    desk("move_task", task_id=1, project_id=1)
    assert desk.refused("move_task", task_id=1, project_id=1) == 409
    assert desk.refused("move_task", task_id=1, project_id=3) == 409
    desk("mark_task_done", task_id=1)
    assert desk.refused("mark_task_done", task_id=1) == 409
    assert desk("show_task", task_id=1)["completed_at"] == "2025-05-18T12:00:00"
    desk("reopen_task", task_id=1)
    assert desk.refused("reopen_task", task_id=1) == 409
    desk("delete_task", task_id=1)
    assert desk.refused("show_task", task_id=1) == 404


def test_labels_are_counted_given_and_taken(desk: Desk) -> None:
    desk("label_task", task_id=2, label="Phone")
    assert desk("list_labels") == [{"label": "phone", "tasks": 1}, {"label": "quick", "tasks": 4}]
    desk("unlabel_task", task_id=2, label="phone")
    assert desk.refused("unlabel_task", task_id=2, label="phone") == 409


def test_subtasks_are_numbered_by_place(desk: Desk) -> None:
    assert desk("add_subtask", task_id=1, title="paint")["subtask_number"] == 3
    desk("update_subtask", task_id=1, subtask_number=2)
    desk("delete_subtask", task_id=1, subtask_number=1)
    assert desk("show_task", task_id=1)["subtasks"] == [
        {"subtask_number": 1, "title": "try", "done": True},
        {"subtask_number": 2, "title": "paint", "done": False},
    ]
    assert desk.refused("update_subtask", task_id=1, subtask_number=3) == 404
    assert desk.refused("delete_subtask", task_id=1, subtask_number=0) == 404


def test_comments_are_ones_own(desk: Desk) -> None:
    made = [desk("add_comment", task_id=2, text=f"{n}")["comment_id"] for n in range(6)]
    assert [one["text"] for one in desk("list_comments", task_id=2, page_index=1)] == ["5"]
    assert desk("show_task", task_id=2)["comments"] == 6
    assert desk.refused("delete_comment", token="ben", comment_id=made[0]) == 404
    desk("delete_comment", comment_id=made[0])
    assert desk("show_task", task_id=2)["comments"] == 5


def test_everybody_in_a_universe_has_an_inbox_and_tasks_of_different_titles() -> None:
    everyone = people(7)
    projects, tasks, _ = (base.rows.values() for base in generate(7, everyone, NOW))
    assert {one.owner for one in projects if one.name == "Inbox"} == {person.id for person in everyone}
    titles = [(task.owner, task.title) for task in tasks]
    assert len(titles) == len(set(titles))
    assert all((task.completed_at is not None) == task.done for task in tasks)


def test_in_which_order_new_projects_and_tasks_were_made_does_not_matter() -> None:
    start, ends = Desk().state, []
    for order in (("Boat", "Shed"), ("Shed", "Boat")):
        state = start.fork()
        for name in order:
            task = add_task(state, ADA.id, f"paint the {name}", project=add_project(state, ADA.id, name).id)
            comment(state, task.id, f"{name} first")
        ends.append(state)
    assert changes(start, ends[0]) == changes(start, ends[1])
    edit_task(ends[1], 8, project_id=2)
    assert changes(start, ends[0]) != changes(start, ends[1]), "another project is another task"
