"""What comes into the store and what becomes of it."""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest

from prowess.errors import RecipeError, StoreError
from prowess.skills.extract import skills_in
from prowess.store.db import Store, account_of
from prowess.store.db.schema import VERSION
from prowess.store.record import Actor, Effect, Event, Kind, Provenance, Relation, Status, Trial, Usage, Verification
from prowess.store.standing import Statistics
from prowess.text.terminal import Bar, Figure
from prowess.types import Episode, Origin, Skill, Stop, Task, Use, Verdict

S = Status
ORIGIN = Origin(task="music_1", scenario="music", turn=2, instruction="Play it")
FROM = Provenance(run="r1", episode="r1/music_1/0", world="desk")


def skill(code: str = "def double(x):\n    return 2 * x", origin: Origin = ORIGIN) -> Skill:
    return skills_in(code, origin=origin)[-1]


def numbered(n: int, name: str = "f") -> Skill:
    return skill(f"def {name}(x):\n    return x + {n}")


def activate(store: Store, digest: str) -> Event:
    for status in (S.VERIFIED, S.PROBATION):
        store.move(digest, status, actor=Actor.GATE)
    return store.move(digest, S.ACTIVE, actor=Actor.CURATOR, why="it helps")


# --- proposing ------------------------------------------------------------------------------------


def test_a_proposed_skill_is_a_candidate_that_comes_back_as_it_was(store: Store) -> None:
    proposed = store.propose(skill(), FROM)
    entry = store.skill(proposed.skill)
    assert proposed.new and proposed.number == 1
    assert (entry.status, entry.name, entry.namespace, entry.digest) == (S.CANDIDATE, "double", "desk", proposed.digest)
    assert entry.skill == skill()
    assert [event.kind for event in store.events()] == [Kind.PROPOSED]
    assert store.events()[0].at == "2023-11-14T22:13:20.000000Z"


def test_the_same_code_again_is_more_evidence(store: Store) -> None:
    first = store.propose(skill(), FROM)
    again = store.propose(skill(), Provenance(run="r2", episode="r2/music_1/0", world="desk"))
    assert (again.skill, again.digest, again.number, again.new) == (first.skill, first.digest, 1, False)
    assert [one.run for one in store.provenances(first.digest)] == ["r1", "r2"]
    assert len(store.events()) == 1


def test_the_same_evidence_told_twice_is_kept_once(store: Store) -> None:
    digest = {store.propose(skill(), FROM).digest for _ in range(3)}.pop()
    assert len(store.provenances(digest)) == 1


def test_other_code_of_the_same_name_is_a_new_version_with_the_head_as_its_parent(store: Store) -> None:
    one, two = store.propose(numbered(1), FROM), store.propose(numbered(2), FROM)
    assert (two.skill, two.number, two.new) == (one.skill, 2, True)
    assert store.version(two.digest).version.parents == (one.digest,)
    assert [entry.number for entry in store.versions(one.skill)] == [1, 2]
    assert store.propose(numbered(1), Provenance(world="mail")).skill != one.skill


def test_ids_are_the_same_in_another_store(store: Store, tmp_path: Path) -> None:
    with Store.open(tmp_path / "other.db") as other:
        for n in (3, 1):
            assert store.propose(numbered(n), FROM) == other.propose(numbered(n), FROM)
        assert store.propose(numbered(1, "g"), FROM).skill == "4fde19c275f1726f"


def test_a_new_name_for_a_skill_leaves_the_old_one_working(store: Store) -> None:
    one = store.propose(numbered(1), FROM)
    activate(store, one.digest)
    two = store.propose(numbered(1, "better"), FROM, of=one.skill)
    activate(store, two.digest)
    entry = store.skill(one.skill)
    assert (entry.name, entry.aliases) == ("better", ("f",))
    assert store.resolve("f") == store.resolve("desk:better") == entry
    store.propose(numbered(7, "g"), FROM)
    with pytest.raises(StoreError, match="another skill's"):
        store.propose(numbered(8, "g"), FROM, of=one.skill)


