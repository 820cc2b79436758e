"""The agent's loop against a small world written for these tests: limits, stops, skills kept, skills used."""

from __future__ import annotations

import json
import re
import traceback
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings

from prowess.errors import ContextOverflow, PolicyError, RecipeError, WorldError
from prowess.play import Agent, AgentSettings, cut, played
from prowess.play.concurrency import in_parallel
from prowess.play.prompts import prompt_named
from prowess.play.rollout import Enough, play_chain, play_groups, play_task
from prowess.play.talk import code_in
from prowess.sandbox import SandboxSettings, open_sandbox
from prowess.skills.extract import skills_in
from prowess.skills.library import Library
from prowess.types import (
    Call,
    Completion,
    LibraryView,
    Message,
    Observation,
    Origin,
    Policy,
    Request,
    Skill,
    Stop,
    Tape,
    Task,
    Verdict,
)

PATIENT = """
import threading
def act():
    for _ in range(10**6):
        try:
            return apis.supervisor.complete_task()
        except Exception:
            pass
def f(x=threading.Thread(target=act, daemon=True).start()):
    return x
"""
"""Starts, as it is loaded, what waits until APIs answer."""
TASK = Task(id="sum.0_1", scenario="sum.0", instruction="Add the numbers.")
TWICE = 'def twice(n: int) -> int:\n    """Double a number."""\n    return 2 * n'


class Notebook:
    """A world for trusted code: `done()` completes the task, functions of earlier blocks are traced by name."""

    def __init__(self, *, grade: bool = True) -> None:
        self.done = False
        self.closed = False
        self.ran: list[str] = []
        self._grade = grade
        self._defined: dict[str, int] = {}
        self._names: dict[str, Any] = {"done": self._complete}

    def _complete(self) -> None:
        self.done = True

    def execute(self, code: str) -> Observation:
        self.ran.append(code)
        if "explode" in code:
            raise RuntimeError("the world fell apart")
        calls = tuple(Call(name=name, block=block) for name, block in self._defined.items() if f"{name}(" in code)
        before = set(self._names)
        try:
            exec(code, self._names)  # noqa: S102 (trusted: this file's own)
        except Exception:  # noqa: BLE001
            return Observation(text=f"Execution failed. Traceback:\n{traceback.format_exc()}", failed=True, calls=calls)
        self._defined |= {name: len(self.ran) - 1 for name in set(self._names) - before}
        return Observation(text="Execution successful.", done=self.done, calls=calls)

    def evaluate(self) -> Verdict:
        if not self._grade:
            raise WorldError("no grader")
        return Verdict(passed=("complete",), failed=()) if self.done else Verdict(passed=(), failed=("complete",))

    def close(self) -> None:
        self.closed = True


class Notebooks:
    """A suite of notebooks; a task called `broken` does not open."""

    def splits(self) -> Sequence[str]:
        return ["all"]

    def tasks(self, split: str) -> Sequence[Task]:
        return [replace(TASK, id=f"sum.0_{n}") for n in (1, 2, 3)]

    def open(self, task: Task) -> Notebook:
        if task.id == "broken":
            raise OSError("no such file")
        return Notebook()


def says(*replies: str, tokens: int = 10) -> Any:
    """A policy that says these things in order, then the last one again."""

    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        turn = sum(message.role == "assistant" for message in messages)
        text = replies[min(turn, len(replies) - 1)]
        return Completion(text=text, prompt_tokens=tokens * (turn + 1), reply_tokens=tokens)

    return policy


def block(code: str) -> str:
    return f"Thinking.\n```python\n{code}\n```"


def agent_saying(*replies: str, offers: Sequence[Skill] = (), **limits: Any) -> Agent:
    return Agent(
        policy=says(*replies),
        retrieve=lambda library, task: offers,
        prompt=prompt_named("skill"),
        limits=AgentSettings(**limits),
    )


