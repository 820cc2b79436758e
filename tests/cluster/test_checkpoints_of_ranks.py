"""Checkpoints of ranks: any number goes on with them, one process starts from them, and a rank that is lost is told."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from small import batch, brain_in, far, model_in
from transformers import AutoModelForCausalLM

from prowess.errors import LearnerGone, RecipeError, StoreError
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.learners.verl.learner import VerlLearner
from prowess.learners.verl.settings import VerlSettings
from prowess.models import Brain

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("ranks"), pytest.mark.filterwarnings("ignore")]

USUAL = LearnerSettings(rate=1e-3, micro_tokens=512, engine="verl", verl=VerlSettings(gpus=2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return model_in(tmp_path / "model")


def learner(folder: Path, ranks: int = 2, rank: int = 0) -> VerlLearner:
    return VerlLearner(brain_in(folder), replace(USUAL, lora_rank=rank, verl=VerlSettings(gpus=ranks)), LossSettings())


def alone(folder: Path, rank: int = 0) -> TorchLearner:
    return TorchLearner(brain_in(folder), replace(USUAL, lora_rank=rank, engine="torch"), LossSettings())


@pytest.mark.parametrize("rank", [0, 4])
def test_what_two_saved_one_and_three_go_on_with(tmp_path: Path, folder: Path, rank: int) -> None:
    with closing(learner(folder, rank=rank)) as two:
        for step in range(2):
            two.step(batch(step), per=6)
        two.save(tmp_path / "kept")
        wanted, said = two.step(batch(2), per=6), two.logprobs(batch(9))
    for ranks in (1, 3):
        with closing(learner(folder, ranks, rank)) as other:
            other.load(tmp_path / "kept")
            assert other.steps == 2
            told = other.step(batch(2), per=6)
            for figure in ("learn/loss", "learn/grad_norm"):
                assert told[figure] == pytest.approx(wanted[figure], rel=1e-5, abs=1e-6), (ranks, figure)
            assert far(other.logprobs(batch(9)), said) < 3e-5


@pytest.mark.parametrize("rank", [0, 4])
def test_a_learner_of_one_process_starts_from_it_and_the_other_way_round(
    tmp_path: Path, folder: Path, rank: int
) -> None:
    mine = alone(folder, rank)
    mine.step(batch(0), per=6)
    mine.save(tmp_path / "mine")
    with closing(learner(folder, rank=rank)) as theirs:
        theirs.start(tmp_path / "mine")
        assert far(theirs.logprobs(batch(9)), mine.logprobs(batch(9))) < 1e-5
        theirs.step(batch(1), per=6)
        theirs.save(tmp_path / "theirs")
        said = theirs.logprobs(batch(9))
        theirs.write(tmp_path / "whole")
    again = alone(folder, rank)
    again.start(tmp_path / "theirs")
    assert far(again.logprobs(batch(9)), said) < 1e-5
    model = AutoModelForCausalLM.from_pretrained(tmp_path / "whole")
    whole = TorchLearner(Brain(model=model, chat=brain_in(folder).chat, name="whole"), LearnerSettings())
    assert far(whole.logprobs(batch(9)), said) < 1e-5


def test_another_kind_of_checkpoint_is_refused(tmp_path: Path, folder: Path) -> None:
    mine = alone(folder)
    mine.save(tmp_path / "mine")
    with closing(learner(folder)) as theirs:
        with pytest.raises(StoreError, match="one process"):
            theirs.load(tmp_path / "mine")
        theirs.save(tmp_path / "theirs")
        with pytest.raises(StoreError, match="several GPUs"):
            mine.load(tmp_path / "theirs")
        (tmp_path / "theirs/model.safetensors").write_bytes(b"half")
        with pytest.raises(StoreError, match=r"model\.safetensors"):
            theirs.load(tmp_path / "theirs")


def test_a_rank_that_is_killed_ends_all_in_words_and_the_checkpoint_stays(tmp_path: Path, folder: Path) -> None:
    doomed = learner(folder)
    doomed.step(batch(0), per=6)
    doomed.save(tmp_path / "kept")
    wanted = doomed.logprobs(batch(9))
    pids = [one["pid"] for one in doomed.group.about]
    os.kill(pids[1], signal.SIGKILL)
    begun = time.monotonic()
    with pytest.raises(LearnerGone, match="a process that learns is gone"):
        doomed.step(batch(1), per=6)
    while any(psutil.pid_exists(pid) and psutil.Process(pid).status() != "zombie" for pid in pids):
        assert time.monotonic() - begun < 30
        time.sleep(0.2)
    assert doomed.done is None
    with pytest.raises(LearnerGone):
        doomed.step(batch(1), per=6)
    doomed.close()
    with closing(learner(folder)) as other:
        other.load(tmp_path / "kept")
        assert far(other.logprobs(batch(9)), wanted) < 1e-6


def test_a_rank_killed_while_saving_leaves_the_checkpoint_of_before(tmp_path: Path, folder: Path) -> None:
    doomed = learner(folder)
    doomed.step(batch(0), per=6)
    doomed.save(tmp_path / "kept")
    wanted = doomed.logprobs(batch(9))
    doomed.step(batch(1), per=6)
    write = doomed.write

    def killed(place: Path) -> None:
        write(place)
        os.kill(doomed.group.about[0]["pid"], signal.SIGKILL)

    doomed.write = killed  # type: ignore[method-assign]
    with pytest.raises(LearnerGone):
        doomed.save(tmp_path / "kept")
    with closing(learner(folder)) as other:
        other.load(tmp_path / "kept")
        assert far(other.logprobs(batch(9)), wanted) < 1e-6


def test_what_a_rank_cannot_do_is_told_in_a_line(folder: Path) -> None:
    with closing(learner(folder)) as one, pytest.raises(RecipeError, match="a process that learns failed: Missing key"):
        one.group.ask("read", Path("/nowhere"))
