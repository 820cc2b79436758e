"""Skills for any agent that speaks MCP: each active skill a typed tool, or a search and a call where there are many.

    settings.py   how a library is served
    ground.py     where calls run: an interpreter of the sandbox, or a task's world
    calls.py      one call of a skill: defined, called, its result read back, counted
    telling.py    what clients are told of a skill, made safe and short
    tools.py      skills as MCP tools, read from the store each time they are listed
    server.py     make_server, serve_stdio, serve_http

Tools are read from the store whenever they are listed or called: what is retired is gone from the next list on.
"""

from prowess.store.serve.ground import Executor, Ground, in_sandbox, in_world
from prowess.store.serve.settings import ServeSettings

__all__ = ["Executor", "Ground", "ServeSettings", "in_sandbox", "in_world"]