def test_skills_that_share_the_name_of_a_constant_see_each_its_own() -> None:
    origins = (Origin(task=f"sum.{n}_1", scenario=f"sum.{n}") for n in (1, 2))
    blocks = ("STEP = 2\ndef up(n):\n    return n + STEP", "STEP = 5\ndef down(n):\n    return n - STEP")
    library = Library().add(*(skills_in(text, origin=origin)[0] for text, origin in zip(blocks, origins, strict=True)))
    said = block("def both(n):\n    return up(down(n))\nif both(10) == 7 and up(1) == 3 and down(9) == 4: done()")
    episode = replace(agent_saying(said), retrieve=everything).play(TASK, Notebook(), library, seed=0)
    assert (episode.stop, episode.offered) == (Stop.COMPLETED, ("up", "down"))
    assert "return n - STEP_2" in episode.prompt[-1].content, "what is shown is what is there"
    (both,) = (skill for skill in episode.learned if skill.name == "both")
    world = Notebook()
    world.execute(both.code)
    world.execute("if both(10) == 7: done()")
    assert world.done, "it brings along what they need"


def test_skills_that_share_the_name_of_a_helper_call_each_its_own() -> None:
    origins = (Origin(task=f"sum.{n}_1", scenario=f"sum.{n}") for n in (1, 2))
    blocks = (
        "def step(n):\n    return n + 2\ndef up(n):\n    return step(n)",
        "def step(n):\n    return n - 5\ndef down(n):\n    return step(n)",
    )
    library = Library().add(*(skills_in(text, origin=origin)[1] for text, origin in zip(blocks, origins, strict=True)))
    said = block("def both(n):\n    return up(down(n))\nif both(10) == 7 and up(1) == 3 and down(9) == 4: done()")
    episode = replace(agent_saying(said), retrieve=everything).play(TASK, Notebook(), library, seed=0)
    assert (episode.stop, episode.offered) == (Stop.COMPLETED, ("up", "down"))
    assert "def step_2(n):\n    return n - 5\n\n\ndef down(n):\n    return step_2(n)" in episode.prompt[-1].content
    assert [use.name for use in episode.called] == ["up", "down"]
    (both,) = (skill for skill in episode.learned if skill.name == "both")
    world = Notebook()
    world.execute(both.code)
    world.execute("if both(10) == 7: done()")
    assert world.done, "it brings along what they need"


def test_a_mended_skill_is_not_undone_by_one_that_was_written_with_the_old_one() -> None:
    """The library holds the new `half`, and `quarter` as it was saved: with a copy of the old one."""
    first, second = (Origin(task=f"sum.0_{n}", scenario="sum.0") for n in (1, 2))
    old = skills_in("def half(n):\n    return n // 3\n\ndef quarter(n):\n    return half(half(n))", origin=first)
    new = skills_in("def half(n):\n    return n // 2", origin=second)
    library = Library().add(*old).add(*new)
    agent = replace(agent_saying(block("if half(8) == 4 and quarter(8) == 2: done()")), retrieve=everything)
    world = Notebook()
    episode = agent.play(replace(TASK, id="sum.0_3"), world, library, seed=0)
    assert (episode.stop, episode.offered) == (Stop.COMPLETED, ("half", "quarter"))
    assert episode.prompt[-1].content.count("def half(") == 1
    assert "return n // 3" not in episode.prompt[-1].content
    assert len(world.ran) == 4  # both skills, the new one again, the reply


def test_nor_by_one_that_breaks_after_it_has_brought_it() -> None:
    new, old = (Skill(name="half", source=f"def half(n):\n    return n // {by}") for by in (2, 3))
    broken = Skill(name="quarter", source=f"{old.source}\n\n\ndef quarter(n=missing):\n    return half(half(n))")
    agent = agent_saying(block("if half(8) == 4: done()"), offers=[new, broken])
    episode = agent.play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, episode.offered, episode.dropped) == (Stop.COMPLETED, ("half",), ("quarter",))


def test_recorded_calls_are_kept_of_a_skill_that_another_one_brings_along() -> None:
    class Recorded(Notebook):
        def execute(self, code: str) -> Observation:
            tapes = tuple(Tape(name=name, block=1, call=f"{name}(8)") for name in ("half", "third"))
            return replace(super().execute(code), tapes=tapes if len(self.ran) == 3 else ())

    half, quarter = skills_in("def half(n):\n    return n // 2\n\ndef quarter(n):\n    return half(half(n))")
    quarter = replace(quarter, source=f"def third(n):\n    return n // 3\n\n\n{quarter.source}")
    agent = agent_saying(block("half(8); third(8); done()"), offers=[half, quarter])
    episode = agent.play(TASK, Recorded(), Library(), seed=0)
    assert [tape.name for tape in episode.tapes] == ["half"]  # the second block defined it last; `third` is no skill


