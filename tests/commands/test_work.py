"""Working through a stream: what is offered when, what the store is told, and going on after a kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from toy import Counter, Outage, ToySuite, ToyWorld, agent_with

from prowess.commands.work import care
from prowess.commands.work.care import journals, tell
from prowess.commands.work.exposure import Exposure, FromSearch
from prowess.commands.work.ledger import Ledger
from prowess.commands.work.rounds import Round
from prowess.commands.work.settings import WorkSettings
from prowess.commands.work.stream import PlayContext, Stream
from prowess.errors import PolicyError, ProwessError, RecipeError, StoreError, WorldError
from prowess.play import Agent
from prowess.run import Run
from prowess.store.db import Busy, Ingested, Store, ingest
from prowess.store.record import Account, Provenance, Status
from prowess.store.search import SearchSettings
from prowess.store.search.search import Search
from prowess.store.settings import CurateSettings, GateSettings, SkillSettings
from prowess.types import Completion, Episode, LibraryView, Message, Skill, Stop, Task

FOLDERS = os.pathsep.join(str(Path(__file__).parents[level]) for level in (0, 1))
"""This test and what it imports, for processes of their own."""


def everything(library: LibraryView, task: Task) -> Sequence[Skill]:
    return tuple(library.skills)


def player(agent: Agent | None = None) -> Agent:
    return replace(agent or agent_with(Counter()), retrieve=everything)


def worked(
    folder: Path,
    *,
    name: str = "run",
    agent: Agent | None = None,
    suite: ToySuite | None = None,
    workers: int = 1,
    resume: bool = False,
    stdin: int = 0,
    find: FromSearch | None = None,
    skills: SkillSettings | None = None,
    where: PlayContext = PlayContext(world="toy", checkpoint="counter"),  # noqa: B008 (frozen)
    **settings: object,
) -> list[Episode]:
    """Work with a store in the folder; the episodes that were shown, in the order of the stream."""
    wanted = WorkSettings(**{"every": 3, "mask": 0.0, "store": str(folder / "skills.db"), **settings})  # type: ignore[arg-type]
    shown: list[Episode] = []
    with (
        Store.open(wanted.store, create=wanted.library == "grow") as store,
        Run.create(folder / name, command="work", recipe_toml="seed = 1\n", seed=1, resume=resume) as run,
    ):
        Stream(
            player(agent),
            suite or ToySuite(4),
            wanted,
            run,
            store,
            find=find,
            skills=skills,
            where=where,
            seed=7,
            workers=workers,
            stdin=stdin,
        ).play(shown.append)
    return shown


def rounds(folder: Path, name: str = "run") -> list[Round]:
    return list(Ledger(folder / name / "rounds.jsonl", Round))


def episodes(folder: Path, name: str = "run") -> list[Episode]:
    """In the order of the stream, without how long things took."""
    return [replace(played.episode, seconds=0) for played in Run.open(folder / name).episodes()]


def test_a_round_is_offered_what_the_rounds_before_it_learned(tmp_path: Path) -> None:
    worked(tmp_path)
    played = episodes(tmp_path)
    assert len(played) == 12
    assert [episode.offered for episode in played] == [()] * 3 + [("raise_to",)] * 9
    assert [len(episode.learned) for episode in played] == [1] * 3 + [0] * 9
    assert all(episode.called for episode in played[3:])
    assert sum(episode.reply_tokens for episode in played[:3]) > sum(episode.reply_tokens for episode in played[3:6])


def test_the_order_is_drawn_by_the_seed_and_mixes_scenarios(tmp_path: Path) -> None:
    worked(tmp_path)
    order = [episode.task.id for episode in episodes(tmp_path)]
    listed = [task.id for task in ToySuite(4).tasks("train")]
    assert sorted(order) == sorted(listed)
    assert order != listed


def test_every_round_records_the_snapshot_it_was_played_with(tmp_path: Path) -> None:
    worked(tmp_path)
    found = rounds(tmp_path)
    assert [each.first for each in found] == [0, 3, 6, 9, 12]
    assert [each.skills for each in found] == [0, 1, 1, 1, 1]
    assert Run.open(tmp_path / "run").about.library == found[0].root
    with Store.open(tmp_path / "skills.db") as store:
        assert [skill.name for skill in store.library(found[1].root, probation=True)] == ["raise_to"]
        assert len(store.library(found[0].root, probation=True)) == 0
        assert {each.root for each in found} <= {snapshot.root for snapshot in store.snapshots()}


def test_the_store_counts_what_was_offered_and_called_and_how_it_ended(tmp_path: Path) -> None:
    worked(tmp_path, agent=agent_with(Counter(lambda goal, seed: goal % 2 == 0)))
    with Store.open(tmp_path / "skills.db") as store:
        (entry,) = store.entries()
        figures = store.statistics(entry.digest)
        odd = sum(int(episode.task.instruction[-2]) % 2 for episode in episodes(tmp_path)[3:])
        assert (figures.offered, figures.called, figures.called_successes, figures.masked) == (9, 9, odd, 0)
        told = store.provenances(entry.digest)
        assert len(told) == 3
        assert {one.checkpoint for one in told} == {"counter"}
        assert {one.task for one in told} == {episode.task.id for episode in episodes(tmp_path)[:3]}
        assert store.rebuild(verify=True) == ()


def test_a_task_that_comes_again_is_another_episode(tmp_path: Path) -> None:
    (tmp_path / "tasks").write_text("count0_1\n" * 8)
    worked(tmp_path, queue=str(tmp_path / "tasks"))
    assert [played.run for played in Run.open(tmp_path / "run").episodes()] == list(range(8))
    with Store.open(tmp_path / "skills.db") as store:
        (entry,) = store.entries()
        assert store.statistics(entry.digest).offered == 5


def test_any_number_of_workers_gives_the_same_stream_and_the_same_library(tmp_path: Path) -> None:
    for name, workers in (("one", 1), ("many", 6)):
        (tmp_path / name).mkdir()
        worked(tmp_path / name, workers=workers, mask=0.3, agent=agent_with(Counter(lambda goal, seed: seed % 3 == 0)))
    assert episodes(tmp_path / "one") == episodes(tmp_path / "many")
    assert rounds(tmp_path / "one") == rounds(tmp_path / "many")


def test_a_finished_run_is_shown_again_and_nothing_is_played_or_counted_twice(tmp_path: Path) -> None:
    first = worked(tmp_path)
    before = rounds(tmp_path)

    def refuses(messages: Sequence[Message], *, seed: int) -> Completion:
        raise AssertionError("played again")

    again = worked(tmp_path, agent=agent_with(refuses), resume=True)
    assert [replace(each, seconds=0) for each in again] == [replace(each, seconds=0) for each in first]
    assert rounds(tmp_path) == before


def test_more_tasks_later_go_on_from_where_the_stream_ended(tmp_path: Path) -> None:
    worked(tmp_path, tasks=4)
    assert [each.first for each in rounds(tmp_path)] == [0, 3, 4]
    worked(tmp_path, tasks=9, resume=True)
    assert [each.first for each in rounds(tmp_path)] == [0, 3, 4, 7, 9]
    assert [len(each.offered) for each in episodes(tmp_path)] == [0, 0, 0, 1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize("step", ["admit_all", "curate"])
def test_the_figures_of_a_round_count_what_an_earlier_process_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def killed(*words: object, **names: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(care, step, killed)
        with pytest.raises(KeyboardInterrupt):
            worked(tmp_path, tasks=2)
    worked(tmp_path, tasks=4, resume=True)  # the round went on meanwhile
    figures = [each.values for each in Run.open(tmp_path / "run").metrics()]
    told = [{name: each[f"work/{name}"] for name in ("proposed", "admitted", "rejected")} for each in figures]
    assert told == [{"proposed": 1, "admitted": 1, "rejected": 0}, {"proposed": 0, "admitted": 0, "rejected": 0}]


# --- what is held back ------------------------------------------------------------------------------


def test_an_outage_stops_the_work_and_the_same_command_goes_on_with_what_broke(tmp_path: Path) -> None:
    policy = Outage("Task:")
    for asked in (3, 6):
        with pytest.raises(ProwessError, match=r"the last 3 episodes ended in an error, 3 of them in: .*no answer"):
            worked(tmp_path, agent=agent_with(policy), resume=asked > 3)
        assert policy.asked == asked, "the other nine tasks of the stream were not tried"
        assert (episodes(tmp_path), len(rounds(tmp_path))) == ([], 1)
    policy.down.clear()
    worked(tmp_path, agent=agent_with(policy), resume=True)
    (tmp_path / "unbroken").mkdir()
    worked(tmp_path / "unbroken")
    assert episodes(tmp_path) == episodes(tmp_path / "unbroken")


def test_a_round_in_which_every_world_breaks_stops_the_work_too(tmp_path: Path) -> None:
    class Closed(ToySuite):
        def open(self, task: Task) -> ToyWorld:
            raise WorldError("will not open")

    with pytest.raises(ProwessError, match=r"all 3 tasks of a round ended in an error, 3 of them in: .*will not open"):
        worked(tmp_path, suite=Closed(4))
    assert (episodes(tmp_path), len(rounds(tmp_path))) == ([], 1)
    worked(tmp_path, resume=True)
    assert len(episodes(tmp_path)) == 12


def test_what_a_policy_refuses_every_time_does_not_keep_the_work_from_its_end(tmp_path: Path) -> None:
    tasks = [episode.task.instruction for episode in worked(tmp_path)]
    (tmp_path / "refused").mkdir()
    policy = Outage(*tasks[6:11], kind=PolicyError)  # the first five of the second round
    shown = worked(tmp_path / "refused", agent=agent_with(policy), every=6)
    assert [episode.stop is Stop.ERROR for episode in shown] == [False] * 6 + [True] * 5 + [False]


def test_tasks_that_broke_one_by_one_are_no_outage(tmp_path: Path) -> None:
    shown = worked(tmp_path, agent=agent_with(Outage("Task:")), every=2)
    assert [episode.stop for episode in shown] == [Stop.ERROR] * 12


def test_what_a_task_writes_when_it_is_played_again_comes_into_the_store(tmp_path: Path) -> None:
    first, *_ = worked(tmp_path, name="other", tasks=1, store=str(tmp_path / "other.db"))
    policy = Outage(first.task.instruction)
    worked(tmp_path, agent=agent_with(policy), every=1, tasks=2)
    with Store.open(tmp_path / "skills.db") as store:
        before = {one.task for entry in store.entries() for one in store.provenances(entry.digest)}
    assert first.task.id not in before
    policy.down.clear()
    (tmp_path / "run" / "episodes" / "work-000000.jsonl.gz").unlink()
    worked(tmp_path, agent=agent_with(policy), every=1, tasks=2, resume=True)
    with Store.open(tmp_path / "skills.db") as store:
        after = {one.task for entry in store.entries() for one in store.provenances(entry.digest)}
    assert after == before | {first.task.id}


def test_masked_skills_are_hidden_and_counted_as_a_control(tmp_path: Path) -> None:
    worked(tmp_path, mask=0.5, suite=ToySuite(10))
    played, held = episodes(tmp_path), Ledger(tmp_path / "run" / "exposures.jsonl", Exposure)
    hidden = {exposure.place for exposure in held if exposure.masked}
    assert 5 < len(hidden) < 22
    for place, episode in enumerate(played[3:], start=3):
        assert episode.offered == (() if place in hidden else ("raise_to",))
    with Store.open(tmp_path / "skills.db") as store:
        figures = store.statistics(store.entries()[0].digest)
    assert (figures.masked, figures.offered) == (len(hidden), 27 - len(hidden))


def test_a_hidden_library_is_retrieved_from_and_never_shown_and_the_store_stays(tmp_path: Path) -> None:
    worked(tmp_path)
    with Store.open(tmp_path / "skills.db") as store:
        before = store.events()
    worked(tmp_path, name="hidden", library="masked", split="dev")
    assert all(not episode.offered for episode in episodes(tmp_path, "hidden"))
    held = Ledger(tmp_path / "hidden" / "exposures.jsonl", Exposure)
    assert {exposure.masked for exposure in held} == {("raise_to",)}
    with Store.open(tmp_path / "skills.db") as store:
        assert store.events() == before


def test_a_frozen_library_is_used_from_the_first_task_and_does_not_change(tmp_path: Path) -> None:
    worked(tmp_path)
    root = rounds(tmp_path)[1].root
    with Store.open(tmp_path / "skills.db") as store:
        before = store.events(), store.statistics(store.entries()[0].digest)
    worked(tmp_path, name="frozen", library="frozen", root=root, split="dev")
    assert all(episode.called for episode in episodes(tmp_path, "frozen"))
    assert {each.root for each in rounds(tmp_path, "frozen")} == {root}
    with Store.open(tmp_path / "skills.db") as store:
        assert (store.events(), store.statistics(store.entries()[0].digest)) == before


def test_without_a_library_nothing_is_retrieved_or_told(tmp_path: Path) -> None:
    worked(tmp_path, name="grown")
    worked(tmp_path, name="bare", library="none")
    assert all(not episode.offered for episode in episodes(tmp_path, "bare"))
    assert {each.root for each in rounds(tmp_path, "bare")} == {""}


class Sender(Counter):
    """Writes a function whose name says that what it does cannot be taken back."""

    def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
        found = super().__call__(messages, seed=seed)
        return replace(found, text=found.text.replace("apis.counter.add(by=", "apis.counter.send(by="))


def test_what_cannot_be_taken_back_waits_for_a_person_unless_somebody_approves_unseen(tmp_path: Path) -> None:
    class Suite(ToySuite):
        def open(self, task: Task) -> object:  # type: ignore[override]
            world = super().open(task)
            world.names["apis"].counter.send = world.names["apis"].counter.add
            return world

    for name, approve in (("waits", ""), ("approved", "ada")):
        (tmp_path / name).mkdir()
        worked(tmp_path / name, agent=agent_with(Sender()), suite=Suite(4), approve=approve)
    assert all(not episode.offered for episode in episodes(tmp_path / "waits"))
    assert all(episode.offered for episode in episodes(tmp_path / "approved")[3:])
    with Store.open(tmp_path / "approved" / "skills.db") as store:
        assert [event.who for event in store.events() if event.kind == "reviewed"] == ["ada"]
    with Store.open(tmp_path / "waits" / "skills.db") as store:
        assert [entry.status for entry in store.entries()] == [Status.REVIEW]


def test_what_is_played_with_is_pinned_meanwhile_and_not_afterwards(tmp_path: Path) -> None:
    holders: list[int] = []

    class Looking(Counter):
        def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
            with Store.open(tmp_path / "skills.db") as store:
                holders.append(int(str(store.db.execute("SELECT count(*) FROM pin").get)))
            return super().__call__(messages, seed=seed)

    worked(tmp_path, agent=agent_with(Looking()), tasks=6)
    assert set(holders) == {1}
    with Store.open(tmp_path / "skills.db") as store:
        assert store.db.execute("SELECT count(*) FROM pin").get == 0


# --- kills ------------------------------------------------------------------------------------------

SCRIPT = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = sys.argv[2].split(os.pathsep)
import test_work
left = [int(sys.argv[3])]
sync = os.fsync

def fsync(handle):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    sync(handle)

os.fsync = fsync
folder = Path(sys.argv[1])
test_work.worked(folder, mask=0.3, workers=2, resume=(folder / "run" / "run.json").exists())
"""


