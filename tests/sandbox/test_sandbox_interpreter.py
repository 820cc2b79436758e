"""The contract of every tier: what an agent reads, what stays, what is counted."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from prowess.errors import PolicyError, RecipeError, SandboxError, WorldError
from prowess.sandbox import ApiFailure, Interpreter, Sandbox, SandboxSettings, capabilities, open_sandbox, stdlib
from prowess.sandbox.answer import BROKE
from prowess.types import Break, Call, Observation

LIMITS: dict[str, Any] = {"step_seconds": 20.0, "api_calls_step": 10, "api_calls_total": 25}


def world(app: str, api: str, arguments: Mapping[str, Any]) -> Any:
    """A world with an API that answers and one that refuses."""
    if api == "refuse":
        raise ApiFailure('Response status code is 422:\n{"message": "no such song"}')
    return {"app": app, "api": api, "arguments": dict(arguments)}


@pytest.fixture(scope="module", params=["jail", "monty", "unsafe"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    if request.param == "monty":
        pytest.importorskip("pydantic_monty")
    opened = open_sandbox(SandboxSettings(kind=request.param, **LIMITS))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def jail() -> Iterator[Sandbox]:
    opened = open_sandbox(SandboxSettings(kind="jail", **LIMITS))
    yield opened
    opened.close()


@pytest.fixture
def interpreter(sandbox: Sandbox) -> Iterator[Interpreter]:
    opened = sandbox.open(seed=7)
    yield opened
    opened.close()


@pytest.fixture
def jailed(jail: Sandbox) -> Iterator[Interpreter]:
    opened = jail.open(seed=7, now="2023-05-18T12:00:00")
    yield opened
    opened.close()


def texts(interpreter: Interpreter, *blocks: str) -> list[str]:
    return [interpreter.run(block, world).text for block in blocks]


def test_printed_text_comes_back_as_it_is(interpreter: Interpreter) -> None:
    assert interpreter.run("print('a', 1)\nprint('  b  ')", world) == Observation(text="a 1\n  b  \n")


def test_silence_is_success(interpreter: Interpreter) -> None:
    assert interpreter.run("x = 1", world) == Observation(text="Execution successful.")


def test_nothing_to_execute_is_told(interpreter: Interpreter) -> None:
    for code in ("", "  \n\t"):
        assert interpreter.run(code, world) == Observation(text="No code available to execute.", failed=True)


def test_without_anybody_to_answer_apis_are_refused_and_not_counted(interpreter: Interpreter) -> None:
    seen = interpreter.run("def f(): return 1\napis.music.search()", None)
    assert (seen.failed, seen.apis) == (True, ())
    assert "APIs do not answer while functions are being defined." in seen.text
    assert interpreter.run("print(f())\napis.music.search()", world).apis == ("music.search",)


def test_no_thread_starts_while_functions_are_defined(jailed: Interpreter) -> None:
    start = "import threading, _thread\ndef busy():\n    while True: apis.music.search()\n"
    for way in ("threading.Thread(target=busy).start()", "_thread.start_new_thread(busy, ())"):
        seen = jailed.run(start + way, None)
        assert seen.failed and "RuntimeError: Threads do not start while functions are being defined." in seen.text
        jailed.run(f"{start}try:\n    {way}\nexcept RuntimeError:\n    pass", None)  # swallowed, and still refused
    assert jailed.run("print(threading.active_count(), _thread._count())", world).text == "1 0\n"
    code = "done = []\none = threading.Thread(target=done.append, args=(1,))\none.start(); one.join(); print(done)"
    assert jailed.run(code, world).text == "[1]\n"  # in a task they may


def test_a_thread_that_gets_past_the_guard_does_not_live_on_into_the_task(jailed: Interpreter) -> None:
    start = """import _thread, types
cells = [cell.cell_contents for cell in _thread.start_new_thread.__closure__]
begin = next(held for held in cells if isinstance(held, types.BuiltinFunctionType))
def busy():
    while True:
        try: apis.music.search()
        except Exception: pass
begin(busy, ())"""
    seen = jailed.run(start, None)
    assert (seen.failed, seen.fatal) == (True, "exit: The code ended its interpreter")
    assert jailed.run("import _thread; print(_thread._count())", world) == Observation(text="0\n")


ACT = """
def act(*_):
    if "task" in globals():
        try: apis.music.search()
        except Exception: pass
