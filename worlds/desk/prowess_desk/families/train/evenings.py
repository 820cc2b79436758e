"""Train families that prepare a morning, a dinner, a party and an evening out."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import music, notes, phone, splits, wallet
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import group_called, jotted, older_twin
from prowess_desk.families.scene import acquaintances, ago, in_contacts, named, texted, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login, read_note

# Set an alarm for each step that has to be over when one leaves.

_STARTS = {
    "Airport morning": "shower|toast and coffee|close the suitcase|turn off the water|lock up|call the taxi",
    "Race day": "porridge|tape the ankles|pin on the number|stretch|fill the bottles|walk to the start",
    "Exam morning": "cold shower|eat something|read the summary|sharpen pencils|breathe|find the ticket",
    "First day at work": "iron the shirt|breakfast|polish shoes|pack lunch|tie the tie|check the route",
}


def _make_countdown(draw: Draw) -> Values | None:
    rng, title = draw.rng, draw.rng.choice(sorted(_STARTS))
    steps = rng.sample(_STARTS[title].split("|"), 6)
    for name, count in ((older_twin(title), 4), (title, 5)):
        lines = [f"{step}: {rng.randint(4, 32)} min" for step in steps[:count]]
        lines[2:2] = ["(getting up does not take 5 min)", f"{steps[5]}: the evening before"]
        jotted(draw, name, "\n".join(("One after the other:", *lines, "The way there takes 25 min")))
    phone.create_alarm(draw.state, draw.me.id, steps[0], "05:15", enabled=False)  # from last time
    hour, minute = rng.randint(8, 13), rng.randint(0, 59)
    time, later = (f"{hour + n:02d}:{minute:02d}" for n in (0, 1))
    return {"title": title, "time": time, "other_title": older_twin(title), "other_time": later}


def _solve_countdown(state: State, me: Person, values: Values) -> Json:
    content = notes.note_titled(state, me.id, values["title"]).content
    lines = [line.split(": ") for line in content.split("\n") if ": " in line and line.endswith(" min")]
    start = 60 * int(values["time"][:2]) + int(values["time"][3:]) - sum(int(rest[:-4]) for _, rest in lines)
    times = []
    for step, rest in lines:
        times.append(f"{start // 60:02d}:{start % 60:02d}")
        phone.create_alarm(state, me.id, step, times[-1])
        start += int(rest[:-4])
    return times[0]


def set_step_alarms(note_title: str, end: str) -> str:
    """Set an alarm for the start of each step of a note (`step: 5 min`), all over at HH:MM; return the first time."""
    steps = re.findall(r"^(.+): (\d+) min$", read_note(title=note_title)["content"], flags=re.MULTILINE)
    token, clock = login(app="phone"), datetime.strptime(end, "%H:%M")
    for step, minutes in reversed(steps):
        clock -= timedelta(minutes=int(minutes))
        apis.phone.create_alarm(access_token=token, label=step, time=clock.strftime("%H:%M"))
    return clock.strftime("%H:%M")


countdown_alarms = Family(
    name="countdown_alarms",
    split="train",
    difficulty=1,
    apps=("notes", "phone"),
    slots={"title": str, "time": str},
    wordings=(
        'Set a new alarm that rings once for the start of each step in my note "{title}", labelled like it. Steps are'
        ' lines such as "shower: 15 min", done one after the other, the last to be over at {time}. When (HH:MM) is the'
        " first?",
        'I leave at {time} sharp. Before that come the steps of the note "{title}", in its order and without a break:'
        " name, colon, so many min; any other line is a remark. Give each a new alarm of its name, no repeat days, for"
        " when it begins, and tell me what time the earliest one rings, written like {time}.",
        'At what time, as HH:MM, do I have to start to be through with "{title}" by {time}? Lines like tea: 5 min in'
        " that note are steps, done from top to bottom. Make a new one-time alarm for the start of each, too, named"
        " after the step.",
        'Count back from {time}, when I must be done. What I do is in the note "{title}", first thing on top, always as'
        " name: minutes min. At the beginning of each I want a new alarm that does not repeat, with the name as its"
        " label. Other lines do not count. Answer with the time of the first alarm (HH:MM).",
        'Add new alarms, just once, for when the steps in my note "{title}" (like "walk: 20 min") begin, if they end at'
        " {time}, one following the other as listed. Label: the bare name of the step. Tell me the first time, HH:MM.",
    ),
    make=_make_countdown,
    solve=_solve_countdown,
    program=Program(functions=(set_step_alarms,), call="set_step_alarms(note_title={title!r}, end={time!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_time", swap={"time": "other_time"}),
        Mistake(name="last_step_first", old="in reversed(steps)", new="in steps"),
        Mistake(name="remarks_too", old=r"^(.+): (\d+) min$", new=r"^(.+) (\d+) min\)?$"),
        Mistake(name="every_monday", old="label=step, ", new='label=step, repeat_days=["monday"], '),
        Mistake(name="all_after_it", old="clock -= timedelta", new="clock += timedelta"),
    ),
)


# Fill the time of a dinner with songs that have rested.


def _make_rested(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    before = (state.now - timedelta(days=rng.randint(8, 16))).replace(hour=0, minute=0)
    queue, counts = state[music.Player][me.id].queue, state[music.PlayCount]
    rows = sorted((row for row in counts.of(me.id) if row.song not in queue), key=lambda row: -row.plays)
    counts.change(rows[0].id, last_at=before + timedelta(hours=rng.randint(1, 20)))  # that very day
    rested = [row for row in rows[1:] if row.last_at < before]
    if len(rested) < 10:
        return None
    music.enqueue(state, me.id, rested.pop(rng.randint(0, 2)).song)  # it is in the queue
    lengths = [state[music.Song][row.song].seconds for row in rested]
    total = next(sum(lengths[:n]) for n in range(rng.randint(5, 7), 9) if sum(lengths[:n]) % 60)
    day, later = (f"{before + timedelta(days=n):%Y-%m-%d}" for n in (0, 1))
    return {"before": day, "minutes": total // 60, "other_before": later}


def _solve_rested(state: State, me: Person, values: Values) -> Json:
    missing = 60 * values["minutes"]
    for row in sorted(state[music.PlayCount].of(me.id), key=lambda row: row.plays, reverse=True):
        if missing > 0 and f"{row.last_at}" < values["before"] and row.song not in state[music.Player][me.id].queue:
            music.enqueue(state, me.id, row.song)
            missing -= state[music.Song][row.song].seconds


def queue_rested(before: str, minutes: int) -> int:
    """Queue songs last played before a day, most played first, until they fill some minutes; return how many."""
    token = login(app="music")
    queued = {song["song_id"] for song in apis.music.show_player(access_token=token)["queue"]}
    history = all_pages(apis.music.show_play_history, access_token=token)
    rested = [song for song in history if song["last_played_at"][:10] < before and song["song_id"] not in queued]
    seconds = count = 0
    for song in sorted(rested, key=lambda song: song["my_play_count"], reverse=True):
        if seconds >= 60 * minutes:
            break
        apis.music.add_to_queue(access_token=token, song_id=song["song_id"])
        seconds += song["duration"]
        count += 1
    return count


fill_dinner_queue = Family(
    name="fill_dinner_queue",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"before": str, "minutes": int},
    wordings=(
        "Add songs that I last played before {before} to my music queue, the one I have played most often first and so"
        " on, until what you added lasts {minutes} minutes or more. Leave out what is in the queue already.",
        "Guests for dinner! I need {minutes} minutes of music I have not heard lately. Go through the songs of my play"
        " history whose last play was earlier than {before}, from my highest play count down, and put them at the end"
        " of the queue, except those that are in it. Stop once the added songs run for {minutes} minutes or longer.",
        "Queue songs I have played, but not on {before} or later, behind what is in the queue (none that it holds),"
        " those with the most plays by me first. Once these additions come to at least {minutes} minutes, stop.",
        "Please lengthen my music queue by at least {minutes} minutes: take my listening history, drop what was played"
        " on or after {before} and what the queue holds, sort the rest by how often I have played it, most first, and"
        " append song by song. The one with which the {minutes} minutes are reached is the last.",
        "Which songs did I love and then forget? Those last played before {before}. Queue them, my most played first,"
        " none that is in the queue, just as many as it takes to fill {minutes} minutes (a bit over is fine, less is"
        " not).",
    ),
    make=_make_rested,
    solve=_solve_rested,
    program=Program(functions=(queue_rested,), call="queue_rested(before={before!r}, minutes={minutes!r})"),
    mistakes=(
        Mistake(name="a_day_later", swap={"before": "other_before"}),
        Mistake(name="one_too_few", old="if seconds >=", new='if seconds + song["duration"] >'),
        Mistake(name="fewest_plays_first", old=", reverse=True", new=""),
        Mistake(name="plays_by_all", old='song["my_play_count"]', new='song["play_count"]'),
        Mistake(name="queued_again", old=' and song["song_id"] not in queued', new=""),
        Mistake(name="first_page", old="all_pages(apis.music.show_play_history, ", new="apis.music.show_play_history("),
    ),
)


# Invite people with a text that a note has the words for.

_INVITATIONS = {
    "Bonfire invitation": "Hi NAME! We light the fire on DATE at eight. Tell me if DATE is bad for you.",
    "Housewarming words": "Dear NAME, the new flat is ready. See you on DATE? Keep DATE free!",
    "Quiz night message": "Quiz on DATE, NAME, are you in? I book the table the day before DATE.",
    "Farewell text": "NAME, I am moving away. My last party is on DATE.\nBring a story. After DATE it is too late.",
}
_MARKS = (("NAME", "DATE"), ("WHO", "WHEN"), ("XXX", "YYY"), ("GUEST", "EVENING"))


def _make_invite(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    relation, other = rng.sample(("friend", "coworker", "roommate"), 2)
    if not widened(draw, relation, other, least=8):
        return None
    *names, _ = [row.name for row in state[phone.Contact].of(me.id) if relation in row.relationships]
    no, never, had, nearly = (named(state, name) for name in rng.sample(names, 4))  # the last contact is to come
    friends = tuple(sorted({id for id, _ in me.relations} - {no.id, never.id}))
    state[wallet.WalletAccount].change(me.id, friend_ids=friends)
    (title, words), (who, when) = rng.choice(sorted(_INVITATIONS.items())), rng.choice(_MARKS)
    words = words.replace("NAME", who).replace("DATE", when)
    jotted(draw, title, words, days=9)
    jotted(draw, older_twin(title), f"Join us, {who}: {words}", days=370)
    day, wrong = ((state.now + timedelta(days=n)).date().isoformat() for n in (rng.randint(9, 40), 45))
    for person, said in ((had, day), (nearly, wrong)):
        texted(draw, me, person, words.replace(who, person.first).replace(when, said), ago(draw, 2))
    values = {"relation": relation, "title": title, "who": who, "when": when, "day": day}
    return {**values, "other_title": older_twin(title)}


def _solve_invite(state: State, me: Person, values: Values) -> Json:
    words = notes.note_titled(state, me.id, values["title"]).content
    sent = {(row.receiver, row.text) for row in state[phone.TextMessage].of(me.id) if row.sender == me.id}
    for person in in_contacts(state, me, values["relation"]):
        text = values["day"].join(words.replace(values["who"], person.first).split(values["when"]))
        if person.id in state[wallet.WalletAccount][me.id].friend_ids and (person.id, text) not in sent:
            phone.send_text(state, me.id, person.id, text)


def text_template_to(relation: str, title: str, name_mark: str, day_mark: str, day: str) -> int:
    """Text wallet friends of a relation a note with first name and day put in for marks, unless sent; say how many."""
    template = read_note(title=title)["content"].replace(day_mark, day)
    friends = {friend["email"] for friend in all_pages(apis.wallet.show_friends, access_token=login(app="wallet"))}
    token = login(app="phone")
    texts = all_pages(apis.phone.show_text_messages, access_token=token, direction="sent")
    sent = {(text["receiver"]["phone_number"], text["text"]) for text in texts}
    count = 0
    for contact in contacts_who_are(relationship=relation):
        number, text = contact["phone_number"], template.replace(name_mark, contact["name"].split()[0])
        if contact["email"] in friends and (number, text) not in sent:
            apis.phone.send_text_message(access_token=token, phone_number=number, text=text)
            count += 1
    return count


invite_by_template = Family(
    name="invite_by_template",
    split="train",
    difficulty=3,
    apps=("notes", "wallet", "phone"),
    slots={"relation": str, "title": str, "who": str, "when": str, "day": str},
    wordings=(
        'Text what my note "{title}" says to each {relation} in my phone who is a friend of mine on wallet, too, with'
        " the first name for {who} and {day} for each {when}. Whoever has had exactly that text from me gets no second"
        " one.",
        "It is on {day}! Whom to invite by text: contacts listed as {relation}, but only those among my wallet friends."
        ' What to say: the content of the note "{title}", where {who} stands for the first name and each {when} for'
        " {day}, just as written here. I started yesterday, so skip people I have sent this very text to.",
        'My note "{title}" is a form with {who} (the first name) and {when} (always {day}). Fill it in for everybody my'
        " phone calls {relation} who is a wallet friend as well and text it to them, unless I have sent them just that"
        " before.",
        'Not every {relation} in my contacts is invited, just my friends on wallet. Text them what the note "{title}"'
        " says, each {when} replaced by {day} and {who} by the first name. Nobody gets the same text from me twice.",
        'Invitations, please! Template: the note "{title}". {when} becomes {day} all through, {who} the first name.'
        " They go out as text messages to people who are both listed as {relation} in my phone and wallet friends."
        " Somebody may have been sent precisely the same text before: leave them out.",
    ),
    make=_make_invite,
    solve=_solve_invite,
    program=Program(
        functions=(text_template_to,),
        call="text_template_to(relation={relation!r}, title={title!r}, name_mark={who!r}, day_mark={when!r},"
        " day={day!r})",
    ),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_date_only", old=".replace(day_mark, day)", new=".replace(day_mark, day, 1)"),
        Mistake(name="full_names", old='contact["name"].split()[0]', new='contact["name"]'),
        Mistake(name="whole_relation", old='contact["email"] in friends and ', new=""),
        Mistake(name="a_second_time", old=" and (number, text) not in sent", new=""),
    ),
)


# On which evening can most of a group come?

_CLUBS = ("Tango Beginners", "Sauna Crew", "Film Circle", "Chess Table", "Karaoke Gang", "Soup Kitchen")
_WORDS = ("Evenings:", "Free on:", "Works for me:", "My days:", "I could make:")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _make_evening(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    people, name, (start, other) = acquaintances(draw), rng.choice(_CLUBS), rng.sample(_WORDS, 2)
    if len(people) < 10:
        return None
    for title, members in ((f"{name} 2024", people[5:10]), (name, people[:7])):
        splits.create_group(state, me.id, title, [person.id for person in members])
    a, b, c, d, e = rng.sample(_DAYS, 5)
    said = {5: [c, d], 6: [c, e], 4: [b, d], 7: [b], 0: [a, b], 8: [b, e], 1: [a], 9: [b], 2: [a, c], 3: [a, b]}
    replaced = {0: [c], 1: [c, e], 2: [c]}  # they changed their minds
    for n, (person, days) in enumerate([*said.items(), *replaced.items()]):  # the latest first
        texted(draw, people[person], me, f"{start} {', '.join(days)}", state.now - timedelta(hours=9 * n + 2))
    texted(draw, people[1], me, f"{other} {d}", ago(draw, 1))
    return {"group": name, "start": start, "other_group": f"{name} 2024", "other_start": other}


def _solve_evening(state: State, me: Person, values: Values) -> Json:
    votes = []
    for id in group_called(state, me, values["group"]).member_ids:
        texts = [row for row in state[phone.TextMessage].of(me.id) if row.sender == id]
        texts = sorted((row for row in texts if values["start"] in row.text), key=lambda row: row.sent_at)
        votes += [day for row in texts[-1:] for day in _DAYS if day in row.text]
    return max(_DAYS, key=votes.count)


def evening_for_most(group: str, start: str) -> str:
    """Return the weekday that most members of a group name in their latest text to me with this start."""
    groups = all_pages(apis.splits.show_groups, access_token=login(app="splits"), query=group)
    members = next(each["members"] for each in groups if each["name"] == group)
    token = login(app="phone")
    latest: dict = {}
    for text in all_pages(apis.phone.show_text_messages, access_token=token, query=start, direction="received"):
        if text["text"].startswith(start):
            latest.setdefault(text["sender"]["name"], text["text"].removeprefix(start))  # the latest come first
    days = [day for member in members for day in re.findall(r"\w+day", latest.get(member["name"], ""))]
    return max(days, key=days.count)


evening_for_group = Family(
    name="evening_for_group",
    split="train",
    difficulty=3,
    apps=("splits", "phone"),
    slots={"group": str, "start": str},
    wordings=(
        'On which day of the week can most members of my splits group "{group}" come? They texted me their days after'
        ' the words "{start}", with which such a text begins. If somebody sent several, only the last one counts.',
        'I asked around when to meet. The answers are texts to me that start with "{start}" and then name weekdays.'
        ' Count only people in "{group}" on splits, and of each only the most recent answer: which day has the most'
        " votes?",
        'Find the best weekday for "{group}" (my group in splits). Members have sent me texts beginning "{start}", then'
        " the days that suit; a later one replaces those before. I need the day that suits the most of them.",
        'Texts of the form "{start} Monday, Friday" tell me who is free when. People change their minds, so go by the'
        ' newest of each person, and ignore everybody outside the splits group "{group}". Which day gets named most?',
        'Which weekday should I propose to "{group}"? Take, for every member of that splits group, the latest text to'
        ' me that starts with "{start}", see what days it lists, and give me the day listed by most of them.',
    ),
    make=_make_evening,
    solve=_solve_evening,
    program=Program(functions=(evening_for_most,), call="evening_for_most(group={group!r}, start={start!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="other_texts", swap={"start": "other_start"}),
        Mistake(name="first_answers", old="latest.setdefault(", new="latest.__setitem__("),
        Mistake(name="anybody", old="for member in members", new='for member in [{"name": name} for name in latest]'),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)

FAMILIES = (countdown_alarms, fill_dinner_queue, invite_by_template, evening_for_group)
