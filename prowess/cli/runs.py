"""The run that a command writes: begun or gone on with, and what is said of it at the end."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from prowess.cli.json_lines import write_records
from prowess.errors import BudgetSpent, PolicyGone
from prowess.text.plural import counted
from prowess.text.terminal import console, say

if TYPE_CHECKING:
    from prowess.figures.measure import Outcome
    from prowess.pipeline.recipe import Recipe
    from prowess.pipeline.weights import Weights
    from prowess.run import Run


@contextmanager
def run_of(
    recipe: Recipe, command: str, out: Path | None, force: bool, weights: Weights | None = None
) -> Iterator[Run]:
    """The run's folder, held for writing: a new one, or one to go on with, if it is of the same weights."""
    from prowess.pipeline.recipe import FREE
    from prowess.pipeline.weights import note, refuse_others
    from prowess.recipe import to_toml
    from prowess.run import Run, is_blank, is_run

    folder = out or recipe.folder(command)
    resume = not force and is_run(folder)
    finished, begun = resume and is_finished(folder), resume and not is_blank(folder)
    if resume and weights:
        refuse_others(folder, weights)
    with (
        stoppable(),
        Run.create(
            folder,
            command=command,
            recipe_toml=to_toml(recipe),
            seed=recipe.seed,
            resume=resume,
            force=force,
            free=FREE,
        ) as run,
    ):
        if begun:
            where = f"{folder} is finished" if finished else f"going on with {folder}"
            say(f"{where} (--force to begin again)")
        if weights:
            note(run, weights)
        yield run


def is_finished(folder: Path) -> bool:
    """Whether a folder holds a run that came to its end."""
    from prowess.run import Run, Status, is_run

    return is_run(folder) and Run.open(folder).about.status is Status.FINISHED


@contextmanager
def stoppable() -> Iterator[None]:
    """What plays for long: with all the open files that it may have; after Ctrl-C, or after the end that a scheduler
    asks for, it says how to go on."""
    from prowess.sandbox.descriptors import allow_more

    allow_more()
    try:
        with terminable():
            yield
    except KeyboardInterrupt:
        say("stopped; the same command goes on from here")
        raise typer.Exit(130) from None
    except BudgetSpent:
        say("stopped at the budget; what is done is kept, conversations under way are played again")
        raise
    except PolicyGone:
        say("stopped; what is done is kept, and the same command goes on from here")
        raise


@contextmanager
def terminable() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C. In a thread that hears no signals nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    here = os.getpid()

    def stop(number: int, frame: object) -> None:
        if os.getpid() == here:
            raise KeyboardInterrupt
        signal.signal(number, signal.SIG_DFL)  # a fork, which is to end as it would have
        os.kill(os.getpid(), number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def conclude(run: Run, *, json: bool = False) -> int:
    """Print the table, or the figures as JSON; say what came of it as its report does, where things are, and how many
    episodes broke."""
    from dataclasses import replace

    from prowess.figures.measure import metrics_of
    from prowess.figures.tables import rich_table
    from prowess.figures.tables.measures import measures_grid
    from prowess.report.records import run_record
    from prowess.report.report import sentence_of
    from prowess.report.view import view_of

    view = view_of(run, run.folder.resolve().name)
    for row in view.rows[:1]:
        run.log(0, metrics_of(row))
    run.finish()  # what is told is the state that it is left in
    if json:
        write_records([run_record(run.folder)])
    else:
        console().print(rich_table(measures_grid(view.rows)))
    errors = tell_errors(view.outcomes, "episodes")
    if errors:
        say(f"to play them again: delete their files in {run.folder / 'episodes'}, same command")
    say(sentence_of(replace(view, about=run.about)))
    say(f"run: {run.folder} (prowess report {run.folder}; prowess show {run.folder})")
    return 1 if errors else 0


def tell_course(run: Run) -> None:
    """Say what came of a course of learning, as its report does."""
    from prowess.report.report import sentence_of
    from prowess.report.view import view_of

    say(sentence_of(view_of(run, run.folder.resolve().name, steps_only=True)))


def tell_errors(facts: Sequence[Outcome], what: str) -> int:
    """Say how many of some episodes broke and how the first of them did; how many."""

    broken = [fact for fact in facts if fact.broken]
    if broken:
        are = "is" if len(broken) == 1 else "are"
        say(f"error: {len(broken)} of {len(facts)} {what} ended in an error and {are} not counted")
        say(f"first: {broken[0].task}: {broken[0].error}")
    return len(broken)


def tell_errors_in(folders: Iterable[Path]) -> int:
    """Say the same of several runs. Of learning not all episodes are kept: the figures of its steps tell how many."""
    from prowess.figures.measure import outcomes
    from prowess.run import Run

    named = {"collect": "demonstrations", "evaluate": "episodes"}
    found = 0
    for run in map(Run.open, folders):
        # What a run has logged is quick to read, its episodes may be many.
        names = ("collect/errors", "play/errors", "eval/errors")
        logged = int(sum(entry.values.get(name, 0) for entry in run.metrics() for name in names))
        if not logged:
            continue
        if run.about.command in named:
            found += tell_errors(outcomes(run.episodes()), f"{named[run.about.command]} in {run.folder}")
        elif run.about.command in ("sft", "train"):
            found += logged
            broke = f"{counted(logged, 'episode')} in {run.folder} ended in an error"
            say(f"error: {broke} and {'is' if logged == 1 else 'are'} not counted")
            if broken := next((fact for fact in outcomes(run.episodes()) if fact.broken), None):
                say(f"first of those kept: {broken.task}: {broken.error}")
    return found
