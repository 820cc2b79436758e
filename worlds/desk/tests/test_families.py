"""Every scenario family of desk: what is asked can be read back, the expert does it, and plausible mistakes fail."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import string
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from playing import Desk, code_of, conversation, play, program_of, tasks_of
from prowess_desk.engine.case import Case, case_of
from prowess_desk.engine.desk import APPS
from prowess_desk.engine.family import Draw, Family, Mistake, source_of
from prowess_desk.engine.grading import changes
from prowess_desk.engine.universe import universe
from prowess_desk.engine.world import SPLITS
from prowess_desk.expert.job import IMPORTS, functions_of, written
from prowess_desk.expert.looks import looks
from prowess_desk.expert.styles import STYLES
from prowess_desk.families import FAMILIES
from prowess_desk.families.toolbox import TOOLBOX

from prowess.seeds import draw
from prowess.skills.extract import skills_in
from prowess.skills.reach import apis_in
from prowess.types import Task

SCENARIOS = 2
RESERVED = {"shop", "mail"}

every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=lambda family: family.name)


@cache
def known(family: Family) -> list[tuple[Task, Case]]:
    return tasks_of(family, SCENARIOS)


def cases(family: Family) -> list[Case]:
    return [case for _, case in known(family)]


def slots_in(text: str) -> list[str]:
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


# What a family states


@every_family
def test_a_family_is_described_in_full(family: Family) -> None:
    assert re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", family.name)
    assert family.split in SPLITS
    assert family.difficulty in (1, 2, 3)
    assert len(set(family.wordings)) >= 3
    for wording in family.wordings:
        assert sorted(set(slots_in(wording))) == sorted(family.slots), wording
    assert set(family.slots.values()) <= {str, int, float, list}
    assert set(slots_in(family.program.call)) <= set(family.slots)
    assert len(family.mistakes) >= 2
    assert len({mistake.name for mistake in family.mistakes}) == len(family.mistakes)


@every_family
def test_only_challenge_families_touch_shop_and_mail_and_each_needs_both(family: Family) -> None:
    if family.split == "test_challenge":
        assert set(family.apps) >= RESERVED
    else:
        assert not set(family.apps) & RESERVED


@every_family
def test_the_apps_of_a_family_are_those_its_program_calls(family: Family) -> None:
    source = program_of(family)
    called = set(re.findall(r"\bapis\.(\w+)\.", source)) | set(re.findall(r'\blogin\((?:app=)?"(\w+)"\)', source))
    assert called - {"supervisor", "api_docs"} == set(family.apps)
    for app, api in re.findall(r"\bapis\.(\w+)\.(\w+)", source):
        assert api in APPS[app].apis, f"{app}.{api} does not exist"


@every_family
def test_the_functions_of_a_program_stand_alone_and_say_what_they_do(family: Family) -> None:
    functions = functions_of(family)
    for function in family.program.functions:
        assert (inspect.getdoc(function) or "").count("\n") == 0, "one line of docstring"
        assert inspect.getdoc(function)
        hints = function.__annotations__
        assert set(inspect.signature(function).parameters) | {"return"} == set(hints), "every parameter is typed"
        names = {name for name in _globals_of(function) if not hasattr(builtins, name)}
        assert names <= {"apis", *IMPORTS, *functions}, f"{function.__name__} uses names that an agent does not have"
        assert len(source_of(function).splitlines()) <= 32


def _globals_of(function: Callable[..., Any]) -> set[str]:
    """Names a function's source loads that are neither parameters nor assigned in it."""
    tree = ast.parse(source_of(function))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return {node.id for node in names} - bound


def test_no_two_families_define_a_function_of_one_name_differently() -> None:
    seen: dict[str, Callable[..., Any]] = dict(TOOLBOX)
    mains = Counter(family.program.name for family in FAMILIES.values())
    assert [name for name, count in mains.items() if count > 1 or name in TOOLBOX] == []
    for family in FAMILIES.values():
        for function in family.program.functions:
            assert seen.setdefault(function.__name__, function) is function, function.__name__


