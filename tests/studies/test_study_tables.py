"""Lines of the study in studies/qwen become tables: means over seeds, differences with intervals."""

from __future__ import annotations

import json
import math
import re
import sys
from concurrent.futures import Future
from contextlib import nullcontext
from dataclasses import replace
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
from synthetic import episode, task

from prowess.figures.measure import Outcome, Played, outcome_of
from prowess.types import Stop

FOLDER = Path(__file__).parents[2] / "studies" / "qwen"
sys.path.insert(0, str(FOLDER))

lines, tables = import_module("rows"), import_module("tables")


def figure(value: float, sd: float = math.nan) -> dict[str, float]:
    return {"value": value, "low": math.nan, "high": math.nan, "sd": sd, "n": 9}


def row(
    label: str, seed: int = 0, *, sgc: list[float], steps: float = 4.0, tokens: float = 500.0, **more: Any
) -> dict[str, Any]:
    """An evaluation of one scenario per family, each with its share of runs in which all tasks were solved."""
    mean = sum(sgc) / len(sgc)
    return {
        "model": "m",
        "label": label,
        "seed": seed,
        "play": "",
        "split": "test_normal",
        "episodes": 9,
        "train_seconds": 600,
        "train_steps": 10,
        "errors": 0,
        "scenarios": {f"f{n}.0": {"sgc": one, "steps": steps, "tokens": tokens} for n, one in enumerate(sgc)},
        "tgc": figure(mean),
        "sgc": figure(mean, 0.05),
        "steps": figure(steps),
        "tokens": figure(tokens),
        "use": figure(math.nan),
        **more,
    }


def test_a_line_is_the_mean_over_seeds_with_their_spread_or_that_of_runs() -> None:
    two = [row("sage", 0, sgc=[0.5] * 4), row("sage", 1, sgc=[0.7] * 4, errors=1)]
    assert tables.table(two, "m", "test_normal").splitlines()[2] == (
        "| **SAGE** | 60.0 ± 14.1 | 60.0 ± 14.1 | 4.0 ± 0.0 | 500 ± 0 |  | 10 min, 10 steps | 2 | 18 (1 broke) |"
    )
    one = tables.table(two[:1], "m", "test_normal").splitlines()[2]
    assert one == "| **SAGE** | 50.0 | 50.0 ± 5.0 | 4.0 | 500 |  | 10 min, 10 steps | 1 | 9 |"


def test_waves_tell_what_a_library_is_worth_before_it_holds_anything_and_after() -> None:
    def played(label: str, play: str, tokens: tuple[float, float, float]) -> dict[str, Any]:
        there = {
            f"f{n}.{wave}": {"sgc": 0.5, "steps": 4.0, "tokens": one} for n in "ab" for wave, one in enumerate(tokens)
        }
        return row(label, sgc=[0.5], play=play, scenarios=there)

    grpo, cold = played("sft-grpo", "", (900.0, 900.0, 900.0)), played("sage", "hybrid", (600.0, 400.0, 200.0))
    found = tables.waves([grpo, cold, row("sage", sgc=[0.5], play="scenario")], "m", "test_normal").splitlines()
    assert len(found) == 3  # the last one was not played in waves
    assert found[2].startswith(
        "| SAGE, retrieval hybrid | 50.0 / 4.0 / 600 | 50.0 / 4.0 / 400 | 50.0 / 4.0 / 200 | +0.0 (+0.0 to +0.0) /"
    )
    assert found[2].endswith("/ +66.7 (+66.7 to +66.7) |")
    warm = [played("sage", "hybrid, at temperature 1", (600.0, 400.0, 200.0)), grpo]
    assert not tables.waves(warm, "m", "test_normal"), "what was played warm is not compared with what was not"
    for one in (grpo, cold):  # a family of five, as on dev: waves no longer end where numbers do
        one["scenarios"] |= {f"fa.{number}": one["scenarios"]["fa.0"] for number in (3, 4)}
    assert not tables.waves([grpo, cold], "m", "test_normal")