def test_code_that_is_no_program_is_kept_for_the_gates_to_refuse(store: Store) -> None:
    proposed = store.propose(Skill(name="f", source="def f(:  \ud800"), FROM)
    assert store.skill(proposed.skill).version.ast_hash == ""


def test_a_name_that_is_none_is_refused(store: Store) -> None:
    for name in ("", "two words", "a\ud800"):
        with pytest.raises(StoreError, match="cannot name a skill"):
            store.propose(Skill(name=name, source=""), FROM)


def test_a_version_calls_the_versions_it_depends_on(store: Store) -> None:
    callee = store.propose(skill(), FROM)
    caller = store.propose(skill("def use(x): return double(x)"), FROM, dependencies=[callee.digest])
    assert [(edge.skill, edge.relation, edge.other) for edge in store.edges(callee.skill)] == [
        (caller.skill, Relation.CALLS, callee.skill)
    ]
    with pytest.raises(StoreError, match="no version"):
        store.propose(numbered(1), FROM, dependencies=["0" * 64])


def test_apis_are_found_by_name_with_their_fingerprints(store: Store) -> None:
    mail = store.propose(skill("def f(): return apis.mail.show_inbox()"), FROM, fingerprints={"mail.show_inbox": "v1"})
    assert store.calling("mail.show_inbox") == {mail.digest: "v1"}
    assert store.calling("mail.send") == {}


def test_clones_are_found(store: Store) -> None:
    one = store.propose(skill("def f(a):\n    b = a + 1\n    return b"), FROM)
    other = store.propose(skill("def g(x):\n    y = x + 1\n    return y"), FROM)
    assert store.clones(one.digest) == (other.digest,)


def test_a_failed_part_of_a_batch_leaves_nothing_and_the_rest_stays(store: Store) -> None:
    with store.many():
        store.propose(numbered(1), FROM)
        with pytest.raises(StoreError):
            store.use(
                [Usage(episode="e", digest=store.propose(numbered(1), FROM).digest), Usage(episode="", digest="x")]
            )
        store.propose(numbered(2, "g"), FROM)
    assert len(store.entries()) == 2
    assert store.statistics(store.resolve("f").digest).offered == 0
    with pytest.raises(StoreError, match="another skill's"), store.many():  # noqa: PT012
        store.propose(numbered(3, "h"), FROM)
        store.propose(numbered(4, "g"), FROM, of=store.resolve("f").id)
    assert len(store.entries()) == 2


# --- life -----------------------------------------------------------------------------------------


def test_heads_are_told_by_status_and_namespace_in_order_of_birth(store: Store) -> None:
    old, mail, desk, waiting = (
        store.propose(skill(f"def {name}(x):\n    return {value}"), FROM, namespace=space).digest
        for name, value, space in (("f", 1, "desk"), ("m", 2, "mail"), ("g", 3, "desk"), ("w", 4, "desk"))
    )
    for digest in (desk, mail, old):
        activate(store, digest)
    new = store.propose(skill("def f(x):\n    return 5"), FROM, namespace="desk").digest
    activate(store, new)
    assert store.heads(statuses=[S.ACTIVE]) == (new, mail, desk)
    assert store.heads(statuses=[S.ACTIVE], namespace="desk") == (new, desk)
    assert store.heads(statuses=[S.CANDIDATE, S.PROBATION]) == (waiting,)


