"""MiniLM is read without the library that trained it, and gives the same."""

from __future__ import annotations

import subprocess
import sys

import pytest

from prowess.retrieval.embedding import embedder, installed
from prowess.retrieval.minilm import weights

pytestmark = [pytest.mark.extra, pytest.mark.slow, pytest.mark.skipif(not installed(), reason="needs MiniLM")]

LOADED = """
import sys
from prowess.retrieval.embedding import embedder
assert embedder("minilm", what="this test").vector("Pay Zoe back").shape == (384,)
print(sorted(name for name in ("bitsandbytes", "peft", "sentence_transformers") if name in sys.modules))
"""


def test_loading_minilm_brings_no_training_libraries_and_says_nothing() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, timeout=120, check=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_minilm_gives_what_sentence_transformers_gives() -> None:
    sentences = pytest.importorskip("sentence_transformers")
    ours, theirs = embedder("minilm", what="this test"), sentences.SentenceTransformer(str(weights()), device="cpu")
    for text in ("Pay Zoe back", "", "é\n\tdef f(x):\n    return x", "Like every song by Night Ferry. " * 100):
        expected = theirs.encode_query(text, normalize_embeddings=True, show_progress_bar=False)
        assert abs(ours.vector(text) - expected).max() < 1e-6
