"""Kinds of keys, and what is asked of one: how tasks say it, how programs test it, which keys pass and which fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Day, Draw, Weekday

from prowess_practice.errands.apart import pools


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyKind:
    """What a key is."""

    nouns: tuple[tuple[str, str], ...]
    """How tasks call it, and how programs do."""
    sample: Callable[[Draw], str]
    value: str = "KEY"
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealt:
    """Keys that pass a test and keys that fail, and the value that the task gives."""

    value: Any
    good: tuple[str, ...]
    bad: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """What is asked of a part: KEY stands for it."""

    word: str
    code: str
    says: str
    """After what a text is called: ` whose KEY is "{wanted}"`."""
    slot: str
    type: type = str
    deal: Callable[[Draw], Dealt]
    drops: tuple[tuple[str, str], ...] = ()
    """Edits that must matter."""


def _day(draw: Draw, days: int) -> str:
    return (draw.state.now + timedelta(days=days)).date().isoformat()


def _time(draw: Draw, low: int, high: int) -> str:
    return f"{draw.rng.randint(low, high):02}:{draw.rng.randrange(0, 60, 5):02}"


def _person(draw: Draw) -> str:
    return draw.rng.choice(draw.state[Contact].of(draw.me.id)).name


KINDS = {
    "word": KeyKind(
        nouns=(("topic", "topic"), ("area", "area"), ("category", "category"), ("code", "code")),
        sample=lambda draw: draw.rng.choice([*pools.TOPICS]),
    ),
    "count": KeyKind(
        nouns=(("count", "count"), ("quantity", "quantity"), ("score", "score")),
        sample=lambda draw: str(draw.rng.choice([draw.rng.randint(2, 9), draw.rng.randint(10, 45)])),
        value="int(KEY)",
    ),
    "amount": KeyKind(
        nouns=(("cost", "cost"), ("sum", "figure")),
        sample=lambda draw: f"{draw.rng.randint(150, 9900) / 100:.2f}",
        value="float(KEY)",
    ),
    "day": KeyKind(
        nouns=(("day", "when"), ("date", "when")),
        sample=lambda draw: _day(draw, draw.rng.randint(-40, 60)),
        note="The KEY is written as YYYY-MM-DD.",
    ),
    "time": KeyKind(
        nouns=(("time", "clock"),), sample=lambda draw: _time(draw, 0, 23), note="The KEY is written as HH:MM."
    ),
    "person": KeyKind(nouns=(("contact", "who"), ("recipient", "who")), sample=_person),
}


def _same(draw: Draw) -> Dealt:
    wanted = draw.rng.choice([*pools.TOPICS])
    others = pools.other_topics(draw.rng, wanted, 2)
    return Dealt(
        value=wanted, good=(wanted,) * draw.rng.randint(2, 4), bad=(draw.rng.choice(pools.TOPICS[wanted]), *others)
    )


def _any_case(draw: Draw) -> Dealt:
    found = _same(draw)
    good = (found.value, *(pools.cased(draw.rng, found.value) for _ in found.good[1:]))
    return Dealt(value=found.value, good=good, bad=found.bad)


def _at_least(draw: Draw) -> Dealt:
    least, rng = draw.rng.randint(4, 9), draw.rng
    good = [least, rng.randint(10, 29), *(rng.randint(least, 60) for _ in range(rng.randint(0, 2)))]
    bad = [least - 1, *(rng.randint(1, least - 1) for _ in range(rng.randint(1, 2)))]
    return Dealt(value=least, good=(*map(str, good),), bad=(*map(str, bad),))


def _at_most(draw: Draw) -> Dealt:
    most, rng = draw.rng.randint(11, 19), draw.rng
    good = [most, rng.randint(2, 9), *(rng.randint(1, most) for _ in range(rng.randint(0, 2)))]
    bad = [most + 1, *(rng.randint(most + 1, 140) for _ in range(rng.randint(1, 2)))]
    return Dealt(value=most, good=(*map(str, good),), bad=(*map(str, bad),))


def _dearer(draw: Draw) -> Dealt:
    limit, rng = 100 * draw.rng.randint(20, 60), draw.rng
    good = [limit + rng.randint(1, 90), *(rng.randint(limit + 1, 19900) for _ in range(rng.randint(1, 3)))]
    bad = [limit - rng.randint(1, 90), *(rng.randint(200, limit) for _ in range(rng.randint(1, 2)))]
    return Dealt(
        value=limit / 100, good=tuple(f"{one / 100:.2f}" for one in good), bad=tuple(f"{one / 100:.2f}" for one in bad)
    )


def _days(draw: Draw, sign: int) -> Dealt:
    """Days on one side of a day, and that day on the side where it belongs."""
    rng, middle = draw.rng, draw.rng.randint(-10, 20)
    edges = (middle, middle - 1) if sign > 0 else (middle - 1, middle)
    good = [edges[0], *(middle + sign * rng.randint(1, 40) for _ in range(rng.randint(1, 3)))]
    bad = [edges[1], *(middle - sign * rng.randint(1, 40) for _ in range(rng.randint(1, 2)))]
    return Dealt(
        value=Day(_day(draw, middle)), good=tuple(_day(draw, n) for n in good), bad=tuple(_day(draw, n) for n in bad)
    )


def _weekdays(draw: Draw) -> Dealt:
    rng, first = draw.rng, draw.rng.randint(-20, 10)
    good = [first + 7 * n for n in rng.sample(range(8), rng.randint(2, 4))]
    bad = [first + 7 * rng.randint(0, 7) + rng.randint(1, 6) for _ in range(rng.randint(2, 3))]
    name = (draw.state.now + timedelta(days=first)).strftime("%A")
    return Dealt(value=Weekday(name), good=tuple(_day(draw, n) for n in good), bad=tuple(_day(draw, n) for n in bad))


def _earlier(draw: Draw) -> Dealt:
    hour = draw.rng.randint(9, 20)
    good = tuple(_time(draw, 0, hour - 1) for _ in range(draw.rng.randint(2, 4)))
    return Dealt(
        value=f"{hour:02}:00", good=good, bad=tuple(_time(draw, hour, 23) for _ in range(draw.rng.randint(2, 3)))
    )


def _test(word: str, code: str, says: str, deal: Callable[[Draw], Dealt], *others: str, type: type = str) -> Test:
    """A test, its slot being what the task says; it must matter, and so must it if it read otherwise."""
    slot = says.partition("{")[2].partition("}")[0]
    drops = tuple((code, other) for other in ("True", *others))
    return Test(word=word, code=code, says=f" whose KEY is {says}", slot=slot, type=type, deal=deal, drops=drops)


TESTS = {
    "word": (
        _test("same", "KEY == wanted", '"{wanted}"', _same, "wanted in KEY", "wanted in ROW"),
        _test(
            *("any_case", "KEY.lower() == wanted.lower()", '"{wanted}", in capitals or not,', _any_case),
            *("KEY == wanted", "wanted.lower() in ROW.lower()"),
        ),
    ),
    "count": (
        _test("at_least", "int(KEY) >= least", "at least {least}", _at_least, "KEY >= str(least)", type=int),
        _test("at_most", "int(KEY) <= most", "at most {most}", _at_most, "KEY <= str(most)", type=int),
    ),
    "amount": (_test("over", "float(KEY) > limit", "more than {limit}", _dearer, type=float),),
    "day": (
        _test("until", "KEY < before", "before {before}", lambda draw: _days(draw, -1), "KEY <= before", type=Day),
        _test("weekday", 'date.fromisoformat(KEY).strftime("%A") == weekday', "a {weekday}", _weekdays, type=Weekday),
        _test("since", "KEY >= since", "{since} or later", lambda draw: _days(draw, 1), "KEY > since", type=Day),
    ),
    "time": (_test("earlier", "KEY < latest", 'before "{latest}"', _earlier),),
    "person": (),
}
