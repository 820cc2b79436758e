"""Train families of splits and wallet: groups of payers, debts that are paid, friends and members."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import splits, wallet
from prowess_desk.apps.splits import Expense, Group, Repayment, create_group, remove_member, repay
from prowess_desk.apps.wallet import (
    Payment,
    PaymentCard,
    WalletAccount,
    add_friend,
    remove_friend,
    top_up,
    transfer,
    withdraw,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.papers import group_called, others_in, owed, spent, twin_groups
from prowess_desk.families.scene import acquaintances, ago, named, paid
from prowess_desk.families.toolbox import all_pages, apis, login
from prowess_desk.families.train.splits import CIRCLES
from prowess_desk.families.train.wallet import REQUEST_NOTES, valid_cards

# Pay what I owe in a group.

_PURPOSES = ("All square now", "My part, thank you", "Settling up", "What I owed you", "Paying my debts", "Here you go")


def _make_settle_group_debts(draw: Draw) -> Values | None:
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


def _solve_settle_group_debts(state: State, me: Person, values: Values) -> Json:
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
    make=_make_settle_group_debts,
    solve=_solve_settle_group_debts,
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


# Have as much in the wallet as I owe on splits, and a little more.


def _debts_of(state: State, me: Person) -> dict[int, int]:
    """What a person owes each other person on splits over all groups, in cents; negative the other way round."""
    found: Counter[int] = Counter()
    for expense in state[Expense].of(me.id):
        for id, cents in expense.shares:
            found[id] -= cents if expense.payer == me.id else 0
            found[expense.payer] += cents if id == me.id else 0
    for row in state[Repayment].of(me.id):
        found[row.receiver] -= row.cents
        found[row.payer] += row.cents
    return {id: found[id] for id in found if id != me.id}


def _make_cover_debts_exactly(draw: Draw) -> Values | None:
    rng, me, state = draw.rng, draw.me, draw.state
    people = acquaintances(draw)
    if len(people) < 7:
        return None
    card, other, *_ = valid_cards(draw, 2)
    debts = _debts_of(state, me)
    for n, person in enumerate(people[:7]):  # I owe more than a page of them, and the last of them owes me
        debt, more = debts.get(person.id, 0), rng.randint(900, 5_000)
        payer, shares = (person, {me.id: max(0, -debt) + more}) if n < 6 else (me, {person.id: max(0, debt) + more})
        spent(draw, REQUEST_NOTES[n], payer, shares, days=rng.randint(2, 50))
    extra = rng.randint(10, 90) * 100 + rng.choice((0, 50))
    goal = sum(owed for owed in _debts_of(state, me).values() if owed > 0) + extra
    have = rng.randint(500, goal - 1_000) if rng.random() < 0.5 else goal + rng.randint(1_000, 60_000)
    state[WalletAccount].change(me.id, cents=have)
    return {"card": card.name, "extra": extra / 100, "other_card": other.name, "other_extra": (extra + 1_000) / 100}


def _solve_cover_debts_exactly(state: State, me: Person, values: Values) -> Json:
    (card,) = (card for card in state[PaymentCard].of(me.id) if card.name == values["card"])
    debts = sum(owed for owed in _debts_of(state, me).values() if owed > 0)
    over = state[WalletAccount][me.id].cents - debts - round(values["extra"] * 100)
    withdraw(state, card.id, over) if over > 0 else top_up(state, card.id, -over)


def match_balance_to_debts(card: str, extra: float) -> float:
    """Use a card to bring the wallet balance to what is owed on splits plus an extra amount; return the new balance."""
    splits_token = login(app="splits")
    creditors = all_pages(apis.splits.show_people_i_owe, access_token=splits_token)
    goal = round(sum(person["amount"] for person in creditors) + extra, 2)
    token = login(app="wallet")
    card_id = next(each["card_id"] for each in apis.wallet.show_cards(access_token=token) if each["name"] == card)
    missing = round(goal - apis.wallet.show_balance(access_token=token)["balance"], 2)
    if missing > 0:
        apis.wallet.top_up_balance(access_token=token, card_id=card_id, amount=missing)
    elif missing < 0:
        apis.wallet.withdraw_balance(access_token=token, card_id=card_id, amount=-missing)
    return goal


cover_debts_exactly = Family(
    name="cover_debts_exactly",
    split="train",
    difficulty=3,
    apps=("splits", "wallet"),
    slots={"card": str, "extra": float},
    wordings=(
        "My wallet balance should be exactly ${extra} more than the sum of what I owe people on splits (each of them"
        ' over all groups; people who owe me are left out). Use the card "{card}" for that: in one transfer, top up'
        " what is missing or withdraw what is too much.",
        "Add up what splits says I owe, over everybody whom I owe something all in all, and add ${extra}. Then bring my"
        ' wallet balance to that amount with a single top-up from, or withdrawal to, my card "{card}". Those who owe'
        " me do not make it less.",
        'Move money between my wallet and my card "{card}" in one go, whichever way it takes, so that I have just'
        " enough in the wallet to pay everybody whom I owe on splits (all groups taken together) and ${extra} besides,"
        " not a cent more or less. Do not count on those who owe me, and pay nobody yet.",
    ),
    make=_make_cover_debts_exactly,
    solve=_solve_cover_debts_exactly,
    program=Program(functions=(match_balance_to_debts,), call="match_balance_to_debts(card={card!r}, extra={extra!r})"),
    mistakes=(
        Mistake(name="another_card", swap={"card": "other_card"}),
        Mistake(name="another_extra", swap={"extra": "other_extra"}),
        Mistake(name="only_the_debts", old=" + extra, 2)", new=", 2)"),
        Mistake(
            name="first_page", old="all_pages(apis.splits.show_people_i_owe, ", new="apis.splits.show_people_i_owe("
        ),
        Mistake(
            name="set_off",
            old='sum(person["amount"] for person in creditors)',
            new='max(0, -apis.splits.show_balances(access_token=splits_token)["total"])',
        ),
    ),
)


# Have everybody in a group who has paid for something.

_PAID = "Ski hut|Boat week|Rafting|Choir camp|Vineyard tour|Balloon ride|Dance course|Pottery class".split("|")


_NEW = "All Aboard|The Lucky Ones|Paid and Ready|On Our Way|Next Adventure|Early Birds".split("|")


def _make_group_of_payers(draw: Draw) -> Values | None:
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


def _solve_group_of_payers(state: State, me: Person, values: Values) -> Json:
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
    make=_make_group_of_payers,
    solve=_solve_group_of_payers,
    program=Program(functions=(group_payers,), call="group_payers(note={note!r}, since={since!r}, group={group!r})"),
    mistakes=(
        Mistake(name="another_note", swap={"note": "other_note"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="similar_notes", old=' if payment["note"] == note', new=""),
        Mistake(name="the_receivers", old='payment["sender"]["email"]', new='payment["receiver"]["email"]'),
        Mistake(name="a_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("),
    ),
)


# Record on splits what was paid on wallet and is not there yet.

_PAYBACK_NOTES = "Paying you back|My part of it|What I owed you|For last month|Squaring up|Back to you".split("|")


def _make_unbooked_wallet_payments(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    if (pair := papers.twin_groups(draw, least=4)) is None:
        return None
    group, people = pair[0], papers.others_in(draw, pair[0])
    stranger = next(person for person in draw.people if person.id not in group.member_ids)
    note, other = draw.rng.sample(_PAYBACK_NOTES, 2)
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


def _solve_unbooked_wallet_payments(state: State, me: Person, values: Values) -> Json:
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
    make=_make_unbooked_wallet_payments,
    solve=_solve_unbooked_wallet_payments,
    program=Program(functions=(record_unbooked,), call="record_unbooked(group={group!r}, note={note!r})"),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="equal_ones_as_one", old="(paid - recorded).elements()", new="paid.keys() - recorded.keys()"),
        Mistake(name="of_any_group", old=', group_id=found["group_id"])', new=")"),
        Mistake(name="first_page", old="all_pages(apis.splits.show_payments, ", new="apis.splits.show_payments("),
    ),
)


# Have no more to do with somebody, as far as debts allow.


def _make_part_ways(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, a, b = acquaintances(draw)[:4]
    for each in (person, other, a):
        add_friend(state, me.id, each.id)
    owing, even, between, quiet, foreign = (
        create_group(state, me.id, name, [a.id, b.id, (other if n == 4 else person).id])
        for n, name in enumerate(rng.sample(CIRCLES, 5))
    )
    spent(draw, "Deposit", *rng.choice(((me, {person.id: 1_250}), (person, {a.id: 900, b.id: 900}))), group=owing)
    spent(draw, "Drinks", a, {person.id: 1_400, a.id: 1_400}, group=even)
    repay(state, person.id, person.id, a.id, 1_400, group=even.id)
    spent(draw, "Tickets", person, {a.id: 800}, group=between)  # comes out at zero, but is not settled
    spent(draw, "Snacks", b, {person.id: 800}, group=between)
    spent(draw, "Rent", me, {a.id: 2_000, b.id: 1_500}, group=quiet)  # others owe
    spent(draw, "Fuel", a, {other.id: 700}, group=foreign)
    return {"person": person.name, "other_person": other.name}


def _solve_part_ways(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    remove_friend(state, me.id, person.id)
    kept = []
    for group in state[Group].of(me.id):
        if person.id in group.member_ids:
            if any(owed(state, person.id, id, group.id) for id in group.member_ids if id != person.id):
                kept.append(group.name)
            else:
                remove_member(state, group.id, person.id)
    return kept


def part_with_person(name: str) -> list:
    """Unfriend somebody on wallet, remove them from splits groups where nothing is open; return the other groups."""
    token = login(app="wallet")
    for friend in all_pages(apis.wallet.show_friends, access_token=token, query=name):
        if friend["name"] == name:
            apis.wallet.remove_friend(access_token=token, email=friend["email"])
    token = login(app="splits")
    kept = []
    for group in all_pages(apis.splits.show_groups, access_token=token):
        emails = {member["name"]: member["email"] for member in group["members"]}
        if name not in emails:
            continue
        debts = apis.splits.show_group_balances(access_token=token, group_id=group["group_id"])["debts"]
        if any(name in (debt["debtor"]["name"], debt["creditor"]["name"]) for debt in debts):
            kept.append(group["name"])
        else:
            apis.splits.remove_member(access_token=token, group_id=group["group_id"], email=emails[name])
    return kept


part_ways = Family(
    name="part_ways",
    split="train",
    difficulty=3,
    apps=("wallet", "splits"),
    slots={"person": str},
    wordings=(
        "Remove {person} from my friends on wallet and from all my splits groups in which {person} neither owes anybody"
        " anything nor is owed anything. Which of my groups does {person} have to stay in?",
        "I have fallen out with {person}. End our friendship on wallet, and on splits throw {person} out of each group"
        " of mine where no debt from or to {person} is left. Then name me the groups where one still is.",
        "{person} is moving abroad. Wherever in my splits groups there is nothing to settle between {person} and"
        " anybody else, take {person} out; and take {person} off the list of my wallet friends. As an answer, list the"
        " groups of mine that {person} is a member of after that.",
        "No more plans with {person}: unfriend {person} in my wallet. Then go through the splits groups we are both in."
        " Whoever owes or is owed money in a group must stay in it; tell me the names of those where that is true of"
        " {person}, and remove {person} from the rest.",
        "In which splits groups of mine does {person} still have open debts, either way and with anyone? Tell me these."
        " From my other groups, and from my wallet friends, {person} can be removed. Please do that, too.",
    ),
    make=_make_part_ways,
    solve=_solve_part_ways,
    program=Program(functions=(part_with_person,), call="part_with_person(name={person!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="friends_still", old='if friend["name"] == name:', new="if not friend:"),
        Mistake(name="members_still", old="apis.splits.remove_member(", new="dict("),
        Mistake(name="first_groups", old="all_pages(apis.splits.show_groups, ", new="apis.splits.show_groups("),
    ),
)


# Found a group of those who have paid, and ask the others for the rest.

_TRIPS = ("Ski Hut", "Canal Boat", "Desert Tour", "Choir Weekend", "Lighthouse Stay", "Glacier Walk")


def _make_group_from_deposits(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, scene.acquaintances(draw)
    if len(people) < 9:
        return None
    group, cents = rng.choice(_TRIPS), rng.randint(4_000, 15_000)
    note = f"{rng.choice(('Deposit', 'Advance', 'Booking'))} {group}"
    gifts = [(0, cents), (1, cents - 2_550), (1, 2_550), (2, cents + 700), (3, cents), (3, -1_275), (4, cents - 1)]
    gifts += [(5, cents), (5, -cents), (6, cents), (7, -cents), (8, 990), (8, cents - 1_500)]
    for n, (who, part) in enumerate(rng.sample(gifts, len(gifts))):
        sender, receiver = (people[who], me) if part > 0 else (me, people[who])
        payment = scene.paid(draw, sender, receiver, note + " (last year)" * (who == 6), scene.ago(draw, 2 + 2 * n))
        draw.state[wallet.Payment].change(payment.id, cents=abs(part))
    return {"group": group, "note": note, "amount": cents / 100}


def _solve_group_from_deposits(state: State, me: Person, values: Values) -> Json:
    members, whole = [], round(values["amount"] * 100)
    rows = [row for row in state[wallet.Payment].of(me.id) if row.note == values["note"]]
    for person in state[Person]:
        theirs = [row for row in rows if person.id in row.parties and person != me]
        given = sum(row.cents if row.sender == person.id else -row.cents for row in theirs)
        if given >= whole:
            members.append(person.id)
        elif given > 0:
            wallet.request(state, me.id, person.id, whole - given, values["note"])
    splits.create_group(state, me.id, values["group"], members)


def group_paid_up(name: str, note: str, amount: float) -> int:
    """Create a group of who paid an amount with a note, refunds taken off, request missing rests; return its size."""
    token = login(app="wallet")
    totals: Counter = Counter()
    for payment in all_pages(apis.wallet.show_transactions, access_token=token, query=note):
        if payment["note"] == note and payment["direction"] == "received":
            totals[payment["sender"]["email"]] += payment["amount"]
        elif payment["note"] == note:
            totals[payment["receiver"]["email"]] -= payment["amount"]
    paid = {email: round(total, 2) for email, total in totals.items()}
    members = sorted(email for email, total in paid.items() if total >= amount)
    apis.splits.create_group(access_token=login(app="splits"), name=name, member_emails=members)
    for email, total in paid.items():
        if 0 < total < amount:
            rest = round(amount - total, 2)
            apis.wallet.request_payment(access_token=token, payer_email=email, amount=rest, note=note)
    return len(members)


group_from_deposits = Family(
    name="group_from_deposits",
    split="train",
    difficulty=3,
    apps=("wallet", "splits"),
    slots={"group": str, "note": str, "amount": float},
    wordings=(
        'Create a splits group "{group}" of all who paid me at least ${amount} in all on wallet with exactly the note'
        ' "{note}", less what I sent back with it. Request the rest from those who paid, but too little, same note.',
        'To come along, people had to send me ${amount} on wallet, at once or in parts, with "{note}" as the whole'
        " note. What I sent back under that note does not count. Whoever has reached the sum belongs in a new group"
        ' "{group}" on splits. Whoever has paid a part of it gets a wallet request for what is missing, note "{note}".',
        'Look at my wallet payments whose note is just "{note}": received minus sent, person by person. With ${amount}'
        ' and more they are members of "{group}", a splits group that you create. With more than nothing but under'
        ' ${amount}, send them a request for the difference, and write "{note}" on it, too.',
        'Who is in? Found "{group}" on splits with those who have paid their ${amount}: add up what each sent me on'
        ' wallet with the note "{note}" (no other words in it) and take off what I returned with the same note. Ask'
        ' people who have paid only a part for the remaining amount on wallet, again with the note "{note}".',
        'I need the group "{group}" on splits, me and all who paid in full: ${amount} at least, counting every wallet'
        ' payment to me noted "{note}", word for word, less mine to that person noted so. Also send wallet requests'
        ' noted "{note}" for the missing part to those of whose money I have some, but too little.',
    ),
    make=_make_group_from_deposits,
    solve=_solve_group_from_deposits,
    program=Program(functions=(group_paid_up,), call="group_paid_up(name={group!r}, note={note!r}, amount={amount!r})"),
    mistakes=(
        Mistake(name="refunds_forgotten", old='["email"]] -= payment', new='["email"]] -= 0 * payment'),
        Mistake(name="more_than_that", old="total >= amount", new="total > amount"),
        Mistake(name="all_of_it_again", old="amount=rest", new="amount=amount"),
        Mistake(name="any_such_note", old='payment["note"] == note', new='payment["note"]'),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)

FAMILIES = (
    settle_group_debts,
    cover_debts_exactly,
    group_of_payers,
    unbooked_wallet_payments,
    part_ways,
    group_from_deposits,
)
