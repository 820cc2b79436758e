"""The learner's forward and backward pass on a GPU: shared streams through the flash kernel, log-probabilities, memory.

Run with `make test-gpu` on a machine with CUDA; everywhere else these are skipped.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU"),
]
VOCAB = 512


def qwen(dtype: Any, **others: Any) -> Any:
    """A small random Qwen2 with six heads of queries to one of keys."""
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=VOCAB,
        hidden_size=384,
        intermediate_size=512,
        num_hidden_layers=3,
        num_attention_heads=12,
        num_key_value_heads=2,
        max_position_embeddings=1024,
        initializer_range=0.05,
        tie_word_embeddings=True,
        **others,
    )
    return Qwen2ForCausalLM(config).to("cuda", dtype).eval()


def group(prompts: int = 2, rollouts: int = 8) -> list[Any]:
    """Rollouts to some prompts, which themselves begin alike."""
    from prowess.types import Sample

    random = Random(0)

    def some(count: int) -> tuple[int, ...]:
        return tuple(random.randrange(VOCAB) for _ in range(count))

    system, out = some(60), []
    for _ in range(prompts):
        prompt = (*system, *some(random.randint(80, 150)))
        for _ in range(rollouts):
            said = some(random.randint(20, 200))
            length = len(prompt) + len(said)
            mask = (False,) * len(prompt) + (True,) * len(said)
            out.append(Sample(tokens=prompt + said, weights=(1.0,) * length, logprobs=(0.0,) * length, said=mask))
    return sorted(out, key=lambda sample: sample.tokens[:-1])


def padded(model: Any, samples: list[Any]) -> Any:
    """Log-probabilities by the model's own forward pass on a padded batch."""
    width = max(len(sample.tokens) for sample in samples)
    rows = [[*sample.tokens, *([0] * (width - len(sample.tokens)))] for sample in samples]
    seen = [[1] * len(sample.tokens) + [0] * (width - len(sample.tokens)) for sample in samples]
    ids, mask = torch.tensor(rows, device="cuda"), torch.tensor(seen, device="cuda")
    table = model(input_ids=ids, attention_mask=mask).logits.float().log_softmax(-1)
    return torch.stack(
        [
            table[row, place - 1, sample.tokens[place]]
            for row, sample in enumerate(samples)
            for place, said in enumerate(sample.mask)
            if said
        ]
    )


def shared(model: Any, samples: list[Any]) -> Any:
    from prowess.learners.likelihood import likelihood
    from prowess.learners.packed import packing
    from prowess.learners.stream import piece_of, streams

    pieces = [piece for sample in samples if (piece := piece_of(sample))]
    (stream,) = streams(pieces, budget=10**6, known=False, packed=True, device=torch.device("cuda"))
    assert stream.tokens.numel() < 0.7 * stream.whole
    with packing(model):
        return likelihood(model, stream).logprobs


def gradient(model: Any, values: Any) -> Any:
    model.zero_grad()
    values.backward(torch.linspace(-1, 1, len(values), device="cuda"))
    return torch.cat([one.grad.float().flatten() for one in model.parameters()])


def apart(one: Any, other: Any) -> float:
    return float((one - other).detach().abs().mean())


@pytest.mark.parametrize("window", [0, 32])
def test_shared_streams_in_half_precision_are_as_near_to_the_truth_as_padded_batches(window: int) -> None:
    options = {"use_sliding_window": True, "sliding_window": window, "max_window_layers": 1} if window else {}
    samples = group()
    exact, model = qwen(torch.float32, **options), qwen(torch.bfloat16, **options)
    truth = padded(exact, samples)
    theirs, ours = padded(model, samples), shared(model, samples)
    usual = apart(theirs, truth)
    assert apart(ours, truth) < 1.2 * usual and apart(ours, theirs) < 2 * usual
    slopes = [gradient(one, values) for one, values in ((exact, truth), (model, theirs), (model, ours))]
    right, plain, mine = (
        torch.nn.functional.cosine_similarity(slopes[n], slopes[m], dim=0) for n, m in ((0, 2), (0, 1), (1, 2))
    )
    assert float(mine) > 0.999 and float(right) > float(plain) - 1e-3


def test_in_full_precision_padding_inside_attention_serves() -> None:
    model, samples = qwen(torch.float32), group()
    theirs, ours = padded(model, samples), shared(model, samples)
    assert torch.allclose(ours, theirs, atol=1e-4)
    one, other = gradient(model, theirs), gradient(model, ours)
    assert float((one - other).norm() / one.norm()) < 1e-3


