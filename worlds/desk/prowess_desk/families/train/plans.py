"""Train families that prepare a course, a rota for a house, a trip in a group and a new flat."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files, notes, splits, todo, wallet
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.toolbox import all_pages, apis, login

# Make a project of the folders of a course.

_COURSES = {
    "pottery": "clay|pinch-pots|the-wheel|handles|glazing|kiln",
    "first-aid": "bleeding|burns|recovery-position|shock|poison|fractures",
    "italian": "greetings|numbers|at-the-market|past-tense|directions|letters",
    "sailing": "knots|wind|right-of-way|charts|harbors|night-watch",
}
_SHEETS = ("reading.pdf", "exercise.txt", "slides.v2.pdf", "homework.md", "video.mp4", "summary.txt", "quiz.md")


def _make_course(draw: Draw) -> Values | None:
    rng, state, me, name = draw.rng, draw.state, draw.me, draw.rng.choice(sorted(_COURSES))
    folder, twin = f"~/documents/{name}", f"~/documents/{name}-2024"
    for top, count in ((twin, 3), (folder, 6)):
        lessons = [f"{top}/{n}-{lesson}" for n, lesson in enumerate(rng.sample(_COURSES[name].split("|"), count), 1)]
        for path in lessons:
            files.make_directory(state, me.id, papers.at_home(me, path))
            for sheet in rng.sample(_SHEETS, rng.randint(2, 4)) if path != lessons[-2] else ():  # one has none yet
                papers.filed(draw, f"{path}/{sheet}", f"{name}: {sheet}")
        files.make_directory(state, me.id, papers.at_home(me, f"{lessons[0]}/old"))
        for path in (f"{lessons[0]}/old/draft.txt", f"{lessons[-1]}/plan.b.txt", f"{top}/welcome.txt"):
            papers.filed(draw, path, "We start on time.")
    day = state.now.date() + timedelta(days=rng.randint(3, 30))
    project = f"{name.replace('-', ' ').capitalize()} {rng.choice(('course', 'class', 'lessons'))}"
    return {"folder": folder, "project": project, "day": day.isoformat(), "other_folder": twin}


def _solve_course(state: State, me: Person, values: Values) -> Json:
    project = todo.add_project(state, me.id, values["project"])
    top, due = papers.at_home(me, values["folder"]), date.fromisoformat(values["day"])
    for path in sorted(one.path for one in state[files.Directory].of(me.id) if files.parent(one.path) == top):
        names = sorted(file.path for file in state[files.File].of(me.id) if files.parent(file.path) == path)
        steps = [re.sub(r"\.[^.]+$", "", name.removeprefix(f"{path}/")) for name in names]
        todo.add_task(state, me.id, path.removeprefix(f"{top}/"), project=project.id, due=due, subtasks=steps)
        due += timedelta(weeks=1)


def plan_course(folder: str, project: str, first_day: str) -> int:
    """Create a project with a weekly task per folder of a folder and a subtask per file in it; return how many."""
    files_token, token = login(app="files"), login(app="todo")
    project_id = apis.todo.create_project(access_token=token, name=project)["project_id"]
    folders = apis.files.show_directory(access_token=files_token, directory_path=folder)["directories"]
    for week, path in enumerate(sorted(folders)):
        title, due = path.split("/")[-1], date.fromisoformat(first_day) + timedelta(weeks=week)
        task = apis.todo.create_task(access_token=token, title=title, project_id=project_id, due_date=due.isoformat())
        for file in sorted(apis.files.show_directory(access_token=files_token, directory_path=path)["files"]):
            step = file.split("/")[-1].rpartition(".")[0]
            apis.todo.add_subtask(access_token=token, task_id=task["task_id"], title=step)
    return len(folders)


course_to_project = Family(
    name="course_to_project",
    split="train",
    difficulty=2,
    apps=("files", "todo"),
    slots={"folder": str, "project": str, "day": str},
    wordings=(
        'Create a todo project "{project}" with a task for each folder right in {folder}, titled like it; by name, they'
        " are due on {day} and weekly after that. The files right in a folder are its subtasks, by name, without"
        " ending.",
        "I take a course whose material is in {folder}: every folder directly in there is a lesson. Turn that into a"
        ' new todo project "{project}": a task per lesson, named like its folder, with a subtask per file directly in'
        " it, in order of name and called like the file without the last dot and what follows. Lessons are weekly, by"
        " name; the first is due on {day}.",
        'Set up "{project}", a new project in todo. For all folders one level below {folder}, sorted by name, make'
        " tasks named after them, due on {day}, then 7 days later, and so on. Add a subtask per file that lies in the"
        " folder itself, sorted by name as well, leaving off the file ending.",
        "The first lesson is on {day}, then there is one every week: the folders right in {folder}, in the order of"
        ' their names. Make a task of each, of the same name and due on its day, in a todo project "{project}" that you'
        " create. The files right in it become its subtasks in order of name; drop the extension.",
        'New todo project: "{project}". Its tasks: the folders directly in {folder}, by name, due weekly from {day} on.'
        " Their subtasks: the files directly in each, by name, minus the extension (a.b.txt is a.b).",
    ),
    make=_make_course,
    solve=_solve_course,
    program=Program(
        functions=(plan_course,), call="plan_course(folder={folder!r}, project={project!r}, first_day={day!r})"
    ),
    mistakes=(
        Mistake(name="the_older_course", swap={"folder": "other_folder"}),
        Mistake(name="deeper_files_too", old="directory_path=path)", new="directory_path=path, recursive=True)"),
        Mistake(name="first_dot", old='.rpartition(".")[0]', new='.partition(".")[0]'),
        Mistake(name="daily", old="timedelta(weeks=week)", new="timedelta(days=week)"),
    ),
)


# Write down whose turn it is on each day.

_ROTAS = ("Cooking rota", "Who walks the dog", "Dish duty", "Fire watch", "Night shifts", "Breakfast turns")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _make_rota(draw: Draw) -> Values | None:
    rng, groups = draw.rng, papers.twin_groups(draw, least=4)
    if groups is None:
        return None
    first = draw.state.now.date() + timedelta(days=rng.randint(2, 30))
    off, last = rng.choice(_WEEKDAYS), first + timedelta(days=rng.randint(12, 18))
    last += timedelta(days=_WEEKDAYS[last.weekday()] == off)  # the last day counts
    values = {"title": rng.choice(_ROTAS), "group": groups[0].name, "first": str(first), "last": str(last), "off": off}
    return {**values, "other_group": groups[1].name}


def _solve_rota(state: State, me: Person, values: Values) -> Json:
    names = sorted(state[Person][id].name for id in papers.group_called(state, me, values["group"]).member_ids)
    first, last = (date.fromisoformat(values[name]) for name in ("first", "last"))
    span, off = range((last - first).days + 1), _WEEKDAYS.index(values["off"])
    days = [day for n in span if (day := first + timedelta(days=n)).weekday() != off]
    text = "\n".join(f"{day}: {name}" for day, name in zip(days, names * len(days), strict=False))
    notes.write_note(state, me.id, values["title"], text)


def write_rota(title: str, group: str, first: str, last: str, off: str) -> int:
    """Write a note that gives each day but one weekday to the members of a group in turn; return how many days."""
    groups = all_pages(apis.splits.show_groups, access_token=login(app="splits"), query=group)
    names = sorted(member["name"] for each in groups if each["name"] == group for member in each["members"])
    day = date.fromisoformat(first)
    lines: list = []
    while day <= date.fromisoformat(last):
        if day.strftime("%A") != off:
            lines.append(f"{day}: {names[len(lines) % len(names)]}")
        day += timedelta(days=1)
    apis.notes.create_note(access_token=login(app="notes"), title=title, content="\n".join(lines))
    return len(lines)


rota_for_group = Family(
    name="rota_for_group",
    split="train",
    difficulty=2,
    apps=("splits", "notes"),
    slots={"title": str, "group": str, "first": str, "last": str, "off": str},
    wordings=(
        'Write a note "{title}" that gives the days from {first} through {last}, leaving out each {off}, to the members'
        ' of my splits group "{group}" in turn, me included and by full name. Lines read like "2025-01-31: Jane Doe".',
        'We take turns in "{group}", my group on splits: all members including me, in alphabetical order of the full'
        ' names, and again from the start. Put the turns from {first} through {last} into a new note "{title}", a line'
        " per day: date, colon, space, full name. On a {off} nobody has a turn: no line, the next has the day after.",
        'Make me a plan as a note called "{title}". Between {first} and {last}, both included, whose day is it? Sort'
        ' the people of the splits group "{group}" (I am one of them) by full name and go round and round, passing over'
        ' each {off} without using up a turn. Nothing but lines like "2025-03-09: John Roe".',
        'No turns on a {off}. On all other days from {first} through {last}, the members of "{group}" on splits, I too,'
        ' come one after the other by full name, again and again. New note "{title}", lines like 2025-01-31: Jane Doe.',
        'For the note "{title}", which does not exist yet: list the days {first} to {last} (the last one counts)'
        " without those that are a {off}, and behind each, after a colon and a space, a full name. The names are those"
        ' of the whole splits group "{group}", me too, from A to Z and over again until the days are used up.',
    ),
    make=_make_rota,
    solve=_solve_rota,
    program=Program(
        functions=(write_rota,),
        call="write_rota(title={title!r}, group={group!r}, first={first!r}, last={last!r}, off={off!r})",
    ),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="no_day_off", old='if day.strftime("%A") != off', new="if off"),
        Mistake(name="a_turn_lost", old="len(lines) % len", new="(day - date.fromisoformat(first)).days % len"),
        Mistake(name="without_the_last", old="while day <= ", new="while day < "),
    ),
)


# Found a group of those who have paid, and ask the others for the rest.

_TRIPS = ("Ski Hut", "Canal Boat", "Desert Tour", "Choir Weekend", "Lighthouse Stay", "Glacier Walk")


def _make_deposit(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, scene.acquaintances(draw)
    if len(people) < 9:
        return None
    group, cents = rng.choice(_TRIPS), rng.randint(4_000, 15_000)
    note = f"{rng.choice(('Deposit', 'Advance', 'Booking'))} {group}"
    gifts = [(0, cents), (1, cents - 2_550), (1, 2_550), (2, cents + 700), (3, cents), (3, -1_275), (4, cents - 1)]
    gifts += [(5, cents), (5, -cents), (6, cents), (7, -cents), (8, 990), (8, cents - 1_500)]
    for n, (who, part) in enumerate(rng.sample(gifts, len(gifts))):
        sender, receiver = (people[who], me) if part > 0 else (me, people[who])
        payment = scene.paid(draw, sender, receiver, note + " (last year)" * (who == 6), scene.ago(draw, 2 + 2 * n))
        draw.state[wallet.Payment].change(payment.id, cents=abs(part))
    return {"group": group, "note": note, "amount": cents / 100}


def _solve_deposit(state: State, me: Person, values: Values) -> Json:
    members, whole = [], round(values["amount"] * 100)
    rows = [row for row in state[wallet.Payment].of(me.id) if row.note == values["note"]]
    for person in state[Person]:
        theirs = [row for row in rows if person.id in row.parties and person != me]
        given = sum(row.cents if row.sender == person.id else -row.cents for row in theirs)
        if given >= whole:
            members.append(person.id)
        elif given > 0:
            wallet.request(state, me.id, person.id, whole - given, values["note"])
    splits.create_group(state, me.id, values["group"], members)


def group_paid_up(name: str, note: str, amount: float) -> int:
    """Create a group of who paid an amount with a note, refunds taken off, request missing rests; return its size."""
    token = login(app="wallet")
    totals: Counter = Counter()
    for payment in all_pages(apis.wallet.show_transactions, access_token=token, query=note):
        if payment["note"] == note and payment["direction"] == "received":
            totals[payment["sender"]["email"]] += payment["amount"]
        elif payment["note"] == note:
            totals[payment["receiver"]["email"]] -= payment["amount"]
    paid = {email: round(total, 2) for email, total in totals.items()}
    members = sorted(email for email, total in paid.items() if total >= amount)
    apis.splits.create_group(access_token=login(app="splits"), name=name, member_emails=members)
    for email, total in paid.items():
        if 0 < total < amount:
            rest = round(amount - total, 2)
            apis.wallet.request_payment(access_token=token, payer_email=email, amount=rest, note=note)
    return len(members)


group_from_deposits = Family(
    name="group_from_deposits",
    split="train",
    difficulty=3,
    apps=("wallet", "splits"),
    slots={"group": str, "note": str, "amount": float},
    wordings=(
        'Create a splits group "{group}" of all who paid me at least ${amount} in all on wallet with exactly the note'
        ' "{note}", less what I sent back with it. Request the rest from those who paid, but too little, same note.',
        'To come along, people had to send me ${amount} on wallet, at once or in parts, with "{note}" as the whole'
        " note. What I sent back under that note does not count. Whoever has reached the sum belongs in a new group"
        ' "{group}" on splits. Whoever has paid a part of it gets a wallet request for what is missing, note "{note}".',
        'Look at my wallet payments whose note is just "{note}": received minus sent, person by person. With ${amount}'
        ' and more they are members of "{group}", a splits group that you create. With more than nothing but under'
        ' ${amount}, send them a request for the difference, and write "{note}" on it, too.',
        'Who is in? Found "{group}" on splits with those who have paid their ${amount}: add up what each sent me on'
        ' wallet with the note "{note}" (no other words in it) and take off what I returned with the same note. Ask'
        ' people who have paid only a part for the remaining amount on wallet, again with the note "{note}".',
        'I need the group "{group}" on splits, me and all who paid in full: ${amount} at least, counting every wallet'
        ' payment to me noted "{note}", word for word, less mine to that person noted so. Also send wallet requests'
        ' noted "{note}" for the missing part to those of whose money I have some, but too little.',
    ),
    make=_make_deposit,
    solve=_solve_deposit,
    program=Program(functions=(group_paid_up,), call="group_paid_up(name={group!r}, note={note!r}, amount={amount!r})"),
    mistakes=(
        Mistake(name="refunds_forgotten", old='["email"]] -= payment', new='["email"]] -= 0 * payment'),
        Mistake(name="more_than_that", old="total >= amount", new="total > amount"),
        Mistake(name="all_of_it_again", old="amount=rest", new="amount=amount"),
        Mistake(name="any_such_note", old='payment["note"] == note', new='payment["note"]'),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)


# How far does the money go?

_ROOMS = {
    "new-flat": "floor lamp|bookshelf|curtains|bath mat|desk chair|mirror|kettle|coat rack|toaster|doormat|plant stand",
    "workshop": "vise|band saw|apron|clamps|workbench|dust mask|drill bits|glue gun|stool|tool wall|extension cord",
    "campervan": "awning|gas stove|water tank|folding table|cool box|roof rack|hammock|lantern|ladder|solar panel|mat",
}


def _make_reach(draw: Draw) -> Values | None:
    rng, names = draw.rng, draw.rng.sample(sorted(_ROOMS), 2)
    reserve, count = rng.randint(20_000, 60_000), rng.randint(5, 7)
    prices = [*(rng.randint(3_000, 18_000) for _ in range(count)), 19_900, 1_500, 2_500]  # too dear, the next ones not
    ends = rng.sample([" bought", " bought", *[""] * (count - 2)], count) + [""] * 3
    path, other = (f"~/documents/personal/{name}.txt" for name in names)
    for name, where in zip(names, (path, other), strict=True):
        things = zip(rng.sample(_ROOMS[name].split("|"), len(prices)), prices, ends, strict=True)
        lines = [f"{thing}: {price / 100:.2f}{end}" for thing, price, end in things]
        papers.filed(draw, where, "\n".join(("Most wanted first", *lines)))
    cents = reserve + sum(price for price, end in zip(prices[:count], ends, strict=False) if not end)  # just enough
    draw.state[wallet.WalletAccount].change(draw.me.id, cents=cents)
    return {"path": path, "reserve": reserve / 100, "other_path": other}


def _solve_reach(state: State, me: Person, values: Values) -> Json:
    left = state[wallet.WalletAccount][me.id].cents - round(values["reserve"] * 100)
    path = papers.at_home(me, values["path"])
    for line in next(file.content for file in state[files.File].of(me.id) if file.path == path).split("\n")[1:]:
        thing, price = line.split(": ")
        left -= 0 if price.endswith("bought") else int(price.replace(".", ""))
        if left < 0:
            return thing
    return None


def first_beyond_means(path: str, reserve: float) -> str:
    """Return the first thing of a file's list (`thing: 1.50`) that the wallet cannot pay for if a reserve is kept."""
    content = apis.files.show_file(access_token=login(app="files"), file_path=path)["content"]
    left = apis.wallet.show_balance(access_token=login(app="wallet"))["balance"] - reserve
    for thing, price in re.findall(r"^(.+): (\d+\.\d\d)$", content, flags=re.MULTILINE):
        left = round(left - float(price), 2)
        if left < 0:
            return thing
    return ""


