"""What can be measured in each app before something is done."""

from __future__ import annotations

from prowess_practice.errands.branches.deeds import some_folder
from prowess_practice.errands.branches.parts import BranchFact, day, finding, having, part, pick, words
from prowess_practice.errands.people.plan import PeopleSlot

SINCE = day("since", -200, -15)
DOLLARS, SECONDS = " dollars", " seconds"


def fact(
    word: str, apps: str, noun: str, value: str, reads: str, *slots: PeopleSlot, unit: str = "", more: str = ""
) -> BranchFact:
    """A measure; money is a float, all else a whole number."""
    return BranchFact(
        word=word,
        apps=tuple(apps.split()),
        noun=noun,
        value=value,
        reads=part(reads),
        slots=slots,
        unit=unit,
        more=more,
        kind=float if unit == DOLLARS else int,
    )


def listed(app: str, api: str, rows: str, value: str, more: str = "", test: str = "") -> str:
    """A listing, and how many of its rows there are."""
    listed = f"{rows} = all_pages(apis.{app}.{api}, access_token={app}_token{more})\n"
    return listed + (f"{value} = len([one for one in {rows} if {test}])" if test else f"{value} = len({rows})")


def summed(app: str, api: str, rows: str, value: str, field: str = "amount", more: str = "", test: str = "") -> str:
    """A listing, and what its rows add up to."""
    total = f'sum(one["{field}"] for one in {rows}{f" if {test}" if test else ""})'
    total = f"round({total}, 2)" if field == "amount" else total
    return f"{rows} = all_pages(apis.{app}.{api}, access_token={app}_token{more})\n{value} = {total}"


_GROUP = finding("group", "group")
_OF_GROUP = ", group_id=group_id"

MONEY = (
    fact(
        "balance",
        "wallet",
        "the balance of my wallet",
        "balance",
        'balance = apis.wallet.show_balance(access_token=wallet_token)["balance"]',
        unit=DOLLARS,
        more="I have more than {limit} dollars in my wallet",
    ),
    fact(
        "pending_sum",
        "wallet",
        "the sum of the payment requests to me that are pending in the wallet",
        "pending_sum",
        summed("wallet", "show_received_requests", "requests", "pending_sum", more=', status="pending"'),
        unit=DOLLARS,
        more="the pending payment requests that I got in the wallet add up to more than {limit} dollars",
    ),
    fact(
        "awaited_count",
        "wallet",
        "the number of my own payment requests that are pending in the wallet",
        "request_count",
        listed("wallet", "show_sent_requests", "requests", "request_count", ', status="pending"'),
        more="more than {limit} of the payment requests I sent with the wallet are pending",
    ),
    fact(
        "spent_since",
        "wallet",
        "what I sent to others with the wallet on or after {since}, in all,",
        "spent",
        summed("wallet", "show_transactions", "payments", "spent", more=', direction="sent", from_date=since'),
        SINCE,
        unit=DOLLARS,
        more="I have sent others more than {limit} dollars in all with the wallet on or after {since}",
    ),
    fact(
        "largest_received",
        "wallet",
        "the largest payment that I ever received in the wallet",
        "largest",
        'payments = all_pages(apis.wallet.show_transactions, access_token=wallet_token, direction="received")\n'
        'largest = max(payment["amount"] for payment in payments)',
        unit=DOLLARS,
        more="somebody has ever sent me more than {limit} dollars in a single wallet payment",
    ),
    fact(
        "friend_count",
        "wallet",
        "the number of my friends on wallet",
        "friend_count",
        listed("wallet", "show_friends", "friends", "friend_count"),
        more="I have more than {limit} friends on wallet",
    ),
    fact(
        "payments_with",
        "phone wallet",
        'the number of wallet payments between my contact "{partner_in_payments}" and me, in either direction,',
        "payment_count",
        finding("contact", "partner_in_payments", "email", "partner_email")
        + listed("wallet", "show_transactions", "payments", "payment_count", ", user_email=partner_email"),
        pick("partner_in_payments", "contact"),
    ),
    fact(
        "topped_up",
        "wallet",
        "the sum of all my top-ups of the wallet",
        "topped_up",
        summed("wallet", "show_card_transfers", "transfers", "topped_up", test='one["kind"] == "top_up"'),
        unit=DOLLARS,
        more="I have topped up my wallet by more than {limit} dollars in all",
    ),
    fact(
        "debts",
        "splits",
        "what I owe to others on splits, in all,",
        "debt",
        summed("splits", "show_people_i_owe", "creditors", "debt"),
        unit=DOLLARS,
        more="I owe others more than {limit} dollars in all on splits",
    ),
    fact(
        "claims",
        "splits",
        "what others owe me on splits, in all,",
        "claim",
        summed("splits", "show_people_who_owe_me", "debtors", "claim"),
        unit=DOLLARS,
        more="others owe me more than {limit} dollars in all on splits",
    ),
    fact(
        "group_expenses",
        "splits",
        'the number of expenses in the splits group "{group}"',
        "expense_count",
        _GROUP + listed("splits", "show_expenses", "expenses", "expense_count", _OF_GROUP),
        pick("group", "group"),
        more='there are more than {limit} expenses in the splits group "{group}"',
    ),
    fact(
        "group_costs",
        "splits",
        'the sum of all expenses in the splits group "{group}"',
        "costs",
        _GROUP + summed("splits", "show_expenses", "expenses", "costs", more=_OF_GROUP),
        pick("group", "group"),
        unit=DOLLARS,
        more='the splits group "{group}" has spent more than {limit} dollars in all',
    ),
    fact(
        "group_size",
        "splits",
        'the number of people in the splits group "{group}", me included,',
        "size",
        having("group", "group", "found") + 'size = len(found["members"])',
        pick("group", "group"),
        more='more than {limit} people, me included, are in the splits group "{group}"',
    ),
)


