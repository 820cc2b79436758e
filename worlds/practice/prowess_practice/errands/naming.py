"""Parameters that no loop is called like: whoever sees `card` for a row here and for a name there writes both at once.

next(card["card_id"] for card in cards if card["name"] == card)      never found, and never noticed
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from prowess_desk.engine.family import Draw, Values

from prowess_practice.errands.errand import Errand
from prowess_practice.errands.layout import WIDE, fitted

NAMES: Mapping[str, str] = {
    **{row: f"{row}_title" for row in ("album", "note", "playlist", "song", "task")},
    **{row: f"{row}_name" for row in ("artist", "card", "folder", "group", "person", "project")},
    **{row: f"{row}_text" for row in ("comment", "expense", "message", "payment")},
}
"""What rows are called in loops, and what a parameter is called instead that names one of them."""
_PIECES = re.compile(r'"""[\s\S]*?"""|f?"[^"\n]*"|f?\'[^\'\n]*\'|(?<![\w.])[a-z_]\w*')
"""Texts and names, from left to right: a name inside a text is none."""


def renamed(errand: Errand) -> Errand:
    """The errand with other names for its parameters, where a loop could be called so."""
    names = {old: NAMES[old] for old in errand.slots if old in NAMES and not _taken(errand.source, NAMES[old])}
    if not names or _loops(errand.source) & {*errand.slots}:
        return errand
    source = "\n".join(fitted(line, WIDE) for line in told(errand.source, names).split("\n"))
    if any(len(line) > WIDE for line in source.splitlines()):
        return errand
    return replace(
        errand,
        slots={names.get(slot, slot): kind for slot, kind in errand.slots.items()},
        source=source,
        wordings=tuple(_asked(wording, names) for wording in errand.wordings),
        values=partial(_drawn, errand, names),
        matters=tuple((told(old, names), told(new, names)) for old, new in errand.matters),
    )


def told(code: str, names: Mapping[str, str]) -> str:
    """Code, or a piece of it, with other names for some variables; arguments of calls keep theirs.

    >>> told('add(card=card, note="the card", text=f"{card} (card)")', {"card": "card_name"})
    'add(card=card_name, note="the card", text=f"{card_name} (card)")'
    """

    def piece(found: re.Match[str]) -> str:
        text = found[0]
        if text.startswith('"""'):
            return re.sub(r"`(\w+)`", lambda word: f"`{names.get(word[1], word[1])}`", text)
        if text.startswith(('f"', "f'")):
            return re.sub(r"\{[^{}]*\}", lambda hole: told(hole[0], names), text)
        given = re.match(r"=(?!=)", code[found.end() :])  # an argument's name; assignments have a space before the sign
        return text if given else names.get(text, text)

    return _PIECES.sub(piece, code)


def _taken(source: str, name: str) -> bool:
    return re.search(rf"\b{name}\b", source) is not None


def _loops(source: str) -> set[str]:
    return {*re.findall(r"\bfor (\w+) in\b", source)}


def _asked(wording: str, names: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda slot: f"{{{names.get(slot[1], slot[1])}}}", wording)


def _drawn(errand: Errand, names: Mapping[str, str], draw: Draw) -> Values | None:
    values = errand.values(draw)
    return values and {names.get(slot, slot): value for slot, value in values.items()}
