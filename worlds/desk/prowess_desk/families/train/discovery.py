"""Train families of the music app: artists, genres, reviews and likes; one of them with notes, one with the phone."""

from __future__ import annotations

from datetime import date

from prowess.types import Json
from prowess_desk.apps import music
from prowess_desk.apps.music import Artist, Playlist, Song, SongReview
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import jotted, older_twin
from prowess_desk.families.scene import in_contacts, widened
from prowess_desk.families.toolbox import all_pages, apis, contacts_who_are, login, read_note
from prowess_desk.families.train.music import add_song
from prowess_desk.families.train.playlists import playlist_of, twins

# Leave no trace of the songs that were rated low before a day.


def _make_clear(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    rows = state[SongReview].of(me)
    last = len(rows) - 2  # this one and the next were written on the day or later
    day = rows[last].created_at.date()
    if len(rows) < 9 or rows[last - 1].created_at.date() == day:
        return None
    stars, good = rng.randint(2, 3), rng.sample(range(1, last), last - 6)
    for n, row in enumerate(rows):
        rating = stars + 1 if n in good else rng.randint(1, stars) if n else stars
        music.change_review(state, row.id, rating=rating, text=rng.choice(("", "Heard it on the radio.")))
        music.unlike_song(state, me, row.song)
        if n % 4 < 2 or n in good:
            music.like_song(state, me, row.song)
        if n % 2 and n not in good:
            music.unsave_song(state, me, row.song)
    return {"stars": stars, "day": day.isoformat(), "other_stars": stars + 1}


def _solve_clear(state: State, me: Person, values: Values) -> Json:
    for row in state[SongReview].of(me.id):
        if row.rating <= values["stars"] and row.created_at.date() < date.fromisoformat(values["day"]):
            music.unsave_song(state, me.id, row.song)
            music.unlike_song(state, me.id, row.song)
            music.delete_review(state, row.id)


def clear_out_low_rated(max_rating: int, before: str) -> int:
    """Drop songs rated at most this before a day (YYYY-MM-DD) from library, likes and reviews; return how many."""
    token = login(app="music")
    reviews = all_pages(apis.music.show_my_reviews, access_token=token, max_rating=max_rating)
    saved = {song["song_id"] for song in all_pages(apis.music.show_song_library, access_token=token)}
    liked = {song["song_id"] for song in all_pages(apis.music.show_liked_songs, access_token=token)}
    old = [review for review in reviews if review["created_at"][:10] < before]
    for review in old:
        if review["song_id"] in saved:
            apis.music.remove_song_from_library(access_token=token, song_id=review["song_id"])
        if review["song_id"] in liked:
            apis.music.unlike_song(access_token=token, song_id=review["song_id"])
        apis.music.delete_review(access_token=token, review_id=review["review_id"])
    return len(old)


forget_low_rated = Family(
    name="forget_low_rated",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"stars": int, "day": str},
    wordings=(
        "Every song that I reviewed before {day} and gave {stars} out of 5 or less should leave my song library and"
        " lose my like, if it has one. Then delete those reviews as well.",
        "I do not want to be reminded of songs I found bad. Find my music reviews written earlier than {day} with a"
        " rating of at most {stars}; take these songs out of my library and out of the songs I like, wherever they are"
        " in one of them, and remove the reviews themselves.",
        "Clean up my music account: reviews of mine with {stars} stars or fewer from the time before {day} (not from"
        " that day) are to be deleted, and the songs in question neither kept in my song library nor liked any more.",
    ),
    make=_make_clear,
    solve=_solve_clear,
    program=Program(functions=(clear_out_low_rated,), call="clear_out_low_rated(max_rating={stars!r}, before={day!r})"),
    mistakes=(
        Mistake(name="a_star_more", swap={"stars": "other_stars"}),
        Mistake(name="that_day_too", old="[:10] < before", new="[:10] <= before"),
        Mistake(name="any_day", old=' if review["created_at"][:10] < before', new=""),
        Mistake(name="likes_kept", old='if review["song_id"] in liked:', new="if False:"),
        Mistake(name="first_page", old="all_pages(apis.music.show_my_reviews, ", new="apis.music.show_my_reviews("),
        Mistake(name="library_kept", old='if review["song_id"] in saved:', new="if False:"),
    ),
)


