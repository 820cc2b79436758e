"""Losses by hand, against TRL's on the same logits (fixtures/make_trl_losses.py), and cut up in micro-batches."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from prowess.errors import RecipeError
from prowess.learners.losses import KINDS, OURS, Loss, LossSettings, Tally, divisor, imitation_loss, policy_loss

STORED: dict[str, Any] = json.loads((Path(__file__).parent / "fixtures" / "trl_losses.json").read_text("utf-8"))

SETTINGS = {
    "sequence": LossSettings(),
    "sequence, first step": LossSettings(),
    "sequence, clip-higher": LossSettings(clip_high=0.28),
    "token, one batch": LossSettings(aggregate="token"),
    "token": LossSettings(aggregate="token", clip_high=0.28),
    "fixed": LossSettings(aggregate="fixed", length=STORED["max_length"]),
    "gspo": LossSettings(kind="gspo", clip_low=0.04, clip_high=0.06),
    "gspo, token": LossSettings(kind="gspo", clip_low=0.04, clip_high=0.06, aggregate="token"),
    "cispo": LossSettings(kind="cispo", clip_high=0.3, aggregate="token"),
    "kl": LossSettings(kl=0.1),
    "kl, token": LossSettings(kl=0.5, aggregate="token"),
    "tis": LossSettings(tis=STORED["tis"]),
    "tis, kl, token": LossSettings(tis=STORED["tis"], kl=0.2, aggregate="token"),
    "tis, kl, gspo": LossSettings(kind="gspo", tis=STORED["tis"], kl=0.2, clip_low=0.04, clip_high=0.06),
    "tis, kl, cispo": LossSettings(kind="cispo", tis=STORED["tis"], kl=0.2, clip_high=0.3, aggregate="token"),
}


class Given:
    """The stored inputs, with the said tokens of the chosen rows laid flat."""

    def __init__(self, dtype: torch.dtype = torch.float64, rows: slice = slice(None)) -> None:
        stored = {name: torch.tensor(value, dtype=torch.float64)[rows] for name, value in STORED["inputs"].items()}
        self.mask = stored["mask"].bool()
        self.ids = stored["ids"].long()
        self.logits = stored["logits"].to(dtype).requires_grad_()
        self.grid = self.logits.log_softmax(-1).gather(-1, self.ids[..., None])[..., 0]
        self.grid.retain_grad()
        self.new = self.grid[self.mask]
        self.old, self.sampled, self.reference = (
            stored[name].to(dtype)[self.mask] for name in ("old", "sampled", "reference")
        )
        self.sequence, _ = self.mask.nonzero(as_tuple=True)
        self.weights = stored["advantages"].to(dtype)[self.sequence]
        log = self.logits.detach().log_softmax(-1)
        self.entropy = -(log.exp() * log).sum(-1)[self.mask]

    def loss(self, settings: LossSettings, *, per: float | None = None, first: bool = False) -> Loss:
        old = None if first else self.old
        return policy_loss(
            self.new,
            old,
            self.sampled,
            self.weights,
            self.sequence,
            settings=settings,
            per=per,
            reference=self.reference if settings.kl else None,
            entropy=self.entropy,
        )


# ------------------------------------------------------------------------------------------------- against TRL


def test_every_stored_case_has_its_settings_here() -> None:
    assert STORED["cases"].keys() == SETTINGS.keys()


@pytest.mark.parametrize("name", SETTINGS)
def test_value_gradient_and_metrics_are_those_of_trl(name: str) -> None:
    given, case = Given(), STORED["cases"][name]
    loss = given.loss(SETTINGS[name], first="first" in case["trl"])
    loss.value.backward()

    assert loss.value.item() == pytest.approx(case["loss"], abs=1e-9)
    assert given.grid.grad is not None
    torch.testing.assert_close(given.grid.grad, torch.tensor(case["grad"], dtype=torch.float64), rtol=0, atol=1e-9)
    if case["grad_logits"]:
        wanted = torch.tensor(case["grad_logits"], dtype=torch.float64)
        torch.testing.assert_close(given.logits.grad, wanted, rtol=0, atol=1e-9)
    assert loss.metrics["learn/loss"] == loss.value.item()
    assert loss.metrics["learn/entropy"] == pytest.approx(case["metrics"]["entropy"], abs=1e-6)
    if SETTINGS[name].kl:
        assert loss.metrics["learn/kl"] == pytest.approx(case["metrics"]["kl"], abs=1e-6)
    if SETTINGS[name].kind == "clip":  # for gspo TRL counts samples, for cispo only where the advantage is positive
        assert loss.metrics["learn/clip_low"] == pytest.approx(case["metrics"]["clip_ratio/low_mean"], abs=1e-6)
        assert loss.metrics["learn/clip_high"] == pytest.approx(case["metrics"]["clip_ratio/high_mean"], abs=1e-6)


@pytest.mark.parametrize("name", SETTINGS)
def test_single_precision_agrees_with_trl_to_a_millionth(name: str) -> None:
    given, case = Given(torch.float32), STORED["cases"][name]
    loss = given.loss(SETTINGS[name], first="first" in case["trl"])
    loss.value.backward()

    assert loss.value.item() == pytest.approx(case["loss"], abs=1e-6)
    assert given.grid.grad is not None
    torch.testing.assert_close(given.grid.grad, torch.tensor(case["grad"]), rtol=0, atol=1e-6)


def test_the_stored_cases_clip_on_both_sides_and_cap() -> None:
    tis, gspo, cispo = (Given().loss(SETTINGS[name]).metrics for name in ("tis", "gspo", "cispo"))

    for share in (tis["learn/clip_low"], tis["learn/clip_high"], tis["learn/capped"], cispo["learn/clip_high"]):
        assert 0.05 < share < 0.5
    for share in (gspo["learn/clip_low"], gspo["learn/clip_high"]):
        assert 0.05 < share < 0.6


# ------------------------------------------------------------------------------------------------- by hand

LOG = math.log


def flat(*values: float) -> Tensor:
    return torch.tensor(values, dtype=torch.float64)


SEQUENCE = torch.tensor([0, 0, 1])
"""A sample of two said tokens, and one of one."""


def test_on_policy_the_loss_is_minus_the_mean_advantage_and_its_gradient_the_advantages() -> None:
    new = flat(-1.0, -2.0, -0.5).requires_grad_()
    loss = policy_loss(new, None, None, flat(1.0, 1.0, -3.0), SEQUENCE)
    loss.value.backward()

    assert loss.value.item() == pytest.approx((-1 + 3) / 2)
    assert new.grad is not None
    assert new.grad.tolist() == pytest.approx([-1 / 4, -1 / 4, 3 / 2])
    assert loss.metrics == pytest.approx(
        {
            "learn/loss": 1.0,
            "learn/tokens": 3.0,
            "learn/ratio": 1.0,
            "learn/clip_low": 0.0,
            "learn/clip_high": 0.0,
            "learn/nll": 3.5 / 3,
        }
    )


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "gradient", "low", "high"),
    [
        (1.1, 2.0, -2.2, -2.2, 0, 0),
        (1.5, 2.0, -2.56, 0.0, 0, 1),  # risen beyond 1.28: enough
        (0.5, 2.0, -1.0, -1.0, 0, 0),  # fallen though it was good: to be mended
        (0.5, -2.0, 1.6, 0.0, 1, 0),  # fallen below 0.8: enough
        (1.5, -2.0, 3.0, 3.0, 0, 0),  # risen though it was bad: to be mended
        (1.5, 0.0, 0.0, 0.0, 0, 0),
        (0.5, 0.0, 0.0, 0.0, 0, 0),
    ],
)
def test_a_ratio_is_clipped_only_where_it_went_the_right_way_too_far(
    ratio: float, advantage: float, loss: float, gradient: float, low: int, high: int
) -> None:
    new = flat(LOG(ratio) - 1).requires_grad_()
    found = policy_loss(
        new, flat(-1.0), None, flat(advantage), torch.tensor([0]), settings=LossSettings(clip_high=0.28)
    )
    found.value.backward()

    assert new.grad is not None
    assert (found.value.item(), new.grad.item()) == pytest.approx((loss, gradient))
    assert (found.metrics["learn/clip_low"], found.metrics["learn/clip_high"]) == (low, high)
    assert found.metrics["learn/ratio"] == pytest.approx(ratio)


def test_gspo_clips_whole_samples_by_the_geometric_mean_of_their_ratios() -> None:
    new = flat(LOG(2.0), LOG(2.0), LOG(1.1)).requires_grad_()  # against 1, 2 and 1: means sqrt(2) and 1.1
    loss = policy_loss(
        new, flat(0.0, LOG(2.0), 0.0), None, flat(1.0, 1.0, 1.0), SEQUENCE, settings=LossSettings(kind="gspo")
    )
    loss.value.backward()

    assert loss.value.item() == pytest.approx(-(1.2 + 1.1) / 2)
    assert new.grad is not None
    assert new.grad.tolist() == pytest.approx([0.0, 0.0, -1.1 / 2])
    assert loss.metrics["learn/clip_high"] == pytest.approx(2 / 3)


def test_cispo_caps_the_weight_and_silences_no_token() -> None:
    new = flat(LOG(0.9), LOG(0.3), LOG(0.5)).requires_grad_()
    loss = policy_loss(
        new,
        flat(LOG(0.3), LOG(0.6), LOG(0.5)),
        None,
        flat(2.0, 2.0, -1.0),
        SEQUENCE,
        settings=LossSettings(kind="cispo", clip_high=1.0),
    )
    loss.value.backward()

    assert loss.value.item() == pytest.approx(-(2 * 2 * LOG(0.9) + 0.5 * 2 * LOG(0.3)) / 2 / 2 + LOG(0.5) / 2)
    assert new.grad is not None
    assert new.grad.tolist() == pytest.approx([-2 * 2 / 4, -0.5 * 2 / 4, 1 / 2])
    assert loss.metrics["learn/clip_high"] == pytest.approx(1 / 3)


def test_truncated_importance_sampling_weighs_by_learner_over_sampler_up_to_its_cap() -> None:
    new = flat(-1.0, -1.0, -1.0).requires_grad_()
    sampled = flat(-1.0 - LOG(3.0), -1.0 - LOG(0.5), -1.0)
    loss = policy_loss(new, None, sampled, flat(1.0, 1.0, 1.0), SEQUENCE, settings=LossSettings(tis=2.0))
    loss.value.backward()

    assert new.grad is not None
    assert new.grad.tolist() == pytest.approx([-2.0 / 4, -0.5 / 4, -1.0 / 2])


def test_a_token_nobody_sampled_is_imitated_beside_those_that_were() -> None:
    new = flat(-1.0, -4.0, -4.0).requires_grad_()
    sampled = flat(-1.0 - LOG(0.5), math.nan, math.nan)
    loss = policy_loss(new, None, sampled, flat(1.0, 1.0, 1.0), SEQUENCE, settings=LossSettings(tis=2.0))
    loss.value.backward()

    assert new.grad is not None
    assert new.grad.tolist() == pytest.approx([-0.5 / 4, -1.0 / 4, -1.0 / 2])
    assert loss.metrics["learn/mismatch"] == pytest.approx(LOG(2)), "of the one token that was sampled"
    capped = policy_loss(new, None, sampled, flat(1.0, 1.0, 1.0), SEQUENCE, settings=LossSettings(tis=0.6))
    assert capped.metrics["learn/capped"] == 0.0, "at 0.5, and nothing is capped of what nobody sampled"


@pytest.mark.parametrize(("tis", "capped"), [(0.0, 1), (2.0, 1), (2.6, 0), (0.9, 2)])
def test_the_mismatch_between_sampler_and_learner_is_told_with_and_without_correction(tis: float, capped: int) -> None:
    sampled = flat(-1.0 - LOG(2.5), -1.0 - LOG(0.5), -1.0)
    metrics = policy_loss(
        flat(-5.0, -1.0, -1.0), flat(-1.0, -1.0, -1.0), sampled, flat(1.0, 1.0, 1.0), SEQUENCE,
        settings=LossSettings(tis=tis),
    ).metrics  # fmt: skip

    assert metrics["learn/mismatch"] == pytest.approx((LOG(2.5) + LOG(2)) / 3)
    assert metrics["learn/mismatch_kl"] == pytest.approx(((2.5 - LOG(2.5) - 1) + (0.5 - LOG(0.5) - 1)) / 3)
    assert metrics["learn/capped"] == pytest.approx(capped / 3), "without correction those above 2"


def test_the_kl_to_the_start_pulls_back_whatever_the_advantage() -> None:
    new = flat(LOG(0.5)).requires_grad_()
    start, settings = flat(LOG(0.25)), LossSettings(kl=0.1)
    loss = policy_loss(new, None, None, flat(0.0), torch.tensor([0]), settings=settings, reference=start)
    loss.value.backward()

    assert loss.metrics["learn/kl"] == pytest.approx(0.5 - LOG(0.5) - 1)
    assert loss.value.item() == pytest.approx(0.1 * (0.5 - LOG(0.5) - 1))
    assert new.grad is not None
    assert new.grad.item() == pytest.approx(0.1 * (1 - 0.5))


def test_the_kl_is_told_without_being_paid_for() -> None:
    loss = policy_loss(flat(LOG(0.5)), None, None, flat(0.0), torch.tensor([0]), reference=flat(LOG(0.25)))

    assert loss.value.item() == 0
    assert loss.metrics["learn/kl"] == pytest.approx(0.5 - LOG(0.5) - 1)


def test_a_kl_penalty_without_a_reference_is_a_mistake_of_ours() -> None:
    with pytest.raises(AssertionError, match="needs the reference"):
        policy_loss(flat(-1.0), None, None, flat(1.0), torch.tensor([0]), settings=LossSettings(kl=0.1))


@pytest.mark.parametrize(
    ("settings", "per", "value"),
    [
        (LossSettings(), None, (1.5 + 4) / 2),
        (LossSettings(), 1, 1.5 + 4),
        (LossSettings(aggregate="token"), None, 7 / 3),
        (LossSettings(aggregate="token"), 10, 7 / 10),
        (LossSettings(aggregate="fixed", length=5), None, 7 / 5 / 2),
        (LossSettings(aggregate="fixed", length=5), 4, 7 / 5 / 4),
    ],
)
def test_losses_add_up_by_sample_by_token_or_by_a_fixed_length(
    settings: LossSettings, per: float | None, value: float
) -> None:
    new, weights = flat(-1.0, -1.0, -2.0), flat(1.0, 2.0, 2.0)

    assert imitation_loss(new, weights, SEQUENCE, settings=settings, per=per).value.item() == pytest.approx(value)
    on_policy = policy_loss(new, None, None, weights * new, SEQUENCE, settings=settings, per=per)  # minus the advantage
    assert on_policy.value.item() == pytest.approx(value)


def test_imitation_is_cross_entropy() -> None:
    given, settings = Given(), LossSettings(aggregate="token")
    loss = imitation_loss(given.new, torch.ones_like(given.new), given.sequence, settings=settings)
    loss.value.backward()
    twin = Given()
    wanted = cross_entropy(twin.logits[twin.mask], twin.ids[twin.mask])
    wanted.backward()

    assert loss.value.item() == pytest.approx(wanted.item(), abs=1e-12)
    torch.testing.assert_close(given.logits.grad, twin.logits.grad, rtol=0, atol=1e-12)
    assert loss.metrics["learn/nll"] == pytest.approx(wanted.item(), abs=1e-12)


def test_the_kind_imitate_needs_no_sampler() -> None:
    given = Given()
    settings = LossSettings(kind="imitate", kl=1.0, tis=2.0)
    ones = torch.ones_like(given.new)
    loss = policy_loss(given.new, None, torch.zeros_like(given.new), ones, given.sequence, settings=settings)

    assert loss.value.item() == imitation_loss(given.new, ones, given.sequence).value.item()
    assert loss.metrics.keys() == {"learn/loss", "learn/tokens", "learn/nll"}


# ------------------------------------------------------------------------------------------------- in pieces


@pytest.mark.parametrize("cuts", [(0, 2, 5), (0, 1, 2, 3, 4, 5)])
@pytest.mark.parametrize("per", [None, 3])
@pytest.mark.parametrize("name", SETTINGS)
def test_micro_batches_give_the_gradient_and_the_metrics_of_the_batch(
    name: str, per: int | None, cuts: tuple[int, ...]
) -> None:
    settings, whole = SETTINGS[name], Given()
    by = divisor(settings, samples=5, tokens=whole.new.numel(), per=per)
    batch = whole.loss(settings, per=by)
    batch.value.backward()

    total, gradients = Tally(), []
    for start, end in pairwise(cuts):
        piece = Given(rows=slice(start, end))
        loss = piece.loss(settings, per=by)
        loss.value.backward()
        total += loss.tally
        gradients.append(piece.grid.grad)

    assert total.metrics() == pytest.approx(batch.metrics, rel=1e-12, abs=1e-15)
    torch.testing.assert_close(torch.cat(gradients), whole.grid.grad, rtol=1e-12, atol=1e-15)  # type: ignore[arg-type]
    if per is None:
        assert Given().loss(settings).value.item() == pytest.approx(batch.value.item(), rel=1e-12)


def test_the_divisor_counts_rollouts_samples_or_tokens() -> None:
    assert divisor(LossSettings(), samples=16, tokens=900, per=8) == 8
    assert divisor(LossSettings(), samples=16, tokens=900) == 16
    assert divisor(LossSettings(aggregate="fixed"), samples=16, tokens=900, per=8) == 8
    assert divisor(LossSettings(aggregate="token"), samples=16, tokens=900, per=8) == 900
    assert divisor(LossSettings(aggregate="token"), samples=0, tokens=0) == 1


def test_nothing_said_gives_nothing_to_learn() -> None:
    new = flat().requires_grad_()
    loss = policy_loss(new, None, None, flat(), torch.tensor([], dtype=torch.long))
    loss.value.backward()

    assert loss.value.item() == 0
    assert loss.metrics["learn/tokens"] == 0
    assert Tally().metrics() == {"learn/loss": 0.0, "learn/tokens": 0.0}


@pytest.mark.parametrize("kind", ["clip", "gspo", "cispo"])
@pytest.mark.parametrize("old", [-3000.0, 3000.0])
def test_absurd_ratios_stay_finite(kind: Any, old: float) -> None:
    new = torch.tensor([-1.0, -1.0, -1.0], requires_grad=True)
    far = torch.tensor([old, -1.0, -1.0])
    settings = LossSettings(kind=kind, kl=0.1, tis=2.0)
    loss = policy_loss(new, far, -far, torch.tensor([-1.0, -1.0, 1.0]), SEQUENCE, settings=settings, reference=far)
    loss.value.backward()

    assert new.grad is not None
    assert new.grad.isfinite().all()
    assert all(math.isfinite(value) for value in loss.metrics.values())


def test_half_precision_is_lifted_to_single() -> None:
    new = torch.tensor([-1.0, -2.0], dtype=torch.bfloat16, requires_grad=True)
    loss = policy_loss(new, None, None, torch.tensor([1.0, 1.0], dtype=torch.bfloat16), torch.tensor([0, 0]))

    assert loss.value.dtype is torch.float32


# ------------------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"clip_low": -0.1}, "clip_low is -0.1"),
        ({"clip_high": math.inf}, "clip_high is inf"),
        ({"kl": -1.0}, "kl is -1.0"),
        ({"tis": -2.0}, "tis is -2.0"),
        ({"length": 0}, "length is 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        LossSettings(**settings)


def test_an_unknown_kind_is_told_when_the_recipe_is_read() -> None:
    with pytest.raises(RecipeError, match=r"unknown loss 'clipp'[\s\S]*did you mean 'clip'.*\"module:function\""):
        LossSettings(kind="clipp")
    assert {*KINDS, "imitate"} == {*OURS}


# --------------------------------------------------------------------------------------------------- somebody else's


def plain(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> Tensor:
    """Ratios that nothing clips."""
    return -(new - old).exp() * weights


def summed(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> Tensor:
    return (-new * weights).sum()


def cut_off(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> Tensor:
    return -new.detach() * weights


def in_plain_numbers(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> float:
    return 0.5


def test_somebody_elses_loss_is_named_by_module_and_function_and_added_up_like_ours() -> None:
    """Where nothing is clipped it is the paper's; correction, KL and aggregation come on top as ever."""
    values, told = [], []
    for kind in ("test_losses:plain", "clip"):
        given = Given()
        settings = LossSettings(kind=kind, clip_low=1.0, clip_high=1e9, tis=2.0, kl=0.1)
        loss = policy_loss(
            given.new,
            given.old,
            given.sampled,
            given.weights,
            given.sequence,
            settings=settings,
            reference=given.reference,
        )
        loss.value.backward()
        assert given.logits.grad is not None
        values += [torch.cat([loss.value.detach().flatten(), given.logits.grad.flatten()])]
        told += [loss.metrics]
    torch.testing.assert_close(values[0], values[1])
    assert told[0] == pytest.approx(told[1])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("summed", r"gave a tensor of \(\) for \d+ tokens"),
        ("in_plain_numbers", r"gave a float for \d+ tokens"),
        ("cut_off", "does not depend on new, so nothing is learnt"),
    ],
)
def test_somebody_elses_loss_is_held_to_a_loss_for_each_token(name: str, message: str) -> None:
    given = Given()
    with pytest.raises(RecipeError, match=rf"loss 'test_losses:{name}' {message}[\s\S]*a loss for each entry of new"):
        policy_loss(
            given.new, None, None, given.weights, given.sequence, settings=LossSettings(kind=f"test_losses:{name}")
        )


def raising(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> Tensor:
    raise ValueError("no such weight")


def test_somebody_elses_loss_that_raises_is_told_by_its_name_and_line() -> None:
    given = Given()
    told = r"loss 'test_losses:raising' failed: ValueError: no such weight \(.*test_losses.py:\d+\)"
    with pytest.raises(RecipeError, match=told):
        policy_loss(
            given.new, None, None, given.weights, given.sequence, settings=LossSettings(kind="test_losses:raising")
        )


def test_reading_the_settings_does_not_import_torch() -> None:
    modules = "prowess.learners.losses, prowess.credit.samples, prowess.credit.reward, prowess.credit.advantage"
    code = f"import sys, {modules}; print('torch' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
