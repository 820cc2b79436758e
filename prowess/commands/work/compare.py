"""What reviewers ask for: the same policy and tasks with no library, its own, another's, and its own hidden.

    prowess work recipes/expert.toml --compare theirs.db

The tasks are those that follow the stream's, so no library was grown on them. All libraries stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import closing, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from prowess.commands.work.curve import COLUMNS, Point, cells, points_of
from prowess.commands.work.exposure import Finder
from prowess.commands.work.settings import WorkSettings
from prowess.commands.work.stream import PlayContext, Stream
from prowess.errors import NotThere
from prowess.figures.tables import Grid, Row
from prowess.play import Agent
from prowess.run import Run, Status, is_run
from prowess.store.db import Store
from prowess.types import Episode, Suite

KINDS = ("no library", "own", "another's", "own, hidden")


def conditions(settings: WorkSettings, other: str, *, tasks: int) -> dict[str, WorkSettings]:
    """The four ways to play the tasks after those of a stream; without another's store, three."""
    after = replace(settings, skip=settings.skip + settings.tasks, tasks=tasks, mask=0.0, root="")
    found = {
        "no library": replace(after, library="none"),
        "own": replace(after, library="frozen"),
        "another's": replace(after, library="frozen", store=other),
        "own, hidden": replace(after, library="masked"),
    }
    return {kind: one for kind, one in found.items() if other or kind != "another's"}


def compare(
    agent: Agent,
    suite: Suite,
    wanted: Mapping[str, WorkSettings],
    folder: Path,
    *,
    finder: Callable[[Store, WorkSettings], Finder | None] = lambda store, settings: None,
    where: PlayContext,
    seed: int,
    workers: int,
    recipe_toml: Callable[[WorkSettings], str],
    free: Collection[str] = ("workers",),
    watch: Callable[[Episode], None] = lambda episode: None,
) -> dict[str, tuple[Point, ...]]:
    """Play every condition into a run of its own; what is finished is not played again. One that was played with
    another recipe, but for the keys in `free`, is refused: its figures would be taken for those of this one."""

    def play(settings: WorkSettings, run: Run) -> None:
        with nullcontext() if settings.library == "none" else Store.open(settings.store, create=False) as store:
            find = finder(store, settings) if store else None
            with closing(find) if find else nullcontext():
                stream = Stream(agent, suite, settings, run, store, find=find, where=where, seed=seed, workers=workers)
                stream.play(watch)

    found = {}
    for kind, settings in wanted.items():
        home = folder / folder_of(kind)
        finished = is_run(home) and Run.open(home).about.status is Status.FINISHED
        with _begun(home, recipe_toml(settings), seed=seed, free=free) as run:
            if not finished:
                play(settings, run)
        found[kind] = points_of(Run.open(home))
    return found


@contextmanager
def _begun(home: Path, recipe_toml: str, *, seed: int, free: Collection[str]) -> Iterator[Run]:
    """The run of a condition, begun or gone on with."""
    try:
        run = Run.create(home, command="work", recipe_toml=recipe_toml, seed=seed, resume=is_run(home), free=free)
    except NotThere as error:
        raise NotThere(
            error.message, hint=f"compare as before, or delete {home.parent}: the stream is kept, and compared anew"
        ) from error
    with run:
        yield run


def folder_of(kind: str) -> str:
    """The name of a condition's run.

    >>> folder_of("own, hidden"), folder_of("another's")
    ('own-hidden', 'anothers')
    """
    return kind.replace(" ", "-").replace("'", "").replace(",", "")


def table(rows: Mapping[str, Mapping[str, tuple[Point, ...]]]) -> Grid:
    """Policies by libraries."""
    out: list[Row] = []
    for policy, kinds in rows.items():
        out.append(Row(head=policy))
        out += [Row(head=kind, cells=cells(points)) for kind, points in kinds.items()]
    return Grid(columns=COLUMNS, rows=tuple(out))
