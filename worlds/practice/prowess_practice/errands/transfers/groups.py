"""Errands on groups of rows: by genre, by month, by folder; something for each group, or for some of the groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers import albums, files, money, notes, phone, songs, tasks
from prowess_practice.errands.transfers.match import sink_code
from prowess_practice.errands.transfers.parts import (
    WIDTH,
    DrawingPlan,
    RowPool,
    RowSink,
    Slot,
    calling,
    capital,
    described,
    drawing,
    entering,
    filtered,
    one_of,
    plural,
    program,
)
from prowess_practice.errands.transfers.sinks import DUE, NEW_FILE, TITLE

LEAST = one_of("least", 2, 3, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """What rows can be told apart by."""

    pool: RowPool
    key: str
    """On `ROW`."""
    called: str
    many: str = ""
    form: str = ""
    """How it is written, as a sentence, where that must be said."""
    prelude: str = ""
    """Lines for what the key looks up."""
    values: tuple[GroupValue, ...] = ()
    """What can be told of each group besides the number of its rows."""
    best: tuple[str, str] = ("", "")
    """How the first of a group is called, and what rows are ranked by."""

    @property
    def plural(self) -> str:
        return self.many or plural(self.called)


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupValue:
    """What is told of a group."""

    word: str
    says: str
    """`the sum of their durations in seconds`"""
    code: str
    """On `rows`, with `row` for one of them."""
    show: str = ""
    """How it is written, where not as it is: `:.2f`."""


NUMBER = GroupValue(word="number", says="the number of them", code="len(rows)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What becomes of the groups."""

    word: str
    about: str
    wordings: tuple[str, ...]
    """With MANY for the rows, CALLED and PLURAL for what groups are told apart by, WORTH for what is told of them."""
    code: str
    """Lines on `grouped`, rows by name; with WORTH for the value and SHOWN for how it is written."""
    returns: str = "len(grouped)"
    gives: str = "int"
    app: str = ""
    slots: tuple[Slot, ...] = ()
    asks: bool = False
    matters: tuple[tuple[str, str], ...] = ()
    ranks: bool = False
    """Whether the three greatest values must differ."""


def _reading(group: Grouping, conditions: Sequence[Condition]) -> str:
    pool = group.pool
    before = "".join(dict.fromkeys(one.prelude for one in conditions))
    tests = [one.code.replace("ROW", pool.row) for one in conditions if one.code]
    chosen = filtered("chosen", pool.row, pool.rows, tests) if tests else ""
    return (
        f"{before}{entering(pool.app)}{group.prelude}{pool.reading}{chosen}    grouped: dict = {{}}\n"
        f"    for {pool.row} in {'chosen' if tests else pool.rows}:\n"
        f"        grouped.setdefault({group.key.replace('ROW', pool.row)}, []).append({pool.row})\n"
    )


def _slots(pool: RowPool, conditions: Sequence[Condition], last: Sequence[Slot]) -> dict[str, type]:
    """Kinds by name; none where two have one name."""
    kinds = [(one.slot, one.kind) for one in conditions if one.slot]
    kinds += [(slot.name, slot.kind) for slot in (*pool.slots, *last)]
    return dict(kinds) if len(dict(kinds)) == len(kinds) else {}


def _plan(group: Grouping, conditions: Sequence[Condition], last: tuple[Slot, ...], ranks: str) -> DrawingPlan:
    names = ", ".join(slot.name for slot in group.pool.slots)
    all_names = ", ".join(_slots(group.pool, conditions, ())) if ranks else ""
    rows = f"def rows({names}):\n{entering(group.pool.app)}{group.pool.reading}    return {group.pool.rows}\n"
    ranking = (f"def ranks({all_names}):\n{_reading(group, conditions)}    return {ranks}\n",) if ranks else ()
    scenes = (group.pool.scene,) if group.pool.scene else ()
    return DrawingPlan(
        scenes=scenes, first=group.pool.slots, rows=rows, conditions=tuple(conditions), ranks=ranking, last=last
    )


