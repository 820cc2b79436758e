"""The study of faults names tests and places that are there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STUDY = ROOT / "studies/faults"
NAMED = sorted(set(re.findall(r"`((?:tests|worlds)/[\w/]+\.py)::(\w+)`", (STUDY / "README.md").read_text())))


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[name for _, name in NAMED])
def test_a_test_that_the_page_names_is_there(file: str, name: str) -> None:
    assert f"def {name}(" in (ROOT / file).read_text()


def test_every_finding_has_its_row() -> None:
    page = (STUDY / "README.md").read_text()
    for head in (*(f"F{number}" for number in range(1, 14)), *(f"N{number}" for number in range(1, 6)), *range(1, 24)):
        assert len(re.findall(rf"^\| {head} \| ", page, re.MULTILINE)) >= 2, head


def test_the_places_are_of_files_that_are_there_and_their_tests_too() -> None:
    places = tomllib.loads((STUDY / "mends.toml").read_text())["mend"]
    assert len({place["name"] for place in places}) == len(places) > 150
    for place in places:
        assert (ROOT / place["file"]).exists(), place["name"]
        for test in place["tests"]:
            assert (ROOT / test.partition("::")[0]).exists(), place["name"]