def test_a_newly_active_version_supersedes_the_old_one_in_one_transaction(store: Store) -> None:
    one, two = store.propose(numbered(1), FROM), store.propose(numbered(2), FROM)
    activate(store, one.digest)
    assert store.skill(one.skill).digest == one.digest
    event = activate(store, two.digest)
    assert store.skill(one.skill).digest == two.digest
    assert [entry.status for entry in store.versions(one.skill)] == [S.SUPERSEDED, S.ACTIVE]
    last = store.events()[-1]
    assert (last.digest, last.before, last.after, last.cause) == (one.digest, S.ACTIVE, S.SUPERSEDED, event.id)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON event BEGIN DELETE FROM version; END", "it has a trigger 't'"),
        ("ALTER TABLE trial RENAME TO t; CREATE VIEW trial AS SELECT * FROM t", "it has no table 'trial' with id, key"),
        ("ALTER TABLE version DROP COLUMN tokens", "it has no table 'version' with id, digest"),
        ("DROP TABLE text", "it has no table 'text' with terms"),
        ("CREATE VIEW seen AS SELECT load_extension('x')", "it has a view 'seen'"),
        ("CREATE TABLE more (x)", "it has a table 'more'"),
        ("CREATE INDEX odd ON event (hex(who))", "it has an index 'odd'"),
        ("CREATE TABLE [\x1b[2J] (x)", r"it has a table '\\x1b\[2J'"),
        ("CREATE VIRTUAL TABLE words USING fts5vocab(text, instance)", "it has a table 'words'"),
        ("ALTER TABLE event ADD COLUMN odd AS (who || why)", "it has no table 'event' with id, at"),
        ("DROP INDEX event_by_born", "it has no index 'event_by_born'"),
        (
            "DROP TABLE refused; CREATE TABLE refused (segment TEXT, offset INTEGER CHECK (offset > 9), reason TEXT)",
            "it has a table 'refused' that is defined otherwise",
        ),
        ("PRAGMA user_version = 0", "has schema 0, this version of prowess reads"),
        ("PRAGMA user_version = -1", "has schema -1, this version of prowess reads"),
    ],
)
def test_a_file_with_other_tables_than_ours_is_refused_and_left_as_it_is(
    tmp_path: Path, change: str, said: str
) -> None:
    with Store.open(tmp_path / "a.db") as made:
        made.propose(skill(), FROM)
    other, rows = apsw.Connection(str(tmp_path / "a.db")), "SELECT type, name, sql FROM sqlite_schema"
    other.execute(change)
    before = list(other.execute(rows))
    with pytest.raises(StoreError, match=said) as refused:
        Store.open(tmp_path / "a.db")
    assert ("otherwise" in refused.value.message) == ("otherwise" in said)
    assert list(other.execute(rows)) == before
    other.close()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE version SET tokens = 'x'", "holds a version that cannot be read of .*: TypeError: tokens is 'x'"),
        ("UPDATE version SET source = x'ff00'", "TypeError: source is b'"),
        ("UPDATE version SET apis = '['", "JSONDecodeError"),
        ("UPDATE version SET digest = '\x1b[2J' || digest", r"cannot be read: ValueError: '\\x1b\[2J.* is no digest"),
        ("UPDATE state SET status = 'odd'", "holds a version whose status is 'odd'"),
    ],
)
def test_a_row_that_no_store_of_ours_wrote_is_told_in_words(tmp_path: Path, change: str, said: str) -> None:
    with Store.open(tmp_path / "a.db") as store:
        store.propose(skill(), FROM)
        with store.many():
            store.db.execute(change)
        with pytest.raises(StoreError, match=said):
            store.entries()
        assert store.rebuild(verify=True) != ()


def test_status_history_and_event_change_together_or_not_at_all(store: Store) -> None:
    one = store.propose(skill(), FROM)
    with store.many():
        store.db.execute("CREATE TRIGGER stop BEFORE INSERT ON span BEGIN SELECT RAISE(ABORT, 'killed here'); END")
    with pytest.raises(StoreError, match="refuses this: ConstraintError: killed here"):
        store.move(one.digest, S.VERIFIED, actor=Actor.GATE)
    assert (len(store.events()), store.skill(one.skill).status) == (1, S.CANDIDATE)
    with store.many():
        store.db.execute("DROP TRIGGER stop")


