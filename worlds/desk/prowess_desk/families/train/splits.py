"""Train families of the splits app, one of them with the wallet."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.splits import Expense, Group, add_expense, comment, repay
from prowess_desk.apps.wallet import WalletAccount, transfer
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, groups_of, others_in, owed, spent, twin_groups
from prowess_desk.families.toolbox import all_pages, apis, login

# How much does somebody owe me in a group?


def _make_owed(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me, draw.rng
    pair = twin_groups(draw, least=3)
    if pair is None:
        return None
    group, older = pair
    person, other, *_ = others_in(draw, group)
    for who in (person, other):
        least = max(0, -owed(state, who.id, me.id, group.id))
        cents = least + rng.randint(2_000, 12_000)
        spent(draw, f"Deposit for {who.first}", me, {who.id: cents}, group=group, days=rng.randint(3, 60))
    spent(draw, "Phone repair", me, {person.id: rng.randint(900, 5_000)}, days=10)  # outside the group
    repay(state, person.id, person.id, me.id, rng.randint(300, 1_500), group=group.id, note="First part")
    if person.id in older.member_ids:
        return None
    if owed(state, person.id, me.id, group.id) == owed(state, other.id, me.id, group.id):
        return None
    return {"person": person.name, "group": group.name, "other_person": other.name}


def _solve_owed(state: State, me: Person, values: Values) -> Json:
    person = next(person for person in state[Person] if person.name == values["person"])
    return owed(state, person.id, me.id, group_called(state, me, values["group"]).id) / 100


def owed_to_me_in_group(name: str, group: str) -> float:
    """Return how much a person owes the supervisor in one group of splits."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    debtors = all_pages(apis.splits.show_people_who_owe_me, access_token=token, group_id=group_id)
    return next((debtor["amount"] for debtor in debtors if debtor["name"] == name), 0.0)


owed_in_group = Family(
    name="owed_in_group",
    split="train",
    difficulty=1,
    apps=("splits",),
    slots={"person": str, "group": str},
    wordings=(
        'How much does {person} owe me in the splits group "{group}"?',
        'Look only at my splits group "{group}", and at nothing outside of it: what is the amount that {person} still'
        " has to pay me there?",
        'I want to ask {person} for what is open between us in "{group}" on splits. Tell me how many dollars I get,'
        " counting just that group.",
    ),
    make=_make_owed,
    solve=_solve_owed,
    program=Program(functions=(owed_to_me_in_group,), call="owed_to_me_in_group(name={person!r}, group={group!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="everything", old=", group_id=group_id)", new=")"),
        Mistake(name="first_match", old=' if each["name"] == group', new=""),
        Mistake(
            name="payments_forgotten",
            old="    return next(",
            new=(
                "    return sum(\n"
                '        share["amount"]\n'
                "        for expense in all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id)\n"
                '        for share in expense["shares"]\n'
                '        if share["name"] == name and expense["paid_by"]["name"] != name\n'
                "    )\n"
                "    return next("
            ),
        ),
    ),
)


# Record an expense that somebody has no part in.

_THINGS = "Kayak rental|Fondue|Bus tickets|Bakery order|Cinema|New kettle|Lawn chairs|Ice rink|Sushi|Ferry|Fireworks"


def _make_expense(draw: Draw) -> Values | None:
    pair = twin_groups(draw, least=4)
    if pair is None:
        return None
    group, older = pair
    person, other, *_ = others_in(draw, group)
    size = len(group.member_ids)
    amount = draw.rng.randint(2, 14) * size * (size - 1)  # the shares come out even, with or without that person
    return {
        "amount": float(amount),
        "thing": draw.rng.choice(_THINGS.split("|")),
        "group": group.name,
        "person": person.name,
        "other_group": older.name,
        "other_person": other.name,
    }


def _solve_expense(state: State, me: Person, values: Values) -> Json:
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
    make=_make_expense,
    solve=_solve_expense,
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


# Pay what I owe in a group.

_PURPOSES = ("All square now", "My part, thank you", "Settling up", "What I owed you", "Paying my debts", "Here you go")


