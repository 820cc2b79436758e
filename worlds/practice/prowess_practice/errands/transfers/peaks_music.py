"""The longest, newest, most played songs, albums and playlists, and what belongs to them."""

from __future__ import annotations

from prowess_practice.errands.transfers import albums, songs
from prowess_practice.errands.transfers.peaks import Link, Peak

_MUSIC = "access_token=music_token"
_OTHER = 'ROW["song_id"] != TOP["song_id"]'
SONG_PEAKS = (
    Peak(pool=songs.LIBRARY, word="longest", most="is the longest", by='ROW["duration"]'),
    Peak(pool=songs.LIKES, word="most_played", most="has the most plays", by='ROW["play_count"]'),
    Peak(pool=songs.HISTORY, word="favorite", most="I played most often", by='ROW["my_play_count"]'),
    Peak(pool=songs.LIBRARY, word="newest", most="was added last", by='ROW["added_at"]'),
    Peak(pool=songs.LIKES, word="shortest", most="is the shortest", by='ROW["duration"]', greatest=False),
    Peak(pool=songs.HISTORY, word="latest", most="I played last", by='ROW["last_played_at"]'),
    Peak(pool=songs.IN_PLAYLIST, word="oldest", most="came out first", by='ROW["release_date"]', greatest=False),
    Peak(pool=songs.CATALOGUE, word="most_played", most="has the most plays", by='ROW["play_count"]'),
)
SONG_LINKS = (
    Link(
        word="artist_songs",
        says="the other songs in my music library by the artist of OF",
        row="song",
        tests=('ROW["artist_id"] == TOP["artist_id"]', _OTHER),
        reading=songs.LIBRARY.reading,
        among="library_songs",
        has=("kept",),
    ),
    Link(
        word="album_songs",
        says="the other songs on the album of OF",
        row="song",
        tests=(_OTHER,),
        reading=f'    songs = apis.music.show_album({_MUSIC}, album_id=TOP["album_id"])["songs"]\n',
    ),
    Link(
        word="catalogue_songs",
        says="the other songs in the whole catalogue of music by the artist of OF",
        row="song",
        tests=(_OTHER,),
        reading=f'    songs = all_pages(apis.music.search_songs, {_MUSIC}, artist_id=TOP["artist_id"])\n',
    ),
    Link(
        word="genre_songs",
        says="the other songs in my play history of the same genre as OF",
        row="song",
        tests=('ROW["genre"] == TOP["genre"]', _OTHER),
        reading=songs.HISTORY.reading,
        among="played_songs",
    ),
    Link(
        word="later_songs",
        says="those liked songs of mine that came out on a later day than OF",
        row="song",
        tests=('ROW["release_date"] > TOP["release_date"]',),
        reading=songs.LIKES.reading,
        among="liked_songs",
        has=("liked",),
    ),
)
LIST_LINKS = (
    Link(
        word="playlists",
        says="those playlists of mine that contain OF",
        row="playlist",
        tests=('TOP["song_id"] in ROW["song_ids"]',),
        reading=albums.LISTS.reading,
        among="playlists",
    ),
    Link(
        word="other_playlists",
        says="those playlists of mine that do not contain OF",
        row="playlist",
        tests=('TOP["song_id"] not in ROW["song_ids"]',),
        reading=albums.LISTS.reading,
        among="playlists",
    ),
    Link(
        word="artist_lists",
        says="those playlists of mine with any song by the artist of OF",
        row="playlist",
        tests=('song_ids.intersection(ROW["song_ids"])',),
        reading=(
            f'    song_ids = set(apis.music.show_artist({_MUSIC}, artist_id=TOP["artist_id"])["song_ids"])\n'
            + albums.LISTS.reading
        ),
    ),
)
ALBUM_LINKS = (
    Link(
        word="artist_albums",
        says="the other albums in the catalogue of music by the artist of OF",
        row="album",
        tests=('ROW["album_id"] != TOP["album_id"]',),
        reading=f'    albums = all_pages(apis.music.search_albums, {_MUSIC}, artist_id=TOP["artist_id"])\n',
        among="liked_albums",
    ),
    Link(
        word="genre_albums",
        says="the other albums in my album library of the same genre as OF",
        row="album",
        tests=('ROW["genre"] == TOP["genre"]', 'ROW["album_id"] != TOP["album_id"]'),
        reading=albums.KEPT.reading,
        among="library_albums",
    ),
)
ALBUM_PEAKS = (
    Peak(pool=albums.KEPT, word="newest", most="came out last", by='ROW["release_date"]'),
    Peak(pool=albums.LIKED, word="oldest", most="came out first", by='ROW["release_date"]', greatest=False),
)
INSIDE = (
    Link(
        word="songs",
        says="the songs on OF",
        row="song",
        tests=(),
        reading=f'    songs = apis.music.show_album({_MUSIC}, album_id=TOP["album_id"])["songs"]\n',
    ),
    Link(
        word="earlier_songs",
        says="the songs in my library released before OF",
        row="song",
        tests=('ROW["release_date"] < TOP["release_date"]',),
        reading=songs.LIBRARY.reading,
        among="library_songs",
        has=("kept",),
    ),
)
LISTED = (
    Peak(pool=albums.LISTS, word="largest", most="has the most songs", by='len(ROW["song_ids"])'),
    Peak(pool=albums.LISTS, word="oldest", most="was created first", by='ROW["created_at"]', greatest=False),
    Peak(pool=albums.OPEN, word="newest", most="was created last", by='ROW["created_at"]'),
)
IN_LIST = (
    Link(
        word="songs",
        says="the songs in OF",
        row="song",
        tests=(),
        reading=f'    songs = apis.music.show_playlist({_MUSIC}, playlist_id=TOP["playlist_id"])["songs"]\n',
    ),
    Link(
        word="library_songs",
        says="those songs of my music library that are not in OF",
        row="song",
        tests=('ROW["song_id"] not in TOP["song_ids"]',),
        reading=songs.LIBRARY.reading,
        among="library_songs",
        has=("kept",),
    ),
    Link(
        word="missing_likes",
        says="those songs I like that are not in OF",
        row="song",
        tests=('ROW["song_id"] not in TOP["song_ids"]',),
        reading=songs.LIKES.reading,
        among="liked_songs",
        has=("liked",),
    ),
)