def test_a_step_that_the_rules_forbid_changes_nothing(store: Store) -> None:
    one = store.propose(skill(), FROM)
    with pytest.raises(StoreError, match="allowed: verified, rejected"):
        store.move(one.digest, S.ACTIVE, actor=Actor.GATE)
    with pytest.raises(StoreError, match="no version"):
        store.move("0" * 64, S.ACTIVE, actor=Actor.GATE)
    assert len(store.events()) == 1


def test_an_approval_binds_to_the_digest_and_an_edit_voids_it(store: Store) -> None:
    send = "def tell(x):\n    return apis.mail.send_mail(text=x)"
    one = store.propose(skill(send), FROM)
    assert store.version(one.digest).version.effect is Effect.IRREVERSIBLE
    store.move(one.digest, S.VERIFIED, actor=Actor.GATE)
    with pytest.raises(StoreError, match="must approve"):
        store.move(one.digest, S.PROBATION, actor=Actor.PERSON, who="ada")
    store.review(one.digest, "approve", who="ada", why="read it")
    store.move(one.digest, S.PROBATION, actor=Actor.GATE)
    two = store.propose(skill(send.replace("text=x", "text=x + '!'")), FROM)
    assert [entry.approved for entry in store.versions(one.skill)] == [True, False]
    store.move(two.digest, S.VERIFIED, actor=Actor.GATE)
    with pytest.raises(StoreError, match="must approve"):
        store.move(two.digest, S.PROBATION, actor=Actor.GATE)


def test_what_others_refer_to_cannot_be_retired(store: Store) -> None:
    callee = store.propose(skill(), FROM)
    caller = store.propose(skill("def use(x): return double(x)"), FROM, dependencies=[callee.digest])
    activate(store, callee.digest)

    def retire() -> Event:
        return store.move(callee.digest, S.RETIRED, actor=Actor.PERSON, who="ada")

    with pytest.raises(StoreError, match="called by use"):
        retire()
    store.move(caller.digest, S.REJECTED, actor=Actor.PERSON)
    store.pin(callee.skill, "ada")
    with pytest.raises(StoreError, match="pinned by ada"):
        retire()
    store.unpin(callee.skill, "ada")
    root = store.snapshot().root
    store.pin(root, "run 7")
    with pytest.raises(StoreError, match="pinned by run 7"):
        retire()
    store.unpin(root, "run 7")
    assert retire().after == S.RETIRED
    assert store.skill(callee.skill).status is S.RETIRED


def test_names_pins_and_links_are_checked(store: Store) -> None:
    one, two = store.propose(numbered(1), FROM), store.propose(numbered(1, "g"), FROM)
    store.alias(one.skill, "old_f")
    assert store.resolve("old_f").id == one.skill
    store.link(one.skill, Relation.DUPLICATE_OF, two.skill)
    for wrong in (
        lambda: store.alias(two.skill, "old_f"),
        lambda: store.link(one.skill, Relation.DUPLICATE_OF, two.skill),
        lambda: store.link(one.skill, Relation.CALLS, two.skill),
        lambda: store.unpin(one.skill, "ada"),
    ):
        with pytest.raises(StoreError):
            wrong()
    with pytest.raises(RecipeError, match="did you mean 'old_f'"):
        store.resolve("old_ff")
    store.unlink(one.skill, Relation.DUPLICATE_OF, two.skill)
    assert store.edges(one.skill) == ()
    assert store.resolve(one.digest[:8]).id == one.skill


# --- undo -----------------------------------------------------------------------------------------


def test_undo_takes_back_a_step_and_what_followed_from_it(store: Store) -> None:
    one, two = store.propose(numbered(1), FROM), store.propose(numbered(2), FROM)
    activate(store, one.digest)
    before = store.snapshot().root
    for status in (S.VERIFIED, S.PROBATION):
        store.move(two.digest, status, actor=Actor.GATE)
    event = store.move(two.digest, S.ACTIVE, actor=Actor.CURATOR)
    after = store.snapshot().root
    undone = store.undo(event.id, who="ada")
    assert [(one.before, one.after) for one in undone] == [(S.ACTIVE, S.PROBATION), (S.SUPERSEDED, S.ACTIVE)]
    assert store.snapshot().root == before
    with pytest.raises(StoreError, match="has undone it already"):
        store.undo(event.id)
    with pytest.raises(StoreError, match="followed from"):
        store.undo(undone[1].id)
    store.undo(undone[0].id)  # once more, forward
    assert store.snapshot().root == after
    assert store.undo(event.id)