def test_a_library_that_grows_is_drawn_wave_by_wave() -> None:
    there = {f"f.{wave}": {"sgc": 0.5, "steps": 4.0, "tokens": 100.0 - wave} for wave in range(3)}
    warm = [row(label, sgc=[0.5], play="at temperature 1", scenarios=there) for label in ("sft-grpo", "sage")]
    found = tables.growing(warm, "m", "test_normal")
    assert [*found] == ["GRPO", "SAGE, a library each"]
    assert [[one["tokens"] for one in wave] for wave in found["GRPO"]] == [[100.0], [99.0], [98.0]]
    assert import_module("picture").in_waves(found, "test_normal").startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("held", "told"),
    [
        (None, "rows.jsonl: No such file or directory"),
        (b"", "rows.jsonl: it has no line"),
        (json.dumps(row("sage", sgc=[0.5])).encode() + b'\n{"model": "1.5b", "la', "rows.jsonl:2: not a line"),
        (b'{"model": "1.5b"}\n', "rows.jsonl:1: not a line"),
        (b"[1, 2]\n", "rows.jsonl:1: not a line"),
        (b"\xff\xfe\x1b[2J\n", r"rows.jsonl:1: not a line of study.py's: b'\xff\xfe\x1b[2J'"),
    ],
)
def test_what_is_no_file_of_lines_is_told_by_name(tmp_path: Path, held: bytes | None, told: str) -> None:
    if held is not None:
        (tmp_path / "rows.jsonl").write_bytes(held)
    with pytest.raises(SystemExit, match=f"^error: .*{re.escape(told)}"):
        tables.read([tmp_path / "rows.jsonl"])


def test_where_no_line_tells_its_waves_nothing_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = {f"f.{wave}": {"sgc": 0.5, "steps": 4.0, "tokens": 100.0} for wave in range(3)}
    warm = row("sage", sgc=[0.5], play="at temperature 1", scenarios=there)
    cold = row("sage", sgc=[0.5], model="first")
    given, drawn = tmp_path / "rows.jsonl", tmp_path / "waves.png"
    monkeypatch.setattr(sys, "argv", ["tables.py", str(given), "--waves", str(drawn)])
    given.write_text(json.dumps(cold), encoding="utf-8")
    with pytest.raises(SystemExit, match="no line of test_normal at temperature 1 tells its waves"):
        tables.main()
    assert not drawn.exists()
    given.write_text("\n".join(map(json.dumps, [cold, warm])), encoding="utf-8")
    tables.main()
    assert drawn.stat().st_size, "the first model with such lines"


def test_differences_are_of_the_scenarios_that_both_played_with_an_interval_over_families() -> None:
    ours = [row("sage", sgc=[1.0, 1.0, 0.0, 1.0], steps=3.0, tokens=200.0)]
    theirs = [row("grpo", sgc=[1.0, 0.0, 0.0, 0.0], steps=6.0, tokens=800.0)]
    found = tables.difference(ours, theirs)
    assert found["steps"] == (50.0, 50.0, 50.0) and found["tokens"] == (75.0, 75.0, 75.0)
    value, low, high = found["sgc"]
    assert (value, low, high) == (50.0, 0.0, 100.0)
    few = [row("grpo", sgc=[1.0, 0.0])]
    assert tables.difference(ours, few)["sgc"][0] == 50.0  # of the first two alone


def test_trainings_are_compared_by_the_seeds_that_both_have_and_what_was_not_trained_with_all() -> None:
    rows = [
        row("sage", 0, sgc=[1.0, 0.0]),
        row("sage", 1, sgc=[0.0, 0.0]),
        row("sage", 0, sgc=[1.0, 0.0], play="hybrid"),
        row("sft", 0, sgc=[0.0, 0.0], train_seconds=0),
        row("sft-grpo", 0, sgc=[0.0, 0.0]),
    ]
    told = tables.differences(rows, "m", "test_normal").splitlines()
    told_lines = [line.strip("| ").split(" | ") for line in told if line.startswith("|") and " against " in line]
    found = {head: gained.split()[0] for head, gained, *_ in told_lines}
    assert found["SAGE, retrieval hybrid against **SAGE**"] == "+0.0"
    assert found["SAGE, retrieval hybrid against GRPO, no library, from SFT"] == "+50.0"
    assert found["**SAGE** against GRPO, no library, from SFT"] == "+50.0"
    assert found["**SAGE** against + SFT"] == "+25.0"


