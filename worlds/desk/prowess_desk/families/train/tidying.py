"""Train families of putting in order: parts joined, a playlist split, repeated requests denied, tasks put in place."""

from __future__ import annotations

import re
from collections import Counter

from prowess.types import Json
from prowess_desk.apps.files import file_at, make_directory, remove_file, write_file
from prowess_desk.apps.music import Playlist, Song, add_to_playlist, create_playlist, remove_from_playlist
from prowess_desk.apps.notes import note_titled
from prowess_desk.apps.phone import send_text
from prowess_desk.apps.todo import TodoTask, edit_task, project_named
from prowess_desk.apps.wallet import PaymentRequest, deny
from prowess_desk.data.music import GENRES
from prowess_desk.engine.family import Draw, Family, Mistake, Program, Values
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import State
from prowess_desk.families.papers import at_home, filed, jotted, older_twin, planned, projects_of
from prowess_desk.families.scene import acquaintances, ago, asked, named
from prowess_desk.families.toolbox import all_pages, apis, login, read_note

# Join the numbered parts of a text.

_LINES = "It rained.|Nobody had seen the letter.|The train was late.|He never spoke of it.|A dog barked.".split("|")


def _make_join(draw: Draw) -> Values | None:
    rng, folder = draw.rng, f"~/documents/{draw.rng.choice('novel memoir thesis travels manual lectures'.split())}"
    stem, other = rng.sample(("chapter", "part", "section", "draft", "page", "scene"), 2)
    make_directory(draw.state, draw.me.id, at_home(draw.me, f"{folder}/old"))
    parts = [f"{stem}-{n + 1}.txt" for n in range(rng.randint(11, 14))]  # sorted as text, 10 comes before 2
    rest = f"{stem}-15.md|{stem}-notes.txt|old-{stem}-3.txt|old/{stem}-20.txt|{other}-1.txt|{other}-2.txt".split("|")
    for name in parts + rest:
        filed(draw, f"{folder}/{name}", "\n".join([f"({name[:-4]})", *rng.sample(_LINES, rng.randint(1, 5))]))
    return {"folder": folder, "stem": stem, "other_stem": other}


def _solve_join(state: State, me: Person, values: Values) -> Json:
    start = f"{at_home(me, values['folder'])}/{values['stem']}"
    parts = [part for n in range(1, 30) if (part := file_at(state, me.id, f"{start}-{n}.txt")) is not None]
    for part in parts:
        remove_file(state, me.id, part.path)
    return write_file(state, me.id, f"{start}.txt", "\n".join(one.content for one in parts)).content.count("\n") + 1


def join_numbered_files(folder: str, stem: str) -> int:
    """Join the files stem-NUMBER.txt of a folder by number as stem.txt, delete them and return its number of lines."""
    token = login(app="files")
    parts: dict = {}
    for path in apis.files.show_directory(access_token=token, directory_path=folder)["files"]:
        if match := re.fullmatch(rf"{re.escape(stem)}-(\d+)\.txt", path.split("/")[-1]):
            parts[int(match[1])] = path
    texts = [apis.files.show_file(access_token=token, file_path=parts[number])["content"] for number in sorted(parts)]
    whole = "\n".join(texts)
    apis.files.create_file(access_token=token, file_path=f"{folder}/{stem}.txt", content=whole)
    for path in parts.values():
        apis.files.delete_file(access_token=token, file_path=path)
    return len(whole.splitlines())


