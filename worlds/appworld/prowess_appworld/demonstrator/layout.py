"""Lines of a readable length: what is too long is broken inside its brackets, where Python does not mind."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator

from prowess.text.syntax import tree_of

WIDTH = 110
_OPEN = {"(": ")", "[": "]", "{": "}"}


def laid_out(code: str) -> str:
    """Code that means the same, with its long lines broken.

    >>> print(laid_out("total = sum(" + " + ".join(["value"] * 3) + ")"))
    total = sum(value + value + value)
    """
    lines = [part for line in code.split("\n") for part in _fitted(line)]
    text = "\n".join(lines)
    try:
        same = ast.dump(tree_of(text)) == ast.dump(tree_of(code)) or _but_for_docstrings(text, code)
    except SyntaxError:
        return code
    return text if same else code


def _but_for_docstrings(one: str, other: str) -> bool:
    """True when two programs differ in the white space of their docstrings at the most."""

    def squeezed(code: str) -> str:
        tree = tree_of(code)
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                node.value.value = " ".join(node.value.value.split())
        return ast.dump(tree)

    return squeezed(one) == squeezed(other)


def _fitted(line: str) -> list[str]:
    if len(line) <= WIDTH:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    if line.lstrip().startswith('"""') and line.endswith('"""') and len(line.strip()) > 6:
        words = textwrap.wrap(line.strip().strip('"'), WIDTH - len(indent) - 3, break_long_words=False)
        return [f'{indent}"""{words[0]}', *(f"{indent}{part}" for part in words[1:]), f'{indent}"""']
    group = _widest(line)
    if group is None:
        return [line]
    start, end = group
    parts = [*_split(line[start + 1 : end])]
    if len(parts) < 2:
        inner = _fitted(f"{indent}    {parts[0]}") if parts else []
        return [line[: start + 1], *inner, f"{indent}{line[end:]}"] if len(inner) > 1 else [line]
    inside = [piece for part in parts for piece in _fitted(f"{indent}    {part}")]
    return [line[: start + 1], *inside, *_fitted(f"{indent}{line[end:]}")]


def _widest(line: str) -> tuple[int, int] | None:
    """The outermost pair of brackets with the most in it."""
    found: list[tuple[int, int]] = []
    stack: list[int] = []
    for at, sign in _signs(line):
        if sign in _OPEN:
            stack.append(at)
        elif sign in _OPEN.values() and stack:
            start = stack.pop()
            if not stack:
                found.append((start, at))
    return max(found, key=lambda pair: pair[1] - pair[0], default=None)


def _split(text: str) -> Iterator[str]:
    """The pieces of what brackets hold: arguments, or the parts of a comprehension."""
    depth, cuts = 0, []
    for at, sign in _signs(text):
        if sign in _OPEN:
            depth += 1
        elif sign in _OPEN.values():
            depth -= 1
        elif depth == 0 and sign == "," and text[at : at + 2] == ", ":
            cuts.append((at + 1, at + 2))
        elif depth == 0 and sign == " " and text.startswith((" for ", " if ", " else ", " | ", " and ", " or "), at):
            cuts.append((at, at + 1))
    start = 0
    for end, resume in cuts:
        yield text[start:end]
        start = resume
    if text[start:]:
        yield text[start:]


def _signs(text: str) -> Iterator[tuple[int, str]]:
    """The characters that are not inside a text in quotes."""
    quote, at = "", 0
    while at < len(text):
        sign = text[at]
        if quote:
            if sign == "\\":
                at += 1
            elif sign == quote:
                quote = ""
        elif sign in "\"'":
            quote = sign
        else:
            yield at, sign
        at += 1
