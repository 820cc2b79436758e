"""Row by row: one thing is done with those that meet a condition, another with all the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.conditions import Condition
from prowess_practice.drills.listing import Action
from prowess_practice.drills.listings_music import QUEUE
from prowess_practice.errands.branches.draws import names
from prowess_practice.errands.branches.part import Drawing, apps_of, body, capital, function, told
from prowess_practice.errands.branches.pile import Pile, again, call_of, kind_of, look_of, looked, place_of, rows_of
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.scene import flush

_FRAMES = (
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
                yield _errand(pile, test, first, second, n + turn)


def acting(*actions: Action) -> dict[str, type]:
    """The slots of actions."""
    return {action.slot: kind_of(action) for action in actions if action.slot}


def _errand(pile: Pile, test: Condition, first: Action, second: Action, turn: int) -> Errand:
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
    about = told(f"{_worded(pile, test, first, second, 0)} Return how many there are.")
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, "int", about, apps, code),
        wordings=tuple(_worded(pile, test, first, second, turn + n) for n in range(4)),
        values=_values(pile, test, first, second),
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


def _worded(pile: Pile, test: Condition, first: Action, second: Action, turn: int) -> str:
    frame = saying(_FRAMES[turn % len(_FRAMES)], pile, first, second)
    frame = frame.replace("TEST", test.says).replace("MANY", pile.many)
    return f"{frame}{ORDERED}" if QUEUE in (first, second) else frame


def _values(pile: Pile, test: Condition, first: Action, second: Action) -> Drawing:
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