# The instruction


@every_family
def test_an_instruction_reads_back_as_its_values_and_as_no_other_family(family: Family) -> None:
    for case in cases(family):
        slots = {slot: case.values[slot] for slot in family.slots}
        for slot, kind in family.slots.items():
            assert type(slots[slot]) is kind, f"{slot} is {slots[slot]!r}"
            for text in slots[slot] if kind is list else [slots[slot]] if kind is str else []:
                assert isinstance(text, str) and text == text.strip() and '"' not in text and "Task:" not in text
                assert text, f"{slot} is empty"
                assert kind is str or (" and " not in text and "," not in text)
        assert all(name in slots or name.startswith("other") for name in case.values)
        for wording in range(len(family.wordings)):
            said = family.say(case.values, wording)
            assert family.read(said) == slots, said
            readers = [each.name for each in FAMILIES.values() if each.read(said) is not None]
            assert readers == [family.name], said


# Making


@every_family
def test_the_same_seed_makes_the_same_case(family: Family) -> None:
    case = cases(family)[0]
    seed = 7
    first, again = (case_of.__wrapped__(family, seed, case.universe, 0) for _ in range(2))
    assert (first.me, first.values, first.answer) == (again.me, again.values, again.answer)
    assert changes(first.start, again.start) == {} and changes(first.goal, again.goal) == {}


@every_family
def test_the_answer_of_a_task_is_not_that_of_its_sibling(family: Family) -> None:
    for n in range(0, 3 * SCENARIOS, 3):
        answers = [str(case.answer) for case in cases(family)[n : n + 3]]
        assert not family.asks or len(set(answers)) == 3, answers


@every_family
def test_most_people_will_do(family: Family) -> None:
    world = universe(cases(family)[0].universe)
    made = 0
    for attempt in range(20):
        rng = draw(attempt, family.name)
        made += (
            family.make(Draw(rng=rng, state=world.state(), me=rng.choice(world.people), people=world.people))
            is not None
        )
    assert made >= 4


# Playing


@every_family
def test_the_program_passes(family: Family) -> None:
    for case in cases(family):
        verdict, error = play(case)
        assert not error, f"{case.me.name}, {case.values}: {error}"
        assert verdict.success, f"{case.me.name}, {case.values}: {verdict}; wanted the answer {case.answer!r}"


@every_family
def test_the_program_passes_with_what_the_instruction_says(family: Family) -> None:
    for task, case in known(family)[:1]:
        values = family.read(task.instruction)
        assert values is not None
        assert play(case, values)[0].success


@every_family
def test_doing_nothing_fails(family: Family) -> None:
    for case in cases(family):
        assert not Desk(case).verdict().success
        replies = ["", "answer=None"] + (["answer=0", "answer=''", "answer=[]"] if family.asks else [])
        for reply in replies:
            desk = Desk(case)
            desk.run(f"apis.supervisor.complete_task({reply})")
            assert desk.session.completed
            assert not desk.verdict().success, f"completing with {reply or 'nothing'} passes: {case.values}"


@every_family
def test_the_right_deed_without_completing_fails(family: Family) -> None:
    case = cases(family)[0]
    desk = Desk(case)
    assert not desk.run(f"{program_of(family)}\n\n{family.program.call.format(**case.values)}")
    assert not desk.verdict().success


@pytest.mark.parametrize(
    ("family", "mistake"),
    [
        pytest.param(family, mistake, id=f"{family.name}-{mistake.name}")
        for family in FAMILIES.values()
        for mistake in family.mistakes
    ],
)
def test_a_mistake_fails(family: Family, mistake: Mistake) -> None:
    assert mistake.old or mistake.swap or mistake.extra
    assert mistake.old != mistake.new or not mistake.old
    if mistake.old:
        assert program_of(family).count(mistake.old), "the text to edit is not in the program"
    for name, other in (mistake.swap or {}).items():
        assert name in family.slots and other.startswith("other")
    for case in cases(family):
        verdict, error = play(case, mistake=mistake)
        assert not error, f"a mistake must run to its end to try the grading: {error}"
        assert not verdict.success, f"{case.me.name}, {case.values}"


