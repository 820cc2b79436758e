"""Recorded calls of the model's functions: what is kept, what is left out, what is masked, and that it is bounded."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace

import pytest

from prowess.errors import RecipeError
from prowess.sandbox import ApiFailure, Sandbox, SandboxSettings, open_sandbox
from prowess.sandbox.recording import Tapes, masked_call, masks_of, plain_call
from prowess.sandbox.takes import ROOM
from prowess.types import Json, Tape

SETTINGS = SandboxSettings(kind="jail", record_bytes=50_000)


@pytest.fixture(scope="module", params=["jail", "unsafe"])
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    opened = open_sandbox(replace(SETTINGS, kind=request.param))
    yield opened
    opened.close()


def world(app: str, api: str, arguments: Mapping[str, Json]) -> Json:
    if api == "login":
        return {"access_token": f"token of {arguments['password']}"}
    if api == "broken":
        raise ApiFailure("no such thing")
    return [arguments.get("page_index", 0)] * 2


def tapes(sandbox: Sandbox, *blocks: str) -> list[Tape]:
    interpreter = sandbox.open(now="2023-05-18T12:00:00")
    found = []
    for block in blocks:
        observation = interpreter.run(block, world)
        found += observation.tapes
        assert not observation.failed, observation.text
    interpreter.close()
    return found


def test_a_call_is_kept_with_its_api_answers_and_its_result(sandbox: Sandbox) -> None:
    code = "def pages(count: int, /, *, app='music'):\n    return [apis.music.show(page_index=n) for n in range(count)]"
    assert tapes(sandbox, f"apis.x.y()\n{code}\npages(2)") == [
        Tape(
            name="pages",
            block=0,
            call="pages(2, app='music')",
            answers=(
                {"api": "music.show", "arguments": {"page_index": 0}, "answer": [0, 0]},
                {"api": "music.show", "arguments": {"page_index": 1}, "answer": [1, 1]},
            ),
            expected=[[0, 0], [1, 1]],
            now="2023-05-18T12:00:00",
        )
    ]


def test_a_function_of_an_earlier_block_and_the_one_it_calls_are_kept(sandbox: Sandbox) -> None:
    found = tapes(
        sandbox, "def one(api, **more): return api(**more)", "def two(): return one(apis.a.b, page_index=7)", "two()"
    )
    assert [(tape.name, tape.block, tape.call) for tape in found] == [
        ("two", 1, "two()"),
        ("one", 0, "one(api=apis.a.b, page_index=7)"),
    ]


def test_a_refusal_of_an_api_is_kept_where_the_function_lives_with_it(sandbox: Sandbox) -> None:
    code = "def attempt():\n    try: apis.a.broken()\n    except Exception as error: return str(error)\nattempt()"
    (tape,) = tapes(sandbox, code)
    assert tape.answers == ({"api": "a.broken", "arguments": {}, "error": "no such thing"},)
    assert tape.expected == "no such thing"


@pytest.mark.parametrize(
    "code",
    [
        "def f(x): return 1\nf(print)",
        "def f(x): return 1\nf(float('nan'))",
        "def f(): return print\nf()",
        "def f(): return object()\nf()",
        "def f(): yield 1\nlist(f())",
        "def f(): raise KeyError\ntry: f()\nexcept KeyError: pass",
        "def f(x): return 1\nf('x' * 5000)",
        "def f(): return 'x' * 9000\nf()",
        "def f(): return '\\udc80'\nf()",
        "def f():\n    x = []\n    for _ in range(300): x = [x]\n    return x\nf()",
        "import threading\ndef f(): return 1\nt = threading.Thread(target=f); t.start(); t.join()",
    ],
)
def test_what_cannot_be_repeated_is_left_out(sandbox: Sandbox, code: str) -> None:
    assert tapes(sandbox, code) == []


def test_arguments_are_kept_as_they_were_given_not_as_they_were_left(sandbox: Sandbox) -> None:
    (tape,) = tapes(sandbox, "def f(x, *more):\n    x.append(9)\n    return {3, 1, 2}\nf([1], (2,))")
    assert tape.call == "f([1], (2,))"
    assert tape.expected == [1, 2, 3]


def test_arguments_are_written_as_code_that_makes_them_again(sandbox: Sandbox) -> None:
    given = "{'a': [1.5, (2,), ()], 3: {2, 1}}, set(), None, -1, (True, 'x')"
    (tape,) = tapes(sandbox, f"def f(*all): return len(all)\nf({given})")
    assert tape.call == "f({'a': [1.5, (2,), ()], 3: {1, 2}}, set(), None, -1, (True, 'x'))"


def test_a_step_sends_no_more_than_its_room(sandbox: Sandbox) -> None:
    """Were it not so, many functions would make a step's end larger than a frame may be, and their code an attack."""
    code = "".join(f"def f{n}(): return '{n}' * 7000\nf{n}()\n" for n in range(5))
    assert [tape.name for tape in tapes(sandbox, code)] == ["f0", "f1"]


