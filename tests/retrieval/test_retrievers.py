"""Each retriever offers the skills it promises, best first, one of a name, the same every time."""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from instructions import SCENARIOS

from prowess import retrieval
from prowess.errors import MissingExtra, RecipeError
from prowess.recipe import resolve
from prowess.retrieval import embedding
from prowess.retrieval.bm25 import K1, shared_words
from prowess.retrieval.earlier import Earlier, one_per_name, ranked
from prowess.retrieval.hybrid import fused
from prowess.retrieval.memo import Memo
from prowess.retrieval.ngrams import char_runs, word_pairs
from prowess.retrieval.retrievers import RETRIEVERS, make_retriever
from prowess.retrieval.settings import LIKENESS, RetrievalSettings
from prowess.skills.library import Library
from prowess.types import LibraryView, Origin, Retriever, Skill, Task

needs_embeddings = pytest.mark.skipif(not embedding.installed(), reason="needs the extra 'embeddings'")
EVERY = [
    pytest.param(name, marks=[needs_embeddings, pytest.mark.extra] if "embedding" in name else [])
    for name in RETRIEVERS
    if name not in ("none", "store")  # the store looks into itself, not into the library; tests/store/search tries it
]


def skill(name: str, *, task: str = "", scenario: str = "", instruction: str = "", body: str = "1") -> Skill:
    return Skill(
        name=name,
        source=f"def {name}():\n    return {body}",
        origin=Origin(task=task, scenario=scenario, instruction=instruction),
    )


def task(instruction: str, *, id: str = "new_1", scenario: str = "new") -> Task:
    return Task(id=id, scenario=scenario, instruction=instruction)


def named(skills: Sequence[Skill]) -> list[str]:
    return [each.name for each in skills]


def make(name: str, **options: object) -> Retriever:
    return make_retriever(RetrievalSettings(name=name, **options))  # type: ignore[arg-type]


PLAY = "Play the most liked rock song in my music library."
PAY = "Approve all pending payment requests from my roommates on wallet."
MAIL = "Forward the last email from Dr. Hahn to my wife."


def past(scenario: str = "new") -> Library:
    """Three earlier tasks, the middle one with two skills."""
    return Library(
        (
            skill("approve_requests", task="pay_1", scenario="pay", instruction=PAY),
            skill("login", task="play_1", scenario=scenario, instruction=PLAY),
            skill("play_most_liked_song", task="play_1", scenario=scenario, instruction=PLAY),
            skill("forward_last_email", task="mail_1", scenario="mail", instruction=MAIL),
        )
    )


# ------------------------------------------------------------------------------------------------- every retriever


@pytest.mark.parametrize("name", EVERY)
def test_a_sibling_in_the_same_words_hands_on_its_skills(name: str) -> None:
    found = named(make(name, queries=1)(past(), task("Play the most liked jazz song in my music library.")))
    assert "play_most_liked_song" in found
    if name not in ("skill_embedding", "everything"):
        assert found == ["login", "play_most_liked_song"]


@pytest.mark.parametrize("name", EVERY)
def test_a_task_is_never_offered_its_own_skills(name: str) -> None:
    own = task(PLAY, id="play_1")
    assert not {"login", "play_most_liked_song"} & set(named(make(name, threshold=0.0)(past(), own)))


@pytest.mark.parametrize("name", EVERY)
def test_an_empty_library_and_an_empty_instruction_offer_nothing_and_break_nothing(name: str) -> None:
    assert list(make(name)(Library(), task(PLAY))) == []
    make(name)(past(), task(""))
    make(name)(Library((skill("f"),)), task("\ud800 \0"))


@pytest.mark.parametrize("name", EVERY)
def test_of_two_skills_of_one_name_only_the_best_is_offered(name: str) -> None:
    library = Library(
        (
            skill("helper", task="far_1", scenario="far", instruction="Play a song of my library", body="0"),
            skill("helper", task="near_1", scenario="new", instruction=PLAY, body="play_most_liked_song_in_library()"),
        )
    )
    found = make(name, threshold=0.0)(library, task(PLAY))
    assert [(each.name, each.origin.task) for each in found] == [("helper", "near_1")]


