"""vLLM as a mirror of a model of ours: it plays with the model's weights, and follows when they change."""

from __future__ import annotations

import hashlib
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

from prowess.models import Brain, description
from prowess.policies.sampling import SamplingSettings, context_limit, device_memory
from prowess.policies.vllm.policy import VllmPolicy
from prowess.policies.vllm.processes import VllmEngines
from prowess.policies.vllm.shape import Shape
from prowess.policies.vllm.weights import Learnt, Source, source_of
from prowess.text.terminal import say


class VllmPlayer:
    """Plays with a model's weights, in vLLM."""

    def __init__(self, brain: Brain, settings: SamplingSettings, learnt: Learnt | None = None) -> None:
        self.brain = brain
        self.settings = settings
        learnt = learnt if settings.vllm.weights == "adapter" else None
        self.shape = shape_of(brain, settings, rank=learnt.rank if learnt else 0)
        self.source = source_of(brain.model, learnt)
        self.engines = engines_for(self.shape, self.source, settings.vllm.engines)
        self.seconds = 0.0
        """What giving the weights took, the last time."""

    def policy(self) -> VllmPolicy:
        """Plays with the weights as they are now, whatever becomes of them later."""
        self.engines = engines_for(self.shape, self.source, self.settings.vllm.engines)  # others may have used them
        self.seconds = self.engines.give()
        return VllmPolicy(self.engines, self.brain.chat, self.settings)

    def rest(self) -> None:
        """The learner wants the device for itself."""
        if self.engines.alive:
            self.engines.rest()


_running: list[VllmEngines] = []
_lock = threading.Lock()


def engines_for(shape: Shape, source: Source, size: int) -> VllmEngines:
    """The engines of this process, for this source: those that are there, if they are as wanted, or new ones.

    A process has them once: they take much of a GPU, and half a minute to start.
    """
    with _lock:
        if _running and _running[0].alive and _running[0].shape == shape and _running[0].size == size:
            if _running[0].source is not source:
                _running[0].take(source)
            return _running[0]
        for engines in _running:
            engines.close()
        say(f"starting vLLM{f' in {size} processes' if size > 1 else ''}: some ten seconds or more")
        _running[:] = [VllmEngines(shape, source, size=size)]
        return _running[0]


def dismiss() -> None:
    """End the engines of this process, if there are any; they start again when they are wanted."""
    with _lock:
        for engines in _running:
            engines.close()
        _running.clear()


def shape_of(brain: Brain, settings: SamplingSettings, *, rank: int = 0) -> Shape:
    """What engines are built for, to play this model with these settings."""
    parameter = next(brain.model.parameters())
    return Shape(
        model=_described(description(brain.model).to_json_string(use_diff=False)),
        dtype=str(parameter.dtype).removeprefix("torch."),
        device=parameter.device.type,
        limit=context_limit(brain.model.config, settings),
        stops=tuple(sorted(brain.chat.stop_ids)),
        rows=-(-settings.rows // settings.vllm.engines),
        cache_bytes=_cache(settings, parameter.device) // settings.vllm.engines,
        prefill_tokens=settings.prefill_tokens,
        graphs=settings.vllm.graphs,
        sleep=settings.vllm.sleep,
        rank=rank,
    )


def _cache(settings: SamplingSettings, device: Any) -> int:
    return int(settings.cache_gb * 2**30) or device_memory(device) // 4


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
    return tempfile.TemporaryDirectory(prefix="prowess-vllm-")