def test_calls_that_the_sandbox_itself_refuses_do_not_shift_the_answers(sandbox: Sandbox) -> None:
    code = """
deep = []
for _ in range(60): deep = [deep]
try: apis.a.list(x=deep)
except Exception: pass
def f(n): return apis.a.list(page_index=n)
f(7)
"""
    (tape,) = tapes(sandbox, code)
    assert tape.answers == ({"api": "a.list", "arguments": {"page_index": 7}, "answer": [7, 7]},)


@pytest.mark.parametrize("kind", ["jail", "unsafe"])
def test_a_function_that_lives_with_a_refusal_of_the_sandbox_is_left_out(kind: str) -> None:
    """A replay makes one call and is refused none: by such a tape the function would seem not to repeat itself."""
    sandbox = open_sandbox(replace(SETTINGS, kind=kind, api_calls_step=3))
    code = """
def all_pages():
    found = []
    try:
        while True: found += apis.a.list(page_index=len(found))
    except Exception: return found
"""
    assert tapes(sandbox, f"{code}print(all_pages())") == []
    sandbox.close()


def test_only_the_first_calls_of_a_function_are_kept(sandbox: Sandbox) -> None:
    found = tapes(sandbox, "def f(n): return n\nfor n in range(5): f(n)")
    assert [tape.call for tape in found] == ["f(n=0)", "f(n=1)"]


def test_secrets_are_masked_the_same_everywhere(sandbox: Sandbox) -> None:
    code = """def enter(password):
        token = apis.a.login(password=password)['access_token']
        return [token, apis.a.list(access_token=token)]"""
    (tape,) = tapes(sandbox, f"{code}\nenter('hunter2')")
    assert tape.call == "enter(password='<password 1>')"
    assert tape.expected == ["<access_token 2>", [0, 0]]
    assert "hunter2" not in str(tape)


def test_nothing_is_recorded_unless_asked_for() -> None:
    opened = open_sandbox(SandboxSettings(kind="jail"))
    assert tapes(opened, "def f(): return 1\nf()") == []
    opened.close()


def test_an_episode_keeps_no_more_than_its_bytes(sandbox: Sandbox) -> None:
    code = "def f(n): return 'x' * 7000\n"
    found = tapes(sandbox, *[f"{code}f({n})" for n in range(20)])
    assert len(found) == 7  # of 7,000 characters and a little, within 50,000


def test_answers_that_do_not_fit_take_their_call_with_them() -> None:
    tapes = Tapes(1000, None)
    tapes.begin()
    for n in range(3):
        tapes.note("a.b", {}, {"answer": "x" * 400 * n})
    takes = [{"name": "f", "block": 0, "call": "f()", "first": 0, "last": last, "result": 1} for last in (1, 3)]
    assert [len(tape.answers) for tape in tapes.finish(takes)] == [1]


