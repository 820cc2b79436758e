"""Sampling with a transformers causal language model, a forward pass at a time, for many conversations at once.

The tokens of a pass are one stream: one of each row that says its reply, and what other rows have not read yet. So a
conversation joins in the pass in which it comes, and leaves after the one that ends its reply. None waits for another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from prowess.models.attention import LAYOUT, Layout, Reader, attending, spans_of
from prowess.models.slots import STEP, Slots

_ALMOST_ONE = 1.0 - 2.0**-40
"""The largest draw: a product with the total of a distribution stays below it."""
_GRAIN = 64
"""On a GPU rows are read in steps of so many tokens: kernels are chosen anew for every shape, so let there be few."""


@dataclass(slots=True, kw_only=True, eq=False)
class ActiveRow:
    """One conversation in the slots, and the reply it is getting."""

    slot: int
    tokens: list[int]
    """All of the conversation so far."""
    cached: int = 0
    """How many of them the slots hold."""
    follows: ActiveRow | None = None
    """Another row that reads the very same tokens: they are copied when it has."""
    draws: random.Random = field(default_factory=lambda: random.Random(0))
    """One uniform draw per token of the reply."""
    room: int = 0
    """How many tokens the reply may have."""
    logprobs: list[float] = field(default_factory=list)
    """Of the tokens of the reply so far."""

    @property
    def unread(self) -> int:
        """Tokens that the model must read before it can say the next: one while it speaks."""
        return len(self.tokens) - self.cached


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One token per row, and the log-probability of each."""

    tokens: Tensor
    logprobs: Tensor


@dataclass(frozen=True, slots=True, kw_only=True)
class _Feed:
    """What a row brings to a pass."""

    row: ActiveRow
    tokens: Sequence[int]


