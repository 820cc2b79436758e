"""Keys and values of many conversations side by side, kept from one turn to the next.

    row 0     a bin: what padding writes goes here and nobody reads it
    row 1     k k k k k k k . . . .      each row is one conversation, filled up to a length of its own
    row 2     k k k . . . . . . . .
    row 3     k k k k k . . . . . .

A forward pass is told beforehand where its tokens are written, one cell for each. It reads the rows where they lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import Cache

STEP = 256
"""Rows grow longer by so many cells at a time."""


class Slots(Cache):  # type: ignore[misc,unused-ignore]
    """The `past_key_values` of a transformers model, with rows of unequal length."""

    def __init__(self) -> None:
        super().__init__(layers=[])
        self.rows = 0
        self.length = 0
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []
        self._write = torch.empty(0)

    @property
    def bytes_per_token(self) -> int:
        """What one token of one row takes in all layers; 0 before the first forward pass."""
        return sum(each.shape[-1] * each.element_size() for each in (*self._keys, *self._values))

    def reserve(self, rows: int, length: int) -> None:
        """Make room for so many rows, besides the bin, of so many tokens; what they hold stays.

        Where rows must grow longer, there are no more of them afterwards than are asked for.
        """
        if rows <= self.rows and length <= self.length:
            return
        old_length = self.length
        self.rows = rows if length > old_length else max(rows, self.rows)
        self.length = max(-(-length // STEP) * STEP, old_length)
        for tensors in (self._keys, self._values):
            for layer, old in enumerate(tensors):
                tensors[layer] = self._new(old.shape[-1], old)
                kept = min(len(old), self.rows + 1)
                tensors[layer][:kept, :old_length] = old[:kept]

    def clear(self) -> None:
        """Give the memory back."""
        self.rows = self.length = 0
        self._keys, self._values = [], []

    def aim(self, write: Tensor) -> None:
        """Say where the next forward pass writes its tokens: one cell for each."""
        self._write = write

    def copy(self, source: int, targets: Sequence[int], length: int) -> None:
        """The first tokens of one row in others, too."""
        for tensor in (*self._keys, *self._values):
            for target in targets:
                tensor[target, :length] = tensor[source, :length]

    def arrange(self, order: Sequence[int], length: int) -> None:
        """Put the first rows in another order: what was row order[i] + 1 becomes row i + 1."""
        for tensor in (*self._keys, *self._values):
            front = tensor[1 : len(order) + 1, :length]
            front.copy_(front[torch.tensor(order, device=tensor.device)])

    def update(
        self, key_states: Tensor, value_states: Tensor, layer_idx: int, *args: Any, **kwargs: Any
    ) -> tuple[Tensor, Tensor]:
        """Called by each layer of the model: write what it computed, hand back all rows."""
        while len(self._keys) <= layer_idx:
            self._keys.append(self._new(key_states.shape[1] * key_states.shape[3], key_states))
            self._values.append(self._new(value_states.shape[1] * value_states.shape[3], value_states))
        return self._through(self._keys[layer_idx], key_states), self._through(self._values[layer_idx], value_states)

    def get_seq_length(self, layer_idx: int = 0) -> int:
        return 0

    def _through(self, kept: Tensor, new: Tensor) -> Tensor:
        _, heads, _, size = new.shape
        kept.view(-1, heads * size).index_copy_(0, self._write, new.transpose(1, 2).reshape(-1, heads * size))
        return kept.view(*kept.shape[:2], heads, size).transpose(1, 2)

    def _new(self, width: int, like: Tensor) -> Tensor:
        return torch.zeros((self.rows + 1, self.length, width), dtype=like.dtype, device=like.device)
