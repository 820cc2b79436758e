"""The nouns. Everything that travels between modules is one of these frozen values.

A group holds rollouts of one chain; a rollout holds one episode per task of the chain; an episode holds turns.
What acts (worlds, policies, retrievers, the agent) is described here as protocols and lives elsewhere.
"""

from __future__ import annotations

from prowess.types.episode import Break, Episode, Group, Observation, Rollout, Stop, Turn, Verdict
from prowess.types.message import Completion, Message, Request
from prowess.types.plain import SPARSE, Json
from prowess.types.prices import Prices
from prowess.types.protocols import (
    BatchPolicy,
    Defining,
    FlowPolicy,
    Learner,
    LibraryView,
    Policy,
    Retriever,
    Suite,
    World,
)
from prowess.types.sample import Sample
from prowess.types.skill import Call, Origin, Skill, Tape, Use
from prowess.types.task import Chain, Task

__all__ = [
    "SPARSE",
    "BatchPolicy",
    "Break",
    "Call",
    "Chain",
    "Completion",
    "Defining",
    "Episode",
    "FlowPolicy",
    "Group",
    "Json",
    "Learner",
    "LibraryView",
    "Message",
    "Observation",
    "Origin",
    "Policy",
    "Prices",
    "Request",
    "Retriever",
    "Rollout",
    "Sample",
    "Skill",
    "Stop",
    "Suite",
    "Tape",
    "Task",
    "Turn",
    "Use",
    "Verdict",
    "World",
]
