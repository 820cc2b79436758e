"""Lines of a program that are too long, broken as a formatter would."""

from __future__ import annotations

import re
from collections.abc import Iterator

WIDTH = 110
"""Characters in a line of a program; one with more is broken where it can be."""
WIDE = 120
"""In the programs of some errands."""


def fitted(line: str, width: int = WIDTH) -> str:
    """A line, or several with what its last brackets hold: all of it, or each part of it by itself.

    >>> print(fitted("rows = pages(first, second)", 20))
    rows = pages(
        first, second
    )
    >>> print(fitted("rows = pages(first, second)", 14))
    rows = pages(
        first,
        second,
    )
    """
    if len(line) <= width or not line.endswith((")", "]", "}", ":")):
        return line
    pad = " " * (len(line) - len(line.lstrip()))
    if line.lstrip().startswith("if "):
        tests = line.strip()[3:-1].replace(" and ", f"\n{pad}    and ")
        return f"{pad}if (\n{pad}    {tests}\n{pad}):"
    found = re.search(r"""\)(\["\w+"\](\.splitlines\(\))?|:| -> \w+:)$""", line)
    end = found[0] if found else line[-1]
    start = _opening(line, len(line) - len(end))
    inside = line[start + 1 : len(line) - len(end)]
    if not inside:
        return line
    parts, mark = _parts(inside) if len(pad) + 4 + len(inside) > width else ([inside], "")
    within = [f"{fitted(f'{pad}    {part}', width)}{mark}" for part in parts]
    return "\n".join([line[: start + 1], *within, f"{pad}{end}"])


def _opening(line: str, close: int) -> int:
    """Where the bracket opens that closes here."""
    depth = 0
    for place in range(close, -1, -1):
        depth += (line[place] in ")]}") - (line[place] in "([{")
        if depth == 0:
            return place
    raise ValueError(line)


def _parts(inside: str) -> tuple[list[str], str]:
    """What stands between brackets, cut before `for` and `if` or at commas, at the outermost level; what ends one."""
    loops, commas = [0], [0]
    for place in _outside(inside):
        if inside.startswith((" for ", " if "), place) and " else " not in inside[place:]:
            loops.append(place + 1)
        if inside.startswith(", ", place):
            commas.append(place + 2)
    return (_cut(inside, loops), "") if len(loops) > 1 else (_cut(inside, commas), ",")


def _cut(text: str, starts: list[int]) -> list[str]:
    return [text[a:b].strip().removesuffix(",") for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]


def _outside(text: str) -> Iterator[int]:
    """Where in a text no bracket and no quote is open."""
    depth, quoted = 0, ""
    for place, letter in enumerate(text):
        if quoted or letter in "\"'":
            quoted = "" if letter == quoted else quoted or letter
            continue
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0:
            yield place
