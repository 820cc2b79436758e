"""Errands on what belongs to one row: the longest, the latest, the dearest of a listing, then others of its kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from prowess_practice.drills.conditions import Condition
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.transfers.match import joined, sink_code
from prowess_practice.errands.transfers.parts import (
    WIDTH,
    DrawingPlan,
    RowPool,
    RowSink,
    Scene,
    Tied,
    capital,
    described,
    drawing,
    entering,
    filtered,
    plural,
    program,
    ranking,
    turn_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Peak:
    """The one row that comes first by something."""

    pool: RowPool
    word: str
    """What a program calls it: `longest`."""
    most: str
    """`is the longest`"""
    by: str
    """What rows are ranked by, `ROW` standing for one."""
    greatest: bool = True

    @property
    def first(self) -> str:
        return "max" if self.greatest else "min"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What belongs to such a row."""

    word: str
    says: str
    """`the other songs of the artist of OF`, where OF stands for the row."""
    row: str
    tests: tuple[str, ...]
    """On `ROW`, `TOP` standing for the row that it belongs to."""
    reading: str
    """Lines that give the rows it is among, under their name in the plural."""
    app: str = ""
    scene: Scene | None = None
    among: str = ""
    """The pool whose rows they are, where it is one."""
    has: tuple[str, ...] = ()
    """Ties that all of them have."""
    kind: str = ""
    """The kind of peak it is for, where not all of them have what it asks for: a pool's word."""


def followed(peak: Peak, conditions: Sequence[Condition], link: Link, sink: RowSink) -> Errand | None:
    """The errand, or None where the parts do not go together."""
    pool, words = peak.pool, {link.among, link.word}
    given = [*pool.slots, *sink.slots]
    kinds = [*((one.slot, one.kind) for one in conditions if one.slot), *((slot.name, slot.kind) for slot in given)]
    slots = dict(kinds)
    if not slots or len(slots) < len(kinds) or {*sink.bars} & words or sink.word == f"{peak.word}_of":
        return None
    needs = [need for need in sink.needs if need[0].word not in link.has]
    name = "_".join([sink.word, link.word, "of", peak.word, pool.word, *(one.word for one in conditions)])
    tests = [test.replace("TOP", peak.word).replace("ROW", link.row) for test in link.tests]
    body, known = _found(peak, conditions, link, needs, tests)
    source = program(name, slots, sink.gives, _about(peak, link, sink), body + sink_code(sink, link.row, known))
    if any(len(line) > WIDTH for line in source.splitlines()):
        return None
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys(app for app in (*_apps(peak, link, needs), sink.app) if app)),
        slots=slots,
        source=source,
        wordings=_wordings(peak, conditions, link, needs, sink, turn_of(name)),
        values=drawing(
            DrawingPlan(
                scenes=tuple(one for one in (pool.scene, link.scene, sink.scene) if one),
                first=pool.slots,
                rows=_listing(peak, ()),
                conditions=tuple(conditions),
                ranks=_ranks(peak, conditions, link, needs, sink, tests),
                last=sink.slots,
            )
        ),
        matters=(
            (f"{peak.word} = {peak.first}(", f"{peak.word} = {'min' if peak.greatest else 'max'}("),
            *((test, "True") for test in tests[:2]),
        ),
        asks=sink.asks,
    )


def _apps(peak: Peak, link: Link, needs: Sequence[Tied]) -> list[str]:
    return [peak.pool.app, link.app, *(tie.app for tie, _ in needs)]


def _first(peak: Peak, conditions: Sequence[Condition]) -> str:
    """All up to the rows of which one comes first."""
    pool = peak.pool
    before = "".join(dict.fromkeys(one.prelude for one in conditions))
    return f"{before}{entering(pool.app)}{pool.reading}"


def _chosen(peak: Peak, conditions: Sequence[Condition]) -> tuple[str, str]:
    """Lines that keep those which meet the conditions, and what they are called then."""
    tests = [one.code.replace("ROW", peak.pool.row) for one in conditions if one.code]
    if not tests:
        return "", peak.pool.rows
    return filtered("chosen", peak.pool.row, peak.pool.rows, tests), "chosen"


def _listing(peak: Peak, conditions: Sequence[Condition]) -> str:
    names = [*(slot.name for slot in peak.pool.slots), *(one.slot for one in conditions if one.slot)]
    lines, rows = _chosen(peak, conditions)
    return f"def rows({', '.join(names)}):\n{_first(peak, conditions)}{lines}    return {rows}\n"


