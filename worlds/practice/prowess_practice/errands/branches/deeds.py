"""Deeds with music, phone, notes and files."""

from __future__ import annotations

from prowess_desk.apps.files import Directory, home
from prowess_desk.engine.family import Draw

from prowess_practice.errands.branches import words as texts
from prowess_practice.errands.branches.draws import KINDS, Choice, finding, number, pick, words
from prowess_practice.errands.branches.part import Deed, part
from prowess_practice.errands.people.plan import Slot


def deed(word: str, apps: str, says: str, code: str, *slots: Slot, pays: bool = False) -> Deed:
    """A deed, in short."""
    return Deed(word=word, apps=tuple(apps.split()), says=says, code=part(code), slots=slots, pays=pays)


def on(
    word: str,
    says: str,
    kind: str,
    slot: str,
    *slots: Slot,
    api: str = "",
    given: str = "",
    where: str = "True",
    without: str = "",
    field: str = "",
    takes: str = "",
    pays: bool = False,
) -> Deed:
    """A thing is found by its name, and an API is called with it."""
    one = KINDS[kind]
    found = field or one.id
    call = f"apis.{one.app}.{api or word}(access_token={one.app}_token, {takes or found}={found}{given})"
    first = pick(slot, kind, where, without)
    return deed(word, one.app, says, f"{finding(kind, slot, field)}{call}", first, *slots, pays=pays)


def some_folder(draw: Draw) -> str | None:
    """One of the person's folders."""
    found = [row.path for row in draw.state[Directory].of(draw.me.id)]
    return draw.rng.choice(found) if found else None


def _path(draw: Draw) -> str:
    folder = draw.rng.choice(("documents", "downloads", "photos"))
    return f"{home(draw.me)}/{folder}/{draw.rng.choice(('summary', 'outline', 'checklist', 'memo', 'inventory'))}.txt"


def _fresh(draw: Draw) -> str:
    return f"{home(draw.me)}/{draw.rng.choice(('drafts', 'scans', 'sketches', 'exports', 'taxes', 'recipes'))}"


def _archive(draw: Draw) -> str:
    return f"{home(draw.me)}/{draw.rng.choice(('packed', 'bundle', 'snapshot', 'safe-copy'))}.zip"


def _at(name: str, choose: Choice) -> Slot:
    return Slot(name=name, kind=str, choose=choose)


_KEPT = 'not one["archived"]'
_FILE = "access_token=files_token, file_path="

MUSIC = (
    on("like_song", 'like the song "{song_to_like}"', "song", "song_to_like", without="show_liked_songs"),
    on("unlike_song", 'take back my like of the song "{liked_song}"', "liked_song", "liked_song"),
    on(
        "add_song_to_library",
        'add the song "{song_to_keep}" to my song library',
        "song",
        "song_to_keep",
        without="show_song_library",
    ),
    on(
        "remove_song_from_library", 'remove the song "{song_to_drop}" from my song library', "kept_song", "song_to_drop"
    ),
    on("add_to_queue", 'put the song "{song_to_queue}" at the end of my play queue', "song", "song_to_queue"),
    on("play_playlist", 'play my playlist "{playlist_to_play}"', "playlist", "playlist_to_play", api="play"),
    on("play_album", 'play the album "{album_to_play}"', "album", "album_to_play", api="play"),
    deed(
        "set_volume",
        "music",
        "set the volume of the music player to {volume}",
        "apis.music.set_volume(access_token=music_token, volume=volume)",
        number("volume", 5, 12, 18, 33, 47, 62, 78, 91),
    ),
    deed(
        "clear_queue",
        "music",
        "empty the play queue of the music player",
        "apis.music.clear_queue(access_token=music_token)",
    ),
    deed(
        "skip_song",
        "music",
        "skip to the next song in the music player",
        'apis.music.skip(access_token=music_token, direction="next")',
    ),
    on(
        "follow_artist",
        'follow the artist "{artist_to_follow}" on music',
        "artist",
        "artist_to_follow",
        without="show_followed_artists",
    ),
    on("unfollow_artist", 'stop following the artist "{artist_to_leave}" on music', "followed", "artist_to_leave"),
    on(
        "open_playlist",
        'make my playlist "{private_playlist}" public',
        "playlist",
        "private_playlist",
        api="update_playlist",
        given=", is_public=True",
        where='not one["is_public"]',
    ),
    on(
        "rename_playlist",
        'rename my playlist "{old_playlist}" to "{new_name}"',
        "playlist",
        "old_playlist",
        words("new_name", texts.MIXES),
        api="update_playlist",
        given=", title=new_name",
    ),
    on("delete_playlist", 'delete my playlist "{playlist_to_delete}"', "playlist", "playlist_to_delete"),
    deed(
        "create_playlist",
        "music",
        'create an empty private playlist titled "{new_playlist}"',
        "apis.music.create_playlist(access_token=music_token, title=new_playlist)",
        words("new_playlist", texts.MIXES),
    ),
    on("like_album", 'like the album "{album_to_like}"', "album", "album_to_like", without="show_liked_albums"),
    on(
        "add_album_to_library",
        'put the album "{album_to_keep}" into my album library',
        "album",
        "album_to_keep",
        without="show_album_library",
    ),
    on(
        "review_song",
        'review the song "{song_to_rate}" with {stars} stars and no text',
        "song",
        "song_to_rate",
        number("stars", 2, 3, 4, 5),
        given=", rating=stars",
        without="show_my_reviews",
    ),
    on(
        "update_review",
        'change the text of my review of the song "{reviewed_song}" to "{verdict}"',
        "review",
        "reviewed_song",
        words("verdict", texts.VERDICTS),
        given=", text=verdict",
    ),
    on("delete_review", 'delete my review of the song "{song_of_review}"', "review", "song_of_review"),
)

