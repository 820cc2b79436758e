"""Families of test_normal: the wallet app."""

from __future__ import annotations

from collections import Counter, defaultdict
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.wallet import Payment, WalletAccount, add_friend, remove_friend, transfer
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import acquaintances, ago, asked, named, paid
from prowess_desk.families.toolbox import all_pages, apis, login

_NOTES = (
    "Umbrella|Stamps|Bus fare|Sandwich|Light bulbs|Batteries|Poster|Candles|Paint|Tea|Magazines|Cinema|Notebook|Soup|"
    "Ice cream|Plant pots|Screws|Cable|Ribbon|Salad|Towels|Juice|Rice cooker|Map"
).split("|")


# Whom have I paid most often since a day?


def _make_most_often_paid(draw: Draw) -> Values | None:
    me, (winner, costly, giver, *_) = draw.me, acquaintances(draw)
    days = draw.rng.randint(120, 300)
    since = (draw.state.now - timedelta(days=days)).date()
    notes = iter(draw.rng.sample(_NOTES, len(_NOTES)))
    for n in range(6):  # soon after that day, so at the end of the list
        paid(draw, me, winner, next(notes), ago(draw, days - 2 - 5 * n))
    for n in range(3):  # fewer payments, more money, and the latest of all
        row = paid(draw, me, costly, next(notes), draw.state.now - timedelta(hours=2 + n))
        draw.state[Payment].change(row.id, cents=draw.rng.randint(40_000, 60_000))
    for n in range(8):  # more often in all, but before that day
        paid(draw, me, costly, next(notes), ago(draw, days + 3 + 9 * n))
    for n in range(7):  # received, not sent
        paid(draw, giver, me, next(notes), ago(draw, 10 + 12 * n))
    rows = [row for row in draw.state[Payment].of(me.id) if row.sender == me.id and row.created_at.date() >= since]
    (_, most), (_, next_most) = Counter(row.receiver for row in rows).most_common(2)
    return {"since": since.isoformat()} if most > next_most else None


def _solve_most_often_paid(state: State, me: Person, values: Values) -> Json:
    since, times = date.fromisoformat(values["since"]), dict.fromkeys((person.id for person in state[Person]), 0)
    for row in state[Payment].of(me.id):
        if row.sender == me.id and row.created_at.date() >= since:
            times[row.receiver] += 1
    return state[Person][max(times, key=lambda id: times[id])].name


def most_often_paid_since(since: str) -> str:
    """Return the name of the person who received the largest number of wallet payments since a day (YYYY-MM-DD)."""
    token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, direction="sent", from_date=since)
    times: dict = defaultdict(float)
    for payment in payments:
        times[payment["receiver"]["name"]] += 1
    return max(times, key=lambda name: times[name])


most_often_paid = Family(
    name="most_often_paid",
    split="test_normal",
    difficulty=1,
    apps=("wallet",),
    slots={"since": str},
    wordings=(
        "To whom have I sent the largest number of payments on wallet since {since}, that day included? Answer with the"
        " full name.",
        "Count my outgoing wallet payments from {since} (included) until now by receiver, whatever their amounts. Who"
        " comes first? I need the full name.",
        "Since {since} (inclusive), one person got money from my wallet more times than anybody else. What is that"
        " person's full name? The sums do not matter.",
    ),
    make=_make_most_often_paid,
    solve=_solve_most_often_paid,
    program=Program(functions=(most_often_paid_since,), call="most_often_paid_since(since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
        Mistake(name="by_amount", old='["name"]] += 1', new='["name"]] += payment["amount"]'),
        Mistake(name="all_time", old=", from_date=since", new=""),
        Mistake(name="both_ways", old='direction="sent", ', new=""),
    ),
)


# Remove the wallet friends with whom no money was exchanged since a day.


