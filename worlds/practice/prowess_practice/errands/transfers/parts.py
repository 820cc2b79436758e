"""What errands between two listings are made of: rows to start from, ties to others, and what becomes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.direct_calls import function_of, looked_up, played
from prowess_practice.drills.listing import Listing, Within
from prowess_practice.errands.errand import Errand

WIDTH = 120
"""Characters in a line of a program."""

_SLOT = re.compile(r'"\{(\w+)\}"|\{(\w+)\}')
_MINE = re.compile(r"\b(?:I |my |mine|me\b)")
_THEIRS = {"I ": "they ", "my ": "their ", "mine": "theirs", "me": "them"}
_LONG = 4
"""Words that are too many to stand between a verb and what belongs to it."""

Scene = Callable[[Draw], None]
"""Adds to a person's data what they may lack."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A value that the task gives, besides those of conditions."""

    name: str
    choose: Callable[[Draw], Any]
    """None where this person has nothing to choose from."""
    kind: type = str


def one_of(name: str, *values: Any) -> Slot:
    """A slot with a value out of these."""
    return Slot(name=name, kind=type(values[0]), choose=lambda draw: draw.rng.choice(values))


def own(name: str, expression: str) -> Slot:
    """A slot with one of the texts that an expression gives for the person, one that is there once."""

    def choose(draw: Draw) -> Any:
        names = seen(draw, f"def names():\n    return {expression}\n", {})
        clear = [each for each in names if names.count(each) == 1 and '"' not in each]
        return draw.rng.choice(clear) if clear else None

    return Slot(name=name, choose=choose)


def inside(within: Within) -> Slot:
    """The name of what rows lie in."""
    return own(within.slot, within.names)


@dataclass(frozen=True, slots=True, kw_only=True)
class RowPool:
    """Rows to start from."""

    app: str
    word: str
    """What names of functions are made of: `library_songs`."""
    row: str
    one: str
    many: str
    reading: str
    """Lines that give the rows, under their name in the plural."""
    name: str = ""
    """The field that names a row."""
    conditions: tuple[Condition, ...] = ()
    slots: tuple[Slot, ...] = ()
    shuns: tuple[str, ...] = ()
    """Ties that say nothing of these rows."""
    has: tuple[str, ...] = ()
    """Ties that all of these rows have."""
    scene: Scene | None = None

    @property
    def rows(self) -> str:
        """What a program calls all of them."""
        return plural(self.row)


def pool(listing: Listing, *, given: str = "", **other: Any) -> RowPool:
    """The rows of a listing that drills know, with further arguments if wanted."""
    within = listing.within
    found = within.finds if within else ""
    read = (
        within.rows
        if within
        else f"all_pages(apis.{listing.app}.{listing.api}, access_token={listing.app}_token{given})"
    )
    where = f" {within.says}" if within else ""
    fields: dict[str, Any] = {
        "app": listing.app,
        "word": f"{listing.word}_in_{within.slot}" if within else listing.word,
        "row": listing.row,
        "one": f"{listing.one}{where}",
        "many": f"{listing.many}{where}",
        "reading": f"{found}    {plural(listing.row)} = {read}\n",
        "name": listing.name,
        "conditions": tuple(one for one in listing.conditions if not one.argument and not one.app),
        "slots": (inside(within),) if within else (),
    }
    return RowPool(**{**fields, **other})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tie:
    """What a row may have to do with another listing, or not."""

    word: str
    yes: str
    """What follows the rows that do: `by an artist I follow`."""
    no: str
    whether: str
    """Said of one of them: `I follow its artist`."""
    test: str
    """On `ROW`; ` IN ` where it is looked for among others."""
    app: str = ""
    prelude: str = ""
    slots: tuple[Slot, ...] = ()
    scene: Scene | None = None

    def code(self, row: str, *, yes: bool) -> str:
        """The test of one row."""
        text = self.test.replace("ROW", row)
        if " IN " in text:
            return text.replace(" IN ", " in " if yes else " not in ")
        return text if yes else f"not {text}"

    def says(self, *, yes: bool) -> str:
        return self.yes if yes else self.no


