"""All shapes of texts: those with two parts, and those of which one part is used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from prowess_practice.errands.apart import pools
from prowess_practice.errands.apart.shape import Pieces, Shape
from prowess_practice.errands.apart.words import FIRST_WORD, HASHTAG, LAST_WORD, WORD

_NONE: Mapping[str, Sequence[str]] = {}
_BETWEEN = {"count": pools.COUNTED, "time": (": ", " - ", " h: ", " = ", " -> ", " | ", ", ")}
_BEHIND = {"amount": pools.MONEY, "time": pools.CLOCKED, "day": pools.DATED}
_EQUALS = (
    ("=", "; "),
    ("=", ", "),
    (": ", "; "),
    ("=>", " / "),
    ("->", " | "),
    ("~", " + "),
    (" = ", " & "),
)


def _separator(rng: Random, kind: str, special: Mapping[str, Sequence[str]] = _NONE) -> Pieces:
    if kind == "file":
        return {"separator": rng.choice(pools.SAFE)}
    often = special.get(kind, ())
    return {"separator": rng.choice(often if often and rng.random() < 0.6 else pools.SEPARATORS)}


def _around(rng: Random, kind: str) -> Pieces:
    left, right = rng.choice(pools.AROUND).split(",")
    if kind == "file":
        left, right = rng.choice(("[,]", "(,)", "#,_", "v.,--", "{,}", "+,+", "=,=")).split(",")
    return {"left": rng.choice(("$", "€", "USD ", left)) if kind == "amount" else left, "right": right}


def _behind(rng: Random, kind: str) -> Pieces:
    left, right = rng.choice(pools.BEHIND).split(",")
    if kind == "file":
        left, right = rng.choice(("[,]", "(,)", "_(,)", "{,}", "+,+", "=,=")).split(",")
    return {"left": f"{left}$" if kind == "amount" and left[-1] in "([{" else left, "right": right}


def _equal(rng: Random, kind: str) -> Pieces:
    equals, between = rng.choice(_EQUALS)
    return {"equals": equals, "between": between}


BEFORE = Shape(
    word="before",
    slots=("separator",),
    form="<KEY>{separator}<WHAT>",
    reads=("KEY, mark, WHAT = ROW.partition(separator)",),
    guard="mark",
    draw=lambda rng, kind: _separator(rng, kind, _BETWEEN),
    about="KEY and WHAT around a separator",
    strays=("<KEY>", "<WHAT>"),
)
AFTER = Shape(
    word="after",
    slots=("separator",),
    form="<WHAT>{separator}<KEY>",
    reads=("WHAT, mark, KEY = ROW.rpartition(separator)",),
    guard="mark",
    draw=lambda rng, kind: _separator(rng, kind, _BEHIND),
    about="WHAT and KEY around a separator",
    strays=("<KEY>", "<WHAT>"),
)
LOOSE = Shape(
    word="loose",
    slots=("separator",),
    form="<KEY>{separator}<WHAT>",
    reads=("KEY, mark, WHAT = (part.strip() for part in ROW.partition(separator))",),
    guard="mark",
    draw=lambda rng, kind: {"separator": rng.choice(pools.BARE)},
    note='There may be spaces on either side of "{separator}": they belong to no part.',
    about="KEY and WHAT around a separator, with spaces or not",
    strays=("<KEY>", "<WHAT>"),
    loose=True,
    telling=("word", "person"),
    matters=(("(part.strip() for part in ROW.partition(separator))", "ROW.partition(separator)"),),
    safe=False,
)
AROUND = Shape(
    word="marked",
    slots=("left", "right"),
    form="{left}<KEY>{right}<WHAT>",
    reads=("KEY, mark, WHAT = ROW.removeprefix(left).partition(right)",),
    guard="mark and ROW.startswith(left)",
    draw=_around,
    about="marks around the KEY and WHAT behind",
    strays=("<KEY>{right}<WHAT>", "<WHAT>"),
    matters=((".removeprefix(left)", ""),),
)
BEHIND = Shape(
    word="bracketed",
    slots=("left", "right"),
    form="<WHAT>{left}<KEY>{right}",
    reads=("WHAT, mark, KEY = ROW.removesuffix(right).rpartition(left)",),
    guard="mark and ROW.endswith(right)",
    draw=_behind,
    about="WHAT and then marks around the KEY",
    strays=("<WHAT>{left}<KEY>", "<WHAT>"),
    matters=((".removesuffix(right)", ""),),
)


def _columns(word: str, key: int, what: int, stray: str, about: str) -> Shape:
    names = {key: "<KEY>", what: "<WHAT>"}
    return Shape(
        word=word,
        slots=("separator",),
        form="{separator}".join(names.get(place, "<FIRST>") for place in range(3)),
        reads=("parts = ROW.split(separator)",),
        guard="len(parts) == 3",
        key=f"parts[{key}]",
        what=f"parts[{what}]",
        draw=_separator,
        about=f"three columns, {about}",
        strays=(stray, "<WHAT>"),
    )


COLUMNS = (
    _columns("second", 1, 2, "<FIRST>{separator}<KEY>", "KEY in the second and WHAT in the third"),
    _columns("first", 0, 2, "<KEY>{separator}<WHAT>", "KEY in the first and WHAT in the third"),
    _columns("third", 2, 0, "<WHAT>{separator}<KEY>", "WHAT in the first and KEY in the third"),
)
PAIRS = Shape(
    word="fields",
    slots=("equals", "between"),
    form="KEY{equals}<KEY>{between}WHAT{equals}<WHAT>",
    turned="WHAT{equals}<WHAT>{between}KEY{equals}<KEY>",
    reads=("fields = dict(part.split(equals, 1) for part in ROW.split(between) if equals in part)",),
    guard="len(fields) == 2",
    key='fields["KEY"]',
    what='fields["WHAT"]',
    draw=_equal,
    note="The two fields may come in any order.",
    about="two fields, KEY and WHAT",
    strays=("KEY{equals}<KEY>", "<WHAT>"),
    kinds=("word", "count", "day", "time", "person"),
    safe=False,
)
PREFIX = Shape(
    word="bulleted",
    slots=("bullet",),
    form="{bullet}<WHAT>",
    guard="ROW.startswith(bullet)",
    what="ROW.removeprefix(bullet)",
    draw=lambda rng, kind: {"bullet": rng.choice(pools.BULLETS if kind != "file" else pools.SAFE)},
    about="a mark before WHAT",
    keyed=False,
    strays=("<WHAT>", "<WHAT> {bullet}", "<FIRST> {bullet}<WHAT>"),
    matters=(("ROW.startswith(bullet)", "bullet in ROW"),),
    strips=((".removeprefix(bullet)", ""),),
)
SUFFIX = Shape(
    word="ended",
    slots=("ending",),
    form="<WHAT>{ending}",
    guard="ROW.endswith(ending)",
    what="ROW.removesuffix(ending)",
    draw=lambda rng, kind: {"ending": rng.choice(pools.ENDINGS if kind != "file" else pools.SAFE)},
    about="a mark after WHAT",
    keyed=False,
    strays=("<WHAT>", "<WHAT>{ending} <LAST>", "{ending} <WHAT>"),
    matters=(("ROW.endswith(ending)", "ending in ROW"),),
    strips=((".removesuffix(ending)", ""),),
)
_INSIDE = (
    (" (", ") "),
    (" [", "] "),
    (" *", "* "),
    (" {", "} "),
    (" -- ", " -- "),
    (": ", "; "),
    (" = ", ", "),
    (" /", "/ "),
)
INSIDE = Shape(
    word="inside",
    slots=("left", "right"),
    form="<FIRST>{left}<WHAT>{right}<LAST>",
    reads=("WHAT, mark, _ = ROW.partition(left)[2].partition(right)",),
    guard="mark",
    draw=lambda rng, kind: dict(zip(("left", "right"), rng.choice(_INSIDE), strict=True)),
    about="WHAT between two marks",
    keyed=False,
    strays=("<FIRST> <WHAT> <LAST>", "<FIRST>{left}<WHAT>"),
    matters=(("if mark:", "if left in ROW:"),),
    strips=((".partition(left)[2]", ""),),
    safe=False,
)
KEYED = (BEFORE, AFTER, AROUND, COLUMNS[0], LOOSE, BEHIND, PAIRS, COLUMNS[2], COLUMNS[1])
ALONE = (PREFIX, HASHTAG, WORD, SUFFIX, FIRST_WORD, INSIDE, LAST_WORD)
