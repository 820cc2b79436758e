"""Numbers with what they count."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "prowess"
PLURAL = re.compile(
    r" ((more|new) )?((API|recorded) calls|chains|checks|conversations|differences|episodes|evaluations|lines|problems"
    r"|proposals|records|replies|scenarios|seeds|skills|steps|tasks|tests|tries|turns|uses|versions|worlds)\b"
)
MANY = {
    *("commands/work/stream.py", "play/rollout.py", "policies/endpoint/endpoint.py", "policies/server/connection.py"),
    *("report/page.py", "learners/torch.py"),  # the second for programmers
}
"""Where there are always several."""


def plurals_in(source: str) -> Iterator[str]:
    """Texts in which a number stands before a plural, whatever the number; a share (2 of 3 tasks) may."""
    for node in ast.walk(ast.parse(source)):
        values = node.values if isinstance(node, ast.JoinedStr) else []
        for at, (number, after) in enumerate(pairwise(values)):
            if isinstance(number, ast.FormattedValue) and isinstance(after, ast.Constant):
                before = values[at - 1] if at else None
                share = isinstance(before, ast.Constant) and str(before.value).endswith(" of ")
                if PLURAL.match(str(after.value)) and not share and number.format_spec is None:
                    yield ast.unparse(node)


def test_a_number_before_a_plural_is_found() -> None:
    code = """f'{n} skills', f'{n} of {m} skills', f'{counted(n, "skill")} told', f'the {name} of skills'"""
    assert list(plurals_in(code)) == ["f'{n} skills'"]


def test_nothing_says_1_skills() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = str(path.relative_to(PACKAGE))
        if name not in MANY:
            assert list(plurals_in(path.read_text(encoding="utf-8"))) == [], name
