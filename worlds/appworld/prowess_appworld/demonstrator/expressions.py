"""Python for a value, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from prowess.types import Json
from prowess_appworld.demonstrator.atoms import DATES
from prowess_appworld.demonstrator.wording import literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """Python for a value, task by task, and what it needs."""

    texts: tuple[str, ...]
    names: frozenset[str] = frozenset()
    """Values of the task it refers to."""
    lines: tuple[tuple[str, ...], ...] = ()
    """Lines that must stand before it in each task, if any: sets, and dictionaries of details."""
    literal: bool = False
    """True when it is the value itself, taken from what was printed."""
    from_text: bool = False
    """True when the value stands in the instruction."""
    fork: tuple[str, str, str] | None = None
    """A test, and the text where it holds and where it does not: what `texts` say in one line."""

    @property
    def uniform(self) -> bool:
        return not self.literal and len(set(self.texts)) == 1

    @property
    def read(self) -> bool:
        """True when a model must have read it off what was printed."""
        return self.literal and not self.from_text

    @property
    def given(self) -> bool:
        """True when it is a value that the instruction tells: a parameter of a function for all tasks."""
        return self.literal and self.from_text

    def before(self, task: int) -> tuple[str, ...]:
        """The lines that must stand before it."""
        return self.lines[task] if self.lines else ()


def unified(expression: Expression, values: Sequence[Mapping[str, Json]]) -> Expression | None:
    """Python for all tasks at once, where a word of the instruction decides between two ways to say it."""
    if expression.uniform:
        return expression
    if expression.read or len(set(expression.texts)) != 2 or not all(expression.texts):
        return None
    for name in values[0]:
        words = [each.get(name) for each in values]
        meant = {literal(word): text for word, text in zip(words, expression.texts, strict=True)}
        functional = all(meant[literal(w)] == text for w, text in zip(words, expression.texts, strict=True))
        if name not in DATES and functional and len(meant) == 2 and all(isinstance(word, str) for word in words):
            (first, one), (_, other) = meant.items()
            lines = tuple(dict.fromkeys(line for each in expression.lines for line in each))
            return Expression(
                texts=(f"({one} if {name} == {first} else {other})",) * len(values),
                fork=(f"{name} == {first}", one, other),
                names=expression.names | {name},
                lines=(lines,) * len(values),
            )
    return None
