"""What is done to songs, albums, playlists and reviews."""

from __future__ import annotations

from prowess_practice.errands.calendars.sink import act, calling, each, unless
from prowess_practice.errands.transfers.parts import one_of

_SONG = 'song_id=ROW["song_id"]'
_LIKED = '    liked = {one["song_id"] for one in all_pages(apis.music.show_liked_songs, access_token=music_token)}\n'
_KEPT = '    kept = {one["song_id"] for one in all_pages(apis.music.show_song_library, access_token=music_token)}\n'
_RATED = '    rated = {one["song_id"] for one in all_pages(apis.music.show_my_reviews, access_token=music_token)}\n'
_FOLLOWED = (
    "    followed = {\n"
    '        one["artist_id"] for one in all_pages(apis.music.show_followed_artists, access_token=music_token)\n'
    "    }\n"
)
_ALBUMS = '    liked = {one["album_id"] for one in all_pages(apis.music.show_liked_albums, access_token=music_token)}\n'
_TITLE = one_of("title", "Time machine", "Back then", "Calendar mix", "From those days", "Season of songs")
_STARS = one_of("rating", 2, 3, 4, 5)

MUSIC = (
    act(
        "like",
        "give a like to ALL",
        unless('ROW["song_id"] not in liked', "music.like_song", _SONG),
        "song",
        before=_LIKED,
        bars=("liked",),
        rest=(" Songs that I like already stay as they are.", " Leave out whatever I like already."),
    ),
    act("forget", "remove [from the library] ALL", each("music.remove_song_from_library", _SONG), "song", "kept"),
    act("unlike", "take my like away from ALL", each("music.unlike_song", _SONG), "song", "liked"),
    act(
        "keep",
        "add [to my music library] ALL",
        unless('ROW["song_id"] not in kept', "music.add_song_to_library", _SONG),
        "song",
        before=_KEPT,
        bars=("kept",),
        rest=(" Skip what is in there already.", " What is in the library already needs nothing."),
    ),
    act(
        "queue",
        "append [to my play queue] ALL",
        "    for ROW in sorted(found, key=lambda ROW: KEY):\n" + calling("music.add_to_queue", _SONG),
        "song",
        rest=(" They should go there in order of time, the earliest firstORDERED.", " Earliest first, pleaseORDERED."),
        drops=(("key=lambda ROW: KEY):", "key=lambda ROW: KEY, reverse=True):"),),
    ),
    act(
        "rate",
        "rate [with {rating} stars] ALL",
        unless('ROW["song_id"] not in rated', "music.review_song", f"{_SONG}; rating=rating"),
        "song",
        before=_RATED,
        slots=(_STARS,),
        rest=(" Where I have a review already, leave it alone.", " No text, and nothing for songs I have reviewed."),
    ),
    act(
        "follow_artists_of",
        "follow the artists of ALL",
        '    artist_ids = sorted({ROW["artist_id"] for ROW in found})\n'
        "    for artist_id in artist_ids:\n"
        "        if artist_id not in followed:\n"
        "            apis.music.follow_artist(access_token=music_token, artist_id=artist_id)\n",
        "song",
        bars=("advised",),
        before=_FOLLOWED,
        rest=(" I follow some of them already, so do not try that twice.", " Leave out artists that I follow already."),
    ),
    act(
        "playlist_of",
        'make a new music playlist "{title}" of ALL',
        '    playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        + each("music.add_song_to_playlist", f"playlist_id=playlist_id; {_SONG}"),
        "song",
        slots=(_TITLE,),
    ),
    act(
        "month_playlists_of",
        "sort [into new music playlists by calendar month] ALL",
        "    by_period: dict = {}\n"
        "    for ROW in found:\n"
        "        by_period.setdefault(MOMENT[:7], []).append(ROW)\n"
        "    for period, group in by_period.items():\n"
        '        title = f"{start_word} {period}"\n'
        '        playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        "        for ROW in group:\n"
        "            apis.music.add_song_to_playlist(\n"
        '                access_token=music_token, playlist_id=playlist_id, song_id=ROW["song_id"]\n'
        "            )\n",
        "song",
        bars=("old",),
        shuns=("month", "week"),
        slots=(one_of("start_word", "Songs of", "Diary", "Back in", "Month"),),
        rest=(
            ' Going by ITSDAY, every month that occurs gets one, called "{start_word} MONTH" with the month as in'
            " 2025-03.",
            ' The month is that of ITSDAY, and the titles are "{start_word} " and the month, as in 2025-03.',
        ),
    ),
    act(
        "like_albums",
        "give a like to ALL",
        unless('ROW["album_id"] not in liked', "music.like_album", 'album_id=ROW["album_id"]'),
        "album",
        before=_ALBUMS,
        rest=(" Leave out those that I like already.", " If I like one of them already, that is fine as it is."),
    ),
    act(
        "drop_albums",
        "remove [from the library] ALL",
        each("music.remove_album_from_library", 'album_id=ROW["album_id"]'),
        "kept_album",
    ),
    act(
        "queue_albums",
        "add to my play queue all songs of ALL",
        "    for ROW in sorted(found, key=lambda ROW: KEY):\n"
        '        for song_id in ROW["song_ids"]:\n'
        "            apis.music.add_to_queue(access_token=music_token, song_id=song_id)\n",
        "album",
        rest=(
            " Take the albums in order of time, the earliest first, and the songs in the order the app gives.",
            " The earliest album goes first, each with its songs as the app lists them.",
        ),
    ),
    act(
        "playlist_of_albums",
        'make a new music playlist "{title}" of the songs on ALL',
        '    playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        "    for ROW in found:\n"
        '        for song_id in ROW["song_ids"]:\n'
        "            apis.music.add_song_to_playlist(\n"
        "                access_token=music_token, playlist_id=playlist_id, song_id=song_id\n"
        "            )\n",
        "album",
        slots=(_TITLE,),
    ),
    act(
        "open_playlists",
        "make [public] ALL",
        each("music.update_playlist", 'playlist_id=ROW["playlist_id"]; is_public=True'),
        "playlist",
    ),
    act("drop_playlists", "delete ALL", each("music.delete_playlist", 'playlist_id=ROW["playlist_id"]'), "playlist"),
    act(
        "date_playlists",
        "rename ALL",
        each("music.update_playlist", 'playlist_id=ROW["playlist_id"]; title=f"{QNAME} ({QDAY})"'),
        "playlist",
        rest=(
            " The new title is the old one, a space and ITSDAY in brackets, as in (2025-03-21).",
            ' Each gets ITSDAY added to its title, like this: "TITLE (2025-03-21)".',
        ),
    ),
    act(
        "merge_playlists",
        'make a new music playlist "{title}" of the songs of ALL',
        '    playlist_id = apis.music.create_playlist(access_token=music_token, title=title)["playlist_id"]\n'
        '    for song_id in sorted({song_id for ROW in found for song_id in ROW["song_ids"]}):\n'
        "        apis.music.add_song_to_playlist(\n"
        "            access_token=music_token, playlist_id=playlist_id, song_id=song_id\n"
        "        )\n",
        "playlist",
        slots=(_TITLE,),
        rest=(" A song that occurs twice goes in once.", ""),
    ),
    act("drop_reviews", "delete ALL", each("music.delete_review", 'review_id=ROW["review_id"]'), "review"),
    act(
        "rerate",
        "change [to {rating} stars] ALL",
        each("music.update_review", 'review_id=ROW["review_id"]; rating=rating'),
        "review",
        slots=(_STARS,),
        rest=(" The texts stay.", " Only the rating changes."),
    ),
    act(
        "like_reviewed",
        "give a like to the songs of ALL",
        unless('ROW["song_id"] not in liked', "music.like_song", _SONG),
        "review",
        before=_LIKED,
        rest=(" Songs that I like already stay as they are.", " Leave out whatever I like already."),
    ),
)
