"""Recipes: strict TOML read into frozen dataclasses, so that a typing mistake is an error and never a silent default.

Settings live beside what they configure; this module only knows how to read any of them. A recipe is built in layers,
each checked under its own name before the next is laid over it:

    the dataclass's defaults  <  the file named by `extends`  <  the file  <  each `--set section.key=value`

Tables are merged key by key; anything else, arrays included, is replaced. The complete result goes back to TOML with
`to_toml` and is written into the run.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import json
import math
import os
import re
import sys
import textwrap
import tomllib
import types
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from opensage.errors import RecipeError, unknown

T = TypeVar("T")

Tree = dict[str, Any]
"""A layer after checking: converted values by field name, a dict for each section, only what the layer mentions."""

EXTENDS = "extends"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One key of a recipe, described for people."""

    key: str
    """Dotted, as `--set` takes it."""
    type: str
    """What may be given, in words."""
    default: str
    """As TOML writes it; `none` for nothing, empty when the key must be given."""
    doc: str
    """The line under the field in the source."""


# ---------------------------------------------------------------------------------------------------------- reading


def read(cls: type[T], path: str | Path, sets: Sequence[str] = ()) -> T:
    """The recipe in a file, or the shipped one of that name, with `section.key=value` settings over it."""
    file = _find(Path(path), Path())
    return _assemble(cls, _file_layers(cls, file, ()), sets, source=str(file))


def parse(cls: type[T], text: str, sets: Sequence[str] = (), *, source: str = "recipe", folder: str | Path = ".") -> T:
    """The recipe in a text; `source` names it in errors, `folder` is where `extends` is looked up."""
    return _assemble(cls, _layers(cls, text, source, Path(folder), ()), sets, source=source)


def resolve(cls: type[T], table: Mapping[str, Any], sets: Sequence[str] = (), *, source: str = "recipe") -> T:
    """The recipe in a table that is already in memory."""
    return _assemble(cls, [_layer(cls, table, _Place(source))], sets, source=source)


def shipped() -> dict[str, Path]:
    """The recipes that come with the package or lie in `recipes/` here, by name."""
    package = Path(__file__).parent
    folders = [package / "recipes", Path("recipes")]
    if (package.parent / "pyproject.toml").is_file():  # a checkout, not somebody's site-packages
        folders.insert(1, package.parent / "recipes")
    return {file.stem: file for folder in reversed(folders) for file in sorted(folder.glob("*.toml"))}


def _assemble(cls: type[T], layers: Sequence[Tree], sets: Sequence[str], *, source: str) -> T:
    tree: Tree = {}
    for layer in [*layers, *(_option_layer(cls, text) for text in sets)]:
        tree = _merge(tree, layer)
    built: T = _build(cls, tree, _Place(f"{source} with --set" if sets else source))
    return built


def _find(path: Path, folder: Path, source: str = "") -> Path:
    """The file meant by a path, or by the name of a shipped recipe; `source` is the recipe that extends it."""
    file, prefix = folder / path, f"{source}: cannot extend: " if source else ""
    if file.is_file():
        return file
    ours = shipped()
    if str(path) in ours:
        return ours[str(path)]
    if file.is_dir():
        raise RecipeError(
            f"{prefix}the recipe '{file}' is a folder", hint=f"name a file in it: {_listed(file.glob('*.toml'))}"
        )
    beside = sorted(file.parent.glob("*.toml")) if file.parent.is_dir() else []
    by_name = {known.stem: str(known) for known in beside} | {name: name for name in ours}
    near = get_close_matches(path.stem, by_name, n=1)
    guess = f"did you mean '{by_name[near[0]]}'? " if near else ""
    raise RecipeError(f"{prefix}there is no recipe '{file}'", hint=f"{guess}known: {_listed(by_name.values())}")


