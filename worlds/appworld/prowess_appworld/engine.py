"""AppWorld's apps without its shell: databases of a task, its clock and its APIs, called in this process.

Runs under AppWorld's own Python. What AppWorld does for a world is done here once for all of them: the apps are built,
the base databases are loaded into memory and the clock is stopped. A forked child then applies its task's changes to
what it inherited, so opening copies nothing, and pages that a task does not write to are shared by all.

A request goes straight into the ASGI application, as AppWorld's test client would send it, without its thread and its
event loop per call. Only the apps that an agent may use are mounted: AppWorld's client also reaches its administration.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import functools
import json
import os
import random
import shutil
import sqlite3
import sys
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from prowess_appworld.changes import changed_rows

_WORLD = "task_output-world"
_SEED = 100
"""AppWorld's own."""
REHEARSED = 8
"""References played on warming up."""
_OPTIONS = ("show", "track", "client")
"""Keywords of AppWorld's functions that are not arguments of an API."""


class Engine:
    """The apps and the base databases, ready to be forked."""

    def __init__(self, root: str) -> None:
        os.environ["APPWORLD_ROOT"] = root
        warnings.simplefilter("ignore")
        import appworld
        from appworld.apps import build_main_app, get_all_apps
        from appworld.collections.apis import ApiCollection
        from appworld.requester import Requester

        self.version: str = appworld.__version__
        self.root = root
        self.apps: list[str] = get_all_apps(skip_admin=True)
        _stay_in_this_thread()
        built = build_main_app(sorted([*self.apps, "admin"]))
        public = {f"/{app}" for app in self.apps}
        built.router.routes[:] = [route for route in built.router.routes if route.path in public]
        Requester.clients[tuple(sorted([*self.apps, "admin"]))] = Client(built)
        self.apis, self.requester = ApiCollection.load(
            to_db_home_path=f":memory:{_WORLD}",
            from_db_home_path=os.path.join(root, "data", "base_dbs"),
            date_and_time=datetime.datetime(2023, 5, 18, 12, 0, 0),
            random_seed=_SEED,
            load_apps=self.apps,
            raise_on_failure=True,
            max_num_requests=None,
        )
        self.names = {app: sorted(self.apis[app].keys()) for app in self.apis.keys()}  # noqa: SIM118 - hides some
        """The APIs of each app."""
        self._rehearse()

    def open(self, task: str) -> Opened:
        """A task's state in this process. Once per process: the next task needs another."""
        return Opened(self, task)

    def _rehearse(self) -> None:
        """Play a few references and take everything back, so that children inherit what first calls prepare."""
        from appworld.common.utils import import_models_module
        from appworld.requester import _get_api_name_to_doc

        for app in self.apps:
            _get_api_name_to_doc(app, include_private_apis=True)
            for model in import_models_module(app).SQLModel.models():
                model.validator()
        for task in _various(os.path.join(self.root, "data"), REHEARSED):
            with contextlib.suppress(OSError, ValueError):  # a damaged task is told when somebody opens it
                Opened(self, task).replay()
            for app in [*self.apps, "admin"]:
                database = _database(app)
                database.tracker.reset()
                _copy(self.base(app), database.connection)
        self.requester.reset_requests()

    def base(self, app: str) -> str:
        """An app's base database."""
        return os.path.join(self.root, "data", "base_dbs", f"{app}.db")


