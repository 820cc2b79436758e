"""Train families of the music app with the phone: tips from texts, and what contacts like."""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timedelta

from prowess.types import Json
from prowess_desk.apps import music
from prowess_desk.apps.music import (
    Album,
    Artist,
    Listener,
    PlayCount,
    SavedAlbum,
    Song,
    SongReview,
    delete_review,
    like_song,
    review,
    save_album,
    unlike_song,
)
from prowess_desk.apps.phone import Contact, TextMessage
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.scene import acquaintances, ago, in_contacts, named, texted, widened, widened_circle
from prowess_desk.families.toolbox import all_pages, apis, contact_named, contacts_who_are, login
from prowess_desk.families.train.music import add_song

# Keep the albums that somebody recommends by text.

_STARTS = ("Album tip:", "Hear this:", "New favorite:", "On repeat:", "You need this:")


def _make_save_tipped_albums(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    person, other, *_ = acquaintances(draw)
    start, second = rng.sample(_STARTS, 2)
    mine = {row.album for row in state[SavedAlbum].of(me.id)}
    fresh = rng.sample([album.title for album in state[Album] if album.id not in mine], 10)
    kept = rng.sample([album.title for album in state[Album] if album.id in mine], 2)
    days = rng.randint(20, 60)
    noon = (state.now - timedelta(days=days)).replace(hour=12, minute=0)
    for n, title in enumerate((*fresh[:6], *kept, fresh[0], "Echoes of Nowhere")):  # one of them twice
        texted(draw, person, me, f"{start} {title}", ago(draw, 0.5 + (days - 3) * n / 10))
    texted(draw, person, me, f"{start} {fresh[6]}", noon)  # that day counts
    texted(draw, person, me, f"{start} {fresh[7]}", noon - timedelta(days=1))
    texted(draw, me, person, f"{start} {fresh[8]}", ago(draw, 2))
    texted(draw, other, me, f"{start} {fresh[9]}", ago(draw, 3))
    texted(draw, person, me, f"{second} {state[Song][rng.randint(1, 150)].title}", ago(draw, 4))  # a song, no album
    texted(draw, person, me, f"Did you like my last one? {start} I will send more.", ago(draw, 1))
    since = noon.date().isoformat()
    return {"person": person.name, "start": start, "since": since, "other_person": other.name, "other_start": second}


def _solve_save_tipped_albums(state: State, me: Person, values: Values) -> Json:
    person, start = named(state, values["person"]), values["start"]
    theirs = [row for row in state[TextMessage].of(me.id) if row.sender == person.id]
    texts = {row.text for row in theirs if row.sent_at >= datetime.fromisoformat(values["since"])}
    mine = {row.album for row in state[SavedAlbum].of(me.id)}
    for album in state[Album]:
        if f"{start} {album.title}" in texts and album.id not in mine:
            save_album(state, me.id, album.id)


def keep_album_tips(name: str, start: str, since: str) -> int:
    """Add the albums that a person texted since a day (`start title`) to the library, if new, and return how many."""
    number = contact_named(name=name)["phone_number"]
    token = login(app="phone")
    texts = all_pages(
        apis.phone.show_text_messages, access_token=token, phone_number=number, direction="received", from_date=since
    )
    titles = {text["text"].removeprefix(start).strip() for text in texts if text["text"].startswith(start)}
    music_token = login(app="music")
    kept = {album["title"] for album in all_pages(apis.music.show_album_library, access_token=music_token)}
    count = 0
    for title in sorted(titles - kept):
        for album in all_pages(apis.music.search_albums, access_token=music_token, query=title):
            if album["title"] == title:
                apis.music.add_album_to_library(access_token=music_token, album_id=album["album_id"])
                count += 1
    return count


save_tipped_albums = Family(
    name="save_tipped_albums",
    split="train",
    difficulty=2,
    apps=("phone", "music"),
    slots={"person": str, "start": str, "since": str},
    wordings=(
        '{person} names albums to me in texts that read "{start}" and then the title. Add those from the texts I got'
        " since {since}, that day included, to my album library on music. Skip what is in there already and what the"
        " catalogue does not have.",
        'Go through the text messages that {person} has sent me on {since} or later. After the words "{start}" at the'
        " start of a message comes the title of an album: save that album in my music library unless I have it."
        " Titles that music does not know can be ignored.",
        "Please put the albums that {person} recommended into my library on music. I mean the titles that follow"
        ' "{start}" where a text to me begins with it, from {since} on (the day itself counts). Some albums I keep'
        " already, others are not on music at all: leave those out.",
    ),
    make=_make_save_tipped_albums,
    solve=_solve_save_tipped_albums,
    program=Program(
        functions=(keep_album_tips,), call="keep_album_tips(name={person!r}, start={start!r}, since={since!r})"
    ),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="other_texts", swap={"start": "other_start"}),
        Mistake(name="any_day", old=", from_date=since", new=""),
        Mistake(name="sent_ones_too", old=', direction="received"', new=""),
        Mistake(name="from_anybody", old="phone_number=number, ", new=""),
        Mistake(name="first_page", old="    titles = {", new="    texts = texts[:5]\n    titles = {"),
    ),
)


