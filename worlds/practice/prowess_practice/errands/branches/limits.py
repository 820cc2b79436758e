"""Rows in a given order: something is done with them as long as a budget lasts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.listing import Action
from prowess_practice.errands.branches.part import Drawing, apps_of, body, function, told
from prowess_practice.errands.branches.pile import Pile, Size, call_of, kind_of, place_of, rows_of
from prowess_practice.errands.branches.sort import MOVES, acting, flat, pairs_of, saying, word_of
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.scene import flush

WAYS = ("stop", "skip", "rest", "count")
"""Stop at the first that is too much; skip it and go on; do something else with it; take so many of them."""
_FRAMES = {
    "stop": (
        "Take MANY in this order: ORDER. FIRST(one after the other), adding up the NOUNS, and stop at the first one"
        " with which the sum would be more than {budget}UNIT.",
        "I have a budget of {budget}UNIT. Go through MANY ORDER, up to where the next one would bring the sum of the"
        " NOUNS above the budget. FIRST(each one up to there), and leave the rest alone, however small.",
        "Go through MANY ORDER and keep a running total of the NOUNS. FIRST(each one), as long as the total including"
        " it is at most {budget}UNIT. At the first one that would push the total above that, you are done.",
    ),
    "skip": (
        "Take MANY in this order: ORDER. If the sum of the NOUNS so far, with that of the next one, is at most"
        " {budget}UNIT, FIRST(it). Pass over one that would be too much, leave it out of the sum, and go on with the"
        " next.",
        "I have a budget of {budget}UNIT. Going through MANY ORDER, see whether the next one still fits, by its NOUN,"
        " into what is left of the budget. If it does, FIRST(it); if not, skip it, and try the one after it.",
        "Go through MANY ORDER and keep a running total of the NOUNS. Would the total exceed {budget}UNIT with the next"
        " one? Then leave it alone and do not count it. Otherwise, FIRST(it), and count it in.",
    ),
    "rest": (
        "Take MANY in this order: ORDER. If the sum of the NOUNS so far, with that of the next one, is at most"
        " {budget}UNIT, FIRST(it). If one would be too much, SECOND(it), leave it out of the sum, and go on with the"
        " next.",
        "I have a budget of {budget}UNIT. Going through MANY ORDER, see whether the next one still fits, by its NOUN,"
        " into what is left of the budget. If it does, FIRST(it); if not, SECOND(it), and try the one after it.",
        "Go through MANY ORDER and keep a running total of the NOUNS. Would the total exceed {budget}UNIT with the next"
        " one? Then SECOND(it), and do not count it. Otherwise, FIRST(it), and count it in.",
    ),
    "count": (
        "Take MANY in this order: ORDER. FIRST(each of the first {count}), and SECOND(each one after those).",
        "Put MANY in order, ORDER. Then FIRST(each one up to and including number {count} in that order); SECOND(each"
        " one after that).",
        "Go through MANY ORDER. There is room for {count} of them. As long as there is room, FIRST(each one);"
        " when there is none left, SECOND(each of the others).",
    ),
}


def limited(piles: Iterable[Pile], each: int) -> Iterator[Errand]:
    """Each size of a pile that has an order, in some ways."""
    turn = 0
    for n, pile in enumerate(piles):
        for size in (one for one in pile.sizes if one.smallest):
            pairs = pairs_of(pile)
            ways = WAYS if size.sums else ("count",)
            for step in range(min(each, 2 * len(ways))):
                way = ways[(step + n) % len(ways)]
                first, second = pairs[(n + 5 * step) % len(pairs)]
                down = bool(size.largest) and (way in ("skip", "rest") or step % 2 == 1)
                fresh = {*pile.slots, "budget", "count"}.isdisjoint({first.slot, second.slot})
                if fresh and not (way == "skip" and not down):
                    yield _errand(pile, size, way, down, first, second, turn)
                    turn += 1


def _errand(pile: Pile, size: Size, way: str, down: bool, first: Action, second: Action, turn: int) -> Errand:
    acts = (first, second) if way in ("rest", "count") else (first,)
    order = "descending" if down else "ascending"
    tail = f"_or_{word_of(second)}" if len(acts) > 1 else ""
    name = f"{word_of(first)}{tail}_{pile.word}_{way}_{order}_{size.field}"
    bound = {"count": int} if way == "count" else {"budget": size.kind}
    slots = {**pile.slots, **bound, **acting(*acts)}
    apps = apps_of((pile.app,), (one.app for one in acts if one.app))
    wordings = tuple(_worded(pile, size, way, down, first, second, frame) for frame in _FRAMES[way])
    about = told(f"{wordings[0]} Return how many {'there are' if way == 'count' else 'were within the budget'}.")
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "int", about, apps, _program(pile, size, way, down, first, second)),
        wordings=wordings,
        values=_values(pile, size, way, acts),
        matters=_matters(pile, size, way, down),
    )


def _program(pile: Pile, size: Size, way: str, down: bool, first: Action, second: Action) -> str:
    backwards = ", reverse=True" if down else ""
    measure = size.of(pile.row)
    one, other = call_of(first, pile), call_of(second, pile)
    head = f"ranked = sorted({pile.rows}, key=lambda {pile.row}: {measure}{backwards})\n"
    if way == "count":
        code = f"{head}for {pile.row} in ranked[:count]:\n"
        tail = f"    for {pile.row} in ranked[count:]:\n{body(other, 2)}    return len(ranked)\n"
        return f"{body(flat(pile.reads))}{body(code)}{body(one, 2)}{tail}"
    more = f"round(total + {measure}, 2)" if size.kind is float else f"total + {measure}"
    zero = "0.0" if size.kind is float else "0"
    code = f"{head}total = {zero}\ncount = 0\nfor {pile.row} in ranked:\n"
    start = f"{body(flat(pile.reads))}{body(code)}"
    done = f"total = {more}\ncount += 1\n"
    if way == "stop":
        loop = f"        if {more} > budget:\n            break\n{body(one, 2)}{body(done, 2)}"
    elif way == "skip":
        loop = f"        if {more} <= budget:\n{body(one, 3)}{body(done, 3)}"
    else:
        loop = f"        if {more} > budget:\n{body(other, 3)}        else:\n{body(one, 3)}{body(done, 3)}"
    return f"{start}{loop}    return count\n"


def _matters(pile: Pile, size: Size, way: str, down: bool) -> tuple[tuple[str, str], ...]:
    key = size.of(pile.row)
    turned = (f"{key}{', reverse=True' if down else ''})\n", f"{key}{'' if down else ', reverse=True'})\n")
    if way == "count":
        return (turned, ("in ranked[:count]", "in ranked"))
    sign = "<=" if way == "skip" else ">"
    ends = [(f" {sign} budget:", f" {sign} 0 * budget:"), turned]
    if way == "stop" and down:
        ends.append(("            break\n", "            continue\n"))
    if way == "skip":
        ends.append(("            count += 1\n", "            count += 1\n        else:\n            break\n"))
    return tuple(ends)


def _worded(pile: Pile, size: Size, way: str, down: bool, first: Action, second: Action, frame: str) -> str:
    frame = saying(frame, pile, first, second)
    counted = size.unit or f" {size.noun.removeprefix('number of ')}"
    frame = frame.replace("a budget of {budget}UNIT", f"a budget of {{budget}}{counted}")
    frame = frame.replace("ORDER", size.largest if down else size.smallest).replace("NOUNS", plural(size.noun))
    return frame.replace("NOUN", size.noun).replace("UNIT", size.unit).replace("MANY", pile.many)


def plural(noun: str) -> str:
    return noun.replace("number of", "numbers of") if noun.startswith("number") else f"{noun}s"


def _values(pile: Pile, size: Size, way: str, acts: tuple[Action, ...]) -> Drawing:
    def values(draw: Draw) -> Values | None:
        place = place_of(draw, pile)
        if place is None:
            return None
        sizes: list[Any] = rows_of(draw, pile, place, size.of("ROW"))
        if len(sizes) < 3 or len({*sizes}) < len(sizes):
            return None
        found: dict[str, Any] = dict(place)
        if way == "count":
            found["count"] = draw.rng.randint(2, len(sizes) - 1)
        else:
            found["budget"] = size.kind(int(sum(sizes) * draw.rng.uniform(0.2, 0.7)))
        found |= {one.slot: kind_of(one)(draw.rng.choice(one.choices)) for one in acts if one.slot}
        if any(one.api in MOVES for one in acts):
            flush(draw)
        return found

    return values
