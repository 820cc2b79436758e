"""What can be done about songs, playlists, notes and files where a text says what should become of each."""

from __future__ import annotations

from prowess_desk.apps.music import Playlist, Song
from prowess_desk.engine.family import Draw

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, NamedThings
from prowess_practice.errands.lines.pools import paired

_MUSIC, _NOTES, _FILES = ("music",), ("notes",), ("files",)
_OPINIONS = ("Better live.", "My neighbor hums it.", "Too much drum.", "Good for walking.", "Wonderful ending.")
_WORDS = ("new chapter", "second try", "clean copy", "spring version", "pocket guide", "long form", "short form")
_LINES = ("buy more", "ask the neighbor", "seen in town", "moved to the cellar", "costs 12", "see page four")
_NAMES = ("alpha", "birch", "comet", "delta", "ember", "fjord", "gable")
_FOLDERS = ("documents", "documents/work", "photos", "receipts", "backups")
_NO_NOTE = ("Titles that no note has are skipped.", "If there is no note of that very title, leave it out.")
_NO_FILE = ("Names that no file in there has are skipped.", "A file that is not in ~/downloads is left out.")


def _fresh(draw: Draw, name: str) -> str:
    """A new title that no other gets."""
    return f"{draw.rng.choice(_WORDS)} of {name}"


def _mixes(draw: Draw) -> NamedThings:
    """Songs, each with a playlist that lacks it; one has it."""
    mine = draw.state[Playlist].of(draw.me.id)
    songs = draw.rng.sample(list(draw.state[Song]), 12)
    good = []
    for song in songs:
        lacking = [one.title for one in mine if song.id not in one.song_ids]
        good += [(song.title, draw.rng.choice(lacking))] if lacking else []
    full = draw.rng.choice(mine)
    return NamedThings(good, ([(draw.state[Song][id].title, full.title) for id in full.song_ids],))


def _notes(call: str) -> str:
    return f"""
    count = 0
    for name, value in pairs:
        for one in all_pages(apis.notes.search_notes, access_token=notes_token, query=name):
            if one["title"] == name:
                apis.notes.{call}
                count += 1
    return count
"""


def _downloads(target: str, api: str) -> str:
    return f"""
    wanted = dict(pairs)
    count = 0
    for path in apis.files.show_directory(access_token=files_token, directory_path="~/downloads")["files"]:
        name = path.split("/")[-1]
        if name in wanted:
            target = {target}
            apis.files.{api}(access_token=files_token, file_path=path, destination_path=target)
            count += 1
    return count
"""


_ID = '(access_token=notes_token, note_id=one["note_id"]'

