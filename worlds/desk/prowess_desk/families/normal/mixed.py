"""Families of test_normal: money that moves on one app and is written down on another."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.notes import note_titled, rewrite
from prowess_desk.apps.splits import repay
from prowess_desk.apps.wallet import Payment, WalletAccount, transfer
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, groups_of, jotted, older_twin, others_in
from prowess_desk.families.scene import acquaintances, ago, paid
from prowess_desk.families.toolbox import all_pages, apis, login

# Pay the people on a note and tick them off.

_TABS = "Cabin costs|Trip to the coast|Shared shopping|Office bets|Summer party|Workshop fees|Boat weekend".split("|")
_WHY = "As noted|My part|With thanks|Finally|For everything|All square".split("|")


def _make_pay_from_note(draw: Draw) -> Values | None:
    state, people = draw.state, acquaintances(draw)
    if len(people) < 10:
        return None
    title = draw.rng.choice(_TABS)
    dones = draw.rng.sample((True, True, False, False, False, False), 6)
    lines = [
        f"- {person.first}: {draw.rng.randint(400, 4_800) / 100:.2f}{' (paid)' if done else ''}"
        for person, done in zip(people, dones, strict=False)
    ]
    jotted(draw, title, "\n".join(lines), days=9)
    older = [f"- {person.first}: {draw.rng.randint(400, 4_800) / 100:.2f}" for person in people[4:8]]
    jotted(draw, older_twin(title), "\n".join(older), days=300)
    state[WalletAccount].change(draw.me.id, cents=draw.rng.randint(60_000, 90_000))
    return {"title": title, "reason": draw.rng.choice(_WHY), "other_title": older_twin(title)}


def _solve_pay_from_note(state: State, me: Person, values: Values) -> Json:
    note = note_titled(state, me.id, values["title"])
    lines = []
    for line in note.content.split("\n"):
        first, _, amount = line[2:].partition(": ")
        if not amount.endswith("(paid)"):
            person = next(person for person in state[Person] if person.first == first)
            transfer(state, me.id, person.id, round(float(amount) * 100), values["reason"])
            line += " (paid)"
        lines.append(line)
    rewrite(state, note.id, content="\n".join(lines))


def pay_people_on_note(title: str, reason: str) -> float:
    """Pay everyone on a note of lines such as "- Ada: 12.50" not marked as paid, mark them, and return the sum."""
    token = login(app="notes")
    notes = all_pages(apis.notes.search_notes, access_token=token, query=title)
    note_id = next(note["note_id"] for note in notes if note["title"] == title)
    content = apis.notes.show_note(access_token=token, note_id=note_id)["content"]
    contacts = all_pages(apis.phone.show_contacts, access_token=login(app="phone"))
    emails = {contact["name"].split()[0]: contact["email"] for contact in contacts}
    wallet_token = login(app="wallet")
    total, lines = 0.0, []
    for line in content.splitlines():
        match = re.fullmatch(r"- (\w+): ([0-9.]+)", line)
        if match:
            name, amount = match[1], float(match[2])
            apis.wallet.send_payment(access_token=wallet_token, receiver_email=emails[name], amount=amount, note=reason)
            total += amount
            line += " (paid)"
        lines.append(line)
    apis.notes.update_note(access_token=token, note_id=note_id, content="\n".join(lines))
    return round(total, 2)


pay_from_note = Family(
    name="pay_from_note",
    split="test_normal",
    difficulty=3,
    apps=("notes", "phone", "wallet"),
    slots={"title": str, "reason": str},
    wordings=(
        'My note "{title}" says what I owe to whom; the first names are those of my phone contacts. Pay everyone who is'
        ' not marked as paid yet the amount next to their name on wallet, with "{reason}" as the note of the payment,'
        ' and add " (paid)" at the end of their line in the note.',
        'Settle what is still open in the note "{title}". Each line without (paid) names one of my contacts by first'
        ' name and an amount: send them that much through wallet (payment note: "{reason}"), then write " (paid)"'
        " behind the amount on that line.",
        'Please go down the list in "{title}" among my notes. For each line that does not end in (paid), make a wallet'
        ' payment of the amount, saying "{reason}", to the contact in my phone with that first name. Afterwards all'
        ' lines should end in " (paid)" and be otherwise unchanged.',
    ),
    make=_make_pay_from_note,
    solve=_solve_pay_from_note,
    program=Program(functions=(pay_people_on_note,), call="pay_people_on_note(title={title!r}, reason={reason!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if note["title"] == title', new=""),
        Mistake(name="paid_again", old='([0-9.]+)", line)', new='([0-9.]+)", line.removesuffix(" (paid)"))'),
        Mistake(name="not_marked", old='            line += " (paid)"\n', new=""),
        Mistake(name="made_private", old="note=reason", new="note=reason, is_private=True"),
    ),
)


# Book what was paid back by wallet.

_PAID_BACK = "Paying back|My share|Returning this|As agreed|For the kitty|Second half".split("|")


def _make_book_repayments(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    groups = groups_of(draw, least=4)
    if len(groups) < 2:
        return None
    group, other = groups[:2]
    members = others_in(draw, group)
    strangers = [person for person in acquaintances(draw) if person not in members]
    days = draw.rng.randint(20, 70)
    since = (state.now - timedelta(days=days)).date()
    note, another = draw.rng.sample(_PAID_BACK, 2)
    for n in range(6):  # more than a page, some people twice
        paid(draw, members[n % len(members)], me, note, ago(draw, 1 + n * (days - 2) / 6))
    paid(draw, members[1], me, note, datetime(since.year, since.month, since.day, 9, 40))  # that day counts
    paid(draw, members[0], me, note, ago(draw, days + 1))  # the day before does not
    paid(draw, members[0], me, f"{note}, with thanks", ago(draw, days / 2))  # another note
    paid(draw, members[2], me, another, ago(draw, days / 3))
    paid(draw, me, members[1], note, ago(draw, days / 4))  # mine
    paid(draw, strangers[0], me, note, ago(draw, days / 5))  # not of the group
    return {
        "group": group.name,
        "note": note,
        "since": since.isoformat(),
        "other_group": other.name,
        "other_note": another,
    }


def _solve_book_repayments(state: State, me: Person, values: Values) -> Json:
    group, since = group_called(state, me, values["group"]), date.fromisoformat(values["since"])
    for row in state[Payment].of(me.id):
        right = row.note == values["note"] and row.created_at.date() >= since
        if right and row.receiver == me.id and row.sender in group.member_ids:
            repay(state, me.id, row.sender, me.id, row.cents, group=group.id)


def record_wallet_repayments(group_name: str, note: str, since: str) -> int:
    """Record in a splits group what its members have paid back by wallet with a note since a day; return how many."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group_name)
    group = next(group for group in groups if group["name"] == group_name)
    members = {member["email"] for member in group["members"]}
    payments = all_pages(
        apis.wallet.show_transactions, access_token=login(app="wallet"), direction="received", from_date=since
    )
    count = 0
    for payment in payments:
        if payment["note"] == note and payment["sender"]["email"] in members:
            apis.splits.record_payment(
                access_token=token,
                payer_email=payment["sender"]["email"],
                receiver_email=payment["receiver"]["email"],
                amount=payment["amount"],
                group_id=group["group_id"],
            )
            count += 1
    return count


