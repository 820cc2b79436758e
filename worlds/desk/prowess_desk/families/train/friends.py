"""Train families of the wallet's friends, requests and comments, one of them with the phone, one with notes."""

from __future__ import annotations

from prowess.types import Json
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import Contact
from prowess_desk.apps.wallet import (
    Payment,
    PaymentComment,
    PaymentRequest,
    WalletAccount,
    cancel,
    change_payment,
    comment,
    delete_comment,
    like_payment,
    request,
    unlike_payment,
)
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import jotted, older_twin
from prowess_desk.families.scene import acquaintances, ago, asked, in_contacts, named, paid, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login, read_note

# Have the contacts of a relation as friends, one other person, and nobody else.


def _make_circle(draw: Draw) -> Values | None:
    rng, me = draw.rng, draw.me
    relation, other = rng.sample(("roommate", "coworker"), 2)
    if not in_contacts(draw.state, me, other) or not widened(draw, relation, other, least=7):
        return None
    wanted = in_contacts(draw.state, me, relation)
    known = [row.email for row in draw.state[Contact].of(me.id)]
    rest = [person for person in acquaintances(draw) if person not in wanted]
    strangers = [person for person in draw.people if person.email not in known and person != me]
    friends = [
        *rng.sample(wanted, len(wanted) // 2),
        *rest,
        *rng.sample(strangers, 3),
    ]  # half of them are there already
    draw.state[WalletAccount].change(me.id, friend_ids=tuple(sorted(friend.id for friend in friends)))
    kept, another = rng.sample(friends[len(wanted) // 2 :], 2)
    return {"relation": relation, "person": kept.name, "other_relation": other, "other_person": another.name}


def _solve_circle(state: State, me: Person, values: Values) -> Json:
    people = [*in_contacts(state, me, values["relation"]), named(state, values["person"])]
    state[WalletAccount].change(me.id, friend_ids=tuple(sorted({person.id for person in people})))


def limit_friends_to(relationship: str, exception: str) -> int:
    """Have the phone contacts of a relationship as wallet friends, remove all others but one, return how many went."""
    wanted = {contact["email"] for contact in contacts_who_are(relationship=relationship)}
    token = login(app="wallet")
    friends = {friend["email"]: friend["name"] for friend in all_pages(apis.wallet.show_friends, access_token=token)}
    for email in sorted(wanted - friends.keys()):
        apis.wallet.add_friend(access_token=token, email=email)
    gone = [email for email, name in friends.items() if email not in wanted and name != exception]
    for email in gone:
        apis.wallet.remove_friend(access_token=token, email=email)
    return len(gone)


friends_of_one_kind = Family(
    name="friends_of_one_kind",
    split="train",
    difficulty=2,
    apps=("phone", "wallet"),
    slots={"relation": str, "person": str},
    wordings=(
        "My friends on wallet should be exactly the people whom my phone contacts list as {relation}, and {person}. Add"
        " those who are missing and remove everybody else.",
        "Please tidy up my wallet friends: apart from {person}, who may stay, throw out whoever is not a {relation} in"
        " my phone contacts. And if a {relation} is not among my friends there yet, add them.",
        "Among my friends in the wallet app I want to see only one circle of people, those my phone has as {relation}:"
        " all of them, and no one else. There is one exception: keep {person}.",
    ),
    make=_make_circle,
    solve=_solve_circle,
    program=Program(
        functions=(limit_friends_to,), call="limit_friends_to(relationship={relation!r}, exception={person!r})"
    ),
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="another_exception", swap={"person": "other_person"}),
        Mistake(name="no_exception", old=" and name != exception", new=""),
        Mistake(name="nobody_added", old="for email in sorted(wanted - friends.keys()):", new="for email in []:"),
        Mistake(name="nobody_removed", old="for email in gone:", new="for email in []:"),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)


# Make one request of all those to one person.

_SUMS = "All of it in one|Everything together|What is still open|The whole sum|In one go|All that is left".split("|")
_ITEMS = "Tram passes|Kite|Chess set|Cider|Wool|Wall paint|Tent pegs|Quilt|Peaches|Skates".split("|")


def _make_merge(draw: Draw) -> Values | None:
    me = draw.me
    person, *others = acquaintances(draw)
    if len(others) < 5:
        return None
    notes = iter(draw.rng.sample(_ITEMS, 10))
    for days in (1, 16, 60, 130):
        asked(draw, me, person, next(notes), ago(draw, days))
    for n, other in enumerate(others[:4]):
        asked(draw, me, other, next(notes), ago(draw, 2 + 3 * n))
    asked(draw, me, person, next(notes), ago(draw, 20), status=draw.rng.choice(("approved", "denied")))
    asked(draw, person, me, next(notes), ago(draw, 5))  # theirs to me
    return {"person": person.name, "note": draw.rng.choice(_SUMS), "other_person": others[0].name}


def _solve_merge(state: State, me: Person, values: Values) -> Json:
    person, cents = named(state, values["person"]), 0
    for row in state[PaymentRequest].of(me.id):
        if (row.requester, row.payer, row.status) == (me.id, person.id, "pending"):
            cents += row.cents
            cancel(state, row.id)
    request(state, me.id, person.id, cents, values["note"])


def merge_requests_to(name: str, note: str) -> float:
    """Replace the pending wallet requests sent to a person by a single one for their total and return that total."""
    token = login(app="wallet")
    pending = all_pages(apis.wallet.show_sent_requests, access_token=token, status="pending")
    requests = [each for each in pending if each["payer"]["name"] == name]
    for each in requests:
        apis.wallet.cancel_request(access_token=token, request_id=each["request_id"])
    email = requests[0]["payer"]["email"]
    total = round(sum(each["amount"] for each in requests), 2)
    apis.wallet.request_payment(access_token=token, payer_email=email, amount=total, note=note)
    return total


merge_sent_requests = Family(
    name="merge_sent_requests",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"person": str, "note": str},
    wordings=(
        "Take back all pending requests that I sent to {person} on wallet and send a single new one for the total, with"
        ' the note "{note}".',
        "I keep asking {person} for small sums. Cancel those of my wallet requests to them that are still unanswered"
        ' and request what these add up to in one, with "{note}" as the note.',
        "{person} has several open requests from me in the wallet app. Turn them into one: cancel them all and ask for"
        ' their sum in a new request that says "{note}". Those that were approved or denied stay as they are.',
    ),
    make=_make_merge,
    solve=_solve_merge,
    program=Program(functions=(merge_requests_to,), call="merge_requests_to(name={person!r}, note={note!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(
            name="old_ones_kept",
            old='apis.wallet.cancel_request(access_token=token, request_id=each["request_id"])',
            new="pass",
        ),
        Mistake(name="everybodys_requests", old=' if each["payer"]["name"] == name', new=""),
        Mistake(name="only_the_last_amount", old='sum(each["amount"] for each in requests)', new='each["amount"]'),
        Mistake(name="note_forgotten", old=", amount=total, note=note)", new=", amount=total)"),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_sent_requests, ", new="apis.wallet.show_sent_requests("
        ),
    ),
)


