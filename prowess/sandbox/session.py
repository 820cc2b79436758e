"""The state of one episode's interpreter, and one step in it: compile, execute, and say what happened.

The jail's worker and the unsafe tier share it. Imports the standard library only: the zygote loads this file too.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import CodeType, ModuleType
from typing import Any, TextIO

from .failure import Unreadable, file_name, remember, told
from .output import Output, printer, refuse_input, repeatable
from .takes import Recorder
from .trace import Traced, Watch, functions_of

NO_CODE = "No code available to execute."
SUCCESS = "Execution successful."

Execute = Callable[[CodeType, dict[str, Any]], None]
"""Runs compiled code in a namespace; the worker's arms a timer around it."""

Send = Callable[[str, str, dict[str, Any]], Any]
"""Sends one API call to the host and returns its answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What one step came to."""

    text: str
    failed: bool = False
    calls: tuple[Traced, ...] = ()
    takes: tuple[dict[str, Any], ...] = ()
    """Calls of the model's functions, where they are recorded."""


class Session:
    """Variables and functions of one episode."""

    def __init__(
        self,
        send: Send,
        *,
        output_chars: int,
        echo: bool,
        stream: Callable[[], TextIO] | None = None,
        execute: Execute = exec,
        imports: Iterable[str] = (),
        apis: Mapping[str, Sequence[str]] | None = None,
        sent: Callable[[], int] | None = None,
    ) -> None:
        """With `sent`, which counts the API calls of the step so far, calls of functions are recorded."""
        self._sent = sent
        self.output = Output(output_chars)
        self.module = ModuleType("__main__")
        self._names = self.module.__dict__
        self._names["apis"] = Apis(send, apis)
        self._execute = execute
        self._limit = output_chars
        self._echo = echo
        self._functions: dict[CodeType, tuple[str, int]] = {}
        print = printer(stream or (lambda: self.output))  # type: ignore[arg-type,return-value]
        self._names["__builtins__"] = {**vars(builtins), "print": print, "input": refuse_input}
        for statement in imports:
            with suppress(ImportError):
                exec(statement, self._names)  # noqa: S102 - the world's, not the model's

    def run(self, source: str, *, block: int, watched: Collection[str] = ()) -> Outcome:
        """Execute a block; `watched` names functions of earlier blocks whose calls are to be reported."""
        source = source.strip()
        if not source:
            return Outcome(text=NO_CODE, failed=True)
        recorder = Recorder(self._functions, self._sent) if self._sent is not None else None
        watch = Watch({code: key for code, key in self._functions.items() if key[0] in watched}, recorder)
        self.output.take()
        error: BaseException | None = None
        remember(block, source)
        try:
            codes = self._compiled(source, block)
            watch.start()
            for code in codes:
                self._execute(code, self._names)
        except BaseException as caught:  # noqa: BLE001 - also SystemExit and the interrupt of the time limit
            error = caught
        calls = tuple(watch.stop())
        printed = self.output.take()
        if error is not None:
            text = error.text if isinstance(error, Unreadable) else told(error)
            return Outcome(text=repeatable(text[: self._limit]), failed=True, calls=calls)
        takes = tuple(recorder.taken()) if recorder is not None else ()
        return Outcome(text=repeatable(printed) if printed.strip() else SUCCESS, calls=calls, takes=takes)

    def _compiled(self, source: str, block: int) -> list[CodeType]:
        """The block's code; with echo, its last expression apart, so that its value is shown."""
        name = file_name(block)
        try:
            tree = ast.parse(source, name)
        except SyntaxError as error:
            line = (error.text or "").rstrip()
            raise Unreadable(f"Syntax error in line:\n{line}\nMessage: {error.msg}") from None
        last = [tree.body.pop()] if self._echo and tree.body and isinstance(tree.body[-1], ast.Expr) else []
        try:
            codes = [compile(tree, name, "exec", dont_inherit=True)]
            if last:
                codes.append(compile(ast.Interactive(body=last), name, "single", dont_inherit=True))
        except SyntaxError as error:
            raise Unreadable(f"Traceback (most recent call last):\nSyntaxError: {error.msg}") from None
        self._functions |= {code: (code.co_name, block) for part in codes for code in functions_of(part)}
        return codes


class Apis:
    """`apis.app.api(**arguments)`: a request to the host.

    With `names`, the APIs of each app, a name that is not among them is refused where it is read, as in AppWorld.
    """

    __slots__ = ("_names", "_send")

    def __init__(self, send: Send, names: Mapping[str, Sequence[str]] | None = None) -> None:
        self._send = send
        self._names = names

    def __getattr__(self, app: str) -> App:
        if app.startswith("__"):
            raise AttributeError(app)
        if self._names is not None and app not in self._names:
            raise Exception(f"No app named '{app}' found.")
        return App(self._send, app, None if self._names is None else self._names[app])

    def __getitem__(self, app: str) -> App:
        if self._names is not None and app not in self._names:
            raise KeyError(app)
        return self.__getattr__(app)

    def keys(self) -> list[str]:
        """The apps, where they are known."""
        return sorted(self._names or ())

    def __repr__(self) -> str:
        return "apis"


class App:
    """One app of `apis`."""

    __slots__ = ("_app", "_names", "_send")

    def __init__(self, send: Send, app: str, names: Sequence[str] | None) -> None:
        self._send = send
        self._app = app
        self._names = names

    def __getattr__(self, api: str) -> Callable[..., Any]:
        if api.startswith("__"):
            raise AttributeError(api)
        app, send = self._app, self._send
        if self._names is not None and api not in self._names:
            raise Exception(f"No API named '{api}' found in the {app} app.")

        def call(*positional: Any, **arguments: Any) -> Any:
            if positional:
                raise TypeError(
                    f"{app}.{api}() takes keyword arguments only: write the name of each argument, "
                    f"as in apis.{app}.{api}(name=value)"
                )
            return send(app, api, arguments)

        call.__name__ = call.__qualname__ = api
        call.__api__ = f"apis.{app}.{api}"  # type: ignore[attr-defined]  # how a recorded call names it
        return call

    def __getitem__(self, api: str) -> Callable[..., Any]:
        if self._names is not None and api not in self._names:
            raise KeyError(api)
        return self.__getattr__(api)

    def keys(self) -> list[str]:
        """The APIs, where they are known."""
        return [*(self._names or ())]

    def __repr__(self) -> str:
        return f"apis.{self._app}"
