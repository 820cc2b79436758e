"""Runs read back as plain values and as frames."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pytest
from synthetic import episode, skill, task

import prowess
from prowess.errors import MissingExtra, NotThere, StoreError
from prowess.files.codec import Played
from prowess.run import Run
from prowess.skills.library import Library

RECIPE = 'seed = 7\n\n[evaluate]\nsplit = "dev"\n'


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run that is still being written: two scenarios of dev, one of test_normal, two steps."""
    bill, mail = task("split_bill"), task("archive_mail", difficulty=2)
    made = skill("split", bill)
    run = Run.create(tmp_path / "run", command="evaluate", recipe_toml=RECIPE, seed=7)
    again = episode(task("split_bill", 2), turns=2, tokens=10, offered=("split",), used=("split",))
    for key, split, episodes in (
        ("dev-run0-split_bill", "dev", [episode(bill, learned=(made,)), again]),
        ("dev-run0-archive_mail", "dev", [episode(mail, success=False)]),
        ("test_normal-run0-split_bill", "test_normal", [episode(bill)]),
    ):
        run.write_episodes(key, [Played(run=0, split=split, episode=one) for one in episodes])
    run.log(0, {"play/tgc": 0.5})
    run.log(1, {"play/tgc": 0.75, "learn/loss": 0.1})
    Library((made,)).save(run.library)
    return run


def test_a_run_that_is_still_going_gives_what_is_written_so_far(run: Run) -> None:
    saved = prowess.read_run(run.folder)
    assert (saved.command, saved.state, saved.seed) == ("evaluate", "running", 7)
    assert saved.recipe["evaluate"] == {"split": "dev"}
    assert [(step.step, step.values["play/tgc"]) for step in saved.metrics] == [(0, 0.5), (1, 0.75)]
    assert len(list(saved.episodes())) == 4
    run.write_episodes("dev-run0-pay", [Played(run=0, split="dev", episode=episode(task("pay")))])
    assert len(list(saved.episodes())) == 5


def test_a_finished_run_says_so(run: Run) -> None:
    run.finish()
    assert prowess.read_run(run.folder).state == "finished"


def test_episodes_are_chosen_by_split_scenario_task_and_success(run: Run) -> None:
    saved = prowess.read_run(str(run.folder))
    assert [one.task.id for one in saved.episodes(split="test_normal")] == ["split_bill_1"]
    assert [one.task.id for one in saved.episodes(solved=False)] == ["archive_mail_1"]
    assert [one.task.id for one in saved.episodes(scenario="split_bill", split="dev")] == [
        "split_bill_1",
        "split_bill_2",
    ]
    assert [one.called[0].name for one in saved.episodes(task="split_bill_2")] == ["split"]
    assert list(saved.episodes(task="split_bill_2", solved=False)) == []


def test_scores_are_the_figures_of_each_split(run: Run) -> None:
    scores = prowess.read_run(run.folder).scores()
    assert list(scores) == ["dev", "test_normal"]
    assert (scores["dev"].tasks, scores["dev"].tgc.value, scores["dev"].sgc.value) == (3, pytest.approx(2 / 3), 0.5)


def test_episodes_of_training_are_not_scored(tmp_path: Path) -> None:
    with Run.create(tmp_path / "run", command="train", recipe_toml=RECIPE, seed=7) as run:
        run.write_episodes("train-step000000", [Played(run=0, split="train", episode=episode(task()))])
    assert prowess.read_run(run.folder).scores() == {}


def test_the_skills_of_a_run_are_a_library(run: Run) -> None:
    assert [one.name for one in prowess.read_run(run.folder).library()] == ["split"]


def test_a_frame_has_a_row_for_each_episode(run: Run) -> None:
    pytest.importorskip("pandas")
    frame = prowess.read_run(run.folder).frame()
    assert list(frame["task"]) == ["archive_mail_1", "split_bill_1", "split_bill_2", "split_bill_1"]
    assert tuple(frame.loc[2]) == (
        *("dev", 0, "split_bill", "split_bill_2", 1, True, 1.0, "completed", ""),
        *(2, 20, 1.5, ("split",), ("split",), ()),
    )


def test_a_frame_of_metrics_has_a_row_for_each_step(run: Run) -> None:
    pytest.importorskip("pandas")
    frame = prowess.read_run(run.folder).frame("metrics")
    assert (frame.index.name, list(frame.index), list(frame["play/tgc"])) == ("step", [0, 1], [0.5, 0.75])
    assert list(frame["learn/loss"].isna()) == [True, False]


def test_frames_of_nothing_have_their_columns(tmp_path: Path) -> None:
    pytest.importorskip("pandas")
    with Run.create(tmp_path / "run", command="evaluate", recipe_toml=RECIPE, seed=7):
        pass
    saved = prowess.read_run(tmp_path / "run")
    assert saved.frame().empty and list(saved.frame().columns)[:3] == ["split", "run", "scenario"]
    assert saved.frame("metrics").empty


def test_without_pandas_a_frame_says_what_to_install(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra) as caught:
        prowess.read_run(run.folder).frame()
    assert str(caught.value) == "a frame needs the extra 'pandas'\nhint: pip install 'prowess[pandas]'"


def test_a_folder_that_is_no_run_is_refused_with_the_runs_in_it(run: Run) -> None:
    with pytest.raises(NotThere) as caught:
        prowess.read_run(run.folder.parent)
    assert caught.value.message == f"no run at {run.folder.parent}: it has no run.json"
    assert caught.value.hint == f"name one of the runs in it: {run.folder}"


def test_a_broken_line_is_named_by_its_file_and_number(run: Run) -> None:
    with gzip.open(run.folder / "episodes" / "dev-run0-split_bill.jsonl.gz", "at") as file:
        file.write("{broken\n")
    saved = prowess.read_run(run.folder)
    with pytest.raises(StoreError, match=r"dev-run0-split_bill\.jsonl\.gz:3: not JSON"):
        list(saved.episodes())


def test_a_last_line_of_metrics_that_is_cut_short_is_left_out(run: Run) -> None:
    with (run.folder / "metrics.jsonl").open("a") as file:
        file.write('{"step": 2, "play/t')
    assert [step.step for step in prowess.read_run(run.folder).metrics] == [0, 1]
