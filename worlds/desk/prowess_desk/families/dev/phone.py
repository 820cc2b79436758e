"""Dev families of the phone app, alone and with notes or todo."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.notes import Note, note_titled
from prowess_desk.apps.phone import (
    Alarm,
    Contact,
    add_contact,
    change_alarm,
    change_contact,
    create_alarm,
    delete_alarm,
    send_text,
)
from prowess_desk.apps.todo import TodoTask, comment
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import CITIES, Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, jotted, older_twin, planned, projects_of
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login


def namesakes(draw: Draw) -> tuple[Contact, Contact]:
    """A contact of the supervisor's, and one with the same first name, who is somebody else."""
    mine = draw.rng.choice(draw.state[Contact].of(draw.me.id))
    first = mine.name.split()[0]
    known = {id for id, _ in draw.me.relations}
    stranger = draw.rng.choice([each for each in draw.people if each.id not in known and each.id != draw.me.id])
    other = add_contact(draw.state, draw.me.id, f"{first} {stranger.last}", stranger.phone, relationships=["friend"])
    return mine, other


def reached_at(state: State, number: str) -> int:
    """The id of the person with a phone number."""
    return next(person.id for person in state[Person] if person.phone == number)


# Text somebody what a note says.


def _make_share_note(draw: Draw) -> Values | None:
    note = draw.rng.choice(draw.state[Note].of(draw.me.id))
    contact, other = namesakes(draw)
    if contact.name == other.name:
        return None
    twin = older_twin(note.title)
    jotted(draw, twin, f"{note.content}\n(not up to date)", days=420)
    return {"title": note.title, "person": contact.name, "other_title": twin, "other_person": other.name}


def _solve_share_note(state: State, me: Person, values: Values) -> Json:
    contact = next(row for row in state[Contact].of(me.id) if row.name == values["person"])
    send_text(state, me.id, reached_at(state, contact.phone), note_titled(state, me.id, values["title"]).content)


def text_note_to(title: str, name: str) -> int:
    """Send the content of a note to a phone contact as a text message and return its length."""
    token = login(app="notes")
    found = all_pages(apis.notes.search_notes, access_token=token, query=title)
    note_id = next(note["note_id"] for note in found if note["title"] == title)
    content = apis.notes.show_note(access_token=token, note_id=note_id)["content"]
    contact = contact_named(name=name)
    phone_token = login(app="phone")
    apis.phone.send_text_message(access_token=phone_token, phone_number=contact["phone_number"], text=content)
    return len(content)


share_note = Family(
    name="share_note",
    split="dev",
    difficulty=2,
    apps=("notes", "phone"),
    slots={"title": str, "person": str},
    wordings=(
        'Text {person} the content of my note "{title}", word for word and without the title.',
        'Please send what it says in "{title}", one of my notes, to {person} as a single text message. It should be the'
        " text of the note exactly as it is, nothing added.",
        '{person} needs to know what I wrote down under "{title}" in the notes app. Copy the whole body of that note'
        " into a text message to them, unchanged.",
    ),
    make=_make_share_note,
    solve=_solve_share_note,
    program=Program(functions=(text_note_to,), call="text_note_to(title={title!r}, name={person!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="the_namesake", swap={"person": "other_person"}),
        Mistake(name="with_the_title", old="text=content)", new=r'text=f"{title}\n{content}")'),
        Mistake(
            name="by_voice",
            old='apis.phone.send_text_message(access_token=phone_token, phone_number=contact["phone_number"], text=',
            new=(
                "apis.phone.send_voice_message(\n"
                '        access_token=phone_token, phone_number=contact["phone_number"], transcript='
            ),
        ),
    ),
)


# Replace an alarm by several.


