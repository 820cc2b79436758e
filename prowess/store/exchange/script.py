"""A skill's code as one file that runs on its own: imports, the skills it calls, the skill."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from prowess.skills.reach import reach_in
from prowess.store.canon import canonical_imports
from prowess.store.db import Store
from prowess.store.effects import WORST, effect_of, worst
from prowess.store.record import Version

HEADER = "# A skill exported by prowess. It reaches its world by the global name `apis`."


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A file of code, and the line at which the skill's own begins."""

    text: str
    line: int


def closure(version: Version, look_up: Callable[[str], Version]) -> tuple[Version, ...]:
    """A version after all that it calls, each after what it calls itself."""
    found: dict[str, Version] = {}
    stack: list[tuple[Version, Iterator[str]]] = [(version, iter(version.dependencies))]
    while stack:
        above, rest = stack[-1]
        digest = next((digest for digest in rest if digest not in found), None)
        if digest is None:
            found[above.digest] = above
            stack.pop()
        else:
            below = look_up(digest)
            stack.append((below, iter(below.dependencies)))
    return tuple(found.values())


def closure_in(store: Store, digest: str) -> tuple[Version, ...]:
    return closure(store.version(digest).version, lambda other: store.version(other).version)


TOGETHER = 500
"""Versions that are read at once."""


def names_in(store: Store, digests: Sequence[str]) -> Mapping[str, str]:
    """The names of versions and of all that they call, by their digests: each once and after what it calls."""
    names: dict[str, str] = {}
    for start in range(0, len(digests), TOGETHER):
        for version in _closures(store, digests[start : start + TOGETHER]):
            names.setdefault(version.digest, version.name)
    return names


def _closures(store: Store, digests: Sequence[str]) -> Iterator[Version]:
    known = {entry.digest: entry.version for entry in store.entries_of(digests)}

    def look_up(digest: str) -> Version:
        return known.get(digest) or store.version(digest).version

    for digest in digests:
        yield from closure(look_up(digest), look_up)


def script_of(versions: Sequence[Version], header: str = HEADER) -> Script:
    """The code of the last of these, with the others before it."""
    imports = canonical_imports([line for version in versions for line in version.imports])
    parts = [part for part in (header, "\n".join(imports)) if part]
    above = "\n".join(parts) + "\n\n\n" if parts else ""
    above += "".join(f"{version.source}\n\n\n" for version in versions[:-1] if version.source)
    return Script(text=f"{above}{versions[-1].source}\n", line=above.count("\n") + 1)


def cautious(version: Version) -> Version:
    """With the worse of the effect that is known and the one that the code shows: what others are told."""
    if version.effect is WORST:
        return version
    seen = effect_of(reach_in(version.source))
    return replace(version, effect=worst((version.effect, seen)))
