"""Collect: play a split at many temperatures, try again what fails, and keep what succeeded as a data set to imitate.

    opensage collect recipes/expert.toml --set collect.count=4

As in the paper (section 4): every scenario at 20 temperatures from 0.05 to 1.0, tasks 1, 2, 3 in order with the skills
carried along, up to 10 tries a task, kept when at least the first two tasks succeeded. What the paper leaves open is
decided here:

- a task that fails all its tries ends its scenario: without it the later tasks could not be kept, or would be played
  with a library that no successful one has;
- every try at a task starts from the same library, and only the skills of the successful try are carried on;
- a success is a task that the agent completed and that passed every check; a try that breaks (`stop = error`) is a try;
- of a kept chain the successful episodes become conversations; one that saw "No code available" is left out.

A unit of work is a scenario at a temperature, or two that are `crossed`, named after the first:
`episodes/<split>-t<nn>-<scenario>.jsonl`. It holds every try in the order played: `run` is the number of the
temperature, the tries of a task follow each other, and the last of them is the successful one if there is one. To have
a unit played again, delete its file and give the same command; after an outage of the policy the command is enough.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path

from opensage.agent import Agent, Play
from opensage.dataset import FILE, Conversation, conversation_of, flaw_of, write_dataset
from opensage.errors import RecipeError, check_range
from opensage.record import Played
from opensage.rollout import chains_of, play_task, play_units
from opensage.run import Run
from opensage.seeds import derive, draw
from opensage.skills.extract import defined_in
from opensage.skills.library import Library
from opensage.types import Chain, Episode, Stop, Suite

DEGREES = 1000
"""The most temperatures that are played at."""
DATA = "data"
"""The folder of the data set, inside the run's."""


