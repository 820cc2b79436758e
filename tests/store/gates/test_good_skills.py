"""What the expert of desk writes is refused by no gate; and how many of its programs, spoilt, the leak gate sees."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from prowess_desk.expert.expert import Expert
from prowess_desk.families import FAMILIES
from school import School

from prowess.sandbox import Sandbox
from prowess.store.db import Store
from prowess.store.gates.admission import admit_all, subject_of
from prowess.store.gates.context import Context, Subject
from prowess.store.gates.leak import leak
from prowess.store.settings import GateSettings
from prowess.worlds.expert import GOOD, ExpertSettings

PROGRAMS = {family.program.name for family in FAMILIES.values()}


@pytest.fixture(scope="module")
def played(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[School]:
    """The first task of every family, played by the expert in all its good styles."""
    with Store.open(tmp_path_factory.mktemp("played") / "skills.db") as store:
        school = School(sandbox, store)
        expert = Expert(ExpertSettings(styles=(*GOOD, "student")))
        for task in school.tasks.values():
            if task.id.endswith("_1"):
                assert school.play(task, policy=expert).success
        yield school


@pytest.mark.slow
@pytest.mark.parametrize("knows", ["nothing", "documents", "siblings"])
def test_no_program_of_any_family_is_refused(played: School, tmp_path: Path, knows: str) -> None:
    context = played.context if knows != "nothing" else Context(sandbox=played.sandbox)
    if knows == "siblings":
        context = replace(context, siblings=lambda provenance: played.siblings(provenance.task))
    with Store.open(tmp_path / "copy.db") as store:  # each way from the beginning
        for entry in played.store.entries(heads=False):
            for provenance in played.store.provenances(entry.digest):
                store.add(entry.version, provenance)
            store.test(*played.store.trials(entry.digest))
        admissions = admit_all(store, context)
    assert {admission.name for admission in admissions} >= PROGRAMS
    assert [(one.name, one.refused_by) for one in admissions if one.refused_by] == []
    replayed = Counter(one.verdict for each in admissions for one in each.verifications if one.check == "replay")
    assert set(replayed) == {"pass"}
    unsure = Counter(one.verdict for each in admissions for one in each.verifications if one.check == "leak")
    assert unsure["abstain"] <= {"nothing": 0.3, "documents": 0.1, "siblings": 0.01}[knows] * len(admissions)


@pytest.mark.slow
def test_most_programs_with_a_value_in_place_of_a_parameter_are_seen(played: School) -> None:
    context = Context(vocabulary=played.context.vocabulary)
    seen: Counter[tuple[str, str]] = Counter()
    for entry in played.store.entries():
        if entry.version.name not in PROGRAMS:
            continue
        subject = subject_of(played.store, entry, Context())
        siblings = played.siblings(subject.provenances[0].task)
        for spoilt in _spoilt(subject):
            seen["alone", leak(spoilt, context, GateSettings()).verdict] += 1
            seen["siblings", leak(replace(spoilt, siblings=siblings), context, GateSettings()).verdict] += 1
    total = seen["alone", "pass"] + seen["alone", "abstain"] + seen["alone", "fail"]
    assert total >= 400
    assert seen["siblings", "fail"] >= 0.83 * total
    assert seen["alone", "fail"] >= 0.7 * total
    assert seen["alone", "pass"] <= 0.08 * total


def _spoilt(subject: Subject) -> Iterator[Subject]:
    """The program with each of its parameters, in turn, replaced by the value of the recorded call."""
    call = ast.parse(subject.trials[0].call).body[0]
    assert isinstance(call, ast.Expr) and isinstance(call.value, ast.Call)
    for word in call.value.keywords:
        tree = ast.parse(subject.version.source)
        main = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == subject.version.name)
        main.args.args = [one for one in main.args.args if one.arg != word.arg]
        main.body = [_Put(word.arg or "", word.value).visit(node) for node in main.body]
        if not main.args.defaults:
            source = ast.unparse(ast.fix_missing_locations(tree))
            yield replace(subject, version=replace(subject.version, source=source))


class _Put(ast.NodeTransformer):
    def __init__(self, name: str, value: ast.expr) -> None:
        self.name, self.value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.value if node.id == self.name else node
