"""Skills as MCP tools, read from the store whenever they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import anyio
import anyio.to_thread
from fastmcp.exceptions import ToolError
from fastmcp.server.providers import Provider
from fastmcp.tools import Tool
from fastmcp.tools.base import ToolResult
from fastmcp.utilities.versions import VersionSpec
from mcp_types import TextContent, ToolAnnotations
from pydantic import Field, PrivateAttr

from prowess.errors import ProwessError
from prowess.store.db import Store
from prowess.store.exchange.naming import LONGEST, function_names
from prowess.store.exchange.script import closure_in
from prowess.store.record import Effect, Status
from prowess.store.search import Query, SearchSettings
from prowess.store.search.search import Search
from prowess.store.search.smoke import Smoke
from prowess.store.serve.calls import Caller, CallFailed, Result
from prowess.store.serve.ground import Ground
from prowess.store.serve.settings import ServeSettings
from prowess.store.serve.telling import about, described, name_of, shown, untellable
from prowess.store.standing import Entry
from prowess.text.terminal import safe, say
from prowess.types import Json

PATIENCE = 20.0
"""Seconds that a list waits for skills to be tried: those that take longer are in a later one."""
REASON = 2000
"""The longest reason why there is no answer, in characters, besides what the skill printed."""

Threads = Callable[[Callable[[], Any]], Any]
"""Runs a function in a thread and waits for it."""


class SkillTool(Tool):
    """One skill as a tool."""

    _entry: Entry = PrivateAttr()
    _call: Any = PrivateAttr()

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        return result_of(self._entry, await self._call(self._entry, arguments))


class Skills(Provider):
    """The active skills of a store: a tool each, or a search and a call where there are too many."""

    def __init__(self, store: Store, ground: Ground, settings: ServeSettings, smoke: Smoke | None = None) -> None:
        super().__init__()
        self._store, self._ground, self._settings, self._smoke = store, ground, settings, smoke
        self._caller = Caller(store, ground, result_chars=settings.result_chars)
        self._refusals: dict[str, str] = {}
        """What was found of each version that was asked for: it holds as long as the server runs."""
        self._trying = anyio.CapacityLimiter(1)
        self._search = Search(
            store, SearchSettings(top=settings.found, tokens=10**9, threshold=0.0, masked=0.0, probation=False)
        )
        self._limiter = anyio.CapacityLimiter(settings.at_once)
        self._wide = (
            Tool.from_function(self.search_skills, output_schema=None),
            Tool.from_function(self.call_skill, output_schema=None),
        )

    def close(self) -> None:
        """Give back the world and what skills were tried in."""
        self._caller.close()
        if self._smoke is not None:
            self._smoke.close()

    async def _list_tools(self) -> Sequence[Tool]:
        entries = await anyio.to_thread.run_sync(self._few)
        if entries is None:
            return self._wide
        names = function_names({entry.id: entry.version.name for entry in entries})
        await self._tried(entries)
        return [self._tool(entry, names[entry.id]) for entry in entries if self._refusals.get(entry.digest) == ""]

    async def _get_tool(self, name: str, version: VersionSpec | None = None) -> Tool | None:
        found = await self._list_tools()
        for tool in found:
            if tool.name == name:
                return tool
        try:  # an old name, or one of too many to list
            entry = await anyio.to_thread.run_sync(self._active, name)
        except ToolError:
            return None
        return self._tool(entry, name)

    def _few(self) -> tuple[Entry, ...] | None:
        """The active skills, or None where they are too many for a tool each."""
        most = self._settings.tools
        found = self._store.entries(statuses=[Status.ACTIVE], namespace=self._settings.namespace, limit=most + 1)
        return found if len(found) <= most else None

    async def _tried(self, entries: Sequence[Entry]) -> None:
        """Have skills tried as far as that is done soon; it goes on meanwhile, one list after the other."""
        untried = [entry for entry in entries if entry.digest not in self._refusals]

        def tried() -> None:
            for entry in untried:
                self._refusal(entry)

        if untried:
            with anyio.move_on_after(PATIENCE):
                await anyio.to_thread.run_sync(tried, limiter=self._trying, abandon_on_cancel=True)

    def _refusal(self, entry: Entry) -> str:
        """Why an active skill is not served here; told once to whoever runs the server."""
        if entry.digest in self._refusals:
            return self._refusals[entry.digest]
        why = untellable(entry) or self._missing(entry)
        if not why and self._smoke is not None:
            why = self._smoke.refusal(entry)
        if self._refusals.setdefault(entry.digest, why) and why:
            say(f"prowess: '{entry.version.name[:LONGEST]}' is not served: {why}")
        return why

    def _missing(self, entry: Entry) -> str:
        """That a skill needs a world, where this server has none."""
        if self._ground.shared:
            return ""
        versions = closure_in(self._store, entry.digest)
        apis = sorted({api for version in versions for api in version.apis})
        return f"it calls {', '.join(apis)}, and this server has no world (start it with --task ID)" if apis else ""

    def _active(self, name: str) -> Entry:
        try:
            entry = self._store.resolve(name, self._settings.namespace)
        except ProwessError as error:
            raise ToolError(_reason(str(error), REASON)) from None
        wrong_world = self._settings.namespace not in (None, entry.namespace)
        if entry.status is not Status.ACTIVE or wrong_world:
            raise ToolError(f"'{name}' is not served: it is {'of another world' if wrong_world else entry.status}")
        return entry

    def _tool(self, entry: Entry, name: str) -> SkillTool:
        effect = entry.version.effect
        tool = SkillTool(
            name=name,
            description=described(entry),
            parameters=shown(entry.version.schema) or {"type": "object"},
            annotations=ToolAnnotations(
                read_only_hint=effect in (Effect.PURE, Effect.READ),
                destructive_hint=effect is Effect.IRREVERSIBLE,
                open_world_hint=False,
            ),
            meta={"prowess": about(entry)},
        )
        tool._entry, tool._call = entry, self._called
        return tool

    async def _called(self, entry: Entry, arguments: Mapping[str, Json]) -> Result:
        def call() -> Result:
            if why := self._refusal(entry):
                raise CallFailed(f"'{entry.version.name[:LONGEST]}' is not served: {why}")
            return self._caller(entry, arguments)

        try:
            result: Result = await anyio.to_thread.run_sync(call, limiter=self._limiter, abandon_on_cancel=True)
        except CallFailed as failure:
            raise ToolError(_reason(str(failure), REASON + self._settings.result_chars)) from None
        return result

    async def search_skills(
        self, query: Annotated[str, Field(description="What is to be done, in words", max_length=2000)]
    ) -> ToolResult:
        """Find skills that fit a task, best first: their names, what they take and what they do."""
        asked = Query(instruction=query, namespace=self._settings.namespace)
        offer = await anyio.to_thread.run_sync(self._search, asked, self._refusal)
        best = sorted((hit for hit in offer.offered if not hit.called_by), key=lambda hit: hit.rank)
        found = [hit.entry for hit in best if hit.entry.status is Status.ACTIVE]
        answer = [
            {
                **about(entry),
                "name": name_of(entry),
                "summary": safe(entry.version.summary),
                "schema": shown(entry.version.schema),
            }
            for entry in found[: self._settings.found]
        ]
        return ToolResult(structured_content={"result": answer})

    async def call_skill(
        self,
        name: Annotated[str, Field(description="As `search_skills` tells it")],
        arguments: Annotated[dict[str, Any] | None, Field(description="By name, as its schema says")] = None,
    ) -> ToolResult:
        """Call a skill by its name, with arguments that fit its schema."""
        entry = await anyio.to_thread.run_sync(self._active, name)
        return result_of(entry, await self._called(entry, arguments or {}))


def result_of(entry: Entry, result: Result) -> ToolResult:
    content = [TextContent(type="text", text=result.text)]
    if result.printed:
        content.append(TextContent(type="text", text=f"It printed:\n{result.printed}"))
    return ToolResult(
        content=content,
        structured_content={"result": result.value} if result.whole else None,
        meta={"prowess": {"digest": entry.digest}},
    )


def _reason(text: str, most: int) -> str:
    """Why there is no answer, as a client may read it: it may quote what a skill's author wrote."""
    words = safe(text)
    return words if len(words) <= most else f"{words[:most]}\n... (cut after {most} characters)"