def test_undo_refuses_where_something_newer_stands_on_it(store: Store) -> None:
    one = store.propose(skill(), FROM)
    verified = store.move(one.digest, S.VERIFIED, actor=Actor.GATE)
    tried = store.move(one.digest, S.PROBATION, actor=Actor.GATE)
    with pytest.raises(StoreError, match=rf"event {tried.id} \(verified to probation\) came after it"):
        store.undo(verified.id)
    with pytest.raises(StoreError, match="move the version to rejected"):
        store.undo(1)
    with pytest.raises(RecipeError, match=r"no event 99\nhint: prowess skills log"):
        store.undo(99)
    store.undo(tried.id)
    store.undo(verified.id)
    assert store.skill(one.skill).status is S.CANDIDATE


def test_undo_does_not_make_two_versions_active(store: Store) -> None:
    one, two = store.propose(numbered(1), FROM), store.propose(numbered(2), FROM)
    activate(store, one.digest)
    suspended = store.move(one.digest, S.SUSPENDED, actor=Actor.CURATOR)
    activate(store, two.digest)
    with pytest.raises(StoreError, match="another version has become active"):
        store.undo(suspended.id)
    assert [entry.status for entry in store.versions(one.skill)] == [S.SUSPENDED, S.ACTIVE]


def test_undo_does_not_retire_what_is_pinned_since(store: Store) -> None:
    one = store.propose(skill(), FROM)
    activate(store, one.digest)
    store.move(one.digest, S.RETIRED, actor=Actor.PERSON)
    back = store.move(one.digest, S.PROBATION, actor=Actor.PERSON)
    store.pin(one.skill, "ada")
    with pytest.raises(StoreError, match="pinned by ada"):
        store.undo(back.id)


def test_names_pins_links_and_reviews_can_be_undone(store: Store) -> None:
    one, two = store.propose(numbered(1), FROM), store.propose(numbered(1, "g"), FROM)
    start = len(store.events())
    events = [
        store.alias(one.skill, "old"),
        store.alias(one.skill, "older"),
        store.pin(one.skill, "ada"),
        store.link(one.skill, Relation.MERGED_INTO, two.skill),
        store.review(one.digest, "approve", who="ada"),
    ]
    for event in events:
        store.undo(event.id)
    entry = store.skill(one.skill)
    assert (entry.aliases, entry.holders, entry.approved, store.edges(one.skill)) == ((), (), False, ())
    assert len(store.events()) == start + 10


def test_a_name_is_not_taken_away_while_a_version_is_called_so(store: Store) -> None:
    first = store.propose(numbered(1), FROM)
    named = store.alias(first.skill, "g")
    assert store.propose(numbered(1, "g"), FROM).skill == first.skill  # another version of it
    with pytest.raises(StoreError, match="cannot be undone: a version is called 'g'"):
        store.undo(named.id)
    assert store.resolve("g").id == first.skill


# --- evidence -------------------------------------------------------------------------------------


