"""Two errands in one task, one after the other: longer programs, and apps that no single errand brings together.

Neither has to do with the other; who does both must keep apart what belongs to which, and forget nothing.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from zlib import crc32

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.layout import WIDE, WIDTH, fitted
from prowess_practice.errands.naming import told

ROUNDS, TRIES = 2, 30
"""How often each of them comes first, and how many others it is tried with for that."""
LINES = 9
"""Lines that each of the two may have, without head and docstring."""
NAME, LETTERS = 64, 40
"""Letters in the name of a function, and in that of each of the two, at most."""
_COUNT = re.compile(r"    return (len\(\w+\)|\w+)\n\Z")
_ENTRY = re.compile(r'    (\w+)_token = login\(app="\1"\)')
_FRAMES = (
    "{one} Then there is something else: {two}",
    "I have two things for you to do. The first: {one} The second: {two}",
    "{one} When that is done: {two}",
    "Two things today. {one} And besides: {two}",
    "{one} After that comes another thing. {two}",
    "Please do this first: {one} And then this: {two}",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Half:
    """An errand, taken apart."""

    errand: Errand
    about: str
    """Its docstring without what it returns, beginning as inside a sentence."""
    body: tuple[str, ...]
    """Its lines but for the last."""
    result: str
    """What it returns."""
    kept: frozenset[str]
    """Names of what it works out; those of rows in its loops may come again."""
    rows: frozenset[str]


def made(errands: Iterable[Errand]) -> Iterator[Errand]:
    """Pairs of short errands."""
    halves = sorted(filter(None, map(_half, errands)), key=lambda half: crc32(half.errand.name.encode()))
    places = product(range(ROUNDS), range(len(halves)))
    return filter(None, (_paired(halves, place, turn * TRIES) for turn, place in places))


def _paired(halves: list[Half], place: int, after: int) -> Errand | None:
    """One of them with the next that goes with it."""
    others = (halves[(place + after + step) % len(halves)] for step in range(1, TRIES + 1))
    return next((both for two in others if (both := _joined(halves[place], two, place + after))), None)


def _half(errand: Errand) -> Half | None:
    """None where it is too long, or does not end with a number."""
    end = _COUNT.search(errand.source)
    if not end or errand.asks or not errand.slots or len(errand.name) > LETTERS:
        return None
    head, about, *_ = errand.source.split('"""')
    lines = errand.source.splitlines()[f"{head}{about}".count("\n") + 1 : -1]
    if len(lines) > LINES:
        return None
    bound = {
        node.id
        for node in ast.walk(ast.parse(errand.source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    starts = filter(None, (re.match(r" +(\w+(, \w+)*) [+|]?= ", line) for line in lines))
    kept = {name for start in starts for name in start[1].split(", ")} & bound
    return Half(
        errand=errand,
        about=_within(about),
        body=tuple(lines),
        result=end[1],
        kept=frozenset(kept),
        rows=frozenset(bound - kept),
    )


def _within(about: str) -> str:
    """A docstring as a part of a sentence, without what is returned."""
    words = " ".join(about.partition(";")[0].split()).rstrip(".")
    return words[:1].lower() + words[1:]


def _joined(one: Half, two: Half, place: int) -> Errand | None:
    """Both in one program; none where they would get in each other's way."""
    first, second = one.errand, two.errand
    name = f"{first.name}_and_{second.name}"
    slots = {**first.slots, **second.slots}
    apart = {*first.apps} - {*second.apps} or {*second.apps} - {*first.apps}
    if len(name) > NAME or len(slots) < len(first.slots) + len(second.slots) or not apart:
        return None
    names = {each: f"more_{each}" for each in two.kept & one.kept if not each.endswith("_token")}
    taken = {*one.kept, *one.rows, *slots}
    if {*names.values()} & {*taken, *two.kept, *two.rows} or (one.kept & two.rows) | (two.kept & one.rows):
        return None
    if slots.keys() & (one.kept | one.rows | two.kept | two.rows):
        return None
    known = {line for line in one.body if _ENTRY.fullmatch(line)}
    body = [*one.body, *(told(line, names) for line in two.body if line not in known)]
    source = _source(name, slots, f"{one.about}, and {two.about}", body, f"{one.result} + {told(two.result, names)}")
    matters = (*first.matters, *((told(old, names), told(new, names)) for old, new in second.matters))
    if any(source.count(old) != 1 for old, _ in matters) or max(map(len, source.splitlines())) > WIDE:
        return None
    frames = [_FRAMES[(place + step) % len(_FRAMES)] for step in range(3)]
    worded = zip(frames, first.wordings, second.wordings, strict=False)
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys((*first.apps, *second.apps))),
        slots=slots,
        source=source,
        wordings=tuple(frame.replace("{one}", a).replace("{two}", b) for frame, a, b in worded),
        values=partial(_drawn, first, second),
        matters=matters,
        difficulty=3,
    )


def _source(name: str, slots: dict[str, type], about: str, body: list[str], result: str) -> str:
    takes = ", ".join(f"{slot}: {'str' if issubclass(kind, str) else kind.__name__}" for slot, kind in slots.items())
    about = f'"""{about[:1].upper()}{about[1:]}; return how many in all."""'
    doc = textwrap.wrap(about, WIDTH - 4, break_on_hyphens=False)
    lines = [fitted(f"def {name}({takes}) -> int:"), *(f"    {line}" for line in doc)]
    return "\n".join([*lines, *(fitted(line, WIDE) for line in body), f"    return {result}"]) + "\n"


def _drawn(first: Errand, second: Errand, draw: Draw) -> Values | None:
    """Values of the one, then of the other, in one scene."""
    one = first.values(draw)
    two = one and second.values(draw)
    return {**one, **two} if one and two else None
