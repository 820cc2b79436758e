"""Journals: many workers tell, one process takes it in, exactly once."""

from __future__ import annotations

import io
import resource
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from prowess.errors import StoreError
from prowess.skills.extract import skills_in
from prowess.store.db import Journal, Store, clear, ingest
from prowess.store.db import journal as module
from prowess.store.record import Account, Actor, Provenance, Status, Trial, Usage, Verification, Version


def account(n: int, **options: object) -> Account:
    told = Account(
        namespace="desk",
        provenance=Provenance(run="r", episode=f"r/{n}/0"),
        learned=(skills_in(f"def f{n}(x): return x + {n}")[0],),
        success=True,
    )
    return replace(told, **options)  # type: ignore[arg-type]


def test_every_kind_of_record_comes_through(store: Store, tmp_path: Path) -> None:
    digest = store.propose(account(0).learned[0], Provenance(world="desk")).digest
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(
            account(1, offered=("f0",), called={"f0": 2}),
            Usage(episode="x", digest=digest, arm="masked"),
            Verification(digest=digest, check="lint", verdict="pass"),
            Trial(digest=digest, call="f0(1)", expected=1),
        )
    found = ingest(store, tmp_path / "j")
    assert (found.records, found.refused) == (4, 0)
    assert store.resolve("f1").id
    statistics = store.statistics(digest)
    assert (statistics.offered, statistics.masked, statistics.called_successes) == (1, 1, 1)
    assert len(store.verifications(digest)) == len(store.trials(digest)) == 1


def test_what_was_taken_in_is_not_taken_in_again(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_BATCH", 3)
    with Journal(tmp_path / "j", "a") as one, Journal(tmp_path / "j", "b") as two:
        digest = store.propose(account(0).learned[0], Provenance(world="desk")).digest
        for n in range(4):
            one.append(Verification(digest=digest, check=f"a{n}", verdict="pass"))
            two.append(Verification(digest=digest, check=f"b{n}", verdict="pass"))
        assert ingest(store, tmp_path / "j").records == 8
        assert ingest(store, tmp_path / "j").records == 0
        two.append(Verification(digest=digest, check="b4", verdict="pass"))
        assert ingest(store, tmp_path / "j").records == 1
    assert len(store.verifications(digest)) == 9


def test_what_was_taken_in_long_ago_costs_no_transaction(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(5):
        with Journal(tmp_path / "j", "a") as journal:
            journal.append(account(n))
    assert ingest(store, tmp_path / "j").records == 5
    taken, batch = list[Path](), module._batch
    monkeypatch.setattr(module, "_batch", lambda store, path, size: taken.append(path) or batch(store, path, size))
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(5))
    assert ingest(store, tmp_path / "j").records == 1
    assert {path.name for path in taken} == {"a-000006.journal"}


def test_journals_are_deleted_that_are_taken_in_to_their_ends_and_not_in_use(store: Store, tmp_path: Path) -> None:
    folder = tmp_path / "j"
    with Journal(folder, "done") as journal:
        journal.append(account(1))
    with Journal(folder, "torn") as journal:
        journal.append(account(2))
    with (folder / "torn-000001.journal").open("ab") as file:
        file.write(b"half a li")
    with Journal(folder, "open") as journal:
        journal.append(account(3))
        ingest(store, folder)
        with Journal(folder, "new") as other:
            other.append(account(4))
        assert clear(store, folder) == 1
        left = {path.name for path in folder.glob("*.journal")}
        assert left == {"torn-000001.journal", "open-000001.journal", "new-000001.journal"}
        journal.append(account(5))  # is not lost
    assert ingest(store, folder).records == 2 and clear(store, folder) == 2
    assert ingest(store, folder).records == 0 and len(store.entries()) == 5


def test_a_store_put_back_from_a_copy_learns_again_what_came_since(store: Store, tmp_path: Path) -> None:
    first, copy = store.snapshot().root, tmp_path / "copy.db"
    store.copy(copy)
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1, root=first))
        ingest(store, tmp_path / "j")
        digest = store.resolve("f1").digest
        for step in (Status.VERIFIED, Status.PROBATION):
            store.move(digest, step, actor=Actor.GATE)
        root = store.snapshot().root
        journal.append(
            account(2, root=root, offered=("f1",), digests={"f1": digest}, called={"f1": 1}),
            account(3, root=root, offered=("f1",)),  # by a retriever that tells names alone
        )
        assert ingest(store, tmp_path / "j").refused == 0
    assert store.statistics(digest).offered == 2
    with Store.open(copy) as other:
        told = ingest(other, tmp_path / "j")
        assert (told.records, told.refused) == (3, 0)
        assert {entry.name for entry in other.entries()} == {"f1", "f2", "f3"}
        assert (other.statistics(digest).offered, other.statistics(digest).called) == (1, 1)
        assert other.rebuild(verify=True) == ()


