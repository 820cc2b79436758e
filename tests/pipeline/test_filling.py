"""The world that filled a store: noted by work, and opened again by who serves its skills."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from prowess.cli import app
from prowess.cli.skills.server import serve
from prowess.errors import RecipeError
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.suites import filling, suite_text
from prowess.recipe import read
from prowess.store.db import Store

ONE = ["suite.desk.families=['like_artist']", "suite.desk.scenarios=12", "sandbox.step_seconds=5"]


def filled(path: Path, *sets: str, namespace: str = "desk") -> Store:
    store = Store.open(path / "skills.db")
    store.fill(namespace, suite_text(read(Recipe, "worker", sets)))
    return store


def test_the_world_that_filled_a_store_comes_back_with_its_settings_and_nothing_else(tmp_path: Path) -> None:
    with filled(tmp_path, *ONE) as store:
        found = filling(store, None, ())
        assert found is not None
        assert found.suite == read(Recipe, "worker", ONE).suite
        assert found == Recipe(suite=found.suite), "neither the sandbox nor anything else is the store's to say"
        changed = filling(store, "desk", ["suite.desk.scenarios=3"])
        assert changed is not None
        assert changed.suite.own.scenarios == 3
        assert store.rebuild(verify=True) == ()


def test_the_last_work_holds_and_a_store_of_several_worlds_is_asked_by_name(tmp_path: Path) -> None:
    with filled(tmp_path, "suite.desk.scenarios=3") as store:
        store.fill("desk", suite_text(read(Recipe, "worker", ["suite.desk.scenarios=4"])))
        store.fill("other", suite_text(read(Recipe, "worker", ["suite.desk.scenarios=5"])))
        assert filling(store, None, ()) is None
        found = filling(store, "desk", ())
        assert found is not None
        assert found.suite.own.scenarios == 4
        assert filling(store, "nowhere", ()) is None


def test_nothing_is_known_of_a_store_that_no_work_filled(tmp_path: Path) -> None:
    with Store.open(tmp_path / "skills.db") as store:
        assert store.filled() == {}
        assert filling(store, None, ()) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[suite]\nname = "os:system"', "note: os:system filled the store; --set suite.name=os:system opens it"),
        ('[suite]\nnme = "desk"', "cannot be read: "),
        ("[suite", "cannot be read: "),
    ],
)
def test_a_store_never_names_code_to_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    with Store.open(tmp_path / "skills.db") as store:
        store.fill("desk", text)
        assert filling(store, None, ()) is None
    assert words in capsys.readouterr().err


def test_work_notes_its_world_and_an_unknown_task_is_told_what_to_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sets = [part for one in (*ONE[:1], "work.tasks=1") for part in ("--set", one)]
    ended = CliRunner().invoke(app, ["work", "worker", *sets, "--out", "run", "--store", "own.db", "--workers", "1"])
    assert ended.exit_code == 0, ended.output
    with Store.open("own.db") as store:
        found = filling(store, None, ())
        assert found is not None
        assert found.suite == read(Recipe, "worker", ONE[:1]).suite
    with pytest.raises(RecipeError, match="unknown task 'nope'") as told:
        serve(store=Path("own.db"), task="nope")
    assert "known: like_artist." in told.value.hint
    assert told.value.hint.endswith("; give the --world that the store was filled with")
