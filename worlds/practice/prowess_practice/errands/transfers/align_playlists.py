"""Playlists brought in line with each other, or compared."""

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
