"""Skills in one namespace: whose constant a function sees, and whose helper it calls."""

from __future__ import annotations

from typing import Any

import pytest

from prowess.skills.apart import apart, renamed
from prowess.skills.extract import skills_in
from prowess.types import Skill

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


def test_a_helper_called_like_a_builtin_is_not_everybodys() -> None:
    given = skills(
        "def len(words): return 99\ndef size(words): return len(words)", "def many(words): return len(words)"
    )
    assert [skill.name for skill in given] == ["size", "many"], "and no skill itself"
    names = run(apart(given))
    assert (names["size"]("ab"), names["many"]("ab"), "len" in names) == (99, 2, False)
    assert "len_2" in apart(given[:1])[0].source, "also where it is alone with the agent"


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


CUT = "def cut(words):\n    return words[:2]\n\n\ndef first(words):\n    return cut(words)"
TAIL = "def cut(words):  # from behind\n    return words[-2:]\n\n\ndef last(words):\n    return cut(words)"


def taken(name: str, *blocks: str) -> list[Skill]:
    """The skills of these blocks without those of one name: only what others bring along of them is offered."""
    return [skill for skill in skills(*blocks) if skill.name != name]


def test_each_skill_calls_its_own_helper_whichever_was_loaded_last() -> None:
    found = apart(taken("cut", CUT, TAIL))
    names = run(found)
    assert (names["first"]("abcde"), names["last"]("abcde")) == ("ab", "de")
    assert found[0].source == CUT
    assert found[1].source == TAIL.replace("cut", "cut_2"), "it still reads as it was written, comments and all"


def test_helpers_that_read_alike_and_need_what_differs_are_not_the_same() -> None:
    low, high = (
        f"LIMIT = {n}\ndef cut(words): return words[:LIMIT]\ndef with{n}(words): return cut(words)" for n in (1, 3)
    )
    names = run(apart(taken("cut", low, high)))
    assert (names["with1"]("abcde"), names["with3"]("abcde")) == ("a", "abc")
    same = taken("cut", low, low.replace("with1", "again"))
    assert apart(same) == tuple(same)
    *_, third = apart(taken("cut", low, high, high.replace("with3", "again")))
    assert "LIMIT_2 = 3" in third.source and "def cut_2(" in third.source, "what is the same has one name"


def test_a_helper_that_is_offered_itself_keeps_its_name() -> None:
    given = [*skills(CUT), *taken("cut", TAIL)]
    assert [skill.name for skill in given] == ["cut", "first", "last"]
    assert apart(given) == tuple(given)


@pytest.mark.parametrize(
    "code",
    [
        "def part(n):\n    return n if n < 2 else part(n - 1) + 1\ndef told(): return part(4)",
        "async def part(): ...\ndef told(): return part().close()",
        "class part:\n    size = 4\ndef told(one: part = part()): return one.size, part.__mro__[0] is part",
        "import functools\n@functools.cache\ndef  part(): return 4\ndef told(): return part()",
        "def part(): return 4\ndef told():\n    def part(): return 5\n    return part()",
        "def \\\n  part(): return 4\ndef told(): return part()",
    ],
)
def test_a_helper_of_any_kind_does_the_same_under_another_name(code: str) -> None:
    other = renamed(code, {"part": "piece"})
    before, after = (run([Skill(name="told", source=one)]) for one in (code, other))
    assert before["told"]() == after["told"]()
    assert "part" in before and "piece" in after and "part" not in after


@pytest.mark.parametrize(
    "code",
    [
        "def told():\n    import part\n    return part",
        "def told():\n    try: return 1 / 0\n    except ZeroDivisionError as part: return part",
        "def told(one):\n    match one:\n        case [*part]: return part",
        "class Told:\n    def part(self): return part()\ndef told(): return Told().part()",
    ],
)
def test_a_name_that_stands_for_something_else_as_well_stays(code: str) -> None:
    assert renamed(f"def part(): return 4\n{code}", {"part": "piece"}) == f"def part(): return 4\n{code}"