def test_of_each_skill_the_first_three_recorded_calls_are_kept() -> None:
    class Recorded(Notebook):
        def execute(self, code: str) -> Observation:
            tapes = tuple(Tape(name="half", block=0, call=f"half({n})") for n in range(5))
            return replace(super().execute(code), tapes=tapes if len(self.ran) == 2 else ())

    (half,) = skills_in("def half(n):\n    return n // 2")
    episode = agent_saying(block("done()"), offers=[half]).play(TASK, Recorded(), Library(), seed=0)
    assert [tape.call for tape in episode.tapes] == ["half(0)", "half(1)", "half(2)"]


@pytest.mark.parametrize("name", ["print", "apis"])
def test_a_skill_called_like_what_every_program_uses_is_neither_learned_nor_offered(name: str) -> None:
    source = f"def {name}(x=1):\n    return x"
    episode = agent_saying(block(f"{source}\ndone()")).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, episode.learned) == (Stop.COMPLETED, ())
    agent = agent_saying(block("print(1)\ndone()"), offers=[Skill(name=name, source=source)])
    episode = agent.play(TASK, Notebook(), Library(), seed=0)
    assert (episode.offered, episode.dropped, episode.called) == ((), (name,), ())


@pytest.mark.parametrize(
    "source",
    [
        "def f(x=apis.supervisor.complete_task()):\n    return x",
        "def now(f):\n    apis.supervisor.complete_task()\n    return f\n@now\ndef f(x):\n    return x",
        "def f(x: apis.supervisor.complete_task()):\n    return x",
        PATIENT,
    ],
)
def test_a_skill_does_nothing_while_it_is_loaded(source: str) -> None:
    sandbox = open_sandbox(SandboxSettings(kind="jail"))
    suite = DeskSuite(DeskSettings(families=("like_artist",)), sandbox)
    task = suite.tasks("train")[0]
    world: Any = suite.open(task)
    offers = skills_in(source)[-1:]
    episode = agent_saying(block("print(1)"), offers=offers, turns=2).play(task, world, Library(), seed=0)
    assert (episode.stop, episode.offered, episode.dropped) == (Stop.TURNS, (), ("f",))
    assert not world.done
    world.close()
    sandbox.close()


def test_a_skill_that_ends_the_interpreter_as_it_is_loaded_takes_no_other_along() -> None:
    sandbox = open_sandbox(SandboxSettings(kind="jail"))
    suite = DeskSuite(DeskSettings(families=("like_artist",)), sandbox)
    task = suite.tasks("train")[0]
    world: Any = suite.open(task)
    deadly = "import os\ndef {0}(x=os._exit(0)):\n    return x"
    sources = {"one": "def one():\n    return 1", "bad": deadly, "two": "def two():\n    return 2", "worse": deadly}
    offers = [Skill(name=name, source=source.format(name)) for name, source in sources.items()]
    episode = agent_saying(block("print(one() + two())"), offers=offers, turns=1).play(task, world, Library(), seed=0)
    assert (episode.offered, episode.dropped) == (("one", "two"), ("bad", "worse"))
    seen = episode.turns[0].observation
    assert seen is not None and seen.text == "3\n" and {use.name for use in episode.called} == {"one", "two"}
    world.close()
    sandbox.close()


def test_where_a_world_cannot_refuse_a_skill_that_acts_as_it_is_loaded_is_left_out() -> None:
    class Open(Notebook):
        def execute(self, code: str) -> Observation:
            return replace(super().execute(code), apis=("notes.search",) if "search" in code else ())

    offers = [Skill(name=name, source=f"def {name}(n=len('{name}')):\n    return n") for name in ("search", "count")]
    episode = agent_saying(block("done()"), offers=offers).play(TASK, Open(), Library(), seed=0)
    assert (episode.offered, episode.dropped) == (("count",), ("search",))


def everything(library: LibraryView, task: Task, /) -> Sequence[Skill]:
    return library.skills


def test_an_episode_ends_when_the_task_is_complete() -> None:
    episode = agent_saying(block("x = 1"), block("done()")).play(TASK, Notebook(), Library(), seed=7)
    assert (episode.stop, len(episode.turns), episode.success, episode.seed) == (Stop.COMPLETED, 2, True, 7)
    assert episode.reply_tokens == 20


