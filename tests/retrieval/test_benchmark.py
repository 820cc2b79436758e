"""Retrieval alone, scored on literal requests: the numbers the design rests on."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest
from instructions import SCENARIOS

from prowess.retrieval import embedding

FILE = Path(__file__).parents[2] / "benchmarks" / "retrieval.py"


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    spec = importlib.util.spec_from_file_location("retrieval_benchmark", FILE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def asked(*wordings: int) -> list[tuple[str, str]]:
    return [(texts[number], name) for name, texts in SCENARIOS.items() for number in wordings]


def test_ranks_are_counted_as_defined(benchmark: ModuleType) -> None:
    tasks = [("red apple pie", "a"), ("red apple pie now", "a"), ("green pear tart", "b"), ("blue plum jam", "b")]
    (score,) = benchmark.scores(tasks, names=["query_ngram"], distractors=["green pear tart soup", "blue plum jam tea"])
    assert score.probes == 4
    # Scenario a is first both times. For b, the distractor with the same fruit is first, and what has nothing in common
    # follows in the order of the past: a, then b.
    assert score.hit1 == 0.5
    assert score.hit5 == 1.0
    assert score.mrr == pytest.approx((1 + 1 + 1 / 3 + 1 / 3) / 4)
    assert score.found == 0.5
    assert score.false == 0.5


@pytest.mark.slow
def test_in_shared_wording_every_retriever_finds_the_sibling(benchmark: ModuleType) -> None:
    names = [name for name in benchmark.BY_TASK if name != "query_embedding" or embedding.installed()]
    for score in benchmark.scores(asked(0, 1), names=names):
        assert score.hit1 == 1.0, score.name


@pytest.mark.slow
@pytest.mark.extra
@pytest.mark.skipif(not embedding.installed(), reason="needs the extra 'embeddings'")
def test_in_mixed_wording_hybrid_is_at_least_as_good_as_each_of_its_channels(benchmark: ModuleType) -> None:
    found = {score.name: score for score in benchmark.scores(asked(0, 2, 3))}
    for name in ("query_ngram", "char_ngram", "bm25", "query_embedding"):
        assert found["hybrid"].hit1 >= found[name].hit1, name
        assert found["hybrid"].hit5 >= found[name].hit5, name
        assert found["hybrid"].mrr >= found[name].mrr, name
    assert found["hybrid"].hit1 > 0.75
    assert found["query_ngram"].hit1 < 0.2  # why wording matters


@pytest.mark.slow
@pytest.mark.extra
@pytest.mark.skipif(not embedding.installed(), reason="needs the extra 'embeddings'")
def test_on_desk_in_mixed_wording_hybrid_is_at_least_as_good_as_each_of_its_channels(benchmark: ModuleType) -> None:
    tasks = benchmark.asked(benchmark.desk("mixed"), ["test_normal"])
    names = ["char_ngram", "bm25", "query_embedding", "hybrid"]
    scored = benchmark.scores(tasks, functions=benchmark.desk_functions(tasks), names=names)
    found = {score.name: score for score in scored}
    for name in names:
        assert found["hybrid"].hit1 >= found[name].hit1, name
        assert found["hybrid"].mrr >= found[name].mrr, name
