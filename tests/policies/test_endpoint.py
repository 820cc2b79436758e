"""The endpoint policy against a real server on this machine that misbehaves on request."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

import pytest

from prowess import recipe
from prowess.errors import ContextOverflow, MissingExtra, PolicyError, PolicyGone, ProwessError, RecipeError, Unanswered
from prowess.policies import PolicySettings
from prowess.policies.endpoint.endpoint import Endpoint
from prowess.policies.endpoint.failure import Failure, asked_pause
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.text.tokens import estimate
from prowess.types import Completion, Message

pytest.importorskip("openai")

SECRET = "sk-very-secret-0123456789"
MESSAGES = [Message(role="system", content="Be brief."), Message(role="user", content="Play my most liked song")]
Answer = tuple[int, dict[str, str], str]
GO_ON = " (then the same command goes on)"


def said(text: str | None, usage: Any = None, **more: Any) -> Answer:
    """A completion as servers send it."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}} | more
    body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return 200, {}, json.dumps(body if usage is None else body | {"usage": usage})


def failed(status: int, message: str = "", headers: dict[str, str] | None = None, **more: Any) -> Answer:
    return status, headers or {}, json.dumps({"error": {"message": message} | more})


OK = said("hello")


class Server:
    """Gives the prepared answers in order, the last one for ever, and keeps what it was asked."""

    def __init__(self) -> None:
        self.answers: list[Answer | Callable[[BaseHTTPRequestHandler], Answer]] = [OK]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.times: list[float] = []
        self.now = self.most = 0
        self.slow = 0.0
        self.hung = threading.Event()
        self.released = threading.Event()
        lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                with lock:
                    number = len(outer.requests)
                    outer.requests.append(body | {"path": self.path})
                    outer.headers.append({key.lower(): value for key, value in self.headers.items()})
                    outer.times.append(time.monotonic())
                    outer.now += 1
                    outer.most = max(outer.most, outer.now)
                time.sleep(outer.slow)
                answer = outer.answers[min(number, len(outer.answers) - 1)]
                status, headers, text = answer(self) if callable(answer) else answer
                with lock:
                    outer.now -= 1
                try:
                    self.send_response(status)
                    for key, value in headers.items():
                        self.send_header(key, value)
                    self.send_header("content-length", str(len(text.encode())))
                    self.end_headers()
                    self.wfile.write(text.encode())
                except OSError:
                    pass

            def log_message(self, *_: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.http.server_port}/v1"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def hang(self, _: BaseHTTPRequestHandler) -> Answer:
        self.hung.set()
        self.released.wait(30)
        return OK

    def drip(self, handler: BaseHTTPRequestHandler) -> Answer:
        """A byte now and then, so that no single read is ever late."""
        handler.send_response(200)
        handler.send_header("content-length", "1000")
        handler.end_headers()
        while not self.released.wait(0.05):
            handler.wfile.write(b" ")
        return OK


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    yield server
    server.released.set()
    server.http.shutdown()
    server.http.server_close()


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


