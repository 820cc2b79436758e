"""The command line: `opensage collect | sft | train | learn | evaluate | ablate | report | show ...`.

Data goes to standard output, everything else to standard error. Exit codes: 0 all went well, 1 some episodes ended in
an error or a check found problems, 2 the command was given something wrong, 130 Ctrl-C (what was finished is kept, and
the same command goes on from there).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from opensage import __version__
from opensage.errors import OpensageError, RecipeError
from opensage.skillcli.commands import app as skills
from opensage.worlds.appworld.commands import app as appworld

if TYPE_CHECKING:
    from collections.abc import Mapping

    from opensage.run import Run
    from opensage.school import Watch
    from opensage.stages import Screen
    from opensage.terminal import Bar
    from opensage.types import Episode
    from opensage.wiring import Recipe

app = typer.Typer(
    name="opensage",
    help="Agents that write their own skills, keep them, and learn from using them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.add_typer(appworld, name="appworld")
app.add_typer(skills, name="skills")

RecipeFile = Annotated[str, typer.Argument(metavar="RECIPE", help="A recipe's path, or the name of a shipped one.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Over the recipe; may be given many times."),
]
Out = Annotated[Path | None, typer.Option("--out", help="The run's folder. [default: runs/NAME-COMMAND]")]
Force = Annotated[bool, typer.Option("--force", help="Begin again, deleting what the run's folder holds.")]
Workers = Annotated[int | None, typer.Option("--workers", min=1, help="Episodes played at once; changes no result.")]
LIVE = ("reward/mean", "play/tgc", "play/sgc", "play/use", "learn/loss", "learn/entropy", "eval/tgc", "eval/sgc")
"""The figures of a step that are shown while learning; all of them are in metrics.jsonl."""
RunFolder = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]


def _version(wanted: bool) -> None:
    if wanted:
        print(f"opensage {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_version, is_eager=True)
    ] = False,
) -> None: ...


@app.command()
def collect(
    recipe: RecipeFile, sets: Sets = None, out: Out = None, force: Force = False, workers: Workers = None
) -> None:
    """Collect episodes of a policy over a split and keep the good ones as a data set for imitation."""
    from opensage.collect import collect as play
    from opensage.wiring import parts_of, recorded

    settings = _read(recipe, sets, workers)
    with parts_of(recorded(settings)) as parts, _run(settings, "collect", out, force) as run:
        with _watching(f"collect {settings.collect.split}") as watch:
            found = play(
                parts.agent_at,
                parts.suite,
                settings.collect,
                run,
                seed=settings.seed,
                workers=settings.threads,
                watch=watch,
            )
        failures = _conclude(run)
        dropped = "".join(f", {count} dropped: {why}" for why, count in sorted(found.dropped.items()))
        print(f"kept {found.kept} of {found.chains} chains, {found.tries} tries{dropped}", file=sys.stderr)
        print(f"{run.folder / 'data' / 'sft.jsonl'}: {found.conversations} conversations", file=sys.stderr)
    raise typer.Exit(failures)


@app.command()
def evaluate(
    recipe: RecipeFile,
    sets: Sets = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint",
            metavar="FOLDER",
            help="Who plays: a checkpoint, the best of a run, an adapter or a model. [default: the recipe's policy]",
        ),
    ] = None,
    out: Out = None,
    force: Force = False,
    workers: Workers = None,
) -> None:
    """Play a split scenario by scenario with the library carried along, and print the table of results."""
    from opensage.rollout import chains_of
    from opensage.school import playing
    from opensage.stages import assess
    from opensage.wiring import parts_of

    settings = _read(recipe, sets, workers)
    settings = playing(settings, checkpoint) if checkpoint else settings
    with parts_of(settings) as parts:
        chains_of(parts.suite, settings.evaluate.split)  # a wrong split is told before --force deletes anything
        with _run(settings, "evaluate", out, force) as run:
            assess(settings, parts, run, _screen(), f"evaluate {settings.evaluate.split}")
            failures = _conclude(run)
    raise typer.Exit(failures)


@app.command()
def work(
    recipe: RecipeFile,
    sets: Sets = None,
    out: Out = None,
    force: Force = False,
    workers: Workers = None,
    queue: Annotated[
        str | None, typer.Option("--queue", metavar="FILE", help="Task ids or JSON lines; - for standard input.")
    ] = None,
    store: Annotated[str | None, typer.Option("--store", metavar="FILE", help="The skill store.")] = None,
    against: Annotated[
        str | None,
        typer.Option("--compare", metavar="STORE", help="Then play on: no library, own, this one's, own but hidden."),
    ] = None,
    more: Annotated[int, typer.Option("--compare-tasks", min=1, help="Tasks after the stream to compare on.")] = 90,
) -> None:
    """Work through a stream of tasks with a skill store that grows on the way, so that later tasks are cheaper."""
    from dataclasses import replace

    from opensage.shift import comparison, finished, live, recording, stream_of

    settings = _read(recipe, sets, workers)
    if queue is not None:
        settings = replace(settings, work=replace(settings.work, queue=queue))
    if store is not None:
        settings = replace(settings, work=replace(settings.work, store=store))
    settings = recording(settings)
    with live(settings) as parts, _run(settings, "work", out, force) as run:
        with stream_of(settings, parts, run) as stream, _watching("work", settings.work.tasks or None) as watch:
            stream.play(watch)
        finished(run)
        if against is not None:
            with _watching("compare") as watch:
                comparison(settings, parts, run, against, tasks=more, watch=watch)
        failures = _conclude(run)
    raise typer.Exit(failures)


@app.command()
def sft(recipe: RecipeFile, sets: Sets = None, out: Out = None, force: Force = False, workers: Workers = None) -> None:
    """Imitate the conversations that were collected, and score the result."""
    from opensage.school import imitate

    _learn("sft", imitate, _read(recipe, sets, workers), out, force)


@app.command()
def train(
    recipe: RecipeFile, sets: Sets = None, out: Out = None, force: Force = False, workers: Workers = None
) -> None:
    """Learn from playing chains of tasks: SAGE, or one of its ablations."""
    from opensage.school import reinforce

    _learn("train", reinforce, _read(recipe, sets, workers), out, force)


@app.command()
def learn(
    recipe: RecipeFile,
    sets: Sets = None,
    out: Annotated[Path | None, typer.Option("--out", help="The folder of all its runs. [default: runs/NAME]")] = None,
    split: Annotated[str, typer.Option("--split", help="The split of the table, not learnt from.")] = "test_normal",
    workers: Workers = None,
) -> None:
    """Go the whole way: collect, sft, train, and the agent before and after side by side on tasks it has not seen."""
    from opensage.learn import learn as go
    from opensage.stages import table
    from opensage.tables import rich_table
    from opensage.terminal import console

    settings = _read(recipe, sets, workers)
    home = out or Path("runs") / settings.name
    try:
        rows = go(settings, home, split=split, screen=_screen())
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        raise typer.Exit(130) from None
    console().print(rich_table(table(rows), title=f"{settings.name} on {split}, seed {settings.seed}"))
    print(f"curves and comparison: {home / 'report.html'}", file=sys.stderr)


@app.command()
def ablate(
    recipes: Annotated[
        list[str], typer.Argument(metavar="RECIPE...", help="Recipes' paths, or names of shipped ones.")
    ],
    seeds: Annotated[str, typer.Option("--seeds", metavar="N,N...", help="Seeds, each for every recipe.")] = "0,1,2",
    split: Annotated[str, typer.Option("--split", help="The split of the table.")] = "test_normal",
    sets: Sets = None,
    out: Annotated[Path, typer.Option("--out", help="The folder of all its runs.")] = Path("runs/ablation"),
    workers: Workers = None,
) -> None:
    """Train and evaluate several recipes with several seeds, and print one table. Finished runs are not done again."""
    from opensage.ablate import ablate as compare
    from opensage.ablate import seeds_in
    from opensage.stages import table
    from opensage.tables import rich_table
    from opensage.terminal import console

    settings = [_read(recipe, sets, workers) for recipe in recipes]
    try:
        rows = compare(settings, seeds_in(seeds), out, split=split, screen=_screen())
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        raise typer.Exit(130) from None
    console().print(rich_table(table(rows)))
    print(f"the same as Markdown: {out / 'table.md'}", file=sys.stderr)


@app.command()
def report(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs, shown side by side.")],
    out: Annotated[Path | None, typer.Option("--out", help="Where to write. [default: the first run's folder]")] = None,
) -> None:
    """Write one or several runs side by side as Markdown, HTML and plots."""
    from opensage.report import write_report

    for path in write_report(runs, out or runs[0]):
        print(path)


@app.command()
def show(
    run: RunFolder,
    what: Annotated[str, typer.Argument(help="A task, a scenario or a skill; nothing for a list.")] = "",
    number: Annotated[int | None, typer.Option("--run", help="Which run of an evaluation with several.")] = None,
) -> None:
    """Read one episode or one skill in the terminal."""
    from opensage.show import show as read

    read(run, what, number)


@app.command()
def check(
    suite: Annotated[str, typer.Argument(metavar="MODULE:SUITE", help="A suite of your own, or one of ours by name.")],
    tasks: Annotated[int, typer.Option("--tasks", min=1, help="Tasks opened per split.")] = 3,
    finish: Annotated[
        str, typer.Option("--finish", metavar="CODE", help="The code that marks a task of this world complete.")
    ] = "apis.supervisor.complete_task()",
) -> None:
    """Tell the author of a world what breaks the contract."""
    from opensage.wiring import Recipe, SuiteSettings, suite_in
    from opensage.worlds.check import describe, examine

    with suite_in(Recipe(suite=SuiteSettings(name=suite))) as world:
        findings = examine(world, tasks=tasks, finish=finish)
    print(describe(findings))
    raise typer.Exit(1 if findings.problems else 0)


@app.command()
def recipe(
    recipe: Annotated[str, typer.Argument(metavar="[RECIPE]", help="A recipe to resolve; nothing for every key.")] = "",
    sets: Sets = None,
) -> None:
    """Print a recipe with everything resolved, or list every key with its default and meaning."""
    from opensage.recipe import describe, shipped, to_toml
    from opensage.wiring import Recipe

    if recipe:
        print(to_toml(_read(recipe, sets, None)), end="")
        return
    for entry in describe(Recipe):
        print(f"{entry.key} = {entry.default}\n    {entry.type}. {entry.doc}")
    print(f"\nshipped recipes: {', '.join(sorted(shipped()))}", file=sys.stderr)


@app.command()
def doctor() -> None:
    """Say what this machine can do, and what to install for what is missing."""
    from rich.console import Console

    from opensage.doctor import able, examine
    from opensage.doctor import show as tell

    findings = examine()
    tell(Console(), findings)
    raise typer.Exit(0 if able(findings) else 1)


def _learn(
    command: str, learn: Callable[[Recipe, Run, Watch], None], recipe: Recipe, out: Path | None, force: bool
) -> None:
    """Run a course of learning with its figures in sight."""
    from opensage.school import best_of
    from opensage.sinks import check_sinks

    check_sinks(recipe.sinks)
    with _run(recipe, command, out, force) as run, _following(command) as watch:
        learn(recipe, run, watch)
    print(f"best checkpoint: {best_of(run.folder)}", file=sys.stderr)
    print(f"run: {run.folder} (opensage report {run.folder})", file=sys.stderr)


def _screen() -> Screen:
    """Progress bars for all stages."""
    from opensage.stages import Screen

    return Screen(course=_following, episodes=_watching)


@contextmanager
def _following(title: str) -> Iterator[Watch]:
    """A progress bar that follows the steps of a course with a few live figures."""
    from contextlib import ExitStack

    from opensage.terminal import progress

    with ExitStack() as stack:
        bars: list[Bar] = []

        def watch(step: int, figures: Mapping[str, float], total: int) -> None:
            if not bars:
                bars.append(stack.enter_context(progress(total, title)))
            shown = {name.partition("/")[2]: round(figures[name], 3) for name in LIVE if name in figures}
            bars[0].advance(1, **shown)

        yield watch


def _read(recipe: str, sets: list[str] | None, workers: int | None) -> Recipe:
    from dataclasses import replace

    from opensage.recipe import read
    from opensage.wiring import Recipe

    settings = read(Recipe, recipe, sets or [])
    return replace(settings, workers=workers) if workers else settings


@contextmanager
def _run(recipe: Recipe, command: str, out: Path | None, force: bool) -> Iterator[Run]:
    """The run's folder, held for writing: a new one, or one to go on with."""
    from opensage.recipe import to_toml
    from opensage.run import Run
    from opensage.wiring import FREE

    folder = out or recipe.folder(command)
    resume = not force and (folder / "run.json").exists()
    try:
        with Run.create(
            folder,
            command=command,
            recipe_toml=to_toml(recipe),
            seed=recipe.seed,
            resume=resume,
            force=force,
            free=FREE,
        ) as run:
            if resume:
                print(f"going on with {folder} (--force to begin again)", file=sys.stderr)
            yield run
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        raise typer.Exit(130) from None


