"""The tiny model: short code, values in pieces that can be copied, the same bits from the same seed."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from prowess.errors import RecipeError
from prowess.models.chat import Chat
from prowess.models.tiny import TinySettings, familiar_words, make_tiny, train_tokenizer
from prowess.types import Message

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

PEOPLE = ["Juno Halloway", "Dylan Price", "Mina Whitfield", "Samir Galanis", "Leila Ingram", "Ada Ost", "Bo Lind"]
TEXTS = [
    text
    for number, person in enumerate(PEOPLE * 3)
    for text in (
        f"Task: Like every song by {person} on music, and pay ${number}.50 to x@example.com.",
        f"I write a function.\n```python\nlike_songs_by_artist(artist_name='{person}')\n"
        '    for song in songs:\n        if song["artist_name"] == artist_name:\n            count += 1\n```',
    )
]
SMALL = TinySettings(layers=1, hidden=32, heads=2, kv_heads=1, inner=48, vocab=600, piece=2)


@cache
def chat() -> Chat:
    return Chat(train_tokenizer(TEXTS, SMALL))


def pieces(text: str) -> list[str]:
    return [chat().tokenizer.decode([token]) for token in chat().reply(text)[:-1]]


def test_a_line_that_always_reads_the_same_is_one_token() -> None:
    code = '\n    for song in songs:\n        if song["artist_name"] == artist_name:'
    assert pieces(code) == ["\n    for song in songs:", '\n        if song["artist_name"] == artist_name:']
    assert pieces("\nlike_songs_by_artist(artist_name='Zoe')") == [
        "\nlike_songs_by_artist(artist_name='",
        *pieces_alone("Zo"),
        "e",
        "')",
    ]


def within(whole: list[str], part: list[str]) -> bool:
    return any(whole[start : start + len(part)] == part for start in range(len(whole)))


@pytest.mark.parametrize(
    "value", ["Juno Halloway", "Zoltan Quist", "Water the plants", "O'Neill and Sons", "quiet hours", "Ångström Ö"]
)
@pytest.mark.parametrize(
    "place",
    [
        'Task: Like every song by "{}" on music.',
        'like_songs_by_artist(artist_name="{}")',
        "x = f(1, ['a', \"{}\"])",
        'Output: "{}"',
    ],
)
def test_a_quoted_value_has_the_same_pieces_wherever_it_stands(value: str, place: str) -> None:
    assert within(pieces(place.format(value)), [piece for word in [value] for piece in _cut(word)])


@pytest.mark.parametrize("value", ["Juno Halloway", "Zoltan Quist", "Qu X"])
@pytest.mark.parametrize("place", ["Like every song by {} on music.", "{} likes it.", "f(name='{}')", "Mina {}"])
def test_a_name_has_the_same_pieces_with_and_without_quotes(value: str, place: str) -> None:
    assert within(pieces(place.format(value)), _cut(value))


def _cut(value: str) -> list[str]:
    """Two letters at a time, and what is no letter between them; as bytes allow."""
    import re

    parts = re.findall(r"[^\W\d_]{1,2}|[^\w]+|[\d_]", value)
    return [piece for part in parts for piece in pieces_alone(part)]


def pieces_alone(part: str) -> list[str]:
    return [chat().tokenizer.decode([token]) for token in chat().tokenizer.encode(part, add_special_tokens=False)]


def test_digits_stand_alone_and_fields_are_language() -> None:
    assert [piece for piece in pieces("pay $21.50 to") if piece.isdigit()] == ["2", "1", "5", "0"]
    assert any("artist_name" in piece for piece in pieces('if song["artist_name"] == 3'))


def test_words_that_everybody_says_are_familiar_and_names_are_not() -> None:
    familiar = familiar_words(TEXTS)
    assert "Task" in familiar and "I" in familiar
    assert not set(familiar) & {"Juno", "Halloway", "Dylan"}


def test_what_begins_a_message_is_one_token() -> None:
    empty = [Message(role="system", content=""), Message(role="user", content="")]
    assert len(chat().opening(empty)) == 7  # head, end, line break; twice; head


def test_the_same_texts_make_the_same_tokenizer() -> None:
    one, other = train_tokenizer(TEXTS, SMALL), train_tokenizer(TEXTS, SMALL)
    assert one.backend_tokenizer.to_str() == other.backend_tokenizer.to_str()


def test_the_same_seed_makes_the_same_weights_and_leaves_other_draws_alone() -> None:
    torch.manual_seed(3)
    expected = torch.rand(1)
    torch.manual_seed(3)
    one, same, other = (make_tiny(TEXTS, SMALL, seed=seed).model for seed in (1, 1, 2))
    assert torch.equal(torch.rand(1), expected)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), same.parameters(), strict=True))
    assert not torch.equal(one.model.embed_tokens.weight, other.model.embed_tokens.weight)


def test_by_default_it_has_between_one_and_three_million_parameters() -> None:
    brain = make_tiny(TEXTS)
    assert 1_000_000 < brain.parameters < 3_000_000
    assert brain.model.config.vocab_size == len(brain.chat.tokenizer)


@pytest.mark.parametrize(
    "wrong", [{"hidden": 30, "heads": 4}, {"heads": 4, "kv_heads": 3}, {"layers": 0}, {"vocab": 10}, {"spread": 0.0}]
)
def test_impossible_shapes_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RecipeError, match=r"is \d"):
        TinySettings(**wrong)
