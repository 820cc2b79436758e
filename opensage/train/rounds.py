"""The rounds of a step: chains are played, then others in the place of groups that teach nothing (DAPO).

A later round plays as many chains as groups that differ are missing, so that nothing that differs is played in vain.
Which round is played with which chains depends on seeds and on what was played before, never on who was faster.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from opensage.outage import all_broke
from opensage.types import Chain, Group

Draw = Callable[[int, int, Sequence[Chain]], list[Chain]]
"""The chains of a round: its number, how many, and those of the rounds before it."""

Play = Callable[[int, Sequence[Chain]], list[Group]]
"""The groups of a round: its number, and its chains."""

Begin = Callable[[int, int], None]
"""Hears of a round that begins: which it is, counted from one, and how many groups there are with its own."""


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
    return all_broke([episode for group in groups for rollout in group.rollouts for episode in rollout.episodes])
