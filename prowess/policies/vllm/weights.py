"""The weights of a model of ours, given to vLLM: once, and again whenever they have changed.

vLLM holds the same numbers in another arrangement: queries, keys and values of a layer in one tensor, gate and up
projection in another. Where each of our parameters lies in theirs is found once; from then on, giving the weights is
one copy on the device.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from prowess.errors import RecipeError

if TYPE_CHECKING:
    from torch import Tensor

ADAPTER = 1
"""The number of the one adapter that an engine plays with."""


INTERLEAVED = ("query_key_value", "wqkv")
"""Layers of models as Falcon, BLOOM, GPT-NeoX and InternLM2 that hold queries, keys and values head by head. vLLM has
them under the same name and in the same shape, and in another order."""


ELSEWHERE = "sampling.engine = 'local', or serve the model and use the policy 'endpoint'"
"""What to do with a model whose weights cannot be given to vLLM."""


class Learnt(Protocol):
    """What LoRA has learnt of a model, apart from the weights it is merged into."""

    rank: int
    alpha: float
    frozen: Mapping[str, Tensor]
    """The weights of the adapted layers without it, by the layers' names."""

    def held(self) -> Mapping[str, Tensor]:
        """The factors, by peft's names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter:
    """Factors of low rank, by peft's names: the learner's own tensors, which change in place."""

    rank: int
    alpha: float
    factors: Mapping[str, Tensor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where weights come from: tensors that somebody else changes in place, in this process or in another one."""

    model: Mapping[str, Tensor]
    """By transformers' names, tied ones once."""
    adapter: Adapter | None = None
    """Given beside the model's weights, which then never change."""


def source_of(model: Any, learnt: Learnt | None = None) -> Source:
    """A model's weights, as they are merged; or, with what was learnt of it, apart from that."""
    weights = {name: one.detach() for name, one in model.named_parameters()}
    if learnt is None:
        return Source(model=weights)
    weights |= {f"{layer}.weight": one for layer, one in learnt.frozen.items()}
    factors = {name: one.detach() for name, one in learnt.held().items()}
    return Source(model=weights, adapter=Adapter(rank=learnt.rank, alpha=learnt.alpha, factors=factors))


class Giver:
    """Gives the weights of one source to one vLLM. Its calls belong on the engine's thread, with nothing under way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._places: list[Tensor] | None = None

    def __call__(self, engine: Any) -> float:
        """Give them as they are now; the seconds it took."""
        import torch

        runner = engine.model_executor.driver_worker.model_runner
        with _in_turn():
            begun = time.perf_counter()
            if self._places is None or self.source.adapter is None:
                self._places = self._places or list(places(runner.model, self.source.model).values())
                with torch.no_grad():
                    torch._foreach_copy_(self._places, list(self.source.model.values()))
            if self.source.adapter:
                _put(runner, self.source.adapter)
        return time.perf_counter() - begun


@contextmanager
def _in_turn() -> Iterator[None]:
    """On a GPU each thread has a stream of its own: what others do there is over before, and this is over after."""
    settle()
    yield
    settle()


def settle() -> None:
    """Wait until all that this process has asked of its GPU is done: nobody else waits for it."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()


def places(model: Any, ours: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """For each parameter of ours, by name, the piece of vLLM's parameters that holds it: views, in the same order."""
    theirs = {name.replace(".base_layer.", "."): one.data for name, one in model.named_parameters()}
    packed = {part: (whole, tuple(parts)) for whole, parts in model.packed_modules_mapping.items() for part in parts}
    found: dict[str, Tensor] = {}
    left = {name: one.shape[0] for name, one in theirs.items()}
    for name, one in ours.items():
        *path, layer, kind = name.split(".")
        whole, parts = packed.get(layer, (layer, (layer,)))
        there = ".".join((*path, whole, kind))
        before = sum(ours[".".join((*path, each, kind))].shape[0] for each in parts[: parts.index(layer)])
        view = theirs[there][before : before + one.shape[0]] if there in theirs else None
        if view is None or view.shape != one.shape or layer in INTERLEAVED:
            raise RecipeError(
                f"vLLM keeps '{name}' of this model in a way not known here",
                hint=ELSEWHERE,
            )
        found[name] = view
        left[there] -= one.shape[0]
    if odd := [name for name, rows in left.items() if rows >= 64]:  # a vocabulary is rounded up to 64
        raise RecipeError(f"vLLM has weights that this model does not have: {', '.join(odd[:3])}", hint=ELSEWHERE)
    return found


def _put(runner: Any, given: Adapter) -> None:
    """Hand an adapter over in memory: what vLLM itself does after it has read one from a folder."""
    from vllm.lora.lora_model import LoRAModel
    from vllm.lora.peft_helper import PEFTHelper

    manager, config = runner.lora_manager._adapter_manager, runner.lora_manager.lora_config
    tensors = {name: one.clone() for name, one in given.factors.items()}  # vLLM scales them in place
    names = sorted({name.split(".")[-3] for name in tensors})
    helper = PEFTHelper.from_dict({"r": given.rank, "lora_alpha": given.alpha, "target_modules": names})
    adapter = LoRAModel.from_lora_tensors(ADAPTER, tensors, helper, device=str(runner.device), dtype=config.lora_dtype)
    manager.remove_adapter(ADAPTER)
    manager.add_adapter(adapter)
    manager.activate_adapter(ADAPTER)
