"""Where the tasks of a stream come from."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from toy import ToySuite

from prowess.commands.work.queue import Lines, Queue
from prowess.commands.work.settings import WorkSettings
from prowess.errors import RecipeError
from prowess.types import Task


def queue(folder: Path, *, stdin: int = 0, **settings: object) -> Queue:
    return Queue(folder, ToySuite(4), WorkSettings(**settings), seed=7, stdin=stdin)  # type: ignore[arg-type]


def ids(tasks: object) -> list[str]:
    return [task.id for task in tasks]  # type: ignore[attr-defined]


def written(path: Path, *lines: str) -> str:
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def piped(text: str, *, end: bool = True) -> tuple[int, int]:
    out, into = os.pipe()
    os.write(into, text.encode())
    if end:
        os.close(into)
    return out, into


def test_a_split_comes_in_an_order_that_depends_on_the_seed_alone(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    one, other = (ids(queue(tmp_path / name).upto(0, 99)) for name in ("a", "b"))
    assert one == other
    assert len(one) == 12
    (tmp_path / "c").mkdir()
    assert ids(queue(tmp_path / "c", skip=4, tasks=5).upto(0, 99)) == one[4:9]


def test_a_file_holds_ids_or_json(tmp_path: Path) -> None:
    whole = '{"id": "count9_1", "scenario": "count9", "instruction": "Raise the counter to 91."}'
    file = written(tmp_path / "tasks", "count0_1", "", '"count1_2"', '{"id": "count100_3"}', whole)
    tasks = queue(tmp_path, queue=file).upto(0, 99)
    assert ids(tasks) == ["count0_1", "count1_2", "count100_3", "count9_1"]
    assert tasks[0] == ToySuite(4).tasks("train")[0]
    assert tasks[3] == Task(id="count9_1", scenario="count9", instruction="Raise the counter to 91.")


@pytest.mark.parametrize(("name", "what"), [("missing.txt", "is not there"), ("folder", "is a folder")])
def test_a_file_that_is_not_there_is_named_with_what_could_be_given(tmp_path: Path, name: str, what: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(RecipeError, match=f"work.queue: the file '.*{name}' {what}") as caught:
        queue(tmp_path, queue=str(tmp_path / name))
    assert "a task id or JSON on each line" in caught.value.hint
    assert "'-' for standard input" in caught.value.hint


def test_a_file_that_is_not_utf_8_is_an_error_of_whoever_named_it(tmp_path: Path) -> None:
    (tmp_path / "tasks").write_bytes(b"\xff\n")
    with pytest.raises(RecipeError, match=r"work.queue: .*tasks is not UTF-8 text: .*\nhint: save the file as UTF-8"):
        queue(tmp_path, queue=str(tmp_path / "tasks"))


def test_a_task_may_hold_separators_that_are_no_line_ends(tmp_path: Path) -> None:
    whole = '{"id": "count9_1", "scenario": "count9", "instruction": "Raise it\u2028to 91."}'
    (task,) = queue(tmp_path, queue=written(tmp_path / "tasks", f"{whole}\r")).upto(0, 99)
    assert task.instruction == "Raise it\u2028to 91."


@pytest.mark.parametrize(
    ("line", "message"),
    [("nothing", "no task 'nothing'"), ('{"id"', "is not JSON"), ("[1]", "names no task"), ('{"name": 1}', "names no")],
)
def test_a_line_of_a_file_that_names_no_task_is_told_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(RecipeError, match=message) as told:
        queue(tmp_path, queue=written(tmp_path / "tasks", "count0_1", line))
    assert "tasks:2" in str(told.value)


def test_a_file_that_grows_is_gone_on_with_and_what_was_read_stays(tmp_path: Path) -> None:
    file = written(tmp_path / "tasks", "count0_1", "count0_2")
    assert ids(queue(tmp_path, queue=file).upto(0, 9)) == ["count0_1", "count0_2"]
    written(tmp_path / "tasks", "count3_3", "count0_2", "count1_1")
    assert ids(queue(tmp_path, queue=file).upto(0, 9)) == ["count0_1", "count0_2", "count1_1"]


def test_nothing_to_do_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match=r"12 tasks, and work\.skip is 12\nhint: a smaller work\.skip"):
        queue(tmp_path, skip=12)


def test_lines_of_standard_input_are_worked_on_as_they_come(tmp_path: Path) -> None:
    out, into = piped("count0_1\ncount0_2\n", end=False)
    tasks = queue(tmp_path, queue="-", stdin=out)
    assert ids(tasks.upto(0, 5)) == ["count0_1", "count0_2"]  # without waiting for five
    os.write(into, b"count1_1\n")
    os.close(into)
    assert ids(tasks.upto(2, 5)) == ["count1_1"]
    assert ids(tasks.upto(3, 5)) == []


def test_what_was_read_from_standard_input_outlives_the_process(tmp_path: Path) -> None:
    out, _ = piped("count0_1\ncount0_2\n")
    queue(tmp_path, queue="-", stdin=out).upto(0, 5)
    out, _ = piped("count0_3\n")
    later = queue(tmp_path, queue="-", stdin=out)
    assert ids(later.upto(0, 2)) == ["count0_1", "count0_2"]
    assert ids(later.upto(2, 5)) == ["count0_3"]


def test_a_typing_error_is_said_and_passed_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = piped("cuont0_1\x1b[31m\ncount0_2\n")
    assert ids(queue(tmp_path, queue="-", stdin=out).upto(0, 5)) == ["count0_2"]
    said = capsys.readouterr().err
    assert "no task 'cuont0_1" in said
    assert "\x1b" not in said


def test_siblings_are_all_of_the_scenario_whether_or_not_they_came(tmp_path: Path) -> None:
    tasks = queue(tmp_path, queue=written(tmp_path / "tasks", "count0_1", "count100_2"))
    assert tasks.siblings("count0", "count0_1") == ["Raise the counter to 2.", "Raise the counter to 3."]
    assert tasks.siblings("count100", "count100_2") == ["Raise the counter to 1001.", "Raise the counter to 1003."]
    assert tasks.siblings("elsewhere", "x") == []


def test_repetitions_of_a_task_are_counted(tmp_path: Path) -> None:
    tasks = queue(tmp_path, queue=written(tmp_path / "tasks", "count0_1", "count0_2", "count0_1", "count0_1"))
    assert [tasks.repetition(place) for place in range(4)] == [0, 0, 1, 2]


def test_lines_wait_for_the_first_only_and_skip() -> None:
    out, into = piped("a\n\nb\nc", end=False)
    lines = Lines(out, skip=1)
    assert lines.take(5) == ["b"]
    os.close(into)
    assert (lines.take(5), lines.take(5)) == (["c"], [])
    out, _ = piped("a\nb\nc\n")
    assert Lines(out).take(2) == ["a", "b"]
