"""Tables of measures: readable in 80 columns, and harmless whatever the names are."""

from __future__ import annotations

import io
import math

import pytest
from rich.console import Console
from synthetic import episode, skill, task

from prowess.figures.intervals import Estimate
from prowess.figures.measure import Played, measure
from prowess.figures.tables import Cell, Grid, Row, markdown, plain, quoted, rich_table
from prowess.figures.tables.measures import LINES, comparison_grid, estimate_cell, measures_grid, paper_grid


def small(*, wrong: bool = False, split: str = "dev") -> list[Played]:
    out = []
    for run in (0, 1):
        for number, name in enumerate(("a", "b", "c", "d")):
            for place in (1, 2):
                of = task(name, place, 1 + number % 2)
                more = {"learned": (skill("f", of),)} if place == 1 else {"offered": ("f",), "used": ("f",)}
                solved = not (wrong and name == "d" and run == 1)
                error = "broke" if wrong and name == "c" and place == 2 and run == 0 else ""
                out.append(
                    Played(
                        run=run, split=split, episode=episode(of, success=solved, turns=5 - place, error=error, **more)
                    )
                )
    return out


def shown(table: object, width: int = 80) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(table)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines())


def test_the_table_for_a_terminal_reads_like_this() -> None:
    assert (
        shown(rich_table(measures_grid(measure(small(wrong=True)))))
        == """
                                  all  difficulty 1  difficulty 2
 ────────────────────────────────────────────────────────────────
 dev · 2 runs
  tasks solved (TGC)      87.5% ±17.7   100.0% ±0.0   75.0% ±35.4
                            29.9–99.1    33.8–100.0      1.0–99.9
  scenarios solved (SGC)  87.5% ±17.7   100.0% ±0.0   75.0% ±35.4
                            27.8–99.2    31.9–100.0      1.0–99.9
  steps per task             3.5 ±0.1      3.6 ±0.1      3.5 ±0.0
                              3.5–3.8       3.5–3.8       3.5–3.5
  tokens per task              354 ±5       358 ±12        350 ±0
                              350–375       350–375       350–350
  steps if solved            3.5 ±0.1      3.6 ±0.1      3.5 ±0.0
                              3.5–3.8       3.5–3.8       3.5–3.5
  tokens if solved             354 ±5       358 ±12        350 ±0
                              350–375       350–375       350–350
  skill use when offered  100.0% ±0.0   100.0% ±0.0   100.0% ±0.0
                           49.5–100.0    31.9–100.0    34.2–100.0
  skill use overall        46.4% ±5.1   41.7% ±11.8    50.0% ±0.0
                            16.2–79.6      0.7–98.6      1.2–98.8
  solved given use        87.5% ±17.7   100.0% ±0.0   75.0% ±35.4
                            27.8–99.2    31.9–100.0      1.0–99.9
  tasks with an error     100.0% ±0.0   100.0% ±0.0   100.0% ±0.0
                           50.7–100.0    33.8–100.0    34.2–100.0
  solved after an error   87.5% ±17.7   100.0% ±0.0   75.0% ±35.4
                            29.9–99.1    33.8–100.0      1.0–99.9
  library size                   4 ±0          2 ±0          2 ±0
                                  4–4           2–2           2–2
  skills combining APIs   100.0% ±0.0   100.0% ±0.0   100.0% ±0.0
                           51.0–100.0    34.2–100.0    34.2–100.0
  scenarios                         4             2             2
  episodes                         16             8             8
  errors (not counted)              1             1             0
                                of 16          of 8
  scenarios not in SGC              1             1             0
"""
    )


def test_the_table_fits_a_terminal_of_eighty_columns_with_three_difficulties() -> None:
    played = [
        Played(
            run=run, split="dev", episode=episode(task(f"s{n}", 1, 1 + n % 3), tokens=1000 + 9 * n, success=n % 4 > 0)
        )
        for n in range(12)
        for run in (0, 1)
    ]
    text = shown(rich_table(measures_grid(measure(played))))
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_names_that_look_like_markup_are_shown_as_they_are() -> None:
    grid = Grid(columns=("[b]a",), rows=(Row(head="[red]x[/red]", cells=(Cell(text="[/b]1"),)),))
    text = shown(rich_table(grid, title="mine[/x]"))
    assert all(part in text for part in ("mine[/x]", "[b]a", "[red]x[/red]", "[/b]1"))


def test_the_markdown_has_one_line_for_each_measure() -> None:
    lines = markdown(measures_grid(measure(small()))).splitlines()
    assert lines[:4] == [
        "|  | all | difficulty 1 | difficulty 2 |",
        "| --- | ---: | ---: | ---: |",
        "| **dev · 2 runs** |  |  |  |",
        "| tasks solved (TGC) | 100.0% ±0.0 (51.0–100.0) | 100.0% ±0.0 (34.2–100.0) | 100.0% ±0.0 (34.2–100.0) |",
    ]
    assert len(lines) == 3 + len(LINES) - 1 + 3, "nothing of money without prices"
    assert {line.count("|") for line in lines} == {5}


