"""A run folder: readable, atomic, resumable, and closed to a second writer."""

from __future__ import annotations

import errno
import gzip
import json
import math
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from prowess.errors import RecipeError, StoreError
from prowess.files.codec import Played
from prowess.files.disk import write_whole
from prowess.run import Run, Status, differences, discard
from prowess.types import Completion, Episode, Stop, Task, Turn, Verdict

RECIPE = 'seed = 1\n\n[play]\nturns = 40\nretriever = "scenario"\n'


def played(task: str = "music_1", run: int = 0, text: str = "hello") -> Played:
    return Played(
        run=run,
        split="dev",
        episode=Episode(
            task=Task(id=task, scenario=task[:-2], instruction="Play a song"),
            turns=(Turn(completion=Completion(text=text), code=""),),
            verdict=Verdict(passed=("done",), failed=()),
            stop=Stop.COMPLETED,
        ),
    )


def begin(folder: Path, *, recipe: str = RECIPE, resume: bool = False, force: bool = False, **more: object) -> Run:
    return Run.create(
        folder,
        command="evaluate",
        recipe_toml=recipe,
        seed=1,
        resume=resume,
        force=force,
        **more,  # type: ignore[arg-type]
    )


def test_a_run_is_a_folder_of_plain_files(tmp_path: Path) -> None:
    with begin(tmp_path / "run", library="abc123") as run:
        run.write_episodes("dev-run0-music", [played(), played("music_2")])
        run.log(0, {"play/tgc": 1.0})
        run.write_text("report.md", "# Report\n")
    folder = tmp_path / "run"
    assert sorted(os.listdir(folder)) == [
        ".lock",
        "episodes",
        "metrics.jsonl",
        "recipe.toml",
        "report.md",
        "run.json",
    ]
    assert (folder / "recipe.toml").read_text() == RECIPE
    assert (folder / "metrics.jsonl").read_text() == '{"step": 0, "play/tgc": 1.0}\n'
    assert gzip.decompress((folder / "episodes" / "dev-run0-music.jsonl.gz").read_bytes()).count(b"\n") == 2
    about = json.loads((folder / "run.json").read_text())
    assert about["command"] == "evaluate"
    assert about["status"] == "finished"
    assert about["seed"] == 1
    assert about["library"] == "abc123"
    assert about["python"].startswith("CPython 3.")
    assert "numpy" in about["packages"]


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.write_episodes("b", [played("music_2", text="line\u2028end\nand \ud800")])
        run.write_episodes("a", [played("music_1")])
        run.log(2, {"x": 1, "y": math.nan})
        run.log(1, {"x": 5})
        run.start_library("d1")
        assert run.has("a")
        assert not run.has("c")
    again = Run.open(tmp_path)
    assert again.keys() == ("a", "b")
    assert list(again.episodes("a")) == [played("music_1")]
    assert [each.episode.task.id for each in again.episodes()] == ["music_1", "music_2"]
    assert [each.episode.turns[0].completion.text for each in again.episodes("b")] == ["line\u2028end\nand \ud800"]
    assert [entry.step for entry in again.metrics()] == [1, 2]
    assert again.metrics()[1].values["x"] == 1.0
    assert math.isnan(again.metrics()[1].values["y"])
    assert again.about.library == "d1"
    assert again.recipe["play"] == {"turns": 40, "retriever": "scenario"}


