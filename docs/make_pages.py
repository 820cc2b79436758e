"""Write docs/reference.md from the commands' own help and the recipe's fields, and docs/families.md from desk itself.

python docs/make_pages.py
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer.main
from prowess_desk.engine.desk import APPS
from prowess_desk.engine.world import SPLITS
from prowess_desk.families import FAMILIES

from prowess.cli import __doc__ as codes
from prowess.cli import app
from prowess.figures.plots.meanings import MEANINGS
from prowess.pipeline.recipe import Recipe
from prowess.recipe import describe

FOLDER = Path(__file__).parent


def reference() -> str:
    """The page as it should be."""
    commands = _commands(typer.main.get_command(app))
    parts = ["# Reference", "Made by `python docs/make_pages.py`; a test keeps it current.", "## Commands"]
    parts += [f"`prowess {name}`: {_first(command.help)}" for name, command in commands.items()]
    parts.append((codes or "").split("\n\n", 1)[1].strip())
    for name, command in commands.items():
        parts += [f"### prowess {name}", command.help or "", _options(command)]
    parts += ["## Recipe", "A recipe is TOML; each key may also be given as `--set section.key=value`."]
    parts.append(_keys())
    parts += ["## Metrics", METRICS, _metrics()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _commands(group: Any, prefix: str = "") -> dict[str, Any]:
    """Every command by its whole name; those of a group in place of the group."""
    found: dict[str, Any] = {}
    for name, command in group.commands.items():
        inner = hasattr(command, "commands")
        found |= _commands(command, f"{prefix}{name} ") if inner else {f"{prefix}{name}": command}
    return found


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


METRICS = """\
`metrics.jsonl` in a run's folder has a line for each step of learning, one more for its score, and one (step 0) for
what was played or collected; `prowess report` draws them, TensorBoard, Weights & Biases, trackio and a sink of your
own are told the same. Steps count from 0: the checkpoint `step-000010` is what step 9 left. `play/` is what a step was
played with, at the temperature of `[sampling]`; `eval/` plays `evaluate.split`. A figure of nothing, such as skill use
where no skill was offered, is `null`. A share is between 0 and 1. `prowess work` also tells `library/STATUS`, how
many skills of the store have each status."""


def _metrics() -> str:
    rows = ["| metric | unit | meaning |", "|---|---|---|"]
    rows += [f"| `{name}` | {one.unit} | {one.text} |" for name, one in MEANINGS.items()]
    return "\n".join(rows)


def families() -> str:
    """The page of desk's scenario families and apps."""
    parts = [
        "# The families of desk",
        "Made by `python docs/make_pages.py`; a test keeps it current. Slots are in braces; the first of each family's "
        "wordings is shown.",
    ]
    for split in SPLITS:
        ours = [family for family in FAMILIES.values() if family.split == split]
        rows = ["| family | difficulty | apps | asks | instruction |", "|---|---|---|---|---|"]
        for family in sorted(ours, key=lambda each: (each.difficulty, each.name)):
            asks = "an answer" if family.asks else ""
            cells = [f"`{family.name}`", str(family.difficulty), ", ".join(family.apps), asks, family.wordings[0]]
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        parts += [f"## {split}: {len(ours)} families", "\n".join(rows)]
    rows = ["| app | APIs | what it is |", "|---|---|---|"]
    rows += [f"| `{app.name}` | {len(app.apis)} | {app.about} |" for app in APPS.values()]
    parts += [f"## The apps: {sum(len(app.apis) for app in APPS.values())} APIs", "\n".join(rows)]
    return "\n\n".join(parts) + "\n"


PAGES = {FOLDER / "reference.md": reference, FOLDER / "families.md": families}

if __name__ == "__main__":
    for page, make in PAGES.items():
        page.write_text(make(), encoding="utf-8")
        print(page)
