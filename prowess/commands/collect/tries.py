"""The tries at the tasks of a chain, and which of them are kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from prowess.commands.collect.settings import CollectSettings
from prowess.play import Agent, Play
from prowess.play.rollout import play_task
from prowess.seeds import derive
from prowess.skills.extract import defined_in
from prowess.skills.library import Library
from prowess.types import Chain, Episode, Stop, Suite


def play_tries(
    agent: Agent, suite: Suite, chain: Chain, *, tries: int, seed: int, good: Callable[[Episode], bool]
) -> Play[Sequence[Episode]]:
    """Every try at the tasks of a chain, in order; a scenario ends with a task that fails all of its tries."""
    library = Library()
    episodes: list[Episode] = []
    begun: set[str] = set()
    lost: set[str] = set()
    for position, task in enumerate(chain):
        if task.scenario in lost:
            continue
        bare = task.scenario not in begun and derive(seed, "helpers") % 2
        offered = _helpers(library) if bare else library
        begun.add(task.scenario)
        for attempt in range(tries):
            episode = yield from play_task(agent, suite, task, offered, seed=derive(seed, position, attempt))
            episodes.append(episode)
            if good(episode):
                library = library.add(*episode.learned)
                break
        else:
            lost.add(task.scenario)
    return tuple(episodes)


def succeeded(episode: Episode, *, checked: bool) -> bool:
    """True for a try that ends the tries at its task: completed by the agent, and every check passed if checked."""
    return episode.stop is Stop.COMPLETED and (episode.success or not checked)


def kept(chain: Chain, episodes: Sequence[Episode], settings: CollectSettings) -> tuple[Episode, ...]:
    """The successful tries of scenarios whose first tasks succeeded, in order; of any other nothing."""
    good = [episode for episode in episodes if succeeded(episode, checked=settings.checked)]
    solved = Counter(episode.task.scenario for episode in good)
    tasks = Counter(task.scenario for task in chain)
    enough = {name for name, count in tasks.items() if solved[name] >= min(settings.keep, count)}
    return tuple(episode for episode in good if episode.task.scenario in enough)


def _helpers(library: Library) -> Library:
    """The skills that others of the library call."""
    inner = {name for skill in library for name in defined_in(skill.source) if name != skill.name}
    return Library(tuple(skill for skill in library if skill.name in inner))
