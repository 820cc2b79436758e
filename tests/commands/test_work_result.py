"""What a stream came to: what became of the skills and why, and what a task costs now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from test_work import worked
from test_work_curve import POINT
from typer.testing import CliRunner

from prowess.cli import app
from prowess.commands.work.care import care
from prowess.commands.work.result import cost, ended, fates
from prowess.commands.work.rounds import offering, with_library
from prowess.errors import RecipeError
from prowess.figures.measure import measure
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.work import unsearched
from prowess.recipe import read
from prowess.report.view import view_of
from prowess.run import Run
from prowess.store.db import Store
from prowess.store.gates.context import Context
from prowess.store.record import Provenance
from prowess.store.settings import GateSettings, SkillSettings
from prowess.types import Skill

WRAPPER = '''def pay(amount: int) -> int:
    """Pay an amount."""
    return apis.ledger.pay(amount=amount)
'''
SHORT = """def owe(amount: int) -> int:
    return apis.ledger.pay(amount=amount + 1)
"""
SUM = '''def summed(amount: int, more: int) -> int:
    """Add two amounts, then pay both."""
    return amount + more
'''


def gated(folder: Path, **skills: str) -> str:
    """What is told of a store in which these were proposed."""
    with Store.open(folder / "skills.db") as store:
        for name, source in skills.items():
            skill = Skill(name=name, source=source, docstring="", apis=())
            store.propose(skill, Provenance(run="r", episode=f"r/{name}", task="t", world="ledger"))
        gates = GateSettings(review_rate=0.0)
        care(store, Context(), SkillSettings(gates=gates), namespace="ledger")
        return fates(store, "ledger")


def test_a_refused_skill_is_told_with_the_gate_and_its_reason(tmp_path: Path) -> None:
    assert gated(tmp_path, pay=WRAPPER) == (
        "skills: 0 active, 0 on probation, 0 in review, 1 rejected (structure: it does no more than call ledger.pay)"
    )


def test_several_refusals_of_a_gate_are_counted_and_one_is_told(tmp_path: Path) -> None:
    assert gated(tmp_path, owe=SHORT, pay=WRAPPER).endswith("2 rejected (2 structure, first: it has no docstring)")


def test_skills_of_other_worlds_are_not_told(tmp_path: Path) -> None:
    gated(tmp_path, pay=WRAPPER)
    with Store.open(tmp_path / "skills.db") as store:
        assert fates(store, "other") == "skills: 0 active, 0 on probation, 0 in review"


def test_what_a_task_costs_is_told_of_the_beginning_and_of_the_end() -> None:
    points = [replace(POINT, place=n, written=1412 if n < 3 else 40) for n in range(6)]
    assert cost(points, width=2) == "tokens per task: 1,412 in the first 2, 40 in the last 2"
    assert cost(points[:1]) == ""


def test_the_library_of_a_stream_is_what_the_store_offers_and_not_what_was_proposed(tmp_path: Path) -> None:
    gates = GateSettings(review_rate=1.0)
    worked(tmp_path, skills=SkillSettings(gates=gates))
    run = Run.open(tmp_path / "run")
    proposed = measure(run.episodes())
    assert proposed[0].library.value > 0
    assert offering(run) == 0, "all that was proposed waits for a person"
    assert with_library(proposed, run)[0].library.value == 0
    assert view_of(run, "run").rows[0].library.value == 0


def test_a_stream_that_ends_before_the_tasks_asked_for_says_so(tmp_path: Path) -> None:
    worked(tmp_path, tasks=60)
    run = Run.open(tmp_path / "run")
    assert ended(run, 60) == "the stream ended: 12 of 60 tasks"
    assert ended(run, 12) == ended(run, 0) == ""


@pytest.mark.parametrize(
    ("sets", "warning"),
    [
        ([], ""),
        (["work.library=none", "retrieval.name=scenario"], ""),
        (
            ["retrieval.name=scenario"],
            "warning: retrieval.name is 'scenario': the search over the store is 'store' (--set retrieval.name=store)",
        ),
    ],
)
def test_a_store_that_another_retriever_is_used_with_is_warned_of(sets: list[str], warning: str) -> None:
    assert unsearched(read(Recipe, "worker-endpoint", sets)) == warning


def test_the_command_warns_of_it_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    sets = ("--set", "retrieval.name=scenario", "--set", "policy.name=expret")
    with pytest.raises(RecipeError, match="unknown policy 'expret'"):
        app(["work", "worker", *sets, "--store", "own.db"], standalone_mode=False)
    assert capsys.readouterr().err.startswith("warning: retrieval.name is 'scenario': the search over the store is")


def test_the_command_ends_with_what_became_of_the_skills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = ("suite.desk.families=['like_artist']", "work.tasks=2", "skills.gates.review_rate=1")
    sets = [part for one in settings for part in ("--set", one)]
    done = CliRunner().invoke(app, ["work", "worker", *sets, "--out", "run", "--store", "own.db", "--workers", "1"])
    assert done.exit_code == 0, done.output
    first, last = done.output.splitlines()[-2:]
    assert first.startswith("tokens per task: ") and first.endswith(" in the last 1")
    assert last.startswith("skills: 0 active, ")
    assert last.endswith("; prowess skills log --store own.db")
