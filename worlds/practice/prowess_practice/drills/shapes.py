"""The drills made of a listing: their shapes, programs, wordings, and values that make sense."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from prowess_desk.engine.api import ApiError
from prowess_desk.engine.family import Draw, Family, Function, Made, Program, Values
from prowess_desk.engine.grading import changes
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Origin, State

from prowess.types import Json
from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.direct_calls import function_of, looked_up, played
from prowess_practice.drills.exports import EXPORTS, Export
from prowess_practice.drills.listing import Action, Listing, Measure, Within


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillShape:
    """One drill before its values are drawn."""

    listing: Listing
    conditions: tuple[Condition, ...]
    kind: str
    """count, name, sort, sum, extreme, top, act, pick or export."""
    measure: Measure | None = None
    greatest: bool = True
    action: Action | None = None
    export: Export | None = None
    by: Condition | None = None
    """What rows are counted or added up by, in `top`: the field that this condition looks at."""

    @property
    def within(self) -> Within | None:
        return self.listing.within

    @property
    def asks(self) -> bool:
        """Whether an answer is asked for, and nothing done."""
        return self.action is None and self.export is None

    @property
    def name(self) -> str:
        what = {
            "count": "count",
            "name": "list",
            "sort": f"list_by_{self._field}",
            "sum": f"sum_{self._field}_of",
            "extreme": f"{self._end}_{self._field}_of",
            "top": f"top_{self.by.slot if self.by else ''}_by_{self._field or 'number'}_of",
        }
        verb = self.action.word if self.action else self.export.word if self.export else ""
        start = what.get(self.kind) or (
            verb if self.kind in ("act", "export") else f"{verb}_{self._end}_{self._field}_of"
        )
        if self.action and len([one for one in self.listing.actions if one.word == self.action.word]) > 1:
            start = f"{start}_{self.action.slot or self.action.api.split('_')[0]}"
        inside = [f"in_{self.within.slot}"] if self.within else []
        return "_".join([start, self.listing.word, *inside, *(each.word for each in self.conditions)])

    @property
    def slots(self) -> dict[str, type]:
        found: dict[str, type] = {self.within.slot: str} if self.within else {}
        found |= {one.slot: one.kind for one in self.conditions if one.slot}
        if self.action and self.action.slot:
            found[self.action.slot] = int if self.action.choices[0].isdigit() else str
        if self.export and self.export.slot:
            found[self.export.slot] = str
        return found

    @property
    def apps(self) -> tuple[str, ...]:
        others = [one.app for one in (*self.conditions, self.export, self.action) if one and one.app]
        return tuple(dict.fromkeys((self.listing.app, *others)))

    @property
    def source(self) -> str:
        """The function, as the expert writes it."""
        kinds = {slot: "str" if issubclass(kind, str) else kind.__name__ for slot, kind in self.slots.items()}
        head = ", ".join(f"{slot}: {kind}" for slot, kind in kinds.items())
        return (
            f"def {self.name}({head}) -> {self._result}:\n"
            f'    """{self._about}"""\n'
            f'    {self._token} = login(app="{self.listing.app}")\n{self._reading}{self._rest}'
        )

    @property
    def matching(self) -> str:
        """A function that gives the rows that are meant, for drawing values that make sense."""
        return f"{self._looking}    return {self._found}\n"

    @property
    def measuring(self) -> str:
        """A function that gives what is measured on each of them."""
        return f"{self._looking}    return [{self._measured} for {self.listing.row} in {self._found}]\n"

    @property
    def _looking(self) -> str:
        head = ", ".join(f"{slot}=None" for slot in self.slots)
        return f'def matching({head}):\n    {self._token} = login(app="{self.listing.app}")\n{self._reading}'

    @property
    def call(self) -> str:
        return f"{self.name}({', '.join(f'{slot}={{{slot}!r}}' for slot in self.slots)})"

    @property
    def _token(self) -> str:
        """Named after its app, in all drills: which one a call needs can then be read off the call."""
        return f"{self.listing.app}_token"

    @property
    def _field(self) -> str:
        return self.measure.field if self.measure else ""

    @property
    def _measured(self) -> str:
        return self.measure.of(self.listing.row) if self.measure else ""

    @property
    def _end(self) -> str:
        return "greatest" if self.greatest else "least"

    @property
    def _result(self) -> str:
        if self.kind in ("extreme", "top"):
            return "str"
        return {"name": "list", "sort": "list", "sum": "float" if self._field == "amount" else "int"}.get(
            self.kind, "int"
        )

    @property
    def _about(self) -> str:
        where = [self.within.about] if self.within else []
        rows = " ".join([self.listing.many.rstrip(","), *where, " and ".join(each.about for each in self.conditions)])
        rows = rows.rstrip()
        rows = rows.replace(" my ", " the supervisor's ").replace(" I ", " they ").replace(" of mine", "")
        rows = rows.replace(" to me", " to them").replace(" by me", "")
        verb = self.action.verb.capitalize() if self.action else ""
        after = re.sub(r'"\{(\w+)\}"|\{(\w+)\}', r"`\1\2`", self.action.after) if self.action else ""
        if self.export:
            return self.export.about.replace("CALLED", self.listing.called).replace("ROWS", rows)
        return {
            "count": f"Count the {rows}.",
            "name": f"List the {self.listing.called}s of the {rows}.",
            "sort": f"List the {self.listing.called}s of the {rows}, by {self._field}, {self._order}.",
            "sum": f"Add up {self._field} over the {rows}.",
            "top": f"Return the {self.by.what if self.by else ''} {self._top} among the {rows}.",
            "extreme": f"Return the {self.listing.called} of the {self._end} by {self._field} among the {rows}.",
            "act": f"{verb} the {rows}{after} and return how many there were.",
            "pick": f"{verb} the {self._end} by {self._field} among the {rows}{after}; return 1.",
        }[self.kind].replace(" my ", " the supervisor's ")

    @property
    def _order(self) -> str:
        return "descending" if self.greatest else "ascending"

    @property
    def _top(self) -> str:
        return f"with the greatest sum of {self._field}" if self.measure else "that occurs most often"

    @property
    def _reading(self) -> str:
        listing = self.listing
        before = "".join(dict.fromkeys(one.prelude for one in self.conditions))
        if self.within:
            return f"{before}{self.within.finds}    {listing.rows} = {self.within.rows}\n"
        filters = "".join(f", {one.argument}={one.slot}" for one in self.conditions if one.argument)
        api = f"apis.{listing.app}.{listing.api}"
        given = f"access_token={self._token}{filters}"
        return f"{before}    {listing.rows} = all_pages({api}, {given})\n"

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
            return f"    return [{self.listing.naming} {where}]\n"
        if self.export and self.export.row:
            return f"    found = {found}\n{self.export.code}    return len(found)\n"
        if self.export:
            return f"    names = [{self.listing.naming} {where}]\n{self.export.code}    return len(names)\n"
        if self.kind == "sum":
            total = f"sum({self._measured} {where})"
            return f"    return {f'round({total}, 2)' if self._field == 'amount' else total}\n"
        if self.kind == "sort":
            end = ", reverse=True" if self.greatest else ""
            order = f"found.sort(key=lambda {row}: {self._measured}{end})"
            return f"    found = {found}\n    {order}\n    return [{self.listing.naming} for {row} in found]\n"
        if self.by:
            key = self.by.field.replace("ROW", row)
            more = self._measured if self.measure else "1"
            return (
                f"    totals: dict = {{}}\n    for {row} in {found}:\n"
                f"        totals[{key}] = totals.get({key}, 0) + {more}\n"
                "    return max(totals, key=lambda key: totals[key])\n"
            )
        best = f"{'max' if self.greatest else 'min'}(found, key=lambda {row}: {self._measured})"
        if self.kind == "extreme":
            return f'    found = {found}\n    return {best}["{self.listing.name}"]\n'
        assert self.action
        given = self.action.arguments.replace("ROW", row)
        there = self.action.app or self.listing.app
        entry = f'    {there}_token = login(app="{there}")\n' if self.action.app else ""
        doing = f"apis.{there}.{self.action.api}(access_token={there}_token, {given})"
        start = f"    found = {found}\n{entry}"
        if self.kind == "act":
            return f"{start}    for {row} in found:\n        {doing}\n    return len(found)\n"
        return f"{start}    {row} = {best}\n    {doing}\n    return 1\n"


def wordings(shape: DrillShape) -> tuple[str, ...]:
    """Some ways to ask for it."""
    inside = [shape.within.says] if shape.within else []
    of = " ".join([*inside, " and ".join(each.says for each in shape.conditions)]).rstrip()
    one, many, app = f"{shape.listing.one} {of}", f"{shape.listing.many} {of}", shape.listing.app
    called = shape.listing.called
    end = "" if shape.measure is None else shape.measure.most if shape.greatest else shape.measure.least
    if shape.kind == "count":
        return (
            f"How many {many} are there?",
            f"Count the {many} and tell me the number.",
            f"Look into the {app} app: I would like to know the number of {many}.",
            f"I wonder about the {many}. Is there one, are there a dozen? Give me the exact number.",
            f"Please go through the {app} app for me and find out how many {many} I have to reckon with.",
        )
    if shape.kind == "name":
        return (
            f"Which {many} are there? Answer with a list of the {called}s.",
            f"List the {called}s of all {many}.",
            f"I want the {called} of every {one}, as a list.",
            f"Please collect the {called}s of whatever {many} you can find, and answer with them as a list.",
            f"Somebody asked me about the {many}. What are their {called}s? A list will do.",
        )
    if shape.kind == "sort":
        return (
            f"List the {called}s of all {many} in order: first the one that {end}, and so on.",
            f"I want a list of the {called}s of the {many} that begins with the one that {end} and goes on like that.",
            f"Which {many} are there? Answer with a list of the {called}s, sorted, with the one that {end} first.",
            f"Rank the {many}, the one that {end} at the top, and give me their {called}s as a list in that order.",
        )
    if shape.by:
        return _most(shape, many)
    if shape.kind == "sum":
        adds = shape.measure.sum if shape.measure else ""
        return (
            f"What do the {adds} of the {many} add up to?",
            f"Add up the {adds} of all {many} and tell me the sum.",
            f"I need one number from the {app} app: the sum of the {adds} over all {many}.",
            f"Take the {many} together: how much is that, all {adds} added up?",
            f"For my records I want the total of the {adds}, counting just the {many}.",
        )
    if shape.kind == "extreme":
        return (
            f"Among the {many}, which one {end}? Answer with its {called}.",
            f"Tell me the {called} of the one that {end} among the {many}.",
            f"Look at the {many}: what is the {called} of the one that {end}?",
            f"I am thinking of one of the {many}, namely the one that {end}. Which {called} does it have?",
            f"Of all {many} only the one that {end} interests me. Please answer with the {called}.",
        )
    if shape.export:
        texts = (text.replace("CALLED", called) for text in shape.export.wordings)
        return tuple(text.replace("ONE", one).replace("MANY", many) for text in texts)
    assert shape.action
    verb, after = shape.action.verb, shape.action.after
    if shape.kind == "act":
        return (
            f"{verb.capitalize()} every {one}{after}.",
            f"Go through the {many} and {verb} each of them{after}.",
            f"In the {app} app, please {verb} all {many}{after}.",
            f"It is about the {many}. I would like you to {verb} them{after}, one by one, and to leave the rest alone.",
            f"Please tidy up in the {app} app for me: {verb} whatever {many} you come across{after}.",
        )
    return (
        f"Among the {many}, {verb} the one that {end}{after}.",
        f"Find the one that {end} among the {many} and {verb} it{after}.",
        f"There are {many}. Please {verb} the one of them that {end}{after}, and no other.",
        f"Please {verb} just one of the {many}{after}: the one that {end}.",
    )


def _most(shape: DrillShape, many: str) -> tuple[str, ...]:
    assert shape.by
    what, app = shape.by.what, shape.listing.app
    if shape.measure:
        adds = shape.measure.sum
        return (
            f"Add up the {adds} of the {many} by {what}: which {what} has the greatest sum?",
            f"For which {what} do the {adds} of all {many} add up to the most?",
            f"In the {app} app, take the {many}. Which {what} comes first if the {adds} are added up by {what}?",
            f"Group the {many} by {what}, add up the {adds} in each group, and name the {what} where that is the most.",
        )
    return (
        f"Which {what} occurs most often among the {many}?",
        f"Count the {many} by {what} and tell me the {what} with the most of them.",
        f"In the {app} app, look at the {many}: which {what} do most of them have?",
        f"There must be one {what} that is more frequent than any other among the {many}. Which?",
    )


MOST = 25
"""Rows that a drill acts on at most."""


def drills_of(listing: Listing) -> Iterator[Family]:
    """All drills on a listing: every condition and every action in turn, not every combination of them."""
    seen: set[str] = set()
    for shape in _shapes(listing):
        if shape.name not in seen and len(shape.slots) == _slots(shape):
            seen.add(shape.name)
            yield _family(shape)


def _slots(shape: DrillShape) -> int:
    more = bool(shape.action and shape.action.slot) + bool(shape.export and shape.export.slot) + bool(shape.within)
    return sum(bool(one.slot) for one in shape.conditions) + more


def _shapes(listing: Listing) -> Iterator[DrillShape]:
    single = [(one,) for one in listing.conditions]
    flagged = [(one, flag) for n, flag in enumerate(listing.flags) for one in listing.conditions[n : n + 2]]
    double = list(zip(listing.conditions, listing.conditions[2:], strict=False))
    whole: list[tuple[Condition, ...]] = [(), *((flag,) for flag in listing.flags)] if listing.within else []
    every: Sequence[tuple[Condition, ...]] = [*whole, *single, *flagged, *double]
    for conditions in every:
        if not any(one.coarse for one in conditions[:1]):
            yield DrillShape(listing=listing, conditions=conditions, kind="count")
    if listing.name:
        for conditions in every[::2]:
            yield DrillShape(listing=listing, conditions=conditions, kind="name")
    for n, measure in enumerate(listing.measures):
        for step, greatest in ((0, True), (1, False), (3, True)):
            conditions = every[(2 * n + step) % len(every)]
            if any(one.code.find(f'"{measure.field}"') >= 0 for one in conditions):
                continue
            if listing.name:
                yield DrillShape(
                    listing=listing, conditions=conditions, kind="extreme", measure=measure, greatest=greatest
                )
            if measure.sum:
                yield DrillShape(listing=listing, conditions=conditions, kind="sum", measure=measure)
    yield from _ordered(listing, every)
    for joined in [(one,) for one in listing.conditions if one.app]:
        if listing.name:
            yield DrillShape(listing=listing, conditions=joined, kind="name")
        for measure in listing.measures:
            if measure.sum:
                yield DrillShape(listing=listing, conditions=joined, kind="sum", measure=measure)
        for action in listing.actions:
            yield DrillShape(listing=listing, conditions=joined, kind="act", action=action)
    for n, export in enumerate(one for one in EXPORTS if listing.name and one.row in ("", listing.row)):
        for step in range(3):
            conditions = every[(2 * n + 3 * step) % len(every)]
            yield DrillShape(listing=listing, conditions=conditions, kind="export", export=export)
    for n, action in enumerate(listing.actions):
        for step in range(5):
            conditions = every[(3 * n + 2 * step) % len(every)]
            yield DrillShape(listing=listing, conditions=conditions, kind="act", action=action)
        for measure in listing.measures[:1]:
            conditions = every[(n + 1) % len(every)]
            if not any(one.code.find(f'"{measure.field}"') >= 0 for one in conditions):
                yield DrillShape(
                    listing=listing,
                    conditions=conditions,
                    kind="pick",
                    measure=measure,
                    greatest=n % 2 == 0,
                    action=action,
                )


def _ordered(listing: Listing, every: Sequence[tuple[Condition, ...]]) -> Iterator[DrillShape]:
    """Sorted by a measure; the most frequent of what rows can be told apart by, or the one with the greatest sum."""
    for n, measure in enumerate(listing.measures if listing.name else ()):
        for step, greatest in ((1, True), (2, False)):
            conditions = every[(n + 2 * step) % len(every)]
            yield DrillShape(listing=listing, conditions=conditions, kind="sort", measure=measure, greatest=greatest)
    for n, by in enumerate(one for one in listing.conditions if one.field):
        sums = [measure for measure in listing.measures if measure.sum]
        for step, summed in enumerate((None, *sums)):
            conditions = every[(n + 3 * step + 1) % len(every)]
            if by not in conditions:
                yield DrillShape(listing=listing, conditions=conditions, kind="top", measure=summed, by=by)


def _family(shape: DrillShape) -> Family:
    function = Made(shape.name, shape.source)
    trial = _Trial(shape=shape, program=function)

    def solve(state: State, me: Person, values: Values) -> Json:
        reads = shape.asks and state.untouched
        result = looked_up(function, state.origin, me.id, values) if reads else played(function, state, me, values)
        return result if shape.asks else None

    return Family(
        name=shape.name,
        split="drill",
        difficulty=len(shape.apps) if shape.asks and len(shape.conditions) == 1 else 2,
        apps=shape.apps,
        slots=shape.slots,
        wordings=wordings(shape),
        make=lambda draw: _values(trial, draw),
        solve=solve,
        program=Program(functions=(function,), call=shape.call),
        mistakes=(),
        asks=shape.asks,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class _Trial:
    """A shape and its functions, each made at its first use."""

    shape: DrillShape
    program: Function
    """What the expert writes."""

    @cached_property
    def every(self) -> Function:
        """Gives all rows of the listing; the same for all shapes on it."""
        return function_of(DrillShape(listing=self.shape.listing, conditions=(), kind="count").matching)

    @cached_property
    def matching(self) -> Function:
        return function_of(self.shape.matching)

    @cached_property
    def measuring(self) -> Function:
        return function_of(self.shape.measuring)


def _values(trial: _Trial, draw: Draw) -> Values | None:
    """Values that serve, or None when those that were drawn do not.

    A drill sets nothing up, so what they are drawn from is the same in all attempts for a person. Most attempts fail,
    and for a drill that nobody's data serves all of them: what was read, and what values came to, is remembered.
    """
    assert draw.state.untouched, "what is remembered holds where nothing has been set up"
    values = _drawn(trial, draw)
    return values if values is not None and _serve(trial, draw.state.origin, draw.me.id, **values) else None


def _drawn(trial: _Trial, draw: Draw) -> Values | None:
    shape, origin, me = trial.shape, draw.state.origin, draw.me.id
    values: dict[str, Any] = {}
    if shape.within:
        names = _names(shape.within.names, origin, me)
        if not names:
            return None
        values[shape.within.slot] = draw.rng.choice(names)
    rows = _rows(trial.every, origin, me, **values)
    for condition in shape.conditions:
        if condition.slot:
            picked = condition.pick(draw.rng, rows)
            if picked is None:
                return None
            values[condition.slot] = picked
    if shape.action and shape.action.slot:
        values[shape.action.slot] = shape.slots[shape.action.slot](draw.rng.choice(shape.action.choices))
    if shape.export and shape.export.slot:
        chosen = shape.export.choose(draw)
        if chosen is None:
            return None
        values[shape.export.slot] = chosen
    return values


@lru_cache(maxsize=1024)
def _names(expression: str, origin: Origin, me: int) -> tuple[str, ...]:
    """Names that a task can say and that mean one thing."""
    names = looked_up(function_of(f"def names():\n    return {expression}\n"), origin, me, {})
    return tuple(name for name in names if '"' not in name and names.count(name) == 1)


@lru_cache(maxsize=4096)
def _rows(every: Function, origin: Origin, me: int, /, **inside: str) -> tuple[Any, ...]:
    return tuple(looked_up(every, origin, me, inside))


@lru_cache(maxsize=4096, typed=True)
def _serve(trial: _Trial, origin: Origin, me: int, /, **values: Any) -> bool:
    """Whether values leave some rows in and some out, and the program does something with them without a refusal."""
    shape = trial.shape
    rows = _rows(trial.every, origin, me, **_inside(shape.within, values))
    found: list[Any] = looked_up(trial.matching, origin, me, values)
    if not 0 < len(found) < len(rows) + (not shape.conditions) or (not shape.asks and len(found) > MOST):
        return False
    ranks = shape.measure and shape.kind != "sum"
    worth: list[Any] = looked_up(trial.measuring, origin, me, values) if ranks else [1] * len(found)
    return _ranked(shape, found, worth) and _named(shape, found) and (shape.asks or _acts(trial, origin, me, values))


def _inside(within: Within | None, values: Values) -> dict[str, str]:
    return {within.slot: values[within.slot]} if within else {}


def _ranked(shape: DrillShape, found: Sequence[Any], worth: Sequence[Any]) -> bool:
    """Whether it is clear which row comes first, or which comes after which, where that is asked."""
    if shape.kind in ("extreme", "pick"):
        ends = sorted(worth, reverse=shape.greatest)
        return len(ends) > 1 and ends[0] != ends[1]
    if shape.kind == "sort":
        return len(worth) > 1 and len({*worth}) == len(worth) and None not in worth
    return shape.by is None or _tops(shape.by.field, found, worth)


def _tops(field: str, found: Sequence[Any], worth: Sequence[float]) -> bool:
    """Whether one of those that rows are added up by is clearly first."""
    key = eval(f"lambda ROW: {field}")  # noqa: S307 - our own words
    totals: Counter[str] = Counter()
    for row, each in zip(found, worth, strict=True):
        totals[key(row)] += each  # type: ignore[assignment]
    first = totals.most_common(2)
    return len(first) == 2 and all(isinstance(key, str) and key for key in totals) and first[0][1] > first[1][1]


def _named(shape: DrillShape, found: Sequence[Any]) -> bool:
    """Whether every row has a name, where names are asked."""
    if shape.kind not in ("name", "sort", "extreme", "export"):
        return True
    return all(row if shape.listing.name == "." else row[shape.listing.name] for row in found)


def _acts(trial: _Trial, origin: Origin, me: int, values: Values) -> bool:
    start, end = State(origin), State(origin)
    try:
        played(trial.program, end, start[Person][me], values)
    except (ApiError, TypeError):  # refused, or a row without the field that is reckoned with
        return False
    return bool(changes(start, end))
