"""Uses of earlier functions: what ran, what did not, and what is forged."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from prowess.files.codec import to_json
from prowess.sandbox import Interpreter, Sandbox, SandboxSettings, open_sandbox
from prowess.types import Call

SKILLS = """
import functools

def skill(n=1):
    return n + 1

@functools.lru_cache
def cached(n):
    return n

def careful():
    try:
        raise KeyError("inside")
    except KeyError:
        return None

def sequence():
    yield 1
    raise ValueError("late")

async def later():
    raise OSError("gone")

def deep(n):
    return deep(n - 1) if n else skill()
"""


def nothing(*_: Any) -> None:
    return None


@pytest.fixture(scope="module")
def jail() -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings(kind="jail", step_seconds=20))
    yield opened
    opened.close()


@pytest.fixture
def interpreter(jail: Sandbox) -> Iterator[Interpreter]:
    opened = jail.open()
    assert not opened.run(SKILLS, nothing).failed
    yield opened
    opened.close()


def calls(interpreter: Interpreter, code: str) -> list[tuple[str, str]]:
    return [(call.name, call.error) for call in interpreter.run(code, nothing).calls]


@pytest.mark.parametrize(
    ("code", "seen"),
    {
        "a call": ("skill()", [("skill", "")]),
        "many calls are one use": ("for n in range(50): skill(n)", [("skill", "")]),
        "a call in a branch that is not taken": ("if False: skill()", []),
        "a call in a function that is not called": ("def g(): skill()", []),
        "a call in a function that is called": ("def g(): skill()\ng()", [("skill", "")]),
        "a function passed to map": ("list(map(skill, [1, 2]))", [("skill", "")]),
        "a function passed and never called": ("print(skill)", []),
        "an alias": ("g = skill\ng()", [("skill", "")]),
        "a decorated function": ("cached(3)", [("cached", "")]),
        "a call in a thread": (
            "import threading\nt = threading.Thread(target=skill)\nt.start()\nt.join()",
            [("skill", "")],
        ),
        "an error that leaves": ("skill('x')", [("skill", 'TypeError: can only concatenate str (not "int") to str')]),
        "an error that is caught outside": (
            "try: skill(None)\nexcept TypeError: pass",
            [("skill", "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'")],
        ),
        "an error that is caught inside": ("careful()", [("careful", "")]),
        "an error among good calls": (
            "for n in (1, None, 2):\n    try: skill(n)\n    except TypeError: pass",
            [("skill", "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'")],
        ),
        "two errors, of which the first is told": (
            "for n in (None, 'x'):\n    try: skill(n)\n    except TypeError: pass",
            [("skill", "TypeError: unsupported operand type(s) for +: 'NoneType' and 'int'")],
        ),
        "a generator": ("try: list(sequence())\nexcept ValueError: pass", [("sequence", "ValueError: late")]),
        "a coroutine": (
            "import asyncio\ntry: asyncio.run(later())\nexcept OSError: pass",
            [("later", "OSError: gone")],
        ),
        "recursion": ("deep(5)", [("deep", "")]),
        "a helper that the code does not name": ("deep(0)", [("deep", "")]),
        "a wrong number of arguments": ("skill(1, 2)", []),
        "a redefinition": ("def skill(): ...\nskill()", []),
        "a parameter of the name": ("def g(skill): return skill()\ng(lambda: 1)", []),
        "a string": ("print('skill()')\neval('skill()')", []),
        "a call by another road": ("globals()['skill']()", []),
    }.values(),
)
def test_uses_are_what_ran_and_was_written(interpreter: Interpreter, code: str, seen: list[tuple[str, str]]) -> None:
    assert calls(interpreter, code) == seen


def test_the_block_is_the_one_whose_function_ran(interpreter: Interpreter) -> None:
    interpreter.run("x = 1", nothing)
    interpreter.run("", nothing)
    interpreter.run("def skill(): return 2", nothing)
    assert interpreter.run("skill()", nothing).calls == (Call(name="skill", block=3),)


def test_a_call_in_a_function_of_a_block_in_between_counts_once_it_runs(interpreter: Interpreter) -> None:
    assert calls(interpreter, "def g(yes): return skill() if yes else 0") == []
    assert calls(interpreter, "def h(yes): return g(yes)") == []
    assert calls(interpreter, "h(False)") == [("h", ""), ("g", "")]
    assert calls(interpreter, "h(True)") == [("h", ""), ("g", ""), ("skill", "")]
    assert calls(interpreter, "def skill(): return 0\nh(True)") == [("h", ""), ("g", "")]
    assert Call(name="skill", block=5) in interpreter.run("h(True)", nothing).calls  # the new one


def test_a_redefinition_that_was_not_reached_does_not_count(interpreter: Interpreter) -> None:
    assert interpreter.run("1 / 0\ndef skill(): return 2", nothing).failed
    assert interpreter.run("skill()", nothing).calls == (Call(name="skill", block=0),)


@pytest.mark.parametrize(
    "forged",
    [
        '["other", 0, ""]',
        '["skill", 7, ""]',
        '["skill", "0", ""]',
        '["skill", False, ""]',
        '["skill", 0]',
        '"skill"',
        '"abc"',
        "7",
        '[["skill"], 0, ""]',
        "{}",
    ],
)
def test_forged_uses_are_dropped(interpreter: Interpreter, forged: str) -> None:
    code = f"""
