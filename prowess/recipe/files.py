"""Recipes out of files: found by path or name, each laid over the one it extends, settings on top."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

from prowess.errors import RecipeError
from prowess.recipe.building import Location, Tree, build, merge
from prowess.recipe.checking import layer, option_layer, wrong
from prowess.recipe.kinds import cut, listed

T = TypeVar("T")

EXTENDS = "extends"


def read(cls: type[T], path: str | Path, sets: Sequence[str] = (), *, over: Mapping[str, Any] | None = None) -> T:
    """The recipe in a file, or the shipped one of that name, with `section.key=value` settings over it; `over` holds
    settings as values, by their dotted keys."""
    file = _find(Path(path), Path())
    return _assemble(cls, [*_file_layers(cls, file, ()), *_over(cls, over)], sets, source=str(file))


def parse(
    cls: type[T],
    text: str,
    sets: Sequence[str] = (),
    *,
    over: Mapping[str, Any] | None = None,
    source: str = "recipe",
    folder: str | Path = ".",
) -> T:
    """The recipe in a text; `source` names it in errors, `folder` is where `extends` is looked up."""
    return _assemble(cls, [*_layers(cls, text, source, Path(folder), ()), *_over(cls, over)], sets, source=source)


def _over(cls: type, settings: Mapping[str, Any] | None) -> list[Tree]:
    return [layer(cls, nested(settings), Location("settings"))] if settings else []


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings by their dotted keys as the tables that a recipe has.

    >>> nested({"evaluate.runs": 3, "evaluate.split": "dev", "seed": 1, "train": {"steps": 2}})
    {'evaluate': {'runs': 3, 'split': 'dev'}, 'seed': 1, 'train': {'steps': 2}}
    """
    tree: dict[str, Any] = {}
    for key, value in settings.items():
        for step in reversed(key.split(".")):
            value = {step: value}
        tree = merge(tree, value)
    return tree


def resolve(cls: type[T], table: Mapping[str, Any], sets: Sequence[str] = (), *, source: str = "recipe") -> T:
    """The recipe in a table that is already in memory."""
    return _assemble(cls, [layer(cls, table, Location(source))], sets, source=source)


def shipped() -> dict[str, Path]:
    """The recipes that come with the package or lie in `recipes/` here, by name."""
    package = Path(__file__).parent.parent
    folders = [package / "recipes", Path("recipes")]
    if (package.parent / "pyproject.toml").is_file():  # a checkout, not somebody's site-packages
        folders.insert(1, package.parent / "recipes")
    return {file.stem: file for folder in reversed(folders) for file in _recipes_in(folder)}


def _assemble(cls: type[T], layers: Sequence[Tree], sets: Sequence[str], *, source: str) -> T:
    tree: Tree = {}
    for above in [*layers, *(option_layer(cls, text) for text in sets)]:
        tree = merge(tree, above)
    built: T = build(cls, tree, Location(f"{source} with --set" if sets else source))
    return built


def _find(path: Path, folder: Path, source: str = "") -> Path:
    """The file meant by a path, or by the name of a shipped recipe; `source` is the recipe that extends it."""
    file, prefix = folder / path, f"{source}: cannot extend: " if source else ""
    try:
        if file.is_file():
            return file
    except OSError as error:  # a name that is too long
        raise RecipeError(f"{prefix}the recipe '{cut(str(file))}' cannot be read: {error.strerror}") from None
    ours = shipped()
    if str(path) in ours:
        return ours[str(path)]
    if file.is_dir():
        raise RecipeError(
            f"{prefix}the recipe '{file}' is a folder", hint=f"name a file in it: {listed(_recipes_in(file))}"
        )
    if file.exists():
        what = "a pipe" if file.is_fifo() else "a socket" if file.is_socket() else "a device"
        raise RecipeError(
            f"{prefix}the recipe '{file}' is {what}, not a file", hint="write it to a file, and name that"
        )
    by_name = {known.stem: str(known) for known in _recipes_in(file.parent)} | {name: name for name in ours}
    near = get_close_matches(path.stem, by_name, n=1)
    guess = f"did you mean '{by_name[near[0]]}'? " if near else ""
    raise RecipeError(f"{prefix}there is no recipe '{file}'", hint=f"{guess}known: {listed(ours)}, or a path")


def _recipes_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.glob("*.toml") if file.is_file())


def _file_layers(cls: type, file: Path, seen: tuple[Path, ...]) -> list[Tree]:
    """The layers of a file, what it extends first."""
    if (real := file.resolve()) in seen:
        loop = " -> ".join(step.name for step in (*seen[seen.index(real) :], real))
        raise RecipeError(f"recipes extend each other in a circle: {loop}", hint=f"remove one '{EXTENDS}' line")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        byte = f"0x{error.object[error.start]:02x}"
        raise RecipeError(
            f"{file}, line {line}: not UTF-8: {error.reason} {byte}", hint="TOML is UTF-8: save the file as that"
        ) from error
    except OSError as error:
        raise RecipeError(
            f"the recipe '{file}' cannot be read: {error.strerror or error}",
            hint="check who owns it and its permissions",
        ) from error
    return _layers(cls, text, str(file), file.parent, (*seen, real))


def _layers(cls: type, text: str, source: str, folder: Path, seen: tuple[Path, ...]) -> list[Tree]:
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number, or a nesting, beyond what Python reads
        raise _syntax(str(error), text, source) from error
    if EXTENDS not in table:
        return [layer(cls, table, Location(source))]
    parent = table.pop(EXTENDS)
    if not isinstance(parent, str):
        raise wrong(Location(source, (EXTENDS,)), parent, "the path of another recipe, as text")
    below = _file_layers(cls, _find(Path(parent), folder, source), seen)
    return [*below, layer(cls, table, Location(source))]


def _syntax(message: str, text: str, source: str) -> RecipeError:
    """TOML's complaint with the file, the line and what stands there."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.DOTALL)
    if found is None:
        return RecipeError(f"{source}: not TOML: {message}")
    lines = text.splitlines() or [""]
    number = int(found[2]) if found[2] else len(lines)
    line = lines[number - 1].strip() if number <= len(lines) else ""
    key, sign, _ = line.partition("=")
    hint = f"the line reads: {cut(line)}" if line else ""
    if sign and found[1] == "Invalid value":
        hint = f"the value of '{cut(key.strip())}' is none that TOML knows: text goes in quotes"
    return RecipeError(f"{source}, line {number}: not TOML: {found[1]}", hint=hint)
