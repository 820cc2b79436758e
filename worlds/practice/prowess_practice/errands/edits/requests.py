"""Pending requests for money, which are taken back and sent anew with something changed."""

from __future__ import annotations

from typing import Any

from prowess_practice.drills.conditions import kin, person
from prowess_practice.errands.edits.choices import by, known_to, listed, ranked
from prowess_practice.errands.edits.parts import Change, Kind, Target
from prowess_practice.errands.edits.payments import PEOPLE, WORD, plain
from prowess_practice.errands.edits.renames import one_of
from prowess_practice.errands.people.scene import more_of, sent_request

_TARGET = Target(
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


def _again(word: str, says: tuple[str, ...], about: str, *lines: str, **more: Any) -> Change:
    """A request that is taken back, and sent anew to the same person: the lines give `amount` and `new_note`."""
    return Change(
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
_CHOICES = (
    *(by(_TARGET, one) for one in plain(listed("wallet", "sent_requests").conditions) if one.slot != "status"),
    by(_TARGET, person("payer", 'to "{person}"', "to a person")),
    by(_TARGET, kin("payer", 'to a "{relationship}" of mine', "to contacts of a relationship")),
    by(_TARGET, WORD),
    *(known_to(_TARGET, one, 'request["payer"]', "to") for one in PEOPLE),
    ranked(
        _TARGET,
        "largest",
        ("the {count} largest of my pending wallet requests",),
        "the largest pending requests",
        'request["amount"]',
        highest=True,
    ),
    ranked(
        _TARGET,
        "oldest",
        ("the {count} oldest of my pending wallet requests",),
        "the oldest pending requests",
        'request["created_at"]',
        highest=False,
    ),
)
_CHANGES = (
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
REQUESTS = Kind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("some_tasks", "other_notes"), each=7)
