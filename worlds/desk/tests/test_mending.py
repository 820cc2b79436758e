"""A model that errs is helped: the expert reads what nobody has read, says what went wrong, and ends the task well."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest
from prowess_desk.expert.expert import Expert
from prowess_desk.expert.job import doc

from prowess.commands.dataset import conversation_of
from prowess.pipeline.parts import Parts, parts_of
from prowess.pipeline.recipe import Recipe
from prowess.policies.scripted import Scripted
from prowess.policies.taught import taught
from prowess.recipe import parse
from prowess.skills.library import Library
from prowess.types import BatchPolicy, Completion, Episode, Message, Request, Task
from prowess.worlds.expert import ExpertSettings

TEACHER = Expert(ExpertSettings(styles=("observer",)))
FAMILY = "like_artist"


@pytest.fixture(scope="module")
def live() -> Iterator[Parts]:
    sets = (f'suite.desk.families=["{FAMILY}"]', "suite.desk.scenarios=1", "policy.name=expert")
    with parts_of(parse(Recipe, "", sets)) as parts:
        yield parts


@pytest.fixture
def task(live: Parts) -> Task:
    return live.suite.tasks("train")[0]


def said(code: str, thought: str = "I try.") -> str:
    return f"{thought}\n```python\n{code}\n```"


def expert_replies(live: Parts, task: Task) -> list[str]:
    return [turn.completion.text for turn in episode(live, task, TEACHER).turns]


def episode(live: Parts, task: Task, policy: Callable[..., Completion]) -> Episode:
    world = live.suite.open(task)
    try:
        return replace(live.agent, policy=policy).play(task, world, Library(), seed=0)
    finally:
        world.close()


def helped(live: Parts, task: Task, replies: Sequence[str]) -> Episode:
    return episode(live, task, taught(Scripted(replies), TEACHER))


def test_who_errs_at_once_is_led_through_all_that_has_to_be_read(live: Parts, task: Task) -> None:
    played = helped(live, task, [said("print(apis.api_docs.show_api_doc(app_name='music', api_name='like_all'))")])
    assert played.success
    own, *others = played.turns
    assert not own.completion.teacher and all(turn.completion.teacher for turn in others)
    thoughts = [turn.completion.text.partition("\n")[0] for turn in others]
    assert thoughts[0].startswith("The answer is: There is no API in the music app 'like_all'. I have not seen yet")
    assert thoughts[1].startswith("What I have not read about is ")
    code = "\n".join(turn.code for turn in others[:2])
    assert all(doc(f"{app}.{name}") in code for app, name in apis_of(others[-2].code))


def apis_of(code: str) -> set[tuple[str, str]]:
    found = set(re.findall(r"apis\.(\w+)\.(\w+)", code))
    return {(app, name) for app, name in found if app != "supervisor" and name != "login"}


def test_what_was_read_and_defined_is_not_read_or_defined_again(live: Parts, task: Task) -> None:
    good = expert_replies(live, task)
    written = [reply for reply in good if "\ndef like" in reply]  # the last of them has no slip
    wrong = written[-1].replace('["', '["no_', 1)
    before = good[: good.index(written[0])]
    played = helped(live, task, [*before, wrong])
    assert played.success
    mended = [turn for turn in played.turns if turn.completion.teacher]
    assert len(mended) == 2, "the function, and the end"
    assert mended[0].completion.text.startswith("There is no 'no_")
    assert "def login(" not in mended[0].code and "def login(" in "".join(before)


def test_only_what_the_teacher_said_is_learnt(live: Parts, task: Task) -> None:
    agent = live.agent
    played = helped(live, task, [said("print(1)"), said("print(undefined)")])
    line = conversation_of(played, agent.prompt, agent.limits, split="train", temperature=0.0)
    learnt = [message.content for message in line.messages if message.loss]
    assert learnt == [turn.completion.text for turn in played.turns[2:]] and played.success
    alone = episode(live, task, taught(Expert(ExpertSettings(styles=("brisk",))), Scripted([])))
    line = conversation_of(alone, agent.prompt, agent.limits, split="train", temperature=0.0)
    assert alone.success and not any(turn.completion.teacher for turn in alone.turns)
    assert sum(message.loss for message in line.messages) == len(alone.turns)


def test_a_model_may_try_once_more_and_the_teacher_speaks_of_the_last_mistake(live: Parts, task: Task) -> None:
    replies = [expert_replies(live, task)[0], said("print(first)"), said("print(second)"), said("print(third)")]
    patient = episode(live, task, taught(Scripted(replies), TEACHER, again=1.0))
    assert patient.success and [turn.completion.teacher for turn in patient.turns[:4]] == [False] * 3 + [True]
    assert patient.turns[3].completion.text.startswith("`second` was not defined.")
    assert not any("first" in turn.completion.text for turn in patient.turns[3:])
    mends = [*replies[:2], said("print('that was it')"), said("apis.supervisor.complete_task()")]
    alone = episode(live, task, taught(Scripted(mends), TEACHER, again=1.0))
    assert not any(turn.completion.teacher for turn in alone.turns), "what it mends itself is its own"


@pytest.mark.parametrize("styles", ["observer", "student"])
def test_a_teacher_that_waits_for_no_mistake_reads_what_is_missing_and_writes(
    live: Parts, task: Task, styles: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    teacher = Expert(ExpertSettings(styles=(styles,)))
    listing = expert_replies(live, task)[0]
    other = said(doc("music.show_artist"), "For that I need show_artist (Show one artist).")
    for replies in (2, 3):
        monkeypatch.setattr("prowess.policies.taught.LOOKED", (replies,))
        played = episode(live, task, taught(Scripted([listing, other, other]), teacher, early=1.0))
        assert played.success
        assert [turn.completion.teacher for turn in played.turns[: replies + 1]] == [False] * replies + [True]
        first, *_, written, end = [turn.completion.text for turn in played.turns[replies:]]
        assert first.startswith("What I have not read about is ") and "def like" in written and "complete_task" in end
        looked = [turn.code for turn in played.turns[replies:] if "print(apis.music" in turn.code]
        assert bool(looked) == (styles == "observer")
        assert written.count("def login") == (styles == "student"), "helpers are defined once"


def test_a_teacher_that_comes_too_late_to_write_only_ends_the_task(live: Parts, task: Task) -> None:
    good = expert_replies(live, task)
    *slips, right = [reply for reply in good if "\ndef like" in reply]
    wordy = [f"Well. {reply}" for reply in good if reply not in slips]  # nothing that the teacher would have said
    program = wordy.index(f"Well. {right}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prowess.policies.taught.LOOKED", (program + 1,))
        played = episode(live, task, taught(Scripted(wordy), TEACHER, early=1.0))
    assert played.success and [turn.completion.teacher for turn in played.turns] == [False] * (program + 1) + [True]


def test_who_reuses_is_not_interrupted(live: Parts, task: Task) -> None:
    learned = episode(live, task, TEACHER).learned
    again = live.suite.tasks("train")[1]
    world = live.suite.open(again)
    policy = taught(TEACHER, Scripted([]), early=1.0)
    played = replace(live.agent, policy=policy).play(again, world, Library().add(*learned), seed=0)
    world.close()
    assert played.success and len(played.turns) == 2


def test_what_came_to_nothing_is_trouble_too(live: Parts, task: Task) -> None:
    played = helped(live, task, [expert_replies(live, task)[0], said("print([])")])
    assert played.success
    assert played.turns[2].completion.text.startswith("That came to nothing, so something in it is wrong.")


class Batch:
    """Answers many at once, always with the same."""

    rows = 7

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.forgotten: list[str] = []

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        return Completion(text="mine")

    def admit(self, request: Request) -> None:
        self.asked.append(request.key)

    def advance(self) -> dict[str, Completion]:
        return {key: Completion(text=f"mine {key}") for key in self.asked}

    def forget(self, key: str) -> None:
        self.forgotten.append(key)


def test_a_model_that_answers_many_is_asked_for_those_only_that_are_well() -> None:
    fine = (Message(role="user", content="go"),)
    bad = (*fine, Message(role="assistant", content="x"), Message(role="user", content="Execution failed. Traceback"))
    model = Batch()
    policy = taught(model, Scripted(lambda messages: "teacher"))
    requests = [Request(key=str(n), messages=bad if n % 2 else fine, seed=0) for n in range(5)]
    assert isinstance(policy, BatchPolicy)
    for request in requests:
        policy.admit(request)
    found = policy.advance()
    assert [found[f"{n}"].text for n in range(5)] == ["mine 0", "teacher", "mine 2", "teacher", "mine 4"]  # type: ignore[union-attr]
    assert [found[f"{n}"].teacher for n in range(5)] == [False, True, False, True, False]  # type: ignore[union-attr]
    assert model.asked == ["0", "2", "4"] and policy.rows == 7  # type: ignore[attr-defined]
    policy.forget("3")
    assert model.forgotten == ["3"]
