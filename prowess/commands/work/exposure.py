"""What of the skills that are found an episode is shown, and what is held back as a control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from prowess.seeds import draw
from prowess.store.search import Query
from prowess.store.search.search import Search
from prowess.store.search.smoke import Smoke
from prowess.types import LibraryView, Retriever, Skill, Task


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """What an episode was played with; an episode itself says what it was shown."""

    place: int
    """In the stream."""
    root: str = ""
    """The snapshot its skills come from."""
    masked: tuple[str, ...] = ()
    """Names found and held back."""
    scores: Mapping[str, float] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)
    """The very versions, by name, where they are known; else what the names stand for in the snapshot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposed:
    """What there is for a task: to be shown, and to be held back."""

    offered: tuple[Skill, ...] = ()
    masked: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)


class Finder(Protocol):
    """Finds skills for a task, and draws by the seed which of them are held back."""

    @property
    def live(self) -> bool:
        """True if it looks into the store as it is now, not into the library it is given."""
        ...

    def refresh(self) -> None:
        """Take note that the store may have changed."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...

    def __call__(self, library: LibraryView, task: Task, *, seed: int) -> Exposed: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FromLibrary:
    """A retriever over the library of a snapshot."""

    retrieve: Retriever
    share: float
    """Chance that a skill is held back."""
    live: bool = False

    def refresh(self) -> None:
        """A library never changes."""

    def close(self) -> None:
        """It holds nothing."""

    def __call__(self, library: LibraryView, task: Task, *, seed: int) -> Exposed:
        found = self.retrieve(library, task)
        held = {skill.name for skill in found if draw(seed, "mask", skill.name).random() < self.share}
        return Exposed(
            offered=tuple(skill for skill in found if skill.name not in held),
            masked=tuple(skill.name for skill in found if skill.name in held),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FromSearch:
    """The search over the store, which knows of evidence, families and budgets; its settings say what is held back."""

    search: Search
    namespace: str
    apis: frozenset[str] | None = None
    """What can be called in this world, where that is known."""
    smoke: Smoke | None = None
    """Tries skills before they are offered, or held back."""
    live: bool = True

    def refresh(self) -> None:
        """Embed what is new now, all of it: what is found does not depend on who asks first."""
        self.search.catch_up()

    def close(self) -> None:
        """Keep what was embedded, and let go of the sandbox."""
        if self.smoke:
            self.smoke.close()
        self.search.close()

    def __call__(self, library: LibraryView, task: Task, *, seed: int) -> Exposed:
        query = Query.of(task, namespace=self.namespace, apis=self.apis, seed=seed, episode=f"{task.id}#{seed}")
        offer = self.search(query, self.smoke.problem if self.smoke else None)
        hits = (*offer.offered, *offer.masked)
        return Exposed(
            offered=offer.skills,
            masked=tuple(hit.entry.version.name for hit in offer.masked),
            scores={hit.entry.version.name: round(hit.score, 6) for hit in hits if not hit.called_by},
            digests=offer.digests,
        )
