"""Train families of sums, counts and averages by group: days by project, payments by member, files by folder."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta

from prowess.types import Json
from prowess_desk.apps.files import Directory, File, make_directory
from prowess_desk.apps.music import SavedSong, Song
from prowess_desk.apps.notes import write_note
from prowess_desk.apps.phone import send_text
from prowess_desk.apps.splits import Expense, delete_expense
from prowess_desk.apps.todo import COLORS, Project, TodoTask, remove_task
from prowess_desk.data.music import GENRES
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families import papers
from prowess_desk.families.scene import ago
from prowess_desk.families.toolbox import all_pages, apis, login

_TURNS = "It is your turn to pay next time!|Could you get the next bill?|Next round is on you.|You pay next, all right?"
_ROOTS = "~/documents/clubs|~/documents/courses|~/photos/albums|~/downloads/kits|~/backups/drives|~/documents/clients"
_FOLDERS = "amber|birch|cobalt|dune|ember|fjord|garnet|heron|indigo|juniper|kelp|lotus".split("|")
_COUNTS = "File census|Folder count|Stocktaking|What lies where|Number of files|Shelf count|Tidy-up figures"

# Color the project in which tasks took the longest on average.


def _make_slowest(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    slow, large, few, late = chosen = papers.projects_of(draw, 4)
    for row in state[TodoTask].of(draw.me.id):
        if row.project_id in {project.id for project in chosen}:
            remove_task(state, row.id)
    least, days, chores = rng.randint(2, 4), rng.randint(25, 60), iter(rng.sample(papers.CHORES, 32))
    since = state.now.date() - timedelta(days=days)

    def took(project: Project, length: int, part: float, count: int) -> None:
        for _ in range(count):
            papers.planned(draw, project, next(chores), days=days * part + length, done=ago(draw, days * part))

    took(slow, rng.randint(64, 80), rng.uniform(0.1, 0.9), least - 1)
    papers.planned(draw, slow, next(chores), days=days + 70, done=datetime.combine(since, time(9, 15)))  # just in time
    took(slow, 5, 5, 5)  # on the first page, and too old
    took(large, rng.randint(30, 32), rng.uniform(0.1, 0.9), 3 * least)  # more days in all
    took(few, rng.randint(100, 120), rng.uniform(0.1, 0.9), least - 1)
    took(late, rng.randint(150, 200), 1.2, least)
    papers.planned(draw, late, next(chores), days=400)  # still open
    color, old = rng.sample(COLORS, 2)
    state[Project].change(slow.id, archived=True, color=old)
    return {"least": least, "since": since.isoformat(), "color": color}


def _solve_slowest(state: State, me: Person, values: Values) -> Json:
    found = []
    for project in state[Project].of(me.id):
        tasks = [task for task in state[TodoTask].of(me.id) if task.project_id == project.id]
        ends = [(task.created_at, task.completed_at) for task in tasks if task.completed_at is not None]
        days = [(end.date() - start.date()).days for start, end in ends if f"{end:%Y-%m-%d}" >= values["since"]]
        if len(days) >= values["least"]:
            found.append((sum(days) / len(days), project.id))
    return state[Project].change(max(found)[1], color=values["color"]).name


def color_slowest(color: str, since: str, least: int) -> str:
    """Color the project whose tasks done since a day took most days on average, if they are enough; return its name."""
    token = login(app="todo")
    projects = all_pages(apis.todo.list_projects, access_token=token)
    projects += all_pages(apis.todo.list_projects, access_token=token, archived=True)
    averages = {}
    for project in projects:
        tasks = all_pages(apis.todo.list_tasks, access_token=token, project_id=project["project_id"], done=True)
        days = []
        for task in tasks:
            created, completed = task["created_at"][:10], task["completed_at"][:10]
            if completed >= since:
                days.append((date.fromisoformat(completed) - date.fromisoformat(created)).days)
        if len(days) >= least:
            averages[project["project_id"]] = sum(days) / len(days)
    slowest = max(averages, key=lambda project_id: averages[project_id])
    apis.todo.update_project(access_token=token, project_id=slowest, color=color)
    return next(project["name"] for project in projects if project["project_id"] == slowest)


project_that_drags = Family(
    name="project_that_drags",
    split="train",
    difficulty=3,
    apps=("todo",),
    slots={"color": str, "since": str, "least": int},
    wordings=(
        "Make the todo project {color} in which tasks took the longest on average, in days from when they were created"
        " to when they were done, and tell me its name. Only tasks done on {since} or later count, and only projects,"
        " archived ones included, with at least {least} of those.",
        "Where do things drag on? For every project in my todo app, also in the archive, work out the mean number of"
        " days between creation and completion of the tasks completed since {since} (that day included). Skip projects"
        " with fewer than {least} such tasks. Which is the slowest? Set its color to {color}.",
        "Of my todo projects, archived ones too, with {least} or more tasks I ticked off since {since} (inclusive),"
        " which has the highest average age in days of those tasks when I ticked them off? Color it {color}.",
        "On {since} and later, which of my todo projects, archived or not, took the most days on average from creating"
        " a task to finishing it, with no fewer than {least} tasks finished? Tell me its name and make it {color}.",
        "My color for slow projects is {color}. Give it to the todo project, archived or not, whose tasks done on or"
        " after {since} took the most days on average since they were created. Under {least} such tasks, a project is"
        " out. What is its name?",
    ),
    make=_make_slowest,
    solve=_solve_slowest,
    program=Program(
        functions=(color_slowest,), call="color_slowest(color={color!r}, since={since!r}, least={least!r})"
    ),
    asks=True,
    mistakes=(
        Mistake(name="archive_forgotten", old="access_token=token, archived=True", new="access_token=token"),
        Mistake(name="after_that_day", old="if completed >= since:", new="if completed > since:"),
        Mistake(name="few_will_do", old="if len(days) >= least:", new="if days:"),
        Mistake(name="days_in_all", old="sum(days) / len(days)", new="sum(days)"),
        Mistake(name="first_page", old="for task in tasks:", new="for task in tasks[:5]:"),
    ),
)


# Text the member of a group who has paid the least.


def _make_turn(draw: Draw) -> Values | None:
    rng, state, me, pair = draw.rng, draw.state, draw.me, papers.twin_groups(draw, least=5)
    if pair is None:
        return None
    group, days = pair[0], rng.randint(20, 70)
    since = state.now.date() - timedelta(days=days)
    for row in state[Expense].of(("group", group.id)):
        if row.created_at.date() >= since:
            delete_expense(state, row.id)
    one, two, *rest = papers.others_in(draw, group)
    first, second = sorted((one, two), key=lambda person: person.name)
    if first.id < second.id or first.id in pair[1].member_ids:
        return None
    bills = [(person, 900, days * n / 12) for n, person in enumerate((*rest, me, *rest, me))]
    for payer, cents, when in (*bills, (first, 90_000, days + 1)):  # the last too early
        shares = {id: rng.randint(cents, 2 * cents) for id in group.member_ids}
        papers.spent(draw, rng.choice(("Firewood", "Ferry", "Fondue", "Sushi")), payer, shares, group=group, days=when)
    papers.spent(draw, "Taxi", first, {me.id: 4_000}, days=days / 2)  # outside the group
    message = rng.choice(_TURNS.split("|"))
    return {"group": group.name, "since": since.isoformat(), "message": message, "other_group": pair[1].name}


def _solve_turn(state: State, me: Person, values: Values) -> Json:
    group, since = papers.group_called(state, me, values["group"]), date.fromisoformat(values["since"])
    people = sorted((state[Person][id] for id in group.member_ids if id != me.id), key=lambda person: person.name)
    rows = [row for row in state[Expense].of(("group", group.id)) if row.created_at.date() >= since]
    sums = [sum(row.cents for row in rows if row.payer == person.id) for person in people]
    send_text(state, me.id, people[sums.index(min(sums))].id, values["message"])


def nudge_payer(group: str, since: str, message: str) -> str:
    """Text the other member who has paid least for a group since a day, ties by name, and return the name."""
    token = login(app="splits")
    groups = all_pages(apis.splits.show_groups, access_token=token, query=group)
    found = next(each for each in groups if each["name"] == group)
    paid = {member["email"]: 0 for member in found["members"]}
    group_id = found["group_id"]
    for expense in all_pages(apis.splits.show_expenses, access_token=token, group_id=group_id, from_date=since):
        paid[expense["paid_by"]["email"]] += round(expense["amount"] * 100)
    me = apis.supervisor.show_profile()["email"]
    others = [member for member in found["members"] if member["email"] != me]
    least = min(others, key=lambda member: (paid[member["email"]], member["name"]))
    token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=token, query=least["email"])
    number = next(contact["phone_number"] for contact in contacts if contact["email"] == least["email"])
    apis.phone.send_text_message(access_token=token, phone_number=number, text=message)
    return least["name"]


whose_turn_to_pay = Family(
    name="whose_turn_to_pay",
    split="train",
    difficulty=3,
    apps=("splits", "phone"),
    slots={"group": str, "since": str, "message": str},
    wordings=(
        'Add up what each member of my splits group "{group}" has paid for its expenses since {since}, that day'
        ' included, and text "{message}" to the one who has paid the least, not counting me. Who paid nothing has a'
        " sum of zero; if sums are equal, the name that comes first in the alphabet counts.",
        'Whose turn is it in "{group}"? Find the other member of that splits group with the lowest total of group'
        ' expenses paid from {since} on (0 is the lowest; ties by name from A to Z) and text them: "{message}"',
        'Send a text saying "{message}" to one person: the other member of "{group}" on splits who put in the least'
        " money as payer of group expenses dated {since} or later, perhaps none. Of several, take the first by name.",
        'It is not fair how we pay in my splits group "{group}". Since {since} (inclusive) somebody besides me has paid'
        ' the smallest sum, maybe 0. That person (of several, the first in the alphabet) gets my text: "{message}"',
        'Text message "{message}", please, for whoever is last when all members of "{group}" but me, payers or not, are'
        " ranked by what they have paid in this splits group on or after {since}; on equal sums, the earlier name.",
    ),
    make=_make_turn,
    solve=_solve_turn,
    program=Program(
        functions=(nudge_payer,), call="nudge_payer(group={group!r}, since={since!r}, message={message!r})"
    ),
    mistakes=(
        Mistake(name="the_older_group", swap={"group": "other_group"}),
        Mistake(name="ever", old=", from_date=since", new=""),
        Mistake(name="payers_only", old='(paid[member["email"]],', new='(paid[member["email"]] or 10**9,'),
        Mistake(name="ties_as_listed", old='(paid[member["email"]], member["name"])', new='paid[member["email"]]'),
        Mistake(name="who_paid_most", old="least = min(", new="least = max("),
    ),
)


# Count the files of a kind folder by folder.


def _make_counts(draw: Draw) -> Values | None:
    rng, root = draw.rng, draw.rng.choice(_ROOTS.split("|"))
    kind, other = rng.sample(("txt", "md", "csv", "pdf", "jpg", "log"), 2)
    names = rng.sample(_FOLDERS, 5)
    names.append(f"{names[0]}-old")  # begins like another
    for name, count in zip(names, rng.sample((0, 2, 2, 3, 5, rng.randint(6, 8)), 6), strict=True):
        make_directory(draw.state, draw.me.id, papers.at_home(draw.me, f"{root}/{name}/parts/more"))
        for n in range(count):
            papers.filed(draw, f"{root}/{name}/{('parts/more/', 'parts/', '')[n % 3]}{n + 1}-{name}.{kind}", name)
        papers.filed(draw, f"{root}/{name}/parts/{name}.{other}", "Not of that kind.")
        papers.filed(draw, f"{root}/{name}/{name}.{kind}.{other}", "Nor is this.")
    papers.filed(draw, f"{root}/contents.{kind}", "In none of the folders.")
    return {"folder": root, "extension": kind, "title": rng.choice(_COUNTS.split("|")), "other_extension": other}


def _solve_counts(state: State, me: Person, values: Values) -> Json:
    root, end = papers.at_home(me, values["folder"]) + "/", "." + values["extension"]
    names = [row.path.removeprefix(root) for row in state[Directory].of(me.id) if row.path.startswith(root)]
    paths = [row.path.removeprefix(root) for row in state[File].of(me.id) if row.path.startswith(root)]
    first = [path.split("/")[0] for path in paths if "/" in path and path[-len(end) :] == end]
    order = sorted((-first.count(name), name) for name in names if "/" not in name)
    text = "\n".join(f"{name}: {-count}" for count, name in [*order, (-len(first), "total")])
    write_note(state, me.id, values["title"], text)


def note_census(folder: str, extension: str, title: str) -> dict:
    """Write a note with how many files of a kind each folder in a folder holds, most first; return the counts."""
    token = login(app="files")
    counts = {}
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["directories"]:
        inside = apis.files.show_directory(access_token=token, directory_path=path, recursive=True)
        counts[path.split("/")[-1]] = sum(file.endswith(f".{extension}") for file in inside["files"])
    ranked = sorted(counts, key=lambda name: (-counts[name], name))
    lines = [f"{name}: {counts[name]}" for name in ranked] + [f"total: {sum(counts.values())}"]
    apis.notes.create_note(access_token=login(app="notes"), title=title, content="\n".join(lines))
    return counts


files_per_folder = Family(
    name="files_per_folder",
    split="train",
    difficulty=2,
    apps=("files", "notes"),
    slots={"folder": str, "extension": str, "title": str},
    wordings=(
        "Count the .{extension} files in each folder right in {folder}, at any depth, and make a note titled"
        ' "{title}" of it: lines like amber: 4, most first, equal numbers by name, zeros too, and a last line total:'
        " with the sum.",
        "How are my .{extension} files spread over the folders directly in {folder}? Write a new note titled"
        ' "{title}" with a line per folder (name, colon, space, number at any depth, zeros too), from the highest'
        " number to the lowest and alphabetically within the same, and at the end total, colon, space, sum.",
        'Put together a note called "{title}": for every direct subfolder of {folder} its name and the number of files'
        " ending in .{extension} in it and all below it, in the form dune: 3, sorted by number, large ones on top,"
        " then by name. Include empty ones, and close with a line such as total: 17.",
        "I want figures on {folder}. How many .{extension} files are in each of the folders in it, at all levels? Loose"
        ' files beside the folders do not count. Note that down under the title "{title}", a line of folder, colon,'
        " space, number each, in falling order (ties A to Z, 0 included), followed by total: and all of them added.",
        'Note "{title}", please: a line name: count for each folder on the first level of {folder}, count being all the'
        " .{extension} files inside, at any depth and maybe 0. Large ones first, equal ones by name, and below them a"
        " line total: with the sum.",
    ),
    make=_make_counts,
    solve=_solve_counts,
    program=Program(
        functions=(note_census,), call="note_census(folder={folder!r}, extension={extension!r}, title={title!r})"
    ),
    mistakes=(
        Mistake(name="another_kind", swap={"extension": "other_extension"}),
        Mistake(name="every_kind", old='file.endswith(f".{extension}")', new="1"),
        Mistake(name="first_level_only", old=", recursive=True", new=""),
        Mistake(name="by_name_alone", old="(-counts[name], name)", new="name"),
        Mistake(name="empty_ones_left_out", old="for name in ranked]", new="for name in ranked if counts[name]]"),
    ),
)


# How much of the library is of a genre?


def _share(songs: list[Song], genre: str) -> float:
    return 100 * sum(song.seconds for song in songs if song.genre == genre) / sum(song.seconds for song in songs)


def _make_share(draw: Draw) -> Values | None:
    state, me, (genre, other) = draw.state, draw.me.id, draw.rng.sample(GENRES, 2)
    rows = sorted(state[SavedSong].of(me), key=lambda row: (row.added_at, row.id), reverse=True)
    songs = [state[Song][row.song] for row in rows]
    share, count = _share(songs, genre), sum(song.genre == genre for song in songs)
    wrong = (_share(songs[:5], genre), _share(songs, other), 100 * count / len(songs))
    if share < 1 or not 0.52 < share % 1 < 0.98 or round(share) in map(round, wrong):
        return None
    return {"genre": genre, "other_genre": other}


def _solve_share(state: State, me: Person, values: Values) -> Json:
    return int(_share([state[Song][row.song] for row in state[SavedSong].of(me.id)], values["genre"]) + 0.5)


def genre_share_of_library(genre: str) -> int:
    """Return how many per cent of the playing time of the song library a genre takes, as a whole number."""
    songs = all_pages(apis.music.show_song_library, access_token=login(app="music"))
    total = sum(song["duration"] for song in songs)
    part = sum(song["duration"] for song in songs if song["genre"] == genre)
    return round(100 * part / total)


genre_share = Family(
    name="genre_share",
    split="train",
    difficulty=1,
    apps=("music",),
    slots={"genre": str},
    wordings=(
        "How many per cent of the playing time of my song library on music is {genre}? Round to a whole number.",
        "Add up the lengths of all songs in my library on music. What share, rounded to whole per cent, is {genre}?",
        "If I played every song in my music library once, how many per cent of the time, rounded, would be {genre}?",
        "Tell me the part that {genre} has in my saved songs on music, by duration and not by number of songs, as a"
        " percentage without decimals (rounded).",
        "I claim to be a {genre} fan. Add up the seconds of the {genre} songs in my song library on music, compare that"
        " with the seconds of the whole library and give me the per cent, rounded to the nearest whole one.",
    ),
    make=_make_share,
    solve=_solve_share,
    program=Program(functions=(genre_share_of_library,), call="genre_share_of_library(genre={genre!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_genre", swap={"genre": "other_genre"}),
        Mistake(name="songs_counted", old='song["duration"] for', new="1 for"),
        Mistake(name="cut_off", old="round(100 * part / total)", new="100 * part // total"),
        Mistake(name="first_page", old="for song in songs", new="for song in songs[:5]"),
    ),
)

FAMILIES = (project_that_drags, whose_turn_to_pay, files_per_folder, genre_share)
