"""One stream of many sequences against each sequence on its own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from small_models import batch, small

from opensage.errors import RecipeError
from opensage.learners import packed
from opensage.learners.likelihood import likelihood, packable
from opensage.learners.stream import piece_of, streams

CPU = torch.device("cpu")


def separate(model: Any, samples: list[Any], temperature: float = 1.0) -> torch.Tensor:
    """Log-probabilities by the model's own forward pass, one sequence at a time, longest first."""
    out = []
    for sample in sorted(samples, key=lambda one: -len(one.tokens)):
        logits = model(input_ids=torch.tensor([sample.tokens])).logits[0].float() / temperature
        logprobs = logits.log_softmax(-1)
        out += [logprobs[place - 1, sample.tokens[place]] for place, said in enumerate(sample.mask) if said]
    return torch.stack(out)


def together(model: Any, samples: list[Any], **options: Any) -> torch.Tensor:
    pieces = [piece for sample in samples if (piece := piece_of(sample))]
    (stream,) = streams(pieces, budget=10_000, known=False, packed=True, device=CPU)
    with packed.packing(model):
        return likelihood(model, stream, **options).logprobs


@pytest.mark.parametrize("inside", ["each", "padded"])
@pytest.mark.parametrize("family", ["llama", "qwen2"])
def test_a_stream_gives_the_log_probabilities_and_gradients_of_its_sequences(
    family: str, inside: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if inside == "padded":
        monkeypatch.setattr(packed, "each", packed.padded)
    model, samples = small(family), batch()
    alone = separate(model, samples)
    slope = torch.linspace(-1, 1, len(alone))
    (alone * slope).sum().backward()
    expected = {name: one.grad.clone() for name, one in model.named_parameters()}
    model.zero_grad()
    packed_up = together(model, samples)
    (packed_up * slope).sum().backward()
    assert torch.allclose(packed_up, alone, atol=1e-5)
    for name, one in model.named_parameters():
        assert torch.allclose(one.grad, expected[name], atol=1e-5, rtol=1e-4), name


def test_attention_that_crossed_sequences_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    model, samples = small(), batch()

    def crossing(heads: packed.Heads) -> torch.Tensor:
        return packed._sdpa(heads.query, heads.key, heads.value, heads).transpose(1, 2)

    monkeypatch.setattr(packed, "each", crossing)
    assert not torch.allclose(together(model, samples), separate(model, samples), atol=1e-2)
    assert not packable(model)


def test_the_models_own_attention_comes_back() -> None:
    model = small()
    before = model.config._attn_implementation
    with packed.packing(model):
        assert model.config._attn_implementation == "opensage_packed"
    assert model.config._attn_implementation == before == "sdpa"
    with pytest.raises(KeyError), packed.packing(model):
        raise KeyError
    assert model.config._attn_implementation == before == "sdpa"


def test_no_mask_of_stream_by_stream_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    seen: list[Any] = []
    model = small()

    def spying(module: Any, query: Any, key: Any, value: Any, mask: Any, **others: Any) -> Any:
        seen.append(mask)
        return packed.attention(module, query, key, value, mask, **others)

    with packed.packing(model):
        monkeypatch.setitem(ALL_ATTENTION_FUNCTIONS._global_mapping, packed.NAME, spying)
        together(model, batch())
    assert seen == [None, None]


def test_positions_start_again_with_each_sequence() -> None:
    found = packed.layout([3, 2, 4])
    assert found.positions.tolist() == [[0, 1, 2, 0, 1, 0, 1, 2, 3]]
    assert found.ends.tolist() == [0, 3, 5, 9] and found.longest == 4


def test_a_sliding_window_is_kept() -> None:
    model = small("qwen2", use_sliding_window=True, sliding_window=4, max_window_layers=0)
    assert torch.allclose(together(model, batch()), separate(model, batch()), atol=1e-5)
    wide = small("qwen2")
    assert not torch.allclose(together(wide, batch()), separate(model, batch()), atol=1e-3)


def test_log_probabilities_are_taken_at_a_temperature() -> None:
    model, samples = small(), batch()
    assert torch.allclose(together(model, samples, temperature=0.7), separate(model, samples, 0.7), atol=1e-5)


def test_attention_without_a_layout_is_refused() -> None:
    one = torch.zeros(1, 2, 3, 4)
    with pytest.raises(RecipeError, match="cannot be packed"):
        packed.attention(torch.nn.Identity(), one, one, one, None)
    with pytest.raises(RecipeError, match="softcap"):
        packed.attention(torch.nn.Identity(), one, one, one, None, layout=packed.layout([3]), softcap=50.0)


def test_a_stream_holds_what_is_needed_and_no_more() -> None:
    from opensage.types import Sample

    sample = Sample(tokens=(5, 6, 7, 8, 9, 3), weights=(0, 0, 0.5, 0, 0.5, 0), logprobs=(0, 0, -1.0, 0, -2.0, 0))
    short = Sample(tokens=(1, 2), weights=(0, 1.0), logprobs=(0, -3.0))
    pieces = [piece for one in (short, sample) if (piece := piece_of(one))]
    (stream,) = streams(pieces, budget=5, known=True, packed=True, device=CPU)
    assert stream.tokens.tolist() == [[5, 6, 7, 8, 1]]
    assert stream.places.tolist() == [1, 3, 4] and stream.targets.tolist() == [7, 9, 2]
    assert stream.weights.tolist() == [0.5, 0.5, 1.0] and stream.sequence.tolist() == [0, 0, 1]
    assert stream.sampled is not None and stream.sampled.tolist() == [-1.0, -2.0, -3.0]
    assert len(streams(pieces, budget=4, known=True, packed=True, device=CPU)) == 2
    assert piece_of(Sample(tokens=(1, 2), weights=(1.0, 0), logprobs=(0, 0))) is None
