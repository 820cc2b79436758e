"""Names of things that people have, and of things they have not: what texts are written of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from prowess_desk.apps.files import File, home, make_directory
from prowess_desk.apps.music import (
    Album,
    Artist,
    Listener,
    PlayCount,
    Playlist,
    SavedAlbum,
    SavedSong,
    Song,
    SongReview,
)
from prowess_desk.apps.notes import Note
from prowess_desk.apps.phone import Alarm, Contact
from prowess_desk.apps.splits import Expense, Group, create_group
from prowess_desk.apps.todo import INBOX, Project, TodoTask
from prowess_desk.apps.wallet import Payment, PaymentRequest, WalletAccount
from prowess_desk.engine.family import Draw
from prowess_desk.engine.people import Person
from prowess_desk.families.papers import CHORES, filed, groups_of, jotted, projects_of, spent
from prowess_desk.families.scene import acquaintances, ago, asked, paid

from prowess_practice.errands.lines.act import NamedThings

Names = Sequence[str]


def swapped(titles: Names) -> list[str]:
    """Titles with their words the other way round: a search for one finds the real thing, which is another."""
    turned = [" ".join(title.split()[::-1]) for title in titles]
    return [title for title in turned if title not in titles]


def songs_apart(draw: Draw, ids: set[int]) -> NamedThings:
    """Songs outside a set of them; those in it are idle, and so is what the catalogue has not."""
    songs = list(draw.state[Song])
    titles = [song.title for song in songs]
    return NamedThings(
        [song.title for song in songs if song.id not in ids],
        ([song.title for song in songs if song.id in ids], swapped(draw.rng.sample(titles, 5))),
    )


def unliked_songs(draw: Draw) -> NamedThings:
    return songs_apart(draw, {*draw.state[Listener][draw.me.id].liked_song_ids})


def unsaved_songs(draw: Draw) -> NamedThings:
    return songs_apart(draw, {row.song for row in draw.state[SavedSong].of(draw.me.id)})


def any_songs(draw: Draw) -> NamedThings:
    pool = songs_apart(draw, set())
    return NamedThings(pool.good, pool.idle[1:])


def reverse(pool: NamedThings) -> NamedThings:
    """The idle things of the first kind are good, and the good ones idle."""
    return NamedThings(pool.idle[0], (pool.good,))


def liked_songs(draw: Draw) -> NamedThings:
    return reverse(unliked_songs(draw))


def saved_songs(draw: Draw) -> NamedThings:
    return reverse(unsaved_songs(draw))


def reviewed_songs(draw: Draw) -> NamedThings:
    return reverse(unreviewed_songs(draw))


def unreviewed_songs(draw: Draw) -> NamedThings:
    return songs_apart(draw, {row.song for row in draw.state[SongReview].of(draw.me.id)})


def _albums(draw: Draw, ids: set[int]) -> NamedThings:
    albums = list(draw.state[Album])
    return NamedThings(
        [album.title for album in albums if album.id not in ids],
        ([album.title for album in albums if album.id in ids], ("Songs for Nobody", "Maps of Tin", "Nights in Velvet")),
    )


def unsaved_albums(draw: Draw) -> NamedThings:
    return _albums(draw, {row.album for row in draw.state[SavedAlbum].of(draw.me.id)})


def saved_albums(draw: Draw) -> NamedThings:
    return reverse(unsaved_albums(draw))


def unliked_albums(draw: Draw) -> NamedThings:
    return _albums(draw, {*draw.state[Listener][draw.me.id].liked_album_ids})


def any_albums(draw: Draw) -> NamedThings:
    pool = _albums(draw, set())
    return NamedThings(pool.good, pool.idle[1:])


def unfollowed_artists(draw: Draw) -> NamedThings:
    followed = draw.state[Listener][draw.me.id].followed_artist_ids
    artists = list(draw.state[Artist])
    return NamedThings(
        [artist.name for artist in artists if artist.id not in followed],
        ([artist.name for artist in artists if artist.id in followed], ("The Tea Kettles", "Iron Meadow", "Ada Quill")),
    )


def followed_artists(draw: Draw) -> NamedThings:
    return reverse(unfollowed_artists(draw))


def playlists(draw: Draw) -> NamedThings:
    mine = [one.title for one in draw.state[Playlist].of(draw.me.id)]
    return NamedThings(mine, (("Tin Drum Mix", "Snow Songs", "Pottery Hour"),))


def contacts(draw: Draw) -> NamedThings:
    """The person's contacts; somebody else is no contact."""
    mine = [one.name for one in draw.state[Contact].of(draw.me.id)]
    others = [one.name for one in draw.people if one.name not in mine and one.id != draw.me.id]
    return NamedThings(mine, (others,))


