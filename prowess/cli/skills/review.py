"""What waits for a person, and what could be one skill: `prowess skills review | merge`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from prowess.cli.options import Sets
from prowess.cli.skills.names import found
from prowess.cli.skills.options import PLACE, Namespace, Runs, StoreFile, Who, World, again, opened, person, recipe_of
from prowess.text.plural import counted
from prowess.text.terminal import say


def review(
    store: StoreFile = PLACE,
    namespace: Namespace = None,
    runs: Runs = None,
    world: World = "expert",
    sets: Sets = None,
    who: Who = "",
) -> None:
    """Decide in the terminal about skills that wait, one by one, with the evidence for and against each."""
    from functools import partial

    from prowess.cli.skills.jobs.gates import replaying
    from prowess.cli.skills.views.review import Review
    from prowess.errors import RecipeError

    if not sys.stdin.isatty() or not sys.stdout.isatty():
        raise RecipeError(
            "the review needs a terminal", hint="for scripts: prowess skills list --status review --json, then approve"
        )
    recipe = recipe_of(world, sets)
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
    """List skills that differ only in constants, or merge them into one.

    They are merged only if all recorded calls give the same results and the gates accept the result.
    """
    from prowess.cli.skills.jobs import merges
    from prowess.cli.skills.jobs.gates import replaying
    from prowess.cli.skills.verdicts import tell
    from prowess.cli.skills.views.merges import table
    from prowess.errors import StoreError
    from prowess.store.merging.merge import accept
    from prowess.store.merging.merge import undo as take_back
    from prowess.text.terminal import console, progress_of_many

    with opened(store) as skills:
        if not name:
            console().print(table(merges.proposals(skills, namespace=namespace, watch=progress_of_many)))
            return
        if undo:
            tell(skills, take_back(skills, found(skills, name, namespace).digest, who=person(who)))
            return
        proposal = merges.chosen(skills, name, namespace=namespace, watch=progress_of_many)
        with replaying(recipe_of(world, sets), skills, runs or ()) as trying:
            done = accept(skills, proposal, trying, who=person(who))
        if done.refused or done.proposal is None:
            raise StoreError(f"'{proposal.skill.name}' has not taken its parents' place: {done.refused}")
        made = f"{proposal.skill.name} {done.proposal.digest[:12]}"
        same = f"{counted(done.trials, 'recorded call')} came out the same"
        print(f"{made}: {merges.why_of(proposal)}; {same}")
        say(f"to take it back: prowess skills merge --undo {proposal.skill.name}{again(store)}")