book_repayments = Family(
    name="book_repayments",
    split="test_normal",
    difficulty=3,
    apps=("splits", "wallet"),
    slots={"group": str, "note": str, "since": str},
    wordings=(
        'Members of my splits group "{group}" have paid me back through wallet with "{note}" as the whole note. Record'
        " each such payment that I received from one of them since {since} (that day included) as a payment in that"
        " group on splits, without a remark.",
        "Look up who sent me money on wallet on {since} or later. Every payment that came from a member of the splits"
        ' group "{group}" and whose note is exactly "{note}" has to be entered in that group as paid back to me, one'
        " entry per payment and no remark.",
        'My books for "{group}" on splits are behind. For all wallet payments to me from {since} on (inclusive) that'
        ' say just "{note}", enter a repayment of the same amount by the sender to me in the group, with no remark,'
        " provided that the sender belongs to it.",
    ),
    make=_make_book_repayments,
    solve=_solve_book_repayments,
    program=Program(
        functions=(record_wallet_repayments,),
        call="record_wallet_repayments(group_name={group!r}, note={note!r}, since={since!r})",
    ),
    mistakes=(
        Mistake(name="another_group", swap={"group": "other_group"}),
        Mistake(name="another_note", swap={"note": "other_note"}),
        Mistake(
            name="first_page",
            old="all_pages(\n        apis.wallet.show_transactions, access_token",
            new="apis.wallet.show_transactions(access_token",
        ),
        Mistake(name="all_time", old=", from_date=since", new=""),
        Mistake(name="part_of_a_note", old='payment["note"] == note', new='note in payment["note"]'),
        Mistake(
            name="wrong_way_round",
            old='payer_email=payment["sender"]["email"],\n                receiver_email=payment["receiver"]["email"]',
            new='payer_email=payment["receiver"]["email"],\n                receiver_email=payment["sender"]["email"]',
        ),
        Mistake(name="outside_the_group", old='                group_id=group["group_id"],\n', new=""),
    ),
)

FAMILIES = (pay_from_note, book_repayments)
