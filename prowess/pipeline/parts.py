"""What a recipe's commands work with, live, and closed in the end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from prowess import __version__
from prowess.pipeline.policies import policy_of
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.suites import close_part, documents_of, suite_in
from prowess.play import Agent
from prowess.play.prompts import prompt_named
from prowess.retrieval.retrievers import make_retriever
from prowess.store.fingerprint import fingerprints
from prowess.store.ground import Ground
from prowess.types import Policy, Suite
from prowess.worlds.registry import world_named

RECORD_BYTES = 100_000
"""How much is kept of an episode's calls where skills are proposed, unless the recipe says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a recipe's commands work with."""

    suite: Suite
    agent: Agent


@contextmanager
def parts_of(recipe: Recipe, policy: Policy | None = None) -> Iterator[Parts]:
    """The live parts of a recipe, closed in the end; with this policy, or the one it names."""
    with ExitStack() as stack:
        if policy is None:
            policy = policy_of(recipe)
            stack.callback(close_part, policy)
        suite = stack.enter_context(suite_in(recipe))
        retrieve = make_retriever(recipe.retrieval, ground_of(recipe, suite))
        stack.callback(close_part, retrieve)
        agent = Agent(
            policy=policy,
            retrieve=retrieve,
            retriever=f"retriever '{recipe.retrieval.name}'",
            prompt=prompt_named(recipe.agent.prompt),
            limits=recipe.agent,
        )
        yield Parts(suite=suite, agent=agent)


def ground_of(recipe: Recipe, suite: Suite) -> Ground:
    """Where skills of a store are tried before they are offered."""
    return Ground(
        sandbox=recipe.sandbox,
        world=recipe.suite.name,
        version=__version__,
        fingerprints=lambda: fingerprints(documents_of(suite)),
        imports=world_named(recipe.suite.name).imports,
    )


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
