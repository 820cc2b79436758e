"""From an episode to what it has to tell the store, and from its recorded calls to tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from prowess.store.canon import legible
from prowess.store.record import Account, Provenance, Trial
from prowess.types import Episode, Stop

if TYPE_CHECKING:  # the package says first which extra is missing
    import apsw


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
    digests: Mapping[str, str] | None = None,
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
        offered=tuple(map(legible, episode.offered)),
        masked=tuple(legible(name) for name in masked if name not in episode.offered),
        called=dict(Counter(use.name for use in episode.called)),
        errors=errors,
        scores=dict(scores or {}),
        success=episode.success,
        turns=len(episode.turns),
        tokens=episode.reply_tokens,
        root=root,
        digests=dict(digests or {}),
        tapes=episode.tapes,
        counts=episode.stop is not Stop.ERROR,
        fingerprints=dict(fingerprints or {}),
    )


TRIALS = 8
"""Trials kept of one version; more would add little."""


_VERSION = "version = (SELECT id FROM version WHERE digest = ?)"
_HOME = f"SELECT task FROM provenance WHERE {_VERSION} ORDER BY id LIMIT 1"
_HELD = f"SELECT count(*) FROM trial WHERE {_VERSION}"


def trials_of(db: apsw.Connection, account: Account, digest_of: Mapping[str, str]) -> Iterable[Trial]:
    """The recorded calls of an account as tests: replays in the task that wrote the code, siblings in others.

    A sibling says that the code helped where it was not written, so it counts only where the episode succeeded.
    """
    for name, tapes in groupby(sorted(account.tapes, key=lambda tape: tape.name), key=lambda tape: tape.name):
        digest = digest_of.get(name, "")
        task: Any = db.execute(_HOME, (digest,)).get
        held: Any = db.execute(_HELD, (digest,)).get
        home = task == account.provenance.task
        if not digest or not (home or account.success):
            continue
        for tape in islice(tapes, max(0, TRIALS - held)):
            yield Trial(
                kind="replay" if home else "sibling",
                digest=digest,
                call=tape.call,
                answers=tape.answers,
                expected=tape.expected,
                task=account.provenance.task,
                now=tape.now,
            )
