"""Train families that hold two listings against each other, of one app or of two, and name or fill the gaps."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files, phone, splits, todo, wallet
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login

# Record on splits what was paid on wallet and is not there yet.

_REASONS = "Paying you back|My part of it|What I owed you|For last month|Squaring up|Back to you".split("|")


def _make_unbooked(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    if (pair := papers.twin_groups(draw, least=4)) is None:
        return None
    group, people = pair[0], papers.others_in(draw, pair[0])
    stranger = next(person for person in draw.people if person.id not in group.member_ids)
    note, other = draw.rng.sample(_REASONS, 2)
    sums = draw.rng.sample(range(705, 6_000), 11)
    for n, (who, what) in enumerate(((0, 0), (0, 0), (1, 1), (2, 2), (1, 3), (2, 0), (0, 4), (2, 5))):
        payment = scene.paid(draw, me, people[who], note, scene.ago(draw, 45 + 3 * n))
        state[wallet.Payment].change(payment.id, cents=sums[what])
    scene.paid(draw, me, stranger, note, scene.ago(draw, 44))
    scene.paid(draw, me, people[1], f"{note} (rest)", scene.ago(draw, 50))
    scene.paid(draw, people[1], me, note, scene.ago(draw, 51))
    splits.repay(state, me.id, me.id, people[0].id, sums[0], group=group.id, note=note)  # one of the two
    splits.repay(state, me.id, me.id, people[2].id, sums[2], group=group.id, note=note)
    splits.repay(state, me.id, me.id, people[1].id, sums[1], group=group.id, note=other)
    splits.repay(state, me.id, me.id, people[0].id, sums[4], note=note)
    splits.repay(state, me.id, people[2].id, me.id, sums[5], group=group.id, note=note)
    for cents in sums[6:]:
        splits.repay(state, me.id, me.id, people[1].id, cents, group=group.id, note="Cash")
    return {"group": group.name, "note": note, "other_group": pair[1].name}


def _solve_unbooked(state: State, me: Person, values: Values) -> Json:
    group = papers.group_called(state, me, values["group"])
    rows = [row for row in state[splits.Repayment].of(("group", group.id)) if row.note == values["note"]]
    open_records = [(row.receiver, row.cents) for row in rows if row.payer == me.id]
    for row in state[wallet.Payment].of(me.id):
        if row.sender == me.id and row.note == values["note"] and row.receiver in group.member_ids:
            if (row.receiver, row.cents) in open_records:
                open_records.remove((row.receiver, row.cents))
            else:
                splits.repay(state, me.id, me.id, row.receiver, row.cents, group=group.id, note=values["note"])


def record_unbooked(group: str, note: str) -> int:
    """Record wallet payments with a note to members of a splits group that the group lacks; return how many."""
    me = apis.supervisor.show_profile()["email"]
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    members = {member["email"] for member in found["members"]}
    records = all_pages(apis.splits.show_payments, access_token=token, group_id=found["group_id"])
    mine = [row for row in records if row["note"] == note and row["payer"]["email"] == me]
    wallet_token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, query=note, direction="sent")
    sent = [row for row in payments if row["note"] == note and row["receiver"]["email"] in members]
    recorded, paid = (Counter((row["receiver"]["email"], row["amount"]) for row in rows) for rows in (mine, sent))
    lacking = list((paid - recorded).elements())
    for email, amount in lacking:
        details = {"group_id": found["group_id"], "receiver_email": email, "amount": amount, "note": note}
        apis.splits.record_payment(access_token=token, payer_email=me, **details)
    return len(lacking)


unbooked_wallet_payments = Family(
    name="unbooked_wallet_payments",
    split="train",
    difficulty=3,
    apps=("splits", "wallet"),
    slots={"group": str, "note": str},
    wordings=(
        'Record in my splits group "{group}" the payments with exactly the note "{note}" that I sent to its members on'
        " wallet and that are not recorded there yet, with the same amount and note. One counts as recorded if the"
        " group has a payment of mine to that person with this amount and note; each record stands for one payment.",
        'I forgot to enter some repayments: compare what I paid members of "{group}" on wallet with just "{note}" as'
        " the note with my payments to them that this group on splits has under that note. Person and amount"
        " must agree, one record per payment. Enter what is missing there, note included.",
        'For every wallet payment from me to somebody in my splits group "{group}" that says "{note}" and nothing else,'
        " the group should have its own record: from me to that person, same amount, same note. Add what it lacks.",
        'Which payments noted "{note}", word for word, from my wallet to people in "{group}" have no counterpart among'
        " mine recorded in that splits group (receiver, amount, note alike; none used twice)? Record those there, too.",
        'Whatever I sent members of "{group}" on wallet with "{note}" as the whole note belongs into this splits group'
        " once per payment, under this note. Skip what is recorded there from me to the same person with that amount"
        " and note, but two equal payments need two records.",
    ),
    make=_make_unbooked,
    solve=_solve_unbooked,
    program=Program(functions=(record_unbooked,), call="record_unbooked(group={group!r}, note={note!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="equal_ones_as_one", old="(paid - recorded).elements()", new="paid.keys() - recorded.keys()"),
        Mistake(name="of_any_group", old=', group_id=found["group_id"])', new=")"),
        Mistake(name="first_page", old="all_pages(apis.splits.show_payments, ", new="apis.splits.show_payments("),
    ),
)


# Which numbers does a series of files lack?

_SERIES = "scan slide page photo letter chapter track receipt".split()
_FOLDERS = ("~/documents/personal", "~/documents/work", "~/downloads", "~/photos", "~/receipts")


def _make_gaps(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    series, other = rng.sample(_SERIES, 2)
    folder, second = rng.sample(_FOLDERS, 2)
    holes = rng.sample(range(9, 19), 9)
    for n, (place, name) in enumerate(((folder, series), (folder, other), (second, series))):
        for number in sorted({*range(rng.randint(3, 8), rng.randint(20, 26))} - {*holes[3 * n : 3 * n + 3]}):
            papers.filed(draw, f"{place}/{name}-{number}.{('png', 'pdf', 'jpg')[number % 3]}", f"{name} {number}")
    files.make_directory(state, me.id, papers.at_home(me, f"{folder}/sorted"))
    papers.filed(draw, f"{folder}/sorted/{series}-{holes[0]}.png", "One too many.")
    papers.filed(draw, f"{folder}/draft-{series}-{holes[1]}.png", "Not good enough.")
    papers.filed(draw, f"{folder}/{series}-{holes[3]}.txt", "Remarks.")  # the number is there twice
    return {"folder": folder, "series": series, "other_folder": second, "other_series": other}


def _solve_gaps(state: State, me: Person, values: Values) -> Json:
    start = papers.at_home(me, f"{values['folder']}/{values['series']}-")
    ends = [file.path.removeprefix(start) for file in state[files.File].of(me.id) if file.path.startswith(start)]
    there = [int(end.split(".")[0]) for end in ends]
    return [number for number in range(min(there), max(there)) if number not in there]


def gaps_in_series(folder: str, series: str) -> list:
    """Return the numbers between the lowest and the highest of a folder's files `series-7.ext` that no file has."""
    token = login(app="files")
    paths = apis.files.show_directory(access_token=token, directory_path=folder)["files"]
    matches = [re.fullmatch(rf"{series}-(\d+)\.\w+", path.split("/")[-1]) for path in paths]
    numbers = {int(match[1]) for match in matches if match}
    return [number for number in range(min(numbers), max(numbers)) if number not in numbers]


