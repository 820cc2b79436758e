"""Evaluate: play every scenario of a split, task by task with the library carried along, weights frozen.

    prowess evaluate recipes/expert.toml --set evaluate.split=test_normal

As in the paper (section 4): tasks 1, 2, 3 of a scenario in order, the second sees what the first saved. A library may
also be carried from scenario to scenario (`carry = "split"`), in waves whose size is part of the recipe and not of the
machine, so that any number of workers gives the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from prowess.errors import RecipeError, StoreError, check_range
from prowess.figures.measure import measure, metrics_of
from prowess.files.codec import Played
from prowess.play import Agent, Play
from prowess.play.concurrency import play_all
from prowess.play.outage import all_broke, outage
from prowess.play.rollout import chains_of, play_chain, play_units
from prowess.run import Run
from prowess.seeds import derive
from prowess.skills.library import Library
from prowess.text.plural import every
from prowess.types import Chain, Episode, Rollout, Suite

RUNS = 1000
"""The most runs of one evaluation."""

EMPTY = Library()


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateSettings:
    """What is played, how often, and what is carried along."""

    split: str = "dev"
    """The split to play."""
    runs: int = 1
    """How often the split is played, each time with other seeds. The paper reports three runs."""
    skip: int = 0
    """Leave out the first runs, this many. Run 4 draws the same in every evaluation of the recipe's seed. So with `skip
    = 3` the runs are independent of the three runs of an earlier evaluation."""
    scenarios: int = 0
    """Only the first so many scenarios; 0 for all."""
    carry: Literal["scenario", "split"] = "scenario"
    """Whether each scenario starts from the given library, or from what the scenarios before it saved."""
    wave: int = 8
    """With carry = "split": this many scenarios start from the same library. Their skills are then merged into it
    together, in order."""
    temperature: float | None = None
    """The policy's temperature; its own unless given."""
    library: str = ""
    """Folder of the library to start from; empty for an empty library."""

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0 <= self.temperature <= 2:
            raise RecipeError(f"temperature is {self.temperature}; allowed is 0 to 2")
        check_range(self, 0, "scenarios", "skip")
        check_range(self, 1, "runs", "wave")
        if self.skip + self.runs > RUNS:
            beside = f" with skip, which is {self.skip}" if self.skip else ""
            raise RecipeError(f"runs is {self.runs}; allowed is 1 to {RUNS}{beside}")

    @property
    def numbers(self) -> range:
        """The numbers of its runs."""
        return range(self.skip, self.skip + self.runs)


def scenarios_of(suite: Suite, settings: EvaluateSettings) -> list[Chain]:
    """The scenarios that an evaluation plays."""
    return chains_of(suite, settings.split, first=settings.scenarios)


def evaluate(
    agent: Agent,
    suite: Suite,
    scenarios: Sequence[Chain],
    settings: EvaluateSettings,
    run: Run,
    *,
    seed: int,
    workers: int,
    watch: Callable[[Rollout], None] = lambda rollout: None,
) -> None:
    """Play what the run does not hold yet of some scenarios, writing each as it is done; `watch` is shown every one."""
    start = beginning(settings)
    _check_same(run, start, settings)
    run.start_library(start.digest)
    libraries = dict.fromkeys(settings.numbers, start)
    size = settings.wave if settings.carry == "split" else len(scenarios)

    def play(unit: tuple[int, Chain]) -> Play[Sequence[Episode]]:
        n, chain = unit
        purpose = derive(seed, "evaluate", settings.split, n, chain[0].scenario)
        rollout = yield from play_chain(agent, suite, chain, libraries[n], seed=purpose)
        return rollout.episodes

    def keep(unit: tuple[int, Chain], episodes: Sequence[Episode]) -> None:
        played = [Played(run=unit[0], split=settings.split, episode=episode) for episode in episodes]
        run.write_episodes(key_of(settings, *unit), played)

    waves = [scenarios[begin : begin + size] for begin in range(0, len(scenarios), size)]
    for n in settings.numbers:
        _drop_outdated(run, settings, n, waves)
    for wave in waves:
        units = [(n, chain) for n in settings.numbers for chain in wave]
        for unit in units:
            if run.has(key_of(settings, *unit)):
                watch(_stored(run, settings, *unit))
        missing = [unit for unit in units if not run.has(key_of(settings, *unit))]
        for episodes in play_units(agent, missing, play, keep, workers, begun=bool(run.keys())):
            watch(Rollout(episodes=tuple(episodes)))
        if settings.carry == "split":
            for n, chain in units:
                libraries[n] = _grown(libraries[n], _stored(run, settings, n, chain))
    first = settings.skip
    for chain in scenarios if settings.carry == "scenario" else ():
        libraries[first] = _grown(libraries[first], _stored(run, settings, first, chain))
    libraries[first].save(run.library)


def beginning(settings: EvaluateSettings) -> Library:
    """The library that an evaluation starts from."""
    return Library.load(settings.library) if settings.library else Library()


def play_split(
    agent: Agent,
    suite: Suite,
    scenarios: Sequence[Chain],
    settings: EvaluateSettings,
    *,
    library: Library = EMPTY,
    seed: int,
    workers: int,
) -> list[Played]:
    """Play scenarios of a split, each from the same library, and keep nothing on disk."""
    units = [(n, chain) for n in settings.numbers for chain in scenarios]
    plays = [
        partial(
            play_chain,
            agent,
            suite,
            chain,
            library,
            seed=derive(seed, "evaluate", settings.split, n, chain[0].scenario),
        )
        for n, chain in units
    ]
    rollouts = sorted(play_all(agent.policy, plays, workers), key=lambda found: found[0])
    return [
        Played(run=units[at][0], split=settings.split, episode=episode)
        for at, rollout in rollouts
        for episode in rollout.episodes
    ]


def score(
    agent: Agent, suite: Suite, scenarios: Sequence[Chain], settings: EvaluateSettings, *, seed: int, workers: int
) -> dict[str, float]:
    """How well an agent plays the split now, each scenario from an empty library; for looks in between, not kept."""
    played = play_split(agent, suite, scenarios, settings, seed=seed, workers=workers)
    episodes = [one.episode for one in played]
    if all_broke(episodes):
        raise outage(
            episodes,
            f"{every(len(played), 'episode')} of a score on '{settings.split}'",
            hint="mend what broke; what was learnt is saved, and the same command goes on with the score",
        )
    whole = measure(played)[0]
    return {name.replace("play/", "eval/"): value for name, value in metrics_of(whole).items()}


def key_of(settings: EvaluateSettings, n: int, chain: Chain) -> str:
    """The name under which a run keeps one scenario."""
    return f"{settings.split}-run{n}-{chain[0].scenario}"


def _check_same(run: Run, start: Library, settings: EvaluateSettings) -> None:
    """Refuse to go on with another library than that which the run has begun with: its figures would be of neither."""
    if run.keys() and run.about.library not in ("", start.digest):
        raise StoreError(
            f"run {run.folder} began with another library than '{settings.library}' holds now "
            f"({run.about.library[:12]}, not {start.digest[:12]})",
            hint="restore that library, or --force to delete the run and begin again, or another folder",
        )


def _drop_outdated(run: Run, settings: EvaluateSettings, n: int, waves: Sequence[Sequence[Chain]]) -> None:
    """Drop what was played after a scenario that is to be played again: it began with what that one had saved."""
    whole = [all(run.has(key_of(settings, n, chain)) for chain in wave) for wave in waves]
    first = whole.index(False) if False in whole else len(waves)
    for wave in waves[first + 1 :]:
        for chain in wave:
            run.drop(key_of(settings, n, chain))


def _stored(run: Run, settings: EvaluateSettings, n: int, chain: Chain) -> Rollout:
    return Rollout(episodes=tuple(played.episode for played in run.episodes(key_of(settings, n, chain))))


def _grown(library: Library, rollout: Rollout) -> Library:
    return library.add(*(skill for episode in rollout.episodes for skill in episode.learned))