# Who among my contacts gave a song so many stars?


def _make_raters_of_song(draw: Draw) -> Values | None:
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


def _solve_raters_of_song(state: State, me: Person, values: Values) -> Json:
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
    make=_make_raters_of_song,
    solve=_solve_raters_of_song,
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


# Who of a circle rates songs as one does oneself?


def _make_like_minded_contact(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me
    if (found := widened_circle(draw, least=5)) is None:
        return None
    relation, other, (a, b, keen, fourth, *_), outsider = found
    first, second = sorted((a, b), key=lambda person: person.name)
    songs = rng.sample([song.id for song in state[Song]], 8)
    for row in [*state[SongReview].of(me.id), *(row for song in songs for row in state[SongReview].of(("song", song)))]:
        if row.author in {person.id for person in (me, *found[2], outsider)} and state[SongReview].get(row.id):
            delete_review(state, row.id)  # they are written anew
    same = {first.id: songs[3:7], second.id: songs[2:6], keen.id: songs[:2], fourth.id: songs[:3], outsider.id: songs}
    for song in songs:
        rating = review(state, me.id, song, rng.randint(1, 5)).rating
        for person, agreed in same.items():
            if song in agreed or person == keen.id:  # who has reviewed them all
                review(state, person, song, rating if song in agreed else rating % 5 + 1)
    return {"relation": relation, "other_relation": other}


def _solve_like_minded_contact(state: State, me: Person, values: Values) -> Json:
    mine = {row.song: row.rating for row in state[SongReview].of(me.id)}
    scores = {}
    for person in in_contacts(state, me, values["relation"]):
        scores[person.name] = sum(mine.get(row.song) == row.rating for row in state[SongReview].of(person.id))
    return sorted(name for name, score in scores.items() if score == max(scores.values()))[0]


def most_like_minded(relationship: str) -> str:
    """Find the contact of a relationship who gave the most of one's reviewed songs the rating one gave them oneself."""
    names = {contact["email"]: contact["name"] for contact in contacts_who_are(relationship=relationship)}
    token = login(app="music")
    same: Counter = Counter()
    for mine in all_pages(apis.music.show_my_reviews, access_token=token):
        for other in all_pages(apis.music.show_song_reviews, access_token=token, song_id=mine["song_id"]):
            email = other["author"]["email"]
            if email in names and other["rating"] == mine["rating"]:
                same[names[email]] += 1
    return min(same, key=lambda name: (-same[name], name))


like_minded_contact = Family(
    name="like_minded_contact",
    split="train",
    difficulty=2,
    apps=("phone", "music"),
    slots={"relation": str},
    wordings=(
        "Which {relation} of mine (see my phone contacts) has given the most of the songs that I reviewed on music just"
        " as many stars as I did? If several have equally many such songs, name the first of them in the alphabet.",
        "Of all whom my phone contacts list as {relation}, who has given the same rating as I to the largest number of"
        " songs on music? I am looking for somebody with my taste. In a tie, take the name that is first from A to Z.",
        "For each {relation} on my phone, count the songs on music which we have both rated, and with the same rating."
        " Whose count is the highest? The first in the alphabet, please, if that is true of several.",
        "Take the songs I have reviewed in the music app, and look who else did. Among the people my phone has as"
        " {relation}, who hands out exactly my number of stars most often? (Equally often: the first by full name.)",
        "Tell me the name of the {relation} in my phone contacts whose ratings on music match mine for the greatest"
        " number of songs; should two or more share first place, the alphabetically first of their names.",
    ),
    make=_make_like_minded_contact,
    solve=_solve_like_minded_contact,
    program=Program(functions=(most_like_minded,), call="most_like_minded(relationship={relation!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_relation", swap={"relation": "other_relation"}),
        Mistake(name="any_rating", old=' and other["rating"] == mine["rating"]', new=""),
        Mistake(name="last_in_a_tie", old="min(same, key=lambda name: (-", new="max(same, key=lambda name: ("),
        Mistake(name="first_reviews", old="all_pages(apis.music.show_my_reviews, ", new="apis.music.show_my_reviews("),
    ),
)


