"""A policy served elsewhere: any server that speaks OpenAI's chat completions, hosted or on this machine.

The client library carries the request; patience is ours, so that it is seeded, bounded and can be interrupted: how
often to try, how long to wait, how many requests at once. The key comes from the environment and goes nowhere but to
the server: it is in no recipe, no log and no error.
"""

from __future__ import annotations

import ipaddress
import json
import math
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from opensage.errors import ContextOverflow, MissingExtra, PolicyError, RecipeError
from opensage.seeds import draw
from opensage.tokens import estimate
from opensage.types import Completion, Json, Message

if TYPE_CHECKING:
    from openai import OpenAI

_OVERFLOW = re.compile(
    r"context[ _](length|window|size)|maximum model length|max_model_len|too many tokens|(prompt|input) is too long"
    r"|reduce the length",
    re.IGNORECASE,
)
"""How servers say that a conversation no longer fits: there is a code for it, but few send it."""

_OWN = {"api_key", "api-key", "authorization", "messages", "stream", "n"}
"""What `extra` may not say: keys belong in the environment, and a reply is one whole message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointSettings:
    """A served model, and how patient to be with it."""

    model: str = ""
    """The model's name, as the server knows it."""
    url: str = "https://api.openai.com/v1"
    """Where the server's API begins; most end in `/v1`."""
    key_env: str = "OPENAI_API_KEY"
    """The environment variable that holds the key; it may be unset for a server on this machine."""
    temperature: float = 1.0
    """Sampling temperature; 0 is greedy."""
    top_p: float | None = None
    """Nucleus sampling; left to the server when none."""
    reply_tokens: int = 1500
    """The longest reply, in tokens."""
    reply_tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """What the server calls that limit; OpenAI's newer models want `max_completion_tokens`."""
    timeout_seconds: float = 300.0
    """How long one try may take in all."""
    tries: int = 5
    """How often a request is sent before the episode is given up."""
    pause_seconds: float = 1.0
    """The pause before the second try; it doubles from try to try."""
    longest_pause_seconds: float = 120.0
    """The longest pause; a server that asks for more is not waited for."""
    concurrency: int = 16
    """How many requests may be under way at once."""
    send_seed: bool = True
    """Send each request's seed; false for servers that refuse it."""
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Anything else the server takes, sent as it stands."""

    def __post_init__(self) -> None:
        address = urlsplit(self.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise RecipeError(f"url is '{self.url}'", hint="allowed: an address such as http://localhost:8000/v1")
        if address.username or address.password:
            raise RecipeError("url holds a name or a password", hint="put the key into the environment: see key_env")
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.key_env):  # not shown: it may be the key itself
            raise RecipeError("key_env is not the name of an environment variable", hint="such as OPENAI_API_KEY")
        if taken := sorted(key for key in self.extra if key.lower() in _OWN):
            raise RecipeError(f"extra may not hold {', '.join(taken)}", hint="the key is read from the environment")
        for name, good, allowed in (
            ("temperature", 0 <= self.temperature < math.inf, "0 or more"),
            ("top_p", self.top_p is None or 0 < self.top_p <= 1, "more than 0, at most 1"),
            ("reply_tokens", self.reply_tokens >= 1, "1 or more"),
            ("timeout_seconds", 0 < self.timeout_seconds <= 86_400, "more than 0, at most a day"),
            ("tries", self.tries >= 1, "1 or more"),
            ("pause_seconds", 0 <= self.pause_seconds <= 86_400, "0 or more, at most a day"),
            ("longest_pause_seconds", 0 <= self.longest_pause_seconds <= 86_400, "0 or more, at most a day"),
            ("concurrency", self.concurrency >= 1, "1 or more"),
        ):
            if not good:
                raise RecipeError(f"{name} is {getattr(self, name)}", hint=f"allowed: {allowed}")


class Endpoint:
    """A served model as a policy; many threads may share one."""

    def __init__(self, settings: EndpointSettings) -> None:
        if not settings.model:
            raise RecipeError("the policy 'endpoint' needs a model", hint="--set policy.endpoint.model=...")
        self.settings = settings
        self._line = _Line(settings)

    def __repr__(self) -> str:
        return f"Endpoint({self.settings.model!r} at {self.settings.url!r})"

    def at(self, temperature: float) -> Endpoint:
        """The same model at another temperature, over the same connections and within the same limit."""
        other = object.__new__(Endpoint)
        other.settings, other._line = replace(self.settings, temperature=temperature), self._line
        return other

    def close(self) -> None:
        """Hang up: every request under way, waiting or pausing ends at once with a PolicyError."""
        self._line.close()

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        request = _request(self.settings, messages, seed)
        tries = self.settings.tries
        # The place is kept while pausing: a server that asks for patience should see fewer requests, not others.
        with self._line.place():
            for number in range(1, tries + 1):
                outcome = self._line.send(request, messages)
                if isinstance(outcome, Completion):
                    return outcome
                failure = outcome
                pause = self._pause(failure, number, seed)
                if number == tries or pause is None:
                    break
                self._line.pause(pause)
        self._line.check_open()
        raise self._error(failure, number)

    def _pause(self, failure: _Failure, number: int, seed: int) -> float | None:
        """How long to wait before the next try; None for no next try."""
        settings = self.settings
        longest = settings.longest_pause_seconds
        if not failure.passing or (failure.asked_pause or 0) > longest:
            return None
        jitter = draw(seed, "endpoint", number).uniform(0.5, 1.0)  # many threads must not come back as one
        backoff = min(settings.pause_seconds * 2 ** min(number - 1, 30), longest) * jitter
        return backoff if failure.asked_pause is None else failure.asked_pause + settings.pause_seconds * (1 - jitter)

    def _error(self, failure: _Failure, tries: int) -> PolicyError:
        kind = ContextOverflow if failure.overflow else PolicyError
        times = f" ({tries} tries)" if tries > 1 else ""
        asked = failure.asked_pause or 0
        impatient = f", and asks for a pause of {asked:.0f} s" if asked > self.settings.longest_pause_seconds else ""
        return kind(f"{self!r}: {failure.message}{impatient}{times}", hint=failure.hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """Why a try came to nothing."""

    message: str
    hint: str = ""
    passing: bool = False
    """It may be better in a moment."""
    asked_pause: float | None = None
    """The server's own wish."""
    overflow: bool = False


