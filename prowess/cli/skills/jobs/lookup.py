"""What a search for people adds to the one for agents: nothing is held back, and what is not offered is found, too."""

from __future__ import annotations

from prowess.store.db import Store
from prowess.store.life import OFFERED
from prowess.store.search import Hit, Query, SearchSettings
from prowess.store.search.search import Search
from prowess.store.standing import Entry

ENOUGH = 10**9
"""Tokens: nobody has to fit what a person reads into a prompt."""


def hits(
    store: Store, request: str, *, namespace: str | None = None, limit: int = 10, meaning: bool = False
) -> tuple[Hit, ...]:
    """What an agent could be offered for a request, best first."""
    from prowess.retrieval.store import meaning_of

    settings = SearchSettings(top=limit, tokens=ENOUGH, threshold=0.0, masked=0.0)
    search = Search(store, settings, meaning=meaning_of() if meaning else None)
    try:
        found = search(Query(instruction=request, namespace=namespace, episode="a person"))
    finally:
        search.close()
    return tuple(sorted((hit for hit in found.offered if not hit.called_by), key=lambda hit: hit.rank))


def others(store: Store, request: str, *, namespace: str | None = None, limit: int = 10) -> tuple[Entry, ...]:
    """Heads that are not offered and have every word in their name or docstring, newest first."""
    words = request.split()
    has = " AND ".join(["(v.name || ' ' || v.docstring) LIKE ? ESCAPE '\\'"] * len(words)) or "1"
    shown = ", ".join(f"'{status}'" for status in sorted(OFFERED))
    query = (
        "SELECT v.digest FROM skill k JOIN version v ON v.id = k.head"
        f" WHERE k.status NOT IN ({shown}) AND (? IS NULL OR k.namespace = ?) AND {has} ORDER BY k.born DESC LIMIT ?"
    )
    patterns = [f"%{_plain(word)}%" for word in words]
    with store.view():
        rows = list(store.db.execute(query, (namespace, namespace, *patterns, limit)))
        return tuple(store.version(str(row[0])) for row in rows)


def _plain(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
