"""Tables over a shared base, and grading by what changed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from typing import ClassVar

import pytest
from prowess_desk.engine.grading import changes, grade, same_answer
from prowess_desk.engine.tables import Base, State, Table
from prowess_desk.engine.universe import universe

NOW = datetime(2025, 5, 18)


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    OWNER: ClassVar[str] = "owner"
    LOOSE: ClassVar[tuple[str, ...]] = ("at",)

    id: int
    owner: int
    text: str
    at: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()

    id: int


def start() -> State:
    memos = [Memo(id=1, owner=1, text="a"), Memo(id=2, owner=2, text="b"), Memo(id=3, owner=1, text="c")]
    return State.over([Base(Memo, memos), Base(Other, [Other(id=1)])], NOW)


def texts(table: Table[Memo], owner: int) -> list[str]:
    return [memo.text for memo in table.of(owner)]


def test_a_fork_changes_nothing_of_what_it_was_forked_from() -> None:
    first = start()
    second = first.fork()
    second[Memo].change(1, text="A")
    second[Memo].remove(2)
    second[Memo].add(lambda id: Memo(id=id, owner=2, text="new"))
    assert texts(first[Memo], 1) == ["a", "c"]
    assert texts(second[Memo], 1) == ["A", "c"]
    assert texts(second[Memo], 2) == ["new"]
    assert [memo.id for memo in second[Memo]] == [1, 3, 4]
    assert (len(first[Memo]), len(second[Memo])) == (3, 3)
    assert second[Memo].get(2) is None
    with pytest.raises(KeyError, match="Memo 2"):
        second[Memo][2]


def test_a_state_knows_which_kinds_were_touched_in_it_or_before_it_was_forked() -> None:
    first = start()
    assert first.untouched
    assert (len(first[Memo]), len(first[Other])) == (3, 1)
    assert first.touched() == [], "looking is not touching"
    first[Other].remove(1)
    second = first.fork()
    second[Memo].change(1, text="A")
    assert (first.touched(), set(second.touched())) == ([Other], {Memo, Other})
    assert list(first.kinds()) == list(second.kinds()) == [Memo, Other]
    assert not second.untouched


def test_rows_found_by_owner_follow_a_change_of_owner() -> None:
    state = start()
    state[Memo].change(1, owner=2)
    assert texts(state[Memo], 1) == ["c"]
    assert texts(state[Memo], 2) == ["b", "a"]


def test_ids_of_deleted_rows_are_not_given_again() -> None:
    state = start()
    row = state[Memo].add(lambda id: Memo(id=id, owner=1, text="x"))
    state[Memo].remove(row.id)
    assert state.fork()[Memo].add(lambda id: Memo(id=id, owner=1, text="y")).id == row.id + 1


def test_changes_name_what_was_created_changed_and_deleted_without_loose_fields() -> None:
    first = start()
    second = first.fork()
    second[Memo].change(1, at=99)
    assert changes(first, second) == {}
    second[Memo].change(3, text="C", at=99)
    second[Memo].remove(2)
    second[Memo].add(lambda id: Memo(id=id, owner=2, text="new", at=5))
    assert set(changes(first, second)[Memo]) == {
        ("deleted", (2,)),
        ("changed", (("id", 3), ("owner", 1), ("text", "C"))),
        ("created", (("owner", 2), ("text", "new"))),
    }


def verdict(final: State, **over: object) -> tuple[str, ...]:
    first = start()
    goal = first.fork()
    goal[Memo].change(1, text="A")
    goal[Memo].add(lambda id: Memo(id=id, owner=1, text="p"))
    goal[Memo].add(lambda id: Memo(id=id, owner=1, text="q"))
    given = {"completed": True, "expected": None, "answer": None, "asks": False} | over
    return grade(start=first, goal=goal, final=final, **given).failed  # type: ignore[arg-type]


def right() -> State:
    final = start()
    final[Memo].add(lambda id: Memo(id=id, owner=1, text="q"))
    final[Memo].add(lambda id: Memo(id=id, owner=1, text="p"))
    final[Memo].change(1, text="A\n")
    return final


def test_the_right_end_state_passes_whatever_the_order_of_creation() -> None:
    assert verdict(right()) == ()


def test_each_way_to_be_wrong_fails_its_check() -> None:
    missing = start()
    missing[Memo].change(1, text="A")
    assert verdict(missing) == ("Memo rows created as asked",)
    twice = right()
    twice[Memo].add(lambda id: Memo(id=id, owner=1, text="p"))
    assert verdict(twice) == ("Memo rows created as asked",)
    collateral = right()
    collateral[Other].remove(1)
    assert verdict(collateral) == ("nothing else changed",)
    deleting = right()
    deleting[Memo].remove(2)
    assert verdict(deleting) == ("nothing else changed",)
    also = right()
    also[Memo].change(3, text="C")
    assert verdict(also) == ("Memo rows changed as asked",)
    assert verdict(right(), completed=False) == ("no answer is given", "the task is marked complete")
    assert verdict(right(), answer="x") == ("no answer is given",)
    assert verdict(right(), asks=True, expected=3, answer=4) == ("the answer is right",)
    assert verdict(right(), asks=True, expected=3, answer=None) == ("the answer is right",)


@pytest.mark.parametrize(
    ("given", "wanted", "same"),
    [
        ("3", 3, True),
        (3.001, 3, True),
        ("$1,200.50", 1200.5, True),
        (" Blue Moon", "blue moon", True),
        (["b", "A"], ["a", "B"], True),
        ("a, b", ["b", "a"], True),
        (["a"], ["a", "a"], False),
        ("4", 3, False),
        (None, "x", False),
        (["x"], "x", False),
        ("a", ["a", "b"], False),
        (True, 1, False),
        ({"a": 1}, "a", False),
        (3, ["3"], False),
        ("red moon", "blue moon", False),
        (["a", "c"], ["a", "b"], False),
        ({"a": 1}, ["a"], False),
        ("true", True, True),
        (False, True, False),
        (None, "none", False),
        ("none", "None", True),
        (3.01, 3, False),
        ("3 songs", 3, False),
    ],
)
def test_answers_are_compared_leniently_in_form_and_strictly_in_content(
    given: object, wanted: object, same: bool
) -> None:
    assert same_answer(given, wanted) is same


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ()
    REFERS: ClassVar[dict[str, type[Memo]]] = {"memo": Memo}

    id: int
    memo: int | None


def commented(*texts: str, on: str | int | None) -> State:
    """New memos of these texts, and one new comment on one of them, or on a memo that was there."""
    state = State.over([Base(Memo, [Memo(id=1, owner=1, text="a"), Memo(id=2, owner=1, text="a")]), Base(Comment)], NOW)
    new = {text: state[Memo].add(lambda id, text=text: Memo(id=id, owner=1, text=text)).id for text in texts}
    state[Comment].add(lambda id: Comment(id=id, memo=new[on] if isinstance(on, str) else on))
    return state


def test_what_points_to_a_new_row_is_compared_by_what_that_holds_and_else_by_its_id() -> None:
    start = State.over([Base(Memo, [Memo(id=1, owner=1, text="a"), Memo(id=2, owner=1, text="a")]), Base(Comment)], NOW)

    def same(one: State, other: State) -> bool:
        return changes(start, one) == changes(start, other)

    assert same(commented("p", "q", on="p"), commented("q", "p", on="p"))
    assert not same(commented("p", "q", on="p"), commented("q", "p", on="q"))
    assert not same(commented("p", on="p"), commented("p", on=None))
    assert not same(commented(on=1), commented(on=2))  # of equal text


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    OWNER: ClassVar[str] = ""
    LOOSE: ClassVar[tuple[str, ...]] = ("at",)
    KEY: ClassVar[tuple[str, ...]] = ("path",)

    id: int
    path: str
    text: str
    at: int = 0


def test_a_row_that_is_its_path_may_be_moved_or_written_anew() -> None:
    start = State.over([Base(Paper, [Paper(id=1, path="a", text="x"), Paper(id=2, path="b", text="y")])], NOW)
    moved, copied, rewritten, changed = (start.fork() for _ in range(4))
    moved[Paper].change(1, path="c", at=5)
    copied[Paper].remove(1)
    copied[Paper].add(lambda id: Paper(id=id, path="c", text="x"))
    assert changes(start, moved) == changes(start, copied)
    assert set(changes(start, moved)[Paper]) == {("created", (("path", "c"), ("text", "x"))), ("deleted", ("a",))}
    rewritten[Paper].remove(1)
    rewritten[Paper].add(lambda id: Paper(id=id, path="a", text="x", at=5))
    assert changes(start, rewritten) == {}
    changed[Paper].change(1, text="z")
    assert set(changes(start, changed)[Paper]) == {("changed", (("path", "a"), ("text", "z")))}


def test_whatever_belongs_to_a_row_that_may_be_new_says_so() -> None:
    given = {"artist", "album", "song", "product_id"}  # nobody makes any
    holds = {"card", "card_id", "expense", "group", "order_id", "payment", "project_id", "task_id"}
    for kind in universe(1).state().kinds():
        found = {field.name for field in fields(kind) if field.name in holds or field.name.endswith("_id")} - given
        assert found == set(getattr(kind, "REFERS", {})), kind.__name__
