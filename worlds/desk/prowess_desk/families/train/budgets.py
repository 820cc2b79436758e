"""Train families about limits: songs of music, calls of the phone, bills of files and notes, payments of todo tasks."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from datetime import date, timedelta

from prowess.types import Json
from prowess_desk.apps import files, music, notes, phone, todo, wallet
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers, scene
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Fill one side of a tape with liked songs, the longest first.

_TAPES = "Tape for the car|Side A|Mix for the train|Cassette one|Ferry tape|Ironing tape|Songs for the sauna".split("|")


def _taken(lengths: list[int], limit: int) -> list[int]:
    taken: list[int] = []
    for length in lengths:
        taken += [length] if sum(taken) + length <= limit else []
    return taken


def _make_tape(draw: Draw) -> Values | None:
    rng, minutes = draw.rng, draw.rng.randint(22, 48)
    songs = rng.sample(list(draw.state[music.Song]), rng.randint(22, 27))
    draw.state[music.Listener].change(draw.me.id, liked_song_ids=tuple(sorted(song.id for song in songs)))
    lengths = sorted((song.seconds for song in songs), reverse=True)
    taken = _taken(lengths, minutes * 60)
    if taken == lengths[: len(taken)]:  # nothing short would fit into what is left
        return None
    return {"title": rng.choice(_TAPES), "minutes": minutes, "other_minutes": minutes - 7}


def _solve_tape(state: State, me: Person, values: Values) -> Json:
    liked = {state[music.Song][id].seconds: id for id in state[music.Listener][me.id].liked_song_ids}
    taken = _taken(sorted(liked)[::-1], 60 * values["minutes"])
    music.create_playlist(state, me.id, values["title"], [liked[seconds] for seconds in taken])


def fill_with_likes(title: str, minutes: int) -> int:
    """Make a playlist of liked songs, longest first, each that still fits into some minutes; return its seconds."""
    token = login(app="music")
    songs = all_pages(apis.music.show_liked_songs, access_token=token)
    playlist_id = apis.music.create_playlist(access_token=token, title=title)["playlist_id"]
    total = 0
    for song in sorted(songs, key=lambda song: song["duration"], reverse=True):
        if total + song["duration"] > minutes * 60:
            continue
        apis.music.add_song_to_playlist(access_token=token, playlist_id=playlist_id, song_id=song["song_id"])
        total += song["duration"]
    return total


fill_tape_side = Family(
    name="fill_tape_side",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"title": str, "minutes": int},
    wordings=(
        'Make a new playlist "{title}" that lasts {minutes} minutes at most: go through the songs I like on music from'
        " the longest to the shortest and add every one that still fits into the time that is left.",
        'One side of a tape holds {minutes} minutes. Create the playlist "{title}" for it out of my liked songs: begin'
        " with the longest, go on to ever shorter ones, skip what would run over and keep trying those after it.",
        "{minutes} minutes of music, please, and not a second more. Take the songs with my like in order of their"
        ' length, longest first; what still has room goes into a new playlist called "{title}", the rest does not.',
        'On music, set up the new playlist "{title}" out of my likes. Sort these songs by duration, longest on top, and'
        " pick each one with which the whole stays within {minutes} minutes, even after one that was too long.",
        'Could you pack my liked songs into a playlist titled "{title}"? Always try the longest one that you have not'
        " tried yet, and put it in unless the whole would then exceed {minutes} minutes.",
    ),
    make=_make_tape,
    solve=_solve_tape,
    program=Program(functions=(fill_with_likes,), call="fill_with_likes(title={title!r}, minutes={minutes!r})"),
    mistakes=(
        Mistake(name="less_time", swap={"minutes": "other_minutes"}),
        Mistake(name="ends_at_the_first", old="            continue", new="            break"),
        Mistake(name="shortest_first", old=", reverse=True)", new=")"),
        Mistake(name="first_page", old="all_pages(apis.music.show_liked_songs, ", new="apis.music.show_liked_songs("),
        Mistake(name="saved_ones", old="apis.music.show_liked_songs", new="apis.music.show_song_library"),
    ),
)


# Which categories went over their limits in a month?

_CATEGORIES = "food|transport|health|leisure|household|clothes|pets|gifts|garden|school|coffee|sports".split("|")


def _make_over(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    folder = rng.choice(("~/documents/bills", "~/household", "~/documents/personal/costs", "~/spending"))
    files.make_directory(state, me.id, papers.at_home(me, f"{folder}/work"))
    last = state.now.date().replace(day=1) - timedelta(days=rng.choice((1, 40, 70, 100)))
    before = last.replace(day=1) - timedelta(days=1)
    limits = {name: rng.randint(40, 300) * 100 for name in rng.sample(_CATEGORIES, 8)}
    first, second, third, even, early, elsewhere, free, _ = limits  # nothing is spent on the last one
    bills: list[tuple[str, int, date, str]] = []
    for name in (first, second, third, even):  # none of these bills is over the limit by itself
        half, over = limits[name] * rng.randint(40, 60) // 100, 0 if name == even else rng.randint(1, 1_500)
        bills += [(name, half, last.replace(day=3), ""), (name, limits[name] - half + over, last, "")]
    for name, month, inside in ((early, before, ""), (elsewhere, last, "work/")):
        bills += [(name, limits[name] // 3, last.replace(day=9), ""), (name, limits[name], month, inside)]
    bills += [(free, 90_000, last.replace(day=20), ""), (early, 50_000, last.replace(year=last.year - 1, day=7), "")]
    for (name, cents, day, inside), number in zip(bills, rng.sample(range(1_000, 9_999), len(bills)), strict=True):
        text = f"number: {number}\ndate: {day}\ncategory: {name}\ntotal: {cents / 100:.2f}"
        papers.filed(draw, f"{folder}/{inside}bill-{number}.txt", text)
    title = rng.choice(("What we may spend", "Household limits", "Spending plan", "Caps per month"))
    kept = rng.sample([name for name in limits if name != free], 7)
    for note, factor, days in ((title, 1, 9), (papers.older_twin(title), 3, 400)):
        lines = [f"{name}: {limits[name] * factor / 100:.2f}" for name in kept]
        papers.jotted(draw, note, "\n".join(("Not more than this in a month.", *lines)), days=days)
    others = {"other_title": papers.older_twin(title), "other_month": f"{before:%Y-%m}"}
    return {"title": title, "folder": folder, "month": f"{last:%Y-%m}", **others}


def _solve_over(state: State, me: Person, values: Values) -> Json:
    spent: Counter[str] = Counter()
    for file in state[files.File].of(me.id):
        lines = file.content.split("\n")
        if files.parent(file.path) == papers.at_home(me, values["folder"]) and values["month"] in lines[1]:
            spent[lines[2].removeprefix("category: ")] += int(lines[3].removeprefix("total: ").replace(".", ""))
    rows = [row.split(": ") for row in notes.note_titled(state, me.id, values["title"]).content.split("\n")[1:]]
    return [name for name, limit in rows if spent[name] > int(limit.replace(".", ""))]


def overspent_in_month(title: str, folder: str, month: str) -> list:
    """List the categories whose bills right in a folder from a month (YYYY-MM) are above their limits in a note."""
    content = read_note(title=title)["content"]
    limits = re.findall(r"^(.+): (\d+\.\d\d)$", content, flags=re.MULTILINE)
    token = login(app="files")
    spent: defaultdict = defaultdict(float)
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["files"]:
        text = apis.files.show_file(access_token=token, file_path=path)["content"]
        bill = dict(line.split(": ", 1) for line in text.splitlines())
        if bill["date"].startswith(month):
            spent[bill["category"]] += float(bill["total"])
    return [name for name, limit in limits if round(spent[name], 2) > float(limit)]


over_budget_categories = Family(
    name="over_budget_categories",
    split="train",
    difficulty=2,
    apps=("files", "notes"),
    slots={"title": str, "folder": str, "month": str},
    wordings=(
        'In which categories did I spend more in {month} than my note "{title}" allows for a month? My bills are the'
        " files right in {folder}, each with its date, category and total. Categories without a limit do not matter.",
        "Every file in {folder} (leave out its subfolders) is a bill with a date, a category and a total. For which"
        ' categories do those of {month} add up to more than the limit in the note "{title}"? Just the limit is fine.',
        'I set myself monthly limits, see "{title}" in my notes. Where did I break them in {month}? Go by the bills'
        " directly in {folder}, nothing below it, and give me the names of those categories.",
        'Tell me the categories that went over budget in {month}. The budget is my note "{title}", the most I may spend'
        " a month on each; what I spent is in the bills of {folder} itself, not of folders in there.",
        'Please check {month} for me: sum up, for each category that has a limit in "{title}" (a note), the totals of'
        " that month's bills lying right in {folder}, and list the categories with a sum larger than the limit.",
    ),
    make=_make_over,
    solve=_solve_over,
    program=Program(
        functions=(overspent_in_month,), call="overspent_in_month(title={title!r}, folder={folder!r}, month={month!r})"
    ),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="another_month", swap={"month": "other_month"}),
        Mistake(name="the_limit_itself", old="2) > float", new="2) >= float"),
        Mistake(name="subfolders_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
        Mistake(name="bill_by_bill", old='["category"]] += float', new='["category"]] = float'),
    ),
)


# What do the calls cost that the plan does not include?


def _called(draw: Draw, caller: Person, callee: Person, days: float, seconds: int) -> None:
    who, when = {"caller": caller.id, "callee": callee.id}, scene.ago(draw, days)
    draw.state[phone.Call].add(lambda id: phone.Call(id=id, **who, started_at=when, seconds=seconds))


def _make_charge(draw: Draw) -> Values | None:
    rng, me, people, days = draw.rng, draw.me, scene.acquaintances(draw), draw.rng.randint(20, 60)
    since = (draw.state.now - timedelta(days=days)).date()
    for n in range(16):  # six come in, one is missed, one is too old, two last whole minutes
        caller, callee = (people[n % 5], me) if n % 3 == 0 else (me, people[n % 5])
        seconds = {4: 0, 7: 240, 8: 60}.get(n, rng.randint(20, 900))
        _called(draw, caller, callee, days + 1 if n == 10 else 0.5 + (days - 2) * n / 16, seconds)
    free, price = _minutes(draw.state, me, since.isoformat()) // rng.randint(2, 4), rng.randint(5, 40) / 100
    later = since + timedelta(days=days // 2)
    return {"since": since.isoformat(), "free": free, "price": price, "other_since": later.isoformat()}


def _minutes(state: State, me: Person, since: str) -> int:
    rows = [row for row in state[phone.Call].of(me.id) if row.caller == me.id]
    return sum((row.seconds + 59) // 60 for row in rows if row.started_at.date() >= date.fromisoformat(since))


def _solve_charge(state: State, me: Person, values: Values) -> Json:
    return (_minutes(state, me, values["since"]) - values["free"]) * round(values["price"] * 100) / 100


def cost_of_calls(since: str, free: int, price: float) -> float:
    """Return what the calls made since a day (YYYY-MM-DD) cost, in begun minutes, beyond those that are free."""
    token = login(app="phone")
    calls = all_pages(apis.phone.show_call_log, access_token=token, direction="outgoing", from_date=since)
    minutes = sum(-(-call["duration"] // 60) for call in calls)
    return round(max(0, minutes - free) * price, 2)


phone_plan_charge = Family(
    name="phone_plan_charge",
    split="train",
    difficulty=1,
    apps=("phone",),
    slots={"since": str, "free": int, "price": float},
    wordings=(
        "My phone plan started anew on {since}. From that day on {free} minutes of calls I make are free, each further"
        " minute costs ${price}, and every call is rounded up to full minutes. How much do I have to pay so far?",
        "What do my calls since {since} (that day included) cost? Only outgoing ones count, each begun minute as a"
        " whole one, call by call; the first {free} minutes in all are free, the rest is ${price} a minute.",
        "They charge me ${price} for each minute of calling beyond {free} minutes. Take the calls I made on {since} or"
        " later, round each of them up to whole minutes on its own, add them up and tell me the charge in dollars.",
        "Please work out my phone bill from {since} on, with that day. Being called is free; of my own calls, one of 61"
        " seconds makes two minutes, one of 60 one. {free} are included, all others cost ${price} each. What is it?",
        "Count the minutes I have been calling people since {since}, that day too, where any part of a minute in a call"
        " is a minute. Less the {free} that my contract includes and at ${price} apiece, what does that come to?",
    ),
    make=_make_charge,
    solve=_solve_charge,
    program=Program(functions=(cost_of_calls,), call="cost_of_calls(since={since!r}, free={free!r}, price={price!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_day", swap={"since": "other_since"}),
        Mistake(name="both_ways", old=', direction="outgoing"', new=""),
        Mistake(name="rounded_down", old='-(-call["duration"] // 60)', new='call["duration"] // 60'),
        Mistake(name="one_more_each", old='-(-call["duration"] // 60)', new='call["duration"] // 60 + 1'),
        Mistake(name="first_page", old="all_pages(apis.phone.show_call_log, ", new="apis.phone.show_call_log("),
    ),
)


# Make the payments on a todo list in the order of their due dates, down to a balance.


def _make_due(draw: Draw) -> Values | None:
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


def _solve_due(state: State, me: Person, values: Values) -> Json:
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
    make=_make_due,
    solve=_solve_due,
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

FAMILIES = (fill_tape_side, over_budget_categories, phone_plan_charge, pay_tasks_in_turn)
