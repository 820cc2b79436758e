"""Agent Skills folders: the validator accepts them, nothing escapes, and a round trip changes no byte."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from odd import stores
from skills_ref import validate

from prowess.errors import NotThere, StoreError
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.exchange import Arrival, Refusal, export_folders, import_folders
from prowess.store.exchange.agent_skills import CODE, PAGE, RECORD, TEST
from prowess.store.exchange.document import imported, read, told
from prowess.store.record import Actor, Effect, Provenance, Status, Trial
from prowess.types import Skill

SONGS = '''
def top_songs(user: str, limit: int = 3) -> list[str]:
    """The titles a user likes best. Needs no login."""
    songs = apis.music.list_songs(user=user)
    return [song["title"] for song in songs][:limit]
'''
FIRST = Provenance(
    run="r1", episode="r1/t1/0", turn=4, task="t1", scenario="s", instruction="Play my best songs", world="desk"
)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "a.db")


@pytest.fixture
def songs(store: Store) -> str:
    """A skill with a recorded call."""
    digest = store.propose(skills_in(SONGS)[0], FIRST).digest
    answer = {"api": "music.list_songs", "arguments": {"user": "ada"}, "answer": [{"title": "A"}, {"title": "B"}]}
    store.test(Trial(digest=digest, call="top_songs(user='ada', limit=1)", answers=(answer,), expected=["A"]))
    return digest


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_folder_has_four_files_and_the_validator_accepts_it(store: Store, songs: str, tmp_path: Path) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    assert folder == tmp_path / "out" / "top-songs"
    assert sorted(tree(folder)) == sorted([PAGE, CODE, TEST, RECORD])
    assert validate(folder) == []
    done = subprocess.run(
        [Path(sys.executable).with_name("agentskills"), "validate", folder], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    page = (folder / PAGE).read_text()
    assert "The titles a user likes best." in page
    assert "Play my best songs" in page
    assert songs in page


def test_its_own_test_runs_without_us_and_can_fail(store: Store, songs: str, tmp_path: Path) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    command = [sys.executable, "-IS", str(folder / TEST)]
    good = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout) == (0, "1 of 1 recorded calls passed\n")
    assert "1 recorded call repeated in this process" in good.stderr
    code = folder / CODE
    code.write_text(code.read_text().replace("[:limit]", ""))
    bad = subprocess.run(command, capture_output=True, text=True, check=False)
    assert bad.returncode == 1
    assert "returned ['A', 'B'], recorded was ['A']" in bad.stderr


def test_where_we_are_installed_its_test_runs_in_the_sandbox(store: Store, songs: str, tmp_path: Path) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    command = [sys.executable, "-I", str(folder / TEST)]
    good = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (good.returncode, good.stdout) == (0, "1 of 1 recorded calls passed\n"), good.stderr
    assert "1 recorded call repeated in prowess's sandbox" in good.stderr
    code, written = folder / CODE, tmp_path / "written"
    code.write_text(f"{code.read_text()}\nopen({str(written)!r}, 'w')\n")
    bad = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (bad.returncode, written.exists()) == (1, False)
    assert "does not load" in bad.stderr


def test_an_import_is_a_candidate_from_that_folder_and_keeps_what_was_told(
    store: Store, songs: str, tmp_path: Path
) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    with Store.open(tmp_path / "b.db") as other:
        (arrival,) = import_folders(other, tmp_path / "out")
        entry = other.version(songs)
        assert entry.status is Status.CANDIDATE
        assert entry.origin.instruction == "Play my best songs"
        (provenance,) = other.provenances(songs)
        assert (provenance.kind, provenance.who, provenance.turn) == ("import", str(folder), 4)
        assert [trial.call for trial in other.trials(songs)] == ["top_songs(user='ada', limit=1)"]
        assert arrival.message == "'top_songs' is a candidate: a new skill"
        assert other.rebuild(verify=True) == ()


def test_what_is_known_is_left_alone(store: Store, songs: str, tmp_path: Path) -> None:
    export_folders(store, [songs], tmp_path / "out")
    before = (store.provenances(songs), store.trials(songs), store.events())
    (arrival,) = import_folders(store, tmp_path / "out")
    assert not arrival.proposal.new
    assert "is known" in arrival.message
    assert (store.provenances(songs), store.trials(songs), store.events()) == before


@pytest.mark.slow
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_whatever_the_skills_are_the_validator_accepts_them_and_a_round_trip_changes_no_byte(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = tmp_path_factory.mktemp("odd")
    with Store.open(root / "a.db") as store, Store.open(root / "b.db") as other:
        digests = data.draw(stores(store))
        made = export_folders(store, digests, root / "one")
        assert all(folder.parent == root / "one" for folder in made)
        assert {path.name for path in root.iterdir() if path.is_dir()} == {"one"}
        for folder in made:
            assert validate(folder) == []
        import_folders(other, root / "one", strict=True)
        export_folders(other, digests, root / "two")
        assert tree(root / "one") == tree(root / "two")
        assert {entry.status for entry in other.entries()} == {Status.CANDIDATE}


def test_names_that_meet_or_are_too_long_get_some_of_the_digest(store: Store, tmp_path: Path) -> None:
    long = "x" * 90
    digests = [
        store.propose(Skill(name=name, source=f"def {name}(): return {at}"), FIRST, namespace=space).digest
        for at, (name, space) in enumerate(
            [("f_g", "a"), ("f_g", "b"), ("F_G", "a"), ("g", "a"), (long, "a"), ("_", "a"), ("con", "a"), ("é", "a")]
        )
    ]
    made = [folder.name for folder in export_folders(store, digests, tmp_path / "out")]
    marks = [digest[:8] for digest in digests]
    assert made == [
        f"f-g-{marks[0]}",
        f"f-g-{marks[1]}",
        f"f-g-{marks[2]}",
        "g",
        f"{'x' * 55}-{marks[4]}",
        f"skill-{marks[5]}",
        f"con-{marks[6]}",
        f"e-{marks[7]}",
    ]
    assert made == [folder.name for folder in export_folders(store, digests, tmp_path / "again")]


def test_what_a_skill_calls_travels_with_it_and_runs(store: Store, tmp_path: Path) -> None:
    low = store.propose(Skill(name="double", source="def double(x):\n    return 2 * x"), FIRST)
    high = store.propose(
        Skill(name="four", source="def four(x):\n    return double(double(x))"), FIRST, dependencies=[low.digest]
    )
    store.test(Trial(kind="example", digest=high.digest, call="four(2)", expected=8))
    made = export_folders(store, [high.digest], tmp_path / "out")
    assert [folder.name for folder in made] == ["double", "four"]
    subprocess.run([sys.executable, "-I", str(made[1] / TEST)], check=True, capture_output=True)
    with Store.open(tmp_path / "b.db") as other:
        with pytest.raises(StoreError, match="neither here nor in the store"):
            import_folders(other, made[1], strict=True)
        import_folders(other, tmp_path / "out", strict=True)
        assert other.version(high.digest).version.dependencies == (low.digest,)


@pytest.mark.parametrize("together", [1, 2, 500])
def test_what_skills_call_is_written_once_however_many_are_read_at_once(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, together: int
) -> None:
    monkeypatch.setattr("prowess.store.exchange.script.TOGETHER", together)
    low = store.propose(Skill(name="double", source="def double(x):\n    return 2 * x"), FIRST).digest
    high = [
        store.propose(
            Skill(name=name, source=f"def {name}(x):\n    return double(x)"), FIRST, dependencies=[low]
        ).digest
        for name in ("one", "two", "three")
    ]
    made = export_folders(store, [*high, low], tmp_path / "out")
    assert [folder.name for folder in made] == ["double", "one", "two", "three"]
    with pytest.raises(StoreError, match="has no version '0000'"):
        export_folders(store, [*high, "0000"], tmp_path / "other")


def test_changed_code_is_another_version_and_nothing_of_it_is_executed(
    store: Store, songs: str, tmp_path: Path
) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    code = folder / CODE
    mark = tmp_path / "executed"
    code.write_text(code.read_text().replace("[:limit]", "[: limit + 0]") + f"\n\nopen({str(mark)!r}, 'w')\n")
    (arrival,) = import_folders(store, folder)
    assert not mark.exists()
    assert arrival.proposal.new
    assert arrival.proposal.number == 2
    assert "scripts/skill.py was changed after its export, so 'top_songs' is a candidate: version 2" in arrival.message
    entry = store.version(arrival.proposal.digest)
    assert entry.version.parents == (songs,)
    assert "open(" not in entry.version.source
    assert store.provenances(entry.digest)[0].note == f"changed after the export of version {songs}"
    assert len(store.trials(entry.digest)) == 1


@pytest.mark.parametrize("path", [PAGE, TEST, RECORD])
def test_a_changed_page_test_or_record_is_refused(store: Store, songs: str, tmp_path: Path, path: str) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    file = folder / path
    file.write_bytes(file.read_bytes().replace(b"recorded" if path == TEST else b"top_songs", b"X", 1))
    with Store.open(tmp_path / "b.db") as other, pytest.raises(StoreError, match="was changed after the export"):
        import_folders(other, folder, strict=True)


def test_code_that_lost_its_function_is_refused_and_nothing_else_of_the_import_stays(
    store: Store, songs: str, tmp_path: Path
) -> None:
    other_skill = store.propose(Skill(name="a", source="def a(): return 1"), FIRST).digest
    made = export_folders(store, [other_skill, songs], tmp_path / "out")
    (made[1] / CODE).write_text("print('gone')\n")
    with Store.open(tmp_path / "b.db") as other:
        with pytest.raises(StoreError, match="no longer defines the function 'top_songs'"):
            import_folders(other, tmp_path / "out", strict=True)
        assert other.entries() == ()


def test_code_that_is_not_utf_8_is_refused_and_told_what_to_do(store: Store, songs: str, tmp_path: Path) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    (folder / CODE).write_bytes((folder / CODE).read_bytes() + "# café\n".encode("latin-1"))
    said = r"scripts/skill\.py' is not UTF-8 text: .* 0xe9 .*\nhint: save it as UTF-8, or take the original"
    with Store.open(tmp_path / "b.db") as other, pytest.raises(NotThere, match=said):
        import_folders(other, folder, strict=True)


def test_a_record_with_a_number_that_no_store_holds_is_refused(store: Store, tmp_path: Path) -> None:
    import json

    from prowess.store.exchange import document

    digest = store.propose(Skill(name="f", source="def f(): return 1"), FIRST).digest
    (folder,) = export_folders(store, [digest], tmp_path / "out")
    record = json.loads((folder / RECORD).read_text())
    record["provenance"][0]["turn"] = 1 << 64
    del record["sha256"]
    (folder / RECORD).write_bytes(document._page({**record, "sha256": document._sum(record)}))
    with Store.open(tmp_path / "b.db") as other, pytest.raises(StoreError, match="turn is too large"):
        import_folders(other, folder, strict=True)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"answers": ["x"]}, r"trials\[0\]: answers\[0\] is not an object that names its 'api'"),
        (
            {"answers": [{"api": "a.b"}, {"answer": 1}]},
            r"trials\[0\]: answers\[1\] is not an object that names its 'api'",
        ),
        ({"answers": [{"api": 1}]}, r"trials\[0\]: answers\[0\] is not an object that names its 'api'"),
        ({"now": "yesterday"}, r"trials\[0\]: now is 'yesterday', which is no date"),
        ({"call": "[best(), __import__('os').system('id')][0]"}, r"trials\[0\]: call is .*, which is not one call of"),
    ],
)
def test_a_record_with_a_trial_that_cannot_be_repeated_is_refused(
    store: Store, songs: str, tmp_path: Path, changed: dict[str, object], said: str
) -> None:
    import json

    from prowess.store.exchange import document

    (folder,) = export_folders(store, [songs], tmp_path / "out")
    record = json.loads((folder / RECORD).read_text())
    record["trials"][0] |= changed
    del record["sha256"]
    (folder / RECORD).write_bytes(document._page({**record, "sha256": document._sum(record)}))
    with Store.open(tmp_path / "b.db") as other:
        with pytest.raises(StoreError, match=said):
            import_folders(other, folder, strict=True)
        assert other.entries() == ()


def test_a_record_cannot_say_other_imports_than_the_code_shows(store: Store, tmp_path: Path) -> None:
    import json

    from prowess.store.canon import digest_of
    from prowess.store.exchange import document

    digest = store.propose(Skill(name="f", source="def f(): return json", imports=("import json",)), FIRST).digest
    (folder,) = export_folders(store, [digest], tmp_path / "out")
    record = json.loads((folder / RECORD).read_text())
    record["imports"] = ["import os as json"]
    record["digest"] = digest_of(namespace="desk", name="f", source="def f(): return json", imports=record["imports"])
    del record["sha256"]
    (folder / RECORD).write_bytes(document._page({**record, "sha256": document._sum(record)}))
    with Store.open(tmp_path / "b.db") as other:
        (arrival,) = import_folders(other, folder)
        version = other.version(arrival.proposal.digest).version
    assert version.imports == ("import json",)
    assert "was changed" in arrival.message


def test_a_record_cannot_make_a_skill_look_harmless(tmp_path: Path) -> None:
    source = "def f(to):\n    return apis.mail.send_mail(to=to)"
    with Store.open(tmp_path / "a.db") as store:
        mild = {"mail.send_mail": Effect.READ}
        digest = store.propose(Skill(name="f", source=source), FIRST, effects=mild).digest
        assert store.version(digest).version.effect is Effect.READ
        export_folders(store, [digest], tmp_path / "out")
    with Store.open(tmp_path / "b.db") as other:
        import_folders(other, tmp_path / "out", strict=True)
        assert other.version(digest).version.effect is Effect.IRREVERSIBLE


def test_links_strange_files_and_huge_ones_are_refused(store: Store, songs: str, tmp_path: Path) -> None:
    (folder,) = export_folders(store, [songs], tmp_path / "out")
    secret = tmp_path / "secret"
    secret.write_text("secret")
    code = folder / CODE
    text = code.read_bytes()
    code.unlink()
    code.symlink_to(secret)
    with Store.open(tmp_path / "b.db") as other:
        with pytest.raises(StoreError, match="is a symbolic link"):
            import_folders(other, folder, strict=True)
        code.unlink()
        os.mkfifo(code)
        with pytest.raises(StoreError, match="is not a plain file"):
            import_folders(other, folder, strict=True)
        code.unlink()
        code.write_bytes(b"#" * (5 << 20))
        with pytest.raises(StoreError, match="is larger than 400000 bytes"):
            import_folders(other, folder, strict=True)
        code.write_bytes(text)
        (folder / "more.txt").write_text("x")
        with pytest.raises(StoreError, match=r"no export wrote: more\.txt"):
            import_folders(other, folder, strict=True)
        (folder / "more.txt").unlink()
        (tmp_path / "link").symlink_to(folder)
        with pytest.raises(StoreError, match="is a symbolic link"):
            import_folders(other, tmp_path / "link", strict=True)
        (folder / "scripts" / "__pycache__").mkdir()
        assert len(list(import_folders(other, folder))) == 1


def test_an_export_that_is_refused_leaves_nothing_and_one_that_fails_leaves_the_old(
    store: Store, songs: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, seen = tmp_path / "out", []
    export_folders(store, [songs], out, watch=lambda: seen.append(1))
    assert len(seen) == 1
    (folder,) = out.iterdir()  # nothing else, no draft
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def full() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    (folder / PAGE).write_text("mine")
    monkeypatch.setattr(os, "sync", full)
    with pytest.raises(StoreError, match="the disk is full"):
        export_folders(store, [songs], out, replace=True)
    assert [path.name for path in out.iterdir()] == [folder.name]
    assert (folder / PAGE).read_text() == "mine"
    with pytest.raises(StoreError, match="the disk is full"):
        export_folders(store, [songs], tmp_path / "new")
    assert not (tmp_path / "new").exists()
    monkeypatch.undo()
    export_folders(store, [songs], out, replace=True)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_an_export_writes_over_nothing_that_it_did_not_write(store: Store, songs: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    (folder,) = export_folders(store, [songs], out)
    assert export_folders(store, [songs], out) == (folder,)
    (folder / PAGE).write_text("mine")
    with pytest.raises(StoreError, match="holds something else"):
        export_folders(store, [songs], out)
    export_folders(store, [songs], out, replace=True)
    assert validate(folder) == []
    (folder / "notes.md").write_text("mine")
    with pytest.raises(StoreError, match="holds other files"):
        export_folders(store, [songs], out, replace=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "top-songs").symlink_to(elsewhere)
    with pytest.raises(StoreError, match="symbolic link"):
        export_folders(store, [songs], tmp_path / "in")
    assert list(elsewhere.iterdir()) == []


def test_an_imported_skill_can_go_on_to_be_active(store: Store, songs: str, tmp_path: Path) -> None:
    export_folders(store, [songs], tmp_path / "out")
    with Store.open(tmp_path / "b.db") as other:
        import_folders(other, tmp_path / "out", strict=True)
        for step in (Status.VERIFIED, Status.ACTIVE):
            other.move(songs, step, actor=Actor.PERSON, who="ada")
        assert [skill.name for skill in other.library()] == ["top_songs"]


def test_of_a_chain_of_imports_each_export_tells_what_the_one_before_it_told(tmp_path: Path) -> None:
    far = FIRST
    for place in ("a", "b", "c"):
        far = imported(far, place)
    with Store.open(tmp_path / "a.db") as store, Store.open(tmp_path / "b.db") as other:
        digest = store.propose(Skill(name="f", source="def f(): ..."), far, namespace="desk").digest
        export_folders(store, [digest], tmp_path / "one")
        import_folders(other, tmp_path / "one", strict=True)
        export_folders(other, [digest], tmp_path / "two")
    assert tree(tmp_path / "one") == tree(tmp_path / "two")
    assert read((tmp_path / "one" / "f" / RECORD).read_bytes(), "f").provenance == (told(far),)


def test_a_folder_that_is_refused_takes_its_callers_with_it_and_no_others(store: Store, tmp_path: Path) -> None:
    low = store.propose(skills_in("def low(): return 1")[0], FIRST).digest
    high = store.propose(Skill(name="high", source="def high(): return low()"), FIRST, dependencies=[low]).digest
    alone = store.propose(skills_in("def alone(): return 2")[0], FIRST).digest
    export_folders(store, [low, high, alone], tmp_path / "out")
    page = tmp_path / "out" / "low" / PAGE
    page.write_text(page.read_text() + "more")
    with Store.open(tmp_path / "b.db") as other:
        outcomes = list(import_folders(other, tmp_path / "out"))
        assert {entry.name for entry in other.entries()} == {"alone"}
    refused = {Path(one.source).name: one.why.message for one in outcomes if isinstance(one, Refusal)}
    assert refused.keys() == {"low", "high"}
    assert "was changed after the export" in refused["low"]
    assert f"calls version {low[:12]}, which is neither here nor in the store" in refused["high"]


def test_two_changed_copies_of_one_export_both_come_in(store: Store, songs: str, tmp_path: Path) -> None:
    for number in (1, 2):
        (folder,) = export_folders(store, [songs], tmp_path / str(number))
        code = folder / CODE
        code.write_text(f"def top_songs():\n    return {number}\n")
        folder.rename(tmp_path / f"copy-{number}")
    with Store.open(tmp_path / "b.db") as other:
        both = list(import_folders(other, tmp_path))
        assert [one.proposal.number for one in both if isinstance(one, Arrival)] == [1, 2]
