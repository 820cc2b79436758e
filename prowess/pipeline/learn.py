"""Learn: the whole way for one recipe, and the agent before and after side by side.

    prowess learn recipes/quickstart.toml

    OUT/{collect,sft,train}                             the stages; OUT/teach1 and so on between, if [teach] has rounds
    OUT/{sft,sage}-{with,without}-library               both agents on a split that nothing was learnt or chosen from
    OUT/report.{md,html}, OUT/table.md

The checkpoint that is evaluated is the best on the split of [evaluate]. Finished stages are not done again, so the same
command goes on where it stopped; with `--force` all of them are begun again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from prowess.errors import RecipeError
from prowess.figures.measure import Measures
from prowess.figures.tables import markdown
from prowess.figures.tables.measures import paper_grid
from prowess.files.disk import write_whole
from prowess.pipeline.checks import checked
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.stages import Screen, evaluated, measured, preparations, prepared, trained
from prowess.pipeline.starts import best_of
from prowess.report import write_report
from prowess.run import discard, is_run

LIBRARY = {"with": "", "without": ", no library"}
"""Both ways to play, and what they are called in the table."""
AGENTS = ("sft", "sage")
"""Both agents: what was imitated (and taught), and what came of reinforcing it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Learnt:
    """What the whole way came to."""

    sentence: str
    """What its report says first."""
    rows: Mapping[str, Measures]
    """The measures before and after, with and without a library."""


def learn(recipe: Recipe, folder: Path, *, split: str, screen: Screen, force: bool = False) -> Learnt:
    """Do what is not done yet; what came of it, with and without a library."""
    if recipe.train.start:
        raise RecipeError(
            f"train.start is '{recipe.train.start}', and learn begins with an imitation of its own",
            hint="prowess ablate RECIPE --seeds 0 goes from there to the table; --set train.start= goes the whole way",
        )
    checked(recipe, "learn", split=split)
    if force:
        discard(runs_of(recipe, folder))
    recipe = prepared(recipe, folder, screen)
    trained(recipe, folder / "train", screen)
    found: dict[str, Path] = {}
    agents = {"sft": Path(recipe.train.start), "sage": folder / "train"}
    for library, note in LIBRARY.items():
        played = recipe if library == "with" else _bare(recipe)
        for agent, course in agents.items():
            best, place = best_of(course), folder / _place(agent, library)
            found[f"{agent.upper()}{note}"] = evaluated(played, best, place, split, screen)
    rows = {label: measured([place]) for label, place in found.items()}
    write_whole(folder / "table.md", markdown(paper_grid(rows)))
    write_report([folder / "sft"], folder / "sft")
    told = write_report([*found.values(), folder / "train"], folder)
    return Learnt(sentence=told.sentence, rows=rows)


def runs_of(recipe: Recipe, folder: Path) -> list[Path]:
    """The folders of all its runs, as far as they are there; data that the recipe names is not one of them."""
    evaluations = [folder / _place(agent, way) for way in LIBRARY for agent in AGENTS]
    places = [*preparations(recipe, folder), folder / "train", *evaluations]
    return [place for place in places if is_run(place)]


def _place(agent: str, library: str) -> str:
    return f"{agent}-{library}-library"


def _bare(recipe: Recipe) -> Recipe:
    """The recipe without a library: nothing is saved and nothing is offered."""
    return replace(
        recipe,
        agent=replace(recipe.agent, learn=False),
        retrieval=replace(recipe.retrieval, name="none"),
    )
