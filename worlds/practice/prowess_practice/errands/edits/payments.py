"""Payments and requests for money: which of them are changed or sent anew, and what to."""

from __future__ import annotations

from typing import Any

from prowess_practice.drills.conditions import Condition, contains, kin, person
from prowess_practice.errands.edits.changes import numbered, one_of, prefixed, reworded, shouted, suffixed, tailed
from prowess_practice.errands.edits.choices import by, inside, known_to, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.people.scene import flush, more_of, sent_request
from prowess_practice.errands.people.sources_money import SPLITS
from prowess_practice.errands.people.sources_talk import CALLED, MISSED, SPOKEN_TO, TEXTED, TEXTERS, VOICES

_MONEY = listed("wallet", "transactions").conditions
_TARGET = Target(
    word="payments",
    app="wallet",
    row="payment",
    rows="payments",
    reads=('payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, direction="sent")',),
    mine="my outgoing wallet payments",
    name="note",
    called="note",
    update='apis.wallet.update_transaction(access_token=wallet_token, transaction_id=payment["transaction_id"]',
)
_ID = 'access_token=wallet_token, transaction_id=payment["transaction_id"]'
_COMMENTS = f"comments = all_pages(apis.wallet.show_transaction_comments, {_ID})"
WORD = contains("note", 'with "{word}" in the note (in capitals or not)', "with a word in the note")
PEOPLE = (*SPLITS, TEXTERS, MISSED, VOICES, CALLED, SPOKEN_TO, TEXTED)


def plain(conditions: tuple[Condition, ...]) -> list[Condition]:
    """Those on amounts and days."""
    return [
        one
        for one in conditions
        if one.slot not in ("direction", "person", "relationship", "note", "more_than_like_count")
    ]


_CHOICES = (
    *(by(_TARGET, one) for one in plain(_MONEY)),
    by(_TARGET, person("receiver", 'to "{person}"', "to a person")),
    by(_TARGET, kin("receiver", 'to a "{relationship}" of mine', "to contacts of a relationship")),
    by(_TARGET, WORD),
    inside(
        _TARGET,
        "with_comments",
        "MINE of less than {less} dollars under which there is a comment",
        "with a comment, of less than an amount",
        'payment["comment_count"] > 0 and payment["amount"] < less',
        slots={"less": float},
        draws=lambda draw: {"less": float(draw.rng.randrange(20, 120, 5))},
    ),
    *(known_to(_TARGET, one, 'payment["receiver"]', "to") for one in PEOPLE),
    ranked(
        _TARGET,
        "largest",
        ("my {count} largest outgoing wallet payments",),
        "the largest payments",
        'payment["amount"]',
        highest=True,
        most=6,
    ),
    ranked(
        _TARGET,
        "latest",
        ("my {count} latest outgoing wallet payments",),
        "the latest payments",
        'payment["created_at"]',
        highest=True,
        most=6,
    ),
    ranked(
        _TARGET,
        "earliest",
        ("my {count} earliest outgoing wallet payments",),
        "the earliest payments",
        'payment["created_at"]',
        highest=False,
        most=6,
    ),
)