class _Line:
    """The connections to one server, shared by every copy of an endpoint."""

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        self._key, self._client = _dial(settings)
        self._places = threading.BoundedSemaphore(settings.concurrency)
        self._closed = threading.Event()

    def close(self) -> None:
        self._closed.set()
        self._client.close()

    @contextmanager
    def place(self) -> Iterator[None]:
        """One of the places for requests under way."""
        while not self._places.acquire(timeout=0.2):
            self.check_open()
        try:
            yield
        finally:
            self._places.release()

    def pause(self, seconds: float) -> None:
        self._closed.wait(seconds)
        self.check_open()

    def check_open(self) -> None:
        if self._closed.is_set():
            raise PolicyError("the endpoint was closed")

    def send(self, request: Mapping[str, Any], messages: Sequence[Message]) -> Completion | _Failure:
        """One try. Errors of the client stay in here: they hold the request, and with it the key."""
        import openai

        hint = "a busy server may need a larger timeout_seconds or a smaller concurrency"
        late = _Failure(message=f"no answer in {self._settings.timeout_seconds:g} s", hint=hint, passing=True)
        try:
            answer = self._within_time(
                lambda: self._client.chat.completions.with_raw_response.create(**request).content
            )
        except (TimeoutError, openai.APITimeoutError):
            return late
        except openai.APIStatusError as error:
            return self._refusal(error.status_code, error.body, error.response.headers)
        except openai.APIConnectionError as error:
            cause = self._safe(str(error.__cause__ or error))
            return _Failure(message=f"no connection: {cause}", hint="is the server up and the url right?", passing=True)
        except PolicyError:
            raise
        except Exception as error:  # noqa: BLE001 (the edge of the client library)
            return _Failure(message=f"the request failed: {type(error).__name__}: {self._safe(str(error))}")
        return _read(answer, messages) or _Failure(
            message=f"the answer is no chat completion: {self._safe(answer[:300].decode('utf-8', 'replace'))}",
            hint="does the url lead to the API? most end in /v1",
            passing=True,
        )

    def _within_time(self, call: Callable[[], bytes]) -> bytes:
        """Make the call on a thread that can be left behind.

        The client's own time-out starts anew with every byte, and a thread that reads from a socket hears neither
        Ctrl-C nor `close`.
        """
        future: Future[bytes] = Future()

        def work() -> None:
            try:
                future.set_result(call())
            except BaseException as error:  # noqa: BLE001 (told to the caller's thread)
                future.set_exception(error)

        threading.Thread(target=work, name="endpoint", daemon=True).start()
        deadline = time.monotonic() + self._settings.timeout_seconds
        while not future.done():
            self.check_open()
            if (left := deadline - time.monotonic()) <= 0:
                raise TimeoutError
            wait([future], timeout=min(left, 0.2))
        return future.result()

    def _refusal(self, status: int, body: object, headers: Mapping[str, str]) -> _Failure:
        code, said = _complaint(body)
        message = f"status {status}" + (f": {self._safe(said)}" if said else "")
        if code == "context_length_exceeded" or (status in (400, 413, 422, 500) and _OVERFLOW.search(f"{code} {said}")):
            return _Failure(message=message, overflow=True)
        hint = _hint(status, said, self._settings)
        if code == "insufficient_quota":
            return _Failure(message=message, hint="the account behind the key has no credit left")
        passing = status in (408, 409, 429) or status >= 500
        return _Failure(message=message, hint=hint, passing=passing, asked_pause=_asked_pause(headers))

    def _safe(self, text: str) -> str:
        """A stranger's words on one short line, without the key in case they repeat it."""
        hidden = text.replace(self._key, "***") if self._key else text
        line = " ".join("".join(sign if sign.isprintable() else " " for sign in hidden).split())
        return line if len(line) <= 200 else f"{line[:197]}..."


