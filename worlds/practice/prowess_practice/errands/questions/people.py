"""How a question gets to one person, and what is worked out about them."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

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


_PERSON_ASKED = """
sum_sent_to -> amount
? How much money did I send on wallet, on or after {paid_from}, to X?
! Add up what I sent on wallet on or after {paid_from} to X
    transactions = PAGES(wallet.show_transactions, user_email=<email>, direction="sent", from_date=paid_from)
    return round(sum(transaction["amount"] for transaction in transactions), 2)
~ , from_date=paid_from =>
~ , direction="sent" =>
~ user_email=<email>,  =>

balance_with -> amount
? What is my overall balance on splits (positive if I am owed, negative if I owe) with X?
! Look up my overall balance on splits, positive if I am owed and negative if I owe, with X
    return CALL(splits.show_person_balance, email=<email>)["balance"]

text_surplus_of -> number
? What do I get if I subtract the number of texts I sent from the number I received, counting those on or before
  {last_day} between me and X?
! Subtract the number of texts I sent from the number I received, counting those on or before {last_day} between me
  and X
    texts = PAGES(phone.show_text_messages, phone_number=<phone_number>, to_date=last_day)
    got = [text for text in texts if text["sender"]["phone_number"] == <phone_number>]
    return len(got) - (len(texts) - len(got))
~ , to_date=last_day =>
~  - (len(texts) - len(got)) =>

count_payments_with -> number
? How many wallet payments of at least {least_amount} dollars, sent or received, do I have with X?
! Count my wallet payments of at least {least_amount} dollars, in any direction, with X
    transactions = PAGES(wallet.show_transactions, user_email=<email>, min_amount=least_amount)
    return len(transactions)
~ , min_amount=least_amount =>
~ user_email=<email>,  =>

count_expenses_paid_by -> number
? How many of the splits expenses that I paid or share in were made on or after {spent_from} and paid by X?
! Count the splits expenses, among those that I paid or share in, made on or after {spent_from} and paid by X
    paid_expenses = PAGES(splits.show_expenses, paid_by_email=<email>, from_date=spent_from)
    return len(paid_expenses)
~ , from_date=spent_from =>
~ paid_by_email=<email>,  =>

longest_silence_with -> number
? What is the longest time, in days between two texts that follow one another, without a text between me and X? Count
  from calendar day to calendar day.
! Find the longest gap, in days from calendar day to calendar day, between two texts that follow one another in the
  conversation between me and X
    texts = PAGES(phone.show_text_messages, phone_number=<phone_number>)
    text_days = sorted(date.fromisoformat(text["sent_at"][:10]) for text in texts)
    gaps = [(later - earlier).days for earlier, later in zip(text_days, text_days[1:])]
    return max(gaps)
~ return max(gaps) => return min(gaps)
~ , phone_number=<phone_number> =>

wallet_difference_with -> amount
? What do I get if I subtract what I sent from what I received, over all wallet payments between me and X?
! Subtract what I sent from what I received, over all wallet payments between me and X
    transactions = PAGES(wallet.show_transactions, user_email=<email>)
    difference = 0.0
    for transaction in transactions:
        sign = 1 if transaction["direction"] == "received" else -1
        difference += sign * transaction["amount"]
    return round(difference, 2)
~ sign * transaction => transaction
~ , user_email=<email> =>

sum_my_shares_paid_by -> amount
? How much do my own shares come to in all the splits expenses paid by X?
! Add up my own shares in all the splits expenses paid by X
    my_email = CALL(splits.show_account)["email"]
    paid_expenses = PAGES(splits.show_expenses, paid_by_email=<email>)
    shares = [share for expense in paid_expenses for share in expense["shares"]]
    return round(sum(share["amount"] for share in shares if share["email"] == my_email), 2)
~ , paid_by_email=<email> =>
~  if share["email"] == my_email =>

day_of_longest_call_with -> date
? On which day was the longest call, in any direction, between me and X?
! Find the day of the longest call, in any direction, between me and X
    calls = PAGES(phone.show_call_log, phone_number=<phone_number>)
    longest = max(calls, key=lambda call: call["duration"])
    return longest["started_at"][:10]
