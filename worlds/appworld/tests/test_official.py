"""AppWorld's own evaluation, and the files its `evaluate` command reads, on a root with an evaluation program.

The bundle at hand holds no evaluation programs, so one is made here: it asks for a note that the agent has to write.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from prowess_appworld.place import Installation
from prowess_appworld.settings import AppWorldSettings
from prowess_appworld.world import AppWorldSuite

from prowess.errors import WorldError
from prowess.sandbox import Sandbox

pytestmark = pytest.mark.slow

PROGRAM = '''
def evaluate(test, public_data, private_data, main_user, models, ground_truth_answer):
    with test("""the note is there"""):
        added, updated, removed = models.changed_records("simple_note.Note")
        test.case(len(added), "==", 1)
        test.case(added[0].title, "==", "made")
    with test("""nothing else has changed"""):
        test.case(models.changed_model_names(), "==", {"simple_note.Note"})
'''
REQUIREMENTS = [
    {"requirement": "the note is there", "label": "no_op_fail"},
    {"requirement": "nothing else has changed", "label": "no_op_fail"},
]
WRITE = """
me = apis.supervisor.show_profile()
password = {a["account_name"]: a["password"] for a in apis.supervisor.show_account_passwords()}["simple_note"]
token = apis.simple_note.login(username=me["email"], password=password)["access_token"]
apis.simple_note.create_note(title="{title}", content="x", access_token=token)
apis.supervisor.complete_task()
"""


@pytest.fixture(scope="module")
def judged(place: Installation, sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppWorldSuite]:
    """A suite of one scenario whose tasks have an evaluation program."""
    root = tmp_path_factory.mktemp("root")
    data = root / "data"
    (data / "datasets").mkdir(parents=True)
    for name in ("base_dbs", "api_docs"):
        (data / name).symlink_to(place.data / name)
    tasks = (place.data / "datasets" / "train.txt").read_text().split()[:3]
    (data / "datasets" / "train.txt").write_text("\n".join(tasks) + "\n")
    for task in tasks:
        shutil.copytree(place.data / "tasks" / task, data / "tasks" / task)
        truth = data / "tasks" / task / "ground_truth"
        (truth / "evaluation.py").write_text(PROGRAM)
        (truth / "test_data.json").write_text(json.dumps(REQUIREMENTS))
    settings = AppWorldSettings(
        python=str(place.python), root=str(root), evaluation="official", experiment="prowess_train"
    )
    with closing(AppWorldSuite(settings, sandbox)) as suite:
        yield suite


def test_appworlds_own_evaluation_judges_and_its_command_reads_what_was_saved(
    judged: AppWorldSuite, place: Installation
) -> None:
    tasks = judged.tasks("train")
    verdicts = []
    for task, title in zip(tasks, ("made", "other", "made"), strict=True):
        with closing(judged.open(task)) as world:
            world.execute(WRITE.replace("{title}", title))
            assert world.done
            verdicts.append(world.evaluate())
    assert [verdict.success for verdict in verdicts] == [True, False, True]
    assert verdicts[1].passed == ("nothing else has changed",)
    assert verdicts[1].failed == ("the note is there",)

    root = judged.place.root
    saved = root / "experiments" / "outputs" / "prowess_train" / "tasks" / tasks[0].id
    assert (saved / "version" / "code.txt").read_text().startswith("0.1.3")
    assert "create_note" in (saved / "logs" / "environment_io.md").read_text()
    assert len((saved / "logs" / "api_calls.jsonl").read_text().splitlines()) == 5
    done = subprocess.run(
        [str(place.python.parent / "appworld"), "evaluate", "prowess_train", "train", "--root", str(root)],
        env={**os.environ, "APPWORLD_ROOT": str(root)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads((saved.parents[1] / "evaluations" / "train.json").read_text())
    assert [report["individual"][task.id]["success"] for task in tasks] == [True, False, True]
    assert report["aggregate"]["task_goal_completion"] == 66.7
    assert not list((root / "experiments" / "outputs" / ".prowess").glob("*"))


def test_doing_nothing_fails_and_a_missing_program_is_told(judged: AppWorldSuite) -> None:
    task = judged.tasks("train")[0]
    with closing(judged.open(task)) as world:
        world.execute("apis.supervisor.complete_task()")
        assert not world.evaluate().success
    program = judged.place.data / "tasks" / task.id / "ground_truth" / "evaluation.py"
    kept = program.read_text()
    program.unlink()
    try:
        with closing(judged.open(task)) as world, pytest.raises(WorldError, match="no evaluation program"):
            world.evaluate()
    finally:
        program.write_text(kept)


def test_outputs_are_named_within_the_root() -> None:
    from prowess.errors import RecipeError

    for name in ("/tmp/x", "../x"):
        with pytest.raises(RecipeError, match="experiment is"):
            AppWorldSettings(experiment=name)
    assert Path(AppWorldSettings(experiment="a/b").experiment).parts == ("a", "b")
