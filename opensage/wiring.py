"""From a recipe to live parts: the suite, the sandbox, the policy, the retriever, and the agent made of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from opensage import __version__
from opensage.advantage import AdvantageSettings
from opensage.agent import Agent, AgentSettings
from opensage.collect import CollectSettings
from opensage.dataset import FILE, file_in, read_dataset
from opensage.errors import MissingExtra, OpensageError, RecipeError, WorldError, told
from opensage.evaluate import EvaluateSettings
from opensage.learners.settings import LearnerSettings
from opensage.losses import LossSettings
from opensage.models import Brain
from opensage.models.load import ModelSettings, load
from opensage.policies import PolicySettings
from opensage.policies.endpoint import Endpoint, EndpointSettings
from opensage.policies.players import check_engine, player_for
from opensage.policies.sampling import SamplingSettings
from opensage.policies.scripted import Scripted
from opensage.policies.taught import taught
from opensage.prompts import prompt_named
from opensage.recipe import check_call, lookup
from opensage.retrieval import RetrievalSettings, make_retriever
from opensage.reward import RewardSettings
from opensage.sandbox import Sandbox, SandboxSettings, open_sandbox
from opensage.sft import SftSettings
from opensage.sinks import SinkSettings
from opensage.skills.fingerprint import fingerprints
from opensage.skills.ground import Ground
from opensage.skills.settings import SkillSettings
from opensage.teach import TeachSettings
from opensage.train import TrainSettings
from opensage.types import Json, Policy, Suite
from opensage.work.settings import WorkSettings
from opensage.worlds.appworld.demonstrator.expert import AppWorldExpert
from opensage.worlds.appworld.world import IMPORTS, AppWorldSettings, AppWorldSuite
from opensage.worlds.desk.expert import Expert, ExpertSettings
from opensage.worlds.desk.world import DeskSettings, DeskSuite


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteSettings:
    """Which tasks are played."""

    name: str = "desk"
    """`desk`, `appworld`, or somebody else's as `module:function`, called with these settings and the sandbox."""
    desk: DeskSettings = field(default_factory=DeskSettings)
    appworld: AppWorldSettings = field(default_factory=AppWorldSettings)
    options: Mapping[str, Json] = field(default_factory=dict)
    """For a suite of somebody else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything a command needs to know. Sections that a command does not use may stay at their defaults."""

    name: str = "opensage"
    """Names the run's folder."""
    seed: int = 0
    """The root of every draw."""
    workers: int = 0
    """Episodes played at once; 0 for two per core. It changes no result."""
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


WORKERS = 1024
"""The most threads that play at once."""

FREE = (
    *("workers", "work.tasks", "sinks.tensorboard", "sinks.wandb", "sinks.trackio", "sinks.own"),
    *(f"policy.endpoint.{name}" for name in ("url", "key_env", "timeout_seconds", "tries", "concurrency")),
    *(f"policy.endpoint.{name}" for name in ("late_tries", "pause_seconds", "longest_pause_seconds")),
)
"""Keys that change no result: a run may go on with other values of them. A server that moved is still the model's."""

SUITES: Mapping[str, Callable[[SuiteSettings, Sandbox], Suite]] = {
    "appworld": lambda settings, sandbox: AppWorldSuite(settings.appworld, sandbox),
    "desk": lambda settings, sandbox: DeskSuite(settings.desk, sandbox),
}


def expert_of(recipe: Recipe) -> Policy:
    """Who knows how to do the tasks of a recipe's suite."""
    if recipe.suite.name == "appworld":
        return AppWorldExpert(recipe.suite.appworld, recipe.expert)
    return Expert(recipe.expert)


