"""Check: tell the author of a world what breaks the contract of `prowess.types.Suite` and `World`.

    prowess check my_world:suite

Reads every split, opens a few tasks of each, and talks to them as the agent does: on a thread of its own, with several
worlds open at a time. `RULES` is the contract in words; a `Problem` says which rule is broken, where, and what was
found instead.
"""

from __future__ import annotations

from prowess.worlds.check.examination import check, examine
from prowess.worlds.check.findings import Findings, Problem, SplitNote, describe
from prowess.worlds.check.rules import FINISH, RULES, Rule
from prowess.worlds.check.suite import spread

__all__ = [
    "FINISH",
    "RULES",
    "Findings",
    "Problem",
    "Rule",
    "SplitNote",
    "check",
    "describe",
    "examine",
    "spread",
]
