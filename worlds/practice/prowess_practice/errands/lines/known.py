"""What an app has of some kind, by name: texts are compared with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from prowess_desk.apps.music import Playlist
from prowess_desk.apps.notes import Note
from prowess_desk.apps.splits import Group
from prowess_desk.apps.todo import TodoTask
from prowess_desk.apps.wallet import PaymentCard
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.lines import pools
from prowess_practice.errands.lines import pools_money as money
from prowess_practice.errands.lines.act import Pool


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Names that an app has."""

    word: str
    apps: tuple[str, ...]
    a: str
    """What a line of the text holds: `the title of a song`."""
    ones: str
    """What such lines name, in the plural: `songs`."""
    are: str
    """What they are if the app has them, after `they are` or `they are not`: `in my song library`."""
    all: str
    """What the app has, in the plural: `songs in my library`."""
    code: str
    """Gives `known`, a list of names."""
    pool: Callable[[Draw], Pool | None]
    """Names that the app has not, and first among the others those it has."""
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values | None] = lambda draw: {}
    few: bool = True
    """Whether it has few enough of them to name them all."""
    tiny: bool = False
    """Whether it has so few that counting them makes no sense."""


def _playlist(draw: Draw) -> Playlist:
    return max(draw.state[Playlist].of(draw.me.id), key=lambda one: len(one.song_ids))


def _flipped(pool: Callable[[Draw], Pool | None]) -> Callable[[Draw], Pool | None]:
    """What is good there is known here, and what is not there is not known."""

    def turned(draw: Draw) -> Pool | None:
        found = pool(draw)
        return Pool(found.idle[-1], (found.good,)) if found else None

    return turned


def _cards(draw: Draw) -> Pool:
    mine = [one.name for one in draw.state[PaymentCard].of(draw.me.id)]
    return Pool(("Gold Card", "Metro Pass", "Shop Credit", "Red Debit", "Student Card", "Petrol Card"), (mine,))


def _tags(draw: Draw) -> Pool:
    mine = sorted({tag for note in draw.state[Note].of(draw.me.id) for tag in note.tags})
    return Pool(("boats", "choir", "moss", "kiln", "attic", "tides", "bread"), (mine,))


def _current(draw: Draw) -> list[str]:
    return [one.title for one in draw.state[Note].of(draw.me.id) if not one.archived]


def _labels(draw: Draw) -> Pool:
    mine = sorted({label for task in draw.state[TodoTask].of(draw.me.id) for label in task.labels})
    return Pool(("boats", "choir", "moss", "kiln", "attic", "tides", "bread"), (mine,))


def _groups(draw: Draw) -> Pool:
    mine = [one.name for one in draw.state[Group].of(draw.me.id)]
    return Pool(("Chess Evening", "Kayak Crew", "Bread Club", "Radio Hour", "Night Walkers", "Boat Share"), (mine,))


def _lists(app: str, api: str, field: str = "title", more: str = "") -> str:
    return f'    known = [one["{field}"] for one in all_pages(apis.{app}.{api}, access_token={app}_token{more})]\n'