@pytest.mark.parametrize("window", [None, 7])
def test_the_flash_kernel_attends_along_paths_with_grouped_heads(window: int | None) -> None:
    from prowess.learners import packed
    from prowess.learners.layout import layout

    laid = layout([40, 9, 30, 5, 17], [(0,), (0, 1), (0, 2), (0, 2, 3), (4,)], "cuda")
    torch.manual_seed(0)
    parts = [torch.randn(1, heads, 101, 64, device="cuda").bfloat16().requires_grad_() for heads in (12, 2, 2)]
    heads = packed.Heads(query=parts[0], key=parts[1], value=parts[2], layout=laid, scale=None, window=window)
    kernel = packed._varlen()
    assert kernel is not None
    slope = torch.randn(1, 101, 12, 64, device="cuda").bfloat16()
    found = []
    for way in (kernel, packed.padded):
        out = way(heads)
        found.append([out, *torch.autograd.grad(out, parts, slope)])
    for one, other in zip(*found, strict=True):
        assert torch.allclose(one.float(), other.float(), atol=0.03, rtol=0.03)


def test_keys_and_values_are_handed_over_unrepeated() -> None:
    """Not a law: where a kernel cannot do it they are repeated. Yet all those known to us can."""
    from torch.nn.attention import varlen

    from prowess.learners import packed

    state = torch.random.get_rng_state()
    with torch.no_grad():
        assert packed._takes_groups(varlen.varlen_attn)
    assert torch.equal(state, torch.random.get_rng_state())


@pytest.mark.parametrize("learns", [True, False])
def test_log_probabilities_of_a_large_vocabulary_take_little_memory(learns: bool) -> None:
    from prowess.learners.logprobs import Head, said

    rows, vocab, width = 30_000, 152_064, 896
    torch.manual_seed(0)
    hidden = torch.randn(rows, width, device="cuda", dtype=torch.bfloat16, requires_grad=True)
    weight = (torch.randn(vocab, width, device="cuda") / 30).bfloat16().requires_grad_(learns)
    targets = torch.randint(vocab, (rows,), device="cuda")
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    found = said(hidden, targets, Head(weight=weight))
    found.logprobs.sum().backward()
    assert torch.cuda.max_memory_allocated() - before < 4 * 10**9
    few = slice(0, 64)
    table = (hidden[few].detach() @ weight.detach().T).float().log_softmax(-1)
    assert torch.allclose(found.logprobs[few], table.gather(-1, targets[few, None])[:, 0], atol=1e-2)
    assert torch.allclose(found.entropy[few], -(table.exp() * table).sum(-1), atol=1e-2)
    assert (weight.grad is not None) == learns and hidden.grad.isfinite().all()


@pytest.mark.parametrize("kind", ["bfloat16", "float32"])
def test_the_kernels_compute_what_torch_does(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("triton")
    from prowess.learners import logprobs

    assert logprobs._kernels() is not None
    torch.manual_seed(0)
    hidden = torch.randn(300, 64, device="cuda", dtype=getattr(torch, kind), requires_grad=True)
    weight = torch.randn(5003, 64, device="cuda", dtype=hidden.dtype, requires_grad=True)
    bias = torch.randn(5003, device="cuda", dtype=hidden.dtype, requires_grad=True)
    targets = torch.randint(5003, (300,), device="cuda")
    head = logprobs.Head(weight=weight, bias=bias, scale=0.5, temperature=0.8)
    found = []
    for kernels in (logprobs._kernels(), None):
        monkeypatch.setattr(logprobs, "_kernels", lambda kernels=kernels: kernels)
        one = logprobs.said(hidden, targets, head, chunk=2**20, least=1, kept=0)
        slope = torch.linspace(-1, 1, 300, device="cuda")
        found.append([one.logprobs, one.entropy, *torch.autograd.grad(one.logprobs, [hidden, weight, bias], slope)])
    for mine, theirs in zip(*found, strict=True):
        near = 1e-4 if kind == "float32" else 0.02
        assert float((mine - theirs).detach().float().norm()) < near * float(theirs.detach().float().norm())


def test_fused_norms_and_gates_change_nothing_but_rounding() -> None:
    pytest.importorskip("liger_kernel")
    from prowess.learners.fused import fused

    model = qwen(torch.bfloat16)
    tokens = torch.arange(200, device="cuda")[None]
    plain = model(tokens).logits.float()
    plain.sum().backward()
    slope = model.model.layers[0].mlp.gate_proj.weight.grad.clone()
    model.zero_grad()
    with fused(model):
        quick = model(tokens).logits.float()
        quick.sum().backward()
    assert not any("forward" in vars(part) for part in model.modules())
    assert (plain - quick).abs().mean() < 0.01 * plain.abs().mean()
    other = model.model.layers[0].mlp.gate_proj.weight.grad
    assert torch.nn.functional.cosine_similarity(slope.float().flatten(), other.float().flatten(), 0) > 0.999