def acquainted(draw: Draw) -> NamedThings:
    """The person's contacts, all of them."""
    return NamedThings(contacts(draw).good)


def contacts_of_none(draw: Draw) -> NamedThings:
    """People who are not among the contacts; who is, is idle."""
    return NamedThings(contacts(draw).idle[0], (contacts(draw).good,))


def no_friends(draw: Draw) -> NamedThings:
    """People whom the wallet does not call friends; those it does are idle."""
    friends = draw.state[WalletAccount][draw.me.id].friend_ids
    others = [one for one in draw.people if one.id != draw.me.id]
    return NamedThings(
        [one.name for one in others if one.id not in friends], ([one.name for one in others if one.id in friends],)
    )


def friends(draw: Draw) -> NamedThings:
    return reverse(no_friends(draw))


def _alarms(draw: Draw, *, on: bool) -> NamedThings | None:
    mine = draw.state[Alarm].of(draw.me.id)
    good = [one.label for one in mine if one.enabled == on]
    idle = [one.label for one in mine if one.enabled != on]
    return NamedThings(good, (idle, ("Sound check", "Tide table"))) if idle else None


def alarms_on(draw: Draw) -> NamedThings | None:
    return _alarms(draw, on=True)


def alarms_off(draw: Draw) -> NamedThings | None:
    return _alarms(draw, on=False)


def alarms(draw: Draw) -> NamedThings:
    return NamedThings([one.label for one in draw.state[Alarm].of(draw.me.id)], (("Sound check", "Tide table"),))


def _tasks(draw: Draw, fits: Callable[[TodoTask], bool]) -> NamedThings | None:
    """Tasks with titles of their own that fit; one that does not, and something that is no task, are idle."""
    mine = draw.state[TodoTask].of(draw.me.id)
    titles = [task.title for task in mine]
    alone = [task for task in mine if titles.count(task.title) == 1]
    bad = [task.title for task in alone if not fits(task)]
    return NamedThings([task.title for task in alone if fits(task)], (bad, CHORES)) if bad else None


def open_tasks(draw: Draw) -> NamedThings | None:
    return _tasks(draw, lambda task: not task.done)


def done_tasks(draw: Draw) -> NamedThings | None:
    return _tasks(draw, lambda task: task.done)


def any_tasks(draw: Draw) -> NamedThings:
    titles = [task.title for task in draw.state[TodoTask].of(draw.me.id)]
    return NamedThings([title for title in titles if titles.count(title) == 1], (CHORES,))


def due_tasks(draw: Draw) -> NamedThings | None:
    return _tasks(draw, lambda task: task.due is not None)


def chores(draw: Draw) -> NamedThings:
    """Things to do that no task is for; of those there is one for, one is open."""
    return NamedThings(CHORES, ([task.title for task in draw.state[TodoTask].of(draw.me.id)],))


def plain_chores(draw: Draw) -> NamedThings:
    return NamedThings(CHORES)


def projects(draw: Draw) -> NamedThings:
    """The person's open projects, the inbox left out; some more of them are made."""
    projects_of(draw, 5)
    mine = [one for one in draw.state[Project].of(draw.me.id) if one.name != INBOX]
    return NamedThings([one.name for one in mine if not one.archived], (("Choir", "Archery", "Beekeeping"),))


def new_projects(draw: Draw) -> NamedThings:
    mine = [one.name for one in draw.state[Project].of(draw.me.id) if not one.archived]
    return NamedThings("Choir|Archery|Beekeeping|Pottery|Allotment|Theater|Translation|Sailing".split("|"), (mine,))


def _notes(draw: Draw, *, archived: bool) -> NamedThings | None:
    mine = draw.state[Note].of(draw.me.id)
    good = [one.title for one in mine if one.archived == archived]
    idle = [one.title for one in mine if one.archived != archived]
    return NamedThings(good, (idle, ("Knots", "Tide table", "Old recipes"))) if idle else None


def current_notes(draw: Draw) -> NamedThings | None:
    return _notes(draw, archived=False)


