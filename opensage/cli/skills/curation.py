"""Evidence at work: `opensage skills admit | curate | review`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from opensage.cli.skills.json_lines import write_lines
from opensage.cli.skills.options import PLACE, AsJson, Namespace, StoreFile, Who, again, found, opened, person
from opensage.terminal import say
from opensage.words import counted

if TYPE_CHECKING:
    from opensage.wiring import Recipe

World = Annotated[
    str, typer.Option("--world", metavar="RECIPE", help="A recipe whose world the skills belong to, such as expert.")
]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SECTION.KEY=VALUE", help="Over the recipe; may be given many times."),
]
Runs = Annotated[
    list[Path] | None,
    typer.Option(
        "--runs", metavar="FOLDER", exists=True, file_okay=False, help="Where runs lie, besides the usual places."
    ),
]


def admit(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[SKILL]...", help="Candidates; nothing for all of them.")
    ] = None,
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    world: World = "expert",
    sets: Sets = None,
    runs: Runs = None,
    json: AsJson = False,
) -> None:
    """Lead candidates through the gates: structure, leaks, lint, copies, replay in the sandbox, transfer, risk."""
    from rich.text import Text

    from opensage.cli.skills.jobs.gates import admitted
    from opensage.cli.skills.views import pieces
    from opensage.cli.skills.views.text import line
    from opensage.terminal import console, progress

    with opened(store) as skills, progress(None, "admit") as bar:
        digests = [found(skills, name, namespace).digest for name in names or ()]
        done = []
        for one in admitted(skills, _recipe(world, sets), digests, namespace=namespace, places=runs or ()):
            done.append(one)
            bar.advance(1, **{str(one.status): sum(other.status is one.status for other in done)})
    if json:
        write_lines(done)
        return
    table = pieces.table_of("skill", "digest", "status", "why")
    for one in done:
        why = Text(line(pieces.gist(one.verifications), 300), style="dim")
        table.add_row(Text(line(one.name), style="bold"), one.digest[:8], pieces.status_text(one.status), why)
    console().print(table if done else Text("no candidate waits", style="dim"))


def curate(
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")] = False,
    world: Annotated[
        str, typer.Option("--world", metavar="RECIPE", help="Hold skills against the APIs of this recipe's world, too.")
    ] = "",
    sets: Sets = None,
    who: Who = "",
    json: AsJson = False,
) -> None:
    """Promote and suspend by evidence; with --world, what relies on a changed API goes stale, or comes back."""
    from rich.text import Text

    from opensage.cli.skills.jobs.upkeep import upkeep
    from opensage.cli.skills.views import pieces
    from opensage.cli.skills.views.text import line
    from opensage.terminal import console

    recipe = _recipe(world, sets)
    with opened(store) as skills:
        done = upkeep(
            skills,
            recipe if world else None,
            recipe.skills.curate,
            namespace=namespace,
            dry_run=dry_run,
            who=who or "curate",
        )
    if json:
        write_lines(done.moves)
        return
    table = pieces.table_of("skill", "digest", "status", "why")
    for one in done.moves:
        way = pieces.status_text(one.before).append(" → ", style="dim").append_text(pieces.status_text(one.to))
        why = Text(line(one.why), style="dim")
        if one.refused:
            way, why = Text("stays ", style="dim").append_text(way), why.append(f"\nnot done: {line(one.refused)}")
        table.add_row(Text(line(one.name), style="bold"), one.digest[:8], way, why)
    console().print(table if done.moves else Text("the evidence asks for nothing", style="dim"))
    if done.unknown:
        keep = "skill keeps" if done.unknown == 1 else "skills keep"
        say(f"{done.unknown} {keep} no fingerprint of some API: nothing is known of that")
    events = " ".join(str(one.event) for one in reversed(done.moves) if one.event)
    if events:
        say(f"to take it back: opensage skills undo {events}{again(store)}")


def review(
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    runs: Runs = None,
    world: World = "expert",
    sets: Sets = None,
    who: Who = "",
) -> None:
    """Decide about what waits, one by one, with all that speaks for and against each: a queue in the terminal."""
    from functools import partial

    from opensage.cli.skills.jobs.gates import replaying
    from opensage.cli.skills.views.review import Review
    from opensage.errors import RecipeError

    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise RecipeError(
            "the review needs a terminal", hint="for scripts: opensage skills list --status review --json, then approve"
        )
    recipe = _recipe(world, sets)
    with opened(store) as skills:
        decided = Review(
            skills,
            who=person(who),
            namespace=namespace,
            places=runs or (),
            replaying=partial(replaying, recipe, skills, runs or ()),
            settings=recipe.skills.curate,
        ).run()
    say(f"{decided or 0} decided")


def merge(
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="A proposal, by its name or a parent's; nothing to list all.")
    ] = "",
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    world: World = "expert",
    sets: Sets = None,
    runs: Runs = None,
    undo: Annotated[bool, typer.Option("--undo", help="Take the merge into NAME back.")] = False,
    who: Who = "",
) -> None:
    """List skills that differ in constants alone; or make one of them.

    That is done only if all recorded calls come out the same and the gates have nothing against it.
    """
    from opensage.cli.skills.jobs import merges
    from opensage.cli.skills.jobs.gates import replaying
    from opensage.cli.skills.verdicts import tell
    from opensage.errors import StoreError
    from opensage.skills.merge import accept
    from opensage.skills.merge import undo as take_back
    from opensage.terminal import console

    with opened(store) as skills:
        if not name:
            console().print(merges.table(merges.proposals(skills, namespace=namespace)))
            return
        if undo:
            tell(skills, take_back(skills, found(skills, name, namespace).digest, who=person(who)))
            return
        proposal = merges.chosen(skills, name, namespace=namespace)
        with replaying(_recipe(world, sets), skills, runs or ()) as trying:
            done = accept(skills, proposal, trying, who=person(who))
        if done.refused or done.proposal is None:
            raise StoreError(f"'{proposal.skill.name}' has not taken its parents' place: {done.refused}")
        made = f"{proposal.skill.name} {done.proposal.digest[:12]}"
        same = f"{counted(done.trials, 'recorded call')} came out the same"
        print(f"{made}: {merges.why_of(proposal)}; {same}")
        say(f"to take it back: opensage skills merge --undo {proposal.skill.name}")


def _recipe(name: str, sets: list[str] | None) -> Recipe:
    """The recipe of that name with what was set over it; without a name, the defaults."""
    from opensage.recipe import read, resolve
    from opensage.wiring import Recipe

    return read(Recipe, name, sets or []) if name else resolve(Recipe, {}, sets or [])
