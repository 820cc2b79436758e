"""Families of test_normal: the phone, by itself and with the music app."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.music import Playlist, Song, change_playlist, create_playlist
from prowess_desk.apps.phone import Alarm, TextMessage, change_alarm, create_alarm, send_text
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import acquaintances, ago, named, texted
from prowess_desk.families.toolbox import all_pages, apis, contact_named, login

# Let the alarms of a weekday ring earlier.

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_LABELS = (
    "Bread out of the oven|Radio news|Stretching|Call the office|Vitamins|Close the shutters|Diary|Bins out".split("|")
)


def _make_earlier_alarms(draw: Draw) -> Values | None:
    state, me = draw.state, draw.me.id
    day, other = draw.rng.sample(_DAYS, 2)
    rest = [name for name in _DAYS if name not in (day, other)]
    scene: tuple[tuple[str, list[str], bool], ...] = (
        ("05:25", [day, rest[0]], True),
        ("06:10", [day], False),  # off
        ("06:50", [other, *rest], True),  # on, but not on that day
        ("07:05", [day, other], True),
        ("12:30", rest, True),
        ("22:15", [day, *rest], True),
        ("22:40", [day], True),
        ("22:55", [], True),  # once, on no day of the week
    )
    for label, (time, days, on) in zip(draw.rng.sample(_LABELS, len(scene)), scene, strict=True):
        create_alarm(state, me, label, time, repeat_days=days, enabled=on, snooze_minutes=draw.rng.choice((5, 10, 15)))
    return {
        "day": day.capitalize(),
        "minutes": draw.rng.choice((15, 20, 25, 35, 40, 50)),
        "other_day": other.capitalize(),
    }


def _solve_earlier_alarms(state: State, me: Person, values: Values) -> Json:
    for alarm in state[Alarm].of(me.id):
        if alarm.enabled and values["day"].lower() in alarm.repeat_days:
            minutes = int(alarm.time[:2]) * 60 + int(alarm.time[3:]) - values["minutes"]
            change_alarm(state, alarm.id, time=f"{minutes // 60:02d}:{minutes % 60:02d}")


def move_alarms_earlier(day: str, minutes: int) -> int:
    """Let every enabled alarm that repeats on a day of the week ring some minutes earlier; return how many."""
    token = login(app="phone")
    alarms = all_pages(apis.phone.show_alarms, access_token=token, is_enabled=True)
    alarms = [alarm for alarm in alarms if day.lower() in alarm["repeat_days"]]
    for alarm in alarms:
        time = datetime.strptime(alarm["time"], "%H:%M") - timedelta(minutes=minutes)
        apis.phone.update_alarm(access_token=token, alarm_id=alarm["alarm_id"], time=time.strftime("%H:%M"))
    return len(alarms)


earlier_alarms = Family(
    name="earlier_alarms",
    split="test_normal",
    difficulty=1,
    apps=("phone",),
    slots={"day": str, "minutes": int},
    wordings=(
        "Set every alarm on my phone that is switched on and repeats on {day} {minutes} minutes earlier.",
        "My {day}s have to start sooner: all enabled alarms that repeat on that day of the week should go off {minutes}"
        " minutes before their present time. Leave their days and everything else alone.",
        "Go through the alarms that are on and have {day} among their repeat days, and take {minutes} minutes off the"
        " time of each.",
    ),
    make=_make_earlier_alarms,
    solve=_solve_earlier_alarms,
    program=Program(functions=(move_alarms_earlier,), call="move_alarms_earlier(day={day!r}, minutes={minutes!r})"),
    mistakes=(
        Mistake(name="another_day", swap={"day": "other_day"}),
        Mistake(name="first_page", old="all_pages(apis.phone.show_alarms, ", new="apis.phone.show_alarms("),
        Mistake(name="those_that_are_off_too", old=", is_enabled=True", new=""),
        Mistake(name="later", old="- timedelta(", new="+ timedelta("),
        Mistake(name="other_days_dropped", old="time=time.", new="repeat_days=[day.lower()], time=time."),
    ),
)


# Forward somebody's texts to somebody else.

_SAID = (
    "The key is under the blue pot.|We meet at the north gate.|Bring two folding chairs.|Parking is behind the mill.|"
    "The code for the gate is 4417.|Dinner starts at seven.|There is room for one more.|Take the second ferry.|"
    "Do not wear the good shoes.|I reserved under my name.|The dog may come along.|Ask for the corner table."
).split("|")


def _make_forward_texts_to(draw: Draw) -> Values | None:
    me, (person, sender, other, *_) = draw.me, acquaintances(draw)
    days = draw.rng.randint(12, 60)
    since = (draw.state.now - timedelta(days=days)).date()
    texts = iter(draw.rng.sample(_SAID, 11))
    texted(draw, sender, me, next(texts), datetime(since.year, since.month, since.day, 8, 5))  # that day counts
    for n in range(6):
        texted(draw, sender, me, next(texts), ago(draw, 1 + n * (days - 2) / 6))
    texted(draw, sender, me, next(texts), ago(draw, days + 0.6))  # the evening before does not
    texted(draw, me, sender, next(texts), ago(draw, days / 2))  # mine
    texted(draw, other, me, next(texts), ago(draw, days / 3))
    texted(draw, person, me, next(texts), ago(draw, days / 4))
    return {"sender": sender.name, "person": person.name, "since": since.isoformat(), "other_person": other.name}


def _solve_forward_texts_to(state: State, me: Person, values: Values) -> Json:
    sender, person = named(state, values["sender"]), named(state, values["person"])
    since = date.fromisoformat(values["since"])
    for row in state[TextMessage].of(me.id):
        if (row.sender, row.receiver) == (sender.id, me.id) and row.sent_at.date() >= since:
            send_text(state, me.id, person.id, row.text)


def forward_texts(sender: str, receiver: str, since: str) -> int:
    """Send every text received from a contact since a day (YYYY-MM-DD) on to another contact; return how many."""
    token = login(app="phone")
    number = contact_named(name=sender)["phone_number"]
    texts = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, direction="received", from_date=since
    )
    to = contact_named(name=receiver)["phone_number"]
    for message in reversed(texts):
        apis.phone.send_text_message(access_token=token, phone_number=to, text=message["text"])
    return len(texts)


forward_texts_to = Family(
    name="forward_texts_to",
    split="test_normal",
    difficulty=2,
    apps=("phone",),
    slots={"sender": str, "person": str, "since": str},
    wordings=(
        "Forward all text messages that {sender} has sent me since {since} (that day included) to {person}: one text"
        " for each, word for word, oldest first.",
        "{person} should know what {sender} wrote to me. From the texts I got from {sender} on {since} or later, send"
        " every single one on as a text of its own, unchanged, in the order they came.",
        "Please pass on to {person} whatever {sender} texted me from {since} onwards (inclusive), each message"
        " separately and with exactly the same words, beginning with the oldest.",
    ),
    make=_make_forward_texts_to,
    solve=_solve_forward_texts_to,
    program=Program(
        functions=(forward_texts,),
        call="forward_texts(sender={sender!r}, receiver={person!r}, since={since!r})",
    ),
    mistakes=(
        Mistake(name="to_another_person", swap={"person": "other_person"}),
        Mistake(name="from_another_person", swap={"sender": "other_person"}),
        Mistake(
            name="first_page",
            old="all_pages(\n        apis.phone.show_text_messages, access_token=token",
            new="apis.phone.show_text_messages(access_token=token",
        ),
        Mistake(name="all_time", old=", from_date=since", new=""),
        Mistake(name="both_ways", old=', direction="received"', new=""),
        Mistake(
            name="in_one_text",
            old="    for message in reversed(texts):\n",
            new='    together = "\\n".join(message["text"] for message in reversed(texts))\n'
            '    for message in [{"text": together}]:\n',
        ),
    ),
)


# Text somebody the songs of a playlist.

_SETS = "Barn Dance|Canal Walk|Farewell Mix|Garage Sale|Picnic Blanket|Ring Road|Snow Chains|Village Fair".split("|")


def _make_text_setlist(draw: Draw) -> Values | None:
    state, me, (person, other, *_) = draw.state, draw.me, acquaintances(draw)
    playlists = state[Playlist].of(me.id)
    title = draw.rng.choice([title for title in _SETS if title not in {playlist.title for playlist in playlists}])
    songs = [song.id for song in state[Song]]
    twin = change_playlist(state, draw.rng.choice(playlists[:3]).id, title=f"{title} {draw.rng.randint(2021, 2024)}")
    mine = create_playlist(state, me.id, title, draw.rng.sample(songs, draw.rng.randint(6, 11)))
    titles = [state[Song][song].title for song in mine.song_ids]
    if titles == sorted(titles):
        return None
    return {"title": title, "person": person.name, "other_title": twin.title, "other_person": other.name}


def _solve_text_setlist(state: State, me: Person, values: Values) -> Json:
    songs = next(row.song_ids for row in state[Playlist].of(me.id) if row.title == values["title"])
    text = "\n".join(sorted(state[Song][song].title for song in songs))
    send_text(state, me.id, named(state, values["person"]).id, text)


def text_songs_of_playlist(title: str, name: str) -> str:
    """Text a contact the song titles of a playlist in alphabetical order, one per line, and return the text."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token, query=title)
    playlist_id = next(playlist["playlist_id"] for playlist in playlists if playlist["title"] == title)
    songs = apis.music.show_playlist(access_token=token, playlist_id=playlist_id)["songs"]
    text = "\n".join(sorted(song["title"] for song in songs))
    number = contact_named(name=name)["phone_number"]
    apis.phone.send_text_message(access_token=login(app="phone"), phone_number=number, text=text)
    return text


text_setlist = Family(
    name="text_setlist",
    split="test_normal",
    difficulty=2,
    apps=("music", "phone"),
    slots={"title": str, "person": str},
    wordings=(
        'Text {person} the titles of all songs in my music playlist "{title}" in a single message: in alphabetical'
        " order, one title per line, nothing else.",
        '{person} asked what is on "{title}". Take the songs of that music playlist of mine, sort their titles from A'
        " to Z and send them as one text message, each title on its own line and no other words.",
        'Send one text to {person} that consists of just the song titles of my playlist "{title}", alphabetically, with'
        " a line break between them.",
    ),
    make=_make_text_setlist,
    solve=_solve_text_setlist,
    program=Program(
        functions=(text_songs_of_playlist,), call="text_songs_of_playlist(title={title!r}, name={person!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="the_similar_title", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if playlist["title"] == title', new=""),
        Mistake(name="not_sorted", old='sorted(song["title"]', new='list(song["title"]'),
    ),
)

FAMILIES = (earlier_alarms, forward_texts_to, text_setlist)
