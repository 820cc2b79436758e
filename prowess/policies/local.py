"""A policy with a model of its own: many conversations side by side, their keys and values kept between turns.

A conversation joins the batch in the pass after it was admitted, and leaves it when its reply ends; no other waits for
it. It reads only what is new. One that is known brings its last observation; a new one brings its prompt, and what that
has in common with a conversation already read is copied, not computed: rollouts of a group share all of it, tasks of a
suite the system message. What was said is kept as the tokens that were said.

The same conversations admitted before the same passes get the same replies, bit for bit. Each reply has draws of its
own, from the request's seed, so who else is in the batch matters only as far as rounding does.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, Any

from prowess.errors import ContextOverflow, PolicyError, RecipeError
from prowess.models import Brain
from prowess.models.talk import Talk
from prowess.policies.sampling import SamplingSettings, Tally, context_limit, device_memory
from prowess.types import Completion, Message, Request

if TYPE_CHECKING:
    from prowess.models.sampler import ActiveRow, Sampler

STEP = 256
"""Room made for a reply at first; it grows as the reply does."""
_BLOCK = 16
"""Prompts are compared in blocks of so many tokens when looking for one to copy from."""
_WORTH = 64
"""A new conversation waits for another to be read if it can copy so many tokens more then."""
_WASTE = 1.5
"""Where reading the rows as they lie takes so many times what it takes in order of length, they are put in order."""


@dataclass(slots=True, kw_only=True)
class _Talk(Talk):
    """A conversation that may come again, and its row in the slots: of the same tokens."""

    row: ActiveRow
    turn: int = 0
    """When it was admitted last."""
    marks: tuple[int, ...] = ()
    """Of the beginnings of its first prompt."""

    @property
    def longest(self) -> int:
        """How many tokens it has if its reply gets as long as it may."""
        return len(self.prompt) + self.row.room


class LocalPolicy:
    """Plays with the weights as they are. Whoever changes them must `forget_all`, or take a new policy."""

    def __init__(self, brain: Brain, settings: SamplingSettings | None = None) -> None:
        self.brain = brain
        self.settings = settings or SamplingSettings()
        self.tally = Tally()
        self.rows = self.settings.rows
        self.limit = _limit(brain.model.config, self.settings)
        """The longest conversation, in tokens."""
        self._talks: dict[str, _Talk] = {}
        self._waiting: list[str] = []
        """Admitted and not in the batch yet."""
        self._going: dict[str, _Talk] = {}
        """In the batch: they read or speak."""
        self._reading: dict[str, _Talk] = {}
        """Of these, those that read a prompt from its beginning."""
        self._seats: dict[int, str] = {}
        """Whose each slot is. All slots up to the last are somebody's when a pass begins."""
        self._ended: dict[str, Completion | PolicyError] = {}
        """Replies that nobody has taken yet."""
        self._beginnings: dict[int, str] = {}
        self._turns = count(1)
        self._memory = 0.0
        """Bytes that keys and values may take; known with the engine."""
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
        """One reply to each of these conversations, side by side."""
        for request in requests:
            self.admit(request)
        found: dict[str, Completion | PolicyError] = {}
        while any(request.key not in found for request in requests):
            found |= self.advance()
        self._ended |= {key: found.pop(key) for key in found.keys() - {request.key for request in requests}}
        return [found[request.key] for request in requests]

    def admit(self, request: Request) -> None:
        """Let a conversation join the batch; its reply comes out of a later pass."""
        if request.key in self._going or request.key in self._waiting:
            raise ValueError(f"two requests have the same key: {request.key!r}")
        talk = self._heard(request)
        talk.turn = next(self._turns)
        if len(talk.prompt) >= self.limit:
            self._ended[request.key] = ContextOverflow(
                f"the conversation has {len(talk.prompt)} tokens; at most {self.limit - 1} leave room for a reply"
            )
        else:
            self._waiting.append(request.key)

    def advance(self) -> dict[str, Completion | PolicyError]:
        """One pass of the model for all conversations that wait; the replies that it ended, by their keys."""
        if self._going or self._waiting:
            engine = self._sampler()
            try:
                with engine.ready():
                    self._join()
                    before = [talk.row for talk in self._going.values()]
                    ended = engine.advance(before, budget=self.settings.prefill_tokens)
            except BaseException:  # half a pass is no pass: what the slots hold can no longer be trusted
                self.forget_all()
                raise
            self.tally.passes += 1
            self.tally.decoded += sum(row.unread == 1 and bool(row.logprobs) for row in before)
            for key in [key for key, talk in self._reading.items() if talk.row.logprobs]:
                self._beginnings |= dict.fromkeys(self._reading.pop(key).marks, key)
            for row in ended:
                key = self._seats[row.slot]
                self._ended[key] = self._going.pop(key).answered(row.logprobs, self.brain.chat)
        ended_now, self._ended = self._ended, {}
        return ended_now

    def forget(self, key: str) -> None:
        """Let go of a conversation, also of a reply to it that is under way. With the last one goes the memory."""
        talk = self._talks.pop(key, None)
        if talk:
            self._seats.pop(talk.row.slot, None)
            for other in self._going.values():
                if other.row.follows is talk.row:
                    other.row.follows = None
        for place in (self._going, self._reading, self._ended):
            place.pop(key, None)
        if key in self._waiting:
            self._waiting.remove(key)
        if not self._talks:
            self.forget_all()

    def forget_all(self) -> None:
        """Let go of all conversations: their keys and values belong to weights that are no more."""
        for place in (self._talks, self._waiting, self._going, self._reading, self._seats, self._ended):
            place.clear()
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
            talk = _Talk(messages=request.messages, tokens=tokens, row=row, marks=_marks(tokens))
        talk.row.draws = random.Random(request.seed)
        talk.row.logprobs = []
        talk.row.room = min(self.settings.reply_tokens, self.limit - len(talk.prompt))
        self._talks[request.key] = talk
        return talk

    def _join(self) -> None:
        """Let those in who wait, as far as there is room; who can copy from one that is being read waits for that."""
        if not self._waiting:
            self._close_up()
            return
        reading = {mark: key for key, talk in self._reading.items() for mark in talk.marks}
        coming = list(self._waiting)
        for key in coming:
            talk = self._talks[key]
            row = talk.row
            leader = next((one.row for one in self._reading.values() if one.prompt == talk.prompt), None)
            if not row.cached and not leader and self._later(talk, reading):
                continue
            if not self._seat(key, talk):
                break
            self._waiting.remove(key)
            self._going[key] = talk
            self.tally.kept += row.cached
            if not row.cached and leader:
                row.follows = leader
                self.tally.shared += len(talk.prompt)
                continue
            if not row.cached:
                self._borrow(talk)
                self._reading[key] = talk
                reading |= dict.fromkeys(talk.marks, key)
            self.tally.prefilled += row.unread
        self._close_up()
        if len(self._waiting) < len(coming):
            self._sort()

    def _later(self, talk: _Talk, reading: Mapping[int, str]) -> bool:
        """Whether a new conversation can copy much more once those are read that are being read."""
        return self._alike(talk, reading)[0] - self._alike(talk, self._beginnings, read=True)[0] >= _WORTH

    def _seat(self, key: str, talk: _Talk) -> bool:
        """Give a conversation a slot that is long enough, if there is room beside those in the batch."""
        if len(self._seats) >= self._most(self.limit) and not self._make_room(key):
            return False
        if not talk.row.slot:
            talk.row.slot = next(slot for slot in count(1) if slot not in self._seats)
            self._seats[talk.row.slot] = key
        self._sampler().slots.reserve(
            max(*self._seats, min(self._most(talk.longest), len(self._seats) + len(self._waiting))),
            len(talk.prompt) + min(talk.row.room, STEP),
        )
        return True

    def _make_room(self, key: str) -> bool:
        """Whether a conversation fits in beside those in the batch; others give way to it, the longest unused first.

        They are read again when they return.
        """
        others = {*self._seats.values()} - {key}
        most = self._most(max(self._talks[each].longest for each in (*others, key)))
        for other in sorted(others - self._going.keys(), key=lambda each: self._talks[each].turn):
            if len(others) < most:
                break
            row = self._talks[other].row
            del self._seats[row.slot]
            row.slot = row.cached = 0
            others.remove(other)
        return not others or len(others) < most

    def _close_up(self) -> None:
        """Move the last conversations into the slots of those that have left."""
        while self._seats and max(self._seats) > len(self._seats):
            key = self._seats.pop(max(self._seats))
            row = self._talks[key].row
            hole = next(slot for slot in count(1) if slot not in self._seats)
            self._sampler().slots.copy(row.slot, [hole], row.cached)
            row.slot = hole
            self._seats[hole] = key

    def _sort(self) -> None:
        """Put long conversations first where lengths differ much, so that neighbours are alike."""
        lengths = [len(self._talks[self._seats[slot]].tokens) for slot in range(1, len(self._seats) + 1)]
        order = sorted(range(len(lengths)), key=lambda number: -lengths[number])
        if _cells(lengths) > _WASTE * _cells([lengths[number] for number in order]):
            self._sampler().slots.arrange(order, max(self._talks[key].row.cached for key in self._seats.values()))
            self._seats = {slot: self._seats[number + 1] for slot, number in enumerate(order, start=1)}
            for slot, key in self._seats.items():
                self._talks[key].row.slot = slot

    def _borrow(self, talk: _Talk) -> None:
        """Copy the beginning of a new conversation from one that is already read, as far as they are the same."""
        length, donor = self._alike(talk, self._beginnings, read=True)
        if donor:
            self._sampler().slots.copy(donor.row.slot, [talk.row.slot], length)
            talk.row.cached = length
            self.tally.shared += length

    def _alike(self, talk: _Talk, table: Mapping[int, str], *, read: bool = False) -> tuple[int, _Talk | None]:
        """How many tokens a conversation has in common with one of a table, and with which; with `read`, read ones."""
        blocks = min(len(talk.marks), (len(talk.prompt) - 1) // _BLOCK)
        for length in range(blocks * _BLOCK, 0, -_BLOCK):
            donor = self._talks.get(table.get(talk.marks[length // _BLOCK - 1], ""))
            if donor and donor.prompt[:length] == talk.prompt[:length] and (not read or donor.row.cached >= length):
                return length, donor
        return 0, None

    def _most(self, longest: int) -> int:
        """How many conversations fit at once, if each gets so long."""
        slots = self._sampler().slots
        each = (slots.bytes_per_token or _bytes_per_token(self.brain.model)) * (longest + STEP)
        return max(1, min(self.settings.rows, int(self._memory // each)))

    def _sampler(self) -> Sampler:
        if not self._engine:
            from prowess.models.sampler import Sampler

            self._memory = (
                self.settings.cache_gb * 2**30 or device_memory(next(self.brain.model.parameters()).device) / 4
            )
            self._engine = Sampler(
                self.brain.model,
                temperature=self.settings.temperature,
                top_p=self.settings.top_p,
                stops=self.brain.chat.stop_ids,
                autocast=self.settings.autocast,
            )
        return self._engine


def _marks(tokens: Sequence[int]) -> tuple[int, ...]:
    """A number for each beginning of a prompt, block by block: equal beginnings have equal numbers."""
    marks, mark = [], 0
    for start in range(0, len(tokens) - _BLOCK + 1, _BLOCK):
        mark = hash((mark, tuple(tokens[start : start + _BLOCK])))
        marks.append(mark)
    return tuple(marks)


def _cells(lengths: Sequence[int]) -> int:
    """How many tokens a pass reads of rows of these lengths, in this order."""
    from prowess.models.attention import spans_of

    return sum(span.seen * (span.stop - span.start) for span in spans_of(lengths))


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
