"""The figures of a stream, the comparison of libraries, and the command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from test_work import player, worked
from toy import ToySuite
from typer.testing import CliRunner

from prowess.cli import app
from prowess.commands.work import picture
from prowess.commands.work.compare import compare, conditions
from prowess.commands.work.compare import table as comparison
from prowess.commands.work.curve import Point, band, csv_of, points_of, table
from prowess.commands.work.settings import WorkSettings
from prowess.commands.work.stream import PlayContext
from prowess.errors import NotThere, RecipeError
from prowess.figures.tables import markdown
from prowess.report import build
from prowess.run import Run
from prowess.types import Episode, Prices

POINT = Point(place=0, task="t", scenario="s", steps=4, written=100, read=900, success=True, offered=1, used=False)


def test_a_band_is_the_mean_of_a_full_window_and_how_sure_it_is() -> None:
    found = band([2.0, 4.0, 6.0, 8.0], 2)
    assert found.places == (1.5, 2.5, 3.5)
    assert found.mean == (3.0, 5.0, 7.0)
    assert found.high[0] == pytest.approx(3.0 + 1.96)  # two values 2 apart: sd 1.414, error 1
    assert band([], 5).mean == ()
    assert band([7.0], 5).low == (7.0,)


def test_the_table_shows_the_first_tasks_the_last_and_all() -> None:
    points = [replace(POINT, place=n, written=100 if n < 3 else 40, used=n >= 3) for n in range(6)]
    text = markdown(table({"mine": points}, width=3))
    assert "| mine, first 3 | 4.00 ± 0.00 | 100 ± 0 | 900 ± 0 | 100.0 ± 0.0 | 0.0 ± 0.0 |" in text
    assert "| mine, last 3 | 4.00 ± 0.00 | 40 ± 0 | 900 ± 0 | 100.0 ± 0.0 | 100.0 ± 0.0 |" in text
    assert "| mine, all 6 | 4.00 ± 0.00 | 70 ± 26 |" in text
    assert markdown(table({"mine": points}, width=5)) == text  # of a short stream its halves
    assert "first" not in markdown(table({"mine": points[:1]}, width=5))


def test_points_follow_the_stream(tmp_path: Path) -> None:
    shown = worked(tmp_path)
    points = points_of(Run.open(tmp_path / "run"))
    assert [point.place for point in points] == list(range(12))
    assert [point.task for point in points] == [episode.task.id for episode in shown]
    assert [point.used for point in points] == [False] * 3 + [True] * 9
    assert points[0].written > points[-1].written > 0
    lines = csv_of({"mine": points}).splitlines()
    assert lines[0] == "stream,place,task,scenario,steps,written,read,success,offered,used,prompts"
    assert lines[-1].startswith("mine,11,")


def test_money_is_drawn_beside_tokens_of_the_streams_that_have_prices() -> None:
    points = [replace(POINT, place=n, prompts=2000, written=100 if n < 4 else 40) for n in range(8)]
    streams = {"free": points, "paid": points}
    titles = [panel.title for panel in picture.stream(streams).panels]
    assert titles[-1] == "Tokens written so far" and not {"Cost per task", "Money so far"} & set(titles)
    panels = {panel.title: panel for panel in picture.stream(streams, {"paid": Prices(read=3.0, written=15.0)}).panels}
    assert list(panels) == [*titles[:-1], "Cost per task", "Tokens written so far", "Money so far"]
    free, paid = panels["Money so far"].marks
    assert paid.points[:2] == ((0.0, 0.0), (1.0, pytest.approx(0.0075)))  # 2000 at 3 and 100 at 15, for a million
    assert paid.points[-1] == (8.0, pytest.approx(8 * 0.006 + 4 * 0.0015 + 4 * 0.0006))
    assert {y for _, y in free.points} <= {0.0}
    free, paid = panels["Cost per task"].marks
    assert not free.points and [y for _, y in paid.points][::6] == pytest.approx([0.0075, 0.0066])


def test_the_report_of_streams_shows_what_their_tasks_cost(tmp_path: Path) -> None:
    worked(tmp_path)
    worked(tmp_path, name="bare", library="none")
    report = build([tmp_path / "run", tmp_path / "bare"])
    assert [panel.title for panel in report.plots["stream"].panels][:2] == [
        "Tokens written, each task",
        "Tokens written per task",
    ]
    assert "What a task costs over the stream" in report.markdown


def test_the_comparison_is_on_tasks_after_the_stream_with_libraries_that_stay() -> None:
    wanted = conditions(WorkSettings(tasks=6, skip=1, store="mine.db"), "theirs.db", tasks=3)
    assert list(wanted) == ["no library", "own", "another's", "own, hidden"]
    assert {(one.skip, one.tasks, one.mask) for one in wanted.values()} == {(7, 3, 0.0)}
    assert [one.library for one in wanted.values()] == ["none", "frozen", "frozen", "masked"]
    assert [one.store for one in wanted.values()] == ["mine.db", "mine.db", "theirs.db", "mine.db"]
    assert list(conditions(WorkSettings(), "", tasks=3)) == ["no library", "own", "own, hidden"]


def test_a_policy_plays_the_same_tasks_with_every_library(tmp_path: Path) -> None:
    worked(tmp_path, tasks=6)
    settings = WorkSettings(tasks=6, store=str(tmp_path / "skills.db"))
    found = compare(
        player(),
        ToySuite(4),
        conditions(settings, str(tmp_path / "skills.db"), tasks=4),
        tmp_path / "compare",
        where=PlayContext(world="toy"),
        seed=7,
        workers=1,
        recipe_toml=lambda one: f'library = "{one.library}"\n',
    )
    assert len({tuple(point.task for point in points) for points in found.values()}) == 1
    trained_on = {point.task for point in points_of(Run.open(tmp_path / "run"))}
    assert not trained_on & {point.task for point in found["own"]}
    used = {kind: [point.used for point in points] for kind, points in found.items()}
    assert used == {
        "no library": [False] * 4,
        "own": [True] * 4,
        "another's": [True] * 4,
        "own, hidden": [False] * 4,
    }
    assert [p.written for p in found["own, hidden"]] == [p.written for p in found["no library"]]
    assert "| own |" in markdown(comparison({"counter": found}))


def compared(folder: Path, watch: Callable[[Episode], None] = lambda episode: None, **changes: int) -> int:
    """How many tasks a comparison with the own library played, or had played."""
    settings = WorkSettings(tasks=6, store=str(folder / "skills.db"))
    found = compare(
        player(),
        ToySuite(4),
        {"own": replace(conditions(settings, "", tasks=2)["own"], **changes)},
        folder / "compare",
        where=PlayContext(world="toy"),
        seed=7,
        workers=1,
        recipe_toml=lambda one: f"skip = {one.skip}\ntasks = {one.tasks}\n",
        watch=watch,
    )
    return len(found["own"])


def test_what_was_compared_otherwise_is_not_taken_for_this_comparison(tmp_path: Path) -> None:
    worked(tmp_path, tasks=6)
    assert compared(tmp_path) == compared(tmp_path) == 2
    with pytest.raises(NotThere, match="with another recipe:\n  skip") as refused:
        compared(tmp_path, skip=8)
    assert f"delete {tmp_path / 'compare'}" in refused.value.hint
    assert compared(tmp_path) == 2  # and nothing of it is lost


def test_a_comparison_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    def stop(episode: Episode) -> None:
        raise KeyboardInterrupt

    worked(tmp_path, tasks=6)
    with pytest.raises(KeyboardInterrupt):
        compared(tmp_path, stop, every=1)
    assert compared(tmp_path, every=1) == 2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ([], "work.tasks is 0: the stream takes all tasks there are"),
        (["--set", "work.tasks=6", "--queue", "-"], "work.queue is '-'"),
    ],
)
def test_the_command_compares_only_where_tasks_are_left(tmp_path: Path, settings: list[str], words: str) -> None:
    out = ["--out", str(tmp_path / "run"), "--store", str(tmp_path / "skills.db")]
    ended = CliRunner().invoke(app, ["work", "worker", *settings, *out, "--compare", ""])
    assert isinstance(ended.exception, RecipeError)
    assert words in ended.exception.message
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_command_works_through_desk_and_compares(tmp_path: Path) -> None:
    settings = ["expert.styles=['scholar']", "suite.desk.scenarios=2", "work.tasks=20", "retrieval.name=hybrid"]
    sets = [part for one in settings for part in ("--set", one)]
    store, out = str(tmp_path / "skills.db"), str(tmp_path / "run")
    command = ["work", "expert", *sets, "--store", store, "--out", out, "--workers", "2"]
    ended = CliRunner().invoke(app, [*command, "--compare", store, "--compare-tasks", "6"])
    assert ended.exit_code == 0, ended.output
    assert (tmp_path / "run" / "plots" / "work.svg").read_text().startswith("<svg")
    assert "own, hidden" in (tmp_path / "run" / "compare.md").read_text()
    assert f"comparison: {tmp_path / 'run' / 'compare.md'}\n" in ended.output
    again = CliRunner().invoke(app, command)
    assert again.exit_code == 0, again.output
    assert "is finished (--force to begin again)" in again.output


def test_the_command_takes_the_store_of_the_environment_and_says_what_waits_for_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROWESS_SKILLS", str(tmp_path / "ours.db"))
    monkeypatch.chdir(tmp_path)
    settings = [
        "suite.desk.families=['like_artist']",
        "work.tasks=2",
        "retrieval.name=none",
        "skills.gates.review_rate=1",
    ]
    sets = [part for one in settings for part in ("--set", one)]
    ended = CliRunner().invoke(app, ["work", "expert", *sets, "--out", "run", "--workers", "1"])
    assert ended.exit_code == 0, ended.output
    assert (tmp_path / "ours.db").exists() and not (tmp_path / "skills.db").exists()
    assert "for a person: prowess skills review\n" in ended.output
    named = CliRunner().invoke(app, ["work", "expert", *sets, "--out", "own", "--store", "own.db", "--workers", "1"])
    assert "for a person: prowess skills review --store own.db\n" in named.output


def test_an_empty_variable_names_no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROWESS_SKILLS", "")
    monkeypatch.chdir(tmp_path)
    sets = ["--set", "suite.desk.families=['like_artist']", "--set", "work.tasks=1", "--set", "retrieval.name=none"]
    ended = CliRunner().invoke(app, ["work", "expert", *sets, "--out", "run", "--workers", "1"])
    assert ended.exit_code == 0, ended.output
    assert (tmp_path / "skills.db").exists()


def test_without_a_library_no_store_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = ["suite.desk.families=['like_artist']", "work.tasks=1", "work.library=none", "retrieval.name=none"]
    sets = [part for one in settings for part in ("--set", one)]
    ended = CliRunner().invoke(app, ["work", "expert", *sets, "--out", "run", "--workers", "1"])
    assert ended.exit_code == 0, ended.output
    assert not (tmp_path / "skills.db").exists()