# Who among my contacts gave a song so many stars?


def _make_raters(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    relation, other = rng.sample(("friend", "coworker", "roommate"), 2)
    if not in_contacts(state, draw.me, other) or not widened(draw, relation, other):
        return None
    song, stars = rng.choice(list(state[Song])), rng.randint(3, 5)
    twin = add_song(draw, f"Acoustic {song.title}", state[Artist][song.artist])  # a search lists it first
    for row in state[SongReview].of(("song", song.id)):
        state[SongReview].remove(row.id)
    emails = [row.email for row in state[Contact].of(draw.me.id) if relation in row.relationships]
    circle = [person for email in emails for person in draw.people if person.email == email]
    rest = [person for person in draw.people if person not in circle and person != draw.me]
    low, silent, exact, *good = rng.sample(circle[:5], 5)
    for person in (*rng.sample(rest, 4), draw.me, *in_contacts(state, draw.me, other)[:1]):
        if person not in circle and not any(row.author == person.id for row in state[SongReview].of(("song", song.id))):
            music.review(state, person.id, song.id, rng.randint(stars, 5), "Heard it on the radio.")
    music.review(state, low.id, song.id, stars - 1)
    for person in (exact, circle[-1], *good[: rng.randint(0, 2)]):  # the last of the contacts is not on the first page
        music.review(state, person.id, song.id, stars if person == exact else rng.randint(stars, 5))
    for person in (silent, low, rest[0]):
        music.review(state, person.id, twin.id, 5, "So calm.")
    return {"song": song.title, "relation": relation, "stars": stars, "other_song": twin.title, "other_relation": other}


def _solve_raters(state: State, me: Person, values: Values) -> Json:
    song = next(song.id for song in state[Song] if song.title == values["song"])
    stars = {row.author: row.rating for row in state[SongReview].of(("song", song))}
    circle = in_contacts(state, me, values["relation"])
    return [person.name for person in circle if stars.get(person.id, 0) >= values["stars"]]


def contacts_who_rated(title: str, relationship: str, min_rating: int) -> list:
    """Return the names of the contacts of a relationship who reviewed a song with at least this rating."""
    names = {contact["email"]: contact["name"] for contact in contacts_who_are(relationship=relationship)}
    token = login(app="music")
    songs = all_pages(apis.music.search_songs, access_token=token, query=title)
    song_id = next(song["song_id"] for song in songs if song["title"] == title)
    reviews = all_pages(apis.music.show_song_reviews, access_token=token, song_id=song_id)
    authors = [review["author"]["email"] for review in reviews if review["rating"] >= min_rating]
    return [names[email] for email in authors if email in names]


raters_of_song = Family(
    name="raters_of_song",
    split="train",
    difficulty=2,
    apps=("phone", "music"),
    slots={"song": str, "relation": str, "stars": int},
    wordings=(
        'Which {relation}s in my phone contacts have reviewed the song "{song}" on music with {stars} stars or more?'
        " Answer with their full names, separated by commas.",
        'I would like to talk about "{song}" with a {relation} who thinks highly of it. My phone contacts say who is a'
        " {relation} of mine: give me a list of the full names of those whose review on music has a rating of at least"
        " {stars}.",
        'Compare the music reviews of "{song}" with my phone contacts. Which {relation}s of mine gave it {stars} or'
        " better? I need their first and last names as a list.",
    ),
    make=_make_raters,
    solve=_solve_raters,
    program=Program(
        functions=(contacts_who_rated,),
        call="contacts_who_rated(title={song!r}, relationship={relation!r}, min_rating={stars!r})",
    ),
    asks=True,
    mistakes=(
        Mistake(name="another_circle", swap={"relation": "other_relation"}),
        Mistake(name="first_match", old=' if song["title"] == title', new=""),
        Mistake(name="more_stars_only", old='review["rating"] >= min_rating', new='review["rating"] > min_rating'),
        Mistake(name="first_page", old="all_pages(apis.music.show_song_reviews, ", new="apis.music.show_song_reviews("),
        Mistake(name="first_contacts", old="all_pages(apis.phone.show_contacts, ", new="apis.phone.show_contacts("),
    ),
)


# Follow and unfollow artists as a note says.

_NOTES = "Artists this year|Who to follow|After the festival|Radio notes|Concert season|Record shop tips".split("|")


def _make_noted(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    first, *artists = sorted(rng.sample(list(state[Artist]), 10), key=lambda artist: artist.id)
    state[Artist].change(first.id, name=f"{artists[-1].name} Orchestra")  # a search finds this one first
    lines, older = [], []
    for n, artist in enumerate((artists[-1], *rng.sample(artists[:-1], 8))):
        music.unfollow(state, me, artist.id)
        if n in (2, 4, 5, 6, 8):
            music.follow(state, me, artist.id)
        lines += [f"{'+' if n < 4 else '-'} {artist.name}"] if n < 8 else []  # 2 is followed already, 7 never was
        older += [f"{rng.choice('+-')} {artist.name}"] if n else [f"- {artist.name}"]
    title = rng.choice(_NOTES)
    jotted(draw, title, "\n".join(("Plus: follow, minus: no longer", *rng.sample(lines, 8))), days=4)
    jotted(draw, older_twin(title), "\n".join(("Plus: follow, minus: no longer", *older)), days=380)
    return {"title": title, "other_title": older_twin(title)}


def _solve_noted(state: State, me: Person, values: Values) -> Json:
    lines = note_titled(state, me.id, values["title"]).content.split("\n")
    for artist in state[Artist]:
        if "+ " + artist.name in lines:
            music.follow(state, me.id, artist.id)
        if "- " + artist.name in lines:
            music.unfollow(state, me.id, artist.id)


def follow_as_noted(note_title: str) -> int:
    """Follow the artists on a note's lines `+ name`, unfollow those on its lines `- name`; return how many changed."""
    lines = read_note(title=note_title)["content"].splitlines()
    token = login(app="music")
    followed = {artist["artist_id"] for artist in all_pages(apis.music.show_followed_artists, access_token=token)}
    changed = 0
    for line in lines:
        if not line.startswith(("+ ", "- ")):
            continue
        name, wanted = line[2:], line[0] == "+"
        found = all_pages(apis.music.search_artists, access_token=token, query=name)
        artist_id = next(artist["artist_id"] for artist in found if artist["name"] == name)
        if wanted and artist_id not in followed:
            apis.music.follow_artist(access_token=token, artist_id=artist_id)
            changed += 1
        elif not wanted and artist_id in followed:
            apis.music.unfollow_artist(access_token=token, artist_id=artist_id)
            changed += 1
    return changed


artists_by_note = Family(
    name="artists_by_note",
    split="train",
    difficulty=3,
    apps=("notes", "music"),
    slots={"title": str},
    wordings=(
        'My note "{title}" lists artists, each after a plus or a minus. Follow those with a plus on music and unfollow'
        " those with a minus; where that is already so, there is nothing to do.",
        'Follow the artists with a + in my note "{title}" on music, and stop following those with a -.',
        'Open the note called "{title}". A line that starts with + names an artist I want to follow on music, a line'
        " that starts with - one I am through with. Please change whom I follow accordingly and touch nobody else.",
        "Update the artists that I follow in the music app: add whoever has a + in front of the name in my note"
        ' "{title}", and drop whoever has a - there, if I follow them at all.',
    ),
    make=_make_noted,
    solve=_solve_noted,
    program=Program(functions=(follow_as_noted,), call="follow_as_noted(note_title={title!r})"),
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if artist["name"] == name', new=""),
        Mistake(name="nobody_unfollowed", old="not wanted and artist_id in followed", new="False"),
        Mistake(name="first_five_lines", old='["content"].splitlines()', new='["content"].splitlines()[:5]'),
        Mistake(name="signs_swapped", old='line[0] == "+"', new='line[0] == "-"'),
    ),
)


# Add a song of each genre that a playlist lacks.

_NEW = "Bit of Everything|Open Ears|Grand Tour|Patchwork|Around the Dial|Full Spectrum|Mixed Company".split("|")


def _make_genres(draw: Draw) -> Values | None:
    rng, state = draw.rng, draw.state
    mine, older = twins(draw)
    top: dict[str, Song] = {}
    for song in sorted(state[Song], key=lambda song: song.plays):
        top[song.genre] = song
    gone = rng.sample(sorted(top), 3)
    songs = [state[Song][id] for id in mine.song_ids]
    music.remove_from_playlist(
        state, mine.id, *(song.id for song in songs if song.genre in gone or song in top.values())
    )
    music.change_playlist(state, mine.id, public=False)
    music.add_to_playlist(state, older.id, top[gone[0]].id)  # what the other playlist lacks is not the same
    titles = sorted(song.title for song in state[Song] if song.genre == gone[0])
    if titles.index(top[gone[0]].title) < 5 or len(state[Playlist][mine.id].song_ids) < 3:
        return None
    return {"title": mine.title, "new": rng.choice(_NEW), "other_title": older.title}


def _solve_genres(state: State, me: Person, values: Values) -> Json:
    playlist = playlist_of(state, me, values["title"])
    there = {state[Song][song].genre for song in playlist.song_ids}
    for genre in {artist.genre for artist in state[Artist]} - there:
        plays = {song.plays: song.id for song in state[Song] if song.genre == genre}
        music.add_to_playlist(state, playlist.id, plays[max(plays)])
    music.change_playlist(state, playlist.id, title=values["new"])


def complete_genres_of_playlist(title: str, new_title: str) -> int:
    """Add the most played song of each genre that a playlist lacks, rename it and return how many were added."""
    token = login(app="music")
    playlists = all_pages(apis.music.show_playlists, access_token=token, query=title)
    playlist_id = next(playlist["playlist_id"] for playlist in playlists if playlist["title"] == title)
    songs = apis.music.show_playlist(access_token=token, playlist_id=playlist_id)["songs"]
    there = {song["genre"] for song in songs}
    missing = [genre for genre in apis.music.list_genres(access_token=token) if genre not in there]
    for genre in missing:
        found = all_pages(apis.music.search_songs, access_token=token, genre=genre)
        top = max(found, key=lambda song: song["play_count"])
        apis.music.add_song_to_playlist(access_token=token, playlist_id=playlist_id, song_id=top["song_id"])
    apis.music.update_playlist(access_token=token, playlist_id=playlist_id, title=new_title)
    return len(missing)


every_genre_playlist = Family(
    name="every_genre_playlist",
    split="train",
    difficulty=3,
    apps=("music",),
    slots={"title": str, "new": str},
    wordings=(
        'For every genre of the music catalogue that my playlist "{title}" has no song of, add the song of that genre'
        ' with the most plays by all listeners. Then rename the playlist to "{new}".',
        'My playlist "{title}" should have something of each genre there is on music. Where a genre is missing, put in'
        ' its most played song (everybody\'s plays count, not just mine), and call the playlist "{new}" from now on.',
        'Please give "{title}", one of my music playlists, the new title "{new}" and round it off: for each genre that'
        " is not in it yet, it gets the one song of that genre with the highest play count in the catalogue.",
    ),
    make=_make_genres,
    solve=_solve_genres,
    program=Program(
        functions=(complete_genres_of_playlist,),
        call="complete_genres_of_playlist(title={title!r}, new_title={new!r})",
    ),
    mistakes=(
        Mistake(name="another_playlist", swap={"title": "other_title"}),
        Mistake(name="first_match", old=' if playlist["title"] == title', new=""),
        Mistake(name="every_genre", old=" if genre not in there]", new="]"),
        Mistake(name="the_longest", old='song["play_count"]', new='song["duration"]'),
        Mistake(name="first_page", old="all_pages(apis.music.search_songs, ", new="apis.music.search_songs("),
        Mistake(name="made_public", old="title=new_title)", new="title=new_title, is_public=True)"),
    ),
)

FAMILIES = (forget_low_rated, raters_of_song, artists_by_note, every_genre_playlist)
