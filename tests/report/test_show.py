"""Show: episodes and skills read well in a terminal, and cannot touch it."""

from __future__ import annotations

import gzip
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from synthetic import episode, skill, task

from prowess.errors import RecipeError, StoreError
from prowess.files.codec import Played
from prowess.report.show import find, list_failed, list_run, show, show_episode, show_skill
from prowess.run import Run
from prowess.types import Completion, Episode, Observation, Skill, Stop, Turn, Use, Verdict


def console(*, colour: bool = False) -> Console:
    return Console(
        file=io.StringIO(), width=80, force_terminal=colour, color_system="standard" if colour else None, _environ={}
    )


def text_of(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


@pytest.fixture
def run(tmp_path: Path) -> Run:
    first, second = task("pay", 1), task("pay", 2)
    with Run.create(tmp_path / "r", command="evaluate", recipe_toml="", seed=1) as run:
        for number in (0, 1):
            run.write_episodes(
                f"dev-run{number}-pay",
                [
                    Played(run=number, split="dev", episode=episode(first, learned=(skill("pay_people", first),))),
                    Played(
                        run=number,
                        split="dev",
                        episode=episode(second, success=number == 1, offered=("pay_people",), used=("pay_people",)),
                    ),
                ],
            )
        run.write_episodes("dev-run1-mail", [Played(run=1, split="dev", episode=episode(task("mail", 1), error="x"))])
    return Run.open(tmp_path / "r")


def test_an_episode_reads_from_the_task_to_the_verdict() -> None:
    of = task("pay", 2)
    out = console()
    show_episode(
        out,
        Episode(
            task=of,
            turns=(
                Turn(
                    completion=Completion(text="Let me try.\n```python\nprint(pay(3))\n```\nDone.", reply_tokens=12),
                    code="print(pay(3))",
                    observation=Observation(text="paid 3", apis=("wallet.pay",), done=True, denied=2),
                ),
                Turn(completion=Completion(text="I have no code left.", reply_tokens=5, teacher=True), code=""),
            ),
            verdict=Verdict(passed=("money moved",), failed=("nothing else changed",)),
            stop=Stop.NO_CODE,
            offered=("pay",),
            dropped=("broken",),
            called=(Use(name="pay", turn=0, origin="pay_1"), Use(name="pay", turn=0, origin="pay_1", error="KeyError")),
            learned=(replace(skill("pay_all", of), origin=replace(skill("x", of).origin, turn=0)),),
            seconds=1.25,
        ),
        place="dev, run 0",
    )
    assert (
        text_of(out)
        == """\
╭─ pay_2 ──────────────────────────────────────────────────────────────────────╮
│ Pay Ada and Bo back what I owe them for dinner number 2.                     │
│ dev, run 0 · scenario pay · difficulty 1                                     │
│ date: 2026-03-01                                                             │
│ name: Cleo Martin                                                            │
╰──────────────────────────────────────────────────────────────────────────────╯
skills offered: pay
skills that did not load: broken
turn 1 of 2  12 tokens ─────────────────────────────────────────────────────────
Let me try.
  print(pay(3))
╭─ observation ────────────────────────────────────────────────────────────────╮
│ paid 3                                                                       │
╰─────────────────── 1 API call · 2 operations refused · task marked complete ─╯
called skill pay, written in pay_1
called skill pay, written in pay_1, raised KeyError
saved skill pay_all
turn 2 of 2  5 tokens  the teacher ─────────────────────────────────────────────
I have no code left.
verdict ────────────────────────────────────────────────────────────────────────
✘ not solved  1 of 2 checks passed; stopped: no_code; 2 turns, 17 tokens, 1.2 s
  ✘ nothing else changed
  ✔ money moved
skills saved: pay_all
"""
    )


def test_a_skill_reads_with_its_origin_and_code() -> None:
    out = console()
    show_skill(out, skill("pay_people", task("pay", 1)))
    assert (
        text_of(out)
        == """\
╭─ pay_people ─────────────────────────────────────────────────────────────────╮
│ Pay every named contact.                                                     │
│ written in pay_1, turn 2, for: Pay Ada and Bo back what I owe them for       │
│ dinner number 1.                                                             │
│ APIs: phone.search_contacts, wallet.create_payment                           │
╰──────────────────────────────────────────────────────────────────────────────╯
  import re


  def pay_people(names: list[str]) -> int:
      \"\"\"Pay every named contact.\"\"\"
      return len(names)
"""
    )


def test_an_error_is_shown_instead_of_a_verdict() -> None:
    out = console()
    show_episode(out, episode(task("pay", 1), error="WorldError: the ledger did not open"))
    assert "! error: WorldError: the ledger did not open" in text_of(out)
    assert "solved " not in text_of(out)


def test_a_long_observation_is_cut_with_a_note() -> None:
    out = console()
    turn = Turn(completion=Completion(text=""), code="x", observation=Observation(text="\n".join(map(str, range(100)))))
    show_episode(out, replace(episode(task("pay", 1)), turns=(turn,)))
    assert "│ 39 " in text_of(out)
    assert "│ 40 " not in text_of(out)
    assert "… 60 more lines" in text_of(out)


def test_hostile_text_cannot_colour_move_or_clear_the_terminal() -> None:
    evil = "\x1b[2J\x1b]0;owned\x07[bold red]x[/bold red] [/] \x9b5m\r\u202eend \ud800 :smile:"
    of = replace(task("pay", 1), id=evil, scenario=evil, instruction=evil, facts={evil: evil})
    nasty = Skill(name=evil, source=evil, docstring=evil, apis=(evil,), imports=(evil,), origin=skill("x", of).origin)
    turn = Turn(
        completion=Completion(text=evil + "```"), code=evil, observation=Observation(text=evil, fatal=evil, failed=True)
    )
    played = Episode(
        task=of,
        turns=(turn,),
        verdict=Verdict(passed=(evil,), failed=(evil,)),
        stop=Stop.ERROR,
        offered=(evil,),
        dropped=(evil,),
        called=(Use(name=evil, turn=0, origin=evil, error=evil),),
        learned=(nasty,),
        error=evil,
    )
    out = console()
    show_episode(out, played, place=evil)
    show_skill(out, nasty)
    text = text_of(out)
    text.encode()
    assert not {"\x1b", "\x9b", "\x07", "\r", "\u202e"} & set(text)
    # What looks like markup is shown as it was written.
    assert text.count("[bold red]x[/bold red] [/]") >= 15
    assert ":smile:" in text
    coloured = console(colour=True)
    show_episode(coloured, played)
    assert "\x1b[2J" not in text_of(coloured)
    assert "\x1b]0" not in text_of(coloured)


def test_code_is_coloured_on_a_terminal() -> None:
    out = console(colour=True)
    show_skill(out, skill("pay_people", task("pay", 1)))
    assert "\x1b[" in text_of(out)


def test_a_task_is_found_in_the_first_run_that_has_it(run: Run) -> None:
    found = find(run, "pay_2")
    assert [(each.run, each.episode.task.id) for each in found.episodes] == [(0, "pay_2")]
    assert found.elsewhere == (1,)
    assert find(run, "pay_2", number=1).episodes[0].episode.success
    assert find(run, "mail_1").episodes[0].run == 1


def test_a_scenario_gives_its_tasks_in_order_and_a_skill_its_versions(run: Run) -> None:
    assert [each.episode.task.id for each in find(run, "pay", number=1).episodes] == ["pay_1", "pay_2"]
    found = find(run, "pay_people")
    assert [each.name for each in found.skills] == ["pay_people"]
    assert found.episodes == ()


def test_a_wrong_name_suggests_the_nearest(run: Run) -> None:
    with pytest.raises(RecipeError) as caught:
        find(run, "pay_peeple")
    assert str(caught.value) == (
        "unknown task, scenario or skill 'pay_peeple'\n"
        "hint: did you mean 'pay_people'? name nothing to list what is there"
    )
    with pytest.raises(RecipeError, match="unknown run number '7'"):
        find(run, "pay", number=7)
    with pytest.raises(RecipeError, match="'mail_1' is not in run 0\nhint: it is in run 1"):
        find(run, "mail_1", number=0)


def test_nothing_named_lists_what_is_there(run: Run) -> None:
    out = console()
    list_run(out, run)
    assert (
        text_of(out)
        == """evaluate, finished: 3 of 4 episodes solved (75.0%), 1 error

 scenario   run 0   run 1   skills
 ─────────────────────────────────
 dev
  pay       ✔ ✘     ✔ ✔          1
  mail              !            0

skills: pay_people
✔ solved  ✘ not solved  ! error; name a task, a scenario or a skill to read it"""
    )


def test_only_what_failed_is_listed_with_the_reason(run: Run) -> None:
    out = console()
    list_failed(out, run)
    assert (
        text_of(out)
        == """
 task     run   ended       replies   why
 ───────────────────────────────────────────────────────
 pay_2      0   completed         4   payments were made
 mail_1     1   error             4   x

2 episodes did not solve the task; name one to read it"""
    )


def test_of_a_name_only_what_failed_is_shown(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    show(run.folder, "pay", 0, failed=True)
    printed = capsys.readouterr().out
    assert "─ pay_2 ─" in printed and "─ pay_1 ─" not in printed
    show(run.folder, "pay", 1, failed=True)
    assert capsys.readouterr() == ("", "no episode of 'pay' failed\n")


def test_show_prints_data_on_stdout_and_notes_on_stderr(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    show(run.folder, "pay_2")
    printed = capsys.readouterr()
    assert "pay_2" in printed.out
    assert printed.err == "also in run 1: choose one with --run\n"
    show(run.folder)
    assert "scenario" in capsys.readouterr().out


def test_an_empty_run_is_no_trouble(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Run.create(tmp_path / "r", command="evaluate", recipe_toml="", seed=1).close()
    show(tmp_path / "r")
    assert "no episode yet (running)" in capsys.readouterr().out
    with pytest.raises(RecipeError, match="holds no episode yet"):
        show(tmp_path / "r", "x")


def test_only_the_episodes_that_hold_a_name_are_decoded(run: Run) -> None:
    path = run.folder / "episodes/dev-run1-mail.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"damaged": \n'))
    assert [played.episode.task.id for played in find(run, "pay_1").episodes] == ["pay_1"]
    assert [one.name for one in find(run, "pay_people").skills] == ["pay_people"]
    with pytest.raises(StoreError, match="dev-run1-mail"):
        find(run, "pay_9")  # nowhere: all are read to say what there is


def test_a_task_of_an_evaluation_is_read_without_the_files_of_other_scenarios(run: Run) -> None:
    others = [path for path in (run.folder / "episodes").iterdir() if not path.name.endswith("-pay.jsonl.gz")]
    for path in others:
        path.write_bytes(b"not even gzip")
    assert others and [played.episode.task.id for played in find(run, "pay_1").episodes] == ["pay_1"]


def test_a_run_of_many_units_is_read_in_sight(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    show(run.folder)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("prowess.report.units.MANY", 1)
    show(run.folder)
    assert re.search(r"^reading .*: (\d+)/\1 \(100%\), done in 0:00$", capsys.readouterr().err.strip())


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("failed", "told"), [(False, "listing 5 episodes"), (True, "listing 2 episodes")])
def test_a_long_list_is_read_and_made_in_sight(
    run: Run, monkeypatch: pytest.MonkeyPatch, failed: bool, told: str
) -> None:
    quiet, out = console(), console()
    show(run.folder, console=quiet, failed=failed)
    monkeypatch.setattr("prowess.report.units.MANY", 1)
    monkeypatch.setattr("sys.stderr", screen := Terminal())
    show(run.folder, console=out, failed=failed)
    assert "reading" in screen.getvalue() and told in screen.getvalue()
    assert text_of(out) == text_of(quiet)


def test_a_name_with_quotes_and_other_letters_is_found(tmp_path: Path) -> None:
    odd = replace(task("pay", 1), id='pay "é"\\1')
    with Run.create(tmp_path / "odd", command="evaluate", recipe_toml="", seed=1) as run:
        run.write_episodes("dev-run0-pay", [Played(run=0, split="dev", episode=episode(odd))])
    assert len(find(Run.open(tmp_path / "odd"), odd.id).episodes) == 1
