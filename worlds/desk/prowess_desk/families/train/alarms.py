"""Train families of the phone app: alarms and voice messages, one of them with notes."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import (
    Alarm,
    VoiceMessage,
    change_alarm,
    create_alarm,
    delete_alarm,
    delete_voice,
    send_voice,
    weekdays,
)
from prowess_desk.apps.phone.rows import DAYS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import jotted, older_twin
from prowess_desk.families.scene import acquaintances, ago
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Delete the alarms that are off, but for those of a day of the week.

_HABITS = """Stretch break|Call home|Bins out|Check the mail|Tea time|Language lesson|Charge the bike|Choir|Market run|
Close the shop|Yoga|Fetch the kids|Radio show""".replace("\n", "").split("|")


def _make_idle(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    day, other, *rest = rng.sample(DAYS, 7)
    labels = iter(rng.sample(_HABITS, 12))
    times = iter(rng.sample(range(6, 22), 12))

    def alarm(days: list[str], *, on: bool = False) -> None:
        time = f"{next(times):02d}:{rng.randint(10, 59)}"
        create_alarm(state, me.id, next(labels), time, repeat_days=days, enabled=on)

    for days in (rest[:1], rest[1:3], rest[2:5], rest[3:], [other, rest[0]], [], []):  # the last two ring once
        alarm(days)
    for days in ([day], [day, other, rest[4]]):
        alarm(days)  # these two stay
    for days in ([other, rest[1]], [], [day]):
        alarm(days, on=True)
    return {"day": day.capitalize(), "other_day": other.capitalize()}


def _solve_idle(state: State, me: Person, values: Values) -> Json:
    for alarm in state[Alarm].of(me.id):
        if not alarm.enabled and values["day"].lower() not in alarm.repeat_days:
            delete_alarm(state, alarm.id)


def delete_idle_alarms_except(weekday: str) -> int:
    """Delete every alarm that is off, except those that repeat on a day of the week, and return how many."""
    token = login(app="phone")
    alarms = all_pages(apis.phone.show_alarms, access_token=token, is_enabled=False)
    idle = [alarm for alarm in alarms if weekday.lower() not in alarm["repeat_days"]]
    for alarm in idle:
        apis.phone.delete_alarm(access_token=token, alarm_id=alarm["alarm_id"])
    return len(idle)


clear_idle_alarms = Family(
    name="clear_idle_alarms",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"day": str},
    wordings=(
        "Delete all my alarms that are switched off, except those that repeat on a {day}.",
        "My alarm list is a mess. Whatever is turned off there can be deleted for good, unless {day} is among the days"
        " it repeats on. Alarms that are on stay.",
        "I still need the alarms that repeat on {day}. Of the others, remove every one from my phone that is disabled,"
        " also those that would ring only once; leave the enabled ones alone.",
    ),
    make=_make_idle,
    solve=_solve_idle,
    program=Program(functions=(delete_idle_alarms_except,), call="delete_idle_alarms_except(weekday={day!r})"),
    mistakes=(
        Mistake(name="another_day", swap={"day": "other_day"}),
        Mistake(name="every_idle_one", old=' if weekday.lower() not in alarm["repeat_days"]', new=""),
        Mistake(name="only_that_day", old="weekday.lower() not in", new="weekday.lower() in"),
        Mistake(name="those_on_too", old=", is_enabled=False", new=""),
        Mistake(name="once_kept", old="if weekday.lower() not", new='if alarm["repeat_days"] and weekday.lower() not'),
        Mistake(name="first_page", old="all_pages(apis.phone.show_alarms, ", new="apis.phone.show_alarms("),
    ),
)


# Set an alarm some minutes before another.

_FIRST_CALLS = "Put the kettle on|Get dressed|Pack the bag|Warm up|Leave the house|Open the blinds".split("|")
_MAIN_CALLS = "Train to town|Rehearsal|Night class|Clinic|Ferry|Training|Tram".split("|")


def _make_ahead(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    hour, minute = rng.randint(6, 20), 5 * rng.randint(0, 6)
    label, days = rng.choice(_MAIN_CALLS), rng.sample(DAYS, rng.randint(2, 4))
    alarm, twin = rng.sample(state[Alarm].of(draw.me.id), 2)
    change_alarm(state, twin.id, label=label, time=f"{hour + 1:02d}:{minute:02d}", repeat_days=days)
    change_alarm(state, alarm.id, label=label, time=f"{hour:02d}:{minute:02d}", repeat_days=days)
    change_alarm(state, alarm.id, enabled=False, snooze_minutes=rng.choice((3, 6, 8, 20, 25)))
    return {
        "alarm": alarm.id,
        "minutes": minute + rng.randint(2, 29),  # the hour before
        "label": rng.choice(_FIRST_CALLS),
        "other_alarm": twin.id,
    }


def _solve_ahead(state: State, me: Person, values: Values) -> Json:
    alarm = state[Alarm][values["alarm"]]
    hour, minute = divmod(int(alarm.time[:2]) * 60 + int(alarm.time[3:]) - values["minutes"], 60)
    days, snooze = alarm.repeat_days, alarm.snooze_minutes
    create_alarm(state, me.id, values["label"], f"{hour:02d}:{minute:02d}", repeat_days=days, snooze_minutes=snooze)


def create_alarm_ahead_of(alarm_id: int, minutes: int, label: str) -> str:
    """Create an alarm some minutes before another, with its days and snooze, and return the time it rings."""
    token = login(app="phone")
    alarm = apis.phone.show_alarm(access_token=token, alarm_id=alarm_id)
    time = (datetime.strptime(alarm["time"], "%H:%M") - timedelta(minutes=minutes)).strftime("%H:%M")
    days, snooze = alarm["repeat_days"], alarm["snooze_minutes"]
    apis.phone.create_alarm(access_token=token, label=label, time=time, repeat_days=days, snooze_minutes=snooze)
    return time


lead_alarm = Family(
    name="lead_alarm",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"alarm": int, "minutes": int, "label": str},
    wordings=(
        'Set a new alarm "{label}" that rings {minutes} minutes before my alarm with the id {alarm}, on the same days'
        " and with the same snooze time. It should be on, whether the other one is or not.",
        "Alarm number {alarm} on my phone needs another one ahead of it, {minutes} minutes earlier: call it"
        ' "{label}", copy the days it repeats on and how long a snooze lasts, and have it switched on. Do not touch'
        " the existing alarm.",
        "I want to be warned {minutes} minutes ahead of alarm {alarm} (that is its id). Please add an enabled alarm"
        ' labelled "{label}" for that time, repeating on the days that one does, snooze as long as there.',
    ),
    make=_make_ahead,
    solve=_solve_ahead,
    program=Program(
        functions=(create_alarm_ahead_of,),
        call="create_alarm_ahead_of(alarm_id={alarm!r}, minutes={minutes!r}, label={label!r})",
    ),
    mistakes=(
        Mistake(name="another_alarm", swap={"alarm": "other_alarm"}),
        Mistake(name="afterwards", old=" - timedelta(", new=" + timedelta("),
        Mistake(name="just_once", old=", repeat_days=days", new=""),
        Mistake(name="usual_snooze", old=", snooze_minutes=snooze", new=""),
        Mistake(name="off_like_it", old="time=time, ", new='time=time, is_enabled=alarm["is_enabled"], '),
        Mistake(
            name="moved_instead",
            old="apis.phone.create_alarm(access_token=token, ",
            new="apis.phone.update_alarm(access_token=token, alarm_id=alarm_id, ",
        ),
    ),
)


# Make alarms of the times in a note.

_PLANS = {
    "Medicine plan": "iron tablet|eye drops|cough syrup|blood pressure pill|vitamin drops|knee ointment",
    "Puppy schedule": "puppy breakfast|garden visit|puppy training|short walk|puppy dinner|last walk",
    "Sourdough steps": "feed the starter|mix the dough|first fold|second fold|shape the loaf|start the oven",
    "Exam routine": "review cards|mock test|read a chapter|solve problems|recite formulas|pack up",
    "Greenhouse rounds": "open vents|mist the seedlings|water the tomatoes|check the heater|draw the shade|close vents",
}


def _make_timetable(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    title = rng.choice(list(_PLANS))
    labels = _PLANS[title].split("|")
    times = [f"{2 * n + 7:02d}:{rng.randint(10, 59)}" for n in range(6)]
    days, others = (weekdays(rng.sample(DAYS, 3)) for _ in range(2))
    if days == others:
        return None
    lines = [f"{time} {label}" for time, label in zip(times, labels, strict=True)]
    rng.shuffle(lines)
    heading = f"Begun on {ago(draw, 20).date()}, at 06:30 nobody is up"
    jotted(draw, title, "\n".join((heading, *lines, "Ask again in June.")), days=10)
    twin = older_twin(title)
    jotted(draw, twin, "\n".join(f"{time[:3]}05 {label}" for time, label in zip(times, labels, strict=True)), days=380)
    late, early, same = rng.sample(range(6), 3)
    create_alarm(state, me.id, labels[late], "22:05", repeat_days=others, snooze_minutes=5)
    create_alarm(state, me.id, labels[early], "05:35", repeat_days=("sunday",), enabled=False)
    create_alarm(state, me.id, labels[same], times[same], repeat_days=others)  # rings then already
    create_alarm(state, me.id, f"{labels[late]} again", "22:45", repeat_days=days)  # another one
    said, unsaid = ([day.capitalize() for day in each] for each in (days, others))
    return {"title": title, "days": said, "other_title": twin, "other_days": unsaid}


def _solve_timetable(state: State, me: Person, values: Values) -> Json:
    mine = {alarm.label: alarm for alarm in state[Alarm].of(me.id)}
    content = note_titled(state, me.id, values["title"]).content
    for time, label in re.findall(r"(?m)^(\d\d:\d\d) (.+)$", content):
        if label in mine:
            change_alarm(state, mine[label].id, time=time)
        else:
            create_alarm(state, me.id, label, time, repeat_days=[day.lower() for day in values["days"]])


def set_alarms_from_note(title: str, days: list) -> int:
    """Make an alarm of each line `HH:MM label` of a note, or change the time of the one there is; return how many."""
    lines = read_note(title=title)["content"].splitlines()
    plan = [line.split(" ", 1) for line in lines if re.match(r"\d\d:\d\d ", line)]
    repeat_days = [day.lower() for day in days]
    token = login(app="phone")
    alarms = {alarm["label"]: alarm["alarm_id"] for alarm in all_pages(apis.phone.show_alarms, access_token=token)}
    for time, label in plan:
        if label in alarms:
            apis.phone.update_alarm(access_token=token, alarm_id=alarms[label], time=time)
        else:
            apis.phone.create_alarm(access_token=token, label=label, time=time, repeat_days=repeat_days)
    return len(plan)


alarms_from_timetable = Family(
    name="alarms_from_timetable",
    split="train",
    difficulty=3,
    apps=("notes", "phone"),
    slots={"title": str, "days": list},
    wordings=(
        'My note "{title}" has lines that begin with a time. Set an alarm for each, labelled like the rest of the line'
        " and repeating on {days}. Where I have an alarm of exactly that label already, just change its time to the"
        " one in the note.",
        'I need phone alarms on {days} for what the note "{title}" lists: every line there that starts with a time of'
        " day gives the time and, after it, the label. If an alarm with that very label exists, do not make another,"
        " only correct its time and leave its days and everything else as they are.",
        'Go through "{title}" in my notes. Each line of the form time, space, name should have an alarm of that name at'
        " that time. Those alarms I already have under the same name only get the new time, nothing more; the missing"
        " ones you create, to repeat on {days}.",
    ),
    make=_make_timetable,
    solve=_solve_timetable,
    program=Program(functions=(set_alarms_from_note,), call="set_alarms_from_note(title={title!r}, days={days!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="other_days", swap={"days": "other_days"}),
        Mistake(name="made_again", old="if label in alarms:", new="if False:"),
        Mistake(name="old_times_kept", old="alarm_id=alarms[label], time=time", new="alarm_id=alarms[label]"),
        Mistake(name="days_changed_too", old="[label], time=time", new="[label], time=time, repeat_days=repeat_days"),
        Mistake(name="turned_on_too", old="[label], time=time", new="[label], time=time, is_enabled=True"),
        Mistake(
            name="first_page",
            old="all_pages(apis.phone.show_alarms, access_token=token)",
            new="apis.phone.show_alarms(access_token=token)",
        ),
    ),
)


# Delete the long voice messages of the past and say how long they were.

_SPEECH = """So I finally went to see the flat and it is lovely.|They say the road will be closed until late autumn.|
Anyway, the kitchen is tiny but the light is really nice.|I tried the recipe you sent me and everybody liked it.|
Then I met the old teacher at the bus stop, imagine that.|Oh, and please remind me to give back your blue bowl.|
The weather here has been awful for more than a week now.|You would not believe how long the line at customs was.
""".replace("\n", "").split("|")


def _make_voices(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    days = rng.randint(20, 70)
    before = (draw.state.now - timedelta(days=days)).date()

    def left(sender: Person, receiver: Person, sentences: int, when: datetime) -> VoiceMessage:
        sent = send_voice(draw.state, sender.id, receiver.id, " ".join(rng.sample(_SPEECH, sentences)))
        return draw.state[VoiceMessage].change(sent.id, sent_at=when)

    few = rng.randint(2, 4)
    limit = left(people[0], me, few, ago(draw, days + 9)).seconds  # just as long is not longer
    for n in range(7):
        left(people[n % 5], me, rng.randint(few + 1, 8), ago(draw, days + 2 + 8 * n))
    left(people[1], me, few + 2, datetime(before.year, before.month, before.day, 8, 20))  # that day is not before it
    left(people[2], me, few + 1, ago(draw, days / 3))
    left(me, people[3], few + 2, ago(draw, days + 15))
    left(people[4], me, few - 1, ago(draw, days + 30))
    return {"before": before.isoformat(), "limit": limit, "other_before": (before - timedelta(days=25)).isoformat()}


def _solve_voices(state: State, me: Person, values: Values) -> Json:
    total, before = 0, date.fromisoformat(values["before"])
    for row in state[VoiceMessage].of(me.id):
        if row.receiver == me.id and row.seconds > values["limit"] and row.sent_at.date() < before:
            total += row.seconds
            delete_voice(state, me.id, row.id)
    return total


def delete_long_voices(before: str, seconds: int) -> int:
    """Delete received voice messages from before a day (YYYY-MM-DD) that last longer; return their total seconds."""
    token = login(app="phone")
    voices = all_pages(apis.phone.show_voice_messages, access_token=token, direction="received")
    long = [voice for voice in voices if voice["sent_at"][:10] < before and voice["duration"] > seconds]
    for voice in long:
        apis.phone.delete_voice_message(access_token=token, message_id=voice["message_id"])
    return sum(voice["duration"] for voice in long)


purge_long_voices = Family(
    name="purge_long_voices",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"before": str, "limit": int},
    wordings=(
        "Delete the voice messages I received before {before} that last longer than {limit} seconds, and tell me how"
        " many seconds of recording those were altogether.",
        "How many seconds of talk do I get rid of if all voice messages of more than {limit} seconds that people sent"
        " me before {before} go? Tell me the sum, and do delete them. My own stay.",
        "Free some space on my phone: of the voice messages that came in earlier than {before}, not on the day itself,"
        " erase each one that runs over {limit} seconds. What is their total length in seconds?",
    ),
    make=_make_voices,
    solve=_solve_voices,
    program=Program(functions=(delete_long_voices,), call="delete_long_voices(before={before!r}, seconds={limit!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_day", swap={"before": "other_before"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="just_as_long", old='voice["duration"] > seconds', new='voice["duration"] >= seconds'),
        Mistake(name="own_ones_too", old=', direction="received"', new=""),
        Mistake(name="counted", old='sum(voice["duration"] for voice in long)', new="len(long)"),
        Mistake(
            name="first_page", old="all_pages(apis.phone.show_voice_messages, ", new="apis.phone.show_voice_messages("
        ),
    ),
)

FAMILIES = (clear_idle_alarms, lead_alarm, alarms_from_timetable, purge_long_voices)
