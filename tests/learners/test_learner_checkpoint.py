"""Checkpoints: going on as if nothing had happened, and what may be wrong with a folder."""

from __future__ import annotations

import hashlib
import json
import os
import resource
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from small_models import batch, brain_of, small

from prowess.errors import StoreError
from prowess.learners.checkpoint import write_folder
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner

COURSE = LearnerSettings(rate=1e-2, schedule="cosine", warmup=2, steps=8)


def learner(settings: LearnerSettings = COURSE, *, kl: float = 0.0, **model: Any) -> TorchLearner:
    return TorchLearner(brain_of(small(**model)), settings, LossSettings(kl=kl))


def weights(one: TorchLearner) -> dict[str, torch.Tensor]:
    return {name: value.detach().clone() for name, value in one.model.named_parameters()}


def learn(one: TorchLearner, steps: range) -> list[dict[str, float]]:
    found = [one.step(batch(seed=step), per=3) for step in steps]
    return [{name: value for name, value in row.items() if "second" not in name} for row in found]


@pytest.mark.parametrize(
    ("settings", "kl"),
    [
        (COURSE, 0.0),
        (replace(COURSE, lora_rank=4), 0.1),
        (replace(COURSE, dtype="bfloat16", epochs=2, minibatches=2), 0.1),
        (replace(COURSE, dtype="bfloat16", lora_rank=4), 0.0),
    ],
    ids=["all", "lora", "bfloat16", "lora in bfloat16"],
)
def test_a_course_broken_off_and_resumed_ends_as_an_unbroken_one(
    tmp_path: Path, settings: LearnerSettings, kl: float
) -> None:
    straight = learner(settings, kl=kl)
    metrics = learn(straight, range(4))
    first = learner(settings, kl=kl)
    learn(first, range(2))
    first.save(tmp_path / "step-2")
    second = learner(settings, kl=kl)
    second.load(tmp_path / "step-2")
    assert second.steps == 2
    assert learn(second, range(2, 4)) == metrics[2:]
    assert all(torch.equal(value, weights(second)[name]) for name, value in weights(straight).items())


def test_a_step_without_a_batch_moves_the_schedule_and_nothing_else_also_across_a_checkpoint(tmp_path: Path) -> None:
    full = [row["learn/rate"] for row in learn(learner(), range(4))]
    straight = learner()
    learn(straight, range(1))
    before = weights(straight)
    assert straight.rest() == {"learn/rate": full[1], "learn/samples": 0.0}
    assert all(torch.equal(value, before[name]) for name, value in weights(straight).items())
    straight.save(tmp_path / "step-2")
    metrics = learn(straight, range(2, 4))
    assert [row["learn/rate"] for row in metrics] == full[2:]
    resumed = learner()
    resumed.load(tmp_path / "step-2")
    assert resumed.steps == 2
    assert learn(resumed, range(2, 4)) == metrics
    assert all(torch.equal(value, weights(resumed)[name]) for name, value in weights(straight).items())


def test_a_resumed_course_without_the_optimisers_memory_would_differ(tmp_path: Path) -> None:
    straight, other = learner(), learner()
    metrics = learn(straight, range(4))
    learn(other, range(2))
    other.optimiser.reset()
    assert learn(other, range(2, 4)) != metrics[2:]


@pytest.mark.parametrize("rank", [0, 4])
def test_a_new_course_starts_from_the_weights_alone(rank: int, tmp_path: Path) -> None:
    taught = learner(replace(COURSE, lora_rank=rank))
    learn(taught, range(2))
    taught.save(tmp_path / "taught")
    fresh = learner(replace(COURSE, lora_rank=rank), kl=1.0)
    fresh.start(tmp_path / "taught")
    assert fresh.steps == 0 and fresh.optimiser.state() == {}
    assert all(torch.equal(value, weights(taught)[name]) for name, value in weights(fresh).items())
    assert learn(fresh, range(1))[0]["learn/kl"] == pytest.approx(0, abs=1e-9)


