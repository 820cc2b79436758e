"""Every retriever by its name, and the one that a recipe names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from prowess.recipe import lookup
from prowess.retrieval.bm25 import bm25
from prowess.retrieval.embedding import query_embedding, skill_embedding
from prowess.retrieval.hybrid import hybrid
from prowess.retrieval.ngrams import char_ngram, query_ngram
from prowess.retrieval.settings import RetrievalSettings
from prowess.retrieval.store import store
from prowess.retrieval.unranked import everything, none, scenario
from prowess.store.ground import Ground
from prowess.types import Retriever

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


def make_retriever(settings: RetrievalSettings, ground: Ground | None = None) -> Retriever:
    """The retriever that a recipe names; `"module:function"` is one itself, ours are made with the settings.

    `ground` is where `store` tries skills before it offers them; without one, it does not.
    """
    if settings.name == "store":
        return store(settings, ground)
    if settings.name in RETRIEVERS:
        return RETRIEVERS[settings.name](settings)
    return cast(Retriever, lookup("retriever", settings.name, RETRIEVERS, takes=["library", "task"]))