@pytest.mark.parametrize("name", ["scenario", "hybrid", "bm25", "query_embedding", "store"])
def test_a_threshold_that_no_likeness_reaches_is_refused(name: str) -> None:
    least, most = LIKENESS.get(name, (0.0, 1.0))
    for threshold in (least, most):
        RetrievalSettings(name=name, threshold=threshold)
    for threshold in (least - 0.1, most + 0.1, float("inf")):
        said = rf"threshold is {threshold:g}; allowed is {least:g} to {most:g}, .*\nhint: leave it out"
        with pytest.raises(RecipeError, match=said):
            RetrievalSettings(name=name, threshold=threshold)


def test_what_repeats_a_rare_word_is_alike_beyond_1_and_within_the_range_that_a_threshold_may_have() -> None:
    score = shared_words(["song " * 50, *["Play the music of the day " * 30] * 20])
    assert 2 < max(score("song")) < 1 + K1 == LIKENESS["bm25"][1]


@pytest.mark.parametrize("name", EVERY)
def test_the_same_question_has_the_same_answer_in_any_number_of_threads(name: str) -> None:
    library = Library(
        tuple(
            skill(f"f{n}_{key}", task=f"{key}_{n}", scenario=key, instruction=texts[n])
            for key, texts in SCENARIOS.items()
            for n in (0, 2)
        )
    )
    requests = [task(texts[1], scenario=key, id=f"{key}_1") for key, texts in SCENARIOS.items()]
    expected = [named(make(name)(library, each)) for each in requests]
    shared = make(name)
    answers: dict[int, list[list[str]]] = {}

    def ask(thread: int) -> None:
        order = range(len(requests)) if thread % 2 else reversed(range(len(requests)))
        found = {number: named(shared(library, requests[number])) for number in order}
        answers[thread] = [found[number] for number in sorted(found)]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answers[number] for number in range(4)] == [expected] * 4


@pytest.mark.parametrize("name", [each for each in EVERY if each.values != ("skill_embedding",)])
def test_equal_instructions_are_taken_in_the_order_in_which_they_came(name: str) -> None:
    library = Library(
        tuple(skill(f"f{n}", task=f"t{n}", scenario="new", instruction=PLAY, body="1") for n in (3, 1, 2))
    )
    assert named(make(name, queries=2)(library, task(PLAY)))[:2] == ["f3", "f1"]


@pytest.mark.parametrize("name", EVERY)
def test_a_library_of_some_hundred_skills_is_searched_in_milliseconds(name: str) -> None:
    library = Library(
        tuple(
            skill(f"f{n}{m}_{key}", task=f"{key}_{n}", scenario=key, instruction=texts[n])
            for key, texts in SCENARIOS.items()
            for n in range(4)
            for m in range(1 if name == "skill_embedding" else 3)
        )
    )
    assert len(library) >= 96
    retriever, request = make(name), task(PLAY)
    retriever(library, request)
    spent = []
    for _ in range(5):
        start = time.perf_counter()
        retriever(library, request)
        spent.append(time.perf_counter() - start)
    assert min(spent) < 0.03  # about 1 ms on an idle core


# ------------------------------------------------------------------------------------------------------ one by one


def test_none_offers_nothing() -> None:
    assert list(make("none")(past(), task(PLAY))) == []


def test_scenario_goes_by_the_label_alone() -> None:
    assert named(make("scenario")(past("play"), task(PAY, scenario="play"))) == ["login", "play_most_liked_song"]
    assert list(make("scenario")(past("play"), task(PLAY, scenario="other"))) == []


def test_a_task_without_a_label_has_no_siblings() -> None:
    assert list(make("scenario")(Library((skill("f"),)), task(PLAY, scenario=""))) == []


def test_query_ngram_keeps_the_papers_threshold() -> None:
    library = Library((skill("f", task="a_1", instruction="one two three four"),))
    ask = make("query_ngram")
    assert named(ask(library, task("one two three"))) == ["f"]  # 2 of 3 pairs
    assert named(ask(library, task("One, two three five"))) == ["f"]  # 2 of 4 pairs: exactly half
    assert named(ask(library, task("zero one two three five"))) == []  # 2 of 5 pairs
    assert named(make("query_ngram", threshold=0.4)(library, task("zero one two three five"))) == ["f"]


def test_at_most_as_many_earlier_tasks_as_asked_for_hand_on_their_skills_nearest_first() -> None:
    library = Library(
        (
            skill("far", task="a_1", instruction="one two three four five six"),
            skill("near", task="b_1", instruction="one two three four"),
            skill("next", task="c_1", instruction="one two three four five"),
        )
    )
    assert named(make("query_ngram")(library, task("one two three four"))) == ["near", "next"]
    assert named(make("query_ngram", queries=1)(library, task("one two three four"))) == ["near"]
    assert named(make("query_ngram", queries=3)(library, task("one two three four"))) == ["near", "next", "far"]


