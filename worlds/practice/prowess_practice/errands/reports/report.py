"""A report as an errand: lines that go somewhere."""

from __future__ import annotations

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.reports.parts import Paper, Sink, readable, shaped
from prowess_practice.errands.reports.values import drawing
from prowess_practice.errands.transfers.parts import entering


def report(paper: Paper, sink: Sink) -> Errand | None:
    """The errand; none where the two do not go together."""
    given = [*paper.rows.slots.items(), *((slot.name, slot.kind) for slot in (*paper.slots, *sink.slots))]
    slots = dict(given)
    if len(slots) < len(given) or not slots or (sink.only and not {*sink.only} & {*paper.apps}):
        return None
    name = f"{sink.word}_{paper.word}"
    entry = "" if entering(sink.app) in paper.code else entering(sink.app)
    body = f"{paper.code}{entry}{sink.code}    return len(lines)\n"
    source = shaped(name, slots, f"Write {paper.about} {sink.about}; return how many {sink.items}", body)
    if not readable(source, slots):
        return None
    return Errand(
        name=name,
        apps=tuple(dict.fromkeys((*paper.apps, sink.app))),
        slots=slots,
        source=source,
        wordings=paper.texts(sink),
        values=drawing(paper.rows, (*paper.slots, *sink.slots), paper.figures, paper.kind, alone=paper.alone),
        matters=(*((test, "True") for test in paper.rows.tests), *paper.matters),
    )
