"""What TensorBoard, Weights & Biases and trackio are told of a course of learning."""

from __future__ import annotations

import importlib.util
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from prowess.cli import app
from prowess.errors import MissingExtra, NotInstalled, RecipeError, StoreError
from prowess.run import Run
from prowess.run.checkpoints import Checkpoints
from prowess.run.sinks import SinkSettings, check_sinks, open_sinks
from prowess.types import Policy, Sample


def begin(folder: Path, *, resume: bool = False, force: bool = False) -> Run:
    recipe = "[train]\nsteps = 3\n"
    return Run.create(folder, command="train", recipe_toml=recipe, seed=0, resume=resume, force=force)


def test_without_settings_nobody_is_told_and_nothing_is_imported(tmp_path: Path) -> None:
    with begin(tmp_path / "run") as run, open_sinks(SinkSettings(), run) as send:
        send(0, {"learn/loss": 1.0})
    assert not (tmp_path / "run/tensorboard").exists()


@pytest.mark.parametrize(
    ("settings", "module"),
    [
        (SinkSettings(tensorboard=True), "torch.utils.tensorboard"),
        (SinkSettings(wandb="x"), "wandb"),
        (SinkSettings(trackio="x"), "trackio"),
    ],
)
def test_a_sink_that_is_not_installed_names_its_extra(
    settings: SinkSettings, module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with begin(tmp_path / "run") as run, pytest.raises(MissingExtra, match=r"pip install 'prowess\[[tw]"):
        with open_sinks(settings, run):
            pass


@pytest.mark.parametrize("command", [("sft",), ("train",), ("ablate", "--seeds", "0")])
def test_a_sink_that_is_not_installed_is_told_before_anything_is_begun(
    command: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, "trackio", None)
    done = CliRunner().invoke(app, [*command, "sage", "--set", "sinks.trackio=mine"])
    assert isinstance(done.exception, NotInstalled)
    assert done.exception.message.startswith("sinks.trackio needs the extra 'trackio'")
    assert list(tmp_path.iterdir()) == []


def test_trackio_is_told_each_step_once_however_often_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    stand_in = SimpleNamespace(
        init=lambda **options: told.append((options["project"], options["name"], options["config"], options["resume"])),
        log=lambda figures, step: told.append((step, figures)),
        finish=lambda: told.append("finished"),
    )
    monkeypatch.setitem(sys.modules, "trackio", stand_in)
    settings = SinkSettings(trackio="project")
    with begin(tmp_path / "runs/sage") as run, open_sinks(settings, run) as send:
        run.log(0, {"learn/loss": 1.0})
        send(0, {"learn/loss": 1.0, "eval/use": math.nan})
    with begin(tmp_path / "runs/sage", resume=True) as run, open_sinks(settings, run) as send:
        send(0, {"learn/loss": 1.0})
        send(1, {"learn/loss": 0.5})
    new, opened = (("project", "runs-sage", {"train.steps": 3}, resume) for resume in ("never", "allow"))
    assert told == [new, (0, {"learn/loss": 1.0}), "finished", opened, (1, {"learn/loss": 0.5}), "finished"]
    with begin(tmp_path / "runs/sage", force=True) as run, open_sinks(settings, run):
        assert told[-1] == new, "begun again it is another one"


class Offline:
    """Stands in for wandb: what it is told, run by run."""

    class Error(Exception):
        """As wandb's own."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def init(self, **options: Any) -> Any:
        if options["project"] == "locked":
            raise self.Error("api_key not configured (no-tty)")
        self.told.append(options)
        return SimpleNamespace(
            define_metric=lambda name, step_metric=None: None,
            log=self.told.append,
            finish=lambda: self.told.append("finished"),
        )


def test_wandb_is_told_each_step_once_in_one_run_of_its_however_often_ours_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in = Offline()
    monkeypatch.setitem(sys.modules, "wandb", stand_in)
    settings = SinkSettings(wandb="project")
    with begin(tmp_path / "runs/sage") as run, open_sinks(settings, run) as send:
        run.log(0, {"learn/loss": 1.0})
        send(0, {"learn/loss": 1.0, "eval/use": math.nan})
    with begin(tmp_path / "runs/sage", resume=True) as run, open_sinks(settings, run) as send:
        send(0, {"learn/loss": 1.0, "eval/tgc": 0.5})  # a step that was told before gets its score
        send(1, {"learn/loss": 0.5})
    first, *rest = stand_in.told
    assert (first["name"], first["config"], first["dir"]) == ("runs-sage", {"train.steps": 3}, str(run.folder))
    steps = [{"step": 0, "eval/tgc": 0.5}, {"step": 1, "learn/loss": 0.5}]
    assert rest == [{"step": 0, "learn/loss": 1.0}, "finished", first, *steps, "finished"]
    with begin(tmp_path / "runs/other") as run, open_sinks(settings, run):
        assert stand_in.told[-1]["id"] != first["id"]
    with begin(tmp_path / "runs/sage", force=True) as run, open_sinks(settings, run):
        assert stand_in.told[-1]["id"] != first["id"], "begun again it is another one"


def test_without_a_login_wandb_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wandb", Offline())
    with begin(tmp_path / "run") as run, pytest.raises(RecipeError, match=r"not configured[\s\S]*WANDB_MODE=offline"):
        with open_sinks(SinkSettings(wandb="locked"), run):
            pass


def test_a_step_whose_score_broke_is_told_and_its_score_when_the_run_has_gone_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    stand_in = SimpleNamespace(
        init=lambda **options: None, log=lambda figures, step: told.append((step, figures)), finish=lambda: None
    )
    monkeypatch.setitem(sys.modules, "trackio", stand_in)

    def go(score: Callable[[], Mapping[str, float]], *, resume: bool) -> None:
        with (
            begin(tmp_path / "run", resume=resume) as run,
            open_sinks(SinkSettings(trackio="project"), run) as send,
        ):
            checkpoints, learner = Checkpoints(run, tell=send), Nothing()
            for step in checkpoints.steps(1, learner, score=lambda done: score):
                checkpoints.finish(step, {"learn/loss": 1.0}, learner, save=True, score=score)

    def broken() -> Mapping[str, float]:
        raise StoreError("no room")

    with pytest.raises(StoreError, match="no room"):
        go(broken, resume=False)
    assert told == [(0, {"learn/loss": 1.0})]
    for _ in range(2):  # with nothing left to do the second time
        go(lambda: {"eval/tgc": 0.5}, resume=True)
    assert told == [(0, {"learn/loss": 1.0}), (0, {"eval/tgc": 0.5})]


class Nothing:
    """A learner that has nothing to save."""

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> Mapping[str, float]:
        raise NotImplementedError

    def policy(self) -> Policy:
        raise NotImplementedError

    def rest(self) -> Mapping[str, float]:
        raise NotImplementedError

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)

    def load(self, folder: Path) -> None: ...


TOLD: list[tuple[str, int, dict[str, float]]] = []
CLOSED: list[str] = []


class Tracker:
    def __init__(self, folder: Path) -> None:
        self.name = folder.name

    def __call__(self, step: int, figures: dict[str, float]) -> None:
        TOLD.append((self.name, step, figures))

    def close(self) -> None:
        CLOSED.append(self.name)


def nothing(folder: Path) -> None:
    """Makes no sink."""


def test_somebody_elses_sink_is_told_each_step_once_however_often_the_run_goes_on(tmp_path: Path) -> None:
    settings = SinkSettings(own="test_sinks:Tracker")
    for steps, resume in (([0, 1], False), ([0, 1, 2], True)):
        with begin(tmp_path / "run", resume=resume) as run, open_sinks(settings, run) as send:
            for step in steps:
                send(step, {"learn/loss": 0.5, "play/tgc": math.nan})
                if step not in {entry.step for entry in run.metrics()}:
                    run.log(step, {"learn/loss": 0.5})
    told, closed = TOLD, CLOSED
    assert told == [("run", step, {"learn/loss": 0.5}) for step in (0, 1, 2)]
    assert closed == ["run", "run"]


def test_what_is_no_sink_is_told_before_anything_is_learnt(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="there is no module 'no_such'"):
        check_sinks(SinkSettings(own="no_such:sink"))
    with begin(tmp_path / "run") as run, pytest.raises(RecipeError, match=r"gave a NoneType\n.*\(step, figures\)"):
        with open_sinks(SinkSettings(own="test_sinks:nothing"), run):
            pass


class Moody:
    """A sink that raises when it is made, told or closed."""

    def __init__(self, folder: Path) -> None:
        self.mood = folder.name
        if self.mood == "made":
            raise ValueError(self.mood)

    def __call__(self, step: int, figures: dict[str, float]) -> None:
        if self.mood == "told":
            raise ValueError(self.mood)

    def close(self) -> None:
        if self.mood == "closed":
            raise ValueError(self.mood)


@pytest.mark.parametrize("mood", ["made", "told", "closed"])
def test_a_sink_that_raises_is_told_by_its_name_with_the_line(mood: str, tmp_path: Path) -> None:
    said = rf"sink 'test_sinks:Moody' failed: ValueError: {mood} \(test_sinks\.py:\d+\)"
    with begin(tmp_path / mood) as run, pytest.raises(RecipeError, match=said) as caught:
        with open_sinks(SinkSettings(own="test_sinks:Moody"), run) as send:
            send(0, {"learn/loss": 1.0})
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.extra
@pytest.mark.skipif(not importlib.util.find_spec("tensorboard"), reason="needs the extra tensorboard")
def test_tensorboard_has_each_step_once_however_often_the_run_goes_on(tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    settings = SinkSettings(tensorboard=True)
    with begin(tmp_path / "run") as run, open_sinks(settings, run) as send:
        send(0, {"learn/loss": 1.0, "eval/use": math.nan})
    with begin(tmp_path / "run", resume=True) as run, open_sinks(settings, run) as send:
        send(0, {"learn/loss": 1.0})
        send(1, {"learn/loss": 0.5})
    events = EventAccumulator(str(tmp_path / "run/tensorboard"))
    events.Reload()
    assert [(event.step, event.value) for event in events.Scalars("learn/loss")] == [(0, 1.0), (1, 0.5)]
    assert "eval/use" not in events.Tags()["scalars"]


@pytest.mark.extra
@pytest.mark.skipif(not importlib.util.find_spec("wandb"), reason="needs the extra wandb")
def test_the_real_wandb_writes_each_part_of_a_run_under_one_id(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRACKED.split("from trackio")[0].replace("trackio=", "wandb=")],
        cwd=tmp_path,
        env=os.environ | {"WANDB_MODE": "offline"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "", "standard output is for data"
    (known,) = {path.name for path in tmp_path.glob("sage/wandb/offline-run-*/*.wandb")}
    assert known == f"run-{(tmp_path / 'sage/wandb.id').read_text()}.wandb"
    assert len(list(tmp_path.glob("sage/wandb/offline-run-*"))) == 2


TRACKED = """
import json, sys
from pathlib import Path
from prowess.run import Run
from prowess.run.sinks import SinkSettings, check_sinks, open_sinks
for how, steps in (({}, [0]), ({"resume": True}, [0, 1]), ({"force": True}, [0]), ({"resume": True}, [0, 1])):
    with Run.create(Path("sage"), command="train", recipe_toml="", seed=0, **how) as run:
        with open_sinks(SinkSettings(trackio="project"), run) as send:
            for step in steps:
                send(step, {"learn/loss": 1.0 - step / 2, "eval/use": float("nan")})
                run.log(step, {"learn/loss": 1.0 - step / 2})
from trackio.sqlite_storage import SQLiteStorage
for run in SQLiteStorage.get_run_records("project"):
    logs = SQLiteStorage.get_logs("project", run["name"], run_id=run["id"])
    print(json.dumps([run["name"], [[log["step"], log["learn/loss"], "eval/use" in log] for log in logs]]))
"""


@pytest.mark.extra
@pytest.mark.skipif(not importlib.util.find_spec("trackio"), reason="needs the extra trackio")
def test_the_real_trackio_has_each_step_once_however_often_the_run_goes_on(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    place.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", TRACKED],
        cwd=place,
        env=os.environ | {"TRACKIO_DIR": str(tmp_path / "trackio")},  # read when it is imported
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    once = ["runs-sage", [[0, 1.0, False], [1, 0.5, False]]]
    assert [json.loads(line) for line in done.stdout.splitlines()] == [once, once], "the second was begun by force"
