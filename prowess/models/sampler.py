"""Batched sampling with a transformers causal language model: one forward pass per token for all rows still going.

Prefill reads tokens nobody has read yet, many rows at once, aligned at their last token so that the model need compute
the logits of the last position only. Decode keeps its rows together at the front of the slots: a row that is done
changes places with the last one and the batch gets smaller.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from prowess.models.attention import PARTS, attending, parts_of
from prowess.models.slots import STEP, Slots

_ALMOST_ONE = 1.0 - 2.0**-40
"""The largest draw: a product with the total of a distribution stays below it."""
_GRAIN = 64
"""On a GPU rows are read in steps of so many tokens: kernels are chosen anew for every shape, so let there be few."""
_WASTE = 1.3
"""Reading so many times what there is to read, rows are put in order first."""


@dataclass(slots=True, kw_only=True)
class ActiveRow:
    """One conversation in the slots, and the reply it is getting."""

    slot: int
    tokens: list[int]
    """All of the conversation so far."""
    cached: int = 0
    """How many of them the slots hold."""
    draws: random.Random = field(default_factory=lambda: random.Random(0))
    """One uniform draw per token of the reply."""
    room: int = 0
    """How many tokens the reply may have."""
    logprobs: list[float] = field(default_factory=list)
    """Of the tokens of the reply so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """One token per row, and the log-probability of each."""

    tokens: Tensor
    logprobs: Tensor


