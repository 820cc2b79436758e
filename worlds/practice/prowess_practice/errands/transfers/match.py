"""Errands on rows of one listing that have, or lack, something to do with another listing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.parts import (
    WIDTH,
    DrawingPlan,
    RowPool,
    RowSink,
    Slot,
    Tie,
    Tied,
    capital,
    described,
    drawing,
    entering,
    filtered,
    program,
    ranking,
    turn_of,
)

_CLAUSES = ("that ", "which ", "who ", "whose ")


def joined(*parts: str) -> str:
    """What is said of rows, in one go: clauses last."""
    return " and ".join(sorted((part for part in parts if part), key=lambda part: part.startswith(_CLAUSES)))


def matched(pool: RowPool, conditions: Sequence[Condition], ties: Sequence[Tied], sink: RowSink) -> Errand | None:
    """The errand, or None where the parts do not go together."""
    needs = [need for need in sink.needs if need[0].word not in pool.has]
    ties = [*ties, *(need for need in needs if need[0] not in [tie for tie, _ in ties])]
    words = {pool.word, *(one.word for one in conditions), *(tie.word for tie, _ in ties)}
    if any(word == bar or word.endswith(f"_{bar}") for word in words for bar in sink.bars) or any(
        (tie, not yes) in ties for tie, yes in sink.needs
    ):
        return None
    slots = _slots(pool, conditions, ties, sink)
    if slots is None:
        return None
    names = [pool.word, *(one.word for one in conditions), *(f"{'' if yes else 'not_'}{tie.word}" for tie, yes in ties)]
    name = "_".join([sink.word, *names])
    body = _body(pool, conditions, ties)
    tests = [*(one.code for one in conditions if one.code), *(tie.code("ROW", yes=yes) for tie, yes in ties)]
    short, full = pool.word.replace("_", " "), joined(*(_says(conditions, ties)))
    rest = joined(*(tie.says(yes=yes) for tie, yes in ties))
    about = described(
        *sink.telling(f"the {short} {full}", f"{pool.row}s {full}", f"{pool.row}s {rest}", f"{pool.row}s")
    )
    known = _apps(pool, conditions, ties)
    source = program(name, slots, sink.gives, about, f"{body}{sink_code(sink, pool.row, known)}")
    if any(len(line) > WIDTH for line in source.splitlines()):
        return None
    return Errand(
        name=name,
        apps=_apps(pool, conditions, ties, sink),
        slots=slots,
        source=source,
        wordings=wordings(pool, conditions, ties, sink, turn_of(name)),
        values=drawing(
            DrawingPlan(
                scenes=tuple(one for one in (pool.scene, *(tie.scene for tie, _ in ties), sink.scene) if one),
                first=(*pool.slots, *(slot for tie, _ in ties for slot in tie.slots)),
                rows=_rows(pool, ties),
                conditions=tuple(conditions),
                ranks=(ranking([*slots], body, "found", f'each["{sink.by}"]'),) if sink.by else (),
                last=sink.slots,
            )
        ),
        matters=(*((test.replace("ROW", pool.row), "True") for test in tests[:2]), *sink.drops),
        asks=sink.asks,
    )


def woven(
    pools: Sequence[RowPool], ties: Sequence[Tie], sinks: Sequence[RowSink], *, each: int = 1
) -> Iterator[Errand]:
    """Errands on every pair of a pool and a tie, with other sinks and conditions from one to the next."""
    turn = 0
    for place, one in enumerate(pools):
        for tie in ties:
            if tie.word in one.shuns or tie.word.removeprefix("not_") in one.shuns:
                continue
            made = 0
            for _ in range(len(sinks)):
                turn += 1
                sink = sinks[(turn + place) % len(sinks)]
                free = [(), *((each,) for each in one.conditions), ()]
                given = free[turn % len(free)]
                errand = matched(one, given, [(tie, turn % 3 != 1)], sink)
                if errand:
                    yield errand
                    made += 1
                if made == each:
                    break


def _says(conditions: Sequence[Condition], ties: Sequence[Tied]) -> Iterator[str]:
    yield from (one.about for one in conditions)
    yield from (tie.says(yes=yes) for tie, yes in ties)


def _slots(
    pool: RowPool, conditions: Sequence[Condition], ties: Sequence[Tied], sink: RowSink
) -> dict[str, type] | None:
    """Their kinds by name; None where there is none, or two of one name."""
    given: list[Slot] = [*pool.slots, *(slot for tie, _ in ties for slot in tie.slots), *sink.slots]
    kinds = [*((one.slot, one.kind) for one in conditions if one.slot), *((slot.name, slot.kind) for slot in given)]
    found = dict(kinds)
    return found if 0 < len(found) == len(kinds) else None


def _apps(
    pool: RowPool, conditions: Sequence[Condition], ties: Sequence[Tied], sink: RowSink | None = None
) -> tuple[str, ...]:
    others = [*(one.app for one in conditions), *(tie.app for tie, _ in ties), sink.app if sink else ""]
    return tuple(dict.fromkeys(app for app in (pool.app, *others) if app))


def _reading(pool: RowPool, ties: Sequence[Tied]) -> str:
    """All that is read, each app entered before."""
    known, text = {pool.app}, entering(pool.app)
    for tie, _ in ties:
        if tie.app and tie.app not in known:
            known.add(tie.app)
            text += entering(tie.app)
        text += tie.prelude
    return f"{text}{pool.reading}"


def _tests(pool: RowPool, conditions: Sequence[Condition], ties: Sequence[Tied]) -> list[str]:
    own = [one.code.replace("ROW", pool.row) for one in conditions if one.code]
    return [*own, *(tie.code(pool.row, yes=yes) for tie, yes in ties)]


def _body(pool: RowPool, conditions: Sequence[Condition], ties: Sequence[Tied]) -> str:
    before = "".join(dict.fromkeys(one.prelude for one in conditions))
    return before + _reading(pool, ties) + filtered("found", pool.row, pool.rows, _tests(pool, conditions, ties))


def _rows(pool: RowPool, ties: Sequence[Tied]) -> str:
    """A function that gives the rows with the right ties, for conditions to pick values from."""
    slots = [slot.name for slot in (*pool.slots, *(slot for tie, _ in ties for slot in tie.slots))]
    found = filtered("found", pool.row, pool.rows, _tests(pool, (), ties))
    return f"def rows({', '.join(slots)}):\n{_reading(pool, ties)}{found}    return found\n"


def sink_code(sink: RowSink, row: str, known: Sequence[str]) -> str:
    """The last lines of a program: what becomes of what was found."""
    entry = entering(sink.app) if sink.app and sink.app not in known else ""
    code, returns = (text.replace("ROW", row) for text in (sink.code, sink.returns))
    return f"{entry}{code}    return {returns}\n"


def rowed(sink: RowSink, rows: str) -> str:
    """A sink's words for rows that are named in full."""
    return sink.saying(f"the {rows}" if " of ALL" in sink.do or " ALL's" in sink.do else f"all {rows}")


