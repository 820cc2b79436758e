"""Other names for parameters change nothing else of an errand."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from itertools import chain
from random import Random

import pytest
from prowess_practice.errands import containers, edits, errands, forms, people, transfers
from prowess_practice.errands.errand import Errand
from prowess_practice.errands.naming import NAMES, renamed, told

SOME = Random(3).sample(
    [*chain.from_iterable(one.made() for one in (containers, people, transfers, edits, forms))], 600
)


class _Names(ast.NodeTransformer):
    """Other names by the syntax tree."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(id=self.names.get(node.id, node.id), ctx=node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(arg=self.names.get(node.arg, node.arg), annotation=node.annotation)


def tree(errand: Errand, names: Mapping[str, str]) -> str:
    (function,) = ast.parse(errand.source).body
    assert isinstance(function, ast.FunctionDef)
    function.body = function.body[1:]  # words about it
    return ast.dump(_Names(names).visit(function))


def test_a_program_is_the_same_but_for_its_parameters_names() -> None:
    changed = [(one, other) for one in SOME if (other := renamed(one)) is not one]
    assert len(changed) > 50
    for one, other in changed:
        names = dict(zip(one.slots, other.slots, strict=True))
        assert {*names.items()} - {(slot, slot) for slot in names} <= {*NAMES.items()}
        assert tree(one, names) == tree(other, {}), other.source
        assert all(other.source.count(old) == 1 for old, _ in other.matters), other.name


def test_hardly_a_parameter_is_called_like_a_row() -> None:
    alike = [name for name, family in errands().items() if {*family.slots} & {*NAMES}]
    assert len(alike) < 0.01 * len(errands())


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        (
            "found = next(one for one in cards if one.card == card)",
            "found = next(one for one in cards if one.card == C)",
        ),
        ("card = card.strip()", "C = C.strip()"),
        ("show(card=card, cards=card_id)", "show(card=C, cards=card_id)"),
        ("'card' + f'{card}: {row[\"card\"]}' + \"card\"", "'card' + f'{C}: {row[\"card\"]}' + \"card\""),
        ('"""Take `card`, the card."""', '"""Take `C`, the card."""'),
    ],
)
def test_only_variables_are_renamed(code: str, wanted: str) -> None:
    assert told(code, {"card": "C"}) == wanted