def test_adapters_that_were_trained_elsewhere_are_compared_by_the_seeds_that_both_have_too() -> None:
    ours = [row("sage", seed, sgc=[sgc, 0.0], train_seconds=0) for seed, sgc in ((0, 1.0), (1, 0.0))]
    theirs = [row("sft-grpo", 0, sgc=[0.0, 0.0], train_seconds=0)]
    assert [[one["seed"] for one in rows] for rows in tables.paired(ours, theirs)] == [[0], [0]]


def test_evaluations_that_differ_as_a_whole_make_intervals_wider() -> None:
    grpo, sage = (row(label, sgc=[0.0, 1.0] * 10, runs=[{}] * 3) for label in ("sft-grpo", "sage"))
    even, apart = ({**sage, "sgc": figure(0.5, sd)} for sd in (0.0, 0.2))
    grpo["sgc"] = even["sgc"]
    assert tables.difference([even], [grpo])["sgc"] == (0.0, 0.0, 0.0)  # every scenario alike in both, every time
    value, low, high = tables.difference([apart], [grpo])["sgc"]
    assert value == 0.0 and low == pytest.approx(-high) and high == pytest.approx(4.303 * 20 / 3**0.5, rel=0.001)
    alone = tables.difference([{**apart, "runs": [{}]}], [grpo])["sgc"]
    assert alone == (0.0, 0.0, 0.0)  # one evaluation does not tell how they differ


def test_scenarios_of_a_family_count_as_one() -> None:
    ours, theirs = row("sage", sgc=[0.0]), row("grpo", sgc=[0.0])
    for one, won in ((ours, 1.0), (theirs, 0.0)):
        kinds = {f"a.{n}": won for n in range(9)} | {"b.0": 0.0}
        one["scenarios"] = {name: {"sgc": sgc, "steps": 1.0, "tokens": 1.0} for name, sgc in kinds.items()}
    assert tables.difference([ours], [theirs])["sgc"] == (90.0, 0.0, 100.0)  # a family may be missed altogether


def test_lines_without_scenarios_are_compared_by_their_means() -> None:
    ours, theirs = row("sage", sgc=[0.5]), row("grpo", sgc=[0.25], steps=8.0)
    ours["scenarios"], theirs["scenarios"] = {}, {}
    found = tables.difference([ours], [theirs])
    assert found["sgc"][0] == 25.0 and found["steps"][0] == 50.0 and math.isnan(found["sgc"][1])


def test_what_must_be_shown_is_said_figure_by_figure_with_the_time_it_took() -> None:
    ours = row("sage", sgc=[1.0, 0.0], steps=3.0, tokens=500.0, train_seconds=660)
    told = tables.differences([ours, row("sft-grpo", sgc=[0.0, 0.0], steps=4.0, tokens=800.0)], "m", "test_normal")
    assert told.splitlines()[-1] == (
        "Must show, SAGE against GRPO, no library, from SFT: SGC +50.0 of 8.9 (reached), "
        "steps +25.0 of 26 (not reached), tokens +37.5 of 59 (not reached); training took 1.10 times as long."
    )
    assert tables.differences([row("grpo", sgc=[1.0])], "m", "test_normal") == ""


def test_what_was_played_to_the_end_is_compared_with_its_like() -> None:
    rows = [
        row("sage", sgc=[1.0, 0.0]),
        row("sage", sgc=[1.0, 0.0], play="to the end", steps=4.0, tokens=400.0),
        row("sft-grpo", sgc=[0.0, 0.0]),
        row("sft-grpo", sgc=[0.0, 0.0], play="to the end", steps=8.0, tokens=1000.0),
        row("sage", sgc=[1.0, 0.0], play="at temperature 1"),
        row("sage", sgc=[1.0, 1.0], play="hybrid, at temperature 1"),
        row("sft-grpo", sgc=[0.0, 0.0], play="at temperature 1", steps=8.0, tokens=1250.0),
        row("sage", sgc=[1.0, 0.0], play="reworded"),
        row("mixed-hybrid", sgc=[1.0, 0.0], play="reworded"),
    ]
    told = tables.differences(rows, "m", "test_normal").splitlines()
    heads = [line.split(" | ")[0].strip("| ") for line in told if " against " in line and line.startswith("|")]
    assert heads == [
        "**SAGE** against GRPO, no library, from SFT",
        "SAGE, to the end against GRPO, no library, from SFT, to the end",
        "SAGE, at temperature 1 against GRPO, no library, from SFT, at temperature 1",
        "SAGE, retrieval hybrid, at temperature 1 against GRPO, no library, from SFT, at temperature 1",
        "SAGE, retrieval hybrid, at temperature 1 against SAGE, at temperature 1",
        "mixed wording, hybrid retrieval, reworded against SAGE, reworded",
    ]
    ended = "Must show, SAGE, to the end against GRPO, no library, from SFT, to the end: SGC +50.0 of 8.9 (reached), "
    assert told[-5].startswith(ended)
    assert "steps +50.0 of 26 (reached), tokens +60.0 of 59 (reached)" in told[-5]
    assert "from SFT, at temperature 1: SGC +50.0" in told[-3]
    assert "from SFT, at temperature 1: SGC +100.0" in told[-1]


