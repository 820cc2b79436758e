"""Several recipes with several seeds, from the start to the table."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from typer.testing import CliRunner

from prowess.cli import app
from prowess.commands.train import TrainSettings
from prowess.errors import RecipeError, StoreError
from prowess.pipeline.ablate import _own_start, seeds_in
from prowess.pipeline.recipe import Recipe
from prowess.run import Run

SMALL = """
name = "small"
workers = 2

[suite.desk]
part = "starter"
families = ["like_artist", "approve_from_person"]

[agent]
prompt = "brief"
turns = 3
reply_tokens = 12
context_tokens = 1500

[collect]
temperatures = [0.0]

[evaluate]
scenarios = 1

[model.tiny]
hidden = 16
layers = 1
heads = 2
kv_heads = 1
inner = 32

[sft]
epochs = 1

[train]
steps = 1
chains = 1
group = 2
"""
OTHERS = {
    "single": 'extends = "small.toml"\nname = "single"\n[train]\nlength = 1\nstart = "runs/small-sft"\n',
    "plain": 'extends = "small.toml"\nname = "plain"\n[agent]\nlearn = false\n[learner]\nlora_rank = 2\n',
}
NAMES = ("small.toml", "single.toml", "plain.toml")


def ablate(*arguments: str, cwd: Path) -> str:
    with chdir(cwd):
        done = CliRunner().invoke(app, ["ablate", *arguments, "--out", "out"])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.stdout


def written(folder: Path) -> dict[str, int]:
    """When everything that a run does not write anew on being looked at was written."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file() and path.name not in {"run.json", ".lock", "table.md", "report.md", "report.html"}
        if path.parent.name != "plots"
    }


@pytest.mark.slow
def test_recipes_and_seeds_become_one_table_and_finished_runs_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    for name, text in OTHERS.items():
        (tmp_path / f"{name}.toml").write_text(text)
    said = ablate(*NAMES, "--seeds", "0,1", cwd=tmp_path)
    heads = re.findall(r"^ +([a-z]+(?:'s SFT)?) .*% ±.* ±", said, re.MULTILINE)
    assert heads == ["small's SFT", "small", "single", "plain's SFT", "plain"]
    assert "skill use" in said
    assert (tmp_path / "out/table.md").read_text().startswith("|  | TGC | SGC | steps | tokens | skill use |")
    folders = sorted(re.sub("-[0-9a-f]{8}-", "-X-", path.name) for path in (tmp_path / "out").iterdir())
    assert folders == [
        *("plain-seed0", "plain-seed1", "plots", "report.html", "report.md", "single-seed0", "single-seed1"),
        *("small-seed0", "small-seed1"),
        *("start-X-seed0", "start-X-seed0", "start-X-seed1", "start-X-seed1"),
        "table.md",
    ]
    assert (tmp_path / "out/plain-seed0/train/checkpoints/step-000001/adapter_config.json").is_file()
    page = (tmp_path / "out/report.html").read_text()
    assert "Too few seeds to tell: single solves " in page and 'href="small-seed1/train/report.html"' in page
    played = list(Run.open(tmp_path / "out/small-seed1/evaluate").episodes())
    assert {each.split for each in played} == {"test_normal"}

    before = written(tmp_path / "out")
    assert ablate(*NAMES, "--seeds", "0,1", cwd=tmp_path) == said
    assert written(tmp_path / "out") == before

    with pytest.raises(StoreError, match=r"train\.group: 2 in the run, 3 given"):
        ablate(*NAMES, "--seeds", "0,1", "--set", "train.group=3", cwd=tmp_path)
    ablate("small.toml", "--seeds", "0", "--set", "train.group=3", "--force", cwd=tmp_path)
    after = written(tmp_path / "out")
    changed = {name.split("/")[0] for name in before if after.get(name) != before[name]}
    assert len(changed) == 2 and "small-seed0" in changed and all(name.endswith("-seed0") for name in changed)
    assert "group = 3" in (tmp_path / "out/small-seed0/train/recipe.toml").read_text()
    with pytest.raises(RecipeError, match="several recipes are named 'small'"):
        ablate("small.toml", "small.toml", cwd=tmp_path)


@pytest.mark.slow
def test_a_run_that_is_there_is_the_start_and_a_bare_tiny_model_gets_its_texts(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "bare.toml").write_text('extends = "small.toml"\nname = "bare"\n[train]\nstart = "base"\n')
    (tmp_path / "given.toml").write_text('extends = "small.toml"\nname = "given"\n[train]\nstart = "there/sft"\n')
    learnt = tmp_path / "out/{}-seed0/train/recipe.toml"
    ablate("bare.toml", "--seeds", "0", cwd=tmp_path)
    (start,) = (tmp_path / "out").glob("start-*")
    assert [path.name for path in start.iterdir()] == ["collect"]
    assert f'data = "out/{start.name}/collect/data/sft.jsonl"' in Path(str(learnt).format("bare")).read_text()

    ablate("small.toml", "--seeds", "0", cwd=tmp_path)
    (start / "sft").rename(tmp_path / "sft")
    (tmp_path / "there").mkdir()
    (tmp_path / "sft").rename(tmp_path / "there/sft")
    said = ablate("given.toml", "--seeds", "0", cwd=tmp_path)
    assert "SFT" not in said and not (start / "sft").exists()
    assert 'start = "there/sft"' in Path(str(learnt).format("given")).read_text()


@pytest.mark.slow
def test_what_is_rehearsed_is_what_was_collected_for_the_same_seed(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL + "rehearse = 1\n")
    (tmp_path / "bare.toml").write_text('extends = "small.toml"\nname = "bare"\n[train]\nstart = "base"\n')
    ablate("small.toml", "bare.toml", "--seeds", "1", cwd=tmp_path)
    (start,) = (tmp_path / "out").glob("start-*")
    for name in ("small", "bare"):
        learnt = (tmp_path / f"out/{name}-seed1/train/recipe.toml").read_text()
        assert f'data = "out/{start.name}/collect/data/sft.jsonl"' in learnt


def test_the_imitation_of_a_compared_recipe_is_made_anew_for_each_seed(tmp_path: Path) -> None:
    recipes = [Recipe(name="small"), Recipe(name="other", train=TrainSettings(start="runs/small-sft"))]
    with chdir(tmp_path):
        assert [_own_start(recipe, recipes) for recipe in recipes] == [True, True]
        Path("runs/small-sft").mkdir(parents=True)
        Path("runs/small-sft/run.json").write_text("{}")
        assert [_own_start(recipe, recipes) for recipe in recipes] == [True, True]
        assert not _own_start(recipes[1], recipes[1:])


@pytest.mark.parametrize("text", ["", "0,", "a", "1,1"])
def test_seeds_are_numbers_and_each_given_once(text: str) -> None:
    with pytest.raises(RecipeError, match="seeds is"):
        seeds_in(text)
