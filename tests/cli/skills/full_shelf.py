"""A store with rows in every table, for those who change them by hand."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from shelf import PAY, SONGS, propose, skill

from prowess.store.db import Journal, Store, ingest
from prowess.store.record import Actor, Provenance, Relation, Status, Trial, Usage, Verification

S = Status
LIKE = '''
def like_songs(artist: str) -> int:
    """Like every song of an artist."""
    return sum(1 for song in apis.music.search_songs(query=artist) if apis.music.like_song(song_id=song["id"]))
'''
TWICE = '''
def count_twice(artist: str) -> int:
    """Count the songs of an artist twice."""
    return 2 * count_songs(artist)
'''
RATE = '''
def rate_ann(stars: int) -> int:
    """Rate the songs of Ann."""
    return apis.music.rate_song(query="Ann", rating=stars)
'''


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """What there is to ask for: digests, roots and events."""

    pay: str
    songs: str
    better: str
    first: str
    second: str
    move: int
    alias: int
    pin: int
    link: int


def fill(path: Path) -> Shelf:
    """Begin a store: skills of many statuses, a second version, a call, an alias, pins, snapshots, a journal."""
    ticks = count(1_700_000_000)
    with Store.open(path, clock=lambda: float(next(ticks))) as store:
        pay = propose(store, PAY, S.VERIFIED, S.REVIEW, why="irreversible: a person must look")
        songs = propose(store, SONGS, S.VERIFIED, S.PROBATION, S.ACTIVE)
        answer = {"api": "music.search_songs", "arguments": {"query": "Ann"}, "answer": [1, 2]}
        store.test(Trial(digest=songs, call="count_songs(artist='Ann')", answers=(answer,), expected=2, task="pay_1"))
        store.verify(*(Verification(digest=one, check="structure", verdict="pass", by="1") for one in (pay, songs)))
        store.use(Usage(episode=f"r1/{n}/0", digest=songs, task="t", run="r1", called=1, success=True) for n in "abc")
        store.use([Usage(episode="r1/d/0", digest=songs, arm="masked", run="r1")])
        first = store.snapshot("first").root
        again = skill(SONGS.replace("return len(", "return 0 + len("))
        told = Provenance(run="r2", episode="r2/pay_1/0", world="desk")
        better = store.propose(again, told, fingerprints={"music.search_songs": "f"}).digest
        store.move(better, S.VERIFIED, S.PROBATION, actor=Actor.GATE)
        store.review(better, "approve", who="ada")
        store.propose(skill(TWICE), told, dependencies=[songs])
        like, *alike = (
            store.version(propose(store, code, S.VERIFIED, S.PROBATION, S.ACTIVE)).id
            for code in (LIKE, RATE, RATE.replace("ann", "bob").replace("Ann", "Bob"))
        )
        alias = store.alias(like, "love_songs", who="ada")
        store.pin(first, "bob")
        pin, link = store.pin(like, "ada"), store.link(alike[0], Relation.DUPLICATE_OF, alike[1], who="ada")
        idle = propose(store, "def idle(x): return x", S.VERIFIED, S.PROBATION)
        move = store.move(idle, S.SUSPENDED, actor=Actor.PERSON, who="ada")
        while not store.db.execute("SELECT count(*) FROM frequency").get:  # one version in sixteen is counted there
            n = store.db.execute("SELECT max(id) FROM event").get
            propose(store, f"def more_{n}(x): return x + {n}", S.VERIFIED, S.PROBATION)
        with Journal(path.with_name("told"), "w") as journal:
            journal.append(Usage(episode="r9/a/0", digest="0" * 64), Usage(episode="r9/b/0", digest=songs, called=1))
        assert ingest(store, path.with_name("told")).refused == 1
        second = store.snapshot("second").root
        assert store.rebuild(verify=True) == ()
        store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").get  # noqa: B018 (fetches)
        return Shelf(
            pay=pay,
            songs=songs,
            better=better,
            first=first,
            second=second,
            move=move.id,
            alias=alias.id,
            pin=pin.id,
            link=link.id,
        )
