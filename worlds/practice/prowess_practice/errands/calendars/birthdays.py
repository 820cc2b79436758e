"""Contacts and their birthdays: chosen by month, weekday, age, or how soon the next one is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from prowess_desk.engine.family import Day

from prowess_practice.errands.calendars.choices import CHOICES, DayChoice, Rows, days_of
from prowess_practice.errands.calendars.plan import take
from prowess_practice.errands.calendars.sink import FRIENDS, CalendarSink, calling, each
from prowess_practice.errands.calendars.sources import DatedSource
from prowess_practice.errands.calendars.when import When
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.scene import flush
from prowess_practice.errands.transfers.parts import one_of

CONTACTS = DatedSource(
    word="contacts",
    app="phone",
    row="contact",
    many="contacts in my phone",
    reading="all_pages(apis.phone.show_contacts, TOKEN)",
    field="birthday",
    clause="who were born",
    its="the birthday",
    by="when they were born",
    name='ROW["name"]',
    called="name",
    what="name of the person",
    tags=("contact",),
    precise=False,
    test='ROW["birthday"]',
    person="ROW",
    role="the person",
)
_GREETING = one_of("greeting", "Happy birthday in advance!", "Your day is coming up!", "Many happy returns!")
_COMING = (
    "    first = date.fromisoformat(day)\n"
    "    found = []\n"
    "    for ROW in ROWS:\n"
    "        birthday = date.fromisoformat(DAY).replace(year=first.year)\n"
    "        if birthday < first:\n"
    "            birthday = birthday.replace(year=first.year + 1)\n"
    "        if (birthday - first).days <= days:\n"
    "            found.append(ROW)\n"
)


def _month(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any]:
    return {"month_name": f"{rng.choice(days_of(source, rows)):%B}"}


def _soon(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any]:
    born = rng.choice(days_of(source, rows))
    start = date(2025, born.month, min(born.day, 28)) - timedelta(days=rng.randint(1, 20))
    return {"day": Day(start), "days": rng.choice((30, 45, 60, 75))}


def _age(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any]:
    born = rng.choice(days_of(source, rows)[1:-1] or [date(1980, 1, 1)])
    return {"day": Day(date(2025, rng.randint(1, 12), rng.randint(1, 28))), "age": 2025 - born.year}


def _decade(rng: Random, source: DatedSource, rows: Rows) -> dict[str, Any]:
    return {"decade": rng.choice(days_of(source, rows)).year // 10 * 10}


_BORN = (
    DayChoice(
        word="born_in",
        says='who have their birthday in "{month_name}", in whatever year,',
        about="with a birthday in a month",
        test='date.fromisoformat(DAY).strftime("%B") == month_name',
        slots={"month_name": str},
        pick=_month,
    ),
    DayChoice(
        word="coming_up",
        says="whose next birthday, counted from {day} on, is no more than {days} days after that day",
        about="with a birthday soon after a day",
        code=_COMING,
        drop=("if (birthday - first).days <= days", "if True"),
        slots={"day": Day, "days": int},
        pick=_soon,
    ),
    DayChoice(
        word="of_age",
        says="who are at least {age} years old on {day}",
        about="of at least an age on a day",
        code=(
            "    on = date.fromisoformat(day)\n"
            "    found = []\n"
            "    for ROW in ROWS:\n"
            "        born = date.fromisoformat(DAY)\n"
            "        years = on.year - born.year - ((on.month, on.day) < (born.month, born.day))\n"
            "        if years >= age:\n"
            "            found.append(ROW)\n"
        ),
        drop=("if years >= age", "if True"),
        slots={"day": Day, "age": int},
        pick=_age,
    ),
    DayChoice(
        word="of_decade",
        says="who were born in the ten years that begin with {decade}",
        about="born in a decade",
        test="decade <= int(MOMENT[:4]) <= decade + 9",
        slots={"decade": int},
        pick=_decade,
    ),
)
_FITTING = ("on_weekday", "before_named", "at_weekend", "early_in_month", "after_named", "between")
_CHOICES = (*_BORN, *(one for one in CHOICES if one.word in _FITTING))
_YEAR = one_of("year", 2025, 2026)
_THAT = "        birthday = date.fromisoformat(DAY).replace(year=year)\n"
_WHENS = (
    When(
        word="ahead",
        says="{ahead} days before the birthday in {year}",
        code=f"{_THAT}        due = birthday - timedelta(days=ahead)\n",
        slots=(one_of("ahead", 2, 3, 5, 7, 10), _YEAR),
        drop=(" - timedelta(days=ahead)", ""),
    ),
    When(
        word="weekend_before",
        says="on the last Saturday before the birthday in {year} (never on the birthday itself)",
        code=(
            f"{_THAT}        due = birthday - timedelta(days=1)\n"
            "        while due.weekday() != 5:\n"
            "            due -= timedelta(days=1)\n"
        ),
        slots=(_YEAR,),
        drop=("due.weekday() != 5", "False"),
    ),
    When(
        word="month_start",
        says="on the first day of the month of the birthday in {year}",
        code="        due = date.fromisoformat(DAY).replace(year=year, day=1)\n",
        slots=(_YEAR,),
        drop=(", day=1)", ")"),
    ),
)
_NUMBER = 'phone_number=ROW["phone_number"]'
_SINKS = (
    CalendarSink(
        word="gift_task_for",
        do="create a task in my todo app for each of ALL",
        about="create a task for the birthdays of ALL",
        apps=("todo",),
        code="    for ROW in found:\nWHEN"
        + calling("todo.create_task", 'title=f"{start_word} {QNAME}"; due_date=due.isoformat()'),
        rest=(
            ' It is called "{start_word} " and then the full name, and it is due WHENSAYS.',
            ' It is due WHENSAYS. The title is "{start_word} NAME", with the full name.',
        ),
        slots=(one_of("start_word", "Gift for", "Card for", "Cake for", "Call"),),
    ),
    CalendarSink(
        word="party_project_of",
        do='make a new todo project "{new_project}" with a task for each of ALL',
        about="make a project with a task for the birthdays of ALL",
        apps=("todo",),
        before='    project_id = apis.todo.create_project(access_token=todo_token, name=new_project)["project_id"]\n',
        code="    for ROW in found:\nWHEN"
        + calling("todo.create_task", "title=NAME; project_id=project_id; due_date=due.isoformat()"),
        rest=(
            " The full name is the title of the task, which is due WHENSAYS.",
            " Each task is due WHENSAYS and has the full name as its title.",
        ),
        slots=(one_of("new_project", "Birthdays", "Parties", "Presents"),),
    ),
    CalendarSink(
        word="birthday_note_of",
        do='write a new note "{heading}" about ALL',
        about="write a note of the birthdays of ALL",
        apps=("notes",),
        code="    found.sort(key=lambda ROW: (MOMENT[5:], NAME))\n"
        '    lines = [f"{QMOMENT[5:]} {QNAME}" for ROW in found]\n'
        '    apis.notes.create_note(access_token=notes_token, title=heading, content="\\n".join(lines))\n',
        rest=(
            ' One line each, such as "03-21 Ada Lovelace": month and day of the birthday, a space, the full name. Sort'
            " by month and day (the same day: by name).",
            " The lines are sorted by month and day, then by name, and look like this: 03-21 Ada Lovelace.",
        ),
        slots=(one_of("heading", "Birthday calendar", "Who is born when", "Candles"),),
        drops=(("(MOMENT[5:], NAME)", "NAME"),),
    ),
    CalendarSink(
        word="birthday_file_of",
        do='write a new file "{file_path}" about ALL',
        about="write a file of the weekdays of the birthdays of ALL",
        apps=("files",),
        code="    lines = []\n"
        "    for ROW in sorted(found, key=lambda ROW: NAME):\n"
        "        birthday = date.fromisoformat(DAY).replace(year=year)\n"
        "        lines.append(f\"{QNAME},{birthday.isoformat()},{birthday.strftime('%A')}\")\n"
        '    apis.files.create_file(access_token=files_token, file_path=file_path, content="\\n".join(lines))\n',
        rest=(
            " One line each, by name from A to Z: the full name, the birthday in {year} as in 2025-03-21 and the"
            " weekday of that day, with commas and no spaces between the three.",
            " Sorted by name, it has lines such as Ada Lovelace,2025-03-21,Friday: the birthday is that in {year}, and"
            " the weekday is the one of that day.",
        ),
        slots=(one_of("file_path", "~/birthdays.csv", "~/candles.csv", "~/parties.csv"), _YEAR),
        drops=((".replace(year=year)", ""),),
    ),
    CalendarSink(
        word="greet",
        do='send the text message "{greeting}" to ALL',
        about="text ALL",
        code=each("phone.send_text_message", f"{_NUMBER}; text=greeting"),
        slots=(_GREETING,),
    ),
    CalendarSink(
        word="sing_to",
        do="leave a voice message for each of ALL",
        about="leave a voice message on the age of each of ALL",
        code="    for ROW in found:\n"
        "        years = year - int(MOMENT[:4])\n"
        '        transcript = f"{greeting} You turn {years} in {year}."\n'
        + calling("phone.send_voice_message", f"{_NUMBER}; transcript=transcript"),
        rest=(
            ' It says "{greeting} You turn AGE in {year}.", with the age that the person reaches in that year.',
            ' Everybody hears "{greeting} You turn AGE in {year}." For AGE, put how old the person gets in that year.',
        ),
        slots=(_GREETING, _YEAR),
    ),
    CalendarSink(
        word="gift_money_for",
        do="make a wallet payment to each of ALL",
        about="pay a dollar for each year of age to ALL",
        apps=("wallet",),
        code="    for ROW in found:\n"
        "        years = year - int(MOMENT[:4])\n"
        + calling("wallet.send_payment", 'receiver_email=ROW["email"]; amount=float(years); note=greeting'),
        rest=(
            " The amount is one dollar for every year of the age that the person reaches in {year}, and the note"
            ' is "{greeting}".',
            ' With the note "{greeting}", send as many dollars as the person gets years old in {year}.',
        ),
        slots=(_GREETING, _YEAR),
        scene=lambda draw: flush(draw, 900_000),
    ),
    CalendarSink(
        word="befriend",
        do="make wallet friends of ALL",
        about="make wallet friends of ALL unless they are",
        apps=("wallet",),
        before=FRIENDS,
        code='    for ROW in found:\n        if ROW["email"] not in friends:\n'
        + calling("wallet.add_friend", 'email=ROW["email"]', indent=12),
        rest=(" Leave out those who are my friends there already.", " Whoever is one already stays one."),
    ),
    CalendarSink(
        word="party_group_of",
        do='make a new splits group "{group_name}" of me and ALL',
        about="make a splits group of ALL",
        apps=("splits",),
        code='    member_emails = sorted(ROW["email"] for ROW in found)\n'
        "    apis.splits.create_group(access_token=splits_token, name=group_name, member_emails=member_emails)\n",
        slots=(one_of("group_name", "Birthday bunch", "Party fund", "Cake club"),),
    ),
    CalendarSink(
        word="birthday_alarm_for",
        do='create an alarm at "{clock}" on my phone for each of ALL',
        about="create an alarm on the weekday of the birthday of each of ALL",
        code="    for ROW in found:\n"
        "        birthday = date.fromisoformat(DAY).replace(year=year)\n"
        '        weekday_name = birthday.strftime("%A").lower()\n'
        + calling("phone.create_alarm", "label=NAME; time=clock; repeat_days=[weekday_name]"),
        rest=(
            " Its label is the full name, and it repeats on the weekday of the birthday in {year}.",
            " It repeats on one weekday, that on which the birthday falls in {year}; the full name is the label.",
        ),
        slots=(one_of("clock", "07:05", "08:20", "18:45"), _YEAR),
        drops=((".replace(year=year)", ""),),
    ),
    CalendarSink(
        word="ask_for_share_of",
        do='send a wallet request of {amount} dollars with the note "{greeting}" to ALL',
        about="ask ALL for money",
        apps=("wallet",),
        code=each("wallet.request_payment", 'payer_email=ROW["email"]; amount=amount; note=greeting'),
        slots=(one_of("amount", 5.0, 7.5, 12.0, 20.0), _GREETING),
    ),
    CalendarSink(
        word="mark",
        do='add the relationship "{kind}" to ALL',
        about="add a relationship to ALL",
        code="    for ROW in found:\n"
        '        relationships = ROW["relationships"] + [kind]\n'
        + calling("phone.update_contact", 'contact_id=ROW["contact_id"]; relationships=relationships'),
        rest=(" They keep those they have.", " What they are to me already stays."),
        slots=(one_of("kind", "party guest", "pen pal", "club member", "teammate"),),
    ),
)


def made() -> Iterator[Errand]:
    """Errands on birthdays."""
    return take(_SINKS, (CONTACTS,), _CHOICES, _WHENS, each={False: 7, True: 12}, exact=True)
