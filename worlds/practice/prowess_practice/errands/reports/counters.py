"""What can be counted in an app at a glance."""

from __future__ import annotations

from dataclasses import dataclass

from prowess_practice.errands.reports.sources_phone import MISSED


@dataclass(frozen=True, slots=True, kw_only=True)
class Counter:
    """One figure of an app."""

    app: str
    label: str
    says: str
    about: str
    reading: str
    code: str
    """What stands in the braces of a text."""


def _all(app: str, label: str, says: str, api: str, given: str = "") -> Counter:
    """The number of rows of a listing."""
    name = label.lower().replace(" ", "_")
    reading = f"    {name} = all_pages(apis.{app}.{api}, access_token={app}_token{given})\n"
    return Counter(app=app, label=label, says=says, about=label.lower(), reading=reading, code=f"len({name})")


def _money(app: str, label: str, says: str, reading: str, code: str) -> Counter:
    says = f"{says}, with two decimals as in 12.50"
    return Counter(app=app, label=label, says=says, about=label.lower(), reading=reading, code=f"{code}:.2f")


_S, _W = "access_token=splits_token", "access_token=wallet_token"
COUNTERS = (
    _all("music", "Songs", "the number of songs in my music library", "show_song_library"),
    _all("todo", "Open tasks", "the number of open tasks in my todo app", "list_tasks", ", done=False"),
    _money(
        "wallet",
        "Balance",
        "the balance of my wallet",
        f'    balance = apis.wallet.show_balance({_W})["balance"]\n',
        "balance",
    ),
    _all("phone", "Contacts", "the number of contacts in my phone", "show_contacts"),
    _all("notes", "Notes", "the number of notes of mine outside the archive", "list_notes"),
    _all("music", "Liked songs", "the number of songs I like on music", "show_liked_songs"),
    _money(
        "splits",
        "Owed to me",
        "what all people who owe me on splits owe me in total",
        f"    debtors = all_pages(apis.splits.show_people_who_owe_me, {_S})\n",
        "sum(debtor['amount'] for debtor in debtors)",
    ),
    _all("files", "Files", "the number of my files in the files app", "search_files"),
    Counter(
        app="phone",
        label="Missed calls",
        says="the number of missed calls to me",
        about="missed calls",
        reading=MISSED.reading,
        code="len(calls)",
    ),
    _all("todo", "Projects", "the number of unarchived projects in my todo app", "list_projects"),
    _all("music", "Playlists", "the number of playlists of mine on music", "show_playlists"),
    _all(
        "wallet",
        "Pending requests",
        "the number of pending payment requests to me on the wallet",
        "show_received_requests",
        ', status="pending"',
    ),
    _all("notes", "Archived notes", "the number of my archived notes", "list_notes", ", archived=True"),
    _money(
        "splits",
        "My debts",
        "what I owe to all people on splits in total",
        f"    creditors = all_pages(apis.splits.show_people_i_owe, {_S})\n",
        "sum(creditor['amount'] for creditor in creditors)",
    ),
    _all("phone", "Active alarms", "the number of alarms in my phone that are on", "show_alarms", ", is_enabled=True"),
    _all("music", "Followed artists", "the number of artists I follow on music", "show_followed_artists"),
    _all("wallet", "Friends", "the number of my friends on the wallet", "show_friends"),
    _all("todo", "Done tasks", "the number of done tasks in my todo app", "list_tasks", ", done=True"),
    _all("splits", "Groups", "the number of groups of mine on splits", "show_groups"),
    Counter(
        app="files",
        label="Folders",
        says="the number of folders in my home directory, at any depth",
        about="folders",
        reading=('    folders = apis.files.show_directory(access_token=files_token, recursive=True)["directories"]\n'),
        code="len(folders)",
    ),
    _all("music", "Albums", "the number of albums in my album library", "show_album_library"),
    _all("phone", "Conversations", "the number of people in my text conversations", "show_conversations"),
    Counter(
        app="todo",
        label="Labels",
        says="the number of different labels of my tasks (done or not)",
        about="labels",
        reading="    labels = apis.todo.list_labels(access_token=todo_token)\n",
        code="len(labels)",
    ),
    _all(
        "wallet",
        "Sent payments",
        "the number of payments I sent on the wallet",
        "show_transactions",
        ', direction="sent"',
    ),
    _all("music", "Reviews", "the number of song reviews that I wrote on music", "show_my_reviews"),
    Counter(
        app="notes",
        label="Tags",
        says="the number of different tags of my notes (archived or not)",
        about="tags",
        reading="    tags = apis.notes.list_tags(access_token=notes_token)\n",
        code="len(tags)",
    ),
    _all("splits", "Expenses", "the number of expenses of mine on splits", "show_expenses"),
    Counter(
        app="wallet",
        label="Cards",
        says="the number of payment cards in my wallet",
        about="cards",
        reading=f"    cards = apis.wallet.show_cards({_W})\n",
        code="len(cards)",
    ),
    _all(
        "phone",
        "Voice messages",
        "the number of voice messages I received",
        "show_voice_messages",
        ', direction="received"',
    ),
    Counter(
        app="music",
        label="Queue",
        says="the number of songs in the queue of my music player",
        about="queue",
        reading='    queue = apis.music.show_player(access_token=music_token)["queue"]\n',
        code="len(queue)",
    ),
)
