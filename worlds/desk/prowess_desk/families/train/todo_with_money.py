"""Train families of the todo app with wallet or splits: payments, requests and expenses as tasks."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import splits, todo, wallet
from prowess_desk.apps.todo import TodoTask, add_task, project_named
from prowess_desk.apps.wallet import PaymentRequest, deny
from prowess_desk.data.todo import LABELS
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.papers import planned, projects_of
from prowess_desk.families.scene import acquaintances, asked
from prowess_desk.families.toolbox import all_pages, apis, login

# Share what was bought, as the comments of tasks say.

_BUYS = """buy charcoal|order the tent|get paper plates|rent the projector|print the flyers|fetch drinks|buy ice|
get fairy lights|hire a van|buy firewood|order pizza dough|pick up the cake stand""".replace("\n", "").split("|")


_REMARKS = ("Compare prices.", "Not more than 90.00.", "Ask the others.", "They paid 5.00 last year.", "Is it far?")


def _make_expenses_from_tasks(draw: Draw) -> Values | None:
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


def _solve_expenses_from_tasks(state: State, me: Person, values: Values) -> Json:
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
    make=_make_expenses_from_tasks,
    solve=_solve_expenses_from_tasks,
    program=Program(functions=(share_costs_of_tasks,), call="share_costs_of_tasks(label={label!r}, group={group!r})"),
    mistakes=(
        Mistake(name="another_label", swap={"label": "other_label"}),
        Mistake(name="another_group", swap={"group": "other_group"}),
        Mistake(name="open_ones_too", old=", done=True", new=""),
        Mistake(name="label_kept", old="apis.todo.unlabel_task(", new="dict("),
        Mistake(name="first_comments", old="all_pages(apis.todo.list_comments, ", new="apis.todo.list_comments("),
    ),
)


# Tick off the subtasks of those who have paid.

_FUNDS = ("Boat fund", "Leaving gift", "Team shirts", "Chalet deposit", "Choir trip", "New grill", "Bus for the fair")


def _make_tick_off_payers(draw: Draw) -> Values | None:
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


def _solve_tick_off_payers(state: State, me: Person, values: Values) -> Json:
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
    make=_make_tick_off_payers,
    solve=_solve_tick_off_payers,
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


# Make the payments on a todo list in the order of their due dates, down to a balance.


def _make_pay_tasks_in_turn(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    project, other = papers.projects_of(draw, 2)
    people, day = scene.acquaintances(draw), state.now.date() + timedelta(days=rng.randint(-9, 9))
    cents, slack = [rng.randint(1_200, 8_000) for _ in range(9)], rng.randint(1_500, 3_000)
    cents[4], cents[5], cents[6] = slack + rng.randint(1, 4_000), slack // 3, slack // 4  # the fifth is too much
    for place, n in enumerate((4, 7, 1, 8, 3, 0, 6, 2, 5)):
        title = f"Pay {people[n % 6].name} {cents[n] / 100:.2f}"
        papers.planned(draw, project, title, due=day + timedelta(days=2 * n + rng.randint(0, 1)), days=30 - place)
    for n, title in enumerate(("pay the fine", f"Remind {people[3].name} of 12.00", "call the bank")):
        papers.planned(draw, project, title, due=day - timedelta(days=n) if n else None)
    papers.planned(draw, project, f"Pay {people[2].name} 15.00", due=day - timedelta(days=6), done=True)
    papers.planned(draw, other, f"Pay {people[1].name} {rng.randint(500, 900) / 100:.2f}", due=day)
    balance = sum(cents) + rng.randint(30_000, 60_000)
    floor = (balance - sum(cents[:4]) - slack) / 100
    state[wallet.WalletAccount].change(me.id, cents=balance)
    note = rng.choice(("As promised", "With thanks", "From my list", "Finally!", "Sorry for the wait"))
    return {"project": project.name, "note": note, "floor": floor, "other_project": other.name, "other_floor": 1.0}


def _solve_pay_tasks_in_turn(state: State, me: Person, values: Values) -> Json:
    project = todo.project_named(state, me.id, values["project"])
    tasks = [task for task in state[todo.TodoTask].of(me.id) if task.project_id == project.id and not task.done]
    for task in sorted(tasks, key=lambda task: task.due or date.max):
        word, *name, amount = task.title.split(" ")
        if word == "Pay" and amount[-3:-2] == ".":
            cents = int(amount.replace(".", ""))
            if state[wallet.WalletAccount][me.id].cents - cents < round(values["floor"] * 100):
                return
            wallet.transfer(state, me.id, scene.named(state, " ".join(name)).id, cents, values["note"])
            todo.finish(state, task.id)


def pay_tasks_down_to(project: str, note: str, floor: float) -> int:
    """Make the payments of a project's tasks (`Pay Name 1.50`) by due date until the floor is hit; return how many."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False, sort_by="due_date")
    wallet_token = login(app="wallet")
    count = 0
    for task in tasks:
        match = re.fullmatch(r"Pay (.+) (\d+\.\d\d)", task["title"])
        if match is None:
            continue
        name, amount = match[1], float(match[2])
        if round(apis.wallet.show_balance(access_token=wallet_token)["balance"] - amount, 2) < floor:
            break
        users = all_pages(apis.wallet.search_users, access_token=wallet_token, query=name)
        email = next(user["email"] for user in users if user["name"] == name)
        apis.wallet.send_payment(access_token=wallet_token, receiver_email=email, amount=amount, note=note)
        apis.todo.mark_task_done(access_token=token, task_id=task["task_id"])
        count += 1
    return count