def test_bm25_also_reads_the_names_and_docstrings_of_skills() -> None:
    quiet = Origin(task="a_1", instruction="Do the usual.")
    library = Library((Skill(name="show_liked_songs", source="", docstring="Of any genre.", origin=quiet),))
    assert named(make("bm25")(library, task("liked"))) == ["show_liked_songs"]
    assert named(make("bm25")(library, task("genre"))) == ["show_liked_songs"]
    assert named(make("char_ngram")(library, task("genre"))) == []


@pytest.mark.parametrize("loaded", [False, True])
def test_bm25_leaves_jax_alone_which_would_take_the_gpu(tmp_path: Path, loaded: bool) -> None:
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax/__init__.py").write_text("")
    (tmp_path / "jax/lax.py").write_text("def top_k(*_):\n    raise SystemExit('jax computes')\n")
    script = f"""
import sys
{"import jax" if loaded else ""}
from prowess.retrieval.bm25 import shared_words
assert shared_words(["one two", "three"])("two")[0] > 0
assert ("jax" in sys.modules) is {loaded}
import jax.lax
"""
    paths = [str(tmp_path), str(Path(retrieval.__file__).parents[2])]
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_word_pairs_are_compared_as_sets() -> None:
    assert word_pairs(["a b c", "c b a", "", "a"])("a b d") == [1 / 3, 0.0, 0.0, 0.0]
    assert word_pairs(["alone"])("Alone!") == [1.0]


def test_a_text_is_wholly_like_itself_and_unlike_a_stranger() -> None:
    same, other = char_runs([PLAY, "zzz qqq"])(PLAY)
    assert (round(same, 9), other) == (1.0, 0.0)
    same, other = shared_words([PLAY, "zzz qqq"])(PLAY)
    assert same > 0.7
    assert other == 0.0


def test_letters_forgive_endings_that_words_do_not() -> None:
    assert shared_words(["songs played", "mail"])("playing song") == [0.0, 0.0]
    assert char_runs(["songs played", "mail"])("playing song")[0] > 0.2


def test_a_fused_score_is_likeness_cubed_over_rank_equals_sharing_the_better_rank() -> None:
    tasks = [Earlier(instruction=text, skills=()) for text in "abc"]
    past = fused([lambda tasks: lambda request: [0.5, 0.5, 1.0], lambda tasks: lambda request: [0.4, -0.2, 7.0]])
    assert past(tasks)("?") == pytest.approx(
        [
            (0.125 * 61 / 62 + 0.064 * 61 / 62) / 2,  # second in both, once together with b
            (0.125 * 61 / 62 + 0.0) / 2,
            (1.0 + 1.0) / 2,  # first in both
        ]
    )


def test_texts_without_words_are_like_nothing() -> None:
    assert shared_words(["", "!"])("hello") == [0.0, 0.0]
    assert shared_words(["hello"])("?") == [0.0]
    assert char_runs(["", "!"])("") == [0.0, 0.0]


def test_ranking_drops_what_is_too_low_and_does_not_see_noise() -> None:
    assert ranked([0.3, 0.3 + 1e-12, 0.9, 0.1], at_least=0.3) == [2, 0, 1]


def test_one_per_name_keeps_the_first_of_each_in_order() -> None:
    skills = [skill("a"), skill("b"), skill("a", body="2"), skill("c")]
    assert one_per_name(skills) == [skill("a"), skill("b"), skill("c")]


def test_a_memo_forgets_what_was_not_used_for_longest() -> None:
    made: list[int] = []
    memo: Memo[int, int] = Memo(size=2)
    for key in (1, 2, 1, 3, 1, 2):
        assert memo(key, lambda key=key: made.append(key) or key) == key  # type: ignore[misc]
    assert made == [1, 2, 3, 2]


# ------------------------------------------------------------------------------------------------------ embeddings


@needs_embeddings
@pytest.mark.extra
def test_query_embedding_understands_other_words_and_keeps_the_papers_threshold() -> None:
    reworded = task("In my music library, which rock song has the most likes? Play it.")
    assert named(make("query_embedding")(past(), reworded)) == ["login", "play_most_liked_song"]
    assert named(make("query_embedding")(past(), task("What is the weather?"))) == []


