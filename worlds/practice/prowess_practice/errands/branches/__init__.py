"""What is done depends on what is found."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from prowess_practice.errands.branches import deeds
from prowess_practice.errands.branches.decide import decided, graded
from prowess_practice.errands.branches.facts import MEASURES
from prowess_practice.errands.branches.finds import found_or_made
from prowess_practice.errands.branches.holders import held
from prowess_practice.errands.branches.parts import BranchDeed
from prowess_practice.errands.branches.piles_money import MONEY_PILES
from prowess_practice.errands.branches.piles_music import MUSIC_PILES
from prowess_practice.errands.branches.piles_phone import PHONE_PILES
from prowess_practice.errands.branches.piles_work import WORK_PILES
from prowess_practice.errands.branches.rivals import RIVALS, duels
from prowess_practice.errands.branches.row_by_row import limited, sized, sorted_out
from prowess_practice.errands.branches.truths import TRUTHS
from prowess_practice.errands.errand import Errand

_PILES = (deeds.MUSIC, deeds.TODO, deeds.WALLET, deeds.PAPERS, deeds.PHONE, deeds.SPLITS)
DEEDS: tuple[BranchDeed, ...] = tuple(pile[n] for n in range(max(map(len, _PILES))) for pile in _PILES if n < len(pile))
"""Apps take turns."""
PILES = (*MONEY_PILES, *MUSIC_PILES, *WORK_PILES, *PHONE_PILES)


def made() -> Iterator[Errand]:
    """All of them."""
    return chain(
        decided((*MEASURES, *TRUTHS), DEEDS, 4),
        graded(MEASURES, DEEDS, 2),
        sorted_out(PILES, 6),
        limited(PILES, 4),
        sized(PILES, 2),
        duels(RIVALS, 2),
        found_or_made(DEEDS, 3),
        held(PILES, 2),
    )
