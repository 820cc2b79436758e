"""Train families of the wallet app with notes or files: cards, bills, prices and invitations."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import timedelta

from prowess.types import Json
from prowess_desk.apps import files, notes, phone, splits, wallet
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.wallet import (
    Payment,
    PaymentCard,
    add_card,
    change_payment,
    delete_card,
    like_payment,
    unlike_payment,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.papers import at_home, filed, jotted, older_twin
from prowess_desk.families.scene import acquaintances, ago, in_contacts, named, paid, texted, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login, read_note
from prowess_desk.families.train.wallet import GOODS, valid_cards

# What is left of the balance once all is settled and paid?

_BILLS = "electricity|water|internet|insurance|gym|dentist|car repair|phone|piano lessons|heating|newspaper|daycare"


def _make_left_after_bills(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    first, second, *_ = scene.acquaintances(draw)
    day = state.now.date() + timedelta(days=rng.randint(10, 30))
    name = rng.choice(("bills", "invoices", "payables", "dues"))
    new, old = (f"~/documents/personal/{name}{end}.txt" for end in ("", "-old"))
    for path, days in ((new, 5), (old, 200)):
        lines, things = [], rng.sample(_BILLS.split("|"), 9)
        for n, thing in zip((0, 1, 4, 9, -1, -3, -7, -12, -20), things, strict=True):
            mark = "paid" if n in (9, -3, -20) else "open"
            lines.append(f"{day + timedelta(days=n)} {thing}: {rng.randint(900, 12_000) / 100:.2f} {mark}")
        papers.filed(draw, path, "\n".join(rng.sample(lines, 9)), days=days)
    papers.spent(draw, "Theater", first, {me.id: rng.randint(1_000, 4_000)}, days=9)
    papers.spent(draw, "Spare tyre", me, {second.id: rng.randint(5_000, 9_000)}, days=7)
    state[wallet.WalletAccount].change(me.id, cents=rng.randint(150_000, 400_000))
    return {"path": new, "day": day.isoformat(), "other_path": old}


def _solve_left_after_bills(state: State, me: Person, values: Values) -> Json:
    cents = state[wallet.WalletAccount][me.id].cents
    for row in state[splits.Expense].of(me.id):
        mine = dict(row.shares).get(me.id, 0)
        cents += row.cents - mine if row.payer == me.id else -mine
    for back in state[splits.Repayment].of(me.id):
        cents += back.cents if back.payer == me.id else -back.cents
    file = next(file for file in state[files.File].of(me.id) if file.path == papers.at_home(me, values["path"]))
    for line in file.content.split("\n"):
        words = line.split()
        if words[-1] == "open" and words[0] <= values["day"]:
            cents -= int(words[-2].replace(".", ""))
    return cents / 100


def left_after_settling(path: str, day: str) -> float:
    """Return the wallet balance after settling all of splits and paying a file's open bills due until a day."""
    token = login(app="wallet")
    balance = apis.wallet.show_balance(access_token=token)["balance"]
    settled = apis.splits.show_balances(access_token=login(app="splits"))["total"]
    content = apis.files.show_file(access_token=login(app="files"), file_path=path)["content"]
    bills = re.findall(r"^(\S+) .+: (\d+\.\d\d) open$", content, flags=re.MULTILINE)
    return round(balance + settled - sum(float(amount) for due, amount in bills if due <= day), 2)


left_after_bills = Family(
    name="left_after_bills",
    split="train",
    difficulty=1,
    apps=("wallet", "splits", "files"),
    slots={"path": str, "day": str},
    wordings=(
        "How much would be left in my wallet if all that I owe and am owed on splits were settled through it and I then"
        " paid all bills in the file {path} that are open and due by {day} (that day included)?",
        "Imagine all debts on splits, mine and those of others to me, are paid from and to my wallet and I then pay"
        " what {path} lists as open with a date of {day} or earlier. What is my wallet balance then?",
        "I want one number: my wallet balance, plus what people owe me on splits, minus what I owe there, minus the"
        " open bills of the file {path}, counting only those due on {day} at the latest.",
    ),
    make=_make_left_after_bills,
    solve=_solve_left_after_bills,
    program=Program(functions=(left_after_settling,), call="left_after_settling(path={path!r}, day={day!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="paid_ones_too", old=r"(\d+\.\d\d) open$", new=r"(\d+\.\d\d) \w+$"),
        Mistake(name="whenever_due", old=" if due <= day", new=""),
        Mistake(name="not_on_the_day", old="due <= day", new="due < day"),
        Mistake(name="splits_forgotten", old="balance + settled", new="balance"),
    ),
)