_CHANGES = (
    tailed(
        _TARGET,
        "receiver",
        "f\"{payment['note']} for {payment['receiver']['name']}\"",
        "NOTE for NAME",
        'the word "for" and the full name of the receiver',
        "the receiver",
    ),
    prefixed(_TARGET),
    RowChange(
        word="hide",
        says=(
            'Turn round the privacy of WHICH, private ones becoming public and the other way round, and add "'
            ' ({suffix})"'
            " to their notes.",
            "TAKE Those that are private should no longer be, those that are not should become private, and each note"
            ' gets " ({suffix})" at its end.',
            'For WHICH, swap private and public, and let the notes end in " ({suffix})" after what they say now.',
        ),
        about="Turn round the privacy of",
        each=(
            "new_note = f\"{payment['note']} ({suffix})\"",
            _TARGET.updating('note=new_note, is_private=not payment["is_private"]'),
        ),
        slots=(one_of("suffix", "swapped|changed|hush|checked"),),
        matters=((', is_private=not payment["is_private"]', ""),),
    ),
    tailed(
        _TARGET,
        "amount",
        "f\"{payment['note']}: {payment['amount']:.2f} dollars\"",
        "NOTE: AMOUNT dollars",
        "the amount with two decimals, as shown",
        "the amount",
    ),
    numbered(_TARGET, 'payment["created_at"]', "from the earliest to the latest"),
    RowChange(
        word="tell_relation",
        says=(
            'Change the notes of WHICH to "RELATIONSHIP: NOTE": what the receiver is to me by my phone contacts (the'
            ' relationships, with ", " between them), then the old note. Receivers outside my contacts:'
            ' "{other_word}".',
            "TAKE Put the relationships that the receiver has in my phone contacts before each note, as in"
            ' "RELATIONSHIP: NOTE", separated by ", " where there are more than one; write "{other_word}" for people'
            " who"
            " are no contacts.",
            "The notes of WHICH should begin with what I have noted in my phone contacts as the relationships of the"
            ' receiver (joined by ", "), or with "{other_word}" if they are not in there; then a colon, a space and the'
            " old note.",
        ),
        about="Put the receiver's relationships before the notes of",
        before=(
            "contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)",
            'relations = {one["email"]: ", ".join(one["relationships"]) for one in contacts}',
        ),
        each=(
            'relation = relations.get(payment["receiver"]["email"], other_word)',
            _TARGET.updating("note=f\"{relation}: {payment['note']}\""),
        ),
        apps=("phone",),
        slots=(one_of("other_word", "stranger|unknown|somebody|nobody"),),
        bars=("payments_of_related",),
    ),
    suffixed(_TARGET),
    RowChange(
        word="comment_on",
        says=(
            'Comment on each of WHICH with "{front} FIRST, it was on DATE", where FIRST is the first name of the'
            " receiver"
            " and DATE the day of the payment like 2025-01-31.",
            'TAKE Under each, write the comment "{front} FIRST, it was on DATE": the first name of whoever received it,'
            " and the day it was sent, as in 2025-01-31.",
            'WHICH should get a comment from me that says "{front} FIRST, it was on DATE". Put in the first name of the'
            " receiver and the day of the payment (2025-01-31 is the form).",
        ),
        about="Comment with name and day on",
        each=(
            'first_name = payment["receiver"]["name"].split()[0]',
            "comment_text = f\"{front} {first_name}, it was on {payment['created_at'][:10]}\"",
            f"apis.wallet.add_transaction_comment({_ID}, text=comment_text)",
        ),
        slots=(one_of("front", "Dear|Hi|Remember,|For you,"),),
    ),
    tailed(
        _TARGET,
        "weekday",
        "f\"{payment['note']} on a {weekday_name}\"",
        "NOTE on a WEEKDAY",
        'the words "on a" and the day of the week on which it was made, like Monday',
        "the weekday",
        finds=('weekday_name = datetime.fromisoformat(payment["created_at"]).strftime("%A")',),
        bars=("payments_on_weekday",),
    ),
    RowChange(
        word="note_comments",
        says=(
            'Where WHICH have comments, put the text of the last one into the note: "NOTE ({front}: COMMENT)", with the'
            " old note before it. Without comments, the note stays.",
            'TAKE If there are comments on one of them, its note becomes "NOTE ({front}: COMMENT)", made of the old'
            " note"
            " and the text of its latest comment. The others are left alone.",
            'For those of WHICH with at least one comment, I want the latest comment in the note, like this: "NOTE'
            ' ({front}: COMMENT)", where NOTE is what the note says now.',
        ),
        about="Put the last comment into the notes of",
        each=(
            _COMMENTS,
            "if comments:",
            "    new_note = f\"{payment['note']} ({front}: {comments[-1]['text']})\"",
            f"    apis.wallet.update_transaction({_ID}, note=new_note)",
        ),
        slots=(one_of("front", "said|answer|reply|they wrote"),),
    ),
    RowChange(
        word="pay_again",
        says=(
            "Send each of WHICH once more, not as a private payment, with the amount raised by {percent} percent"
            ' (rounded to the cent) and the note "{front} NOTE", where NOTE is the old one.',
            "TAKE Repeat them: a new public payment to the same person, {percent} percent higher and rounded to two"
            ' decimals, with the note "{front} NOTE", NOTE being that of the old payment.',
            "For each of WHICH, make another payment to its receiver, a public one. It is {percent} percent more, to"
            ' the cent, and says "{front} NOTE", NOTE being what the first one says.',
        ),
        about="Repeat with a higher amount",
        each=(
            'amount = round(payment["amount"] * (100 + percent) / 100, 2)',
            "new_note = f\"{front} {payment['note']}\"",
            'receiver = payment["receiver"]["email"]',
            "apis.wallet.send_payment("
            "access_token=wallet_token, receiver_email=receiver, amount=amount, note=new_note)",
        ),
        slots=(one_of("percent", "4|8|12|16", int), one_of("front", "Again:|Repeat of|Once more")),
        stage=lambda draw: flush(draw, 500_000),
    ),
    RowChange(
        word="like",
        says=(
            'Like those of WHICH that I have not liked yet, and add ", {suffix}" to their notes.',
            'TAKE As far as I do not like them yet, like them, and let their notes end in ", {suffix}".',
            'Where I have not liked one of WHICH so far, do that for me and put ", {suffix}" behind its note.',
        ),
        about="Like and mark, unless liked already,",
        each=(f"apis.wallet.like_transaction({_ID})", _TARGET.updating("note=f\"{payment['note']}, {suffix}\"")),
        also='not payment["liked_by_me"]',
        slots=(one_of("suffix", "and glad of it|well spent|with thanks|a good one"),),
    ),
    shouted(_TARGET),
    reworded(_TARGET),
)
PAYMENTS = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("some_tasks", "other_notes"))


