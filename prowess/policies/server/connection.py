"""The connection to one vLLM server: questions, orders, and what went wrong in our words."""

from __future__ import annotations

import asyncio
import atexit
import json
import threading
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from prowess.errors import MissingExtra, PolicyError, PolicyGone, ProwessError, Unanswered
from prowess.policies.endpoint.address import key_in, proxy_to, shown
from prowess.policies.endpoint.failure import asked_pause
from prowess.policies.server.settings import ServerSettings, place_of
from prowess.policies.vllm.question import Question, Reply
from prowess.seeds import draw

if TYPE_CHECKING:
    from aiohttp import ClientResponse, ClientSession

R = TypeVar("R")

SAY = "/v1/completions"
PLAIN = {"top_p": 1.0, "top_k": 0, "min_p": 0.0, "repetition_penalty": 1.0}
"""Nothing but the model's own distribution. What a question leaves open, a server takes from the model's description of
how to sample (`generation_config.json`), unless it was started not to."""
SOON = 10.0
"""Seconds in which a server tells of itself."""
LONGEST = 60.0
"""Seconds of the longest pause before a request is sent again."""
IDLE = 2.0
"""Seconds that a connection is kept for the next request: vLLM hangs up after five, and what is on its way just then is
lost."""
ODD = 1e6
"""What is no log-probability any more; what vLLM takes for impossible is at -9999."""
MOST = 64 * 2**20
"""Bytes of the longest answer that is read; a reply of ten thousand tokens takes a fiftieth of it."""


class Refused(PolicyGone):
    """A server is there, and does not take requests as they are sent: starting it again would not help."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What came back, and how often it was asked for again."""

    body: bytes
    again: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failed:
    """Why a try came to nothing."""

    error: ProwessError
    pause: float | None
    """The least to wait before the next try; None where that would hear the same."""


