"""`tiny`: a model of a few million parameters, made on the spot from a seed, with a tokenizer of the expert's words.

It exists so that the whole of the method runs on two CPU cores in minutes. Two things make that possible. Code is
short: a piece may span many words of a line, so a line that always reads the same is one token. And values can be
copied: names, titles, e-mail addresses and amounts are always cut into the same small pieces, wherever they stand, so
those that nobody saw in training are made of pieces that everybody did; and the first weights already know how to copy
(`prowess.models.copying`), which random ones take tens of thousands of examples to learn.

    print(add_alarm(label='Water plants', hour=7))
    |print(add_alarm(label='|W|a|t|e|r| |p|l|a|n|t|s|', hour=|7|))|
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.errors import RecipeError
from prowess.models import Brain
from prowess.models.chat import Chat

END, PAD = "<|im_end|>", "<|endoftext|>"
HEADS = tuple(f"<|im_start|>{role}\n" for role in ("system", "user", "assistant"))
"""What begins a message is one token with the role in it: fewer to read than the three that it usually is."""

TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
"""ChatML: what Qwen and SmolLM2 speak."""

_FEW, _MANY, _FAMILIAR = 0.2, 0.02, 40
"""What stands in so many texts is part of the language, not somebody's name: forty, but no more than a fifth of them,
and no fewer than one in fifty."""

_LIKE_VALUES = re.compile(
    r"""(?<![^\W\d_])[A-Z][a-z]*(?![^\W\d_])|(?<=["'])[a-z]+(?=["'])|(?<!\d)\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d)?(?!\d)"""
)
"""Capitalised words, quoted lower-case words, dates."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TinySettings:
    """The shape of the tiny model and of its tokenizer."""

    layers: int = 4
    hidden: int = 192
    """Width of the model; a multiple of `heads`."""
    heads: int = 4
    kv_heads: int = 2
    """Heads of keys and values; fewer are less to read back at every token."""
    inner: int = 512
    """Width inside the feed-forward part."""
    vocab: int = 2048
    """Tokens; the tokenizer may use fewer."""
    positions: int = 2048
    """The longest conversation, in tokens."""
    piece: int = 1
    """Letters in a piece of a value. With one, unseen values are copied best. With two, texts are a little shorter."""
    spread: float = 0.02
    """Standard deviation of the first weights."""
    copies: bool = True
    """Whether the first weights can copy (see `prowess.models.copying`). That needs two layers and two heads. If not,
    all weights are random."""

    def __post_init__(self) -> None:
        least = {"layers": 1, "hidden": 8, "heads": 1, "kv_heads": 1, "inner": 8, "vocab": 300, "positions": 64}
        for name, lowest in {**least, "piece": 1}.items():
            if getattr(self, name) < lowest:
                raise RecipeError(f"{name} is {getattr(self, name)}", hint=f"allowed: {lowest} or more")
        if self.hidden % self.heads or self.hidden // self.heads % 2:
            raise RecipeError(f"hidden is {self.hidden}", hint=f"allowed: an even multiple of heads ({self.heads})")
        if self.heads % self.kv_heads:
            raise RecipeError(f"kv_heads is {self.kv_heads}", hint=f"allowed: a divisor of heads ({self.heads})")
        if not 0 < self.spread < 1:
            raise RecipeError(f"spread is {self.spread}", hint="allowed: between 0 and 1")


def make_tiny(texts: Iterable[str], settings: TinySettings | None = None, *, seed: int = 0) -> Brain:
    """A tiny model with random weights and a tokenizer trained on the texts: the contents of messages."""
    settings = settings or TinySettings()
    tokenizer = train_tokenizer(texts, settings)
    return Brain(model=_weights(settings, tokenizer, seed), chat=Chat(tokenizer), name="tiny")


def train_tokenizer(texts: Iterable[str], settings: TinySettings | None = None) -> Any:
    """A byte-level BPE tokenizer of these texts, as transformers wants it. Any text comes back as it went in."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    settings = settings or TinySettings()
    seen = list(texts)
    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = _cuts(settings.piece, familiar_words(seen))
    backend.decoder = decoders.ByteLevel()
    control = [AddedToken(text, special=True, normalized=False) for text in (PAD, END, *HEADS)]
    trainer = trainers.BpeTrainer(
        vocab_size=settings.vocab,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        special_tokens=control,
        show_progress=False,
        min_frequency=2,
    )
    backend.train_from_iterator(seen, trainer)
    make: Any = PreTrainedTokenizerFast
    return make(
        tokenizer_object=backend,
        eos_token=END,
        pad_token=PAD,
        chat_template=TEMPLATE,
        model_max_length=settings.positions,
        clean_up_tokenization_spaces=False,
    )


def familiar_words(texts: Sequence[str]) -> tuple[str, ...]:
    """What looks like a value and is language: `Task`, the field "phone", today's date. It stands in many texts."""
    counts = Counter(word for text in texts for word in set(_LIKE_VALUES.findall(text)))
    enough = max(5, math.ceil(max(_MANY * len(texts), min(_FEW * len(texts), _FAMILIAR))))
    return tuple(
        sorted((word for word, count in counts.items() if count >= enough), key=lambda word: (-len(word), word))
    )


def _cuts(piece: int, familiar: Sequence[str]) -> Any:
    """Cuts a text into values, piece by piece, and the stretches of lines between them."""
    from tokenizers import Regex, pre_tokenizers

    return pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_values(piece, familiar)), behavior="isolated"),
            pre_tokenizers.Split(Regex(r"\n+[^\n]*"), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )


