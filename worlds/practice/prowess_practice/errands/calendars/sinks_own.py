"""What is done to the rows themselves, in their own app."""

from __future__ import annotations

from prowess_practice.errands.calendars.sink import act, calling, each, unless
from prowess_practice.errands.calendars.sources import in_turn
from prowess_practice.errands.people.scene import flush
from prowess_practice.errands.transfers.parts import Slot, one_of
from prowess_practice.errands.transfers.scene import FOLDERS

_SONG = 'song_id=ROW["song_id"]'
_LIKED = '    liked = {one["song_id"] for one in all_pages(apis.music.show_liked_songs, access_token=music_token)}\n'
_KEPT = '    kept = {one["song_id"] for one in all_pages(apis.music.show_song_library, access_token=music_token)}\n'
_RATED = '    rated = {one["song_id"] for one in all_pages(apis.music.show_my_reviews, access_token=music_token)}\n'
_FOLLOWED = (
    "    followed = {\n"
    '        one["artist_id"] for one in all_pages(apis.music.show_followed_artists, access_token=music_token)\n'
    "    }\n"
)
_ALBUMS = '    liked = {one["album_id"] for one in all_pages(apis.music.show_liked_albums, access_token=music_token)}\n'
_TITLE = one_of("title", "Time machine", "Back then", "Calendar mix", "From those days", "Season of songs")
_STARS = one_of("rating", 2, 3, 4, 5)