def _make_debts(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me, draw.rng
    pair = twin_groups(draw, least=4)
    if pair is None:
        return None
    group, older = pair
    first, second, third, *_ = others_in(draw, group)
    for who, thing in ((first, "Advance"), (second, "Reservation")):
        cents = max(0, -owed(state, me.id, who.id, group.id)) + rng.randint(1_000, 9_000)
        spent(draw, thing, who, {me.id: cents}, group=group, days=rng.randint(2, 40))
    cents = max(0, owed(state, me.id, third.id, group.id)) + rng.randint(1_000, 9_000)
    spent(draw, "Spare part", me, {third.id: cents}, group=group, days=5)  # owes me
    spent(draw, "Museum shop", first, {me.id: rng.randint(700, 4_000)}, days=8)  # outside the group
    account = state[WalletAccount][me.id]
    state[WalletAccount].change(me.id, cents=account.cents + 150_000)
    return {"group": group.name, "note": rng.choice(_PURPOSES), "other_group": older.name}


def _solve_debts(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    due = {id: owed(state, me.id, id, group.id) for id in group.member_ids if id != me.id}
    for creditor, cents in due.items():
        if cents > 0:
            transfer(state, me.id, creditor, cents, values["note"])
            repay(state, me.id, me.id, creditor, cents, group=group.id)


def pay_debts_of_group(group: str, note: str) -> float:
    """Pay everybody the supervisor owes in a splits group by wallet, settle up there, and return the total."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    creditors = all_pages(apis.splits.show_people_i_owe, access_token=token, group_id=group_id)
    wallet_token = login(app="wallet")
    for person in creditors:
        apis.wallet.send_payment(
            access_token=wallet_token, receiver_email=person["email"], amount=person["amount"], note=note
        )
        apis.splits.settle_up(access_token=token, email=person["email"], group_id=group_id)
    return round(sum(person["amount"] for person in creditors), 2)


settle_group_debts = Family(
    name="settle_group_debts",
    split="train",
    difficulty=3,
    apps=("splits", "wallet"),
    slots={"group": str, "note": str},
    wordings=(
        'Pay everyone I owe money in the splits group "{group}" through my wallet, with the note "{note}", and settle'
        " up with each of them in that group on splits.",
        'I do not want to have debts in "{group}" any longer. Send each member I owe something there the exact amount'
        ' by wallet (note: "{note}"), then mark it as settled in this group on splits. Leave other groups alone.',
        'Clear what I owe in my splits group "{group}": for every creditor, one wallet payment of what I owe them in'
        ' that group, saying "{note}", and after it a settle-up for the group in splits.',
    ),
    make=_make_debts,
    solve=_solve_debts,
    program=Program(functions=(pay_debts_of_group,), call="pay_debts_of_group(group={group!r}, note={note!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="no_note", old=", note=note", new=""),
        Mistake(
            name="not_settled",
            old='apis.splits.settle_up(access_token=token, email=person["email"], group_id=group_id)',
            new="pass",
        ),
        Mistake(
            name="what_i_owe_elsewhere_too",
            old='amount=person["amount"]',
            new=(
                "amount=abs(apis.splits.show_person_balance(\n"
                '                access_token=token, email=person["email"])["balance"])'
            ),
        ),
        Mistake(name="one_creditor", old="for person in creditors:", new="for person in creditors[:1]:"),
    ),
)


# Comment on the expenses of one description that somebody paid.

_BILLS = "Electricity bill|Taxi ride|Coffee run|Gas refill|Pizza order|Cleaning service|Parking fee".split("|")
_REMARKS = (
    "Please add the receipt.|Is this the right amount?|Thank you for taking care of this!|Can we halve this next time?|"
    "I paid you back in cash.|What was this for?"
).split("|")


def _make_remarks(draw: Draw) -> Values | None:
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
        "text": rng.choice(_REMARKS),
        "other_person": other.name,
    }


def _solve_remarks(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    for expense in state[Expense].of(("group", group.id)):
        if expense.description == values["bill"] and state[Person][expense.payer].name == values["person"]:
            comment(state, expense.id, me.id, values["text"])


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
    make=_make_remarks,
    solve=_solve_remarks,
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

FAMILIES = (owed_in_group, expense_without_one, settle_group_debts, comment_on_bills)
