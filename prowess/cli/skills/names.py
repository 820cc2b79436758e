"""What the words of a person stand for: a skill, a version, a digest, a snapshot, a status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prowess.errors import NotThere, RecipeError, unknown

if TYPE_CHECKING:
    from prowess.store.db import Store
    from prowess.store.record import Status
    from prowess.store.standing import Entry


def found(store: Store, text: str, namespace: str | None = None) -> Entry:
    """The skill that a person means, with its head, or with the version they name by number or digest."""
    name, at, number = text.rpartition("@")
    if not at:
        return store.resolve(text, namespace)
    versions = store.versions(store.resolve(name, namespace).id)
    for entry in versions:
        if str(entry.number) == number:
            return entry
    raise RecipeError(
        f"'{name}' has no version '{number}'", hint=f"it has {', '.join(str(entry.number) for entry in versions)}"
    )


def exactly(store: Store, text: str) -> Entry:
    """The version of a digest. A name is refused: what stands behind it may have changed since it was looked at."""
    try:
        entry = found(store, text)
    except NotThere:
        raise store.unknown_digest(text) from None
    if not entry.digest.startswith(text):
        digest = entry.digest[:12]
        raise RecipeError(
            f"'{text}' is not a digest, and a verdict binds to one",
            hint=f"it stands for {digest} now: prowess skills show {digest}, then give that digest",
        )
    return entry


def each_exactly(store: Store, texts: list[str]) -> list[str]:
    """The digests that were given, each once."""
    return list(dict.fromkeys(exactly(store, text).digest for text in texts))


def held(store: Store, text: str, namespace: str | None) -> str:
    """What can be pinned: the root of a snapshot, or the id of a skill."""
    snapshots = store.snapshots_at(text)
    return snapshots[0].root if len(snapshots) == 1 else found(store, text, namespace).id


def pairs_of(store: Store, a: str, b: str) -> tuple[tuple[Entry, Entry], ...]:
    """The versions to compare: the two that are named, or one with each of its parents."""
    new = found(store, b or a)
    if b:
        return ((found(store, a), new),)
    if not new.version.parents:
        raise RecipeError(f"'{a}' has no parent to compare it with", hint="name another version, or two snapshots")
    return tuple((store.version(parent), new) for parent in new.version.parents)


def statuses_in(texts: list[str] | None) -> list[Status]:
    """The statuses that were named."""
    from prowess.store.record import Status

    for text in texts or ():
        if text not in set(Status):
            raise unknown("status", text, Status)
    return [Status(text) for text in texts or ()]