FOLDER = PeopleSlot(name="folder", kind=str, choose=some_folder)

MUSIC = (
    fact(
        "playlist_size",
        "music",
        'the number of songs in my playlist "{playlist}"',
        "song_count",
        having("playlist", "playlist", "found") + 'song_count = len(found["song_ids"])',
        pick("playlist", "playlist"),
        more='my playlist "{playlist}" has more than {limit} songs',
    ),
    fact(
        "playlist_length",
        "music",
        'the total duration of the songs in my playlist "{playlist}"',
        "duration",
        finding("playlist", "playlist")
        + 'songs = apis.music.show_playlist(access_token=music_token, playlist_id=playlist_id)["songs"]\n'
        + 'duration = sum(song["duration"] for song in songs)',
        pick("playlist", "playlist"),
        unit=SECONDS,
        more='the songs of my playlist "{playlist}" last more than {limit} seconds altogether',
    ),
    fact(
        "queue_length",
        "music",
        "the number of songs in the queue of the music player",
        "queue_length",
        'queue_length = len(apis.music.show_player(access_token=music_token)["queue"])',
        more="there are more than {limit} songs in the queue of the music player",
    ),
    fact(
        "volume",
        "music",
        "the present volume of the music player",
        "present_volume",
        'present_volume = apis.music.show_player(access_token=music_token)["volume"]',
        more="the volume of the music player stands above {limit}",
    ),
    fact(
        "followed_count",
        "music",
        "the number of artists whom I follow on music",
        "artist_count",
        listed("music", "show_followed_artists", "followed", "artist_count"),
        more="I follow more than {limit} artists on music",
    ),
    fact(
        "library_of_genre",
        "music",
        'the number of songs of the genre "{genre}" in my song library',
        "song_count",
        listed("music", "show_song_library", "songs", "song_count", test='one["genre"] == genre'),
        words("genre", "rock|pop|jazz|folk|electronic|soul"),
        more='my song library has more than {limit} songs of the genre "{genre}"',
    ),
    fact(
        "song_reviews",
        "music",
        'the number of reviews that the song "{song}" has on music',
        "review_count",
        finding("song", "song")
        + 'review_count = apis.music.show_song(access_token=music_token, song_id=song_id)["review_count"]',
        pick("song", "song"),
        more='the song "{song}" has more than {limit} reviews on music',
    ),
    fact(
        "artist_songs",
        "music",
        'the number of songs by "{artist}" in the catalogue of music',
        "song_count",
        finding("artist", "artist")
        + 'song_count = len(apis.music.show_artist(access_token=music_token, artist_id=artist_id)["song_ids"])',
        pick("artist", "artist"),
        more='"{artist}" has more than {limit} songs in the catalogue of music',
    ),
    fact(
        "top_reviews",
        "music",
        "the number of songs to which I gave five stars in a review",
        "review_count",
        listed("music", "show_my_reviews", "reviews", "review_count", ", min_rating=5"),
        more="I have given five stars to more than {limit} songs on music",
    ),
    fact(
        "own_plays",
        "music",
        "the number of all my plays, counted over every song in my play history,",
        "plays",
        summed("music", "show_play_history", "songs", "plays", "my_play_count"),
        more="my play history counts more than {limit} plays over all songs",
    ),
)

