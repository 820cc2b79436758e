"""Errands in which something is measured on each thing that a text names, and what can be measured in every app."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.direct_calls import function_of, played
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Edit, NamedThings, dealt, fitting, nth, placed, sentences, type_of
from prowess_practice.errands.lines.marks import MARKS, PAIRINGS, Mark
from prowess_practice.errands.lines.places import PLACES, TextPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """What is measured, and how a program finds it."""

    word: str
    apps: tuple[str, ...]
    a: str = ""
    key: str = ""
    value: str = ""
    """What a line holds, or what its two parts are: see `Act`."""
    ones: str
    adds: str = ""
    """What adds up, in the plural, OF standing for the things: `durations of OF`; empty where a sum makes no sense."""
    most: str = ""
    least: str = ""
    """Which one has the greatest or least: `is the longest`."""
    over: str = ""
    """Which ones have more than the bound: `are longer than {limit} seconds`."""
    code: str
    """Gives `values`, a dict from each name."""
    pool: Callable[[Draw], NamedThings | None]
    money: bool = False
    ways: int = 3
    """In how many ways it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """What is made of the values."""

    word: str
    part: str
    """Which of the gauge's words it needs."""
    says: tuple[str, ...]
    about: str
    code: str
    result: str = "int"
    apps: tuple[str, ...] = ()
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values] = lambda draw: {}
    matters: tuple[Edit, ...] = ()
    apart: bool = True
    """Whether all values must differ, or else it is not clear what is meant."""


def _contact(draw: Draw) -> Values:
    return {"receiver": draw.rng.choice(draw.state[Contact].of(draw.me.id)).name}


REDUCTIONS = (
    Reduction(
        word="sum",
        part="adds",
        says=(
            "What do the ADDS(the ONES named there) add up to? Answer with the number.",
            "Add up the ADDS(all these ONES) and tell me the sum.",
            "I need one number, the sum of the ADDS(the ONES there).",
        ),
        about="Add up the WORD",
        code="    return SUM\n",
        result="SUMTYPE",
        apart=False,
    ),
    Reduction(
        word="top",
        part="most",
        says=(
            "Which of the ONES named there MOST? Answer with the name as it stands there.",
            "Tell me the one of these ONES that MOST, by its name.",
            "One of the ONES there MOST. Which? The name is enough.",
        ),
        about="Find the greatest of the WORD",
        code="    return max(values, key=lambda name: values[name])\n",
        result="str",
        matters=(("return max(", "return min("),),
    ),
    Reduction(
        word="bottom",
        part="least",
        says=(
            "Which one of the ONES there LEAST? Answer with its name as given there.",
            "Name the one of these ONES that LEAST.",
            "I only want the name of the one that LEAST among the ONES there.",
        ),
        about="Find the least of the WORD",
        code="    return min(values, key=lambda name: values[name])\n",
        result="str",
        matters=(("return min(", "return max("),),
    ),
    Reduction(
        word="list_over",
        part="over",
        says=(
            "Which of the ONES named there OVER? Answer with a list.",
            "List those of these ONES that OVER.",
            "I want a list of the ONES there that OVER, by name.",
        ),
        about="List the ones above a bound among the WORD",
        code="    return [name for name in values if values[name] > limit]\n",
        result="list",
        slots={"limit": int},
        matters=((" if values[name] > limit", ""),),
        apart=False,
    ),
    Reduction(
        word="rank_in_note",
        part="most",
        says=(
            'Write a new note "{title}" with these ONES, one to a line: first the one that MOST, and so on down to'
            " the one that LEAST.",
            'I want a note titled "{title}" that ranks the ONES there, a name on each line, from the one that MOST to'
            " the one that LEAST.",
            'Sort the ONES into a new note "{title}", line by line: at the top the one that MOST, at the bottom the one'
            " that LEAST.",
        ),
        about="Rank in a note the WORD",
        code="""    ranked = sorted(values, key=lambda name: values[name], reverse=True)
    apis.notes.create_note(access_token=notes_token, title=title, content="\\n".join(ranked))
    return len(ranked)
""",
        apps=("notes",),
        slots={"title": str},
        choose=lambda draw: {"title": draw.rng.choice(("Ranking", "In order", "From top to bottom", "Sorted at last"))},
        matters=((", reverse=True", ""),),
    ),
    Reduction(
        word="text_sum",
        part="adds",
        says=(
            'Add up the ADDS(the ONES there), and text my contact "{receiver}" "Total: " and then the sumCENTS.',
            'My contact "{receiver}" should get a text message "Total: <sum>"CENTS. What I mean is the sum of the'
            " ADDS(these ONES).",
            'Send "Total: <sum>" as a text message to my contact "{receiver}", with the sum of the ADDS(all ONES there)'
            " in itCENTS.",
        ),
        about="Text the sum of the WORD",
        code="""    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=receiver)
    receiver_number = next(one["phone_number"] for one in people if one["name"] == receiver)
    text = f"Total: {SHOWN}"
    apis.phone.send_text_message(access_token=phone_token, phone_number=receiver_number, text=text)
    return len(values)
""",
        apps=("phone",),
        slots={"receiver": str},
        choose=_contact,
        apart=False,
    ),
)
_FRAMES = (
    "Look at PLACE. MARK WHAT",
    "You find some ONES in PLACE. MARK WHAT",
    "This is about PLACE. MARK WHAT",
    "WHAT Which ONES I mean is written in PLACE. MARK",
    "MARK I am speaking of PLACE. WHAT",
    "I have a list of ONES, namely PLACE. WHAT MARK",
)


