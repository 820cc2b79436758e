"""Pairs of containers that are compared by what lies in them, and the scenes in which there is something to compare."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from prowess_desk.apps.files import File, home
from prowess_desk.apps.music import Playlist, add_to_playlist
from prowess_desk.apps.notes import Note, rewrite
from prowess_desk.apps.splits import add_member
from prowess_desk.apps.todo import TodoTask
from prowess_desk.engine.family import Draw
from prowess_desk.families.papers import filed, groups_of, planned, projects_of

from prowess_practice.errands.containers.music import ARTISTS, LIBRARY, PLAYLISTS
from prowess_practice.errands.containers.papers import FOLDERS, NOTES, TAGS
from prowess_practice.errands.containers.parts import ContainerDeed, ContainerKind, Inside
from prowess_practice.errands.containers.phone import CONTACTS
from prowess_practice.errands.containers.splits import GROUPS
from prowess_practice.errands.containers.todo import LABELS, OWN_PROJECTS, PROJECTS, STEPPED
from prowess_practice.errands.containers.wallet import CARDS, FRIENDS

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """Two containers of a kind that a task names."""

    kind: ContainerKind
    inside: Inside
    thing: str
    """`my music playlist`, before a name in quotes."""
    key: str = ""
    """What makes two rows the same; empty where only numbers are compared."""
    shared: tuple[str, ...] = ()
    """How a task calls the rows of the first that the second has, too."""
    alone: tuple[str, ...] = ()
    """How it calls those that the second has not."""
    prepare: Callable[[Draw], Names | None] = lambda draw: None
    """Sets the scene, and names two of them; None where any two that are there will do."""
    shared_deeds: tuple[ContainerDeed, ...] = ()
    """`OUT` stands for the first container, `RIGHT` for the second."""
    alone_deeds: tuple[ContainerDeed, ...] = ()
    counts: bool = True
    """Whether it makes sense to ask which of the two has more."""


def deed(kind: ContainerKind | Inside, word: str) -> ContainerDeed:
    """One of those that are there for all."""
    return next(one for one in kind.deeds if one.word == word)


def _both(rows: str, thing: str, how: str = "") -> tuple[str, ...]:
    things = f'{thing}s "{{first}}" and "{{second}}"'
    return (
        f'{rows} that are both in {thing} "{{first}}" and in {thing} "{{second}}"{how}',
        f"{rows} that {things} have in common{how}",
        f'{rows} of {thing} "{{first}}" that "{{second}}" has, too{how}',
    )


def _only(rows: str, thing: str) -> tuple[str, ...]:
    return (
        f'{rows} that are in {thing} "{{first}}", but not in {thing} "{{second}}"',
        f'{rows} of {thing} "{{first}}" that are missing in "{{second}}"',
        f'{rows} that {thing} "{{second}}" lacks and "{{first}}" has',
    )


def _through(rows: str, lacking: bool, thing: str, field: str) -> tuple[str, ...]:
    """Where rows are the same if they are called the same: always those of the first are meant."""
    no, none = ("no", "not ") if lacking else ("some", "")
    one = rows[:-1]
    return (
        f'{rows} in {thing} "{{first}}" with a {field} that {no} {one} in {thing} "{{second}}" has',
        f'{rows} in {thing} "{{first}}" whose {field} is {none}found among the {rows} in "{{second}}"',
        f'{rows} of {thing} "{{first}}" (no others) with a {field} that does {none}occur in "{{second}}"',
    )


_SONGS = PLAYLISTS.insides[0]
_TASKS = OWN_PROJECTS.insides[0]
_FILES = FOLDERS.insides[0]
_LINES = NOTES.insides[0]
_STEPS = STEPPED.insides[0]
_TAGGED = TAGS.insides[0]
_LABELLED = LABELS.insides[0]
_PROJECT_TASKS = tuple(one for one in _TASKS.conditions if one.slot)
_LINE = 'apis.notes.append_to_note(access_token=notes_token, note_id=RIGHT["note_id"], text=ROW)'

TWINS = (
    Twin(
        kind=PLAYLISTS,
        inside=_SONGS,
        thing="my music playlist",
        key='ROW["song_id"]',
        shared=_both("songs", "my music playlist"),
        alone=_only("songs", "my music playlist"),
        prepare=two_playlists,
        shared_deeds=(
            ContainerDeed(
                word="remove",
                says='take OBJ out of "{first}"',
                call=deed(_SONGS, "remove").call,
                app="music",
            ),
            *(replace(deed(_SONGS, word), key="") for word in ("mix", "like", "put", "follow", "review_rating")),
        ),
        alone_deeds=(
            ContainerDeed(
                word="add",
                says='add OBJ to "{second}"',
                call=(
                    'apis.music.add_song_to_playlist(access_token=music_token, playlist_id=RIGHT["playlist_id"], '
                    'song_id=ROW["song_id"])'
                ),
                app="music",
            ),
            *(replace(deed(_SONGS, word), key="") for word in ("put", "mix", "unlike")),
        ),
    ),
    Twin(
        kind=replace(PROJECTS, deeds=OWN_PROJECTS.deeds),
        inside=replace(_TASKS, conditions=_PROJECT_TASKS),
        thing="my todo project",
        key='ROW["title"]',
        shared=_through("tasks", False, "my todo project", "title"),
        alone=_through("tasks", True, "my todo project", "title"),
        prepare=two_projects,
        shared_deeds=tuple(
            deed(STEPPED, word) for word in ("delete", "label_new_label", "tick_off", "give_new_priority", "extend")
        ),
        alone_deeds=(
            ContainerDeed(
                word="move",
                says='move OBJ to "{second}"',
                call=(
                    'apis.todo.move_task(access_token=todo_token, task_id=ROW["task_id"], '
                    'project_id=RIGHT["project_id"])'
                ),
                app="todo",
            ),
            *(deed(STEPPED, word) for word in ("comment_on", "date")),
            ContainerDeed(
                word="copy",
                says='create a task with the same title, and nothing else, in "{second}" for OBJ',
                about="create tasks like OBJ",
                call=(
                    'apis.todo.create_task(access_token=todo_token, title=ROW["title"], project_id=RIGHT["project_id"])'
                ),
                app="todo",
            ),
        ),
    ),
    Twin(
        kind=NOTES,
        inside=_LINES,
        thing="my note",
        key="ROW",
        shared=_both("lines", "my note"),
        alone=_only("lines", "my note"),
        prepare=two_notes,
        alone_deeds=(
            ContainerDeed(word="append", says='append OBJ to "{second}", in their order', call=_LINE, app="notes"),
        ),
        shared_deeds=(
            ContainerDeed(
                word="task_for",
                says='create a todo task for OBJ, titled with the line less the "- " it begins with',
                about="create tasks for OBJ",
                call='apis.todo.create_task(access_token=todo_token, title=ROW.removeprefix("- "))',
                app="todo",
            ),
        ),
        counts=False,
    ),
    Twin(
        kind=FOLDERS,
        inside=replace(_FILES, remark=""),
        thing="my folder",
        key='ROW.split("/")[-1]',
        shared=_through("files", False, "my folder", "name"),
        alone=_through("files", True, "my folder", "name"),
        prepare=two_folders,
        shared_deeds=tuple(deed(_FILES, word) for word in ("delete", "mark", "extend")),
        alone_deeds=(
            ContainerDeed(
                word="copy",
                says='copy OBJ to "{second}" under the same name',
                call=(
                    "apis.files.copy_file(access_token=files_token, file_path=ROW, "
                    "destination_path=f'{second}/{ROW.split(\"/\")[-1]}')"
                ),
                app="files",
            ),
            ContainerDeed(
                word="move",
                says='move OBJ to "{second}" under the same name',
                call=(
                    "apis.files.move_file(access_token=files_token, file_path=ROW, "
                    "destination_path=f'{second}/{ROW.split(\"/\")[-1]}')"
                ),
                app="files",
            ),
        ),
    ),
    Twin(
        kind=GROUPS,
        inside=GROUPS.insides[1],
        thing="my splits group",
        key='ROW["email"]',
        shared=_both("members", "my splits group", " (I am one of them)"),
        alone=_only("members", "my splits group"),
        prepare=two_groups,
        shared_deeds=(deed(GROUPS.insides[1], "befriend"),),
        alone_deeds=(
            ContainerDeed(
                word="invite",
                says='add OBJ to "{second}"',
                call=(
                    'apis.splits.add_member(access_token=splits_token, group_id=RIGHT["group_id"], email=ROW["email"])'
                ),
                app="splits",
            ),
            deed(GROUPS.insides[1], "pay"),
            deed(GROUPS.insides[1], "befriend"),
        ),
        counts=False,
    ),
    Twin(kind=GROUPS, inside=GROUPS.insides[0], thing="my splits group"),
    Twin(
        kind=LABELS,
        inside=_LABELLED,
        thing="my todo label",
        key='ROW["task_id"]',
        shared=(
            'todo tasks of mine that have both the label "{first}" and the label "{second}"',
            'todo tasks of mine with the two labels "{first}" and "{second}"',
            'todo tasks of mine labelled "{first}" that are labelled "{second}", too',
        ),
        alone=(
            'todo tasks of mine that have the label "{first}", but not the label "{second}"',
            'todo tasks of mine labelled "{first}" and not "{second}"',
            'todo tasks of mine that lack the label "{second}" and have the label "{first}"',
        ),
        shared_deeds=(
            deed(_LABELLED, "comment_on"),
            deed(_LABELLED, "tick_off"),
            ContainerDeed(
                word="unlabel",
                says='take the label "{first}" from OBJ',
                call='apis.todo.unlabel_task(access_token=todo_token, task_id=ROW["task_id"], label=first)',
                app="todo",
            ),
        ),
        alone_deeds=(
            deed(_LABELLED, "comment_on"),
            deed(_LABELLED, "give_new_priority"),
        ),
    ),
    Twin(
        kind=TAGS,
        inside=_TAGGED,
        thing="my tag",
        key='ROW["note_id"]',
        shared=(
            'notes of mine that have both the tag "{first}" and the tag "{second}"',
            'notes of mine with the two tags "{first}" and "{second}"',
            'notes of mine tagged "{first}" that are tagged "{second}", too',
        ),
        alone=(
            'notes of mine that have the tag "{first}", but not the tag "{second}"',
            'notes of mine tagged "{first}" and not "{second}"',
            'notes of mine that lack the tag "{second}" and have the tag "{first}"',
        ),
        shared_deeds=(deed(_TAGGED, "pin"), deed(_TAGGED, "archive"), deed(_TAGGED, "extend")),
        alone_deeds=(
            deed(_TAGGED, "pin"),
            deed(_TAGGED, "delete"),
        ),
    ),
    Twin(
        kind=replace(STEPPED, deeds=(), filters=()),
        inside=_STEPS,
        thing="my todo task",
        key='ROW["title"]',
        shared=_through("subtasks", False, "my todo task", "title"),
        alone=_through("subtasks", True, "my todo task", "title"),
        shared_deeds=(deed(_STEPS, "tick_off"), deed(_STEPS, "untick")),
        alone_deeds=(
            ContainerDeed(
                word="add",
                says='add a subtask with the same title to "{second}" for OBJ, in their order',
                about="add subtasks like OBJ",
                call='apis.todo.add_subtask(access_token=todo_token, task_id=RIGHT["task_id"], title=ROW["title"])',
                app="todo",
            ),
        ),
        counts=False,
    ),
    Twin(kind=ARTISTS, inside=ARTISTS.insides[0], thing="the music artist"),
    Twin(kind=LIBRARY, inside=LIBRARY.insides[0], thing="the music album"),
    Twin(kind=CONTACTS, inside=CONTACTS.insides[0], thing="my phone contact"),
    Twin(kind=CONTACTS, inside=CONTACTS.insides[1], thing="my phone contact"),
    Twin(kind=FRIENDS, inside=FRIENDS.insides[0], thing="my wallet friend"),
    Twin(kind=CARDS, inside=CARDS.insides[0], thing="my payment card"),
)