"""
LATER = {
    "a timer of processor time": "import signal\nsignal.signal(signal.SIGVTALRM, act)\n"
    "signal.setitimer(signal.ITIMER_VIRTUAL, 0.01, 0.01)",
    "a timer of the profiler": "import signal\nsignal.signal(signal.SIGPROF, act)\n"
    "signal.setitimer(signal.ITIMER_PROF, 0.01, 0.01)",
    "a trace": "import sys\nsys.settrace(act)",
    "a profile": "import sys\nsys.setprofile(act)",
    "a callback of the collector": "import gc\ngc.callbacks.append(act)\ngc.set_threshold(10)",
}


@pytest.mark.parametrize("what", LATER)
def test_nothing_that_a_skill_sets_as_it_loads_goes_off_in_the_task(jailed: Interpreter, what: str) -> None:
    assert not jailed.run(ACT + LATER[what], None).fatal
    busy = "task = 1\nkept = [[n] for n in range(400_000)]\nprint(len(kept))"
    assert jailed.run(busy, world) == Observation(text="400000\n")


def test_a_thread_that_python_knows_nothing_of_does_not_live_on_into_the_task(jailed: Interpreter) -> None:
    """Such a thread sleeps in C as its skill is loaded, and calls APIs in the task."""
    start = """
import ctypes
C, P = ctypes.CDLL(None), ctypes.c_void_p
@ctypes.CFUNCTYPE(P, P)
def body(_):
    for _ in range(100):
        C.usleep(10_000)
        act()
    return 0
