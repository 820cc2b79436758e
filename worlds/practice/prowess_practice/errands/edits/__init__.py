"""Rows get new values that are worked out: some of a kind are chosen, and something of each is changed.

A choice may look at a field, into the row, at its rank, or at what else names it; the new value comes from the row
itself, from what it holds, or from another row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from prowess_practice.errands.edits.alarms import ALARMS
from prowess_practice.errands.edits.choices import also_called, named_in
from prowess_practice.errands.edits.contacts import CONTACTS
from prowess_practice.errands.edits.expenses import EXPENSES
from prowess_practice.errands.edits.files import FILES
from prowess_practice.errands.edits.groups import GROUPS
from prowess_practice.errands.edits.notes import NOTES
from prowess_practice.errands.edits.parts import EditKind, RowChoice
from prowess_practice.errands.edits.payments import PAYMENTS, REQUESTS
from prowess_practice.errands.edits.playlists import PLAYLISTS
from prowess_practice.errands.edits.program import EditPlan, drawing, matters, program, shares, stepwise
from prowess_practice.errands.edits.projects import PROJECTS
from prowess_practice.errands.edits.receipts import RECEIPTS
from prowess_practice.errands.edits.reports import REPORTS
from prowess_practice.errands.edits.reviews import REVIEWS
from prowess_practice.errands.edits.tasks import TASKS
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines.places import PLACES

_KINDS = (
    *(PLAYLISTS, TASKS, PAYMENTS, NOTES, EXPENSES, ALARMS),
    *(FILES, CONTACTS, GROUPS, REVIEWS, PROJECTS, REQUESTS, RECEIPTS),
)
LINES = 25
"""Lines of a program, at most."""
WIDEST = 116
"""Characters in a line of it, at most."""
_TAKE = (
    "Take WHICH.",
    "Look for WHICH.",
    "This is about WHICH.",
    "Find WHICH.",
    "I am thinking of WHICH.",
    "Go through WHICH.",
)


def made() -> Iterator[Errand]:
    """All of them: every change with some of the choices, taken in turn; a report follows now and then."""
    turns: Counter[str] = Counter()
    for kind in _KINDS:
        choices = _choices(kind)
        for change in kind.changes:
            count = 0
            for _ in choices:
                plan = EditPlan(
                    target=kind.target, choice=choices[turns[kind.target.word] % len(choices)], change=change
                )
                turns[kind.target.word] += 1
                errand = _errand(_told(plan, turns), turns["made"])
                if errand:
                    count += 1
                    turns["made"] += 1
                    yield errand
                if count == kind.each:
                    break


def _told(plan: EditPlan, turns: Counter[str]) -> EditPlan:
    """Every third with a report, where it goes with one."""
    change = plan.change
    if (
        turns["made"] % 3
        or change.also
        or change.word == "reword"
        or any(line.startswith("if ") for line in change.each)
    ):
        return plan
    for _ in REPORTS:
        report = REPORTS[turns["told"] % len(REPORTS)]
        turns["told"] += 1
        told = replace(plan, report=report)
        if report.app != plan.target.app and _goes(told) and len(program(told, inline=False).splitlines()) <= LINES:
            return told
    return plan


def _choices(kind: EditKind) -> list[RowChoice]:
    places = [one for one in PLACES if kind.target.app not in one.apps]
    named = [named_in(kind.target, place) for place in places[: kind.places]]
    alike = [also_called(kind.target, other) for other in kind.alike]
    return _mixed(kind.choices, (*named[:3], *alike, *named[3:]))


def _mixed(first: tuple[RowChoice, ...], second: tuple[RowChoice, ...]) -> list[RowChoice]:
    """Two of the first, one of the second, and so on."""
    found, rest = list(first), list(second)
    for n in range(2, 3 * len(first), 3):
        if rest:
            found.insert(min(n, len(found)), rest.pop(0))
    return [*found, *rest]


def _goes(plan: EditPlan) -> bool:
    """Whether its parts make sense together, and no value has the name of another."""
    choice, bars = plan.choice, plan.change.bars
    if (bars and choice.word.startswith(bars)) or not plan.slots:
        return False
    if shares(plan) and (plan.report or not stepwise(choice, plan.change)):
        return False
    names = [*choice.slots, *(slot.name for slot in plan.more_slots)]
    source = program(plan, inline=False)
    return len(names) == len({*names}) and not any(f" {name} = " in source for name in names)


def _errand(plan: EditPlan, turn: int) -> Errand | None:
    """An errand, where it makes sense and is short enough."""
    if not _goes(plan):
        return None
    source = program(plan, inline=shares(plan) or turn % 2 == 0)
    edits = matters(plan, source)
    if not edits or len(source.splitlines()) > LINES or any(len(line) > WIDEST for line in source.splitlines()):
        return None
    return Errand(
        name=plan.name,
        apps=plan.apps,
        slots=plan.slots,
        source=source,
        wordings=tuple(_said(plan, text, n, turn) for n, text in enumerate(plan.change.says)),
        values=drawing(plan),
        matters=edits,
        difficulty=3 if plan.report else 2,
    )


def _said(plan: EditPlan, text: str, n: int, turn: int) -> str:
    text = text.replace("TAKE", _TAKE[(turn + n) % len(_TAKE)])
    which = plan.choice.says[(turn + n) % len(plan.choice.says)]
    for start in (". ", "? "):
        text = text.replace(f"{start}WHICH", f"{start}{which[0].upper()}{which[1:]}")
    text = text.replace("WHICH", which)
    return text[0].upper() + text[1:] + (plan.report.said(plan.target, plan.change, turn + n) if plan.report else "")
