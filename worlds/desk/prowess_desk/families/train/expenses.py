"""Train families of expenses in the splits app, comments on them and payments, one of them with texts on the phone."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.phone import TextMessage
from prowess_desk.apps.splits import Expense, ExpenseComment, Group, Repayment, rows
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, groups_of, others_in, spent, twin_groups
from prowess_desk.families.scene import acquaintances, ago, named, texted
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login

_THINGS = "Raft tour|Fondue|Bus tickets|Bakery order|Cinema|New kettle|Lawn chairs|Sushi|Ferry|Fireworks|Barbecue"

# Take somebody who was not there out of what I paid.


def _make_absent(draw: Draw) -> Values | None:
    rng, me, pair = draw.rng, draw.me, twin_groups(draw, least=4)
    if pair is None:
        return None
    person, other, third, *_ = others_in(draw, group := pair[0])
    everybody, days = (me, person, other, third), rng.randint(12, 40)
    day = draw.state.now.date() - timedelta(days=days)

    def split(payer: Person, people: tuple[Person, ...], days: float, where: Group | None = group) -> None:
        shares = {each.id: 60 * rng.randint(9, 70) for each in people}  # hardly ever equal
        spent(draw, rng.choice(_THINGS.split("|")), payer, shares, group=where, days=days)

    kinds = (everybody, (person,), (person, other, third), everybody, (person,), (me, person, third), everybody)
    for n, people in enumerate(kinds):
        split(me, people, days * n / 6)  # the last on that very day
    split(me, (me, other, third), days / 5)  # not for that person
    split(other, everybody, days / 7)
    split(me, everybody, days / 8, None)  # outside the group
    split(me, everybody, days + 2)
    values = {"person": person.name, "group": group.name, "day": day.isoformat()}
    return values | {"other_person": other.name, "other_day": (day + timedelta(days=1)).isoformat()}


def _solve_absent(state: State, me: Person, values: Values) -> Json:
    group, person = group_called(state, me, values["group"]), named(state, values["person"]).id
    for row in state[Expense].of(("group", group.id)):
        sharers = dict(row.shares)
        if row.payer == me.id and person in sharers and row.created_at.date() >= date.fromisoformat(values["day"]):
            del sharers[person]
            if sharers:
                rows.change_expense(state, row.id, shares=rows.equal_shares(row.cents, sharers))
            else:
                rows.delete_expense(state, row.id)


def drop_participant(group: str, name: str, day: str) -> int:
    """Take a person out of what the supervisor paid in a splits group since a day (YYYY-MM-DD); return how many."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    me = apis.supervisor.show_profile()["email"]
    expenses = all_pages(
        apis.splits.show_expenses, access_token=token, group_id=group_id, paid_by_email=me, from_date=day
    )
    shared = [expense for expense in expenses if name in [share["name"] for share in expense["shares"]]]
    for expense in shared:
        emails = [share["email"] for share in expense["shares"] if share["name"] != name]
        if emails:
            apis.splits.update_expense(access_token=token, expense_id=expense["expense_id"], participant_emails=emails)
        else:
            apis.splits.delete_expense(access_token=token, expense_id=expense["expense_id"])
    return len(shared)


absent_from_expenses = Family(
    name="absent_from_expenses",
    split="train",
    difficulty=3,
    apps=("splits",),
    slots={"person": str, "group": str, "day": str},
    wordings=(
        'Take {person} out of every expense I paid in the splits group "{group}" on {day} or later: the same amount is'
        " shared equally by the others it was for. Delete those that were for {person} alone.",
        "{person} has had no part in anything since {day}, that day included. Where {person} has a share in what I have"
        ' paid in "{group}" on splits since then, divide the whole amount equally among the other sharers; where nobody'
        " else has one, delete the expense.",
        'My expenses in "{group}" on splits, that is those I paid, need a correction from {day} on (inclusive). Remove'
        " {person} from the participants wherever they are one, with equal parts for the remaining ones, and if nobody"
        " remains, remove the expense.",
    ),
    make=_make_absent,
    solve=_solve_absent,
    program=Program(
        functions=(drop_participant,), call="drop_participant(group={group!r}, name={person!r}, day={day!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="that_day_not", swap={"day": "other_day"}),
        Mistake(name="first_page", old="expenses = all_pages(", new="expenses = (lambda api, **a: api(**a))("),
        Mistake(name="all_shared_anew", old=' if name in [share["name"] for share in expense["shares"]]', new=""),
        Mistake(name="nothing_deleted", old="apis.splits.delete_expense(", new="dict("),
        Mistake(name="outside_too", old="group_id=group_id, paid_by", new="paid_by"),
    ),
)


