"""Rows go into something that is created first where it is missing: a playlist, a project, a note, a file, a group."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.branches import parts
from prowess_practice.errands.branches.finds import maybe, some_log, sought
from prowess_practice.errands.branches.parts import Drawing, apps_of, body, function, names, part, told
from prowess_practice.errands.branches.pile import Pile, RowLook, place_of, rows_of
from prowess_practice.errands.branches.row_by_row import flat
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.plan import PeopleSlot


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """What rows go into. In its code NAME stands for what a row is called, ROW for the row, `wanted` for the rows."""

    word: str
    app: str
    slot: PeopleSlot
    says: str
    """What is done, CALLED standing for how the names are called."""
    makes: str
    """What is done where it is missing."""
    code: str
    test: tuple[str, str] = ("if found is None:", "if found is not None:")
    takes: str = ""
    """What the rows must be, if not anything that has a name."""


_SONGS = tuple(f"{word}_songs" for word in ("recommended", "library", "liked", "playlist", "album", "played"))
_PEOPLE = ("contacts", "friends", "creditors", "debtors", "members")
_NAMES = {
    **dict.fromkeys((*_SONGS, "playlists", "library_albums", "notes", "unpinned_notes", "archived_notes"), "title"),
    **dict.fromkeys(("project_tasks", "open_tasks", "dated_tasks", "done_tasks"), "title"),
    **dict.fromkeys((*_PEOPLE, "followed_artists", "projects"), "name"),
    "alarms": "label",
    "received_requests": "note",
    "sent_requests": "note",
    "group_expenses": "description",
    "files": "path",
}
"""What rows are called by."""
_FILE = "access_token=files_token, file_path=list_path"

HOLDERS = (
    Holder(
        word="playlist",
        app="music",
        slot=maybe("mix", names("playlist"), parts.MIXES),
        says='add these songs, in the order in which they are listed, to my playlist "{mix}"',
        makes="If I have no such playlist, create a private one first. Songs that it has already are not added again.",
        takes="songs",
        code=sought("playlist", "mix", "found")
        + """\
if found is None:
    mix_id = apis.music.create_playlist(access_token=music_token, title=mix)["playlist_id"]
    present = []
else:
    mix_id = found["playlist_id"]
    present = found["song_ids"]
for ROW in wanted:
    if ROW["song_id"] not in present:
        apis.music.add_song_to_playlist(access_token=music_token, playlist_id=mix_id, song_id=ROW["song_id"])
""",
    ),
    Holder(
        word="project",
        app="todo",
        slot=maybe("target_project", names("project"), "Follow-up|Rainy days|Winter plan|Clear out"),
        says='add one task for each to my todo project "{target_project}", with the CALLED as the title',
        makes="In case that project does not exist yet, create it first.",
        code=sought("project", "target_project", "found")
        + """\
if found is None:
    found = apis.todo.create_project(access_token=todo_token, name=target_project)
for ROW in wanted:
    apis.todo.create_task(access_token=todo_token, title=NAME, project_id=found["project_id"])
""",
    ),
    Holder(
        word="note",
        app="notes",
        slot=maybe("list_title", names("note"), parts.TITLES),
        says='add the CALLED of each to the end of my note "{list_title}", one to a line, sorted from A to Z',
        makes="If there is no note of that title, write a new one with just these lines.",
        code="text = LINES\n"
        + sought("note", "list_title", "found")
        + """\
if found is None:
    apis.notes.create_note(access_token=notes_token, title=list_title, content=text)
else:
    apis.notes.append_to_note(access_token=notes_token, note_id=found["note_id"], text=text)
""",
    ),
    Holder(
        word="file",
        app="files",
        slot=PeopleSlot(name="list_path", kind=str, choose=some_log),
        says='add the CALLED of each to the end of the file "{list_path}", one to a line, sorted from A to Z',
        makes="If there is no such file, create it with just these lines.",
        test=(f'if apis.files.file_exists({_FILE})["exists"]:', "if False:"),
        code=f"""\
text = LINES
if apis.files.file_exists({_FILE})["exists"]:
    apis.files.append_to_file({_FILE}, text=text)
else:
    apis.files.create_file({_FILE}, content=text)