def test_statistics_are_counts_and_exact_functions_of_them(store: Store) -> None:
    digest = store.propose(skill(), FROM).digest
    uses = [
        Usage(episode="1", digest=digest, called=2, success=True, at="2026-01-02"),
        Usage(episode="2", digest=digest, called=1, success=True, at="2026-01-01"),
        Usage(episode="3", digest=digest, called=1, success=False, error="KeyError: 'x'", at="2026-01-03"),
        Usage(episode="4", digest=digest, success=True, at="2026-01-09"),
        Usage(episode="5", digest=digest, arm="masked", success=True),
        Usage(episode="6", digest=digest, arm="masked"),
    ]
    assert store.use(uses[:2]) == 2
    assert store.use(uses) == 4
    assert store.use(uses) == 0
    found = store.statistics(digest)
    assert found == Statistics(
        digest=digest,
        offered=4,
        offered_successes=3,
        masked=2,
        masked_successes=1,
        called=3,
        called_successes=2,
        errors=1,
        first_success="2026-01-01",
        last_success="2026-01-02",
    )
    assert (found.offered + found.masked, found.alpha, found.beta, found.success) == (6, 3, 2, 0.6)
    assert found.uplift == 0.25
    assert found.uplift_error == pytest.approx((0.75 * 0.25 / 4 + 0.5 * 0.5 / 2) ** 0.5)
    assert store.usages(digest)[2].error == "KeyError: 'x'"
    assert Statistics(digest=digest, offered=3).uplift is None


def test_a_use_of_an_unknown_version_is_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="no version"):
        store.use([Usage(episode="1", digest="f" * 64)])


def test_verifications_and_trials_come_back_as_they_were(store: Store) -> None:
    digest = store.propose(skill(), FROM).digest
    trial = Trial(digest=digest, call="double(2)", answers=({"api": "a.b", "answer": [1, None]},), expected=4)
    assert (store.test(trial), store.test(trial)) == (1, 0)
    assert store.trials(digest) == (trial,)
    check = Verification(digest=digest, check="lint", verdict="fail", evidence={"lines": [3]}, by="1", at="2026")
    assert store.verify(check) == 1
    assert store.verifications(digest) == (check,)


def played(learned: tuple[Skill, ...] = (), **options: object) -> Episode:
    task = Task(id="music_1", scenario="music", instruction="Play it")
    return Episode(
        task=task,
        turns=(),
        verdict=Verdict(passed=("a",), failed=()),
        stop=options.pop("stop", Stop.COMPLETED),  # type: ignore[arg-type]
        learned=learned,
        **options,  # type: ignore[arg-type]
    )


def test_an_episode_proposes_what_it_learned_and_counts_what_it_used(store: Store) -> None:
    one = store.propose(numbered(1, "one"), FROM)
    two = store.propose(numbered(2, "two"), FROM)
    calls = (Use(name="one", turn=0, origin="t"), Use(name="one", turn=1, origin="t", error="ValueError"))
    episode = played((skill(),), offered=("two", "one", "stranger"), called=calls)
    (new,) = store.take(account_of(episode, run="r9", world="desk", masked=("two", "one"), checkpoint="abc"))
    assert store.skill(new.skill).skill == skill()
    assert store.provenances(new.digest)[0] == Provenance(
        run="r9",
        episode="r9/music_1/0",
        turn=2,
        task="music_1",
        scenario="music",
        instruction="Play it",
        checkpoint="abc",
        world="desk",
    )
    store.take(account_of(episode, run="r9", world="desk"))  # told twice
    (use,) = store.usages(one.digest)
    assert (use.rank, use.called, use.error, use.success, use.arm) == (1, 2, "ValueError", True, "offered")
    assert store.statistics(two.digest).offered == 1
    assert store.statistics(new.digest).offered == 0


def test_an_episode_is_counted_for_the_versions_of_its_snapshot(store: Store) -> None:
    one, two = store.propose(numbered(1), FROM), store.propose(numbered(2), FROM)
    activate(store, one.digest)
    root = store.snapshot().root
    activate(store, two.digest)
    store.take(account_of(played(offered=("f",)), run="r", world="desk", root=root))
    store.take(account_of(played(offered=("f",)), run="s", world="desk"))
    assert [store.statistics(one.digest).offered, store.statistics(two.digest).offered] == [1, 1]


