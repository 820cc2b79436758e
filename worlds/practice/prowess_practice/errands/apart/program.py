"""An errand out of its parts: where the texts lie, their shape, which of them count, and what is done with them."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

from prowess_practice.errands.apart.keys import KINDS, Test
from prowess_practice.errands.apart.places import ShapedTexts
from prowess_practice.errands.apart.scene import drawing
from prowess_practice.errands.apart.shapes import Edit, TextShape
from prowess_practice.errands.apart.uses import Use
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.layout import WIDTH, fitted
from prowess_practice.errands.lines.act import nth, sentences
from prowess_practice.errands.transfers.parts import capital, entering, told

LONGEST, NAME = 22, 52
"""Lines of a program, and letters of its name, at most."""
_WHATS = ("item", "point", "subject", "thing")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApartPlan:
    """All that an errand is made of; the turn says how things are called."""

    place: ShapedTexts
    shape: TextShape
    use: Use
    kind: str = ""
    """Of the key; empty where a text has one part."""
    test: Test | None = None
    turn: int

    @property
    def name(self) -> str:
        words = (self.use.word, "by", self.test.word if self.test else "", self.shape.word, "in", self.place.word)
        kind = f"{self.kind}_" if self.kind and not self.test else ""
        return "_".join(word for word in words if word).replace("_by_", f"_by_{kind}")

    @property
    def key(self) -> tuple[str, str]:
        """How the task calls the key, and how the program does."""
        return nth(KINDS[self.kind].nouns, self.turn) if self.kind else ("", "")  # type: ignore[arg-type, return-value]

    @property
    def what(self) -> tuple[str, str]:
        name = nth(_WHATS, self.turn // 3)
        return ("contact", "who") if self.use.person else (name, name)

    @property
    def slots(self) -> list[tuple[str, type]]:
        shaped: list[tuple[str, type]] = [(name, str) for name in self.shape.slots]
        tested: list[tuple[str, type]] = [(self.test.slot, self.test.type)] if self.test else []
        return [*self.place.slots.items(), *shaped, *tested, *((slot.name, slot.kind) for slot in self.use.slots)]

    def names(self, text: str) -> str:
        """Code in which the parts are variables."""
        text = re.sub(r"\bROW\b", self.place.text, text)
        text = re.sub(r"\bTHING\b", self.place.row, text)
        text = re.sub(r"\bWHAT\b", self.what[1], text)
        return re.sub(r"\bKEY\b", self.key[1], text)

    def read(self, text: str) -> str:
        """Code in which the parts are as the shape gives them."""
        text = text.replace("VALUE", KINDS[self.kind].value if self.kind else "KEY")
        for part, found, noun in (("KEY", self.shape.key, self.key[0]), ("WHAT", self.shape.what, self.what[0])):
            if found != part:
                text = re.sub(rf"\b{part}\b", found.replace(part, noun), text)
        return self.names(text)

    def said(self, text: str) -> str:
        """Words with the nouns in them."""
        text = text.replace("<FIRST>", "<remark>").replace("<LAST>", "<more>")
        for token, word in (("NOUNS", self.place.nouns), ("NOUN", self.place.noun)):
            text = re.sub(rf"\b{token}\b", word, text)
        return text.replace("KEY", self.key[0]).replace("WHAT", self.what[0])


def errand(plan: ApartPlan) -> Errand | None:
    """The errand; none where its parts do not go together."""
    slots = dict(plan.slots)
    source = _source(plan)
    if len(slots) < len(plan.slots) or len(plan.name) > NAME or not _readable(source, slots):
        return None
    return Errand(
        name=plan.name,
        apps=_apps(plan),
        slots=slots,
        source=source,
        wordings=_worded(plan),
        values=drawing(plan.place, plan.shape, plan.kind, plan.test, plan.use, (plan.key[0], plan.what[0])),
        matters=_edits(plan, source),
        asks=plan.use.asks,
    )


def _apps(plan: ApartPlan) -> tuple[str, ...]:
    return tuple(dict.fromkeys((plan.place.app, *plan.use.apps)))


def _condition(plan: ApartPlan) -> str:
    return plan.read(" and ".join([plan.shape.guard, *([plan.test.code] if plan.test else [])]))


def _source(plan: ApartPlan) -> str:
    place, use = plan.place, plan.use
    kinds = (f"{slot}: {'str' if issubclass(kind, str) else kind.__name__}" for slot, kind in plan.slots)
    head = f"def {plan.name}({', '.join(kinds)}) -> {use.gives}:"
    entries = [entering(app).rstrip() for app in _apps(plan)]
    opens = [plan.names(line) for line in (*place.opens, *plan.shape.reads)]
    keep, condition = plan.read(use.keeps), _condition(plan)
    if opens:
        loop = [
            "    found = []",
            f"    for {place.row} in {place.rows}:",
            *(f"        {line}" for line in opens),
            f"        if {condition}:",
            f"            found.append({keep})",
        ]
    else:
        loop = [f"    found = [{keep} for {place.row} in {place.rows} if {condition}]"]
    lines = [*entries, *place.code, *loop, *map(plan.names, use.code), f"    return {use.returns}"]
    return "\n".join([fitted(head), *_doc(plan), *map(fitted, lines)]) + "\n"


def _doc(plan: ApartPlan) -> list[str]:
    last = "" if plan.use.asks else "; return how many"
    which = f", with a condition on the {plan.key[0]}" if plan.test else ""
    text = f"{plan.use.about} {plan.place.about} that have {plan.shape.about}{which}{last}"
    return [
        f"    {line}"
        for line in textwrap.wrap(f'"""{capital(told(plan.said(text)))}."""', WIDTH - 4, break_on_hyphens=False)
    ]


def _readable(source: str, slots: dict[str, type]) -> bool:
    """Whether a program is short, no line is too long, and every name in it has one meaning."""
    lines = source.splitlines()
    made = re.findall(r"^ +([\w, ]+) = ", source, re.MULTILINE)
    bound = {*re.findall(r"\w+", " ".join(made)), *re.findall(r"\bfor (\w+)(?:, \w+)? in\b", source)}
    once = len(made) == len({*made})
    return len(lines) <= LONGEST and max(map(len, lines)) <= WIDTH and once and not bound & slots.keys()


def _edits(plan: ApartPlan, source: str) -> tuple[Edit, ...]:
    """Whatever is left out of reading, testing and using, something else must come of it."""
    shape, test, use = plan.shape, plan.test, plan.use
    guard = plan.read(shape.guard)
    whole = f"{guard} and " if test else f"if {guard}"
    found = [] if use.idle else [*plan.place.matters]
    if shape.keyed and not use.joins and not use.rewrites:
        found.append((whole, "" if test else "if True"))
    if not use.rewrites if not shape.keyed else plan.kind in shape.telling and (test or plan.kind == "person"):
        found += [(plan.read(old), plan.read(new)) for old, new in shape.matters]
    if "WHAT" in use.keeps:
        found += [(plan.read(old), plan.read(new)) for old, new in shape.strips]
    if test:
        found += [(plan.read(old), plan.read(new)) for old, new in test.drops]
    if use.keeps == "WHAT" and shape.reads and shape.what == "WHAT":
        found.append((plan.read("found.append(WHAT)"), plan.read("found.append(ROW)")))
    found += [(plan.names(old), plan.names(new)) for old, new in use.matters]
    return tuple(edit for edit in dict.fromkeys(found) if source.count(edit[0]) == 1)


def _worded(plan: ApartPlan) -> tuple[str, ...]:
    shape, place, use, turn = plan.shape, plan.place, plan.use, plan.turn
    note = KINDS[plan.kind].note if plan.kind else ""
    test = plan.test.says if plan.test else ""
    found = []
    for n, frame in enumerate(use.frames):
        says = nth(shape.says, turn + n).replace("FORM", shape.form)
        text = re.sub(r"\bSAYS\b", lambda _, one=says: f"{one} {shape.note} {note}", frame)  # type: ignore[misc]
        text = text.replace("EACH", f"each NOUN of this kind{test}").replace("ALL", f"the NOUNS of this kind{test}")
        text = text.replace("How many the", "How many").replace("how many the", "how many")
        text = plan.said(text)
        found.append(sentences(text.replace("PLACE", nth(place.says, n))))
    return tuple(found)
