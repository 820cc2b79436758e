"""What the gates know besides a skill's code, and how strict they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from opensage.errors import RecipeError
from opensage.sandbox import Sandbox
from opensage.skills.record import Provenance, Trial, Verification, Version
from opensage.types import Json, Origin

BY = "gates/1"
"""Who verifies: raised when a gate would say something else of the same code."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """How strict admission is."""

    modules: tuple[str, ...] = ()
    """Modules that skills may import besides the standard library: those that the world has."""
    shortest: int = 3
    """Texts shorter than this are no leak."""
    small: int = 3
    """Whole numbers up to this are no leak."""
    similar: float = 0.8
    """Share of equal code (estimated Jaccard index) from which two skills are compared by what they do."""
    compared: int = 32
    """Skills that one is compared with at most: the most similar ones."""
    review_rate: float = 0.1
    """Share of skills that change the world and are looked at by a person; drawn by their digest."""
    unplayed: Literal["probation", "review"] = "probation"
    """Where a skill goes of which no call was recorded."""
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("similar", "review_rate"):
            if not 0 <= getattr(self, name) <= 1:
                raise RecipeError(f"{name} is {getattr(self, name)}; it must be between 0 and 1")


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
