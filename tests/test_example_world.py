"""The example worlds are sound, can be solved, and are what the guide says."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from prowess_desk.expert.expert import Expert

from prowess.commands.collect import collect
from prowess.errors import PolicyError, RecipeError
from prowess.pipeline.checks import check_split
from prowess.pipeline.parts import parts_of
from prowess.pipeline.recipe import Recipe
from prowess.play.prompts import prompt_named
from prowess.recipe import read, to_toml
from prowess.run import Run
from prowess.sandbox import Sandbox, SandboxSettings, open_sandbox
from prowess.worlds.check import RULES, check

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings())
    yield opened
    opened.close()


@pytest.fixture
def pantry(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "examples")
    yield importlib.import_module("own_world").suite(None, sandbox)
    sys.modules.pop("own_world")


def test_the_example_world_keeps_the_contract(pantry: Any) -> None:
    assert check(pantry, tasks=2) == ()


def test_the_example_world_can_be_solved(pantry: Any) -> None:
    world = pantry.open(pantry.tasks("test")[1])
    assert world.execute("print(apis.pantry.show())").text.strip() == '{"salt": 1, "sugar": 1}'
    refused = world.execute("apis.pantry.add(goods='salt', bags=-1)")
    assert refused.failed and "0 < bags < 100" in refused.text
    seen = world.execute("apis.pantry.add(goods='salt', bags=2)\napis.supervisor.complete_task()")
    assert seen.done and seen.apis == ("pantry.add", "supervisor.complete_task")
    assert world.evaluate().success
    world.close()


def test_the_recipe_beside_it_names_somebody_who_shows_how_and_reuses_what_was_written(
    pantry: Any, tmp_path: Path
) -> None:
    recipe = read(Recipe, str(ROOT / "examples" / "pantry.toml"))
    with Run.create(tmp_path, command="collect", recipe_toml=to_toml(recipe), seed=0) as run, parts_of(recipe) as parts:
        found = collect(parts.agent.at, parts.suite, recipe.collect, run, seed=0, workers=2)
        episodes = [played.episode for played in run.episodes()]
    assert (found.kept, found.chains, found.tries) == (8, 8, 24)
    assert [len(episode.called) for episode in episodes if episode.task.id == "oats_2"] == [1] * 4
    check_split(recipe, "test")


@pytest.mark.slow
def test_the_expert_of_desk_says_that_it_is_of_no_use_there(pantry: Any) -> None:
    task = pantry.tasks("train")[0]
    with pytest.raises(PolicyError, match=r"does not understand the task 'Make sure[\s\S]*'module:function'"):
        Expert()(prompt_named("react").opening(task), seed=0)


def test_the_guide_lists_every_rule() -> None:
    table = (ROOT / "docs/extend/world.md").read_text(encoding="utf-8").partition("| rule |")[2].partition("\n\n")[0]
    assert [line.split("|")[1].strip() for line in table.splitlines()[2:]] == list(RULES)


@pytest.fixture
def questions(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "examples")
    yield importlib.import_module("questions")
    sys.modules.pop("questions")


def test_a_file_of_questions_keeps_the_contract(questions: Any, sandbox: Sandbox) -> None:
    assert check(questions.suite(SimpleNamespace(options={}), sandbox), tasks=2) == ()


def test_files_of_questions_are_splits_and_answers_are_compared_as_what_they_are(
    questions: Any, sandbox: Sandbox, tmp_path: Path
) -> None:
    rows: list[dict[str, Any]] = [
        {"kind": "sum", "question": "1 + 1?", "answer": 2},
        {"question": "Whose?", "answer": " Ada "},
        {"kind": "sum", "question": "2 + 2?", "answer": "4.0"},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)))
    suite = questions.suite(SimpleNamespace(options={"dev": str(tmp_path / "q.jsonl")}), sandbox)
    assert suite.splits() == ("dev",)
    assert [task.id for task in suite.tasks("dev")] == ["dev.line2_1", "dev.sum_1", "dev.sum_2"]
    for answer, task, right in [("'ADA'", 0, True), ("2.0", 1, True), ("'4'", 2, True), ("5", 2, False)]:
        world = suite.open(suite.tasks("dev")[task])
        assert world.execute(f"apis.supervisor.complete_task(answer={answer})").done
        assert world.evaluate().success == right
        world.close()
    (tmp_path / "q.jsonl").write_text('{"prompt": "1 + 1?"}\n')
    with pytest.raises(RecipeError, match=r"q.jsonl:1 has no 'question' or no 'answer'"):
        questions.suite(SimpleNamespace(options={"dev": str(tmp_path / "q.jsonl")}), sandbox)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b'{"question": "1 + 1?", "answer": 2}\n{"question"', r"q.jsonl:2 is not JSON: .*\nhint: a line is \{"),
        (b"[1]", r"q.jsonl:1 has no 'question' or no 'answer'"),
        (b'{"question": "Whose?", "answer": null}', r"q.jsonl:1 has no 'question' or no 'answer'"),
        (b"\xff", r"cannot read the questions in '.*q.jsonl': .*utf-8"),
        (None, r"cannot read the questions in '.*q.jsonl': .*No such file"),
    ],
)
def test_a_file_of_questions_that_cannot_be_read_is_told(
    questions: Any, sandbox: Sandbox, tmp_path: Path, content: bytes | None, problem: str
) -> None:
    if content is not None:
        (tmp_path / "q.jsonl").write_bytes(content)
    with pytest.raises(RecipeError, match=problem):
        questions.suite(SimpleNamespace(options={"dev": str(tmp_path / "q.jsonl")}), sandbox)


def test_questions_may_hold_any_character_and_lie_between_blank_lines(
    questions: Any, sandbox: Sandbox, tmp_path: Path
) -> None:
    (tmp_path / "q.jsonl").write_text(
        '\ufeff{"question": "a\u2028b?", "answer": "c"}\n\n{"question": "d?", "answer": "e"}\n', encoding="utf-8"
    )
    suite = questions.suite(SimpleNamespace(options={"dev": str(tmp_path / "q.jsonl")}), sandbox)
    assert [task.instruction for task in suite.tasks("dev")] == ["a\u2028b?", "d?"]


def test_the_prompt_beside_the_questions_is_one(questions: Any, sandbox: Sandbox) -> None:
    task = questions.suite(SimpleNamespace(options={}), sandbox).tasks("train")[0]
    opening = prompt_named(str(ROOT / "examples" / "questions.md")).opening(task)
    assert task.instruction in opening[1].content
