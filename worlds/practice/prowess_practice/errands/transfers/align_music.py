"""Albums, artists, reviews and the player brought in line with what is played, kept or liked."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.within import PLAYLIST
from prowess_practice.errands.transfers.align import written
from prowess_practice.errands.transfers.parts import inside, one_of, own

_SOURCE = inside(PLAYLIST)
_TARGET = replace(_SOURCE, name="target")
_TWO = """
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    first = next(one for one in playlists if one["title"] == playlist)
    second = next(one for one in playlists if one["title"] == target)
"""
_GENRE = own("genre", 'apis.music.list_genres(access_token=login(app="music"))')
_PLAYS = one_of("plays", 50, 60, 70, 80, 90, 100, 120, 140)

ERRANDS = (
    written(
        "raise_reviews_of_genre_to_best",
        "give all reviews of songs of a genre the best rating among them; return how many were changed",
        """
    songs = all_pages(apis.music.search_songs, access_token=music_token, genre=genre)
    song_ids = {song["song_id"] for song in songs}
    reviews = all_pages(apis.music.show_my_reviews, access_token=music_token)
    mine = [review for review in reviews if review["song_id"] in song_ids]
    best = max(review["rating"] for review in mine)
    lower = [review for review in mine if review["rating"] < best]
    for review in lower:
        apis.music.update_review(access_token=music_token, review_id=review["review_id"], rating=best)
    return len(lower)
""",
        (
            'Find the highest rating that I gave to any song of the genre "{genre}" on music, and raise all my other'
            " reviews of songs of that genre to it.",
            'All my reviews of "{genre}" songs (the genre) should have the same number of stars, namely the most that'
            " any of them has now. Change those that have fewer.",
            'Look at my song reviews on music, but just those about songs of the genre "{genre}". Set each of them to'
            " the best rating among them.",
        ),
        apps=("music",),
        slots=(_GENRE,),
        matters=(('review["song_id"] in song_ids', "True"), ("best = max(", "best = min(")),
    ),
    written(
        "follow_artists_played_often",
        "follow the artists whose songs they played at least so often in all; return how many",
        """
    totals: dict = {}
    for song in all_pages(apis.music.show_play_history, access_token=music_token):
        totals[song["artist_id"]] = totals.get(song["artist_id"], 0) + song["my_play_count"]
    followed = {one["artist_id"] for one in all_pages(apis.music.show_followed_artists, access_token=music_token)}
    found = [artist_id for artist_id in totals if totals[artist_id] >= plays and artist_id not in followed]
    for artist_id in found:
        apis.music.follow_artist(access_token=music_token, artist_id=artist_id)
    return len(found)
""",
        (
            "Follow every artist whose songs I have played at least {plays} times in all and whom I do not follow yet.",
            "Add up, by artist, how often I played the songs in my play history on music. Whoever comes to {plays} or"
            " more and is not among the artists I follow should be followed.",
            "I want to follow the artists I really listen to: all whose songs together have {plays} plays by me or"
            " more, except those I follow already.",
        ),
        apps=("music",),
        slots=(_PLAYS,),
        matters=(("totals[artist_id] >= plays", "True"), ("artist_id not in followed", "True")),
    ),
    written(
        "like_albums_played_often",
        "like the albums whose songs they played at least so often in all; return how many",
        """
    totals: dict = {}
    for song in all_pages(apis.music.show_play_history, access_token=music_token):
        if song["album_id"]:
            totals[song["album_id"]] = totals.get(song["album_id"], 0) + song["my_play_count"]
    liked = {album["album_id"] for album in all_pages(apis.music.show_liked_albums, access_token=music_token)}
    found = [album_id for album_id in totals if totals[album_id] >= plays and album_id not in liked]
    for album_id in found:
        apis.music.like_album(access_token=music_token, album_id=album_id)
    return len(found)
""",
        (
            "Like every album whose songs I have played at least {plays} times altogether, unless I like it already.",
            "Group the songs of my play history by album, singles aside, and add up how often I played them. Albums"
            " that reach {plays} and that I have not liked yet are to be liked.",
            "If the songs of an album have {plays} plays by me or more between them, I surely like the album. Tell"
            " the music app so, for all albums where it does not know that yet.",
        ),
        apps=("music",),
        slots=(_PLAYS,),
        matters=(("totals[album_id] >= plays", "True"),),
    ),
    written(
        "play_largest_playlist_but_one",
        "play the playlist with the most songs that is not `playlist` at a volume; return how many songs it has",
        """
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    others = [one for one in playlists if one["title"] != playlist]
    largest = max(others, key=lambda one: (len(one["song_ids"]), one["title"]))
    apis.music.play(access_token=music_token, playlist_id=largest["playlist_id"])
    apis.music.set_volume(access_token=music_token, volume=volume)
    return len(largest["song_ids"])