Tied = tuple[Tie, bool]
"""A tie, and whether it is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowSink:
    """What is done with the rows found, or asked about them."""

    word: str
    do: str
    """`add [to my library] ALL`, where ALL stands for the rows; what is in brackets comes after a mere pronoun."""
    about: str = ""
    """The same as a docstring says it, where that is too long."""
    code: str = ""
    """Lines, `ROW` standing for one of `found`."""
    returns: str = "len(found)"
    gives: str = "int"
    question: str = ""
    """`how many ALL are there`, where an answer is asked for."""
    app: str = ""
    slots: tuple[Slot, ...] = ()
    needs: tuple[Tied, ...] = ()
    """What must be true of rows, lest it be refused."""
    bars: tuple[str, ...] = ()
    """Pools and ties with which it makes no sense."""
    drops: tuple[tuple[str, str], ...] = ()
    """Edits that must matter."""
    by: str = ""
    """The field by which one of the rows comes first, where only that one is asked about."""
    scene: Scene | None = None

    @property
    def asks(self) -> bool:
        return bool(self.question)

    def saying(self, rows: str) -> str:
        text = re.sub(r"\[(.+?),?\] ALL", r"ALL \1", self.do) if len(rows.split()) < _LONG else self.do
        return _put(text.replace("[", "").replace("]", ""), rows)

    def asking(self, rows: str) -> str:
        return _put(self.question, re.sub("^(the|those of the|those) ", "", rows))

    def telling(self, *rows: str) -> list[str]:
        """Docstrings, the best first."""
        ends = ("",) if self.asks else ("; return how many there were", "; return how many", "")
        text = (self.about or self.do).replace("[", "").replace("]", "")
        return [f"{_put(text, each)}{end}" for each in rows for end in ends]


def _put(text: str, rows: str) -> str:
    return re.sub(r"\bALL\b", lambda _: rows, text)


def plural(row: str) -> str:
    """
    >>> plural("song"), plural("entry")
    ('songs', 'entries')
    """
    return f"{row[:-1]}ies" if row.endswith("y") else f"{row}s"


def capital(text: str) -> str:
    """A sentence's first letter."""
    return text[:1].upper() + text[1:]


def turn_of(name: str) -> int:
    """Which of several ways to say something is taken for an errand: always the same, and another for the next."""
    return sum(place * ord(letter) for place, letter in enumerate(name, 1))


def filtered(name: str, row: str, rows: str, tests: Sequence[str]) -> str:
    """A line, or some, that keep the rows which pass all tests."""
    joined = " and ".join(tests)
    line = f"    {name} = [{row} for {row} in {rows}{f' if {joined}' if tests else ''}]\n"
    if len(line) <= WIDTH:
        return line
    where = f"        if {joined}\n"
    if len(where) > WIDTH:
        where = f"        if {tests[0]}\n" + "".join(f"        and {test}\n" for test in tests[1:])
    return f"    {name} = [\n        {row}\n        for {row} in {rows}\n{where}    ]\n"


def calling(api: str, arguments: str, *, indent: int = 8) -> str:
    """A call of an API, broken where it is too long."""
    app, space = api.partition(".")[0], " " * indent
    line = f"{space}apis.{api}(access_token={app}_token, {arguments})\n"
    if len(line.replace("ROW", "expense")) <= WIDTH:
        return line
    line = f"{space}    access_token={app}_token, {arguments}\n"
    if len(line.replace("ROW", "transaction")) > WIDTH:
        parts = [f"access_token={app}_token", *re.split(r", (?=\w+=)", arguments)]
        line = "".join(f"{space}    {part},\n" for part in parts)
    return f"{space}apis.{api}(\n{line}{space})\n"


def gathering(name: str, api: str, field: str) -> str:
    """A line that collects what a field holds in all rows of a listing, each value once."""
    return f'    {name} = {{one["{field}"] for one in all_pages(apis.{api}, access_token={api.split(".")[0]}_token)}}\n'


