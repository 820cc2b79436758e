"""Train families of groups in the splits app and of who is in them, two of them with phone contacts, one with notes."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from itertools import combinations

from prowess.types import Json
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import Contact
from prowess_desk.apps.splits import Expense, Group, Repayment, rows
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, jotted, older_twin, others_in, owed, spent, twin_groups
from prowess_desk.families.scene import acquaintances, ago, named
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login, read_note

_CLUBS = """Chess Evenings|Choir Trip|Allotment|Boat Share|Surf Camp|Climbing Gym|Film Club|Pottery Class|
Band Practice|Street Party|Wine Tasting|Table Tennis""".replace("\n", "").split("|")
_THINGS = "Deposit|Equipment|Tickets|Room for the evening|Food|Gas for the van|Lessons|Insurance".split("|")


def _founded(draw: Draw, name: str, creator: Person, others: Iterable[Person], when: datetime) -> Group:
    """A group of the supervisor and others that somebody created in the past."""
    group = rows.create_group(draw.state, creator.id, name, [draw.me.id, *(person.id for person in others)])
    return draw.state[Group].change(group.id, created_at=when)


def _lent(draw: Draw, creditor: Person, debtor: Person, group: Group | None, cents: int = 0) -> int:
    """Somebody paid for another some time ago; the cents of it."""
    cents = cents or draw.rng.randint(900, 9_000)
    spent(draw, draw.rng.choice(_THINGS), creditor, {debtor.id: cents}, group=group, days=draw.rng.randint(2, 28))
    return cents


def _evened(draw: Draw, creditor: Person, debtor: Person, group: Group | None) -> None:
    """Somebody paid for another and got it back."""
    cents = _lent(draw, creditor, debtor, group)
    rows.repay(draw.state, debtor.id, debtor.id, creditor.id, cents, group=group.id if group else None, note="Cash")


# Set an old group aside and start it anew, with one person replaced.


def _make_anew(draw: Draw) -> Values | None:
    pair = twin_groups(draw, least=4)
    if pair is None:
        return None
    group, older = pair
    leaver, other, *_ = others_in(draw, group)
    new = [person for person in acquaintances(draw) if person.id not in group.member_ids + older.member_ids]
    if len(new) < 2:
        return None
    name = f"{group.name} {draw.rng.choice(('(first season)', '(closed)', '(old accounts)', 'before the move'))}"
    values = {"group": group.name, "name": name, "leaver": leaver.name, "newcomer": new[0].name}
    return values | {"other_group": older.name, "other_leaver": other.name, "other_newcomer": new[1].name}


def _solve_anew(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    leaver, newcomer = named(state, values["leaver"]), named(state, values["newcomer"])
    rows.create_group(state, me.id, values["group"], {*group.member_ids, newcomer.id} - {leaver.id})
    rows.rename_group(state, group.id, values["name"])


def start_group_anew(group: str, old_name: str, leaver: str, newcomer: str) -> int:
    """Rename a splits group and create one of its former name, a contact in a member's place; return the new id."""
    contact = contact_named(name=newcomer)
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    emails = [member["email"] for member in found["members"] if member["name"] != leaver]
    apis.splits.rename_group(access_token=token, group_id=found["group_id"], name=old_name)
    created = apis.splits.create_group(access_token=token, name=group, member_emails=[*emails, contact["email"]])
    return created["group_id"]


