"""verl's own engine behind the verbs that ours has: each sample is fed whole, and may be cut over GPUs (Ulysses)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from verl.utils import tensordict_utils as tu
from verl.utils.dataset.dataset_utils import DatasetPadMode

from prowess.learners.logprobs import Likelihood
from prowess.learners.losses import Tally
from prowess.learners.verl.engine import Fed, LossOf, plain
from prowess.types import Sample

OTHERS = ("old", "reference")
"""What other weights said of the same tokens."""
NOTHING = Sample(tokens=(0, 0), weights=(0.0, 0.0), logprobs=(0.0, 0.0))
"""A row in which nothing was said: ranks must have equally many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Samples as a loss takes them: an entry for each said token."""

    weights: Tensor
    sampled: Tensor | None
    sequence: Tensor


class StockEngine:
    """One rank's part, on an engine of verl as it comes."""

    def __init__(self, engine: Any) -> None:
        self.engine = engine

    def cut(self, samples: Sequence[Sample], *, budget: int, known: bool) -> list[Any]:
        """A share as verl takes it: nested tensors. It cuts micro-batches itself."""
        most = torch.tensor(len(samples), device=next(self.engine.module.parameters()).device)
        dist.all_reduce(most, dist.ReduceOp.MAX)
        rows = [*samples, *[NOTHING] * (int(most) - len(samples))]
        longest = torch.tensor(max((len(one.tokens) for one in rows), default=2), device=most.device)
        dist.all_reduce(longest, dist.ReduceOp.MAX)
        return [_rows(rows, budget=max(budget, int(longest)), known=known, count=len(samples))] if rows else []

    def seen(self, parts: Sequence[Any], *, temperature: float, bare: bool = False) -> list[Tensor]:
        """Log-probabilities of all tokens, sample by sample, as the weights are now; `bare` without LoRA."""
        found = []
        for data in parts:
            tu.assign_non_tensor(data, temperature=temperature)
            without = self.engine.disable_adapter() if bare else nullcontext()
            with self.engine.eval_mode(), without:
                out = self.engine.forward_backward_batch(data, loss_function=None, forward_only=True)
            found.append(out["model_output"]["log_probs"])
        return found

    def logprobs(self, samples: Sequence[Sample], *, budget: int, temperature: float) -> list[list[float]]:
        """Of the said tokens of each sample."""
        found = self.seen(self.cut(samples, budget=budget, known=False), temperature=temperature)
        out = []
        for sample, values in zip(samples, found[0].unbind() if found else (), strict=False):
            told = values.tolist()
            out.append([told[place - 1] for place, said in enumerate(sample.mask) if said and place])
        return out

    def gradients(
        self,
        parts: Sequence[Any],
        old: Sequence[Tensor | None],
        reference: Sequence[Tensor | None],
        loss_of: LossOf,
        *,
        temperature: float,
        again: bool,
    ) -> Fed:
        """Add up gradients. FSDP takes the mean over ranks, and a batch wants the sum."""
        size, tallies = self.engine.get_data_parallel_size(), [Tally()]

        def loss(model_output: Any, data: Any, dp_group: Any = None) -> tuple[Tensor, dict[str, Any]]:
            said = _shifted(data, "loss_mask").bool()
            new = Likelihood(
                logprobs=model_output["log_probs"].values()[said], entropy=model_output["entropy"].values()[said]
            )
            others = [data[name].values()[said] if name in names else None for name in OTHERS]
            if not bool(said.any()):
                return model_output["log_probs"].values().sum() * 0, {}
            got = loss_of(new, _told(data, said), *others)
            tallies[0] += got.tally
            return got.value * size, {}

        fed = 0
        names: set[str] = set()
        for data, *others in zip(parts, old, reference, strict=True):
            tu.assign_non_tensor(data, temperature=temperature, calculate_entropy=True)
            given = {name: one for name, one in zip(OTHERS, others, strict=True) if one is not None}
            names |= given.keys()
            for name, one in given.items():
                data[name] = one
            with self.engine.train_mode(zero_grad_on_exit=False):
                self.engine.forward_backward_batch(data, loss_function=loss)
            fed += int(data["loss_mask"].offsets()[tu.get_non_tensor_data(data, "count", 0)])
        return Fed(tally=plain(tallies[0]), fed=fed, whole=fed, dummies=0)


def _rows(samples: Sequence[Sample], *, budget: int, known: bool, count: int) -> Any:
    def nested(values: Sequence[Sequence[Any]], kind: torch.dtype) -> Tensor:
        return torch.nested.as_nested_tensor([torch.tensor(one, dtype=kind) for one in values], layout=torch.jagged)

    heard = [one.logprobs if any(one.logprobs) else [float("nan")] * len(one.tokens) for one in samples]
    return tu.get_tensordict(
        tensor_dict={
            "input_ids": nested([one.tokens for one in samples], torch.int64),
            "position_ids": nested([range(len(one.tokens)) for one in samples], torch.int64),
            "loss_mask": nested([(False, *one.mask[1:]) for one in samples], torch.int64),
            "weights": nested([one.weights for one in samples], torch.float32),
            "sampled": nested(heard, torch.float32),
        },
        non_tensor_dict={
            "temperature": 1.0,
            "pad_mode": DatasetPadMode.NO_PADDING,
            "pad_token_id": 0,
            "use_dynamic_bsz": True,
            "use_remove_padding": False,
            "max_token_len_per_gpu": budget,
            "known": known,
            "count": count,
        },
    )


def _shifted(data: Any, name: str) -> Tensor:
    """What belongs to a token, at the place from which it is predicted."""
    return torch.roll(data[name].values(), -1, 0)


def _told(data: Any, said: Tensor) -> Any:
    lengths = data["input_ids"].offsets().diff()
    sequence = torch.repeat_interleave(torch.arange(len(lengths), device=lengths.device), lengths)
    known = tu.get_non_tensor_data(data, "known", True)
    return Rows(
        weights=_shifted(data, "weights")[said],
        sampled=_shifted(data, "sampled")[said] if known else None,
        sequence=sequence[said],
    )