def tallied(group: Grouping, conditions: Sequence[Condition], value: GroupValue, tally: Tally) -> Errand | None:
    """Something for each group."""
    pool = group.pool
    value = value if "WORTH" in f"{tally.code}{tally.returns}" or "SHOWN" in tally.code else NUMBER
    slots = _slots(pool, conditions, tally.slots)
    worth = value.code.replace("row[", f"{pool.row}[").replace("for row", f"for {pool.row}")
    shown = f"{{{worth}{value.show}}}".replace('"', "'")
    if not slots or (tally.ranks and value == NUMBER):
        return None
    name = "_".join([tally.word, value.word, "by", group.called.replace(" ", "_"), "of", pool.word])
    name = "_".join([name, *(one.word for one in conditions)])
    code, returns = (text.replace("WORTH", worth).replace("SHOWN", shown) for text in (tally.code, tally.returns))
    entry = entering(tally.app) if tally.app and tally.app != pool.app else ""
    body = f"{_reading(group, conditions)}{entry}{code.replace('ROW', pool.row)}    return {returns}\n"
    about = tally.about.replace("CALLED", group.called).replace("PLURAL", group.plural).replace("ROWS", pool.rows)
    source = program(name, slots, tally.gives, described(about), body)
    if any(len(line) > WIDTH for line in source.splitlines()):
        return None
    tests = [one.code.replace("ROW", pool.row) for one in conditions if one.code]
    three = f"len(set(sorted({worth} for rows in grouped.values())[-3:])) == 3"
    ranks = f"[1, 0] if {three} else []" if tally.ranks else ""
    many = " ".join([pool.many, " and ".join(one.says for one in conditions)]).rstrip()
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys(app for app in (pool.app, tally.app) if app)),
        slots=slots,
        source=source,
        wordings=tuple(_filled(text, many, group, value) for text in tally.wordings),
        values=drawing(_plan(group, conditions, tally.slots, ranks)),
        matters=(
            *((test, "True") for test in tests),
            *tally.matters,
            (f"setdefault({group.key.replace('ROW', pool.row)}, ", 'setdefault("", '),
        ),
        asks=tally.asks,
    )


def _filled(text: str, many: str, group: Grouping, value: GroupValue) -> str:
    for old, new in (("MANY", many), ("CALLED", group.called), ("PLURAL", group.plural), ("WORTH", value.says)):
        text = text.replace(old, new)
    return f"{text}{group.form}"


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChoice:
    """Rows that the groups lead to."""

    word: str
    says: str
    """With MANY and CALLED, and BEST for how the first of a group is called."""
    others: tuple[str, ...]
    """Other ways to say which rows are meant, a sentence each, after which they are `them`."""
    code: str
    """Lines that give `found`; with KEY for what rows are ranked by."""
    slots: tuple[Slot, ...] = ()
    matters: tuple[tuple[str, str], ...] = ()
    best: bool = False
    """Whether it needs the first of each group."""
    ranks: bool = False


CHOICES = (
    GroupChoice(
        word="best",
        says="the BEST of each CALLED among the MANY",
        others=(
            "Group the MANY by CALLED and take the BEST one out of each group.",
            "For every CALLED that occurs among the MANY, find the BEST of those with this CALLED.",
            "Among the MANY, each CALLED has one that is the BEST; these are the ones I mean.",
        ),
        code="    found = [max(rows, key=lambda ROW: KEY) for rows in grouped.values()]\n",
        matters=(("max(rows", "min(rows"),),
        best=True,
    ),
    GroupChoice(
        word="frequent",
        says="those of the MANY whose CALLED at least {least} of them have",
        others=(
            "Group the MANY by CALLED and forget about all groups of fewer than {least}. Take all that are left.",
            "Which PLURAL occur {least} times or more among the MANY? Find all of them that have one of these PLURAL.",
            "I am interested in the MANY, but only where {least} or more of them have the same CALLED.",
        ),
        code="    found = [ROW for rows in grouped.values() if len(rows) >= least for ROW in rows]\n",
        slots=(LEAST,),
        matters=((" if len(rows) >= least", ""),),
    ),
    GroupChoice(
        word="lonely",
        says="those of the MANY whose CALLED no other of them has",
        others=(
            "Group the MANY by CALLED. What interests me are the groups of just one.",
            "Some PLURAL occur only once among the MANY. Find all that have one of these PLURAL.",
            "Take the MANY and leave out every one whose CALLED another one has, too.",
        ),
        code="    found = [rows[0] for rows in grouped.values() if len(rows) == 1]\n",
        matters=((" if len(rows) == 1", ""),),
    ),
    GroupChoice(
        word="biggest",
        says="those of the MANY with the CALLED that most of them have",
        others=(
            "Which CALLED is the most frequent among the MANY? Take the ones with this CALLED.",
            "Group the MANY by CALLED and pick the largest group.",
            "One CALLED occurs more often than any other among the MANY. Find all that have it.",
        ),
        code="    found = max(grouped.values(), key=len)\n",
        matters=(("max(grouped", "min(grouped"),),
        ranks=True,
    ),
)


