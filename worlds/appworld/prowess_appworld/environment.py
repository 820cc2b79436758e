"""AppWorld's own virtual environment: made, filled with the pinned package, and its apps unpacked."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from prowess.errors import ProwessError, RecipeError, WorldError
from prowess_appworld.errands import MIB, told, want_room
from prowess_appworld.inventory import apps_unpacked
from prowess_appworld.place import MANIFEST, VERSION, Installation, installed_package, installed_version, manifest_of

OLDEST, NEWEST = (3, 11), (3, 13)
"""Pythons that AppWorld's pins install and run on: pydantic 1 and uvloop 0.21 end there."""
ENVIRONMENT_MB = 400
"""Room wanted for the environment."""
INSTALL_SECONDS = 3600.0
_LOCK = Path(__file__).with_name("lock.txt")
"""The versions it was tested with, and the digests of their files."""
_TRIAL = "import appworld, appworld.apps.supervisor.apis; print(appworld.__version__)"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Interpreter:
    """A Python to make the environment with."""

    path: str
    version: str


def ensure_environment(place: Installation, *, python: str, force: bool, say: Callable[[str], None]) -> None:
    """Make the environment, unless it is there and good."""
    environment = place.environment
    there = environment.exists() or environment.is_symlink()
    manifest = manifest_of(environment)
    if there and not manifest and not environment.is_symlink() and any(environment.iterdir()):
        _adopt(place, force, say)
        return
    wanted = _interpreter(python) if python or force or not there else None
    if there and not force and not (trouble := _trouble(place, wanted)):
        say(f"environment: there already, {environment}")
        return
    if there:
        say(f"environment: made anew, {'as asked' if force else trouble}")
    _make(place, wanted or _interpreter(""), say)


def _adopt(place: Installation, force: bool, say: Callable[[str], None]) -> None:
    """An environment that set-up did not make is used if it will do, and never deleted."""
    trouble = "--force does not delete it" if force else _trouble(place, None) or _ailment(place.python)
    if trouble:
        raise WorldError(
            f"{place.environment} was not made by prowess: {trouble}", hint="delete it, or name another --home"
        )
    say(f"environment: {place.environment} is used as it is")


def _trouble(place: Installation, wanted: _Interpreter | None) -> str:
    """Why an environment will not do, by a look at its files; empty when it will."""
    environment, found = place.environment, installed_version(place.environment)
    manifest = manifest_of(environment)
    if manifest.get("whole") is False:
        return "its set-up was not finished"
    if not place.python.is_file():
        return "its interpreter is gone"
    if wanted and "python" in manifest and manifest["python"] != wanted.version:
        return f"it has Python {manifest['python']}, asked for is {wanted.version}"
    if found != VERSION:
        return f"it holds AppWorld {found}, wanted is {VERSION}" if found else f"AppWorld {VERSION} is not in it"
    return "" if apps_unpacked(environment) else "AppWorld's apps are not unpacked in it"


def _interpreter(given: str) -> _Interpreter:
    """The Python that was named, or the one running this; refused when AppWorld does not run on it."""
    path = given or str(getattr(sys, "_base_executable", None) or sys.executable)
    try:
        printed = told(path, "-I", "-c", "import sys; print(*sys.version_info[:3])", what=path, seconds=60)
        version = tuple(int(part) for part in printed.split())
    except (OSError, ProwessError, ValueError) as problem:
        raise RecipeError(f"{path} is no Python that starts ({problem})", hint="--python NAME or PATH") from None
    if not OLDEST <= version[:2] <= NEWEST:
        names = [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]
        raise RecipeError(
            f"AppWorld {VERSION} runs on Python {_dotted(OLDEST)} to {_dotted(NEWEST)}; {path} is {_dotted(version)}",
            hint=f"--python {next((name for name in names if shutil.which(name)), names[1])}",
        )
    return _Interpreter(path=path, version=_dotted(version))


def _make(place: Installation, interpreter: _Interpreter, say: Callable[[str], None]) -> None:
    """Begin with a manifest that says it is not whole, and end with one that says it is."""
    environment = place.environment
    if environment.is_symlink():
        environment.unlink()
    elif environment.exists():
        (environment / MANIFEST).write_text('{"whole": false}\n')
        shutil.rmtree(environment)
    want_room(environment.parent, ENVIRONMENT_MB * MIB, "AppWorld's environment")
    environment.mkdir()
    (environment / MANIFEST).write_text('{"whole": false}\n')
    say(f"environment: making {environment} with Python {interpreter.version}")
    told(
        *(interpreter.path, "-I", "-m", "venv", environment),
        what="making the virtual environment",
        hint="the Python needs its venv module (on Debian: apt install python3-venv), or name another: --python",
        seconds=INSTALL_SECONDS,
    )
    say(f"environment: installing appworld {VERSION} with pip (about a minute)")
    told(
        *(place.python, "-I", "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"),
        *("--retries", "2", "--require-hashes", "--no-deps", "-r", _LOCK),
        what="pip install appworld",
        hint="pip needs a package index: the network, or one of your own (PIP_INDEX_URL, PIP_FIND_LINKS)",
        seconds=INSTALL_SECONDS,
    )
    say("environment: unpacking AppWorld's apps")
    told(
        *(place.python, "-I", "-m", "appworld.cli", "install"),
        what="appworld install",
        seconds=INSTALL_SECONDS,
        APPWORLD_CACHE=str(environment / "appworld"),
        APPWORLD_ROOT=str(environment / "appworld"),
    )
    apps = installed_package(environment) / "apps"
    told(place.python, "-I", "-m", "compileall", "-q", apps, what="compiling the apps", seconds=INSTALL_SECONDS)
    if ailment := _ailment(place.python):
        raise WorldError(f"AppWorld was installed and does not start: {ailment}", hint="prowess appworld setup --force")
    made = {"whole": True, "appworld": VERSION, "python": interpreter.version}
    (environment / MANIFEST).write_text(json.dumps(made) + "\n")


def _ailment(python: Path) -> str:
    """Why AppWorld cannot be imported; empty when it can."""
    try:
        printed = told(python, "-I", "-W", "ignore", "-c", _TRIAL, what="importing appworld", seconds=300).split()
    except ProwessError as problem:
        return problem.message
    return "" if printed and printed[-1] == VERSION else f"it says that it is {' '.join(printed)[:80]}"


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(str(part) for part in version)
