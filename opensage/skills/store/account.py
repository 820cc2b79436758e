"""From an episode to what it has to tell the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from opensage.skills.record import Account, Provenance
from opensage.types import Episode, Stop


def account_of(
    episode: Episode,
    *,
    run: str,
    world: str,
    repetition: int = 0,
    namespace: str | None = None,
    masked: Collection[str] = (),
    scores: Mapping[str, float] | None = None,
    checkpoint: str = "",
    world_version: str = "",
    root: str = "",
    fingerprints: Mapping[str, str] | None = None,
) -> Account:
    """What an episode learned and used. Its id is run, task and repetition: told twice, it counts once."""
    errors: dict[str, str] = {}
    for use in episode.called:
        if use.error:
            errors.setdefault(use.name, use.error)
    return Account(
        namespace=world if namespace is None else namespace,
        provenance=Provenance(
            run=run,
            episode=f"{run}/{episode.task.id}/{repetition}",
            task=episode.task.id,
            scenario=episode.task.scenario,
            instruction=episode.task.instruction,
            checkpoint=checkpoint,
            world=world,
            world_version=world_version,
        ),
        learned=episode.learned,
        offered=episode.offered,
        masked=tuple(name for name in masked if name not in episode.offered),
        called=dict(Counter(use.name for use in episode.called)),
        errors=errors,
        scores=dict(scores or {}),
        success=episode.success,
        turns=len(episode.turns),
        tokens=episode.reply_tokens,
        root=root,
        counts=episode.stop is not Stop.ERROR,
        fingerprints=dict(fingerprints or {}),
    )
