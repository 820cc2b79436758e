"""How a question gets to a group or an expense on splits, and what is worked out about it."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_GROUP_FOUND = """
group_of_name
: my splits group "{group_name}"
    groups = PAGES(splits.show_groups)
    named_group = next(one for one in groups if one["name"] == group_name)
= named_group . group_id members created_at
~  if one["name"] == group_name =>

first_group_with
: the oldest splits group I share with "{member_name}"
    groups = PAGES(splits.show_groups)
    with_member = [group for group in groups if member_name in [one["name"] for one in group["members"]]]
    oldest_group = min(with_member, key=lambda group: group["created_at"])
= oldest_group . group_id members created_at
~  if member_name in [one["name"] for one in group["members"]] =>

group_in_voice
: the splits group whose name is the whole of the latest voice message from "{speaker_name}"
    speakers = PAGES(phone.show_contacts, query=speaker_name)
    speaker_number = next(one["phone_number"] for one in speakers if one["name"] == speaker_name)
    voices = PAGES(phone.show_voice_messages, phone_number=speaker_number, direction="received")
    spoken_name = voices[0]["transcript"]
    found_groups = PAGES(splits.show_groups, query=spoken_name)
    spoken_group = next(one for one in found_groups if one["name"] == spoken_name)
= spoken_group . group_id members created_at
~ voices[0] => voices[1]
~ , direction="received" =>

group_in_task
: the splits group whose name is the description of my todo task "{group_task}"
    found_tasks = PAGES(todo.search_tasks, query=group_task)
    task_id = next(one["task_id"] for one in found_tasks if one["title"] == group_task)
    written_name = CALL(todo.show_task, task_id=task_id)["description"]
    found_groups = PAGES(splits.show_groups, query=written_name)
    written_group = next(one for one in found_groups if one["name"] == written_name)
= written_group . group_id members created_at
~  if one["title"] == group_task =>
"""
_EXPENSE_FOUND = """
largest_expense_since
: the largest of the splits expenses that I paid or share in, counting those made on or after {spent_since}
    recent_expenses = PAGES(splits.show_expenses, from_date=spent_since)
    largest_expense = max(recent_expenses, key=lambda expense: expense["amount"])
