"""A question as a function: what its parts say, how it is asked, and values that make its answer clear."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.drills.direct_calls import function_of, looked_up, played
from prowess_practice.errands.errand import FAILURES
from prowess_practice.errands.layout import WIDTH, fitted
from prowess_practice.errands.questions.part import REFERENCES, Chain, Edits, QuestionSlot, QuestionStep, Work

_JOIN = """
    contacts = PAGES(phone.show_contacts)
    contact = next(one for one in contacts if one["name"] == <name>)
"""
_RETURNS = {"number": "int", "percent": "int", "amount": "float", "rounded": "float", "names": "list", "titles": "list"}
_OTHERS = {"I am": "they are", "I": "they", "me": "them", "my": "their", "mine": "theirs"}
"""Who asks, as others call them."""
_FIRST = {"I": "the supervisor", "me": "the supervisor", "my": "the supervisor's", "mine": "the supervisor's"}
"""How they are called where they are named first."""
_VERBS = {
    "am": "is",
    "have": "has",
    "like": "likes",
    "owe": "owes",
    "follow": "follows",
    "share": "shares",
    "paid or share": "paid or shares",
}
"""What they do, after `I` and after `the supervisor`."""
_CONTACT = {field: f'contact["{field}"]' for field in ("name", "email", "phone_number", "contact_id")}
_ASSIGNED = re.compile(r"^ +(\w+)(?:: [^=\n]+)? [-+*/|]?= ", re.MULTILINE)


def expanded(code: str) -> str:
    """Calls as programs write them: `PAGES(app.api, ...)` turns all pages of a listing, `CALL(app.api, ...)` is one."""
    code = re.sub(r"PAGES\((\w+)\.(\w+)", r"all_pages(apis.\1.\2, access_token=\1_token", code)
    return re.sub(r"CALL\((\w+)\.(\w+)", r"apis.\1.\2(access_token=\1_token", code).strip("\n")


def signed_in(lines: list[str]) -> list[str]:
    """The same lines with a login for every app, before the statement that needs it first."""
    out: list[str] = []
    seen: set[str] = set()
    for line in lines:
        for app in re.findall(r"=(\w+)_token\b", line):
            if app not in seen:
                seen.add(app)
                top = len(out) if not line.startswith("     ") else _statement(out)
                out.insert(top, f'    {app}_token = login(app="{app}")')
        out.append(line)
    return out


def _statement(lines: list[str]) -> int:
    """Where the statement begins that the last of these lines are part of."""
    return max(n for n, line in enumerate(lines) if not line.startswith("     "))


def filled(text: str, gives: dict[str, str]) -> str:
    """What a part asks of the thing before it, by the name that it has there: `<email>` becomes `email`."""
    return re.sub(r"<(\w+)>", lambda match: gives[match[1]], text)


def _named(code: str, gives: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Lines that give names to what is asked of the thing, and the names."""
    asked = dict.fromkeys(re.findall(r"<(\w+)>", code))
    lines = [f"    {name} = {gives[name]}" for name in asked if not gives[name].isidentifier()]
    return "\n".join(lines), {name: gives[name] if gives[name].isidentifier() else name for name in asked}


def bodies(chain: Chain) -> Iterator[tuple[QuestionStep | Work | None, str, dict[str, str]]]:
    """Each part's lines with the names it has for the thing before; no part where contacts are looked up."""
    gives: dict[str, str] = {}
    for part in chain.parts:
        missing = [name for name in re.findall(r"<(\w+)>", part.code) if name not in gives]
        if missing and "name" in gives and set(missing) <= _CONTACT.keys():
            yield None, filled(expanded(_JOIN), gives), gives
            gives = {**_CONTACT}
        lines, names = _named(part.code, gives)
        yield part, "\n".join(filter(None, [lines, filled(expanded(part.code), names)])), names
        if isinstance(part, QuestionStep):
            gives = {name: filled(code, {**gives, **names}) for name, code in part.gives.items()}


def program(chain: Chain) -> str:
    """The function, as the expert writes it."""
    lines = signed_in([line for _, body, _ in bodies(chain) for line in body.splitlines()])
    kinds = {slot.name: "str" if issubclass(slot.kind, str) else slot.kind.__name__ for slot in chain.slots}
    head = ", ".join(f"{slot}: {kind}" for slot, kind in kinds.items())
    body = "\n".join(fitted(line) for line in lines)
    return f"def {chain.name}({head}) -> {_RETURNS.get(chain.work.form, 'str')}:\n{_docstring(chain)}\n{body}\n"


