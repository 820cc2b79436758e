"""Scenes in which two containers have something in common, but not all."""

from __future__ import annotations

from prowess_desk.apps.files import File, home
from prowess_desk.apps.music import Playlist, add_to_playlist
from prowess_desk.apps.notes import Note, rewrite
from prowess_desk.apps.splits import add_member
from prowess_desk.apps.todo import TodoTask
from prowess_desk.engine.family import Draw
from prowess_desk.families.papers import filed, groups_of, planned, projects_of

Names = tuple[str, str]
"""Of the first and of the second."""


def two_playlists(draw: Draw) -> Names | None:
    """Two playlists of which the second has some songs of the first."""
    first, second = draw.rng.sample(draw.state[Playlist].of(draw.me.id), 2)
    songs = draw.rng.sample(first.song_ids, draw.rng.randint(2, 4))
    add_to_playlist(draw.state, second.id, *songs)
    return first.title, second.title


def two_projects(draw: Draw) -> Names | None:
    """Two projects of which the second has tasks that are called as some of the first are."""
    first, second = projects_of(draw, 2)
    tasks = [task for task in draw.state[TodoTask].of(draw.me.id) if task.project_id == first.id]
    if len(tasks) < 3:
        return None
    for task in draw.rng.sample(tasks, draw.rng.randint(1, len(tasks) - 1)):
        planned(draw, second, task.title, priority=draw.rng.randint(1, 4))
    return first.name, second.name


def two_notes(draw: Draw) -> Names | None:
    """Two lists of which the second has some lines of the first."""
    lists = [note for note in draw.state[Note].of(draw.me.id) if not note.archived and note.content.startswith("- ")]
    if len(lists) < 2:
        return None
    first, second = draw.rng.sample(lists, 2)
    lines = first.content.split("\n")
    more = draw.rng.sample(lines, draw.rng.randint(1, len(lines) - 1))
    rewrite(draw.state, second.id, content="\n".join([second.content, *more]))
    return first.title, second.title


def two_folders(draw: Draw) -> Names | None:
    """Two folders of which the second has files that are called as some of the first are."""
    names = draw.rng.sample(("documents/work", "documents/personal", "photos", "downloads", "receipts"), 2)
    first, second = (f"{home(draw.me)}/{name}" for name in names)
    files = [file for file in draw.state[File].of(draw.me.id) if file.path.startswith(f"{first}/")]
    if len(files) < 3:
        return None
    for file in draw.rng.sample(files, draw.rng.randint(1, len(files) - 1)):
        filed(draw, f"{names[1]}/{file.path.rpartition('/')[2]}", file.content)
    return first, second


def two_groups(draw: Draw) -> Names | None:
    """Two groups of which the second has some members of the first."""
    groups = groups_of(draw, least=4)
    if len(groups) < 2:
        return None
    first, second = groups[:2]
    others = [id for id in first.member_ids if id not in second.member_ids]
    if len(others) < 2:
        return None
    add_member(draw.state, second.id, *draw.rng.sample(others, draw.rng.randint(1, len(others) - 1)))
    return first.name, second.name