def gauged(gauges: tuple[Gauge, ...]) -> Iterator[Errand]:
    """Each gauge with several places and reductions."""
    for turn, gauge in enumerate(gauges):
        rng = Random(gauge.word)
        reductions = [
            one for one in REDUCTIONS if getattr(gauge, one.part) and not (gauge.money and one.apps == ("phone",))
        ]
        for n, reduction in enumerate(rng.sample(reductions, min(gauge.ways, len(reductions)))):
            place = rng.choice([one for one in PLACES if not {*one.slots} & {*reduction.slots}])
            mark = rng.choice(fitting(place, PAIRINGS if gauge.value else MARKS))
            yield _errand(gauge, reduction, place, mark, turn + n)


def _errand(gauge: Gauge, reduction: Reduction, place: TextPlace, mark: Mark, turn: int) -> Errand:
    name = f"{reduction.word}_{gauge.word}_{mark.word}_in_{place.word}"
    slots = {**place.slots, **reduction.slots}
    apps = tuple(dict.fromkeys((*place.apps, *gauge.apps, *reduction.apps)))
    entries = "".join(f'    {app}_token = login(app="{app}")\n' for app in apps if app not in place.apps)
    reading = f"{place.code}{placed(mark.code, place)}{entries}{gauge.code}"
    about = reduction.about.replace("WORD", gauge.word.replace("_", " "))
    head = ", ".join(f"{slot}: {type_of(kind)}" for slot, kind in slots.items())
    edits = (*place.matters[:1], *mark.matters[:1], *reduction.matters)
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=_filled(
            f"def {name}({head}) -> {reduction.result}:\n"
            f'    """{about}, for {mark.about} of {place.about}."""\n{reading}{reduction.code}',
            gauge,
        ),
        wordings=tuple(_worded(gauge, reduction, place, mark, turn, n) for n in range(3)),
        values=_values(gauge, reduction, place, mark, reading),
        matters=tuple((placed(old, place), placed(new, place)) for old, new in edits),
        asks=not reduction.apps,
    )


