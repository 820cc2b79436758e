"""The MCP server, in a process of its own, with a real client over standard input and output and over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import uvicorn
from clients import FIRST, GREET, active, http_server, in_memory, over_stdio
from fastmcp import Client
from fastmcp.client.transports import StreamableHttpTransport
from fastmcp.exceptions import ToolError
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings

from prowess.errors import RecipeError, SandboxError
from prowess.sandbox import SandboxSettings, open_sandbox
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.record import Actor, Status, Trial
from prowess.store.serve import Ground, ServeSettings, in_sandbox
from prowess.store.serve.calls import Caller, CallFailed
from prowess.store.serve.ground import Executor
from prowess.store.serve.impatience import impatient
from prowess.store.serve.server import Bearer, make_server
from prowess.types import Defining, Observation, Skill, Task

pytestmark = [pytest.mark.extra, pytest.mark.slow]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "skills.db") as store:
        yield store


def test_skills_are_typed_tools_over_stdio_and_every_call_is_counted(store: Store) -> None:
    digest = active(store, GREET)
    store.propose(skills_in("def waiting(): ...")[0], FIRST)

    async def ask(client: Client[Any]) -> None:
        (tool,) = await client.list_tools()
        assert tool.name == "greet"
        assert tool.input_schema["properties"]["times"] == {"type": "integer", "default": 1}
        assert tool.input_schema["properties"]["name"] == {"type": "string", "description": "whom to greet"}
        assert digest[:12] in (tool.description or "")
        assert "\x1b" not in (tool.description or "")
        assert "Greets somebody\\u202e." in (tool.description or "")
        assert tool.meta is not None
        assert tool.meta["prowess"]["digest"] == digest
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is True
        result = await client.call_tool("greet", {"name": 'Ada"\n\\', "times": 2})
        assert result.structured_content == {"result": 'Hello Ada"\n\\! Hello Ada"\n\\!'}
        assert "It printed:\ngreeting Ada" in result.content[1].text  # type: ignore[union-attr]
        for arguments, wrong in [
            ({"name": "Ada", "times": "2"}, "greet: times must be integer, not '2'"),
            ({"times": 2}, "greet: missing name"),
            ({"name": "Ada", "more": 1}, "greet: unknown more"),
        ]:
            with pytest.raises(ToolError, match=wrong):
                await client.call_tool("greet", arguments)
        assert (await client.call_tool("greet", {"name": "Bo"})).structured_content == {"result": "Hello Bo!"}
        with pytest.raises(ToolError, match="Unknown tool"):
            await client.call_tool("waiting", {})

    over_stdio(store, ask)
    usages = store.usages(digest)
    assert [(usage.called, usage.success, usage.error) for usage in usages] == [(1, True, ""), (1, True, "")]
    assert len({usage.episode for usage in usages}) == 2
    assert len({usage.run for usage in usages}) == 1
    assert usages[0].run.startswith("serve-")
    assert store.statistics(digest).called == 2
    assert store.rebuild(verify=True) == ()


BAD = """
def read_secret():
    return open("/etc/passwd").read()

def call_home():
    import socket
    return socket.create_connection(("127.0.0.1", 80))

def never():
    while True: pass

def leave():
    import os
    os._exit(3)

def flood():
    print("x" * 10_000_000)
    return "y" * 10_000_000

def poison():
    global print, greet
    import json
    json.dumps = json.loads = None
    print = None
    return 1

def strange():
    return {"nan": float("nan"), "half": "\\ud800", "set": {1}}

def loop():
    value = []
    value.append(value)
    return value

def broken():
    raise ValueError("no \\x1b[31mred")

def needs():
    return apis.mail.show_inbox()
