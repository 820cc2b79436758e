"""The recipe: everything that may be said, each section beside what it configures."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from prowess.commands.collect import CollectSettings
from prowess.commands.evaluate import EvaluateSettings
from prowess.commands.sft import SftSettings
from prowess.commands.teach import TeachSettings
from prowess.commands.train import TrainSettings
from prowess.commands.work.settings import WorkSettings
from prowess.credit.advantage import AdvantageSettings
from prowess.credit.reward import RewardSettings
from prowess.errors import RecipeError, check_range
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.models.load import ModelSettings
from prowess.play import AgentSettings
from prowess.play.concurrency import WORKERS
from prowess.policies import PolicySettings
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.policies.sampling import SamplingSettings
from prowess.recipe import resolve, sections
from prowess.retrieval.settings import RetrievalSettings
from prowess.run.sinks import SinkSettings
from prowess.sandbox import SandboxSettings
from prowess.store.settings import SkillSettings
from prowess.types import Json
from prowess.worlds.expert import ExpertSettings
from prowess.worlds.registry import Options, default, names, settings_of, world_named

VERL_FREE = ("gpus", "nodes", "address", "shard", "offload", "restarts")
FREE = (
    *("workers", "work.tasks", "sinks.tensorboard", "sinks.wandb", "sinks.trackio", "sinks.own"),
    *(f"policy.endpoint.{name}" for name in ("url", "key_env", "timeout_seconds", "tries", "concurrency")),
    *(f"policy.endpoint.{name}" for name in ("late_tries", "pause_seconds", "longest_pause_seconds")),
    *(f"policy.endpoint.{name}" for name in ("price_in", "price_out", "budget")),
    *(f"sampling.server.{name}" for name in ("urls", "folder", "there", "key_env", "timeout_seconds", "tries")),
    *("sampling.server.urls_file", "sampling.server.least"),
    *(f"suite.{name}" for name in ("where", "hosts", "open_worlds", "address")),
    *(f"{learner}.verl.{name}" for learner in ("learner", "sft.learner") for name in VERL_FREE),
)
"""Keys that change no result: a run may go on with other values of them. A server that moved is still the model's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSettings:
    """Which tasks are played."""

    name: str = field(default_factory=default)
    """A world that is installed, or yours as `module:function`, which is called with its settings and the sandbox."""
    worlds: Mapping[str, Any] = sections(names, settings_of)
    """The settings of worlds by name, `[suite.NAME]`: of the one that is played, and of others that are mentioned."""
    options: Mapping[str, Json] = field(default_factory=dict)
    """The settings of a suite that is named as `module:function`."""
    where: Literal["here", "ray"] = "here"
    """Where worlds run: on this machine, or on those of a Ray cluster."""
    hosts: int = 0
    """With `ray`: processes that hold worlds, each with its own sandbox; 0 for one on each machine."""
    open_worlds: int = 64
    """With `ray`: worlds that a host holds at once. More wait."""
    address: str = ""
    """Of the Ray cluster: `auto`, or `HOST:PORT`. Empty starts one on this machine."""

    def __post_init__(self) -> None:
        check_range(self, 0, "hosts")
        check_range(self, 1, "open_worlds")
        if self.name not in self.worlds and self.name in names():
            object.__setattr__(self, "worlds", {**self.worlds, self.name: settings_of(self.name)()})

    def lesson(self, number: int) -> SuiteSettings:
        """What a round of teaching plays: new people and values, where the world can have any."""
        world = world_named(self.name)
        if world.lesson is None or self.name not in self.worlds:
            return self
        return replace(self, worlds={**self.worlds, self.name: world.lesson(self.own, number)})

    @property
    def own(self) -> Any:
        """The settings of the world that is played, of the class that it brings."""
        if self.name in self.worlds:
            return self.worlds[self.name]
        settings = world_named(self.name).settings
        return resolve(
            settings, {"options": self.options} if settings is Options else self.options, source="suite.options"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything a command needs to know. Sections that a command does not use may stay at their defaults."""

    name: str = "prowess"
    """Names the run's folder."""
    seed: int = 0
    """The root of every draw."""
    workers: int = 0
    """Episodes played at once; 0 for two per core. The number changes no result."""
    suite: SuiteSettings = field(default_factory=SuiteSettings)
    sandbox: SandboxSettings = field(default_factory=SandboxSettings)
    policy: PolicySettings = field(default_factory=PolicySettings)
    expert: ExpertSettings = field(default_factory=ExpertSettings)
    retrieval: RetrievalSettings = field(default_factory=RetrievalSettings)
    agent: AgentSettings = field(default_factory=AgentSettings)
    collect: CollectSettings = field(default_factory=CollectSettings)
    evaluate: EvaluateSettings = field(default_factory=EvaluateSettings)
    work: WorkSettings = field(default_factory=WorkSettings)
    skills: SkillSettings = field(default_factory=SkillSettings)
    model: ModelSettings = field(default_factory=ModelSettings)
    sampling: SamplingSettings = field(default_factory=SamplingSettings)
    sft: SftSettings = field(default_factory=SftSettings)
    teach: TeachSettings = field(default_factory=TeachSettings)
    train: TrainSettings = field(default_factory=TrainSettings)
    learner: LearnerSettings = field(default_factory=LearnerSettings)
    loss: LossSettings = field(default_factory=LossSettings)
    reward: RewardSettings = field(default_factory=RewardSettings)
    advantage: AdvantageSettings = field(default_factory=AdvantageSettings)
    sinks: SinkSettings = field(default_factory=SinkSettings)

    def __post_init__(self) -> None:
        if not self.name or not all(part.isalnum() or part in "-_." for part in self.name) or self.name[0] == ".":
            raise RecipeError(f"name is '{self.name}'; it names a folder: letters, digits, '-', '_' and '.'")
        if not 0 <= self.workers <= WORKERS:
            raise RecipeError(f"workers is {self.workers}; allowed is 0 (twice the cores) to {WORKERS}")
        check_range(self, 0, "seed", most=2**63 - 1)  # what a run's file takes
        _check_limits(self)

    @property
    def threads(self) -> int:
        return self.workers or 2 * (os.cpu_count() or 1)

    @property
    def speech(self) -> SamplingSettings:
        """How a local model speaks, within the agent's limits."""
        limits = self.agent
        return replace(self.sampling, reply_tokens=limits.reply_tokens, context_tokens=limits.context_tokens)

    def folder(self, command: str) -> Path:
        """Where a command of this recipe keeps its run unless told otherwise."""
        return Path("runs") / f"{self.name}-{command}"


def _check_limits(recipe: Recipe) -> None:
    """Say that a limit is given where it does not hold: the agent's do, whoever plays."""
    endpoint, sampling = recipe.policy.endpoint, recipe.sampling
    given = {"policy.endpoint": (endpoint, EndpointSettings()), "sampling": (sampling, SamplingSettings())}
    for section, (settings, usual) in given.items():
        for name in ("reply_tokens", "context_tokens"):
            said, limit = getattr(settings, name, None), getattr(recipe.agent, name)
            if said not in (getattr(usual, name, None), limit):
                raise RecipeError(
                    f"{section}.{name} is {said}, and agent.{name}, which holds for every policy, is {limit}",
                    hint=f"agent.{name} = {said}, and nothing of it in [{section}]",
                )
