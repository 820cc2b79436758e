"""Train families of what happened when: last plays, missed calls, the last payment, and photos of a trip."""

from __future__ import annotations

import re
from calendar import day_name
from collections import Counter
from datetime import date, datetime, time, timedelta

from prowess.types import Json
from prowess_desk.apps.files import File, directory_at, make_directory, move, parent
from prowess_desk.apps.music import Listener, PlayCount, Song, like_song, unlike_song
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import Call
from prowess_desk.apps.splits import Expense, Group, Repayment, repay
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, jotted, older_twin, others_in, spent, twin_groups
from prowess_desk.families.scene import acquaintances, ago, named
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Unlike what was not played lately.


def _make_unheard(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    days = rng.randint(12, 35)
    limit = state.now.date() - timedelta(days=days)
    heard = sorted(state[PlayCount].of(me), key=lambda row: row.last_at)
    old = [row for row in heard if row.last_at.date() < limit]
    recent = heard[len(old) :]
    if len(recent) < 8 or len(old) < 2 or recent[0].last_at.date() == limit:  # neither more nor less than so many days
        return None
    never = max(song.id for song in state[Song] if song.id not in {row.song for row in heard})
    for song in (recent[0].song, recent[1].song, recent[5].song, old[0].song, old[-1].song, never):
        like_song(state, me, song)
    return {"days": days, "other_days": (state.now.date() - recent[0].last_at.date()).days - 1}


def _solve_unheard(state: State, me: Person, values: Values) -> Json:
    last = {row.song: row.last_at for row in state[PlayCount].of(me.id)}
    for song in state[Listener][me.id].liked_song_ids:
        if song not in last or (state.now.date() - last[song].date()).days > values["days"]:
            unlike_song(state, me.id, song)


def unlike_songs_unheard_for(days: int) -> int:
    """Unlike the liked songs that were last played more than so many days ago, or never, and return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    limit = (today - timedelta(days=days)).isoformat()
    token = login(app="music")
    history = all_pages(apis.music.show_play_history, access_token=token)
    recent = {song["song_id"] for song in history if song["last_played_at"][:10] >= limit}
    liked = all_pages(apis.music.show_liked_songs, access_token=token)
    unheard = [song["song_id"] for song in liked if song["song_id"] not in recent]
    for song_id in unheard:
        apis.music.unlike_song(access_token=token, song_id=song_id)
    return len(unheard)


unlike_unheard = Family(
    name="unlike_unheard",
    split="train",
    difficulty=2,
    apps=("music", "phone"),
    slots={"days": int},
    wordings=(
        "Take back my like from every song on music that I have not played for more than {days} days. Liked songs that"
        " my play history does not have at all lose it as well.",
        "My liked songs should be ones I really listen to: go by the play history of the music app and unlike those I"
        " last heard more than {days} days ago, or never.",
        "Only songs that I have played in the last {days} days may stay among my likes on music. Take the like off all"
        " others, including songs that I never played.",
        "It has been more than {days} days since I listened to some of the songs I like on music, and some I have never"
        " played at all. Neither kind needs my like any more; the rest keep it.",
        "Look at when I last played each of my liked songs in the music app. If that was over {days} days ago, or if"
        " there is no such day because I never did, unlike the song.",
    ),
    make=_make_unheard,
    solve=_solve_unheard,
    program=Program(functions=(unlike_songs_unheard_for,), call="unlike_songs_unheard_for(days={days!r})"),
    mistakes=(
        Mistake(name="fewer_days", swap={"days": "other_days"}),
        Mistake(name="never_played_kept", old="not in recent]", new='in {one["song_id"] for one in history} - recent]'),
        Mistake(name="by_release", old='song["last_played_at"]', new='song["release_date"]'),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)


# The weekday on which most calls were missed.


def _ring(draw: Draw, day: date, seconds: int = 0, *, mine: bool = False) -> None:
    ends = draw.rng.choice(acquaintances(draw)).id, draw.me.id
    caller, callee = ends[::-1] if mine else ends
    at = datetime.combine(day, time(draw.rng.randint(7, 21), draw.rng.randint(0, 59)))
    draw.state[Call].add(lambda id: Call(id=id, caller=caller, callee=callee, started_at=at, seconds=seconds))


def _make_missed(draw: Draw) -> Values | None:
    rng, calls = draw.rng, draw.state[Call]
    last = draw.state.now.date() - timedelta(days=rng.randint(9, 20))
    first, eve, week = last - timedelta(days=rng.randint(29, 45)), last - timedelta(days=1), timedelta(days=7)
    for n in range(9):
        _ring(draw, eve if n < 3 else eve + week)  # most of them too late
        _ring(draw, eve, rng.randint(20, 900))  # answered
        _ring(draw, eve, mine=True)  # nobody answered me
        _ring(draw, eve - week * ((eve - first).days // 7 + 1))  # too early
    missed = [call.started_at.date() for call in calls.of(draw.me.id) if call.callee == draw.me.id and not call.seconds]
    counts = Counter(day.weekday() for day in missed if first <= day <= last)
    lead = max(counts.values()) + 1 - counts[last.weekday()]
    if lead < 2 or last in missed:
        return None
    for n in range(lead):
        _ring(draw, last if n < 2 else last - week)  # without the last day there are too few
    return {"first": first.isoformat(), "last": last.isoformat(), "other_last": eve.isoformat()}


def _solve_missed(state: State, me: Person, values: Values) -> Json:
    first, last = date.fromisoformat(values["first"]), date.fromisoformat(values["last"])
    calls = [call for call in state[Call].of(me.id) if call.callee == me.id and call.seconds == 0]
    days = [call.started_at.weekday() for call in calls if first <= call.started_at.date() <= last]
    return day_name[max(range(7), key=days.count)]


def missed_calls_weekday(first: str, last: str) -> str:
    """Count the incoming calls missed from one day to another, both included, and return the weekday with most."""
    token = login(app="phone")
    period = {"from_date": first, "to_date": last}
    calls = all_pages(apis.phone.show_call_log, access_token=token, direction="incoming", is_missed=True, **period)
    counts = Counter(date.fromisoformat(call["started_at"][:10]).strftime("%A") for call in calls)
    return max(counts, key=lambda weekday: counts[weekday])


weekday_of_missed_calls = Family(
    name="weekday_of_missed_calls",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"first": str, "last": str},
    wordings=(
        "On which day of the week did I miss the most calls from {first} to {last}, both days included?",
        "Count the incoming calls that I missed between {first} and {last} (the first and the last day count, too) by"
        " day of the week. Which weekday leads?",
        "Calls keep slipping by me. Going by the call log of my phone from {first} up to and including {last}, which"
        " weekday had the most incoming calls that I did not take? Just name the day.",
        "I want to know when I am hardest to reach. Tell me the weekday with the most missed calls to me on my phone."
        " The time to look at starts with {first} and ends with {last}, and both of these days belong to it.",
        "Is it Mondays, or which other day? Find out on what day of the week people called me in vain most often, in"
        " the days from {first} through {last}, according to my phone.",
    ),
    make=_make_missed,
    solve=_solve_missed,
    program=Program(functions=(missed_calls_weekday,), call="missed_calls_weekday(first={first!r}, last={last!r})"),
    mistakes=(
        Mistake(name="last_day_left_out", swap={"last": "other_last"}),
        Mistake(name="answered_too", old=", is_missed=True", new=""),
        Mistake(name="own_calls_too", old=' direction="incoming",', new=""),
        Mistake(name="earlier_ones_too", old='"from_date": first, ', new=""),
        Mistake(name="until_today", old=', "to_date": last', new=""),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
    asks=True,
)


# What is new in a group since the last payment to somebody.


def _repaid(draw: Draw, payer: Person, receiver: Person, days: int, group: int | None) -> None:
    row = repay(draw.state, draw.me.id, payer.id, receiver.id, draw.rng.randint(300, 9_000), group=group)
    draw.state[Repayment].change(row.id, created_at=ago(draw, days))


def _make_since(draw: Draw) -> Values | None:
    rng, state, me, groups = draw.rng, draw.state, draw.me, twin_groups(draw, least=3)
    if groups is None:
        return None
    group, older = groups
    person, rival = others_in(draw, group)[:2]
    for row in state[Repayment].of(("group", group.id)):
        state[Repayment].change(row.id, created_at=row.created_at - timedelta(days=100))
    for payer, receiver, days in ((me, person, 70), (me, person, 40), (person, me, 12), (me, rival, 5)):
        _repaid(draw, payer, receiver, days, group.id)
    _repaid(draw, me, person, 8, None)
    for n in range(14):
        payer, days = (rival if n % 4 == 3 else person), 48 - 3 * n
        ids = [id for id in group.member_ids if n != 10 or id != me.id]  # not for me
        shares = {id: rng.randint(150, 4_000) for id in ids}
        spent(draw, rng.choice(("Pancakes", "Ferry", "Lemons", "Kayak")), payer, shares, group=group, days=days)
    return {"group": group.name, "person": person.name, "other_group": older.name, "other_person": rival.name}


def _solve_since(state: State, me: Person, values: Values) -> Json:
    group = next(each.id for each in state[Group].of(me.id) if each.name == values["group"])
    person, total = named(state, values["person"]).id, 0
    backs = [row for row in state[Repayment].of(("group", group)) if (row.payer, row.receiver) == (me.id, person)]
    for row in state[Expense].of(("group", group)):
        if row.payer == person and all(back.created_at < row.created_at for back in backs):
            total += dict(row.shares).get(me.id, 0)
    return total / 100


def share_since_payback(group: str, person: str) -> float:
    """Add up the own shares in what a member has paid for a group since the last payment to them in it."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    payments = all_pages(apis.splits.show_payments, access_token=token, group_id=group_id)
    last = max((payment["created_at"] for payment in payments if payment["receiver"]["name"] == person), default="")
    expenses = all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id)
    later = [each for each in expenses if each["paid_by"]["name"] == person and each["created_at"] > last]
    own_email = apis.supervisor.show_profile()["email"]
    return round(sum(part["amount"] for each in later for part in each["shares"] if part["email"] == own_email), 2)


