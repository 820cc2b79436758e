"""Where calls are recorded: in collect, which proposes skills; not in an evaluation."""

from __future__ import annotations

import gzip
from pathlib import Path

from typer.testing import CliRunner

from prowess.cli import app
from prowess.files.codec import Played
from prowess.run import Run
from prowess.store.db import Store, account_of
from prowess.store.gates.admission import admit_all

SETS = ["suite.name=desk", "policy.name=expert", "suite.desk.families=['like_artist']", "workers=1"]


def episodes(folder: Path) -> list[Played]:
    return list(Run.open(folder).episodes())


def run(command: str, folder: Path, *sets: str) -> list[Played]:
    recipe = folder.with_suffix(".toml")
    recipe.write_text("")
    asked = [part for one in (*SETS, *sets) for part in ("--set", one)]
    done = CliRunner().invoke(app, [command, str(recipe), "--out", str(folder), *asked])
    assert done.exit_code == 0, done.output
    return episodes(folder)


def test_collect_records_calls_as_tests_of_its_skills(tmp_path: Path) -> None:
    played = run("collect", tmp_path / "collect", "collect.count=1")
    first = played[0].episode
    assert {"login", "all_pages", "like_songs_by_artist"} == {tape.name for tape in first.tapes}
    with Store.open(tmp_path / "skills.db") as store:
        for one in played:
            store.take(account_of(one.episode, run="collect", world="desk"))
        trials = store.trials(store.resolve("like_songs_by_artist").digest)
        assert [trial.kind for trial in trials] == ["replay", "sibling", "sibling"]
        assert {one.refused_by for one in admit_all(store)} == {""}


def test_an_evaluation_does_not(tmp_path: Path) -> None:
    played = run("evaluate", tmp_path / "evaluate", "evaluate.split=train")
    assert played
    assert all(one.episode.tapes == () for one in played)
    assert b'"tapes"' not in gzip.decompress(next((tmp_path / "evaluate").glob("episodes/*.jsonl.gz")).read_bytes())
