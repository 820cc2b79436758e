"""The eight families of the starter part, which the quickstart trains on, each with its solution.

They are small enough for a model of a few million parameters: one app, a short program, one or two values.
"""

from __future__ import annotations

import re

from prowess.types import Json
from prowess_desk.apps.files import make_directory, remove_file
from prowess_desk.apps.music import Artist, Listener, like_song
from prowess_desk.apps.phone import Alarm, TextMessage, change_alarm, create_alarm
from prowess_desk.apps.splits import repay
from prowess_desk.apps.wallet import Payment, PaymentRequest, approve, deny, like_payment
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, group_called, others_in, owed, spent, twin_groups
from prowess_desk.families.scene import acquaintances, ago, asked, named, paid, texted
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login
from prowess_desk.families.train.files import FILE_NAMES, in_folder
from prowess_desk.families.train.music import add_song, songs_by
from prowess_desk.families.train.phone import TALK
from prowess_desk.families.train.wallet import PAYMENT_NOTES

# Approve every pending request of somebody.


def _make_approve_from_person(draw: Draw) -> Values | None:
    me = draw.me
    person, *others = acquaintances(draw)
    waiting = [row for row in draw.state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    notes = iter(draw.rng.sample(PAYMENT_NOTES, 12))
    for other in others[: max(1, 6 - len(waiting))]:
        asked(draw, other, me, next(notes), ago(draw, draw.rng.randint(5, 40)))
    for days in (3, 20, 50):  # the last of them is beyond the first page
        asked(draw, person, me, next(notes), ago(draw, days))
    asked(draw, person, me, next(notes), ago(draw, 60), status="denied")
    asked(draw, me, person, next(notes), ago(draw, 2))  # mine to them
    return {"person": person.name, "other_person": others[0].name}


def _solve_approve_from_person(state: State, me: Person, values: Values) -> Json:
    person = named(state, values["person"])
    for row in state[PaymentRequest].of(me.id):
        if (row.requester, row.payer, row.status) == (person.id, me.id, "pending"):
            approve(state, row.id)


def approve_requests_from(name: str) -> float:
    """Approve every pending payment request from a person on wallet and return the amount paid."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    total = 0.0
    for request in requests:
        if request["requester"]["name"] == name:
            apis.wallet.approve_request(access_token=token, request_id=request["request_id"])
            total += request["amount"]
    return round(total, 2)


approve_from_person = Family(
    name="approve_from_person",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"person": str},
    wordings=(
        "Approve all pending payment requests from {person} on wallet.",
        "{person} is waiting for money from me. Whatever open requests of theirs are in my wallet, accept them all.",
        "In wallet, go through the requests I have not answered yet and pay each one that {person} sent me.",
    ),
    make=_make_approve_from_person,
    solve=_solve_approve_from_person,
    program=Program(functions=(approve_requests_from,), call="approve_requests_from(name={person!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(
            name="first_page",
            old="all_pages(apis.wallet.show_received_requests, ",
            new="apis.wallet.show_received_requests(",
        ),
        Mistake(name="everybodys_requests", old='if request["requester"]["name"] == name:', new="if request:"),
        Mistake(name="denied_instead", old="apis.wallet.approve_request", new="apis.wallet.deny_request"),
    ),
)


# How many texts of somebody mention a word?

_NEAR = {
    "train": "My training starts on Monday.",
    "cat": "Which category should I choose?",
    "key": "I bought a new keyboard.",
    "park": "Parking is expensive there.",
    "cake": "These pancakes are delicious, and so are the cupcakes.",
}


def _make_count_mentions(draw: Draw) -> Values | None:
    person, other, *_ = acquaintances(draw)
    word = draw.rng.choice(sorted(TALK))
    for n in range(draw.rng.randint(6, 9)):
        texted(draw, person, draw.me, TALK[word][n % 4], ago(draw, 3 + 6 * n))
    texted(draw, person, draw.me, _NEAR[word], ago(draw, 2))
    texted(draw, person, draw.me, _NEAR[word], ago(draw, 33))
    texted(draw, draw.me, person, TALK[word][0], ago(draw, 4))  # mine
    texted(draw, other, draw.me, TALK[word][1], ago(draw, 5))
    return {"person": person.name, "word": word, "other_person": other.name}


def _solve_count_mentions(state: State, me: Person, values: Values) -> Json:
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
    make=_make_count_mentions,
    solve=_solve_count_mentions,
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


# Delete the files of a folder that have an extension.


def _make_delete_by_extension(draw: Draw) -> Values | None:
    rng = draw.rng
    folder, other = rng.sample(("~/downloads", "~/documents/personal", "~/photos"), 2)
    extension, third = rng.sample(("tmp", "log", "pdf", "png", "csv"), 2)
    names = rng.sample(FILE_NAMES, 10)
    for name in names[:6]:
        filed(draw, f"{folder}/{name}-{rng.randint(10, 99)}.{extension}", name)
    filed(draw, f"{folder}/{names[6]}.{extension}.txt", "an extension in the middle of a name is none")
    filed(draw, f"{folder}/{extension}-{names[7]}.txt", "about such files")
    filed(draw, f"{folder}/{names[8]}.{third}", names[8])
    filed(draw, f"{other}/{names[8]}.{extension}", names[8])
    make_directory(draw.state, draw.me.id, at_home(draw.me, f"{folder}/keep"))
    filed(draw, f"{folder}/keep/{names[9]}.{extension}", names[9])
    return {"folder": folder, "extension": extension, "other_folder": other, "other_extension": third}


def _solve_delete_by_extension(state: State, me: Person, values: Values) -> Json:
    for file in in_folder(state, me, values["folder"]):
        if file.path.rpartition(".")[2] == values["extension"]:
            remove_file(state, me.id, file.path)


def delete_files_with_extension(folder: str, extension: str) -> int:
    """Delete the files directly in a folder that have an extension and return how many there were."""
    token = login(app="files")
    listing = apis.files.show_directory(access_token=token, directory_path=folder)
    paths = [path for path in listing["files"] if path.endswith(f".{extension}")]
    for path in paths:
        apis.files.delete_file(access_token=token, file_path=path)
    return len(paths)


delete_by_extension = Family(
    name="delete_by_extension",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"folder": str, "extension": str},
    wordings=(
        "Delete all .{extension} files in my folder {folder}, but leave the folders below it alone.",
        "My {folder} directory is cluttered. Get rid of every file right in it whose name ends in .{extension}; do not"
        " touch anything in its subdirectories.",
        "I no longer need the files with the extension .{extension} that lie directly in {folder} (those further down"
        " must stay). Please remove them.",
    ),
    make=_make_delete_by_extension,
    solve=_solve_delete_by_extension,
    program=Program(
        functions=(delete_files_with_extension,),
        call="delete_files_with_extension(folder={folder!r}, extension={extension!r})",
    ),
    mistakes=(
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="another_extension", swap={"extension": "other_extension"}),
        Mistake(name="below_it_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
        Mistake(name="anywhere_in_the_name", old='path.endswith(f".{extension}")', new="extension in path"),
        Mistake(
            name="first_page_of_a_search",
            old="apis.files.show_directory(access_token=token, directory_path=folder)",
            new=(
                '{"files": [file["path"] for file in apis.files.search_files(\n'
                "        access_token=token, directory_path=folder, query=extension)]}"
            ),
        ),
    ),
)


# Deny the pending requests above an amount.


def _make_deny_large_requests(draw: Draw) -> Values | None:
    me, people = draw.me, acquaintances(draw)
    if len(people) < 8:
        return None
    limit = draw.rng.randint(20, 60) * 100
    notes = iter(draw.rng.sample(PAYMENT_NOTES, 12))
    for n, more in enumerate((0, 1, 1_250, -1, 2_500, -800)):  # exactly the limit, a cent above it, ...
        asked(draw, people[n], me, next(notes), ago(draw, 1 + 7 * n), cents=limit + more)
    asked(draw, people[6], me, next(notes), ago(draw, 200), cents=limit + 4_000)  # the last page
    asked(draw, people[7], me, next(notes), ago(draw, 90), cents=limit + 900, status="approved")
    asked(draw, me, people[1], next(notes), ago(draw, 12), cents=limit + 700)  # mine
    return {"amount": limit / 100, "other_amount": (limit + 1_250) / 100}


def _solve_deny_large_requests(state: State, me: Person, values: Values) -> Json:
    for row in state[PaymentRequest].of(me.id):
        if row.payer == me.id and row.status == "pending" and row.cents > round(values["amount"] * 100):
            deny(state, row.id)


def deny_requests_above(amount: float) -> int:
    """Deny every pending payment request on wallet for more than an amount and return how many there were."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    large = [request for request in requests if request["amount"] > amount]
    for request in large:
        apis.wallet.deny_request(access_token=token, request_id=request["request_id"])
    return len(large)


deny_large_requests = Family(
    name="deny_large_requests",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"amount": float},
    wordings=(
        "Deny all pending payment requests I received on wallet for more than ${amount}.",
        "Money is tight: in my wallet, turn down each open request from others that is above ${amount}, and leave"
        " those of ${amount} or less waiting.",
        "I refuse to pay anything over ${amount}. Please reject the unanswered wallet requests that ask me for more.",
    ),
    make=_make_deny_large_requests,
    solve=_solve_deny_large_requests,
    program=Program(functions=(deny_requests_above,), call="deny_requests_above(amount={amount!r})"),
    mistakes=(
        Mistake(name="another_amount", swap={"amount": "other_amount"}),
        Mistake(name="the_amount_itself", old='request["amount"] > amount', new='request["amount"] >= amount'),
        Mistake(
            name="first_page",
            old="all_pages(apis.wallet.show_received_requests, ",
            new="apis.wallet.show_received_requests(",
        ),
        Mistake(
            name="own_requests_cancelled",
            extra=(
                'token = login(app="wallet")\n'
                'for request in all_pages(apis.wallet.show_sent_requests, access_token=token, status="pending"):\n'
                '    apis.wallet.cancel_request(access_token=token, request_id=request["request_id"])'
            ),
        ),
    ),
)


