"""What can be done in the music app about songs, albums, artists and playlists that a text names."""

from __future__ import annotations

from prowess_desk.apps.music import Playlist
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, Pool

_MUSIC = ("music",)
_SONG = "the title of a song"
_EXACT = (' if one["title"] == name', "")
_MIXES = ("New mix", "For the road", "Sunday sounds", "On repeat", "Hand picked", "Fresh start", "Borrowed tunes")


def _finds(kind: str, api: str, field: str = "title") -> str:
    """Lines of a loop over names that find the thing of just this name in the catalogue, or None."""
    return (
        f"        found = all_pages(apis.music.{api}, access_token=music_token, query=name)\n"
        f'        {kind} = next((one for one in found if one["{field}"] == name), None)\n'
    )


def _adding(kind: str, search: str, listing: str, api: str, known: str, field: str = "title") -> str:
    """Do it to what the catalogue has and a listing has not."""
    return f"""
    {known} = {{one["{kind}_id"] for one in all_pages(apis.music.{listing}, access_token=music_token)}}
    count = 0
    for name in names:
{_finds(kind, search, field)}        if {kind} and {kind}["{kind}_id"] not in {known}:
            apis.music.{api}(access_token=music_token, {kind}_id={kind}["{kind}_id"])
            count += 1
    return count
"""


def _removing(kind: str, listing: str, api: str, rows: str, field: str = "title") -> str:
    """Do it to those rows of a listing that are named."""
    return f"""
    {rows} = all_pages(apis.music.{listing}, access_token=music_token)
    chosen = [one for one in {rows} if one["{field}"] in names]
    for one in chosen:
        apis.music.{api}(access_token=music_token, {kind}_id=one["{kind}_id"])
    return len(chosen)
"""


def _mix(draw: Draw) -> Values:
    return {"new_playlist": draw.rng.choice(_MIXES)}


def _one_playlist(draw: Draw) -> Playlist:
    """The playlist that both pool and slot speak of."""
    mine = draw.state[Playlist].of(draw.me.id)
    return max(mine, key=lambda one: len(one.song_ids))


def _outside(draw: Draw) -> Pool:
    return pools.songs_apart(draw, {*_one_playlist(draw).song_ids})


def _inside(draw: Draw) -> Pool:
    return pools.reverse(_outside(draw))


def _its_title(draw: Draw) -> Values:
    return {"playlist": _one_playlist(draw).title}


_FINDS_PLAYLIST = """
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)
    songs = apis.music.show_playlist(access_token=music_token, playlist_id=playlist_id)["songs"]
"""