@needs_embeddings
@pytest.mark.extra
def test_skill_embedding_offers_the_nearest_functions_up_to_its_cap() -> None:
    found = named(make("skill_embedding", top=3)(past(), task("Could you send on that mail to somebody else?")))
    assert found[0] == "forward_last_email"
    assert len(found) == 3


@needs_embeddings
@pytest.mark.extra
def test_minilm_loads_without_a_network_and_without_running_the_package_of_its_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*args: object, **options: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    model = embedding.Embedder("minilm")
    assert model.vector("hello").shape == (384,)
    assert float(model.vector("hello") @ model.vector("hello")) == pytest.approx(1.0, abs=1e-5)
    assert embedding.PACKAGE not in sys.modules


@needs_embeddings
@pytest.mark.extra
def test_weights_that_were_not_released_are_refused_unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / embedding.PACKAGE / "model"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("raise SystemExit('executed')")
    (folder / "model.safetensors").write_bytes(b"something else")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(RecipeError, match="are not the released ones"):
        embedding.Embedder("minilm")


@needs_embeddings
@pytest.mark.extra
def test_the_code_that_a_models_folder_brings_is_not_run(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "evil.py").write_text(f"open({str(ran)!r}, 'w').close()\nclass Evil: ...\n")
    modules = [{"idx": 0, "name": "0", "path": "", "type": "evil.Evil"}]
    (folder / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(RecipeError, match=r"cannot be loaded: .*'evil\.Evil', which is not part of"):
        make("query_embedding", model=str(folder))
    assert not ran.exists()


@needs_embeddings
@pytest.mark.extra
def test_a_model_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="cannot be loaded"):
        make("query_embedding", model=f"{tmp_path}/absent")


@pytest.mark.parametrize("name", ["query_embedding", "skill_embedding"])
def test_without_the_extra_the_embedding_retrievers_say_what_to_install(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedding.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtra, match=r"pip install 'prowess\[embeddings\]'"):
        make(name)


def test_without_the_extra_hybrid_says_so_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(embedding.importlib.util, "find_spec", lambda name: None)
    with caplog.at_level(logging.WARNING):
        retriever = make("hybrid", queries=1)
    assert "without its embedding channel" in caplog.text
    assert named(retriever(past(), task(PLAY))) == ["login", "play_most_liked_song"]
    by_letters = Library((skill("f", task="a_1", instruction="songs played"),))
    assert named(retriever(by_letters, task("songs playing"))) == ["f"]
    with pytest.raises(MissingExtra, match=r"retrieval.model 'some/model' needs"):
        make("hybrid", model="some/model")


@pytest.mark.parametrize("installed", [False, pytest.param(True, marks=[needs_embeddings, pytest.mark.extra])])
def test_hybrid_offers_nothing_that_only_a_word_or_two_speak_for(
    monkeypatch: pytest.MonkeyPatch, installed: bool
) -> None:
    if not installed:
        monkeypatch.setattr(embedding.importlib.util, "find_spec", lambda name: None)
    stranger = task("Send my landlord the rent for this month, and note it in my diary.")
    assert named(make("hybrid", threshold=1e-6)(past(), stranger)) != []
    assert named(make("hybrid")(past(), stranger)) == []
    assert named(make("hybrid")(past(), task(PLAY))) != []


# -------------------------------------------------------------------------------------------------------- choosing


def last_one(library: LibraryView, task: Task, /) -> Sequence[Skill]:
    return library.skills[-1:]


def test_a_retriever_of_ones_own_is_named_by_module_and_function() -> None:
    assert named(make("test_retrievers:last_one")(past(), task(PLAY))) == ["forward_last_email"]


def test_an_unknown_retriever_is_an_error_with_the_nearest_name() -> None:
    with pytest.raises(RecipeError, match="did you mean 'scenario'"):
        make("scenarios")


@pytest.mark.parametrize("key", ["queries", "top"])
def test_a_cap_below_one_is_an_error(key: str) -> None:
    with pytest.raises(RecipeError, match=f"{key} is 0"):
        RetrievalSettings(**{key: 0})  # type: ignore[arg-type]


def test_the_section_of_a_recipe_is_read_with_the_papers_defaults() -> None:
    settings = resolve(RetrievalSettings, {"name": "query_ngram"}, ["threshold=0.4"])
    assert settings == RetrievalSettings(name="query_ngram", queries=2, top=5, threshold=0.4, model="minilm")


def test_every_retriever_has_the_name_of_the_function_that_makes_it() -> None:
    assert [name for name, make in RETRIEVERS.items() if getattr(make, "__name__", "") != name] == []