@pytest.mark.slow
@every_family
def test_all_of_it_holds_for_many_more_people_and_values(family: Family) -> None:
    for task, case in tasks_of(family, 2 * SCENARIOS + 1)[3 * SCENARIOS :]:
        verdict, error = play(case)
        assert verdict.success, f"{task.id}: {case.me.name}, {case.values}: {verdict} {error}"
        for mistake in family.mistakes:
            verdict, error = play(case, mistake=mistake)
            assert not error and not verdict.success, f"{mistake.name} in {task.id}, {case.values}: {error}"


# The expert as a policy


@every_family
@pytest.mark.parametrize("style", STYLES)
def test_the_expert_plays_the_family_in_every_style(family: Family, style: str) -> None:
    task, case = known(family)[0]
    replies, desk = conversation(task, case, style)
    assert desk.session.completed
    assert desk.verdict().success or style == "hasty", "\n".join(replies)
    assert len(replies) <= 8
    if style == "mender":
        assert len(replies) == 4, "it slips on the first access_token of the program"


@every_family
def test_what_an_observer_looks_at_is_there_and_stays_as_it_is(family: Family) -> None:
    helpers = written(tuple(source_of(function) for name, function in functions_of(family).items() if name in TOOLBOX))
    for case in cases(family):
        lines = looks(source_of(family.program.functions[-1]), family.program.call.format(**case.values))
        desk = Desk(case)
        assert desk.run("\n".join([helpers, *lines])) == "", lines
        assert changes(case.start, desk.state) == {}
        assert lines or family.split != "train"


@every_family
def test_the_expert_reuses_what_the_library_offers(family: Family) -> None:
    (task, case), (second, other) = known(family)[:2]
    replies, _ = conversation(task, case, "brisk")
    library = skills_in(code_of(replies[0]))
    assert family.program.name in {skill.name for skill in library}
    for style in ("brisk", "mender"):
        replies, desk = conversation(second, other, style, skills=library)
        assert desk.verdict().success, "\n".join(replies)
        assert "def " not in "\n".join(replies)


def test_what_is_written_in_haste_misses_later_pages() -> None:
    task, case = known(FAMILIES["deny_large_requests"])[0]
    replies, desk = conversation(task, case, "hasty")
    assert desk.session.completed and not desk.verdict().success
    assert "all_pages" not in replies[0] and "def deny_requests_above(" in replies[0]


# All together


def test_every_split_has_its_number_of_families() -> None:
    counts = Counter(family.split for family in FAMILIES.values())
    least = {"train": 30, "dev": 10, "test_normal": 16, "test_challenge": 16}
    assert {split: counts[split] for split in least if counts[split] < least[split]} == {}
    assert len(FAMILIES) >= 72


def test_train_has_families_of_every_difficulty() -> None:
    assert {family.difficulty for family in FAMILIES.values() if family.split == "train"} == {1, 2, 3}


def called(family: Family) -> frozenset[str]:
    return frozenset(api for api in apis_in(program_of(family)) if not api.startswith("supervisor."))


def test_train_calls_every_api_of_the_apps_that_may_be_learnt_from() -> None:
    shown = {api for family in FAMILIES.values() if family.split == "train" for api in called(family)}
    known = {f"{app}.{api}" for app in APPS.keys() - RESERVED - {"api_docs", "supervisor"} for api in APPS[app].apis}
    unasked = {f"{app}.{api}" for app in APPS for api in ("login", "logout", "show_account")}  # nobody asks for these
    assert known - shown - unasked == set()


def test_a_family_of_train_calls_other_apis_than_any_that_is_held_out() -> None:
    held = {called(family): family.name for family in FAMILIES.values() if family.split != "train"}
    alike = {
        family.name: held[called(family)]
        for family in FAMILIES.values()
        if family.split == "train" and called(family) in held
    }
    assert alike == {"silence_early_alarms": "earlier_alarms", "new_number": "relate_locals"}, "other arguments there"
