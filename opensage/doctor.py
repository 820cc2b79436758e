"""What this machine can do, what is missing, and what to type to get it.

    opensage doctor

It is well when the default job can run: the embedded world, played in a sandbox, on a CPU. Whatever else is missing is
an option.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from packaging.requirements import Requirement
    from rich.console import Console

GIB = 2**30

PURPOSES = {
    "endpoint": "play with a served model",
    "embeddings": "retrieve skills by meaning",
    "monty": "a reduced sandbox where there is no jail",
    "bench": "compare with other sandboxes",
    "compare": "compare learning with TRL",
    "dev": "run the tests",
    "learn": "imitate and reinforce with a model of your own",
    "adamw8bit": "learn with an optimiser that remembers in 8 bits",
    "vllm": "play real models on a GPU with vLLM, in an environment of its own",
    "smollm2": "a small real model, SmolLM2-135M, out of a package",
    "skills": "keep skills for good: the store, its search and reviews",
    "serve": "let other agents call skills, over MCP",
    "tensorboard": "follow learning in TensorBoard",
    "trackio": "follow learning in trackio",
}
"""What each extra is for, in a few words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing looked at."""

    area: str
    what: str
    state: Literal["ok", "limited", "missing"]
    detail: str = ""
    remedy: str = ""
    """What to do, where something can be done."""
    needed: bool = False
    """True for what the default job cannot do without."""


def examine() -> tuple[Finding, ...]:
    """Look at everything. Nothing that goes wrong on the way stops the rest."""
    looks: tuple[tuple[str, str, Callable[[], Iterable[Finding]]], ...] = (
        ("machine", "python", _python),
        ("machine", "system", _system),
        ("machine", "cores", _cores),
        ("machine", "memory", _memory),
        ("machine", "disk", _disk),
        ("machine", "terminal", _terminal),
        ("sandbox", "tier", _sandbox),
        ("packages", "core", _packages),
        ("learning", "torch and GPU", _learning),
        ("worlds", "AppWorld", _appworld),
        ("extras", "extras", _extras),
    )
    return tuple(finding for area, what, look in looks for finding in _guarded(area, what, look))


def able(findings: Iterable[Finding]) -> bool:
    """True when the default job can run."""
    return not any(finding.needed and finding.state == "missing" for finding in findings)


def show(console: Console, findings: Sequence[Finding]) -> None:
    """The findings as a table, and below it the remedies, one per line to copy."""
    from rich.table import Table
    from rich.text import Text

    colours = {"ok": "green", "limited": "yellow", "missing": "dim"}
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("area", "what", "state"):
        table.add_column(heading, no_wrap=True)
    table.add_column("detail", overflow="fold")
    area = ""
    for finding in findings:
        if area and finding.area != area:
            table.add_section()
            table.add_row()
        bad = finding.needed and finding.state == "missing"
        state = Text(finding.state, style="bold red" if bad else colours[finding.state])
        table.add_row("" if finding.area == area else finding.area, finding.what, state, Text(finding.detail))
        area = finding.area
    console.print(table)
    remedies = [finding for finding in findings if finding.remedy]
    if remedies:
        console.print()
    for finding in remedies:
        # One whole line, however long, so that a command can be copied.
        console.print(Text(f"{finding.area} {finding.what}: {finding.remedy}"), soft_wrap=True)
    console.print()
    if able(findings):
        console.print(Text("The default job can run here", style="green"))
    else:
        lacking = ", ".join(f"{one.area} {one.what}" for one in findings if one.needed and one.state == "missing")
        console.print(Text(f"The default job cannot run here: {lacking}", style="bold red"))


def _guarded(area: str, what: str, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    try:
        return list(look())
    except Exception as error:  # noqa: BLE001 (a doctor does not faint)
        detail = f"could not be examined: {type(error).__name__}: {error}"
        needed = area == "sandbox"  # elsewhere the job may well run all the same
        return [Finding(area=area, what=what, state="missing" if needed else "limited", detail=detail, needed=needed)]


# ---------------------------------------------------------------------------------------------------------- machine


def _python() -> Iterator[Finding]:
    good = sys.version_info >= (3, 11)
    yield Finding(
        area="machine",
        what="python",
        state="ok" if good else "missing",
        detail=f"{platform.python_version()} at {sys.executable}",
        remedy="" if good else "install Python 3.11 or later",
        needed=True,
    )


def _system() -> Iterator[Finding]:
    linux = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")
    yield Finding(
        area="machine",
        what="system",
        state="ok" if linux else "limited",
        detail=f"{platform.system()} {platform.release()} {platform.machine()}",
        remedy="" if linux else "the jail needs Linux on x86_64 or aarch64: a container or a virtual machine will do",
    )


def _cores() -> Iterator[Finding]:
    given = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _first_line("/sys/fs/cgroup/cpu.max").split()
    capped = float(quota[0]) / float(quota[1]) if len(quota) == 2 and quota[0] != "max" else float(given)
    cap = f", capped at {capped:g}" if capped < given else ""
    yield Finding(area="machine", what="cores", state="ok", detail=f"{given}{cap}")


def _memory() -> Iterator[Finding]:
    total, free = _memory_bytes()
    tight = free < GIB
    yield Finding(
        area="machine",
        what="memory",
        state="limited" if tight else "ok",
        detail=f"{total / GIB:.1f} GiB, {free / GIB:.1f} GiB free",
        remedy="free some memory, or play with fewer workers" if tight else "",
    )


def _memory_bytes() -> tuple[int, int]:
    """What there is and what is free, within the container's limit if there is one."""
    lines = Path("/proc/meminfo").read_text().splitlines()
    rows = {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
    total, free = rows["MemTotal"], rows["MemAvailable"]
    limit, used = _first_line("/sys/fs/cgroup/memory.max"), _first_line("/sys/fs/cgroup/memory.current")
    if limit.isdigit() and used.isdigit():
        total, free = min(total, int(limit)), min(free, max(0, int(limit) - int(used)))
    return total, free


def _disk() -> Iterator[Finding]:
    here = Path.cwd()
    free = shutil.disk_usage(here).free
    writable = os.access(here, os.W_OK)
    yield Finding(
        area="machine",
        what="disk",
        state="missing" if not writable else "limited" if free < GIB else "ok",
        detail=f"{free / GIB:.1f} GiB free in {here}" + ("" if writable else ", which cannot be written to"),
        remedy="" if writable and free >= GIB else "run from a folder on a disk with room: runs are written there",
        needed=True,
    )


def _terminal() -> Iterator[Finding]:
    live = sys.stderr is not None and sys.stderr.isatty()
    detail = "live progress" if live else "none on stderr: progress is written line by line"
    yield Finding(area="machine", what="terminal", state="ok", detail=detail)


def _first_line(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


# ---------------------------------------------------------------------------------------------------------- sandbox


def _sandbox() -> Iterator[Finding]:
    from opensage.sandbox import capabilities

    found = capabilities()
    trouble = _trial() if found.tier != "refuse" else found.reason
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


def _trial() -> str:
    """Run a line of code the way an episode would; what went wrong, or nothing."""
    from opensage.errors import OpensageError
    from opensage.sandbox import SandboxSettings, open_sandbox

    try:
        sandbox = open_sandbox(SandboxSettings(warm=0, step_seconds=10))
        try:
            with closing(sandbox.open()) as interpreter:
                seen = interpreter.run("print(6 * 7)", lambda app, api, arguments: None)
        finally:
            sandbox.close()
    except OpensageError as error:
        return f"a trial failed: {error.message}"
    return "" if seen.text.strip() == "42" else f"a trial printed {seen.text.strip()[:80]!r} instead of 42"


# ---------------------------------------------------------------------------------------------------------- packages


def _requirements() -> list[Requirement]:
    from packaging.requirements import Requirement

    return [Requirement(text) for text in importlib.metadata.requires("opensage") or ()]


def _of_extra(requirements: Iterable[Requirement], extra: str) -> list[Requirement]:
    """What an extra asks for on this machine; the empty extra is the core."""
    return [
        one
        for one in requirements
        if (one.marker is None or one.marker.evaluate({"extra": extra}))
        and (not extra or (one.marker is not None and not one.marker.evaluate({"extra": ""})))
    ]


def _installed(requirement: Requirement) -> str:
    """The installed version, empty when it is missing."""
    return _version(requirement.name)


def weigh(requirements: Iterable[Requirement], installed: Callable[[Requirement], str]) -> tuple[str, str]:
    """The state of a set of requirements, and in words what is there and what is not."""
    words, good = [], []
    for one in requirements:
        version = installed(one)
        fits = bool(version) and one.specifier.contains(version, prereleases=True)
        good.append(fits)
        words.append(
            f"{one.name} {version or 'is missing'}" + ("" if fits or not version else f" is not {one.specifier}")
        )
    return ("ok" if all(good) else "limited" if any(good) else "missing"), ", ".join(words)


def _packages() -> Iterator[Finding]:
    state, words = weigh(_of_extra(_requirements(), ""), _installed)
    yield Finding(
        area="packages",
        what="core",
        state="ok" if state == "ok" else "missing",
        detail=words,
        remedy="" if state == "ok" else "pip install --upgrade opensage",
        needed=True,
    )


def _extras() -> Iterator[Finding]:
    requirements = _requirements()
    for name in importlib.metadata.metadata("opensage").get_all("Provides-Extra") or ():
        state, words = weigh(_of_extra(requirements, name), _installed)
        yield Finding(
            area="extras",
            what=name,
            state="ok" if state == "ok" else "limited" if state == "limited" else "missing",
            detail=f"{PURPOSES[name]}: {words}" if name in PURPOSES else words,
            remedy="" if state == "ok" else f"pip install 'opensage[{name}]'",
        )


# ---------------------------------------------------------------------------------------------------------- worlds


def _appworld() -> Iterator[Finding]:
    from opensage.errors import WorldError
    from opensage.worlds.appworld.inventory import inventory_of
    from opensage.worlds.appworld.place import SETUP, home, place_in

    place = place_in(home())
    found = inventory_of(place)
    if not (found.version or found.splits):
        detail = "not installed: the benchmark of the paper, played like the embedded world"
        yield Finding(area="worlds", what="AppWorld", state="missing", detail=detail, remedy=SETUP)
        return
    splits = ", ".join(f"{split} {count}" for split, count in found.splits.items())
    detail = f"{found.version or 'not installed'} in {home()}; data: {splits or 'none'}"
    if found.splits:
        detail += f"; official evaluation of {found.official}, by replay of {found.replay} of {found.tasks} tasks"
    try:
        place.check()
        trouble = "" if found.apps else "its apps are not unpacked"
    except WorldError as problem:
        trouble = problem.message
    yield Finding(
        area="worlds",
        what="AppWorld",
        state="limited" if trouble else "ok",
        detail=f"{detail}; {trouble}" if trouble else detail,
        remedy=SETUP if trouble else "",
    )


# ---------------------------------------------------------------------------------------------------------- learning


def _learning() -> Iterator[Finding]:
    torch = _version("torch")
    yield Finding(
        area="learning",
        what="torch",
        state="ok" if torch else "missing",
        detail=torch or "not installed: playing and evaluating do without",
        remedy="" if torch else "pip install 'opensage[learn]'",
    )
    gpus = _printed("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader", seconds=20).splitlines()
    if not gpus:
        detail = "none found: small models learn on the CPU"
        yield Finding(area="learning", what="GPU", state="missing", detail=detail)
        return
    # Importing torch takes seconds and may fail in its own ways, so it is asked in a process of its own.
    code = "import torch; print(torch.cuda.device_count())"
    seen = _printed(sys.executable, "-c", code, seconds=120).strip() if torch else ""
    usable = seen.isdigit() and int(seen) > 0
    yield Finding(
        area="learning",
        what="GPU",
        state="ok" if usable else "limited",
        detail="; ".join(gpus) + ("" if usable else " (torch does not see it)" if torch else " (needs torch)"),
        remedy=""
        if usable or not torch
        else "install the build of torch for this machine's driver: https://pytorch.org",
    )


def _version(package: str) -> str:
    """The version of a package that is installed, or nothing."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _printed(*command: str, seconds: float) -> str:
    """What a command prints; nothing when it is not there, fails or takes too long."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return run.stdout
