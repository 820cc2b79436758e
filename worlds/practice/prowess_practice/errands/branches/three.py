"""One thing is measured, and something is done with one of three values, according to its size."""

from __future__ import annotations

from collections.abc import Iterator

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.branches.decide import measured
from prowess_practice.errands.branches.draws import Value
from prowess_practice.errands.branches.part import (
    Deed,
    Drawing,
    Fact,
    apps_of,
    body,
    capital,
    chosen,
    disjoint,
    function,
    kinds,
    provided,
    told,
)
from prowess_practice.errands.errand import Errand

_ORDER = ("small", "middle", "large")
TRIES = 20
"""Values drawn until three differ."""
_FRAMES = (
    "If NOUN is less than {lower_limit}UNIT, SMALL. If it is at least {lower_limit}UNIT but less than"
    " {upper_limit}UNIT, MIDDLE. If it is {upper_limit}UNIT or more, LARGE.",
    "Find out NOUN. Below {lower_limit}UNIT counts as small, {upper_limit}UNIT or above as large, and anything between"
    " as middling. If it is small, SMALL; if it is middling, MIDDLE; and if it is large, LARGE.",
    "CAPLARGE if NOUN is {upper_limit}UNIT or more. If it is less than that, but not less than {lower_limit}UNIT,"
    " MIDDLE. If it is still less, SMALL.",
    "It all depends on NOUN. In case it is under {lower_limit}UNIT, SMALL. From {upper_limit}UNIT on, LARGE. In"
    " between, MIDDLE.",
)


def graded(facts: tuple[Fact, ...], deeds: tuple[Deed, ...], each: int) -> Iterator[Errand]:
    """Each measure with some deeds that take a value, in turn."""
    dials = [deed for deed in deeds if deed.slots and isinstance(deed.slots[-1], Value)]
    for n, fact in enumerate(facts):
        made = 0
        for step in range(len(dials)):
            deed = dials[(5 * n + 7 * step) % len(dials)]
            taken = {fact.value, *kinds(*fact.slots)}
            if made < each and deed.slots[-1].name not in taken and disjoint(fact.slots, deed.slots):
                made += 1
                yield _errand(fact, deed)


def _errand(fact: Fact, deed: Deed) -> Errand:
    dial = deed.slots[-1]
    small, middle, large = (f"{size}_{dial.name}" for size in _ORDER)
    name = f"{deed.word}_by_size_of_{fact.word}"
    bounds = {"lower_limit": fact.kind, "upper_limit": fact.kind}
    three = dict.fromkeys((small, middle, large), dial.kind)
    slots = {**kinds(*fact.slots), **bounds, **kinds(*deed.slots[:-1]), **three}
    apps = apps_of(fact.apps, deed.apps)
    code = f"""\
{body(fact.reads)}    if {fact.value} < lower_limit:
        {dial.name} = {small}
    elif {fact.value} < upper_limit:
        {dial.name} = {middle}
    else:
        {dial.name} = {large}
{body(deed.code)}    return {fact.value}
"""
    which = f"`{small}` if {told(fact.noun)} is less than `lower_limit`, `{middle}` if it is less than `upper_limit`"
    about = f"{capital(told(deed.says))}; `{dial.name}` is {which}, and `{large}` otherwise."
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, fact.kind.__name__, about, apps, code),
        wordings=tuple(_worded(fact, deed, frame) for frame in _FRAMES),
        values=_values(fact, deed),
        matters=((f"    if {fact.value} < lower_limit:", f"    if {fact.value} >= lower_limit:"),),
    )


def _worded(fact: Fact, deed: Deed, frame: str) -> str:
    dial = deed.slots[-1].name
    for size in _ORDER:
        says = deed.says.replace(f"{{{dial}}}", f"{{{size}_{dial}}}")
        frame = frame.replace(f"CAP{size.upper()}", capital(says)).replace(size.upper(), says)
    noun = fact.noun if " is " in frame.partition("NOUN")[2][:4] else fact.noun.rstrip(",")
    return frame.replace("NOUN", noun).replace("UNIT", fact.unit)


def _values(fact: Fact, deed: Deed) -> Drawing:
    dial = deed.slots[-1]

    def values(draw: Draw) -> Values | None:
        found = chosen(draw, (*fact.slots, *deed.slots[:-1]))
        if found is None:
            return None
        provided(draw, (deed,))
        measure = measured(draw, fact, found)
        spread = max(2, int(measure * draw.rng.uniform(0.2, 0.6)))
        lower = int(measure) + draw.rng.choice((-2, -1, 1)) * spread + draw.rng.choice((0, 1))
        three = [*dict.fromkeys(dial.choose(draw) for _ in range(TRIES))][:3]
        if measure <= 0 or lower <= 1 or len(three) < 3:
            return None
        bounds = {"lower_limit": fact.kind(lower), "upper_limit": fact.kind(lower + spread)}
        settings = {f"{size}_{dial.name}": value for size, value in zip(_ORDER, three, strict=True)}
        return {**found, **bounds, **settings}

    return values
