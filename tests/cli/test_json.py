"""What --json prints: one object a line, and nothing else on standard output."""

from __future__ import annotations

import fcntl
import gzip
import json
import re
import webbrowser
from pathlib import Path
from typing import Any

import pytest
from synthetic import episode, skill, task
from typer.testing import CliRunner

from prowess.cli import app
from prowess.files.codec import Played
from prowess.run import Run


def said(*words: str, code: int = 0) -> list[dict[str, Any]]:
    """The objects that a command prints on standard output."""
    done = CliRunner().invoke(app, [*words, "--json"])
    assert done.exit_code == code, done.output + str(done.exception)
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    first, second = task("pay", 1), task("pay", 2)
    with Run.create("runs/mine-evaluate", command="evaluate", recipe_toml='name = "mine"\n', seed=3) as run:
        played = [episode(first, learned=(skill("pay_people", first),)), episode(second, success=False)]
        run.write_episodes("dev-run0-pay", [Played(run=0, split="dev", episode=one) for one in played])
        run.log(0, {"play/tgc": 0.5, "play/use": float("nan")})
    killed = Run.create("runs/mine/train", command="train", recipe_toml='name = "mine"\n', seed=3)
    killed.log(4, {"eval/tgc": 0.25, "reward/mean": 1.5})
    killed.close()
    return tmp_path


def test_runs_are_listed_with_their_state_and_what_came_of_them(home: Path) -> None:
    evaluated, trained = sorted(said("runs"), key=lambda line: str(line["folder"]))
    assert [evaluated["folder"], trained["folder"]] == ["runs/mine-evaluate", "runs/mine/train"]
    assert set(evaluated) == {
        *("folder", "name", "command", "state", "seed", "created", "files", "steps", "figures"),
    }
    assert (evaluated["state"], evaluated["files"], evaluated["figures"]) == ("finished", 1, {"play/tgc": 0.5})
    assert (trained["state"], trained["steps"], trained["name"], trained["seed"]) == ("killed", 5, "mine", 3)
    table = " ".join(CliRunner().invoke(app, ["runs"], env={"COLUMNS": "120"}).stdout.split())
    assert "train killed" in table and "5 steps, reward 1.5, tgc 25.0%" in table


def test_a_run_that_a_process_holds_is_running(home: Path) -> None:
    with (home / "runs/mine/train/.lock").open("r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert {line["state"] for line in said("runs")} == {"finished", "running"}


def test_a_damaged_run_is_told_and_the_others_are_listed(home: Path) -> None:
    (home / "runs/mine/train/run.json").write_text("{")
    done = CliRunner().invoke(app, ["runs", "--json"])
    assert [json.loads(line)["folder"] for line in done.stdout.splitlines()] == ["runs/mine-evaluate"]
    assert "note: runs/mine/train/run.json: " in done.stderr


def test_no_folder_of_runs_is_an_error_with_a_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["runs"])
    assert str(done.exception) == "there is no folder 'runs'\nhint: prowess runs FOLDER names where runs lie"


def test_an_evaluation_prints_its_figures_as_one_object_and_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (record,) = said("evaluate", "expert", "--set", "evaluate.scenarios=1", "--set", "evaluate.split=train")
    assert (record["folder"], record["command"]) == ("runs/expert-evaluate", "evaluate")
    assert record["figures"]["play/tgc"] == record["splits"][0]["tgc"]["value"] == 1.0
    assert record["splits"][0]["episodes"] == 3


def test_a_report_as_json_has_the_figures_of_each_run_and_writes_nothing(home: Path) -> None:
    (record,) = said("report", "runs/mine-evaluate")
    assert set(record) == {"folder", "command", "state", "seed", "created", "splits", "figures"}
    (split,) = record["splits"]
    assert (split["split"], split["difficulty"], split["episodes"]) == ("dev", None, 2)
    assert set(split["tgc"]) == {"value", "low", "high", "sd", "n"}
    assert split["tgc"]["value"] == 0.5 and split["use"]["value"] is None, "a figure of nothing"
    assert record["figures"] == {"play/tgc": 0.5, "play/use": None}
    assert not (home / "runs/mine-evaluate/report.md").exists()


def test_episodes_are_listed_and_a_named_one_is_told_whole(home: Path) -> None:
    first, second = said("show", "runs/mine-evaluate")
    assert set(first) == {
        *("task", "scenario", "split", "run", "solved", "stop", "turns", "tokens", "failed", "error"),
    }
    assert (first["task"], first["solved"], second["failed"]) == ("pay_1", True, ["payments were made"])
    assert said("show", "runs/mine-evaluate", "--failed") == [second]
    (whole,) = said("show", "runs/mine-evaluate", "pay_2")
    (kept,) = gzip.decompress((home / "runs/mine-evaluate/episodes/dev-run0-pay.jsonl.gz").read_bytes()).splitlines()[
        1:
    ]
    assert whole == json.loads(kept), "as the file holds it"
    (one,) = said("show", "runs/mine-evaluate", "pay_people")
    assert (one["name"], one["origin"]["task"]) == ("pay_people", "pay_1")


def test_the_browser_is_shown_the_report(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: bool(opened.append(url)))
    done = CliRunner().invoke(app, ["show", "runs/mine-evaluate", "--browser"])
    assert done.stdout == "runs/mine-evaluate/report.html\n" and "no browser could be opened here" in done.stderr
    assert opened == [(home / "runs/mine-evaluate/report.html").as_uri()]
    assert (home / "runs/mine-evaluate/report.html").is_file()
    wrong = CliRunner().invoke(app, ["show", "runs/mine-evaluate", "pay_1", "--browser"])
    assert "--browser shows a whole run" in str(wrong.exception)


def test_the_doctor_tells_a_line_for_each_finding() -> None:
    lines = said("doctor")
    assert {"area", "what", "state", "detail", "remedy", "needed"} == set(lines[0])
    assert {line["state"] for line in lines} <= {"ok", "limited", "missing", "optional"}
    assert ("machine", "python", "ok") in {(line["area"], line["what"], line["state"]) for line in lines}


def test_a_check_tells_its_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faulty.py").write_text(
        "def suite(settings, sandbox):\n    return Faulty()\n\n\n"
        "class Faulty:\n    def splits(self):\n        return []\n\n"
        "    def tasks(self, split):\n        return []\n\n"
        "    def open(self, task):\n        raise LookupError\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    (found,) = said("check", "faulty:suite", code=1)
    assert {"problems", "splits", "opened", "open_ms", "open_kb", "tried"} <= set(found)
    assert set(found["problems"][0]) == {"rule", "where", "found", "expected", "hint", "times"}
    assert found["problems"][0]["rule"] == "splits" and found["open_ms"] is None


def test_every_field_of_every_record_is_told() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/json.md").read_text(encoding="utf-8")
    assert not re.findall(r"^\| `\w+` \| *\|$", page, re.MULTILINE)
    for command in ("list", "search", "show", "stats", "log", "uses", "costs", "snapshot", "diff", "rollback", "admit"):
        assert f"`prowess skills {command}`" in page
