"""The commands as a person types them: through `main`, with its exit codes, on a real store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from shelf import HOSTILE, PAY, SONGS, Run, propose

from prowess.cli.skills.commands import COMMANDS, app
from prowess.cli.skills.options import person
from prowess.store.db import Journal, Store
from prowess.store.record import Account, Actor, Provenance, Status, Usage

S = Status
BETTER = SONGS.replace("return len(", "return 0 + len(")


def test_every_command_of_the_issue_is_there_and_says_what_it_does(run: Run) -> None:
    names = {name for group in COMMANDS.values() for name in group}
    asked = "list search show log diff approve reject retire restore pin unpin stats snapshot undo curate admit export"
    assert names >= {*asked.split(), "import", "serve", "rebuild", "bisect", "ingest", "propose", "review"}
    assert all(command.__doc__ for group in COMMANDS.values() for command in group.values())
    for name in names:
        assert run(name, "--help").code == 0


def test_help_loads_neither_the_store_nor_what_shows_it() -> None:
    code = (
        "import sys; from prowess.cli import app;"
        "print({'apsw', 'textual', 'fastmcp', 'numpy', 'rich.table', 'datasketch'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "set()\n"


def test_show_compares_code_without_what_takes_a_second_to_load(waiting: Store) -> None:
    code = (
        "import sys; from prowess.cli import app\n"
        f"try: app(['skills', 'show', '{waiting.entries()[0].id}', '--store', {str(waiting.path)!r}])\n"
        "except SystemExit: print({'datasketch', 'scipy'} & set(sys.modules), file=sys.stderr)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stderr == "set()\n"


def test_a_store_that_is_not_there_is_not_begun_by_looking(run: Run, path: Path) -> None:
    found = run("list")
    assert (found.code, path.exists()) == (2, False)
    assert f"error: there is no skill store at {path}\nhint: name it by --store" in found.err
    assert run("list", "--store", "elsewhere.db").err.startswith("error: there is no skill store at elsewhere.db")


# --- looking --------------------------------------------------------------------------------------


def test_list_shows_what_there_is(run: Run, waiting: Store) -> None:
    shown = run("list").out
    assert all(name in shown for name in ("pay_people", "tidy", "count_songs", "irreversible", "3/3"))
    only = run("list", "--status", "probation", "--json").lines
    assert [(one["name"], one["statistics"]["called"], one["statistics"]["uplift"]) for one in only] == [
        ("count_songs", 3, 1.0)
    ]
    page = run("list", "--limit", "1", "--json").lines
    rest = run("list", "--after", page[0]["id"], "--json").lines
    assert [one["name"] for one in (*page, *rest)] == ["pay_people", "tidy", "count_songs"]


def test_a_status_that_does_not_exist_is_told_with_the_nearest(run: Run, waiting: Store) -> None:
    found = run("list", "--status", "activ")
    assert found.code == 2 and "unknown status 'activ'\nhint: did you mean 'active'?" in found.err


def test_show_tells_all_of_a_skill_and_nothing_acts_on_the_terminal(run: Run, waiting: Store) -> None:
    shown = run("show", "tidy").out
    assert "Tidy [bold red]up[/] ‹U+001B›[2J‹U+001B›]0;owned‹U+0007› ‹U+202E›thgir" in " ".join(shown.split())
    assert not {"\x1b", "\x07", "\u202e", "\u200b"} & set(shown)
    assert "invisible characters" in shown
    pay = run("show", "pay_people").out
    assert "run r1, task pay_1, turn 2" in pay and "“Pay Ann and Bob 5 dollars”" in pay
    (found,) = run("show", "desk:pay_people", "--json").lines
    assert [one["verdict"] for one in found["verifications"]] == ["pass", "fail", "abstain"]
    assert run("show", "pay_peple").err.startswith("error: unknown skill 'pay_peple'\nhint: did you mean 'pay_people'?")


def test_versions_are_named_by_number_or_digest(run: Run, store: Store) -> None:
    one, two = propose(store, SONGS), propose(store, BETTER)
    assert run("show", "count_songs@1", "--json").lines[0]["digest"] == one
    assert run("show", two[:8], "--json").lines[0]["number"] == 2
    assert run("show", "count_songs@7").err == "error: 'count_songs' has no version '7'\nhint: it has 1, 2\n"


def test_diff_compares_versions_and_snapshots(run: Run, store: Store) -> None:
    one = propose(store, SONGS)
    before = run("snapshot", "--note", "first").out.strip()
    two = propose(store, BETTER, S.VERIFIED)
    assert "+    return 0 + len(" in run("diff", "count_songs").out
    assert "-    return 0 + len(" in run("diff", two[:10], one[:10]).out
    assert run("diff", "count_songs@1").code == 2
    change = run("diff", before[:10], "--json").lines[0]["changed"][0]
    assert (change["old"], change["new"], change["new_status"]) == (one, two, "verified")
    after = run("snapshot").out.strip()
    assert "candidate → verified" in run("diff", before, after).out
    assert run("diff", after).out == "nothing differs\n"
    listed = run("snapshot", "--list", "--json").lines
    assert [(one["root"], one["note"]) for one in listed] == [(before, "first"), (after, "")]


def test_stats_count_the_store_and_the_versions_of_a_skill(run: Run, waiting: Store) -> None:
    (totals,) = run("stats", "--json").lines
    assert (totals["skills"], totals["statuses"]) == (3, {"probation": 1, "review": 2})
    assert (totals["uses"], totals["called"], totals["masked"]) == (4, 3, 1)
    assert "3/3" in run("stats", "count_songs").out
    assert run("stats").code == 0


def test_search_finds_what_agents_would_and_what_is_not_offered(run: Run, waiting: Store) -> None:
    found = run("search", "count", "the", "songs", "of", "an", "artist", "--json").lines
    assert found[0]["name"] == "count_songs" and found[0]["likeness"] > 0.3
    (other,) = run("search", "amount", "people", "--json").lines
    assert (other["name"], other["status"], other["likeness"]) == ("pay_people", "review", None)
    assert [one["score"] for one in found] == sorted((one["score"] for one in found), reverse=True)
    shown = run("search", "count", "the", "songs", "of", "an", "artist").out.split()
    assert shown[:2] == ["score", "likeness"] and f"{found[0]['score']:.3f}" in shown
    assert run("search", "100%_\\").out == "nothing found\n"


# --- deciding -------------------------------------------------------------------------------------


def test_an_approval_needs_a_digest_and_binds_to_it(run: Run, waiting: Store) -> None:
    digest = waiting.resolve("pay_people").digest
    refused = run("approve", "pay_people")
    assert refused.code == 2 and f"hint: it stands for {digest[:12]} now" in refused.err
    assert waiting.version(digest).status is S.REVIEW
    assert run("approve", digest[:12], "--who", "ada", "--why", "read it").code == 0
    assert (waiting.version(digest).status, waiting.version(digest).approved) == (S.PROBATION, True)
    assert [event.who for event in waiting.events(digest=digest)[-2:]] == ["ada", "ada"]
    edited = propose(waiting, PAY.replace("amount=amount", "amount=2 * amount"))
    assert not waiting.version(edited).approved


def test_what_takes_a_step_back_names_the_store_it_was_taken_in(
    run: Run, waiting: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = waiting.resolve("pay_people").digest
    last = waiting.events()[-1].id
    assert run("approve", digest[:12]).err == f"to take it back: prowess skills undo {last + 2} {last + 1}\n"
    monkeypatch.setenv("PROWESS_SKILLS", "elsewhere.db")
    moved = run("move", "pay_people", "suspended", "--store", str(waiting.path)).err
    assert moved == f"to take it back: prowess skills undo {last + 3} --store {waiting.path}\n"


def test_a_digest_that_is_not_there_is_answered_with_digests(run: Run, waiting: Store) -> None:
    digest = waiting.resolve("pay_people").digest
    wrong = digest[:10] + ("0" if digest[10] != "0" else "1")
    takers = ("approve", "reject", "show", "retire")
    for command in (*((taker, wrong) for taker in takers), ("approve", "pay_peple")):
        refused = run(*command)
        assert refused.code == 2
        assert refused.err.startswith(
            f"error: no skill has the digest '{command[1]}'\nhint: nearest: {digest[:12]} (pay_people), "
        )
        assert refused.err.endswith("prowess skills list shows all, with --versions old ones, too\n")
    assert "hint: at least 6 of its characters are needed; nearest: " in run("approve", "abc").err


def test_several_are_decided_together_or_none_is(run: Run, waiting: Store) -> None:
    digest = waiting.resolve("pay_people").digest
    others = [propose(waiting, SONGS.replace("count_songs", name), S.VERIFIED) for name in ("one_more", "two_more")]

    def stands() -> list[S]:
        return [waiting.version(one).status for one in (digest, *others)]

    before = stands()
    wrong = run("approve", digest[:12], others[0][:12], "feedfacefeed")
    assert wrong.code == 2 and "no skill has the digest 'feedfacefeed'" in wrong.err and not wrong.out
    assert stands() == before and not waiting.version(digest).approved
    done = run("approve", digest[:12], others[0][:12], digest, "--who", "ada")  # one of them twice
    assert done.out.splitlines() == [
        f"pay_people {digest[:12]}: approved",
        f"pay_people {digest[:12]}: review → probation",
        f"one_more {others[0][:12]}: approved",
        f"one_more {others[0][:12]}: verified → probation",
    ]
    assert stands() == [S.PROBATION, S.PROBATION, S.VERIFIED]
    assert run("undo", *done.err.split("prowess skills undo ")[1].split()).code == 0
    assert stands() == before
    active = propose(waiting, SONGS.replace("count_songs", "in_use"), S.VERIFIED, S.PROBATION, S.ACTIVE)
    assert "'in_use'" in run("reject", *others, active).err and stands() == before
    assert run("reject", *others).code == 0 and stands()[1:] == [S.REJECTED] * 2


def test_a_name_that_looks_like_a_digest_is_no_digest(run: Run, store: Store) -> None:
    propose(store, SONGS.replace("count_songs", "decade"), S.VERIFIED)
    assert run("approve", "decade").code == 2
    assert store.resolve("decade").status is S.VERIFIED


def test_what_is_in_use_is_retired_not_rejected_and_comes_back_on_probation(run: Run, store: Store) -> None:
    digest = propose(store, SONGS, S.VERIFIED, S.PROBATION, S.ACTIVE)
    found = run("reject", digest)
    assert found.code == 1 and "what can be rejected is candidate, verified, review or probation" in found.err
    assert run("pin", "count_songs", "--by", "ada").out == "count_songs: pinned by ada\n"
    assert "it is pinned by ada\nhint: let it go first: prowess skills unpin" in run("retire", "count_songs").err
    assert "'count_songs' is pinned already by 'ada'\n" in run("pin", "count_songs", "--by", "ada").err
    assert run("unpin", "count_songs", "--by", "ada").code == 0
    told = "'count_songs' is not pinned by 'ada'\nhint: pinned by: nobody\n"
    assert told in run("unpin", "count_songs", "--by", "ada").err
    assert run("retire", "count_songs").out == f"count_songs {digest[:12]}: active → retired\n"
    assert run("restore", "count_songs").out == f"count_songs {digest[:12]}: retired → probation\n"
    assert "there is nothing to restore" in run("restore", "count_songs").err
    assert run("move", "count_songs", "revoked", "--why", "unsafe").code == 0
    assert store.version(digest).status is S.REVOKED


def test_a_pinned_snapshot_holds_all_that_is_in_it(run: Run, store: Store) -> None:
    propose(store, SONGS, S.VERIFIED, S.PROBATION, S.ACTIVE)
    root = run("snapshot").out.strip()
    assert run("pin", root[:10], "--by", "run 7").out == f"snapshot {root[:12]}: pinned by run 7\n"
    assert "it is pinned by run 7" in run("retire", "count_songs").err
    assert run("snapshot", "--list", "--json").lines[0]["holders"] == ["run 7"]


def test_undo_takes_back_all_events_or_none(run: Run, waiting: Store) -> None:
    digest = waiting.resolve("pay_people").digest
    told = run("approve", digest).err
    events = told.split("prowess skills undo ")[1].split()
    assert len(events) == 2
    wrong = run("undo", events[0], "1")
    assert wrong.code == 1 and "nothing is ever deleted" in wrong.err and not wrong.out
    assert waiting.version(digest).status is S.PROBATION
    assert run("undo", *events, "--who", "ada").code == 0
    assert (waiting.version(digest).status, waiting.version(digest).approved) == (S.REVIEW, False)
    log = run("log", "pay_people", "--json").lines
    assert [one["undoes"] for one in log[:2]] == [int(events[1]), int(events[0])]
    assert "undoes" in run("log").out


def test_who_decides_is_the_user_unless_said(run: Run, waiting: Store) -> None:
    digest = waiting.resolve("pay_people").digest
    run("approve", digest)
    assert waiting.events(digest=digest)[-1].who == person("") != ""


def test_a_review_needs_a_terminal(run: Run, waiting: Store) -> None:
    found = run("review")
    assert found.code == 2 and "the review needs a terminal\nhint: for scripts:" in found.err


# --- the whole ------------------------------------------------------------------------------------


def test_curation_says_what_it_would_do_and_then_does_it(run: Run, store: Store) -> None:
    digest = propose(store, SONGS, S.VERIFIED, S.PROBATION)
    assert run("curate").out == "the evidence asks for nothing\n"
    store.use(Usage(episode=f"e{n}", digest=digest, called=1, success=True) for n in range(20))
    (planned,) = run("curate", "--dry-run", "--json").lines
    assert (planned["before"], planned["to"], planned["event"]) == ("probation", "active", 0)
    assert store.version(digest).status is S.PROBATION
    done = run("curate")
    assert "probation → active" in done.out and "prowess skills undo" in done.err
    assert store.version(digest).status is S.ACTIVE
    store.pin(store.version(digest).id, "ada")
    store.use(Usage(episode=f"f{n}", digest=digest, called=1, error="KeyError") for n in range(400))
    held = run("curate")
    assert "not done: pinned by ada" in held.out and store.version(digest).status is S.ACTIVE


def test_a_changed_api_makes_what_calls_it_stale(run: Run, store: Store) -> None:
    from prowess.skills.extract import skills_in

    (skill,) = skills_in(SONGS)
    for prints in ({"music.search_songs": "another"}, {}):
        found = store.propose(skill, Provenance(world="desk"), namespace="desk", fingerprints=prints)
    for status in (S.VERIFIED, S.PROBATION):
        store.move(found.digest, status, actor=Actor.GATE)
    assert "music.search_songs changed" in run("curate", "--world", "expert", "--dry-run").out
    assert store.version(found.digest).status is S.PROBATION
    assert run("curate", "--world", "expert").code == 0
    assert store.version(found.digest).status is S.STALE


def test_rebuild_verifies_and_mends(run: Run, path: Path) -> None:
    with Store.open(path) as store:
        propose(store, SONGS)
        assert run("rebuild", "--verify").code == 0
        with store.many():
            store.db.execute("UPDATE skill SET status = 'active'")
        found = run("rebuild", "--verify")
        assert found.code == 1 and "only kept" in found.out
        assert run("rebuild").code == 0 and run("rebuild", "--verify").code == 0


def test_journals_are_taken_in_once_and_refusals_told(run: Run, store: Store, tmp_path: Path) -> None:
    digest = propose(store, SONGS)
    assert run("ingest").code == 2
    with Journal(f"{store.path}.journals", "w1") as journal:
        journal.append(Usage(episode="e1", digest=digest, called=1), Account(namespace="desk", provenance=Provenance()))
    assert "2 records taken in, 0 of them refused" in run("ingest").out
    assert ": 0 records" in run("ingest").out
    assert "1 journal deleted" in run("ingest", "--clear").out
    with Journal(tmp_path / "more", "w1") as journal:
        journal.append(Usage(episode="e2", digest="0" * 64))
    found = run("ingest", str(tmp_path / "more"))
    assert found.code == 1 and "error: the first refusal: the store has no version" in found.err


def test_skills_go_out_and_come_in_by_folder_and_by_line(run: Run, store: Store, tmp_path: Path) -> None:
    assert "there is nothing to export" in run("export").err
    propose(store, SONGS, S.VERIFIED, S.PROBATION, S.ACTIVE)
    propose(store, HOSTILE, S.VERIFIED, S.PROBATION)
    assert run("export", "--out", "out").out == "out/count-songs\n"
    assert run("export", "--probation", "--out", "both").out == "both/count-songs\nboth/tidy\n"
    said = run("export", "--format", "jsonl", "--out", "all.jsonl")
    assert said.out == "all.jsonl\n" and said.err.startswith("export to all.jsonl: 1/1 (100%), done in 0:00\n")
    assert run("export", "count_songs", "--format", "wheel", "--out", "w").out.startswith("w/prowess_skills-0.1+")
    assert "did you mean 'wheel'?" in run("export", "--format", "whel").err
    other = str(tmp_path / "other.db")
    assert "is a candidate" in run("import", "both", "--store", other).out
    assert "is known" in run("import", "all.jsonl", "--store", other).out


def test_an_export_says_what_it_leaves_out_and_what_takes_it_along(run: Run, waiting: Store) -> None:
    """As after work with a fresh store: nothing is active yet."""
    found = run("export", "--out", "out")
    assert (found.code, found.out) == (2, "")
    assert "must be active, and of 3 skills in" in found.err and "left out: probation 1, review 2\n" in found.err
    assert "hint: --probation exports those on probation, too: 1; or name skills" in found.err
    assert run("export", "--probation", "--out", "tried").err.splitlines()[-1] == "1 skill"
    named = run("export", "pay_people", "--out", "named").err.splitlines()
    assert named[-1] == "1 skill", "whoever names some hears of no others"
    propose(waiting, BETTER.replace("count_songs", "songs"), S.VERIFIED, S.PROBATION, S.ACTIVE)
    found = run("export", "--out", "some")
    assert found.out == "some/songs\n"
    assert found.err.splitlines()[-1] == "1 skill; left out: 1 on probation (--probation takes them, too)"


def test_an_export_of_nothing_tells_also_where_no_option_helps(run: Run, store: Store) -> None:
    assert "skills.db holds no skill\nhint: prowess skills stats tells" in run("export").err
    propose(store, SONGS, S.VERIFIED, S.REVIEW)
    assert "namespace 'dsk' holds no skill" in run("export", "--namespace", "dsk").err
    found = run("export", "--probation")
    assert found.code == 2 and "must be active, or on probation, and of 1 skill in" in found.err
    assert "left out: review 1\nhint: name skills, of whatever status (prowess skills list)" in found.err


def test_nothing_to_take_in_begins_no_store(run: Run, path: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "sage.jsonl").write_text('{"task_id": "t", "name": "f", "function": "def f(): ..."}')
    (tmp_path / "bad.jsonl").write_text("{")
    (tmp_path / "none.jsonl").touch()
    for command, place, told in (
        ("import", "bad.jsonl", "'bad.jsonl:1' is not JSON"),
        ("import", "none.jsonl", "none.jsonl holds no skill"),
        ("import", "sage.jsonl", "hint: --namespace WORLD"),
        ("import", "nothing", "there is nothing at nothing"),
        ("import", str(tmp_path / "empty"), "holds no skill"),
        ("ingest", "nothing", "there is no folder of journals at nothing"),
    ):
        found = run(command, place)
        assert (found.code, path.exists()) == (2, False) and told in found.err


def test_lines_that_are_refused_are_told_and_the_others_come_in(run: Run, path: Path, tmp_path: Path) -> None:
    good = '{"task_id": "t", "name": "f", "function": "def f(): ...", "namespace": "desk"}\n'
    (tmp_path / "in.jsonl").write_text(good + "{\x1b[2J\u202e\n" * 12)
    none = run("import", "in.jsonl", "--strict")
    assert none.code == 2 and "'in.jsonl:2' is not JSON" in none.err and none.out == ""
    assert "holds no skill" in run("export").err
    found = run("import", "in.jsonl")
    assert (found.code, found.out) == (1, "in.jsonl:1: 'f' is a candidate: version 1\n")
    assert "error: 12 of 13 are refused, nothing of them is in the store\n  'in.jsonl:2' is not JSON" in found.err
    assert "'in.jsonl:11'" in found.err and "'in.jsonl:12'" not in found.err
    assert "  and 2 more\nhint: a line is a JSON object" in found.err
    assert "\x1b" not in found.err and "\u202e" not in found.err
    assert "is known: version 1" in run("import", "in.jsonl").out


def test_places_and_numbers_that_make_no_sense_are_told(run: Run, store: Store, tmp_path: Path) -> None:
    propose(store, SONGS, S.VERIFIED, S.PROBATION, S.ACTIVE)
    (tmp_path / "file").touch()
    assert "there is no event 1000" in run("undo", str(10**30)).err
    assert run("list", "--limit", str(10**30)).code == 2
    assert run("export", "--format", "jsonl", "--out", "new/folder/all.jsonl").out == "new/folder/all.jsonl\n"
    for words in (("--out", "file"), ("--format", "jsonl", "--out", "file/all.jsonl")):
        assert "hint: a file stands where a folder is needed" in run("export", *words).err


def test_a_folder_of_runs_that_is_not_there_is_told(run: Run, waiting: Store) -> None:
    found = run("admit", "--runs", "missing")
    assert found.code == 2 and "--runs" in found.err and "'missing' does not exist" in found.err


def test_the_commands_of_the_pages_for_operators_are_understood() -> None:
    import re
    import shlex

    import typer.main

    pages = (Path(__file__).parents[3] / "docs" / "store").glob("*.md")
    group: Any = typer.main.get_command(app)
    lines = [
        line
        for page in pages
        for line in re.findall(r"^prowess skills (.+)$", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    ]
    assert len(lines) > 25
    for line in lines:
        name, *words = shlex.split(line, comments=True)
        group.commands[name].make_context(name, words)
    told = {line.split()[0] for line in lines}
    assert {name for commands in COMMANDS.values() for name in commands} - told == set()
