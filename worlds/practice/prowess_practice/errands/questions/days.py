"""How a question gets to a day, and what is worked out for the time since then."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_DAY_FOUND = """
playlist_creation
: the day on which I created my playlist "{playlist}" on music
    playlists = PAGES(music.show_playlists, query=playlist)
    started = next(one for one in playlists if one["title"] == playlist)
= day := started["created_at"][:10]
~ next(one for one in playlists if one["title"] == playlist) => PAGES(music.show_playlists)[0]

tagged_note
: the day on which I last changed any of my notes tagged "{tag}" (archived notes do not count)
    tagged_notes = PAGES(notes.list_notes, tag=tag, sort_by="-updated_at")
= day := tagged_notes[0]["updated_at"][:10]
~ , tag=tag =>

finished_task
: the day on which I completed the task "{finished}" in the todo app
    all_tasks = PAGES(todo.search_tasks)
    finished_task = next(one for one in all_tasks if one["title"] == finished and one["done"])
= day := finished_task["completed_at"][:10]
~ one["title"] == finished and one["done"] => one["done"]

changed_file
: the day on which my file "{file_path}" was last changed
    changed_file = CALL(files.show_file, file_path=file_path)
= day := changed_file["updated_at"][:10]
~ CALL(files.show_file, file_path=file_path) => PAGES(files.search_files)[0]

noted_payment
: the day of the latest wallet payment, sent or received, with the note "{payment_note}"
    payments = PAGES(wallet.show_transactions, query=payment_note)
    noted = [one for one in payments if one["note"] == payment_note]
= day := noted[0]["created_at"][:10]
~ [one for one in payments if one["note"] == payment_note] => PAGES(wallet.show_transactions)

expense_of_query
: the day of the latest expense described as "{description}" among the splits expenses that I paid or share in
    found_expenses = PAGES(splits.show_expenses, query=description)
    described = [one for one in found_expenses if one["description"] == description]
= day := described[0]["created_at"][:10]
~ [one for one in found_expenses if one["description"] == description] => PAGES(splits.show_expenses)

last_call_with_name
: the day of the latest call, in any direction, between me and "{called_person}"
    known = PAGES(phone.show_contacts, query=called_person)
    number = next(one["phone_number"] for one in known if one["name"] == called_person)
    last_call = PAGES(phone.show_call_log, phone_number=number)[0]
= day := last_call["started_at"][:10]
~ , phone_number=number =>

added_album
: the day on which I put the album "{album_title}" into my music library
    kept_albums = PAGES(music.show_album_library)
    kept_album = next(one for one in kept_albums if one["title"] == album_title)
= day := kept_album["added_at"][:10]
~  if one["title"] == album_title =>

first_strict_review
: the day on which I wrote the earliest of my song reviews on music with at most {most_stars} stars
    own_reviews = PAGES(music.show_my_reviews, max_rating=most_stars)
= day := own_reviews[0]["created_at"][:10]
~ , max_rating=most_stars =>

text_with_word
: the day on which I last sent a text message with "{sent_word}" in it
    worded_texts = PAGES(phone.show_text_messages, query=sent_word, direction="sent")
= day := worded_texts[0]["sent_at"][:10]
~ , query=sent_word =>

card_transfer
: the day of my largest transfer, either way, between the wallet and the card "{card_name}"
    cards = CALL(wallet.show_cards)
    card_id = next(one["card_id"] for one in cards if one["name"] == card_name)
    every_transfer = PAGES(wallet.show_card_transfers)
    transfers = [one for one in every_transfer if one["card_id"] == card_id]
    largest_transfer = max(transfers, key=lambda transfer: transfer["amount"])
= day := largest_transfer["created_at"][:10]
~  if one["card_id"] == card_id =>

genre_play
: the day on which I last played any song of the genre "{genre}" on music
    played_songs = PAGES(music.show_play_history)
    of_genre = [one for one in played_songs if one["genre"] == genre]
= day := of_genre[0]["last_played_at"][:10]
~  if one["genre"] == genre =>

last_top_expense
: the day of the largest of the splits expenses that I paid or share in, counting those made on or after {spent_since}
    late_expenses = PAGES(splits.show_expenses, from_date=spent_since)
    top_expense = max(late_expenses, key=lambda expense: expense["amount"])
= day := top_expense["created_at"][:10]
~ , from_date=spent_since =>
~ top_expense = max( => top_expense = min(

query_file
: the day on which I created the newest of my files with "{file_word}" in the text or the name
    worded_files = PAGES(files.search_files, query=file_word, in_content=True, sort_by="-created_at")
= day := worded_files[0]["created_at"][:10]
~ , query=file_word =>
~ , sort_by="-created_at" => , sort_by="created_at"

last_request
: the day on which I sent my last wallet request among those sent up to and including {asked_until}
    asked_requests = PAGES(wallet.show_sent_requests)
    asked_before = [request for request in asked_requests if request["created_at"][:10] <= asked_until]
= day := asked_before[0]["created_at"][:10]
~  if request["created_at"][:10] <= asked_until =>
"""
FOUND = (*steps("day", _DAY_FOUND),)


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
