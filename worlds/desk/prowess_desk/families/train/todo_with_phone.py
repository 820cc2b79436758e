"""Train families of the todo app with contacts, messages and the calendar of the phone."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import date, datetime, time, timedelta

from prowess.types import Json
from prowess_desk.apps import phone, todo
from prowess_desk.apps.phone import Call, Contact, TextMessage, send_text
from prowess_desk.apps.todo import Project, TodoTask, add_task, comment, edit_task, project_named, reopen
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.papers import CHORES, planned, projects_of
from prowess_desk.families.scene import acquaintances, ago, in_contacts, named, texted, widened_circle
from prowess_desk.families.toolbox import all_pages, apis, contact_named, contacts_who_are, login

# Move what is overdue to another project.


def _make_move_overdue(draw: Draw) -> Values | None:
    rng = draw.rng
    source, target, third = projects_of(draw, 3)
    today = draw.state.now.date()
    chores = iter(rng.sample(CHORES, 12))
    for n in range(6):
        planned(draw, source, next(chores), due=today - timedelta(days=1 + 4 * n), days=80 - n)
    planned(draw, source, next(chores), due=today)  # not overdue
    planned(draw, source, next(chores), due=today + timedelta(days=rng.randint(1, 20)))
    planned(draw, source, next(chores))
    planned(draw, source, next(chores), due=today - timedelta(days=9), done=True)
    planned(draw, third, next(chores), due=today - timedelta(days=rng.randint(1, 20)))
    planned(draw, target, next(chores), due=today - timedelta(days=rng.randint(1, 20)))
    return {
        "source": source.name,
        "target": target.name,
        "other_source": target.name,
        "other_target": source.name,
        "other_project": third.name,
    }


def _solve_move_overdue(state: State, me: Person, values: Values) -> Json:
    source, target = (project_named(state, me.id, values[name]).id for name in ("source", "target"))
    for task in state[TodoTask].of(me.id):
        if task.project_id == source and not task.done and task.due and task.due < state.now.date():
            edit_task(state, task.id, project_id=target)


def move_overdue_tasks(source: str, target: str) -> int:
    """Move the open tasks of a project whose due date has passed to another project and return how many."""
    today = apis.phone.show_current_date_and_time()["date"]
    token = login(app="todo")
    projects = {each["name"]: each["project_id"] for each in all_pages(apis.todo.list_projects, access_token=token)}
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=projects[source], done=False)
    overdue = [task for task in tasks if task["due_date"] and task["due_date"] < today]
    for task in overdue:
        apis.todo.move_task(access_token=token, task_id=task["task_id"], project_id=projects[target])
    return len(overdue)


move_overdue = Family(
    name="move_overdue",
    split="train",
    difficulty=2,
    apps=("todo", "phone"),
    slots={"source": str, "target": str},
    wordings=(
        'Move all overdue tasks that are still open from my todo project "{source}" to "{target}".',
        'In the todo app, whatever in "{source}" should have been done before today and is not belongs into the project'
        ' "{target}" from now on. Please move it there.',
        'My project "{target}" is for things I am late with. Take the unfinished tasks of "{source}" whose due date has'
        " passed (today itself does not count) and put them there.",
    ),
    make=_make_move_overdue,
    solve=_solve_move_overdue,
    program=Program(functions=(move_overdue_tasks,), call="move_overdue_tasks(source={source!r}, target={target!r})"),
    mistakes=(
        Mistake(name="wrong_way_round", swap={"source": "other_source", "target": "other_target"}),
        Mistake(name="another_project", swap={"source": "other_project"}),
        Mistake(name="today_too", old='task["due_date"] < today', new='task["due_date"] <= today'),
        Mistake(name="done_ones_too", old=", done=False", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Reopen what was marked as done yesterday, and say why.

_REASONS = """Not finished after all.|Ticked off too early.|This needs another look.|One more try, please.|
It came back from the shop broken.|The result was not good enough.""".replace("\n", "").split("|")


def _make_reopen_yesterdays(draw: Draw) -> Values | None:
    rng, now = draw.rng, draw.state.now
    project, other = projects_of(draw, 2)
    label, another = rng.sample(LABELS, 2)
    chores = iter(rng.sample(CHORES, 15))
    today = datetime.combine(now.date(), time())

    def ticked(place: Project, hours: float, *labels: str) -> None:
        when = today + timedelta(hours=hours, minutes=rng.randint(0, 25))
        planned(draw, place, next(chores), done=when, labels=labels, days=rng.randint(5, 60))

    ticked(project, -24.5)
    for hours in (-24, -17, -12, -11, -6, -3, -0.5):
        ticked(project, hours, *rng.choice(((), (another,))))
    ticked(project, -9, label)
    ticked(project, -2, label, another)
    ticked(project, 0)  # today
    ticked(project, -40)
    ticked(other, -10)
    planned(draw, project, next(chores))
    return {
        "project": project.name,
        "label": label,
        "reason": rng.choice(_REASONS),
        "other_project": other.name,
        "other_label": another,
    }


def _solve_reopen_yesterdays(state: State, me: Person, values: Values) -> Json:
    project, day = project_named(state, me.id, values["project"]), state.now.date() - timedelta(days=1)
    for task in state[TodoTask].of(me.id):
        if task.project_id != project.id or values["label"] in task.labels:
            continue
        if task.completed_at is not None and task.completed_at.date() == day:
            reopen(state, task.id)
            comment(state, task.id, values["reason"])


def reopen_what_was_done_yesterday(project: str, spared_label: str, reason: str) -> int:
    """Reopen the tasks of a project done yesterday that lack a label, comment on each and return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    yesterday = (today - timedelta(days=1)).isoformat()
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=True)
    recent = [task for task in tasks if task["completed_at"][:10] == yesterday and spared_label not in task["labels"]]
    for task in recent:
        apis.todo.reopen_task(access_token=token, task_id=task["task_id"])
        apis.todo.add_comment(access_token=token, task_id=task["task_id"], text=reason)
    return len(recent)


