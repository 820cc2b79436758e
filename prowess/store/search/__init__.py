"""Search over the skill store: from a request to what an agent is shown.

    filters     status, namespace, APIs that can be called, nothing of the very task
    channels    same scenario; past instructions by words and by runs of letters; name, summary and source by words;
                meaning, where an embedding model is installed
    fusion      rank fusion, weighted by likeness
    worth       what evidence says of each; what is on probation gets its turns
    families    one of each
    packing     within a number of tokens, what is called first
    abstaining  nothing, where nothing is alike enough
    arms        a small share is held back as a control

`prowess.store.search.search.Search` does it; the parts are pure and lie beside it.
"""

from prowess.store.search.offer import Hit, Offer, Query
from prowess.store.search.settings import SearchSettings

__all__ = ["Hit", "Offer", "Query", "SearchSettings"]
