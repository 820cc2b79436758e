"""Errands: each finds people whom it serves, is asked for in words that read back, and the expert does it."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

import pytest
from playing import Desk, conversation, play
from prowess_desk.engine.case import SIBLINGS, Case, case_of
from prowess_desk.engine.family import Family, Mistake, by_name, source_of
from prowess_desk.engine.grading import changes
from prowess_desk.engine.world import DeskSuite, facts_of
from prowess_desk.expert.job import Job
from prowess_desk.expert.openings import openings
from prowess_desk.expert.slips import slips_in
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings
from prowess_practice.drills import _apis, _named, drills, harmless
from prowess_practice.errands import apart, errands, every, forms, pairs
from prowess_practice.errands.errand import Errand, edited, family_of

from prowess.errors import RecipeError, WorldError
from prowess.skills.reach import apis_in
from prowess.types import Task

SOME = 200
"""So many are drawn and played here; all of them take minutes."""


@cache
def made() -> tuple[Errand, ...]:
    """All, those that are left out later among them."""
    return (*every(), *pairs())


@cache
def known() -> list[tuple[Task, Case]]:
    found = []
    for name in Random(1).sample(sorted(errands()), SOME):
        with suppress(WorldError):  # some have no three people here: see below
            found += _drawn(errands()[name])
    return found


def _drawn(family: Family) -> list[tuple[Task, Case]]:
    tasks = []
    for sibling in range(SIBLINGS):
        case = case_of(family, 5, 6, sibling)
        said = family.say(case.values, sibling % len(family.wordings))
        scenario = f"{family.name}.0"
        task = Task(
            id=f"{scenario}_{sibling + 1}", scenario=scenario, instruction=said, facts=facts_of(case), difficulty=2
        )
        tasks.append((task, case))
    return tasks


def test_there_are_thousands_and_they_differ_in_what_they_call() -> None:
    assert len(errands()) > 7000
    assert not drills().keys() & errands().keys()
    sources = {family.name: source_of(family.program.functions[0]) for family in errands().values()}
    assert len({_named(source) for source in sources.values()}) > 3000
    assert not [name for name, source in sources.items() if re.search(r"apis\.(shop|mail)\b", source)]


def test_a_program_is_compiled_when_it_is_first_played_and_no_other_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    really = compile
    compiled: list[object] = []

    def noting(source: Any, name: str, mode: str, flags: int = 0, **more: Any) -> Any:
        if not flags & ast.PyCF_ONLY_AST:  # syntax trees are read where two are put together
            compiled.append(source)
        return really(source, name, mode, flags, **more)

    monkeypatch.setattr(builtins, "compile", noting)
    some = {errand.name: errand for errand in Random(8).sample(made(), SOME)}
    families = by_name(harmless(map(family_of, some.values())))  # made anew: those of errands() may have been played
    assert openings(families.values()).readings("Nobody asks for this.") == []
    assert not compiled
    sources = {errand.source for errand in some.values()}
    for name in [*families][:10]:
        with suppress(WorldError):
            _drawn(families[name])
            assert {*compiled} & sources == {some[name].source}
        (program,) = families[name].program.functions
        assert program.__code__ is program.__code__, "once"
        compiled.clear()


def test_what_a_program_names_is_what_its_syntax_tree_reaches() -> None:
    written = [source_of(one) for family in FAMILIES.values() for one in family.program.functions]
    some = Random(4).sample([errand.source for errand in made()], 400)
    for source in (*written, *some):
        assert _named(source) == {*apis_in(source)}, source


def test_none_calls_the_apis_of_a_family_that_nothing_may_be_learnt_from() -> None:
    theirs = [_apis(family) for family in FAMILIES.values() if family.split != "train"]
    alike = [family.name for family in errands().values() if _apis(family) in theirs]
    assert not [name for name in alike if errands()[name].asks or len(errands()[name].apps) > 1]
    assert len(alike) < 0.01 * len(errands())


def test_every_errand_has_three_wordings_and_says_what_it_takes() -> None:
    for errand in made():
        assert len(errand.wordings) >= 3, errand.name
        assert len({*errand.wordings}) == len(errand.wordings), errand.name
        for wording in errand.wordings:
            assert all(f"{{{slot}}}" in wording for slot in errand.slots), (errand.name, wording)
        (function,) = ast.parse(errand.source).body
        assert isinstance(function, ast.FunctionDef)
        assert [one.arg for one in function.args.args] == [*errand.slots], errand.name
        assert ast.get_docstring(function), errand.name
        assert errand.matters, errand.name
        assert all(edited(errand, *edit) for edit in errand.matters)
        assert all(len(line) <= 120 for line in errand.source.splitlines()), errand.name


def test_an_instruction_reads_back_as_its_values_and_as_nothing_else() -> None:
    everything = openings((*FAMILIES.values(), *drills().values(), *errands().values()))
    for task, case in known():
        given = {slot: case.values[slot] for slot in case.family.slots}
        assert everything.readings(task.instruction) == [(case.family, given)], task.instruction


def test_the_program_passes_through_the_apis() -> None:
    for task, case in known():
        verdict, error = play(case)
        assert not error, (task.instruction, error)
        assert not verdict.failed, (task.instruction, verdict)


def test_the_expert_does_errands_from_the_conversation_alone() -> None:
    for task, case in Random(3).sample(known(), min(len(known()), 60)):
        replies, desk = conversation(task, case, "observer")
        assert not desk.verdict().failed, (task.instruction, replies)


def test_nearly_all_find_people_whom_they_serve() -> None:
    mine = Random(2).sample(sorted(errands()), SOME)
    lost = []
    for name in mine:
        try:
            _drawn(errands()[name])
        except WorldError:
            lost.append(name)
    assert len(lost) <= 0.05 * len(mine), lost


def test_no_program_gives_another_meaning_to_what_it_takes() -> None:
    for errand in made():
        assert not {*_bound(errand.source)} & errand.slots.keys(), errand.name


def _bound(source: str) -> Iterator[str]:
    """What a program assigns; a comprehension has names of its own."""
    for node in ast.walk(ast.parse(source)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.For) else []
        yield from (name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name))


def test_exact_texts_are_drawn_anew_and_stand_in_the_task_as_they_are_used() -> None:
    given = [errand for errand in forms.made() if ".replace(" in errand.source]
    texts = []
    for errand in Random(5).sample(given, 40):
        with suppress(WorldError):
            for task, case in _drawn(family_of(errand)):
                form = case.values[next(slot for slot in errand.slots if f"{slot}.replace(" in errand.source)]
                assert f'"{form}"' in task.instruction
                texts.append(form)
    assert len({*texts}) > 0.95 * len(texts) > 100


def test_two_in_one_are_both_done_and_neither_is_left_out_elsewhere() -> None:
    single = {errand.name: errand for errand in every()}
    halves = [_halves(errand, single) for errand in pairs()]
    assert len({*halves}) == len(halves) > 1000
    assert all(name in errands() and not errands()[name].kept for pair in halves for name in pair)
    longer = [len(errand.source.splitlines()) for errand in pairs()]
    assert sum(longer) / len(longer) > 18
    for errand, pair in Random(6).sample([*zip(pairs(), halves, strict=True)], 60):
        apis = [apis_in(single[name].source) for name in pair]
        assert {*apis_in(errand.source)} == {*apis[0], *apis[1]}, errand.name
        assert len(errand.matters) == sum(len(single[name].matters) for name in pair)


def _halves(errand: Errand, single: dict[str, Errand]) -> tuple[str, str]:
    parts = errand.name.split("_and_")
    cuts = (("_and_".join(parts[:at]), "_and_".join(parts[at:])) for at in range(1, len(parts)))
    return next((a, b) for a, b in cuts if a in single and b in single)


def test_marks_between_the_parts_of_a_text_are_drawn_anew_and_told() -> None:
    signs = {"separator", "left", "right", "bullet", "ending", "equals", "between", "hashtag"}
    shaped = [errand for errand in apart.made() if signs & errand.slots.keys()]
    assert len(shaped) > 600
    drawn: dict[str, list[str]] = {}
    for errand in Random(6).sample(shaped, 60):
        with suppress(WorldError):
            for task, case in _drawn(family_of(errand)):
                for slot in signs & errand.slots.keys():
                    assert case.values[slot] in task.instruction
                    drawn.setdefault(slot, []).append(case.values[slot])
    assert len({*drawn["separator"]}) > 15
    assert all(len({*values}) > 0.2 * len(values) for values in drawn.values()), drawn


def test_a_text_that_is_not_read_apart_is_taken_for_another() -> None:
    whole = ("wanted in ", "bullet in ", "ending in ", "hashtag in ", "wanted.lower() in ")
    tempting = [errand for errand in apart.made() if any(new.startswith(whole) for _, new in errand.matters)]
    assert len(tempting) > 250
    for errand in Random(7).sample(tempting, 40):
        case = case_of(family_of(errand), 5, 6, 0)
        for old, new in errand.matters:
            verdict, error = play(case, mistake=Mistake(name="", old=old, new=new))
            assert error or verdict.failed, (errand.name, old, new)


def test_errands_come_after_the_drills_and_fresh_ones_last() -> None:
    suite = DeskSuite(DeskSettings(drills=2, errands=4, fresh_errands=3, fresh=1), None)  # type: ignore[arg-type]
    names = [task.scenario.split(".")[0] for task in suite.tasks("train")[::SIBLINGS]]
    assert {*names[:2]} <= drills().keys()
    assert {*names[2:6], *names[-3:]} <= errands().keys()
    assert {*names[6:-3]} <= FAMILIES.keys()
    assert [errands()[name].kept for name in (*names[2:6], *names[-3:])] == [False] * 4 + [True] * 3
    for task in suite.tasks("train")[6:9]:
        assert suite.case(task).family.name == task.scenario.split(".")[0]
    with pytest.raises(RecipeError, match="fresh_errands is -1"):
        DeskSettings(fresh_errands=-1)


def test_slips_in_errands_and_families_fail_before_anything_is_done() -> None:
    lessons, amiss = [], []
    shown = [family for family in FAMILIES.values() if family.split == "train"]
    some = (*Random(2).sample(shown, 60), *(errands()[name] for name in Random(2).sample(sorted(errands()), 90)))
    for family in some:
        with suppress(WorldError):
            case = case_of(family, 5, 6, 0)
            job = Job(family=family, values=case.values, offered=frozenset(), rng=Random(0))
            for wrong, lesson in (Random(1).choice(kind) for kind in slips_in(job, job.source())):
                desk = Desk(case)
                desk.names["print"] = lambda *values: None
                lessons.append(lesson)
                if not desk.run(f"{wrong}\n\n\n{job.using()}") or changes(case.start, desk.state):
                    amiss.append((family.name, lesson))
    assert len(amiss) <= 0.005 * len(lessons), amiss
    kinds = ("has no pages", "is an e-mail address", "what I look for", "is not a text", "is a text", "has logged in")
    for words in kinds:
        assert any(words in lesson for lesson in lessons), words
