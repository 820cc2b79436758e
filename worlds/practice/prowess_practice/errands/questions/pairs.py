"""Two things of a kind, and in which of them there is more."""

from __future__ import annotations

from prowess_practice.errands.questions.tables import steps, works

_TWO = """
two_NOUNs
: PHRASE "{one_NOUN}" and "{other_NOUN}"
    choices = [one_NOUN, other_NOUN]
= choices := choices
"""
_PHRASES = {
    "people": ("person", "my contacts"),
    "groups": ("group", "my splits groups"),
    "playlists": ("playlist", "my playlists"),
    "projects": ("project", "my todo projects"),
    "folders": ("folder", "my folders"),
    "artists": ("musician", "the artists"),
}
_PEOPLE = """
richer_of -> name
? Who has sent me more money with the wallet, all payments added up, of X?
! Add up all wallet payments by sender and find who has sent me more of X
    received = PAGES(wallet.show_transactions, direction="received")
    sums = {name: 0.0 for name in <choices>}
    for payment in [payment for payment in received if payment["sender"]["name"] in sums]:
        sums[payment["sender"]["name"]] += payment["amount"]
    return max(sums, key=lambda name: sums[name])
~ return max(sums => return min(sums

more_talkative_of -> name
? With whom do I have more text messages, of X?
! Find out with whom I have more text messages, of X
    conversations = PAGES(phone.show_conversations)
    chosen = [one for one in conversations if one["name"] in <choices>]
    best = max(chosen, key=lambda one: one["message_count"])
    return best["name"]
~ best = max( => best = min(

payment_gap_between -> amount
? Counting the splits expenses in which I have a share, by how much does the sum paid by one differ from the sum paid by
  the other, of X? Give the difference without a sign.
! Add up, by payer, the splits expenses in which I have a share and give the difference, without a sign, between the
  sums paid by X
    every_expense = PAGES(splits.show_expenses)
    sums = {name: 0.0 for name in <choices>}
    for expense in [expense for expense in every_expense if expense["paid_by"]["name"] in sums]:
        sums[expense["paid_by"]["name"]] += expense["amount"]
    return round(max(sums.values()) - min(sums.values()), 2)
~  - min(sums.values()) =>

days_between_births_of -> number
? What is the number of days from the earlier to the later of the days of birth of X?
! Work out the number of days from the earlier to the later of the days of birth of X
    all_contacts = PAGES(phone.show_contacts)
    births = [date.fromisoformat(one["birthday"]) for one in all_contacts if one["name"] in <choices>]
    return abs((births[0] - births[1]).days)
~ births[0] - births[1] => births[0] - births[0]
"""
_GROUPS = """
costlier_of -> called
? Which has the greater sum of all its expenses, of X?
! Find which has the greater sum of all its expenses, of X
    groups = PAGES(splits.show_groups)
    sums = {}
    for group in [group for group in groups if group["name"] in <choices>]:
        expenses = PAGES(splits.show_expenses, group_id=group["group_id"])
        sums[group["name"]] = sum(expense["amount"] for expense in expenses)
    return max(sums, key=lambda name: sums[name])
~ return max(sums => return min(sums

list_members_of_both -> names
? Who, me included, is a member of both of X?
! List everybody, me included, who is a member of both of X
    groups = PAGES(splits.show_groups)
    member_lists = [group["members"] for group in groups if group["name"] in <choices>]
    first_names, second_names = ([one["name"] for one in members] for members in member_lists)
    return [name for name in first_names if name in second_names]
~  if name in second_names =>
"""
_PLAYLISTS = """
longer_of -> title
? Which lasts longer, all songs added up, of X?
! Add up the durations of the songs and find which lasts longer of X
    playlists = PAGES(music.show_playlists)
    seconds = {}
    for playlist in [playlist for playlist in playlists if playlist["title"] in <choices>]:
        songs = CALL(music.show_playlist, playlist_id=playlist["playlist_id"])["songs"]
        seconds[playlist["title"]] = sum(song["duration"] for song in songs)
    return max(seconds, key=lambda title: seconds[title])
~ return max(seconds => return min(seconds

better_liked_of -> title
? Which has more songs that I like on music, of X?
! Find which has more songs that I like on music, of X
    liked_songs = PAGES(music.show_liked_songs)
    liked_ids = {song["song_id"] for song in liked_songs}
    playlists = PAGES(music.show_playlists)
    chosen = [one for one in playlists if one["title"] in <choices>]
    best = max(chosen, key=lambda one: len(liked_ids & set(one["song_ids"])))
    return best["title"]
~ best = max( => best = min(
"""
_PROJECTS = """
more_finished_of -> called
? Which has more tasks that are done, of X?
! Find which has more tasks that are done, of X
    projects = PAGES(todo.list_projects)
    counts = {}
    for project in [project for project in projects if project["name"] in <choices>]:
        done_tasks = PAGES(todo.list_tasks, project_id=project["project_id"], done=True)
        counts[project["name"]] = len(done_tasks)
    return max(counts, key=lambda name: counts[name])
~ return max(counts => return min(counts
~ , done=True =>

first_due_in_both -> title
? Which open task is due first in X, taken together?
! Take X together and find the open task that is due first
    projects = PAGES(todo.list_projects)
    project_ids = [one["project_id"] for one in projects if one["name"] in <choices>]
    open_tasks = PAGES(todo.list_tasks, done=False)
    due_tasks = [task for task in open_tasks if task["due_date"] and task["project_id"] in project_ids]
    first_due = min(due_tasks, key=lambda task: task["due_date"])
    return first_due["title"]
~  and task["project_id"] in project_ids =>
~ first_due = min( => first_due = max(
"""
_FOLDERS = """
fuller_of -> path
? Which has more bytes in the files that lie in it or below, of X?
! Find which has more bytes in the files that lie in it or below, of X
    sizes = {}
    for path in <choices>:
        files = PAGES(files.search_files, directory_path=path)
        sizes[path] = sum(file["size"] for file in files)
    return max(sizes, key=lambda path: sizes[path])
~ return max(sizes => return min(sizes
"""
_ARTISTS = """
more_heard_of -> artist
? By whom have I heard more, going by the sum of my plays in my play history on music, of X?
! Add up my plays in my play history on music and find by whom I have heard more of X
    history = PAGES(music.show_play_history)
    plays = {name: 0 for name in <choices>}
    for song in [song for song in history if song["artist_name"] in plays]:
        plays[song["artist_name"]] += song["my_play_count"]
    return max(plays, key=lambda name: plays[name])
~ return max(plays => return min(plays

more_productive_of -> number
? How many songs does the catalogue of music have, put together, by X?
! Count the songs that the catalogue of music has, put together, by X
    song_count = 0
    for name in <choices>:
        found_artists = PAGES(music.search_artists, query=name)
        artist_id = next(one["artist_id"] for one in found_artists if one["name"] == name)
        song_count += len(CALL(music.show_artist, artist_id=artist_id)["song_ids"])
    return song_count
~ in <choices>: => in <choices>[1:]:
"""
_TABLES = (_PEOPLE, _GROUPS, _PLAYLISTS, _PROJECTS, _FOLDERS, _ARTISTS)
FOUND = tuple(
    step
    for kind, (noun, phrase) in _PHRASES.items()
    for step in steps(f"pair of {kind}", _TWO.replace("NOUN", noun).replace("PHRASE", phrase))
)
ASKED = tuple(work for kind, table in zip(_PHRASES, _TABLES, strict=True) for work in works(f"pair of {kind}", table))
