"""Tasks, and chains of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One thing to do, as the agent is told it."""

    id: str
    """Unique in its suite: `<scenario>_<n>`."""
    scenario: str
    """Tasks of one scenario have the same shape and different people and values."""
    instruction: str
    """What the supervisor asks for, in their words."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What the prompt may know besides: date and time, and the supervisor's name, e-mail and phone number."""
    difficulty: int = 1
    """1 to 3, as the suite grades it."""


Chain = tuple[Task, ...]
"""Tasks played in order, one library growing along the way."""