def test_an_episode_that_broke_is_not_counted(store: Store) -> None:
    one = store.propose(numbered(1), FROM)
    store.take(account_of(played(offered=("f",), stop=Stop.ERROR), run="r", world="desk"))
    assert store.statistics(one.digest).offered == 0


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        ("UPDATE event SET born = born + 1 WHERE id = 1", "event: 1 has the number 2"),
        ("UPDATE version SET skill = 1000 WHERE id = 1", "version (id = 1): skill is 1000; allowed is the number"),
    ],
)
def test_a_wrong_number_is_told(tmp_path: Path, damage: str, said: str) -> None:
    with Store.open(tmp_path / "s.db") as store:
        store.propose(skill(), FROM)
        store.db.execute(damage)
        assert any(said in line for line in store.rebuild(verify=True))


# --- the file -------------------------------------------------------------------------------------


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_a_file_of_another_schema_is_refused(tmp_path: Path, version: int) -> None:
    Store.open(tmp_path / "s.db").close()
    db = apsw.Connection(str(tmp_path / "s.db"))
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    with pytest.raises(StoreError, match=f"has schema {version}, this version of prowess reads {VERSION}"):
        Store.open(tmp_path / "s.db")


def test_what_is_no_store_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    text, other = tmp_path / "text.db", tmp_path / "other.db"
    text.write_text("not a database at all\n" * 100)
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE mine (x)")
    db.commit()
    db.close()
    for path, words in ((text, "not an SQLite file"), (other, "another program's"), (tmp_path, "is a folder")):
        content = path.read_bytes() if path.is_file() else b""
        with pytest.raises(StoreError, match=words):
            Store.open(path)
        assert not path.is_file() or path.read_bytes() == content
    with pytest.raises(StoreError, match="no skill store"):
        Store.open(tmp_path / "none.db", create=False)
    assert not (tmp_path / "none.db").exists()


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "s.db")
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.entries()


FULL = r"the disk of the skill store .*s\.db is full \(\d+ KiB are free\)\nhint: nothing that it held is lost, .* again"


def test_a_full_disk_is_told_with_what_is_safe_and_what_to_do(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        digest = store.propose(skill(), FROM).digest
        store.db.execute(f"PRAGMA max_page_count = {store.db.pragma('page_count')}")
        with pytest.raises(StoreError, match=FULL):
            store.propose(skill("def large():\n    return " + repr("x" * 90_000)), FROM)
    with Store.open(tmp_path / "s.db") as store:
        assert [entry.digest for entry in store.entries()] == [digest] and not store.rebuild(verify=True)


@pytest.mark.parametrize(("free", "told"), [(0, FULL), (10**9, "cannot use the skill store .*: disk I/O error")])
def test_a_disk_too_full_to_open_a_store_is_not_taken_for_a_broken_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, told: str
) -> None:
    """Without room for what its processes share SQLite speaks of an I/O error."""
    monkeypatch.setattr(shutil, "disk_usage", lambda place: SimpleNamespace(free=free))
    with Store.open(tmp_path / "s.db") as store, pytest.raises(StoreError, match=told), store._connections.telling():
        raise apsw.IOError("disk I/O error")


@pytest.fixture
def quota() -> Iterator[Callable[[], None]]:
    """Call it, and the system lets SQLite write nothing more, for a reason that it does not know."""
    system = apsw.VFS("prowess-quota", "unix")

    @ctypes.CFUNCTYPE(
        *(ctypes.c_ssize_t, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64), use_errno=True
    )
    def refuse(*_: int) -> int:
        ctypes.set_errno(errno.EDQUOT)
        return -1

    calls = [name for name in ("pwrite", "pwrite64", "write") if system.xGetSystemCall(name)]

    def set_calls(pointer: int) -> None:
        for name in calls:
            system.xSetSystemCall(name, pointer)

    yield lambda: set_calls(ctypes.cast(refuse, ctypes.c_void_p).value or 0)
    set_calls(0)  # SQLite's own again


