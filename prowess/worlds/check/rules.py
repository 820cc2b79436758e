"""The contract of `prowess.types.Suite` and `World` in words."""

from __future__ import annotations

from dataclasses import dataclass

FINISH = "apis.supervisor.complete_task()"
"""Code that marks a task complete, as the prompts that ship tell it to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One clause of the contract."""

    expected: str
    hint: str


RULES = {
    "splits": Rule(
        expected="splits() names at least one split, each once, as text",
        hint='return a tuple of names such as ("train", "dev")',
    ),
    "tasks": Rule(
        expected="tasks(split) holds at least one prowess.types.Task with fields of their types, facts as text",
        hint="build Task(id=..., scenario=..., instruction=..., facts={'name': 'Ada'}, difficulty=1)",
    ),
    "same tasks": Rule(
        expected="tasks(split) gives the same tasks whenever it is asked",
        hint="draw from a seed of the suite's own (prowess.seeds.draw), never from the global generator or the clock",
    ),
    "ids": Rule(
        expected="ids are unique in the suite and read `<scenario>_<n>`, n ascending from 1 within a scenario",
        hint="name the tasks of scenario 'pay_rent' pay_rent_1, pay_rent_2, pay_rent_3",
    ),
    "scenarios": Rule(
        expected="tasks of a scenario follow each other in one split",
        hint="give the tasks scenario by scenario; a scenario in two splits leaks what was learned into the test",
    ),
    "instruction": Rule(
        expected="the instruction says what to do",
        hint="write it as a supervisor would; it is all that the agent is told besides the facts",
    ),
    "difficulty": Rule(expected="the difficulty is 1, 2 or 3", hint="reports group by it; 1 when you do not grade"),
    "open": Rule(
        expected="open(task) gives a world of its own, on any thread, as often as asked",
        hint="keep no world in the suite; signals and asyncio.run work on the main thread only",
    ),
    "fresh": Rule(expected="a world is not done when it is opened", hint="done turns true when the agent completes"),
    "observation": Rule(
        expected="execute(code) returns an prowess.types.Observation with fields of their types and raises nothing",
        hint="what the agent's code raises belongs into the text, with failed=True; tuples, not lists",
    ),
    "silent": Rule(
        expected="code that prints nothing gives 'Execution successful.'", hint="skills are loaded by such blocks"
    ),
    "printed": Rule(expected="what the code prints is in the text", hint="capture standard output"),
    "persists": Rule(
        expected="what a block defines is there in the next, also after one that failed",
        hint="one namespace per world, kept over execute calls",
    ),
    "failure": Rule(
        expected="code that raises or does not parse gives failed=True and a text beginning "
        "'Execution failed. Traceback' that names the exception, or what is wrong with the syntax",
        hint="put 'Execution failed. Traceback:' before the traceback",
    ),
    "blank": Rule(
        expected="blank code gives 'No code available to execute.' and failed=True", hint="test code.strip() first"
    ),
    "calls": Rule(
        expected="a function of an earlier block that this block calls is in calls once, with the number of the "
        "execute call that defined it, counted from 0, and the exception if one left it",
        hint="prowess.sandbox traces this for you; every execute call counts, failed and blank ones too",
    ),
    "own functions": Rule(
        expected="what a block defines itself, or only mentions, is not in calls",
        hint="a function defined again and called in the same block is not a use of the earlier one",
    ),
    "independent": Rule(
        expected="two open worlds of one task know nothing of each other",
        hint="namespaces and state are made in open, not shared on the suite or a module",
    ),
    "verdict": Rule(
        expected="evaluate() returns an prowess.types.Verdict with at least one check and raises nothing",
        hint="Verdict(passed=('paid',), failed=('nothing else changed',)): names of checks on the final state",
    ),
    "idle": Rule(
        expected="doing nothing does not succeed, nor does completing the task at once",
        hint="check that what was asked for has happened, not only that nothing is broken",
    ),
    "alike": Rule(
        expected="two worlds of one task that saw the same evaluate alike",
        hint="the same checks in the same order; no clock, no global random generator, no set order",
    ),
    "completes": Rule(
        expected="after the code that completes the task, done is true for world and observation",
        hint="where your world completes in another way, check(suite, finish='the code that does it')",
    ),
    "apis": Rule(
        expected="APIs that a block called are in apis, in order, as 'app.api'",
        hint="record them where the host answers the call",
    ),
    "answers": Rule(
        expected="a call of an API is answered or refused, whatever its app, its name and its arguments",
        hint="raise ApiFailure('what is wrong with it'); WorldError is for what no call could help",
    ),
    "close": Rule(expected="close() may be called twice and raises nothing", hint="do nothing the second time"),
    "errors": Rule(
        expected="what the suite or a closed world refuses, it refuses with an error of prowess.errors",
        hint="raise WorldError('what happened', hint='what to do'), or unknown('split', name, known)",
    ),
}
