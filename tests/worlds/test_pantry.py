"""A world in a package of its own, installed as anybody would: `examples/pantry`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from prowess.run import Run

ROOT = Path(__file__).parents[2]
PANTRY = ("--set", "suite.name=pantry")

Prowess = Callable[..., str]


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package installed in it."""
    folder = tmp_path_factory.mktemp("packages")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, *offline, "--target", str(folder), str(ROOT / "examples" / "pantry")], check=True)
    return folder


@pytest.fixture
def python(there: Path, tmp_path: Path) -> Prowess:
    """Runs Python where the package is installed; what it said."""

    def run(*arguments: str, code: int = 0) -> str:
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(there)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    return run


@pytest.fixture
def prowess(python: Prowess) -> Prowess:
    return lambda *arguments, code=0: python("-m", "prowess", *arguments, code=code)


def test_its_expert_solves_its_tasks_with_the_skill_that_the_first_of_each_scenario_wrote(
    prowess: Prowess, tmp_path: Path
) -> None:
    prowess("evaluate", "expert", *PANTRY, "--set", "suite.pantry.scenarios=2")
    episodes = [played.episode for played in Run.open(tmp_path / "runs/expert-evaluate").episodes()]
    assert [(one.success, [use.name for use in one.called]) for one in episodes] == [
        (True, []),
        *[(True, ["stock"])] * 2,
    ] * 2


def test_what_its_expert_shows_is_collected(prowess: Prowess) -> None:
    said = prowess("collect", "expert", *PANTRY, "--set", "suite.pantry.scenarios=2", "--set", "collect.count=3")
    assert "kept 6 of 6 chains" in said


def test_its_expert_takes_over_from_a_model_that_goes_wrong(python: Prowess) -> None:
    said = python("-c", TAUGHT)
    assert said.split() == ["True", "False,True,True", "True", "False,True,True", "True", "False,True,True"]


TAUGHT = """
from prowess.commands.collect.settings import CollectSettings
from prowess.pipeline.parts import parts_of
from prowess.pipeline.policies import expert_of
from prowess.pipeline.recipe import Recipe
from prowess.play.rollout import chains_of
from prowess.policies.scripted import Scripted
from prowess.policies.taught import taught
from prowess.recipe import parse
from prowess.skills.library import Library

recipe = parse(Recipe, "", ["suite.name=pantry"])
wrong = Scripted(["```python\\napis.pantry.add(goods='rice')\\n```"])
with parts_of(recipe, taught(wrong, expert_of(recipe))) as live:
    for task in chains_of(live.suite, "train")[0]:
        episode = live.agent.play(task, live.suite.open(task), Library(), seed=0)
        print(episode.success, ",".join(str(turn.completion.teacher) for turn in episode.turns))
"""


def test_its_settings_are_parsed_as_strictly_as_ours(prowess: Prowess, tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("[suite]\nname = 'pantry'\n[suite.pantry]\nscenario = 3\n")
    said = prowess("recipe", "mine.toml", code=2)
    assert said.splitlines() == [
        "error: mine.toml: unknown key 'suite.pantry.scenario'",
        "hint: did you mean 'scenarios'? known: most, scenarios, seed",
    ]
    said = prowess("recipe", "expert", *PANTRY, "--set", "suite.pantry.most=many", code=2)
    assert 'error: --set: suite.pantry.most cannot be "many"\nhint: allowed: a whole number\n' in said
    said = prowess("recipe", "expert", *PANTRY, "--set", "suite.pantry.most=1000", code=2)
    assert "section suite.pantry: most is 1000; it must be between 4 and 99" in said


def test_its_settings_stand_in_the_resolved_recipe_in_place_of_other_worlds(prowess: Prowess) -> None:
    said = prowess("recipe", "expert", *PANTRY, "--set", "suite.pantry.seed=7")
    assert "[suite.pantry]\nseed = 7\nscenarios = 4\nmost = 9\n" in said
    assert re.findall(r"^\[suite\.(\w+)\]", said, flags=re.MULTILINE) == ["options", "pantry"]
    assert "suite.pantry.most = 9\n    a whole number. The most bags that a task asks for.\n" in prowess("recipe")


def test_a_round_of_teaching_plays_other_amounts(python: Prowess) -> None:
    code = (
        "from prowess.pipeline.recipe import SuiteSettings; suite = SuiteSettings(name='pantry'); "
        "print(suite.lesson(1).own.seed, suite.lesson(2).own.seed, suite.lesson(2).own.most)"
    )
    first, second, most = python("-c", code).split()
    assert len({"0", first, second}) == 3 and most == "9"


def test_its_commands_are_listed_and_run(prowess: Prowess) -> None:
    assert re.search(r"pantry +The pantry: list its tasks\.", prowess("--help"))
    assert len(prowess("pantry", "tasks", "--seed", "3").splitlines()) == 12
    assert "unknown split of the pantry 'tests'" in prowess("pantry", "tasks", "--split", "tests", code=2)


def test_it_keeps_the_contract_and_the_doctor_knows_it(prowess: Prowess) -> None:
    assert "no problems" in prowess("check", "pantry")
    assert re.search(r"pantry +ok +of prowess-pantry 0\.1\.0", prowess("doctor"))


def test_nothing_of_it_or_of_other_worlds_is_imported_before_it_is_asked_for(python: Prowess) -> None:
    code = (
        "import sys; from prowess.cli import app; from prowess.pipeline.recipe import Recipe; "
        "from prowess.recipe import read; read(Recipe, 'sage'); "
        "print(sorted(name for name in sys.modules if name.startswith('prowess_')))"
    )
    assert python("-c", code).strip() == "['prowess_desk', 'prowess_desk.plugin', 'prowess_desk.settings']"
    asked = code.replace("'sage')", "'sage', ['suite.name=pantry'])")
    assert python("-c", asked).strip() == "['prowess_pantry', 'prowess_pantry.plugin', 'prowess_pantry.settings']"
