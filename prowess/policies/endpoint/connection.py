"""The connections to one server: places, deadlines, and errors that do not tell the key."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from prowess.errors import MissingExtra, PolicyError, RecipeError
from prowess.policies.endpoint.address import is_local, key_in, shown
from prowess.policies.endpoint.bound import TooLong, bounded
from prowess.policies.endpoint.chat import reply_in
from prowess.policies.endpoint.failure import Failure, refusal
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.text.terminal import say
from prowess.types import Completion, Message

if TYPE_CHECKING:
    from openai import OpenAI


class EndpointConnection:
    """The connections to one server, shared by every copy of an endpoint."""

    def __init__(self, settings: EndpointSettings) -> None:
        self._settings = settings
        self._key, self._client = _dial(settings)
        self._places = threading.BoundedSemaphore(settings.concurrency)
        self._closed = threading.Event()
        self._telling = threading.Lock()
        self._told = False

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

    def tell_once(self, note: str) -> None:
        """Say that something is being waited for; nobody would know for minutes otherwise. Once is enough."""
        with self._telling:
            told, self._told = self._told, True
        if not told:
            say(note)

    def pause(self, seconds: float) -> None:
        self._closed.wait(seconds)
        self.check_open()

    def check_open(self) -> None:
        if self._closed.is_set():
            raise PolicyError("the endpoint was closed")

    def send(self, request: Mapping[str, Any], messages: Sequence[Message]) -> Completion | Failure:
        """One try. Errors of the client stay in here: they hold the request, and with it the key."""
        import openai

        hint = "a busy server may need a larger timeout_seconds or a smaller concurrency"
        message = f"no answer in {self._settings.timeout_seconds:g} s"
        late = Failure(message=message, hint=hint, passing=True, late=True)
        try:
            answer = self._within_time(
                lambda: self._client.chat.completions.with_raw_response.create(**request).content
            )
        except (TimeoutError, openai.APITimeoutError):
            return late
        except TooLong as error:
            return Failure(message=str(error), hint="does the url lead to a model's API?")
        except openai.APIStatusError as error:
            return refusal(error.status_code, error.body, error.response.headers, self._settings, self._safe)
        except openai.APIConnectionError as error:
            self.check_open()  # what another thread has closed is no fault of the server
            cause = self._safe(str(error.__cause__ or error))
            hint = "is the server up and the url right?"
            return Failure(message=f"no connection: {cause}", hint=hint, passing=True, lasting=True)
        except PolicyError:
            raise
        except Exception as error:  # noqa: BLE001 (the edge of the client library)
            return Failure(message=f"the request failed: {type(error).__name__}: {self._safe(str(error))}")
        return reply_in(answer, messages) or Failure(
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

    def _safe(self, text: str) -> str:
        return shown(text, self._key)


def _dial(settings: EndpointSettings) -> tuple[str, OpenAI]:
    """The key, if there is one, and a client that carries it."""
    try:
        import openai
    except ImportError as error:
        raise MissingExtra("the policy 'endpoint'", "endpoint") from error
    key, local = key_in(settings.key_env), is_local(settings.url)
    if not key and not local:
        raise RecipeError(
            f"the endpoint {settings.url} needs a key in the environment variable {settings.key_env}, which is not set",
            hint=f"export {settings.key_env}=... (any word, if the server asks for none)",
        )
    if not key and settings.key_env != EndpointSettings().key_env:  # who names a variable thinks that a key is in it
        say(f"warning: {settings.key_env} is not set: {settings.url} is asked without a key")
    # Without a key of its own the client would look for OPENAI_API_KEY; a proxy has no business on this machine.
    return key, openai.OpenAI(
        api_key=key or "none",
        base_url=settings.url,
        timeout=settings.timeout_seconds,
        max_retries=0,
        http_client=openai.DefaultHttpxClient(trust_env=not local, event_hooks={"response": [bounded]}),
        default_headers={"Accept-Encoding": "identity"},  # a few bytes may unpack to gigabytes
    )
