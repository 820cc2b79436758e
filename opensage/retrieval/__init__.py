"""Which skills of the library are offered for a task: one retriever a file, chosen by name in the recipe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from opensage.recipe import lookup
from opensage.retrieval.bm25 import bm25
from opensage.retrieval.char_ngram import char_ngram
from opensage.retrieval.everything import everything
from opensage.retrieval.hybrid import hybrid
from opensage.retrieval.none import none
from opensage.retrieval.query_embedding import query_embedding
from opensage.retrieval.query_ngram import query_ngram
from opensage.retrieval.scenario import scenario
from opensage.retrieval.settings import RetrievalSettings
from opensage.retrieval.skill_embedding import skill_embedding
from opensage.retrieval.store import store
from opensage.skills.ground import Ground
from opensage.types import Retriever

RETRIEVERS: Mapping[str, Callable[[RetrievalSettings], Retriever]] = {
    "none": none,
    "everything": everything,
    "scenario": scenario,
    "query_ngram": query_ngram,
    "query_embedding": query_embedding,
    "skill_embedding": skill_embedding,
    "bm25": bm25,
    "char_ngram": char_ngram,
    "hybrid": hybrid,
    "store": store,
}

__all__ = ["RETRIEVERS", "RetrievalSettings", "make_retriever"]


def make_retriever(settings: RetrievalSettings, ground: Ground | None = None) -> Retriever:
    """The retriever that a recipe names; `"module:function"` is one itself, ours are made with the settings.

    `ground` is where `store` tries skills before it offers them; without one, it does not.
    """
    if settings.name == "store":
        return store(settings, ground)
    if settings.name in RETRIEVERS:
        return RETRIEVERS[settings.name](settings)
    return cast(Retriever, lookup("retriever", settings.name, RETRIEVERS, takes=["library", "task"]))