def test_a_folder_that_cannot_be_written_to_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "s.db"
    Store.open(path).close()
    path.with_name("s.db-wal").mkdir()  # SQLite cannot put its own file there, either
    with pytest.raises(StoreError, match=r"cannot use the skill store .*\nhint: check its folder"):
        Store.open(path).entries()
    monkeypatch.setattr(os, "access", lambda path, mode, **how: False)
    with pytest.raises(StoreError, match=r"was left by a process that was killed, .*\nhint: let its owner look"):
        Store.open(path).entries()


def test_a_damaged_file_is_told_with_what_brings_skills_back(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store.open(path) as store:
        store.snapshot()
    path.write_bytes(path.read_bytes()[:8192] + b"x" * 100_000)
    with pytest.raises(StoreError, match=r"is damaged: .*\nhint: put a copy in .*backup.*ingest.*propose RUN"):
        Store.open(path).entries()


def test_a_quota_that_is_used_up_is_told_like_a_full_disk(tmp_path: Path, quota: Callable[[], None]) -> None:
    told = r"the disk quota for the skill store .*s\.db is used up\nhint: nothing that it held is lost, .* again"
    with Store.open(tmp_path / "s.db") as store:
        digest = store.propose(skill(), FROM).digest
        quota()
        with pytest.raises(StoreError, match=told):
            store.propose(skill("def other(): ..."), FROM)
        with pytest.raises(StoreError, match=told):
            Store.open(tmp_path / "others.db")
        assert [entry.digest for entry in store.entries()] == [digest]


def test_rebuild_says_what_differs_and_mends_it(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        digest = store.propose(skill(), FROM).digest
        store.use([Usage(episode="1", digest=digest, called=1, success=True)])
        with store.many():
            store.db.execute("UPDATE statistics SET called = 7")
            store.db.execute("UPDATE skill SET status = 'active'")
        found = store.rebuild(verify=True)
        assert [line.split(":")[0] for line in found] == ["skill", "skill", "statistics", "statistics"]
        assert "only kept" in found[0]
        assert "only computed" in found[1]
        assert store.rebuild() == ()
        assert store.rebuild(verify=True) == ()
        with store.many():
            store.db.execute("UPDATE version SET source = source || ' '")
        assert store.rebuild(verify=True) == (f"version: {digest} (double) does not hold the code of its digest",)


def test_pages_of_entries_follow_each_other(store: Store) -> None:
    for n in range(7):
        store.propose(numbered(n, f"f{n}"), FROM)
    first = store.entries(limit=3)
    second = store.entries(after=first[-1].id, limit=10)
    assert [entry.name for entry in (*first, *second)] == [f"f{n}" for n in range(7)]
    assert [event.id for event in store.events(newest=True, limit=2)] == [7, 6]
    assert store.entries(statuses=[S.ACTIVE]) == ()
    assert len(store.entries(namespace="desk", statuses=[S.CANDIDATE])) == 7


class Seen:
    """A watch that keeps what it was told."""

    def __init__(self) -> None:
        self.bars: dict[str, list[int | None]] = {}

    @contextmanager
    def __call__(self, total: int | None, description: str) -> Iterator[Bar]:
        told = self.bars[description.partition("/")[0].strip()] = [total, 0]

        class Counting:
            def advance(self, count: int = 1, **figures: Figure) -> None:
                assert told[1] is not None
                told[1] += count

        yield Counting()


def test_long_work_on_the_whole_store_tells_how_far_it_is_to_the_end(store: Store, tmp_path: Path) -> None:
    for n in range(130):
        activate(store, store.propose(numbered(n, f"f{n}"), FROM).digest)
    seen = Seen()
    store.copy(tmp_path / "copy.db", watch=seen)
    store.rebuild(watch=seen)
    assert seen.bars["replay events"] == [520, 520], "each was proposed, and moved three times"
    assert store.rebuild(verify=True, watch=seen) == ()
    assert seen.bars["read versions"] == [130, 130]
    assert list(seen.bars) == ["copy pages to", "replay events", "read versions"]
    total, done = seen.bars["copy pages to"]
    assert total == done == store.db.pragma("page_count")
