"""Families of test_normal: paying and asking for money across apps."""

from __future__ import annotations

import re

from opensage.types import Json
from opensage.worlds.desk.apps.notes import note_titled, rewrite
from opensage.worlds.desk.apps.splits import balances
from opensage.worlds.desk.apps.wallet import (
    PaymentRequest,
    WalletAccount,
    request,
    transfer,
)
from opensage.worlds.desk.families.papers import (
    group_called,
    groups_of,
    jotted,
    older_twin,
    others_in,
    spent,
)
from opensage.worlds.desk.families.scene import acquaintances, ago, asked
from opensage.worlds.desk.families.toolbox import all_pages, apis, login
from opensage.worlds.desk.family import Draw, Family, Mistake, Program, Values
from opensage.worlds.desk.people import Person
from opensage.worlds.desk.tables import State

# Pay the people on a note and tick them off.

_TABS = "Cabin costs|Trip to the coast|Shared shopping|Office bets|Summer party|Workshop fees|Boat weekend".split("|")
_WHY = "As noted|My part|With thanks|Finally|For everything|All square".split("|")


def _make_tab(draw: Draw) -> Values | None:
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


def _solve_tab(state: State, me: Person, values: Values) -> Json:
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
    make=_make_tab,
    solve=_solve_tab,
    program=Program(functions=(pay_people_on_note,), call="pay_people_on_note(title={title!r}, reason={reason!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if note["title"] == title', new=""),
        Mistake(name="paid_again", old='([0-9.]+)", line)', new='([0-9.]+)", line.removesuffix(" (paid)"))'),
        Mistake(name="not_marked", old='            line += " (paid)"\n', new=""),
        Mistake(name="made_private", old="note=reason", new="note=reason, is_private=True"),
    ),
)


# Request what a group owes me.

_ASK = "What is still open|Old debts|Please settle|For our group|The rest".split("|")


def _make_dues(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me
    groups = groups_of(draw, least=5)
    if not groups:
        return None
    group = groups[0]
    asked_already, denied, outside, creditor, *rest = others_in(draw, group)
    debtors = (asked_already, denied, outside, *rest)
    spent(draw, "Advance", me, {person.id: draw.rng.randint(15_000, 19_000) for person in debtors}, group=group)
    spent(draw, "Stand-in", creditor, {me.id: draw.rng.randint(30_000, 34_000)}, group=group, days=12)
    spent(draw, "Bus tickets", me, {outside.id: draw.rng.randint(900, 2_900)}, days=4)  # not of the group
    owed = balances(state, me.id, group.id)
    if owed.get(creditor.id, 0) >= 0 or any(owed.get(person.id, 0) <= 0 for person in debtors):
        return None
    note, other = draw.rng.sample(_ASK, 2)
    asked(draw, me, asked_already, note, ago(draw, 3))
    asked(draw, me, denied, note, ago(draw, 20), status="denied")
    asked(draw, me, outside, other, ago(draw, 6))  # for something else
    for days, person in zip((1, 2, 2, 2, 2), acquaintances(draw), strict=False):  # a page of others before it
        asked(draw, me, person, "Something else", ago(draw, days))
    return {"group": group.name, "note": note, "other_note": other}


def _solve_dues(state: State, me: Person, values: Values) -> Json:
    group = group_called(state, me, values["group"])
    waiting = {
        row.payer
        for row in state[PaymentRequest].of(me.id)
        if row.requester == me.id and row.status == "pending" and row.note == values["note"]
    }
    for person, cents in balances(state, me.id, group.id).items():
        if cents > 0 and person not in waiting:
            request(state, me.id, person, cents, values["note"])


def request_debts_of_group(group_name: str, note: str) -> int:
    """Request by wallet what each member of a splits group owes, unless such a request is pending; return how many."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group_name)
    group_id = next(group["group_id"] for group in groups if group["name"] == group_name)
    debtors = all_pages(apis.splits.show_people_who_owe_me, access_token=token, group_id=group_id)
    wallet_token = login(app="wallet")
    pending = all_pages(apis.wallet.show_sent_requests, access_token=wallet_token, status="pending")
    waiting = {request["payer"]["email"] for request in pending if request["note"] == note}
    count = 0
    for person in debtors:
        if person["email"] not in waiting:
            apis.wallet.request_payment(
                access_token=wallet_token, payer_email=person["email"], amount=person["amount"], note=note
            )
            count += 1
    return count


request_group_debts = Family(
    name="request_group_debts",
    split="test_normal",
    difficulty=3,
    apps=("splits", "wallet"),
    slots={"group": str, "note": str},
    wordings=(
        'Everybody who owes me money in the splits group "{group}" should get a wallet request from me over what they'
        ' owe me in that group, with the note "{note}", except those to whom a request of mine with this very note is'
        " still pending.",
        'Ask for my money back: for each member of "{group}" on splits who is in debt to me there, request that amount'
        ' on wallet and write "{note}" as the note. If somebody already has an unanswered request from me with that'
        " note, do not send another.",
        'Use wallet to collect what I am owed in my splits group "{group}", and only in this group: one payment request'
        ' per debtor over the exact amount, saying "{note}". Leave out anyone who has a pending request from me that'
        " says the same.",
    ),
    make=_make_dues,
    solve=_solve_dues,
    program=Program(
        functions=(request_debts_of_group,), call="request_debts_of_group(group_name={group!r}, note={note!r})"
    ),
    mistakes=(
        Mistake(name="another_note", swap={"note": "other_note"}),
        Mistake(name="over_everything", old="access_token=token, group_id=group_id)", new="access_token=token)"),
        Mistake(name="asked_twice", old='if person["email"] not in waiting:', new="if person:"),
        Mistake(
            name="first_page",
            old="all_pages(apis.wallet.show_sent_requests, ",
            new="apis.wallet.show_sent_requests(",
        ),
        Mistake(name="denied_ones_left_out", old=', status="pending"', new=""),
        Mistake(name="any_request_counts", old=' if request["note"] == note', new=""),
    ),
)

FAMILIES = (pay_from_note, request_group_debts)
