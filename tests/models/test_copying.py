"""First weights that can copy: what they repeat at birth, before any training."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch

from prowess.errors import RecipeError
from prowess.models import Brain
from prowess.models.tiny import TinySettings, make_tiny

TEXTS = ["Like every song by Juno Halloway on music.", "print(apis.music.show_song(song_id=3))"] * 4
SPAN, CLUE = 24, 3


def born(seed: int = 0, **shape: Any) -> Brain:
    return make_tiny(TEXTS, TinySettings(**shape), seed=seed)


def repeated(brain: Brain, *, strange: bool = False) -> float:
    """The share of a span's tokens that the likeliest reply repeats, once the first three of them have been said.

    before . . . span . . . between . . . span: the span's beginning is the clue, the rest of it is asked for; a strange
    one was not there before.
    """
    draws = torch.Generator().manual_seed(7)
    rows = torch.randint(10, len(brain.chat.tokenizer), (16, 60 + SPAN + 60), generator=draws)
    span = torch.randint(10, len(brain.chat.tokenizer), (16, SPAN), generator=draws) if strange else rows[:, 60:-60]
    with torch.no_grad():
        said = brain.model(torch.cat([rows, span], dim=1)).logits.argmax(-1)
    return float((said[:, -SPAN + CLUE - 1 : -1] == span[:, CLUE:]).float().mean())


@pytest.mark.parametrize("kv_heads", [2, 4])
@pytest.mark.parametrize("seed", [0, 1])
def test_at_birth_a_span_seen_once_is_repeated_after_three_of_its_tokens(kv_heads: int, seed: int) -> None:
    brain = born(seed, hidden=192, heads=4, kv_heads=kv_heads)
    assert repeated(brain) >= 0.9
    assert repeated(brain, strange=True) < 0.1


def test_two_layers_are_enough() -> None:
    assert repeated(born(hidden=192, heads=4, kv_heads=2, layers=2)) >= 0.9


@pytest.mark.parametrize("kv_heads", [2, 4])
def test_random_weights_repeat_nothing(kv_heads: int) -> None:
    assert repeated(born(hidden=192, heads=4, kv_heads=kv_heads, copies=False)) < 0.1


def test_the_same_seed_gives_the_same_weights_and_another_seed_others() -> None:
    one, same, other = (born(seed).model.state_dict() for seed in (3, 3, 4))
    assert all(torch.equal(value, same[name]) for name, value in one.items())
    laid = ["model.embed_tokens.weight"]
    laid += [f"model.layers.{n}.self_attn.{part}_proj.weight" for n in (0, 1) for part in "qkvo"]
    assert all(not torch.equal(one[name], other[name]) for name in laid)


def test_making_weights_draws_nothing_from_the_common_dice() -> None:
    before = torch.get_rng_state()
    born(3)
    assert torch.equal(torch.get_rng_state(), before)


def test_all_weights_are_trained() -> None:
    brain = born(hidden=96, heads=4, kv_heads=2, layers=2)
    tokens = torch.randint(10, 200, (2, 40), generator=torch.Generator().manual_seed(1))
    brain.model(input_ids=tokens, labels=tokens).loss.backward()
    still = [name for name, one in brain.model.named_parameters() if one.grad is None or not one.grad.abs().sum() > 0]
    assert still == []


@pytest.mark.parametrize(("layers", "heads"), [(1, 4), (1, 1), (4, 1), (4, 2)])
def test_a_shape_too_small_for_it_is_made_or_refused_in_words(layers: int, heads: int) -> None:
    try:
        brain = born(hidden=64, layers=layers, heads=heads, kv_heads=1)
    except RecipeError:
        return
    assert torch.isfinite(brain.model(torch.tensor([[11, 12, 13]])).logits).all()
