"""Texts of a shape for a person, and with them what is easily mistaken for one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from prowess_desk.apps.phone import Contact
from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.apart import pools
from prowess_practice.errands.apart.keys import KINDS, Dealt, Test
from prowess_practice.errands.apart.places import ShapedTexts
from prowess_practice.errands.apart.shapes import Pieces, TextShape, written
from prowess_practice.errands.apart.uses import Use
from prowess_practice.errands.transfers.parts import entering, seen

_TRIES = 12
_MOST = 11
"""Things that one case has at most."""


def drawing(
    place: ShapedTexts, shape: TextShape, kind: str, test: Test | None, use: Use, nouns: tuple[str, str]
) -> Callable[[Draw], Values | None]:
    """Values for an errand, and its scene."""

    def values(draw: Draw) -> Values | None:
        for _ in range(_TRIES):
            pieces = shape.draw(draw.rng, "file" if place.safe else kind)
            whats = _whats(draw, use)
            if whats is None:
                return None
            if place.safe:
                whats = [what.replace(" ", "-") for what in whats]
            dealt = test.deal(draw) if test else _dealt(draw, kind)
            if not use.clear(dealt.good) or _unclear(shape, pieces, [*whats, *dealt.good, *dealt.bad]):
                continue
            texts, others = _texts(draw, shape, pieces, dealt, whats, nouns)
            extra = draw.rng.sample(pools.ASIDES, 2) + ([""] if place.noun == "line" else [])
            if place.safe:
                texts, others, extra = (_slugs(each) for each in (texts, others, extra))
            texts += extra
            found = dict(place.sets(draw, draw.rng.sample(texts, len(texts)), others))
            if place.thing and shape.keyed and _blurred(draw, place, pieces, found, texts):
                return None
            given = {slot.name: slot.choose(draw) for slot in use.slots}
            tested: dict[str, Any] = {test.slot: dealt.value} if test else {}
            return None if None in given.values() else {**found, **pieces, **tested, **given}
        return None

    return values


def _slugs(texts: Sequence[str]) -> list[str]:
    return [text.replace(" ", "-") for text in texts]


def _whats(draw: Draw, use: Use) -> list[str] | None:
    """Things, or people, each once."""
    if not use.person:
        return pools.things(draw.rng, _MOST)
    names = [contact.name for contact in draw.state[Contact].of(draw.me.id)]
    clear = [name for name in names if names.count(name) == 1]
    return draw.rng.sample(clear, _MOST) if len(clear) >= _MOST else None


def _dealt(draw: Draw, kind: str) -> Dealt:
    """Keys of a kind, all of which are good."""
    if not kind:
        return Dealt(value=None, good=("",) * draw.rng.randint(2, 5), bad=())
    count = draw.rng.randint(3, 6)
    if kind == "word":
        few = draw.rng.sample([*pools.TOPICS], 3)
        return Dealt(value=None, good=tuple(draw.rng.choice(few) for _ in range(count)), bad=())
    return Dealt(value=None, good=tuple(KINDS[kind].sample(draw) for _ in range(count)), bad=())


def _unclear(shape: TextShape, pieces: Pieces, parts: Sequence[str]) -> bool:
    """Whether a separator is part of what it separates."""
    if shape.writes:
        return any(piece.lower() in part.lower().split() for piece in pieces.values() for part in parts)
    return any(piece.strip() and piece in part for piece in pieces.values() for part in parts) or (
        " " in pieces.values() and any(" " in key for key in parts[_MOST:])
    )


def _blurred(draw: Draw, place: ShapedTexts, pieces: Pieces, given: Values, texts: Sequence[str]) -> bool:
    """Whether some row of the person's own might have the shape, or half of it."""
    entry, code = entering(place.app), "\n".join(place.code)
    shown = f"[{place.text} for {place.row} in {place.rows}]" if not place.opens else "[]"
    rows = seen(draw, f"def rows({', '.join(place.slots)}):\n{entry}{code}\n    return {shown}\n", given)
    return any(all(piece in text for piece in pieces.values()) for text in rows if text not in texts)


def _texts(
    draw: Draw, shape: TextShape, pieces: Pieces, dealt: Dealt, whats: Sequence[str], nouns: tuple[str, str]
) -> tuple[list[str], list[str]]:
    """Texts that are meant or mistaken for such, and a few for another place."""
    rng, rest = draw.rng, iter(whats)
    if shape.writes:
        good, bad = shape.writes(rng, pieces, [next(rest) for _ in range(2 + len(dealt.good))])
        others, _ = shape.writes(rng, pieces, [next(rest) for _ in range(3)])
        return good + bad, others

    def text(key: str, form: str = "", more: str = "") -> str:
        parts = {"<KEY>": key, "<WHAT>": f"{next(rest)}{more}", "KEY": nouns[0], "WHAT": nouns[1]}
        return written(shape, rng, pieces, parts, form)

    taint = f" {dealt.value}" if isinstance(dealt.value, str) and dealt.value in pools.TOPICS else ""
    bad = [text(key, more=taint if n == len(dealt.bad) - 1 else "") for n, key in enumerate(dealt.bad)]
    good = [text(key) for key in dealt.good]
    strays = [text(dealt.good[0], form) for form in shape.strays]
    return good + bad + strays, [text(dealt.good[0])]