gaps_in_numbering = Family(
    name="gaps_in_numbering",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"folder": str, "series": str},
    wordings=(
        "The files right in {folder} that are called {series}-7 and so on, whatever their extension, should be numbered"
        " without a gap from the lowest number to the highest. Which numbers are missing?",
        "Is my {series} series in {folder} complete? The names are {series}, a hyphen, a number, a dot and some ending."
        " List the numbers between the first and the last that no file directly in this folder has.",
        "Some of my files {series}-1, {series}-2 and so on have got lost. Going by what lies in {folder} itself, name"
        " the numbers left out between the smallest and the largest one, whatever kind of file the others are.",
        "Please check {folder} for holes: of the files there whose name is {series}-NUMBER.EXTENSION, which numbers,"
        " counted from the lowest that exists up to the highest, does none carry? Subfolders do not count.",
        "In {folder} I number things: {series}-1, {series}-2 and so forth, as pictures, texts or other kinds of file."
        " Ignore subfolders and all other names. What numbers have been skipped between the lowest and the highest?",
    ),
    make=_make_gaps,
    solve=_solve_gaps,
    program=Program(functions=(gaps_in_series,), call="gaps_in_series(folder={folder!r}, series={series!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="folders_below_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
        Mistake(name="part_of_the_name", old="re.fullmatch(", new="re.search("),
        Mistake(name="from_one_on", old="range(min(numbers), ", new="range(1, "),
    ),
)