# Delete my comments of one text.

_REMARKS = """Please pay me back this week.|Is this amount correct?|I will send the receipt later.|Who was there?|
Reminder: this is still open.|Can somebody check this?""".replace("\n", "").split("|")


def _make_comments(draw: Draw) -> Values | None:
    rng, me, pair = draw.rng, draw.me, twin_groups(draw, least=3)
    if pair is None:
        return None
    group, older = pair
    people, (text, other) = others_in(draw, group), rng.sample(_REMARKS, 2)
    said = {"m": (me, text), "o": (me, other), "s": (people[0], text), "r": (people[1], "Fine with me.")}
    for n, remarks in enumerate(("m", "rm", "s", "mo", "rsrrsom", "", "o", "sm", "rmrm")):
        thing, payer, cents = rng.choice(_THINGS.split("|")), rng.choice(people) if n else me, rng.randint(500, 4_000)
        expense = spent(draw, thing, payer, {me.id: cents}, group=group if n else older, days=3 + n)
        for author, words in (said[letter] for letter in remarks):
            rows.comment(draw.state, expense.id, author.id, words)
    return {"group": group.name, "text": text, "other_group": older.name, "other_text": other}


def _solve_comments(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    for row in list(state[ExpenseComment]):
        if row.author == me.id and row.text == values["text"] and state[Expense][row.expense].group == group.id:
            rows.delete_comment(state, row.id)


def delete_comments_saying(group: str, text: str) -> int:
    """Delete the supervisor's comments of just this text on the expenses of a splits group and return how many."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    me = apis.supervisor.show_profile()["email"]
    deleted = 0
    for expense in all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id):
        expense_id = expense["expense_id"]
        for comment in all_pages(apis.splits.show_expense_comments, access_token=token, expense_id=expense_id):
            if comment["author"]["email"] == me and comment["text"] == text:
                apis.splits.delete_expense_comment(access_token=token, comment_id=comment["comment_id"])
                deleted += 1
    return deleted


withdraw_comments = Family(
    name="withdraw_comments",
    split="train",
    difficulty=1,
    apps=("splits",),
    slots={"group": str, "text": str},
    wordings=(
        'Delete all my comments saying "{text}" from the expenses of the splits group "{group}".',
        'In "{group}" on splits I have written "{text}" under several expenses, sometimes more than once. That is no'
        " longer needed: take all of these comments of mine away, and no others.",
        'I regret a remark of mine, "{text}". Wherever I left exactly that comment on an expense in my splits group'
        ' "{group}", please delete it.',
    ),
    make=_make_comments,
    solve=_solve_comments,
    program=Program(functions=(delete_comments_saying,), call="delete_comments_saying(group={group!r}, text={text!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="another_text", swap={"text": "other_text"}),
        Mistake(name="all_of_mine", old=' and comment["text"] == text', new=""),
        Mistake(name="first_expenses", old="all_pages(apis.splits.show_expenses, ", new="apis.splits.show_expenses("),
        Mistake(name="first_comments", old="comment in all_pages(", new="comment in (lambda api, **a: api(**a))("),
    ),
)


# Move payments that were recorded in the wrong group.

_NOTES = "In small coins|Wire transfer|Monthly rate|Installment|By check|Standing order".split("|")


def _make_misplaced(draw: Draw) -> Values | None:
    rng, me, state, pair = draw.rng, draw.me, draw.state, twin_groups(draw, least=3)
    if pair is None or len(pair[1].member_ids) < 3:
        return None
    source, target = pair if rng.random() < 0.5 else pair[::-1]
    person, other, *_ = others_in(draw, source)
    rows.add_member(state, target.id, person.id, other.id)
    note, another = rng.sample(_NOTES, 2)

    def repaid(payer: Person, receiver: Person, said: str, where: int | None, days: float) -> None:
        row = rows.repay(state, me.id, payer.id, receiver.id, 50 * rng.randint(9, 99), group=where, note=said)
        state[Repayment].change(row.id, created_at=ago(draw, days))

    for n in range(6):
        repaid(me, person, note, source.id, 200 - 30 * n)
    repaid(me, person, another, source.id, 20)
    repaid(person, me, note, source.id, 90)
    repaid(me, other, note, source.id, 45)
    repaid(me, person, note, target.id, 33)  # there already
    repaid(me, person, note, None, 77)
    values = {"person": person.name, "note": note, "source": source.name, "target": target.name}
    return values | {"other_person": other.name, "other_note": another}


def _solve_misplaced(state: State, me: Person, values: Values) -> Json:
    source, target = (group_called(state, me, values[name]).id for name in ("source", "target"))
    person, note = named(state, values["person"]).id, values["note"]
    for row in state[Repayment].of(me.id):
        if (row.group, row.payer, row.receiver, row.note) == (source, me.id, person, note):
            rows.delete_repayment(state, row.id)
            rows.repay(state, me.id, me.id, person, row.cents, group=target, note=note)


def move_payments(name: str, note: str, source: str, target: str) -> int:
    """Move the supervisor's payments to a person with a note from a splits group to another and return how many."""
    token = login(app="splits")
    groups = {each["name"]: each["group_id"] for each in all_pages(apis.splits.show_groups, access_token=token)}
    me = apis.supervisor.show_profile()["email"]
    payments = all_pages(apis.splits.show_payments, access_token=token, group_id=groups[source])
    moved = [payment for payment in payments if payment["receiver"]["name"] == name and payment["note"] == note]
    for payment in moved:
        email, amount = payment["receiver"]["email"], payment["amount"]
        apis.splits.record_payment(
            access_token=token, payer_email=me, receiver_email=email, amount=amount, group_id=groups[target], note=note
        )
        apis.splits.delete_payment(access_token=token, payment_id=payment["payment_id"])
    return len(moved)


misplaced_payments = Family(
    name="misplaced_payments",
    split="train",
    difficulty=2,
    apps=("splits",),
    slots={"person": str, "note": str, "source": str, "target": str},
    wordings=(
        'I recorded my payments to {person} with the note "{note}" in the splits group "{source}" by mistake. Record'
        ' them in "{target}" instead, with the same amounts and note, and delete them from "{source}".',
        'On splits, move what I paid back to {person} from the group "{source}" to the group "{target}", but only the'
        ' payments that have the note "{note}". An amount stays what it is, and so does the note.',
        'Some payment records of mine are in the wrong place: those from me to {person} in "{source}" on splits that'
        ' say "{note}" should be in "{target}". Please enter each of them there as it is and delete the old record.',
    ),
    make=_make_misplaced,
    solve=_solve_misplaced,
    program=Program(
        functions=(move_payments,),
        call="move_payments(name={person!r}, note={note!r}, source={source!r}, target={target!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="another_note", swap={"note": "other_note"}),
        Mistake(name="any_receiver", old='payment["receiver"]["name"] == name', new='payment["payer"]["email"] == me'),
        Mistake(name="first_page", old="all_pages(apis.splits.show_payments, ", new="apis.splits.show_payments("),
        Mistake(name="left_there", old="apis.splits.delete_payment(", new="dict("),
        Mistake(name="note_lost", old=", note=note\n", new="\n"),
    ),
)


# Which groups are the expenses of whose numbers somebody texts me?

_TEXTS = """What was #{} for?|Could you look at #{} on splits?|I think #{} has the wrong amount.|Did you see #{}?|
Can you check #{} please, 2 of us were missing.|About #{}: is that for 3 or 4 people?""".replace("\n", "").split("|")


def _make_numbers(draw: Draw) -> Values | None:
    rng, me, state = draw.rng, draw.me, draw.state
    (person, other, *_), groups = acquaintances(draw), groups_of(draw, least=2)
    if len(groups) < 3:
        return None
    for group in groups:
        rows.add_member(state, group.id, person.id, other.id)
    first, second, third = ([row.id for row in state[Expense].of(("group", each.id))][:4] for each in groups)
    alone = spent(draw, "Spare keys", person, {me.id: 1_200}, days=30)
    days = rng.randint(6, 20)
    since = (state.now - timedelta(days=days)).date()

    def wrote(sender: Person, receiver: Person, number: int, when: datetime) -> None:
        texted(draw, sender, receiver, rng.choice(_TEXTS).format(number), when)

    wrote(person, me, second[0], datetime(since.year, since.month, since.day, 8))
    for n, number in enumerate((alone.id, *first, first[0])):
        wrote(person, me, number, ago(draw, (days - 1) * (6 - n) / 7))
    texted(draw, person, me, f"See you at {rng.randint(1, 9)}!", ago(draw, 0.1))
    wrote(me, person, third[0], ago(draw, days / 2))
    wrote(other, me, third[1], ago(draw, days / 3))
    wrote(person, me, third[2], ago(draw, days + 1))
    return {"person": person.name, "since": since.isoformat(), "other_person": other.name}


def _solve_numbers(state: State, me: Person, values: Values) -> Json:
    sender, found = named(state, values["person"]).id, set()
    for text in state[TextMessage].of(me.id):
        if text.sender == sender and text.sent_at.date() >= date.fromisoformat(values["since"]) and "#" in text.text:
            number = text.text.partition("#")[2].split()[0].rstrip("?:,.!")
            found.add(state[Expense][int(number)].group)
    return sorted(state[Group][group].name for group in found if group is not None)


def groups_of_texted_ids(name: str, since: str) -> list:
    """List the splits groups of the expenses whose numbers (#123) a contact texted since a day (YYYY-MM-DD)."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    messages = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, direction="received", from_date=since
    )
    numbers = {int(found) for message in messages for found in re.findall(r"#(\d+)", message["text"])}
    token = login(app="splits")
    expenses = [apis.splits.show_expense(access_token=token, expense_id=number) for number in sorted(numbers)]
    group_ids = {expense["group_id"] for expense in expenses if expense["group_id"] is not None}
    return [apis.splits.show_group(access_token=token, group_id=group_id)["name"] for group_id in sorted(group_ids)]


texted_expense_groups = Family(
    name="texted_expense_groups",
    split="train",
    difficulty=3,
    apps=("phone", "splits"),
    slots={"person": str, "since": str},
    wordings=(
        "{person} mentions expenses on splits in texts to me, by their id, as in #12. In which groups are the expenses"
        " from {person}'s texts since {since} (that day included)? List each group's name once; an expense without a"
        " group does not matter.",
        "Go through the text messages I got from {person} on {since} or later. A number after a # is the id of an"
        " expense on splits. Tell me the names of the groups those expenses are in, as far as they are in one.",
        "I need a list of splits groups, by name and each just once: those with an expense that {person} refers to (by"
        " # and its id) in a text to me from {since} onwards. Skip expenses outside of any group.",
    ),
    make=_make_numbers,
    solve=_solve_numbers,
    program=Program(functions=(groups_of_texted_ids,), call="groups_of_texted_ids(name={person!r}, since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="sent_ones_too", old=' direction="received",', new=""),
        Mistake(name="first_page", old="messages = all_pages(", new="messages = (lambda api, **a: api(**a))("),
    ),
)

FAMILIES = (absent_from_expenses, withdraw_comments, misplaced_payments, texted_expense_groups)
