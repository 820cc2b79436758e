"""verl's FSDP2 engine with our forward pass: streams without padding, shared beginnings fed once, no table of logits.

It is registered with verl's own registry. Sharding, mixed precision, offload, clipping and the optimiser are verl's.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from verl.workers.engine.base import EngineRegistry
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead

from prowess.learners.likelihood import head_of, hidden_of, learning, looking, scored
from prowess.learners.logprobs import Likelihood
from prowess.learners.losses import Loss, Tally
from prowess.learners.stream import Stream, pieces_of, streams
from prowess.types import Sample

KIND = "prowess"
"""What verl's registry knows it by."""
NOTHING = Sample(tokens=(0, 0), weights=(0.0, 1.0), logprobs=(0.0, 0.0))
"""What a rank feeds that has nothing to learn from: all ranks gather a layer's weights together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fed:
    """What a pass over a share came to."""

    tally: Tally
    fed: int
    whole: int
    dummies: int


LossOf = Callable[[Likelihood, Any, "Tensor | None", "Tensor | None"], Loss]
"""Of what the weights say now, a micro-batch, and what they said before the step and in the beginning."""


@EngineRegistry.register(model_type=KIND, backend=["fsdp2"], device=["cuda", "cpu"])
class TreeEngine(FSDPEngineWithLMHead):  # type: ignore[misc]
    """One rank's part."""

    packed = True
    """Whether sequences share a stream."""

    def _build_module(self) -> Any:
        self.model_config.model_type = "language_model"  # a folder is read as that
        module = super()._build_module()
        head = module.get_output_embeddings()

        def likelihood(hidden: Tensor, stream: Stream, temperature: float) -> Likelihood:
            return scored(hidden, stream, head_of(module, temperature))

        def forward(model: Any, input_ids: Stream, temperature: float = 1.0, **unused: object) -> Likelihood:
            """As the model's own forward, so that its shards are gathered; peft passes on what it knows no name for."""
            hidden = hidden_of(model, input_ids, packed=self.packed)
            found: Likelihood = head(hidden, input_ids, temperature)
            return found

        head.forward = likelihood
        module.forward = types.MethodType(forward, module)
        return module

    @property
    def device(self) -> torch.device:
        found: torch.device = next(self.module.parameters()).device
        return found

    def cut(self, samples: Sequence[Sample], *, budget: int, known: bool) -> list[Stream]:
        """The micro-batches of a share."""
        pieces = pieces_of(
            samples, getattr(self.model_config.hf_config, "max_position_embeddings", None) or float("inf")
        )
        return streams(pieces, budget=budget, known=known, packed=self.packed, device=self.device)

    def seen(self, parts: Sequence[Stream], *, temperature: float, bare: bool = False) -> list[Tensor]:
        """The log-probabilities of what was said in each of them, as the weights are now; `bare` without LoRA."""
        found = []
        without = self.disable_adapter() if bare else nullcontext()
        with self.eval_mode(), looking(self.module, packed=self.packed), without:
            for stream, counts in self._together(parts):
                new = self.module(stream, temperature=temperature)
                if counts:
                    found.append(new.logprobs)
        return found

    def logprobs(self, samples: Sequence[Sample], *, budget: int, temperature: float) -> list[list[float]]:
        """Of the said tokens of each sample."""
        parts = [self.cut([sample], budget=budget, known=False)[0] for sample in samples]
        return [found.tolist() for found in self.seen(parts, temperature=temperature)]

    def gradients(
        self,
        parts: Sequence[Stream],
        old: Sequence[Tensor | None],
        reference: Sequence[Tensor | None],
        loss_of: LossOf,
        *,
        temperature: float,
        again: bool,
    ) -> Fed:
        """Add up gradients of all of them. FSDP takes the mean over ranks, and a batch wants the sum."""
        size = self.get_data_parallel_size()
        tally, dummies = Tally(), 0
        with (
            self.train_mode(zero_grad_on_exit=False),
            learning(self.module, packed=self.packed, again=again),
        ):
            for number, (stream, counts) in enumerate(self._together(parts)):
                new = self.module(stream, temperature=temperature)
                if counts:
                    loss = loss_of(new, stream, old[number], reference[number])
                    tally += loss.tally
                    value = loss.value * size
                else:
                    value, dummies = new.logprobs.sum() * 0, dummies + 1
                value.backward()
        return Fed(
            tally=plain(tally),
            fed=sum(part.tokens.numel() for part in parts),
            whole=sum(part.whole for part in parts),
            dummies=dummies,
        )

    def _together(self, parts: Sequence[Stream]) -> list[tuple[Stream, bool]]:
        """The micro-batches, filled up so that every rank has as many; whether each of them counts."""
        most = torch.tensor(len(parts), device=self.device)
        dist.all_reduce(most, dist.ReduceOp.MAX, group=self.get_data_parallel_group())
        fill = [*parts[-1:]] or self.cut([NOTHING], budget=1, known=False)
        return [(part, True) for part in parts] + [(fill[0], False)] * (int(most) - len(parts))


def plain(tally: Tally) -> Tally:
    """With numbers in place of tensors, to be sent."""
    return Tally(
        tokens=tally.tokens, loss=float(tally.loss), sums={name: float(value) for name, value in tally.sums.items()}
    )
