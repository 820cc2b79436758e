"""The first sentence: what a reader sees in ten seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from synthetic import episode, evaluation, task

from prowess.errors import StoreError
from prowess.files.codec import Played
from prowess.report import build
from prowess.run import Run

Recorder = Callable[..., Path]


@pytest.fixture
def record(tmp_path: Path) -> Recorder:
    def write(
        name: str,
        played: Iterable[Played] = (),
        *,
        command: str = "evaluate",
        steps: Iterable[dict[str, float]] = (),
        recipe: str = "seed = 1\n",
        finish: bool = True,
    ) -> Path:
        run = Run.create(tmp_path / name, command=command, recipe_toml=recipe, seed=1)
        for number, each in enumerate(played):
            run.write_episodes(f"{number:04}", [each])
        for number, values in enumerate(steps):
            run.log(number, values)
        if finish:
            run.finish()
        run.close()
        return tmp_path / name

    return write


def plays(
    solved: Callable[[int], bool], count: int = 20, *, tokens: int = 100, split: str = "dev", name: str = "s"
) -> list[Played]:
    return [
        Played(run=0, split=split, episode=episode(task(f"{name}{n}", 1), success=solved(n), turns=1, tokens=tokens))
        for n in range(count)
    ]


def test_b_is_better_than_a(record: Recorder) -> None:
    before = record("sft", plays(lambda n: n < 6, tokens=100))
    after = record("sage", plays(lambda n: n < 18, tokens=69))
    report = build([before, after])
    assert report.sentence == (
        "sage solves 60.0 more of 100 tasks than sft "
        "(95% interval 28.1 to 81.0, paired over 20 scenarios); 31% fewer tokens"
    )
    assert report.markdown.startswith(f"# {report.sentence}\n")
    assert f'<h1 class="better">{report.sentence}</h1>' in report.html
    assert report.markdown.index("## Differences from sft") < report.markdown.index("## Results")
    assert "| tasks solved (TGC) | **+60.0 (+28.1 to +81.0)** | 30.0% | 90.0% |" in report.markdown
    assert "One run of each task: the interval tells of other tasks, not of another run." in report.markdown


def test_b_is_worse_than_a(record: Recorder) -> None:
    report = build([record("a", plays(lambda n: n < 18)), record("b", plays(lambda n: n < 6))])
    assert report.sentence.startswith("b solves 60.0 fewer of 100 tasks than a (95% interval 28.1 to 81.0, ")
    assert '<h1 class="worse">' in report.html


def test_what_chance_can_do_is_called_so(record: Recorder) -> None:
    report = build([record("a", plays(lambda n: n < 9)), record("b", plays(lambda n: n < 10))])
    assert report.sentence == (
        "No difference beyond chance: b solves 5.0 more of 100 tasks than a "
        "(95% interval 12.1 fewer to 21.2 more, paired over 20 scenarios)"
    )
    assert '<h1 class="even">' in report.html


def test_of_few_scenarios_nothing_is_claimed(record: Recorder) -> None:
    report = build([record("a", plays(lambda n: False, 3)), record("b", plays(lambda n: True, 3))])
    assert report.sentence == (
        "Too few scenarios to tell: b solves 100.0 more of 100 tasks than a, paired over 3 scenarios"
    )
    assert "**+100.0" not in report.markdown


def test_runs_that_cannot_be_compared_are_told_so_with_the_reason(record: Recorder) -> None:
    dev, test = record("a", plays(bool)), record("b", plays(bool, split="test_normal"))
    others, none = record("c", plays(bool, name="other")), record("d")
    assert build([dev, test]).sentence == "No comparison of b and a: one played test_normal, the other dev"
    assert build([dev, others]).sentence == "No comparison of c and a: they share no task"
    assert build([dev, none]).sentence == "No comparison of d and a: one of them has played nothing yet"
    assert "## Differences" not in build([dev, test]).markdown


def test_what_only_one_of_them_played_is_left_out_and_said(record: Recorder) -> None:
    report = build([record("a", plays(bool, 25)), record("b", plays(bool, 20))])
    assert "paired over 20 scenarios" in report.sentence
    assert "Not compared on dev: 5 tasks that a alone played." in report.markdown


def test_of_many_runs_each_is_compared_with_the_first(record: Recorder) -> None:
    folders = [
        record(name, plays(lambda n, least=least: n >= least))
        for name, least in zip("abcd", (9, 3, 9, 15), strict=True)
    ]
    report = build(folders)
    assert report.sentence.startswith("b solves 30.0 more of 100 tasks than a (")
    assert "- No difference beyond chance: c solves as many tasks as a (" in report.markdown
    assert "- d solves 30.0 fewer of 100 tasks than a (" in report.markdown
    assert "Of 3 comparisons, one in twenty lies beyond chance by chance." in report.markdown


def test_trained_runs_are_told_to_be_one_training_each(record: Recorder) -> None:
    folders = [record(name, plays(bool)) for name in "ab"]
    assert "another seed may differ" not in build(folders).markdown
    for folder in folders:
        (folder / "weights.json").write_text('{"of": "runs/x/checkpoints/step-000002", "digest": "1e08"}')
    assert "Each side is one training: another seed may differ by more; prowess ablate" in build(folders).markdown


def test_one_run_is_told_with_its_interval(record: Recorder) -> None:
    assert build([record("a", plays(lambda n: n < 15), finish=False)]).sentence == (
        "a solves 75.0 of 100 tasks on dev so far (95% interval 51.6 to 89.4, 20 scenarios)"
    )


def test_what_solves_all_of_its_training_and_nothing_else_has_memorised(record: Recorder) -> None:
    steps = [{"play/tgc": 1.0, "eval/tgc": 0.0}] * 5
    report = build([record("mine", command="train", steps=steps, recipe='[evaluate]\nsplit = "dev"\n')])
    told = "mine: solved in training 100%, on dev 0%: it memorised; see 'It memorised' in docs/guide/learn.md."
    assert f"> {told}" in report.markdown and told.replace("'", "&#39;") in report.html
    sft = [{"learn/loss": 0.01, "learn/held_out": 2.5, "eval/tgc": 0.0}] * 5
    assert "loss 0.01 on its demonstrations, 2.5 on others, on dev 0%: it memorised" in (
        build([record("sft", command="sft", steps=sft, recipe='[evaluate]\nsplit = "dev"\n')]).markdown
    )
    well = [{"play/tgc": 1.0, "eval/tgc": 0.6}] * 5
    assert "memorised" not in build([record("well", command="train", steps=well)]).markdown


def test_evaluations_of_one_checkpoint_on_both_splits_tell_that_it_memorised(record: Recorder) -> None:
    folders = [record("on-train", plays(lambda n: True, split="train")), record("on-dev", plays(lambda n: False))]
    for folder in folders:
        (folder / "weights.json").write_text('{"of": "runs/x/checkpoints/step-000002", "digest": "1e08"}')
    assert "runs/x/checkpoints/step-000002: solved on train 100%, on dev 0%: it memorised" in build(folders).markdown


def test_a_torn_last_line_of_the_metrics_is_left_out_with_a_note(record: Recorder) -> None:
    folder = record("mine", command="train", steps=[{"reward/mean": 1.0}, {"reward/mean": 2.0}])
    with (folder / "metrics.jsonl").open("a") as lines:
        lines.write('{"step": 2, "reward/me')
    report = build([folder])
    assert report.sentence == "mine: reward 1 to 2, in 2 steps"
    assert "> mine: the last line of metrics.jsonl has no end and is left out" in report.markdown


def test_a_damaged_line_elsewhere_is_an_error_that_says_what_to_do(record: Recorder) -> None:
    folder = record("mine", command="train", steps=[{"reward/mean": 1.0}, {"reward/mean": 2.0}])
    path = folder / "metrics.jsonl"
    path.write_text(path.read_text().replace('{"step": 0', '{"step 0'))
    with pytest.raises(StoreError, match=r"metrics\.jsonl:1: not JSON") as refused:
        build([folder])
    assert refused.value.hint == "delete this line: the figures of its step are lost, and all others stay"


def test_a_split_of_one_scenario_has_no_interval_and_says_so(record: Recorder) -> None:
    assert "solves" in build([record("a", [*evaluation(seed=1, scenarios=1, runs=1)])]).sentence