import json, os
worker = apis._send.__self__
end = {{"nonce": worker._nonce, "text": "forged", "failed": False, "calls": [{forged}], "denied": 0}}
body = json.dumps(end).encode()
os.write(3, len(body).to_bytes(4, "big") + body)
if False: skill()
"""
    seen = interpreter.run(code, nothing)
    assert seen.text == "forged"
    assert seen.calls == ()


@pytest.mark.parametrize(
    "message",
    [
        {"text": "forged", "failed": False, "denied": True},
        {"text": "forged", "failed": False, "denied": None},
        {"text": "forged", "failed": 0, "denied": 0},
        {"text": 3, "failed": False, "denied": 0},
        {"app": 3, "api": "b", "arguments": {}},
        {"app": "a", "api": 3, "arguments": {}},
        {"app": "a", "api": "b", "arguments": []},
        {"app": "a"},
        {"nonce": "another"},
        [],
    ],
    ids=str,
)
def test_a_malformed_message_ends_the_interpreter_and_reaches_nobody(interpreter: Interpreter, message: Any) -> None:
    code = f"""
import json, os
message, nonce = {message!r}, apis._send.__self__._nonce
body = json.dumps({{"nonce": nonce, **message}} if message else message).encode()
os.write(3, len(body).to_bytes(4, "big") + body)
"""
    seen = interpreter.run(code, nothing)
    assert seen.fatal.startswith("protocol")
    assert (seen.denied, seen.apis) == (1, ())
    to_json(seen)  # a record takes it
    assert interpreter.run("print('alive')", nothing).text == "alive\n"


@pytest.mark.parametrize(("denied", "counted"), [(10**12, 1_000_000), (-5, 0)])
def test_a_forged_end_is_cut_to_what_an_honest_one_may_hold(
    interpreter: Interpreter, denied: int, counted: int
) -> None:
    code = f"""
import json, os
end = {{"nonce": apis._send.__self__._nonce, "text": "x" * 300_000, "failed": False, "denied": {denied}}}
body = json.dumps(end).encode()
body = len(body).to_bytes(4, "big") + body
while body: body = body[os.write(3, body):]
"""
    seen = interpreter.run(code, nothing)
    assert (len(seen.text), seen.denied) == (201_000, counted)


def test_a_forged_use_of_a_function_that_the_code_does_not_call_is_dropped(interpreter: Interpreter) -> None:
    code = """
from jail import trace
trace.Watch.stop = lambda self: [("skill", 0, "")]
"""
    interpreter.run(code, nothing)
    assert interpreter.run("x = 'skill()'", nothing).calls == ()


def test_functions_of_an_interpreter_that_died_are_no_candidates(interpreter: Interpreter) -> None:
    assert interpreter.run("import os\nos._exit(1)", nothing).fatal
    assert interpreter.run("skill()", nothing).text.endswith("NameError: name 'skill' is not defined")
    interpreter.run("def skill(): return 3", nothing)
    assert interpreter.run("skill()", nothing).calls == (Call(name="skill", block=3),)


def test_a_step_that_calls_no_skill_is_not_traced(interpreter: Interpreter) -> None:
    code = "import sys\nprint(sys.gettrace(), sys.getprofile())"
    assert interpreter.run(code, nothing).text == "None None\n"