restart_group = Family(
    name="restart_group",
    split="train",
    difficulty=2,
    apps=("phone", "splits"),
    slots={"group": str, "name": str, "leaver": str, "newcomer": str},
    wordings=(
        'Rename my splits group "{group}" to "{name}". Then create a new group called "{group}" with the same members,'
        " only without {leaver} and with {newcomer} from my phone contacts instead.",
        '{leaver} is leaving us and {newcomer}, whom you find in my phone, joins. Start "{group}" anew on splits: the'
        ' group we have is called "{name}" from now on, and a fresh one named "{group}" has everybody else from it plus'
        " {newcomer}.",
        'I want a clean slate for "{group}" on splits. Make a new group of that name for all who are in the present one'
        " except {leaver}, and add {newcomer} (the address is in my phone contacts). The present group stays as it is,"
        ' but under the name "{name}".',
    ),
    make=_make_anew,
    solve=_solve_anew,
    program=Program(
        functions=(start_group_anew,),
        call="start_group_anew(group={group!r}, old_name={name!r}, leaver={leaver!r}, newcomer={newcomer!r})",
    ),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="another_leaver", swap={"leaver": "other_leaver"}),
        Mistake(name="another_newcomer", swap={"newcomer": "other_newcomer"}),
        Mistake(name="nobody_leaves", old=' if member["name"] != leaver', new=""),
        Mistake(name="nobody_joins", old='[*emails, contact["email"]]', new="emails"),
    ),
)


# Make a group's members those that a note lists, as far as that goes.

_ROSTERS = "Members this season|Who takes part|People on board|Sign-up list|Final head count".split("|")


