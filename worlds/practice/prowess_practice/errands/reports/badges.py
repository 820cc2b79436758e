"""Figures written on the things themselves: into their titles, texts and comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.parts import SHOWN, WIDTH, Rows, plainly, readable, sentences, shaped
from prowess_practice.errands.reports.things import Look, Thing
from prowess_practice.errands.reports.values import drawing
from prowess_practice.errands.transfers.parts import Slot


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """How a figure is written on a thing."""

    word: str
    about: str
    """`comment on`"""
    call: str
    """An API with its arguments besides the token, on `ROW` and SHOWN."""
    do: str
    """`rename it to ...`, with NAME and FIGURE."""
    result: str
    """`its title is ... then`"""
    slots: tuple[Slot, ...] = ()
    alters: tuple[str, ...] = ()
    """Looks that come out otherwise once it is done."""


def badges(thing: Thing, kinds: tuple[Badge, ...], turn: int) -> Iterator[Errand]:
    """Each look of a thing, written down in one of these ways, conditions in turn."""
    for n, look in enumerate(thing.looks):
        fitting = [one for one in thing.pool.conditions if not one.word.startswith(("by_", "with_", "in_month"))]
        choices: list[tuple[Condition, ...]] = [(one,) for one in fitting] or [()]
        errand = _badge(thing, look, kinds[(turn + n) % len(kinds)], choices[(turn + n) % len(choices)])
        if errand:
            yield errand


def _badge(thing: Thing, look: Look, badge: Badge, conditions: tuple[Condition, ...]) -> Errand | None:
    rows = Rows(pools=(thing.pool,), conditions=conditions)
    given = [*rows.slots.items(), *((slot.name, slot.kind) for slot in badge.slots)]
    slots, row = dict(given), thing.pool.row
    if not slots or len(slots) < len(given):
        return None
    api, _, arguments = badge.call.partition(" ")
    app = api.split(".")[0]
    lines = [*look.inner.replace("ROW", row).splitlines()]
    shown = arguments.replace("ROW", row).replace("SHOWN", f"figure{SHOWN.get(look.kind, '')}")
    if lines and lines[0].startswith(f"{row}_id = "):
        shown = shown.replace(f'{row}_id={row}["{row}_id"]', f"{row}_id={row}_id")
    call = f"apis.{api}(access_token={app}_token, {shown})"
    which, field, new = shown.replace(", ", "\0", 1).replace('=f"', '\0f"', 1).split("\0")
    width = WIDTH - (12 if look.test else 8)
    given_new = f"access_token={app}_token, {which}, {field}=new_{field}"
    plain = f"apis.{api}({given_new})"
    broken = [plain] if len(plain) <= width else [f"apis.{api}(", f"    {given_new}", ")"]
    calls = [call] if len(call) <= width else [f"new_{field} = {new}", *broken]
    doing = [f"figure = {look.code.replace('ROW', row)}", *calls]
    if look.test:
        doing = [f"if {look.test.replace('ROW', row)}:", *(f"    {line}" for line in doing)]
    text = "".join(f"        {line}\n" for line in (*lines, *doing))
    further = tuple(one for one in (look.app, app) if one)
    name = f"{badge.word}_{look.word}_on_{rows.word}"
    reading = rows.reading(look.before, (*look.enters, app))
    body = f"{reading}    for {row} in {rows.found}:\n{text}    return len({rows.found})\n"
    source = shaped(name, slots, f"{badge.about} {rows.every} with {look.says}; {_end(look)}", body)
    if not readable(source, slots):
        return None
    old, new = (part.replace("ROW", row) for part in look.edit)
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys((*rows.apps, *further))),
        slots=slots,
        source=source,
        wordings=tuple(plainly(look.kind, text) for text in _wordings(rows, look, badge)),
        values=drawing(rows, badge.slots),
        matters=(*((test, "True") for test in rows.tests), *(((old, new),) if old else ())),
    )


def _end(look: Look) -> str:
    """How a docstring ends."""
    left = look.left.replace("left out", "left alone").removesuffix(".")
    return f"{left[0].lower()}{left[1:]}; return how many were looked at" if left else "return how many"


def _wordings(rows: Rows, look: Look, badge: Badge) -> tuple[str, ...]:
    before = "What counts is how things are before you change them." if look.word in badge.alters else ""
    left = sentences(look.left.replace("left out", "left alone"), before)
    return (
        sentences(f"For each {rows.one}, find out {look.says}, and {badge.do}, with that figure for FIGURE.", left),
        sentences(f"Take {rows.many} one after the other. For each one, {badge.do}. FIGURE is {look.says}.", left),
        sentences(
            f"I want each {rows.one} to bear a figure, namely {look.says}. When you are done, {badge.result}, with the"
            " figure in place of FIGURE.",
            left,
        ),
    )
