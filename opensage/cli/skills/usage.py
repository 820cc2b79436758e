"""How many skills there are, what they were used for, and what that costs: `opensage skills stats | uses | costs`."""

from __future__ import annotations

from typing import Annotated

import typer

from opensage.cli.skills.json_lines import as_json, brief, figures, write_lines
from opensage.cli.skills.names import found
from opensage.cli.skills.options import PLACE, AsJson, Limit, Namespace, StoreFile, opened


def stats(
    skill: Annotated[str, typer.Argument(metavar="[SKILL]", help="A skill; nothing for the whole store.")] = "",
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    json: AsJson = False,
) -> None:
    """Count: how many skills stand where, how often they were used; or one skill, version by version."""
    from opensage.cli.skills.jobs.totals import totals_of
    from opensage.cli.skills.views import counts
    from opensage.terminal import console

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
    """Tell where skills were offered or held back, newest first: with what score, whether called, how it ended."""
    from rich.text import Text

    from opensage.cli.skills.views import tables
    from opensage.cli.skills.views.text import line, moment
    from opensage.terminal import console

    with opened(store) as skills:
        id = found(skills, skill, namespace).id if skill else ""
        rows = skills.uses(skill=id, task=task, run=run, namespace=None if skill else namespace, limit=limit)
    if json:
        write_lines(
            {"name": one.name, "number": one.number, "namespace": one.namespace, **as_json(one.usage)} for one in rows
        )
        return
    screen = console()
    wide = screen.width >= tables.WIDE
    where = ("run", "task") if wide else ()
    table = tables.table_of("when", "skill", *where, "arm", "place", "score", "called", "end", right=_FIGURES)
    for one in rows:
        use = one.usage
        name = Text(f"{line(one.name)}@{one.number}", style="bold")
        places = (Text(line(use.run.partition("@")[0])), Text(line(use.task)))
        end = Text("solved", style="green") if use.success else Text("not solved", style="red")
        if use.error:
            end.append(f", it raised {line(use.error, 40)}", style="red")
        table.add_row(
            Text(moment(use.at), style="dim"),
            *((name, *places) if wide else (tables.stacked(name, *places),)),
            use.arm,
            str(use.rank + 1) if use.arm == "offered" else "–",
            f"{use.score:.2f}" if use.score else "–",
            str(use.called),
            end,
        )
    screen.print(table if rows else Text("no use", style="dim"))


def costs(
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    every: Annotated[bool, typer.Option("--all", help="Also versions that are no longer offered.")] = False,
    limit: Limit = 30,
    json: AsJson = False,
) -> None:
    """Tell which skills cost tokens for nothing: offered, and not called; the dearest first."""
    from rich.text import Text

    from opensage.cli.skills.views import tables
    from opensage.cli.skills.views.text import line
    from opensage.terminal import console

    with opened(store) as skills:
        rows = skills.costs(namespace=namespace, every=every, limit=limit)
        worths = [skills.statistics(one.digest) for one in rows]
    if json:
        write_lines(
            {**as_json(one), "uplift": worth.uplift, "uplift_error": worth.uplift_error}
            for one, worth in zip(rows, worths, strict=True)
        )
        return
    screen = console()
    wide = screen.width >= tables.WIDE
    heads = ("skill", "status", "digest") if wide else ("skill",)
    table = tables.table_of(*heads, "tokens", "offered", "called", "solved", "unused tokens", "uplift", right=_FIGURES)
    for one, worth in zip(rows, worths, strict=True):
        name = Text(f"{line(one.name)}@{one.number}", style="bold")
        stands = (tables.status_text(one.status), Text(one.digest[:8]))
        table.add_row(
            *((name, *stands) if wide else (tables.stacked(name, Text(" ").join(stands)),)),
            f"{one.tokens:,}",
            str(one.offered),
            str(one.called),
            tables.share_text(one.called_successes, one.called),
            f"{one.unused:,}",
            tables.uplift_cell(worth),
        )
    screen.print(table if rows else Text("nothing was offered yet", style="dim"))


_FIGURES = frozenset({"place", "score", "called", "tokens", "offered", "solved", "unused tokens", "uplift"})
