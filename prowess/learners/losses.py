"""What a learner minimises, on the tokens the model said, laid flat.

A micro-batch holds whole samples. Each of these has one entry per said token, in order (a sample of 3 said tokens and
one of 2):

    sequence   0    0    0    1    1       which sample; counted from 0, without gaps
    weights    .5   .5   .5   -1   -1      the advantage; in imitation 1
    new        the log-probability now, with its gradient
    old        the learner's own before the first optimiser step on this batch; None: the same as now, so the ratio is 1
    sampled    the sampler's, which computes a little differently; None, or NaN for a token: not known
    reference  the start's, for the KL penalty

With ratio = exp(new - old) and A the advantage, a token's loss is

    clip     -min(ratio * A, clamp(ratio, 1 - clip_low, 1 + clip_high) * A)            PPO, GRPO, and the paper
    gspo     the same with the ratio's geometric mean over the sample in place of the token's ratio
    cispo    -min(ratio, 1 + clip_high) * A * new, the first factor without gradient   no token is silenced
    imitate  -A * new, and nothing of what follows

or what a function of somebody else's says ("module:function", called as those of `KINDS` are, with a tensor in return),
times min(exp(old - sampled), tis) where truncated importance sampling is on, plus kl * k3, where
k3 = exp(reference - new) - (reference - new) - 1 estimates the KL from the start without ever being negative.

Losses add up over samples in one of three ways, with `per` given for the whole batch (see `divisor`):

    sequence   mean over a sample's said tokens, summed over samples, by `per`: rollouts (the paper) or samples
    token      sum over all said tokens, by the number of them in the batch
    fixed      sum over all said tokens, by `per` and by a fixed length: long samples are not favoured (Dr. GRPO)

Both the value and the metrics of a batch are plain sums over its micro-batches, so it may be cut up in any way:

    total = Tally()
    for part in parts:
        loss = policy_loss(..., settings=settings, per=divisor(settings, samples=32, tokens=9000, per=16))
        loss.value.backward()
        total += loss.tally
    metrics = total.metrics()                          # the only place that waits for the device
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from prowess.errors import RecipeError, blamed, check_range
from prowess.recipe import lookup

if (
    TYPE_CHECKING
):  # a recipe holds these settings, and reading one should not take the seconds that importing torch does
    from torch import Tensor

FAR = 20.0
"""Log-ratios are kept within this of 0: beyond it exp overflows and one token would be all there is."""

WATCHED = 2.0
"""Where truncated importance sampling is off, tokens above this ratio are counted as those it would have capped."""

SAMPLED = ("learn/mismatch", "learn/mismatch_kl", "learn/capped")
"""Metrics that compare with the sampler."""
HEARD = "heard"
"""Tokens whose log-probability the sampler told: no metric, but what the means of these are over."""

OURS = ("clip", "gspo", "cispo", "imitate")


@dataclass(frozen=True, slots=True, kw_only=True)
class LossSettings:
    """What the learner minimises."""

    kind: str = "clip"
    """clip (token ratios, as in the paper), gspo (ratios of whole samples), cispo (capped weights), imitate, or
    "module:function"."""
    clip_low: float = 0.2
    """How far below 1 a ratio may fall before it is clipped (gspo: 3e-4; cispo does not use it)."""
    clip_high: float = 0.2
    """How far above 1 a ratio may rise before it is clipped (clip-higher: 0.28; gspo: 4e-4; cispo: 4)."""
    aggregate: Literal["sequence", "token", "fixed"] = "sequence"
    """Mean over the tokens of each sample (the paper), mean over all tokens, or the sum by a fixed length."""
    length: int = 1024
    """The length that `fixed` divides by, in tokens."""
    kl: float = 0.0
    """Weight of the KL to the start; 0 needs no reference model (the paper)."""
    tis: float = 0.0
    """Cap of truncated importance sampling between learner and sampler (2 is usual); 0 for none (the paper)."""

    def __post_init__(self) -> None:
        check_range(self, 0, "clip_low", "clip_high", "kl", "tis")
        check_range(self, 1, "length")
        if ":" not in self.kind:  # somebody else's is imported when learning begins
            lookup("loss", self.kind, dict.fromkeys(OURS))


PAPER = LossSettings()


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What metrics are made of: sums over tokens, on the device until they are read. Micro-batches simply add up."""

    tokens: int = 0
    loss: Tensor | float = 0.0
    sums: Mapping[str, Tensor | float] = field(default_factory=dict)
    """By the metric's name."""

    def __add__(self, other: Tally) -> Tally:
        names = {**self.sums, **other.sums}
        return Tally(
            tokens=self.tokens + other.tokens,
            loss=self.loss + other.loss,
            sums={name: self.sums.get(name, 0.0) + other.sums.get(name, 0.0) for name in names},
        )

    def metrics(self) -> dict[str, float]:
        """The loss, the number of tokens and means over them as plain numbers, fetched from the device in one go; of
        what compares with the sampler, over those whose log-probability it told."""
        import torch

        loss, *sums = torch.stack([torch.as_tensor(one) for one in (self.loss, *self.sums.values())]).tolist()
        totals = dict(zip(self.sums, sums, strict=True))
        heard = totals.pop(f"learn/{HEARD}", 0.0)
        means = {name: total / max(heard if name in SAMPLED else self.tokens, 1) for name, total in totals.items()}
        return {"learn/loss": loss, "learn/tokens": float(self.tokens), **means}


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """What to go down, and what to tell about it."""

    value: Tensor
    """This micro-batch's share of the batch's loss: call backward on it."""
    tally: Tally

    @property
    def metrics(self) -> dict[str, float]:
        """The metrics, where this is the whole batch."""
        return self.tally.metrics()


