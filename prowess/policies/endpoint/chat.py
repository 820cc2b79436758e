"""Chat completions as servers speak them: the request of a conversation, and the reply in an answer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from prowess.policies.endpoint.failure import Failure
from prowess.policies.endpoint.settings import EndpointSettings
from prowess.text.tokens import estimated
from prowess.types import Completion, Message


def request_of(settings: EndpointSettings, messages: Sequence[Message], seed: int) -> dict[str, Any]:
    request: dict[str, Any] = {
        "model": settings.model,
        "messages": [{"role": message.role, "content": whole(message.content)} for message in messages],
        "temperature": settings.temperature,
        settings.reply_tokens_name: settings.reply_tokens,
        "extra_body": dict(settings.extra),
    }
    if settings.top_p is not None:
        request["top_p"] = settings.top_p
    if settings.send_seed:
        request["seed"] = seed % 2**31  # as wide as every server takes
    return request


def reply_in(answer: bytes, messages: Sequence[Message]) -> Completion | Failure | None:
    """The completion in an answer; None when it is something else."""
    try:
        body = json.loads(answer)
        choice = body["choices"][0]
        message = choice["message"]
        text = _text(message.get("content")) or _text(message.get("refusal"))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None
    if not text and choice.get("finish_reason") == "content_filter":
        return Failure(message="the server's content filter withheld the reply")
    said = Completion(text=text, logprobs=_logprobs(choice.get("logprobs")))
    usage = _usage(body.get("usage"))
    if usage is None:
        return estimated(said, messages)
    prompt, reply = usage
    return replace(said, prompt_tokens=prompt, reply_tokens=reply, counted="reported")


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
    return whole(content or "")


def _logprobs(given: Any) -> tuple[float, ...]:
    """One for each said token, or none at all."""
    try:
        return tuple(float(token["logprob"]) for token in given["content"])
    except (LookupError, TypeError, ValueError):
        return ()


def whole(text: str) -> str:
    """Half a character (a lone surrogate) can be neither sent nor stored; it becomes a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
