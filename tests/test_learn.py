"""The whole way for one recipe: all stages, both agents with and without a library, and going on where it stopped."""

from __future__ import annotations

import re
from contextlib import chdir
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from test_ablate import SMALL, written
from typer.testing import CliRunner

from opensage.cli import app
from opensage.errors import RecipeError
from opensage.policies.vllm import shape
from opensage.run import Run

EVALUATIONS = ("sft-with-library", "sage-with-library", "sft-without-library", "sage-without-library")


def learn(*arguments: str, cwd: Path) -> str:
    with chdir(cwd):
        done = CliRunner().invoke(app, ["learn", "small.toml", *arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
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
    assert (home / "plots/curves.png").is_file()
    before = written(home)
    assert learn(cwd=tmp_path) == table
    changed = {name for name, when in written(home).items() if before.get(name) != when}
    assert all("report" in name or "plots" in name for name in changed), changed


@pytest.mark.parametrize("command", ["learn", "ablate"])
def test_a_split_that_is_not_there_is_told_before_anything_is_begun(command: str, tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SMALL)
    with chdir(tmp_path), pytest.raises(RecipeError, match=r"(?s)unknown split 'test_norml'.*test_normal"):
        CliRunner().invoke(app, [command, "small.toml", "--split", "test_norml"], catch_exceptions=False)
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("sampling.engine=vllm", "sampling.engine = 'vllm' needs the extra 'vllm'"),
        ("model.name=nowhere/at/all", "there is no folder 'nowhere/at/all'"),
        ("train.overlap=true", "train.overlap is true, and sampling.engine 'local'"),
        ("reward.name=uplift", "train.masked is 0"),
    ],
)
@pytest.mark.parametrize("command", ["learn", "ablate"])
def test_what_learning_lacks_is_told_before_anything_is_begun(
    command: str, settings: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shape, "find_spec", lambda name: None)  # as where vLLM is not installed
    (tmp_path / "small.toml").write_text(SMALL)
    with chdir(tmp_path), pytest.raises(RecipeError, match=re.escape(told)):
        CliRunner().invoke(app, [command, "small.toml", "--set", settings], catch_exceptions=False)
    assert not (tmp_path / "runs").exists()
