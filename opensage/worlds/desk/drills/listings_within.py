"""Rows that lie within something a task names: the songs of a playlist, the tasks of a project, the lines of a note."""

from __future__ import annotations

from opensage.worlds.desk.drills.conditions import (
    among,
    before,
    contains,
    ending,
    flag,
    over,
    person,
    since,
    text,
)
from opensage.worlds.desk.drills.listing import Action, Listing, Measure, Within
from opensage.worlds.desk.drills.listings_money import AMOUNT, BEFORE, MADE, OVER, SINCE, UNDER, WORDS
from opensage.worlds.desk.drills.listings_music import KEEP, LENGTH, LIKE, PLAYS, QUEUE, RATE, SONG

_PLAYLIST = Within(
    slot="playlist",
    says='in my playlist "{playlist}"',
    about="in a playlist",
    finds=(
        "    playlists = all_pages(apis.music.show_playlists, access_token=token)\n"
        '    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)\n'
    ),
    rows='apis.music.show_playlist(access_token=token, playlist_id=playlist_id)["songs"]',
    names='[one["title"] for one in all_pages(apis.music.show_playlists, access_token=login(app="music"))]',
)
_ALBUM = Within(
    slot="album",
    says='on the album "{album}"',
    about="on an album",
    finds=(
        "    albums = all_pages(apis.music.search_albums, access_token=token, query=album)\n"
        '    album_id = next(one["album_id"] for one in albums if one["title"] == album)\n'
    ),
    rows='apis.music.show_album(access_token=token, album_id=album_id)["songs"]',
    names='[one["title"] for one in all_pages(apis.music.show_album_library, access_token=login(app="music"))]',
)
_PROJECT = Within(
    slot="project",
    says='in my todo project "{project}"',
    about="in a project",
    finds=(
        "    projects = all_pages(apis.todo.list_projects, access_token=token)\n"
        '    project_id = next(one["project_id"] for one in projects if one["name"] == project)\n'
    ),
    rows="all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id)",
    names='[one["name"] for one in all_pages(apis.todo.list_projects, access_token=login(app="todo"))]',
)
_TODO = 'login(app="todo")'
_STEPS = f'apis.todo.show_task(access_token={_TODO}, task_id=one["task_id"])["subtasks"]'
_PARENT = Within(
    slot="task",
    says='of my task "{task}" in the todo app',
    about="of a task",
    finds=(
        "    tasks = all_pages(apis.todo.search_tasks, access_token=token, query=task)\n"
        '    task_id = next(one["task_id"] for one in tasks if one["title"] == task)\n'
    ),
    rows='apis.todo.show_task(access_token=token, task_id=task_id)["subtasks"]',
    names=f'[one["title"] for one in all_pages(apis.todo.search_tasks, access_token={_TODO}) if {_STEPS}]',
)
_FOLDER = Within(
    slot="folder",
    says='in my folder "{folder}", but not in the folders below it,',
    about="directly in a folder",
    finds="",
    rows='apis.files.show_directory(access_token=token, directory_path=folder)["files"]',
    names='apis.files.show_directory(access_token=login(app="files"), recursive=True)["directories"]',
)
_FILE = Within(
    slot="file_path",
    says='of my file "{file_path}"',
    about="of a file",
    finds="",
    rows='apis.files.show_file(access_token=token, file_path=file_path)["content"].splitlines()',
    names='[one["path"] for one in all_pages(apis.files.search_files, access_token=login(app="files"))]',
)
_NOTE = Within(
    slot="note",
    says='of my note "{note}"',
    about="of a note",
    finds=(
        "    notes = all_pages(apis.notes.search_notes, access_token=token, query=note)\n"
        '    note_id = next(one["note_id"] for one in notes if one["title"] == note)\n'
    ),
    rows='apis.notes.show_note(access_token=token, note_id=note_id)["content"].splitlines()',
    names='[one["title"] for one in all_pages(apis.notes.search_notes, access_token=login(app="notes"))]',
)
_FINDS_GROUP = (
    "    groups = all_pages(apis.splits.show_groups, access_token=token)\n"
    '    group_id = next(one["group_id"] for one in groups if one["name"] == group)\n'
)
_GROUPS = '[one["name"] for one in all_pages(apis.splits.show_groups, access_token=login(app="splits"))]'
_GROUP = Within(
    slot="group",
    says='in the splits group "{group}"',
    about="in a group",
    finds=_FINDS_GROUP,
    rows="all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id)",
    names=_GROUPS,
)
_MEMBERS = Within(
    slot="group",
    says='of the splits group "{group}"',
    about="of a group",
    finds=_FINDS_GROUP,
    rows='apis.splits.show_group(access_token=token, group_id=group_id)["members"]',
    names=_GROUPS,
)

_LINES = contains("", 'with the word "{word}" in it', "with a word in it")
_TASK = 'task_id=ROW["task_id"]'