def test_with_one_library_each_is_compared_with_who_had_one_too() -> None:
    play = "hybrid, at temperature 1"
    rows = [
        row("sage", sgc=[1.0]),
        row("sage", sgc=[1.0], play=play),
        row("sft", sgc=[1.0], play="at temperature 1"),
        row("sft", sgc=[0.0], play=play),
        row("mixed-hybrid", sgc=[1.0], play=play),
    ]
    told = tables.differences(rows, "m", "test_normal").splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in told[2:4]] == [
        "SAGE, retrieval hybrid, at temperature 1 against + SFT, retrieval hybrid, at temperature 1",
        "mixed wording, hybrid retrieval, retrieval hybrid, at temperature 1"
        " against SAGE, retrieval hybrid, at temperature 1",
    ]


def test_what_was_played_in_one_manner_alone_is_compared_there_too() -> None:
    """An evaluation with other seeds plays one manner, and SAGE's own way to play is not in its lines."""
    rows = [
        row("sage", sgc=[1.0, 0.0], play="at temperature 1"),
        row("sft-grpo", sgc=[0.0, 0.0], play="at temperature 1", steps=8.0, tokens=1250.0),
    ]
    told = tables.differences(rows, "m", "test_normal").splitlines()
    assert [line.split(" | ")[0].removeprefix("| ") for line in told if line.startswith("| SAGE")] == [
        "SAGE, at temperature 1 against GRPO, no library, from SFT, at temperature 1"
    ]
    assert "SGC +50.0 of 8.9 (reached), steps +50.0 of 26 (reached), tokens +60.0 of 59 (reached)" in told[-1]


def test_what_solved_tasks_took_is_a_column_where_some_line_knows_it() -> None:
    old, new = row("sft", sgc=[0.5]), row("sage", sgc=[1.0])
    assert "if solved" not in tables.table([old, new], "m", "test_normal")
    new |= {"solved_steps": {"value": 2.5, "sd": math.nan}, "solved_tokens": {"value": 250.0, "sd": 10.0}}
    lines = tables.table([old, new], "m", "test_normal").splitlines()
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    place = cells[0].index("steps if solved")
    assert [line[place : place + 2] for line in cells[2:]] == [["", ""], ["2.5", "250 ± 10"]]


def test_an_error_takes_the_place_of_no_result(tmp_path: Path) -> None:
    good = row("sage", sgc=[1.0])
    bad = {name: good[name] for name in ("model", "label", "seed", "play", "split")} | {"error": "lost\nmore"}
    for order, kept in (([good, bad], good), ([bad, good], good), ([bad, bad], bad), ([bad], bad)):
        (tmp_path / "rows.jsonl").write_text("".join(json.dumps(one) + "\n" for one in order))
        (read,) = tables.read([tmp_path / "rows.jsonl"])
        assert ("error" in read) == ("error" in kept)