ACTS = (
    Act(
        word="review_songs_each",
        apps=_MUSIC,
        one="song",
        key="title of a song",
        value="rating",
        do=("review OBJ with the rating given there and no text", "rate OBJ, without a text, as it says there"),
        skips=(
            "Songs that I have reviewed already keep their rating, and titles that no song has exactly are skipped.",
            "Skip what has a review of mine, and titles that no song has word for word.",
        ),
        about="Review the songs",
        code="""
    reviewed = [review["song_title"] for review in all_pages(apis.music.show_my_reviews, access_token=music_token)]
    count = 0
    for name, value in pairs:
        found = all_pages(apis.music.search_songs, access_token=music_token, query=name)
        song = next((one for one in found if one["title"] == name), None)
        if song and name not in reviewed:
            apis.music.review_song(access_token=music_token, song_id=song["song_id"], rating=int(value))
            count += 1
    return count
""",
        pool=paired(pools.unreviewed_songs, lambda draw, name: str(draw.rng.randint(1, 5))),
        matters=((' if one["title"] == name', ""),),
    ),
    Act(
        word="rewrite_reviews_each",
        apps=_MUSIC,
        one="song",
        key="title of a song",
        value="text of my review",
        do=(
            "change the texts of my reviews of OBJ, not the ratings, to what it says there",
            "let my reviews of OBJ say what is given there, with their ratings unchanged,",
        ),
        skips=("If I have not reviewed a song, skip it.", "Songs without a review of mine need nothing."),
        about="Rewrite the reviews of the songs",
        code="""
    reviews = all_pages(apis.music.show_my_reviews, access_token=music_token)
    review_ids = {review["song_title"]: review["review_id"] for review in reviews}
    chosen = [(name, value) for name, value in pairs if name in review_ids]
    for name, value in chosen:
        apis.music.update_review(access_token=music_token, review_id=review_ids[name], text=value)
    return len(chosen)
""",
        pool=paired(pools.reviewed_songs, lambda draw, name: draw.rng.choice(_OPINIONS)),
    ),
    Act(
        word="distribute_songs",
        apps=_MUSIC,
        one="song",
        key="title of a song",
        value="title of a playlist of mine",
        do=("add OBJ to the playlists named next to them", "put OBJ into the playlist that is given for each"),
        skips=("If a playlist has a song already, leave it at that.", "What is in its playlist already stays there."),
        about="Add to their playlists the songs",
        code="""
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    by_title = {one["title"]: one for one in playlists}
    count = 0
    for name, value in pairs:
        found = all_pages(apis.music.search_songs, access_token=music_token, query=name)
        song_id = next(one["song_id"] for one in found if one["title"] == name)
        if song_id not in by_title[value]["song_ids"]:
            apis.music.add_song_to_playlist(
                access_token=music_token, playlist_id=by_title[value]["playlist_id"], song_id=song_id
            )
            count += 1
    return count
""",
        pool=_mixes,
    ),
    Act(
        word="rename_playlists_each",
        apps=_MUSIC,
        one="playlist",
        key="title of a playlist of mine",
        value="new title",
        do=("rename OBJ as it says there", "give OBJ the new titles that stand there"),
        skips=("A title that I have no playlist of is skipped.", "What is no playlist of mine is left out."),
        about="Rename the playlists",
        code="""
    wanted = dict(pairs)
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    chosen = [one for one in playlists if one["title"] in wanted]
    for one in chosen:
        apis.music.update_playlist(
            access_token=music_token, playlist_id=one["playlist_id"], title=wanted[one["title"]]
        )
    return len(chosen)
""",
        pool=paired(pools.playlists, _fresh),
        fewest=2,
        most=3,
    ),
    Act(
        word="tag_notes_each",
        apps=_NOTES,
        one="note",
        key="title of a note",
        value="tag",
        do=("give OBJ, archived or not, the tags that stand there", "tag OBJ (also archived ones) as it says there"),
        skips=_NO_NOTE,
        about="Tag the notes",
        code=_notes(f"tag_note{_ID}, tag=value)"),
        pool=paired(pools.any_notes, lambda draw, name: draw.rng.choice(("spring", "reread", "shared", "club"))),
    ),
    Act(
        word="rename_notes_each",
        apps=_NOTES,
        one="note",
        key="title of a note",
        value="new title",
        do=("rename OBJ, archived or not, as it says there", "give OBJ (also archived ones) the titles given there"),
        skips=_NO_NOTE,
        about="Rename the notes",
        code=_notes(f"update_note{_ID}, title=value)"),
        pool=paired(pools.any_notes, _fresh),
    ),
    Act(
        word="extend_notes_each",
        apps=_NOTES,
        one="note",
        key="title of a note",
        value="line to add",
        do=(
            "append to OBJ, archived or not, the line given for each",
            "let OBJ (also archived ones) end with the new line that stands next to each",
        ),
        skips=_NO_NOTE,
        about="Append lines to the notes",
        code=_notes(f"append_to_note{_ID}, text=value)"),
        pool=paired(pools.any_notes, lambda draw, name: draw.rng.choice(_LINES)),
    ),
    Act(
        word="write_new_notes",
        apps=_NOTES,
        one="note",
        ones="notes",
        key="title",
        value="content",
        do=(
            "write new notes of OBJ, with the titles and contents given there",
            "create OBJ, title and content as given",
        ),
        about="Write the notes",
        code="""
    for name, value in pairs:
        apis.notes.create_note(access_token=notes_token, title=name, content=value)
    return len(pairs)
""",
        pool=paired(pools.fresh_titles, lambda draw, name: draw.rng.choice(_LINES)),
    ),
    Act(
        word="rename_downloads_each",
        apps=_FILES,
        one="file",
        key="name of a file in ~/downloads",
        value="new name",
        do=("rename OBJ in ~/downloads as it says there", "give OBJ, which stay in ~/downloads, the new names"),
        skips=_NO_FILE,
        about="Rename in downloads the files",
        code=_downloads('f"~/downloads/{wanted[name]}"', "move_file"),
        pool=paired(pools.downloads, lambda draw, name: f"{draw.rng.choice(_NAMES)}-{name}"),
    ),
    Act(
        word="distribute_downloads",
        apps=_FILES,
        one="file",
        key="name of a file in ~/downloads",
        value="folder in my home directory",
        do=(
            "move OBJ from ~/downloads to the folders given for them, under the same names",
            "take OBJ out of ~/downloads and put each, its name unchanged, into the folder that stands there",
        ),
        skips=_NO_FILE,
        about="Move out of downloads to their folders the files",
        code=_downloads('f"~/{wanted[name]}/{name}"', "move_file"),
        pool=paired(pools.downloads, lambda draw, name: draw.rng.choice(_FOLDERS)),
    ),
    Act(
        word="write_new_files",
        apps=_FILES,
        one="file",
        key="name of a file to be",
        value="content",
        do=(
            'create OBJ in "{target_folder}" with the contents given there',
            'write OBJ into "{target_folder}" as new files that hold what is given for each',
        ),
        about="Write into a folder the files",
        code="""
    for name, value in pairs:
        apis.files.create_file(access_token=files_token, file_path=f"{target_folder}/{name}", content=value)
    return len(pairs)
""",
        pool=lambda draw: NamedThings([(f"{name}.txt", draw.rng.choice(_LINES)) for name in _NAMES]),
        slots={"target_folder": str},
        choose=lambda draw: {"target_folder": f"~/{draw.rng.choice(_FOLDERS)}"},
    ),
)
