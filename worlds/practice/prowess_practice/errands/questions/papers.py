"""How a question gets to a note, a file, a folder or a list of amounts, and what is worked out about it."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_NOTES = """
last_changed_note_of_tag
: the note that I changed last among those tagged "{tag}" that are neither pinned nor archived
    tagged_notes = PAGES(notes.list_notes, tag=tag, pinned=False, sort_by="-updated_at")
    latest_note = tagged_notes[0]
= latest_note . note_id title created_at
~ , tag=tag =>

oldest_note_with_word
: the oldest of all my notes, archived or not, with "{note_word}" in the title or the text
    worded_notes = PAGES(notes.search_notes, query=note_word)
    oldest_note = min(worded_notes, key=lambda note: note["created_at"])
= oldest_note . note_id title created_at
~ , query=note_word =>
~ oldest_note = min( => oldest_note = max(

archived_note_of_month
: the archived note of mine that I created last before {noted_before}
    archived_notes = PAGES(notes.list_notes, archived=True, sort_by="-created_at")
    earlier_notes = [note for note in archived_notes if note["created_at"] < noted_before]
= earlier_notes[0] . note_id title created_at
~ , archived=True =>
"""
_FILES = """
newest_file_in
: the file that was created last in my folder "{folder}" or below
    files_below = PAGES(files.search_files, directory_path=folder, sort_by="-created_at")
    newest_path = files_below[0]["path"]
= path := newest_path
~ , directory_path=folder =>
~ , sort_by="-created_at" =>

largest_file_with_word
: the largest of my files with "{file_word}" in the name or the text
    worded_files = PAGES(files.search_files, query=file_word, in_content=True)
    largest_file = max(worded_files, key=lambda file: file["size"])
    largest_path = largest_file["path"]
= path := largest_path
~ , query=file_word =>
~ largest_file = max( => largest_file = min(
"""
_FOLDERS = """
fullest_folder_below
: the folder with the most files directly in it among the folders anywhere below my folder "{top_folder}"
    folders = CALL(files.show_directory, directory_path=top_folder, recursive=True)["directories"]
    file_counts = {}
    for path in folders:
        shown = CALL(files.show_directory, directory_path=path)
        file_counts[path] = len(shown["files"])
    fullest = max(file_counts, key=lambda path: file_counts[path])
= folder_path := fullest
~ fullest = max( => fullest = min(

folder_of_last_change
: the folder that directly holds the file of mine that was changed last, leaving out files that were changed after
  {changed_until}
    all_files = PAGES(files.search_files)
    earlier_files = [file for file in all_files if file["updated_at"][:10] <= changed_until]
    last_changed = max(earlier_files, key=lambda file: file["updated_at"])
    folder_path = last_changed["path"].rpartition("/")[0]
= folder_path := folder_path
~  if file["updated_at"][:10] <= changed_until =>

folder_named
: my folder "{folder}"
= folder_path := folder

folder_around < file
: the folder that directly holds X
= folder_path := <path>.rpartition("/")[0]
"""
_LEDGERS = """
ledger_note
: the list of amounts in my note "{ledger_note}" (each line is a full name, a colon, a space and an amount in dollars)
    found_notes = PAGES(notes.search_notes, query=ledger_note)
    note_id = next(one["note_id"] for one in found_notes if one["title"] == ledger_note)
    content = CALL(notes.show_note, note_id=note_id)["content"]
    entries = [line.split(": ") for line in content.splitlines()]
= entries := entries
~  if one["title"] == ledger_note =>

ledger_file
: the list of amounts in my file "{ledger_file}" (each line is a full name, a comma and an amount in dollars)
    content = CALL(files.show_file, file_path=ledger_file)["content"]
    entries = [line.split(",") for line in content.splitlines()]
= entries := entries

ledger_task
: the list of amounts in the description of my todo task "{ledger_task}" (each line is a full name, an equals sign and
  an amount in dollars, without spaces around the sign)
    found_tasks = PAGES(todo.search_tasks, query=ledger_task)
    task_id = next(one["task_id"] for one in found_tasks if one["title"] == ledger_task)
    description = CALL(todo.show_task, task_id=task_id)["description"]
    entries = [line.split("=") for line in description.splitlines()]
= entries := entries
~  if one["title"] == ledger_task =>

ledger_steps
: the list of amounts in the open subtasks of my todo task "{ledger_host}" (each is a full name, a colon, a space and an
  amount in dollars)
    found_tasks = PAGES(todo.search_tasks, query=ledger_host)
    task_id = next(one["task_id"] for one in found_tasks if one["title"] == ledger_host)
    subtasks = CALL(todo.show_task, task_id=task_id)["subtasks"]
    entries = [subtask["title"].split(": ") for subtask in subtasks if not subtask["done"]]
= entries := entries
~  if not subtask["done"] =>
"""
_NOTES_ASKED = """
count_words_of -> number
? How many words, separated by spaces or line breaks, are in the text of X?
! Count the words, separated by spaces or line breaks, in the text of X
    text = CALL(notes.show_note, note_id=<note_id>)["content"]
    return len(text.split())

last_line_of -> text
? What is the last line of X?
! Quote the last line of X
    text = CALL(notes.show_note, note_id=<note_id>)["content"]
    return text.splitlines()[-1]
~ [-1] => [0]

count_files_since_note -> number
? How many of my files were created on or after the day of the creation of X?
! Count those of my files that were created on or after the day of the creation of X
    first_day = <created_at>[:10]
    my_files = PAGES(files.search_files)
    return len([file for file in my_files if file["created_at"] >= first_day])
~  if file["created_at"] >= first_day =>

list_other_tags_of -> names
? Which tags have more than {tag_count} notes according to my list of tags but are not on X?
! List the tags with more than {tag_count} notes according to my list of tags that are not on X
    note_tags = CALL(notes.show_note, note_id=<note_id>)["tags"]
    all_tags = CALL(notes.list_tags)
    return [one["tag"] for one in all_tags if one["notes"] > tag_count and one["tag"] not in note_tags]
~ one["notes"] > tag_count and  =>
~  and one["tag"] not in note_tags =>
"""
_FILES_ASKED = """
count_notes_after_file -> number
? How many of my notes, archived or not, were created on or after the day of the last change of X?
! Count my notes, archived or not, that were created on or after the day of the last change of X
    changed_day = CALL(files.show_file, file_path=<path>)["updated_at"][:10]
    every_note = PAGES(notes.search_notes)
    return len([note for note in every_note if note["created_at"] >= changed_day])
~  if note["created_at"] >= changed_day =>
"""
_FOLDERS_ASKED = """
average_size_in -> rounded
? How many bytes does a file have on average that lies in or below X?
! Work out how many bytes a file has on average that lies in or below X
    inside = PAGES(files.search_files, directory_path=<folder_path>)
    return round(sum(file["size"] for file in inside) / len(inside), 2)
~ , directory_path=<folder_path> =>

second_largest_in -> path
? Which file is the second largest of all that lie in or below X?
! Find the second largest file of all that lie in or below X
    inside = PAGES(files.search_files, directory_path=<folder_path>)
    by_size = sorted(inside, key=lambda file: file["size"], reverse=True)
    return by_size[1]["path"]
~ by_size[1] => by_size[0]

main_ending_in -> word
? Which ending (what stands after the last dot, such as txt) is the most frequent among the files in or below X?
! Find the ending (what stands after the last dot, such as txt) that is the most frequent among the files in or below X
    paths = CALL(files.show_directory, directory_path=<folder_path>, recursive=True)["files"]
    endings: dict = {}
    for one_path in paths:
        ending = one_path.rpartition(".")[2]
        endings[ending] = endings.get(ending, 0) + 1
    return max(endings, key=lambda ending: endings[ending])
~ directory_path=<folder_path>, recursive=True => recursive=True

longest_pause_in_folder -> number
? What is the greatest number of days, from calendar day to calendar day, between the creation of one file and that of
  the next, among all files in or below X?
! Find the greatest number of days, from calendar day to calendar day, between the creation of one file and that of
  the next, among all files in or below X
    inside = PAGES(files.search_files, directory_path=<folder_path>, sort_by="created_at")
    days = [date.fromisoformat(file["created_at"][:10]) for file in inside]
    return max((later - earlier).days for earlier, later in zip(days, days[1:]))
~ , sort_by="created_at" =>
"""
_LEDGERS_ASKED = """
sum_for_friends_in -> amount
? What do the amounts of my wallet friends add up to in X?
! Add up the amounts of my wallet friends in X
    friends = PAGES(wallet.show_friends)
    friend_names = [friend["name"] for friend in friends]
    return round(sum(float(amount) for name, amount in <entries> if name in friend_names), 2)
~  if name in friend_names =>

top_relative_in -> name
? Who has the largest amount among my contacts with the relationship "{relationship}" in X?
! Find who has the largest amount among my contacts with the relationship "{relationship}" in X
    relatives = PAGES(phone.show_contacts, relationship=relationship)
    relative_names = [relative["name"] for relative in relatives]
    related_entries = [entry for entry in <entries> if entry[0] in relative_names]
    top_entry = max(related_entries, key=lambda entry: float(entry[1]))
    return top_entry[0]
~  if entry[0] in relative_names =>
~ top_entry = max( => top_entry = min(

list_members_missing_in -> names
? Which members of my splits group "{group_name}", apart from me, do not occur in X?
! List the members of my splits group "{group_name}", apart from me, who do not occur in X
    groups = PAGES(splits.show_groups)
    members = next(one["members"] for one in groups if one["name"] == group_name)
    my_email = CALL(splits.show_account)["email"]
    listed = [name for name, amount in <entries>]
    return [one["name"] for one in members if one["name"] not in listed and one["email"] != my_email]
~ one["name"] not in listed and  =>
~  and one["email"] != my_email =>

list_owing_more_than -> names
? Who owes me more on splits than the amount next to their name in X?
! List the people who owe me more on splits than the amount next to their name in X
    debts = PAGES(splits.show_people_who_owe_me)
    debt_of = {debt["name"]: debt["amount"] for debt in debts}
    return [name for name, amount in <entries> if debt_of.get(name, 0) > float(amount)]
~  if debt_of.get(name, 0) > float(amount) =>

balance_minus_sum_of -> amount
? What would be left of my wallet balance if I subtract all the amounts in X? (It may be negative.)
! Subtract from my wallet balance all the amounts in X
    balance = CALL(wallet.show_balance)["balance"]
    return round(balance - sum(float(amount) for name, amount in <entries>), 2)
~ balance - sum( => balance + sum(

average_of_called_in -> amount
? What is the average of the amounts of the people whom I have ever called, answered or not, in X?
! Work out the average of the amounts of the people whom I have ever called, answered or not, in X
    outgoing = PAGES(phone.show_call_log, direction="outgoing")
    called = {call["callee"]["name"] for call in outgoing}
    amounts = [float(amount) for name, amount in <entries> if name in called]
    return round(sum(amounts) / len(amounts), 2)
~  if name in called =>
"""
_DAYS = """
creation_of_note < note
: the day of the creation of X
= day := <created_at>[:10]

change_of_file < file
: the day of the last change of X
    shown_file = CALL(files.show_file, file_path=<path>)
= day := shown_file["updated_at"][:10]
"""
FOUND = (
    *steps("day", _DAYS),
    *steps("note", _NOTES),
    *steps("file", _FILES),
    *steps("folder", _FOLDERS),
    *steps("ledger", _LEDGERS),
)
ASKED = (
    *works("note", _NOTES_ASKED),
    *works("file", _FILES_ASKED),
    *works("folder", _FOLDERS_ASKED),
    *works("ledger", _LEDGERS_ASKED),
)
