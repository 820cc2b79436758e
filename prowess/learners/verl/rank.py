"""One of the processes that learn: stock verl's training worker, with verbs that take our samples."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
from verl.utils.device import get_device_name
from verl.workers.engine_workers import TrainingWorkerConfig
from verl.workers.engine_workers_tinker import TinkerTrainingWorker

from prowess.learners.losses import Loss, LossSettings, policy_loss
from prowess.learners.verl import state
from prowess.learners.verl.engine import Fed
from prowess.learners.verl.stock import StockEngine
from prowess.types import Sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What ranks need of the recipe."""

    loss: LossSettings
    micro_tokens: int
    temperature: float
    checkpointing: bool
    packed: bool
    """Whether sequences share a stream."""
    tree: bool
    """Whether what samples begin alike with is fed once, by our engine."""
    threads: int = 0
    """Of PyTorch; 0 for its own choice."""


class Rank(TinkerTrainingWorker):  # type: ignore[misc]
    """Answers the driver; each verb is called on all ranks at once."""

    def __init__(self, config: TrainingWorkerConfig, rules: Rules) -> None:
        if rules.threads:
            torch.set_num_threads(rules.threads)
        if get_device_name() == "cpu":  # verl would ask for gloo twice, and PyTorch refuses that
            dist.init_process_group(
                "gloo",
                rank=int(os.environ["RANK"]),
                world_size=int(os.environ["WORLD_SIZE"]),
                init_method=os.environ.get("DIST_INIT_METHOD"),
            )
        super().__init__(config)
        self.rules = rules
        self._parts: list[Any] = []
        self._old: list[Any] = []
        self._reference: list[Any] = []

    def begin(self) -> dict[str, int]:
        """Load the model; how many parameters it has, and this process' id."""
        self.reset()
        if self.rules.tree:
            self.engine.packed = self.rules.packed
        self._work: Any = self.engine if self.rules.tree else StockEngine(self.engine)
        return {"pid": os.getpid(), "parameters": sum(one.numel() for one in self.engine.module.parameters())}

    def take(self, share: Sequence[Sequence[Sample]], known: Sequence[bool], before: bool) -> None:
        """Cut up what this rank learns from in each update of a step; `before` keeps what the weights say now."""
        rules = self.rules
        self._parts = [
            self._work.cut(some, budget=rules.micro_tokens, known=each) for some, each in zip(share, known, strict=True)
        ]
        nothing = [[None] * len(parts) for parts in self._parts]
        self._old = [self._seen(parts) for parts in self._parts] if before else nothing
        self._reference = [self._seen(parts, bare=True) for parts in self._parts] if rules.loss.kl else nothing

    def _seen(self, parts: Sequence[Any], *, bare: bool = False) -> list[Any]:
        found: list[Any] = self._work.seen(parts, temperature=self.rules.temperature, bare=bare)
        return found

    def gradients(self, update: int, per: float) -> Fed:
        """Of one update of the step."""
        rules = self.rules

        def loss_of(new: Any, stream: Any, old: Any, reference: Any) -> Loss:
            return policy_loss(
                new.logprobs,
                old,
                stream.sampled,
                stream.weights,
                stream.sequence,
                settings=rules.loss,
                per=per,
                reference=reference,
                entropy=new.entropy,
            )

        parts, old, reference = self._parts[update], self._old[update], self._reference[update]
        found: Fed = self._work.gradients(
            parts, old, reference, loss_of, temperature=rules.temperature, again=rules.checkpointing
        )
        return found

    def change(self, rate: float) -> float:
        """Change the weights by the gradients, and forget these; how long the gradient was."""
        norm = self.optimizer_step({"lr": rate})["grad_norm"]
        return float(norm)

    def forget(self) -> None:
        """Drop gradients that are no numbers."""
        self.optimizer_zero_grad()

    def logprobs(self, samples: Sequence[Sample]) -> list[list[float]]:
        """Of the said tokens of each sample, one after the other."""
        rules = self.rules
        found: list[list[float]] = self._work.logprobs(
            samples, budget=rules.micro_tokens, temperature=rules.temperature
        )
        return found

    def write(self, folder: Path) -> None:
        """All weights, as a folder of a model has them; rank 0 writes."""
        state.write(self.engine, folder)

    def write_adapter(self, folder: Path) -> None:
        """What LoRA has learnt, by peft's names; rank 0 writes."""
        state.write_adapter(self.engine, folder)

    def read(self, folder: Path) -> None:
        """Weights alone: a model's, or those of an adapter."""
        state.read(self.engine, folder)

    def save(self, folder: Path) -> None:
        """Weights and moments, each rank its part."""
        state.save(self.engine, folder)

    def load(self, folder: Path) -> None:
        """The same, whatever number of ranks saved it."""
        state.load(self.engine, folder)