@pytest.mark.slow
def test_killed_again_and_again_the_run_comes_to_the_same_end(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "killed").mkdir()
    worked(tmp_path / "whole", mask=0.3, workers=2)
    kills = 0
    for step in (2, 7, 9, 12, 13, 14, 17, 20, 23, 10_000):
        command = [sys.executable, "-c", SCRIPT, str(tmp_path / "killed"), FOLDERS, str(step)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
        assert ended.returncode in (0, -signal.SIGKILL), ended.stderr
        kills += ended.returncode != 0
    assert kills >= 6
    assert episodes(tmp_path / "killed") == episodes(tmp_path / "whole")
    assert rounds(tmp_path / "killed") == rounds(tmp_path / "whole")
    found = []
    for name in ("whole", "killed"):
        with Store.open(tmp_path / name / "skills.db") as store:
            (entry,) = store.entries()
            figures = store.statistics(entry.digest)
            found.append((entry.digest, figures.offered, figures.masked, figures.called, figures.called_successes))
            assert store.rebuild(verify=True) == ()
            assert store.db.execute("SELECT count(*) FROM pin").get == 0
    assert found[0] == found[1]


@pytest.mark.slow
def test_several_processes_may_work_with_one_store(tmp_path: Path) -> None:
    script = SCRIPT.replace(
        'test_work.worked(folder, mask=0.3, workers=2, resume=(folder / "run" / "run.json").exists())',
        "test_work.worked(folder, name=sys.argv[4], suite=test_work.ToySuite(8))",
    )
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), FOLDERS, "0", name]) for name in ("a", "b")
    ]
    assert [process.wait(60) for process in started] == [0, 0]
    with Store.open(tmp_path / "skills.db") as store:
        (entry,) = store.entries()
        figures = store.statistics(entry.digest)
        offered = sum(len(episode.offered) for name in ("a", "b") for episode in episodes(tmp_path, name))
        assert figures.offered == offered > 36
        assert store.rebuild(verify=True) == ()
        assert journals(store).is_dir()