def _values(piece: int, familiar: Sequence[str]) -> str:
    """A pattern whose matches are the pieces of values.

    A value is a digit, or a word that is capitalised, stands in quotes, or is part of an e-mail address. The first
    piece of a word is told by what follows it, the others by following a match (\\G). A quote closes when something
    stands before it and no word after it, so "in quotes" means that the next quote of the line closes. Names of fields
    (`song["title"]`, `'title': ...`) are language.
    """
    letters = rf"\p{{L}}{{1,{piece}}}"
    words = "|".join(word for word in familiar if word.isalpha())
    dates = [rf"(?<!\d){re.escape(word)}(?!\d)" for word in familiar if not word.isalpha()]
    known = rf"(?!(?:{words})(?!\p{{L}}))" if words else ""
    double = r"""(?=[^"\n]{1,120}(?<![\s(=\[,{:+"])"(?!["\p{L}\d]))"""
    single = r"""(?=(?:[^'\n]|(?<=\p{L})'(?=\p{L})){1,120}(?<![\s(=\[,{:+'])'(?!['\p{L}\d]))"""
    field = r"""(?<![\w)\]]\[["'])(?!\w*["']:)"""
    email = r"(?=[\w.+\-]{1,64}@)"
    return "|".join(
        [
            *dates,
            r"\d",
            rf"\G(?<=\p{{L}}){letters}",
            rf"(?<!\p{{L}}){known}(?=\p{{Lu}}){letters}",
            rf"(?<![\p{{L}}_]){field}{known}(?:{double}|{single}|{email}){letters}",
            rf"(?:(?<=[~\w]/)|(?<=\s\.)){letters}",
        ]
    )


def _weights(settings: TinySettings, tokenizer: Any, seed: int) -> Any:
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    from prowess.models.copying import THETA, lay_copying

    copies = settings.copies and settings.layers > 1 and settings.heads > 1
    shape: Any = LlamaConfig
    make: Any = LlamaForCausalLM
    config = shape(
        vocab_size=len(tokenizer),
        hidden_size=settings.hidden,
        intermediate_size=settings.inner,
        num_hidden_layers=settings.layers,
        num_attention_heads=settings.heads,
        num_key_value_heads=settings.kv_heads,
        max_position_embeddings=settings.positions,
        initializer_range=settings.spread,
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        attention_bias=copies,
        rope_parameters={"rope_type": "default", "rope_theta": THETA if copies else 10_000.0},
        attn_implementation="sdpa",
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = make(config).eval()
    if copies:
        lay_copying(model, seed)
    return model
