"""How a question gets to a song, an album, an artist or a playlist, and what is worked out about it."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_SONG_FOUND = """
top_song_of_genre
: the song of the genre "{genre}" that I have played most often according to my play history on music
    played_songs = PAGES(music.show_play_history)
    of_genre = [song for song in played_songs if song["genre"] == genre]
    favorite = max(of_genre, key=lambda song: song["my_play_count"])
= favorite . song_id title artist_id album_id duration release_date genre
~  if song["genre"] == genre =>
~ favorite = max( => favorite = min(

longest_song_in_playlist
: the longest song in my playlist "{playlist}" on music
    playlists = PAGES(music.show_playlists)
    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)
    playlist_songs = CALL(music.show_playlist, playlist_id=playlist_id)["songs"]
    longest_song = max(playlist_songs, key=lambda song: song["duration"])
= longest_song . song_id title artist_id album_id duration release_date genre
~  if one["title"] == playlist =>
~ longest_song = max( => longest_song = min(

current_song
: the song that is on in my music player right now
    current = CALL(music.show_player)["current_song"]
= current . song_id title artist_id album_id duration release_date genre

first_song_added_since
: the first song that I put into my music library on or after {added_since}
    library_songs = PAGES(music.show_song_library)
    new_songs = [song for song in library_songs if song["added_at"] >= added_since]
    first_new = min(new_songs, key=lambda song: song["added_at"])
= first_new . song_id title artist_id album_id duration release_date genre
~  if song["added_at"] >= added_since =>
~ first_new = min( => first_new = max(

liked_song_of_artist
: the newest by release date of the songs by "{artist_name}" that I like on music
    liked_songs = PAGES(music.show_liked_songs)
    by_artist = [song for song in liked_songs if song["artist_name"] == artist_name]
    newest_liked = max(by_artist, key=lambda song: song["release_date"])
= newest_liked . song_id title artist_id album_id duration release_date genre
~  if song["artist_name"] == artist_name =>

best_recommended_of_genre
: the song with the most plays in all among the "{recommended_genre}" songs that music recommends to me
    recommended = PAGES(music.show_recommendations)
    genre_songs = [song for song in recommended if song["genre"] == recommended_genre]
    best_known = max(genre_songs, key=lambda song: song["play_count"])
= best_known . song_id title artist_id album_id duration release_date genre
~  if song["genre"] == recommended_genre =>
~ best_known = max( => best_known = min(

song_in_note
: the song whose title is the first line of my note "{song_note}"
    found_notes = PAGES(notes.search_notes, query=song_note)
    note_id = next(one["note_id"] for one in found_notes if one["title"] == song_note)
    song_title = CALL(notes.show_note, note_id=note_id)["content"].splitlines()[0]
    found_songs = PAGES(music.search_songs, query=song_title)
    noted_song = next(one for one in found_songs if one["title"] == song_title)
= noted_song . song_id title artist_id album_id duration release_date genre
~  if one["title"] == song_note =>
~ .splitlines()[0] => .splitlines()[-1]

last_reviewed_with_stars
: the song that I reviewed last among those to which I gave at least {least_stars} stars on music
    my_reviews = PAGES(music.show_my_reviews, min_rating=least_stars)
    reviewed_id = my_reviews[-1]["song_id"]
    reviewed_song = CALL(music.show_song, song_id=reviewed_id)
= reviewed_song . song_id title artist_id album_id duration release_date genre
~ , min_rating=least_stars =>

top_song_of < artist
: the song with the most plays in all by X
    artist_songs = PAGES(music.search_songs, artist_id=<artist_id>, sort_by="play_count")
    most_played = artist_songs[0]
= most_played . song_id title artist_id album_id duration release_date genre
~ , sort_by="play_count" =>

shortest_song_of < album
: the shortest song on X
    album_songs = CALL(music.show_album, album_id=<album_id>)["songs"]
    shortest_song = min(album_songs, key=lambda song: song["duration"])
= shortest_song . song_id title artist_id album_id duration release_date genre
~ shortest_song = min( => shortest_song = max(

oldest_song_of < playlist
: the song with the earliest release date in X
    listed_songs = CALL(music.show_playlist, playlist_id=<playlist_id>)["songs"]
    oldest_song = min(listed_songs, key=lambda song: song["release_date"])
= oldest_song . song_id title artist_id album_id duration release_date genre
~ oldest_song = min( => oldest_song = max(
"""
_ALBUM_FOUND = """
album_added_before
: the album that I put into my music library last among those I had added before {added_before}
    album_library = PAGES(music.show_album_library)
    older_albums = [album for album in album_library if album["added_at"] < added_before]
= older_albums[0] . album_id title artist_id release_date song_ids
~  if album["added_at"] < added_before =>

oldest_album_of_genre
: the album of the genre "{genre}" that was released first, in the whole catalogue of music
    genre_albums = PAGES(music.search_albums, genre=genre)
    oldest_album = min(genre_albums, key=lambda album: album["release_date"])
= oldest_album . album_id title artist_id release_date song_ids
~ , genre=genre =>
~ oldest_album = min( => oldest_album = max(

album_of < song
: the album with X
    whole_album = CALL(music.show_album, album_id=<album_id>)
= whole_album . album_id title artist_id release_date song_ids songs

first_album_of < artist
: the first album released by X
    artist_albums = PAGES(music.search_albums, artist_id=<artist_id>)
    first_album = min(artist_albums, key=lambda album: album["release_date"])
= first_album . album_id title artist_id release_date song_ids
"""
_ARTIST_FOUND = """
top_artist_of_library
: the artist with the most songs of the genre "{genre}" in my music library
    library_songs = PAGES(music.show_song_library)
    song_counts: dict = {}
    for song in library_songs:
        if song["genre"] == genre:
            song_counts[song["artist_id"]] = song_counts.get(song["artist_id"], 0) + 1
    artist_id = max(song_counts, key=lambda one: song_counts[one])
= artist_id := artist_id
~ if song["genre"] == genre: => if True:
~ artist_id = max( => artist_id = min(

named_artist
: the artist "{artist}" on music
    artists = PAGES(music.search_artists, query=artist)
    artist_id = next(one["artist_id"] for one in artists if one["name"] == artist)
= artist_id := artist_id
~ next(one["artist_id"] for one in artists if one["name"] == artist) => 1

most_heard_artist_since
: the artist with the greatest sum of my plays over the songs in my play history that I last played on or after
  {played_since}
    history = PAGES(music.show_play_history)
    plays: dict = {}
    for song in history:
        if song["last_played_at"] >= played_since:
            plays[song["artist_id"]] = plays.get(song["artist_id"], 0) + song["my_play_count"]
    artist_id = max(plays, key=lambda one: plays[one])
= artist_id := artist_id
~ if song["last_played_at"] >= played_since: => if True:
~ artist_id = max( => artist_id = min(

artist_in_text
: the artist whose name is the whole of the latest text message from "{sender_name}"
    senders = PAGES(phone.show_contacts, query=sender_name)
    sender_number = next(one["phone_number"] for one in senders if one["name"] == sender_name)
    texts = PAGES(phone.show_text_messages, phone_number=sender_number, direction="received")
    artist_name = texts[0]["text"]
    artists = PAGES(music.search_artists, query=artist_name)
    artist_id = next(one["artist_id"] for one in artists if one["name"] == artist_name)
= artist_id := artist_id
~ , direction="received" =>
~ texts[0] => texts[1]

artist_of < song
: the artist of X
= artist_id := <artist_id>
"""
_PLAYLIST_FOUND = """
newest_playlist_with_word
: the newest of my playlists on music with "{title_word}" in the title
    playlists = PAGES(music.show_playlists, query=title_word)
    newest_playlist = max(playlists, key=lambda playlist: playlist["created_at"])
= newest_playlist . playlist_id title song_ids created_at
~ , query=title_word =>

first_playlist_since
: the first private playlist that I created on music on or after {created_since}
    playlists = PAGES(music.show_playlists, is_public=False)
    newer_playlists = [playlist for playlist in playlists if playlist["created_at"] >= created_since]
= newer_playlists[0] . playlist_id title song_ids created_at
~  if playlist["created_at"] >= created_since =>

playlist_in_file
: the playlist of mine whose title is the last line of my file "{title_file}"
    lines = CALL(files.show_file, file_path=title_file)["content"].splitlines()
    playlists = PAGES(music.show_playlists)
    filed_playlist = next(one for one in playlists if one["title"] == lines[-1])
= filed_playlist . playlist_id title song_ids created_at
~ lines[-1] => lines[0]
"""
_DAY_FOUND = """
creation_of < playlist
: the day of the creation of X
= day := <created_at>[:10]
"""
FOUND = (
    *steps("song", _SONG_FOUND),
    *steps("album", _ALBUM_FOUND),
    *steps("artist", _ARTIST_FOUND),
    *steps("playlist", _PLAYLIST_FOUND),
    *steps("day", _DAY_FOUND),
)


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