""",
    ),
    Holder(
        word="group",
        app="splits",
        slot=maybe("circle", names("group"), parts.GROUPS),
        says='bring these people into my splits group "{circle}"',
        makes="If I have no group of that name, create it with them. Whoever is in it already is left alone.",
        takes="people",
        code=sought("group", "circle", "found")
        + """\
emails = [ROW["email"] for ROW in wanted]
if found is None:
    apis.splits.create_group(access_token=splits_token, name=circle, member_emails=emails)
else:
    present = {member["email"] for member in found["members"]}
    for email in emails:
        if email not in present:
            apis.splits.add_member(access_token=splits_token, group_id=found["group_id"], email=email)
""",
    ),
)
_FRAMES = (
    "Among MANY, find every one TEST, and USE. MAKE",
    "From MANY, I need each one TEST. Please USE. MAKE",
    "Go through MANY and pick out each one TEST. Then USE. MAKE",
)


def held(piles: Iterable[Pile], each: int) -> Iterator[Errand]:
    """Each pile with some things that its rows go into."""
    for n, pile in enumerate(piles):
        tests = [one for one in pile.tests if not isinstance(one, RowLook)]
        fitting = [one for one in HOLDERS if pile.word in _NAMES and _takes(one, pile)]
        for step in range(each if tests and fitting else 0):
            holder, test = fitting[(n + step) % len(fitting)], tests[(n + 2 * step) % len(tests)]
            yield _errand(pile, test, holder)


def _takes(holder: Holder, pile: Pile) -> bool:
    kinds = {"songs": _SONGS, "people": _PEOPLE}
    return pile.word in kinds.get(holder.takes, _NAMES)


def _errand(pile: Pile, test: Condition, holder: Holder) -> Errand:
    name = f"{pile.word}_{test.word}_into_{holder.word}"
    slots = {**pile.slots, **({test.slot: test.kind} if test.slot else {}), holder.slot.name: str}
    apps = apps_of((test.app,) if test.app else (), (pile.app,), (holder.app,))
    check, called = test.code.replace("ROW", pile.row), _NAMES[pile.word]
    field = f'{pile.row}["{called}"]'
    code = holder.code.replace("LINES", f'"\\n".join(sorted({field} for {pile.row} in wanted))')
    code = code.replace("NAME", field).replace("ROW", pile.row)
    wanted = f"wanted = [{pile.row} for {pile.row} in {pile.rows} if {check}]\n"
    wordings = tuple(_worded(pile, test, holder, frame) for frame in _FRAMES)
    about = told(f"{wordings[0]} Return how many they are.")
    steps = f"{body(flat(test.prelude))}{body(flat(pile.reads))}{body(wanted)}{body(part(code))}"
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "int", about, apps, f"{steps}    return len(wanted)\n"),
        wordings=wordings,
        values=_values(pile, test, holder),
        matters=((f" if {check}]", "]"), (f" if {check}]", " if False]"), holder.test),
    )


def _use(pile: Pile, holder: Holder) -> str:
    called = _NAMES[pile.word]
    use = (
        holder.says.replace("with the CALLED as the title", "with the same title") if called == "title" else holder.says
    )
    return use.replace("CALLED", called)


def _worded(pile: Pile, test: Condition, holder: Holder, frame: str) -> str:
    use = _use(pile, holder)
    frame = frame.replace("USE", use).replace("MAKE", holder.makes)
    return frame.replace("TEST", test.says).replace("MANY", pile.many)


def _values(pile: Pile, test: Condition, holder: Holder) -> Drawing:
    groups = names("group")

    def values(draw: Draw) -> Values | None:
        place = place_of(draw, pile)
        if place is None:
            return None
        called = [str(name) for name in rows_of(draw, pile, place, f'ROW["{_NAMES[pile.word]}"]')]
        if sorted(called) != sorted(called, key=str.lower):
            return None
        found: dict[str, Any] = {**place, holder.slot.name: holder.slot.choose(draw)}
        if test.slot:
            rows = rows_of(draw, pile, place)
            found[test.slot] = groups(draw) if test.slot == "splits_group" else test.pick(draw.rng, rows)
        return None if None in found.values() else found

    return values