# Like every song by an artist.


def _make_like_artist(draw: Draw) -> Values | None:
    artist, other = draw.rng.sample(list(draw.state[Artist]), 2)
    songs = songs_by(draw.state, artist.id)
    liked = draw.state[Listener][draw.me.id].liked_song_ids
    if len(songs) < 6 or sum(song.id not in liked for song in sorted(songs, key=lambda song: song.title)[5:]) == 0:
        return None
    like_song(draw.state, draw.me.id, songs[0].id)  # liking it again is refused
    add_song(draw, f"Letter to {artist.name}", other)  # a search for the artist's name finds this one, too
    return {"artist": artist.name, "other_artist": other.name}


def _solve_like_artist(state: State, me: Person, values: Values) -> Json:
    artist = next(artist for artist in state[Artist] if artist.name == values["artist"])
    for song in songs_by(state, artist.id):
        like_song(state, me.id, song.id)


def like_songs_by_artist(artist_name: str) -> int:
    """Like every song by an artist that is not liked yet and return how many were added."""
    token = login(app="music")
    liked = {song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=token)}
    songs = all_pages(apis.music.search_songs, access_token=token, query=artist_name)
    count = 0
    for song in songs:
        if song["artist_name"] == artist_name and song["song_id"] not in liked:
            apis.music.like_song(access_token=token, song_id=song["song_id"])
            count += 1
    return count


