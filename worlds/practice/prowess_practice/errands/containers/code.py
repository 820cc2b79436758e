"""Words about lines of code, and their opposites."""

from __future__ import annotations

import re


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
