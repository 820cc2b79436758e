"""The sandbox: which tier this machine has, and whether it works."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from prowess.doctor.finding import Finding


def tier() -> Iterator[Finding]:
    from prowess.sandbox import capabilities

    found = capabilities()
    trouble = trial() if found.tier != "refuse" else found.reason
    yield Finding(
        area="sandbox",
        what="tier",
        state="missing" if trouble else "ok" if found.tier == "jail" else "limited",
        detail=f"{found.tier}: {trouble or found.reason}",
        remedy="; ".join(found.hints) if trouble or found.tier != "jail" else "",
        needed=True,
    )
    if found.tier == "jail":
        granted = ", ".join(found.namespaces)
        yield Finding(
            area="sandbox",
            what="jail",
            state="ok" if granted else "limited",
            detail=f"landlock {found.landlock}, seccomp, namespaces: {granted or 'none, the jail does without'}",
            remedy="; ".join(found.hints),
        )


def trial() -> str:
    """Run a line of code the way an episode would; what went wrong, or nothing."""
    from prowess.errors import ProwessError
    from prowess.sandbox import SandboxSettings, open_sandbox

    try:
        sandbox = open_sandbox(SandboxSettings(warm=0, step_seconds=10))
        try:
            with closing(sandbox.open()) as interpreter:
                seen = interpreter.run("print(6 * 7)", lambda app, api, arguments: None)
        finally:
            sandbox.close()
    except ProwessError as error:
        return f"a trial failed: {error.message}"
    return "" if seen.text.strip() == "42" else f"a trial printed {seen.text.strip()[:80]!r} instead of 42"
