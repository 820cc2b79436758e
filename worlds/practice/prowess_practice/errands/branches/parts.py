"""What errands with branches are put together of: facts to decide by, deeds to be done, and values for both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from textwrap import dedent, indent
from typing import Any

from prowess_desk.engine.family import Day, Draw, Values

from prowess_practice.drills.direct_calls import function_of, looked_up, played
from prowess_practice.errands.layout import WIDTH, fitted
from prowess_practice.errands.people.plan import PeopleSlot
from prowess_practice.errands.people.scene import flush

MESSAGES = (
    "Call me when you can.|I am on my way.|Please bring the keys.|We should talk soon.|Thank you for yesterday!|"
    "Could you help me on Sunday?|I will be late today.|Let us meet at noon."
)
TIMES = "05:50|06:35|07:20|09:10|12:45|16:05|17:40|20:25|21:55"
LABELS = "Check the oven|Stand up|Leave the house|Feed the fish|Look outside|Drink water|Lock the door"
MIXES = "Rainy Sunday|Kitchen Radio|Night Train|Garden Party|First Coffee|Long Way Home|Open Window"
TITLES = "What I decided|House rules|Loose ends|Shelf plan|Things I learned|Second thoughts|A good day"
TEXTS = "Nothing new here.|Look at this again.|This is settled.|Needs another look.|Ask the others first."
CHORES = "oil the hinges|fold the laundry|count the chairs|clear the desk|sweep the yard|sort the cables|dust the lamps"
TAGS = "urgent|later|family circle|checked|spring|hobby"
REASONS = "Old debt|Flowers|Concert|Taxi home|Shared dinner|Birthday present|Firewood|Museum day"
COLORS = "red|orange|yellow|green|blue|purple"
VERDICTS = "Grows on me.|Not for every day.|A favorite by now.|Too loud for me.|Best heard at night."
ADDRESSES = "4 Canal Row|17 Castle Hill|9 Market Square|52 Lakeside Road|3 Chapel Yard"
GROUPS = "Garden Shed|Book Swap|Sled Team|Pottery|Night Owls|Canoe"


Choice = Callable[[Draw], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedKind:
    """Things that have a name, and the listing that has them."""

    app: str
    api: str
    rows: str
    key: str
    id: str
    query: bool = True
    pages: bool = True

    def listed(self, more: str = "") -> str:
        """The call that lists them."""
        given = f"access_token={self.app}_token{more}"
        call = f"apis.{self.app}.{self.api}"
        return f"all_pages({call}, {given})" if self.pages else f"{call}({given})"


KINDS: Mapping[str, NamedKind] = {
    "song": NamedKind(app="music", api="search_songs", rows="songs", key="title", id="song_id"),
    "album": NamedKind(app="music", api="search_albums", rows="albums", key="title", id="album_id"),
    "artist": NamedKind(app="music", api="search_artists", rows="artists", key="name", id="artist_id"),
    "followed": NamedKind(
        app="music", api="show_followed_artists", rows="artists", key="name", id="artist_id", query=False
    ),
    "kept_song": NamedKind(app="music", api="show_song_library", rows="songs", key="title", id="song_id", query=False),
    "liked_song": NamedKind(app="music", api="show_liked_songs", rows="songs", key="title", id="song_id", query=False),
    "kept_album": NamedKind(
        app="music", api="show_album_library", rows="albums", key="title", id="album_id", query=False
    ),
    "playlist": NamedKind(app="music", api="show_playlists", rows="playlists", key="title", id="playlist_id"),
    "review": NamedKind(
        app="music", api="show_my_reviews", rows="reviews", key="song_title", id="review_id", query=False
    ),
    "contact": NamedKind(app="phone", api="show_contacts", rows="contacts", key="name", id="contact_id"),
    "alarm": NamedKind(app="phone", api="show_alarms", rows="alarms", key="label", id="alarm_id"),
    "note": NamedKind(app="notes", api="search_notes", rows="notes", key="title", id="note_id"),
    "task": NamedKind(app="todo", api="search_tasks", rows="tasks", key="title", id="task_id"),
    "project": NamedKind(app="todo", api="list_projects", rows="projects", key="name", id="project_id", query=False),
    "file": NamedKind(app="files", api="search_files", rows="files", key="path", id="file_id"),
    "group": NamedKind(app="splits", api="show_groups", rows="groups", key="name", id="group_id"),
    "friend": NamedKind(app="wallet", api="show_friends", rows="friends", key="name", id="email"),
    "user": NamedKind(app="wallet", api="search_users", rows="users", key="name", id="email"),
    "card": NamedKind(app="wallet", api="show_cards", rows="cards", key="name", id="card_id", query=False, pages=False),
}


def finding(kind: str, slot: str, field: str = "", name: str = "") -> str:
    """Two lines that find a thing by its name: its id, or another field of it."""
    one = KINDS[kind]
    field = field or one.id
    query = f", query={slot}" if one.query else ""
    return (
        f"{one.rows} = {one.listed(query)}\n"
        f'{name or field} = next(one["{field}"] for one in {one.rows} if one["{one.key}"] == {slot})\n'
    )


def having(kind: str, slot: str, name: str) -> str:
    """Two lines that find a thing by its name, as it is listed."""
    one = KINDS[kind]
    query = f", query={slot}" if one.query else ""
    return f'{one.rows} = {one.listed(query)}\n{name} = next(one for one in {one.rows} if one["{one.key}"] == {slot})\n'


def asked(source: str, draw: Draw, values: Mapping[str, Any] | None = None) -> Any:
    """What a function that only reads gives."""
    found = function_of(source)
    if draw.state.untouched:
        return looked_up(found, draw.state.origin, draw.me.id, values or {})
    return played(found, draw.state, draw.me, values or {})


def names(kind: str, where: str = "True", without: str = "") -> Choice:
    """One of the things there are, by name: where a test holds, and not among those of another listing."""
    one = KINDS[kind]
    taken = f"all_pages(apis.{one.app}.{without}, access_token={one.app}_token)" if without else "[]"
    source = (
        f'def names():\n    {one.app}_token = login(app="{one.app}")\n'
        f'    taken = {{one["{one.id}"] for one in {taken}}}\n'
        f"    rows = {one.listed()}\n"
        f'    return [one["{one.key}"] for one in rows if {where} and one["{one.id}"] not in taken]\n'
    )

    def choose(draw: Draw) -> Any:
        found = [name for name in asked(source, draw) if '"' not in name]
        return draw.rng.choice(found) if found else None

    return choose


def pick(name: str, kind: str, where: str = "True", without: str = "") -> PeopleSlot:
    """A slot for the name of a thing."""
    return PeopleSlot(name=name, kind=str, choose=names(kind, where, without))


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeValue(PeopleSlot):
    """A slot that takes whatever one likes, not the name of a thing that is there."""


def words(name: str, choices: str) -> FreeValue:
    """A slot for one of some texts."""
    found = choices.split("|")
    return FreeValue(name=name, kind=str, choose=lambda draw: draw.rng.choice(found))


def number(name: str, *choices: int) -> FreeValue:
    return FreeValue(name=name, kind=int, choose=lambda draw: draw.rng.choice(choices))


def money(name: str, least: int, most: int) -> FreeValue:
    """An amount, in dollars and half dollars."""
    return FreeValue(name=name, kind=float, choose=lambda draw: draw.rng.randint(2 * least, 2 * most) / 2)


def day(name: str, least: int, most: int) -> FreeValue:
    """A day so many days from now, or before."""

    def choose(draw: Draw) -> Day:
        return Day((draw.state.now + timedelta(days=draw.rng.randint(least, most))).date().isoformat())

    return FreeValue(name=name, kind=Day, choose=choose)


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchDeed:
    """Something to be done that is complete in itself."""

    word: str
    apps: tuple[str, ...]
    says: str
    """An imperative, with the slots: `pin my note "{note_to_pin}"`."""
    code: str
    slots: tuple[PeopleSlot, ...] = ()
    pays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchFact:
    """Something that is measured or found out before anything is done."""

    word: str
    apps: tuple[str, ...]
    reads: str
    """Lines that end with the measure under the name `value`, or with all that `test` needs."""
    value: str = ""
    """What programs call the measure; empty where there is none, but a test."""
    noun: str = ""
    """`the balance of my wallet`"""
    unit: str = ""
    """What stands behind a bound: ` dollars`."""
    more: str = ""
    """Another way to say that it is above the bound: `I have more than {limit} friends on wallet`."""
    kind: type = int
    test: str = ""
    says: str = ""
    """How a task says the test."""
    slots: tuple[PeopleSlot, ...] = ()


def part(code: str) -> str:
    """Lines of a program, as tables have them, without what indents them all."""
    return dedent(code).strip("\n") + "\n"


def body(code: str, depth: int = 1) -> str:
    """Lines of a program where they belong, calls that are too long on several."""
    return "".join(f"{fitted(line)}\n" for line in indent(code, "    " * depth).splitlines())


def kinds(*slots: PeopleSlot) -> dict[str, type]:
    """The slots as families have them."""
    return {slot.name: slot.kind for slot in slots}


def apps_of(*parts: Iterable[str]) -> tuple[str, ...]:
    """Apps in the order in which they are needed, each once."""
    return tuple(dict.fromkeys(app for apps in parts for app in apps))


def function(name: str, slots: Mapping[str, type], result: str, about: str, apps: Iterable[str], code: str) -> str:
    """The whole function; `code` stands in it as it is."""
    given = [f"{slot}: {'str' if issubclass(kind, str) else kind.__name__}" for slot, kind in slots.items()]
    start = f"def {name}({', '.join(given)}) -> {result}:\n"
    if len(start) > WIDTH:
        start = f"def {name}(\n    {', '.join(given)}\n) -> {result}:\n"
    if len(max(start.splitlines(), key=len)) > WIDTH:
        inside = "".join(f"    {one},\n" for one in given)
        start = f"def {name}(\n{inside}) -> {result}:\n"
    logins = "".join(f'    {app}_token = login(app="{app}")\n' for app in apps)
    return f"{start}{docstring(about)}{logins}{code}"


def docstring(about: str) -> str:
    """The docstring, on more than one line where it is long: it breaks after a sentence."""
    if len(about) + 10 <= WIDTH:
        return f'    """{about}"""\n'
    first, _, rest = about.partition("; " if "; " in about else ". ")
    lines = _broken(f'"""{first.rstrip(".")}.')
    return "\n".join([*lines, "", *_broken(capital(rest)), '    """']) + "\n"


def _broken(text: str) -> list[str]:
    lines = ["   "]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > WIDTH:
            lines.append("   ")
        lines[-1] += f" {word}"
    return lines


def told(text: str) -> str:
    """What a task says, as a docstring says it: slots are the names of arguments."""
    return re.sub(r'"\{(\w+)\}"|\{(\w+)\}', lambda match: f"`{match[1] or match[2]}`", text)


def capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def chosen(draw: Draw, slots: Iterable[PeopleSlot]) -> dict[str, Any] | None:
    """A value for each slot; none where one of them finds none."""
    found = {slot.name: slot.choose(draw) for slot in slots}
    return None if any(value is None for value in found.values()) else found


def provided(draw: Draw, deeds: Iterable[BranchDeed]) -> None:
    """Money for what is to be paid."""
    if any(deed.pays for deed in deeds):
        flush(draw)


def disjoint(*slots: Iterable[PeopleSlot]) -> bool:
    """Whether no two slots have one name."""
    names = [slot.name for some in slots for slot in some]
    return len(names) == len({*names})


Drawing = Callable[[Draw], Values | None]
