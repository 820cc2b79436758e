"""Errands in which what a text names is compared with what an app has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random

from prowess_desk.apps.music import Playlist
from prowess_desk.apps.notes import Note
from prowess_desk.apps.phone import Contact
from prowess_desk.apps.splits import Group
from prowess_desk.apps.todo import TodoTask
from prowess_desk.apps.wallet import PaymentCard
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Edit, NamedThings, fitting, nth, placed, sentences, type_of
from prowess_practice.errands.lines.marks import MARKS, Mark
from prowess_practice.errands.lines.places import PLACES, TextPlace


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNames:
    """Names that an app has."""

    word: str
    apps: tuple[str, ...]
    a: str
    """What a line of the text holds: `the title of a song`."""
    ones: str
    """What such lines name, in the plural: `songs`."""
    are: str
    """What they are if the app has them, after `they are` or `they are not`: `in my song library`."""
    all: str
    """What the app has, in the plural: `songs in my library`."""
    code: str
    """Gives `known`, a list of names."""
    pool: Callable[[Draw], NamedThings | None]
    """Names that the app has not, and first among the others those it has."""
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values | None] = lambda draw: {}
    few: bool = True
    """Whether it has few enough of them to name them all."""
    tiny: bool = False
    """Whether it has so few that counting them makes no sense."""


def _playlist(draw: Draw) -> Playlist:
    return max(draw.state[Playlist].of(draw.me.id), key=lambda one: len(one.song_ids))


def _flipped(pool: Callable[[Draw], NamedThings | None]) -> Callable[[Draw], NamedThings | None]:
    """What is good there is known here, and what is not there is not known."""

    def turned(draw: Draw) -> NamedThings | None:
        found = pool(draw)
        return NamedThings(found.idle[-1], (found.good,)) if found else None

    return turned


def _cards(draw: Draw) -> NamedThings:
    mine = [one.name for one in draw.state[PaymentCard].of(draw.me.id)]
    return NamedThings(("Gold Card", "Metro Pass", "Shop Credit", "Red Debit", "Student Card", "Petrol Card"), (mine,))


def _tags(draw: Draw) -> NamedThings:
    mine = sorted({tag for note in draw.state[Note].of(draw.me.id) for tag in note.tags})
    return NamedThings(("boats", "choir", "moss", "kiln", "attic", "tides", "bread"), (mine,))


def _current(draw: Draw) -> list[str]:
    return [one.title for one in draw.state[Note].of(draw.me.id) if not one.archived]


def _labels(draw: Draw) -> NamedThings:
    mine = sorted({label for task in draw.state[TodoTask].of(draw.me.id) for label in task.labels})
    return NamedThings(("boats", "choir", "moss", "kiln", "attic", "tides", "bread"), (mine,))


def _groups(draw: Draw) -> NamedThings:
    mine = [one.name for one in draw.state[Group].of(draw.me.id)]
    return NamedThings(
        ("Chess Evening", "Kayak Crew", "Bread Club", "Radio Hour", "Night Walkers", "Boat Share"), (mine,)
    )


def _lists(app: str, api: str, field: str = "title", more: str = "") -> str:
    return f'    known = [one["{field}"] for one in all_pages(apis.{app}.{api}, access_token={app}_token{more})]\n'


KNOWN = (
    KnownNames(
        word="library",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are="in my song library of the music app",
        all="songs in my library of the music app",
        code=_lists("music", "show_song_library"),
        pool=pools.unsaved_songs,
        few=False,
    ),
    KnownNames(
        word="liked_songs",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are="among the songs I like in the music app",
        all="songs that I like in the music app",
        code=_lists("music", "show_liked_songs"),
        pool=pools.unliked_songs,
        few=False,
    ),
    KnownNames(
        word="playlist",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are='in my playlist "{playlist}"',
        all='songs in my playlist "{playlist}"',
        code="""    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)
    songs = apis.music.show_playlist(access_token=music_token, playlist_id=playlist_id)["songs"]
    known = [song["title"] for song in songs]
