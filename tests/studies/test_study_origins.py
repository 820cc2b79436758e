"""studies/qwen/origins.csv: every line of the studies that do not name their origin themselves has one there."""

from __future__ import annotations

import csv
import json
import re
import subprocess
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "studies" / "qwen"
OWN = "its own"
"""What origins.csv calls the way to play that has no name in rows.jsonl."""
STUDIES = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"),
    *("ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
)
Key = tuple[str, str, str, int, str, str]
"""Study, model, label, seed, play and split."""


def origins() -> list[dict[str, str]]:
    with (FOLDER / "origins.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows(study: str) -> dict[Key, dict[str, Any]]:
    lines = [json.loads(line) for line in (FOLDER / study / "rows.jsonl").read_text(encoding="utf-8").splitlines()]
    found = {
        (study, one["model"], one["label"], one["seed"], one["play"], one["split"]): one
        for one in lines
        if "error" not in one
    }
    assert len(found) == len(lines), f"{study} has a line twice, or one that failed"
    return found


def covered(origin: dict[str, str]) -> list[Key]:
    """The lines of rows.jsonl that a line of origins.csv speaks of."""
    labels, seeds, plays, splits = (origin[name].split("; ") for name in ("labels", "seeds", "plays", "splits"))
    return [
        (origin["study"], origin["model"], label, int(seed), "" if play == OWN else play, split)
        for label, seed, play, split in product(labels, seeds, plays, splits)
    ]


def sections() -> dict[str, str]:
    """What studies.md tells of each study."""
    text = (FOLDER / "studies.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^## (\w+) study: (.*?)(?=^## |\Z)", text, flags=re.DOTALL | re.MULTILINE))


def test_every_line_of_the_first_sixteen_studies_has_one_origin() -> None:
    found = Counter(key for origin in origins() for key in covered(origin))
    there = [key for study in STUDIES for key in rows(study)]
    assert [key for key in there if found[key] != 1] == [], "a line of rows.jsonl with no origin, or with two"
    assert [*(found - Counter(there))] == [], "an origin of a line that is not there"


@pytest.mark.parametrize("study", sorted({path.parent.name for path in FOLDER.glob("*/rows.jsonl")} - {*STUDIES}))
def test_lines_of_later_studies_name_their_origin_themselves(study: str) -> None:
    for key, row in rows(study).items():
        assert row["recipe"] and row["commit"] and row["sets"] and row["play_seconds"], key


def test_evaluations_and_minutes_of_training_are_those_of_the_lines() -> None:
    there = {key: row for study in STUDIES for key, row in rows(study).items()}
    for origin in origins():
        mine = [there[key] for key in covered(origin)]
        assert {str(len(row["runs"])) for row in mine} == {origin["evaluations"]}, origin
        trained = {(row["label"], row["seed"]): row["train_seconds"] for row in mine if row["train_seconds"]}
        told = [f"{label} {seed}: {seconds / 60:.2f}" for (label, seed), seconds in sorted(trained.items())]
        assert "; ".join(told) == origin["training_minutes"], origin


def test_what_an_origin_says_stands_in_the_section_of_its_study() -> None:
    told = sections()
    for origin in origins():
        section = told[origin["study"].capitalize()]
        assert re.search(rf"^{origin['commit']}, ", section, flags=re.MULTILINE), origin
        page, named = origin["told_in"].split(": ")
        assert (FOLDER / page).is_file() and {*named.split(", ")} <= told.keys(), origin["told_in"]
        if minutes := origin["minutes_asked"]:
            assert re.search(rf"--minutes {re.escape(minutes)}\s", section), origin
        if minutes := origin["imitation_minutes"]:
            assert f"{float(minutes) * 60:,.0f} s" in section or f"{minutes} minutes" in section, origin
        if minutes := origin["gpu_minutes_of_study"]:
            assert f"{minutes} minutes of the GPU" in section, origin


def test_settings_of_an_origin_are_told_in_the_studies() -> None:
    told = "".join(sections().values())
    for origin in origins():
        given = f"{origin['settings_of_imitation']} {origin['settings_of_study']}"
        settings = re.findall(r"[\w.]+=[\w./-]*\w", given)
        odd = [one for one in settings if not re.search(rf"(?<![\w.]){re.escape(one)}(?!\w)", told)]
        assert not odd, f"{origin['study']}: {odd}"


def test_minutes_of_the_gpu_are_of_a_whole_study() -> None:
    found = {(origin["study"], origin["gpu_minutes_of_study"]) for origin in origins()}
    assert sorted(study for study, _ in found) == sorted(STUDIES), "a study has two totals, or no line"


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs git's history")
def test_every_commit_is_there_with_its_recipe() -> None:
    if _git("rev-parse", "--is-shallow-repository").stdout.strip() != "false":
        pytest.skip("needs git's whole history")
    named = {thing for origin in origins() for thing in (origin["commit"], f"{origin['commit']}:{origin['recipe']}")}
    said = {commit for origin in origins() for commit in re.findall(r"\b[0-9a-f]{7}\b", " ".join(origin.values()))}
    assert [thing for thing in sorted(named | said) if _git("cat-file", "-e", thing).returncode] == []


def _git(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=False)
