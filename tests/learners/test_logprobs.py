"""Log-probabilities straight from hidden states, against plain autograd on whole tables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from prowess.errors import RecipeError
from prowess.learners import logprobs
from prowess.learners.likelihood import check_head, head_of
from prowess.learners.logprobs import Head, said

VOCAB, WIDTH, ROWS = 50, 6, 23
HEADS = {
    "plain": {},
    "at a temperature": {"temperature": 0.7},
    "scaled": {"scale": 0.25, "temperature": 1.3},
    "capped": {"scale": 2.0, "cap": 3.0, "temperature": 0.8},
}
AGAIN: dict[str, Any] = {"chunk": VOCAB * 4 * 5, "least": 1, "kept": 0}
"""Five rows at a time, each computed again in the backward pass."""
ONCE: dict[str, Any] = {"chunk": VOCAB * 4 * 5, "least": 1}


def case(dtype: torch.dtype = torch.float32, **others: Any) -> tuple[Tensor, Tensor, Head]:
    """Hidden states, targets and a head with a bias, wide enough that some tokens are all but certain."""
    torch.manual_seed(0)
    hidden = (3 * torch.randn(ROWS, WIDTH, dtype=dtype)).requires_grad_()
    weight, bias = torch.randn(VOCAB, WIDTH, dtype=dtype), torch.randn(VOCAB, dtype=dtype)
    head = Head(weight=weight.requires_grad_(), bias=bias.requires_grad_(), **others)
    return hidden, torch.randint(VOCAB, (ROWS,)), head


def plainly(hidden: Tensor, targets: Tensor, head: Head) -> tuple[Tensor, Tensor]:
    logits = (hidden @ head.weight.T + head.bias) * head.scale
    if head.cap:
        logits = torch.tanh(logits / head.cap) * head.cap
    found = torch.distributions.Categorical(logits=logits / head.temperature)
    return found.log_prob(targets), found.entropy()


def gradients(values: Tensor, hidden: Tensor, head: Head) -> list[Tensor]:
    assert head.bias is not None
    slope = torch.linspace(-1, 1, len(values), dtype=values.dtype)
    return list(torch.autograd.grad(values, [hidden, head.weight, head.bias], slope))


@pytest.mark.parametrize("how", [AGAIN, ONCE, {}], ids=["again", "kept", "one chunk"])
@pytest.mark.parametrize("kind", list(HEADS))
def test_values_entropies_and_gradients_are_those_of_the_whole_table(kind: str, how: dict[str, Any]) -> None:
    hidden, targets, head = case(**HEADS[kind])
    expected, entropy = plainly(hidden, targets, head)
    found = said(hidden, targets, head, **how)
    assert torch.allclose(found.logprobs, expected, atol=1e-5)
    assert torch.allclose(found.entropy, entropy, atol=1e-5) and not found.entropy.requires_grad
    theirs = gradients(expected, hidden, head)
    for mine, other in zip(gradients(found.logprobs, hidden, head), theirs, strict=True):
        assert torch.allclose(mine, other, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("how", [AGAIN, ONCE], ids=["again", "kept"])
@pytest.mark.parametrize("kind", list(HEADS))
def test_gradients_are_right_in_double_precision(kind: str, how: dict[str, Any]) -> None:
    hidden, targets, head = case(torch.double, **HEADS[kind])

    def values(hidden: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        return said(hidden, targets, replace(head, weight=weight, bias=bias), **how).logprobs

    assert torch.autograd.gradcheck(values, (hidden, head.weight, head.bias))


def test_a_head_that_does_not_learn_gets_no_gradient_and_hidden_states_the_same() -> None:
    hidden, targets, head = case()
    expected = gradients(said(hidden, targets, head).logprobs, hidden, head)[0]
    frozen = replace(head, weight=head.weight.detach(), bias=None)
    found = said(hidden, targets, replace(frozen, bias=head.bias.detach() if head.bias is not None else None), **AGAIN)
    found.logprobs.backward(torch.linspace(-1, 1, ROWS))
    assert hidden.grad is not None and torch.allclose(hidden.grad, expected, atol=1e-5)


def test_a_head_without_a_bias_is_one_with_a_bias_of_0() -> None:
    hidden, targets, head = case()
    none, zero = replace(head, bias=None), replace(head, bias=torch.zeros(VOCAB))
    assert torch.equal(said(hidden, targets, none).logprobs, said(hidden, targets, zero).logprobs)


def test_a_weight_that_is_the_embedding_too_gets_both_gradients() -> None:
    torch.manual_seed(0)
    weight = torch.randn(VOCAB, WIDTH, requires_grad=True)
    tokens, targets = torch.arange(9), torch.arange(9) + 20
    expected = (weight[tokens].tanh() @ weight.T).log_softmax(-1)[torch.arange(9), targets].sum()
    found = said(weight[tokens].tanh(), targets, Head(weight=weight), **AGAIN).logprobs.sum()
    (theirs,), (mine,) = (torch.autograd.grad(one, [weight]) for one in (expected, found))
    assert torch.allclose(mine, theirs, atol=1e-5)


def test_backward_may_be_called_again() -> None:
    hidden, targets, head = case()
    for how in (AGAIN, ONCE):
        total = said(hidden, targets, head, **how).logprobs.sum()
        first = torch.autograd.grad(total, [hidden], retain_graph=True)[0]
        assert torch.equal(first, torch.autograd.grad(total, [hidden])[0])


def test_impossible_tokens_do_not_spoil_the_entropy() -> None:
    hidden, targets, head = case()
    assert head.bias is not None
    blocked = head.bias.detach().clone()
    blocked[7] = -torch.inf
    found = said(hidden, torch.where(targets == 7, 8, targets), replace(head, bias=blocked))
    assert found.entropy.isfinite().all() and found.logprobs.isfinite().all()
    assert said(hidden[:1], torch.tensor([7]), replace(head, bias=blocked)).logprobs.item() == -torch.inf


def test_the_gradient_of_the_weight_is_added_up_in_full_precision() -> None:
    """A thousand chunks of one row each: added up in half precision, most of them would be lost."""
    torch.manual_seed(0)
    hidden = torch.rand(1000, WIDTH).bfloat16().requires_grad_()
    weight = torch.zeros(VOCAB, WIDTH, dtype=torch.bfloat16, requires_grad=True)
    found = said(hidden, torch.zeros(1000, dtype=torch.long), Head(weight=weight), chunk=1, least=1, kept=0)
    found.logprobs.sum().backward()
    expected = hidden.detach().float().sum(0) * (1 - 1 / VOCAB)
    assert weight.grad is not None and torch.allclose(weight.grad[0].float(), expected, rtol=1e-2)
    assert found.logprobs.dtype == torch.float32


@pytest.mark.parametrize("vocab", [1000, 4000])
def test_however_many_tokens_and_words_only_a_chunk_of_logits_is_held(
    vocab: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[int] = []
    usual = logprobs.linear

    def counting(hidden: Tensor, *others: Any) -> Tensor:
        out = usual(hidden, *others)
        seen.append(out.numel() * 4)
        return out

    monkeypatch.setattr(logprobs, "linear", counting)
    hidden = torch.randn(700, 8, requires_grad=True)
    head = Head(weight=torch.randn(vocab, 8, requires_grad=True))
    budget = 2**17
    said(hidden, torch.zeros(700, dtype=torch.long), head, chunk=budget, least=1, kept=0).logprobs.sum().backward()
    assert max(seen) <= budget and sum(seen) == 2 * 700 * vocab * 4


def test_nothing_of_the_tables_is_kept_between_forward_and_backward() -> None:
    saved: list[int] = []

    def note(one: Tensor) -> Tensor:
        saved.append(one.numel())
        return one

    hidden, targets, head = case()
    for how, most in ((AGAIN, ROWS * WIDTH), (ONCE, 5 * VOCAB)):
        saved.clear()
        with torch.autograd.graph.saved_tensors_hooks(note, lambda one: one):
            said(hidden, targets, head, **how)
        assert max(saved) == most
    with torch.no_grad():
        assert not said(hidden, targets, head).logprobs.requires_grad


def test_what_families_do_to_their_logits_is_read_from_their_configuration() -> None:
    from transformers import CohereConfig, CohereForCausalLM, Gemma2Config, Gemma2ForCausalLM

    shape: dict[str, Any] = {
        "vocab_size": 64,
        "hidden_size": 16,
        "intermediate_size": 16,
        "num_hidden_layers": 1,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "head_dim": 8,
        "pad_token_id": 0,
    }
    cohere = CohereForCausalLM(CohereConfig(**shape, logit_scale=0.3)).eval()
    gemma = Gemma2ForCausalLM(Gemma2Config(**shape, final_logit_softcapping=2.0, initializer_range=1.0)).eval()
    assert (head_of(cohere).scale, head_of(gemma).cap, head_of(gemma, 0.5).temperature) == (0.3, 2.0, 0.5)
    check_head(cohere)
    check_head(gemma)
    gemma.config.final_logit_softcapping = None
    forward = gemma.forward
    gemma.forward = lambda **named: _capped(forward(**named), 2.0)
    with pytest.raises(RecipeError, match="changes its logits"):
        check_head(gemma)


def _capped(out: Any, cap: float) -> Any:
    out.logits = torch.tanh(out.logits / cap) * cap
    return out


def test_a_head_that_is_no_plain_linear_layer_is_refused() -> None:
    from small_models import small

    class Louder(nn.Linear):
        def forward(self, input: Tensor) -> Tensor:
            return 2 * super().forward(input)

    model = small(tie_word_embeddings=False)
    model.lm_head = Louder(32, 96, bias=False)
    with pytest.raises(RecipeError, match="the head of LlamaForCausalLM is Louder"):
        check_head(model)