def test_what_was_played_once_more_makes_one_line_of_all_runs(tmp_path: Path) -> None:
    values = [[0.2, 0.3, 0.4], [0.6]]
    for name, runs in zip(("first", "again"), values, strict=True):
        sd = stdev(runs) if len(runs) > 1 else math.nan
        first = 3 if name == "again" else 0
        numbered = [{"run": first + at, "tgc": run} for at, run in enumerate(runs)]
        one = row("sage", sgc=[fmean(runs)] * 2, runs=numbered, episodes=6 * len(runs))
        one["sgc"] = figure(fmean(runs), sd)
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(one) + "\n")
    once = tables.read([tmp_path / "first.jsonl"])
    (both,) = tables.with_more(once, [tmp_path / "again.jsonl"])
    flat = [run for runs in values for run in runs]
    assert both["sgc"]["value"] == pytest.approx(fmean(flat))
    assert both["sgc"]["sd"] == pytest.approx(stdev(flat))
    assert both["scenarios"]["f0.0"]["sgc"] == pytest.approx(fmean(flat))
    assert (len(both["runs"]), both["episodes"], both["train_steps"]) == (4, 24, 10)
    (tmp_path / "again.jsonl").write_text(2 * (tmp_path / "again.jsonl").read_text())  # as when a study goes on
    (once_more,) = tables.with_more(once, [tmp_path / "again.jsonl"])
    assert len(once_more["runs"]) == 4
    (replaced,) = tables.read([tmp_path / "first.jsonl", tmp_path / "again.jsonl"])
    assert replaced["sgc"]["value"] == 0.6
    with pytest.raises(SystemExit, match="older line without its runs"):
        tables.with_more([row("sage", sgc=[0.5])], [tmp_path / "again.jsonl"])


def test_the_same_runs_played_again_are_not_more_runs(tmp_path: Path) -> None:
    """They had the same seeds: what differs between them is rounding, and says little of the weights."""
    values = [[0.2, 0.3, 0.4], [0.4, 0.3, 0.5]]
    for name, runs in zip(("first", "again"), values, strict=True):
        one = row("sage", sgc=[fmean(runs)] * 2, runs=[{"tgc": run} for run in runs])  # as lines of old
        one["sgc"] = figure(fmean(runs), stdev(runs))
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(one) + "\n")
    (both,) = tables.with_more(tables.read([tmp_path / "first.jsonl"]), [tmp_path / "again.jsonl"])
    assert [run["tgc"] for run in both["runs"]] == pytest.approx([0.3, 0.3, 0.45])
    assert both["sgc"]["value"] == pytest.approx(0.35) and both["episodes"] == 18
    assert both["sgc"]["sd"] == pytest.approx(0.1), "as of one of them"
    (thrice,) = tables.with_more([both], [tmp_path / "again.jsonl"])
    assert [run["tgc"] for run in thrice["runs"]] == pytest.approx([1 / 3, 0.3, 1.4 / 3])
    assert thrice["sgc"]["value"] == pytest.approx(1.1 / 3) and thrice["sgc"]["sd"] == pytest.approx(0.1)
    assert thrice["scenarios"]["f0.0"]["sgc"] == pytest.approx(1.1 / 3), "each of three plays counts alike"
    some = row("sage", sgc=[0.5] * 2, runs=[{"run": 2, "tgc": 0.5}, {"run": 3, "tgc": 0.5}])
    (tmp_path / "some.jsonl").write_text(json.dumps(some) + "\n")
    with pytest.raises(SystemExit, match="run 2 is in both lines"):
        tables.with_more([both], [tmp_path / "some.jsonl"])


def test_every_training_and_way_to_play_has_a_name() -> None:
    pytest.importorskip("torch")
    spec = spec_from_file_location("qwen_study", FOLDER / "study.py")
    assert spec and spec.loader
    study = sys.modules["qwen_study"] = module_from_spec(spec)
    spec.loader.exec_module(study)
    for label in ("base", "sft", *study.TRAININGS):
        for play in study.PLAYS.get(label, {"": ()}):
            assert (label, play) in tables.NAMES or play in study.FOUND or play.endswith(tables.MANNERS)
    assert tables.MANNERS == (study.END, study.WARM, study.REWORDED)
    assert tables.name_of(("base", f"react, {study.END}")) == "bare model, ReAct prompt, to the end"


def test_ways_to_play_are_chosen_by_their_number_or_their_names() -> None:
    pytest.importorskip("torch")
    study = import_module("study")
    job = study.Job(label="sage", seed=0, model="m", home="h", sets=(), steps=1, runs=1)
    assert list(study.ways_of(job))[:3] == ["", "no library", study.END]
    assert list(study.ways_of(replace(job, plays=2))) == ["", "no library"]
    assert list(study.ways_of(replace(job, ways=(study.END, "hybrid")))) == [study.END, "hybrid"]
    assert list(study.ways_of(replace(job, label="chain3", ways=(study.END,)))) == []


