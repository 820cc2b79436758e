"""Row by row, one of three things is done, according to the size of the row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.listing import Action
from prowess_practice.drills.listings_music import QUEUE
from prowess_practice.errands.branches.part import Drawing, apps_of, body, capital, function, told
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
from prowess_practice.errands.branches.sort import MOVES, ORDERED, acting, flat, word_of
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.people.scene import flush

_FRAMES = (
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
                yield _errand(pile, size, triple, turn)
                turn += 1


def _values_of(pile: Pile) -> Iterator[Triple]:
    """One action with three values."""
    for one in pile.acts:
        if one.slot and len(one.choices) > 2:
            yield again(one, "small"), again(one, "middle"), again(one, "large")


def _fresh(pile: Pile, triple: Triple) -> bool:
    slots = [one.slot for one in triple if one.slot]
    return len(slots) == len({*slots, *pile.slots}) - len(pile.slots)


def _errand(pile: Pile, size: Size, triple: Triple, turn: int) -> Errand:
    same = len({one.api for one in triple}) == 1 and triple[0].slot.startswith("small_")
    verb = f"{triple[0].api}_{triple[0].slot.removeprefix('small_')}" if same else "_or_".join(map(word_of, triple))
    name = f"{verb}_by_{size.field}_of_{pile.word}"
    slots = {**pile.slots, "lower_limit": size.kind, "upper_limit": size.kind, **acting(*triple)}
    apps = apps_of((pile.app,), (one.app for one in triple if one.app))
    wordings = tuple(_worded(pile, size, triple, frame) for frame in _FRAMES)
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
        values=_values(pile, size, triple),
        matters=((first, "        if False:"), (second, "        elif False:"), (second, "        elif True:")),
    )


def _worded(pile: Pile, size: Size, triple: Triple, frame: str) -> str:
    for token, action in zip(_TOKENS, triple, strict=True):
        start = frame.index(token)
        end = frame.index(")", start)
        words = looked(action, frame[start + len(token) : end].replace("REF", pile.it))
        starts = frame[:start].endswith((". ", "? "))
        frame = f"{frame[:start]}{capital(words) if starts else words}{frame[end + 1 :]}"
    frame = frame.replace("NOUN", size.noun).replace("UNIT", size.unit).replace("MANY", pile.many)
    return f"{frame}{ORDERED}" if QUEUE in triple else frame


def _values(pile: Pile, size: Size, triple: Triple) -> Drawing:
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
