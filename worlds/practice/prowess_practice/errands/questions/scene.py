"""What questions set their scenes with: names, amounts and titles that stand in texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from prowess_desk.apps import splits, wallet
from prowess_desk.apps.files import directory_at, make_directory
from prowess_desk.apps.music import Artist, Playlist, Song, SongReview, review
from prowess_desk.apps.phone import Contact, VoiceMessage, send_voice
from prowess_desk.apps.todo import TodoTask
from prowess_desk.engine.family import Draw, Values
from prowess_desk.engine.people import Person
from prowess_desk.families.papers import at_home, filed, groups_of, jotted, older_twin, planned, projects_of, spent
from prowess_desk.families.scene import acquaintances, ago, paid, texted

from prowess_practice.errands.lines.scene import HOSTS, NAMES, PAID, SPENT, TOPICS, described, in_note, stepped
from prowess_practice.errands.people.scene import guests, helpers, some_playlist

_SHELF = "~/desk-pile"
"""A folder that nobody has at first."""


def _contacts(draw: Draw, count: int) -> list[str]:
    """Names of some contacts."""
    names = [contact.name for contact in draw.state[Contact].of(draw.me.id)]
    return draw.rng.sample(names, min(count, len(names)))


def card_note(draw: Draw) -> Values | None:
    """A note on some plan with a person to ask, and an older one with another."""
    title = draw.rng.choice(TOPICS)
    first, second = _contacts(draw, 2)
    jotted(draw, title, f"place: by the river\ncontact: {first}\nbring: a pen", days=draw.rng.randint(2, 60))
    jotted(draw, older_twin(title), f"place: at the station\ncontact: {second}", days=400)
    return {"card_note": title}


def name_file(draw: Draw) -> Values | None:
    """A file of names, one in a line."""
    return {"name_file": _filed(draw, _contacts(draw, 4))}


def name_task(draw: Draw) -> Values | None:
    """A task with a person to ask, and an older one, with another, whose title holds its title."""
    title = draw.rng.choice(HOSTS)
    for name, called, days in zip(_contacts(draw, 2), (f"{title} again", title), (90, 20), strict=True):
        task = planned(draw, projects_of(draw, 1)[0], called, days=days)
        draw.state[TodoTask].put(replace(task, description=name))
    return {"name_task": title}


def reviewed_song(draw: Draw) -> Values | None:
    """A song that three people whom the supervisor knows have reviewed, one after the other."""
    song = draw.rng.choice([one for one in draw.state[Song] if '"' not in one.title])
    for row in draw.state[SongReview].of(("song", song.id)):
        draw.state[SongReview].remove(row.id)
    for n, person in enumerate(acquaintances(draw)[:3]):
        row = review(draw.state, person.id, song.id, draw.rng.randint(1, 5))
        draw.state[SongReview].put(replace(row, created_at=ago(draw, 20 - 5 * n)))
    return {"song_title": song.title}


def remarked_payment(draw: Draw) -> Values | None:
    """A payment with comments of two people, and a later one with a longer note."""
    first, second, third = acquaintances(draw)[:3]
    note = draw.rng.choice(PAID)
    for called, days, authors in ((note, 20, (first, second)), (f"{note} (rest)", 5, (second, third))):
        payment = paid(draw, draw.me, first, called, ago(draw, days))
        for author in authors:
            wallet.comment(draw.state, payment.id, author.id, draw.rng.choice(("Thanks!", "Got it.", "That was fun.")))
    return {"remarked_note": note}


def song_note(draw: Draw) -> Values | None:
    """A note of songs, and an older one with others."""
    title = draw.rng.choice(TOPICS)
    songs = [one.title for one in draw.rng.sample([*draw.state[Song]], 6) if '"' not in one.title]
    jotted(draw, title, "\n".join(songs[:3]), days=draw.rng.randint(2, 60))
    jotted(draw, older_twin(title), "\n".join(songs[3:]), days=400)
    return {"song_note": title}


def artist_text(draw: Draw) -> Values | None:
    """Texts from somebody that are names of artists, and one to them."""
    person = acquaintances(draw)[0]
    names = [one.name for one in draw.rng.sample([*draw.state[Artist]], 3)]
    for n, hours in enumerate((30, 9)):
        texted(draw, person, draw.me, names[n], draw.state.now - timedelta(hours=hours))
    texted(draw, draw.me, person, names[2], draw.state.now - timedelta(hours=3))
    return {"sender_name": person.name}


def playlist_file(draw: Draw) -> Values | None:
    """A file with titles of playlists, one in a line."""
    playlists = [one.title for one in draw.state[Playlist].of(draw.me.id)]
    if len(playlists) < 3:
        return None
    return {"title_file": _filed(draw, draw.rng.sample(playlists, 3))}


def _filed(draw: Draw, lines: Sequence[str]) -> str:
    """A new file with these lines; returns its path."""
    path = at_home(draw.me, f"{_SHELF}/{draw.rng.choice(NAMES)}.txt")
    if directory_at(draw.state, draw.me.id, at_home(draw.me, _SHELF)) is None:
        make_directory(draw.state, draw.me.id, at_home(draw.me, _SHELF))
    filed(draw, path.removeprefix(at_home(draw.me, "~/")), "\n".join(lines), days=draw.rng.randint(2, 60))
    return path


def plan_note(draw: Draw) -> Values | None:
    """A note that names a project, and an older one that names another."""
    title = draw.rng.choice(TOPICS)
    first, second = projects_of(draw, 2)
    jotted(draw, title, f"start: soon\nproject: {first.name}", days=draw.rng.randint(2, 60))
    jotted(draw, older_twin(title), f"project: {second.name}\nstart: last year", days=400)
    return {"plan_note": title}


def task_file(draw: Draw) -> Values | None:
    """A file with titles of tasks, one in a line."""
    titles = [one.title for one in draw.state[TodoTask].of(draw.me.id) if '"' not in one.title]
    return {"task_file": _filed(draw, draw.rng.sample(titles, 4))} if len(titles) > 3 else None


def group_voice(draw: Draw) -> Values | None:
    """Voice messages from somebody that are names of groups, and one to them."""
    names = [group.name for group in groups_of(draw, least=2)]
    if len(names) < 3:
        return None
    person, now = acquaintances(draw)[0], draw.state.now
    _spoken(draw, person, draw.me, names[0], now - timedelta(hours=40))
    _spoken(draw, person, draw.me, names[1], now - timedelta(hours=20))
    _spoken(draw, draw.me, person, names[2], now - timedelta(hours=2))
    return {"speaker_name": person.name}


def _spoken(draw: Draw, sender: Person, receiver: Person, text: str, when: datetime) -> None:
    row = send_voice(draw.state, sender.id, receiver.id, text)
    draw.state[VoiceMessage].put(replace(row, sent_at=when))


def group_task(draw: Draw) -> Values | None:
    """A task on a group, and an older one, on another, whose title holds its title."""
    title = draw.rng.choice(HOSTS)
    names = [group.name for group in groups_of(draw, least=2)][:2]
    if len(names) < 2:
        return None
    for name, called, days in zip(names, (f"{title} again", title), (90, 20), strict=True):
        task = planned(draw, projects_of(draw, 1)[0], called, days=days)
        draw.state[TodoTask].put(replace(task, description=name))
    return {"group_task": title}


def guest_note(draw: Draw) -> Values | None:
    """A note with names, one in a line."""
    return {"guest_note": guests(draw)}


def name_project(draw: Draw) -> Values | None:
    """A project whose tasks begin with names, some of them done."""
    return {"name_project": helpers(draw)}


def ledger_note(draw: Draw) -> Values | None:
    """A note with names and amounts, and an older one with others."""
    return {"ledger_note": in_note(draw, _amounts(draw, ": "), _amounts(draw, ": "))["note"]}


def ledger_file(draw: Draw) -> Values | None:
    """A file with names and amounts."""
    return {"ledger_file": _filed(draw, _amounts(draw, ","))}


def ledger_task(draw: Draw) -> Values | None:
    """A task with names and amounts in its description, and an older one with others."""
    return {"ledger_task": described(draw, _amounts(draw, "="), _amounts(draw, "="))["task"]}


def ledger_host(draw: Draw) -> Values | None:
    """A task with names and amounts as steps, some of them done."""
    return {"ledger_host": stepped(draw, _amounts(draw, ": "), _amounts(draw, ": ")[:3])["task"]}


def _amounts(draw: Draw, sign: str) -> list[str]:
    """Names of most contacts with amounts."""
    return [f"{name}{sign}{draw.rng.randint(300, 6_000) / 100:.2f}" for name in _contacts(draw, 9)]


def reviewed_playlist(draw: Draw) -> Values | None:
    """A playlist, some songs of which people whom the supervisor knows have reviewed."""
    title = some_playlist(draw)
    return {"reviewed_playlist": title} if title else None


def remarked_expense(draw: Draw) -> Values | None:
    """An expense with comments of two people."""
    first, second = acquaintances(draw)[:2]
    cents = 100 * draw.rng.randint(10, 60)
    expense = spent(draw, draw.rng.choice(SPENT), draw.me, {one.id: cents for one in (draw.me, first, second)}, days=20)
    for author in (first, second):
        splits.comment(draw.state, expense.id, author.id, draw.rng.choice(("Thanks!", "Got it.", "That was fun.")))
    return {"remarked_expense": expense.description}
