"""Train families about who owes what: splits with notes, a bill in a file, wallet requests."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files, notes, splits, wallet
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Share what a house cost by the nights that everybody was there.


def _make_nights(draw: Draw) -> Values | None:
    rng, state, me, people = draw.rng, draw.state, draw.me, scene.acquaintances(draw)[:8]
    name = rng.choice(("Lighthouse Stay", "Mill Cottage", "Vineyard House", "Fjord Cabin", "Alpine Hut"))
    splits.create_group(state, me.id, f"{name} 2024", [person.id for person in people[2:]])
    splits.create_group(state, people[0].id, name, [me.id, *(person.id for person in people[:6])])
    stayed, title, twin = [rng.randint(1, 7) for _ in range(5)], f"Nights at {name}", f"2024 nights at {name}"
    for note, nights, days in ((title, stayed, 9), (twin, [2, 3, 3, 5, 4], 380)):
        lines = [f"{who.name}: {count}" for who, count in zip((me, *people), (*nights, 0, 0), strict=False)]
        papers.jotted(draw, note, "\n".join(("How long was everybody there?", *rng.sample(lines, 7))), days=days)
    cents, total = rng.randint(20_000, 90_000), sum(stayed)
    if len(set(stayed)) == 1 or all(cents * count % total <= total / 2 for count in stayed[1:]):
        return None  # nothing to round
    thing = rng.choice(("Rent of the house", "Deposit and cleaning", "House and firewood", "Booking"))
    return {"group": name, "title": title, "thing": thing, "amount": cents / 100, "other_title": twin}


def _solve_nights(state: State, me: Person, values: Values) -> Json:
    group = papers.group_called(state, me, values["group"])
    rows = [row.split(": ") for row in notes.note_titled(state, me.id, values["title"]).content.split("\n")[1:]]
    nights = {scene.named(state, name).id: int(count) for name, count in rows if count != "0"}
    cents = round(values["amount"] * 100)
    shares = {person: count * cents // sum(nights.values()) for person, count in nights.items() if person != me.id}
    shares[me.id] = cents - sum(shares.values())
    splits.add_expense(state, me.id, values["thing"], cents, splits.shares_of(shares), group=group.id)


def add_expense_by_nights(group: str, note_title: str, description: str, amount: float) -> int:
    """Add an expense to a splits group, shared by the nights in a note (`Name: 2`), and return its id."""
    content = read_note(title=note_title)["content"]
    nights = {name: int(count) for name, count in re.findall(r"^(.+): (\d+)$", content, flags=re.MULTILINE)}
    mine = apis.supervisor.show_profile()["email"]
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    stays = {each["email"]: nights[each["name"]] for each in found["members"] if nights.get(each["name"], 0) > 0}
    cents, total = round(amount * 100), sum(stays.values())
    shares = {email: cents * count // total for email, count in stays.items()}
    shares[mine] += cents - sum(shares.values())
    return apis.splits.add_expense(
        access_token=token,
        description=description,
        amount=amount,
        participant_emails=list(shares),
        share_amounts=[share / 100 for share in shares.values()],
        group_id=found["group_id"],
    )["expense_id"]


share_by_nights = Family(
    name="share_by_nights",
    split="train",
    difficulty=3,
    apps=("notes", "splits"),
    slots={"group": str, "title": str, "thing": str, "amount": float},
    wordings=(
        'Add "{thing}", ${amount} that I paid, to the splits group "{group}", shared in proportion to the nights in my'
        ' note "{title}". Round the shares of others down to the cent, mine is the rest; leave out who has 0 nights.',
        'My note "{title}" says how many nights each of us stayed. Enter "{thing}", ${amount} that I laid out, in the'
        ' splits group "{group}": all who were there pay by the number of nights, cut off after full cents, and the'
        " cents nobody has then are mine. Who has a 0 is no part of it.",
        'Record an expense "{thing}" of ${amount}, paid by me, in "{group}" on splits and charge all who stayed by'
        ' their nights in the note "{title}". Drop fractions of a cent for the others; I take the rest.',
        'On splits, "{group}" needs an expense: "{thing}", ${amount}, from my pocket, for all who have nights in my'
        ' note "{title}". Two cost twice as much as one. Round down to cents; what is then missing is mine.',
        'Who slept longer pays more: split the ${amount} I spent on "{thing}" in the splits group "{group}" by the'
        ' nights in the note "{title}", zeros left out. Cut off fractions of a cent; my own share makes up for it.',
    ),
    make=_make_nights,
    solve=_solve_nights,
    program=Program(
        functions=(add_expense_by_nights,),
        call="add_expense_by_nights(group={group!r}, note_title={title!r}, description={thing!r}, amount={amount!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="in_equal_parts", old="share_amounts=[share / 100 for share in shares.values()],", new=""),
        Mistake(name="rounded", old="cents * count // total", new="round(cents * count / total)"),
        Mistake(name="zeros_too", old='(each["name"], 0) > 0', new='(each["name"], -1) >= 0'),
        Mistake(name="rest_on_another", old="shares[mine] +=", new="shares[max(shares.keys() - {mine})] +="),
    ),
)


# Ask everybody for what they had, with a tip.

_DISHES = "soup|noodles|fish cakes|pumpkin risotto|lemonade|apple tart|iced tea|stew|salad|two beers".split("|")
_TABLES = ("harbor-inn", "golden-wok", "old-mill", "taqueria", "garden-grill", "station-cafe")


def _make_tip(draw: Draw) -> Values | None:
    rng, people, place = draw.rng, scene.acquaintances(draw), draw.rng.choice(_TABLES)
    path, older = (f"~/documents/personal/{place}{end}.txt" for end in ("", "-lunch"))
    for file, days in ((older, 90), (path, 2)):
        orders = [(person, mark) for person in people[:6] for mark in ("", "", " (paid)")[: rng.randint(2, 3)]]
        orders += [(draw.me, ""), (draw.me, ""), (people[-1], " (paid)"), (people[0], " (paid)")]
        lines = [f"{who.name}: {rng.choice(_DISHES)} {rng.randint(250, 2_400) / 100:.2f}{end}" for who, end in orders]
        papers.filed(draw, file, "\n".join(("Table by the window", *rng.sample(lines, len(lines)))), days=days)
    note = f"Our table at {place.replace('-', ' ')}"
    return {"path": path, "percent": rng.choice((8, 12, 15, 18)), "note": note, "other_path": older}


def _solve_tip(state: State, me: Person, values: Values) -> Json:
    (file,) = [one for one in state[files.File].of(me.id) if one.path == papers.at_home(me, values["path"])]
    rows = [line.split(": ") for line in file.content.split("\n")[1:] if line[-1] != ")"]
    for name in sorted({name for name, _ in rows} - {me.name}):
        cents = sum(int(rest.split()[-1].replace(".", "")) for one, rest in rows if one == name)
        dollars = (cents * (100 + values["percent"]) + 9_999) // 10_000
        wallet.request(state, me.id, scene.named(state, name).id, dollars * 100, values["note"])


def request_bill_shares(path: str, percent: int, note: str) -> int:
    """Request from contacts what a bill has of them (`Name: dish 1.50`) plus tip in full dollars; return how many."""
    content = apis.files.show_file(access_token=login(app="files"), file_path=path)["content"]
    cents: Counter = Counter()
    for name, price in re.findall(r"^(.+): .+ (\d+\.\d\d)$", content, flags=re.MULTILINE):
        cents[name] += round(float(price) * 100)
    contacts = all_pages(apis.phone.show_contacts, access_token=login(app="phone"))
    token = login(app="wallet")
    owing = [contact for contact in contacts if contact["name"] in cents]
    for contact in owing:
        dollars = -(-cents[contact["name"]] * (100 + percent) // 10_000)
        apis.wallet.request_payment(access_token=token, payer_email=contact["email"], amount=dollars, note=note)
    return len(owing)


bill_with_tip = Family(
    name="bill_with_tip",
    split="train",
    difficulty=2,
    apps=("files", "phone", "wallet"),
    slots={"path": str, "percent": int, "note": str},
    wordings=(
        "The file {path} has a line for each thing we had: a name, what it was and the price. I paid. Request from each"
        " of the others (they are in my phone contacts) on wallet what theirs adds up to plus a tip of {percent}"
        ' percent, rounded up to full dollars, with the note "{note}". Lines that end in (paid) do not count.',
        "I settled the bill in {path}. All others owe me the sum of their lines, without those marked (paid), and"
        ' {percent} percent on top, rounded up to full dollars. Ask my contacts on wallet for theirs, note "{note}".',
        'Please ask my companions for their money on wallet, saying "{note}". {path} lists who had what. Per contact of'
        " mine: the sum of all that is not (paid), {percent} percent more, and then rounded up to a full dollar.",
        "For every person in {path} except myself, sum up the prices after their name, leaving out what has (paid)"
        " behind it; add {percent}% for the waiter; go up to the nearest dollar that covers it. Send each a wallet"
        ' request for that with "{note}" as the note; the e-mails are in my contacts.',
        'Wallet requests with the note "{note}", please, to all contacts of mine with something open in the bill'
        " {path}: the sum of their lines, save those ending in (paid), plus {percent} percent, rounded up to dollars.",
    ),
    make=_make_tip,
    solve=_solve_tip,
    program=Program(
        functions=(request_bill_shares,), call="request_bill_shares(path={path!r}, percent={percent!r}, note={note!r})"
    ),
    mistakes=(
        Mistake(name="another_bill", swap={"path": "other_path"}),
        Mistake(name="paid_ones_too", old=r"(\d+\.\d\d)$", new=r"(\d+\.\d\d)"),
        Mistake(name="rounded_down", old="-(-cents", new="+(cents"),
        Mistake(name="only_the_last", old="cents[name] += round", new="cents[name] = round"),
        Mistake(name="first_page", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)


# Cancel the requests whose payers have sent the money anyway.


def _make_anyway(draw: Draw) -> Values | None:
    rng, state, me, people = draw.rng, draw.state, draw.me, scene.acquaintances(draw)
    if len(people) < 9:
        return None
    days, sums = rng.randint(28, 45), rng.sample(range(811, 7_900), 9)
    asked = [(0, days - 2), (1, 15), (1, 9), (2, 16), (2, 11), (3, 3), (4, 12), (5, days + 2), (6, 8), (7, 13), (8, 9)]
    for n, back in asked:  # the last one was denied
        status = "denied" if n == 8 else "pending"
        scene.asked(draw, me, people[n], f"Evening {n}", scene.ago(draw, back), cents=sums[n], status=status)
    for n, back in ((0, days - 5), (1, 4), (2, 13), (2, 6), (3, 5), (4, 2), (5, 7), (6, 2), (7, 2), (8, 3)):
        # Before the request, a cent too little, asked too early, the other way, from somebody else, denied.
        ends = (me, people[6]) if n == 6 else (people[8 if n == 7 else n], me)
        row = scene.paid(draw, *ends, "Here you are", scene.ago(draw, back))
        state[wallet.Payment].change(row.id, cents=sums[n] - (n == 4))
    since, earlier = (str((state.now - timedelta(days=days + more)).date()) for more in (0, 20))
    return {"since": since, "other_since": earlier}


def _solve_anyway(state: State, me: Person, values: Values) -> Json:
    mine = [row for row in state[wallet.PaymentRequest].of(me.id) if (row.requester, row.status) == (me.id, "pending")]
    came = sorted(state[wallet.Payment].of(me.id), key=lambda row: row.created_at)
    for row in sorted(mine, key=lambda row: row.created_at):
        later = [one for one in came if one.created_at > row.created_at]
        fits = [one for one in later if (one.sender, one.cents) == (row.payer, row.cents)]
        if fits and row.created_at.date() >= date.fromisoformat(values["since"]):
            came.remove(fits[0])
            wallet.cancel(state, row.id)
    return sum(row.cents for row in mine if state[wallet.PaymentRequest].get(row.id)) / 100


def cancel_requests_paid_anyway(since: str) -> float:
    """Cancel pending requests sent since a day that were paid apart from them; return what all others add up to."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_sent_requests, access_token=token, status="pending")
    payments = all_pages(apis.wallet.show_transactions, access_token=token, direction="received", from_date=since)
    outstanding = 0.0
    for request in reversed(requests):
        asked = (request["payer"]["email"], request["amount"])
        later = [payment for payment in payments if payment["created_at"] > request["created_at"]]
        fits = [payment for payment in later if (payment["sender"]["email"], payment["amount"]) == asked]
        if fits and request["created_at"][:10] >= since:
            payments.remove(fits[-1])
            apis.wallet.cancel_request(access_token=token, request_id=request["request_id"])
        else:
            outstanding += request["amount"]
    return round(outstanding, 2)


