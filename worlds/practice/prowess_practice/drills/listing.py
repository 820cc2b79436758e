"""What a drill is made of: a listing of an app, what its rows lie in, are measured by and are acted on with."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A field whose greatest or least value can be asked for."""

    field: str
    most: str
    """`is the longest`"""
    least: str
    sum: str = ""
    """What adds up, in the plural: `amounts`; empty where a sum makes no sense."""
    code: str = ""
    """How it is found, `ROW` standing for the row, where it is no field of it: by looking into the row."""

    def of(self, row: str) -> str:
        """The expression for what a program calls a row."""
        return self.code.replace("ROW", row) if self.code else f'{row}["{self.field}"]'


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something to do to one row."""

    api: str
    verb: str
    """`like`, as in `like every song`."""
    arguments: str
    """Besides the token, `ROW` standing for the row: `song_id=ROW["song_id"]`."""
    after: str = ""
    """What ends the sentence: ` from my library`."""
    slot: str = ""
    """A further value the task gives, said in `after`, one of `choices`."""
    choices: tuple[str, ...] = ()
    app: str = ""
    """Where it is done, if not in the app of the listing."""

    @property
    def word(self) -> str:
        return self.verb.split()[0]


def rename(api: str, id: str, field: str) -> Action:
    """A word in brackets added to what rows are called."""
    return Action(
        api=api,
        verb="rename",
        arguments=f'{id}=ROW["{id}"], {field}=f\'{{ROW["{field}"]}} ({{suffix}})\'',
        after=f', adding " ({{suffix}})" to the {field}',
        slot="suffix",
        choices=("old", "kept", "2025", "to check", "mine"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Within:
    """What the rows lie in, and how a program gets there by its name: a playlist, a project, a folder."""

    slot: str
    says: str
    """`in my playlist "{playlist}"`"""
    about: str
    """`in a playlist`"""
    finds: str
    """Lines of the program that find it."""
    rows: str
    """The rows, once it is found."""
    names: str
    """All the names there are, for drawing one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Rows that an API lists, page by page, or that lie within something."""

    app: str
    api: str = ""
    within: Within | None = None
    word: str
    """What names of functions are made of: `library_songs`."""
    row: str
    """What a program calls one row: `song`."""
    one: str
    many: str
    name: str = ""
    """The field that names a row in an answer; empty where none does, `.` where a row is a text and names itself."""
    called: str = ""
    """How a task calls that field, in the singular."""
    conditions: tuple[Condition, ...] = ()
    flags: tuple[Condition, ...] = ()
    measures: tuple[Measure, ...] = ()
    actions: tuple[Action, ...] = ()

    @property
    def rows(self) -> str:
        """What a program calls all of them."""
        return f"{self.row[:-1]}ies" if self.row.endswith("y") else f"{self.row}s"

    @property
    def naming(self) -> str:
        """How a program gets a row's name."""
        return self.row if self.name == "." else f'{self.row}["{self.name}"]'


PLAYLIST = Within(
    slot="playlist",
    says='in my playlist "{playlist}"',
    about="in a playlist",
    finds=(
        "    playlists = all_pages(apis.music.show_playlists, access_token=music_token)\n"
        '    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)\n'
    ),
    rows='apis.music.show_playlist(access_token=music_token, playlist_id=playlist_id)["songs"]',
    names='[one["title"] for one in all_pages(apis.music.show_playlists, access_token=login(app="music"))]',
)
ALBUM = Within(
    slot="album",
    says='on the album "{album}"',
    about="on an album",
    finds=(
        "    albums = all_pages(apis.music.search_albums, access_token=music_token, query=album)\n"
        '    album_id = next(one["album_id"] for one in albums if one["title"] == album)\n'
    ),
    rows='apis.music.show_album(access_token=music_token, album_id=album_id)["songs"]',
    names='[one["title"] for one in all_pages(apis.music.show_album_library, access_token=login(app="music"))]',
)
PROJECT = Within(
    slot="project",
    says='in my todo project "{project}"',
    about="in a project",
    finds=(
        "    projects = all_pages(apis.todo.list_projects, access_token=todo_token)\n"
        '    project_id = next(one["project_id"] for one in projects if one["name"] == project)\n'
    ),
    rows="all_pages(apis.todo.list_tasks, access_token=todo_token, project_id=project_id)",
    names='[one["name"] for one in all_pages(apis.todo.list_projects, access_token=login(app="todo"))]',
)
_TODO = 'login(app="todo")'
_STEPS = f'apis.todo.show_task(access_token={_TODO}, task_id=one["task_id"])["subtasks"]'
PARENT = Within(
    slot="task",
    says='of my task "{task}" in the todo app',
    about="of a task",
    finds=(
        "    tasks = all_pages(apis.todo.search_tasks, access_token=todo_token, query=task)\n"
        '    task_id = next(one["task_id"] for one in tasks if one["title"] == task)\n'
    ),
    rows='apis.todo.show_task(access_token=todo_token, task_id=task_id)["subtasks"]',
    names=f'[one["title"] for one in all_pages(apis.todo.search_tasks, access_token={_TODO}) if {_STEPS}]',
)
FOLDER = Within(
    slot="folder",
    says='in my folder "{folder}", but not in the folders below it,',
    about="directly in a folder",
    finds="",
    rows='apis.files.show_directory(access_token=files_token, directory_path=folder)["files"]',
    names='apis.files.show_directory(access_token=login(app="files"), recursive=True)["directories"]',
)
FILE = Within(
    slot="file_path",
    says='of my file "{file_path}"',
    about="of a file",
    finds="",
    rows='apis.files.show_file(access_token=files_token, file_path=file_path)["content"].splitlines()',
    names='[one["path"] for one in all_pages(apis.files.search_files, access_token=login(app="files"))]',
)
NOTE = Within(
    slot="note",
    says='of my note "{note}"',
    about="of a note",
    finds=(
        "    notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=note)\n"
        '    note_id = next(one["note_id"] for one in notes if one["title"] == note)\n'
    ),
    rows='apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"].splitlines()',
    names='[one["title"] for one in all_pages(apis.notes.search_notes, access_token=login(app="notes"))]',
)
_FINDS_GROUP = (
    "    groups = all_pages(apis.splits.show_groups, access_token=splits_token)\n"
    '    group_id = next(one["group_id"] for one in groups if one["name"] == group)\n'
)
_GROUPS = '[one["name"] for one in all_pages(apis.splits.show_groups, access_token=login(app="splits"))]'
GROUP = Within(
    slot="group",
    says='in the splits group "{group}"',
    about="in a group",
    finds=_FINDS_GROUP,
    rows="all_pages(apis.splits.show_expenses, access_token=splits_token, group_id=group_id)",
    names=_GROUPS,
)
MEMBERS = Within(
    slot="group",
    says='of the splits group "{group}"',
    about="of a group",
    finds=_FINDS_GROUP,
    rows='apis.splits.show_group(access_token=splits_token, group_id=group_id)["members"]',
    names=_GROUPS,
)