def test_a_reply_without_code_ends_the_episode() -> None:
    episode = agent_saying("I would rather not.").play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, episode.success) == (Stop.NO_CODE, False)
    assert episode.turns[0].observation == Observation(text="No code available to execute.", failed=True)


def test_the_turn_limit_stops_and_grades_as_it_stands() -> None:
    episode = agent_saying(block("x = 1"), turns=3).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, len(episode.turns), episode.verdict.failed) == (Stop.TURNS, 3, ("complete",))


def test_the_context_limit_stops_and_grades_as_it_stands() -> None:
    episode = agent_saying(block("x = 1"), context_tokens=25).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, len(episode.turns)) == (Stop.CONTEXT, 1)

    def full(messages: Sequence[Message], *, seed: int) -> Completion:
        raise ContextOverflow("too long")

    episode = replace(agent_saying(""), policy=full).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, episode.turns, episode.verdict.failed) == (Stop.CONTEXT, (), ("complete",))


def test_an_episode_that_repeats_itself_ends_and_is_graded_as_it_stands() -> None:
    agent = agent_saying(block("x = 1"), block("boom()"), turns=9, repeats=3)
    episode = agent.play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, [turn.code for turn in episode.turns]) == (Stop.REPEATS, ["x = 1", *["boom()"] * 3])
    assert episode.verdict.failed == ("complete",)


def test_other_words_around_the_same_code_do_not_help() -> None:
    again = (f"Try number {number}.\n{block('boom()')}" for number in range(9))
    episode = agent_saying(*again, turns=9, repeats=3).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, len(episode.turns)) == (Stop.REPEATS, 3)


@pytest.mark.parametrize(
    "replies",
    [
        ("boom()", "x = 1"),  # never in a row
        ("n = globals().get('n', 0) + 1\nraise ValueError(n)",),  # the same code sees something new
        tuple(f"boom({number})" for number in range(9)),  # other code sees the same
    ],
)
def test_what_is_not_the_same_goes_on(replies: Sequence[str]) -> None:
    texts = [block(replies[number % len(replies)]) for number in range(9)]
    episode = agent_saying(*texts, turns=9, repeats=3).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, len(episode.turns)) == (Stop.TURNS, 9)


def test_a_task_that_is_complete_is_complete_however_often_it_was_tried() -> None:
    code = "n = globals().get('n', 0) + 1\nif n > 1: done()"
    episode = agent_saying(block(code), turns=9, repeats=2).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, episode.success) == (Stop.COMPLETED, True)


def test_repeats_are_let_be_unless_a_recipe_says_otherwise() -> None:
    episode = agent_saying(block("boom()"), turns=9).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, len(episode.turns)) == (Stop.TURNS, 9)
    for wrong in (-1, 1):
        with pytest.raises(RecipeError, match=f"repeats is {wrong}; it must be 0"):
            AgentSettings(repeats=wrong)


def test_an_episode_that_has_said_enough_ends_and_is_graded_as_it_stands() -> None:
    agent = agent_saying(block("x = 1"), block("x += 1"), block("x += 2"), block("done()"), turns=9, episode_tokens=12)
    limited = replace(agent, policy=counted(agent.policy, 5)).play(TASK, Notebook(), Library(), seed=0)
    assert (limited.stop, len(limited.turns), limited.reply_tokens) == (Stop.TOKENS, 3, 15)
    assert limited.verdict.failed == ("complete",)
    in_time = replace(agent, policy=counted(agent.policy, 3)).play(TASK, Notebook(), Library(), seed=0)
    assert (in_time.stop, in_time.reply_tokens) == (Stop.COMPLETED, 12)  # the last reply may reach the limit
    with pytest.raises(RecipeError, match=r"episode_tokens is -1; it must be 0 \(no limit\) or more"):
        AgentSettings(episode_tokens=-1)


def counted(policy: Policy, tokens: int) -> Policy:
    """The same, each reply of so many tokens."""

    def reply(messages: Sequence[Message], *, seed: int) -> Completion:
        return replace(policy(messages, seed=seed), reply_tokens=tokens)

    return reply