class Sampler:
    """A model and the slots it fills. Never changes the weights and leaves the model in the mode it was in."""

    def __init__(self, model: Any, *, temperature: float, top_p: float, stops: frozenset[int], autocast: bool) -> None:
        self.model = model
        self.temperature, self.top_p, self.stops, self.autocast = temperature, top_p, stops, autocast
        self.slots = Slots()
        self.device = next(model.parameters()).device
        self.dtype = torch.bfloat16 if autocast else next(model.parameters()).dtype
        self._open = torch.zeros((), dtype=self.dtype, device=self.device)
        self._shut = torch.full((), torch.finfo(self.dtype).min, dtype=self.dtype, device=self.device)
        self._grain = 1 if self.device.type == "cpu" else _GRAIN
        self._eager = getattr(model.config, "_attn_implementation", "sdpa") == "eager"
        self._adapts = adapts(model.config)
        self._modules = list(model.modules())

    @contextmanager
    def ready(self) -> Iterator[None]:
        """The model without gradients and without dropout, for as long as it is asked."""
        training = [module for module in self._modules if module.training]
        # Rotary embeddings that adapt to the length write to buffers the learner uses, which inference mode forbids.
        guard = torch.no_grad() if self._adapts else torch.inference_mode()
        half = torch.autocast(self.device.type, dtype=torch.bfloat16) if self.autocast else nullcontext()
        for module in training:
            module.training = False
        try:
            with attending(self.model.config), guard, half:
                yield
        finally:
            for module in training:
                module.training = True

    def advance(self, rows: Sequence[ActiveRow], *, budget: int) -> list[ActiveRow]:
        """One forward pass, in which each row that is read to its end says a token; the rows whose replies then end.

        Besides one token of each row that speaks, so many (`budget`) are read at most.
        """
        feeds = self._feeds(rows, budget)
        logits = self._pass(feeds)
        read = {feed.row: number for number, feed in enumerate(feed for feed in feeds if not feed.row.unread)}
        if followers := [row for row in rows if row.follows in read]:
            at = [*read.values(), *(read[row.follows] for row in followers if row.follows)]
            self._copy(followers)
            logits = logits[torch.tensor(at, device=self.device)]
        saying = [*read, *followers]
        if not saying:
            return []
        draws = [row.draws.random() for row in saying] if self.temperature else []
        chosen = choose(logits, draws, temperature=self.temperature, top_p=self.top_p)
        return self._take(saying, chosen.tokens.tolist(), chosen.logprobs.tolist())

    def _feeds(self, rows: Sequence[ActiveRow], budget: int) -> list[_Feed]:
        """What this pass is given: first the rows with one token, in the order of their slots, then those that read."""
        feeds = []
        for row in rows:
            if row.follows is None and (row.unread == 1 or budget):
                feeds.append(_Feed(row=row, tokens=row.tokens[row.cached :][: 1 if row.unread == 1 else budget]))
                budget -= len(feeds[-1].tokens) if row.unread > 1 else 0
        return sorted(feeds, key=lambda feed: (len(feed.tokens) > 1, feed.row.slot))

    def _pass(self, feeds: Sequence[_Feed]) -> Tensor:
        """Let the model read; the logits after the last token of each row that it has now read to its end."""
        ids: list[int] = []
        places: list[int] = []
        cells: list[int] = []
        ends: list[int] = []
        longest = max(feed.row.cached + len(feed.tokens) for feed in feeds)
        if self._grained(longest) > self.slots.length:
            self.slots.reserve(self.slots.rows, max(self.slots.length + STEP, longest))
        for feed in feeds:
            row = feed.row
            here = range(row.cached, row.cached + len(feed.tokens))
            ids += feed.tokens
            places += here
            cells += range(row.slot * self.slots.length + here.start, row.slot * self.slots.length + here.stop)
            row.cached = here.stop
            if not row.unread:
                ends.append(len(ids) - 1)
        layout = LAYOUT.set(self._layout(feeds))
        try:
            self.slots.aim(torch.tensor(cells, device=self.device))
            return self._forward(ids, places, ends)
        finally:
            LAYOUT.reset(layout)

    def _layout(self, feeds: Sequence[_Feed]) -> Layout:
        """How the rows of these feeds are read, now that they hold what they bring."""
        ones = [feed.row for feed in feeds if len(feed.tokens) == 1]
        lengths = [0] * (max((row.slot for row in ones), default=0) + 1)
        for row in ones:
            lengths[row.slot] = row.cached
        spans = spans_of([self._grained(length) for length in lengths])
        held = [slot for span in spans for slot in range(span.start, span.stop)]
        mask = at = back = None
        if ones:
            mask = self._mask([max(0, lengths[slot] - 1) for slot in held], max(span.seen for span in spans))
            mask = mask[:, None, None]
        if len(held) > len(ones):
            token = {row.slot: number for number, row in enumerate(ones)}
            at = torch.tensor([token.get(slot, 0) for slot in held], device=self.device)
            back = torch.tensor([number for number, slot in enumerate(held) if slot in token], device=self.device)
        readers, start = [], len(ones)
        for feed in feeds[len(ones) :]:
            row, stop = feed.row, start + len(feed.tokens)
            mine = self._mask(range(row.cached - len(feed.tokens), row.cached), row.cached)[None, None]
            readers.append(Reader(slot=row.slot, start=start, stop=stop, seen=row.cached, mask=mine))
            start = stop
        return Layout(spans=spans, mask=mask, at=at, back=back, readers=tuple(readers), eager=self._eager)

    def _mask(self, places: Sequence[int], seen: int) -> Tensor:
        """What tokens at these places may look at: themselves and what is before them."""
        position = torch.tensor(places, device=self.device)
        open_ = torch.arange(seen, device=self.device) <= position[:, None]
        return torch.where(open_, self._open, self._shut)

    def _forward(self, ids: Sequence[int], places: Sequence[int], ends: Sequence[int]) -> Tensor:
        """The logits of the tokens at `ends`, in full precision."""
        answer = self.model(
            input_ids=torch.tensor([ids], device=self.device),
            position_ids=torch.tensor([places], device=self.device),
            attention_mask=self._open.view(1, 1, 1, 1),  # the layout has those that count
            past_key_values=self.slots,
            use_cache=True,
            logits_to_keep=torch.tensor(ends, dtype=torch.long, device=self.device) if len(ends) < len(ids) else 0,
        )
        logits: Tensor = answer.logits[0]
        return logits.float()

    def _copy(self, followers: Sequence[ActiveRow]) -> None:
        """Give rows what those that they follow have read."""
        by_leader: dict[ActiveRow, list[ActiveRow]] = {}
        for row in followers:
            assert row.follows is not None
            by_leader.setdefault(row.follows, []).append(row)
        for leader, some in by_leader.items():
            self.slots.copy(leader.slot, [row.slot for row in some], leader.cached)
            for row in some:
                row.cached, row.follows = leader.cached, None

    def _take(self, rows: Sequence[ActiveRow], tokens: Sequence[int], logprobs: Sequence[float]) -> list[ActiveRow]:
        """Write down what was said; the rows whose replies ended."""
        ended = []
        for row, token, logprob in zip(rows, tokens, logprobs, strict=True):
            row.tokens.append(token)
            row.logprobs.append(logprob)
            if token in self.stops or len(row.logprobs) >= row.room:
                ended.append(row)
        return ended

    def _grained(self, length: int) -> int:
        return -(-length // self._grain) * self._grain


def choose(logits: Tensor, draws: Sequence[float], *, temperature: float, top_p: float) -> Chosen:
    """One token per row by inverting its distribution at the row's own draw; the likeliest at temperature 0.

    The log-probability is that of the distribution at this temperature before `top_p` cuts it (at temperature 0: at
    temperature 1), which is what a learner can compute again.
    """
    if not temperature:
        spread = torch.log_softmax(logits, dim=-1)
        tokens = spread.argmax(dim=-1)
    else:
        spread = torch.log_softmax(logits if temperature == 1 else logits / temperature, dim=-1)
        chances = spread.exp()
        if top_p < 1:
            ranked, index = chances.sort(dim=-1, descending=True, stable=True)
            ranked = ranked.masked_fill(ranked.cumsum(-1) - ranked >= top_p, 0.0)
            chances = torch.zeros_like(chances).scatter_(-1, index, ranked)
        ladder = chances.cumsum(-1, dtype=torch.float64)
        at = torch.tensor([min(draw, _ALMOST_ONE) for draw in draws], dtype=torch.float64, device=logits.device)
        tokens = torch.searchsorted(ladder, at[:, None] * ladder[:, -1:], right=True)[:, 0]
    return Chosen(tokens=tokens, logprobs=spread.gather(-1, tokens[:, None])[:, 0])


def adapts(config: Any) -> bool:
    """Whether the model's rotary embeddings depend on the longest sequence of a pass."""
    settings = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    return settings.get("rope_type") in ("dynamic", "longrope")