join_parts = Family(
    name="join_parts",
    split="train",
    difficulty=1,
    apps=("files",),
    slots={"folder": str, "stem": str},
    wordings=(
        "Join the files {stem}-1.txt, {stem}-2.txt and so on, right in {folder}, by number into one file {stem}.txt"
        " there, each text on a new line after the one before. Delete the parts. How many lines has the file got?",
        "I wrote a text in pieces: they lie in {folder} itself and are called {stem}, a hyphen, a number and .txt. Make"
        " one file of them, {stem}.txt in the same folder, number 1 first and no empty lines in between, and remove the"
        " pieces. Then tell me the number of lines in it.",
        "How many lines is my text if I put its pieces {stem}-NUMBER.txt, right in {folder}, one below the other, the"
        " lowest number first and nothing between? Do so: save it as {stem}.txt beside them and get rid of the pieces.",
        "Turn {stem}-1.txt, {stem}-2.txt and all such files of {folder} (not of its subfolders) into one {stem}.txt"
        " there, in order of number, just a line break from one to the next. Delete them. How many lines has it got?",
        "{folder} holds a document cut into files: {stem}-1.txt is its beginning, then comes {stem}-2.txt, and so on."
        " Save the whole as {stem}.txt in the same place, every part starting on a new line, no blank lines added, and"
        " delete those numbered .txt files. What is the line count of the whole?",
    ),
    make=_make_join,
    solve=_solve_join,
    program=Program(functions=(join_numbered_files,), call="join_numbered_files(folder={folder!r}, stem={stem!r})"),
    asks=True,
    mistakes=(
        Mistake(name="another_text", swap={"stem": "other_stem"}),
        Mistake(name="as_listed", old="parts[int(match[1])]", new="parts[match[1]]"),
        Mistake(name="parts_kept", old="        apis.files.delete_file(", new="        dict("),
        Mistake(name="subfolders_too", old="directory_path=folder)", new="directory_path=folder, recursive=True)"),
    ),
)


# Split a playlist into one for each genre it has enough of.


def _make_genres(draw: Draw) -> Values | None:
    rng, me, count = draw.rng, draw.me, draw.rng.randint(3, 5)
    title = rng.choice(("Everything Else", "Big Mix", "Car Songs", "Shuffle Box", "All Year Long", "Leftovers"))
    songs = {genre: [song.id for song in draw.state[Song] if song.genre == genre] for genre in GENRES}
    genres = rng.sample([genre for genre, ids in songs.items() if len(ids) >= count + 4], 4)
    picked = [rng.sample(songs[genre], count + more) for genre, more in zip(genres, (2, 0, 1, -1), strict=True)]
    create_playlist(draw.state, me.id, older_twin(title), [song for ids in picked for song in ids[:count]])
    there = (*picked[2][:2], *rng.sample(sorted(set(songs[genres[2]]) - set(picked[2])), 2))
    create_playlist(draw.state, me.id, f"{title}: {genres[2]}", there, public=True)  # begun some time ago
    create_playlist(draw.state, me.id, title, [song for ids in picked for song in ids], public=rng.random() < 0.5)
    return {"title": title, "count": count, "other_title": older_twin(title)}


def _solve_genres(state: State, me: Person, values: Values) -> Json:
    lists = {playlist.title: playlist for playlist in state[Playlist].of(me.id)}
    songs = [state[Song][id] for id in lists[values["title"]].song_ids]
    for genre in sorted({song.genre for song in songs}):
        ids = [song.id for song in songs if song.genre == genre]
        if len(ids) >= values["count"]:
            name = f"{values['title']}: {genre}"
            add_to_playlist(state, (lists.get(name) or create_playlist(state, me.id, name)).id, *ids)
            remove_from_playlist(state, lists[values["title"]].id, *ids)


def split_playlist(title: str, least: int) -> list:
    """Move the songs of each genre a playlist has enough songs of to the playlist `title: genre`; return the genres."""
    token = login(app="music")
    mine = {each["title"]: each for each in all_pages(apis.music.show_playlists, access_token=token)}
    source = mine[title]["playlist_id"]
    songs = apis.music.show_playlist(access_token=token, playlist_id=source)["songs"]
    counts = Counter(song["genre"] for song in songs)
    genres = [genre for genre, count in counts.items() if count >= least]
    for genre in genres:
        name = f"{title}: {genre}"
        if name not in mine:
            mine[name] = apis.music.create_playlist(access_token=token, title=name) | {"song_ids": []}
        target = mine[name]["playlist_id"]
        for song_id in [song["song_id"] for song in songs if song["genre"] == genre]:
            if song_id not in mine[name]["song_ids"]:
                apis.music.add_song_to_playlist(access_token=token, playlist_id=target, song_id=song_id)
            apis.music.remove_song_from_playlist(access_token=token, playlist_id=source, song_id=song_id)
    return genres


