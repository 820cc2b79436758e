"""Write the pages that the program knows best: docs/reference/ from commands, recipes and metrics; desk's families; the
JSON schema of recipes.

    python docs/make_pages.py

The reference has one page for each section of a recipe. What a page says of a key is the line under that field in the
source. A page that no longer has a source is deleted.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from functools import partial
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any

import typer.main
from prowess_desk.engine.desk import APPS
from prowess_desk.engine.world import SPLITS
from prowess_desk.families import FAMILIES

from prowess.cli import __doc__ as codes
from prowess.cli import app
from prowess.doctor import Finding
from prowess.figures.plots.meanings import MEANINGS
from prowess.files.codec import page_of
from prowess.pipeline.recipe import Recipe
from prowess.recipe import KeyDoc, describe
from prowess.recipe.describing import docs_of
from prowess.recipe.schema import schema_of
from prowess.report.ablation import SeedDifference, VariantRecord
from prowess.report.records import EpisodeLine, RunLine, RunRecord
from prowess.worlds.check import Findings, Problem
from prowess.worlds.registry import settings_of

ROOT = Path(__file__).parent.parent
REFERENCE = ROOT / "docs/reference"
MADE = "The program makes this page (`python docs/make_pages.py`)."
WIDTH = 140

INDEX = """\
A recipe is a TOML file. It names only what differs from the defaults.

