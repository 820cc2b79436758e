"""The phone: alarms, texts, voice messages and calls, what other listings say of them, and what can become of some."""

from __future__ import annotations

from prowess_practice.drills.listing import MEMBERS
from prowess_practice.drills.listings_phone import PHONE
from prowess_practice.errands.transfers.parts import RowPool, RowSink, Tie, calling, gathering, inside, one_of, pool
from prowess_practice.errands.transfers.scene import alarms_of, also_alarms, also_notes, also_tasks, tasks_of
from prowess_practice.errands.transfers.sinks import (
    COUNT,
    adding,
    each,
    filing,
    foremost,
    naming,
    noting,
    tasking,
    telling_apart,
)

_PHONE = "access_token=phone_token"
_LISTED = {listing.word: listing for listing in PHONE}

# Alarms

ALARMS = pool(_LISTED["alarms"], conditions=_LISTED["alarms"].conditions[:1])
QUIET = RowPool(
    app="phone",
    word="alarms_off",
    row="alarm",
    one="switched-off alarm of mine",
    many="switched-off alarms of mine",
    reading=f"    alarms = all_pages(apis.phone.show_alarms, {_PHONE}, is_enabled=False)\n",
    name="label",
)
LOUD = RowPool(
    app="phone",
    word="alarms_on",
    row="alarm",
    one="active alarm of mine",
    many="active alarms of mine",
    reading=f"    alarms = all_pages(apis.phone.show_alarms, {_PHONE}, is_enabled=True)\n",
    name="label",
)


def _titled(word: str, done: bool, words: str) -> Tie:
    return Tie(
        word=word,
        yes=f"labelled exactly like {words} of mine",
        no=f"not labelled like any {words.removeprefix('a ').removeprefix('an ')} of mine",
        whether=f"{words} of mine has exactly its label as the title",
        test='ROW["label"] IN titles',
        app="todo",
        prelude=(
            f"    tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done={done})\n"
            '    titles = {task["title"] for task in tasks}\n'
        ),
        scene=also_tasks(alarms_of, done=2) if done else also_alarms(tasks_of),
    )


ALARM_TIES = (
    _titled("of_open_task", False, "an open task"),
    _titled("of_done_task", True, "a done task"),
    Tie(
        word="noted",
        yes="labelled exactly like the title of one of my notes (archived or not)",
        no="not labelled like the title of any of my notes (archived or not)",
        whether="one of my notes, archived or not, has exactly its label as the title",
        test='ROW["label"] IN noted',
        app="notes",
        prelude=gathering("noted", "notes.search_notes", "title"),
        scene=also_notes(alarms_of),
    ),
)
_ALARM = 'alarm_id=ROW["alarm_id"]'
ALARM_SINKS = (
    each(
        "phone",
        "update_alarm",
        f"{_ALARM}, snooze_minutes=minutes",
        "set to {minutes} minutes the snooze of ALL",
        word="snooze",
        slots=(one_of("minutes", 1, 3, 4, 7, 8, 12, 20),),
    ),
    each("phone", "delete_alarm", _ALARM, "delete ALL"),
    noting("TIME LABEL", "f\"{ROW['time']} {ROW['label']}\""),
    each(
        "phone",
        "update_alarm",
        f"{_ALARM}, time=new_time",
        'set to "{new_time}" the time of ALL',
        word="retime",
        slots=(one_of("new_time", "05:55", "06:25", "09:05", "13:35", "21:45"),),
    ),
    tasking("LABEL at TIME", "f\"{ROW['label']} at {ROW['time']}\"", bars=("of_open_task", "of_done_task")),
    naming("label", "label"),
    RowSink(
        word="task_and_stop",
        app="todo",
        about="make a task of each of ALL and delete the alarm",
        do="make a task for each of ALL, titled like the alarm and due on {due}, and then delete the alarm",
        code=(
            "    for ROW in found:\n"
            '        apis.todo.create_task(access_token=todo_token, title=ROW["label"], due_date=due)\n'
            f"        apis.phone.delete_alarm({_PHONE}, {_ALARM})\n"
        ),
        slots=(one_of("due", *(f"2025-06-{day:02d}" for day in range(3, 30, 4))),),
        bars=("of_open_task",),
    ),
    filing("LABEL: TIME", "f\"{ROW['label']}: {ROW['time']}\""),
)

# Texts, voice messages and calls

