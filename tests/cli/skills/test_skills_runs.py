"""Commands that play: a real run of desk told to a store, its skills gated, blamed, merged and served."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from shelf import Run, propose
from textual.pilot import Pilot

from prowess.cli.skills.jobs.dossier import dossier_of
from prowess.cli.skills.jobs.gates import replaying
from prowess.cli.skills.jobs.origins import runs_of
from prowess.cli.skills.jobs.queue import queue_of
from prowess.cli.skills.views.review import Review
from prowess.pipeline.recipe import Recipe
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.merging.merge import Trying
from prowess.store.record import Actor, Provenance, Status, Trial
from prowess.types import Origin

S = Status
FAMILIES = 'suite.desk.families=["like_artist", "pay_relation"]'
SMALL = ("--set", FAMILIES, "--set", "evaluate.split=train")
ROCK = '''
def save_rock_songs(artist: str) -> list[str]:
    """Save the rock songs of an artist and return their titles."""
    saved = []
    for song in apis.music.search_songs(query=artist):
        if song["genre"] == "rock":
            saved.append(song["title"])
    return saved
'''


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run: the expert plays two scenarios, its calls recorded."""
    from prowess.cli import app

    folder = tmp_path_factory.mktemp("played") / "runs" / "expert"
    words = ["evaluate", "expert", *SMALL, "--set", "sandbox.record_bytes=200000", "--out", str(folder)]
    with pytest.raises(SystemExit) as left:
        app(words)
    assert left.value.code == 0
    return folder


def test_a_run_of_a_name_that_no_disk_takes_is_not_there(tmp_path: Path) -> None:
    for name in ("r" * 256, "ä" * 128):
        provenance = Provenance(run=f"{name}@2026-01-31T12:00:00Z", task="like_artist.0_1")
        assert not list(runs_of(provenance, [tmp_path]))


@pytest.mark.slow
def test_a_run_of_work_that_is_proposed_as_well_counts_once(run: Run, path: Path, tmp_path: Path) -> None:
    from prowess.cli import app

    stream = ("work.tasks=8", "work.every=2", "work.mask=0.5", 'suite.desk.families=["like_artist"]')
    sets = [word for one in stream for word in ("--set", one)]
    with pytest.raises(SystemExit) as left:
        app(["work", "worker", *sets, "--workers", "1", "--out", str(tmp_path / "job"), "--store", str(path)])
    assert left.value.code == 0 and run("list").code == 0
    assert {one["arm"] for one in run("uses", "--json").lines} == {"offered", "masked"}
    assert "0 new versions, the others known; 0 uses counted" in run("propose", str(tmp_path / "job")).out
    run("propose", str(tmp_path / "job"), "--store", "other.db")
    assert {one["arm"] for one in run("uses", "--json", "--store", "other.db").lines} == {"offered", "masked"}


@pytest.mark.slow
def test_a_run_is_told_once_with_its_tests_and_found_again_to_the_turn(run: Run, path: Path, played: Path) -> None:
    first = run("propose", str(played))
    assert first.code == 0
    assert "6 episodes" in first.out and "5 new versions" in first.out
    assert "0 new versions, the others known; 0 uses counted" in run("propose", str(played)).out
    with Store.open(path) as store:
        entry = store.resolve("like_songs_by_artist")
        (provenance,) = store.provenances(entry.digest)
        assert (provenance.task, provenance.world, provenance.run.split("@")[0]) == (
            "like_artist.0_1",
            "desk",
            "expert",
        )
        assert entry.version.fingerprints.keys() == set(entry.version.apis)
        assert store.trials(entry.digest) and store.statistics(entry.digest).called == 2
        assert dossier_of(store, entry.digest).moment is None
        moment = dossier_of(store, entry.digest, [played.parent]).moment
        assert moment is not None and "def like_songs_by_artist(" in moment.turn.code
    assert "turn 2 of 3 in" in run("show", "like_songs_by_artist", "--runs", str(played.parent)).out
    admitted = run("admit", "--runs", str(played.parent), "--json").lines
    assert {one["name"]: one["status"] for one in admitted}["send_money_to_relation"] == "review"
    assert all(one["verdict"] != "fail" for each in admitted for one in each["verifications"])
    replayed = [one["verdict"] for each in admitted for one in each["verifications"] if one["check"] == "replay"]
    assert "pass" in replayed
    assert run("admit").out == "no candidate waits\n"


