"""What can be measured on things that a text names, in every app."""

from __future__ import annotations

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines import pools_money as money
from prowess_practice.errands.lines.gauge import Gauge

_CONTACT = "the full name of a contact of mine"


def _catalogue(api: str, value: str) -> str:
    return f"""    values = {{}}
    for name in names:
        found = all_pages(apis.music.{api}, access_token=music_token, query=name)
        values[name] = next({value} for one in found if one["title"] == name)
"""


def _own(app: str, api: str, value: str, key: str, more: str = "") -> str:
    return f"""    rows = all_pages(apis.{app}.{api}, access_token={app}_token{more})
    values = {{row["{key}"]: {value} for row in rows if row["{key}"] in names}}
"""


def _contacts(call: str) -> str:
    return f"""    values = {{}}
    for one in all_pages(apis.phone.show_contacts, access_token=phone_token):
        if one["name"] in names:
{call}"""


GAUGES = (
    Gauge(
        word="durations",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        adds="durations in seconds that OF have in the music app",
        most="is the longest in the music app",
        least="is the shortest",
        over="last longer than {limit} seconds in the music app",
        code=_catalogue("search_songs", 'one["duration"]'),
        pool=pools.any_songs,
    ),
    Gauge(
        word="play_counts",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        most="has been played most by all listeners of the music app",
        least="has been played least by all listeners of the music app",
        over="have a play count of more than {limit} in the music app",
        code=_catalogue("search_songs", 'one["play_count"]'),
        pool=pools.any_songs,
    ),
    Gauge(
        word="release_dates",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        most="came out last, by the music app,",
        least="came out first, by the music app,",
        code=_catalogue("search_albums", 'one["release_date"]'),
        pool=pools.any_albums,
    ),
    Gauge(
        word="album_sizes",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        adds="numbers of songs on OF, as the music app has them,",
        over="have more than {limit} songs in the music app",
        code=_catalogue("search_albums", 'len(one["song_ids"])'),
        pool=pools.any_albums,
    ),
    Gauge(
        word="album_lengths",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        adds="durations, in seconds, of all songs that the music app has on OF",
        most="lasts longest in the music app if the durations of its songs are added up",
        least="lasts shortest in the music app if the durations of its songs are added up",
        code="""    values = {}
    for name in names:
        found = all_pages(apis.music.search_albums, access_token=music_token, query=name)
        album_id = next(one["album_id"] for one in found if one["title"] == name)
        songs = apis.music.show_album(access_token=music_token, album_id=album_id)["songs"]
        values[name] = sum(song["duration"] for song in songs)
""",
        pool=pools.any_albums,
    ),
    Gauge(
        word="songs_of_artists",
        apps=("music",),
        a="the name of an artist",
        ones="artists",
        adds="numbers of songs by OF in the catalogue of the music app",
        most="has the most songs in the music app",
        least="has the fewest songs in the music app",
        over="have more than {limit} songs in the music app",
        code="""    values = {}
    for artist in all_pages(apis.music.search_artists, access_token=music_token):
        if artist["name"] in names:
            songs = all_pages(apis.music.search_songs, access_token=music_token, artist_id=artist["artist_id"])
            values[artist["name"]] = len(songs)
""",
        pool=pools.unfollowed_artists,
    ),
    Gauge(
        word="own_plays",
        apps=("music",),
        a="the title of a song that I have played",
        ones="songs",
        adds="play counts that my own play history in the music app has for OF",
        most="I have played most often, by my play history in the music app,",
        least="I have played least often, by my play history in the music app,",
        code=_own("music", "show_play_history", 'row["my_play_count"]', "title"),
        pool=pools.played_songs,
    ),
    Gauge(
        word="playlist_sizes",
        apps=("music",),
        a="the title of one of my playlists",
        ones="playlists",
        adds="numbers of songs in OF (music app)",
        most="has the most songs in the music app",
        least="has the fewest songs in the music app",
        over="have more than {limit} songs in the music app",
        code=_own("music", "show_playlists", 'len(row["song_ids"])', "title"),
        pool=pools.playlists,
    ),
    Gauge(
        word="birthdays",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        most="is the youngest, by the birthdays in my phone,",
        least="is the oldest, by the birthdays in my phone,",
        code=_own("phone", "show_contacts", 'row["birthday"]', "name"),
        pool=pools.acquainted,
    ),
    Gauge(
        word="calls",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        adds="numbers of calls, missed ones included, that my call log has with OF",
        code=_contacts("""            calls = all_pages(
                apis.phone.show_call_log, access_token=phone_token, phone_number=one["phone_number"]
            )
            values[one["name"]] = len(calls)
"""),
        pool=pools.acquainted,
    ),
    Gauge(
        word="call_seconds",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        adds="durations, in seconds, of all calls that my call log has with OF",
        most="has talked longest to me on the phone, all calls in the log added up,",
        over="have talked to me for more than {limit} seconds, all calls in the log of my phone added up,",
        least="has talked shortest to me, all calls added up,",
        code=_contacts("""            calls = all_pages(
                apis.phone.show_call_log, access_token=phone_token, phone_number=one["phone_number"]
            )
            values[one["name"]] = sum(call["duration"] for call in calls)
"""),
        pool=pools.acquainted,
    ),
    Gauge(
        word="texts_received",
        apps=("phone",),
        a=_CONTACT,
        ones="contacts",
        adds="numbers of text messages that I received from OF",
        over="sent me more than {limit} text messages",
        code=_contacts("""            texts = all_pages(
                apis.phone.show_text_messages,
                access_token=phone_token,
                phone_number=one["phone_number"],
                direction="received",
            )
            values[one["name"]] = len(texts)
"""),
        pool=pools.acquainted,
    ),
    Gauge(
        word="alarm_times",
        apps=("phone",),
        a="the label of an alarm",
        ones="alarms",
        most="rings latest in the day",
        least="rings earliest in the day",
        code=_own("phone", "show_alarms", 'row["time"]', "label"),
        pool=pools.alarms,
    ),
    Gauge(
        word="due_dates",
        apps=("todo",),
        a="the title of a task that has a due date",
        ones="tasks",
        most="is due last in the todo app",
        least="is due first in the todo app",
        code=_own("todo", "list_tasks", 'row["due_date"]', "title"),
        pool=pools.due_tasks,
    ),
    Gauge(
        word="subtasks",
        apps=("todo",),
        a="the title of a task",
        ones="tasks",
        adds="numbers of subtasks, done or not, that OF have in the todo app",
        over="have more than {limit} subtasks, done or not, in the todo app",
        code="""    values = {}
    for name in names:
        found = all_pages(apis.todo.search_tasks, access_token=todo_token, query=name)
        found_id = next(one["task_id"] for one in found if one["title"] == name)
        values[name] = len(apis.todo.show_task(access_token=todo_token, task_id=found_id)["subtasks"])
""",
        pool=pools.any_tasks,
    ),
    Gauge(
        word="open_tasks",
        apps=("todo",),
        a="the name of a project",
        ones="projects",
        adds="numbers of open tasks that OF have in the todo app",
        most="has the most open tasks in the todo app",
        least="has the fewest open tasks in the todo app",
        over="have more than {limit} open tasks in the todo app",
        code=_own("todo", "list_projects", 'row["open_tasks"]', "name"),
        pool=pools.projects,
    ),
    Gauge(
        word="note_lengths",
        apps=("notes",),
        a="the title of a note",
        ones="notes",
        adds="numbers of lines that OF have",
        over="have more than {limit} lines",
        code="""    values = {}
    for name in names:
        found = all_pages(apis.notes.search_notes, access_token=notes_token, query=name)
        found_id = next(one["note_id"] for one in found if one["title"] == name)
        text = apis.notes.show_note(access_token=notes_token, note_id=found_id)["content"]
        values[name] = len(text.splitlines())
""",
        pool=pools.any_notes,
    ),
    Gauge(
        word="file_sizes",
        apps=("files",),
        a="the name of a file in ~/downloads",
        ones="files",
        adds="sizes of OF",
        most="is the largest",
        least="is the smallest",
        over="have a size of more than {limit}",
        code="""    rows = all_pages(apis.files.search_files, access_token=files_token, directory_path="~/downloads")
    sizes = {row["path"].split("/")[-1]: row["size"] for row in rows}
    values = {name: sizes[name] for name in names}
""",
        pool=pools.downloads,
    ),
    Gauge(
        word="expense_amounts",
        apps=("splits",),
        a="the description of an expense that I paid",
        ones="expenses",
        adds="amounts of OF in the splits app",
        most="is the largest in the splits app",
        least="is the smallest in the splits app",
        over="amount to more than ${limit} in the splits app",
        code=_own("splits", "show_expenses", 'row["amount"]', "description"),
        pool=money.expenses,
        money=True,
    ),
    Gauge(
        word="payment_amounts",
        apps=("wallet",),
        a="the note of a payment that I sent",
        ones="payments",
        adds="amounts of OF in the wallet app",
        most="is the largest in the wallet app",
        least="is the smallest in the wallet app",
        over="amount to more than ${limit} in the wallet app",
        code=_own("wallet", "show_transactions", 'row["amount"]', "note", ', direction="sent"'),
        pool=money.payments,
        money=True,
    ),
    Gauge(
        word="asked_amounts",
        apps=("wallet",),
        a="somebody's full name",
        ones="people",
        adds="amounts that OF ask of me in pending requests of the wallet app",
        most="asks most of me, all pending requests in the wallet app added up,",
        least="asks least of me, all pending requests in the wallet app added up,",
        code="""    values = dict.fromkeys(names, 0)
    requests = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    for request in requests:
        if request["requester"]["name"] in values:
            values[request["requester"]["name"]] += request["amount"]
""",
        pool=money.askers,
        money=True,
    ),
    Gauge(
        word="sent_amounts",
        apps=("wallet", "phone"),
        a=_CONTACT,
        ones="contacts",
        adds="amounts of all payments I sent to OF in the wallet app",
        most="I have sent the most money to in the wallet app, all payments added up,",
        code="""    values = {}
    for one in all_pages(apis.phone.show_contacts, access_token=phone_token):
        if one["name"] in names:
            sent = all_pages(
                apis.wallet.show_transactions, access_token=wallet_token, user_email=one["email"], direction="sent"
            )
            values[one["name"]] = sum(payment["amount"] for payment in sent)
""",
        pool=pools.acquainted,
        money=True,
    ),
)
