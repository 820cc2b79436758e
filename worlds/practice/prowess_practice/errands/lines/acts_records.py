"""What can be done in the music app one step on from what a text names: songs of albums, artists of songs."""

from __future__ import annotations

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines.act import Act

_MUSIC = ("music",)
_EXACT = (' if one["title"] == name', "")
_FINDS_SONG = """        found = all_pages(apis.music.search_songs, access_token=music_token, query=name)
        song = next((one for one in found if one["title"] == name), None)
"""
_FINDS_ALBUM = """        found = all_pages(apis.music.search_albums, access_token=music_token, query=name)
        album = next((one for one in found if one["title"] == name), None)
"""

ACTS = (
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