def archived_notes(draw: Draw) -> NamedThings | None:
    for title in ("Ferry times", "Bread diary", "Cellar shelves", "Moss garden", "Paint colors"):
        jotted(draw, title, "nothing yet", archived=True, days=draw.rng.randint(60, 300))
    return _notes(draw, archived=True)


def unpinned_notes(draw: Draw) -> NamedThings | None:
    mine = draw.state[Note].of(draw.me.id)
    idle = [one.title for one in mine if one.pinned]
    return (
        NamedThings([one.title for one in mine if not one.pinned], (idle, ("Knots", "Old recipes"))) if idle else None
    )


def any_notes(draw: Draw) -> NamedThings:
    return NamedThings(
        [one.title for one in draw.state[Note].of(draw.me.id)], (("Knots", "Tide table", "Old recipes"),)
    )


def new_titles(draw: Draw) -> NamedThings:
    """Titles that notes could have; one that a note has is idle."""
    fresh = "Ferry times|Bread diary|Cellar shelves|Moss garden|Paint colors|Knots|Tide table|Old recipes".split("|")
    return NamedThings(fresh, ([one.title for one in draw.state[Note].of(draw.me.id)],))


def downloads(draw: Draw) -> NamedThings:
    """Names of the files in ~/downloads; more of them are put there."""
    for name in ("poster.png", "menu.pdf", "lyrics.txt", "ticket-2.pdf"):
        filed(draw, f"~/downloads/{name}", f"downloaded: {name}", days=draw.rng.randint(3, 60))
    top = f"{home(draw.me)}/downloads/"
    names = [one.path.removeprefix(top) for one in draw.state[File].of(draw.me.id) if one.path.startswith(top)]
    return NamedThings(names, (("quartet.mp3", "atlas.pdf", "brochure.pdf"),))


def new_folders(draw: Draw) -> NamedThings:
    return NamedThings(
        "recipes|taxes-2025|garden|choir|letters|manuals|drawings|house".split("|"), (("photos", "receipts"),)
    )


def folders(draw: Draw) -> NamedThings:
    """Folders right in the home directory, with a file in each; some of them are made."""
    for name in ("recipes", "garden", "choir", "letters", "manuals", "drawings"):
        make_directory(draw.state, draw.me.id, f"{home(draw.me)}/{name}")
        filed(draw, f"~/{name}/first.txt", f"about {name}")
    return NamedThings(("recipes", "garden", "choir", "letters", "manuals", "drawings"), (("attic", "boats"),))


def later(draw: Draw, days: int) -> str:
    """A day after today."""
    return (draw.state.now + timedelta(days=days)).date().isoformat()


def open_due_tasks(draw: Draw) -> NamedThings | None:
    return _tasks(draw, lambda task: task.due is not None and not task.done)


def fresh_titles(draw: Draw) -> NamedThings:
    return NamedThings(new_titles(draw).good)


def paired(
    names: Callable[[Draw], NamedThings | None], value: Callable[[Draw, str], str]
) -> Callable[[Draw], NamedThings | None]:
    """Each of these names with something that goes with it."""

    def pairs(draw: Draw) -> NamedThings | None:
        pool = names(draw)
        if pool is None:
            return None
        idle = [[(name, value(draw, name)) for name in some] for some in pool.idle]
        return NamedThings([(name, value(draw, name)) for name in pool.good], idle)

    return pairs


def reversed_of(pool: NamedThings | None) -> NamedThings | None:
    return reverse(pool) if pool else None


def unrelated(draw: Draw, relation: str) -> NamedThings:
    """Contacts who are something else than this; who is, is idle."""
    mine = draw.state[Contact].of(draw.me.id)
    return NamedThings(
        [one.name for one in mine if relation not in one.relationships],
        ([one.name for one in mine if relation in one.relationships],),
    )


def played_songs(draw: Draw) -> NamedThings:
    played = {row.song for row in draw.state[PlayCount].of(draw.me.id)}
    return NamedThings([song.title for song in draw.state[Song] if song.id in played])


def open_tasks_too(draw: Draw) -> NamedThings | None:
    """Done tasks mixed with open ones."""
    pool = _tasks(draw, lambda task: task.done)
    return NamedThings([*pool.good, *pool.idle[0][:2]], pool.idle) if pool else None


def urgent_tasks(draw: Draw) -> NamedThings | None:
    return _tasks(draw, lambda task: task.priority < 3 and not task.done)