class Sampler:
    """A model and the slots it fills. Never changes the weights and leaves the model in the mode it was in."""

    def __init__(self, model: Any, *, temperature: float, top_p: float, stops: frozenset[int], autocast: bool) -> None:
        self.model = model
        self.temperature, self.top_p, self.stops, self.autocast = temperature, top_p, stops, autocast
        self.slots = Slots()
        self.device = next(model.parameters()).device
        self.dtype = torch.bfloat16 if autocast else next(model.parameters()).dtype
        self._blocked = torch.finfo(self.dtype).min
        self._grain = 1 if self.device.type == "cpu" else _GRAIN

    @contextmanager
    def ready(self) -> Iterator[None]:
        """The model without gradients and without dropout, for as long as it is asked."""
        training = [module for module in self.model.modules() if module.training]
        # Rotary embeddings that adapt to the length write to buffers the learner uses, which inference mode forbids.
        guard = torch.no_grad() if adapts(self.model.config) else torch.inference_mode()
        for module in training:
            module.training = False
        try:
            with (
                attending(self.model.config),
                guard,
                torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=self.autocast),
            ):
                yield
        finally:
            for module in training:
                module.training = True

    def prefill(self, rows: Sequence[ActiveRow], *, budget: int) -> Tensor:
        """Read what the rows hold beyond what is cached; the logits after the last token of each, in their order."""
        order = sorted(range(len(rows)), key=lambda number: rows[number].cached - len(rows[number].tokens))
        found: list[tuple[int, Tensor]] = []
        while order:
            longest = len(rows[order[0]].tokens) - rows[order[0]].cached
            batch, order = order[: max(1, budget // longest)], order[max(1, budget // longest) :]
            while len(batch) == 1 and len(rows[batch[0]].tokens) - rows[batch[0]].cached > budget:
                self._read([rows[batch[0]]], upto=budget)
            found += zip(batch, self._read([rows[number] for number in batch]).unbind(0), strict=True)
        return torch.stack([logits for _, logits in sorted(found, key=lambda pair: pair[0])])

    def _read(self, rows: Sequence[ActiveRow], upto: int | None = None) -> Tensor:
        """One forward pass over the new tokens of some rows, padded on the left."""
        feeds = [row.tokens[row.cached :][:upto] for row in rows]
        width = max(map(len, feeds))
        ids, places, cells = [], [], []
        for row, feed in zip(rows, feeds, strict=True):
            pad = width - len(feed)
            here = range(row.cached, row.cached + len(feed))
            ids.append([0] * pad + feed)
            places.append([0] * pad + list(here))
            cells += [*range(pad), *(row.slot * self.slots.length + place for place in here)]
            row.cached += len(feed)
        seen = max(row.cached for row in rows)
        position = torch.tensor(places, device=self.device)
        open_ = torch.arange(seen, device=self.device) <= position[:, None, :, None]
        self.slots.aim(
            write=torch.tensor(cells, device=self.device),
            read=torch.tensor([row.slot for row in rows], device=self.device),
            seen=seen,
        )
        mask = torch.full(open_.shape, self._blocked, dtype=self.dtype, device=self.device).masked_fill_(open_, 0.0)
        return self._forward(torch.tensor(ids, device=self.device), position, mask)

    def decode(self, rows: list[ActiveRow], logits: Tensor) -> int:
        """Say a reply in every row, beginning with these logits; returns how many forward passes it took.

        The rows hold slots 1, 2, 3 ... in this order. As replies end, rows and their slots change places.
        """
        parts = PARTS.set(())
        try:
            return self._decode(rows, logits[self._sort(rows)])
        finally:
            PARTS.reset(parts)

    def _decode(self, rows: list[ActiveRow], logits: Tensor) -> int:
        steps = 0
        position = torch.tensor([len(row.tokens) for row in rows], device=self.device)
        first = torch.arange(1, len(rows) + 1, device=self.device)
        mask = self._mask(position)
        while True:
            draws = [row.draws.random() for row in rows] if self.temperature else []
            chosen = choose(logits, draws, temperature=self.temperature, top_p=self.top_p)
            tokens = chosen.tokens
            going = self._take(rows, tokens.tolist(), chosen.logprobs.tolist())
            if len(going) < len(rows):
                keep = torch.tensor(self._compact(rows, going), dtype=torch.long, device=self.device)
                del rows[len(going) :]
                if not rows:
                    return steps
                tokens, position, mask = tokens[keep], position[keep], mask[keep]
            lengths = [-(-len(row.tokens) // self._grain) * self._grain for row in rows]
            seen = max(lengths)
            if seen > self.slots.length:
                self.slots.reserve(self.slots.rows, self.slots.length + STEP)
                mask = self._mask(position)
            mask.view(len(rows), -1).scatter_(1, position[:, None], 0.0)
            PARTS.set(parts_of(lengths))
            self.slots.aim(
                write=first[: len(rows)] * self.slots.length + position, read=slice(1, len(rows) + 1), seen=seen
            )
            logits = self._forward(tokens[:, None], position[:, None], mask[..., :seen])
            position = position + 1
            steps += 1
            for row in rows:
                row.cached += 1

    def _sort(self, rows: list[ActiveRow]) -> list[int]:
        """Put long conversations first where lengths differ much, so that neighbours are alike; the order they have."""
        lengths = [len(row.tokens) for row in rows]
        order = sorted(range(len(rows)), key=lambda number: -lengths[number])
        if sum(part.seen * (part.stop - part.start) for part in parts_of(lengths)) <= _WASTE * sum(lengths):
            return list(range(len(rows)))
        self.slots.arrange(order, max(lengths))
        rows[:] = [rows[number] for number in order]
        for slot, row in enumerate(rows, start=1):
            row.slot = slot
        return order

    def _mask(self, position: Tensor) -> Tensor:
        """What each row may look at: everything before its next token."""
        open_ = torch.arange(self.slots.length, device=self.device) < position[:, None, None, None]
        return torch.full(open_.shape, self._blocked, dtype=self.dtype, device=self.device).masked_fill_(open_, 0.0)

    def _take(self, rows: Sequence[ActiveRow], tokens: Sequence[int], logprobs: Sequence[float]) -> list[int]:
        """Write down what was said; which rows go on."""
        going = []
        for number, (row, token, logprob) in enumerate(zip(rows, tokens, logprobs, strict=True)):
            row.tokens.append(token)
            row.logprobs.append(logprob)
            if token not in self.stops and len(row.logprobs) < row.room:
                going.append(number)
        return going

    def _compact(self, rows: list[ActiveRow], going: Sequence[int]) -> list[int]:
        """Bring the rows that go on to the front, moving as few as possible; the order they now have."""
        order = list(range(len(rows)))
        holes = sorted(set(range(len(going))) - set(going))
        for hole, last in zip(holes, [number for number in going if number >= len(going)], strict=True):
            one, other = rows[hole], rows[last]
            self.slots.swap(one.slot, other.slot, max(one.cached, other.cached))
            one.slot, other.slot = other.slot, one.slot
            rows[hole], rows[last] = other, one
            order[hole], order[last] = last, hole
        return order[: len(going)]

    def _forward(self, ids: Tensor, position: Tensor, mask: Tensor) -> Tensor:
        """Logits of the last position, in full precision."""
        answer = self.model(
            input_ids=ids,
            position_ids=position,
            attention_mask=mask,
            past_key_values=self.slots,
            use_cache=True,
            logits_to_keep=1,
        )
        logits: Tensor = answer.logits[:, -1]
        return logits.float()


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
