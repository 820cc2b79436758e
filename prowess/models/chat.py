"""Exact conversations: from messages to token ids that only ever grow, and back to text.

A conversation is an opening, then replies with glue between them:

    opening     <|im_start|>system ... <|im_end|> <|im_start|>user ... <|im_end|> <|im_start|>assistant
    reply       I look first. ```python ... ``` <|im_end|>                                  (said by the model)
    glue        <|im_start|>user Output: ... <|im_end|> <|im_start|>assistant
    reply       Done. ```python ... ``` <|im_end|>                                          (said by the model)

What the model said stays as it said it, token by token. What the template puts around the messages is learned from the
tokenizer's own chat template, by rendering marks in place of the contents and looking at what stands between them.
Contents are encoded apart from it and never become control tokens.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Protocol

from prowess.errors import RecipeError
from prowess.text.invisible import paired
from prowess.types import Message, Sample

Frame = tuple[tuple[int, ...], ...]
"""What a template puts around n contents: n + 1 pieces of token ids."""

_REMEMBERED = 4096
"""How many encoded contents are kept: the same system message and the same skills come again and again."""


_TOGETHER = 512
"""So many conversations are encoded at once, on all cores."""


class Spoken(Protocol):
    """A message that says whether it is to be learned; `prowess.commands.dataset.Spoken` is one."""

    @property
    def role(self) -> Any: ...
    @property
    def content(self) -> str: ...
    @property
    def loss(self) -> bool: ...


class Dialogue(Protocol):
    """Messages to imitate; `prowess.commands.dataset.Conversation` is one."""

    @property
    def messages(self) -> Sequence[Spoken]: ...


class Chat:
    """A tokenizer that renders conversations piece by piece."""

    def __init__(self, tokenizer: Any, *, stops: Iterable[int] = ()) -> None:
        self.tokenizer = tokenizer
        self._check_tokenizer()
        self._words = _copy(tokenizer, control=False)
        self._marks = _copy(tokenizer, control=True)
        if self._marks.decode([*self._plain("a"), *self._plain("b")], skip_special_tokens=False) != "ab":
            raise RecipeError(
                f"the tokenizer {_name(tokenizer)} puts text of its own before what it encodes",
                hint="a byte-level tokenizer is needed, as the Llama 3, Qwen and SmolLM2 families have",
            )
        self._frames: dict[tuple[str, ...], Frame] = {}
        self._glues: dict[tuple[str, ...], Frame] = {}
        self._ahead: Mapping[str, tuple[int, ...]] = {}
        self._remembered = lru_cache(maxsize=_REMEMBERED)(self._plain)
        self._check_history()
        self.end = self._end()
        """The token that ends a turn."""
        own = [tokenizer.eos_token_id] if tokenizer.eos_token_id is not None else []
        self.stop_ids = frozenset([self.end, *own, *stops])
        """Tokens at which a reply is over."""

    def __repr__(self) -> str:
        return f"Chat({_name(self.tokenizer)}, {len(self.tokenizer)} tokens)"

    def opening(self, messages: Sequence[Message]) -> tuple[int, ...]:
        """The token ids of a conversation up to where the next reply begins."""
        first, *later = _turns(messages)
        tokens = [self._filled(self._frame(_roles(first)), first)]
        for said, *heard in later:
            reply = self.reply(said.content)
            tokens += [reply, self.glue(reply, heard)]
        return tuple(chain.from_iterable(tokens))

    def glue(self, reply: Sequence[int], messages: Sequence[Message]) -> tuple[int, ...]:
        """What stands between a reply and the next one: its end if the reply did not say it, and what is told now."""
        roles = _roles(messages)
        if not roles:
            raise ValueError("a reply cannot follow a reply")
        tokens = self._filled(self._glue(roles), messages)
        return tokens[1:] if reply and reply[-1] == self.end else tokens

    def reply(self, text: str) -> tuple[int, ...]:
        """The tokens of a whole reply with this text, its end included."""
        return (*self._encode(text), self.end)

    def text(self, tokens: Sequence[int]) -> str:
        """What a reply says, without the token that ended it."""
        said = tokens[:-1] if tokens and tokens[-1] in self.stop_ids else tokens
        return str(self._marks.decode(list(said), skip_special_tokens=False))

    def imitate(self, conversation: Dialogue) -> Sample:
        """A conversation as a sample: weight 1 on what is to be learned, the end of the turn included, 0 elsewhere.

        The ids are those of the same conversation played, had the model said the replies with the same tokens. For a
        prompt of 3 tokens, a reply of 2 with its end, an observation of 2 and a reply of 1 with its end:

            tokens     p  p  p  r  r  e  o  o  r  e
            weights    0  0  0  1  1  1  0  0  1  1
        """
        given: list[Message] = []
        tokens: list[int] = []
        weights: list[float] = []
        reply: tuple[int, ...] = ()
        for message in conversation.messages:
            if message.role != "assistant":
                given.append(Message(role=message.role, content=message.content))
                continue
            heard = self.glue(reply, given) if reply else self.opening(given)
            reply, given = self.reply(message.content), []
            tokens += [*heard, *reply]
            weights += [0.0] * len(heard) + [float(message.loss)] * len(reply)
        return Sample(tokens=tuple(tokens), weights=tuple(weights), logprobs=(0.0,) * len(tokens))

    def imitate_all(self, conversations: Sequence[Dialogue]) -> Iterator[Sample]:
        """Conversations as samples, in their order; what they say is encoded on all cores.

        Whoever goes through them may have others imitated in between.
        """
        before = self._ahead
        for start in range(0, len(conversations), _TOGETHER):
            some = conversations[start : start + _TOGETHER]
            contents = dict.fromkeys(message.content for each in some for message in each.messages)
            encoded = self._words.encode_batch([paired(text) for text in contents], add_special_tokens=False)
            ahead = {text: tuple(each.ids) for text, each in zip(contents, encoded, strict=True)}
            for each in some:
                self._ahead = ahead
                yield self.imitate(each)
        self._ahead = before

    def _encode(self, text: str) -> tuple[int, ...]:
        return self._ahead.get(text) or self._remembered(text)

    def _filled(self, frame: Frame, messages: Sequence[Message]) -> tuple[int, ...]:
        pieces: list[tuple[int, ...]] = [frame[0]]
        for message, after in zip(messages, frame[1:], strict=True):
            pieces += [self._encode(message.content), after]
        return tuple(chain.from_iterable(pieces))

    def _plain(self, text: str) -> tuple[int, ...]:
        """A content as tokens; no control token comes of it, whatever it spells."""
        return tuple(self._words.encode(paired(text), add_special_tokens=False).ids)

    def _frame(self, roles: tuple[str, ...]) -> Frame:
        if roles not in self._frames:
            marks = [_mark(number) for number in range(len(roles))]
            self._frames[roles] = self._around(self._rendered(zip(roles, marks, strict=True)), marks)
        return self._frames[roles]

    def _glue(self, roles: tuple[str, ...]) -> Frame:
        if roles not in self._glues:
            asked, said, *marks = (_mark(number) for number in range(len(roles) + 2))
            before = self._rendered([("user", asked)]) + said
            whole = self._rendered([("user", asked), ("assistant", said), *zip(roles, marks, strict=True)])
            self._glues[roles] = self._around(whole.removeprefix(before), marks)
        return self._glues[roles]

    def _around(self, text: str, marks: Sequence[str]) -> Frame:
        pieces = []
        for mark in marks:
            before, found, text = text.partition(mark)
            if not found or mark in text:
                raise RecipeError(f"the chat template of {_name(self.tokenizer)} drops, repeats or moves a message")
            pieces.append(before)
        return tuple(tuple(self._marks.encode(piece, add_special_tokens=False).ids) for piece in [*pieces, text])

    def _rendered(self, messages: Iterable[tuple[str, str]]) -> str:
        from jinja2 import TemplateError

        said = [{"role": role, "content": content} for role, content in messages]
        try:
            return str(self.tokenizer.apply_chat_template(said, tokenize=False, add_generation_prompt=True))
        except TemplateError as error:
            roles = ", ".join(message["role"] for message in said)
            raise RecipeError(
                f"the chat template of {_name(self.tokenizer)} refuses the roles {roles}: {error}"
            ) from None

    def _check_tokenizer(self) -> None:
        if not getattr(self.tokenizer, "is_fast", False):
            raise RecipeError(
                f"the tokenizer {_name(self.tokenizer)} has no fast form", hint="a tokenizer.json is needed"
            )
        if not self.tokenizer.chat_template:
            raise RecipeError(
                f"the tokenizer {_name(self.tokenizer)} has no chat template",
                hint="take the model's instruct version, or set template='chatml' or the path of a template",
            )

    def _check_history(self) -> None:
        """A template that changes what was said, as those that drop past thoughts do, cannot grow token by token."""
        asked, thought, said, told = (_mark(number) for number in range(4))
        reply = f"<think>\n{thought}\n</think>\n\n{said}"
        before = self._rendered([("user", asked)])
        turns = [("user", asked), ("assistant", reply), ("user", told)]
        after = self._rendered(turns)
        later = self._rendered([*turns, ("assistant", "well"), ("user", "so")])
        if not after.startswith(before + reply) or not later.startswith(after.partition(told)[0]):
            raise RecipeError(
                f"the chat template of {_name(self.tokenizer)} rewrites what was said earlier in a conversation",
                hint="an episode must only grow: set template='chatml' or the path of a template that keeps replies",
            )

    def _end(self) -> int:
        first = self._glue(("user",))[0]
        if not first or first[0] not in self.tokenizer.added_tokens_decoder:
            raise RecipeError(
                f"the chat template of {_name(self.tokenizer)} does not end a turn with a control token",
                hint="set template='chatml' or the path of a template that does",
            )
        return first[0]


def _copy(tokenizer: Any, *, control: bool) -> Any:
    """The tokenizer's fast half on its own, reading control tokens in a text as such or as plain text."""
    from tokenizers import Tokenizer

    copy = Tokenizer.from_str(tokenizer.backend_tokenizer.to_str())
    copy.no_padding()
    copy.no_truncation()
    copy.encode_special_tokens = not control
    return copy


def _turns(messages: Sequence[Message]) -> list[list[Message]]:
    """Messages cut before each reply: the first part holds none, the others begin with one."""
    turns: list[list[Message]] = [[]]
    for message in messages:
        if message.role == "assistant":
            turns.append([])
        turns[-1].append(message)
    return turns


def _roles(messages: Sequence[Message]) -> tuple[str, ...]:
    return tuple(message.role for message in messages)


def _mark(number: int) -> str:
    """A word that no template holds."""
    return f"qzv{number}jxkw"


def _name(tokenizer: Any) -> str:
    return repr(str(getattr(tokenizer, "name_or_path", "") or type(tokenizer).__name__))
