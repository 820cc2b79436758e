"""What is done with both parts of a text."""

from __future__ import annotations

from prowess_practice.errands.apart.use import paired
from prowess_practice.errands.transfers.parts import one_of

_PEOPLE = "people = all_pages(apis.phone.show_contacts, access_token=phone_token)"
_NUMBERS = 'numbers = {one["name"]: one["phone_number"] for one in people}'
_EMAILS = 'emails = {one["name"]: one["email"] for one in people}'
_NOTE = one_of("payment_note", "For the weekend", "Last month", "As agreed", "Shared costs", "The usual", "Our trip")
PAIRED = (
    paired(
        *("texts_to_people", "person", "phone.send_text_message", "phone_number=numbers[KEY], text=WHAT"),
        *("send that KEY, who is in my phone contacts, the WHAT as a text message", "text the people named in"),
        *(_PEOPLE, _NUMBERS),
    ),
    paired(
        *("timed_alarms", "time", "phone.create_alarm", "label=WHAT, time=KEY"),
        "set an alarm in my phone (once, with the usual snooze) for the KEY, with the WHAT as its label",
        "set the alarms in",
    ),
    paired(
        *("due_tasks", "day", "todo.create_task", "title=WHAT, due_date=KEY"),
        "create a task in the Inbox of my todo app with the WHAT as its title and the KEY as its due date",
        "make tasks with due dates of",
    ),
    paired(
        *("asked_money", "amount", "wallet.request_payment", "payer_email=emails[WHAT], amount=KEY, note=payment_note"),
        "request the KEY on wallet from that WHAT (by the e-mail address in my phone contacts), with the note"
        ' "{payment_note}"',
        "request the amounts in",
        *(_PEOPLE, _EMAILS),
        slots=(_NOTE,),
        person=True,
    ),
    paired(
        *("labelled_tasks", "word", "todo.create_task", "title=WHAT, labels=[KEY]"),
        "create a task in the Inbox of my todo app with the WHAT as its title and the KEY as its only label",
        "make labelled tasks of",
    ),
    paired(
        *("voices_to_people", "person", "phone.send_voice_message", "phone_number=numbers[KEY], transcript=WHAT"),
        *(
            "leave that KEY, who is in my phone contacts, a voice message that says the WHAT",
            "leave word for the people in",
        ),
        *(_PEOPLE, _NUMBERS),
    ),
    paired(
        *("tagged_notes", "word", "notes.create_note", "title=WHAT, tags=[KEY]"),
        "write an empty note with the WHAT as its title and the KEY as its only tag",
        "make tagged notes of",
    ),
    paired(
        *("paid_money", "amount", "wallet.send_payment", "receiver_email=emails[WHAT], amount=KEY, note=payment_note"),
        "pay the KEY on wallet to that WHAT (by the e-mail address in my phone contacts), with the note"
        ' "{payment_note}"',
        "pay the amounts in",
        *(_PEOPLE, _EMAILS),
        slots=(_NOTE,),
        person=True,
    ),
)
