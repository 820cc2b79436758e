"""Where the weights come from that servers are given: a model of this process, or a learner that has them elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from prowess.models import Brain
from prowess.models.adapter import names_of, write_adapter
from prowess.policies.vllm.weights import Learnt


class Source(Protocol):
    """Knows a model's weights as they are now."""

    @property
    def adapts(self) -> bool:
        """Whether only an adapter of them is learnt."""

    def write(self, folder: Path) -> None:
        """Write all weights, as a folder that transformers and vLLM read."""

    def write_adapter(self, folder: Path) -> None:
        """Write what is learnt alone, as peft does."""

    def chances(self, prompt: Sequence[int], reply: Sequence[int], *, temperature: float) -> list[float]:
        """How probable they find a reply, token by token, as logarithms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HereSource:
    """A model of this process, whole or with what LoRA has learnt of it."""

    brain: Brain
    learnt: Learnt | None = None

    @property
    def adapts(self) -> bool:
        return self.learnt is not None

    def write(self, folder: Path) -> None:
        self.brain.save(folder)

    def write_adapter(self, folder: Path) -> None:
        assert self.learnt is not None
        write_adapter(
            folder,
            self.learnt.held(),
            base=self.brain.origin,
            rank=self.learnt.rank,
            alpha=self.learnt.alpha,
            names=names_of(self.brain.model, self.learnt.frozen),
        )

    def chances(self, prompt: Sequence[int], reply: Sequence[int], *, temperature: float) -> list[float]:
        import torch

        model = self.brain.model
        device = next(model.parameters()).device
        said = torch.tensor(tuple(reply), device=device)
        with torch.inference_mode():
            seen = torch.tensor([(*prompt, *reply)], device=device)
            logits = model(input_ids=seen).logits[0, len(prompt) - 1 : -1].float() / temperature
            found: list[float] = logits.log_softmax(-1).gather(1, said[:, None])[:, 0].tolist()
        return found
