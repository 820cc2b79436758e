"""Train families of names and texts that change after a rule: payments, tasks, contacts and expenses."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.files import File
from prowess_desk.apps.phone import Contact, change_contact
from prowess_desk.apps.splits import Expense, change_expense
from prowess_desk.apps.todo import TodoTask, edit_task, label, project_named
from prowess_desk.apps.wallet import Payment, change_payment
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import CHORES, filed, group_called, planned, projects_of, spent, twin_groups
from prowess_desk.families.scene import acquaintances, ago, paid, widened
from prowess_desk.families.toolbox import all_pages, apis, login

# Say in the notes of payments which month they were made in.


def _make_months(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    note, other = rng.sample(("Cello lessons", "Parking space", "Storage unit", "Dog walker", "Choir fee"), 2)
    days = rng.randint(100, 250)
    since = (draw.state.now - timedelta(days=days)).date()
    for n in range(7):
        paid(draw, me, people[n % 2], note, ago(draw, days * n / 7))
    paid(draw, me, people[0], note, datetime(since.year, since.month, since.day, 7))  # the first day counts
    paid(draw, me, people[1], note, ago(draw, days + 3))
    paid(draw, people[0], me, note, ago(draw, days / 2))  # theirs cannot be changed
    for text in (f"{note}, deposit", f"No {note.lower()}", other):
        paid(draw, me, people[2], text, ago(draw, days / 3))
    return {"note": note, "since": since.isoformat(), "other_note": other}


def _solve_months(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    for row in state[Payment].of(me.id):
        if row.sender == me.id and row.note == values["note"] and row.created_at.date() >= since:
            change_payment(state, row.id, note=f"{row.note} ({row.created_at.strftime('%B %Y')})")


def add_month_to_notes(note: str, since: str) -> int:
    """Add month and year to the note of payments sent since a day (YYYY-MM-DD) with just this note; return how many."""
    token = login(app="wallet")
    sent = all_pages(apis.wallet.show_transactions, access_token=token, query=note, direction="sent", from_date=since)
    same = [each for each in sent if each["note"] == note]
    for each in same:
        new = f"{note} ({datetime.fromisoformat(each['created_at']):%B %Y})"
        apis.wallet.update_transaction(access_token=token, transaction_id=each["transaction_id"], note=new)
    return len(same)


months_in_notes = Family(
    name="months_in_notes",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"note": str, "since": str},
    wordings=(
        'Each wallet payment I have sent since {since} (that day included) with exactly the note "{note}" should say'
        ' its month: one made in March 2024 gets the note "{note} (March 2024)".',
        'I cannot tell my "{note}" payments apart. Go through those I made on wallet on {since} or later under just'
        ' this note, and add month and year of the payment in brackets, as in "{note} (May 2023)".',
        'Change the notes "{note}" on what I paid through wallet from {since} on: after a space, put the month when it'
        " was sent and the year in brackets, like (July 2024). Longer notes stay as they are.",
        "Look at what went out of my wallet starting with {since} for my bookkeeping: wherever the note is just"
        ' "{note}", make it "{note} (MONTH YEAR)" by the date of the payment, the English month written out.',
        'Put the month in brackets behind "{note}" in the wallet payments sent by me, not before {since}, that have'
        ' this whole note and no other words: "{note} (January 2025)" is what one of January 2025 would read.',
    ),
    make=_make_months,
    solve=_solve_months,
    program=Program(functions=(add_month_to_notes,), call="add_month_to_notes(note={note!r}, since={since!r})"),
    mistakes=(
        Mistake(name="another_note", swap={"note": "other_note"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="longer_notes", old=' if each["note"] == note]', new="]"),
        Mistake(name="only_the_month", old=":%B %Y}", new=":%B}"),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
    ),
)


# Make labels of the marked words in titles.


def _make_marks(draw: Draw) -> Values | None:
    rng, (project, other) = draw.rng, projects_of(draw, 2)
    mark, chores, labels = rng.choice("#@+%"), iter(rng.sample(CHORES, 14)), rng.sample(LABELS, 4)
    for n in range(7):
        one, two = rng.sample(labels, 2)
        start, rest = next(chores).split(" ", 1)
        title = f"{start} {rest} {mark}{one}" if n % 2 else f"{start} {mark}{one} {rest} {mark}{two}"
        planned(draw, project, title, labels=rng.sample(LABELS, 1), days=60 - n)
    planned(draw, project, f"{mark}{labels[0]} {next(chores)}")
    for text in (f"{next(chores)} {mark}{rng.randint(2, 90)}", next(chores), f"{next(chores)}{mark} {labels[1]}"):
        planned(draw, project, text, labels=labels[:1])
    planned(draw, project, f"{next(chores)} {mark}{labels[2]}", done=True)
    planned(draw, other, f"{next(chores)} {mark}{labels[3]}")
    return {"project": project.name, "mark": mark, "other_project": other.name}


def _solve_marks(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    for task in state[TodoTask].of(me.id):
        if task.project_id == project.id and not task.done:
            words = task.title.split(" ")
            marked = [word for word in words if word[0] == values["mark"] and word[1:].isalpha()]
            for word in marked:
                label(state, task.id, word[1:])
            edit_task(state, task.id, title=" ".join(word for word in words if word not in marked))


def label_marked(project: str, mark: str) -> int:
    """Turn the words after a mark in titles of a project's open tasks into labels; return how many tasks changed."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    changed = 0
    for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False):
        words = task["title"].split()
        marked = [word for word in words if re.fullmatch(re.escape(mark) + "[A-Za-z]+", word)]
        for word in marked:
            apis.todo.label_task(access_token=token, task_id=task["task_id"], label=word.removeprefix(mark))
        if marked:
            title = " ".join(word for word in words if word not in marked)
            apis.todo.update_task(access_token=token, task_id=task["task_id"], title=title)
            changed += 1
    return changed


