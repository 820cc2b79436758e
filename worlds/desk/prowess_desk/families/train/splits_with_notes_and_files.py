"""Train families of the splits app with notes or files: rosters, rotas, shares and spellings."""

from __future__ import annotations

import re
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import notes, splits
from prowess_desk.apps.files import File
from prowess_desk.apps.notes import write_note
from prowess_desk.apps.splits import Expense, Group, change_expense, create_group
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.papers import filed, group_called, owed, spent, twin_groups
from prowess_desk.families.scene import acquaintances, contact_called, named
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login, read_note
from prowess_desk.families.train.splits import CIRCLES

# Bring the members of a group in line with a note.

_OUTINGS = ("Ridge Hike", "Canoe Weekend", "Opera Night", "Vineyard Tour", "Pottery Course", "Island Camp")


def _make_match_group_to_note(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    people = scene.acquaintances(draw)
    if len(people) < 12:
        return None
    ids, name = [person.id for person in people], rng.choice(_OUTINGS)
    older = splits.create_group(state, me.id, f"{name} 2024", ids[4:9])
    group = splits.create_group(state, ids[0], name, [me.id, *ids[:7]])
    for payer, debtor in ((me, people[0]), (people[0], people[1]), (me, people[2]), (people[3], me)):
        papers.spent(draw, f"Advance for {debtor.first}", payer, {debtor.id: 2_400}, group=group, days=40)
    for debtor, payer in ((people[2], me), (me, people[3])):  # the first owes and is owed the same, these owe nothing
        splits.repay(state, debtor.id, debtor.id, payer.id, 2_400, group=group.id)
    said = "no no no no yes maybe - yes yes yes no maybe".split()
    title, twin = f"{name} list", papers.older_twin(f"{name} list")
    for note, marks, days in ((title, said, 12), (twin, said[::-1], 380)):
        lines = [f"{person.email}: {mark}" for person, mark in zip(people, marks, strict=False) if mark != "-"]
        papers.jotted(draw, note, "\n".join(("Who is in?", *rng.sample(lines, len(lines)))), days=days)
    return {"title": title, "group": name, "other_title": twin, "other_group": older.name}


def _solve_match_group_to_note(state: State, me: Person, values: Values) -> Json:
    group = papers.group_called(state, me, values["group"])
    lines = notes.note_titled(state, me.id, values["title"]).content.split("\n")
    for person in state[Person]:
        if f"{person.email}: yes" in lines:
            splits.add_member(state, group.id, person.id)
        owing = any(papers.owed(state, person.id, one, group.id) for one in group.member_ids)
        if f"{person.email}: no" in lines and not owing:
            splits.remove_member(state, group.id, person.id)


def align_members(note_title: str, group: str) -> int:
    """Let those whom a note marks yes (`email: yes`) join a group, and no leave if settled; return the changes."""
    lines = read_note(title=note_title)["content"].splitlines()
    marks = dict(line.split(": ") for line in lines if "@" in line)
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    overview = apis.splits.show_group_balances(access_token=token, group_id=group_id)
    members = {member["email"] for member in overview["members"]}
    tied = {debt[side]["email"] for debt in overview["debts"] for side in ("debtor", "creditor")}
    joining = [email for email, mark in marks.items() if mark == "yes" and email not in members]
    leaving = [email for email, mark in marks.items() if mark == "no" and email in members - tied]
    for email in joining:
        apis.splits.add_member(access_token=token, group_id=group_id, email=email)
    for email in leaving:
        apis.splits.remove_member(access_token=token, group_id=group_id, email=email)
    return len(joining) + len(leaving)


match_group_to_note = Family(
    name="match_group_to_note",
    split="train",
    difficulty=3,
    apps=("notes", "splits"),
    slots={"title": str, "group": str},
    wordings=(
        'Bring my splits group "{group}" in line with my note "{title}": add whoever has a yes there and is not in it,'
        " and remove whoever has a no, except people who still owe or are owed something in the group.",
        'The answers are in: see the note "{title}". On splits, add everybody who said yes to "{group}" unless they are'
        " members already, and remove those members who said no if they are settled up with everyone in the group;"
        " otherwise they stay for now. A maybe changes nothing, and neither does a missing answer.",
        'My note "{title}" has a list of e-mail addresses with yes, no or maybe. Please update the members of "{group}"'
        " on splits accordingly. Yes means in. No means out, but only where that person has no open debts in the group,"
        " neither owing nor being owed. Leave all other people as they are.",
    ),
    make=_make_match_group_to_note,
    solve=_solve_match_group_to_note,
    program=Program(functions=(align_members,), call="align_members(note_title={title!r}, group={group!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="maybes_join", old='mark == "yes"', new='mark != "no"'),
        Mistake(name="nobody_leaves", old="for email in leaving:", new="for email in ():"),
        Mistake(name="maybes_leave", old='mark == "no"', new='mark != "yes"'),
    ),
)


# Share what a house cost by the nights that everybody was there.


def _make_share_by_nights(draw: Draw) -> Values | None:
    rng, state, me, people = draw.rng, draw.state, draw.me, scene.acquaintances(draw)[:8]
    name = rng.choice(("Lighthouse Stay", "Mill Cottage", "Vineyard House", "Fjord Cabin", "Alpine Hut"))
    splits.create_group(state, me.id, f"{name} 2024", [person.id for person in people[2:]])
    splits.create_group(state, people[0].id, name, [me.id, *(person.id for person in people[:6])])
    stayed, title, twin = [rng.randint(1, 7) for _ in range(5)], f"Nights at {name}", f"2024 nights at {name}"
    for note, nights, days in ((title, stayed, 9), (twin, [2, 3, 3, 5, 4], 380)):
        lines = [f"{who.name}: {count}" for who, count in zip((me, *people), (*nights, 0, 0), strict=False)]
        papers.jotted(draw, note, "\n".join(("How long was everybody there?", *rng.sample(lines, 7))), days=days)
    cents, total = rng.randint(20_000, 90_000), sum(stayed)
    if len(set(stayed)) == 1 or all(cents * count % total <= total / 2 for count in stayed[1:]):
        return None  # nothing to round
    thing = rng.choice(("Rent of the house", "Deposit and cleaning", "House and firewood", "Booking"))
    return {"group": name, "title": title, "thing": thing, "amount": cents / 100, "other_title": twin}


def _solve_share_by_nights(state: State, me: Person, values: Values) -> Json:
    group = papers.group_called(state, me, values["group"])
    rows = [row.split(": ") for row in notes.note_titled(state, me.id, values["title"]).content.split("\n")[1:]]
    nights = {scene.named(state, name).id: int(count) for name, count in rows if count != "0"}
    cents = round(values["amount"] * 100)
    shares = {person: count * cents // sum(nights.values()) for person, count in nights.items() if person != me.id}
    shares[me.id] = cents - sum(shares.values())
    splits.add_expense(state, me.id, values["thing"], cents, splits.shares_of(shares), group=group.id)


def add_expense_by_nights(group: str, note_title: str, description: str, amount: float) -> int:
    """Add an expense to a splits group, shared by the nights in a note (`Name: 2`), and return its id."""
    content = read_note(title=note_title)["content"]
    nights = {name: int(count) for name, count in re.findall(r"^(.+): (\d+)$", content, flags=re.MULTILINE)}
    mine = apis.supervisor.show_profile()["email"]
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    stays = {each["email"]: nights[each["name"]] for each in found["members"] if nights.get(each["name"], 0) > 0}
    cents, total = round(amount * 100), sum(stays.values())
    shares = {email: cents * count // total for email, count in stays.items()}
    shares[mine] += cents - sum(shares.values())
    return apis.splits.add_expense(
        access_token=token,
        description=description,
        amount=amount,
        participant_emails=list(shares),
        share_amounts=[share / 100 for share in shares.values()],
        group_id=found["group_id"],
    )["expense_id"]


share_by_nights = Family(
    name="share_by_nights",
    split="train",
    difficulty=3,
    apps=("notes", "splits"),
    slots={"group": str, "title": str, "thing": str, "amount": float},
    wordings=(
        'Add "{thing}", ${amount} that I paid, to the splits group "{group}", shared in proportion to the nights in my'
        ' note "{title}". Round the shares of others down to the cent, mine is the rest; leave out who has 0 nights.',
        'My note "{title}" says how many nights each of us stayed. Enter "{thing}", ${amount} that I laid out, in the'
        ' splits group "{group}": all who were there pay by the number of nights, cut off after full cents, and the'
        " cents nobody has then are mine. Who has a 0 is no part of it.",
        'Record an expense "{thing}" of ${amount}, paid by me, in "{group}" on splits and charge all who stayed by'
        ' their nights in the note "{title}". Drop fractions of a cent for the others; I take the rest.',
        'On splits, "{group}" needs an expense: "{thing}", ${amount}, from my pocket, for all who have nights in my'
        ' note "{title}". Two cost twice as much as one. Round down to cents; what is then missing is mine.',
        'Who slept longer pays more: split the ${amount} I spent on "{thing}" in the splits group "{group}" by the'
        ' nights in the note "{title}", zeros left out. Cut off fractions of a cent; my own share makes up for it.',
    ),
    make=_make_share_by_nights,
    solve=_solve_share_by_nights,
    program=Program(
        functions=(add_expense_by_nights,),
        call="add_expense_by_nights(group={group!r}, note_title={title!r}, description={thing!r}, amount={amount!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="in_equal_parts", old="share_amounts=[share / 100 for share in shares.values()],", new=""),
        Mistake(name="rounded", old="cents * count // total", new="round(cents * count / total)"),
        Mistake(name="zeros_too", old='(each["name"], 0) > 0', new='(each["name"], -1) >= 0'),
        Mistake(name="rest_on_another", old="shares[mine] +=", new="shares[max(shares.keys() - {mine})] +="),
    ),
)


# Write down how to reach somebody, and what is open with them.


def _make_note_about_person(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, third = acquaintances(draw)[:3]
    members = [person.id, other.id, third.id]
    groups = [create_group(state, me.id, name, members) for name in rng.sample(CIRCLES, 5)]
    for group, payer in zip(groups, rng.sample((me, me, person, third), 4), strict=False):  # the last has nothing
        shares = {each.id: rng.randint(310, 4_000) for each in (me, person, other, third)}
        spent(draw, "Shared costs", payer, shares, group=group)
    spent(draw, "Cinema", me, {person.id: rng.randint(500, 2_000)})
    words = ("About", "Sheet on", "Things with", "Data of")
    return {"person": person.name, "title": f"{rng.choice(words)} {person.first}", "other_person": other.name}


def _solve_note_about_person(state: State, me: Person, values: Values) -> Json:
    contact, person = contact_called(state, me, values["person"]), named(state, values["person"])
    lines = [contact.phone, contact.email]
    for group in sorted(state[Group].of(me.id), key=lambda group: group.name):
        if cents := owed(state, person.id, me.id, group.id):
            lines.append(f"{group.name}: {cents / 100:.2f}")
    write_note(state, me.id, values["title"], "\n".join(lines))


def note_down_person(name: str, title: str) -> str:
    """Write a note with a person's number, e-mail and what is open with them in each splits group; return its text."""
    contact = contact_named(name=name)
    token = login(app="splits")
    parts = apis.splits.show_person_balance(access_token=token, email=contact["email"])["by_group"]
    balances = {part["group_name"]: part["balance"] for part in parts if part["group_id"]}
    lines = [f"{group}: {balances[group]:.2f}" for group in sorted(balances)]
    content = "\n".join([contact["phone_number"], contact["email"], *lines])
    apis.notes.create_note(access_token=login(app="notes"), title=title, content=content)
    return content


note_about_person = Family(
    name="note_about_person",
    split="train",
    difficulty=2,
    apps=("phone", "splits", "notes"),
    slots={"person": str, "title": str},
    wordings=(
        'Make a note "{title}" with the phone number of {person} on its first line, the e-mail address on the second'
        " (see my contacts), and then a line for every splits group in which {person} and I are not even, in the order"
        " of the alphabet: the group, a colon, a space, what {person} owes me (Sea Tour: 7.50), negative if I owe.",
        'I am meeting {person} and want it all on one page, a new note "{title}". Top line: phone number. Next line:'
        " e-mail address. Below that our balance in each group on splits where it is not zero (Sea Tour: 7.50 if"
        " {person} owes me, Sea Tour: -7.50 if I owe), groups from A to Z.",
        "Note down what is open between {person} and me on splits: one line for each group where there is something,"
        " sorted by group name, like Sea Tour: 7.50, with a minus before what I owe. Above that go the phone number and"
        ' on the second line the e-mail address that my phone has for {person}. Save this as a new note, "{title}".',
        'Start a note named "{title}". It holds, line by line: the number of {person} in my phone, the e-mail address'
        " there, and for each of our common splits groups with a balance between the two of us other than zero, sorted"
        " by name, group and balance, for example Sea Tour: -7.50 when I have to pay {person} 7.50.",
        "Please look up {person}: number and e-mail address in my phone contacts, and on splits the balance between us"
        ' in each group (only groups, only if not 0.00, positive when I get money). The new note "{title}" gets a line'
        " with the number, one with the address, then lines such as Sea Tour: 7.50 by group name from A to Z.",
    ),
    make=_make_note_about_person,
    solve=_solve_note_about_person,
    program=Program(functions=(note_down_person,), call="note_down_person(name={person!r}, title={title!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="without_sign", old="{balances[group]:.2f}", new="{abs(balances[group]):.2f}"),
        Mistake(name="no_own_debts", old='if part["group_id"]', new='if part["group_id"] and part["balance"] > 0'),
        Mistake(name="from_z_to_a", old="in sorted(balances)]", new="in sorted(balances, reverse=True)]"),
        Mistake(name="no_groups", old='contact["email"], *lines]', new='contact["email"]]'),
    ),
)


# Write down whose turn it is on each day.

_ROTAS = ("Cooking rota", "Who walks the dog", "Dish duty", "Fire watch", "Night shifts", "Breakfast turns")


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _make_rota_for_group(draw: Draw) -> Values | None:
    rng, groups = draw.rng, papers.twin_groups(draw, least=4)
    if groups is None:
        return None
    first = draw.state.now.date() + timedelta(days=rng.randint(2, 30))
    off, last = rng.choice(_WEEKDAYS), first + timedelta(days=rng.randint(12, 18))
    last += timedelta(days=_WEEKDAYS[last.weekday()] == off)  # the last day counts
    values = {"title": rng.choice(_ROTAS), "group": groups[0].name, "first": str(first), "last": str(last), "off": off}
    return {**values, "other_group": groups[1].name}


def _solve_rota_for_group(state: State, me: Person, values: Values) -> Json:
    names = sorted(state[Person][id].name for id in papers.group_called(state, me, values["group"]).member_ids)
    first, last = (date.fromisoformat(values[name]) for name in ("first", "last"))
    span, off = range((last - first).days + 1), _WEEKDAYS.index(values["off"])
    days = [day for n in span if (day := first + timedelta(days=n)).weekday() != off]
    text = "\n".join(f"{day}: {name}" for day, name in zip(days, names * len(days), strict=False))
    notes.write_note(state, me.id, values["title"], text)


def write_rota(title: str, group: str, first: str, last: str, off: str) -> int:
    """Write a note that gives each day but one weekday to the members of a group in turn; return how many days."""
    groups = all_pages(apis.splits.show_groups, access_token=login(app="splits"), query=group)
    names = sorted(member["name"] for each in groups if each["name"] == group for member in each["members"])
    day = date.fromisoformat(first)
    lines: list = []
    while day <= date.fromisoformat(last):
        if day.strftime("%A") != off:
            lines.append(f"{day}: {names[len(lines) % len(names)]}")
        day += timedelta(days=1)
    apis.notes.create_note(access_token=login(app="notes"), title=title, content="\n".join(lines))
    return len(lines)


rota_for_group = Family(
    name="rota_for_group",
    split="train",
    difficulty=2,
    apps=("splits", "notes"),
    slots={"title": str, "group": str, "first": str, "last": str, "off": str},
    wordings=(
        'Write a note "{title}" that gives the days from {first} through {last}, leaving out each {off}, to the members'
        ' of my splits group "{group}" in turn, me included and by full name. Lines read like "2025-01-31: Jane Doe".',
        'We take turns in "{group}", my group on splits: all members including me, in alphabetical order of the full'
        ' names, and again from the start. Put the turns from {first} through {last} into a new note "{title}", a line'
        " per day: date, colon, space, full name. On a {off} nobody has a turn: no line, the next has the day after.",
        'Make me a plan as a note called "{title}". Between {first} and {last}, both included, whose day is it? Sort'
        ' the people of the splits group "{group}" (I am one of them) by full name and go round and round, passing over'
        ' each {off} without using up a turn. Nothing but lines like "2025-03-09: John Roe".',
        'No turns on a {off}. On all other days from {first} through {last}, the members of "{group}" on splits, I too,'
        ' come one after the other by full name, again and again. New note "{title}", lines like 2025-01-31: Jane Doe.',
        'For the note "{title}", which does not exist yet: list the days {first} to {last} (the last one counts)'
        " without those that are a {off}, and behind each, after a colon and a space, a full name. The names are those"
        ' of the whole splits group "{group}", me too, from A to Z and over again until the days are used up.',
    ),
    make=_make_rota_for_group,
    solve=_solve_rota_for_group,
    program=Program(
        functions=(write_rota,),
        call="write_rota(title={title!r}, group={group!r}, first={first!r}, last={last!r}, off={off!r})",
    ),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="no_day_off", old='if day.strftime("%A") != off', new="if off"),
        Mistake(name="a_turn_lost", old="len(lines) % len", new="(day - date.fromisoformat(first)).days % len"),
        Mistake(name="without_the_last", old="while day <= ", new="while day < "),
    ),
)


# Describe expenses as a list of spellings says.

_SPELLINGS = """Petrol = Fuel|Fuel = Car costs|Grocery = Groceries|Pizzas = Pizza night|Power bill = Electricity|
Wi-Fi = Internet|Loo paper = Household|Cab = Taxi|Beans = Coffee beans""".replace("\n", "").split("|")


def _make_expense_spellings(draw: Draw) -> Values | None:
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


def _solve_expense_spellings(state: State, me: Person, values: Values) -> Json:
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
    make=_make_expense_spellings,
    solve=_solve_expense_spellings,
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

FAMILIES = (
    match_group_to_note,
    share_by_nights,
    note_about_person,
    rota_for_group,
    expense_spellings,
)