def test_the_headline_plays_sage_in_three_ways_and_grpo_in_the_two_that_have_no_library() -> None:
    pytest.importorskip("torch")
    study = import_module("study")
    asked = tuple(re.findall(r"--play '(.*?)'", (study.ROOT / "Makefile").read_text(encoding="utf-8")))
    job = study.Job(label="sage", seed=0, model="m", home="h", sets=(), steps=1, runs=3, ways=asked)
    assert list(study.ways_of(job)) == [*asked] == ["", study.WARM, f"query_embedding, {study.WARM}"]
    assert list(study.ways_of(replace(job, label="sft-grpo"))) == ["", study.WARM]


def test_an_adapter_that_was_trained_elsewhere_is_played_instead_of_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    study = import_module("study")
    played: list[tuple[Path, str]] = []
    monkeypatch.setattr(study, "trained", lambda *_: pytest.fail("trained again"))
    monkeypatch.setattr(study, "evaluated", lambda recipe, checkpoint, *_: played.append((checkpoint, recipe.name)))
    monkeypatch.setattr(study, "row_of", lambda place, train: {"train": train})
    job = study.Job(
        label="sage",
        seed=1,
        model="m",
        home=str(tmp_path / "1.5b" / "sage-seed1"),
        sets=("reward.partial=true",),
        steps=1,
        runs=1,
        splits=("test_normal",),
        ways=(study.WARM,),
        trained=study._resolved(str(tmp_path / "{label}-{seed}"), "sage", 1),
    )
    (told,) = study.course(job, "")
    assert played == [(tmp_path / "sage-1", "sage")]
    assert (told["label"], told["seed"], told["play"], told["train"]) == ("sage", 1, study.WARM, None)
    assert (told["recipe"], told["sets"]) == ("recipes/qwen-sage.toml", ["reward.partial=true", study.HOT])
    assert told["commit"] == study.commit() and told["play_seconds"] >= 0


def test_a_line_names_its_commit_where_git_knows_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    study = import_module("study")
    if (study.ROOT / ".git").exists():
        assert re.fullmatch(r"[0-9a-f]{7,}\+?", study.commit.__wrapped__())
    monkeypatch.setattr(study, "ROOT", tmp_path)
    assert study.commit.__wrapped__() == ""
    monkeypatch.setenv("PATH", "")
    assert study.commit.__wrapped__() == ""


class Notes:
    """In place of processes: what was to be done, for which job, with what."""

    def __init__(self) -> None:
        self.taken: list[tuple[Any, ...]] = []

    def submit(self, work: Any, job: Any, *given: str) -> Future[Any]:
        self.taken.append((work.__name__, job.label, job.seed, *given))
        return Future()


@pytest.mark.parametrize(
    ("given", "begun"),
    [
        ((), [("schooling", "start-expert", 0), ("schooling", "start-self", 0), ("course", "grpo", 0, "")]),
        (
            ("--start", "/there/{seed}"),
            [("course", "sage", 0, "/there/0"), ("schooling", "start-self", 0), ("course", "grpo", 0, "")],
        ),
        (
            ("--trained", "/made/{label}-{seed}"),
            [("course", label, 0, "") for label in ("sage", "grpo", "self-distil")],
        ),
    ],
)
def test_what_waits_for_no_other_job_is_begun_first(given: tuple[str, ...], begun: list[tuple[Any, ...]]) -> None:
    pytest.importorskip("torch")
    study = import_module("study")
    asked = study.parser().parse_args(["--model", "m", "--name", "n", "--out", "o", *given])
    plan, notes = study.Plan(given=asked, labels=("sage", "grpo", "self-distil"), seeds=(0,)), Notes()
    assert [one.label for one in study.begun(plan, notes).values()] == [label for _, label, *_ in begun]
    assert notes.taken == begun
    assert [one.label for one in plan.after("expert", 0)] == ["sage"]
    assert plan.start("self", 0).sets == study.STARTS["self"] and plan.job("grpo", 1).home == "o/n/grpo-seed1"