""",
        pool=lambda draw: pools.songs_apart(draw, {*_playlist(draw).song_ids}),
        slots={"playlist": str},
        choose=lambda draw: {"playlist": _playlist(draw).title},
    ),
    KnownNames(
        word="reviews",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are="among the songs that I have reviewed in the music app",
        all="songs that I have reviewed in the music app",
        code=_lists("music", "show_my_reviews", "song_title"),
        pool=pools.unreviewed_songs,
    ),
    KnownNames(
        word="albums",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        are="in my album library of the music app",
        all="albums in my library of the music app",
        code=_lists("music", "show_album_library"),
        pool=pools.unsaved_albums,
    ),
    KnownNames(
        word="followed",
        apps=("music",),
        a="the name of an artist",
        ones="artists",
        are="among the artists I follow in the music app",
        all="artists that I follow in the music app",
        code=_lists("music", "show_followed_artists", "name"),
        pool=pools.unfollowed_artists,
    ),
    KnownNames(
        word="contacts",
        apps=("phone",),
        a="somebody's full name",
        ones="people",
        are="among the contacts in my phone",
        all="contacts in my phone",
        code=_lists("phone", "show_contacts", "name"),
        pool=pools.contacts_of_none,
    ),
    KnownNames(
        word="kin",
        apps=("phone",),
        a="somebody's full name",
        ones="people",
        are='among those contacts of mine whose relationship is "{relation}"',
        all='contacts of mine with the relationship "{relation}"',
        code="""    related = all_pages(apis.phone.show_contacts, access_token=phone_token, relationship=relation)
    known = [person["name"] for person in related]
""",
        pool=lambda draw: pools.unrelated(draw, "friend"),
        slots={"relation": str},
        choose=lambda draw: {"relation": "friend"},
    ),
    KnownNames(
        word="alarms",
        apps=("phone",),
        a="the label of an alarm",
        ones="alarms",
        are="among my alarms in the phone app",
        all="alarms in my phone app",
        code=_lists("phone", "show_alarms", "label"),
        pool=lambda draw: NamedThings(
            ("Sound check", "Tide table", "Bread dough", "Night feed", "Oven off", "Bus to town"),
            (pools.alarms(draw).good,),
        ),
    ),
    KnownNames(
        word="friends",
        apps=("wallet",),
        a="somebody's full name",
        ones="people",
        are="among my friends in the wallet app",
        all="friends that I have in the wallet app",
        code=_lists("wallet", "show_friends", "name"),
        pool=pools.no_friends,
    ),
    KnownNames(
        word="cards",
        apps=("wallet",),
        a="the name of a card",
        ones="cards",
        are="among my payment cards in the wallet app",
        all="payment cards of mine in the wallet app",
        code='    known = [card["name"] for card in apis.wallet.show_cards(access_token=wallet_token)]\n',
        pool=_cards,
        tiny=True,
    ),
    KnownNames(
        word="askers",
        apps=("wallet",),
        a="somebody's full name",
        ones="people",
        are="among those whose payment requests to me are pending in wallet",
        all="people from whom I have a pending payment request in the wallet app",
        code="""    asked = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    known = [request["requester"]["name"] for request in asked]
""",
        pool=lambda draw: pools.reversed_of(pools.askers(draw)),
    ),
    KnownNames(
        word="members",
        apps=("splits",),
        a="somebody's full name",
        ones="people",
        are='members of the splits group "{group}"',
        all='members of the splits group "{group}", myself included,',
        code="""    groups = all_pages(apis.splits.show_groups, access_token=splits_token)
    group_id = next(one["group_id"] for one in groups if one["name"] == group)
    members = apis.splits.show_group(access_token=splits_token, group_id=group_id)["members"]
    known = [member["name"] for member in members]
