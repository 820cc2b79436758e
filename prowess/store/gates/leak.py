"""The gate against memories: a value of the episode that stands in the code, where a parameter should.

What counts as a value of the episode: the words of the instruction, and what the APIs answered (texts and numbers, not
the names of fields). What does not: words of the API documents, names of apps, APIs and fields, what another task of
the scenario says too, page sizes, small numbers, and texts without a letter or digit.

A text that may be the wording of the task as well as a value (`Thank you for the`, `complaint`) is refused if other
tasks of the scenario are known and do not say it; otherwise the gate abstains and names it.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from prowess.store.gates.context import Context, Subject, code_of
from prowess.store.record import Verification
from prowess.store.settings import GateSettings
from prowess.text.syntax import tree_of
from prowess.types import Json

_PLAIN_NUMBERS = frozenset({3600, 9999, 86400})
"""Large numbers of clocks and limits, besides powers of ten and small multiples of them."""
_SIZES = re.compile(r"page|limit|size|count|max|chunk|batch|retr")
_FIELD = re.compile(r"[a-z][a-z0-9_]*")
_INSTRUCTION, _ANSWER = "the instruction", "an API's answer"
_CASED = re.compile(r"[\d@A-Z]")


@dataclass(slots=True)
class Seen:
    """What an episode held, in a form that is quickly compared with."""

    instruction: str = ""
    texts: set[str] = field(default_factory=set)
    numbers: set[float] = field(default_factory=set)
    keys: set[str] = field(default_factory=set)
    """Names of fields, apps and APIs."""
    printed: str = ""
    sizes: set[float] = field(default_factory=set)
    """Of pages, as the code names them."""


def leak(subject: Subject, context: Context, settings: GateSettings) -> Verification:
    """Whether values of the episode stand in the code."""
    seen = _seen(subject, context)
    found: list[Json] = []
    doubtful: list[Json] = []
    for node, value, part in _constants(subject, seen):
        place = _text_place(value, seen, context, settings) if isinstance(value, str) else _place(value, seen, settings)
        # Without the API documents `pending` may be one of an API's own words.
        unread = isinstance(value, str) and not context.vocabulary and _FIELD.fullmatch(value) is not None
        doubt = unread or (isinstance(value, str) and _is_doubtful(value, seen, part=part))
        if not place or _is_wording(value, subject.siblings, doubt=doubt):
            continue
        # What an instruction says is settled by other instructions; what was merely printed is not.
        settled = subject.siblings and place == _INSTRUCTION and not unread
        listed = doubtful if doubt and not settled else found
        listed.append({"line": node.lineno, "value": value, "seen in": place})
    if found:
        return subject.says("leak", "fail", {"values": found[:20]})
    if doubtful:
        why = "these may be values of the episode or wording of the task: nothing tells them apart"
        return subject.says("leak", "abstain", {"why": why, "values": doubtful[:20]})
    if not seen.instruction and not seen.texts and not seen.printed:
        return subject.says("leak", "abstain", {"why": "neither instruction nor answers of an episode are known"})
    return subject.says("leak", "pass", {"compared with": len(seen.texts) + len(seen.numbers)})


def _seen(subject: Subject, context: Context) -> Seen:
    seen = Seen()
    seen.instruction = "\n".join(dict.fromkeys(one.instruction for one in subject.provenances if one.instruction))
    seen.printed = "\n".join(text for one in subject.provenances for text in context.observations(one))
    for trial in subject.trials:
        for exchange in trial.answers:
            if not isinstance(exchange, dict):  # a stranger's
                continue
            app, _, api = str(exchange.get("api", "")).partition(".")
            seen.keys |= {app, api, *api.split("_")}
            if app == "api_docs":  # what is read about APIs is no value of the episode
                seen.keys |= {text.casefold() for text in _strings(exchange.get("answer"))}
            else:
                _gather(exchange.get("answer"), seen)
    for api in subject.version.apis:
        app, _, name = api.partition(".")
        seen.keys |= {app, name, *name.split("_")}
    return seen


def _gather(value: Json, seen: Seen) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            seen.keys |= {key.casefold(), *key.casefold().split("_")}
            _gather(item, seen)
    elif isinstance(value, list):
        for item in value:
            _gather(item, seen)
    elif isinstance(value, str):
        seen.texts.add(value.casefold().strip())
    elif isinstance(value, int | float) and not isinstance(value, bool):
        seen.numbers.add(value)


def _strings(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield from re.findall(r"\w+", value)
    elif isinstance(value, dict | list):
        for item in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from _strings(item)


def _constants(subject: Subject, seen: Seen) -> Iterator[tuple[ast.Constant, str | int | float, bool]]:
    """Texts and numbers in the code, but docstrings; and whether each is a part of a longer text."""
    tree = tree_of(code_of(subject.version))
    skipped: set[int] = set()
    parts: set[int] = set()
    tree.body = [node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name in subject.kept)]
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant() as text):
                skipped.add(id(text))
            case ast.Subscript(slice=ast.Constant(value=str(name)) as key) if _FIELD.fullmatch(name):
                skipped.add(id(key))
            case ast.keyword(arg=str(name), value=ast.Constant(value=int(size)) as given) if _SIZES.search(name):
                skipped.add(id(given))
                seen.sizes.add(size)
            case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)) as key, *_]):
                skipped |= {id(key)} if _FIELD.fullmatch(name) else set()
            case ast.Dict(keys=keys):
                names = [key for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
                skipped |= {id(key) for key in names if _FIELD.fullmatch(str(key.value))}
            case ast.JoinedStr(values=values):
                parts |= {id(value) for value in values}
            case ast.BinOp(op=ast.Add() | ast.Mod(), left=left, right=right):
                parts |= {id(left), id(right)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or id(node) in skipped or isinstance(node.value, bool):
            continue
        if isinstance(node.value, str | int | float):
            yield node, node.value, id(node) in parts


def _place(value: float, seen: Seen, settings: GateSettings) -> str:
    """Where a number was seen in the episode, or nothing."""
    if not abs(value) < math.inf or (abs(value) <= settings.small and value == int(value)) or value in seen.sizes:
        return ""
    if _says_number(seen.instruction, value):
        return _INSTRUCTION
    telling = (value != int(value) or abs(value) >= 1000) and value not in _PLAIN_NUMBERS and not _is_round(value)
    return _ANSWER if telling and value in seen.numbers else ""


def _text_place(value: str, seen: Seen, context: Context, settings: GateSettings) -> str:
    """Where a text was seen in the episode, or nothing."""
    plain = _plain(value)
    words = re.findall(r"\w+", plain)
    if len(plain) < settings.shortest or not words:
        return ""
    if plain in seen.keys or all(word in seen.keys for word in words):
        return ""
    named = bool(_CASED.search(value))  # documents give examples of values, too, so they excuse no names
    if _says(seen.instruction.casefold(), plain) and (named or plain not in context.vocabulary):
        return _INSTRUCTION
    if plain in context.vocabulary:
        return ""
    if plain in seen.texts:
        return _ANSWER
    if len(words) > 1 and (any(_says(text, plain) for text in seen.texts) or _says(seen.printed.casefold(), plain)):
        return "an observation"
    return ""


def _is_wording(value: str | float, siblings: Sequence[str], *, doubt: bool) -> bool:
    """Whether other tasks of the scenario say it, too: values differ from task to task, wording does not.

    Tasks may share a value, so for what looks like one all of them must say it; wordings vary, so else one is enough.
    """
    if isinstance(value, str):
        said = [_says(text.casefold(), _plain(value)) for text in siblings]
    else:
        said = [_says_number(text, value) for text in siblings]
    return bool(said) and (any(said) if doubt else all(said))


def _is_doubtful(value: str, seen: Seen, *, part: bool) -> bool:
    """Whether a text may be wording: part of a longer text, or neither a name, a number nor what an API answered."""
    if part:
        return True
    if _plain(value) in seen.texts:
        return False
    first, _, rest = value.strip().partition(" ")
    named = _CASED.search(rest if rest.count(" ") else f"{first} {rest}")  # a sentence begins with a capital, too
    return named is None


def _plain(value: str) -> str:
    return value.casefold().strip(" \t\n.,:;!?'\"()[]-")


def _says(text: str, phrase: str) -> bool:
    """Whether a text holds a phrase, between words."""
    return phrase in text and re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", text) is not None


def _says_number(text: str, value: float) -> bool:
    """Whether a text holds a number, in one of the ways to write it, and not as a part of another.

    >>> [_says_number("Pay $12.50", value) for value in (12.5, 12, 50)], _says_number("Pay $12.00", 12)
    ([True, False, False], True)
    """
    forms = {str(int(value))} if value == int(value) else set()
    if abs(value) < 1e15:
        forms |= {f"{value:g}", f"{value:.2f}"}
    return any(re.search(rf"(?<!\w)(?<!\d\.){re.escape(form)}(?!\w|\.\d)", text) for form in forms if form in text)


def _is_round(value: float) -> bool:
    """10, 20, 50, 100, 250, 1000 and the like.

    >>> [_is_round(number) for number in (50, 1000, 37, 0.5, 10**400)]
    [True, True, False, True, False]
    """
    if abs(value) >= 1e6:
        return False
    digits = f"{abs(value):g}".replace(".", "").strip("0")
    return digits in ("", "1", "2", "5", "25", "15", "75")
