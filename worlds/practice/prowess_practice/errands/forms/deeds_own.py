"""What is done to the rows themselves: comments on them, new names, words at their ends."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.errands.forms.parts import Deed, deed
from prowess_practice.errands.transfers.parts import one_of

_TASK, _NOTE, _FILE = 'task_id=ROW["task_id"]', 'note_id=ROW["note_id"]', 'file_path=ROW["path"]'


def _renamed(word: str, api: str, given: str, field: str, row: str, style: str = "title") -> Deed:
    about = "rename" if field in ("title", "name") else f"change the {field} of"
    said = (f"change its {field}", "to", f"new {field}", about)
    return deed(word, api, f"{given}, {field}=TEXT", *said, row, style=style)


_MOVED = Deed(
    word="renamed",
    do="rename it, in the folder where it is,",
    says="to",
    noun="new name",
    about="rename",
    code="""place = ROW["path"].rpartition("/")[0]
apis.files.move_file(access_token=files_token, file_path=ROW["path"], destination_path=f"{place}/{name}")""",
    apps=("files",),
    style="file",
    rows=("file",),
    bars=("count", "stem"),
)
OWN = (
    deed(
        *("remarks_on", "todo.add_comment", f"{_TASK}, text=TEXT", "write a comment under it", "that says", "comment"),
        *("comment on", "task"),
    ),
    _renamed("retitled", "todo.update_task", _TASK, "title", "task"),
    deed(
        *("steps_of", "todo.add_subtask", f"{_TASK}, title=TEXT", "add a subtask to it", "with the title"),
        *("subtask title", "add a subtask to", "task"),
        style="title",
    ),
    deed(
        *("descriptions_of", "todo.update_task", f"{_TASK}, description=TEXT", "change its description", "to"),
        *("new description", "describe anew", "task"),
    ),
    _renamed("retitled", "notes.update_note", _NOTE, "title", "note"),
    deed(
        *("last_lines_of", "notes.append_to_note", f"{_NOTE}, text=TEXT", "append a line to it", "that reads", "line"),
        *("append a line to", "note"),
        style="line",
    ),
    deed(
        *("copies_of", "notes.duplicate_note", f"{_NOTE}, title=TEXT", "make a copy of it", "with the title"),
        *("title of the copy", "copy", "note"),
        style="title",
    ),
    _MOVED,
    deed(
        *("last_lines_of", "files.append_to_file", f"{_FILE}, text=TEXT", "append a line to it", "that reads", "line"),
        *("append a line to", "file"),
        style="line",
    ),
    replace(_MOVED, code=_MOVED.code.replace('ROW["path"]', "ROW"), rows=("path",)),
    deed(
        *("last_lines_of", "files.append_to_file", "file_path=ROW, text=TEXT", "append a line to it", "that reads"),
        *("line", "append a line to", "path"),
        style="line",
    ),
    _renamed("renamed", "todo.update_project", 'project_id=ROW["project_id"]', "name", "project"),
    deed(
        *("tasks_in", "todo.create_task", 'title=TEXT, project_id=ROW["project_id"]', "create a task in it"),
        *("with the title", "title", "make a task in", "project"),
        style="title",
    ),
    _renamed("retitled", "music.update_playlist", 'playlist_id=ROW["playlist_id"]', "title", "playlist"),
    deed(
        *("new_texts_of", "music.update_review", 'review_id=ROW["review_id"], text=TEXT', "change its text", "to"),
        *("new text", "change the text of", "review"),
    ),
    _renamed("relabelled", "phone.update_alarm", 'alarm_id=ROW["alarm_id"]', "label", "alarm"),
    deed(
        *("remarks_on", "wallet.add_transaction_comment", 'transaction_id=ROW["transaction_id"], text=TEXT'),
        *("comment on it", "with the words", "comment", "comment on", "transaction"),
    ),
    deed(
        *("remarks_on", "splits.add_expense_comment", 'expense_id=ROW["expense_id"], text=TEXT', "comment on it"),
        *("with the words", "comment", "comment on", "expense"),
    ),
    _renamed("redescribed", "splits.update_expense", 'expense_id=ROW["expense_id"]', "description", "expense", "talk"),
    _renamed("renamed", "splits.rename_group", 'group_id=ROW["group_id"]', "name", "group"),
    deed(
        *("reviews_of", "music.review_song", 'song_id=ROW["song_id"], rating=stars, text=TEXT'),
        *("review it with {stars} stars", "and the text", "text", "review", "song"),
        slots=(one_of("stars", 1, 2, 3, 4, 5),),
    ),
    deed(
        *("asked_back", "wallet.request_payment", 'payer_email=EMAIL, amount=ROW["amount"], note=TEXT'),
        *("request the amount of it from THEM on wallet", "with the note", "note", "request the amount of", "claim"),
    ),
    deed(
        *("paid_back", "wallet.send_payment", 'receiver_email=EMAIL, amount=ROW["amount"], note=TEXT'),
        *("pay the amount of it to THEM on wallet", "with the note", "note", "pay the amount of", "debt"),
    ),
)
