"""From a recipe to learning: what it starts from, what is checked before it begins, and its courses.

What `prowess sft`, `teach` and `train` do, apart from talking to the terminal. One after the other, as runs in
folders, they are in `prowess/stages.py`, with what collects and evaluates.
"""

from __future__ import annotations

from prowess.school.checks import (
    check_apart,
    check_imitation,
    check_known,
    check_learning,
    check_split,
    check_teaching,
    check_training,
)
from prowess.school.courses import Watch, imitate, reinforce
from prowess.school.players import check_expert, player, playing
from prowess.school.starts import best_of, start_of

__all__ = [
    "Watch",
    "best_of",
    "check_apart",
    "check_expert",
    "check_imitation",
    "check_known",
    "check_learning",
    "check_split",
    "check_teaching",
    "check_training",
    "imitate",
    "player",
    "playing",
    "reinforce",
    "start_of",
]