def _filled(text: str, gauge: Gauge) -> str:
    total = "round(sum(values.values()), 2)" if gauge.money else "sum(values.values())"
    text = text.replace("SHOWN", "sum(values.values()):.2f" if gauge.money else "sum(values.values())")
    text = text.replace("SUMTYPE", "float" if gauge.money else "int").replace("SUM", total)
    text = (
        re.sub(r"ADDS\(([^)]*)\)", lambda match: gauge.adds.replace("OF", match[1]), text)
        .replace("MOST", gauge.most)
        .replace("LEAST", gauge.least)
    )
    cents = ", with two decimals" if gauge.money else ""
    return text.replace("OVER", gauge.over).replace("ONES", gauge.ones).replace("CENTS", cents)


def _values(
    gauge: Gauge, reduction: Reduction, place: TextPlace, mark: Mark, reading: str
) -> Callable[[Draw], Values | None]:
    heads = ", ".join(place.slots)
    measures = f"def measured({heads}):\n{reading}    return values\n"

    def values(draw: Draw) -> Values | None:
        pool, more = gauge.pool(draw), reduction.choose(draw)
        parts = dealt(draw.rng, NamedThings(pool.good), 3, 5) if pool else None
        if parts is None:
            return None
        items, others, twins = parts
        at = place.sets(draw, mark.writes(draw.rng, items, others), mark.writes(draw.rng, twins, []))
        found: dict[str, Any] = played(function_of(measures), draw.state, draw.me, at)
        numbers = sorted(found.values())
        if not numbers or (reduction.apart and len({*numbers}) < len(numbers)):
            return None
        if "limit" in reduction.slots:
            more = {"limit": int(numbers[draw.rng.randrange(len(numbers) // 2 + 1)])}
        return {**at, **more}

    return values


def _worded(gauge: Gauge, reduction: Reduction, place: TextPlace, mark: Mark, turn: int, n: int) -> str:
    text = nth(_FRAMES, turn + 2 * n).replace("MARK", nth(mark.says, turn + n)).replace("ITEM", gauge.a)
    text = text.replace("KEY", gauge.key).replace("VALUE", gauge.value)
    text = text.replace("WHAT", nth(reduction.says, n)).replace("PLACE", nth(place.says, n + turn))
    return sentences(_filled(text, gauge))


_CONTACT = "the full name of a contact of mine"


def _catalogue(api: str, value: str) -> str:
    return f"""    values = {{}}
    for name in names:
        found = all_pages(apis.music.{api}, access_token=music_token, query=name)
        values[name] = next({value} for one in found if one["title"] == name)
"""


def _own(app: str, api: str, value: str, key: str, more: str = "") -> str:
    return f"""    rows = all_pages(apis.{app}.{api}, access_token={app}_token{more})
    values = {{row["{key}"]: {value} for row in rows if row["{key}"] in names}}
"""


def _contacts(call: str) -> str:
    return f"""    values = {{}}
    for one in all_pages(apis.phone.show_contacts, access_token=phone_token):
        if one["name"] in names:
{call}"""


GAUGES = (
    Gauge(
        word="durations",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        adds="durations in seconds that OF have in the music app",
        most="is the longest in the music app",
        least="is the shortest",
        over="last longer than {limit} seconds in the music app",
        code=_catalogue("search_songs", 'one["duration"]'),
        pool=pools.any_songs,
    ),
    Gauge(
        word="play_counts",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        most="has been played most by all listeners of the music app",
        least="has been played least by all listeners of the music app",
        over="have a play count of more than {limit} in the music app",
        code=_catalogue("search_songs", 'one["play_count"]'),
        pool=pools.any_songs,
    ),
    Gauge(
        word="release_dates",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        most="came out last, by the music app,",
        least="came out first, by the music app,",
        code=_catalogue("search_albums", 'one["release_date"]'),
        pool=pools.any_albums,
    ),
    Gauge(
        word="album_sizes",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        adds="numbers of songs on OF, as the music app has them,",
        over="have more than {limit} songs in the music app",
        code=_catalogue("search_albums", 'len(one["song_ids"])'),
        pool=pools.any_albums,
    ),
    Gauge(
        word="album_lengths",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        adds="durations, in seconds, of all songs that the music app has on OF",
        most="lasts longest in the music app if the durations of its songs are added up",
        least="lasts shortest in the music app if the durations of its songs are added up",
        code="""    values = {}
    for name in names:
        found = all_pages(apis.music.search_albums, access_token=music_token, query=name)
        album_id = next(one["album_id"] for one in found if one["title"] == name)
        songs = apis.music.show_album(access_token=music_token, album_id=album_id)["songs"]
        values[name] = sum(song["duration"] for song in songs)
""",
        pool=pools.any_albums,
    ),
    Gauge(
        word="songs_of_artists",
        apps=("music",),
        a="the name of an artist",
        ones="artists",
        adds="numbers of songs by OF in the catalogue of the music app",
        most="has the most songs in the music app",
        least="has the fewest songs in the music app",
        over="have more than {limit} songs in the music app",
        code="""    values = {}
    for artist in all_pages(apis.music.search_artists, access_token=music_token):
        if artist["name"] in names:
            songs = all_pages(apis.music.search_songs, access_token=music_token, artist_id=artist["artist_id"])
            values[artist["name"]] = len(songs)
""",
        pool=pools.unfollowed_artists,
    ),
    Gauge(
        word="own_plays",
        apps=("music",),
        a="the title of a song that I have played",
        ones="songs",
        adds="play counts that my own play history in the music app has for OF",
        most="I have played most often, by my play history in the music app,",
        least="I have played least often, by my play history in the music app,",
        code=_own("music", "show_play_history", 'row["my_play_count"]', "title"),
        pool=pools.played_songs,
    ),
    Gauge(
        word="playlist_sizes",
        apps=("music",),
        a="the title of one of my playlists",
        ones="playlists",
        adds="numbers of songs in OF (music app)",
        most="has the most songs in the music app",
        least="has the fewest songs in the music app",
        over="have more than {limit} songs in the music app",
        code=_own("music", "show_playlists", 'len(row["song_ids"])', "title"),
        pool=pools.playlists,
    ),
    Gauge(
        word="birthdays",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        most="is the youngest, by the birthdays in my phone,",
        least="is the oldest, by the birthdays in my phone,",
        code=_own("phone", "show_contacts", 'row["birthday"]', "name"),
        pool=pools.acquainted,
    ),
    Gauge(
        word="calls",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        adds="numbers of calls, missed ones included, that my call log has with OF",
        code=_contacts("""            calls = all_pages(
                apis.phone.show_call_log, access_token=phone_token, phone_number=one["phone_number"]
            )
            values[one["name"]] = len(calls)
"""),
        pool=pools.acquainted,
    ),
    Gauge(
        word="call_seconds",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        adds="durations, in seconds, of all calls that my call log has with OF",
        most="has talked longest to me on the phone, all calls in the log added up,",
        over="have talked to me for more than {limit} seconds, all calls in the log of my phone added up,",
        least="has talked shortest to me, all calls added up,",
        code=_contacts("""            calls = all_pages(
                apis.phone.show_call_log, access_token=phone_token, phone_number=one["phone_number"]
            )
            values[one["name"]] = sum(call["duration"] for call in calls)
"""),
        pool=pools.acquainted,
    ),
    Gauge(
        word="texts_received",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        adds="numbers of text messages that I received from OF",
        over="sent me more than {limit} text messages",
        code=_contacts("""            texts = all_pages(
                apis.phone.show_text_messages,
                access_token=phone_token,
                phone_number=one["phone_number"],
                direction="received",
            )
            values[one["name"]] = len(texts)
"""),
        pool=pools.acquainted,
    ),
    Gauge(
        word="alarm_times",
        apps=("phone",),
        a="the label of an alarm",
        ones="alarms",
        most="rings latest in the day",
        least="rings earliest in the day",
        code=_own("phone", "show_alarms", 'row["time"]', "label"),
        pool=pools.alarms,
    ),
    Gauge(
        word="due_dates",
        apps=("todo",),
        a="the title of a task that has a due date",
        ones="tasks",
        most="is due last in the todo app",
        least="is due first in the todo app",
        code=_own("todo", "list_tasks", 'row["due_date"]', "title"),
        pool=pools.due_tasks,
    ),
    Gauge(
        word="subtasks",
        apps=("todo",),
        a="the title of a task",
        ones="tasks",
        adds="numbers of subtasks, done or not, that OF have in the todo app",
        over="have more than {limit} subtasks, done or not, in the todo app",
        code="""    values = {}
    for name in names:
        found = all_pages(apis.todo.search_tasks, access_token=todo_token, query=name)
        found_id = next(one["task_id"] for one in found if one["title"] == name)
        values[name] = len(apis.todo.show_task(access_token=todo_token, task_id=found_id)["subtasks"])
""",
        pool=pools.any_tasks,
    ),
    Gauge(
        word="open_tasks",
        apps=("todo",),
        a="the name of a project",
        ones="projects",
        adds="numbers of open tasks that OF have in the todo app",
        most="has the most open tasks in the todo app",
        least="has the fewest open tasks in the todo app",
        over="have more than {limit} open tasks in the todo app",
        code=_own("todo", "list_projects", 'row["open_tasks"]', "name"),
        pool=pools.projects,
    ),
    Gauge(
        word="note_lengths",
        apps=("notes",),
        a="the title of a note",
        ones="notes",
        adds="numbers of lines that OF have",
        over="have more than {limit} lines",
        code="""    values = {}
    for name in names:
        found = all_pages(apis.notes.search_notes, access_token=notes_token, query=name)
        found_id = next(one["note_id"] for one in found if one["title"] == name)
        text = apis.notes.show_note(access_token=notes_token, note_id=found_id)["content"]
        values[name] = len(text.splitlines())
""",
        pool=pools.any_notes,
    ),
    Gauge(
        word="file_sizes",
        apps=("files",),
        a="the name of a file in ~/downloads",
        ones="files",
        adds="sizes of OF",
        most="is the largest",
        least="is the smallest",
        over="have a size of more than {limit}",
        code="""    rows = all_pages(apis.files.search_files, access_token=files_token, directory_path="~/downloads")
    sizes = {row["path"].split("/")[-1]: row["size"] for row in rows}
    values = {name: sizes[name] for name in names}
""",
        pool=pools.downloads,
    ),
    Gauge(
        word="expense_amounts",
        apps=("splits",),
        a="the description of an expense that I paid",
        ones="expenses",
        adds="amounts of OF in the splits app",
        most="is the largest in the splits app",
        least="is the smallest in the splits app",
        over="amount to more than ${limit} in the splits app",
        code=_own("splits", "show_expenses", 'row["amount"]', "description"),
        pool=pools.expenses,
        money=True,
    ),
    Gauge(
        word="payment_amounts",
        apps=("wallet",),
        a="the note of a payment that I sent",
        ones="payments",
        adds="amounts of OF in the wallet app",
        most="is the largest in the wallet app",
        least="is the smallest in the wallet app",
        over="amount to more than ${limit} in the wallet app",
        code=_own("wallet", "show_transactions", 'row["amount"]', "note", ', direction="sent"'),
        pool=pools.payments,
        money=True,
    ),
    Gauge(
        word="asked_amounts",
        apps=("wallet",),
        a="somebody's full name",
        ones="people",
        adds="amounts that OF ask of me in pending requests of the wallet app",
        most="asks most of me, all pending requests in the wallet app added up,",
        least="asks least of me, all pending requests in the wallet app added up,",
        code="""    values = dict.fromkeys(names, 0)
    requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    for request in requests:
        if request["requester"]["name"] in values:
            values[request["requester"]["name"]] += request["amount"]
""",
        pool=pools.askers,
        money=True,
    ),
    Gauge(
        word="sent_amounts",
        apps=("wallet", "phone"),
        a=_CONTACT,
        ones="contacts",
        adds="amounts of all payments I sent to OF in the wallet app",
        most="I have sent the most money to in the wallet app, all payments added up,",
        code="""    values = {}
    for one in all_pages(apis.phone.show_contacts, access_token=phone_token):
        if one["name"] in names:
            sent = all_pages(
                apis.wallet.show_transactions, access_token=wallet_token, user_email=one["email"], direction="sent"
            )
            values[one["name"]] = sum(payment["amount"] for payment in sent)
""",
        pool=pools.acquainted,
        money=True,
    ),
)


def _spent(draw: Draw) -> NamedThings:
    """Some people with amounts, most of them twice."""
    people = draw.rng.sample(list(pools.acquainted(draw).good), 5)
    return NamedThings([(one, f"{draw.rng.randint(310, 6_900) / 100:.2f}") for one in (*people, *people)])


def _worked(draw: Draw) -> NamedThings:
    return NamedThings([(one, str(draw.rng.randint(2, 40))) for one in (*_JOBS, *_JOBS)])


def _repeated(draw: Draw) -> NamedThings:
    return NamedThings(
        [(one, str(draw.rng.randint(2, 9))) for one in draw.rng.sample(list(pools.any_songs(draw).good), 10)]
    )


def _claimed(draw: Draw) -> NamedThings:
    return NamedThings([(one, f"{draw.rng.randint(310, 4_900) / 100:.2f}") for one in pools.expenses(draw).good])


def _by_name(number: str, more: str = "") -> str:
    return f"""    values = {{}}
    for name, value in pairs:
        values[name] = {more}values.get(name, 0) + {number}(value){", 2)" if more else ""}
"""


_JOBS = ("Harbor Museum", "Elm School", "Rowan Bakery", "City Choir", "Orchard Inn", "Lake Clinic")

NOTED = (
    Gauge(
        word="noted_amounts",
        apps=(),
        key="name of somebody",
        value="amount in dollars",
        ones="people",
        adds="amounts of OF",
        most="has the greatest sum, if the amounts of the same person are added up,",
        least="has the least sum, if the amounts of the same person are added up,",
        over="have more than ${limit} if the amounts of the same person are added up",
        code=_by_name("float", "round("),
        pool=_spent,
        money=True,
        ways=6,
    ),
    Gauge(
        word="noted_hours",
        apps=(),
        key="client",
        value="number of hours",
        ones="clients",
        adds="hours for OF",
        most="took the most hours, all its entries added up,",
        least="took the fewest hours, all its entries added up,",
        over="took more than {limit} hours, all entries of the same client added up,",
        code=_by_name("int"),
        pool=_worked,
        ways=6,
    ),
    Gauge(
        word="repeated_durations",
        apps=("music",),
        key="title of a song",
        value="number of times it is played",
        ones="songs",
        adds="seconds it takes to play OF that often, by their durations in the music app,",
        most="takes the longest altogether, its duration in the music app times the number,",
        least="takes the shortest altogether, its duration in the music app times the number,",
        over="take more than {limit} seconds altogether, the duration in the music app times the number,",
        code="""    values = {}
    for name, value in pairs:
        found = all_pages(apis.music.search_songs, access_token=music_token, query=name)
        values[name] = int(value) * next(one["duration"] for one in found if one["title"] == name)
""",
        pool=_repeated,
        ways=4,
    ),
    Gauge(
        word="misquoted_expenses",
        apps=("splits",),
        key="description of an expense that I paid",
        value="amount in dollars as I remember it",
        ones="expenses",
        most="is farthest off: there the amount I remember and the one in the splits app differ most,",
        least="is nearest: there the amount I remember and the one in the splits app differ least,",
        over="are off by more than ${limit}, up or down, compared with the splits app,",
        code="""    remembered = {name: float(value) for name, value in pairs}
    values = {}
    for one in all_pages(apis.splits.show_expenses, access_token=splits_token):
        if one["description"] in remembered:
            values[one["description"]] = round(abs(one["amount"] - remembered[one["description"]]), 2)
""",
        pool=_claimed,
        money=True,
        ways=4,
    ),
)
