"""Errands in which a text names things, and something is done about each of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines.marks import MARKS, PAIRINGS, Mark
from prowess_practice.errands.lines.places import PLACES, TextPlace

Edit = tuple[str, str]


@dataclass(frozen=True, slots=True)
class NamedThings:
    """Things (names, or pairs) that something can be done about, and things that are left as they are, by reason."""

    good: Sequence[Any]
    idle: Sequence[Sequence[Any]] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """What is done about things that a text names."""

    word: str
    apps: tuple[str, ...]
    a: str = ""
    """What a line holds: `the title of a song`."""
    one: str
    """`song`"""
    ones: str = ""
    key: str = ""
    value: str = ""
    """What the two parts of a line are, where lines have two: `title` and `rating`."""
    do: tuple[str, ...]
    """OBJ standing for the things: `like OBJ`; more than one way to say it."""
    skips: tuple[str, ...] = ()
    """What happens to the others, as a sentence; more than one way to say it."""
    about: str
    """As a docstring says it: `Like the songs`."""
    code: str
    """Lines of the program once `names` is there, up to its return."""
    pool: Callable[[Draw], NamedThings | None]
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values | None] = lambda draw: {}
    """Values for these slots."""
    matters: tuple[Edit, ...] = ()
    fewest: int = 3
    most: int = 5
    """How many things that something is done about are named."""
    ordered: bool = False
    """Whether the order of the names shows in what comes of it."""
    places: int = 4
    """In how many places it is tried."""

    @property
    def many(self) -> str:
        return self.ones or f"{self.one}s"


_FRAMES = (
    "In the APP app, DO(the MANY listed in PLACE). MARK SKIP",
    "Look at PLACE. MARK Then, in the APP app, DO(each of these MANY). SKIP",
    "There is something for you to do in PLACE. MARK I want you to DO(every ONE named like that); it is the APP app"
    " that I mean. SKIP",
    "Please DO(some MANY) for me in the APP app. You find out which from PLACE. MARK SKIP",
    "It is about MANY. MARK All that is in PLACE. Please DO(them) in the APP app, one by one. SKIP",
    "Read through PLACE. MARK SKIP As for all the others, DO(them) in the APP app.",
    "I ask you to DO(the MANY that you come across in PLACE), in the APP app. MARK SKIP",
    "Before anything else, find PLACE. MARK What I need: DO(each ONE of this kind), in the APP app. SKIP",
)
_PLAIN = tuple(text.replace(" As for all the others, DO(them)", " Now DO(all these MANY)") for text in _FRAMES)


def errands_of(acts: Sequence[Act]) -> Iterator[Errand]:
    """Each of these with several places and marks."""
    for act in acts:
        rng = Random(act.word)
        places = [place for place in PLACES if place.ordered or not act.ordered]
        for n, place in enumerate(rng.sample(places, min(act.places, len(places)))):
            yield errand_of(act, place, rng.choice(fitting(place, PAIRINGS if act.value else MARKS)), n)


def fitting(place: TextPlace, marks: Sequence[Mark]) -> list[Mark]:
    """The marks that make sense in a place."""
    return [mark for mark in marks if mark.kind in place.holds and (place.text or "TEXT" not in mark.code)]


def errand_of(act: Act, place: TextPlace, mark: Mark, turn: int) -> Errand:
    """One of them; the turn says which ways of asking are taken."""
    name = f"{act.word}_{mark.word}_in_{place.word}"
    slots = {**place.slots, **act.slots}
    apps = tuple(dict.fromkeys((*place.apps, *act.apps)))
    entries = "".join(f'    {app}_token = login(app="{app}")\n' for app in act.apps if app not in place.apps)
    head = ", ".join(f"{slot}: {type_of(kind)}" for slot, kind in slots.items())
    about = brief(f"{act.about} named in {mark.about} of {place.about}")
    edits = (*place.matters[:1], *mark.matters[:1], *act.matters[:1])
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=f'def {name}({head}) -> int:\n    """{about}"""\n'
        f"{place.code}{placed(mark.code, place)}{entries}{act.code.lstrip(chr(10))}",
        wordings=_wordings(act, place, mark, turn),
        values=_values(act, place, mark),
        matters=tuple((placed(old, place), placed(new, place)) for old, new in edits),
    )


def brief(about: str) -> str:
    """A docstring of one line; what is returned is said where there is room for it."""
    return f"{about}; return how many." if len(about) < 92 else f"{about}."


def type_of(kind: type) -> str:
    """As a signature says it: days and months are texts."""
    return "str" if issubclass(kind, str) else kind.__name__


def placed(text: str, place: TextPlace) -> str:
    """Program text with the lines of this place."""
    return text.replace("LINES", place.lines).replace("TEXT", place.text)


def _values(act: Act, place: TextPlace, mark: Mark) -> Callable[[Draw], Values | None]:
    def values(draw: Draw) -> Values | None:
        pool, given = act.pool(draw), act.choose(draw)
        if pool is None or given is None:
            return None
        parts = dealt(draw.rng, pool, act.fewest, act.most)
        if parts is None:
            return None
        items, others, twins = parts
        lines = mark.writes(draw.rng, items, others)
        return {**place.sets(draw, lines, mark.writes(draw.rng, twins, [])), **given}

    return values


def dealt(rng: Random, pool: NamedThings, fewest: int, most: int) -> tuple[list[Any], list[Any], list[Any]] | None:
    """Names that count (some of them idle), names that do not, and names for another text."""
    good = list(dict.fromkeys(pool.good))
    wanted = rng.randint(fewest, most)
    if len(good) < wanted + 2:
        return None
    good = rng.sample(good, len(good))
    idle = [rng.choice(list(names)) for names in pool.idle if names]
    items = [*good[:wanted], *idle]
    spare = good[wanted:]
    cut = max(1, min(3, len(spare) // 2))
    return rng.sample(items, len(items)), spare[:cut], spare[cut : 2 * cut + 1]


def _wordings(act: Act, place: TextPlace, mark: Mark, turn: int) -> tuple[str, ...]:
    frames = _FRAMES if act.skips else _PLAIN
    found = []
    for n in range(4):
        text = frames[(3 * turn + 2 * n + len(act.word)) % len(frames)].replace("MARK", nth(mark.says, turn + n))
        do = nth(act.do, n)
        text = re.sub(r"DO\(([^)]*)\)", lambda match: do.replace("OBJ", match[1]), text)  # noqa: B023 - used at once
        text = text.replace("SKIP", nth(act.skips, n) if act.skips else "").replace("PLACE", nth(place.says, n))
        text = (
            text.replace("KEY", act.key)
            .replace("VALUE", act.value)
            .replace("ITEM", act.a)
            .replace("MANY", act.many)
            .replace("ONE", act.one)
        )
        found.append(sentences(text.replace("APP", act.apps[0])))
    return tuple(dict.fromkeys(found))


def nth(ways: Sequence[str], n: int) -> str:
    """One of several ways to say it."""
    return ways[n % len(ways)]


def sentences(text: str) -> str:
    """Put together from parts, a text may have a comma before its full stop, or a sentence that starts small."""
    text = re.sub(r" +", " ", text).strip()
    text = re.sub(r",([.,;:?])", r"\1", text)
    return re.sub(r"(^|[.?!] )([a-z])", lambda match: match[1] + match[2].upper(), text)
