"""The units of work: a scenario at a temperature, or two that are crossed, and their place in a run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from prowess.commands.collect.settings import CollectSettings
from prowess.errors import RecipeError
from prowess.play.rollout import chains_of
from prowess.run import Run
from prowess.seeds import draw
from prowess.types import Chain, Episode, Suite


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A scenario at a temperature, or two that are crossed."""

    number: int
    chain: Chain
    key: str


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


def stored(run: Run, unit: Unit) -> tuple[Episode, ...]:
    """Every try that the run holds of a unit, in order."""
    return tuple(played.episode for played in run.episodes(unit.key))


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
