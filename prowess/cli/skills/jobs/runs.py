"""A whole run told to the store: what its episodes wrote, and what became of what they were offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as changed
from pathlib import Path

from prowess.commands.work.exposure import Exposure
from prowess.commands.work.stream import PlayContext, account_at, exposures_of
from prowess.errors import ProwessError
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.suites import suite_in
from prowess.pipeline.work import place_of
from prowess.recipe import read
from prowess.run import Run
from prowess.run.folder import RECIPE
from prowess.store.db import Store
from prowess.store.record import Account

ONCE = frozenset({"evaluate", "work"})
"""Commands that play a task once in each repetition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a run came to in the store."""

    episodes: int = 0
    proposed: int = 0
    new: int = 0
    """Versions that the store did not know."""
    uses: int = 0
    """Uses that it had not counted."""


def tell_run(
    store: Store,
    folder: Path,
    *,
    namespace: str | None = None,
    solved: bool = False,
    checkpoint: str = "",
    watch: Callable[[int], None] = lambda count: None,
    warn: Callable[[str], None] = lambda text: None,
) -> Told:
    """Propose and count every episode of a run; each file of episodes is one transaction, told twice it counts once."""
    run = Run.open(folder)
    place = _place(read(Recipe, run.folder / RECIPE), checkpoint, warn)
    name = f"{run.folder.resolve().name}@{run.about.created}"  # as `prowess work` calls its runs
    seen, before = exposures_of(run.folder), _uses(store)
    episodes = proposed = new = 0
    for key in run.keys():  # noqa: SIM118 (a run is no dictionary)
        with store.many():
            carried: dict[tuple[int, str], dict[str, str]] = {}
            for number, played in enumerate(run.episodes(key)):
                # What an earlier task of the chain wrote is what this one was offered, whatever the head is now.
                chain = carried.setdefault((played.run, played.episode.task.scenario), {})
                exposure = seen.get(key) or Exposure(place=played.run, digests=chain)
                account = account_at(place, played.episode, exposure, run=name, namespace=namespace)
                if run.about.command not in ONCE:  # a task comes again, in the same repetition
                    account = _named(account, f"{name}/{key}/{number}")
                if solved and not played.episode.success:
                    account = changed(account, learned=(), tapes=())
                proposals = store.take(account)
                chain.update({skill.name: one.digest for skill, one in zip(account.learned, proposals, strict=True)})
                episodes, proposed = episodes + 1, proposed + len(proposals)
                new += sum(one.new for one in proposals)
                watch(1)
    return Told(episodes=episodes, proposed=proposed, new=new, uses=_uses(store) - before)


def _place(recipe: Recipe, checkpoint: str, warn: Callable[[str], None]) -> PlayContext:
    """What the store is told of the world and the policy; a world that cannot be asked here has no fingerprints."""
    try:
        with suite_in(recipe) as suite:
            place = place_of(recipe, suite)
    except ProwessError as error:
        warn(f"the APIs' fingerprints are not kept, so a change of them will not be noticed: {error.message}")
        place = PlayContext(world=recipe.suite.name, checkpoint=recipe.policy.name)
    return changed(place, checkpoint=checkpoint or place.checkpoint)


def _named(account: Account, episode: str) -> Account:
    return changed(account, provenance=changed(account.provenance, episode=episode))


def _uses(store: Store) -> int:
    return int(str(store.db.execute("SELECT count(*) FROM usage").get))
