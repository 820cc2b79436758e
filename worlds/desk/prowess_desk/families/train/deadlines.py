"""Train families of what is to come: due dates, deadlines, things that run out, and birthdays."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.files import write_file
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import Contact, change_contact
from prowess_desk.apps.todo import TodoTask, add_task, edit_task, project_named
from prowess_desk.apps.wallet import PaymentRequest, deny
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, at_home, jotted, older_twin, planned, projects_of
from prowess_desk.families.scene import acquaintances, asked, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login

# Move what is due on a weekend to the Monday after.


def _make_weekend(draw: Draw) -> Values | None:
    rng = draw.rng
    project, other = projects_of(draw, 2)
    label, *free = rng.sample(LABELS, len(LABELS))
    chores = iter(rng.sample(CHORES, 15))
    saturday = draw.state.now.date() + timedelta(days=rng.choice((6, 13, 20)))
    for n in range(4):
        for due in (saturday + timedelta(days=7 * n), saturday + timedelta(days=7 * n + 1)):
            planned(draw, project, next(chores), due=due, labels=free[: n % 3], days=60 - n)
    for fine in (saturday - timedelta(days=1), saturday + timedelta(days=2), None):
        planned(draw, project, next(chores), due=fine)
    planned(draw, project, next(chores), due=saturday, labels=[label])
    planned(draw, project, next(chores), due=saturday + timedelta(days=1), done=True)
    planned(draw, other, next(chores), due=saturday)
    return {"project": project.name, "label": label, "other_project": other.name, "other_label": free[0]}


def _solve_weekend(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and not task.done and task.due and values["label"] not in task.labels:
            late = {5: 2, 6: 1}.get(task.due.weekday(), 0)
            edit_task(state, task.id, due=task.due + timedelta(days=late))


def put_off_weekends(project: str, kept_label: str) -> int:
    """Make the open tasks of a project due on weekends, but for a label, due the Monday after; return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    moved = 0
    for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False):
        if task["due_date"] is None or kept_label in task["labels"]:
            continue
        due = date.fromisoformat(task["due_date"])
        if due.weekday() >= 5:
            monday = due + timedelta(days=7 - due.weekday())
            apis.todo.update_task(access_token=token, task_id=task["task_id"], due_date=monday.isoformat())
            moved += 1
    return moved


weekend_tasks_to_monday = Family(
    name="weekend_tasks_to_monday",
    split="train",
    difficulty=1,
    apps=("todo",),
    slots={"project": str, "label": str},
    wordings=(
        'No weekends for "{project}": all open tasks of this todo project that are due on a Saturday or Sunday get the'
        ' Monday right after it as their due date. Leave those with the label "{label}".',
        'Go through the unfinished tasks in my todo project "{project}". Where the due date falls on a weekend, put it'
        ' off to the next Monday, unless the task is labelled "{label}".',
        'I do not want to work on Saturdays and Sundays any more, except on things labelled "{label}". Could you shift'
        ' every other open task in "{project}" (todo app) that is due on such a day to the Monday that follows?',
        'Tasks labelled "{label}" can stay where they are. All others in my todo project "{project}" that are not done'
        " and have a Saturday or a Sunday as their due date should be due on the Monday after that instead.",
        'In the todo app, look for open tasks of "{project}" due on any weekend, whether it is past or to come. Make'
        ' them due one or two days later, so that it is a Monday. The label "{label}" on a task means hands off.',
    ),
    make=_make_weekend,
    solve=_solve_weekend,
    program=Program(functions=(put_off_weekends,), call="put_off_weekends(project={project!r}, kept_label={label!r})"),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="sundays_only", old="weekday() >= 5", new="weekday() > 5"),
        Mistake(name="two_days_later", old="days=7 - due.weekday()", new="days=2"),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Deny requests whose deadline has passed, and make tasks of the others.