like_artist = Family(
    name="like_artist",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"artist": str},
    wordings=(
        "Like every song by {artist} on music.",
        "I have become a huge fan of {artist}. Please mark all of their songs in the music app as liked.",
        "In my music account, no song of the artist {artist} should be left without my like.",
    ),
    make=_make_like_artist,
    solve=_solve_like_artist,
    program=Program(functions=(like_songs_by_artist,), call="like_songs_by_artist(artist_name={artist!r})"),
    mistakes=(
        Mistake(name="another_artist", swap={"artist": "other_artist"}),
        Mistake(name="first_page", old="all_pages(apis.music.search_songs, ", new="apis.music.search_songs("),
        Mistake(name="every_song_found", old='song["artist_name"] == artist_name and ', new=""),
    ),
)


# Like the transactions whose note has a word.

_WORDS = {
    "bill": ("Gas bill", "the BILL for the heater", "Dentist bill", "Water bill in full", "Billiards evening"),
    "rent": ("Rent for April", "rent, second half", "Rent for the garage", "late rent", "Rental car"),
    "lunch": ("Lunch on Tuesday", "birthday lunch", "LUNCH", "Working lunch", "Lunchbox for the trip"),
    "gift": ("Gift for Grandma", "farewell gift", "GIFT CARD", "Gift from all of us", "Giftwrap and ribbons"),
    "trip": ("Trip to the lake", "ski trip", "Deposit for our TRIP", "School trip", "Tripod for the camera"),
    "tea": ("Green tea", "TEA for the office", "Tea and scones", "iced tea", "Teapot"),
}