~ , phone_number=<phone_number> =>
~ longest = max( => longest = min(

average_received_from -> amount
? What is the average amount of the wallet payments that I received from X?
! Work out the average amount of the wallet payments that I received from X
    transactions = PAGES(wallet.show_transactions, user_email=<email>, direction="received")
    amounts = [transaction["amount"] for transaction in transactions]
    return round(sum(amounts) / len(amounts), 2)
~ , direction="received" =>
~  / len(amounts) =>
~ user_email=<email>,  =>

describe_top_expense_of -> text
? Of the splits expenses that I paid or share in, what is the description of the largest one paid by X?
! Take the splits expenses that I paid or share in and quote the description of the largest one paid by X
    paid_expenses = PAGES(splits.show_expenses, paid_by_email=<email>)
    top_expense = max(paid_expenses, key=lambda expense: expense["amount"])
    return top_expense["description"]
~ top_expense = max( => top_expense = min(
~ , paid_by_email=<email> =>

seconds_since_with -> number
? How many seconds did the calls last in all, in both directions, that I had on or after {called_from} with X?
! Add up the seconds of the calls, in both directions, that I had on or after {called_from} with X
    calls = PAGES(phone.show_call_log, phone_number=<phone_number>, from_date=called_from)
    return sum(call["duration"] for call in calls)
~ , from_date=called_from =>
~ , phone_number=<phone_number> =>

note_of_top_payment_with -> text
? What is the note of the largest wallet payment, sent or received, between me and X?
! Quote the note of the largest wallet payment in any direction between me and X
    transactions = PAGES(wallet.show_transactions, user_email=<email>)
    top_payment = max(transactions, key=lambda transaction: transaction["amount"])
    return top_payment["note"]
~ top_payment = max( => top_payment = min(
~ , user_email=<email> =>

list_groups_with -> names
? Which of my splits groups have among their members X?
! List the names of those of my splits groups which have among their members X
    my_groups = PAGES(splits.show_groups)
    return [one["name"] for one in my_groups if <email> in [member["email"] for member in one["members"]]]
~  if <email> in [member["email"] for member in one["members"]] =>

quote_first_text_since_from -> text
? What does the earliest text message say that I got on or after {texted_from} from X?
! Quote the earliest text message that I got on or after {texted_from} from X
    texts = PAGES(phone.show_text_messages, phone_number=<phone_number>, direction="received", from_date=texted_from)
    earliest = min(texts, key=lambda text: text["sent_at"])
    return earliest["text"]
~ , from_date=texted_from =>
~ earliest = min( => earliest = max(

days_of_payments_with -> number
? What is the number of days from the day of the first to that of the last wallet payment, sent or received, between
  me and X?
! Work out the number of days from the day of the first to that of the last wallet payment, sent or received, between
  me and X
    transactions = PAGES(wallet.show_transactions, user_email=<email>)
    payment_days = [date.fromisoformat(transaction["created_at"][:10]) for transaction in transactions]
    return (max(payment_days) - min(payment_days)).days
~ , user_email=<email> =>
~  - min(payment_days) =>  - sorted(payment_days)[1]

count_companions_of -> number
? How many different people, not counting me, share at least one of my splits groups with X?
! Count the different people, without me, who are in at least one of my splits groups together with X
    my_email = CALL(splits.show_account)["email"]
    companions = set()
    for group in PAGES(splits.show_groups):
        emails = {member["email"] for member in group["members"]}
        if <email> in emails:
            companions |= emails
    return len(companions - {my_email, <email>})
~         if <email> in emails: =>         if True:
~  - {my_email, <email>} =>

text_weekday_with -> word
? On which day of the week, in English, were the most texts sent, in both directions, between me and X?
! Find out on which day of the week, in English, the most texts were sent, in both directions, between me and X
    texts = PAGES(phone.show_text_messages, phone_number=<phone_number>)
    counts: dict = {}
    for text in texts:
        weekday = datetime.fromisoformat(text["sent_at"]).strftime("%A")
        counts[weekday] = counts.get(weekday, 0) + 1
    return max(counts, key=lambda weekday: counts[weekday])
~ , phone_number=<phone_number> =>
~ return max(counts => return min(counts

share_of_sent_to -> percent
? Of all the money that I ever sent with the wallet, which share went to X?
! Work out which share of all the money I ever sent with the wallet went to X
    transactions = PAGES(wallet.show_transactions, direction="sent")
    total = sum(transaction["amount"] for transaction in transactions)
    theirs = [transaction for transaction in transactions if transaction["receiver"]["email"] == <email>]
    return round(100 * sum(transaction["amount"] for transaction in theirs) / total)
~ , direction="sent" =>
~  if transaction["receiver"]["email"] == <email> =>

count_older_than -> number
? How many of my phone contacts were born before X?
! Count the phone contacts of mine who were born before X
    all_contacts = PAGES(phone.show_contacts)
    birthday = next(one["birthday"] for one in all_contacts if one["name"] == <name>)
    return len([one for one in all_contacts if one["birthday"] < birthday])
~ < birthday => > birthday

sum_requests_from -> amount
? What is the sum of the wallet requests, whatever their status, that I got from X?
! Add up the amounts of the wallet requests, whatever their status, that I got from X
    requests = PAGES(wallet.show_received_requests)
    theirs = [request for request in requests if request["requester"]["email"] == <email>]
    return round(sum(request["amount"] for request in theirs), 2)
~  if request["requester"]["email"] == <email> =>

next_younger_than -> name
? Going by the birthdays in my phone contacts, who is the next younger contact after X?
! Go by the birthdays in my phone contacts and find the contact who was born next after X
    all_contacts = PAGES(phone.show_contacts)
    birthday = next(one["birthday"] for one in all_contacts if one["name"] == <name>)
    younger = [one for one in all_contacts if one["birthday"] > birthday]
    next_younger = min(younger, key=lambda one: one["birthday"])
    return next_younger["name"]
~ next_younger = min( => next_younger = max(

share_of_calls_missed_with -> percent
? Which share went unanswered of all the calls in my log, in both directions, between me and X?
! Work out which share went unanswered of all the calls in my log, in both directions, between me and X
    calls = PAGES(phone.show_call_log, phone_number=<phone_number>)
    missed = [call for call in calls if call["is_missed"]]
    return round(100 * len(missed) / len(calls))
~ , phone_number=<phone_number> =>

amount_in_note_of -> amount
? Which amount stands in my note "{ledger_note}" (lines of a full name, a colon, a space and an amount) next to the
  name of X?
! Look up the amount in my note "{ledger_note}" (lines of a full name, a colon, a space and an amount) next to the
  name of X
    same_notes = PAGES(notes.search_notes, query=ledger_note)
    ledger_id = next(one["note_id"] for one in same_notes if one["title"] == ledger_note)
    ledger = CALL(notes.show_note, note_id=ledger_id)["content"]
    amount_of = dict(line.split(": ") for line in ledger.splitlines())
    return float(amount_of[<name>])
~  if one["title"] == ledger_note =>

count_larger_in_file_than -> number
? In my file "{ledger_file}", where each line is a full name, a comma and an amount, how many amounts are larger than
  that of X?
! Count, in my file "{ledger_file}", where each line is a full name, a comma and an amount, the amounts larger than
  that of X
    ledger = CALL(files.show_file, file_path=ledger_file)["content"]
    rows = [line.split(",") for line in ledger.splitlines()]
    amount_of = {row_name: float(amount) for row_name, amount in rows}
    return len([amount for amount in amount_of.values() if amount > amount_of[<name>]])
~ amount > amount_of => amount < amount_of

list_tasks_for -> titles
? Which tasks, done or not, in my todo project "{name_project}" have a title that begins with the full name of X?
! List the tasks, done or not, in my todo project "{name_project}" whose title begins with the full name of X
    projects = PAGES(todo.list_projects)
    project_id = next(one["project_id"] for one in projects if one["name"] == name_project)
    project_tasks = PAGES(todo.list_tasks, project_id=project_id)
    return [task["title"] for task in project_tasks if task["title"].startswith(<name>)]
~  if task["title"].startswith(<name>) =>

list_songs_reviewed_by -> titles
? Which songs in my playlist "{reviewed_playlist}" on music have a review by X?
! List the songs in my playlist "{reviewed_playlist}" on music that have a review by X
    my_playlists = PAGES(music.show_playlists)
    playlist_id = next(one["playlist_id"] for one in my_playlists if one["title"] == reviewed_playlist)
    reviewed_titles = []
    for song in CALL(music.show_playlist, playlist_id=playlist_id)["songs"]:
        reviews = PAGES(music.show_song_reviews, song_id=song["song_id"])
        if <name> in [review["author"]["name"] for review in reviews]:
            reviewed_titles.append(song["title"])
    return reviewed_titles
~         if <name> in [review["author"]["name"] for review in reviews]: =>         if True:

town_of -> called
? What is, going by my phone contacts, the town (the part of the address after the comma) of X?
! Go by my phone contacts and find the town (the part of the address after the comma) of X
    shown_contact = CALL(phone.show_contact, contact_id=<contact_id>)
    return shown_contact["address"].split(", ")[1]
"""
ASKED = (*works("person", _PERSON_ASKED),)
