"""Where lines go: notes, files, texts, tasks, comments; and all places in turn."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.errands.reports.parts import (
    DUE,
    EMAIL,
    OWN_EXPENSE,
    OWN_FILE,
    OWN_NOTE,
    OWN_PAYMENT,
    OWN_SONG,
    OWN_TASK,
    PATH,
    RECEIVER,
    RELATION,
    TASK_TITLE,
    TITLE,
    LineSink,
)
from prowess_practice.errands.transfers.parts import one_of

JOINED = '"\\n".join(lines)'
_FIND_NOTE = (
    "    own_notes = all_pages(apis.notes.search_notes, access_token=notes_token, query=own_note)\n"
    '    note_id = next(one["note_id"] for one in own_notes if one["title"] == own_note)\n'
)

NOTE = LineSink(
    word="note",
    app="notes",
    code=f"    apis.notes.create_note(access_token=notes_token, title=title, content={JOINED})\n",
    give='Write a new note titled "{title}" with CONTENT',
    finish='Write the ITEMS, one below the other, into a new note titled "{title}".',
    place='in a new note titled "{title}"',
    about="into a new note",
    slots=(TITLE,),
)
TAGGED_NOTE = LineSink(
    word="tagged_note",
    app="notes",
    code=f"    apis.notes.create_note(access_token=notes_token, title=title, content={JOINED}, tags=[new_tag])\n",
    give='Make a new note "{title}", tagged "{new_tag}", with CONTENT',
    finish='Save the ITEMS as a new note with the title "{title}" and the tag "{new_tag}".',
    place='in a new note called "{title}" with the tag "{new_tag}"',
    about="into a new note with a tag",
    slots=(TITLE, one_of("new_tag", "report", "numbers", "review", "stats")),
)
STORED_NOTE = LineSink(
    word="archived_note",
    app="notes",
    code=(
        f"    created = apis.notes.create_note(access_token=notes_token, title=title, content={JOINED})\n"
        '    apis.notes.archive_note(access_token=notes_token, note_id=created["note_id"])\n'
    ),
    give='For my archive, write a new note titled "{title}" and archive it. It should have CONTENT',
    finish='Put the ITEMS into a new note titled "{title}" and move this note into the archive.',
    place='in a new note titled "{title}" that lies in the archive',
    about="into a new note, and archive it",
    slots=(TITLE,),
)
END_OF_NOTE = LineSink(
    word="extend_note",
    app="notes",
    code=f"{_FIND_NOTE}    apis.notes.append_to_note(access_token=notes_token, note_id=note_id, text={JOINED})\n",
    give='To the end of my note "{own_note}", append CONTENT',
    finish='Append the ITEMS, one below the other, to my note "{own_note}".',
    place='at the end of my note "{own_note}", below what it says already',
    about="at the end of a note",
    slots=(OWN_NOTE,),
)
REPLACED_NOTE = LineSink(
    word="replace_note",
    app="notes",
    code=f"{_FIND_NOTE}    apis.notes.update_note(access_token=notes_token, note_id=note_id, content={JOINED})\n",
    give='Replace the whole text of my note "{own_note}" by CONTENT',
    finish='These ITEMS, one below the other, become the new text of my note "{own_note}"; the old text goes.',
    place='in my note "{own_note}" in place of all that it says now',
    about="into a note in place of its text",
    slots=(OWN_NOTE,),
)
COPIED_NOTE = LineSink(
    word="copied_note",
    app="notes",
    code=(
        f"{_FIND_NOTE}"
        "    copy = apis.notes.duplicate_note(access_token=notes_token, note_id=note_id, title=title)\n"
        f'    apis.notes.append_to_note(access_token=notes_token, note_id=copy["note_id"], text={JOINED})\n'
    ),
    give='Duplicate my note "{own_note}" under the title "{title}", and append to the copy CONTENT',
    finish='Copy my note "{own_note}" to a new note "{title}" and append the ITEMS to that copy.',
    place='at the end of a copy of my note "{own_note}" that is titled "{title}"',
    about="at the end of a copy of a note",
    slots=(OWN_NOTE, TITLE),
)
FILE = LineSink(
    word="file",
    app="files",
    code=f"    apis.files.create_file(access_token=files_token, file_path=path, content={JOINED})\n",
    give='Create the file "{path}" with CONTENT',
    finish='Save the ITEMS, one below the other, as a new file "{path}".',
    place='in a new file "{path}"',
    about="into a new file",
    slots=(PATH,),
)
END_OF_FILE = LineSink(
    word="extend_file",
    app="files",
    code=f"    apis.files.append_to_file(access_token=files_token, file_path=own_file, text={JOINED})\n",
    give='Extend my file "{own_file}" by CONTENT',
    finish='Append the ITEMS, one below the other, to my file "{own_file}".',
    place='at the end of my file "{own_file}", after what it has now',
    about="at the end of a file",
    slots=(OWN_FILE,),
)
REPLACED_FILE = LineSink(
    word="replace_file",
    app="files",
    code=f"    apis.files.update_file(access_token=files_token, file_path=own_file, content={JOINED})\n",
    give='Overwrite my file "{own_file}" with CONTENT',
    finish='The ITEMS, one below the other, replace everything that my file "{own_file}" has now.',
    place='in my file "{own_file}", whose old content goes',
    about="into a file in place of its content",
    slots=(OWN_FILE,),
)
COPIED_FILE = LineSink(
    word="copied_file",
    app="files",
    code=(
        "    apis.files.copy_file(access_token=files_token, file_path=own_file, destination_path=path)\n"
        f"    apis.files.append_to_file(access_token=files_token, file_path=path, text={JOINED})\n"
    ),
    give='Copy my file "{own_file}" to "{path}", and append to the copy CONTENT',
    finish='Make a copy "{path}" of my file "{own_file}" and append the ITEMS to the copy only.',
    place='at the end of "{path}", which is to be a copy of my file "{own_file}"',
    about="at the end of a copy of a file",
    slots=(OWN_FILE, PATH),
)
NEW_FOLDER = LineSink(
    word="file_in_new_folder",
    app="files",
    code=(
        "    apis.files.create_directory(access_token=files_token, directory_path=new_folder)\n"
        '    path = f"{new_folder}/report.txt"\n'
        f"    apis.files.create_file(access_token=files_token, file_path=path, content={JOINED})\n"
    ),
    give='Make a folder "{new_folder}" and in it a file report.txt with CONTENT',
    finish='Make a folder "{new_folder}" and save the ITEMS in it as report.txt.',
    place='in a file report.txt in a new folder "{new_folder}"',
    about="into a file in a new folder",
    slots=(one_of("new_folder", "~/reports", "~/documents/reports", "~/documents/2025", "~/figures"),),
)


FIND_TASK = (
    "    own_tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)\n"
    '    task_id = next(one["task_id"] for one in own_tasks if one["title"] == own_task)\n'
)
_FIND_PERSON = (
    "    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=receiver)\n"
    '    number = next(one["phone_number"] for one in people if one["name"] == receiver)\n'
)

TEXT = LineSink(
    word="text",
    app="phone",
    code=(
        f"{_FIND_PERSON}"
        f"    apis.phone.send_text_message(access_token=phone_token, phone_number=number, text={JOINED})\n"
    ),
    give='Send my contact "{receiver}" one text message with CONTENT',
    finish='Text all ITEMS, one below the other, to my contact "{receiver}" in one message.',
    place='in one text message to my contact "{receiver}"',
    about="into a text message to a contact",
    slots=(RECEIVER,),
)
SHORT_TEXT = replace(
    TEXT,
    word="short_text",
    code=TEXT.code.replace('"\\n"', '"; "'),
    item="entry",
    finish='Text all ITEMS to my contact "{receiver}" in one message.',
    join='Between two entries stands "; ".',
)
VOICE = LineSink(
    word="voice",
    app="phone",
    code=(
        f"{_FIND_PERSON}"
        '    transcript = ", ".join(lines)\n'
        "    apis.phone.send_voice_message(access_token=phone_token, phone_number=number, transcript=transcript)\n"
    ),
    give='Leave my contact "{receiver}" a voice message with CONTENT',
    finish='Send the ITEMS as a voice message to my contact "{receiver}".',
    place='in a voice message to my contact "{receiver}"',
    about="into a voice message to a contact",
    slots=(RECEIVER,),
    item="entry",
    join='In the message, the entries are joined by ", ".',
)
TEXT_BY_EMAIL = LineSink(
    word="text_by_email",
    app="phone",
    code=(
        "    people = all_pages(apis.phone.show_contacts, access_token=phone_token)\n"
        '    number = next(one["phone_number"] for one in people if one["email"] == email)\n'
        f"    apis.phone.send_text_message(access_token=phone_token, phone_number=number, text={JOINED})\n"
    ),
    give='To the phone contact of mine whose e-mail address is "{email}", send one text message with CONTENT',
    finish='Text all ITEMS in one message, one below the other, to my contact with the e-mail address "{email}".',
    place='in one text message to whoever has the e-mail address "{email}" among my phone contacts',
    about="into a text message to the contact with an e-mail address",
    slots=(EMAIL,),
)
TEXTS = LineSink(
    word="texts",
    app="phone",
    code=(
        "    people = all_pages(apis.phone.show_contacts, access_token=phone_token, relationship=relationship)\n"
        '    text = " | ".join(lines)\n'
        "    for person in people:\n"
        '        number = person["phone_number"]\n'
        "        apis.phone.send_text_message(access_token=phone_token, phone_number=number, text=text)\n"
    ),
    give='Send every phone contact who is a "{relationship}" of mine the same text message with CONTENT',
    finish='Text all ITEMS in one message to each of my phone contacts with the relationship "{relationship}".',
    place='in a text message that goes to every phone contact who is a "{relationship}" of mine',
    about="into a text message to contacts of a relationship",
    slots=(RELATION,),
    item="entry",
    join='Entries are separated by " | ".',
)
TASK = LineSink(
    word="task",
    app="todo",
    code=(
        f"    text = {JOINED}\n"
        "    apis.todo.create_task(access_token=todo_token, title=task_title, description=text, due_date=due_day)\n"
    ),
    give=(
        'Create a task "{task_title}" in my todo app, in the Inbox and due on {due_day}. Its description is made of'
        " CONTENT"
    ),
    finish='Make a todo task "{task_title}", in the Inbox and due on {due_day}, with the ITEMS as its description.',
    place='in the description of a new Inbox task "{task_title}" in my todo app, due on {due_day}',
    about="into the description of a new task",
    slots=(TASK_TITLE, DUE),
)
TASK_TEXT = LineSink(
    word="task_text",
    app="todo",
    code=(f"{FIND_TASK}    apis.todo.update_task(access_token=todo_token, task_id=task_id, description={JOINED})\n"),
    give='Give my open todo task "{own_task}" a new description: CONTENT',
    finish='The ITEMS, one below the other, become the description of my open todo task "{own_task}".',
    place='in the description of my open todo task "{own_task}", in place of what it may say now',
    about="into the description of a task",
    slots=(OWN_TASK,),
)
TASK_COMMENT = LineSink(
    word="task_comment",
    app="todo",
    code=f"{FIND_TASK}    apis.todo.add_comment(access_token=todo_token, task_id=task_id, text={JOINED})\n",
    give='Write one comment under my open todo task "{own_task}" with CONTENT',
    finish='Add the ITEMS, one below the other, as a single comment to my open todo task "{own_task}".',
    place='in one comment under my open todo task "{own_task}"',
    about="into a comment under a task",
    slots=(OWN_TASK,),
)
LAST_WORD = LineSink(
    word="last_comment",
    app="todo",
    code=(
        f"{FIND_TASK}"
        '    apis.todo.add_comment(access_token=todo_token, task_id=task_id, text="; ".join(lines))\n'
        "    apis.todo.mark_task_done(access_token=todo_token, task_id=task_id)\n"
    ),
    give='My open todo task "{own_task}" can be ticked off, after a comment with CONTENT',
    finish='Comment on my open todo task "{own_task}" with all ITEMS at once and mark the task as done.',
    place='in a comment under my open todo task "{own_task}", which is done with that: tick it off',
    about="into a comment under a task, and tick it off",
    slots=(OWN_TASK,),
    item="entry",
    join='The entries of the comment are joined by "; ".',
)
STEPS = LineSink(
    word="steps",
    app="todo",
    code=(
        f"{FIND_TASK}    for line in lines:\n"
        "        apis.todo.add_subtask(access_token=todo_token, task_id=task_id, title=line)\n"
    ),
    give='To my open todo task "{own_task}", add CONTENT',
    finish='The ITEMS go to my open todo task "{own_task}", in this order.',
    place='as subtasks of my open todo task "{own_task}"',
    about="into subtasks of a task",
    slots=(OWN_TASK,),
    item="subtask",
)
NEW_STEPS = replace(
    STEPS,
    word="task_with_steps",
    code=(
        '    task_id = apis.todo.create_task(access_token=todo_token, title=task_title)["task_id"]\n'
        "    for line in lines:\n"
        "        apis.todo.add_subtask(access_token=todo_token, task_id=task_id, title=line)\n"
    ),
    give='Create an Inbox task "{task_title}" in my todo app with CONTENT',
    finish='Create an Inbox task "{task_title}" in my todo app and give it these ITEMS, in this order.',
    place='as subtasks of a new Inbox task "{task_title}" in my todo app',
    about="into subtasks of a new task",
    slots=(TASK_TITLE,),
)
EXPENSE_COMMENT = LineSink(
    word="expense_comment",
    app="splits",
    code=(
        "    own_expenses = all_pages(apis.splits.show_expenses, access_token=splits_token, query=own_expense)\n"
        '    expense_id = next(one["expense_id"] for one in own_expenses if one["description"] == own_expense)\n'
        "    apis.splits.add_expense_comment(\n"
        '        access_token=splits_token, expense_id=expense_id, text="; ".join(lines)\n'
        "    )\n"
    ),
    give='Comment on my expense "{own_expense}" on splits with CONTENT',
    finish='Post all ITEMS together as one comment on my splits expense "{own_expense}".',
    place='in one comment on my splits expense "{own_expense}"',
    about="into a comment on an expense",
    slots=(OWN_EXPENSE,),
    item="entry",
    join='The comment has "; " between its entries.',
    only=("splits", "wallet"),
)
PAYMENT_COMMENT = LineSink(
    word="payment_comment",
    app="wallet",
    code=(
        "    payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, query=own_payment)\n"
        '    payment_id = next(one["transaction_id"] for one in payments if one["note"] == own_payment)\n'
        "    apis.wallet.add_transaction_comment(\n"
        '        access_token=wallet_token, transaction_id=payment_id, text=", ".join(lines)\n'
        "    )\n"
    ).replace("payments", "own_payments"),
    give='Comment on the wallet payment with the note "{own_payment}", with CONTENT',
    finish='Put all ITEMS together into one comment on the wallet payment with the note "{own_payment}".',
    place='in one comment on the wallet payment that has the note "{own_payment}"',
    about="into a comment on a payment",
    slots=(OWN_PAYMENT,),
    item="entry",
    join='What separates the entries of the comment is ", ".',
    only=("wallet", "splits"),
)
REVIEW = LineSink(
    word="review_text",
    app="music",
    code=(
        "    own_reviews = all_pages(apis.music.show_my_reviews, access_token=music_token)\n"
        '    review_id = next(one["review_id"] for one in own_reviews if one["song_title"] == own_song)\n'
        '    apis.music.update_review(access_token=music_token, review_id=review_id, text=", ".join(lines))\n'
    ),
    give='Change the text of my review of the song "{own_song}" on music to CONTENT',
    finish='All ITEMS together become the text of my review of the song "{own_song}" on music.',
    place='in the text of my review of the song "{own_song}", in place of what I wrote there',
    about="into the text of a review",
    slots=(OWN_SONG,),
    item="entry",
    join='In the review, ", " stands between the entries.',
    only=("music",),
)
SINKS = (
    NOTE,
    TEXT,
    FILE,
    TASK,
    END_OF_NOTE,
    SHORT_TEXT,
    TASK_COMMENT,
    EXPENSE_COMMENT,
    REPLACED_FILE,
    TASK_TEXT,
    TEXTS,
    REPLACED_NOTE,
    STEPS,
    REVIEW,
    TEXT_BY_EMAIL,
    END_OF_FILE,
    VOICE,
    STORED_NOTE,
    PAYMENT_COMMENT,
    NEW_STEPS,
    COPIED_FILE,
    TAGGED_NOTE,
    LAST_WORD,
    NEW_FOLDER,
    COPIED_NOTE,
)