pay_tasks_in_turn = Family(
    name="pay_tasks_in_turn",
    split="train",
    difficulty=3,
    apps=("todo", "wallet"),
    slots={"project": str, "note": str, "floor": float},
    wordings=(
        'Open tasks of my todo project "{project}" with titles like "Pay Jane Doe 12.50" are payments to make. Make'
        ' them on wallet with the note "{note}" in the order of their due dates, and mark each paid task as done. Stop'
        " at the first that would leave less than ${floor} in my balance, even if smaller ones come after it.",
        'I owe people money: see the unfinished tasks of "{project}" that read Pay, a name and a sum. Earliest due date'
        ' first, send it on wallet, saying "{note}", and tick the task off. My balance must not fall below ${floor}: at'
        " the first payment that would do that you are finished, the later ones wait.",
        'Please pay what is on my todo list "{project}" (tasks called "Pay", full name, amount), first due, first paid,'
        " and complete each paid task. As soon as the next in line would take my wallet under ${floor}, leave it and"
        ' everything due after it alone. Note for each payment: "{note}".',
        "${floor} has to stay in my wallet. Until a payment would break into that, make those of my open tasks in the"
        ' todo project "{project}" ("Pay Jane Doe 12.50") by due date, note "{note}", and complete each of these.'
        " No skipping ahead to smaller ones.",
        'One by one, by due date, make the payments of my unfinished tasks in "{project}" ("Pay Jo Li 1.00", no others)'
        ' on wallet, note "{note}", and complete them on todo. The first not to leave ${floor} or more ends it all.',
    ),
    make=_make_pay_tasks_in_turn,
    solve=_solve_pay_tasks_in_turn,
    program=Program(
        functions=(pay_tasks_down_to,), call="pay_tasks_down_to(project={project!r}, note={note!r}, floor={floor!r})"
    ),
    mistakes=(
        Mistake(name="another_project", swap={"project": "other_project"}),
        Mistake(name="more_spent", swap={"floor": "other_floor"}),
        Mistake(name="smaller_ones_after", old="            break", new="            continue"),
        Mistake(name="as_written_down", old=', sort_by="due_date"', new=""),
        Mistake(name="not_ticked", old="apis.todo.mark_task_done(", new="dict("),
    ),
)


# Deny requests whose deadline has passed, and make tasks of the others.


