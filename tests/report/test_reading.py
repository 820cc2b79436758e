"""Episodes and skills on the page: which, how many, and how one gets there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from synthetic import episode, evaluation, skill, task
from test_report import Reader, record

from prowess.files.codec import Played
from prowess.report import build
from prowess.report.page import clipped
from prowess.report.reading import MOST_EPISODES, contrasts, read
from prowess.report.view import View, view_of
from prowess.run import Run
from prowess.types import Turn

EVIL = "</pre></details><script>alert(1)</script><img src=x onerror=alert(2)>\x1b[31m\u202e{{ 7*7 }}"
EVIL += '" onmouseover="alert(3)'


def views(*folders: Path) -> list[View]:
    return [view_of(Run.open(folder), folder.name) for folder in folders]


def plays(solved: Callable[[int], bool], count: int) -> list[Played]:
    return [
        Played(run=0, split="dev", episode=episode(task(f"s{n}", 1), success=solved(n), turns=1)) for n in range(count)
    ]


def test_a_table_leads_to_the_episodes_in_which_two_runs_differ(tmp_path: Path) -> None:
    folders = [record(tmp_path / "a", plays(lambda n: n != 7, 9)), record(tmp_path / "b", plays(lambda n: n != 4, 9))]
    html = build(folders).html
    for name in ("s4_1", "s7_1"):
        row = re.search(rf'<th scope="row">{name}</th>(.*?)</tr>', html)
        assert row is not None
        links = re.findall(r'<a href="#(e\d+)">(.*?)</a>', row[1])
        assert sorted(text for _, text in links) == ["✔ solved", "✘ not solved"]
        for anchor, _ in links:
            before = html[: html.index(f'<div class="body" id="{anchor}">')].rpartition("<summary>")[2]
            assert name in before, "the link leads to an episode of this task"


def test_a_page_holds_a_bounded_number_of_episodes_and_says_of_how_many(tmp_path: Path) -> None:
    report = build([record(tmp_path / "a", evaluation(seed=1, scenarios=40, runs=2))])
    assert report.html.count('<details class="episode">') == MOST_EPISODES == 60
    assert "60 of 240 episodes: first those that differ, broke or failed." in report.html


def test_broken_and_failed_episodes_come_before_those_that_went_well(tmp_path: Path) -> None:
    broken = Played(run=0, split="dev", episode=episode(task("zz", 1), error="WorldError: no ledger"))
    (view,) = views(record(tmp_path / "a", [*plays(lambda n: n != 150, 200), broken]))
    held = {one.episode.task.id for one in read([view], contrasts([view])).episodes}
    assert {"zz_1", "s150_1"} <= held and len(held) == MOST_EPISODES


def test_an_episode_leads_to_the_skill_that_it_called_and_the_skill_to_where_it_was_written(tmp_path: Path) -> None:
    first, second = task("pay", 1), task("pay", 2)
    mine = skill("pay_people", first)
    mine = replace(mine, origin=replace(mine.origin, turn=0))
    played = [
        Played(run=0, split="dev", episode=episode(first, learned=(mine,))),
        Played(run=0, split="dev", episode=episode(second, offered=("pay_people",), used=("pay_people",))),
    ]
    html = build([record(tmp_path / "a", played)]).html
    called = re.search(r'Called skill <a href="#(s\d+)">pay_people</a>, written in pay_1', html)
    assert called is not None
    source = html.partition(f'id="{called[1]}"')[2]
    assert "Pay every named contact." in source and "return len(names)" in source
    written = re.search(r'Written in <a href="#(e\d+)">pay_1</a>', source)
    assert written is not None and f'id="{written[1]}"' in html
    assert "called in 1 episode" in html


def test_versions_of_a_skill_that_are_alike_are_one(tmp_path: Path) -> None:
    played = [
        Played(run=run, split="dev", episode=episode(task("pay", 1), learned=(skill("pay_people", task("pay", 1)),)))
        for run in range(4)
    ]
    reading = read(*(lambda some: (some, contrasts(some)))(views(record(tmp_path / "a", played))))
    assert len(reading.skills) == 1 and reading.saved == 4


def test_what_a_model_or_a_stranger_wrote_stays_text_in_episodes_and_skills(tmp_path: Path) -> None:
    of = replace(task("a", 1), instruction=EVIL, id=f"a_1{EVIL[:40]}")
    mine = replace(skill("pay", of), name=EVIL, source=EVIL, docstring=EVIL, apis=(EVIL,))
    mine = replace(mine, origin=replace(mine.origin, task=EVIL, instruction=EVIL, turn=0))
    base = episode(of, success=False, turns=2, learned=(mine,), offered=(EVIL,), used=(EVIL,))

    def hostile(turn: Turn) -> Turn:
        assert turn.observation
        seen = replace(turn.observation, text=EVIL, fatal=EVIL)
        return replace(turn, code=EVIL, completion=replace(turn.completion, text=EVIL), observation=seen)

    verdict = replace(base.verdict, failed=(EVIL,))
    used = tuple(replace(use, error=EVIL, origin=EVIL) for use in base.called)
    evil = replace(base, turns=tuple(map(hostile, base.turns)), verdict=verdict, called=used)
    fine = replace(base, verdict=replace(base.verdict, passed=("x",), failed=()))
    folders = [
        record(tmp_path / "a", [Played(run=0, split=EVIL, episode=evil)]),
        record(tmp_path / "b", [Played(run=0, split=EVIL, episode=replace(fine, task=of))]),
    ]
    report = build(folders)
    page = Reader(report.html)
    assert not {"script", "img"} & set(page.tags)
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert "\x1b" not in report.html and "\u202e" not in report.html
    assert page.tags.count("details") == report.html.count("<details") == report.html.count("</details>")
    assert page.text.count("<script>alert(1)</script>") >= 10


def test_long_texts_are_cut_with_a_note(tmp_path: Path) -> None:
    assert clipped("\n".join("x" * 50)).endswith("x\n… 10 more lines")
    one = episode(task("a", 1), turns=1)
    long = replace(one, turns=tuple(replace(turn, code="y" * 50_000) for turn in one.turns))
    html = build([record(tmp_path / "a", [Played(run=0, split="dev", episode=long)])]).html
    assert "… 46000 more letters" in html and "y" * 4001 not in html
