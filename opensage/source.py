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

NAME = "<model>"
"""The file name that model-written code is compiled under."""


def hush(name: str) -> None:
    """Never warn about code compiled under file names that begin with this."""
    for category in (SyntaxWarning, DeprecationWarning):  # an invalid escape sequence is the latter before 3.12
        warnings.filterwarnings("ignore", category=category, module=re.escape(name))


_ONE = threading.Lock()
"""CPython 3.11 counts the depth of trees in one place for all threads: two that build one at once may break."""


def tree_of(code: str) -> ast.Module:
    """The syntax tree of a block; raises what `ast.parse` raises."""
    with _ONE:
        return ast.parse(code, NAME)


hush(NAME)