# Replace a card by the new one that a note tells of.

_LETTERS = ("Bank letters", "New cards", "Cards from the bank", "Card numbers", "Replaced cards")


def _letter_line(draw: Draw, name: str, year: int) -> str:
    number = " ".join(f"{draw.rng.randrange(10**4):04d}" for _ in range(4))
    return f"{name}: {number}, valid until {draw.rng.randint(1, 11):02d}/{year + draw.rng.randint(0, 3)}"


def _make_renew_card_from_note(draw: Draw) -> Values | None:
    rng, year = draw.rng, draw.state.now.year
    mine, other, *_ = valid_cards(draw, 2)
    title = rng.choice(_LETTERS)
    lines = [_letter_line(draw, name, year + 3) for name in (f"{mine.name} Junior", mine.name, other.name)]
    jotted(draw, title, "\n".join(("As the bank wrote:", *lines)), days=rng.randint(1, 20))
    old = [_letter_line(draw, name, year) for name in (other.name, mine.name)]
    jotted(draw, older_twin(title), "\n".join(old), days=400)
    return {"card": mine.name, "title": title, "other_card": other.name, "other_title": older_twin(title)}


def _solve_renew_card_from_note(state: State, me: Person, values: Values) -> Json:
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
    make=_make_renew_card_from_note,
    solve=_solve_renew_card_from_note,
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


# Hide the payments whose numbers a note lists.

_LISTS = ("Keep it quiet", "Surprise party", "Between us", "Not for everyone", "Hush hush")


def _listed(draw: Draw, title: str, *, days: int) -> None:
    """A note of eight numbers: payments sent and received, those of either kind liked or not, and private or not."""
    rng, me = draw.rng, draw.me
    people = acquaintances(draw)
    lines = []
    for n, what in enumerate(rng.sample(GOODS, 8)):
        ends = (me, people[n % 5]) if n % 2 else (people[n % 5], me)
        payment = paid(draw, *ends, what, ago(draw, days + 9 * n))
        change_payment(draw.state, payment.id, private=n in (2, 3))
        like_payment(draw.state, payment.id, me.id if n in (0, 1, 2, 7) else people[n % 5].id)
        lines.append(f"{payment.id} {what.lower()}, {payment.cents / 100:.2f} dollars")
    jotted(draw, title, "\n".join(("To be kept between us:", *rng.sample(lines, 8))), days=days)


def _make_hide_payments_in_note(draw: Draw) -> Values | None:
    title = draw.rng.choice(_LISTS)
    _listed(draw, older_twin(title), days=380)
    _listed(draw, title, days=draw.rng.randint(1, 9))
    return {"title": title, "other_title": older_twin(title)}


def _solve_hide_payments_in_note(state: State, me: Person, values: Values) -> Json:
    for line in note_titled(state, me.id, values["title"]).content.split("\n")[1:]:
        payment = state[Payment][int(line.partition(" ")[0])]
        change_payment(state, payment.id, private=payment.private or payment.sender == me.id)
        unlike_payment(state, payment.id, me.id)


def hide_listed_payments(note_title: str) -> int:
    """Make those private of the payments a note lists by number that were sent, unlike all of them, return how many."""
    lines = read_note(title=note_title)["content"].splitlines()
    numbers = [int(line.split()[0]) for line in lines if line[:1].isdigit()]
    token = login(app="wallet")
    for number in numbers:
        payment = apis.wallet.show_transaction(access_token=token, transaction_id=number)
        if payment["direction"] == "sent":
            apis.wallet.update_transaction(access_token=token, transaction_id=number, is_private=True)
        if payment["liked_by_me"]:
            apis.wallet.unlike_transaction(access_token=token, transaction_id=number)
    return len(numbers)