cancel_paid_requests = Family(
    name="cancel_paid_requests",
    split="train",
    difficulty=3,
    apps=("wallet",),
    slots={"since": str},
    wordings=(
        "Some people sent me money on wallet instead of approving my request. Cancel each request I sent since {since}"
        " (that day included) that is pending though its payer has sent me exactly that amount after it. One payment"
        " makes up for one request, of several alike the oldest. What do all my requests still pending then add up to?",
        "Go through the pending wallet requests I made on {since} or later, oldest first. If the person asked has paid"
        " me the very same sum since, by a payment that you have not used for an earlier request, cancel it. Then tell"
        " me the total of all requests of mine that are left unanswered, older ones included.",
        "Match my open wallet requests since {since} (that day too), oldest first, with later payments of the same"
        " person and amount, one for one, and cancel the matched. What do all open ones, older ones too, come to then?",
        "Please clean up my sent wallet requests: one of {since} or after that is still pending goes if its payer paid"
        " me just that amount later; a payment cancels one, of two the older. What am I still waiting for in all then?",
        "Cancel what has been paid: unanswered wallet requests that I sent since {since}, that day too, for which I"
        " later got the exact amount from the same person. Begin with the oldest and count no payment twice. What is"
        " the sum of all I have then still requested from anybody, whenever that was?",
    ),
    make=_make_anyway,
    solve=_solve_anyway,
    program=Program(functions=(cancel_requests_paid_anyway,), call="cancel_requests_paid_anyway(since={since!r})"),
    asks=True,
    mistakes=(
        Mistake(name="from_earlier_on", swap={"since": "other_since"}),
        Mistake(name="paid_before", old='payment["created_at"] > request["created_at"]', new="payment"),
        Mistake(name="payments_used_twice", old="payments.remove(fits[-1])", new="fits.clear()"),
        Mistake(name="latest_first", old="in reversed(requests):", new="in requests:"),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)

FAMILIES = (share_by_nights, bill_with_tip, cancel_paid_requests)
