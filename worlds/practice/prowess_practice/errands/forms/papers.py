"""One line for each row, all of them put somewhere together: the places are those of reports."""

from __future__ import annotations

import re

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.forms import pools
from prowess_practice.errands.forms.program import Edit, Plan, errand
from prowess_practice.errands.reports.parts import Sink, sentences
from prowess_practice.errands.transfers.parts import Slot

HEADING = Slot(name="heading", choose=lambda draw: pools.words(draw.rng) + draw.rng.choice(["", ":", "!", "...", " ="]))

_PLACES = (("as subtasks of", "in"), (", which is done with that: tick it off", " (tick that task off afterwards)"))
"""Words of places that do not go with what is said after them here."""


def written(plan: Plan, sink: Sink, order: str) -> Errand | None:
    """The lines in alphabetical order, by time or by size; with a first line where the plan has a slot for it."""
    source, row = plan.source, plan.source.listing.row
    field, said = source.row.when if order == "when" else source.row.size if order == "size" else ("", "")
    headed = HEADING in plan.slots
    vague = not field if order != "name" else plan.chosen[0].kind in ("count", "amount")
    if vague or (headed and sink.item != "line"):
        return None
    edits: list[Edit] = []
    lines = []
    texts = f"{plan.text} for {row} in {source.found}"
    if order == "name":
        lines.append(f"    lines = [heading, *sorted({texts})]" if headed else f"    lines = sorted({texts})")
        edits.append(("sorted(", "(lambda lines: sorted(lines, reverse=True))("))
    else:
        last = ", reverse=True" if order == "size" else ""
        sort = f'    {source.found}.sort(key=lambda one: one["{field}"]{last})'
        lines += [sort, f"    lines = [heading, *({texts})]" if headed else f"    lines = [{texts}]"]
        edits.append((f'one["{field}"]{last})', f'one["{field}"]{"" if last else ", reverse=True"})'))
    if headed:
        edits.append(("heading,", ""))
    apps = tuple(dict.fromkeys((*source.apps, sink.app)))
    return errand(
        plan,
        f"fill_{sink.word}_with_{source.word}",
        f"write a line of a given form {sink.about} for each of the {source.about}",
        apps,
        [*lines, *sink.code.splitlines(), f"    return len({source.found})"],
        wordings=_worded(plan, sink, _ordered(order, said, sink, headed)),
        edits=edits,
        key=f'{row}["{field}"]' if field else "",
    )


def _ordered(order: str, said: str, sink: Sink, headed: bool) -> str:
    first = ' Before all of them comes a first line: "{heading}".' if headed else ""
    if order == "name":
        return f"Put the {sink.items} into alphabetical order.{first}"
    last = "largest first" if order == "size" else "earliest first"
    return f"Sort the {sink.items} by {said}, {last}.{first}"


def _worded(plan: Plan, sink: Sink, order: str) -> tuple[str, ...]:
    source, item = plan.source, sink.item
    one, two = plan.briefs
    first, second, third = (_of_each(item, text) for text in plan.fulls(item))
    all_of, each = f"one {item} for {source.each}", f"one {item} for each of them"
    give, many, place = sink.give, source.many, sink.place
    for old, new in _PLACES:
        place = place.replace(old, new)
    finish = sink.finish.replace("ITEMS", sink.items)
    frames = (
        (
            (f"{give.replace('CONTENT', all_of)}.", first, order),
            (f"I need {all_of}.", first, order, finish),
        ),
        (
            (f"Go through {many}.", f"For each of them I want one {item} {place}: {one}.", order),
            (f"For {source.each} there should be one {item} {place}: {one}.", order),
        ),
        (
            (f"Make a list of {many}, one {item} each.", second, order, finish),
            (f"List {many}.", f"There is one {item} for each.", second, order, finish),
        ),
        (
            (f"This is about {many}.", f"{give.replace('CONTENT', each)}: {two}.", order),
            (f"Find {many}.", f"Make one {item} of each: {two}.", order, finish),
        ),
        (
            (f"Look up {many}.", f"{give.replace('CONTENT', each)}.", third, order),
            (f"Take {many}.", f"What I want is one {item} for each, {place}.", third, order),
        ),
    )
    return tuple(sentences(*pair[plan.turn // 2**bit % 2], sink.join) for bit, pair in enumerate(frames))


def _of_each(item: str, text: str) -> str:
    """A sentence on one of them, said of all."""
    text = re.sub(rf"^The {item}\b", f"Each {item}", text)
    return re.sub(rf"^(In|Begin|For|Copy) the {item}\b", rf"\1 each {item}", text)