def test_the_gates_refuse_and_say_why(run: Run, store: Store) -> None:
    propose(store, 'def show() -> str:\n    """Show it."""\n    return missing')
    (found,) = run("admit", "--json").lines
    assert (found["status"], found["verifications"][-1]["check"]) == ("rejected", "structure")
    assert "missing" in json.dumps(found["verifications"][-1]["evidence"])


def test_only_solved_episodes_are_believed_where_asked_for(run: Run, path: Path, tmp_path: Path) -> None:
    from prowess.files.codec import Played
    from prowess.run import Run as Folder
    from prowess.types import Episode, Stop, Task, Verdict

    task = Task(id="pay_1", scenario="pay", instruction="Pay")
    skills = skills_in("def one() -> int:\n    return 1", origin=Origin(task="pay_1"))
    lost = Episode(task=task, turns=(), verdict=Verdict(passed=(), failed=("x",)), stop=Stop.TURNS, learned=skills)
    with Folder.create(tmp_path / "r", command="evaluate", recipe_toml="", seed=0) as folder:
        folder.write_episodes("k", [Played(run=0, split="train", episode=lost)])
    assert "0 skills proposed" in run("propose", "--solved", str(tmp_path / "r")).out
    assert "1 episode, 1 skill proposed: 1 new version, the others" in run("propose", str(tmp_path / "r")).out
    assert run("propose", str(tmp_path / "none"), "--store", "x.db").code == 2
    assert not Path("x.db").exists()


@pytest.mark.slow
def test_bisection_finds_the_skill_that_made_it_worse(run: Run, path: Path, played: Path) -> None:
    run("propose", str(played))
    with Store.open(path) as store:
        for entry in store.entries():
            store.review(entry.digest, "approve", who="ada")
            for status in (S.VERIFIED, S.PROBATION, S.ACTIVE):
                store.move(entry.digest, status, actor=Actor.PERSON, who="ada")
        good = store.snapshot().root
        right = store.resolve("like_songs_by_artist").skill
        lazy = right.code.replace('if song["artist_name"]', 'if False and song["artist_name"]')
        origin = replace(right.origin, task="elsewhere")
        wrong = next(one for one in skills_in(lazy, origin=origin) if one.name == right.name)
        new = store.propose(wrong, Provenance(world="desk"))
        for status in (S.VERIFIED, S.PROBATION, S.ACTIVE):
            store.move(new.digest, status, actor=Actor.PERSON, who="ada")
        login = store.resolve("login")
        store.move(login.digest, S.SUSPENDED, actor=Actor.PERSON)
        bad = store.snapshot().root
    found = run("bisect", good, bad, *SMALL, "--json")
    assert found.code == 0
    (told,) = found.lines
    assert (told["culprit"]["name"], told["culprit"]["new"]) == ("like_songs_by_artist", new.digest)
    assert told["good"] == 1.0 and told["bad"] < 1
    again = run("bisect", good, bad, *SMALL)
    assert "it got worse with like_songs_by_artist" in " ".join(again.out.split())
    assert run("bisect", good, good, *SMALL).code == 1
    assert "unknown metric 'tcg'" in run("bisect", good, bad, "--metric", "tcg").err


def two(store: Store) -> None:
    """Two active skills that differ in a constant, each with a call that was recorded."""
    songs = [{"title": "A", "genre": "rock"}, {"title": "B", "genre": "jazz"}]
    for code, call, expected in (
        (ROCK, 'save_rock_songs(artist="Ann")', ["A"]),
        (ROCK.replace("rock", "jazz"), 'save_jazz_songs(artist="Ann")', ["B"]),
    ):
        digest = propose(store, code, S.VERIFIED, S.PROBATION, S.ACTIVE)
        answer = {"api": "music.search_songs", "arguments": {"query": "Ann"}, "answer": songs}
        store.test(Trial(digest=digest, call=call, answers=(answer,), expected=expected))