first_too_dear = Family(
    name="first_too_dear",
    split="train",
    difficulty=1,
    apps=("files", "wallet"),
    slots={"path": str, "reserve": float},
    wordings=(
        "If I buy what {path} lists from top to bottom, and ${reserve} must stay in my wallet, what is the first thing"
        " I cannot pay for? Lines that end in bought are done with.",
        "I go down the list in {path} and pay with my wallet, of whose balance ${reserve} is not to be touched. What is"
        " marked bought is paid already. Please name the thing at which the money no longer suffices.",
        "How far does my wallet get me? Set ${reserve} of the balance aside, then take off the prices in {path} one"
        " after the other, without those marked bought. For which item is too little left first, whatever follows?",
        "Which item of the list in {path} is the first that my wallet no longer covers? Count from the first line on,"
        " skip items with the word bought after the price, and mind that ${reserve} has to remain.",
        "I must not go below ${reserve} on wallet (exactly that is fine). Working through {path} in its order and"
        " leaving out what is bought, I can afford some things, and then comes one I cannot. Which one?",
    ),
    make=_make_reach,
    solve=_solve_reach,
    program=Program(functions=(first_beyond_means,), call="first_beyond_means(path={path!r}, reserve={reserve!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_file", swap={"path": "other_path"}),
        Mistake(name="no_reserve", old='["balance"] - reserve', new='["balance"]'),
        Mistake(name="bought_ones_too", old=r"(\d+\.\d\d)$", new=r"(\d+\.\d\d)"),
        Mistake(name="nothing_left", old="if left < 0", new="if left <= 0"),
    ),
)

FAMILIES = (course_to_project, rota_for_group, group_from_deposits, first_too_dear)
