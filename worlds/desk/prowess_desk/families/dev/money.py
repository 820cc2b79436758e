"""Dev families of wallet and splits, some with the phone."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.phone import Contact, send_text
from prowess_desk.apps.splits import Expense, Repayment, comment, delete_expense
from prowess_desk.apps.wallet import PaymentCard, WalletAccount, request, withdraw
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, groups_of, others_in, spent, twin_groups
from prowess_desk.families.toolbox import all_pages, apis, login

# Withdraw what is above an amount.


def _make_withdraw_surplus(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me.id, draw.rng
    now = (state.now.year, state.now.month)
    valid = [card for card in state[PaymentCard].of(me) if (card.expiry_year, card.expiry_month) >= now]
    if len(valid) < 2:
        return None
    other, card = rng.sample(valid, 2)
    cents = rng.randint(40_001, 150_000)
    state[WalletAccount].change(me, cents=cents)
    keep = rng.randint(20, (cents - 5_000) // 500) * 5
    if keep * 200 == cents:
        return None
    return {"keep": float(keep), "card": card.name, "other_card": other.name, "other_keep": float(keep + 5)}


def _solve_withdraw_surplus(state: State, me: Person, values: Values) -> Json:
    card = next(card for card in state[PaymentCard].of(me.id) if card.name == values["card"])
    withdraw(state, card.id, state[WalletAccount][me.id].cents - round(values["keep"] * 100))


def withdraw_above(amount: float, card_name: str) -> float:
    """Withdraw all of the wallet's balance above an amount to a card and return how much that was."""
    token = login(app="wallet")
    cards = apis.wallet.show_cards(access_token=token)
    card_id = next(card["card_id"] for card in cards if card["name"] == card_name)
    balance = apis.wallet.show_balance(access_token=token)["balance"]
    surplus = round(balance - amount, 2)
    if surplus > 0:
        apis.wallet.withdraw_balance(access_token=token, card_id=card_id, amount=surplus)
    return surplus


withdraw_surplus = Family(
    name="withdraw_surplus",
    split="dev",
    difficulty=1,
    apps=("wallet",),
    slots={"keep": float, "card": str},
    wordings=(
        'Withdraw everything above ${keep} from my wallet balance to my card "{card}".',
        'I want to keep exactly ${keep} in the wallet app. The rest of the balance goes to the card called "{card}".',
        'Please empty my wallet down to ${keep} by sending what is left over to my "{card}" card in one go.',
    ),
    make=_make_withdraw_surplus,
    solve=_solve_withdraw_surplus,
    program=Program(functions=(withdraw_above,), call="withdraw_above(amount={keep!r}, card_name={card!r})"),
    mistakes=(
        Mistake(name="another_card", swap={"card": "other_card"}),
        Mistake(name="keeps_more", swap={"keep": "other_keep"}),
        Mistake(name="that_amount_itself", old="surplus = round(balance - amount, 2)", new="surplus = amount"),
        Mistake(name="whole_dollars", old="round(balance - amount, 2)", new="round(balance - amount) + 1"),
    ),
)


# Text everybody who owes me more than an amount.


def owing(state: State, me: Person) -> dict[int, int]:
    """What everybody owes a person, all groups together, in cents."""
    found: dict[int, int] = {}
    for expense in state[Expense].of(me.id):
        for person, cents in expense.shares:
            if expense.payer == me.id != person:
                found[person] = found.get(person, 0) + cents
            elif expense.payer != me.id == person:
                found[expense.payer] = found.get(expense.payer, 0) - cents
    for row in state[Repayment].of(me.id):
        person, cents = (row.payer, -row.cents) if row.receiver == me.id else (row.receiver, row.cents)
        found[person] = found.get(person, 0) + cents
    return {person: cents for person, cents in found.items() if cents > 0}