def _docstring(chain: Chain) -> str:
    """What the function does, of the one who asks in the third person, with the names of values for them."""
    text = chain.work.tells.replace("X", whole(chain)) + "."
    verbs = "|".join(_VERBS)
    text = re.sub(
        rf"\bI ({verbs})\b|\b(I|me|my|mine)\b",
        lambda match: f"{_FIRST['I']} {_VERBS[match[1]]}" if match[1] else _FIRST[match[2]],
        text,
        count=1,
    )
    text = re.sub(r"\b(I am|I|me|my|mine)\b", lambda match: _OTHERS[match[1]], text)
    text = re.sub(r'"\{(\w+)\}"|\{(\w+)\}', r"`\1\2`", text)
    if len(text) + 10 <= WIDTH:
        return f'    """{text}"""'
    first, *rest = textwrap.wrap(text, WIDTH - 8)
    return "\n".join([f'    """{first}', *(f"    {line}" for line in rest), '    """'])


def whole(chain: Chain) -> str:
    """The thing at the end of the steps, in one phrase."""
    thing = ""
    for step in chain.steps:
        thing = step.says.replace("X", thing)
    return thing


def matters(chain: Chain) -> Edits:
    """Edits of the source that must give another answer."""
    source = program(chain)
    return tuple(
        (_laid_out(filled(expanded(old), names), source), filled(expanded(new), names))
        for part, _, names in bodies(chain)
        if part
        for old, new in part.matters
    )


def _laid_out(text: str, source: str) -> str:
    """Arguments as they stand in the source, on a line each where the line is too long."""
    return text if text in source else text.replace(", ", ",\n        ")


def sound(chain: Chain) -> bool:
    """Whether the parts go together: no listing read twice, no name bound twice, no value said twice."""
    names = [slot.name for slot in chain.slots]
    if not names or len(names) != len({*names}):
        return False
    try:
        found = [(body, re.findall(r"apis\.(\w+\.\w+)", body), _bound(body)) for _, body, _ in bodies(chain)]
    except KeyError:
        return False
    for n, (_, apis, bound) in enumerate(found):
        if bound & {*names} or any(bound & other or {*apis} & {*more} for _, more, other in found[:n]):
            return False
    source = program(chain)
    lines = source.splitlines()
    return all(source.count(old) == 1 for old, _ in matters(chain)) and max(map(len, lines)) <= WIDTH


def _bound(body: str) -> set[str]:
    """What is assigned; arguments have no spaces around their sign."""
    return {*_ASSIGNED.findall(body)}


def turned(source: str) -> list[str]:
    """The source with one listing at a time read from its end, and with halves rounded up.

    Ties, doubles and halves would give another answer.
    """
    pattern = r"(\b(?:max|min|sorted)\()(\w+)(, key=)|(next\([^\n]+? for \w+ in )(\w+)( if )"
    found = []
    for match in re.finditer(pattern, source):
        start, rows, end = (part for part in match.groups() if part is not None)
        found.append(f"{source[: match.start()]}{start}reversed({rows}){end}{source[match.end() :]}")
    return [*found, re.sub(r"\bround\(", "round(1e-9 + ", source)]


def probe(slot: QuestionSlot) -> str:
    """A function that gives all values there are for a slot."""
    return "\n".join(["def probe():", *signed_in([f"    return {expanded(slot.pick)}"])]) + "\n"


FORMS = {
    "number": ("Answer with a number.", "Just give me the number.", "I only need the number."),
    "amount": (
        "Give it in dollars, as a number rounded to two decimals.",
        "Answer with the amount in dollars, rounded to two decimals.",
        "I need it in dollars, rounded to two decimals.",
    ),
    "rounded": (
        "Round it to two decimals.",
        "Give it as a number, rounded to two decimals.",
        "I need it rounded to two decimals.",
    ),
    "percent": (
        "Answer in percent, rounded to a whole number.",
        "Give the percentage as a whole number, rounded.",
        "A whole number of percent, rounded, is what I need.",
    ),
    "name": ("Give the full name.", "Answer with the full name.", "I need the full name."),
    "artist": ("Give the artist's name.", "Answer with the name of the artist.", "I need the artist's name."),
    "title": ("Give the title.", "Answer with the title.", "I only need the title."),
    "called": ("Give its name.", "Answer with the name.", "I need its name, nothing else."),
    "text": ("Give the exact text.", "Answer with the text, word for word.", "I need it word for word."),
    "path": ("Give the full path.", "Answer with the full path.", "I need its full path."),
    "word": ("Answer with that one word.", "One word will do.", "Just name it."),
    "date": (
        "Answer with the date in the form YYYY-MM-DD.",
        "Give the date as YYYY-MM-DD.",
        "I need the date, written YYYY-MM-DD.",
    ),
    "names": ("Answer with a list of names.", "Give me the names as a list.", "I need a list of the names."),
    "titles": ("Answer with a list of titles.", "Give me the titles as a list.", "I need a list of the titles."),
}
"""How the kind of answer is said, three times each."""


