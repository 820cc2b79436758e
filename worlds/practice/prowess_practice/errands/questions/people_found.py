"""How a question gets to one person: by what they sent, paid, said or wrote, or by where their name stands."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps

_PERSON_FOUND = """
oldest_relation
: the oldest of my phone contacts with the relationship "{relationship}"
    relatives = PAGES(phone.show_contacts, relationship=relationship)
    oldest = min(relatives, key=lambda relative: relative["birthday"])
= oldest . name email phone_number birthday address relationships contact_id
~ , relationship=relationship =>
~ oldest = min( => oldest = max(

last_payee
: the person to whom I sent money with the wallet last, counting only payments up to and including {paid_until}
    sent_payments = PAGES(wallet.show_transactions, direction="sent", to_date=paid_until)
    payee = sent_payments[0]["receiver"]
= payee . name email
~ , to_date=paid_until =>

texter_of_word
: the person who sent me the latest of all text messages I got with "{texted_word}" in them
    messages = PAGES(phone.show_text_messages, query=texted_word, direction="received")
    sender = messages[0]["sender"]
= sender . name phone_number
~ , query=texted_word =>

group_creator
: the person who created the splits group "{group_name}"
    groups = PAGES(splits.show_groups)
    group = next(one for one in groups if one["name"] == group_name)
    creator = group["creator"]
= creator . name email
~  if one["name"] == group_name =>

person_in_note
: the person whose full name stands after "contact: " in my note "{card_note}"
    found_notes = PAGES(notes.search_notes, query=card_note)
    note_id = next(one["note_id"] for one in found_notes if one["title"] == card_note)
    card = CALL(notes.show_note, note_id=note_id)["content"]
    full_name = next(line[9:] for line in card.splitlines() if line.startswith("contact: "))
= name := full_name
~  if one["title"] == card_note =>

largest_sender
: the person who sent me the largest single wallet payment made on or after {paid_since}
    received_payments = PAGES(wallet.show_transactions, direction="received", from_date=paid_since)
    largest = max(received_payments, key=lambda payment: payment["amount"])
= largest["sender"] . name email
~ , from_date=paid_since =>
~ largest = max( => largest = min(

owner_of_number
: the phone contact of mine who has the number "{number}"
    numbered = PAGES(phone.show_contacts, query=number)
    owner = numbered[0]
= owner . name email phone_number birthday address relationships contact_id
~ , query=number =>

payer_of_expense
: the person who paid the latest expense described as "{description}" among the splits expenses that I paid or share in
    expenses = PAGES(splits.show_expenses, query=description)
    described = [one for one in expenses if one["description"] == description]
    payer = described[0]["paid_by"]
= payer . name email
~ [one for one in expenses if one["description"] == description] => PAGES(splits.show_expenses)

longest_caller
: the caller of the longest call that I got on or after {called_since}
    incoming_calls = PAGES(phone.show_call_log, direction="incoming", from_date=called_since)
    longest_call = max(incoming_calls, key=lambda call: call["duration"])
    caller = longest_call["caller"]
= caller . name phone_number
~ , from_date=called_since =>
~ longest_call = max( => longest_call = min(

person_in_file
: the person whose full name is the last line of my file "{name_file}"
    name_file_content = CALL(files.show_file, file_path=name_file)["content"]
    full_name = name_file_content.splitlines()[-1]
= name := full_name
~ .splitlines()[-1] => .splitlines()[0]

largest_request_payer
: the person to whom my largest wallet request with the status "{status}" went
    sent_requests = PAGES(wallet.show_sent_requests, status=status)
    largest_request = max(sent_requests, key=lambda request: request["amount"])
    payer = largest_request["payer"]
= payer . name email
~ , status=status =>
~ largest_request = max( => largest_request = min(

worst_debtor
: the person who owes me the most in the splits group "{group_name}"
    groups = PAGES(splits.show_groups)
    group_id = next(one["group_id"] for one in groups if one["name"] == group_name)
    debtors = PAGES(splits.show_people_who_owe_me, group_id=group_id)
    debtor = max(debtors, key=lambda one: one["amount"])
= debtor . name email
~ , group_id=group_id =>
~ debtor = max( => debtor = min(

last_missed_caller
: the person whose call I missed last, counting only calls up to and including {called_until}
    missed_calls = PAGES(phone.show_call_log, direction="incoming", is_missed=True, to_date=called_until)
    missed_caller = missed_calls[0]["caller"]
= missed_caller . name phone_number
~ , is_missed=True =>
~ , to_date=called_until =>

person_in_task
: the person whose full name is the description of my task "{name_task}" in the todo app
    found_tasks = PAGES(todo.search_tasks, query=name_task)
    task_id = next(one["task_id"] for one in found_tasks if one["title"] == name_task)
    full_name = CALL(todo.show_task, task_id=task_id)["description"]
= name := full_name
~  if one["title"] == name_task =>

main_payer
: the person who has paid the most if the splits expenses that I paid or share in, made on or after {spent_since}, are
  added up by payer
    late_expenses = PAGES(splits.show_expenses, from_date=spent_since)
    paid_sums: dict = {}
    for expense in late_expenses:
        payer_email = expense["paid_by"]["email"]
        paid_sums[payer_email] = paid_sums.get(payer_email, 0) + expense["amount"]
    main_email = max(paid_sums, key=lambda one: paid_sums[one])
= email := main_email
~ , from_date=spent_since =>
~ main_email = max( => main_email = min(

last_reviewer
: the author of the latest review of the song "{song_title}" on music
    found_songs = PAGES(music.search_songs, query=song_title)
    song_id = next(one["song_id"] for one in found_songs if one["title"] == song_title)
    reviews = PAGES(music.show_song_reviews, song_id=song_id)
    last_review = max(reviews, key=lambda review: review["created_at"])
    author = last_review["author"]
= author . name email
~ last_review = max( => last_review = min(

voice_sender
: the person who left me the latest of all voice messages I got with "{spoken_word}" in the transcript
    voice_messages = PAGES(phone.show_voice_messages, query=spoken_word, direction="received")
    speaker = voice_messages[0]["sender"]
= speaker . name phone_number
~ , query=spoken_word =>

remarker
: the person who wrote the last comment on my wallet payment with the note "{remarked_note}"
    noted_payments = PAGES(wallet.show_transactions, query=remarked_note)
    transaction_id = next(one["transaction_id"] for one in noted_payments if one["note"] == remarked_note)
    remarks = PAGES(wallet.show_transaction_comments, transaction_id=transaction_id)
    remarker = remarks[-1]["author"]
= remarker . name email
~  if one["note"] == remarked_note =>
~ remarks[-1] => remarks[0]

last_requester
: the person who sent me the latest wallet request that now has the status "{status}"
    received_requests = PAGES(wallet.show_received_requests, status=status)
    requester = received_requests[0]["requester"]
= requester . name email
~ , status=status =>

busiest_partner
: the person with whom I have exchanged the most text messages
    conversations = PAGES(phone.show_conversations)
    partner = max(conversations, key=lambda conversation: conversation["message_count"])
= partner . name phone_number
~ partner = max( => partner = min(

top_creditor
: the person to whom I owe the most on splits
    creditors = PAGES(splits.show_people_i_owe)
    creditor = max(creditors, key=lambda one: one["amount"])
= creditor . name email
~ creditor = max( => creditor = min(

friend_called
: the wallet friend of mine whose first name is "{first_name}"
    friends = PAGES(wallet.show_friends, query=first_name)
    friend = next(one for one in friends if one["name"].split()[0] == first_name)
= friend . name email
~ friends if one["name"].split()[0] == first_name => PAGES(wallet.show_friends)

resident
: the phone contact of mine who lives at "{address}"
    everybody = PAGES(phone.show_contacts)
    resident = next(one for one in everybody if one["address"] == address)
= resident . name email phone_number birthday address relationships contact_id
~  if one["address"] == address =>

user_of_address
: the wallet user with the e-mail address "{email_address}"
    users = PAGES(wallet.search_users, query=email_address)
    user = users[0]
= user . name email
~ , query=email_address =>

commenter_of_expense
: the person who wrote the last comment on the splits expense "{remarked_expense}"
    same_expenses = PAGES(splits.show_expenses, query=remarked_expense)
    expense_id = next(one["expense_id"] for one in same_expenses if one["description"] == remarked_expense)
    expense_comments = PAGES(splits.show_expense_comments, expense_id=expense_id)
    commenter = expense_comments[-1]["author"]
= commenter . name email
~ expense_comments[-1] => expense_comments[0]

receiver_of_repayment
: the person who received the largest of the paybacks, made by me or to me, that are recorded on splits
    repayments = PAGES(splits.show_payments)
    largest_repayment = max(repayments, key=lambda repayment: repayment["amount"])
= largest_repayment["receiver"] . name email

small_payee
: the person who got the latest wallet payment of at most {most_amount} dollars that I sent
    small_payments = PAGES(wallet.show_transactions, direction="sent", max_amount=most_amount)
    small_payee = small_payments[0]["receiver"]
= small_payee . name email
~ , max_amount=most_amount =>
"""
FOUND = (*steps("person", _PERSON_FOUND),)