def test_observations_are_shown_with_the_task_again_and_cut_at_the_limit() -> None:
    seen: list[str] = []

    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        seen.append(messages[-1].content)
        return Completion(text=block("raise ValueError('x' * 500)"))

    replace(agent_saying("", turns=2, observation_chars=100), policy=policy).play(TASK, Notebook(), Library(), seed=0)
    assert "Execution failed. Traceback" in seen[1]
    assert "... (cut: 100 of " in seen[1]
    assert seen[1].endswith("Task: Add the numbers.")


def test_functions_that_ran_are_learned_and_the_last_good_one_wins() -> None:
    wrong = TWICE.replace("2 * n", "3 * n")
    broken = TWICE.replace("2 * n", "4 * n") + "\ntwice(1 / 0)"
    episode = agent_saying(block(wrong), block(TWICE), block(broken), block("done()")).play(
        TASK, Notebook(), Library(), seed=0
    )
    assert [(skill.name, skill.source, skill.origin.turn) for skill in episode.learned] == [("twice", TWICE, 1)]
    assert episode.learned[0].origin == Origin(task="sum.0_1", scenario="sum.0", turn=1, instruction="Add the numbers.")


def test_a_helper_of_an_earlier_block_comes_along() -> None:
    later = "def four(n: int) -> int:\n    return twice(twice(n))"
    episode = agent_saying(block(TWICE), block(later), block("done()")).play(TASK, Notebook(), Library(), seed=0)
    assert episode.learned[1].source == f"{TWICE}\n\n\n{later}"


def test_an_agent_told_not_to_learn_keeps_nothing() -> None:
    assert agent_saying(block(f"{TWICE}\ndone()"), learn=False).play(TASK, Notebook(), Library(), seed=0).learned == ()


def test_skills_that_do_not_load_are_left_out_one_by_one() -> None:
    good = Skill(name="twice", source=TWICE, origin=Origin(task="sum.0_0"))
    bad = Skill(name="bad", source="def bad(x=1/0): ...")
    agent = agent_saying(block("twice(2); done()"), offers=[bad, good])
    episode = agent.play(TASK, Notebook(), Library(), seed=0)
    assert (episode.offered, episode.dropped) == (("twice",), ("bad",))
    assert [(use.name, use.turn, use.origin, use.error) for use in episode.called] == [("twice", 0, "sum.0_0", "")]
    everything = agent_saying(block("done()"), offers=[bad, good], smoke="all").play(
        TASK, Notebook(), Library(), seed=0
    )
    assert (everything.offered, everything.dropped) == ((), ("bad", "twice"))


def test_calls_of_functions_that_were_not_offered_are_no_use() -> None:
    episode = agent_saying(block(TWICE), block("twice(2)"), block("done()")).play(TASK, Notebook(), Library(), seed=0)
    assert episode.called == ()


def test_use_by_mention_is_the_looser_rule() -> None:
    skill = Skill(name="twice", source=TWICE)
    agent = agent_saying(block("# twice is here\ndone()"), offers=[skill], use="mention")
    assert [use.name for use in agent.play(TASK, Notebook(), Library(), seed=0).called] == ["twice"]
    agent = agent_saying(block("# twice is here\ndone()"), offers=[skill])
    assert agent.play(TASK, Notebook(), Library(), seed=0).called == ()


def test_a_world_that_breaks_is_recorded_and_not_raised() -> None:
    episode = agent_saying(block("explode")).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, episode.success) == (Stop.ERROR, False)
    assert re.fullmatch(r"WorldError: RuntimeError: the world fell apart \(test_agent.py:\d+\)", episode.error)
    episode = agent_saying(block("done()")).play(TASK, Notebook(grade=False), Library(), seed=0)
    assert (episode.stop, episode.error, episode.success) == (Stop.ERROR, "WorldError: no grader", False)
    assert len(episode.turns) == 1