KNOWN = (
    Known(
        word="library",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are="in my song library of the music app",
        all="songs in my library of the music app",
        code=_lists("music", "show_song_library"),
        pool=pools.unsaved_songs,
        few=False,
    ),
    Known(
        word="liked_songs",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are="among the songs I like in the music app",
        all="songs that I like in the music app",
        code=_lists("music", "show_liked_songs"),
        pool=pools.unliked_songs,
        few=False,
    ),
    Known(
        word="playlist",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are='in my playlist "{playlist}"',
        all='songs in my playlist "{playlist}"',
        code="""    playlists = all_pages(apis.music.show_playlists, access_token=music_token)
    playlist_id = next(one["playlist_id"] for one in playlists if one["title"] == playlist)
    songs = apis.music.show_playlist(access_token=music_token, playlist_id=playlist_id)["songs"]
    known = [song["title"] for song in songs]
""",
        pool=lambda draw: pools.songs_apart(draw, {*_playlist(draw).song_ids}),
        slots={"playlist": str},
        choose=lambda draw: {"playlist": _playlist(draw).title},
    ),
    Known(
        word="reviews",
        apps=("music",),
        a="the title of a song",
        ones="songs",
        are="among the songs that I have reviewed in the music app",
        all="songs that I have reviewed in the music app",
        code=_lists("music", "show_my_reviews", "song_title"),
        pool=pools.unreviewed_songs,
    ),
    Known(
        word="albums",
        apps=("music",),
        a="the title of an album",
        ones="albums",
        are="in my album library of the music app",
        all="albums in my library of the music app",
        code=_lists("music", "show_album_library"),
        pool=pools.unsaved_albums,
    ),
    Known(
        word="followed",
        apps=("music",),
        a="the name of an artist",
        ones="artists",
        are="among the artists I follow in the music app",
        all="artists that I follow in the music app",
        code=_lists("music", "show_followed_artists", "name"),
        pool=pools.unfollowed_artists,
    ),
    Known(
        word="contacts",
        apps=("phone",),
        a="somebody's full name",
        ones="people",
        are="among the contacts in my phone",
        all="contacts in my phone",
        code=_lists("phone", "show_contacts", "name"),
        pool=pools.contacts_of_none,
    ),
    Known(
        word="kin",
        apps=("phone",),
        a="somebody's full name",
        ones="people",
        are='among those contacts of mine whose relationship is "{relation}"',
        all='contacts of mine with the relationship "{relation}"',
        code="""    related = all_pages(apis.phone.show_contacts, access_token=phone_token, relationship=relation)
    known = [person["name"] for person in related]
""",
        pool=lambda draw: pools.unrelated(draw, "friend"),
        slots={"relation": str},
        choose=lambda draw: {"relation": "friend"},
    ),
    Known(
        word="alarms",
        apps=("phone",),
        a="the label of an alarm",
        ones="alarms",
        are="among my alarms in the phone app",
        all="alarms in my phone app",
        code=_lists("phone", "show_alarms", "label"),
        pool=lambda draw: Pool(
            ("Sound check", "Tide table", "Bread dough", "Night feed", "Oven off", "Bus to town"),
            (pools.alarms(draw).good,),
        ),
    ),
    Known(
        word="friends",
        apps=("wallet",),
        a="somebody's full name",
        ones="people",
        are="among my friends in the wallet app",
        all="friends that I have in the wallet app",
        code=_lists("wallet", "show_friends", "name"),
        pool=pools.no_friends,
    ),
    Known(
        word="cards",
        apps=("wallet",),
        a="the name of a card",
        ones="cards",
        are="among my payment cards in the wallet app",
        all="payment cards of mine in the wallet app",
        code='    known = [card["name"] for card in apis.wallet.show_cards(access_token=wallet_token)]\n',
        pool=_cards,
        tiny=True,
    ),
    Known(
        word="askers",
        apps=("wallet",),
        a="somebody's full name",
        ones="people",
        are="among those whose payment requests to me are pending in wallet",
        all="people from whom I have a pending payment request in the wallet app",
        code="""    asked = all_pages(apis.wallet.show_received_requests, access_token=wallet_token, status="pending")
    known = [request["requester"]["name"] for request in asked]
""",
        pool=lambda draw: pools.reversed_of(money.askers(draw)),
    ),
    Known(
        word="members",
        apps=("splits",),
        a="somebody's full name",
        ones="people",
        are='members of the splits group "{group}"',
        all='members of the splits group "{group}", myself included,',
        code="""    groups = all_pages(apis.splits.show_groups, access_token=splits_token)
    group_id = next(one["group_id"] for one in groups if one["name"] == group)
    members = apis.splits.show_group(access_token=splits_token, group_id=group_id)["members"]
    known = [member["name"] for member in members]
""",
        pool=money.newcomers,
        tiny=True,
        slots={"group": str},
        choose=lambda draw: {"group": money.a_group(draw).name},
    ),
    Known(
        word="groups",
        apps=("splits",),
        a="the name of a group",
        ones="groups",
        are="among my groups in the splits app",
        all="groups that I am in, in the splits app,",
        code=_lists("splits", "show_groups", "name"),
        pool=_groups,
        tiny=True,
    ),
    Known(
        word="tasks",
        apps=("todo",),
        a="something to do",
        ones="things to do",
        are="titles of tasks in my todo app, done or not",
        all="tasks in my todo app, done or not",
        code=_lists("todo", "list_tasks"),
        pool=_flipped(pools.any_tasks),
        few=False,
    ),
    Known(
        word="open_tasks",
        apps=("todo",),
        a="the title of a task",
        ones="tasks",
        are="among the open tasks in my todo app",
        all="open tasks in my todo app",
        code=_lists("todo", "list_tasks", "title", ", done=False"),
        pool=lambda draw: pools.reversed_of(pools.open_tasks(draw)),
        few=False,
    ),
    Known(
        word="projects",
        apps=("todo",),
        a="the name of a project",
        ones="projects",
        are="among the projects in my todo app (archived ones left out)",
        all="projects in my todo app that are not archived",
        code=_lists("todo", "list_projects", "name"),
        pool=pools.new_projects,
    ),
    Known(
        word="labels",
        apps=("todo",),
        a="a label",
        ones="labels",
        are="in use for tasks in my todo app",
        all="labels of the tasks in my todo app",
        code='    known = [one["label"] for one in apis.todo.list_labels(access_token=todo_token)]\n',
        pool=_labels,
    ),
    Known(
        word="notes",
        apps=("notes",),
        a="a title",
        ones="titles",
        are="titles of notes of mine (outside the archive)",
        all="titles of my notes outside the archive",
        code=_lists("notes", "list_notes"),
        pool=lambda draw: Pool(pools.new_titles(draw).good, (_current(draw),)),
        few=False,
    ),
    Known(
        word="tags",
        apps=("notes",),
        a="a tag",
        ones="tags",
        are="in use for my notes",
        all="tags of my notes",
        code='    known = [one["tag"] for one in apis.notes.list_tags(access_token=notes_token)]\n',
        pool=_tags,
    ),
    Known(
        word="downloads",
        apps=("files",),
        a="the name of a file",
        ones="files",
        are="in my folder ~/downloads",
        all="names of the files in ~/downloads",
        code="""    paths = apis.files.show_directory(access_token=files_token, directory_path="~/downloads")["files"]
    known = [path.split("/")[-1] for path in paths]
""",
        pool=lambda draw: Pool(
            ("quartet.mp3", "atlas.pdf", "brochure.pdf", "score.pdf", "plan.png", "hymn.mp3"),
            (pools.downloads(draw).good,),
        ),
    ),
)
