"""How probable a model finds what was said, whole micro-batches at a time; the modes it does so in, and checks of it.

Only places that predict a said token are projected onto the vocabulary (see `logprobs`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from opensage.errors import RecipeError
from opensage.learners.logprobs import Head, Likelihood, said
from opensage.learners.packed import layout, packing
from opensage.learners.stream import Stream


def likelihood(model: Any, stream: Stream, *, temperature: float = 1.0, packed: bool = True) -> Likelihood:
    """How probable the model finds what was said. Call it within `learning` or `looking`."""
    hidden = _hidden(model, stream, packed=packed)[stream.places]
    return said(hidden, stream.targets, head_of(model, temperature))


def _hidden(model: Any, stream: Stream, *, packed: bool) -> Tensor:
    """What the last layer makes of each token of the stream."""
    out = model.get_decoder()(
        input_ids=stream.tokens,
        position_ids=stream.layout.positions,
        use_cache=False,
        **({"layout": stream.layout} if packed else {}),
    )
    hidden: Tensor = out.last_hidden_state[0]
    return hidden


def head_of(model: Any, temperature: float = 1.0) -> Head:
    """A model's head, with what some families do to their logits: `check_head` makes sure that nothing else is done."""
    head, config = model.get_output_embeddings(), model.config
    return Head(
        weight=head.weight,
        bias=getattr(head, "bias", None),
        scale=(getattr(config, "logit_scale", None) or 1.0) / (getattr(config, "logits_scaling", None) or 1.0),
        cap=getattr(config, "final_logit_softcapping", None) or 0.0,
        temperature=temperature,
    )


# ------------------------------------------------------------------------------------------------- modes and checks


@contextmanager
def learning(model: nn.Module, *, packed: bool) -> Iterator[None]:
    """For forward and backward: training mode, without dropout, so that probabilities are those of the sampler."""
    model.train()
    for part in model.modules():
        if isinstance(part, nn.modules.dropout._DropoutNd):
            part.eval()
    try:
        with packing(model) if packed else nullcontext():
            yield
    finally:
        model.eval()


@contextmanager
def looking(model: nn.Module, *, packed: bool) -> Iterator[None]:
    """For forward passes that nothing is learnt from."""
    model.eval()
    with torch.no_grad(), packing(model) if packed else nullcontext():
        yield


def check_head(model: Any) -> None:
    """Refuse a model whose own logits are not the ones computed here."""
    head = model.get_output_embeddings()
    if not isinstance(head, nn.Linear) or type(head).forward is not nn.Linear.forward:
        raise RecipeError(f"the head of {type(model).__name__} is {type(head).__name__}, and no plain linear layer")
    one = _probe(model, (7,))
    with looking(model, packed=False):
        logits = model(input_ids=one.tokens, use_cache=False).logits[0].float()
        own = logits.log_softmax(-1).gather(-1, one.targets[:, None])[:, 0]
        ours = likelihood(model, one, packed=False).logprobs
    if not torch.allclose(own, ours, atol=_near(model)):
        raise RecipeError(
            f"{type(model).__name__} changes its logits in a way not known here: "
            f"log-probabilities differ by {float((own - ours).abs().max()):.2g}"
        )


def packable(model: Any) -> bool:
    """Whether a model keeps the sequences of a stream apart: tried out, as models may mix tokens outside attention."""
    both = _probe(model, (7, 9))
    try:
        with looking(model, packed=True):
            together = likelihood(model, both).logprobs
    except RecipeError:
        return False
    with looking(model, packed=False):
        apart = torch.cat([likelihood(model, _probe(model, (n,)), packed=False).logprobs for n in (7, 9)])
    return torch.allclose(together, apart, atol=_near(model))


def _near(model: nn.Module) -> float:
    return 1e-3 if next(model.parameters()).dtype == torch.float32 else 0.15


def _probe(model: Any, lengths: tuple[int, ...]) -> Stream:
    """Short sequences of any tokens."""
    device, size = next(model.parameters()).device, model.get_output_embeddings().weight.shape[0]
    tokens = torch.cat([(torch.arange(length) * 7919 + length) % size for length in lengths]).to(device)
    return Stream(
        tokens=tokens[None],
        layout=layout(lengths, device),
        places=torch.arange(len(tokens), device=device),
        targets=torch.cat([part.flip(0) for part in torch.split(tokens, list(lengths))]),
        weights=torch.ones(len(tokens), device=device),
        sampled=None,
        sequence=torch.zeros(len(tokens), dtype=torch.long, device=device),
    )