labels_from_titles = Family(
    name="labels_from_titles",
    split="train",
    difficulty=2,
    apps=("todo",),
    slots={"project": str, "mark": str},
    wordings=(
        'In the open tasks of my todo project "{project}", turn each word of the title that starts with "{mark}" into'
        ' a label: "call Ann {mark}home" becomes "call Ann" with the label home. Labels that are there stay, and'
        ' "{mark}" with a number is no label.',
        'I wrote labels into the titles of my "{project}" tasks in todo, marked with "{mark}" as in {mark}garden. Where'
        " a task is not done yet, give it these as real labels on top of those it has, and take them with their mark"
        " out of the title. Marked numbers stay in.",
        'Please tidy the titles in "{project}", a project in my todo app. A "{mark}" with a word of letters right after'
        " it does not belong there: remove both and add the word to the labels of the task. Done tasks do not matter,"
        " nor do numbers after the mark.",
        'For every unfinished task in "{project}" (todo app): words in its title with "{mark}" directly before them'
        " become labels, besides its present ones, and go from the title, mark included. Leave figures like {mark}12.",
        'The mark is "{mark}", the project is "{project}" in todo. Words so marked in the titles of open tasks become'
        " labels, without the mark, and disappear from the title; other labels and marked numbers remain.",
    ),
    make=_make_marks,
    solve=_solve_marks,
    program=Program(functions=(label_marked,), call="label_marked(project={project!r}, mark={mark!r})"),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="numbers_too", old='"[A-Za-z]+"', new='"[A-Za-z0-9]+"'),
        Mistake(name="done_ones_too", old=", done=False", new=""),
        Mistake(name="titles_kept", old="            apis.todo.update_task(", new="            dict("),
        Mistake(name="only_at_the_end", old="for word in words if re", new="for word in words[-1:] if re"),
        Mistake(name="first_page", old="all_pages(apis.todo.list_tasks, ", new="apis.todo.list_tasks("),
    ),
)


# Call contacts what the wallet calls them.


