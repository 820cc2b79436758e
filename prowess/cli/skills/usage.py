"""How many skills there are, what they were used for, and what that costs: `prowess skills stats | uses | costs`."""

from __future__ import annotations

from typing import Annotated

import typer

from prowess.cli.json_lines import as_json, write_lines
from prowess.cli.options import AsJson
from prowess.cli.skills.json_lines import brief, figures
from prowess.cli.skills.names import found
from prowess.cli.skills.options import PLACE, Limit, Namespace, StoreFile, opened


def stats(
    skill: Annotated[str, typer.Argument(metavar="[SKILL]", help="A skill; nothing for the whole store.")] = "",
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Count skills by status, and their uses; or show one skill, version by version."""
    from prowess.cli.skills.jobs.totals import totals_of
    from prowess.cli.skills.views import counts
    from prowess.text.terminal import console

    with opened(store) as skills:
        if skill:
            versions = skills.versions(found(skills, skill, namespace).id)
            rows = [(entry, skills.statistics(entry.digest)) for entry in versions]
            if json:
                write_lines({**brief(entry), "statistics": figures(each)} for entry, each in rows)
            else:
                console().print(counts.versions_table(rows))
            return
        totals = totals_of(skills, namespace)
    if json:
        write_lines([totals])
    else:
        console().print(counts.totals_table(totals))


def uses(
    skill: Annotated[str, typer.Argument(metavar="[SKILL]", help="A skill; nothing for all of them.")] = "",
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    task: Annotated[str, typer.Option("--task", metavar="TASK", help="Only in this task.")] = "",
    run: Annotated[str, typer.Option("--run", metavar="RUN", help="Only in the run of this name.")] = "",
    limit: Limit = 30,
    json: AsJson = False,
) -> None:
    """List where skills were offered or held back, newest first, with score, call and outcome."""
    from prowess.cli.skills.views import usage
    from prowess.text.terminal import console

    with opened(store) as skills:
        id = found(skills, skill, namespace).id if skill else ""
        rows = skills.uses(skill=id, task=task, run=run, namespace=None if skill else namespace, limit=limit)
    if json:
        write_lines(
            {"name": one.name, "number": one.number, "namespace": one.namespace, **as_json(one.usage)} for one in rows
        )
        return
    screen = console()
    screen.print(usage.uses(rows, width=screen.width))


def costs(
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    every: Annotated[bool, typer.Option("--all", help="Also versions that are no longer offered.")] = False,
    limit: Limit = 30,
    json: AsJson = False,
) -> None:
    """List skills that cost tokens for nothing, because they are offered and not called; the dearest first."""
    from prowess.cli.skills.views import usage
    from prowess.text.terminal import console

    with opened(store) as skills:
        rows = [
            (one, skills.statistics(one.digest)) for one in skills.costs(namespace=namespace, every=every, limit=limit)
        ]
    if json:
        write_lines({**as_json(one), "uplift": worth.uplift, "uplift_error": worth.uplift_error} for one, worth in rows)
        return
    screen = console()
    screen.print(usage.costs(rows, width=screen.width))
