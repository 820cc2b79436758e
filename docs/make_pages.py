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
from prowess.cli.skills.jobs.totals import Totals
from prowess.cli.skills.jobs.upkeep import Move
from prowess.cli.skills.json_lines import FoundLine, KnownLine, SkillLine
from prowess.doctor import Finding
from prowess.figures.plots.meanings import MEANINGS
from prowess.files.codec import page_of
from prowess.pipeline.recipe import Recipe
from prowess.recipe import KeyDoc, describe
from prowess.recipe.describing import docs_of
from prowess.recipe.schema import schema_of
from prowess.report.ablation import SeedDifference, VariantRecord
from prowess.report.records import EpisodeLine, RunLine, RunRecord
from prowess.store.curate.bisect import Bisection, Look
from prowess.store.curate.rollback import Rollback
from prowess.store.gates.admission import Admission
from prowess.store.record import Event, Provenance, Trial, Usage, Verification, Version
from prowess.store.standing import Change, Cost, Difference, Snapshot, Statistics
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
| `prowess skills list`, `stats SKILL` | version | [a skill](#a-skill), and its `statistics`, [its worth][worth] |
| `prowess skills search` | skill | [a skill](#a-skill), and [how it was found](#how-a-skill-was-found) |
| `prowess skills show` | skill | [a skill](#a-skill), and [all that is known of it](#all-that-is-known-of-a-skill) |
| `prowess skills stats` | store | [the totals of a store](#the-totals-of-a-store) |
| `prowess skills log` | event | [an event](#an-event) |
| `prowess skills uses` | use | [a use of a skill](#a-use-of-a-skill) |
| `prowess skills costs` | version | [what a skill costs](#what-a-skill-costs) |
| `prowess skills snapshot` | snapshot | [a snapshot](#a-snapshot) |
| `prowess skills diff` of snapshots | pair | [a difference of snapshots](#a-difference-of-snapshots) |
| `prowess skills diff` of versions | pair | `old` and `new`, each [a skill](#a-skill), and a `diff` |
| `prowess skills rollback` | rollback | [a rollback](#a-rollback) |
| `prowess skills admit` | version | [an admission](#an-admission) |
| `prowess skills curate` | move | [a move](#a-move) |
| `prowess skills bisect` | search | [a bisection](#a-bisection) |

- A figure of nothing, such as the use of skills where none was offered, is `null`.
- Fields may be added. None is renamed or removed without a line in the changelog.
- `prowess report --json` writes no report.

[worth]: #the-worth-of-a-skill"""

RECORDS = {
    "A run in a list": RunLine,
    "A run with its figures": RunRecord,
    "A recipe of an ablation": VariantRecord,
    "A difference over seeds": SeedDifference,
    "An episode in a list": EpisodeLine,
    "A check": Findings,
    "A problem of a check": Problem,
    "A finding": Finding,
    "A skill": SkillLine,
    "The worth of a skill": Statistics,
    "How a skill was found": FoundLine,
    "All that is known of a skill": KnownLine,
    "A version of a skill": Version,
    "Where a skill comes from": Provenance,
    "A trial of a skill": Trial,
    "A check of a skill": Verification,
    "The totals of a store": Totals,
    "An event": Event,
    "A use of a skill": Usage,
    "What a skill costs": Cost,
    "A snapshot": Snapshot,
    "A difference of snapshots": Difference,
    "A change of a skill": Change,
    "A rollback": Rollback,
    "An admission": Admission,
    "A move": Move,
    "A bisection": Bisection,
    "A look of a bisection": Look,
}
"""What `--json` prints, by the title of its part of the page."""

MORE = {
    Statistics: {
        "success": "How often an episode that is offered it succeeds, as it is believed.",
        "uplift": "How much more often they succeed than where it was held back; null while one of the two is empty.",
        "uplift_error": "The standard error of that; null where it is not known.",
    },
    Usage: {
        "name": "The skill's name.",
        "number": "Which of the skill's versions.",
        "namespace": "The world or app that it is of.",
    },
    Cost: {
        "uplift": "As in the worth of a skill.",
        "uplift_error": "As there.",
    },
    Snapshot: {"holders": "Who pins it."},
    Totals: {
        "offered": "Those of the uses in which a skill was offered.",
        "masked": "Those in which it was held back.",
        "called": "Those in which it was called.",
    },
}
"""What a line holds beside the fields of its class."""

PLAIN = {
    "actor": "Who acted: `gate`, `curator`, `person`, `guard`, `store` ...",
    "added": "Skills that were not there, each a change of a skill.",
    "after": "Its status after it, where it moved.",
    "aliases": "Other names of the skill.",
    "arm": "`offered` or `masked`: held back, to see what it is worth.",
    "at": "When, in UTC.",
    "bad": "The value of the bad end.",
    "before": "Its status before.",
    "bytes": "The size of the store's file.",
    "called": "Episodes in which it was called.",
    "called_successes": "Those of them that succeeded.",
    "changed": "Skills with other code, each a change of a skill.",
    "check": "The check's name.",
    "count": "Skills in it.",
    "digest": "The version's digest.",
    "docstring": "What its code says it does.",
    "effect": "What it may change: `pure`, `read`, `write` or `irreversible`.",
    "events": "Events.",
    "expected": "What the call returned.",
    "good": "Whether its value was that of the good end.",
    "id": "Its number, or its id.",
    "imports": "The imports that its code needs.",
    "kind": "Of which kind it is.",
    "last_success": "When one last did.",
    "looks": "The libraries that were evaluated, each a look of a bisection.",
    "masked": "Episodes in which it was held back.",
    "masked_successes": "Those of them that succeeded.",
    "name": "The function's name.",
    "namespace": "The world or app that it is of.",
    "namespaces": "Skills in each world.",
    "new_status": "Its status in the later one.",
    "note": "What was noted.",
    "number": "Which of the skill's versions.",
    "offered": "Episodes in which it was offered.",
    "offered_successes": "Those of them that succeeded.",
    "old": "The digest of its head in the earlier one.",
    "old_status": "Its status in the earlier one.",
    "rank": "Its place among what was offered, from 0.",
    "removed": "Skills that are no longer there, each a change of a skill.",
    "root": "Its Merkle root, which names it.",
    "run": "The run.",
    "scenario": "Its scenario.",
    "score": "Its likeness to the request, weighed with its worth.",
    "skill": "The skill's id.",
    "skills": "Skills.",
    "snapshots": "Snapshots.",
    "status": "Where it stands.",
    "task": "The task.",
    "to": "Its status now.",
    "tokens": "Tokens that the model wrote in that episode.",
    "trials": "Trials.",
    "turn": "The turn in which it was written, counted from 0.",
    "turns": "Replies of that episode.",
    "uses": "Uses.",
    "value": "What it came to.",
    "verdict": "`pass`, `fail` or `abstain`.",
    "verifications": "Results of checks.",
    "versions": "Versions.",
    "who": "Who did it.",
    "why": "The reason that was given.",
    "world": "The world that was played.",
    "world_version": "Its version.",
}
"""Fields whose names say enough to those who read the source."""

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
        docs = PLAIN | docs_of(cls) | MORE.get(cls, {})
        names = dict.fromkeys([*(field.name for field in fields(cls)), *MORE.get(cls, {})])
        rows = [f"| `{name}` | {docs[name]} |" for name in names]
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
