"""What the music app holds at first: a catalogue, and what everybody keeps, likes, rates and plays."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from prowess.seeds import derive
from prowess_desk.apps.music import (
    Album,
    Artist,
    Listener,
    PlayCount,
    Player,
    Playlist,
    SavedAlbum,
    SavedSong,
    Song,
    SongReview,
)
from prowess_desk.data.moments import moment, moments
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Base

GENRES = ("classical", "electronic", "folk", "hip hop", "jazz", "pop", "rock", "soul")
SONGS, ALBUMS, ARTISTS = 150, 40, 25

_ARTISTS = """Velvet Foxes|Marlow Reed|Copper Kites|Ines Calder|Night Ferry|Juno Halloway|Paper Atlas|Tobias Wren|
Glass Orchard|Mira Solano|Salt & Cedar|Dexter Vale|Lantern Club|Odile Marchetti|Harbor Static|Rune Okonjo|
Quiet Engines|Bea Thornfield|Solar Postmen|Kasimir Holt|The Tin Sparrows|Lola Verne|Low Tide Choir|Amos Birdwell|
Violet Circuit|Hollis Gray|Desert Pianos|Nell Ardent|Northern Tramway|Otis Fairchild""".replace("\n", "").split("|")
_MOODS = """Amber Broken Crimson Distant Electric Fading Golden Hidden Ivory Jagged Kindred Lonely Midnight Neon Open
Painted Quiet Restless Silver Tender Upside Velvet Wandering Yellow Zigzag Borrowed Hollow Secret Winter
Summer""".split()
_THINGS = """Avenue Balcony Compass Daydream Elevator Feather Garden Harbor Island Jukebox Kingdom Lantern Mirror
Notebook Ocean Parade Question Railway Staircase Telephone Umbrella Valley Window Year Carousel Detour Echo Fountain
Glacier Horizon""".split()
_ALBUM_STARTS = "Letters from|Songs for|Maps of|Nights in|Rumors of|Postcards from|Waiting on|Beyond".split("|")
_ALBUM_ENDS = "Arden|the Coast|Paper Towns|the Orchard|No One|Marble Hill|Tomorrow|the Old Bridge".split("|")
_PLAYLISTS = """Morning Run|Late Shift|Road Trip|Rainy Sunday|Deep Focus|Kitchen Dance|Gym Heroes|Slow Evenings|
Commute Mix|Beach Days|Party Starters|Old Favorites|Study Hall|Campfire|Guilty Pleasures|Sleepy Time|Garden Work|
Friday Night|Heartbreak Hotel|New Discoveries|Window Seat|Housework|First Dates|Long Flights""".replace("\n", "").split(
    "|"
)
_OPINIONS = {
    1: ("Not for me.", "I skipped it halfway.", "Too loud and too long."),
    2: ("A bit dull.", "Nice start, weak ending.", "I expected more."),
    3: ("It is fine.", "Good in the background.", "Grows on you slowly."),
    4: ("Really good.", "Lovely melody.", "I keep coming back to it."),
    5: ("A masterpiece.", "On repeat all week.", "Best song of the year."),
}


def generate(seed: int, people: Sequence[Person], now: datetime) -> list[Base[Any]]:
    """The catalogue and every account."""
    rng = random.Random(derive(seed, "music"))
    artists, albums, songs = _catalogue(rng, now)
    listeners: list[Listener] = []
    players: list[Player] = []
    saved_songs: list[SavedSong] = []
    saved_albums: list[SavedAlbum] = []
    playlists: list[Playlist] = []
    reviews: list[SongReview] = []
    counts: list[PlayCount] = []
    every = range(1, SONGS + 1)
    for person in people:
        library = rng.sample(every, rng.randint(20, 30))
        liked = {*rng.sample(library, rng.randint(6, 10)), *rng.sample(every, rng.randint(4, 8))}
        kept = rng.sample(range(1, ALBUMS + 1), rng.randint(6, 10))
        listeners.append(
            Listener(
                id=person.id,
                liked_song_ids=tuple(sorted(liked)),
                liked_album_ids=tuple(sorted(rng.sample(kept, rng.randint(2, 5)))),
                followed_artist_ids=tuple(sorted(rng.sample(range(1, ARTISTS + 1), rng.randint(5, 8)))),
            )
        )
        for song, when in zip(library, moments(rng, now, len(library)), strict=True):
            saved_songs.append(SavedSong(id=len(saved_songs) + 1, owner=person.id, song=song, added_at=when))
        for album, when in zip(kept[:-2], moments(rng, now, len(kept) - 2), strict=True):
            saved_albums.append(SavedAlbum(id=len(saved_albums) + 1, owner=person.id, album=album, added_at=when))
        titles = rng.sample(_PLAYLISTS, rng.randint(4, 7))
        for title, when in zip(titles, moments(rng, now, len(titles)), strict=True):
            playlists.append(
                Playlist(
                    id=len(playlists) + 1,
                    owner=person.id,
                    title=title,
                    public=rng.random() < 0.4,
                    song_ids=tuple(sorted(rng.sample(every, rng.randint(5, 12)))),
                    created_at=when,
                )
            )
        rated = rng.sample(library, rng.randint(7, 11))
        for song, when in zip(rated, moments(rng, now, len(rated)), strict=True):
            rating = rng.choice((1, 2, 3, 3, 4, 4, 5, 5))
            reviews.append(
                SongReview(
                    id=len(reviews) + 1,
                    author=person.id,
                    song=song,
                    rating=rating,
                    text=rng.choice(_OPINIONS[rating]),
                    created_at=when,
                )
            )
        heard = {*rng.sample(library, 16), *rng.sample(every, 10)}
        for song, plays in zip(sorted(heard), rng.sample(range(1, 120), len(heard)), strict=True):
            counts.append(
                PlayCount(
                    id=len(counts) + 1, owner=person.id, song=song, plays=plays, last_at=moment(rng, now, days=60)
                )
            )
        queue = tuple(rng.sample(every, rng.randint(3, 6)))
        players.append(
            Player(
                id=person.id,
                queue=queue,
                position=rng.randrange(len(queue)),
                playing=rng.random() < 0.5,
                volume=5 * rng.randint(4, 18),
            )
        )
    return [
        Base(Artist, artists),
        Base(Album, albums),
        Base(Song, songs),
        Base(Listener, listeners),
        Base(Player, players),
        Base(SavedSong, saved_songs),
        Base(SavedAlbum, saved_albums),
        Base(Playlist, playlists),
        Base(SongReview, reviews),
        Base(PlayCount, counts),
    ]


def _catalogue(rng: random.Random, now: datetime) -> tuple[list[Artist], list[Album], list[Song]]:
    names = rng.sample(_ARTISTS, ARTISTS)
    artists = [Artist(id=n + 1, name=name, genre=GENRES[n % len(GENRES)]) for n, name in enumerate(names)]
    pool = iter(rng.sample([f"{mood} {thing}" for mood in _MOODS for thing in _THINGS], SONGS))
    seconds = iter(rng.sample(range(125, 425), SONGS))
    plays = iter(rng.sample(range(1_000, 90_000), SONGS))
    songs: list[Song] = []

    def record(artist: Artist, album: int | None, released: date) -> int:
        songs.append(
            Song(
                id=len(songs) + 1,
                title=next(pool),
                artist=artist.id,
                album=album,
                genre=artist.genre,
                seconds=next(seconds),
                released=released,
                plays=next(plays),
            )
        )
        return songs[-1].id

    def release() -> date:
        return (now - timedelta(days=rng.randint(30, 5_400))).date()

    titles = rng.sample([f"{start} {end}" for start in _ALBUM_STARTS for end in _ALBUM_ENDS], ALBUMS)
    sizes = rng.sample((2, 3, 4) * 14, ALBUMS)
    albums = []
    for n, title in enumerate(titles):
        artist = artists[n] if n < ARTISTS else rng.choice(artists)
        released = release()
        tracks = tuple(record(artist, n + 1, released) for _ in range(sizes[n]))
        albums.append(
            Album(id=n + 1, title=title, artist=artist.id, genre=artist.genre, released=released, song_ids=tracks)
        )
    while len(songs) < SONGS:
        record(rng.choice(artists), None, release())
    return artists, albums, songs
