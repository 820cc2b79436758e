"""SKILL.md: a skill as other agents read it. Every text in it may be hostile: none can end the page's own structure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from prowess.store.record import Version

DESCRIPTION = 1024
"""The longest description that the format allows, in characters."""

_BLANK = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Kinds of characters that cannot be seen, or that change how others are: control, format, surrogates, separators."""


def page_of(version: Version, *, name: str, instruction: str, tested: int) -> str:
    """The page of a version in the folder `name`; `instruction` is a task it was written for."""
    front = {
        "name": name,
        "description": description_of(version, instruction),
    }
    ours = {
        "prowess-name": version.name,
        "prowess-namespace": version.namespace,
        "prowess-digest": version.digest,
        "prowess-effect": version.effect.value,
        "prowess-apis": " ".join(version.apis),
    }
    return "\n".join(
        [
            "---",
            *_mapping(front),
            "metadata:",
            *(f"  {line}" for line in _mapping(ours)),
            "---",
            "",
            f"# {name}",
            "",
            *_fenced(f"{version.name}{version.signature}"),
            "",
            "What its author wrote about it:",
            "",
            *_fenced(version.docstring or "(nothing)", "text"),
            "",
            "## Use",
            "",
            *_use(version),
            "",
            "## Tests",
            "",
            f"`scripts/test_skill.py` repeats {tested} recorded call{'s' * (tested != 1)} against recorded answers:",
            "",
            "    python scripts/test_skill.py",
            "",
            "Both scripts execute model-written code. Where it came from is told by `references/PROVENANCE.json`.",
            "",
        ]
    )


def description_of(version: Version, instruction: str) -> str:
    """What it does and when to use it, on one line."""
    what = seen(version.docstring) or f"Defines the Python function {version.name}."
    when = seen(instruction)
    told = f' Use it for tasks like: "{_cut(when, 300)}"' if when else ""
    return _cut(what, DESCRIPTION - len(told)) + told


def seen(text: str) -> str:
    """A text on one line, of characters that can be seen."""
    return " ".join("".join(" " if unicodedata.category(c) in _BLANK else c for c in text).split())


def quoted(text: str) -> str:
    r"""A string in YAML: ASCII, on one line, and without the three dashes that end a front matter.

    >>> print(quoted('a "---" b'))
    "a \"-\x2d-\" b"
    """
    return '"' + _SPECIAL.sub(_escaped, text).replace("--", r"-\x2d") + '"'


_SPECIAL = re.compile(r'["\\]|[^ -~]')


def _escaped(found: re.Match[str]) -> str:
    character = found[0]
    if character in '"\\':
        return f"\\{character}"
    code = ord(character)
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"


def _mapping(values: Mapping[str, str]) -> list[str]:
    return [f"{key}: {quoted(value)}" for key, value in values.items()]


def _fenced(text: str, language: str = "python") -> list[str]:
    """A block that nothing inside it can close."""
    lines = ["".join(" " if unicodedata.category(c) in _BLANK else c for c in line) for line in text.split("\n")]
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *lines, fence]


def _use(version: Version) -> list[str]:
    if not version.apis and "apis" not in version.source:
        return [f"`scripts/skill.py` defines the function `{version.name}`; it needs nothing but Python."]
    return [
        f"`scripts/skill.py` defines the function `{version.name}`. Its code reaches the world by the global name",
        "`apis`, which has to be there when it is called; it calls:",
        "",
        *_fenced("\n".join(version.apis) or "(which cannot be told from its code)", "text"),
        "",
        f"The worst that these can do: {version.effect.value}.",
    ]


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1].rstrip()}…"
