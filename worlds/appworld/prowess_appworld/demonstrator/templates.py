"""Text that is put together: a path from a folder, a name and an ending.

    "~/backups/" + note["title"].replace(" ", "_") + ".md"

The parts are values of the instruction, fields of an entry as they are or slightly changed, and text that is always the
same. A way to put the first text together is accepted if it gives all the others, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from prowess.types import Json
from prowess_appworld.demonstrator.sources import Entry, Reader, Source

_TRIES = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A part of a text: Python for it, and what it is in one case."""

    text: str
    value: str
    name: str = ""
    """The value of the instruction that it is, if it is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One text and what it may be put together from."""

    wanted: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """A way to put texts together."""

    text: str
    names: frozenset[str]


def case_of(
    wanted: str, values: Mapping[str, Json], reader: Reader, source: Source | None, entry: Entry | None, task: int
) -> Case:
    """A text with the pieces at hand: values of its task, and fields of an entry."""
    pieces = [
        Piece(text=name, value=value, name=name)
        for name, value in values.items()
        if isinstance(value, str) and len(value) > 1
    ]
    if source is not None and entry is not None:
        for field in reader.fields(source):
            value = reader.value(entry, field, task)
            if isinstance(value, str) and len(value) > 1:
                pieces += _forms(reader.text(source, field), value)
    return Case(wanted=wanted, pieces=tuple(sorted(pieces, key=lambda piece: -len(piece.value))))


def template(cases: Sequence[Case]) -> Template | None:
    """The way that all of these texts are put together, using at least one piece."""
    if not cases:
        return None
    for parts in _ways(cases[0]):
        if all(_same_way(parts, case) for case in cases[1:]):
            return Template(
                text=" + ".join(part.text for part in parts), names=frozenset(p.name for p in parts if p.name)
            )
    return None


def _forms(text: str, value: str) -> Iterator[Piece]:
    yield Piece(text=text, value=value)
    if "/" in value:
        last = value.rstrip("/").split("/")[-1]
        yield Piece(text=f'{text}.rstrip("/").split("/")[-1]', value=last)
    if " " in value:
        yield Piece(text=f'{text}.replace(" ", "_")', value=value.replace(" ", "_"))
    if re.match(r"\d{4}-\d\d-\d\d", value):
        yield Piece(text=f"{text}[:10]", value=value[:10])


def _ways(case: Case) -> Iterator[list[Piece]]:
    """Ways to put a text together, longest pieces first; fixed text in between."""
    tries = 0
    stack: list[tuple[str, list[Piece]]] = [(case.wanted, [])]
    while stack and tries < _TRIES:
        tries += 1
        rest, parts = stack.pop()
        if not rest:
            if any(not _fixed(part) for part in parts):
                yield parts
            continue
        if parts and _fixed(parts[-1]):
            longer = parts[-1].value + rest[0]
            stack.append((rest[1:], [*parts[:-1], Piece(text=_quoted(longer), value=longer)]))
        else:
            stack.append((rest[1:], [*parts, Piece(text=_quoted(rest[0]), value=rest[0])]))
        for piece in reversed(case.pieces):
            if rest.startswith(piece.value):
                stack.append((rest[len(piece.value) :], [*parts, piece]))


def _same_way(parts: Sequence[Piece], case: Case) -> bool:
    values = {piece.text: piece.value for piece in case.pieces}
    built = [part.value if _fixed(part) else values.get(part.text) for part in parts]
    return all(value is not None for value in built) and "".join(str(value) for value in built) == case.wanted


def _fixed(piece: Piece) -> bool:
    return piece.text == _quoted(piece.value)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
