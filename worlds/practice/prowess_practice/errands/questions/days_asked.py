"""What is worked out for the time since a day, in every app."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import works

_DAY_ASKED = """
sum_sent_since -> amount
? How much have I sent in all with the wallet on or after X?
! Add up all that I sent with the wallet on or after X
    sent = PAGES(wallet.show_transactions, direction="sent", from_date=<day>)
    return round(sum(payment["amount"] for payment in sent), 2)
~ , from_date=<day> =>
~ , direction="sent" =>

first_payer_since -> name
? Who was the first to send me money with the wallet on or after X?
! Find out who was the first to send me money with the wallet on or after X
    incoming = PAGES(wallet.show_transactions, direction="received", from_date=<day>)
    first_payment = min(incoming, key=lambda payment: payment["created_at"])
    return first_payment["sender"]["name"]
~ , from_date=<day> =>
~ first_payment = min( => first_payment = max(

sum_group_expenses_since -> amount
? What do the expenses in the splits group "{group_name}" add up to, counting those made on or after X?
! Add up the expenses in the splits group "{group_name}" that were made on or after X
    groups = PAGES(splits.show_groups)
    group_id = next(one["group_id"] for one in groups if one["name"] == group_name)
    group_expenses = PAGES(splits.show_expenses, group_id=group_id, from_date=<day>)
    return round(sum(expense["amount"] for expense in group_expenses), 2)
~ , from_date=<day> =>
~ group_id=group_id,  =>

describe_first_expense_since -> text
? Of the splits expenses that I paid or share in, what is the description of the first one made on or after X?
! Take the splits expenses that I paid or share in and quote the description of the first one made on or after X
    later_expenses = PAGES(splits.show_expenses, from_date=<day>)
    return later_expenses[-1]["description"]
~ , from_date=<day> =>
~ [-1] => [0]

count_missed_since -> number
? How many calls, in both directions, went unanswered on or after X?
! Count the calls in my phone, in both directions, that went unanswered on or after X
    missed = PAGES(phone.show_call_log, is_missed=True, from_date=<day>)
    return len(missed)
~ , from_date=<day> =>
~ , is_missed=True =>

count_texters_since -> number
? How many different people have sent me a text message on or after X?
! Count the different people who have sent me a text message on or after X
    texts = PAGES(phone.show_text_messages, direction="received", from_date=<day>)
    return len({text["sender"]["name"] for text in texts})
~ , from_date=<day> =>

text_difference_since -> number
? How many more text messages did I receive than send on or after X? (It may be a negative number.)
! Subtract the number of text messages I sent from the number I received, both on or after X
    received = PAGES(phone.show_text_messages, direction="received", from_date=<day>)
    written = PAGES(phone.show_text_messages, direction="sent", from_date=<day>)
    return len(received) - len(written)
~  - len(written) =>

list_songs_added_since -> titles
? Which songs did I add to my music library on or after X?
! List the songs that I added to my music library on or after X
    songs = PAGES(music.show_song_library)
    return [song["title"] for song in songs if song["added_at"] >= <day>]
~  if song["added_at"] >= <day> =>

count_tasks_due_within -> number
? How many of my todo tasks, done or not, are due in the {number_of_days} days that begin with X?
! Count the todo tasks, done or not, that are due in the {number_of_days} days that begin with X
    last = date.fromisoformat(<day>) + timedelta(days=number_of_days - 1)
    tasks = PAGES(todo.list_tasks, due_from=<day>, due_until=last.isoformat())
    return len(tasks)
~ , due_until=last.isoformat() =>
~ , due_from=<day> =>

first_planned_in_project_since -> title
? Which task of my todo project "{project_name}", done or not, is the first that I created on or after X?
! Find the first task, done or not, that I created in my todo project "{project_name}" on or after X
    projects = PAGES(todo.list_projects)
    project_id = next(one["project_id"] for one in projects if one["name"] == project_name)
    tasks = PAGES(todo.list_tasks, project_id=project_id, sort_by="created_at")
    later_tasks = [task for task in tasks if task["created_at"] >= <day>]
    return later_tasks[0]["title"]
~ , project_id=project_id =>
~  if task["created_at"] >= <day> =>

share_of_label_done_since -> percent
? Of my todo tasks labelled "{done_label}" that are due on or after X, which share is done?
! Work out which share is done of my todo tasks labelled "{done_label}" that are due on or after X
    tasks = PAGES(todo.list_tasks, label=done_label, due_from=<day>)
    done_tasks = [task for task in tasks if task["done"]]
    return round(100 * len(done_tasks) / len(tasks))
~ label=done_label,  =>

list_notes_written_since -> titles
? Which of my notes that are not archived were created on or after X?
! List those of my notes, without the archived ones, that were created on or after X
    notes = PAGES(notes.list_notes)
    return [note["title"] for note in notes if note["created_at"] >= <day>]
~  if note["created_at"] >= <day> =>

next_note_after -> title
? What is the title of the first note, archived or not, that I created after (not on) X?
! Find the first note, archived or not, that I created after (not on) X
    every_note = PAGES(notes.search_notes)
    notes = [note for note in every_note if note["created_at"][:10] > <day>]
    next_note = min(notes, key=lambda note: note["created_at"])
    return next_note["title"]
~  if note["created_at"][:10] > <day> =>
~ next_note = min( => next_note = max(

size_of_files_since -> number
? How many bytes do the files in my folder "{folder}" and below have in all that were last changed on or after X?
! Add up the sizes in bytes of the files in my folder "{folder}" and below that were last changed on or after X
    files = PAGES(files.search_files, directory_path=folder)
    return sum(file["size"] for file in files if file["updated_at"] >= <day>)
~ , directory_path=folder =>
~  if file["updated_at"] >= <day> =>

next_file_since -> path
? Which of my files is the first that was created on or after X?
! Find the first of my files that was created on or after X
    files = PAGES(files.search_files, sort_by="created_at")
    paths = [file["path"] for file in files if file["created_at"] >= <day>]
    return paths[0]
~ , sort_by="created_at" => , sort_by="-created_at"
~  if file["created_at"] >= <day> =>

days_until_now_from -> number
? How many days before today was X?
! Count the days that have passed until today since X
    today = apis.phone.show_current_date_and_time()["date"]
    return (date.fromisoformat(today) - date.fromisoformat(<day>)).days

longest_pause_of_calls_since -> number
? What is the greatest number of days from one call to the next in my phone's log, from calendar day to calendar day,
  if only calls count that were made on or after X?
! Find the greatest number of days from one call to the next in my phone's log, from calendar day to calendar day,
  among the calls on or after X
    calls = PAGES(phone.show_call_log, from_date=<day>)
    call_days = sorted(date.fromisoformat(call["started_at"][:10]) for call in calls)
    return max((later - earlier).days for earlier, later in zip(call_days, call_days[1:]))
~ , from_date=<day> =>

count_asked_people_since -> number
? From how many different people have I got a wallet request, whatever its status, on or after X?
! Count the different people who have sent me a wallet request, whatever its status, on or after X
    requests = PAGES(wallet.show_received_requests)
    return len({one["requester"]["name"] for one in requests if one["created_at"] >= <day>})
~  if one["created_at"] >= <day> =>

text_streak_since -> number
? How long, in days, is the longest run of consecutive days with at least one text message each, sent or received, among
  the texts on or after X?
! Find the length in days of the longest run of consecutive days with at least one text each, sent or received, among
  the texts on or after X
    texts = PAGES(phone.show_text_messages, from_date=<day>)
    text_days = {date.fromisoformat(text["sent_at"][:10]) for text in texts}
    longest_run = 0
    for first_day in text_days:
        run = 1
        while first_day + timedelta(days=run) in text_days:
            run += 1
        longest_run = max(longest_run, run)
    return longest_run
"""
ASKED = (*works("day", _DAY_ASKED),)
