"""The skill store, searched: what `prowess.store.search` finds for a task, whatever the library in hand holds."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from prowess.errors import RecipeError
from prowess.retrieval.embedding import embedder, installed
from prowess.retrieval.minilm import MINILM
from prowess.retrieval.settings import RetrievalSettings
from prowess.store.search import Query, SearchSettings
from prowess.types import LibraryView, Retriever, Skill, Task

if TYPE_CHECKING:
    from prowess.store.db import Store
    from prowess.store.ground import Ground
    from prowess.store.search.search import Search
    from prowess.store.search.smoke import Smoke
    from prowess.store.search.vectors import Meaning

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FromStore:
    """Offers what a search finds. Nothing is held back here, for a retriever cannot say what it held back."""

    search: Search
    namespace: str | None
    smoke: Smoke | None = None

    def __call__(self, library: LibraryView, task: Task, /) -> list[Skill]:
        query = Query.of(task, namespace=self.namespace)
        return list(self.search(query, self.smoke.problem if self.smoke else None).skills)

    def close(self) -> None:
        """Keep what was embedded, and let go of the sandbox and the file."""
        if self.smoke:
            self.smoke.close()
        self.search.close()
        self.search.store.close()


def store(settings: RetrievalSettings, ground: Ground | None = None) -> Retriever:
    """Searches the store that the recipe names; with a ground, nothing is offered that fails its recorded calls."""
    from prowess.store.db import Store
    from prowess.store.search.search import Search

    if not settings.store:
        raise RecipeError("retrieval 'store' needs a skill store", hint="name its file in retrieval.store")
    found = Search(
        Store.open(settings.store, create=False),
        SearchSettings(
            top=settings.top,
            tokens=settings.tokens,
            threshold=settings.threshold,
            masked=0.0,
        ),
        meaning=meaning_of(settings.model),
    )
    return FromStore(
        search=found, namespace=settings.namespace or None, smoke=smoke_of(found.store, settings.smoke, ground)
    )


def smoke_of(store: Store, calls: int, ground: Ground | None, *, note: bool = True) -> Smoke | None:
    """The smoke test of a search, where one is wanted and possible."""
    from prowess.store.search.smoke import Smoke

    return Smoke(store, ground, calls=calls, note=note) if calls and ground is not None else None


def meaning_of(model: str = MINILM) -> Meaning | None:
    """The embedding model of a search, or None where MiniLM is not installed, which is said once."""
    from prowess.store.search.vectors import Meaning

    if not installed(model) and model == MINILM:
        _say_without()
        return None
    return Meaning(model=model, vector=embedder(model, what=f"retrieval.model '{model}'").vector)


@lru_cache(maxsize=1)
def _say_without() -> None:
    log.warning(
        "the skill store is searched without its embedding channel, which finds reworded requests\n"
        "hint: pip install 'prowess[embeddings]'"
    )
