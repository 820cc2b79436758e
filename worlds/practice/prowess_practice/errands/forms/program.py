"""An errand out of its parts: which rows, what is done for each or written for all, and how the text is given."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.forms import pools
from prowess_practice.errands.forms.parts import FormDeed, FormField
from prowess_practice.errands.forms.recipes import Recipe
from prowess_practice.errands.forms.sources import FormSource
from prowess_practice.errands.layout import WIDTH, fitted
from prowess_practice.errands.reports.parts import LineSink, sentences
from prowess_practice.errands.transfers.parts import Slot, capital, entering, seen, told

LONGEST, NAME = 22, 52
"""Lines of a program, and letters of its name, at most."""
_TRIES = 5
Edit = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPlan:
    """Rows, and the text that each of them gives."""

    source: FormSource
    recipe: Recipe
    chosen: tuple[FormField, ...]
    turn: int
    style: str
    slots: tuple[Slot, ...]
    """Besides those of the rows and of the text."""

    @property
    def text(self) -> str:
        return self.code(self.recipe.code)

    def code(self, text: str) -> str:
        return self.recipe.coded(text, self.turn, self.chosen, self.source.listing.row)

    def said(self, text: str) -> str:
        return self.recipe.said(text, self.turn, self.chosen)

    @property
    def briefs(self) -> tuple[str, str]:
        """Two ways to say the text, in turn."""
        texts = self.recipe.brief
        one, two = (texts[(self.turn // 2 + step) % len(texts)] for step in range(2))
        return self.said(one), self.said(two)

    def fulls(self, noun: str) -> tuple[str, str, str]:
        """Three sentences that say it, in turn."""
        texts = self.recipe.full
        one, two, three = (texts[(self.turn // 2 + step) % len(texts)].replace("NOUN", noun) for step in range(3))
        return self.said(one), self.said(two), self.said(three)

    @property
    def names(self) -> dict[str, str]:
        return self.recipe.named(self.turn)

    @property
    def takes(self) -> list[tuple[str, type]]:
        given = ((slot.name, slot.kind) for slot in self.slots)
        return [*self.source.slots.items(), *given, *((name, str) for name in self.names.values())]


def errand(
    plan: FormPlan, name: str, about: str, apps: Sequence[str], body: Sequence[str], **other: Any
) -> Errand | None:
    """The errand; none where its parts do not go together. `other`: wordings, further edits and what must differ."""
    slots = dict(plan.takes)
    lines = [*(line for app in apps for line in entering(app).splitlines()), *plan.source.reading, *body]
    head = f"def {name}({', '.join(f'{slot}: {_kind(kind)}' for slot, kind in slots.items())}) -> int:"
    doc = textwrap.wrap(f'"""{capital(told(about))}; return how many."""', WIDTH - 4, break_on_hyphens=False)
    source = "\n".join([fitted(head), *(f"    {line}" for line in doc), *map(fitted, lines)]) + "\n"
    if not slots or len(slots) < len(plan.takes) or not _readable(source, slots) or len(name) > NAME:
        return None
    return Errand(
        name=name,
        apps=tuple(apps),
        slots=slots,
        source=source,
        wordings=other["wordings"],
        values=drawing(plan, other.get("key", "")),
        matters=_edits(plan, other.get("edits", ())),
    )


def _kind(kind: type) -> str:
    return "str" if issubclass(kind, str) else kind.__name__


def _edits(plan: FormPlan, further: Sequence[Edit]) -> tuple[Edit, ...]:
    """Without the condition, or without a part of the text, something else must come of it."""
    found = [(plan.code(old), plan.code(new)) for old, new in plan.recipe.drops]
    if plan.source.given:
        found.append((plan.source.given, ""))
    if plan.source.test:
        found.append((plan.source.test, "True"))
    return (*found, *further)


def _readable(source: str, slots: Mapping[str, type]) -> bool:
    """Whether a program is short, no line is too long, and every name in it has one meaning."""
    lines = source.splitlines()
    made = re.findall(r"^ +(\w+) = ", source, re.MULTILINE)
    bound = {*made, *re.findall(r"\bfor (\w+) in\b", source)}
    once = len(made) == len({*made})
    return len(lines) <= LONGEST and max(map(len, lines)) <= WIDTH and once and not bound & slots.keys()


def drawing(plan: FormPlan, key: str) -> Callable[[Draw], Values | None]:
    """Values out of what the person has, and a text that is drawn anew."""
    source, names = plan.source, plan.names
    first = plan.chosen[0].value.replace("ROW", source.listing.row)
    entry = "".join(map(entering, source.apps))
    body = f"{entry}{''.join(f'{line}{chr(10)}' for line in source.reading)}"
    shown = f"[({first}, {key or 'None'}) for {source.listing.row} in {source.found}]"
    probe = f"def probe({', '.join(source.slots)}):\n{body}    return {shown}\n"

    def values(draw: Draw) -> Values | None:
        for _ in range(_TRIES):
            found = _rows(draw, source)
            if found is None:
                continue
            rows = seen(draw, probe, found)
            pieces = plan.recipe.draw(draw.rng, plan.style, plan.chosen)
            if not pieces or not rows or not _clear(rows, pieces, key):
                continue
            given = {slot.name: slot.choose(draw) for slot in plan.slots}
            texts = {names[piece]: text for piece, text in pieces.items() if piece}
            return None if None in given.values() else {**found, **given, **texts}
        return None

    return values


def _rows(draw: Draw, source: FormSource) -> dict[str, Any] | None:
    found = {slot.name: slot.choose(draw) for slot in source.containers}
    if None in found.values():
        return None
    if source.condition.slot:
        found[source.condition.slot] = source.condition.pick(draw.rng, seen(draw, source.whole, found))
    return None if None in found.values() else found


def _clear(rows: Sequence[tuple[Any, Any]], pieces: Mapping[str, str], key: str) -> bool:
    """Whether a value that is put in holds no sample that is replaced after it, and the order is clear."""
    if key and len({moment for _, moment in rows}) < len(rows):
        return False
    return "second" not in pieces or not any(pieces["second"] in str(value) for value, _ in rows)


def done(plan: FormPlan, deed: FormDeed) -> Errand | None:
    """One thing done for each row."""
    source, row = plan.source, plan.source.listing.row
    numbered = source.row.phone or "numbers[EMAIL]"
    code = deed.code.replace("PHONE", numbered).replace("EMAIL", source.row.email).replace("ROW", row)
    lines = code.splitlines()
    if "{name}" in code:
        lines.insert(0, f"name = {plan.text}")
    elif plan.turn % 2 == 0 or len(code.replace("TEXT", plan.text)) > WIDTH - 8:
        lines = [f"text = {plan.text}", *code.replace("TEXT", "text").splitlines()]
    body = [*deed.before.splitlines(), f"    for {row} in {source.found}:", *(f"        {line}" for line in lines)]
    body = [line.replace("TEXT", plan.text) for line in body]
    apps = tuple(dict.fromkeys((*source.apps, *deed.apps)))
    own = deed.rows or deed.needs
    return errand(
        plan,
        f"fill_{deed.word}_{'for' if not deed.rows else 'the'}_{source.word}".replace("_of_the_", "_of_").replace(
            "_on_the_", "_on_"
        ),
        f"{deed.about} {'each of' if own else 'for each of'} the {source.about}, in a given form",
        apps,
        [*body, f"    return len({source.found})"],
        wordings=_worded(plan, deed),
    )


def _worded(plan: FormPlan, deed: FormDeed) -> tuple[str, ...]:
    source = plan.source
    do = deed.do.replace("THEM", source.row.who or f"that {source.row.noun}")
    plain, each, many, turn = do.removesuffix(","), source.each, source.many, plan.turn
    one, two = plan.briefs
    first, second, third = plan.fulls(deed.noun)
    frames = (
        (f"For {each}, {do} {deed.says} {one}.", f"Please {_late(do, each)} {deed.says} {one}."),
        (f"Go through {many}. For each of them, {plain}. {first}", f"Find {many}, and for each one {plain}. {first}"),
        (f"For {each}, please {plain}. {second}", f"Could you take {many} and {plain} for each of them? {second}"),
        (
            f"This is about {many}: for each of them, {do} {deed.says} {two}.",
            f"Take {many} one by one, and for each, {do} {deed.says} {two}.",
        ),
        (
            f"Look up {many}. I want you to do the same for every single one: {plain}. {third}",
            f"I would like you to do something for {each}: {plain}. {third}",
        ),
    )
    return tuple(pair[turn // 2**place % 2 if _apart(do) else 0] for place, pair in enumerate(frames))


def _apart(do: str) -> bool:
    """Whether a deed can be said before the rows: nothing in it refers to one of them."""
    return not re.search(r"\b(it|its|that|the person|the payer|the sender|the requester)\b", do)


def _late(do: str, each: str) -> str:
    return f"{do.removesuffix(',')} for {each},"


HEADING = Slot(name="heading", choose=lambda draw: pools.words(draw.rng) + draw.rng.choice(["", ":", "!", "...", " ="]))

_PLACES = (("as subtasks of", "in"), (", which is done with that: tick it off", " (tick that task off afterwards)"))
"""Words of places that do not go with what is said after them here."""


def written(plan: FormPlan, sink: LineSink, order: str) -> Errand | None:
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
        wordings=_written_words(plan, sink, _ordered(order, said, sink, headed)),
        edits=edits,
        key=f'{row}["{field}"]' if field else "",
    )


def _ordered(order: str, said: str, sink: LineSink, headed: bool) -> str:
    first = ' Before all of them comes a first line: "{heading}".' if headed else ""
    if order == "name":
        return f"Put the {sink.items} into alphabetical order.{first}"
    last = "largest first" if order == "size" else "earliest first"
    return f"Sort the {sink.items} by {said}, {last}.{first}"


def _written_words(plan: FormPlan, sink: LineSink, order: str) -> tuple[str, ...]:
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
