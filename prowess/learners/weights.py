"""What a learner changes of a model: all of its parameters, or factors of low rank; and how a checkpoint holds it.

The optimiser changes masters, which are float32. `Whole` and `LowRank` (in `lowrank`) say what these are, how gradients
come to them and how the model's own weights follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from prowess.learners.checkpoint import write_tensors
from prowess.models import Brain, description

WEIGHTS = "model.safetensors"


class Weights(Protocol):
    """What is learnt of a model."""

    kind: str
    """What a checkpoint calls it."""
    file: str
    """The file of a checkpoint that holds it."""
    parameters: dict[str, nn.Parameter]
    """The model's own weights that change, by their names in it."""
    masters: dict[str, nn.Parameter]
    """What the optimiser changes: float32."""

    def gathering(self) -> AbstractContextManager[None]:
        """For backward passes: gradients add up in the masters."""

    def publish(self) -> None:
        """Set the model's weights to what the masters say."""

    def held(self) -> dict[str, Tensor]:
        """What the checkpoint's file holds, by the names there; to be written into when one is read."""

    def beside(self) -> dict[str, Tensor]:
        """Masters that the file does not hold exactly, by name."""

    def settle(self, beside: Mapping[str, Tensor]) -> None:
        """Follow what was read from a checkpoint: its file is in `held`, the rest is given."""

    def start(self) -> list[Tensor]:
        """The parameters as they are now, to be kept; copied only where they will change."""

    def write(self, folder: Path, brain: Brain) -> None:
        """Write a folder that other tools read."""

    def check(self, folder: Path) -> None:
        """Refuse a checkpoint whose description says otherwise than the settings here."""


class Whole:
    """All trainable parameters of a model, with full-precision copies of those in half precision.

    A rate of 1e-6 changes a weight by less than bfloat16 can tell apart: such changes are made to a float32 copy, and
    the weight is set to what the copy rounds to. Gradients of micro-batches are added up in float32, too.
    """

    kind, file = "weights", WEIGHTS

    def __init__(self, model: Any) -> None:
        self.model = model
        self.parameters = {name: one for name, one in model.named_parameters() if one.requires_grad}
        self.masters = {
            name: one if one.dtype == torch.float32 else nn.Parameter(one.detach().float())
            for name, one in self.parameters.items()
        }

    def __repr__(self) -> str:
        return "all parameters"

    @contextmanager
    def gathering(self) -> Iterator[None]:
        """Half-precision gradients go to their full-precision sums as soon as they are there."""
        handles = []
        for name in self._copied():
            parameter: Any = self.parameters[name]
            handles.append(parameter.register_post_accumulate_grad_hook(_folds_into(self.masters[name])))
        try:
            yield
        finally:
            for handle in handles:
                handle.remove()

    def publish(self) -> None:
        with torch.no_grad():
            for name in self._copied():
                self.parameters[name].copy_(self.masters[name])

    def held(self) -> dict[str, Tensor]:
        return once(self.model.state_dict(keep_vars=True))

    def beside(self) -> dict[str, Tensor]:
        return {name: self.masters[name].detach() for name in self._copied()}

    def settle(self, beside: Mapping[str, Tensor]) -> None:
        with torch.no_grad():
            for name, one in self.masters.items():
                one.copy_(beside.get(name, self.parameters[name]))

    def start(self) -> list[Tensor]:
        return [one.detach().clone() for one in self.parameters.values()]

    def write(self, folder: Path, brain: Brain) -> None:
        write_model(folder, brain, self.held())

    def check(self, folder: Path) -> None:
        """There is nothing to say beside the weights' shapes."""

    def _copied(self) -> list[str]:
        return [name for name, one in self.parameters.items() if self.masters[name] is not one]


def _folds_into(master: nn.Parameter) -> Callable[[Tensor], None]:
    """Adds a parameter's gradient to that of its full-precision copy."""

    def fold(parameter: Tensor) -> None:
        assert parameter.grad is not None
        if master.grad is None:
            master.grad = parameter.grad.float()
        else:
            master.grad.add_(parameter.grad)
        parameter.grad = None

    return fold


def cast(model: Any, dtype: torch.dtype) -> None:
    """Parameters alone: buffers such as rotary frequencies stay as precise as they are."""
    for parameter in model.parameters():
        if parameter.is_floating_point():
            parameter.data = parameter.data.to(dtype)


@contextmanager
def exchanged(parameters: Iterable[nn.Parameter], others: Sequence[Tensor]) -> Iterator[None]:
    """Parameters with other values: those that they have are put aside, not copied."""
    pairs = list(zip(parameters, others, strict=True))
    now = [one.data for one, _ in pairs]
    for one, other in pairs:
        one.data = other
    try:
        yield
    finally:
        for (one, _), data in zip(pairs, now, strict=True):
            one.data = data


# ------------------------------------------------------------------------------------------------- folders of models


def write_model(folder: Path, brain: Brain, weights: Mapping[str, Tensor]) -> None:
    """An ordinary transformers folder."""
    folder.mkdir(exist_ok=True)
    write_tensors(folder / WEIGHTS, weights)
    write_beside(folder, brain)


def write_beside(folder: Path, brain: Brain) -> None:
    """What a folder needs beside the weights: the model's description, and its tokenizer."""
    description(brain.model).save_pretrained(folder)
    if spoken := getattr(brain.model, "generation_config", None):
        spoken.to_json_file(folder / "generation_config.json")
    if tokenizer := getattr(brain.chat, "tokenizer", None):
        tokenizer.save_pretrained(folder)


def once(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights without those that are tied to an earlier one."""
    first: dict[int, str] = {}
    for name, one in weights.items():
        first.setdefault(id(one), name)
    return {name: weights[name] for name in first.values()}