class Opened:
    """One task: its databases as they are now."""

    def __init__(self, engine: Engine, task: str) -> None:
        from freezegun.api import freeze_factories

        self._engine = engine
        self._task = task
        self._folder = os.path.join(engine.root, "data", "tasks", task)
        with open(os.path.join(self._folder, "specs.json"), encoding="utf-8") as file:
            specs = json.load(file)
        self._databases = {app: _database(app) for app in [*engine.apps, "admin"]}
        self._at_first = {app: self._apply(app) for app in self._databases}
        for factory in freeze_factories:
            factory.move_to(datetime.datetime.fromisoformat(specs["datetime"]))
        self._specs = specs
        self._done = False
        random.seed(_SEED)

    def call(self, app: str, api: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """One API call, with AppWorld's answer or its words of refusal."""
        apis = self._engine.apis
        if app not in apis or app.startswith("_"):
            return {"failure": f"No app named '{app}' found."}
        if api not in apis[app]:
            return {"failure": f"No API named '{api}' found in the {app} app."}
        if odd := [name for name in arguments if name in _OPTIONS]:
            return {"failure": f"Unexpected parameter '{odd[0]}' passed to apis.{app}.{api}."}
        if _escapes(app, api, arguments):
            return {"failure": _NOT_FOUND}
        try:
            value = apis[app][api](**arguments)
        except Exception as error:  # noqa: BLE001 - whatever it is, the agent is told
            return {"failure": str(error)}
        if (app, api) == ("supervisor", "complete_task") and not self._done:
            self._done = self._active()["status"] in ("success", "fail")
        return {"value": value, "done": self._done}

    def replay(self, calls: list[dict[str, Any]] | None = None) -> int:
        """Make the calls of the reference solution, or these; how many were refused, as some are meant to be."""
        if calls is None:
            with open(os.path.join(self._folder, "ground_truth", "api_calls.json"), encoding="utf-8") as file:
                calls = json.load(file)
        requester, refused = self._engine.requester, 0
        for each in calls or ():
            send = getattr(requester, f"_{each['method']}")
            answer = send(each["url"], data=dict(each["data"]), client=requester.client, raise_on_failure=False)
            refused += answer.status_code != 200
        return refused

    def changes(self) -> dict[str, Any]:
        """What differs from the start, table by table, and the answer in AppWorld's normal form."""
        from appworld.common.utils import answer_to_text

        found: dict[str, Any] = {}
        for app, database in self._databases.items():
            if len(database.tracker.changes) > self._at_first[app]:
                start = functools.partial(self._write_start, app)
                found |= {f"{app}.{table}": rows for table, rows in changed_rows(database.connection, start).items()}
        found.pop("supervisor.tasks", None)
        task = self._active()
        answer = task["answer"]
        with contextlib.suppress(ValueError):
            answer = json.loads(answer) if isinstance(answer, str) else answer
        return {"changes": found, "answer": answer_to_text(answer), "status": task["status"], "told": self._told()}

    def judge(self) -> dict[str, Any]:
        """AppWorld's own evaluation; its program must be there."""
        from appworld.evaluator import evaluate_task

        name = f".prowess/{os.getpid()}"
        place = os.path.join(self._engine.root, "experiments", "outputs", name)
        self._save_databases(os.path.join(place, "tasks", self._task, "dbs"))
        try:
            tracker = evaluate_task(self._task, name, save_report=False)
        finally:
            shutil.rmtree(place, ignore_errors=True)
        short = tracker.num_tests - tracker.pass_count - tracker.fail_count
        return {
            "passed": [each["requirement"] for each in tracker.passes],
            "failed": [each["requirement"] for each in tracker.failures] + ["(not reached)"] * short,
        }

    def save(self, folder: str, steps: list[list[str]]) -> dict[str, Any]:
        """Write what AppWorld writes of a task: databases, logs and versions."""
        from appworld.common.constants import SINGLE_HORIZONTAL_RULE
        from appworld.common.utils import write_file

        place = os.path.join(folder, "tasks", self._task)
        for name in ("dbs", "logs", "misc", "version", "checkpoints"):
            os.makedirs(os.path.join(place, name), exist_ok=True)
        self._save_databases(os.path.join(place, "dbs"))
        write_file(self._engine.version, os.path.join(place, "version", "code.txt"))
        write_file(self._specs["db_version"], os.path.join(place, "version", "data.txt"))
        self._engine.requester.request_tracker.save(os.path.join(place, "logs", "api_calls.jsonl"))
        with open(os.path.join(place, "logs", "environment_io.md"), "w", encoding="utf-8") as file:
            for number, (code, text) in enumerate(steps, 1):
                file.write(f"\n### Environment Interaction {number}\n{SINGLE_HORIZONTAL_RULE}\n")
                file.write(f"```python\n{code}\n```\n\n```\n{text.rstrip()}\n```\n\n")
        return {"saved": place}

    def _told(self) -> str:
        """The answer that the benchmark holds, in AppWorld's normal form."""
        from appworld.common.utils import answer_to_text

        with open(os.path.join(self._folder, "ground_truth", "answer.json"), encoding="utf-8") as file:
            return str(answer_to_text(json.load(file)))

    def _active(self) -> dict[str, Any]:
        task: dict[str, Any] = self._engine.requester.request("supervisor", "show_active_task", track=False)
        return task

    def _apply(self, app: str) -> int:
        """Bring an app's database to the task's start; how many statements that took."""
        from appworld.apps.model_lib import apply_db_changes

        database = self._databases[app]
        database.tracker.reset()
        database.tracker.add_changes(apply_db_changes(database.connection, self._changes_of(app)))
        return len(database.tracker.changes)

    def _write_start(self, app: str, connection: Any) -> None:
        """The task's start again, in another database."""
        from appworld.apps.model_lib import apply_db_changes

        _copy(self._engine.base(app), connection)
        apply_db_changes(connection, self._changes_of(app))

    def _changes_of(self, app: str) -> str:
        return os.path.join(self._folder, "dbs", f"{app}.jsonl")

    def _save_databases(self, folder: str) -> None:
        from appworld.apps.api_lib import save_local_dbs

        save_local_dbs(
            from_db_home_path=f":memory:{_WORLD}",
            to_db_home_path=folder,
            format="changes",
            app_names=[*self._engine.apps, "admin"],
            delete_if_exists=True,
            save_model_hashes=True,
        )


class Client:
    """Sends requests to an ASGI application as starlette's test client does, in this thread."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._loop = asyncio.new_event_loop()
        self._owner = os.getpid()

    def get(self, url: str, params: Any = None, headers: Any = None) -> Any:
        return self._request("GET", url, headers, params=params)

    def delete(self, url: str, params: Any = None, headers: Any = None) -> Any:
        return self._request("DELETE", url, headers, params=params)

    def post(self, url: str, json: Any = None, data: Any = None, headers: Any = None) -> Any:
        return self._request("POST", url, headers, json=json, data=data)

    def put(self, url: str, json: Any = None, headers: Any = None) -> Any:
        return self._request("PUT", url, headers, json=json)

    def patch(self, url: str, json: Any = None, headers: Any = None) -> Any:
        return self._request("PATCH", url, headers, json=json)

    def __exit__(self, *_: object) -> None:
        """AppWorld closes its clients with its worlds."""

    def _request(self, method: str, url: str, headers: Any, **content: Any) -> Any:
        import httpx

        kept = {name: value for name, value in content.items() if name != "params"}  # they are in a redirect's location
        request = httpx.Request(method, f"http://testserver/{url}", headers=headers, **content)
        body = request.read()
        raw, _, query = request.url.raw_path.partition(b"?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": request.url.path,
            "raw_path": raw,
            "query_string": query,
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.headers.raw],
            "client": ("testclient", 50000),
            "server": ("testserver", 80),
            "state": {},
        }
        sent: list[Any] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)

        if self._owner != os.getpid():  # two processes on one loop would take each other's events
            self._loop, self._owner = asyncio.new_event_loop(), os.getpid()
        self._loop.run_until_complete(self._app(scope, receive, send))
        response = httpx.Response(
            sent[0]["status"],
            headers=sent[0]["headers"],
            content=b"".join(message.get("body", b"") for message in sent[1:]),
            request=request,
        )
        if response.status_code == 307:  # starlette's only one: the same path without its last slash
            return self._request(method, response.headers["location"].split("/", 3)[3], headers, **kept)
        return response


_NOT_FOUND = "API not found or some of the passed parameters are invalid."
"""AppWorld's words for a path that leads nowhere."""


def _escapes(app: str, api: str, arguments: Mapping[str, Any]) -> bool:
    """True when an argument that becomes part of the path would lead to another route than the API's own."""
    from appworld.requester import _get_api_name_to_doc

    path = _get_api_name_to_doc(app, include_private_apis=True)[api]["path"]
    parts = [str(value) for name, value in arguments.items() if "{" + name + "}" in path]
    return any(set(part) & set("/\\?#%") or part.strip() in (".", "..") for part in parts)


def _various(data: str, most: int) -> list[str]:
    """Tasks of the training split whose references differ in the APIs they call, as far as there are any."""
    try:
        with open(os.path.join(data, "datasets", "train.txt"), encoding="utf-8") as file:
            tasks = file.read().split()
        known: set[str] = set()
        found: list[str] = []
        for task in tasks:
            place = os.path.join(data, "tasks", task, "ground_truth", "required_apis.json")
            with open(place, encoding="utf-8") as file:
                needed = set(json.load(file))
            if len(needed - known) > len(needed) // 2 and len(found) < most:
                known |= needed
                found.append(task)
        return found
    except (OSError, ValueError):
        return []  # a release without references: the first calls of each child are slower, that is all


def _copy(path: str, connection: sqlite3.Connection) -> None:
    """Make a database what a file holds."""
    file = sqlite3.connect(path)
    try:
        file.backup(connection)
    finally:
        file.close()


def _database(app: str) -> Any:
    from appworld.common.utils import import_models_module

    return import_models_module(app).SQLModel.db


def _stay_in_this_thread() -> None:
    """Let endpoints and log-ins run where they are called: a forked child has no other thread, and one is enough."""
    import anyio.to_thread
    import fastapi_login  # loads, with the apps, all that hold the names
    import starlette.concurrency

    async def here(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    away = {"run_in_threadpool": starlette.concurrency.run_in_threadpool, "run_sync": anyio.to_thread.run_sync}
    for module in [*sys.modules.values(), fastapi_login.fastapi_login]:
        for name, other in away.items():
            if getattr(module, name, None) is other:
                setattr(module, name, here)
