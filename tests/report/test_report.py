"""Reports: one or several runs as Markdown, one HTML page that loads nothing, and plots."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from html.parser import HTMLParser
from itertools import groupby
from pathlib import Path
from xml.etree import ElementTree

import pytest
from synthetic import episode, evaluation, task

import prowess
from prowess.errors import RecipeError, StoreError
from prowess.figures.measure import measure
from prowess.figures.plots import constants, metric_names, moving, sheet, solved
from prowess.figures.plots.meanings import MEANINGS
from prowess.files.codec import Played
from prowess.report import build, write_report
from prowess.report.sections import STOPS
from prowess.run import Run
from prowess.types import Stop

RECIPE = 'seed = 1\n\n[agent]\nretriever = "{retriever}"\n'
NAMES = r'"((?:learn|play|reward|time|eval|collect|work)/[a-z_]+)"'


def record(
    folder: Path,
    played: Iterable[Played],
    *,
    steps: int = 0,
    finish: bool = True,
    chooses: str = "none",
    command: str = "evaluate",
) -> Path:
    run = Run.create(folder, command=command, recipe_toml=RECIPE.format(retriever=chooses), seed=1)

    def unit(each: Played) -> str:
        return f"{each.split}-run{each.run}-{each.episode.task.scenario}"

    for key, episodes in groupby(sorted(played, key=unit), key=unit):
        run.write_episodes(key, episodes)
    for step in range(steps):
        run.log(step, {"play/tgc": step / steps, "learn/loss": math.exp(-step)})
    if finish:
        run.finish()
    run.close()
    return folder


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "baseline"
    return record(folder, evaluation(seed=1, scenarios=9, runs=2, splits=("dev", "test_normal")))


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "sage"
    played = evaluation(seed=2, scenarios=9, runs=2, skilful=1.0, splits=("dev", "test_normal"))
    return record(folder, played, steps=5, finish=False, chooses="scenario")


class Reader(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_one_run_is_written_into_its_own_folder(one: Path) -> None:
    paths = write_report([one], one).files
    assert [str(path.relative_to(one)) for path in paths] == [
        "report.md",
        "report.html",
        "plots/solved-dev.svg",
        "plots/solved-test_normal.svg",
        "plots/places.svg",
        "plots/growth.svg",
    ]
    for path in paths[2:]:
        assert ElementTree.fromstring(path.read_text()).tag == "{http://www.w3.org/2000/svg}svg"
    text = paths[0].read_text()
    assert text.startswith("# baseline solves 53.8 of 100 tasks on dev (95% interval ")
    assert "| **dev · 2 runs** |" in text
    for name in re.findall(r"\(plots/(.*?)\)", text):
        assert (one / "plots" / name).is_file()


def test_the_page_is_whole_by_itself(one: Path) -> None:
    html = build([one]).html
    page = Reader(html)
    sources = [
        value or "" for name, value in page.attributes if name in ("src", "href", "xlink:href", "srcset", "data")
    ]
    anchors = {value for name, value in page.attributes if name == "id"}
    assert sources and all(source[0] == "#" and source[1:] in anchors for source in sources), "links stay in the page"
    assert not {"script", "link", "iframe", "object", "form", "img", "image", "use"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert ("http-equiv", "Content-Security-Policy") in page.attributes
    assert "url(" not in html
    assert page.tags.count("section") == 12
    assert page.text.count("tasks solved (TGC)") == 4  # card, two splits, explanation


def test_several_runs_stand_side_by_side(one: Path, two: Path, tmp_path: Path) -> None:
    paths = write_report([one, two], tmp_path / "new" / "both").files
    text = paths[0].read_text()
    assert "2 runs side by side: baseline, sage\n" in text
    assert "|  | baseline | sage |" in text
    assert "## What the recipes differ in" in text
    assert "| agent.retriever | `none` | `scenario` |" in text
    assert "seed |" not in text.partition("What the recipes differ in")[2].partition("##")[0]
    assert "**not finished (running)**" in text
    assert "Not finished: sage" in Reader(paths[1].read_text()).text
    assert (tmp_path / "new" / "both" / "plots" / "curves.svg").read_text().startswith("<svg")


def test_errors_are_listed_with_what_happened_and_where(tmp_path: Path) -> None:
    played = [
        Played(run=0, split="dev", episode=episode(task("a", 1))),
        Played(run=0, split="dev", episode=episode(task("a", 2), error="WorldError: no ledger\n  at line 7")),
        Played(run=0, split="dev", episode=episode(task("a", 3), error="WorldError: no ledger\n  at line 9")),
    ]
    report = build([record(tmp_path / "r", played)])
    assert "> 2 episodes ended in an error and are in no figure." in report.markdown
    assert "2 episodes broke. They are in no figure above." in report.markdown
    assert "| r | **2** | `a_2, run 0` | `WorldError: no ledger` |" in report.markdown
    assert "| errors (not counted) | **2 (of 3)** |" in report.markdown
    assert "| error: the world, the sandbox or the model's server broke | **2** |" in report.markdown


def test_a_run_without_errors_has_no_table_of_them(tmp_path: Path) -> None:
    report = build([record(tmp_path / "r", [Played(run=0, split="dev", episode=episode(task("a", 1)))])])
    assert "## Errors" not in report.markdown
    assert set(report.plots) == {"solved-dev"}


def test_a_checkpoint_that_plays_is_named_and_not_the_policy_of_the_recipe(tmp_path: Path) -> None:
    folder = record(tmp_path / "r", [])
    (folder / "recipe.toml").write_text('[policy]\nname = "expert"\n')
    assert "| policy | expert |" in build([folder]).markdown
    (folder / "weights.json").write_text('{"of": "runs/mine/checkpoints/step-000002", "digest": "1e08"}')
    assert "| policy | runs/mine/checkpoints/step-000002 |" in build([folder]).markdown


def test_a_run_with_no_episode_yet_still_makes_a_report(tmp_path: Path) -> None:
    report = build([record(tmp_path / "r", [], finish=False)])
    assert report.sentence == "r: no episode has been graded yet"
    assert "No episode has been written yet." in report.markdown
    assert "nothing played yet" in report.html
    assert report.plots == {}


def test_a_run_just_begun_stands_beside_a_finished_one(one: Path, tmp_path: Path) -> None:
    report = build([record(tmp_path / "new", [], finish=False), one])
    assert "| tasks solved (TGC) | – |" in report.markdown
    assert "growth" in report.plots


def test_hostile_text_stays_text(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>\x1b[31m{{ 7*7 }} ![x](http://evil/x.png) $\\frac{a}$"
    of = task("a", 1)
    played = [Played(run=0, split="<b>dev</b>", episode=episode(of, error=evil))]
    played += [Played(run=0, split="<b>dev</b>", episode=episode(task("b$^{", number))) for number in (1, 2)]
    report = build([record(tmp_path / "<i>run", played, steps=3)])
    page = Reader(report.html)
    assert not {"script", "b", "i"} & set(page.tags)
    assert "<script>alert(1)</script>{{ 7*7 }}" in page.text
    assert "\x1b" not in report.html + report.markdown
    assert "`<script>alert(1)</script>{{ 7*7 }} ![x](http://evil/x.png)" in report.markdown
    assert all(Reader(sheet(plot)).tags.count("script") == 0 for plot in report.plots.values())
    assert "solved--b-dev--b-" in report.plots


def test_names_with_dollar_signs_are_not_formulas(one: Path) -> None:
    rows = measure(Run.open(one).episodes("dev-run0-clean_notes_5"))
    assert solved({"$\\frac{$": rows, "a$b$ with a name that goes on for longer than a legend has room": rows}, "dev")


def test_runs_of_one_name_are_told_apart_by_their_path(tmp_path: Path) -> None:
    played = [Played(run=0, split="dev", episode=episode(task("a", 1)))]
    folders = [record(tmp_path / where / "run", played) for where in ("x", "y")]
    assert "|  | x/run | y/run |" in build(folders).markdown
    assert "|  | run (1) | run (2) |" in build([folders[0], folders[0]]).markdown


def test_what_is_not_a_run_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no run at"):
        build([tmp_path])
    with pytest.raises(RecipeError, match="at least one run"):
        write_report([], tmp_path)


def test_the_same_runs_make_the_same_report(one: Path) -> None:
    again = build([one])
    write_report([one], one)
    assert (one / "report.md").read_text() == again.markdown
    assert (one / "report.html").read_text() == again.html


def test_a_run_without_the_split_takes_no_room_in_its_plot_and_nobody_changes_colour() -> None:
    dev = measure(evaluation(seed=1, scenarios=9, splits=("dev",)))
    other = measure(evaluation(seed=1, scenarios=9, splits=("other",)))
    alone = solved({"mine": dev}, "dev").panels[0].marks
    among = solved({"first": other, "mine": dev, "last": other}, "dev").panels[0].marks
    assert [marks.colour for marks in alone] == [0] and [marks.colour for marks in among] == [1]
    assert among[0].others == alone[0].others


def test_a_step_of_imitation_and_one_of_training_never_share_an_axis(tmp_path: Path) -> None:
    runs = {name: record(tmp_path / name, [], steps=4, command=name) for name in ("sft", "train")}
    both = build([runs["sft"], runs["train"]])
    assert set(both.plots) == {"curves-sft", "curves-train"}
    assert both.plots["curves-sft"] != both.plots["curves-train"]
    for name in runs:
        assert f"## Metrics by step of {name}\n\n![" in both.markdown
        assert f"(plots/curves-{name}.svg)" in both.markdown
    other = record(tmp_path / "other", [], steps=3, command="train")
    played = record(tmp_path / "played", [], steps=1)  # no curve: one point
    assert set(build([runs["train"], other, played]).plots) == {"curves"}


def test_every_way_an_episode_may_end_is_told() -> None:
    assert set(STOPS) == set(Stop)


def told(folder: Path, **figures: list[float]) -> Path:
    """A training of which some episodes were kept, with these figures step by step."""
    with Run.create(folder, command="train", recipe_toml=RECIPE.format(retriever="none"), seed=1) as run:
        run.write_episodes("step0", list(evaluation(seed=1, scenarios=1, runs=1)))
        for step in range(len(next(iter(figures.values())))):
            run.log(step, {name.replace("_", "/", 1): values[step] for name, values in figures.items()})
        run.finish()
    return folder


def test_of_a_training_its_steps_are_told_and_no_figures_of_the_episodes_that_it_kept(tmp_path: Path) -> None:
    one = told(tmp_path / "one", reward_mean=[1.0] * 5 + [2.0] * 5, play_tgc=[0.25] * 5 + [0.5] * 5)
    report = build([one])
    assert (
        "| reward (reward/mean) | 1 → 2 |" in report.markdown
        and "| tasks solved (play/tgc) | 25.0% → 50.0% |" in report.markdown
    )
    assert report.sentence == "one: reward 1 to 2, tasks solved in training 25.0% to 50.0%, in 10 steps"
    assert "TGC" not in report.markdown and "train · 10 steps" in report.html
    assert set(report.plots) == {"curves"}, "what is solved, saved and grown is told of evaluations"
    assert "**reward** (`reward/mean`): mean reward of an episode" in report.markdown
    played = record(tmp_path / "played", evaluation(seed=2, scenarios=2))
    grid = build([played, one]).markdown.split("## What was learnt")[0]
    assert "tasks solved (TGC)" in grid and "| played |\n" in grid, "a training has no column among evaluations"


def test_of_how_episodes_ended_it_is_told_which_are_of_a_training(tmp_path: Path) -> None:
    one = told(tmp_path / "one", reward_mean=[1.0, 2.0])
    played, heading = record(tmp_path / "played", evaluation(seed=2, scenarios=2)), "\n## How episodes ended\n\n"
    said = "Of one: of the training steps that were recorded (train.record_every).\n\n"
    assert f"{heading}{said}|  | played | one |" in build([played, one]).markdown
    assert f"{heading}{said}|  | one |" in build([one]).markdown
    assert f"{heading}|  | played |" in build([played]).markdown


def test_metrics_that_are_no_number_or_stay_the_same_have_no_panel_of_their_own(tmp_path: Path) -> None:
    nan, many = [math.nan] * 3, {f"learn_m{n}": [0.0, 1.0, float(n)] for n in range(14)}
    entries = {"a": Run.open(told(tmp_path / "a", eval_use=nan, learn_padding=[0.0] * 3, **many)).metrics()}
    assert "eval/use" not in metric_names(entries) and constants(entries) == {"learn/padding": 0.0}
    report = build([tmp_path / "a"])
    assert set(report.plots) == {"curves", "more-learn"}
    assert "- [Learning](plots/more-learn.svg)" in report.markdown, "folded on the page, a link in Markdown"
    assert "The same at every step or next to nothing, and not drawn: padding (learn/padding) 0." in report.markdown


def test_a_curve_that_only_trembles_is_told_as_a_number_and_not_drawn(tmp_path: Path) -> None:
    noise = {
        "learn_loss": [1e-8, -2e-8, 1.5e-8],
        "time_wait": [1.07e-5, 1.11e-5, 1.08e-5],
        "learn_kl": [1e-3, 2e-3, 3e-3],
    }
    entries = {"a": Run.open(told(tmp_path / "a", **noise)).metrics()}
    assert constants(entries) == {"learn/loss": 0.0, "time/wait": 0.0}
    assert moving(entries) == ["learn/kl"]


def test_a_loss_of_reinforcement_is_drawn_last_and_not_at_all_where_it_is_next_to_nothing(tmp_path: Path) -> None:
    moves = {"reward_mean": [0.1, 0.2, 0.3], "learn_grad_norm": [1.0, 2.0, 1.5], "learn_mine": [1.0, 2.0, 3.0]}
    entries = {"a": Run.open(told(tmp_path / "a", learn_loss=[0.3, -0.1, 0.2], **moves)).metrics()}
    assert moving(entries) == ["reward/mean", "learn/grad_norm", "learn/mine", "learn/loss"]
    report = build([told(tmp_path / "b", learn_loss=[0.004, -0.003, 0.001], **moves)])
    assert "and not drawn: loss (learn/loss) 0." in report.markdown
    assert "| loss (learn/loss) |" not in report.markdown
    imitated = {"a": Run.open(told(tmp_path / "c", learn_loss=[0.004, 0.003], learn_grad_norm=[1.0, 2.0])).metrics()}
    assert moving(imitated) == ["learn/loss", "learn/grad_norm"], "of imitation it is what goes down"


@pytest.mark.parametrize("value", [str(10**4000), f"-{10**4000}", "1e308", "-1e308", "1e999", '"Infinity"', "5e-324"])
@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_figures_beyond_all_bounds_are_left_out_or_refused_with_the_line(
    tmp_path: Path, value: str, command: str
) -> None:
    folder = record(tmp_path / "a", evaluation(seed=2, scenarios=2), command=command)
    lines = [f'{{"step": {n}, "reward/mean": {value}, "learn/loss": {value if n < 3 else n}}}\n' for n in range(12)]
    (folder / "metrics.jsonl").write_text("".join(lines))
    if len(value) > 1000:
        with pytest.raises(StoreError, match=r"metrics\.jsonl:1: .*'reward/mean'.*: expected float, found -?1000"):
            build([folder])
    else:
        assert "Results" in build([folder]).markdown or "What was learnt" in build([folder]).markdown


def test_every_metric_that_is_logged_has_a_meaning() -> None:
    root = Path(prowess.__file__).parent
    found = {name for path in root.rglob("*.py") for name in re.findall(NAMES, path.read_text(encoding="utf-8"))}
    assert len(found) > 60 and sorted(found - MEANINGS.keys()) == []