- Commands take a recipe by its path, or by its name if it is one of [ours](#recipes-that-ship).
- `--set section.key=value` changes one key on the command line. It may be given many times.
- `extends = "sage"` in the first line starts from another recipe.
- A key that does not exist is refused, and the nearest name is told.
- `prowess recipe NAME` prints a recipe with every key resolved. `prowess recipe` lists all keys.
- `prowess recipe --schema` prints a JSON schema. Editors with Taplo or Even Better TOML then complete and check keys.
- Results go to `runs/NAME-COMMAND`, with the recipe's `name`, or to `--out`.
- Each run holds its resolved recipe as `recipe.toml`."""

METRICS = """\
The folder of a run holds `metrics.jsonl`. It has one line for each step of learning and one more for each score.
What was played or collected has one line, as step 0. `prowess report` draws the figures. TensorBoard, Weights & Biases,
trackio and [a tracker of yours](../guide/watch.md) get the same ones.

- Steps count from 0. The checkpoint `step-000010` is the result of step 9.
- `play/` is the play of a training step, at the temperature of `[sampling]`. `eval/` is the play of `evaluate.split`.
- A share is between 0 and 1.
- A figure without cases is `null`, for example the use of skills where none was offered.
- `prowess work` also writes `library/STATUS`: how many skills of the store have each status."""

GUIDES = {
    "suite": {
        "Desk": "../worlds/desk.md",
        "AppWorld": "../worlds/appworld.md",
        "A world of yours": "../extend/world.md",
    },
    "sandbox": {"The sandbox": "../sandbox.md"},
    "policy": {"Models": "../guide/models.md"},
    "expert": {"Desk": "../worlds/desk.md"},
    "retrieval": {"Retrieval": "../store/retrieval.md"},
    "agent": {"One episode": "../concepts.md#one-episode"},
    "collect": {"Data": "../guide/data.md"},
    "evaluate": {"Evaluate": "../guide/evaluate.md"},
    "work": {"Work": "../guide/work.md"},
    "skills": {"The store": "../store/index.md", "Gates": "../store/gates.md"},
    "model": {"Models": "../guide/models.md"},
    "sampling": {"On a GPU": "../gpu.md"},
    "sft": {"Learn": "../guide/learn.md", "Data": "../guide/data.md"},
    "teach": {"Learn": "../guide/learn.md#correct-mistakes"},
    "train": {"Learn": "../guide/learn.md", "How it learns": "../concepts.md#how-it-learns"},
    "learner": {"Learn": "../guide/learn.md", "On a GPU": "../gpu.md#memory"},
    "loss": {"How it learns": "../concepts.md#how-it-learns"},
    "reward": {"How it learns": "../concepts.md#how-it-learns"},
    "advantage": {"How it learns": "../concepts.md#how-it-learns"},
    "sinks": {"Watch": "../guide/watch.md"},
}
"""Where the manual tells how to use a section."""

JSON = """\
With `--json` a command prints data for scripts: one JSON object a line on standard output, and nothing else there.
What it says to people goes to standard error, and the exit code is the same.

| command | a line for each | fields |
|---|---|---|
| `prowess runs` | run | [a run in a list](#a-run-in-a-list) |
| `prowess evaluate`, `prowess report` | run | [a run with its figures](#a-run-with-its-figures) |
| `prowess ablate` | recipe | [a recipe of an ablation](#a-recipe-of-an-ablation) |
| `prowess show RUN`, also `--failed` | episode | [an episode in a list](#an-episode-in-a-list) |
| `prowess show RUN NAME` | episode or skill | as the run's files `episodes/*.jsonl.gz` hold them |
| `prowess check` | check | [a check](#a-check) |
| `prowess doctor` | finding | [a finding](#a-finding) |
| `prowess skills list`, `log` ... | skill, event ... | `prowess skills COMMAND --json` prints them |

- A figure of nothing, such as the use of skills where none was offered, is `null`.
- Fields may be added. None is renamed or removed without a line in the changelog.
- `prowess report --json` writes no report."""

RECORDS = {
    "A run in a list": RunLine,
    "A run with its figures": RunRecord,
    "A recipe of an ablation": VariantRecord,
    "A difference over seeds": SeedDifference,
    "An episode in a list": EpisodeLine,
    "A check": Findings,
    "A problem of a check": Problem,
    "A finding": Finding,
}
"""What `--json` prints, by the title of its part of the page."""

AREAS = {
    "reward": "Reward",
    "play": "Playing a training step",
    "eval": "Scores",
    "learn": "Learning",
    "time": "Time",
    "collect": "Collecting",
    "work": "Work",
}
"""What the metrics of each area are about, in the order of the page."""


def index() -> str:
    """The page that lists the others."""
    plain, sections = _sections()
    rows = [
        f"| [`[{name}]`]({name}.md) | {_first(_class(name).__doc__)} | {len(keys)} |" for name, keys in sections.items()
    ]
    shipped = [f"| `{file.stem}` | {_about(file)} |" for file in sorted((ROOT / "recipes").glob("*.toml"))]
    return _page(
        "Reference",
        INDEX,
        "[Commands](commands.md) has every command with its options. [Metrics](metrics.md) has every figure of a run. "
        "[JSON output](json.md) has what `--json` prints.",
        "## Sections of a recipe",
        _table(["section", "what it sets", "keys"], rows),
        "## Keys outside of sections",
        *_keys(plain, "###"),
        "## Recipes that ship",
        _table(["name", "what it is for"], shipped),
    )


def section(name: str) -> str:
    """The page of one section of a recipe, each of its sub-sections below it."""
    guides = ", ".join(f"[{title}]({page})" for title, page in GUIDES[name].items())
    parts = [_first(_class(name).__doc__), f"How to use it: {guides}."]
    for path, keys in groupby(_sections()[1][name], key=lambda key: key.key.rpartition(".")[0]):
        inner = path != name
        parts += [f"## [{path}]", _first(_class(path).__doc__)] if inner else []
        parts += _keys(keys, "###" if inner else "##")
    return _page(f"[{name}]", *parts)


def commands() -> str:
    """The page of all commands."""
    found = all_commands()
    rows = [
        f"| [`prowess {name}`](#{f'prowess {name}'.replace(' ', '-')}) | {_first(command.help)} |"
        for name, command in found.items()
    ]
    parts = [_table(["command", "what it does"], rows), (codes or "").split("\n\n", 1)[1].strip()]
    for name, command in found.items():
        parts += [f"## prowess {name}", (command.help or "").strip(), _options(command)]
    return _page("Commands", *parts)


def metrics() -> str:
    """The page of what every metric means."""
    parts = [METRICS]
    for area, ours in groupby(MEANINGS.items(), key=lambda item: item[0].partition("/")[0]):
        rows = [f"| `{name}` | {one.unit} | {one.text} |" for name, one in ours]
        parts += [f"## {AREAS[area]}", _table(["metric", "unit", "meaning"], rows)]
    return _page("Metrics", *parts)


def json_output() -> str:
    """The page of what `--json` prints."""
    parts = [JSON]
    for title, cls in RECORDS.items():
        docs = docs_of(cls)
        rows = [f"| `{field.name}` | {docs.get(field.name, '')} |" for field in fields(cls)]
        parts += [f"## {title}", _table(["field", "meaning"], rows)]
    return _page("JSON output", *parts)


def families() -> str:
    """The page of desk's scenario families and apps."""
    parts = ["Slots are in braces. Each family is shown with the first of its wordings."]
    for split in SPLITS:
        ours = [family for family in FAMILIES.values() if family.split == split]
        rows = []
        for family in sorted(ours, key=lambda each: (each.difficulty, each.name)):
            asks = "an answer" if family.asks else ""
            cells = [f"`{family.name}`", str(family.difficulty), ", ".join(family.apps), asks, family.wordings[0]]
            rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        head = ["family", "difficulty", "apps", "asks", "instruction"]
        parts += [f"## {split}: {len(ours)} families", _table(head, rows)]
    rows = [f"| `{app.name}` | {len(app.apis)} | {app.about} |" for app in APPS.values()]
    parts += [f"## The apps: {sum(len(app.apis) for app in APPS.values())} APIs"]
    return _page("The families of desk", *parts, _table(["app", "APIs", "what it is"], rows))


def _page(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {title}", MADE, *filter(None, parts)]) + "\n"


def _table(head: Sequence[str], rows: Iterable[str]) -> str:
    return "\n".join(["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *rows])


def _sections() -> tuple[list[KeyDoc], dict[str, list[KeyDoc]]]:
    """The keys outside of sections; the keys of each section."""
    plain = [key for key in describe(Recipe) if "." not in key.key]
    inside = [key for key in describe(Recipe) if "." in key.key]
    return plain, {name: list(keys) for name, keys in groupby(inside, key=lambda key: key.key.partition(".")[0])}


def _class(path: str) -> type:
    """What a section is read into."""
    value: Any = Recipe()
    if path.startswith("suite."):
        return settings_of(path.removeprefix("suite."))
    for name in path.split("."):
        value = getattr(value, name)
    return type(value)


def _keys(keys: Iterable[KeyDoc], heading: str) -> list[str]:
    parts: list[str] = []
    for key in keys:
        default = f"Default: `{key.default}`".replace("\n", "\\n") if key.default else "It must be given"
        parts += [f"{heading} {key.key}", f"{default}. Allowed: {key.type}.", _wrapped(key.doc)]
    return parts


def _wrapped(text: str) -> str:
    """Lines that a diff can show; none begins with what Markdown would take for a list, a quote or a heading."""
    lines = textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)
    return re.sub(r"\n(?=(?:[-+*>#]|\d+[.)]) )", " ", "\n".join(lines))


def _about(file: Path) -> str:
    """The first sentence of a recipe's opening comment, without its schema and the commands below."""
    opening = takewhile(lambda line: line.startswith("#"), file.read_text(encoding="utf-8").splitlines())
    words = [line.lstrip("# ") for line in opening if not line.startswith(("#:", "#   "))]
    return " ".join(words).split(". ")[0].rstrip(".") + "."


def all_commands() -> dict[str, Any]:
    """Every command by its whole name, such as `skills list`."""
    return _commands(typer.main.get_command(app))


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
    return _table(["option", "meaning"], rows) if rows else ""


def schema() -> str:
    """The JSON schema of recipes, which editors read."""
    return page_of(schema_of(Recipe))


PAGES: dict[Path, Callable[[], str]] = {
    REFERENCE / "index.md": index,
    REFERENCE / "commands.md": commands,
    REFERENCE / "metrics.md": metrics,
    REFERENCE / "json.md": json_output,
    **{REFERENCE / f"{name}.md": partial(section, name) for name in _sections()[1]},
    ROOT / "docs/worlds/desk-families.md": families,
    ROOT / "recipes/recipe.schema.json": schema,
}


def left() -> list[Path]:
    """Pages in the reference that nothing makes any more."""
    return [page for page in sorted(REFERENCE.iterdir()) if page not in PAGES]


def main() -> None:
    for page, make in PAGES.items():
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(make(), encoding="utf-8")
        print(page.relative_to(ROOT))
    for page in left():
        page.unlink()


if __name__ == "__main__":
    main()
