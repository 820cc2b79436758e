"""Values that tasks give, out of what the person's apps have, and how a program finds a thing by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from prowess_desk.engine.family import Day, Draw

from prowess_practice.drills.door import function_of, looked_up, played
from prowess_practice.errands.people.plan import Slot

Choice = Callable[[Draw], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
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


KINDS: Mapping[str, Kind] = {
    "song": Kind(app="music", api="search_songs", rows="songs", key="title", id="song_id"),
    "album": Kind(app="music", api="search_albums", rows="albums", key="title", id="album_id"),
    "artist": Kind(app="music", api="search_artists", rows="artists", key="name", id="artist_id"),
    "followed": Kind(app="music", api="show_followed_artists", rows="artists", key="name", id="artist_id", query=False),
    "kept_song": Kind(app="music", api="show_song_library", rows="songs", key="title", id="song_id", query=False),
    "liked_song": Kind(app="music", api="show_liked_songs", rows="songs", key="title", id="song_id", query=False),
    "kept_album": Kind(app="music", api="show_album_library", rows="albums", key="title", id="album_id", query=False),
    "playlist": Kind(app="music", api="show_playlists", rows="playlists", key="title", id="playlist_id"),
    "review": Kind(app="music", api="show_my_reviews", rows="reviews", key="song_title", id="review_id", query=False),
    "contact": Kind(app="phone", api="show_contacts", rows="contacts", key="name", id="contact_id"),
    "alarm": Kind(app="phone", api="show_alarms", rows="alarms", key="label", id="alarm_id"),
    "note": Kind(app="notes", api="search_notes", rows="notes", key="title", id="note_id"),
    "task": Kind(app="todo", api="search_tasks", rows="tasks", key="title", id="task_id"),
    "project": Kind(app="todo", api="list_projects", rows="projects", key="name", id="project_id", query=False),
    "file": Kind(app="files", api="search_files", rows="files", key="path", id="file_id"),
    "group": Kind(app="splits", api="show_groups", rows="groups", key="name", id="group_id"),
    "friend": Kind(app="wallet", api="show_friends", rows="friends", key="name", id="email"),
    "user": Kind(app="wallet", api="search_users", rows="users", key="name", id="email"),
    "card": Kind(app="wallet", api="show_cards", rows="cards", key="name", id="card_id", query=False, pages=False),
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


def pick(name: str, kind: str, where: str = "True", without: str = "") -> Slot:
    """A slot for the name of a thing."""
    return Slot(name=name, kind=str, choose=names(kind, where, without))


@dataclass(frozen=True, slots=True, kw_only=True)
class Value(Slot):
    """A slot that takes whatever one likes, not the name of a thing that is there."""


def words(name: str, choices: str) -> Value:
    """A slot for one of some texts."""
    found = choices.split("|")
    return Value(name=name, kind=str, choose=lambda draw: draw.rng.choice(found))


def number(name: str, *choices: int) -> Value:
    return Value(name=name, kind=int, choose=lambda draw: draw.rng.choice(choices))


def money(name: str, least: int, most: int) -> Value:
    """An amount, in dollars and half dollars."""
    return Value(name=name, kind=float, choose=lambda draw: draw.rng.randint(2 * least, 2 * most) / 2)


def day(name: str, least: int, most: int) -> Value:
    """A day so many days from now, or before."""

    def choose(draw: Draw) -> Day:
        return Day((draw.state.now + timedelta(days=draw.rng.randint(least, most))).date().isoformat())

    return Value(name=name, kind=Day, choose=choose)
