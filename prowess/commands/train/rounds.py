"""The rounds of a step: chains are played, then others in the place of groups that teach nothing (DAPO).

A later round plays as many chains as groups that differ are missing, so that nothing that differs is played in vain.
Which round is played with which chains depends on seeds and on what was played before, never on who was faster.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from prowess.commands.train.chains import chains_for
from prowess.commands.train.settings import TrainSettings
from prowess.play import Agent
from prowess.play.outage import all_broke
from prowess.play.rollout import Enough, play_groups
from prowess.run.checkpoints import Tell
from prowess.seeds import derive
from prowess.types import Chain, Group, Suite

Played = tuple[list[Group], dict[str, float]]
"""The rollouts of a step, and what was measured while they were played."""

Draw = Callable[[int, int, Sequence[Chain]], list[Chain]]
"""The chains of a round: its number, how many, and those of the rounds before it."""

Play = Callable[[int, Sequence[Chain]], list[Group]]
"""The groups of a round: its number, and its chains."""

Begin = Callable[[int, int], None]
"""Hears of a round that begins: which it is, counted from one, and how many groups there are with its own."""


def play_step(
    agent: Agent,
    step: int,
    *,
    suite: Suite,
    settings: TrainSettings,
    differs: Callable[[Group], bool],
    underway: Tell,
    seed: int,
    workers: int,
) -> Played:
    """All rounds of a step. The seeds of the first know nothing of others; theirs are of the step and the round."""

    def seed_of(what: str, number: int) -> int:
        return derive(seed, what, step, number) if number else derive(seed, what, step)

    def draw(number: int, count: int, before: Sequence[Chain]) -> list[Chain]:
        return chains_for(suite, settings, seed=seed_of("chains", number), count=count, before=before)

    def play(number: int, chains: Sequence[Chain]) -> list[Group]:
        return play_groups(
            agent,
            suite,
            chains,
            size=settings.group,
            seed=seed_of("play", number),
            workers=workers,
            enough=Enough.for_turns(agent.limits.turns) if settings.early_stop else None,
            masked=settings.masked,
            watch=lambda done, of: underway(step, {"playing": float(done), "of": float(of)}),
        )

    def counts(rounds: int, groups: int) -> dict[str, float]:
        return {"play/rounds": float(rounds), "play/groups": float(groups)}

    def begin(number: int, groups: int) -> None:
        if settings.refill:
            underway(step, counts(number, groups))

    begun = time.perf_counter()
    rounds = play_rounds(draw, play, differs, wanted=settings.chains, refill=settings.refill, begin=begin)
    groups = [group for one in rounds for group in one]
    figures: Callable[[], dict[str, float]] = getattr(agent.policy, "figures", dict)
    told = counts(len(rounds), len(groups)) if settings.refill else {}
    return groups, figures() | told | {"time/rollouts": time.perf_counter() - begun}


def play_rounds(
    draw: Draw,
    play: Play,
    differs: Callable[[Group], bool],
    *,
    wanted: int,
    refill: int,
    begin: Begin = lambda number, groups: None,
) -> list[list[Group]]:
    """Play rounds until so many groups differ as are wanted, one and `refill` others at most; all that was played.

    Where all of a round broke, there is no other: it would break, too.
    """
    chains = draw(0, wanted, ())
    begin(1, len(chains))
    played = [play(0, chains)]
    missing = wanted
    for number in range(1, 1 + refill):
        missing -= sum(map(differs, played[-1]))
        if missing <= 0 or _broke(played[-1]):
            break
        chains += (fresh := draw(number, missing, chains))
        begin(number + 1, len(chains))
        played.append(play(number, fresh))
    return played


def _broke(groups: Sequence[Group]) -> bool:
    return all_broke([episode for group in groups for episode in group.episodes])
