"""Alarms: which of them are changed, and what to."""

from __future__ import annotations

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.edits.changes import (
    like,
    like_first,
    numbered,
    one_of,
    prefixed,
    shouted,
    suffixed,
    tailed,
)
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target
from prowess_practice.errands.transfers.scene import doubled_alarms

_LISTING = listed("phone", "alarms")
_TARGET = Target(
    word="alarms",
    app="phone",
    row="alarm",
    rows="alarms",
    reads=("alarms = all_pages(apis.phone.show_alarms, access_token=phone_token)",),
    mine="the alarms in my phone",
    name="label",
    called="label",
    update='apis.phone.update_alarm(access_token=phone_token, alarm_id=alarm["alarm_id"]',
    stage=doubled_alarms,
)


def _hour(sign: str, word: str, says: str) -> Condition:
    return Condition(
        word=word,
        says=says,
        about=f"that ring {word.split('_')[1]} a time",
        code=f'ROW["time"] {sign} clock',
        slot="clock",
        pick=lambda rng, rows: rng.choice([row["time"] for row in rows]),
    )


_MORNING = _hour("<", "ringing_before", 'set to a time before "{clock}"')
_EVENING = _hour(">=", "ringing_from", 'set to "{clock}" or later')
_ON, _OFF = _LISTING.flags
_LATER = 'moment = datetime.strptime(alarm["time"], "%H:%M") + timedelta(minutes=minutes)'
_EARLIER = _LATER.replace(" + ", " - ")
_MINUTES = one_of("minutes", "5|10|15|20|25|35|45|50", int)