""",
        pool=pools.newcomers,
        tiny=True,
        slots={"group": str},
        choose=lambda draw: {"group": pools.a_group(draw).name},
    ),
    KnownNames(
        word="groups",
        apps=("splits",),
        a="the name of a group",
        ones="groups",
        are="among my groups in the splits app",
        all="groups that I am in, in the splits app,",
        code=_lists("splits", "show_groups", "name"),
        pool=_groups,
        tiny=True,
    ),
    KnownNames(
        word="tasks",
        apps=("todo",),
        a="something to do",
        ones="things to do",
        are="titles of tasks in my todo app, done or not",
        all="tasks in my todo app, done or not",
        code=_lists("todo", "list_tasks"),
        pool=_flipped(pools.any_tasks),
        few=False,
    ),
    KnownNames(
        word="open_tasks",
        apps=("todo",),
        a="the title of a task",
        ones="tasks",
        are="among the open tasks in my todo app",
        all="open tasks in my todo app",
        code=_lists("todo", "list_tasks", "title", ", done=False"),
        pool=lambda draw: pools.reversed_of(pools.open_tasks(draw)),
        few=False,
    ),
    KnownNames(
        word="projects",
        apps=("todo",),
        a="the name of a project",
        ones="projects",
        are="among the projects in my todo app (archived ones left out)",
        all="projects in my todo app that are not archived",
        code=_lists("todo", "list_projects", "name"),
        pool=pools.new_projects,
    ),
    KnownNames(
        word="labels",
        apps=("todo",),
        a="a label",
        ones="labels",
        are="in use for tasks in my todo app",
        all="labels of the tasks in my todo app",
        code='    known = [one["label"] for one in apis.todo.list_labels(access_token=todo_token)]\n',
        pool=_labels,
    ),
    KnownNames(
        word="notes",
        apps=("notes",),
        a="a title",
        ones="titles",
        are="titles of notes of mine (outside the archive)",
        all="titles of my notes outside the archive",
        code=_lists("notes", "list_notes"),
        pool=lambda draw: NamedThings(pools.new_titles(draw).good, (_current(draw),)),
        few=False,
    ),
    KnownNames(
        word="tags",
        apps=("notes",),
        a="a tag",
        ones="tags",
        are="in use for my notes",
        all="tags of my notes",
        code='    known = [one["tag"] for one in apis.notes.list_tags(access_token=notes_token)]\n',
        pool=_tags,
    ),
    KnownNames(
        word="downloads",
        apps=("files",),
        a="the name of a file",
        ones="files",
        are="in my folder ~/downloads",
        all="names of the files in ~/downloads",
        code="""    paths = apis.files.show_directory(access_token=files_token, directory_path="~/downloads")["files"]
    known = [path.split("/")[-1] for path in paths]
