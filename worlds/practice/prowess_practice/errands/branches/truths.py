"""What is either so or not so, and can be found out before something is done."""

from __future__ import annotations

import re

from prowess_desk.apps.files import Directory, File, home
from prowess_desk.apps.notes import Note
from prowess_desk.apps.phone import Contact
from prowess_desk.apps.splits import Group
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person

from prowess_practice.errands.branches.parts import BranchFact, Choice, finding, having, names, part, pick, words
from prowess_practice.errands.people.plan import PeopleSlot
from prowess_practice.errands.people.scene import strangers


def _truth(word: str, apps: str, says: str, test: str, reads: str, *slots: PeopleSlot) -> BranchFact:
    return BranchFact(word=word, apps=tuple(apps.split()), says=says, test=test, reads=part(reads), slots=slots)


def _somebody(draw: Draw) -> str:
    """A contact, or somebody who is none."""
    if draw.rng.random() < 0.5:
        return strangers(draw, 1)[0].name
    return draw.rng.choice(draw.state[Contact].of(draw.me.id)).name


def _maybe_member(draw: Draw) -> str:
    found = draw.rng.choice([one for one in draw.state[Group].of(draw.me.id) for _ in one.member_ids])
    inside = [draw.state[Person][id].name for id in found.member_ids if id != draw.me.id]
    return draw.rng.choice(inside) if draw.rng.random() < 0.8 else _somebody(draw)


def _word(draw: Draw) -> str | None:
    """A word out of one of the notes."""
    texts = [note.content for note in draw.state[Note].of(draw.me.id)]
    found = [word for text in texts for word in re.findall(r"[a-z]{4,}", text)]
    return draw.rng.choice(found) if found else None


def _path(draw: Draw) -> str:
    """A file's path, as often of one that is there as of none."""
    path = draw.rng.choice([file.path for file in draw.state[File].of(draw.me.id)])
    folder, _, name = path.rpartition("/")
    return path if draw.rng.random() < 0.5 else f"{folder}/{draw.rng.choice(('old-', 'my-', 'new-'))}{name}"


def _folder(draw: Draw) -> str:
    there = [row.path for row in draw.state[Directory].of(draw.me.id)]
    none = [f"{home(draw.me)}/{name}" for name in ("music", "videos", "scans", "taxes", "archive")]
    return draw.rng.choice(there if draw.rng.random() < 0.5 else none)


def _either(first: Choice, second: Choice) -> Choice:
    return lambda draw: (first if draw.rng.random() < 0.5 else second)(draw)


def _slot(name: str, choose: Choice) -> PeopleSlot:
    return PeopleSlot(name=name, kind=str, choose=choose)


_PERSON = _slot("person", _somebody)

