"""Attention of a pass over one stream of tokens, which are of many conversations: each looks at its own row alone.

    stream     a9 b4 d7 | c0 c1 c2 c3        a, b and d say one more token each, c reads four
    rows       1: a0 .. a9   2: b0 .. b4   3: at rest   4: d0 .. d7   5: c0 .. c3
    spans      rows 1 to 4, read as far as the longest of them

Rows that say one token are read where they lie, in spans of about the same length, each no further than its longest.
The query heads that share a head of keys are folded into one query of several positions, so no key is copied. A row
that reads is attended by itself, the stock way.
"""

from __future__ import annotations

import sys
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
"""Rows in a span, at least: smaller ones cost more calls than they save reading."""
_ALIKE = 0.8
"""Neighbours whose lengths differ by less make one span."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSpan:
    """Rows from `start` to `stop`, of which the longest has `seen` tokens."""

    start: int
    stop: int
    seen: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """A row that reads several tokens: those of the stream from `start` to `stop`."""

    slot: int
    start: int
    stop: int
    seen: int
    """Tokens that the row then holds."""
    mask: Tensor
    """What each of its tokens may look at, as the stock attention takes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Which rows the tokens of a pass belong to. Those of rows that say one token come first, in the order of rows."""

    spans: tuple[RowSpan, ...]
    mask: Tensor | None
    """What each row of the spans may look at, one below the other; None where nobody says anything."""
    at: Tensor | None
    """For each row of the spans its token in the stream; None where no row among them rests."""
    back: Tensor | None
    """For each token its row among those of the spans; None likewise."""
    readers: tuple[Reader, ...]
    eager: bool
    """Whether the model attends in its own way, and not by PyTorch's scaled dot product."""


LAYOUT: ContextVar[Layout] = ContextVar("layout")
"""How the pass under way is laid out."""


def spans_of(lengths: Sequence[int]) -> tuple[RowSpan, ...]:
    """Neighbouring rows of about the same length; those at the ends of a span that hold nothing are left out.

    >>> [(span.start, span.stop, span.seen) for span in spans_of([900] * 16 + [850] * 16 + [100] * 20)]
    [(0, 32, 900), (32, 52, 100)]
    >>> [(span.start, span.stop, span.seen) for span in spans_of([0] * 18 + [7, 0, 9] + [0] * 30)]
    [(18, 21, 9)]
    """
    spans: list[RowSpan] = []
    for begin in range(0, len(lengths), _LEAST):
        held = [row for row in range(begin, min(begin + _LEAST, len(lengths))) if lengths[row]]
        if not held:
            continue
        start, stop, seen = held[0], held[-1] + 1, max(lengths[held[0] : held[-1] + 1])
        last = spans[-1] if spans else None
        if last and (min(seen, last.seen) >= _ALIKE * max(seen, last.seen) or stop - start < _LEAST // 2):
            start, seen = spans.pop().start, max(seen, last.seen)
        spans.append(RowSpan(start=start, stop=stop, seen=seen))
    return tuple(spans)


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
    """transformers' attention interface, with the keys of all rows; the mask that it hands on is not looked at."""
    layout = LAYOUT.get()
    stock = _own(module) if layout.eager else sdpa_attention_forward

    def stocked(query: Tensor, rows: slice, seen: int, mask: Tensor) -> Tensor:
        """Rows, tokens, heads and width."""
        keys, values = key[rows, :, :seen], value[rows, :, :seen]
        answer: Tensor = stock(module, query, keys, values, mask, dropout=dropout, scaling=scaling, **kwargs)[0]
        return answer

    found: list[Tensor] = []
    if layout.spans:
        assert layout.mask is not None
        heads, shared = query.shape[1], key.shape[1]
        saying = query[0].transpose(0, 1)
        saying = saying[: len(layout.mask)] if layout.at is None else saying[layout.at]
        done = 0
        for span in layout.spans:
            rows = slice(done, done + span.stop - span.start)
            mask = layout.mask[rows, :, :, : span.seen]
            if layout.eager:
                found.append(stocked(saying[rows, :, None], slice(span.start, span.stop), span.seen, mask)[:, 0])
            else:
                answer = scaled_dot_product_attention(
                    saying[rows].reshape(-1, shared, heads // shared, query.shape[3]),
                    key[span.start : span.stop, :, : span.seen],
                    value[span.start : span.stop, :, : span.seen],
                    attn_mask=mask.expand(-1, 1, heads // shared, -1),
                    scale=scaling,
                )
                found.append(answer.reshape(answer.shape[0], heads, -1))
            done = rows.stop
        if layout.back is not None:
            found = [cat(found)[layout.back]]
    for reader in layout.readers:
        tokens = query[:, :, reader.start : reader.stop]
        found.append(stocked(tokens, slice(reader.slot, reader.slot + 1), reader.seen, reader.mask)[0])
    return (found[0] if len(found) == 1 else cat(found))[None], None


def _own(module: Any) -> Any:
    """The attention that a family of models brings along."""
    return sys.modules[type(module).__module__].eager_attention_forward


@contextmanager
def attending(config: Any) -> Iterator[None]:
    """Let a model attend our way for a while."""
    before = config._attn_implementation
    config._attn_implementation = NAME
    try:
        yield
    finally:
        config._attn_implementation = before


AttentionInterface.register(NAME, attend)
