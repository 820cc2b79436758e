"""What the gates know besides a skill's code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from prowess.sandbox import Sandbox
from prowess.store.record import Provenance, Trial, Verification, Version
from prowess.types import Json, Origin

BY = "gates/3"
"""Who verifies: raised when a gate would say something else of the same code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What admission may use. The more it knows, the less it abstains."""

    sandbox: Sandbox | None = None
    """Where calls are repeated: one with `record_bytes` set. None: whatever needs one abstains."""
    vocabulary: frozenset[str] = frozenset()
    """Words of the world's API documents (`words_in`): no values of an episode."""
    observations: Callable[[Provenance], Sequence[str]] = lambda _: ()
    """What was printed in the episode a skill comes from, where its run is at hand."""
    siblings: Callable[[Provenance], Sequence[str]] = lambda _: ()
    """Instructions of other tasks of the same scenario, where the suite is at hand."""
    names: frozenset[str] = frozenset()
    """Global names that the world's interpreter has from the start, besides `apis`."""
    imports: tuple[str, ...] = ()
    """Import statements that the world's interpreter runs at the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A version with what the store knows of it."""

    version: Version
    skill: str
    """Its skill's id."""
    provenances: tuple[Provenance, ...] = ()
    trials: tuple[Trial, ...] = ()
    siblings: tuple[str, ...] = ()
    """Instructions of other tasks of its scenario."""
    helped: int = 0
    """Episodes of other tasks that called it and succeeded."""
    approved: bool = False
    """By a person, this very digest."""
    kept: frozenset[str] = frozenset()
    """Functions in it whose constants were admitted before: the old names of what was merged."""
    others: tuple[Other, ...] = field(default=())
    """Skills of its namespace that might be the same."""

    def says(self, check: str, verdict: Literal["pass", "fail", "abstain"], evidence: Json) -> Verification:
        return Verification(digest=self.version.digest, check=check, verdict=verdict, evidence=evidence, by=BY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Other:
    """Another skill that may be the same as the one at the gates."""

    version: Version
    skill: str
    clone: bool
    """Whether its code is the same but for names."""
    trials: Callable[[], Sequence[Trial]] = tuple
    """Its recorded calls, looked up where they are needed."""


def code_of(version: Version) -> str:
    """What to execute to define it."""
    return version.skill(Origin()).code


_WORD = re.compile(r"\w+")


def words_in(documents: Json) -> frozenset[str]:
    """The words of API documents, as a vocabulary: of names and texts, and short texts as a whole.

    >>> sorted(words_in({"name": "show_songs", "constraints": ["new, not yet"]}))
    ['constraints', 'name', 'new', 'new, not yet', 'not', 'not yet', 'show', 'show_songs', 'songs', 'yet']
    """
    found: set[str] = set()
    for text in _texts(documents):
        plain = text.casefold().strip()
        found |= set(_WORD.findall(plain)) | set(re.split(r"[\W_]+", plain))
        found |= {plain, *(part.strip() for part in re.split(r"[,;:.()]|\bone of\b", plain))}
    return frozenset(found - {""})


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
