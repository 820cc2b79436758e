"""What ranks learn is what one process learns: losses, figures and gradients, entry by entry."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file
from small import batch, brain_in, far, model_in
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save

from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.learners.torch import TorchLearner
from prowess.learners.verl.learner import VerlLearner
from prowess.learners.verl.settings import VerlSettings

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("ranks"), pytest.mark.filterwarnings("ignore")]

USUAL = LearnerSettings(rate=1e-3, micro_tokens=512, clip_norm=0.0)
TIS = LossSettings(tis=2.0)
TIMED = {"learn/seconds", "learn/tokens_per_second", "learn/fed", "learn/shared"}
"""Figures that depend on where a batch is cut."""


def gradients_of(place: Path) -> dict[str, torch.Tensor]:
    """What AdamW's first moment says of the last gradient, after one step: a tenth of it."""
    if (place / "learner/optimiser.safetensors").is_file():
        kept = load_file(place / "learner/optimiser.safetensors")
        return {name.partition("/")[2]: one for name, one in kept.items() if name.startswith("exp_avg/")}
    dcp_to_torch_save(place / "learner/dcp", place / "moments.pt")
    kept = torch.load(place / "moments.pt")["optimiser"]["state"]
    return {name: one["exp_avg"] for name, one in kept.items()}


def check_gradients(ours: Path, theirs: Path, tolerance: float) -> None:
    one, other = gradients_of(ours), gradients_of(theirs)
    assert len(one) == len(other) > 10
    for name, wanted in one.items():
        (found,) = [grad for there, grad in other.items() if _same(name, there)]
        assert float((found - wanted).norm()) <= tolerance * float(wanted.norm()), name


def _same(name: str, there: str) -> bool:
    """Whether two names mean one weight: `layers.0.q_proj.a` here is `...q_proj.lora_A.default.weight` there."""
    path, _, letter = name.rpartition(".")
    return there == name or there.endswith(f"{path}.lora_{letter.upper()}.default.weight")


@pytest.mark.parametrize(
    ("ranks", "tied", "more", "loss", "verl"),
    [
        (1, False, {}, TIS, {}),
        (2, False, {}, TIS, {}),
        (2, True, {}, LossSettings(aggregate="token"), {}),
        (2, False, {"epochs": 2, "minibatches": 2}, LossSettings(kind="gspo", aggregate="fixed"), {}),
        (2, True, {"checkpointing": True, "micro_tokens": 150}, LossSettings(kind="cispo", tis=1.5), {}),
        (2, False, {}, LossSettings(kind="imitate", aggregate="token"), {}),
        (2, False, {}, TIS, {"tree": False}),
        (2, True, {"minibatches": 2, "micro_tokens": 300}, LossSettings(kind="cispo"), {"tree": False}),
        (3, False, {}, TIS, {"shard": 1}),
    ],
    ids=str,
)
def test_all_parameters(
    tmp_path: Path, ranks: int, tied: bool, more: dict[str, int], loss: LossSettings, verl: dict[str, int]
) -> None:
    folder = model_in(tmp_path / "model", tied=tied)
    settings = replace(USUAL, engine="verl", verl=VerlSettings(gpus=ranks, **verl), **more)  # type: ignore[arg-type]
    one = TorchLearner(brain_in(folder), replace(settings, engine="torch"), loss)
    with closing(VerlLearner(brain_in(folder), settings, loss)) as other:
        for step in range(2):
            told, theirs = (learner.step(batch(step), per=6) for learner in (one, other))
            for figure in told.keys() - TIMED:
                rel = 1e-5 if step else 1e-6  # the first change of AdamW is a sign, whatever is near 0
                near = pytest.approx(told[figure], rel=rel, abs=1e-6)
                assert theirs[figure] == near, (step, figure)
            if not step:
                one.save(tmp_path / "ours")
                other.save(tmp_path / "theirs")
        assert far(one.logprobs(batch(9)), other.logprobs(batch(9))) < 3e-5
        assert other.loss(batch(8)) == pytest.approx(one.loss(batch(8)), abs=1e-6)
    if len(more.keys() & {"epochs", "minibatches"}) == 0:
        check_gradients(tmp_path / "ours", tmp_path / "theirs", 1e-5)


@pytest.mark.parametrize(("tree", "kl"), [(True, 0.05), (False, 0.0)])
def test_lora(tmp_path: Path, tree: bool, kl: float) -> None:
    """The factors begin as ours do. Peft multiplies by them apart from the weight, which rounds otherwise: 1e-4."""
    folder, loss = model_in(tmp_path / "model"), LossSettings(kl=kl, tis=2.0)
    settings = replace(USUAL, lora_rank=8, engine="verl", verl=VerlSettings(gpus=2, tree=tree))
    one = TorchLearner(brain_in(folder), replace(settings, engine="torch"), loss)
    one.save(tmp_path / "zero")
    with closing(VerlLearner(brain_in(folder), settings, loss)) as other:
        other.group.ask("read", tmp_path / "zero")  # `start` refuses what the KL would not be measured from
        for step in range(3):
            told, theirs = (learner.step(batch(step), per=6) for learner in (one, other))
            assert theirs["learn/loss"] == pytest.approx(told["learn/loss"], rel=1e-4, abs=1e-6)
            assert theirs["learn/grad_norm"] == pytest.approx(told["learn/grad_norm"], rel=1e-5)
            if not step:
                one.save(tmp_path / "ours")
                other.save(tmp_path / "theirs")
        assert far(one.logprobs(batch(9)), other.logprobs(batch(9))) < 3e-5
    check_gradients(tmp_path / "ours", tmp_path / "theirs", 1e-4)


def test_fewer_samples_than_ranks_and_one_of_all_tokens(tmp_path: Path) -> None:
    folder = model_in(tmp_path / "model")
    settings = replace(USUAL, engine="verl", verl=VerlSettings(gpus=3))
    one = TorchLearner(brain_in(folder), replace(settings, engine="torch"), TIS)
    with closing(VerlLearner(brain_in(folder), settings, TIS)) as other:
        for some in (batch(1)[:2], batch(2)[:1]):
            told, theirs = (learner.step(some) for learner in (one, other))
            assert theirs["learn/loss"] == pytest.approx(told["learn/loss"], rel=1e-6, abs=1e-6)
            assert theirs["learn/grad_norm"] == pytest.approx(told["learn/grad_norm"], rel=2e-6)
            assert theirs["learn/dummies"] >= 1


def test_a_batch_whose_loss_is_no_number_changes_nothing(tmp_path: Path) -> None:
    folder = model_in(tmp_path / "model")
    settings = replace(USUAL, engine="verl", verl=VerlSettings(gpus=2))
    with closing(VerlLearner(brain_in(folder), settings, LossSettings())) as learner:
        before = learner.logprobs(batch(9))
        broken = [replace(one, weights=tuple(float("inf") * weight for weight in one.weights)) for one in batch(1)[:2]]
        told = learner.step([replace(one, weights=tuple(w if w == w else 0.0 for w in one.weights)) for one in broken])
        assert told["learn/skipped"] == 1.0
        assert learner.logprobs(batch(9)) == before
