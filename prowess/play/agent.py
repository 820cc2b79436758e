"""The agent: plays one task by writing Python, with what its library offers, and keeps what worked.

The loop of the paper (section 3; SPEC of the method in docs/concepts.md), with three deliberate differences: retrieved
skills are smoke-run one by one and only those that fail are left out (the authors drop all of them); a use is a call
seen in the execution trace (theirs: the name is mentioned); and a broken world is recorded on the episode, not raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from prowess.errors import ProwessError, RecipeError, WorldError, blamed, told
from prowess.play.episode import OpenEpisode, returned
from prowess.play.play import Play, played
from prowess.play.prompts import Prompt, prompt_named
from prowess.play.settings import AgentSettings
from prowess.skills.library import Library
from prowess.types import Episode, Policy, Retriever, Skill, Stop, Task, Verdict, World

UNGRADED = Verdict(passed=(), failed=())

NAMED = Prompt(system="", user="", observation="")
"""Stands for the prompt that the limits name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """Who plays: a policy, what it is offered, how it is told, and how far it may go."""

    policy: Policy
    retrieve: Retriever
    prompt: Prompt = NAMED
    limits: AgentSettings = field(default_factory=AgentSettings)
    retriever: str = "the retriever"
    """What `retrieve` is called where it goes wrong."""

    def __post_init__(self) -> None:
        if self.prompt is NAMED:
            object.__setattr__(self, "prompt", prompt_named(self.limits.prompt))

    def play(self, task: Task, world: World, library: Library, *, seed: int) -> Episode:
        """Play a task to its end and grade it. Whatever breaks is recorded on the episode; nothing is raised."""
        return played(self.steps(task, world, library, seed=seed), self.policy)

    def steps(self, task: Task, world: World, library: Library, *, seed: int) -> Play[Episode]:
        """The same, reply by reply: gives the conversation that waits for one, is sent it, ends with the episode."""
        table = OpenEpisode(task, world, prompt=self.prompt, limits=self.limits, seed=seed)
        started = time.perf_counter()
        verdict, error = UNGRADED, ""
        try:
            table.offer(_retrieved(self, library, task))
            stop = yield from table.play()
            verdict = returned(world.evaluate(), Verdict, "evaluate")
        except ProwessError as problem:
            stop, error = Stop.ERROR, f"{type(problem).__name__}: {problem}"
        except (Exception, SystemExit) as problem:  # noqa: BLE001 (the edge of a stranger's world)
            stop, error = Stop.ERROR, f"{WorldError.__name__}: {told(problem)}"
        return Episode(
            task=task,
            turns=tuple(table.turns),
            verdict=verdict,
            stop=stop,
            offered=tuple(table.offered),
            dropped=tuple(table.dropped),
            called=tuple(table.called),
            learned=tuple(table.learned.values()),
            prompt=table.opening,
            error=error,
            tapes=tuple(table.tapes()),
            seed=seed,
            seconds=time.perf_counter() - started,
        )

    def at(self, temperature: float | None) -> Agent:
        """The agent with its policy at another temperature, where one is given and the policy knows of any."""
        cooled: Callable[[float], Policy] | None = getattr(self.policy, "at", None)
        return self if temperature is None or cooled is None else replace(self, policy=cooled(temperature))

    def hang_up(self) -> None:
        """End what is under way with the model, if the policy can: called when the work is interrupted."""
        close = getattr(self.policy, "close", None)
        if close:
            close()


def _retrieved(agent: Agent, library: Library, task: Task) -> list[Skill]:
    """What a retriever chose, if it is skills; of those with one name the first, which is the better one."""
    with blamed(agent.retriever, hint=""):
        given: object = agent.retrieve(library, task)
        found: list[object] = list(given) if isinstance(given, Iterable) else [given]
    skills: dict[str, Skill] = {}
    for one in found:
        if not isinstance(one, Skill):
            raise RecipeError(
                f"{agent.retriever} gave a {type(one).__name__}; it must give skills",
                hint="a retriever gets the library and the task, and returns some of library.skills, best first",
            )
        skills.setdefault(one.name, one)
    return list(skills.values())
