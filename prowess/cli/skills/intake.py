"""What comes in: `prowess skills propose | ingest`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from prowess.cli.skills.options import PLACE, Namespace, StoreFile, again, opened
from prowess.text.plural import counted
from prowess.text.terminal import say


def propose(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Folders of runs.")],
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    solved: Annotated[bool, typer.Option("--solved", help="Only what episodes that solved their task wrote.")] = False,
    checkpoint: Annotated[
        str, typer.Option("--checkpoint", help="Which weights played. (default: as the run's recipe says)")
    ] = "",
) -> None:
    """Put the skills of a run's episodes into the store, and count their uses. A second time changes nothing."""
    from prowess.cli.skills.jobs.runs import tell_run
    from prowess.run import Run
    from prowess.text.terminal import progress

    for folder in runs:
        Run.open(folder)  # a wrong one is told before a store is begun
    with opened(store, create=True) as skills:
        for folder in runs:
            with progress(None, f"propose {folder}") as bar:
                told = tell_run(
                    skills,
                    folder,
                    namespace=namespace,
                    solved=solved,
                    checkpoint=checkpoint,
                    watch=bar.advance,
                    warn=lambda text: say(f"warning: {text}"),
                )
            print(
                f"{folder}: {counted(told.episodes, 'episode')}, {counted(told.proposed, 'skill')} proposed: "
                f"{counted(told.new, 'new version')}, the others known; {counted(told.uses, 'use')} counted"
            )
    which = again(store)
    say(f"store: {store} (prowess skills list{which}; prowess skills admit{which})")


def ingest(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="[FOLDER]...", help="Folders of journals. (default: STORE.journals)")
    ] = None,
    store: StoreFile = PLACE,
    clear: Annotated[
        bool, typer.Option("--clear", help="Then delete journals that are taken in to their ends and not in use.")
    ] = False,
) -> None:
    """Take in workers' journals, each entry exactly once. Run it as often as you like, also while they write.

    Journals are kept. So a store that was restored from a copy can take in again what came since.
    """
    from prowess.cli.skills.views.text import line
    from prowess.commands.work.care import journals
    from prowess.errors import RecipeError
    from prowess.store.db import Ingested
    from prowess.store.db import clear as tidy
    from prowess.store.db import ingest as take_in

    def check(folder: Path) -> None:
        if not folder.is_dir():
            raise RecipeError(f"there is no folder of journals at {folder}", hint="name one that workers write to")

    for folder in folders or ():  # before a store is begun for nothing
        check(folder)
    done = Ingested()
    with opened(store, create=bool(folders)) as skills:
        for folder in folders or [journals(skills)]:
            check(folder)
            found = take_in(skills, folder)
            done += found
            print(f"{folder}: {counted(found.records, 'record')} taken in, {found.refused} of them refused")
            if clear:
                print(f"{folder}: {counted(tidy(skills, folder), 'journal')} deleted")
    if done.refused:
        say(f"error: the first refusal: {line(done.why, 300)}")
    if done.torn:
        say(
            f"error: {line(', '.join(done.torn), 300)}: what stands in the first or last line cannot be read\n"
            "hint: nothing is lost if the machine lost its power as it was written; else put a copy in its place"
        )
    raise typer.Exit(1 if done.refused or done.torn else 0)
