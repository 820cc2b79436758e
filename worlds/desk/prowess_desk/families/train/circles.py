"""Train families on circles of people: of one taste, with things to do, who paid, and who have fallen silent."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps.music import Song, SongReview, delete_review, review
from prowess_desk.apps.phone import Call, Contact, TextMessage, send_text
from prowess_desk.apps.splits import create_group
from prowess_desk.apps.todo import TodoTask, add_task, project_named
from prowess_desk.apps.wallet import Payment
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, planned, projects_of
from prowess_desk.families.scene import acquaintances, ago, in_contacts, named, paid, texted, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login


def _circle(draw: Draw, least: int) -> tuple[str, str, list[Person], Person] | None:
    """A relation that many contacts are, another, the people of the first in any order, and one of the other."""
    relation, other = draw.rng.sample(("roommate", "coworker", "friend"), 2)
    rest = in_contacts(draw.state, draw.me, other)
    if not rest or not widened(draw, relation, other, least=least):
        return None
    circle = in_contacts(draw.state, draw.me, relation)
    return relation, other, draw.rng.sample(circle, len(circle)), draw.rng.choice(rest)


# Who of a circle rates songs as one does oneself?


def _make_taste(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    if (found := _circle(draw, least=5)) is None:
        return None
    relation, other, (a, b, keen, fourth, *_), outsider = found
    first, second = sorted((a, b), key=lambda person: person.name)
    songs = rng.sample([song.id for song in state[Song]], 8)
    for row in [*state[SongReview].of(me.id), *(row for song in songs for row in state[SongReview].of(("song", song)))]:
        if row.author in {person.id for person in (me, *found[2], outsider)} and state[SongReview].get(row.id):
            delete_review(state, row.id)  # they are written anew
    same = {first.id: songs[3:7], second.id: songs[2:6], keen.id: songs[:2], fourth.id: songs[:3], outsider.id: songs}
    for song in songs:
        rating = review(state, me.id, song, rng.randint(1, 5)).rating
        for person, agreed in same.items():
            if song in agreed or person == keen.id:  # who has reviewed them all
                review(state, person, song, rating if song in agreed else rating % 5 + 1)
    return {"relation": relation, "other_relation": other}


def _solve_taste(state: State, me: Person, values: Values) -> Json:
    mine = {row.song: row.rating for row in state[SongReview].of(me.id)}
    scores = {}
    for person in in_contacts(state, me, values["relation"]):
        scores[person.name] = sum(mine.get(row.song) == row.rating for row in state[SongReview].of(person.id))
    return sorted(name for name, score in scores.items() if score == max(scores.values()))[0]


def most_like_minded(relationship: str) -> str:
    """Find the contact of a relationship who gave the most of one's reviewed songs the rating one gave them oneself."""
    names = {contact["email"]: contact["name"] for contact in contacts_who_are(relationship=relationship)}
    token = login(app="music")
    same: Counter = Counter()
    for mine in all_pages(apis.music.show_my_reviews, access_token=token):
        for other in all_pages(apis.music.show_song_reviews, access_token=token, song_id=mine["song_id"]):
            email = other["author"]["email"]
            if email in names and other["rating"] == mine["rating"]:
                same[names[email]] += 1
    return min(same, key=lambda name: (-same[name], name))


like_minded_contact = Family(
    name="like_minded_contact",
    split="train",
    difficulty=2,
    apps=("phone", "music"),
    slots={"relation": str},
    wordings=(
        "Which {relation} of mine (see my phone contacts) has given the most of the songs that I reviewed on music just"
        " as many stars as I did? If several have equally many such songs, name the first of them in the alphabet.",
        "Of all whom my phone contacts list as {relation}, who has given the same rating as I to the largest number of"
        " songs on music? I am looking for somebody with my taste. In a tie, take the name that is first from A to Z.",
        "For each {relation} on my phone, count the songs on music which we have both rated, and with the same rating."
        " Whose count is the highest? The first in the alphabet, please, if that is true of several.",
        "Take the songs I have reviewed in the music app, and look who else did. Among the people my phone has as"
        " {relation}, who hands out exactly my number of stars most often? (Equally often: the first by full name.)",
        "Tell me the name of the {relation} in my phone contacts whose ratings on music match mine for the greatest"
        " number of songs; should two or more share first place, the alphabetically first of their names.",
    ),
    make=_make_taste,
    solve=_solve_taste,
    program=Program(functions=(most_like_minded,), call="most_like_minded(relationship={relation!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="any_rating", old=' and other["rating"] == mine["rating"]', new=""),
        Mistake(name="last_in_a_tie", old="min(same, key=lambda name: (-", new="max(same, key=lambda name: ("),
        Mistake(name="first_reviews", old="all_pages(apis.music.show_my_reviews, ", new="apis.music.show_my_reviews("),
    ),
)


