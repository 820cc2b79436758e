"""Train families of the phone app: texts and calls."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.phone import Call, TextMessage, delete_text, send_text
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import acquaintances, ago, named, texted
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login

# How many texts of somebody mention a word?

_TALK = {
    "train": ("I missed the train.", "Which train do you take?", "Train is late again", "The TRAIN was full, no seat."),
    "cat": ("The cat is on the roof.", "Can you feed my cat?", "CAT PICTURE!", "Your cat is so cute, and what a cat."),
    "key": ("I lost my key.", "Key is under the mat", "Who has the spare key?", "The KEY does not fit."),
    "park": ("Let us meet in the park.", "Park or beach?", "The park closes at eight.", "See you at the PARK."),
    "cake": ("The cake was great.", "Cake or pie?", "Who brings the cake?", "I ate the whole CAKE."),
}
_NEAR = {
    "train": "My training starts on Monday.",
    "cat": "Which category should I choose?",
    "key": "I bought a new keyboard.",
    "park": "Parking is expensive there.",
    "cake": "These pancakes are delicious, and so are the cupcakes.",
}


def _make_mentions(draw: Draw) -> Values | None:
    person, other, *_ = acquaintances(draw)
    word = draw.rng.choice(sorted(_TALK))
    for n in range(draw.rng.randint(6, 9)):
        texted(draw, person, draw.me, _TALK[word][n % 4], ago(draw, 3 + 6 * n))
    texted(draw, person, draw.me, _NEAR[word], ago(draw, 2))
    texted(draw, person, draw.me, _NEAR[word], ago(draw, 33))
    texted(draw, draw.me, person, _TALK[word][0], ago(draw, 4))  # mine
    texted(draw, other, draw.me, _TALK[word][1], ago(draw, 5))
    return {"person": person.name, "word": word, "other_person": other.name}


def _solve_mentions(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    texts = [row.text for row in state[TextMessage].of(me.id) if row.sender == person.id]
    return sum(bool(re.search(rf"\b{values['word']}\b", text, re.IGNORECASE)) for text in texts)


def count_texts_with_word(name: str, word: str) -> int:
    """Count the text messages received from a contact that have this word in them."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    messages = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, query=word, direction="received"
    )
    return sum(word.lower() in re.findall(r"\w+", message["text"].lower()) for message in messages)


count_mentions = Family(
    name="count_mentions",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"person": str, "word": str},
    wordings=(
        'How many of the text messages that {person} sent me contain the word "{word}" (in capitals or not)?',
        'Count the texts I received from {person} in which "{word}" occurs as a word of its own, upper or lower case.',
        '{person} keeps texting me about one thing. In how many of those messages does the whole word "{word}" appear,'
        " however it is capitalised?",
    ),
    make=_make_mentions,
    solve=_solve_mentions,
    program=Program(functions=(count_texts_with_word,), call="count_texts_with_word(name={person!r}, word={word!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="own_texts_too", old=', direction="received"', new=""),
        Mistake(
            name="first_page",
            old="all_pages(\n        apis.phone.show_text_messages, ",
            new="apis.phone.show_text_messages(",
        ),
        Mistake(
            name="part_of_a_word",
            old='re.findall(r"\\w+", message["text"].lower())',
            new='message["text"].lower()',
        ),
    ),
)


# Delete the old texts of somebody.


def _make_delete(draw: Draw) -> Values | None:
    person, other, *_ = acquaintances(draw)
    days = draw.rng.randint(15, 80)
    before = (draw.state.now - timedelta(days=days)).date()
    lines = draw.rng.sample([line for lines in _TALK.values() for line in lines], 12)
    for n in range(6):
        texted(draw, person, draw.me, lines[n], ago(draw, days + 1 + 8 * n))
    texted(draw, person, draw.me, lines[6], datetime(before.year, before.month, before.day, 7, 15))  # that day stays
    for n in range(5):
        texted(draw, person, draw.me, lines[7 + n], ago(draw, days * n / 6))
    texted(draw, draw.me, person, "I will tell you later.", ago(draw, days + 12))  # mine stay
    texted(draw, other, draw.me, "See you there.", ago(draw, days + 20))
    return {"person": person.name, "before": before.isoformat(), "other_person": other.name}


def _solve_delete(state: State, me: Person, values: Values) -> Json:
    person, before = named(state, values["person"]), date.fromisoformat(values["before"])
    for row in state[TextMessage].of(me.id):
        if row.sender == person.id and row.sent_at.date() < before:
            delete_text(state, me.id, row.id)


