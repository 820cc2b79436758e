"""Errands in which something is measured on each thing that a text names: added up, ranked, or held against a bound."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.door import function_of, played
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.lines.act import Edit, Pool, dealt, fitting, nth, placed, sentences, type_of
from prowess_practice.errands.lines.mark import MARKS, Mark
from prowess_practice.errands.lines.pair import PAIRINGS
from prowess_practice.errands.lines.place import Place
from prowess_practice.errands.lines.places import PLACES


@dataclass(frozen=True, slots=True, kw_only=True)
class Gauge:
    """What is measured, and how a program finds it."""

    word: str
    apps: tuple[str, ...]
    a: str = ""
    key: str = ""
    value: str = ""
    """What a line holds, or what its two parts are: see `Act`."""
    ones: str
    adds: str = ""
    """What adds up, in the plural, OF standing for the things: `durations of OF`; empty where a sum makes no sense."""
    most: str = ""
    least: str = ""
    """Which one has the greatest or least: `is the longest`."""
    over: str = ""
    """Which ones have more than the bound: `are longer than {limit} seconds`."""
    code: str
    """Gives `values`, a dict from each name."""
    pool: Callable[[Draw], Pool | None]
    money: bool = False
    ways: int = 3
    """In how many ways it is asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """What is made of the values."""

    word: str
    part: str
    """Which of the gauge's words it needs."""
    says: tuple[str, ...]
    about: str
    code: str
    result: str = "int"
    apps: tuple[str, ...] = ()
    slots: Mapping[str, type] = field(default_factory=dict)
    choose: Callable[[Draw], Values] = lambda draw: {}
    matters: tuple[Edit, ...] = ()
    apart: bool = True
    """Whether all values must differ, or else it is not clear what is meant."""


def _contact(draw: Draw) -> Values:
    return {"receiver": draw.rng.choice(draw.state[Contact].of(draw.me.id)).name}


REDUCTIONS = (
    Reduction(
        word="sum",
        part="adds",
        says=(
            "What do the ADDS(the ONES named there) add up to? Answer with the number.",
            "Add up the ADDS(all these ONES) and tell me the sum.",
            "I need one number, the sum of the ADDS(the ONES there).",
        ),
        about="Add up the WORD",
        code="    return SUM\n",
        result="SUMTYPE",
        apart=False,
    ),
    Reduction(
        word="top",
        part="most",
        says=(
            "Which of the ONES named there MOST? Answer with the name as it stands there.",
            "Tell me the one of these ONES that MOST, by its name.",
            "One of the ONES there MOST. Which? The name is enough.",
        ),
        about="Find the greatest of the WORD",
        code="    return max(values, key=lambda name: values[name])\n",
        result="str",
        matters=(("return max(", "return min("),),
    ),
    Reduction(
        word="bottom",
        part="least",
        says=(
            "Which one of the ONES there LEAST? Answer with its name as given there.",
            "Name the one of these ONES that LEAST.",
            "I only want the name of the one that LEAST among the ONES there.",
        ),
        about="Find the least of the WORD",
        code="    return min(values, key=lambda name: values[name])\n",
        result="str",
        matters=(("return min(", "return max("),),
    ),
    Reduction(
        word="list_over",
        part="over",
        says=(
            "Which of the ONES named there OVER? Answer with a list.",
            "List those of these ONES that OVER.",
            "I want a list of the ONES there that OVER, by name.",
        ),
        about="List the ones above a bound among the WORD",
        code="    return [name for name in values if values[name] > limit]\n",
        result="list",
        slots={"limit": int},
        matters=((" if values[name] > limit", ""),),
        apart=False,
    ),
    Reduction(
        word="rank_in_note",
        part="most",
        says=(
            'Write a new note "{title}" with these ONES, one to a line: first the one that MOST, and so on down to'
            " the one that LEAST.",
            'I want a note titled "{title}" that ranks the ONES there, a name on each line, from the one that MOST to'
            " the one that LEAST.",
            'Sort the ONES into a new note "{title}", line by line: at the top the one that MOST, at the bottom the one'
            " that LEAST.",
        ),
        about="Rank in a note the WORD",
        code="""    ranked = sorted(values, key=lambda name: values[name], reverse=True)
    apis.notes.create_note(access_token=notes_token, title=title, content="\\n".join(ranked))
    return len(ranked)
""",
        apps=("notes",),
        slots={"title": str},
        choose=lambda draw: {"title": draw.rng.choice(("Ranking", "In order", "From top to bottom", "Sorted at last"))},
        matters=((", reverse=True", ""),),
    ),
    Reduction(
        word="text_sum",
        part="adds",
        says=(
            'Add up the ADDS(the ONES there), and text my contact "{receiver}" "Total: " and then the sumCENTS.',
            'My contact "{receiver}" should get a text message "Total: <sum>"CENTS. What I mean is the sum of the'
            " ADDS(these ONES).",
            'Send "Total: <sum>" as a text message to my contact "{receiver}", with the sum of the ADDS(all ONES there)'
            " in itCENTS.",
        ),
        about="Text the sum of the WORD",
        code="""    people = all_pages(apis.phone.show_contacts, access_token=phone_token, query=receiver)
    receiver_number = next(one["phone_number"] for one in people if one["name"] == receiver)
    text = f"Total: {SHOWN}"
    apis.phone.send_text_message(access_token=phone_token, phone_number=receiver_number, text=text)
    return len(values)
""",
        apps=("phone",),
        slots={"receiver": str},
        choose=_contact,
        apart=False,
    ),
)
_FRAMES = (
    "Look at PLACE. MARK WHAT",
    "You find some ONES in PLACE. MARK WHAT",
    "This is about PLACE. MARK WHAT",
    "WHAT Which ONES I mean is written in PLACE. MARK",
    "MARK I am speaking of PLACE. WHAT",
    "I have a list of ONES, namely PLACE. WHAT MARK",
)