# Unlike what was not played lately.


def _make_unlike_unheard(draw: Draw) -> Values | None:
    rng, state, me = draw.rng, draw.state, draw.me.id
    days = rng.randint(12, 35)
    limit = state.now.date() - timedelta(days=days)
    heard = sorted(state[PlayCount].of(me), key=lambda row: row.last_at)
    old = [row for row in heard if row.last_at.date() < limit]
    recent = heard[len(old) :]
    if len(recent) < 8 or len(old) < 2 or recent[0].last_at.date() == limit:  # neither more nor less than so many days
        return None
    never = max(song.id for song in state[Song] if song.id not in {row.song for row in heard})
    for song in (recent[0].song, recent[1].song, recent[5].song, old[0].song, old[-1].song, never):
        like_song(state, me, song)
    return {"days": days, "other_days": (state.now.date() - recent[0].last_at.date()).days - 1}


def _solve_unlike_unheard(state: State, me: Person, values: Values) -> Json:
    last = {row.song: row.last_at for row in state[PlayCount].of(me.id)}
    for song in state[Listener][me.id].liked_song_ids:
        if song not in last or (state.now.date() - last[song].date()).days > values["days"]:
            unlike_song(state, me.id, song)


def unlike_songs_unheard_for(days: int) -> int:
    """Unlike the liked songs that were last played more than so many days ago, or never, and return how many."""
    today = date.fromisoformat(apis.phone.show_current_date_and_time()["date"])
    limit = (today - timedelta(days=days)).isoformat()
    token = login(app="music")
    history = all_pages(apis.music.show_play_history, access_token=token)
    recent = {song["song_id"] for song in history if song["last_played_at"][:10] >= limit}
    liked = all_pages(apis.music.show_liked_songs, access_token=token)
    unheard = [song["song_id"] for song in liked if song["song_id"] not in recent]
    for song_id in unheard:
        apis.music.unlike_song(access_token=token, song_id=song_id)
    return len(unheard)


unlike_unheard = Family(
    name="unlike_unheard",
    split="train",
    difficulty=2,
    apps=("music", "phone"),
    slots={"days": int},
    wordings=(
        "Take back my like from every song on music that I have not played for more than {days} days. Liked songs that"
        " my play history does not have at all lose it as well.",
        "My liked songs should be ones I really listen to: go by the play history of the music app and unlike those I"
        " last heard more than {days} days ago, or never.",
        "Only songs that I have played in the last {days} days may stay among my likes on music. Take the like off all"
        " others, including songs that I never played.",
        "It has been more than {days} days since I listened to some of the songs I like on music, and some I have never"
        " played at all. Neither kind needs my like any more; the rest keep it.",
        "Look at when I last played each of my liked songs in the music app. If that was over {days} days ago, or if"
        " there is no such day because I never did, unlike the song.",
    ),
    make=_make_unlike_unheard,
    solve=_solve_unlike_unheard,
    program=Program(functions=(unlike_songs_unheard_for,), call="unlike_songs_unheard_for(days={days!r})"),
    mistakes=(
        Mistake(name="fewer_days", swap={"days": "other_days"}),
        Mistake(name="never_played_kept", old="not in recent]", new='in {one["song_id"] for one in history} - recent]'),
        Mistake(name="by_release", old='song["last_played_at"]', new='song["release_date"]'),
        Mistake(name="first_page", old="page_limit=20", new="page_limit=5"),
    ),
)

FAMILIES = (
    save_tipped_albums,
    raters_of_song,
    like_minded_contact,
    unlike_unheard,
)