def delete_old_texts_from(name: str, before: str) -> int:
    """Delete the text messages received from a contact before a day (YYYY-MM-DD) and return how many there were."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    messages = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, direction="received", to_date=before
    )
    old = [message for message in messages if message["sent_at"][:10] < before]
    for message in old:
        apis.phone.delete_text_message(access_token=token, message_id=message["message_id"])
    return len(old)


delete_old_texts = Family(
    name="delete_old_texts",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"person": str, "before": str},
    wordings=(
        "Delete all text messages I received from {person} before {before}.",
        "Clean up my phone: texts from {person} that arrived earlier than {before} can go. Keep what came on that day"
        " or later, and keep my own messages.",
        "What {person} texted me up to the day before {before} is no longer needed; erase those messages, not mine.",
    ),
    make=_make_delete,
    solve=_solve_delete,
    program=Program(
        functions=(delete_old_texts_from,), call="delete_old_texts_from(name={person!r}, before={before!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="own_texts_too", old=' direction="received",', new=""),
        Mistake(
            name="first_page",
            old="all_pages(\n        apis.phone.show_text_messages, ",
            new="apis.phone.show_text_messages(",
        ),
    ),
)


# Text everybody whose call was missed.

_SORRY = """Sorry that I missed your call. I will ring you tonight.|I could not pick up, is it urgent?|
Saw your call too late, please try again tomorrow.|I was in the cinema. What did you want to tell me?""".replace(
    "\n", ""
).split("|")


def _called(draw: Draw, caller: Person, callee: Person, seconds: int, when: datetime) -> None:
    draw.state[Call].add(lambda id: Call(id=id, caller=caller.id, callee=callee.id, started_at=when, seconds=seconds))


def _make_missed(draw: Draw) -> Values | None:
    me, people = draw.me, acquaintances(draw)
    if len(people) < 8:
        return None
    days = draw.rng.randint(4, 12)
    since = (draw.state.now - timedelta(days=days)).date()
    midnight = datetime(since.year, since.month, since.day)
    for row in draw.state[Call].of(me.id):
        if row.started_at > midnight - timedelta(days=2):
            draw.state[Call].remove(row.id)  # these days are told anew
    for n, person in enumerate((*people[:4], people[0], people[1])):  # two of them tried twice
        _called(draw, person, me, 0, ago(draw, 0.1 + days * n / 7))
    _called(draw, people[4], me, 0, midnight + timedelta(hours=7))  # on that day
    _called(draw, people[5], me, 0, midnight - timedelta(hours=3))  # the evening before it
    _called(draw, people[6], me, draw.rng.randint(30, 900), ago(draw, days / 3))  # answered
    _called(draw, me, people[7], 0, ago(draw, days / 2))  # they did not answer me
    return {
        "since": since.isoformat(),
        "message": draw.rng.choice(_SORRY),
        "other_since": (since + timedelta(days=2)).isoformat(),
    }


def _solve_missed(state: State, me: Person, values: Values) -> Json:
    since = date.fromisoformat(values["since"])
    calls = [row for row in state[Call].of(me.id) if row.callee == me.id and row.seconds == 0]
    for person in sorted({row.caller for row in calls if row.started_at.date() >= since}):
        send_text(state, me.id, person, values["message"])


def text_missed_callers(since: str, message: str) -> int:
    """Text everybody whose call was missed since a day (YYYY-MM-DD), each once, and return how many they are."""
    token = login(app="phone")
    calls = all_pages(
        apis.phone.show_call_log, access_token=token, direction="incoming", is_missed=True, from_date=since
    )
    numbers = {call["caller"]["phone_number"] for call in calls}
    for number in sorted(numbers):
        apis.phone.send_text_message(access_token=token, phone_number=number, text=message)
    return len(numbers)


answer_missed_calls = Family(
    name="answer_missed_calls",
    split="train",
    difficulty=2,
    apps=("phone",),
    slots={"since": str, "message": str},
    wordings=(
        'Text "{message}" to everyone whose call I have missed since {since} (that day included), once per person.',
        "I did not pick up for a while. Look up the incoming calls from {since} on that I missed and send each caller"
        ' one text message: "{message}"',
        'Whoever tried to call me on {since} or later without reaching me should get a single text: "{message}"',
    ),
    make=_make_missed,
    solve=_solve_missed,
    program=Program(functions=(text_missed_callers,), call="text_missed_callers(since={since!r}, message={message!r})"),
    mistakes=(
        Mistake(name="two_days_late", swap={"since": "other_since"}),
        Mistake(name="answered_too", old=" is_missed=True,", new=""),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(
            name="first_page", old="all_pages(\n        apis.phone.show_call_log, ", new="apis.phone.show_call_log("
        ),
        Mistake(
            name="a_text_per_call",
            old='{call["caller"]["phone_number"] for call in calls}',
            new='[call["caller"]["phone_number"] for call in calls]',
        ),
    ),
)

FAMILIES = (count_mentions, delete_old_texts, answer_missed_calls)
