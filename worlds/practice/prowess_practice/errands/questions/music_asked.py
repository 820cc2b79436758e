"""What is worked out about a song, an album, an artist or a playlist."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import works

_SONG_ASKED = """
latest_reviewer_of -> name
? Who wrote the latest review on music of X?
! Find out who wrote the latest review on music of X
    reviews = PAGES(music.show_song_reviews, song_id=<song_id>)
    last_review = max(reviews, key=lambda review: review["created_at"])
    return last_review["author"]["name"]
~ last_review = max( => last_review = min(

average_stars_of -> rounded
? What is the average number of stars in all the reviews on music of X?
! Work out the average number of stars over all the reviews on music of X
    reviews = PAGES(music.show_song_reviews, song_id=<song_id>)
    stars = [review["rating"] for review in reviews]
    return round(sum(stars) / len(stars), 2)

list_playlists_with -> titles
? Which of my playlists on music contain X?
! List the playlists of mine on music that contain X
    my_playlists = PAGES(music.show_playlists)
    return [playlist["title"] for playlist in my_playlists if <song_id> in playlist["song_ids"]]
~  if <song_id> in playlist["song_ids"] =>

count_longer_than -> number
? How many songs in my music library last longer than X?
! Count the songs in my music library that last longer than X
    kept_songs = PAGES(music.show_song_library)
    return len([song for song in kept_songs if song["duration"] > <duration>])
~ > <duration> => < <duration>

next_released_after -> title
? Of the songs that I like on music, which is the first to be released after (not on) the release day of X?
! Find, among the songs that I like on music, the first one released after (not on) the release day of X
    liked = PAGES(music.show_liked_songs)
    later = [song for song in liked if song["release_date"] > <release_date>]
    next_song = min(later, key=lambda song: song["release_date"])
    return next_song["title"]
~  if song["release_date"] > <release_date> =>
~ next_song = min( => next_song = max(

count_contemporaries_of -> number
? How many songs in the catalogue of music, the song itself included, have the same genre as, and were released no later
  than, X?
! Count the songs in the catalogue of music, the song itself included, that have the same genre as, and were released no
  later than, X
    older_songs = PAGES(music.search_songs, genre=<genre>, max_release_date=<release_date>)
    return len(older_songs)
~ , max_release_date=<release_date> =>

list_liked_albums_after -> titles
? Which of the albums that I like on music were released later than X?
! List the albums I like on music which were released later than X
    liked_albums = PAGES(music.show_liked_albums)
    return [album["title"] for album in liked_albums if album["release_date"] > <release_date>]
~  if album["release_date"] > <release_date> =>
"""
_ALBUM_ASKED = """
seconds_of -> number
? How many seconds do all the songs last together on X?
! Add up the durations in seconds of all songs on X
    album_songs = CALL(music.show_album, album_id=<album_id>)["songs"]
    return sum(song["duration"] for song in album_songs)

most_played_title_of -> title
? Which song has the most plays in all on X?
! Find the song with the most plays in all on X
    album_songs = CALL(music.show_album, album_id=<album_id>)["songs"]
    top_song = max(album_songs, key=lambda song: song["play_count"])
    return top_song["title"]
~ top_song = max( => top_song = min(

list_unkept_of -> titles
? Which songs are missing from my song library although they are on X?
! List the songs, missing from my song library, that are on X
    album_songs = CALL(music.show_album, album_id=<album_id>)["songs"]
    kept_ids = {song["song_id"] for song in PAGES(music.show_song_library)}
    return [song["title"] for song in album_songs if song["song_id"] not in kept_ids]
~  if song["song_id"] not in kept_ids =>

sum_my_plays_of -> number
? How often in all have I played, going by my play history on music, the songs that are on X?
! Add up how often I have played, going by my play history on music, the songs that are on X
    history_songs = PAGES(music.show_play_history)
    plays_of = {song["song_id"]: song["my_play_count"] for song in history_songs}
    return sum(plays_of.get(song_id, 0) for song_id in <song_ids>)

average_rating_on -> rounded
? If all reviews of its songs are put together, what is the average number of stars on X?
! Put the reviews of all its songs together and work out the average number of stars on X
    stars = []
    for album_song_id in <song_ids>:
        reviews = PAGES(music.show_song_reviews, song_id=album_song_id)
        stars += [review["rating"] for review in reviews]
    return round(sum(stars) / len(stars), 2)
"""
_ARTIST_ASKED = """
count_songs_since_of -> number
? How many songs in the catalogue of music were released on or after {released_since} by X?
! Count the songs in the catalogue of music released on or after {released_since} by X
    songs = PAGES(music.search_songs, artist_id=<artist_id>, min_release_date=released_since)
    return len(songs)
~ , min_release_date=released_since =>
~ , artist_id=<artist_id> =>

second_most_played_of -> title
? Which song has the second most plays in all among the songs by X?
! Find the song with the second most plays in all among those by X
    songs = PAGES(music.search_songs, artist_id=<artist_id>, sort_by="play_count")
    return songs[1]["title"]
~ songs[1] => songs[0]
~ , sort_by="play_count" =>

days_between_albums_of -> number
? What is the number of days from the release of the first to that of the last album in the catalogue by X?
! Work out the number of days from the release of the first to that of the last album in the catalogue by X
    albums = PAGES(music.search_albums, artist_id=<artist_id>)
    release_days = [date.fromisoformat(album["release_date"]) for album in albums]
    return (max(release_days) - min(release_days)).days

list_in_playlist_by -> titles
? Which songs in my playlist "{in_playlist}" are by X?
! List the songs in my playlist "{in_playlist}" that are by X
    my_playlists = PAGES(music.show_playlists)
    chosen_id = next(one["playlist_id"] for one in my_playlists if one["title"] == in_playlist)
    songs = CALL(music.show_playlist, playlist_id=chosen_id)["songs"]
    return [song["title"] for song in songs if song["artist_id"] == <artist_id>]
~  if song["artist_id"] == <artist_id> =>

list_peers_of -> names
? Which other artists in the catalogue of music have the same genre as X?
! List the other artists in the catalogue of music of the same genre as X
    shown_artist = CALL(music.show_artist, artist_id=<artist_id>)
    peers = PAGES(music.search_artists, genre=shown_artist["genre"])
    return [peer["name"] for peer in peers if peer["artist_id"] != <artist_id>]
~ , genre=shown_artist["genre"] =>
~  if peer["artist_id"] != <artist_id> =>
"""
_PLAYLIST_ASKED = """
seconds_liked_in -> number
? How many seconds do all the songs that I like last together, counting only those in X?
! Add up the durations in seconds of the songs that I like in X
    liked_ids = {song["song_id"] for song in PAGES(music.show_liked_songs)}
    songs = CALL(music.show_playlist, playlist_id=<playlist_id>)["songs"]
    return sum(song["duration"] for song in songs if song["song_id"] in liked_ids)
~  if song["song_id"] in liked_ids =>

main_genre_of -> called
? Which genre occurs most often among the songs in X?
! Find the genre that occurs most often among the songs in X
    songs = CALL(music.show_playlist, playlist_id=<playlist_id>)["songs"]
    genres: dict = {}
    for song in songs:
        genres[song["genre"]] = genres.get(song["genre"], 0) + 1
    return max(genres, key=lambda name: genres[name])
~ return max(genres => return min(genres

share_kept_of -> percent
? Which share of the songs is also in my song library, of all that are in X?
! Work out which share of the songs is also in my song library, of all those in X
    kept_ids = {song["song_id"] for song in PAGES(music.show_song_library)}
    kept = [song_id for song_id in <song_ids> if song_id in kept_ids]
    return round(100 * len(kept) / len(<song_ids>))
~  if song_id in kept_ids =>

list_unplayed_of -> titles
? Which songs have I never played, going by my play history on music, although they are in X?
! List the songs, never played according to my play history on music, that are in X
    history_songs = PAGES(music.show_play_history)
    played_ids = {song["song_id"] for song in history_songs}
    songs = CALL(music.show_playlist, playlist_id=<playlist_id>)["songs"]
    return [song["title"] for song in songs if song["song_id"] not in played_ids]
~  if song["song_id"] not in played_ids =>

list_followed_artists_in -> names
? Which of the artists whom I follow on music have at least one song in X?
! List the artists whom I follow on music and who have at least one song in X
    songs = CALL(music.show_playlist, playlist_id=<playlist_id>)["songs"]
    artist_ids = {song["artist_id"] for song in songs}
    followed = PAGES(music.show_followed_artists)
    return [artist["name"] for artist in followed if artist["artist_id"] in artist_ids]
~  if artist["artist_id"] in artist_ids =>

list_genres_missing_in -> names
? Which genres of the catalogue of music do not occur in X?
! List the genres of the catalogue of music that do not occur in X
    songs = CALL(music.show_playlist, playlist_id=<playlist_id>)["songs"]
    heard_genres = {song["genre"] for song in songs}
    return [name for name in CALL(music.list_genres) if name not in heard_genres]
~  if name not in heard_genres =>
"""
ASKED = (
    *works("song", _SONG_ASKED),
    *works("album", _ALBUM_ASKED),
    *works("artist", _ARTIST_ASKED),
    *works("playlist", _PLAYLIST_ASKED),
)
