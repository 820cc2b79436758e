"""Tables of steps and works as texts, and the values that they name.

A table holds blocks of lines, with a blank line between them. The first line of a block is the word; after it stands
the kind that a further step starts from, as in `artist_of < song`, or the form of a work's answer, as in
`count_songs_of -> number`. What follows is told by how lines begin:

    :  how the thing is called (steps)
    ?  the question, and ! the same as a request (works); a line that begins with two spaces goes on with the one before
       lines of the program, behind four spaces
    =  what a step gives: `= name := code`, or `= row . field field` for fields of a row
    ~  an edit that matters, `~ old => new`; `;;` stands for the end of a line
"""

from __future__ import annotations

import re

from prowess_desk.engine.family import Day

from prowess_practice.errands.questions import scene
from prowess_practice.errands.questions.part import Edits, QuestionSlot, QuestionStep, Stage, Work


def titles(name: str, listing: str, field: str) -> QuestionSlot:
    """What the rows of a listing are called."""
    return QuestionSlot(name=name, pick=f'[one["{field}"] for one in PAGES({listing})]')


def days(name: str, listing: str, field: str) -> QuestionSlot:
    """A day between the first and the last of a listing."""
    return QuestionSlot(name=name, kind=Day, pick=f'[one["{field}"] for one in PAGES({listing}) if one["{field}"]]')


def staged(name: str, stage: Stage) -> QuestionSlot:
    """What a scene is set for."""
    return QuestionSlot(name=name, stage=stage)


_ALL = (
    days("added_before", "music.show_album_library", "added_at"),
    days("added_since", "music.show_song_library", "added_at"),
    titles("address", "phone.show_contacts", "address"),
    titles("album_title", "music.show_album_library", "title"),
    titles("artist", "music.show_song_library", "artist_name"),
    titles("artist_name", "music.show_liked_songs", "artist_name"),
    days("asked_until", "wallet.show_sent_requests", "created_at"),
    days("called_from", "phone.show_call_log", "started_at"),
    titles("called_person", "phone.show_contacts", "name"),
    days("called_since", "phone.show_call_log", "started_at"),
    days("called_until", "phone.show_call_log", "started_at"),
    QuestionSlot(name="card_name", pick='[one["name"] for one in CALL(wallet.show_cards)]'),
    staged("card_note", scene.card_note),
    days("created_since", "music.show_playlists", "created_at"),
    titles("description", "splits.show_expenses", "description"),
    days("done_before", "todo.search_tasks", "completed_at"),
    QuestionSlot(name="done_label", pick='[one["label"] for one in CALL(todo.list_labels)]'),
    QuestionSlot(name="exact_priority", kind=int, pick="[1, 2, 3, 4]"),
    titles("file_path", "files.search_files", "path"),
    QuestionSlot(
        name="file_word",
        pick='["photo", "downloaded", "vendor", "title", "health", "transport", "tax", "figures", "version"]',
    ),
    QuestionSlot(name="finished", pick='[one["title"] for one in PAGES(todo.search_tasks) if one["done"]]'),
    QuestionSlot(name="first_name", pick='[one["name"].split()[0] for one in PAGES(wallet.show_friends)]'),
    QuestionSlot(name="folder", pick='CALL(files.show_directory, recursive=True)["directories"]'),
    titles("genre", "music.show_song_library", "genre"),
    titles("group_name", "splits.show_groups", "name"),
    staged("group_task", scene.group_task),
    titles("in_playlist", "music.show_playlists", "title"),
    QuestionSlot(name="label", pick='[one["label"] for one in CALL(todo.list_labels)]'),
    days("last_day", "phone.show_text_messages", "sent_at"),
    QuestionSlot(
        name="least_amount", kind=float, pick='[float(int(one["amount"])) for one in PAGES(wallet.show_transactions)]'
    ),
    QuestionSlot(name="least_stars", kind=int, pick="[2, 3, 4, 5]"),
    QuestionSlot(
        name="member_name", pick='[one["name"] for group in PAGES(splits.show_groups) for one in group["members"]]'
    ),
    QuestionSlot(name="most_stars", kind=int, pick="[1, 2, 3, 4]"),
    staged("name_file", scene.name_file),
    staged("name_task", scene.name_task),
    titles("number", "phone.show_contacts", "phone_number"),
    QuestionSlot(name="number_of_days", kind=int, pick="[21, 28, 30, 45, 60, 90, 120]"),
    days("paid_from", "wallet.show_transactions", "created_at"),
    days("paid_since", "wallet.show_transactions", "created_at"),
    days("paid_until", "wallet.show_transactions", "created_at"),
    QuestionSlot(name="payer_name", pick='[one["paid_by"]["name"] for one in PAGES(splits.show_expenses)]'),
    titles("payment_note", "wallet.show_transactions", "note"),
    staged("plan_note", scene.plan_note),
    staged("remarked_note", scene.remarked_payment),
    days("played_since", "music.show_play_history", "last_played_at"),
    titles("playlist", "music.show_playlists", "title"),
    titles("project_name", "todo.list_projects", "name"),
    titles("recommended_genre", "music.show_recommendations", "genre"),
    QuestionSlot(name="relationship", pick="CALL(phone.show_relationships)"),
    days("released_since", "music.show_liked_songs", "release_date"),
    staged("sender_name", scene.artist_text),
    QuestionSlot(
        name="sent_word",
        pick='[word.strip("?!.,") for one in PAGES(phone.show_text_messages, direction="sent")'
        ' for word in one["text"].split() if len(word) > 5]',
    ),
    staged("song_note", scene.song_note),
    staged("song_title", scene.reviewed_song),
    staged("speaker_name", scene.group_voice),
    days("spent_from", "splits.show_expenses", "created_at"),
    days("spent_since", "splits.show_expenses", "created_at"),
    QuestionSlot(
        name="spoken_word",
        pick='[word.strip("?!.,") for one in PAGES(phone.show_voice_messages) for word in one["transcript"].split()'
        " if len(word) > 4]",
    ),
    QuestionSlot(name="status", pick='["pending", "approved", "denied"]'),
    QuestionSlot(name="tag", pick='[one["tag"] for one in CALL(notes.list_tags)]'),
    staged("task_file", scene.task_file),
    titles("task_title", "todo.search_tasks", "title"),
    days("texted_from", "phone.show_text_messages", "sent_at"),
    QuestionSlot(
        name="texted_word",
        pick='[word.strip("?!.,") for one in PAGES(phone.show_text_messages) for word in one["text"].split()'
        " if len(word) > 5]",
    ),
    staged("title_file", scene.playlist_file),
    QuestionSlot(
        name="title_word",
        pick='[word for one in PAGES(music.show_playlists) for word in one["title"].split() if len(word) > 3]',
    ),
    days("changed_until", "files.search_files", "updated_at"),
    QuestionSlot(
        name="alarm_day",
        pick='[day for one in PAGES(phone.show_alarms, is_enabled=True) for day in one["repeat_days"]]',
    ),
    titles("alarm_label", "phone.show_alarms", "label"),
    titles("email_address", "phone.show_contacts", "email"),
    QuestionSlot(
        name="most_amount", kind=float, pick='[float(int(one["amount"])) for one in PAGES(wallet.show_transactions)]'
    ),
    staged("remarked_expense", scene.remarked_expense),
    days("spent_until", "splits.show_expenses", "created_at"),
    staged("guest_note", scene.guest_note),
    staged("ledger_file", scene.ledger_file),
    staged("ledger_host", scene.ledger_host),
    staged("ledger_note", scene.ledger_note),
    staged("ledger_task", scene.ledger_task),
    staged("name_project", scene.name_project),
    staged("reviewed_playlist", scene.reviewed_playlist),
    QuestionSlot(
        name="note_word",
        pick='[word for one in PAGES(notes.search_notes) for word in one["title"].split() if len(word) > 3]',
    ),
    days("noted_before", "notes.search_notes", "created_at"),
    QuestionSlot(name="tag_count", kind=int, pick="[1, 2, 3]"),
    QuestionSlot(
        name="top_folder",
        pick='[CALL(files.show_directory)["directory_path"], CALL(files.show_directory)["directories"][1]]',
    ),
    *(titles(f"{which}_group", "splits.show_groups", "name") for which in ("one", "other")),
    *(titles(f"{which}_person", "phone.show_contacts", "name") for which in ("one", "other")),
    *(titles(f"{which}_playlist", "music.show_playlists", "title") for which in ("one", "other")),
    *(titles(f"{which}_project", "todo.list_projects", "name") for which in ("one", "other")),
    *(titles(f"{which}_musician", "music.show_play_history", "artist_name") for which in ("one", "other")),
    *(
        QuestionSlot(name=f"{which}_folder", pick='CALL(files.show_directory, recursive=True)["directories"]')
        for which in ("one", "other")
    ),
)
SLOTS = {slot.name: slot for slot in _ALL}


