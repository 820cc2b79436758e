"""Attention for one new token per row: keys are read once per group of heads, and no further than rows are long.

Two savings over the stock path, which copies keys and values for every query head and reads all rows to the length of
the longest. The query heads that share a head of keys are folded into one query of several positions, so nothing is
copied. And rows come in parts of about the same length, each read to its own. Any other pass goes the stock way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from torch import Tensor, cat
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward

NAME = "prowess"
_LEAST = 16
"""Rows in a part, at least: smaller ones cost more calls than they save reading."""
_ALIKE = 0.8
"""Neighbours whose lengths differ by less make one part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpan:
    """Rows from `start` to `stop`, of which the longest has `seen` tokens."""

    start: int
    stop: int
    seen: int


PARTS: ContextVar[tuple[RowSpan, ...]] = ContextVar("parts", default=())
"""How the rows of the pass under way are read; one part if nothing is said."""


def parts_of(lengths: Sequence[int]) -> tuple[RowSpan, ...]:
    """Neighbouring rows of about the same length.

    >>> [(part.start, part.stop, part.seen) for part in parts_of([900] * 16 + [850] * 16 + [100] * 20)]
    [(0, 32, 900), (32, 52, 100)]
    """
    parts: list[RowSpan] = []
    for start in range(0, len(lengths), _LEAST):
        stop = min(start + _LEAST, len(lengths))
        seen = max(lengths[start:stop])
        last = parts[-1] if parts else None
        if last and (min(seen, last.seen) >= _ALIKE * max(seen, last.seen) or stop - start < _LEAST // 2):
            start, seen = parts.pop().start, max(seen, last.seen)
        parts.append(RowSpan(start=start, stop=stop, seen=seen))
    return tuple(parts)


def attend(
    module: Any,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    dropout: float = 0.0,
    scaling: float | None = None,
    **kwargs: Any,
) -> tuple[Tensor, None]:
    """transformers' attention interface: rows, heads, tokens and width in; rows, tokens, heads and width out."""
    rows, heads, tokens, width = query.shape
    if tokens != 1 or attention_mask is None:
        answer = sdpa_attention_forward(module, query, key, value, attention_mask, dropout, scaling, **kwargs)
        return answer[0], None
    shared = key.shape[1]
    folded = query.reshape(rows, shared, heads // shared, width)
    whole = (RowSpan(start=0, stop=rows, seen=key.shape[2]),)
    read = [
        scaled_dot_product_attention(
            folded[part.start : part.stop],
            key[part.start : part.stop, :, : part.seen],
            value[part.start : part.stop, :, : part.seen],
            attn_mask=attention_mask[part.start : part.stop, :, :, : part.seen].expand(-1, 1, heads // shared, -1),
            scale=scaling,
        )
        for part in PARTS.get() or whole
    ]
    return (read[0] if len(read) == 1 else cat(read)).reshape(rows, 1, heads, -1), None


@contextmanager
def attending(config: Any) -> Iterator[None]:
    """Let a model attend our way for a while, if it attends by PyTorch's scaled dot product."""
    before = config._attn_implementation
    if before != "sdpa":
        yield
        return
    config._attn_implementation = NAME
    try:
        yield
    finally:
        config._attn_implementation = before


AttentionInterface.register(NAME, attend)