_REQUEST = Target(
    word="requests",
    app="wallet",
    row="request",
    rows="requests",
    reads=('requests = all_pages(apis.wallet.show_sent_requests, access_token=wallet_token, status="pending")',),
    mine="the pending wallet requests sent by me",
    name="note",
    called="note",
    update="",
    stage=lambda draw: more_of(draw, sent_request),
)
_CANCEL = 'apis.wallet.cancel_request(access_token=wallet_token, request_id=request["request_id"])'


def _again(word: str, says: tuple[str, ...], about: str, *lines: str, **more: Any) -> RowChange:
    """A request that is taken back, and sent anew to the same person: the lines give `amount` and `new_note`."""
    return RowChange(
        word=f"ask_{word}",
        says=says,
        about=about,
        each=(
            *lines,
            _CANCEL,
            "apis.wallet.request_payment("
            'access_token=wallet_token, payer_email=request["payer"]["email"], amount=amount, note=new_note)',
        ),
        **more,
    )


_SAME_NOTE = 'new_note = request["note"]'
_SAME_AMOUNT = 'amount = request["amount"]'
_REQUEST_CHOICES = (
    *(by(_REQUEST, one) for one in plain(listed("wallet", "sent_requests").conditions) if one.slot != "status"),
    by(_REQUEST, person("payer", 'to "{person}"', "to a person")),
    by(_REQUEST, kin("payer", 'to a "{relationship}" of mine', "to contacts of a relationship")),
    by(_REQUEST, WORD),
    *(known_to(_REQUEST, one, 'request["payer"]', "to") for one in PEOPLE),
    ranked(
        _REQUEST,
        "largest",
        ("the {count} largest of my pending wallet requests",),
        "the largest pending requests",
        'request["amount"]',
        highest=True,
    ),
    ranked(
        _REQUEST,
        "oldest",
        ("the {count} oldest of my pending wallet requests",),
        "the oldest pending requests",
        'request["created_at"]',
        highest=False,
    ),
)
_REQUEST_CHANGES = (
    _again(
        "more",
        (
            "Cancel WHICH and send each anew, with the same note to the same person, but for {extra} dollars more.",
            "TAKE Replace each by a new request with {extra} dollars on top: take the old one back and ask the same"
            " person with the same note.",
            "I asked for too little: WHICH should be cancelled and sent once more, each {extra} dollars higher,"
            " otherwise"
            " unchanged.",
        ),
        "Replace by higher ones",
        'amount = round(request["amount"] + extra, 2)',
        _SAME_NOTE,
        slots=(one_of("extra", "1.50|2.00|5.00|7.50", float),),
    ),
    _again(
        "dated",
        (
            'Cancel WHICH and ask the same people for the same amounts again, with the note "NOTE (since DATE)": the'
            " old"
            " note and the day of the old request, like 2025-01-31.",
            'TAKE Take each of them back and send it again with the note "NOTE (since DATE)", where DATE is the day on'
            " which it was made (2025-01-31 is the form); amount and person stay.",
            'People forget how long they owe me. Send WHICH anew with "NOTE (since DATE)" as the note, made of the old'
            " note and the day of the first request as in 2025-01-31, and cancel the old ones.",
        ),
        "Replace by dated ones",
        _SAME_AMOUNT,
        "new_note = f\"{request['note']} (since {request['created_at'][:10]})\"",
    ),
    _again(
        "less",
        (
            "Cancel WHICH and request {percent} percent less from the same people with the same notes, rounded to the"
            " cent.",
            "TAKE Lower what I ask for by {percent} percent: cancel each and request the new amount, with two decimals,"
            " from the same person under the same note.",
            "Let me be kind: for each of WHICH, send a new request with the same note to the same person that is"
            " {percent} percent lower (to the cent), and cancel the old one.",
        ),
        "Replace by lower ones",
        'amount = round(request["amount"] * (100 - percent) / 100, 2)',
        _SAME_NOTE,
        slots=(one_of("percent", "8|12|16|20|24", int),),
    ),
    _again(
        "front",
        (
            'Cancel WHICH and send them again, unchanged but for the note, which gets "{front}: " in front.',
            'TAKE Each should be replaced by one to the same person for the same amount, with "{front}: " before the'
            " note; cancel the old ones.",
            'The notes of WHICH should begin with "{front}: ". That takes new requests, with the old amounts to the'
            " same"
            " people, and the old requests have to be cancelled.",
        ),
        "Replace by ones with longer notes",
        _SAME_AMOUNT,
        "new_note = f\"{front}: {request['note']}\"",
        slots=(one_of("front", "Reminder|Second try|Please|Still open"),),
    ),
    _again(
        "whole",
        (
            'Cancel WHICH and ask the same people for the whole dollars only, dropping the cents, with " {suffix}"'
            " after"
            " the old note.",
            'TAKE Send each again without the cents (20.95 becomes 20) and with the note "NOTE {suffix}", NOTE being'
            " the"
            " old note, to the same person, and take the old one back.",
            "I waive the cents: instead of WHICH, I want requests to the same people for the whole dollars of the"
            " amount,"
            ' noted as "NOTE {suffix}" with the old note. Cancel the old ones.',
        ),
        "Replace by ones without cents",
        'amount = int(request["amount"])',
        "new_note = f\"{request['note']} {suffix}\"",
        slots=(one_of("suffix", "- rounded|- even|(rounded)|(without cents)"),),
    ),
    _again(
        "cap",
        (
            "None of WHICH should ask for over {cap} dollars: cancel those that do, and request"
            " {cap} dollars from the same people with the same notes.",
            "TAKE If one of them asks for more than {cap} dollars, replace it by a request for {cap} dollars to the"
            " same"
            " person with the same note, and cancel it.",
            "Among WHICH, some are too high. Where it is more than {cap} dollars, take the request back and ask that"
            " person for {cap} dollars instead, with the same note.",
        ),
        "Cap the amounts of",
        "amount = cap",
        _SAME_NOTE,
        also='request["amount"] > cap',
        slots=(one_of("cap", "15.00|20.00|30.00|40.00", float),),
        bars=("requests_over", "requests_under"),
    ),
)
REQUESTS = EditKind(
    target=_REQUEST, choices=_REQUEST_CHOICES, changes=_REQUEST_CHANGES, alike=("some_tasks", "other_notes"), each=7
)