def _make_replace_alarm(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me.id, draw.rng
    mine = sorted(state[Alarm].of(me), key=lambda alarm: alarm.time)
    for label, time in (("Stretch", "05:10"), ("Blinds up", "05:25"), ("Tea", "05:35")):
        if len(mine) < 6:
            mine.insert(0, create_alarm(state, me, label, time))
    alarm = mine[-1]  # beyond the first page
    days = rng.choice((("monday", "thursday"), ("tuesday", "friday", "sunday"), ("saturday",)))
    change_alarm(state, alarm.id, repeat_days=days, snooze_minutes=rng.choice((3, 7, 12)), enabled=rng.random() < 0.5)
    change_alarm(state, mine[0].id, label=f"{alarm.label} (holidays)")
    times = sorted(rng.sample([f"{hour:02d}:{minute:02d}" for hour in range(6, 21) for minute in (2, 18, 33, 47)], 3))
    other = [*times[:2], f"{times[2][:3]}{int(times[2][3:]) + 1:02d}"]
    return {"label": alarm.label, "times": times, "other_label": f"{alarm.label} (holidays)", "other_times": other}


def _solve_replace_alarm(state: State, me: Person, values: Values) -> Json:
    old = next(alarm for alarm in state[Alarm].of(me.id) if alarm.label == values["label"])
    delete_alarm(state, old.id)
    for time in values["times"]:
        create_alarm(state, me.id, old.label, time, repeat_days=old.repeat_days, snooze_minutes=old.snooze_minutes)


def replace_alarm_with(label: str, times: list) -> int:
    """Replace an alarm by alarms at other times, with its label, days and snooze, all on, and return how many."""
    token = login(app="phone")
    alarms = all_pages(apis.phone.show_alarms, access_token=token, query=label)
    old = next(alarm for alarm in alarms if alarm["label"] == label)
    for time in times:
        apis.phone.create_alarm(
            access_token=token,
            label=label,
            time=time,
            repeat_days=old["repeat_days"],
            snooze_minutes=old["snooze_minutes"],
        )
    apis.phone.delete_alarm(access_token=token, alarm_id=old["alarm_id"])
    return len(times)


replace_alarm = Family(
    name="replace_alarm",
    split="dev",
    difficulty=2,
    apps=("phone",),
    slots={"label": str, "times": list},
    wordings=(
        'Replace my alarm "{label}" by new ones at {times}: with the same label, the same days and the same snooze, all'
        " switched on. Delete the old one.",
        'From now on I need "{label}" at {times} instead. Create an alarm for each of these times that has the label,'
        " repeat days and snooze time of the present one and is on, then delete the present one.",
        'I would like alarms at {times} in place of the one labelled "{label}". They take over its label, the days it'
        " repeats on and the minutes of its snooze, and they are turned on; the one I have now is to be deleted.",
    ),
    make=_make_replace_alarm,
    solve=_solve_replace_alarm,
    program=Program(functions=(replace_alarm_with,), call="replace_alarm_with(label={label!r}, times={times!r})"),
    mistakes=(
        Mistake(name="the_similar_label", swap={"label": "other_label"}),
        Mistake(name="a_minute_late", swap={"times": "other_times"}),
        Mistake(name="first_match", old=' if alarm["label"] == label', new=""),
        Mistake(name="once", old='            repeat_days=old["repeat_days"],\n', new=""),
        Mistake(name="usual_snooze", old='            snooze_minutes=old["snooze_minutes"],\n', new=""),
        Mistake(
            name="old_one_only_off",
            old='apis.phone.delete_alarm(access_token=token, alarm_id=old["alarm_id"])',
            new='apis.phone.update_alarm(access_token=token, alarm_id=old["alarm_id"], is_enabled=False)',
        ),
    ),
)


# Give the contacts in a city one more relationship.


def _make_relate_locals(draw: Draw) -> Values | None:
    state, rng = draw.state, draw.rng
    city, other = rng.sample(CITIES, 2)
    contacts = state[Contact].of(draw.me.id)
    if len(contacts) < 9:
        return None
    mine = rng.sample(contacts, 9)
    for contact in mine[:6]:
        change_contact(state, contact.id, address=f"{contact.address.split(',')[0]}, {city}")
    change_contact(state, mine[6].id, address=f"{rng.randint(2, 90)} {city} Street, {other}")
    change_contact(state, mine[7].id, address=f"{rng.randint(2, 90)} Elm Street, New {city}")
    change_contact(state, mine[8].id, address=f"{rng.randint(2, 90)} Elm Street, {other}")
    word = rng.choice(("neighbor", "chess partner", "book club", "carpool", "choir", "emergency contact"))
    return {"city": city, "relation": word, "other_city": other}


def _solve_relate_locals(state: State, me: Person, values: Values) -> Json:
    for contact in state[Contact].of(me.id):
        if contact.address.split(", ")[-1] == values["city"]:
            change_contact(state, contact.id, relationships=[*contact.relationships, values["relation"]])


def add_relationship_in_city(city: str, relationship: str) -> int:
    """Add a relationship to every contact who lives in a city, keeping those they have, and return how many."""
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token)
    local = [contact for contact in contacts if contact["address"].endswith(f", {city}")]
    for contact in local:
        relationships = contact["relationships"] + [relationship]
        apis.phone.update_contact(access_token=token, contact_id=contact["contact_id"], relationships=relationships)
    return len(local)


