"""Drills: what is asked can be read back, the expert does it, and nothing of dev or test is given away."""

from __future__ import annotations

import re
from functools import cache
from random import Random

import pytest
from playing import Desk, conversation, play, program_of
from prowess_desk.engine.case import SIBLINGS, Case, case_of
from prowess_desk.engine.family import Day, Month, Weekday, source_of
from prowess_desk.engine.grading import changes
from prowess_desk.engine.world import DeskSuite, facts_of
from prowess_desk.expert.job import Job
from prowess_desk.expert.slips import slips_in
from prowess_desk.families import FAMILIES
from prowess_desk.settings import DeskSettings
from prowess_practice.drills import _apis, drills

from prowess.errors import RecipeError
from prowess.seeds import draw
from prowess.skills.extract import skills_in
from prowess.skills.reach import apis_in
from prowess.types import Task

SOME = 60
"""So many are drawn and played here; all of them take half a minute."""


@cache
def known() -> list[tuple[Task, Case]]:
    suite = DeskSuite(DeskSettings(drills=SOME, wording="mixed"), None)  # type: ignore[arg-type]  # nothing is opened
    return [(task, suite.case(task)) for task in suite.tasks("train") if task.scenario.split(".")[0] in drills()]


def test_there_are_hundreds_of_them_of_every_kind_and_app() -> None:
    assert len(drills()) > 1000
    assert {family.apps[:1] for family in drills().values()} == {
        (app,) for app in ("music", "wallet", "splits", "phone", "notes", "files", "todo")
    }
    assert sum(len(family.apps) == 2 for family in drills().values()) > 20
    assert sum(family.asks for family in drills().values()) > 300
    assert sum(not family.asks for family in drills().values()) > 100


def test_a_drill_that_calls_the_apis_of_a_family_of_dev_or_test_only_sets_other_arguments() -> None:
    theirs = {
        frozenset(apis_in("\n".join(map(source_of, family.program.functions)))): family
        for family in FAMILIES.values()
        if family.split != "train"
    }
    alike = []
    for drill in drills().values():
        (function,) = drill.program.functions
        source = source_of(function)
        assert not re.search(r"apis\.(shop|mail)\b", source)
        assert drill.name not in FAMILIES
        if family := theirs.get(frozenset(apis_in(source))):
            alike.append(drill.name)
            assert not drill.asks, drill.name
            given = set(re.findall(r"(\w+)=", source.split("    for ")[-1]))
            taken = set(re.findall(r"(\w+)=", "".join(map(source_of, family.program.functions))))
            assert given - taken, (drill.name, family.name)
    assert 0 < len(alike) < 0.02 * len(drills())


def test_no_family_is_taken_to_call_nothing() -> None:
    assert [family.name for family in FAMILIES.values() if not _apis(family)] == [], "then any drill might give it away"


def test_drills_come_before_the_families_of_train_and_only_there() -> None:
    suite = DeskSuite(DeskSettings(drills=4), None)  # type: ignore[arg-type]
    tasks, plain = suite.tasks("train"), DeskSuite(DeskSettings(), None).tasks("train")  # type: ignore[arg-type]
    assert tasks[4 * SIBLINGS :] == list(plain)
    assert [task.scenario for task in tasks[: 4 * SIBLINGS : SIBLINGS]] == [
        task.scenario for task, _ in known()[: 4 * SIBLINGS : SIBLINGS]
    ], "fewer drills are the first of more"
    assert suite.tasks("train") is tasks, "every step asks for them, and drawing takes long"
    assert list(suite.tasks("dev")) == list(DeskSuite(DeskSettings(), None).tasks("dev"))  # type: ignore[arg-type]


def test_more_drills_than_there_are_come_again_with_other_values() -> None:
    few = dict(list(drills().items())[:3])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prowess_desk.engine.world.drills", lambda: few)
        tasks = DeskSuite(DeskSettings(drills=5), None).tasks("train")[: 5 * SIBLINGS]  # type: ignore[arg-type]
    assert len({task.id for task in tasks}) == len({task.instruction for task in tasks}) == 5 * SIBLINGS
    assert [task.scenario.split(".")[1] for task in tasks[::SIBLINGS]] == ["0", "0", "0", "1", "1"]


def test_an_instruction_reads_back_as_its_values_and_as_nothing_else() -> None:
    for task, case in known():
        assert case.family.read(task.instruction) == case.values, task.instruction
        readers = [
            each.name for each in (*FAMILIES.values(), *drills().values()) if each.read(task.instruction) is not None
        ]
        assert readers == [case.family.name], task.instruction