""",
        pool=lambda draw: NamedThings(
            ("quartet.mp3", "atlas.pdf", "brochure.pdf", "score.pdf", "plan.png", "hymn.mp3"),
            (pools.downloads(draw).good,),
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedOutcome:
    """What comes of a comparison."""

    word: str
    says: tuple[str, ...]
    """With ONES, ARE and ALL: see `KnownNames`."""
    about: str
    code: str
    result: str = "int"
    apps: tuple[str, ...] = ()
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values] = lambda draw: {}
    matters: tuple[Edit, ...] = ()
    ordered: bool = False

    @property
    def asks(self) -> bool:
        return not self.apps


_MISSING = "    missing = [name for name in names if name not in known]\n"
_TURNED: tuple[Edit, ...] = (("name not in known", "name in known"),)


_GAPS = ("~/documents/gaps.txt", "~/documents/still-open.txt", "~/receipts/to-find.txt", "~/backups/wanted.txt")


def _contact(draw: Draw) -> Values:
    return {"receiver": draw.rng.choice(draw.state[Contact].of(draw.me.id)).name}


OUTCOMES = (
    ComparedOutcome(
        word="list_missing_from",
        says=(
            "Which of the ONES named there are not ARE? Answer with a list.",
            "Answer with a list of those ONES that are not ARE.",
            "Some of these ONES are not ARE. Which ones? A list will do.",
        ),
        about="List what is missing from the ALL",
        code="    return [name for name in names if name not in known]\n",
        result="list",
        matters=_TURNED,
    ),
    ComparedOutcome(
        word="count_missing_from",
        says=(
            "How many of the ONES named there are not ARE? Answer with the number.",
            "Count those of the ONES that are not ARE and tell me the number.",
            "I need one number: how many of these ONES are not ARE.",
        ),
        about="Count what is missing from the ALL",
        code="    return len([name for name in names if name not in known])\n",
        matters=_TURNED,
    ),
    ComparedOutcome(
        word="list_present_in",
        says=(
            "Which of the ONES named there are ARE? Answer with a list.",
            "Give me a list of those ONES that are ARE.",
            "Tell me, as a list, the ONES of it that are ARE.",
        ),
        about="List what is among the ALL",
        code="    return [name for name in names if name in known]\n",
        result="list",
        matters=(("name in known", "name not in known"),),
    ),
    ComparedOutcome(
        word="list_unnamed_of",
        says=(
            "Which of the ALL are not named there? Answer with a list.",
            "List the ALL that do not occur there.",
            "There are ALL that it does not name. Which? Answer with a list of them.",
        ),
        about="List what is not named of the ALL",
        code="    return [name for name in known if name not in names]\n",
        result="list",
        matters=(("name not in names", "name in names"),),
    ),
    ComparedOutcome(
        word="count_unnamed_of",
        says=(
            "How many of the ALL are not named there? Answer with the number.",
            "Tell me the number of ALL that it does not name.",
            "What is the number of ALL that do not occur there?",
        ),
        about="Count what is not named of the ALL",
        code="    return len([name for name in known if name not in names])\n",
        matters=(("name not in names", "name in names"),),
    ),
    ComparedOutcome(
        word="note_missing_from",
        says=(
            'Write those ONES that are not ARE into a new note "{title}", one to a line, in the order there.',
            'I want a new note titled "{title}" with the ONES that are not ARE: each on its own line, in their order.',
            'Make a note called "{title}" of the ONES that are not ARE, line by line in the order there.',
        ),
        about="Note what is missing from the ALL",
        code=_MISSING
        + '    apis.notes.create_note(access_token=notes_token, title=title, content="\\n".join(missing))\n'
        "    return len(missing)\n",
        apps=("notes",),
        slots={"title": str},
        choose=lambda draw: {"title": draw.rng.choice(("Still missing", "To find", "Not there yet", "Gaps"))},
        matters=_TURNED,
        ordered=True,
    ),
    ComparedOutcome(
        word="file_missing_from",
        says=(
            'Create the file "{new_file}" with the ONES that are not ARE, one to a line, in their order.',
            'The ONES that are not ARE go into a new file "{new_file}", each on a line of its own, in the order there.',
            'Save the ONES that are not ARE, in the order there and one to a line, as "{new_file}" in the files app.',
        ),
        about="Write to a file what is missing from the ALL",
        code=_MISSING
        + '    apis.files.create_file(access_token=files_token, file_path=new_file, content="\\n".join(missing))\n'
        "    return len(missing)\n",
        apps=("files",),
        slots={"new_file": str},
        choose=lambda draw: {
            "new_file": f"~/documents/{draw.rng.choice(('gaps', 'still-open', 'to-find', 'wanted'))}.txt"
        },
        matters=_TURNED,
        ordered=True,
    ),
    ComparedOutcome(
        word="text_missing_from",
        says=(
            'Text "{receiver}", a contact of mine, those ONES that are not ARE: one message, with ", " between'
            " them, in their order.",
            'Send my contact "{receiver}" one text message with the ONES that are not ARE, in the order there and'
            ' joined by ", ".',
            '"{receiver}" in my contacts asks which of the ONES are not ARE. Text just these in one message, in their'
            ' order, with ", " between two.',
        ),
        about="Text what is missing from the ALL",
        code=_MISSING
        + """    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=receiver)
    receiver_number = next(one["phone_number"] for one in people if one["name"] == receiver)
    apis.phone.send_text_message(
        access_token=phone_token, phone_number=receiver_number, text=", ".join(missing)
    )
    return len(missing)
""",
        apps=("phone",),
        slots={"receiver": str},
        choose=_contact,
        matters=_TURNED,
        ordered=True,
    ),
    ComparedOutcome(
        word="tasks_for_missing_from",
        says=(
            'For each of the ONES that are not ARE, create a task in the todo app titled "{verb} " and then its name as'
            " it stands there.",
            'Let me have a new task in the todo app, "{verb} <name>", for every one of the ONES that are not ARE.',
            'Create tasks in my todo app, named "{verb} " plus the name, for all ONES there that are not ARE.',
        ),
        about="Create tasks for what is missing from the ALL",
        code=_MISSING
        + """    for name in missing:
        apis.todo.create_task(access_token=todo_token, title=f"{verb} {name}")
    return len(missing)
