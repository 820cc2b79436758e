"""Model-written code as a syntax tree, read without a word about its faults.

The compiler warns of `1if x` or "\\d" on standard error, where nobody can mend somebody else's code. Filters are global
and `warnings.catch_warnings` is not safe with threads, so it is read under a name of its own, and warnings about files
of that name are ignored from the beginning.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from typing import Any

NAME = "<model>"
"""The file name that model-written code is compiled under."""
UNREADABLE = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)
"""What the compiler raises on text that is not a program, or is built to exhaust it."""
LONGEST = 200_000
"""Characters of a text that is read as code: a longer one is no program to us. Memory and time grow with it, and what
others wrote has no end of its own."""


def hush(name: str) -> None:
    """Never warn about code compiled under file names that begin with this."""
    for category in (SyntaxWarning, DeprecationWarning):  # an invalid escape sequence is the latter before 3.12
        warnings.filterwarnings("ignore", category=category, module=re.escape(name))


_ONE = threading.Lock()
"""CPython 3.11 counts the depth of trees in one place for all threads: two that build one at once may break."""


def tree_of(code: str) -> ast.Module:
    """The syntax tree of a block; raises what `ast.parse` raises, and SyntaxError if there is too much of it.

    >>> tree_of("x" * 200_001)
    Traceback (most recent call last):
    SyntaxError: it has 200,001 characters, and code is read up to 200,000
    """
    _check_length(code)
    with _ONE:
        return ast.parse(code, NAME)


def tree_or_none(code: str) -> ast.Module | None:
    """The same, or None where the text cannot be read as code."""
    try:
        return tree_of(code)
    except UNREADABLE:
        return None


def expression_in(text: str) -> ast.expr | None:
    """The tree of a single expression; None where the text is none, or cannot be written again."""
    try:
        _check_length(text)
        with _ONE:
            tree = ast.parse(text, NAME, mode="eval").body
    except UNREADABLE:
        return None
    return tree if writable(tree) else None


def _check_length(code: str) -> None:
    if len(code) > LONGEST:
        raise SyntaxError(f"it has {len(code):,} characters, and code is read up to {LONGEST:,}")


DEEPEST = 120
"""Levels of a tree that can be written as code, copied and compared. Python's ways to do so call themselves at each."""
_BITS = 14_000
"""Bits of a number that can be written: Python refuses more than 4,300 digits, and reads any number of them as 0xff."""


def writable(tree: ast.AST) -> bool:
    """Whether what was read can be written again (`ast.unparse`): it is not nested too deep, and has no number that is
    too long. Code may be made so that it cannot.

    >>> writable(tree_of("x = 1 + 1")), writable(tree_of("x = " + "1 + " * 500 + "1"))
    (True, False)
    """
    level = [tree]
    for _ in range(DEEPEST):
        below: list[Any] = []
        for node in level:
            if type(node) is ast.Constant and type(node.value) is int and node.value >> _BITS:
                return False
            for held in vars(node).values():  # by hand: `ast.iter_child_nodes` takes half as long again
                if type(held) is list:
                    below += held
                elif isinstance(held, ast.AST):
                    below.append(held)
        level = [one for one in below if isinstance(one, ast.AST) and one._fields]
        if not level:
            return True
    return False


def read_tree(code: str) -> ast.Module | None:
    """The syntax tree of a program; None if the text does not compile, or cannot be written again."""
    try:
        tree = tree_of(code)
        compile(tree, NAME, "exec", dont_inherit=True)  # finds what the grammar lets pass
    except UNREADABLE:
        return None
    return tree if writable(tree) else None


hush(NAME)
