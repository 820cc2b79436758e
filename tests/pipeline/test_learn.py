"""The whole way for one recipe: all stages, both agents with and without a library, and going on where it stopped."""

from __future__ import annotations

import re
from contextlib import chdir
from math import inf
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from test_ablate import SMALL, written
from typer.testing import CliRunner, Result

from prowess.cli import app
from prowess.commands.dataset import read_dataset
from prowess.commands.teach import TeachSettings
from prowess.commands.train import TrainSettings
from prowess.errors import MissingExtra, RecipeError, StoreError
from prowess.pipeline import checks, policies
from prowess.pipeline.recipe import Recipe
from prowess.pipeline.starts import start_of
from prowess.policies.scripted import Scripted
from prowess.policies.vllm import shape
from prowess.run import Run
from prowess.types import Stop

EVALUATIONS = ("sft-with-library", "sage-with-library", "sft-without-library", "sage-without-library")


BREAKING = '''
from prowess.worlds.registry import Options, WorldPlugin
from prowess_desk.expert.expert import Expert
from prowess_desk.engine.world import DeskSuite
from prowess_desk.settings import DeskSettings


def suite(settings, sandbox):
    """Desk, but the world of one task to learn from falls apart when its code runs."""

    class Breaking(DeskSuite):
        def open(self, task):
            world = super().open(task)
            if task.id == "like_artist.train-0_3":
                def execute(code):
                    raise ZeroDivisionError("the disk \\x1b[31mis on fire")
                world.execute = execute
            return world

    return Breaking(DeskSettings(part="starter", families=("like_artist", "approve_from_person")), sandbox)


WORLD = WorldPlugin(settings=Options, suite=suite, expert=lambda settings, how: Expert(how))
'''