def test_a_figure_of_nothing_is_null_in_the_metrics_whoever_reads_them(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.log(0, {"x": math.nan, "y": -math.inf})
        run.log(1, {"x": 2.0, "y": 1.0})
    path = tmp_path / "metrics.jsonl"
    assert [json.loads(line) for line in path.read_text().splitlines()] == [
        {"step": 0, "x": None, "y": "-Infinity"},  # which null would not tell from nothing
        {"step": 1, "x": 2.0, "y": 1.0},
    ]
    with path.open("a") as file:
        file.write('{"step": 2, "x": "NaN"}\n')  # as it was written before
    with begin(tmp_path, resume=True) as run:
        assert [math.isnan(entry.values["x"]) for entry in run.metrics()] == [True, False, True]
        run.rewind(1)
    assert json.loads(path.read_text()) == {"step": 0, "x": None, "y": "-Infinity"}


@pytest.mark.parametrize("key", ["../../etc/passwd", ".hidden", "a b/c", "%41", "ünï", ".", "..", "a\nb", "\ud800"])
def test_any_key_names_a_file_inside_the_run_and_comes_back(tmp_path: Path, key: str) -> None:
    with begin(tmp_path) as run:
        run.write_episodes(key, [played()])
        assert run.has(key)
        assert run.keys() == (key,)
        assert len(list(run.episodes())) == 1
    files = list(tmp_path.rglob("*.jsonl.gz"))
    assert [path.parent for path in files] == [tmp_path / "episodes"]


@pytest.mark.parametrize("key", ["", "x" * 201])
def test_a_key_that_cannot_name_a_file_is_refused(tmp_path: Path, key: str) -> None:
    with begin(tmp_path) as run, pytest.raises(StoreError, match="cannot name a unit of work"):
        run.write_episodes(key, [])


def test_a_text_stays_inside_the_run(tmp_path: Path) -> None:
    with begin(tmp_path / "run") as run:
        for name in ("../x", "/x", "plots/../../x"):
            with pytest.raises(StoreError, match="not a name inside run"):
                run.write_text(name, "")
        assert run.write_text("plots/a.txt", "a") == tmp_path / "run" / "plots" / "a.txt"


def test_a_unit_written_again_is_replaced_and_a_failing_one_leaves_the_old(tmp_path: Path) -> None:
    def breaks():
        yield played("music_3")
        raise RuntimeError("broke")

    with begin(tmp_path) as run:
        run.write_episodes("a", [played("music_1")])
        run.write_episodes("a", [played("music_2")])
        with pytest.raises(RuntimeError):
            run.write_episodes("a", breaks())
        assert [each.episode.task.id for each in run.episodes()] == ["music_2"]
        assert os.listdir(tmp_path / "episodes") == ["a.jsonl.gz"]


def test_a_folder_with_other_files_is_refused_and_untouched_even_by_force(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    for force in (False, True):
        with pytest.raises(StoreError, match=r"not empty and not a run: it holds thesis\.tex"):
            begin(tmp_path, force=force)
    assert os.listdir(tmp_path) == ["thesis.tex"]


def test_a_file_is_not_a_run(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(StoreError, match="is a file, not a folder"):
        begin(tmp_path / "x")
    with pytest.raises(StoreError, match="no such folder"):
        Run.open(tmp_path / "y")
    with pytest.raises(StoreError, match=r"it has no run\.json\nhint: name the folder that --out named"):
        Run.open(tmp_path)


def test_a_folder_of_several_runs_is_answered_with_them(tmp_path: Path) -> None:
    for name in ("sft", "train"):
        begin(tmp_path / "learnt" / name).close()
    for seed in range(9):
        begin(tmp_path / "ablated" / f"sage-seed{seed}" / "evaluate").close()
    with pytest.raises(StoreError, match=r"hint: name one of the runs in it: \S*learnt/sft, \S*learnt/train$"):
        Run.open(tmp_path / "learnt")
    with pytest.raises(StoreError, match=r"in it: \S*sage-seed0/evaluate, .*sage-seed7/evaluate and 1 more$"):
        Run.open(tmp_path / "ablated")


def test_runs_are_discarded_together_or_not_at_all(tmp_path: Path) -> None:
    for name in ("a", "b"):
        with begin(tmp_path / name) as run:
            run.write_episodes("dev-run0-a", [])
        (tmp_path / name / "mine.txt").write_text("not a run's")
    with begin(tmp_path / "b", resume=True):
        with pytest.raises(StoreError, match="is being written by process"):
            discard([tmp_path / "a", tmp_path / "b"])
    assert all(Run.open(tmp_path / name).has("dev-run0-a") for name in ("a", "b"))
    discard([tmp_path / "a", tmp_path / "b"])
    assert not list(tmp_path.glob("*/run.json")) and not list(tmp_path.glob("*/episodes"))
    assert [path.parent.name for path in sorted(tmp_path.glob("*/mine.txt"))] == ["a", "b"]


def test_a_run_that_exists_asks_to_resume_or_force(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.write_episodes("a", [played()])
    with pytest.raises(StoreError, match=r"already holds a run \(evaluate, finished") as caught:
        begin(tmp_path)
    assert "resume it" in caught.value.hint
    assert "--force" in caught.value.hint
    with pytest.raises(StoreError, match="both"):
        begin(tmp_path, resume=True, force=True)
    with begin(tmp_path, resume=True) as run:
        assert run.keys() == ("a",)
        assert run.about.status is Status.RUNNING
    (tmp_path / "notes.txt").write_text("mine")
    with begin(tmp_path, recipe="seed = 9\n", force=True) as run:
        assert run.keys() == ()
        assert run.recipe == {"seed": 9}
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_nothing_stays_of_what_any_command_wrote_in_a_run_that_is_begun_again_by_force(tmp_path: Path) -> None:
    written = (
        *("weights.json", "library/index.json", "report.md", "report.html", "plots/tgc.svg"),
        *("checkpoints/best.json", "data/sft.jsonl", "tensorboard/events", "wandb/run", "wandb.id"),
        *("queue.jsonl", "rounds.jsonl", "exposures.jsonl", "care.jsonl", "costs.jsonl"),
        *("work.md", "compare/index.json", "compare.md"),
    )
    with begin(tmp_path / "run") as run:
        run.write_episodes("a", [played()])
        run.log(0, {"play/tgc": 1.0})
        for name in written:
            run.write_text(name, "{}")
    begin(tmp_path / "run", force=True).close()
    assert sorted(os.listdir(tmp_path / "run")) == [".lock", "episodes", "recipe.toml", "run.json"]
    assert os.listdir(tmp_path / "run/episodes") == []


def test_resuming_a_folder_that_is_not_there_begins_it(tmp_path: Path) -> None:
    with begin(tmp_path / "new", resume=True) as run:
        assert run.keys() == ()


def test_a_run_that_failed_before_it_wrote_anything_is_begun_again_with_any_recipe(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="wrong"), begin(tmp_path):
        raise ValueError("wrong")
    with begin(tmp_path, recipe="seed = 9\n", resume=True) as run:
        assert run.recipe == {"seed": 9}
        run.write_episodes("a", [played()])
    with pytest.raises(StoreError, match="seed: 9 in the run"):
        begin(tmp_path, recipe="seed = 8\n", resume=True)


def test_resuming_with_another_recipe_says_which_keys_differ(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.write_episodes("a", [played()])
    other = 'seed = 2\n\n[play]\nturns = 40\nretriever = "scenario"\nworkers = 3\n'
    with pytest.raises(StoreError) as caught:
        begin(tmp_path, recipe=other, resume=True)
    assert "play.workers: not set in the run, 3 given" in caught.value.message
    assert "seed: 1 in the run, 2 given" in caught.value.message
    assert isinstance(caught.value, RecipeError), "who gave the recipe can mend it: exit code 2"
    assert "turns" not in caught.value.message
    with pytest.raises(StoreError, match="seed: 1 in the run"):
        begin(tmp_path, recipe=other, resume=True, free=["play.workers"])
    begin(tmp_path, recipe=other, resume=True, free=["play.workers", "seed"]).close()
    with pytest.raises(StoreError, match="holds a run of 'evaluate', not 'collect'"):
        Run.create(tmp_path, command="collect", recipe_toml=RECIPE, seed=1, resume=True)


def test_true_and_one_are_told_apart_no_more_than_toml_tells_them() -> None:
    assert differences({"a": {"b": 1}}, {"a": {"b": 1}}) == {}
    assert differences({"a": 1}, {"a": {"b": 1}}) == {
        "a": "a: 1 in the run, not set given",
        "a.b": "a.b: not set in the run, 1 given",
    }


def test_status_tells_how_the_run_ended(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), begin(tmp_path / "a"):
        raise KeyboardInterrupt
    assert Run.open(tmp_path / "a").about.status is Status.INTERRUPTED
    with begin(tmp_path / "b") as run:
        run.finish("interrupted")
    assert Run.open(tmp_path / "b").about.status is Status.INTERRUPTED
    begin(tmp_path / "c").close()
    assert Run.open(tmp_path / "c").about.status is Status.RUNNING
    with begin(tmp_path / "d") as run:
        run.write_episodes("a", [played()])
    with begin(tmp_path / "d", resume=True):
        assert Run.open(tmp_path / "d").about.status is Status.RUNNING, "while it goes on"


def test_a_run_whose_empty_folder_of_episodes_was_lost_goes_on(tmp_path: Path) -> None:
    """As in a copy of it by git, which keeps no empty folders."""
    with begin(tmp_path) as run:
        run.log(0, {"learn/loss": 1.0})
    (tmp_path / "episodes").rmdir()
    with begin(tmp_path, resume=True) as run:
        assert run.keys() == ()
        run.write_episodes("a", [played()])
    assert Run.open(tmp_path).keys() == ("a",)


def test_a_run_opened_for_reading_cannot_be_written(tmp_path: Path) -> None:
    begin(tmp_path).close()
    run = Run.open(tmp_path)
    for write in (lambda: run.write_episodes("a", []), lambda: run.log(0, {}), lambda: run.finish()):
        with pytest.raises(StoreError, match="open for reading only"):
            write()


def test_two_writers_of_one_run_are_kept_apart(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        with pytest.raises(StoreError, match=f"is being written by process {os.getpid()}"):
            begin(tmp_path, resume=True)
        with pytest.raises(StoreError, match="is being written"):
            begin(tmp_path, force=True)
        run.log(0, {"a": 1.0})
        assert Run.open(tmp_path).metrics()[0].values == {"a": 1.0}
    begin(tmp_path, resume=True).close()


def test_a_torn_last_line_of_metrics_is_ignored_and_mended(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.log(0, {"a": 1.0})
        run.log(1, {"a": 2.0})
    with (tmp_path / "metrics.jsonl").open("a") as file:
        file.write('{"step": 2, "a"')
    assert [entry.step for entry in Run.open(tmp_path).metrics()] == [0, 1]
    with begin(tmp_path, resume=True) as run:
        run.log(1, {"a": 3.0})
    assert [(entry.step, entry.values["a"]) for entry in Run.open(tmp_path).metrics()] == [(0, 1.0), (1, 3.0)]


def test_a_damaged_recipe_of_a_run_is_told_with_what_to_do(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.log(0, {"a": 1.0})
    (tmp_path / "recipe.toml").write_bytes(b"seed - 1\n")
    for read in (lambda: Run.open(tmp_path).recipe, lambda: begin(tmp_path, resume=True)):
        with pytest.raises(StoreError, match=r"recipe\.toml is not TOML(.|\n)*hint: it is damaged: .* --force"):
            read()


@pytest.mark.parametrize("line", ['{"step": 2, "a"', "[]", '{"a": 1}', '{"step": 1, "a": "x"}'])
def test_a_bad_line_of_metrics_in_the_middle_is_named(tmp_path: Path, line: str) -> None:
    begin(tmp_path).close()
    (tmp_path / "metrics.jsonl").write_text(line + "\n" + '{"step": 3, "a": 1.0}\n')
    with pytest.raises(
        StoreError, match=r"metrics\.jsonl:1: (.|\n)*hint: (delete this line|the record was written by)"
    ):
        Run.open(tmp_path).metrics()


def test_a_folder_that_no_file_can_be_made_in_is_told_with_what_to_do() -> None:
    with pytest.raises(StoreError, match=r"/proc/x: (.|\n)*hint: name another folder"):
        begin(Path("/proc/x"))


def test_equal_episodes_are_equal_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for now in (1_000_000_000.0, 2_000_000_000.0):
        monkeypatch.setattr("time.time", lambda now=now: now)
        with begin(tmp_path / f"{now}") as run:
            run.write_episodes("a", [played()])
        found.append((run.folder / "episodes/a.jsonl.gz").read_bytes())
    assert found[0] == found[1]


def test_a_bad_line_of_episodes_is_named(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.write_episodes("a", [played(), played()])
    with gzip.open(tmp_path / "episodes" / "a.jsonl.gz", "at") as file:
        file.write('{"run": 0}\n')
    with pytest.raises(StoreError, match=r"a\.jsonl\.gz:3: cannot read Played: missing field 'episode'"):
        list(Run.open(tmp_path).episodes())


def test_a_run_of_a_newer_format_or_a_broken_one_is_explained(tmp_path: Path) -> None:
    begin(tmp_path).close()
    path = tmp_path / "run.json"
    about = json.loads(path.read_text())
    path.write_text(json.dumps(about | {"format": 99, "later": 1}))
    with pytest.raises(StoreError, match=r"run\.json: format 99, and this prowess reads 2"):
        Run.open(tmp_path)
    path.write_text(json.dumps(about | {"format": 1}))
    with pytest.raises(StoreError, match=r"run\.json: format 1, and this prowess reads 2\nhint: begin .* --force"):
        Run.open(tmp_path)
    path.write_text("{")
    with pytest.raises(StoreError, match=r"run\.json: not JSON(.|\n)*hint: it is damaged: .* --force"):
        Run.open(tmp_path)


def test_damaged_episodes_are_named_with_what_to_do(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        run.write_episodes("a", [played("music_1")])
        whole = (tmp_path / "episodes" / "a.jsonl.gz").read_bytes()
        for content, wrong in [
            (gzip.compress(b"\xff\n"), ":1: not JSON: .*"),
            (b"\xff\n", ": Not a gzipped file .*"),
            (whole[:-20], ": Compressed file ended .*"),
            (whole[:12] + b"\xff" + whole[13:], ": Error .* while decompressing data: .*"),
            (whole[:-8] + b"\xff" + whole[-7:], ": CRC check failed.*"),
        ]:
            (tmp_path / "episodes" / "a.jsonl.gz").write_bytes(content)
            told = rf"a\.jsonl\.gz{wrong}\nhint: the file is damaged: delete it, and"
            with pytest.raises(StoreError, match=told):
                list(run.episodes())


def test_a_full_disk_is_a_store_error_and_leaves_no_torn_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with begin(tmp_path) as run:
        run.write_episodes("a", [played("music_1")])
        run.log(0, {"a": 1.0})
        real = os.write

        def half(handle: int, data: memoryview) -> int:
            if len(data) > 10:
                return real(handle, data[:10])
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(os, "write", half)
            for key in ("a", "b"):
                with pytest.raises(StoreError, match="No space left on device") as caught:
                    run.write_episodes(key, [played("music_2")])
                assert "the same command again" in caught.value.hint
            with pytest.raises(StoreError, match="No space left on device"):
                run.log(1, {"a": 2.0})
        assert [each.episode.task.id for each in run.episodes()] == ["music_1"]
        assert os.listdir(tmp_path / "episodes") == ["a.jsonl.gz"]
        run.log(2, {"a": 3.0})
        assert [entry.step for entry in run.metrics()] == [0, 2]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_that_is_really_full_names_the_file(tmp_path: Path) -> None:
    with begin(tmp_path) as run:
        (tmp_path / "metrics.jsonl").symlink_to("/dev/full")
        with pytest.raises(StoreError, match=r"metrics\.jsonl: No space left"):
            run.log(0, {"a": 1.0})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_a_store_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StoreError, match="Permission denied") as caught:
            begin(tmp_path / "run")
        assert "permissions" in caught.value.hint
    finally:
        tmp_path.chmod(0o700)


def test_a_path_through_a_file_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("")
    with pytest.raises(StoreError, match="Not a directory"):
        begin(tmp_path / "x" / "run")


def test_a_folder_left_before_run_json_was_written_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / "episodes").mkdir()
    (tmp_path / "recipe.toml").write_text("seed = 7\n")
    (tmp_path / ".run.json.12-34.tmp").write_text("{")
    with begin(tmp_path) as run:
        assert run.recipe["seed"] == 1
    assert ".run.json.12-34.tmp" not in os.listdir(tmp_path)


def test_whatever_a_killed_writer_left_half_written_goes_when_the_run_goes_on(tmp_path: Path) -> None:
    begin(tmp_path).close()
    for place in ("library/.a.py.12-34.tmp", "data/.sft.jsonl.tmp", "plots/.work.png.12-34.tmp"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        (tmp_path / place).write_text("{")
    (tmp_path / "checkpoints/.step-000003.tmp").mkdir(parents=True)
    (tmp_path / "checkpoints/.step-000003.tmp/model.safetensors").write_text("?")
    (tmp_path / "checkpoints/best.json").write_text("kept")
    begin(tmp_path, resume=True).close()
    assert list(tmp_path.rglob("*.tmp")) == []
    assert (tmp_path / "checkpoints/best.json").read_text() == "kept"


def test_a_run_killed_as_it_was_emptied_holds_no_episode(tmp_path: Path) -> None:
    begin(tmp_path).close()
    (tmp_path / "episodes").rmdir()
    assert list(Run.open(tmp_path).episodes()) == []


def test_whole_files_obey_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_whole(tmp_path / "a", "x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


CRASHER = """
import os, sys
from prowess.files.disk import write_whole
from pathlib import Path
real = getattr(os, sys.argv[2])
def crash(*given):
    if sys.argv[2] == "write":
        real(given[0], given[1][:3])
    os._exit(9)
setattr(os, sys.argv[2], crash)
write_whole(Path(sys.argv[1]), "the new text")
"""


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_crash_inside_any_step_of_a_write_leaves_the_old_file(tmp_path: Path, call: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("the old text")
    env = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", CRASHER, path, call], env=env, check=False)
    assert done.returncode == 9
    assert path.read_text() == "the old text"


WRITER = """
import sys
from test_run import RECIPE, played
from prowess.run import Run
print("ready", flush=True)
with Run.create(sys.argv[1], command="evaluate", recipe_toml=RECIPE, seed=1, resume=True) as run:
    for unit in range(200):
        key = f"dev-run0-{unit}"
        if not run.has(key):
            run.write_episodes(key, [played(f"s{unit}_{n}", text="x" * 20_000) for n in (1, 2, 3)])
            run.log(unit, {"play/tgc": float(unit)})
"""


def test_a_writer_killed_at_any_moment_leaves_a_run_that_resumes(tmp_path: Path) -> None:
    """Kill a real writer again and again; each time the folder reads, and in the end it is as if nothing happened."""
    folder, chance = tmp_path / "run", random.Random(4)
    here = Path(__file__).parent
    kills, done = 0, False
    while not done:
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, folder],
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(here)},
        )
        with writer:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"ready\n"
            try:
                writer.wait(timeout=chance.uniform(0, 0.02) if kills < 12 else 60)
            except subprocess.TimeoutExpired:
                writer.send_signal(signal.SIGKILL)
            done = writer.wait() == 0
        assert writer.returncode in (0, -signal.SIGKILL)
        kills += not done
        if (folder / "run.json").exists():
            run = Run.open(folder)
            assert len(list(run.episodes())) == 3 * len(run.keys())
            # The unit is written before its metrics, so at most one line per kill is missing.
            assert len(run.keys()) - len(run.metrics()) in range(kills + 1)
    assert kills >= 3
    run = Run.open(folder)
    assert run.about.status is Status.FINISHED
    assert set(run.keys()) == {f"dev-run0-{unit}" for unit in range(200)}
    assert [path.name for path in folder.rglob("*.tmp")] == []