def test_runs_are_compared_side_by_side_and_what_one_lacks_is_left_open() -> None:
    grid = comparison_grid({"one": measure(small()), "two": measure(small(split="test"))})
    assert grid.columns == ("one", "two")
    assert [row.head for row in grid.rows][:4] == [
        "dev",
        "tasks solved (TGC)",
        "… of difficulty 1",
        "… of difficulty 2",
    ]
    assert [cell.text for cell in grid.rows[1].cells] == ["100.0% ±0.0", "–"]


def figures(grid: Grid, *heads: str) -> list[list[str]]:
    return [[cell.text for cell in row.cells] for row in grid.rows if row.head in heads]


def test_every_split_difficulty_and_run_has_its_own_figures() -> None:
    """In `dev` one of two hard scenarios failed in one of two runs."""
    hard, all_of_them, fine = "75.0% ±35.4", "87.5% ±17.7", "100.0% ±0.0"
    splits = measures_grid(measure(small(wrong=True) + small(split="test")))
    assert figures(splits, "tasks solved (TGC)") == [[all_of_them, fine, hard], [fine, fine, fine]]
    runs = comparison_grid({"one": measure(small(wrong=True)), "two": measure(small())})
    assert figures(runs, "tasks solved (TGC)", "… of difficulty 1", "… of difficulty 2") == [
        [all_of_them, fine],
        *[[fine, fine], [hard, fine]] * 2,  # of tasks, and of scenarios
    ]
    paper = paper_grid({"one": measure(small(wrong=True))[0], "two": measure(small())[0]})
    assert paper.columns == ("TGC", "SGC", "steps", "tokens", "skill use")
    assert figures(paper, "two") == [[fine, fine, "3.5 ±0.0", "350 ±0", fine]]


def test_nothing_measured_makes_an_empty_table() -> None:
    assert shown(rich_table(measures_grid(()))).strip() != ""
    assert markdown(measures_grid(())).splitlines() == ["|  | all |", "| --- | ---: |"]


NAN = math.nan


@pytest.mark.parametrize(
    ("estimate", "unit", "cell"),
    [
        (
            Estimate(value=0.93, low=0.881, high=0.96, sd=0.012, n=9),
            "percent",
            Cell(text="93.0% ±1.2", detail="88.1–96.0"),
        ),
        (Estimate(value=0.5, low=NAN, high=NAN, sd=NAN, n=1), "percent", Cell(text="50.0%")),
        (Estimate(value=12.04, low=11, high=13, sd=NAN, n=9), "number", Cell(text="12.0", detail="11.0–13.0")),
        (Estimate(value=1234.5, low=900, high=2000, sd=50, n=9), "count", Cell(text="1,234 ±50", detail="900–2,000")),
        (Estimate(value=NAN, low=0, high=0, sd=0, n=0), "percent", Cell(text="–")),
    ],
)
def test_figures_are_short(estimate: Estimate, unit: str, cell: Cell) -> None:
    assert estimate_cell(estimate, unit) == cell  # type: ignore[arg-type]


HOSTILE = (
    "x](http://evil) ![p](http://evil/p.png) <img src=x onerror=alert(1)> | `code` **b** \x1b[31m\u202e\n# h & $a$"
)


def test_hostile_names_stay_text_in_markdown() -> None:
    text = markdown(Grid(columns=(HOSTILE,), rows=(Row(head=HOSTILE, cells=(Cell(text=HOSTILE, tone="code"),)),)))
    lines = text.splitlines()
    assert len(lines) == 3
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "\\<img src=x onerror=alert(1)\\>" in lines[0]
    assert "x\\](http://evil) !\\[p\\](http://evil/p.png)" in lines[0]
    # Unescaped bars are the table's own: two cells have three.
    assert lines[2].replace("\\|", "").count("|") == 3


def test_plain_names_are_not_cluttered() -> None:
    assert plain("test_normal · difficulty 2 (3 runs)") == "test_normal · difficulty 2 (3 runs)"
    assert plain("__init__") == "\\_\\_init\\_\\_"
    assert plain("R&D, &lt;b&gt;") == "R&amp;D, &amp;lt;b&amp;gt;"
    assert quoted("WorldError: it's `x`|y") == "`WorldError: it's 'x'\\|y`"


def test_hostile_names_stay_text_in_the_terminal() -> None:
    rows = measure([Played(run=0, split="[red]d\x1b[31mev[/red]", episode=episode(task("a", 1)))])
    text = shown(rich_table(measures_grid(rows)))
    assert "[red]dev[/red] · 1 run" in text
    assert "\x1b" not in text
