"""From settings to a sandbox: the jail where it holds, the reduced Python with a notice, or a refusal."""

from __future__ import annotations

import os
import sys

from prowess.errors import SandboxError
from prowess.sandbox import landlock, seccomp
from prowess.sandbox.machine import MONTY, missing_for_jail, monty_version
from prowess.sandbox.settings import Sandbox, SandboxSettings
from prowess.sandbox.syscalls import MACHINES

_NOTICE = """\
prowess: NO JAIL: {why}
prowess: model-written code runs in pydantic-monty, a REDUCED PYTHON with few modules: skills that run
prowess: elsewhere may fail here, and figures are not comparable with those of the jail
"""


def open_sandbox(settings: SandboxSettings) -> Sandbox:
    """The sandbox that the settings ask for. Never falls back to running code unprotected."""
    if settings.kind == "unsafe":
        from prowess.sandbox.unsafe import Unsafe

        return Unsafe(settings)
    lacking = _lacking() if settings.kind != "monty" else "the recipe asks for sandbox.kind = 'monty'"
    if not lacking:
        from prowess.sandbox.jail import Jail

        return Jail(settings)
    if settings.kind == "jail":
        raise SandboxError(f"the jail cannot run here: {lacking}", hint="see `prowess doctor`")
    if monty_version() == MONTY:
        from prowess.sandbox.monty import MontySandbox

        sys.stderr.write(_NOTICE.format(why=lacking))
        return MontySandbox(settings)
    raise SandboxError(
        f"no sandbox for model-written code: the jail cannot run here ({lacking}) "
        f"and pydantic-monty {MONTY} is not installed",
        hint="pip install 'prowess[monty]' for a reduced Python, or run on Linux; see `prowess doctor`",
    )


def _lacking() -> str:
    linux = sys.platform == "linux" and os.uname().machine in MACHINES
    return missing_for_jail(linux=linux, abi=landlock.version() if linux else 0, filters=linux and seccomp.supported())