def test_a_policy_that_fails_is_recorded_as_such() -> None:
    def down(messages: Sequence[Message], *, seed: int) -> Completion:
        raise PolicyError("the endpoint timed out")

    episode = replace(agent_saying(""), policy=down).play(TASK, Notebook(), Library(), seed=0)
    assert (episode.stop, episode.error) == (Stop.ERROR, "PolicyError: the endpoint timed out")


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        ("print(1)", "PolicyError: the policy's reply is of type str; it must be Completion, with its text"),
        (None, "PolicyError: the policy's reply is of type NoneType; it must be Completion, with its text"),
        (Completion(text=None), "PolicyError: the policy's reply is of type NoneType; it must be"),  # type: ignore[arg-type]
        (ValueError("no key"), "PolicyError: the policy raised ValueError: no key"),
    ],
)
def test_a_policy_of_somebody_else_that_goes_wrong_is_blamed_itself(reply: Any, error: str) -> None:
    def policy(messages: Sequence[Message], *, seed: int) -> Any:
        if isinstance(reply, Exception):
            raise reply
        return reply

    episode = replace(agent_saying(""), policy=policy).play(TASK, Notebook(), Library(), seed=0)
    assert episode.stop is Stop.ERROR
    assert episode.error.startswith(error)


def test_a_reply_that_nobody_counted_is_as_long_as_it_is_estimated_to_be() -> None:
    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        return Completion(text=block("x = 1"))

    agent = replace(agent_saying("", context_tokens=1100), policy=policy)
    episode = agent.play(TASK, Notebook(), Library(), seed=0)
    assert episode.stop is Stop.CONTEXT  # the limit holds for such a policy, too
    assert episode.reply_tokens > 5 * len(episode.turns)


@pytest.mark.parametrize(
    ("found", "error"),
    [
        (["twice"], "RecipeError: the retriever gave a str; it must give skills"),
        (None, "RecipeError: the retriever gave a NoneType; it must give skills"),
    ],
)
def test_a_retriever_of_somebody_else_that_goes_wrong_is_blamed_itself(found: Any, error: str) -> None:
    agent = replace(agent_saying(block("done()")), retrieve=lambda library, task: found)
    episode = agent.play(TASK, Notebook(), Library(), seed=0)
    assert episode.stop is Stop.ERROR
    assert episode.error.startswith(error)


def test_of_two_skills_of_one_name_the_first_is_offered() -> None:
    better, worse = (Skill(name="twice", source=TWICE.replace("Double", word)) for word in ("Double", "Add up"))
    world = Notebook()
    episode = agent_saying(block("done()"), offers=[better, worse]).play(TASK, world, Library(), seed=0)
    assert episode.offered == ("twice",)
    assert "Double" in episode.prompt[1].content
    assert "Add up" not in "".join([episode.prompt[1].content, *world.ran])


def test_a_world_that_does_not_open_is_an_episode_in_error() -> None:
    agent = agent_saying("")
    episode = played(play_task(agent, Notebooks(), replace(TASK, id="broken"), Library(), seed=3), agent.policy)
    assert (episode.stop, episode.turns) == (Stop.ERROR, ())
    assert re.fullmatch(r"WorldError: OSError: no such file \(test_agent.py:\d+\)", episode.error)


def test_what_breaks_within_a_library_is_told_with_the_line_that_called_it() -> None:
    def retrieve(library: Any, task: Task) -> Any:
        return json.loads("{")

    episode = replace(agent_saying(""), retrieve=retrieve).play(TASK, Notebook(), Library(), seed=0)
    line = retrieve.__code__.co_firstlineno + 1
    assert episode.error.startswith("RecipeError: the retriever failed: JSONDecodeError: ")
    assert episode.error.endswith(f"(test_agent.py:{line})")


def test_a_chain_carries_what_was_learned_and_survives_a_broken_task() -> None:
    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        return Completion(text=block("twice(2); done()" if "def twice" in messages[1].content else f"{TWICE}\ndone()"))

    agent = replace(agent_saying(""), policy=policy, retrieve=lambda library, task: library.skills)
    chain = (TASK, replace(TASK, id="broken"), replace(TASK, id="sum.0_3"))
    episodes = played(play_chain(agent, Notebooks(), chain, Library(), seed=0), agent.policy).episodes
    assert [episode.stop for episode in episodes] == [Stop.COMPLETED, Stop.ERROR, Stop.COMPLETED]
    assert (episodes[0].offered, episodes[2].offered, episodes[2].called[0].origin) == ((), ("twice",), "sum.0_1")