# Tell people what they have to do.

_STARTS = "Do not forget:|You wanted to:|Still waiting for:|Please remember:|Your part is:|For you:".split("|")


def _make_telling(draw: Draw) -> Values | None:
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


def _solve_telling(state: State, me: Person, values: Values) -> Json:
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
    make=_make_telling,
    solve=_solve_telling,
    program=Program(functions=(tell_their_part,), call="tell_their_part(project={project!r}, start={start!r})"),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="done_ones_too", old="project_id=project_id, done=False", new="project_id=project_id"),
        Mistake(name="from_z_to_a", old="sorted(things[contact['name']])", new="sorted(things[contact['name']])[::-1]"),
        Mistake(name="one_thing_each", old="things[name].append(thing)", new="things[name] = [thing]"),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Have everybody in a group who has paid for something.

_PAID = "Ski hut|Boat week|Rafting|Choir camp|Vineyard tour|Balloon ride|Dance course|Pottery class".split("|")
_NEW = "All Aboard|The Lucky Ones|Paid and Ready|On Our Way|Next Adventure|Early Birds".split("|")


def _make_payers(draw: Draw) -> Values | None:
    rng, me, days = draw.rng, draw.me, draw.rng.randint(10, 40)
    note, other = rng.sample(_PAID, 2)
    a, b, c, d, e, f, *rest = rng.sample([person for person in draw.people if person != me], 10)
    for n, person in enumerate((a, b, c, d, e, f, a)):
        paid(draw, person, me, note, ago(draw, days * (n + 0.5) / 8))
    paid(draw, rest[0], me, note, ago(draw, days + 2))  # for last year's
    paid(draw, rest[1], me, f"{note}, just the brochure", ago(draw, 3))
    paid(draw, me, rest[2], note, ago(draw, 2))  # money back
    paid(draw, rest[3], me, other, ago(draw, 1))
    since = (draw.state.now - timedelta(days=days)).date().isoformat()
    return {"note": note, "since": since, "group": rng.choice(_NEW), "other_note": other}


def _solve_payers(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    rows = [row for row in state[Payment].of(me.id) if row.receiver == me.id and row.created_at.date() >= since]
    create_group(state, me.id, values["group"], {row.sender for row in rows if row.note == values["note"]})


def group_payers(note: str, since: str, group: str) -> int:
    """Create a splits group of everybody who has paid with a note since a day (YYYY-MM-DD); return how many."""
    token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, direction="received", from_date=since)
    emails = {payment["sender"]["email"] for payment in payments if payment["note"] == note}
    apis.splits.create_group(access_token=login(app="splits"), name=group, member_emails=sorted(emails))
    return len(emails)


group_of_payers = Family(
    name="group_of_payers",
    split="train",
    difficulty=1,
    apps=("wallet", "splits"),
    slots={"note": str, "since": str, "group": str},
    wordings=(
        'Create the splits group "{group}" with everybody who has sent me money on wallet since {since}, that day'
        ' included, with exactly the note "{note}".',
        'Whoever paid me on {since} or later with the wallet note "{note}", and no other words in it, is coming along.'
        ' Put these people and me into a new group on splits. Its name: "{group}".',
        'I collect money for "{note}" on wallet, and from {since} on it is for this year. Those who have paid me since'
        ' then with just that note should form a group with me on splits, called "{group}". Please set it up.',
        'We need a new splits group, "{group}". Its members, besides me, are the senders of the wallet payments that I'
        ' received from {since} until today and whose note says "{note}" and nothing else.',
        'Look through my wallet for payments to me noted "{note}", word for word, {since} being the first day that'
        ' counts. Then start a group named "{group}" on splits and have all the people who sent them in it.',
    ),
    make=_make_payers,
    solve=_solve_payers,
    program=Program(functions=(group_payers,), call="group_payers(note={note!r}, since={since!r}, group={group!r})"),
    mistakes=(
        Mistake(name="another_note", swap={"note": "other_note"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="similar_notes", old=' if payment["note"] == note', new=""),
        Mistake(name="the_receivers", old='payment["sender"]["email"]', new='payment["receiver"]["email"]'),
        Mistake(name="a_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("),
    ),
)


# Plan to get in touch with those of a circle who have fallen silent.

_PREFIXES = "Call|Write to|Visit|Invite|Have lunch with|Send a card to".split("|")


def _make_silent(draw: Draw) -> Values | None:
    rng, state, me, days = draw.rng, draw.state, draw.me, draw.rng.randint(15, 40)
    if (found := _circle(draw, least=6)) is None:
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


def _solve_silent(state: State, me: Person, values: Values) -> Json:
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
    make=_make_silent,
    solve=_solve_silent,
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

FAMILIES = (like_minded_contact, tell_their_tasks, group_of_payers, plan_for_silent)
