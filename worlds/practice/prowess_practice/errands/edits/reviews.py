"""Reviews of songs: which of them are changed, and what to."""

from __future__ import annotations

from dataclasses import replace

from prowess_desk.apps.music import Playlist, Song, SongReview
from prowess_desk.apps.music.rows import Artist
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.edits.changes import like, like_first, one_of, prefixed, shouted, suffixed, tailed
from prowess_practice.errands.edits.choices import by, inside, listed, ranked
from prowess_practice.errands.edits.parts import EditKind, RowChange, Target

_LISTING = listed("music", "song_reviews")
_TARGET = Target(
    word="reviews",
    app="music",
    row="review",
    rows="reviews",
    reads=("reviews = all_pages(apis.music.show_my_reviews, access_token=music_token)",),
    mine="my song reviews in the music app",
    name="song_title",
    called="song title",
    update='apis.music.update_review(access_token=music_token, review_id=review["review_id"]',
)
_TEXT = replace(_TARGET, name="text", called="text")
_SONG = 'song = apis.music.show_song(access_token=music_token, song_id=review["song_id"])'


def _reviewed(draw: Draw) -> list[Song]:
    return [draw.state[Song][row.song] for row in draw.state[SongReview].of(draw.me.id)]


def _artist(draw: Draw) -> Values | None:
    songs = _reviewed(draw)
    return {"artist": draw.state[Artist][draw.rng.choice(songs).artist].name} if songs else None


def _genre(draw: Draw) -> Values | None:
    songs = _reviewed(draw)
    return {"genre": draw.rng.choice(songs).genre} if songs else None


def _playlist(draw: Draw) -> Values | None:
    songs = {song.id for song in _reviewed(draw)}
    mine = [one.title for one in draw.state[Playlist].of(draw.me.id) if songs & {*one.song_ids}]
    return {"playlist": draw.rng.choice(mine)} if mine else None