@pytest.mark.parametrize(
    "take",
    [
        None,
        {"name": "f", "block": 0, "call": "g()", "first": 0, "last": 0, "result": 1},
        {"name": "f", "block": 0, "call": "f(__import__('os').getcwd())", "first": 0, "last": 0, "result": 1},
        {"name": "f", "block": 0, "call": "f()", "first": 0, "last": 5, "result": 1},
        {"name": "f", "block": 0, "call": "f()", "first": -1, "last": 0, "result": 1},
        {"name": "f", "block": "0", "call": "f()", "first": 0, "last": 0, "result": 1},
        {"name": "f", "block": 0, "call": "f()\nf()", "first": 0, "last": 0, "result": 1},
        {"name": "f", "block": False, "call": "f()", "first": 0, "last": 0, "result": 1},
        {"name": "f", "block": 0, "call": "f()", "first": False, "last": False, "result": 1},
        {"name": "f", "block": 0, "call": "f()", "first": 0, "last": 0},
        {"name": 3, "block": 0, "call": "f()", "first": 0, "last": 0, "result": 1},
        {"name": "f", "block": 0, "call": f"f({'1' * 4000})", "first": 0, "last": 0, "result": 1},
    ],
)
def test_a_forged_take_is_dropped_and_a_sound_one_after_it_kept(take: Json) -> None:
    tapes = Tapes(1000, None)
    tapes.begin()
    sound = {"name": "f", "block": 0, "call": "f(1)", "first": 0, "last": 0, "result": 2}
    assert [tape.call for tape in tapes.finish([take, sound])] == ["f(1)"]


def test_past_what_an_episode_may_keep_no_answer_is_held() -> None:
    tapes = Tapes(1000, None)
    tapes.begin()
    for _ in range(2):
        tapes.note("a.b", {}, {"answer": "x" * 600})
    takes = [{"name": "f", "block": 0, "call": "f()", "first": 1, "last": 2, "result": 1}]
    assert tapes.finish(takes) == ()  # of the second answer, which would fit by itself


def test_a_forged_call_that_cannot_be_written_again_is_dropped() -> None:
    tapes = Tapes(50_000, None)
    tapes.begin()
    tapes.note("a.login", {"password": "hunter2"}, {"answer": 1})
    long = f"f(0x{'f' * 3900}, 'hunter2')"  # read by the syntax tree, and too many digits to be written
    take = {"name": "f", "block": 0, "call": long, "first": 0, "last": 1, "result": 1}
    assert tapes.finish([take]) == ()


def test_of_a_flood_of_forged_calls_the_host_reads_no_more_than_an_honest_child_sends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[str] = []

    def note(text: str) -> str:
        read.append(text)
        return plain_call(text)

    monkeypatch.setattr("prowess.sandbox.recording.plain_call", note)
    tapes = Tapes(200_000, None)
    tapes.begin()
    call = f"f([{'1,' * 1900}])"
    tapes.finish([{"name": "f", "block": 0, "call": call, "first": 0, "last": 0, "result": 1}] * 500)
    assert 0 < sum(map(len, read)) <= ROOM


def test_forged_takes_that_share_their_answers_are_looked_at_only_as_far_as_they_fit() -> None:
    """A thousand takes of 900 answers each took the host 6 s of processor time in every step."""
    tapes = Tapes(20_000, None)
    tapes.begin()
    for number in range(100):
        tapes.note("a.b", {"number": number}, {"answer": "x" * 20})
    take = {"name": "f", "block": 0, "call": "f(1)", "first": 0, "last": 100, "result": 1}
    looked = 0

    def count(*_: object) -> None:
        nonlocal looked
        looked += 1

    sys.setprofile(count)
    try:
        found = tapes.finish([take] * 1000)
    finally:
        sys.setprofile(None)
    assert len(found) == 2
    assert looked < 300_000


def test_what_cannot_be_taken_down_does_not_fail_the_code(sandbox: Sandbox) -> None:
    code = """class Row(dict):
    __getattr__ = dict.__getitem__
class Mute:
    def __str__(self):
        raise KeyError('mute')
def take(x): return 1
def give(): return Mute()
take(Row(a=1))
take(16 ** 5000)
give()
"""
    assert tapes(sandbox, code) == []


def test_a_mask_is_never_masked_again() -> None:
    answers = [{"arguments": {"password": "<password 1>"}}]
    assert masks_of(answers) == {}
    assert masks_of([{"answer": [[{"card": [{"cvv": "123", "pin": ""}]}]]}]) == {"123": "<cvv 1>"}
    assert masked_call("f('a', x=['b'])", {"b": "<token 1>"}) == "f('a', x=['<token 1>'])"
    assert plain_call("f(set(), -1, apis.a)") == "f"


def test_recording_needs_room_in_a_frame() -> None:
    with pytest.raises(RecipeError, match="frame_bytes"):
        SandboxSettings(record_bytes=1, frame_bytes=1_700_000)
