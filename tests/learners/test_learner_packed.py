"""One stream of many sequences against each sequence on its own."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from small_models import batch, small

from prowess.errors import RecipeError
from prowess.learners import packed, stream
from prowess.learners.layout import layout
from prowess.learners.likelihood import likelihood, packable
from prowess.learners.stream import FedSample, piece_of, streams
from prowess.learners.tree import tree_of
from prowess.types import Sample

CPU = torch.device("cpu")


def separate(model: Any, samples: list[Any], temperature: float = 1.0) -> torch.Tensor:
    """Log-probabilities by the model's own forward pass, one sequence at a time, in the order of a stream."""
    out = []
    for sample in [piece.sample for piece in sorted(pieces_of(samples), key=lambda one: one.tokens)]:
        logits = model(input_ids=torch.tensor([sample.tokens])).logits[0].float() / temperature
        logprobs = logits.log_softmax(-1)
        out += [logprobs[place - 1, sample.tokens[place]] for place, said in enumerate(sample.mask) if said]
    return torch.stack(out)


def together(model: Any, samples: list[Any], shortest: int = 1, **options: Any) -> torch.Tensor:
    pieces = pieces_of(samples)
    (stream,) = streams(pieces, budget=10_000, known=False, packed=True, device=CPU, shortest=shortest)
    with packed.packing(model):
        return likelihood(model, stream, **options).logprobs


def pieces_of(samples: list[Any]) -> list[FedSample]:
    return [piece for sample in samples if (piece := piece_of(sample))]


@st.composite
def alike(draw: st.DrawFn) -> list[Sample]:
    """Samples of which some go on from where another has come to, and some are another's beginning, or the same."""
    rows: list[tuple[int, ...]] = []
    for _ in range(draw(st.integers(1, 7))):
        model = draw(st.sampled_from([(), *rows]))
        begun = model[: draw(st.integers(0, len(model)))]
        rest = draw(st.lists(st.integers(0, 3), min_size=0 if len(begun) > 1 else 2, max_size=9))
        rows.append((*begun, *rest))
    return [
        Sample(
            tokens=row,
            weights=(1.0,) * len(row),
            logprobs=(0.0,) * len(row),
            said=tuple(place == len(row) - 1 or place % 3 == 1 for place in range(len(row))),
        )
        for row in rows
    ]


def told_of(model: Any, values: torch.Tensor) -> dict[str, torch.Tensor]:
    """The values and every gradient of them, each value weighed differently."""
    model.zero_grad()
    values.backward(torch.linspace(-1, 1, len(values)))
    return {"values": values.detach(), **{name: one.grad for name, one in model.named_parameters()}}


MODELS = {
    "llama": {},
    "qwen2": {"family": "qwen2"},
    "with a window": {"family": "qwen2", "use_sliding_window": True, "sliding_window": 4, "max_window_layers": 1},
}


@pytest.mark.parametrize("inside", ["each", "padded"])
@pytest.mark.parametrize("kind", list(MODELS))
def test_what_is_shared_changes_neither_log_probabilities_nor_gradients(kind: str, inside: str) -> None:
    model = small(**MODELS[kind])  # type: ignore[arg-type]

    @settings(max_examples=25, deadline=None, derandomize=True, database=None)
    @given(samples=alike(), shortest=st.integers(1, 4))
    def check(samples: list[Sample], shortest: int) -> None:
        expected = told_of(model, separate(model, samples))
        found = told_of(model, together(model, samples, shortest))
        for name, value in expected.items():
            assert torch.allclose(found[name], value, atol=1e-5, rtol=1e-4), name

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed, "ROWS", 3)
        if inside == "padded":
            patch.setattr(packed, "each", packed.padded)
        check()


@pytest.mark.parametrize("wide", [2, 3])  # values as wide as keys, and others
def test_rows_taken_many_times_get_the_sum_of_their_gradients_in_full_precision(wide: int) -> None:
    keys = torch.zeros(1, 1, 3, 2, dtype=torch.bfloat16, requires_grad=True)
    values = torch.zeros(1, 1, 3, wide, dtype=torch.bfloat16, requires_grad=True)
    one, other = packed._along(keys, values, torch.tensor([0] * 1000 + [2]))
    torch.autograd.backward([one, other], [torch.ones_like(one), 2 * torch.ones_like(other)])
    assert keys.grad is not None and keys.grad[0, 0, :, 0].tolist() == [1000, 0, 1]
    assert values.grad is not None and values.grad[0, 0, :, 0].tolist() == [2000, 0, 2]


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
        return packed._sdpa(heads.query, heads.key, heads.value, heads, None).transpose(1, 2)

    monkeypatch.setattr(packed, "each", crossing)
    assert not torch.allclose(together(model, samples), separate(model, samples), atol=1e-2)
    assert not packable(model)


def test_the_models_own_attention_comes_back() -> None:
    model = small()
    before = model.config._attn_implementation
    with packed.packing(model):
        assert model.config._attn_implementation == "prowess_packed"
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
    found = layout([3, 2, 4])
    assert found.positions.tolist() == [[0, 1, 2, 0, 1, 0, 1, 2, 3]]
    assert found.ends.tolist() == found.path_ends.tolist() == [0, 3, 5, 9]
    assert found.longest == found.farthest == 4 and found.paths is None


