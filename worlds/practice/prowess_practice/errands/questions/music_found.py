"""How a question gets to a song, an album, an artist or a playlist."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps

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