hide_payments_in_note = Family(
    name="hide_payments_in_note",
    split="train",
    difficulty=3,
    apps=("notes", "wallet"),
    slots={"title": str},
    wordings=(
        'My note "{title}" lists wallet transactions, a line for each that starts with its number. Make those that I'
        " sent private, and take back my like wherever I liked one on the list, sent or received.",
        "Nobody has to notice the wallet payments whose transaction ids stand at the start of the lines of my note"
        ' "{title}". Set the ones I paid to private, and if I like any of them, no matter who paid, take that back.',
        'Please go through "{title}" in my notes; the number in front of a line is the id of a wallet transaction.'
        " Where I am the sender, hide it from others by making it private. Where it has a like of mine, unlike it, also"
        " if the money came to me.",
    ),
    make=_make_hide_payments_in_note,
    solve=_solve_hide_payments_in_note,
    program=Program(functions=(hide_listed_payments,), call="hide_listed_payments(note_title={title!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_note_found", old=' if note["title"] == title', new=""),
        Mistake(name="likes_kept", old='if payment["liked_by_me"]:', new="if False:"),
        Mistake(
            name="only_likes_of_sent",
            old='if payment["liked_by_me"]:',
            new='if payment["liked_by_me"] and payment["direction"] == "sent":',
        ),
        Mistake(name="made_public", old="is_private=True", new="is_private=False"),
    ),
)


# Invite people with a text that a note has the words for.

_INVITATIONS = {
    "Bonfire invitation": "Hi NAME! We light the fire on DATE at eight. Tell me if DATE is bad for you.",
    "Housewarming words": "Dear NAME, the new flat is ready. See you on DATE? Keep DATE free!",
    "Quiz night message": "Quiz on DATE, NAME, are you in? I book the table the day before DATE.",
    "Farewell text": "NAME, I am moving away. My last party is on DATE.\nBring a story. After DATE it is too late.",
}


_MARKS = (("NAME", "DATE"), ("WHO", "WHEN"), ("XXX", "YYY"), ("GUEST", "EVENING"))


def _make_invite_by_template(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    relation, other = rng.sample(("friend", "coworker", "roommate"), 2)
    if not widened(draw, relation, other, least=8):
        return None
    *names, _ = [row.name for row in state[phone.Contact].of(me.id) if relation in row.relationships]
    no, never, had, nearly = (named(state, name) for name in rng.sample(names, 4))  # the last contact is to come
    friends = tuple(sorted({id for id, _ in me.relations} - {no.id, never.id}))
    state[wallet.WalletAccount].change(me.id, friend_ids=friends)
    (title, words), (who, when) = rng.choice(sorted(_INVITATIONS.items())), rng.choice(_MARKS)
    words = words.replace("NAME", who).replace("DATE", when)
    jotted(draw, title, words, days=9)
    jotted(draw, older_twin(title), f"Join us, {who}: {words}", days=370)
    day, wrong = ((state.now + timedelta(days=n)).date().isoformat() for n in (rng.randint(9, 40), 45))
    for person, said in ((had, day), (nearly, wrong)):
        texted(draw, me, person, words.replace(who, person.first).replace(when, said), ago(draw, 2))
    values = {"relation": relation, "title": title, "who": who, "when": when, "day": day}
    return {**values, "other_title": older_twin(title)}


def _solve_invite_by_template(state: State, me: Person, values: Values) -> Json:
    words = notes.note_titled(state, me.id, values["title"]).content
    sent = {(row.receiver, row.text) for row in state[phone.TextMessage].of(me.id) if row.sender == me.id}
    for person in in_contacts(state, me, values["relation"]):
        text = values["day"].join(words.replace(values["who"], person.first).split(values["when"]))
        if person.id in state[wallet.WalletAccount][me.id].friend_ids and (person.id, text) not in sent:
            phone.send_text(state, me.id, person.id, text)


def text_template_to(relation: str, title: str, name_mark: str, day_mark: str, day: str) -> int:
    """Text wallet friends of a relation a note with first name and day put in for marks, unless sent; say how many."""
    template = read_note(title=title)["content"].replace(day_mark, day)
    friends = {friend["email"] for friend in all_pages(apis.wallet.show_friends, access_token=login(app="wallet"))}
    token = login(app="phone")
    texts = all_pages(apis.phone.show_text_messages, access_token=token, direction="sent")
    sent = {(text["receiver"]["phone_number"], text["text"]) for text in texts}
    count = 0
    for contact in contacts_who_are(relationship=relation):
        number, text = contact["phone_number"], template.replace(name_mark, contact["name"].split()[0])
        if contact["email"] in friends and (number, text) not in sent:
            apis.phone.send_text_message(access_token=token, phone_number=number, text=text)
            count += 1
    return count


invite_by_template = Family(
    name="invite_by_template",
    split="train",
    difficulty=3,
    apps=("notes", "wallet", "phone"),
    slots={"relation": str, "title": str, "who": str, "when": str, "day": str},
    wordings=(
        'Text what my note "{title}" says to each {relation} in my phone who is a friend of mine on wallet, too, with'
        " the first name for {who} and {day} for each {when}. Whoever has had exactly that text from me gets no second"
        " one.",
        "It is on {day}! Whom to invite by text: contacts listed as {relation}, but only those among my wallet friends."
        ' What to say: the content of the note "{title}", where {who} stands for the first name and each {when} for'
        " {day}, just as written here. I started yesterday, so skip people I have sent this very text to.",
        'My note "{title}" is a form with {who} (the first name) and {when} (always {day}). Fill it in for everybody my'
        " phone calls {relation} who is a wallet friend as well and text it to them, unless I have sent them just that"
        " before.",
        'Not every {relation} in my contacts is invited, just my friends on wallet. Text them what the note "{title}"'
        " says, each {when} replaced by {day} and {who} by the first name. Nobody gets the same text from me twice.",
        'Invitations, please! Template: the note "{title}". {when} becomes {day} all through, {who} the first name.'
        " They go out as text messages to people who are both listed as {relation} in my phone and wallet friends."
        " Somebody may have been sent precisely the same text before: leave them out.",
    ),
    make=_make_invite_by_template,
    solve=_solve_invite_by_template,
    program=Program(
        functions=(text_template_to,),
        call="text_template_to(relation={relation!r}, title={title!r}, name_mark={who!r}, day_mark={when!r},"
        " day={day!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_date_only", old=".replace(day_mark, day)", new=".replace(day_mark, day, 1)"),
        Mistake(name="full_names", old='contact["name"].split()[0]', new='contact["name"]'),
        Mistake(name="whole_relation", old='contact["email"] in friends and ', new=""),
        Mistake(name="a_second_time", old=" and (number, text) not in sent", new=""),
    ),
)


