"""Why these and not the others: a small search for the condition behind a choice.

Given the entries of a source in every task of a scenario and which of them were chosen, look for a condition of at most
three parts (`atoms.py`) that gives exactly the choice in all tasks. The parts may differ in their operator from task to
task (`before` in one, `after` in the next; `and` here, `or` there), never in what they look at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import combinations, product
from operator import and_, or_

from prowess.types import Json
from prowess_appworld.demonstrator.atoms import Atom, Sayer, Shape
from prowess_appworld.demonstrator.sources import Reader, Source

_MOST = 3
"""Parts of a condition."""
_WIDEST = 60
"""Shapes that are combined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A condition in one task."""

    atoms: tuple[Atom, ...]
    word: str = "and"

    @property
    def text(self) -> str:
        mixed = len(self.atoms) > 1
        texts = [f"({a.text})" if mixed and (" or " in a.text or " and " in a.text) else a.text for a in self.atoms]
        return f" {self.word} ".join(texts)

    @property
    def weight(self) -> int:
        return sum(atom.weight for atom in self.atoms)


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """What was found, task by task."""

    choices: tuple[Choice, ...]

    def text(self, task: int) -> str:
        return self.choices[task].text

    @property
    def uniform(self) -> bool:
        return len({choice.text for choice in self.choices}) == 1

    @property
    def atoms(self) -> list[Atom]:
        return [atom for choice in self.choices for atom in choice.atoms]


Shapes = Mapping[Shape, Sequence[Atom]]


class Search:
    """The search for a condition on the entries of one source: the same in all tasks, or one for each."""

    def __init__(
        self, reader: Reader, sources: Sequence[Source | None], values: Sequence[Mapping[str, Json]], before: int
    ) -> None:
        varied = len(set(sources) - {None}) > 1
        self._sizes = [len(reader.entries(s, task)) if s else 0 for task, s in enumerate(sources)]
        self._atoms = [
            Sayer(reader, source, task, before, varied=varied).atoms(values[task]) if source else []
            for task, source in enumerate(sources)
        ]

    def condition(self, chosen: Sequence[int | None]) -> Condition | None:
        """The condition that holds for exactly the chosen entries (one bit each) of every task that is not None."""
        tasks = [task for task, bits in enumerate(chosen) if bits is not None]
        wanted = {task: chosen[task] or 0 for task in tasks}
        wide = [self._by_shape(task, partial(_covers, wanted[task])) for task in tasks]
        telling = [
            shape
            for shape in _common(wide)
            if any(
                atom.holds != self._full(task)
                for shapes, task in zip(wide, tasks, strict=True)
                for atom in shapes[shape]
            )
        ]
        for size in range(1, _MOST + 1):
            for shapes in combinations(telling[:_WIDEST], size):
                if found := self._found(
                    [self._joined(n, wanted, wide, tasks, shapes) for n in range(len(tasks))], tasks
                ):
                    return found
        return self._either(wanted, tasks)

    def telling(self, fits: Callable[[int, Atom], bool]) -> Condition | None:
        """The condition of one part that fits in every task."""
        tasks = range(len(self._sizes))
        able = [self._by_shape(task, partial(fits, task)) for task in tasks]
        for shape in _common(able):
            options = [sorted((Choice(atoms=(a,)) for a in able[t][shape]), key=lambda c: c.weight) for t in tasks]
            if found := self._found(options, tasks):
                return found
        return None

    def _either(self, wanted: Mapping[int, int], tasks: Sequence[int]) -> Condition | None:
        """Two parts of which, in some tasks, one is enough."""
        every = [self._by_shape(task, lambda atom: atom.shape[0] in ("member", "inside", "true")) for task in tasks]
        for shapes in combinations(_common(every)[: 3 * _WIDEST], 2):
            options = [
                [*self._joined(n, wanted, every, tasks, shapes), *self._joined(n, wanted, every, tasks, shapes, "or")]
                for n in range(len(tasks))
            ]
            if found := self._found(options, tasks):
                return found
        return None

    def _full(self, task: int) -> int:
        return (1 << self._sizes[task]) - 1

    def _by_shape(self, task: int, suits: Callable[[Atom], bool]) -> dict[Shape, list[Atom]]:
        found: dict[Shape, list[Atom]] = {}
        for atom in self._atoms[task]:
            if suits(atom):
                found.setdefault(atom.shape, []).append(atom)
        return found

    def _joined(
        self,
        number: int,
        wanted: Mapping[int, int],
        able: Sequence[Shapes],
        tasks: Sequence[int],
        shapes: Sequence[Shape],
        word: str = "and",
    ) -> list[Choice]:
        """Ways to say exactly what was chosen with parts of these shapes, the simplest first."""
        join = and_ if word == "and" else or_
        found = [
            Choice(atoms=atoms, word=word)
            for atoms in product(*(able[number][shape] for shape in shapes))
            if reduce(join, (atom.holds for atom in atoms)) == wanted[tasks[number]]
        ]
        return sorted(found, key=lambda choice: choice.weight)

    def _found(self, options: Sequence[Sequence[Choice]], tasks: Sequence[int]) -> Condition | None:
        """One way for each task: the same for all if there is one, else those that most tasks share."""
        if not all(options):
            return None
        often = Counter(text for choices in options for text in {choice.text for choice in choices})
        picked = [max(choices, key=lambda choice: often[choice.text]) for choices in options]
        by_task = dict(zip(tasks, picked, strict=True))
        return Condition(choices=tuple(by_task.get(task, picked[0]) for task in range(len(self._sizes))))


def _covers(wanted: int, atom: Atom) -> bool:
    return atom.holds & wanted == wanted


def _common(able: Sequence[Shapes]) -> list[Shape]:
    """Shapes that every task has parts of, those with the simplest parts first."""
    found = [shape for shape in able[0] if all(shape in shapes for shapes in able[1:])] if able else []
    return sorted(found, key=lambda shape: min(atom.weight for atom in able[0][shape]))
