"""Collect: play a split at many temperatures, try again what fails, and keep what succeeded as a data set to imitate.

    prowess collect recipes/expert.toml --set collect.count=4

As in the paper (section 4): every scenario at 20 temperatures from 0.05 to 1.0, tasks 1, 2, 3 in order with the skills
carried along, up to 10 tries a task, kept when at least the first two tasks succeeded. What the paper leaves open is
decided here:

- a task that fails all its tries ends its scenario: without it the later tasks could not be kept, or would be played
  with a library that no successful one has;
- every try at a task starts from the same library, and only the skills of the successful try are carried on;
- a success is a task that the agent completed and that passed every check; a try that breaks (`stop = error`) is a try;
- of a kept chain the successful episodes become conversations; one that saw "No code available" is left out.

A unit of work is a scenario at a temperature, or two that are `crossed`, named after the first:
`episodes/<split>-t<nn>-<scenario>.jsonl.gz`. It holds every try in the order played: `run` is the number of the
temperature, the tries of a task follow each other, and the last of them is the successful one if there is one. To have
a unit played again, delete its file and give the same command; after an outage of the policy the command is enough.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from prowess.commands.collect.harvest import Collected, harvest
from prowess.commands.collect.settings import CollectSettings
from prowess.commands.collect.tries import play_tries, succeeded
from prowess.commands.collect.units import Unit, stored, units_of
from prowess.files.codec import Played
from prowess.play import Agent, Play
from prowess.play.rollout import play_units
from prowess.run import Run
from prowess.seeds import derive
from prowess.skills.library import Library
from prowess.types import Episode, Suite


def collect(
    make_agent: Callable[[float], Agent],
    suite: Suite,
    settings: CollectSettings,
    run: Run,
    *,
    seed: int,
    workers: int,
    watch: Callable[[Sequence[Episode]], None] = lambda episodes: None,
) -> Collected:
    """Play what the run does not hold yet, then write the data set of all it holds; `watch` is shown the tries of
    every unit of work once."""
    agents = [make_agent(temperature) for temperature in settings.degrees]
    units = units_of(suite, settings)
    run.start_library(Library().digest)

    def play(unit: Unit) -> Play[Sequence[Episode]]:
        purpose = derive(seed, "collect", settings.split, unit.number, unit.chain[0].scenario)
        agent, good = agents[unit.number], partial(succeeded, checked=settings.checked)
        return play_tries(agent, suite, unit.chain, tries=settings.tries, seed=purpose, good=good)

    def keep(unit: Unit, episodes: Sequence[Episode]) -> None:
        played = [Played(run=unit.number, split=settings.split, episode=episode) for episode in episodes]
        run.write_episodes(unit.key, played)

    missing = []
    for unit in units:
        if run.has(unit.key):
            watch(stored(run, unit))
        else:
            missing.append(unit)
    for number, agent in enumerate(agents):
        ours = [unit for unit in missing if unit.number == number]
        for episodes in play_units(agent, ours, play, keep, workers, begun=bool(run.keys())):
            watch(episodes)
    return harvest(run, units, agents, settings)