def steps(kind: str, table: str) -> tuple[QuestionStep, ...]:
    """The steps of a table, all of which lead to this kind of thing."""
    return tuple(_step(kind, block) for block in _blocks(table))


def works(kind: str, table: str) -> tuple[Work, ...]:
    """The works of a table, all of which are about this kind of thing."""
    return tuple(_work(kind, block) for block in _blocks(table))


def _blocks(table: str) -> list[list[str]]:
    return [block.splitlines() for block in table.strip("\n").split("\n\n")]


def _step(kind: str, lines: list[str]) -> QuestionStep:
    word, _, of = lines[0].partition(" < ")
    says = _said(lines, ":")
    return QuestionStep(
        word=word,
        kind=kind,
        of=of,
        says=says,
        code=_code(lines),
        gives=_given(lines),
        slots=_slots(says),
        matters=_edits(lines),
    )


def _work(kind: str, lines: list[str]) -> Work:
    word, _, form = lines[0].partition(" -> ")
    asks = _said(lines, "?")
    return Work(
        word=word,
        kind=kind,
        form=form,
        asks=asks,
        tells=_said(lines, "!"),
        code=_code(lines),
        slots=_slots(asks),
        matters=_edits(lines),
    )


def _said(lines: list[str], mark: str) -> str:
    start = next(n for n, line in enumerate(lines) if line.startswith(f"{mark} "))
    rest = lines[start + 1 :]
    more = [line for n, line in enumerate(rest) if all(_goes_on(one) for one in rest[: n + 1])]
    return " ".join([lines[start][2:], *(line.strip() for line in more)])


def _goes_on(line: str) -> bool:
    return line.startswith("  ") and not line.startswith("    ")


def _code(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line.startswith("    "))


def _given(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        if line.startswith("= ") and " := " in line:
            name, code = line[2:].split(" := ")
            found[name] = code
        elif line.startswith("= "):
            row, fields = line[2:].split(" . ")
            found |= {field: f'{row}["{field}"]' for field in fields.split()}
    return found


def _edits(lines: list[str]) -> Edits:
    edits = [re.split(r" =>(?: |$)", line[2:].replace(" ;; ", "\n    ")) for line in lines if line.startswith("~ ")]
    return tuple((old, new) for old, new in edits)


def _slots(text: str) -> tuple[QuestionSlot, ...]:
    return tuple(SLOTS[name] for name in dict.fromkeys(re.findall(r"\{(\w+)\}", text)))
