"""A whole run told to the store: what its episodes wrote, and what became of what they were offered."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from opensage.disk import read_text
from opensage.errors import StoreError
from opensage.record import Played
from opensage.run import RECIPE, Run
from opensage.skills.record import Account
from opensage.skills.store import Store, account_of
from opensage.skills.store import write as rows

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

    def __add__(self, other: Told) -> Told:
        return Told(
            episodes=self.episodes + other.episodes,
            proposed=self.proposed + other.proposed,
            new=self.new + other.new,
            uses=self.uses + other.uses,
        )


def tell_run(
    store: Store,
    folder: Path,
    *,
    namespace: str | None = None,
    solved: bool = False,
    checkpoint: str = "",
    watch: Callable[[int], None] = lambda count: None,
) -> Told:
    """Propose and count every episode of a run; each file of episodes is one transaction, told twice it counts once."""
    run = Run.open(folder)
    recipe = _recipe(run.folder)
    world = str(recipe.get("suite", {}).get("name", "desk"))
    name = run_name(store, run.folder)
    told = Told()
    for key in run.keys():  # noqa: SIM118 (a run is no dictionary)
        before = told.episodes
        with store.many():
            carried: dict[tuple[int, str], dict[str, str]] = {}
            for number, played in enumerate(run.episodes(key)):
                account = account_of(
                    played.episode,
                    run=name,
                    world=world,
                    repetition=played.run,
                    namespace=namespace,
                    checkpoint=checkpoint or player_of(recipe),
                )
                if run.about.command not in ONCE:  # a task comes again, in the same repetition
                    account = _named(account, f"{name}/{key}/{number}")
                chain = carried.setdefault((played.run, played.episode.task.scenario), {})
                told += _take(store, account, played, chain, solved=solved)
        watch(told.episodes - before)
    return told


def _take(store: Store, account: Account, played: Played, chain: dict[str, str], *, solved: bool) -> Told:
    """One episode: its uses are counted for the very code its chain had, else for the head of the name."""
    names = [*account.offered, *account.masked]
    digests = {name: chain.get(name) or _head(store, name, account.namespace) for name in names}
    uses = store.use(rows.usages_of(account, {name: digest for name, digest in digests.items() if digest}))
    if solved and not played.episode.success:
        return Told(episodes=1, uses=uses)
    proposals = store.take(replace(account, offered=(), masked=()))
    for skill, proposal in zip(account.learned, proposals, strict=True):
        chain[skill.name] = proposal.digest
    new = sum(proposal.new for proposal in proposals)
    return Told(episodes=1, proposed=len(proposals), new=new, uses=uses)


def _head(store: Store, name: str, namespace: str) -> str:
    from opensage.skills.store.read import head_named

    return head_named(store.db, name, namespace)


def _named(account: Account, episode: str) -> Account:
    return replace(account, provenance=replace(account.provenance, episode=episode))


def run_name(store: Store, folder: Path) -> str:
    """A run as the store knows it: its path from the store's folder, or its whole path where it lies elsewhere."""
    path, home = folder.resolve(), store.path.resolve().parent
    return path.relative_to(home).as_posix() if path.is_relative_to(home) else path.as_posix()


def player_of(recipe: Mapping[str, Any]) -> str:
    """Who played, as far as a recipe says it: the model, or the policy's name."""
    policy = recipe.get("policy", {})
    name = str(policy.get("name", ""))
    if name == "endpoint":
        return str(policy.get("endpoint", {}).get("model", name))
    return str(recipe.get("model", {}).get("name", name)) if name in ("local", "vllm") else name


def _recipe(folder: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(read_text(folder / RECIPE))
    except tomllib.TOMLDecodeError as error:
        raise StoreError(
            f"{folder / RECIPE} cannot be read: {error}", hint="it is written by the run: restore it"
        ) from None