""",
        apps=("todo",),
        slots={"verb": str},
        choose=lambda draw: {"verb": draw.rng.choice(("check", "look up", "think about", "ask about"))},
        matters=_TURNED,
    ),
)
_FRAMES = (
    "Look at PLACE. MARK WHAT",
    "I have a question about what is in PLACE. MARK WHAT",
    "This is about PLACE. MARK WHAT",
    "You have to read PLACE first. MARK WHAT",
    "MARK I am speaking of PLACE. WHAT",
    "Have a look at PLACE for me. WHAT MARK",
)
EACH = 6
"""So many ways for each thing that an app has."""


def comparisons() -> Iterator[Errand]:
    """Each thing that apps have with several places and outcomes."""
    for turn, known in enumerate(KNOWN):
        rng = Random(known.word)
        unfit = ["list_unnamed_of"] * (not known.few) + ["count_unnamed_of"] * known.tiny
        outcomes = [one for one in OUTCOMES if one.word not in unfit]
        picked = [outcomes[(turn + n) % len(outcomes)] for n in range(EACH)]
        used: list[str] = []
        for n, outcome in enumerate(picked):
            places = [one for one in PLACES if one.word not in used and (one.ordered or not outcome.ordered)]
            place = rng.choice(places)
            used.append(place.word)
            yield _comparison(known, outcome, place, rng.choice(fitting(place, MARKS)), turn + n)


def _comparison(known: KnownNames, outcome: ComparedOutcome, place: TextPlace, mark: Mark, turn: int) -> Errand:
    name = f"{outcome.word}_{known.word}_{mark.word}_in_{place.word}"
    slots = {**place.slots, **known.slots, **outcome.slots}
    apps = tuple(dict.fromkeys((*place.apps, *known.apps, *outcome.apps)))
    entry = {app: f'    {app}_token = login(app="{app}")\n' for app in apps if app not in place.apps}
    head = ", ".join(f"{slot}: {type_of(kind)}" for slot, kind in slots.items())
    about = outcome.about.replace("ALL", known.word.replace("_", " "))
    entries = "".join(entry.values())
    edits = (*place.matters[:1], *mark.matters[:1], *outcome.matters)
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=f'def {name}({head}) -> {outcome.result}:\n    """{about}, by {mark.about} of {place.about}."""\n'
        f"{place.code}{placed(mark.code, place)}{entries}{known.code}{outcome.code}",
        wordings=_wordings(known, outcome, place, mark, turn),
        values=_values(known, outcome, place, mark),
        matters=tuple((placed(old, place), placed(new, place)) for old, new in edits),
        asks=outcome.asks,
    )


def _values(
    known: KnownNames, outcome: ComparedOutcome, place: TextPlace, mark: Mark
) -> Callable[[Draw], Values | None]:
    def values(draw: Draw) -> Values | None:
        rng, pool, given = draw.rng, known.pool(draw), known.choose(draw)
        if pool is None or given is None or len(pool.idle[0]) < 3:
            return None
        there = rng.sample(list(pool.idle[0]), rng.randint(2, min(5, len(pool.idle[0]) - 1)))
        new = rng.sample(list(pool.good), min(len(pool.good), 8))
        if len(new) < 4:
            return None
        cut = rng.randint(2, min(6, len(new) - 1))
        items = rng.sample([*there, *new[:cut]], len(there) + cut)
        left = [name for name in pool.idle[0] if name not in there]
        others = [new[cut], rng.choice(left)]
        lines = mark.writes(rng, items, others)
        twin = mark.writes(rng, [*new[cut:], *left[:1]], [])
        return {**place.sets(draw, lines, twin), **given, **outcome.choose(draw)}

    return values


def _wordings(known: KnownNames, outcome: ComparedOutcome, place: TextPlace, mark: Mark, turn: int) -> tuple[str, ...]:
    found = []
    for n in range(3):
        text = nth(_FRAMES, turn + 2 * n).replace("MARK", nth(mark.says, turn + n)).replace("ITEM", known.a)
        text = text.replace("WHAT", nth(outcome.says, n)).replace("PLACE", nth(place.says, n + turn))
        found.append(sentences(text.replace("ONES", known.ones).replace("ARE", known.are).replace("ALL", known.all)))
    return tuple(found)