MUSIC = (
    act(
        "like",
        "give a like to ALL",
        unless('ROW["song_id"] not in liked', "music.like_song", _SONG),
        "song",
        before=_LIKED,
        bars=("liked",),
        rest=(" Songs that I like already stay as they are.", " Leave out whatever I like already."),
    ),
    act("forget", "remove [from the library] ALL", each("music.remove_song_from_library", _SONG), "song", "kept"),
    act("unlike", "take my like away from ALL", each("music.unlike_song", _SONG), "song", "liked"),
    act(
        "keep",
        "add [to my music library] ALL",
        unless('ROW["song_id"] not in kept', "music.add_song_to_library", _SONG),
        "song",
        before=_KEPT,
        bars=("kept",),
        rest=(" Skip what is in there already.", " What is in the library already needs nothing."),
    ),
    act(
        "queue",
        "append [to my play queue] ALL",
        "    for ROW in sorted(found, key=lambda ROW: KEY):\n" + calling("music.add_to_queue", _SONG),
        "song",
        rest=(" They should go there in order of time, the earliest firstORDERED.", " Earliest first, pleaseORDERED."),
        drops=(("key=lambda ROW: KEY):", "key=lambda ROW: KEY, reverse=True):"),),
    ),
    act(
        "rate",
        "rate [with {rating} stars] ALL",
        unless('ROW["song_id"] not in rated', "music.review_song", f"{_SONG}; rating=rating"),
        "song",
        before=_RATED,
        slots=(_STARS,),
        rest=(" Where I have a review already, leave it alone.", " No text, and nothing for songs I have reviewed."),
    ),
    act(
        "follow_artists_of",
        "follow the artists of ALL",
        '    artist_ids = sorted({ROW["artist_id"] for ROW in found})\n'
        "    for artist_id in artist_ids:\n"
        "        if artist_id not in followed:\n"
        "            apis.music.follow_artist(access_token=music_token, artist_id=artist_id)\n",
        "song",
        bars=("advised",),
        before=_FOLLOWED,
        rest=(" I follow some of them already, so do not try that twice.", " Leave out artists that I follow already."),
    ),
    act(
        "playlist_of",
        'make a new music playlist "{title}" of ALL',
        '    playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        + each("music.add_song_to_playlist", f"playlist_id=playlist_id; {_SONG}"),
        "song",
        slots=(_TITLE,),
    ),
    act(
        "month_playlists_of",
        "sort [into new music playlists by calendar month] ALL",
        "    by_period: dict = {}\n"
        "    for ROW in found:\n"
        "        by_period.setdefault(MOMENT[:7], []).append(ROW)\n"
        "    for period, group in by_period.items():\n"
        '        title = f"{start_word} {period}"\n'
        '        playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        "        for ROW in group:\n"
        "            apis.music.add_song_to_playlist(\n"
        '                access_token=music_token, playlist_id=playlist_id, song_id=ROW["song_id"]\n'
        "            )\n",
        "song",
        bars=("old",),
        shuns=("month", "week"),
        slots=(one_of("start_word", "Songs of", "Diary", "Back in", "Month"),),
        rest=(
            ' Going by ITSDAY, every month that occurs gets one, called "{start_word} MONTH" with the month as in'
            " 2025-03.",
            ' The month is that of ITSDAY, and the titles are "{start_word} " and the month, as in 2025-03.',
        ),
    ),
    act(
        "like_albums",
        "give a like to ALL",
        unless('ROW["album_id"] not in liked', "music.like_album", 'album_id=ROW["album_id"]'),
        "album",
        before=_ALBUMS,
        rest=(" Leave out those that I like already.", " If I like one of them already, that is fine as it is."),
    ),
    act(
        "drop_albums",
        "remove [from the library] ALL",
        each("music.remove_album_from_library", 'album_id=ROW["album_id"]'),
        "kept_album",
    ),
    act(
        "queue_albums",
        "add to my play queue all songs of ALL",
        "    for ROW in sorted(found, key=lambda ROW: KEY):\n"
        '        for song_id in ROW["song_ids"]:\n'
        "            apis.music.add_to_queue(access_token=music_token, song_id=song_id)\n",
        "album",
        rest=(
            " Take the albums in order of time, the earliest first, and the songs in the order the app gives.",
            " The earliest album goes first, each with its songs as the app lists them.",
        ),
    ),
    act(
        "playlist_of_albums",
        'make a new music playlist "{title}" of the songs on ALL',
        '    playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        "    for ROW in found:\n"
        '        for song_id in ROW["song_ids"]:\n'
        "            apis.music.add_song_to_playlist(\n"
        "                access_token=music_token, playlist_id=playlist_id, song_id=song_id\n"
        "            )\n",
        "album",
        slots=(_TITLE,),
    ),
    act(
        "open_playlists",
        "make [public] ALL",
        each("music.update_playlist", 'playlist_id=ROW["playlist_id"]; is_public=True'),
        "playlist",
    ),
    act("drop_playlists", "delete ALL", each("music.delete_playlist", 'playlist_id=ROW["playlist_id"]'), "playlist"),
    act(
        "date_playlists",
        "rename ALL",
        each("music.update_playlist", 'playlist_id=ROW["playlist_id"]; title=f"{QNAME} ({QDAY})"'),
        "playlist",
        rest=(
            " The new title is the old one, a space and ITSDAY in brackets, as in (2025-03-21).",
            ' Each gets ITSDAY added to its title, like this: "TITLE (2025-03-21)".',
        ),
    ),
    act(
        "merge_playlists",
        'make a new music playlist "{title}" of the songs of ALL',
        '    playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        '    for song_id in sorted({song_id for ROW in found for song_id in ROW["song_ids"]}):\n'
        "        apis.music.add_song_to_playlist(\n"
        "            access_token=music_token, playlist_id=playlist_id, song_id=song_id\n"
        "        )\n",
        "playlist",
        slots=(_TITLE,),
        rest=(" A song that occurs twice goes in once.", ""),
    ),
    act("drop_reviews", "delete ALL", each("music.delete_review", 'review_id=ROW["review_id"]'), "review"),
    act(
        "rerate",
        "change [to {rating} stars] ALL",
        each("music.update_review", 'review_id=ROW["review_id"]; rating=rating'),
        "review",
        slots=(_STARS,),
        rest=(" The texts stay.", " Only the rating changes."),
    ),
    act(
        "like_reviewed",
        "give a like to the songs of ALL",
        unless('ROW["song_id"] not in liked', "music.like_song", _SONG),
        "review",
        before=_LIKED,
        rest=(" Songs that I like already stay as they are.", " Leave out whatever I like already."),
    ),
)


_NOTE = 'note_id=ROW["note_id"]'
_TASK = 'task_id=ROW["task_id"]'
_WORDS = one_of("words", "Seen in the review of dates", "Out of date", "Checked today", "From that time", "Old news")
_TAG = one_of("tag", "dated", "seasonal", "look back", "to sort", "period")
_FOLDER = one_of("folder", *FOLDERS)
_PROJECT = Slot(name="project", choose=lambda draw: draw.rng.choice(("Catching up", "By the calendar", "Leftovers")))