def policy_loss(
    new: Tensor,
    old: Tensor | None,
    sampled: Tensor | None,
    weights: Tensor,
    sequence: Tensor,
    *,
    settings: LossSettings = PAPER,
    per: float | None = None,
    reference: Tensor | None = None,
    entropy: Tensor | None = None,
) -> Loss:
    """The loss of a micro-batch by the settings' kind; `per` as `divisor` says, None where this is the whole batch.

    `entropy`, one value per token, is only told about.
    """
    if settings.kind == "imitate":
        return imitation_loss(new, weights, sequence, settings=settings, per=per, entropy=entropy)
    new, weights = _precise(new), _precise(weights)
    old = new.detach() if old is None else _precise(old).detach()
    term = make_kind(settings.kind)(new, old, weights, sequence, settings)
    loss = term.loss
    told = {"ratio": term.ratio, "clip_low": term.low, "clip_high": term.high}
    if sampled is not None:
        sampled = _precise(sampled).detach()
        heard = ~sampled.isnan()
        gap = _near((old - sampled).where(heard, 0.0))
        if settings.tis:
            loss = loss * gap.exp().clamp(max=settings.tis)
        capped = (gap.exp() > (settings.tis or WATCHED)) & heard
        told |= {"mismatch": gap.abs(), "mismatch_kl": gap.exp() - gap - 1, "capped": capped, HEARD: heard}
    assert reference is not None or not settings.kl, "a KL penalty needs the reference's log-probabilities"
    if reference is not None:
        k3 = _k3(new, _precise(reference).detach())
        loss = loss + settings.kl * k3 if settings.kl else loss
        told["kl"] = k3
    return _closed(loss, sequence, settings, per, told | _said(new, entropy))


def imitation_loss(
    new: Tensor,
    weights: Tensor,
    sequence: Tensor,
    *,
    settings: LossSettings = PAPER,
    per: float | None = None,
    entropy: Tensor | None = None,
) -> Loss:
    """Weighted cross-entropy. Of the settings only how losses add up plays a part."""
    new = _precise(new)
    return _closed(-_precise(weights) * new, sequence, settings, per, _said(new, entropy))


def divisor(settings: LossSettings, *, samples: int, tokens: int, per: float | None = None) -> float:
    """What the whole batch's sum is divided by, to be given to each of its micro-batches.

    `tokens` counts the said tokens of all samples; `per` is the number of rollouts, where a sum over the positions of
    a chain is wanted (the paper), and None for a mean over samples.

    >>> divisor(LossSettings(), samples=16, tokens=9000, per=8), divisor(LossSettings(), samples=16, tokens=9000)
    (8.0, 16.0)
    >>> divisor(LossSettings(aggregate="token"), samples=16, tokens=9000, per=8)
    9000.0
    """
    if settings.aggregate == "token":
        return float(max(tokens, 1))
    return float(per or max(samples, 1))


# ------------------------------------------------------------------------------------------------------------- kinds


@dataclass(frozen=True, slots=True, kw_only=True)
class _Term:
    """A token's loss by one kind, and where its ratio was stopped. One entry per token each."""

    loss: Tensor
    ratio: Tensor
    low: Tensor
    high: Tensor


Kind = Callable[["Tensor", "Tensor", "Tensor", "Tensor", LossSettings], _Term]
"""From new, old, weights, sequence and the settings to the losses of tokens."""


