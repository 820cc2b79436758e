"""Which skills were offered where, what they cost, and what belongs to one world alone."""

from __future__ import annotations

import pytest
from shelf import PAY, SONGS, Run, propose, skill

from prowess.store.db import Store
from prowess.store.record import Actor, Provenance, Status, Usage

S = Status


def test_uses_tell_where_a_skill_was_offered_with_its_score_and_its_end(run: Run, store: Store) -> None:
    songs = propose(store, SONGS, S.VERIFIED, S.PROBATION)
    pay = propose(store, PAY)
    at = "job@2026-01-31T12:00:00+00:00"
    store.use(
        [
            Usage(episode="a", digest=songs, task="t1", run=at, rank=2, score=0.5, called=1, success=True),
            Usage(episode="b", digest=songs, task="t2", run=at, arm="masked", rank=1, score=0.25),
            Usage(episode="c", digest=pay, task="t2", run="other", called=1, error="KeyError: 'x'"),
        ]
    )
    told = run("uses", "--json").lines
    assert [(one["name"], one["task"], one["arm"]) for one in told] == [
        ("pay_people", "t2", "offered"),
        ("count_songs", "t2", "masked"),
        ("count_songs", "t1", "offered"),
    ]
    (one,) = run("uses", "count_songs", "--task", "t1", "--json").lines
    assert (one["rank"], one["score"], one["called"], one["success"]) == (2, 0.5, 1, True)
    assert [one["task"] for one in run("uses", "--run", "job", "--json").lines] == ["t2", "t1"]
    assert len(run("uses", "--run", "jo", "--json").lines) == 0
    places = [line.split()[6:8] for line in run("uses", "count_songs").out.splitlines() if "count_songs" in line]
    assert places == [["–", "0.25"], ["3", "0.50"]]  # in the prompt, counted from 1
    assert "it raised KeyError: 'x'" in run("uses", "pay_people").out
    assert run("uses", "--task", "t9").out == "no use\n"


@pytest.mark.parametrize("columns", ["80", "120"])
def test_tables_leave_names_room_on_a_terminal_that_is_not_wide(
    run: Run, store: Store, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    name = "tidy_playlists"
    digest = propose(store, SONGS.replace("count_songs", name), S.VERIFIED, S.PROBATION)
    store.use([Usage(episode="a", digest=digest, run="a_run_of_mine@now", task="songs.0_1", success=True)])
    monkeypatch.setenv("COLUMNS", columns)
    costs, uses = run("costs").out, run("uses").out
    assert all(word in costs for word in (f"{name}@1", "probation", digest[:8]))
    assert all(word in uses for word in (f"{name}@1", "a_run_of_mine", "songs.0_1", "offered", "solved"))


def test_costs_name_first_what_was_offered_most_for_nothing(run: Run, store: Store) -> None:
    assert run("costs", "--store", str(store.path)).out == "nothing was offered yet\n"
    songs = propose(store, SONGS, S.VERIFIED, S.PROBATION)
    tidy = propose(store, SONGS.replace("count_songs", "tidy_songs"), S.VERIFIED, S.PROBATION)
    gone = propose(store, PAY)
    store.use(Usage(episode=f"e{n}", digest=songs, called=n % 2, success=True) for n in range(4))
    store.use(Usage(episode=f"e{n}", digest=tidy) for n in range(4))
    store.use([Usage(episode="e", digest=gone)])
    dear, cheap = run("costs", "--json").lines
    tokens = store.version(songs).version.tokens
    assert (dear["name"], dear["called"], dear["unused"]) == ("tidy_songs", 0, 4 * tokens)
    assert (cheap["name"], cheap["called"], cheap["unused"]) == ("count_songs", 2, 2 * tokens)
    assert (cheap["uplift"], cheap["uplift_error"]) == (None, None)
    assert len(run("costs", "--all", "--json").lines) == 3
    assert "tidy_songs@1" in run("costs").out


def test_log_uses_and_stats_of_one_world_tell_nothing_of_others(run: Run, store: Store) -> None:
    songs = propose(store, SONGS)
    pay = store.propose(skill(PAY), Provenance(run="r", episode="r/p/0", world="bank"), namespace="bank")
    store.use([Usage(episode="e", digest=songs), Usage(episode="e", digest=pay.digest)])
    assert [one["digest"] for one in run("log", "--namespace", "bank", "--json").lines] == [pay.digest]
    (totals,) = run("stats", "--namespace", "bank", "--json").lines
    assert (totals["skills"], totals["versions"], totals["uses"], totals["events"]) == (1, 1, 1, 1)
    assert totals["namespaces"] == {"bank": 1}
    assert run("stats", "--json").lines[0]["skills"] == 2
    assert [one["name"] for one in run("uses", "--namespace", "bank", "--json").lines] == [skill(PAY).name]


def test_log_leaves_out_what_runs_pin_and_begins_where_it_is_told(run: Run, store: Store) -> None:
    songs = propose(store, SONGS)
    root = store.snapshot().root
    store.pin(root, "job", actor=Actor.STORE, why="played with")
    store.pin(store.resolve("count_songs").id, "ada")
    store.unpin(root, "job", actor=Actor.STORE)
    assert [one["kind"] for one in run("log", "--json").lines] == ["pinned", "proposed"]
    assert len(run("log", "--all", "--json").lines) == 4
    store.move(songs, S.VERIFIED, actor=Actor.GATE)
    assert [one["kind"] for one in run("log", "--since", root, "--json").lines] == ["moved", "pinned"]
    (moved,) = run("log", "--since", store.events()[-1].at[:19], "--json").lines
    assert moved["digest"] == songs