reopen_yesterdays = Family(
    name="reopen_yesterdays",
    split="train",
    difficulty=2,
    apps=("todo", "phone"),
    slots={"project": str, "label": str, "reason": str},
    wordings=(
        'Reopen all tasks of my todo project "{project}" that I marked as done yesterday, except those labelled'
        ' "{label}", and comment "{reason}" on each task you reopen.',
        'Yesterday I was too quick with ticking things off in "{project}". Please set what I completed that day in this'
        ' todo project back to not done, and write "{reason}" as a comment under each. Leave alone what has the label'
        ' "{label}".',
        'With the exception of tasks that carry the label "{label}", everything in the todo project "{project}" that'
        ' was completed yesterday (not today, not earlier) must be reopened. Comment on each: "{reason}"',
    ),
    make=_make_reopen_yesterdays,
    solve=_solve_reopen_yesterdays,
    program=Program(
        functions=(reopen_what_was_done_yesterday,),
        call="reopen_what_was_done_yesterday(project={project!r}, spared_label={label!r}, reason={reason!r})",
    ),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="today_too", old="[:10] == yesterday", new="[:10] >= yesterday"),
        Mistake(name="labelled_ones_too", old=' and spared_label not in task["labels"]', new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(name="no_comment", old="        apis.todo.add_comment(", new="        dict("),
    ),
)


# Tell people what they have to do.

_STARTS = "Do not forget:|You wanted to:|Still waiting for:|Please remember:|Your part is:|For you:".split("|")