C.pthread_create(ctypes.byref(ctypes.c_ulong()), None, body, None)"""
    seen = jailed.run(ACT + start, None)
    assert seen.fatal in {
        "threads: The code started a thread while functions were being defined",
        "exit: The code ended its interpreter",  # it had called into Python already
    }
    assert jailed.run("task = 1\nfor _ in range(10**6): pass\nprint(1)", world) == Observation(text="1\n")


def test_functions_are_defined_beside_threads_of_the_task(jailed: Interpreter) -> None:
    waiting = "import threading\ngate = threading.Event()\nthreading.Thread(target=gate.wait, daemon=True).start()"
    assert jailed.run(waiting, world) == Observation(text="Execution successful.")
    assert jailed.run("def f(): return 1", None) == Observation(text="Execution successful.")
    assert jailed.run("gate.set(); print(f())", world).text == "1\n"


def test_variables_and_functions_stay(interpreter: Interpreter) -> None:
    assert texts(interpreter, "x = 20\ndef double(n): return 2 * n", "print(double(x) + 2)") == [
        "Execution successful.",
        "42\n",
    ]


def test_the_last_expression_is_not_echoed(interpreter: Interpreter) -> None:
    assert interpreter.run("1 + 1", world).text == "Execution successful."


def test_one_short_container_prints_as_json(interpreter: Interpreter) -> None:
    assert interpreter.run("print({'a': None, 'b': [True]})\nprint((1, 2))", world).text == (
        '{"a": null, "b": [true]}\n[1, 2]\n'
    )


def test_one_long_container_prints_as_indented_json(interpreter: Interpreter) -> None:
    value = [{"title": "x" * 40, "plays": 1}, {"title": "y" * 40, "plays": 2}]
    assert interpreter.run(f"print({value!r})", world).text == json.dumps(value, indent=1) + "\n"


def test_indentation_begins_at_a_hundred_characters(interpreter: Interpreter) -> None:
    for length, lines in ((95, 1), (96, 3)):  # with quotes and brackets 99 and 100
        assert interpreter.run(f"print(['x' * {length}])", world).text.count("\n") == lines


def test_several_values_print_as_python_shows_them(interpreter: Interpreter) -> None:
    assert interpreter.run("print({'a': None}, [True])", world).text == "{'a': None} [True]\n"


def test_a_failure_shows_the_submitted_lines_and_loses_what_was_printed(interpreter: Interpreter) -> None:
    interpreter.run("def half(n):\n    return 1 / n", world)
    seen = interpreter.run("print('lost')\nhalf(0)", world)
    assert seen.failed
    assert seen.denied == 0
    assert re.sub(r"^ +[~^]+\n", "", seen.text, flags=re.MULTILINE) == (
        "Execution failed. Traceback:\n"
        '  File "<python-input>", line 2, in <module>\n'
        "    half(0)\n"
        '  File "<python-input>", line 2, in half\n'
        "    return 1 / n\n"
        "ZeroDivisionError: division by zero"
    )


def test_a_syntax_error_is_a_failure(interpreter: Interpreter) -> None:
    seen = interpreter.run("x = 1\ny = = 2", world)
    assert seen.failed
    assert "y = = 2" in seen.text
    if "Message:" in seen.text:  # not in the reduced Python
        assert seen.text == "Execution failed. Traceback:\nSyntax error in line:\ny = = 2\nMessage: invalid syntax"
    else:
        assert seen.text.splitlines()[-1].startswith("SyntaxError: ")


def test_input_raises(interpreter: Interpreter) -> None:
    assert interpreter.run("input('name?')", world).text.endswith(
        "Exception: input(..) is not allowed. All decisions must be made autonomously."
    )


def test_apis_are_answered_by_the_world(interpreter: Interpreter) -> None:
    seen = interpreter.run("print(apis.music.search(query='é', page=[1, {'a': None}])['arguments'])", world)
    assert seen.text == '{"query": "\\u00e9", "page": [1, {"a": null}]}\n'
    assert seen.apis == ("music.search",)


def test_apis_are_listed_in_order_also_when_the_step_fails(interpreter: Interpreter) -> None:
    seen = interpreter.run("apis.a.x()\napis.b.y()\napis.a.x()\napis.a.refuse()\napis.c.z()", world)
    assert seen.apis == ("a.x", "b.y", "a.x", "a.refuse")


def test_a_refusal_is_an_exception_with_the_worlds_words(interpreter: Interpreter) -> None:
    seen = interpreter.run("apis.music.refuse()", world)
    assert seen.failed
    assert seen.text.endswith('\nException: Response status code is 422:\n{"message": "no such song"}')


def test_a_refusal_can_be_caught(interpreter: Interpreter) -> None:
    code = "try:\n    apis.music.refuse()\nexcept Exception as e:\n    print('caught', str(e)[:27])"
    assert interpreter.run(code, world).text == "caught Response status code is 422\n"


def test_positional_arguments_are_a_type_error(interpreter: Interpreter) -> None:
    seen = interpreter.run("apis.music.search('x')", world)
    assert "TypeError: music.search() takes keyword arguments only" in seen.text
    assert seen.apis == ()


def test_what_the_world_gave_is_not_shared(interpreter: Interpreter) -> None:
    shelf = [[1]]
    interpreter.run("x = apis.a.b()\nx[0].append(2)", lambda *_: shelf)
    assert shelf == [[1]]


def test_a_world_that_breaks_on_a_call_fails_that_call_and_no_more(interpreter: Interpreter) -> None:
    def call(app: str, api: str, arguments: Mapping[str, Any]) -> Any:
        return {"right answer": 42}[arguments["id"]]

    seen = interpreter.run("x = 1\napis.music.show(id='the right one')", call)
    assert seen.failed and not seen.fatal and seen.text.rstrip().endswith(f"Exception: {BROKE}")
    assert "right" not in seen.text.replace("id='the right one'", "") and "KeyError" not in seen.text
    line = call.__code__.co_firstlineno + 1
    place = f"test_sandbox_interpreter.py:{line}"
    assert seen.breaks == (Break(api="music.show", error="KeyError: 'the right one'", place=place),)
    assert seen.apis == ("music.show",)
    caught = interpreter.run("try:\n    apis.music.show()\nexcept Exception as e:\n    print(x, e)", call)
    assert (caught.text, caught.failed, len(caught.breaks)) == (f"1 {BROKE}\n", False, 1)
    assert interpreter.run("print(apis.music.show(id='right answer'))", call) == Observation(
        text="42\n", apis=("music.show",)
    )


class _Speechless(Exception):
    def __str__(self) -> str:
        raise ValueError("nothing to say")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (lambda: {1, 2}, "TypeError: Object of type set is not JSON serializable"),
        (lambda: sys.exit(2), "SystemExit: 2"),
        (lambda: _raise(_Speechless()), "_Speechless"),
        (lambda: _raise(ValueError("x" * 5000)), f"ValueError: {'x' * 288} ..."),
    ],
)
def test_whatever_a_world_breaks_on_is_told_in_few_words(
    interpreter: Interpreter, answer: Callable[[], Any], error: str
) -> None:
    seen = interpreter.run("apis.music.show()", lambda app, api, arguments: answer())
    assert BROKE in seen.text
    assert [one.error for one in seen.breaks] == [error]


@pytest.mark.parametrize(
    "error", [WorldError("the database is gone"), PolicyError("no answer"), KeyboardInterrupt("now")]
)
def test_an_outage_and_an_interruption_are_no_failure_of_a_call(interpreter: Interpreter, error: BaseException) -> None:
    with pytest.raises(type(error), match=str(error)):
        interpreter.run("try:\n    apis.music.show()\nexcept Exception: pass", lambda *_: _raise(error))


def _raise(error: BaseException) -> Any:
    raise error


def test_api_calls_are_limited_per_step_and_per_episode(interpreter: Interpreter) -> None:
    code = "n = 0\ntry:\n    while True:\n        apis.a.b()\n        n += 1\nexcept Exception as e:\n    print(n, e)"
    seen = [interpreter.run(code, world) for _ in range(3)]
    assert [len(one.apis) for one in seen] == [10, 10, 5]
    assert seen[0].text.startswith("10 Number of requests exceeded the limit of 10. ")
    assert "in one task (25) reached" in seen[2].text


@pytest.mark.parametrize("kind", ["jail", "unsafe"])
def test_a_slow_world_answers_so_long_in_a_step_and_again_in_the_next(kind: str) -> None:
    def slow(*_: Any) -> int:
        time.sleep(0.1)
        raise ApiFailure("not found")

    code = "for n in range(9):\n    try: apis.a.b()\n    except Exception as e: print(n, e)"
    with closing(open_sandbox(SandboxSettings(kind=kind, world_seconds=0.25))) as sandbox:
        interpreter = sandbox.open()
        seen = [interpreter.run(code, slow) for _ in range(2)]
    assert [len(one.apis) for one in seen] == [3, 3]
    assert "2 not found\n3 API calls of this step took more than 0.25 seconds together" in seen[1].text


def test_calls_of_earlier_functions_are_reported(interpreter: Interpreter) -> None:
    interpreter.run("def a(): return 1\ndef b(): return a()", world)
    interpreter.run("x = 1", world)
    interpreter.run("def c(n): return 1 / n", world)
    assert interpreter.run("print(a() + b())", world).calls == (
        Call(name="a", block=0),
        Call(name="b", block=0),
    )
    assert interpreter.run("c(0)", world).calls == (
        Call(name="c", block=2, error="ZeroDivisionError: division by zero"),
    )
    assert interpreter.run("def d(): ...\nd()", world).calls == ()
    assert interpreter.run("def a(): ...\na()", world).calls == ()


def test_a_closed_interpreter_says_so(sandbox: Sandbox) -> None:
    interpreter = sandbox.open()
    interpreter.close()
    interpreter.close()
    with pytest.raises(SandboxError, match="closed"):
        interpreter.run("x = 1", world)


def test_interpreters_do_not_see_each_other(sandbox: Sandbox) -> None:
    one, two = sandbox.open(), sandbox.open()
    one.run("x = 1", world)
    assert "NameError" in two.run("print(x)", world).text
    one.close()
    two.close()


def test_many_threads_may_open_and_run(sandbox: Sandbox) -> None:
    seen: dict[int, str] = {}

    def play(number: int) -> None:
        interpreter = sandbox.open(seed=number)
        interpreter.run(f"x = {number}", world)
        seen[number] = interpreter.run("print(x, apis.a.b(x=x)['arguments']['x'])", world).text
        interpreter.close()

    threads = [threading.Thread(target=play, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == {n: f"{n} {n}\n" for n in range(12)}


# --- the jail alone: a whole Python ----------------------------------------------------------------------------


def test_a_refusal_whose_words_cannot_be_sent_is_a_world_that_breaks(jailed: Interpreter) -> None:
    seen = jailed.run("apis.music.show()", lambda *_: _raise(ApiFailure("half a character: \ud83c")))
    assert BROKE in seen.text
    assert [one.error.partition(":")[0] for one in seen.breaks] == ["UnicodeEncodeError"]


def test_what_no_frame_holds_is_refused_and_the_interpreter_goes_on(jailed: Interpreter) -> None:
    jailed.run("x = 1", world)
    for code, why in (("#" * 2_000_000, "the code is too long"), ("x = '\ud800'", "characters that are not Unicode")):
        seen = jailed.run(code, world)
        assert (seen.failed, seen.fatal) == (True, "")
        assert why in seen.text
    seen = jailed.run("apis.music.show()", lambda *_: "x" * 2_000_000)
    assert seen.text.endswith("Exception: The answer is larger than 2000000 bytes.")
    assert jailed.run("print(x)", world).text == "1\n"


@pytest.mark.parametrize("call", ["getattr(apis, 'a b').c()", "getattr(apis.a, 'b c')()", f"apis.a.{'x' * 101}()"])
def test_what_is_no_name_never_reaches_the_world(jailed: Interpreter, call: str) -> None:
    seen = jailed.run(call, world)
    assert seen.text.endswith("Exception: No such app or API.")
    assert seen.apis == ()


def test_apis_are_read_like_attributes_and_like_entries(jailed: Interpreter) -> None:
    code = """
