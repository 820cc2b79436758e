"""What gates and evidence decide: `prowess skills admit | curate`."""

from __future__ import annotations

from typing import Annotated

import typer

from prowess.cli.json_lines import write_lines
from prowess.cli.options import AsJson, Sets
from prowess.cli.skills.names import found
from prowess.cli.skills.options import PLACE, Namespace, Runs, StoreFile, Who, World, again, opened, recipe_of
from prowess.text.terminal import say


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
    """Test candidates at the gates: structure, leaks, lint, copies, replay in the sandbox, transfer, risk."""
    from prowess.cli.skills.jobs.gates import admitted
    from prowess.cli.skills.views import listings
    from prowess.text.terminal import console, progress

    with opened(store) as skills, progress(None, "admit") as bar:
        digests = [found(skills, name, namespace).digest for name in names or ()]
        done = []
        for one in admitted(skills, recipe_of(world, sets), digests, namespace=namespace, places=runs or ()):
            done.append(one)
            bar.advance(1, **{str(one.status): sum(other.status is one.status for other in done)})
    if json:
        write_lines(done)
        return
    console().print(listings.admissions(done))


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
    """Promote and suspend skills by evidence. With --world, skills of a changed API become stale, or return."""
    from prowess.cli.skills.jobs.upkeep import upkeep
    from prowess.cli.skills.views import listings
    from prowess.text.terminal import console, progress_of_many

    recipe = recipe_of(world, sets)
    with opened(store) as skills:
        done = upkeep(
            skills,
            recipe if world else None,
            recipe.skills.curate,
            namespace=namespace,
            dry_run=dry_run,
            who=who or "curate",
            watch=progress_of_many,
        )
    if json:
        write_lines(done.moves)
        return
    console().print(listings.moves(done.moves))
    if done.unknown:
        keep = "skill keeps" if done.unknown == 1 else "skills keep"
        say(f"{done.unknown} {keep} no fingerprint of some API: nothing is known of that")
    events = " ".join(str(one.event) for one in reversed(done.moves) if one.event)
    if events:
        say(f"to take it back: prowess skills undo {events}{again(store)}")
