"""Music through its APIs: the catalogue, the library, playlists, reviews and the player."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from household import ADA, BEN, CLEO, NOW, Caller
from prowess_desk.apps import music as app
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
    music,
)
from prowess_desk.data.music import GENRES, generate
from prowess_desk.engine.people import people
from prowess_desk.engine.tables import Base


@pytest.fixture
def desk() -> Caller:
    """Seven songs: 1 to 3 on the first album of the Foxes (rock), 4 to 6 on Mira's (jazz), 7 a single of Mira's.

    Ada keeps 1 to 6 and the first album, likes 2, follows Mira; Ben has a private and a public playlist.
    """
    songs = [
        Song(
            id=n,
            title=f"{'Red' if n % 2 else 'Blue'} Window {n}",
            artist=1 if n < 4 else 2,
            album=None if n == 7 else 1 if n < 4 else 2,
            genre="rock" if n < 4 else "jazz",
            seconds=100 + 7 * (n * 3 % 7),
            released=date(2010 + n, 1, 1),
            plays=1000 * n,
        )
        for n in range(1, 8)
    ]
    return Caller(
        music,
        [
            Base(Artist, [Artist(id=1, name="Velvet Foxes", genre="rock"), Artist(id=2, name="Mira", genre="jazz")]),
            Base(
                Album,
                [
                    Album(id=1, title="Den", artist=1, genre="rock", released=date(2011, 1, 1), song_ids=(1, 2, 3)),
                    Album(id=2, title="Sea", artist=2, genre="jazz", released=date(2014, 1, 1), song_ids=(4, 5, 6)),
                ],
            ),
            Base(Song, songs),
            Base(
                Listener,
                [
                    Listener(id=ADA.id, liked_song_ids=(2,), followed_artist_ids=(2,)),
                    Listener(id=BEN.id),
                    Listener(id=CLEO.id),
                ],
            ),
            Base(Player, [Player(id=ADA.id), Player(id=BEN.id, queue=(3, 1, 2), position=2), Player(id=CLEO.id)]),
            Base(
                SavedSong,
                [SavedSong(id=n, owner=ADA.id, song=n, added_at=NOW - timedelta(days=n)) for n in range(1, 7)],
            ),
            Base(SavedAlbum, [SavedAlbum(id=1, owner=ADA.id, album=1, added_at=NOW)]),
            Base(
                Playlist,
                [
                    Playlist(id=1, owner=BEN.id, title="Mine", public=False, song_ids=(1,), created_at=NOW),
                    Playlist(id=2, owner=BEN.id, title="Ours", public=True, song_ids=(2, 5), created_at=NOW),
                    Playlist(id=3, owner=ADA.id, title="Run", public=False, song_ids=(), created_at=NOW),
                ],
            ),
            Base(
                SongReview,
                [
                    SongReview(id=1, author=BEN.id, song=1, rating=5, text="Great.", created_at=NOW),
                    SongReview(id=2, author=ADA.id, song=1, rating=2, text="Dull.", created_at=NOW),
                ],
            ),
            Base(PlayCount, [PlayCount(id=1, owner=ADA.id, song=4, plays=9, last_at=NOW - timedelta(days=1))]),
        ],
    )


def ids(songs: list[dict[str, int]]) -> list[int]:
    return [song["song_id"] for song in songs]


def test_search_finds_songs_by_words_of_title_and_artist_in_any_case(desk: Caller) -> None:
    assert ids(desk("search_songs", query="red foxes")) == [1, 3]
    assert ids(desk("search_songs", query="nothing")) == []


def test_search_filters_by_genre_artist_and_release_date(desk: Caller) -> None:
    assert ids(desk("search_songs", genre="jazz", sort_by="release_date")) == [7, 6, 5, 4]
    assert ids(desk("search_songs", artist_id=1, sort_by="play_count")) == [3, 2, 1]
    assert ids(desk("search_songs", min_release_date="2012-01-01", max_release_date="2013-06-30")) == [2, 3]
    assert desk.refused("search_songs", min_release_date="spring") == 422


def test_listings_come_in_pages_of_five_unless_asked_for_more(desk: Caller) -> None:
    assert ids(desk("search_songs", sort_by="play_count")) == [7, 6, 5, 4, 3]
    assert ids(desk("search_songs", sort_by="play_count", page_index=1)) == [2, 1]
    assert len(desk("search_songs", page_limit=20)) == 7
    assert desk.refused("search_songs", page_limit=21) == 422


def test_a_song_is_shown_with_artist_album_and_average_rating(desk: Caller) -> None:
    song = desk("show_song", song_id=1)
    assert (song["artist_name"], song["album_title"], song["rating"], song["review_count"]) == (
        "Velvet Foxes",
        "Den",
        3.5,
        2,
    )
    single = desk("show_song", song_id=7)
    assert (single["album_id"], single["album_title"], single["rating"]) == (None, None, None)
    assert desk.refused("show_song", song_id=8) == 404


def test_albums_artists_and_genres_are_shown(desk: Caller) -> None:
    assert ids(desk("show_album", album_id=2)["songs"]) == [4, 5, 6]
    assert desk("show_artist", artist_id=2)["song_ids"] == [4, 5, 6, 7]
    assert [album["title"] for album in desk("search_albums", query="mira")] == ["Sea"]
    assert [artist["artist_id"] for artist in desk("search_artists", genre="rock")] == [1]
    assert desk("list_genres") == ["jazz", "rock"]


def test_the_library_lists_the_latest_first_and_changes(desk: Caller) -> None:
    assert ids(desk("show_song_library")) == [1, 2, 3, 4, 5]
    assert desk.refused("add_song_to_library", song_id=3) == 409
    desk("add_song_to_library", song_id=7)
    desk("remove_song_from_library", song_id=1)
    assert ids(desk("show_song_library", page_limit=20)) == [7, 2, 3, 4, 5, 6]
    assert desk.refused("remove_song_from_library", song_id=1) == 409
    desk("add_album_to_library", album_id=2)
    desk("remove_album_from_library", album_id=1)
    assert [album["album_id"] for album in desk("show_album_library")] == [2]


def test_likes_and_follows_do_not_remember_the_order_of_adding(desk: Caller) -> None:
    for song in (6, 1):
        desk("like_song", song_id=song)
    assert desk.state[Listener][ADA.id].liked_song_ids == (1, 2, 6)
    assert desk.refused("like_song", song_id=6) == 409
    desk("unlike_song", song_id=2)
    assert ids(desk("show_liked_songs")) == [1, 6]
    desk("like_album", album_id=2)
    assert [album["title"] for album in desk("show_liked_albums")] == ["Sea"]
    desk("unlike_album", album_id=2)
    desk("follow_artist", artist_id=1)
    desk("unfollow_artist", artist_id=2)
    assert [artist["name"] for artist in desk("show_followed_artists")] == ["Velvet Foxes"]
    assert desk.refused("unfollow_artist", artist_id=2) == 409


def test_recommendations_are_unknown_songs_of_followed_artists(desk: Caller) -> None:
    assert ids(desk("show_recommendations")) == [7]


def test_play_history_counts_per_account(desk: Caller) -> None:
    [heard] = desk("show_play_history")
    assert (heard["song_id"], heard["my_play_count"], heard["last_played_at"]) == (4, 9, "2025-05-17T12:00:00")
    assert desk("show_play_history", token="ben") == []


def test_a_playlist_is_created_filled_renamed_and_deleted(desk: Caller) -> None:
    id = desk("create_playlist", title="Trip", is_public=True)["playlist_id"]
    for song in (5, 2):
        desk("add_song_to_playlist", playlist_id=id, song_id=song)
    assert desk.refused("add_song_to_playlist", playlist_id=id, song_id=5) == 409
    assert desk("show_playlist", playlist_id=id)["song_ids"] == [2, 5]
    desk("remove_song_from_playlist", playlist_id=id, song_id=2)
    desk("update_playlist", playlist_id=id, title="Long Trip", is_public=False)
    mine = desk("show_playlists")
    assert [(p["title"], p["is_public"], p["song_ids"]) for p in mine] == [
        ("Run", False, []),
        ("Long Trip", False, [5]),
    ]
    desk("delete_playlist", playlist_id=id)
    assert desk.refused("show_playlist", playlist_id=id) == 404


def test_playlist_titles_of_one_owner_differ(desk: Caller) -> None:
    assert desk.refused("create_playlist", title="Run") == 409
    assert desk.refused("create_playlist", title=" ") == 422
    assert desk.refused("update_playlist", token="ben", playlist_id=1, title="Ours") == 409
    desk("update_playlist", token="ben", playlist_id=1, title="Mine")


def test_others_private_playlists_are_not_there_and_public_ones_are_read_only(desk: Caller) -> None:
    assert desk.refused("show_playlist", playlist_id=1) == 404
    assert desk("show_playlist", playlist_id=2)["owner"] == "ben@example.com"
    assert desk.refused("add_song_to_playlist", playlist_id=2, song_id=1) == 403


def test_one_review_per_song_and_only_its_author_changes_it(desk: Caller) -> None:
    assert desk.refused("review_song", song_id=1, rating=4) == 409
    assert desk.refused("review_song", song_id=2, rating=6) == 422
    id = desk("review_song", song_id=2, rating=4, text="Nice.")["review_id"]
    desk("update_review", review_id=id, rating=5)
    assert [(r["song_id"], r["rating"], r["text"]) for r in desk("show_my_reviews", min_rating=3)] == [(2, 5, "Nice.")]
    assert desk.refused("update_review", review_id=1, rating=1) == 403
    desk("delete_review", review_id=2)
    assert [review["author"]["name"] for review in desk("show_song_reviews", song_id=1)] == ["Ben Holt"]


def test_the_player_plays_pauses_and_skips_round_its_queue(desk: Caller) -> None:
    assert desk.refused("pause") == 409
    assert desk.refused("play", song_id=1, album_id=1) == 422
    assert desk("play", album_id=1)["song_id"] == 1
    assert desk("skip", direction="previous")["song_id"] == 3
    desk("add_to_queue", song_id=7)
    assert desk("skip")["song_id"] == 7
    desk("pause")
    desk("set_volume", volume=80)
    player = desk("show_player")
    assert (player["current_song"]["song_id"], player["is_playing"], player["volume"]) == (7, False, 80)
    assert ids(player["queue"]) == [1, 2, 3, 7]
    assert desk("play")["song_id"] == 7
    desk("clear_queue")
    assert desk("show_player")["current_song"] is None
    assert desk.refused("set_volume", volume=101) == 422


def test_a_playlist_can_be_played_if_it_is_seen_and_not_empty(desk: Caller) -> None:
    assert desk.refused("play", playlist_id=3) == 409
    assert desk.refused("play", playlist_id=1) == 404
    assert desk("play", playlist_id=2)["song_id"] == 2


def test_nothing_is_shown_without_a_login(desk: Caller) -> None:
    assert desk.refused("show_song_library", token="stranger") == 401


def test_operations_leave_the_same_rows_as_the_apis(desk: Caller) -> None:
    other = desk.state.fork()
    app.create_playlist(other, ADA.id, "New", [4, 2])
    id = desk("create_playlist", title="New")["playlist_id"]
    for song in (2, 4):
        desk("add_song_to_playlist", playlist_id=id, song_id=song)
    assert desk.state[Playlist][id] == other[Playlist][id]


def test_the_catalogue_of_a_universe_has_no_two_alike() -> None:
    for seed in range(4):
        bases = {base.kind: base.rows for base in generate(seed, people(seed), NOW)}
        songs = list(bases[Song].values())
        for field in ("title", "seconds", "plays"):
            assert len({getattr(song, field) for song in songs}) == len(songs) == 150
        assert len({album.title for album in bases[Album].values()}) == 40
        assert {artist.genre for artist in bases[Artist].values()} == set(GENRES)
        for owner in range(1, 51):
            titles = [p.title for p in bases[Playlist].values() if p.owner == owner]
            counts = [c.plays for c in bases[PlayCount].values() if c.owner == owner]
            assert len(titles) == len(set(titles)) >= 4
            assert len(counts) == len(set(counts)) >= 16


def test_a_universe_is_drawn_from_its_seed_alone() -> None:
    first, again, other = (generate(seed, people(seed), NOW) for seed in (1, 1, 2))
    assert [base.rows for base in first] == [base.rows for base in again]
    assert [base.rows for base in first] != [base.rows for base in other]
