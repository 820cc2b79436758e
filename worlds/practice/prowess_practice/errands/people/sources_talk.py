"""People behind what the other apps list: messages, calls, contacts, reviews of songs, names in notes and tasks."""

from __future__ import annotations

from prowess_practice.drills.conditions import Condition, among, before, contains, month, over, since, under, weekday
from prowess_practice.errands.people import scene
from prowess_practice.errands.people.source import SECONDS, PeopleSource, SourceWithin, renamed

_END = ("phone_number", "name")
_SINCE = since("sent_at", "dated {since} or later", "sent since a day")
_BEFORE = before("sent_at", "dated before {before}", "sent before a day")
_MONTH = month("sent_at", "dated in {month}", "sent in a month")
_WEEKDAY = weekday("sent_at", "dated on a {weekday}", "sent on a day of the week")
_WORD = contains("text", 'with "{word}" in the text', "with a word")
_SAID = contains("transcript", 'with "{word}" in the transcript', "with a word")
_BEGUN = since("started_at", "begun on or after {since}", "begun since a day")
_EARLIER = before("started_at", "begun before {before}", "begun before a day")
_ON = weekday("started_at", "begun on a {weekday}", "begun on a day of the week")
_IN = month("started_at", "begun in {month}", "begun in a month")
_LONG = over("duration", "of more than {more_than_duration} seconds", "longer than so many seconds")
_SHORT = under("duration", "of less than {less_than_duration} seconds", "shorter than so many seconds")
_THERE = renamed(_SINCE, "day")


def _messages(api: str, direction: str) -> str:
    return f'all_pages(apis.phone.{api}, access_token=phone_token, direction="{direction}")\n'