_MADE = tuple(one for one in _LISTED["text_messages"].conditions if one.word in ("from_sent_at", "until_sent_at"))


def _received(row: str, word: str, api: str, words: str, field: str) -> RowPool:
    return RowPool(
        app="phone",
        word=word,
        row="message",
        one=f"{words} message I received",
        many=f"{words} messages I received",
        reading=f'    messages = all_pages(apis.phone.{api}, {_PHONE}, direction="received")\n',
        name=field,
        conditions=_MADE if row == "text" else (),
    )


TEXTS = _received("text", "received_texts", "show_text_messages", "text", "text")
VOICES = _received("voice", "received_voices", "show_voice_messages", "voice", "transcript")
_NUMBER = 'ROW["sender"]["phone_number"]'
MESSAGE_TIES = (
    Tie(
        word="of_missed_caller",
        yes="from somebody whose call I missed",
        no="from somebody who has no missed call to me in the log",
        whether="the log of my phone has a missed call from the same person to me",
        test=f"{_NUMBER} IN missed",
        prelude=(
            f'    calls = all_pages(apis.phone.show_call_log, {_PHONE}, direction="incoming", is_missed=True)\n'
            '    missed = {call["caller"]["phone_number"] for call in calls}\n'
        ),
    ),
    Tie(
        word="on_call_day",
        yes="sent on a day on which the log of my phone has a call, with whomever",
        no="sent on a day on which the log of my phone has no call",
        whether="the log of my phone has any call of the same day",
        test='ROW["sent_at"][:10] IN days',
        prelude=f'    days = {{call["started_at"][:10] for call in all_pages(apis.phone.show_call_log, {_PHONE})}}\n',
    ),
    Tie(
        word="of_group_member",
        yes='from a member of the splits group "{group}"',
        no='from somebody outside the splits group "{group}"',
        whether='the sender (by name) is in the splits group "{group}"',
        test='ROW["sender"]["name"] IN members',
        app="splits",
        prelude=(
            "    groups = all_pages(apis.splits.show_groups, access_token=splits_token)\n"
            '    people = next(one["members"] for one in groups if one["name"] == group)\n'
            '    members = {person["name"] for person in people}\n'
        ),
        slots=(inside(MEMBERS),),
    ),
    Tie(
        word="of_creditor",
        yes="from somebody whom I owe money on splits",
        no="from somebody whom I do not owe money on splits",
        whether="I owe its sender (by name) money on splits",
        test='ROW["sender"]["name"] IN creditors',
        app="splits",
        prelude=(
            "    owed = all_pages(apis.splits.show_people_i_owe, access_token=splits_token)\n"
            '    creditors = {person["name"] for person in owed}\n'
        ),
    ),
    Tie(
        word="of_payer",
        yes="from somebody who has sent me a payment on the wallet since {day}",
        no="from somebody who has not sent me a payment on the wallet since {day}",
        whether="its sender (by name) has sent me a payment on the wallet on {day} or later",
        test='ROW["sender"]["name"] IN payers',
        app="wallet",
        prelude=(
            "    payments = all_pages(\n"
            '        apis.wallet.show_transactions, access_token=wallet_token, direction="received", from_date=day\n'
            "    )\n"
            '    payers = {payment["sender"]["name"] for payment in payments}\n'
        ),
        slots=(one_of("day", "2025-01-01", "2025-02-01", "2025-03-01", "2025-04-01", "2024-11-01"),),
    ),
)
_MESSAGE = 'message_id=ROW["message_id"]'
_SAID = "f\"{ROW['sender']['name']}: {ROW['text']}\""
_SPOKEN = "f\"{ROW['sender']['name']}: {ROW['transcript']}\""
TEXT_SINKS = (
    COUNT,
    noting("SENDER: TEXT", _SAID),
    each("phone", "delete_text_message", _MESSAGE, "delete [from my phone] ALL", word="delete"),
    foremost("latest", "sent_at", "text", "text", bars=("from_sent_at",)),
    filing("YYYY-MM-DD TEXT", "f\"{ROW['sent_at'][:10]} {ROW['text']}\"", hint=" (beginning with its day)"),
    telling_apart('ROW["sender"]["name"]', "sender name", bars=("of_group_member",)),
    RowSink(
        word="note_and_delete",
        app="notes",
        about="write down ALL in a note, then delete them",
        do='write a note titled "{title}" with one line of the form "SENDER: TEXT" for each of ALL, sorted from A to'
        " Z, and then delete these messages from my phone",
        code=(
            f"    lines = sorted({_SAID} for ROW in found)\n"
            + calling("notes.create_note", 'title=title, content="\\n".join(lines)', indent=4)
            + "    for ROW in found:\n"
            + calling("phone.delete_text_message", _MESSAGE)
        ),
        slots=(one_of("title", "Old texts", "Texts to keep", "From my phone", "What they wrote"),),
    ),
)
VOICE_SINKS = (
    noting("SENDER: TRANSCRIPT", _SPOKEN),
    each("phone", "delete_voice_message", _MESSAGE, "delete [from my phone] ALL", word="delete"),
    tasking("Call SENDER back", "f\"Call {ROW['sender']['name']} back\""),
    adding("duration", "durations", " in seconds"),
    COUNT,
    filing("YYYY-MM-DD SENDER", "f\"{ROW['sent_at'][:10]} {ROW['sender']['name']}\"", hint=" (beginning with its day)"),
)
MISSED = RowPool(
    app="phone",
    word="missed_calls",
    row="call",
    one="missed call to me in the log of my phone",
    many="missed calls to me in the log of my phone",
    reading=f'    calls = all_pages(apis.phone.show_call_log, {_PHONE}, direction="incoming", is_missed=True)\n',
    conditions=tuple(one for one in _LISTED["calls"].conditions if one.word in ("from_started_at", "until_started_at")),
)
MADE = RowPool(
    app="phone",
    word="calls_made",
    row="call",
    one="outgoing call of mine in the log of my phone",
    many="outgoing calls of mine in the log of my phone",
    reading=f'    calls = all_pages(apis.phone.show_call_log, {_PHONE}, direction="outgoing")\n',
    conditions=tuple(one for one in _LISTED["calls"].conditions if one.word in ("from_started_at", "over_duration")),
)
_SIDES = '{ROW["caller"]["phone_number"], ROW["callee"]["phone_number"]}'
CALL_TIES = (
    Tie(
        word="with_text",
        yes="with a text message from me to the same person on the same day",
        no="without a text message from me to the same person on the same day",
        whether="I sent the other person a text message on the same day",
        test='any((ROW["started_at"][:10], number) in written for number in ' + _SIDES + ")",
        prelude=(
            f'    messages = all_pages(apis.phone.show_text_messages, {_PHONE}, direction="sent")\n'
            '    written = {(one["sent_at"][:10], one["receiver"]["phone_number"]) for one in messages}\n'
        ),
    ),
    Tie(
        word="with_speaker",
        yes="with somebody who has left me a voice message",
        no="with somebody who has not left me a voice message",
        whether="the other person has left me a voice message",
        test=f"{_SIDES} & speakers",
        prelude=(
            f'    messages = all_pages(apis.phone.show_voice_messages, {_PHONE}, direction="received")\n'
            '    speakers = {one["sender"]["phone_number"] for one in messages}\n'
        ),
    ),
    Tie(
        word="with_relation",
        yes="with a contact of mine who is a {relationship}",
        no="with somebody who is not a {relationship} among my contacts",
        whether="the other person is a {relationship} among my contacts",
        test=f"{_SIDES} & related",
        prelude=(
            f"    contacts = all_pages(apis.phone.show_contacts, {_PHONE}, relationship=relationship)\n"
            '    related = {contact["phone_number"] for contact in contacts}\n'
        ),
        slots=(one_of("relationship", "coworker", "friend", "roommate", "sibling"),),
    ),
)
CALL_SINKS = (
    tasking("Call CALLER back", "f\"Call {ROW['caller']['name']} back\"", bars=("calls_made",)),
    COUNT,
    noting(
        "YYYY-MM-DD CALLER",
        "f\"{ROW['started_at'][:10]} {ROW['caller']['name']}\"",
        hint=" (beginning with its day)",
        bars=("calls_made",),
    ),
    noting(
        "YYYY-MM-DD CALLED PERSON",
        "f\"{ROW['started_at'][:10]} {ROW['callee']['name']}\"",
        hint=" (beginning with its day)",
        bars=("missed_calls",),
    ),
    adding("duration", "durations", " in seconds", bars=("missed_calls",)),
    telling_apart('ROW["callee"]["name"]', "called person", bars=("missed_calls",)),
)
