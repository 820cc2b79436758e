"""A course of learning: where it goes on, what it keeps, and what a kill at a bad moment leaves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from prowess.errors import StoreError
from prowess.run import Run
from prowess.run.checkpoints import Checkpoints
from prowess.types import Policy, Sample


class Counter:
    """A learner whose only weight is a number."""

    def __init__(self) -> None:
        self.weight = 0

    def step(self, samples: Sequence[Sample], *, per: int | None = None) -> Mapping[str, float]:
        self.weight += 1
        return {"learn/loss": 1.0 / self.weight}

    def policy(self) -> Policy:
        raise NotImplementedError

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "weight").write_text(str(self.weight))

    def load(self, folder: Path) -> None:
        try:
            self.weight = int((folder / "weight").read_text())
        except (OSError, ValueError) as error:
            raise StoreError(f"checkpoint {folder} is corrupt: {error}") from None


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.create(tmp_path / "run", command="train", recipe_toml="", seed=0) as run:
        yield run


def go(
    run: Run,
    scores: Sequence[float | None],
    *,
    keep: int = 2,
    every: int = 1,
    until: int | None = None,
    watched: list[int] | None = None,
) -> Counter:
    """Go through as many steps as there are scores; stop as if killed after `until` of them."""
    learner = Counter()
    checkpoints = Checkpoints(
        run, keep=keep, watch=lambda step, figures: None if watched is None else watched.append(step)
    )
    for step in checkpoints.steps(len(scores), learner):
        if step == until:
            break
        figures = dict(learner.step([]))
        score = scores[step]
        if score is not None:
            figures |= {"eval/tgc": score, "eval/sgc": 0.0}
        checkpoints.finish(step, figures, learner, save=(step + 1) % every == 0)
    return learner


def saved(run: Run) -> list[str]:
    return sorted(path.name for path in (run.folder / "checkpoints").glob("step-*"))


def test_a_course_goes_on_after_its_last_checkpoint_and_takes_back_later_metrics(run: Run) -> None:
    go(run, [None] * 6, every=2, until=3)
    assert [entry.step for entry in run.metrics()] == [0, 1, 2]
    watched: list[int] = []
    learner = go(run, [None] * 6, every=2, watched=watched)
    assert learner.weight == 6
    assert watched == [0, 1, 2, 3, 4, 5]
    assert [(entry.step, entry.values["learn/loss"]) for entry in run.metrics()] == [(n, 1 / (n + 1)) for n in range(6)]


def test_a_finished_course_has_nothing_left_to_do(run: Run) -> None:
    go(run, [None, 0.5])
    before = run.metrics()
    assert go(run, [None, 0.5]).weight == 2
    assert run.metrics() == before


def test_the_best_is_kept_besides_the_last(run: Run) -> None:
    go(run, [0.1, 0.9, 0.2, 0.3, 0.4])
    assert saved(run) == ["step-000002", "step-000004", "step-000005"]
    assert Checkpoints(run).best == run.folder / "checkpoints/step-000002"
    assert json.loads((run.folder / "checkpoints/best.json").read_text()) == {
        "step": 2,
        "score": 0.9,
        "eval/tgc": 0.9,
        "eval/sgc": 0.0,
    }


def test_of_equals_the_earlier_is_best(run: Run) -> None:
    go(run, [0.5, 0.5])
    assert Checkpoints(run).best == run.folder / "checkpoints/step-000001"


def test_a_score_that_is_not_a_number_is_never_the_best(run: Run) -> None:
    go(run, [float("nan"), 0.5, float("nan"), 0.6])
    assert Checkpoints(run).best == run.folder / "checkpoints/step-000004"


def test_nor_does_one_that_an_older_version_noted_stay_it(run: Run) -> None:
    go(run, [0.1])
    note = run.folder / "checkpoints/best.json"
    note.write_text(json.dumps({"step": 1, "score": float("nan")}))
    go(run, [0.1, 0.2])
    assert Checkpoints(run).best == run.folder / "checkpoints/step-000002"


def test_a_better_step_is_saved_though_it_is_not_time_to(run: Run) -> None:
    go(run, [None, 0.5, None, None], every=4)
    assert saved(run) == ["step-000002", "step-000004"]


def test_without_scores_the_best_is_the_last(run: Run) -> None:
    assert Checkpoints(run).best is None
    go(run, [None] * 3, keep=1)
    assert saved(run) == ["step-000003"]
    assert Checkpoints(run).best == run.folder / "checkpoints/step-000003"


def test_killed_between_saving_and_noting_the_best_is_noted_on_going_on(run: Run) -> None:
    go(run, [0.1, 0.9, 0.2, 0.3], until=2)
    note = run.folder / "checkpoints/best.json"
    note.write_text(json.dumps({"step": 1, "score": 0.1}))
    go(run, [0.1, 0.9, 0.2, 0.3])
    assert json.loads(note.read_text())["step"] == 2
    assert saved(run) == ["step-000002", "step-000003", "step-000004"]


def test_killed_between_noting_metrics_and_saving_the_step_is_done_again(run: Run) -> None:
    go(run, [None] * 3, until=1)
    run.log(1, {"learn/loss": 77.0})
    learner = go(run, [None] * 3)
    assert learner.weight == 3
    assert [entry.values["learn/loss"] for entry in run.metrics()] == [1.0, 0.5, 1 / 3]


def test_a_corrupt_checkpoint_is_passed_over_for_the_one_before_and_told(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    go(run, [None] * 4, until=3)
    assert capsys.readouterr().err == ""
    (run.folder / "checkpoints/step-000003/weight").write_text("?")
    assert go(run, [None] * 4).weight == 4
    (told,) = capsys.readouterr().err.splitlines()
    assert "step-000003 is corrupt" in told and told.endswith(f"going on from {run.folder}/checkpoints/step-000002")
    assert (run.folder / "checkpoints/step-000003/weight").read_text() == "3"


def test_what_a_kill_kept_from_being_deleted_goes_when_the_run_goes_on(run: Run) -> None:
    go(run, [None] * 4)
    (run.folder / "checkpoints/step-000001").mkdir()  # killed before it was deleted
    go(run, [None] * 4)
    assert saved(run) == ["step-000003", "step-000004"]


def test_a_best_that_was_taken_back_counts_no_more(run: Run) -> None:
    go(run, [0.1, 0.2, 0.9, 0.3], until=3)
    (run.folder / "checkpoints/step-000003/weight").write_text("?")
    go(run, [0.1, 0.2, 0.15, 0.1])  # as on a GPU, where a step done again may come out otherwise
    assert Checkpoints(run).best == run.folder / "checkpoints/step-000002"


def test_only_corrupt_checkpoints_are_an_error_and_nothing_is_lost(run: Run) -> None:
    go(run, [None] * 2, keep=1)
    (run.folder / "checkpoints/step-000002/weight").write_text("?")
    before = run.metrics()
    with pytest.raises(StoreError, match="corrupt"):
        go(run, [None] * 2)
    assert run.metrics() == before


def test_an_unreadable_note_of_the_best_is_named(run: Run) -> None:
    go(run, [0.1])
    (run.folder / "checkpoints/best.json").write_text("{")
    with pytest.raises(StoreError, match=r"best\.json cannot be read"):
        go(run, [0.1, 0.2])


@pytest.mark.parametrize(
    ("says", "sure", "kept"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"done": 3}, False, True),
        ({"done": None}, True, False),
        ({"done": 4}, False, False),
    ],
)
def test_what_is_learnt_is_kept_where_something_breaks_unless_it_may_be_between_two_steps(
    run: Run, says: dict[str, int | None], sure: bool, kept: bool
) -> None:
    learner: Any = go(run, [None] * 6, every=6, until=3)
    vars(learner).update(says)
    with pytest.raises(KeyboardInterrupt), Checkpoints(run).keeping(3, learner, sure=sure):
        raise KeyboardInterrupt
    assert saved(run) == (["step-000003"] if kept else [])


def test_what_a_step_learnt_is_kept_where_its_score_or_whoever_is_told_breaks(run: Run) -> None:
    def breaks(*args: object) -> Mapping[str, float]:
        raise MemoryError

    learner = go(run, [None] * 6, every=6, until=3)
    with pytest.raises(MemoryError):
        Checkpoints(run).finish(2, {}, learner, save=False, score=breaks)
    assert saved(run) == ["step-000003"]
    learner.step([])
    with pytest.raises(MemoryError):
        Checkpoints(run, tell=breaks).finish(3, {}, learner, save=False)
    assert saved(run) == ["step-000003", "step-000004"]


def test_nothing_is_kept_where_something_breaks_before_anything_was_learnt(run: Run) -> None:
    with pytest.raises(KeyboardInterrupt), Checkpoints(run).keeping(0, Counter()):
        raise KeyboardInterrupt
    assert saved(run) == []
    assert Checkpoints(run).best is None
