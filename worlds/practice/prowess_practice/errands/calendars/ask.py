"""A question about rows chosen by time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from prowess_practice.errands.calendars.choice import Choice
from prowess_practice.errands.calendars.source import WIDTH, Source
from prowess_practice.errands.calendars.ties import comparable, days_source
from prowess_practice.errands.calendars.weave import LINES, about, drawing, slots_of
from prowess_practice.errands.calendars.words import tidy
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import Slot, entering, program


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What is asked about the rows found."""

    word: str
    wordings: tuple[str, ...]
    """With ALL for the rows, MANY and THOSE for them in two steps."""
    about: str
    code: str
    """Lines after `found`, the last of which returns the answer."""
    gives: str = "int"
    drops: tuple[tuple[str, str], ...] = ()
    slots: tuple[Slot, ...] = ()
    needs: tuple[str, ...] = ()
    precise: bool = False
    apps: tuple[str, ...] = ()
    other: Source | None = None
    """Another source that it reads, too."""
    bars: tuple[str, ...] = ()
    """Parts of the words of choices that leave nothing to ask."""
    crowded: bool = False
    """Whether rows must share their days now and then."""
    least: str = ""
    """A test of the variables without which the answer would not be clear."""


def asked(source: Source, choice: Choice, ask: Ask) -> Errand | None:
    """The errand, or None where its parts do not go together."""
    slots = slots_of(source, choice, ask.slots)
    if not slots or not choice.fits(source) or source.word == choice.other:
        return None
    if ask.other and (ask.other.word == source.word or not comparable(ask.other, source, new=False)):
        return None
    if ask.crowded and (source.few or "note" in source.tags):
        return None
    if any(bar in choice.word for bar in ask.bars):
        return None
    if not {*ask.needs} <= {*source.tags} or (ask.precise and not source.precise):
        return None
    name = f"{ask.word}_{source.word}_{choice.word}"
    apps = tuple(dict.fromkeys((source.app, *choice.apps, *ask.apps)))
    lines = f"{source.lines}{choice.lines(source)}{source.put(ask.code)}"
    code = program(name, slots, ask.gives, about(source, choice, ask.about, ""), "".join(map(entering, apps)) + lines)
    matters = (*choice.matters(source), *((source.put(old), source.put(new)) for old, new in ask.drops))
    if len(code.splitlines()) > LINES or any(len(line) > WIDTH for line in code.splitlines()):
        return None
    if any(code.count(old) != 1 for old, _ in matters):
        return None
    meeting = replace(choice, lean="same", days=days_source(ask.other)) if ask.other else choice
    clause = source.say(choice.says)
    texts = []
    for wording in ask.wordings:
        text = re.sub(r"\bALL\b", lambda _: f"the {source.many} {clause}", wording)
        text = text.replace("THOSE", f"those {clause}")
        texts.append(tidy(source.say(text)))
    return Errand(
        name=name,
        apps=apps,
        slots=slots,
        source=code,
        wordings=tuple(texts),
        values=drawing(source, meeting, ask.slots, code, (), clear=source.put(ask.least)),
        matters=matters,
        asks=True,
    )


def questions(
    asks: tuple[Ask, ...], sources: tuple[Source, ...], choices: tuple[Choice, ...], *, each: int
) -> Iterator[Errand]:
    """Every question about some of the sources; choices take turns."""
    turn = 0
    for n, ask in enumerate(asks):
        made = 0
        for step in range(len(sources)):
            source = sources[(5 * n + step) % len(sources)]
            if made == each:
                break
            turn += 1
            for more in range(len(choices)):
                errand = asked(source, choices[(turn + more) % len(choices)], ask)
                if errand:
                    turn += more
                    made += 1
                    yield errand
                    break
