"""How probable a model finds what was said, whole micro-batches at a time; the modes it does so in, and checks of it.

Only places that predict a said token are projected onto the vocabulary (see `logprobs`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn

from prowess.errors import RecipeError
from prowess.learners.fused import fused
from prowess.learners.logprobs import Head, Likelihood, said
from prowess.learners.memory import recomputed
from prowess.learners.packed import packing
from prowess.learners.rotary import turning
from prowess.learners.stream import Stream, piece_of, streams
from prowess.models.sampler import adapts
from prowess.types import Sample


def likelihood(model: Any, stream: Stream, *, temperature: float = 1.0, packed: bool = True) -> Likelihood:
    """How probable the model finds what was said. Call it within `learning` or `looking`."""
    hidden = hidden_of(model, stream, packed=packed)
    return scored(hidden, stream, head_of(model, temperature))


def hidden_of(model: Any, stream: Stream, *, packed: bool) -> Tensor:
    """What the last layer makes of each token of the stream from which a said one is predicted."""
    out = model.get_decoder()(
        input_ids=stream.tokens,
        position_ids=stream.layout.positions,
        use_cache=False,
        **({"layout": stream.layout} if packed else {}),
    )
    hidden: Tensor = out.last_hidden_state[0]
    return hidden[stream.places]


def scored(hidden: Tensor, stream: Stream, head: Head) -> Likelihood:
    """How probable a head finds what was said. Apart from the decoder, as shards of a model gather the head's weight
    only while it runs."""
    found = said(hidden, stream.targets, head)
    return Likelihood(logprobs=found.logprobs[stream.asked], entropy=found.entropy[stream.asked])


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
def learning(model: nn.Module, *, packed: bool, again: bool = False) -> Iterator[None]:
    """For forward and backward; with `again`, backward computes the layers again instead of their being kept.

    Not in training mode: probabilities are those of the sampler, and dropout and noise are not always layers of their
    own that could be silenced one by one.
    """
    model.eval()
    repeated = recomputed(model) if again else nullcontext()
    with fused(model), turning(model), packing(model) if packed else nullcontext(), repeated:
        yield


@contextmanager
def looking(model: nn.Module, *, packed: bool) -> Iterator[None]:
    """For forward passes that nothing is learnt from."""
    model.eval()
    with torch.no_grad(), fused(model), turning(model), packing(model) if packed else nullcontext():
        yield


def check_head(model: Any) -> None:
    """Refuse a model whose own logits are not the ones computed here."""
    head = model.get_output_embeddings()
    if not isinstance(head, nn.Linear) or type(head).forward is not nn.Linear.forward:
        raise RecipeError(f"the head of {type(model).__name__} is {type(head).__name__}, and no plain linear layer")
    (sample,) = _probes(model)[:1]
    with looking(model, packed=False):
        tokens = torch.tensor([sample.tokens], device=next(model.parameters()).device)
        logits = model(input_ids=tokens, use_cache=False).logits[0].float()
        own = logits.log_softmax(-1)[:-1].gather(-1, tokens[0, 1:, None])[:, 0]
        ours = _seen(model, [sample], packed=False)
    if not torch.allclose(own, ours, atol=_near(model)):
        raise RecipeError(
            f"{type(model).__name__} changes its logits in a way not known here: "
            f"log-probabilities differ by {float((own - ours).abs().max()):.2g}"
        )


def packable(model: Any) -> bool:
    """Whether a model keeps the sequences of a stream apart: tried out, as models may mix tokens outside attention.

    One that turns a short sequence otherwise beside a long one does not, and no short probe would tell.
    """
    if adapts(model.config):
        return False
    probes = _probes(model)
    try:
        together = _seen(model, probes, packed=True)
    except Exception:  # noqa: BLE001 - a family that attends in a way of its own; alone, `check_head` has tried it
        return False
    return torch.allclose(together, _seen(model, probes, packed=False), atol=_near(model))


def _near(model: nn.Module) -> float:
    return 1e-3 if next(model.parameters()).dtype == torch.float32 else 0.15


def _probes(model: Any) -> list[Sample]:
    """Short sequences of any tokens, in order; the first two share a beginning."""
    size = model.get_output_embeddings().weight.shape[0]
    rows = [[place * 7919 % size for place in range(7)], [(place + place // 4) * 7919 % size for place in range(9)]]
    rows = sorted([*rows, [(place + 3) * 7919 % size for place in range(5)]])
    return [Sample(tokens=tuple(row), weights=(1.0,) * len(row), logprobs=(0.0,) * len(row)) for row in rows]


def _seen(model: Any, samples: Sequence[Sample], *, packed: bool) -> Tensor:
    """Log-probabilities of samples that are in order, in one stream or one by one."""
    pieces = [piece for sample in samples if (piece := piece_of(sample))]
    device = next(model.parameters()).device
    out = []
    with looking(model, packed=packed):
        for some in [pieces] if packed else [[piece] for piece in pieces]:
            (stream,) = streams(some, budget=2**20, known=False, packed=packed, device=device, shortest=2)
            out.append(likelihood(model, stream, packed=packed).logprobs)
    return torch.cat(out)
