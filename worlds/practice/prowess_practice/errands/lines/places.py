"""Where a text lies that says what is to be done: how a task calls it, how a program gets at its lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prowess_desk.engine.family import Day, Draw, Values

from prowess_practice.errands.lines import scene

Lines = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPlace:
    """A text of the person's, or several."""

    word: str
    """What names of functions are made of: `note`."""
    apps: tuple[str, ...]
    slots: Mapping[str, type]
    about: str
    """As a docstring says it: `a note`."""
    says: tuple[str, ...]
    """As tasks say it, with the slots."""
    code: str
    """Lines of the program that read it."""
    lines: str
    """The list of its lines, once it is read."""
    text: str = ""
    """The whole text, where it is one."""
    sets: Callable[[Draw, Lines, Lines], Values]
    """Writes these lines there, and others to where somebody might look by mistake."""
    matters: tuple[tuple[str, str], ...] = ()
    ordered: bool = True
    """Whether its lines come in the order in which a reader sees them."""
    holds: tuple[str, ...] = ("line", "part", "each")
    """Which kinds of marks make sense in it: see `Mark.kind`."""


NOTE = TextPlace(
    word="note",
    apps=("notes",),
    slots={"note": str},
    about="a note",
    says=('my note "{note}"', 'the note that is titled exactly "{note}"', 'my note with the title "{note}"'),
    code="""    notes_token = login(app="notes")
    notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=note)
    note_id = next(one["note_id"] for one in notes if one["title"] == note)
    content = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_note,
    matters=((' if one["title"] == note', ""),),
)
TAGGED = TextPlace(
    word="tagged_note",
    apps=("notes",),
    slots={"tag": str},
    about="the note with a tag",
    says=(
        'the one note outside the archive that is tagged "{tag}"',
        'my unarchived note tagged "{tag}" (there is only one)',
        'the note with the tag "{tag}", not the archived one but the other,',
    ),
    code="""    notes_token = login(app="notes")
    tagged = all_pages(apis.notes.list_notes, access_token=notes_token, tag=tag)
    content = apis.notes.show_note(access_token=notes_token, note_id=tagged[0]["note_id"])["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.under_tag,
    matters=((", tag=tag)", ", tag=tag, archived=True)"),),
)
TAGGED_ALL = TextPlace(
    word="tagged_notes",
    apps=("notes",),
    slots={"tag": str},
    about="the notes with a tag",
    says=(
        'all my unarchived notes tagged "{tag}"',
        'my notes with the tag "{tag}", except archived ones,',
        'the notes tagged "{tag}" (those in the archive do not count)',
    ),
    code="""    notes_token = login(app="notes")
    lines = []
    for note in all_pages(apis.notes.list_notes, access_token=notes_token, tag=tag):
        lines += apis.notes.show_note(access_token=notes_token, note_id=note["note_id"])["content"].splitlines()
""",
    lines="lines",
    sets=scene.under_tags,
    ordered=False,
    matters=((", tag=tag)", ", tag=tag, archived=True)"),),
    holds=("line", "each"),
)
ARCHIVED = TextPlace(
    word="archived_note",
    apps=("notes",),
    slots={"note": str},
    about="an archived note",
    says=(
        'the archived note "{note}"',
        'my note "{note}", which is in the archive,',
        '"{note}", a note in my archive,',
    ),
    code="""    notes_token = login(app="notes")
    archived = all_pages(apis.notes.list_notes, access_token=notes_token, archived=True)
    note_id = next(one["note_id"] for one in archived if one["title"] == note)
    content = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_archive,
    matters=(('one["title"] == note', 'one["title"] != note'),),
)
FILE = TextPlace(
    word="file",
    apps=("files",),
    slots={"file_path": str},
    about="a file",
    says=('my file "{file_path}"', 'the file "{file_path}"', 'the text in "{file_path}" (files app)'),
    code="""    files_token = login(app="files")
    content = apis.files.show_file(access_token=files_token, file_path=file_path)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_file,
    matters=(("file_path=file_path)", 'file_path="~/backups/" + file_path.split("/")[-1])'),),
)
NAMED_FILE = TextPlace(
    word="named_file",
    apps=("files",),
    slots={"file_name": str},
    about="a file of some name",
    says=(
        'the file named exactly "{file_name}", wherever it lies among my files,',
        'my file "{file_name}" (I forgot the folder; its name is just that)',
        'the file "{file_name}" in one of my folders',
    ),
    code="""    files_token = login(app="files")
    files = all_pages(apis.files.search_files, access_token=files_token, query=file_name)
    path = next(one["path"] for one in files if one["path"].endswith("/" + file_name))
    content = apis.files.show_file(access_token=files_token, file_path=path)["content"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_named_file,
    matters=((' if one["path"].endswith("/" + file_name)', ""),),
)
FOLDER = TextPlace(
    word="folder",
    apps=("files",),
    slots={"folder": str},
    about="the files in a folder",
    says=(
        'the files that lie directly in my folder "{folder}"',
        'all files of the folder "{folder}", but not of its subfolders,',
        'the files in "{folder}" itself, not below it,',
    ),
    code="""    files_token = login(app="files")
    lines = []
    for path in apis.files.show_directory(access_token=files_token, directory_path=folder)["files"]:
        lines += apis.files.show_file(access_token=files_token, file_path=path)["content"].splitlines()
""",
    lines="lines",
    sets=scene.in_folder,
    matters=(("directory_path=folder)", "directory_path=folder, recursive=True)"),),
    holds=("line", "each"),
)


_CONTACT = """    phone_token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token, query=sender)
    number = next(one["phone_number"] for one in contacts if one["name"] == sender)
"""
_TASK = """    todo_token = login(app="todo")
    tasks = all_pages(apis.todo.search_tasks, access_token=todo_token, query=task)
    task_id = next(one["task_id"] for one in tasks if one["title"] == task)
"""

MESSAGE = TextPlace(
    word="message",
    apps=("phone",),
    slots={"sender": str},
    about="the last text from somebody",
    says=(
        'the last text message that "{sender}" sent me',
        'the latest text I got from "{sender}"',
        'what "{sender}" texted me last',
    ),
    code=_CONTACT
    + """    messages = all_pages(
        apis.phone.show_text_messages, access_token=phone_token, phone_number=number, direction="received"
    )
    content = messages[0]["text"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_message,
    matters=((', direction="received"', ""),),
)
MESSAGES = TextPlace(
    word="messages",
    apps=("phone",),
    slots={"sender": str, "day": Day},
    about="a day's texts from somebody",
    says=(
        'the text messages that "{sender}" sent me on {day}',
        'all texts of {day} that I received from "{sender}"',
        'what "{sender}" texted me on {day}, message by message,',
    ),
    code=_CONTACT
    + """    messages = all_pages(
        apis.phone.show_text_messages, access_token=phone_token, phone_number=number, from_date=day, to_date=day
    )
    lines = [message["text"] for message in messages if message["sender"]["name"] == sender]
""",
    lines="lines",
    sets=scene.in_messages,
    ordered=False,
    matters=((", from_date=day, to_date=day", ""),),
    holds=("each", "one"),
)
VOICE = TextPlace(
    word="voice_message",
    apps=("phone",),
    slots={"sender": str},
    about="a voice message from somebody",
    says=(
        'the last voice message that "{sender}" left me',
        'the latest voice message I received from "{sender}"',
        'what "{sender}" said in the last voice message to me',
    ),
    code=_CONTACT
    + """    messages = all_pages(
        apis.phone.show_voice_messages, access_token=phone_token, phone_number=number, direction="received"
    )
    content = messages[0]["transcript"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.in_voice,
    matters=((', direction="received"', ""),),
    holds=("part",),
)
COMMENTS = TextPlace(
    word="comments",
    apps=("todo",),
    slots={"task": str},
    about="the comments of a task",
    says=(
        'the comments of my task "{task}"',
        'what is written under the task "{task}" in my todo app, comment by comment,',
        'the comments on the task "{task}" (todo app)',
    ),
    code=_TASK
    + """    comments = all_pages(apis.todo.list_comments, access_token=todo_token, task_id=task_id)
    lines = [comment["text"] for comment in comments]
""",
    lines="lines",
    sets=scene.remarked_on_task,
    matters=((' if one["title"] == task', ""),),
    holds=("each", "one"),
)
DESCRIPTION = TextPlace(
    word="description",
    apps=("todo",),
    slots={"task": str},
    about="the description of a task",
    says=(
        'the description of my task "{task}"',
        'the description that the task "{task}" has in my todo app',
        'what the task "{task}" in the todo app has as its description',
    ),
    code=_TASK
    + """    content = apis.todo.show_task(access_token=todo_token, task_id=task_id)["description"]
""",
    lines="content.splitlines()",
    text="content",
    sets=scene.described,
    matters=((' if one["title"] == task', ""),),
)
STEPS = TextPlace(
    word="open_subtasks",
    apps=("todo",),
    slots={"task": str},
    about="the open subtasks of a task",
    says=(
        'the subtasks of my task "{task}" that are not done yet',
        'the open subtasks of the task "{task}" in my todo app',
        'what is still open among the subtasks of "{task}" (a task in the todo app)',
    ),
    code=_TASK
    + """    steps = apis.todo.show_task(access_token=todo_token, task_id=task_id)["subtasks"]
    lines = [step["title"] for step in steps if not step["done"]]
""",
    lines="lines",
    sets=scene.stepped,
    matters=((' if not step["done"]', ""),),
    holds=("each", "one"),
)
EXPENSE = TextPlace(
    word="expense_comments",
    apps=("splits",),
    slots={"expense": str},
    about="the comments on an expense",
    says=(
        'the comments on the expense "{expense}" in the splits app',
        'what is written under the shared expense "{expense}" (splits app), comment by comment,',
        'the comments that the expense "{expense}" has in splits',
    ),
    code="""    splits_token = login(app="splits")
    expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, query=expense)
    expense_id = next(one["expense_id"] for one in expenses if one["description"] == expense)
    comments = all_pages(apis.splits.show_expense_comments, access_token=splits_token, expense_id=expense_id)
    lines = [comment["text"] for comment in comments]
""",
    lines="lines",
    sets=scene.remarked_on_spending,
    matters=((' if one["description"] == expense', ""),),
    holds=("each", "one"),
)
PAYMENT = TextPlace(
    word="payment_comments",
    apps=("wallet",),
    slots={"payment": str},
    about="the comments on a payment",
    says=(
        'the comments on the wallet payment with the note "{payment}"',
        'what stands under my payment "{payment}" (that is its note) in the wallet app, comment by comment,',
        'the comments of the transaction in my wallet whose note is exactly "{payment}"',
    ),
    code="""    wallet_token = login(app="wallet")
    payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, query=payment)
    payment_id = next(one["transaction_id"] for one in payments if one["note"] == payment)
    comments = all_pages(
        apis.wallet.show_transaction_comments, access_token=wallet_token, transaction_id=payment_id
    )
    lines = [comment["text"] for comment in comments]
""",
    lines="lines",
    sets=scene.remarked_on_payment,
    matters=((' if one["note"] == payment', ""),),
    holds=("each", "one"),
)
PLACES = (
    NOTE,
    FILE,
    MESSAGE,
    COMMENTS,
    TAGGED,
    DESCRIPTION,
    FOLDER,
    EXPENSE,
    NAMED_FILE,
    VOICE,
    TAGGED_ALL,
    STEPS,
    MESSAGES,
    PAYMENT,
    ARCHIVED,
)