def gauged(gauges: tuple[Gauge, ...]) -> Iterator[Errand]:
    """Each gauge with several places and reductions."""
    for turn, gauge in enumerate(gauges):
        rng = Random(gauge.word)
        reductions = [
            one for one in REDUCTIONS if getattr(gauge, one.part) and not (gauge.money and one.apps == ("phone",))
        ]
        for n, reduction in enumerate(rng.sample(reductions, min(gauge.ways, len(reductions)))):
            place = rng.choice([one for one in PLACES if not {*one.slots} & {*reduction.slots}])
            mark = rng.choice(fitting(place, PAIRINGS if gauge.value else MARKS))
            yield _errand(gauge, reduction, place, mark, turn + n)


def _errand(gauge: Gauge, reduction: Reduction, place: Place, mark: Mark, turn: int) -> Errand:
    name = f"{reduction.word}_{gauge.word}_{mark.word}_in_{place.word}"
    slots = {**place.slots, **reduction.slots}
    apps = tuple(dict.fromkeys((*place.apps, *gauge.apps, *reduction.apps)))
    entries = "".join(f'    {app}_token = login(app="{app}")\n' for app in apps if app not in place.apps)
    reading = f"{place.code}{placed(mark.code, place)}{entries}{gauge.code}"
    about = reduction.about.replace("WORD", gauge.word.replace("_", " "))
    head = ", ".join(f"{slot}: {type_of(kind)}" for slot, kind in slots.items())
    edits = (*place.matters[:1], *mark.matters[:1], *reduction.matters)
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=_filled(
            f"def {name}({head}) -> {reduction.result}:\n"
            f'    """{about}, for {mark.about} of {place.about}."""\n{reading}{reduction.code}',
            gauge,
        ),
        wordings=tuple(_worded(gauge, reduction, place, mark, turn, n) for n in range(3)),
        values=_values(gauge, reduction, place, mark, reading),
        matters=tuple((placed(old, place), placed(new, place)) for old, new in edits),
        asks=not reduction.apps,
    )


def _filled(text: str, gauge: Gauge) -> str:
    total = "round(sum(values.values()), 2)" if gauge.money else "sum(values.values())"
    text = text.replace("SHOWN", "sum(values.values()):.2f" if gauge.money else "sum(values.values())")
    text = text.replace("SUMTYPE", "float" if gauge.money else "int").replace("SUM", total)
    text = (
        re.sub(r"ADDS\(([^)]*)\)", lambda match: gauge.adds.replace("OF", match[1]), text)
        .replace("MOST", gauge.most)
        .replace("LEAST", gauge.least)
    )
    cents = ", with two decimals" if gauge.money else ""
    return text.replace("OVER", gauge.over).replace("ONES", gauge.ones).replace("CENTS", cents)


def _values(
    gauge: Gauge, reduction: Reduction, place: Place, mark: Mark, reading: str
) -> Callable[[Draw], Values | None]:
    heads = ", ".join(place.slots)
    measures = f"def measured({heads}):\n{reading}    return values\n"

    def values(draw: Draw) -> Values | None:
        pool, more = gauge.pool(draw), reduction.choose(draw)
        parts = dealt(draw.rng, Pool(pool.good), 3, 5) if pool else None
        if parts is None:
            return None
        items, others, twins = parts
        at = place.sets(draw, mark.writes(draw.rng, items, others), mark.writes(draw.rng, twins, []))
        found: dict[str, Any] = played(function_of(measures), draw.state, draw.me, at)
        numbers = sorted(found.values())
        if not numbers or (reduction.apart and len({*numbers}) < len(numbers)):
            return None
        if "limit" in reduction.slots:
            more = {"limit": int(numbers[draw.rng.randrange(len(numbers) // 2 + 1)])}
        return {**at, **more}

    return values


def _worded(gauge: Gauge, reduction: Reduction, place: Place, mark: Mark, turn: int, n: int) -> str:
    text = nth(_FRAMES, turn + 2 * n).replace("MARK", nth(mark.says, turn + n)).replace("ITEM", gauge.a)
    text = text.replace("KEY", gauge.key).replace("VALUE", gauge.value)
    text = text.replace("WHAT", nth(reduction.says, n)).replace("PLACE", nth(place.says, n + turn))
    return sentences(_filled(text, gauge))
