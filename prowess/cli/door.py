"""Which commands there are, in the order of the help; each is imported when it is given, or when help shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping
from contextlib import suppress
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from prowess.errors import ProwessError
from prowess.worlds import registry

OURS: Mapping[str, str] = {
    **dict.fromkeys(("collect", "evaluate", "work"), "prowess.cli.play"),
    **dict.fromkeys(("sft", "teach", "train", "learn", "ablate"), "prowess.cli.training"),
    **dict.fromkeys(("runs", "report", "show", "check", "recipe", "doctor"), "prowess.cli.inspection"),
    "init": "prowess.cli.beginning",
    "plan": "prowess.cli.planning",
}
"""Our commands, and the modules that have the functions."""

PANELS: Mapping[str, str] = {
    **dict.fromkeys(("collect", "evaluate", "work"), "Play"),
    **dict.fromkeys(("sft", "teach", "train", "learn", "ablate"), "Learn"),
    **dict.fromkeys(("runs", "show", "report"), "Look"),
    "skills": "Library",
    **dict.fromkeys(("init", "recipe", "check", "plan", "doctor"), "Set up"),
}
"""Where the help lists each command; those of worlds stand last, under their own title."""
WORLDS = "Worlds"


def _skills() -> typer.Typer:
    from prowess.cli.skills.commands import app

    return app


GROUPS = {
    "skills": registry.Commands(
        help="The skill store: look at skills, decide about them, keep and exchange them.", app=_skills
    )
}
"""Our groups of commands."""


class Doors(TyperGroup):
    """The commands of `prowess`: ours, those of each world, our groups."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = Deferred(_names, _made)

    def get_params(self, ctx: Any) -> Any:
        """Its own options; flags among them take no value, and show none."""
        return _plain(super().get_params(ctx))

    def get_command(self, ctx: Any, name: str) -> Any:
        """The same for those of a command."""
        if (command := super().get_command(ctx, name)) is not None:
            _plain(command.get_params(ctx))
        return command


class Door(TyperGroup):
    """A group whose help line is known before its commands are imported."""

    def __init__(self, name: str, commands: registry.Commands) -> None:
        super().__init__(name=name, help=commands.help)
        self._app = commands.app
        self.rich_help_panel = PANELS.get(name, WORLDS)
        self._group: TyperGroup | None = None
        self.commands = Deferred(lambda: self.group.commands, lambda command: self.group.commands[command])

    @property
    def group(self) -> TyperGroup:
        """The group itself, imported once."""
        if self._group is None:
            self._group = group = get_group(self._app())
            group.name, group.help = self.name, self.help
        return self._group

    def make_context(self, *given: Any, **named: Any) -> Any:
        """What follows is the business of the group itself, its own options, too."""
        if above := named.get("parent"):
            for command in (self.group, *self.group.commands.values()):
                _plain(command.get_params(above))
        return self.group.make_context(*given, **named)


def _plain(params: Any) -> Any:
    """Options of a command, for its help: a flag is not followed by the type of a value that nobody gives."""
    for one in params:
        if getattr(one, "is_flag", False) and one.metavar is None:
            one.metavar = ""
    return params


class Deferred(MutableMapping[str, Any]):
    """Commands by name, each made when it is first asked for."""

    def __init__(self, names: Callable[[], Iterable[str]], make: Callable[[str], Any]) -> None:
        self._names, self._make = names, make
        self._made: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._made[name] = command

    def __delitem__(self, name: str) -> None:
        del self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self._names(), *self._made]))

    def __len__(self) -> int:
        return len(list(iter(self)))


def _names() -> list[str]:
    """In the order of the panels, those of worlds last."""
    return [*PANELS, *(name for name in registry.names() if _commands_of(name))]


def _made(name: str) -> Any:
    if name in OURS:
        alone = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        alone.command(name, rich_help_panel=PANELS[name])(getattr(import_module(OURS[name]), name))
        return get_command(alone)
    if name in GROUPS:
        return Door(name, GROUPS[name])
    if name in registry.names() and (commands := registry.world_named(name).commands):
        return Door(name, commands)
    raise KeyError(name)


def _commands_of(name: str) -> registry.Commands | None:
    """The commands of a world; of one that cannot be imported none, and the doctor says why."""
    with suppress(ProwessError):
        return None if name in OURS or name in GROUPS else registry.world_named(name).commands
    return None