def _clip(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> _Term:
    return _clipped(_near(new - old).exp(), weights, settings)


def _gspo(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> _Term:
    mean = _per_sequence(_near(new - old), sequence) / _lengths(sequence, new).clamp(min=1)
    return _clipped(mean.exp()[sequence], weights, settings)


def _cispo(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> _Term:
    ratio = _near(new.detach() - old).exp()
    high = ratio > 1 + settings.clip_high
    loss = -ratio.clamp(max=1 + settings.clip_high) * weights * new
    return _Term(loss=loss, ratio=ratio, low=high & ~high, high=high)


KINDS: Mapping[str, Kind] = {"clip": _clip, "gspo": _gspo, "cispo": _cispo}


def make_kind(name: str) -> Kind:
    """The kind that a recipe names; `"module:function"` gives a tensor, the loss of each token."""
    if name in KINDS:
        return KINDS[name]
    theirs: Callable[..., object] = lookup("loss", name, {}, takes=["new", "old", "weights", "sequence", "settings"])

    def kind(new: Tensor, old: Tensor, weights: Tensor, sequence: Tensor, settings: LossSettings) -> _Term:
        with blamed(f"loss '{name}'"):
            given = theirs(new, old, weights, sequence, settings)
        loss = _checked(name, given, new)
        ratio = _near(new.detach() - old).exp()
        nowhere = ratio.isnan()
        return _Term(loss=loss, ratio=ratio, low=nowhere, high=nowhere)

    return kind


def _checked(name: str, given: object, new: Tensor) -> Tensor:
    """Somebody else's losses: one for each token, through which the gradient goes."""
    import torch

    hint = "it gets new, old, weights, sequence and the settings of [loss], and returns a loss for each entry of new"
    if not isinstance(given, torch.Tensor) or given.shape != new.shape:
        what = f"a tensor of {tuple(given.shape)}" if isinstance(given, torch.Tensor) else f"a {type(given).__name__}"
        raise RecipeError(f"loss '{name}' gave {what} for {new.numel()} tokens", hint=hint)
    if new.requires_grad and not given.requires_grad:
        raise RecipeError(f"loss '{name}' does not depend on new, so nothing is learnt from it", hint=hint)
    return given


def _clipped(ratio: Tensor, weights: Tensor, settings: LossSettings) -> _Term:
    """The pessimistic one of the ratio and its clipped self: what is clipped has no gradient."""
    least, most = 1 - settings.clip_low, 1 + settings.clip_high
    return _Term(
        loss=-(ratio * weights).minimum(ratio.clamp(least, most) * weights),
        ratio=ratio.detach(),
        low=(ratio < least) & (weights < 0),
        high=(ratio > most) & (weights > 0),
    )


def _k3(new: Tensor, reference: Tensor) -> Tensor:
    """Schulman's third estimate of the KL from the reference, token by token: never negative, and 0 where equal."""
    gap = _near(reference - new)
    return gap.exp() - gap - 1


# ------------------------------------------------------------------------------------------------------------- adding


def _closed(
    loss: Tensor, sequence: Tensor, settings: LossSettings, per: float | None, told: Mapping[str, Tensor]
) -> Loss:
    """The micro-batch's share of the batch's loss, and what is told about its tokens, added up."""
    value = _aggregated(loss, sequence, settings, per)
    sums = {f"learn/{name}": _exact(values).sum() for name, values in told.items()}
    return Loss(value=value, tally=Tally(tokens=loss.numel(), loss=_exact(value), sums=sums))


def _said(new: Tensor, entropy: Tensor | None) -> dict[str, Tensor]:
    return {"nll": -new} if entropy is None else {"nll": -new, "entropy": entropy}


def _aggregated(loss: Tensor, sequence: Tensor, settings: LossSettings, per: float | None) -> Tensor:
    if settings.aggregate == "token":
        return loss.sum() / (max(loss.numel(), 1) if per is None else per)
    lengths = _lengths(sequence, loss)
    share = lengths[sequence] if settings.aggregate == "sequence" else settings.length
    return (loss / share).sum() / ((lengths > 0).sum().clamp(min=1) if per is None else per)


def _lengths(sequence: Tensor, like: Tensor) -> Tensor:
    """How many said tokens each sample has, padded with zeros to the number of tokens.

    So padded, its size is known without asking the device, which would have to be waited for.
    """
    return _per_sequence(like.new_ones(like.shape), sequence)


def _per_sequence(values: Tensor, sequence: Tensor) -> Tensor:
    return values.new_zeros(values.shape).index_add(0, sequence, values)


def _near(gap: Tensor) -> Tensor:
    return gap.clamp(-FAR, FAR)


def _precise(values: Tensor) -> Tensor:
    """At least single precision: ratios near 1 drown in half."""
    return values.float() if values.element_size() < 4 else values


def _exact(values: Tensor) -> Tensor:
    """For adding up in double precision, where the device has it, so that it does not matter how a batch was cut."""
    return values.detach().float() if values.device.type == "mps" else values.detach().double()