def test_a_transaction_that_fails_takes_the_offset_back_with_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1), replace(account(2), offered=("f1",)))  # one is plain, one is not
    taken = Store.take

    def dying(self: Store, told: Account, versions: Sequence[Version | None]) -> object:
        if told.provenance.episode == "r/2/0":
            raise KeyboardInterrupt
        return taken(self, told, versions)

    with monkeypatch.context() as patch:
        patch.setattr(Store, "take", dying)
        with pytest.raises(KeyboardInterrupt):
            ingest(store, tmp_path / "j")
    assert store.entries() == ()
    assert ingest(store, tmp_path / "j").records == 2
    assert len(store.entries()) == 2


def test_records_and_how_far_they_are_read_are_kept_together_or_not_at_all(store: Store, tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1))
    with store.many():
        store.db.execute("CREATE TRIGGER stop BEFORE INSERT ON segment BEGIN SELECT RAISE(ABORT, 'killed here'); END")
    with pytest.raises(StoreError, match="refuses this: ConstraintError: killed here"):
        ingest(store, tmp_path / "j")
    assert store.entries() == ()
    with store.many():
        store.db.execute("DROP TRIGGER stop")
    assert ingest(store, tmp_path / "j").records == 1


@pytest.mark.parametrize(
    "text",
    [
        *(b"{", b"[" * 100_000, b"1" * 5000, b"\xff\xfe\x00", b"[1]", b'"x"', b'{"kind": [], "data": {}}'),
        *(b'{"kind": "account"}', b'{"kind": "usage", "data": {"episode": "e", "digest": "d", "turns": 9e99}}'),
    ],
)
def test_a_line_that_no_worker_wrote_is_refused_and_holds_up_nobody(store: Store, tmp_path: Path, text: bytes) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1))
        with journal.path.open("ab") as file:
            file.write(module._checksum(text) + b" " + text + b"\n")
        journal.append(account(2))
    assert (done := ingest(store, tmp_path / "j")) == module.Ingested(records=3, refused=1), done
    assert [entry.name for entry in store.entries()] == ["f1", "f2"]


@pytest.mark.parametrize("header", [[], "x", {}, {"segment": [], "worker": "a"}, {"segment": "\ud800", "worker": "a"}])
def test_a_file_that_no_worker_began_is_left_alone(store: Store, tmp_path: Path, header: object) -> None:
    with Journal(tmp_path / "j", "b") as journal:
        journal.append(account(1))
    foreign = tmp_path / "j" / "a-000001.journal"
    foreign.write_bytes(module._line(header) + module._line({"kind": "account", "data": {}}))
    assert ingest(store, tmp_path / "j").records == 1
    assert clear(store, tmp_path / "j") == 1
    assert foreign.exists()


@pytest.mark.parametrize(
    "options", [{"root": "\ud800", "offered": ("f",)}, {"digests": {"f": "\ud800"}, "offered": ("f",)}]
)
def test_an_account_with_text_that_cannot_be_kept_is_refused_alone(
    store: Store, tmp_path: Path, options: dict[str, object]
) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1), account(2, **options), account(3))
    assert ingest(store, tmp_path / "j") == module.Ingested(records=3, refused=1)
    assert [entry.name for entry in store.entries()] == ["f1", "f3"]


def test_an_account_told_with_the_same_api_twice_is_refused_alone(store: Store, tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1))
        line = module._told(account(2))
        line["ahead"]["versions"][0]["apis"] = ["a.b", "a.b"]
        journal._write([line])
        journal.append(account(3))
    assert ingest(store, tmp_path / "j") == module.Ingested(records=3, refused=1)
    assert [entry.name for entry in store.entries()] == ["f1", "f3"]


