"""Rows that lie within something a task names: the songs of a playlist, the tasks of a project, the lines of a note."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.conditions import among, before, contains, ending, over, since
from prowess_practice.drills.listing import Action, Listing, Measure
from prowess_practice.drills.listings_money import AMOUNT, COMMENT, EXPENSE, MADE
from prowess_practice.drills.listings_music import IN_LIBRARY, IN_LIKES, KEEP, LENGTH, LIKE, PLAYS, QUEUE, RATE, SONG
from prowess_practice.drills.listings_work import DONE, EXTEND, LABEL, POSTPONE, RAISE, RANK, TASK, TICK
from prowess_practice.drills.within import ALBUM, FILE, FOLDER, GROUP, MEMBERS, NOTE, PARENT, PLAYLIST, PROJECT

_LINES = Listing(
    app="",
    word="lines",
    row="line",
    one="line",
    many="lines",
    name=".",
    called="text",
    conditions=(contains("", 'with the word "{word}" in it', "with a word in it"),),
)

WITHIN = (
    Listing(
        app="music",
        within=PLAYLIST,
        word="songs",
        row="song",
        one="song",
        many="songs",
        name="title",
        called="title",
        conditions=SONG,
        flags=(*IN_LIBRARY, *IN_LIKES),
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
        within=ALBUM,
        word="songs",
        row="song",
        one="song",
        many="songs",
        name="title",
        called="title",
        conditions=SONG[2:4],
        flags=(*IN_LIKES, *IN_LIBRARY),
        measures=(LENGTH, PLAYS),
        actions=(LIKE, KEEP, RATE),
    ),
    Listing(
        app="todo",
        within=PROJECT,
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
        flags=DONE,
        measures=(Measure(field="created_at", most="was created last", least="was created first"),),
        actions=(
            TICK,
            LABEL,
            RANK,
            POSTPONE,
            RAISE,
            Action(
                api="add_subtask",
                verb="give",
                arguments=f"{TASK}, title=step",
                after=' a subtask called "{step}"',
                slot="step",
                choices=("Check the result", "Ask around", "Write it down", "Plan it"),
            ),
        ),
    ),
    Listing(
        app="todo",
        within=PARENT,
        word="subtasks",
        row="subtask",
        one="subtask",
        many="subtasks",
        name="title",
        called="title",
        conditions=(contains("title", 'with the word "{word}" in the title', "with a word in the title"),),
        flags=DONE,
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
        within=FOLDER,
        word="files",
        row="path",
        one="file",
        many="files",
        name=".",
        called="path",
        conditions=(ending(), contains("", 'with "{word}" in the path', "with a word in the path")),
        actions=(
            replace(EXTEND, arguments="file_path=ROW, text=words"),
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
    replace(_LINES, app="files", within=FILE),
    replace(_LINES, app="notes", within=NOTE),
    Listing(
        app="splits",
        within=GROUP,
        word="expenses",
        row="expense",
        one="expense",
        many="expenses",
        name="description",
        called="description",
        conditions=EXPENSE,
        measures=(AMOUNT, MADE),
        actions=(
            COMMENT,
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
        within=MEMBERS,
        word="members",
        row="member",
        one="member",
        many="members",
        name="name",
        called="name",
    ),
)
