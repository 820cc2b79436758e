"""Rows that another program has changed: whatever stands in them, commands and questions say so in words."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

import apsw
import pytest
import typer
from full_shelf import Shelf, fill

from prowess.cli import commands, main
from prowess.cli.skills.commands import COMMANDS
from prowess.errors import ProwessError
from prowess.store.db import Store
from prowess.store.db.columns import RULES
from prowess.store.db.faults import Faulty
from prowess.store.search import Query, SearchSettings
from prowess.store.search.search import Search

NOT_UTF8 = "CAST(x'eda080' AS TEXT)"
"""Half of a pair of surrogates, as bytes. Values are SQL here: not all of them can be said in Python."""
BAD = {
    "TEXT": ("'[1]'", "'{'", "'active'", "''", "x'ff00'", NOT_UTF8, """'["\\ud800"]'"""),
    "INTEGER": ("'x'", "-1", "1.5", "999999", "9223372036854775807", "x'ff'"),
    "REAL": ("'x'", "9e999", "x'ff'"),
    "BLOB": ("'x'",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A sound store as bytes, what is in it, and where each test puts it."""

    path: Path
    sound: bytes
    shelf: Shelf

    def write(self, *changes: str) -> None:
        """Put the store there anew, and change it as another program would."""
        for end in ("-wal", "-shm"):
            Path(f"{self.path}{end}").unlink(missing_ok=True)
        self.path.write_bytes(self.sound)
        db = apsw.Connection(str(self.path))
        try:
            db.execute("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
            for change in changes:
                db.execute(change)
        finally:
            db.close()

    def columns(self, table: str) -> list[tuple[str, str]]:
        """The columns of a table, with their types."""
        self.write()
        db = apsw.Connection(str(self.path))
        try:
            return [(str(row[1]), str(row[2])) for row in db.execute(f"PRAGMA table_info({table})")]
        finally:
            db.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Place:
    folder = tmp_path_factory.mktemp("faults")
    shelf = fill(folder / "full.db")
    return Place(path=folder / "skills.db", sound=(folder / "full.db").read_bytes(), shelf=shelf)


@pytest.fixture
def call(place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Runs a command as `main` does, and returns what it said on standard error; the commands are put together once."""
    monkeypatch.chdir(place.path.parent)
    monkeypatch.setenv("PROWESS_SKILLS", str(place.path))
    monkeypatch.setattr(commands, "app", _APP)

    def call(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["prowess", "skills", *words])
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().err

    return call


_APP = typer.main.get_command(commands.app)


def asked(shelf: Shelf) -> Iterator[tuple[str, ...]]:
    """Commands, over and over: of each kind those that read most."""
    undone = (str(event) for event in (shelf.move, shelf.alias, shelf.pin, shelf.link))
    every = (
        *(
            ("list", "--versions"),
            ("list", "--json", "--versions"),
            ("show", "count_songs"),
            ("show", "nobody", "--json"),
        ),
        *(("show", shelf.pay[:12]), ("show", "love_songs", "--json"), ("show", "count_twice"), ("show", "rate_ann")),
        *(("log",), ("log", "count_songs", "--json"), ("diff", shelf.first), ("diff", shelf.first, shelf.second)),
        *(("diff", "count_songs@1", "count_songs@2"), ("stats",), ("stats", "count_songs"), ("costs", "--all")),
        *(("uses", "count_songs"), ("uses", "--run", "r1", "--json"), ("snapshot", "--list"), ("curate", "--dry-run")),
        *(("snapshot", "--list", "--json"), ("search", "count songs of an artist"), ("merge",), ("curate",)),
        *(("rollback", shelf.first, "--dry-run"), ("export", "--format", "jsonl", "--out", "o", "--probation")),
        *(("approve", shelf.pay), ("approve", shelf.better), ("reject", shelf.pay), ("retire", "rate_bob")),
        *(("restore", "idle"), ("move", "like_songs", "suspended"), ("pin", "count_songs"), ("pin", shelf.second)),
        *(("unpin", "like_songs", "--by", "ada"), *(("undo", event) for event in undone), ("snapshot",), ("rebuild",)),
        *(("rebuild", "--verify"), ("rollback", shelf.first), ("ingest", "told")),
    )
    return cycle(every)


def questions(store: Store, shelf: Shelf) -> Iterator[Any]:
    """What an agent, and those who look after the store, ask of it."""
    search = Search(store, SearchSettings(probation=True, masked=0.5))
    yield lambda: search(Query(instruction="count the songs of an artist", namespace="desk", task="t", scenario="pay"))
    yield lambda: store.library(namespace="desk", probation=True)
    yield lambda: store.library(shelf.second)
    yield lambda: [store.edges(one.id) for one in store.entries(heads=False)]
    yield lambda: (store.events(), store.snapshots(), store.uses(), store.calling("music.search_songs"))
    yield lambda: (store.provenances(shelf.songs), store.trials(shelf.songs), store.verifications(shelf.songs))
    yield lambda: (store.usages(shelf.songs), store.statistics(shelf.songs), store.costs(every=True))
    yield lambda: store.diff(shelf.first)
    yield lambda: store.rebuild(verify=True)


@pytest.mark.parametrize("table", RULES)
def test_whatever_stands_in_a_column_nothing_ends_with_a_traceback(place: Place, call: Any, table: str) -> None:
    """Every column, with three bad values in turn in all of its rows or, where these must differ, in one of them."""
    words, turn, changed = islice(asked(place.shelf), len(table), None), count(len(table)), 0
    for n, (column, kind) in enumerate(place.columns(table)):
        for value in islice(cycle(BAD[kind]), n, n + 3):
            with suppress(apsw.MismatchError):  # a row's number is one
                place.write(f'UPDATE OR IGNORE {table} SET "{column}" = {value}')
            if place.path.read_bytes() == place.sound:
                continue
            changed += 1
            with Store.open(place.path) as store:
                for question in islice(questions(store, place.shelf), next(turn) % 3, None, 3):
                    with suppress(ProwessError):
                        question()
            call(*next(words))
    assert changed > len(RULES[table])


def test_every_column_has_a_rule(place: Place) -> None:
    place.write()
    with Store.open(place.path) as store:
        tables = {str(row[0]) for row in store.db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    ours = {name for name in tables if not name.startswith(("text", "sqlite_"))}
    assert {table: {column for column, _ in place.columns(table)} for table in ours} == {
        table: set(rules) for table, rules in RULES.items()
    }


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE skill SET name = x'1b5b324a'", "skill (born = 1): name is b'\\x1b[2J'; allowed is text"),
        ("UPDATE state SET status = 'odd'", "state (version = 1): status is 'odd'; allowed is one of candidate, "),
        (
            f"UPDATE version SET summary = {NOT_UTF8}",
            "version (id = 1): summary is b'\\xed\\xa0\\x80'; allowed ",
        ),
        ("UPDATE corpus SET documents = -1", "corpus (namespace = 'desk'): documents is -1; allowed is a whole number"),
        (
            "UPDATE skill SET head = 999 WHERE born = 1",
            "skill (born = 1): head is 999; allowed is the number of",
        ),
        ("DELETE FROM document", "state (version = 4): status is 'active'; allowed is one that is offered where"),
    ],
)
def test_a_fault_is_told_with_its_row_and_what_is_allowed(place: Place, change: str, told: str) -> None:
    place.write(change)
    with Store.open(place.path) as store:
        assert store.rebuild(verify=True)[0].startswith(told)
        fault = store.fault_behind(KeyError("x"))
        assert isinstance(fault, Faulty)
        assert f"holds what prowess does not write: {told}" in fault.message
        assert "KeyError" in fault.message
        assert "prowess skills backup" in fault.hint


def test_the_command_tells_it_in_words_that_cannot_act_on_the_terminal(place: Place, call: Any) -> None:
    place.write("UPDATE pin SET holder = x'1b5b324a'")
    said = call("snapshot", "--list")
    assert said.startswith(f"error: the skill store {place.path} holds what prowess does not write: pin (target = ")
    assert "holder is b'\\x1b[2J'; allowed is text" in said
    assert "hint: another program changed it: " in said


def test_what_is_derived_is_made_anew(place: Place, call: Any) -> None:
    place.write(f"UPDATE skill SET name = {NOT_UTF8}; UPDATE statistics SET called = 'x'; DELETE FROM document")
    assert "skill (born = 1): name is" in call("list")
    call("rebuild")
    assert call("rebuild", "--verify").endswith("all derived rows agree\n")


def test_what_the_rows_are_not_to_blame_for_stays_as_it_was(place: Place) -> None:
    """A mistake of ours is to be seen as one."""
    place.write()
    with Store.open(place.path) as store:
        assert store.fault_behind(KeyError("x")) is None
        with pytest.raises(KeyError), store.view():
            raise KeyError("x")
        with pytest.raises(ValueError, match="mine"), store.many():
            raise ValueError("mine")


def test_every_command_names_its_store() -> None:
    every = [command for group in COMMANDS.values() for command in group.values()]
    assert all("store" in inspect.signature(command).parameters for command in every)
