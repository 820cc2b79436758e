"""Train families of the splits app: groups, expenses, comments and debts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from itertools import combinations

from prowess.types import Json
from prowess_desk.apps import splits
from prowess_desk.apps.splits import Expense, ExpenseComment, Group, Repayment, add_expense, repay, rows
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, groups_of, others_in, owed, spent, twin_groups
from prowess_desk.families.scene import acquaintances, ago, named
from prowess_desk.families.toolbox import all_pages, apis, login

CLUBS = """Chess Evenings|Choir Trip|Allotment|Boat Share|Surf Camp|Climbing Gym|Film Club|Pottery Class|
Band Practice|Street Party|Wine Tasting|Table Tennis""".replace("\n", "").split("|")


CLUB_COSTS = "Deposit|Equipment|Tickets|Room for the evening|Food|Gas for the van|Lessons|Insurance".split("|")


def founded(draw: Draw, name: str, creator: Person, others: Iterable[Person], when: datetime) -> Group:
    """A group of the supervisor and others that somebody created in the past."""
    group = rows.create_group(draw.state, creator.id, name, [draw.me.id, *(person.id for person in others)])
    return draw.state[Group].change(group.id, created_at=when)


def lent_to(draw: Draw, creditor: Person, debtor: Person, group: Group | None, cents: int = 0) -> int:
    """Somebody paid for another some time ago; the cents of it."""
    cents = cents or draw.rng.randint(900, 9_000)
    spent(draw, draw.rng.choice(CLUB_COSTS), creditor, {debtor.id: cents}, group=group, days=draw.rng.randint(2, 28))
    return cents


def evened(draw: Draw, creditor: Person, debtor: Person, group: Group | None) -> None:
    """Somebody paid for another and got it back."""
    cents = lent_to(draw, creditor, debtor, group)
    rows.repay(draw.state, debtor.id, debtor.id, creditor.id, cents, group=group.id if group else None, note="Cash")


CIRCLES = """Allotment|Choir Outing|Pub Quiz|Tennis Court|Ferry Tour|Band Room|Vinyl Swap|Canoe Days|Bread Circle|
Film Evenings|Yard Sale|Kite Meeting""".replace("\n", "").split("|")


# Record an expense that somebody has no part in.

_EXPENSES = "Kayak rental|Fondue|Bus tickets|Bakery order|Cinema|New kettle|Lawn chairs|Ice rink|Sushi|Ferry|Fireworks"


def _make_expense_without_one(draw: Draw) -> Values | None:
    pair = twin_groups(draw, least=4)
    if pair is None:
        return None
    group, older = pair
    person, other, *_ = others_in(draw, group)
    size = len(group.member_ids)
    amount = draw.rng.randint(2, 14) * size * (size - 1)  # the shares come out even, with or without that person
    return {
        "amount": float(amount),
        "thing": draw.rng.choice(_EXPENSES.split("|")),
        "group": group.name,
        "person": person.name,
        "other_group": older.name,
        "other_person": other.name,
    }


def _solve_expense_without_one(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    people = [id for id in group.member_ids if state[Person][id].name != values["person"]]
    cents = round(values["amount"] * 100)
    shares = tuple((id, cents // len(people)) for id in people)
    add_expense(state, me.id, values["thing"], cents, shares, group=group.id)


def add_expense_without(group: str, description: str, amount: float, absent: str) -> int:
    """Add an expense paid by the supervisor to a group, split equally among all members but one; return its id."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    emails = [member["email"] for member in found["members"] if member["name"] != absent]
    return apis.splits.add_expense(
        access_token=token,
        description=description,
        amount=amount,
        participant_emails=emails,
        group_id=found["group_id"],
    )["expense_id"]


expense_without_one = Family(
    name="expense_without_one",
    split="train",
    difficulty=2,
    apps=("splits",),
    slots={"amount": float, "thing": str, "group": str, "person": str},
    wordings=(
        'I paid ${amount} for "{thing}". Add that to the splits group "{group}", split equally among all of us except'
        " {person}, who did not take part.",
        'Please record an expense called "{thing}" over ${amount} in my splits group "{group}": paid by me, shared in'
        " equal parts by every member, me included, but not by {person}.",
        '{person} was not there, but everybody else in "{group}", myself as well, owes an equal share of the'
        ' ${amount} I spent. Enter it on splits in that group as "{thing}".',
    ),
    make=_make_expense_without_one,
    solve=_solve_expense_without_one,
    program=Program(
        functions=(add_expense_without,),
        call="add_expense_without(group={group!r}, description={thing!r}, amount={amount!r}, absent={person!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="everybody", old=' if member["name"] != absent', new=""),
        Mistake(
            name="without_me",
            old=' if member["name"] != absent',
            new=' if member["name"] != absent and member["email"] != apis.supervisor.show_profile()["email"]',
        ),
        Mistake(name="outside_the_group", old='        group_id=found["group_id"],\n', new=""),
    ),
)


