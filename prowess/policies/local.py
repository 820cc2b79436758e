"""A policy with a model of its own: many conversations at once, their keys and values kept between turns.

A turn reads only what is new. A conversation that is known brings its last observation; a new one brings its prompt,
and what that has in common with a conversation already read is copied, not computed: rollouts of a group share all
of it, tasks of a suite the system message. What was said is kept as the tokens that were said.

The same requests in the same order give the same replies, bit for bit. Each reply has draws of its own, from the
request's seed, so who else is in the batch matters only as far as rounding does.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from prowess.errors import ContextOverflow, PolicyError, RecipeError
from prowess.models import Brain
from prowess.models.talk import Talk
from prowess.policies.sampling import SamplingSettings, Tally, context_limit, device_memory
from prowess.types import Completion, Message, Request

if TYPE_CHECKING:
    from torch import Tensor

    from prowess.models.sampler import ActiveRow, Sampler

STEP = 256
"""Room made for a reply at first; it grows as the reply does."""
_BLOCK = 16
"""Prompts are compared in blocks of so many tokens when looking for one to copy from."""
_WORTH = 64
"""A shared beginning of so many tokens is read once for all, before the rest."""


@dataclass(slots=True, kw_only=True)
class _Talk(Talk):
    """A conversation that may come again, and its row in the slots: of the same tokens."""

    row: ActiveRow
    turn: int = 0
    """When it was played last."""


class LocalPolicy:
    """Plays with the weights as they are. Whoever changes them must `forget_all`, or take a new policy."""

    def __init__(self, brain: Brain, settings: SamplingSettings | None = None) -> None:
        self.brain = brain
        self.settings = settings or SamplingSettings()
        self.tally = Tally()
        self.limit = _limit(brain.model.config, self.settings)
        """The longest conversation, in tokens."""
        self._talks: dict[str, _Talk] = {}
        self._beginnings: dict[int, str] = {}
        self._turns = count(1)
        self._engine: Sampler | None = None

    def __repr__(self) -> str:
        return f"LocalPolicy({self.brain.name}, temperature {self.settings.temperature:g})"

    def at(self, temperature: float) -> LocalPolicy:
        """The same model at another temperature, with conversations of its own."""
        return LocalPolicy(self.brain, replace(self.settings, temperature=temperature))

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        """One reply to one conversation; nothing is kept."""
        key = f"\0{seed}"
        try:
            answer = self.replies([Request(key=key, messages=tuple(messages), seed=seed)])[0]
        finally:
            self.forget(key)
        if isinstance(answer, PolicyError):
            raise answer
        return answer

    def replies(self, requests: Sequence[Request]) -> list[Completion | PolicyError]:
        """One turn for all these conversations, in lock step."""
        if len({request.key for request in requests}) < len(requests):
            raise ValueError("two requests have the same key")
        answers: dict[str, Completion | PolicyError] = {}
        talks: dict[str, _Talk] = {}
        turn = next(self._turns)
        for request in requests:
            talk = self._heard(request)
            if len(talk.prompt) >= self.limit:
                answers[request.key] = ContextOverflow(
                    f"the conversation has {len(talk.prompt)} tokens; at most {self.limit - 1} leave room for a reply"
                )
                continue
            talk.turn = turn
            talks[request.key] = talk
        most = self._most(talks.values())
        keys = list(talks)
        for start in range(0, len(keys), most):
            batch = keys[start : start + most]
            self._play({key: talks[key] for key in batch}, most)
            answers |= {key: talks[key].answered(talks[key].row.logprobs, self.brain.chat) for key in batch}
        return [answers[request.key] for request in requests]

    def forget(self, key: str) -> None:
        """Let go of a conversation. With the last one goes the memory."""
        self._talks.pop(key, None)
        if not self._talks:
            self.forget_all()

    def forget_all(self) -> None:
        """Let go of all conversations: their keys and values belong to weights that are no more."""
        self._talks.clear()
        self._beginnings.clear()
        if self._engine:
            self._engine.slots.clear()

    def _heard(self, request: Request) -> _Talk:
        """The conversation of a request with its prompt: what it was, its reply, and what is new."""
        from prowess.models.sampler import ActiveRow

        talk = self._talks.get(request.key)
        if talk is None or not talk.hear(request.messages, self.brain.chat):  # new, or not the conversation it was
            tokens = list(self.brain.chat.opening(request.messages))
            row = ActiveRow(slot=talk.row.slot if talk else 0, tokens=tokens)
            talk = _Talk(messages=request.messages, tokens=tokens, row=row)
        talk.row.draws = random.Random(request.seed)
        talk.row.logprobs = []
        talk.row.room = min(self.settings.reply_tokens, self.limit - len(talk.prompt))
        self._talks[request.key] = talk
        return talk

    def _play(self, batch: dict[str, _Talk], most: int) -> None:
        """Read what is new in these conversations and say their replies."""
        engine = self._sampler()
        rows = [talk.row for talk in batch.values()]
        try:
            with engine.ready():
                self._seat(batch, most)
                started = time.perf_counter()
                after = self._read(batch)
                rows.sort(key=lambda row: row.slot)
                before = sum(len(row.tokens) for row in rows)
                between = time.perf_counter()
                self.tally.passes += engine.decode(list(rows), after)
                self.tally.decoded += sum(len(row.tokens) for row in rows) - before
                self.tally.prefill_seconds += between - started
                self.tally.decode_seconds += time.perf_counter() - between
        except BaseException:  # half a turn is no turn: what the slots hold can no longer be trusted
            self.forget_all()
            raise

    def _seat(self, batch: dict[str, _Talk], most: int) -> None:
        """Give the conversations of a batch the first slots, moving as little as possible."""
        slots, size = self._sampler().slots, len(batch)
        others = [talk for key, talk in self._talks.items() if talk.row.slot and key not in batch]
        others.sort(key=lambda talk: talk.turn)
        for talk in others[: max(0, len(others) + size - most)]:  # the longest unused are read again if they return
            talk.row.slot = talk.row.cached = 0
        sitting = {talk.row.slot: talk.row for talk in others if talk.row.slot}
        longest = max(len(talk.prompt) + min(talk.row.room, STEP) for talk in batch.values())
        slots.reserve(size + len(sitting), longest)
        held = {talk.row.slot for talk in batch.values()}
        front = sorted((slot for slot in range(1, size + 1) if slot not in held), key=lambda slot: slot not in sitting)
        back = (slot for slot in range(size + 1, slots.rows + 1) if slot not in held and slot not in sitting)
        coming = sorted(  # those that bring a slot change places with whoever sits in front: the others need a free one
            (talk.row for talk in batch.values() if not 1 <= talk.row.slot <= size), key=lambda row: not row.slot
        )
        for slot, row in zip(front, coming, strict=True):
            other = sitting.get(slot)
            if other and row.slot:
                slots.swap(slot, row.slot, max(other.cached, row.cached))
                other.slot = row.slot
            elif other:
                other.slot = next(back)
                slots.copy(slot, [other.slot], other.cached)
            elif row.slot:
                slots.copy(row.slot, [slot], row.cached)
            row.slot = slot

    def _read(self, batch: dict[str, _Talk]) -> Tensor:
        """Read what each conversation brings; the logits after it, in the order of their slots."""
        import torch

        engine, budget = self._sampler(), self.settings.prefill_tokens
        self.tally.kept += sum(talk.row.cached for talk in batch.values())
        alike: dict[tuple[int, ...], list[str]] = {}
        for key, talk in batch.items():
            if not talk.row.cached:
                alike.setdefault(talk.prompt, []).append(key)
        leaders = [keys[0] for keys in alike.values()]
        reading = [key for key, talk in batch.items() if talk.row.cached]
        after: dict[str, Tensor] = {}
        stem = _common(list(alike))
        for number, key in enumerate(leaders):
            self._borrow(batch[key])
            if number == 0 and max(_WORTH, batch[key].row.cached + _BLOCK) <= stem:
                after |= self._prefill(engine, batch, [key], budget)
                self._remember(key, batch[key])
            else:
                reading.append(key)
        after |= self._prefill(engine, batch, reading, budget)
        for prompt, (leader, *followers) in alike.items():
            self._remember(leader, batch[leader])
            engine.slots.copy(batch[leader].row.slot, [batch[key].row.slot for key in followers], len(prompt))
            self.tally.shared += len(prompt) * len(followers)
            for key in followers:
                batch[key].row.cached = len(prompt)
                after[key] = after[leader]
        return torch.stack([after[key] for key in sorted(batch, key=lambda key: batch[key].row.slot)])

    def _prefill(self, engine: Sampler, batch: dict[str, _Talk], keys: list[str], budget: int) -> dict[str, Tensor]:
        if not keys:
            return {}
        rows = [batch[key].row for key in keys]
        self.tally.prefilled += sum(len(row.tokens) - row.cached for row in rows)
        return dict(zip(keys, engine.prefill(rows, budget=budget).unbind(0), strict=True))

    def _borrow(self, talk: _Talk) -> None:
        """Copy the beginning of a new conversation from one that is already read, as far as they are the same."""
        marks = _marks(talk.prompt[:-1])
        for length in range(len(marks) * _BLOCK, 0, -_BLOCK):
            donor = self._talks.get(self._beginnings.get(marks[length // _BLOCK - 1], ""))
            if donor and donor.row.cached >= length and donor.prompt[:length] == talk.prompt[:length]:
                self._sampler().slots.copy(donor.row.slot, [talk.row.slot], length)
                talk.row.cached = length
                self.tally.shared += length
                return

    def _remember(self, key: str, talk: _Talk) -> None:
        self._beginnings |= dict.fromkeys(_marks(talk.prompt), key)

    def _most(self, talks: Iterable[_Talk]) -> int:
        """How many conversations fit at once, if each gets as long as it may."""
        slots = self._sampler().slots
        longest = max((len(talk.prompt) + talk.row.room for talk in talks), default=1)
        each = (slots.bytes_per_token or _bytes_per_token(self.brain.model)) * (longest + STEP)
        budget = self.settings.cache_gb * 2**30 or device_memory(self._sampler().device) / 4
        return max(1, min(self.settings.rows, int(budget // each)))

    def _sampler(self) -> Sampler:
        if not self._engine:
            from prowess.models.sampler import Sampler

            self._engine = Sampler(
                self.brain.model,
                temperature=self.settings.temperature,
                top_p=self.settings.top_p,
                stops=self.brain.chat.stop_ids,
                autocast=self.settings.autocast,
            )
        return self._engine


def _marks(tokens: Sequence[int]) -> list[int]:
    """A number for each beginning of a prompt, block by block: equal beginnings have equal numbers."""
    marks, mark = [], 0
    for start in range(0, len(tokens) - _BLOCK + 1, _BLOCK):
        mark = hash((mark, tuple(tokens[start : start + _BLOCK])))
        marks.append(mark)
    return marks


def _common(prompts: Sequence[tuple[int, ...]]) -> int:
    """How many tokens several prompts begin with in common; 0 if there is one alone.

    >>> _common([(1, 2, 3), (1, 2, 4, 5), (1, 2)])
    2
    """
    if len(prompts) < 2:
        return 0
    least, most = min(prompts), max(prompts)  # in the order of tuples all others lie between these
    return next(
        (place for place, (one, other) in enumerate(zip(least, most, strict=False)) if one != other), len(least)
    )


def _limit(config: Any, settings: SamplingSettings) -> int:
    """The longest conversation; refuses models whose attention is not computed as it is here."""
    how = getattr(config, "_attn_implementation", "sdpa")
    if how not in ("sdpa", "eager"):
        raise RecipeError(f"the model attends with '{how}'", hint="load it with attn_implementation='sdpa'")
    return context_limit(config, settings)


def _bytes_per_token(model: Any) -> int:
    """What the keys and values of one token take, from the model's description."""
    config = model.config
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return int(2 * config.num_hidden_layers * heads * size * next(model.parameters()).element_size())