# Ask for what a list says is open, and note it there.

_SALES = ("cake-sale", "theater-tickets", "seed-order", "jersey-order", "wine-order", "calendar-sale", "honey-order")


_WARES = ("two boxes", "open tickets", "one large", "four small", "open order from May", "the blue ones")


def _make_ask_for_open_lines(draw: Draw) -> Values | None:
    rng, people, name = draw.rng, scene.acquaintances(draw), draw.rng.choice(_SALES)
    least = rng.randint(2_000, 4_000)
    sums = ((0, least), (1, 900), (1, least - 850), (2, least + 1_234), (3, least - 1), (4, 600), (4, 700))
    for path, more in ((f"~/documents/{name}.txt", 0), (f"~/backups/{name}.txt", 70)):
        rows = [(n, cents + more, "open") for n, cents in sums]
        rows += [(n, rng.randint(900, 5_000), mark) for n in (0, 1, 3, 4) for mark in ("paid", "waived", "asked")]
        lines = [f"{people[n].name}; {rng.choice(_WARES)}; {cents / 100:.2f}; {mark}" for n, cents, mark in rows]
        filed(draw, path, "\n".join(["name; what; amount; status", *rng.sample(lines, len(lines))]))
    values = {"path": f"~/documents/{name}.txt", "least": least / 100, "note": f"For the {name.replace('-', ' ')}"}
    return {**values, "other_path": f"~/backups/{name}.txt", "other_least": round(least / 150, 2)}


def _solve_ask_for_open_lines(state: State, me: Person, values: Values) -> Json:
    file = files.file_at(state, me.id, at_home(me, values["path"]))
    assert file is not None
    text, asked = file.content, 0
    for name in sorted(set(re.findall(r"(?m)^(.+?); .+; open$", text))):
        cents = sum(int(part.replace(".", "")) for part in re.findall(rf"(?m)^{name}; .+; (\S+); open$", text))
        if cents >= round(values["least"] * 100):
            text, asked = re.sub(rf"(?m)^({name}; .+; )open$", r"\1asked", text), asked + cents
            wallet.request(state, me.id, scene.named(state, name).id, cents, values["note"])
    files.write_file(state, me.id, file.path, text)
    return asked / 100


