"""Commands that learn: sft, teach, train, learn, ablate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from prowess.cli.json_lines import write_records
from prowess.cli.options import AsJson, Force, ForceAll, Out, RecipeFile, Sets, Workers, read_recipe, recipe_names
from prowess.cli.runs import is_finished, run_of, stoppable, tell_course, tell_errors_in
from prowess.cli.screen import following, screen, unseen
from prowess.text.terminal import say

if TYPE_CHECKING:
    from prowess.pipeline.learning import Watch
    from prowess.pipeline.recipe import Recipe
    from prowess.pipeline.weights import Weights
    from prowess.run import Run


def sft(recipe: RecipeFile, sets: Sets = None, out: Out = None, force: Force = False, workers: Workers = None) -> None:
    """Imitate the collected conversations, and score the result."""
    from prowess.pipeline.learning import imitate
    from prowess.pipeline.policies import data_of
    from prowess.pipeline.weights import shown_to

    settings = read_recipe(recipe, sets, workers)

    def start() -> Weights:
        return shown_to(settings.model.name, data_of(settings))

    _learn("sft", imitate, start, settings, out, force)


def teach(
    recipe: RecipeFile, sets: Sets = None, out: Out = None, force: ForceAll = False, workers: Workers = None
) -> None:
    """Let the imitating model play, and learn from the expert's corrections, teach.rounds times."""
    from prowess.errors import RecipeError
    from prowess.pipeline.checks import check_apart, checked
    from prowess.pipeline.stages import lessons, taught
    from prowess.pipeline.starts import best_of
    from prowess.run import Run, discard, is_run

    settings = read_recipe(recipe, sets, workers)
    if not settings.teach.rounds:
        raise RecipeError("teach.rounds is 0: there is nothing to do", hint="--set teach.rounds=1")
    needed = checked(settings, "teach")
    home = out or settings.folder("teach")
    if force:
        check_apart(needed, lessons(settings, home))
        discard(place for place in lessons(settings, home) if is_run(place))
    with stoppable():
        learnt = taught(settings, home, screen())
    errors = tell_errors_in(lessons(settings, home))
    tell_course(Run.open(learnt.train.start))
    say(f"best checkpoint: {best_of(Path(learnt.train.start))}")
    raise typer.Exit(1 if errors else 0)


def train(
    recipe: RecipeFile, sets: Sets = None, out: Out = None, force: Force = False, workers: Workers = None
) -> None:
    """Learn from playing chains of tasks: SAGE, or one of its ablations."""
    from prowess.pipeline.learning import reinforce
    from prowess.pipeline.starts import start_of
    from prowess.pipeline.weights import weights_of

    settings = read_recipe(recipe, sets, workers)
    _learn("train", reinforce, lambda: weights_of(start_of(settings)), settings, out, force)


def learn(
    recipe: RecipeFile,
    sets: Sets = None,
    out: Annotated[Path | None, typer.Option("--out", help="The folder of all its runs. (default: runs/NAME)")] = None,
    split: Annotated[str, typer.Option("--split", help="The split of the table, not learned from.")] = "test_normal",
    force: ForceAll = False,
    workers: Workers = None,
) -> None:
    """Go the whole way: collect, sft, teach if the recipe has rounds, train; then compare before and after.

    No stage learns from the tasks of the table, or chooses by them.
    """
    from prowess.figures.tables import rich_table
    from prowess.figures.tables.measures import paper_grid
    from prowess.pipeline.learn import learn as go
    from prowess.pipeline.learn import runs_of
    from prowess.text.terminal import console

    settings = read_recipe(recipe, sets, workers)
    home = out or Path("runs") / settings.name
    with stoppable():
        learnt = go(settings, home, split=split, screen=screen(), force=force)
    console().print(rich_table(paper_grid(learnt.rows), title=f"{settings.name} on {split}, seed {settings.seed}"))
    errors = tell_errors_in(runs_of(settings, home))
    say(learnt.sentence)
    say(f"curves and comparison: {home / 'report.html'}")
    raise typer.Exit(1 if errors else 0)


def ablate(
    recipes: Annotated[
        list[str],
        typer.Argument(
            metavar="RECIPE...", help="Recipes' paths, or names of shipped ones.", autocompletion=recipe_names
        ),
    ],
    seeds: Annotated[str, typer.Option("--seeds", metavar="N,N...", help="Seeds, each for every recipe.")] = "0,1,2",
    split: Annotated[str, typer.Option("--split", help="The split of the table.")] = "test_normal",
    sets: Sets = None,
    out: Annotated[Path, typer.Option("--out", help="The folder of all its runs.")] = Path("runs/ablation"),
    force: ForceAll = False,
    workers: Workers = None,
    json: AsJson = False,
) -> None:
    """Train and evaluate several recipes with several seeds, and say which is better than the first. Finished runs are
    not repeated."""
    from prowess.figures.tables import rich_table
    from prowess.figures.tables.measures import paper_grid
    from prowess.pipeline.ablate import ablate as compare
    from prowess.pipeline.ablate import runs_of, seeds_in
    from prowess.text.terminal import console

    settings = [read_recipe(recipe, sets, workers) for recipe in recipes]
    numbers = seeds_in(seeds)
    with stoppable():
        found = compare(settings, numbers, out, split=split, screen=screen(), force=force)
    if json:
        write_records(found.records)
    else:
        console().print(rich_table(paper_grid(found.rows)))
    errors = tell_errors_in(runs_of(settings, numbers, out))
    say(found.sentence)
    say(f"differences and curves: {found.page}")
    raise typer.Exit(1 if errors else 0)


def _learn(
    command: Literal["sft", "train"],
    learn: Callable[[Recipe, Run, Watch], None],
    start: Callable[[], Weights],
    recipe: Recipe,
    out: Path | None,
    force: bool,
) -> None:
    """Run a course of learning from what it starts with, its figures in sight. What is wrong is told before --force
    deletes anything."""
    from prowess.pipeline.checks import check_apart, checked
    from prowess.pipeline.starts import best_of

    needed = checked(recipe, command)
    if force:
        check_apart(needed, [out or recipe.folder(command)])
    finished = not force and is_finished(out or recipe.folder(command))
    with run_of(recipe, command, out, force, start()) as run, unseen() if finished else following(command) as watch:
        learn(recipe, run, watch)  # of a finished one, trackers may be told for the first time
    errors = tell_errors_in([run.folder])
    tell_course(run)
    say(f"best checkpoint: {best_of(run.folder)}")
    say(f"run: {run.folder} (prowess report {run.folder})")
    raise typer.Exit(1 if errors else 0)
