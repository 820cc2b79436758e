"""Values that errands on people take besides those of their rows: words, amounts, titles, names of what is there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from prowess_desk.apps.files import File, home
from prowess_desk.apps.notes import Note
from prowess_desk.apps.splits import Group
from prowess_desk.apps.todo import INBOX, Project, TodoTask
from prowess_desk.engine.family import Day, Draw

from prowess_practice.errands.people.plan import PeopleSlot


def _one_of(words: str) -> Callable[[Draw], Any]:
    choices = words.split("|")
    return lambda draw: draw.rng.choice(choices)


def _own_note(draw: Draw) -> str | None:
    titles = [note.title for note in draw.state[Note].of(draw.me.id) if "people" not in note.tags]
    return draw.rng.choice(titles) if titles else None


def _project(draw: Draw) -> str | None:
    found = [one.name for one in draw.state[Project].of(draw.me.id) if not one.archived and one.name != INBOX]
    return draw.rng.choice(found) if found else None


def _task(draw: Draw) -> str | None:
    mine = draw.state[TodoTask].of(draw.me.id)
    titles = [task.title for task in mine if not task.done and ":" not in task.title]
    return draw.rng.choice(titles) if titles else None


def _group(draw: Draw) -> str | None:
    found = [group.name for group in draw.state[Group].of(draw.me.id)]
    return draw.rng.choice(found) if found else None


def _file(draw: Draw) -> str | None:
    paths = [file.path for file in draw.state[File].of(draw.me.id) if file.path.endswith((".txt", ".md"))]
    return draw.rng.choice(paths) if paths else None


def _path(draw: Draw) -> str:
    folder = draw.rng.choice([file.path for file in draw.state[File].of(draw.me.id)]).rpartition("/")[0]
    return f"{folder}/{draw.rng.choice(('people', 'names', 'overview', 'circle', 'tally'))}.txt"


def _folder(draw: Draw) -> str:
    return f"{home(draw.me)}/{draw.rng.choice(('cards', 'people', 'letters', 'per-person'))}"


def _day(draw: Draw) -> Day:
    return Day((draw.state.now + timedelta(days=draw.rng.randint(2, 40))).date().isoformat())


def _amount(draw: Draw) -> float:
    return draw.rng.randint(20, 120) / 10


def _whole(draw: Draw) -> float:
    return float(draw.rng.randint(20, 150))


MESSAGE = PeopleSlot(
    name="message",
    kind=str,
    choose=_one_of(
        "Are we still on for Friday?|Please call me back when you can.|I have a new number soon, stay tuned.|"
        "Thank you for everything!|Do you have an hour tomorrow?|I am moving house next month.|Party at mine"
        " on Saturday!|"
        "Have you seen my blue umbrella?|Let us settle things this week.|I am back in town."
    ),
)
START = PeopleSlot(
    name="start",
    kind=str,
    choose=_one_of("By my count:|My books say|For the record:|Between us it comes to|Your total this year:|So far:"),
)
PAYMENT = PeopleSlot(name="amount", kind=float, choose=_amount)
COST = PeopleSlot(name="cost", kind=float, choose=_whole)
REASON = PeopleSlot(
    name="reason",
    kind=str,
    choose=_one_of(
        "Thank you|Round of coffee|Spring fund|Settling up|Small present|Cinema next week|Bus fare|Snack box"
    ),
)
TITLE = PeopleSlot(
    name="title",
    kind=str,
    choose=_one_of(
        "People of interest|Names and numbers|Who is who|For the address book|Circle|Tally|My round|Roll call"
    ),
)
VERB = PeopleSlot(name="verb", kind=str, choose=_one_of("Call|Thank|Visit|Invite|Write to|Meet|Remind|Check on"))
TIME = PeopleSlot(name="alarm_time", kind=str, choose=_one_of("07:10|08:25|12:40|17:35|18:20|20:05"))
DUE = PeopleSlot(name="due_day", kind=Day, choose=_day)
PRIORITY = PeopleSlot(name="priority", kind=int, choose=lambda draw: draw.rng.randint(1, 3))
PROJECT = PeopleSlot(name="project", kind=str, choose=_project)
NEW_PROJECT = PeopleSlot(
    name="new_project",
    kind=str,
    choose=_one_of("Keeping in touch|Social calls|Follow-ups|Reunion|My people|Thank-yous"),
)
TASK = PeopleSlot(name="own_task", kind=str, choose=_task)
OWN_NOTE = PeopleSlot(name="own_note", kind=str, choose=_own_note)
NEW_FILE = PeopleSlot(name="new_file", kind=str, choose=_path)
OWN_FILE = PeopleSlot(name="own_file", kind=str, choose=_file)
FOLDER = PeopleSlot(name="new_folder", kind=str, choose=_folder)
NEW_GROUP = PeopleSlot(
    name="new_group",
    kind=str,
    choose=_one_of("Harbor Evening|Picnic Round|Gift Circle|Lantern Walk|Jam Session|Raft Trip"),
)
OWN_GROUP = PeopleSlot(name="own_group", kind=str, choose=_group)
MARK = PeopleSlot(name="mark", kind=str, choose=_one_of("neighbor|club|pen pal|choir|gym|market|reading circle"))
COMMENT = PeopleSlot(
    name="comment",
    kind=str,
    choose=_one_of("Noted, thank you.|Let us talk about this.|All fine with me.|Looks right.|Seen."),
)
MIX = PeopleSlot(name="mix", kind=str, choose=_one_of("Songs for|A mix for|Tunes for|Evening with|Road trip with"))
