"""Something is looked for and used; where it is missing, it is made first, or something else is done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import indent

from prowess_desk.apps.files import Directory, File, home
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.branches import parts
from prowess_practice.errands.branches.deeds import deed
from prowess_practice.errands.branches.parts import (
    KINDS,
    BranchDeed,
    Choice,
    Drawing,
    apps_of,
    body,
    capital,
    chosen,
    disjoint,
    finding,
    function,
    kinds,
    money,
    names,
    number,
    pick,
    provided,
    told,
    words,
)
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.plan import PeopleSlot
from prowess_practice.errands.people.scene import strangers


@dataclass(frozen=True, slots=True, kw_only=True)
class Find:
    """Something that is used if it is there."""

    deed: BranchDeed
    """Its code has MISSING where the thing was not there."""
    gap: str
    """Says that it was not: `that note was missing`."""
    test: tuple[str, str]
    """What decides, and its contrary."""


_FOUND = ("if found is None:", "if found is not None:")


def find(
    word: str,
    apps: str,
    says: str,
    gap: str,
    code: str,
    *slots: PeopleSlot,
    test: tuple[str, str] = _FOUND,
    pays: bool = False,
) -> Find:
    """Something to look for, in short."""
    return Find(deed=deed(word, apps, says, code, *slots, pays=pays), gap=gap, test=test)


def maybe(name: str, there: Choice, others: Choice | str) -> PeopleSlot:
    """A slot for something that is as often there as not."""
    fresh = words(name, others).choose if isinstance(others, str) else others
    return PeopleSlot(name=name, kind=str, choose=lambda draw: (there if draw.rng.random() < 0.5 else fresh)(draw))


def sought(kind: str, slot: str, name: str) -> str:
    """Two lines that look for a thing by its name, with None where there is none."""
    one = KINDS[kind]
    query = f", query={slot}" if one.query else ""
    key = f'one["{one.key}"] == {slot}'
    return f"{one.rows} = {one.listed(query)}\n{name} = next((one for one in {one.rows} if {key}), None)\n"


def _stranger(draw: Draw) -> str:
    return strangers(draw, 1)[0].name


def _number(draw: Draw) -> str:
    return f"555{draw.rng.randrange(10**7):07d}"


def _folder(draw: Draw) -> str:
    there = [row.path for row in draw.state[Directory].of(draw.me.id)]
    return draw.rng.choice(
        [*there, *(f"{home(draw.me)}/{name}" for name in ("backup", "shared", "old", "print", "usb"))]
    )


def some_log(draw: Draw) -> str:
    """The path of a text file that is as often there as not."""
    there = [row.path for row in draw.state[File].of(draw.me.id) if row.path.endswith((".txt", ".md"))]
    fresh = [f"{home(draw.me)}/documents/{name}.txt" for name in ("log", "diary", "record", "history")]
    return draw.rng.choice(there if draw.rng.random() < 0.5 else fresh)


_EXISTS = 'if apis.files.file_exists(access_token=files_token, file_path=path)["exists"]:'
_ALARM = 'apis.phone.update_alarm(access_token=phone_token, alarm_id=found["alarm_id"], '

FINDS = (
    find(
        "ensure_alarm",
        "phone",
        'set my alarm "{label}" to "{time}"; if I have no alarm with that label, create it for that time',
        "there was no such alarm before",
        sought("alarm", "label", "found")
        + f"""\
if found is None:
    apis.phone.create_alarm(access_token=phone_token, label=label, time=time)
    MISSING
else:
    {_ALARM}time=time)
""",
        maybe("label", names("alarm"), parts.LABELS),
        words("time", parts.TIMES),
    ),
    find(
        "ensure_contact",
        "phone",
        'save "{number}" as the phone number of "{person}", who may be among my contacts already; if not, add them as a'
        " new contact with just the name and the number",
        "they were no contact of mine before",
        sought("contact", "person", "found")
        + """\
if found is None:
    apis.phone.add_contact(access_token=phone_token, name=person, phone_number=number)
    MISSING
