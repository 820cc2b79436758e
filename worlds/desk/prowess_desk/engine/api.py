"""Apps and their APIs: one decorated function each, from which come validation, documentation and dispatch.

    music = App("music", "Songs, albums, playlists and a player.")

    @music.api(returns={"song_id": 1, "title": "..."})
    def show_song(ctx: Ctx, song_id: Annotated[int, "id of the song"]) -> Json:
        '''Show one song.'''
        song = ctx.state[Song].get(song_id) or missing("song", song_id)
        ...

An agent calls it as `apis.music.show_song(access_token=..., song_id=3)`: the token parameter is added to every API that
needs a login. A refusal is an `ApiError` with a code and plain words, and reaches the agent's code as an exception.
"""

from __future__ import annotations

import inspect
import json
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Annotated, Any, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from prowess.types import Json
from prowess_desk.engine.people import Person
from prowess_desk.engine.tables import Full, State

LONGEST, MOST, LARGEST = 50_000, 10_000, 2**63
"""What an argument may be: so many characters, so many items, a number smaller than that."""


class ApiError(Exception):
    """A refusal: 401 who are you, 403 not yours, 404 no such thing, 409 not in this state, 422 wrong arguments."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"Response status code is {code}:\n{json.dumps({'message': message})}")
        self.code = code
        self.message = message


def missing(what: str, id: int | str) -> NoReturn:
    """Refuse because there is no such thing, or none that this account may see."""
    raise ApiError(404, f"There is no {what} with id {id}." if isinstance(id, int) else f"There is no {what} '{id}'.")


def forbidden(why: str) -> NoReturn:
    raise ApiError(403, why)


def conflict(why: str) -> NoReturn:
    raise ApiError(409, why)


def invalid(why: str) -> NoReturn:
    raise ApiError(422, why)


@dataclass(slots=True)
class Session:
    """What one world remembers that is not data: who is logged in where, and how the task was completed."""

    supervisor: Person
    instruction: str
    universe: int
    """Seed of the universe, from which passwords follow."""
    seed: int
    tokens: dict[tuple[str, str], int] = field(default_factory=dict)
    """(app, access token) to person id."""
    completed: bool = False
    status: str = ""
    answer: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ctx:
    """What an API function is given besides its arguments."""

    state: State
    session: Session
    me: Person
    """Whose account is logged in; the supervisor for APIs without login."""

    @property
    def now(self) -> datetime:
        return self.state.now


@dataclass(frozen=True, slots=True)
class Span:
    """Bounds of a number, stated in the docs and enforced."""

    least: float
    most: float


@dataclass(frozen=True, slots=True)
class OneOf:
    """The only values a text parameter takes."""

    values: tuple[str, ...]


Query = Annotated[str, "text to look for; empty for everything"]
PageIndex = Annotated[int, "which page, from 0", Span(0, 10_000)]
PageLimit = Annotated[int, "results per page", Span(1, 20)]


def page(rows: list[Json], page_index: int, page_limit: int) -> list[Json]:
    """One page of a listing."""
    return rows[page_index * page_limit : (page_index + 1) * page_limit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One argument of an API."""

    name: str
    type: Any
    about: str
    required: bool
    default: Json = None
    span: Span | None = None
    one_of: OneOf | None = None

    @property
    def doc(self) -> Json:
        doc: dict[str, Json] = {
            "name": self.name,
            "type": _type_name(self.type),
            "required": self.required,
            "description": self.about,
        }
        if not self.required:
            doc["default"] = self.default
        if self.span:
            doc["constraints"] = [f"value >= {self.span.least:g}", f"value <= {self.span.most:g}"]
        if self.one_of:
            doc["constraints"] = [f"one of {', '.join(self.one_of.values)}"]
        return doc

    def check(self, value: Json) -> Json:
        """The value as the handler takes it, or a 422 in plain words."""
        if too_much := _too_much(value):
            invalid(f"{self.name} {too_much}.")
        if not _fits(value, self.type):
            invalid(f"{self.name} must be {_type_name(self.type)}, not {_brief(value)}.")
        if self.span and value is not None and not self.span.least <= value <= self.span.most:
            invalid(f"{self.name} must be between {self.span.least:g} and {self.span.most:g}, not {_brief(value)}.")
        if self.one_of and value is not None and value not in self.one_of.values:
            invalid(f"{self.name} must be one of {', '.join(self.one_of.values)}, not {_brief(value)}.")
        return float(value) if self.type is float else value


