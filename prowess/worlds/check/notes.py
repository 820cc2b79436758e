"""The problems noted so far, and the ways to meet one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from prowess.errors import ProwessError, StoreError
from prowess.files.codec import to_json
from prowess.worlds.check.findings import Problem
from prowess.worlds.check.rules import RULES

T = TypeVar("T")


class Notes:
    """Problems by rule."""

    def __init__(self) -> None:
        self.problems: dict[str, Problem] = {}

    @property
    def in_order(self) -> tuple[Problem, ...]:
        """The problems in the order of the rules."""
        return tuple(self.problems[rule] for rule in RULES if rule in self.problems)

    def broken(self, rule: str, where: str, found: str) -> None:
        """Note a problem; of one rule the first place is told and the others are counted."""
        if rule in self.problems:
            self.problems[rule] = replace(self.problems[rule], times=self.problems[rule].times + 1)
        else:
            clause = RULES[rule]
            self.problems[rule] = Problem(
                rule=rule, where=where, found=found, expected=clause.expected, hint=clause.hint
            )

    def attempt(self, rule: str, where: str, work: Callable[[], T]) -> T | None:
        """What the work returns; None, and a problem, when it raises."""
        try:
            return work()
        except Exception as error:  # noqa: BLE001 (the edge of a stranger's world)
            self.broken(rule, where, f"{type(error).__name__}: {shown(str(error))}")
            return None

    def refused(self, where: str, work: Callable[[], object]) -> None:
        """Do what may be refused, but must not crash."""
        try:
            work()
        except ProwessError:
            pass
        except Exception as error:  # noqa: BLE001 (the edge of a stranger's world)
            self.broken("errors", where, f"{type(error).__name__}: {shown(str(error))}")

    def value(self, rule: str, where: str, kind: type[T], work: Callable[[], object]) -> T | None:
        """What the work returns when it is of its kind; None, and a problem, otherwise."""
        box = self.attempt(rule, where, lambda: (work(),))
        if box is None:
            return None
        given = box[0]
        if not isinstance(given, kind):
            self.broken(rule, where, f"{shown(given)}, which is not of type {kind.__name__}")
            return None
        return given if self.fits(rule, where, given) else None

    def fits(self, rule: str, where: str, value: object) -> bool:
        """True when a value's fields have their types, so that a run can record it."""
        try:
            to_json(value)
        except StoreError as error:
            self.broken(rule, where, error.message)
            return False
        return True


def shown(value: object) -> str:
    """A stranger's value in one line of printable text."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 (a stranger's value)
        text = f"a {type(value).__name__} that cannot be shown"
    return text if len(text) <= 300 else f"{text[:150]} ... {text[-140:]}"
