"""How a question gets to a day: when something was made, changed, sent or done."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps

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