def wordings(chain: Chain) -> tuple[str, ...]:
    """Three or four ways to ask for it."""
    work, kind = chain.work, chain.steps[-1].kind
    thing, stepwise, reference = whole(chain), _stepwise(chain), REFERENCES[kind]
    ask, tell = work.asks.replace("X", reference), work.tells.replace("X", reference)
    forms = FORMS[work.form]
    a, b, c = (forms[(chain.turn + n) % 3] for n in range(3))
    short = (f"{work.asks.replace('X', thing)} {a}", f"{work.tells.replace('X', thing)}. {a}")
    long = (
        f"Find {stepwise}. {ask} {b}",
        f"Start with {stepwise}. What I want to know: {_small(ask)} {b}",
        f"First look up {stepwise}. Then {_small(tell)}. {b}",
    )
    topic = (
        f"My question is about {thing}. {ask} {c}",
        f"I am thinking of {thing}. {tell}. {c}",
        f"It is about {thing}: {_small(ask)} {c}",
    )
    certain = work.tells.replace("X", f"a certain {reference.removeprefix('that ')}")
    more = (
        f"{certain}, namely {thing}. {b}",
        f"Can you {_small(certain)}? I mean {thing}. {a}",
        f"Please {_small(certain)}: {thing}. {c}",
    )
    turn = chain.turn
    said = short[turn % 2], long[turn % 3], topic[turn // 2 % 3], more[turn // 3 % 3]
    return said[:3] if reference.startswith("those") else said


def _stepwise(chain: Chain) -> str:
    first, *rest = chain.steps
    thing, kind = first.says, first.kind
    for step in rest:
        if step.says.startswith("X (only"):
            thing = f"{thing}, and keep {step.says.removeprefix('X (').removesuffix(')')}"
            continue
        thing = f"{thing}, and from there go on to {step.says.replace('X', REFERENCES[kind])}"
        kind = step.kind
    return thing


def _small(sentence: str) -> str:
    return sentence if sentence.startswith("I ") else sentence[0].lower() + sentence[1:]


TRIES = 4
"""Values tried with one person."""


def drawing(source: str, slots: tuple[QuestionSlot, ...]) -> Callable[[Draw], Values | None]:
    """What draws the values of a question."""

    def values(draw: Draw) -> Values | None:
        staged: dict[str, Any] = {}
        for stage in dict.fromkeys(slot.stage for slot in slots if slot.stage):
            found = stage(draw)
            if found is None:
                return None
            staged |= found
        for _ in range(TRIES):
            chosen = staged | {slot.name: picked(draw, slot) for slot in slots if slot.name not in staged}
            if None not in chosen.values() and _different(chosen) and _clear(source, draw, chosen):
                return chosen
        return None

    return values


def picked(draw: Draw, slot: QuestionSlot) -> Any:
    """One of the values there are; a bound lies between them."""
    try:
        every = _asked(probe(slot), draw, {})
    except FAILURES:
        return None
    if slot.kind is str:
        fitting = [one for one in every if one and '"' not in one]
        return draw.rng.choice(fitting) if fitting else None
    inner = sorted({one for one in every if one is not None})
    if slot.kind is not int:
        inner = inner[1:-1]
    if not inner:
        return None
    value = draw.rng.choice(inner)
    return slot.kind(value[:10]) if isinstance(value, str) else slot.kind(value)


def _different(values: Mapping[str, Any]) -> bool:
    """Whether no two of the texts are the same."""
    texts = [value for value in values.values() if isinstance(value, str)]
    return len(texts) == len({*texts})


def _clear(source: str, draw: Draw, values: Mapping[str, Any]) -> bool:
    """Whether there is an answer, whatever the order of what is listed."""
    try:
        answer = _asked(source, draw, values)
        return bool(answer) and all(_asked(other, draw, values) == answer for other in turned(source))
    except FAILURES:
        return False


def _asked(source: str, draw: Draw, values: Mapping[str, Any]) -> Any:
    """What a function that only reads gives."""
    function = function_of(source)
    if draw.state.untouched:
        return looked_up(function, draw.state.origin, draw.me.id, values)
    return played(function, draw.state, draw.me, values)
