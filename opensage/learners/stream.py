"""Samples to micro-batches: whole samples one after the other, as many as fit, without padding.

A sample is fed up to the token before its last said one: nothing later is asked about. With tokens said at 2 and 4

    tokens     5  6  7  8  9  3          of which 7 and 9 are said
    fed        5  6  7  8                9 is asked about and never fed, 3 is neither
    places        1     3                where the prediction of a said token stands
    targets       7     9

Longest samples come first: a batch that does not fit into memory says so at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from opensage.learners.packed import Layout, layout
from opensage.types import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A micro-batch: tokens to feed, and what to ask about them. All but `tokens` have one entry per said token."""

    tokens: Tensor
    """[1, fed]"""
    layout: Layout
    places: Tensor
    targets: Tensor
    weights: Tensor
    sampled: Tensor | None
    """The sampler's log-probabilities, where all are known."""
    sequence: Tensor
    """Which sample of this micro-batch a said token belongs to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What of a sample is fed and asked about."""

    tokens: tuple[int, ...]
    asked: tuple[int, ...]
    """Where the said tokens stand in the sample."""
    sample: Sample


def piece_of(sample: Sample) -> Piece | None:
    """A sample without what nothing depends on; None where nothing was said. A first token has nothing before it."""
    asked = tuple(place for place, said in enumerate(sample.mask) if said and place > 0)
    return Piece(tokens=sample.tokens[: asked[-1]], asked=asked, sample=sample) if asked else None


def streams(pieces: Sequence[Piece], *, budget: int, known: bool, packed: bool, device: torch.device) -> list[Stream]:
    """Micro-batches of at most so many tokens, or of one sample where that alone is longer, or packing is off."""
    order = sorted(range(len(pieces)), key=lambda number: (-len(pieces[number].tokens), number))
    groups = _filled([pieces[number] for number in order], budget if packed else 0)
    return [_stream(group, known=known, device=device) for group in groups]


def _filled(pieces: Sequence[Piece], budget: int) -> Iterator[list[Piece]]:
    group: list[Piece] = []
    for piece in pieces:
        if group and sum(len(one.tokens) for one in group) + len(piece.tokens) > budget:
            yield group
            group = []
        group.append(piece)
    if group:
        yield group


def _stream(pieces: Sequence[Piece], *, known: bool, device: torch.device) -> Stream:
    tokens: list[int] = []
    places: list[int] = []
    targets: list[int] = []
    weights: list[float] = []
    sampled: list[float] = []
    sequence: list[int] = []
    for number, piece in enumerate(pieces):
        places += [len(tokens) + place - 1 for place in piece.asked]
        tokens += piece.tokens
        targets += [piece.sample.tokens[place] for place in piece.asked]
        weights += [piece.sample.weights[place] for place in piece.asked]
        sampled += [piece.sample.logprobs[place] for place in piece.asked]
        sequence += [number] * len(piece.asked)
    return Stream(
        tokens=torch.tensor([tokens], device=device),
        layout=layout([len(piece.tokens) for piece in pieces], device),
        places=torch.tensor(places, device=device),
        targets=torch.tensor(targets, device=device),
        weights=torch.tensor(weights, dtype=torch.float32, device=device),
        sampled=torch.tensor(sampled, dtype=torch.float32, device=device) if known else None,
        sequence=torch.tensor(sequence, device=device),
    )
