"""Why a try came to nothing, in the words of servers and in ours."""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

from prowess.policies.endpoint.settings import EndpointSettings

_OVERFLOW = re.compile(
    r"context[ _](length|window|size)|maximum model length|max_model_len|too many tokens|(prompt|input) is too long"
    r"|reduce the length",
    re.IGNORECASE,
)
"""How servers say that a conversation no longer fits: there is a code for it, but few send it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a try came to nothing."""

    message: str
    hint: str = ""
    passing: bool = False
    """It may be better in a moment."""
    late: bool = False
    """It took all the time that a try has."""
    asked_pause: float | None = None
    """The server's own wish."""
    overflow: bool = False
    lasting: bool = False
    """It is no matter of this conversation: whoever asks next will hear the same."""


def refusal(
    status: int, body: object, headers: Mapping[str, str], settings: EndpointSettings, safe: Callable[[str], str]
) -> Failure:
    """What an answer with an error's status means; `safe` makes the server's words fit to show."""
    code, said = _complaint(body)
    message = f"status {status}" + (f": {safe(said)}" if said else "")
    if code == "context_length_exceeded" or (status in (400, 413, 422, 500) and _OVERFLOW.search(f"{code} {said}")):
        return Failure(message=message, overflow=True)
    hint = _hint(status, said, settings)
    if code == "insufficient_quota":
        return Failure(message=message, hint="the account behind the key has no credit left", lasting=True)
    return Failure(
        message=message,
        hint=hint,
        passing=status in (408, 409, 429) or status >= 500,
        asked_pause=asked_pause(headers),
        lasting=status in (401, 404),
    )


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
    if status == 401 and not os.environ.get(settings.key_env, "").strip():
        return f"the server wants a key, and the environment variable {settings.key_env} is not set"
    if status in (401, 403):
        return f"check the key in the environment variable {settings.key_env}"
    if status == 404:
        return "check the model's name, and the url: most end in /v1"
    if status == 429:
        return "lower policy.endpoint.concurrency, or raise policy.endpoint.tries"
    return "the server's log may say more" if status >= 500 else ""


def asked_pause(headers: Mapping[str, str]) -> float | None:
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
