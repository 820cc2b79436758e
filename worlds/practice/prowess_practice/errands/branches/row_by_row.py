"""Row by row, it is decided what is done: by a condition, by the size of the row, or as long as a budget lasts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.listing import Action
from prowess_practice.drills.listings_music import QUEUE
from prowess_practice.errands.branches.parts import Drawing, apps_of, body, capital, function, names, told
from prowess_practice.errands.branches.pile import (
    Pile,
    Size,
    again,
    call_of,
    kind_of,
    look_of,
    looked,
    place_of,
    rows_of,
)
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.scene import flush

_SORTED_FRAMES = (
    "Go through MANY: FIRST(each one TEST), and SECOND(every other one).",
    "Take MANY one by one. Is it one TEST? Then FIRST(it). If it is not, SECOND(it).",
    "Among MANY, FIRST(each one TEST). With the others it is different: SECOND(each of them).",
    "Something is to be done about each of MANY. SECOND(it), unless it is one TEST; in that case, FIRST(it).",
    "Sort MANY into two heaps. In the first goes each one TEST, in the second each of the rest. Then FIRST(each one in"
    " the first heap), and SECOND(each one in the second heap).",
    "Two things are to be done with MANY. First, FIRST(each one TEST). Second, SECOND(each one that is left).",
)
ORDERED = " What goes into the queue keeps the order in which the app lists it."
MOVES = ("send_payment", "approve_request")
"""What needs money."""


def pairs_of(pile: Pile) -> list[tuple[Action, Action]]:
    """Two things to be done, with no slot in common; one thing with two values counts, too."""
    found = [(one, other) for one, other in permutations(pile.acts, 2) if not one.slot or one.slot != other.slot]
    twice = [(one, again(one)) for one in pile.acts if one.slot]
    return [pair for n in range(len(found)) for pair in (found[n], *twice[n : n + 1])]


def sorted_out(piles: Iterable[Pile], each: int) -> Iterator[Errand]:
    """Each pile with some of its tests and pairs, taken in turn."""
    for n, pile in enumerate(piles):
        pairs, seen = pairs_of(pile), list[tuple[str, Action, Action]]()
        step = next(size for size in (7, 5, 3, 11, 1) if len(pairs) % size or size == 1)
        made = 0
        for turn in range(4 * each):
            test, (first, second) = pile.tests[turn % len(pile.tests)], pairs[(n + step * turn) % len(pairs)]
            plan = (test.word, first, second)
            slots = [slot for slot in (test.slot, first.slot, second.slot, *pile.slots) if slot]
            if made < each and slots and len(slots) == len({*slots}) and plan not in seen:
                made += 1
                seen.append(plan)
                yield _sorted_errand(pile, test, first, second, n + turn)


def acting(*actions: Action) -> dict[str, type]:
    """The slots of actions."""
    return {action.slot: kind_of(action) for action in actions if action.slot}


def _sorted_errand(pile: Pile, test: Condition, first: Action, second: Action, turn: int) -> Errand:
    name = f"{word_of(first)}_or_{word_of(second)}_{pile.word}_{test.word}"
    slots = {**pile.slots, **({test.slot: test.kind} if test.slot else {}), **acting(first, second)}
    apps = apps_of((test.app,) if test.app else (), (pile.app,), (one.app for one in (first, second) if one.app))
    check = test.code.replace("ROW", pile.row)
    code = f"""\
{body(flat(test.prelude))}{body(flat(pile.reads))}    for {pile.row} in {pile.rows}:
{body(look_of(test, pile), 2)}        if {check}:
{body(call_of(first, pile), 3)}        else:
{body(call_of(second, pile), 3)}    return len({pile.rows})
"""
    about = told(f"{_sorted_words(pile, test, first, second, 0)} Return how many there are.")
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "int", about, apps, code),
        wordings=tuple(_sorted_words(pile, test, first, second, turn + n) for n in range(4)),
        values=_sorted_values(pile, test, first, second),
        matters=tuple(
            (f"        if {check}:", f"        if {other}:") for other in (f"not ({check})", "True", "False")
        ),
    )


def word_of(action: Action) -> str:
    """What names of functions are made of."""
    told_apart = action.slot and (action.api.startswith("update") or "rest_" in action.slot)
    return f"{action.api}_{action.slot}" if told_apart else action.api


def flat(code: str) -> str:
    return "".join(line.removeprefix("    ") for line in code.splitlines(keepends=True))


def saying(frame: str, pile: Pile, first: Action, second: Action) -> str:
    """A sentence with what is done to some, FIRST(...), and to others, SECOND(...), in words."""
    for token, action in (("FIRST(", first), ("SECOND(", second)):
        while token in frame:
            start = frame.index(token)
            end = frame.index(")", start)
            thing = frame[start + len(token) : end]
            words = looked(action, pile.it if thing == "it" else thing)
            starts = frame[:start].endswith((". ", "? "))
            frame = f"{frame[:start]}{capital(words) if starts else words}{frame[end + 1 :]}"
    return frame


def _sorted_words(pile: Pile, test: Condition, first: Action, second: Action, turn: int) -> str:
    frame = saying(_SORTED_FRAMES[turn % len(_SORTED_FRAMES)], pile, first, second)
    frame = frame.replace("TEST", test.says).replace("MANY", pile.many)
    return f"{frame}{ORDERED}" if QUEUE in (first, second) else frame


def _sorted_values(pile: Pile, test: Condition, first: Action, second: Action) -> Drawing:
    groups = names("group")

    def values(draw: Draw) -> Values | None:
        place = place_of(draw, pile)
        if place is None:
            return None
        found: dict[str, Any] = dict(place)
        if test.slot == "splits_group":
            found[test.slot] = groups(draw)
        elif test.slot:
            found[test.slot] = test.pick(draw.rng, rows_of(draw, pile, place))
        if None in found.values():
            return None
        found |= {one.slot: kind_of(one)(draw.rng.choice(one.choices)) for one in (first, second) if one.slot}
        if any(one.api in MOVES for one in (first, second)):
            flush(draw)
        return found

    return values


_SIZED_FRAMES = (
    "Go through MANY. SMALL(each one whose NOUN is less than {lower_limit}UNIT), MIDDLE(each one whose NOUN is at least"
    " {lower_limit}UNIT but less than {upper_limit}UNIT), and LARGE(each one whose NOUN is {upper_limit}UNIT or more).",
    "What happens to each of MANY depends on the NOUN. If it is {upper_limit}UNIT or more, LARGE(REF). If it is below"
    " that, but not below {lower_limit}UNIT, MIDDLE(REF). If it is below {lower_limit}UNIT, SMALL(REF).",
    "Divide MANY into three classes: NOUN under {lower_limit}UNIT; {lower_limit}UNIT or more, yet under"
    " {upper_limit}UNIT; {upper_limit}UNIT or more. SMALL(each one in the first class), MIDDLE(each one in the second)"
    ", and LARGE(each one in the third).",
)
_TOKENS = ("SMALL(", "MIDDLE(", "LARGE(")
Triple = tuple[Action, Action, Action]


def sized(piles: Iterable[Pile], each: int) -> Iterator[Errand]:
    """Each size of a pile with some triples of actions."""
    turn = 0
    for n, pile in enumerate(piles):
        for size in pile.sizes:
            triples = [*_values_of(pile), *combinations(pile.acts, 3)]
            triples = [triples[(n + 2 * m) % len(triples)] for m in range(len(triples))] if triples else []
            fitting = [one for one in dict.fromkeys(triples) if _fresh(pile, one)]
            for triple in fitting[:each]:
                yield _sized_errand(pile, size, triple, turn)
                turn += 1


def _values_of(pile: Pile) -> Iterator[Triple]:
    """One action with three values."""
    for one in pile.acts:
        if one.slot and len(one.choices) > 2:
            yield again(one, "small"), again(one, "middle"), again(one, "large")


def _fresh(pile: Pile, triple: Triple) -> bool:
    slots = [one.slot for one in triple if one.slot]
    return len(slots) == len({*slots, *pile.slots}) - len(pile.slots)


def _sized_errand(pile: Pile, size: Size, triple: Triple, turn: int) -> Errand:
    same = len({one.api for one in triple}) == 1 and triple[0].slot.startswith("small_")
    verb = f"{triple[0].api}_{triple[0].slot.removeprefix('small_')}" if same else "_or_".join(map(word_of, triple))
    name = f"{verb}_by_{size.field}_of_{pile.word}"
    slots = {**pile.slots, "lower_limit": size.kind, "upper_limit": size.kind, **acting(*triple)}
    apps = apps_of((pile.app,), (one.app for one in triple if one.app))
    wordings = tuple(_sized_words(pile, size, triple, frame) for frame in _SIZED_FRAMES)
    about = told(f"{wordings[0]} Return how many there are.")
    measure = size.of(pile.row)
    code = f"""\
{body(flat(pile.reads))}    for {pile.row} in {pile.rows}:
{body(look_of(size, pile), 2)}        if {measure} < lower_limit:
{body(call_of(triple[0], pile), 3)}        elif {measure} < upper_limit:
{body(call_of(triple[1], pile), 3)}        else:
{body(call_of(triple[2], pile), 3)}    return len({pile.rows})
"""
    first, second = f"        if {measure} < lower_limit:", f"        elif {measure} < upper_limit:"
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "int", about, apps, code),
        wordings=wordings,
        values=_sized_values(pile, size, triple),
        matters=((first, "        if False:"), (second, "        elif False:"), (second, "        elif True:")),
    )


def _sized_words(pile: Pile, size: Size, triple: Triple, frame: str) -> str:
    for token, action in zip(_TOKENS, triple, strict=True):
        start = frame.index(token)
        end = frame.index(")", start)
        words = looked(action, frame[start + len(token) : end].replace("REF", pile.it))
        starts = frame[:start].endswith((". ", "? "))
        frame = f"{frame[:start]}{capital(words) if starts else words}{frame[end + 1 :]}"
    frame = frame.replace("NOUN", size.noun).replace("UNIT", size.unit).replace("MANY", pile.many)
    return f"{frame}{ORDERED}" if QUEUE in triple else frame


def _sized_values(pile: Pile, size: Size, triple: Triple) -> Drawing:
    def values(draw: Draw) -> Values | None:
        place = place_of(draw, pile)
        if place is None:
            return None
        measures: list[Any] = _measures(draw, pile, size, place)
        known = sorted({*map(int, measures)})
        if len(known) < 3:
            return None
        lower, upper = sorted(draw.rng.sample(known[1:], 2))
        found: dict[str, Any] = {**place, "lower_limit": size.kind(lower), "upper_limit": size.kind(upper)}
        slots = [one for one in triple if one.slot]
        if len({one.choices for one in slots}) == 1 and len(slots) == 3:
            picked = draw.rng.sample(slots[0].choices, 3)
        else:
            picked = [draw.rng.choice(one.choices) for one in slots]
        found |= {one.slot: kind_of(one)(value) for one, value in zip(slots, picked, strict=True)}
        if any(one.api in MOVES for one in triple):
            flush(draw)
        return found

    return values


def _measures(draw: Draw, pile: Pile, size: Size, place: dict[str, str]) -> list[Any]:
    if not size.look:
        return rows_of(draw, pile, place, size.of("ROW"))
    name, _, call = size.look.partition(" = ")
    return rows_of(draw, pile, place, size.of("ROW").replace(name, call))


WAYS = ("stop", "skip", "rest", "count")
"""Stop at the first that is too much; skip it and go on; do something else with it; take so many of them."""
_LIMITED_FRAMES = {
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
                    yield _limited_errand(pile, size, way, down, first, second, turn)
                    turn += 1


def _limited_errand(pile: Pile, size: Size, way: str, down: bool, first: Action, second: Action, turn: int) -> Errand:
    acts = (first, second) if way in ("rest", "count") else (first,)
    order = "descending" if down else "ascending"
    tail = f"_or_{word_of(second)}" if len(acts) > 1 else ""
    name = f"{word_of(first)}{tail}_{pile.word}_{way}_{order}_{size.field}"
    bound = {"count": int} if way == "count" else {"budget": size.kind}
    slots = {**pile.slots, **bound, **acting(*acts)}
    apps = apps_of((pile.app,), (one.app for one in acts if one.app))
    wordings = tuple(_limited_words(pile, size, way, down, first, second, frame) for frame in _LIMITED_FRAMES[way])
    about = told(f"{wordings[0]} Return how many {'there are' if way == 'count' else 'were within the budget'}.")
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "int", about, apps, _program(pile, size, way, down, first, second)),
        wordings=wordings,
        values=_limited_values(pile, size, way, acts),
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


def _limited_words(pile: Pile, size: Size, way: str, down: bool, first: Action, second: Action, frame: str) -> str:
    frame = saying(frame, pile, first, second)
    counted = size.unit or f" {size.noun.removeprefix('number of ')}"
    frame = frame.replace("a budget of {budget}UNIT", f"a budget of {{budget}}{counted}")
    frame = frame.replace("ORDER", size.largest if down else size.smallest).replace("NOUNS", plural(size.noun))
    return frame.replace("NOUN", size.noun).replace("UNIT", size.unit).replace("MANY", pile.many)


def plural(noun: str) -> str:
    return noun.replace("number of", "numbers of") if noun.startswith("number") else f"{noun}s"


def _limited_values(pile: Pile, size: Size, way: str, acts: tuple[Action, ...]) -> Drawing:
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