def _make_like_by_note(draw: Draw) -> Values | None:
    me, people = draw.me, acquaintances(draw)
    if len(people) < 8:
        return None
    word, other = draw.rng.sample(sorted(_WORDS), 2)
    *notes, near = _WORDS[word]
    for n, note in enumerate([*notes, *notes[:2]]):
        ends = (me, people[n]) if n % 2 else (people[n], me)
        payment = paid(draw, *ends, note, ago(draw, draw.rng.randint(1, 300)))
        if n == 2:
            like_payment(draw.state, payment.id, me.id)  # liking it again is refused
        elif n == 3:
            like_payment(draw.state, payment.id, people[n].id)  # liked, but not by me
    paid(draw, me, people[6], near, ago(draw, 4))
    paid(draw, people[7], me, near, ago(draw, 30))
    paid(draw, me, people[1], _WORDS[other][0], ago(draw, 9))
    return {"word": word, "other_word": other}


def _solve_like_by_note(state: State, me: Person, values: Values) -> Json:
    for row in state[Payment].of(me.id):
        if re.search(rf"\b{values['word']}\b", row.note, re.IGNORECASE):
            like_payment(state, row.id, me.id)


def like_transactions_about(word: str) -> int:
    """Like every wallet transaction whose note has this word and return how many were not liked before."""
    token = login(app="wallet")
    transactions = all_pages(apis.wallet.show_transactions, access_token=token, query=word)
    count = 0
    for transaction in transactions:
        words = re.findall(r"\w+", transaction["note"].lower())
        if word.lower() in words and not transaction["liked_by_me"]:
            apis.wallet.like_transaction(access_token=token, transaction_id=transaction["transaction_id"])
            count += 1
    return count


like_by_note = Family(
    name="like_by_note",
    split="train",
    difficulty=1,
    apps=("wallet",),
    slots={"word": str},
    wordings=(
        'Like every transaction in my wallet whose note contains the word "{word}", in capitals or not.',
        'Go through my wallet history, both ways. Wherever "{word}" stands as a whole word in the note (in upper'
        " or lower case), give the payment a like.",
        'All my wallet payments with the word "{word}" in the note, however it is capitalised, should have my like; a'
        " longer word that only begins with it does not count.",
    ),
    make=_make_like_by_note,
    solve=_solve_like_by_note,
    program=Program(functions=(like_transactions_about,), call="like_transactions_about(word={word!r})"),
    mistakes=(
        Mistake(name="another_word", swap={"word": "other_word"}),
        Mistake(
            name="first_page", old="all_pages(apis.wallet.show_transactions, ", new="apis.wallet.show_transactions("
        ),
        Mistake(name="part_of_a_word", old="word.lower() in words and not", new="not"),
        Mistake(name="only_sent", old="query=word)", new='query=word, direction="sent")'),
        Mistake(name="case_matters", old='transaction["note"].lower()', new='transaction["note"]'),
    ),
)


# How much does somebody owe me in a group?


def _make_owed_in_group(draw: Draw) -> Values | None:
    state, me, rng = draw.state, draw.me, draw.rng
    pair = twin_groups(draw, least=3)
    if pair is None:
        return None
    group, older = pair
    person, other, *_ = others_in(draw, group)
    for who in (person, other):
        least = max(0, -owed(state, who.id, me.id, group.id))
        cents = least + rng.randint(2_000, 12_000)
        spent(draw, f"Deposit for {who.first}", me, {who.id: cents}, group=group, days=rng.randint(3, 60))
    spent(draw, "Phone repair", me, {person.id: rng.randint(900, 5_000)}, days=10)  # outside the group
    repay(state, person.id, person.id, me.id, rng.randint(300, 1_500), group=group.id, note="First part")
    if person.id in older.member_ids:
        return None
    if owed(state, person.id, me.id, group.id) == owed(state, other.id, me.id, group.id):
        return None
    return {"person": person.name, "group": group.name, "other_person": other.name}


def _solve_owed_in_group(state: State, me: Person, values: Values) -> Json:
    person = next(person for person in state[Person] if person.name == values["person"])
    return owed(state, person.id, me.id, group_called(state, me, values["group"]).id) / 100