"""


def test_a_hostile_skill_harms_neither_the_server_nor_the_next_call(store: Store, tmp_path: Path) -> None:
    digests = {skill.name: active(store, BAD, skill.name) for skill in skills_in(BAD)}
    greet = active(store, GREET)

    async def ask(client: Client[Any]) -> None:
        assert len(await client.list_tools()) == 10, "what needs a world is not listed"
        for name, wrong in [
            ("read_secret", "read_secret failed\n(.|\n)*(PermissionError|FileNotFoundError)"),
            ("call_home", "call_home failed"),
            ("never", "never failed(.|\n)*(3 seconds|timed out|time|interrupted)"),
            ("leave", "leave failed"),
            ("poison", "returned what JSON cannot hold|nothing that can be read"),
            ("loop", "returned what JSON cannot hold"),
            ("broken", "ValueError: no red"),
            ("needs", "^'needs' is not served: it calls mail.show_inbox, and this server has no world"),
        ]:
            with pytest.raises(ToolError, match=wrong) as caught:
                await client.call_tool(name, {})
            assert str(tmp_path) not in str(caught.value)
            assert "prowess/" not in str(caught.value)
            again = await client.call_tool("greet", {"name": "Ada"})
            assert again.structured_content == {"result": "Hello Ada!"}
        flood = await client.call_tool("flood", {})
        assert flood.structured_content is None
        assert all(len(part.text) < 600 for part in flood.content)  # type: ignore[union-attr]
        assert "(cut after 500 characters)" in flood.content[0].text  # type: ignore[union-attr]
        strange = await client.call_tool("strange", {})
        assert strange.structured_content == {"result": {"nan": "NaN", "half": "?", "set": "{1}"}}

    over_stdio(store, ask)
    assert store.usages(digests["broken"])[0].error == "ValueError: no red"
    assert store.statistics(digests["never"]).errors == 1
    assert store.statistics(greet).called == 8


def test_what_is_retired_while_the_server_runs_is_gone_and_a_new_version_takes_its_place(store: Store) -> None:
    first = active(store, GREET)
    stop = active(store, "def stop(): return 0")

    async def ask(client: Client[Any]) -> None:
        assert [tool.name for tool in await client.list_tools()] == ["greet", "stop"]
        store.move(stop, Status.RETIRED, actor=Actor.PERSON, who="ada")
        assert [tool.name for tool in await client.list_tools()] == ["greet"]
        with pytest.raises(ToolError, match="Unknown tool"):
            await client.call_tool("stop", {})
        second = active(
            store, GREET.replace("Hello", "Hi").replace("def greet", "def welcome"), of=store.version(first).id
        )
        store.version(second)
        (tool,) = await client.list_tools()
        assert tool.name == "welcome"
        assert (await client.call_tool("welcome", {"name": "Bo"})).structured_content == {"result": "Hi Bo!"}
        old = await client.call_tool("greet", {"name": "Bo"})  # an old name never breaks a caller
        assert old.structured_content == {"result": "Hi Bo!"}

    over_stdio(store, ask)


def test_a_large_library_is_searched_and_called(store: Store) -> None:
    greet = active(store, GREET)
    for n in range(3):
        active(store, f'def add_{n}(x: int, /):\n    """Adds {n} to a number."""\n    return x + {n}')
    active(store, "def idle(): return 1")
    store.move(store.resolve("idle").digest, Status.SUSPENDED, actor=Actor.PERSON, who="ada")

    async def ask(client: Client[Any]) -> None:
        assert [tool.name for tool in await client.list_tools()] == ["search_skills", "call_skill"]
        found = await client.call_tool("search_skills", {"query": "greet somebody politely"})
        assert found.structured_content is not None
        best = found.structured_content["result"][0]
        assert (best["name"], best["digest"]) == ("desk:greet", greet)
        assert best["schema"]["required"] == ["name"]
        result = await client.call_tool("call_skill", {"name": best["name"], "arguments": {"name": "Ada"}})
        assert result.structured_content == {"result": "Hello Ada!"}
        by_place = await client.call_tool("call_skill", {"name": "add_2", "arguments": {"x": 40}})
        assert by_place.structured_content == {"result": 42}
        with pytest.raises(ToolError, match="x must be integer"):
            await client.call_tool("call_skill", {"name": "add_2", "arguments": {"x": "40"}})
        with pytest.raises(ToolError, match="'idle' is not served: it is suspended"):
            await client.call_tool("call_skill", {"name": "idle"})
        with pytest.raises(ToolError, match=r"unknown skill 'gret'(.|\n)*did you mean 'greet'"):
            await client.call_tool("call_skill", {"name": "gret"})

    in_memory(store, ask, tools=2)


COUNT = """
def count(texts: list[str]) -> int:
    return len(texts)