def _make_answers(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    project, other = projects_of(draw, 2)
    days, people = rng.randint(9, 30), acquaintances(draw)
    notes = rng.sample(("Canoe", "Rug cleaning", "Opera seats", "Chess set", "Piano tuning", "Tent pegs", "Wool"), 7)
    ages = (days, days + 1, days + rng.randint(3, 40), 2, days - 1, 3, days + 9)
    for person, note, age in zip(people, notes, ages, strict=False):
        asked(draw, person, me, note, state.now.replace(hour=rng.randint(6, 11)) - timedelta(days=age))
    asked(draw, people[0], me, "Skis", state.now - timedelta(days=days + 5), status="denied")
    planned(draw, project, f"answer {people[3].name}: {notes[3]}", days=1)  # there already
    planned(draw, other, f"answer {people[4].name}: {notes[4]}", days=1)  # but not in the project
    return {"days": days, "project": project.name, "other_days": days + 1, "other_project": other.name}


def _solve_answers(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    known = {task.title for task in state[TodoTask].of(me.id) if task.project_id == project.id and not task.done}
    for row in state[PaymentRequest].of(me.id):
        if row.payer != me.id or row.status != "pending":
            continue
        due = row.created_at.date() + timedelta(days=values["days"])
        title = f"answer {state[Person][row.requester].name}: {row.note}"
        if (state.now.date() - row.created_at.date()).days > values["days"]:
            deny(state, row.id)
        elif title not in known:
            add_task(state, me.id, title, project=project.id, due=due)


def plan_answers(days: int, project: str) -> int:
    """Deny the received requests older than so many days, create tasks for the others and return how many."""
    today = apis.phone.show_current_date_and_time()["date"]
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False)
    titles = {task["title"] for task in tasks}
    wallet_token = login(app="wallet")
    planned = 0
    requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    for request in requests:
        arrived = date.fromisoformat(request["created_at"][:10])
        deadline = (arrived + timedelta(days=days)).isoformat()
        title = f"answer {request['requester']['name']}: {request['note']}"
        if deadline < today:
            apis.wallet.deny_request(access_token=wallet_token, request_id=request["request_id"])
        elif title not in titles:
            apis.todo.create_task(access_token=token, title=title, project_id=project_id, due_date=deadline)
            planned += 1
    return planned


deadlines_of_requests = Family(
    name="deadlines_of_requests",
    split="train",
    difficulty=3,
    apps=("wallet", "todo", "phone"),
    slots={"days": int, "project": str},
    wordings=(
        "I answer payment requests on wallet within {days} days of the day they came. Deny the pending ones I got whose"
        ' last day was before today. For each other one, create a task in my todo project "{project}", due on its last'
        ' day and titled like "answer Jane Doe: Taxi" (who asks, and the note), unless an open one is there.',
        "My rule: whoever asks me for money on wallet gets an answer {days} days later at the latest. Where that day is"
        ' over, turn the open request down. Where it is today or to come, I need a task in "{project}" (todo app), due'
        ' that day, titled as in "answer Jane Doe: Taxi", with full name and note, if no open one there has it.',
        "Set a deadline for each wallet request I have not answered: {days} days after its date. If it is in the past,"
        ' deny the request. If not, put the task "answer", full name of who asked, colon, note (answer Jane Doe: Taxi)'
        ' into my todo project "{project}", due on the deadline, if no open task of it has that title.',
        "Clean up the pending requests others sent me on wallet. More than {days} days old, counted in dates: denied."
        ' The rest go to the todo project "{project}" as tasks like this: "answer Jane Doe: Taxi", with requester and'
        " note, due when the request is exactly {days} days old. No task where an open one there is so named.",
        "For every open wallet request to me, work out the day {days} days after it was made. If that is today or to"
        ' come, add a task due on it to "{project}" in todo, called answer, full name, colon, note, as in'
        ' "answer Jane Doe: Taxi", if no open task there is called that. Otherwise the request is too old: deny it.',
    ),
    make=_make_answers,
    solve=_solve_answers,
    program=Program(functions=(plan_answers,), call="plan_answers(days={days!r}, project={project!r})"),
    mistakes=(
        Mistake(name="a_day_more", swap={"days": "other_days"}),
        Mistake(name="today_is_too_late", old="deadline < today", new="deadline <= today"),
        Mistake(name="added_again", old="elif title not in titles:", new="else:"),
        Mistake(name="seen_elsewhere", old="project_id=project_id, done=False", new="done=False"),
        Mistake(name="first_page", old="in requests:", new="in requests[:5]:"),
    ),
)


# What of a note runs out soon.

_STOCK = {
    "Pantry dates": "oats|lentils|rice flour|peanut butter|crackers|honey|tomato sauce|olives|soy milk|couscous",
    "Medicine cabinet": "aspirin|eye drops|plasters|cough syrup|sun lotion|throat sweets|iodine|ear drops|zinc|cream",
    "Vouchers": "spa day|book shop|climbing hall|cinema|pizza place|shoe repair|florist|zoo|sauna|bakery",
    "Passes": "tram pass|parking card|gym card|fishing permit|museum pass|ski pass|visa|pool card|bus card|phone card",
}


def _make_expiring(draw: Draw) -> Values | None:
    rng, today, title = draw.rng, draw.state.now.date(), draw.rng.choice(list(_STOCK))
    days = rng.randint(5, 40)
    ahead = [0, days, rng.randint(1, days - 1), -1, days + 1, -364, 364 + days, rng.randint(-90, -5), days + 30]
    things = rng.sample(_STOCK[title].split("|"), 10)
    for name, late in ((title, 0), (older_twin(title), 3)):
        when = [today + timedelta(days=n + late) for n in ahead]
        lines = [f"{thing}: {day.day} {day:%B %Y}" for thing, day in zip(things[1:], when, strict=True)]
        jotted(draw, name, "\n".join(("What ends when", *rng.sample(lines, 9), things[0])), days=40 + 100 * late)
    return {"title": title, "days": days, "other_title": older_twin(title), "other_days": days - 1}


def _solve_expiring(state: State, me: Person, values: Values) -> Json:
    wanted = [state.now.date() + timedelta(days=n) for n in range(values["days"] + 1)]
    endings = tuple(f": {day.day} {day:%B %Y}" for day in wanted)
    lines = note_titled(state, me.id, values["title"]).content.split("\n")
    return [line.split(":")[0] for line in lines if line.endswith(endings)]


def running_out_within(note_title: str, days: int) -> list:
    """List the things of a note (`thing: 31 January 2025`) whose day is today or at most so many days ahead."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    token = login(app="notes")
    notes = all_pages(apis.notes.search_notes, access_token=token, query=note_title)
    note_id = next(note["note_id"] for note in notes if note["title"] == note_title)
    found = []
    for line in apis.notes.show_note(access_token=token, note_id=note_id)["content"].splitlines():
        thing, _, day = line.partition(": ")
        if day and 0 <= (datetime.strptime(day, "%d %B %Y").date() - today).days <= days:
            found.append(thing)
    return found


running_out_soon = Family(
    name="running_out_soon",
    split="train",
    difficulty=1,
    apps=("notes", "phone"),
    slots={"title": str, "days": int},
    wordings=(
        'Which things in my note "{title}" run out in the next {days} days? Today and the day {days} days from now both'
        " count; what ran out before today does not.",
        'My note "{title}" says up to which day each thing is good. List those whose day is not over yet but comes'
        " within {days} days from today, the last of these days included.",
        'What must I see to? In "{title}", one of my notes, most things have a date. Give me the ones dated from today'
        " until {days} days from today, both included.",
        'I want to use things in time. Name everything in the note "{title}" that has {days} days or less left, with'
        " what ends today, but without what has ended already.",
        'Look at the dates in my note "{title}" and tell me what falls between today and {days} days from today (both'
        " belong to it): just the things, separated by commas.",
    ),
    make=_make_expiring,
    solve=_solve_expiring,
    program=Program(functions=(running_out_within,), call="running_out_within(note_title={title!r}, days={days!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="a_day_less", swap={"days": "other_days"}),
        Mistake(name="ended_ones_too", old="0 <= (date", new="(date"),
        Mistake(name="not_today", old="0 <= (date", new="0 < (date"),
        Mistake(name="any_year", old=".date() - today", new=".date().replace(year=today.year) - today"),
    ),
    asks=True,
)


# List the birthdays to come.


def _make_birthdays(draw: Draw) -> Values | None:
    rng, state, today = draw.rng, draw.state, draw.state.now.date()
    relation, other = rng.sample(("friend", "coworker", "roommate"), 2)
    if not widened(draw, relation, other, least=8):
        return None
    rows = [row for row in state[Contact].of(draw.me.id) if relation in row.relationships]
    soon = today + timedelta(days=rng.randint(30, 200))
    days = (today, today - timedelta(days=1), today + timedelta(days=1), soon, soon)
    for row, day in zip(rng.sample(rows, 6), (*days, None), strict=True):
        change_contact(state, row.id, birthday=day and day.replace(year=rng.randint(1950, 2003)))
    name, ending = rng.choice(("birthdays", "cakes", "cards-to-write", "parties")), rng.choice(("txt", "md"))
    return {"relation": relation, "path": f"~/documents/{name}.{ending}", "other_relation": other}


def _solve_birthdays(state: State, me: Person, values: Values) -> Json:
    found = []
    rows = [row for row in state[Contact].of(me.id) if values["relation"] in row.relationships and row.birthday]
    for ahead in range(365):
        day = state.now.date() + timedelta(days=ahead)
        for row in sorted(rows, key=lambda row: row.name):
            if row.birthday and (row.birthday.month, row.birthday.day) == (day.month, day.day):
                found.append(f"{day}: {row.name} ({day.year - row.birthday.year})")
    write_file(state, me.id, at_home(me, values["path"]), "\n".join(found))


def write_birthdays(path: str, relationship: str) -> int:
    """Write a file with the next birthdays of the contacts who are this, with ages, by day; return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    lines = []
    for contact in contacts_who_are(relationship=relationship):
        if contact["birthday"]:
            born = date.fromisoformat(contact["birthday"])
            coming = born.replace(year=today.year)
            if coming < today:
                coming = born.replace(year=today.year + 1)
            lines.append(f"{coming}: {contact['name']} ({coming.year - born.year})")
    token = login(app="files")
    apis.files.create_file(access_token=token, file_path=path, content="\n".join(sorted(lines)))
    return len(lines)


birthdays_to_come = Family(
    name="birthdays_to_come",
    split="train",
    difficulty=2,
    apps=("phone", "files"),
    slots={"relation": str, "path": str},
    wordings=(
        "Write a new file {path} with the next birthday of each {relation} in my phone contacts whose birthday I have:"
        ' lines like "2025-01-31: Jane Doe (40)", with the age they reach that day. The soonest comes first, today'
        " counts, and on the same day they go by name.",
        "Who has a birthday when? For everybody my phone contacts list as {relation}, put a line into {path}, which is"
        " not there yet: date of the next birthday (it may be today), colon, space, full name, space, and in brackets"
        ' how old they will be, as in "2025-01-31: Jane Doe (40)". Sort by date, then by name. Contacts without a'
        " birthday are left out.",
        "I keep missing birthdays. Make me a list in the file {path}, from the next one on: every {relation} of mine in"
        ' the phone once, in the form "2025-01-31: Jane Doe (40)", that is the coming birthday, this year or next, the'
        " name and the age then. A birthday today is the first; equal days go by name; no birthday, no line.",
        "Take the birthdays of my contacts with the relationship {relation}, as far as they are known, and work out for"
        " each when it is next, today included, and which birthday it is. Save that as {path}, a line like"
        ' "2025-01-31: Jane Doe (40)" for each, in the order of the days and, on one day, of the full names.',
        "From today on, a year ahead: which {relation} of mine turns how old, and on what date? I want a file {path}"
        " that answers this for all in my phone contacts who have a birthday there, in lines such as"
        ' "2025-01-31: Jane Doe (40)", from the earliest date to the latest, then by name. Today counts, too.',
    ),
    make=_make_birthdays,
    solve=_solve_birthdays,
    program=Program(functions=(write_birthdays,), call="write_birthdays(path={path!r}, relationship={relation!r})"),
    mistakes=(
        Mistake(name="another_circle", swap={"relation": "other_relation"}),
        Mistake(name="all_this_year", old="coming < today", new="coming < born"),
        Mistake(name="not_today", old="coming < today", new="coming <= today"),
        Mistake(name="age_of_this_year", old="({coming.year - born.year})", new="({today.year - born.year})"),
        Mistake(name="not_sorted", old="sorted(lines)", new="lines"),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)

FAMILIES = (weekend_tasks_to_monday, deadlines_of_requests, running_out_soon, birthdays_to_come)