# --- settings ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"every": 0}, "every is 0; it must be at least 1"),
        ({"mask": 1.5}, "mask is 1.5"),
        ({"root": "abc"}, "root is 'abc' and library is 'grow'"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(RecipeError, match=message):
        WorkSettings(**settings)  # type: ignore[arg-type]


def test_a_library_that_does_not_grow_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        worked(tmp_path, library="frozen")


def test_a_ledger_leaves_out_a_line_cut_short_and_goes_on_behind_the_last_whole_one(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    ledger = Ledger(path, Round)
    ledger.append(Round(first=0, root="a", skills=1), Round(first=3, root="b", skills=2))
    path.write_bytes(path.read_bytes() + b'{"first": 6, "ro')
    torn = Ledger(path, Round)
    assert [each.root for each in torn] == ["a", "b"]
    torn.append(Round(first=6, root="c", skills=3))
    assert [json.loads(line)["root"] for line in path.read_text().splitlines()] == ["a", "b", "c"]
    path.write_text('{"first": 1}\n')
    with pytest.raises(StoreError, match=r"rounds.jsonl:1"):
        Ledger(path, Round)


# --- admission and search ---------------------------------------------------------------------------


def test_the_gates_refuse_what_holds_a_value_of_its_episode(tmp_path: Path) -> None:
    class Memorising(Counter):
        """Writes the goal into its function instead of taking it as a parameter."""

        def __call__(self, messages: Sequence[Message], *, seed: int) -> Completion:
            found = super().__call__(messages, seed=seed)
            goal = found.text.partition("print(raise_to(")[2].partition(")")[0]
            text = found.text.replace("by=goal -", f"by={goal} -") if goal else found.text
            return replace(found, text=text)

    worked(tmp_path, agent=agent_with(Memorising()), split="dev", tasks=3)
    with Store.open(tmp_path / "skills.db") as store:
        found = store.entries(heads=False)
        assert {entry.status for entry in found} == {Status.REJECTED}
        assert {one.check for entry in found for one in store.verifications(entry.digest) if one.verdict == "fail"} == {
            "leak"
        }


def test_the_recipe_says_how_strict_the_gates_are_and_what_promotes(tmp_path: Path) -> None:
    strict = SkillSettings(gates=GateSettings(unplayed="review"))
    worked(tmp_path, name="strict", skills=strict, store=str(tmp_path / "strict.db"), tasks=3)
    with Store.open(tmp_path / "strict.db") as store:
        assert [entry.status for entry in store.entries()] == [Status.REVIEW]
    for calls, status in ((2, Status.ACTIVE), (99, Status.PROBATION)):
        wanted = SkillSettings(curate=CurateSettings(calls=calls, floor=0.1))
        worked(tmp_path, name=f"run{calls}", skills=wanted, store=str(tmp_path / f"{calls}.db"), tasks=9)
        with Store.open(tmp_path / f"{calls}.db") as store:
            assert [entry.status for entry in store.entries()] == [status]


def searching(folder: Path, *, share: float) -> FromSearch:
    store = Store.open(folder / "skills.db")
    return FromSearch(search=Search(store, SearchSettings(masked=share)), namespace="toy")


def test_the_search_over_the_store_says_which_very_versions_it_offers(tmp_path: Path) -> None:
    worked(tmp_path, find=searching(tmp_path, share=0.3), suite=ToySuite(8))
    held = list(Ledger(tmp_path / "run" / "exposures.jsonl", Exposure))
    with Store.open(tmp_path / "skills.db") as store:
        (entry,) = store.entries()
        assert {digest for one in held for digest in one.digests.values()} == {entry.digest}
        figures = store.statistics(entry.digest)
    assert figures.masked == sum(bool(one.masked) for one in held) > 0
    assert figures.offered == sum(len(episode.offered) for episode in episodes(tmp_path)) > 0
    assert all(one.scores["raise_to"] > 0 for one in held if one.digests)


def test_the_search_cannot_play_with_a_snapshot_of_another_day(tmp_path: Path) -> None:
    worked(tmp_path)
    with pytest.raises(RecipeError, match="the store stands at"):
        worked(
            tmp_path,
            name="past",
            find=searching(tmp_path, share=0.0),
            library="frozen",
            root=rounds(tmp_path)[0].root,
        )
    worked(tmp_path, name="now", find=searching(tmp_path, share=0.0), library="frozen", split="dev")
    assert all(episode.called for episode in episodes(tmp_path, "now"))


def test_skills_of_a_changed_api_are_not_offered_any_more(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    was, now = ({"counter.add": mark, "counter.show": "c"} for mark in "ab")
    worked(tmp_path, where=PlayContext(world="toy", fingerprints=was), tasks=6)
    assert "stale" not in capsys.readouterr().err
    worked(tmp_path, name="changed", where=PlayContext(world="toy", fingerprints=now), tasks=3)
    assert "stale now, as APIs have changed (counter.add): 1 skill, no longer offered\n" in capsys.readouterr().err
    assert [len(episode.offered) for episode in episodes(tmp_path)] == [0, 0, 0, 1, 1, 1]
    assert [len(episode.offered) for episode in episodes(tmp_path, "changed")] == [0, 0, 0]
    with Store.open(tmp_path / "skills.db") as store:
        assert Status.STALE in {entry.status for entry in store.entries(heads=False)}


def test_what_the_store_refuses_of_the_journals_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def account(episode: str, **offered: str) -> Account:
        return Account(namespace="toy", provenance=Provenance(episode=episode), offered=tuple(offered), digests=offered)

    with Store.open(tmp_path / "skills.db") as store:
        tell(store, "run", [account("r/1"), account("r/2", f="\ud800")])
        assert "warning: the store refused 1 record of " in (told := capsys.readouterr().err), told
        assert "skills.db.journals, the first: the store has no version" in told
        tell(store, "run", [account("r/3")])
        assert capsys.readouterr().err == ""


def test_whoever_takes_the_journals_in_is_waited_for_but_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def taken_in(store: Store, folder: Path) -> Ingested:
        tried.append(folder)
        if len(tried) < 3:
            raise Busy("another one takes them in")
        return ingest(store, folder)

    tried: list[Path] = []
    monkeypatch.setattr(care, "ingest", taken_in)
    account = Account(provenance=Provenance(run="r", episode="r/1", world="w"), success=True, namespace="w")
    with Store.open(tmp_path / "skills.db") as store:
        tell(store, "run", [account])
        assert len(tried) == 3
        tried.clear()
        monkeypatch.setattr(care, "WAIT", -1.0)
        with pytest.raises(Busy):
            tell(store, "run", [account])
        assert len(tried) == 1
