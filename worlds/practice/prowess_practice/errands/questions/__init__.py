"""Questions that take two or three stages: a thing is found by its description, and something worked out about it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.questions import alarms, days, music, pairs, papers, people, several_people, splits, todo
from prowess_practice.errands.questions.part import Chain, QuestionStep, Work
from prowess_practice.errands.questions.program import drawing, matters, program, sound, wordings

_TABLES = (people, days, music, todo, splits, papers, several_people, pairs, alarms)
STEPS: tuple[QuestionStep, ...] = tuple(step for table in _TABLES for step in table.FOUND)
WORKS: tuple[Work, ...] = tuple(work for table in _TABLES for work in table.ASKED)
EACH = 6
"""Questions of a work, at most, besides those with a further step between."""
FURTHER = 3
"""Of those with a further step, at most."""
LINES = 24
"""Lines of a program, at most."""
UNANSWERED = {
    "list_open_steps_of_last_done_task_before",
    "sum_debts_of_others_than_debtors_people_in_file",
}
"""Nobody has what these ask for: open steps of a task that is done, debts to somebody who is a debtor."""


def made() -> Iterator[Errand]:
    """All of them."""
    return (_errand(chain) for chain in _chains() if chain.name not in UNANSWERED)


def _chains() -> Iterator[Chain]:
    """Every work at the end of some ways, those first that were taken least."""
    taken: Counter[str] = Counter()
    number = 0
    for work in WORKS:
        direct = [(step,) for step in STEPS if not step.of and step.kind == work.kind]
        hops = [step for step in STEPS if step.of and step.kind == work.kind]
        further = [(step, hop) for hop in hops for step in STEPS if not step.of and step.kind == hop.of]
        for ways, most in ((direct, EACH), (further, FURTHER)):
            left = [*ways]
            for _ in range(most):
                left.sort(key=lambda way: _worn(way, taken))
                found = next((way for way in left if _fits(way, work, number)), None)
                if found is None:
                    break
                left.remove(found)
                taken.update(step.word for step in found)
                yield Chain(steps=found, work=work, turn=number)
                number += 1


def _worn(way: tuple[QuestionStep, ...], taken: Counter[str]) -> float:
    """How often the steps were taken; less where they read what few of them read."""
    often = sum(taken[step.word] for step in way)
    return often / 2 if re.search(r"\((notes|files|todo)\.", "".join(step.code for step in way)) else often


def _fits(way: tuple[QuestionStep, ...], work: Work, number: int) -> bool:
    made = Chain(steps=way, work=work, turn=number)
    return sound(made) and len(program(made).splitlines()) <= LINES


def _errand(made: Chain) -> Errand:
    source = program(made)
    return Errand(
        name=made.name,
        apps=tuple(dict.fromkeys(app for app in _apps(source))),
        slots=made.kinds,
        source=source,
        wordings=wordings(made),
        values=drawing(source, made.slots),
        matters=matters(made),
        asks=True,
        difficulty=2 if len(made.steps) == 1 else 3,
    )


def _apps(source: str) -> Iterator[str]:
    return (line.split('login(app="')[1].split('"')[0] for line in source.splitlines() if "login(app=" in line)