def entering(app: str) -> str:
    """The line that logs in."""
    return f'    {app}_token = login(app="{app}")\n'


def told(text: str) -> str:
    """What the supervisor says, as a docstring says it: in the third person, with slots as names."""
    return _MINE.sub(lambda word: _THEIRS[word[0]], _SLOT.sub(r"`\1\2`", text))


def described(*candidates: str) -> str:
    """The first docstring that fits on a line."""
    lines = [f'    """{capital(told(text))}."""\n' for text in candidates]
    return next(line for line in lines if len(line) <= WIDTH)


def program(name: str, slots: Mapping[str, type], gives: str, about: str, body: str) -> str:
    """The whole function."""
    kinds = {slot: "str" if issubclass(kind, str) else kind.__name__ for slot, kind in slots.items()}
    head = ", ".join(f"{slot}: {kind}" for slot, kind in kinds.items())
    line = f"def {name}({head}) -> {gives}:\n"
    if len(line) > WIDTH:
        line = f"def {name}(\n    {head}\n) -> {gives}:\n"
    return f"{line}{about}{body}"


def seen(draw: Draw, source: str, values: Mapping[str, Any]) -> Any:
    """What a function that only reads gives for the person, as things stand."""
    function = function_of(source)
    if draw.state.untouched:
        return looked_up(function, draw.state.origin, draw.me.id, values)
    return played(function, draw.state, draw.me, values)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingPlan:
    """How values are drawn: scenes first, then what rows lie in, then what they must have, then the rest."""

    scenes: tuple[Scene, ...] = ()
    first: tuple[Slot, ...] = ()
    rows: str = ""
    """Source of a function of the first slots that gives the rows which conditions are about."""
    conditions: tuple[Condition, ...] = ()
    ranks: tuple[str, ...] = ()
    """Sources of functions of all slots so far that give what rows are ranked by: the first must stand alone."""
    last: tuple[Slot, ...] = ()


def _clear(ranked: Sequence[Any]) -> bool:
    return len(ranked) > 1 and None not in ranked[:2] and ranked[0] != ranked[1]


def ranking(slots: Sequence[str], body: str, rows: str, by: str) -> str:
    """The source of a function that gives what rows are ranked by, the greatest first."""
    return f"def ranks({', '.join(slots)}):\n{body}    return sorted([{by} for each in {rows}], reverse=True)\n"


def drawing(plan: DrawingPlan) -> Callable[[Draw], Values | None]:
    """Values for an errand, as planned."""

    def values(draw: Draw) -> Values | None:
        for scene in plan.scenes:
            scene(draw)
        found: dict[str, Any] = {slot.name: slot.choose(draw) for slot in plan.first}
        if None in found.values():
            return None
        if plan.conditions:
            rows = seen(draw, plan.rows, found)
            found |= {one.slot: one.pick(draw.rng, rows) for one in plan.conditions if one.slot} if rows else {"": None}
        if None in found.values():
            return None
        if not all(_clear(seen(draw, each, found)) for each in plan.ranks):
            return None
        found |= {slot.name: slot.choose(draw) for slot in plan.last}
        return None if None in found.values() else found

    return values


def written(
    name: str,
    about: str,
    body: str,
    wordings: tuple[str, ...],
    *,
    apps: tuple[str, ...],
    slots: tuple[Slot, ...],
    matters: tuple[tuple[str, str], ...],
    gives: str = "int",
    asks: bool = False,
    scenes: tuple[Scene, ...] = (),
) -> Errand:
    """The errand; its program logs in to all its apps first."""
    kinds = {slot.name: slot.kind for slot in slots}
    lines = "".join(map(entering, apps)) + body.lstrip("\n")
    return Errand(
        name=name,
        apps=apps,
        slots=kinds,
        source=program(name, kinds, gives, described(about), lines),
        wordings=wordings,
        values=drawing(DrawingPlan(scenes=scenes, first=slots)),
        matters=matters,
        asks=asks,
    )
