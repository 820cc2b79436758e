"""Errands on groups of rows: by genre, by month, by folder; something for each group, or for some of the groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.match import sink_code
from prowess_practice.errands.transfers.parts import (
    WIDTH,
    Plan,
    Pool,
    Sink,
    Slot,
    capital,
    described,
    drawing,
    entering,
    filtered,
    one_of,
    plural,
    program,
)

LEAST = one_of("least", 2, 3, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """What rows can be told apart by."""

    pool: Pool
    key: str
    """On `ROW`."""
    called: str
    many: str = ""
    form: str = ""
    """How it is written, as a sentence, where that must be said."""
    prelude: str = ""
    """Lines for what the key looks up."""
    values: tuple[Value, ...] = ()
    """What can be told of each group besides the number of its rows."""
    best: tuple[str, str] = ("", "")
    """How the first of a group is called, and what rows are ranked by."""

    @property
    def plural(self) -> str:
        return self.many or plural(self.called)


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """What is told of a group."""

    word: str
    says: str
    """`the sum of their durations in seconds`"""
    code: str
    """On `rows`, with `row` for one of them."""
    show: str = ""
    """How it is written, where not as it is: `:.2f`."""


NUMBER = Value(word="number", says="the number of them", code="len(rows)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What becomes of the groups."""

    word: str
    about: str
    wordings: tuple[str, ...]
    """With MANY for the rows, CALLED and PLURAL for what groups are told apart by, WORTH for what is told of them."""
    code: str
    """Lines on `grouped`, rows by name; with WORTH for the value and SHOWN for how it is written."""
    returns: str = "len(grouped)"
    gives: str = "int"
    app: str = ""
    slots: tuple[Slot, ...] = ()
    asks: bool = False
    matters: tuple[tuple[str, str], ...] = ()
    ranks: bool = False
    """Whether the three greatest values must differ."""


def _reading(group: Grouping, conditions: Sequence[Condition]) -> str:
    pool = group.pool
    before = "".join(dict.fromkeys(one.prelude for one in conditions))
    tests = [one.code.replace("ROW", pool.row) for one in conditions if one.code]
    chosen = filtered("chosen", pool.row, pool.rows, tests) if tests else ""
    return (
        f"{before}{entering(pool.app)}{group.prelude}{pool.reading}{chosen}    grouped: dict = {{}}\n"
        f"    for {pool.row} in {'chosen' if tests else pool.rows}:\n"
        f"        grouped.setdefault({group.key.replace('ROW', pool.row)}, []).append({pool.row})\n"
    )


def _slots(pool: Pool, conditions: Sequence[Condition], last: Sequence[Slot]) -> dict[str, type]:
    """Kinds by name; none where two have one name."""
    kinds = [(one.slot, one.kind) for one in conditions if one.slot]
    kinds += [(slot.name, slot.kind) for slot in (*pool.slots, *last)]
    return dict(kinds) if len(dict(kinds)) == len(kinds) else {}


def _plan(group: Grouping, conditions: Sequence[Condition], last: tuple[Slot, ...], ranks: str) -> Plan:
    names = ", ".join(slot.name for slot in group.pool.slots)
    all_names = ", ".join(_slots(group.pool, conditions, ())) if ranks else ""
    rows = f"def rows({names}):\n{entering(group.pool.app)}{group.pool.reading}    return {group.pool.rows}\n"
    ranking = (f"def ranks({all_names}):\n{_reading(group, conditions)}    return {ranks}\n",) if ranks else ()
    scenes = (group.pool.scene,) if group.pool.scene else ()
    return Plan(
        scenes=scenes, first=group.pool.slots, rows=rows, conditions=tuple(conditions), ranks=ranking, last=last
    )