def test_the_program_passes_and_another_value_does_not() -> None:
    failed = 0
    for task, case in known():
        verdict, error = play(case)
        assert not error
        assert not verdict.failed, (task.instruction, verdict)
        (skill,) = [one for one in skills_in(program_of(case.family)) if one.name == case.family.program.name]
        assert skill.docstring
        slot, kind = next(iter(case.family.slots.items()))
        wrong = {
            **case.values,
            slot: {str: "nothing", Day: "9999-12-31", Month: "May 1925", Weekday: "Noday", int: 10**6, float: 1e6}[
                kind
            ],
        }
        verdict, error = play(case, values=wrong)
        failed += bool(verdict.failed or error)
    assert failed > 0.9 * len(known()), "a program is held to the values of its task"


@pytest.mark.parametrize("style", ["student", "observer", "brisk", "layered"])
def test_the_expert_solves_drills_from_the_conversation_alone(style: str) -> None:
    for task, case in Random(3).sample(known(), 20):
        replies, desk = conversation(task, case, style)
        assert not desk.verdict().failed, (task.instruction, replies)


def test_every_slip_of_a_student_fails_before_anything_is_done() -> None:
    lessons = set()
    for _, case in Random(4).sample(known(), 30):
        job = Job(family=case.family, values=case.values, offered=frozenset(), rng=Random(0))
        for wrong, lesson in (slip for kind in slips_in(job, job.source()) for slip in kind):
            desk = Desk(case)
            desk.names["print"] = lambda *values: None
            assert desk.run(f"{wrong}\n\n\n{job.using()}"), (case.family.name, lesson)
            assert not changes(case.start, desk.state), (case.family.name, lesson)
            lessons.add(lesson)
    kinds = ("There is no", "That was the token", "It takes the id", "The argument is called", "is an API of")
    for kind in (*kinds, "takes no", "does not go without", "answers with a list", "Nobody has logged in"):
        assert any(kind in lesson for lesson in lessons), kind


def test_a_student_begins_with_what_does_the_task_and_is_led_to_what_that_takes() -> None:
    drill = drills()["give_new_priority_tasks_in_project_over_priority_not_done"]
    case = case_of(drill, 1, 2, 0)
    said = drill.say(case.values, 0)
    task = Task(
        id=f"{drill.name}.0_1", scenario=f"{drill.name}.0", instruction=said, facts=facts_of(case), difficulty=1
    )
    replies, _ = conversation(task, case, "student")
    assert replies[1].startswith(
        "For that I need list_tasks (List your tasks, with filters; paginated), "
        "update_task (Change a task; what you do not give stays).\n"
    )
    assert re.findall(r'api_name="(\w+)"', replies[1]) == ["list_tasks", "update_task"]
    assert replies[2].startswith(
        "list_tasks takes project_id, which list_projects (List your projects; paginated) gives.\n"
    )
    assert re.findall(r'api_name="(\w+)"', replies[2]) == ["list_projects"]
    assert re.match(
        r"The task gives [^\n]*\. I use todo.list_projects\(\), todo.list_tasks\(project_id\), ", replies[3]
    )
    given = replies[3].partition("I use")[0]
    for text in (said, given):
        assert sorted(map(str, case.values.values()), key=text.index) == sorted(
            map(str, case.values.values()), key=said.index
        )


def test_a_student_has_read_about_every_api_before_it_calls_it() -> None:
    for task, case in Random(5).sample(known(), 40):
        replies, _ = conversation(task, case, "student")
        read: set[str] = set()
        for reply in replies:
            if "def " in reply:
                assert {api for api in apis_in(reply) if not api.startswith("supervisor.")} <= read, reply
            read |= {".".join(named) for named in re.findall(r'app_name="(\w+)", api_name="(\w+)"', reply)}


def test_drills_that_nobody_s_data_serves_are_not_sought_for_ever() -> None:
    served = {task.scenario.split(".")[0] for task, _ in known()}
    order = draw(0, "drills").sample(sorted(drills()), len(drills()))
    lost = next(name for name in order[: len(served)] if name not in served)
    suite = DeskSuite(DeskSettings(drills=1), None)  # type: ignore[arg-type]
    alone = {lost: drills()[lost]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prowess_desk.engine.world.drills", lambda: alone)
        with pytest.raises(RecipeError, match="none of 1 drills finds data"):
            list(suite.tasks("train"))


def test_wrong_numbers_of_drills_are_told() -> None:
    with pytest.raises(RecipeError, match="drills is -1"):
        DeskSettings(drills=-1)
    with pytest.raises(RecipeError, match="0 unless part is 'all'"):
        DeskSettings(drills=3, part="starter")
