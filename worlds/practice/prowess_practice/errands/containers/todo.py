"""Containers of the todo app: projects and labels with their tasks, tasks with their steps and comments."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.engine.family import Day, Draw
from prowess_desk.families.toolbox import all_pages, apis, login

from prowess.types import Json
from prowess_practice.drills.conditions import Condition, among, before, contains, flag, since
from prowess_practice.drills.direct_calls import looked_up
from prowess_practice.drills.listing import Action, rename
from prowess_practice.drills.listings_work import LABEL, RANK, TASK
from prowess_practice.errands.containers.parts import (
    ContainerDeed,
    ContainerFilter,
    ContainerKind,
    Inside,
    Skip,
    done_by,
    one_of,
)

_OPEN = flag("done", "still to do", "still to do", yes=False)
_DONE = flag("done", "already done", "already done")
_PRIORITY = Condition(
    word="of_priority",
    says="of priority {priority}",
    about="of a priority",
    code='ROW["priority"] == priority',
    slot="priority",
    kind=int,
    pick=lambda rng, rows: rng.choice([row["priority"] for row in rows]),
)
_LABELLED = among("labels", 'labelled "{label}"', "with a label", slot="label")
_UNDATED = Condition(
    word="without_date", says="without a due date", about="without a due date", code='not ROW["due_date"]'
)
_TASKS = (
    _LABELLED,
    _OPEN,
    _PRIORITY,
    before("due_date", "due before {before}", "due before a day"),
    _DONE,
    since("created_at", "created on or after {since}", "created since a day"),
    _UNDATED,
    since("due_date", "due on or after {since}", "due since a day"),
)
_WORDS = ("Checked.", "Who does this?", "Ask again.", "Almost there.", "Look at this first.", "Talk about it.")
_PROJECTS = ("Leftovers", "Second look", "Next month", "Sorted out", "Side track")


def _open_projects() -> Json:
    return all_pages(apis.todo.list_projects, access_token=login(app="todo"))


def _own_project(draw: Draw) -> str | None:
    names = [row["name"] for row in looked_up(_open_projects, draw.state.origin, draw.me.id, {})]
    return draw.rng.choice(names) if names else None


TICKING = ContainerDeed(
    word="tick_off",
    says="mark OBJ as done",
    call=f"apis.todo.mark_task_done(access_token=todo_token, {TASK})",
    app="todo",
    skip=Skip(test='ROW["done"]', says="Skip tasks that are done already."),
)
_REOPENING = ContainerDeed(
    word="reopen",
    says="reopen OBJ",
    call=f"apis.todo.reopen_task(access_token=todo_token, {TASK})",
    app="todo",
    skip=Skip(test='not ROW["done"]', says="Skip tasks that are not done."),
)
_LABELLING = done_by(LABEL, "todo")
_RANKING = done_by(RANK, "todo")
_DELETING = ContainerDeed(
    word="delete", says="delete OBJ", call=f"apis.todo.delete_task(access_token=todo_token, {TASK})", app="todo"
)
_COMMENTING = ContainerDeed(
    word="comment_on",
    says='write the comment "{comment}" under OBJ',
    call=f"apis.todo.add_comment(access_token=todo_token, {TASK}, text=comment)",
    app="todo",
    slot="comment",
    choose=one_of(*_WORDS),
)
_EXTENDING = ContainerDeed(
    word="extend",
    says='add a subtask "{step}" to OBJ',
    call=f"apis.todo.add_subtask(access_token=todo_token, {TASK}, title=step)",
    app="todo",
    slot="step",
    choose=one_of("Check the result", "Ask around", "Write it down", "Plan it"),
)
_DATING = ContainerDeed(
    word="date",
    says="set the due date of OBJ to {due}",
    call=f"apis.todo.update_task(access_token=todo_token, {TASK}, due_date=due)",
    app="todo",
    slot="due",
    kind=Day,
    choose=lambda draw: f"2027-0{draw.rng.randint(1, 9)}-{draw.rng.randint(10, 28)}",
)
_MOVING = ContainerDeed(
    word="move",
    says='move OBJ to my todo project "{target}"',
    call=f"apis.todo.move_task(access_token=todo_token, {TASK}, project_id=goal_id)",
    app="todo",
    slot="target",
    choose=_own_project,
    skip=Skip(
        test='ROW["project_id"] == goal_id',
        prelude=(
            "    mine = all_pages(apis.todo.list_projects, access_token=todo_token)\n"
            '    goal_id = next(one["project_id"] for one in mine if one["name"] == target)\n'
        ),
        says="Skip tasks that are there already.",
    ),
)
_GATHERING = ContainerDeed(
    word="gather",
    says='move OBJ to a new todo project called "{new_project}"',
    about="move OBJ to a new project",
    before=(
        "    made = apis.todo.create_project(access_token=todo_token, name=new_project)\n"
        '    new_id = made["project_id"]\n'
    ),
    call=f"apis.todo.move_task(access_token=todo_token, {TASK}, project_id=new_id)",
    app="todo",
    slot="new_project",
    choose=one_of(*_PROJECTS),
)
_IN_PROJECT = Inside(
    word="tasks",
    row="task",
    rows="tasks",
    look='all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=OUT["project_id"])',
    one="task",
    many="tasks",
    name='ROW["title"]',
    called="title",
    conditions=_TASKS,
    dated="created_at",
    happened="created",
    deeds=(TICKING, _LABELLING, _RANKING, _MOVING, _COMMENTING, _DELETING, _GATHERING, _EXTENDING, _REOPENING, _DATING),
)
_STEPS = Inside(
    word="subtasks",
    row="subtask",
    rows="subtasks",
    look='apis.todo.show_task(access_token=todo_token, task_id=OUT["task_id"])["subtasks"]',
    one="subtask",
    many="subtasks",
    prep="under",
    name='ROW["title"]',
    called="title",
    small=True,
    conditions=(
        replace(contains("title", 'with the word "{word}" in the title', "with a word in it"), coarse=True),
        _OPEN,
        _DONE,
    ),
    deeds=(
        ContainerDeed(
            word="tick_off",
            says="mark OBJ as done",
            call=(
                'apis.todo.update_subtask(access_token=todo_token, task_id=OUT["task_id"], '
                'subtask_number=ROW["subtask_number"], done=True)'
            ),
            app="todo",
        ),
        ContainerDeed(
            word="untick",
            says="mark OBJ as not done",
            call=(
                'apis.todo.update_subtask(access_token=todo_token, task_id=OUT["task_id"], '
                'subtask_number=ROW["subtask_number"], done=False)'
            ),
            app="todo",
        ),
        ContainerDeed(
            word="raise",
            says="make a todo task of its own, with the same title and nothing else, of each of OBJ",
            about="make a task of OBJ",
            call='apis.todo.create_task(access_token=todo_token, title=ROW["title"])',
            app="todo",
        ),
    ),
)
_COMMENTS = Inside(
    word="comments",
    row="comment",
    rows="comments",
    look='all_pages(apis.todo.list_comments, access_token=todo_token, task_id=OUT["task_id"])',
    one="comment",
    many="comments",
    prep="under",
    name='ROW["text"]',
    called="text",
    small=True,
    conditions=(
        replace(contains("text", 'with the word "{word}" in it', "with a word in it"), coarse=True),
        since("written_at", "written on or after {since}", "written since a day"),
        before("written_at", "written before {before}", "written before a day"),
    ),
    dated="written_at",
    happened="written",
    deeds=(
        ContainerDeed(
            word="delete",
            says="delete OBJ",
            call='apis.todo.delete_comment(access_token=todo_token, comment_id=ROW["comment_id"])',
            app="todo",
        ),
    ),
)

PROJECTS = ContainerKind(
    app="todo",
    word="projects",
    row="project",
    rows="projects",
    lists="all_pages(apis.todo.list_projects, access_token=todo_token)",
    one="unarchived todo project",
    many="unarchived todo projects",
    key='ROW["project_id"]',
    name='ROW["name"]',
    called="name",
    insides=(_IN_PROJECT,),
)
OWN_PROJECTS = replace(
    PROJECTS,
    word="own_projects",
    lists='[one for one in all_pages(apis.todo.list_projects, access_token=todo_token) if one["name"] != "Inbox"]',
    one="unarchived todo project (other than the Inbox)",
    many="unarchived todo projects (other than the Inbox)",
    of="",
    insides=(replace(_IN_PROJECT, deeds=(replace(_COMMENTING, word="remark_on"),), conditions=_TASKS[::-1]),),
    deeds=(
        done_by(rename("update_project", "project_id", "name"), "todo"),
        ContainerDeed(
            word="archive",
            says="put OBJ into the archive",
            call='apis.todo.update_project(access_token=todo_token, project_id=ROW["project_id"], archived=True)',
            app="todo",
        ),
        done_by(
            Action(
                api="update_project",
                verb="paint",
                arguments='project_id=ROW["project_id"], color=new_color',
                after=' in the colour "{new_color}"',
                slot="new_color",
                choices=("red", "green", "blue", "yellow", "orange", "purple", "gray"),
            ),
            "todo",
        ),
        ContainerDeed(
            word="delete",
            says="delete OBJ with all that is in it",
            about="delete OBJ",
            call='apis.todo.delete_project(access_token=todo_token, project_id=ROW["project_id"])',
            app="todo",
        ),
        ContainerDeed(
            word="plan",
            says='add a task "{task_title}" to OBJ',
            call='apis.todo.create_task(access_token=todo_token, title=task_title, project_id=ROW["project_id"])',
            app="todo",
            slot="task_title",
            choose=one_of("Review this project", "Set a deadline", "Find help", "Cut it down"),
        ),
    ),
)
_TASK_KIND = ContainerKind(
    app="todo",
    word="tasks",
    row="task",
    rows="tasks",
    few=False,
    lists="all_pages(apis.todo.list_tasks, access_token=todo_token)",
    one="todo task",
    many="todo tasks",
    key='ROW["task_id"]',
    name='ROW["title"]',
    called="title",
    filters=(
        ContainerFilter(word="open", adjective="open ", given="done=False"),
        ContainerFilter(
            word="labelled",
            post=' labelled "{label}"',
            condition=_LABELLED,
        ),
        ContainerFilter(word="of_priority", post=" of priority {priority}", condition=_PRIORITY),
        ContainerFilter(word="done", adjective="completed ", given="done=True"),
    ),
    insides=(),
)
STEPPED = replace(
    _TASK_KIND,
    insides=(_STEPS,),
    deeds=(TICKING, _LABELLING, _RANKING, _DATING, _DELETING, _COMMENTING, _GATHERING, _EXTENDING),
)
COMMENTED = replace(
    _TASK_KIND,
    word="discussed_tasks",
    insides=(_COMMENTS,),
    deeds=(_RANKING, _LABELLING, _MOVING, replace(TICKING, word="finish"), _EXTENDING),
)
LABELS = ContainerKind(
    app="todo",
    word="labels",
    row="entry",
    rows="entries",
    lists="apis.todo.list_labels(access_token=todo_token)",
    one="label in my todo app",
    many="labels in my todo app",
    whose="the",
    of="",
    key='ROW["label"]',
    name='ROW["label"]',
    called="name",
    insides=(
        replace(
            _IN_PROJECT,
            look='all_pages(apis.todo.list_tasks, access_token=todo_token, label=OUT["label"])',
            prep="under",
            key='ROW["task_id"]',
            conditions=(*_TASKS[1:], contains("title", 'with the word "{word}" in the title', "with a word in it")),
            deeds=(
                ContainerDeed(
                    word="unlabel",
                    says="take the label in question from OBJ",
                    about="unlabel OBJ",
                    call=f'apis.todo.unlabel_task(access_token=todo_token, {TASK}, label=OUT["label"])',
                    app="todo",
                ),
                replace(_COMMENTING, key='ROW["task_id"]'),
                replace(_RANKING, key='ROW["task_id"]'),
                replace(TICKING, key='ROW["task_id"]'),
                replace(_MOVING, key='ROW["task_id"]'),
            ),
        ),
    ),
)
TODO = (PROJECTS, OWN_PROJECTS, STEPPED, COMMENTED, LABELS)
