"""Train families of the wallet's cards and balance, one of them with notes, one with splits."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.splits import Expense, Repayment
from prowess_desk.apps.wallet import (
    CardTransfer,
    PaymentCard,
    PaymentRequest,
    WalletAccount,
    add_card,
    delete_card,
    top_up,
    withdraw,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import jotted, older_twin, spent
from prowess_desk.families.scene import acquaintances, ago, asked
from prowess_desk.families.toolbox import all_pages, apis, login, read_note


def _valid_cards(draw: Draw, least: int) -> list[PaymentCard]:
    """The supervisor's cards that last beyond this year, in any order; new ones where there are too few."""
    rng, year = draw.rng, draw.state.now.year
    found = [card for card in draw.state[PaymentCard].of(draw.me.id) if card.expiry_year > year]
    for name in rng.sample(("Joint Account", "Holiday Card", "Company Card"), max(0, least - len(found))):
        number = f"5{rng.randrange(10**15):015d}"
        found.append(add_card(draw.state, draw.me.id, name, number, expiry_year=year + 2, expiry_month=7))
    return rng.sample(found, len(found))


# What would be left if I paid everybody but one?

_REASONS = "Rope|Canoe|Bus fare|Haircut|Posters|Tombola|Spices|Batteries|Lantern|Stamps|Zoo|Ladder".split("|")


def _make_left(draw: Draw) -> Values | None:
    me = draw.me
    person, *others = acquaintances(draw)
    if len(others) < 5:
        return None
    notes = iter(draw.rng.sample(_REASONS, 12))
    for days in (2, 25, 70):
        asked(draw, person, me, next(notes), ago(draw, days))
    for n, other in enumerate(others[:4]):
        asked(draw, other, me, next(notes), ago(draw, 4 + 40 * n))
    asked(draw, others[0], me, next(notes), ago(draw, 30), status="denied")
    asked(draw, others[4], me, next(notes), ago(draw, 12), status="approved")
    asked(draw, me, others[1], next(notes), ago(draw, 3))  # mine to them
    return {"person": person.name, "other_person": others[0].name}


def _solve_left(state: State, me: Person, values: Values) -> Json:
    cents = state[WalletAccount][me.id].cents
    for row in state[PaymentRequest].of(me.id):
        if row.payer == me.id and row.status == "pending" and state[Person][row.requester].name != values["person"]:
            cents -= row.cents
    return cents / 100


def balance_after_paying_all_but(name: str) -> float:
    """Return what the wallet balance would be after approving all pending requests except those of a person."""
    token = login(app="wallet")
    balance = apis.wallet.show_balance(access_token=token)["balance"]
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    due = sum(request["amount"] for request in requests if request["requester"]["name"] != name)
    return round(balance - due, 2)


balance_left_without = Family(
    name="balance_left_without",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"person": str},
    wordings=(
        "If I approved all pending payment requests I received on wallet except those from {person}, how much money"
        " would be left in my balance?",
        "Suppose I pay everything that people have asked me for on wallet and that I have not answered yet, but"
        " nothing to {person}. What would my wallet balance be then? Only tell me, do not pay.",
        "Take my wallet balance and subtract every request to me that is still pending, leaving out the ones {person}"
        " sent. What remains?",
    ),
    make=_make_left,
    solve=_solve_left,
    program=Program(functions=(balance_after_paying_all_but,), call="balance_after_paying_all_but(name={person!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="nobody_left_out", old=' if request["requester"]["name"] != name', new=""),
        Mistake(name="answered_as_well", old=', status="pending"', new=""),
        Mistake(
            name="first_page",
            old="all_pages(apis.wallet.show_received_requests, ",
            new="apis.wallet.show_received_requests(",
        ),
    ),
)


# Which card did most of the money come from?