""",
        (
            'Play the one of my playlists that has the most songs, "{playlist}" not counted, at volume {volume}. If'
            " several have the most, take the one whose title comes last in the alphabet.",
            'Apart from "{playlist}", which of my playlists has the greatest number of songs (of equal ones, the last'
            " by alphabet)? Start playing it and set the volume of the player to {volume}.",
            "Set the player to volume {volume} and let it play my longest playlist, counted in songs. Leave"
            ' "{playlist}" out of account, and where there is a tie, prefer the title that is last alphabetically.',
        ),
        apps=("music",),
        slots=(_SOURCE, one_of("volume", 12, 23, 34, 47, 58, 63, 71)),
        matters=(("largest = max(", "largest = min("), (' if one["title"] != playlist', "")),
    ),
    written(
        "play_album_of_most_played_song",
        "play the album of the most played song of a genre that is on one; return how many songs it has",
        """
    history = all_pages(apis.music.show_play_history, access_token=music_token)
    songs = [song for song in history if song["genre"] == genre and song["album_id"]]
    favorite = max(songs, key=lambda song: song["my_play_count"])
    album = apis.music.show_album(access_token=music_token, album_id=favorite["album_id"])
    apis.music.play(access_token=music_token, album_id=album["album_id"])
    return len(album["song_ids"])
""",
        (
            'Play the album with the song of the genre "{genre}" that I have played most often. Singles do not count.',
            'Which "{genre}" song (the genre) that is on an album have I played the most? Start that album on my'
            " music player.",
            'In my play history, find the song of the genre "{genre}" with the greatest number of plays by me,'
            " leaving out singles, and let the player play its whole album.",
        ),
        apps=("music",),
        slots=(_GENRE,),
        matters=(("favorite = max(", "favorite = min("), ('song["genre"] == genre', "True")),
    ),
    written(
        "more_songs_of_genre_in_library_than_liked",
        "return how many more songs of a genre are in the library than among the liked ones",
        """
    library = all_pages(apis.music.show_song_library, access_token=music_token)
    liked = all_pages(apis.music.show_liked_songs, access_token=music_token)
    kept = [song for song in library if song["genre"] == genre]
    favorites = [song for song in liked if song["genre"] == genre]
    return len(kept) - len(favorites)
""",
        (
            'How many more songs of the genre "{genre}" are there in my song library than among the songs I like? (A'
            " negative number if there are fewer.)",
            'Count the "{genre}" songs (the genre) in my song library, then those that I like, and answer with the'
            " first number minus the second.",
            'Song library against likes, just for the genre "{genre}": by how many songs is the library ahead? Below'
            " zero means it is behind.",
        ),
        apps=("music",),
        slots=(_GENRE,),
        matters=((" - len(favorites)", ""),),
        asks=True,
    ),
    written(
        "albums_with_known_songs",
        "return the titles of the albums of a genre with at least so many songs kept or liked",
        """
    kept = {song["song_id"] for song in all_pages(apis.music.show_song_library, access_token=music_token)}
    liked = {song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=music_token)}
    albums = all_pages(apis.music.search_albums, access_token=music_token, genre=genre)
    found = [album for album in albums if len(set(album["song_ids"]) & (kept | liked)) >= least]
    return [album["title"] for album in found]
""",
        (
            'Of which albums of the genre "{genre}" in the catalogue are at least {least} songs in my song library or'
            " liked by me? Answer with a list of titles.",
            'Go through all albums of the genre "{genre}" on music and list the titles of those with {least} or more'
            " songs that I either like or have in my song library.",
            'I collect "{genre}" albums (the genre) song by song. Where do I have {least} songs or more already,'
            " counting my song library and my liked songs together, each song once? List the album titles.",
        ),
        apps=("music",),
        slots=(_GENRE, one_of("least", 1, 2)),
        matters=(("(kept | liked)", "kept"), ("(kept | liked)", "liked")),
        gives="list",
        asks=True,
    ),
    written(
        "delete_playlists_sharing_songs",
        "delete the other playlists with a song in common with `playlist`; return how many",
        """
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    model = next(one for one in playlists if one["title"] == playlist)
    others = [one for one in playlists if one["title"] != playlist]
    doubles = [one for one in others if set(one["song_ids"]) & set(model["song_ids"])]
    for one in doubles:
        apis.music.delete_playlist(access_token=music_token, playlist_id=one["playlist_id"])
    return len(doubles)
""",
        (
            'Delete all other playlists of mine that have any song in common with my playlist "{playlist}".',
            'My playlist "{playlist}" stays, but each other playlist that shares at least one song with it can go.'
            " Please delete those.",
            'Which of my playlists contain a song that "{playlist}" contains, too? Delete them, of course not'
            ' "{playlist}" itself.',
        ),
        apps=("music",),
        slots=(_SOURCE,),
        matters=((' if set(one["song_ids"]) & set(model["song_ids"])', ""), (' if one["title"] != playlist', "")),
    ),
)
