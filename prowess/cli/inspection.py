"""Commands that look: runs, report, show, check, recipe, doctor."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prowess.cli.json_lines import write_lines, write_records
from prowess.cli.options import AsJson, RunFolder, Sets, read_recipe, recipe_names
from prowess.text.terminal import console, say


def runs(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[FOLDER]...", help="Where runs lie. (default: runs)")
    ] = None,
    json: AsJson = False,
) -> None:
    """List the runs in a folder: what was run, how far it is, and what came of it."""
    from prowess.errors import NotThere
    from prowess.report.listing import runs_table
    from prowess.report.records import run_lines

    places = folders or [Path("runs")]
    for place in places:
        if not place.is_dir():
            raise NotThere(f"there is no folder '{place}'", hint="prowess runs FOLDER names where runs lie")
    lines = run_lines(places)
    if json:
        write_records(lines)
    elif lines:
        console().print(runs_table(lines))
    else:
        say(f"no run in {', '.join(map(str, places))}")


def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, shown side by side.")],
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="Where to write. (default: the run's folder; of several, a new one beside the first)"
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Write one or several runs side by side as Markdown, HTML and plots."""
    from prowess.report import write_report
    from prowess.report.records import run_record

    if json:  # nothing is written
        write_records([run_record(run) for run in runs])
        return
    if out is None and len(runs) > 1:  # the report of the first run alone stays what it is
        others = runs[1].resolve().name if len(runs) == 2 else f"and-{len(runs) - 1}-more"
        out = runs[0].parent / f"report-{runs[0].resolve().name}-{others}"
    written = write_report(runs, out or runs[0])
    say(written.sentence)
    for path in written.files:
        print(path)


def show(
    run: RunFolder,
    what: Annotated[str, typer.Argument(help="A task, a scenario or a skill; nothing for a list.")] = "",
    number: Annotated[int | None, typer.Option("--run", help="Which run of an evaluation with several.")] = None,
    failed: Annotated[bool, typer.Option("--failed", help="Only episodes that did not solve their task.")] = False,
    browser: Annotated[bool, typer.Option("--browser", help="Write the run's report, and open it.")] = False,
    json: AsJson = False,
) -> None:
    """Read one episode or one skill in the terminal."""
    from prowess.errors import RecipeError
    from prowess.report.records import episode_lines
    from prowess.report.show import find
    from prowess.report.show import show as read
    from prowess.run import Run

    if browser and (what or failed or json or number is not None):
        raise RecipeError("--browser shows a whole run, and more is given", hint=f"prowess show {run} --browser")
    if browser:
        _open(run)
    elif json and what:
        found = find(Run.open(run), what, number=number)
        episodes = [played for played in found.episodes if not (failed and played.episode.success)]
        write_lines([*episodes, *(() if failed else found.skills)])
    elif json:
        lines = episode_lines(Run.open(run), failed=failed)
        write_records(line for line in lines if number in (None, line.run))
    else:
        read(run, what, number, failed=failed)


def _open(run: Path) -> None:
    """Write a run's report, say where it is, and let the browser show it."""
    import webbrowser

    from prowess.report import write_report

    page = next(path for path in write_report([run], run).files if path.name == "report.html")
    print(page)
    if not webbrowser.open(page.resolve().as_uri()):
        say("note: no browser could be opened here; open that file in one")


def check(
    suite: Annotated[str, typer.Argument(metavar="MODULE:SUITE", help="A suite of your own, or one of ours by name.")],
    tasks: Annotated[int, typer.Option("--tasks", min=1, help="Tasks opened per split.")] = 3,
    finish: Annotated[
        str, typer.Option("--finish", metavar="CODE", help="The code that marks a task of this world complete.")
    ] = "apis.supervisor.complete_task()",
    apis: Annotated[
        str, typer.Option("--apis", metavar="APP.API,...", help="APIs to try besides those that the world lists.")
    ] = "",
    json: AsJson = False,
) -> None:
    """Check a world, and show where it breaks the contract."""
    from prowess.pipeline.recipe import Recipe, SuiteSettings
    from prowess.pipeline.suites import suite_in
    from prowess.worlds.check import describe, examine

    with suite_in(Recipe(suite=SuiteSettings(name=suite))) as world:
        findings = examine(world, tasks=tasks, finish=finish, apis=[name for name in apis.split(",") if name])
    if json:
        write_records([findings])
    else:
        print(describe(findings))
    raise typer.Exit(1 if findings.problems else 0)


def recipe(
    recipe: Annotated[
        str,
        typer.Argument(
            metavar="[RECIPE]", help="A recipe to resolve; nothing for every key.", autocompletion=recipe_names
        ),
    ] = "",
    sets: Sets = None,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of recipes, for editors.")] = False,
) -> None:
    """Print a recipe with everything resolved, or list every key with its default and meaning."""
    from prowess.errors import RecipeError
    from prowess.files.codec import page_of
    from prowess.pipeline.recipe import Recipe
    from prowess.recipe import describe, shipped, to_toml
    from prowess.recipe.schema import schema_of

    if schema and (recipe or sets):
        raise RecipeError("--schema is of all recipes, and one is named", hint="prowess recipe --schema")
    if schema:
        print(page_of(schema_of(Recipe)), end="")
        return
    if sets and not recipe:
        raise RecipeError("--set changes a recipe, and none is named", hint="prowess recipe NAME --set ...")
    if recipe:
        print(to_toml(read_recipe(recipe, sets)), end="")
        return
    for entry in describe(Recipe):
        print(f"{entry.key} = {entry.default}\n    {entry.type}. {entry.doc}")
    say(f"\nshipped recipes: {', '.join(sorted(shipped()))}")


def doctor(
    learn: Annotated[
        bool, typer.Option("--learn", help="Whether this machine can learn, too: what that needs is needed.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show what this machine can do, and what to install for what is missing."""
    from prowess.doctor import able, examine
    from prowess.doctor import show as tell

    findings = examine(learn=learn)
    if json:
        write_records(findings)
    else:
        tell(console(), findings, job="learning" if learn else "the default job")
    raise typer.Exit(0 if able(findings) else 1)
