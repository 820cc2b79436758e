"""Write docs/reference.md from the commands' own help and the recipe's own fields.

python docs/make_reference.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer.main

from opensage.cli import __doc__ as codes
from opensage.cli import app
from opensage.recipe import describe
from opensage.wiring import Recipe

PAGE = Path(__file__).parent / "reference.md"


def reference() -> str:
    """The page as it should be."""
    group: Any = typer.main.get_command(app)
    parts = ["# Reference", "Made by `python docs/make_reference.py`; a test keeps it current.", "## Commands"]
    parts += [f"`opensage {name}`: {_first(command.help)}" for name, command in group.commands.items()]
    parts.append((codes or "").split("\n\n", 1)[1].strip())
    for name, command in group.commands.items():
        parts += [f"### opensage {name}", command.help or "", _options(command)]
    parts += ["## Recipe", "A recipe is TOML; each key may also be given as `--set section.key=value`."]
    parts.append(_keys())
    return "\n\n".join(part for part in parts if part) + "\n"


def _first(text: str | None) -> str:
    return (text or "").strip().splitlines()[0]


def _options(command: Any) -> str:
    rows = []
    for parameter in command.params:
        if parameter.name == "help":
            continue
        name = parameter.metavar or parameter.name.upper() if parameter.param_type_name == "argument" else ""
        rows.append(f"| `{name or ', '.join(parameter.opts)}` | {parameter.help or ''} |")
    return "\n".join(["| | |", "|---|---|", *rows]) if rows else ""


def _keys() -> str:
    rows = ["| key | default | allowed | meaning |", "|---|---|---|---|"]
    for entry in describe(Recipe):
        cells = [f"`{entry.key}`", f"`{entry.default}`" if entry.default else "", entry.type, entry.doc]
        rows.append("| " + " | ".join(cell.replace("|", "\\|").replace("\n", "\\n") for cell in cells) + " |")
    return "\n".join(rows)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
    print(PAGE)