def request_open_lines(path: str, least: float, note: str) -> float:
    """Request each person's open sum of a file (`name; what; amount; status`) if large enough; return the total."""
    token = login(app="files")
    content = apis.files.show_file(access_token=token, file_path=path)["content"]
    rows = [line.split("; ") for line in content.splitlines()]
    totals: defaultdict = defaultdict(float)
    for name, _, amount, status in rows:
        if status == "open":
            totals[name] = round(totals[name] + float(amount), 2)
    due = {name: total for name, total in totals.items() if total >= least}
    wallet_token = login(app="wallet")
    for name, total in due.items():
        users = all_pages(apis.wallet.search_users, access_token=wallet_token, query=name)
        email = next(user["email"] for user in users if user["name"] == name)
        apis.wallet.request_payment(access_token=wallet_token, payer_email=email, amount=total, note=note)
    for row in rows:
        if row[0] in due and row[3] == "open":
            row[3] = "asked"
    apis.files.update_file(access_token=token, file_path=path, content="\n".join("; ".join(row) for row in rows))
    return round(sum(due.values()), 2)


ask_for_open_lines = Family(
    name="ask_for_open_lines",
    split="train",
    difficulty=3,
    apps=("files", "wallet"),
    slots={"path": str, "least": float, "note": str},
    wordings=(
        "Lines of {path} read name; what; amount; status. From all people whose open amounts come to ${least} or more,"
        ' request that sum on wallet, note "{note}", and set the status of these lines to asked. How much is it all?',
        'Collect what is open in {path} (name; what; amount; status) on wallet, note "{note}": a request per person'
        " over all of their open lines, which become asked, unless they come to less than ${least}. Tell me the total.",
        "In {path} I keep who has to pay for what: name; what; amount; status. Whoever owes me ${least} or more by the"
        ' open lines gets one wallet request for that sum, saying "{note}", and those lines get asked in place of open.'
        " Nothing else changes. What do all the requests come to?",
        'Please ask for my money with the note "{note}": one wallet request to each person whose open lines in {path}'
        " (name; what; amount; status) reach ${least} together, over their sum. The file then calls these lines asked"
        " and no longer open. What is the sum of your requests?",
        "Whoever has at least ${least} open in {path}, a list of name; what; amount; status, is to be sent a request,"
        ' "{note}", on wallet for what their open lines add up to; these turn from open to asked. Give me the total.',
    ),
    make=_make_ask_for_open_lines,
    solve=_solve_ask_for_open_lines,
    program=Program(
        functions=(request_open_lines,), call="request_open_lines(path={path!r}, least={least!r}, note={note!r})"
    ),
    asks=True,
    mistakes=(
        Mistake(name="the_backup", swap={"path": "other_path"}),
        Mistake(name="less_will_do", swap={"least": "other_least"}),
        Mistake(name="more_than_that", old="total >= least", new="total > least"),
        Mistake(name="last_line_only", old="round(totals[name] + float(amount), 2)", new="float(amount)"),
        Mistake(name="other_lines_marked", old='in due and row[3] == "open":', new="in due:"),
    ),
)


# Ask everybody for what they had, with a tip.

_DISHES = "soup|noodles|fish cakes|pumpkin risotto|lemonade|apple tart|iced tea|stew|salad|two beers".split("|")


_TABLES = ("harbor-inn", "golden-wok", "old-mill", "taqueria", "garden-grill", "station-cafe")


def _make_bill_with_tip(draw: Draw) -> Values | None:
    rng, people, place = draw.rng, scene.acquaintances(draw), draw.rng.choice(_TABLES)
    path, older = (f"~/documents/personal/{place}{end}.txt" for end in ("", "-lunch"))
    for file, days in ((older, 90), (path, 2)):
        orders = [(person, mark) for person in people[:6] for mark in ("", "", " (paid)")[: rng.randint(2, 3)]]
        orders += [(draw.me, ""), (draw.me, ""), (people[-1], " (paid)"), (people[0], " (paid)")]
        lines = [f"{who.name}: {rng.choice(_DISHES)} {rng.randint(250, 2_400) / 100:.2f}{end}" for who, end in orders]
        papers.filed(draw, file, "\n".join(("Table by the window", *rng.sample(lines, len(lines)))), days=days)
    note = f"Our table at {place.replace('-', ' ')}"
    return {"path": path, "percent": rng.choice((8, 12, 15, 18)), "note": note, "other_path": older}


def _solve_bill_with_tip(state: State, me: Person, values: Values) -> Json:
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
    make=_make_bill_with_tip,
    solve=_solve_bill_with_tip,
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


# How far does the money go?