_CHOICES = (
    *(by(_TARGET, one) for one in (*_LISTING.conditions, _MORNING, _EVENING)),
    by(_TARGET, _MORNING, _ON),
    by(_TARGET, _EVENING, _OFF),
    by(_TARGET, _LISTING.conditions[0], _ON),
    inside(
        _TARGET,
        "of_many_days",
        "MINE that ring on more than {days} days of the week",
        "that ring on many days",
        'len(alarm["repeat_days"]) > days',
        slots={"days": int},
        draws=lambda draw: {"days": draw.rng.randint(2, 4)},
    ),
    inside(
        _TARGET,
        "of_weekend",
        'MINE that ring on both "{first_day}" and "{second_day}"',
        "that ring on two days",
        'first_day in alarm["repeat_days"] and second_day in alarm["repeat_days"]',
        slots={"first_day": str, "second_day": str},
        draws=lambda draw: dict(
            zip(("first_day", "second_day"), draw.rng.sample(("monday", "tuesday", "friday", "sunday"), 2), strict=True)
        ),
    ),
    inside(
        _TARGET,
        "of_today",
        "MINE that ring on the weekday of today and have a snooze of at most {snooze} minutes",
        "of today's weekday, with a short snooze",
        'today in alarm["repeat_days"] and alarm["snooze_minutes"] <= snooze',
        before=('today = apis.phone.show_current_date_and_time()["weekday"]',),
        slots={"snooze": int},
        draws=lambda draw: {"snooze": draw.rng.randint(5, 14)},
    ),
    inside(
        _TARGET,
        "not_yet_today",
        "MINE with a snooze under {snooze} minutes that are set to a time later in the day than it is now",
        "that are set to later than now, with a short snooze",
        'alarm["time"] > now and alarm["snooze_minutes"] < snooze',
        before=('now = apis.phone.show_current_date_and_time()["time"]',),
        slots={"snooze": int},
        draws=lambda draw: {"snooze": draw.rng.randint(6, 12)},
    ),
    ranked(
        _TARGET,
        "earliest",
        ("the {count} alarms in my phone with the earliest times", "the first {count} alarms of the day in my phone"),
        "the earliest alarms",
        'alarm["time"]',
        highest=False,
    ),
    ranked(
        _TARGET,
        "latest",
        ("the {count} alarms in my phone with the latest times", "the last {count} alarms of the day in my phone"),
        "the latest alarms",
        'alarm["time"]',
        highest=True,
    ),
)
_CHANGES = (
    RowChange(
        word="delay",
        says=(
            "Add {minutes} minutes to the times of WHICH.",
            "TAKE Each should go off {minutes} minutes after the time it is set to now.",
            "I need {minutes} more minutes: move the times of WHICH back by that much, so that they ring later.",
        ),
        about="Set to some minutes later",
        each=(_LATER, _TARGET.updating('time=moment.strftime("%H:%M")')),
        slots=(_MINUTES,),
    ),
    tailed(
        _TARGET,
        "time",
        "f\"{alarm['label']} at {alarm['time']}\"",
        "LABEL at TIME",
        'the word "at" and the time for which it is set, such as 07:30',
        "the time",
    ),
    RowChange(
        word="advance",
        says=(
            "Let WHICH ring {minutes} minutes earlier than they do now.",
            "TAKE Move each of them forward by {minutes} minutes, to an earlier time.",
            "WHICH come too late for me. Take {minutes} minutes off the time of each.",
        ),
        about="Set to some minutes earlier",
        each=(_EARLIER, _TARGET.updating('time=moment.strftime("%H:%M")')),
        slots=(_MINUTES,),
    ),
    numbered(_TARGET, 'alarm["label"]', "in the alphabetical order of their labels"),
    like(_TARGET, "snooze_minutes", "snooze time", "the alarm"),
    RowChange(
        word="lengthen_snooze",
        says=(
            "Add {longer} minutes to the snooze of WHICH, but let no snooze get longer than {cap} minutes.",
            "TAKE Make their snooze {longer} minutes longer than it is, to {cap} minutes at most.",
            "The snooze of WHICH is too short: {longer} minutes more for each, capped at {cap} minutes.",
        ),
        about="Lengthen up to a cap the snooze of",
        each=(_TARGET.updating('snooze_minutes=min(cap, alarm["snooze_minutes"] + longer)'),),
        slots=(one_of("longer", "3|4|6|7", int), one_of("cap", "15|16|17", int)),
        matters=(('min(cap, alarm["snooze_minutes"] + longer)', 'alarm["snooze_minutes"] + longer'),),
    ),
    RowChange(
        word="add_day_to",
        says=(
            'Let WHICH ring on "{extra_day}" as well, besides the days they have.',
            'TAKE Add "{extra_day}" to the days on which each of them repeats, where it is missing.',
            'On "{extra_day}", too, WHICH should ring; their other days stay.',
        ),
        about="Add a day to",
        each=(_TARGET.updating('repeat_days=[*alarm["repeat_days"], extra_day]'),),
        slots=(one_of("extra_day", "monday|tuesday|wednesday|thursday|saturday|sunday"),),
        also='extra_day not in alarm["repeat_days"]',
        bars=("alarms_with_day",),
    ),
    RowChange(
        word="drop_day_from",
        says=(
            'Take "{free_day}" out of the days on which WHICH repeat.',
            'TAKE None of them should repeat on "{free_day}" any more; leave their other days alone.',
            'I want my peace on "{free_day}": remove that day, and only that, from the repeat days of WHICH.',
        ),
        about="Take a day from",
        each=(
            'other_days = [name for name in alarm["repeat_days"] if name != free_day]',
            _TARGET.updating("repeat_days=other_days"),
        ),
        slots=(one_of("free_day", "monday|tuesday|wednesday|friday|saturday|sunday"),),
    ),
    RowChange(
        word="toggle",
        says=(
            "Switch over WHICH: on becomes off, and off becomes on.",
            "TAKE Turn off those of them that are on, and turn on those that are off.",
            "WHICH should change sides: what is enabled gets disabled, what is disabled gets enabled.",
        ),
        about="Switch over",
        each=(_TARGET.updating('is_enabled=not alarm["is_enabled"]'),),
        bars=("alarms_ringing_before_is", "alarms_ringing_from_not", "alarms_with_day_is"),
    ),
    RowChange(
        word="copy_later",
        says=(
            'For each of WHICH, create a second alarm labelled "LABEL (again)", {minutes} minutes later, on the same'
            " days and with the same snooze; it is switched on.",
            'TAKE Each gets a companion that is switched on: the same repeat days and snooze, "(again)" after the label'
            " and a space, and a time {minutes} minutes later.",
            "I sleep too well. Add a new enabled alarm for every one of WHICH that rings {minutes} minutes after it,"
            " has"
            ' the same days and snooze minutes, and is labelled like it with " (again)" behind.',
        ),
        about="Add a later copy of",
        each=(
            _LATER,
            "apis.phone.create_alarm(access_token=phone_token, label=f\"{alarm['label']} (again)\", "
            'time=moment.strftime("%H:%M"), repeat_days=alarm["repeat_days"], snooze_minutes=alarm["snooze_minutes"])',
        ),
        slots=(_MINUTES,),
    ),
    prefixed(_TARGET),
    RowChange(
        word="full_hour",
        says=(
            "Round the times of WHICH down to the full hour, so that 07:35 becomes 07:00, and add {minutes} minutes.",
            "TAKE Set each to {minutes} minutes past the hour it has now: only the minutes of its time change.",
            "Keep the hour of WHICH, but change the minutes of the time to {minutes}.",
        ),
        about="Change the minutes of",
        each=('hour = alarm["time"][:2]', _TARGET.updating('time=f"{hour}:{minutes:02d}"')),
        slots=(_MINUTES,),
    ),
    like(_TARGET, "time", "time", "the alarm"),
    like_first(_TARGET, "repeat_days", "repeat days", 'alarm["label"]', "whose label comes first in the alphabet"),
    RowChange(
        word="space",
        says=(
            "Let WHICH ring {minutes} minutes apart, in the alphabetical order of their labels: the first at"
            ' "{first_time}", the second {minutes} minutes later, and so on.',
            'TAKE Sort them by label. The first should ring at "{first_time}", and each of the others {minutes} minutes'
            " after the one before.",
            'I want WHICH one after the other, every {minutes} minutes from "{first_time}" on, in alphabetical order'
            " of the"
            " labels.",
        ),
        about="Set some minutes apart, by label,",
        each=(
            'start = datetime.strptime(first_time, "%H:%M")',
            "moment = start + timedelta(minutes=minutes * (number - 1))",
            _TARGET.updating('time=moment.strftime("%H:%M")'),
        ),
        order='alarm["label"]',
        slots=(_MINUTES, one_of("first_time", "06:10|07:00|08:20|17:30")),
    ),
    RowChange(
        word="weekdays_only",
        says=(
            'Take Saturday and Sunday out of the repeat days of WHICH, and add "{suffix}" in brackets to the label, as'
            ' in "LABEL ({suffix})".',
            'TAKE Their repeat days lose saturday and sunday, and their labels get " ({suffix})" at the end.',
            'WHICH should leave my weekends alone: no more saturday or sunday among their days. Add " ({suffix})" to'
            " the labels, too.",
        ),
        about="Keep for weekdays only",
        each=(
            'days_left = [name for name in alarm["repeat_days"] if name not in ("saturday", "sunday")]',
            _TARGET.updating("label=f\"{alarm['label']} ({suffix})\", repeat_days=days_left"),
        ),
        slots=(one_of("suffix", "work|weekdays|office|short week"),),
        matters=((' if name not in ("saturday", "sunday")', ""),),
    ),
    shouted(_TARGET),
    RowChange(
        word="swap_day",
        says=(
            'Where WHICH repeat on "{old_day}", let them repeat on "{new_day}" instead.',
            'TAKE Move those that ring on "{old_day}" from that day to "{new_day}"; other days stay as they are.',
            'My "{old_day}" is full now. Among WHICH, whatever rings on that day should ring on "{new_day}" instead.',
        ),
        about="Swap a day of",
        each=(
            'swapped = [new_day if name == old_day else name for name in alarm["repeat_days"]]',
            _TARGET.updating("repeat_days=list(dict.fromkeys(swapped))"),
        ),
        slots=(one_of("old_day", "monday|tuesday|wednesday|friday|sunday"), one_of("new_day", "thursday|saturday")),
        also='old_day in alarm["repeat_days"]',
        bars=("alarms_with_day",),
    ),
    suffixed(_TARGET),
    tailed(
        _TARGET,
        "days",
        "f\"{alarm['label']} ({len(alarm['repeat_days'])} days)\"",
        "LABEL (NUMBER days)",
        "the number of days on which it repeats, in brackets as shown",
        "the number of days",
    ),
    RowChange(
        word="double_snooze",
        says=(
            "Double the snooze of WHICH.",
            "TAKE The snooze of each should last twice as long as it does.",
            "Multiply by two how many minutes of snooze WHICH have.",
        ),
        about="Double the snooze of",
        each=(_TARGET.updating('snooze_minutes=2 * alarm["snooze_minutes"]'),),
    ),
)
ALARMS = EditKind(target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("some_tasks", "other_notes"))