def _make_text_debtors(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me, draw.rng
    known = {row.email for row in state[Contact].of(me.id)}
    for person in rng.sample([id for id, _ in me.relations], min(8, len(me.relations))):
        spent(draw, "Small loan", me, {person: 50 * rng.randint(100, 190)}, days=rng.randint(1, 80))
    due = owing(state, me)
    amounts = sorted(due.values())
    limit = amounts[len(amounts) // 2 - 1]  # one person owes exactly this, and is not texted
    if all(due[person] <= limit for person in sorted(due)[5:]):  # nobody to text beyond the first page
        return None
    if len(due) < 7 or any(state[Person][person].email not in known for person in due):
        return None
    return {"limit": limit / 100, "other_limit": (limit - 1) / 100}


def _solve_text_debtors(state: State, me: Person, values: Values) -> Json:
    for person, cents in owing(state, me).items():
        if cents > round(values["limit"] * 100):
            send_text(state, me.id, person, f"You owe me ${cents // 100}.{cents % 100:02d} on splits.")


def text_people_who_owe(limit: float) -> int:
    """Text everybody who owes the supervisor more than a limit on splits how much it is and return how many."""
    token = login(app="splits")
    debtors = all_pages(apis.splits.show_people_who_owe_me, access_token=token)
    phone_token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)
    numbers = {contact["email"]: contact["phone_number"] for contact in contacts}
    owing_more = [debtor for debtor in debtors if debtor["amount"] > limit]
    for debtor in owing_more:
        text = f"You owe me ${debtor['amount']:.2f} on splits."
        apis.phone.send_text_message(access_token=phone_token, phone_number=numbers[debtor["email"]], text=text)
    return len(owing_more)


text_debtors = Family(
    name="text_debtors",
    split="dev",
    difficulty=3,
    apps=("splits", "phone"),
    slots={"limit": float},
    wordings=(
        "Text everyone who owes me more than ${limit} on splits, all groups taken together, how much it is. The text is"
        ' "You owe me $12.50 on splits." with the amount each of them owes in place of $12.50.',
        "I want my money back. Whose debts to me on splits, groups or not, come to more than ${limit} in total? Send"
        ' each of these people a text message that reads "You owe me $12.50 on splits.", with their own total,'
        " written with two decimals, instead of 12.50.",
        'Please remind people by text: "You owe me $12.50 on splits.", where 12.50 stands for what that person owes me'
        " altogether, always with two decimals. It goes to all those whose total on splits is above ${limit}, and to"
        " nobody else.",
    ),
    make=_make_text_debtors,
    solve=_solve_text_debtors,
    program=Program(functions=(text_people_who_owe,), call="text_people_who_owe(limit={limit!r})"),
    mistakes=(
        Mistake(name="a_cent_lower", swap={"limit": "other_limit"}),
        Mistake(name="the_limit_too", old='debtor["amount"] > limit', new='debtor["amount"] >= limit'),
        Mistake(
            name="first_page",
            old="all_pages(apis.splits.show_people_who_owe_me, ",
            new="apis.splits.show_people_who_owe_me(",
        ),
        Mistake(name="everybody", old=' if debtor["amount"] > limit', new=""),
        Mistake(name="the_limit_as_amount", old="${debtor['amount']:.2f}", new="${limit:.2f}"),
    ),
)


# Delete the expenses of one description that I paid.

_ENTRIES = "Test entry|Trial run|Duplicate|Locker deposit|Raffle tickets|Dry cleaning|Printer ink".split("|")


def _make_delete_my_entries(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me, draw.rng
    groups = groups_of(draw, least=2)
    if len(groups) < 2:
        return None
    entry, other = rng.sample(_ENTRIES, 2)
    places = [groups[0], groups[1], None]
    for n in range(6):
        group = places[n % 3]
        friend = rng.choice(others_in(draw, group or groups[0]))
        made = spent(draw, entry, me, {friend.id: rng.randint(300, 5_000), me.id: 300}, group=group, days=9 + 20 * n)
        if n % 2:
            comment(state, made.id, friend.id, "What is this?")
    friend = rng.choice(others_in(draw, groups[0]))
    for days in (4, 33):  # entered by me, paid by somebody else
        spent(draw, entry, friend, {me.id: rng.randint(300, 5_000)}, group=groups[0], days=days, creator=me)
    spent(draw, f"{entry} again", me, {friend.id: rng.randint(300, 5_000)}, group=groups[0], days=60)
    spent(draw, other, me, {friend.id: rng.randint(300, 5_000)}, group=groups[0], days=61)
    return {"entry": entry, "other_entry": other}


def _solve_delete_my_entries(state: State, me: Person, values: Values) -> Json:
    for expense in state[Expense].of(me.id):
        if (expense.payer, expense.description) == (me.id, values["entry"]):
            delete_expense(state, expense.id)


def delete_my_expenses(description: str) -> int:
    """Delete every expense with this description that the supervisor paid, in any group, and return how many."""
    token = login(app="splits")
    email = apis.supervisor.show_profile()["email"]
    found = all_pages(apis.splits.show_expenses, access_token=token, query=description, paid_by_email=email)
    mine = [expense for expense in found if expense["description"] == description]
    for expense in mine:
        apis.splits.delete_expense(access_token=token, expense_id=expense["expense_id"])
    return len(mine)


delete_my_entries = Family(
    name="delete_my_entries",
    split="dev",
    difficulty=2,
    apps=("splits",),
    slots={"entry": str},
    wordings=(
        'Delete all expenses described as "{entry}" that were paid by me on splits, whatever group they are in.',
        'On splits there are several expenses called exactly "{entry}", in groups and outside of them. Those I paid'
        " were entered by mistake: get rid of them, but not of what others paid.",
        'I should never have put "{entry}" on splits. Please remove every expense of that name where I am the payer,'
        " everywhere, and leave similar names and other payers alone.",
    ),
    make=_make_delete_my_entries,
    solve=_solve_delete_my_entries,
    program=Program(functions=(delete_my_expenses,), call="delete_my_expenses(description={entry!r})"),
    mistakes=(
        Mistake(name="another_name", swap={"entry": "other_entry"}),
        Mistake(name="any_payer", old=", paid_by_email=email", new=""),
        Mistake(name="similar_names", old=' if expense["description"] == description', new=""),
        Mistake(name="first_page", old="all_pages(apis.splits.show_expenses, ", new="apis.splits.show_expenses("),
    ),
)


# Request everybody's share of an expense through the wallet.

_EVENTS = "Boat trip|Farewell dinner|Concert hall|Cooking course|Cabin deposit|Group photo|Wine tasting".split("|")
_NOTES = ("Your share, please", "For last week", "As agreed", "See splits for details", "Thanks in advance")


def _make_request_shares(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    pair = twin_groups(draw, least=4)
    if pair is None:
        return None
    group, older = pair
    event, third = rng.sample(_EVENTS, 2)
    absent, *present = others_in(draw, group)
    parts = rng.sample(range(700, 9_000), len(present) + 1)
    ids = [me.id, *(person.id for person in present)]
    spent(draw, event, me, dict(zip(ids, parts, strict=True)), group=group, days=14)
    spent(draw, event, present[0], dict(zip(ids, parts[::-1], strict=True)), group=group, days=3)  # paid by another
    spent(draw, f"{event} tips", me, {absent.id: 850, me.id: 850}, group=group, days=4)
    friend = rng.choice(others_in(draw, older))
    spent(draw, event, me, {friend.id: rng.randint(9_100, 9_900), me.id: 900}, group=older, days=6)
    spent(draw, third, me, dict(zip(ids, parts[1:] + parts[:1], strict=True)), group=group, days=5)
    return {
        "group": group.name,
        "event": event,
        "note": rng.choice(_NOTES),
        "other_group": older.name,
        "other_event": third,
    }


def _solve_request_shares(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    for expense in state[Expense].of(("group", group.id)):
        if (expense.payer, expense.description) == (me.id, values["event"]):
            for person, cents in expense.shares:
                if person != me.id:
                    request(state, me.id, person, cents, values["note"])


def request_shares_of_expense(group: str, description: str, note: str) -> int:
    """Request the others' shares of an expense the supervisor paid in a group by wallet and return how many."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    found = all_pages(apis.splits.show_expenses, access_token=token, query=description, group_id=group_id)
    email = apis.supervisor.show_profile()["email"]
    mine = [each for each in found if each["paid_by"]["email"] == email]
    expense = next(each for each in mine if each["description"] == description)
    shares = [share for share in expense["shares"] if share["email"] != email]
    wallet_token = login(app="wallet")
    for share in shares:
        apis.wallet.request_payment(
            access_token=wallet_token, payer_email=share["email"], amount=share["amount"], note=note
        )
    return len(shares)


request_shares = Family(
    name="request_shares",
    split="dev",
    difficulty=3,
    apps=("splits", "wallet"),
    slots={"group": str, "event": str, "note": str},
    wordings=(
        'I paid for "{event}" in the splits group "{group}". Request from everybody else who shares in that expense'
        ' exactly their share through the wallet, with the note "{note}".',
        'Look up the expense "{event}" that I paid in my splits group "{group}" and send each of the other participants'
        ' a wallet request over their part of it. Write "{note}" as the note.',
        'Please collect the money for "{event}", which I paid on behalf of "{group}" (see splits): one payment request'
        ' by wallet to each other person with a share in it, for the amount of that share, note "{note}".',
    ),
    make=_make_request_shares,
    solve=_solve_request_shares,
    program=Program(
        functions=(request_shares_of_expense,),
        call="request_shares_of_expense(group={group!r}, description={event!r}, note={note!r})",
    ),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="another_expense", swap={"event": "other_event"}),
        Mistake(name="paid_by_another", old=' if each["paid_by"]["email"] == email', new=""),
        Mistake(
            name="equal_parts",
            old='amount=share["amount"]',
            new='amount=round(expense["amount"] / len(expense["shares"]), 2)',
        ),
        Mistake(name="no_note", old=", note=note", new=""),
    ),
)

FAMILIES = (withdraw_surplus, text_debtors, delete_my_entries, request_shares)