@pytest.fixture
def endpoint(server: Server) -> Iterator[Callable[..., Endpoint]]:
    made: list[Endpoint] = []

    def make(**settings: Any) -> Endpoint:
        plain = EndpointSettings(model="m", url=server.url, pause_seconds=0.01, timeout_seconds=10)
        made.append(Endpoint(replace(plain, **settings)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def ask(policy: Endpoint, seed: int = 7) -> Completion:
    return policy(MESSAGES, seed=seed)


def failure(policy: Endpoint) -> PolicyError | PolicyGone:
    with pytest.raises((PolicyError, PolicyGone)) as caught:
        ask(policy)
    assert SECRET not in f"{caught.value!r} {caught.value}"
    assert caught.value.__cause__ is None and caught.value.__context__ is None  # they would hold the key
    return caught.value


# --- what is sent and what comes back


def test_a_reply_is_read_with_the_servers_count_of_tokens(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [said("hello", usage={"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15})]
    assert ask(endpoint()) == Completion(text="hello", prompt_tokens=12, reply_tokens=3, counted="reported")


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 12}, {"prompt_tokens": -1, "completion_tokens": 3}, "x"])
def test_tokens_are_estimated_where_the_server_does_not_count(
    server: Server, endpoint: Callable[..., Endpoint], usage: Any
) -> None:
    server.answers = [said("hello there", usage=usage)]
    expected = sum(estimate(message.content) for message in MESSAGES)
    assert ask(endpoint()) == Completion(
        text="hello there", prompt_tokens=expected, reply_tokens=estimate("hello there"), counted="estimated"
    )


def test_the_request_holds_the_settings_and_nothing_else(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    ask(endpoint(temperature=0.3, top_p=0.9, reply_tokens=50, extra={"min_p": 0.1, "chat": {"thinking": False}}))
    assert server.requests == [
        {
            "path": "/v1/chat/completions",
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Play my most liked song"},
            ],
            "temperature": 0.3,
            "top_p": 0.9,
            "max_tokens": 50,
            "seed": 7,
            "min_p": 0.1,
            "chat": {"thinking": False},
        }
    ]


def test_what_the_server_may_refuse_is_left_out_on_request(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    ask(endpoint(send_seed=False, reply_tokens_name="max_completion_tokens"))
    assert set(server.requests[0]) == {"path", "model", "messages", "temperature", "max_completion_tokens"}


def test_a_wide_seed_is_sent_in_31_bits(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    ask(endpoint(), seed=2**62 + 5)
    assert server.requests[0]["seed"] == 5


def test_another_temperature_shares_the_connection_and_leaves_the_first_alone(
    server: Server, endpoint: Callable[..., Endpoint]
) -> None:
    warm = endpoint(temperature=1.0)
    cold = warm.at(0.05)
    ask(cold)
    ask(warm)
    assert [request["temperature"] for request in server.requests] == [0.05, 1.0]
    warm.close()
    assert "closed" in failure(cold).message


def test_log_probabilities_are_kept_where_the_server_gives_them(
    server: Server, endpoint: Callable[..., Endpoint]
) -> None:
    tokens = [{"token": "he", "logprob": -0.5, "bytes": None}, {"token": "llo", "logprob": -1, "bytes": None}]
    server.answers = [said("hello", logprobs={"content": tokens}), said("hello", logprobs={"content": [{}]})]
    policy = endpoint()
    assert ask(policy).logprobs == (-0.5, -1.0)
    assert ask(policy).logprobs == ()


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (said(None), ""),
        (said(""), ""),
        (said(None, message={"role": "assistant", "content": None, "refusal": "I will not"}), "I will not"),
        (
            said(None, message={"content": [{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]}),
            "in parts",
        ),
        (said("cut", finish_reason="length"), "cut"),
        ((200, {}, '{"choices": [{"message": {"content": "half \\ud800"}}]}'), "half ?"),
    ],
)
def test_an_odd_reply_is_still_a_reply(
    server: Server, endpoint: Callable[..., Endpoint], answer: Answer, text: str
) -> None:
    server.answers = [answer]
    assert ask(endpoint()).text == text
    assert len(server.requests) == 1


def test_half_a_character_in_the_conversation_does_not_stop_it(
    server: Server, endpoint: Callable[..., Endpoint]
) -> None:
    endpoint()([Message(role="user", content="odd \ud800 ünï")], seed=0)
    assert server.requests[0]["messages"][0]["content"] == "odd ? ünï"


# --- patience


def test_too_many_requests_waits_as_long_as_it_is_asked_to(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [failed(429, "slow down", {"Retry-After": "0.5"}), OK]
    assert ask(endpoint()).text == "hello"
    assert len(server.times) == 2
    assert 0.5 <= server.times[1] - server.times[0] < 2


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_passing_trouble_is_tried_again(server: Server, endpoint: Callable[..., Endpoint], status: int) -> None:
    server.answers = [failed(status), failed(status), OK]
    assert ask(endpoint(tries=3)).text == "hello"
    assert len(server.requests) == 3


def test_lasting_trouble_is_given_up_after_the_last_try(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [failed(500, "out of memory")]
    error = failure(endpoint(tries=3))
    assert error.message == f"Endpoint('m' at '{server.url}'): status 500: out of memory (3 tries)"
    assert len(server.requests) == 3


def test_pauses_double_and_are_the_same_for_the_same_seed(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [failed(500)]
    policy = endpoint(tries=4, pause_seconds=0.1)
    with pytest.raises(PolicyError):
        ask(policy)
    trouble = Failure(message="", passing=True)
    pauses = [policy._pause(trouble, number, seed=7) or 0 for number in (1, 2, 3)]
    assert all(most / 2 <= one <= most for one, most in zip(pauses, (0.1, 0.2, 0.4), strict=True))
    waited = [later - earlier for earlier, later in pairwise(server.times)]
    assert all(one >= pause for one, pause in zip(waited, pauses, strict=True))
    assert policy._pause(trouble, 2, seed=7) == policy._pause(trouble, 2, seed=7) != policy._pause(trouble, 2, seed=8)
    assert 60 <= (policy._pause(trouble, 500, seed=7) or 0) <= 120


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_the_users_mistake_is_not_tried_again(server: Server, endpoint: Callable[..., Endpoint], status: int) -> None:
    server.answers = [failed(status, "no such thing")]
    error = failure(endpoint())
    assert error.message.endswith(f"status {status}: no such thing")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (failed(401), "check the key in the environment variable OPENAI_API_KEY"),
        (failed(404), "check the model's name, and the url: most end in /v1"),
        (failed(400, "use 'max_completion_tokens'"), "--set policy.endpoint.reply_tokens_name=max_completion_tokens"),
        (failed(400, "seed: extra fields not permitted"), "--set policy.endpoint.send_seed=false"),
        (failed(429, "pay", code="insufficient_quota"), "the account behind the key has no credit left"),
    ],
)
def test_a_final_failure_says_what_to_do(
    server: Server, endpoint: Callable[..., Endpoint], answer: Answer, hint: str
) -> None:
    server.answers = [answer]
    assert failure(endpoint()).hint.removesuffix(GO_ON) == hint
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (failed(401), PolicyGone),
        (failed(404), PolicyGone),
        (failed(429, "pay", code="insufficient_quota"), PolicyGone),
        (failed(403, "flagged"), PolicyError),
        (failed(400, "odd"), PolicyError),
        (failed(500, "odd"), Unanswered),
    ],
)
def test_what_every_conversation_would_hear_ends_them_all(
    server: Server, endpoint: Callable[..., Endpoint], answer: Answer, kind: type[Exception]
) -> None:
    server.answers = [answer]
    assert type(failure(endpoint(tries=1))) is kind


def test_a_key_that_is_not_there_is_told_as_that(
    server: Server, endpoint: Callable[..., Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    server.answers = [failed(401)]
    assert "OPENAI_API_KEY is not set" in failure(endpoint()).hint


def test_that_a_request_is_tried_again_is_told_once(
    server: Server, endpoint: Callable[..., Endpoint], capsys: pytest.CaptureFixture[str]
) -> None:
    server.answers = [failed(503, "busy"), OK, failed(503, "busy"), OK]
    policy = endpoint(tries=2)
    assert [ask(policy).text, ask(policy.at(0.5)).text] == ["hello", "hello"]
    assert capsys.readouterr().err.count("status 503: busy; each request is tried 2 times") == 1


def test_a_server_that_asks_for_too_long_a_pause_is_not_waited_for(
    server: Server, endpoint: Callable[..., Endpoint]
) -> None:
    server.answers = [failed(429, "tomorrow", {"Retry-After": "86400"})]
    assert failure(endpoint()).message.endswith("status 429: tomorrow, and asks for a pause of 86400 s")
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": formatdate(0, usegmt=True)}, 0.0),
        ({}, None),
    ],
)
def test_a_pause_is_read_in_all_its_forms(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_pause(headers) == seconds


def test_a_pause_may_be_a_date() -> None:
    asked = asked_pause({"retry-after": formatdate(time.time() + 60, usegmt=True)})
    assert asked is not None and 55 < asked < 61


@pytest.mark.parametrize("answer", ["hang", "drip"])
def test_a_server_that_hangs_or_drips_is_left_in_time(
    server: Server, endpoint: Callable[..., Endpoint], answer: str
) -> None:
    server.answers = [getattr(server, answer)]
    began = time.monotonic()
    error = failure(endpoint(timeout_seconds=0.4, tries=2))
    assert error.message.endswith("no answer in 0.4 s (2 tries)")
    assert 0.8 <= time.monotonic() - began < 3


def test_a_server_that_hangs_is_not_asked_as_often_as_one_that_refuses(
    server: Server, endpoint: Callable[..., Endpoint], capsys: pytest.CaptureFixture[str]
) -> None:
    server.answers = [server.hang]
    error = failure(endpoint(timeout_seconds=0.3))
    assert type(error) is Unanswered
    assert error.message.endswith("no answer in 0.3 s (2 tries)")
    told = "no answer in 0.3 s; each request is tried 5 times, 2 times where no answer comes in time"
    assert len(server.requests) == 2 and told in capsys.readouterr().err
    server.requests, server.answers = [], [failed(503), failed(503), server.hang, failed(503), OK]
    assert ask(endpoint(timeout_seconds=2)).text == "hello"  # one that is late once is asked on
    server.requests, server.answers = [], [failed(503), server.hang, failed(503), server.hang]
    assert failure(endpoint(timeout_seconds=2)).message.endswith("no answer in 2 s (4 tries)")
    server.requests, server.answers = [], [server.hang]
    assert failure(endpoint(timeout_seconds=0.2, late_tries=3)).message.endswith("no answer in 0.2 s (3 tries)")


def test_a_server_that_is_not_there_is_named() -> None:
    gone = Server()
    gone.http.shutdown()
    gone.http.server_close()
    policy = Endpoint(EndpointSettings(model="m", url=gone.url, pause_seconds=0.01, tries=2))
    error = failure(policy)
    assert f"Endpoint('m' at '{gone.url}'): no connection: " in error.message
    assert error.hint == f"is the server up and the url right?{GO_ON}"
    policy.close()


GARBAGE = {
    "a page": "<html>hello</html>",
    "nothing": "",
    "a list": "[]",
    "an empty object": "{}",
    "a text": '"x"',
    "no choice": '{"choices": []}',
    "a choice that is none": '{"choices": [3]}',
    "a message that is none": '{"choices": [{"message": 1}]}',
    "a number for content": '{"choices": [{"message": {"content": 5}}]}',
    "parts that are none": '{"choices": [{"message": {"content": [5]}}]}',
    "too deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_tried_again_and_then_named(server: Server, endpoint: Callable[..., Endpoint], text: str) -> None:
    server.answers = [(200, {}, text), OK]
    assert ask(endpoint()).text == "hello"
    server.answers = [(200, {}, text)]
    error = failure(endpoint(tries=2))
    assert "the answer is no chat completion: " in error.message and len(error.message) < 400


def test_an_endless_answer_is_left_and_not_asked_for_again(
    server: Server, endpoint: Callable[..., Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prowess.policies.endpoint.bound.MOST", 1 << 20)
    for status in (200, 404):
        server.answers = [(status, {}, " " * (2 << 20))]
        asked = len(server.requests)
        assert failure(endpoint(tries=3)).message.endswith(": the server's answer is longer than 1 MB")
        assert len(server.requests) == asked + 1


def test_an_answer_that_unpacks_to_more_is_refused(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [(200, {"content-encoding": "gzip"}, "x")]
    assert failure(endpoint()).message.endswith(": the server packed its answer, which was not asked for")
    assert server.headers[0]["accept-encoding"] == "identity"


def test_what_another_thread_closed_is_not_told_as_a_servers_fault(
    server: Server, endpoint: Callable[..., Endpoint], capsys: pytest.CaptureFixture[str]
) -> None:
    server.answers = [failed(401, "wrong key")]
    server.slow = 0.1
    policy = endpoint(tries=2)

    def one(_: int) -> str:
        with pytest.raises(ProwessError) as told:
            ask(policy)
        policy.close()  # as a run does at the first error
        return str(told.value)

    with ThreadPoolExecutor(8) as pool:
        told = set(pool.map(one, range(16)))
    assert not [message for message in told if "no connection" in message]
    assert "no connection" not in capsys.readouterr().err


def test_a_withheld_reply_is_a_failure(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [said(None, finish_reason="content_filter")]
    assert "content filter" in failure(endpoint()).message


@pytest.mark.parametrize(
    "answer",
    [
        failed(400, "too long", code="context_length_exceeded"),
        failed(400, "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens"),
        failed(400, "The decoder prompt (length 9) is longer than the maximum model length of 8."),
        failed(400, "the request exceeds the available context size", type="exceed_context_size_error"),
        failed(413, "prompt is too long: 200001 tokens"),
        (400, {}, json.dumps({"detail": "input is too long"})),
        (400, {}, json.dumps({"error": "context window exceeded"})),
    ],
)
def test_a_conversation_that_outgrew_the_model_is_no_ordinary_failure(
    server: Server, endpoint: Callable[..., Endpoint], answer: Answer
) -> None:
    server.answers = [answer]
    assert isinstance(failure(endpoint()), ContextOverflow)
    assert len(server.requests) == 1


def test_an_ordinary_failure_is_no_overflow(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [failed(400, "temperature is too hot")]
    assert not isinstance(failure(endpoint()), ContextOverflow)


# --- many threads, and stopping


def test_no_more_requests_are_under_way_than_allowed(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.slow = 0.03
    server.answers = [failed(500), failed(500), OK]
    policy = endpoint(concurrency=3)
    policies = [policy, policy.at(0.5)]
    with ThreadPoolExecutor(12) as pool:
        replies = list(pool.map(lambda number: ask(policies[number % 2], seed=number).text, range(24)))
    assert replies == ["hello"] * 24
    assert server.most == 3


def test_closing_ends_requests_under_way_waiting_and_pausing(server: Server, endpoint: Callable[..., Endpoint]) -> None:
    server.answers = [failed(503, "", {"Retry-After": "60"}), server.hang]
    policy = endpoint(concurrency=2, timeout_seconds=60)
    with ThreadPoolExecutor(4) as pool:
        pausing = pool.submit(ask, policy)
        while not server.requests:
            time.sleep(0.01)
        others = [pool.submit(ask, policy) for _ in range(3)]
        assert server.hung.wait(5)
        began = time.monotonic()
        policy.close()
        errors = [future.exception(timeout=5) for future in (pausing, *others)]
        assert time.monotonic() - began < 2
    assert [str(error) for error in errors] == ["the endpoint was closed"] * 4


CALL = """
import sys
from prowess.policies.endpoint.endpoint import Endpoint
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.types import Message
policy = Endpoint(EndpointSettings(model="m", url=sys.argv[1], timeout_seconds=60))
policy([Message(role="user", content="hi")], seed=0)
"""


def _hears_control_c() -> None:
    """In the child before it begins: a suite that runs in the background hands on that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_control_c_ends_the_process_while_the_server_hangs(server: Server) -> None:
    server.answers = [server.hang]
    process = subprocess.Popen(
        [sys.executable, "-c", CALL, server.url], stderr=subprocess.PIPE, text=True, preexec_fn=_hears_control_c
    )
    try:
        assert server.hung.wait(30)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode not in (0, None)
    assert "KeyboardInterrupt" in errors and SECRET not in errors


# --- the key


def test_the_key_comes_from_the_environment_variable_that_is_named(
    server: Server,
    endpoint: Callable[..., Endpoint],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OTHER_KEY", "  other  ")
    ask(endpoint(key_env="OTHER_KEY"))
    ask(endpoint())
    monkeypatch.delenv("OTHER_KEY")
    assert capsys.readouterr().err == ""
    ask(endpoint(key_env="OTHER_KEY"))  # on this machine a missing key will do, and no other is sent in its place
    assert [headers["authorization"] for headers in server.headers] == [
        "Bearer other",
        f"Bearer {SECRET}",
        "Bearer none",
    ]
    assert "warning: OTHER_KEY is not set: http://127.0.0.1:" in capsys.readouterr().err


def test_a_missing_key_is_asked_for_when_the_server_is_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MISSING_KEY", raising=False)
    with pytest.raises(RecipeError, match="needs a key in the environment variable MISSING_KEY") as caught:
        Endpoint(EndpointSettings(model="m", url="https://models.example/v1", key_env="MISSING_KEY"))
    assert caught.value.hint.startswith("export MISSING_KEY=...")


def test_a_server_that_repeats_the_key_is_not_quoted(
    server: Server,
    endpoint: Callable[..., Endpoint],
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    caplog.set_level("DEBUG")
    server.answers = [failed(401, f"Incorrect API key\x1b[31m provided: {SECRET}." + "x" * 1000)]
    policy = endpoint()
    error = failure(policy)
    assert "Incorrect API key [31m provided: ***." in error.message
    assert "\x1b" not in error.message and len(error.message) < 300
    assert SECRET not in repr(policy) + repr(policy.settings)
    assert SECRET not in caplog.text + "".join(capfd.readouterr())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"url": "localhost:8000"}, "url is 'localhost:8000'"),
        ({"url": "ftp://host/v1"}, "url is 'ftp://host/v1'"),
        ({"url": f"http://user:{SECRET}@host/v1"}, "url holds a name or a password"),
        ({"key_env": SECRET}, "key_env is not the name of an environment variable"),
        ({"extra": {"api_key": SECRET}}, "extra may not hold api_key"),
        ({"extra": {"Authorization": SECRET}}, "extra may not hold Authorization"),
        ({"temperature": -0.1}, "temperature is -0.1"),
        ({"top_p": 0.0}, "top_p is 0.0"),
        ({"reply_tokens": 0}, "reply_tokens is 0"),
        ({"timeout_seconds": 0.0}, "timeout_seconds is 0.0"),
        ({"tries": 0}, "tries is 0"),
        ({"late_tries": 0}, "late_tries is 0"),
        ({"concurrency": 0}, "concurrency is 0"),
    ],
)
def test_settings_out_of_range_are_refused_without_showing_a_key(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(RecipeError) as caught:
        EndpointSettings(**settings)
    assert caught.value.message == message
    assert SECRET not in str(caught.value)


def test_a_model_must_be_named() -> None:
    with pytest.raises(RecipeError, match="needs a model"):
        Endpoint(EndpointSettings())


def test_without_the_client_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(MissingExtra, match=r"pip install 'prowess\[endpoint\]'"):
        Endpoint(EndpointSettings(model="m"))


def test_a_proxy_is_not_asked_for_a_server_on_this_machine(
    server: Server, endpoint: Callable[..., Endpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert ask(endpoint(tries=1)).text == "hello"


def test_policy_settings_are_read_from_a_recipe() -> None:
    text = """
        name = "endpoint"
        endpoint = {model = "small", url = "http://localhost:8000/v1", temperature = 0, extra = {min_p = 0.1}}
        options = {style = "plain"}
    """
    settings = recipe.parse(PolicySettings, text)
    assert settings.endpoint.temperature == 0.0 and settings.endpoint.extra == {"min_p": 0.1}
    assert recipe.parse(PolicySettings, recipe.to_toml(settings)) == settings
    with pytest.raises(RecipeError, match="recipe, section endpoint: tries is 0"):
        recipe.parse(PolicySettings, "endpoint.tries = 0")


def test_every_setting_has_its_line() -> None:
    assert [entry.key for entry in recipe.describe(PolicySettings) if not entry.doc] == []


def test_importing_policies_does_not_import_the_client_library() -> None:
    code = "import sys, prowess.policies, prowess.policies.scripted; print('openai' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=dict(os.environ))
    assert run.stdout == "False\n"
