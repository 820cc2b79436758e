"""The function of a chain: what its parts say, one after the other."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from prowess_practice.errands.layout import WIDTH, fitted
from prowess_practice.errands.questions.part import Chain, Edits, Slot, Step, Work

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


def bodies(chain: Chain) -> Iterator[tuple[Step | Work | None, str, dict[str, str]]]:
    """Each part's lines with the names it has for the thing before; no part where contacts are looked up."""
    gives: dict[str, str] = {}
    for part in chain.parts:
        missing = [name for name in re.findall(r"<(\w+)>", part.code) if name not in gives]
        if missing and "name" in gives and set(missing) <= _CONTACT.keys():
            yield None, filled(expanded(_JOIN), gives), gives
            gives = {**_CONTACT}
        lines, names = _named(part.code, gives)
        yield part, "\n".join(filter(None, [lines, filled(expanded(part.code), names)])), names
        if isinstance(part, Step):
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


def probe(slot: Slot) -> str:
    """A function that gives all values there are for a slot."""
    return "\n".join(["def probe():", *signed_in([f"    return {expanded(slot.pick)}"])]) + "\n"
