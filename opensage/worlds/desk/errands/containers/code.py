"""Lines of code as a program has them, and words about them."""

from __future__ import annotations

import re

WIDTH = 120


def wrapped(line: str) -> str:
    """A line of code that fits, broken within its brackets where it must be."""
    if len(line) <= WIDTH:
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    for match in re.finditer(r"[(\[]", line):
        start, end = match.end(), _closing(line, match.start())
        inner = f"{indent}    {line[start:end]}"
        if len(inner) <= WIDTH and end - start > 20:
            return f"{line[:start]}\n{inner}\n{indent}{line[end:]}"
    start = line.index("(") + 1
    end = _closing(line, start - 1)
    parts = [f"{indent}    {part},\n" for part in line[start:end].split(", ")]
    return f"{line[:start]}\n{''.join(parts)}{indent}{line[end:]}"


def _closing(line: str, start: int) -> int:
    depth = 0
    for place in range(start, len(line)):
        depth += (line[place] in "([{") - (line[place] in ")]}")
        if not depth:
            return place
    raise ValueError(line)


def said(says: str) -> str:
    """A deed in a docstring: up to its details."""
    return re.split(r"[,:(]| by | with | as | that | in a | for ", re.sub(r'"?\{(\w+)\}"?', r"`\1`", says))[0].rstrip(
        ' "'
    )


def opposite(test: str) -> str:
    """The opposite of a test."""
    if " not in " in test:
        return test.replace(" not in ", " in ")
    return test.replace(" in ", " not in ") if " in " in test else f"not {test}".replace("not not ", "")