def test_what_any_job_cannot_do_is_told_before_all_of_them(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    study, tiny = import_module("study"), import_module("prowess.models.tiny")
    shape = tiny.TinySettings(layers=2, hidden=16, heads=2, kv_heads=1, inner=24, vocab=320, positions=64)
    tiny.make_tiny(["print(1)"] * 9, shape).save(tmp_path / "model")
    (tmp_path / "start").mkdir()
    (tmp_path / "start" / "adapter_config.json").write_text('{"base_model_name_or_path": "/no/such/model"}')

    def wrong(*given: str) -> str:
        common = [f"--model={tmp_path / 'model'}", "--name=n", f"--out={tmp_path}", "--set=sampling.engine=local"]
        asked = study.parser().parse_args([*common, *given])
        return str(study.Plan(given=asked, labels=("sage", "uplift"), seeds=(0, 1)).wrong())

    assert not wrong()
    assert "there is no folder '/no/such/model'" in wrong("--start", str(tmp_path / "start"))
    assert "/no/such/model" in wrong("--trained", str(tmp_path / "start"))
    assert "masked" in wrong("--set", "train.masked=0")  # without it there is no uplift to measure


def test_an_evaluation_that_failed_is_told_and_ends_the_study_with_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("torch")
    study = import_module("study")
    lost = {"play": "", "split": "test_normal", "error": "a process of vLLM ended with exit code -9\nhint: more"}
    there = {"play": "hybrid", "split": "test_challenge", "tgc": figure(0.25), "sgc": figure(0.125)}

    class Here:
        def submit(self, work: Any, job: Any, *given: str) -> Future[Any]:
            done: Future[Any] = Future()
            done.set_result([lost, there])
            return done

    monkeypatch.setattr(study, "pool_of", lambda jobs: nullcontext(Here()))
    monkeypatch.setattr(study.Plan, "wrong", lambda plan: "")
    monkeypatch.setattr(sys, "argv", ["study.py", "--model=m", "--name=n", f"--out={tmp_path}", "--only=grpo"])
    with pytest.raises(SystemExit, match="1 jobs failed, or some of their plays"):
        study.main()
    told = "test_normal failed: a process of vLLM ended with exit code -9; test_challenge, hybrid TGC 0.250 SGC 0.125"
    assert f"grpo seed 0: {told}; 0 to go\n" in capsys.readouterr().out


def test_an_evaluation_that_fails_without_a_word_is_told_by_its_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    study = import_module("study")

    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(study, "evaluated", full)
    job = study.Job(
        label="sage", seed=0, model="m", home=str(tmp_path / "n" / "sage"), sets=(), steps=1, runs=1, trained="there"
    )
    (told,) = study.course(replace(job, splits=("test_normal",), ways=("",)), "")
    assert study.told_of(told) == "test_normal failed: MemoryError()"
    (kept,) = tables.read([tmp_path / "n" / "rows.jsonl"])
    assert kept["error"] == "MemoryError()"


def test_a_study_that_is_stopped_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("transformers")
    study = import_module("study")

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(study, "pool_of", lambda jobs: nullcontext(Notes()))
    monkeypatch.setattr(study, "wait", interrupted)
    given = [
        "--model",
        "tiny",
        "--name",
        "n",
        "--out",
        str(tmp_path),
        "--only",
        "base",
        "--set",
        "sampling.engine=local",
    ]
    monkeypatch.setattr(sys, "argv", ["study.py", *given])
    with pytest.raises((SystemExit, KeyboardInterrupt)) as ended:
        study.main()
    assert isinstance(ended.value, SystemExit) and ended.value.code == 130
    assert capsys.readouterr().out.endswith("stopped; the same command goes on from here\n")


def test_the_picture_is_drawn() -> None:
    picture = import_module("picture").picture
    drawn = picture({"m": {"SAGE": [row("sage", sgc=[1.0])], "+ SFT": [row("sft", sgc=[math.nan])]}}, "test_normal")
    assert drawn.startswith(b"\x89PNG")


def outcome(scenario: str, place: int, *, run: int = 0, success: bool = True, turns: int = 4) -> Outcome:
    of = task(scenario, place)
    return replace(outcome_of(Played(run=run, split="dev", episode=episode(of, success=success))), turns=turns)


def test_a_scenario_is_solved_when_all_its_tasks_are_in_the_same_run() -> None:
    facts = [
        *(outcome("a", 1, run=0), outcome("a", 2, run=0, success=False)),
        *(outcome("a", 1, run=1), outcome("a", 2, run=1, turns=6)),
        *(outcome("b", 1), replace(outcome("b", 2), stop=Stop.ERROR)),
    ]
    found = lines.by_scenario(facts)
    assert found.keys() == {"a"}  # the only run of b broke
    assert (found["a"]["sgc"], found["a"]["tgc"], found["a"]["steps"]) == (0.5, 0.75, 4.5)