def test_groups_are_the_same_whatever_the_number_of_workers() -> None:
    seeds: list[int] = []

    def policy(messages: Sequence[Message], *, seed: int) -> Completion:
        seeds.append(seed)
        return Completion(text=block(f"x = {seed}\ndone()"))

    agent = replace(agent_saying(""), policy=policy)
    chains = [(TASK,), (replace(TASK, id="sum.0_2"), replace(TASK, id="sum.0_3"))]
    groups = [play_groups(agent, Notebooks(), chains, size=4, seed=5, workers=n) for n in (1, 3)]
    said = [[[e.turns[0].code for e in r.episodes] for g in one for r in g.rollouts] for one in groups]
    assert said[0] == said[1]
    assert len(set(seeds)) == 4 + 8
    assert [len(group.rollouts) for group in groups[0]] == [4, 4]


class Choir:
    """A policy that answers everybody at once and remembers how."""

    rows = 3

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.waiting: list[Request] = []
        self.kept: set[str] = set()

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        raise AssertionError("asked alone")

    def admit(self, request: Request) -> None:
        self.waiting.append(request)
        self.kept.add(request.key)

    def advance(self) -> dict[str, Completion | PolicyError]:
        waiting, self.waiting = self.waiting, []
        self.batches.append([request.key.partition("#")[0] for request in waiting])
        return {request.key: self._reply(request) for request in waiting}

    def _reply(self, request: Request) -> Completion | PolicyError:
        turns = 2 if request.key.startswith("sum.1") else 1
        return Completion(text=block("done()" if len(request.messages) >= 2 * turns else f"x = {request.seed}"))

    def forget(self, key: str) -> None:
        self.kept.remove(key)
        self.waiting = [request for request in self.waiting if request.key != key]


def test_conversations_of_a_choir_share_passes_and_are_let_go_at_their_end() -> None:
    choir = Choir()
    agent = replace(agent_saying(""), policy=choir)
    chains = [tuple(replace(TASK, id=f"sum.{n}_{k}", scenario=f"sum.{n}") for k in (1, 2)) for n in range(4)]
    groups = play_groups(agent, Notebooks(), chains, size=1, seed=0, workers=2)
    assert choir.batches == [
        ["sum.0_1", "sum.1_1", "sum.2_1"],
        ["sum.0_2", "sum.1_1", "sum.2_2"],
        ["sum.1_2"],
        ["sum.3_1"],  # its world was opened when there was room for it
        ["sum.1_2"],
        ["sum.3_2"],
    ]
    assert choir.kept == set()
    assert [[e.stop for e in r.episodes] for g in groups for r in g.rollouts] == [[Stop.COMPLETED] * 2] * 4
    alone = play_groups(agent, Notebooks(), chains, size=1, seed=0, workers=1)
    assert [r.episodes[0].turns for g in alone for r in g.rollouts] == [
        r.episodes[0].turns for g in groups for r in g.rollouts
    ]


def test_a_choir_that_cannot_go_on_with_one_conversation_ends_that_one_alone() -> None:
    agent = replace(agent_saying(""), policy=(choir := Choir()))
    tasks = [replace(TASK, id=f"sum.{n}_1") for n in (0, 2)]
    slow = replace(agent, prompt=prompt_named("react"))

    def never_done(request: Request) -> Completion | PolicyError:
        over = request.key.startswith("sum.2") and len(request.messages) > 2
        return ContextOverflow("too long") if over else Completion(text=block("x = 1"))

    choir._reply = never_done  # type: ignore[method-assign]
    slow = replace(slow, limits=AgentSettings(turns=3))
    groups = play_groups(slow, Notebooks(), [(task,) for task in tasks], size=1, seed=0)
    assert [g.rollouts[0].episodes[0].stop for g in groups] == [Stop.TURNS, Stop.CONTEXT]
    assert [len(g.rollouts[0].episodes[0].turns) for g in groups] == [3, 1]


def test_work_in_parallel_takes_an_endless_queue_in_small_bites() -> None:
    taken: list[int] = []

    def numbers() -> Any:
        for n in range(10**9):
            taken.append(n)
            yield n

    done = in_parallel(lambda n: n * n, numbers(), workers=2)
    first = [next(done) for _ in range(5)]
    done.close()
    assert all(square == n * n for n, square in first)
    assert len(taken) < 30


def test_the_first_python_block_counts_even_unterminated() -> None:
    assert code_in("```python\na = '```'\nb\n```\n```python\nc\n```") == "a = '```'\nb"
    assert code_in("text ```PY  \nprint(1)") == "print(1)"
    assert code_in("```python\n```") == ""
    assert code_in("```pythonic\nx\n```") == ""


