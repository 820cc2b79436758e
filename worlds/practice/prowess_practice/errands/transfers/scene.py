"""What is added to a person's data where two of their apps would otherwise have nothing to do with each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from prowess_desk.apps.files import Directory, make_directory
from prowess_desk.apps.music import Playlist, SavedAlbum, SavedSong, Song
from prowess_desk.apps.music.rows import Album
from prowess_desk.apps.notes import Note
from prowess_desk.apps.phone import Alarm, create_alarm
from prowess_desk.apps.phone.rows import DAYS
from prowess_desk.apps.splits import Group
from prowess_desk.apps.todo import TodoTask
from prowess_desk.apps.wallet import Payment, PaymentRequest
from prowess_desk.engine.family import Draw
from prowess_desk.families.papers import CHORES, at_home, filed, jotted, planned, projects_of

from prowess_practice.errands.transfers.parts import Scene

FOLDERS = tuple(f"~/documents/{name}" for name in ("copies", "printed", "shared", "exported", "offline"))
"""Folders that nobody has at first."""

Names = Callable[[Draw], Sequence[str]]


def notes_of(draw: Draw) -> list[str]:
    return [note.title for note in draw.state[Note].of(draw.me.id)]


def alarms_of(draw: Draw) -> list[str]:
    return [alarm.label for alarm in draw.state[Alarm].of(draw.me.id)]


def tasks_of(draw: Draw) -> list[str]:
    return [task.title for task in draw.state[TodoTask].of(draw.me.id)]


def playlists_of(draw: Draw) -> list[str]:
    return [row.title for row in draw.state[Playlist].of(draw.me.id)]


def songs_of(draw: Draw) -> list[str]:
    return [draw.state[Song][row.song].title for row in draw.state[SavedSong].of(draw.me.id)]


def albums_of(draw: Draw) -> list[str]:
    return [draw.state[Album][row.album].title for row in draw.state[SavedAlbum].of(draw.me.id)]


def payments_of(draw: Draw) -> list[str]:
    return [payment.note for payment in draw.state[Payment].of(draw.me.id)]


def requests_of(draw: Draw) -> list[str]:
    return [request.note for request in draw.state[PaymentRequest].of(draw.me.id) if request.status == "pending"]


def groups_of(draw: Draw) -> list[str]:
    return [group.name for group in draw.state[Group].of(draw.me.id)]


def _some(draw: Draw, names: Sequence[str], most: int = 8) -> list[str]:
    """About half of them, each once."""
    known = sorted({*names})
    return draw.rng.sample(known, min(most, (len(known) + 1) // 2))


def also_tasks(names: Names, *, done: int = 1) -> Scene:
    """Some of these are tasks, too; so many of three are done, the others open."""

    def scene(draw: Draw) -> None:
        known, labels = tasks_of(draw), ("errand", "online", "quick")
        for n, name in enumerate(name for name in _some(draw, names(draw)) if name not in known):
            due = (draw.state.now + timedelta(days=draw.rng.randint(-12, 25))).date()
            (project,) = projects_of(draw, 1)
            planned(
                draw,
                project,
                name,
                due=due if n % 4 else None,
                priority=draw.rng.randint(1, 4),
                labels=draw.rng.sample(labels, n % 2),
                done=n % 3 < done,
                days=draw.rng.randint(1, 90),
            )

    return scene


def also_notes(names: Names) -> Scene:
    """Some of these are titles of notes, too."""

    def scene(draw: Draw) -> None:
        known = {title.lower() for title in notes_of(draw)}
        for name in _some(draw, names(draw)):
            if name.lower() not in known:
                tags = draw.rng.sample(("home", "ideas", "family", "money"), draw.rng.randint(0, 2))
                jotted(draw, name, f"About: {name}\nSee to it.", tags=tags, days=draw.rng.randint(2, 300))

    return scene


def also_alarms(names: Names) -> Scene:
    """Some of these are labels of alarms, too."""

    def scene(draw: Draw) -> None:
        known = alarms_of(draw)
        for n, name in enumerate(name for name in _some(draw, names(draw), 5) if name not in known):
            time = f"{draw.rng.randint(6, 21):02d}:{draw.rng.randrange(0, 60, 5):02d}"
            days = draw.rng.sample(("monday", "wednesday", "saturday"), draw.rng.randint(1, 3))
            create_alarm(draw.state, draw.me.id, name, time, repeat_days=days, enabled=n % 2 == 0)

    return scene


def also_files(names: Names) -> Scene:
    """Some of these are names of files in folders of their own, `name.txt`."""

    def scene(draw: Draw) -> None:
        for folder in draw.rng.sample(FOLDERS, 2):
            make_directory(draw.state, draw.me.id, at_home(draw.me, folder))
            for name in (*_some(draw, names(draw)), "index"):
                content = f"Copy of {name}." if draw.rng.random() < 0.5 else f"{name}, as of last year, in short."
                filed(draw, f"{folder}/{name}.txt", content, days=draw.rng.randint(3, 200))

    return scene


def own_folder(draw: Draw) -> str | None:
    """One of those folders, as a task names it."""
    mine = {row.path for row in draw.state[Directory].of(draw.me.id)}
    found = [folder for folder in FOLDERS if at_home(draw.me, folder) in mine]
    return draw.rng.choice(found) if found else None


def more_tasks(draw: Draw) -> None:
    """Tasks that share their days, labels and projects with others."""
    first, second = projects_of(draw, 2)
    day = (draw.state.now + timedelta(days=draw.rng.randint(1, 14))).date()
    label = draw.rng.choice(("errand", "online", "quick", "weekend"))
    for n, title in enumerate(draw.rng.sample(CHORES, 7)):
        due = day if n % 3 else day + timedelta(days=n)
        planned(draw, first if n % 2 else second, title, due=due, priority=1 + n % 4, labels=[label] if n % 2 else [])


def doubled_tasks(draw: Draw) -> None:
    """Some tasks that are there twice or thrice, with the same title, in one project or two."""
    projects = projects_of(draw, 2)
    for n, title in enumerate(draw.rng.sample(CHORES, 6)):
        for copy in range(1 if n == 0 else draw.rng.randint(2, 3)):
            planned(draw, projects[(n + copy) % 2 if n % 2 else n % 2], title, days=10 + 7 * copy + n)


def doubled_files(draw: Draw) -> None:
    """Folders of copies, some of which have the same text."""
    for folder in draw.rng.sample(FOLDERS, 2):
        make_directory(draw.state, draw.me.id, at_home(draw.me, folder))
        for n, name in enumerate(draw.rng.sample(CHORES, 8)):
            text = f"All about it: {name if n > 4 else 'see the list' if n % 2 else 'ask at home'}."
            filed(draw, f"{folder}/{name.replace(' ', '-')}.txt", text, days=4 * n + 1)


def doubled_alarms(draw: Draw) -> None:
    """Alarms that ring at the same time as others."""
    for label in draw.rng.sample(("Stretch", "Tea", "Call in", "Vitamins", "Mail", "Backup"), 5):
        time = draw.rng.choice(("07:10", "18:20", "21:05"))
        create_alarm(draw.state, draw.me.id, label, time, repeat_days=draw.rng.sample(DAYS, 5), snooze_minutes=5)


def twin_folders(draw: Draw) -> None:
    """Two folders, some of whose files are called alike."""
    names = draw.rng.sample(CHORES, 9)
    for n, folder in enumerate(draw.rng.sample(FOLDERS, 2)):
        make_directory(draw.state, draw.me.id, at_home(draw.me, folder))
        for name in names[3 * n : 3 * n + 6]:
            filed(
                draw, f"{folder}/{name.replace(' ', '-')}.txt", f"{name}, copy {n + 1}.", days=draw.rng.randint(2, 90)
            )
