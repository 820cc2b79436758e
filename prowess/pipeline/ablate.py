"""Ablate: several recipes with several seeds, each from its start to its evaluation, and a report of which is better.

    prowess ablate sage outcome chain --seeds 0,1,2

    OUT/start-DIGEST-seed0/{collect,sft,evaluate}   what recipes that begin alike share
    OUT/NAME-seed0/{train,evaluate}
    OUT/report.{md,html}, OUT/plots/*.svg, OUT/table.md

The first recipe is what the others are compared with. The start is made here, with the same seed, unless `train.start`
is `base`, a checkpoint, or a run that is there and not the imitation of one of these recipes. The best checkpoint is
chosen on the split of [evaluate], and the table is of another. Finished runs are not done again, unfinished ones go on
where they stopped, and a folder whose recipe is not the one given is refused. With `--force` the runs of these recipes
and seeds are begun again, their starts with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from prowess.commands.train import TrainSettings
from prowess.credit.advantage import AdvantageSettings
from prowess.credit.reward import RewardSettings
from prowess.errors import RecipeError
from prowess.figures.tables import markdown
from prowess.figures.tables.measures import paper_grid
from prowess.files.disk import write_whole
from prowess.learners.losses import LossSettings
from prowess.learners.settings import LearnerSettings
from prowess.models.adapter import is_adapter
from prowess.pipeline.checks import checked
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.stages import Screen, collected, evaluated, preparations, prepared, trained
from prowess.pipeline.starts import best_of
from prowess.recipe import to_toml
from prowess.report.ablation import Ablation, Variant, write_ablation
from prowess.run import discard, is_run
from prowess.run.sinks import SinkSettings


def ablate(
    recipes: Sequence[Recipe],
    seeds: Sequence[int],
    folder: Path,
    *,
    split: str,
    screen: Screen,
    force: bool = False,
) -> Ablation:
    """Do what is not done yet; what every recipe came to, and what it started from, over all seeds."""
    names = [recipe.name for recipe in recipes]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise RecipeError(f"several recipes are named '{twice[0]}'", hint="give each a `name` of its own")
    for recipe in recipes:
        checked(recipe, "ablate", split=split, imitates=_own_start(recipe, recipes))
    if force:
        discard(runs_of(recipes, seeds, folder))
    starts: dict[str, str] = {}
    found: dict[str, Variant] = {}
    for seed in seeds:
        for given in recipes:
            recipe = replace(given, seed=seed)
            begun = _beginning(recipe)
            home = _home(begun, folder)
            reads, label = _reads_data(recipe), ""
            if _own_start(recipe, recipes):
                begun = prepared(begun, home, screen)
                label = starts.setdefault(begun.name, f"{recipe.name}'s SFT")
                place = evaluated(begun, None, home / "evaluate", split, screen)
                found[label] = _with(found.get(label, Variant(name=label)), seed, place, Path(begun.train.start))
                recipe = replace(recipe, train=replace(recipe.train, start=begun.train.start))
            elif recipe.train.start == "base" and reads:
                begun = collected(begun, home / "collect", screen)
            if reads:
                recipe = replace(recipe, sft=begun.sft)
            home = _home(recipe, folder)
            trained(recipe, home / "train", screen)
            place = evaluated(recipe, best_of(home / "train"), home / "evaluate", split, screen)
            known = found.get(recipe.name, Variant(name=recipe.name, start=label))
            found[recipe.name] = _with(known, seed, place, home / "train")
    told = write_ablation([*found.values()], folder)
    write_whole(folder / "table.md", markdown(paper_grid(told.rows)))
    return told


def _with(variant: Variant, seed: int, evaluation: Path, course: Path) -> Variant:
    """A variant with one seed more."""
    return replace(
        variant,
        evaluations={**variant.evaluations, seed: evaluation},
        courses={**variant.courses, seed: course},
    )


def runs_of(recipes: Sequence[Recipe], seeds: Sequence[int], folder: Path) -> list[Path]:
    """The folders of all runs of some recipes and seeds, as far as they are there."""
    given = [replace(recipe, seed=seed) for seed in seeds for recipe in recipes]
    homes = {_home(one, folder): one for recipe in given for one in (_beginning(recipe), recipe)}
    places = [
        place for home, one in homes.items() for place in (*preparations(one, home), home / "train", home / "evaluate")
    ]
    return [place for place in places if is_run(place)]


def _home(recipe: Recipe, folder: Path) -> Path:
    return folder / f"{recipe.name}-seed{recipe.seed}"


def seeds_in(text: str) -> tuple[int, ...]:
    """The seeds in a list such as `0,1,2`.

    >>> seeds_in("0,1, 5")
    (0, 1, 5)
    """
    try:
        seeds = tuple(int(part) for part in text.split(","))
    except ValueError:
        raise RecipeError(f"seeds is '{text}'", hint="whole numbers with commas between them: 0,1,2") from None
    if len(set(seeds)) < len(seeds):
        raise RecipeError(f"seeds is '{text}': one of them is there twice", hint="each seed once")
    return seeds


def _own_start(recipe: Recipe, recipes: Sequence[Recipe]) -> bool:
    """Whether the ablation makes what training starts from: nothing is asked for that is there without it.

    What `prowess sft` has made of a recipe that is compared here, if anything, is of one seed alone.
    """
    start = Path(recipe.train.start)
    if recipe.train.start in ("", "base"):
        return not recipe.train.start
    if is_run(start):
        return start in {other.folder("sft") for other in recipes}
    return not ((start / "config.json").is_file() or is_adapter(start))


def _reads_data(recipe: Recipe) -> bool:
    """Whether reinforcement itself needs what was collected: to rehearse it, or for the tokenizer of a bare `tiny`."""
    return recipe.train.rehearse > 0 or (recipe.train.start == "base" and recipe.model.name == "tiny")


def _beginning(recipe: Recipe) -> Recipe:
    """What of a recipe matters before reinforcement, named by its digest: recipes that begin alike share it."""
    shared = replace(
        recipe,
        name="start",
        seed=0,
        workers=0,
        train=TrainSettings(),
        learner=LearnerSettings(),
        loss=LossSettings(),
        reward=RewardSettings(),
        advantage=AdvantageSettings(),
        sinks=SinkSettings(),
    )
    digest = hashlib.sha256(to_toml(shared).encode()).hexdigest()[:8]
    mine = replace(shared, seed=recipe.seed, workers=recipe.workers, sinks=recipe.sinks)
    return replace(mine, name=f"start-{digest}", learner=recipe.sft.learner)