def chosen(group: Grouping, conditions: Sequence[Condition], choice: GroupChoice, sink: RowSink) -> Errand | None:
    """Something done to the rows that the groups lead to."""
    pool, (best, key) = group.pool, group.best
    last = (*choice.slots, *sink.slots)
    slots = _slots(pool, conditions, last)
    bars = {pool.word, group.called, choice.word, f"{choice.word}_{group.called}"}
    if not slots or (choice.best and not key) or {*sink.bars} & bars or sink.needs:
        return None
    name = "_".join([sink.word, choice.word, "by", group.called.replace(" ", "_"), "of", pool.word])
    name = "_".join([name, *(one.word for one in conditions)])
    code = choice.code.replace("KEY", key).replace("ROW", pool.row)
    body = f"{_reading(group, conditions)}{code}{sink_code(sink, pool.row, [pool.app])}"
    many = " ".join([pool.many, " and ".join(one.says for one in conditions)]).rstrip()

    def said(text: str, rows: str) -> str:
        for old, new in (("MANY", rows), ("CALLED", group.called), ("PLURAL", group.plural), ("BEST", best)):
            text = text.replace(old, new)
        return text

    whole, short = said(choice.says, many), pool.word.replace("_", " ")
    about = described(*sink.telling(said(choice.says, short), f"some {short} by {group.called}"))
    source = program(name, slots, sink.gives, about, body)
    if any(len(line) > WIDTH for line in source.splitlines()):
        return None
    texts = [f"{said(text, many)} Then {sink.saying('them')}." for text in choice.others]
    tests = [one.code.replace("ROW", pool.row) for one in conditions if one.code]
    ranks = "sorted(map(len, grouped.values()), reverse=True)" if choice.ranks else ""
    if choice.best:
        worths = f"{{{key.replace('ROW', 'each')} for each in rows}}"
        ranks = f"[1, 0] if all(len({worths}) == len(rows) for rows in grouped.values()) else []"
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys(app for app in (pool.app, sink.app) if app)),
        slots=slots,
        source=source,
        wordings=(f"{capital(sink.asking(whole))}?" if sink.asks else f"{capital(sink.saying(whole))}.", *texts),
        values=drawing(_plan(group, conditions, last, ranks)),
        matters=(*((test, "True") for test in tests), *choice.matters),
        asks=sink.asks,
    )


def woven_groups(
    groupings: Sequence[Grouping], tallies: Sequence[Tally], sinks: Sequence[RowSink], *, each: int = 2
) -> Iterator[Errand]:
    """For every grouping some tallies and some choices, in turn."""
    turning, sinking = cycle(tallies), cycle(sinks)
    for place, group in enumerate(groupings):
        free: list[tuple[Condition, ...]] = [
            (),
            *((one,) for one in group.pool.conditions if group.key not in one.code),
        ]
        for n in range(each):
            value = (*group.values, NUMBER)[(place + n) % (len(group.values) + 1)]
            for _ in range(len(tallies)):
                if errand := tallied(group, free[(place + n) % len(free)], value, next(turning)):
                    yield errand
                    break
        for n, choice in enumerate(CHOICES):
            for _ in range(len(sinks)):
                sink = next(sinking)
                if not sink.asks and (errand := chosen(group, free[(place + n + 1) % len(free)], choice, sink)):
                    yield errand
                    break


