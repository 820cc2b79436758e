"""Worlds come in by one door: entry points of the group `prowess.worlds`.

A package names what it brings in its pyproject.toml, and so does ours:

    [project.entry-points."prowess.worlds"]
    pantry = "pantry.plugin:WORLD"

`pantry.plugin` is a light module: it imports its settings, and what is heavy inside functions. It is imported once
somebody asks for the world:

    WORLD = WorldPlugin(settings=PantrySettings, suite=suite, expert=expert, commands=Commands(...))

From then on `suite.name = "pantry"` plays it, and `[suite.pantry]` holds its settings. A world that is in no package
is named as `suite.name = "module:attribute"`: a `WorldPlugin`, whose settings are `[suite.options]`, or a function of
`(settings, sandbox)` that returns a suite and finds that table in `settings.options`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

from prowess.errors import RecipeError, told
from prowess.recipe import named
from prowess.types import Json, Policy, Suite
from prowess.worlds.expert import ExpertSettings

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    import typer

    from prowess.sandbox import Sandbox

GROUP = "prowess.worlds"
"""The group of entry points."""
DEFAULT_GROUP = "prowess.default_world"
"""The group with one entry point: the world of a recipe that names none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """A line of `prowess doctor` about a world."""

    state: Literal["ok", "limited", "missing"]
    detail: str = ""
    remedy: str = ""
    """What to do, where something can be done."""
    what: str = ""
    """What the line is about; empty for the world's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commands:
    """The commands `prowess NAME ...` of a world."""

    help: str
    """What they are for, in a line: the help of `prowess` shows it without importing them."""
    app: Callable[[], typer.Typer]
    """Imports them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldPlugin:
    """What a package brings, so that its world is played, taught and asked about like any other."""

    settings: type[Any]
    """A frozen dataclass: the section `[suite.NAME]`, parsed as strictly as the rest of a recipe."""
    suite: Callable[[Any, Sandbox], Suite]
    """Makes the suite from these settings and a sandbox."""
    expert: Callable[[Any, ExpertSettings], Policy] | None = None
    """Makes the policy `expert`, from these settings and those of `[expert]`. `collect` and `teach` need one."""
    lesson: Callable[[Any, int], Any] | None = None
    """The settings that a round of teaching (1, 2 ...) plays with: new people and values, if there can be any."""
    imports: tuple[str, ...] = ()
    """The imports that the world has run before the agent's first block. Skills rely on them."""
    commands: Commands | None = None
    health: Callable[[], Iterable[Health]] | None = None
    """What `prowess doctor` says about the world; without it, that the world is there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a function is given that makes a suite and is in no package."""

    options: Mapping[str, Json] = field(default_factory=dict)
    """The table `[suite.options]`."""


def default() -> str:
    """The world of a recipe that names none."""
    chosen = _entries(DEFAULT_GROUP)
    if len(chosen) > 1:
        said = ", ".join(f"{name} ({_package(entries[0])})" for name, entries in sorted(chosen.items()))
        raise RecipeError(f"several packages name a default world: {said}", hint="uninstall all of them but one")
    return min(chosen or _entries(), default="")


def names() -> tuple[str, ...]:
    """The registered worlds, the default first."""
    return tuple(sorted(_entries(), key=lambda name: (name not in _entries(DEFAULT_GROUP), name)))


def package(name: str) -> str:
    """The package that registers a world, with its version: `prowess 0.1.0`."""
    return ", ".join(_package(entry) for entry in _entries()[name])


@cache
def world_named(name: str) -> WorldPlugin:
    """A registered world, or somebody's own as `module:attribute`. It is imported now."""
    if name not in _entries():
        return _own(name)
    if len(_entries()[name]) > 1:
        raise RecipeError(
            f"several packages register a world '{name}': {package(name)}", hint="uninstall all of them but one"
        )
    (entry,) = _entries()[name]
    place = f"the world '{name}' ({entry.value} of {package(name)})"
    try:
        found = entry.load()
    except Exception as problem:
        raise RecipeError(f"{place} cannot be imported: {told(problem)}", hint=_mend(entry)) from problem
    if not isinstance(found, WorldPlugin):
        raise RecipeError(f"{place} is a {type(found).__name__}, not a WorldPlugin", hint=_mend(entry))
    return _checked(found, place)


def settings_of(name: str) -> type[Any]:
    """The settings class of a registered world."""
    return world_named(name).settings


def _own(name: str) -> WorldPlugin:
    found = named("suite", name, names())
    if isinstance(found, WorldPlugin):
        return _checked(found, f"suite '{name}'")
    if not callable(found):
        what = type(found).__name__
        raise RecipeError(f"suite '{name}' is a {what}, not a function", hint="name a function, or a WorldPlugin")
    return WorldPlugin(settings=Options, suite=found)


def _checked(world: WorldPlugin, place: str) -> WorldPlugin:
    if not (isinstance(world.settings, type) and is_dataclass(world.settings)):
        raise RecipeError(f"{place} has the settings {world.settings!r}; they must be a dataclass")
    return world


@cache
def _entries(group: str = GROUP) -> Mapping[str, Sequence[EntryPoint]]:
    """The entry points of each name; no module is imported."""
    from importlib.metadata import entry_points  # slow to import, and few commands ask

    found: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=group):
        found.setdefault(entry.name, []).append(entry)
    return found


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else "an unknown package"


def _mend(entry: EntryPoint) -> str:
    return f"mend or uninstall {entry.dist.name}" if entry.dist else ""
