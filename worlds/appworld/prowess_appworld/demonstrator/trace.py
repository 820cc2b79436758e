"""What the calls of a reference solution answer: its trace, recorded once in an opened task.

Looking up one's account and logging in is left out of it, as every program begins with it. A listing that the
reference reads page by page becomes one step, read to its end as a program of ours would read it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from prowess.types import Json
from prowess_appworld.demonstrator.calls import Asked, Routes
from prowess_appworld.pool import Host

PAGE = 20
"""The most entries that AppWorld gives on a page."""
_PAGES = 200
_TOKEN = "access_token"
_ABOUT_ME = {("supervisor", "show_profile"), ("supervisor", "show_account_passwords")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call of the reference, or one listing, and what came of it."""

    app: str
    api: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    """Without the token and the page."""
    signed: bool = False
    """True when it needs the token of its app."""
    paged: bool = False
    """True for a listing read to its end."""
    reads: bool = True
    answer: Json = None
    refused: str = ""
    """AppWorld's words when it did not want to."""


def record(host: Host, routes: Routes, reference: Sequence[Asked]) -> tuple[Step, ...]:
    """Make the calls of a reference in an opened task and keep what they answer."""
    return tuple(_steps(host, routes, reference))


def _steps(host: Host, routes: Routes, reference: Sequence[Asked]) -> Iterator[Step]:
    at = 0
    while at < len(reference):
        call = reference[at]
        pages = _pages(reference, at)
        at += pages
        if (call.app, call.api) in _ABOUT_ME or call.api == "login":
            _ask(host, call, call.arguments)
            continue
        arguments = {name: value for name, value in call.arguments.items() if name not in (_TOKEN, "page_index")}
        signed = _TOKEN in call.arguments
        token = {_TOKEN: call.arguments[_TOKEN]} if signed else {}
        if pages > 1:
            arguments.pop("page_limit", None)
            answer, refused = _listing(host, call, {**arguments, **token}), ""
        else:
            answer, refused = _ask(host, call, {**arguments, **token})
        yield Step(
            app=call.app,
            api=call.api,
            arguments=arguments,
            signed=signed,
            paged=pages > 1,
            reads=routes.apis[call.app, call.api].reads,
            answer=answer,
            refused=refused,
        )


def _pages(reference: Sequence[Asked], at: int) -> int:
    """How many of the calls from here on read one listing page by page."""
    first = reference[at]

    def same(call: Asked, page: int) -> bool:
        rest = {name: value for name, value in call.arguments.items() if name != "page_index"}
        mine = {name: value for name, value in first.arguments.items() if name != "page_index"}
        here = (call.app, call.api) == (first.app, first.api) and rest == mine
        return here and call.arguments.get("page_index", 0) == page

    count = 1
    while same(first, 0) and at + count < len(reference) and same(reference[at + count], count):
        count += 1
    return count


def _listing(host: Host, call: Asked, arguments: Mapping[str, Json]) -> Json:
    found: list[Json] = []
    for page in range(_PAGES):
        answer, _ = _ask(host, call, {**arguments, "page_index": page, "page_limit": PAGE})
        if not answer:
            break
        found += answer
    return found


def _ask(host: Host, call: Asked, arguments: Mapping[str, Json]) -> tuple[Json, str]:
    answer = host.ask({"app": call.app, "api": call.api, "arguments": arguments})
    return answer.get("value"), str(answer.get("failure", ""))