WITHIN = (
    Listing(
        app="music",
        within=_PLAYLIST,
        word="songs",
        row="song",
        one="song",
        many="songs",
        name="title",
        called="title",
        conditions=SONG,
        measures=(LENGTH, PLAYS),
        actions=(
            LIKE,
            KEEP,
            QUEUE,
            Action(
                api="remove_song_from_playlist",
                verb="remove",
                arguments='playlist_id=playlist_id, song_id=ROW["song_id"]',
                after=" from it",
            ),
        ),
    ),
    Listing(
        app="music",
        within=_ALBUM,
        word="songs",
        row="song",
        one="song",
        many="songs",
        name="title",
        called="title",
        conditions=SONG[2:4],
        measures=(LENGTH, PLAYS),
        actions=(LIKE, KEEP, RATE),
    ),
    Listing(
        app="todo",
        within=_PROJECT,
        word="tasks",
        row="task",
        one="task",
        many="tasks",
        name="title",
        called="title",
        conditions=(
            among("labels", 'labelled "{label}"', "with a label", slot="label"),
            over("priority", "with a priority above {more_than_priority}", "above a priority", coarse=True),
            since("due_date", "due on or after {since}", "due since a day"),
            before("due_date", "due before {before}", "due before a day"),
            contains("title", 'with the word "{word}" in the title', "with a word in the title"),
        ),
        flags=(flag("done", "that are done", "that are done"), flag("done", "still to do", "still to do", yes=False)),
        measures=(Measure(field="created_at", most="was created last", least="was created first"),),
        actions=(
            Action(api="mark_task_done", verb="tick off", arguments=_TASK),
            Action(
                api="label_task",
                verb="label",
                arguments=f"{_TASK}, label=new_label",
                after=' as "{new_label}"',
                slot="new_label",
                choices=("reviewed", "keep", "someday", "to sort", "shared"),
            ),
            Action(
                api="update_task",
                verb="give",
                arguments=f"{_TASK}, priority=new_priority",
                after=" the priority {new_priority}",
                slot="new_priority",
                choices=("1", "2", "3", "4"),
            ),
            Action(
                api="add_subtask",
                verb="give",
                arguments=f"{_TASK}, title=step",
                after=' a subtask called "{step}"',
                slot="step",
                choices=("Check the result", "Ask around", "Write it down", "Plan it"),
            ),
        ),
    ),
    Listing(
        app="todo",
        within=_PARENT,
        word="subtasks",
        row="subtask",
        one="subtask",
        many="subtasks",
        name="title",
        called="title",
        conditions=(contains("title", 'with the word "{word}" in the title', "with a word in the title"),),
        flags=(flag("done", "that are done", "that are done"), flag("done", "still to do", "still to do", yes=False)),
        actions=(
            Action(
                api="update_subtask",
                verb="tick off",
                arguments='task_id=task_id, subtask_number=ROW["subtask_number"], done=True',
            ),
        ),
    ),
    Listing(
        app="files",
        within=_FOLDER,
        word="files",
        row="path",
        one="file",
        many="files",
        name=".",
        called="path",
        conditions=(ending(), contains("", 'with "{word}" in the path', "with a word in the path")),
        actions=(
            Action(
                api="append_to_file",
                verb="extend",
                arguments="file_path=ROW, text=words",
                after=' by the words "{words}"',
                slot="words",
                choices=("Checked.", "Still open.", "Ask again.", "Done with this."),
            ),
            Action(
                api="copy_file",
                verb="copy",
                arguments='file_path=ROW, destination_path=f"{ROW}.{ending_of_copies}"',
                after=', each to the same path with ".{ending_of_copies}" at the end',
                slot="ending_of_copies",
                choices=("bak", "old", "copy", "save"),
            ),
        ),
    ),
    Listing(
        app="files",
        within=_FILE,
        word="lines",
        row="line",
        one="line",
        many="lines",
        name=".",
        called="text",
        conditions=(_LINES,),
    ),
    Listing(
        app="notes",
        within=_NOTE,
        word="lines",
        row="line",
        one="line",
        many="lines",
        name=".",
        called="text",
        conditions=(_LINES,),
    ),
    Listing(
        app="splits",
        within=_GROUP,
        word="expenses",
        row="expense",
        one="expense",
        many="expenses",
        name="description",
        called="description",
        conditions=(
            OVER,
            UNDER,
            SINCE,
            BEFORE,
            text("description", 'described as "{description}"', "with a description"),
            person("paid_by", 'paid by "{person}"', "paid by a person"),
        ),
        measures=(AMOUNT, MADE),
        actions=(
            Action(
                api="add_expense_comment",
                verb="comment on",
                arguments='expense_id=ROW["expense_id"], text=comment',
                after=' with "{comment}"',
                slot="comment",
                choices=WORDS,
            ),
            Action(
                api="update_expense",
                verb="rename",
                arguments='expense_id=ROW["expense_id"], description=new_name',
                after=' to "{new_name}"',
                slot="new_name",
                choices=("Shared costs", "Common things", "Various", "Household"),
            ),
        ),
    ),
    Listing(
        app="splits",
        within=_MEMBERS,
        word="members",
        row="member",
        one="member",
        many="members",
        name="name",
        called="name",
    ),
)