@contextmanager
def _watching(title: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """A progress bar that follows episodes with a few live figures."""
    from opensage.terminal import progress
    from opensage.types import Stop

    played = solved = errors = used = 0
    with progress(total, title) as bar:

        def watch(*episodes: Episode) -> None:
            nonlocal played, solved, errors, used
            for episode in episodes:
                played += 1
                solved += episode.success
                errors += episode.stop is Stop.ERROR
                used += bool(episode.called)
            bar.advance(len(episodes), solved=f"{solved}/{played}", used=used, errors=errors)

        yield watch


def _conclude(run: Run) -> int:
    """Print the table, say where things are, and how many episodes broke."""
    from rich.console import Console

    from opensage.measure import measure, metrics_of, outcomes
    from opensage.tables import measures_table
    from opensage.terminal import safe

    facts = outcomes(run.episodes())
    rows = measure(facts)
    Console().print(measures_table(rows))
    errors = sum(row.errors for row in rows if row.difficulty is None)
    if errors:
        first = next(fact for fact in facts if fact.broken)
        print(f"error: {errors} of {len(facts)} episodes ended in an error and are not counted", file=sys.stderr)
        print(safe(f"first: {first.task}: {first.error}"), file=sys.stderr)
        print(f"to play them again: delete their files in {run.folder / 'episodes'}, same command", file=sys.stderr)
    print(f"run: {run.folder} (opensage report {run.folder}; opensage show {run.folder})", file=sys.stderr)
    for row in rows[:1]:
        run.log(0, metrics_of(row))
    return 1 if errors else 0


def main() -> None:
    """Run a command; what the user can mend is said in plain words, without a traceback."""
    try:
        app()
    except OpensageError as error:
        from opensage.terminal import safe

        print(f"error: {safe(str(error))}", file=sys.stderr)
        sys.exit(2 if isinstance(error, RecipeError) else 1)
