"""Train families of splits with todo, with notes, and with wallet and files, and of the wallet with todo."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files, notes, splits, todo, wallet
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Share what was bought, as the comments of tasks say.

_BUYS = """buy charcoal|order the tent|get paper plates|rent the projector|print the flyers|fetch drinks|buy ice|
get fairy lights|hire a van|buy firewood|order pizza dough|pick up the cake stand""".replace("\n", "").split("|")
_REMARKS = ("Compare prices.", "Not more than 90.00.", "Ask the others.", "They paid 5.00 last year.", "Is it far?")


def _make_bought(draw: Draw) -> Values | None:
    rng = draw.rng
    groups = papers.twin_groups(draw, least=3)
    if groups is None:
        return None
    label, other = rng.sample(LABELS, 2)
    for n, title in enumerate(rng.sample(_BUYS, 11)):  # one has another label, one is open, one cost nothing
        labels = [other] if n == 8 else [label, other] if n % 2 else [label]
        task = papers.planned(draw, papers.projects_of(draw, 1)[0], title, labels=labels, done=n != 9, days=60 - n)
        for text in _REMARKS[: 5 if n == 2 else rng.randint(0, 2)]:
            todo.comment(draw.state, task.id, text)
        if n != 10:
            todo.comment(draw.state, task.id, f"paid {rng.randint(400, 9_000) / 100:.2f}")
    return {"label": label, "group": groups[0].name, "other_label": other, "other_group": groups[1].name}


def _solve_bought(state: State, me: Person, values: Values) -> Json:
    group = papers.group_called(state, me, values["group"])
    for row in state[todo.TaskComment].of(me.id):
        task = state[todo.TodoTask][row.task_id]
        if row.text.startswith("paid ") and task.done and values["label"] in task.labels:
            cents = int(row.text.removeprefix("paid ").replace(".", ""))
            shares = splits.equal_shares(cents, group.member_ids)
            splits.add_expense(state, me.id, task.title, cents, shares, group=group.id)
            todo.unlabel(state, task.id, values["label"])


def share_costs_of_tasks(label: str, group: str) -> int:
    """Enter each done task of a label with a comment `paid 1.50` in a splits group, unlabel it; return how many."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id, members = next((each["group_id"], each["members"]) for each in groups if each["name"] == group)
    emails = [member["email"] for member in members]
    todo_token = login(app="todo")
    count = 0
    for task in all_pages(apis.todo.list_tasks, access_token=todo_token, label=label, done=True):
        task_id, title = task["task_id"], task["title"]
        comments = all_pages(apis.todo.list_comments, access_token=todo_token, task_id=task_id)
        paid = [comment["text"] for comment in comments if re.fullmatch(r"paid \d+\.\d\d", comment["text"])]
        for amount in [float(text.removeprefix("paid ")) for text in paid]:
            apis.splits.add_expense(
                access_token=token, description=title, amount=amount, participant_emails=emails, group_id=group_id
            )
            apis.todo.unlabel_task(access_token=todo_token, task_id=task_id, label=label)
            count += 1
    return count


expenses_from_tasks = Family(
    name="expenses_from_tasks",
    split="train",
    difficulty=3,
    apps=("todo", "splits"),
    slots={"label": str, "group": str},
    wordings=(
        'Some done tasks with the label "{label}" in my todo app have a comment that says just paid and an amount, like'
        ' "paid 12.50". Enter each as an expense in the splits group "{group}": titled like the task, paid by me, split'
        " equally among all members, me included. Then take the label off these tasks, and only these.",
        'What I bought for "{group}", my group on splits, are the finished tasks labelled "{label}" under which I'
        ' commented nothing but "paid" and the price ("paid 7.20"). Add an expense per task, described by its title and'
        ' shared equally by everybody in the group including myself, and remove "{label}" from the tasks you added.',
        'Please go through my completed todo tasks with the label "{label}". Where a whole comment reads "paid" and a'
        ' sum, as in "paid 3.10", I spent it for all of the splits group "{group}", me too, in equal parts: record it'
        " there under the title of the task and drop that label from the task. Tasks without it stay as they are.",
    ),
    make=_make_bought,
    solve=_solve_bought,
    program=Program(functions=(share_costs_of_tasks,), call="share_costs_of_tasks(label={label!r}, group={group!r})"),
    mistakes=(
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="another_group", swap={"group": "other_group"}),
        Mistake(name="open_ones_too", old=", done=True", new=""),
        Mistake(name="label_kept", old="apis.todo.unlabel_task(", new="dict("),
        Mistake(name="first_comments", old="all_pages(apis.todo.list_comments, ", new="apis.todo.list_comments("),
    ),
)


