"""prowess: agents that write their own skills, keep them, and learn from using them.

`import prowess` costs next to nothing: each name below is imported when you first use it. docs/python.md shows them.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what `typing` says, too; importing that would take longer than all of this

if TYPE_CHECKING:
    from typing import Any

    from prowess.api import (
        OpenSuite,
        Scored,
        collect,
        evaluate,
        learn,
        open_recipe,
        open_suite,
        policy,
        read_recipe,
        retriever,
        rollout,
        score,
        sft,
        train,
    )
    from prowess.errors import ProwessError
    from prowess.play import Agent
    from prowess.play.rollout import chains_of
    from prowess.report.saved import SavedRun, read_run
    from prowess.skills.library import Library
    from prowess.store.db import Store
    from prowess.types import Completion, Message, Skill

__version__ = "0.1.0"

_HOMES = {
    **dict.fromkeys(("read_recipe", "open_recipe"), "prowess.api"),
    **dict.fromkeys(("OpenSuite", "open_suite", "policy", "retriever", "rollout"), "prowess.api"),
    **dict.fromkeys(("Scored", "score"), "prowess.api"),
    **dict.fromkeys(("collect", "sft", "train", "evaluate", "learn"), "prowess.api"),
    **dict.fromkeys(("SavedRun", "read_run"), "prowess.report.saved"),
    **dict.fromkeys(("Completion", "Message", "Skill"), "prowess.types"),
    "Agent": "prowess.play",
    "Library": "prowess.skills.library",
    "ProwessError": "prowess.errors",
    "Store": "prowess.store.db",
    "chains_of": "prowess.play.rollout",
}
"""Where each name lives."""

__all__ = [
    "Agent",
    "Completion",
    "Library",
    "Message",
    "OpenSuite",
    "ProwessError",
    "SavedRun",
    "Scored",
    "Skill",
    "Store",
    "chains_of",
    "collect",
    "evaluate",
    "learn",
    "open_recipe",
    "open_suite",
    "policy",
    "read_recipe",
    "read_run",
    "retriever",
    "rollout",
    "score",
    "sft",
    "train",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'prowess' has no attribute '{name}'")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
