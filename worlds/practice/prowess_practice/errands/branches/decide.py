"""One thing is found out or measured, and it decides which of two or three things is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.branches.parts import (
    BranchDeed,
    BranchFact,
    Drawing,
    FreeValue,
    apps_of,
    asked,
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
from prowess_practice.errands.people.plan import PeopleSlot

_DECIDED_FRAMES = (
    "If FACT, THEN. Otherwise, ELSE.",
    "Check whether FACT. If so, THEN; if not, ELSE.",
    "CAPTHEN if FACT. If that is not the case, ELSE.",
    "What is to be done depends on one thing: whether FACT. If it is so, THEN. In any other case, ELSE.",
    "I want one of two things done. If FACT, the first: THEN. If not, the second: ELSE.",
    "Unless FACT, ELSE. If it is true, however, THEN.",
    "Is it true that FACT? Then THEN. If it is not true, ELSE.",
    "Find out first if FACT. In that case THEN, and in the other case ELSE.",
)


def decided(facts: tuple[BranchFact, ...], deeds: tuple[BranchDeed, ...], each: int) -> Iterator[Errand]:
    """Each fact with some pairs of deeds, taken in turn."""
    turn = 0
    for n, fact in enumerate(facts):
        made = step = 0
        while made < each:
            first = deeds[(5 * n + 13 * step) % len(deeds)]
            second = deeds[(5 * n + 13 * step + 7 + 3 * step + n) % len(deeds)]
            step += 1
            if first is not second and disjoint(fact.slots, first.slots, second.slots) and _apart(fact, first, second):
                yield _decided_errand(fact, first, second, turn)
                made += 1
                turn += 1


def _apart(fact: BranchFact, first: BranchDeed, second: BranchDeed) -> bool:
    """Whether no word means two things, and the two deeds do not read alike."""
    names = {slot.name for slot in (*fact.slots, *first.slots, *second.slots)}
    return not any(
        f" {name} = " in f" {line}" for name in names for one in (first, second, fact) for line in _lines(one)
    )


def _lines(one: BranchDeed | BranchFact) -> list[str]:
    return (one.code if isinstance(one, BranchDeed) else one.reads).splitlines()


def _decided_errand(fact: BranchFact, first: BranchDeed, second: BranchDeed, turn: int) -> Errand:
    less = bool(fact.value) and turn % 3 == 2
    limit = (PeopleSlot(name="limit", kind=fact.kind, choose=lambda draw: 0),) if fact.value else ()
    slots = kinds(*fact.slots, *limit, *first.slots, *second.slots)
    test = f"{fact.value} {'<' if less else '>'} limit" if fact.value else fact.test
    apps = apps_of(fact.apps, first.apps, second.apps)
    name = f"{first.word}_or_{second.word}_by_{fact.word}"
    result, value = (fact.kind.__name__, fact.value) if fact.value else ("bool", fact.test)
    about = told(f"If {said(fact, less, 1)}, {first.says}; otherwise, {second.says}.")
    then, rest = body(first.code, 2), body(second.code, 2)
    code = f"{body(fact.reads)}    if {test}:\n{then}    else:\n{rest}    return {value}\n"
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=function(name, slots, result, about, apps, code),
        wordings=tuple(_decided_words(fact, less, first, second, turn, n) for n in range(4)),
        values=_decided_values(replace(fact, test=test), first, second),
        matters=((f"if {test}:", f"if not ({test}):"),),
    )


def said(fact: BranchFact, less: bool, n: int) -> str:
    """The fact, one way or another."""
    if not fact.value:
        return fact.says
    if fact.more and not less and n % 2 == 0:
        return fact.more
    return f"{fact.noun} is {'less' if less else 'more'} than {{limit}}{fact.unit}"


def _decided_words(fact: BranchFact, less: bool, first: BranchDeed, second: BranchDeed, turn: int, n: int) -> str:
    frame = _DECIDED_FRAMES[(turn + 2 * n + n // 4) % len(_DECIDED_FRAMES)]
    frame = frame.replace("CAPTHEN", capital(first.says)).replace("THEN", first.says).replace("ELSE", second.says)
    return frame.replace("FACT", said(fact, less, n + turn))


def _decided_values(fact: BranchFact, first: BranchDeed, second: BranchDeed) -> Drawing:
    def values(draw: Draw) -> Values | None:
        found = chosen(draw, (*fact.slots, *first.slots, *second.slots))
        if found is None:
            return None
        provided(draw, (first, second))
        if fact.value:
            found["limit"] = near(draw, fact, measured(draw, fact, found))
        return None if "limit" in found and found["limit"] is None else found

    return values


def measured(draw: Draw, fact: BranchFact, values: Values) -> float:
    """What the measure is for these values."""
    given = ", ".join(slot.name for slot in fact.slots)
    logins = "".join(f'    {app}_token = login(app="{app}")\n' for app in fact.apps)
    source = f"def measured({given}):\n{logins}{body(fact.reads)}    return {fact.value}\n"
    found: float = asked(source, draw, {slot.name: values[slot.name] for slot in fact.slots})
    return found


def near(draw: Draw, fact: BranchFact, measure: float) -> float | None:
    """A bound above one that lies as often above the measure as below; none where there is nothing to measure."""
    above = draw.rng.random() < 0.5
    if fact.unit:
        limit = round(measure * draw.rng.uniform(1.1, 1.7) if above else measure * draw.rng.uniform(0.4, 0.9))
    else:
        step = draw.rng.randint(1, max(2, int(measure / 4)))
        limit = round(measure) + (step if above else -step)
    return fact.kind(limit) if measure > 0 and limit > 1 else None


_ORDER = ("small", "middle", "large")
TRIES = 20
"""Values drawn until three differ."""
_GRADED_FRAMES = (
    "If NOUN is less than {lower_limit}UNIT, SMALL. If it is at least {lower_limit}UNIT but less than"
    " {upper_limit}UNIT, MIDDLE. If it is {upper_limit}UNIT or more, LARGE.",
    "Find out NOUN. Below {lower_limit}UNIT counts as small, {upper_limit}UNIT or above as large, and anything between"
    " as middling. If it is small, SMALL; if it is middling, MIDDLE; and if it is large, LARGE.",
    "CAPLARGE if NOUN is {upper_limit}UNIT or more. If it is less than that, but not less than {lower_limit}UNIT,"
    " MIDDLE. If it is still less, SMALL.",
    "It all depends on NOUN. In case it is under {lower_limit}UNIT, SMALL. From {upper_limit}UNIT on, LARGE. In"
    " between, MIDDLE.",
)


def graded(facts: tuple[BranchFact, ...], deeds: tuple[BranchDeed, ...], each: int) -> Iterator[Errand]:
    """Each measure with some deeds that take a value, in turn."""
    dials = [deed for deed in deeds if deed.slots and isinstance(deed.slots[-1], FreeValue)]
    for n, fact in enumerate(facts):
        made = 0
        for step in range(len(dials)):
            deed = dials[(5 * n + 7 * step) % len(dials)]
            taken = {fact.value, *kinds(*fact.slots)}
            if made < each and deed.slots[-1].name not in taken and disjoint(fact.slots, deed.slots):
                made += 1
                yield _graded_errand(fact, deed)


def _graded_errand(fact: BranchFact, deed: BranchDeed) -> Errand:
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
        wordings=tuple(_graded_words(fact, deed, frame) for frame in _GRADED_FRAMES),
        values=_graded_values(fact, deed),
        matters=((f"    if {fact.value} < lower_limit:", f"    if {fact.value} >= lower_limit:"),),
    )


def _graded_words(fact: BranchFact, deed: BranchDeed, frame: str) -> str:
    dial = deed.slots[-1].name
    for size in _ORDER:
        says = deed.says.replace(f"{{{dial}}}", f"{{{size}_{dial}}}")
        frame = frame.replace(f"CAP{size.upper()}", capital(says)).replace(size.upper(), says)
    noun = fact.noun if " is " in frame.partition("NOUN")[2][:4] else fact.noun.rstrip(",")
    return frame.replace("NOUN", noun).replace("UNIT", fact.unit)


def _graded_values(fact: BranchFact, deed: BranchDeed) -> Drawing:
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