def _found(
    peak: Peak, conditions: Sequence[Condition], link: Link, needs: Sequence[Tied], tests: list[str]
) -> tuple[str, list[str]]:
    """All lines up to what is found, and the apps entered by then."""
    pool, (lines, rows) = peak.pool, _chosen(peak, conditions)
    text = _first(peak, conditions) + lines
    text += f"    {peak.word} = {peak.first}({rows}, key=lambda {pool.row}: {peak.by.replace('ROW', pool.row)})\n"
    known = [pool.app]
    for app in (link.app, *(tie.app for tie, _ in needs)):
        if app and app not in known:
            known.append(app)
            text += entering(app)
    text += "" if link.reading == pool.reading else link.reading.replace("TOP", peak.word)
    text += "".join(tie.prelude for tie, _ in needs)
    every = [*tests, *(tie.code(link.row, yes=yes) for tie, yes in needs)]
    found = filtered("found", link.row, plural(link.row), every) if every else f"    found = {plural(link.row)}\n"
    return text + found, known


def _ranks(
    peak: Peak, conditions: Sequence[Condition], link: Link, needs: Sequence[Tied], sink: RowSink, tests: list[str]
) -> tuple[str, ...]:
    """What must tell the first from the others, and the first of those found, where only that one is asked about."""
    names = [*(slot.name for slot in peak.pool.slots), *(one.slot for one in conditions if one.slot)]
    lines, rows = _chosen(peak, conditions)
    first = ranking(names, _first(peak, conditions) + lines, rows, peak.by.replace("ROW", "each"))
    if not peak.greatest:
        first = first.replace(", reverse=True)", ")")
    body = _found(peak, conditions, link, needs, tests)[0]
    return (first, ranking(names, body, "found", f'each["{sink.by}"]')) if sink.by else (first,)


def _said(link: Link, needs: Sequence[Tied], of: str) -> str:
    return " and ".join([link.says.replace("OF", of), *(tie.says(yes=yes) for tie, yes in needs)])


def _about(peak: Peak, link: Link, sink: RowSink) -> str:
    short = link.word.replace("_", " ")
    rows = link.says.replace("OF", f"the {peak.word} of the {peak.pool.word.replace('_', ' ')}")
    return described(
        *sink.telling(rows, link.says.replace("OF", f"the {peak.word} one"), f"the {short} of the {peak.word}")
    )


def _wordings(
    peak: Peak, conditions: Sequence[Condition], link: Link, needs: Sequence[Tied], sink: RowSink, turn: int
) -> tuple[str, ...]:
    row, said = peak.pool.row, joined(*(one.says for one in conditions))
    one, many = (f"{text} {said}".rstrip() for text in (peak.pool.one, peak.pool.many))
    whole = _said(link, needs, f"the {one} that {peak.most}")
    finding = (
        f"Find the {one} that {peak.most}. Then {sink.saying(_said(link, needs, f'that {row}'))}.",
        f"First look up the {one} that {peak.most}; after that, {sink.saying(_said(link, needs, f'this very {row}'))}.",
    )
    there = (
        f"Among the {many} there is one that {peak.most}. Please {sink.saying(_said(link, needs, f'this {row}'))}.",
        f"Take the {many} and pick the one that {peak.most}. I would like you to"
        f" {sink.saying(_said(link, needs, f'the {row} you picked'))}.",
    )
    certain = (
        f"{capital(sink.saying(_said(link, needs, f'a certain {row}')))}. The {row} I mean is the one that {peak.most}"
        f" among the {many}.",
        f"Please {sink.saying(_said(link, needs, f'one special {row}'))}. It is special because, of all {many}, it is"
        f" the one that {peak.most}.",
    )
    first = f"{capital(sink.asking(whole))}?" if sink.asks else f"{capital(sink.saying(whole))}."
    return (first, finding[turn % 2], there[(turn // 2) % 2], certain[(turn // 4) % 2])


def woven_peaks(
    peaks: Sequence[Peak], links: Sequence[Link], sinks: Sequence[RowSink], *, each: int = 1
) -> Iterator[Errand]:
    """Errands on every pair of a peak and a link, with other sinks and conditions from one to the next."""
    turn = 0
    for peak in peaks:
        for link in links:
            if link.kind not in ("", peak.pool.word):
                continue
            made = 0
            for _ in range(2 * len(sinks)):
                turn += 1
                free = [(), *((one,) for one in peak.pool.conditions if peak.by not in one.code)]
                errand = followed(peak, free[turn % len(free)], link, sinks[turn % len(sinks)])
                if errand:
                    yield errand
                    made += 1
                if made == each:
                    break