ACTS = (
    Act(
        word="like_songs",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=("like OBJ", "put my like on OBJ"),
        skips=(
            "Leave out what I like already and titles that the catalogue does not have word for word.",
            "If I like one of them already, or if no song is called exactly that, skip it.",
        ),
        about="Like the songs",
        code=_adding("song", "search_songs", "show_liked_songs", "like_song", "liked"),
        pool=pools.unliked_songs,
        matters=(_EXACT,),
    ),
    Act(
        word="unlike_songs",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=("take back my like of OBJ", "unlike OBJ"),
        skips=(
            "Where I have not liked a song, there is nothing to do.",
            "Songs without my like are skipped.",
        ),
        about="Unlike the songs",
        code=_removing("song", "show_liked_songs", "unlike_song", "liked"),
        pool=pools.liked_songs,
    ),
    Act(
        word="save_songs",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=("add OBJ to my library", "save OBJ in my library"),
        skips=(
            "What is in the library already stays; a title that no song has exactly is ignored.",
            "Skip titles that do not exist word for word, and songs that my library has.",
        ),
        about="Add to the library the songs",
        code=_adding("song", "search_songs", "show_song_library", "add_song_to_library", "saved"),
        pool=pools.unsaved_songs,
        matters=(_EXACT,),
    ),
    Act(
        word="unsave_songs",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=("remove OBJ from my library", "throw OBJ out of my library"),
        skips=("Some may not be in the library: never mind.", "If my library does not have one, just go on."),
        about="Remove from the library the songs",
        code=_removing("song", "show_song_library", "remove_song_from_library", "library"),
        pool=pools.saved_songs,
    ),
    Act(
        word="save_albums",
        apps=_MUSIC,
        a="the title of an album",
        one="album",
        do=("add OBJ to my album library", "save OBJ in my library of albums"),
        skips=(
            "Those in my library already, and titles that no album has, are left out.",
            "An album that I have saved before or that does not exist is skipped.",
        ),
        about="Save the albums",
        code=_adding("album", "search_albums", "show_album_library", "add_album_to_library", "saved"),
        pool=pools.unsaved_albums,
    ),
    Act(
        word="unsave_albums",
        apps=_MUSIC,
        a="the title of an album",
        one="album",
        do=("remove OBJ from my album library", "drop OBJ from the albums in my library"),
        skips=("What the library does not have needs nothing.", "Ignore any album that is not in my library."),
        about="Remove from the library the albums",
        code=_removing("album", "show_album_library", "remove_album_from_library", "albums"),
        pool=pools.saved_albums,
        fewest=2,
        most=3,
    ),
    Act(
        word="like_albums",
        apps=_MUSIC,
        a="the title of an album",
        one="album",
        do=("like OBJ", "give a like to OBJ"),
        skips=(
            "Albums that I like already and titles that no album has are left out.",
            "Nothing happens to an album that does not exist or that has my like.",
        ),
        about="Like the albums",
        code=_adding("album", "search_albums", "show_liked_albums", "like_album", "liked"),
        pool=pools.unliked_albums,
    ),
    Act(
        word="follow_artists",
        apps=_MUSIC,
        a="the name of an artist",
        one="artist",
        do=("follow OBJ", "start to follow OBJ"),
        skips=(
            "I follow some of them already, and some names are not in the catalogue: leave those.",
            "Skip artists whom I follow already and names that no artist has.",
        ),
        about="Follow the artists",
        code=_adding("artist", "search_artists", "show_followed_artists", "follow_artist", "followed", "name"),
        pool=pools.unfollowed_artists,
    ),
    Act(
        word="unfollow_artists",
        apps=_MUSIC,
        a="the name of an artist",
        one="artist",
        do=("stop following OBJ", "unfollow OBJ"),
        skips=("Whom I do not follow is skipped.", "If I do not follow somebody there, go on to the next."),
        about="Unfollow the artists",
        code=_removing("artist", "show_followed_artists", "unfollow_artist", "followed", "name"),
        pool=pools.followed_artists,
        fewest=2,
        most=4,
    ),
    Act(
        word="queue_songs",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=("add OBJ to the end of my queue, in the order in which they are named", "queue OBJ, in that very order,"),
        skips=(
            "A title that the catalogue does not have exactly so is passed over.",
            "Titles of no song (compare them word for word) are left out.",
        ),
        about="Queue the songs",
        code=f"""
    count = 0
    for name in names:
{_finds("song", "search_songs")}        if song:
            apis.music.add_to_queue(access_token=music_token, song_id=song["song_id"])
            count += 1
    return count
""",
        pool=pools.any_songs,
        matters=(_EXACT,),
        ordered=True,
    ),
    Act(
        word="new_playlist_of_songs",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=(
            'put OBJ into a new playlist titled "{new_playlist}"',
            'make a new playlist "{new_playlist}" that holds OBJ',
        ),
        skips=(
            "Titles that no song has word for word are left out.",
            "If there is no song of exactly that title, do without it.",
        ),
        about="Make a playlist of the songs",
        code=f"""
    playlist_id = apis.music.create_playlist(access_token=music_token, title=new_playlist)["playlist_id"]
    count = 0
    for name in names:
{_finds("song", "search_songs")}        if song:
            apis.music.add_song_to_playlist(
                access_token=music_token, playlist_id=playlist_id, song_id=song["song_id"]
            )
            count += 1
    return count
""",
        pool=pools.any_songs,
        slots={"new_playlist": str},
        choose=_mix,
        matters=(_EXACT,),
    ),
    Act(
        word="extend_playlist",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=('add OBJ to my playlist "{playlist}"', 'put OBJ into my existing playlist "{playlist}"'),
        skips=(
            "Those that it has already, and titles that no song has exactly, are left out.",
            "A song that the playlist holds is not added twice, and a title that no song has is ignored.",
        ),
        about="Add to a playlist the songs",
        code=f"""{_FINDS_PLAYLIST}    inside = [song["title"] for song in songs]
    count = 0
    for name in names:
{_finds("song", "search_songs")}        if song and name not in inside:
            apis.music.add_song_to_playlist(
                access_token=music_token, playlist_id=playlist_id, song_id=song["song_id"]
            )
            count += 1
    return count
""",
        pool=_outside,
        slots={"playlist": str},
        choose=_its_title,
        matters=(_EXACT,),
    ),
    Act(
        word="thin_out_playlist",
        apps=_MUSIC,
        a=_SONG,
        one="song",
        do=('remove OBJ from my playlist "{playlist}"', 'take OBJ out of my playlist "{playlist}"'),
        skips=("Some are not in that playlist; skip them.", "What the playlist does not hold needs no removing."),
        about="Remove from a playlist the songs",
        code=f"""{_FINDS_PLAYLIST}    chosen = [song["song_id"] for song in songs if song["title"] in names]
    for song_id in chosen:
        apis.music.remove_song_from_playlist(access_token=music_token, playlist_id=playlist_id, song_id=song_id)
    return len(chosen)
""",
        pool=_inside,
        slots={"playlist": str},
        choose=_its_title,
    ),
    Act(
        word="delete_playlists",
        apps=_MUSIC,
        a="the title of one of my playlists",
        one="playlist",
        do=("delete OBJ", "get rid of OBJ"),
        skips=("Where I have no playlist of that title, skip it.", "A title that none of my playlists has is ignored."),
        about="Delete the playlists",
        code=_removing("playlist", "show_playlists", "delete_playlist", "playlists"),
        pool=pools.playlists,
        fewest=2,
        most=3,
    ),
    Act(
        word="publish_playlists",
        apps=_MUSIC,
        a="the title of one of my playlists",
        one="playlist",
        do=("make OBJ public", "turn OBJ into public ones"),
        skips=(
            "Public ones stay public; a title that I have no playlist of is skipped.",
            "There is nothing to do for those that are public, or that do not exist.",
        ),
        about="Make public the playlists",
        code="""
    playlists = all_pages(apis.music.show_playlists, access_token=music_token, is_public=False)
    chosen = [one for one in playlists if one["title"] in names]
    for one in chosen:
        apis.music.update_playlist(access_token=music_token, playlist_id=one["playlist_id"], is_public=True)
    return len(chosen)
""",
        pool=pools.playlists,
        fewest=2,
        most=3,
    ),
)
