"""What rows may lie in, and how a program finds it by the name that a task gives."""

from __future__ import annotations

from prowess_practice.drills.listing import Within

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
