"""An engine whose weights are those of a model of ours: given once, and again whenever they have changed.

vLLM holds the same numbers in another arrangement: queries, keys and values of a layer in one tensor, gate and up
projection in another. Where each of our parameters lies in theirs is found once; from then on, giving the weights is
one copy on the device.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from opensage.errors import RecipeError
from opensage.models import Brain
from opensage.policies.sampling import SamplingSettings, context_limit, device_memory
from opensage.policies.vllm.engine import ADAPTER, Shape, engine_for
from opensage.policies.vllm.policy import VllmPolicy

if TYPE_CHECKING:
    from torch import Tensor


class Learnt(Protocol):
    """What LoRA has learnt of a model, apart from the weights it is merged into."""

    rank: int
    alpha: float
    frozen: Mapping[str, Tensor]
    """The weights of the adapted layers without it, by the layers' names."""

    def held(self) -> Mapping[str, Tensor]:
        """The factors, by peft's names."""


class Mirror:
    """Plays with a model's weights, in vLLM."""

    def __init__(self, brain: Brain, settings: SamplingSettings, learnt: Learnt | None = None) -> None:
        self.brain = brain
        self.settings = settings
        self.learnt = learnt if settings.vllm.weights == "adapter" else None
        self.engine = engine_for(_shape(brain, settings, rank=self.learnt.rank if self.learnt else 0))
        self.seconds = 0.0
        """What giving the weights took, the last time."""
        self._places: dict[str, Tensor] | None = None

    def policy(self) -> VllmPolicy:
        """Plays with the weights as they are now, whatever becomes of them later."""
        self.engine.change(self._give)
        return VllmPolicy(self.engine, self.brain.chat, self.settings)

    def rest(self) -> None:
        """The learner wants the device for itself."""
        self.engine.rest()

    def _give(self, engine: Any) -> None:
        """Runs on the engine's thread, while nothing is under way."""
        runner = engine.model_executor.driver_worker.model_runner
        with _in_turn():
            begun = time.perf_counter()
            if self._places is None or self.learnt is None:
                self._copy(runner)
            if self.learnt:
                _put(runner, self.learnt)
        self.seconds = time.perf_counter() - begun

    def _copy(self, runner: Any) -> None:
        import torch

        ours: dict[str, Tensor] = dict(self.brain.model.named_parameters())
        if self._places is None:
            self._places = places(runner.model, ours)
        if self.learnt:
            ours |= {f"{layer}.weight": one for layer, one in self.learnt.frozen.items()}
        with torch.no_grad():
            torch._foreach_copy_(list(self._places.values()), [one.detach() for one in ours.values()])


def _put(runner: Any, learnt: Learnt) -> None:
    """Hand an adapter over in memory: what vLLM itself does after it has read one from a folder."""
    from vllm.lora.lora_model import LoRAModel
    from vllm.lora.peft_helper import PEFTHelper

    manager, config = runner.lora_manager._adapter_manager, runner.lora_manager.lora_config
    tensors = {name: one.detach().clone() for name, one in learnt.held().items()}  # vLLM scales them in place
    names = sorted({name.split(".")[-3] for name in tensors})
    helper = PEFTHelper.from_dict({"r": learnt.rank, "lora_alpha": learnt.alpha, "target_modules": names})
    adapter = LoRAModel.from_lora_tensors(ADAPTER, tensors, helper, device=str(runner.device), dtype=config.lora_dtype)
    manager.remove_adapter(ADAPTER)
    manager.add_adapter(adapter)
    manager.activate_adapter(ADAPTER)


@contextmanager
def _in_turn() -> Iterator[None]:
    """On a GPU each thread has a stream of its own: what others do there is over before, and this is over after."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()
    yield
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
        if view is None or view.shape != one.shape:
            raise RecipeError(
                f"vLLM keeps '{name}' of this model in a way not known here",
                hint="sampling.engine = 'local', or serve the model and use the policy 'endpoint'",
            )
        found[name] = view
        left[there] -= one.shape[0]
    if odd := [name for name, rows in left.items() if rows >= 64]:  # a vocabulary is rounded up to 64
        raise RecipeError(f"vLLM has weights that this model does not have: {', '.join(odd[:3])}")
    return found


def _shape(brain: Brain, settings: SamplingSettings, *, rank: int) -> Shape:
    parameter = next(brain.model.parameters())
    return Shape(
        model=_described(_description(brain.model)),
        dtype=str(parameter.dtype).removeprefix("torch."),
        device=parameter.device.type,
        limit=context_limit(brain.model.config, settings),
        stops=tuple(sorted(brain.chat.stop_ids)),
        rows=settings.rows,
        cache_bytes=int(settings.cache_gb * 2**30) or device_memory(parameter.device) // 4,
        prefill_tokens=settings.prefill_tokens,
        graphs=settings.vllm.graphs,
        sleep=settings.vllm.sleep,
        rank=rank,
    )


def _description(model: Any) -> str:
    """The model's config.json, as vLLM wants to find it."""
    config = deepcopy(model.config)
    config.architectures = [type(model).__name__]
    config.dtype = next(model.parameters()).dtype
    text: str = config.to_json_string(use_diff=False)
    return text


@cache
def _described(text: str) -> str:
    """A folder with nothing but this description: vLLM reads it while it starts."""
    folder = Path(_room().name) / hashlib.sha256(text.encode()).hexdigest()[:16]
    folder.mkdir()
    (folder / "config.json").write_text(text, encoding="utf-8")
    return str(folder)


@cache
def _room() -> tempfile.TemporaryDirectory[str]:
    """Goes with the process."""
    return tempfile.TemporaryDirectory(prefix="opensage-vllm-")