@pytest.mark.slow
def test_a_merge_is_listed_made_and_taken_back(run: Run, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("merge").out == "nothing could be merged\n"
    two(store)
    rock = store.resolve("save_rock_songs").digest
    assert "save_songs" in run("merge").out
    done = run("merge", "save_rock_songs", "--who", "ada")
    assert done.code == 0 and "2 recorded calls came out the same" in done.out
    assert store.resolve("save_rock_songs") == store.resolve("save_songs")
    assert (store.resolve("save_songs").status, store.version(rock).status) == (S.ACTIVE, S.SUPERSEDED)
    assert done.err.endswith("to take it back: prowess skills merge --undo save_songs\n")
    assert run("merge", "--undo", "save_songs").code == 0
    assert store.resolve("save_rock_songs").status is S.ACTIVE
    assert "unknown merge proposal 'save_rok'" in run("merge", "save_rok").err
    monkeypatch.setenv("PROWESS_SKILLS", "another.db")
    assert run("merge", "save_rock_songs", "--store", str(store.path)).err.endswith(f" --store {store.path}\n")


def reviewed(store: Store, *keys: str, replaying: partial[AbstractContextManager[Trying]] | None = None) -> Review:
    async def play() -> Review:
        app = Review(store, who="ada", replaying=replaying)
        async with app.run_test(size=(120, 40)) as pilot:
            pilot_keys: Pilot[int] = pilot
            await app.workers.wait_for_complete()
            await pilot_keys.pause()
            await pilot_keys.press(*keys)
            await pilot_keys.pause()
        return app

    return asyncio.run(play())


def test_a_merge_waits_in_the_review_and_is_tried_in_the_sandbox(store: Store) -> None:
    two(store)
    assert [(item.kind, item.name) for item in queue_of(store)] == [("merge", "save_songs")]
    reviewed(store, "a")  # there is no sandbox: nothing is believed
    assert store.resolve("save_rock_songs").status is S.ACTIVE
    reviewed(store, "a", replaying=partial(replaying, Recipe(), store))
    assert store.resolve("save_songs").status is S.ACTIVE
    assert tuple(queue_of(store)) == ()


def test_a_merge_whose_calls_come_out_otherwise_is_refused(store: Store) -> None:
    two(store)

    @contextmanager
    def otherwise() -> Iterator[Trying]:
        yield Trying(replay=lambda skill, trial: "returns ['C'] instead")

    reviewed(store, "a", replaying=partial(otherwise))
    assert store.resolve("save_rock_songs").status is S.ACTIVE


def test_a_merge_that_a_person_refused_is_not_proposed_again(store: Store) -> None:
    two(store)
    reviewed(store, "r", *"no", "enter")
    assert tuple(queue_of(store)) == ()
    assert len(store.entries()) == 2
    assert store.resolve("save_rock_songs").status is S.ACTIVE


@pytest.mark.slow
def test_an_agent_that_speaks_mcp_calls_a_skill(run: Run, store: Store) -> None:
    from fastmcp import Client
    from fastmcp.client.transports import StdioTransport

    digest = propose(store, "def double(x: int) -> int:\n    return 2 * x", S.VERIFIED, S.PROBATION, S.ACTIVE)

    async def ask() -> object:
        words = ["-m", "prowess", "skills", "serve", "--store", str(store.path)]
        with Path("errors.txt").open("w") as errors:
            client = Client(StdioTransport(command=sys.executable, args=words, log_file=errors))
            async with client:
                assert [tool.name for tool in await client.list_tools()] == ["double"]
                return (await client.call_tool("double", {"x": 21})).structured_content

    assert asyncio.run(ask()) == {"result": 42}
    assert store.statistics(digest).called == 1
    told = Path("errors.txt").read_text().splitlines()
    assert told[:1] == [f"prowess: starting to serve {store.path}"]
    assert "prowess: MCP over standard input and output" in told
    assert "a token is needed" in run("serve", "--http", "--host", "0.0.0.0").err
    assert "unknown task 'nope'" in run("serve", "--task", "nope").err
