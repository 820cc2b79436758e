"""Of two named things the better one by some measure is found; something is done with it, and with the other one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.listing import Action
from prowess_practice.drills.listings_music import QUEUE, RATE
from prowess_practice.errands.branches.parts import (
    KINDS,
    Drawing,
    NamedKind,
    apps_of,
    asked,
    body,
    capital,
    function,
    told,
)
from prowess_practice.errands.branches.pile import Pile, kind_of, looked, task_of
from prowess_practice.errands.branches.piles_money import MONEY_PILES
from prowess_practice.errands.branches.piles_music import MUSIC_PILES
from prowess_practice.errands.branches.piles_phone import PHONE_PILES
from prowess_practice.errands.branches.piles_work import WORK_PILES
from prowess_practice.errands.branches.row_by_row import MOVES, acting, word_of
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.scene import flush


@dataclass(frozen=True, slots=True, kw_only=True)
class Merit:
    """By what one of two things is the better one."""

    word: str
    wins: str
    """`has more songs`; with a comma at the end where something is set between commas."""
    value: str
    """What is compared, `ROW` standing for the thing, or `SIDE` for `first` and `second` where `look` gives it."""
    look: str = ""
    """Lines that look into a thing."""
    apps: tuple[str, ...] = ()
    sign: str = ">"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rivals:
    """Two things of a kind."""

    word: str
    kind: str
    what: str
    """`my playlists`"""
    who: str = "that"
    merits: tuple[Merit, ...]
    acts: tuple[Action, ...]
    given: str = ""
    """What the listing is called with, besides the token."""
    where: str = "True"
    """Which things will do, `one` standing for the thing."""

    @property
    def listed(self) -> NamedKind:
        return KINDS[self.kind]


_FRAMES = (
    'Compare "FIRST" and "SECOND", two of WHAT: ACT(the one REL WINS)REST(, and ).',
    'Which of WHAT WINS, "FIRST" or "SECOND"? ACT(that one).REST( After that, ).',
    'Take "FIRST" and "SECOND" from among WHAT and find out which of the two WINS. ACT(that one).REST( Then ).',
    'This is about two of WHAT, "FIRST" and "SECOND". ACT(whichever of them WINS)REST(, and ).',
)


def duels(rivals: Iterable[Rivals], each: int) -> Iterator[Errand]:
    """Each merit with some actions, and every other time one for the other thing, too."""
    turn = 0
    for pair in rivals:
        for n, merit in enumerate(pair.merits):
            for step in range(each):
                first = pair.acts[(2 * n + step) % len(pair.acts)]
                second = pair.acts[(2 * n + step + 1 + (n + step) % (len(pair.acts) - 1)) % len(pair.acts)]
                both = turn % 3 != 0 and first is not second and first.slot != (second.slot or None)
                turn += 1
                yield _errand(pair, merit, first, second if both else None, turn)


def _errand(pair: Rivals, merit: Merit, first: Action, second: Action | None, turn: int) -> Errand:
    acts = (first, second) if second else (first,)
    rest = f"_and_{word_of(second)}_for_other" if second else ""
    name = f"{word_of(first)}_for_{merit.word}_{pair.word}{rest}"
    slots = {f"first_{pair.word}": str, f"second_{pair.word}": str, **acting(*acts)}
    apps = apps_of((pair.listed.app,), merit.apps, (one.app for one in acts if one.app))
    wordings = tuple(_worded(pair, merit, first, second, frame) for frame in _FRAMES)
    about = told(f"{wordings[0]} Return the {pair.listed.key} of the one found.")
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "str", about, apps, _program(pair, merit, acts)),
        wordings=wordings,
        values=_values(pair, acts),
        matters=((_test(merit), _test(merit).replace(f" {merit.sign} ", " < " if merit.sign == ">" else " > ")),),
    )


def _side(text: str, side: str) -> str:
    return text.replace("ROW", side).replace("SIDE", side)


def _test(merit: Merit) -> str:
    return f"    if {_side(merit.value, 'first')} {merit.sign} {_side(merit.value, 'second')}:\n"


def _program(pair: Rivals, merit: Merit, acts: tuple[Action, ...]) -> str:
    one = pair.listed
    code = f"{one.rows} = {one.listed(pair.given)}\n"
    for side in ("first", "second"):
        code += f'{side} = next(one for one in {one.rows} if one["{one.key}"] == {side}_{pair.word})\n'
    for side in ("first", "second") if merit.look else ():
        code += f"{_side(merit.look, side)}\n"
    choice = "        better, other = first, second\n    else:\n        better, other = second, first\n"
    done = "".join(f"{_call(act, pair, thing)}\n" for act, thing in zip(acts, ("better", "other"), strict=False))
    if len(acts) == 1:
        choice = "        better = first\n    else:\n        better = second\n"
    return f'{body(code)}{_test(merit)}{choice}{body(done)}    return better["{one.key}"]\n'


def _call(act: Action, pair: Rivals, thing: str) -> str:
    app = act.app or pair.listed.app
    return f"apis.{app}.{act.api}(access_token={app}_token, {act.arguments.replace('ROW', thing)})"


def _worded(pair: Rivals, merit: Merit, first: Action, second: Action | None, frame: str) -> str:
    start = frame.index("ACT(")
    end = frame.index(")", start)
    words = looked(first, frame[start + 4 : end])
    words = capital(words) if frame[:start].endswith((". ", "? ")) else words
    head, _, tail = frame[end + 1 :].partition("REST(")
    link, _, stop = tail.partition(")")
    rest = ""
    if second:
        rest = f"{link}{looked(second, 'the other one')}{'.' if head else ''}"
    frame = f"{frame[:start]}{words}{head}{rest}{'' if head else stop}"
    frame = frame.replace("FIRST", f"{{first_{pair.word}}}").replace("SECOND", f"{{second_{pair.word}}}")
    frame = frame.replace("WHAT", pair.what).replace("REL", pair.who).replace("WINS", merit.wins)
    return frame.replace(",,", ",").replace(",.", ".")


def _values(pair: Rivals, acts: tuple[Action, ...]) -> Drawing:
    one = pair.listed
    source = (
        f'def names():\n    {one.app}_token = login(app="{one.app}")\n    rows = {one.listed(pair.given)}\n'
        f'    return [one["{one.key}"] for one in rows if {pair.where}]\n'
    )

    def values(draw: Draw) -> Values | None:
        known = [name for name in asked(source, draw) if '"' not in name]
        if len(known) < 2:
            return None
        first, second = draw.rng.sample(known, 2)
        found: dict[str, Any] = {f"first_{pair.word}": first, f"second_{pair.word}": second}
        found |= {act.slot: kind_of(act)(draw.rng.choice(act.choices)) for act in acts if act.slot}
        if any(act.api in MOVES for act in acts):
            flush(draw)
        return found

    return values


_PILES: Iterable[Pile] = (*MUSIC_PILES, *MONEY_PILES, *PHONE_PILES, *WORK_PILES)
_ACTS = {pile.word: pile.acts for pile in _PILES}
_TITLE = task_of('ROW["title"]', "title")


def _merit(word: str, wins: str, value: str, look: str = "", apps: tuple[str, ...] = (), sign: str = ">") -> Merit:
    return Merit(word=word, wins=wins, value=value, look=look, apps=apps, sign=sign)


def _field(name: str) -> str:
    return f'ROW["{name}"]'


def _count(name: str, call: str) -> tuple[str, str]:
    """What is compared, and the line that finds it: how many rows a listing has."""
    return f"len(SIDE_{name})", f"SIDE_{name} = all_pages({call})"


_ADD_UP = '\nSIDE_length = sum(song["duration"] for song in SIDE_shown["songs"])'
_SHOW_ALBUM = 'SIDE_shown = apis.music.show_album(access_token=music_token, album_id=ROW["album_id"])' + _ADD_UP
_SHOW_LIST = 'SIDE_shown = apis.music.show_playlist(access_token=music_token, playlist_id=ROW["playlist_id"])' + _ADD_UP
_LENGTH = "SIDE_length"
_NEWER = _merit("released_later", "came out later", _field("release_date"))
_LONGER = _merit("longer", "is longer", _field("duration"))
_PLAYED = _merit("played_more", "has the higher play count", _field("play_count"))
_MEMBERS = _merit("larger", "has more members", f"len({_field('members')})")
_BALANCE = 'SIDE_shown = apis.splits.show_person_balance(access_token=splits_token, email=ROW["email"])'
_PAID = 'apis.wallet.show_transactions, access_token=wallet_token, user_email=ROW["email"]'
_CALLS = 'apis.phone.show_call_log, access_token=phone_token, phone_number=ROW["phone_number"]'
_TEXTS = 'apis.phone.show_text_messages, access_token=phone_token, phone_number=ROW["phone_number"]'
_SPENT = 'apis.splits.show_expenses, access_token=splits_token, group_id=ROW["group_id"]'
_PLAY = Action(api="play", verb="play", arguments='playlist_id=ROW["playlist_id"]')
_LINES = 'SIDE_text = apis.notes.show_note(access_token=notes_token, note_id=ROW["note_id"])["content"]'
_NAME_GROUP = Action(
    api="rename_group",
    verb="rename",
    arguments='group_id=ROW["group_id"], name=new_name',
    after=' to "{new_name}"',
    slot="new_name",
    choices=("The Winners", "Old Guard", "Blue Team", "Round Table", "Late Shift"),
)
_COST = Action(
    api="add_expense",
    verb="record for",
    arguments='description=purpose, amount=12.0, participant_emails=[one["email"] for one in ROW["members"]],'
    ' group_id=ROW["group_id"]',
    after=' an expense of 12 dollars that I paid, described as "{purpose}" and split equally among all its members',
    slot="purpose",
    choices=("Candles", "Tape", "Stamps", "Batteries"),
)
_JOIN = task_of('ROW["name"]', "name")

RIVALS = (
    Rivals(
        word="song",
        kind="kept_song",
        what="the songs in my song library",
        merits=(
            _LONGER,
            _PLAYED,
            _NEWER,
            _merit(
                "reviewed_more",
                "has more reviews on music",
                *_count("reviews", 'apis.music.show_song_reviews, access_token=music_token, song_id=ROW["song_id"]'),
            ),
        ),
        acts=(
            QUEUE,
            Action(
                api="remove_song_from_library",
                verb="remove",
                arguments='song_id=ROW["song_id"]',
                after=" from my song library",
            ),
            Action(api="play", verb="play", arguments='song_id=ROW["song_id"]'),
            _TITLE,
        ),
    ),
    Rivals(
        word="liked_song",
        kind="liked_song",
        what="the songs that I like on music",
        merits=(_PLAYED, _LONGER, _NEWER),
        acts=(
            Action(api="unlike_song", verb="unlike", arguments='song_id=ROW["song_id"]'),
            _TITLE,
            RATE,
        ),
    ),
    Rivals(
        word="playlist",
        kind="playlist",
        what="my playlists",
        merits=(
            _merit("larger", "has more songs", 'len(ROW["song_ids"])'),
            _merit("longer", "lasts longer, all songs taken together,", _LENGTH, _SHOW_LIST),
            _merit("newer", "was created later", _field("created_at")),
        ),
        acts=(_PLAY, *_ACTS["playlists"]),
    ),
    Rivals(
        word="album",
        kind="album",
        what="the albums in the catalogue of music",
        merits=(
            _merit("larger", "has more songs", 'len(ROW["song_ids"])'),
            _merit("longer", "lasts longer, all songs taken together,", _LENGTH, _SHOW_ALBUM),
            _NEWER,
        ),
        acts=(
            Action(api="play", verb="play", arguments='album_id=ROW["album_id"]'),
            Action(api="like_album", verb="like", arguments='album_id=ROW["album_id"]'),
            Action(
                api="add_album_to_library",
                verb="put",
                arguments='album_id=ROW["album_id"]',
                after=" into my album library",
            ),
            _TITLE,
        ),
    ),
    Rivals(
        word="artist",
        kind="followed",
        what="the artists whom I follow on music",
        merits=(
            _merit(
                "with_more_songs",
                "has more songs in the catalogue",
                'len(SIDE_shown["song_ids"])',
                'SIDE_shown = apis.music.show_artist(access_token=music_token, artist_id=ROW["artist_id"])',
            ),
            _merit(
                "with_more_albums",
                "has more albums in the catalogue",
                *_count("albums", 'apis.music.search_albums, access_token=music_token, artist_id=ROW["artist_id"]'),
            ),
        ),
        acts=_ACTS["followed_artists"],
    ),
    Rivals(
        word="contact",
        kind="contact",
        what="my phone contacts",
        who="who",
        merits=(
            _merit("texted_more", "has exchanged more text messages with me", *_count("texts", _TEXTS)),
            _merit("older", "was born earlier", _field("birthday"), sign="<"),
            _merit(
                "called_more",
                "has more calls with me in the log of my phone, made and received,",
                *_count("calls", _CALLS),
            ),
            _merit(
                "paid_more",
                "has more wallet payments with me, sent and received,",
                *_count("payments", _PAID),
                apps=("wallet",),
            ),
            _merit(
                "in_credit",
                "has the higher balance with me on splits, where owing me counts as positive,",
                'SIDE_shown["balance"]',
                _BALANCE,
                apps=("splits",),
            ),
        ),
        acts=_ACTS["contacts"],
    ),
    Rivals(
        word="note",
        kind="note",
        what="my notes",
        where='not one["archived"] and not one["pinned"]',
        merits=(
            _merit("longer", "has more lines", "len(SIDE_text.splitlines())", _LINES),
            _merit("newer", "was created later", _field("created_at")),
            _merit("staler", "was last changed earlier", _field("updated_at"), sign="<"),
            _merit("tagged_more", "has more tags", f"len({_field('tags')})"),
        ),
        acts=_ACTS["unpinned_notes"],
    ),
    Rivals(
        word="project",
        kind="project",
        what="my todo projects",
        where='one["name"] != "Inbox"',
        merits=(
            _merit("busier", "has more open tasks", _field("open_tasks")),
            _merit(
                "with_more_done",
                "has more finished tasks",
                *_count(
                    "done", 'apis.todo.list_tasks, access_token=todo_token, project_id=ROW["project_id"], done=True'
                ),
            ),
        ),
        acts=(
            *_ACTS["projects"],
            Action(
                api="create_task",
                verb="add to",
                arguments='title=new_task, project_id=ROW["project_id"]',
                after=' a task "{new_task}"',
                slot="new_task",
                choices=("Take stock", "Clean up here", "Plan the week", "Ask for news"),
            ),
        ),
    ),
    Rivals(
        word="task",
        kind="task",
        what="my open tasks",
        where='not one["done"]',
        merits=(
            _merit(
                "with_more_steps",
                "has more subtasks, done or not,",
                "len(SIDE_steps)",
                'SIDE_steps = apis.todo.show_task(access_token=todo_token, task_id=ROW["task_id"])["subtasks"]',
            ),
            _merit("less_urgent", "has the higher priority number", _field("priority")),
            _merit("newer", "was created later", _field("created_at")),
            _merit(
                "discussed_more",
                "has more comments",
                *_count("comments", 'apis.todo.list_comments, access_token=todo_token, task_id=ROW["task_id"]'),
            ),
        ),
        acts=_ACTS["project_tasks"],
    ),
    Rivals(
        word="file",
        kind="file",
        what="my files",
        merits=(
            _merit("larger", "is larger", _field("size")),
            _merit("newer", "was created later", _field("created_at")),
        ),
        acts=_ACTS["folder_files"],
    ),
    Rivals(
        word="group",
        kind="group",
        what="my splits groups",
        merits=(
            _MEMBERS,
            _merit("busier", "has more expenses", *_count("expenses", _SPENT)),
            _merit(
                "dearer",
                "has spent more money, all its expenses added up,",
                "SIDE_total",
                f"SIDE_expenses = all_pages({_SPENT})\n"
                'SIDE_total = round(sum(expense["amount"] for expense in SIDE_expenses), 2)',
            ),
            _merit("newer", "was created later", _field("created_at")),
        ),
        acts=(_NAME_GROUP, _COST, _JOIN),
    ),
    Rivals(
        word="alarm",
        kind="alarm",
        what="the alarms in my phone",
        merits=(
            _merit("later", "rings later in the day", _field("time")),
            _merit("lazier", "has the longer snooze time", _field("snooze_minutes")),
        ),
        acts=_ACTS["alarms"],
    ),
    Rivals(
        word="friend",
        kind="friend",
        what="my friends on wallet",
        who="who",
        merits=(
            _merit("paid_more", "has more payments with me there, sent and received,", *_count("payments", _PAID)),
            _merit(
                "received_more",
                "got more money from me there in all",
                "SIDE_total",
                f'SIDE_payments = all_pages({_PAID}, direction="sent")\n'
                'SIDE_total = round(sum(payment["amount"] for payment in SIDE_payments), 2)',
            ),
        ),
        acts=_ACTS["friends"],
    ),
    Rivals(
        word="card",
        kind="card",
        what="the cards in my wallet",
        where='one["expiry_year"] > 2025',
        merits=(_merit("valid_longer", "expires later", '(ROW["expiry_year"], ROW["expiry_month"])'),),
        acts=(
            Action(
                api="top_up_balance",
                verb="top up my balance from",
                arguments='card_id=ROW["card_id"], amount=amount',
                after=" by {amount} dollars",
                slot="amount",
                choices=("15", "25", "40", "65"),
            ),
            Action(api="delete_card", verb="delete", arguments='card_id=ROW["card_id"]'),
            task_of('ROW["name"]', "name"),
        ),
    ),
)