def tallied(group: Grouping, conditions: Sequence[Condition], value: Value, tally: Tally) -> Errand | None:
    """Something for each group."""
    pool = group.pool
    value = value if "WORTH" in f"{tally.code}{tally.returns}" or "SHOWN" in tally.code else NUMBER
    slots = _slots(pool, conditions, tally.slots)
    worth = value.code.replace("row[", f"{pool.row}[").replace("for row", f"for {pool.row}")
    shown = f"{{{worth}{value.show}}}".replace('"', "'")
    if not slots or (tally.ranks and value == NUMBER):
        return None
    name = "_".join([tally.word, value.word, "by", group.called.replace(" ", "_"), "of", pool.word])
    name = "_".join([name, *(one.word for one in conditions)])
    code, returns = (text.replace("WORTH", worth).replace("SHOWN", shown) for text in (tally.code, tally.returns))
    entry = entering(tally.app) if tally.app and tally.app != pool.app else ""
    body = f"{_reading(group, conditions)}{entry}{code.replace('ROW', pool.row)}    return {returns}\n"
    about = tally.about.replace("CALLED", group.called).replace("PLURAL", group.plural).replace("ROWS", pool.rows)
    source = program(name, slots, tally.gives, described(about), body)
    if any(len(line) > WIDTH for line in source.splitlines()):
        return None
    tests = [one.code.replace("ROW", pool.row) for one in conditions if one.code]
    three = f"len(set(sorted({worth} for rows in grouped.values())[-3:])) == 3"
    ranks = f"[1, 0] if {three} else []" if tally.ranks else ""
    many = " ".join([pool.many, " and ".join(one.says for one in conditions)]).rstrip()
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys(app for app in (pool.app, tally.app) if app)),
        slots=slots,
        source=source,
        wordings=tuple(_filled(text, many, group, value) for text in tally.wordings),
        values=drawing(_plan(group, conditions, tally.slots, ranks)),
        matters=(
            *((test, "True") for test in tests),
            *tally.matters,
            (f"setdefault({group.key.replace('ROW', pool.row)}, ", 'setdefault("", '),
        ),
        asks=tally.asks,
    )


def _filled(text: str, many: str, group: Grouping, value: Value) -> str:
    for old, new in (("MANY", many), ("CALLED", group.called), ("PLURAL", group.plural), ("WORTH", value.says)):
        text = text.replace(old, new)
    return f"{text}{group.form}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Rows that the groups lead to."""

    word: str
    says: str
    """With MANY and CALLED, and BEST for how the first of a group is called."""
    others: tuple[str, ...]
    """Other ways to say which rows are meant, a sentence each, after which they are `them`."""
    code: str
    """Lines that give `found`; with KEY for what rows are ranked by."""
    slots: tuple[Slot, ...] = ()
    matters: tuple[tuple[str, str], ...] = ()
    best: bool = False
    """Whether it needs the first of each group."""
    ranks: bool = False


CHOICES = (
    Choice(
        word="best",
        says="the BEST of each CALLED among the MANY",
        others=(
            "Group the MANY by CALLED and take the BEST one out of each group.",
            "For every CALLED that occurs among the MANY, find the BEST of those with this CALLED.",
            "Among the MANY, each CALLED has one that is the BEST; these are the ones I mean.",
        ),
        code="    found = [max(rows, key=lambda ROW: KEY) for rows in grouped.values()]\n",
        matters=(("max(rows", "min(rows"),),
        best=True,
    ),
    Choice(
        word="frequent",
        says="those of the MANY whose CALLED at least {least} of them have",
        others=(
            "Group the MANY by CALLED and forget about all groups of fewer than {least}. Take all that are left.",
            "Which PLURAL occur {least} times or more among the MANY? Find all of them that have one of these PLURAL.",
            "I am interested in the MANY, but only where {least} or more of them have the same CALLED.",
        ),
        code="    found = [ROW for rows in grouped.values() if len(rows) >= least for ROW in rows]\n",
        slots=(LEAST,),
        matters=((" if len(rows) >= least", ""),),
    ),
    Choice(
        word="lonely",
        says="those of the MANY whose CALLED no other of them has",
        others=(
            "Group the MANY by CALLED. What interests me are the groups of just one.",
            "Some PLURAL occur only once among the MANY. Find all that have one of these PLURAL.",
            "Take the MANY and leave out every one whose CALLED another one has, too.",
        ),
        code="    found = [rows[0] for rows in grouped.values() if len(rows) == 1]\n",
        matters=((" if len(rows) == 1", ""),),
    ),
    Choice(
        word="biggest",
        says="those of the MANY with the CALLED that most of them have",
        others=(
            "Which CALLED is the most frequent among the MANY? Take the ones with this CALLED.",
            "Group the MANY by CALLED and pick the largest group.",
            "One CALLED occurs more often than any other among the MANY. Find all that have it.",
        ),
        code="    found = max(grouped.values(), key=len)\n",
        matters=(("max(grouped", "min(grouped"),),
        ranks=True,
    ),
)


