"""Train families of the todo app: subtasks, comments and searching, one of them with files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from prowess.types import Json
from prowess_desk.apps.files import file_at
from prowess_desk.apps.todo import Subtask, TaskComment, TodoTask, comment, remove_task, task_titled
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, at_home, filed, older_twin, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, login


def _stepped(draw: Draw, task: TodoTask, steps: Sequence[str], ticked: Sequence[str]) -> TodoTask:
    """A task with steps, some of them done."""
    return draw.state[TodoTask].change(
        task.id, subtasks=tuple(Subtask(title=step, done=step in ticked) for step in steps)
    )


def _remarked(draw: Draw, task: TodoTask, text: str, when: datetime) -> None:
    """A comment of the past."""
    draw.state[TaskComment].put(replace(comment(draw.state, task.id, text), written_at=when))


# Bring the subtasks of a task in line with a file.

_JOBS = {
    "Repaint the bedroom": "move the bed|tape the edges|fill the holes|sand the walls|first coat|second coat|tidy up",
    "Host the quiz night": "write questions|book a room|print sheets|buy prizes|find a judge|test the bell|invite",
    "Set up the market stall": "rent a table|bake bread|get change|paint the sign|load the van|order bags|hang lights",
    "Build the rabbit hutch": "draw the plan|buy boards|cut the wire|saw the frame|assemble it|stain it|add a lock",
    "Sort the family photos": "collect albums|scan slides|name faces|bin doubles|choose frames|back up|order prints",
    "Launch the newsletter": "pick a name|write issue one|ask for feedback|set up the list|test it|announce it|reply",
}


def _make_sync(draw: Draw) -> Values | None:
    rng = draw.rng
    title, project = rng.choice(list(_JOBS)), rng.choice(projects_of(draw, 2))
    steps = rng.sample(_JOBS[title].split("|"), 7)
    gone, new = rng.sample(steps[:3], 2), steps[5:]
    kept = [step for step in steps[:5] if step not in gone]
    twin = older_twin(title)
    _stepped(draw, planned(draw, project, twin, done=True, days=400), steps[2:6], steps[2:6])
    _stepped(draw, planned(draw, project, title), steps[:5], [gone[0], *rng.sample(kept, 2)])
    name = title.lower().replace(" ", "-")
    listed = rng.sample([*kept, *new], 5)
    path, other = rng.sample((f"~/documents/personal/{name}.txt", f"~/documents/work/{name}.txt"), 2)
    filed(draw, path, "\n".join((*listed[:3], "", *listed[3:])), days=2)
    filed(draw, other, "\n".join((steps[0], new[0], steps[1], kept[-1])), days=70)
    return {"title": title, "path": path, "other_title": twin, "other_path": other}


def _solve_sync(state: State, me: Person, values: Values) -> Json:
    file, task = file_at(state, me.id, at_home(me, values["path"])), task_titled(state, me.id, values["title"])
    assert file is not None
    wanted = [line for line in file.content.split("\n") if line]
    kept = [step for step in task.subtasks if step.title in wanted]
    known = {step.title for step in kept}
    added = [Subtask(title=line) for line in wanted if line not in known]
    state[TodoTask].change(task.id, subtasks=(*kept, *added))


def match_subtasks_to_file(title: str, file_path: str) -> int:
    """Delete the subtasks of a task that are no line of a file, add the lines it lacks, and return how many it has."""
    content = apis.files.show_file(access_token=login(app="files"), file_path=file_path)["content"]
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=title)
    task_id = next(task["task_id"] for task in found if task["title"] == title)
    steps = apis.todo.show_task(access_token=token, task_id=task_id)["subtasks"]
    for step in reversed(steps):  # from the last, for the numbers after a deleted one change
        if step["title"] not in lines:
            apis.todo.delete_subtask(access_token=token, task_id=task_id, subtask_number=step["subtask_number"])
    present = [step["title"] for step in steps]
    for line in [line for line in lines if line not in present]:
        apis.todo.add_subtask(access_token=token, task_id=task_id, title=line)
    return len(lines)


sync_steps_with_file = Family(
    name="sync_steps_with_file",
    split="train",
    difficulty=3,
    apps=("files", "todo"),
    slots={"title": str, "path": str},
    wordings=(
        'Bring the subtasks of my todo task "{title}" in line with the file "{path}", which has one step per line:'
        " delete the subtasks that are not in the file, and add the steps that are missing, in the order of the file,"
        " after the others. What is in both stays as it is, done or not.",
        'The steps of "{title}" in my todo app are out of date; the right ones are in "{path}", a step per line (ignore'
        " blank lines). Drop each subtask that the file does not mention, keep the ones it does mention untouched, and"
        " append the rest of its lines as new subtasks, first to last.",
        'I rewrote my plan in "{path}": each line that is not empty is a step of the todo task called "{title}".'
        " Please remove the subtasks that are no longer planned and put the newly planned ones, in the order they have"
        " there, at the end. Do not touch subtasks that are still planned.",
    ),
    make=_make_sync,
    solve=_solve_sync,
    program=Program(
        functions=(match_subtasks_to_file,), call="match_subtasks_to_file(title={title!r}, file_path={path!r})"
    ),
    mistakes=(
        Mistake(name="the_older_task", swap={"title": "other_title"}),
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="numbers_shifted", old="in reversed(steps):", new="in steps:"),
        Mistake(name="only_added", old='if step["title"] not in lines:', new="if not lines:"),
        Mistake(name="all_added", old=" if line not in present]", new="]"),
        Mistake(
            name="all_made_anew",
            old='present = [step["title"] for step in steps]',
            new="present = []\n    while apis.todo.show_task(access_token=token, task_id=task_id)['subtasks']:\n"
            "        apis.todo.delete_subtask(access_token=token, task_id=task_id, subtask_number=1)",
        ),
    ),
)


# Prepare a task that was done for its next round.

_ROUTINES = {
    "Pack for the cabin": "fill the cooler|load the skis|check the tyres|lock the shed|take the maps|charge the lamps",
    "Monthly accounts": "download statements|sort receipts|enter cash|compare totals|send the summary|file it all",
    "Clean the aquarium": "unplug the heater|scrape the glass|change the water|rinse the filter|trim plants|feed fish",
    "Choir evening": "warm up the hall|set out chairs|copy the scores|tune the piano|make tea|lock up",
    "Winter check of the car": "measure the tread|top up coolant|test the battery|new wipers|salt mats|lock spray",
    "Big spring clean": "wash the curtains|move the sofa|wax the floor|beat the rugs|wipe the shelves|air the beds",
}
_REMARKS = """Started late this time.|Took longer than planned.|Borrowed a ladder from next door.|Half of it is done.|
Ran out of soap.|Asked for help.|Continued on Saturday.|Almost there.|Found what was missing.|Much easier with two.|
Moved to next week.|Called to say it is ready.|Photos are on my phone.|Left the keys at work.""".replace("\n", "")


def _make_again(draw: Draw) -> Values | None:
    rng, now = draw.rng, draw.state.now
    title, project = rng.choice(list(_ROUTINES)), rng.choice(projects_of(draw, 2))
    steps, twin = rng.sample(_ROUTINES[title].split("|"), 6), older_twin(title)
    for name, days in ((twin, 390), (title, 40)):
        task = planned(draw, project, name, due=(now - timedelta(days=days // 2)).date(), done=True, days=days)
        _stepped(draw, task, steps, [step for step in steps if step != steps[days % 5]])
        for n, text in enumerate(rng.sample(_REMARKS.split("|"), rng.randint(6, 8))):
            _remarked(draw, task, text, now - timedelta(days=days - n, minutes=rng.randint(1, 600)))
    day = now.date() + timedelta(days=rng.randint(3, 60))
    return {"title": title, "day": str(day), "other_day": str(day + timedelta(days=1))}


def _solve_again(state: State, me: Person, values: Values) -> Json:
    task = task_titled(state, me.id, values["title"])
    steps = tuple(Subtask(title=step.title) for step in task.subtasks)
    due = date.fromisoformat(values["day"])
    state[TodoTask].change(task.id, subtasks=steps, due=due, done=False, completed_at=None)
    for one in state[TaskComment].of(me.id):
        if one.task_id == task.id:
            state[TaskComment].remove(one.id)


def start_task_over(title: str, due_date: str) -> int:
    """Reopen a done task, due on a day, with no subtask done and no comments; return how many comments it had."""
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=title)
    task_id = next(task["task_id"] for task in found if task["title"] == title)
    apis.todo.reopen_task(access_token=token, task_id=task_id)
    apis.todo.update_task(access_token=token, task_id=task_id, due_date=due_date)
    for step in apis.todo.show_task(access_token=token, task_id=task_id)["subtasks"]:
        number = step["subtask_number"]
        apis.todo.update_subtask(access_token=token, task_id=task_id, subtask_number=number, done=False)
    comments = all_pages(apis.todo.list_comments, access_token=token, task_id=task_id)
    for each in comments:
        apis.todo.delete_comment(access_token=token, comment_id=each["comment_id"])
    return len(comments)


reset_routine_task = Family(
    name="reset_routine_task",
    split="train",
    difficulty=3,
    apps=("todo",),
    slots={"title": str, "day": str},
    wordings=(
        'Reset my todo task "{title}" for the next time: reopen it, set all its subtasks to not done, delete all its'
        " comments and make it due on {day}.",
        'It is time for "{title}" again, by {day}. The task is in my todo app, marked as done since last time. Open it'
        " once more with that due date, untick every subtask, and clear away the comments.",
        'I reuse the todo task "{title}". Please get it ready: no comments left, no step checked off, the task itself'
        " not done any more, new due date {day}.",
    ),
    make=_make_again,
    solve=_solve_again,
    program=Program(functions=(start_task_over,), call="start_task_over(title={title!r}, due_date={day!r})"),
    mistakes=(
        Mistake(name="another_day", swap={"day": "other_day"}),
        Mistake(name="first_match", old=' if task["title"] == title', new=""),
        Mistake(name="first_comments", old="all_pages(apis.todo.list_comments, ", new="apis.todo.list_comments("),
        Mistake(name="comments_kept", old="        apis.todo.delete_comment(", new="        dict("),
        Mistake(name="steps_ticked", old="subtask_number=number, done=False)", new="subtask_number=number)"),
        Mistake(name="still_done", old="apis.todo.reopen_task(access_token=token, task_id=task_id)", new="pass"),
    ),
)


# What did I write last about a task before some day?


def _make_last(draw: Draw) -> Values | None:
    rng, now = draw.rng, draw.state.now
    title = rng.choice((*CHORES, *_JOBS))
    project, (twin, back) = rng.choice(projects_of(draw, 2)), (older_twin(title), rng.randint(3, 25))
    day = now.date() - timedelta(days=back)
    remarks = rng.sample(_REMARKS.split("|"), 14)
    for name in (twin, title):
        task = planned(draw, project, name, days=90 if name == title else 110)
        gaps = sorted(rng.sample(range(1, 40), rng.randint(6, 7)), reverse=True) if name == title else [8, 1]
        for gap in (*gaps, 0, -1):  # before, that very day, and after
            when = datetime.combine(day - timedelta(days=gap), time(rng.randint(7, 21), rng.randint(0, 59)))
            _remarked(draw, task, remarks.pop(), when)
    return {"title": title, "day": str(day), "other_title": twin, "other_day": str(day + timedelta(days=1))}


def _solve_last(state: State, me: Person, values: Values) -> Json:
    task, day = task_titled(state, me.id, values["title"]), date.fromisoformat(values["day"])
    mine = [one for one in state[TaskComment].of(me.id) if one.task_id == task.id and one.written_at.date() < day]
    return max(mine, key=lambda one: one.written_at).text


def last_comment_before(title: str, day: str) -> str:
    """Return the text of the last comment that a task got before a day (YYYY-MM-DD)."""
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=title)
    task_id = next(task["task_id"] for task in found if task["title"] == title)
    comments = all_pages(apis.todo.list_comments, access_token=token, task_id=task_id)
    earlier = [comment for comment in comments if comment["written_at"][:10] < day]
    return max(earlier, key=lambda comment: comment["written_at"])["text"]


last_remark_before = Family(
    name="last_remark_before",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"title": str, "day": str},
    wordings=(
        'What is the text of the last comment I wrote on the todo task "{title}" before {day}?',
        'I comment on my todo tasks as I go along. Look under "{title}": which comment was the most recent one when'
        " {day} began? Give me its exact words.",
        'Among the comments of my task "{title}" in the todo app that are dated earlier than {day}, not on the day'
        " itself, find the latest and tell me what it says, word for word.",
    ),
    make=_make_last,
    solve=_solve_last,
    program=Program(functions=(last_comment_before,), call="last_comment_before(title={title!r}, day={day!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_task", swap={"title": "other_title"}),
        Mistake(name="that_day_too", swap={"day": "other_day"}),
        Mistake(name="the_very_last", old=' if comment["written_at"][:10] < day', new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_comments, ", new="apis.todo.list_comments("),
        Mistake(name="the_first", old="return max(", new="return min("),
    ),
)


# Delete what is done and has a word in its title.

_THINGS = {"boat": "houseboat", "pan": "panel", "bell": "doorbell", "rug": "rugby ball", "rack": "tracksuit"}
_THINGS |= {"coat": "raincoat", "mast": "mastiff", "tub": "tuba", "harp": "harpoon", "cart": "cartridge"}
"""A thing, and another whose name holds it."""
_DEEDS = """call about the {0}|clean the {0}|photograph the {0}|ask Jo for the {0} key|{0}: compare offers|
insure the {0}|measure the {0}|move the {0}|sell that old {0}|pay for the {0}|pick up {0} and cover|
thank Lee for the {0}|read the {0} manual|repair the {0}|write an ad: {0} wanted""".replace("\n", "").split("|")


def _make_mentioned(draw: Draw) -> Values | None:
    rng, projects = draw.rng, projects_of(draw, 3)
    word, other = rng.sample(list(_THINGS), 2)
    deeds = rng.sample(_DEEDS, 15)
    count = rng.randint(6, 11)
    for n, deed in enumerate(deeds[:12]):
        title = deed.format(word.capitalize() if n % 4 == 1 else word)
        planned(draw, rng.choice(projects), title, done=n < count, days=rng.randint(5, 300))
    planned(draw, projects[0], deeds[12].format(_THINGS[word]), done=True)  # part of a longer word
    planned(draw, projects[1], deeds[13].format(other), done=True)
    task = planned(draw, projects[2], rng.choice(CHORES), done=True)
    draw.state[TodoTask].change(task.id, description=f"Before the {word} arrives.")  # not in its title
    return {"word": word, "other_word": other}


def _solve_mentioned(state: State, me: Person, values: Values) -> Json:
    found = [task for task in state[TodoTask].of(me.id) if task.done]
    found = [task for task in found if values["word"] in re.split(r"[^a-z]+", task.title.lower())]
    for task in found:
        remove_task(state, task.id)
    return len(found)


def delete_done_tasks_titled(word: str) -> int:
    """Delete the done tasks with a whole word in their title, in any capitalization, and return how many."""
    token = login(app="todo")
    found = all_pages(apis.todo.search_tasks, access_token=token, query=word)
    titled = [task for task in found if re.search(rf"\b{re.escape(word)}\b", task["title"], re.IGNORECASE)]
    done = [task for task in titled if task["done"]]
    for task in done:
        apis.todo.delete_task(access_token=token, task_id=task["task_id"])
    return len(done)


purge_done_mentions = Family(
    name="purge_done_mentions",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"word": str},
    wordings=(
        'Delete every done task in my todo app that has the word "{word}" in its title, in any capitalization but not'
        " as part of a longer word, and tell me how many you deleted.",
        'How many of the tasks that I have finished mention "{word}" in the title? Only the whole word counts,'
        " capitals or not, and descriptions do not matter. Delete those tasks from my todo app and give me the number.",
        'I am through with much of what had to do with "{word}". Look for todo tasks whose title contains that as a'
        " word of its own (upper or lower case), delete the ones that are done already, and answer with their number.",
    ),
    make=_make_mentioned,
    solve=_solve_mentioned,
    program=Program(functions=(delete_done_tasks_titled,), call="delete_done_tasks_titled(word={word!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_word", swap={"word": "other_word"}),
        Mistake(name="open_ones_too", old=' if task["done"]', new=""),
        Mistake(name="longer_words", old=r'rf"\b{re.escape(word)}\b"', new="re.escape(word)"),
        Mistake(name="capitals_missed", old=", re.IGNORECASE", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.search_tasks, ", new="apis.todo.search_tasks("),
        Mistake(name="only_counted", old="        apis.todo.delete_task(", new="        dict("),
    ),
)

FAMILIES = (sync_steps_with_file, reset_routine_task, last_remark_before, purge_done_mentions)
