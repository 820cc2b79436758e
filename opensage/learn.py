"""Learn: the whole way for one recipe, and the agent before and after side by side.

    opensage learn recipes/quickstart.toml

    OUT/{collect,sft,train}                             the stages
    OUT/{sft,sage}-{with,without}-library               both agents on a split that nothing was learnt or chosen from
    OUT/report.{md,html}, OUT/table.md

The checkpoint that is evaluated is the best on the split of [evaluate]. Finished stages are not done again, so the same
command goes on where it stopped.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from opensage.disk import write_whole
from opensage.measure import Measures
from opensage.report import write_report
from opensage.school import best_of, check_learning
from opensage.sinks import check_sinks
from opensage.stages import Screen, check_split, collected, evaluated, measured, schooled, table, trained
from opensage.tables import markdown
from opensage.wiring import Recipe

LIBRARY = {"with": "", "without": ", no library"}
"""Both ways to play, and what they are called in the table."""


def learn(recipe: Recipe, folder: Path, *, split: str, screen: Screen) -> dict[str, Measures]:
    """Do what is not done yet; the measures before and after, with and without a library."""
    check_sinks(recipe.sinks)
    check_split(recipe, split)
    check_learning(recipe)
    recipe = schooled(collected(recipe, folder / "collect", screen), folder / "sft", screen)
    trained(recipe, folder / "train", screen)
    found: dict[str, Path] = {}
    for library, note in LIBRARY.items():
        played = recipe if library == "with" else _bare(recipe)
        for agent, checkpoint in (("sft", best_of(folder / "sft")), ("sage", best_of(folder / "train"))):
            place = folder / f"{agent}-{library}-library"
            found[f"{agent.upper()}{note}"] = evaluated(played, checkpoint, place, split, screen)
    rows = {label: measured([place]) for label, place in found.items()}
    write_whole(folder / "table.md", markdown(table(rows)))
    write_report([folder / "sft"], folder / "sft")
    write_report([*found.values(), folder / "train"], folder)
    return rows


def _bare(recipe: Recipe) -> Recipe:
    """The recipe without a library: nothing is saved and nothing is offered."""
    return replace(
        recipe,
        agent=replace(recipe.agent, learn=False),
        retrieval=replace(recipe.retrieval, name="none"),
    )
