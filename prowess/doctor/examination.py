"""Everything looked at, one thing after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from prowess.doctor import learning, machine, packages, sandbox, worlds
from prowess.doctor.finding import Finding


def examine(*, learn: bool = False) -> tuple[Finding, ...]:
    """Look at everything, or with `learn` at what learning needs. Nothing that goes wrong on the way stops the rest."""
    looks: tuple[tuple[str, str, Callable[[], Iterable[Finding]]], ...] = (
        ("machine", "python", machine.python),
        ("machine", "system", machine.system),
        ("machine", "cores", machine.cores),
        ("machine", "memory", machine.memory),
        ("machine", "disk", machine.disk),
        ("machine", "open files", machine.open_files),
        ("machine", "terminal", machine.terminal),
        ("sandbox", "tier", sandbox.tier),
        ("packages", "core", packages.core),
        ("learning", "torch and GPU", partial(learning.torch_and_gpu, needed=learn)),
        *((("learning", "packages", packages.learn),) if learn else ()),
        *(() if learn else (("worlds", "registered", worlds.worlds), ("extras", "extras", packages.extras))),
    )
    return tuple(finding for area, what, look in looks for finding in _guarded(area, what, look))


def _guarded(area: str, what: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(look())
    except Exception as error:  # noqa: BLE001 (a doctor does not faint)
        detail = f"could not be examined: {type(error).__name__}: {error}"
        needed = area == "sandbox"  # elsewhere the job may well run all the same
        return [Finding(area=area, what=what, state="missing" if needed else "limited", detail=detail, needed=needed)]