relate_locals = Family(
    name="relate_locals",
    split="dev",
    difficulty=1,
    apps=("phone",),
    slots={"city": str, "relation": str},
    wordings=(
        'Add the relationship "{relation}" to every phone contact of mine who lives in the city of {city}, besides'
        " those they have.",
        'From now on everybody in my address book with an address in the city {city} counts as "{relation}", too. Enter'
        " that as a further relationship of theirs in the phone app.",
        "Which of my contacts live in {city}? (It is the city that counts, not the street.) Please give each of them"
        ' one more relationship, "{relation}", and do not lose the old ones.',
    ),
    make=_make_relate_locals,
    solve=_solve_relate_locals,
    program=Program(
        functions=(add_relationship_in_city,),
        call="add_relationship_in_city(city={city!r}, relationship={relation!r})",
    ),
    mistakes=(
        Mistake(name="another_city", swap={"city": "other_city"}),
        Mistake(name="streets_too", old='contact["address"].endswith(f", {city}")', new='city in contact["address"]'),
        Mistake(name="old_ones_lost", old='contact["relationships"] + [relationship]', new="[relationship]"),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)


# Ask somebody about the tasks with a label.


def _make_ask_about_labelled(draw: Draw) -> Values | None:
    rng = draw.rng
    label, other = rng.sample(LABELS, 2)
    contact, namesake = namesakes(draw)
    if contact.name == namesake.name:
        return None
    first, second = projects_of(draw, 2)
    chores = iter(rng.sample(CHORES, 10))
    for n in range(6):
        planned(draw, (first, second)[n % 2], next(chores), labels=[label], days=60 - n)
    planned(draw, first, next(chores), labels=[label, other], done=True)
    planned(draw, second, next(chores), labels=[other])
    planned(draw, second, f"{next(chores)} ({label})")
    return {"label": label, "person": contact.name, "other_label": other, "other_person": namesake.name}


def _solve_ask_about_labelled(state: State, me: Person, values: Values) -> Json:
    contact = next(row for row in state[Contact].of(me.id) if row.name == values["person"])
    for task in state[TodoTask].of(me.id):
        if values["label"] in task.labels and not task.done:
            send_text(state, me.id, reached_at(state, contact.phone), f"Any news about: {task.title}?")
            comment(state, task.id, f"Asked {values['person']}")


def ask_about_tasks(label: str, name: str) -> int:
    """Text a contact about each open task with a label, note that as a comment on the task, return how many."""
    token = login(app="todo")
    tasks = all_pages(apis.todo.list_tasks, access_token=token, label=label, done=False)
    contact = contact_named(name=name)
    phone_token = login(app="phone")
    for task in tasks:
        text = f"Any news about: {task['title']}?"
        apis.phone.send_text_message(access_token=phone_token, phone_number=contact["phone_number"], text=text)
        apis.todo.add_comment(access_token=token, task_id=task["task_id"], text=f"Asked {name}")
    return len(tasks)


ask_about_labelled = Family(
    name="ask_about_labelled",
    split="dev",
    difficulty=3,
    apps=("todo", "phone"),
    slots={"label": str, "person": str},
    wordings=(
        'For each open task with the label "{label}" in my todo app, send {person} a text of its own, such as "Any news'
        ' about: call the bank?" for the task "call the bank", and comment "Asked {person}" on the task.',
        'Ask {person} by text about all my unfinished todo tasks labelled "{label}", one message per task in the form'
        ' "Any news about: call the bank?" with the title of the task in place of "call the bank". Under every such'
        ' task leave the comment "Asked {person}".',
        'I am waiting for {person} with everything that has the label "{label}" and is not done in my todo app. Per'
        ' task, do two things: text them "Any news about: call the bank?", where "call the bank" stands for the'
        ' title, and add the comment "Asked {person}" to the task.',
    ),
    make=_make_ask_about_labelled,
    solve=_solve_ask_about_labelled,
    program=Program(functions=(ask_about_tasks,), call="ask_about_tasks(label={label!r}, name={person!r})"),
    mistakes=(
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="the_namesake", swap={"person": "other_person"}),
        Mistake(name="done_ones_too", old=", done=False", new=""),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
        Mistake(
            name="no_comments",
            old='apis.todo.add_comment(access_token=token, task_id=task["task_id"], text=f"Asked {name}")',
            new="pass",
        ),
    ),
)

FAMILIES = (share_note, replace_alarm, relate_locals, ask_about_labelled)