print(apis["music"]["search"](query=1)["arguments"], apis.keys(), apis.music.keys())
print(hasattr(apis, "__len__"), hasattr(apis.music, "__len__"))
"""
    assert jailed.run(code, world).text == "{'query': 1} [] []\nFalse False\n"


@pytest.mark.parametrize(
    ("code", "denied"),
    [
        ("open('/etc/passwd')", 1),
        ("open(b'/etc/passwd')", 1),
        ("open(os.__file__, 'a')", 1),
        ("os.open(os.__file__, os.O_RDONLY | os.O_CREAT)", 1),
        ("os.listdir('/')", 1),
        ("os.scandir('/')", 1),
        ("os.chdir('/tmp')", 1),
        ("socket.socket(socket.AF_INET)", 1),
        ("os.kill(1, 9)", 1),
        ("os.fork()", 1),
        ("os.mkdir('/tmp/made')", 1),
        ("open(os.__file__)", 0),
        ("os.listdir(os.path.dirname(os.__file__))", 0),
        ("os.fdopen(os.pipe()[0])", 0),
        ("socket.socketpair()", 0),
    ],
)
def test_each_thing_that_the_jail_refuses_is_counted(jailed: Interpreter, code: str, denied: int) -> None:
    seen = jailed.run(f"import os, socket\n{code}", world)
    assert (seen.failed, seen.denied) == (bool(denied), denied)


def test_an_interpreter_can_neither_dump_its_memory_nor_fill_files_and_queues(jailed: Interpreter) -> None:
    names = ("CORE", "FSIZE", "MEMLOCK", "MSGQUEUE", "NOFILE")
    code = (
        f"import resource\nprint([list(resource.getrlimit(getattr(resource, 'RLIMIT_' + name))) for name in {names}])"
    )
    assert jailed.run(code, world).text == "[[0, 0], [0, 0], [0, 0], [0, 0], [64, 64]]\n"


def test_what_a_step_did_to_its_output_does_not_outlive_it(jailed: Interpreter) -> None:
    jailed.run("import io, sys\nsys.stdout = io.StringIO()\nprint('lost')", world)
    assert jailed.run("print('kept')", world).text == "kept\n"


def test_a_thread_that_is_left_behind_hears_no_answer_between_steps(jail: Sandbox) -> None:
    interpreter = jail.open()  # its clock runs
    code = """
