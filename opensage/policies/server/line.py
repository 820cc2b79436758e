"""The connection to one vLLM server: questions, orders, and what went wrong in our words."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from opensage.errors import MissingExtra, OpensageError, PolicyError, PolicyGone, Unanswered
from opensage.policies.endpoint.address import is_local, key_in, shown
from opensage.policies.server.settings import ServerSettings
from opensage.policies.vllm.question import Question, Reply

if TYPE_CHECKING:
    from openai import AsyncOpenAI

R = TypeVar("R")

SAY = "/v1/completions"
SOON = 10.0
"""Seconds in which a server tells of itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A model as a server plays it."""

    name: str
    """What requests call it."""
    salt: str = ""
    """What it remembers of a conversation's beginning is remembered under this: other weights, another salt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A reply, and how often it was asked for again."""

    reply: Reply
    again: int


class Line:
    """The connections to one server. Its coroutines run on the loop that all servers share: see `on_loop`."""

    def __init__(self, url: str, settings: ServerSettings) -> None:
        self.url = url.rstrip("/").removesuffix("/v1")
        self._settings = settings
        self._key = key_in(settings.key_env)
        self._client = _dial(self.url, self._key, settings)

    def __repr__(self) -> str:
        return f"the server {self.url}"

    async def say(self, question: Question, model: Model, stops: tuple[int, ...]) -> Heard:
        """The reply to a question."""
        more: dict[str, Any] = {
            "stop_token_ids": list(stops),
            "ignore_eos": True,  # those that the model's description names; ours hold all that end a reply
            "skip_special_tokens": False,
            "return_token_ids": True,
            "return_tokens_as_token_ids": True,  # so that no text is made of each of them
            **({"cache_salt": model.salt} if model.salt else {}),
        }
        tries = self._settings.tries
        with self._failing(SAY, tries=tries, seconds=self._settings.timeout_seconds):
            answer = await self._client.completions.with_raw_response.create(
                model=model.name,
                prompt=list(question.tokens),
                max_tokens=question.room,
                temperature=question.temperature,
                seed=question.seed % 2**63,
                logprobs=0,
                extra_body=more,
            )
        return Heard(reply=self._reply_in(answer.content, room=question.room), again=answer.retries_taken)

    async def order(self, path: str, asked: Mapping[str, Any]) -> None:
        """Have the server do something, once; whatever it says to that is no matter."""
        client = self._client.with_options(max_retries=0)
        with self._failing(path, tries=1, seconds=self._settings.timeout_seconds):
            await client.post(f"{self.url}{path}", cast_to=str, body=asked)

    async def read(self, path: str) -> object:
        """What the server tells of itself, or that it is not there: soon."""
        client = self._client.with_options(max_retries=0, timeout=SOON)
        with self._failing(path, tries=1, seconds=SOON):
            return await client.get(f"{self.url}{path}", cast_to=object)

    # ---------------------------------------------------------------------------------------------- what went wrong

    @contextmanager
    def _failing(self, path: str, *, tries: int, seconds: float) -> Iterator[None]:
        """Errors of the client stay in here: they hold the request, and with it the key."""
        import openai

        often = f" ({tries} tries)" if tries > 1 else ""
        try:
            yield
        except openai.APITimeoutError:
            raise Unanswered(
                f"{self!r} gave no answer in {seconds:g} s{often}",
                hint="a larger sampling.server.timeout_seconds, or a smaller sampling.rows",
            ) from None
        except openai.APIConnectionError as error:
            raise PolicyGone(
                f"no connection to {self!r}: {self._safe(str(error.__cause__ or error))}{often}",
                hint="is it up, and the address right? then the same command goes on",
            ) from None
        except openai.APIStatusError as error:
            raise self._refusal(error.status_code, error.body, f"{path}{often}") from None
        except Exception as error:  # noqa: BLE001 (the edge of the client library)
            told = f"{type(error).__name__}: {self._safe(str(error))}"
            raise PolicyError(f"{self!r}: the request failed: {told}") from None

    def _refusal(self, status: int, body: object, path: str) -> OpensageError:
        said = body.get("message") or body.get("detail") or body.get("error") if isinstance(body, dict) else body
        message = f"{self!r} answered status {status} to {path}"
        message += f": {self._safe(said if isinstance(said, str) else json.dumps(said))}" if said else ""
        if status in (401, 403):
            name = self._settings.key_env
            hint = f"check the key in {name}" if self._key else f"it wants a key, and {name} is not set"
            return PolicyGone(message, hint=hint)
        if status == 404 and path.startswith(SAY):
            return PolicyGone(message, hint="was it started again? then the same command goes on")
        if status >= 500 or status in (408, 409, 429):
            return Unanswered(message, hint="its log may say more")
        return PolicyError(message)

    def _reply_in(self, answer: bytes, *, room: int) -> Reply:
        """The reply in an answer: exact tokens, and a log-probability for each."""
        try:
            body = json.loads(answer)
        except (ValueError, RecursionError):
            raise self._odd("the answer is no JSON") from None
        match body:
            case {"choices": [{"token_ids": [*tokens], "logprobs": {"token_logprobs": [*logprobs]}}]}:
                pass
            case {"choices": [{"text": str()}]}:
                raise PolicyGone(
                    f"{self!r} tells no token ids, or no log-probabilities", hint="vLLM 0.24 or newer is needed"
                )
            case _:
                raise self._odd("the answer is no completion")
        whole = len(tokens) == len(logprobs) <= room and all(type(one) is int and one >= 0 for one in tokens)
        if not whole or not all(type(one) in (int, float) and math.isfinite(one) for one in logprobs):
            raise self._odd("tokens and log-probabilities do not belong together")
        if not tokens:
            raise PolicyError(f"{self!r} broke a reply off before it began")
        match body:
            case {"usage": {"prompt_tokens_details": {"cached_tokens": int(cached)}}} if cached >= 0:
                pass
            case _:
                cached = 0  # it tells so only with --enable-prompt-tokens-details
        return Reply(tokens=tuple(tokens), logprobs=tuple(float(one) for one in logprobs), cached=cached)

    def _odd(self, what: str) -> PolicyError:
        return PolicyError(f"{self!r}: {what}", hint="is it vLLM's, version 0.24 or newer?")

    def _safe(self, text: str) -> str:
        return shown(text, self._key)


def _dial(url: str, key: str, settings: ServerSettings) -> AsyncOpenAI:
    """A client that tries again and waits longer each time; as many connections as there are conversations."""
    try:
        import openai
    except ImportError as error:
        raise MissingExtra("sampling.engine = 'server'", "endpoint") from error
    # The class of whatever client library it brings: the default keeps a hundred connections, and opens others anew.
    endless = type(openai.DEFAULT_CONNECTION_LIMITS)(max_connections=None, max_keepalive_connections=None)
    return openai.AsyncOpenAI(
        api_key=key or "none",
        base_url=f"{url}/v1",
        timeout=settings.timeout_seconds,
        max_retries=settings.tries - 1,
        http_client=openai.DefaultAsyncHttpxClient(trust_env=not is_local(url), limits=endless),
    )


# ------------------------------------------------------------------------------------------------------- the loop


def on_loop(work: Coroutine[Any, Any, R]) -> Future[R]:
    """Have it done on the thread where all connections live."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="servers", daemon=True).start()
    return loop