split_by_genre = Family(
    name="split_by_genre",
    split="train",
    difficulty=2,
    apps=("music",),
    slots={"title": str, "count": int},
    wordings=(
        'Split my playlist "{title}" by genre: if it has {count} or more songs of a genre, they move to a playlist of'
        ' their own, titled like "{title}: jazz". Make those that do not exist, as private ones. The rest stays.',
        'My music playlist "{title}" is too big. Wherever {count} songs or more in it are of one genre, take them out'
        ' and put them into the playlist "{title}: " plus the name of the genre (as in "{title}: folk"). If I have that'
        " one, just add what it lacks, otherwise create it, not public.",
        'Genres with at least {count} songs in my playlist "{title}" deserve a playlist each: rock songs move to'
        ' "{title}: rock", and so on. Playlists that are there already get the songs they lack; new ones are private.',
        'Clear out my playlist "{title}": only songs of genres it has fewer than {count} of remain. All others go to'
        ' playlists named like "{title}: pop", with their own genre: to those that exist, or else to new private ones.',
        'Count the songs of each genre in my playlist "{title}". For each count of {count} or above, move these songs'
        ' to "{title}: GENRE" (the genre in place of GENRE), a new private playlist unless I have one of this title.',
    ),
    make=_make_genres,
    solve=_solve_genres,
    program=Program(functions=(split_playlist,), call="split_playlist(title={title!r}, least={count!r})"),
    mistakes=(
        Mistake(name="the_older_playlist", swap={"title": "other_title"}),
        Mistake(name="only_copied", old="            apis.music.remove_song_from_playlist(", new="            dict("),
        Mistake(name="more_than_that", old="count >= least", new="count > least"),
        Mistake(name="made_public", old="title=name)", new="title=name, is_public=True)"),
    ),
)


# Deny the requests that were sent again later.


def _make_repeated(draw: Draw) -> Values | None:
    rng, me, people = draw.rng, draw.me, acquaintances(draw)
    notes = rng.sample("Raft trip|Tulip bulbs|Chess club|Quiz evening|Fondue|Moving van|Wool|Lake cabin".split("|"), 6)
    cents = [100 * rng.randint(6, 40) + 5 * n for n in range(7)]
    pending = [(0, 0, 0, 3), (0, 0, 0, 9), (0, 0, 0, 30), (0, 1, 1, 5), (0, 1, 1, 24), (1, 2, 2, 12), (1, 2, 2, 27)]
    pending += [(1, 2, 6, 2), (2, 2, 2, 7), (2, 3, 2, 6)]  # another amount, another sender, another note
    pending += [(3, 4, 4, 4), (4, 5, 5, 8), (4, 5, 5, 20)]  # once approved before; to be spared
    for who, note, amount, days in pending:
        asked(draw, people[who], me, notes[note], ago(draw, days), cents=cents[amount])
    asked(draw, people[3], me, notes[4], ago(draw, 21), cents=cents[4], status="approved")
    asked(draw, me, people[0], notes[1], ago(draw, 8), cents=cents[1])  # my own
    message = rng.choice(("You sent me the same thing again.", "One request is enough.", "I kept your newest request."))
    return {"person": people[4].name, "message": message, "other_person": people[1].name}


def _solve_repeated(state: State, me: Person, values: Values) -> Json:
    spared = named(state, values["person"]).id
    rows = [row for row in state[PaymentRequest].of(me.id) if row.payer == me.id and row.status == "pending"]
    told = set()
    for row in rows:
        again = [one for one in rows if (one.requester, one.cents, one.note) == (row.requester, row.cents, row.note)]
        if row.requester != spared and any(one.created_at > row.created_at for one in again):
            deny(state, row.id)
            told.add(row.requester)
    for person in sorted(told):
        send_text(state, me.id, person, values["message"])