PHONE = (
    fact(
        "missed_calls",
        "phone",
        "the number of incoming calls that I missed on or after {since}",
        "call_count",
        'calls = all_pages(\n    apis.phone.show_call_log,\n    access_token=phone_token,\n    direction="incoming",\n'
        "    is_missed=True,\n    from_date=since,\n)\ncall_count = len(calls)",
        SINCE,
        more="I have missed more than {limit} incoming calls on or after {since}",
    ),
    fact(
        "related_contacts",
        "phone",
        'the number of my phone contacts with the relationship "{relationship}"',
        "contact_count",
        listed("phone", "show_contacts", "people", "contact_count", ", relationship=relationship"),
        words("relationship", "friend|coworker|roommate|sibling"),
        more='more than {limit} of my phone contacts have the relationship "{relationship}"',
    ),
    fact(
        "texts_with",
        "phone",
        'the number of text messages in my conversation with "{correspondent}"',
        "text_count",
        "conversations = all_pages(apis.phone.show_conversations, access_token=phone_token)\n"
        'text_count = next(one["message_count"] for one in conversations if one["name"] == correspondent)',
        pick("correspondent", "contact"),
        more='"{correspondent}" and I have exchanged more than {limit} text messages',
    ),
    fact(
        "active_alarms",
        "phone",
        "the number of alarms that are switched on in my phone",
        "alarm_count",
        listed("phone", "show_alarms", "active", "alarm_count", ", is_enabled=True"),
        more="more than {limit} alarms are switched on in my phone",
    ),
    fact(
        "voice_length",
        "phone",
        "the total duration of all voice messages in my phone",
        "duration",
        summed("phone", "show_voice_messages", "messages", "duration", "duration"),
        unit=SECONDS,
        more="the voice messages in my phone last more than {limit} seconds altogether",
    ),
)

PAPERS = (
    fact(
        "tagged_notes",
        "notes",
        'the number of my notes outside the archive with the tag "{tag}"',
        "note_count",
        listed("notes", "list_notes", "tagged", "note_count", ", tag=tag"),
        words("tag", "work|home|ideas|travel|money|health|family"),
        more='more than {limit} of my notes outside the archive are tagged "{tag}"',
    ),
    fact(
        "note_lines",
        "notes",
        'the number of lines in my note "{note}"',
        "line_count",
        finding("note", "note")
        + 'content = apis.notes.show_note(access_token=notes_token, note_id=note_id)["content"]\n'
        + "line_count = len(content.splitlines())",
        pick("note", "note"),
        more='my note "{note}" has more than {limit} lines',
    ),
    fact(
        "archived_notes",
        "notes",
        "the number of notes in my archive",
        "archived_count",
        listed("notes", "list_notes", "archived", "archived_count", ", archived=True"),
        more="my archive holds more than {limit} notes",
    ),
    fact(
        "open_tasks",
        "todo",
        'the number of open tasks in my todo project "{project}"',
        "open_count",
        having("project", "project", "found") + 'open_count = found["open_tasks"]',
        pick("project", "project"),
        more='more than {limit} tasks are open in my todo project "{project}"',
    ),
    fact(
        "overdue_tasks",
        "todo",
        "the number of my open tasks whose due date lies before today",
        "overdue_count",
        'today = apis.phone.show_current_date_and_time()["date"]\n'
        "open_tasks = all_pages(apis.todo.list_tasks, access_token=todo_token, done=False)\n"
        'overdue_count = len([one for one in open_tasks if one["due_date"] and one["due_date"] < today])',
        more="more than {limit} of my open tasks were due before today",
    ),
    fact(
        "labelled_tasks",
        "todo",
        'the number of my open tasks that are labelled "{label}"',
        "task_count",
        listed("todo", "list_tasks", "labelled", "task_count", ", label=label, done=False"),
        words("label", "errand|online|phone|quick|waiting|weekend"),
        more='more than {limit} of my open tasks are labelled "{label}"',
    ),
    fact(
        "folder_files",
        "files",
        'the number of files that lie directly in my folder "{folder}"',
        "file_count",
        "listing = apis.files.show_directory(access_token=files_token, directory_path=folder)\n"
        'file_count = len(listing["files"])',
        FOLDER,
        more='more than {limit} files lie directly in my folder "{folder}"',
    ),
    fact(
        "file_size",
        "files",
        'the size of my file "{file_path}"',
        "size",
        'size = apis.files.show_file(access_token=files_token, file_path=file_path)["size"]',
        pick("file_path", "file"),
        unit=" bytes",
        more='my file "{file_path}" is larger than {limit} bytes',
    ),
    fact(
        "folder_size",
        "files",
        'the total size of the files in my folder "{folder}" and the folders below it',
        "total_size",
        summed("files", "search_files", "files", "total_size", "size", ", directory_path=folder"),
        FOLDER,
        unit=" bytes",
        more='the files in my folder "{folder}" and the folders below it are larger than {limit} bytes altogether',
    ),
)
MEASURES = (*MONEY, *MUSIC, *PHONE, *PAPERS)
