"""Skills that the expert wrote on desk, with the calls that were recorded: exported, they pass their own tests."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prowess_desk.engine.world import DeskSuite
from prowess_desk.expert.expert import Expert
from prowess_desk.settings import DeskSettings
from skills_ref import validate

from prowess.play import Agent
from prowess.play.prompts import prompt_named
from prowess.sandbox import open_sandbox
from prowess.skills.library import Library
from prowess.store.db import Store, account_of
from prowess.store.exchange import export_folders, export_wheel, import_folders
from prowess.store.exchange.agent_skills import CODE, RECORD, TEST
from prowess.store.exchange.kit.replay import failures
from prowess.store.gates.admission import replay_settings
from prowess.worlds.expert import ExpertSettings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """The first tasks of a split, played for real."""
    agent = Agent(policy=Expert(ExpertSettings()), retrieve=lambda library, task: [], prompt=prompt_named("skill"))
    with (
        Store.open(tmp_path_factory.mktemp("played") / "skills.db") as store,
        closing(open_sandbox(replay_settings())) as sandbox,
    ):
        suite = DeskSuite(DeskSettings(), sandbox)
        for task in list(suite.tasks("train"))[::3]:
            world = suite.open(task)
            store.take(account_of(agent.play(task, world, Library(), seed=1), run="r", world="desk"))
            world.close()
        yield store


def test_every_exported_folder_passes_its_own_test_and_comes_back_the_same(played: Store, tmp_path: Path) -> None:
    digests = [entry.digest for entry in played.entries()]
    made = export_folders(played, digests, tmp_path / "one")
    tried = 0
    for folder in made:
        assert validate(folder) == []
        trials = json.loads((folder / RECORD).read_text())["trials"]
        assert failures((folder / CODE).read_text(), trials) == []
        tried += len(trials)
    assert len(made) >= 20
    assert tried >= 20
    done = subprocess.run([sys.executable, "-I", made[0] / TEST], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with Store.open(tmp_path / "other.db") as other:
        import_folders(other, tmp_path / "one", strict=True)
        export_folders(other, digests, tmp_path / "two")
    for path in (tmp_path / "one").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()


def test_a_wheel_of_them_all_passes_its_self_test(played: Store, tmp_path: Path) -> None:
    path = export_wheel(
        played, [entry.digest for entry in played.entries()], tmp_path, name="desk-skills", version="1.0"
    )
    assert path.name == "desk_skills-1.0-py3-none-any.whl"
    zipfile.ZipFile(path).extractall(tmp_path / "lib")
    command = [sys.executable, "-m", "desk_skills.selftest"]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={"PYTHONPATH": str(tmp_path / "lib")}
    )
    assert done.returncode == 0, done.stderr