def _dial(settings: EndpointSettings) -> tuple[str, OpenAI]:
    """The key, if there is one, and a client that carries it."""
    try:
        import openai
    except ImportError as error:
        raise MissingExtra("the policy 'endpoint'", "endpoint") from error
    key = os.environ.get(settings.key_env, "").strip()
    local = _local(settings.url)
    if not key and not local:
        raise RecipeError(
            f"the endpoint {settings.url} needs a key in the environment variable {settings.key_env}, which is not set",
            hint=f"export {settings.key_env}=... (any word, if the server asks for none)",
        )
    if not (key.isascii() and key.isprintable()):
        raise RecipeError(f"the key in {settings.key_env} holds characters that no key has", hint="copy it again")
    # Without a key of its own the client would look for OPENAI_API_KEY; a proxy has no business on this machine.
    return key, openai.OpenAI(
        api_key=key or "none",
        base_url=settings.url,
        timeout=settings.timeout_seconds,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(trust_env=False) if local else None,
    )


def _local(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def _request(settings: EndpointSettings, messages: Sequence[Message], seed: int) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": settings.model,
        "messages": [{"role": message.role, "content": _whole(message.content)} for message in messages],
        "temperature": settings.temperature,
        settings.reply_tokens_name: settings.reply_tokens,
        "extra_body": dict(settings.extra),
    }
    if settings.top_p is not None:
        request["top_p"] = settings.top_p
    if settings.send_seed:
        request["seed"] = seed % 2**31  # as wide as every server takes
    return request


def _read(answer: bytes, messages: Sequence[Message]) -> Completion | _Failure | None:
    """The completion in an answer; None when it is something else."""
    try:
        body = json.loads(answer)
        choice = body["choices"][0]
        message = choice["message"]
        text = _text(message.get("content")) or _text(message.get("refusal"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    if not text and choice.get("finish_reason") == "content_filter":
        return _Failure(message="the server's content filter withheld the reply")
    usage = _usage(body.get("usage"))
    prompt_tokens, reply_tokens = usage or (sum(estimate(one.content) for one in messages), estimate(text))
    return Completion(
        text=text,
        logprobs=_logprobs(choice.get("logprobs")),
        prompt_tokens=prompt_tokens,
        reply_tokens=reply_tokens,
        counted="reported" if usage else "estimated",
    )


def _usage(given: Any) -> tuple[int, int] | None:
    """The server's count of prompt and reply tokens, if it sent both."""
    match given:
        case {"prompt_tokens": int(prompt), "completion_tokens": int(reply)} if prompt >= 0 and reply >= 0:
            return prompt, reply
    return None


def _text(content: Any) -> str:
    """A message's text: most servers send it whole, some in parts, some not at all."""
    if isinstance(content, list):
        content = "".join(part.get("text") or "" for part in content)
    if not isinstance(content, str | None):
        raise TypeError("content is neither text nor parts of text")
    return _whole(content or "")


def _whole(text: str) -> str:
    """Half a character (a lone surrogate) can be neither sent nor stored; it becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _logprobs(given: Any) -> tuple[float, ...]:
    """One for each said token, or none at all."""
    try:
        return tuple(float(token["logprob"]) for token in given["content"])
    except (LookupError, TypeError, ValueError):
        return ()


def _complaint(body: object) -> tuple[str, str]:
    """The code and the words of an error, in any of the ways servers write them."""
    if not isinstance(body, dict):
        return "", "" if body is None else str(body)
    words = body.get("message") or body.get("detail") or body.get("error") or ""
    return str(body.get("code") or body.get("type") or ""), words if isinstance(words, str) else json.dumps(words)


def _hint(status: int, said: str, settings: EndpointSettings) -> str:
    if "max_completion_tokens" in said and settings.reply_tokens_name == "max_tokens":
        return "--set policy.endpoint.reply_tokens_name=max_completion_tokens"
    if status in (400, 422) and "seed" in said and settings.send_seed:
        return "--set policy.endpoint.send_seed=false"
    if status in (401, 403):
        return f"check the key in the environment variable {settings.key_env}"
    if status == 404:
        return "check the model's name, and the url: most end in /v1"
    if status == 429:
        return "lower policy.endpoint.concurrency, or raise policy.endpoint.tries"
    return "the server's log may say more" if status >= 500 else ""


def _asked_pause(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: given in milliseconds, in seconds or as a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        given = headers.get(name, "")
        try:
            seconds = float(given) * unit
        except ValueError:
            continue
        return max(0.0, seconds) if not math.isnan(seconds) else None
    try:
        return max(0.0, parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None
