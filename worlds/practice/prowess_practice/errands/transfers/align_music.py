"""Playlists, albums, artists, reviews and the player brought in line with each other, or compared."""

from __future__ import annotations

from dataclasses import replace

from prowess_practice.drills.listing import PLAYLIST
from prowess_practice.errands.transfers.parts import inside, one_of, own, written

_SOURCE = inside(PLAYLIST)
_TARGET = replace(_SOURCE, name="target")
_TWO = """
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    first = next(one for one in playlists if one["title"] == playlist)
    second = next(one for one in playlists if one["title"] == target)
"""
_GENRE = own("genre", 'apis.music.list_genres(access_token=login(app="music"))')
_PLAYS = one_of("plays", 50, 60, 70, 80, 90, 100, 120, 140)

MUSIC = (
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


PLAYLISTS = (
    written(
        "make_playlist_like_another",
        "make `target` have exactly the songs of `playlist`; return how many were added or removed",
        _TWO
        + """
    missing = [song_id for song_id in first["song_ids"] if song_id not in second["song_ids"]]
    surplus = [song_id for song_id in second["song_ids"] if song_id not in first["song_ids"]]
    for song_id in missing:
        apis.music.add_song_to_playlist(access_token=music_token, playlist_id=second["playlist_id"], song_id=song_id)
    for song_id in surplus:
        apis.music.remove_song_from_playlist(
            access_token=music_token, playlist_id=second["playlist_id"], song_id=song_id
        )
    return len(missing) + len(surplus)
""".lstrip("\n"),
        (
            'Make my playlist "{target}" have exactly the songs of my playlist "{playlist}": add what is missing and'
            " remove what is not in the other one.",
            'My playlist "{playlist}" is the model for "{target}". Whatever the model has and the other lacks should'
            " be added there, and whatever the model does not have should be taken out there. The model itself stays"
            " as it is.",
            'Bring "{target}" in line with "{playlist}", both playlists of mine on music: afterwards the first should'
            " contain the same songs as the second, no more and no fewer.",
        ),
        apps=("music",),
        slots=(_SOURCE, _TARGET),
        matters=(("for song_id in missing:", "for song_id in []:"), ("for song_id in surplus:", "for song_id in []:")),
    ),
    written(
        "move_liked_songs_between_playlists",
        "add to `target` the songs of `playlist` that they like and that it lacks; return how many",
        _TWO
        + """
    liked = {song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=music_token)}
    added = [song_id for song_id in first["song_ids"] if song_id in liked and song_id not in second["song_ids"]]
    for song_id in added:
        apis.music.add_song_to_playlist(access_token=music_token, playlist_id=second["playlist_id"], song_id=song_id)
    return len(added)
""".lstrip("\n"),
        (
            'Add to my playlist "{target}" those songs of my playlist "{playlist}" that I like and that it does not'
            " have yet.",
            'Of the songs in my playlist "{playlist}" I want the ones I like to be in "{target}", too. Add those that'
            " are not there yet.",
            'Which songs of my playlist "{playlist}" do I like? Put them into my playlist "{target}" as well, unless'
            " they are in it already.",
        ),
        apps=("music",),
        slots=(_SOURCE, _TARGET),
        matters=(("song_id in liked", "True"),),
    ),
    written(
        "remove_songs_of_another_playlist",
        "remove from `target` the songs that are in `playlist`, too; return how many",
        _TWO
        + """
    common = [song_id for song_id in second["song_ids"] if song_id in first["song_ids"]]
    for song_id in common:
        apis.music.remove_song_from_playlist(
            access_token=music_token, playlist_id=second["playlist_id"], song_id=song_id
        )
    return len(common)
""".lstrip("\n"),
        (
            'Remove from my playlist "{target}" all songs that are also in my playlist "{playlist}".',
            'My playlists "{target}" and "{playlist}" overlap. Take the songs they share out of the first of the two'
            " and leave the second as it is.",
            'Nothing that is in "{playlist}" should stay in "{target}" (both are playlists of mine on music). Clean'
            " up the latter accordingly.",
        ),
        apps=("music",),
        slots=(_SOURCE, _TARGET),
        matters=((' if song_id in first["song_ids"]', ""),),
    ),
    written(
        "titles_missing_in_other_playlist",
        "return the titles of the songs of `playlist` that `target` lacks and that are in the song library",
        _TWO
        + """
    kept = {song["song_id"] for song in all_pages(apis.music.show_song_library, access_token=music_token)}
    songs = apis.music.show_playlist(access_token=music_token, playlist_id=first["playlist_id"])["songs"]
    found = [song for song in songs if song["song_id"] in kept and song["song_id"] not in second["song_ids"]]
    return [song["title"] for song in found]
""".lstrip("\n"),
        (
            'Which songs of my playlist "{playlist}" are in my song library, but not in my playlist "{target}"? Give'
            " me a list of their titles.",
            'Compare my playlists "{playlist}" and "{target}". I want the titles, as a list, of the songs that only'
            " the first one has and that are in my song library.",
            'Go through my playlist "{playlist}", skip what "{target}" has as well and skip what is not in my song'
            " library, and answer with the list of titles that remain.",
        ),
        apps=("music",),
        slots=(_SOURCE, _TARGET),
        matters=(('song["song_id"] in kept', "True"),),
        gives="list",
        asks=True,
    ),
    written(
        "difference_in_length_of_playlists",
        "return how many seconds the songs of `playlist` last longer than those of `target`",
        _TWO
        + """
    songs = apis.music.show_playlist(access_token=music_token, playlist_id=first["playlist_id"])["songs"]
    others = apis.music.show_playlist(access_token=music_token, playlist_id=second["playlist_id"])["songs"]
    return sum(song["duration"] for song in songs) - sum(song["duration"] for song in others)
""".lstrip("\n"),
        (
            'How many seconds longer is my playlist "{playlist}" than my playlist "{target}"? A negative number means'
            " that it is shorter.",
            'Add up the durations of the songs in my playlist "{playlist}" and subtract those in my playlist'
            ' "{target}". Answer with the number of seconds.',
            'I compare two playlists of mine on music: what is the total length of "{playlist}" minus the total'
            ' length of "{target}", in seconds?',
        ),
        apps=("music",),
        slots=(_SOURCE, _TARGET),
        matters=((' - sum(song["duration"] for song in others)', ""),),
        asks=True,
    ),
    written(
        "publish_playlists_larger_than_one",
        "make public the playlists with more songs than `playlist`; return how many",
        """
    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    model = next(one for one in playlists if one["title"] == playlist)
    larger = [one for one in playlists if len(one["song_ids"]) > len(model["song_ids"]) and not one["is_public"]]
    for one in larger:
        apis.music.update_playlist(access_token=music_token, playlist_id=one["playlist_id"], is_public=True)
    return len(larger)
""",
        (
            'Make public all playlists of mine that have more songs than my playlist "{playlist}", as far as they are'
            " private.",
            'How many songs does my playlist "{playlist}" have? Every private playlist of mine with more songs than'
            " that should become public.",
            'Compare my playlists with "{playlist}": those that are still private and have a greater number of songs'
            " are to be opened to the public.",
        ),
        apps=("music",),
        slots=(_SOURCE,),
        matters=(('len(one["song_ids"]) > len(model["song_ids"])', "True"),),
    ),
)