TRUTHS = (
    _truth(
        "being_a_contact",
        "phone",
        '"{person}" is among my phone contacts',
        "is_contact",
        "people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=person)\n"
        'is_contact = any(one["name"] == person for one in people)',
        _PERSON,
    ),
    _truth(
        "being_a_friend",
        "wallet",
        '"{person}" is one of my friends on wallet',
        "is_friend",
        "people = all_pages(apis.wallet.show_friends, access_token=wallet_token, query=person)\n"
        'is_friend = any(one["name"] == person for one in people)',
        _PERSON,
    ),
    _truth(
        "being_a_member",
        "splits",
        '"{person}" is in the splits group "{group}"',
        "is_member",
        having("group", "group", "found") + 'is_member = any(one["name"] == person for one in found["members"])',
        _slot("person", _maybe_member),
        pick("group", "group"),
    ),
    _truth(
        "done_task",
        "todo",
        'my task "{task}" is done already',
        "is_done",
        finding("task", "task", "done", "is_done"),
        _slot("task", _either(names("task", 'one["done"]'), names("task", 'not one["done"]'))),
    ),
    _truth(
        "due_task",
        "todo",
        'my task "{task}" has a due date',
        "due_date is not None",
        finding("task", "task", "due_date"),
        _slot("task", _either(names("task", 'one["due_date"]'), names("task", 'not one["due_date"]'))),
    ),
    _truth(
        "open_steps",
        "todo",
        'my task "{task}" has any subtask that is not done',
        "has_open_steps",
        finding("task", "task")
        + 'subtasks = apis.todo.show_task(access_token=todo_token, task_id=task_id)["subtasks"]\n'
        + 'has_open_steps = any(not one["done"] for one in subtasks)',
        _slot("task", names("task")),
    ),
    _truth(
        "word_in_note",
        "notes",
        'the text of my note "{note}" has "{word}" in it, in capitals or not',
        "has_word",
        finding("note", "note")
        + 'content = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]\n'
        + "has_word = word.lower() in content.lower()",
        pick("note", "note"),
        _slot("word", _word),
    ),
    _truth(
        "tag_of_note",
        "notes",
        'my note "{note}" has the tag "{tag}"',
        "has_tag",
        having("note", "note", "found") + 'has_tag = tag in found["tags"]',
        pick("note", "note"),
        words("tag", "work|home|ideas|travel|money|health|family"),
    ),
    _truth(
        "pin_of_note",
        "notes",
        'my note "{note}" is pinned',
        "is_pinned",
        finding("note", "note", "pinned", "is_pinned"),
        _slot("note", _either(names("note", 'one["pinned"]'), names("note", 'not one["pinned"]'))),
    ),
    _truth(
        "used_tag",
        "notes",
        'any note of mine has the tag "{tag}"',
        "is_used",
        'tags = apis.notes.list_tags(access_token=notes_token)\nis_used = any(one["tag"] == tag for one in tags)',
        words("tag", "work|home|ideas|travel|money|health|family|school|music"),
    ),
    _truth(
        "used_label",
        "todo",
        'any task of mine, done or not, has the label "{label}"',
        "is_used",
        "labels = apis.todo.list_labels(access_token=todo_token)\n"
        'is_used = any(one["label"] == label for one in labels)',
        words("label", "errand|online|phone|quick|waiting|weekend|urgent|someday|family"),
    ),
    _truth(
        "active_alarm",
        "phone",
        'my alarm "{alarm}" is switched on',
        "is_on",
        finding("alarm", "alarm", "is_enabled", "is_on"),
        _slot("alarm", _either(names("alarm", 'one["is_enabled"]'), names("alarm", 'not one["is_enabled"]'))),
    ),
    _truth(
        "last_text",
        "phone",
        'the last text message between my contact "{correspondent}" and me came from me',
        "is_mine",
        "conversations = all_pages(apis.phone.show_conversations, access_token=phone_token)\n"
        'talk = next(one for one in conversations if one["name"] == correspondent)\n'
        'is_mine = talk["last_message"]["receiver"]["name"] == correspondent',
        pick("correspondent", "contact"),
    ),
    _truth(
        "last_call",
        "phone",
        'the latest call between my contact "{correspondent}" and me went unanswered',
        "was_missed",
        finding("contact", "correspondent", "phone_number", "their_number")
        + "calls = all_pages(apis.phone.show_call_log, access_token=phone_token, phone_number=their_number)\n"
        + 'was_missed = max(calls, key=lambda call: call["started_at"])["is_missed"]',
        pick("correspondent", "contact"),
    ),
    _truth(
        "public_playlist",
        "music",
        'my playlist "{playlist}" is public',
        "is_public",
        finding("playlist", "playlist", "is_public"),
        pick("playlist", "playlist"),
    ),
    _truth(
        "liked_song",
        "music",
        'the song "{song}" is one of those I like on music',
        "is_liked",
        "liked = all_pages(apis.music.show_liked_songs, access_token=music_token)\n"
        'is_liked = any(one["title"] == song for one in liked)',
        _slot("song", _either(names("liked_song"), names("song"))),
    ),
    _truth(
        "kept_album",
        "music",
        'the album "{album}" is in my album library',
        "is_kept",
        "kept = all_pages(apis.music.show_album_library, access_token=music_token)\n"
        'is_kept = any(one["title"] == album for one in kept)',
        _slot("album", _either(names("kept_album"), names("album"))),
    ),
    _truth(
        "followed_artist",
        "music",
        'I follow the artist "{artist}" on music',
        "is_followed",
        "followed = all_pages(apis.music.show_followed_artists, access_token=music_token)\n"
        'is_followed = any(one["name"] == artist for one in followed)',
        _slot("artist", _either(names("followed"), names("artist"))),
    ),
    _truth(
        "song_in_playlist",
        "music",
        'the song "{song}" is in my playlist "{playlist}"',
        "is_inside",
        finding("playlist", "playlist", name="wanted_id")
        + 'inside = apis.music.show_playlist(access_token=music_token, playlist_id=wanted_id)["songs"]\n'
        + 'is_inside = any(one["title"] == song for one in inside)',
        _slot("song", _either(names("kept_song"), names("liked_song"))),
        pick("playlist", "playlist"),
    ),
    _truth(
        "existing_file",
        "files",
        'there is a file "{file_path}"',
        "exists",
        'exists = apis.files.file_exists(access_token=files_token, file_path=file_path)["exists"]',
        _slot("file_path", _path),
    ),
    _truth(
        "existing_folder",
        "files",
        'I have a folder "{folder}"',
        "exists",
        'exists = apis.files.directory_exists(access_token=files_token, directory_path=folder)["exists"]',
        _slot("folder", _folder),
    ),
    _truth(
        "last_expense",
        "splits",
        'the latest expense in the splits group "{group}" was paid by me',
        "is_mine",
        finding("group", "group", name="spending_id")
        + "spent = all_pages(apis.splits.show_expenses, access_token=splits_token, group_id=spending_id)\n"
        + 'newest = max(spent, key=lambda one: one["created_at"])\n'
        + 'is_mine = newest["paid_by"]["email"] == apis.supervisor.show_profile()["email"]',
        pick("group", "group"),
    ),
    _truth(
        "debt_to_contact",
        "phone splits",
        'I owe my contact "{creditor}" money on splits, all in all',
        "balance < 0",
        finding("contact", "creditor", "email", "their_email")
        + 'balance = apis.splits.show_person_balance(access_token=splits_token, email=their_email)["balance"]',
        pick("creditor", "contact"),
    ),
    _truth(
        "pending_request_from",
        "wallet",
        'a wallet request for money from "{requester}" to me is pending',
        "is_pending",
        'asking = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")\n'
        'is_pending = any(one["requester"]["name"] == requester for one in asking)',
        _slot("requester", names("friend")),
    ),
)