def test_a_torn_last_line_is_ignored_until_it_is_whole(store: Store, tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1), account(2))
        whole = journal.path.read_bytes()
        for cut in (1, 2, 50):
            journal.path.write_bytes(whole[:-cut])
            ingest(store, tmp_path / "j")
            assert [entry.name for entry in store.entries()] == ["f1"]
        journal.path.write_bytes(whole)
    assert ingest(store, tmp_path / "j").records == 1
    assert len(store.entries()) == 2


def test_a_line_that_is_being_written_while_it_is_read_is_taken_in_when_it_is_whole() -> None:
    lines = [module._line({"n": n}) for n in range(3)]

    class Growing(io.BytesIO):
        """Shows half of the second line, and all of it to whoever looks again."""

        def readline(self, size: int | None = -1) -> bytes:
            line = super().readline(size)
            if not line.endswith(b"\n"):
                at = self.tell()
                self.write(b"".join(lines)[at:])
                self.seek(at)
            return line

    half = len(lines[0]) + 5
    assert module._lines(Growing(b"".join(lines)[:half]), half) == lines[:1]


def test_a_worker_that_comes_back_begins_a_new_segment(store: Store, tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1), account(2))
        journal.path.write_bytes(journal.path.read_bytes()[:-9])
    with Journal(tmp_path / "j", "a") as journal:
        assert journal.path.name == "a-000002.journal"
        journal.append(account(3))
    assert ingest(store, tmp_path / "j").records == 2
    assert [entry.name for entry in store.entries()] == ["f1", "f3"]


def test_a_refused_or_damaged_record_does_not_hold_up_the_others(store: Store, tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(Usage(episode="e", digest="0" * 64), account(1), account(2))
        journal.path.write_bytes(journal.path.read_bytes().replace(b"r/1/0", b"r/9/0"))
    found = ingest(store, tmp_path / "j")
    assert (found.records, found.refused) == (3, 2)
    reasons = [row[0] for row in store.db.execute("SELECT reason FROM refused ORDER BY offset")]
    assert reasons[0].startswith("the store has no version")
    assert reasons[1] == "the line is damaged"
    assert [entry.name for entry in store.entries()] == ["f2"]


def test_a_full_disk_is_an_error_and_the_next_record_is_good(store: Store, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", "a")
    journal.append(account(1))
    size = journal.path.stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, hard))  # half a line fits
    try:
        with pytest.raises(StoreError):
            journal.append(account(2))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    journal.append(account(2))
    journal.close()
    assert ingest(store, tmp_path / "j").records == 2
    assert len(store.entries()) == 2
    with pytest.raises(StoreError, match="is closed"):
        journal.append(account(3))


def test_one_process_takes_in_at_a_time(store: Store, tmp_path: Path) -> None:
    Journal(tmp_path / "j", "a").close()
    with module._alone(tmp_path / "j"), pytest.raises(module.Busy, match="taken in by another process"):
        ingest(store, tmp_path / "j")
    with pytest.raises(StoreError, match="No such file"):
        ingest(store, tmp_path / "none")
    with pytest.raises(StoreError, match="cannot name a worker"):
        Journal(tmp_path / "j", "../a")


def test_every_flipped_bit_of_a_journal_is_told_and_none_is_taken_in_as_content(tmp_path: Path) -> None:
    with Journal(tmp_path / "j", "a") as journal:
        journal.append(account(1), account(2))
        whole = journal.path.read_bytes()
    chance, path = Random(5), tmp_path / "j" / "a-000001.journal"
    ends = [place for place, byte in enumerate(whole) if byte == 10]
    places = [place * 8 + chance.randrange(8) for place in (*range(0, len(whole), 90), *ends)]
    for number, place in enumerate(places):
        changed = bytearray(whole)
        changed[place // 8] ^= 1 << place % 8
        path.write_bytes(changed)
        with Store.open(tmp_path / f"{number}.db") as store:
            done = ingest(store, tmp_path / "j")
            assert done.refused or done.torn == ("a-000001.journal",)
            assert {entry.name for entry in store.entries()} <= {"f1", "f2"}
    path.write_bytes(whole)
    with Store.open(tmp_path / "whole.db") as store:
        assert ingest(store, tmp_path / "j") == module.Ingested(records=2)
