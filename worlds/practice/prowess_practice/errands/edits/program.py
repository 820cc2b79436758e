"""The program of an edit, the edits of it that must make a difference, and values for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.edits.parts import Edit, RowChange, RowChoice, Target
from prowess_practice.errands.edits.reports import Report
from prowess_practice.errands.layout import WIDTH, fitted
from prowess_practice.errands.lines.act import type_of
from prowess_practice.errands.people.plan import PeopleSlot


@dataclass(frozen=True, slots=True, kw_only=True)
class EditPlan:
    """An edit: which rows, what becomes of them, and what is told about it."""

    target: Target
    choice: RowChoice
    change: RowChange
    report: Report | None = None

    @property
    def name(self) -> str:
        return f"{self.change.word}_{self.choice.word}{f'_and_{self.report.word}' if self.report else ''}"

    @property
    def more_slots(self) -> tuple[PeopleSlot, ...]:
        """Besides those of the choice."""
        return (*self.change.slots, *(self.report.slots if self.report else ()))

    @property
    def slots(self) -> dict[str, type]:
        return {**self.choice.slots, **{slot.name: slot.kind for slot in self.more_slots}}

    @property
    def apps(self) -> tuple[str, ...]:
        """In the order in which they are called."""
        last = (self.report.app,) if self.report else ()
        return tuple(dict.fromkeys((self.target.app, *self.choice.apps, *self.change.apps, *last)))


def program(plan: EditPlan, *, inline: bool) -> str:
    """The source: log in where that is needed, read, choose, change one by one."""
    target, choice, change = plan.target, plan.choice, plan.change
    head = f"def {plan.name}({', '.join(f'{slot}: {type_of(kind)}' for slot, kind in plan.slots.items())}) -> int:"
    lines = _indented(_entered(choice.before), 4)
    lines += _indented((*target.reads[:-1], _with(target.reads[-1], choice.arguments)), 4)
    if inline and not plan.report and stepwise(choice, change):
        lines += _stepwise(target, choice, change)
    else:
        lines += _gathered(plan)
    needed = [app for app in plan.apps if any(f"={app}_token" in line for line in lines)]
    logins = [f'    {app}_token = login(app="{app}")' for app in needed]
    return "".join(f"{fitted(line)}\n" for line in (head, f'    """{_doc(plan)}"""', *logins, *lines))


def matters(plan: EditPlan, source: str) -> tuple[Edit, ...]:
    """Leaving out the choice, or a part of the change, must make a difference."""
    choice, change = plan.choice, plan.change
    found = [*choice.matters, *change.matters]
    if choice.arguments:
        found.append((f"{choice.arguments})", ")"))
    if choice.rank:
        found.append(("[:count]", "[:99]"))
    if choice.test:
        found.append((choice.test, "True"))
    return tuple((old, new) for old, new in found if source.count(old) == 1)


def shares(plan: EditPlan) -> bool:
    """Whether choice and change look at the same of a row."""
    return any(line in plan.choice.looks for line in plan.change.each)


def stepwise(choice: RowChoice, change: RowChange) -> bool:
    """Whether rows can be changed one after the other, as soon as each is looked at."""
    return not (choice.rank or change.order or change.before) and bool(choice.test or change.also)


def _doc(plan: EditPlan) -> str:
    text = f"{plan.change.about} {plan.choice.about}"
    if plan.report:
        told = plan.report.told(plan.target, plan.change)
        between = " " if len(text) + len(told) < WIDTH - 20 else "\n    "
        return f"{text},{between}and {told}."
    return f"{text}; return how many." if len(text) < WIDTH - 32 else f"{text}."


def _tests(choice: RowChoice, change: RowChange) -> str:
    return " and ".join(test for test in (choice.test, change.also) if test)


def _stepwise(target: Target, choice: RowChoice, change: RowChange) -> list[str]:
    each = [line for line in change.each if line not in choice.looks]
    return [
        "    changed = 0",
        f"    for {target.row} in {target.rows}:",
        *_indented(choice.looks, 8),
        f"        if {_tests(choice, change)}:",
        *_indented(each, 12),
        "            changed += 1",
        "    return changed",
    ]


def _gathered(plan: EditPlan) -> list[str]:
    target, choice, change = plan.target, plan.choice, plan.change
    lines, chosen, tests = [], "chosen", _tests(choice, change)
    if choice.looks:
        lines += ["    chosen = []", f"    for {target.row} in {target.rows}:", *_indented(choice.looks, 8)]
        lines += [f"        if {tests}:", f"            chosen.append({target.row})"]
    elif choice.rank:
        turned = ", reverse=True" if choice.highest else ""
        first = f"[{target.row} for {target.row} in ranked[:count] if {tests}]" if tests else "ranked[:count]"
        lines.append(f"    ranked = sorted({target.rows}, key=lambda {target.row}: {choice.rank}{turned})")
        lines.append(f"    chosen = {first}")
    elif tests:
        lines.append(f"    chosen = [{target.row} for {target.row} in {target.rows} if {tests}]")
    else:
        chosen = target.rows
    lines += _indented((line.replace("CHOSEN", chosen) for line in change.before), 4)
    if change.order:
        lines.append(f"    ordered = sorted({chosen}, key=lambda {target.row}: {change.order})")
        lines.append(f"    for number, {target.row} in enumerate(ordered, 1):")
    else:
        lines.append(f"    for {target.row} in {chosen}:")
    lines += _indented(change.each, 8)
    if plan.report:
        lines += _indented(plan.report.lines(target, chosen), 4)
    return [*lines, f"    return len({chosen})"]


def _entered(lines: Iterable[str]) -> list[str]:
    """Without logging in, which is done before."""
    return [line for line in lines if "_token = login(" not in line]


def _with(line: str, arguments: str) -> str:
    return f"{line[:-1]}{arguments})" if arguments else line


def _indented(lines: Iterable[str], width: int) -> list[str]:
    return [" " * width + line for line in lines]


def drawing(plan: EditPlan) -> Callable[[Draw], Values | None]:
    """What draws the values: those of the choice, which may set the scene, then those of the change."""

    def values(draw: Draw) -> Values | None:
        plan.target.stage(draw)
        plan.change.stage(draw)
        chosen = plan.choice.draws(draw)
        if chosen is None:
            return None
        given = {slot.name: slot.choose(draw) for slot in plan.more_slots}
        found = {
            slot: kind(chosen[slot]) for slot, kind in plan.choice.slots.items() if chosen[slot] is not None
        } | given
        return found if len(found) == len(plan.choice.slots) + len(given) and None not in found.values() else None

    return values
