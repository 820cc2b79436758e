"""What is done with the parts of texts, or asked about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from prowess_practice.errands.forms.parts import Deed
from prowess_practice.errands.reports.parts import Sink
from prowess_practice.errands.transfers.parts import Slot

Keys = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """KEY and WHAT are the parts of a text, THING what has it; all texts that count are `found`."""

    word: str
    apps: tuple[str, ...] = ()
    about: str
    """As a docstring says it."""
    keeps: str = "WHAT"
    """What is kept of each text."""
    code: tuple[str, ...] = ()
    """Lines once all are found."""
    returns: str = "len(found)"
    gives: str = "int"
    slots: tuple[Slot, ...] = ()
    frames: tuple[str, ...]
    """Sentences: PLACE, SAYS, EACH (`each line of this kind`), ALL in the plural."""
    asks: bool = False
    kinds: tuple[str, ...] = ()
    """The kinds of key that it is for, where it uses the key; none where it only takes what is tested."""
    tested: bool = True
    """Whether not all texts of the shape are taken."""
    person: bool = False
    """Whether WHAT is a person."""
    matters: tuple[tuple[str, str], ...] = ()
    clear: Callable[[Keys], bool] = lambda keys: True
    """Whether keys leave no doubt."""
    sorted: bool = False
    rewrites: bool = False
    """Whether it changes the text itself: one without the shape stays as it is anyway."""
    idle: bool = False
    """Whether it does nothing where somebody might look by mistake."""
    joins: bool = False
    """Whether it makes parts of a longer text: empty ones do not show in it."""


def doing(do: str, end: str = "") -> tuple[str, ...]:
    """Ways to ask for something that is done for each text."""
    last = f"; {end}" if end else ""
    return (
        f"Look at PLACE. SAYS For EACH, {do}{last}.",
        f"Please go through PLACE. SAYS I want you to take EACH and {do}{last}.",
        f"I need you to do something about PLACE. SAYS This is what I want done for EACH: {do}{last}.",
        f"This is about PLACE, and only some of that. SAYS Find ALL. For every single one, {do}{last}.",
    )


def deed_use(deed: Deed) -> Use:
    """A deed of forms: its text is a part of what is read."""
    code = deed.code.replace("TEXT", "WHAT").replace("{name}", "{WHAT}")
    return Use(
        word=deed.word,
        apps=deed.apps,
        about=f"{deed.about} for each of",
        code=(*deed.before.splitlines(), "    for WHAT in found:", *(f"        {line}" for line in code.splitlines())),
        slots=deed.slots,
        frames=doing(deed.do.removesuffix(","), f"the {deed.noun} is the WHAT and nothing else"),
    )


def paired(word: str, kinds: str, api: str, given: str, do: str, about: str, *before: str, **other: object) -> Use:
    """One call for each text, with both of its parts."""
    app = api.partition(".")[0]
    apps = ("phone",) if before and app != "phone" else ()
    return Use(
        word=word,
        kinds=tuple(kinds.split()),
        apps=(*apps, app),
        about=about,
        keeps="(WHAT, VALUE)",
        code=(
            *(f"    {line}" for line in before),
            "    for WHAT, KEY in found:",
            f"        apis.{api}(access_token={app}_token, {given})",
        ),
        frames=doing(do),
        **other,  # type: ignore[arg-type]
    )


def own_use(word: str, api: str, given: str, do: str, about: str, kind: str = "") -> Use:
    """Something done to what has the text."""
    part = "KEY" if kind else "WHAT" if "WHAT" in given else ""
    value = "VALUE" if kind else part
    rewrites = "WHAT" in given and api.partition(".")[2].startswith(("update", "rename"))
    return Use(
        word=word,
        kinds=(kind,) if kind else (),
        about=f"{about} behind",
        keeps=f"(THING, {value})" if part else "THING",
        code=(
            f"    for {f'THING, {part}' if part else 'THING'} in found:",
            *(['        ending = THING.rpartition(".")[2]'] if "ending" in given else []),
            f"        apis.{api}(access_token={api.partition('.')[0]}_token, {given})",
        ),
        frames=doing(do),
        rewrites=rewrites,
        idle=given.endswith(("is_enabled=False", "is_public=True")),
        joins="append_to" in api,
    )


def sink_use(sink: Sink, *, ordered: bool) -> Use:
    """The parts as lines of one text."""
    item, each = sink.item, f"one {sink.item} for EACH"
    order = (
        f"Keep the {sink.items} in the order in which you find them there."
        if ordered
        else f"Put the {sink.items} into alphabetical order."
    )
    finish, place = sink.finish.replace("ITEMS", sink.items), sink.place.replace("as subtasks of", "in")
    code = re.sub(r"\blines\b", "found", sink.code) if ordered else f"    lines = sorted(found)\n{sink.code}"
    return Use(
        word=sink.word,
        apps=(sink.app,),
        about=f"write {sink.about} what is in",
        code=tuple(code.splitlines()),
        slots=sink.slots,
        frames=(
            f"Look at PLACE. SAYS {sink.give.replace('CONTENT', each)}. Each {item} is the WHAT and nothing else."
            f" {order} {sink.join}",
            f"Go through PLACE. SAYS For EACH I want one {item} {place}, namely the WHAT. {order} {sink.join}",
            f"I would like to have a list out of PLACE. SAYS Make one {item} of EACH: the WHAT, without the rest."
            f" {order} {finish} {sink.join}",
        ),
        matters=() if ordered else (("sorted(found)", "sorted(found, reverse=True)"),),
        sorted=not ordered,
        joins=True,
    )