def _make_tell_their_tasks(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    (project, other), (a, b, c, d, e) = projects_of(draw, 2), acquaintances(draw)[:5]
    known = {me.name, *(row.name for row in state[Contact].of(me.id))}
    stranger = rng.choice([person.name for person in draw.people if person.name not in known])
    chores = iter(rng.sample(CHORES, 14))
    for name in (a.name, stranger, b.name, c.name, "Kitchen", a.name, b.name, a.name):
        planned(draw, project, f"{name}: {next(chores)}", labels=rng.choice(((), ("quick",))))
    for name in (a.name, d.name):
        planned(draw, project, f"{name}: {next(chores)}", done=True)
    planned(draw, project, f"{next(chores)} with {e.name}")
    planned(draw, other, f"{b.name}: {next(chores)}")
    return {"project": project.name, "start": rng.choice(_STARTS), "other_project": other.name}


def _solve_tell_their_tasks(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    tasks = [task for task in state[TodoTask].of(me.id) if task.project_id == project.id and not task.done]
    for contact in state[Contact].of(me.id):
        begin = f"{contact.name}: "
        if things := sorted(task.title.removeprefix(begin) for task in tasks if task.title.startswith(begin)):
            send_text(state, me.id, named(state, contact.name).id, values["start"] + " " + ", ".join(things))


def tell_their_part(project: str, start: str) -> int:
    """Text the contacts whose full names begin open tasks of a project what is theirs to do; return how many texts."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    things: dict = defaultdict(list)
    for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False):
        name, _, thing = task["title"].partition(": ")
        if thing:
            things[name].append(thing)
    token = login(app="phone")
    told = [each for each in all_pages(apis.phone.show_contacts, access_token=token) if each["name"] in things]
    for contact in told:
        text = f"{start} {', '.join(sorted(things[contact['name']]))}"
        apis.phone.send_text_message(access_token=token, phone_number=contact["phone_number"], text=text)
    return len(told)


tell_their_tasks = Family(
    name="tell_their_tasks",
    split="train",
    difficulty=2,
    apps=("todo", "phone"),
    slots={"project": str, "start": str},
    wordings=(
        'Some open tasks of my todo project "{project}" start with a full name and a colon. Text each contact so named'
        ' once: "{start}", a space, and what is behind the colon, all their things from A to Z with ", " in between.',
        'Who has to do what is in "{project}", my todo project: full name, colon, thing. Each contact with open tasks'
        ' there gets one text with these things in alphabetical order, as in "{start} air the beds, feed the cat".',
        'Let my contacts know what they still have to do. Where an open task in the todo project "{project}" is titled'
        ' with their full name, a colon and a thing, the thing goes into my text to them, which is "{start}", a space,'
        " and all their things, sorted from A to Z, with a comma and a space between two.",
        'In my todo project "{project}", a task called Jane Doe: mend the chair is for the contact of that full name.'
        ' Send them all one text each that says "{start}" and after a space what is theirs, separated by a comma and a'
        " space, in the order of the alphabet. Skip tasks that are done.",
        'I owe some contacts a text: "{start}" and, after a space, their things, comma and space between them, A to Z.'
        ' The unfinished tasks of "{project}" in my todo app have the full name before a colon and the thing after it.',
    ),
    make=_make_tell_their_tasks,
    solve=_solve_tell_their_tasks,
    program=Program(functions=(tell_their_part,), call="tell_their_part(project={project!r}, start={start!r})"),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="done_ones_too", old="project_id=project_id, done=False", new="project_id=project_id"),
        Mistake(name="from_z_to_a", old="sorted(things[contact['name']])", new="sorted(things[contact['name']])[::-1]"),
        Mistake(name="one_thing_each", old="things[name].append(thing)", new="things[name] = [thing]"),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Plan to get in touch with those of a circle who have fallen silent.

_PREFIXES = "Call|Write to|Visit|Invite|Have lunch with|Send a card to".split("|")


def _make_plan_for_silent(draw: Draw) -> Values | None:
    rng, state, me, days = draw.rng, draw.state, draw.me, draw.rng.randint(15, 40)
    if (found := widened_circle(draw, least=6)) is None:
        return None
    relation, other, (a, b, c, texter, missed, *_), outsider = found
    quiet = {person.id for person in (*found[2], outsider)}
    for text in [row for row in state[TextMessage].of(me.id) if quiet & {*row.holders}]:
        state[TextMessage].remove(text.id)  # all talk with them is told anew
    for call in [row for row in state[Call].of(me.id) if quiet & {*row.parties}]:
        state[Call].remove(call.id)
    for n, person in enumerate(rng.sample([each for each in draw.people if each.id not in (me.id, *quiet)], 5)):
        texted(draw, person, me, "Is this still your number?", ago(draw, n))
    texted(draw, me, texter, "How are you these days?", ago(draw, days - 2))
    texted(draw, a, me, "Until next month then.", ago(draw, days + 1))  # too long ago
    state[Call].add(lambda id: Call(id=id, caller=missed.id, callee=me.id, started_at=ago(draw, days / 2), seconds=0))
    prefix = rng.choice(_PREFIXES)
    for person, done in ((b, False), (c, True)):  # one has a task already
        planned(draw, projects_of(draw, 1)[0], f"{prefix} {person.name}", done=done)
    since = (state.now - timedelta(days=days)).date()
    values = {"relation": relation, "since": since.isoformat(), "prefix": prefix, "other_relation": other}
    return {**values, "other_since": (since - timedelta(days=9)).isoformat()}


def _solve_plan_for_silent(state: State, me: Person, values: Values) -> Json:
    since, seen = date.fromisoformat(values["since"]), set[int]()
    seen.update(*(row.holders for row in state[TextMessage].of(me.id) if row.sent_at.date() >= since))
    seen.update(*(call.parties for call in state[Call].of(me.id) if call.started_at.date() >= since))
    planned_already = {task.title for task in state[TodoTask].of(me.id) if not task.done}
    for person in in_contacts(state, me, values["relation"]):
        if person.id not in seen and (title := f"{values['prefix']} {person.name}") not in planned_already:
            add_task(state, me.id, title)


def plan_silent(relationship: str, since: str, prefix: str) -> list:
    """Create a task for each contact of a relationship with no text or call since a day (YYYY-MM-DD); return them."""
    token, recent = login(app="phone"), set()
    for talk in all_pages(apis.phone.show_conversations, access_token=token):
        if talk["last_message"]["sent_at"][:10] >= since:
            recent.add(talk["phone_number"])
    for call in all_pages(apis.phone.show_call_log, access_token=token, from_date=since):
        recent |= {call["caller"]["phone_number"], call["callee"]["phone_number"]}
    contacts = contacts_who_are(relationship=relationship)
    silent = [each["name"] for each in contacts if each["phone_number"] not in recent]
    token = login(app="todo")
    titles = [task["title"] for task in all_pages(apis.todo.list_tasks, access_token=token, done=False)]
    added = [name for name in silent if f"{prefix} {name}" not in titles]
    for name in added:
        apis.todo.create_task(access_token=token, title=f"{prefix} {name}")
    return added


plan_for_silent = Family(
    name="plan_for_silent",
    split="train",
    difficulty=3,
    apps=("phone", "todo"),
    slots={"relation": str, "since": str, "prefix": str},
    wordings=(
        "For every {relation} in my phone contacts with whom I have had no text and no call, either way, since {since}"
        ' (that day included), make a task "{prefix} ..." in my todo Inbox, with the full name in place of the dots,'
        " unless I have an open task of that title. Voice messages do not matter, missed calls are calls.",
        'I have neglected people. I want a task in the todo Inbox that says "{prefix}" and then the full name for each'
        " {relation} on my phone whom I have neither called nor texted on {since} or later, and who did neither, either"
        " (a missed call is one, voice messages are nothing). Leave out those with such a task that is still open.",
        "Go by calls (answered or not) and texts, nothing else: if there is none from or to a {relation} on my phone"
        ' from {since} on, put "{prefix}" and the full name into my todo Inbox as a task, unless one is open.',
        'Add to my todo Inbox: "{prefix}", followed by a space and the full name, one task for each of my contacts who'
        " is a {relation} and has not been in touch with me nor I with them, by text or call (even a missed one, but do"
        " not look at voice messages), on {since} or after it. Only where no open task is called that already.",
        "Somebody who is a {relation} in my contacts, but whose last call (also if missed) and last text, to or from"
        ' me, were before {since}, or never, needs a new todo task in the Inbox: "{prefix}" plus full name. Forget'
        " about voice messages, and about people for whom a task of just these words is open.",
    ),
    make=_make_plan_for_silent,
    solve=_solve_plan_for_silent,
    program=Program(
        functions=(plan_silent,), call="plan_silent(relationship={relation!r}, since={since!r}, prefix={prefix!r})"
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="another_day", swap={"since": "other_since"}),
        Mistake(name="done_ones_count", old=", access_token=token, done=False)", new=", access_token=token)"),
        Mistake(name="planned_twice", old=' if f"{prefix} {name}" not in titles]', new="]"),
        Mistake(name="calls_forgotten", old="recent |= {call[", new="_ = {call["),
        Mistake(name="a_page", old="all_pages(apis.phone.show_conversations, ", new="apis.phone.show_conversations("),
    ),
)


# Make tasks of what somebody asks for in voice messages.


def _make_tasks_from_voices(draw: Draw) -> Values | None:
    rng, state, me, (person, other, *_) = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    (project, second), days = papers.projects_of(draw, 2), rng.randint(16, 40)
    chores, today = rng.sample(papers.CHORES, 13), state.now.replace(hour=8)

    def said(sender: Person, receiver: Person, back: int, text: str) -> None:
        weekday = f"{today - timedelta(days=back - rng.choice((0, 1, 3, 5))):%A}"
        message = phone.send_voice(state, sender.id, receiver.id, text.format(weekday))
        state[phone.VoiceMessage].change(message.id, sent_at=today - timedelta(days=back))

    for n, chore in enumerate(chores[:7]):
        said(person, me, days - 2 * n, f"Please {chore} by {{}}.")
    said(person, me, 3, f"Please {chores[7]} by {today - timedelta(days=3):%A}.")  # a week later
    for place, number in ((project, 1), (project, 2), (second, 3)):
        papers.planned(draw, place, chores[number], done=number == 2)
    said(person, me, 2, f"I will {chores[8]} by {{}}.")
    said(person, me, 2, f"Please {chores[9]} when you can.")
    for sender, receiver, back, number in ((person, me, days + 1, 10), (me, person, 2, 11), (other, me, 2, 12)):
        said(sender, receiver, back, f"Please {chores[number]} by {{}}.")
    return {"person": person.name, "project": project.name, "since": str(today.date() - timedelta(days=days))}


def _solve_tasks_from_voices(state: State, me: Person, values: Values) -> Json:
    sender, project = scene.named(state, values["person"]), todo.project_named(state, me.id, values["project"])
    titles = [task.title for task in state[todo.TodoTask].of(me.id) if task.project_id == project.id]
    for row in state[phone.VoiceMessage].of(me.id):
        words = row.transcript.rstrip(".").split()
        title, fits = " ".join(words[1:-2]), row.sender == sender.id and str(row.sent_at) >= values["since"]
        if fits and (words[0], words[-2]) == ("Please", "by") and title not in titles:
            week = {f"{day:%A}": day for n in range(1, 8) if (day := row.sent_at.date() + timedelta(days=n))}
            todo.add_task(state, me.id, title, project=project.id, due=week[words[-1]])


def tasks_from_spoken(person: str, project: str, since: str) -> int:
    """Make a dated task of each voice message `Please ... by Friday.` from a contact since a day; return how many."""
    number = contact_named(name=person)["phone_number"]
    token = login(app="phone")
    voices = all_pages(apis.phone.show_voice_messages, access_token=token, phone_number=number, direction="received")
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    titles = {task["title"] for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id)}
    count = 0
    for voice in voices:
        found = re.fullmatch(r"Please (.+) by (\w+day)\.", voice["transcript"])
        if not found or voice["sent_at"][:10] < since or found[1] in titles:
            continue
        due = date.fromisoformat(voice["sent_at"][:10]) + timedelta(days=1)
        while f"{due:%A}" != found[2]:
            due += timedelta(days=1)
        apis.todo.create_task(access_token=token, title=found[1], project_id=project_id, due_date=str(due))
        count += 1
    return count


tasks_from_voices = Family(
    name="tasks_from_voices",
    split="train",
    difficulty=3,
    apps=("phone", "todo"),
    slots={"person": str, "project": str, "since": str},
    wordings=(
        '{person} leaves me voice messages such as "Please wash the car by Friday." Make a task in my todo project'
        ' "{project}" of each one like that since {since} (that day included): title "wash the car", due on the first'
        " Friday after the day of the message. Skip what the project has as a task already, done or not.",
        'Turn the voice messages "Please ... by Monday." (or another weekday) that {person} sent me on {since} or later'
        ' into tasks of "{project}" in the todo app: the dots are the title, due is the next such weekday, never the'
        " day of the message itself. No second task of a title that is in the project, open or done.",
        'Whenever {person} told me in a voice message on {since} or later "Please feed the cat by Sunday." or the like,'
        ' my todo project "{project}" gets "feed the cat", due the first Sunday after that day, unless it has it, even'
        " if done.",
        'Every voice message "Please", something, "by" and a weekday that {person} left me on {since} or later becomes'
        ' a task in my todo project "{project}" (unless that has one of the title, open or done): something is the'
        " title, and it is due on the first such weekday after the day of the message.",
        'Look at voice messages I got from {person}, {since} and later. Of each like "Please buy ink by Tuesday." make'
        ' a todo task in "{project}", "buy ink", due the first Tuesday after that day, if it has none so titled yet.',
    ),
    make=_make_tasks_from_voices,
    solve=_solve_tasks_from_voices,
    program=Program(
        functions=(tasks_from_spoken,),
        call="tasks_from_spoken(person={person!r}, project={project!r}, since={since!r})",
    ),
    mistakes=(
        Mistake(name="titles_anywhere", old=", project_id=project_id)}", new=")}"),
        Mistake(name="that_very_day", old='["sent_at"][:10]) + timedelta(days=1)', new='["sent_at"][:10])'),
        Mistake(name="any_day", old=' or voice["sent_at"][:10] < since', new=""),
        Mistake(name="made_again", old=" or found[1] in titles", new=""),
        Mistake(name="my_own_words_too", old=', direction="received"', new=""),
    ),
)


# A task for each contact of a kind, and for nobody else.

_DUTIES = ("Postcard to", "Birthday card for", "Invitation for", "Thank-you note to", "Souvenir for", "Return books to")


def _make_card_tasks_in_step(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    relation, kind = rng.sample(("roommate", "coworker", "friend"), 2)
    project, second = papers.projects_of(draw, 2)
    start, other = rng.sample(_DUTIES, 2)
    if not scene.in_contacts(state, me, kind) or not scene.widened(draw, relation, kind, 8):
        return None
    people = scene.in_contacts(state, me, relation)
    mine = [person.name for person in rng.sample(people, len(people))]
    rest = [person.name for person in scene.acquaintances(draw) if person not in people]
    there = (*zip(mine, (False, True), strict=False), *zip(rest, (False, True, False), strict=False))
    for name, done in there:
        papers.planned(draw, project, f"{start} {name}", done=done)
    papers.planned(draw, second, f"{start} {mine[2]}")  # not in the project
    papers.planned(draw, second, f"{start} {rest[0]}")
    for name in (mine[3], rest[-1]):
        papers.planned(draw, project, f"{other} {name}")
    day = (state.now + timedelta(days=rng.randint(4, 30))).date().isoformat()
    values = {"relation": relation, "start": start, "project": project.name, "day": day}
    return {**values, "other_relation": kind, "other_project": second.name}


def _solve_card_tasks_in_step(state: State, me: Person, values: Values) -> Json:
    project, start = todo.project_named(state, me.id, values["project"]).id, values["start"] + " "
    people = [person.name for person in scene.in_contacts(state, me, values["relation"])]
    for task in state[todo.TodoTask].of(me.id):
        if task.project_id == project and task.title.startswith(start):
            if (name := task.title.removeprefix(start)) in people:
                people.remove(name)
            elif not task.done:
                todo.remove_task(state, task.id)
    for name in people:
        todo.add_task(state, me.id, start + name, project=project, due=date.fromisoformat(values["day"]))


def tasks_per_contact(relationship: str, start: str, project: str, due_date: str) -> int:
    """Create the tasks `start name` that contacts of a kind lack, delete open ones of others; return how many."""
    wanted = {f"{start} {contact['name']}" for contact in contacts_who_are(relationship=relationship)}
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id)
    alike = [task for task in tasks if task["title"].startswith(start + " ")]
    lacking = wanted - {task["title"] for task in alike}
    for title in sorted(lacking):
        apis.todo.create_task(access_token=token, title=title, project_id=project_id, due_date=due_date)
    surplus = [task for task in alike if not task["done"] and task["title"] not in wanted]
    for task in surplus:
        apis.todo.delete_task(access_token=token, task_id=task["task_id"])
    return len(lacking) + len(surplus)


card_tasks_in_step = Family(
    name="card_tasks_in_step",
    split="train",
    difficulty=2,
    apps=("phone", "todo"),
    slots={"relation": str, "start": str, "project": str, "day": str},
    wordings=(
        'My todo project "{project}" should have a task "{start} ..." with the full name for each {relation} in my'
        " phone contacts. Create missing ones, due on {day}; delete open ones for others. Done ones count and stay.",
        'In "{project}" of my todo app, someone who is a {relation} in my phone contacts and has no task "{start}" plus'
        " full name there, open or done, gets one due on {day}. Delete open ones whose name is no {relation}'s.",
        'Everyone my phone calls a {relation} needs a task "{start} FULL NAME" in the todo project "{project}". Add'
        " what is missing, due {day}, and throw out open ones for others. What is done stays and is not made again.",
        'Compare the contacts listed as {relation} in my phone with the tasks "{start} so-and-so" in the todo project'
        ' "{project}" (so-and-so is a full name). Contact without a task: new task, due on {day}. Open task without'
        " such a contact: delete it. A finished task stays, and its contact needs no other.",
        'Each {relation} from my phone contacts needs their own task in "{project}" on todo, titled "{start}", a space'
        " and the full name, and due on {day} where it has to be made. Leave those that exist in this project alone,"
        " ticked off or not; only if a name belongs to no {relation} and the task is open, remove it.",
    ),
    make=_make_card_tasks_in_step,
    solve=_solve_card_tasks_in_step,
    program=Program(
        functions=(tasks_per_contact,),
        call="tasks_per_contact(relationship={relation!r}, start={start!r}, project={project!r}, due_date={day!r})",
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="done_ones_again", old="in alike}", new='in alike if not task["done"]}'),
        Mistake(name="done_ones_deleted", old='not task["done"] and task["title"] not', new='task["title"] not'),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)

FAMILIES = (
    move_overdue,
    reopen_yesterdays,
    tell_their_tasks,
    plan_for_silent,
    tasks_from_voices,
    card_tasks_in_step,
)