def _file_layers(cls: type, file: Path, seen: tuple[Path, ...]) -> list[Tree]:
    """The layers of a file, what it extends first."""
    if (real := file.resolve()) in seen:
        loop = " -> ".join(step.name for step in (*seen[seen.index(real) :], real))
        raise RecipeError(f"recipes extend each other in a circle: {loop}", hint=f"remove one '{EXTENDS}' line")
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RecipeError(f"the recipe '{file}' cannot be read: {error}") from error
    return _layers(cls, text, str(file), file.parent, (*seen, real))


def _layers(cls: type, text: str, source: str, folder: Path, seen: tuple[Path, ...]) -> list[Tree]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _syntax(str(error), text, source) from error
    if EXTENDS not in table:
        return [_layer(cls, table, _Place(source))]
    parent = table.pop(EXTENDS)
    if not isinstance(parent, str):
        raise _wrong(_Place(source, (EXTENDS,)), parent, "the path of another recipe, as text")
    below = _file_layers(cls, _find(Path(parent), folder, source), seen)
    return [*below, _layer(cls, table, _Place(source))]


def _syntax(message: str, text: str, source: str) -> RecipeError:
    """TOML's complaint with the file, the line and what stands there."""
    found = re.fullmatch(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", message, re.DOTALL)
    if found is None:
        return RecipeError(f"{source}: {message}")
    lines = text.splitlines() or [""]
    number = int(found[2]) if found[2] else len(lines)
    line = lines[number - 1].strip() if number <= len(lines) else ""
    key, sign, _ = line.partition("=")
    hint = f"the line reads: {_cut(line)}" if line else ""
    if sign and found[1] == "Invalid value":
        hint = f"the value of '{_cut(key.strip())}' is none that TOML knows: text goes in quotes"
    return RecipeError(f"{source}, line {number}: not TOML: {found[1]}", hint=hint)


# ---------------------------------------------------------------------------------------------------------- checking


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value stands: the file or option it came from, and its key."""

    source: str
    path: tuple[str, ...] = ()

    def __truediv__(self, key: str) -> _Place:
        return _Place(self.source, (*self.path, key))

    @property
    def key(self) -> str:
        return ".".join(self.path)


@dataclass(frozen=True, slots=True)
class _Option:
    """A value from the command line: what TOML makes of it, and as it was typed (a text may look like a number)."""

    value: Any
    text: str


def _option_layer(cls: type, option: str) -> Tree:
    key, sign, text = option.partition("=")
    try:
        spot: Any = tomllib.loads(f"{key.strip()} = 0") if sign and "\n" not in key else {}
    except tomllib.TOMLDecodeError:
        spot = {}
    path: list[str] = []
    while isinstance(spot, dict) and len(spot) == 1:
        [(step, spot)] = spot.items()
        path.append(step)
    if spot != 0:
        raise RecipeError(f"cannot read the setting '{key}'", hint="write it as section.key=value")
    table: Any = _Option(_toml_value(text.strip()), text.strip())
    for step in reversed(path):
        table = {step: table}
    return _layer(cls, table, _Place("--set"))  # without the value, which may be a secret in the wrong place


def _toml_value(text: str) -> Any:
    """A TOML value, or the bare text where it is none."""
    try:
        table = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return table["value"] if len(table) == 1 else text


def _layer(cls: type, table: Mapping[str, Any], place: _Place) -> Tree:
    """Every key known, every value of its type; what is missing stays missing."""
    kinds = _kinds(cls)
    tree: Tree = {}
    for key, given in table.items():
        if key not in kinds:
            raise _unknown_key(cls, place / key, kinds)
        tree[key] = _convert(kinds[key], given, place / key)
    return tree


def _unknown_key(cls: type, place: _Place, kinds: Mapping[str, Any]) -> RecipeError:
    name = place.path[-1]
    hint = unknown("key", name, kinds).hint
    deeper = [entry.key for entry in describe(cls) if entry.key.endswith(f".{name}")]
    if deeper and not hint.startswith("did you mean"):
        hint = f"did you mean '{'.'.join([*place.path[:-1], deeper[0]])}'? {hint}"
    return RecipeError(f"{place.source}: unknown key '{place.key}'", hint=hint)


def _convert(kind: Any, given: Any, place: _Place) -> Any:
    """A TOML value as the field's type wants it; a section becomes a tree."""
    if isinstance(given, _Option):
        try:
            return _convert(kind, given.value, place)
        except RecipeError:
            if not _accepts(kind, given.text, place):
                raise
            return _convert(kind, given.text, place)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _convert_union(kind, given, place)
    if is_dataclass(kind) and isinstance(kind, type):
        if not isinstance(given, Mapping):
            raise _wrong(place, given, f"a section with {', '.join(_kinds(kind))}")
        return _layer(kind, given, place)
    if origin is Literal and any(type(given) is type(choice) and given == choice for choice in arguments):
        return given
    if origin is tuple and isinstance(given, list | tuple):
        return tuple(_whole(arguments[0], one, place / str(number)) for number, one in enumerate(given))
    if _is_mapping(kind):
        if not isinstance(given, Mapping):
            raise _wrong(place, given, _words(kind))
        return {str(key): _whole(arguments[1], one, place / str(key)) for key, one in given.items()}
    if kind is Any:
        return _free(given, place)
    if kind is float and type(given) is int and abs(given) < 2**1000:
        return float(given)
    if kind in (bool, int, float, str) and type(given) is kind and given == given:  # nan is no setting
        return given
    raise _wrong(place, given, _words(kind), choices=arguments if origin is Literal else ())


def _convert_union(kind: Any, given: Any, place: _Place) -> Any:
    members = [member for member in get_args(kind) if member is not types.NoneType]
    for member in members:
        if _accepts(member, given, place):
            return _convert(member, given, place)
    if given == "none" and _optional(kind):
        return None
    if len(members) == 1 and isinstance(given, Mapping | list):
        return _convert(members[0], given, place)  # fails, saying which key or element is wrong
    raise _wrong(place, given, _words(kind))


def _accepts(kind: Any, given: Any, place: _Place) -> bool:
    try:
        _convert(kind, given, place)
    except RecipeError:
        return False
    return True


def _whole(kind: Any, given: Any, place: _Place) -> Any:
    """An element of an array or table: a section there is complete in itself, since nothing is laid over it."""
    value = _convert(kind, given, place)
    return _build(kind, value, place) if is_dataclass(kind) and isinstance(kind, type) else value


def _free(given: Any, place: _Place) -> Any:
    """Any value JSON could hold."""
    if isinstance(given, _Option):
        return _free(given.value, place)
    if isinstance(given, Mapping):
        return {str(key): _free(one, place / str(key)) for key, one in given.items()}
    if isinstance(given, list | tuple):
        return [_free(one, place / str(number)) for number, one in enumerate(given)]
    if type(given) in (bool, int, str) or (type(given) is float and not math.isnan(given)):
        return given
    raise _wrong(place, given, "true or false, a number, text, an array or a table (a date goes in quotes)")


def _wrong(place: _Place, given: Any, allowed: str, choices: Sequence[Any] = ()) -> RecipeError:
    near = get_close_matches(str(given), [str(choice) for choice in choices], n=1)
    guess = f'did you mean "{near[0]}"? ' if near else ""
    return RecipeError(f"{place.source}: {place.key} cannot be {_shown(given)}", hint=f"{guess}allowed: {allowed}")


# ---------------------------------------------------------------------------------------------------------- building


def _merge(below: Tree, above: Tree) -> Tree:
    merged = dict(below)
    for key, value in above.items():
        lower = merged.get(key)
        merged[key] = _merge(lower, value) if isinstance(lower, dict) and isinstance(value, dict) else value
    return merged


def _build(cls: Any, tree: Tree, place: _Place, start: Any = None) -> Any:
    """The dataclass, from what the layers say over its own defaults (or over those its parent gives it)."""
    kinds = _kinds(cls)
    values = {}
    for field in _settable(cls):
        name, section = field.name, _section(kinds[field.name])
        said = tree.get(name, MISSING)
        default = _default(field) if start is None else getattr(start, name)
        if said is MISSING and default is MISSING and section and not _optional(kinds[name]):
            said = {}
        if said is MISSING and default is MISSING:
            raise RecipeError(
                f"{place.source}: the key '{(place / name).key}' is missing", hint=f"allowed: {_words(kinds[name])}"
            )
        if section and isinstance(said, dict):
            values[name] = _build(section, said, place / name, default if isinstance(default, section) else None)
        else:
            values[name] = default if said is MISSING else said
    try:
        return cls(**values)
    except RecipeError as error:
        where = f"{place.source}, section {place.key}" if place.path else place.source
        raise RecipeError(f"{where}: {error.message}", hint=error.hint) from error


@cache
def _settable(cls: Any) -> tuple[Field[Any], ...]:
    return tuple(field for field in fields(cls) if field.init)


@cache
def _kinds(cls: Any) -> dict[str, Any]:
    """The type of each key, checked once to be one that TOML can say."""
    hints = get_type_hints(cls)
    kinds = {field.name: hints[field.name] for field in _settable(cls)}
    for field in _settable(cls):
        _words(kinds[field.name])
        # TOML has no word for nothing: left out must mean None.
        if _optional(kinds[field.name]) and _default(field) is not None:
            raise TypeError(f"{cls.__name__}.{field.name} may be None and so must default to None")
    return kinds


def _default(field: Field[Any]) -> Any:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _optional(kind: Any) -> bool:
    return types.NoneType in get_args(kind)


def _section(kind: Any) -> type | None:
    """The dataclass behind a field, where it is a section."""
    for one in (kind, *(get_args(kind) if get_origin(kind) in (Union, types.UnionType) else ())):
        if isinstance(one, type) and is_dataclass(one):
            return one
    return None


def _is_mapping(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _words(kind: Any) -> str:
    """What a type allows, in words."""
    plain = {bool: "true or false", int: "a whole number", float: "a number", str: "text", Any: "any value"}
    if isinstance(kind, type) and is_dataclass(kind):
        return "a section"
    if kind in plain:
        return plain[kind]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return " or ".join(_shown(choice) for choice in arguments)
    if origin in (Union, types.UnionType):
        return " or ".join("none" if one is types.NoneType else _words(one) for one in arguments)
    if origin is tuple and len(arguments) == 2 and arguments[1] is Ellipsis:
        return f"an array, each {_words(arguments[0])}"
    if _is_mapping(kind):
        return "a table" if arguments[1] is Any else f"a table, each {_words(arguments[1])}"
    raise TypeError(f"a recipe cannot hold {kind}")


# ---------------------------------------------------------------------------------------------------------- writing


def to_toml(value: Any) -> str:
    """The complete recipe as TOML; what is None is left out. It reads back to an equal value."""
    import tomli_w

    try:
        text = tomli_w.dumps(_table(value))
        equal = resolve(type(value), tomllib.loads(text)) == value
    except (TypeError, ValueError, RecipeError) as error:
        raise RecipeError(f"this {type(value).__name__} cannot be written as TOML: {error}") from error
    if not equal:
        raise RecipeError(f"this {type(value).__name__} cannot be written as TOML: it reads back as another value")
    return text


def _table(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        pairs = ((field.name, getattr(value, field.name)) for field in _settable(type(value)))
        return {name: _table(one) for name, one in pairs if one is not None}
    if isinstance(value, Mapping):
        return {key: _table(one) for key, one in value.items()}
    return [_table(one) for one in value] if isinstance(value, list | tuple) else value


def _shown(value: Any) -> str:
    """A value on one line, much as TOML writes it."""
    return _cut(_inline(value))


def _inline(value: Any) -> str:
    if isinstance(value, _Option):
        return _inline(value.value)
    if value is None:
        return "none"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_inline(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(one) for one in value) + "]"
    return str(value)


def _cut(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else f"{text[: limit - 3]}..."


def _listed(names: Any) -> str:
    return ", ".join(sorted(str(name) for name in names)) or "none"


# ---------------------------------------------------------------------------------------------------------- describing


def describe(cls: type) -> list[Entry]:
    """Every key of a recipe with its type, default and the line under its field, sections after plain keys."""
    return _describe(cls, (), None)


def _describe(cls: Any, path: tuple[str, ...], start: Any) -> list[Entry]:
    kinds, docs = _kinds(cls), _docs(cls)
    plain: list[Entry] = []
    sections: list[Entry] = []
    for field in _settable(cls):
        here = (*path, field.name)
        default = _default(field) if start is None else getattr(start, field.name)
        section = _section(kinds[field.name])
        if section is not None:
            sections += _describe(section, here, default if isinstance(default, section) else None)
        else:
            shown = "" if default is MISSING else _inline(default)
            doc = docs.get(field.name, "")
            plain.append(Entry(key=".".join(here), type=_words(kinds[field.name]), default=shown, doc=doc))
    return plain + sections


@cache
def _docs(cls: type) -> dict[str, str]:
    """The first paragraph of the string under each field, found in the class's source."""
    found: dict[str, str] = {}
    for parent in reversed(cls.__mro__[:-1]):
        try:
            source = inspect.getsource(parent)
        except (OSError, TypeError):  # typed in by hand, or built in
            continue
        body = ast.parse(textwrap.dedent(source) if source[0].isspace() else source).body[0]
        assert isinstance(body, ast.ClassDef)
        for field, below in zip(body.body, body.body[1:], strict=False):
            match field, below:
                case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(value=ast.Constant(value=str(text))):
                    found[name] = " ".join(inspect.cleandoc(text).split("\n\n")[0].split())
    return found


# ---------------------------------------------------------------------------------------------------------- choosing


def lookup(what: str, name: str, table: Mapping[str, T]) -> T:
    """A choice by name: one of ours from a table, or somebody else's as `"module:function"`."""
    if name in table:
        return table[name]
    module_name, colon, attribute = name.partition(":")
    if not colon:
        plain = unknown(what, name, table)
        raise RecipeError(plain.message, hint=f'{plain.hint}, or "module:function" for your own')
    if not all(part.isidentifier() for part in [*module_name.split("."), *attribute.split(".")]):
        raise RecipeError(f"{what} '{name}' is not the name of a function", hint='write it as "module:function"')
    found: T = _imported(what, name, module_name, attribute)
    return found


def _imported(what: str, name: str, module_name: str, attribute: str) -> Any:
    if (here := os.getcwd()) not in sys.path and "" not in sys.path:
        sys.path.append(here)  # last, so that a file lying here never hides an installed package
    try:
        found: Any = importlib.import_module(module_name)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}."):
            raise RecipeError(
                f"{what} '{name}': there is no module '{error.name}'",
                hint=f"install it, or run from the folder that holds it (here: {here})",
            ) from error
        raise RecipeError(
            f"{what} '{name}': importing '{module_name}' failed: {type(error).__name__}: {error}"
        ) from error
    owner = module_name
    for part in attribute.split("."):
        if not hasattr(found, part):
            public = [known for known in vars(found) if not known.startswith("_")] if hasattr(found, "__dict__") else []
            near = get_close_matches(part, public, n=1)
            guess = f"did you mean '{near[0]}'?" if near else f"it has: {_cut(_listed(public), 200)}"
            raise RecipeError(f"{what} '{name}': '{owner}' has no '{part}'", hint=guess)
        found, owner = getattr(found, part), f"{owner}.{part}"
    if not callable(found):
        raise RecipeError(f"{what} '{name}' is a {type(found).__name__}, not a function", hint="name a function")
    return found
