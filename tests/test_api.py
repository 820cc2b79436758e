"""What `import prowess` offers, and the tutorial that shows it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import get_type_hints

import pytest

import prowess
from prowess.errors import RecipeError, StoreError

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "python.md"
HEAVY = ("matplotlib", "numpy", "pandas", "prowess.api", "prowess_desk", "pydantic", "rich", "torch", "typer")


def outcome_of(code: str) -> str:
    """What a fresh process prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def test_importing_prowess_is_light() -> None:
    code = "import sys, time, prowess; print(time.process_time(), *sys.modules)"
    seconds, *modules = outcome_of(code).split()
    assert float(seconds) < 0.2
    assert [name for name in HEAVY if name in modules] == []
    assert [name for name in modules if name.startswith("prowess.")] == []


def test_listing_the_names_imports_none_of_them() -> None:
    found = outcome_of("import sys, prowess; print(*dir(prowess)); print(*sys.modules)").splitlines()
    assert set(prowess.__all__) <= set(found[0].split())
    assert [name for name in HEAVY if name in found[1].split()] == []


@pytest.mark.parametrize("name", prowess.__all__)
def test_every_name_is_there_and_says_what_it_is_for(name: str) -> None:
    value = getattr(prowess, name)
    assert (value.__doc__ or "").strip()
    assert value.__module__.startswith("prowess.")


def test_type_checkers_see_each_name_where_it_is_found() -> None:
    tree = ast.parse(Path(prowess.__file__).read_text(encoding="utf-8"))
    [seen] = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in seen.body if isinstance(node, ast.ImportFrom) and node.module != "typing"]
    assert {alias.name: node.module for node in imports for alias in node.names} == prowess._HOMES
    assert sorted(prowess._HOMES) == prowess.__all__


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'prowess' has no attribute 'evalute'"):
        prowess.evalute  # type: ignore[attr-defined]  # noqa: B018


def test_the_hints_of_the_functions_resolve() -> None:
    from prowess import api

    for name in ("open_suite", "read_recipe", "evaluate", "rollout"):
        assert "return" in get_type_hints(getattr(api, name))


@pytest.mark.skipif(find_spec("torch") is None or find_spec("apsw") is None, reason="needs the extras learn and skills")
def test_the_tutorial_runs_from_its_first_block_to_its_last(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)  # noqa: S102 (our own page)
    said = capsys.readouterr().out
    assert "queue_album.0_2 True completed" in said
    assert "called: ['queue_album_songs']" in said
    assert "did you mean 'scenarios'?" in said


def test_the_tutorial_names_everything_that_is_offered() -> None:
    named = set(re.findall(r"`(\w+)`", PAGE.read_text(encoding="utf-8").split("## All names")[1]))
    assert set(prowess.__all__) - {"OpenSuite", "SavedRun", "Scored"} == named


def test_settings_may_be_dotted_or_nested_and_go_over_a_recipe_value_too() -> None:
    recipe = prowess.read_recipe("expert", {"evaluate.scenarios": 2, "evaluate": {"runs": 3}})
    assert (recipe.name, recipe.evaluate.scenarios, recipe.evaluate.runs) == ("expert", 2, 3)
    other = prowess.read_recipe(recipe, {"seed": 5})
    assert (other.seed, other.evaluate.scenarios) == (5, 2)
    assert prowess.read_recipe().name == "prowess"


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"evaluate.scenarios": "many"}, 'settings: evaluate.scenarios cannot be "many"'),
        ({"evaluate.scenaros": 2}, "settings: unknown key 'evaluate.scenaros'"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_key(settings: dict[str, object], said: str) -> None:
    with pytest.raises(RecipeError) as caught:
        prowess.read_recipe("expert", settings)
    assert caught.value.message == said


def test_a_suite_is_given_the_settings_of_its_section() -> None:
    with prowess.open_suite("desk", families=["queue_album"]) as suite:
        assert {task.scenario for task in suite.tasks("dev")} == {"queue_album.0"}
    with pytest.raises(RecipeError, match=r"open_suite: unknown key 'suite\.desk\.drill'"):
        prowess.open_suite("desk", drill=1)


def test_a_wrong_split_is_told_before_force_deletes_a_run(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text("{}")
    with pytest.raises(RecipeError, match=r"evaluate\.split: unknown split 'deff'"):
        prowess.evaluate("expert", {"evaluate.split": "deff"}, out=tmp_path / "run", force=True)
    assert (tmp_path / "run" / "run.json").read_text() == "{}"


def test_there_is_nothing_to_collect_where_a_data_set_is_named() -> None:
    with pytest.raises(RecipeError, match=r"sft\.data is 'mine\.jsonl': there is nothing to collect"):
        prowess.collect("expert", {"sft.data": "mine.jsonl"})


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"no run at .*: there is no such folder"):
        prowess.read_run(tmp_path / "nothing")