def _make_deadlines_of_requests(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    project, other = projects_of(draw, 2)
    days, people = rng.randint(9, 30), acquaintances(draw)
    notes = rng.sample(("Canoe", "Rug cleaning", "Opera seats", "Chess set", "Piano tuning", "Tent pegs", "Wool"), 7)
    ages = (days, days + 1, days + rng.randint(3, 40), 2, days - 1, 3, days + 9)
    for person, note, age in zip(people, notes, ages, strict=False):
        asked(draw, person, me, note, state.now.replace(hour=rng.randint(6, 11)) - timedelta(days=age))
    asked(draw, people[0], me, "Skis", state.now - timedelta(days=days + 5), status="denied")
    planned(draw, project, f"answer {people[3].name}: {notes[3]}", days=1)  # there already
    planned(draw, other, f"answer {people[4].name}: {notes[4]}", days=1)  # but not in the project
    return {"days": days, "project": project.name, "other_days": days + 1, "other_project": other.name}


def _solve_deadlines_of_requests(state: State, me: Person, values: Values) -> Json:
    project = project_named(state, me.id, values["project"])
    known = {task.title for task in state[TodoTask].of(me.id) if task.project_id == project.id and not task.done}
    for row in state[PaymentRequest].of(me.id):
        if row.payer != me.id or row.status != "pending":
            continue
        due = row.created_at.date() + timedelta(days=values["days"])
        title = f"answer {state[Person][row.requester].name}: {row.note}"
        if (state.now.date() - row.created_at.date()).days > values["days"]:
            deny(state, row.id)
        elif title not in known:
            add_task(state, me.id, title, project=project.id, due=due)


def plan_answers(days: int, project: str) -> int:
    """Deny the received requests older than so many days, create tasks for the others and return how many."""
    today = apis.phone.show_current_date_and_time()["date"]
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    project_id = next(each["project_id"] for each in projects if each["name"] == project)
    tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project_id, done=False)
    titles = {task["title"] for task in tasks}
    wallet_token = login(app="wallet")
    planned = 0
    requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    for request in requests:
        arrived = date.fromisoformat(request["created_at"][:10])
        deadline = (arrived + timedelta(days=days)).isoformat()
        title = f"answer {request['requester']['name']}: {request['note']}"
        if deadline < today:
            apis.wallet.deny_request(access_token=wallet_token, request_id=request["request_id"])
        elif title not in titles:
            apis.todo.create_task(access_token=token, title=title, project_id=project_id, due_date=deadline)
            planned += 1
    return planned


deadlines_of_requests = Family(
    name="deadlines_of_requests",
    split="train",
    difficulty=3,
    apps=("wallet", "todo", "phone"),
    slots={"days": int, "project": str},
    wordings=(
        "I answer payment requests on wallet within {days} days of the day they came. Deny the pending ones I got whose"
        ' last day was before today. For each other one, create a task in my todo project "{project}", due on its last'
        ' day and titled like "answer Jane Doe: Taxi" (who asks, and the note), unless an open one is there.',
        "My rule: whoever asks me for money on wallet gets an answer {days} days later at the latest. Where that day is"
        ' over, turn the open request down. Where it is today or to come, I need a task in "{project}" (todo app), due'
        ' that day, titled as in "answer Jane Doe: Taxi", with full name and note, if no open one there has it.',
        "Set a deadline for each wallet request I have not answered: {days} days after its date. If it is in the past,"
        ' deny the request. If not, put the task "answer", full name of who asked, colon, note (answer Jane Doe: Taxi)'
        ' into my todo project "{project}", due on the deadline, if no open task of it has that title.',
        "Clean up the pending requests others sent me on wallet. More than {days} days old, counted in dates: denied."
        ' The rest go to the todo project "{project}" as tasks like this: "answer Jane Doe: Taxi", with requester and'
        " note, due when the request is exactly {days} days old. No task where an open one there is so named.",
        "For every open wallet request to me, work out the day {days} days after it was made. If that is today or to"
        ' come, add a task due on it to "{project}" in todo, called answer, full name, colon, note, as in'
        ' "answer Jane Doe: Taxi", if no open task there is called that. Otherwise the request is too old: deny it.',
    ),
    make=_make_deadlines_of_requests,
    solve=_solve_deadlines_of_requests,
    program=Program(functions=(plan_answers,), call="plan_answers(days={days!r}, project={project!r})"),
    mistakes=(
        Mistake(name="a_day_more", swap={"days": "other_days"}),
        Mistake(name="today_is_too_late", old="deadline < today", new="deadline <= today"),
        Mistake(name="added_again", old="elif title not in titles:", new="else:"),
        Mistake(name="seen_elsewhere", old="project_id=project_id, done=False", new="done=False"),
        Mistake(name="first_page", old="in requests:", new="in requests[:5]:"),
    ),
)

FAMILIES = (
    expenses_from_tasks,
    tick_off_payers,
    pay_tasks_in_turn,
    deadlines_of_requests,
)