new_since_payback = Family(
    name="new_since_payback",
    split="train",
    difficulty=2,
    apps=("splits",),
    slots={"group": str, "person": str},
    wordings=(
        'How much do my shares add up to in what {person} has paid for the splits group "{group}" since I last paid'
        " {person} back there?",
        'Find the last payment from me to {person} that is recorded in my splits group "{group}". Of the expenses there'
        " that {person} paid after it, what is my part in all?",
        'I have paid {person} back before in "{group}" on splits. Everything that {person} paid for that group after'
        " the latest of those payments is new to me: what is the sum of my shares in it?",
        'Look at the expenses of the splits group "{group}" that {person} paid. Leave out those from before my most'
        " recent payment to {person} in this group, add up what my part is in the others and tell me the sum.",
        'Going by splits, I once gave {person} money back in "{group}", perhaps several times, and the last time is'
        " what matters. How much of what {person} has spent for that group from then on falls on me?",
    ),
    make=_make_since,
    solve=_solve_since,
    program=Program(functions=(share_since_payback,), call="share_since_payback(group={group!r}, person={person!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="either_way", old='if payment["receiver"]["name"] == person', new="if person in str(payment)"),
        Mistake(name="from_the_start", old=' and each["created_at"] > last', new=""),
        Mistake(name="any_group", old="access_token=token, group_id=group_id", new="access_token=token"),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
    asks=True,
)


# Sort photos by the trips of a note.

_PLACES = "Lisbon Oslo Prague Dublin Verona Ghent Malaga Tromso Bergen Porto Krakow Seville".split()
_SIGHTS = "tower harbor bridge square tram sunset market cat".split()


def _make_trips(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    folder, other = rng.sample(("~/pictures", "~/camera", "~/travel-photos", "~/documents/snaps"), 2)
    day, lines, old = state.now.date() - timedelta(days=rng.randint(300, 330)), ["Days of travel count, too."], []
    for path in (folder, other, f"{folder}/kept"):
        make_directory(state, me.id, at_home(me, path))
    for n, place in enumerate(rng.sample(_PLACES, 4)):
        first, last = day, day + timedelta(days=rng.randint(3, 9))
        day = last + timedelta(days=rng.randint(20, 40))
        lines.append(f"{place}: {first} to {last}")
        old.append(f"{place}: {first + timedelta(days=1)} to {last + timedelta(days=2)}")
        ends = (first - timedelta(days=1), last + timedelta(days=1), first, last)
        for taken in ends if n else ends[:2]:  # the first trip has no photo
            filed(draw, f"{folder}/{taken}-{rng.choice(_SIGHTS)}.jpg", "photo", days=40)
        filed(draw, f"{other if n % 2 else folder + '/kept'}/{first}-{rng.choice(_SIGHTS)}.jpg", "photo", days=40)
    filed(draw, f"{folder}/panorama.jpg", "photo", days=40)
    title = rng.choice(("Trips", "Travel days", "Where we were", "Our journeys"))
    jotted(draw, title, "\n".join(lines), days=20)
    jotted(draw, older_twin(title), "\n".join(old), days=200)
    return {"title": title, "folder": folder, "other_title": older_twin(title), "other_folder": other}


def _solve_trips(state: State, me: Person, values: Values) -> Json:
    top = at_home(me, values["folder"])
    for line in note_titled(state, me.id, values["title"]).content.split("\n")[1:]:
        place, _, first, _, last = line.replace(":", " :").split()
        for file in state[File].of(me.id):
            name = file.path.rpartition("/")[2]
            if parent(file.path) == top and first <= name <= f"{last}~":
                if directory_at(state, me.id, f"{top}/{place}") is None:
                    make_directory(state, me.id, f"{top}/{place}")
                move(state, me.id, file.path, f"{top}/{place}/{name}")


def file_trip_photos(folder: str, note_title: str) -> int:
    """Move the photos of a folder from the days of the trips in a note to folders of the places; return how many."""
    token = login(app="files")
    trips = re.findall(r"^(\w+): (\S{10}) to (\S{10})$", read_note(title=note_title)["content"], re.MULTILINE)
    paths = apis.files.show_directory(access_token=token, directory_path=folder)["files"]
    moved = 0
    for place, first_day, last_day in trips:
        names = [path.split("/")[-1] for path in paths if first_day <= path.split("/")[-1][:10] <= last_day]
        target = f"{folder}/{place}"
        if names:
            apis.files.create_directory(access_token=token, directory_path=target)
        for name in names:
            new_path = f"{target}/{name}"
            apis.files.move_file(access_token=token, file_path=f"{folder}/{name}", destination_path=new_path)
        moved += len(names)
    return moved


photos_by_trip = Family(
    name="photos_by_trip",
    split="train",
    difficulty=3,
    apps=("files", "notes"),
    slots={"title": str, "folder": str},
    wordings=(
        'My note "{title}" has a line per trip with the place, the first and the last day. Move each file right in'
        " {folder} whose name starts with a day of a trip (first and last included) into a new folder in {folder} that"
        " is named like the place. A place without such files gets no folder.",
        "Sort the photos lying directly in {folder}: their names begin with the date. Whatever was taken during a trip"
        ' of my note "{title}", from its first day through its last, goes into a folder of the name of the place, which'
        " you create in {folder} if there is anything to put into it.",
        'I have been to the places in my note "{title}", from and to the days that stand there. Put the pictures from'
        " all these days into new folders in {folder}, one per place and called just that, but no empty ones. I mean"
        " the files in {folder} itself with a date in front, not those below.",
        'For every journey in my note "{title}" that has pictures in {folder} (its first and its last day count), make'
        " a folder there with the name of the place and move them into it. The names of the pictures start with the"
        " day; what is already in a folder of {folder} stays there.",
        "Where did I take these? If the date in front of the name of a picture right in {folder} is a day of a trip in"
        ' my note "{title}", the two that stand there and all between, move it one level down to a folder with the name'
        " of that place. Make those folders, but none that would be empty.",
    ),
    make=_make_trips,
    solve=_solve_trips,
    program=Program(functions=(file_trip_photos,), call="file_trip_photos(folder={folder!r}, note_title={title!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_folder", swap={"folder": "other_folder"}),
        Mistake(name="last_day_left_out", old="[:10] <= last_day", new="[:10] < last_day"),
        Mistake(name="first_day_left_out", old="if first_day <= path", new="if first_day < path"),
        Mistake(name="empty_folders", old="if names:", new="if target:"),
    ),
)

FAMILIES = (unlike_unheard, weekday_of_missed_calls, new_since_payback, photos_by_trip)
