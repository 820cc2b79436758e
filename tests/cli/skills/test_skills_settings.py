"""The recipe's section [skills] changes what is refused and what is promoted."""

from __future__ import annotations

from pathlib import Path

import pytest
from shelf import SONGS, Run, propose

from prowess.pipeline.recipe import Recipe
from prowess.recipe import resolve
from prowess.store.db import Store

NUMPY = '''
def mean_length(artist: str) -> float:
    """The mean length of the songs of an artist."""
    import numpy

    return float(numpy.mean([song["length"] for song in apis.music.search_songs(query=artist)]))
'''
ROUND = '''
def pay_all(people: list[str]) -> int:
    """Pay everybody and return how many were paid."""
    for name in people:
        apis.wallet.request_money(receiver=name, amount=5)
    return len(people)
'''


def test_a_recipe_changes_what_is_refused(run: Run, store: Store, tmp_path: Path) -> None:
    for code in (NUMPY, ROUND):
        propose(store, code)
    recipe = tmp_path / "strict.toml"
    recipe.write_text('extends = "expert"\n\n[skills.gates]\nmodules = ["numpy"]\nsmall = 9\nreview_rate = 1.0\n')
    told = {one["name"]: one for one in run("admit", "--world", str(recipe), "--json").lines}
    assert {name: one["status"] for name, one in told.items()} == {"mean_length": "probation", "pay_all": "review"}


def test_the_same_skills_fare_otherwise_with_the_usual_settings(run: Run, store: Store) -> None:
    for code in (NUMPY, ROUND):
        propose(store, code)
    told = {one["name"]: one for one in run("admit", "--json").lines}
    failed = {name: [v["check"] for v in one["verifications"] if v["verdict"] == "fail"] for name, one in told.items()}
    assert failed == {"mean_length": ["structure"], "pay_all": ["leak"]}  # 5 is what the instruction says


def test_settings_change_what_is_promoted_with_and_without_a_world(run: Run, waiting: Store) -> None:
    assert run("curate", "--dry-run").out == "the evidence asks for nothing\n"
    asked = ("--set", "skills.curate.calls=3", "--set", "skills.curate.floor=0.3")
    assert "count_songs" in run("curate", "--dry-run", *asked).out
    assert "count_songs" in run("curate", "--dry-run", "--world", "expert", *asked).out


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("skills.gates.review_rate=1.5", "section skills.gates: review_rate is 1.5; it must be between 0 and 1"),
        ("skills.gates.small=-1", "section skills.gates: small is -1; it must be at least 0"),
        ('skills.gates.modules=["os.path"]', "modules has 'os.path', which is no module's name"),
        ('skills.gates.unplayed="active"', 'skills.gates.unplayed cannot be "active"'),
        ("skills.curate.rate=0", "section skills.curate: rate is 0.0; it must lie between 0 and 1"),
        ("skills.curate.cals=3", "unknown key 'skills.curate.cals'"),
    ],
)
def test_wrong_values_are_told_with_what_is_allowed(run: Run, store: Store, given: str, message: str) -> None:
    propose(store, SONGS)
    done = run("admit", "--set", given)
    assert done.code == 2
    assert message in " ".join(done.err.split())


def test_the_defaults_are_those_of_the_parts() -> None:
    recipe = resolve(Recipe, {})
    assert (recipe.skills.gates.review_rate, recipe.skills.curate.calls) == (0.1, 5)
