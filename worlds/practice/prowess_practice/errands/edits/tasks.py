"""Tasks: which of them are changed, and what to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prowess_desk.apps.todo import INBOX, Project, TodoTask
from prowess_desk.engine.family import Day, Draw

from prowess_practice.drills.conditions import Condition, contains
from prowess_practice.errands.edits.changes import (
    drawn,
    like,
    like_first,
    numbered,
    one_of,
    prefixed,
    reworded,
    same_as,
    shouted,
    tailed,
)
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.people.slots import DUE, PROJECT
from prowess_practice.errands.transfers.scene import more_tasks

_LISTING = listed("todo", "tasks")
TARGET = Target(
    word="tasks",
    app="todo",
    row="task",
    rows="tasks",
    reads=("tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)",),
    mine="my open tasks in the todo app",
    name="title",
    called="title",
    update='apis.todo.update_task(access_token=todo_token, task_id=task["task_id"]',
    stage=more_tasks,
)
TASK_ID = 'access_token=todo_token, task_id=task["task_id"]'
FULL = f"full_task = apis.todo.show_task({TASK_ID})"
NAMES = (
    "projects = all_pages(apis.todo.list_projects, access_token=todo_token)",
    'project_names = {project["project_id"]: project["name"] for project in projects}',
)


def some_label(draw: Draw) -> str | None:
    labels = [label for task in draw.state[TodoTask].of(draw.me.id) if not task.done for label in task.labels]
    return draw.rng.choice(labels) if labels else None


def _some_project(draw: Draw) -> str | None:
    mine = [one for one in draw.state[Project].of(draw.me.id) if not one.archived and one.name != INBOX]
    return draw.rng.choice(mine).name if mine else None


def _numbered(condition: Condition) -> Condition:
    """With the priority called a number, as 1 is the most urgent."""
    return replace(condition, says=condition.says.replace("a priority ", "a priority number "))


CHOICES = (
    *(by(TARGET, _numbered(one)) for one in _LISTING.conditions),
    by(TARGET, contains("title", 'with "{word}" in the title (in capitals or not)', "with a word in the title")),
    by(TARGET, _LISTING.conditions[0], _LISTING.conditions[4]),
    inside(
        TARGET,
        "of_project",
        ('MINE that belong to the project "{own_project}"', 'MINE in the project "{own_project}"'),
        "of a project",
        'project_names.get(task["project_id"]) == own_project',
        before=NAMES,
        slots={"own_project": str},
        draws=lambda draw: {"own_project": _some_project(draw)},
    ),
    inside(
        TARGET,
        "with_open_steps",
        "MINE with {least} or more subtasks that are not done",
        "with open subtasks",
        'sum(not step["done"] for step in full_task["subtasks"]) >= least',
        looks=(FULL,),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 3)},
    ),
    inside(
        TARGET,
        "with_comments",
        "MINE with {least} or more comments",
        "with comments",
        'full_task["comments"] >= least',
        looks=(FULL,),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(1, 3)},
    ),
    inside(
        TARGET,
        "overdue",
        "MINE that were due before today, by the date in my phone, and have a priority number of at most {urgent}",
        "that are overdue and urgent",
        'task["due_date"] and task["due_date"] < today and task["priority"] <= urgent',
        before=('today = apis.phone.show_current_date_and_time()["date"]',),
        apps=("phone",),
        slots={"urgent": int},
        draws=lambda draw: {"urgent": draw.rng.randint(1, 4)},
    ),
    inside(
        TARGET,
        "commented_with",
        ('MINE with a comment in which "{word}" occurs, in capitals or not',),
        "with a word in a comment",
        'any(word in comment["text"].lower() for comment in comments)',
        looks=(f"comments = all_pages(apis.todo.list_comments, {TASK_ID})",),
        slots={"word": str},
        draws=lambda draw: {"word": draw.rng.choice(("the", "on", "it", "is", "for", "ask", "to"))},
    ),
    inside(
        TARGET,
        "of_coloured_projects",
        'MINE that belong to an unarchived project of the colour "{colour}"',
        "of projects of a colour",
        'task["project_id"] in coloured',
        before=(
            "projects = all_pages(apis.todo.list_projects, access_token=todo_token)",
            'coloured = [project["project_id"] for project in projects if project["color"] == colour]',
        ),
        slots={"colour": str},
        draws=lambda draw: {"colour": draw.rng.choice([one.color for one in draw.state[Project].of(draw.me.id)])},
    ),
    ranked(
        TARGET,
        "oldest",
        (
            "my {count} oldest open tasks in the todo app",
            "the {count} open tasks in my todo app that were created first",
        ),
        "the oldest tasks",
        'task["created_at"]',
        highest=False,
        most=6,
    ),
    ranked(
        TARGET,
        "newest",
        (
            "my {count} newest open tasks in the todo app",
            "the {count} open tasks in my todo app that were created last",
        ),
        "the newest tasks",
        'task["created_at"]',
        highest=True,
        most=6,
    ),
)


_DUE = 'task["due_date"]'
_DAYS = one_of("days", "2|3|5|6|8|9|12|20", int)
_LABEL = one_of("extra_label", "reviewed|keep|someday|to sort|shared|hurry")
_DATED = " Those without a due date stay as they are."


def _due(word: str, says: tuple[str, ...], about: str, *lines: str, **more: Any) -> RowChange:
    """A change of the due date."""
    return RowChange(
        word=word,
        says=tuple(f"{one}{_DATED}" for one in says),
        about=f"{about}, if due at all,",
        each=('due = date.fromisoformat(task["due_date"])', *lines, TARGET.updating("due_date=new_due.isoformat()")),
        also=_DUE,
        **more,
    )


_CHANGES = (
    _due(
        "put_off",
        (
            "Add {days} days to the due dates of WHICH.",
            "TAKE Each of them gets {days} more days until it is due.",
            "I am late with everything. WHICH should be due {days} days after the day they are due now.",
        ),
        "Postpone",
        "new_due = due + timedelta(days=days)",
        slots=(_DAYS,),
    ),
    tailed(
        TARGET,
        "project",
        "f\"{task['title']} ({project_names[task['project_id']]})\"",
        "TITLE (PROJECT)",
        "the name of the project it belongs to, in brackets",
        "the project",
        before=NAMES,
        bars=("tasks_of_project", "tasks_of_coloured"),
    ),
    RowChange(
        word="relabel",
        says=(
            'Where WHICH have the label "{old_label}", put "{extra_label}" in its place.',
            'TAKE Those labelled "{old_label}" lose that label and get "{extra_label}" for it; their other labels'
            " stay.",
            'The label "{old_label}" should go from WHICH. Whichever has it gets "{extra_label}" instead.',
        ),
        about="Swap a label of",
        each=(
            f"apis.todo.unlabel_task({TASK_ID}, label=old_label)",
            f"apis.todo.label_task({TASK_ID}, label=extra_label)",
        ),
        also='old_label in task["labels"]',
        slots=(drawn("old_label", some_label), _LABEL),
        bars=("tasks_with_label",),
    ),
    _due(
        "to_weekday",
        (
            "Move WHICH to the next {weekday_name} after their due date (a week later, where they are due on a"
            " {weekday_name} already).",
            "TAKE Each should be due on the first {weekday_name} that comes after the day it is due now; what is due on"
            " a {weekday_name} moves by a week.",
            "I only work on one day of the week: WHICH should be due on the {weekday_name} that follows their due date."
            " A task that is due on a {weekday_name} goes to the one after.",
        ),
        "Move to the next such weekday",
        "new_due = due + timedelta(days=1)",
        'while new_due.strftime("%A") != weekday_name:',
        "    new_due += timedelta(days=1)",
        slots=(one_of("weekday_name", "Monday|Tuesday|Thursday|Friday|Saturday|Sunday"),),
    ),
    like(TARGET, "priority", "priority", "my open task"),
    like_first(TARGET, "priority", "priority", 'task["created_at"]', "that was created last", last=True),
    RowChange(
        word="spread",
        says=(
            "Spread WHICH over the days from {first_day} on, one a day, in the alphabetical order of their titles:"
            " the first"
            " is due on {first_day}, the second on the day after, and so on.",
            "TAKE Sort them by title and let one be due on each day, beginning with {first_day} for the first.",
            "I want to do one of WHICH every day, in alphabetical order of the titles. Set the due dates accordingly,"
            " with"
            " {first_day} for the first.",
        ),
        about="Spread over days, by title,",
        each=(
            "due = date.fromisoformat(first_day) + timedelta(days=number - 1)",
            TARGET.updating("due_date=due.isoformat()"),
        ),
        order='task["title"]',
        slots=(drawn("first_day", DUE.choose, Day),),
    ),
    numbered(TARGET, 'task["title"]', "in the alphabetical order of their titles"),
    RowChange(
        word="describe",
        says=(
            'Add a line "{front}: DATE" to the description of each of WHICH, DATE being the day it was created, like'
            " 2025-01-31. Where there is no description yet, that line is all of it.",
            'TAKE Their descriptions get a new last line, "{front}: DATE", with the day on which the task was created'
            " (2025-01-31 is the form); an empty description becomes just that line.",
            'The descriptions of WHICH should end with a line that says "{front}: DATE", where DATE is the day of the'
            " task's creation as in 2025-01-31. If a description is empty, it becomes this line alone.",
        ),
        about="Add the day of creation to the description of",
        each=(
            FULL,
            "new_line = f\"{front}: {task['created_at'][:10]}\"",
            "description = f\"{full_task['description']}\\n{new_line}\".strip()",
            TARGET.updating("description=description"),
        ),
        slots=(one_of("front", "Since|Noted on|First seen|Created"),),
    ),
    RowChange(
        word="promote",
        says=(
            'Make WHICH more urgent by one level (3 becomes 2; 1 stays 1) and label them "{extra_label}".',
            'TAKE Lower the priority number of each by one, though not below 1, and add the label "{extra_label}".',
            "WHICH deserve more attention: a priority number smaller by one, with 1 as the smallest, and the further"
            ' label "{extra_label}".',
        ),
        about="Make more urgent and label",
        each=(
            TARGET.updating('priority=max(1, task["priority"] - 1)'),
            f"apis.todo.label_task({TASK_ID}, label=extra_label)",
        ),
        slots=(_LABEL,),
        matters=(('priority=max(1, task["priority"] - 1)', 'priority=task["priority"]'),),
    ),
    RowChange(
        word="move",
        says=(
            'Move WHICH to the project "{project}", as far as they are not there, and put "{front}: " before the'
            " titles of those that move.",
            'TAKE Those that are not in the project "{project}" yet go there, and get "{front}: " in front of the'
            " title.",
            'My project "{project}" should take over WHICH; those already in it are left alone. Let the titles of the'
            ' tasks that move begin with "{front}: ".',
        ),
        about="Move to a project under new titles",
        before=(
            "all_projects = all_pages(apis.todo.list_projects, access_token=todo_token)",
            'project_id = next(one["project_id"] for one in all_projects if one["name"] == project)',
        ),
        each=(
            'if task["project_id"] != project_id:',
            f"    apis.todo.move_task({TASK_ID}, project_id=project_id)",
            f"    apis.todo.update_task({TASK_ID}, title=f\"{{front}}: {{task['title']}}\")",
        ),
        slots=(PROJECT, one_of("front", "New|Moved|From outside|Guest")),
        bars=("tasks_of_project", "tasks_of_coloured"),
    ),
    _due(
        "advance",
        (
            "Let WHICH be due {days} days earlier.",
            "TAKE Bring their due dates forward by {days} days.",
            "I want to be early this time: subtract {days} days from the due dates of WHICH.",
        ),
        "Bring forward",
        "new_due = due - timedelta(days=days)",
        slots=(_DAYS,),
    ),
    RowChange(
        word="steps_to_text",
        says=(
            'Write the titles of the subtasks of WHICH into the description, after "{front}: ", separated by commas and'
            " a space. It replaces the old description; tasks without subtasks are left alone.",
            'TAKE The description of each that has subtasks becomes "{front}: A, B, C", where A, B and C stand for the'
            " titles of its subtasks in their order.",
            'For WHICH, list the subtasks in the description: "{front}: " and then their titles, with a comma and a'
            " space between them, in place of what it says now. Without subtasks, nothing changes.",
        ),
        about="List the subtasks in the description of",
        each=(
            FULL,
            'step_titles = ", ".join(step["title"] for step in full_task["subtasks"])',
            "if step_titles:",
            f'    apis.todo.update_task({TASK_ID}, description=f"{{front}}: {{step_titles}}")',
        ),
        slots=(one_of("front", "Steps|To do|Parts|In detail"),),
    ),
    tailed(
        TARGET,
        "due",
        "f\"{task['title']} by {due_text}\"",
        "TITLE by DAY",
        'the word "by" and the day it is due in the form "August 03", or "by some day" where it is not due at all',
        "the due day",
        finds=(
            'due_text = "some day"',
            'if task["due_date"]:',
            '    due_text = date.fromisoformat(task["due_date"]).strftime("%B %d")',
        ),
    ),
    RowChange(
        word="tick_steps",
        says=(
            'Tick off all subtasks of WHICH that are still open, and add a subtask "{new_step}" to each of the tasks.',
            'TAKE Mark their open subtasks as done, and then give each task one more subtask, "{new_step}", which is'
            " open.",
            "All subtasks of WHICH are done by now, so mark those that are not. After that each task gets the new"
            ' subtask "{new_step}".',
        ),
        about="Tick off the subtasks, and add one, of",
        each=(
            FULL,
            'for step_row in full_task["subtasks"]:',
            '    if not step_row["done"]:',
            f'        apis.todo.update_subtask({TASK_ID}, subtask_number=step_row["subtask_number"])',
            f"apis.todo.add_subtask({TASK_ID}, title=new_step)",
        ),
        slots=(one_of("new_step", "Check the result|Ask around|Write it down|Clean up|Tell everybody"),),
    ),
    RowChange(
        word="due_like",
        says=(
            f'Let WHICH be due {{days}} days before my open task "{{model_task}}" is due.{_DATED}',
            f'TAKE Set their due date to {{days}} days before that of my open task "{{model_task}}".{_DATED}',
            'WHICH have to be ready {days} days before the due date of my open task "{model_task}". Change their due'
            f" dates to that day.{_DATED}",
        ),
        about="Set to days before one task's due date, if due at all,",
        before=(
            'model = next(one for one in tasks if one["title"] == model_task)',
            'new_due = date.fromisoformat(model["due_date"]) - timedelta(days=days)',
        ),
        each=(TARGET.updating("due_date=new_due.isoformat()"),),
        also=_DUE,
        slots=(same_as("model_task", TARGET), _DAYS),
    ),
    RowChange(
        word="copy",
        says=(
            'In my Inbox, add a task for each of WHICH, titled "{front} TITLE" with the old title: it has the same'
            " labels, the priority {new_priority}, and neither due date nor description.",
            'TAKE For each, create a task "{front} TITLE" (TITLE is its title) with its labels, priority'
            " {new_priority}, no due date, no description, and no project given, so that it lands in the Inbox.",
            'I need WHICH a second time in the Inbox: new tasks with the titles "{front} TITLE", the labels of the old'
            " ones and the priority {new_priority}, but without due dates and descriptions.",
        ),
        about="Copy to the inbox",
        each=(
            "new_title = f\"{front} {task['title']}\"",
            "apis.todo.create_task("
            'access_token=todo_token, title=new_title, priority=new_priority, labels=task["labels"])',
        ),
        slots=(one_of("front", "Again:|Double-check:|Follow up:|Repeat:"), one_of("new_priority", "1|2|3", int)),
    ),
    RowChange(
        word="steps_priority",
        says=(
            "Set the priority of WHICH by their comments: {high} if there is at least one, {low} if there is none.",
            "TAKE A task among them with one comment or more gets the priority {high}, a task without comments gets"
            " {low}.",
            "WHICH should have the priority {high} where somebody commented on them, and {low} where there is no"
            " comment.",
        ),
        about="Set by comments the priority of",
        each=(FULL, 'priority = high if full_task["comments"] else low', TARGET.updating("priority=priority")),
        slots=(one_of("high", "1|2", int), one_of("low", "3|4", int)),
        matters=(('high if full_task["comments"] else low', "high"),),
        bars=("tasks_with_comments", "tasks_commented"),
    ),
    RowChange(
        word="drop_done_steps",
        says=(
            'Delete all done subtasks of WHICH, and label these tasks "{extra_label}".',
            'TAKE Each of them gets the label "{extra_label}", and loses all its subtasks that are done; open ones'
            " stay.",
            "Among the subtasks of WHICH, only those that are not done should be left, so delete the others. The"
            " tasks get"
            ' the label "{extra_label}".',
        ),
        about="Delete the done subtasks of",
        each=(
            FULL,
            'for step in reversed(full_task["subtasks"]):',
            '    if step["done"]:',
            f'        apis.todo.delete_subtask({TASK_ID}, subtask_number=step["subtask_number"])',
            f"apis.todo.label_task({TASK_ID}, label=extra_label)",
        ),
        slots=(_LABEL,),
        matters=(('if step["done"]:', "if True:"),),
    ),
    prefixed(TARGET),
    RowChange(
        word="unlabel",
        says=(
            'Remove all labels but "{kept_label}" from WHICH, and leave those alone that do not have that label.',
            'TAKE Where one of them is labelled "{kept_label}", that should be its only label from now on. The others'
            " do not change.",
            'Some of WHICH may have the label "{kept_label}". Take every other label away from those.',
        ),
        about="Leave one label only to",
        each=(TARGET.updating("labels=[kept_label]"),),
        also='kept_label in task["labels"]',
        slots=(drawn("kept_label", some_label),),
        bars=("tasks_with_label",),
    ),
    reworded(TARGET),
    RowChange(
        word="remark",
        says=(
            'Comment on each of WHICH with "{front} PRIORITY, due DATE", where PRIORITY is its priority number and DATE'
            ' its due date like 2025-01-31; without a due date, write "never" for DATE.',
            'TAKE Leave a comment under each, "{front} PRIORITY, due DATE": its priority as a number, and its due date'
            ' as in 2025-01-31, or the word "never" if it has none.',
            'WHICH each need a comment that reads "{front} PRIORITY, due DATE". PRIORITY stands for the number of its'
            ' priority; DATE is when it is due (2025-01-31), "never" where that is open.',
        ),
        about="Comment with priority and due date on",
        each=(
            'due_text = task["due_date"] or "never"',
            f"apis.todo.add_comment({TASK_ID}, text=f\"{{front}} {{task['priority']}}, due {{due_text}}\")",
        ),
        slots=(one_of("front", "Priority|So far priority|As of now: priority|Was priority"),),
    ),
    shouted(TARGET),
)
TASKS = EditKind(target=TARGET, choices=CHOICES, changes=_CHANGES, alike=("other_notes", "other_alarms"))