def _make_remove_silent_friends(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    account = state[WalletAccount][me.id]
    last = {
        friend: max(row.created_at for row in state[Payment].of(me.id) if friend in row.parties)
        for friend in account.friend_ids
    }
    if len(last) < 8:
        return None
    order = sorted(last, key=lambda friend: last[friend])
    edge = order[draw.rng.randint(3, 5)]  # the last payment was on the very day: stays
    since = last[edge].date()
    silent = [friend for friend in order if last[friend].date() < since]
    stranger = draw.rng.choice([person for person in draw.people if person.id not in {id for id, _ in me.relations}])
    if stranger == me or len(silent) < 2:
        return None
    add_friend(state, me.id, stranger.id)  # never any payment
    asked(draw, me, state[Person][silent[0]], draw.rng.choice(_NOTES), ago(draw, 1))  # a request is not a payment
    heard = draw.rng.choice([friend for friend in order if last[friend].date() > since])
    for row in state[Payment].of(me.id):  # only received from this one: stays, too
        if heard == row.receiver and row.created_at.date() >= since:
            state[Payment].change(row.id, sender=heard, receiver=me.id)
    gone, friends = {*silent, stranger.id}, state[WalletAccount][me.id].friend_ids
    latest = sorted(state[Payment].of(me.id), key=lambda row: (row.created_at, row.id))[-5:]
    recent = {id for row in latest for id in row.parties}
    if not gone & set(friends[5:]) or set(friends) - gone <= recent:
        return None
    return {"since": since.isoformat(), "other_since": (since + timedelta(days=1)).isoformat()}


def _solve_remove_silent_friends(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    for friend in state[WalletAccount][me.id].friend_ids:
        rows = [row for row in state[Payment].of(me.id) if friend in row.parties]
        if all(row.created_at.date() < since for row in rows):
            remove_friend(state, me.id, friend)


def remove_friends_without_payments(since: str) -> list:
    """Remove the wallet friends with whom no payment was exchanged since a day (YYYY-MM-DD); return their names."""
    token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, from_date=since)
    active = {payment[end]["email"] for payment in payments for end in ("sender", "receiver")}
    friends = all_pages(apis.wallet.show_friends, access_token=token)
    silent = [friend for friend in friends if friend["email"] not in active]
    for friend in silent:
        apis.wallet.remove_friend(access_token=token, email=friend["email"])
    return [friend["name"] for friend in silent]


remove_silent_friends = Family(
    name="remove_silent_friends",
    split="test_normal",
    difficulty=2,
    apps=("wallet",),
    slots={"since": str},
    wordings=(
        "Remove from my wallet friends everybody with whom I have exchanged no payment since {since} (that day counts):"
        " neither sent nor received.",
        "My friends list on wallet is too long. Only people who paid me or whom I paid on {since} or later should stay"
        " on it; take off the others.",
        "Whoever among my friends in the wallet app has neither got money from me nor sent me any from {since} on (that"
        " day included) is to be removed from the list. Mere requests do not count as payments.",
    ),
    make=_make_remove_silent_friends,
    solve=_solve_remove_silent_friends,
    program=Program(
        functions=(remove_friends_without_payments,), call="remove_friends_without_payments(since={since!r})"
    ),
    mistakes=(
        Mistake(name="a_day_late", swap={"since": "other_since"}),
        Mistake(
            name="first_page_of_payments",
            old="all_pages(apis.wallet.show_transactions, ",
            new="apis.wallet.show_transactions(",
        ),
        Mistake(
            name="first_page_of_friends", old="all_pages(apis.wallet.show_friends, ", new="apis.wallet.show_friends("
        ),
        Mistake(name="only_whom_i_paid", old='("sender", "receiver")', new='("receiver",)'),
        Mistake(name="all_time", old=", from_date=since", new=""),
    ),
)


# Send back what somebody paid me in a month.


def _make_refund_month(draw: Draw) -> Values | None:
    state, me, (person, other, *_) = draw.state, draw.me, acquaintances(draw)
    back = draw.rng.randint(1, 5)
    first = datetime(2025, 5 - back, 1) if back < 5 else datetime(2024, 12, 1)
    notes = iter(draw.rng.sample(_NOTES, 16))

    def at(day: int, start: datetime = first) -> datetime:
        return start.replace(day=day, hour=draw.rng.randint(8, 21), minute=draw.rng.randint(0, 59))

    for row in state[Payment].of(me.id):  # whether to refund privately is not a question here
        if person.id in row.parties:
            state[Payment].change(row.id, private=False)
    for day in (1, 4, 9, 13, 21, 28):
        paid(draw, person, me, next(notes), at(day))
    paid(draw, person, me, next(notes), at(28, first - timedelta(days=1)))  # the month before
    paid(draw, person, me, next(notes), at(1, first + timedelta(days=31)))  # the month after
    paid(draw, person, me, next(notes), at(9, first.replace(year=first.year - 1)))  # that month, a year ago
    paid(draw, me, person, next(notes), at(17))
    paid(draw, other, me, next(notes), at(12))
    state[WalletAccount].change(me.id, cents=draw.rng.randint(150_000, 200_000))
    return {"person": person.name, "month": f"{first:%B %Y}", "other_person": other.name}


def _solve_refund_month(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    for row in state[Payment].of(me.id):
        if row.sender == person.id and f"{row.created_at:%B %Y}" == values["month"]:
            transfer(state, me.id, person.id, row.cents, f"Refund: {row.note}")


def refund_payments_of_month(name: str, month: str) -> float:
    """Send back every wallet payment received from a person in a month such as March 2025; return the sum."""
    token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, direction="received")
    start = datetime.strptime(month, "%B %Y").strftime("%Y-%m")
    total = 0.0
    for payment in payments:
        if payment["sender"]["name"] == name and payment["created_at"].startswith(start):
            apis.wallet.send_payment(
                access_token=token,
                receiver_email=payment["sender"]["email"],
                amount=payment["amount"],
                note=f"Refund: {payment['note']}",
            )
            total += payment["amount"]
    return round(total, 2)


refund_month = Family(
    name="refund_month",
    split="test_normal",
    difficulty=2,
    apps=("wallet",),
    slots={"person": str, "month": str},
    wordings=(
        "Send back every payment that I received from {person} on wallet in {month}, each by itself: the same amount,"
        ' with the note "Refund: " followed by the note of the original.',
        "{person} should not have paid me in {month}. For each of those payments make one wallet payment of equal"
        ' amount in return and put "Refund: " in front of the old note to get the new one.',
        "Please return all the money {person} sent to my wallet during {month}, payment by payment. As note use the"
        ' original one, preceded by "Refund: ".',
    ),
    make=_make_refund_month,
    solve=_solve_refund_month,
    program=Program(
        functions=(refund_payments_of_month,), call="refund_payments_of_month(name={person!r}, month={month!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
        Mistake(name="any_month", old=' and payment["created_at"].startswith(start)', new=""),
        Mistake(
            name="any_year",
            old='payment["created_at"].startswith(start)',
            new='payment["created_at"][5:7] == start[5:7]',
        ),
        Mistake(name="the_old_note", old="note=f\"Refund: {payment['note']}\"", new='note=payment["note"]'),
    ),
)

FAMILIES = (most_often_paid, remove_silent_friends, refund_month)
