"""The shapes of drills: what is asked about the rows of a listing, or done to them, and the families made of it."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from opensage.types import Json
from opensage.worlds.desk.api import ApiError
from opensage.worlds.desk.drills.conditions import Condition
from opensage.worlds.desk.drills.door import played
from opensage.worlds.desk.drills.listing import Action, Listing, Measure
from opensage.worlds.desk.families.toolbox import TOOLBOX
from opensage.worlds.desk.family import Day, Draw, Family, Program, Values
from opensage.worlds.desk.grading import changes
from opensage.worlds.desk.people import Person
from opensage.worlds.desk.tables import State

MOST = 25
"""Rows that a drill acts on at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One drill before its values are drawn."""

    listing: Listing
    conditions: tuple[Condition, ...]
    kind: str
    """count, name, sum, extreme, act or pick."""
    measure: Measure | None = None
    greatest: bool = True
    action: Action | None = None

    @property
    def name(self) -> str:
        what = {
            "count": "count",
            "name": "list",
            "sum": f"sum_{self._field}_of",
            "extreme": f"{self._end}_{self._field}_of",
        }
        verb = self.action.word if self.action else ""
        start = what.get(self.kind) or (verb if self.kind == "act" else f"{verb}_{self._end}_{self._field}_of")
        if self.action and len([one for one in self.listing.actions if one.word == self.action.word]) > 1:
            start = f"{start}_{self.action.slot or self.action.api.split('_')[0]}"
        return "_".join([start, self.listing.word, *(each.word for each in self.conditions)])

    @property
    def slots(self) -> dict[str, type]:
        found: dict[str, type] = {one.slot: one.kind for one in self.conditions if one.slot}
        if self.action and self.action.slot:
            found[self.action.slot] = int if self.action.choices[0].isdigit() else str
        return found

    @property
    def apps(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.listing.app, *(one.app for one in self.conditions if one.app))))

    @property
    def source(self) -> str:
        """The function, as the expert writes it."""
        head = ", ".join(f"{slot}: {'str' if kind is Day else kind.__name__}" for slot, kind in self.slots.items())
        return (
            f"def {self.name}({head}) -> {self._result}:\n"
            f'    """{self._about}"""\n'
            f'    token = login(app="{self.listing.app}")\n{self._reading}{self._rest}'
        )

    @property
    def matching(self) -> str:
        """A function that gives the rows that are meant, for drawing values that make sense."""
        head = ", ".join(f"{slot}=None" for slot in self.slots)
        start = f'def matching({head}):\n    token = login(app="{self.listing.app}")\n'
        return f"{start}{self._reading}    return {self._found}\n"

    @property
    def call(self) -> str:
        return f"{self.name}({', '.join(f'{slot}={{{slot}!r}}' for slot in self.slots)})"

    @property
    def wordings(self) -> tuple[str, ...]:
        """Three ways to ask for it."""
        of = " and ".join(each.says for each in self.conditions)
        one, many, app = f"{self.listing.one} {of}", f"{self.listing.many} {of}", self.listing.app
        called = self.listing.called
        end = "" if self.measure is None else self.measure.most if self.greatest else self.measure.least
        if self.kind == "count":
            return (
                f"How many {many} are there?",
                f"Count the {many} and tell me the number.",
                f"Look into the {app} app: I would like to know the number of {many}.",
            )
        if self.kind == "name":
            return (
                f"Which {many} are there? Answer with a list of the {called}s.",
                f"List the {called}s of all {many}.",
                f"I want the {called} of every {one}, as a list.",
            )
        if self.kind == "sum":
            adds = self.measure.sum if self.measure else ""
            return (
                f"What do the {adds} of the {many} add up to?",
                f"Add up the {adds} of all {many} and tell me the sum.",
                f"I need one number from the {app} app: the sum of the {adds} over all {many}.",
            )
        if self.kind == "extreme":
            return (
                f"Among the {many}, which one {end}? Answer with its {called}.",
                f"Tell me the {called} of the one that {end} among the {many}.",
                f"Look at the {many}: what is the {called} of the one that {end}?",
            )
        assert self.action
        verb, after = self.action.verb, self.action.after
        if self.kind == "act":
            return (
                f"{verb.capitalize()} every {one}{after}.",
                f"Go through the {many} and {verb} each of them{after}.",
                f"In the {app} app, please {verb} all {many}{after}.",
            )
        return (
            f"Among the {many}, {verb} the one that {end}{after}.",
            f"Find the one that {end} among the {many} and {verb} it{after}.",
            f"There are {many}. Please {verb} the one of them that {end}{after}, and no other.",
        )

    @property
    def _field(self) -> str:
        return self.measure.field if self.measure else ""

    @property
    def _end(self) -> str:
        return "greatest" if self.greatest else "least"

    @property
    def _result(self) -> str:
        if self.kind == "extreme":
            return "str"
        return {"name": "list", "sum": "float" if self._field == "amount" else "int"}.get(self.kind, "int")

    @property
    def _about(self) -> str:
        rows = f"{self.listing.many.rstrip(',')} {' and '.join(each.about for each in self.conditions)}"
        rows = rows.replace(" my ", " the supervisor's ").replace(" I ", " they ").replace(" of mine", "")
        rows = rows.replace(" to me", " to them").replace(" by me", "")
        verb = self.action.verb.capitalize() if self.action else ""
        after = (
            self.action.after.split("{")[0].split(' "')[0].rstrip(' "') if self.action and not self.action.slot else ""
        )
        given = " as given" if self.action and self.action.slot else ""
        return {
            "count": f"Count the {rows}.",
            "name": f"List the {self.listing.called}s of the {rows}.",
            "sum": f"Add up {self._field} over the {rows}.",
            "extreme": f"Return the {self.listing.called} of the {self._end} by {self._field} among the {rows}.",
            "act": f"{verb} the {rows}{after}{given} and return how many there were.",
            "pick": f"{verb} the {self._end} by {self._field} among the {rows}{after}{given}; return 1.",
        }[self.kind].replace(" my ", " the supervisor's ")

    @property
    def _reading(self) -> str:
        listing = self.listing
        filters = "".join(f", {one.argument}={one.slot}" for one in self.conditions if one.argument)
        api = f"apis.{listing.app}.{listing.api}"
        given = f"access_token=token{filters}"
        before = "".join(one.prelude for one in self.conditions)
        return f"{before}    {listing.rows} = " + (
            f"all_pages({api}, {given})\n" if listing.paged else f"{api}({given})\n"
        )

    @property
    def _test(self) -> str:
        return " and ".join(one.code for one in self.conditions if one.code).replace("ROW", self.listing.row)

    @property
    def _found(self) -> str:
        row, rows = self.listing.row, self.listing.rows
        return f"[{row} for {row} in {rows} if {self._test}]" if self._test else rows

    @property
    def _rest(self) -> str:
        row, found = self.listing.row, self._found
        where = f"for {row} in {self.listing.rows}" + (f" if {self._test}" if self._test else "")
        if self.kind == "count":
            return f"    return len({found})\n"
        if self.kind == "name":
            return f'    return [{row}["{self.listing.name}"] {where}]\n'
        if self.kind == "sum":
            total = f'sum({row}["{self._field}"] {where})'
            return f"    return {f'round({total}, 2)' if self._field == 'amount' else total}\n"
        best = f'{"max" if self.greatest else "min"}(found, key=lambda {row}: {row}["{self._field}"])'
        if self.kind == "extreme":
            return f'    found = {found}\n    return {best}["{self.listing.name}"]\n'
        assert self.action
        given = self.action.arguments.replace("ROW", row)
        doing = f"apis.{self.listing.app}.{self.action.api}(access_token=token, {given})"
        if self.kind == "act":
            return f"    found = {found}\n    for {row} in found:\n        {doing}\n    return len(found)\n"
        return f"    found = {found}\n    {row} = {best}\n    {doing}\n    return 1\n"


def drills_of(listing: Listing) -> Iterator[Family]:
    """All drills on a listing: every condition and every action in turn, not every combination of them."""
    seen: set[str] = set()
    for shape in _shapes(listing):
        if shape.name not in seen and len(shape.slots) == _slots(shape):
            seen.add(shape.name)
            yield _family(shape)


def _slots(shape: Shape) -> int:
    return sum(bool(one.slot) for one in shape.conditions) + bool(shape.action and shape.action.slot)


def _shapes(listing: Listing) -> Iterator[Shape]:
    single = [(one,) for one in listing.conditions]
    flagged = [(one, flag) for n, flag in enumerate(listing.flags) for one in listing.conditions[n : n + 2]]
    double = list(zip(listing.conditions, listing.conditions[2:], strict=False))
    every: Sequence[tuple[Condition, ...]] = [*single, *flagged, *double]
    for conditions in every:
        if not conditions[0].coarse:
            yield Shape(listing=listing, conditions=conditions, kind="count")
    if listing.name:
        for conditions in every[::2]:
            yield Shape(listing=listing, conditions=conditions, kind="name")
    for n, measure in enumerate(listing.measures):
        for step, greatest in ((0, True), (1, False), (3, True)):
            conditions = every[(2 * n + step) % len(every)]
            if any(one.code.find(f'"{measure.field}"') >= 0 for one in conditions):
                continue
            if listing.name:
                yield Shape(listing=listing, conditions=conditions, kind="extreme", measure=measure, greatest=greatest)
            if measure.sum:
                yield Shape(listing=listing, conditions=conditions, kind="sum", measure=measure)
    for joined in [(one,) for one in listing.conditions if one.app]:
        if listing.name:
            yield Shape(listing=listing, conditions=joined, kind="name")
        for measure in listing.measures:
            if measure.sum:
                yield Shape(listing=listing, conditions=joined, kind="sum", measure=measure)
        for action in listing.actions:
            yield Shape(listing=listing, conditions=joined, kind="act", action=action)
    for n, action in enumerate(listing.actions):
        for step in range(3):
            conditions = every[(3 * n + 2 * step) % len(every)]
            yield Shape(listing=listing, conditions=conditions, kind="act", action=action)
        for measure in listing.measures[:1]:
            conditions = every[(n + 1) % len(every)]
            if not any(one.code.find(f'"{measure.field}"') >= 0 for one in conditions):
                yield Shape(
                    listing=listing,
                    conditions=conditions,
                    kind="pick",
                    measure=measure,
                    greatest=n % 2 == 0,
                    action=action,
                )


def _family(shape: Shape) -> Family:
    def solve(state: State, me: Person, values: Values) -> Json:
        result = played(shape.source, shape.call, state, me, values)
        return result if shape.action is None else None

    return Family(
        name=shape.name,
        split="drill",
        difficulty=len(shape.apps) if shape.action is None and len(shape.conditions) == 1 else 2,
        apps=shape.apps,
        slots=shape.slots,
        wordings=shape.wordings,
        make=lambda draw: _values(shape, draw),
        solve=solve,
        program=Program(functions=(_function(shape.name, shape.source),), call=shape.call),
        mistakes=(),
        asks=shape.action is None,
    )


def _values(shape: Shape, draw: Draw) -> Values | None:
    """Values that leave some rows in and some out, and for which the program does something without a refusal."""
    bare = Shape(listing=shape.listing, conditions=(), kind="count")
    rows: list[dict[str, Any]] = played(bare.matching, "matching()", draw.state, draw.me, {})
    values: dict[str, Any] = {}
    for condition in shape.conditions:
        if condition.slot:
            picked = condition.pick(draw.rng, rows)
            if picked is None:
                return None
            values[condition.slot] = picked
    if shape.action and shape.action.slot:
        values[shape.action.slot] = shape.slots[shape.action.slot](draw.rng.choice(shape.action.choices))
    given = ", ".join(f"{slot}={{{slot}!r}}" for slot in values)
    found: list[dict[str, Any]] = played(shape.matching, f"matching({given})", draw.state, draw.me, values)
    if not 0 < len(found) < len(rows) or (shape.action and len(found) > MOST):
        return None
    if shape.kind in ("extreme", "pick"):
        ends = sorted((row[shape.measure.field] for row in found), reverse=shape.greatest) if shape.measure else []
        if len(ends) < 2 or ends[0] == ends[1]:
            return None
    if shape.kind in ("name", "extreme") and not all(row[shape.listing.name] for row in found):
        return None
    if shape.action:
        trial = draw.state.fork()
        try:
            played(shape.source, shape.call, trial, draw.me, values)
        except ApiError:
            return None
        if not changes(draw.state, trial):
            return None
    return values


def _function(name: str, source: str) -> Callable[..., Any]:
    """The function itself; its source can be read where the others' can."""
    file = f"<drill {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {"apis": None, **TOOLBOX}
    exec(compile(source, file, "exec"), names)  # noqa: S102 - our own words, made from the tables beside
    found: Callable[..., Any] = names[name]
    return found
