"""From a recipe to learning: what it starts from, what is checked before it begins, and its courses.

What `opensage sft`, `teach` and `train` do, apart from talking to the terminal. One after the other, as runs in
folders, they are in `opensage/stages.py`, with what collects and evaluates.
"""

from __future__ import annotations

from opensage.school.checks import (
    check_apart,
    check_imitation,
    check_known,
    check_learning,
    check_split,
    check_teaching,
    check_training,
)
from opensage.school.courses import Watch, imitate, reinforce
from opensage.school.players import check_expert, player, playing
from opensage.school.starts import best_of, start_of

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