else:
    apis.phone.update_contact(
        access_token=phone_token, contact_id=found["contact_id"], phone_number=number
    )
""",
        PeopleSlot(name="number", kind=str, choose=_number),
        maybe("person", names("contact"), _stranger),
    ),
    find(
        "pay_new_friend",
        "wallet",
        'pay the wallet user "{payee}" {amount} dollars with the note "{reason}"; if they are not among my wallet'
        " friends yet, make them one first",
        "they were no wallet friend of mine before",
        finding("user", "payee", "email")
        + """\
friends = all_pages(apis.wallet.show_friends, access_token=wallet_token)
if all(friend["email"] != email for friend in friends):
    apis.wallet.add_friend(access_token=wallet_token, email=email)
    MISSING
apis.wallet.send_payment(access_token=wallet_token, receiver_email=email, amount=amount, note=reason)
""",
        maybe("payee", names("friend"), names("contact")),
        money("amount", 2, 20),
        words("reason", parts.REASONS),
        pays=True,
        test=("if all(", "if not all("),
    ),
    find(
        "review_anew",
        "music",
        'give the song "{song}" {stars} stars; if I have reviewed it before, change that review, and otherwise write a'
        " new one without a text",
        "I had not reviewed that song before",
        """\
reviews = all_pages(apis.music.show_my_reviews, access_token=music_token)
review = next((one for one in reviews if one["song_title"] == song), None)
if review is None:
    songs = all_pages(apis.music.search_songs, access_token=music_token, query=song)
    song_id = next(one["song_id"] for one in songs if one["title"] == song)
    apis.music.review_song(access_token=music_token, song_id=song_id, rating=stars)
    MISSING
else:
    apis.music.update_review(access_token=music_token, review_id=review["review_id"], rating=stars)
""",
        maybe("song", names("review"), names("song")),
        number("stars", 1, 2, 3, 4, 5),
        test=("if review is None:", "if review is not None:"),
    ),
    find(
        "open_or_create_playlist",
        "music",
        'make my playlist "{playlist}" public, or create it as a public one if I do not have it',
        "that playlist was missing",
        sought("playlist", "playlist", "found")
        + """\
if found is None:
    apis.music.create_playlist(access_token=music_token, title=playlist, is_public=True)
    MISSING
else:
    apis.music.update_playlist(
        access_token=music_token, playlist_id=found["playlist_id"], is_public=True
    )
""",
        maybe(
            "playlist", names("playlist", 'not one["is_public"]'), "Harbor Lights|Snow Day|Slow Lane|Blue Hour|Encore"
        ),
    ),
    find(
        "add_song_to_playlist",
        "music",
        'put the song "{song}" into my playlist "{mix}", and create that playlist as a private one if there is none',
        "that playlist was missing",
        sought("playlist", "mix", "found")
        + """\
if found is None:
    found = apis.music.create_playlist(access_token=music_token, title=mix)
    MISSING
"""
        + finding("song", "song")
        + """\
apis.music.add_song_to_playlist(
    access_token=music_token, playlist_id=found["playlist_id"], song_id=song_id
)
""",
        pick("song", "song"),
        maybe("mix", names("playlist"), "Harbor Lights|Snow Day|Slow Lane|Blue Hour|Encore"),
    ),
    find(
        "add_task_to_project",
        "todo",
        'add the task "{task}" to my todo project "{project}"; if there is no such project, create it in the color'
        ' "{color}" first',
        "that project was missing",
        sought("project", "project", "found")
        + """\
if found is None:
    found = apis.todo.create_project(access_token=todo_token, name=project, color=color)
    MISSING
apis.todo.create_task(access_token=todo_token, title=task, project_id=found["project_id"])
""",
        words("task", parts.CHORES),
        maybe("project", names("project"), "Allotment|Tandem|Choir|House boat|Chess club"),
        words("color", "red|orange|yellow|green|blue|purple"),
    ),
    find(
        "finish_or_add_task",
        "todo",
        'mark my open task "{task}" as done, or, if I have no task with that title, add one to my inbox',
        "that task was missing",
        sought("task", "task", "found")
        + """\
