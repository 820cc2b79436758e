"""What a check found, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prowess.text.plural import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A rule that is broken."""

    rule: str
    """The rule's name."""
    where: str
    """The first place it was seen."""
    found: str
    """What was there instead."""
    expected: str
    """What the rule asks for."""
    hint: str
    """What to do."""
    times: int = 1
    """In how many places it was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitNote:
    """What a split holds."""

    name: str
    tasks: int
    scenarios: int
    single: int
    """Scenarios of one task, in which no skill can be reused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a check found, and what it saw on the way."""

    problems: tuple[Problem, ...]
    """The rules that are broken; none in a world that keeps the contract."""
    splits: tuple[SplitNote, ...]
    """What each split holds: `name`, `tasks`, `scenarios`, and `single`, scenarios of one task."""
    opened: int
    """Worlds opened."""
    open_ms: float
    """Median time of opening one, in milliseconds; NaN when none was."""
    open_kb: float
    """Most memory that opening one took in this process, in kilobytes; child processes are not counted."""
    tried: tuple[str, ...] = ()
    """The only calls that were made with odd arguments, where a world did not list its APIs."""


def describe(found: Findings | Sequence[Problem]) -> str:
    """Problems, and what else was seen, as text for a terminal."""
    problems = found.problems if isinstance(found, Findings) else tuple(found)
    blocks = [_told(problem) for problem in problems]
    lines = [counted(len(problems), "problem") if problems else "no problems"]
    if isinstance(found, Findings):
        lines += [
            f"split {note.name!r}: {counted(note.tasks, 'task')} in {counted(note.scenarios, 'scenario')}"
            + (f", {note.single} of them with one task only: nothing to reuse a skill in" if note.single else "")
            for note in found.splits
        ]
        if found.tried:
            were = "was" if len(found.tried) == 1 else "were"
            tried = ", ".join(found.tried)
            lines.append(f"note: no api_docs, so only {tried} {were} tried; name APIs by --apis a.b,c.d")
        if found.opened:
            cost = f"{found.open_ms:.1f} ms and {found.open_kb:.0f} kB each"
            lines.append(f"opened {counted(found.opened, 'world')}: {cost}, in this process")
    return "\n\n".join([*blocks, "\n".join(lines)])


def _told(problem: Problem) -> str:
    more = f" and {problem.times - 1} more" if problem.times > 1 else ""
    return (
        f"{problem.rule}: {problem.where}{more}\n"
        f"  found:    {problem.found}\n  expected: {problem.expected}\n  hint:     {problem.hint}"
    )
