"""First weights that can copy: what a large model learns early on and a tiny one has no time for.

An agent copies names and amounts from its task into its code. Language models do so with two attention heads in a row
(induction heads): one writes down, at every token, which tokens stood before it; another looks for the place whose
predecessors are what was said last, and says what came next there. Random weights find this circuit only after many
thousands of examples; here it is laid in, and training starts from a model that goes on copying
what it has begun to repeat, without knowing yet where to begin.

    layer 0   heads 0, 1, 2   attend to the token 1, 2, 3 places back and write it to a subspace of their own
    layer 1   head 0          query: the last three tokens; key: the three before; value: the token itself

Tokens in a subspace of their own, and those of the three predecessors: four orthogonal parts of the stream, each as
wide as a head. Everything else stays random, and all of it is trained.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor

THETA = 1e8
"""Base of the rotary positions: high, so that most of a head turns too slowly to tell places apart, and can match."""
_SLOW, _FAST = 2e-3, 2e-2
"""Turning by less radians per token is no place, by more is one."""
_SIZE = 0.06
"""Standard deviation of the embeddings."""
_OUTSIDE = 0.3
"""How much of an embedding is left outside of the tokens' own subspace."""
_SHARP_PLACE, _SHARP_MATCH = 8.0, 2.0
"""How decidedly the heads attend."""
_LOUD = 6.0
"""How loud what is copied is said, beside what the stream holds."""


@torch.no_grad()
def lay_copying(model: Any, seed: int) -> None:
    """Lay the circuit into a Llama model with biases in its attention and at least two layers and heads."""
    shape = model.config
    draws = torch.Generator().manual_seed(seed)
    size = shape.hidden_size // shape.num_attention_heads
    reach = min(3, shape.num_attention_heads - 1)
    basis = _turn(shape.hidden_size, draws)
    own, *before = (basis[:, part * size : (part + 1) * size] for part in range(reach + 1))
    embeddings = model.model.embed_tokens.weight
    drawn = torch.randn(embeddings.shape, generator=draws) * _SIZE
    embeddings.copy_(_OUTSIDE * drawn + (1 - _OUTSIDE) * drawn @ own @ own.T)
    said = _SIZE * math.sqrt(size / shape.hidden_size)
    speeds = THETA ** (-torch.arange(0, size, 2) / size)
    for layer in model.model.layers[:2]:
        layer.self_attn.o_proj.weight *= 0.1  # heads that are not in the circuit share its values; they start quietly
    for head, target in enumerate(before):
        attention = _Head(model.model.layers[0].self_attn, head, size)
        query, key = _looking_back(head + 1, speeds)
        attention.point(query, key)
        attention.carry(own.T, target * said)
    match = _Head(model.model.layers[1].self_attn, 0, size)
    match.compare(*_alike([own, *before], speeds, draws))
    match.carry(own.T, own * said * _LOUD)


class _Head:
    """One attention head of a layer, with the head of keys and values that it shares."""

    def __init__(self, attention: Any, head: int, size: int) -> None:
        self.attention = attention
        self.mine = slice(head * size, (head + 1) * size)
        shared = head // attention.num_key_value_groups
        self.shared = slice(shared * size, (shared + 1) * size)

    def point(self, query: Tensor, key: Tensor) -> None:
        """Attend by place: the same query and key at every token."""
        for layer, rows, bias in ((self.attention.q_proj, self.mine, query), (self.attention.k_proj, self.shared, key)):
            layer.weight[rows] *= 0.1
            layer.bias[rows] = bias

    def compare(self, query: Tensor, key: Tensor) -> None:
        """Attend by content."""
        self.attention.q_proj.weight[self.mine] = query
        self.attention.k_proj.weight[self.shared] = key

    def carry(self, read: Tensor, write: Tensor) -> None:
        """What is taken from the token attended to, and where it is put."""
        self.attention.v_proj.weight[self.shared] = read
        self.attention.o_proj.weight[:, self.mine] = write


def _looking_back(places: int, speeds: Tensor) -> tuple[Tensor, Tensor]:
    """A query and a key, the same for every token, that agree best so many places apart: their angle is that turn."""
    strength = torch.where(speeds > _FAST, math.sqrt(_SHARP_PLACE * math.sqrt(2 * len(speeds))), 0.0)
    turn = -speeds * places
    return torch.cat([strength * turn.cos(), strength * turn.sin()]), torch.cat([strength, torch.zeros_like(strength)])


def _alike(parts: list[Tensor], speeds: Tensor, draws: torch.Generator) -> tuple[Tensor, Tensor]:
    """Projections under which tokens and their predecessors agree with the predecessors of another place."""
    size = parts[0].shape[1]
    slow = (speeds < _SLOW).nonzero()[:, 0]
    rows = torch.cat([slow, slow + len(speeds)])
    look = _turn(size, draws)[: len(rows)]
    query, key = torch.zeros(size, parts[0].shape[0]), torch.zeros(size, parts[0].shape[0])
    for now, earlier in pairwise(parts):
        turned = _turn(len(rows), draws) @ look * math.sqrt(_SHARP_MATCH)
        query[rows] += turned @ now.T
        key[rows] += turned @ earlier.T
    return query, key


def _turn(size: int, draws: torch.Generator) -> Tensor:
    """A random orthogonal matrix."""
    turned: Tensor = torch.linalg.qr(torch.randn(size, size, generator=draws))[0]
    return turned