def askers(draw: Draw) -> NamedThings | None:
    """People of whose requests one waits for an answer; of others there is none, or one that was answered."""
    people = acquaintances(draw)
    waiting = {row.requester for row in draw.state[PaymentRequest].of(draw.me.id) if _waits(draw, row)}
    free = [one for one in people if one.id not in waiting]
    for one, note in zip(free[:3], ("Sailing lesson", "Choir trip", "Kiln share"), strict=False):
        asked(draw, one, draw.me, note, ago(draw, 8))
        waiting.add(one.id)
    idle = [one.name for one in free[3:]]
    return NamedThings([one.name for one in people if one.id in waiting], (idle,)) if idle else None


def _waits(draw: Draw, row: PaymentRequest) -> bool:
    return row.payer == draw.me.id and row.status == "pending"


def asked_by_me(draw: Draw) -> NamedThings:
    """People who have not paid yet what they were asked for."""
    people = acquaintances(draw)
    mine = draw.state[PaymentRequest].of(draw.me.id)
    taken = {row.payer for row in mine if row.requester == draw.me.id and row.status == "pending"}
    free = [one for one in people if one.id not in taken]
    for n, one in enumerate(free[:6]):
        asked(draw, draw.me, one, f"Share {n + 1} of the gift", ago(draw, 5 + n))
    return NamedThings([one.name for one in free[:6]], ([one.name for one in free[6:]],))


_PAID = "Kiln share|Sailing lesson|Choir trip|Fence paint|Chess clock|Bread course|Map printing|Old radio".split("|")


def payments(draw: Draw) -> NamedThings:
    """Notes of payments that the person made, each on one payment; one that the person got is idle."""
    people: list[Person] = acquaintances(draw)
    sent = draw.rng.sample(_PAID, 7)
    for n, note in enumerate(sent):
        paid(draw, draw.me, people[n % len(people)], note, ago(draw, 3 + 5 * n))
    notes = {row.note for row in draw.state[Payment].of(draw.me.id)}
    return NamedThings(sent, ([note for note in ("Lamp oil", "Train snacks") if note not in notes],))


def many_groups(draw: Draw) -> NamedThings:
    """The person's groups, two of them new."""
    for name, friend in zip(("Choir Bus", "Bread Round"), acquaintances(draw), strict=False):
        create_group(draw.state, draw.me.id, name, [friend.id])
    return NamedThings([one.name for one in draw.state[Group].of(draw.me.id)], (("Chess Evening", "Kayak Crew"),))


_SHARED = "Kayak rental|Firewood|Map and compass|Lamp oil|Tent repair|Ferry fare|Bread and cheese".split("|")


def expenses(draw: Draw) -> NamedThings:
    """Descriptions of expenses that the person paid, each on one expense."""
    friend = acquaintances(draw)[0]
    for n, name in enumerate(_SHARED):
        half = 100 * draw.rng.randint(4, 40) + draw.rng.choice((0, 50))
        spent(draw, name, draw.me, {draw.me.id: half, friend.id: half}, days=3 + 6 * n)
    seen = [one.description for one in draw.state[Expense].of(draw.me.id)]
    return NamedThings([name for name in _SHARED if seen.count(name) == 1], (("Snorkels", "Goat cheese"),))


def a_group(draw: Draw) -> Group:
    """The group that both pool and slot speak of."""
    return max(groups_of(draw, least=2), key=lambda group: group.id)


def newcomers(draw: Draw) -> NamedThings:
    """People outside that group; those in it are idle."""
    group = a_group(draw)
    people = [draw.state[Person][id] for id, _ in draw.me.relations]
    outside = [one.name for one in people if one.id not in group.member_ids]
    return NamedThings(outside, ([one.name for one in people if one.id in group.member_ids],))


def debtors(draw: Draw) -> NamedThings | None:
    """People with whom something is open outside any group; with others there is nothing."""
    mine = [row for row in draw.state[Expense].of(draw.me.id) if row.group is None]
    known = {id for row in mine for id in row.people}
    free = [one for one in acquaintances(draw) if one.id not in known]
    for n, one in enumerate(free[:6]):
        half = 100 * draw.rng.randint(3, 30)
        spent(draw, f"Errand {n + 1}", draw.rng.choice((draw.me, one)), {draw.me.id: half, one.id: half}, days=9 + n)
    idle = [one.name for one in free[6:]]
    return NamedThings([one.name for one in free[:6]], (idle,)) if idle else None