_CHOICES = (
    *(by(_TARGET, one) for one in _LISTING.conditions),
    inside(
        _TARGET,
        "of_genre",
        ('MINE about songs of the genre "{genre}"', 'MINE whose song has the genre "{genre}"'),
        "of songs of a genre",
        'song["genre"] == genre',
        looks=(_SONG,),
        slots={"genre": str},
        draws=_genre,
    ),
    inside(
        _TARGET,
        "of_artist",
        ('MINE about songs by "{artist}"', 'MINE whose song is by "{artist}"'),
        "of songs by an artist",
        'song["artist_name"] == artist',
        looks=(_SONG,),
        slots={"artist": str},
        draws=_artist,
    ),
    inside(
        _TARGET,
        "of_long_songs",
        "MINE about songs that last longer than {seconds} seconds",
        "of long songs",
        'song["duration"] > seconds',
        looks=(_SONG,),
        slots={"seconds": int},
        draws=lambda draw: {"seconds": draw.rng.randint(180, 290)},
    ),
    inside(
        _TARGET,
        "of_playlist",
        ('MINE about songs in my playlist "{playlist}"', 'MINE whose song is in my playlist "{playlist}"'),
        "of songs in a playlist",
        'review["song_id"] in playlist_songs',
        before=(
            "playlists = all_pages(apis.music.show_playlists, access_token=music_token, query=playlist)",
            'playlist_songs = next(one["song_ids"] for one in playlists if one["title"] == playlist)',
        ),
        slots={"playlist": str},
        draws=_playlist,
    ),
    *(
        inside(
            _TARGET,
            word,
            says,
            about,
            f'review["song_id"] in {word}',
            before=(f'{word} = {{one["song_id"] for one in all_pages(apis.music.{api}, access_token=music_token)}}',),
        )
        for word, api, says, about in (
            ("kept_songs", "show_song_library", "MINE about songs that are in my song library", "of library songs"),
            ("liked_songs", "show_liked_songs", "MINE about songs that I like", "of liked songs"),
            ("played_songs", "show_play_history", "MINE about songs in my play history", "of songs that were played"),
        )
    ),
    inside(
        _TARGET,
        "below_average",
        "MINE about songs with {least} or more reviews in which I gave fewer stars than the song has on average",
        "below the average, of songs with many reviews",
        'review["rating"] < song["rating"] and song["review_count"] >= least',
        looks=(_SONG,),
        slots={"least": int},
        draws=lambda draw: {"least": draw.rng.randint(2, 5)},
    ),
    ranked(
        _TARGET,
        "latest",
        ("the {count} reviews that I wrote last on music", "my {count} latest reviews on music"),
        "the latest reviews",
        'review["created_at"]',
        highest=True,
    ),
    ranked(
        _TARGET,
        "first",
        ("the {count} reviews that I wrote first on music", "my {count} earliest reviews on music"),
        "the first reviews",
        'review["created_at"]',
        highest=False,
    ),
)
_RATING = ("reviews_over_rating", "reviews_under_rating")
_CHANGES = (
    RowChange(
        word="raise",
        says=(
            "Raise WHICH by {stars} stars each, to 5 at most.",
            "TAKE Each gets {stars} stars more than it has, but never more than 5.",
            "I was too strict: WHICH deserve {stars} additional stars, with 5 as the upper limit.",
        ),
        about="Raise the stars of",
        each=(_TARGET.updating('rating=min(5, review["rating"] + stars)'),),
        slots=(one_of("stars", "2|3", int),),
    ),
    tailed(
        _TEXT,
        "artist",
        "f\"{review['text']} By {song['artist_name']}.\"",
        "TEXT By ARTIST.",
        'a space, the word "By", the name of the artist of the song and a full stop',
        "the artist",
        finds=(_SONG,),
    ),
    prefixed(_TEXT),
    RowChange(
        word="turn_round",
        says=(
            'Turn round the stars of WHICH (5 becomes 1, 4 becomes 2, and so on) and set the text to "{verdict}".',
            'TAKE The new rating of each is 6 minus the old one, and the new text is "{verdict}".',
            "I mixed up good and bad. For WHICH, 1 star should be 5, 2 should be 4, 3 stays, 4 should be 2 and 5 should"
            ' be 1; the text becomes "{verdict}".',
        ),
        about="Turn round the stars of",
        each=(_TARGET.updating('rating=6 - review["rating"], text=verdict'),),
        slots=(one_of("verdict", "Second thoughts.|Corrected.|I changed my mind.|Heard it again."),),
    ),
    like(_TARGET, "rating", "number of stars", "my review of the song"),
    like_first(_TARGET, "rating", "number of stars", 'review["created_at"]', "that I wrote last", last=True),
    RowChange(
        word="title_text",
        says=(
            'Rewrite the text of each of WHICH as "{front}: TITLE by ARTIST", with title and artist of the song.',
            'TAKE Replace the text of each by "{front}: TITLE by ARTIST", where TITLE is the title of the song it is'
            " about and ARTIST the name of its artist.",
            'The text of WHICH should no longer say what it says, but "{front}: TITLE by ARTIST" (the title and the'
            " artist's name of the song).",
        ),
        about="Write title and artist into",
        each=(_SONG, _TARGET.updating("text=f\"{front}: {song['title']} by {song['artist_name']}\"")),
        slots=(one_of("front", "Heard|Rated|On record|My view|Checked"),),
    ),
    tailed(
        _TEXT,
        "stars",
        "f\"{review['text']} ({review['rating']}/5)\"",
        "TEXT (STARS/5)",
        "the number of stars I gave, as shown",
        "the stars",
    ),
    RowChange(
        word="lower",
        says=(
            "Take {stars} stars from WHICH, but leave each at least 1.",
            "TAKE Lower the rating of each by {stars}, though not below 1 star.",
            "I was too kind in WHICH. They should lose {stars} stars each; 1 star is the lowest there is.",
        ),
        about="Lower the stars of",
        each=(_TARGET.updating('rating=max(1, review["rating"] - stars)'),),
        slots=(one_of("stars", "2|3", int),),
    ),
    suffixed(_TEXT),
    RowChange(
        word="average",
        says=(
            'Set WHICH to the average rating of the song, rounded down to whole stars, and the text to "{verdict}".',
            "TAKE Each should have as many stars as its song has on average, rounded down to a whole number, and say"
            ' "{verdict}".',
            "I go with the crowd: the rating of WHICH becomes the average rating of the song, rounded down, and the"
            " text"
            ' becomes "{verdict}".',
        ),
        about="Set to the song's average",
        each=(_SONG, _TARGET.updating('rating=int(song["rating"]), text=verdict')),
        slots=(one_of("verdict", "As others say.|With the crowd.|Average, then.|Fair enough."),),
        matters=(('rating=int(song["rating"])', 'rating=review["rating"]'),),
    ),
    RowChange(
        word="cap",
        says=(
            "No more than {cap} stars for WHICH: lower those that have more to {cap}.",
            "TAKE Where one of them has over {cap} stars, set it to {cap}.",
            "I would like to cap the ratings of WHICH at {cap} stars.",
        ),
        about="Cap the stars of",
        each=(_TARGET.updating("rating=cap"),),
        also='review["rating"] > cap',
        slots=(one_of("cap", "2|3|4", int),),
        bars=_RATING,
    ),
    tailed(
        _TEXT,
        "date",
        "f\"{review['text']} (written {review['created_at'][:10]})\"",
        "TEXT (written DATE)",
        "the day on which I wrote it, like 2025-01-31, as shown",
        "the day",
    ),
    shouted(_TEXT),
    RowChange(
        word="replay",
        says=(
            'Let the text of each of WHICH be "{front}: GENRE, RELEASE" and nothing else, with the genre of the song'
            " and the date of its release, like 2020-01-31.",
            'TAKE Their texts become "{front}: GENRE, RELEASE": the genre of the song, a comma, and its release date'
            " like 2020-01-31.",
            'The texts of WHICH should have the form "{front}: GENRE, RELEASE", for the genre and the release date of'
            " the song (as in 2020-01-31), and nothing else.",
        ),
        about="Write genre and release into",
        each=(_SONG, _TARGET.updating("text=f\"{front}: {song['genre']}, {song['release_date']}\"")),
        slots=(one_of("front", "Facts|Filed under|In short|For the record"),),
    ),
)
REVIEWS = EditKind(
    target=_TARGET, choices=_CHOICES, changes=_CHANGES, alike=("some_tasks", "other_notes", "other_alarms")
)
