"""What this machine offers for running model-written code, which tier that gives, and what to do for more."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import subprocess
import sys
from dataclasses import dataclass

from prowess.sandbox import landlock, seccomp
from prowess.sandbox.syscalls import MACHINES

MONTY = "1.4.0"
"""The release of pydantic-monty that the fallback is written for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What the sandbox found here."""

    system: str
    """Operating system and machine, such as `Linux x86_64`."""
    landlock: int
    """Version of the kernel's Landlock interface, 0 for none."""
    seccomp: bool
    """True when system-call filters can be installed on this machine."""
    namespaces: tuple[str, ...]
    """Namespaces the kernel grants this user."""
    monty: str
    """Installed version of pydantic-monty, or nothing."""
    tier: str
    """What `kind = "auto"` picks: jail, monty or refuse."""
    reason: str
    """Why."""
    hints: tuple[str, ...] = ()
    """What to do for what is missing."""


def capabilities() -> Capabilities:
    """Look at this machine. Takes a few milliseconds."""
    linux = sys.platform == "linux" and os.uname().machine in MACHINES
    system = f"{os.uname().sysname} {os.uname().machine}" if hasattr(os, "uname") else sys.platform
    abi = landlock.version() if linux else 0
    filters = linux and seccomp.supported()
    granted = _granted() if linux else ()
    monty = monty_version()
    missing = missing_for_jail(linux=linux, abi=abi, filters=filters)
    if not missing:
        tier, reason = "jail", "Landlock and seccomp are there"
    elif monty == MONTY:
        tier, reason = "monty", f"no jail here ({missing}); pydantic-monty {MONTY} is installed"
    else:
        tier, reason = "refuse", f"no jail here ({missing}) and pydantic-monty {MONTY} is not installed"
    return Capabilities(
        system=system,
        landlock=abi,
        seccomp=filters,
        namespaces=granted,
        monty=monty,
        tier=tier,
        reason=reason,
        hints=tuple(_hints(linux=linux, abi=abi, filters=filters, granted=granted, monty=monty)),
    )


def missing_for_jail(*, linux: bool, abi: int, filters: bool) -> str:
    """What the jail lacks here, in words; nothing when it can run."""
    if not linux:
        return f"it needs Linux on {' or '.join(MACHINES)}"
    lacking = [name for name, there in (("Landlock", abi > 0), ("seccomp", filters)) if not there]
    return " and ".join(lacking) + " missing" if lacking else ""


def monty_version() -> str:
    """The installed version of pydantic-monty, or nothing."""
    try:
        return importlib.metadata.version("pydantic-monty")
    except importlib.metadata.PackageNotFoundError:
        return ""


def _granted() -> tuple[str, ...]:
    """Try namespaces in a process of its own, which ends at once."""
    here = os.path.dirname(os.path.abspath(__file__))
    code = (
        "import sys, types; jail = types.ModuleType('jail'); jail.__path__ = [sys.argv[1]]; "
        "sys.modules['jail'] = jail; from jail import namespaces; print(*namespaces.enter())"
    )
    tried = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-c", code, here], capture_output=True, text=True, timeout=20, check=False
    )
    return tuple(tried.stdout.split())


def _hints(*, linux: bool, abi: int, filters: bool, granted: tuple[str, ...], monty: str) -> list[str]:
    hints = []
    if linux and not abi:
        hints.append("Landlock: a kernel from 5.13 on with `landlock` among its security modules (lsm=landlock,...)")
    if linux and not filters:
        hints.append("seccomp: a kernel built with CONFIG_SECCOMP_FILTER, and a container that does not forbid it")
    if linux and not granted:
        hints.append(
            "namespaces (an extra): allow unprivileged user namespaces (sysctl "
            "kernel.apparmor_restrict_unprivileged_userns=0, or a container with --security-opt seccomp=unconfined)"
        )
    if (not linux or not abi or not filters) and monty != MONTY:
        hints.append("reduced Python without a jail: pip install 'prowess[monty]'")
    return hints