# Say something else where I commented on payments with somebody.

_WRONG = """You still owe me the rest.|Was it not less last time?|Never again!|I want this back.|Finally.|
That took you long enough.""".replace("\n", "").split("|")
_BETTER = "All settled.|Thank you, that was kind.|We are even now.|Many thanks again.|No hurry with this.".split("|")
_CHAT = ("On its way.", "I see it.", "Which day was that?", "The Tuesday.", "Right, I forgot.")


def _make_reword(draw: Draw) -> Values | None:
    rng, me, state = draw.rng, draw.me, draw.state
    person, other, *_ = acquaintances(draw)
    old, new = rng.choice(_WRONG), rng.choice(_BETTER)
    payments = []
    for n, what in enumerate(rng.sample(_ITEMS, 8)):
        ends = (me, person) if n % 2 else (person, me)
        payments.append(paid(draw, *ends, what, ago(draw, 3 + 20 * n)))
    for text in _CHAT:  # what comes after them is on the second page
        comment(state, payments[1].id, rng.choice((me, person)).id, text)
    for n in (0, 1, 3, 6):
        comment(state, payments[n].id, me.id, old)
    comment(state, payments[0].id, person.id, old)  # theirs
    comment(state, payments[2].id, person.id, old)
    comment(state, payments[4].id, me.id, f"{old} Just kidding!")
    comment(state, payments[5].id, me.id, new)
    comment(state, paid(draw, me, other, "Ladder", ago(draw, 8)).id, me.id, old)
    return {"person": person.name, "old": old, "new": new, "other_person": other.name}