def twice(texts: list[str]) -> int:
    return 2 * count(texts)
"""


def failing(store: Store) -> tuple[str, str, str]:
    """A skill that works, one whose recorded call does not come out again, and one that calls the latter."""
    greet = active(store, GREET)
    store.test(Trial(digest=greet, call="greet(name='Ada')", expected="Hello Ada!"))
    count = active(store, COUNT, "count")
    store.test(Trial(digest=count, call="count(texts=['a'])", expected=2))
    alone = replace(next(one for one in skills_in(COUNT) if one.name == "twice"), source=COUNT.split("\n\n")[1].strip())
    twice = store.propose(alone, FIRST, dependencies=[count]).digest
    for step in (Status.VERIFIED, Status.ACTIVE):
        store.move(twice, step, actor=Actor.PERSON, who="ada")
    return greet, count, twice


WHY = r"is not served: a recorded call does not come out again: count\(texts=\['a'\]\): returns 1 instead of 2"


def test_a_skill_that_fails_its_recorded_calls_is_not_listed_and_whoever_calls_it_is_told_why(store: Store) -> None:
    greet, count, twice = failing(store)

    async def ask(client: Client[Any]) -> None:
        assert [tool.name for tool in await client.list_tools()] == ["greet"]
        assert (await client.call_tool("greet", {"name": "Bo"})).structured_content == {"result": "Hello Bo!"}
        for name in ("count", "twice"):
            with pytest.raises(ToolError, match=f"'{name}' {WHY}"):
                await client.call_tool(name, {"texts": []})

    over_stdio(store, ask)
    assert [store.statistics(digest).called for digest in (greet, count, twice)] == [1, 0, 0]
    (told,) = store.verifications(count)
    assert (told.check, told.verdict) == ("smoke", "fail")
    known = store.path.with_name("skills.db.smoke.jsonl")
    assert len(known.read_text().splitlines()) == 2  # as a retriever would find it

    # the next server takes the file's word for it
    known.write_text(known.read_text().replace("returns 1 instead of 2", "as it is written"))

    async def again(client: Client[Any]) -> None:
        with pytest.raises(ToolError, match="as it is written"):
            await client.call_tool("count", {"texts": []})

    over_stdio(store, again)


def test_a_failing_skill_is_neither_found_nor_called_in_a_large_library(store: Store) -> None:
    failing(store)

    async def ask(client: Client[Any]) -> None:
        assert [tool.name for tool in await client.list_tools()] == ["search_skills", "call_skill"]
        found = await client.call_tool("search_skills", {"query": "greet somebody, count twice"})
        assert found.structured_content is not None
        assert [one["name"] for one in found.structured_content["result"]] == ["desk:greet"]
        with pytest.raises(ToolError, match=f"'count' {WHY}"):
            await client.call_tool("call_skill", {"name": "count", "arguments": {"texts": []}})

    over_stdio(store, ask, "--tools", "1")


def test_a_skill_of_another_world_is_not_tried_in_this_one(store: Store) -> None:
    digest = active(store, COUNT, "count", namespace="other")
    store.test(Trial(digest=digest, call="count(texts=['a'])", expected=2))

    async def ask(client: Client[Any]) -> None:
        assert (await client.call_tool("count", {"texts": ["a"]})).structured_content == {"result": 1}

    over_stdio(store, ask)
    assert store.verifications(digest) == ()


def test_calls_of_one_server_share_the_world_of_its_task(store: Store) -> None:
    write = active(
        store,
        """
def login(app):
    passwords = apis.supervisor.show_account_passwords()
    word = next(one["password"] for one in passwords if one["account_name"] == app)
    me = apis.supervisor.show_profile()
    return apis[app].login(username=me["email"], password=word)["access_token"]

def write_note(title: str, content: str) -> dict:
    return apis.notes.create_note(access_token=login("notes"), title=title, content=content)
""",
        "write_note",
    )
    active(
        store,
        """
def login(app):
    passwords = apis.supervisor.show_account_passwords()
    word = next(one["password"] for one in passwords if one["account_name"] == app)
    me = apis.supervisor.show_profile()
    return apis[app].login(username=me["email"], password=word)["access_token"]

