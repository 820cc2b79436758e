"""How a question gets to several people, which of them are also found elsewhere, and what is worked out about them."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_FOUND = """
members_of_group
: the other members of my splits group "{group_name}"
    groups = PAGES(splits.show_groups)
    members = next(one["members"] for one in groups if one["name"] == group_name)
    my_email = CALL(splits.show_account)["email"]
    group_names = [member["name"] for member in members if member["email"] != my_email]
= names := group_names
~  if one["name"] == group_name =>

people_in_note
: the people whose names are the lines of my note "{guest_note}"
    found_notes = PAGES(notes.search_notes, query=guest_note)
    note_id = next(one["note_id"] for one in found_notes if one["title"] == guest_note)
    noted_names = CALL(notes.show_note, note_id=note_id)["content"].splitlines()
= names := noted_names

kin
: my phone contacts with the relationship "{relationship}"
    relatives = PAGES(phone.show_contacts, relationship=relationship)
    relative_names = [relative["name"] for relative in relatives]
= names := relative_names
~ , relationship=relationship =>

payees_since
: the people to whom I sent money with the wallet on or after {paid_since}
    sent_payments = PAGES(wallet.show_transactions, direction="sent", from_date=paid_since)
    payee_names = {payment["receiver"]["name"] for payment in sent_payments}
= names := payee_names
~ , from_date=paid_since =>

people_in_file
: the people whose names are the lines of my file "{name_file}"
    filed_names = CALL(files.show_file, file_path=name_file)["content"].splitlines()
= names := filed_names

helpers_of_project
: the people whose full names, with a colon after them, begin titles of open tasks in my todo project "{name_project}"
    projects = PAGES(todo.list_projects)
    project_id = next(one["project_id"] for one in projects if one["name"] == name_project)
    open_tasks = PAGES(todo.list_tasks, project_id=project_id, done=False)
    helper_names = {task["title"].split(": ")[0] for task in open_tasks if ": " in task["title"]}
= names := helper_names
~ , done=False =>

reviewers_of_song
: the people who have reviewed the song "{song_title}" on music
    found_songs = PAGES(music.search_songs, query=song_title)
    song_id = next(one["song_id"] for one in found_songs if one["title"] == song_title)
    reviews = PAGES(music.show_song_reviews, song_id=song_id)
    reviewer_names = {review["author"]["name"] for review in reviews}
= names := reviewer_names

callers_since
: the people who called me, whether I answered or not, on or after {called_since}
    incoming = PAGES(phone.show_call_log, direction="incoming", from_date=called_since)
    caller_names = {call["caller"]["name"] for call in incoming}
= names := caller_names
~ , from_date=called_since =>

friends_among < people
: X (only those who are friends of mine on wallet)
    friends = PAGES(wallet.show_friends)
    friend_names = [friend["name"] for friend in friends if friend["name"] in <names>]
= names := friend_names
~  if friend["name"] in <names> =>

others_than_debtors < people
: X (only those who do not owe me anything on splits)
    debts = PAGES(splits.show_people_who_owe_me)
    debtor_names = [debt["name"] for debt in debts]
    free_names = [name for name in <names> if name not in debtor_names]
= names := free_names
~  if name not in debtor_names =>

texters_among < people
: X (only those who have sent me a text message on or after {texted_from})
    texts = PAGES(phone.show_text_messages, direction="received", from_date=texted_from)
    texter_names = {text["sender"]["name"] for text in texts if text["sender"]["name"] in <names>}
= names := texter_names
~  if text["sender"]["name"] in <names> =>

creditors_in_group
: the people to whom I owe money in my splits group "{group_name}"
    groups = PAGES(splits.show_groups)
    group_id = next(one["group_id"] for one in groups if one["name"] == group_name)
    creditors = PAGES(splits.show_people_i_owe, group_id=group_id)
    creditor_names = [creditor["name"] for creditor in creditors]
= names := creditor_names
~ , group_id=group_id =>

people_in_credit
: the people who owe me money (those with whom my balance is positive) in the splits group "{group_name}"
    groups = PAGES(splits.show_groups)
    group_id = next(one["group_id"] for one in groups if one["name"] == group_name)
    balances = CALL(splits.show_balances, group_id=group_id)["balances"]
    indebted_names = [one["name"] for one in balances if one["balance"] > 0]
= names := indebted_names
~  if one["balance"] > 0 =>
"""
_ASKED = """
list_unasked_of -> names
? To which of X have I never sent a wallet request?
! List everyone among X to whom I have never sent a wallet request
    requests = PAGES(wallet.show_sent_requests)
    asked_names = {request["payer"]["name"] for request in requests}
    return [name for name in <names> if name not in asked_names]
~  if name not in asked_names =>

sum_debts_of -> amount
? How much do I owe on splits, all in all, to X?
! Add up what I owe on splits to X
    creditors = PAGES(splits.show_people_i_owe)
    return round(sum(one["amount"] for one in creditors if one["name"] in <names>), 2)
~  if one["name"] in <names> =>

oldest_of -> name
? Going by the birthdays in my phone contacts, who is the oldest of X?
! Go by the birthdays in my phone contacts and find the oldest of X
    all_contacts = PAGES(phone.show_contacts)
    known = [one for one in all_contacts if one["name"] in <names>]
    oldest_one = min(known, key=lambda one: one["birthday"])
    return oldest_one["name"]
~  if one["name"] in <names> =>
~ oldest_one = min( => oldest_one = max(

list_payers_among -> names
? Which of X have paid, on or after {spent_from}, at least one splits expense in which I have a share?
! List everyone among X who has paid, on or after {spent_from}, at least one splits expense in which I have a share
    late_expenses = PAGES(splits.show_expenses, from_date=spent_from)
    payer_names = {expense["paid_by"]["name"] for expense in late_expenses}
    return [name for name in <names> if name in payer_names]
~  if name in payer_names =>
~ , from_date=spent_from =>

top_payee_among -> name
? Who got the most money from me with the wallet, all payments added up, among X?
! Add up all my wallet payments by receiver and find the one who got the most among X
    sent = PAGES(wallet.show_transactions, direction="sent")
    received_sums: dict = {}
    for payment in [payment for payment in sent if payment["receiver"]["name"] in <names>]:
        receiver = payment["receiver"]["name"]
        received_sums[receiver] = received_sums.get(receiver, 0) + payment["amount"]
    return max(received_sums, key=lambda receiver: received_sums[receiver])
~ return max(received_sums => return min(received_sums
~  if payment["receiver"]["name"] in <names> =>

average_texts_with -> rounded
? How many texts per person are there on average in my conversations with X? (Only people with a conversation count.)
! Work out how many texts there are on average in my conversations with X; only people with a conversation count
    conversations = PAGES(phone.show_conversations)
    counts = [one["message_count"] for one in conversations if one["name"] in <names>]
    return round(sum(counts) / len(counts), 2)
~  if one["name"] in <names> =>

list_voices_among -> names
? With which of X have I never exchanged a voice message, in either direction?
! List everyone among X with whom I have never exchanged a voice message, in either direction
    voices = PAGES(phone.show_voice_messages)
    senders = {voice["sender"]["name"] for voice in voices}
    receivers = {voice["receiver"]["name"] for voice in voices}
    return [name for name in <names> if name not in senders | receivers]
~  if name not in senders | receivers =>
"""
FOUND = steps("people", _FOUND)
ASKED = works("people", _ASKED)
