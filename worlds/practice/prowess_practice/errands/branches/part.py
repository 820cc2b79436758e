"""What errands with branches are put together of: facts to decide by, and deeds to be done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Any

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.layout import WIDTH, fitted
from prowess_practice.errands.people.plan import Slot
from prowess_practice.errands.people.scene import flush


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """Something to be done that is complete in itself."""

    word: str
    apps: tuple[str, ...]
    says: str
    """An imperative, with the slots: `pin my note "{note_to_pin}"`."""
    code: str
    slots: tuple[Slot, ...] = ()
    pays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Something that is measured or found out before anything is done."""

    word: str
    apps: tuple[str, ...]
    reads: str
    """Lines that end with the measure under the name `value`, or with all that `test` needs."""
    value: str = ""
    """What programs call the measure; empty where there is none, but a test."""
    noun: str = ""
    """`the balance of my wallet`"""
    unit: str = ""
    """What stands behind a bound: ` dollars`."""
    more: str = ""
    """Another way to say that it is above the bound: `I have more than {limit} friends on wallet`."""
    kind: type = int
    test: str = ""
    says: str = ""
    """How a task says the test."""
    slots: tuple[Slot, ...] = ()


def part(code: str) -> str:
    """Lines of a program, as tables have them, without what indents them all."""
    return dedent(code).strip("\n") + "\n"


def body(code: str, depth: int = 1) -> str:
    """Lines of a program where they belong, calls that are too long on several."""
    return "".join(f"{fitted(line)}\n" for line in indent(code, "    " * depth).splitlines())


def kinds(*slots: Slot) -> dict[str, type]:
    """The slots as families have them."""
    return {slot.name: slot.kind for slot in slots}


def apps_of(*parts: Iterable[str]) -> tuple[str, ...]:
    """Apps in the order in which they are needed, each once."""
    return tuple(dict.fromkeys(app for apps in parts for app in apps))


def function(name: str, slots: Mapping[str, type], result: str, about: str, apps: Iterable[str], code: str) -> str:
    """The whole function; `code` stands in it as it is."""
    given = [f"{slot}: {'str' if issubclass(kind, str) else kind.__name__}" for slot, kind in slots.items()]
    start = f"def {name}({', '.join(given)}) -> {result}:\n"
    if len(start) > WIDTH:
        start = f"def {name}(\n    {', '.join(given)}\n) -> {result}:\n"
    if len(max(start.splitlines(), key=len)) > WIDTH:
        inside = "".join(f"    {one},\n" for one in given)
        start = f"def {name}(\n{inside}) -> {result}:\n"
    logins = "".join(f'    {app}_token = login(app="{app}")\n' for app in apps)
    return f"{start}{docstring(about)}{logins}{code}"


def docstring(about: str) -> str:
    """The docstring, on more than one line where it is long: it breaks after a sentence."""
    if len(about) + 10 <= WIDTH:
        return f'    """{about}"""\n'
    first, _, rest = about.partition("; " if "; " in about else ". ")
    lines = _broken(f'"""{first.rstrip(".")}.')
    return "\n".join([*lines, "", *_broken(capital(rest)), '    """']) + "\n"


def _broken(text: str) -> list[str]:
    lines = ["   "]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > WIDTH:
            lines.append("   ")
        lines[-1] += f" {word}"
    return lines


def told(text: str) -> str:
    """What a task says, as a docstring says it: slots are the names of arguments."""
    return re.sub(r'"\{(\w+)\}"|\{(\w+)\}', lambda match: f"`{match[1] or match[2]}`", text)


def capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def chosen(draw: Draw, slots: Iterable[Slot]) -> dict[str, Any] | None:
    """A value for each slot; none where one of them finds none."""
    found = {slot.name: slot.choose(draw) for slot in slots}
    return None if any(value is None for value in found.values()) else found


def provided(draw: Draw, deeds: Iterable[Deed]) -> None:
    """Money for what is to be paid."""
    if any(deed.pays for deed in deeds):
        flush(draw)


def disjoint(*slots: Iterable[Slot]) -> bool:
    """Whether no two slots have one name."""
    names = [slot.name for some in slots for slot in some]
    return len(names) == len({*names})


Drawing = Callable[[Draw], Values | None]