def find_notes(query: str) -> list:
    return [note["title"] for note in apis.notes.search_notes(access_token=login("notes"), query=query)]
""",
        "find_notes",
    )

    async def ask(client: Client[Any]) -> None:
        await client.call_tool("write_note", {"title": "Zebra crossing", "content": "Left, then right."})
        found = await client.call_tool("find_notes", {"query": "Zebra"})
        assert found.structured_content == {"result": ["Zebra crossing"]}

    in_memory(store, ask, task="like_artist.0_1")
    assert store.usages(write)[0].task == "like_artist.0_1"


def status_of(url: str, headers: dict[str, str]) -> int:
    """What the server says to a bare POST."""
    request = Request(url, data=b"{}", headers={"Accept": "*/*", "Content-Type": "application/json", **headers})
    try:
        with urlopen(request, timeout=20) as answer:
            return int(answer.status)
    except HTTPError as refused:
        return refused.code


def test_each_call_gives_its_interpreter_back_whether_it_went_well_or_not(store: Store) -> None:
    active(store, "def half(n: int) -> float:\n    return 1 / n")
    opened: list[Executor] = []

    def place() -> Executor:
        opened.append(in_sandbox(sandbox).open())
        return opened[-1]

    with closing(open_sandbox(SandboxSettings(warm=1))) as sandbox:
        caller = Caller(store, Ground(open=place, shared=False), result_chars=500)
        assert caller(store.resolve("half"), {"n": 2}).value == 0.5
        with pytest.raises(CallFailed, match="division by zero"):
            caller(store.resolve("half"), {"n": 0})
        assert len(opened) == 2
        for one in opened:
            with pytest.raises(SandboxError, match="this interpreter is closed"):
                one.execute("print(1)")


def test_a_skill_does_nothing_to_the_world_before_it_is_called(store: Store) -> None:
    active(store, "def hasty(x=apis.supervisor.complete_task()) -> int:\n    return 1")
    sly = "def sly() -> int:\n    return 1\ntry:\n    apis.supervisor.complete_task()\nexcept Exception:\n    pass"
    active(store, "", skill=Skill(name="sly", source=sly))

    async def go(ground: Ground) -> None:
        async with Client(make_server(store, ground, ServeSettings()), timeout=60) as client:
            refused = "hasty does not load\n(.|\n)*APIs do not answer while functions are being defined"
            with pytest.raises(ToolError, match=refused):
                await client.call_tool("hasty", {})
            assert (await client.call_tool("sly", {})).structured_content == {"result": 1}
            assert not world.done

    with closing(open_sandbox(SandboxSettings(warm=1))) as sandbox:
        world = DeskSuite(DeskSettings(), sandbox).open(Task(id="like_artist.0_2", scenario="", instruction="Serve."))
        asyncio.run(go(Ground(open=lambda: world, shared=True)))
        with closing(in_sandbox(sandbox).open()) as place:
            assert isinstance(place, Defining)
            assert "APIs do not answer while functions are being defined" in place.define("apis.a.b()").text


def test_where_a_world_cannot_refuse_a_skill_that_acts_as_it_is_loaded_is_not_called(store: Store) -> None:
    class Open:
        ran: ClassVar[list[str]] = []

        def execute(self, code: str) -> Observation:
            self.ran.append(code)
            return Observation(text="Execution successful.", apis=("supervisor.complete_task",))

        def close(self) -> None: ...

    active(store, "def hasty(x=apis.supervisor.complete_task()) -> int:\n    return 1")

    async def go() -> None:
        async with Client(make_server(store, Ground(open=Open, shared=True), ServeSettings())) as client:
            with pytest.raises(ToolError, match=r"does not load: it calls supervisor\.complete_task as it is loaded"):
                await client.call_tool("hasty", {})

    asyncio.run(go())
    assert len(Open.ran) == 1


def test_http_needs_the_token_that_was_printed(store: Store) -> None:
    active(store, GREET)
    active(store, "import time\ndef nap(n: int):\n    time.sleep(1)\n    return n")
    with http_server(store) as (url, token):
        assert url.startswith("http://127.0.0.1:")
        assert len(token) >= 32
        for headers in (
            {},
            {"Authorization": "Bearer wrong"},
            {"Authorization": f"Bearer {token}x"},
            {"Authorization": token},
        ):
            assert status_of(url, headers) == 401
        # The right token from a page that a browser was lured to is still refused.
        lured = {"Authorization": f"Bearer {token}", "Origin": "http://evil.example", "Host": "evil.example"}
        assert status_of(url, lured) in (400, 403, 421)
        for name, value in (("Host", "evil.example"), ("Origin", "http://evil.example")):
            assert status_of(url, {"Authorization": f"Bearer {token}", name: value}) in (403, 421)

        async def ask() -> None:
            async with Client(StreamableHttpTransport(url, auth=token), timeout=60) as client:
                assert [tool.name for tool in await client.list_tools()] == ["greet", "nap"]
                result = await client.call_tool("greet", {"name": "Ada"})
                assert result.structured_content == {"result": "Hello Ada!"}
                began = asyncio.get_running_loop().time()
                results = await asyncio.gather(*(client.call_tool("nap", {"n": n}) for n in range(4)))
                assert [one.structured_content for one in results] == [{"result": n} for n in range(4)]
                assert asyncio.get_running_loop().time() - began < 3.5  # four naps of a second, at once
            with pytest.raises(Exception, match=r"error response|401"):
                async with Client(StreamableHttpTransport(url, auth="wrong"), timeout=60) as client:
                    await client.list_tools()

        asyncio.run(ask())


def test_half_of_a_request_is_not_waited_for_and_a_slow_call_is() -> None:
    async def go() -> None:
        async def app(scope: Any, receive: Any, send: Any) -> None:
            await receive()
            await asyncio.sleep(0.5)
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"late"})

        config = uvicorn.Config(app, port=0, http=impatient(0.2), lifespan="off", log_level="error")
        server = uvicorn.Server(config)
        task = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]

        async def answer(sent: bytes) -> bytes:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(sent)
            try:
                return await asyncio.wait_for(reader.read(), 5)
            finally:
                writer.close()

        head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
        whole, half = head + b"Content-Length: 2\r\n\r\nab", head + b"Content-Length: 2\r\n\r\na"
        assert await answer(b"") == b""
        assert await answer(head) == b""
        assert b"late" not in await answer(half)
        assert b"late" in await answer(whole)
        server.should_exit = True
        await task

    asyncio.run(go())


def test_a_token_is_right_or_wrong_as_a_whole() -> None:
    bearer = Bearer("a-token-of-some-length")
    for wrong in ("", "a-token-of-some-lengt", "a-token-of-some-length ", "A-token-of-some-length", "é\ud800"):
        assert asyncio.run(bearer.verify_token(wrong)) is None
    assert asyncio.run(bearer.verify_token("a-token-of-some-length")) is not None


def test_other_machines_are_let_in_with_a_token_only() -> None:
    for host in ("0.0.0.0", "::", "192.168.0.7", "example.org"):
        with pytest.raises(
            RecipeError, match=r"lets other machines in, so a token is needed\nhint: .*PROWESS_SERVE_TOKEN"
        ):
            ServeSettings(host=host)
        assert not ServeSettings(host=host, token="x" * 16).local
    for host in ("127.0.0.1", "::1", "localhost", "127.1.2.3"):
        assert ServeSettings(host=host).local
    with pytest.raises(RecipeError, match="at least 16 printable"):
        ServeSettings(token="short")


def test_names_of_two_worlds_do_not_meet(store: Store) -> None:
    for space in ("desk", "appworld"):
        digest = store.propose(Skill(name="f", source=f"def f(): return {space!r}"), FIRST, namespace=space).digest
        for step in (Status.VERIFIED, Status.ACTIVE):
            store.move(digest, step, actor=Actor.PERSON, who="ada")
    wanted = {f"f_{entry.id[:8]}": entry.namespace for entry in store.entries()}

    async def ask(client: Client[Any]) -> None:
        names = [tool.name for tool in await client.list_tools()]
        assert set(names) == set(wanted)
        for name in names:
            assert (await client.call_tool(name, {})).structured_content == {"result": wanted[name]}

    in_memory(store, ask)