def test_positions_and_paths_go_on_from_what_leads_to_a_segment() -> None:
    """The layout drawn in the module."""
    tree = tree_of([(1, 2, 3, 4), (1, 2, 3, 5, 6), (7, 8)], shortest=3)
    found = layout([len(one) for one in tree.segments], tree.ways)
    assert found.positions.tolist() == [[0, 1, 2, 3, 3, 4, 0, 1]]
    assert found.ends.tolist() == [0, 3, 4, 6, 8] and found.path_ends.tolist() == [0, 3, 7, 12, 14]
    assert found.paths is not None and found.paths.tolist() == [0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 4, 5, 6, 7]
    assert (found.longest, found.farthest) == (3, 5)


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
        packed.attention(torch.nn.Identity(), one, one, one, None, layout=layout([3]), softcap=50.0)


LONG = Sample(tokens=(5, 6, 7, 8, 9, 3), weights=(0, 0, 0.5, 0, 0.5, 0), logprobs=(0, 0, -1.0, 0, -2.0, 0))


def test_a_stream_holds_what_is_needed_and_no_more() -> None:
    short = Sample(tokens=(1, 2), weights=(0, 1.0), logprobs=(0, -3.0))
    pieces = pieces_of([LONG, short])
    (stream,) = streams(pieces, budget=5, known=True, packed=True, device=CPU)
    assert stream.tokens.tolist() == [[1, 5, 6, 7, 8]] and stream.whole == 5
    assert stream.places.tolist() == [0, 2, 4] and stream.targets.tolist() == [2, 7, 9]
    assert stream.asked.tolist() == [0, 1, 2]
    assert stream.weights.tolist() == [1.0, 0.5, 0.5] and stream.sequence.tolist() == [0, 1, 1]
    assert stream.sampled is not None and stream.sampled.tolist() == [-3.0, -1.0, -2.0]
    assert len(streams(pieces, budget=4, known=True, packed=True, device=CPU)) == 2
    assert piece_of(Sample(tokens=(1, 2), weights=(1.0, 0), logprobs=(0, 0))) is None


def test_what_two_samples_share_is_fed_once_and_asked_about_once() -> None:
    """The stream drawn in the module."""
    other = Sample(tokens=(5, 6, 7, 4), weights=(0, 0, -1.0, -1.0), logprobs=(0, 0, -3.0, -4.0))
    pieces = pieces_of([LONG, other])
    (stream,) = streams(pieces, budget=6, known=True, packed=True, device=CPU, shortest=3)
    assert stream.tokens.tolist() == [[5, 6, 7, 8]] and stream.whole == 7
    assert stream.layout.lengths == (3, 1) and stream.layout.ways == ((0,), (0, 1))
    assert stream.places.tolist() == [1, 2, 3] and stream.targets.tolist() == [7, 4, 9]
    assert stream.asked.tolist() == [0, 1, 0, 2] and stream.sequence.tolist() == [0, 0, 1, 1]
    assert stream.weights.tolist() == [-1.0, -1.0, 0.5, 0.5]
    assert stream.sampled is not None and stream.sampled.tolist() == [-3.0, -4.0, -1.0, -2.0]


@given(samples=alike(), shortest=st.integers(1, 4), budget=st.integers(1, 30))
def test_micro_batches_hold_every_said_token_once_within_their_budget(
    samples: list[Sample], shortest: int, budget: int
) -> None:
    pieces = pieces_of(samples)
    made = streams(pieces, budget=budget, known=False, packed=True, device=CPU, shortest=shortest)
    sizes = [stream.tokens.numel() for stream in made]
    assert sizes == sorted(sizes, reverse=True)
    assert all(size <= budget or int(one.sequence.max()) == 0 for size, one in zip(sizes, made, strict=True))
    assert sum(stream.whole for stream in made) == sum(len(piece.tokens) for piece in pieces)
    targets = sorted(token for stream in made for token in stream.targets[stream.asked].tolist())
    assert targets == sorted(piece.sample.tokens[place] for piece in pieces for place in piece.asked)
    apart = streams(pieces, budget=budget, known=False, packed=False, device=CPU)
    assert len(apart) == len(pieces) and all(stream.layout.paths is None for stream in apart)


@given(samples=alike(), shortest=st.integers(1, 4))
def test_a_tree_leads_to_every_sequence_and_shares_what_is_long_enough(samples: list[Sample], shortest: int) -> None:
    rows = sorted(sample.tokens for sample in samples)
    tree = tree_of(rows, shortest)
    assert [tuple(token for number in way for token in tree.segments[number]) for way in tree.sequences] == rows
    assert all(way[-1] == number and way[:-1] in ((), *tree.ways) for number, way in enumerate(tree.ways))
    assert all(tree.segments)
    if shortest == 1:
        beginnings = {row[: place + 1] for row in rows for place in range(len(row))}
        assert sum(len(segment) for segment in tree.segments) == len(beginnings)
    else:
        inner = {number for way in tree.ways for number in way[:-1]}
        assert all(len(tree.segments[number]) >= shortest for number in inner)


def test_a_sample_beyond_the_context_names_the_keys_that_mend_it() -> None:
    said = Sample(tokens=(1, 2, 3), weights=(0.0, 1.0, 1.0), logprobs=(0.0, 0.0, 0.0))
    short = Sample(tokens=(1, 2), weights=(0.0, 1.0), logprobs=(0.0, 0.0))
    with pytest.raises(RecipeError, match=r"a sample of 2 tokens .* is 1\n.*agent\.context_tokens.*sft\.longest"):
        stream.pieces_of([short, said, short], 1)
    assert [piece.sample for piece in stream.pieces_of([short, said], 2)] == [short, said], "the last is not fed"