def _make_names(draw: Draw) -> Values | None:
    rng, relation = draw.rng, draw.rng.choice(("roommate", "friend", "coworker"))
    if not widened(draw, relation, "sibling", least=8):
        return None
    mine = draw.state[Contact].of(draw.me.id)
    *most, last = [contact for contact in mine if relation in contact.relationships]
    people = rng.sample(most, 6)
    pets = rng.sample("Bestie|Sunshine|Captain|Blue hat|Upstairs|Speedy|Professor|Goalkeeper".split("|"), 6)
    names = [last.name.split()[0], people[0].name.lower(), *pets]
    for contact, name in zip((last, *people), names, strict=False):
        change_contact(draw.state, contact.id, name=name)
    change_contact(draw.state, people[3].id, email="")
    change_contact(draw.state, people[4].id, email=f"old.{people[4].email}")
    rest = [contact for contact in mine if relation not in contact.relationships]
    change_contact(draw.state, rng.choice(rest).id, name=pets[5])
    return {"relation": relation, "kept": pets[4], "other_kept": pets[0]}


def _solve_names(state: State, me: Person, values: Values) -> Json:
    replaced: list[Json] = []
    for contact in state[Contact].of(me.id):
        person = next((one for one in state[Person] if one.email == contact.email), None)
        if person and values["relation"] in contact.relationships and contact.name not in (person.name, values["kept"]):
            replaced.append(contact.name)
            change_contact(state, contact.id, name=person.name)
    return replaced


def names_from_wallet(relationship: str, kept: str) -> list:
    """Give contacts of a relationship, but the one named `kept`, their wallet names by e-mail; return the old names."""
    users = all_pages(apis.wallet.search_users, access_token=login(app="wallet"))
    names = {user["email"]: user["name"] for user in users}
    token = login(app="phone")
    replaced = []
    for contact in all_pages(apis.phone.show_contacts, access_token=token, relationship=relationship):
        name = names.get(contact["email"], contact["name"])
        if contact["name"] not in (name, kept):
            apis.phone.update_contact(access_token=token, contact_id=contact["contact_id"], name=name)
            replaced.append(contact["name"])
    return replaced


wallet_names = Family(
    name="wallet_names",
    split="train",
    difficulty=2,
    apps=("phone", "wallet"),
    slots={"relation": str, "kept": str},
    wordings=(
        "Rename every {relation} in my phone contacts whose name is not the one that wallet has for their e-mail to"
        ' just that name, except the one I call "{kept}". Who is not on wallet stays. Which names did you replace?',
        'So many pet names in my phone! Each contact who is a {relation}, only not "{kept}", should be called just as'
        " the wallet user of the same e-mail address; without such a user, leave it. Tell me the old names that go.",
        "What do I call people in my contacts that wallet calls something else? Look at those listed as {relation}, by"
        ' e-mail address, and put in the wallet name wherever it differs, be it in capitals only. "{kept}" may remain'
        " that. I want the list of names that you overwrote.",
        'Set the names of my {relation} contacts to their full names on wallet (same e-mail address). Leave "{kept}"'
        " out, and whoever wallet does not know. List the names that were in my phone before and had to be changed.",
        'Apart from "{kept}", everybody with the relationship {relation} in my phone should have the name there that'
        " belongs to their e-mail address in wallet, if it is known there. Correct those that read otherwise, upper and"
        " lower case included, and answer with their former names.",
    ),
    make=_make_names,
    solve=_solve_names,
    program=Program(functions=(names_from_wallet,), call="names_from_wallet(relationship={relation!r}, kept={kept!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_name_kept", swap={"kept": "other_kept"}),
        Mistake(name="everybody", old=", relationship=relationship)", new=")"),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="first_names", old=", name=name)\n", new=", name=name.split()[0])\n"),
        Mistake(name="new_names_told", old='replaced.append(contact["name"])', new="replaced.append(name)"),
    ),
)


# Describe expenses as a list of spellings says.

_SPELLINGS = """Petrol = Fuel|Fuel = Car costs|Grocery = Groceries|Pizzas = Pizza night|Power bill = Electricity|
Wi-Fi = Internet|Loo paper = Household|Cab = Taxi|Beans = Coffee beans""".replace("\n", "").split("|")