def _make_source(draw: Draw) -> Values | None:
    rng, me, table = draw.rng, draw.me, draw.state[CardTransfer]
    first, often, large, *_ = cards = _valid_cards(draw, 3)
    days = rng.randint(40, 120)
    since = (draw.state.now - timedelta(days=days)).date()
    unit = 20_000 + max(sum(row.cents for row in table.of(me.id) if row.card == card.id) for card in cards)
    moves = [(often, "top_up", rng.randint(1, 3) * 1_000, ago(draw, 0.2 + n / 3)) for n in range(6)]  # but little
    moves += [(first, "top_up", unit // 2 + rng.randint(1, 9), ago(draw, days * part)) for part in (0.5, 0.7)]
    moves += [(first, "top_up", unit // 2, datetime(since.year, since.month, since.day, 9, 15))]  # that day counts
    moves += [(large, "top_up", unit * 6 // 10, ago(draw, days / 3))]  # the largest at once
    moves += [(large, "top_up", unit * 2, ago(draw, days + 1)), (large, "withdrawal", unit * 2, ago(draw, days / 4))]
    for card, kind, cents, when in moves:
        done = (top_up if kind == "top_up" else withdraw)(draw.state, card.id, cents)
        table.change(done.id, created_at=when)
    latest = sorted(table.of(me.id), key=lambda row: row.created_at)[-5:]
    return None if any(row.card == first.id for row in latest) else {"since": since.isoformat()}


def _solve_source(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    rows = [row for row in state[CardTransfer].of(me.id) if row.kind == "top_up" and row.created_at.date() >= since]
    return max(
        state[PaymentCard].of(me.id), key=lambda card: sum(row.cents for row in rows if row.card == card.id)
    ).name


def card_topped_up_most(since: str) -> str:
    """Return the name of the card from which most money was topped up since a day (YYYY-MM-DD), that day included."""
    token = login(app="wallet")
    names = {card["card_id"]: card["name"] for card in apis.wallet.show_cards(access_token=token)}
    totals: dict = defaultdict(float)
    for transfer in all_pages(apis.wallet.show_card_transfers, access_token=token):
        if transfer["kind"] == "top_up" and transfer["created_at"][:10] >= since:
            totals[names[transfer["card_id"]]] += transfer["amount"]
    return max(totals, key=lambda name: totals[name])


largest_top_up_card = Family(
    name="largest_top_up_card",
    split="train",
    difficulty=2,
    apps=("wallet",),
    slots={"since": str},
    wordings=(
        "From which of my cards have I topped up the most money in all on wallet since {since} (that day included)? I"
        " need the name of the card.",
        "Add up my wallet top-ups from {since} on, that day included, card by card. Which card did the largest sum come"
        " from? Just its name, please.",
        "One of my cards has put more money into my wallet balance than any other, counting from {since} (included) to"
        " now. What is it called? What I withdrew to cards does not matter here.",
    ),
    make=_make_source,
    solve=_solve_source,
    program=Program(functions=(card_topped_up_most,), call="card_topped_up_most(since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="withdrawals_too", old='transfer["kind"] == "top_up" and ', new=""),
        Mistake(name="all_time", old=' and transfer["created_at"][:10] >= since', new=""),
        Mistake(name="most_often", old='+= transfer["amount"]', new="+= 1"),
        Mistake(
            name="largest_at_once",
            old=' += transfer["amount"]',
            new=' = max(totals[names[transfer["card_id"]]], transfer["amount"])',
        ),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_card_transfers, ", new="apis.wallet.show_card_transfers("
        ),
    ),
)


# Replace a card by the new one that a note tells of.

_LETTERS = ("Bank letters", "New cards", "Cards from the bank", "Card numbers", "Replaced cards")


def _letter_line(draw: Draw, name: str, year: int) -> str:
    number = " ".join(f"{draw.rng.randrange(10**4):04d}" for _ in range(4))
    return f"{name}: {number}, valid until {draw.rng.randint(1, 11):02d}/{year + draw.rng.randint(0, 3)}"


def _make_renew(draw: Draw) -> Values | None:
    rng, year = draw.rng, draw.state.now.year
    mine, other, *_ = _valid_cards(draw, 2)
    title = rng.choice(_LETTERS)
    lines = [_letter_line(draw, name, year + 3) for name in (f"{mine.name} Junior", mine.name, other.name)]
    jotted(draw, title, "\n".join(("As the bank wrote:", *lines)), days=rng.randint(1, 20))
    old = [_letter_line(draw, name, year) for name in (other.name, mine.name)]
    jotted(draw, older_twin(title), "\n".join(old), days=400)
    return {"card": mine.name, "title": title, "other_card": other.name, "other_title": older_twin(title)}


def _solve_renew(state: State, me: Person, values: Values) -> Json:
    pattern = rf"^{values['card']}: ([\d ]+), valid until (\d\d)/(\d{{4}})$"
    ((number, month, year),) = re.findall(pattern, note_titled(state, me.id, values["title"]).content, re.MULTILINE)
    (old,) = (card for card in state[PaymentCard].of(me.id) if card.name == values["card"])
    delete_card(state, old.id)
    add_card(state, me.id, old.name, number.replace(" ", ""), expiry_year=int(year), expiry_month=int(month))


def replace_card_from_note(card: str, title: str) -> int:
    """Replace a wallet card by a new one of its name, with number and end (MM/YYYY) from a note; return its id."""
    lines = read_note(title=title)["content"].splitlines()
    line = next(line for line in lines if line.startswith(f"{card}:"))
    *number, month, year = re.findall(r"\d+", line.removeprefix(card))
    token = login(app="wallet")
    card_id = next(each["card_id"] for each in apis.wallet.show_cards(access_token=token) if each["name"] == card)
    apis.wallet.delete_card(access_token=token, card_id=card_id)
    return apis.wallet.add_card(
        access_token=token, name=card, number="".join(number), expiry_year=int(year), expiry_month=int(month)
    )["card_id"]


renew_card_from_note = Family(
    name="renew_card_from_note",
    split="train",
    difficulty=2,
    apps=("notes", "wallet"),
    slots={"card": str, "title": str},
    wordings=(
        'The bank has replaced my card "{card}". Delete it from my wallet and add the new one under the same name, with'
        ' the number and the end date that stand in my note "{title}".',
        'I got a new "{card}"; its number and until when it is valid are written in the note "{title}". Please swap'
        " it in the wallet app: the old card out, the new one in, called just the same.",
        'In "{title}", a note of mine, you find the number and the expiry of my new card "{card}". My wallet still has'
        " the old one of that name: remove that and add the new card, and keep the name.",
    ),
    make=_make_renew,
    solve=_solve_renew,
    program=Program(functions=(replace_card_from_note,), call="replace_card_from_note(card={card!r}, title={title!r})"),
    mistakes=(
        Mistake(name="another_card", swap={"card": "other_card"}),
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="a_similar_name", old='line.startswith(f"{card}:")', new="line.startswith(card)"),
        Mistake(
            name="old_one_kept", old="apis.wallet.delete_card(access_token=token, card_id=card_id)", new='card += " 2"'
        ),
        Mistake(name="end_of_the_year", old="expiry_month=int(month)", new="expiry_month=12"),
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


def _make_cover(draw: Draw) -> Values | None:
    rng, me, state = draw.rng, draw.me, draw.state
    people = acquaintances(draw)
    if len(people) < 7:
        return None
    card, other, *_ = _valid_cards(draw, 2)
    debts = _debts_of(state, me)
    for n, person in enumerate(people[:7]):  # I owe more than a page of them, and the last of them owes me
        debt, more = debts.get(person.id, 0), rng.randint(900, 5_000)
        payer, shares = (person, {me.id: max(0, -debt) + more}) if n < 6 else (me, {person.id: max(0, debt) + more})
        spent(draw, _REASONS[n], payer, shares, days=rng.randint(2, 50))
    extra = rng.randint(10, 90) * 100 + rng.choice((0, 50))
    goal = sum(owed for owed in _debts_of(state, me).values() if owed > 0) + extra
    have = rng.randint(500, goal - 1_000) if rng.random() < 0.5 else goal + rng.randint(1_000, 60_000)
    state[WalletAccount].change(me.id, cents=have)
    return {"card": card.name, "extra": extra / 100, "other_card": other.name, "other_extra": (extra + 1_000) / 100}


def _solve_cover(state: State, me: Person, values: Values) -> Json:
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
    make=_make_cover,
    solve=_solve_cover,
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

FAMILIES = (balance_left_without, largest_top_up_card, renew_card_from_note, cover_debts_exactly)
