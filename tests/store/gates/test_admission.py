"""Admission as a whole: once, in one transaction, resumable, by several at once; and trials out of episodes."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from school import LIKE, School

from prowess.errors import RecipeError, SandboxError, StoreError
from prowess.sandbox import open_sandbox
from prowess.skills.extract import skills_in
from prowess.store.db import Store
from prowess.store.exchange import export_folders, import_folders
from prowess.store.gates import admission
from prowess.store.gates.admission import admit, admit_all, examined, replay_settings, subject_of
from prowess.store.gates.context import Context, Subject
from prowess.store.gates.risk import drawn
from prowess.store.record import Effect, Provenance, Status, Trial, Verification
from prowess.store.settings import GateSettings

GATES = ["structure", "leak", "lint", "duplicates", "replay", "transfer", "risk"]
CALL = "like_songs_by_artist(artist_name='Juno Halloway')"


def many(store: Store, count: int) -> None:
    """So many different little skills."""
    with store.many():
        for n in range(count):
            code = f'def plus_{n}(x: int) -> int:\n    """Add to a number."""\n    return x + {n}'
            store.propose(skills_in(code)[0], Provenance(episode=f"r/{n}/0", task=f"t{n}", world="desk"))


def test_an_admission_happens_once(school: School) -> None:
    school.learn(LIKE, CALL)
    first = admit_all(school.store, school.context)
    events, digest = school.store.events(), school.store.resolve("like_songs_by_artist").digest
    assert len(first) == 3
    assert admit_all(school.store, school.context) == ()
    again = admit(school.store, digest, school.context)
    assert not again.new
    assert [one.check for one in again.verifications] == GATES
    assert school.store.events() == events


PROFILE = '''def profile() -> str:
    """Tell my profile as text."""
    shown = apis.supervisor.show_profile()
    return str(shown)
'''


def test_recorded_answers_come_back_in_the_order_of_their_keys(school: School, tmp_path: Path) -> None:
    """Code may print an answer, or go through it."""
    school.learn(PROFILE, "profile()")
    digest = school.store.resolve("profile").digest
    (trial,) = school.store.trials(digest)
    keys = list(trial.answers[0]["answer"])  # type: ignore[index, call-overload, arg-type]
    assert keys != sorted(keys)
    assert "replay" in [one.check for one in school.admit("profile").verifications if one.verdict == "pass"]
    export_folders(school.store, [digest], tmp_path / "out")
    with Store.open(tmp_path / "other.db") as other:
        list(import_folders(other, tmp_path / "out"))
        (again,) = other.trials(digest)
    assert list(again.answers[0]["answer"]) == keys  # type: ignore[index, call-overload, arg-type]


def test_what_breaks_on_the_way_leaves_a_candidate(school: School) -> None:
    school.learn(LIKE, CALL)
    digest = school.store.resolve("like_songs_by_artist").digest
    closed = open_sandbox(replay_settings())
    closed.close()
    with pytest.raises(SandboxError):
        admit(school.store, digest, replace(school.context, sandbox=closed))
    assert school.store.version(digest).status is Status.CANDIDATE
    assert school.store.verifications(digest) == ()
    assert admit(school.store, digest, school.context).refused_by == ""


def test_what_the_machine_lacks_is_no_fault_of_the_candidate(school: School, monkeypatch: pytest.MonkeyPatch) -> None:
    school.learn(LIKE, CALL)
    digest = school.store.resolve("like_songs_by_artist").digest

    def lacking(*_: object) -> Verification:
        raise OSError(24, "Too many open files")

    with monkeypatch.context() as patched:
        patched.setitem(admission.GATES, "replay", lacking)
        with pytest.raises(OSError, match="Too many open files"):
            admit(school.store, digest, school.context)
    assert school.store.version(digest).status is Status.CANDIDATE
    assert admit(school.store, digest, school.context).refused_by == ""


ANSWER = {"api": "music.show_song", "arguments": {}, "answer": "x"}


FAULTY = {
    "answers = '[\"x\"]'": "answers[0] is not an object that names its 'api'",
    "answers = '[{\"answer\": 1}]'": "answers[0] is not an object that names its 'api'",
    "now = 'yesterday'": "now is 'yesterday', which is no date",
    "call = 'plus_0(x=print(1))'": "call is 'plus_0(x=print(1))', which is not one call of a function with plain data",
}
"""Trials that cannot be repeated, as rows that another program wrote."""


@pytest.mark.parametrize("change", FAULTY)
def test_a_record_that_breaks_a_gate_is_refused_and_holds_up_nobody(school: School, change: str) -> None:
    many(school.store, 3)
    first, *behind = school.store.entries()
    school.store.test(Trial(digest=first.digest, call="plus_0(x=1)", answers=(ANSWER,), expected=1))
    with school.store.many():
        school.store.db.execute(f"UPDATE trial SET {change}")
    refused, *others = admit_all(school.store, school.context)
    assert (refused.digest, refused.status, refused.refused_by) == (first.digest, Status.REJECTED, "replay")
    assert FAULTY[change] in refused.verifications[-1].evidence["problem"]
    assert [one.digest for one in others] == [one.digest for one in behind]
    assert not any(one.refused_by in ("leak", "replay") for one in others)


@pytest.mark.parametrize("call", ["[f(), g()]", "f(open('x'))", "f() or 1", "f"])
def test_a_trial_that_is_more_than_a_call_is_not_kept(school: School, call: str) -> None:
    many(school.store, 1)
    (entry,) = school.store.entries()
    with pytest.raises(StoreError, match="which is not one call of a function with plain data"):
        school.store.test(Trial(digest=entry.digest, call=call))
    assert school.store.trials(entry.digest) == ()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("UPDATE trial SET answers = '[' WHERE version = 1", "a trial that cannot be read"),
        ("UPDATE version SET tokens = 'many' WHERE id = 1", "TypeError: tokens is 'many'"),
        ("UPDATE version SET effect = 'none' WHERE id = 1", "'none' is not a valid Effect"),
        ("UPDATE version SET imports = '[1]' WHERE id = 1", "is no list of texts"),
        ("UPDATE version SET schema = '[]' WHERE id = 1", "is no object"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused_and_holds_up_nobody(school: School, change: str, said: str) -> None:
    many(school.store, 3)
    first, *behind = (entry.digest for entry in school.store.entries())
    school.store.test(Trial(digest=first, call="plus_0(x=1)", expected=1))
    with school.store.many():
        school.store.db.execute(change)
    refused, *others = admit_all(school.store, school.context)
    assert (refused.digest, refused.name, refused.refused_by) == (first, "plus_0", "record")
    assert said in refused.verifications[0].evidence["problem"]
    assert [one.digest for one in others] == behind
    assert [one.after for one in school.store.events(digest=first)] == [Status.CANDIDATE, Status.REJECTED]


@pytest.mark.parametrize("name", GATES)
def test_what_breaks_a_gate_is_refused_by_it_and_bound_to_nothing(
    school: School, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    many(school.store, 2)
    first, second = school.store.entries()
    usual = admission.GATES[name]

    def breaking(subject: Subject, context: Context, settings: GateSettings) -> Verification:
        if subject.version.digest == first.digest:
            raise RecursionError("so deep")
        return usual(subject, context, settings)

    monkeypatch.setitem(admission.GATES, name, breaking)
    refused, other = admit_all(school.store, school.context)
    assert (refused.status, refused.refused_by) == (Status.REJECTED, name)
    assert refused.verifications[-1].evidence == {"problem": "the gate broke on it: RecursionError: so deep"}
    assert school.store.edges(first.id) == ()
    assert (other.digest, other.status) == (second.digest, Status.PROBATION)


def test_another_skill_with_a_broken_record_does_not_cost_a_good_one_its_place(school: School) -> None:
    school.learn(LIKE, CALL)
    admit_all(school.store, school.context)
    old = school.store.resolve("like_songs_by_artist").digest
    with school.store.many() as db:
        db.db.execute("UPDATE trial SET answers = '[\"x\"]', now = 'never'")
    assert school.store.trials(old)[0].fault
    longer = LIKE.replace("def like_songs_by_artist(", "def like_all_songs_by_artist(")
    school.learn(f"{longer}\nOTHER = 1", "like_all_songs_by_artist(artist_name='Juno Halloway')")
    assert school.admit("like_all_songs_by_artist").refused_by in ("", "duplicates")


@pytest.mark.slow
def test_killed_at_any_point_it_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "skills.db"
    with Store.open(path) as store:
        many(store, 120)
    script = (
        "import sys; from prowess.store.db import Store; from prowess.store.gates.admission import admit\n"
        "store = Store.open(sys.argv[1])\n"
        "for entry in store.entries(statuses=['candidate'], heads=False):\n"
        "    print(admit(store, entry.digest).digest, flush=True)"
    )
    told: list[str] = []
    for lines in (1, 2, 5, 11, 23):
        child = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        told += [child.stdout.readline().strip() for _ in range(lines)]
        child.kill()
        child.communicate()
    assert len(set(told)) == 42  # nothing is done twice
    with Store.open(path) as store:
        admit_all(store)
        entries = store.entries(heads=False)
        assert {entry.status for entry in entries} == {Status.PROBATION}
        assert all([one.check for one in store.verifications(entry.digest)] == GATES for entry in entries)
        assert store.rebuild(verify=True) == ()


def test_two_that_admit_at_once_do_not_do_it_twice(tmp_path: Path) -> None:
    with Store.open(tmp_path / "skills.db") as store:
        many(store, 40)
        threads = [threading.Thread(target=admit_all, args=(store,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for entry in store.entries(heads=False):
            assert [one.check for one in store.verifications(entry.digest)] == GATES


def test_a_sibling_that_it_helped_is_its_transfer(school: School) -> None:
    first = school.learn(LIKE, CALL)
    skill = next(skill for skill in first.learned if skill.name == "like_songs_by_artist")
    sibling = school.tasks["like_artist.0_2"]
    values = school.suite.case(sibling).values
    episode = school.play(sibling, f"print(like_songs_by_artist(artist_name={values['artist']!r}))", offered=[skill])
    assert episode.success
    digest = school.store.resolve("like_songs_by_artist").digest
    assert [(one.kind, one.task) for one in school.store.trials(digest)] == [
        ("replay", "like_artist.0_1"),
        ("sibling", "like_artist.0_2"),
    ]
    admission = school.admit("like_songs_by_artist")
    transfer = next(one for one in admission.verifications if one.check == "transfer")
    assert transfer.verdict == "pass"
    assert transfer.evidence["tasks"] == ["like_artist.0_2"]


def test_a_sibling_that_failed_is_no_evidence(school: School) -> None:
    first = school.learn(LIKE, CALL)
    skill = next(skill for skill in first.learned if skill.name == "like_songs_by_artist")
    episode = school.play(
        school.tasks["like_artist.0_2"], "print(like_songs_by_artist(artist_name='Nobody'))", offered=[skill]
    )
    assert not episode.success
    digest = school.store.resolve("like_songs_by_artist").digest
    assert [one.kind for one in school.store.trials(digest)] == ["replay"]


def test_a_skill_that_was_defined_again_is_tested_by_calls_of_what_it_is_now(school: School) -> None:
    wrong = LIKE.replace("count += 1", "count += 2")
    task = school.tasks["like_artist.0_1"]
    episode = school.play(task, f"{wrong}\n{CALL}", LIKE, CALL.replace("Juno Halloway", "Nobody"))
    kept = [(tape.call, tape.block) for tape in episode.tapes if tape.name == "like_songs_by_artist"]
    assert kept == [("like_songs_by_artist(artist_name='Nobody')", 1)]
    assert all(turn.observation is not None and not turn.observation.tapes for turn in episode.turns)


def test_tasks_of_its_scenario_that_wrote_the_same_are_its_siblings_and_no_others(tmp_path: Path) -> None:
    skill = skills_in("def plus(x: int) -> int:\n    return x + 1")[0]
    with Store.open(tmp_path / "skills.db") as store:
        for n, (task, scenario) in enumerate([("t1", "s"), ("t2", "s"), ("t3", "other"), ("t1", "s")]):
            told = Provenance(episode=f"r/{n}/0", task=task, scenario=scenario, instruction=f"Add {n}", world="desk")
            digest = store.propose(skill, told).digest
        assert subject_of(store, store.version(digest), Context()).siblings == ("Add 1",)


def test_what_was_not_recorded_can_be_sent_to_review(tmp_path: Path) -> None:
    with Store.open(tmp_path / "skills.db") as store:
        many(store, 2)
        one, other = store.entries()
        assert admit(store, one.digest).status is Status.PROBATION
        *_, verified, _ = store.events()
        assert verified.why == "passed structure, lint, duplicates, risk; abstained: leak, replay, transfer"
        assert admit(store, other.digest, settings=GateSettings(unplayed="review")).status is Status.REVIEW


def test_a_share_of_what_changes_the_world_is_looked_at(school: School) -> None:
    share = sum(drawn(f"digest {n}", GateSettings(review_rate=0.2)) for n in range(2000)) / 2000
    assert share == pytest.approx(0.2, abs=0.03)
    school.learn(LIKE, CALL)
    entry = school.store.resolve("like_songs_by_artist")
    assert entry.version.effect is Effect.WRITE
    for rate, verdict in ((0.0, "pass"), (1.0, "abstain")):
        settings = GateSettings(review_rate=rate)
        assert [*examined(subject_of(school.store, entry, Context()), Context(), settings)][-1].verdict == verdict


def test_a_new_version_of_a_skill_is_no_copy_of_the_old_one_unless_only_names_differ(school: School) -> None:
    school.learn(LIKE, CALL)
    school.admit("like_songs_by_artist")
    school.learn(LIKE.replace("count += 1", "count = count + 1"), CALL)
    school.learn(re.sub(r"\bcount\b", "liked_now", LIKE), CALL)
    verdicts = {
        entry.number: admit(school.store, entry.digest, school.context).refused_by
        for entry in school.store.versions(school.store.resolve("like_songs_by_artist").id)
    }
    assert verdicts == {1: "", 2: "", 3: "duplicates"}


def test_a_copy_of_what_was_revoked_is_refused(school: School) -> None:
    school.learn(LIKE, CALL)
    admission = school.admit("like_songs_by_artist")
    school.store.move(admission.digest, Status.REVOKED, actor="guard", why="unsafe")  # type: ignore[arg-type]
    school.learn(LIKE.replace("like_songs_by_artist", "heart"), "heart(artist_name='Juno Halloway')")
    assert school.admit("heart").refused_by == "duplicates"


def test_a_tampered_test_fails_on_replay(school: School) -> None:
    school.learn(LIKE, CALL)
    digest = school.store.resolve("like_songs_by_artist").digest
    (trial,) = school.store.trials(digest)
    assert "access_token" in str(trial.answers)
    for bad, problem in (
        (replace(trial, expected=99), "returns 5 instead of 99"),
        (replace(trial, answers=trial.answers[:-1]), "call 10: asks music.like_song, where the recording had ended"),
        (replace(trial, answers=(*trial.answers, trial.answers[0])), "makes 1 API call less than recorded"),
        (
            replace(trial, call="like_songs_by_artist(artist_name='X')"),
            "call 5: asks music.search_songs with other arguments",
        ),
        (
            replace(trial, call=f"[{trial.call}, __import__('os').system('id')][0]"),
            "cannot be repeated: call is \"[like_songs_by_artist(artist_name='Juno Halloway'), __import\","
            " which is not one call of a function with plain data",
        ),
        (
            replace(trial, call="eval('1')"),
            "cannot be repeated: the call is of 'eval', which the skill does not define",
        ),
    ):
        subject = replace(subject_of(school.store, school.store.version(digest), Context()), trials=(bad,))
        last = [*examined(subject, school.context, GateSettings())][-1]
        assert (last.check, last.verdict, last.evidence["problem"]) == ("replay", "fail", problem)


def test_the_world_s_clock_is_the_recorded_one(school: School) -> None:
    code = 'from datetime import date\n\ndef today(days: int) -> str:\n    """A date."""\n'
    code += "    return str(date.today())[days:]"
    school.learn(code, "today(days=0)")
    (trial,) = school.store.trials(school.store.resolve("today").digest)
    assert isinstance(trial, Trial) and trial.now.startswith(trial.expected)
    assert school.admit("today").refused_by == ""


def test_shares_are_between_0_and_1() -> None:
    with pytest.raises(RecipeError, match="review_rate"):
        GateSettings(review_rate=1.5)
