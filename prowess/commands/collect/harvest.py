"""What a collection came to: the data set and the skills of what is kept, and its figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prowess.commands.collect.settings import CollectSettings
from prowess.commands.collect.tries import kept
from prowess.commands.collect.units import Unit, stored
from prowess.commands.dataset import FILE, Conversation, conversation_of, flaw_of, write_dataset
from prowess.play import Agent
from prowess.run import Run
from prowess.skills.library import Library
from prowess.types import Stop

DATA = "data"
"""The folder of the data set, inside the run's."""


def data_in(folder: Path) -> Path:
    """The data set of a run of collecting."""
    return folder / DATA / FILE


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


def harvest(run: Run, units: Sequence[Unit], agents: Sequence[Agent], settings: CollectSettings) -> Collected:
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