def test_a_block_in_a_list_is_read_without_the_indent_of_its_fence() -> None:
    assert code_in("- so:\n  ```python\n  for n in x:\n      n\n  y\n  ```\nand on") == "for n in x:\n    n\ny"
    assert code_in("  ```python\nif x:\n  y\n") == "if x:\n  y"  # only the fence is indented
    assert code_in("\t```python\n\tx\n\n\ty") == "x\n\ny"
    assert code_in("so ```python\n    x\n```") == "    x"


def test_a_short_output_is_not_cut() -> None:
    assert cut("abc", AgentSettings(observation_chars=3)) == "abc"
    assert cut("abcd", AgentSettings(observation_chars=3, cut_note="[{shown}/{total}]")) == "abc[3/4]"


def test_limits_are_checked() -> None:
    with pytest.raises(RecipeError, match="turns is 0"):
        AgentSettings(turns=0)
    with pytest.raises(RecipeError, match="cut_note"):
        AgentSettings(cut_note="{oops}")


def test_rollouts_that_come_too_late_are_left_out_of_their_groups() -> None:
    choir = Choir()
    choir.rows = 20

    def slow_one(request: Request) -> Completion | PolicyError:
        late = int(request.key.partition("#")[2]) % 4 == 0
        return Completion(text=block("x = 1" if late else "done()"))

    choir._reply = slow_one  # type: ignore[method-assign]
    agent = replace(agent_saying("", turns=30), policy=choir)
    chains = [(TASK,), (replace(TASK, id="sum.0_2"),)]
    enough = Enough(replies=4, of_group=0.5, of_all=0.6)
    groups = play_groups(agent, Notebooks(), chains, size=8, seed=3, enough=enough)
    everyone = play_groups(agent, Notebooks(), chains, size=8, seed=3)
    left = [8 - len(group.rollouts) for group in groups]
    assert sum(left) > 0, "the case must hold late ones"
    assert all(len(group.rollouts) >= 4 for group in groups)
    kept = [rollout.episodes[0].seed for group in groups for rollout in group.rollouts]
    assert set(kept) < {rollout.episodes[0].seed for group in everyone for rollout in group.rollouts}
    assert choir.kept == set()


@pytest.mark.parametrize(("replies", "kept"), [(1, [4, 2]), (3, [4, 3])])
def test_a_step_is_waited_for_until_every_group_has_its_share_and_the_rest_had_so_many_replies(
    replies: int, kept: list[int]
) -> None:
    """Of the second chain's four rollouts one ends with each turn; two are half of them."""
    choir, late = Choir(), dict[str, int]()
    choir.rows = 8

    def reply(request: Request) -> Completion | PolicyError:
        turns = late.setdefault(request.key, len(late) + 1) if request.key.startswith("sum.0_2") else 1
        return Completion(text=block("done()" if len(request.messages) >= 2 * turns else f"x = {request.seed}"))

    choir._reply = reply  # type: ignore[method-assign]
    agent = replace(agent_saying("", turns=30), policy=choir)
    chains = [(TASK,), (replace(TASK, id="sum.0_2"),)]
    enough = Enough(replies=replies, of_group=0.5, of_all=0.5)
    groups = play_groups(agent, Notebooks(), chains, size=4, seed=3, enough=enough)
    assert [len(group.rollouts) for group in groups] == kept


def test_an_agent_plays_at_another_temperature_where_one_is_given_and_its_policy_knows_of_any() -> None:
    class Warm:
        def __init__(self, temperature: float) -> None:
            self.temperature = temperature

        def at(self, temperature: float) -> Warm:
            return Warm(temperature)

        def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
            return Completion(text=f"at {self.temperature}")

    def said(agent: Agent) -> str:
        return agent.policy((), seed=0).text

    agent = Agent(policy=Warm(1.0), retrieve=lambda library, task: (), prompt=prompt_named("skill"))
    assert (said(agent.at(0.2)), said(agent.at(None)), said(agent)) == ("at 0.2", "at 1.0", "at 1.0")
    plain = replace(agent, policy=lambda messages, *, seed: Completion(text="as ever"))
    assert said(plain.at(0.2)) == "as ever"