class ServerConnection:
    """The connections to one server. Its coroutines run on the loop that all servers share: see `on_loop`."""

    def __init__(self, url: str, settings: ServerSettings) -> None:
        if find_spec("aiohttp") is None:
            raise MissingExtra("sampling.engine = 'server'", "endpoint")
        self.url = place_of(url)
        self.writes = False
        """Whether it made text of the tokens of its last reply."""
        self._settings = settings
        self._key = key_in(settings.key_env)
        self._open: ClientSession | None = None

    def __repr__(self) -> str:
        return f"the server {self.url}"

    async def say(self, question: Question, model: Model, stops: tuple[int, ...]) -> Heard:
        """The reply to a question."""
        asked: dict[str, Any] = {
            "model": model.name,
            "prompt": question.tokens,
            "max_tokens": question.room,
            "temperature": question.temperature,
            "seed": question.seed % 2**63,
            "stop_token_ids": stops,
            "ignore_eos": True,  # those that the model's description names; ours hold all that end a reply
            **PLAIN,
            "logprobs": 0,
            "return_token_ids": True,
            "return_tokens_as_token_ids": True,  # so that no text is made of each of them
            "skip_special_tokens": False,
            **({"cache_salt": model.salt} if model.salt else {}),
        }
        answer = await self._sent("POST", SAY, asked, tries=self._settings.tries, seed=question.seed)
        return Heard(reply=self._reply_in(answer.body, room=question.room), again=answer.again)

    async def order(self, path: str, asked: Mapping[str, Any]) -> None:
        """Have the server do something, once; whatever it says to that is no matter."""
        await self._sent("POST", path, asked)

    async def read(self, path: str) -> object:
        """What the server tells of itself, or that it is not there: soon."""
        answer = await self._sent("GET", path, seconds=SOON)
        return self._read(answer.body)

    async def close(self) -> None:
        """Hang up."""
        if self._open is not None:
            await self._open.close()

    # ------------------------------------------------------------------------------------------------- one request

    async def _sent(
        self, method: str, path: str, asked: Any = None, *, tries: int = 1, seconds: float = 0.0, seed: int = 0
    ) -> _Answer:
        """The answer to a request; it is sent again, with growing pauses, where that may help."""
        seconds = seconds or self._settings.timeout_seconds
        again = 0
        while isinstance(outcome := await self._tried(method, path, asked, seconds=seconds, again=again), _Failed):
            if again + 1 == tries or outcome.pause is None:
                raise outcome.error
            backoff = min(LONGEST, 2.0**again / 2) * draw(seed, "server", again).uniform(0.5, 1.0)
            await asyncio.sleep(max(backoff, min(LONGEST, outcome.pause)))
            again += 1
        return _Answer(body=outcome, again=again)

    async def _tried(self, method: str, path: str, asked: Any, *, seconds: float, again: int) -> bytes | _Failed:
        """One try."""
        import aiohttp

        often = f" ({again + 1} tries)" if again else ""
        try:
            async with (
                asyncio.timeout(seconds),
                self._session().request(method, f"{self.url}{path}", json=asked, allow_redirects=False) as answer,
            ):
                body = await _body(answer)
        except TimeoutError:
            hint = "a larger sampling.server.timeout_seconds, or a smaller sampling.rows"
            return _Failed(error=Unanswered(f"{self!r} gave no answer in {seconds:g} s{often}", hint=hint), pause=0.0)
        except (aiohttp.ClientError, OSError) as error:
            told = self._safe(str(error) or type(error).__name__)
            hint = "is it up, and the address right? then the same command goes on"
            return _Failed(error=PolicyGone(f"no connection to {self!r}: {told}{often}", hint=hint), pause=0.0)
        if body is None:
            return _Failed(error=self._odd(f"it answers {path} with more than {MOST // 2**20} MiB"), pause=None)
        if 300 <= answer.status < 400:
            return _Failed(error=self._sent_on(answer.status, answer.headers.get("location", ""), path), pause=None)
        if answer.status < 400:
            return body
        passing = answer.status in (408, 409, 429) or answer.status >= 500
        pause = (asked_pause({key.lower(): value for key, value in answer.headers.items()}) or 0.0) if passing else None
        return _Failed(error=self._refusal(answer.status, body, f"{path}{often}"), pause=pause)

    def _session(self) -> ClientSession:
        """Made on the loop. There are as many connections as conversations."""
        import aiohttp

        if self._open is None:
            self._open = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=IDLE),
                timeout=aiohttp.ClientTimeout(total=None),  # ours are by try
                headers={"authorization": f"Bearer {self._key}"} if self._key else {},
                proxy=proxy_to(self.url),  # and nothing else of the environment: a .netrc holds no key of ours
            )
            atexit.register(lambda: on_loop(self.close()).result(timeout=5))
        return self._open

    def _refusal(self, status: int, body: bytes, path: str) -> ProwessError:
        message = f"{self!r} answered status {status} to {path}"
        if said := _complaint(body):
            message += f": {self._safe(said)}"
        if status in (401, 403):
            name = self._settings.key_env
            hint = f"check the key in {name}" if self._key else f"it wants a key, and {name} is not set"
            return Refused(message, hint=hint)
        if status == 404 and path.startswith(SAY):
            return PolicyGone(message, hint="was it started again? then the same command goes on")
        if status >= 500 or status in (408, 409, 429):
            return Unanswered(message, hint="its log may say more")
        return PolicyError(message)

    def _sent_on(self, status: int, where: str, path: str) -> ProwessError:
        """Neither conversations nor orders go where a server likes: urls say where."""
        return Refused(
            f"{self!r} answered status {status} to {path}: it sends on to {self._safe(where) or 'nowhere'}",
            hint="sampling.server.urls names the address that answers itself",
        )

    def _reply_in(self, answer: bytes, *, room: int) -> Reply:
        """The reply in an answer: exact tokens, and a log-probability for each."""
        body = self._read(answer)
        match body:
            case {"choices": [{"finish_reason": "abort" | "error"}]}:
                raise Unanswered(f"{self!r} broke a reply off", hint="its log may say more")
            case {"choices": [{"token_ids": [*tokens], "logprobs": {"token_logprobs": [*logprobs]}}]}:
                pass
            case {"choices": [{"text": str()}]}:
                raise PolicyGone(
                    f"{self!r} tells no token ids, or no log-probabilities", hint="vLLM 0.24 or newer is needed"
                )
            case _:
                raise self._odd("the answer is no completion")
        whole = len(tokens) == len(logprobs) <= room and all(type(one) is int and one >= 0 for one in tokens)
        if not whole or not all(type(one) in (int, float) and abs(one) < ODD for one in logprobs):
            raise self._odd("tokens and log-probabilities do not belong together")
        if not tokens:
            raise PolicyError(f"{self!r} broke a reply off before it began")
        match body:
            case {"choices": [{"text": str(text)}]}:
                self.writes = bool(text)
        match body:
            case {"usage": {"prompt_tokens_details": {"cached_tokens": int(cached)}}} if cached >= 0:
                pass
            case _:
                cached = 0  # it tells so only with --enable-prompt-tokens-details
        return Reply(tokens=tuple(tokens), logprobs=tuple(float(one) for one in logprobs), cached=cached)

    def _read(self, body: bytes) -> object:
        try:
            return json.loads(body)
        except (ValueError, RecursionError):
            raise self._odd("the answer is no JSON") from None

    def _odd(self, what: str) -> PolicyError:
        return PolicyError(f"{self!r}: {what}", hint="is it vLLM's, version 0.24 or newer?")

    def _safe(self, text: str) -> str:
        return shown(text, self._key)


async def _body(answer: ClientResponse) -> bytes | None:
    """What a server sends; None where it does not come to an end."""
    read = bytearray()
    async for piece in answer.content.iter_any():
        read += piece
        if len(read) > MOST:
            answer.close()
            return None
    return bytes(read)


def _complaint(body: bytes) -> str:
    """The words of an error, in any of the ways servers write them."""
    text = body.decode("utf-8", "replace")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return text
    for name in ("error", "message", "detail"):
        if isinstance(told, dict) and told.get(name):
            told = told[name]
    if isinstance(told, dict) and told.get("message"):
        told = told["message"]
    return told if isinstance(told, str) else json.dumps(told)


# ------------------------------------------------------------------------------------------------------- the loop


def on_loop(work: Coroutine[Any, Any, R]) -> Future[R]:
    """Have it done on the thread where all connections live."""
    return asyncio.run_coroutine_threadsafe(work, _loop())


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="servers", daemon=True).start()
    return loop