# A task for each contact of a kind, and for nobody else.

_DUTIES = ("Postcard to", "Birthday card for", "Invitation for", "Thank-you note to", "Souvenir for", "Return books to")


def _make_duties(draw: Draw) -> Values | None:
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


def _solve_duties(state: State, me: Person, values: Values) -> Json:
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
    make=_make_duties,
    solve=_solve_duties,
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


# Correct the e-mail addresses of a group's members in the contacts.


def _make_emails(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    if (pair := papers.twin_groups(draw, least=4)) is None:
        return None
    contacts = state[phone.Contact].of(me.id)
    emails = [{person.email for person in papers.others_in(draw, group)} for group in pair]
    inside = [row for row in contacts if row.email in emails[0]]
    outside = [row for row in contacts if row.email in emails[1] - emails[0]]
    if len(inside) < 3 or inside[-1] not in contacts[5:] or not outside:
        return None
    gone, blank, *old = (*rng.sample(inside[:-1], min(3, len(inside) - 1)), inside[-1], outside[0])
    phone.delete_contact(state, gone.id)
    phone.change_contact(state, blank.id, email="")
    for row in old:
        phone.change_contact(state, row.id, email=row.email.replace("@", "@oldmail."))
    return {"group": pair[0].name, "other_group": pair[1].name}


def _solve_emails(state: State, me: Person, values: Values) -> Json:
    members = papers.group_called(state, me, values["group"]).member_ids
    right = {state[Person][id].name: state[Person][id].email for id in members}
    for row in state[phone.Contact].of(me.id):
        phone.change_contact(state, row.id, email=right.get(row.name, row.email))


def correct_emails_from_group(group: str) -> int:
    """Set the e-mail of each contact who is a member of a splits group to the one on splits; return how many."""
    splits_token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=splits_token, query=group)
    members = next(each["members"] for each in groups if each["name"] == group)
    emails = {member["name"]: member["email"] for member in members}
    token = login(app="phone")
    count = 0
    for contact in all_pages(apis.phone.show_contacts, access_token=token):
        email = emails.get(contact["name"], contact["email"])
        if email != contact["email"]:
            apis.phone.update_contact(access_token=token, contact_id=contact["contact_id"], email=email)
            count += 1
    return count


stale_group_emails = Family(
    name="stale_group_emails",
    split="train",
    difficulty=1,
    apps=("splits", "phone"),
    slots={"group": str},
    wordings=(
        'In my phone contacts, correct the e-mail address of every member of my splits group "{group}" whose address on'
        " splits is another. Members who are not in my contacts do not matter.",
        'What splits has as e-mail addresses for the people in "{group}" is right. Put these into my address book where'
        " it has something else for them, or nothing at all. Add no new contacts.",
        'Some of my contacts have stale e-mail addresses. Hold them against the members of the splits group "{group}",'
        " by name, and wherever the two differ take over the address from splits. Leave everyone else's entry alone.",
        'Whoever is in both my phone contacts and "{group}", a group of mine on splits, should have the same e-mail'
        " address in both. Splits is correct, so change the contacts that deviate, empty ones included.",
        'Please go through the members of "{group}" on splits: if I have a contact of that name in my phone and its'
        " e-mail is not the one shown there, update the contact. Nothing else needs to change.",
    ),
    make=_make_emails,
    solve=_solve_emails,
    program=Program(functions=(correct_emails_from_group,), call="correct_emails_from_group(group={group!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="first_match", old=' if each["name"] == group', new=""),
        Mistake(name="empty_ones_left", old="if email !=", new='if contact["email"] and email !='),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)

FAMILIES = (unbooked_wallet_payments, gaps_in_numbering, card_tasks_in_step, stale_group_emails)