def _make_roster(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    if len(people) < 10:
        return None
    stays, settled, never, repaid, owing, between, old, *new = people[:10]
    if {person.name for person in new} <= {contact.name for contact in draw.state[Contact].of(me.id)[:5]}:
        return None
    name, title = rng.choice(_CLUBS), rng.choice(_ROSTERS)
    older = _founded(draw, f"{name} (until 2024)", stays, [stays, never, old], ago(draw, 280))
    group = _founded(draw, name, me, [stays, settled, never, repaid, owing, between], ago(draw, 100))
    _lent(draw, stays, old, older)
    cents = _lent(draw, stays, between, group)
    _lent(draw, between, owing, group, cents)  # what this one owes and is owed comes out at nothing, but is open
    _evened(draw, settled, repaid, group)
    _evened(draw, me, settled, group)
    lines = [f"- {person.name}" for person in rng.sample([stays, settled, *new], 5)]
    jotted(draw, title, "\n".join(("Besides me:", *lines)), days=rng.randint(1, 9))
    twin = older_twin(title)
    jotted(draw, twin, "\n".join(f"- {person.name}" for person in (stays, never, repaid, old)), days=400)
    return {"group": name, "title": title, "other_group": older.name, "other_title": twin}


def _solve_roster(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    content = note_titled(state, me.id, values["title"]).content
    listed = {person.id for person in state[Person] if f"- {person.name}" in content.split("\n")}
    for person in group.member_ids:
        even = all(owed(state, person, each, group.id) == 0 for each in group.member_ids)
        if person not in listed | {me.id} and even:
            rows.remove_member(state, group.id, person)
    rows.add_member(state, group.id, *listed)


def match_group_to_note(group: str, title: str) -> int:
    """Add whom a note lists (`- Name`) to a splits group, remove settled members it lacks; return the changes."""
    lines = read_note(title=title)["content"].splitlines()
    listed = {line.removeprefix("- ") for line in lines if line.startswith("- ")}
    contacts = all_pages(apis.phone.show_contacts, access_token=login(app="phone"))
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    group_id, members = found["group_id"], found["members"]
    names = {member["name"] for member in members}
    added = [contact for contact in contacts if contact["name"] in listed - names]
    debts = apis.splits.show_group_balances(access_token=token, group_id=group_id)["debts"]
    kept = {debt[side]["email"] for debt in debts for side in ("debtor", "creditor")}
    kept.add(apis.supervisor.show_profile()["email"])
    removed = [member for member in members if member["name"] not in listed and member["email"] not in kept]
    for person in added:
        apis.splits.add_member(access_token=token, group_id=group_id, email=person["email"])
    for person in removed:
        apis.splits.remove_member(access_token=token, group_id=group_id, email=person["email"])
    return len(added) + len(removed)


group_as_in_note = Family(
    name="group_as_in_note",
    split="train",
    difficulty=3,
    apps=("notes", "phone", "splits"),
    slots={"group": str, "title": str},
    wordings=(
        'Bring the members of my splits group "{group}" in line with my note "{title}", which lists everybody besides'
        " me. Add who is missing (look in my phone contacts) and remove who is not on the list, but nobody who still"
        " owes another member something in the group or is owed something there.",
        'My note "{title}" says who, apart from myself, belongs to "{group}" on splits. Add those who are not in the'
        " group yet, with the e-mail address from my phone, and take out the members it does not name unless they have"
        " an open debt in the group, their own or somebody else's to them.",
        'Everybody in the note "{title}" should be in the splits group "{group}": add who is not, the addresses are in'
        " my phone contacts. Then remove all other members except me; only those who are not settled up with every"
        " member of the group have to stay for now.",
    ),
    make=_make_roster,
    solve=_solve_roster,
    program=Program(functions=(match_group_to_note,), call="match_group_to_note(group={group!r}, title={title!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
        Mistake(name="nobody_removed", old="for person in removed:", new="for person in []:"),
        Mistake(name="nobody_added", old="for person in added:", new="for person in []:"),
    ),
)


# Delete the groups I created before a day in which everything is settled.


def _make_settled(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    noon = draw.state.now - timedelta(days=rng.randint(40, 120))
    names, people = iter(rng.sample(_CLUBS, 11)), acquaintances(draw)
    for days in (150, 130, 110, 90, 70, 45, 20, 1, 0, -2, -9):  # before the day
        a, b, c = rng.sample(people, 3)
        group = _founded(draw, next(names), b if days in (130, 20) else me, (a, b, c), noon - timedelta(days=days))
        if days == 90:  # nobody is ahead or behind, and yet they owe each other
            cents = _lent(draw, a, b, group)
            _lent(draw, b, c, group, cents)
            _lent(draw, c, a, group, cents)
        elif days != 45:  # which was never used
            _evened(draw, me, c, group)
            (_lent if days in (110, 70) else _evened)(draw, a, b, group)
    return {"day": noon.date().isoformat(), "other_day": (noon.date() - timedelta(days=30)).isoformat()}


def _solve_settled(state: State, me: Person, values: Values) -> Json:
    for group in state[Group].of(me.id):
        even = not any(owed(state, a, b, group.id) for a, b in combinations(group.member_ids, 2))
        if even and group.creator == me.id and group.created_at.date() < date.fromisoformat(values["day"]):
            rows.delete_group(state, group.id)


def delete_settled_groups(before: str) -> int:
    """Delete the splits groups the supervisor created before a day (YYYY-MM-DD) without open debts; return how many."""
    token = login(app="splits")
    me = apis.supervisor.show_profile()["email"]
    deleted = 0
    for group in all_pages(apis.splits.show_groups, access_token=token):
        if group["creator"]["email"] == me and group["created_at"][:10] < before:
            group_id = group["group_id"]
            if not apis.splits.show_group_balances(access_token=token, group_id=group_id)["debts"]:
                apis.splits.delete_group(access_token=token, group_id=group_id)
                deleted += 1
    return deleted


drop_settled_groups = Family(
    name="drop_settled_groups",
    split="train",
    difficulty=1,
    apps=("splits",),
    slots={"day": str},
    wordings=(
        "Delete every splits group that I created before {day} and in which nobody owes anybody anything.",
        "My groups on splits need a clean-up. Those I started myself before {day} can go if there is no open debt in"
        " them, not between other members either. Leave all the rest.",
        "Please go through the splits groups of which I am the creator and which are older than {day} (that day not"
        " included). Where no member owes another one money, delete the group.",
    ),
    make=_make_settled,
    solve=_solve_settled,
    program=Program(functions=(delete_settled_groups,), call="delete_settled_groups(before={day!r})"),
    mistakes=(
        Mistake(name="another_day", swap={"day": "other_day"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="any_day", old=' and group["created_at"][:10] < before', new=""),
        Mistake(name="first_page", old="all_pages(apis.splits.show_groups, ", new="apis.splits.show_groups("),
        Mistake(name="left_instead", old="apis.splits.delete_group(", new="apis.splits.remove_member(email=me, "),
    ),
)


# With whom do debts in a group go the other way elsewhere?


def _make_offset(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    known = {me.id, *(id for id, _ in me.relations)}.union(*(row.member_ids for row in draw.state[Group].of(me.id)))
    strangers = [person for person in draw.people if person.id not in known]
    a, b, c, d, e, f, g = rng.sample(strangers, 7)
    name, second = rng.sample(_CLUBS, 2)
    older = _founded(draw, f"{name} (until 2024)", a, (a, d, g), ago(draw, 250))
    group = _founded(draw, name, me, (a, b, c, d, e, f, g), ago(draw, 90))
    elsewhere = _founded(draw, second, b, (b, c, f), ago(draw, 60))
    for n, person in enumerate((a, b, d, c, e, g)):  # three owe me, three I owe
        _lent(draw, *((me, person) if n < 3 else (person, me)), group, rng.randint(3_000, 6_000))
    _lent(draw, a, me, None, rng.randint(500, 2_500))  # in all they still owe me
    _lent(draw, b, me, elsewhere, rng.randint(7_000, 9_000))
    _lent(draw, me, c, elsewhere)
    _lent(draw, me, d, None)  # owes me twice
    _lent(draw, *((me, g) if rng.random() < 0.5 else (g, me)), older)
    _evened(draw, me, e, None)
    _lent(draw, f, me, elsewhere, rng.randint(1_000, 3_000))  # nothing in the group itself
    _lent(draw, me, f, None, rng.randint(4_000, 8_000))
    return {"group": name, "other_group": older.name}


def _solve_offset(state: State, me: Person, values: Values) -> Json:
    def pairs(place: int | None) -> set[tuple[int, int]]:
        expenses = [row for row in state[Expense].of(me.id) if row.group == place]
        return set(rows.debts(expenses, [row for row in state[Repayment].of(me.id) if row.group == place]))

    here, places = group_called(state, me, values["group"]), [None, *(group.id for group in state[Group].of(me.id))]
    opposite = {(b, a) for place in places for a, b in pairs(place)} & pairs(here.id)
    return [state[Person][a if b == me.id else b].name for a, b in opposite if me.id in (a, b)]


def members_to_offset(group: str) -> list:
    """List the names of those whose debts with the supervisor in a splits group go the other way elsewhere."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    names = []
    for person in apis.splits.show_balances(access_token=token, group_id=group_id)["balances"]:
        parts = apis.splits.show_person_balance(access_token=token, email=person["email"])["by_group"]
        if any(part["balance"] * person["balance"] < 0 for part in parts):
            names.append(person["name"])
    return names


opposite_debts = Family(
    name="opposite_debts",
    split="train",
    difficulty=2,
    apps=("splits",),
    slots={"group": str},
    wordings=(
        'With which members of my splits group "{group}" could I offset debts? I mean those who owe me there while I'
        " owe them in another group or outside of any group, or the other way round. Give me the list of their names.",
        'Who are the people with whom I have opposite debts on splits: one of us owes the other in "{group}", and in'
        " some other group, or outside of all groups, it is the reverse? List their full names.",
        'Compare what is open on splits between me and each person in "{group}" with what is open between us in every'
        " single other group and outside of groups. List the names of all with whom it goes one way in that group and"
        " the opposite way in at least one other place.",
    ),
    make=_make_offset,
    solve=_solve_offset,
    program=Program(functions=(members_to_offset,), call="members_to_offset(group={group!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="only_who_owe_me", old="if any(", new='if person["balance"] > 0 and any('),
        Mistake(name="outside_forgotten", old=" for part in parts)", new=' for part in parts if part["group_id"])'),
        Mistake(name="everywhere", old=', group_id=group_id)["balances"]', new=')["balances"]'),
        Mistake(name="in_all", old='part["balance"] * person', new='sum(each["balance"] for each in parts) * person'),
    ),
)

FAMILIES = (restart_group, group_as_in_note, drop_settled_groups, opposite_debts)
