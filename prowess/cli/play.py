"""Commands that play: collect, evaluate, work."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prowess.cli.options import AsJson, Force, Out, RecipeFile, Sets, Workers, read_recipe
from prowess.cli.runs import conclude, run_of
from prowess.cli.screen import screen, watching
from prowess.text.plural import counted
from prowess.text.terminal import say


def collect(
    recipe: RecipeFile,
    sets: Sets = None,
    out: Out = None,
    force: Force = False,
    workers: Workers = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Play nothing: say how many tokens it will take, and what they cost.")
    ] = False,
    turns: Annotated[
        int | None, typer.Option("--turns", min=1, help="Replies of a conversation that an estimate expects.")
    ] = None,
) -> None:
    """Collect episodes of a policy over a split and keep the good ones as a data set for imitation."""
    from prowess.commands.collect import data_in
    from prowess.commands.collect.estimate import told
    from prowess.pipeline.checks import check_collection
    from prowess.pipeline.estimate import estimated, estimated_of, prices_in
    from prowess.pipeline.parts import demonstrating, parts_of
    from prowess.pipeline.stages import gather

    settings = read_recipe(recipe, sets, workers)
    folder = out or settings.folder("collect")
    if estimate:
        for line in told(estimated(settings, folder, turns=turns)):
            print(line)
        return
    with parts_of(demonstrating(settings)) as parts:
        check_collection(settings, parts.suite)
        if prices_in(settings):
            say(f"estimate: {'; '.join(told(estimated_of(settings, parts, folder, turns=turns)))}")
        with run_of(settings, "collect", out, force) as run:
            found = gather(settings, parts, run, screen(), f"collect {settings.collect.split}")
            failures = conclude(run)
        dropped = "".join(f", {count} dropped: {why}" for why, count in sorted(found.dropped.items()))
        chains, tries = counted(found.chains, "chain"), counted(found.tries, "try", "tries")
        say(f"kept {found.kept} of {chains}, {tries}{dropped}")
        helped = f", {found.helped} of them with a teacher's help" if found.helped else ""
        lines = counted(found.conversations, "conversation")
        say(f"{data_in(run.folder)}: {lines}{helped}")
        if not found.conversations:
            say(f"nothing was kept to imitate: prowess show {run.folder} tells how tasks ended")
    raise typer.Exit(failures or int(not found.conversations))


def evaluate(
    recipe: RecipeFile,
    sets: Sets = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FOLDER",
            help="Who plays: a checkpoint, the best of a run, an adapter or a model. (default: the recipe's policy)",
        ),
    ] = None,
    out: Out = None,
    force: Force = False,
    workers: Workers = None,
    json: AsJson = False,
) -> None:
    """Play a split scenario by scenario with the library carried along, and print the table of results."""
    from prowess.pipeline.checks import check_evaluation
    from prowess.pipeline.parts import parts_of
    from prowess.pipeline.stages import assess
    from prowess.pipeline.starts import check_expert, playing
    from prowess.pipeline.weights import playing_in

    settings = read_recipe(recipe, sets, workers)
    if checkpoint:
        settings = playing(settings, checkpoint)
    else:
        if not any(one.partition("=")[0].strip() == "policy.name" for one in sets or ()):
            check_expert(settings)
    with parts_of(settings) as parts:
        scenarios = check_evaluation(settings, parts.suite)
        if not checkpoint:
            say(f"note: the policy '{settings.policy.name}' plays (--checkpoint for what was learnt)")
        with run_of(settings, "evaluate", out, force, playing_in(settings)) as run:
            assess(settings, parts, scenarios, run, screen(), f"evaluate {settings.evaluate.split}")
            failures = conclude(run, json=json)
    raise typer.Exit(failures)


def work(
    recipe: RecipeFile,
    sets: Sets = None,
    out: Out = None,
    force: Force = False,
    workers: Workers = None,
    queue: Annotated[
        str | None, typer.Option("--queue", metavar="FILE", help="Task ids or JSON lines; - for standard input.")
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            metavar="FILE",
            help="The skill store. (default: the recipe's; where it names none, PROWESS_SKILLS)",
        ),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--compare", metavar="STORE", help="Then play on: no library, own, this one's, own but hidden."),
    ] = None,
    more: Annotated[int, typer.Option("--compare-tasks", min=1, help="Tasks after the stream to compare on.")] = 90,
) -> None:
    """Work through a stream of tasks with a skill store that grows, so that later tasks cost less."""
    from dataclasses import replace

    from prowess.cli.skills.options import again, usual
    from prowess.pipeline.work import (
        check_comparison,
        comparison,
        finished,
        live,
        recording,
        stream_of,
        told,
        unsearched,
        waiting,
    )

    settings = read_recipe(recipe, sets, workers)
    if queue is not None:
        settings = replace(settings, work=replace(settings.work, queue=queue))
    named = usual() if settings.work.store == type(settings.work)().store else None
    if (place := store if store is not None else named) is not None:
        settings = replace(settings, work=replace(settings.work, store=place))
    settings = recording(settings)
    if warning := unsearched(settings):
        say(warning)
    if against is not None:
        check_comparison(settings, against)
    with live(settings) as parts, run_of(settings, "work", out, force) as run:
        with stream_of(settings, parts, run) as stream, watching("work", settings.work.tasks or None) as watch:
            stream.play(watch)
        finished(run)
        if against is not None:
            with watching("compare") as watch:
                comparison(settings, parts, run, against, tasks=more, watch=watch)
        failures = conclude(run)
        if against is not None:
            say(f"comparison: {run.folder / 'compare.md'}")
        at = again(Path(settings.work.store))
        if count := waiting(settings):
            wait = "skill waits" if count == 1 else "skills wait"
            say(f"{count} {wait} for a person: prowess skills review{at}")
        for line in told(settings, run):
            say(f"{line}; prowess skills log{at}" if line.startswith("skills:") else line)
    raise typer.Exit(failures)
