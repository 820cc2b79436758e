"""How a question gets to a project or a task, and what is worked out about it."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_PROJECT_FOUND = """
busiest_project
: the project with the most open tasks in my todo app (archived projects do not count)
    projects = PAGES(todo.list_projects)
    busiest = max(projects, key=lambda project: project["open_tasks"])
= busiest . project_id name
~ busiest = max( => busiest = min(

project_of_task
: the todo project that holds my task "{task_title}"
    same_tasks = PAGES(todo.search_tasks, query=task_title)
    project_id = next(one["project_id"] for one in same_tasks if one["title"] == task_title)
= project_id := project_id
~ next(one["project_id"] for one in same_tasks if one["title"] == task_title) => None

project_in_note
: the todo project whose name stands after "project: " in my note "{plan_note}"
    found_notes = PAGES(notes.search_notes, query=plan_note)
    note_id = next(one["note_id"] for one in found_notes if one["title"] == plan_note)
    plan = CALL(notes.show_note, note_id=note_id)["content"]
    planned_name = next(line[9:] for line in plan.splitlines() if line.startswith("project: "))
    projects = PAGES(todo.list_projects)
    project_id = next(one["project_id"] for one in projects if one["name"] == planned_name)
= project_id := project_id
~  if one["title"] == plan_note =>
~  if one["name"] == planned_name =>

project_named
: my todo project "{project_name}"
    projects = PAGES(todo.list_projects)
    project_id = next(one["project_id"] for one in projects if one["name"] == project_name)
= project_id := project_id
~  if one["name"] == project_name =>

project_around < task
: the project of X
= project_id := <project_id>
"""
_TASK_FOUND = """
last_done_task_before
: the task in my todo app that I completed last before {done_before}
    done_tasks = PAGES(todo.list_tasks, done=True)
    earlier_tasks = [task for task in done_tasks if task["completed_at"] < done_before]
    last_done = max(earlier_tasks, key=lambda task: task["completed_at"])
= last_done . task_id title due_date created_at project_id priority completed_at
~  if task["completed_at"] < done_before =>
~ last_done = max( => last_done = min(

first_due_with_label
: the open task labelled "{label}" in my todo app that is due first
    labelled = PAGES(todo.list_tasks, label=label, done=False)
    due_tasks = [task for task in labelled if task["due_date"]]
    first_due = min(due_tasks, key=lambda task: task["due_date"])
= first_due . task_id title due_date created_at project_id priority completed_at
~ label=label,  =>
~ first_due = min( => first_due = max(

newest_task_of_project
: the task that I created last in my todo project "{project_name}", done or not
    projects = PAGES(todo.list_projects)
    project_id = next(one["project_id"] for one in projects if one["name"] == project_name)
    project_tasks = PAGES(todo.list_tasks, project_id=project_id, sort_by="-created_at")
    newest_task = project_tasks[0]
= newest_task . task_id title due_date created_at project_id priority completed_at
~ , project_id=project_id =>
~ , sort_by="-created_at" =>

task_in_file
: the todo task whose title is the first line of my file "{task_file}"
    file_lines = CALL(files.show_file, file_path=task_file)["content"].splitlines()
    first_line = file_lines[0]
    found_tasks = PAGES(todo.search_tasks, query=first_line)
    filed_task = next(one for one in found_tasks if one["title"] == first_line)
= filed_task . task_id title due_date created_at project_id priority completed_at
~ file_lines[0] => file_lines[-1]

oldest_open_of < project
: the open task that was created first in X
    open_tasks = PAGES(todo.list_tasks, project_id=<project_id>, done=False)
    oldest_open = min(open_tasks, key=lambda task: task["created_at"])
= oldest_open . task_id title due_date created_at project_id priority completed_at
~ oldest_open = min( => oldest_open = max(
"""
_DAY_FOUND = """
creation_of_task < task
: the day of the creation of X
= day := <created_at>[:10]
"""
FOUND = (
    *steps("project", _PROJECT_FOUND),
    *steps("task", _TASK_FOUND),
    *steps("day", _DAY_FOUND),
)
_PROJECT_ASKED = """
share_done_of -> percent
? Which share of the tasks is done in X?
! Work out which share of the tasks is done in X
    tasks = PAGES(todo.list_tasks, project_id=<project_id>)
    finished = [task for task in tasks if task["done"]]
    return round(100 * len(finished) / len(tasks))
~ , project_id=<project_id> =>

count_open_steps_of -> number
? How many subtasks that are not done are there in all under the tasks, done or not, of X?
! Count the subtasks that are not done under all the tasks, done or not, of X
    open_steps = 0
    for task in PAGES(todo.list_tasks, project_id=<project_id>):
        subtasks = CALL(todo.show_task, task_id=task["task_id"])["subtasks"]
        open_steps += len([subtask for subtask in subtasks if not subtask["done"]])
    return open_steps
~  if not subtask["done"] =>

main_label_of -> called
? Which label is on the most tasks, done or not, of X?
! Find the label that is on the most tasks, done or not, of X
    tasks = PAGES(todo.list_tasks, project_id=<project_id>)
    label_counts: dict = {}
    for name in [name for task in tasks for name in task["labels"]]:
        label_counts[name] = label_counts.get(name, 0) + 1
    return max(label_counts, key=lambda name: label_counts[name])
~ return max(label_counts => return min(label_counts

due_span_of -> number
? What is the number of days from the earliest to the latest due date among the tasks, done or not, of X?
! Work out the number of days from the earliest to the latest due date among the tasks, done or not, of X
    tasks = PAGES(todo.list_tasks, project_id=<project_id>)
    due_days = [date.fromisoformat(task["due_date"]) for task in tasks if task["due_date"]]
    return (max(due_days) - min(due_days)).days
~ , project_id=<project_id> =>

most_discussed_of -> title
? Which task, done or not, has the most comments in X?
! Find the task, done or not, with the most comments in X
    comment_counts = {}
    for task in PAGES(todo.list_tasks, project_id=<project_id>):
        comments = PAGES(todo.list_comments, task_id=task["task_id"])
        comment_counts[task["title"]] = len(comments)
    return max(comment_counts, key=lambda title: comment_counts[title])
~ return max(comment_counts => return min(comment_counts

average_priority_of -> rounded
? What is the average priority number of the open tasks of X?
! Work out the average priority number of the open tasks of X
    tasks = PAGES(todo.list_tasks, project_id=<project_id>, done=False)
    return round(sum(task["priority"] for task in tasks) / len(tasks), 2)
~ , done=False =>
~ , project_id=<project_id> =>

list_urgent_of -> titles
? Which tasks, done or not, have the priority {exact_priority} in X?
! List the tasks, done or not, with the priority {exact_priority} in X
    tasks = PAGES(todo.list_tasks, project_id=<project_id>, priority=exact_priority)
    return [task["title"] for task in tasks]
~ , priority=exact_priority =>
~ , project_id=<project_id> =>

list_labels_missing_in -> names
? Which of the labels in my todo app are not on any task, done or not, of X?
! List the labels in my todo app that are not on any task, done or not, of X
    labels = CALL(todo.list_labels)
    tasks = PAGES(todo.list_tasks, project_id=<project_id>)
    used_labels = {name for task in tasks for name in task["labels"]}
    return [one["label"] for one in labels if one["label"] not in used_labels]
~  if one["label"] not in used_labels =>
"""
_TASK_ASKED = """
list_open_steps_of -> titles
? Which subtasks are still to be done under X?
! List the subtasks that are still to be done under X
    subtasks = CALL(todo.show_task, task_id=<task_id>)["subtasks"]
    return [subtask["title"] for subtask in subtasks if not subtask["done"]]

count_due_before -> number
? How many open tasks in all of my todo app have an earlier due date than X?
! Count the open tasks in all of my todo app that have an earlier due date than X
    day_before = (date.fromisoformat(<due_date>) - timedelta(days=1)).isoformat()
    earlier = PAGES(todo.list_tasks, done=False, due_until=day_before)
    return len(earlier)
~ , due_until=day_before =>
~ , done=False =>

last_comment_on -> text
? What does the last comment say that I wrote under X?
! Quote the last comment that I wrote under X
    comments = PAGES(todo.list_comments, task_id=<task_id>)
    last_comment = max(comments, key=lambda comment: comment["written_at"])
    return last_comment["text"]

days_planned_for -> number
? What is the number of days (negative if it was due before) from the day of its creation to the due date of X?
! Work out the number of days (negative if it was due before) from the day of its creation to the due date of X
    return (date.fromisoformat(<due_date>) - date.fromisoformat(<created_at>[:10])).days

count_mates_of -> number
? How many tasks, done or not, have a smaller priority number in the same todo project than X?
! Count the tasks, done or not, with a smaller priority number in the same todo project than X
    mates = PAGES(todo.list_tasks, project_id=<project_id>)
    return len([task for task in mates if task["priority"] < <priority>])
~ , project_id=<project_id> =>
~  if task["priority"] < <priority> =>
"""
ASKED = (
    *works("project", _PROJECT_ASKED),
    *works("task", _TASK_ASKED),
)