# Bring the members of a group in line with a note.

_OUTINGS = ("Ridge Hike", "Canoe Weekend", "Opera Night", "Vineyard Tour", "Pottery Course", "Island Camp")


def _make_members(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    people = scene.acquaintances(draw)
    if len(people) < 12:
        return None
    ids, name = [person.id for person in people], rng.choice(_OUTINGS)
    older = splits.create_group(state, me.id, f"{name} 2024", ids[4:9])
    group = splits.create_group(state, ids[0], name, [me.id, *ids[:7]])
    for payer, debtor in ((me, people[0]), (people[0], people[1]), (me, people[2]), (people[3], me)):
        papers.spent(draw, f"Advance for {debtor.first}", payer, {debtor.id: 2_400}, group=group, days=40)
    for debtor, payer in ((people[2], me), (me, people[3])):  # the first owes and is owed the same, these owe nothing
        splits.repay(state, debtor.id, debtor.id, payer.id, 2_400, group=group.id)
    said = "no no no no yes maybe - yes yes yes no maybe".split()
    title, twin = f"{name} list", papers.older_twin(f"{name} list")
    for note, marks, days in ((title, said, 12), (twin, said[::-1], 380)):
        lines = [f"{person.email}: {mark}" for person, mark in zip(people, marks, strict=False) if mark != "-"]
        papers.jotted(draw, note, "\n".join(("Who is in?", *rng.sample(lines, len(lines)))), days=days)
    return {"title": title, "group": name, "other_title": twin, "other_group": older.name}


def _solve_members(state: State, me: Person, values: Values) -> Json:
    group = papers.group_called(state, me, values["group"])
    lines = notes.note_titled(state, me.id, values["title"]).content.split("\n")
    for person in state[Person]:
        if f"{person.email}: yes" in lines:
            splits.add_member(state, group.id, person.id)
        owing = any(papers.owed(state, person.id, one, group.id) for one in group.member_ids)
        if f"{person.email}: no" in lines and not owing:
            splits.remove_member(state, group.id, person.id)


def align_members(note_title: str, group: str) -> int:
    """Let those whom a note marks yes (`email: yes`) join a group, and no leave if settled; return the changes."""
    lines = read_note(title=note_title)["content"].splitlines()
    marks = dict(line.split(": ") for line in lines if "@" in line)
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    group_id = next(each["group_id"] for each in groups if each["name"] == group)
    overview = apis.splits.show_group_balances(access_token=token, group_id=group_id)
    members = {member["email"] for member in overview["members"]}
    tied = {debt[side]["email"] for debt in overview["debts"] for side in ("debtor", "creditor")}
    joining = [email for email, mark in marks.items() if mark == "yes" and email not in members]
    leaving = [email for email, mark in marks.items() if mark == "no" and email in members - tied]
    for email in joining:
        apis.splits.add_member(access_token=token, group_id=group_id, email=email)
    for email in leaving:
        apis.splits.remove_member(access_token=token, group_id=group_id, email=email)
    return len(joining) + len(leaving)


match_group_to_note = Family(
    name="match_group_to_note",
    split="train",
    difficulty=3,
    apps=("notes", "splits"),
    slots={"title": str, "group": str},
    wordings=(
        'Bring my splits group "{group}" in line with my note "{title}": add whoever has a yes there and is not in it,'
        " and remove whoever has a no, except people who still owe or are owed something in the group.",
        'The answers are in: see the note "{title}". On splits, add everybody who said yes to "{group}" unless they are'
        " members already, and remove those members who said no if they are settled up with everyone in the group;"
        " otherwise they stay for now. A maybe changes nothing, and neither does a missing answer.",
        'My note "{title}" has a list of e-mail addresses with yes, no or maybe. Please update the members of "{group}"'
        " on splits accordingly. Yes means in. No means out, but only where that person has no open debts in the group,"
        " neither owing nor being owed. Leave all other people as they are.",
    ),
    make=_make_members,
    solve=_solve_members,
    program=Program(functions=(align_members,), call="align_members(note_title={title!r}, group={group!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="maybes_join", old='mark == "yes"', new='mark != "no"'),
        Mistake(name="nobody_leaves", old="for email in leaving:", new="for email in ():"),
        Mistake(name="maybes_leave", old='mark == "no"', new='mark != "yes"'),
    ),
)


# Tick off the subtasks of those who have paid.

_FUNDS = ("Boat fund", "Leaving gift", "Team shirts", "Chalet deposit", "Choir trip", "New grill", "Bus for the fair")


def _make_payers(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    people, note = scene.acquaintances(draw), rng.choice(_FUNDS)
    if len(people) < 10:
        return None
    title, twin = f"Collect money for {note}", papers.older_twin(f"Collect money for {note}")
    days, cents = rng.randint(15, 40), rng.randint(1_500, 6_000)
    for name, done in ((twin, 1), (title, 9)):  # the last one paid in cash
        task = papers.planned(draw, papers.projects_of(draw, 1)[0], name, days=days)
        for person in people[:9]:
            todo.add_subtask(state, task.id, person.name)
        todo.set_subtask(state, task.id, done, done=True)
    gifts = [(0, cents, 1), (1, cents + 500, days - 3), (2, 700, 2), (2, 500, 3), (2, cents - 1_200, 6)]
    gifts += [(3, cents - 1, 2), (4, cents, days + 2), (5, cents, 4), (9, cents, 2)]  # too little, early, another note
    for n, part, back in gifts:
        row = scene.paid(draw, people[n], me, f"{note} (last year)" if n == 5 else note, scene.ago(draw, back))
        state[wallet.Payment].change(row.id, cents=part)
    scene.paid(draw, me, people[6], note, scene.ago(draw, 3))  # the other way
    since = (state.now - timedelta(days=days)).date().isoformat()
    return {"task": title, "amount": cents / 100, "note": note, "since": since, "other_task": twin}


def _solve_payers(state: State, me: Person, values: Values) -> Json:
    task, since = todo.task_titled(state, me.id, values["task"]), date.fromisoformat(values["since"])
    rows = [row for row in state[wallet.Payment].of(me.id) if row.note == values["note"]]
    for number, step in enumerate(task.subtasks, 1):
        theirs = [row for row in rows if state[Person][row.sender].name == step.title]
        if sum(row.cents for row in theirs if row.created_at.date() >= since) >= round(values["amount"] * 100):
            todo.set_subtask(state, task.id, number, done=True)


def tick_payers(task: str, amount: float, note: str, since: str) -> int:
    """Tick off the subtasks named after who paid an amount with a note since a day; return how many were ticked."""
    token = login(app="wallet")
    totals: Counter = Counter()
    for payment in all_pages(apis.wallet.show_transactions, access_token=token, direction="received", from_date=since):
        if payment["note"] == note:
            totals[payment["sender"]["name"]] += payment["amount"]
    todo_token = login(app="todo")
    tasks = all_pages(apis.todo.search_tasks, access_token=todo_token, query=task)
    task_id = next(each["task_id"] for each in tasks if each["title"] == task)
    steps = apis.todo.show_task(access_token=todo_token, task_id=task_id)["subtasks"]
    paid = [step for step in steps if not step["done"] and round(totals[step["title"]], 2) >= amount]
    for step in paid:
        apis.todo.update_subtask(access_token=todo_token, task_id=task_id, subtask_number=step["subtask_number"])
    return len(paid)


tick_off_payers = Family(
    name="tick_off_payers",
    split="train",
    difficulty=3,
    apps=("wallet", "todo"),
    slots={"task": str, "amount": float, "note": str, "since": str},
    wordings=(
        'My todo task "{task}" has a subtask per person. Tick off those who have sent me ${amount} or more in all on'
        ' wallet since {since} (that day included), counting only payments with exactly the note "{note}".',
        'Who has paid? Add up what each person sent me on wallet on {since} or later with the note "{note}", word for'
        ' word. In the todo task "{task}", mark the subtasks named after people who reach ${amount} as done.',
        'The subtasks of "{task}" in my todo app are names. Please check off everyone who paid me at least ${amount}'
        ' altogether on wallet from {since} on (including that day), in payments with "{note}" as the whole note.',
    ),
    make=_make_payers,
    solve=_solve_payers,
    program=Program(
        functions=(tick_payers,), call="tick_payers(task={task!r}, amount={amount!r}, note={note!r}, since={since!r})"
    ),
    mistakes=(
        Mistake(name="the_older_task", swap={"task": "other_task"}),
        Mistake(name="more_than_that", old=">= amount", new="> amount"),
        Mistake(name="parts_apart", old='["name"]] += payment["amount"]', new='["name"]] = payment["amount"]'),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
        Mistake(name="any_such_note", old='if payment["note"] == note:', new="if payment:"),
    ),
)


# What is left of the balance once all is settled and paid?

_BILLS = "electricity|water|internet|insurance|gym|dentist|car repair|phone|piano lessons|heating|newspaper|daycare"


def _make_left(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    first, second, *_ = scene.acquaintances(draw)
    day = state.now.date() + timedelta(days=rng.randint(10, 30))
    name = rng.choice(("bills", "invoices", "payables", "dues"))
    new, old = (f"~/documents/personal/{name}{end}.txt" for end in ("", "-old"))
    for path, days in ((new, 5), (old, 200)):
        lines, things = [], rng.sample(_BILLS.split("|"), 9)
        for n, thing in zip((0, 1, 4, 9, -1, -3, -7, -12, -20), things, strict=True):
            mark = "paid" if n in (9, -3, -20) else "open"
            lines.append(f"{day + timedelta(days=n)} {thing}: {rng.randint(900, 12_000) / 100:.2f} {mark}")
        papers.filed(draw, path, "\n".join(rng.sample(lines, 9)), days=days)
    papers.spent(draw, "Theater", first, {me.id: rng.randint(1_000, 4_000)}, days=9)
    papers.spent(draw, "Spare tyre", me, {second.id: rng.randint(5_000, 9_000)}, days=7)
    state[wallet.WalletAccount].change(me.id, cents=rng.randint(150_000, 400_000))
    return {"path": new, "day": day.isoformat(), "other_path": old}


def _solve_left(state: State, me: Person, values: Values) -> Json:
    cents = state[wallet.WalletAccount][me.id].cents
    for row in state[splits.Expense].of(me.id):
        mine = dict(row.shares).get(me.id, 0)
        cents += row.cents - mine if row.payer == me.id else -mine
    for back in state[splits.Repayment].of(me.id):
        cents += back.cents if back.payer == me.id else -back.cents
    file = next(file for file in state[files.File].of(me.id) if file.path == papers.at_home(me, values["path"]))
    for line in file.content.split("\n"):
        words = line.split()
        if words[-1] == "open" and words[0] <= values["day"]:
            cents -= int(words[-2].replace(".", ""))
    return cents / 100


def left_after_settling(path: str, day: str) -> float:
    """Return the wallet balance after settling all of splits and paying a file's open bills due until a day."""
    token = login(app="wallet")
    balance = apis.wallet.show_balance(access_token=token)["balance"]
    settled = apis.splits.show_balances(access_token=login(app="splits"))["total"]
    content = apis.files.show_file(access_token=login(app="files"), file_path=path)["content"]
    bills = re.findall(r"^(\S+) .+: (\d+\.\d\d) open$", content, flags=re.MULTILINE)
    return round(balance + settled - sum(float(amount) for due, amount in bills if due <= day), 2)


left_after_bills = Family(
    name="left_after_bills",
    split="train",
    difficulty=1,
    apps=("wallet", "splits", "files"),
    slots={"path": str, "day": str},
    wordings=(
        "How much would be left in my wallet if all that I owe and am owed on splits were settled through it and I then"
        " paid all bills in the file {path} that are open and due by {day} (that day included)?",
        "Imagine all debts on splits, mine and those of others to me, are paid from and to my wallet and I then pay"
        " what {path} lists as open with a date of {day} or earlier. What is my wallet balance then?",
        "I want one number: my wallet balance, plus what people owe me on splits, minus what I owe there, minus the"
        " open bills of the file {path}, counting only those due on {day} at the latest.",
    ),
    make=_make_left,
    solve=_solve_left,
    program=Program(functions=(left_after_settling,), call="left_after_settling(path={path!r}, day={day!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="paid_ones_too", old=r"(\d+\.\d\d) open$", new=r"(\d+\.\d\d) \w+$"),
        Mistake(name="whenever_due", old=" if due <= day", new=""),
        Mistake(name="not_on_the_day", old="due <= day", new="due < day"),
        Mistake(name="splits_forgotten", old="balance + settled", new="balance"),
    ),
)

FAMILIES = (expenses_from_tasks, match_group_to_note, tick_off_payers, left_after_bills)
