"""What learning takes of GPUs, told by arithmetic before anything is rented.

    states       weights, gradient and moments, spread over the GPUs that learn
    gathered     what layers need whole while they compute: embedding, head, and three layers with their gradients
    activations  what a forward pass keeps of a stream of tokens for the backward pass

These are estimates: 6 to 40% too high in the one case where they could be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

GIB = 2**30
PEAK = {"bfloat16": 989e12, "float32": 67e12}
"""Products and sums a second that an H100 is sold with."""
SHARE = 0.4
"""Of these, what training reaches."""
AHEAD = 3
"""Layers that are whole at once: one computes, one comes, one goes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A model's numbers, as its configuration has them."""

    parameters: int
    layers: int
    hidden: int
    inner: int
    vocabulary: int
    tied: bool = False

    @property
    def ends(self) -> int:
        """Parameters of embedding and head."""
        return self.vocabulary * self.hidden * (1 if self.tied else 2)

    @property
    def layer(self) -> float:
        """Parameters of a layer."""
        return (self.parameters - self.ends) / self.layers


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """GiB on each GPU that learns."""

    states: float
    gathered: float
    activations: float
    host: float = 0.0
    """In the machine's own memory, for each GPU."""

    @property
    def total(self) -> float:
        return self.states + self.gathered + self.activations


def shape_of(model: Any) -> Shape:
    """Of a transformers model, which may be without weights."""
    config = model.config
    return Shape(
        parameters=sum(one.numel() for one in model.parameters()),
        layers=config.num_hidden_layers,
        hidden=config.hidden_size,
        inner=getattr(config, "intermediate_size", None) or 4 * config.hidden_size,
        vocabulary=config.vocab_size,
        tied=bool(getattr(config, "tie_word_embeddings", False)),
    )


def sizes(
    shape: Shape, *, gpus: int, tokens: int, adapter: bool = False, checkpointing: bool = False, offload: bool = False
) -> Sizes:
    """What a GPU needs where so many learn together, each feeding streams of so many tokens, in bfloat16.

    >>> seven = Shape(parameters=7_615_616_512, layers=28, hidden=3584, inner=18944, vocabulary=152064)
    >>> found = sizes(seven, gpus=8, tokens=28_048, checkpointing=True)
    >>> [round(one) for one in (found.states, found.gathered, found.activations, found.total)]
    [14, 5, 14, 32]
    """
    states = (4 if adapter else 16) * shape.parameters / gpus / GIB
    gathered = 0.0
    if gpus > 1 or offload:
        gathered = (2 * shape.ends + (2 if adapter else 4) * AHEAD * shape.layer) / GIB
    if checkpointing:
        kept = 2 * shape.layers * tokens * shape.hidden + 2 * tokens * (7 * shape.inner + 8 * shape.hidden)
    else:
        kept = 2 * shape.layers * tokens * (4 * shape.inner + 14 * shape.hidden)
    return Sizes(
        states=0.0 if offload else states,
        gathered=gathered,
        activations=kept / GIB,
        host=states if offload else 0.0,
    )


def seconds(shape: Shape, *, gpus: int, fed: float, context: int, dtype: str = "bfloat16") -> float:
    """How long a step takes that feeds so many tokens, in conversations of up to so many.

    >>> seven = Shape(parameters=7_615_616_512, layers=28, hidden=3584, inner=18944, vocabulary=152064)
    >>> round(seconds(seven, gpus=8, fed=384 * 9000, context=12_000))
    77
    """
    products = 8 * shape.parameters * fed
    attention = 16 * shape.layers * shape.hidden * (context / 2) * fed
    return (products + attention) / (gpus * SHARE * PEAK[dtype])