TEXTERS = PeopleSource(
    word="texters",
    app="phone",
    reads=f"    received_texts = {_messages('show_text_messages', 'received')}",
    row="text",
    rows="received_texts",
    person='text["sender"]',
    fields=_END,
    clause="from whom I got a text message COND",
    none="from whom I got no text message COND",
    number="from whom I got HOWMANY text messages COND",
    many="the text messages COND that I got",
    role="sender",
    items="messages",
    about="people who sent texts",
    conditions=(_SINCE, _WORD, _MONTH, _WEEKDAY, _BEFORE),
    further=_THERE,
    more=scene.got_text,
)
TEXTED = PeopleSource(
    word="texted_people",
    app="phone",
    reads=f"    sent_texts = {_messages('show_text_messages', 'sent')}",
    row="text",
    rows="sent_texts",
    person='text["receiver"]',
    fields=_END,
    clause="to whom I sent a text message COND",
    none="to whom I sent no text message COND",
    number="to whom I sent HOWMANY text messages COND",
    many="the text messages COND that I sent",
    role="receiver",
    items="messages",
    about="people who were texted",
    conditions=(_MONTH, _SINCE, _BEFORE, _WORD, _WEEKDAY),
    further=_THERE,
    more=scene.sent_text,
)
VOICES = PeopleSource(
    word="voices",
    app="phone",
    reads=f"    received_voices = {_messages('show_voice_messages', 'received')}",
    row="voice",
    rows="received_voices",
    person='voice["sender"]',
    fields=_END,
    clause="from whom I got a voice message COND",
    none="from whom I got no voice message",
    many="the voice messages COND that I got",
    role="sender",
    items="messages",
    about="people who left voice messages",
    conditions=(_SAID, _SINCE, _BEFORE),
    alone=True,
    more=scene.got_voice,
    scarce=True,
)
SPOKEN_TO = PeopleSource(
    word="spoken_to",
    app="phone",
    reads=f"    sent_voices = {_messages('show_voice_messages', 'sent')}",
    row="voice",
    rows="sent_voices",
    person='voice["receiver"]',
    fields=_END,
    clause="to whom I sent a voice message COND",
    none="to whom I sent no voice message",
    many="the voice messages COND that I sent",
    role="receiver",
    items="messages",
    about="people who were left voice messages",
    conditions=(_SINCE, _BEFORE),
    alone=True,
    more=scene.sent_voice,
    scarce=True,
)
MISSED = PeopleSource(
    word="missed_callers",
    app="phone",
    reads=(
        "    missed_calls = all_pages("
        'apis.phone.show_call_log, access_token=phone_token, direction="incoming", is_missed=True)\n'
    ),
    row="call",
    rows="missed_calls",
    person='call["caller"]',
    fields=_END,
    clause="from whom I missed a call COND",
    none="from whom I missed no call",
    number="from whom I missed HOWMANY calls COND",
    many="the incoming calls COND that I missed",
    role="caller",
    items="calls",
    about="people whose calls were missed",
    conditions=(_BEGUN, _ON, _EARLIER, _IN),
    alone=True,
    more=scene.missed_call,
    scarce=True,
)
CALLERS = PeopleSource(
    word="callers",
    app="phone",
    reads=(
        "    taken_calls = all_pages("
        'apis.phone.show_call_log, access_token=phone_token, direction="incoming", is_missed=False)\n'
    ),
    row="call",
    rows="taken_calls",
    person='call["caller"]',
    fields=_END,
    amount='call["duration"]',
    unit=SECONDS,
    clause="from whom I took a call COND",
    none="from whom I took no call",
    sum="with whom I talked HOWMUCH in all, counting the incoming calls COND that I took",
    number="from whom I took HOWMANY calls COND",
    many="the incoming calls COND that I took and did not miss",
    role="caller",
    items="calls",
    about="people whose calls were taken",
    conditions=(_LONG, _BEGUN, _ON, _SHORT),
    more=scene.took_call,
    scarce=True,
)
CALLED = PeopleSource(
    word="called_people",
    app="phone",
    reads=('    made_calls = all_pages(apis.phone.show_call_log, access_token=phone_token, direction="outgoing")\n'),
    row="call",
    rows="made_calls",
    person='call["callee"]',
    fields=_END,
    amount='call["duration"]',
    unit=SECONDS,
    clause="to whom I made a call COND",
    none="to whom I made no call",
    sum="with whom I talked HOWMUCH in all, counting the calls COND that I made",
    number="to whom I made HOWMANY calls COND",
    many="the calls COND that I made, answered or not",
    role="callee",
    items="calls",
    about="people who were called",
    conditions=(_BEGUN, _ON, _LONG, _EARLIER),
    more=scene.made_call,
    scarce=True,
)
CHATTERS = PeopleSource(
    word="chatters",
    app="phone",
    reads="    conversations = all_pages(apis.phone.show_conversations, access_token=phone_token)\n",
    row="conversation",
    rows="conversations",
    person="conversation",
    fields=_END,
    clause="with whom I have a text conversation COND",
    many="my text conversations COND",
    role="partner",
    items="conversations",
    about="partners of text conversations",
    conditions=(
        over("message_count", "of more than {more_than_message_count} messages", "with more texts than given"),
        under("message_count", "of fewer than {less_than_message_count} messages", "with fewer texts than given"),
        Condition(
            word="since_last_message",
            says="whose last message was sent on or after {since}",
            about="with a last text since a day",
            code='ROW["last_message"]["sent_at"] >= since',
            slot="since",
            kind=_SINCE.kind,
            pick=lambda rng, rows: _SINCE.pick(rng, [row["last_message"] for row in rows]),
        ),
    ),
)
CONTACTS = PeopleSource(
    word="contacts",
    app="phone",
    reads="    contacts = all_pages(apis.phone.show_contacts, access_token=phone_tokenARGUMENTS)\n",
    row="contact",
    rows="contacts",
    person="contact",
    fields=("email", "name", "phone_number", "contact_id", "relationships", "birthday", "address"),
    clause="whom I have in my phone contacts COND",
    none="whom I do not have in my phone contacts COND",
    many="my phone contacts COND",
    role="contact",
    items="contacts",
    about="contacts",
    conditions=(
        among(
            "relationships",
            'as a "{relationship}"',
            "of a relationship",
            slot="relationship",
            argument="relationship",
        ),
        since("birthday", "with a birthday on or after {since}", "born since a day"),
        before("birthday", "with a birthday before {before}", "born before a day"),
        contains("address", 'with "{word}" in the address', "with a word in the address"),
    ),
    further=among(
        "relationships", 'as a "{relationship}"', "of a relationship", slot="relationship", argument="relationship"
    ),
)
REVIEWERS = PeopleSource(
    word="reviewers",
    app="music",
    reads=(
        '    my_email = apis.music.show_account(access_token=music_token)["email"]\n'
        "    playlists = all_pages(apis.music.show_playlists, access_token=music_token, query=playlist)\n"
        '    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)\n'
        "    every_review = []\n"
        '    for song in apis.music.show_playlist(access_token=music_token, playlist_id=playlist_id)["songs"]:\n'
        '        song_id = song["song_id"]\n'
        "        every_review += all_pages(apis.music.show_song_reviews, access_token=music_token, song_id=song_id)\n"
        '    reviews = [review for review in every_review if review["author"]["email"] != my_email]\n'
    ),
    row="review",
    rows="reviews",
    person='review["author"]',
    fields=("email", "name"),
    clause='with a review COND of a song in my playlist "{playlist}" on music',
    none='without any review of the songs in my playlist "{playlist}" on music',
    number='with HOWMANY reviews COND of songs in my playlist "{playlist}" on music',
    many='the reviews COND that others wrote of the songs in my playlist "{playlist}" on music',
    role="author",
    items="reviews",
    about="people who reviewed songs of a playlist",
    conditions=(
        over("rating", "with more than {more_than_rating} stars", "with more stars than given"),
        under("rating", "with fewer than {less_than_rating} stars", "with fewer stars than given"),
    ),
    within=SourceWithin(slot="playlist", choose=scene.some_playlist),
    anybody=True,
)
GUESTS = PeopleSource(
    word="guests",
    app="notes",
    reads=(
        "    found_notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=name_note)\n"
        '    note_id = next(one["note_id"] for one in found_notes if one["title"] == name_note)\n'
        "    guest_note = apis.notes.show_note(access_token=notes_token, note_id=note_id)\n"
        '    name_lines = guest_note["content"].splitlines()\n'
    ),
    row="line",
    rows="name_lines",
    person="line",
    fields=("name",),
    clause='whose name is a line of my note "{name_note}"',
    none='whose name is no line of my note "{name_note}"',
    many='the lines of my note "{name_note}", each of which is a name',
    role="person named there",
    items="lines",
    about="people named in a note",
    alone=True,
    within=SourceWithin(slot="name_note", choose=scene.guests),
    anybody=True,
)
HELPERS = PeopleSource(
    word="helpers",
    app="todo",
    reads=(
        "    projects = all_pages(apis.todo.list_projects, access_token=todo_token)\n"
        '    project_id = next(one["project_id"] for one in projects if one["name"] == name_project)\n'
        "    open_tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=project_id, done=False)\n"
        '    named_tasks = [task for task in open_tasks if ": " in task["title"]]\n'
    ),
    row="task",
    rows="named_tasks",
    person='task["title"].split(": ")[0]',
    fields=("name",),
    clause=(
        "whose full name, with a colon after it, starts the title of an open task COND in my todo project"
        ' "{name_project}"'
    ),
    none='whose full name, with a colon after it, starts no title of an open task in my todo project "{name_project}"',
    many='the open tasks COND in my todo project "{name_project}" whose titles begin with a full name and a colon',
    role="person named at the start",
    items="tasks",
    about="people named in open tasks of a project",
    conditions=(
        under("priority", "of a priority number below {less_than_priority}", "more urgent than given"),
        over("priority", "of a priority number above {more_than_priority}", "less urgent than given"),
    ),
    alone=True,
    within=SourceWithin(slot="name_project", choose=scene.helpers),
    anybody=True,
)
TALK = (TEXTERS, TEXTED, VOICES, SPOKEN_TO, MISSED, CALLERS, CALLED, CHATTERS)
OTHERS = (REVIEWERS, GUESTS, HELPERS)