import threading, time
heard = []
def later():
    time.sleep(0.2)
    try: apis.music.search()
    except RuntimeError as error: heard.append(str(error))
thread = threading.Thread(target=later)
thread.start()
"""
    assert not interpreter.run(code, world).failed
    time.sleep(0.5)
    seen = interpreter.run("thread.join(); print(heard)", world)
    assert (seen.text, seen.apis) == ('["APIs answer only while a step runs"]\n', ())
    interpreter.close()


def test_common_modules_are_there(jailed: Interpreter) -> None:
    modules = (
        "json re math datetime collections itertools functools statistics random string typing dataclasses decimal "
        "uuid time calendar textwrap pprint hashlib copy operator heapq bisect enum abc base64 difflib unicodedata "
        "zoneinfo csv fractions html urllib.parse logging traceback inspect asyncio concurrent.futures "
        "xml.etree.ElementTree"
    ).split()
    seen = jailed.run("\n".join(f"import {name}" for name in modules), world)
    assert seen == Observation(text="Execution successful.")


def test_ordinary_programs_run_as_they_would_anywhere(jailed: Interpreter) -> None:
    code = """
from __future__ import annotations
import asyncio, enum, re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, asdict
from decimal import Decimal
from typing import get_type_hints
from zoneinfo import ZoneInfo
from datetime import datetime, timedelta