= payer_name := largest_expense["paid_by"]["name"]
= payer_email := largest_expense["paid_by"]["email"]
= largest_expense . expense_id amount shares created_at group_id
~ , from_date=spent_since =>
~ largest_expense = max( => largest_expense = min(

last_expense_paid_by
: the latest expense paid by "{payer_name}" among the splits expenses that I paid or share in
    every_expense = PAGES(splits.show_expenses)
    by_payer = [expense for expense in every_expense if expense["paid_by"]["name"] == payer_name]
= by_payer[0] . expense_id amount shares created_at group_id
~  if expense["paid_by"]["name"] == payer_name =>

described_expense
: the latest expense described as "{description}" among the splits expenses that I paid or share in
    same_expenses = PAGES(splits.show_expenses, query=description)
    called_so = [expense for expense in same_expenses if expense["description"] == description]
= payer_name := called_so[0]["paid_by"]["name"]
= payer_email := called_so[0]["paid_by"]["email"]
= called_so[0] . expense_id amount shares created_at group_id
~ [expense for expense in same_expenses if expense["description"] == description] => PAGES(splits.show_expenses)

smallest_of_group < group
: the smallest expense in X
    spent_there = PAGES(splits.show_expenses, group_id=<group_id>)
    smallest = min(spent_there, key=lambda expense: expense["amount"])
= payer_name := smallest["paid_by"]["name"]
= payer_email := smallest["paid_by"]["email"]
= smallest . expense_id amount shares created_at group_id
~ smallest = min( => smallest = max(

last_expense_until
: the latest of the splits expenses that I paid or share in, counting those made up to and including {spent_until}
    earlier_expenses = PAGES(splits.show_expenses, to_date=spent_until)
    last_earlier = earlier_expenses[0]
= last_earlier . expense_id amount shares created_at group_id
= payer_name := last_earlier["paid_by"]["name"]
= payer_email := last_earlier["paid_by"]["email"]
~ , to_date=spent_until =>
"""
_PERSON_FOUND = """
creditor_of_group < group
: the member with the highest balance (who is owed the most) in X
    balances = CALL(splits.show_group_balances, group_id=<group_id>)["members"]
    richest = max(balances, key=lambda member: member["balance"])
= richest . name email
~ richest = max( => richest = min(

payer_of < expense
: the person who paid X
= name := <payer_name>
= email := <payer_email>
"""
_DAY_FOUND = """
day_of_expense < expense
: the day of X
= day := <created_at>[:10]
"""
FOUND = (
    *steps("group", _GROUP_FOUND),
    *steps("expense", _EXPENSE_FOUND),
    *steps("person", _PERSON_FOUND),
    *steps("day", _DAY_FOUND),
)
_GROUP_ASKED = """
sum_since_in -> amount
? What do the expenses made on or after {spent_from} add up to in X?
! Add up the expenses made on or after {spent_from} in X
    group_expenses = PAGES(splits.show_expenses, group_id=<group_id>, from_date=spent_from)
    return round(sum(expense["amount"] for expense in group_expenses), 2)
~ , from_date=spent_from =>
~ , group_id=<group_id> =>

second_payer_in -> name
? If the expenses are added up by payer, who comes second, after the one with the greatest sum, in X?
! Add up the expenses by payer and find who comes second, after the one with the greatest sum, in X
    paid_sums: dict = {}
    for expense in PAGES(splits.show_expenses, group_id=<group_id>):
        payer_name = expense["paid_by"]["name"]
        paid_sums[payer_name] = paid_sums.get(payer_name, 0) + expense["amount"]
    ranked = sorted(paid_sums, key=lambda name: paid_sums[name], reverse=True)
    return ranked[1]
~ ranked[1] => ranked[0]

list_strangers_in -> names
? Apart from me, who is not a friend of mine on wallet among the members of X?
! List everyone, apart from me, who is not a friend of mine on wallet among the members of X
    friends = PAGES(wallet.show_friends)
    friend_emails = {friend["email"] for friend in friends}
    my_email = CALL(wallet.show_account)["email"]
    others = [member for member in <members> if member["email"] != my_email]
    return [member["name"] for member in others if member["email"] not in friend_emails]
~  if member["email"] not in friend_emails =>

youngest_in -> name
? Going by the birthdays in my phone contacts, who is the youngest of my contacts who are members of X?
! Go by the birthdays in my phone contacts and find the youngest contact among the members of X
    emails = {member["email"] for member in <members>}
    my_contacts = PAGES(phone.show_contacts)
    known = [one for one in my_contacts if one["email"] in emails]
    youngest = max(known, key=lambda one: one["birthday"])
    return youngest["name"]
~ youngest = max( => youngest = min(
~  if one["email"] in emails =>

sum_sent_to_members_of -> amount
? How much in all have I ever sent with the wallet to the members of X?
! Add up all that I ever sent with the wallet to the members of X
    emails = {member["email"] for member in <members>}
    sent_payments = PAGES(wallet.show_transactions, direction="sent")
    to_members = [payment for payment in sent_payments if payment["receiver"]["email"] in emails]
    return round(sum(payment["amount"] for payment in to_members), 2)
~  if payment["receiver"]["email"] in emails =>
~ , direction="sent" =>

largest_debtor_in -> name
? Looking at the single debts of one member to another, who is the debtor of the greatest one in X?
! Look at the single debts of one member to another and name the debtor of the greatest one in X
    debts = CALL(splits.show_group_balances, group_id=<group_id>)["debts"]
    largest_debt = max(debts, key=lambda debt: debt["amount"])
    return largest_debt["debtor"]["name"]
~ largest_debt = max( => largest_debt = min(

share_paid_by_me_in -> percent
? Which share of the sum of all expenses did I pay in X?
! Work out which share of the sum of all expenses I paid in X
    my_email = CALL(splits.show_account)["email"]
    group_expenses = PAGES(splits.show_expenses, group_id=<group_id>)
    total = sum(expense["amount"] for expense in group_expenses)
    paid_by_me = [expense["amount"] for expense in group_expenses if expense["paid_by"]["email"] == my_email]
    return round(100 * sum(paid_by_me) / total)
~  if expense["paid_by"]["email"] == my_email =>

longest_pause_in -> number
? What is the greatest number of days, from calendar day to calendar day, from one expense to the next in X?
! Find the greatest number of days, from calendar day to calendar day, from one expense to the next in X
    group_expenses = PAGES(splits.show_expenses, group_id=<group_id>)
    expense_days = sorted(date.fromisoformat(expense["created_at"][:10]) for expense in group_expenses)
    return max((later - earlier).days for earlier, later in zip(expense_days, expense_days[1:]))
~ , group_id=<group_id> =>
~ return max( => return min(

list_uninvited_in -> names
? Apart from me, who has no line with their full name in my note "{guest_note}" among the members of X?
! List everyone, apart from me, who has no line with their full name in my note "{guest_note}" among the members of X
    same_notes = PAGES(notes.search_notes, query=guest_note)
    guest_note_id = next(one["note_id"] for one in same_notes if one["title"] == guest_note)
    guest_text = CALL(notes.show_note, note_id=guest_note_id)["content"]
    guest_names = guest_text.splitlines()
    my_email = CALL(notes.show_account)["email"]
    others = [member["name"] for member in <members> if member["email"] != my_email]
    return [name for name in others if name not in guest_names]
~  if name not in guest_names =>

sum_in_file_for_members_of -> amount
? In my file "{ledger_file}", each line of which is a full name, a comma and an amount, what do the amounts add up to
  of the members of X?
! Add up, in my file "{ledger_file}", each line of which is a full name, a comma and an amount, the amounts of the
  members of X
    ledger = CALL(files.show_file, file_path=ledger_file)["content"]
    rows = [line.split(",") for line in ledger.splitlines()]
    member_names = [member["name"] for member in <members>]
    return round(sum(float(amount) for name, amount in rows if name in member_names), 2)
~  if name in member_names =>

count_tasks_for_members_of -> number
? How many open tasks in my todo project "{name_project}" have a title that begins with the full name, followed by a
  colon, of one of the members of X?
! Count the open tasks in my todo project "{name_project}" whose title begins with the full name, followed by a colon,
  of one of the members of X
    projects = PAGES(todo.list_projects)
    project_id = next(one["project_id"] for one in projects if one["name"] == name_project)
    open_tasks = PAGES(todo.list_tasks, project_id=project_id, done=False)
    member_names = [member["name"] for member in <members>]
    return len([task for task in open_tasks if task["title"].split(": ")[0] in member_names])
~  if task["title"].split(": ")[0] in member_names =>

list_relationships_missing_in -> names
? Which relationships occur in my phone contacts, but with none of the members of X?
! List the relationships that occur in my phone contacts, but with none of the members of X
    members = CALL(splits.show_group, group_id=<group_id>)["members"]
    emails = {member["email"] for member in members}
    my_contacts = PAGES(phone.show_contacts)
    theirs = {kind for one in my_contacts if one["email"] in emails for kind in one["relationships"]}
    return [kind for kind in CALL(phone.show_relationships) if kind not in theirs]
~  if kind not in theirs =>
"""
_EXPENSE_ASKED = """
my_percent_of -> percent
? Which share do I have to bear of X?
! Work out which share I have to bear of X
    my_email = CALL(splits.show_account)["email"]
    shown_expense = CALL(splits.show_expense, expense_id=<expense_id>)
    mine = [share["amount"] for share in shown_expense["shares"] if share["email"] == my_email]
    return round(100 * sum(mine) / shown_expense["amount"])

list_sharers_of -> names
? Which people who have texts with me on my phone also have a share of X?
! List the people who have texts with me on my phone and also a share of X
    partners = {one["name"] for one in PAGES(phone.show_conversations)}
    return [share["name"] for share in <shares> if share["name"] in partners]
~  if share["name"] in partners =>

sum_sent_to_payer_since -> amount
? How much have I sent with the wallet, on or after the day of the expense, to the payer of X?
! Add up what I sent with the wallet, on or after the day of the expense, to the payer of X
    first_day = <created_at>[:10]
    sent = PAGES(wallet.show_transactions, user_email=<payer_email>, direction="sent", from_date=first_day)
    return round(sum(payment["amount"] for payment in sent), 2)
~ , from_date=first_day =>
~ user_email=<payer_email>,  =>
"""
ASKED = (
    *works("group", _GROUP_ASKED),
    *works("expense", _EXPENSE_ASKED),
)
