"""Texts as vectors, and the two retrievers of the paper that compare them.

MiniLM is the default (`minilm`); any sentence-transformers model may take its place.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from prowess.errors import MissingExtra, RecipeError
from prowess.retrieval.earlier import Nearest, Scorer, by_instruction, one_per_name, others, ranked
from prowess.retrieval.memo import Memo
from prowess.retrieval.minilm import MINILM, PACKAGE, MiniLM
from prowess.retrieval.settings import RetrievalSettings
from prowess.types import LibraryView, Retriever, Skill, Task

if TYPE_CHECKING:
    from numpy.typing import NDArray


Side = Literal["query", "document"]
"""Some models read a question and what may answer it differently; MiniLM does not."""

Encode = Callable[[str, Side], "NDArray[Any]"]
"""The unit vector of one text."""


def installed(model: str = MINILM) -> bool:
    """Whether this model can be asked for, as far as packages go."""
    needed = ["torch", "transformers", PACKAGE] if model == MINILM else ["sentence_transformers"]
    return all(importlib.util.find_spec(name) is not None for name in needed)


class Embedder:
    """A model that turns texts into unit vectors, and remembers them."""

    def __init__(self, model: str) -> None:
        with _no_bars():
            self._encode: Encode = _minilm() if model == MINILM else _sentences(model)
        self._known: Memo[tuple[Side, str], NDArray[Any]] = Memo(size=20_000)
        self._lock = threading.Lock()

    def vector(self, text: str, side: Side = "query") -> NDArray[Any]:
        """The unit vector of a text."""
        return self._known((side, text), lambda: self._made(text, side))

    def vectors(self, texts: Sequence[str], side: Side = "query") -> NDArray[Any]:
        """One row for each text."""
        import numpy as np

        return np.stack([self.vector(text, side) for text in texts])

    def channel(self, texts: Sequence[str]) -> Scorer:
        """Cosine of the vectors of two requests."""
        matrix = self.vectors(texts)

        def score(request: str) -> list[float]:
            return [float(score) for score in matrix @ self.vector(request)]

        return score

    def _made(self, text: str, side: Side) -> NDArray[Any]:
        # One text at a time: what else is in a batch would change the last digits.
        text = text.encode("utf-8", "replace").decode()
        with self._lock:
            return self._encode(text, side)


def _minilm() -> Encode:
    model = MiniLM()
    return lambda text, side: model(text)


def _sentences(name: str) -> Encode:
    # Imported by name: it is optional, takes seconds, and would make type checking slow.
    library: Any = importlib.import_module("sentence_transformers")
    try:
        model: Any = library.SentenceTransformer(name, device="cpu")
    except (OSError, ValueError) as error:
        raise RecipeError(
            f"retrieval.model '{name}' cannot be loaded: {error}",
            hint=f"'{MINILM}', or the id or folder of a sentence-transformers model",
        ) from error
    ways = {"query": model.encode_query, "document": model.encode_document}

    def encode(text: str, side: Side) -> NDArray[Any]:
        vector: NDArray[Any] = ways[side](text, normalize_embeddings=True, show_progress_bar=False)
        return vector

    return encode


@contextmanager
def _no_bars() -> Iterator[None]:
    """Loading 90 MB is no news: no progress bar."""
    logging: Any = importlib.import_module("transformers.utils.logging")
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


_loading = threading.Lock()


def embedder(model: str, *, what: str) -> Embedder:
    """The embedder of a model, loaded once; `what` needs it, should it be missing."""
    if not installed(model):
        raise MissingExtra(what, "embeddings")
    with _loading:
        return _loaded(model)


@lru_cache(maxsize=2)
def _loaded(model: str) -> Embedder:
    return Embedder(model)


NEAR = 0.65
"""The paper's least cosine, for MiniLM."""


def query_embedding(settings: RetrievalSettings) -> Retriever:
    """Hands on the skills of the tasks whose instructions have near vectors."""
    model = embedder(settings.model, what="retrieval 'query_embedding'")
    return Nearest(past=by_instruction(model.channel), threshold=settings.at_least(NEAR), queries=settings.queries)


def skill_embedding(settings: RetrievalSettings) -> Retriever:
    """Offers the functions whose name, docstring and source are nearest to the instruction."""
    model = embedder(settings.model, what="retrieval 'skill_embedding'")
    threshold = settings.at_least(-1.0)
    matrices: Memo[tuple[str, ...], NDArray[Any]] = Memo(size=8)

    def retrieve(library: LibraryView, task: Task, /) -> list[Skill]:
        skills = others(library, task)
        if not skills:
            return []
        texts = tuple(_text(skill) for skill in skills)
        scores: Sequence[float] = list(
            matrices(texts, lambda: model.vectors(texts, "document")) @ model.vector(task.instruction)
        )
        return one_per_name(skills[place] for place in ranked(scores, at_least=threshold))[: settings.top]

    return retrieve


def _text(skill: Skill) -> str:
    return f"{skill.name}\n{skill.docstring}\n{skill.source}"
