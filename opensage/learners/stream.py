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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, compress, count, islice
from math import nan

import torch
from torch import Tensor

from opensage.errors import RecipeError
from opensage.learners.layout import Layout, layout, slots_of
from opensage.learners.tree import SHORTEST, filled, tree_of
from opensage.types import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A micro-batch: tokens to feed, and what to ask about them. From `asked` on there is an entry per said token."""

    tokens: Tensor
    """[1, fed]"""
    whole: int
    """Tokens of the samples; what several share counts for each of them."""
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
class Piece:
    """What of a sample is fed and asked about."""

    tokens: tuple[int, ...]
    asked: tuple[int, ...]
    """Where the said tokens stand in the sample."""
    sample: Sample

    @property
    def heard(self) -> list[float]:
        """The sampler's log-probabilities of what was said; NaN where they are not known, which is where all are 0."""
        found = [self.sample.logprobs[place] for place in self.asked]
        return found if any(found) else [nan] * len(found)


def piece_of(sample: Sample) -> Piece | None:
    """A sample without what nothing depends on; None where nothing was said. A first token has nothing before it."""
    asked = tuple(compress(count(1), islice(sample.mask, 1, None)))
    return Piece(tokens=sample.tokens[: asked[-1]], asked=asked, sample=sample) if asked else None


def pieces_of(samples: Sequence[Sample], context: float) -> list[Piece]:
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
    pieces: Sequence[Piece], *, budget: int, known: bool, packed: bool, device: torch.device, shortest: int = SHORTEST
) -> list[Stream]:
    """Micro-batches of at most so many tokens, or of one sample where that alone is longer, or packing is off.

    Beginnings of fewer than `shortest` tokens are not shared.
    """
    ordered = sorted(pieces, key=lambda piece: piece.tokens)
    runs = filled([piece.tokens for piece in ordered], budget if packed else 0, shortest)
    made = [_stream([ordered[number] for number in run], known, device, shortest) for run in runs]
    return sorted(made, key=lambda stream: -stream.tokens.numel())


def _stream(pieces: Sequence[Piece], known: bool, device: torch.device, shortest: int) -> Stream:
    tree = tree_of([piece.tokens for piece in pieces], shortest)
    lengths = [len(segment) for segment in tree.segments]
    slots = slots_of(lengths)
    paths = [torch.cat([slots[number] for number in way]) for way in tree.sequences]
    places = torch.cat([path[torch.tensor(piece.asked) - 1] for path, piece in zip(paths, pieces, strict=True)])

    def said(values: Callable[[Sample], Sequence[float]]) -> list[float]:
        return [value for piece in pieces for value in map(values(piece.sample).__getitem__, piece.asked)]

    targets = torch.tensor(said(lambda sample: sample.tokens))
    size = int(targets.max()) + 1
    pairs, asked = torch.unique(places * size + targets, return_inverse=True)  # one number for each: much faster
    heard = [value for piece in pieces for value in piece.heard] if known else []
    return Stream(
        tokens=torch.tensor([[*chain.from_iterable(tree.segments)]], device=device),
        whole=sum(len(piece.tokens) for piece in pieces),
        layout=layout(lengths, tree.ways, device),
        places=(pairs // size).to(device),
        targets=(pairs % size).to(device),
        asked=asked.to(device),
        weights=torch.tensor(said(lambda sample: sample.weights), dtype=torch.float32, device=device),
        sampled=torch.tensor(heard, dtype=torch.float32, device=device) if known else None,
        sequence=torch.tensor([number for number, piece in enumerate(pieces) for _ in piece.asked], device=device),
    )
