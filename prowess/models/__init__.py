"""Models: a causal language model with the tokenizer and the chat rendering that belong to it.

`Brain` is what travels between the one who loads it, the learner that owns its weights and the policy that plays with
them. Nothing here imports torch until a model is made.
"""

from __future__ import annotations

import os
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prowess.models.chat import Chat

# Read by OpenMP when torch is first imported. Its threads otherwise spin while they wait for each other, and where
# something else runs on the same cores (interpreters of the sandbox, a browser) sampling becomes some ten times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")


def description(model: Any) -> Any:
    """A model's configuration as other tools want to find it beside the weights: what it is, and how precise."""
    config = deepcopy(model.config)
    config.architectures = [type(model).__name__]
    config.dtype = next(model.parameters()).dtype
    return config


@dataclass(frozen=True, slots=True, kw_only=True)
class Brain:
    """A model that can be talked to: the weights, and the way from messages to tokens and back."""

    model: Any
    """A transformers causal language model."""
    chat: Chat
    """Messages to tokens and back."""
    name: str = ""
    """What the recipe called it."""
    digest: str = ""
    """Of the weights, where somebody computed it."""

    @property
    def origin(self) -> str:
        """What it can be loaded with again: its name, or its folder's full path; nothing if it was made on the spot."""
        read = getattr(self.model, "name_or_path", "")
        name = self.name or read
        return "" if not read else str(Path(name).absolute()) if Path(name).is_dir() else name

    @property
    def parameters(self) -> int:
        """How many numbers the model has learned, frozen ones included; tied ones count once."""
        return sum(parameter.numel() for parameter in self.model.parameters())

    def save(self, folder: str | Path) -> None:
        """Write an ordinary transformers folder: configuration, weights and tokenizer."""
        self.model.save_pretrained(folder)
        self.chat.tokenizer.save_pretrained(folder)