def deny_repeated(spared: str, message: str) -> int:
    """Deny the pending requests that their sender repeated later, but one person's, text each once; return how many."""
    token = login(app="wallet")
    requests = all_pages(apis.wallet.show_received_requests, access_token=token, status="pending")
    seen = set()
    repeaters = []
    for request in sorted(requests, key=lambda one: one["created_at"], reverse=True):
        sender = request["requester"]
        kind = (sender["email"], request["amount"], request["note"])
        if kind in seen and sender["name"] != spared:
            apis.wallet.deny_request(access_token=token, request_id=request["request_id"])
            repeaters.append(sender["email"])
        seen.add(kind)
    phone_token = login(app="phone")
    contacts = all_pages(apis.phone.show_contacts, access_token=phone_token)
    numbers = {contact["email"]: contact["phone_number"] for contact in contacts}
    for email in dict.fromkeys(repeaters):
        apis.phone.send_text_message(access_token=phone_token, phone_number=numbers[email], text=message)
    return len(repeaters)


repeated_requests = Family(
    name="repeated_requests",
    split="train",
    difficulty=3,
    apps=("wallet", "phone"),
    slots={"person": str, "message": str},
    wordings=(
        "Some people sent me a wallet request again. Where pending ones have the same sender, amount and note, deny all"
        ' but the newest, except those from {person}. Text "{message}" once to each person whose requests you deny.',
        "On wallet, turn down every open request to me that its sender repeated later with exactly the same amount and"
        ' note; only {person} may do that. Everybody whom you refuse something gets one text from me: "{message}"',
        "Clear out my unanswered wallet requests! Of those that one person made for the same amount with the same note,"
        " only the latest should stay pending, the earlier ones are to be denied. Do not touch what {person} sent. Then"
        ' write "{message}" in a single text to each person whose requests you denied.',
        'Send one text saying "{message}" to each of the people, other than {person}, who sent me pending wallet'
        " requests that are alike in amount and note, and deny all but the most recent of those that are alike.",
        "Same person, same amount, same note, not answered yet: of such wallet requests to me, deny all but the last"
        ' one, unless it is {person} who asks. Whoever gets a no also gets a text from me, one each: "{message}"',
    ),
    make=_make_repeated,
    solve=_solve_repeated,
    program=Program(functions=(deny_repeated,), call="deny_repeated(spared={person!r}, message={message!r})"),
    mistakes=(
        Mistake(name="another_person", swap={"person": "other_person"}),
        Mistake(name="the_oldest_kept", old=", reverse=True", new=""),
        Mistake(name="any_amount", old='request["amount"], ', new=""),
        Mistake(name="any_sender", old='(sender["email"], request', new="(request"),
        Mistake(name="a_text_per_request", old="dict.fromkeys(repeaters)", new="repeaters"),
    ),
)


# Put the tasks of a project where a note says they belong.

_TOPICS = {  # two titles with the word, and one with a longer word
    "car": "take the car to the garage|Car insurance: compare offers|roll up the carpet",
    "cat": "buy food for the cat|Cat to the vet|send back the catalogue",
    "tax": "find the tax papers|Tax office: call back|share a taxi on Tuesday",
    "bike": "pump up the bike|Bike lock: get a new one|wave to the bikers",
}


def _make_empty(draw: Draw) -> Values | None:
    rng, title = draw.rng, draw.rng.choice(("Where tasks go", "Task sorter", "Project rules", "Who gets what"))
    (source, first, second), words = projects_of(draw, 3), rng.sample(list(_TOPICS), 3)
    lines = [f"{word}: {project.name}" for word, project in zip(words, (first, second, first), strict=True)]
    jotted(draw, title, "\n".join(("One line per word.", *lines)), days=10)
    jotted(draw, older_twin(title), "\n".join(f"{word}: {second.name}" for word in words), days=400)
    for text in [text for word in words for text in _TOPICS[word].split("|")]:
        planned(draw, source, text, days=rng.randint(1, 60))
    planned(draw, source, f"photo with {words[1]} and {words[0]}")  # its first word is not that of the first line
    planned(draw, source, f"sell the {words[1]} for good", done=True)
    planned(draw, second, f"read more on {words[2]}")
    return {"project": source.name, "title": title, "other_title": older_twin(title)}


