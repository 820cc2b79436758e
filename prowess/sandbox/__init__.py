"""Where model-written code runs: never in the process that knows the answer.

One sandbox per run, one interpreter per episode:

    sandbox = open_sandbox(SandboxSettings())
    interpreter = sandbox.open(seed=7, now="2023-05-18T12:00:00")
    observation = interpreter.run("print(apis.notes.search(query='milk'))", call)
"""

from __future__ import annotations

from prowess.sandbox.machine import Capabilities, capabilities
from prowess.sandbox.settings import ApiCall, ApiFailure, Interpreter, Sandbox, SandboxSettings
from prowess.sandbox.tiers import open_sandbox

__all__ = [
    "ApiCall",
    "ApiFailure",
    "Capabilities",
    "Interpreter",
    "Sandbox",
    "SandboxSettings",
    "capabilities",
    "open_sandbox",
]