POLICIES: Mapping[str, Callable[[Recipe], Policy]] = {
    "endpoint": lambda recipe: Endpoint(replace(recipe.policy.endpoint, reply_tokens=recipe.agent.reply_tokens)),
    "expert": expert_of,
    "local": lambda recipe: speaker(recipe, recipe.speech),
    "scripted": lambda recipe: Scripted(recipe.policy.options.get("replies", ())),
    "taught": lambda recipe: taught(
        speaker(recipe, recipe.speech), expert_of(recipe), again=recipe.teach.again, early=recipe.teach.early
    ),
    "vllm": lambda recipe: _on_vllm(recipe),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a recipe's commands work with."""

    suite: Suite
    policy: Policy
    agent: Agent

    def agent_at(self, temperature: float) -> Agent:
        """The agent with its policy at another temperature, where the policy knows of one."""
        at: Any = getattr(self.policy, "at", None)
        return replace(self.agent, policy=at(temperature)) if at else self.agent


RECORD_BYTES = 100_000
"""How much is kept of an episode's calls where skills are proposed, unless the recipe says."""


def recorded(recipe: Recipe) -> Recipe:
    """The recipe with calls of the agent's functions recorded: the tests of the skills that it proposes."""
    return replace(recipe, sandbox=recipe.sandbox.recording(RECORD_BYTES))


def demonstrating(recipe: Recipe) -> Recipe:
    """The recipe as it collects: calls recorded and, where an expert shows or mends how it is done, without the early
    ends that save time on failures. Of 704 demonstrations 130 were cut off by a limit that was meant for models.
    Scenarios that are crossed offer each other what they have."""
    agent, retrieval = recipe.agent, recipe.retrieval
    if recipe.policy.name in ("expert", "taught"):
        agent = replace(agent, repeats=0, episode_tokens=0)
    if recipe.collect.crossed and retrieval.name == "scenario":
        retrieval = replace(retrieval, name="everything")
    return recorded(replace(recipe, agent=agent, retrieval=retrieval))


@contextmanager
def parts_of(recipe: Recipe, policy: Policy | None = None) -> Iterator[Parts]:
    """The live parts of a recipe, closed in the end; with this policy, or the one it names."""
    with ExitStack() as stack:
        if policy is None:
            policy = policy_of(recipe)
            stack.callback(_close, policy)
        suite = stack.enter_context(suite_in(recipe))
        retrieve = make_retriever(recipe.retrieval, ground_of(recipe, suite))
        stack.callback(_close, retrieve)
        agent = Agent(
            policy=policy,
            retrieve=retrieve,
            prompt=prompt_named(recipe.agent.prompt),
            limits=recipe.agent,
        )
        yield Parts(suite=suite, policy=policy, agent=agent)


@contextmanager
def suite_in(recipe: Recipe) -> Iterator[Suite]:
    """The suite of a recipe with its sandbox, both closed in the end."""
    with closing(open_sandbox(recipe.sandbox)) as sandbox:
        suite = suite_of(recipe.suite, sandbox)
        try:
            yield suite
        finally:
            _close(suite)


def ground_of(recipe: Recipe, suite: Suite) -> Ground:
    """Where skills of a store are tried before they are offered."""
    return Ground(
        sandbox=recipe.sandbox,
        world=recipe.suite.name,
        version=__version__,
        fingerprints=lambda: fingerprints(documents_of(suite)),
        imports=IMPORTS if recipe.suite.name == "appworld" else (),
    )


def documents_of(suite: Suite) -> list[Json]:
    """The documents of a world's APIs, where it can give them."""
    documents: Callable[[], Iterable[Json]] | None = getattr(suite, "documents", None)
    return list(documents()) if documents else []


def _close(part: object) -> None:
    """Give back what a part holds, if it says that it holds anything."""
    close: Callable[[], None] | None = getattr(part, "close", None)
    if close:
        close()


def speaker(recipe: Recipe, speech: SamplingSettings, name: str = "") -> Policy:
    """The model of a recipe, or another one, as a policy; that an engine is missing is told before one is fetched."""
    check_engine(speech)
    return player_for(brain_of(recipe, name), speech).policy()


def _on_vllm(recipe: Recipe) -> Policy:
    try:
        return speaker(recipe, replace(recipe.speech, engine="vllm"))
    except MissingExtra as error:
        local = "--set policy.name=local --set sampling.engine=local"  # the policy's engine goes before the recipe's
        hint = error.hint.replace("--set sampling.engine=local", local)
        raise RecipeError(f"the policy 'vllm' needs the extra '{error.extra}'", hint=hint) from None


def brain_of(recipe: Recipe, name: str = "") -> Brain:
    """The model of a recipe, or another one with its settings; `tiny` learns its tokenizer from the recipe's data."""
    settings = replace(recipe.model, name=name or recipe.model.name)
    texts: list[str] = []
    if settings.name == "tiny":
        texts = [message.content for each in read_dataset(data_of(recipe)) for message in each.messages]
    return load(settings, texts=texts, seed=recipe.seed)


def data_of(recipe: Recipe) -> Path:
    """The data set of a recipe: the one named, or that of `opensage collect` with the same recipe."""
    path = file_in(recipe.sft.data or recipe.folder("collect") / "data" / FILE)
    if not path.is_file():
        too = " or for the tokenizer of 'tiny'" if recipe.model.name == "tiny" else ""
        raise RecipeError(
            f"there is no data set at {path}, to imitate{too}",
            hint="opensage collect first, or name one in sft.data",
        )
    return path


def policy_of(recipe: Recipe) -> Policy:
    """The policy a recipe names; somebody else's is made by a function that is given the recipe."""
    name = recipe.policy.name
    make = lookup("policy", name, POLICIES)
    if name in POLICIES:
        return make(recipe)
    hint = "the function is called with the recipe, and returns the policy: a function of (messages, *, seed)"
    try:
        policy: object = make(recipe)
    except OpensageError:
        raise
    except Exception as problem:
        raise RecipeError(
            f"policy '{name}' could not be made: {told(problem)}",
            hint=hint if isinstance(problem, TypeError) else "",
        ) from problem
    if not callable(policy):
        raise RecipeError(f"policy '{name}' gave a {type(policy).__name__}, which is no policy", hint=hint)
    check_call(f"policy '{name}': what it gave", policy, ["messages"], ["seed"], hint=hint)
    return cast(Policy, policy)


def suite_of(settings: SuiteSettings, sandbox: Sandbox) -> Suite:
    """The suite a recipe names."""
    make = lookup("suite", settings.name, SUITES)
    try:
        return make(settings, sandbox)
    except OpensageError:
        raise
    except Exception as problem:
        raise WorldError(
            f"suite '{settings.name}' could not be made: {told(problem)}",
            hint="it is called with the settings of [suite] and a sandbox" if isinstance(problem, TypeError) else "",
        ) from problem