def data_in(folder: Path) -> Path:
    """The data set of a run of collecting."""
    return folder / DATA / FILE


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectSettings:
    """What is played, how often it is tried, and what is kept; the defaults are the paper's."""

    split: str = "train"
    """The split to play."""
    scenarios: int = 0
    """Only the first so many scenarios; 0 for all."""
    last: int = 0
    """Only the last so many scenarios, of those; 0 for all. What nobody demonstrated comes last. A line says how many
    are left out."""
    length: int = 0
    """Only the first so many tasks of a scenario; 0 for all. The first is written anew, those after it reuse."""
    once: float = 0.0
    """Of this share of the scenarios only the first task is played. Reuse is soon learnt; what is written anew differs
    from scenario to scenario."""
    crossed: float = 0.0
    """This share of the scenarios is played in pairs, their tasks in turn, and offered what both have saved; in half of
    the pairs the second begins with the first one's helpers alone, as after a failure. Who finds nothing that fits
    reads and writes anew."""
    skip: tuple[str, ...] = ()
    """Scenarios whose names begin with one of these are left for reinforcement, which has little to find where
    imitation knows everything."""
    low: float = 0.05
    """The lowest temperature."""
    high: float = 1.0
    """The highest temperature."""
    count: int = 20
    """How many temperatures, evenly from the lowest to the highest; one alone is the lowest."""
    temperatures: tuple[float, ...] = ()
    """These temperatures instead."""
    tries: int = 10
    """How often a task is tried at most, until it succeeds."""
    keep: int = 2
    """How many of a scenario's first tasks must succeed for it to be kept; all of them where it has fewer."""
    checked: bool = True
    """Whether a try succeeds by its checks, as in the paper; if not, by being completed: demonstrations that nobody
    graded, bad habits and all."""
    failures: bool = True
    """Whether replies whose code failed bear loss, as in the paper; if not, only what mended them is learnt: whoever
    imitates slips makes them."""

    def __post_init__(self) -> None:
        check_range(self, 0, "scenarios", "last", "length")
        check_range(self, 1, "count", "tries", "keep")
        if self.count > DEGREES:
            raise RecipeError(f"count is {self.count}; allowed is 1 to {DEGREES} temperatures")
        if not 0 <= self.low <= self.high <= 2:
            raise RecipeError(f"low is {self.low} and high is {self.high}; allowed is 0 <= low <= high <= 2")
        for name in ("once", "crossed"):
            if not 0 <= getattr(self, name) <= 1:
                raise RecipeError(f"{name} is {getattr(self, name)}; allowed is 0 to 1, a share of the scenarios")
        for temperature in self.temperatures:
            if not 0 <= temperature <= 2:
                raise RecipeError(f"temperatures holds {temperature}; allowed is 0 to 2")

    @property
    def degrees(self) -> tuple[float, ...]:
        """The temperatures to play at.

        >>> CollectSettings(count=5, low=0.2).degrees
        (0.2, 0.4, 0.6, 0.8, 1.0)
        """
        step = (self.high - self.low) / (self.count - 1) if self.count > 1 else 0.0
        return self.temperatures or tuple(round(self.low + n * step, 6) for n in range(self.count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What a collection came to."""

    conversations: int
    """Lines of the data set."""
    chains: int
    """Chains played, each counted once per temperature: scenarios, or two that are crossed."""
    kept: int
    """Those of which something is kept: the first tasks of a scenario succeeded."""
    tries: int
    """Episodes played in all."""
    errors: int
    """Episodes that broke."""
    dropped: Mapping[str, int]
    """Episodes of kept scenarios that did not become conversations, by flaw."""
    helped: int = 0
    """Conversations in which a teacher stepped in (`policies.taught`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A scenario at a temperature, or two that are crossed."""

    number: int
    chain: Chain
    key: str


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
    return _export(run, units, agents, settings)


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


def _helpers(library: Library) -> Library:
    """The skills that others of the library call."""
    inner = {name for skill in library for name in defined_in(skill.source) if name != skill.name}
    return Library(tuple(skill for skill in library if skill.name in inner))


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


def units_of(suite: Suite, settings: CollectSettings) -> list[Unit]:
    """The work to do: temperature by temperature, scenario by scenario, crossed ones first."""
    found = chains_of(suite, settings.split, first=settings.scenarios)[-settings.last :]
    scenarios = [chain for chain in found if not chain[0].scenario.startswith(settings.skip)]
    for name in settings.skip:
        if not any(chain[0].scenario.startswith(name) for chain in found):
            raise RecipeError(
                f"collect.skip has '{name}'; no scenario of '{settings.split}' that is played begins so",
                hint=f"the first of them is '{found[0][0].scenario}'",
            )
    if not scenarios:
        raise RecipeError(
            f"collect.skip is {list(settings.skip)}; that is all that '{settings.split}' has", hint="leave some of it"
        )
    chains = _crossed([_cut(chain, settings) for chain in scenarios], settings.crossed)
    return [
        Unit(number=number, chain=chain, key=f"{settings.split}-t{number:02}-{chain[0].scenario}")
        for number in range(len(settings.degrees))
        for chain in chains
    ]


def _cut(chain: Chain, settings: CollectSettings) -> Chain:
    """As many of its tasks as are played."""
    once = draw(0, "once", chain[0].scenario).random() < settings.once
    return chain[: 1 if once else settings.length or None]


def _crossed(chains: Sequence[Chain], share: float) -> list[Chain]:
    """Chains with that share of them in pairs: the first task of one, the first of the other, the second of one..."""
    count = 2 * round(share * len(chains) / 2)
    drawn = draw(0, "crossed").sample(range(len(chains)), min(count, len(chains) - len(chains) % 2))
    pairs = [(chains[one], chains[other]) for one, other in zip(drawn[::2], drawn[1::2], strict=True)]
    paired = [tuple(task for two in zip_longest(*pair) for task in two if task is not None) for pair in pairs]
    taken = {*drawn}
    return [*paired, *(chain for at, chain in enumerate(chains) if at not in taken)]


def stored(run: Run, unit: Unit) -> tuple[Episode, ...]:
    """Every try that the run holds of a unit, in order."""
    return tuple(played.episode for played in run.episodes(unit.key))


def _export(run: Run, units: Sequence[Unit], agents: Sequence[Agent], settings: CollectSettings) -> Collected:
    """Write the data set and the skills of what is kept, reading the run in an order that no worker had a hand in."""
    count: Counter[str] = Counter()
    flaws: Counter[str] = Counter()
    library = Library()

    def conversations() -> Iterator[Conversation]:
        nonlocal library
        for unit in units:
            agent, episodes = agents[unit.number], stored(run, unit)
            chosen = kept(unit.chain, episodes, settings)
            count["tries"] += len(episodes)
            count["errors"] += sum(episode.stop is Stop.ERROR for episode in episodes)
            count["kept"] += bool(chosen)
            library = library.add(*(skill for episode in chosen for skill in episode.learned))
            for episode in chosen:
                if flaw := flaw_of(episode, agent.limits, checked=settings.checked):
                    flaws[flaw.value] += 1
                    continue
                count["helped"] += any(turn.completion.teacher for turn in episode.turns)
                yield conversation_of(
                    episode,
                    agent.prompt,
                    agent.limits,
                    split=settings.split,
                    temperature=settings.degrees[unit.number],
                    failures=settings.failures,
                )

    lines = write_dataset(run.folder / DATA, conversations())
    library.save(run.library)
    found = Collected(
        conversations=lines,
        chains=len(units),
        kept=count["kept"],
        tries=count["tries"],
        errors=count["errors"],
        helped=count["helped"],
        dropped=dict(flaws),
    )
    run.log(0, metrics_of(found))
    return found


def metrics_of(found: Collected) -> dict[str, float]:
    """What was collected by metric names, as a run logs it."""
    return {
        "collect/conversations": float(found.conversations),
        "collect/chains": float(found.chains),
        "collect/kept": float(found.kept),
        "collect/tries": float(found.tries),
        "collect/errors": float(found.errors),
        "collect/helped": float(found.helped),
        "collect/dropped": float(sum(found.dropped.values())),
    }