if found is None:
    apis.todo.create_task(access_token=todo_token, title=task)
    MISSING
else:
    apis.todo.mark_task_done(access_token=todo_token, task_id=found["task_id"])
""",
        maybe("task", names("task", 'not one["done"]'), parts.CHORES),
    ),
    find(
        "write_or_extend_note",
        "notes",
        'put the line "{line}" at the end of my note "{title}", or write a new note with this title and nothing but'
        " this line if there is none",
        "that note was missing",
        sought("note", "title", "found")
        + """\
if found is None:
    apis.notes.create_note(access_token=notes_token, title=title, content=line)
    MISSING
else:
    apis.notes.append_to_note(access_token=notes_token, note_id=found["note_id"], text=line)
""",
        words("line", parts.TEXTS),
        maybe("title", names("note"), parts.TITLES),
    ),
    find(
        "tag_or_write_note",
        "notes",
        'tag my note "{title}" with "{tag}"; if I have no note of that title, write an empty one with this tag',
        "that note was missing",
        sought("note", "title", "found")
        + """\
if found is None:
    apis.notes.create_note(access_token=notes_token, title=title, tags=[tag])
    MISSING
else:
    apis.notes.tag_note(access_token=notes_token, note_id=found["note_id"], tag=tag)
""",
        maybe("title", names("note"), parts.TITLES),
        words("tag", parts.TAGS),
    ),
    find(
        "extend_or_create_file",
        "files",
        'add the line "{line}" to the end of the file "{path}", or create the file with just this line if it does not'
        " exist",
        "that file was missing",
        """\
if apis.files.file_exists(access_token=files_token, file_path=path)["exists"]:
    apis.files.append_to_file(access_token=files_token, file_path=path, text=line)
else:
    apis.files.create_file(access_token=files_token, file_path=path, content=line)
    MISSING
""",
        words("line", parts.TEXTS),
        PeopleSlot(name="path", kind=str, choose=some_log),
        test=(_EXISTS, "if False:"),
    ),
    find(
        "copy_into_folder",
        "files",
        'copy the file "{file_path}" into the folder "{folder}" under the same name with "copy-of-" in front, and make'
        " that folder first if I do not have it",
        "that folder was missing",
        """\
if not apis.files.directory_exists(access_token=files_token, directory_path=folder)["exists"]:
    apis.files.create_directory(access_token=files_token, directory_path=folder)
    MISSING
destination = f"{folder}/copy-of-{file_path.split('/')[-1]}"
apis.files.copy_file(access_token=files_token, file_path=file_path, destination_path=destination)
""",
        pick("file_path", "file"),
        PeopleSlot(name="folder", kind=str, choose=_folder),
        test=("if not apis.files.directory", "if apis.files.directory"),
    ),
    find(
        "text_or_note",
        "phone notes",
        'text "{person}" the words "{message}" if they are among my phone contacts; if they are not, write a note'
        " titled with their name that has these words as its content",
        "they are no contact of mine",
        sought("contact", "person", "found")
        + """\
if found is None:
    apis.notes.create_note(access_token=notes_token, title=person, content=message)
    MISSING
else:
    apis.phone.send_text_message(
        access_token=phone_token, phone_number=found["phone_number"], text=message
    )
""",
        maybe("person", names("contact"), _stranger),
        words("message", parts.MESSAGES),
    ),
    find(
        "queue_kept_song",
        "music",
        'put the song "{song}" at the end of my play queue, and add it to my song library, too, if it is missing there',
        "that song was missing from my library",
        finding("song", "song")
        + """\
kept = all_pages(apis.music.show_song_library, access_token=music_token)
if all(one["song_id"] != song_id for one in kept):
    apis.music.add_song_to_library(access_token=music_token, song_id=song_id)
    MISSING
apis.music.add_to_queue(access_token=music_token, song_id=song_id)
""",
        maybe("song", names("kept_song"), names("song")),
        test=("if all(", "if not all("),
    ),
    find(
        "toggle_artist",
        "music",
        'stop following "{artist}" on music if I follow them; if I do not, follow them',
        "I did not follow them before",
        finding("artist", "artist")
        + """\
