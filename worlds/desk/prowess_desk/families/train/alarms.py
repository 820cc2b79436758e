"""Train families of alarms on the phone, two of them with notes."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import notes, phone
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import Alarm, change_alarm, create_alarm, delete_alarm, weekdays
from prowess_desk.apps.phone.rows import DAYS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import jotted, older_twin
from prowess_desk.families.scene import ago
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Delete the alarms that are off, but for those of a day of the week.

_HABITS = """Stretch break|Call home|Bins out|Check the mail|Tea time|Language lesson|Charge the bike|Choir|Market run|
Close the shop|Yoga|Fetch the kids|Radio show""".replace("\n", "").split("|")


def _make_clear_idle_alarms(draw: Draw) -> Values | None:
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


def _solve_clear_idle_alarms(state: State, me: Person, values: Values) -> Json:
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
    make=_make_clear_idle_alarms,
    solve=_solve_clear_idle_alarms,
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


def _make_lead_alarm(draw: Draw) -> Values | None:
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


def _solve_lead_alarm(state: State, me: Person, values: Values) -> Json:
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
    make=_make_lead_alarm,
    solve=_solve_lead_alarm,
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


def _make_alarms_from_timetable(draw: Draw) -> Values | None:
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


def _solve_alarms_from_timetable(state: State, me: Person, values: Values) -> Json:
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
    make=_make_alarms_from_timetable,
    solve=_solve_alarms_from_timetable,
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


# Take the days of an alarm off others that ring about the same time.

_CALLS = "Rowing at dawn|Night shift|Bake the bread|Insulin|Open the studio|Language exam|Milk the goats".split("|")


def _make_alarm_doubles(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    label, start, minutes = rng.choice(_CALLS), rng.randint(7 * 60, 20 * 60), rng.randint(6, 40)
    *days, one, two, three = rng.sample(DAYS, 7)

    def alarm(name: str, minute: int, days: list[str], *, on: bool = True) -> None:
        time = f"{(start + minute) // 60:02d}:{(start + minute) % 60:02d}"
        create_alarm(state, me.id, name, time, repeat_days=days, enabled=on, snooze_minutes=rng.choice((5, 10)))

    alarm(f"{label} (reserve)", -minutes - 30, [days[0], one])
    alarm("Spare bell", -minutes, [days[0], one])
    alarm("Second bell", 0, days[1:3])
    alarm(label, 0, days)
    alarm("Third bell", rng.randint(1, minutes - 1), list(DAYS))
    alarm("Old bell", 2, days[:2], on=False)
    alarm("Once only", 3, [])
    alarm("Days off", 1, [one, two, three])
    alarm("Late bell", minutes + 1, days[1:])
    return {"label": label, "minutes": minutes, "other_label": f"{label} (reserve)"}


def _solve_alarm_doubles(state: State, me: Person, values: Values) -> Json:
    mine = [alarm for alarm in state[Alarm].of(me.id) if alarm.enabled and alarm.repeat_days]
    main = next(alarm for alarm in mine if alarm.label == values["label"])
    times = {alarm.id: int(alarm.time[:2]) * 60 + int(alarm.time[3:]) for alarm in mine}
    for alarm in mine:
        if alarm is not main and abs(times[alarm.id] - times[main.id]) <= values["minutes"]:
            change_alarm(state, alarm.id, repeat_days={*alarm.repeat_days} - {*main.repeat_days})
            if not state[Alarm][alarm.id].repeat_days:
                delete_alarm(state, alarm.id)


def clear_around(label: str, minutes: int) -> int:
    """Take an alarm's days off all that are on and ring within so many minutes of it; return how many that changed."""
    token = login(app="phone")
    alarms = all_pages(apis.phone.show_alarms, access_token=token, is_enabled=True)
    main = next(alarm for alarm in alarms if alarm["label"] == label)
    moment = datetime.strptime(main["time"], "%H:%M")
    changed = 0
    for alarm in alarms:
        apart = abs(datetime.strptime(alarm["time"], "%H:%M") - moment)
        shared = set(alarm["repeat_days"]) & set(main["repeat_days"])
        if alarm is main or apart > timedelta(minutes=minutes) or not shared:
            continue
        left = [day for day in alarm["repeat_days"] if day not in shared]
        if left:
            apis.phone.update_alarm(access_token=token, alarm_id=alarm["alarm_id"], repeat_days=left)
        else:
            apis.phone.delete_alarm(access_token=token, alarm_id=alarm["alarm_id"])
        changed += 1
    return changed


alarm_doubles = Family(
    name="alarm_doubles",
    split="train",
    difficulty=3,
    apps=("phone",),
    slots={"label": str, "minutes": int},
    wordings=(
        'On the days of my alarm "{label}", no other alarm that is on and repeats should ring {minutes} minutes or less'
        " before or after it. Take those days off such alarms, and delete one that has no day left.",
        'My alarm labelled "{label}" is enough. Any other enabled repeating alarm at most {minutes} minutes away from'
        " it should lose the days on which that one rings, and be deleted if these are all its days.",
        'I get woken twice! Alarms that are on, repeat and are set within {minutes} minutes of "{label}" (earlier or'
        " later, {minutes} itself included) have to give up the days they share with it; delete those with none left.",
        'Clear the {minutes} minutes before and after "{label}", both ends included, of my other active repeating'
        " alarms, but only on the weekdays that alarm has. Whatever would lose all its days is to be deleted.",
        'Wherever one of my alarms that are on repeats on the same day as "{label}" and its time differs by {minutes}'
        ' minutes at most, it gives way: strike the days it shares with "{label}", and delete it if it has no others.',
    ),
    make=_make_alarm_doubles,
    solve=_solve_alarm_doubles,
    program=Program(functions=(clear_around,), call="clear_around(label={label!r}, minutes={minutes!r})"),
    mistakes=(
        Mistake(name="another_alarm", swap={"label": "other_label"}),
        Mistake(name="those_off_too", old=", is_enabled=True", new=""),
        Mistake(name="end_left_out", old="apart > timedelta", new="apart >= timedelta"),
        Mistake(name="only_later_ones", old="abs(datetime.strptime", new="(datetime.strptime"),
        Mistake(name="emptied_not_deleted", old="if left:", new="if True:"),
    ),
)


# Set an alarm for each step that has to be over when one leaves.

_STARTS = {
    "Airport morning": "shower|toast and coffee|close the suitcase|turn off the water|lock up|call the taxi",
    "Race day": "porridge|tape the ankles|pin on the number|stretch|fill the bottles|walk to the start",
    "Exam morning": "cold shower|eat something|read the summary|sharpen pencils|breathe|find the ticket",
    "First day at work": "iron the shirt|breakfast|polish shoes|pack lunch|tie the tie|check the route",
}


def _make_countdown_alarms(draw: Draw) -> Values | None:
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


def _solve_countdown_alarms(state: State, me: Person, values: Values) -> Json:
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
    make=_make_countdown_alarms,
    solve=_solve_countdown_alarms,
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

FAMILIES = (
    clear_idle_alarms,
    lead_alarm,
    alarms_from_timetable,
    alarm_doubles,
    countdown_alarms,
)