# Comment on the expenses of one description that somebody paid.

_BILLS = "Electricity bill|Taxi ride|Coffee run|Gas refill|Pizza order|Cleaning service|Parking fee".split("|")


_BILL_REMARKS = (
    "Please add the receipt.|Is this the right amount?|Thank you for taking care of this!|Can we halve this next time?|"
    "I paid you back in cash.|What was this for?"
).split("|")


def _make_comment_on_bills(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    groups = groups_of(draw, least=3)
    if not groups:
        return None
    group, bill = groups[0], rng.choice(_BILLS)
    person, other, *_ = others_in(draw, group)

    def paid(who: Person, what: str, where: Group | None, days: int) -> None:
        spent(
            draw, what, who, {me.id: rng.randint(400, 3_000), who.id: rng.randint(400, 3_000)}, group=where, days=days
        )

    for month in range(6):
        paid(person, bill, group, 12 + 30 * month)
    paid(other, bill, group, 3)
    paid(me, bill, group, 25)
    paid(person, f"{bill} (deposit)", group, 70)
    paid(person, bill, None, 50)
    return {
        "person": person.name,
        "bill": bill,
        "group": group.name,
        "text": rng.choice(_BILL_REMARKS),
        "other_person": other.name,
    }


def _solve_comment_on_bills(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    for expense in state[Expense].of(("group", group.id)):
        if expense.description == values["bill"] and state[Person][expense.payer].name == values["person"]:
            splits.comment(state, expense.id, me.id, values["text"])


def comment_on_expenses(group: str, description: str, payer: str, text: str) -> int:
    """Comment on every expense of a group with this description that a person paid and return how many."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    found = all_pages(apis.splits.show_expenses, access_token=token, query=description, group_id=group_id)
    found = [each for each in found if each["description"] == description]
    found = [each for each in found if each["paid_by"]["name"] == payer]
    for expense in found:
        apis.splits.add_expense_comment(access_token=token, expense_id=expense["expense_id"], text=text)
    return len(found)


comment_on_bills = Family(
    name="comment_on_bills",
    split="train",
    difficulty=2,
    apps=("splits",),
    slots={"person": str, "bill": str, "group": str, "text": str},
    wordings=(
        'Leave the comment "{text}" on every expense called "{bill}" that {person} paid in the splits group "{group}".',
        '{person} has paid for "{bill}" more than once in my splits group "{group}". Under each of these expenses, and'
        ' only those with just that description, write "{text}".',
        'In "{group}" on splits, look for expenses whose description is "{bill}" and which were paid by {person}, and'
        ' comment on all of them: "{text}".',
    ),
    make=_make_comment_on_bills,
    solve=_solve_comment_on_bills,
    program=Program(
        functions=(comment_on_expenses,),
        call="comment_on_expenses(group={group!r}, description={bill!r}, payer={person!r}, text={text!r})",
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="any_payer", old=' if each["paid_by"]["name"] == payer', new=""),
        Mistake(name="similar_descriptions", old=' if each["description"] == description', new=""),
        Mistake(name="outside_the_group", old="query=description, group_id=group_id", new="query=description"),
        Mistake(name="first_page", old="all_pages(apis.splits.show_expenses, ", new="apis.splits.show_expenses("),
    ),
)


_OUTINGS = "Raft tour|Fondue|Bus tickets|Bakery order|Cinema|New kettle|Lawn chairs|Sushi|Ferry|Fireworks|Barbecue"


# Take somebody who was not there out of what I paid.


def _make_absent_from_expenses(draw: Draw) -> Values | None:
    rng, me, pair = draw.rng, draw.me, twin_groups(draw, least=4)
    if pair is None:
        return None
    person, other, third, *_ = others_in(draw, group := pair[0])
    everybody, days = (me, person, other, third), rng.randint(12, 40)
    day = draw.state.now.date() - timedelta(days=days)

    def split(payer: Person, people: tuple[Person, ...], days: float, where: Group | None = group) -> None:
        shares = {each.id: 60 * rng.randint(9, 70) for each in people}  # hardly ever equal
        spent(draw, rng.choice(_OUTINGS.split("|")), payer, shares, group=where, days=days)

    kinds = (everybody, (person,), (person, other, third), everybody, (person,), (me, person, third), everybody)
    for n, people in enumerate(kinds):
        split(me, people, days * n / 6)  # the last on that very day
    split(me, (me, other, third), days / 5)  # not for that person
    split(other, everybody, days / 7)
    split(me, everybody, days / 8, None)  # outside the group
    split(me, everybody, days + 2)
    values = {"person": person.name, "group": group.name, "day": day.isoformat()}
    return values | {"other_person": other.name, "other_day": (day + timedelta(days=1)).isoformat()}


def _solve_absent_from_expenses(state: State, me: Person, values: Values) -> Json:
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
    make=_make_absent_from_expenses,
    solve=_solve_absent_from_expenses,
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

_WITHDRAWN_REMARKS = """
Please pay me back this week.|Is this amount correct?|I will send the receipt later.|Who was there?|
Reminder: this is still open.|Can somebody check this?""".replace("\n", "").split("|")


def _make_withdraw_comments(draw: Draw) -> Values | None:
    rng, me, pair = draw.rng, draw.me, twin_groups(draw, least=3)
    if pair is None:
        return None
    group, older = pair
    people, (text, other) = others_in(draw, group), rng.sample(_WITHDRAWN_REMARKS, 2)
    said = {"m": (me, text), "o": (me, other), "s": (people[0], text), "r": (people[1], "Fine with me.")}
    for n, remarks in enumerate(("m", "rm", "s", "mo", "rsrrsom", "", "o", "sm", "rmrm")):
        thing, payer, cents = rng.choice(_OUTINGS.split("|")), rng.choice(people) if n else me, rng.randint(500, 4_000)
        expense = spent(draw, thing, payer, {me.id: cents}, group=group if n else older, days=3 + n)
        for author, words in (said[letter] for letter in remarks):
            rows.comment(draw.state, expense.id, author.id, words)
    return {"group": group.name, "text": text, "other_group": older.name, "other_text": other}


def _solve_withdraw_comments(state: State, me: Person, values: Values) -> Json:
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
    make=_make_withdraw_comments,
    solve=_solve_withdraw_comments,
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


def _make_misplaced_payments(draw: Draw) -> Values | None:
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


def _solve_misplaced_payments(state: State, me: Person, values: Values) -> Json:
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
    make=_make_misplaced_payments,
    solve=_solve_misplaced_payments,
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


# Delete the groups I created before a day in which everything is settled.


def _make_drop_settled_groups(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    noon = draw.state.now - timedelta(days=rng.randint(40, 120))
    names, people = iter(rng.sample(CLUBS, 11)), acquaintances(draw)
    for days in (150, 130, 110, 90, 70, 45, 20, 1, 0, -2, -9):  # before the day
        a, b, c = rng.sample(people, 3)
        group = founded(draw, next(names), b if days in (130, 20) else me, (a, b, c), noon - timedelta(days=days))
        if days == 90:  # nobody is ahead or behind, and yet they owe each other
            cents = lent_to(draw, a, b, group)
            lent_to(draw, b, c, group, cents)
            lent_to(draw, c, a, group, cents)
        elif days != 45:  # which was never used
            evened(draw, me, c, group)
            (lent_to if days in (110, 70) else evened)(draw, a, b, group)
    return {"day": noon.date().isoformat(), "other_day": (noon.date() - timedelta(days=30)).isoformat()}


def _solve_drop_settled_groups(state: State, me: Person, values: Values) -> Json:
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
    make=_make_drop_settled_groups,
    solve=_solve_drop_settled_groups,
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


def _make_opposite_debts(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    known = {me.id, *(id for id, _ in me.relations)}.union(*(row.member_ids for row in draw.state[Group].of(me.id)))
    strangers = [person for person in draw.people if person.id not in known]
    a, b, c, d, e, f, g = rng.sample(strangers, 7)
    name, second = rng.sample(CLUBS, 2)
    older = founded(draw, f"{name} (until 2024)", a, (a, d, g), ago(draw, 250))
    group = founded(draw, name, me, (a, b, c, d, e, f, g), ago(draw, 90))
    elsewhere = founded(draw, second, b, (b, c, f), ago(draw, 60))
    for n, person in enumerate((a, b, d, c, e, g)):  # three owe me, three I owe
        lent_to(draw, *((me, person) if n < 3 else (person, me)), group, rng.randint(3_000, 6_000))
    lent_to(draw, a, me, None, rng.randint(500, 2_500))  # in all they still owe me
    lent_to(draw, b, me, elsewhere, rng.randint(7_000, 9_000))
    lent_to(draw, me, c, elsewhere)
    lent_to(draw, me, d, None)  # owes me twice
    lent_to(draw, *((me, g) if rng.random() < 0.5 else (g, me)), older)
    evened(draw, me, e, None)
    lent_to(draw, f, me, elsewhere, rng.randint(1_000, 3_000))  # nothing in the group itself
    lent_to(draw, me, f, None, rng.randint(4_000, 8_000))
    return {"group": name, "other_group": older.name}


def _solve_opposite_debts(state: State, me: Person, values: Values) -> Json:
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
    make=_make_opposite_debts,
    solve=_solve_opposite_debts,
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


# What is new in a group since the last payment to somebody.


def _repaid(draw: Draw, payer: Person, receiver: Person, days: int, group: int | None) -> None:
    row = repay(draw.state, draw.me.id, payer.id, receiver.id, draw.rng.randint(300, 9_000), group=group)
    draw.state[Repayment].change(row.id, created_at=ago(draw, days))


def _make_new_since_payback(draw: Draw) -> Values | None:
    rng, state, me, groups = draw.rng, draw.state, draw.me, twin_groups(draw, least=3)
    if groups is None:
        return None
    group, older = groups
    person, rival = others_in(draw, group)[:2]
    for row in state[Repayment].of(("group", group.id)):
        state[Repayment].change(row.id, created_at=row.created_at - timedelta(days=100))
    for payer, receiver, days in ((me, person, 70), (me, person, 40), (person, me, 12), (me, rival, 5)):
        _repaid(draw, payer, receiver, days, group.id)
    _repaid(draw, me, person, 8, None)
    for n in range(14):
        payer, days = (rival if n % 4 == 3 else person), 48 - 3 * n
        ids = [id for id in group.member_ids if n != 10 or id != me.id]  # not for me
        shares = {id: rng.randint(150, 4_000) for id in ids}
        spent(draw, rng.choice(("Pancakes", "Ferry", "Lemons", "Kayak")), payer, shares, group=group, days=days)
    return {"group": group.name, "person": person.name, "other_group": older.name, "other_person": rival.name}


def _solve_new_since_payback(state: State, me: Person, values: Values) -> Json:
    group = next(each.id for each in state[Group].of(me.id) if each.name == values["group"])
    person, total = named(state, values["person"]).id, 0
    backs = [row for row in state[Repayment].of(("group", group)) if (row.payer, row.receiver) == (me.id, person)]
    for row in state[Expense].of(("group", group)):
        if row.payer == person and all(back.created_at < row.created_at for back in backs):
            total += dict(row.shares).get(me.id, 0)
    return total / 100


def share_since_payback(group: str, person: str) -> float:
    """Add up the own shares in what a member has paid for a group since the last payment to them in it."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    payments = all_pages(apis.splits.show_payments, access_token=token, group_id=group_id)
    last = max((payment["created_at"] for payment in payments if payment["receiver"]["name"] == person), default="")
    expenses = all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id)
    later = [each for each in expenses if each["paid_by"]["name"] == person and each["created_at"] > last]
    own_email = apis.supervisor.show_profile()["email"]
    return round(sum(part["amount"] for each in later for part in each["shares"] if part["email"] == own_email), 2)


new_since_payback = Family(
    name="new_since_payback",
    split="train",
    difficulty=2,
    apps=("splits",),
    slots={"group": str, "person": str},
    wordings=(
        'How much do my shares add up to in what {person} has paid for the splits group "{group}" since I last paid'
        " {person} back there?",
        'Find the last payment from me to {person} that is recorded in my splits group "{group}". Of the expenses there'
        " that {person} paid after it, what is my part in all?",
        'I have paid {person} back before in "{group}" on splits. Everything that {person} paid for that group after'
        " the latest of those payments is new to me: what is the sum of my shares in it?",
        'Look at the expenses of the splits group "{group}" that {person} paid. Leave out those from before my most'
        " recent payment to {person} in this group, add up what my part is in the others and tell me the sum.",
        'Going by splits, I once gave {person} money back in "{group}", perhaps several times, and the last time is'
        " what matters. How much of what {person} has spent for that group from then on falls on me?",
    ),
    make=_make_new_since_payback,
    solve=_solve_new_since_payback,
    program=Program(functions=(share_since_payback,), call="share_since_payback(group={group!r}, person={person!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="either_way", old='if payment["receiver"]["name"] == person', new="if person in str(payment)"),
        Mistake(name="from_the_start", old=' and each["created_at"] > last', new=""),
        Mistake(name="any_group", old="access_token=token, group_id=group_id", new="access_token=token"),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
    asks=True,
)

FAMILIES = (
    expense_without_one,
    comment_on_bills,
    absent_from_expenses,
    withdraw_comments,
    misplaced_payments,
    drop_settled_groups,
    opposite_debts,
    new_since_payback,
)
