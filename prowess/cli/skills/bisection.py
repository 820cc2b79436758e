"""Which skill change made an evaluation worse: `prowess skills bisect`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prowess.cli.json_lines import write_lines
from prowess.cli.options import AsJson, Sets, read_recipe
from prowess.cli.skills.options import PLACE, Namespace, StoreFile, opened
from prowess.text.terminal import say


def bisect(
    good: Annotated[str, typer.Argument(metavar="GOOD", help="The root of a snapshot that served well.")],
    bad: Annotated[str, typer.Argument(metavar="BAD", help="The root of one that serves worse.")],
    recipe: Annotated[
        str, typer.Option("--recipe", metavar="RECIPE", help="What is played: its policy, tasks and retriever.")
    ] = "expert",
    sets: Sets = None,
    metric: Annotated[str, typer.Option("--metric", help="tgc, sgc, steps or tokens.")] = "tgc",
    tolerance: Annotated[float, typer.Option("--tolerance", min=0, help="Differences up to this are noise.")] = 0.0,
    probation: Annotated[bool, typer.Option("--probation", help="Libraries with what is on probation.")] = False,
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    out: Annotated[Path, typer.Option("--out", help="Where its runs are kept; played ones are not played again.")] = (
        Path("runs/bisect")
    ),
    json: AsJson = False,
) -> None:
    """Find which skill change between two snapshots made an evaluation worse, in about log2(n) evaluations."""
    from prowess.cli.skills.jobs.evaluation import Evaluation
    from prowess.store.curate.bisect import bisect as search

    evaluation = Evaluation(read_recipe(recipe, sets), metric=metric, home=out)
    try:
        with opened(store) as skills:
            found = search(skills, good, bad, evaluation, tolerance=tolerance, probation=probation, namespace=namespace)
    except KeyboardInterrupt:
        say("stopped; the same command goes on from here")
        raise typer.Exit(130) from None
    if json:
        write_lines([found])
    else:
        from prowess.cli.skills.views.bisection import told
        from prowess.text.terminal import console

        console().print(told(found, metric))
    raise typer.Exit(0 if found.culprit else 1)
