"""An errand made of a source, a choice by time, what becomes of the rows, and a day that is worked out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.calendars.choices import DayChoice
from prowess_practice.errands.calendars.scene import anywhen, grown
from prowess_practice.errands.calendars.sink import CalendarSink
from prowess_practice.errands.calendars.sources import WIDTH, DatedSource
from prowess_practice.errands.calendars.when import When
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import Slot, capital, entering, program, seen, told, turn_of

_SHORT = 4
"""Words that may stand between a verb and what belongs to it."""


def doing(do: str, rows: str) -> str:
    """What is done, with the rows in their place: `rate them with 3 stars`, but `rate with 3 stars the songs that`."""
    if len(rows.split()) < _SHORT:
        do = re.sub(r"\[(.+?)\] ALL", r"ALL \1", do)
    if rows in ("them", "these"):
        do = re.sub(r"\bthe ((?:due )?\w+) of ALL\b", r"their \1", do)
        do = re.sub(r"\ball (\w+) of ALL\b", r"all their \1", do)
    return re.sub(r"\bALL\b", lambda _: rows, do.replace("[", "").replace("]", ""))


def tidy(text: str) -> str:
    """Without commas that stand before other marks."""
    text = re.sub(r" {2,}", " ", text)
    text = re.sub(r",(?=[.,:;?])", "", text)
    return text.replace(", (", " (").strip()


def worded(source: DatedSource, choice: DayChoice, sink: CalendarSink, when: str, turn: int) -> tuple[str, ...]:
    """Some ways to ask for it; the turn says which of them."""
    many = source.many
    clause = source.say(choice.says)
    whole, those = f"the {many} {clause}", f"those {clause}"
    rests = [source.say(one.replace("WHENSAYS", when)) for one in sink.rest]
    do = source.say(sink.do)
    first, second = rests[0], rests[-1]
    direct = (
        f"{capital(doing(do, whole))}.{first}",
        f"Please {doing(do, whole)}.{first}",
        f"I would like you to {doing(do, whole)}.{first}",
    )
    looking = (
        f"Go through the {many} and {doing(do, those)}.{second}",
        f"Look at the {many}. {capital(doing(do, those))}.{second}",
        f"Of the {many}, only {those} matter now: {doing(do, 'them')}.{second}",
    )
    asking = (
        f"It is about {whole}: please {doing(do, 'them')}.{first}",
        f"Among the {many} there are some {clause}. Please {doing(do, 'them')}.{first}",
        f"Find {whole}. Then {doing(do, 'all of them' if ' of ALL' not in do else 'them')}.{first}",
    )
    could = (
        f"Could you {doing(do, whole)}?{second}",
        f"Take {whole} and leave out all the others. Then {doing(do, 'these')}.{second}",
        f"There are {many}, and I mean {those}. Would you {doing(do, 'them')}?{second}",
    )
    return tuple(
        tidy(text) for text in (direct[turn % 3], looking[turn // 3 % 3], asking[turn // 9 % 3], could[turn // 27 % 3])
    )


LINES = 25
"""Lines of a program, at most."""
_RANKED = re.compile(r"sorted\(|\.sort\(|(max|min)\(found, key")
"""What a program has where the order of rows matters."""
_BY_AGE = 'key=lambda task: task["created_at"]'
"""What it has where the order in which tasks were created does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarPlan:
    """The parts of an errand."""

    source: DatedSource
    choice: DayChoice
    sink: CalendarSink
    when: When | None = None

    @property
    def name(self) -> str:
        parts = [self.sink.word, self.source.word, self.choice.word, self.when.word if self.when else ""]
        return "_".join(part for part in parts if part)

    @property
    def given(self) -> tuple[Slot, ...]:
        return (*self.sink.slots, *(self.when.slots if self.when else ()))

    @property
    def slots(self) -> dict[str, type]:
        return slots_of(self.source, self.choice, self.given)

    @property
    def apps(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.source.app, *self.choice.apps, *self.sink.apps)))

    @property
    def body(self) -> str:
        """All lines but the heading."""
        source, sink = self.source, self.sink
        code = sink.code.replace("WHEN", self.when.code if self.when else "")
        lines = f"{source.lines}{self.choice.lines(source)}{source.put(sink.before)}{source.put(code)}"
        logins = "".join(entering(app) for app in self.apps if f"{app}_token" in lines)
        return f"{logins}{lines}    return len(found)\n"

    @property
    def matters(self) -> tuple[tuple[str, str], ...]:
        drops = [*self.sink.drops, *([self.when.drop] if self.when else [])]
        return (*self.choice.matters(self.source), *((self.source.put(a), self.source.put(b)) for a, b in drops))


def slots_of(source: DatedSource, choice: DayChoice, given: tuple[Slot, ...]) -> dict[str, type]:
    """Kinds by name; none at all where two have the same name."""
    pairs = [(slot.name, slot.kind) for slot in source.given]
    pairs += [*choice.slots.items(), *((slot.name, slot.kind) for slot in given)]
    return dict(pairs) if len({name for name, _ in pairs}) == len(pairs) else {}