@dataclass(order=True)
class Song:
    plays: int
    title: str = "x"

class Colour(enum.Enum):
    RED = 1

async def later(n):
    await asyncio.sleep(0.001)
    return n * 2

print(sorted([Song(2), Song(1, "b")])[0], get_type_hints(Song), asdict(Song(3)))
print(Colour.RED, Decimal("0.1") + Decimal("0.2"), re.findall(r"\\d+", "a1b22"))
print(asyncio.run(later(21)), list(ThreadPoolExecutor(3).map(lambda n: n + 1, range(3))))
print(list(ThreadPoolExecutor(3).map(lambda n: apis.a.b(n=n)["arguments"]["n"], range(4))))
print(datetime(2023, 5, 18, tzinfo=ZoneInfo("America/New_York")) + timedelta(days=1))
"""
    assert jailed.run(code, world).text.splitlines() == [
        "Song(plays=1, title='b') {'plays': <class 'int'>, 'title': <class 'str'>} {'plays': 3, 'title': 'x'}",
        "Colour.RED 0.3 ['1', '22']",
        "42 [1, 2, 3]",
        "[0, 1, 2, 3]",
        "2023-05-19 00:00:00-04:00",
    ]


def test_the_clock_stands_still_at_the_tasks_time(jailed: Interpreter) -> None:
    code = """
import datetime, time
from datetime import date
print(datetime.datetime.now(), date.today(), datetime.datetime.today(), datetime.datetime.now(datetime.timezone.utc))
print(time.time(), time.strftime("%Y-%m-%d %H:%M"), time.ctime())
print(isinstance(datetime.datetime.now().date(), date), repr(datetime.datetime.now()))
began = time.time(); time.sleep(1000); print(time.time() - began)
"""
    assert jailed.run(code, world).text.splitlines() == [
        "2023-05-18 12:00:00 2023-05-18 2023-05-18 12:00:00 2023-05-18 12:00:00+00:00",
        "1684411200.0 2023-05-18 12:00 Thu May 18 12:00:00 2023",
        "True datetime.datetime(2023, 5, 18, 12, 0)",
        "0.0",
    ]


def test_other_times_are_told_as_ever_and_waiting_takes_none(jailed: Interpreter) -> None:
    code = """
import datetime, time
print(time.time_ns(), time.localtime().tm_hour, time.gmtime().tm_hour, time.asctime(), datetime.datetime.utcnow())
print(time.localtime(0).tm_year, time.gmtime(0).tm_year, time.ctime(0), time.asctime(time.gmtime(0)))
print(time.strftime("%Y", time.gmtime(0)), time.strftime("%H:%M"))
for name in ("perf_counter", "process_time", "thread_time"):
    ask, exactly = getattr(time, name), getattr(time, name + "_ns")
    print(round(ask() - ask(), 9), exactly() - exactly())
time.sleep(0)
try: time.sleep(-1)
except ValueError as error: print(error)
"""
    assert jailed.run(code, world).text.splitlines() == [
        "1684411200000000000 12 12 Thu May 18 12:00:00 2023 2023-05-18 12:00:00",
        "1970 1970 Thu Jan  1 00:00:00 1970 Thu Jan  1 00:00:00 1970",
        "1970 12:00",
        *["-0.001 -1000000"] * 3,
        "sleep length must be non-negative",
    ]


def test_a_moment_elsewhere_is_told_in_universal_time(jail: Sandbox) -> None:
    interpreter = jail.open(now="2023-05-18T12:00:00+02:00")
    assert interpreter.run("import datetime\nprint(datetime.datetime.now())", world).text == "2023-05-18 10:00:00\n"
    interpreter.close()


def test_a_seed_gives_the_same_run_and_another_seed_another(jail: Sandbox) -> None:
    code = """