def test_a_checkpoint_of_all_weights_is_an_ordinary_model_folder(tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    mine = learner()
    learn(mine, range(1))
    mine.save(tmp_path / "one")
    again = AutoModelForCausalLM.from_pretrained(tmp_path / "one")
    ids = torch.tensor([[1, 2, 3]])
    assert torch.equal(again(ids).logits, mine.model(ids).logits)
    sums = subprocess.run(["sha256sum", "-c", "--quiet", "SHA256SUMS"], cwd=tmp_path / "one", check=False)
    assert sums.returncode == 0
    (tmp_path / "usual").touch()
    modes = {path.stat().st_mode for path in (tmp_path / "one").rglob("*") if path.is_file()}
    assert modes == {(tmp_path / "usual").stat().st_mode}, "whoever may read a file of ours may read weights"
    # vLLM reads every one of these as weights of the model
    assert [path.name for path in (tmp_path / "one").glob("*.safetensors")] == ["model.safetensors"]


# ------------------------------------------------------------------------------------------------------ what is wrong


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    mine = learner()
    learn(mine, range(1))
    mine.save(tmp_path / "step-1")
    return tmp_path / "step-1"


@contextmanager
def rewritten(saved: Path, name: str) -> Iterator[Path]:
    """A file of a checkpoint that another program writes, with its sum."""
    sums, before = saved / "SHA256SUMS", hashlib.sha256((saved / name).read_bytes()).hexdigest()
    yield saved / name
    sums.write_text(sums.read_text().replace(before, hashlib.sha256((saved / name).read_bytes()).hexdigest()))


@pytest.mark.parametrize("name", ["model.safetensors", "learner/optimiser.safetensors", "learner.json", "config.json"])
def test_a_corrupt_file_is_named_and_nothing_is_taken_from_it(saved: Path, name: str) -> None:
    content = bytearray((saved / name).read_bytes())
    content[-2] ^= 1
    (saved / name).write_bytes(content)
    fresh = learner()
    before = weights(fresh)
    with pytest.raises(StoreError, match=f"{name} is corrupt"):
        fresh.load(saved)
    assert fresh.steps == 0 and all(torch.equal(value, before[n]) for n, value in weights(fresh).items())


def test_a_missing_file_is_named(saved: Path) -> None:
    (saved / "learner/optimiser.safetensors").unlink()
    with pytest.raises(StoreError, match=r"optimiser.safetensors is missing"):
        learner().load(saved)


def test_a_folder_that_is_not_there_or_no_checkpoint_is_told_with_those_that_are(saved: Path) -> None:
    with pytest.raises(StoreError, match="there is no checkpoint") as caught:
        learner().load(saved.parent / "step-7")
    assert caught.value.hint == "there are: step-1"
    (saved.parent / "step-8").mkdir()
    with pytest.raises(StoreError, match="no SHA256SUMS") as caught:
        learner().load(saved.parent / "step-8")
    assert caught.value.hint == "there are: step-1"


@pytest.mark.parametrize("line", ["", "learner.json", "0123  learner.json"])
def test_sums_that_are_none_are_told(saved: Path, line: str) -> None:
    with (saved / "SHA256SUMS").open("a") as sums:
        sums.write(f"{line}\n")
    with pytest.raises(StoreError, match="SHA256SUMS is corrupt"):
        learner().load(saved)


def test_another_models_checkpoint_is_refused_with_what_differs(saved: Path) -> None:
    with pytest.raises(StoreError) as caught:
        learner(hidden=64).load(saved)
    assert "is of another model" in caught.value.message and "96 x 32 there, 96 x 64 here" in caught.value.message
    with pytest.raises(StoreError, match="holds all weights, and the learner has a LoRA adapter to learn"):
        learner(replace(COURSE, lora_rank=4)).load(saved)


@pytest.mark.parametrize(("number", "mend"), [(1, "learn again"), (3, "update prowess")])
def test_another_format_is_refused(saved: Path, number: int, mend: str) -> None:
    with rewritten(saved, "learner.json") as state:
        state.write_text(json.dumps(json.loads(state.read_text()) | {"format": number}))
    with pytest.raises(StoreError, match=f"format {number}, and this prowess reads 2") as told:
        learner().load(saved)
    assert mend in told.value.hint


# --------------------------------------------------------------------------------------------------- saves that fail


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    """As on a full disk, the kernel refuses to write more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_save_that_does_not_fit_the_disk_leaves_the_one_before(saved: Path) -> None:
    mine = learner()
    mine.load(saved)
    learn(mine, range(1, 2))
    with no_file_larger_than(10_000), pytest.raises(StoreError, match="cannot be written"):
        mine.save(saved)
    assert os.listdir(saved.parent) == ["step-1"]
    again = learner()
    again.load(saved)
    assert again.steps == 1


@pytest.mark.parametrize("stage", ["fsync", "rename"])
def test_a_save_that_fails_at_any_stage_leaves_the_one_before(
    saved: Path, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = learner()
    mine.load(saved)
    learn(mine, range(1, 2))
    real, calls = getattr(os, stage), []

    def failing(*given: Any) -> Any:
        calls.append(given)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(*given)

    monkeypatch.setattr(os, stage, failing)
    with pytest.raises(StoreError, match="No space left"):
        mine.save(saved)
    again = learner()
    again.load(saved)
    assert again.steps == 1 and os.listdir(saved.parent) == ["step-1"]


def test_a_save_over_an_older_one_replaces_it(saved: Path) -> None:
    mine = learner()
    mine.load(saved)
    learn(mine, range(1, 2))
    mine.save(saved)
    assert json.loads((saved / "learner.json").read_text())["steps"] == 2
    assert os.listdir(saved.parent) == ["step-1"]


def test_a_checkpoint_moved_aside_by_a_killed_writer_is_found(saved: Path) -> None:
    os.rename(saved, saved.parent / ".step-1.old")
    (saved.parent / ".step-1.tmp").mkdir()
    again = learner()
    again.load(saved)
    assert again.steps == 1


def test_a_checkpoint_moved_aside_by_a_killed_writer_is_back_before_another_one_is_written(saved: Path) -> None:
    os.rename(saved, saved.parent / ".step-1.old")
    there: list[bool] = []
    write_folder(saved, lambda new: there.append((saved / "learner.json").is_file()))
    assert there == [True], "a second kill, in the middle of writing, leaves one"
    assert os.listdir(saved.parent) == ["step-1"] and os.listdir(saved) == ["SHA256SUMS"]


@pytest.mark.parametrize(
    "change",
    [*({name: bad} for name in ("format", "kind", "steps", "failures") for bad in (None, "x", -1, [], 1.5)), {"a": 1}],
)
def test_what_a_checkpoint_says_of_itself_is_of_its_kind_or_refused(saved: Path, change: dict[str, object]) -> None:
    with rewritten(saved, "learner.json") as state:
        state.write_text(json.dumps(json.loads(state.read_text()) | change))
    with pytest.raises(StoreError, match=r"learner\.json"):
        learner().load(saved)


@pytest.mark.parametrize("text", ["[]", "7", "null", '"adamw"'])
def test_what_a_checkpoint_says_of_itself_is_an_object_or_refused(saved: Path, text: str) -> None:
    with rewritten(saved, "learner.json") as state:
        state.write_text(text)
    with pytest.raises(StoreError, match=r"learner\.json"):
        learner().load(saved)


def test_moments_of_what_is_not_learnt_here_are_refused_and_nothing_is_taken(saved: Path) -> None:
    with rewritten(saved, "learner/optimiser.safetensors") as file:
        moments = load_file(file)
        first = min(moments)
        moments[f"{first}.of_another"] = moments.pop(first)
        save_file(moments, file)
    fresh = learner()
    before = weights(fresh)
    with pytest.raises(StoreError, match="moments of another learner"):
        fresh.load(saved)
    assert fresh.steps == 0 and all(torch.equal(value, before[n]) for n, value in weights(fresh).items())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_tokenizer_that_finds_no_room_is_told_as_a_full_disk(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"a": 0}, unk_token="a"))

    def fill(new: Path) -> None:
        (new / "tokenizer.json").symlink_to("/dev/full")
        words.save(str(new / "tokenizer.json"))

    with pytest.raises(StoreError, match=r"cannot be written or read: No space left on device .*\nhint: is the disk"):
        write_folder(tmp_path / "step", fill)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ZeroDivisionError):
        write_folder(tmp_path / "step", lambda new: 1 / 0)  # type: ignore[arg-type, return-value]