_LINES = '    lines = sorted(f"{name}: SHOWN" for name, rows in grouped.items())\n'
TALLIES = (
    Tally(
        word="note",
        about="write a note with a line for each CALLED of the ROWS; return how many",
        wordings=(
            'Write a new note titled "{title}" with one line for each CALLED among the MANY, of the form "NAME:'
            ' VALUE" (the CALLED and WORTH), the lines sorted from A to Z.',
            "Group the MANY by CALLED. For each CALLED I want a line made of the CALLED, a colon, a space and WORTH."
            ' Put the lines, sorted from A to Z, into a new note with the title "{title}".',
            'My new note "{title}" should tell me about the MANY by CALLED: every line has one CALLED, then ": ",'
            " then WORTH. Please write it, with the lines in alphabetical order.",
        ),
        code=_LINES + calling("notes.create_note", 'title=title, content="\\n".join(lines)', indent=4),
        app="notes",
        slots=(TITLE,),
    ),
    Tally(
        word="frequent",
        about="return the PLURAL that at least so many of the ROWS have",
        wordings=(
            "Which PLURAL do at least {least} of the MANY have? Answer with a list.",
            "Group the MANY by CALLED and answer with a list of those PLURAL that have {least} or more of them.",
            "Give me a list of the PLURAL that occur {least} times or more among the MANY.",
            "Count the MANY by CALLED. I want every CALLED whose count is not below {least}, as a list.",
        ),
        code="",
        returns="sorted(name for name, rows in grouped.items() if len(rows) >= least)",
        gives="list",
        slots=(LEAST,),
        asks=True,
        matters=((" if len(rows) >= least", ""),),
    ),
    Tally(
        word="tasks",
        about="create a task for each CALLED of at least so many ROWS; return how many",
        wordings=(
            "For each CALLED that at least {least} of the MANY have, create a task in my todo app, due on {due}, with"
            ' a title of the form "NAME: VALUE", that is the CALLED and WORTH.',
            "Group the MANY by CALLED. Every group of {least} or more gets a task in the todo app, due on {due},"
            " whose title is the CALLED, a colon, a space and WORTH. Smaller groups get none.",
            "Please put a task into my todo app for every CALLED with {least} or more of the MANY. Its title consists"
            ' of the CALLED, then ": ", then WORTH; it is due on {due}.',
        ),
        code=(
            "    large = {name: rows for name, rows in grouped.items() if len(rows) >= least}\n"
            "    for name, rows in large.items():\n"
            '        apis.todo.create_task(access_token=todo_token, title=f"{name}: SHOWN", due_date=due)\n'
        ),
        returns="len(large)",
        app="todo",
        slots=(LEAST, DUE),
        matters=((" if len(rows) >= least", ""),),
    ),
    Tally(
        word="second",
        about="return the CALLED that comes second among the ROWS",
        wordings=(
            "Group the MANY by CALLED and rank the groups by WORTH, the greatest first. Which CALLED comes second?",
            "Going by WORTH, which CALLED is in the second place (not the first) among the MANY?",
            "I know which CALLED leads among the MANY if one looks for each CALLED at WORTH. Which one has the second"
            " greatest number? Answer with the CALLED.",
        ),
        code=(
            "    worths = {name: WORTH for name, rows in grouped.items()}\n"
            "    ranked = sorted(worths, key=lambda name: worths[name], reverse=True)\n"
        ),
        returns="ranked[1]",
        gives="str",
        asks=True,
        ranks=True,
    ),
    Tally(
        word="file",
        about="write a file with a line for each CALLED of the ROWS; return how many",
        wordings=(
            'Create the file "{path}" with one line of the form "NAME: VALUE" for each CALLED among the MANY, sorted'
            " from A to Z. NAME is the CALLED and VALUE is WORTH.",
            'I want an overview of the MANY by CALLED in a new file "{path}": on each line one CALLED, a colon, a'
            " space and WORTH, in alphabetical order of the lines.",
            'Group the MANY by CALLED, make a line of each group (the CALLED, then ": ", then WORTH), sort the lines'
            ' from A to Z and save them as "{path}".',
        ),
        code=_LINES + calling("files.create_file", 'file_path=path, content="\\n".join(lines)', indent=4),
        app="files",
        slots=(NEW_FILE,),
    ),
    Tally(
        word="spread",
        about="return how far the greatest CALLED of the ROWS is above the least",
        wordings=(
            "Group the MANY by CALLED and work out WORTH for each group. What is the difference between the greatest"
            " and the least of these numbers?",
            "For each CALLED among the MANY there is a number: WORTH. Tell me how far the largest of these numbers is"
            " above the smallest.",
            "Take the MANY, apart by CALLED. By how much does the CALLED with the most exceed the one with the least,"
            " if one goes by WORTH? Answer with the number.",
        ),
        code="    worths = [WORTH for rows in grouped.values()]\n",
        returns="round(max(worths) - min(worths), 2)",
        gives="float",
        asks=True,
    ),
)
PLAYLISTS = Tally(
    word="playlists",
    about="make a playlist of each CALLED of at least so many ROWS; return how many",
    wordings=(
        "For each CALLED that at least {least} of the MANY have, make a new playlist of these songs whose title is"
        ' the CALLED followed by " {suffix}".',
        "Group the MANY by CALLED. Turn every group of {least} or more into a new playlist titled with the CALLED and"
        ' " {suffix}" behind it; ignore the smaller groups.',
        'I want a playlist per CALLED out of the MANY, titled like the CALLED plus " {suffix}", but only where there'
        " are {least} songs or more.",
    ),
    code=(
        "    large = {name: rows for name, rows in grouped.items() if len(rows) >= least}\n"
        "    for name, rows in large.items():\n"
        '        playlist = apis.music.create_playlist(access_token=music_token, title=f"{name} {suffix}")\n'
        "        for ROW in rows:\n"
        "            apis.music.add_song_to_playlist(\n"
        '                access_token=music_token, playlist_id=playlist["playlist_id"], song_id=ROW["song_id"]\n'
        "            )\n"
    ),
    returns="len(large)",
    slots=(LEAST, one_of("suffix", "mix", "hits", "only", "corner", "collection")),
    matters=((" if len(rows) >= least", ""),),
)
FOLDERS = Tally(
    word="folders",
    about="move ROWS into a folder for each CALLED of at least so many; return how many",
    wordings=(
        'For each CALLED that at least {least} of the MANY have, make a folder "{folder}/" plus the CALLED and move'
        " these files there, names kept.",
        "Group the MANY by CALLED. Each group of {least} files or more is to be moved, names kept, into a new folder"
        ' of its own inside "{folder}", called like the CALLED. The rest stays where it is.',
        'Please sort the MANY into new folders below "{folder}": one per CALLED, named exactly so, but only for'
        " PLURAL with {least} files or more. The files keep their names.",
    ),
    code=(
        "    large = {name: rows for name, rows in grouped.items() if len(rows) >= least}\n"
        "    for name, rows in large.items():\n"
        '        apis.files.create_directory(access_token=files_token, directory_path=f"{folder}/{name}")\n'
        "        for ROW in rows:\n"
        "            target = f\"{folder}/{name}/{ROW['path'].split('/')[-1]}\"\n"
        '            apis.files.move_file(access_token=files_token, file_path=ROW["path"], destination_path=target)\n'
    ),
    returns="len(large)",
    slots=(LEAST, one_of("folder", "~/sorted", "~/tidy", "~/by-kind", "~/documents/sorted")),
    matters=((" if len(rows) >= least", ""),),
)