def _make_spelling(draw: Draw) -> Values | None:
    rng, me, groups = draw.rng, draw.me, twin_groups(draw, least=3)
    if groups is None:
        return None
    group, older = groups
    other = next(draw.state[Person][id] for id in group.member_ids if id != me.id)
    lines = _SPELLINGS[:2] + rng.sample(_SPELLINGS[2:], 4)  # the first becomes what the second has on its left
    path = f"~/documents/{rng.choice(('spellings', 'wording', 'terms', 'what-to-call-it'))}.txt"
    filed(draw, path, "\n".join(["My words for expenses", *rng.sample(lines[:5], 5)]))
    filed(draw, path.replace(".txt", "-old.txt"), "\n".join(f"{line} (old)" for line in lines))
    left = [line.split(" = ")[0] for line in lines]

    def cost(text: str, payer: Person = me, days: float = 10) -> None:
        shares = {me.id: rng.randint(300, 4_000), other.id: rng.randint(300, 4_000)}
        spent(draw, text, payer, shares, group=group, days=days, creator=me)

    for n, text in enumerate((*left[:5], left[0].upper(), left[2].lower())):
        cost(text, days=5 + 12 * n)
    for text in (left[5], f"{left[3]} for Tom", lines[2].split(" = ")[1]):
        cost(text)
    cost(left[1], payer=other)
    spent(draw, left[2], me, {me.id: 900, older.member_ids[-1]: 950}, group=older)
    return {"group": group.name, "path": path, "other_path": path.replace(".txt", "-old.txt")}


def _solve_spelling(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    file = next(file for file in state[File].of(me.id) if file.path.endswith(values["path"][1:]))
    for row in state[Expense].of(("group", group.id)):
        for line in file.content.split("\n")[1:]:
            if row.payer == me.id and row.description.lower() == line.split(" = ")[0].lower():
                change_expense(state, row.id, description=line.split(" = ")[1])


def respell_expenses(group: str, path: str) -> int:
    """Describe what I paid in a group as the `old = new` lines of a file say, whatever the case; return how many."""
    content = apis.files.show_file(access_token=login(app="files"), file_path=path)["content"]
    pairs = [line.split(" = ") for line in content.splitlines() if " = " in line]
    spellings = {old.lower(): new for old, new in pairs}
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    email = apis.supervisor.show_profile()["email"]
    count = 0
    for expense in all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id, paid_by_email=email):
        new = spellings.get(expense["description"].lower())
        if new:
            apis.splits.update_expense(access_token=token, expense_id=expense["expense_id"], description=new)
            count += 1
    return count


expense_spellings = Family(
    name="expense_spellings",
    split="train",
    difficulty=3,
    apps=("files", "splits"),
    slots={"group": str, "path": str},
    wordings=(
        'The file {path} has lines such as "Bus = Public transport". Whatever I paid in the splits group "{group}" and'
        " is described by what stands on the left of a line, in capitals or not, should be described by what is on its"
        " right. Change each expense only once.",
        'Please rename my expenses in "{group}" on splits after {path}: before the equals sign is an old description,'
        " after it the new one. Only those I paid, and only if the whole description is the same, upper or lower case"
        " aside. A new description that has a line itself is not replaced again.",
        "I settled on what to call things: see {path}, old name, equals sign, new name. Use it once for each expense"
        ' that I paid in my splits group "{group}", comparing whole descriptions whatever their capitals.',
        'In my splits group "{group}", some of what I paid has a description that I no longer use. {path} tells which'
        " (the left sides, capitals do not count) and what to write instead (the right sides, as they are there). Apply"
        " it to the descriptions as they are now, not to the results.",
        'Standardise the descriptions of expenses paid by me in the splits group "{group}": one that is, but for upper'
        " and lower case, the text before the = of a line in {path} becomes the text after it, and changes no further.",
    ),
    make=_make_spelling,
    solve=_solve_spelling,
    program=Program(functions=(respell_expenses,), call="respell_expenses(group={group!r}, path={path!r})"),
    mistakes=(
        Mistake(name="the_older_file", swap={"path": "other_path"}),
        Mistake(name="anybodys", old=", paid_by_email=email", new=""),
        Mistake(name="every_group", old="group_id=group_id, ", new=""),
        Mistake(name="capitals_matter", old='expense["description"].lower()', new='expense["description"]'),
        Mistake(name="twice", old="description=new)", new="description=spellings.get(new.lower(), new))"),
        Mistake(name="first_page", old="all_pages(apis.splits.show_expenses, ", new="apis.splits.show_expenses("),
    ),
)

FAMILIES = (months_in_notes, labels_from_titles, wallet_names, expense_spellings)