def _solve_reword(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    for payment in state[Payment].of(me.id):
        for row in state[PaymentComment].of(payment.id) if person.id in payment.parties else ():
            if (row.author, row.text) == (me.id, values["old"]):
                delete_comment(state, row.id)
                comment(state, payment.id, me.id, values["new"])


def reword_my_comments(name: str, old: str, new: str) -> int:
    """Replace the supervisor's comments of one text on payments with a person by another text; return how many."""
    token = login(app="wallet")
    me = apis.supervisor.show_profile()["email"]
    users = all_pages(apis.wallet.search_users, access_token=token, query=name)
    email = next(user["email"] for user in users if user["name"] == name)
    count = 0
    for payment in all_pages(apis.wallet.show_transactions, access_token=token, user_email=email):
        number = payment["transaction_id"]
        for remark in all_pages(apis.wallet.show_transaction_comments, access_token=token, transaction_id=number):
            if remark["author"]["email"] == me and remark["text"] == old:
                apis.wallet.delete_transaction_comment(access_token=token, comment_id=remark["comment_id"])
                apis.wallet.add_transaction_comment(access_token=token, transaction_id=number, text=new)
                count += 1
    return count


reword_comments = Family(
    name="reword_comments",
    split="train",
    difficulty=3,
    apps=("wallet",),
    slots={"person": str, "old": str, "new": str},
    wordings=(
        'Replace my comment "{old}" by "{new}" on every wallet payment between {person} and me, whoever of us paid.'
        " Only comments of mine with exactly that text.",
        'On some wallet transactions with {person}, sent or received, I commented "{old}". Delete these comments and'
        ' leave "{new}" there instead, each time. What else was said there stays, and so does what {person} wrote.',
        'I regret having written "{old}" under wallet payments from and to {person}. Wherever that is all a comment of'
        ' mine says, take it away and put the comment "{new}" in its place.',
    ),
    make=_make_reword,
    solve=_solve_reword,
    program=Program(
        functions=(reword_my_comments,), call="reword_my_comments(name={person!r}, old={old!r}, new={new!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="with_anybody", old=", user_email=email", new=""),
        Mistake(name="more_was_said", old='remark["text"] == old', new='old in remark["text"]'),
        Mistake(name="only_sent", old="user_email=email)", new='user_email=email, direction="sent")'),
        Mistake(
            name="first_comments",
            old="all_pages(apis.wallet.show_transaction_comments, ",
            new="apis.wallet.show_transaction_comments(",
        ),
        Mistake(
            name="first_payments", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
    ),
)


# Hide the payments whose numbers a note lists.

_LISTS = ("Keep it quiet", "Surprise party", "Between us", "Not for everyone", "Hush hush")


def _listed(draw: Draw, title: str, *, days: int) -> None:
    """A note of eight numbers: payments sent and received, those of either kind liked or not, and private or not."""
    rng, me = draw.rng, draw.me
    people = acquaintances(draw)
    lines = []
    for n, what in enumerate(rng.sample(_ITEMS, 8)):
        ends = (me, people[n % 5]) if n % 2 else (people[n % 5], me)
        payment = paid(draw, *ends, what, ago(draw, days + 9 * n))
        change_payment(draw.state, payment.id, private=n in (2, 3))
        like_payment(draw.state, payment.id, me.id if n in (0, 1, 2, 7) else people[n % 5].id)
        lines.append(f"{payment.id} {what.lower()}, {payment.cents / 100:.2f} dollars")
    jotted(draw, title, "\n".join(("To be kept between us:", *rng.sample(lines, 8))), days=days)


def _make_quiet(draw: Draw) -> Values | None:
    title = draw.rng.choice(_LISTS)
    _listed(draw, older_twin(title), days=380)
    _listed(draw, title, days=draw.rng.randint(1, 9))
    return {"title": title, "other_title": older_twin(title)}


def _solve_quiet(state: State, me: Person, values: Values) -> Json:
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
    make=_make_quiet,
    solve=_solve_quiet,
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

FAMILIES = (friends_of_one_kind, merge_sent_requests, reword_comments, hide_payments_in_note)
