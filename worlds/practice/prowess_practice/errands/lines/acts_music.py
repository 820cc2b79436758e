"""What can be done in the music app about what a text names, or one step on: songs of albums, artists of songs."""

from __future__ import annotations

from prowess_desk.apps.music import Playlist
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act, NamedThings

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


def _outside(draw: Draw) -> NamedThings:
    return pools.songs_apart(draw, {*_one_playlist(draw).song_ids})


def _inside(draw: Draw) -> NamedThings:
    return pools.reverse(_outside(draw))


def _its_title(draw: Draw) -> Values:
    return {"playlist": _one_playlist(draw).title}


_FINDS_PLAYLIST = """
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)
    songs = apis.music.show_playlist(access_token=music_token, playlist_id=playlist_id)["songs"]
"""

MUSIC = (
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


_FINDS_SONG = """        found = all_pages(apis.music.search_songs, access_token=music_token, query=name)
        song = next((one for one in found if one["title"] == name), None)
"""
_FINDS_ALBUM = """        found = all_pages(apis.music.search_albums, access_token=music_token, query=name)
        album = next((one for one in found if one["title"] == name), None)
"""

RECORDS = (
    Act(
        word="delete_reviews_of_songs",
        apps=_MUSIC,
        a="the title of a song",
        one="song",
        do=("delete my reviews of OBJ", "withdraw what I wrote as a review of OBJ, by deleting the review,"),
        skips=("If I have not reviewed a song, skip it.", "Songs without a review of mine need nothing."),
        about="Delete the own reviews of the songs",
        code="""
    reviews = all_pages(apis.music.show_my_reviews, access_token=music_token)
    chosen = [review for review in reviews if review["song_title"] in names]
    for review in chosen:
        apis.music.delete_review(access_token=music_token, review_id=review["review_id"])
    return len(chosen)
""",
        pool=pools.reviewed_songs,
    ),
    Act(
        word="give_five_stars_to_songs",
        apps=_MUSIC,
        a="the title of a song that I have reviewed",
        one="song",
        do=("raise my rating of OBJ to 5", "change my reviews of OBJ to a rating of 5, leaving the text,"),
        skips=(
            "Reviews that have a 5 already stay as they are, and songs that I did not review are skipped.",
            "There may be songs I never reviewed, or gave a 5: leave those.",
        ),
        about="Rate with 5 the reviewed songs",
        code="""
    reviews = all_pages(apis.music.show_my_reviews, access_token=music_token, max_rating=4)
    chosen = [review for review in reviews if review["song_title"] in names]
    for review in chosen:
        apis.music.update_review(access_token=music_token, review_id=review["review_id"], rating=5)
    return len(chosen)
""",
        pool=pools.reviewed_songs,
        matters=((", max_rating=4", ", max_rating=2"),),
    ),
    Act(
        word="like_songs_of_albums",
        apps=_MUSIC,
        a="the title of an album",
        one="album",
        do=("like all songs on OBJ", "put a like on every song of OBJ"),
        skips=(
            "Songs that I like already stay as they are, and a title that no album has is skipped.",
            "Skip what I like anyway, and albums that do not exist.",
        ),
        about="Like the songs of the albums",
        code=f"""
    liked = [song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=music_token)]
    count = 0
    for name in names:
{_FINDS_ALBUM}        for song_id in album["song_ids"] if album else []:
            if song_id not in liked:
                apis.music.like_song(access_token=music_token, song_id=song_id)
                count += 1
    return count
""",
        pool=pools.any_albums,
        fewest=3,
        most=4,
    ),
    Act(
        word="queue_first_songs_of_albums",
        apps=_MUSIC,
        a="the title of an album",
        one="album",
        do=(
            "add the first song of OBJ to my queue, in the order of the albums there",
            "queue the opening song of OBJ, album by album in that order,",
        ),
        skips=("A title that no album has is skipped.", "Some titles are of no album; leave them out."),
        about="Queue the first songs of the albums",
        code=f"""
    count = 0
    for name in names:
{_FINDS_ALBUM}        if album:
            songs = apis.music.show_album(access_token=music_token, album_id=album["album_id"])["songs"]
            apis.music.add_to_queue(access_token=music_token, song_id=songs[0]["song_id"])
            count += 1
    return count
""",
        pool=pools.any_albums,
        matters=(("songs[0]", "songs[-1]"),),
        ordered=True,
    ),
    Act(
        word="queue_longest_songs_of_albums",
        apps=_MUSIC,
        a="the title of an album",
        one="album",
        do=(
            "add the longest song of OBJ to my queue, in the order of the albums",
            "queue, in the order in which the albums are named, the longest song on OBJ",
        ),
        skips=("Titles that no album has are left out.", "Where there is no such album, go on with the next."),
        about="Queue the longest songs of the albums",
        code=f"""
    count = 0
    for name in names:
{_FINDS_ALBUM}        if album:
            songs = apis.music.show_album(access_token=music_token, album_id=album["album_id"])["songs"]
            longest = max(songs, key=lambda song: song["duration"])
            apis.music.add_to_queue(access_token=music_token, song_id=longest["song_id"])
            count += 1
    return count
""",
        pool=pools.any_albums,
        matters=(("max(songs", "min(songs"),),
        ordered=True,
        places=3,
    ),
    Act(
        word="follow_artists_of_songs",
        apps=_MUSIC,
        a="the title of a song",
        one="song",
        do=("follow the artists of OBJ", "start following whoever made OBJ"),
        skips=(
            "If I follow the artist already, or if no song is called exactly that, do nothing.",
            "Skip artists whom I follow and titles that no song has word for word.",
        ),
        about="Follow the artists of the songs",
        code=f"""
    followed = {{one["artist_id"] for one in all_pages(apis.music.show_followed_artists, access_token=music_token)}}
    count = 0
    for name in names:
{_FINDS_SONG}        if song and song["artist_id"] not in followed:
            apis.music.follow_artist(access_token=music_token, artist_id=song["artist_id"])
            followed.add(song["artist_id"])
            count += 1
    return count
""",
        pool=pools.any_songs,
    ),
    Act(
        word="save_albums_of_songs",
        apps=_MUSIC,
        a="the title of a song",
        one="song",
        do=("add the albums that hold OBJ to my album library", "save the albums that have OBJ on them in my library"),
        skips=(
            "Singles have no album, some albums are in the library, and some titles are of no song: skip these.",
            "Do nothing where the song is a single or does not exist, or where I have the album.",
        ),
        about="Save the albums of the songs",
        code=f"""
    saved = {{one["album_id"] for one in all_pages(apis.music.show_album_library, access_token=music_token)}}
    count = 0
    for name in names:
{_FINDS_SONG}        if song and song["album_id"] and song["album_id"] not in saved:
            apis.music.add_album_to_library(access_token=music_token, album_id=song["album_id"])
            saved.add(song["album_id"])
            count += 1
    return count
""",
        pool=pools.any_songs,
    ),
    Act(
        word="save_popular_songs",
        apps=_MUSIC,
        a="the title of a song",
        one="song",
        do=(
            "add those of OBJ to my library that were played more than {plays} times by all listeners",
            "save in my library whatever has a play count above {plays} among OBJ",
        ),
        skips=(
            "What my library has already stays, and titles that no song has exactly are ignored.",
            "Skip songs that are in the library and titles of no song.",
        ),
        about="Save the popular ones of the songs",
        code=f"""
    saved = {{one["song_id"] for one in all_pages(apis.music.show_song_library, access_token=music_token)}}
    count = 0
    for name in names:
{_FINDS_SONG}        if song and song["play_count"] > plays and song["song_id"] not in saved:
            apis.music.add_song_to_library(access_token=music_token, song_id=song["song_id"])
            count += 1
    return count
""",
        pool=pools.unsaved_songs,
        slots={"plays": int},
        choose=lambda draw: {"plays": 1000 * draw.rng.randint(20, 60)},
        matters=((' and song["play_count"] > plays', ""),),
        fewest=4,
        most=7,
    ),
    Act(
        word="like_albums_of_artists",
        apps=_MUSIC,
        a="the name of an artist",
        one="artist",
        do=("like every album by OBJ", "put my like on all albums of OBJ"),
        skips=(
            "Albums that I like already, and names that no artist has, are left out.",
            "Skip what has my like, and artists who are not in the catalogue.",
        ),
        about="Like the albums of the artists",
        code="""
    liked = [album["album_id"] for album in all_pages(apis.music.show_liked_albums, access_token=music_token)]
    artists = [one for one in all_pages(apis.music.search_artists, access_token=music_token) if one["name"] in names]
    count = 0
    for artist in artists:
        albums = all_pages(apis.music.search_albums, access_token=music_token, artist_id=artist["artist_id"])
        for album in albums:
            if album["album_id"] not in liked:
                apis.music.like_album(access_token=music_token, album_id=album["album_id"])
                count += 1
    return count
""",
        pool=pools.unfollowed_artists,
    ),
)