_MONEY = (
    act(
        "like_payments",
        "give a like to ALL",
        '    for ROW in found:\n        if not ROW["liked_by_me"]:\n'
        + calling("wallet.like_transaction", 'transaction_id=ROW["transaction_id"]', indent=12),
        "payment",
        rest=(" Those with a like of mine already need none.", " If there is a like of mine already, leave it so."),
    ),
    act(
        "comment_payments",
        'comment "{words}" on ALL',
        each("wallet.add_transaction_comment", 'transaction_id=ROW["transaction_id"]; text=words'),
        "payment",
        slots=(_WORDS,),
    ),
    act(
        "date_payments",
        "comment on ALL",
        '    for ROW in found:\n        weekday_name = date.fromisoformat(DAY).strftime("%A")\n'
        + calling(
            "wallet.add_transaction_comment", 'transaction_id=ROW["transaction_id"]; text=f"{words}: {weekday_name}"'
        ),
        "payment",
        slots=(_WORDS,),
        rest=(
            ' The comment is "{words}: " and the weekday of ITSDAY, such as Monday.',
            ' Each comment says "{words}: WEEKDAY", where WEEKDAY is that of ITSDAY, such as Monday.',
        ),
    ),
    act(
        "hide",
        "make [private] ALL",
        each("wallet.update_transaction", 'transaction_id=ROW["transaction_id"]; is_private=True'),
        "sent",
    ),
    act(
        "approve",
        "approve ALL",
        each("wallet.approve_request", 'request_id=ROW["request_id"]'),
        "asked",
        scene=flush,
    ),
    act("deny", "deny ALL", each("wallet.deny_request", 'request_id=ROW["request_id"]'), "asked"),
    act("cancel", "cancel ALL", each("wallet.cancel_request", 'request_id=ROW["request_id"]'), "asking"),
    act(
        "comment_expenses",
        'comment "{words}" on ALL',
        each("splits.add_expense_comment", 'expense_id=ROW["expense_id"]; text=words'),
        "expense",
        slots=(_WORDS,),
    ),
    act("drop_expenses", "delete ALL", each("splits.delete_expense", 'expense_id=ROW["expense_id"]'), "own"),
    act(
        "date_expenses",
        "change the descriptions of ALL",
        each("splits.update_expense", 'expense_id=ROW["expense_id"]; description=f"{QMONTH} {QNAME}"'),
        "own",
        rest=(
            " Put the calendar month of ITSDAY, as in 2025-03, and a space in front of each.",
            ' They become "MONTH DESCRIPTION": the month of ITSDAY as in 2025-03, a space and the old one.',
        ),
    ),
)
_PHONE = (
    act("drop_texts", "delete ALL", each("phone.delete_text_message", 'message_id=ROW["message_id"]'), "text"),
    act("drop_voices", "delete ALL", each("phone.delete_voice_message", 'message_id=ROW["message_id"]'), "voice"),
)
_PAPERS = (
    act(
        "pin",
        "pin ALL",
        '    for ROW in found:\n        if not ROW["pinned"]:\n' + calling("notes.pin_note", _NOTE, indent=12),
        "note",
        rest=(" Those that are pinned already need nothing.", " Some are pinned already, which is fine."),
    ),
    act("archive", "archive ALL", each("notes.archive_note", _NOTE), "note", bars=("any_note",)),
    act("drop_notes", "delete ALL", each("notes.delete_note", _NOTE), "note"),
    act(
        "tag_notes",
        'give the tag "{tag}" to ALL',
        each("notes.tag_note", f"{_NOTE}; tag=tag"),
        "note",
        slots=(_TAG,),
    ),
    act(
        "tag_notes_with_month",
        "tag ALL",
        each("notes.tag_note", f"{_NOTE}; tag=MOMENT[:7]"),
        "note",
        rest=(
            " The tag is the calendar month of ITSDAY, written as in 2025-03.",
            " Each gets one tag: the month of ITSDAY, such as 2025-03.",
        ),
        drops=(("[:7])", "[:10])"),),
    ),
    act(
        "date_notes",
        "rename ALL",
        '    for ROW in found:\n        dated_title = f"{QNAME} {QDAY}"\n'
        + calling("notes.update_note", f"{_NOTE}; title=dated_title"),
        "note",
        rest=(
            " The new title is the old one, a space and ITSDAY as in 2025-03-21.",
            " Add a space and ITSDAY (as in 2025-03-21) to each title.",
        ),
    ),
    act(
        "extend_notes",
        'append the line "{words}" to ALL',
        each("notes.append_to_note", f"{_NOTE}; text=words"),
        "note",
        slots=(_WORDS,),
    ),
    act("drop_files", "delete ALL", each("files.delete_file", 'file_path=ROW["path"]'), "file"),
    act(
        "extend_files",
        'append the line "{words}" to ALL',
        each("files.append_to_file", 'file_path=ROW["path"]; text=words'),
        "file",
        slots=(_WORDS,),
    ),
    act(
        "move_files",
        'move [to the new folder "{folder}"] ALL',
        "    apis.files.create_directory(access_token=files_token, directory_path=folder)\n"
        "    for ROW in found:\n"
        '        file_name = ROW["path"].rpartition("/")[2]\n'
        + calling("files.move_file", 'file_path=ROW["path"]; destination_path=f"{folder}/{file_name}"'),
        "file",
        slots=(_FOLDER,),
        rest=(" They keep their file names.", " The folder does not exist yet; the file names stay the same."),
    ),
    act(
        "date_files",
        'copy [to the new folder "{folder}"] ALL',
        "    apis.files.create_directory(access_token=files_token, directory_path=folder)\n"
        "    for ROW in found:\n"
        '        file_name = ROW["path"].rpartition("/")[2]\n'
        '        copy_path = f"{folder}/{QDAY}-{file_name}"\n'
        + calling("files.copy_file", 'file_path=ROW["path"]; destination_path=copy_path'),
        "file",
        slots=(_FOLDER,),
        rest=(
            " The copies are named like the files, with ITSDAY and a hyphen in front, as in 2025-03-21-NAME.",
            " Put ITSDAY and a hyphen in front of the file names there, as in 2025-03-21-NAME.",
        ),
    ),
    act(
        "month_folders_of",
        "sort [into folders by calendar month] ALL",
        "    for period in sorted({MOMENT[:7] for ROW in found}):\n"
        '        apis.files.create_directory(access_token=files_token, directory_path=f"{folder}/{period}")\n'
        "    for ROW in found:\n"
        '        file_name = ROW["path"].rpartition("/")[2]\n'
        '        new_path = f"{folder}/{QMONTH}/{file_name}"\n'
        + calling("files.move_file", 'file_path=ROW["path"]; destination_path=new_path'),
        "file",
        shuns=("month", "week"),
        slots=(_FOLDER,),
        rest=(
            ' The folders are new, named like 2025-03 after the month of ITSDAY, and lie in "{folder}".',
            ' Move each file to "{folder}/MONTH", MONTH being that of ITSDAY as in 2025-03; create these folders.',
        ),
    ),
)
_READ = (
    act(
        "duplicate",
        "duplicate ALL",
        '    for ROW in found:\n        copy_title = f"{QNAME} as of {QDAY}"\n'
        + calling("notes.duplicate_note", f"{_NOTE}; title=copy_title"),
        "note",
        rest=(
            ' The title of a copy is "TITLE as of DAY", with the title of the note and ITSDAY as in 2025-03-21.',
            ' A copy is titled like the note, with " as of " and ITSDAY (as in 2025-03-21) after it.',
        ),
    ),
    act(
        "export",
        'copy [as files into the new folder "{folder}"] ALL',
        "    apis.files.create_directory(access_token=files_token, directory_path=folder)\n"
        "    for ROW in found:\n"
        '        content = apis.notes.show_note(access_token=notes_token, note_id=ROW["note_id"])["content"]\n'
        '        file_path = f"{folder}/{QDAY} {QNAME}.txt"\n'
        "        apis.files.create_file(access_token=files_token, file_path=file_path, content=content)\n",
        "note",
        apps=("files",),
        slots=(_FOLDER,),
        rest=(
            ' A file holds the content of the note and is named "DAY TITLE.txt", DAY being ITSDAY as in 2025-03-21.',
            " Name each file after ITSDAY as in 2025-03-21, a space, the title of the note and .txt; what it holds is"
            " the content of the note.",
        ),
    ),
    act(
        "note_down",
        "write a note for each of ALL",
        "    for ROW in found:\n"
        '        content = apis.files.show_file(access_token=files_token, file_path=ROW["path"])["content"]\n'
        '        file_name = ROW["path"].rpartition("/")[2]\n'
        '        note_title = f"{file_name} {QDAY}"\n'
        "        apis.notes.create_note(access_token=notes_token, title=note_title, content=content, tags=[tag])\n",
        "file",
        apps=("notes",),
        slots=(_TAG,),
        rest=(
            " The title is the file name (without the folders), a space and ITSDAY as in 2025-03-21. The note holds"
            ' what the file holds and is tagged "{tag}".',
            ' It has the content of the file, the tag "{tag}" and the title "NAME DAY": the file name without the'
            " folders, and ITSDAY as in 2025-03-21.",
        ),
    ),
    act(
        "finish_steps_of",
        "mark as done all subtasks of ALL",
        "    for ROW in found:\n"
        '        details = apis.todo.show_task(access_token=todo_token, task_id=ROW["task_id"])\n'
        '        for step in details["subtasks"]:\n'
        '            if not step["done"]:\n'
        "                apis.todo.update_subtask(\n"
        "                    access_token=todo_token,\n"
        '                    task_id=ROW["task_id"],\n'
        '                    subtask_number=step["subtask_number"],\n'
        "                    done=True,\n"
        "                )\n",
        "open_task",
        rest=(" The tasks themselves stay as they are.", " This is about the subtasks only, not about the tasks."),
    ),
    act(
        "drop_comments_of",
        "delete all comments on ALL",
        "    for ROW in found:\n"
        '        task_id = ROW["task_id"]\n'
        "        for comment in all_pages(apis.todo.list_comments, access_token=todo_token, task_id=task_id):\n"
        '            apis.todo.delete_comment(access_token=todo_token, comment_id=comment["comment_id"])\n',
        "task",
        rest=(" The tasks themselves stay.", " Nothing else about these tasks changes."),
    ),
)
_TODO = (
    act("finish", "mark [as done] ALL", each("todo.mark_task_done", _TASK), "open_task"),
    act("reopen", "reopen ALL", each("todo.reopen_task", _TASK), "done_task"),
    act("drop_tasks", "delete ALL", each("todo.delete_task", _TASK), "task"),
    act(
        "label_tasks",
        'give the label "{tag}" to ALL',
        each("todo.label_task", f"{_TASK}; label=tag"),
        "task",
        slots=(_TAG,),
    ),
    act(
        "rank",
        "set [to priority {new_priority}] ALL",
        each("todo.update_task", f"{_TASK}; priority=new_priority"),
        "open_task",
        slots=(one_of("new_priority", 1, 2, 3, 4),),
    ),
    act(
        "comment_tasks",
        'comment "{words}" on ALL',
        each("todo.add_comment", f"{_TASK}; text=words"),
        "task",
        slots=(_WORDS,),
    ),
    act(
        "move_tasks",
        'move [to a new todo project "{project}"] ALL',
        '    project_id = apis.todo.create_project(access_token=todo_token, name=project)["project_id"]\n'
        + each("todo.move_task", f"{_TASK}; project_id=project_id"),
        "task",
        slots=(_PROJECT,),
    ),
    act(
        "weekday_labels_of",
        "label ALL",
        '    for ROW in found:\n        weekday_name = date.fromisoformat(DAY).strftime("%A").lower()\n'
        + calling("todo.label_task", f"{_TASK}; label=weekday_name"),
        "task",
        shuns=("weekday",),
        rest=(
            " The label is the weekday of ITSDAY in lower case, such as monday.",
            " Each gets the weekday of ITSDAY as a label, in lower case: monday, tuesday and so on.",
        ),
    ),
    act(
        "postpone",
        "change the due dates of ALL",
        "    for ROW in found:\nWHEN" + calling("todo.update_task", f"{_TASK}; due_date=due.isoformat()"),
        "open_task",
        rest=(" Each becomes due WHENSAYS.", " The new due date of each lies WHENSAYS."),
    ),
    act(
        "step",
        "add a subtask to ALL",
        "    for ROW in found:\nWHEN" + calling("todo.add_subtask", f'{_TASK}; title=f"{{words}} {{due.isoformat()}}"'),
        "task",
        slots=(_WORDS,),
        rest=(
            ' It is titled "{words} DAY", where DAY is a day as in 2025-03-21 that lies WHENSAYS.',
            ' Its title: "{words} DAY". The day to put there, as in 2025-03-21, lies WHENSAYS.',
        ),
    ),
)
OWN = in_turn(MUSIC, _PAPERS, _TODO, _MONEY, _READ, _PHONE)
"""Apps take turns."""