_ROOMS = {
    "new-flat": "floor lamp|bookshelf|curtains|bath mat|desk chair|mirror|kettle|coat rack|toaster|doormat|plant stand",
    "workshop": "vise|band saw|apron|clamps|workbench|dust mask|drill bits|glue gun|stool|tool wall|extension cord",
    "campervan": "awning|gas stove|water tank|folding table|cool box|roof rack|hammock|lantern|ladder|solar panel|mat",
}


def _make_first_too_dear(draw: Draw) -> Values | None:
    rng, names = draw.rng, draw.rng.sample(sorted(_ROOMS), 2)
    reserve, count = rng.randint(20_000, 60_000), rng.randint(5, 7)
    prices = [*(rng.randint(3_000, 18_000) for _ in range(count)), 19_900, 1_500, 2_500]  # too dear, the next ones not
    ends = rng.sample([" bought", " bought", *[""] * (count - 2)], count) + [""] * 3
    path, other = (f"~/documents/personal/{name}.txt" for name in names)
    for name, where in zip(names, (path, other), strict=True):
        things = zip(rng.sample(_ROOMS[name].split("|"), len(prices)), prices, ends, strict=True)
        lines = [f"{thing}: {price / 100:.2f}{end}" for thing, price, end in things]
        papers.filed(draw, where, "\n".join(("Most wanted first", *lines)))
    cents = reserve + sum(price for price, end in zip(prices[:count], ends, strict=False) if not end)  # just enough
    draw.state[wallet.WalletAccount].change(draw.me.id, cents=cents)
    return {"path": path, "reserve": reserve / 100, "other_path": other}


def _solve_first_too_dear(state: State, me: Person, values: Values) -> Json:
    left = state[wallet.WalletAccount][me.id].cents - round(values["reserve"] * 100)
    path = papers.at_home(me, values["path"])
    for line in next(file.content for file in state[files.File].of(me.id) if file.path == path).split("\n")[1:]:
        thing, price = line.split(": ")
        left -= 0 if price.endswith("bought") else int(price.replace(".", ""))
        if left < 0:
            return thing
    return None


def first_beyond_means(path: str, reserve: float) -> str:
    """Return the first thing of a file's list (`thing: 1.50`) that the wallet cannot pay for if a reserve is kept."""
    content = apis.files.show_file(access_token=login(app="files"), file_path=path)["content"]
    left = apis.wallet.show_balance(access_token=login(app="wallet"))["balance"] - reserve
    for thing, price in re.findall(r"^(.+): (\d+\.\d\d)$", content, flags=re.MULTILINE):
        left = round(left - float(price), 2)
        if left < 0:
            return thing
    return ""


first_too_dear = Family(
    name="first_too_dear",
    split="train",
    difficulty=1,
    apps=("files", "wallet"),
    slots={"path": str, "reserve": float},
    wordings=(
        "If I buy what {path} lists from top to bottom, and ${reserve} must stay in my wallet, what is the first thing"
        " I cannot pay for? Lines that end in bought are done with.",
        "I go down the list in {path} and pay with my wallet, of whose balance ${reserve} is not to be touched. What is"
        " marked bought is paid already. Please name the thing at which the money no longer suffices.",
        "How far does my wallet get me? Set ${reserve} of the balance aside, then take off the prices in {path} one"
        " after the other, without those marked bought. For which item is too little left first, whatever follows?",
        "Which item of the list in {path} is the first that my wallet no longer covers? Count from the first line on,"
        " skip items with the word bought after the price, and mind that ${reserve} has to remain.",
        "I must not go below ${reserve} on wallet (exactly that is fine). Working through {path} in its order and"
        " leaving out what is bought, I can afford some things, and then comes one I cannot. Which one?",
    ),
    make=_make_first_too_dear,
    solve=_solve_first_too_dear,
    program=Program(functions=(first_beyond_means,), call="first_beyond_means(path={path!r}, reserve={reserve!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="no_reserve", old='["balance"] - reserve', new='["balance"]'),
        Mistake(name="bought_ones_too", old=r"(\d+\.\d\d)$", new=r"(\d+\.\d\d)"),
        Mistake(name="nothing_left", old="if left < 0", new="if left <= 0"),
    ),
)

FAMILIES = (
    left_after_bills,
    renew_card_from_note,
    hide_payments_in_note,
    invite_by_template,
    ask_for_open_lines,
    bill_with_tip,
    first_too_dear,
)