def _solve_empty(state: State, me: Person, values: Values) -> Json:
    source, left = project_named(state, me.id, values["project"]).id, []
    places = [line.split(": ") for line in note_titled(state, me.id, values["title"]).content.split("\n")[1:]]
    for task in [task for task in state[TodoTask].of(me.id) if task.project_id == source and not task.done]:
        fitting = [place for word, place in places if re.search(rf"\b{word}\b", task.title, re.IGNORECASE)]
        if fitting:
            edit_task(state, task.id, project_id=project_named(state, me.id, fitting[0]).id)
        else:
            left.append(task.title)
    return left


def sort_by_words(source: str, note_title: str) -> list:
    """Move a project's open tasks to the projects a note names for words (`word: project`); return the titles left."""
    lines = read_note(title=note_title)["content"].splitlines()
    rules = [line.split(": ") for line in lines if ": " in line]
    token = login(app="todo")
    projects = {each["name"]: each["project_id"] for each in all_pages(apis.todo.list_projects, access_token=token)}
    left = []
    for task in all_pages(apis.todo.list_tasks, access_token=token, project_id=projects[source], done=False):
        words = re.findall(r"\w+", task["title"].lower())
        target = next((name for word, name in rules if word in words), None)
        if target:
            apis.todo.move_task(access_token=token, task_id=task["task_id"], project_id=projects[target])
        else:
            left.append(task["title"])
    return left


tasks_in_their_place = Family(
    name="tasks_in_their_place",
    split="train",
    difficulty=3,
    apps=("notes", "todo"),
    slots={"project": str, "title": str},
    wordings=(
        'My note "{title}" has lines like "soap: Bathroom": an open task of my todo project "{project}" with the word'
        " soap (no part of a longer one) in its title, in capitals or not, belongs into Bathroom. Move them all, each"
        " by the first line that fits. Which open tasks stay?",
        'Please empty "{project}" in my todo app as far as my note "{title}" goes. A line there is a word, a colon, a'
        " space and a project: unfinished tasks with this word in the title, as a word of its own in any"
        " capitalization, move there, the upper line being stronger. Give me the titles of the open ones left.",
        'What remains to do in my todo project "{project}" when all that has another place is gone? The note "{title}"'
        " says behind each word where open tasks with this whole word, capitals or not, in the title go (the topmost"
        " line wins). Move them, and give me the titles of the rest.",
        'Sort the open tasks of "{project}" in todo by whole words in their titles (ignore capitals): my note "{title}"'
        " names a project per word (word: project). If two lines apply, take the upper one. Which open tasks are left?",
        'My note "{title}" has words, each with a project after the colon. Carry the open tasks of "{project}" in todo'
        " over to the project of the first word there that stands alone in their title, in capitals or not. Which of"
        " the open tasks have none of the words?",
    ),
    make=_make_empty,
    solve=_solve_empty,
    program=Program(functions=(sort_by_words,), call="sort_by_words(source={project!r}, note_title={title!r})"),
    asks=True,
    mistakes=(
        Mistake(name="the_older_note", swap={"title": "other_title"}),
        Mistake(name="longer_words", old=r're.findall(r"\w+", task["title"].lower())', new='task["title"].lower()'),
        Mistake(name="capitals_missed", old='task["title"].lower()', new='task["title"]'),
        Mistake(name="the_last_line", old="in rules if word", new="in reversed(rules) if word"),
        Mistake(name="done_ones_too", old=", done=False", new=""),
    ),
)

FAMILIES = (join_parts, split_by_genre, repeated_requests, tasks_in_their_place)