def chosen(group: Grouping, conditions: Sequence[Condition], choice: Choice, sink: Sink) -> Errand | None:
    """Something done to the rows that the groups lead to."""
    pool, (best, key) = group.pool, group.best
    last = (*choice.slots, *sink.slots)
    slots = _slots(pool, conditions, last)
    bars = {pool.word, group.called, choice.word, f"{choice.word}_{group.called}"}
    if not slots or (choice.best and not key) or {*sink.bars} & bars or sink.needs:
        return None
    name = "_".join([sink.word, choice.word, "by", group.called.replace(" ", "_"), "of", pool.word])
    name = "_".join([name, *(one.word for one in conditions)])
    code = choice.code.replace("KEY", key).replace("ROW", pool.row)
    body = f"{_reading(group, conditions)}{code}{sink_code(sink, pool.row, [pool.app])}"
    many = " ".join([pool.many, " and ".join(one.says for one in conditions)]).rstrip()

    def said(text: str, rows: str) -> str:
        for old, new in (("MANY", rows), ("CALLED", group.called), ("PLURAL", group.plural), ("BEST", best)):
            text = text.replace(old, new)
        return text

    whole, short = said(choice.says, many), pool.word.replace("_", " ")
    about = described(*sink.telling(said(choice.says, short), f"some {short} by {group.called}"))
    source = program(name, slots, sink.gives, about, body)
    if any(len(line) > WIDTH for line in source.splitlines()):
        return None
    texts = [f"{said(text, many)} Then {sink.saying('them')}." for text in choice.others]
    tests = [one.code.replace("ROW", pool.row) for one in conditions if one.code]
    ranks = "sorted(map(len, grouped.values()), reverse=True)" if choice.ranks else ""
    if choice.best:
        worths = f"{{{key.replace('ROW', 'each')} for each in rows}}"
        ranks = f"[1, 0] if all(len({worths}) == len(rows) for rows in grouped.values()) else []"
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys(app for app in (pool.app, sink.app) if app)),
        slots=slots,
        source=source,
        wordings=(f"{capital(sink.asking(whole))}?" if sink.asks else f"{capital(sink.saying(whole))}.", *texts),
        values=drawing(_plan(group, conditions, last, ranks)),
        matters=(*((test, "True") for test in tests), *choice.matters),
        asks=sink.asks,
    )


def woven_groups(
    groupings: Sequence[Grouping], tallies: Sequence[Tally], sinks: Sequence[Sink], *, each: int = 2
) -> Iterator[Errand]:
    """For every grouping some tallies and some choices, in turn."""
    turning, sinking = cycle(tallies), cycle(sinks)
    for place, group in enumerate(groupings):
        free: list[tuple[Condition, ...]] = [
            (),
            *((one,) for one in group.pool.conditions if group.key not in one.code),
        ]
        for n in range(each):
            value = (*group.values, NUMBER)[(place + n) % (len(group.values) + 1)]
            for _ in range(len(tallies)):
                if errand := tallied(group, free[(place + n) % len(free)], value, next(turning)):
                    yield errand
                    break
        for n, choice in enumerate(CHOICES):
            for _ in range(len(sinks)):
                sink = next(sinking)
                if not sink.asks and (errand := chosen(group, free[(place + n + 1) % len(free)], choice, sink)):
                    yield errand
                    break