_LASTING = GroupValue(
    word="length", says="the sum of their durations in seconds", code='sum(row["duration"] for row in rows)'
)
_HEARD = GroupValue(word="plays", says="the sum of their play counts", code='sum(row["play_count"] for row in rows)')
_MINE = GroupValue(
    word="my_plays", says="how often I played them in all", code='sum(row["my_play_count"] for row in rows)'
)
_CENTS = GroupValue(
    word="amount",
    says="the sum of their amounts with two decimals",
    code='round(sum(row["amount"] for row in rows), 2)',
    show=":.2f",
)
_BYTES = GroupValue(word="size", says="the sum of their sizes in bytes", code='sum(row["size"] for row in rows)')
_TALK = GroupValue(
    word="seconds", says="the sum of their durations in seconds", code='sum(row["duration"] for row in rows)'
)
_STARS = GroupValue(word="stars", says="the sum of their stars", code='sum(row["rating"] for row in rows)')
_LONGEST = ("longest", 'ROW["duration"]')
_MONTHS = " Write months as YYYY-MM."
_YEAR = 'ROW["release_date"][:4]'

SONGS = (
    Grouping(pool=songs.LIBRARY, key='ROW["genre"]', called="genre", values=(_LASTING,), best=_LONGEST),
    Grouping(
        pool=songs.HISTORY,
        key='ROW["artist_name"]',
        called="artist",
        values=(_MINE,),
        best=_LONGEST,
    ),
    Grouping(pool=songs.LIKES, key=_YEAR, called="release year", values=(_HEARD,), best=_LONGEST),
    Grouping(pool=songs.ADVICE, key='ROW["artist_name"]', called="artist", values=(_LASTING,), best=_LONGEST),
    Grouping(pool=songs.HISTORY, key='ROW["genre"]', called="genre", values=(_MINE, _LASTING), best=_LONGEST),
    Grouping(
        pool=songs.CATALOGUE,
        key='ROW["artist_name"]',
        called="artist",
        values=(_HEARD,),
        best=("most played", 'ROW["play_count"]'),
    ),
    Grouping(pool=songs.LIKES, key='ROW["artist_name"]', called="artist", values=(_LASTING,), best=_LONGEST),
    Grouping(
        pool=songs.LIBRARY,
        key=_YEAR,
        called="release year",
        values=(_LASTING,),
        best=("most played", 'ROW["play_count"]'),
    ),
)
ALBUMS = (
    Grouping(pool=albums.KEPT, key='ROW["genre"]', called="genre"),
    Grouping(
        pool=albums.KEPT,
        key='ROW["release_date"][:3] + "0s"',
        called="decade",
        form=' Write decades like "2010s".',
        best=("newest", 'ROW["release_date"]'),
    ),
)
_PROJECT = (
    "    projects = all_pages(apis.todo.list_projects, access_token=todo_token)\n"
    "    projects += all_pages(apis.todo.list_projects, access_token=todo_token, archived=True)\n"
    '    names = {project["project_id"]: project["name"] for project in projects}\n'
)
_NEWEST = ("most recently created", 'ROW["created_at"]')
TASKS = (
    Grouping(pool=tasks.OPEN, key='names[ROW["project_id"]]', called="project", prelude=_PROJECT, best=_NEWEST),
    Grouping(
        pool=tasks.TASKS,
        key='ROW["created_at"][:7]',
        called="month of creation",
        many="months of creation",
        form=_MONTHS,
        best=_NEWEST,
    ),
    Grouping(pool=tasks.DONE, key='names[ROW["project_id"]]', called="project", prelude=_PROJECT, best=_NEWEST),
    Grouping(
        pool=tasks.OPEN,
        key="f\"priority {ROW['priority']}\"",
        called="priority",
        many="priorities",
        form=' Call the priorities "priority 1" and so on.',
        best=_NEWEST,
    ),
)
NOTES = (
    Grouping(
        pool=notes.NOTES,
        key='ROW["created_at"][:4]',
        called="year of creation",
        many="years of creation",
        best=("most recently changed", 'ROW["updated_at"]'),
    ),
    Grouping(
        pool=notes.EVERY,
        key='ROW["updated_at"][:7]',
        called="month of the last change",
        many="months of the last change",
        form=_MONTHS,
        best=_NEWEST,
    ),
)
_ENDING = 'ROW["path"].split(".")[-1]'
FILES = (
    Grouping(
        pool=files.FILES,
        key=_ENDING,
        called="ending",
        form=" The ending is what follows the last dot of the name.",
        values=(_BYTES,),
        best=("largest", 'ROW["size"]'),
    ),
    Grouping(pool=files.FILES, key='ROW["path"].split("/")[-2]', called="folder name", values=(_BYTES,), best=_NEWEST),
)
_MONTH = 'ROW["created_at"][:7]'
_BIG = ("largest", 'ROW["amount"]')
_LATE = ("latest", 'ROW["created_at"]')
PAYMENTS = (
    Grouping(pool=money.SENT, key='ROW["receiver"]["name"]', called="receiver", values=(_CENTS,), best=_LATE),
    Grouping(pool=money.RECEIVED, key='ROW["sender"]["name"]', called="sender", values=(_CENTS,), best=_BIG),
    Grouping(pool=money.PAYMENTS, key='ROW["note"]', called="note", values=(_CENTS,), best=_LATE),
    Grouping(pool=money.SENT, key=_MONTH, called="month", form=_MONTHS, values=(_CENTS,), best=_BIG),
)
_GROUP = (
    "    groups = all_pages(apis.splits.show_groups, access_token=splits_token)\n"
    '    names = {one["group_id"]: one["name"] for one in groups}\n'
)
_SHARED = RowPool(
    app="splits",
    word="group_expenses",
    row="expense",
    one="expense of mine inside a group on splits",
    many="expenses of mine inside groups on splits",
    reading=(
        "    every = all_pages(apis.splits.show_expenses, access_token=splits_token)\n"
        '    expenses = [expense for expense in every if expense["group_id"]]\n'
    ),
    name="description",
    conditions=money.EXPENSES.conditions,
)
EXPENSES = (
    Grouping(pool=_SHARED, key='names[ROW["group_id"]]', called="group", prelude=_GROUP, values=(_CENTS,), best=_LATE),
    Grouping(pool=money.EXPENSES, key='ROW["paid_by"]["name"]', called="payer", values=(_CENTS,), best=_BIG),
    Grouping(pool=money.EXPENSES, key=_MONTH, called="month", form=_MONTHS, values=(_CENTS,), best=_BIG),
    Grouping(pool=money.IN_GROUP, key='ROW["paid_by"]["name"]', called="payer", values=(_CENTS,), best=_LATE),
)
_SENT = ("latest", 'ROW["sent_at"]')
TEXTS = (
    Grouping(pool=phone.TEXTS, key='ROW["sender"]["name"]', called="sender", best=_SENT),
    Grouping(pool=phone.TEXTS, key='ROW["sent_at"][:7]', called="month", form=_MONTHS, best=_SENT),
)
CALLS = (
    Grouping(
        pool=phone.MADE,
        key='ROW["callee"]["name"]',
        called="called person",
        many="called people",
        values=(_TALK,),
        best=_LONGEST,
    ),
    Grouping(pool=phone.MISSED, key='ROW["caller"]["name"]', called="caller"),
)
REVIEWS = (
    Grouping(
        pool=albums.REVIEWS,
        key='ROW["created_at"][:4]',
        called="year",
        values=(_STARS,),
        best=("latest", 'ROW["created_at"]'),
    ),
)
_CARDS = (
    "    cards = apis.wallet.show_cards(access_token=wallet_token)\n"
    '    names = {card["card_id"]: card["name"] for card in cards}\n'
)
TRANSFERS = (
    Grouping(
        pool=RowPool(
            app="wallet",
            word="card_transfers",
            row="transfer",
            one="transfer between a card of mine and the wallet",
            many="transfers between my cards and the wallet",
            reading="    transfers = all_pages(apis.wallet.show_card_transfers, access_token=wallet_token)\n",
        ),
        key='names[ROW["card_id"]]',
        called="card",
        prelude=_CARDS,
        values=(_CENTS,),
    ),
)
