"""Every key of a recipe, described for people."""

from __future__ import annotations

import ast
import inspect
import textwrap
from contextlib import suppress
from dataclasses import MISSING, dataclass
from functools import cache
from typing import Any

from prowess.errors import RecipeError
from prowess.recipe.kinds import default_of, inline, kinds_of, opened, section_of, settable, words


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyDoc:
    """One key of a recipe, described for people."""

    key: str
    """Dotted, as `--set` takes it."""
    type: str
    """What may be given, in words."""
    default: str
    """As TOML writes it; `none` for nothing, empty when the key must be given."""
    doc: str
    """The line under the field in the source."""


def describe(cls: type) -> list[KeyDoc]:
    """Every key of a recipe with its type, default and the line under its field, sections after plain keys."""
    return _describe(cls, (), None)


def _describe(cls: Any, path: tuple[str, ...], start: Any) -> list[KeyDoc]:
    kinds, docs = kinds_of(cls), docs_of(cls)
    plain: list[KeyDoc] = []
    sections: list[KeyDoc] = []
    for field in settable(cls):
        here = (*path, field.name)
        default = default_of(field) if start is None else getattr(start, field.name)
        section = section_of(kinds[field.name])
        if section is not None:
            sections += _describe(section, here, default if isinstance(default, section) else None)
        else:
            shown = "" if default is MISSING else inline(default)
            doc = docs.get(field.name, "")
            plain.append(KeyDoc(key=".".join(here), type=words(kinds[field.name]), default=shown, doc=doc))
    for name in opened(cls).names():
        with suppress(RecipeError):  # what cannot be had has no keys; whoever asks for it is told why
            given = None if start is None else getattr(start, opened(cls).field).get(name)
            sections += _describe(opened(cls).of(name), (*path, name), given)
    return plain + sections


@cache
def docs_of(cls: type) -> dict[str, str]:
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