def owed_to_me_in_group(name: str, group: str) -> float:
    """Return how much a person owes the supervisor in one group of splits."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    debtors = all_pages(apis.splits.show_people_who_owe_me, access_token=token, group_id=group_id)
    return next((debtor["amount"] for debtor in debtors if debtor["name"] == name), 0.0)


owed_in_group = Family(
    name="owed_in_group",
    split="train",
    difficulty=1,
    apps=("splits",),
    slots={"person": str, "group": str},
    wordings=(
        'How much does {person} owe me in the splits group "{group}"?',
        'Look only at my splits group "{group}", and at nothing outside of it: what is the amount that {person} still'
        " has to pay me there?",
        'I want to ask {person} for what is open between us in "{group}" on splits. Tell me how many dollars I get,'
        " counting just that group.",
    ),
    make=_make_owed_in_group,
    solve=_solve_owed_in_group,
    program=Program(functions=(owed_to_me_in_group,), call="owed_to_me_in_group(name={person!r}, group={group!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="everything", old=", group_id=group_id)", new=")"),
        Mistake(name="first_match", old=' if each["name"] == group', new=""),
        Mistake(
            name="payments_forgotten",
            old="    return next(",
            new=(
                "    return sum(\n"
                '        share["amount"]\n'
                "        for expense in all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id)\n"
                '        for share in expense["shares"]\n'
                '        if share["name"] == name and expense["paid_by"]["name"] != name\n'
                "    )\n"
                "    return next("
            ),
        ),
    ),
)


# Turn off the alarms before a time.

_EARLY = "Swim|Bake bread|Stretch|Bus to work|Walk the dog|Early call|Journal|Sunrise|Rowing|Check oven".split("|")


def _clock(minutes: int) -> str:
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def _make_silence_early_alarms(draw: Draw) -> Values | None:
    limit = 10 * draw.rng.randint(42, 66)
    labels = iter(draw.rng.sample(_EARLY, 10))
    times = [limit - 5 * n for n in draw.rng.sample(range(2, 36), 7)]
    for n, time in enumerate([*times, limit - 5]):
        create_alarm(draw.state, draw.me.id, next(labels), _clock(time), enabled=n > 0)
    create_alarm(draw.state, draw.me.id, next(labels), _clock(limit), repeat_days=("monday",))  # not before it
    create_alarm(draw.state, draw.me.id, next(labels), "21:35")
    return {"time": _clock(limit), "other_time": _clock(limit - 5)}


def _solve_silence_early_alarms(state: State, me: Person, values: Values) -> Json:
    for alarm in state[Alarm].of(me.id):
        if alarm.enabled and alarm.time < values["time"]:
            change_alarm(state, alarm.id, enabled=False)


def turn_off_alarms_before(time: str) -> int:
    """Turn off every alarm that rings before a time of day (HH:MM) and return how many were on."""
    token = login(app="phone")
    alarms = all_pages(apis.phone.show_alarms, access_token=token, is_enabled=True)
    early = [alarm for alarm in alarms if alarm["time"] < time]
    for alarm in early:
        apis.phone.update_alarm(access_token=token, alarm_id=alarm["alarm_id"], is_enabled=False)
    return len(early)


silence_early_alarms = Family(
    name="silence_early_alarms",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"time": str},
    wordings=(
        "Turn off all my alarms that ring before {time}.",
        "I want to sleep in. Whatever alarm on my phone is set to a time earlier than {time}, disable it, but do not"
        " delete it.",
        "No alarm of mine should be on ahead of {time}; switch those off. Those at {time} or later stay as they are.",
    ),
    make=_make_silence_early_alarms,
    solve=_solve_silence_early_alarms,
    program=Program(functions=(turn_off_alarms_before,), call="turn_off_alarms_before(time={time!r})"),
    mistakes=(
        Mistake(name="another_time", swap={"time": "other_time"}),
        Mistake(name="that_time_too", old='alarm["time"] < time', new='alarm["time"] <= time'),
        Mistake(name="first_page", old="all_pages(apis.phone.show_alarms, ", new="apis.phone.show_alarms("),
        Mistake(
            name="deleted_instead",
            old='update_alarm(access_token=token, alarm_id=alarm["alarm_id"], is_enabled=False)',
            new='delete_alarm(access_token=token, alarm_id=alarm["alarm_id"])',
        ),
    ),
)

FAMILIES = (
    approve_from_person,
    count_mentions,
    delete_by_extension,
    deny_large_requests,
    like_artist,
    like_by_note,
    owed_in_group,
    silence_early_alarms,
)