followed = all_pages(apis.music.show_followed_artists, access_token=music_token)
if any(one["artist_id"] == artist_id for one in followed):
    apis.music.unfollow_artist(access_token=music_token, artist_id=artist_id)
else:
    apis.music.follow_artist(access_token=music_token, artist_id=artist_id)
    MISSING
""",
        maybe("artist", names("followed"), names("artist")),
        test=("if any(", "if not any("),
    ),
    find(
        "join_or_found_group",
        "phone splits",
        'add my contact "{member}" to the splits group "{group}", or create a group of that name with just the two of'
        " us if I have none",
        "that group was missing",
        finding("contact", "member", "email")
        + sought("group", "group", "found")
        + """\
if found is None:
    apis.splits.create_group(access_token=splits_token, name=group, member_emails=[email])
    MISSING
else:
    apis.splits.add_member(access_token=splits_token, group_id=found["group_id"], email=email)
""",
        pick("member", "contact"),
        maybe("group", names("group"), "Ferry Crew|Stone Oven|Tea Society|Kite Day|Bell Tower"),
    ),
    find(
        "approve_or_ask",
        "phone wallet",
        'approve the pending wallet requests for money from my contact "{person}"; if there is none, request {amount}'
        ' dollars from them with the note "{reason}"',
        "there was no such pending request",
        finding("contact", "person", "email")
        + """\
requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
wanted = [one for one in requests if one["requester"]["email"] == email]
for request in wanted:
    apis.wallet.approve_request(access_token=wallet_token, request_id=request["request_id"])
if not wanted:
    apis.wallet.request_payment(
        access_token=wallet_token, payer_email=email, amount=amount, note=reason
    )
    MISSING
""",
        pick("person", "contact"),
        money("amount", 3, 30),
        words("reason", parts.REASONS),
        pays=True,
        test=("if not wanted:", "if wanted:"),
    ),
)


_FRAMES = (
    "CAPFIND. If GAP, DEED, too.",
    "There is one thing to do, and perhaps a second. The first: FIND. The second, only if GAP: DEED.",
    "CAPFIND. In case GAP, there is more to do: DEED. Otherwise this is all.",
)


def found_or_made(deeds: tuple[BranchDeed, ...], each: int) -> Iterator[Errand]:
    """What is looked for, with some deeds that are done only where it is missing, taken in turn."""
    for n, find in enumerate(FINDS):
        fitting = [one for one in deeds[3 * n :] + deeds[: 3 * n] if _fits(find.deed, one)]
        for more in fitting[: 5 * each : 5]:
            yield _errand(find, more)


def _fits(find: BranchDeed, other: BranchDeed) -> bool:
    """Whether another deed shares no app and no slot with it."""
    return disjoint(find.slots, other.slots) and not {*find.apps} & {*other.apps}


def _errand(find: Find, more: BranchDeed) -> Errand:
    main = find.deed
    name = f"{main.word}_and_perhaps_{more.word}"
    slots = kinds(*main.slots, *more.slots)
    apps = apps_of(main.apps, more.apps)
    code = re.sub(r"(?m)^    MISSING\n", lambda match: indent(more.code, "    "), main.code)
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "None", told(_worded(find, more, _FRAMES[0])), apps, body(code)),
        wordings=tuple(_worded(find, more, frame) for frame in _FRAMES),
        values=_values(main, more),
        matters=(find.test,),
    )


def _worded(find: Find, more: BranchDeed, frame: str) -> str:
    frame = frame.replace("CAPFIND", capital(find.deed.says)).replace("FIND", find.deed.says)
    return frame.replace("DEED", more.says).replace("GAP", find.gap)


def _values(find: BranchDeed, more: BranchDeed) -> Drawing:
    def values(draw: Draw) -> Values | None:
        provided(draw, (find, more))
        return chosen(draw, (*find.slots, *more.slots))

    return values