Handler = Callable[..., Json]
H = TypeVar("H", bound=Handler)
_TOKEN = Parameter(name="access_token", type=str, about="access token from this app's login", required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """One API of one app."""

    app: str
    name: str
    about: str
    handler: Handler
    parameters: tuple[Parameter, ...]
    login: bool
    returns: Json

    @property
    def doc(self) -> Json:
        return {
            "app_name": self.app,
            "api_name": self.name,
            "description": self.about,
            "parameters": [parameter.doc for parameter in self.parameters],
            "response_schemas": {"success": self.returns, "failure": {"message": "string"}},
        }

    def call(self, state: State, session: Session, arguments: Mapping[str, Json]) -> Json:
        """Check the arguments and the login, then run the handler. A refused call leaves the state as it was."""
        values: dict[str, Json] = {}
        for parameter in self.parameters:
            if parameter.name in arguments:
                values[parameter.name] = parameter.check(arguments[parameter.name])
            elif parameter.required and parameter is not _TOKEN:
                invalid(f"{parameter.name} is required.")
        if len(values) < len(arguments):
            known = [parameter.name for parameter in self.parameters]
            extra = next(name for name in arguments if name not in values)
            invalid(f"{self.app}.{self.name} has no parameter '{extra}'. It takes: {', '.join(known) or 'none'}.")
        me = session.supervisor
        if self.login:
            person = session.tokens.get((self.app, values.pop("access_token", "")))
            if person is None:
                raise ApiError(401, f"You are not logged in to {self.app}: pass the access_token of {self.app}.login.")
            me = state[Person][person]
        try:
            return state.whole(partial(self.handler, Ctx(state=state, session=session, me=me), **values))
        except Full as full:
            conflict(str(full))


@dataclass(frozen=True, slots=True)
class App:
    """A named set of APIs."""

    name: str
    about: str
    apis: dict[str, Api] = field(default_factory=dict)

    def api(self, *, returns: Json, login: bool = True) -> Callable[[H], H]:
        """Register a function as an API of this app; `returns` is an example of what it answers."""

        def register(handler: H) -> H:
            parameters = tuple(_parameters(handler))
            name = handler.__name__.rstrip("_")
            self.apis[name] = Api(
                app=self.name,
                name=name,
                about=inspect.getdoc(handler) or "",
                handler=handler,
                parameters=(_TOKEN, *parameters) if login else parameters,
                login=login,
                returns=returns,
            )
            return handler

        return register


def _parameters(handler: Handler) -> list[Parameter]:
    hints = get_type_hints(handler, include_extras=True)
    found = []
    for name, parameter in list(inspect.signature(handler).parameters.items())[1:]:
        kind, *notes = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        required = parameter.default is inspect.Parameter.empty
        found.append(
            Parameter(
                name=name,
                type=kind,
                about=next((note for note in notes if isinstance(note, str)), ""),
                required=required,
                default=None if required else parameter.default,
                span=next((note for note in notes if isinstance(note, Span)), None),
                one_of=next((note for note in notes if isinstance(note, OneOf)), None),
            )
        )
    return found


_NAMES = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}


def _type_name(kind: Any) -> str:
    if get_origin(kind) in (Union, types.UnionType):
        return " or ".join(_type_name(part) for part in get_args(kind))
    if get_origin(kind) is list:
        return f"list of {_type_name(get_args(kind)[0])}"
    return _NAMES.get(kind, "any")


def _fits(value: Json, kind: Any) -> bool:
    if kind is int:
        return type(value) is int
    if kind is float:
        return type(value) in (int, float)
    if kind in (str, bool):
        return type(value) is kind
    if kind is type(None):
        return value is None
    if get_origin(kind) in (Union, types.UnionType):
        return any(_fits(value, part) for part in get_args(kind))
    if get_origin(kind) is list:
        return isinstance(value, list) and all(_fits(item, get_args(kind)[0]) for item in value)
    return True


def _too_much(value: Json) -> str:
    """Why a value is refused whatever it is for, or nothing: it would cost the host more than it costs the code."""
    match value:
        case str():
            return f"must not be longer than {LONGEST} characters" if len(value) > LONGEST else ""
        case list():
            if len(value) > MOST:
                return f"must not hold more than {MOST} items"
            return next((why for item in value if (why := _too_much(item))), "")
        case int() | float():
            return "" if -LARGEST < value < LARGEST else "must be a number of ordinary size"
    return ""


def _brief(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