def wordings(
    pool: RowPool, conditions: Sequence[Condition], ties: Sequence[Tied], sink: RowSink, turn: int
) -> tuple[str, ...]:
    """Some ways to ask for it; the turn says which of them."""
    (main, yes), *others = ties
    said = [one.says for one in conditions]
    more = joined(*said, *(tie.says(yes=there) for tie, there in others))
    whole = f"{pool.many} {joined(*said, *(tie.says(yes=there) for tie, there in ties))}"
    case, answer = ("the case", "yes") if yes else ("not the case", "no")
    without = main.says(yes=not yes)
    every, rest = f"{pool.one} {more}".rstrip(), f"{pool.many} {more}".rstrip()
    few = sink.saying(f"the ones {more}" if more else "them")
    plain = f"{capital(rowed(sink, whole))}."
    checking = (
        f"Check for every {every} whether {main.whether}. Then {sink.saying(f'those for which that is {case}')}.",
        f"I need to know of each {every} whether {main.whether}. If the answer is {answer}, it is one of those I mean:"
        f" please {sink.saying('those')}.",
        f"Go over the {rest} and find out of each of them whether {main.whether}. After that,"
        f" {sink.saying(f'the ones where it is {case}')}.",
    )
    leaving = (
        f"Take the {rest}, leave out the ones {without}, and {sink.saying('the rest')}.",
        f"Of the {rest}, those {without} do not matter to me. Please {sink.saying('the others')}.",
        f"Forget about all {pool.many} {without}. Of what remains, {few if more else sink.saying('these')}.",
    )
    telling = (
        f"It is about {pool.many} {main.says(yes=yes)}. Please {few}.",
        f"There are {pool.many} {main.says(yes=yes)}. Would you please {few}?",
        f"What interests me are {pool.many} {main.says(yes=yes)}. I would like you to {few}.",
    )
    looking = (
        f"Look for {whole}, please. Once you have found them all, {sink.saying('them')}.",
        f"Could you {rowed(sink, whole)}?",
        f"Please find out which {whole} there are, and then {sink.saying('them')}.",
    )
    first = f"{capital(sink.asking(whole))}?" if sink.asks else plain
    last = plain if sink.asks else looking[(turn // 27) % 3]
    return (first, checking[turn % 3], leaving[(turn // 3) % 3], telling[(turn // 9) % 3], last)