import random, uuid, secrets, time
print(random.random(), random.sample(range(100), 3), uuid.uuid4(), secrets.token_hex(4))
print({"a", "b", "c", "d"}, hash("prowess"), time.perf_counter(), object())
"""
    runs = []
    for seed in (1, 1, 2):
        interpreter = jail.open(seed=seed, now="2023-05-18T12:00:00")
        runs.append(interpreter.run(code, world).text)
        interpreter.close()
    assert runs[0] == runs[1]
    assert runs[0].splitlines()[0] != runs[2].splitlines()[0]
    assert runs[0].splitlines()[1] == runs[2].splitlines()[1]


def test_with_a_root_of_its_own_no_other_path_exists(jail: Any, jailed: Interpreter) -> None:
    if "root" not in jail._zygote.granted["namespaces"]:
        pytest.skip("no mount namespace here")
    code = """
import os, sys
for path in ("/etc/passwd", "/proc", "/dev/null", "/tmp", "/home", "/root", sys.executable, HERE):
    if os.path.exists(path) and not os.path.dirname(os.__file__).startswith(path): print("sees", path)
print(os.path.exists(os.__file__))
for folder in sys.path:
    for name in ("site-packages", "dist-packages"):
        if os.path.isdir(f"{folder}/{name}") and os.listdir(f"{folder}/{name}"): print("sees", folder, name)