PHONE = (
    on(
        "send_text_message",
        'send my contact "{receiver}" the text message "{message}"',
        "contact",
        "receiver",
        words("message", texts.MESSAGES),
        given=", text=message",
        field="phone_number",
    ),
    on(
        "send_voice_message",
        'leave my contact "{listener}" the voice message "{spoken}"',
        "contact",
        "listener",
        words("spoken", texts.MESSAGES),
        given=", transcript=spoken",
        field="phone_number",
    ),
    deed(
        "create_alarm",
        "phone",
        'set a new alarm with the label "{alarm_label}" for "{alarm_time}"',
        "apis.phone.create_alarm(access_token=phone_token, label=alarm_label, time=alarm_time)",
        words("alarm_label", texts.LABELS),
        words("alarm_time", texts.TIMES),
    ),
    on(
        "silence_alarm",
        'switch off my alarm "{active_alarm}"',
        "alarm",
        "active_alarm",
        api="update_alarm",
        given=", is_enabled=False",
        where='one["is_enabled"]',
    ),
    on(
        "move_alarm",
        'move my alarm "{alarm_to_move}" to "{new_time}"',
        "alarm",
        "alarm_to_move",
        words("new_time", texts.TIMES),
        api="update_alarm",
        given=", time=new_time",
    ),
    on("delete_alarm", 'delete my alarm "{alarm_to_delete}"', "alarm", "alarm_to_delete"),
    on(
        "update_contact",
        'change the address of my contact "{mover}" to "{new_address}"',
        "contact",
        "mover",
        words("new_address", texts.ADDRESSES),
        given=", address=new_address",
    ),
    on("delete_contact", 'delete "{old_contact}" from my phone contacts', "contact", "old_contact"),
    deed(
        "delete_last_text",
        "phone",
        'delete the latest text message that my contact "{texter}" sent me',
        finding("contact", "texter", "phone_number")
        + """\
texts = all_pages(
    apis.phone.show_text_messages,
    access_token=phone_token,
    phone_number=phone_number,
    direction="received",
)
latest = max(texts, key=lambda text: text["sent_at"])
apis.phone.delete_text_message(access_token=phone_token, message_id=latest["message_id"])
""",
        pick("texter", "contact"),
    ),
)

PAPERS = (
    deed(
        "create_note",
        "notes",
        'write a new note titled "{new_title}" with the content "{new_text}"',
        "apis.notes.create_note(access_token=notes_token, title=new_title, content=new_text)",
        words("new_title", texts.TITLES),
        words("new_text", texts.TEXTS),
    ),
    on(
        "append_to_note",
        'add to the end of my note "{note_to_extend}" the line "{new_line}"',
        "note",
        "note_to_extend",
        words("new_line", texts.TEXTS),
        given=", text=new_line",
        where=_KEPT,
    ),
    on("pin_note", 'pin my note "{note_to_pin}"', "note", "note_to_pin", where=f'{_KEPT} and not one["pinned"]'),
    on("archive_note", 'archive my note "{note_to_archive}"', "note", "note_to_archive", where=_KEPT),
    on(
        "tag_note",
        'tag my note "{note_to_tag}" with "{new_tag}"',
        "note",
        "note_to_tag",
        words("new_tag", texts.TAGS),
        given=", tag=new_tag",
    ),
    on("delete_note", 'delete my note "{note_to_delete}"', "note", "note_to_delete"),
    on(
        "duplicate_note",
        'duplicate my note "{note_to_copy}" under the title "{title_of_copy}"',
        "note",
        "note_to_copy",
        words("title_of_copy", "Spare copy|Version two|For the others|To keep"),
        given=", title=title_of_copy",
    ),
    deed(
        "create_file",
        "files",
        'create the file "{new_path}" with the content "{file_text}"',
        f"apis.files.create_file({_FILE}new_path, content=file_text)",
        _at("new_path", _path),
        words("file_text", texts.TEXTS),
    ),
    deed(
        "append_to_file",
        "files",
        'add to the end of my file "{file_to_extend}" the line "{file_line}"',
        f"apis.files.append_to_file({_FILE}file_to_extend, text=file_line)",
        pick("file_to_extend", "file", 'one["path"].endswith((".txt", ".md"))'),
        words("file_line", texts.TEXTS),
    ),
    deed(
        "delete_file",
        "files",
        'delete the file "{file_to_delete}"',
        f"apis.files.delete_file({_FILE}file_to_delete)",
        pick("file_to_delete", "file"),
    ),
    deed(
        "copy_file",
        "files",
        'copy the file "{file_to_copy}" to the same path with ".copy" at the end',
        'destination = f"{file_to_copy}.copy"\n'
        f"apis.files.copy_file({_FILE}file_to_copy, destination_path=destination)",
        pick("file_to_copy", "file"),
    ),
    deed(
        "move_file",
        "files",
        'move the file "{file_to_move}" into my home directory "~", under the same name',
        'destination = "~/" + file_to_move.split("/")[-1]\n'
        f"apis.files.move_file({_FILE}file_to_move, destination_path=destination)",
        pick("file_to_move", "file", 'one["path"].count("/") > 3'),
    ),
    deed(
        "compress_directory",
        "files",
        'compress the folder "{folder_to_pack}" into "{archive_path}" without deleting it',
        "apis.files.compress_directory("
        "access_token=files_token, directory_path=folder_to_pack, archive_path=archive_path)",
        _at("folder_to_pack", some_folder),
        _at("archive_path", _archive),
    ),
    deed(
        "create_directory",
        "files",
        'make a new folder "{new_folder}"',
        "apis.files.create_directory(access_token=files_token, directory_path=new_folder)",
        _at("new_folder", _fresh),
    ),
)