def about(source: DatedSource, choice: DayChoice, text: str, *ends: str) -> str:
    """The docstring that fits on a line."""
    chosen = source.say(choice.about)
    rows = (f"the {source.many} {chosen}", f"the {source.word.replace('_', ' ')} {chosen}")
    line = ""
    for one, end in product(rows, ends):
        told_of = re.sub(r"\bALL\b", one, re.sub(r"[\[\]]", "", text)) + end
        line = f'    """{capital(told(told_of.replace(",,", ",")))}."""\n'
        if len(line) <= WIDTH:
            break
    return line


def woven(plan: CalendarPlan) -> Errand | None:
    """The errand, or None where its parts do not go together."""
    source, choice, sink = plan.source, plan.choice, plan.sink
    if not sink.fits(source) or not choice.fits(source) or choice.other == source.word:
        return None
    if any(part in choice.word for part in sink.shuns) or (plan.when and not plan.when.fits(source)):
        return None
    slots, body = plan.slots, plan.body
    if not slots or any(len(line) > WIDTH for line in body.splitlines()):
        return None
    says = plan.when.says if plan.when else ""
    text = about(source, choice, sink.about, "; return how many there were", "; return how many", "")
    code = program(plan.name, slots, "int", text, body)
    if len(code.splitlines()) > LINES or any(len(line) > WIDTH for line in code.splitlines()):
        return None
    if any(code.count(old) != 1 for old, _ in plan.matters):
        return None
    return Errand(
        name=plan.name,
        apps=plan.apps,
        slots=slots,
        source=code,
        wordings=worded(source, choice, sink, says, turn_of(plan.name)),
        values=drawing(source, choice, plan.given, code, (sink.scene,)),
        matters=plan.matters,
    )


def drawing(
    source: DatedSource,
    choice: DayChoice,
    given: tuple[Slot, ...],
    code: str,
    scenes: tuple[Any, ...],
    *,
    clear: str = "",
) -> Callable[[Draw], Values | None]:
    """Values out of the rows there are; their moments must differ where they are sorted by them.

    `clear` is a test that the variables at the end of the program must pass.
    """
    names = ", ".join(slot.name for slot in source.given)
    reading = f"def rows({names}):\n{entering(source.app)}{source.lines}    return {source.rows}\n"

    def values(draw: Draw) -> Values | None:
        for scene in scenes:
            if scene:
                scene(draw)
        _meet(source, choice, draw)
        within = {slot.name: slot.choose(draw) for slot in source.given}
        if None in within.values():
            return None
        rows = seen(draw, reading, within)
        moments = [row[source.field] for row in rows]
        if not rows or (source.precise and _RANKED.search(code) and _doubled(moments)):
            return None
        if source.row == "task" and _doubled([row["title"] for row in rows]):
            return None
        if _BY_AGE in code and _doubled([row["created_at"] for row in rows]):
            return None
        picked = choice.pick(draw.rng, source, rows)
        if picked is None:
            return None
        found: dict[str, Any] = {**within, **picked, **{slot.name: slot.choose(draw) for slot in given}}
        if None in found.values():
            return None
        return None if clear and not seen(draw, _checked(code, clear), found) else found

    return values


def _meet(source: DatedSource, choice: DayChoice, draw: Draw) -> None:
    """Have some rows where the choice wants them, and more of those that are few."""
    grown(source, draw, anywhen(draw, 5) if source.few else [])
    days = [datetime.fromisoformat(day) for day in seen(draw, choice.days, {})] if choice.days else []
    if not days:
        return
    shift = {"same": 0, "next": 1, "after": draw.rng.randint(1, 4), "before": -draw.rng.randint(1, 9)}[choice.lean]
    ends = {"after": [max(days)] * 4, "before": [min(days)] * 4}
    chosen = ends.get(choice.lean) or draw.rng.sample(days, min(4, len(days)))
    grown(source, draw, [day + timedelta(days=shift * (n + 1 if shift < 0 else 1)) for n, day in enumerate(chosen)])


def _checked(code: str, clear: str) -> str:
    """The program with a test in place of what it gives."""
    lines, _, _ = code.rpartition("    return ")
    return f"{lines}    return {clear}\n"


def _doubled(moments: list[str]) -> bool:
    return len({*moments}) < len(moments)


def take(
    sinks: tuple[CalendarSink, ...],
    sources: tuple[DatedSource, ...],
    choices: tuple[DayChoice, ...],
    whens: tuple[When, ...],
    *,
    each: Mapping[bool, int],
    start: int = 0,
    exact: bool = False,
) -> Iterator[Errand]:
    """Every sink with some of the sources that it goes with; choices and computed days take turns.

    There are fewer where there are few sources, unless the number is exact.
    """
    turn = start
    for n, sink in enumerate(sinks):
        fitting = [source for source in sources if sink.fits(source)]
        wanted = each[sink.timed] if exact or len(fitting) > 3 else each[sink.timed] // 2 + len(fitting)
        made = 0
        for step in range(len(fitting) * 12):
            if made == wanted or not fitting:
                break
            source = fitting[(n + step) % len(fitting)]
            turn += 1
            when = whens[turn % len(whens)] if sink.timed else None
            if when and not when.fits(source):
                continue
            for more in range(len(choices)):
                errand = woven(
                    CalendarPlan(source=source, choice=choices[(turn + more) % len(choices)], sink=sink, when=when)
                )
                if errand:
                    turn += more
                    made += 1
                    yield errand
                    break
