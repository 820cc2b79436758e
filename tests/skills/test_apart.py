"""Skills in one namespace: whose constant a function sees."""

from __future__ import annotations

from typing import Any

import pytest

from opensage.skills.apart import apart, renamed
from opensage.skills.extract import skills_in
from opensage.types import Skill

FIRST = "LIMIT = 3\ndef first(words): return words[:LIMIT]"
LAST = "LIMIT = 1  # enough\ndef last(words):\n    limit = LIMIT\n    return words[-limit:]"


def skills(*blocks: str) -> list[Skill]:
    return [skill for block in blocks for skill in skills_in(block)]


def run(given: list[Skill] | tuple[Skill, ...]) -> dict[str, Any]:
    """What is there when these skills have been loaded one after the other."""
    names: dict[str, Any] = {}
    for skill in given:
        exec(skill.code, names)  # noqa: S102 (trusted: this file's own)
    return names


def test_each_skill_sees_its_own_constant_whichever_was_loaded_last() -> None:
    found = apart(skills(FIRST, LAST, "LIMIT = 2\ndef middle(words): return words[LIMIT]"))
    names = run(found)
    words = list("abcde")
    assert (names["first"](words), names["last"](words), names["middle"](words)) == (["a", "b", "c"], ["e"], "c")
    assert found[0].source.startswith("LIMIT = 3"), "the first keeps its name"
    assert [skill.name for skill in found] == ["first", "last", "middle"]


def test_what_is_shared_with_the_same_value_or_not_at_all_stays_as_it_is() -> None:
    given = skills(FIRST, FIRST.replace("first", "start"), "MOST = 1\ndef most(): return MOST", "def (")
    assert apart(given) == tuple(given)
    broken = Skill(name="broken", source="LIMIT = = 2")
    assert apart([*given, broken])[-1] is broken


def test_a_new_name_is_nobodys_yet() -> None:
    given = skills(FIRST, "LIMIT_2 = 8\ndef eight(): return LIMIT_2", "LIMIT = 5\ndef five(): return LIMIT")
    names = run(apart(given))
    assert (names["five"](), names["eight"](), names["LIMIT_2"], names["LIMIT_3"]) == (5, 8, 8, 5)


@pytest.mark.parametrize(
    "body",
    [
        "return f'{LIMIT} of {LIMIT!r:>3}'",
        "é = LIMIT; return 'é', LIMIT, dict(LIMIT=LIMIT)",
        "global LIMIT\n    LIMIT += 1\n    return LIMIT",
        "LIMIT = 7\n    return [LIMIT for LIMIT in range(LIMIT)]",
        "return (lambda: LIMIT)(), [LIMIT for _ in 'ab'], 'LIMIT'",
        "return (\n        # LIMIT\n        LIMIT)",
    ],
)
def test_a_program_with_other_names_does_the_same(body: str) -> None:
    source = f"LIMIT = 4\ndef told():\n    {body}"
    other = renamed(source, {"LIMIT": "MOST"})
    before, after = (run([Skill(name="told", source=one)]) for one in (source, other))
    assert before["told"]() == after["told"]()
    assert before["LIMIT"] == after["MOST"] and "LIMIT" not in after


@pytest.mark.parametrize(
    "code", ["def told(LIMIT=LIMIT): return LIMIT", "class Told:\n    LIMIT = LIMIT\ndef told(): return Told.LIMIT"]
)
def test_a_name_that_others_call_by_stays(code: str) -> None:
    assert renamed(f"LIMIT = 4\n{code}", {"LIMIT": "MOST"}) == f"LIMIT = 4\n{code}"
