"""Which suites a check runs, in which order, and what it leaves out."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

_spec = importlib.util.spec_from_file_location("suites", ROOT / ".ci/suites.py")
assert _spec
assert _spec.loader
suites = importlib.util.module_from_spec(_spec)
sys.modules["suites"] = suites
_spec.loader.exec_module(suites)

A = suites.Suite(name="a", minutes=10, paths=("a/",))
B = suites.Suite(name="b", minutes=20, paths=("b/", "pins.txt"))
C = suites.Suite(name="c", minutes=5, paths=("c/",))


class Clock:
    """Seconds that pass only while a suite runs."""

    def __init__(self, **minutes: float) -> None:
        self.now, self.minutes, self.failing = 0.0, minutes, ""
        self.allowed: dict[str, float] = {}

    def __call__(self) -> float:
        return self.now

    def run(self, suite: suites.Suite, minutes: float) -> bool:
        self.allowed[suite.name] = minutes
        self.now += 60 * self.minutes[suite.name]
        return suite.name != self.failing


def names(of: list[suites.Suite]) -> list[str]:
    return [suite.name for suite in of]


def test_every_suite_is_a_target_and_every_folder_it_names_exists() -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    for suite in (suites.FIRST, *suites.OTHERS):
        assert suite.name in targets
        assert [path for path in suite.paths if not (ROOT / path).exists()] == []


def test_test_all_makes_every_suite() -> None:
    found = re.search(r"^test-all: ([\w -]+?) ##", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert found
    assert set(found[1].split()) == {suite.name for suite in (suites.FIRST, *suites.OTHERS)}


def test_what_a_change_concerns_goes_first_and_the_rest_takes_turns() -> None:
    assert names(suites.order(["pins.txt"], 0, (A, B, C))) == ["b", "a", "c"]
    assert names(suites.order(["pins.txt"], 1, (A, B, C))) == ["b", "c", "a"]
    assert names(suites.order([], 2, (A, B, C))) == ["c", "a", "b"]


def test_a_suite_that_no_longer_fits_is_left_out_and_a_shorter_one_runs() -> None:
    clock = Clock(test=6, a=10, b=20, c=5)
    ended, left_out = suites.check((A, B, C), clock.run, minutes=30, clock=clock)
    assert names([end.suite for end in ended]) == ["test", "a", "c"]
    assert names(left_out) == ["b"]
    assert clock.allowed == {"test": 30, "a": 24, "c": 14}


def test_on_a_slow_machine_suites_are_expected_to_take_longer() -> None:
    slow = Clock(test=12, a=20, b=40, c=10)
    assert names(suites.check((A, B, C), slow.run, minutes=60, clock=slow)[1]) == ["b"]
    usual = Clock(test=6, a=10, b=20, c=5)
    assert names(suites.check((A, B, C), usual.run, minutes=60, clock=usual)[1]) == []


def test_when_make_test_fails_nothing_else_runs() -> None:
    clock = Clock(test=1)
    clock.failing = "test"
    ended, left_out = suites.check((A, B), clock.run, clock=clock)
    assert [end.passed for end in ended] == [False]
    assert names(left_out) == ["a", "b"]


def test_a_failed_suite_does_not_keep_the_others_from_running() -> None:
    clock = Clock(test=1, a=1, b=1)
    clock.failing = "a"
    ended, _ = suites.check((A, B), clock.run, clock=clock)
    assert [(end.suite.name, end.passed) for end in ended] == [("test", True), ("a", False), ("b", True)]


def test_the_table_says_what_ran_and_what_did_not() -> None:
    ended = suites.Ended(suite=A, minutes=9.5, passed=True)
    assert suites.table([ended], [B]).splitlines() == [
        "a                  9.5 min  passed",
        "b                           left out: usually 20 min",
    ]


def test_what_changed_is_read_from_the_last_day_of_history(tmp_path: Path) -> None:
    def git(*words: str, day: int) -> None:
        date = f"2026-03-{day:02d}T12:00:00"
        environment = {
            "GIT_AUTHOR_DATE": date,
            "GIT_COMMITTER_DATE": date,
            "PATH": "/usr/bin:/bin",
            "HOME": str(tmp_path),
        }
        words = ("-c", "user.name=a", "-c", "user.email=a@example.org", *words)
        subprocess.run(["git", *words], cwd=tmp_path, env=environment, check=True, capture_output=True)

    git("init", "-q", day=1)
    for day, name in ((1, "old.py"), (5, "new.py"), (6, "newest.py")):
        (tmp_path / name).touch()
        git("add", name, day=day)
        git("commit", "-q", "-m", name, day=day)
    assert suites.changed_files(tmp_path) == ["new.py", "newest.py"]


def test_a_suite_that_does_not_end_is_stopped_with_all_it_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "Makefile").write_text("slow:\n\t@sleep 60 & echo $$! > pid; wait\n")
    monkeypatch.setattr(suites, "ROOT", tmp_path)
    assert not suites.make(suites.Suite(name="slow", minutes=1, paths=()), 1 / 60)
    assert "make slow did not end within" in capsys.readouterr().out
    state = Path(f"/proc/{(tmp_path / 'pid').read_text().strip()}/stat")
    assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z"