"""
    jailed.run(f"HERE = {__file__!r}", world)
    assert jailed.run(code, world).text == "True\n"


def test_of_the_library_all_is_shown_but_packages_and_links_that_lead_nowhere(tmp_path: Path) -> None:
    with_packages, without = tmp_path / "lib", tmp_path / "dynload"
    (with_packages / "site-packages").mkdir(parents=True)
    without.mkdir()
    (with_packages / "os.py").touch()
    (with_packages / "sitecustomize.py").symlink_to(tmp_path / "nowhere")
    library = [str(with_packages), str(without)]
    assert stdlib.packages(library) == [str(with_packages / "site-packages")]
    assert [path for path in stdlib.readable(library) if path.startswith(str(tmp_path))] == [
        str(with_packages / "os.py")
    ]


def test_only_what_all_may_list_and_enter_is_open_to_all(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    inside = closed / "inside"
    inside.mkdir(parents=True)
    assert stdlib.open_to_all("/usr/lib")
    for mode, below in ((0o750, 0o755), (0o755, 0o750), (0o755, 0o754), (0o754, 0o755)):
        closed.chmod(mode)
        inside.chmod(below)
        assert not stdlib.open_to_all(str(inside))


def test_deep_recursion_is_told_briefly(jailed: Interpreter) -> None:
    seen = jailed.run("def f(n): return f(n + 1)\nf(0)", world)
    assert seen.text.endswith("RecursionError: maximum recursion depth exceeded")
    assert "more times]" in seen.text
    assert len(seen.text) < 3000
    seen = jailed.run("def f(n): return g(n + 1)\ndef g(n): return f(n + 1)\nf(0)", world)
    assert "more frames" in seen.text
    assert len(seen.text) < 5000


def test_only_frames_of_submitted_code_are_shown(jailed: Interpreter) -> None:
    seen = jailed.run("import json\njson.loads('{')", world)
    assert seen.text.count('File "') == 1
    assert seen.text.splitlines()[-1].startswith("json.decoder.JSONDecodeError: Expecting property name")


def test_source_is_known_to_inspect(jailed: Interpreter) -> None:
    jailed.run("def f(n):\n    return n", world)
    assert jailed.run("import inspect\nprint(inspect.getsource(f))", world).text == "def f(n):\n    return n\n\n"


def test_the_value_of_the_last_expression_is_shown_on_request() -> None:
    sandbox = open_sandbox(SandboxSettings(kind="jail", echo=True))
    interpreter = sandbox.open()
    assert texts(interpreter, "x = 2\nx + 1", "y = 3", "def f(): return 1\nf()", "f()", "1 +") == [
        "3\n",
        "Execution successful.",
        "1\n",
        "1\n",
        "Execution failed. Traceback:\nSyntax error in line:\n1 +\nMessage: invalid syntax",
    ]
    sandbox.close()


# --- settings and tiers ------------------------------------------------------------------------------------------


def test_unknown_kinds_and_senseless_limits_are_refused() -> None:
    with pytest.raises(RecipeError, match="unknown sandbox kind 'docker'"):
        SandboxSettings(kind="docker")
    with pytest.raises(RecipeError, match=r"step_seconds is .*; it must be more than 0, and at most"):
        SandboxSettings(step_seconds=0)
    for name in ("grace_seconds", "start_seconds", "cpu_seconds", "threads", "output_chars", "json_depth"):
        for senseless in (0, -1, 2**31):
            with pytest.raises(RecipeError, match=f"{name} is {senseless}; "):
                SandboxSettings(**{name: senseless})
    for name in ("warm", "api_calls_step", "api_calls_total", "record_bytes"):
        assert getattr(SandboxSettings(**{name: 0}), name) == 0
        with pytest.raises(RecipeError, match=f"{name} is -1; it must be at least 0"):
            SandboxSettings(**{name: -1})
    with pytest.raises(RecipeError, match=r"memory_mb is .*; it must be at least 64"):
        SandboxSettings(memory_mb=10)
    with pytest.raises(RecipeError, match="frame_bytes"):
        SandboxSettings(output_chars=10_000_000)


def test_auto_takes_the_jail_where_it_holds() -> None:
    found = capabilities()
    assert found.tier == "jail"
    assert found.landlock >= 1
    assert found.seccomp
    sandbox = open_sandbox(SandboxSettings())
    assert sandbox.name.startswith("jail (landlock+seccomp")
    sandbox.close()


def test_without_a_jail_the_reduced_python_is_announced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pydantic_monty")
    monkeypatch.setattr("prowess.sandbox.landlock.version", lambda: 0)
    with pytest.raises(SandboxError, match="the jail cannot run here: Landlock missing"):
        open_sandbox(SandboxSettings(kind="jail"))
    sandbox = open_sandbox(SandboxSettings())
    sandbox.close()
    assert sandbox.name == "monty (reduced Python)"
    assert "REDUCED PYTHON" in capsys.readouterr().err
    assert capabilities().tier == "monty"


def test_without_jail_and_reduced_python_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prowess.sandbox.landlock.version", lambda: 0)
    monkeypatch.setattr("prowess.sandbox.tiers.monty_version", lambda: "")
    monkeypatch.setattr("prowess.sandbox.machine.monty_version", lambda: "")
    with pytest.raises(SandboxError, match=r"no sandbox .*Landlock missing"):
        open_sandbox(SandboxSettings())
    found = capabilities()
    assert found.tier == "refuse"
    assert any("prowess[monty]" in hint for hint in found.hints)
    assert any(hint.startswith("Landlock") for hint in found.hints)


def test_a_chain_of_exceptions_is_told_in_order(jailed: Interpreter) -> None:
    seen = jailed.run("try:\n    {}['a']\nexcept KeyError as e:\n    raise RuntimeError('second') from e", world)
    first, second = seen.text.split("\n\nThe above exception was the direct cause of the following exception:\n\n")
    assert first.endswith("KeyError: 'a'")
    assert second.startswith('Traceback (most recent call last):\n  File "<python-input>", line 4, in <module>')
    assert second.endswith("RuntimeError: second")


def test_of_a_chain_of_exceptions_the_last_ones_are_told_and_none_that_was_left_out(jailed: Interpreter) -> None:
    seen = jailed.run("try:\n    {}['a']\nexcept KeyError:\n    raise RuntimeError('second')", world)
    assert "KeyError: 'a'\n\nDuring handling of the above exception, another exception occurred:\n" in seen.text
    seen = jailed.run("try:\n    {}['a']\nexcept KeyError:\n    raise RuntimeError('second') from None", world)
    assert "KeyError" not in seen.text
    code = "def f(n):\n    try:\n        if n: f(n - 1)\n    finally: raise ValueError(n)\nf(20)"
    told = [line for line in jailed.run(code, world).text.splitlines() if "Error:" in line]
    assert (len(told), told[-1]) == (5, "ValueError: 20")


def test_the_world_may_name_its_apis_and_its_imports() -> None:
    sandbox = open_sandbox(SandboxSettings(kind="jail"))
    interpreter = sandbox.open(imports=("import json", "import no_such_module"), apis={"notes": ["search", "add"]})
    assert texts(
        interpreter,
        "print(json.dumps(apis.keys()), apis['notes'].keys())",
        "try:\n    apis.music\nexcept Exception as e:\n    print(e)",
        "try:\n    apis.notes.play\nexcept Exception as e:\n    print(e)",
    ) == [
        "[\"notes\"] ['search', 'add']\n",
        "No app named 'music' found.\n",
        "No API named 'play' found in the notes app.\n",
    ]
    sandbox.close()