def invoke(*arguments: str, cwd: Path) -> Result:
    with chdir(cwd):
        done = CliRunner().invoke(app, ["learn", "small.toml", *arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def learn(*arguments: str, cwd: Path) -> str:
    done = invoke(*arguments, cwd=cwd)
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.slow
def test_every_stage_is_done_once_and_the_table_has_both_agents_with_and_without_a_library(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL.replace("steps = 1", "steps = 2"))
    table = learn(cwd=tmp_path)
    home = tmp_path / "runs/small"
    for row in ("SFT", "SAGE", "SFT, no library", "SAGE, no library"):
        assert f" {row} " in table
    for stage in ("collect", "sft", "train", *EVALUATIONS):
        assert Run.open(home / stage).about.status == "finished", stage
    played = {name: list(Run.open(home / name).episodes()) for name in EVALUATIONS}
    assert {one.split for name in EVALUATIONS for one in played[name]} == {"test_normal"}
    for name in EVALUATIONS[2:]:
        assert not any(one.episode.offered or one.episode.learned for one in played[name])
    assert "sage-with-library" in (home / "report.html").read_text()
    assert (home / "plots/curves.svg").is_file()
    before = written(home)
    again = invoke(cwd=tmp_path)
    assert again.stdout == table
    assert (home / "report.md").read_text().splitlines()[0].removeprefix("# ") in again.stderr.splitlines()
    changed = {name for name, when in written(home).items() if before.get(name) != when}
    assert all("report" in name or "plots" in name for name in changed), changed


@pytest.mark.slow
def test_what_was_imitated_is_taught_by_its_mistakes_and_goes_on_from_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    erring = Scripted(lambda messages: "I try.\n```python\nprint(apis.music.like_everything())\n```")
    played: list[str] = []

    def speaker(recipe: Recipe, speech: object, name: str = "") -> Scripted:
        played.append(name or recipe.model.name)
        return erring

    monkeypatch.setattr(policies, "speaker", speaker)
    (tmp_path / "small.toml").write_text(SMALL)
    learn("--set", "teach.rounds=2", "--set", "teach.rehearsed=0.25", "--set", "teach.rate=0.5", cwd=tmp_path)
    home = tmp_path / "runs/small"
    for number, before in ((1, "sft"), (2, "teach1/sft")):
        start = f"runs/small/{before}/checkpoints/step-"
        assert played[number - 1].startswith(start)
        assert f'name = "{start}' in (home / f"teach{number}/sft/recipe.toml").read_text()
        assert "rate = 0.5" in (home / f"teach{number}/sft/recipe.toml").read_text()
        own = list(read_dataset(home / f"teach{number}/collect/data"))
        assert not any(next(each.loss for each in one.messages if each.role == "assistant") for one in own)
        assert len(list(read_dataset(home / f"teach{number}/data"))) == len(own) + round(len(own) / 4)
    seeds = {
        re.search(r"(?s)\[suite.desk\].*?\nseed = (\d+)", (home / place / "recipe.toml").read_text())
        for place in PLAYED
    }
    assert len({found[1] if found else "none" for found in seeds}) == len(PLAYED), "other people in every round"
    assert 'start = "runs/small/teach2/sft"' in (home / "train/recipe.toml").read_text()
    assert "teach2/sft" in (home / "sft-with-library/recipe.toml").read_text()


PLAYED = ("collect", "teach1/collect", "teach2/collect")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"rounds": -1}, "rounds is -1; it must be at least 0"),
        ({"early": -0.1}, "early is -0.1; it must be between 0 and 1"),
        ({"early": 40.0}, "early is 40.0; it must be between 0 and 1"),
        ({"rate": inf}, "rate is inf; it must be at least 0, and finite"),
        ({"rehearsed": inf}, "rehearsed is inf; it must be at least 0, and finite"),
        ({"again": 1.5}, "again is 1.5; it must be between 0 and 1"),
    ],
)
def test_settings_of_teaching_out_of_range_are_refused(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(RecipeError, match=re.escape(told)):
        TeachSettings(**wrong)


@pytest.mark.slow
def test_teaching_alone_says_first_what_is_missing_and_begins_again_by_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prowess(command: str, *arguments: str) -> Result:
        with chdir(tmp_path):
            return CliRunner().invoke(app, [command, "small.toml", *arguments], catch_exceptions=False)

    (tmp_path / "small.toml").write_text(SMALL)
    with pytest.raises(RecipeError, match=r"teach\.rounds is 0"):
        prowess("teach")
    once = ("--set", "teach.rounds=1", "--set", "train.start=base")
    with pytest.raises(RecipeError, match="there is no data set at"):
        prowess("teach", *once)
    assert not (tmp_path / "runs").exists(), "nothing was played for nothing"

    assert prowess("collect").exit_code == prowess("sft").exit_code == 0
    erring = Scripted(lambda messages: "I try.\n```python\nprint(apis.music.like_everything())\n```")
    monkeypatch.setattr(policies, "speaker", lambda recipe, speech, name="": erring)
    done = prowess("teach", *once[:2])
    assert done.exit_code == 0 and "teach1/sft/checkpoints/step-" in done.stderr
    with pytest.raises(StoreError, match=r"teach\.again"):
        prowess("teach", *once[:2], "--set", "teach.again=0.5")
    for wrong, told in (
        ("train.start=none", "train.start is 'none'"),
        ("name=other", "there is no run at runs/other-sft"),
        ("sft.data=typo", "there is no data set at typo"),
        ("teach.collect.split=tarin", "teach.collect.split: unknown split 'tarin'"),
        ("train.start=runs/small-teach/teach1/sft", "--force would delete the run"),
    ):
        with pytest.raises(RecipeError, match=re.escape(told)):
            prowess("teach", *once[:2], "--set", wrong, "--out", "runs/small-teach", "--force")
    assert (tmp_path / "runs/small-teach/teach1/sft/checkpoints").is_dir(), "nothing is deleted by mistake"
    assert prowess("teach", *once[:2], "--set", "teach.again=0.5", "--force").exit_code == 0
    assert "again = 0.5" in (tmp_path / "runs/small-teach/teach1/collect/recipe.toml").read_text()


@pytest.mark.slow
def test_broken_demonstrations_are_told_and_another_recipe_is_begun_again_by_force(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    (tmp_path / "breaking_desk.py").write_text(BREAKING)
    home = tmp_path / "runs/small"
    done = invoke("--set", "suite.name=breaking_desk:WORLD", "--set", "collect.tries=2", cwd=tmp_path)
    assert done.exit_code == 1, done.output
    played = list(Run.open(home / "collect").episodes())
    assert [one.episode.task.id for one in played if one.episode.stop is Stop.ERROR] == ["like_artist.train-0_3"] * 2
    said = f"error: 2 of {len(played)} demonstrations in runs/small/collect ended in an error and are not counted"
    assert said in done.stderr.splitlines()
    assert "first: like_artist.train-0_3: " in done.stderr and "the disk is on fire" in done.stderr
    assert done.stderr.count("ended in an error") == 1

    with pytest.raises(StoreError, match=r"suite\.name: .*breaking_desk:WORLD.* in the run, .*desk.* given") as refused:
        learn(cwd=tmp_path)
    assert "--force" in refused.value.hint
    learn("--force", cwd=tmp_path)
    assert not any(one.episode.stop is Stop.ERROR for one in Run.open(home / "collect").episodes())
    for stage in ("collect", "sft", "train", *EVALUATIONS):
        assert "breaking_desk" not in (home / stage / "recipe.toml").read_text(), stage


@pytest.mark.parametrize("start", ["base", "there/sft"])
def test_the_whole_way_begins_with_an_imitation_so_another_start_is_refused(start: str, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(f'{SMALL}start = "{start}"\n')
    with pytest.raises(RecipeError, match=f"train.start is '{start}', and learn begins with an imitation") as told:
        invoke(cwd=tmp_path)
    assert "prowess ablate" in told.value.hint and not (tmp_path / "runs").exists()


@pytest.mark.parametrize("start", ["./none", "none", "runs/none"])
def test_a_start_that_is_not_there_is_told_by_the_name_of_the_setting(start: str, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    with chdir(tmp_path), pytest.raises(RecipeError, match=re.escape(f"train.start is '{start}'")) as told:
        start_of(Recipe(train=TrainSettings(start=start)))
    assert 'allowed: empty, "base", or the folder of a checkpoint or run' in told.value.hint


@pytest.mark.parametrize("command", ["learn", "ablate"])
def test_a_split_that_is_not_there_is_told_before_anything_is_begun(command: str, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    with chdir(tmp_path), pytest.raises(RecipeError, match=r"(?s)--split: unknown split 'test_norml'.*test_normal"):
        CliRunner().invoke(app, [command, "small.toml", "--split", "test_norml", "--force"], catch_exceptions=False)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("sampling.engine=vllm", "sampling.engine = 'vllm' needs the extra 'vllm'"),
        ("model.name=nowhere/at/all", "there is no folder 'nowhere/at/all'"),
        ("train.overlap=true", "train.overlap is true, and sampling.engine 'local'"),
        ("reward.name=uplift", "train.masked is 0"),
        ("sampling.engine=vllm evaluate.temperature=0.005", "temperature is 0.005, and vLLM"),
    ],
)
@pytest.mark.parametrize("command", ["learn", "ablate"])
def test_what_learning_lacks_is_told_before_anything_is_begun(
    command: str, settings: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shape, "find_spec", lambda name: None)  # as where vLLM is not installed
    (tmp_path / "small.toml").write_text(SMALL)
    sets = [word for one in settings.split() for word in ("--set", one)]
    with chdir(tmp_path), pytest.raises(RecipeError, match=re.escape(told)):
        CliRunner().invoke(app, [command, "small.toml", *sets], catch_exceptions=False)
    assert not (tmp_path / "runs").exists()


EIGHT = "learner.optimizer=adamw8bit"


@pytest.mark.parametrize(
    ("command", "settings", "told"),
    [
        ("learn", EIGHT, "learner.optimizer = 'adamw8bit' needs"),
        ("learn", f"sft.{EIGHT}", "sft.learner.optimizer = 'adamw8bit' needs"),
        ("ablate", EIGHT, "learner.optimizer = 'adamw8bit' needs"),
        ("ablate", f"sft.{EIGHT}", "sft.learner.optimizer = 'adamw8bit' needs"),
        ("sft", f"sft.{EIGHT}", "sft.learner.optimizer = 'adamw8bit' needs"),
        ("teach", f"teach.rounds=1 train.start=base sft.{EIGHT}", "sft.learner.optimizer = 'adamw8bit' needs"),
        ("train", f"train.start=base {EIGHT}", "learner.optimizer = 'adamw8bit' needs"),
        ("sft", EIGHT, "there is no data set at"),
        ("train", f"train.start=base sft.{EIGHT}", "there is no data set at"),
        ("ablate", f"train.start=base sft.{EIGHT} model.name=nowhere/at/all", "there is no folder 'nowhere/at/all'"),
    ],
)
def test_a_rule_whose_library_is_missing_is_told_before_anything_is_begun_where_it_would_be_used(
    command: str, settings: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda name: None)  # as where bitsandbytes is not installed
    (tmp_path / "small.toml").write_text(SMALL)
    sets = [word for one in settings.split() for word in ("--set", one)]
    with chdir(tmp_path), pytest.raises(RecipeError, match=f"^{re.escape(told)}") as problem:
        CliRunner().invoke(app, [command, "small.toml", *sets], catch_exceptions=False)
    assert isinstance(problem.value, MissingExtra) == ("adamw8bit" in told)
    assert not (tmp_path / "runs").exists() and not (tmp_path / "out").exists()
