"""The page of an ablation: is B better than A, over seeds?"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from synthetic import episode, task

from prowess.cli.json_lines import write_records
from prowess.errors import StoreError
from prowess.files.codec import Played
from prowess.report.ablation import Variant, write_ablation
from prowess.run import Run

Recorder = Callable[..., Variant]


@pytest.fixture
def record(tmp_path: Path) -> Recorder:
    def write(
        name: str, solved: Sequence[int], *, tokens: int = 100, start: str = "", course: str = "train"
    ) -> Variant:
        """A variant whose seeds solve so many of twenty scenarios."""
        places: dict[str, dict[int, Path]] = {"evaluate": {}, course: {}}
        for seed, count in enumerate(solved):
            for command, found in places.items():
                folder = tmp_path / f"{name}-seed{seed}" / command
                with Run.create(folder, command=command, recipe_toml=f'name = "{name}"\n', seed=seed) as run:
                    if command == "evaluate":
                        for n in range(20):
                            of = episode(task(f"s{n}"), success=n < count, turns=1, tokens=tokens)
                            run.write_episodes(f"{n:04}", [Played(run=0, split="dev", episode=of)])
                    else:
                        for step in range(4 - seed % 2):  # some are stopped earlier
                            run.log(step, {"play/tgc": 0.5 + 0.1 * step})
                found[seed] = folder
        return Variant(name=name, evaluations=places["evaluate"], courses=places[course], start=start)

    return write


class Links(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if name == "href" and value]


def test_the_page_says_first_which_recipe_is_better(record: Recorder, tmp_path: Path) -> None:
    found = write_ablation([record("sage", [16, 17, 18], tokens=60), record("outcome", [10, 11, 11])], tmp_path)
    assert found.sentence == (
        "outcome solves 31.7 fewer of 100 tasks than sage "
        "(95% interval 24.5 to 38.8, paired over 3 seeds); 67% more tokens"
    )
    page, text = (tmp_path / "report.html").read_text(), (tmp_path / "report.md").read_text()
    assert f'<h1 class="worse">{found.sentence}</h1>' in page
    assert text.startswith(f"# {found.sentence}\n")
    order = [
        "## Differences over seeds",
        "## Would they hold on other tasks?",
        "## Results on dev",
        "## Training by step",
    ]
    assert [text.index(head) for head in order] == sorted(text.index(head) for head in order)
    assert "| outcome − sage | **-31.7 (-38.8 to -24.5)** |" in text
    assert list(found.rows) == ["sage", "outcome"] and found.rows["sage"].runs == 3
    for name in ("gaps", "seeds", "curves"):
        assert (tmp_path / f"plots/{name}.svg").read_text().startswith("<svg")


def test_each_run_has_a_report_of_its_own_and_the_page_leads_to_it(record: Recorder, tmp_path: Path) -> None:
    write_ablation([record("a b%", [16, 17]), record("javascript:1", [10, 11])], tmp_path)
    others = [link for link in Links((tmp_path / "report.html").read_text()).found if not link.startswith("#")]
    assert "a%20b%25-seed0/evaluate/report.html" in others and "a%20b%25-seed1/train/report.html" in others
    assert "javascript%3A1-seed0/train/report.html" in others and len(others) == 8
    assert (tmp_path / "a b%-seed0/evaluate/report.html").is_file()
    assert (tmp_path / "javascript:1-seed1/train/report.html").is_file()
    assert "[80.0%](a%20b%25-seed0/evaluate/report.html) (tasks solved)" in (tmp_path / "report.md").read_text()


def test_one_recipe_is_compared_with_what_it_started_from(record: Recorder, tmp_path: Path) -> None:
    start = record("sage's SFT", [5, 5, 6], course="sft")
    found = write_ablation([start, record("sage", [15, 16, 16], start="sage's SFT")], tmp_path)
    assert found.sentence.startswith("sage solves 51.7 more of 100 tasks than sage's SFT (95% interval 44.5 to 58.8, ")
    assert '<h1 class="better">' in (tmp_path / "report.html").read_text()


def test_recipes_are_compared_with_the_first_before_each_is_with_its_start(record: Recorder, tmp_path: Path) -> None:
    start = record("first's SFT", [5, 5, 5], course="sft")
    found = write_ablation(
        [start, record("first", [9, 9, 9], start=start.name), record("second", [10, 9, 10], start=start.name)], tmp_path
    )
    heads = re.findall(r"^\| (\S.*? − .*?) \|", (tmp_path / "report.md").read_text(), re.MULTILINE)
    assert heads[:3] == ["second − first", "first − first's SFT", "second − first's SFT"]
    assert found.sentence.startswith("No difference beyond chance: second solves 3.3 more of 100 tasks than first (")


def test_of_two_seeds_nothing_is_claimed(record: Recorder, tmp_path: Path) -> None:
    found = write_ablation([record("a", [4, 4]), record("b", [18, 18])], tmp_path)
    assert found.sentence == "Too few seeds to tell: b solves 70.0 more of 100 tasks than a, paired over 2 seeds"
    assert (
        "> 2 seeds cannot tell what another would do: give --seeds 3 or more." in (tmp_path / "report.md").read_text()
    )
    assert '<h1 class="even">' in (tmp_path / "report.html").read_text()


def test_what_other_tasks_may_undo_is_said(record: Recorder, tmp_path: Path) -> None:
    write_ablation([record("a", [8, 8, 8]), record("b", [10, 10, 10])], tmp_path)
    assert "> On other tasks of this kind it may be chance: 95% interval " in (tmp_path / "report.md").read_text()


def test_one_recipe_without_a_start_of_its_own_is_told_alone(record: Recorder, tmp_path: Path) -> None:
    found = write_ablation([record("alone", [15, 15, 15])], tmp_path)
    assert found.sentence == "alone solves 75.0 of 100 tasks on dev"
    assert "Differences" not in (tmp_path / "report.md").read_text().partition("## How to read")[0]


def test_records_tell_figures_and_differences(
    record: Recorder, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_records(write_ablation([record("a", [4, 5, 6]), record("b", [8, 10, 12])], tmp_path).records)
    first, other = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["name"], first["seeds"], first["less"], first["differences"]) == ("a", [0, 1, 2], "", {})
    assert first["runs"] == [str(tmp_path / f"a-seed{seed}/evaluate") for seed in range(3)]
    assert other["figures"]["tgc"]["value"] == 0.5 and other["less"] == "a"
    tgc = other["differences"]["tgc"]
    assert tgc.pop("by_seed") == pytest.approx({"0": 0.2, "1": 0.25, "2": 0.3})
    assert tgc.pop("sure") is True
    assert tgc == pytest.approx({"before": 0.25, "after": 0.5, "gap": 0.25, "low": 0.1258, "high": 0.3742}, abs=1e-4)


def test_an_evaluation_without_episodes_says_what_to_do(record: Recorder, tmp_path: Path) -> None:
    empty = record("a", [4])
    for path in (tmp_path / "a-seed0/evaluate/episodes").iterdir():
        path.unlink()
    with pytest.raises(StoreError, match="there is no episode in it\nhint: its files are damaged: delete the run"):
        write_ablation([empty], tmp_path)
