"""What is done for each row: to the row itself, to the person behind it, or elsewhere."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.errands.forms.parts import FormDeed, deed
from prowess_practice.errands.people import slots as people
from prowess_practice.errands.reports.parts import DUE, OWN_EXPENSE, OWN_PAYMENT, OWN_TASK, RECEIVER
from prowess_practice.errands.reports.sinks import FIND_TASK
from prowess_practice.errands.transfers.parts import Slot, one_of, own

_RECEIVER = (
    "    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=receiver)\n"
    '    number = next(one["phone_number"] for one in people if one["name"] == receiver)\n'
)
_NUMBERS = (
    "    people = all_pages(apis.phone.show_contacts, access_token=phone_token)\n"
    '    numbers = {one["email"]: one["phone_number"] for one in people}\n'
)
_PROJECT = own(
    "own_project", '[one["name"] for one in all_pages(apis.todo.list_projects, access_token=login(app="todo"))]'
)
_FIND_PROJECT = (
    "    own_projects = all_pages(apis.todo.list_projects, access_token=todo_token)\n"
    '    project_id = next(one["project_id"] for one in own_projects if one["name"] == own_project)\n'
)
_FIND_EXPENSE = (
    "    own_expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, query=own_expense)\n"
    '    expense_id = next(one["expense_id"] for one in own_expenses if one["description"] == own_expense)\n'
)
_FIND_PAYMENT = (
    "    own_payments = all_pages("
    "apis.wallet.show_transactions, access_token=wallet_token, query=own_payment)\n"
    '    payment_id = next(one["transaction_id"] for one in own_payments if one["note"] == own_payment)\n'
)
_TIME = Slot(name=people.TIME.name, choose=people.TIME.choose)
_PRICE = Slot(name="price", kind=float, choose=lambda draw: draw.rng.randint(10, 140) / 10)
_TAG = one_of("new_tag", "list", "later", "import", "check", "kept", "box")
_LABEL = one_of("new_label", "list", "later", "import", "check", "kept", "box")
_FOLDER = own(
    "own_folder",
    '["~/" + one.split("/", 3)[3] for one in'
    ' apis.files.show_directory(access_token=login(app="files"))["directories"]]',
)

_TITLED = ("with the title", "title")
ANYWHERE = (
    deed(
        *("texts", "phone.send_text_message", "phone_number=number, text=TEXT"),
        *('send my contact "{receiver}" a text message', "that reads", "message", "text a contact"),
        before=_RECEIVER,
        slots=(RECEIVER,),
    ),
    deed(
        *("new_tasks", "todo.create_task", "title=TEXT", "create a task in the Inbox of my todo app"),
        *(*_TITLED, "make an Inbox task"),
        style="title",
    ),
    deed(
        *("task_comments", "todo.add_comment", "task_id=task_id, text=TEXT"),
        *('write a comment under my open todo task "{own_task}"', "that says", "comment", "comment on a task"),
        before=FIND_TASK,
        slots=(OWN_TASK,),
    ),
    deed(
        *("voices", "phone.send_voice_message", "phone_number=number, transcript=TEXT"),
        *('send my contact "{receiver}" a voice message', "that says", "message", "send a contact a voice message"),
        before=_RECEIVER,
        slots=(RECEIVER,),
    ),
    deed(
        *("new_notes", "notes.create_note", "title=TEXT, tags=[new_tag]"),
        *('create an empty note with the tag "{new_tag}"', "and the title", "title", "make a note with a tag"),
        style="title",
        slots=(_TAG,),
    ),
    deed(
        *("project_tasks", "todo.create_task", "title=TEXT, project_id=project_id"),
        *('create a task in my todo project "{own_project}"', *_TITLED, "make a task in a project"),
        before=_FIND_PROJECT,
        style="title",
        slots=(_PROJECT,),
    ),
    deed(
        *("new_alarms", "phone.create_alarm", "label=TEXT, time=alarm_time"),
        "set an alarm in my phone for {alarm_time} (once, with the usual snooze)",
        *("with the label", "label", "set an alarm"),
        style="title",
        slots=(_TIME,),
    ),
    deed(
        *("new_files", "files.create_file", 'file_path=f"{own_folder}/{name}"'),
        *('create an empty file in my folder "{own_folder}"', "with the name", "file name", "make an empty file"),
        style="file",
        slots=(_FOLDER,),
        bars=("amount",),
    ),
    deed(
        *("dated_tasks", "todo.create_task", "title=TEXT, due_date=due_day, labels=[new_label]"),
        'create an Inbox task in my todo app, due on {due_day} and labelled "{new_label}",',
        *(*_TITLED, "make a task with a due date and a label"),
        style="title",
        slots=(DUE, _LABEL),
    ),
    deed(
        *("new_projects", "todo.create_project", "name=TEXT", "create a todo project (gray, as usual)"),
        *("with the name", "name", "make a project"),
        style="title",
    ),
    deed(
        *("expense_remarks", "splits.add_expense_comment", "expense_id=expense_id, text=TEXT"),
        *('comment on my splits expense "{own_expense}"', "with the words", "comment", "comment on an expense"),
        before=_FIND_EXPENSE,
        slots=(OWN_EXPENSE,),
    ),
    deed(
        *("new_playlists", "music.create_playlist", "title=TEXT", "create an empty private playlist on music"),
        *(*_TITLED, "make a playlist"),
        style="title",
    ),
    deed(
        *("payment_remarks", "wallet.add_transaction_comment", "transaction_id=payment_id, text=TEXT"),
        'comment on the wallet payment with the note "{own_payment}"',
        *("with the words", "comment", "comment on a payment"),
        before=_FIND_PAYMENT,
        slots=(OWN_PAYMENT,),
    ),
    deed(
        *("described_tasks", "todo.create_task", "title=task_title, description=TEXT"),
        'create an Inbox task in my todo app titled "{task_title}"',
        *("with the description", "description", "make a task with a description"),
        slots=(one_of("task_title", "Have a look", "To be decided", "Think it over", "Open question", "Answer this"),),
    ),
)
_KNOWN = " (the number is in my phone contacts, under the e-mail address)"
PERSONAL = (
    deed(
        *("person_texts", "phone.send_text_message", "phone_number=PHONE, text=TEXT"),
        *("send THEM a text message", "that reads", "message", "text the person behind"),
        needs="phone",
    ),
    deed(
        *("money_requests", "wallet.request_payment", "payer_email=EMAIL, amount=price, note=TEXT"),
        *(
            "request {price} dollars on wallet from THEM",
            "with the note",
            "note",
            "request money from the person behind",
        ),
        slots=(_PRICE,),
        needs="email",
    ),
    deed(
        *("known_texts", "phone.send_text_message", "phone_number=numbers[EMAIL], text=TEXT"),
        *(f"send THEM a text message{_KNOWN}", "that reads", "message", "text the person behind"),
        before=_NUMBERS,
        needs="email",
    ),
    deed(
        *("person_voices", "phone.send_voice_message", "phone_number=PHONE, transcript=TEXT"),
        *("send THEM a voice message", "that says", "message", "send a voice message to the person behind"),
        needs="phone",
    ),
    deed(
        *("money_sent", "wallet.send_payment", "receiver_email=EMAIL, amount=price, note=TEXT"),
        *("pay {price} dollars on wallet to THEM", "with the note", "note", "pay the person behind"),
        slots=(_PRICE,),
        needs="email",
    ),
    deed(
        *("new_groups", "splits.create_group", "name=TEXT, member_emails=[EMAIL]"),
        *("create a splits group of THEM and me", "with the name", "name", "make a group with the person behind"),
        style="title",
        needs="email",
    ),
    deed(
        *("known_voices", "phone.send_voice_message", "phone_number=numbers[EMAIL], transcript=TEXT"),
        *(f"send THEM a voice message{_KNOWN}", "that says", "message", "send a voice message to the person behind"),
        before=_NUMBERS,
        needs="email",
    ),
)


_TASK, _NOTE, _FILE = 'task_id=ROW["task_id"]', 'note_id=ROW["note_id"]', 'file_path=ROW["path"]'


def _renamed(word: str, api: str, given: str, field: str, row: str, style: str = "title") -> FormDeed:
    about = "rename" if field in ("title", "name") else f"change the {field} of"
    said = (f"change its {field}", "to", f"new {field}", about)
    return deed(word, api, f"{given}, {field}=TEXT", *said, row, style=style)


_MOVED = FormDeed(
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
