"""Samples to micro-batches: whole samples one after the other, as many as fit, without padding.

A sample is fed up to the token before its last said one: nothing later is asked about. With tokens said at 2 and 4

    tokens     5  6  7  8  9  3          of which 7 and 9 are said
    fed        5  6  7  8                9 is asked about and never fed, 3 is neither
    places        1     3                where the prediction of a said token stands
    targets       7     9

Samples that begin alike stand beside each other. What they share is fed once, and asked about once. With a second that
begins as this one

    tokens     5  6  7  8  9  3         5  6  7  4         of which 7 and 4 are said
    fed        5  6  7  |  8                               two segments: the second goes on from the first
    places        1  2     3
    targets       7  4     9
    asked      0  2                     0  1               where each said token is found in them

Micro-batches with most tokens come first: a batch that does not fit into memory says so at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from prowess.errors import RecipeError
from prowess.learners.layout import Layout, layout, slots_of
from prowess.learners.tree import SHORTEST, filled, tree_of
from prowess.types import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A micro-batch: tokens to feed, and what to ask about them. From `asked` on there is an entry per said token."""

    tokens: Tensor
    """[1, fed]"""
    whole: int
    """Tokens of the samples; what several share counts for each of them."""
    samples: int
    """How many there are."""
    layout: Layout
    places: Tensor
    """Where predictions are asked for ..."""
    targets: Tensor
    """... and of which token; no two are alike in both."""
    asked: Tensor
    """Which of these is the prediction of a said token."""
    weights: Tensor
    sampled: Tensor | None
    """The sampler's log-probabilities, NaN for a sample whose are not known; None where none is."""
    sequence: Tensor
    """Which sample of this micro-batch a said token belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FedSample:
    """What of a sample is fed and asked about."""

    tokens: tuple[int, ...]
    asked: NDArray[np.int64]
    """Where the said tokens stand in the sample."""
    sample: Sample

    def said(self, values: Sequence[float], kind: type = float) -> NDArray[Any]:
        """Of values that the sample has for each token, those of what was said."""
        return _array(values, kind)[self.asked]

    @property
    def heard(self) -> NDArray[np.float64]:
        """The sampler's log-probabilities of what was said; NaN where they are not known, which is where all are 0."""
        found = self.said(self.sample.logprobs)
        return found if found.any() else np.full(len(found), nan)


def piece_of(sample: Sample) -> FedSample | None:
    """A sample without what nothing depends on; None where nothing was said. A first token has nothing before it."""
    asked = np.flatnonzero(_array(sample.mask, bool)[1:]) + 1
    return FedSample(tokens=sample.tokens[: int(asked[-1])], asked=asked, sample=sample) if asked.size else None


def pieces_of(samples: Sequence[Sample], context: float) -> list[FedSample]:
    """The pieces of samples in which something was said; each must fit the model's context."""
    pieces = [piece for sample in samples if (piece := piece_of(sample))]
    longest = max((len(piece.tokens) for piece in pieces), default=0)
    if longest > context:
        raise RecipeError(
            f"a sample of {longest} tokens does not fit the model, whose context is {context}",
            hint="a smaller agent.context_tokens plays shorter ones, a smaller sft.longest leaves long ones out",
        )
    return pieces


def streams(
    pieces: Sequence[FedSample],
    *,
    budget: int,
    known: bool,
    packed: bool,
    device: torch.device,
    shortest: int = SHORTEST,
) -> list[Stream]:
    """Micro-batches of at most so many tokens, or of one sample where that alone is longer, or packing is off.

    Beginnings of fewer than `shortest` tokens are not shared.
    """
    ordered = sorted(pieces, key=lambda piece: piece.tokens)
    runs = filled([piece.tokens for piece in ordered], budget if packed else 0, shortest)
    made = [_stream([ordered[number] for number in run], known, device, shortest) for run in runs]
    return sorted(made, key=lambda stream: -stream.tokens.numel())


def _stream(pieces: Sequence[FedSample], known: bool, device: torch.device, shortest: int) -> Stream:
    tree = tree_of([piece.tokens for piece in pieces], shortest)
    lengths = [len(segment) for segment in tree.segments]
    slots = slots_of(lengths)
    paths = [torch.cat([slots[number] for number in way]) for way in tree.sequences]
    places = torch.cat([path[torch.from_numpy(one.asked - 1)] for path, one in zip(paths, pieces, strict=True)])
    targets = _joined(piece.said(piece.sample.tokens, int) for piece in pieces)
    size = int(targets.max()) + 1
    pairs, asked = torch.unique(places * size + targets, return_inverse=True)  # one number for each: much faster
    return Stream(
        tokens=_joined(_array(one, int) for one in tree.segments)[None].to(device),
        whole=sum(len(piece.tokens) for piece in pieces),
        samples=len(pieces),
        layout=layout(lengths, tree.ways, device),
        places=(pairs // size).to(device),
        targets=(pairs % size).to(device),
        asked=asked.to(device),
        weights=_joined(piece.said(piece.sample.weights) for piece in pieces).float().to(device),
        sampled=_joined(piece.heard for piece in pieces).float().to(device) if known else None,
        sequence=torch.arange(len(pieces))
        .repeat_interleave(torch.tensor([len(one.asked) for one in pieces]))
        .to(device),
    )


def _array(values: Sequence[float], kind: type) -> NDArray[Any]:
    return np.fromiter(values, kind, len(values))  # a third faster than np.array


def _joined(parts: Iterable[NDArray[Any]]) -> Tensor:
    return torch.from_numpy(np.concatenate([*parts]))
